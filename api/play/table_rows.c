/* The statement that reads a whole table; see table_rows.h. */
#include "api/play/table_rows.h"

#define MS_OF(expr) "(extract(epoch FROM " expr ") * 1000)::bigint"
#define MS(expr, name) MS_OF(expr) " AS " name

/* The columns of the four kinds of rows; each kind leaves the others' columns NULL. */
/* clang-format off: one column list per line */
#define TABLE_BUT(hand, seed, commit, started)                                                               \
    "NULL::text AS state, NULL::boolean AS practice, NULL::text AS room, NULL::text AS variant, "            \
    "NULL::text AS params, NULL::int AS seats_n, " hand " AS hand_no, NULL::bigint AS stake, "               \
    "NULL::bigint AS reward, NULL::int AS multiplier_tenths, " seed " AS server_seed, " commit               \
    " AS commit, "                                                                                           \
    "NULL::bigint AS fill_in, " started ", NULL::text AS room_name, NULL::boolean AS bots, "                 \
    "NULL::int AS room_bot_level, NULL::text AS node, NULL::bigint AS heard_at, "                            \
    "NULL::text AS visibility, NULL::int AS bots_n, NULL::bigint AS creator_id, "                            \
    "NULL::int AS turn_hours, NULL::boolean AS asleep, NULL::int AS turn_v, NULL::int AS turn_seats, "       \
    "NULL::bigint AS turn_due, NULL::bigint AS deal_id, NULL::bytea AS deal_seed, NULL::bigint AS club_id, " \
    "NULL::text AS club"
#define NO_TIME "NULL::bigint AS started_at"
#define NO_TABLE TABLE_BUT("NULL::int", "NULL::bytea", "NULL::bytea", NO_TIME)
#define SEAT_BUT(seeds)                                                                                      \
    "NULL::bigint AS player_id, NULL::int AS bot_level, NULL::text AS nickname, NULL::text AS "              \
    "avatar, " seeds " AS client_seed, NULL::boolean AS program"
#define NO_SEAT SEAT_BUT("NULL::bytea")
#define NO_MOVE                                                                                              \
    "NULL::int AS v, NULL::bytea AS move, NULL::bigint AS hash, NULL::bigint AS at, NULL::text AS command, " \
    "NULL::int AS time_bank_ms, NULL::int AS hand_clock_ms"

/* The turns for which a correspondence table waits. */
#define TURNS                                                                                                \
    "(SELECT max(v) AS turn_v, bit_or(1 << seat) AS turn_seats, "                                            \
    "CASE WHEN bool_and(due_at IS NOT NULL) THEN " MS_OF(                                                    \
        "max(due_at)") " END AS turn_due "                                                                   \
                       "FROM slow_turns WHERE table_id = t.id) w"

/* Uses the database's clock instead of the node's. The time is never longer than the original one, even if
 * that clock was changed. */
#define FILL_IN "least(t.fill_at - now(), t.fill_at - t.created_at)"
#define TABLE_COLUMNS                                                                                        \
    "t.state, t.practice, t.room_id AS room, t.variant, t.params, t.seats_n, t.hand_no, t.stake, t.reward, " \
    "t.multiplier_tenths, z.server_seed, t.commit, " MS(FILL_IN, "fill_in") ", " MS(                         \
        "t.started_at", "started_at") ", r.name AS room_name, coalesce(r.bots, false) AS bots, "             \
                                      "coalesce(r.bot_level, t.bot_level) AS room_bot_level, t.node, " MS(   \
                                          "coalesce(t.stopped_at, n.stopped_at)",                            \
                                          "heard_at") ", "                                                   \
                                                      "t.visibility, t.bots_n, t.creator_id, "               \
                                                      "t.turn_hours, t.asleep, "                             \
                                                      "w.turn_v, w.turn_seats, w.turn_due, "                 \
                                                      "(SELECT coalesce(number, id) FROM deals "             \
                                                      "WHERE id = t.deal_id) AS deal_id, "                   \
                                                      "z.deal_seed, t.club_id, "                             \
                                                      "(SELECT name FROM clubs WHERE id = t.club_id) "       \
                                                      "AS club"
#define SEAT_ROW_COLUMNS                                                                                     \
    "player_id, bot_level, nickname, avatar, client_seed, "                                                  \
    "coalesce((SELECT p.kind = 'bot' FROM players p WHERE p.id = seats.player_id), false) AS program"
#define MOVE_COLUMNS "v, move, hash, " MS("at", "at") ", command, time_bank_ms, hand_clock_ms"

const struct db_stmt api_table_rows_stmt = {
    "rows_of_table",
    "SELECT 't' AS kind, NULL::int AS seat, " NO_MOVE ", " NO_SEAT ", " TABLE_COLUMNS
    " FROM tables t LEFT JOIN q_table_seeds($1) z ON z.hand_no IS NULL LEFT JOIN rooms r ON r.id = t.room_id "
    "JOIN nodes n ON n.name = t.node CROSS JOIN "
    "LATERAL " TURNS " WHERE t.id = $1 "
    "UNION ALL SELECT * FROM (SELECT 's' AS kind, seat, " NO_MOVE ", " SEAT_ROW_COLUMNS ", " NO_TABLE
    " FROM seats WHERE table_id = $1 ORDER BY seat) s "
    "UNION ALL SELECT * FROM (SELECT 'h' AS kind, NULL::int AS seat, " NO_MOVE
    ", " SEAT_BUT("client_seeds") ", " TABLE_BUT(
        "hands.hand_no", "z.server_seed", "commit",
        MS("dealt_at", "started_at")) " FROM hands LEFT JOIN q_table_seeds($1) z ON z.hand_no = "
                                      "hands.hand_no WHERE table_id = $1 ORDER BY hands.hand_no) h "
                                      "UNION ALL SELECT * FROM (SELECT 'm' AS kind, seat, " MOVE_COLUMNS
                                      ", " NO_SEAT ", " TABLE_BUT(
                                          "hand_no", "NULL::bytea", "NULL::bytea",
                                          NO_TIME) " FROM journal WHERE table_id = $1 ORDER BY v) m",
    1};
/* clang-format on */
