"""Replacing a file as a whole: readers see the old bytes or the new, never a part (W16, W17, W20, W24)."""

import os
from pathlib import Path


def replace(path: str, data: bytes) -> None:
    """Make `path` hold `data` by writing a file of a unique name beside it and renaming that over it.

    Raises OSError when the folder, the disk or a limit does not allow it; the old file is then as it was, and
    nothing stays behind.
    """
    temporary = Path(f"{path}.{os.getpid()}-{os.urandom(4).hex()}.tmp")
    file = temporary.open("xb")
    try:
        with file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        temporary.replace(path)
    finally:
        temporary.unlink(missing_ok=True)
