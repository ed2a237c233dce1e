/* /v1/games: the player's history, one finished game, and its record. REST loops. */
#include "api/play/games.h"

#include "api/core/operations.h"
#include "api/core/page.h"
#include "api/core/rows.h"
#include "base/bug.h"

#include <inttypes.h>

enum { HAND_NO_MAX = 99 };

#define GAME_TIMES API_ROW_TIME("g.started_at", "started_at") ", " API_ROW_TIME("g.ended_at", "ended_at")

/* Whether the player of parameter `p` may see game g. Ids can be enumerated, so private games, and games of
 * a deal that others have yet to play, are visible only to those who played in them. Games of a club's
 * table are also visible to its members. */
#define GAME_SHOWN(p)                                                                                        \
    "(EXISTS (SELECT 1 FROM tables t WHERE t.id = g.table_id AND t.visibility <> 'private' AND "             \
    "deal_is_open(t.deal_id) AND club_admits(t.club_id, " p ")) OR "                                         \
    "EXISTS (SELECT 1 FROM game_players m WHERE m.game_id = g.id AND m.player_id = " p "))"

/* Whether the player is a bot account. Bot accounts play only at tables without a stake, whose games are
 * practice. */
#define IS_PROGRAM(p)                                                                                        \
    "(g.practice AND EXISTS (SELECT 1 FROM players b WHERE b.id = " p ".player_id AND b.kind = 'bot'))"

/* Whether others have yet to play the deal of a visible game. */
#define GAME_HIDDEN "NOT deal_is_open((SELECT t.deal_id FROM tables t WHERE t.id = g.table_id)) AS hidden"

static bool is_hidden(const PGresult *rows)
{
    return db_bool(rows, 0, db_col(rows, "hidden"));
}

/* The members that the list and the single game have in common. */
static void write_head(struct buf *out, const PGresult *rows, int i)
{
    api_row_id(out, rows, i, "id");
    api_row_id(out, rows, i, "table_id");
    api_row_text(out, rows, i, "variant");
    api_row_text(out, rows, i, "room");
    api_row_time(out, rows, i, "started_at");
    api_row_time(out, rows, i, "ended_at");
    api_row_bool(out, rows, i, "rated");
    api_row_bool(out, rows, i, "practice");
}

/* GET /v1/games: optionally, the games that ended within a time range. game_at finds the range of ids, with
 * an hour added on either side, because ids are assigned shortly before games end. */

#define GAMES_OF_PLAYER                                                                                      \
    "SELECT g.id, g.table_id, g.variant, g.room_id AS room, " GAME_TIMES                                     \
    ", g.rated, g.practice, p.took_part, p.same_people, p.place, p.points, "                                 \
    "p.game_points, p.rummy, p.clover, p.silver, p.gold, " GAME_HIDDEN ", "                                  \
    "(SELECT json_agg(json_build_object('player_id', o.player_id::text, 'nickname', o.nickname, 'avatar', "  \
    "o.avatar, 'bot', o.player_id IS NULL OR " IS_PROGRAM("o") ", 'program', " IS_PROGRAM(                   \
        "o") ", 'place', o.place) ORDER BY o.place, o.seat) FROM game_players o WHERE o.game_id = g.id AND " \
             "o.seat <> p.seat) AS opponents FROM game_players p JOIN games g ON g.id = p.game_id "          \
             "WHERE p.player_id = $1 AND p.game_id < least($2, game_at($5::bigint + 3600000)) "              \
             "AND p.game_id >= coalesce(game_at($4::bigint - 3600000), 0) "                                  \
             "AND ($4 IS NULL OR " API_ROW_MS("g.ended_at") " >= $4) AND ($5 IS NULL OR " API_ROW_MS(        \
                 "g.ended_at") " < $5) "
#define NEWEST_GAMES "ORDER BY p.game_id DESC LIMIT $3"

static const struct db_stmt games_of_player = {"games_of_player", GAMES_OF_PLAYER NEWEST_GAMES, 5};
static const struct db_stmt games_of_variant = {"games_of_variant",
                                                GAMES_OF_PLAYER "AND p.variant = $6 " NEWEST_GAMES, 6};

static enum api_next bind_games(struct api_request *request)
{
    api_check_variant(request);
    (void)api_page_bind(request);
    enum api_next next = api_bind_times(request);
    if (request->variant) {
        db_args_text(&request->args, request->variant);
        request->stmt = &games_of_variant;
    }
    return next;
}

static void write_game(struct buf *out, const PGresult *rows, int i)
{
    json_open(out, '{');
    write_head(out, rows, i);
    api_row_bool(out, rows, i, "took_part");
    api_row_bool(out, rows, i, "same_people");
    api_row_int(out, rows, i, "place");
    api_row_int(out, rows, i, "points");
    api_row_int(out, rows, i, "game_points");
    api_row_bool(out, rows, i, "rummy");
    api_row_int(out, rows, i, "clover");
    api_row_int(out, rows, i, "silver");
    api_row_int(out, rows, i, "gold");
    api_row_bool(out, rows, i, "hidden");
    json_key(out, "opponents");
    json_raw(out, api_row_get(rows, i, "opponents"));
    json_close(out, '}');
}

static enum api_next reply_games(struct api_request *request, const PGresult *rows)
{
    return api_page_reply(request, rows, write_game);
}

/* GET /v1/games/{game}: one row per seat. */

static const struct db_stmt game_by_id = {
    "game_by_id",
    "SELECT g.id, g.table_id, g.hand_no, g.variant, g.room_id AS room, " GAME_TIMES
    ", g.rated, g.practice, g.ending, " GAME_HIDDEN
    ", (SELECT coalesce(d.number, d.id, t.id) FROM tables t LEFT JOIN deals d ON d.id = t.deal_id "
    "WHERE t.id = g.table_id) AS dealt_as, "
    "encode(g.commit, 'hex') AS commit, "
    "encode((SELECT z.server_seed FROM q_game_hands(g.id) z WHERE z.hand_no = g.hand_no), 'hex') AS "
    "server_seed, "
    "encode(p.client_seed, 'hex') AS client_seed, p.seat, p.player_id, p.nickname, p.avatar, p.place, "
    "p.points, " IS_PROGRAM(
        "p") " AS program, p.game_points, p.opened, p.cards_left, p.rummy, p.left_early, p.turns, "
             "p.own_turns, p.took_part, p.same_people, p.clover, p.silver, "
             "p.gold, "
             "p.silver_lost, "
             "(SELECT json_agg(json_build_object('hand_no', h.hand_no, 'commit', encode(h.commit, 'hex'), "
             "'server_seed', "
             "encode(z.server_seed, 'hex'), 'client_seeds', unpack_seeds(h.client_seeds), 'ending', "
             "h.ending, "
             "'scores', "
             "(SELECT json_agg(json_build_object('seat', (s->>'seat')::int, 'points', (s->>'points')::int, "
             "'total', "
             "(s->>'total')::int, 'place', (s->>'place')::int) ORDER BY (s->>'seat')::int) FROM "
             "jsonb_array_elements(h.results) "
             "s)) ORDER BY h.hand_no) FROM hands h JOIN q_game_hands(g.id) z ON z.hand_no = h.hand_no "
             "WHERE h.table_id = g.table_id) AS hands "
             "FROM games g JOIN game_players p ON p.game_id = g.id WHERE g.id = $2 AND " GAME_SHOWN(
                 "$1") " ORDER BY p.seat",
    2};

static void write_result(struct buf *out, const PGresult *rows, int i, int64_t reader)
{
    const char *player = api_row_get(rows, i, "player_id");
    bool own = player && api_row_get_int(rows, i, "player_id") == reader;
    json_open(out, '{');
    api_row_int(out, rows, i, "seat");
    api_row_id(out, rows, i, "player_id");
    api_row_text(out, rows, i, "nickname");
    api_row_text(out, rows, i, "avatar");
    bool program = db_bool(rows, i, db_col(rows, "program"));
    json_kv_bool(out, "bot", player == NULL || program);
    json_kv_bool(out, "program", program);
    api_row_int(out, rows, i, "place");
    api_row_int(out, rows, i, "points");
    api_row_int(out, rows, i, "game_points");
    api_row_bool(out, rows, i, "opened");
    api_row_int(out, rows, i, "cards_left");
    api_row_bool(out, rows, i, "rummy");
    json_kv_bool(out, "left", db_bool(rows, i, db_col(rows, "left_early")));
    api_row_int(out, rows, i, "turns");
    api_row_int(out, rows, i, "own_turns");
    api_row_bool(out, rows, i, "took_part");
    api_row_bool(out, rows, i, "same_people");
    api_row_int(out, rows, i, "clover");
    /* Other players' chips are private. */
    static const char *const chips[] = {"silver", "gold", "silver_lost"};
    for (size_t c = 0; c < ARRAY_LEN(chips); c++) {
        if (own) {
            api_row_int(out, rows, i, chips[c]);
        } else {
            json_key(out, chips[c]);
            json_nil(out);
        }
    }
    json_close(out, '}');
}

static void write_fairness(struct buf *out, const PGresult *rows)
{
    json_key(out, "fairness");
    json_open(out, '{');
    json_kv_text(out, "table_id", api_row_get(rows, 0, "dealt_as"));
    api_row_int(out, rows, 0, "hand_no");
    api_row_text(out, rows, 0, "commit");
    api_row_text(out, rows, 0, "server_seed");
    json_key(out, "client_seeds");
    json_open(out, '[');
    for (int i = 0; i < PQntuples(rows); i++)
        json_text(out, api_row_get(rows, i, "client_seed"));
    json_close(out, ']');
    json_close(out, '}');
}

static enum api_next reply_game(struct api_request *request, const PGresult *rows)
{
    if (PQntuples(rows) == 0)
        return api_refuse(request, API_NO_SUCH_GAME);
    if (is_hidden(rows))
        return api_refuse(request, API_DEAL_NOT_OPEN);
    struct buf *out = api_reply_open(request, 200);
    write_head(out, rows, 0);
    api_row_text(out, rows, 0, "ending");
    json_key(out, "results");
    json_open(out, '[');
    for (int i = 0; i < PQntuples(rows); i++)
        write_result(out, rows, i, request->player_id);
    json_close(out, ']');
    write_fairness(out, rows);
    json_key(out, "hands");
    const char *hands = api_row_get(rows, 0, "hands");
    json_raw(out, hands ? hands : "[]");
    json_close(out, '}');
    return API_DONE;
}

/* GET /v1/games/{game}/record */

static const struct db_stmt record_of_game = {
    "record_of_game",
    "SELECT CASE WHEN sum(octet_length(z.record)) <= 8388608 THEN string_agg(z.record, E'\n' ORDER BY "
    "z.hand_no) END AS record, " GAME_HIDDEN
    " FROM games g LEFT JOIN q_game_hands(g.id) z ON z.record IS NOT NULL AND ($3 = 0 OR z.hand_no = $3) "
    "WHERE g.id = $2 AND EXISTS (SELECT FROM hands h WHERE h.table_id = g.table_id AND h.ended_at IS NOT "
    "NULL AND ($3 = 0 OR h.hand_no = $3)) AND " GAME_SHOWN("$1") " GROUP BY g.id",
    3};

/* A record has one hand of a session or all of them in sequence; `rummyd verify` accepts both. At most 8
 * MiB, which is enough for any hand but not for any session (eng_record_text_max). */
int64_t api_hand_read(struct api_request *request)
{
    int64_t hand = 0;
    if (request->hand && !api_read_number(request, "hand", request->hand, 1, HAND_NO_MAX, &hand))
        return 0;
    ASSERT(hand >= 0 && hand <= HAND_NO_MAX);
    return hand;
}

static enum api_next bind_record(struct api_request *request)
{
    int64_t hand = api_hand_read(request);
    (void)api_bind_player_and_id(request);
    if (request->code != API_OK)
        return API_DONE;
    db_args_int(&request->args, hand);
    return API_QUERY;
}

enum api_next api_record_reply(struct api_request *request, const PGresult *rows, const char *column)
{
    int64_t game, hand = api_hand_read(request);
    if (!api_param_id(request, 0, &game))
        return API_DONE;
    if (hand > 0)
        api_reply_file(request, "game-%" PRId64 "-hand-%" PRId64 ".txt", game, hand);
    else
        api_reply_file(request, "game-%" PRId64 ".txt", game);
    return api_row_reply_text(request, rows, column);
}

static enum api_next reply_record(struct api_request *request, const PGresult *rows)
{
    if (PQntuples(rows) == 0)
        return api_refuse(request, API_NO_SUCH_GAME);
    if (is_hidden(rows))
        return api_refuse(request, API_DEAL_NOT_OPEN);
    if (PQgetisnull(rows, 0, 0))
        return api_refuse(request, API_RECORD_TOO_LONG);
    return api_record_reply(request, rows, "record");
}

API_OPERATION(listGames) = {.stmt = &games_of_player, .begin = bind_games, .reply = reply_games};
API_OPERATION(getGame) = {.stmt = &game_by_id, .begin = api_bind_player_and_id, .reply = reply_game};
API_OPERATION(getRecord) = {.stmt = &record_of_game, .begin = bind_record, .reply = reply_record};
