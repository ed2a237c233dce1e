/* /v1/wallet: purses, held stakes, and the postings behind them. REST loops. */
#include "api/core/operations.h"
#include "api/core/page.h"
#include "api/core/rows.h"
#include "base/bug.h"

/* GET /v1/wallet: one row for the purses (table_id NULL; zero for a bot account, which has none) and one per
 * table with a hold. OFFSET 0 makes PostgreSQL compute the bonus once instead of once per row. */
static const struct db_stmt wallet_of_player = {
    "wallet_of_player",
    "SELECT a.table_id, a.silver, a.gold, "
    "(SELECT l.silver_cap FROM players p JOIN levels l ON l.level = p.level WHERE p.id = $1) AS silver_cap, "
    "b.due, b.streak, b.played_today, b.today_amount, b.today_lost, b.tomorrow_amount, " API_ROW_TIME(
        "b.tomorrow_at",
        "tomorrow_at") " "
                       "FROM (SELECT c.table_id, "
                       "coalesce(sum(c.balance) FILTER (WHERE c.currency = 'silver'), 0)::bigint AS silver, "
                       "coalesce(sum(c.balance) FILTER (WHERE c.currency = 'gold'), 0)::bigint AS gold "
                       "FROM (SELECT table_id, currency, balance FROM accounts WHERE kind = 'purse' AND "
                       "player_id = $1 "
                       "UNION ALL SELECT NULL, NULL, 0 FROM players WHERE id = $1 "
                       "UNION ALL SELECT h.table_id, h.currency, h.balance FROM seats s JOIN accounts h "
                       "ON h.kind = 'hold' AND h.table_id = s.table_id AND h.player_id = s.player_id "
                       "WHERE s.player_id = $1 AND s.live AND h.balance > 0) c GROUP BY c.table_id) a "
                       "CROSS JOIN (SELECT * FROM q_bonus($1, now()) OFFSET 0) b "
                       "ORDER BY a.table_id NULLS FIRST",
    1};

static void write_hold(struct buf *out, const PGresult *rows, int i)
{
    ASSERT(api_row_get_int(rows, i, "silver") + api_row_get_int(rows, i, "gold") > 0);
    json_open(out, '{');
    api_row_id(out, rows, i, "table_id");
    api_row_int(out, rows, i, "silver");
    api_row_int(out, rows, i, "gold");
    json_close(out, '}');
}

static void write_bonus(struct buf *out, const PGresult *rows)
{
    json_key(out, "bonus");
    json_open(out, '{');
    api_row_bool(out, rows, 0, "due");
    api_row_int(out, rows, 0, "streak");
    api_row_bool(out, rows, 0, "played_today");
    api_row_int(out, rows, 0, "today_amount");
    api_row_int(out, rows, 0, "today_lost");
    api_row_int(out, rows, 0, "tomorrow_amount");
    api_row_time(out, rows, 0, "tomorrow_at");
    json_close(out, '}');
}

static enum api_next reply_wallet(struct api_request *request, const PGresult *rows)
{
    if (PQntuples(rows) == 0)
        return api_refuse(request, API_TOKEN_INVALID);
    ASSERT(!api_row_get(rows, 0, "table_id")); /* the purses come first, then the holds */
    ASSERT(api_row_get_int(rows, 0, "silver") >= 0 && api_row_get_int(rows, 0, "gold") >= 0);
    struct buf *out = api_reply_open(request, 200);
    api_row_int(out, rows, 0, "silver");
    api_row_int(out, rows, 0, "gold");
    api_row_int(out, rows, 0, "silver_cap");
    api_row_list(out, "holds", rows, 1, PQntuples(rows), write_hold);
    write_bonus(out, rows);
    json_close(out, '}');
    return API_DONE;
}

/* POST /v1/wallet/daily-bonus: each midnight is credited once, so a repeat needs no key. Starting or
 * refreshing a session already credits it (session_answer in SQL); this is for a session that stays open over
 * midnight. */

static const struct db_stmt do_wallet_bonus = {"do_wallet_bonus", "SELECT do_wallet_bonus($1)", 1};

static enum api_next reply_bonus(struct api_request *request, const PGresult *rows)
{
    (void)rows; /* number of midnights credited, which the postings show */
    request->stmt = &wallet_of_player;
    request->writes = false;
    request->then = reply_wallet;
    return api_bind_player(request);
}

/* GET /v1/wallet/postings */

/* The transfer of a posting is looked up by id rather than joined, so that the query for a player with few
 * postings does not read all transfers. posting_at finds the limits of a time range, see
 * api/play/games.c. */
#define POSTED_MS "(SELECT " API_ROW_MS("t.at") " FROM transfers t WHERE t.id = o.transfer_id)"

static const struct db_stmt postings_of_player = {
    "postings_of_player",
    "SELECT p.id, p.at, a.currency, p.amount, p.balance_after, p.reason AS cause, "
    "(SELECT t.table_id FROM transfers t WHERE t.id = p.transfer_id) AS table_id "
    "FROM accounts a CROSS JOIN LATERAL (SELECT o.*, " POSTED_MS " AS at FROM postings o "
    "WHERE o.account_id = a.id AND o.id < least($2, posting_at($6::bigint + 3600000)) "
    "AND o.id >= coalesce(posting_at($5::bigint - 3600000), 0) AND ($4 = '' OR o.reason = $4) "
    "AND ($5 IS NULL OR " POSTED_MS " >= $5) AND ($6 IS NULL OR " POSTED_MS " < $6) "
    "ORDER BY o.id DESC LIMIT $3) p "
    "WHERE a.player_id = $1 AND a.kind = 'purse' ORDER BY p.id DESC LIMIT $3",
    6};

static const char *const causes[] = {
#define API_CAUSE(id, name) name,
#include "api/causes.def"
#undef API_CAUSE
    NULL};

static enum api_next bind_postings(struct api_request *request)
{
    api_check_choice(request, "cause", request->cause, causes);
    (void)api_page_bind(request);
    db_args_text(&request->args, request->cause ? request->cause : "");
    return api_bind_times(request);
}

static void write_posting(struct buf *out, const PGresult *rows, int i)
{
    ASSERT(api_row_get_int(rows, i, "amount") != 0 && api_row_get_int(rows, i, "balance_after") >= 0);
    json_open(out, '{');
    api_row_id(out, rows, i, "id");
    api_row_time(out, rows, i, "at");
    api_row_text(out, rows, i, "currency");
    api_row_int(out, rows, i, "amount");
    api_row_int(out, rows, i, "balance_after");
    api_row_text(out, rows, i, "cause");
    api_row_id(out, rows, i, "table_id");
    json_close(out, '}');
}

static enum api_next reply_postings(struct api_request *request, const PGresult *rows)
{
    return api_page_reply(request, rows, write_posting);
}

API_OPERATION(getWallet) = {.stmt = &wallet_of_player, .begin = api_bind_player, .reply = reply_wallet};
API_OPERATION(collectDailyBonus) = {
    .stmt = &do_wallet_bonus, .writes = true, .begin = api_bind_player, .reply = reply_bonus};
API_OPERATION(listPostings) = {.stmt = &postings_of_player, .begin = bind_postings, .reply = reply_postings};
