/* `rummyd api-key`: makes and revokes the keys that jobs and operators call with. The key is printed once;
 * the database has only its hash. Main thread. */
#include "api/token.h"
#include "db/pg.h"
#include "server/cli/cmd.h"

#include <stdio.h>
#include <string.h>

static const struct db_stmt make_stmt = {"do_make_key", "SELECT code FROM do_make_key($1, $2, $3)", 3};
static const struct db_stmt revoke_stmt = {"do_revoke_key", "SELECT code FROM do_revoke_key($1)", 1};

#define USAGE "usage: rummyd api-key make NAME jobs|admin, or rummyd api-key revoke NAME"

static int ended(const PGresult *res, const char *name)
{
    const char *code = PQgetvalue(res, 0, 0);
    if (strcmp(code, "ok") == 0)
        return SRV_EXIT_OK;
    return srv_fail(SRV_EXIT_FAILED,
                    strcmp(code, "name_taken") == 0 ? "there is a key \"%.60s\" already"
                                                    : "there is no key \"%.60s\" in use",
                    name);
}

static int make(struct db_conn *conn, const char *name, const char *role)
{
    char mem[256], text[API_TOKEN_RANDOM_MAX], key[API_TOKEN_RANDOM_MAX + sizeof(API_KEY_PREFIX)];
    uint8_t hash[32];
    struct db_args args;
    struct db_error err;
    api_token_random(text);
    (void)snprintf(key, sizeof(key), "%s%s", API_KEY_PREFIX, text);
    api_token_hash(key, hash);
    db_args_init(&args, mem, sizeof(mem));
    db_args_text(&args, name);
    db_args_text(&args, role);
    db_args_bytes(&args, hash, sizeof(hash));
    DB_AUTO PGresult *res = db_run(conn, &make_stmt, &args, &err);
    if (!res)
        return srv_fail(SRV_EXIT_FAILED, "%s", err.text);
    int code = ended(res, name);
    if (code == SRV_EXIT_OK)
        (void)printf("%s\n", key);
    return code;
}

static int revoke(struct db_conn *conn, const char *name)
{
    char mem[128];
    struct db_args args;
    struct db_error err;
    db_args_init(&args, mem, sizeof(mem));
    db_args_text(&args, name);
    DB_AUTO PGresult *res = db_run(conn, &revoke_stmt, &args, &err);
    return res ? ended(res, name) : srv_fail(SRV_EXIT_FAILED, "%s", err.text);
}

int srv_cmd_api_key(int args_n, char *const *args)
{
    bool makes = args_n >= 3 && strcmp(args[0], "make") == 0 &&
                 (strcmp(args[2], "jobs") == 0 || strcmp(args[2], "admin") == 0);
    bool revokes = args_n >= 2 && strcmp(args[0], "revoke") == 0;
    if (!makes && !revokes)
        return srv_fail(SRV_EXIT_USAGE, USAGE);
    size_t len = strlen(args[1]);
    if (len == 0 || len > 64 || args[1][0] == '-')
        return srv_fail(SRV_EXIT_USAGE, "the name of a key has 1 to 64 characters");
    int code = SRV_EXIT_OK, used = makes ? 3 : 2;
    struct db_conn *conn = srv_cmd_connect(args_n - used, args + used, &code);
    if (!conn)
        return code;
    code = makes ? make(conn, args[1], args[2]) : revoke(conn, args[1]);
    db_close(conn);
    return code;
}
