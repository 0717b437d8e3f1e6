/* The table of calls that change files, and what a process means by their arguments, read from outside. */
#define _GNU_SOURCE
#include "file_calls.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#define BY_DESCRIPTOR(name, word, error, at) {SYS_##name, word, error, at, -1, -1, -1, -1, -1}
#define BY_PATH(name, word, error, folder, path, flags) {SYS_##name, word, error, -1, folder, path, -1, -1, flags}
#define BY_TWO_PATHS(name, word, error, folder, path, other_folder, other_path) \
    {SYS_##name, word, error, -1, folder, path, other_folder, other_path, -1}

const struct call file_calls[] = {
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
const size_t number_of_file_calls = sizeof file_calls / sizeof *file_calls;

const struct call *file_call(int number)
{
    for (size_t at = 0; at < number_of_file_calls; at++)
        if (file_calls[at].number == number)
            return &file_calls[at];
    return NULL;
}

/* Cuts the working folder off an absolute name; false where the name is not inside it. */
static bool relative_to(const char *folder, char *name)
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

static bool read_link(pid_t process, const char *entry, char name[static LONGEST_NAME])
{
    char link[64];
    snprintf(link, sizeof link, "/proc/%d/%s", (int)process, entry);
    ssize_t length = readlink(link, name, LONGEST_NAME - 1);
    name[length < 0 ? 0 : length] = '\0';
    return length > 0;
}

static bool name_of_descriptor(pid_t process, int descriptor, char name[static LONGEST_NAME])
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
static bool name_of_path(pid_t process, int relative_to, unsigned long long address, char name[static LONGEST_NAME])
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
        snprintf(name + length, LONGEST_NAME - length, "/%s", path);
    }
    char *slash = strrchr(name, '/');
    *slash = '\0';
    if (!realpath(*name ? name : "/", resolved))
        return false;
    char last[PATH_MAX];
    snprintf(last, sizeof last, "%s", slash + 1);
    snprintf(name, LONGEST_NAME, "%s/%s", resolved, last);
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

bool files_of(const struct call *call, const struct seccomp_notif *notice, const char *folder,
              char name[static LONGEST_NAME], char other[static LONGEST_NAME])
{
    const __u64 *arguments = notice->data.args;
    pid_t process = (pid_t)notice->pid;
    *other = '\0';
    if (call->descriptor != NO_ARGUMENT) {
        int descriptor = (int)arguments[call->descriptor];
        return name_of_descriptor(process, descriptor, name) && relative_to(folder, name)
            && (strcmp(call->word, "close") != 0 || opened_for_writing(process, descriptor));
    }
    if (call->flags != NO_ARGUMENT && !(arguments[call->flags] & (O_WRONLY | O_RDWR | O_CREAT | O_TRUNC)))
        return false;
    int base = call->folder == NO_ARGUMENT ? AT_FDCWD : (int)arguments[call->folder];
    if (!name_of_path(process, base, arguments[call->path], name))
        return false;
    bool inside = relative_to(folder, name);
    if (call->other_path == NO_ARGUMENT)
        return inside;
    base = call->other_folder == NO_ARGUMENT ? AT_FDCWD : (int)arguments[call->other_folder];
    return name_of_path(process, base, arguments[call->other_path], other) && relative_to(folder, other);
}
