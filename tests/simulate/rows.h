/* Arguments of statements as packed by db/args.h, and results as held by libpq. For statements.c. */
#ifndef RUMMYD_TESTS_SIMULATE_ROWS_H
#define RUMMYD_TESTS_SIMULATE_ROWS_H

#include "tests/simulate/store.h"

/* ---- Arguments, numbered from 0 ---- */
const char *arg_text(const struct args *args, int i);
int64_t arg_int(const struct args *args, int i);
size_t arg_bytes(const struct args *args, int i, void *out, size_t cap);
/* For an array. */
size_t arg_items(const struct args *args, int i);
int64_t arg_item_int(const struct args *args, int i, size_t item);
size_t arg_item_bytes(const struct args *args, int i, size_t item, void *out, size_t cap);

/* ---- Results: value by value, row by row ---- */
void rows_begin(struct answer *answer, const char *columns);
void rows_text(struct answer *answer, const char *text); /* NULL: null */
void rows_int(struct answer *answer, int64_t number);
void rows_bool(struct answer *answer, bool value);
void rows_hex(struct answer *answer, const uint8_t *bytes, size_t len);
void rows_null(struct answer *answer);
/* player_id, bot_level, nickname, avatar, client_seed, program */
void rows_seat(struct answer *answer, const struct seat_row *seat);
/* All rows of a table, like api_table_rows_stmt; NULL gives no row. */
void rows_of(struct answer *answer, const struct table *table);

/* Whether the seat won according to a game's results. */
bool result_won(const char *results, size_t seat);

/* ---- Tickets ---- */
struct ticket_row *tickets_put(int64_t table, int64_t player, uint8_t seat);
struct ticket_row *tickets_find(const uint8_t id[16], int64_t table);
/* Tickets used within the last moments may be lost. */
void tickets_fail_over(void);

#endif
