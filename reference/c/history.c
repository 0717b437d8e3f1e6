/* The text history: its reader (clauses R) and its writer (clauses W). */
#include "coli.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { DIMENSIONS = -1, IDENTITY = -2, FORMAT_VERSION = 1 };

/* The header records agreed so far; those after the first two are generated from the registry (G07). */
static const struct {
    int32_t number;
    bool by_request; /* written when the driver is asked to; the others are the engine's own */
    const char *meaning;
} agreed_records[] = {
    {DIMENSIONS, false, "dimensions"},
    {IDENTITY, false, "format version and identity"},
#include "agreed_records.h"
};

const char *header_record_objection(int32_t number)
{
    for (size_t i = 0; i < sizeof agreed_records / sizeof *agreed_records; i++)
        if (agreed_records[i].number == number)
            return agreed_records[i].by_request ? NULL : "the engine writes this header record itself";
    return "no header record of this number is agreed";
}

struct record {
    int64_t first, second, third;
};

enum record_status { RECORD_READ, RECORD_BLANK, RECORD_MALFORMED };

static const char *after_blanks(const char *at, const char *end)
{
    while (at < end && (*at == ' ' || *at == '\t'))
        at++;
    return at;
}

/* Exactly three plain decimal integers in their ranges; blanks and tabs around them and a CR at the end do
 * not matter (R12). */
static enum record_status record_parse(const char *line, size_t length, struct record *record)
{
    const char *end = line + length;
    if (end > line && end[-1] == '\r')
        end--;
    const char *at = after_blanks(line, end);
    if (at == end)
        return RECORD_BLANK;
    if (!integer_read(&at, end, INT32_MIN, INT32_MAX, &record->first))
        return RECORD_MALFORMED;
    const char *second = after_blanks(at, end);
    if (second == at || !integer_read(&second, end, INT32_MIN, INT32_MAX, &record->second))
        return RECORD_MALFORMED;
    const char *third = after_blanks(second, end);
    if (third == second || !integer_read(&third, end, 0, UINT32_MAX, &record->third))
        return RECORD_MALFORMED;
    return after_blanks(third, end) == end ? RECORD_READ : RECORD_MALFORMED;
}

/* What the header records said that this engine cannot accept, the first of each kind; each repetition is
 * judged. */
struct header {
    bool other_dimensions, other_version, other_writer, named;
    int64_t layers, experts, version;
    uint32_t writer;
};

static void header_note(struct header *header, const struct engine *engine, const struct record *record)
{
    if (record->first == DIMENSIONS && !header->other_dimensions) {
        header->layers = record->second;
        header->experts = record->third;
        header->other_dimensions = record->second != engine->n_layers || record->third != engine->n_experts;
    }
    if (record->first != IDENTITY)
        return;
    if (!header->other_version) {
        header->version = record->second;
        header->other_version = record->second != FORMAT_VERSION;
    }
    if (!header->other_writer) {
        header->named = true;
        header->writer = (uint32_t)record->third;
        header->other_writer = header->writer != engine->id;
    }
}

static bool header_refuses(const struct header *header, bool trusted)
{
    return header->other_dimensions || header->other_version || (header->other_writer && !trusted);
}

/* Dimensions and version come before identity: a typed path would not get around them, so PIN= must not be
 * offered (R18). */
static void header_judge(const struct header *header, const struct engine *engine, bool trusted,
                         struct reading *reading)
{
    char writer[NAME_LIMIT + 48] = "an unknown engine (no identity record)";
    const char *name = header->named ? engine_name(engine, header->writer) : NULL;
    if (name)
        snprintf(writer, sizeof writer, "%s", name);
    else if (header->named)
        snprintf(writer, sizeof writer, "an unknown engine (id %" PRIu32 ")", header->writer);

    reading->accepted = !header_refuses(header, trusted);
    reading->identity_overridden = reading->accepted && header->other_writer;
    if (header->other_dimensions)
        snprintf(reading->reason, REASON_SIZE,
                 "written by %s for %" PRId64 " x %" PRId64
                 " (layers x experts), this engine is %s with %" PRId32 " x %" PRId32,
                 writer, header->layers, header->experts, engine->name, engine->n_layers, engine->n_experts);
    else if (header->other_version)
        snprintf(reading->reason, REASON_SIZE,
                 "written by %s in format version %" PRId64 ", this engine is %s and reads version %d",
                 writer, header->version, engine->name, FORMAT_VERSION);
    else if (header->other_writer)
        snprintf(reading->reason, REASON_SIZE, "written by %s, this engine is %s", writer, engine->name);
    reading->identity_refused = !reading->accepted && !header->other_dimensions && !header->other_version;
}

/* Collects the records into `table`; the caller credits it, so that a refusal after data credits nothing
 * (R07, R20). A malformed line ends the reading: what came before it is kept (R23, `stop`). */
static void text_read(struct engine *engine, const char *path, int descriptor, bool trusted, uint32_t *table,
                      struct reading *reading)
{
    struct lines lines;
    if (!lines_start(&lines, descriptor)) {
        snprintf(reading->reason, REASON_SIZE, "not enough memory to read it");
        return;
    }
    struct header header = {0};
    char *line;
    size_t length;
    bool reads_on = true;
    enum line_status status = LINE_END;
    for (uint64_t number = 1; reads_on; number++) {
        status = lines_next(&lines, &line, &length);
        if (status == LINE_END || status == LINE_ERROR)
            break;
        struct record record;
        enum record_status kind =
            status == LINE_TOO_LONG ? RECORD_MALFORMED : record_parse(line, length, &record);
        if (kind == RECORD_MALFORMED) {
            fprintf(stderr,
                    "[USAGE] %s: line %" PRIu64
                    " is not three decimal numbers in range; reading stops there\n",
                    path, number);
            reads_on = false;
        } else if (kind == RECORD_READ && record.first < 0) {
            header_note(&header, engine, &record);
        } else if (kind == RECORD_READ) {
            reads_on = !header_refuses(&header, trusted);
            if (engine_accepts(engine, record.first, record.second)) {
                saturating_add(engine_cell(engine, table, record.first, record.second),
                               (uint32_t)record.third);
                reading->total += (uint64_t)record.third;
            }
        }
    }
    if (status == LINE_ERROR)
        snprintf(reading->reason, REASON_SIZE, "cannot be read to its end: %s", strerror(errno));
    else
        header_judge(&header, engine, trusted, reading);
    lines_end(&lines);
}

static void report(const struct engine *engine, const char *path, const struct reading *reading)
{
    static bool override_told; /* once per process (R19) */
    if (!reading->accepted) {
        fprintf(stderr, "[USAGE] %s: %s - refused", path, reading->reason);
        if (reading->identity_refused)
            fprintf(stderr, " (pass PIN=%s to use it anyway)", path);
        fprintf(stderr, "\n");
    } else if (reading->identity_overridden && !override_told) {
        fprintf(stderr, "[USAGE] %s: %s - read because %s was told to trust it\n", path, reading->reason,
                engine->name);
        override_told = true;
    }
}

static void read_descriptor(struct engine *engine, const char *path, int descriptor, uint64_t size,
                            bool trusted, struct reading *reading)
{
    uint32_t *table = engine_table(engine);
    if (!table)
        snprintf(reading->reason, REASON_SIZE, "not enough memory to read it");
    else if (iku1_begins(descriptor))
        iku1_read(engine, descriptor, size, trusted, table, reading);
    else
        text_read(engine, path, descriptor, trusted, table, reading);
    if (reading->accepted)
        engine_credit(engine, table);
    free(table);
}

/* Reads a history of either layout into the counters. A missing file is an empty history (R24, `empty`). */
void history_read(struct engine *engine, const char *path, bool trusted, struct reading *reading)
{
    *reading = (struct reading){0};
    uint64_t size;
    int descriptor = regular_file_open(path, &size);
    if (descriptor >= 0) {
        read_descriptor(engine, path, descriptor, size, trusted, reading);
        close(descriptor);
    } else if (errno == ENOENT) {
        reading->accepted = true;
    } else {
        snprintf(reading->reason, REASON_SIZE, "cannot be read: %s", file_problem());
    }
    report(engine, path, reading);
    if (reading->accepted)
        refused_forget(engine, path);
    else
        refused_remember(engine, path);
}

/* Writes the history in canonical form (W18); without any count it is a zero-byte file (W08). False, errno
 * set: the file that was there is as it was. */
bool history_save(const struct engine *engine, const char *path, const struct header_record *records,
                  size_t n_records)
{
    struct replacement replacement;
    if (!replace_begin(&replacement, path))
        return false;
    FILE *file = replacement.file;
    if (engine_has_counts(engine)) {
        fprintf(file, "%d %" PRId32 " %" PRId32 "\n", DIMENSIONS, engine->n_layers, engine->n_experts);
        fprintf(file, "%d %d %" PRIu32 "\n", IDENTITY, FORMAT_VERSION, engine->id);
        for (size_t i = 0; i < n_records; i++)
            fprintf(file, "%" PRId32 " %" PRId32 " %" PRIu32 "\n", records[i].number, records[i].second,
                    records[i].third);
    }
    for (int32_t layer = 0; layer <= engine->n_layers; layer++)
        for (int32_t expert = 0; expert < engine->n_experts; expert++) {
            uint32_t count = *engine_cell(engine, engine->counts, layer, expert);
            if (count)
                fprintf(file, "%" PRId32 " %" PRId32 " %" PRIu32 "\n", layer, expert, count);
        }
    return replace_commit(&replacement);
}
