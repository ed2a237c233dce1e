/* Rows of a table (api_table_rows_stmt) as tables/ wants them. Hub thread and REST loops. */
#ifndef RUMMYD_SERVER_JOURNAL_TABLE_ROWS_H
#define RUMMYD_SERVER_JOURNAL_TABLE_ROWS_H

#include "api/problem.h"
#include "base/buf.h"
#include "db/pg.h"
#include "tables/replay.h"

/* Owns what load points to. */
struct srv_rows {
    struct tab_load load;
    char node[TAB_NAME_MAX]; /* whose table it is */
    bool asleep;             /* nobody's now: it must be woken first (do_wake_table) */
    struct tab_hand *hands;
    struct tab_load_move *moves;
    uint8_t (*bytes)[ENG_MOVE_BYTES_MAX];
};

/* A seat's columns: player_id, bot_level, nickname, avatar, client_seed, program. */
void srv_person_from_row(struct tab_person *person, const PGresult *rows, int row);
/* false: no such table, or memory is short. Rows that no program of ours wrote make load.unreadable. Texts
 * live as long as the result. */
bool srv_rows_read(struct srv_rows *rows, int64_t table_id, const PGresult *result);
void srv_rows_free(struct srv_rows *rows);

/* The port of GET /v1/tables/{id}: a snapshot frame from the rows, as `seat` sees it. */
enum api_code srv_rows_snapshot(int64_t table_id, const PGresult *result, int seat, struct buf *out,
                                int64_t *v);

#endif
