/* Parts of /v1/me used elsewhere. */
#ifndef RUMMYD_API_ME_H
#define RUMMYD_API_ME_H

#include "db/batch_stmt.h"

/* Combines GET /v1/me of several waiting players into one statement. */
extern const struct db_batch_stmt api_me_batch_stmt;

#endif
