/* Suspends requests and resumes them; see suspend.h. Loop's thread. */
#include "server/http/suspend.h"

#include "base/bug.h"
#include "base/clock.h"
#include "base/thread.h"
#include "server/operations/metrics.h"

/* Makes the daemon run before the loop waits again. */
static void kick(struct srv_http_loop *loop)
{
    /* Runs once in this iteration, no matter how many requests it resumes. */
    ev_feed_event(loop->ev, &loop->readable, EV_READ);
}

void srv_http_suspend(struct srv_http_request *request)
{
    if (request->state == HTTP_WAITING)
        return;
    struct srv_http_loop *loop = request->loop;
    ASSERT(thread_is(THREAD_REST) && !request->response); /* an answered request must not wait */
    request->state = HTTP_WAITING;
    request->conn->waiting = true;
    request->prev = NULL;
    request->next = loop->waiting;
    if (request->next)
        request->next->prev = request;
    loop->waiting = request;
    MHD_suspend_connection(request->connection);
    srv_metric_add(METRIC_HTTP_WAITING, 1);
}

void srv_http_resume(struct srv_http_request *request, enum srv_http_state state)
{
    if (request->state != HTTP_WAITING)
        return;
    struct srv_http_loop *loop = request->loop;
    ASSERT(thread_is(THREAD_REST) && loop->waiting);
    if (request->prev)
        request->prev->next = request->next;
    else
        loop->waiting = request->next;
    if (request->next)
        request->next->prev = request->prev;
    request->state = state;
    request->conn->waiting = false;
    request->conn->since_ms = clock_mono_ms();
    MHD_resume_connection(request->connection);
    kick(loop);
    srv_metric_add(METRIC_HTTP_WAITING, -1);
}

void srv_http_prepare(struct srv_http_request *request)
{
    struct api_request *api = &request->api;
    db_args_init(&api->args, api->args_mem, sizeof(api->args_mem));
    api->out_buf = buf_on(request->loop->scratch, API_REPLY_MAX);
    api->out = &api->out_buf;
}
