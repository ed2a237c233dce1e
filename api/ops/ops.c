/* Endpoints for operations: health, metrics, and version. They require neither an account nor the database.
 * REST loops. */
#include "api/core/operations.h"
#include "api/ops/overdue.h"
#include "base/bug.h"

static enum api_next healthz(struct api_request *request)
{
    struct buf *out = api_reply_open(request, 200);
    json_kv_text(out, "status", "ok");
    json_close(out, '}');
    return API_DONE;
}

static enum api_next readyz(struct api_request *request)
{
    const struct api_ports *ports = &request->env->ports;
    bool draining = ports->draining(ports->ctx), lease = ports->lease_held(ports->ctx);
    bool clock = ports->clock_ok(ports->ctx), ready = request->database_up && lease && clock && !draining;
    struct buf *out = api_reply_open(request, ready ? 200 : 503);
    json_kv_text(out, "status", ready ? "ready" : "not_ready");
    json_kv_bool(out, "database", request->database_up);
    json_kv_bool(out, "lease", lease);
    json_kv_bool(out, "clock", clock);
    json_kv_bool(out, "draining", draining);
    api_overdue_write(request->env->overdue, out);
    json_close(out, '}');
    return API_DONE;
}

static enum api_next metrics(struct api_request *request)
{
    request->status = 200;
    request->content_type = "text/plain; version=0.0.4; charset=utf-8";
    request->env->metrics_write(request->out);
    return API_DONE;
}

static enum api_next version(struct api_request *request)
{
    struct buf *out = api_reply_open(request, 200);
    json_kv_text(out, "name", "rummyd");
    json_kv_text(out, "version", request->env->version);
    json_kv_text(out, "api", "1.0");
    json_kv_text(out, "node", request->env->node);
    json_close(out, '}');
    return API_DONE;
}

API_OPERATION(healthz) = {.begin = healthz};
API_OPERATION(readyz) = {.begin = readyz};
API_OPERATION(metrics) = {.begin = metrics};
API_OPERATION(version) = {.begin = version};
