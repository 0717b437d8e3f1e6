/* The calls that change files: which there are, and which files one of them is about. */
#ifndef FILE_CALLS_H
#define FILE_CALLS_H

#include <linux/seccomp.h>
#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

enum { LONGEST_NAME = 8192, NO_ARGUMENT = -1 };

/* A call that changes a file or gives it up. Each number says which argument holds what: the descriptor of the file, or
 * its path and the folder that is relative to (two of both for a rename), or the flags of an open. */
struct call {
    int number;
    const char *word;
    int error;
    int descriptor, folder, path, other_folder, other_path, flags;
};

extern const struct call file_calls[];
extern const size_t number_of_file_calls;

const struct call *file_call(int number); /* NULL: none of them */

/* Finds the files that a call is about, relative to `folder`; `other` is empty but for the new name of a rename or a
 * link. False where they are not in the folder, or the call changes none. */
bool files_of(const struct call *call, const struct seccomp_notif *notice, const char *folder,
              char name[static LONGEST_NAME], char other[static LONGEST_NAME]);

#endif
