"""What an engine has mounted in its folder: nothing behind it is the suite's to read or to remove."""

from __future__ import annotations

import re
from pathlib import Path

_TABLE = Path("/proc/self/mountinfo")
_MOUNT_POINT = 4
_ESCAPED = re.compile(r"\\([0-7]{3})")


def mounts_below(folder: str) -> frozenset[str]:
    """Return the mount points below `folder`, an absolute path; none where the system does not tell (not Linux).

    A folder of the same disk can be mounted as well, which its device does not show: so the table is asked.
    """
    try:
        lines = _TABLE.read_text(errors="surrogateescape").splitlines()
    except OSError:
        return frozenset()
    points = (_ESCAPED.sub(lambda code: chr(int(code[1], 8)), line.split(" ")[_MOUNT_POINT]) for line in lines)
    return frozenset(point for point in points if point.startswith(f"{folder}/"))
