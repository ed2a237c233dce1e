/* The connections of a loop; see connections.h. Loop's thread. */
#include "server/http/connections.h"

#include "base/bug.h"
#include "base/clock.h"
#include "base/recv_hook.h"
#include "server/edge/answer.h"
#include "server/operations/metrics.h"

#include <stdlib.h>

/* The maximum number of a loop's connections per address. */
static size_t address_max(unsigned connections_max)
{
    ASSERT(connections_max > 0);
    return (connections_max + HTTP_ADDRESS_PART - 1) / HTTP_ADDRESS_PART;
}

enum MHD_Result srv_http_loop_admits(void *arg, const struct sockaddr *peer, socklen_t len)
{
    const struct srv_http_loop *loop = arg;
    struct addr addr;
    (void)len;
    if (!loop->addresses || !addr_of_sockaddr(peer, &addr) || srv_proxies_has(&loop->http->proxies, &addr))
        return MHD_YES;
    struct addr bucket = addr_bucket(&addr);
    if (srv_addr_counter_count(loop->addresses, &bucket) < address_max(loop->http->connections_max))
        return MHD_YES;
    srv_metric_add(METRIC_HTTP_REFUSED_ADDRESS, 1);
    /* The daemon closes it without a response. */
    srv_answer_code(recv_hook_accepted(), API_TOO_MANY_CONNECTIONS);
    return MHD_NO;
}

static void add(struct srv_http_loop *loop, struct srv_http_conn *conn, const struct sockaddr *peer)
{
    struct addr addr;
    conn->next = loop->conns;
    if (conn->next)
        conn->next->prev = conn;
    loop->conns = conn;
    if (loop->addresses && peer && addr_of_sockaddr(peer, &addr)) {
        conn->bucket = addr_bucket(&addr);
        conn->counted = true;
        srv_addr_counter_add(loop->addresses, &conn->bucket);
    }
    srv_metric_add(METRIC_HTTP_CONNECTIONS, 1);
    srv_metric_add(METRIC_HTTP_OPEN, 1);
}

static void remove_connection(struct srv_http_loop *loop, struct srv_http_conn *conn)
{
    if (conn->prev)
        conn->prev->next = conn->next;
    else
        loop->conns = conn->next;
    if (conn->next)
        conn->next->prev = conn->prev;
    if (conn->counted)
        srv_addr_counter_remove(loop->addresses, &conn->bucket);
    srv_metric_add(METRIC_HTTP_OPEN, -1);
}

void srv_http_on_connection(void *arg, struct MHD_Connection *connection, void **context,
                            enum MHD_ConnectionNotificationCode how)
{
    struct srv_http_loop *loop = arg;
    struct srv_http_conn *conn = *context;
    if (how == MHD_CONNECTION_NOTIFY_STARTED) {
        conn = calloc(1, sizeof(*conn));
        if (!conn)
            return; /* its first request will be rejected */
        const union MHD_ConnectionInfo *info =
            MHD_get_connection_info(connection, MHD_CONNECTION_INFO_CONNECTION_FD);
        if (!info || !srv_http_guard_begin(&conn->guard, info->connect_fd)) {
            free(conn);
            return;
        }
        conn->fd = info->connect_fd;
        conn->since_ms = clock_mono_ms();
        info = MHD_get_connection_info(connection, MHD_CONNECTION_INFO_CLIENT_ADDRESS);
        add(loop, conn, info ? info->client_addr : NULL);
        *context = conn;
    } else if (conn) {
        remove_connection(loop, conn);
        srv_http_guard_end(&conn->guard, conn->fd);
        free(conn);
        *context = NULL;
    }
}
