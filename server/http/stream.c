/* Streams complete lists chunk by chunk. The next chunk is queried when the client has received the
 * previous one, so that a stream holds only one chunk, no matter how long the list is or how slow the
 * client. A client that stops reading is cut like any other (HTTP_IDLE_S_MAX, HTTP_REQUEST_MS_MAX per
 * chunk). Streams have separate slots, a few per player. If the database fails midway, the connection ends
 * without HTTP's final chunk, so that the client detects the incomplete list. See stream.h. Loop's
 * thread. */
#include "server/http/stream.h"

#include "base/bug.h"
#include "base/log.h"
#include "base/thread.h"
#include "server/http/suspend.h"
#include "server/operations/metrics.h"

#include <stdlib.h>
#include <string.h>

enum { READ_MAX = 16 * 1024 }; /* bytes that the daemon requests at a time */

bool srv_http_stream_place(struct srv_http_request *request)
{
    struct srv_http_loop *loop = request->loop;
    int all = 0, theirs = 0;
    ASSERT(thread_is(THREAD_REST) && !request->stream.on);
    for (const struct srv_http_request *r = loop->streams; r; r = r->stream.next) {
        all++;
        theirs += r->api.player_id == request->api.player_id;
    }
    if (all >= HTTP_STREAMS_MAX || theirs >= HTTP_PLAYER_STREAMS_MAX)
        return false;
    request->stream.on = true;
    request->stream.next = loop->streams;
    if (loop->streams)
        loop->streams->stream.prev = request;
    loop->streams = request;
    srv_metric_add(METRIC_HTTP_STREAMS, 1);
    return true;
}

void srv_http_stream_end(struct srv_http_request *request)
{
    struct srv_http_stream *stream = &request->stream;
    if (!stream->on)
        return;
    ASSERT(request->loop->streams);
    if (stream->prev)
        stream->prev->stream.next = stream->next;
    else
        request->loop->streams = stream->next;
    if (stream->next)
        stream->next->stream.prev = stream->prev;
    free(stream->text);
    stream->text = NULL;
    stream->on = false;
    srv_metric_add(METRIC_HTTP_STREAMS, -1);
}

/* Copies the chunk from `api`, because its buffer belongs to the loop. */
static bool keep_chunk(struct srv_http_request *request)
{
    struct srv_http_stream *stream = &request->stream;
    const struct buf *out = request->api.out;
    ASSERT(!stream->text && !out->full);
    stream->at = 0;
    stream->len = out->len;
    stream->text = out->len > 0 ? malloc(out->len) : NULL;
    if (stream->text)
        memcpy(stream->text, out->data, out->len);
    return stream->text || out->len == 0;
}

static void on_rows(void *arg, const struct db_reply *reply)
{
    struct srv_http_request *request = arg;
    struct api_request *api = &request->api;
    ASSERT(request->state == HTTP_WAITING && thread_is(THREAD_REST) && request->stream.on);
    srv_http_prepare(request);
    bool done = reply->outcome == DB_OK && api->route->operation->reply(api, reply->rows) == API_DONE &&
                api->code == API_OK && !api->out->full && keep_chunk(request);
    if (!done) {
        request->stream.failed = true;
        log_warn("http_stream_cut", LOG_TEXT("trace_id", api->trace_id),
                 LOG_TEXT("operation", api->route->id),
                 LOG_TEXT("error", reply->outcome == DB_OK ? "no room" : reply->err->text));
    }
    srv_http_resume(request, HTTP_SENT);
}

/* Queries the next chunk and suspends the request. */
static bool query_more(struct srv_http_request *request)
{
    struct api_request *api = &request->api;
    struct srv_http_loop *loop = request->loop;
    srv_http_prepare(request);
    if (!loop->pipe || api->route->operation->begin(api) != API_QUERY ||
        !db_pipe_read(loop->pipe, api->route->operation->stmt, &api->args, on_rows, request))
        return false;
    srv_http_suspend(request);
    return true;
}

/* The daemon's callback for more bytes. 0: none yet; the connection is suspended. */
static ssize_t read_stream(void *arg, uint64_t at, char *bytes, size_t max)
{
    (void)at;
    struct srv_http_request *request = arg;
    struct srv_http_stream *stream = &request->stream;
    ASSERT(thread_is(THREAD_REST) && stream->on);
    size_t n = stream->len - stream->at;
    if (n > max)
        n = max;
    if (n > 0) {
        memcpy(bytes, stream->text + stream->at, n);
        stream->at += n;
        return (ssize_t)n;
    }
    free(stream->text);
    stream->text = NULL;
    if (!stream->failed && request->api.stream_below == 0)
        return MHD_CONTENT_READER_END_OF_STREAM;
    return !stream->failed && query_more(request) ? 0 : MHD_CONTENT_READER_END_WITH_ERROR;
}

bool srv_http_stream_begin(struct srv_http_request *request)
{
    ASSERT(request->stream.on && !request->response);
    /* For HEAD, libmicrohttpd 0.9.75 sends the final chunk of a nonexistent body. Closing the connection
     * prevents a client from parsing it as the next response, and HTTP/1.0 responses have no chunks. */
    bool head = strcmp(request->method, "HEAD") == 0;
    request->last |= head;
    if (keep_chunk(request))
        request->response =
            MHD_create_response_from_callback(MHD_SIZE_UNKNOWN, READ_MAX, read_stream, request, NULL);
    if (request->response && head)
        (void)MHD_set_response_options(request->response, MHD_RF_HTTP_VERSION_1_0_ONLY, MHD_RO_END);
    return request->response != NULL;
}
