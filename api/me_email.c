/* POST /v1/me/email/verification: the mail that confirms one's address, once more. REST loops. */
#include "api/resources.h"
#include "api/rows.h"
#include "base/bug.h"

#include <string.h>

enum { MAIL_RETRY_S = 3600 };

static const struct db_stmt do_send_verification = {"do_send_verification",
                                                    "SELECT do_send_verification($1) AS code", 1};

static enum api_next reply_sent(struct api_request *request, const PGresult *rows)
{
    const char *code = api_row_get(rows, 0, "code");
    if (strcmp(code, "ok") == 0)
        return api_reply_empty(request);
    request->data.retry_s = strcmp(code, "too_many_mails") == 0 ? MAIL_RETRY_S : 0;
    return api_refuse_sql(request, code);
}

const struct api_route api_me_email_routes[] = {
    {.method = "POST",
     .path = "/v1/me/email/verification",
     .id = "sendVerification",
     .role = API_PLAYER,
     .rate = API_RATE_AUTH,
     .stmt = &do_send_verification,
     .writes = true,
     .begin = api_bind_player,
     .reply = reply_sent},
};
const size_t api_me_email_routes_n = ARRAY_LEN(api_me_email_routes);
