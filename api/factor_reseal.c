/* Encrypts secrets of second factors anew; see factor_reseal.h. */
#include "api/factor_reseal.h"

#include "api/factor_code.h"
#include "api/rows.h"
#include "base/bug.h"

#include <sodium.h>

#define SEALED_LEN (API_TOTP_SECRET_LEN + API_TOKEN_SEAL_MORE)

static const struct db_stmt q_factors_sealed = {"q_factors_sealed",
                                                "SELECT * FROM q_factors_sealed($1, $2, $3)", 3};
static const struct db_stmt do_factor_reseal = {"do_factor_reseal", "SELECT do_factor_reseal($1, $2, $3, $4)",
                                                4};

static bool reseal_one(struct db_conn *conn, const struct api_token_keys *keys, const PGresult *rows, int row,
                       struct api_factor_resealed *resealed, struct db_error *err)
{
    uint8_t old[SEALED_LEN], sealed[SEALED_LEN], secret[API_TOTP_SECRET_LEN];
    char bound[API_FACTOR_BOUND_MAX], mem[512];
    int64_t player_id = api_row_get_int(rows, row, "player_id");
    struct db_args args;
    int len = db_bytes(rows, row, db_col(rows, "sealed"), old, sizeof(old));
    ASSERT(len == SEALED_LEN); /* the table holds no other */
    api_factor_bound(player_id, bound);
    if (!api_token_unseal(keys, api_row_get(rows, row, "kid"), bound, old, sizeof(old), secret)) {
        resealed->lost++;
        return true;
    }
    api_token_seal(keys, bound, secret, sizeof(secret), sealed);
    sodium_memzero(secret, sizeof(secret));
    db_args_init(&args, mem, sizeof(mem));
    db_args_int(&args, player_id);
    db_args_bytes(&args, old, sizeof(old));
    db_args_bytes(&args, sealed, sizeof(sealed));
    db_args_text(&args, keys->key[0].kid);
    DB_AUTO PGresult *done = db_run(conn, &do_factor_reseal, &args, err);
    resealed->done += done != NULL;
    return done != NULL;
}

bool api_factor_reseal(struct db_conn *conn, const struct api_token_keys *keys,
                       struct api_factor_resealed *resealed, struct db_error *err)
{
    int64_t after = 0;
    *resealed = (struct api_factor_resealed){0};
    for (;;) {
        char mem[128];
        struct db_args args;
        db_args_init(&args, mem, sizeof(mem));
        db_args_text(&args, keys->key[0].kid);
        db_args_int(&args, after);
        db_args_int(&args, API_FACTOR_RESEAL_MAX);
        DB_AUTO PGresult *rows = db_run(conn, &q_factors_sealed, &args, err);
        if (!rows)
            return false;
        int n = PQntuples(rows);
        for (int row = 0; row < n; row++) {
            if (!reseal_one(conn, keys, rows, row, resealed, err))
                return false;
            ASSERT(api_row_get_int(rows, row, "player_id") > after); /* it comes to an end */
            after = api_row_get_int(rows, row, "player_id");
        }
        if (n < API_FACTOR_RESEAL_MAX)
            return true;
    }
}
