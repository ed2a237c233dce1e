/* GET /v1/players: searches players by the start of their nickname. REST loops. */
#include "api/core/json_reply.h"
#include "api/core/operations.h"
#include "api/core/unicode.h"
#include "api/names/nickname.h"
#include "base/bug.h"
#include "base/text.h"

#include <string.h>

enum { BEGINNING_MIN = 3 }; /* characters: fewer would match too many */

static const struct db_stmt q_players = {"q_players", "SELECT code, body FROM q_players($1, $2)", 2};
/* Whether a name can begin with this text. A text that is too long or too short once normalized matches no
 * players. */
static bool may_begin(const char *text)
{
    struct api_name name;
    return api_name_make(text, &name) && api_unicode_length(name.folded) >= BEGINNING_MIN;
}

static enum api_next bind_players(struct api_request *request)
{
    const char *text = request->nickname ? request->nickname : "";
    enum api_fault_code fault = API_FAULT_NONE;
    if (!text_utf8_ok(text, strlen(text)))
        fault = API_FAULT_BAD_TEXT;
    else if (api_unicode_length(text) < BEGINNING_MIN)
        fault = API_FAULT_TOO_SHORT;
    else if (api_unicode_length(text) > API_NAME_BYTES_MAX)
        fault = API_FAULT_TOO_LONG;
    else if (strchr(text, '@')) /* no email addresses, because proxies log URLs; nicknames contain no @ */
        fault = API_FAULT_NAME_CHARACTER;
    if (fault != API_FAULT_NONE)
        return api_fail_parameter(request, "nickname", fault, BEGINNING_MIN, API_NAME_BYTES_MAX);
    (void)api_bind_player(request);
    api_nickname_bind(request, may_begin(text) ? text : NULL);
    return API_QUERY;
}

API_OPERATION(findByNickname) = {.stmt = &q_players, .begin = bind_players, .reply = api_json_reply};
