/* What the endpoints of operators bind. Whether a key may do what it asks is decided, and the call logged, by
 * the SQL function that does it. REST loops. */
#include "api/admin.h"

#include "api/tree.h"
#include "base/bug.h"

#define TEXT_MAX 200 /* characters of a reason or a note */

static const struct spec_member reason_members[] = {
    {.name = "reason", .type = SPEC_TEXT, .required = true, .min = 1, .max = TEXT_MAX},
};
const struct spec admin_reason_spec = {
    .members = reason_members, .members_n = ARRAY_LEN(reason_members), .bytes_max = 2048};

static const struct spec_member note_members[] = {
    {.name = "note", .type = SPEC_TEXT, .required = true, .min = 1, .max = TEXT_MAX},
};
const struct spec admin_note_spec = {
    .members = note_members, .members_n = ARRAY_LEN(note_members), .bytes_max = 2048};

enum api_next admin_bind_key(struct api_call *call)
{
    db_args_bytes(&call->args, call->key_hash, sizeof(call->key_hash));
    return API_QUERY;
}

enum api_next admin_bind_id(struct api_call *call)
{
    (void)admin_bind_key(call);
    return api_bind_id(call);
}

enum api_next admin_bind_page(struct api_call *call)
{
    (void)admin_bind_key(call);
    return tree_page_bind(call);
}

enum api_next admin_bind_action_on(struct api_call *call)
{
    (void)admin_bind_key(call);
    db_args_text(&call->args, call->idempotency_key);
    db_args_bytes(&call->args, call->body_hash, sizeof(call->body_hash));
    return api_bind_id(call);
}

void admin_bind_body(struct api_call *call)
{
    const struct spec *spec = call->route->body;
    for (size_t i = 0; i < spec->members_n; i++) {
        const struct spec_value *value = &call->body[i];
        if (!value->set)
            db_args_null(&call->args);
        else if (spec->members[i].type == SPEC_INT)
            db_args_int(&call->args, value->number);
        else if (spec->members[i].type == SPEC_BOOL)
            db_args_bool(&call->args, value->flag);
        else
            db_args_text(&call->args, value->text);
    }
}

enum api_next admin_bind_action(struct api_call *call)
{
    if (admin_bind_action_on(call) == API_DONE)
        return API_DONE;
    admin_bind_body(call);
    return API_QUERY;
}
