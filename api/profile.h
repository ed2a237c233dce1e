/* The player as he sees himself: written by /v1/me and with each session; members that several bodies have.
 * REST loops. */
#ifndef RUMMYD_API_PROFILE_H
#define RUMMYD_API_PROFILE_H

#include "api/call.h"
#include "api/form.h"

/* Writes the members of `Me` from the first row of q_me or of a session_answer. */
void profile_write(struct buf *out, const PGresult *rows);

/* nickname: 2 to 20 characters; used by every body that has one. */
#define PROFILE_NICKNAME(is_required)                                                                        \
    {                                                                                                        \
        .name = "nickname", .type = SPEC_TEXT, .required = (is_required), .min = 2, .max = 20,               \
        .form = form_nickname,                                                                               \
        .form_is = "must have no control or invisible characters and no space at its ends"                   \
    }

/* The code of who invites, under the name the body has for it. */
#define INVITE_CODE(member, is_required)                                                                     \
    {                                                                                                        \
        .name = (member), .type = SPEC_TEXT, .required = (is_required), .min = 8, .max = 8,                  \
        .form = form_token, .form_is = "must be letters and digits"                                          \
    }

#endif
