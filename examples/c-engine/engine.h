/* A small engine's routing telemetry: counters, the text history, IKU1 and the trace. */
#ifndef ENGINE_H
#define ENGINE_H

#include <stdbool.h>
#include <stdint.h>

/* Begin a session: this identity, these dimensions, every counter zero; ROUTE_TRACE is opened anew.
 * False when there is no memory for the counters. */
bool engine_init(const char *name, int n_layers, int n_experts);

/* This layer does not route: its row is gone, and nothing is credited to it any more. */
void engine_drop(int layer);

/* Add to one counter, which stays at its largest value. False where there is no such counter. */
bool engine_credit(int layer, int expert, uint32_t count);

/* The row of a layer, n_experts counters; NULL where it is dropped or outside 0..n_layers. */
const uint32_t *engine_row(int layer);

/* Count and trace one routing decision: k experts in selection order with the gates applied. */
void engine_route(int layer, int row, const int *ids, const float *gates, int k);

/* The moe call is over. */
void engine_end_call(void);

/* Read a history into the counters. `trusted`: the user typed the path. The total of the accepted records,
 * or -1 where the file was refused; the reason is on standard error then, and no counter has changed. */
int64_t engine_read(const char *path, bool trusted);

/* Write the history. False where that failed; an older history at `path` is then as it was. */
bool engine_save(const char *path);

#endif
