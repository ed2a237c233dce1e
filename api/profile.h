/* The player's own profile: written by /v1/me and with each session; and a member shared by several bodies.
 * REST loops. */
#ifndef RUMMYD_API_PROFILE_H
#define RUMMYD_API_PROFILE_H

#include "api/request.h"
#include "api/validators.h"
#include "base/bug.h"

/* Writes the members of `Me` from the first row of q_me or of a session_answer. */
void api_profile_write(struct buf *out, const PGresult *rows);

#define API_INVITE_CODE_LEN 8
/* The inviter's code, under the member name used by the body. */
#define API_INVITE_CODE_MEMBER(member, is_required)                                                          \
    INIT(.name = (member), .type = API_SPEC_TEXT, .required = (is_required), .min = API_INVITE_CODE_LEN,     \
         .max = API_INVITE_CODE_LEN, .valid = api_valid_token, .fault = API_FAULT_BAD_TOKEN)

#endif
