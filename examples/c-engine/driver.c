/* The driver of this engine: the starter of `coli-conformance init c`, filled in.
 *
 *     cc -o driver driver.c engine.c reader.c
 *     coli-conformance run -- ./driver
 */
#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "engine.h"

/* `reusable` as well: engine_init() forgets everything that came before it. */
static const char ROLES[] = " load bounds identify trusted iku1 save trace reusable";

enum { LINE_SIZE = 1 << 16, MOST_CHOICES = LINE_SIZE / 4 };

static int n_layers, n_experts;

static void answer(bool done)
{
    puts(done ? "ok" : "error");
}

static void read_history(const char *path, bool trusted)
{
    int64_t total = engine_read(path, trusted);
    if (total < 0)
        puts("refused");
    else
        printf("ok %" PRId64 "\n", total);
}

static void print_counts(void)
{
    for (int layer = 0; layer <= n_layers; layer++) {
        const uint32_t *row = engine_row(layer);
        for (int expert = 0; row && expert < n_experts; expert++)
            if (row[expert])
                printf("%d %d %" PRIu32 "\n", layer, expert, row[expert]);
    }
    puts("ok");
}

static void route(int layer, int row, const char *choices)
{
    static int ids[MOST_CHOICES];
    static float gates[MOST_CHOICES];
    int k = 0, used = 0;
    for (; sscanf(choices, " %d:%f%n", &ids[k], &gates[k], &used) == 2; k++)
        choices += used;
    engine_route(layer, row, ids, gates, k);
    puts("ok");
}

static void handle(char *line)
{
    char name[64], path[4096];
    int layer, row, expert, used = 0;
    uint32_t count;

    if (strcmp(line, "hello 1") == 0) {
        printf("ok%s\n", ROLES);
    } else if (sscanf(line, "init %63s %d %d", name, &n_layers, &n_experts) == 3) {
        answer(engine_init(name, n_layers, n_experts));
    } else if (sscanf(line, "drop %d", &layer) == 1) {
        engine_drop(layer);
        puts("ok");
    } else if (sscanf(line, "route %d %d%n", &layer, &row, &used) == 2) {
        route(layer, row, line + used);
    } else if (strcmp(line, "endcall") == 0) {
        engine_end_call();
        puts("ok");
    } else if (sscanf(line, "add %d %d %" SCNu32, &layer, &expert, &count) == 3) {
        engine_credit(layer, expert, count);
        puts("ok");
    } else if (sscanf(line, "load %4095s", path) == 1) {
        read_history(path, false);
    } else if (sscanf(line, "trust %4095s", path) == 1) {
        read_history(path, true);
    } else if (strcmp(line, "counts") == 0) {
        print_counts();
    } else if (sscanf(line, "save %4095s", path) == 1) {
        answer(engine_save(path));
    } else {
        puts("unsupported");
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
