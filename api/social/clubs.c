/* GET /v1/clubs: searches clubs (docs/clubs.md). REST loops. */
#include "api/core/json_reply.h"
#include "api/core/operations.h"
#include "api/core/page.h"
#include "api/core/unicode.h"
#include "api/names/nickname.h"
#include "base/bug.h"
#include "base/text.h"

#include <string.h>

static const struct db_stmt q_clubs = {"q_clubs", "SELECT id, body FROM q_clubs($1, $2, $3, $4)", 4};

static enum api_next bind_list(struct api_request *request)
{
    struct api_name name;
    const char *q = request->q;
    if (q && (!text_utf8_ok(q, strlen(q)) || api_unicode_length(q) < 1 || !api_name_make(q, &name)))
        return api_fail_parameter(request, "q", API_FAULT_BAD_TEXT, 1, API_NAME_BYTES_MAX);
    if (api_page_bind(request) == API_DONE)
        return API_DONE;
    api_nickname_bind(request, q);
    return API_QUERY;
}

API_OPERATION(listClubs) = {.stmt = &q_clubs, .begin = bind_list, .reply = api_json_list_reply};
