"""What is said of all the histories that an engine wrote: how many, which differ, the first ones shown."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence

from coli_conformance.compat.examined import Examined
from coli_conformance.compat.older_save import unknown_to_older_builds
from coli_conformance.compat.readers import Reader
from coli_conformance.compat.shown import history_lines
from coli_conformance.compat.written import WrittenFile
from coli_conformance.escape import shown_text
from coli_conformance.reports.lines import Line, line, wrapped

_SHOWN_FILES = 2


def engine_lines(
    name: str,
    files: Sequence[WrittenFile],
    examined: Mapping[bytes, Examined],
    readers: Sequence[Reader],
    reproduce: Callable[[str], str],
    width: int,
) -> Iterator[Line]:
    """Yield the summary, then the first histories that an old reader reads otherwise than meant.

    `examined` holds the contents of every file; `reproduce` returns the command that plays a case again.
    """
    names = ", ".join(reader.name for reader in readers)
    cases = len({file.case_id for file in files})
    yield from wrapped(
        f"{shown_text(name)} wrote {_histories(len(files))}, {len(examined)} of them distinct, in {cases} "
        f"case{'' if cases == 1 else 's'}. Read by {len(readers)} old readers: {names}.",
        width,
    )
    differing = [file for file in files if examined[file.data].differs]
    if differing:
        text = f"{len(differing)} of {_histories(len(files))} differ from what their lines mean."
        yield line((text, "bad"))
    else:
        yield line(("Every old reader recovers exactly the records and the totals that the lines mean.", "good"))
    yield from _told(files, examined, width)
    first_of_each = {file.data: file for file in reversed(differing)}
    for file in sorted(first_of_each.values(), key=differing.index)[:_SHOWN_FILES]:
        yield line()
        yield from history_lines(f"{file.case_id}, {file.path}", examined[file.data], width)
        yield line("  ", ("Again:  ", "faint"), (shown_text(reproduce(file.case_id)), "again"))


def _told(files: Sequence[WrittenFile], examined: Mapping[bytes, Examined], width: int) -> Iterator[Line]:
    """Yield what is told and not counted: undefined fields, and records that an older build's save erases."""
    undefined = [file for file in files if examined[file.data].undefined]
    if undefined:
        yield from wrapped(
            f"{_histories(len(undefined))} hold a number outside its C type, where old readers disagree; the first in "
            f"{undefined[0].case_id}.",
            width,
        )
    numbers = Counter(
        number
        for file in files
        for number in {record[0] for _, record in unknown_to_older_builds(examined[file.data].meant)}
    )
    for number, times in sorted(numbers.items(), reverse=True):
        yield from wrapped(
            f"{_histories(times)} hold the header record {number}: every old reader steps over it, and the next save "
            "of an older build erases it.",
            width,
        )


def _histories(number: int) -> str:
    return "1 history" if number == 1 else f"{number} histories"
