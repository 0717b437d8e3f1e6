"""Which history `PIN=` takes, and whether the read is trusted (P01-P03)."""

from pathlib import Path

FOUND_BY_ITSELF = (".coli_usage", "stats.txt")


def is_usable(path: str) -> bool:
    """Tell whether `path` is a file of more than zero bytes: an empty history has none (P01, P02)."""
    file = Path(path)
    return file.is_file() and file.stat().st_size > 0


def pin(value: str) -> tuple[str, bool] | None:
    """Return (path, trusted) of the history that `PIN=value` reads, or None when there is none.

    A path was typed by the user, so its read is trusted. `auto` takes the first usable history of the working
    folder, untrusted, because nobody vouched for it (P03).
    """
    if value != "auto":
        return value, True
    for path in FOUND_BY_ITSELF:
        if is_usable(path):
            return path, False
    return None
