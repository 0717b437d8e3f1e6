"""Ctrl-C and its like: they end a run at any moment, but never halfway through what has to be done whole."""

from __future__ import annotations

import signal
import threading
from types import FrameType, TracebackType

INTERRUPTED = 130
"""Exit status of the suite after one of them."""

_SIGNALS = tuple(
    getattr(signal, name) for name in ("SIGINT", "SIGTERM", "SIGHUP") if getattr(signal, name, None) is not None
)
"""What a terminal, a CI that cancels a job, and a terminal that goes away send."""


class _Undisturbed:
    """A block that no interrupt cuts in two; one that comes meanwhile is raised at its end. Blocks may be nested.

    Only as short as a process takes to be started and noted, or a file to be written: until its end nothing answers
    to Ctrl-C. It has no effect where `raise_interrupts` was not called. After the first interrupt there is no other:
    everything is being ended already, and a second one would cut that short wherever it struck.
    """

    def __init__(self) -> None:
        self._depth = 0
        self._pending = False
        self._raised = False

    def begin(self) -> None:
        """Let the next interrupt be the first."""
        self._pending = self._raised = False

    def __enter__(self) -> None:
        self._depth += 1

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._depth -= 1
        if self._pending and not self._depth:
            self._pending = False
            self._raised = True
            raise KeyboardInterrupt

    def interrupt(self, _number: int, _frame: FrameType | None) -> None:
        """Raise KeyboardInterrupt, now or at the end of the block."""
        if self._raised:
            return
        if self._depth:
            self._pending = True
        else:
            self._raised = True
            raise KeyboardInterrupt


undisturbed = _Undisturbed()
"""The one there is: signals belong to the process."""


def raise_interrupts() -> None:
    """Let each of the signals raise KeyboardInterrupt in the main thread, but not within `undisturbed`.

    One that this process was told to ignore when it was started (`nohup`, a job in the background) stays ignored.
    """
    if threading.current_thread() is not threading.main_thread():
        return
    undisturbed.begin()
    for number in _SIGNALS:
        if signal.getsignal(number) is not signal.SIG_IGN:
            signal.signal(number, undisturbed.interrupt)


def ignore_interrupts() -> None:
    """Ignore them from here on: the run is being ended already, and that must not be cut short."""
    if threading.current_thread() is threading.main_thread():
        for number in _SIGNALS:
            signal.signal(number, signal.SIG_IGN)
