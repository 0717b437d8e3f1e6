/* A stand-in for an engine's route_trace.h: the API its driver needs, for compiling and trying that driver.
 *
 * It keeps every must of the contract in the fewest lines; it is nobody's engine.
 */
#ifndef ROUTE_TRACE_H
#define ROUTE_TRACE_H

#include <inttypes.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef int (*rt_cb)(int layer, int expert, uint32_t count, void *ud);

static struct {
    const char *engine;
    int n_layers, n_experts, call;
    uint32_t **rows; /* n_layers + 1 of them; NULL: dropped */
    FILE *trace;
} rt;

static uint32_t rt_hash(const char *name)
{
    uint32_t hash = 2166136261u;
    while (*name)
        hash = (hash ^ (uint8_t)*name++) * 16777619u;
    return hash;
}

static void rt_init(const char *engine, int n_layers, int n_experts)
{
    const char *path = getenv("ROUTE_TRACE");
    rt.engine = engine;
    rt.n_layers = n_layers;
    rt.n_experts = n_experts;
    rt.rows = calloc((size_t)n_layers + 1, sizeof *rt.rows);
    for (int layer = 0; rt.rows && layer <= n_layers; layer++)
        rt.rows[layer] = calloc((size_t)n_experts, sizeof **rt.rows);
    if (path && *path)
        rt.trace = fopen(path, "w");
}

static uint32_t *rt_counts(int layer)
{
    return rt.rows && layer >= 0 && layer <= rt.n_layers ? rt.rows[layer] : NULL;
}

static void rt_drop_row(int layer)
{
    free(rt_counts(layer));
    rt.rows[layer] = NULL;
}

static void rt_count(int layer, const int *ids, int k)
{
    uint32_t *row = rt_counts(layer);
    for (int i = 0; row && i < k; i++)
        if (ids[i] >= 0 && ids[i] < rt.n_experts && row[ids[i]] < UINT32_MAX)
            row[ids[i]]++;
}

static void rt_trace(int layer, int row, const int *ids, const float *gates, int k)
{
    if (!rt.trace || !rt_counts(layer) || k < 1)
        return;
    fprintf(rt.trace, "%d %d %d", rt.call, row, layer);
    for (int i = 0; i < k; i++)
        fprintf(rt.trace, " %d:%.4f", ids[i], (double)gates[i]);
    fputc('\n', rt.trace);
}

static void rt_trace_end(void)
{
    rt.call++;
}

static void rt_route(int layer, int row, const int *ids, const float *gates, int k)
{
    rt_count(layer, ids, k);
    rt_trace(layer, row, ids, gates, k);
}

static uint32_t rt_word(const unsigned char *bytes)
{
    return (uint32_t)bytes[0] | (uint32_t)bytes[1] << 8 | (uint32_t)bytes[2] << 16 | (uint32_t)bytes[3] << 24;
}

static int64_t rt_read_iku1(FILE *file, rt_cb cb, void *ud, int trusted)
{
    unsigned char bytes[12];
    int64_t total = 0;
    if (fread(bytes, 1, sizeof bytes, file) != sizeof bytes
        || (!trusted && strcmp(rt.engine, "inkling") != 0))
        return -1;
    if (rt_word(bytes + 4) != (uint32_t)rt.n_layers || rt_word(bytes + 8) != (uint32_t)rt.n_experts)
        return -1;
    for (int layer = 0; layer < rt.n_layers; layer++)
        for (int expert = 0; expert < rt.n_experts; expert++) {
            if (fread(bytes, 1, 4, file) != 4)
                return -1;
            uint32_t count = rt_word(bytes);
            if (count && cb(layer, expert, count, ud))
                total += count;
        }
    return total;
}

/* The old loop, with the two agreed header records judged on the way. */
static int64_t rt_read_text(FILE *file, rt_cb cb, void *ud, int trusted)
{
    int layer, expert;
    unsigned count;
    int64_t total = 0;
    while (fscanf(file, "%d %d %u", &layer, &expert, &count) == 3) {
        if (layer == -1 && (expert != rt.n_layers || count != (unsigned)rt.n_experts))
            return -1;
        if (layer == -2 && (expert > 1 || (!trusted && count != rt_hash(rt.engine))))
            return -1;
        if (layer >= 0 && cb(layer, expert, count, ud))
            total += count;
    }
    return total;
}

static int64_t rt_read_ex(const char *path, rt_cb cb, void *ud, int trusted)
{
    char magic[4];
    FILE *file = fopen(path, "rb");
    if (!file)
        return -1;
    int is_iku1 =
        fread(magic, 1, sizeof magic, file) == sizeof magic && memcmp(magic, "IKU1", sizeof magic) == 0;
    rewind(file);
    int64_t total = is_iku1 ? rt_read_iku1(file, cb, ud, trusted) : rt_read_text(file, cb, ud, trusted);
    fclose(file);
    return total;
}

static int rt_save(const char *path, int quiet)
{
    int is_empty = 1;
    FILE *file = fopen(path, "wb");
    if (!file) {
        if (!quiet)
            perror(path);
        return 0;
    }
    for (int layer = 0; layer <= rt.n_layers; layer++)
        for (int expert = 0; rt.rows[layer] && expert < rt.n_experts; expert++) {
            if (!rt.rows[layer][expert])
                continue;
            if (is_empty)
                fprintf(file, "-1 %d %d\n-2 1 %" PRIu32 "\n", rt.n_layers, rt.n_experts, rt_hash(rt.engine));
            is_empty = 0;
            fprintf(file, "%d %d %" PRIu32 "\n", layer, expert, rt.rows[layer][expert]);
        }
    return fclose(file) == 0;
}

#endif
