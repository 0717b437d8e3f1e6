/* Lines of any bytes read in bounded memory: from standard input, a history or a trace. */
#include "coli.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { READ_SIZE = 1 << 16 };

/* Opened without waiting, so that a FIFO nobody writes to is refused instead of hung on (R17). */
int regular_file_open(const char *path, uint64_t *size)
{
    int descriptor = open(path, O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
    if (descriptor < 0)
        return -1;
    struct stat status;
    if (fstat(descriptor, &status) != 0 || !S_ISREG(status.st_mode)) {
        bool is_directory = S_ISDIR(status.st_mode);
        close(descriptor);
        errno = is_directory ? EISDIR : EINVAL;
        return -1;
    }
    *size = (uint64_t)status.st_size;
    return descriptor;
}

const char *file_problem(void)
{
    return errno == EINVAL ? "it is not a regular file" : strerror(errno);
}

bool lines_start(struct lines *lines, int descriptor)
{
    *lines = (struct lines){.descriptor = descriptor, .buffer = malloc(LINE_LIMIT + 1)};
    return lines->buffer != NULL;
}

void lines_end(struct lines *lines)
{
    free(lines->buffer);
    lines->buffer = NULL;
}

/* Whether the next line can be had without waiting for more input. */
bool lines_waiting(const struct lines *lines)
{
    return memchr(lines->buffer + lines->start, '\n', lines->end - lines->start) != NULL;
}

static bool read_more(struct lines *lines)
{
    if (lines->start > 0) {
        memmove(lines->buffer, lines->buffer + lines->start, lines->end - lines->start);
        lines->end -= lines->start;
        lines->start = 0;
    }
    size_t room = LINE_LIMIT - lines->end;
    ssize_t got;
    do
        got = read(lines->descriptor, lines->buffer + lines->end, room < READ_SIZE ? room : READ_SIZE);
    while (got < 0 && errno == EINTR);
    if (got < 0)
        return false;
    if (got == 0)
        lines->ended = true;
    lines->end += (size_t)got;
    return true;
}

/* The next line without its line feed, NUL-terminated for those who know that it holds none, valid until the
 * next call. LINE_UNFINISHED is the last line of a file that does not end in a line feed. The rest of a line
 * that was LINE_TOO_LONG is passed over when the next one is asked for. */
enum line_status lines_next(struct lines *lines, char **text, size_t *length)
{
    size_t searched = 0;
    for (;;) {
        char *line = lines->buffer + lines->start;
        size_t available = lines->end - lines->start;
        char *feed = memchr(line + searched, '\n', available - searched);
        if (feed && lines->skipping) {
            lines->skipping = false;
            lines->start += (size_t)(feed - line) + 1;
            searched = 0;
            continue;
        }
        if (lines->skipping) {
            lines->start = lines->end = searched = available = 0;
        } else if (feed || (lines->ended && available > 0)) {
            *text = line;
            *length = feed ? (size_t)(feed - line) : available;
            line[*length] = '\0';
            lines->start += *length + (feed ? 1 : 0);
            return feed ? LINE_READ : LINE_UNFINISHED;
        } else if (available == LINE_LIMIT) {
            lines->skipping = true;
            return LINE_TOO_LONG;
        }
        if (lines->ended)
            return LINE_END;
        searched = available;
        if (!read_more(lines))
            return LINE_ERROR;
    }
}
