"""The model of the old reader against measured outcomes, and against the compiled loop itself (W15)."""

from __future__ import annotations

import json
import random
from collections.abc import Sequence
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from coli_conformance.compat.compiled import TOOLCHAINS, CompiledLoop, LoopAbsent, Toolchain, build
from coli_reference.old_reader import PLATFORMS, UndefinedField, leaves_defined_ground, records

Triple = tuple[int, int, int]

OUTCOMES = Path(__file__).parent / "data" / "old-reader-outcomes.json"

GENERATED_INPUTS = 20_000

# Magnitudes around the end of every type a C library may convert through, and some beyond all of them.
MAGNITUDES = (
    *(0, 1, 2, 3, 5, 7, 12, 40, 78, 256, 600, 3_815_245_270, 4_294_967_303),
    *((1 << bits) + step for bits in (31, 32, 63, 64) for step in (-2, -1, 0, 1, 2)),
    *(10**10, 10**18, 10**19, 10**20, 10**25, (1 << 64) + (1 << 32) + 5, 3 << 64),
)
SEPARATORS = (b" ", b"  ", b"\t", b"\n", b"\r\n", b"\r", b"\n\r", b"\v", b"\f", b" \n ", b"\n\n", b" \t ")
SIGNS = (b"", b"-", b"+")
STRAYS = (
    *(b"\0", b"\x1a", b"\x1c", b"\x1f", b"\x7f", b"\x85", b"\xa0", b"\xff", b"\xef\xbb\xbf", b"\xd9\xa3"),
    *(b"-", b"+", b"--1", b"+-1", b"-+1", b"- 1", b"-\n", b"0x1f", b"0x", b"1e3", b"3.5", b".5", b"1,000"),
    *(b"1_0", b"#", b"# note\n", b'"3"', b"nan", b"inf", b"glm", b"%d", b"(nil)", b"IKU1", b"3;", b"'1'"),
)


def outcomes() -> list[tuple[str, bytes, str, list[Triple]]]:
    """Return (name, input, platform, records parsed) for every measured outcome."""
    return [
        (entry["name"], bytes.fromhex(entry["input_hex"]), name, [(a, b, c) for a, b, c in parsed])
        for entry in json.loads(OUTCOMES.read_text(encoding="utf-8"))["inputs"]
        for names, parsed in entry["outcomes"].items()
        for name in names.split()
    ]


@pytest.mark.parametrize("name", PLATFORMS)
def test_model_reproduces_every_measured_outcome(name: str) -> None:
    measured = [(label, data, parsed) for label, data, where, parsed in outcomes() if where == name]
    assert len(measured) == 505
    assert [label for label, data, parsed in measured if records(data, name) != parsed] == []


# What a conversion takes and where the loop ends is the same on every platform.
@pytest.mark.parametrize(
    ("data", "expected"),
    [
        (b"", []),
        (b" \t\n\v\f\r", []),
        (b"-1 5 8\n-2 1 3815245270\n3 2 5\n", [(-1, 5, 8), (-2, 1, 3815245270), (3, 2, 5)]),
        (b"3 2 5", [(3, 2, 5)]),
        (b"3 2 5\n4 1", [(3, 2, 5)]),
        (b"3\n2\n5", [(3, 2, 5)]),
        (b"3\v2\f5\r4\t1 8", [(3, 2, 5), (4, 1, 8)]),
        (b"3 2 5\r\n4 1 8\r\n", [(3, 2, 5), (4, 1, 8)]),
        (b"3-2 5", [(3, -2, 5)]),
        (b"1 2 3-4 5 6", [(1, 2, 3), (-4, 5, 6)]),
        (b"1+2+3", [(1, 2, 3)]),
        (b"+1 -0 +007", [(1, 0, 7)]),
        (b"12 5", []),
        (b"1 2 - 3", []),
        (b"1 2 +-3", []),
        (b"3 2 5\n-3 7 12 99\n4 1 8\n", [(3, 2, 5), (-3, 7, 12), (99, 4, 1)]),
        (b"3 2 5\0 4 1 8", [(3, 2, 5)]),
        (b"3 2 5\x1a4 1 8", [(3, 2, 5)]),
        (b"3 2 5\n\x1a\n4 1 8", [(3, 2, 5)]),
        (b"3 2 0x10\n4 1 8", [(3, 2, 0)]),
        (b"3 2 1_0\n4 1 8", [(3, 2, 1)]),
        (b"3 2 5\x1c4 1 8", [(3, 2, 5)]),
        (b"\xef\xbb\xbf3 2 5", []),
        (b"3 2 -5", [(3, 2, 4294967291)]),
        (b"-2147483648 2147483647 -4294967295", [(-2147483648, 2147483647, 1)]),
    ],
)
@pytest.mark.parametrize("name", PLATFORMS)
def test_what_the_loop_takes(name: str, data: bytes, expected: list[Triple]) -> None:
    assert records(data, name) == expected


@pytest.mark.parametrize(
    ("name", "sign", "expected"),
    [
        ("glibc64", "", (-1, -1, 4294967295)),
        ("glibc64", "-", (0, 0, 4294967295)),
        ("musl", "", (-1, -1, 4294967295)),
        ("musl", "-", (-1, -1, 4294967295)),
        ("ilp32", "", (2147483647, 2147483647, 4294967295)),
        ("ilp32", "-", (-2147483648, -2147483648, 4294967295)),
        ("windows", "", (2147483647, 2147483647, 4294967295)),
        ("windows", "-", (-2147483648, -2147483648, 1)),
    ],
)
def test_a_number_of_ten_thousand_digits_is_as_any_too_long_one(name: str, sign: str, expected: Triple) -> None:
    line = " ".join([sign + "9" * 10_000] * 3).encode()
    assert records(line, name) == [expected]


def test_ten_thousand_leading_zeros_change_nothing() -> None:
    assert records(b"%b3 -2 5" % (b"0" * 10_000)) == [(3, -2, 5)]


def test_a_whole_history_is_read_record_by_record() -> None:
    written = [(layer, expert, layer * 7919 + expert + 1) for layer in range(3, 79) for expert in range(256)]
    data = "".join(f"{layer} {expert} {count}\n" for layer, expert, count in written).encode()
    assert all(records(data, name) == written for name in PLATFORMS)


def test_an_unknown_platform_is_refused_by_naming_the_known_ones() -> None:
    with pytest.raises(ValueError, match=r"'vax'.* glibc64, musl, ilp32, windows"):
        records(b"3 2 5", "vax")


@pytest.mark.parametrize(
    ("data", "expected"),
    [
        (b"-1 5 8\n-2 1 3815245270\n3 2 5\n", []),
        (b"-2147483648 2147483647 4294967295", []),
        (b"3 2 -5\n3 2 -4294967295\n", []),
        (b"-1 5 8\n-2 3815245270 1\n", [(1, 2, "3815245270")]),
        (b"2147483648 -2147483649 4294967295", [(0, 1, "2147483648"), (0, 2, "-2147483649")]),
        (b"3 2 4294967296 4 1 -4294967296", [(0, 3, "4294967296"), (1, 3, "-4294967296")]),
        (b"3 2 5 +0004294967296 1 1", [(1, 1, "+0004294967296")]),
        (b"3 2 5\n4 99999999999", []),
        (b"3 2 5\nx 99999999999 1 1", []),
    ],
)
def test_fields_that_leave_the_types_of_c(data: bytes, expected: list[UndefinedField]) -> None:
    assert leaves_defined_ground(data) == expected


def generated_input(source: random.Random) -> bytes:
    """Return one input close to a history: some fields stand at a boundary, some are no numbers at all."""
    wild = source.choice((0.02, 0.1, 0.5))
    pieces: list[bytes] = [b"\xef\xbb\xbf"] if source.random() < 0.01 else []
    for _ in range(source.randrange(9)):
        for _ in range(4 if source.random() < wild / 4 else 3):
            if source.random() < wild / 8:
                pieces.append(source.choice(STRAYS))
            elif source.random() < wild:
                magnitude = source.choice(MAGNITUDES) + source.choice((0, 0, -1, 1, source.randrange(1 << 33)))
                zeros = b"0" * source.choice((0, 0, 0, 1, 3, 30))
                pieces.append(source.choice(SIGNS) + zeros + b"%d" % abs(magnitude))
            else:
                pieces.append(b"%d" % source.randrange(-3, 300))
            if source.random() < wild / 4:
                pieces.append(source.choice((*SEPARATORS, b"")))
            else:
                pieces.append(b" ")
        pieces[-1] = source.choice(SEPARATORS) if source.random() < wild else b"\n"
    data = bytearray(b"".join(pieces))
    if data and source.random() < 0.2:
        del data[source.randrange(len(data)) :]
    if data and source.random() < 0.05:
        data[source.randrange(len(data))] = source.randrange(256)
    return bytes(data)


@pytest.fixture(scope="module")
def generated() -> list[bytes]:
    source = random.Random(20)
    return [generated_input(source) for _ in range(GENERATED_INPUTS)]


def differences(loop: CompiledLoop, inputs: Sequence[bytes]) -> list[tuple[bytes, list[Triple], list[Triple]]]:
    """Return (input, records of the program, records of the model) where the two differ."""
    modelled = [records(data, loop.toolchain.platform) for data in inputs]
    return [
        (data, compiled, model)
        for data, compiled, model in zip(inputs, loop.read(inputs), modelled, strict=True)
        if compiled != model
    ]


@pytest.fixture(scope="module", params=TOOLCHAINS, ids=lambda toolchain: toolchain.compiler)
def compiled_loop(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> CompiledLoop:
    toolchain: Toolchain = request.param
    try:
        return build(toolchain, tmp_path_factory.mktemp(toolchain.compiler))
    except LoopAbsent as reason:
        pytest.skip(str(reason))


def test_model_agrees_with_the_compiled_loop_on_generated_inputs(
    compiled_loop: CompiledLoop, generated: list[bytes]
) -> None:
    assert differences(compiled_loop, generated)[:3] == []


def test_measured_outcomes_hold_for_the_compiled_loop(compiled_loop: CompiledLoop) -> None:
    measured = [(data, parsed) for _, data, where, parsed in outcomes() if where == compiled_loop.toolchain.platform]
    assert compiled_loop.read([data for data, _ in measured]) == [parsed for _, parsed in measured]


numbers = st.builds(
    lambda sign, zeros, magnitude: sign + b"0" * zeros + b"%d" % magnitude,
    st.sampled_from(SIGNS),
    st.integers(0, 3),
    st.sampled_from(MAGNITUDES) | st.integers(0, 1 << 66) | st.integers(0, 999),
)
pieces = st.one_of(numbers, numbers, st.sampled_from(SEPARATORS), st.sampled_from(STRAYS), st.binary(max_size=2))
spaced = st.lists(numbers, max_size=12).map(b" ".join)
near_histories = spaced | st.lists(pieces, max_size=24).map(b"".join)


# One run of the program per example, so that an example is many files.
@settings(deadline=None, max_examples=30)
@given(inputs=st.lists(near_histories, min_size=1, max_size=20))
def test_model_agrees_with_the_compiled_loop_on_any_input(compiled_loop: CompiledLoop, inputs: list[bytes]) -> None:
    assert differences(compiled_loop, inputs) == []


@given(data=near_histories)
def test_on_defined_ground_all_platforms_agree(data: bytes) -> None:
    readings = {name: records(data, name) for name in PLATFORMS}
    if not leaves_defined_ground(data):
        assert readings == dict.fromkeys(PLATFORMS, readings["glibc64"])


@given(data=near_histories)
def test_a_field_off_defined_ground_never_reads_as_it_is_written(data: bytes) -> None:
    parsed = records(data)
    for field in leaves_defined_ground(data):
        assert int(field.text) != parsed[field.record][field.position - 1]
