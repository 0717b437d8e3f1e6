/* A driver to start from: it stands between coli-conformance and your engine, one text line in, one answer
 * out.
 *
 * As it stands it claims the seven roles an engine owes and can do nothing: every case fails. Fill in one
 * command after another; a role whose commands are all there goes green. Take out of ROLES what your engine
 * will never do:
 *
 *   load        reads a text history                    init, load, counts
 *   bounds      has counters of given dimensions        drop
 *   identify    refuses other dimensions, identities and newer versions
 *   trusted     tells a typed path from a found one     trust
 *   iku1        reads IKU1 (inkling) or refuses it by name (any other engine)
 *   save        writes a text history                   route, add, save
 *   trace       writes the ROUTE_TRACE stream           route, endcall
 *
 * Build it with your engine:   cc -o driver driver.c engine.c
 * Hold it to the contract:     coli-conformance run -- ./driver
 * Try it by hand:              printf 'hello 1\ninit my_engine 5 8\ncounts\n' | ./driver
 *
 * An answer is any data lines and then one line that begins with ok, refused, error or unsupported. Text
 * after `refused` or `error` is free; messages for the user go to standard error.
 */
#include <stdint.h>
#include <stdio.h>
#include <string.h>

/* The roles claimed, each after a blank. */
static const char ROLES[] = " load bounds identify trusted iku1 save trace";

enum { LINE_SIZE = 1 << 16 }; /* a command is shorter than 32,768 bytes */

static void handle(char *line)
{
    char name[64], path[4096];
    int n_layers, n_experts, layer, row, expert, used = 0;
    unsigned count;

    if (strcmp(line, "hello 1") == 0) {
        printf("ok%s\n", ROLES);
    } else if (sscanf(line, "init %63s %d %d", name, &n_layers, &n_experts) == 3) {
        /* Give your engine this name and these dimensions, every counter zero. It comes once per process
         * (claim `reusable` if a second one starts truly fresh). Keep a copy of the name if your engine keeps
         * the pointer. An engine built for one name and one size answers any other with `unsupported`; the
         * case's other commands arrive all the same. */
        printf("ok\n");
    } else if (sscanf(line, "drop %d", &layer) == 1) {
        /* This layer does not route: from now on nothing may be credited to its row. */
        printf("unsupported\n");
    } else if (sscanf(line, "route %d %d%n", &layer, &row, &used) == 2) {
        /* One routing decision. The choices follow, in selection order:
         *     for (const char *at = line + used; sscanf(at, " %d:%f%n", &id, &gate, &used) == 2; at += used)
         * Count them, and trace them when ROUTE_TRACE is set. */
        printf("unsupported\n");
    } else if (strcmp(line, "endcall") == 0) {
        /* The moe call is over: the trace's call number goes up by one. */
        printf("unsupported\n");
    } else if (sscanf(line, "add %d %d %u", &layer, &expert, &count) == 3) {
        /* Add to one counter directly; at 4294967295 it stays there. */
        printf("unsupported\n");
    } else if (sscanf(line, "load %4095s", path) == 1) {
        /* An untrusted read into the counters. Print `ok TOTAL`, where TOTAL is the 64-bit sum of the counts
         * that were accepted, or `refused`. */
        printf("unsupported\n");
    } else if (sscanf(line, "trust %4095s", path) == 1) {
        /* The same for a path the user typed: another engine's identity is accepted, and nothing else is
         * relaxed. */
        printf("unsupported\n");
    } else if (strcmp(line, "counts") == 0) {
        /* Print `LAYER EXPERT COUNT` for every counter that is not zero, in any order, then `ok`. */
        printf("unsupported\n");
    } else if (sscanf(line, "save %4095s", path) == 1) {
        /* Write the history; `error` when it could not be written. */
        printf("unsupported\n");
    } else {
        printf("unsupported\n"); /* a verb of an extra role or of a later protocol */
    }
}

int main(void)
{
    static char line[LINE_SIZE];
    while (fgets(line, sizeof line, stdin)) {
        line[strcspn(line, "\r\n")] = '\0';
        handle(line);
        fflush(stdout); /* the harness waits for every answer */
    }
    return 0;
}
