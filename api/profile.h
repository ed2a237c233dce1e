/* The player as he sees himself: written by /v1/me and with each session. REST loops. */
#ifndef RUMMYD_API_PROFILE_H
#define RUMMYD_API_PROFILE_H

#include "api/call.h"

/* Writes the members of `Me` from the first row of q_me or of a session_answer. */
void profile_write(struct buf *out, const PGresult *rows);

/* nickname: 2 to 20 characters; used by every body that has one. */
#define PROFILE_NICKNAME(is_required)                                                                        \
    {                                                                                                        \
        .name = "nickname", .type = SPEC_TEXT, .required = (is_required), .min = 2, .max = 20,               \
        .form = form_nickname,                                                                               \
        .form_is = "must have no control or invisible characters and no space at its ends"                   \
    }

#endif
