/* Changes made by other nodes; see news.h. */
#include "server/hub/news.h"

#include "base/bug.h"
#include "base/clock.h"
#include "base/thread.h"
#include "bus/bus.h"
#include "server/hub/hub_in.h"
#include "server/hub/load.h"
#include "server/hub/redemption.h"
#include "server/hub/wake.h"

bool srv_hub_news_init(struct srv_hub_news *news)
{
    return ring_init(&news->changed, HUB_RECEIVED_MAX) == 0 &&
           ring_init(&news->players, HUB_RECEIVED_MAX) == 0;
}

void srv_hub_news_free(struct srv_hub_news *news)
{
    ring_free(&news->changed);
    ring_free(&news->players);
}

/* ---- Any thread ---- */
static void receive_id(struct srv_hub_news *news, struct ring *ids, int64_t id)
{
    ASSERT(id > 0);
    if (!ring_push(ids, (void *)(intptr_t)id))
        atomic_store(&news->check_all, true);
}

void srv_hub_receive(struct srv_hub *hub, const struct bus_message *message)
{
    struct srv_hub_news *news = &hub->news;
    switch (message->kind) {
    case BUS_TABLE_CHANGED:
        receive_id(news, &news->changed, message->id);
        break;
    case BUS_TABLE_CANCEL:
        atomic_store(&news->orders, true);
        break;
    case BUS_TABLE_REMATCH:
        atomic_store(&news->rematches, true);
        break;
    case BUS_PLAYER_NEWS:
        receive_id(news, &news->players, message->id);
        break;
    case BUS_LOBBY:
        atomic_store(&news->lobby, true);
        break;
    case BUS_PEOPLE:
        atomic_store(&news->people, true);
        break;
    case BUS_CHECK_ALL:
        atomic_store(&news->check_all, true);
        break;
    case BUS_PLAYER_REVOKED:
    case BUS_SESSION_ENDED: /* the REST loops read the lists */
    case BUS_KINDS_N:
        break;
    }
    srv_hub_wake(hub);
}

/* ---- Tables that have changed ---- */
static void on_changed(void *arg, const struct db_reply *reply)
{
    struct srv_hub *hub = arg;
    int64_t unknown[HUB_CHECK_MAX];
    size_t n = 0;
    hub->news.checking_changed = false;
    for (int i = 0; reply->outcome == DB_OK && i < PQntuples(reply->rows); i++) {
        ASSERT(n < HUB_CHECK_MAX);
        unknown[n++] = db_i64(reply->rows, i, 0);
    }
    (void)srv_hub_adopt(hub, unknown, n, NULL, NULL); /* if rejected, the next sweep finds them */
    srv_hub_news_take(hub);
}

/* Queries which of the tables this node owns, because most messages are about tables of other nodes. */
static bool check_changed(struct srv_hub *hub, const int64_t *ids, size_t n)
{
    static const struct db_stmt stmt = {"waiting_tables_owned",
                                        "SELECT id FROM tables WHERE id = ANY ($1) AND node = $2 "
                                        "AND state = 'waiting' AND NOT asleep ORDER BY id",
                                        2};
    char memory[HUB_CHECK_MAX * 12 + 256];
    struct db_args args;
    db_args_init(&args, memory, sizeof(memory));
    db_args_i64_array(&args, ids, n);
    db_args_text(&args, hub->config->node);
    return db_pipe_read(hub->pipe, &stmt, &args, on_changed, hub);
}

static void take_changed(struct srv_hub *hub)
{
    void *mail[HUB_CHECK_MAX];
    int64_t unknown[HUB_CHECK_MAX];
    size_t n = 0;
    if (hub->news.checking_changed)
        return;
    size_t received_n = ring_take(&hub->news.changed, mail, HUB_CHECK_MAX);
    for (size_t i = 0; i < received_n; i++) {
        int64_t id = (int64_t)(intptr_t)mail[i];
        if (tab_registry_find(&hub->registry, id))
            srv_hub_load(hub, id);
        else
            unknown[n++] = id;
    }
    if (received_n > 0)
        srv_lobby_changed(hub->lobby);
    if (n > 0)
        hub->news.checking_changed = check_changed(hub, unknown, n);
}

/* ---- Tables that an operator has ordered to end ---- */
static void on_orders(void *arg, const struct db_reply *reply)
{
    struct srv_hub *hub = arg;
    hub->news.checking_orders = false;
    for (int i = 0; reply->outcome == DB_OK && i < PQntuples(reply->rows) && !hub->draining; i++)
        srv_hub_cancel_table(hub, db_i64(reply->rows, i, 0));
    srv_hub_news_take(hub);
}

static void check_orders(struct srv_hub *hub)
{
    static const struct db_stmt stmt = {"tables_to_cancel",
                                        "SELECT id FROM tables WHERE cancel_asked_at IS NOT NULL "
                                        "AND state IN ('waiting', 'playing') AND (node = $1 OR asleep) "
                                        "ORDER BY cancel_asked_at LIMIT $2",
                                        2};
    char memory[256];
    struct db_args args;
    if (hub->news.checking_orders) {
        atomic_store(&hub->news.orders, true);
        return;
    }
    db_args_init(&args, memory, sizeof(memory));
    db_args_text(&args, hub->config->node);
    db_args_int(&args, HUB_CHECK_MAX);
    hub->news.checking_orders = db_pipe_read(hub->pipe, &stmt, &args, on_orders, hub);
}

/* ---- Rematches of tables that have ended here ---- */
static void on_rematches(void *arg, const struct db_reply *reply)
{
    struct srv_hub *hub = arg;
    hub->news.checking_rematches = false;
    for (int i = 0; reply->outcome == DB_OK && i < PQntuples(reply->rows) && !hub->draining; i++) {
        struct tab_table *table = tab_registry_find(&hub->registry, db_i64(reply->rows, i, 0));
        if (table)
            tab_rematch(table, db_i64(reply->rows, i, 1), (uint8_t)db_i64(reply->rows, i, 2));
    }
    srv_hub_news_take(hub);
}

struct ended {
    int64_t ids[HUB_CHECK_MAX];
    size_t n;
};

static void note_ended(struct tab_table *table, void *arg)
{
    struct ended *ended = arg;
    if (table->state == TAB_OVER && ended->n < HUB_CHECK_MAX)
        ended->ids[ended->n++] = table->id;
}

static void check_rematches(struct srv_hub *hub)
{
    static const struct db_stmt stmt = {
        "rematches_of",
        "SELECT t.rematch_of, t.id, o.seat FROM tables t JOIN seats s ON s.table_id = t.id "
        "JOIN seats o ON o.table_id = t.rematch_of AND o.player_id = s.player_id "
        "WHERE t.rematch_of = ANY ($1) ORDER BY t.id, o.seat",
        1};
    static struct ended ended; /* static, because there is only one hub */
    char memory[HUB_CHECK_MAX * 12 + 64];
    struct db_args args;
    if (hub->news.checking_rematches) {
        atomic_store(&hub->news.rematches, true);
        return;
    }
    ended.n = 0;
    tab_registry_each(&hub->registry, note_ended, &ended);
    if (ended.n == 0)
        return;
    db_args_init(&args, memory, sizeof(memory));
    db_args_i64_array(&args, ended.ids, ended.n);
    hub->news.checking_rematches = db_pipe_read(hub->pipe, &stmt, &args, on_rematches, hub);
}

/* ---- The lobby ---- */
static void take_players(struct srv_hub *hub)
{
    void *mail[64];
    size_t n;
    do {
        n = ring_take(&hub->news.players, mail, ARRAY_LEN(mail));
        for (size_t i = 0; i < n; i++)
            srv_lobby_news(hub->lobby, (int64_t)(intptr_t)mail[i]);
    } while (n == ARRAY_LEN(mail));
}

static void announce_lobby(struct srv_hub *hub)
{
    struct bus_port *bus = atomic_load(&hub->bus);
    int64_t now_ms = clock_mono_ms();
    if (!hub->news.lobby_unannounced || !bus || now_ms - hub->news.lobby_announced_ms < HUB_LOBBY_ANNOUNCE_MS)
        return;
    hub->news.lobby_unannounced = false;
    hub->news.lobby_announced_ms = now_ms;
    bus_publish(bus, BUS_LOBBY, 0);
}

void srv_hub_lobby_news(struct srv_hub *hub)
{
    hub->news.lobby_unannounced = true;
    srv_lobby_changed(hub->lobby);
    announce_lobby(hub);
}

void srv_hub_people_announced(void *ctx)
{
    struct srv_hub *hub = ctx;
    struct bus_port *bus = atomic_load(&hub->bus);
    if (bus)
        bus_publish(bus, BUS_PEOPLE, 0);
}

/* ---- Everything together ---- */
static void poll_all(struct srv_hub *hub)
{
    srv_hub_sweep(hub);
    check_orders(hub);
    check_rematches(hub);
    srv_lobby_changed(hub->lobby);
}

void srv_hub_news_take(struct srv_hub *hub)
{
    struct srv_hub_news *news = &hub->news;
    ASSERT(thread_is(THREAD_HUB));
    if (hub->draining || !hub->pipe_up) /* received ids are kept until the database is back */
        return;
    take_changed(hub);
    take_players(hub);
    if (atomic_exchange(&news->lobby, false))
        srv_lobby_changed(hub->lobby);
    if (atomic_exchange(&news->people, false))
        srv_lobby_players_moved(hub->lobby);
    if (atomic_exchange(&news->orders, false))
        check_orders(hub);
    if (atomic_exchange(&news->rematches, false))
        check_rematches(hub);
    if (atomic_exchange(&news->check_all, false))
        poll_all(hub);
}

void srv_hub_news_second(struct srv_hub *hub)
{
    const struct srv_lobby_peers peers = {.has_peers = srv_lease_has_peers(hub->lease),
                                          .online = srv_lease_lobbies(hub->lease)};
    srv_lobby_second(hub->lobby, &peers);
    unsigned every_s = peers.has_peers ? HUB_NEWS_S : HUB_NEWS_ALONE_S;
    announce_lobby(hub);
    if (hub->seconds % every_s == 0)
        atomic_store(&hub->news.check_all, true);
    srv_hub_news_take(hub);
}
