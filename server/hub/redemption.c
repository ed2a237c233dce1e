/* Takes a new connection to its seat: checks the ticket, loads the table, and seats the socket. Hub
 * thread. */
#include "server/hub/redemption.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/bug.h"
#include "base/clock.h"
#include "base/log.h"
#include "server/hub/hub_in.h"
#include "server/hub/load_rows.h"
#include "server/hub/revoked.h"
#include "server/operations/metrics.h"
#include "server/operations/security_log.h"
#include "tables/wire.h"

/* A ticket that the database is checking, or a table whose rows are being read. */
struct srv_redemption {
    struct srv_hub *hub;
    struct srv_redemption *next; /* queue of tickets not sent yet */
    uint8_t ticket[API_TICKET_ID_LEN];
    struct srv_socket *socket;             /* NULL: disconnected in the meantime, or there was no socket */
    int64_t table_id, player_id, began_ms; /* table_id 0: the lobby */
    int64_t delay_ms;                      /* of a spectator */
    uint8_t seat;                          /* ENG_SPECTATOR: no seat */
    int tries, lease_tries;
    bool cancel; /* end the table */
};

enum {
    SEAT_TRIES_MAX = 100, /* retries while a table's write is pending */
    SEAT_RETRY_MS = 20,
    LEASE_TRIES_MAX = 100, /* retries while the lease is not held, within */
    LEASE_RETRY_MS = 100   /* the 10 s that a client waits for admission */
};

static void read_rows(struct srv_redemption *redemption);
static void read_rows_when_held(struct srv_redemption *redemption);

/* Closes a socket. Before close code 4001, sends the time after which to retry. */
static void turn_away(struct srv_socket *socket, int close_code)
{
    if (close_code == WIRE_CLOSE_RESTARTING && socket->close_code == 0) {
        char memory[128];
        struct buf frame = buf_on(memory, sizeof(memory));
        tab_wire_restarting(&frame, HUB_RETRY_MS);
        ASSERT(!frame.full);
        srv_ws_send(&socket, 1, frame.data, frame.len);
    }
    srv_ws_close(socket, close_code);
}

static void end_redemption(struct srv_redemption *redemption, int close_code)
{
    if (redemption->socket) {
        ASSERT(redemption->socket->redemption == redemption);
        redemption->socket->redemption = NULL;
        if (close_code != 0)
            turn_away(redemption->socket, close_code);
        else
            srv_ws_hold(redemption->socket, false);
    }
    free(redemption);
}

/* ---- The lease ---- */
static void on_lease_retry(int events, void *arg)
{
    (void)events;
    struct srv_redemption *redemption = arg;
    if (redemption->socket || redemption->cancel)
        read_rows_when_held(redemption);
    else
        end_redemption(redemption, 0);
}

/* Without its lease a node seats no clients, because its state may be stale. If other nodes are running,
 * they have the table or will take it over. On a node that is alone, the socket waits until the node can
 * renew its lease. */
bool srv_hub_waits_for_lease(bool held, bool has_peers, bool draining, int tries)
{
    return !held && !has_peers && !draining && tries < LEASE_TRIES_MAX;
}

static bool wait_for_lease(struct srv_redemption *redemption)
{
    const struct srv_hub *hub = redemption->hub;
    if (!srv_hub_waits_for_lease(srv_lease_held(hub->lease), srv_lease_has_peers(hub->lease), hub->draining,
                                 redemption->lease_tries))
        return false;
    redemption->lease_tries++;
    ev_once(hub->loop, -1, 0, (double)LEASE_RETRY_MS / 1000, on_lease_retry, redemption);
    return true;
}

/* ---- The table of a ticket ---- */
static void on_retry(int events, void *arg)
{
    (void)events;
    struct srv_redemption *redemption = arg;
    if (redemption->socket)
        read_rows(redemption);
    else
        end_redemption(redemption, 0);
}

/* A waiting table ignores changes of its seats while it has a pending write, so it may not have a new seat
 * yet. */
static bool try_again(struct srv_redemption *redemption, const struct tab_table *table)
{
    if (table->state != TAB_WAITING || !table->writing || ++redemption->tries > SEAT_TRIES_MAX)
        return false;
    ev_once(redemption->hub->loop, -1, 0, (double)SEAT_RETRY_MS / 1000, on_retry, redemption);
    return true;
}

static void add_spectator(struct srv_redemption *redemption, struct tab_table *table)
{
    struct srv_socket *socket = redemption->socket;
    ASSERT(!socket->table && socket->table_id == table->id);
    socket->table = table;
    socket->seat = ENG_SPECTATOR;
    bool added = tab_spectate(table, socket, socket->since, redemption->delay_ms);
    if (!added)
        socket->table = NULL;
    end_redemption(redemption, added ? 0 : WIRE_CLOSE_TRY_LATER);
}

static void seat_socket(struct srv_redemption *redemption, struct tab_table *table)
{
    struct srv_socket *socket = redemption->socket;
    if (!socket || socket->close_code != 0) {
        end_redemption(redemption, 0);
        return;
    }
    if (redemption->seat == ENG_SPECTATOR) {
        add_spectator(redemption, table);
        return;
    }
    bool seated = redemption->seat < table->seats_n &&
                  table->seats[redemption->seat].person.player_id == redemption->player_id;
    if (!seated && try_again(redemption, table))
        return;
    if (!seated || tab_has_left(table, redemption->seat)) {
        end_redemption(redemption, WIRE_CLOSE_FORBIDDEN);
        return;
    }
    srv_metric_time_us(METRIC_TICKET_TIME, (clock_mono_ms() - redemption->began_ms) * 1000);
    ASSERT(!socket->table && socket->table_id == table->id);
    socket->table = table;
    socket->seat = redemption->seat;
    tab_join(table, redemption->seat, socket, socket->since);
    end_redemption(redemption, 0); /* releases frames that arrived after the ticket */
}

static void on_rows(void *arg, const struct db_reply *reply)
{
    struct srv_redemption *redemption = arg;
    if (reply->outcome != DB_OK) {
        end_redemption(redemption, WIRE_CLOSE_TRY_LATER);
        return;
    }
    if (wait_for_lease(redemption))
        return;
    if (redemption->hub->draining || !srv_lease_held(redemption->hub->lease)) {
        end_redemption(redemption, WIRE_CLOSE_RESTARTING);
        return;
    }
    struct tab_table *table;
    srv_lobby_changed(redemption->hub->lobby);
    switch (srv_hub_take_rows(redemption->hub, redemption->table_id, reply->rows, &table)) {
    case TAB_LOADED:
        ASSERT(table && table->id == redemption->table_id);
        if (redemption->cancel)
            tab_cancel(table);
        seat_socket(redemption, table);
        return;
    case TAB_LOAD_ENDED:
        end_redemption(redemption, WIRE_CLOSE_OVER);
        return;
    case TAB_LOAD_ELSEWHERE: /* the client's next ticket names the new node */
        end_redemption(redemption, WIRE_CLOSE_RESTARTING);
        return;
    case TAB_LOAD_FULL:
        end_redemption(redemption, WIRE_CLOSE_TRY_LATER);
        return;
    case TAB_LOAD_LOST:
        if (table && redemption->cancel)
            tab_cancel(table);
        if (table)
            seat_socket(redemption, table);
        else
            end_redemption(redemption, WIRE_CLOSE_LOST);
        return;
    }
}

static void read_rows(struct srv_redemption *redemption)
{
    if (!srv_hub_read_rows(redemption->hub, redemption->table_id, redemption->socket || redemption->cancel,
                           on_rows, redemption))
        end_redemption(redemption, WIRE_CLOSE_TRY_LATER);
}

static void read_rows_when_held(struct srv_redemption *redemption)
{
    if (!wait_for_lease(redemption))
        read_rows(redemption);
}

static void load(struct srv_hub *hub, int64_t table_id, bool cancel)
{
    ASSERT(table_id > 0);
    struct srv_redemption *redemption = calloc(1, sizeof(*redemption));
    if (!redemption)
        return;
    *redemption = (struct srv_redemption){.hub = hub, .table_id = table_id, .cancel = cancel};
    read_rows(redemption);
}

void srv_hub_load(struct srv_hub *hub, int64_t table_id)
{
    load(hub, table_id, false);
}

void srv_hub_cancel_table(struct srv_hub *hub, int64_t table_id)
{
    struct tab_table *table = tab_registry_find(&hub->registry, table_id);
    if (table)
        tab_cancel(table);
    else
        load(hub, table_id, true);
}

/* ---- Tickets ---- */
static void enter_lobby(struct srv_redemption *redemption)
{
    struct srv_hub *hub = redemption->hub;
    struct srv_socket *socket = redemption->socket;
    ASSERT(redemption->table_id == 0);
    if (!hub->draining && socket && socket->close_code == 0)
        srv_lobby_enter(hub->lobby, socket, redemption->player_id);
    end_redemption(redemption, hub->draining ? WIRE_CLOSE_RESTARTING : 0);
}

/* Logs a ticket that is invalid, used, or expired. */
static void note_bad_ticket(int64_t table_id)
{
    srv_security_log(&(struct srv_security){
        .what = API_SECURITY_TICKET_REFUSED, .code = api_code_name(API_BAD_TICKET), .table = table_id});
}

/* Continues with the table and seat in the result. */
static void redeemed(struct srv_redemption *redemption, const PGresult *rows, int row)
{
    if (strcmp(db_text(rows, row, db_col(rows, "code")), "ok") != 0) {
        note_bad_ticket(redemption->table_id);
        end_redemption(redemption, WIRE_CLOSE_BAD_TICKET);
        return;
    }
    redemption->player_id = db_i64(rows, row, db_col(rows, "player_id"));
    struct srv_socket *socket = redemption->socket;
    int revoked = socket ? srv_hub_revoked(redemption->hub, redemption->player_id, socket->session_id) : 0;
    if (revoked != 0) { /* revoked after the ticket was issued */
        end_redemption(redemption, revoked);
        return;
    }
    if (socket) {
        socket->player_id = redemption->player_id;
        srv_ws_admit(socket);
    }
    if (redemption->table_id == 0) {
        enter_lobby(redemption);
        return;
    }
    int seat = db_col(rows, "seat");
    redemption->seat = PQgetisnull(rows, row, seat) ? ENG_SPECTATOR : (uint8_t)db_i64(rows, row, seat);
    redemption->delay_ms = db_i64(rows, row, db_col(rows, "delay_ms"));
    struct tab_table *table = tab_registry_find(&redemption->hub->registry, redemption->table_id);
    bool known = table && (redemption->seat == ENG_SPECTATOR ||
                           (redemption->seat < table->seats_n &&
                            table->seats[redemption->seat].person.player_id == redemption->player_id));
    if (wait_for_lease(redemption))
        return;
    if (redemption->hub->draining || !srv_lease_held(redemption->hub->lease))
        end_redemption(redemption, WIRE_CLOSE_RESTARTING);
    else if (known)
        seat_socket(redemption, table);
    else
        read_rows(redemption);
}

static void end_redeeming(struct srv_hub *hub, const struct db_reply *reply)
{
    bool ok = reply && reply->outcome == DB_OK;
    ASSERT(!ok || (size_t)PQntuples(reply->rows) == hub->redeeming_n);
    for (size_t i = 0; i < hub->redeeming_n; i++) {
        if (ok)
            redeemed(hub->redeeming[i], reply->rows, (int)i);
        else
            end_redemption(hub->redeeming[i], WIRE_CLOSE_TRY_LATER);
    }
    hub->redeeming_n = 0;
}

static void on_redeemed(void *arg, const struct db_reply *reply)
{
    end_redeeming(arg, reply);
}

static struct srv_redemption *take_ticket(struct srv_hub *hub)
{
    struct srv_redemption *redemption = hub->tickets;
    ASSERT(redemption);
    hub->tickets = redemption->next;
    if (!hub->tickets)
        hub->tickets_end = &hub->tickets;
    return redemption;
}

/* Sends one statement for all clients that connected in the meantime. The more clients reconnect at once,
 * the more of them share a statement. */
void srv_hub_redeem(struct srv_hub *hub)
{
    static const struct db_stmt stmt = {
        "do_redeem_tickets", "SELECT code, player_id, seat, delay_ms FROM do_redeem_tickets($1, $2)", 2};
    if (hub->redeeming_n > 0 || !hub->tickets)
        return;
    uint8_t tickets[HUB_REDEEM_MAX][API_TICKET_ID_LEN];
    int64_t tables[HUB_REDEEM_MAX];
    size_t n = 0;
    while (n < HUB_REDEEM_MAX && hub->tickets) {
        struct srv_redemption *redemption = take_ticket(hub);
        if (!redemption->socket) { /* the client disconnected; its ticket remains valid */
            end_redemption(redemption, 0);
            continue;
        }
        memcpy(tickets[n], redemption->ticket, API_TICKET_ID_LEN);
        tables[n] = redemption->table_id;
        hub->redeeming[n++] = redemption;
    }
    ASSERT(n <= HUB_REDEEM_MAX);
    hub->redeeming_n = n;
    if (n == 0)
        return;
    char memory[HUB_REDEEM_MAX * (API_TICKET_ID_LEN + 4 + 12) + 64];
    struct db_args args;
    db_args_init(&args, memory, sizeof(memory));
    db_args_uuid_array(&args, (const uint8_t(*)[16])tickets, n);
    db_args_i64_array(&args, tables, n);
    if (!db_pipe_write(hub->pipe, &stmt, &args, on_redeemed, hub))
        end_redeeming(hub, NULL);
}

void srv_hub_forget_tickets(struct srv_hub *hub)
{
    while (hub->tickets)
        end_redemption(take_ticket(hub), WIRE_CLOSE_TRY_LATER);
}

void srv_hub_opened(void *ctx, struct srv_socket *socket)
{
    struct srv_hub *hub = ctx;
    uint8_t ticket[API_TICKET_ID_LEN];
    ASSERT(!socket->redemption && !socket->table);
    if (hub->draining || hub->dismissed) {
        turn_away(socket, WIRE_CLOSE_RESTARTING);
        return;
    }
    if (!api_ticket_read(&hub->keys, socket->ticket, ticket, &socket->session_id, &socket->scopes)) {
        note_bad_ticket(socket->table_id);
        srv_ws_close(socket, WIRE_CLOSE_BAD_TICKET);
        return;
    }
    struct srv_redemption *redemption = calloc(1, sizeof(*redemption));
    if (!redemption) {
        srv_ws_close(socket, WIRE_CLOSE_TRY_LATER);
        return;
    }
    *redemption = (struct srv_redemption){
        .hub = hub, .socket = socket, .table_id = socket->table_id, .began_ms = clock_mono_ms()};
    memcpy(redemption->ticket, ticket, sizeof(ticket));
    socket->redemption = redemption;
    srv_ws_hold(socket, true); /* commands after the ticket wait for the seat */
    *hub->tickets_end = redemption;
    hub->tickets_end = &redemption->next;
}

void srv_hub_closed(void *ctx, struct srv_socket *socket)
{
    struct srv_hub *hub = ctx;
    struct srv_redemption *redemption = socket->redemption;
    if (redemption)
        redemption->socket = NULL;
    srv_lobby_leave(hub->lobby, socket);
    struct tab_table *table = socket->table;
    socket->table = NULL;
    if (table && socket->seat == ENG_SPECTATOR)
        tab_unspectate(table, socket);
    else if (table)
        tab_quit(table, socket->seat, socket);
}
