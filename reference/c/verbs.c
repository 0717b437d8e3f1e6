/* The verbs of the suite's line protocol: each reads its fields, acts and prints one answer. */
#include "coli.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

enum { MOST_CHOICES = LINE_LIMIT / 4 };

static void malformed(const char *usage)
{
    printf("error the command is `%s`\n", usage);
}

static void answer(bool done, const char *reason)
{
    if (done)
        printf("ok\n");
    else
        printf("error %s\n", reason);
}

static void do_hello(struct session *session, char *rest)
{
    (void)session;
    int64_t version;
    if (!number_next(&rest, 0, INT32_MAX, &version) || !fields_end(&rest))
        malformed("hello 1");
    else if (version != 1)
        printf("unsupported this driver speaks protocol 1\n");
    else
        printf("ok load bounds identify trusted iku1 save trace iku1-save pin pairs records reusable\n");
}

static bool name_is_sound(const char *name)
{
    size_t length = name ? strlen(name) : 0;
    return length >= 1 && length <= NAME_LIMIT
           && strspn(name, "abcdefghijklmnopqrstuvwxyz0123456789_") == length;
}

static void do_init(struct session *session, char *rest)
{
    const char *name = field_next(&rest);
    int64_t layers, experts;
    if (!name_is_sound(name) || !number_next(&rest, 1, LAYER_LIMIT, &layers)
        || !number_next(&rest, 1, EXPERT_LIMIT, &experts) || !fields_end(&rest)) {
        malformed("init NAME N_LAYERS N_EXPERTS");
        return;
    }
    if (!engine_start(&session->engine, name, (int32_t)layers, (int32_t)experts)) {
        answer(false, "not enough memory for these dimensions");
        return;
    }
    session->started = true;
    session->n_records = 0;
    trace_start(&session->trace, getenv("ROUTE_TRACE"));
    answer(true, NULL);
}

static void do_drop(struct session *session, char *rest)
{
    int64_t layer;
    if (!number_next(&rest, 0, session->engine.n_layers, &layer) || !fields_end(&rest)) {
        malformed("drop LAYER");
        return;
    }
    engine_drop(&session->engine, (int32_t)layer);
    answer(true, NULL);
}

/* An expert that cannot be a number of this engine's is left out of the count and of the trace, as is a gate
 * that is not finite and a layer without a row (T12); the sound choices of the decision stand. */
static void do_route(struct session *session, char *rest)
{
    static const char usage[] = "route LAYER ROW ID:GATE ID:GATE ...";
    static struct choice choices[MOST_CHOICES];
    size_t n_choices = 0;
    int64_t layer, row;
    if (!number_next(&rest, INT32_MIN, INT32_MAX, &layer) || !number_next(&rest, 0, INT32_MAX, &row)) {
        malformed(usage);
        return;
    }
    for (char *field; (field = field_next(&rest)) != NULL;) {
        struct choice choice;
        char *colon = strchr(field, ':');
        const char *id = field;
        if (!colon || !integer_read(&id, colon, INT64_MIN + 1, INT64_MAX, &choice.expert) || id != colon
            || !gate_read(colon + 1, &choice.gate)) {
            malformed(usage);
            return;
        }
        if (isfinite(choice.gate) && engine_accepts(&session->engine, layer, choice.expert))
            choices[n_choices++] = choice;
    }
    for (size_t i = 0; i < n_choices; i++)
        saturating_add(engine_cell(&session->engine, session->engine.counts, layer, choices[i].expert), 1);
    trace_decision(&session->trace, (int32_t)row, (int32_t)layer, choices, n_choices);
    answer(true, NULL);
}

static void do_endcall(struct session *session, char *rest)
{
    if (!fields_end(&rest)) {
        malformed("endcall");
        return;
    }
    session->trace.call++;
    answer(true, NULL);
}

/* Like a record of a history: what lies outside the counters is left out. */
static void do_add(struct session *session, char *rest)
{
    int64_t layer, expert, count;
    if (!number_next(&rest, INT32_MIN, INT32_MAX, &layer)
        || !number_next(&rest, INT32_MIN, INT32_MAX, &expert) || !number_next(&rest, 0, UINT32_MAX, &count)
        || !fields_end(&rest)) {
        malformed("add LAYER EXPERT COUNT");
        return;
    }
    if (engine_accepts(&session->engine, layer, expert))
        saturating_add(engine_cell(&session->engine, session->engine.counts, layer, expert), (uint32_t)count);
    answer(true, NULL);
}

static void read_into(struct session *session, char *rest, bool trusted)
{
    const char *path = field_next(&rest);
    if (!path || !fields_end(&rest)) {
        malformed(trusted ? "trust PATH" : "load PATH");
        return;
    }
    struct reading reading;
    history_read(&session->engine, path, trusted, &reading);
    if (reading.accepted)
        printf("ok %" PRIu64 "\n", reading.total);
    else
        printf("refused %s\n", reading.reason);
}

static void do_load(struct session *session, char *rest)
{
    read_into(session, rest, false);
}

static void do_trust(struct session *session, char *rest)
{
    read_into(session, rest, true);
}

static void do_counts(struct session *session, char *rest)
{
    const struct engine *engine = &session->engine;
    if (!fields_end(&rest)) {
        malformed("counts");
        return;
    }
    for (int32_t layer = 0; layer <= engine->n_layers; layer++)
        for (int32_t expert = 0; expert < engine->n_experts; expert++) {
            uint32_t count = *engine_cell(engine, engine->counts, layer, expert);
            if (count)
                printf("%" PRId32 " %" PRId32 " %" PRIu32 "\n", layer, expert, count);
        }
    answer(true, NULL);
}

static const char refused_file[] =
    "the history there was refused on load and would be lost; move it away first";

static void do_save(struct session *session, char *rest)
{
    const char *path = field_next(&rest);
    if (!path || !fields_end(&rest)) {
        malformed("save PATH");
    } else if (refused_holds(&session->engine, path)) {
        answer(false, refused_file);
    } else if (!history_save(&session->engine, path, session->records, session->n_records)) {
        answer(false, file_problem());
    } else {
        session->n_records = 0;
        answer(true, NULL);
    }
}

static void do_dense(struct session *session, char *rest)
{
    const char *path = field_next(&rest);
    if (!path || !fields_end(&rest))
        malformed("dense PATH");
    else if (refused_holds(&session->engine, path))
        answer(false, refused_file);
    else if (!iku1_save(&session->engine, path))
        answer(false, file_problem());
    else
        answer(true, NULL);
}

static bool has_content(const char *path)
{
    struct stat status;
    return stat(path, &status) == 0 && S_ISREG(status.st_mode) && status.st_size > 0;
}

/* A path was typed, so it is trusted; what `auto` finds was not (P01, P02, P03). */
static void do_pin(struct session *session, char *rest)
{
    (void)session;
    const char *value = field_next(&rest);
    if (!value || !fields_end(&rest))
        malformed("pin VALUE");
    else if (strcmp(value, "auto") != 0)
        printf("ok %s trusted\n", value);
    else if (has_content(".coli_usage"))
        printf("ok .coli_usage untrusted\n");
    else if (has_content("stats.txt"))
        printf("ok stats.txt untrusted\n");
    else
        printf("ok\n");
}

static void do_pairs(struct session *session, char *rest)
{
    const char *trace_path = field_next(&rest);
    const char *out_path = field_next(&rest);
    if (!trace_path || !out_path || !fields_end(&rest)) {
        malformed("pairs TRACE OUT");
        return;
    }
    trace_flush(&session->trace); /* it may be the one being written */
    char reason[REASON_SIZE];
    answer(pairs_build(trace_path, out_path, reason), reason);
}

static void do_record(struct session *session, char *rest)
{
    int64_t number, second, third;
    if (!number_next(&rest, INT32_MIN, INT32_MAX, &number)
        || !number_next(&rest, INT32_MIN, INT32_MAX, &second) || !number_next(&rest, 0, UINT32_MAX, &third)
        || !fields_end(&rest)) {
        malformed("record NUMBER SECOND THIRD");
        return;
    }
    const char *reason = header_record_objection((int32_t)number);
    if (!reason && session->n_records == MOST_RECORDS)
        reason = "more header records than one save takes";
    if (!reason)
        session->records[session->n_records++] =
            (struct header_record){(int32_t)number, (int32_t)second, (uint32_t)third};
    answer(!reason, reason);
}

static const struct {
    const char *verb;
    void (*perform)(struct session *session, char *rest);
    bool needs_session;
} commands[] = {
    {"hello", do_hello, false}, {"init", do_init, false},      {"drop", do_drop, true},
    {"route", do_route, true},  {"endcall", do_endcall, true}, {"add", do_add, true},
    {"load", do_load, true},    {"trust", do_trust, true},     {"counts", do_counts, true},
    {"save", do_save, true},    {"dense", do_dense, true},     {"pin", do_pin, false},
    {"pairs", do_pairs, false}, {"record", do_record, true},
};

/* Performs one command and prints its answer; the line is cut into its fields. */
void session_perform(struct session *session, char *line, size_t length)
{
    if (length > 0 && line[length - 1] == '\r')
        line[--length] = '\0';
    if (memchr(line, '\0', length)) {
        answer(false, "a command holds no NUL byte");
        return;
    }
    const char *verb = field_next(&line);
    for (size_t i = 0; verb && i < sizeof commands / sizeof *commands; i++) {
        if (strcmp(verb, commands[i].verb) != 0)
            continue;
        if (commands[i].needs_session && !session->started)
            answer(false, "`init` comes first");
        else
            commands[i].perform(session, line);
        return;
    }
    printf("unsupported\n");
}
