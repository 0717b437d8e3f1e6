/* See engine.h. Counters and writing are here, reading is in reader.c. */
#define _POSIX_C_SOURCE 200809L
#include "engine.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "state.h"

struct engine engine;

static FILE *trace;
static long call;

uint32_t id_of(const char *name)
{
    uint32_t id = 2166136261u; /* FNV-1a: first the byte, then the prime (W07) */
    for (; *name; name++)
        id = (id ^ (unsigned char)*name) * 16777619u;
    return id;
}

static void free_rows(void)
{
    for (int layer = 0; engine.rows && layer <= engine.n_layers; layer++)
        free(engine.rows[layer]);
    free(engine.rows);
    engine.rows = NULL;
}

static void open_trace(void)
{
    const char *path = getenv("ROUTE_TRACE");
    if (trace)
        fclose(trace);
    trace = NULL;
    call = 0;
    if (!path || !*path)
        return; /* unset or empty: no trace (T08) */
    trace = fopen(path, "w");
    if (!trace) /* the run goes on without one (T11) */
        fprintf(stderr, "[TRACE] %s: cannot be opened (%s), going on without a trace\n", path, strerror(errno));
}

bool engine_init(const char *name, int n_layers, int n_experts)
{
    free_rows();
    snprintf(engine.name, sizeof engine.name, "%s", name);
    engine.n_layers = n_layers;
    engine.n_experts = n_experts;
    engine.rows = calloc((size_t)n_layers + 1, sizeof *engine.rows); /* row n_layers is the MTP head's */
    for (int layer = 0; engine.rows && layer <= n_layers; layer++) {
        engine.rows[layer] = calloc((size_t)n_experts, sizeof **engine.rows);
        if (!engine.rows[layer])
            free_rows();
    }
    forget_refused();
    open_trace();
    return engine.rows != NULL;
}

const uint32_t *engine_row(int layer)
{
    return engine.rows && layer >= 0 && layer <= engine.n_layers ? engine.rows[layer] : NULL;
}

void engine_drop(int layer)
{
    if (engine_row(layer)) {
        free(engine.rows[layer]);
        engine.rows[layer] = NULL;
    }
}

static bool has_counter(int layer, int expert)
{
    return engine_row(layer) && expert >= 0 && expert < engine.n_experts;
}

bool engine_credit(int layer, int expert, uint32_t count)
{
    if (!has_counter(layer, expert))
        return false;
    uint32_t *counter = &engine.rows[layer][expert];
    *counter = count > UINT32_MAX - *counter ? UINT32_MAX : *counter + count; /* W19, R22 */
    return true;
}

void engine_route(int layer, int row, const int *ids, const float *gates, int k)
{
    int traced = 0;
    for (int i = 0; i < k; i++) {
        if (!isfinite(gates[i]) || !engine_credit(layer, ids[i], 1))
            continue; /* an unsound choice reaches neither counter nor trace (T12) */
        if (trace && !traced++)
            fprintf(trace, "%ld %d %d", call, row, layer);
        if (trace)
            fprintf(trace, " %d:%.4f", ids[i], (double)gates[i]); /* never under a setlocale() of yours (T09) */
    }
    if (!traced)
        return;
    fputc('\n', trace);
    if (fflush(trace) != 0) {
        fprintf(stderr, "[TRACE] cannot be written (%s), it ends here\n", strerror(errno));
        fclose(trace);
        trace = NULL;
    }
}

void engine_end_call(void)
{
    call++; /* once per moe call, not per row, also without a row (T03) */
}

/* Sparse, ascending; nothing at all where no counter is above zero, so that PIN=auto falls back (W08). */
static void write_history(FILE *file)
{
    bool header = false;
    for (int layer = 0; layer <= engine.n_layers; layer++) {
        const uint32_t *row = engine_row(layer);
        for (int expert = 0; row && expert < engine.n_experts; expert++) {
            if (!row[expert])
                continue;
            if (!header)
                fprintf(file, "-1 %d %d\n-2 %d %u\n", engine.n_layers, engine.n_experts, FORMAT_VERSION,
                        (unsigned)id_of(engine.name)); /* version second, id third (W06) */
            header = true;
            fprintf(file, "%d %d %u\n", layer, expert, (unsigned)row[expert]);
        }
    }
}

static bool not_saved(const char *path, const char *reason)
{
    fprintf(stderr, "[USAGE] %s: not saved: %s\n", path, reason);
    return false;
}

bool engine_save(const char *path)
{
    if (was_refused(path)) /* it is somebody's history, and this engine could not read it (W21) */
        return not_saved(path, "this engine refused to read what is there; move it away");
    char beside[4200];
    snprintf(beside, sizeof beside, "%s.XXXXXX", path); /* a name of its own, or two engines mix (W24) */
    int descriptor = mkstemp(beside);
    FILE *file = descriptor < 0 ? NULL : fdopen(descriptor, "w");
    if (!file)
        return not_saved(path, strerror(errno));
    write_history(file);
    /* Whatever failed on the way must be known before the old history is replaced (W16, W17). */
    bool sound = fflush(file) == 0 && !ferror(file) && fchmod(descriptor, 0644) == 0 && fsync(descriptor) == 0;
    sound = fclose(file) == 0 && sound;
    if (sound && rename(beside, path) == 0)
        return true;
    int reason = errno;
    unlink(beside); /* W20 */
    return not_saved(path, strerror(reason));
}
