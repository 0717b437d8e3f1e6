"""A driver that is sound until a session is named after one of the faults below.

    faulty_driver.py [ROLE...]      the roles to claim, `load save` where none is given

Each function is one fault; its name is the session's name, and its docstring says what is wrong with it.
"""

import atexit
import os
import resource
import signal
import sys
import time
from pathlib import Path

FOREVER = 3600


def say(text: str) -> None:
    sys.stdout.write(text)
    sys.stdout.flush()


def exits_at_once() -> None:
    """Ends instead of answering."""
    os._exit(3)


def ends_badly() -> None:
    """Answers rightly, and ends with another exit status than 0 when its input does."""
    atexit.register(os._exit, 4)
    say("ok\n")


def hangs() -> None:
    """Never answers."""
    time.sleep(FOREVER)


def ignores_sigterm() -> None:
    """Never answers, and no signal that can be refused ends it."""
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    time.sleep(FOREVER)


def closes_streams() -> None:
    """Closes its output and stays."""
    os.close(1)
    os.close(2)
    time.sleep(FOREVER)


def leaves_its_group() -> None:
    """Moves to another process group and stays."""
    if os.fork():
        time.sleep(FOREVER)
    os.setpgid(0, 0)
    time.sleep(FOREVER)


def segfaults() -> None:
    """Dies of a signal."""
    os.kill(os.getpid(), signal.SIGSEGV)


def floods_stdout() -> None:
    """Writes to standard output without end."""
    while True:
        os.write(1, b"1 2 3\n" * 10_000)


def floods_stderr() -> None:
    """Writes to standard error without end."""
    while True:
        os.write(2, b"warning\n" * 10_000)


def grumbles() -> None:
    """Writes more to standard error than is kept, then answers."""
    os.write(2, b"first" + b"." * 300_000)
    say("ok\n")


def leaves_child() -> None:
    """Leaves a process that holds its streams open for ever."""
    if os.fork() == 0:
        time.sleep(FOREVER)
    say("ok\n")


def leaves_quiet_child() -> None:
    """Leaves a process of its group that holds nothing open."""
    if os.fork() == 0:
        for descriptor in (0, 1, 2):
            os.close(descriptor)
        time.sleep(FOREVER)
    say("ok\n")


def leaves_daemon() -> None:
    """Leaves a process in a session of its own that holds its streams open for ever."""
    if os.fork() == 0:
        os.setsid()
        if os.fork() == 0:
            time.sleep(FOREVER)
        os._exit(0)
    say("ok\n")


def leaves_quiet_daemon() -> None:
    """Leaves a process in a session of its own that holds nothing open."""
    if os.fork() == 0:
        os.setsid()
        for descriptor in (0, 1, 2):
            os.close(descriptor)
        time.sleep(FOREVER)
    say("ok\n")


def answers_garbage() -> None:
    """Answers what is no answer."""
    say("Hello there!\n")


def answers_twice() -> None:
    """Answers one command with two answers."""
    say("ok\nok\n")


def answers_half_a_line() -> None:
    """Ends in the middle of an answer."""
    say("o")
    os._exit(0)


def answers_crlf() -> None:
    """Ends its lines as Windows does, which is allowed."""
    say("ok\r\n")


def answers_at_length() -> None:
    """Answers more than a pipe holds, which is allowed."""
    say("1 2 3\n" * 100_000 + "ok\n")


def deletes_its_folder() -> None:
    """Removes its working folder."""
    Path.cwd().rmdir()
    say("ok\n")


def replaces_its_folder() -> None:
    """Puts another folder in the place of its working folder."""
    here = Path.cwd()
    here.rmdir()
    here.mkdir()
    say("ok\n")


def leaves_oddities() -> None:
    """Leaves what is not a regular file."""
    os.mkfifo("fifo")
    Path("link").symlink_to("/etc/passwd")
    Path("folder").mkdir()
    Path("folder/file").write_bytes(b"inside")
    Path("huge").touch()
    os.truncate("huge", 100 * 1024 * 1024)
    say("ok\n")


def locks_its_folder() -> None:
    """Takes every permission from its folder and one in it."""
    Path("folder").mkdir()
    Path("folder/file").write_bytes(b"")
    Path("folder").chmod(0)
    Path().chmod(0)
    say("ok\n")


def tells_all() -> None:
    """Writes down what it was given, which is no fault: environment, limits, and whether it leads its group."""
    limits = [resource.getrlimit(limit)[0] for limit in (resource.RLIMIT_CORE, resource.RLIMIT_FSIZE)]
    Path("environment").write_text("\n".join(sorted(f"{name}={value}" for name, value in os.environ.items())))
    Path("limits").write_text(" ".join(map(str, limits)))
    Path("leads").write_text(str(os.getpgid(0) == os.getpid()))
    say("ok\n")


def main() -> None:
    roles = sys.argv[1:] or ["load", "save"]
    for line in sys.stdin:
        verb, *words = line.split()
        if verb == "hello":
            say(" ".join(["ok", *roles]) + "\n")
        elif verb == "init" and words[0] in globals():
            globals()[words[0]]()
        elif verb == "save":
            Path(words[0]).write_text("written\n")
            say("ok\n")
        else:
            say("ok\n" if verb in ("init", "add") else "unsupported\n")


main()
