/* Converts a table's rows (api_table_rows_stmt) to the structures of tables/. Hub thread and REST loops. */
#ifndef RUMMYD_SERVER_JOURNAL_TABLE_ROWS_H
#define RUMMYD_SERVER_JOURNAL_TABLE_ROWS_H

#include "api/core/problem.h"
#include "base/buf.h"
#include "db/pg.h"
#include "tables/replay.h"

/* Owns the memory that load points to. */
struct srv_rows {
    struct tab_load load;
    char node[TAB_NAME_MAX]; /* the table's owner */
    bool asleep;             /* no node owns the table; it must be woken first (do_wake_table) */
    struct tab_hand *hands;
    struct tab_load_move *moves;
    uint8_t (*bytes)[ENG_MOVE_BYTES_MAX];
};

/* Reads a seat's columns: player_id, bot_level, nickname, avatar, client_seed, and program. */
void srv_person_from_row(struct tab_person *person, const PGresult *rows, int row);
/* false: no such table, or out of memory. Rows that this program did not write set load.unreadable. Strings
 * are valid as long as the result. */
bool srv_rows_read(struct srv_rows *rows, int64_t table_id, const PGresult *result);
void srv_rows_free(struct srv_rows *rows);

/* The port for GET /v1/tables/{id}: builds a snapshot frame for `seat` from the rows. */
enum api_code srv_rows_snapshot(int64_t table_id, const PGresult *result, int seat, struct buf *out,
                                int64_t *v);

#endif
