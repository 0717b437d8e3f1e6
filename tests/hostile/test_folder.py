"""Engines that make a mess of their folder, or of the disk."""

from __future__ import annotations

import dataclasses
import os
from pathlib import Path

import pytest

from coli_conformance.engines import folder, mounts, removal
from coli_conformance.engines.limits import DEFAULT_LIMITS, MIB
from coli_conformance.judge.verdict import Status

from .playing import between_sound


def test_files_in_another_folder_are_not_there(mark: str, roles: tuple[str, ...]) -> None:
    result, seen = between_sound(mark, "goes_elsewhere", roles=roles)
    assert result.status is Status.FAIL
    assert seen.files == {"elsewhere/here": b"written\n"}


def test_engine_that_removes_every_folder_costs_its_own_case(mark: str, roles: tuple[str, ...]) -> None:
    result, seen = between_sound(mark, "removes_all_folders", roles=roles)
    assert result.status in {Status.FAIL, Status.CRASH}
    assert "." in seen.oddities


def test_full_disk_is_forestalled_and_named(mark: str, roles: tuple[str, ...]) -> None:
    limits = dataclasses.replace(DEFAULT_LIMITS, folder=32 * MIB)
    result, _ = between_sound(mark, "writes_without_end", roles=roles, limits=limits)
    assert result.status is Status.CRASH
    assert "32 MiB" in result.detail
    assert "`folder`" in result.detail


def test_history_of_ten_gigabytes_is_cut_short_and_named(mark: str, greedy: Path) -> None:
    result, seen = between_sound(mark, "writes_ten_gigabytes", command=(str(greedy),))
    assert result.status is Status.CRASH
    assert "256 MiB" in result.detail
    assert "`file`" in result.detail
    assert seen.files == {}


def test_too_many_files_are_named(mark: str) -> None:
    result, _ = between_sound(mark, "crowds_its_folder")
    assert result.status is Status.CRASH
    assert "10000 entries" in result.detail


def test_folders_deeper_than_a_path_are_removed(mark: str, roles: tuple[str, ...]) -> None:
    result, seen = between_sound(mark, "nests_folders", roles=roles)
    assert result.status is Status.PASS
    assert any("too deep" in word for word in seen.oddities.values())


@pytest.mark.parametrize(
    ("fault", "word"), [("leaves_a_fifo", "FIFO"), ("leaves_a_link", "symbolic link"), ("leaves_a_folder", "folder")]
)
def test_what_stands_for_a_file_is_named_and_not_read(mark: str, roles: tuple[str, ...], fault: str, word: str) -> None:
    result, seen = between_sound(mark, fault, roles=roles)
    assert result.status is Status.FAIL
    assert word in result.detail
    assert seen.files == {}


def test_file_that_nobody_may_read(mark: str, roles: tuple[str, ...]) -> None:
    result, _ = between_sound(mark, "leaves_a_locked_file", roles=roles)
    # The superuser may read it all the same, and then it is right.
    assert result.status is (Status.PASS if os.geteuid() == 0 else Status.FAIL)


def test_table_of_mounts_is_read(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    table = tmp_path / "mountinfo"
    table.write_text(
        "22 1 8:1 / / rw - ext4 disk rw\n"
        "40 22 8:1 /home /folders/1/with\\040blank rw - ext4 disk rw\n"
        "41 22 8:1 /home /folders/10 rw - ext4 disk rw\n"
    )
    monkeypatch.setattr(mounts, "_TABLE", table)
    assert mounts.mounts_below("/folders/1") == {"/folders/1/with blank"}
    monkeypatch.setattr(mounts, "_TABLE", tmp_path / "none")
    assert mounts.mounts_below("/folders/1") == frozenset()


def test_what_is_mounted_is_neither_read_nor_removed(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    folders = folder.CaseFolders()
    made = Path(folders.make())
    (made / "mounted").mkdir()
    (made / "mounted" / "precious").write_text("kept\n")
    (made / "file").write_text("seen\n")
    with monkeypatch.context() as system:
        for module in (folder, removal):
            system.setattr(module, "mounts_below", lambda _: frozenset({str(made / "mounted")}))
        contents = folder.take(str(made), folder.identity(str(made)))
        folders.close()
    assert contents.files == {"file": b"seen\n"}
    assert contents.oddities == {"mounted": "a mount point, which is left as it is"}
    assert not contents.emptied
    assert (made / "mounted" / "precious").read_text() == "kept\n"
    assert f"the temporary folder {made.parent} could not be removed" in capsys.readouterr().err
    removal.remove(str(made.parent))
