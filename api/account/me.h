/* Parts of /v1/me used elsewhere. */
#ifndef RUMMYD_API_ME_H
#define RUMMYD_API_ME_H

#include "db/together.h"

/* Combines GET /v1/me of several waiting players into one statement. */
extern const struct db_together api_me_together;

#endif
