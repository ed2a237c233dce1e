/* After a change of the token secret: secrets of second factors that were encrypted with the old one. At the
 * start of a server, on its main thread. */
#ifndef RUMMYD_API_FACTOR_RESEAL_H
#define RUMMYD_API_FACTOR_RESEAL_H

#include "api/token.h"
#include "db/pg.h"

#define API_FACTOR_RESEAL_MAX 256 /* read at once */

struct api_factor_resealed {
    int64_t done; /* encrypted anew */
    int64_t lost; /* no key of ours opens them */
};

/* Encrypts with the key that signs whatever another one of ours has encrypted, so that the old token secret
 * may be thrown away. false and *err: the database refused. */
bool api_factor_reseal(struct db_conn *conn, const struct api_token_keys *keys,
                       struct api_factor_resealed *resealed, struct db_error *err);

#endif
