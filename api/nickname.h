/* The nickname as endpoints share it: a member of bodies, an argument of statements, refusals. REST loops. */
#ifndef RUMMYD_API_NICKNAME_H
#define RUMMYD_API_NICKNAME_H

#include "api/names.h"
#include "api/request.h"
#include "base/bug.h"

/* A member that is what a nickname may be. */
#define API_NAMED_MEMBER(NAME, is_required)                                                                  \
    INIT(.name = (NAME), .type = API_SPEC_TEXT, .required = (is_required), .min = API_NAME_CHARS_MIN,        \
         .max = API_NAME_CHARS_MAX, .length = api_name_length, .judge = api_name_judge)
/* Used by every body that has one. */
#define API_NICKNAME_MEMBER(is_required) API_NAMED_MEMBER("nickname", is_required)

/* Binds a name that was admitted as name_take (db/functions/players) wants it, one jsonb; NULL: none. */
void api_nickname_bind(struct api_request *request, const char *text);
/* Binds names as do_create_named wants them, a jsonb array of those to try: the one that was chosen; of a
 * guest who chose none, some that are made up, the shortest first. */
void api_nickname_bind_new(struct api_request *request, const char *text);

/* If this is one of name_take's or name_change's codes: ends the request with the fault of the member;
 * changes_at_ms: when the name may be changed. false: it is another code. */
bool api_nickname_refused(struct api_request *request, const char *sql_code, int64_t changes_at_ms);

#endif
