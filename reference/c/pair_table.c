/* The co-activation counts behind the pairs table, and the table's file. */
#include "coli.h"

#include <inttypes.h>
#include <stdlib.h>

enum { MOST_PARTNERS = 16 };

static struct pair *pair_slot(const struct pair_table *table, const struct pair *key)
{
    uint64_t hash = ((uint64_t)(uint32_t)key->layer << 32 | (uint32_t)key->expert) * 0x9e3779b97f4a7c15u;
    hash = (hash ^ hash >> 29 ^ (uint64_t)(uint32_t)key->partner << 1 ^ (uint64_t)key->ahead)
           * 0xbf58476d1ce4e5b9u;
    for (size_t i = (size_t)(hash >> 32);; i++) {
        struct pair *slot = &table->slots[i & (table->size - 1)];
        if (slot->count == 0
            || (slot->layer == key->layer && slot->ahead == key->ahead && slot->expert == key->expert
                && slot->partner == key->partner))
            return slot;
    }
}

static bool pair_table_grow(struct pair_table *table)
{
    struct pair_table larger = {.size = table->size ? table->size * 2 : 1024, .used = table->used};
    larger.slots = calloc(larger.size, sizeof *larger.slots);
    if (!larger.slots)
        return false;
    for (size_t i = 0; i < table->size; i++)
        if (table->slots[i].count)
            *pair_slot(&larger, &table->slots[i]) = table->slots[i];
    free(table->slots);
    *table = larger;
    return true;
}

/* False: no memory. */
bool pair_count(struct pair_table *table, struct pair key)
{
    if (table->used * 2 >= table->size && !pair_table_grow(table))
        return false;
    struct pair *slot = pair_slot(table, &key);
    if (slot->count == 0) {
        *slot = key;
        table->used++;
    }
    slot->count++;
    return true;
}

static int number_order(int64_t left, int64_t right)
{
    return (left > right) - (left < right);
}

/* Ascending layer, layers ahead and expert; then most frequent first, lower id first among equals. */
static int pair_order(const void *left_item, const void *right_item)
{
    const struct pair *left = left_item, *right = right_item;
    int order = number_order(left->layer, right->layer);
    order = order ? order : number_order(left->ahead, right->ahead);
    order = order ? order : number_order(left->expert, right->expert);
    if (left->count != right->count && !order)
        return left->count < right->count ? 1 : -1;
    return order ? order : number_order(left->partner, right->partner);
}

static bool same_line(const struct pair *left, const struct pair *right)
{
    return left->layer == right->layer && left->ahead == right->ahead && left->expert == right->expert;
}

/* Writes the table, which cannot be counted in any more. False, errno set: the file that was there is as it
 * was. */
bool pair_table_write(struct pair_table *table, const char *path)
{
    size_t n_pairs = 0, n_lines = 0;
    for (size_t i = 0; i < table->size; i++)
        if (table->slots[i].count)
            table->slots[n_pairs++] = table->slots[i];
    if (n_pairs)
        qsort(table->slots, n_pairs, sizeof *table->slots, pair_order);
    for (size_t i = 0; i < n_pairs; i++)
        n_lines += i == 0 || !same_line(&table->slots[i - 1], &table->slots[i]);

    struct replacement replacement;
    if (!replace_begin(&replacement, path))
        return false;
    fprintf(replacement.file, "COLIPAIRS 1 %zu\n", n_lines);
    for (size_t start = 0, next; start < n_pairs; start = next) {
        const struct pair *first = &table->slots[start];
        fprintf(replacement.file, "%" PRId32 " %" PRId32 " %" PRId32, first->layer, first->ahead,
                first->expert);
        for (next = start; next < n_pairs && same_line(first, &table->slots[next]); next++)
            if (next - start < MOST_PARTNERS)
                fprintf(replacement.file, " %" PRId32 ":%" PRIu64, table->slots[next].partner,
                        table->slots[next].count);
        putc('\n', replacement.file);
    }
    return replace_commit(&replacement);
}
