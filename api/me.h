/* What others need of /v1/me. */
#ifndef RUMMYD_API_ME_H
#define RUMMYD_API_ME_H

#include "db/together.h"

/* How GET /v1/me of several players who wait is one statement. */
extern const struct db_together api_me_together;

#endif
