/* The trace stream: one line per routing decision, `call row layer expert:gate ...` (clauses T). */
#include "coli.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* A failure is told once, and tracing ends: the run and its history go on (T11). */
static void give_up(struct trace *trace, const char *doing)
{
    fprintf(stderr, "[TRACE] %s: cannot %s the trace: %s. The run goes on without it.\n", trace->path, doing,
            strerror(errno));
    if (trace->file)
        fclose(trace->file);
    trace->file = NULL;
}

/* Starts the file anew (T10); no path, no trace (T08). */
void trace_start(struct trace *trace, const char *path)
{
    trace_end(trace);
    if (!path || !*path)
        return;
    trace->path = strdup(path);
    if (!trace->path)
        return;
    /* Without waiting, or a FIFO that nobody reads would hold the run up; then writes may wait like any
     * other. */
    int descriptor = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_NONBLOCK | O_NOCTTY | O_CLOEXEC, 0666);
    if (descriptor >= 0) {
        fcntl(descriptor, F_SETFL, 0);
        trace->file = fdopen(descriptor, "wb");
        if (!trace->file)
            close(descriptor);
    }
    if (!trace->file)
        give_up(trace, "open");
}

void trace_decision(struct trace *trace, int32_t row, int32_t layer, const struct choice *choices,
                    size_t n_choices)
{
    if (!trace->file || n_choices == 0)
        return;
    fprintf(trace->file, "%" PRIu64 " %" PRId32 " %" PRId32, trace->call, row, layer);
    for (size_t i = 0; i < n_choices; i++) {
        fprintf(trace->file, " %" PRId64 ":", choices[i].expert);
        gate_print(trace->file, choices[i].gate);
    }
    putc('\n', trace->file);
    if (ferror(trace->file))
        give_up(trace, "write");
}

void trace_flush(struct trace *trace)
{
    if (trace->file && fflush(trace->file) != 0)
        give_up(trace, "write");
}

void trace_end(struct trace *trace)
{
    trace_flush(trace);
    if (trace->file)
        fclose(trace->file);
    free(trace->path);
    *trace = (struct trace){0};
}
