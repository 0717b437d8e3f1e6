/* Replacing a file as a whole: new bytes beside it, then a rename over it (W16, W17, W20, W24). */
#include "coli.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static const char temporary_name[] = ".coli-XXXXXX";

/* Finds what stands at the path: through a symbolic link the file behind it is replaced and the link stays.
 * The mode is the file's, or the one any new file would get; mkstemp alone would make it private. False for a
 * directory, a device or a FIFO: a rename would put a plain file in its place. */
static bool find_old_file(struct replacement *replacement, const char *path, mode_t *mode)
{
    struct stat status;
    if (stat(path, &status) != 0) {
        mode_t mask = umask(0);
        umask(mask);
        *mode = 0666 & ~mask;
        replacement->path = strdup(path);
    } else if (!S_ISREG(status.st_mode)) {
        errno = S_ISDIR(status.st_mode) ? EISDIR : EINVAL;
    } else {
        *mode = status.st_mode & 0777;
        replacement->path = realpath(path, NULL);
    }
    return replacement->path != NULL;
}

/* The temporary name is every writer's own, so that two engines saving at once never write into one file. */
static bool name_temporary(struct replacement *replacement)
{
    const char *slash = strrchr(replacement->path, '/');
    size_t folder_length = slash ? (size_t)(slash - replacement->path) + 1 : 0;
    replacement->temporary = malloc(folder_length + sizeof temporary_name);
    if (!replacement->temporary)
        return false;
    memcpy(replacement->temporary, replacement->path, folder_length);
    memcpy(replacement->temporary + folder_length, temporary_name, sizeof temporary_name);
    return true;
}

static bool open_temporary(struct replacement *replacement, mode_t mode)
{
    int descriptor = mkstemp(replacement->temporary);
    if (descriptor < 0)
        return false;
    if (fchmod(descriptor, mode) == 0)
        replacement->file = fdopen(descriptor, "wb");
    if (replacement->file)
        return true;
    int problem = errno;
    close(descriptor);
    unlink(replacement->temporary);
    errno = problem;
    return false;
}

static void free_names(struct replacement *replacement)
{
    free(replacement->path);
    free(replacement->temporary);
}

bool replace_begin(struct replacement *replacement, const char *path)
{
    mode_t mode = 0;
    *replacement = (struct replacement){0};
    if (find_old_file(replacement, path, &mode) && name_temporary(replacement)
        && open_temporary(replacement, mode))
        return true;
    int problem = errno;
    free_names(replacement);
    errno = problem;
    return false;
}

/* Renames the new file over the old one when every write, the last one included, went well; otherwise removes
 * it. No fsync: no process ever sees half a file, which is what the contract asks; a power cut is another
 * matter. */
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
    free_names(replacement);
    errno = problem ? problem : EIO;
    return kept;
}
