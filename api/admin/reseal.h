/* Re-encrypts stored secrets after a change of the token secret. At server startup, on the main thread. */
#ifndef RUMMYD_API_RESEAL_H
#define RUMMYD_API_RESEAL_H

#include "api/core/token.h"
#include "db/pg.h"

#define API_RESEAL_MAX 256 /* rows per query */

/* Kinds of encrypted secrets: second factors and webhooks. */
enum api_reseal_kind { API_RESEAL_FACTORS, API_RESEAL_WEBHOOKS };

struct api_resealed {
    int64_t done; /* re-encrypted */
    int64_t lost; /* no configured key opens them */
};

/* Re-encrypts with the signing key all secrets that another configured key has encrypted, so that the old
 * token secret can be discarded. false: the database rejected the update; see *err. */
bool api_reseal(struct db_conn *conn, const struct api_token_keys *keys, enum api_reseal_kind what,
                struct api_resealed *resealed, struct db_error *err);

#endif
