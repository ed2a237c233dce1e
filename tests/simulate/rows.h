/* What statements are given and what they answer: arguments as db/args.h packs them, results as libpq holds
 * them. For statements.c. */
#ifndef RUMMYD_TESTS_SIMULATE_ROWS_H
#define RUMMYD_TESTS_SIMULATE_ROWS_H

#include "tests/simulate/store.h"

/* ---- Arguments, from 0 on ---- */
const char *arg_text(const struct args *args, int i);
int64_t arg_int(const struct args *args, int i);
size_t arg_bytes(const struct args *args, int i, void *out, size_t cap);
/* Of an array. */
size_t arg_items(const struct args *args, int i);
int64_t arg_item_int(const struct args *args, int i, size_t item);
size_t arg_item_bytes(const struct args *args, int i, size_t item, void *out, size_t cap);

/* ---- Results: value after value, row after row ---- */
void rows_begin(struct answer *answer, const char *columns);
void rows_text(struct answer *answer, const char *text); /* NULL: null */
void rows_int(struct answer *answer, int64_t number);
void rows_bool(struct answer *answer, bool value);
void rows_hex(struct answer *answer, const uint8_t *bytes, size_t len);
void rows_null(struct answer *answer);
/* player_id, bot_level, nickname, avatar, client_seed, program */
void rows_seat(struct answer *answer, const struct seat_row *seat);
/* All of a table, as api_table_rows_stmt; NULL: no row. */
void rows_of(struct answer *answer, const struct table *table);

/* Whether the results of a game say that the seat won. */
bool result_won(const char *results, size_t seat);

/* ---- Tickets ---- */
struct ticket_row *tickets_put(int64_t table, int64_t player, uint8_t seat);
struct ticket_row *tickets_find(const uint8_t id[16], int64_t table);
/* What was used within the last moments may be forgotten. */
void tickets_fail_over(void);

#endif
