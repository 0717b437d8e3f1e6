/* The driver: the engine behind the suite's line protocol on standard input and output. */
#include "coli.h"

#include <locale.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

int main(void)
{
    static char output[1 << 16];
    static struct session session;
    struct lines input;
    setlocale(LC_ALL, "");
    signal(SIGXFSZ, SIG_IGN); /* a file size limit is a failed write, reported like a full disk (W17) */
    setvbuf(stdout, output, _IOFBF, sizeof output);
    if (!lines_start(&input, STDIN_FILENO))
        return EXIT_FAILURE;
    for (;;) {
        /* Commands already here are answered together; nothing is held back while waiting for the next. */
        if (!lines_waiting(&input)) {
            trace_flush(&session.trace);
            if (fflush(stdout) != 0)
                return EXIT_FAILURE;
        }
        char *line;
        size_t length;
        enum line_status status = lines_next(&input, &line, &length);
        if (status == LINE_END || status == LINE_ERROR)
            break;
        if (status == LINE_READ)
            session_perform(&session, line, length);
        else
            printf("error %s\n",
                   status == LINE_TOO_LONG ? "the line is too long" : "a command ends in a line feed");
    }
    trace_end(&session.trace);
    engine_end(&session.engine);
    lines_end(&input);
    return fflush(stdout) == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
