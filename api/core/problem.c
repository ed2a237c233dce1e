/* The table of errors and the problem documents made from it. See problem.h. */
#include "api/core/problem.h"

#include "api/core/faults.h"
#include "base/bug.h"

#include <string.h>

#define REST API_IN_REST
#define WS API_IN_WS
#define BOTH API_IN_BOTH

static const struct {
    const char *name;
    int status;
    enum api_where where;
    const char *text;
} codes[API_CODES_N] = {
    [API_OK] = {"ok", 200, 0, ""},
#define API_ERROR(id, name, status, where, text) [API_##id] = {name, status, where, text},
#include "api/errors.def"
#undef API_ERROR
};

#undef REST
#undef WS
#undef BOTH

const char *api_code_name(enum api_code code)
{
    ASSERT(code < API_CODES_N);
    return codes[code].name;
}

int api_code_status(enum api_code code)
{
    ASSERT(code < API_CODES_N);
    return codes[code].status;
}

enum api_where api_code_where(enum api_code code)
{
    ASSERT(code < API_CODES_N);
    return codes[code].where;
}

const char *api_code_text(enum api_code code)
{
    ASSERT(code < API_CODES_N);
    return codes[code].text;
}

enum api_code api_code_of(const char *name)
{
    ASSERT(name);
    for (enum api_code c = API_OK + 1; c < API_CODES_N; c++)
        if (strcmp(codes[c].name, name) == 0)
            return c;
    return API_OK;
}

static void write_data(struct buf *out, const struct api_problem_data *data)
{
    if (data->retry_s > 0)
        json_kv_num(out, "retry_s", data->retry_s);
    if (data->bytes_max > 0)
        json_kv_num(out, "bytes_max", data->bytes_max);
    if (data->line > 0) {
        json_kv_num(out, "line", data->line);
        json_kv_num(out, "column", data->column);
    }
    if (data->limit)
        json_kv_text(out, "limit", data->limit);
    if (data->scope)
        json_kv_text(out, "scope", data->scope);
    if (data->challenge)
        json_kv_text(out, "challenge", data->challenge);
}

void api_problem_write(struct buf *out, enum api_code code, const struct api_problem_data *data,
                       const char *instance, const char *trace_id, const struct api_faults *faults)
{
    ASSERT(code != API_OK && code < API_CODES_N);
    ASSERT(codes[code].status >= 400 && codes[code].status < 600 && codes[code].text[0] != '\0');
    bool faulty = faults && faults->n > 0;
    char sentence[API_DETAIL_MAX];
    if (faulty)
        api_fault_format(&faults->list[0], sentence);
    json_open(out, '{');
    json_key(out, "type");
    buf_fmt(out, "\"/docs#error-%s\"", codes[code].name);
    json_kv_text(out, "title", codes[code].text);
    json_kv_num(out, "status", codes[code].status);
    json_kv_text(out, "detail", faulty ? sentence : codes[code].text);
    json_kv_text(out, "instance", instance);
    json_kv_text(out, "code", codes[code].name);
    if (trace_id)
        json_kv_text(out, "trace_id", trace_id);
    if (data)
        write_data(out, data);
    if (faulty) {
        json_key(out, "errors");
        api_faults_write(out, faults);
    }
    json_close(out, '}');
}
