/* Starts an engine and interrupts one of its calls on files in the working folder (W16, W17, W24).
 *
 *     COLI_INTERRUPT='MODE N' interrupt COMMAND [ARG...]
 *
 * The calls on such files are counted from 1 and logged to `.coli-interrupt-log` there, a line each: number, word, name
 * or names, divided by tabs. At call N the engine is
 *
 *     watch   let go on: only the log is wanted
 *     fail    told that the call failed; where it was a write, every later write fails too, as on a full disk
 *     kill    killed before the call is made, together with this program's process group
 *     hold    kept waiting: this program stops itself, and the call is made once it gets SIGCONT
 *
 * Without COLI_INTERRUPT the command is just started. The exit status is the engine's; 125 where it cannot be watched.
 *
 * The system itself reports the calls (seccomp's user notification), so it does not matter how the engine was linked or
 * what its library does inside: a preloaded library never sees the write and the close of C's stdio. */
#define _GNU_SOURCE
#include "file_calls.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#if defined __x86_64__
#define ARCHITECTURE AUDIT_ARCH_X86_64
#elif defined __aarch64__
#define ARCHITECTURE AUDIT_ARCH_AARCH64
#elif defined __riscv && __riscv_xlen == 64
#define ARCHITECTURE AUDIT_ARCH_RISCV64
#else
#error "the calls of an engine can be watched on x86-64, AArch64 and 64-bit RISC-V only"
#endif
#ifndef SECCOMP_FILTER_FLAG_WAIT_KILLABLE_RECV
#define SECCOMP_FILTER_FLAG_WAIT_KILLABLE_RECV (1UL << 5)
#endif

enum { CANNOT_WATCH = 125, NOTICE_SIZE = 1024, MOST_INSTRUCTIONS = 64 };

static const char log_name[] = ".coli-interrupt-log";
static char folder[PATH_MAX];
static FILE *call_log;
static const char *mode = "watch";
static long wanted, seen;
static bool disk_is_full;

static void give_up(const char *what)
{
    fprintf(stderr, "interrupt: %s: %s\n", what, strerror(errno));
    exit(CANNOT_WATCH);
}

/* Decides on one call: the error it is to fail with, or 0 where it is to be made. */
static int decide(const struct seccomp_notif *notice)
{
    char name[LONGEST_NAME], other[LONGEST_NAME];
    const struct call *call = file_call(notice->data.nr);
    if (!call || !files_of(call, notice, folder, name, other))
        return 0;
    bool is_write = strcmp(call->word, "write") == 0;
    seen++;
    fprintf(call_log, *other ? "%ld\t%s\t%s\t%s\n" : "%ld\t%s\t%s\n", seen, call->word, name, other);
    fflush(call_log);
    if (seen != wanted)
        return disk_is_full && is_write ? ENOSPC : 0;
    if (strcmp(mode, "kill") == 0)
        kill(0, SIGKILL);
    if (strcmp(mode, "hold") == 0)
        raise(SIGSTOP);
    if (strcmp(mode, "fail") != 0)
        return 0;
    disk_is_full = is_write;
    return call->error;
}

/* Answers what the engine waits for with one call; it may have been killed meanwhile, which is no fault. */
static void answer(int listener)
{
    _Alignas(16) char notice_room[NOTICE_SIZE] = {0}, answer_room[NOTICE_SIZE] = {0};
    struct seccomp_notif *notice = (struct seccomp_notif *)notice_room;
    struct seccomp_notif_resp *response = (struct seccomp_notif_resp *)answer_room;
    if (ioctl(listener, SECCOMP_IOCTL_NOTIF_RECV, notice) != 0)
        return;
    int error = decide(notice);
    response->id = notice->id;
    response->error = -error;
    response->flags = error ? 0U : (__u32)SECCOMP_USER_NOTIF_FLAG_CONTINUE;
    ioctl(listener, SECCOMP_IOCTL_NOTIF_SEND, response);
}

/* Has the calls of this process, and of all it will start, reported; returns the descriptor they are reported on. */
static int report_calls(void)
{
    struct sock_filter filter[MOST_INSTRUCTIONS] = {
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, arch)),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, ARCHITECTURE, 1, 0),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
    };
    unsigned short end = 4;
    for (size_t at = 0; at < number_of_file_calls; at++) {
        unsigned number = (unsigned)file_calls[at].number;
        filter[end++] = (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, number, 0, 1);
        filter[end++] = (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_USER_NOTIF);
    }
    filter[end++] = (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW);
    struct sock_fprog program = {end, filter};
    if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0)
        return -1;
    /* Without the second flag, of Linux 5.19, a signal to the engine could have a call reported and counted twice. */
    unsigned long flags = SECCOMP_FILTER_FLAG_NEW_LISTENER;
    long listener = syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, flags | SECCOMP_FILTER_FLAG_WAIT_KILLABLE_RECV, &program);
    return (int)(listener >= 0 ? listener : syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, flags, &program));
}

/* Hands a descriptor to the other end of a socket (value >= 0), or takes one there; -1 where that fails. */
static int pass_descriptor(int socket, int value)
{
    char byte = 0;
    union {
        char room[CMSG_SPACE(sizeof(int))];
        struct cmsghdr align;
    } control = {0};
    struct iovec data = {&byte, 1};
    struct msghdr message = {.msg_iov = &data, .msg_iovlen = 1, .msg_control = &control, .msg_controllen = sizeof control};
    if (value < 0) {
        if (recvmsg(socket, &message, MSG_CMSG_CLOEXEC) <= 0 || !CMSG_FIRSTHDR(&message))
            return -1;
        memcpy(&value, CMSG_DATA(CMSG_FIRSTHDR(&message)), sizeof value);
        return value;
    }
    struct cmsghdr *head = CMSG_FIRSTHDR(&message);
    head->cmsg_level = SOL_SOCKET;
    head->cmsg_type = SCM_RIGHTS;
    head->cmsg_len = CMSG_LEN(sizeof value);
    memcpy(CMSG_DATA(head), &value, sizeof value);
    return sendmsg(socket, &message, 0) > 0 ? value : -1;
}

static void become_engine(char **command, int socket)
{
    int listener = report_calls();
    if (listener < 0)
        give_up("the system does not report an engine's calls (seccomp user notification)");
    if (pass_descriptor(socket, listener) < 0)
        give_up("the descriptor for the engine's calls");
    execvp(command[0], command);
    give_up(command[0]);
}

/* Ends as the engine did. */
static int end_like(int status)
{
    if (WIFSIGNALED(status)) {
        signal(WTERMSIG(status), SIG_DFL);
        raise(WTERMSIG(status));
    }
    return WEXITSTATUS(status);
}

int main(int count, char **arguments)
{
    char word[8] = "";
    const char *asked = getenv("COLI_INTERRUPT");
    int ends[2];
    if (count < 2) {
        fputs("interrupt: write the command of an engine behind it\n", stderr);
        return CANNOT_WATCH;
    }
    if (!asked) {
        execvp(arguments[1], arguments + 1);
        give_up(arguments[1]);
    }
    if (sscanf(asked, "%7s %ld", word, &wanted) < 1) {
        fputs("interrupt: COLI_INTERRUPT is a mode and the number of a call\n", stderr);
        return CANNOT_WATCH;
    }
    mode = word;
    unsetenv("COLI_INTERRUPT");
    if (!realpath(".", folder) || !(call_log = fopen(log_name, "wxe")))
        give_up(log_name);
    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0)
        give_up("socketpair");
    pid_t engine = fork();
    if (engine < 0)
        give_up("fork");
    if (engine == 0)
        become_engine(arguments + 1, ends[1]);
    close(ends[1]);
    int status, listener = pass_descriptor(ends[0], -1);
    struct pollfd events[] = {{listener, POLLIN, 0}, {(int)syscall(SYS_pidfd_open, engine, 0), POLLIN, 0}};
    while (listener >= 0 && !(events[1].revents & POLLIN)) {
        if (poll(events, 2, -1) < 0 && errno != EINTR)
            give_up("poll");
        if (events[0].revents & POLLIN)
            answer(listener);
        else if (events[0].revents) /* nobody is left whose calls are reported */
            break;
    }
    while (waitpid(engine, &status, 0) < 0)
        if (errno != EINTR)
            give_up("waitpid");
    return end_like(status);
}
