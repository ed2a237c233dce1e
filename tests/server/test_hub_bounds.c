/* Limits of the hub when there are other nodes: how many tables that left it remembers, how many handovers
 * are pending at the same time, and how many ids it queues before it checks everything. */
#include <criterion/criterion.h>

#include "base/thread.h"
#include "server/hub/hub_in.h"
#include "server/hub/outage.h"
#include "server/hub/redemption.h"

static struct srv_hub *new_hub(void)
{
    struct srv_hub *hub = calloc(1, sizeof(*hub));
    cr_assert_not_null(hub);
    hub->loop = ev_loop_new(EVFLAG_AUTO);
    cr_assert_not_null(hub->loop);
    ev_async_init(&hub->wake, NULL);
    ev_timer_init(&hub->handover_due, NULL, 0.0, 1.0);
    return hub;
}

static void free_hub(struct srv_hub *hub)
{
    srv_hub_handover_free(hub);
    ev_timer_stop(hub->loop, &hub->handover_due);
    ev_loop_destroy(hub->loop);
    free(hub);
}

static void written(struct srv_hub *hub, int64_t table_id, enum tab_write_kind kind,
                    enum tab_write_result result)
{
    const struct tab_write write = {.kind = kind, .table_id = table_id, .result = result};
    srv_hub_note_evicted(hub, &write);
}

static void hand_over(struct srv_hub *hub, int64_t table_id)
{
    written(hub, table_id, TAB_WRITE_HANDOVER, TAB_WRITTEN);
}

Test(hub_bounds, tables_that_are_handed_over_or_sleep_leave_the_hub)
{
    struct srv_hub *hub = new_hub();
    written(hub, 1, TAB_WRITE_HANDOVER, TAB_WRITTEN);
    written(hub, 2, TAB_WRITE_SLEEP, TAB_WRITTEN);
    written(hub, 3, TAB_WRITE_SLEEP, TAB_WRITE_REFUSED);
    written(hub, 4, TAB_WRITE_HANDOVER, TAB_WRITE_FAILED);
    written(hub, 5, TAB_WRITE_MOVE, TAB_WRITTEN);
    for (int64_t id = 1; id <= 5; id++)
        cr_assert_eq(srv_hub_evicted_since(hub, id, 0), id <= 2, "table %d", (int)id);
    cr_assert(srv_hub_evicted_since(hub, 2, 1));
    cr_assert_not(srv_hub_evicted_since(hub, 1, 1), "it left before");
    free_hub(hub);
}

/* The hub remembers the tables that left last. If more have left since then, any table may be among
 * them. */
Test(hub_bounds, the_hub_remembers_the_tables_that_left_last)
{
    struct srv_hub *hub = new_hub();
    for (int64_t id = 1; id <= HUB_EVICTED_MAX; id++)
        hand_over(hub, id);
    cr_assert(srv_hub_evicted_since(hub, 1, 0));
    cr_assert(srv_hub_evicted_since(hub, HUB_EVICTED_MAX, 0));
    cr_assert_not(srv_hub_evicted_since(hub, HUB_EVICTED_MAX + 7, 0), "it never left");
    cr_assert_not(srv_hub_evicted_since(hub, 1, 1), "it left before");
    hand_over(hub, HUB_EVICTED_MAX + 1);
    cr_assert(srv_hub_evicted_since(hub, HUB_EVICTED_MAX + 7, 0), "too long ago to know");
    cr_assert_not(srv_hub_evicted_since(hub, HUB_EVICTED_MAX + 7, 1));
    cr_assert_not(srv_hub_evicted_since(hub, 1, 1), "its slot has been reused");
    cr_assert(srv_hub_evicted_since(hub, HUB_EVICTED_MAX + 1, 1));
    free_hub(hub);
}

/* With the maximum number pending, no handover is started or polled for. With one fewer the hub polls, and
 * finds none here. */
Test(hub_bounds, the_number_of_concurrent_handovers_is_limited)
{
    struct srv_hub *hub = new_hub();
    hub->handover.left = 3;
    hub->handover.under_way = HUB_HANDOVER_AT_ONCE;
    srv_hub_handover_step(hub);
    cr_assert_eq(hub->handover.left, 3);
    hub->handover.under_way = HUB_HANDOVER_AT_ONCE - 1;
    srv_hub_handover_step(hub);
    cr_assert_eq(hub->handover.left, 0);
    cr_assert_eq(hub->handover.under_way, HUB_HANDOVER_AT_ONCE - 1);
    free_hub(hub);
}

/* Ids that do not fit are not lost, because the hub then checks everything. */
Test(hub_bounds, too_many_queued_ids_trigger_a_full_check)
{
    static const enum bus_kind kinds[] = {BUS_TABLE_CHANGED, BUS_PLAYER_NEWS};
    for (size_t k = 0; k < ARRAY_LEN(kinds); k++) {
        struct srv_hub *hub = new_hub();
        cr_assert(srv_hub_news_init(&hub->news));
        const struct ring *ids = kinds[k] == BUS_TABLE_CHANGED ? &hub->news.changed : &hub->news.players;
        for (int64_t id = 1; id <= HUB_RECEIVED_MAX; id++)
            srv_hub_receive(hub, &(struct bus_message){.kind = kinds[k], .id = id});
        cr_assert_eq(ring_len((struct ring *)ids), (size_t)HUB_RECEIVED_MAX);
        cr_assert_not(atomic_load(&hub->news.check_all));
        srv_hub_receive(hub, &(struct bus_message){.kind = kinds[k], .id = HUB_RECEIVED_MAX + 1});
        cr_assert_eq(ring_len((struct ring *)ids), (size_t)HUB_RECEIVED_MAX);
        cr_assert(atomic_load(&hub->news.check_all));
        srv_hub_news_free(&hub->news);
        free_hub(hub);
    }
}

/* There may be two outages that last longer than the lease: the database responds briefly in between, a
 * player sits down, and the database is unreachable again before the hub has continued. */
Test(hub_bounds, sockets_are_closed_each_time_the_lease_ends)
{
    bool dismissed = false;
    cr_assert_not(srv_hub_dismisses(&dismissed, true, true), "it may still send");
    cr_assert(srv_hub_dismisses(&dismissed, false, true));
    cr_assert_not(srv_hub_dismisses(&dismissed, false, true), "they were");
    cr_assert_not(srv_hub_dismisses(&dismissed, true, true));
    cr_assert(srv_hub_dismisses(&dismissed, false, true), "new clients are handled as well");
    cr_assert_not(srv_hub_dismisses(&dismissed, false, false), "a node that is alone keeps them");
}

Test(hub_bounds, sockets_wait_for_the_lease_only_on_a_single_node_and_briefly)
{
    cr_assert(srv_hub_waits_for_lease(false, false, false, 0));
    cr_assert_not(srv_hub_waits_for_lease(true, false, false, 0), "it is held");
    cr_assert_not(srv_hub_waits_for_lease(false, true, false, 0), "other nodes take the table over");
    cr_assert_not(srv_hub_waits_for_lease(false, false, true, 0), "the process ends");
    int tries = 0;
    while (srv_hub_waits_for_lease(false, false, false, tries))
        cr_assert_lt(++tries, 1000);
    cr_assert_gt(tries, 0);
}
