/* Re-encrypts stored secrets; see reseal.h. */
#include "api/admin/reseal.h"

#include "api/admin/webhook_secret.h"
#include "api/signin/factor_code.h"
#include "base/bug.h"

#include <assert.h>
#include <sodium.h>
#include <stdio.h>

#define PLAIN_MAX 32
#define BOUND_MAX 32

/* The rows of `list` have an ascending id, the encrypted secret, and the kid of its key. */
struct kind {
    const struct db_stmt *list, *put;
    size_t len; /* of a secret */
    void (*bound)(int64_t id, char out[BOUND_MAX]);
};

static_assert(API_FACTOR_BOUND_MAX == BOUND_MAX, "what a secret is bound to fits");
static_assert(API_TOTP_SECRET_LEN <= PLAIN_MAX && API_WEBHOOK_SECRET_LEN <= PLAIN_MAX, "a secret fits");

static void webhook_bound(int64_t id, char out[BOUND_MAX])
{
    (void)id; /* the id is assigned after the secret is encrypted */
    (void)snprintf(out, BOUND_MAX, "%s", API_WEBHOOK_BOUND);
}

static const struct db_stmt q_factors = {"q_factors_sealed", "SELECT * FROM q_factors_sealed($1, $2, $3)", 3};
static const struct db_stmt do_factor = {"do_factor_reseal", "SELECT do_factor_reseal($1, $2, $3, $4)", 4};
static const struct db_stmt q_webhooks = {"q_webhook_secrets_sealed",
                                          "SELECT * FROM q_webhook_secrets_sealed($1, $2, $3)", 3};
static const struct db_stmt do_webhook = {"do_webhook_secret_reseal",
                                          "SELECT do_webhook_secret_reseal($1, $2, $3, $4)", 4};

static const struct kind kinds[] = {
    [API_RESEAL_FACTORS] = {&q_factors, &do_factor, API_TOTP_SECRET_LEN, api_factor_bound},
    [API_RESEAL_WEBHOOKS] = {&q_webhooks, &do_webhook, API_WEBHOOK_SECRET_LEN, webhook_bound},
};

static bool reseal_one(struct db_conn *conn, const struct api_token_keys *keys, const struct kind *kind,
                       const PGresult *rows, int row, struct api_resealed *resealed, struct db_error *err)
{
    uint8_t old[PLAIN_MAX + API_TOKEN_SEAL_MORE], sealed[sizeof(old)], secret[PLAIN_MAX];
    size_t sealed_len = kind->len + API_TOKEN_SEAL_MORE;
    char bound[BOUND_MAX], mem[512];
    int64_t id = db_i64(rows, row, 0);
    struct db_args args;
    int len = db_bytes(rows, row, 1, old, sizeof(old));
    ASSERT(len >= 0 && (size_t)len == sealed_len); /* the table allows no other length */
    kind->bound(id, bound);
    if (!api_token_unseal(keys, db_text(rows, row, 2), bound, old, sealed_len, secret)) {
        resealed->lost++;
        return true;
    }
    api_token_seal(keys, bound, secret, kind->len, sealed);
    sodium_memzero(secret, sizeof(secret));
    db_args_init(&args, mem, sizeof(mem));
    db_args_int(&args, id);
    db_args_bytes(&args, old, sealed_len);
    db_args_bytes(&args, sealed, sealed_len);
    db_args_text(&args, keys->key[0].kid);
    DB_AUTO PGresult *done = db_run(conn, kind->put, &args, err);
    resealed->done += done != NULL;
    return done != NULL;
}

bool api_reseal(struct db_conn *conn, const struct api_token_keys *keys, enum api_reseal_kind what,
                struct api_resealed *resealed, struct db_error *err)
{
    const struct kind *kind = &kinds[what];
    int64_t after = 0;
    *resealed = (struct api_resealed){0};
    for (;;) {
        char mem[128];
        struct db_args args;
        db_args_init(&args, mem, sizeof(mem));
        db_args_text(&args, keys->key[0].kid);
        db_args_int(&args, after);
        db_args_int(&args, API_RESEAL_MAX);
        DB_AUTO PGresult *rows = db_run(conn, kind->list, &args, err);
        if (!rows)
            return false;
        int n = PQntuples(rows);
        for (int row = 0; row < n; row++) {
            if (!reseal_one(conn, keys, kind, rows, row, resealed, err))
                return false;
            ASSERT(db_i64(rows, row, 0) > after); /* guarantees progress */
            after = db_i64(rows, row, 0);
        }
        if (n < API_RESEAL_MAX)
            return true;
    }
}
