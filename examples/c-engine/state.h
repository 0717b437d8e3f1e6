/* What engine.c and reader.c share; not for anyone else. */
#ifndef STATE_H
#define STATE_H

#include <stdbool.h>
#include <stdint.h>

enum { FORMAT_VERSION = 1 };

struct engine {
    char name[64];
    int n_layers, n_experts;
    uint32_t **rows; /* n_layers + 1 of them; NULL for a dropped one */
};

extern struct engine engine;

/* The id under which an engine of this name writes. */
uint32_t id_of(const char *name);

/* Whether the file at `path` was refused when it was read last. */
bool was_refused(const char *path);
void forget_refused(void);

#endif
