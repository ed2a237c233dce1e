/* A database of its own for each test that wants one, on the server RUMMY_TEST_DB names (a libpq
 * conninfo; scripts/test sets it). Without that server these tests fail: they are not optional. */
#ifndef RUMMYD_TESTS_DB_SUPPORT_H
#define RUMMYD_TESTS_DB_SUPPORT_H

#include "db/grants.h"

/* Makes an empty database and returns how to connect to it; dropped by test_database_drop. */
const char *test_database(void);
/* The same as `rummyd migrate` makes it. */
const char *test_database_migrated(void);
void test_database_drop(void);

/* One value of one row, as text in static memory; "" for NULL or no row. Fails the test on an error. */
const char *test_value(struct db_conn *conn, const char *sql);
void test_script(struct db_conn *conn, const char *sql);
struct db_conn *test_connect(const char *conninfo);
/* Those of the cluster that scripts/pg makes. */
extern const struct db_roles test_roles;

#endif
