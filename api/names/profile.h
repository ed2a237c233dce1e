/* The player's own profile, as returned by /v1/me and with each session. REST loops. */
#ifndef RUMMYD_API_PROFILE_H
#define RUMMYD_API_PROFILE_H

#include "api/core/request.h"
#include "api/core/validators.h"
#include "base/bug.h"

/* Writes the members of `Me` from the first row of q_me or session_answer. */
void api_profile_write(struct buf *out, const PGresult *rows);

#endif
