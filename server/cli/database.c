/* `rummyd migrate`, `rummyd ledger-check`, and `rummyd ledger-head`: database commands for operators. Main
 * thread. */
#include "server/cli/cmd.h"

#include "api/names/name_rekey.h"
#include "db/ledger_check.h"
#include "db/ledger_seal.h"
#include "db/migrate.h"
#include "db/plan.h"
#include "server/config.h"

#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum { LEDGER_WORDS_MAX = 100, MIGRATE_WORDS_MAX = 100, SEAL_TRIES_MAX = 20, SEAL_PAUSE_MS = 100 };

/* Reads the configuration and connects; NULL after printing the error, with the exit code in *code. */
static struct db_conn *connect_by(struct srv_config *config, int args_n, char *const *args, int *code)
{
    struct db_error err;
    char error[SRV_ERROR_MAX];
    size_t words_n = 0;
    enum srv_config_result read = srv_config_read(config, args_n, args, environ, NULL, 0, &words_n, error);
    if (read != SRV_CONFIG_OK) {
        *code = srv_fail(read == SRV_CONFIG_USAGE ? SRV_EXIT_USAGE : SRV_EXIT_FAILED, "%s", error);
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

/* Changed Unicode tables can make existing names confusable; an operator must review those. */
static bool rekey_names(struct db_conn *conn, struct db_error *err)
{
    static struct api_rekeyed names;
    if (!api_names_rekey(conn, &names, err))
        return false;
    if (names.due && names.names > 0)
        (void)printf("names: recomputed %lld, of which %lld look like an earlier player's\n",
                     (long long)names.names, (long long)names.alike);
    for (size_t i = 0; i < names.players_n; i++)
        (void)printf("names: player %lld\n", (long long)names.players[i]);
    return true;
}

/* `--plan` among the words of `migrate`; copies the other words to rest. */
static int take_plan(int args_n, char *const *args, char **rest, int *n, bool *plan)
{
    static const char flag[] = "--plan";
    for (int i = 0; i < args_n; i++) {
        if (strncmp(args[i], flag, strlen(flag)) == 0 && args[i][strlen(flag)] == '=')
            return srv_fail(SRV_EXIT_USAGE, "--plan takes no value (got \"%.100s\")",
                            args[i] + strlen(flag) + 1);
        if (strcmp(args[i], flag) == 0)
            *plan = true;
        else if (*n < MIGRATE_WORDS_MAX)
            rest[(*n)++] = args[i];
        else
            return srv_fail(SRV_EXIT_USAGE, "migrate: too many arguments");
    }
    return SRV_EXIT_OK;
}

int srv_cmd_migrate(int args_n, char *const *args)
{
    char *rest[MIGRATE_WORDS_MAX] = {0};
    bool plan = false;
    int rest_n = 0;
    struct srv_config config;
    struct db_migrated done;
    struct db_error err;
    int code = take_plan(args_n, args, rest, &rest_n, &plan);
    struct db_conn *conn = code == SRV_EXIT_OK ? connect_by(&config, rest_n, rest, &code) : NULL;
    if (!conn)
        return code;
    if (plan) {
        if (!db_migrate_plan(conn, db_migrate_source(), stdout, &err))
            code = srv_fail(SRV_EXIT_FAILED, "%s", err.text);
        db_close(conn);
        return code;
    }
    const struct db_roles roles = {config.db_server_role, config.db_read_role};
    if (!db_migrate(conn, &roles, &done, &err))
        code = srv_fail(SRV_EXIT_FAILED, "%s", err.text);
    else if (done.created)
        (void)printf("created a new database\n");
    else
        (void)printf("applied %d migrations, functions %s; the database is up to date\n", done.migrations,
                     done.code ? "replaced" : "unchanged");
    if (code == SRV_EXIT_OK && !rekey_names(conn, &err))
        code = srv_fail(SRV_EXIT_FAILED, "names: %s", err.text);
    db_close(conn);
    return code;
}

/* Prints the result of a check and disconnects. */
static int checked(struct db_conn *conn, int problems, const char *of, const struct db_error *err)
{
    db_close(conn);
    if (problems < 0)
        return srv_fail(SRV_EXIT_FAILED, "%s", err->text);
    return problems > 0 ? srv_fail(SRV_EXIT_FAILED, "%s: found %d problems", of, problems) : SRV_EXIT_OK;
}

/* Extracts `--since HEAD` or `--since=HEAD` from the words; copies the other words to rest, *n of them. */
static int take_since(int args_n, char *const *args, char **rest, int *n, const char **since)
{
    static const char flag[] = "--since";
    size_t len = sizeof(flag) - 1;
    for (int i = 0; i < args_n; i++) {
        if (strncmp(args[i], flag, len) != 0 || (args[i][len] != '\0' && args[i][len] != '=')) {
            if (*n >= LEDGER_WORDS_MAX)
                return srv_fail(SRV_EXIT_USAGE, "ledger-check: too many arguments");
            rest[(*n)++] = args[i];
            continue;
        }
        *since = args[i][len] == '=' ? args[i] + len + 1 : i + 1 < args_n ? args[++i] : "";
    }
    return SRV_EXIT_OK;
}

int srv_cmd_ledger_check(int args_n, char *const *args)
{
    int code, rest_n = 0;
    char *rest[LEDGER_WORDS_MAX];
    const char *since = NULL;
    struct db_head head;
    struct db_error err;
    code = take_since(args_n, args, rest, &rest_n, &since);
    if (code != SRV_EXIT_OK)
        return code;
    if (since && !db_head_parse(since, &head))
        return srv_fail(SRV_EXIT_USAGE,
                        "--since must be a head from `rummyd ledger-head`, TRANSFER:HASH (got \"%.100s\")",
                        since);
    struct db_conn *conn = srv_cmd_connect(rest_n, rest, &code);
    if (!conn)
        return code;
    int problems =
        since ? db_ledger_check_since(conn, &head, stdout, &err) : db_ledger_check(conn, stdout, &err);
    return checked(conn, problems, "the ledger", &err);
}

int srv_cmd_ratings_check(int args_n, char *const *args)
{
    int code = SRV_EXIT_OK;
    struct db_error err;
    struct db_conn *conn = srv_cmd_connect(args_n, args, &code);
    return conn ? checked(conn, db_ratings_check(conn, stdout, &err), "the ratings", &err) : code;
}

/* A read-only role cannot seal, so it gets the head of the entries already sealed. */
#define INSUFFICIENT_PRIVILEGE "42501"

/* Seals every entry that existed at the start; gives up if waiting for running transactions times out.
 * false: *err. */
static bool seal_all(struct db_conn *conn, char head[DB_HEAD_MAX], struct db_error *err)
{
    const struct timespec pause = {.tv_nsec = SEAL_PAUSE_MS * 1000000L};
    struct db_sealed done = {0};
    int64_t unsealed = 0;
    for (int tries = 0; tries < SEAL_TRIES_MAX; tries++) {
        bool may = true;
        do {
            may = db_ledger_seal(conn, &done, err);
            if (!may && strcmp(err->sqlstate, INSUFFICIENT_PRIVILEGE) != 0)
                return false;
        } while (may && done.more);
        if (!db_ledger_head(conn, head, &unsealed, err))
            return false;
        if (unsealed == 0 || !may)
            break;
        (void)nanosleep(&pause, NULL);
    }
    return true;
}

int srv_cmd_ledger_head(int args_n, char *const *args)
{
    int code = SRV_EXIT_OK;
    char head[DB_HEAD_MAX];
    struct db_error err;
    struct db_conn *conn = srv_cmd_connect(args_n, args, &code);
    if (!conn)
        return code;
    if (!seal_all(conn, head, &err))
        code = srv_fail(SRV_EXIT_FAILED, "%s", err.text);
    else if (!head[0])
        code = srv_fail(SRV_EXIT_FAILED, "the ledger has no transfers yet");
    else
        (void)printf("%s\n", head);
    db_close(conn);
    return code;
}
