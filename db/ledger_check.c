/* The ledger proof over the whole database. Called by `rummyd ledger-check`, on the main thread. */
#include "db/ledger_check.h"

#include "base/bug.h"
#include "db/tx.h"

#include <string.h>

/* There may be as many problems as players, so they are read in chunks. */
#define PIECE "FETCH 1000 FROM problems"
#define CURSOR "DECLARE problems NO SCROLL CURSOR FOR SELECT problem, subject, detail FROM "

static const struct db_stmt problems_stmt = {
    "ledger_problems",
    CURSOR
    "(SELECT * FROM q_ledger_check() UNION ALL SELECT * FROM q_shop_check()) p (problem, subject, detail)",
    0};
static const struct db_stmt since_stmt = {
    "ledger_problems_since",
    CURSOR "(SELECT * FROM q_ledger_check() UNION ALL SELECT * FROM q_shop_check()"
           " UNION ALL SELECT * FROM q_ledger_since($1, $2)) p (problem, subject, detail)",
    2};
static const struct db_stmt ratings_stmt = {"ratings_problems", CURSOR "q_ratings_check()", 0};
static const struct db_stmt piece_stmt = {"problems_piece", PIECE, 0};
static const struct db_stmt totals_stmt = {
    "ledger_totals",
    "SELECT (SELECT count(*) FROM transfers), (SELECT count(*) FROM postings),"
    " coalesce(sum(balance) FILTER (WHERE currency = 'silver' AND kind = 'purse'), 0),"
    " coalesce(sum(balance) FILTER (WHERE currency = 'gold' AND kind = 'purse'), 0),"
    " coalesce(sum(balance) FILTER (WHERE currency = 'silver' AND kind = 'hold'), 0),"
    " coalesce(sum(balance) FILTER (WHERE currency = 'gold' AND kind = 'hold'), 0)"
    " FROM accounts",
    0};

struct report {
    FILE *out;
    const struct db_stmt *stmt; /* finds the problems */
    const struct db_args *args;
    int problems;
};

static bool print_head(struct db_conn *conn, FILE *out, struct db_error *err)
{
    char head[DB_HEAD_MAX];
    int64_t unsealed = 0;
    if (!db_ledger_head(conn, head, &unsealed, err))
        return false;
    (void)fprintf(out, "head %s, %lld transfers behind it\n", head[0] ? head : "none", (long long)unsealed);
    return true;
}

static bool print_totals(struct db_conn *conn, FILE *out, struct db_error *err)
{
    DB_AUTO PGresult *res = db_run(conn, &totals_stmt, NULL, err);
    if (!res)
        return false;
    ASSERT(PQntuples(res) == 1 && PQnfields(res) == 6);
    (void)fprintf(
        out, "ledger clean: %s transfers, %s postings; purses %s silver, %s gold; held %s silver, %s gold\n",
        PQgetvalue(res, 0, 0), PQgetvalue(res, 0, 1), PQgetvalue(res, 0, 2), PQgetvalue(res, 0, 3),
        PQgetvalue(res, 0, 4), PQgetvalue(res, 0, 5));
    return true;
}

/* Prints the next problems; n: how many there were. */
static bool print_piece(struct db_conn *conn, FILE *out, int *n, struct db_error *err)
{
    DB_AUTO PGresult *res = db_run(conn, &piece_stmt, NULL, err);
    if (!res)
        return false;
    ASSERT(PQnfields(res) == 3);
    *n = PQntuples(res);
    ASSERT(*n >= 0 && *n <= 1000);
    for (int row = 0; row < *n; row++)
        (void)fprintf(out, "%s: %s: %s\n", PQgetvalue(res, row, 0), PQgetvalue(res, row, 1),
                      PQgetvalue(res, row, 2));
    return true;
}

static bool run_report(struct db_conn *conn, void *arg, struct db_error *err)
{
    struct report *report = arg;
    DB_AUTO PGresult *res = db_run(conn, report->stmt, report->args, err);
    if (!res)
        return false;
    int n = 0;
    report->problems = 0;
    do {
        if (!print_piece(conn, report->out, &n, err))
            return false;
        report->problems += n;
    } while (n > 0);
    ASSERT(report->problems >= 0);
    if (report->problems > 0 || report->stmt == &ratings_stmt)
        return true;
    return print_totals(conn, report->out, err) && print_head(conn, report->out, err);
}

static int check(struct db_conn *conn, struct report *report, struct db_error *err)
{
    if (db_tx_run(conn, "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY", run_report, report, err))
        return report->problems;
    if (strcmp(err->sqlstate, "42883") == 0 || strcmp(err->sqlstate, "42P01") == 0)
        (void)snprintf(err->text, sizeof err->text, "the database has no ledger yet; run `rummyd migrate`");
    return -1;
}

int db_ledger_check(struct db_conn *conn, FILE *out, struct db_error *err)
{
    struct report report = {.out = out, .stmt = &problems_stmt};
    return check(conn, &report, err);
}

int db_ledger_check_since(struct db_conn *conn, const struct db_head *head, FILE *out, struct db_error *err)
{
    char mem[128];
    struct db_args args;
    db_args_init(&args, mem, sizeof(mem));
    db_args_int(&args, head->transfer);
    db_args_bytes(&args, head->hash, sizeof(head->hash));
    struct report report = {.out = out, .stmt = &since_stmt, .args = &args};
    return check(conn, &report, err);
}

int db_ratings_check(struct db_conn *conn, FILE *out, struct db_error *err)
{
    struct report report = {.out = out, .stmt = &ratings_stmt};
    int problems = check(conn, &report, err);
    if (problems == 0)
        (void)fprintf(out, "ratings clean: games, ratings, boards, Clover points and levels agree\n");
    return problems;
}
