"""Replacing a file as a whole: readers see the old bytes or the new, never a part (W16, W17, W20, W24)."""

import os
from errno import EINVAL
from pathlib import Path


def replace(path: str, data: bytes) -> None:
    """Make `path` hold `data` by writing a file of a unique name beside it and renaming that over it.

    A link stays: the file it points to is replaced. Raises OSError when `path` is not a regular file (a device would be
    gone), or when the folder, the disk or a limit does not allow it; the old file is then as it was, and nothing stays
    behind.
    """
    target = Path(os.path.realpath(path))
    if target.exists() and not target.is_file():
        raise OSError(EINVAL, "not a regular file; it is not replaced by a history", path)
    temporary = target.with_name(f"{target.name}.{os.getpid()}-{os.urandom(4).hex()}.tmp")
    file = temporary.open("xb")
    try:
        with file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        temporary.replace(target)
    finally:
        temporary.unlink(missing_ok=True)
