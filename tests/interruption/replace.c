/* Ways of replacing a history that are wrong, each switched on by its macro; with none it is sound, if plain.
 * It takes the place of the C engine's replace.c. */
#include "coli.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static FILE *file_beside(struct replacement *replacement, const char *path)
{
    size_t room = strlen(path) + 32;
    replacement->temporary = malloc(room);
    if (!replacement->temporary)
        return NULL;
#ifdef FIXED_TEMPORARY_NAME
    snprintf(replacement->temporary, room, "%s.tmp", path);
#else
    snprintf(replacement->temporary, room, "%s.%ld.tmp", path, (long)getpid());
#endif
    return fopen(replacement->temporary, "wb");
}

bool replace_begin(struct replacement *replacement, const char *path)
{
    replacement->path = strdup(path);
    replacement->temporary = NULL;
#ifdef REMOVES_THE_OLD_FILE_FIRST
    unlink(path);
#endif
#ifdef WRITES_IN_PLACE
    replacement->file = fopen(path, "wb");
#else
    replacement->file = file_beside(replacement, path);
#endif
    return replacement->file != NULL;
}

static bool moved(const struct replacement *replacement)
{
#ifdef WRITES_IN_PLACE
    return true;
#endif
#ifdef SETS_THE_OLD_FILE_ASIDE
    char aside[4096];
    snprintf(aside, sizeof aside, "%s.old", replacement->path);
    if (rename(replacement->path, aside) != 0 && errno != ENOENT)
        return false;
#endif
    return rename(replacement->temporary, replacement->path) == 0;
}

bool replace_commit(struct replacement *replacement)
{
    bool saved;
#if defined IGNORES_EVERY_ERROR
    fclose(replacement->file);
    moved(replacement);
    saved = true;
#elif defined DOES_NOT_LOOK_AT_CLOSE
    saved = !ferror(replacement->file);
    fclose(replacement->file);
    saved = saved && moved(replacement);
#elif defined RENAMES_BEFORE_CLOSE
    saved = moved(replacement);
    saved = fclose(replacement->file) == 0 && saved;
#else
    saved = !ferror(replacement->file);
    saved = fclose(replacement->file) == 0 && saved;
    saved = saved && moved(replacement);
#endif
#ifndef LEAVES_ITS_TEMPORARY_FILE
    if (!saved && replacement->temporary)
        unlink(replacement->temporary);
#endif
    free(replacement->path);
    free(replacement->temporary);
    return saved;
}
