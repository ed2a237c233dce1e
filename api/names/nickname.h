/* Nickname handling shared by endpoints: arguments of statements, and errors. REST loops. */
#ifndef RUMMYD_API_NICKNAME_H
#define RUMMYD_API_NICKNAME_H

#include "api/core/request.h"
#include "api/names/names.h"
#include "base/bug.h"

/* Binds an accepted name for name_take (db/functions/players) as one jsonb; NULL: none. */
void api_nickname_bind(struct api_request *request, const char *text);
/* Binds a jsonb array of names for do_create_named to try: the chosen one, or for a guest without one, some
 * generated names, the shortest first. */
void api_nickname_bind_new(struct api_request *request, const char *text);

/* If sql_code is an error code of name_take or name_change, ends the request with the fault of the member.
 * changes_at_ms: time of the next permitted change. false: another code. */
bool api_nickname_refused(struct api_request *request, const char *sql_code, int64_t changes_at_ms);

#endif
