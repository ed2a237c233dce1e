/* What operators and developers ask: health, metrics, version, the contracts and the page that
 * shows them. Needs neither account nor database. REST loops. */
#include "api/overdue.h"
#include "api/resources.h"
#include "base/bug.h"

#include <string.h>

static enum api_next healthz(struct api_call *call)
{
    struct buf *out = api_reply_json(call, 200);
    json_kv_text(out, "status", "ok");
    json_close(out, '}');
    return API_DONE;
}

static enum api_next readyz(struct api_call *call)
{
    const struct api_ports *ports = &call->env->ports;
    bool draining = ports->draining(ports->ctx), ready = call->database_up && !draining;
    struct buf *out = api_reply_json(call, ready ? 200 : 503);
    json_kv_text(out, "status", ready ? "ready" : "not_ready");
    json_kv_bool(out, "database", call->database_up);
    json_kv_bool(out, "draining", draining);
    json_key(out, "jobs_overdue");
    api_overdue_write(call->env->overdue, out);
    json_close(out, '}');
    return API_DONE;
}

static enum api_next metrics(struct api_call *call)
{
    call->status = 200;
    call->content_type = "text/plain; version=0.0.4; charset=utf-8";
    call->env->metrics_write(call->out);
    return API_DONE;
}

static enum api_next version(struct api_call *call)
{
    struct buf *out = api_reply_json(call, 200);
    json_kv_text(out, "name", "rummyd");
    json_kv_text(out, "version", call->env->version);
    json_kv_text(out, "api", "1.0");
    json_kv_text(out, "node", call->env->node);
    json_close(out, '}');
    return API_DONE;
}

/* A document that is part of the program. */
static enum api_next document(struct api_call *call, const char *name, const char *content_type)
{
    for (size_t i = 0; i < call->env->documents_n; i++) {
        const struct embed_file *file = &call->env->documents[i];
        if (strcmp(file->name, name) != 0)
            continue;
        call->status = 200;
        call->content_type = content_type;
        buf_put(call->out, file->data, file->len);
        return api_reply_tagged(call);
    }
    return api_refuse(call, API_NOT_FOUND);
}

static enum api_next openapi(struct api_call *call)
{
    return document(call, "openapi.yaml", "application/yaml");
}

static enum api_next asyncapi(struct api_call *call)
{
    return document(call, "asyncapi.yaml", "application/yaml");
}

static enum api_next docs(struct api_call *call)
{
    return document(call, "docs.html", "text/html; charset=utf-8");
}

static enum api_next docs_script(struct api_call *call)
{
    return document(call, "docs.js", "text/javascript; charset=utf-8");
}

static enum api_next docs_style(struct api_call *call)
{
    return document(call, "docs.css", "text/css; charset=utf-8");
}

#define GET(where, name, function)                                                                           \
    {                                                                                                        \
        .method = "GET", .path = (where), .id = (name), .begin = (function)                                  \
    }

const struct api_route api_ops_routes[] = {
    GET("/healthz", "healthz", healthz),
    GET("/readyz", "readyz", readyz),
    GET("/metrics", "metrics", metrics),
    GET("/version", "version", version),
    GET("/openapi.yaml", "openapi", openapi),
    GET("/asyncapi.yaml", "asyncapi", asyncapi),
    GET("/docs", "docs", docs),
    GET("/docs.js", "docsScript", docs_script),
    GET("/docs.css", "docsStyle", docs_style),
};
const size_t api_ops_routes_n = ARRAY_LEN(api_ops_routes);
