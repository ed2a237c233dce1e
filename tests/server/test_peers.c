/* Which nodes count as dead, judged by this node's clock and only from its own observations. */
#include <criterion/criterion.h>
#include <stdio.h>

#include "server/nodes/compat.h"
#include "server/nodes/peers.h"

enum { LEASE = 3000 };

static struct db_peer other(const char *name, int64_t renewals)
{
    struct db_peer node = {.renewals = renewals, .lives = true, .tables = true};
    (void)snprintf(node.node, sizeof(node.node), "%s", name);
    return node;
}

static bool is_gone_after(struct srv_peers *peers, int64_t at_ms, int64_t renewals)
{
    const struct db_peer node = other("n2", renewals);
    srv_peers_update(peers, &node, 1, at_ms, LEASE);
    return srv_peers_gone(peers, 0);
}

Test(clock, the_drift_limits_equal_those_at_startup)
{
    static const struct {
        int64_t apart_ms;
        enum srv_clock is;
    } cases[] = {{0, SRV_CLOCK_OK},         {500, SRV_CLOCK_OK},
                 {-500, SRV_CLOCK_OK},      {501, SRV_CLOCK_DRIFTS},
                 {-501, SRV_CLOCK_DRIFTS},  {1000, SRV_CLOCK_DRIFTS},
                 {-1000, SRV_CLOCK_DRIFTS}, {1001, SRV_CLOCK_OFF},
                 {-1001, SRV_CLOCK_OFF},    {INT64_MAX / 2, SRV_CLOCK_OFF}};
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++)
        cr_assert_eq(srv_clock_state(cases[i].apart_ms), cases[i].is, "%lld", (long long)cases[i].apart_ms);
    cr_assert_eq(srv_clock_offset(10000, 40, 10020), 0);
    cr_assert_eq(srv_clock_offset(10000, 40, 9020), 1000, "ahead");
    cr_assert_eq(srv_clock_offset(10000, 40, 11020), -1000, "behind");
}

Test(peers, a_node_silent_for_a_lease_is_gone)
{
    struct srv_peers peers = {.lease_ms = LEASE};
    cr_assert_not(is_gone_after(&peers, 100000, 7));
    cr_assert_not(is_gone_after(&peers, 101000, 7));
    cr_assert_not(is_gone_after(&peers, 102000, 7));
    cr_assert_not(is_gone_after(&peers, 102999, 7));
    cr_assert(is_gone_after(&peers, 103000, 7));
    cr_assert(is_gone_after(&peers, 104000, 7));
    cr_assert_not(is_gone_after(&peers, 105000, 8), "it came back");
}

Test(peers, a_node_that_renews_its_lease_is_not_gone)
{
    struct srv_peers peers = {.lease_ms = LEASE};
    for (int i = 0; i < 20; i++)
        cr_assert_not(is_gone_after(&peers, 100000 + i * 1000, i / 2));
}

/* After a database outage every node needs a moment to renew again. */
Test(peers, a_node_ignores_time_when_it_could_not_read_the_leases)
{
    struct srv_peers peers = {.lease_ms = LEASE};
    cr_assert_not(is_gone_after(&peers, 100000, 7));
    cr_assert_not(is_gone_after(&peers, 130000, 7));
    cr_assert_not(is_gone_after(&peers, 132000, 7));
    cr_assert(is_gone_after(&peers, 133000, 7));
}

Test(peers, each_node_is_identified_by_its_name)
{
    struct srv_peers peers = {.lease_ms = LEASE};
    for (int i = 0; i <= 3; i++) {
        struct db_peer nodes[] = {other("n2", i), other("n3", 5)};
        if (i % 2 != 0) {
            nodes[0] = other("n3", 5);
            nodes[1] = other("n2", i);
        }
        srv_peers_update(&peers, nodes, 2, 100000 + i * 1000, LEASE);
    }
    const struct db_peer last[] = {other("n3", 5), other("n2", 3)};
    cr_assert(srv_peers_gone(&peers, 0));
    cr_assert_not(srv_peers_gone(&peers, 1));
    cr_assert_eq(srv_peers_running(&peers, last), 1);
}

Test(peers, versions_with_one_major_number_are_compatible)
{
    cr_assert(srv_versions_compatible("1.4.2", "1.9.0"));
    cr_assert_not(srv_versions_compatible("1.4.2", "2.4.2"));
    cr_assert_not(srv_versions_compatible("1.4.2", "11.4.2"));
    cr_assert(srv_versions_compatible("0.1.0", "0.1.9"));
    cr_assert_not(srv_versions_compatible("0.1.0", "0.2.0"));
    cr_assert_not(srv_versions_compatible("0.1.0", "0.10.0"));
    cr_assert_not(srv_versions_compatible("0.1.0", "1.1.0"));
}
