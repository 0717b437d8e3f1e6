"""A Python engine in this very process: quick, and a debugger can step into it; nothing protects the suite from it."""

from __future__ import annotations

import io
import os
import traceback
from collections.abc import Generator, Iterable, Iterator, Mapping
from contextlib import contextmanager, redirect_stderr, redirect_stdout
from types import TracebackType
from typing import Any, Self

from coli_conformance.case import Case
from coli_conformance.engines import folder
from coli_conformance.engines.conversation import commands
from coli_conformance.engines.folder import CaseFolders
from coli_conformance.engines.greeting import HELLO, claimed_roles, ignored_words
from coli_conformance.engines.invocation import scrubbed
from coli_conformance.engines.limits import file_size_limit
from coli_conformance.engines.process import STDERR_KEPT
from coli_conformance.engines.python_error import described
from coli_conformance.engines.removal import remove
from coli_conformance.engines.serve import UnusableClass, serve
from coli_conformance.engines.transport import EngineDescription, EngineUnusable
from coli_conformance.judge.observation import Ending, Observation

_CRASHED = 1


class InProcess:
    """Plays each case with a fresh instance of an engine class. There is no time limit and nothing is started."""

    spawns = 0

    def __init__(self, engine_class: type[Any], name: str, environment: Mapping[str, str]) -> None:
        self._engine_class = engine_class
        self._environment = scrubbed(environment)
        self._folders = CaseFolders()
        try:
            roles, ignored = self._greeted(name)
        except BaseException:
            self._folders.close()
            raise
        command = (f"{engine_class.__module__}:{engine_class.__qualname__}",)
        self.description = EngineDescription(name, command, roles, "in this process", ignored=ignored)

    def _greeted(self, name: str) -> tuple[frozenset[str], tuple[str, ...]]:
        """Return the roles that an engine claims, and the words that are none. Raises EngineUnusable."""
        out = io.BytesIO()
        path = self._folders.make()
        try:
            with _standing_in(path), _environment(self._environment), _printing_to(io.StringIO()):
                serve(self._as_in_a_new_process(), [HELLO], out)
        except UnusableClass as error:
            raise EngineUnusable(str(error)) from error
        except (Exception, SystemExit) as error:
            raise EngineUnusable(f"The class `{name}` cannot be started. {described(error)}") from error
        finally:
            remove(path)
        roles = claimed_roles(out.getvalue()) or frozenset()
        if not roles:
            raise EngineUnusable(
                f"The class `{name}` claims no role that this suite knows. "
                "Give it an attribute, such as roles = frozenset({'load', 'save'})."
            )
        return roles, ignored_words(out.getvalue())

    def _as_in_a_new_process(self) -> type[Any]:
        """Return a class of its own, so that what an engine keeps on its class is forgotten after the case (R19)."""
        return type(self._engine_class.__name__, (self._engine_class,), {})

    def play(self, cases: Iterable[Case]) -> Generator[tuple[Case, Observation], None, None]:
        """Play every case in the order given. See `Transport.play`."""
        for case in cases:
            yield case, self._observe(case)

    def close(self) -> None:
        """Remove every folder."""
        self._folders.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def _observe(self, case: Case) -> Observation:
        out = io.BytesIO()
        err = io.StringIO()
        exit_status = 0
        path = ""
        try:
            path = self._folders.make()
            identity = folder.identity(path)
            folder.fill(path, case.setup)
        except OSError as error:
            detail = f"The folder of the case could not be made: {error}."
            return Observation(b"", ending=Ending.NOT_STARTED, exit_status=None, detail=detail)
        try:
            with (
                _standing_in(path),
                _environment({**self._environment, **case.environment}),
                _printing_to(err),
                file_size_limit(case.file_size_limit),
            ):
                try:
                    serve(self._as_in_a_new_process(), io.BytesIO(commands(case)), out)
                except (Exception, SystemExit):  # noqa: BLE001 - whatever the engine raises is its crash
                    traceback.print_exc()
                    exit_status = _CRASHED
            contents = folder.take(path, identity)
        finally:
            remove(path)
        return Observation(
            stdout=out.getvalue(),
            stderr=err.getvalue().encode("utf-8", "backslashreplace")[:STDERR_KEPT],
            exit_status=exit_status,
            files=contents.files,
            oddities=contents.oddities,
        )


@contextmanager
def _standing_in(path: str) -> Iterator[None]:
    """Make `path` the working folder, and put the caller's back, also where its name has changed meanwhile."""
    home = os.open(".", os.O_RDONLY | os.O_DIRECTORY)
    try:
        os.chdir(path)
        yield
    finally:
        os.fchdir(home)
        os.close(home)


@contextmanager
def _printing_to(err: io.StringIO) -> Iterator[None]:
    """Take what is printed, to either stream, as standard error."""
    with redirect_stderr(err), redirect_stdout(err):
        yield


@contextmanager
def _environment(environment: Mapping[str, str]) -> Iterator[None]:
    """Make `environment` all there is in os.environ, and put the caller's back."""
    before = dict(os.environ)
    try:
        _become(environment)
        yield
    finally:
        _become(before)


def _become(wanted: Mapping[str, str]) -> None:
    """Change os.environ where it is not as wanted: mostly nowhere, and setting a variable takes long."""
    present = dict(os.environ)
    for name in present.keys() - wanted.keys():
        del os.environ[name]
    for name, value in wanted.items() - present.items():
        os.environ[name] = value
