"""The example dashboard with one thing wrong with it: `faulty_dashboard.py EXAMPLE_FOLDER FAULT FILE`."""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Callable
from importlib import import_module

folder, fault, path = sys.argv[1:]
sys.path.insert(0, folder)

dashboard = import_module("dashboard")
sound: Callable[[bytes], Counter[tuple[int, int]]] = dashboard.read


def stops_at_an_unknown_record(data: bytes) -> Counter[tuple[int, int]]:
    """Take a record of a type it does not know for the end of the file."""
    return sound(data.partition(b"-3 ")[0])


def crashes_on_an_empty_file(data: bytes) -> Counter[tuple[int, int]]:
    """Work out the share of the first byte's record before looking whether there is one."""
    return sound(data) if data[0] else Counter()


faulty = {"stops": stops_at_an_unknown_record, "crashes": crashes_on_an_empty_file}[fault]
dashboard.__dict__["read"] = faulty
sys.exit(dashboard.main(["--dump", path]))
