"""A driver that is sound until a session is named after one of the faults below.

    hostile.py [ROLE...]      the roles to claim, `load save` where none is given

Each function is one fault; its name is the session's name, and its docstring says what is wrong with it.
"""

import atexit
import contextlib
import errno
import os
import shutil
import signal
import sys
import time
from pathlib import Path

FOREVER = 3600
MIB = 1024 * 1024


def say(text: bytes) -> None:
    sys.stdout.buffer.write(text)
    sys.stdout.buffer.flush()


def child() -> bool:
    """Start a process and tell whether this is it."""
    return os.fork() == 0


# Ends


def dies_of_segv() -> None:
    """Dies as of a bad pointer."""
    os.kill(os.getpid(), signal.SIGSEGV)


def dies_of_abrt() -> None:
    """Dies as of a failed assertion."""
    os.abort()


def dies_of_fpe() -> None:
    """Dies as of a division by zero."""
    os.kill(os.getpid(), signal.SIGFPE)


def dies_of_kill() -> None:
    """Dies as where the system is out of memory."""
    os.kill(os.getpid(), signal.SIGKILL)


def hangs_at_the_start() -> None:
    """Never answers the first command, and no signal that can be refused ends it."""
    for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
        signal.signal(number, signal.SIG_IGN)
    time.sleep(FOREVER)


def hangs_in_the_middle() -> None:
    """Answers one command, and no more."""
    say(b"ok\n")
    time.sleep(FOREVER)


def hangs_at_the_end() -> None:
    """Answers all, and goes on when its input has ended."""
    atexit.register(time.sleep, FOREVER)
    say(b"ok\n")


def stops_itself() -> None:
    """Is stopped, as Ctrl-Z would do it."""
    os.kill(os.getpid(), signal.SIGSTOP)


# Processes


def leaves_hundred_children() -> None:
    """Leaves a hundred processes of its group, which hold its streams open."""
    for _ in range(100):
        if child():
            time.sleep(FOREVER)
    say(b"ok\n")


def leaves_hundred_sessions() -> None:
    """Leaves a hundred processes, each in a session of its own."""
    for _ in range(100):
        if child():
            os.setsid()
            time.sleep(FOREVER)
    say(b"ok\n")


def has_hundred_children() -> None:
    """Starts a hundred processes and stays."""
    for _ in range(100):
        if child():
            break
    time.sleep(FOREVER)


def has_hundred_orphans() -> None:
    """Starts a hundred processes whose parents are gone, in groups of their own, and stays."""
    for _ in range(100):
        if child():
            os.setpgid(0, 0)
            if child():
                time.sleep(FOREVER)
            os._exit(0)
    time.sleep(FOREVER)


def hides_in_the_group_of_the_suite() -> None:
    """Leaves a process that tries to pass for one of the suite's own."""
    group = os.getpgid(os.getppid())
    if child():
        with contextlib.suppress(PermissionError):
            os.setpgid(0, group)
        for descriptor in (0, 1, 2):
            os.close(descriptor)
        time.sleep(FOREVER)
    say(b"ok\n")


def leaves_a_late_answer() -> None:
    """Leaves a process that answers when the case is long over."""
    if child():
        os.setsid()
        time.sleep(0.2)
        say(b"ok\nok\n")
        os._exit(0)
    say(b"ok\n")


def opens_the_terminal() -> None:
    """Answers rightly only where there is no terminal to write to behind the back of the suite."""
    try:
        os.open("/dev/tty", os.O_WRONLY)
    except OSError as error:
        say(b"ok\n" if error.errno in (errno.ENXIO, errno.ENOENT) else b"error\n")
    else:
        say(b"error there is a terminal\n")


# Output


def closes_its_output() -> None:
    """Answers one command, closes its output and ends well."""
    say(b"ok\n")
    os.close(1)
    sys.stdin.read()
    os._exit(0)


def answers_ahead() -> None:
    """Answers the next command before it has read it, and does nothing for it."""
    say(b"ok\nok\n")
    sys.stdin.readline()


def answers_afterwards() -> None:
    """Answers two commands when both are done, which is allowed: their order is all that can be seen."""
    Path(sys.stdin.readline().split()[1]).write_text("written\n")
    say(b"ok\nok\n")


def answers_in_pieces() -> None:
    """Writes each byte for itself, which is allowed."""
    for byte in b"ok\r\n":
        say(bytes([byte]))
        time.sleep(0.002)


def answers_nul() -> None:
    """Writes a NUL."""
    say(b"\0ok\n")


def answers_no_text() -> None:
    """Writes what is no UTF-8."""
    say(b"\xff\xfe\xc0\x80ok\n")


def answers_escapes() -> None:
    """Writes what clears a terminal and sets its title."""
    say(b"\x1b[2J\x1b]0;owned\x07ok\n")


def answers_markup() -> None:
    """Writes what a page or a terminal library might take for its own."""
    say(b"<script>alert(1)</script>[bold red]ok\n")


# The folder


def goes_elsewhere() -> None:
    """Changes its working folder, so that its files are not where they should be."""
    Path("elsewhere").mkdir()
    os.chdir("elsewhere")
    say(b"ok\n")


def removes_all_folders() -> None:
    """Removes its working folder with the one that all of them are in."""
    shutil.rmtree(Path.cwd().parent)
    say(b"ok\n")


def writes_without_end() -> None:
    """Fills the disk with files of a megabyte."""
    for number in range(FOREVER * 10):
        Path(f"file{number}").write_bytes(b"." * MIB)


def crowds_its_folder() -> None:
    """Makes files without end, with nothing in them."""
    for number in range(FOREVER * 1000):
        os.mknod(f"file{number}")


def nests_folders() -> None:
    """Makes folders in folders, far deeper than any path is long."""
    home = os.open(".", os.O_RDONLY)
    for _ in range(100):
        Path("in" * 50).mkdir()
        os.chdir("in" * 50)
    Path("file").touch()
    os.fchdir(home)
    say(b"ok\n")


def leaves_a_fifo() -> None:
    """Makes a FIFO where a file should be; to open it blocks."""
    os.mkfifo("here")
    _without_saving()


def leaves_a_link() -> None:
    """Makes a link out of its folder where a file should be."""
    Path("here").symlink_to("/etc/passwd")
    _without_saving()


def leaves_a_folder() -> None:
    """Makes a folder where a file should be."""
    Path("here").mkdir()
    _without_saving()


def leaves_a_locked_file() -> None:
    """Makes a file that nobody may read where a file should be."""
    Path("here").write_text("written\n")
    Path("here").chmod(0)
    _without_saving()


def _without_saving() -> None:
    say(b"ok\n")
    sys.stdin.readline()
    say(b"ok\n")


# Resources


def takes_all_memory() -> None:
    """Allocates memory without end, and uses it."""
    kept = []
    while True:
        kept.append(bytearray(b"." * (4 * MIB)))


def takes_all_memory_in_children() -> None:
    """Allocates little in each of many processes."""
    for _ in range(20):
        if child():
            break
    kept = b"." * (16 * MIB)
    time.sleep(FOREVER)
    del kept


def burns_processor_time() -> None:
    """Counts without end."""
    while True:
        pass


def works_for_a_while() -> None:
    """Uses a quarter of a second of processor time, which is allowed."""
    until = time.process_time() + 0.25
    while time.process_time() < until:
        pass
    say(b"ok\n")


def opens_many_files() -> None:
    """Opens files until it may open no more, and stays."""
    with contextlib.suppress(OSError):
        while True:
            os.open(".", os.O_RDONLY)
    time.sleep(FOREVER)


def talks_for_long() -> None:
    """Writes a hundred thousand bytes to standard output, and then answers."""
    say(b"0 0 1\n" * 16_667 + b"ok\n")


def main() -> None:
    roles = sys.argv[1:] or ["load", "save"]
    for line in sys.stdin:
        verb, *words = line.split()
        if verb == "hello":
            say(" ".join(["ok", *roles]).encode() + b"\n")
        elif verb == "init" and words[0] in globals():
            globals()[words[0]]()
        elif verb == "save":
            Path(words[0]).write_text("written\n")
            say(b"ok\n")
        else:
            say(b"ok\n" if verb == "init" else b"unsupported\n")


main()
