/* A separate database for each test that needs one, on the server in RUMMY_TEST_DB (a libpq conninfo;
 * scripts/test sets it). Without that server these tests fail, because they are not optional. */
#ifndef RUMMYD_TESTS_DB_SUPPORT_H
#define RUMMYD_TESTS_DB_SUPPORT_H

#include "db/grants.h"

/* Creates an empty database and returns its conninfo; test_database_drop drops it. */
const char *test_database(void);
/* The same after `rummyd migrate`. */
const char *test_database_migrated(void);
void test_database_drop(void);

/* One value of one row, as text in static memory; "" for NULL or no row. Fails the test on an error. */
const char *test_value(struct db_conn *conn, const char *sql);
void test_script(struct db_conn *conn, const char *sql);
struct db_conn *test_connect(const char *conninfo);
/* The roles of the cluster created by scripts/pg. */
extern const struct db_roles test_roles;

#endif
