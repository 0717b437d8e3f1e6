"""Who wrote a history: engine ids as hashes, and back to names where the registry knows them (W07, R18)."""

import functools

FNV_OFFSET_BASIS = 2166136261
FNV_PRIME = 16777619


def engine_id(name: str) -> int:
    """Return the 32-bit FNV-1a hash of the bytes of `name`, in 0..4294967295 (W07)."""
    value = FNV_OFFSET_BASIS
    for byte in name.encode():
        value = (value ^ byte) * FNV_PRIME % 2**32
    return value


@functools.cache
def _names_by_id() -> dict[int, str]:
    import coli_spec  # noqa: PLC0415 - the declaration is read only when a message needs a name

    return {engine_id(engine.name): engine.name for engine in coli_spec.load().engines}


def name_of(number: int) -> str | None:
    """Return the registered name whose id is `number`, or None when no registered engine has it (R18)."""
    return _names_by_id().get(number)


def described(number: int | None) -> str:
    """Return words for the writer with the id `number`; None: the history names no writer (R18)."""
    if number is None:
        return "an engine it does not name"
    return name_of(number) or f"an unknown engine (id {number})"
