"""Numbers out of a block of text, many at a time."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

Integers = npt.NDArray[np.int64]
Bytes = npt.NDArray[np.uint8]
Bools = npt.NDArray[np.bool_]

MOST_DIGITS = 18
"""So many digits fit 64 bits whatever they are."""
_SMALL = 9
_ZERO = np.uint8(ord("0"))


def numbers(text: Bytes, ends: Integers, lengths: Integers) -> Integers:
    """Return the values of runs of ASCII digits, of 1 to MOST_DIGITS each, by offset behind the last and length."""
    longest = int(lengths.max(initial=1))
    type_: Any = np.int32 if longest <= _SMALL else np.int64
    values = (text[ends - 1] - _ZERO).astype(type_)
    for place in range(1, longest):
        has_digit = lengths > place
        if np.count_nonzero(has_digit) * 3 < len(ends):
            some = np.flatnonzero(has_digit)
            values[some] += (text[ends[some] - (place + 1)] - _ZERO).astype(type_) * type_(10**place)
        else:
            values += ((text[ends - (place + 1)] - _ZERO) * has_digit).astype(type_) * type_(10**place)
    return values.astype(np.int64)
