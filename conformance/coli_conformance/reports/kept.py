"""Failing cases kept as folders, each ready to be run by hand: `./driver < session.txt`."""

from __future__ import annotations

import json
import re
import shutil
from collections import defaultdict
from pathlib import Path, PurePosixPath

from coli_conformance.case import Case
from coli_conformance.corpus.vectors import to_json
from coli_conformance.judge.observation import Observation
from coli_conformance.judge.verdict import Result
from coli_conformance.protocol import VERSION
from coli_conformance.reports.output import OutputError

_UNSAFE = re.compile(r"[^A-Za-z0-9_.~@+-]")


def session_text(case: Case) -> str:
    """Return the whole input of a driver in `case`: `hello`, then its steps, a line each."""
    return "".join(f"{command}\n" for command in (f"hello {VERSION}", *case.steps))


def lay_out(case: Case, folder: Path) -> None:
    """Make in `folder` what lies in the working folder before the engine starts."""
    for item in case.setup:
        path = folder / item.path
        path.parent.mkdir(parents=True, exist_ok=True)
        if item.data is not None:
            path.write_bytes(item.data)
        elif item.link_to is not None:
            path.hardlink_to(folder / item.link_to)
        else:
            path.mkdir(exist_ok=True)


class Keeper:
    """Keeps failing cases in one folder, which is made where it does not exist."""

    def __init__(self, folder: Path) -> None:
        """Raises OutputError where `folder` cannot be made, or has something in it that could be lost."""
        self._folder = folder
        self._kept: defaultdict[str, list[Path]] = defaultdict(list)
        try:
            folder.mkdir(parents=True, exist_ok=True)
            if any(folder.iterdir()):
                raise OutputError(f"{folder}: the folder to keep cases in is not empty; name one that is empty or new.")
        except OSError as error:
            raise OutputError(
                f"{folder}: no cases can be kept here ({error.strerror}); name another folder."
            ) from error

    def keep(self, case: Case, result: Result, observation: Observation | None) -> None:
        """Write the folder of one failing case; one that failed before gets another folder. Raises OutputError."""
        name = folder_name(case.id)
        round_number = 1
        while (folder := self._folder / (name if round_number == 1 else f"{name}.{round_number}")).exists():
            round_number += 1
        try:
            folder.mkdir()
            self._kept[case.id].append(folder)
            self._write(folder, case, result, observation)
        except OSError as error:
            raise OutputError(f"{folder}: the case could not be kept ({error.strerror}).") from error

    def discard(self, case: Case) -> None:
        """Remove what was kept of a case, which was found not to be a failing one."""
        for folder in self._kept.pop(case.id, ()):
            shutil.rmtree(folder, ignore_errors=True)

    def _write(self, folder: Path, case: Case, result: Result, observation: Observation | None) -> None:
        lay_out(case, folder)
        (folder / "session.txt").write_text(session_text(case), encoding="ascii")
        verdict = {
            "status": result.status.word,
            "broken": list(result.broken),
            "findings": [f"{finding.clause}: {finding.sentence}" for finding in result.findings],
            "detail": result.detail,
        }
        text = json.dumps({"case": to_json(case), "result": verdict}, indent=1) + "\n"
        (folder / "case.json").write_text(text, encoding="ascii")
        if observation is None:
            return
        (folder / "stdout.txt").write_bytes(observation.stdout)
        (folder / "stderr.txt").write_bytes(observation.stderr)
        after = folder / "after"
        after.mkdir()
        for path, data in observation.files.items():
            if PurePosixPath(path).is_absolute() or ".." in PurePosixPath(path).parts:
                continue
            target = after / path
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_bytes(data)


def folder_name(case_id: str) -> str:
    """Return `case_id` as the name of a folder: what a shell or a file system may take amiss becomes `_`."""
    return _UNSAFE.sub("_", case_id)
