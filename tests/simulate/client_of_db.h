/* Sessions of a node with the model of PostgreSQL, and replacements for functions of db/. For db_pipe.c. */
#ifndef RUMMYD_TESTS_SIMULATE_CLIENT_OF_DB_H
#define RUMMYD_TESTS_SIMULATE_CLIENT_OF_DB_H

#include <stdio.h>

#include "db/pg.h"
#include "tests/simulate/rows.h"

/* Called outside the node. The receiver owns the rows of the answer. */
typedef void db_answered_fn(void *arg, struct answer *answer);

struct session *db_session_begin(struct sim_node *node); /* NULL if PostgreSQL is unreachable */
void db_session_end(struct session *session);
enum db_call_kind { DB_CALL_RUN, DB_CALL_BEGIN, DB_CALL_COMMIT, DB_CALL_ROLLBACK };
void db_session_call(struct session *session, enum db_call_kind what, const char *name,
                     const struct db_args *args, db_answered_fn *fn, void *arg);
bool db_session_is_up(const struct session *session);
void db_session_send(struct session *session, const struct db_stmt *stmt, const struct db_args *args,
                     db_answered_fn *fn, void *arg);

bool __wrap_db_is_up(const struct db_conn *conn);
bool __wrap_db_reopen(struct db_conn *conn, struct db_error *err);
struct db_conn *__wrap_db_open(const char *conninfo, struct db_error *err);
void __wrap_db_answer_within(struct db_conn *conn, int64_t ms);
void __wrap_db_close(struct db_conn *conn);
PGresult *__wrap_db_run(struct db_conn *conn, const struct db_stmt *stmt, const struct db_args *args,
                        struct db_error *err);
bool __wrap_db_script(struct db_conn *conn, const char *sql, struct db_error *err);
PGconn *__wrap_db_handle(struct db_conn *conn);
PGresult *__wrap_db_exec(struct db_conn *conn, const char *sql);
char *__wrap_PQcmdStatus(PGresult *res);
void __wrap_db_error_from(struct db_error *err, PGconn *pg, const PGresult *res, enum db_outcome when_lost);
bool __wrap_db_for_each_id(struct db_conn *conn, const struct db_stmt *stmt, const int64_t *ids, size_t n,
                           void (*visit)(void *arg, int64_t id, const PGresult *rows), void *arg,
                           struct db_error *err);

#endif
