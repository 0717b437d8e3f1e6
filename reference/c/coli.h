/* The parts of the C engine: counters, files, the history, IKU1, the trace and the pairs table.
 *
 * Written from the contract alone; it shares no code and no data with the Python packages, so that a case
 * which passes on both has been understood twice. Ids in comments (R20, W16, ...) are clauses of the
 * contract.
 */
#ifndef COLI_H
#define COLI_H

/* Included first by every file, before any system header. */
#define _XOPEN_SOURCE 700
#define _FILE_OFFSET_BITS 64

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

enum { NAME_LIMIT = 63, LAYER_LIMIT = 1000, EXPERT_LIMIT = 4096, LINE_LIMIT = 1 << 20, REASON_SIZE = 256 };

/* ---- engine.c: who the engine is, and its counters ---- */

struct refused_path {
    char *path;
    uint64_t device, inode;
};

struct engine {
    char name[NAME_LIMIT + 1];
    uint32_t id;
    int32_t n_layers, n_experts;
    uint32_t *counts; /* [n_layers + 1][n_experts]; the last row is the MTP head's */
    bool *dropped;    /* [n_layers + 1] */
    struct refused_path *refused;
    size_t n_refused;
};

uint32_t engine_id(const char *name);
const char *engine_name(const struct engine *engine, uint32_t id); /* NULL: not a known id */
bool engine_start(struct engine *engine, const char *name, int32_t n_layers,
                  int32_t n_experts); /* false: no memory */
void engine_end(struct engine *engine);
void engine_drop(struct engine *engine, int32_t layer);
bool engine_accepts(const struct engine *engine, int64_t layer, int64_t expert);
uint32_t *
engine_table(const struct engine *engine); /* a second, empty table of the same shape; NULL: no memory */
uint32_t *engine_cell(const struct engine *engine, uint32_t *table, int64_t layer, int64_t expert);
void engine_credit(struct engine *engine, const uint32_t *table);
void saturating_add(uint32_t *counter, uint32_t count);
bool engine_has_counts(const struct engine *engine);

void refused_remember(struct engine *engine, const char *path);
void refused_forget(struct engine *engine, const char *path);
bool refused_holds(const struct engine *engine, const char *path);

/* ---- numbers.c: decimal text, whatever the locale ---- */

bool integer_read(const char **text, const char *end, int64_t lowest, int64_t highest, int64_t *value);
bool gate_read(const char *text, float *gate);
void gate_print(FILE *file, float gate);

/* ---- lines.c: lines of any bytes, in bounded memory ---- */

enum line_status { LINE_READ, LINE_UNFINISHED, LINE_TOO_LONG, LINE_END, LINE_ERROR };

struct lines {
    int descriptor;
    char *buffer;
    size_t start, end;
    bool skipping, ended;
};

int regular_file_open(const char *path,
                      uint64_t *size); /* -1, errno set: not there, not readable, not a regular file */
const char *file_problem(void);        /* errno in words, EINVAL as what the function above means by it */
bool lines_start(struct lines *lines, int descriptor);
enum line_status lines_next(struct lines *lines, char **text, size_t *length);
bool lines_waiting(const struct lines *lines);
void lines_end(struct lines *lines);

/* ---- replace.c: a new file beside the old one, then a rename over it ---- */

struct replacement {
    FILE *file;
    char *path, *temporary;
};

/* Both false: errno says why, and the old file is as it was. */
bool replace_begin(struct replacement *replacement, const char *path);
bool replace_commit(struct replacement *replacement);

/* ---- history.c: the text history, and the choice between it and IKU1 ---- */

struct reading {
    bool accepted;
    bool identity_overridden; /* a trusted read took another engine's file */
    bool identity_refused;    /* the one kind of refusal a typed path gets around */
    uint64_t total;
    char reason[REASON_SIZE];
};

struct header_record {
    int32_t number, second;
    uint32_t third;
};

void history_read(struct engine *engine, const char *path, bool trusted, struct reading *reading);
bool history_save(const struct engine *engine, const char *path, const struct header_record *records,
                  size_t n_records);
const char *
header_record_objection(int32_t number); /* NULL: agreed, and an engine may be asked to write it */

/* ---- iku1.c: the dense binary layout ---- */

bool iku1_begins(int descriptor);
void iku1_read(struct engine *engine, int descriptor, uint64_t size, bool trusted, uint32_t *table,
               struct reading *reading);
bool iku1_save(const struct engine *engine, const char *path);

/* ---- trace.c: the ROUTE_TRACE stream ---- */

struct choice {
    int64_t expert;
    float gate;
};

struct trace {
    FILE *file;
    char *path;
    uint64_t call;
};

void trace_start(struct trace *trace, const char *path);
void trace_decision(struct trace *trace, int32_t row, int32_t layer, const struct choice *choices,
                    size_t n_choices);
void trace_flush(struct trace *trace);
void trace_end(struct trace *trace);

/* ---- pair_table.c: co-activation counts and their file ---- */

struct pair {
    int32_t layer, ahead, expert, partner;
    uint64_t count; /* positions; 0: the slot is free */
};

/* Open addressing; `size` is a power of two and the table at most half full. */
struct pair_table {
    struct pair *slots;
    size_t size, used;
};

bool pair_count(struct pair_table *table, struct pair key);
bool pair_table_write(struct pair_table *table, const char *path);

/* ---- pairs.c: from a trace to the table COUPLE= prefetches from ---- */

bool pairs_build(const char *trace_path, const char *out_path, char reason[REASON_SIZE]);

/* ---- fields.c and verbs.c: the driver's commands ---- */

enum { MOST_RECORDS = 64 };

struct session {
    struct engine engine;
    struct trace trace;
    struct header_record records[MOST_RECORDS]; /* asked for, written by the next save */
    size_t n_records;
    bool started;
};

char *field_next(char **rest);
bool fields_end(char **rest);
bool number_next(char **rest, int64_t lowest, int64_t highest, int64_t *number);
void session_perform(struct session *session, char *line, size_t length);

#endif
