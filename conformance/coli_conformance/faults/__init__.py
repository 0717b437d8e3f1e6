"""Engines that are wrong on purpose, each in one way, by which the suite proves that it can fail."""

import functools
import re
from importlib import import_module

from coli_reference.engine import ReferenceEngine

_MODULES = (
    *("writer_form", "writer_header", "writer_counters", "writer_saving"),
    *("reader_text", "reader_header", "reader_refusal", "reader_admission", "reader_malformed"),
    *("iku1", "trace_lines", "trace_gates", "trace_effects", "placement", "pairs"),
    *("narrow_reading", "narrow_iku1", "narrow_tracing", "narrow_pairs", "reader_layouts", "reader_under_trust"),
    *("pairs_sessions", "pairs_lenient"),
    *("states_of_readers", "states_of_writers"),
    *("states_of_traces", "large_in_tracing", "states_of_placement"),
    *("long_sessions", "close_numbers", "paths_and_bytes"),
)


@functools.cache
def all_faults() -> dict[str, type[ReferenceEngine]]:
    """Return every faulty engine by its kebab-case name, in the order of the areas."""
    from coli_conformance.faults.faulty_engine import Fault  # noqa: PLC0415 - the engines are read only when asked for

    faults: dict[str, type[ReferenceEngine]] = {}
    for name in _MODULES:
        module = import_module(f"{__name__}.{name}")
        for value in vars(module).values():
            if isinstance(value, type) and issubclass(value, Fault) and "breaks" in vars(value):
                faults[_kebab(value.__name__)] = value
    return faults


def fault(name: str) -> type[ReferenceEngine]:
    """Return the faulty engine with this kebab-case name; raise KeyError with a sentence where there is none."""
    try:
        return all_faults()[name]
    except KeyError:
        raise KeyError(f"there is no fault {name!r}; the names are those that `all_faults` lists") from None


def breaks(engine: type[ReferenceEngine]) -> tuple[str, ...]:
    """Return the clauses a faulty engine breaks, the one it is about first; none for an engine that is no fault."""
    from coli_conformance.faults.faulty_engine import Fault  # noqa: PLC0415 - the engines are read only when asked for

    return engine.breaks if issubclass(engine, Fault) else ()


def _kebab(class_name: str) -> str:
    """Return `HashInSecondField` as `hash-in-second-field`."""
    return re.sub(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])", "-", class_name).lower()
