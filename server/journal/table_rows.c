/* Converts rows to tables; see table_rows.h. */
#include "server/journal/table_rows.h"
#include "api/core/problem.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/bug.h"
#include "base/clock.h"
#include "tables/wire.h"

static void copy_text(char *out, size_t cap, const char *text)
{
    ASSERT(cap > 0);
    (void)snprintf(out, cap, "%s", text ? text : "");
}

void srv_person_from_row(struct tab_person *person, const PGresult *rows, int row)
{
    *person = (struct tab_person){0};
    person->player_id = db_i64(rows, row, db_col(rows, "player_id"));
    person->bot = person->player_id == 0;
    person->program = db_bool(rows, row, db_col(rows, "program"));
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
           : strcmp(word, "house") == 0  ? TAB_HOUSE
                                         : TAB_IN_ROOM;
}

static bool read_deal(struct tab_deal *deal, const PGresult *res)
{
    deal->id = db_i64(res, 0, db_col(res, "deal_id"));
    return deal->id == 0 || db_bytes(res, 0, db_col(res, "deal_seed"), deal->seed, 32) == 32;
}

static bool read_table(struct srv_rows *rows, const PGresult *res)
{
    struct tab_load *load = &rows->load;
    load->state = db_text(res, 0, db_col(res, "state"));
    load->params = db_text(res, 0, db_col(res, "params"));
    load->seats_n = (uint8_t)db_i64(res, 0, db_col(res, "seats_n"));
    load->hand_no = (uint32_t)db_i64(res, 0, db_col(res, "hand_no"));
    load->fill_in_ms = db_i64(res, 0, db_col(res, "fill_in"));
    load->started_unix_ms = db_i64(res, 0, db_col(res, "started_at"));
    load->heard_unix_ms = db_i64(res, 0, db_col(res, "heard_at"));
    copy_text(load->room.name, sizeof(load->room.name), db_text(res, 0, db_col(res, "room_name")));
    copy_text(load->room.variant, sizeof(load->room.variant), db_text(res, 0, db_col(res, "variant")));
    copy_text(rows->node, sizeof(rows->node), db_text(res, 0, db_col(res, "node")));
    load->room.stake = db_i64(res, 0, db_col(res, "stake"));
    load->room.reward = db_i64(res, 0, db_col(res, "reward"));
    load->room.multiplier_tenths = (int32_t)db_i64(res, 0, db_col(res, "multiplier_tenths"));
    load->room.visibility = visibility_of(db_text(res, 0, db_col(res, "visibility")));
    load->room.bots_n = (uint8_t)db_i64(res, 0, db_col(res, "bots_n"));
    load->room.creator_id = db_i64(res, 0, db_col(res, "creator_id"));
    load->room.club_id = db_i64(res, 0, db_col(res, "club_id"));
    copy_text(load->room.club, sizeof(load->room.club), db_text(res, 0, db_col(res, "club")));
    load->room.turn_hours = (uint8_t)db_i64(res, 0, db_col(res, "turn_hours"));
    rows->asleep = db_bool(res, 0, db_col(res, "asleep"));
    load->turn_v = (uint32_t)db_i64(res, 0, db_col(res, "turn_v"));
    load->turn_seats = (uint8_t)db_i64(res, 0, db_col(res, "turn_seats"));
    int due = db_col(res, "turn_due");
    load->turn_due_unix_ms = PQgetisnull(res, 0, due) ? INT64_MAX : db_i64(res, 0, due);
    load->room.bots = db_bool(res, 0, db_col(res, "bots"));
    load->practice = db_bool(res, 0, db_col(res, "practice"));
    load->room.bot_level = (uint8_t)db_i64(res, 0, db_col(res, "room_bot_level"));
    return load->seats_n >= 2 && load->seats_n <= ENG_SEAT_MAX && read_deal(&load->deal, res) &&
           db_bytes(res, 0, db_col(res, "server_seed"), load->server_seed, 32) == 32 &&
           db_bytes(res, 0, db_col(res, "commit"), load->commit, 32) == 32;
}

/* Each seed is preceded by a byte with its length. */
static bool read_seeds(struct tab_hand *hand, const uint8_t *packed, int len, int seats)
{
    int at = 0;
    ASSERT(seats >= 2 && seats <= ENG_SEAT_MAX);
    for (int i = 0; i < seats; i++) {
        int n = at < len ? packed[at++] : ENG_CLIENT_SEED_MAX + 1;
        if (n > ENG_CLIENT_SEED_MAX || at + n > len)
            return false;
        hand->seeds[i].len = (uint8_t)n;
        memcpy(hand->seeds[i].bytes, packed + at, (size_t)n);
        at += n;
    }
    return at == len;
}

static bool read_hand(struct tab_hand *hand, const PGresult *res, int row, int seats)
{
    uint8_t packed[ENG_SEAT_MAX * (1 + ENG_CLIENT_SEED_MAX)];
    *hand = (struct tab_hand){.no = (uint32_t)db_i64(res, row, db_col(res, "hand_no")),
                              .dealt_unix_ms = db_i64(res, row, db_col(res, "started_at"))};
    int seeds = db_col(res, "client_seed");
    int len = PQgetisnull(res, row, seeds) ? -1 : db_bytes(res, row, seeds, packed, sizeof(packed));
    return db_bytes(res, row, db_col(res, "server_seed"), hand->server_seed, 32) == 32 &&
           db_bytes(res, row, db_col(res, "commit"), hand->commit, 32) == 32 &&
           (hand->dealt_unix_ms == 0 || read_seeds(hand, packed, len, seats));
}

static bool read_move(struct srv_rows *rows, size_t i, const PGresult *res, int row)
{
    struct tab_load_move *move = &rows->moves[i];
    int len = db_bytes(res, row, db_col(res, "move"), rows->bytes[i], sizeof(rows->bytes[i]));
    const char *command = db_text(res, row, db_col(res, "command"));
    if (len <= 0 || !command || strlen(command) >= TAB_COMMAND_ID_MAX)
        return false;
    *move = (struct tab_load_move){
        .hand_no = (uint32_t)db_i64(res, row, db_col(res, "hand_no")),
        .v = (uint32_t)db_i64(res, row, db_col(res, "v")),
        .seat = (uint8_t)db_i64(res, row, db_col(res, "seat")),
        .bytes = rows->bytes[i],
        .len = (size_t)len,
        .hash = (uint64_t)db_i64(res, row, db_col(res, "hash")),
        .unix_ms = db_i64(res, row, db_col(res, "at")),
        .command_id = command,
        .time_bank_ms = db_i64(res, row, db_col(res, "time_bank_ms")),
        .hand_clock_ms = db_i64(res, row, db_col(res, "hand_clock_ms")),
    };
    return true;
}

static bool read_seat(struct srv_rows *rows, const PGresult *result, int row)
{
    int64_t seat = db_i64(result, row, db_col(result, "seat"));
    if (seat < 0 || seat >= rows->load.seats_n)
        return false;
    srv_person_from_row(&rows->load.people[seat], result, row);
    rows->load.taken[seat] = true;
    return true;
}

static bool read_row(struct srv_rows *rows, const PGresult *result, int row, char kind)
{
    switch (kind) {
    case 's':
        return read_seat(rows, result, row);
    case 'h':
        return read_hand(&rows->hands[rows->load.hands_n++], result, row, rows->load.seats_n);
    default:
        return read_move(rows, rows->load.moves_n++, result, row);
    }
}

bool srv_rows_read(struct srv_rows *rows, int64_t table_id, const PGresult *result)
{
    *rows = (struct srv_rows){.load.id = table_id};
    int n = PQntuples(result), kind = n > 0 ? db_col(result, "kind") : 0;
    if (n == 0)
        return false;
    size_t hands = 1;
    for (int row = 1; row < n; row++)
        hands += db_text(result, row, kind)[0] == 'h';
    rows->hands = calloc(hands, sizeof(*rows->hands));
    rows->moves = calloc((size_t)n, sizeof(*rows->moves));
    rows->bytes = calloc((size_t)n, sizeof(*rows->bytes));
    if (!rows->hands || !rows->moves || !rows->bytes) {
        srv_rows_free(rows);
        return false;
    }
    bool ok = read_table(rows, result);
    for (int row = 1; ok && row < n; row++)
        ok = read_row(rows, result, row, db_text(result, row, kind)[0]);
    rows->load.unreadable = !ok;
    rows->load.hands = rows->hands;
    rows->load.moves = rows->moves;
    return true;
}

void srv_rows_free(struct srv_rows *rows)
{
    free(rows->hands);
    free(rows->moves);
    free(rows->bytes);
    rows->hands = NULL;
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
    struct tab_table *table = calloc(1, sizeof(*table));
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
