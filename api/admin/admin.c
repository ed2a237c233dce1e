/* Argument binding shared by operator endpoints. The SQL function of an endpoint decides whether the key may
 * call it, and writes the audit log. REST loops. */
#include "api/admin/admin.h"

#include "api/core/json_reply.h"
#include "api/core/unicode.h"
#include "base/bug.h"
#include "base/text.h"

#include <string.h>

#define Q_MAX 254 /* bytes of a search term */

enum api_next api_admin_bind_key(struct api_request *request)
{
    ASSERT(request->route->role == API_KEY);
    db_args_bytes(&request->args, request->key_hash, sizeof(request->key_hash));
    return API_QUERY;
}

enum api_next api_admin_bind_id(struct api_request *request)
{
    (void)api_admin_bind_key(request);
    return api_bind_id(request);
}

enum api_next api_admin_bind_page(struct api_request *request)
{
    (void)api_admin_bind_key(request);
    return api_json_page_bind(request);
}

void api_admin_bind_q(struct api_request *request)
{
    char folded[4 * Q_MAX];
    size_t len = request->q ? strlen(request->q) : 0;
    if (request->q && (len == 0 || len > Q_MAX || !text_utf8_ok(request->q, len)))
        (void)api_fail_parameter(request, "q", API_FAULT_BAD_TEXT, 1, Q_MAX);
    db_args_text(&request->args, request->q);
    db_args_text(&request->args,
                 request->q && api_unicode_fold(request->q, folded, sizeof(folded)) ? folded : NULL);
}

enum api_next api_admin_bind_search(struct api_request *request)
{
    (void)api_admin_bind_key(request);
    api_admin_bind_q(request);
    return api_json_page_bind(request);
}

enum api_next api_admin_bind_action_on(struct api_request *request)
{
    ASSERT(
        request->idempotency_key &&
        request->route->operation->writes); /* required, because an operator's action must happen only once */
    (void)api_admin_bind_key(request);
    api_bind_idempotency(request);
    return api_bind_id(request);
}

void api_admin_bind_body(struct api_request *request)
{
    const struct api_spec *spec = request->route->body;
    ASSERT(spec && spec->members_n <= API_SPEC_MEMBERS_MAX);
    for (size_t i = 0; i < spec->members_n; i++)
        api_bind_member(request, i);
}

enum api_next api_admin_bind_action(struct api_request *request)
{
    if (api_admin_bind_action_on(request) == API_DONE)
        return API_DONE;
    api_admin_bind_body(request);
    return API_QUERY;
}
