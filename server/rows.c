/* From rows to tables; see rows.h. */
#include "server/rows.h"
#include "api/problem.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/bug.h"
#include "base/clock.h"
#include "tables/wire.h"

static void copy_text(char *out, size_t cap, const char *text)
{
    (void)snprintf(out, cap, "%s", text ? text : "");
}

void srv_person_from_row(struct tab_person *person, const PGresult *rows, int row)
{
    *person = (struct tab_person){0};
    person->player_id = db_i64(rows, row, db_col(rows, "player_id"));
    person->bot = person->player_id == 0;
    person->bot_level = (uint8_t)db_i64(rows, row, db_col(rows, "bot_level"));
    copy_text(person->nick, sizeof(person->nick), db_text(rows, row, db_col(rows, "nickname")));
    copy_text(person->avatar, sizeof(person->avatar), db_text(rows, row, db_col(rows, "avatar")));
    int len =
        db_bytes(rows, row, db_col(rows, "client_seed"), person->seed.bytes, sizeof(person->seed.bytes));
    person->seed.len = (uint8_t)(len > 0 ? len : 0);
}

static uint8_t visibility_of(const char *word)
{
    return strcmp(word, "private") == 0  ? TAB_PRIVATE
           : strcmp(word, "public") == 0 ? TAB_PUBLIC
                                         : TAB_IN_ROOM;
}

static bool read_table(struct srv_rows *rows, const PGresult *res)
{
    struct tab_load *load = &rows->load;
    load->state = db_text(res, 0, db_col(res, "state"));
    load->params = db_text(res, 0, db_col(res, "params"));
    load->seats_n = (uint8_t)db_i64(res, 0, db_col(res, "seats_n"));
    load->hand_no = (uint32_t)db_i64(res, 0, db_col(res, "hand_no"));
    load->fill_unix_ms = db_i64(res, 0, db_col(res, "fill_at"));
    load->started_unix_ms = db_i64(res, 0, db_col(res, "started_at"));
    load->alive_unix_ms = db_i64(res, 0, db_col(res, "alive_at"));
    copy_text(load->room.name, sizeof(load->room.name), db_text(res, 0, db_col(res, "room_name")));
    copy_text(load->room.variant, sizeof(load->room.variant), db_text(res, 0, db_col(res, "variant")));
    copy_text(rows->node, sizeof(rows->node), db_text(res, 0, db_col(res, "node")));
    load->room.stake = db_i64(res, 0, db_col(res, "stake"));
    load->room.reward = db_i64(res, 0, db_col(res, "reward"));
    load->room.multiplier_tenths = (int32_t)db_i64(res, 0, db_col(res, "multiplier_tenths"));
    load->room.visibility = visibility_of(db_text(res, 0, db_col(res, "visibility")));
    load->room.bots_n = (uint8_t)db_i64(res, 0, db_col(res, "bots_n"));
    load->room.bots = db_bool(res, 0, db_col(res, "bots"));
    load->room.bot_level = (uint8_t)db_i64(res, 0, db_col(res, "room_bot_level"));
    return load->seats_n >= 2 && load->seats_n <= ENG_SEAT_MAX &&
           db_bytes(res, 0, db_col(res, "server_seed"), load->server_seed, 32) == 32 &&
           db_bytes(res, 0, db_col(res, "commit"), load->commit, 32) == 32;
}

static bool read_move(struct srv_rows *rows, size_t i, const PGresult *res, int row)
{
    struct tab_load_move *move = &rows->moves[i];
    int len = db_bytes(res, row, db_col(res, "move"), rows->bytes[i], sizeof(rows->bytes[i]));
    const char *command = db_text(res, row, db_col(res, "command"));
    if (len <= 0 || !command || strlen(command) >= TAB_COMMAND_ID_MAX)
        return false;
    *move = (struct tab_load_move){
        .v = (uint32_t)db_i64(res, row, db_col(res, "v")),
        .seat = (uint8_t)db_i64(res, row, db_col(res, "seat")),
        .bytes = rows->bytes[i],
        .len = (size_t)len,
        .hash = (uint64_t)db_i64(res, row, db_col(res, "hash")),
        .unix_ms = db_i64(res, row, db_col(res, "at")),
        .command_id = command,
    };
    return true;
}

bool srv_rows_read(struct srv_rows *rows, int64_t table_id, const PGresult *result)
{
    *rows = (struct srv_rows){.load.id = table_id};
    int n = PQntuples(result), kind = n > 0 ? db_col(result, "kind") : 0;
    if (n == 0 || !read_table(rows, result))
        return false;
    rows->moves = calloc((size_t)n, sizeof(*rows->moves));
    rows->bytes = calloc((size_t)n, sizeof(*rows->bytes));
    bool ok = rows->moves && rows->bytes;
    for (int row = 1; ok && row < n; row++) {
        if (db_text(result, row, kind)[0] == 's') {
            int64_t seat = db_i64(result, row, db_col(result, "seat"));
            ok = seat >= 0 && seat < rows->load.seats_n;
            if (!ok)
                break;
            srv_person_from_row(&rows->load.people[seat], result, row);
            rows->load.taken[seat] = true;
        } else {
            ok = read_move(rows, rows->load.moves_n, result, row);
            rows->load.moves_n++;
        }
    }
    rows->load.moves = rows->moves;
    if (!ok)
        srv_rows_free(rows);
    return ok;
}

void srv_rows_free(struct srv_rows *rows)
{
    free(rows->moves);
    free(rows->bytes);
    rows->moves = NULL;
    rows->bytes = NULL;
}

enum api_code srv_rows_snapshot(int64_t table_id, const PGresult *result, int seat, struct buf *out,
                                int64_t *v)
{
    struct srv_rows rows;
    if (!srv_rows_read(&rows, table_id, result))
        return API_INTERNAL;
    enum api_code code = API_INTERNAL;
    struct tab_table *table = malloc(sizeof(*table));
    if (table && seat >= 0 && seat < rows.load.seats_n && tab_replay(table, &rows.load)) {
        tab_wire_snapshot(out, table, (uint8_t)seat, clock_mono_ms());
        *v = table->events.last_v;
        code = API_OK;
    }
    if (table)
        tab_unload(table);
    free(table);
    srv_rows_free(&rows);
    return code;
}
