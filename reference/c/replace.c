/* Replacing a file as a whole: the new bytes are written beside it and renamed over it (W16, W17, W20, W24).
 */
#include "coli.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static const char temporary_name[] = ".coli-XXXXXX";

/* The permissions the file has, or those any new file would get: mkstemp alone would make it private. */
static mode_t wanted_mode(const char *path)
{
    struct stat status;
    if (stat(path, &status) == 0)
        return status.st_mode & 0777;
    mode_t mask = umask(0);
    umask(mask);
    return 0666 & ~mask;
}

/* A name of its own for every writer, so that two engines saving at once never write into one file. */
bool replace_begin(struct replacement *replacement, const char *path)
{
    const char *slash = strrchr(path, '/');
    size_t folder_length = slash ? (size_t)(slash - path) + 1 : 0;
    *replacement =
        (struct replacement){.path = path, .temporary = malloc(folder_length + sizeof temporary_name)};
    if (!replacement->temporary)
        return false;
    memcpy(replacement->temporary, path, folder_length);
    memcpy(replacement->temporary + folder_length, temporary_name, sizeof temporary_name);

    int descriptor = mkstemp(replacement->temporary);
    if (descriptor >= 0) {
        if (fchmod(descriptor, wanted_mode(path)) == 0)
            replacement->file = fdopen(descriptor, "wb");
        if (replacement->file)
            return true;
        int problem = errno;
        close(descriptor);
        unlink(replacement->temporary);
        errno = problem;
    }
    free(replacement->temporary);
    return false;
}

/* Renames the new file over the old one when every write, the last one included, went well; otherwise removes
 * it. No fsync: the rename never shows half a file to another process, which is what the contract asks. */
bool replace_commit(struct replacement *replacement)
{
    errno = 0;
    bool written = fflush(replacement->file) == 0 && !ferror(replacement->file);
    int problem = errno;
    if (fclose(replacement->file) != 0 && written) {
        written = false;
        problem = errno;
    }
    bool kept = written;
    if (kept && rename(replacement->temporary, replacement->path) != 0) {
        kept = false;
        problem = errno;
    }
    if (!kept)
        unlink(replacement->temporary);
    free(replacement->temporary);
    errno = problem ? problem : EIO;
    return kept;
}
