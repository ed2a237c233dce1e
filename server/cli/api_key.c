/* `rummyd api-key`: creates and revokes API keys for jobs and operators. The key is printed once; the
 * database stores only its hash. Main thread. */
#include "api/core/token.h"
#include "base/text.h"
#include "db/pg.h"
#include "server/cli/cmd.h"

#include <stdio.h>
#include <string.h>

enum { WORD_MAX = 64, DAYS_DEFAULT = 90 };

static const struct db_stmt make_stmt = {"do_make_key",
                                         "SELECT code FROM do_make_key($1, $2, $3, $4, $5, $6)", 6};
static const struct db_stmt revoke_stmt = {"do_revoke_key", "SELECT code FROM do_revoke_key($1)", 1};

#define USAGE                                                                                                \
    "usage: rummyd api-key make NAME jobs|support|money|games|owner HOLDER [DAYS|never], or rummyd api-key " \
    "revoke NAME"

static int ended(const PGresult *res, const char *name)
{
    const char *code = PQgetvalue(res, 0, 0);
    if (strcmp(code, "ok") == 0)
        return SRV_EXIT_OK;
    return srv_fail(SRV_EXIT_FAILED,
                    strcmp(code, "key_name_taken") == 0 ? "a key named \"%.60s\" already exists"
                                                        : "no active key is named \"%.60s\"",
                    name);
}

struct wish {
    const char *name, *role, *holder;
    int64_t days; /* 0: never */
};

static int make(struct db_conn *conn, const struct wish *wish)
{
    char mem[512], text[API_TOKEN_RANDOM_MAX], key[API_TOKEN_RANDOM_MAX + sizeof(API_KEY_PREFIX)];
    uint8_t hash[32];
    struct db_args args;
    struct db_error err;
    api_token_random(text);
    (void)snprintf(key, sizeof(key), "%s%s", API_KEY_PREFIX, text);
    api_token_hash(key, hash);
    db_args_init(&args, mem, sizeof(mem));
    db_args_text(&args, wish->name);
    db_args_text(&args, wish->role);
    db_args_text(&args, wish->holder);
    if (wish->days > 0)
        db_args_int(&args, wish->days);
    else
        db_args_null(&args);
    db_args_bytes(&args, hash, sizeof(hash));
    db_args_text_n(&args, key, API_KEY_SHOWN);
    DB_AUTO PGresult *res = db_run(conn, &make_stmt, &args, &err);
    if (!res)
        return srv_fail(SRV_EXIT_FAILED, "%s", err.text);
    int code = ended(res, wish->name);
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

static bool word_ok(const char *word)
{
    size_t len = strlen(word);
    return len > 0 && len <= WORD_MAX && word[0] != '-';
}

/* Reads an optional `DAYS` or `never` and returns the number of words consumed. -1: the word is neither. */
static int read_days(int args_n, char *const *args, struct wish *wish)
{
    wish->days = DAYS_DEFAULT;
    if (args_n == 0 || args[0][0] == '-')
        return 0;
    if (strcmp(args[0], "never") == 0) {
        wish->days = 0;
        return strcmp(wish->role, "jobs") == 0 ? 1 : -1;
    }
    return text_i64(args[0], 1, API_KEY_DAYS_MAX, &wish->days) ? 1 : -1;
}

static bool role_known(const char *role)
{
    for (const char *const *known = api_key_roles; *known; known++)
        if (strcmp(*known, role) == 0)
            return true;
    return false;
}

int srv_cmd_api_key(int args_n, char *const *args)
{
    struct wish wish = {0};
    bool makes = args_n >= 4 && strcmp(args[0], "make") == 0 && role_known(args[2]) && args[3][0] != '-';
    bool revokes = args_n >= 2 && strcmp(args[0], "revoke") == 0;
    if (!makes && !revokes)
        return srv_fail(SRV_EXIT_USAGE, USAGE);
    wish.name = args[1];
    if (!word_ok(wish.name) || (makes && !word_ok(args[3])))
        return srv_fail(SRV_EXIT_USAGE, "NAME and HOLDER must have 1 to 64 characters");
    int code = SRV_EXIT_OK, used = 2;
    if (makes) {
        wish.role = args[2];
        wish.holder = args[3];
        int days = read_days(args_n - 4, args + 4, &wish);
        if (days < 0)
            return srv_fail(SRV_EXIT_USAGE,
                            "DAYS must be a number from 1 to 365, or never for the role jobs");
        used = 4 + days;
    }
    struct db_conn *conn = srv_cmd_connect(args_n - used, args + used, &code);
    if (!conn)
        return code;
    code = makes ? make(conn, &wish) : revoke(conn, wish.name);
    db_close(conn);
    return code;
}
