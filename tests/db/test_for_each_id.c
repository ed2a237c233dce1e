/* Many pipelined reads on a real server. */
#include "db/for_each_id.h"
#include "tests/db/support.h"

#include <criterion/criterion.h>
#include <string.h>

TestSuite(for_each_id, .fini = test_database_drop);

enum { MANY = 1000 }; /* many chunks, the last one partial */

static const struct db_stmt halves_stmt = {"halves",
                                           "SELECT 840 / $1::bigint AS half, repeat('x', 2000) AS wide", 1};

static int64_t seen[MANY];
static size_t seen_n;

static void see(void *arg, int64_t id, const PGresult *rows)
{
    cr_assert_eq(arg, &seen_n);
    cr_assert_eq(db_i64(rows, 0, db_col(rows, "half")), 840 / id);
    seen[seen_n++] = id;
}

static void read_first(struct db_conn *conn, const int64_t *ids, size_t n)
{
    struct db_error err;
    seen_n = 0;
    cr_assert(db_for_each_id(conn, &halves_stmt, ids, n, see, &seen_n, &err), "%s", err.text);
    cr_assert_eq(seen_n, n);
    cr_assert_eq(memcmp(seen, ids, n * sizeof *ids), 0);
}

Test(for_each_id, every_id_is_read_once_and_in_order)
{
    static const size_t sizes[] = {0, 1, 31, 32, 33, 64, 65, MANY};
    struct db_conn *conn = test_connect(test_database());
    int64_t ids[MANY];
    for (size_t i = 0; i < MANY; i++)
        ids[i] = (int64_t)(i * 7 % MANY) + 1;
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++)
        read_first(conn, ids, sizes[i]);
    db_close(conn);
}

Test(for_each_id, a_failure_has_a_reason_and_the_connection_can_be_reopened)
{
    struct db_error err;
    struct db_conn *conn = test_connect(test_database());
    int64_t ids[70];
    for (size_t i = 0; i < 70; i++)
        ids[i] = i == 40 ? 0 : 2;
    seen_n = 0;
    cr_assert_not(db_for_each_id(conn, &halves_stmt, ids, 70, see, &seen_n, &err));
    cr_assert_eq(seen_n, 40);
    cr_assert_str_eq(err.sqlstate, "22012", "%s", err.text);
    cr_assert(db_reopen(conn, &err), "%s", err.text);
    read_first(conn, ids, 40);
    db_close(conn);
}
