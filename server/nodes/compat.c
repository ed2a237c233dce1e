/* Checks whether a node is compatible; see compat.h. */
#include "server/nodes/compat.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "base/clock.h"
#include "db/lease.h"
#include "server/version.h"

enum {
    ROUNDS_MAX = 10, /* attempts to get a short enough round trip */
    POLL_MS = 200,
    POLLS_MAX = 40,  /* long enough to detect a failed node */
    RENEWALS_MIN = 2 /* evidence that a node is running, because one renewal may still be in flight */
};

static void set_db_error(char error[SRV_ERROR_MAX], const struct db_error *err)
{
    (void)snprintf(error, SRV_ERROR_MAX, "db: %.300s", err->text);
}

int64_t srv_clock_offset(int64_t before_ms, int64_t took_ms, int64_t there_ms)
{
    return before_ms + took_ms / 2 - there_ms;
}

enum srv_clock srv_clock_state(int64_t apart_ms)
{
    int64_t far_ms = apart_ms < 0 ? -apart_ms : apart_ms;
    return far_ms > SRV_CLOCK_APART_MS_MAX ? SRV_CLOCK_OFF
           : far_ms > SRV_CLOCK_WARN_MS    ? SRV_CLOCK_DRIFTS
                                           : SRV_CLOCK_OK;
}

static bool check_clock(struct db_conn *conn, char error[SRV_ERROR_MAX])
{
    struct db_error err = {0};
    int64_t apart_ms = 0;
    for (int i = 0; i < ROUNDS_MAX; i++) {
        int64_t before_ms = clock_unix_ms(), there_ms, began_ms = clock_mono_ms();
        if (!db_lease_clock(conn, &there_ms, &err)) {
            set_db_error(error, &err);
            return false;
        }
        int64_t took_ms = clock_mono_ms() - began_ms;
        apart_ms = srv_clock_offset(before_ms, took_ms, there_ms);
        if (took_ms <= SRV_CLOCK_ROUND_MS_MAX)
            break;
    }
    if (srv_clock_state(apart_ms) != SRV_CLOCK_OFF)
        return true;
    (void)snprintf(error, SRV_ERROR_MAX,
                   "node: the clock of this machine is %" PRId64 " ms %s PostgreSQL's; set both by NTP",
                   apart_ms < 0 ? -apart_ms : apart_ms, apart_ms < 0 ? "behind" : "ahead of");
    return false;
}

/* Length of the part of a version that must match in compatible versions. */
static size_t fixed_part(const char *version)
{
    size_t major = strcspn(version, ".");
    if (strncmp(version, "0.", 2) != 0)
        return major;
    return major + 1 + strcspn(version + major + 1, ".");
}

bool srv_versions_compatible(const char *one, const char *other)
{
    size_t n = fixed_part(one);
    return fixed_part(other) == n && strncmp(one, other, n) == 0;
}

/* false: the node is not compatible with this one; error is one sentence. */
static bool is_compatible(const struct db_peer *node, const struct srv_config *config,
                          char error[SRV_ERROR_MAX])
{
    if (node->ws_url[0] != '\0' && strcmp(node->ws_url, config->ws_url) == 0) {
        (void)snprintf(error, SRV_ERROR_MAX,
                       "ws_url: the running node \"%s\" has the same, %.200s; each node needs its own",
                       node->node, node->ws_url);
        return false;
    }
    if (node->version[0] != '\0' && !srv_versions_compatible(node->version, srv_version)) {
        (void)snprintf(error, SRV_ERROR_MAX,
                       "version: the running node \"%s\" has %s, which is incompatible with %s", node->node,
                       node->version, srv_version);
        return false;
    }
    return true;
}

static void pause_briefly(void)
{
    struct timespec time = {.tv_nsec = POLL_MS * 1000000L};
    while (nanosleep(&time, &time) != 0 && errno == EINTR)
        continue;
}

/* The first running node that is not compatible, or NULL. */
static const struct db_peer *find_incompatible(const struct db_peer *nodes, int n,
                                               const struct srv_config *config, char error[SRV_ERROR_MAX])
{
    for (int i = 0; i < n; i++)
        if (nodes[i].lives && !is_compatible(&nodes[i], config, error))
            return &nodes[i];
    return NULL;
}

static bool check_peers(struct db_conn *conn, const struct srv_config *config, char error[SRV_ERROR_MAX])
{
    static struct db_peer nodes[DB_LEASE_NODES_MAX];
    struct db_error err = {0};
    char in_the_way[sizeof(nodes[0].node)] = "";
    int64_t renewals = 0;
    for (int poll = 0; poll < POLLS_MAX; poll++) {
        int n = db_lease_peers(conn, config->node, nodes, &err);
        if (n < 0) {
            set_db_error(error, &err);
            return false;
        }
        const struct db_peer *node = find_incompatible(nodes, n, config, error);
        if (!node)
            return true;
        if (strcmp(node->node, in_the_way) != 0) {
            (void)snprintf(in_the_way, sizeof(in_the_way), "%s", node->node);
            renewals = node->renewals;
        }
        if (node->renewals - renewals >= RENEWALS_MIN)
            return false;
        pause_briefly();
    }
    return false;
}

bool srv_node_compatible(struct db_conn *conn, const struct srv_config *config, char error[SRV_ERROR_MAX])
{
    return check_clock(conn, error) && check_peers(conn, config, error);
}
