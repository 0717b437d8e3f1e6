"""Waiting for many descriptors at once, each with the function that deals with it."""

from __future__ import annotations

import math
import select
from collections.abc import Callable

READABLE = select.POLLIN
WRITABLE = select.POLLOUT


class Events:
    """A set of watched descriptors. A handler runs when its descriptor is ready, has hung up or is in error."""

    def __init__(self) -> None:
        self._poll = select.poll()
        self._handlers: dict[int, Callable[[], object]] = {}

    def watch(self, descriptor: int, mask: int, handler: Callable[[], object]) -> None:
        """Call `handler` whenever `descriptor` is ready for what `mask` says (READABLE, WRITABLE)."""
        self._handlers[descriptor] = handler
        self._poll.register(descriptor, mask)

    def forget(self, descriptor: int) -> None:
        """Stop watching; called before the descriptor is closed."""
        del self._handlers[descriptor]
        self._poll.unregister(descriptor)

    def wait(self, seconds: float) -> None:
        """Wait for at most `seconds` (not at all if negative) and run the handlers of what is ready."""
        for descriptor, _ in self._poll.poll(max(0, math.ceil(seconds * 1000))):
            # An earlier handler of this round may have closed this one's descriptor.
            handler = self._handlers.get(descriptor)
            if handler is not None:
                handler()
