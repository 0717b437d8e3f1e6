"""Says of an exception out of a Python engine where in the user's files it came from, and what it was."""

from __future__ import annotations

from pathlib import Path

_SUITE = str(Path(__file__).parents[1])


def described(error: BaseException) -> str:
    """Return such as `my_engine.py:12: ValueError: no such model`; with no place where no file of the user is in it.

    The place is the innermost one outside this suite and the import machinery; the text is the last line of the error.
    """
    import traceback  # noqa: PLC0415 - an engine starts without it for every case, and most never need it

    place = ""
    if isinstance(error, SyntaxError) and error.filename:
        place = f"{error.filename}:{error.lineno}: "
    else:
        frames = traceback.extract_tb(error.__traceback__)
        users = [frame for frame in frames if not frame.filename.startswith((_SUITE, "<frozen "))]
        if users:
            place = f"{users[-1].filename}:{users[-1].lineno}: "
    return f"{place}{' '.join(traceback.format_exception_only(error)[-1].split())}"
