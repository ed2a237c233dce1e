/* Nickname handling shared by endpoints; see nickname.h. */
#include "api/names/nickname.h"

#include <sodium.h>
#include <stdio.h>
#include <string.h>

enum { TRIES_MAX = 4, JSON_MAX = 1536 };

static void write_name(struct buf *out, const char *text, bool given)
{
    struct api_name name;
    char by[API_NAME_BY_MAX];
    bool made = api_name_make(text, &name);
    ASSERT(made); /* already checked */
    api_name_version(by);
    json_open(out, '{');
    json_kv_text(out, "nickname", name.nickname);
    json_kv_text(out, "folded", name.folded);
    json_key(out, "keys");
    json_open(out, '[');
    for (size_t i = 0; i < name.keys_n; i++)
        json_text(out, name.keys[i]);
    json_close(out, ']');
    json_kv_text(out, "by", by);
    json_kv_bool(out, "given", given);
    json_close(out, '}');
}

static void bind(struct api_request *request, const struct buf *json)
{
    ASSERT(!json->full);
    db_args_text_n(&request->args, json->data, json->len);
}

void api_nickname_bind(struct api_request *request, const char *text)
{
    char mem[JSON_MAX];
    struct buf json = buf_on(mem, sizeof(mem));
    if (!text) {
        db_args_null(&request->args);
        return;
    }
    write_name(&json, text, false);
    bind(request, &json);
}

void api_nickname_bind_new(struct api_request *request, const char *text)
{
    static const uint32_t numbers[TRIES_MAX] = {10000, 1000000, 100000000, 4000000000};
    char mem[JSON_MAX], made[32];
    struct buf json = buf_on(mem, sizeof(mem));
    json_open(&json, '[');
    for (int i = 0; i < (text ? 1 : TRIES_MAX); i++) {
        (void)snprintf(made, sizeof(made), "Guest %04u", randombytes_uniform(numbers[i]));
        write_name(&json, text ? text : made, !text);
    }
    json_close(&json, ']');
    bind(request, &json);
}

bool api_nickname_refused(struct api_request *request, const char *sql_code, int64_t changes_at_ms)
{
    struct api_fault fault = {.code = strcmp(sql_code, "name_taken") == 0      ? API_FAULT_NAME_TAKEN
                                      : strcmp(sql_code, "name_too_soon") == 0 ? API_FAULT_NAME_TOO_SOON
                                                                               : API_FAULT_NONE};
    if (fault.code == API_FAULT_NONE)
        return false;
    if (fault.code ==
        API_FAULT_NAME_TOO_SOON) /* whole seconds, rounded up so that the change then succeeds */
        request->data.retry_s = (changes_at_ms - request->now_ms) / 1000 + 1;
    api_fault_name(&fault, "nickname", strlen("nickname"));
    (void)api_fail_fault(request, &fault);
    return true;
}
