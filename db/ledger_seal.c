/* The ledger's hash chain; see ledger_seal.h. */
#include "db/ledger_seal.h"

#include "base/bug.h"
#include "base/text.h"

#include <stdio.h>
#include <string.h>

enum { BATCH_MAX = 2000, ARGS_MAX = 64 };

static const struct db_stmt do_seal_ledger = {"do_seal_ledger",
                                              "SELECT sealed, more, new_head FROM do_seal_ledger($1)", 1};
static const struct db_stmt head_stmt = {
    "ledger_head",
    "SELECT CASE WHEN s.transfer_id > 0 THEN s.transfer_id || ':' || encode(s.hash, 'hex') END,"
    " (SELECT count(*) FROM transfers t WHERE t.id > s.transfer_id) FROM ledger_seal s",
    0};

bool db_head_parse(const char *text, struct db_head *head)
{
    char number[24];
    size_t len = strcspn(text, ":");
    if (len >= sizeof(number) || text[len] != ':' || strlen(text + len + 1) != 2 * DB_HASH_BYTES)
        return false;
    (void)snprintf(number, sizeof(number), "%.*s", (int)len, text);
    return text_i64(number, 1, INT64_MAX, &head->transfer) &&
           text_unhex(head->hash, sizeof(head->hash), text + len + 1, 2 * DB_HASH_BYTES) == DB_HASH_BYTES;
}

static void take_head(char head[DB_HEAD_MAX], const PGresult *res, int col)
{
    const char *text = db_text(res, 0, col);
    ASSERT(!text || strlen(text) < DB_HEAD_MAX);
    (void)snprintf(head, DB_HEAD_MAX, "%s", text ? text : "");
}

bool db_ledger_seal(struct db_conn *conn, struct db_sealed *done, struct db_error *err)
{
    char mem[ARGS_MAX];
    struct db_args args;
    db_args_init(&args, mem, sizeof(mem));
    db_args_int(&args, BATCH_MAX);
    DB_AUTO PGresult *res = db_run(conn, &do_seal_ledger, &args, err);
    if (!res)
        return false;
    ASSERT(PQntuples(res) == 1 && PQnfields(res) == 3);
    done->n = db_i64(res, 0, 0);
    done->more = db_bool(res, 0, 1);
    take_head(done->new_head, res, 2);
    return true;
}

bool db_ledger_head(struct db_conn *conn, char head[DB_HEAD_MAX], int64_t *unsealed, struct db_error *err)
{
    DB_AUTO PGresult *res = db_run(conn, &head_stmt, NULL, err);
    if (!res)
        return false;
    ASSERT(PQntuples(res) <= 1);
    head[0] = '\0';
    *unsealed = 0;
    if (PQntuples(res) == 1) {
        take_head(head, res, 0);
        *unsealed = db_i64(res, 0, 1);
    }
    return true;
}
