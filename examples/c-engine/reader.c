/* Reading a history: first the whole file is checked, then its records are credited, so that a refused one
 * changes nothing (R07, R20). */
#define _XOPEN_SOURCE 700
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "engine.h"
#include "state.h"

static const char *const KNOWN[] = {"glm_moe_dsa", "inkling",     "olmoe", "kimi_k3",
                                    "qwen38",      "deepseek_v4", "glm53"};

/* A path that was refused, resolved, so that another spelling of it is the same file. */
struct refused {
    struct refused *next;
    char path[];
};
static struct refused *refused_paths;

static void remember_refused(const char *path)
{
    char *resolved = realpath(path, NULL);
    struct refused *entry = resolved ? malloc(sizeof *entry + strlen(resolved) + 1) : NULL;
    if (entry) {
        strcpy(entry->path, resolved);
        entry->next = refused_paths;
        refused_paths = entry;
    }
    free(resolved);
}

bool was_refused(const char *path)
{
    char *resolved = realpath(path, NULL);
    bool found = false;
    for (const struct refused *entry = refused_paths; resolved && entry && !found; entry = entry->next)
        found = strcmp(entry->path, resolved) == 0;
    free(resolved);
    return found;
}

void forget_refused(void)
{
    while (refused_paths) {
        struct refused *next = refused_paths->next;
        free(refused_paths);
        refused_paths = next;
    }
}

/* The writer in words: by name where the id is known (R18). */
static const char *writer_of(uint32_t id)
{
    static char unknown[64];
    if (id == id_of(engine.name))
        return engine.name;
    for (size_t i = 0; i < sizeof KNOWN / sizeof *KNOWN; i++)
        if (id_of(KNOWN[i]) == id)
            return KNOWN[i];
    snprintf(unknown, sizeof unknown, "an unknown engine (id %" PRIu32 ")", id);
    return unknown;
}

/* Always false, which is what the caller's check comes to. */
static bool refuse(const char *path, const char *writer, const char *reason)
{
    fprintf(stderr, "[USAGE] %s: written by %s, this engine is %s - refusing: %s\n", path, writer, engine.name,
            reason);
    return false;
}

/* The checks that trust does not relax come first: only an identity has a way past (R03-R06). */
static bool same_dimensions(const char *path, const char *writer, int64_t n_layers, int64_t n_experts)
{
    char reason[128];
    snprintf(reason, sizeof reason, "it has %" PRId64 " layers of %" PRId64 " experts and this engine has %d of %d",
             n_layers, n_experts, engine.n_layers, engine.n_experts);
    return (n_layers == engine.n_layers && n_experts == engine.n_experts) || refuse(path, writer, reason);
}

static bool same_identity(const char *path, uint32_t id, bool trusted)
{
    static bool said;
    if (id == id_of(engine.name))
        return true;
    if (!trusted) {
        char reason[4200];
        snprintf(reason, sizeof reason, "pass PIN=%s to use it anyway", path);
        return refuse(path, writer_of(id), reason);
    }
    if (!said) /* once per process (R19) */
        fprintf(stderr, "[USAGE] %s: written by %s, this engine is %s - using it, its path was typed\n", path,
                writer_of(id), engine.name);
    said = true;
    return true;
}

/* The next character of a number or a blank is read with getc: a history can be larger than memory. */
static int skip_blanks(FILE *file)
{
    int c;
    do
        c = getc(file);
    while (c == ' ' || c == '\t');
    return c;
}

/* One decimal integer within low..high, `c` being its first character; *after is the one behind it. */
static bool number(FILE *file, int c, int64_t low, int64_t high, int64_t *value, int *after)
{
    bool negative = c == '-', digits = false;
    *value = 0;
    for (c = negative ? getc(file) : c; c >= '0' && c <= '9'; c = getc(file)) {
        digits = true;
        *value = *value * 10 + (negative ? '0' - c : c - '0');
        if (*value < low || *value > high)
            return false; /* never wrapped into another number (R21) */
    }
    *after = c;
    return digits;
}

/* The next record. False at the end, and at the first line that is none: reading stops there (R23). */
static bool next_record(FILE *file, int64_t field[3])
{
    static const int64_t LOW[3] = {INT32_MIN, INT32_MIN, 0}, HIGH[3] = {INT32_MAX, INT32_MAX, UINT32_MAX};
    int c;
    do
        c = skip_blanks(file);
    while (c == '\n' || c == '\r'); /* blank lines (R12) */
    for (int i = 0; i < 3; i++) {
        if (!number(file, c, LOW[i], HIGH[i], &field[i], &c))
            return false;
        bool blank = c == ' ' || c == '\t';
        if (blank)
            c = skip_blanks(file);
        if (i < 2 && !blank)
            return false;
    }
    if (c == '\r')
        c = getc(file);
    return c == '\n' || c == EOF;
}

static bool check_text(FILE *file, const char *path, bool trusted)
{
    int64_t field[3], version = FORMAT_VERSION, dimensions[2] = {engine.n_layers, engine.n_experts};
    uint32_t id = id_of(engine.name);
    bool named = false;
    while (next_record(file, field)) { /* -3 and below, and what a later version adds, is skipped (R02) */
        if (field[0] == -1 && dimensions[0] == engine.n_layers && dimensions[1] == engine.n_experts) {
            dimensions[0] = field[1];
            dimensions[1] = field[2];
        } else if (field[0] == -2) {
            version = version == FORMAT_VERSION ? field[1] : version;
            id = id == id_of(engine.name) ? (uint32_t)field[2] : id;
            named = true;
        }
    }
    const char *writer = named ? writer_of(id) : "an engine it does not name";
    if (version != FORMAT_VERSION) {
        char reason[128];
        snprintf(reason, sizeof reason, "it has format version %" PRId64 " and this engine reads version %d", version,
                 FORMAT_VERSION);
        return refuse(path, writer, reason);
    }
    return same_dimensions(path, writer, dimensions[0], dimensions[1]) && same_identity(path, id, trusted);
}

static int64_t read_text(FILE *file, const char *path, bool trusted)
{
    if (!check_text(file, path, trusted))
        return -1;
    if (ferror(file)) { /* a folder, or a failing disk */
        fprintf(stderr, "[USAGE] %s: cannot be read (%s)\n", path, strerror(errno));
        return -1;
    }
    int64_t field[3], total = 0;
    for (rewind(file); next_record(file, field);)
        if (field[0] >= 0 && engine_credit((int)field[0], (int)field[1], (uint32_t)field[2]))
            total += field[2]; /* accepted records only (R09) */
    return total;
}

static uint32_t little_endian(const unsigned char *bytes)
{
    return bytes[0] | (uint32_t)bytes[1] << 8 | (uint32_t)bytes[2] << 16 | (uint32_t)bytes[3] << 24;
}

/* The block of an IKU1 file that passes the checks, to be freed, or NULL. The dimensions it declares are
 * compared before anything is allocated, however huge they are (I05). */
static unsigned char *checked_block(FILE *file, const char *path, bool trusted, size_t size)
{
    unsigned char head[8], *block = NULL;
    if (fread(head, 1, sizeof head, file) != sizeof head)
        refuse(path, "inkling", "it is cut in its header");
    else if (same_dimensions(path, "inkling", little_endian(head), little_endian(head + 4)))
        block = malloc(size);
    if (block && fread(block, 1, size, file) != size)
        refuse(path, "inkling", "it is cut, its block is shorter than its dimensions say");
    else if (block && same_identity(path, id_of("inkling"), trusted))
        return block;
    free(block);
    return NULL;
}

static int64_t read_iku1(FILE *file, const char *path, bool trusted)
{
    size_t cells = (size_t)engine.n_layers * (size_t)engine.n_experts; /* it has no row for the MTP head */
    unsigned char *block = checked_block(file, path, trusted, 4 * cells);
    if (!block)
        return -1;
    int64_t total = 0;
    for (size_t cell = 0; cell < cells; cell++) {
        uint32_t count = little_endian(block + 4 * cell);
        if (count && engine_credit((int)cell / engine.n_experts, (int)cell % engine.n_experts, count))
            total += count;
    }
    free(block);
    return total;
}

int64_t engine_read(const char *path, bool trusted)
{
    FILE *file = fopen(path, "rb");
    if (!file && errno == ENOENT)
        return 0; /* a missing history is an empty one (R24) */
    char magic[4];
    int64_t total = -1;
    if (!file) {
        fprintf(stderr, "[USAGE] %s: cannot be read (%s)\n", path, strerror(errno));
    } else if (fread(magic, 1, sizeof magic, file) == sizeof magic && memcmp(magic, "IKU1", sizeof magic) == 0) {
        total = read_iku1(file, path, trusted);
    } else if (fseek(file, 0, SEEK_SET) != 0) {
        fprintf(stderr, "[USAGE] %s: is not a file that can be read twice\n", path);
    } else {
        total = read_text(file, path, trusted);
    }
    if (file)
        fclose(file);
    if (total < 0)
        remember_refused(path);
    return total;
}
