"""Reading a history: first the whole file is checked, then its records are credited, so that a refused one changes
nothing (R07, R20).
"""

import os
import re
import struct
from pathlib import Path
from typing import BinaryIO

from engine import FORMAT_VERSION, Engine, id_of, say

KNOWN = ("glm_moe_dsa", "inkling", "olmoe", "kimi_k3", "qwen38", "deepseek_v4", "glm53")
INT32 = range(-(2**31), 2**31)
UINT32 = range(2**32)

LINE = re.compile(rb"[ \t]*(-?[0-9]+)[ \t]+(-?[0-9]+)[ \t]+([0-9]+)[ \t]*\r?")
BLANK = re.compile(rb"[ \t]*\r?")
MOST_DIGITS = 30
"""A number of more digits is out of every range, unless they are zeros; int() takes long over thousands of them."""


class RefusedError(Exception):
    """A history that is not read, and why, in words for the user."""


def read(engine: Engine, path: str, trusted: bool) -> int | None:
    """Read a history into the counters. `trusted`: the user typed the path.

    Return the total of the accepted records, or None where the file was refused; the reason is told then.
    """
    try:
        records = accepted(engine, path, trusted)
    except RefusedError as refused:
        say("USAGE", f"{path}: refusing: {refused}")
        engine.refused.add(os.path.realpath(path))
        return None
    return sum(count for layer, expert, count in records if engine.credit(layer, expert, count))  # R09


def accepted(engine: Engine, path: str, trusted: bool) -> list[tuple[int, int, int]]:
    """Return the data records of a file that passes every check; raise RefusedError where it does not."""
    try:
        with Path(path).open("rb") as file:
            data = file.read(4)
            if data == b"IKU1":
                return iku1(engine, file, path, trusted)
            data += file.read()
    except FileNotFoundError:
        return []  # a missing history is an empty one (R24)
    except OSError as error:
        raise RefusedError(f"it cannot be read ({error.strerror})") from error
    records = parse(data)
    check_header(engine, records, path, trusted)
    return [record for record in records if record[0] >= 0]


def parse(data: bytes) -> list[tuple[int, int, int]]:
    """Return the records up to the end, or to the first line that is none: reading stops there (R23)."""
    records = []
    for line in data.split(b"\n"):
        found = LINE.fullmatch(line)
        if found is None:
            if BLANK.fullmatch(line):
                continue  # R12
            break
        texts = [text.lstrip(b"0") if len(text) > MOST_DIGITS else text for text in found.groups()]
        if any(len(text) > MOST_DIGITS for text in texts):
            break
        first, second, third = (int(text or b"0") for text in texts)
        if first not in INT32 or second not in INT32 or third not in UINT32:
            break  # never another number (R21)
        records.append((first, second, third))
    return records


def check_header(engine: Engine, records: list[tuple[int, int, int]], path: str, trusted: bool) -> None:
    """Check every -1 and -2, wherever they stand; records from -3 down are skipped (R02-R06, R20)."""
    dimensions = [record[1:] for record in records if record[0] == -1]
    identities = [record[1:] for record in records if record[0] == -2]
    writer = writer_of(engine, identities[0][1]) if identities else "an engine it does not name"
    for version, _ in identities:
        if version != FORMAT_VERSION:
            raise RefusedError(
                f"written by {writer} in format version {version}, this engine, {engine.name}, reads {FORMAT_VERSION}"
            )
    for n_layers, n_experts in dimensions:
        check_dimensions(engine, n_layers, n_experts, writer)
    for _, number in identities:
        check_identity(engine, number, path, trusted)


def check_dimensions(engine: Engine, n_layers: int, n_experts: int, writer: str) -> None:
    """Raise RefusedError for other dimensions; trust does not relax this one (R03, I03)."""
    if (n_layers, n_experts) != (engine.n_layers, engine.n_experts):
        raise RefusedError(
            f"written by {writer} for {n_layers} layers of {n_experts} experts, this engine, {engine.name}, has "
            f"{engine.n_layers} of {engine.n_experts}"
        )


def check_identity(engine: Engine, number: int, path: str, trusted: bool) -> None:
    """Raise RefusedError for another engine's id, unless the user typed the path; that is told once (R19)."""
    if number == id_of(engine.name):
        return
    sides = f"written by {writer_of(engine, number)}, this engine is {engine.name}"
    if not trusted:
        raise RefusedError(f"{sides}; pass PIN={path} to use it anyway")
    if not Engine.override_told:
        say("USAGE", f"{path}: {sides}; using it, its path was typed")
        Engine.override_told = True


def writer_of(engine: Engine, number: int) -> str:
    """Return the writer in words: by name where the id is known (R18)."""
    names = {id_of(name): name for name in (*KNOWN, engine.name)}
    return names.get(number, f"an unknown engine (id {number})")


def iku1(engine: Engine, file: BinaryIO, path: str, trusted: bool) -> list[tuple[int, int, int]]:
    """Return the records of an IKU1 file; `file` stands behind the magic.

    The dimensions are compared before anything is read, however huge they are (I05).
    """
    head = file.read(8)
    if len(head) < 8:
        raise RefusedError(f"written by inkling, this engine is {engine.name}; it is cut in its header")
    n_layers, n_experts = struct.unpack("<II", head)
    check_dimensions(engine, n_layers, n_experts, "inkling")
    size = 4 * engine.n_layers * engine.n_experts  # it has no row for the MTP head
    block = file.read(size)
    if len(block) < size:
        raise RefusedError(f"written by inkling, this engine is {engine.name}; it is cut, {len(block)} bytes of {size}")
    check_identity(engine, id_of("inkling"), path, trusted)
    cells = enumerate(count for (count,) in struct.iter_unpack("<I", block))
    return [(*divmod(cell, engine.n_experts), count) for cell, count in cells if count]
