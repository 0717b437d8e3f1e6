"""What a reader owes malformed input: no crash, no hang, nothing outside its counters (R17).

Whether such input is read, skipped or refused is not judged here: every answer is right that keeps to the protocol.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator

import coli_spec
from coli_conformance.case import Case, SetupFile
from coli_conformance.corpus.iku1_block import MAGIC
from coli_conformance.corpus.meaning import history, inside, render
from coli_conformance.corpus.session import Session
from coli_conformance.corpus.target import Target

_LONG = 100_000


def _noise(size: int) -> bytes:
    """Return bytes without any pattern, the same ones each time."""
    return hashlib.shake_128(b"R17").digest(size)


def _survives(target: Target, content: bytes, trusted: bool = False) -> Session:
    session = Session(target)
    session.given(".coli_usage", content)
    session.say(f"{'trust' if trusted else 'load'} .coli_usage", "any")
    session.say("counts", "any")
    return session


_NOT_TEXT: dict[str, tuple[bytes, str]] = {
    "noise": (_noise(4096), "The file is another one by mistake."),
    "every-byte": (bytes(range(256)), "Every value of a byte occurs."),
    "zero-bytes-100": (bytes(100), "A file system after a power cut leaves blocks of zero bytes."),
    "zero-byte-in-line": (b"0 1 7\n0 2\0 5\n0 3 5\n", "A zero byte ends a string in C."),
    "zero-byte-after-record": (b"0 1 7\0\n0 3 5\n", "A zero byte stands before a line end."),
    "elf": (b"\x7fELF\x02\x01\x01" + bytes(9) + _noise(200), "The file is a program."),
    "gzip": (b"\x1f\x8b\x08" + _noise(200), "The file is compressed."),
    "byte-order-mark": (b"\xef\xbb\xbf-1 5 8\n3 2 2\n", "Editors put a byte-order mark first."),
    "utf-16le": ("-1 5 8\n3 2 5\n".encode("utf-16-le"), "The file was saved as UTF-16."),
    "utf-16": (b"\xff\xfe" + "-1 5 8\n3 2 5\n".encode("utf-16-le"), "The file was saved as UTF-16 with its mark."),
    "no-break-space": ("3\u00a02\u00a05\n".encode(), "A no-break space is no blank here."),
    "ctrl-z": (b"0 1 7\n\x1a0 2 5\n", "In text mode Windows ends a file at Ctrl-Z."),
    "iku1-magic-alone": (MAGIC, "The magic of IKU1, and no header behind it."),
    "iku1-magic-then-text": (b"IKU1 5 8\n3 2 5\n", "A text file begins with the magic of the dense layout."),
    "iku1-magic-then-noise": (MAGIC + _noise(500), "Noise behind the magic declares huge dimensions."),
    "iku1-magic-reversed": (MAGIC[::-1] + bytes(172), "The other byte order begins with the magic backwards."),
}

_WORDS: dict[str, tuple[bytes, str]] = {
    "minus": (b"-\n", "A minus without digits."),
    "minus-minus": (b"--\n", "Two minuses are no number."),
    "minus-minus-1": (b"--1 5 8\n3 2 5\n", "Two minuses before a digit are no number."),
    "minus-blank-1": (b"- 1 5 8\n3 2 5\n", "A minus apart from its digits is no number."),
    "half-dimensions": (b"-1 5", "The file ends inside the dimensions record."),
    "half-identity": (b"-1 5 8\n-2", "The file ends inside the identity record."),
    "half-record": (b"3\n", "The file is one number."),
    "two-thirds-of-a-record": (b"3 2\n", "The file is two numbers."),
    "cr-alone": (b"\r", "A lone CR."),
    "cr-line-ends": (b"-1 5 8\r3 2 5\r4 1 8\r", "Very old systems ended lines with CR alone."),
    "form-feeds": (b"3\f2\v5\f4\v1\f8\n", "C takes form feeds and vertical tabs for white space."),
    "format-directives": (b"%n%n%n%s%s%s\n3 2 %d\n", "The file is never a format string."),
    "not-a-number": (b"nan inf -inf\n3 nan 5\n", "Some converters take words for numbers."),
    "hexadecimal": (b"0x3 0x2 0x5\n", "Some converters take hexadecimal numbers."),
    "octal": (b"03 02 010\n", "Leading zeros do not make a number octal."),
    "json": (b'{"n_layers": 5, "n_experts": 8, "counts": [[3, 2, 5]]}\n', "The file is JSON."),
    "commas": (b"3,2,5\n4,1,8\n", "The file is comma-separated."),
}


def _sizes(target: Target) -> dict[str, tuple[bytes, str]]:
    """Return input that is malformed by its size, of numbers, lines or the file, or by where it ends."""
    nines, zeros = b"9" * _LONG, b"0" * _LONG
    first, second, third = coli_spec.load().fields
    return {
        "digits-100000-layer": (nines + b" 0 1\n", "A layer of a hundred thousand digits."),
        "digits-100000-count": (b"0 0 " + nines + b"\n", "A count of a hundred thousand digits."),
        "digits-100000-negative": (b"-" + nines + b" 0 1\n", "A header record's number of as many digits."),
        "zeros-100000": (zeros + b"3 2 5\n", "Leading zeros without end."),
        "line-100000": (b"x" * _LONG, "One long line without a line end."),
        "fields-10000": (b"1 " * 10_000, "One line of ten thousand fields."),
        "malformed-lines-10000": (b"x\n" * 10_000, "Many lines, each malformed."),
        "header-alone": (history(target).text.encode(), "A header without a data record; a writer leaves zero bytes."),
        "headers-1000": (render([(-1, 5, 8), (-2, 1, 1)] * 1000).encode(), "A header a thousand times over."),
        "dimensions-at-the-ends": (
            render([(-1, second.minimum, third.maximum), (-1, second.maximum, third.maximum)]).encode(),
            "Dimensions at the ends of their ranges must not be multiplied or allocated.",
        ),
        "fields-at-the-ends": (
            render([(first.minimum, second.minimum, third.maximum), (0, 0, third.maximum)]).encode(),
            "Fields at the ends of their ranges.",
        ),
        "cut-everywhere": (
            b"".join(history(target, *inside(target, (3, 2, 5))).text.encode()[:end] + b"\n" for end in range(1, 30)),
            "Writes that were cut off, one behind the other.",
        ),
    }


def r17_not_text(target: Target) -> Iterator[Case]:
    """R17: bytes that are no text at all never crash or hang the engine."""
    for name, (content, why) in _NOT_TEXT.items():
        yield _survives(target, content).case(f"R17-{name}", why)


def r17_words(target: Target) -> Iterator[Case]:
    """R17: neither does text that is no record, or half of one."""
    for name, (content, why) in _WORDS.items():
        yield _survives(target, content).case(f"R17-{name}", why)


def r17_sizes(target: Target) -> Iterator[Case]:
    """R17: neither do numbers, lines and files beyond any size that was reckoned with."""
    for name, (content, why) in _sizes(target).items():
        # A reader without bounds may keep such a layer at the end of the range.
        roles = ("bounds",) if name == "digits-100000-layer" else ()
        yield _survives(target, content).case(f"R17-{name}", why, roles=roles)


def r17_far_outside(target: Target) -> Iterator[Case]:
    """R17: no record makes the engine touch memory outside its counters, however far out it points."""
    layers, experts = coli_spec.load().fields[:2]
    corners = [
        (layer, expert, 1)
        for layer in (target.n_layers, target.n_layers + 1, 65536, layers.maximum)
        for expert in (experts.minimum, -1, target.n_experts, 65536, experts.maximum)
    ]
    yield _survives(target, render(corners).encode()).case(
        "R17-far-outside", "Layer times row length passes 32 and 64 bits.", roles=("bounds",)
    )
    wrapping = [(1 << shift, 1 << (32 - shift), 1) for shift in range(1, 31)]
    yield _survives(target, render(wrapping).encode()).case(
        "R17-products-wrap", "Layer times expert wraps to zero in 32 bits.", roles=("bounds",)
    )
    beyond = [(layer, 0, 1) for layer in layers.beyond()] + [(0, expert, 1) for expert in experts.beyond()]
    yield _survives(target, render(beyond).encode()).case(
        "R17-beyond-the-ranges", "Numbers outside their fields lead a wrapping reader anywhere.", roles=("bounds",)
    )


def r17_typed_and_odd_paths(target: Target) -> Iterator[Case]:
    """R17: a typed path is no safer, and a path need not lead to a file."""
    for name in ("noise", "zero-byte-in-line", "iku1-magic-then-noise"):
        content, why = _NOT_TEXT[name]
        yield _survives(target, content, trusted=True).case(
            f"R17-{name}-trusted", f"By a typed path: {why}", roles=("trusted",)
        )
    session = Session(target)
    session.setup.append(SetupFile(".coli_usage", folder=True))
    session.say("load .coli_usage", "any")
    session.say("counts", "any")
    yield session.case("R17-folder", "A folder has the name of the history; it opens, and reading it fails.")


CLAUSES: tuple[Callable[[Target], Iterator[Case]], ...] = (
    r17_not_text,
    r17_words,
    r17_sizes,
    r17_far_outside,
    r17_typed_and_odd_paths,
)
