/* Functions shared by the endpoints: failures, replies, and ids. See request.h. */
#include "api/core/request.h"
#include "api/core/coding.h"
#include "api/core/etag.h"
#include "api/core/route.h"
#include "api/core/validators.h"

#include "base/bug.h"
#include "base/clock.h"
#include "base/text.h"

#include <sodium.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum api_next api_query(struct api_request *request, const struct db_stmt *stmt, bool writes,
                        enum api_next (*then)(struct api_request *, const PGresult *))
{
    ASSERT(stmt && then && (stmt->n_params == request->args.n || !db_args_ok(&request->args)));
    request->stmt = stmt;
    request->writes = writes;
    request->then = then;
    return API_QUERY;
}

enum api_next api_work(struct api_request *request, void (*job)(struct api_request *),
                       enum api_next (*then)(struct api_request *, const PGresult *))
{
    ASSERT(job && then && request->route->operation->computes);
    request->work = job;
    request->then = then;
    return API_WORK;
}

enum api_next api_refuse(struct api_request *request, enum api_code code)
{
    ASSERT(code != API_OK && code < API_CODES_N);
    request->code = code;
    if (request->faults)
        request->faults->n = 0;
    return API_DONE;
}

enum api_next api_fail_fault(struct api_request *request, const struct api_fault *fault)
{
    ASSERT(fault->code > API_FAULT_NONE && fault->code < API_FAULT_CODES_N);
    if (request->code == API_OK)
        request->code = api_fault_problem(fault);
    if (!request->faults)
        request->faults = calloc(1, sizeof(*request->faults));
    if (request->faults) /* without memory, report only the code */
        api_faults_add(request->faults, fault);
    return API_DONE;
}

enum api_next api_fail_parameter(struct api_request *request, const char *name, enum api_fault_code code,
                                 int64_t min, int64_t max)
{
    ASSERT(name[0] != '\0' && min <= max);
    struct api_fault fault = {.code = code, .place = API_FAULT_PARAMETER, .min = min, .max = max};
    api_fault_name(&fault, name, strlen(name));
    return api_fail_fault(request, &fault);
}

bool api_read_number(struct api_request *request, const char *name, const char *text, int64_t min,
                     int64_t max, int64_t *number)
{
    ASSERT(min <= max);
    enum api_fault_code code = API_FAULT_NOT_AN_INTEGER;
    if (text_i64(text, INT64_MIN, INT64_MAX, number)) {
        if (*number >= min && *number <= max)
            return true;
        code = *number < min ? API_FAULT_TOO_SMALL : API_FAULT_TOO_LARGE;
    }
    (void)api_fail_parameter(request, name, code, min, max);
    return false;
}

const char *api_read_choice(struct api_request *request, const char *name, const char *text,
                            const char *const *words)
{
    ASSERT(words[0]);
    for (const char *const *word = words; text && *word; word++)
        if (strcmp(text, *word) == 0)
            return *word;
    if (!text)
        return words[0];
    api_check_choice(request, name, text, words);
    return NULL;
}

void api_check_variant(struct api_request *request)
{
    const struct api_ports *ports = &request->env->ports;
    const char *variant = request->variant;
    if (!variant)
        return;
    if (!api_valid_name(variant) || strlen(variant) > API_NAME_MAX)
        (void)api_fail_parameter(request, "variant", API_FAULT_BAD_NAME, 0, 0);
    else if (!ports->variant_known(ports->ctx, variant))
        (void)api_fail_parameter(request, "variant", API_FAULT_NO_SUCH_VARIANT, 0, 0);
}

void api_check_choice(struct api_request *request, const char *name, const char *text,
                      const char *const *choices)
{
    ASSERT(name && choices && choices[0]);
    if (!text)
        return;
    for (size_t i = 0; choices[i]; i++)
        if (strcmp(text, choices[i]) == 0)
            return;
    struct api_fault fault = {
        .code = API_FAULT_UNKNOWN_CHOICE, .place = API_FAULT_PARAMETER, .allowed = choices};
    api_fault_name(&fault, name, strlen(name));
    (void)api_fail_fault(request, &fault);
}

void api_bind_query_id(struct api_request *request, const char *name, const char *text)
{
    int64_t id;
    if (!text)
        db_args_null(&request->args);
    else if (text_i64(text, 1, INT64_MAX, &id))
        db_args_int(&request->args, id);
    else
        (void)api_fail_parameter(request, name, API_FAULT_BAD_ID, 0, 0);
}

void api_bind_word(struct api_request *request, const char *name, const char *text)
{
    static const char letters[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-:";
    if (!text)
        db_args_null(&request->args);
    else if (text[0] != '\0' && strlen(text) <= API_WORD_MAX && text[strspn(text, letters)] == '\0')
        db_args_text(&request->args, text);
    else
        (void)api_fail_parameter(request, name, API_FAULT_BAD_WORD, 1, API_WORD_MAX);
}

void api_bind_choice(struct api_request *request, const char *name, const char *text,
                     const char *const *choices)
{
    api_check_choice(request, name, text, choices);
    db_args_text(&request->args, text);
}

void api_bind_flag(struct api_request *request, const char *name, const char *text)
{
    static const char *const flags[] = {"true", "false", NULL};
    api_check_choice(request, name, text, flags);
    if (text)
        db_args_bool(&request->args, strcmp(text, flags[0]) == 0);
    else
        db_args_null(&request->args);
}

void api_bind_time(struct api_request *request, const char *name, const char *text)
{
    int64_t ms;
    if (!text)
        db_args_null(&request->args);
    else if (clock_read_rfc3339(text, &ms))
        db_args_int(&request->args, ms);
    else
        (void)api_fail_parameter(request, name, API_FAULT_BAD_TIME, 0, 0);
}

enum api_next api_bind_times(struct api_request *request)
{
    api_bind_time(request, "since", request->since);
    api_bind_time(request, "until", request->until);
    return request->code == API_OK ? API_QUERY : API_DONE;
}

/* Codes of SQL functions that clients get under a different name. */
static const struct {
    const char *sql;
    enum api_code code;
} sql_names[] = {
    {"banned", API_ACCOUNT_BANNED},         {"no_such_player", API_TOKEN_INVALID},
    {"no_such_seat", API_NOT_SEATED},       {"no_such_account", API_BAD_CREDENTIALS},
    {"token_unknown", API_REFRESH_INVALID}, {"token_revoked", API_REFRESH_INVALID},
    {"token_reused", API_REFRESH_REUSED},
};

enum api_next api_refuse_sql(struct api_request *request, const char *sql_code)
{
    ASSERT(sql_code && strcmp(sql_code, "ok") != 0); /* call this only for failures */
    for (size_t i = 0; i < ARRAY_LEN(sql_names); i++)
        if (strcmp(sql_names[i].sql, sql_code) == 0)
            return api_refuse(request, sql_names[i].code);
    enum api_code code = api_code_of(sql_code);
    return api_refuse(request, code == API_OK ? API_INTERNAL : code);
}

/* SQLSTATEs of our triggers that reject a statement. */
static const struct {
    const char *state;
    enum api_code code;
} sql_states[] = {
    {"RU001", API_LIMIT_EXCLUDED},   {"RU002", API_LIMIT_TIME},    {"RU003", API_LIMIT_PURCHASES},
    {"RU004", API_DELETION_PENDING}, {"RU005", API_BOTS_NOT_HERE},
};

enum api_code api_code_of_state(const char *sqlstate)
{
    ASSERT(strlen(sqlstate) == 0 || strlen(sqlstate) == 5);
    for (size_t i = 0; i < ARRAY_LEN(sql_states); i++)
        if (strcmp(sql_states[i].state, sqlstate) == 0)
            return sql_states[i].code;
    return API_OK;
}

/* The name of parameter i in the route's path. */
static void param_name(const struct api_request *request, int i, char out[32])
{
    const char *p = request->route->path;
    for (; i >= 0; i--) {
        p = strchr(p, '{');
        ASSERT(p);
        p++;
    }
    int len = snprintf(out, 32, "%.*s", (int)strcspn(p, "}"), p);
    ASSERT(len > 0 && len < 32);
}

bool api_param_id(struct api_request *request, int i, int64_t *id)
{
    ASSERT(i >= 0 && i < API_PARAMS_MAX);
    const char *text = request->params[i];
    if (text[0] != '0' && text[0] != '-' && text_i64(text, 1, INT64_MAX, id))
        return true;
    char name[32];
    param_name(request, i, name);
    (void)api_fail_parameter(request, name, API_FAULT_BAD_ID, 0, 0);
    return false;
}

enum api_next api_bind_player(struct api_request *request)
{
    ASSERT(request->route->role != API_PLAYER || request->player_id > 0);
    db_args_int(&request->args, request->player_id);
    return API_QUERY;
}

enum api_next api_bind_id(struct api_request *request)
{
    int64_t id;
    if (!api_param_id(request, 0, &id))
        return API_DONE;
    ASSERT(id > 0);
    db_args_int(&request->args, id);
    return API_QUERY;
}

enum api_next api_bind_player_and_id(struct api_request *request)
{
    (void)api_bind_player(request);
    return api_bind_id(request);
}

void api_bind_member(struct api_request *request, size_t member)
{
    const struct api_spec *spec = request->route->body;
    ASSERT(spec && member < spec->members_n);
    const struct api_spec_value *value = &request->body[member];
    if (!value->set)
        db_args_null(&request->args);
    else if (spec->members[member].type == API_SPEC_INT)
        db_args_int(&request->args, value->number);
    else if (spec->members[member].type == API_SPEC_BOOL)
        db_args_bool(&request->args, value->flag);
    else
        db_args_text(&request->args, value->text);
}

void api_bind_idempotency(struct api_request *request)
{
    ASSERT(request->idempotency_key && request->route->idempotent);
    db_args_text(&request->args, request->idempotency_key);
    db_args_bytes(&request->args, request->body_hash, sizeof(request->body_hash));
}

struct buf *api_reply_open(struct api_request *request, int status)
{
    ASSERT(request->code == API_OK); /* a rejected request gets a problem document */
    ASSERT(request->out->len == 0);  /* one response per request */
    ASSERT(status >= 200 && status < 600);
    request->status = status;
    request->content_type = "application/json";
    json_open(request->out, '{');
    return request->out;
}

enum api_next api_reply_empty(struct api_request *request)
{
    ASSERT(request->code == API_OK && request->out->len == 0);
    request->status = 204;
    return API_DONE;
}

void api_reply_location(struct api_request *request, const char *path, const char *id)
{
    int len = snprintf(request->location, sizeof(request->location), "%s%s", path, id);
    ASSERT(len > 0 && (size_t)len < sizeof(request->location));
}

void api_reply_file(struct api_request *request, const char *format, ...)
{
    va_list values;
    va_start(values, format);
    int len = vsnprintf(request->file_name, sizeof(request->file_name), format, values);
    va_end(values);
    ASSERT(len > 0 && (size_t)len < sizeof(request->file_name));
    ASSERT(strspn(request->file_name, "abcdefghijklmnopqrstuvwxyz0123456789-.") == (size_t)len);
}

enum api_next api_reply_tagged_as(struct api_request *request, const char *etag)
{
    ASSERT(request->code == API_OK && request->etag[0] == '\0');
    int len = snprintf(request->etag, sizeof(request->etag), "\"%s%s\"", etag,
                       api_coding_tag(api_coding_of(request)));
    ASSERT(len > 2 && (size_t)len < sizeof(request->etag)); /* a truncated tag could match wrongly */
    if (api_etag_listed(request->if_none_match, request->etag)) {
        request->status = 304;
        request->out->len = 0;
        request->sent = NULL;
    }
    return API_DONE;
}

enum api_next api_reply_tagged(struct api_request *request)
{
    uint8_t hash[16];
    char text[2 * sizeof(hash) + 1];
    const char *bytes = request->sent ? request->sent : request->out->data;
    size_t len = request->sent ? request->sent_len : request->out->len;
    ASSERT(len > 0);
    crypto_generichash(hash, sizeof(hash), (const unsigned char *)bytes, len, NULL, 0);
    text_hex(text, hash, sizeof(hash));
    return api_reply_tagged_as(request, text);
}
