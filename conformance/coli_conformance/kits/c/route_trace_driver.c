/* A complete driver for any engine built on route_trace.h. Nothing to fill in:
 *
 *     cc -I path/to/engine -o driver route_trace_driver.c
 *     coli-conformance run -- ./driver
 *
 * Add -D and -I flags, or sources after the file name, as the engine's own build does. It claims the seven
 * roles an engine owes. It is not `reusable`: a second rt_init neither frees the counters nor starts the
 * trace anew.
 */
#include <inttypes.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "route_trace.h"

enum { LINE_SIZE = 1 << 16, MOST_CHOICES = LINE_SIZE / 4 };

/* rt_init keeps the pointer to the name, so it lives as long as the process. */
static char engine_name[64];
static int n_layers, n_experts;

/* The row of a layer, or NULL where nothing can be credited: dropped, or outside 0..n_layers. */
static uint32_t *row_of(int layer)
{
    return layer >= 0 && layer <= n_layers ? rt_counts(layer) : NULL;
}

/* 1 when the counter exists; it stays at its largest value instead of wrapping (R22). */
static int credit(int layer, int expert, uint32_t count)
{
    uint32_t *row = row_of(layer);
    if (!row || expert < 0 || expert >= n_experts)
        return 0;
    row[expert] = count > UINT32_MAX - row[expert] ? UINT32_MAX : row[expert] + count;
    return 1;
}

static int credit_record(int layer, int expert, uint32_t count, void *unused)
{
    (void)unused;
    return credit(layer, expert, count);
}

/* rt_load would answer 0 for a refusal, which is also the total of an empty history; rt_read_ex tells them
 * apart. */
static void read_history(const char *path, int trusted)
{
    int64_t total = rt_read_ex(path, credit_record, NULL, trusted);
    if (total < 0)
        printf("refused\n");
    else
        printf("ok %" PRId64 "\n", total);
}

static void print_counts(void)
{
    for (int layer = 0; layer <= n_layers; layer++) {
        const uint32_t *row = row_of(layer);
        for (int expert = 0; row && expert < n_experts; expert++)
            if (row[expert])
                printf("%d %d %" PRIu32 "\n", layer, expert, row[expert]);
    }
    printf("ok\n");
}

static void route(int layer, int row, const char *choices)
{
    static int ids[MOST_CHOICES];
    static float gates[MOST_CHOICES];
    int k = 0;
    while (*choices) {
        char *end;
        ids[k] = (int)strtol(choices, &end, 10);
        if (end == choices || *end != ':') {
            printf("error a choice is ID:GATE\n");
            return;
        }
        choices = end + 1;
        gates[k] = strtof(choices, &end);
        if (end == choices || (*end && *end != ' ')) {
            printf("error a choice is ID:GATE\n");
            return;
        }
        choices = end + strspn(end, " ");
        k++;
    }
    rt_route(layer, row, ids, gates, k);
    printf("ok\n");
}

static void handle(char *line)
{
    char name[64], path[4096];
    int layers, experts, layer, row, expert, used = 0;
    uint32_t count;

    if (strcmp(line, "hello 1") == 0) {
        printf("ok load bounds identify trusted iku1 save trace\n");
    } else if (sscanf(line, "init %63s %d %d", name, &layers, &experts) == 3) {
        if (n_layers) {
            printf("unsupported one init per process\n");
            return;
        }
        strcpy(engine_name, name);
        n_layers = layers;
        n_experts = experts;
        rt_init(engine_name, n_layers, n_experts);
        printf("ok\n");
    } else if (!n_layers) {
        printf("error init comes first\n");
    } else if (sscanf(line, "drop %d", &layer) == 1) {
        if (layer >= 0 && layer <= n_layers)
            rt_drop_row(layer);
        printf("ok\n");
    } else if (sscanf(line, "route %d %d %n", &layer, &row, &used) == 2) {
        route(layer, row, line + used);
    } else if (strcmp(line, "endcall") == 0) {
        rt_trace_end();
        printf("ok\n");
    } else if (sscanf(line, "add %d %d %" SCNu32, &layer, &expert, &count) == 3) {
        credit(layer, expert, count);
        printf("ok\n");
    } else if (sscanf(line, "load %4095s", path) == 1) {
        read_history(path, 0);
    } else if (sscanf(line, "trust %4095s", path) == 1) {
        read_history(path, 1);
    } else if (strcmp(line, "counts") == 0) {
        print_counts();
    } else if (sscanf(line, "save %4095s", path) == 1) {
        puts(rt_save(path, 1) ? "ok" : "error");
    } else {
        printf("unsupported\n");
    }
}

int main(void)
{
    static char line[LINE_SIZE];
    while (fgets(line, sizeof line, stdin)) {
        line[strcspn(line, "\r\n")] = '\0';
        handle(line);
        fflush(stdout);
    }
    return 0;
}
