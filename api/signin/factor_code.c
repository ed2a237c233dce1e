/* Second-factor codes in bodies; see factor_code.h. */
#include "api/signin/factor_code.h"

#include "api/core/rows.h"
#include "base/bug.h"

#include <sodium.h>
#include <stdio.h>
#include <string.h>

#define SEALED_LEN (API_TOTP_SECRET_LEN + API_TOKEN_SEAL_MORE)

void api_factor_bound(int64_t player_id, char out[API_FACTOR_BOUND_MAX])
{
    ASSERT(player_id > 0);
    (void)snprintf(out, API_FACTOR_BOUND_MAX, "totp %lld", (long long)player_id);
}

/* false: there is no secret, or no configured key opens it. */
static bool open_secret(const struct api_request *request, const PGresult *rows,
                        uint8_t secret[API_TOTP_SECRET_LEN])
{
    uint8_t sealed[SEALED_LEN];
    char bound[API_FACTOR_BOUND_MAX];
    const char *kid = api_row_get(rows, 0, "kid");
    api_factor_bound(request->player_id, bound);
    return kid && db_bytes(rows, 0, db_col(rows, "sealed"), sealed, sizeof(sealed)) == SEALED_LEN &&
           api_token_unseal(&request->env->keys, kid, bound, sealed, sizeof(sealed), secret);
}

void api_factor_compare(struct api_request *request, const PGresult *rows, const struct api_spec_value *code)
{
    uint8_t secret[API_TOTP_SECRET_LEN];
    char read[API_RECOVERY_CHARS + 1];
    request->factor_step = 0;
    if (code->set && api_factor_read(code->text, read) && open_secret(request, rows, secret))
        request->factor_step = api_totp_step_of(secret, read, request->now_ms / 1000);
    sodium_memzero(secret, sizeof(secret));
}

void api_factor_bind(struct api_request *request, const struct api_spec_value *code)
{
    uint8_t hash[32];
    char read[API_RECOVERY_CHARS + 1];
    if (request->factor_step > 0)
        db_args_int(&request->args, request->factor_step);
    else
        db_args_null(&request->args);
    if (code->set && api_factor_read(code->text, read) && strlen(read) == API_RECOVERY_CHARS) {
        api_token_hash(read, hash);
        db_args_bytes(&request->args, hash, sizeof(hash));
    } else {
        db_args_null(&request->args);
    }
}
