/* IKU1, inkling's dense binary layout: read and written byte by byte, so that the host's byte order does not
 * matter. */
#include "coli.h"

#include <errno.h>
#include <inttypes.h>
#include <string.h>
#include <unistd.h>

enum { HEADER_SIZE = 12, WORD_SIZE = 4 };
static const unsigned char magic[WORD_SIZE] = {'I', 'K', 'U', '1'};

static uint32_t word_at(const unsigned char *bytes)
{
    return (uint32_t)bytes[0] | (uint32_t)bytes[1] << 8 | (uint32_t)bytes[2] << 16 | (uint32_t)bytes[3] << 24;
}

static bool read_at(int descriptor, unsigned char *bytes, size_t length, uint64_t offset)
{
    for (size_t done = 0; done < length;) {
        ssize_t got = pread(descriptor, bytes + done, length - done, (off_t)(offset + done));
        if (got < 0 && errno == EINTR)
            continue;
        if (got <= 0)
            return false;
        done += (size_t)got;
    }
    return true;
}

bool iku1_begins(int descriptor)
{
    unsigned char start[WORD_SIZE];
    return read_at(descriptor, start, WORD_SIZE, 0) && memcmp(start, magic, WORD_SIZE) == 0;
}

static void refuse_short(struct reading *reading, uint64_t size)
{
    snprintf(reading->reason, REASON_SIZE,
             "an IKU1 block of inkling cut short: %" PRIu64 " bytes are fewer than its header declares",
             size);
}

/* Collects the block into `table`; the caller credits it. Dimensions and size are judged from the header,
 * before a count is read (I03, I05, I06), and before identity: a path typed by the user would not get around
 * them. */
void iku1_read(struct engine *engine, int descriptor, uint64_t size, bool trusted, uint32_t *table,
               struct reading *reading)
{
    unsigned char header[HEADER_SIZE];
    if (size < HEADER_SIZE || !read_at(descriptor, header, HEADER_SIZE, 0)) {
        refuse_short(reading, size);
        return;
    }
    uint32_t layers = word_at(header + 4), experts = word_at(header + 8);
    if (layers != (uint32_t)engine->n_layers || experts != (uint32_t)engine->n_experts) {
        snprintf(reading->reason, REASON_SIZE,
                 "an IKU1 block of inkling with %" PRIu32 " x %" PRIu32
                 " (layers x experts), this engine is %s with %" PRId32 " x %" PRId32,
                 layers, experts, engine->name, engine->n_layers, engine->n_experts);
        return;
    }
    size_t row_size = (size_t)experts * WORD_SIZE;
    if (size < HEADER_SIZE + (uint64_t)layers * row_size) {
        refuse_short(reading, size);
        return;
    }
    if (engine->id != engine_id("inkling")) {
        snprintf(reading->reason, REASON_SIZE,
                 "written by inkling (IKU1, a binary layout), this engine is %s", engine->name);
        reading->identity_refused = !trusted;
        reading->identity_overridden = trusted;
        if (!trusted)
            return;
    }
    unsigned char row[EXPERT_LIMIT * WORD_SIZE];
    for (int32_t layer = 0; layer < engine->n_layers; layer++) {
        if (!read_at(descriptor, row, row_size, HEADER_SIZE + (uint64_t)layer * row_size)) {
            refuse_short(reading, size);
            return;
        }
        for (int32_t expert = 0; expert < engine->n_experts; expert++) {
            uint32_t count = word_at(row + (size_t)expert * WORD_SIZE);
            if (!engine_accepts(engine, layer, expert))
                continue;
            *engine_cell(engine, table, layer, expert) = count;
            reading->total += count;
        }
    }
    reading->accepted = true;
}

static void put_word(FILE *file, uint32_t word)
{
    for (int shift = 0; shift < 32; shift += 8)
        putc((int)(word >> shift & 0xff), file);
}

/* Rows 0..n_layers-1: the layout has no place for the MTP row. */
bool iku1_save(const struct engine *engine, const char *path)
{
    struct replacement replacement;
    if (!replace_begin(&replacement, path))
        return false;
    fwrite(magic, 1, sizeof magic, replacement.file);
    put_word(replacement.file, (uint32_t)engine->n_layers);
    put_word(replacement.file, (uint32_t)engine->n_experts);
    for (int32_t layer = 0; layer < engine->n_layers; layer++)
        for (int32_t expert = 0; expert < engine->n_experts; expert++)
            put_word(replacement.file, *engine_cell(engine, engine->counts, layer, expert));
    return replace_commit(&replacement);
}
