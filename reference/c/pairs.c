/* From a trace to the pairs table: which experts follow which, one and two layers on (clauses C). */
#include "coli.h"

#include <errno.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { MOST_AHEAD = 2, KEPT_LAYERS = MOST_AHEAD + 1 };

struct row {
    int32_t number;
    size_t first, n_experts; /* where its experts stand in layer_rows.experts */
};

/* The rows one call chose for, in ascending order, with their experts. */
struct layer_rows {
    int64_t layer; /* -1: nothing of this forward */
    struct row *rows;
    int32_t *experts;
    size_t n_rows, rows_size, n_experts, experts_size;
};

/* Only three layers back to back are ever looked at, so memory does not grow with the trace. */
struct forward {
    struct layer_rows kept[KEPT_LAYERS]; /* layer L stands at L % KEPT_LAYERS */
    int64_t call, layer;                 /* of the last line; -1: none yet */
};

static bool objection(char reason[REASON_SIZE], const char *format, ...)
{
    va_list values;
    va_start(values, format);
    vsnprintf(reason, REASON_SIZE, format, values);
    va_end(values);
    return false;
}

static bool no_memory(char reason[REASON_SIZE])
{
    return objection(reason, "not enough memory for this trace");
}

static bool make_room(void **items, size_t *size, size_t used, size_t item_size)
{
    if (used < *size)
        return true;
    size_t larger = *size ? *size * 2 : 64;
    void *moved = realloc(*items, larger * item_size);
    if (!moved)
        return false;
    *items = moved;
    *size = larger;
    return true;
}

/* Where the row stands, or where it would. */
static size_t row_index(const struct layer_rows *layer, int32_t number)
{
    size_t low = 0, high = layer->n_rows;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (layer->rows[middle].number < number)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static const struct row *row_find(const struct layer_rows *layer, int32_t number)
{
    size_t index = row_index(layer, number);
    return index < layer->n_rows && layer->rows[index].number == number ? &layer->rows[index] : NULL;
}

/* A call whose layer is not above the previous call's begins the next forward (C01). */
static struct layer_rows *call_begin(struct forward *forward, int64_t call, int64_t layer)
{
    if (layer <= forward->layer)
        for (size_t i = 0; i < KEPT_LAYERS; i++)
            forward->kept[i].layer = -1;
    forward->call = call;
    forward->layer = layer;
    struct layer_rows *rows = &forward->kept[layer % KEPT_LAYERS];
    rows->layer = layer;
    rows->n_rows = rows->n_experts = 0;
    return rows;
}

static bool is_chosen(const int32_t *experts, size_t n_experts, int64_t expert)
{
    for (size_t i = 0; i < n_experts; i++)
        if (experts[i] == expert)
            return true;
    return false;
}

static bool digits_pass(const char **at, const char *end)
{
    const char *first = *at;
    while (*at < end && **at >= '0' && **at <= '9')
        ++*at;
    return *at > first;
}

/* A finite decimal with at least four digits after the point (T06). */
static bool gate_pass(const char **at, const char *end)
{
    if (*at < end && **at == '-')
        ++*at;
    if (!digits_pass(at, end))
        return false;
    if (*at == end || **at != '.')
        return false;
    const char *point = (*at)++;
    return digits_pass(at, end) && *at - point > 4;
}

static bool character_pass(const char **at, const char *end, char character)
{
    if (*at == end || **at != character)
        return false;
    ++*at;
    return true;
}

/* Appends the line's experts, each once: a position either chose an expert or did not. */
static bool experts_read(struct layer_rows *layer, struct row *row, const char *at, const char *end,
                         char reason[REASON_SIZE])
{
    *row = (struct row){.number = row->number, .first = layer->n_experts};
    do {
        int64_t expert;
        if (!character_pass(&at, end, ' ') || !integer_read(&at, end, 0, INT32_MAX, &expert)
            || !character_pass(&at, end, ':') || !gate_pass(&at, end))
            return objection(
                reason, "after call, row and layer stand one or more ` expert:gate`, with an expert id of at "
                        "least 0 and a gate with four decimals or more");
        if (is_chosen(layer->experts + row->first, row->n_experts, expert))
            continue;
        if (!make_room((void **)&layer->experts, &layer->experts_size, layer->n_experts,
                       sizeof *layer->experts))
            return no_memory(reason);
        layer->experts[layer->n_experts++] = (int32_t)expert;
        row->n_experts++;
    } while (at < end);
    return true;
}

static bool pairs_count(struct pair_table *table, const struct layer_rows *from, const struct row *chosen,
                        const struct layer_rows *to, const struct row *followed)
{
    struct pair key = {.layer = (int32_t)from->layer, .ahead = (int32_t)(to->layer - from->layer)};
    for (size_t i = 0; i < chosen->n_experts; i++)
        for (size_t j = 0; j < followed->n_experts; j++) {
            key.expert = from->experts[chosen->first + i];
            key.partner = to->experts[followed->first + j];
            if (!pair_count(table, key))
                return false;
        }
    return true;
}

static bool line_count(struct pair_table *table, struct forward *forward, const char *at, const char *end,
                       char reason[REASON_SIZE])
{
    int64_t call, number, layer;
    if (!integer_read(&at, end, 0, INT64_MAX, &call) || !character_pass(&at, end, ' ')
        || !integer_read(&at, end, 0, INT32_MAX, &number) || !character_pass(&at, end, ' ')
        || !integer_read(&at, end, 0, INT32_MAX, &layer))
        return objection(
            reason, "a line begins with call, row and layer: three numbers of at least 0, one blank apart");
    if (call < forward->call)
        return objection(reason, "call %" PRId64 " follows call %" PRId64 "; calls only go up", call,
                         forward->call);
    if (call == forward->call && layer != forward->layer)
        return objection(reason,
                         "call %" PRId64 " has layers %" PRId64 " and %" PRId64 "; a call has one layer",
                         call, forward->layer, layer);
    struct layer_rows *current =
        call > forward->call ? call_begin(forward, call, layer) : &forward->kept[layer % KEPT_LAYERS];

    size_t index = row_index(current, (int32_t)number);
    if (row_find(current, (int32_t)number))
        return objection(reason, "row %" PRId64 " stands in call %" PRId64 " a second time", number, call);
    struct row row = {.number = (int32_t)number};
    if (!experts_read(current, &row, at, end, reason))
        return false;
    if (!make_room((void **)&current->rows, &current->rows_size, current->n_rows, sizeof *current->rows))
        return no_memory(reason);
    memmove(current->rows + index + 1, current->rows + index, (current->n_rows - index) * sizeof row);
    current->rows[index] = row;
    current->n_rows++;

    for (int64_t ahead = 1; ahead <= MOST_AHEAD && ahead <= layer; ahead++) {
        const struct layer_rows *before = &forward->kept[(layer - ahead) % KEPT_LAYERS];
        const struct row *chosen = before->layer == layer - ahead ? row_find(before, row.number) : NULL;
        if (chosen && !pairs_count(table, before, chosen, current, &row))
            return no_memory(reason);
    }
    return true;
}

static bool trace_count(struct pair_table *table, struct forward *forward, const char *path,
                        struct lines *lines, char reason[REASON_SIZE])
{
    char *line;
    size_t length;
    enum line_status status;
    for (uint64_t number = 1; (status = lines_next(lines, &line, &length)) != LINE_END; number++) {
        char fault[REASON_SIZE] = "";
        if (status == LINE_ERROR)
            return objection(reason, "the trace cannot be read to its end: %s", strerror(errno));
        if (status == LINE_TOO_LONG)
            objection(fault, "a line is at most %d bytes long", LINE_LIMIT);
        else if (status == LINE_UNFINISHED)
            objection(fault, "the last line has no line end and may be cut; finish or remove it");
        else if (line_count(table, forward, line, line + length, fault))
            continue;
        fprintf(stderr, "[PAIRS] %s: line %" PRIu64 ": %s. No table is written.\n", path, number, fault);
        return objection(reason, "line %" PRIu64 ": %s", number, fault);
    }
    return true;
}

/* Builds the table of a trace. A malformed line is told with its number, and then no table is written (C03).
 */
bool pairs_build(const char *trace_path, const char *out_path, char reason[REASON_SIZE])
{
    uint64_t size;
    int descriptor = regular_file_open(trace_path, &size);
    if (descriptor < 0)
        return objection(reason, "the trace cannot be read: %s", file_problem());
    struct forward forward = {.kept = {{.layer = -1}, {.layer = -1}, {.layer = -1}}, .call = -1, .layer = -1};
    struct pair_table table = {0};
    struct lines lines;
    bool built = lines_start(&lines, descriptor) ? trace_count(&table, &forward, trace_path, &lines, reason)
                                                 : no_memory(reason);
    if (built && !pair_table_write(&table, out_path))
        built = objection(reason, "the table cannot be written: %s", file_problem());
    lines_end(&lines);
    close(descriptor);
    free(table.slots);
    for (size_t i = 0; i < KEPT_LAYERS; i++) {
        free(forward.kept[i].rows);
        free(forward.kept[i].experts);
    }
    return built;
}
