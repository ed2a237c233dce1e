/* The hub's thread: loop, mailbox, journal results, and timers; see hub.h. */
#include "server/hub/hub.h"

#include <malloc.h>
#include <sodium.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/bug.h"
#include "base/clock.h"
#include "base/log.h"
#include "base/thread.h"
#include "server/hub/apply_revoked.h"
#include "server/hub/chat.h"
#include "server/hub/counts.h"
#include "server/hub/hub_in.h"
#include "server/hub/load.h"
#include "server/hub/mailbox.h"
#include "server/hub/outage.h"
#include "server/hub/redemption.h"
#include "server/hub/wake.h"
#include "server/operations/metrics.h"
#include "server/ws/frame.h"
#include "tables/wire.h"

/* ---- Ports of the tables ---- */
static void port_send(void *ctx, tab_socket *const *sockets, size_t n, const char *json, size_t len)
{
    (void)ctx;
    srv_ws_send(sockets, n, json, len);
}

static void port_close(void *ctx, tab_socket *socket, int code)
{
    (void)ctx;
    socket->table = NULL;
    srv_ws_close(socket, code);
}

static bool port_write(void *ctx, struct tab_write *write)
{
    struct srv_hub *hub = ctx;
    return srv_journal_push(hub->journal, write);
}

static bool port_think(void *ctx, const struct tab_thought *thought)
{
    struct srv_hub *hub = ctx;
    return srv_thinkers_request(hub->thinkers, thought);
}

static int64_t port_now(void *ctx)
{
    (void)ctx;
    return clock_mono_ms();
}

static int64_t port_unix(void *ctx)
{
    (void)ctx;
    return clock_unix_ms();
}

static void port_secret(void *ctx, uint8_t bytes[32])
{
    const struct srv_hub *hub = ctx;
    if (!srv_config_dev_seed(hub->config, bytes))
        randombytes_buf(bytes, 32);
}

static uint64_t port_random(void *ctx)
{
    uint8_t bytes[32];
    uint64_t bits;
    port_secret(ctx, bytes);
    memcpy(&bits, bytes, sizeof(bits));
    return bits;
}

static const char *port_text(void *ctx, const char *code)
{
    (void)ctx;
    return api_code_text(api_code_of(code));
}

/* ---- Incoming frames ---- */
static void send_to(struct srv_socket *socket, const struct buf *frame)
{
    ASSERT(!frame->full);
    srv_ws_send(&socket, 1, frame->data, frame->len);
}

static void send_nack(struct srv_socket *socket, const char *id, enum api_code code)
{
    char memory[512];
    struct buf frame = buf_on(memory, sizeof(memory));
    tab_wire_nack(&frame, id, api_code_name(code), api_code_text(code), NULL, 0);
    send_to(socket, &frame);
}

static void on_text(void *ctx, struct srv_socket *socket, const char *text, size_t len)
{
    struct srv_hub *hub = ctx;
    struct srv_frame frame;
    ASSERT(thread_is(THREAD_HUB) && len <= SRV_FRAME_IN_MAX);
    srv_hub_check_outage(hub);
    enum api_code code = srv_frame_read(&frame, text, len);
    if (code != API_OK) {
        send_nack(socket, frame.has_id ? frame.command.id : NULL, code);
        srv_ws_bad_frame(socket);
        return;
    }
    if (frame.is_ping) {
        char memory[256];
        struct buf pong = buf_on(memory, sizeof(memory));
        tab_wire_pong(&pong, frame.command.id, clock_unix_ms());
        send_to(socket, &pong);
        return;
    }
    if (socket->lobby_member) {
        send_nack(socket, frame.command.id, API_UNKNOWN_TYPE);
        srv_ws_bad_frame(socket);
        return;
    }
    if (!socket->table) { /* its ticket is still being checked */
        send_nack(socket, frame.command.id, API_BUSY);
        return;
    }
    if (socket->seat == ENG_SPECTATOR) {
        send_nack(socket, frame.command.id, API_NOT_SEATED);
        return;
    }
    if (frame.command.kind == TAB_DO_CHAT || frame.command.kind == TAB_DO_EMOTE) {
        srv_chat(hub, socket, &frame);
        return;
    }
    ASSERT(socket->seat < socket->table->seats_n && frame.command.id[0] != '\0');
    frame.command.seat = socket->seat;
    tab_command(socket->table, &frame.command);
}

static void on_unreadable(void *ctx, struct srv_socket *socket, bool too_big)
{
    (void)ctx;
    send_nack(socket, NULL, too_big ? API_FRAME_TOO_BIG : API_BAD_FRAME);
    srv_ws_bad_frame(socket);
}

/* ---- Losing and regaining the database ---- */
static void on_pipe_state(void *arg, bool up)
{
    struct srv_hub *hub = arg;
    hub->pipe_up = up;
    srv_hub_check_outage(hub);
}

/* ---- Loop callbacks ---- */
/* Reads the rows again if they may have changed: after a player left, a bot may have the seat, and a game
 * whose start was refused has different players. */
static void written(struct srv_hub *hub, struct tab_table *table)
{
    int64_t id = table->id;
    ASSERT(table->registry == &hub->registry && table->writing);
    bool reload = table->rows_missed || table->write.kind == TAB_WRITE_LEAVE ||
                  (table->write.kind == TAB_WRITE_START && table->write.result == TAB_WRITE_REFUSED);
    table->rows_missed = false;
    if (table->write.kind == TAB_WRITE_HANDOVER)
        srv_hub_handover_written(hub, &table->write);
    srv_hub_note_evicted(hub, &table->write);
    tab_written(table);
    if (reload)
        srv_hub_load(hub, id);
}

static void take_written(struct srv_hub *hub)
{
    struct tab_write *writes[HUB_TAKE_MAX];
    size_t n;
    do {
        n = srv_journal_take(hub->journal, writes, HUB_TAKE_MAX);
        ASSERT(n <= HUB_TAKE_MAX && n <= hub->registry.writing_n);
        for (size_t i = 0; i < n; i++) {
            enum tab_write_kind kind = writes[i]->kind;
            if (kind != TAB_WRITE_MOVE && kind != TAB_WRITE_SEED)
                srv_hub_lobby_news(hub);
            written(hub, writes[i]->table);
            if (i % HUB_FLUSH_EVERY == HUB_FLUSH_EVERY - 1)
                srv_ws_flush(hub->ws);
        }
    } while (n == HUB_TAKE_MAX);
}

static void take_thoughts(struct srv_hub *hub)
{
    struct tab_thought thought;
    for (int i = 0; i < HUB_THOUGHTS_MAX && srv_thinkers_take(hub->thinkers, &thought); i++)
        tab_registry_answer(&hub->registry, &thought);
}

static void on_wake(struct ev_loop *loop, ev_async *watcher, int events)
{
    (void)events;
    struct srv_hub *hub = watcher->data;
    srv_hub_check_outage(hub);
    if (srv_lease_held(hub->lease)) /* without it, the results wait; another node may send them */
        take_written(hub);
    take_thoughts(hub);
    srv_hub_apply_revoked(hub);
    if (!hub->draining)
        srv_hub_mailbox_take(hub);
    if (!hub->draining)
        srv_hub_handover_apply(hub);
    if (atomic_load(&hub->drain_asked) && !hub->draining) {
        hub->draining = true;
        tab_registry_drain(&hub->registry, HUB_RETRY_MS);
        srv_lobby_drain(hub->lobby, HUB_RETRY_MS, WIRE_CLOSE_RESTARTING);
    }
    if (atomic_load(&hub->stop_asked))
        ev_break(loop, EVBREAK_ALL);
}

static void on_due(struct ev_loop *loop, ev_timer *watcher, int events)
{
    (void)loop;
    (void)events;
    struct srv_hub *hub = watcher->data;
    hub->due_ms = TAB_NEVER;
    (void)tab_registry_tick(&hub->registry);
}

/* After a peak, the allocator keeps the freed memory. Returning it requires a walk through all free memory,
 * so this happens only once, when most tables and sockets are gone. */
static void give_memory_back(struct srv_hub *hub)
{
    size_t now = hub->registry.tables_n + srv_ws_sockets(hub->ws);
    if (now > hub->crowd)
        hub->crowd = now;
    if (hub->crowd < HUB_CROWD_MIN || now > hub->crowd / HUB_CROWD_GONE)
        return;
    hub->crowd = now;
    int64_t began_ns = clock_mono_ns();
    (void)malloc_trim(0);
    srv_metric_time_us(METRIC_MEMORY_RETURN, (clock_mono_ns() - began_ns) / 1000);
}

static void on_second(struct ev_loop *loop, ev_timer *watcher, int events)
{
    (void)loop;
    (void)events;
    struct srv_hub *hub = watcher->data;
    hub->seconds++;
    srv_hub_count(hub);
    give_memory_back(hub);
    srv_hub_apply_revoked(hub);
    srv_hub_adopt_on(hub);
    srv_hub_news_second(hub);
    if (hub->pipe_up && !hub->draining && hub->seconds % HUB_HANDOVER_POLL_S == 0)
        srv_hub_handover_sweep(hub);
    if (!hub->registry.outage && !hub->draining && hub->seconds % HUB_WAKE_S == 0)
        srv_hub_wake_due(hub);
}

static void on_handover_due(struct ev_loop *loop, ev_timer *watcher, int events)
{
    (void)loop;
    (void)events;
    struct srv_hub *hub = watcher->data;
    srv_hub_handover_step(hub);
}

static void on_beat(struct ev_loop *loop, ev_timer *watcher, int events)
{
    (void)loop;
    (void)events;
    struct srv_hub *hub = watcher->data;
    srv_ws_beat(hub->ws);
}

/* A process suspended during the wait may have lost its lease without any event. Therefore, the loop checks
 * the lease before it handles anything else, such as a closed socket or a statement's result. */
static void on_after_wait(struct ev_loop *loop, ev_check *watcher, int events)
{
    (void)loop;
    (void)events;
    srv_hub_check_outage(watcher->data);
}

/* Before the loop waits: sends everything this iteration has produced, and sets the next deadline. */
static void on_before_wait(struct ev_loop *loop, ev_prepare *watcher, int events)
{
    (void)events;
    struct srv_hub *hub = watcher->data;
    srv_hub_redeem(hub);
    srv_ws_flush(hub->ws);
    if (hub->draining && !hub->logged_drained && hub->registry.writing_n == 0 &&
        srv_ws_sockets(hub->ws) == 0) {
        hub->logged_drained = true;
        (void)sem_post(&hub->drained);
    }
    srv_hub_handover_finish(hub);
    ASSERT(thread_is(THREAD_HUB) && hub->registry.writing_n <= hub->registry.tables_n);
    int64_t next = tab_clock_next(&hub->registry.clock);
    if (next == hub->due_ms)
        return;
    hub->due_ms = next;
    ev_timer_stop(loop, &hub->due);
    if (next == TAB_NEVER)
        return;
    int64_t in_ms = next - clock_mono_ms();
    ev_now_update(loop);
    ev_timer_set(&hub->due, in_ms > 0 ? (ev_tstamp)in_ms / 1000.0 : 0.0, 0.0);
    ev_timer_start(loop, &hub->due);
}

static void wake_hub(void *arg)
{
    srv_hub_wake(arg);
}

void srv_hub_join(struct srv_hub *hub, struct bus_port *bus)
{
    atomic_store(&hub->bus, bus);
}

/* ---- Start and stop ---- */
static void start_watchers(struct srv_hub *hub)
{
    ev_async_init(&hub->wake, on_wake);
    ev_timer_init(&hub->due, on_due, 0.0, 0.0);
    ev_timer_init(&hub->second, on_second, 1.0, 1.0);
    ev_timer_init(&hub->beat, on_beat, (double)SRV_WS_BEAT_MS / 1000, (double)SRV_WS_BEAT_MS / 1000);
    ev_timer_init(&hub->handover_due, on_handover_due, 0.0, (double)HUB_HANDOVER_EVERY_MS / 1000);
    ev_prepare_init(&hub->before_wait, on_before_wait);
    ev_check_init(&hub->after_wait, on_after_wait);
    ev_set_priority(&hub->after_wait, EV_MAXPRI);
    hub->wake.data = hub->due.data = hub->second.data = hub->beat.data = hub->before_wait.data = hub;
    hub->after_wait.data = hub->handover_due.data = hub;
    hub->due_ms = TAB_NEVER;
    ev_async_start(hub->loop, &hub->wake);
    ev_timer_start(hub->loop, &hub->second);
    ev_timer_start(hub->loop, &hub->beat);
    ev_prepare_start(hub->loop, &hub->before_wait);
    ev_check_start(hub->loop, &hub->after_wait);
}

static bool set_up(struct srv_hub *hub)
{
    const struct srv_config *config = hub->config;
    ASSERT(!hub->loop && !hub->running);
    const struct srv_ws_hooks hooks = {.ctx = hub,
                                       .opened = srv_hub_opened,
                                       .text = on_text,
                                       .unreadable = on_unreadable,
                                       .closed = srv_hub_closed};
    const struct srv_ws_config ws = {.addr = config->ws_addr,
                                     .port = (int)config->ws_port,
                                     .socket_max = (size_t)config->socket_max,
                                     .waiting_max = (size_t)config->socket_waiting_max,
                                     .waiting_address_max = (size_t)config->socket_waiting_address_max,
                                     .proxies = config->proxies,
                                     .origins = config->origins,
                                     .ping_s = (int)config->ping_s,
                                     .dev = config->dev,
                                     .rate_limits = config->rate_limits};
    const struct db_pipe_options pipe = {.conninfo = config->db,
                                         .name = "rummyd hub",
                                         .write_conns = 2,
                                         .on_state = on_pipe_state,
                                         .on_state_arg = hub};
    hub->loop = ev_loop_new(EVFLAG_AUTO);
    if (!hub->loop) {
        (void)snprintf(hub->error, hub->error_cap, "libev cannot start");
        return false;
    }
    start_watchers(hub);
    hub->thinkers = srv_thinkers_new((int)config->thinkers, wake_hub, hub);
    if (!hub->thinkers) {
        (void)snprintf(hub->error, hub->error_cap, "the hub cannot start its threads");
        return false;
    }
    if (!srv_hub_load_all(hub, hub->error, hub->error_cap))
        return false;
    hub->pipe = db_pipe_new(hub->loop, &pipe);
    const struct srv_lobby_ports lobby = {.ctx = hub, .people_announced = srv_hub_people_announced};
    hub->lobby =
        hub->pipe ? srv_lobby_new(hub->loop, hub->pipe, config->node, srv_journal_epoch(hub->journal), &lobby)
                  : NULL;
    hub->ws = srv_ws_new(hub->loop, &ws, &hooks, hub->error, hub->error_cap);
    if (!hub->ws)
        return false;
    if (!hub->lobby || !srv_journal_start(hub->journal, wake_hub, hub)) {
        (void)snprintf(hub->error, hub->error_cap, "the hub cannot start its threads");
        return false;
    }
    hub->pipe_up = true; /* assume so, because it was reachable a moment ago */
    return true;
}

/* The hub is ready only when it can check tickets, so it waits for the connections to the database, which
 * was reachable a moment ago. */
static void await_database(struct srv_hub *hub)
{
    int64_t until = clock_mono_ms() + HUB_CONNECT_MS;
    while (!db_pipe_up(hub->pipe) && clock_mono_ms() < until)
        ev_run(hub->loop, EVRUN_ONCE);
}

static void *run(void *arg)
{
    struct srv_hub *hub = arg;
    thread_begin(THREAD_HUB, THREAD_PROMPT);
    hub->running = set_up(hub);
    bool ok = hub->running;
    if (ok)
        await_database(hub);
    (void)sem_post(&hub->ready);
    if (ok) {
        ev_run(hub->loop, 0);
        db_pipe_drain(hub->pipe, HUB_DRAIN_MS);
    }
    srv_thinkers_free(hub->thinkers);
    srv_hub_forget_tickets(hub);
    db_pipe_free(hub->pipe);
    srv_hub_adopt_free(hub);
    srv_hub_handover_free(hub);
    srv_ws_free(hub->ws);
    srv_lobby_free(hub->lobby);
    if (hub->loop)
        ev_loop_destroy(hub->loop);
    return NULL;
}

static void free_hub(struct srv_hub *hub)
{
    tab_registry_free(&hub->registry);
    srv_hub_mailbox_free(hub);
    (void)sem_destroy(&hub->ready);
    (void)sem_destroy(&hub->drained);
    (void)sem_destroy(&hub->handed_over);
    sodium_memzero(&hub->keys, sizeof(hub->keys));
    free(hub);
}

struct srv_hub *srv_hub_start(const struct srv_config *config, struct srv_journal *journal,
                              struct srv_lease *lease, struct api_revoked *revoked, char *error,
                              size_t error_cap)
{
    struct srv_hub *hub = calloc(1, sizeof(*hub));
    if (!hub) {
        (void)snprintf(error, error_cap, "memory is short");
        return NULL;
    }
    hub->config = config;
    hub->journal = journal;
    hub->lease = lease;
    hub->revoked = revoked;
    hub->tickets_end = &hub->tickets;
    hub->adoptions_end = &hub->adoptions;
    hub->epoch = srv_journal_epoch(journal);
    hub->handover.swept_ms = clock_mono_ms();
    hub->error = error;
    hub->error_cap = error_cap;
    (void)sem_init(&hub->ready, 0, 0);
    (void)sem_init(&hub->drained, 0, 0);
    (void)sem_init(&hub->handed_over, 0, 0);
    const struct tab_ports ports = {.ctx = hub,
                                    .send = port_send,
                                    .close = port_close,
                                    .write = port_write,
                                    .think = port_think,
                                    .now_ms = port_now,
                                    .unix_ms = port_unix,
                                    .random = port_random,
                                    .secret = port_secret,
                                    .code_text = port_text};
    const struct tab_limits limits = {.table_max = (size_t)config->table_max,
                                      .time_bank_ms = config->reserve_ms,
                                      .seed_wait_ms = config->seed_wait_ms,
                                      .hand_pause_ms = config->hand_pause_ms,
                                      .practice_wait_ms = config->practice_wait_s * 1000,
                                      .sleep_after_ms = config->sleep_after_ms,
                                      .bot_think_ms = config->bot_think_ms,
                                      .linger_ms = config->linger_ms};
    srv_config_keys(config, &hub->keys);
    if (!tab_registry_init(&hub->registry, &ports, &limits) || !srv_hub_mailbox_init(hub) ||
        pthread_create(&hub->thread, NULL, run, hub) != 0) {
        (void)snprintf(error, error_cap, "the hub cannot start");
        free_hub(hub);
        return NULL;
    }
    while (sem_wait(&hub->ready) != 0)
        continue;
    if (hub->running)
        return hub;
    pthread_join(hub->thread, NULL);
    free_hub(hub);
    return NULL;
}

/* Sets the request flag, wakes the hub thread, and waits for its completion. */
static bool request_and_wait(struct srv_hub *hub, atomic_bool *requested, sem_t *done, int64_t wait_ms)
{
    ASSERT(wait_ms >= 0);
    atomic_store(requested, true);
    ev_async_send(hub->loop, &hub->wake);
    struct timespec until;
    (void)clock_gettime(CLOCK_MONOTONIC, &until);
    until.tv_sec += wait_ms / 1000;
    return sem_clockwait(done, CLOCK_MONOTONIC, &until) == 0;
}

void srv_hub_hand_over_all(struct srv_hub *hub, int64_t wait_ms)
{
    if (!request_and_wait(hub, &hub->handover.all_requested, &hub->handed_over, wait_ms))
        log_warn("tables_not_handed_over");
}

void srv_hub_drain(struct srv_hub *hub, int64_t wait_ms)
{
    if (!request_and_wait(hub, &hub->drain_asked, &hub->drained, wait_ms))
        log_warn("drain_timed_out");
}

void srv_hub_stop(struct srv_hub *hub)
{
    if (!hub)
        return;
    atomic_store(&hub->stop_asked, true);
    ev_async_send(hub->loop, &hub->wake);
    pthread_join(hub->thread, NULL);
    free_hub(hub);
}
