/* The engine that the README's driver is linked with in the tests: the smallest sound writer of a history. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static char engine_name[64];
static int n_layers, n_experts;
static uint32_t *counts;
static char *dropped;

static void my_init(const char *name, int layers, int experts)
{
    strcpy(engine_name, name);
    n_layers = layers, n_experts = experts;
    counts = calloc((size_t)(layers + 1) * (size_t)experts, sizeof *counts);
    dropped = calloc((size_t)layers + 1, 1);
}

static void my_drop(int layer) { dropped[layer] = 1; }

static void my_count(int layer, int expert, unsigned count)
{
    uint32_t *counter = &counts[layer * n_experts + expert];
    *counter = count > UINT32_MAX - *counter ? UINT32_MAX : *counter + count;
}

static int print_counts(FILE *file)
{
    int records = 0;
    for (int layer = 0; layer <= n_layers; layer++)
        for (int expert = 0; expert < n_experts; expert++)
            if (!dropped[layer] && counts[layer * n_experts + expert]) {
                if (file) fprintf(file, "%d %d %u\n", layer, expert, (unsigned)counts[layer * n_experts + expert]);
                records++;
            }
    return records;
}

static void my_print_counts(void) { print_counts(stdout); }

static int my_save(const char *path)
{
    char beside[4200];
    uint32_t id = 2166136261u;
    for (const char *at = engine_name; *at; at++) id = (id ^ (unsigned char)*at) * 16777619u;
    snprintf(beside, sizeof beside, "%s.new", path);
    FILE *file = fopen(beside, "w");
    if (!file) return 0;
    if (print_counts(NULL)) fprintf(file, "-1 %d %d\n-2 1 %u\n", n_layers, n_experts, (unsigned)id);
    print_counts(file);
    int written = !ferror(file) && !fflush(file);
    if (fclose(file) || !written || rename(beside, path)) return remove(beside), 0;
    return 1;
}
