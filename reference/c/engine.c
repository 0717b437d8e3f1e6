/* Who the engine is, its counters, and the paths it refused to read. */
#include "coli.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

static const char *const registered_names[] = {
    "glm_moe_dsa", "inkling", "olmoe", "kimi_k3", "deepseek_v4", "qwen38", "glm53",
};

/* FNV-1a, 32 bits, over the bytes of the name (W07). */
uint32_t engine_id(const char *name)
{
    uint32_t hash = 2166136261u;
    for (; *name; name++)
        hash = (hash ^ (unsigned char)*name) * 16777619u;
    return hash;
}

const char *engine_name(const struct engine *engine, uint32_t id)
{
    if (id == engine->id)
        return engine->name;
    for (size_t i = 0; i < sizeof registered_names / sizeof *registered_names; i++)
        if (engine_id(registered_names[i]) == id)
            return registered_names[i];
    return NULL;
}

static size_t row_count(const struct engine *engine)
{
    return (size_t)engine->n_layers + 1;
}

static size_t cell_count(const struct engine *engine)
{
    return row_count(engine) * (size_t)engine->n_experts;
}

bool engine_start(struct engine *engine, const char *name, int32_t n_layers, int32_t n_experts)
{
    struct engine fresh = {.id = engine_id(name), .n_layers = n_layers, .n_experts = n_experts};
    memcpy(fresh.name, name, strlen(name) + 1);
    fresh.counts = engine_table(&fresh);
    fresh.dropped = calloc(row_count(&fresh), sizeof *fresh.dropped);
    if (!fresh.counts || !fresh.dropped) {
        engine_end(&fresh);
        return false;
    }
    engine_end(engine);
    *engine = fresh;
    return true;
}

void engine_end(struct engine *engine)
{
    free(engine->counts);
    free(engine->dropped);
    for (size_t i = 0; i < engine->n_refused; i++)
        free(engine->refused[i].path);
    free(engine->refused);
    memset(engine, 0, sizeof *engine);
}

uint32_t *engine_table(const struct engine *engine)
{
    return calloc(cell_count(engine), sizeof(uint32_t));
}

uint32_t *engine_cell(const struct engine *engine, uint32_t *table, int64_t layer, int64_t expert)
{
    return table + (size_t)layer * (size_t)engine->n_experts + (size_t)expert;
}

/* What was counted before the layer turned out not to route is forgotten, so that no save can write it (W09).
 */
void engine_drop(struct engine *engine, int32_t layer)
{
    engine->dropped[layer] = true;
    memset(engine_cell(engine, engine->counts, layer, 0), 0, (size_t)engine->n_experts * sizeof(uint32_t));
}

/* The admission rule (R10, R11): row n_layers is inside, a dropped row is not. */
bool engine_accepts(const struct engine *engine, int64_t layer, int64_t expert)
{
    return layer >= 0 && layer <= engine->n_layers && expert >= 0 && expert < engine->n_experts
           && !engine->dropped[layer];
}

/* A counter at its largest value stays there (W19, R22). */
void saturating_add(uint32_t *counter, uint32_t count)
{
    *counter = count > UINT32_MAX - *counter ? UINT32_MAX : *counter + count;
}

void engine_credit(struct engine *engine, const uint32_t *table)
{
    for (size_t i = 0; i < cell_count(engine); i++)
        if (table[i])
            saturating_add(&engine->counts[i], table[i]);
}

bool engine_has_counts(const struct engine *engine)
{
    for (size_t i = 0; i < cell_count(engine); i++)
        if (engine->counts[i])
            return true;
    return false;
}

/* A refused file is known by its path and by what stands there, so that "./x" and a hard link are found too.
 */
static bool is_same_file(const struct refused_path *refused, const char *path, const struct stat *status)
{
    return strcmp(refused->path, path) == 0
           || (refused->device == (uint64_t)status->st_dev && refused->inode == (uint64_t)status->st_ino);
}

bool refused_holds(const struct engine *engine, const char *path)
{
    struct stat status;
    if (stat(path, &status) != 0) /* nothing is there that a save could destroy */
        return false;
    for (size_t i = 0; i < engine->n_refused; i++)
        if (is_same_file(&engine->refused[i], path, &status))
            return true;
    return false;
}

void refused_remember(struct engine *engine, const char *path)
{
    struct stat status;
    if (refused_holds(engine, path) || stat(path, &status) != 0)
        return;
    struct refused_path *longer = realloc(engine->refused, (engine->n_refused + 1) * sizeof *longer);
    if (!longer)
        return;
    engine->refused = longer;
    char *copy = strdup(path);
    if (!copy)
        return;
    engine->refused[engine->n_refused++] =
        (struct refused_path){copy, (uint64_t)status.st_dev, (uint64_t)status.st_ino};
}

void refused_forget(struct engine *engine, const char *path)
{
    struct stat status;
    if (stat(path, &status) != 0)
        return;
    for (size_t i = engine->n_refused; i-- > 0;) {
        if (!is_same_file(&engine->refused[i], path, &status))
            continue;
        free(engine->refused[i].path);
        engine->refused[i] = engine->refused[--engine->n_refused];
    }
}
