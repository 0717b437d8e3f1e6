"""What a transport gives to an engine: its environment, limits, signals, files and commands."""

from __future__ import annotations

import os

from coli_conformance.case import SetupFile
from tests.leftovers import MARK

from .playing import DRIVERS, case, observe, sound


def test_surroundings(mark: str) -> None:
    (seen,) = observe(mark, case("init tells_all 3 4", environment={"ROUTE_TRACE": "trace.txt"}))
    given = dict(line.split("=", 1) for line in seen.files["environment"].decode().splitlines())
    assert given == {
        "PATH": os.environ["PATH"],
        "LC_ALL": "C.UTF-8",
        "ROUTE_TRACE": "trace.txt",
        MARK: mark,
    }
    assert seen.files["limits"] == b"0 %d" % (256 * 1024 * 1024)
    assert seen.files["leads"] == b"True"


def test_file_size_limit_of_the_case(mark: str) -> None:
    (seen,) = observe(mark, case("init tells_all 3 4", limit=4096))
    assert seen.files["limits"] == b"0 4096"


def test_signals_are_as_a_shell_would_leave_them_but_for_the_limit(mark: str) -> None:
    driver = (str(DRIVERS / "ignored_signals.sh"),)
    plain, limited = observe(mark, case("save mask"), case("save mask", limit=4096), command=driver)
    sigpipe, sigxfsz = 1 << 12, 1 << 24  # bit n-1 of signals 13 and 25
    assert int(plain.files["mask"], 16) & (sigpipe | sigxfsz) == 0
    assert int(limited.files["mask"], 16) & (sigpipe | sigxfsz) == sigxfsz


def test_setup_is_laid_out_in_order(mark: str, roles: tuple[str, ...]) -> None:
    setup = (
        SetupFile("sub/old", data=b"\x00\xff"),
        SetupFile("link", link_to="sub/old"),
        SetupFile("empty", folder=True),
    )
    first, second = observe(mark, case("init a 3 4", "save link", setup=setup), sound(), roles=roles)
    # The link is a hard one: what is written through it is seen under the other name.
    assert first.files == {"sub/old": b"written\n", "link": b"written\n"}
    assert first.oddities.keys() == {"sub", "empty"}
    assert second.files == {"here": b"written\n"}


def test_commands_larger_than_a_pipe(mark: str, roles: tuple[str, ...]) -> None:
    (seen,) = observe(mark, case("init a 3 4", *["add 1 2 3"] * 50_000), roles=roles)
    assert seen.stdout == b"ok\n" * 50_001
