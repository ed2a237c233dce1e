/* After a change of the token secret: stored secrets that were encrypted with the old one. At the start of a
 * server, on its main thread. */
#ifndef RUMMYD_API_RESEAL_H
#define RUMMYD_API_RESEAL_H

#include "api/token.h"
#include "db/pg.h"

#define API_RESEAL_MAX 256 /* read at once */

/* What is encrypted: secrets of second factors, secrets of webhooks. */
enum api_reseal_kind { API_RESEAL_FACTORS, API_RESEAL_WEBHOOKS };

struct api_resealed {
    int64_t done; /* encrypted anew */
    int64_t lost; /* no key of ours opens them */
};

/* Encrypts with the key that signs whatever another one of ours has encrypted, so that the old token secret
 * may be thrown away. false and *err: the database refused. */
bool api_reseal(struct db_conn *conn, const struct api_token_keys *keys, enum api_reseal_kind what,
                struct api_resealed *resealed, struct db_error *err);

#endif
