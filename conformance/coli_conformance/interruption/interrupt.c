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
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <poll.h>
#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
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

enum { CANNOT_WATCH = 125, NAME_SIZE = 2 * PATH_MAX, NO_ARGUMENT = -1, NOTICE_SIZE = 1024 };

/* A call that changes a file or gives it up. Each number says which argument holds what: the descriptor of the file, or
 * its path and the folder that is relative to (two of both for a rename), or the flags of an open. */
struct call {
    int number;
    const char *word;
    int error;
    int descriptor, folder, path, other_folder, other_path, flags;
};

#define BY_DESCRIPTOR(name, word, error, at) {SYS_##name, word, error, at, -1, -1, -1, -1, -1}
#define BY_PATH(name, word, error, folder, path, flags) {SYS_##name, word, error, -1, folder, path, -1, -1, flags}
#define BY_TWO_PATHS(name, word, error, folder, path, other_folder, other_path) \
    {SYS_##name, word, error, -1, folder, path, other_folder, other_path, -1}

static const struct call calls[] = {
    BY_DESCRIPTOR(write, "write", ENOSPC, 0),
    BY_DESCRIPTOR(writev, "write", ENOSPC, 0),
    BY_DESCRIPTOR(pwrite64, "write", ENOSPC, 0),
    BY_DESCRIPTOR(pwritev, "write", ENOSPC, 0),
    BY_DESCRIPTOR(pwritev2, "write", ENOSPC, 0),
    BY_DESCRIPTOR(sendfile, "write", ENOSPC, 0),
    BY_DESCRIPTOR(splice, "write", ENOSPC, 2),
    BY_DESCRIPTOR(copy_file_range, "write", ENOSPC, 2),
    BY_DESCRIPTOR(fallocate, "truncate", ENOSPC, 0),
    BY_DESCRIPTOR(ftruncate, "truncate", EIO, 0),
    BY_DESCRIPTOR(fsync, "sync", EIO, 0),
    BY_DESCRIPTOR(fdatasync, "sync", EIO, 0),
    BY_DESCRIPTOR(close, "close", EIO, 0),
    BY_PATH(truncate, "truncate", EIO, -1, 0, -1),
    BY_PATH(openat, "open", ENOSPC, 0, 1, 2),
    BY_PATH(unlinkat, "unlink", EIO, 0, 1, -1),
    BY_TWO_PATHS(renameat2, "rename", EIO, 0, 1, 2, 3),
    BY_TWO_PATHS(linkat, "link", EIO, 0, 1, 2, 3),
#ifdef SYS_renameat
    BY_TWO_PATHS(renameat, "rename", EIO, 0, 1, 2, 3),
#endif
#ifdef SYS_open /* the older calls, which newer architectures do without */
    BY_PATH(open, "open", ENOSPC, -1, 0, 1),
    BY_PATH(creat, "open", ENOSPC, -1, 0, -1),
    BY_PATH(unlink, "unlink", EIO, -1, 0, -1),
    BY_TWO_PATHS(rename, "rename", EIO, -1, 0, -1, 1),
    BY_TWO_PATHS(link, "link", EIO, -1, 0, -1, 1),
#endif
};
enum { CALLS = sizeof calls / sizeof *calls };

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

/* Cuts the working folder off an absolute name; false where the name is not inside it. */
static bool relative_to_folder(char *name)
{
    size_t length = strlen(folder);
    if (strncmp(name, folder, length) != 0 || name[length] != '/')
        return false;
    memmove(name, name + length + 1, strlen(name + length + 1) + 1);
    for (char *at = name; *at; at++)
        if (*at == '\t' || *at == '\n')
            *at = '?';
    return true;
}

static bool read_link(pid_t process, const char *entry, char name[static NAME_SIZE])
{
    char link[64];
    snprintf(link, sizeof link, "/proc/%d/%s", (int)process, entry);
    ssize_t length = readlink(link, name, NAME_SIZE - 1);
    name[length < 0 ? 0 : length] = '\0';
    return length > 0;
}

static bool name_of_descriptor(pid_t process, int descriptor, char name[static NAME_SIZE])
{
    char entry[32];
    snprintf(entry, sizeof entry, "fd/%d", descriptor);
    return read_link(process, entry, name);
}

static bool read_text(pid_t process, unsigned long long address, char text[static PATH_MAX])
{
    char memory[64];
    snprintf(memory, sizeof memory, "/proc/%d/mem", (int)process);
    int file = open(memory, O_RDONLY | O_CLOEXEC);
    ssize_t length = file < 0 ? -1 : pread(file, text, PATH_MAX, (off_t)address);
    if (file >= 0)
        close(file);
    return length > 0 && memchr(text, '\0', (size_t)length) != NULL;
}

/* Finds the absolute name of a path that the engine passed, with the links in its folder followed. */
static bool name_of_path(pid_t process, int relative_to, unsigned long long address, char name[static NAME_SIZE])
{
    char path[PATH_MAX], resolved[PATH_MAX];
    if (!read_text(process, address, path))
        return false;
    if (path[0] == '/') {
        strcpy(name, path);
    } else {
        if (!(relative_to == AT_FDCWD ? read_link(process, "cwd", name)
                                      : name_of_descriptor(process, relative_to, name)))
            return false;
        size_t length = strlen(name);
        snprintf(name + length, NAME_SIZE - length, "/%s", path);
    }
    char *slash = strrchr(name, '/');
    *slash = '\0';
    if (!realpath(*name ? name : "/", resolved))
        return false;
    char last[PATH_MAX];
    snprintf(last, sizeof last, "%s", slash + 1);
    snprintf(name, NAME_SIZE, "%s/%s", resolved, last);
    return true;
}

static bool opened_for_writing(pid_t process, int descriptor)
{
    char path[64], line[128];
    unsigned flags = 0;
    snprintf(path, sizeof path, "/proc/%d/fdinfo/%d", (int)process, descriptor);
    FILE *file = fopen(path, "re");
    while (file && fgets(line, sizeof line, file) && sscanf(line, "flags: %o", &flags) != 1)
        ;
    if (file)
        fclose(file);
    return (flags & O_ACCMODE) != O_RDONLY;
}

/* Finds the files that a call is about; false where they are none of the folder's, or the call changes none. */
static bool names_of(const struct call *call, const struct seccomp_notif *notice, char name[static NAME_SIZE],
                     char other[static NAME_SIZE])
{
    const __u64 *arguments = notice->data.args;
    pid_t process = (pid_t)notice->pid;
    *other = '\0';
    if (call->descriptor != NO_ARGUMENT) {
        int descriptor = (int)arguments[call->descriptor];
        return name_of_descriptor(process, descriptor, name) && relative_to_folder(name)
            && (strcmp(call->word, "close") != 0 || opened_for_writing(process, descriptor));
    }
    if (call->flags != NO_ARGUMENT && !(arguments[call->flags] & (O_WRONLY | O_RDWR | O_CREAT | O_TRUNC)))
        return false;
    int base = call->folder == NO_ARGUMENT ? AT_FDCWD : (int)arguments[call->folder];
    if (!name_of_path(process, base, arguments[call->path], name))
        return false;
    bool inside = relative_to_folder(name);
    if (call->other_path == NO_ARGUMENT)
        return inside;
    base = call->other_folder == NO_ARGUMENT ? AT_FDCWD : (int)arguments[call->other_folder];
    return name_of_path(process, base, arguments[call->other_path], other) && relative_to_folder(other);
}

static const struct call *call_of(int number)
{
    for (int at = 0; at < CALLS; at++)
        if (calls[at].number == number)
            return &calls[at];
    return NULL;
}

/* Decides on one call: the error it is to fail with, or 0 where it is to be made. */
static int decide(const struct seccomp_notif *notice)
{
    char name[NAME_SIZE], other[NAME_SIZE];
    const struct call *call = call_of(notice->data.nr);
    if (!call || !names_of(call, notice, name, other))
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
    enum { HEAD = 3 };
    struct sock_filter filter[HEAD + CALLS + 2] = {
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, arch)),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, ARCHITECTURE, 0, CALLS + 1),
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
    };
    for (int at = 0; at < CALLS; at++)
        filter[HEAD + at] = (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, (unsigned)calls[at].number,
                                                         (unsigned char)(CALLS - at), 0);
    filter[HEAD + CALLS] = (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW);
    filter[HEAD + CALLS + 1] = (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_USER_NOTIF);
    struct sock_fprog program = {HEAD + CALLS + 2, filter};
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
