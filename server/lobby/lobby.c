/* The lobby; see lobby.h. Its contents come from the database, so that they are the same on every node.
 * They are read only while this lobby has clients. */
#include "server/lobby/lobby.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/bug.h"
#include "base/clock.h"
#include "base/log.h"
#include "server/lobby/friends.h"
#include "server/lobby/lobby_in.h"
#include "server/lobby/members.h"
#include "server/lobby/notifications.h"
#include "server/lobby/people.h"
#include "server/lobby/push_pause.h"
#include "server/lobby/tournaments.h"
#include "tables/wire.h"

/* ---- The state ---- */
static void clear(struct srv_lobby_state *state)
{
    for (size_t i = 0; i < state->n; i++)
        free(state->items[i].body);
    state->n = 0;
    state->playing = 0;
}

static const struct srv_lobby_item *find(const struct srv_lobby_state *state,
                                         const struct srv_lobby_item *like)
{
    for (size_t i = 0; i < state->n; i++)
        if (state->items[i].kind == like->kind && strcmp(state->items[i].id, like->id) == 0)
            return &state->items[i];
    return NULL;
}

static enum srv_lobby_kind kind_of(const char *name)
{
    if (strcmp(name, "room") == 0)
        return LOBBY_ROOM;
    return strcmp(name, "game") == 0 ? LOBBY_GAME : LOBBY_TABLE;
}

/* Keeps as many rows as fit into one frame: the rooms, then the games, then the tables in order. */
static void read_state(struct srv_lobby_state *state, const PGresult *rows)
{
    size_t bytes = 0;
    clear(state);
    int kind = db_col(rows, "kind"), id = db_col(rows, "id"), body = db_col(rows, "body");
    int people = db_col(rows, "people");
    for (int row = 0; row < PQntuples(rows) && state->n < LOBBY_ITEMS_MAX; row++) {
        struct srv_lobby_item *item = &state->items[state->n];
        bytes += strlen(db_text(rows, row, body)) + 1;
        if (bytes > LOBBY_BYTES_MAX)
            return;
        *item = (struct srv_lobby_item){.kind = kind_of(db_text(rows, row, kind))};
        (void)snprintf(item->id, sizeof(item->id), "%s", db_text(rows, row, id));
        item->body = strdup(db_text(rows, row, body));
        if (!item->body)
            return;
        state->playing += item->kind == LOBBY_GAME ? db_i64(rows, row, people) : 0;
        state->n++;
    }
}

/* Marks new and changed items; true: an item is new, changed, or removed. */
static bool compare(const struct srv_lobby_state *old, struct srv_lobby_state *now)
{
    bool any = false;
    size_t kept = 0;
    for (size_t i = 0; i < now->n; i++) {
        const struct srv_lobby_item *before = find(old, &now->items[i]);
        now->items[i].changed = !before || strcmp(before->body, now->items[i].body) != 0;
        any = any || now->items[i].changed;
        kept += before != NULL;
    }
    return any || kept < old->n;
}

/* ---- Frames ---- */
/* Players in this lobby and in those of the other nodes. */
static int64_t online(const struct srv_lobby *lobby)
{
    return (int64_t)lobby->members_n + lobby->peers.online;
}

static void put_items(struct buf *out, const char *name, const struct srv_lobby_state *state,
                      enum srv_lobby_kind kind, bool all)
{
    json_key(out, name);
    json_open(out, '[');
    for (size_t i = 0; i < state->n; i++)
        if (state->items[i].kind == kind && (all || state->items[i].changed))
            json_raw(out, state->items[i].body);
    json_close(out, ']');
}

static void put_gone(struct buf *out, const struct srv_lobby_state *old, const struct srv_lobby_state *now)
{
    json_key(out, "gone");
    json_open(out, '[');
    for (size_t i = 0; i < old->n; i++)
        if (old->items[i].kind == LOBBY_TABLE && !find(now, &old->items[i]))
            json_text(out, old->items[i].id);
    json_close(out, ']');
}

static bool games_differ(const struct srv_lobby_state *old, const struct srv_lobby_state *now)
{
    for (size_t i = 0; i < now->n; i++)
        if (now->items[i].kind == LOBBY_GAME && now->items[i].changed)
            return true;
    for (size_t i = 0; i < old->n; i++)
        if (old->items[i].kind == LOBBY_GAME && !find(now, &old->items[i]))
            return true;
    return false;
}

/* old: the state to compare with; NULL: write the whole state. */
static struct buf frame_of(struct srv_lobby *lobby, const struct srv_lobby_state *old,
                           const struct srv_lobby_state *now)
{
    struct buf out = buf_on(lobby->memory, sizeof(lobby->memory));
    tab_wire_open_frame(&out, old ? WIRE_FRAME_LOBBY_CHANGED : WIRE_FRAME_LOBBY);
    json_key(&out, "d");
    json_open(&out, '{');
    put_items(&out, "rooms", now, LOBBY_ROOM, !old);
    if (!old || games_differ(old, now))
        put_items(&out, "games", now, LOBBY_GAME, true);
    put_items(&out, "tables", now, LOBBY_TABLE, !old);
    if (old)
        put_gone(&out, old, now);
    json_kv_num(&out, "online", online(lobby));
    json_kv_num(&out, "playing", now->playing);
    json_close(&out, '}');
    json_close(&out, '}');
    if (out.full)
        log_error("lobby_too_big", LOG_NUM("items", (int64_t)now->n));
    return out;
}

static void send_to(struct srv_lobby_member *member, const struct buf *frame)
{
    if (!frame->full)
        srv_ws_send(&member->socket, 1, frame->data, frame->len);
}

static void send_all(struct srv_lobby *lobby, const struct buf *frame)
{
    ASSERT(!frame->full);
    for (struct srv_lobby_member *member = lobby->members; member; member = member->next)
        send_to(member, frame);
}

static void mark_stale(struct srv_lobby *lobby, struct srv_lobby_member *member)
{
    lobby->stale_n += !member->stale;
    member->stale = true;
    ASSERT(lobby->stale_n <= lobby->members_n);
}

/* A client that has not read its last frame gets no changes, but the whole state once it has. */
static void send_changes(struct srv_lobby *lobby, const struct srv_lobby_state *old)
{
    struct buf frame = frame_of(lobby, old, lobby->now);
    for (struct srv_lobby_member *member = lobby->members; member; member = member->next) {
        if (member->stale)
            continue;
        if (srv_ws_behind(member->socket))
            mark_stale(lobby, member);
        else
            send_to(member, &frame);
    }
    lobby->online_told = online(lobby);
    lobby->told_ms = clock_mono_ms();
}

static void greet(struct srv_lobby *lobby)
{
    if (!lobby->shown || lobby->stale_n == 0)
        return;
    struct buf frame = frame_of(lobby, NULL, lobby->now);
    for (struct srv_lobby_member *member = lobby->members; member; member = member->next) {
        if (!member->stale || srv_ws_behind(member->socket))
            continue;
        ASSERT(lobby->stale_n > 0);
        member->stale = false;
        lobby->stale_n--;
        send_to(member, &frame);
    }
    if (online(lobby) != lobby->online_told) /* clients have an outdated count, so the next one is a change */
        lobby->online_told = -1;
}

/* ---- Polling and pushing ---- */
/* Schedules a poll within LOBBY_PUSH_MS. */
static void push_later(struct srv_lobby *lobby)
{
    if (ev_is_active(&lobby->push) || lobby->members_n == 0)
        return;
    ev_timer_set(&lobby->push, (double)LOBBY_PUSH_MS / 1000, 0.0);
    ev_timer_start(lobby->loop, &lobby->push);
}

static void on_picture(void *arg, const struct db_reply *reply)
{
    struct srv_lobby *lobby = arg;
    ASSERT(lobby->asking && lobby->now != lobby->next);
    lobby->asking = false;
    if (reply->outcome != DB_OK) {
        lobby->dirty = true;
        push_later(lobby);
        return;
    }
    struct srv_lobby_state *old = lobby->now;
    read_state(lobby->next, reply->rows);
    lobby->now = lobby->next;
    lobby->next = old;
    bool count = online(lobby) != lobby->online_told && clock_mono_ms() - lobby->told_ms >= LOBBY_ONLINE_MS;
    if (lobby->shown && (compare(old, lobby->now) || count))
        send_changes(lobby, old);
    lobby->shown = true;
    greet(lobby);
    if (lobby->stale_n > 0 || lobby->dirty)
        push_later(lobby);
}

static void poll(struct srv_lobby *lobby)
{
    static const struct db_stmt stmt = {"q_lobby", "SELECT kind, id, people, body FROM q_lobby($1)", 1};
    char memory[32];
    struct db_args args;
    if (lobby->asking)
        return;
    db_args_init(&args, memory, sizeof(memory));
    db_args_int(&args, LOBBY_TABLES_MAX);
    lobby->dirty = false;
    lobby->asking = db_pipe_read(lobby->pipe, &stmt, &args, on_picture, lobby);
    if (!lobby->asking)
        lobby->dirty = true;
}

static void on_push(struct ev_loop *loop, ev_timer *timer, int events)
{
    (void)loop;
    (void)events;
    struct srv_lobby *lobby = timer->data;
    if (lobby->members_n == 0)
        return;
    poll(lobby);
    srv_lobby_poll_notifications(lobby);
    srv_lobby_announce_people(lobby);
    if (lobby->friends_news)
        srv_lobby_poll_friends(lobby);
    lobby->friends_news = false;
}

void srv_lobby_changed(struct srv_lobby *lobby)
{
    lobby->dirty = true;
    push_later(lobby);
}

void srv_lobby_players_moved(struct srv_lobby *lobby)
{
    lobby->friends_news = true;
    push_later(lobby);
}

void srv_lobby_news(struct srv_lobby *lobby, int64_t player_id)
{
    if (!srv_lobby_find(lobby, player_id))
        return;
    lobby->friends_news = true;
    push_later(lobby);
}

void srv_lobby_second(struct srv_lobby *lobby, const struct srv_lobby_peers *peers)
{
    bool time = ++lobby->seconds % LOBBY_POLL_S == 0;
    if (peers->has_peers != lobby->peers.has_peers || lobby->seconds % LOBBY_PEOPLE_HEAL_S == 0)
        lobby->people_new = true;
    lobby->peers = *peers;
    srv_lobby_announce_people(lobby);
    if (lobby->dirty || time)
        push_later(lobby);
    if (time) {
        srv_lobby_poll_friends(lobby);
        srv_lobby_poll_tournaments(lobby);
        srv_lobby_pause_push(lobby);
    }
}

/* ---- Connecting and leaving ---- */
size_t srv_lobby_size(const struct srv_lobby *lobby)
{
    return lobby->members_n;
}

/* Call when a player has joined or left this lobby. */
static void people_changed(struct srv_lobby *lobby)
{
    lobby->people_new = true;
    if (lobby->peers.has_peers)
        push_later(lobby);
}

static void forget(struct srv_lobby *lobby, struct srv_lobby_member *member)
{
    ASSERT(member->socket->lobby_member == member);
    srv_lobby_unlink(lobby, member);
    lobby->stale_n -= member->stale;
    member->socket->lobby_member = NULL;
    free(member);
    people_changed(lobby);
}

static void send_away(struct srv_lobby *lobby, struct srv_lobby_member *member, int close_code)
{
    struct srv_socket *socket = member->socket;
    forget(lobby, member);
    srv_ws_close(socket, close_code);
}

void srv_lobby_enter(struct srv_lobby *lobby, struct srv_socket *socket, int64_t player_id)
{
    ASSERT(player_id > 0 && !socket->lobby_member && !socket->table);
    struct srv_lobby_member *member = srv_lobby_find(lobby, player_id);
    if (member)
        send_away(lobby, member, WIRE_CLOSE_REPLACED);
    member = calloc(1, sizeof(*member));
    if (!member) {
        srv_ws_close(socket, WIRE_CLOSE_TRY_LATER);
        return;
    }
    *member = (struct srv_lobby_member){.socket = socket, .player_id = player_id};
    srv_lobby_link(lobby, member);
    if (lobby->members_n == 1) /* there were no polls while the lobby was empty, so the state is old */
        lobby->shown = lobby->tournaments_known = false;
    socket->lobby_member = member;
    mark_stale(lobby, member);
    people_changed(lobby);
    if (lobby->shown)
        greet(lobby);
    else
        poll(lobby);
    if (!lobby->tournaments_known)
        srv_lobby_poll_tournaments(lobby);
}

void srv_lobby_leave(struct srv_lobby *lobby, struct srv_socket *socket)
{
    if (socket->lobby_member)
        forget(lobby, socket->lobby_member);
}

void srv_lobby_outage(struct srv_lobby *lobby, bool outage)
{
    char memory[64];
    struct buf frame = buf_on(memory, sizeof(memory));
    tab_wire_paused(&frame, outage);
    send_all(lobby, &frame);
}

void srv_lobby_drain(struct srv_lobby *lobby, int64_t retry_ms, int close_code)
{
    char memory[128];
    struct buf frame = buf_on(memory, sizeof(memory));
    ASSERT(retry_ms >= 0 && close_code != 0);
    tab_wire_restarting(&frame, retry_ms);
    send_all(lobby, &frame);
    for (struct srv_lobby_member *member = lobby->members, *next; member; member = next) {
        next = member->next;
        send_away(lobby, member, close_code);
    }
}

/* ---- Creation and release ---- */
struct srv_lobby *srv_lobby_new(struct ev_loop *loop, struct db_pipe *pipe, const char *node, int64_t epoch,
                                const struct srv_lobby_ports *ports)
{
    struct srv_lobby *lobby = calloc(1, sizeof(*lobby));
    ASSERT(epoch > 0 && ports->people_announced);
    if (!lobby)
        return NULL;
    lobby->node = node;
    lobby->epoch = epoch;
    lobby->ports = *ports;
    lobby->loop = loop;
    lobby->pipe = pipe;
    lobby->now = &lobby->states[0];
    lobby->next = &lobby->states[1];
    ev_timer_init(&lobby->push, on_push, 0.0, 0.0);
    lobby->push.data = lobby;
    return lobby;
}

void srv_lobby_free(struct srv_lobby *lobby)
{
    if (!lobby)
        return;
    for (struct srv_lobby_member *member = lobby->members, *next; member; member = next) {
        next = member->next;
        forget(lobby, member);
    }
    ev_timer_stop(lobby->loop, &lobby->push);
    clear(lobby->now);
    clear(lobby->next);
    free(lobby);
}
