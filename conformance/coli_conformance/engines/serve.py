"""Serves a Python engine class over the driver protocol: `python -m coli_conformance.engines.serve
MODULE:CLASS`.

An engine class has an attribute `roles` and one method for each verb it knows: init(name, n_layers,
n_experts), drop(layer), route(layer, row, [(expert, gate), ...]), endcall(), add(layer, expert, count),
load(path) and trust(path) returning the total or None where refused, counts() giving (layer, expert, count)
triples, save(path), dense(path), pin(value) returning (path, trusted) or None, pairs(trace, out),
record(number, second, third); and close(), called at the end of input. A method that is missing or raises
NotImplementedError is `unsupported`. OSError and ValueError of the four that write are `error`. Every other
exception is a crash. What an engine prints is free text: it goes to standard error.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterable
from importlib import import_module
from pathlib import Path
from typing import Any, BinaryIO

from coli_conformance.engines.python_error import described
from coli_conformance.protocol import VERSION

Verb = Callable[..., Any]
Answer = Callable[[Verb, list[str]], str]


class UnusableClass(Exception):  # noqa: N818 - the name says what is true of the class
    """No engine can be made of what was named; the text is a sentence, with the file and the line where it has them."""


class _Malformed(Exception):  # noqa: N818 - it is no fault of the engine
    """The arguments of a command are not what its verb takes."""


def serve(engine_class: type[Any], lines_in: Iterable[bytes], out: BinaryIO) -> None:
    """Answer each command of `lines_in` on `out`, flushed, with one engine; end it when the input ends.

    Whatever the engine raises beyond what its answer has a word for comes out of here: a crash.
    """
    engine = engine_class()
    for line in lines_in:
        answer = _answer(engine, line.decode("ascii", "surrogateescape").rstrip("\r\n"))
        out.write(answer.encode("utf-8", "surrogateescape") + b"\n")
        out.flush()
    close = getattr(engine, "close", None)
    if close is not None:
        close()


def load_class(target: str) -> type[Any]:
    """Return the class that `MODULE:CLASS` names, also from the folder the suite was started in.

    Raises UnusableClass, with a sentence, where there is none or the module cannot be imported.
    """
    module_name, _, class_name = target.partition(":")
    if not module_name or not class_name:
        raise UnusableClass(
            f"`{target}` does not name a Python engine. Write MODULE:CLASS, such as my_engine:MyEngine."
        )
    here = str(Path.cwd())
    if here not in sys.path:
        sys.path.append(here)
    try:
        module = import_module(module_name)
    except (Exception, SystemExit) as error:
        if isinstance(error, ModuleNotFoundError) and error.name and f"{module_name}.".startswith(f"{error.name}."):
            raise UnusableClass(
                f"There is no Python module `{error.name}`. Start the suite in the folder it is in, or set PYTHONPATH."
            ) from error
        raise UnusableClass(f"The Python module `{module_name}` cannot be imported. {described(error)}") from error
    found = getattr(module, class_name, None)
    if isinstance(found, type):
        return found
    raise UnusableClass(f"The Python module `{module_name}` has no class `{class_name}`.")


def _answer(engine: Any, line: str) -> str:
    verb, *words = line.split(" ") if line else [""]
    if verb == "hello":
        return _hello(engine, words)
    answer = _ANSWERS.get(verb)
    method = getattr(engine, verb, None) if answer is not None else None
    if answer is None or method is None:
        return "unsupported"
    try:
        return answer(method, words)
    except NotImplementedError:
        return "unsupported"
    except _Malformed as problem:
        return f"error {problem}"


def _hello(engine: Any, words: list[str]) -> str:
    if words != [str(VERSION)]:
        return f"unsupported this driver speaks version {VERSION}"
    roles = getattr(engine, "roles", None)
    if isinstance(roles, (set, frozenset, list, tuple)) and all(isinstance(role, str) for role in roles):
        return " ".join(["ok", *sorted(roles)])
    has = "has no attribute `roles`" if roles is None else f"has {roles!a:.60} as its `roles`, which is no set of words"
    raise UnusableClass(f"The class `{type(engine).__name__}` {has}. Write roles = frozenset({{'load', 'save'}}).")


def _init(method: Verb, words: list[str]) -> str:
    name, n_layers, n_experts = _exactly(3, words)
    method(name, _number(n_layers), _number(n_experts))
    return "ok"


def _numbers(count: int) -> Answer:
    """Return the answer to a verb that takes `count` numbers and gives nothing back."""

    def answer(method: Verb, words: list[str]) -> str:
        method(*map(_number, _exactly(count, words)))
        return "ok"

    return answer


def _route(method: Verb, words: list[str]) -> str:
    if len(words) < 3:
        raise _Malformed("the command is `route LAYER ROW ID:GATE ID:GATE ...`")
    choices = [_choice(word) for word in words[2:]]
    method(_number(words[0]), _number(words[1]), choices)
    return "ok"


def _read(method: Verb, words: list[str]) -> str:
    total = method(*_exactly(1, words))
    return "refused" if total is None else f"ok {total}"


def _counts(method: Verb, words: list[str]) -> str:
    _exactly(0, words)
    return "\n".join([*(f"{layer} {expert} {count}" for layer, expert, count in method()), "ok"])


def _pin(method: Verb, words: list[str]) -> str:
    taken = method(*_exactly(1, words))
    if taken is None:
        return "ok"
    path, trusted = taken
    return f"ok {path} {'trusted' if trusted else 'untrusted'}"


def _writes(count: int, *, numbers: bool = False) -> Answer:
    """Return the answer to a verb that takes `count` words, or numbers, and may fail as writing does."""

    def answer(method: Verb, words: list[str]) -> str:
        arguments = [_number(word) if numbers else word for word in _exactly(count, words)]
        try:
            method(*arguments)
        except (OSError, ValueError) as error:
            return "error " + " ".join(str(error).split())
        return "ok"

    return answer


_ANSWERS: dict[str, Answer] = {
    "init": _init,
    "drop": _numbers(1),
    "route": _route,
    "endcall": _numbers(0),
    "add": _numbers(3),
    "load": _read,
    "trust": _read,
    "counts": _counts,
    "save": _writes(1),
    "dense": _writes(1),
    "pin": _pin,
    "pairs": _writes(2),
    "record": _writes(3, numbers=True),
}


def _exactly(count: int, words: list[str]) -> list[str]:
    if len(words) != count:
        raise _Malformed(f"this command takes {count} arguments, not {len(words)}")
    return words


def _number(word: str) -> int:
    try:
        return int(word)
    except ValueError:
        raise _Malformed(f"{word!a} is not a decimal number") from None


def _choice(word: str) -> tuple[int, float]:
    expert, colon, gate = word.partition(":")
    try:
        if colon:
            return int(expert), float(gate)
    except ValueError:
        pass
    raise _Malformed(f"{word!a} is not ID:GATE")


def main() -> None:
    """Serve the class named by the only argument on standard input and output."""
    # What the engine prints, and what a process prints that it starts, must not get between the answers.
    answers = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)
    sys.stdout = sys.stderr
    try:
        serve(load_class(sys.argv[1]), sys.stdin.buffer, answers)
    except UnusableClass as error:
        sys.exit(str(error))


if __name__ == "__main__":
    main()
