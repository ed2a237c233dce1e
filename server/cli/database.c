/* `rummyd migrate` and `rummyd ledger-check`: what an operator does to the database itself. Main thread. */
#include "server/cli/cmd.h"

#include "db/ledger_check.h"
#include "db/migrate.h"
#include "server/config.h"

#include <stdio.h>
#include <unistd.h>

/* Reads the configuration and connects; NULL after printing why not, *code says how to exit. */
static struct db_conn *connect_by(struct srv_config *config, int args_n, char *const *args, int *code)
{
    struct db_error err;
    char said[SRV_ERROR_MAX];
    size_t words_n = 0;
    enum srv_config_result read = srv_config_read(config, args_n, args, environ, NULL, 0, &words_n, said);
    if (read != SRV_CONFIG_OK) {
        *code = srv_fail(read == SRV_CONFIG_USAGE ? SRV_EXIT_USAGE : SRV_EXIT_FAILED, "%s", said);
        return NULL;
    }
    struct db_conn *conn = db_open(config->db, &err);
    if (!conn)
        *code = srv_fail(SRV_EXIT_FAILED, "%s", err.text);
    return conn;
}

struct db_conn *srv_cmd_connect(int args_n, char *const *args, int *code)
{
    struct srv_config config;
    return connect_by(&config, args_n, args, code);
}

int srv_cmd_migrate(int args_n, char *const *args)
{
    int code = SRV_EXIT_OK;
    struct srv_config config;
    struct db_migrated done;
    struct db_error err;
    struct db_conn *conn = connect_by(&config, args_n, args, &code);
    if (!conn)
        return code;
    const struct db_roles roles = {config.db_server_role, config.db_read_role};
    if (!db_migrate(conn, &roles, &done, &err))
        code = srv_fail(SRV_EXIT_FAILED, "%s", err.text);
    else if (done.created)
        (void)printf("a new database, made\n");
    else
        (void)printf("%d migrations applied, the functions %s, the database is up to date\n", done.migrations,
                     done.code ? "replaced" : "are the same");
    db_close(conn);
    return code;
}

typedef int check_fn(struct db_conn *conn, FILE *out, struct db_error *err);

static int run_check(int args_n, char *const *args, check_fn *check, const char *of)
{
    int code = SRV_EXIT_OK;
    struct db_error err;
    struct db_conn *conn = srv_cmd_connect(args_n, args, &code);
    if (!conn)
        return code;
    int problems = check(conn, stdout, &err);
    if (problems < 0)
        code = srv_fail(SRV_EXIT_FAILED, "%s", err.text);
    else if (problems > 0)
        code = srv_fail(SRV_EXIT_FAILED, "%s: %d problems", of, problems);
    db_close(conn);
    return code;
}

int srv_cmd_ledger_check(int args_n, char *const *args)
{
    return run_check(args_n, args, db_ledger_check, "the ledger");
}

int srv_cmd_ratings_check(int args_n, char *const *args)
{
    return run_check(args_n, args, db_ratings_check, "the ratings");
}
