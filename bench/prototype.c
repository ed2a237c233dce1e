/* prototype: a minimal durable relay of tables with the same libraries and techniques as rummyd, so that
 * bench/run can measure the cost of rules, views, and the rest of the server. It accepts WebSockets, writes
 * all available commands in one PostgreSQL statement, then acknowledges each and notifies all four seats.
 * It deals cards so that the load generator can play, and uses the server's frames; it has no rules, no
 * tickets, no clocks, and no reconnects. Two threads: the hub (libwebsockets on libev) and the journal.
 * Loopback only. */
#include <arpa/inet.h>
#include <errno.h>
#include <ev.h>
#include <libwebsockets.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/socket.h>

#include "base/buf.h"
#include "base/bug.h"
#include "base/ring.h"
#include "base/text.h"
#include "base/thread.h"
#include "bench/scan.h"
#include "db/pg.h"
#include "engine/eng.h"

enum {
    SEATS = 4,
    PACK = 108,
    HAND = 14,
    TABLES_MAX = 4900,
    BATCH_MAX = 1024, /* like the server's journal */
    COMMAND_MAX = 36,
    ARGS_BYTES = BATCH_MAX * 160,
    ARG_MAX = 64,
    FRAME_SHORT = 125, /* maximum payload with a two-byte header */
    OUT_MAX = 1024,
    TURN_MS = 90000,
};

/* The socket of a seat; libwebsockets owns its memory. */
struct socket {
    struct lws *wsi;
    struct table *table;
    int fd;
    uint8_t seat;
};

/* Fields used by commands come first. */
struct table {
    struct socket *sockets[SEATS];
    int64_t id;
    uint32_t v;
    uint8_t seat; /* of the pending command */
    uint8_t card; /* card to discard; ENG_NO_CARD: a draw */
    uint8_t stock_n, pile_n;
    bool waits; /* for the journal */
    char command[COMMAND_MAX + 1];
    uint8_t stock[PACK], pile[PACK];
};

static struct {
    struct table *tables;
    int tables_n;
    struct ev_loop *loop;
    struct ev_async written;
    struct ring in, out;
    struct db_conn *db;
    char *args;
} relay;

static _Noreturn void die(const char *what, const char *why)
{
    fprintf(stderr, "prototype: %s: %s\n", what, why);
    exit(1);
}

/* ---- Cards ---- */
/* Makes the same pack for a table each time, because its seats connect one by one. */
static void shuffle(int64_t table, uint8_t cards[PACK])
{
    uint64_t state = (uint64_t)table;
    for (int i = 0; i < PACK; i++)
        cards[i] = (uint8_t)i;
    for (int i = PACK - 1; i > 0; i--) {
        state = state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
        int at = (int)((state >> 33) % (unsigned)(i + 1));
        uint8_t card = cards[i];
        cards[i] = cards[at];
        cards[at] = card;
    }
}

static void deal(struct table *table, int64_t id)
{
    uint8_t cards[PACK];
    shuffle(id, cards);
    *table = (struct table){.id = id, .v = 1, .pile_n = 1, .stock_n = PACK - SEATS * HAND - 1};
    memcpy(table->stock, cards + SEATS * HAND, table->stock_n);
    table->pile[0] = cards[PACK - 1];
}

static void put_card(struct buf *out, uint8_t card)
{
    char name[ENG_CARD_NAME_MAX];
    int n = eng_card_name(name, card);
    buf_put(out, "\"", 1);
    buf_put(out, name, (size_t)n);
    buf_put(out, "\"", 1);
}

/* ---- Frames ---- */
/* Begins a frame with its two-byte header; close_frame fills in the length. */
static size_t open_frame(struct buf *out, const char *text)
{
    buf_put(out, "\x81", 1);
    buf_put(out, "", 1);
    size_t at = out->len;
    buf_str(out, text);
    return at;
}

static void close_frame(struct buf *out, size_t at)
{
    size_t n = out->len - at;
    ASSERT(!out->full && n <= FRAME_SHORT);
    out->data[at - 1] = (char)n;
}

static size_t open_event(struct buf *out, struct table *table, const char *type, int seat)
{
    size_t at = open_frame(out, "{\"v\":");
    buf_int(out, table->v);
    buf_str(out, ",\"t\":\"");
    buf_str(out, type);
    if (seat >= 0) {
        buf_str(out, "\",\"seat\":");
        buf_int(out, seat);
        buf_str(out, ",\"d\":{");
    } else {
        buf_str(out, "\",\"d\":{");
    }
    return at;
}

/* Renews an empty stock from the pile, without the pile's last card. */
static void reshuffle(struct buf *out, struct table *table)
{
    table->stock_n = (uint8_t)(table->pile_n - 1);
    memcpy(table->stock, table->pile, table->stock_n);
    table->pile[0] = table->pile[table->pile_n - 1];
    table->pile_n = 1;
    table->v++;
    size_t at = open_event(out, table, "reshuffled", -1);
    buf_str(out, "\"stock_n\":");
    buf_int(out, table->stock_n);
    buf_str(out, "}}");
    close_frame(out, at);
}

/* Writes a draw for the player, and for the others, who do not see the card. */
static void send_drawn(struct buf *own, struct buf *others, struct table *table)
{
    if (table->stock_n == 0) {
        reshuffle(others, table);
        buf_put(own, others->data, others->len);
    }
    uint8_t card = table->stock[--table->stock_n];
    table->v++;
    size_t at = open_event(others, table, "drew", table->seat);
    buf_str(others, "\"from\":\"stock\",\"must_open\":false}}");
    close_frame(others, at);
    at = open_event(own, table, "drew", table->seat);
    buf_str(own, "\"from\":\"stock\",\"card\":");
    put_card(own, card);
    buf_str(own, ",\"must_open\":false}}");
    close_frame(own, at);
}

static void send_discarded(struct buf *own, struct buf *others, struct table *table)
{
    int next = (table->seat + 1) % SEATS;
    ASSERT(table->pile_n < PACK);
    table->pile[table->pile_n++] = table->card;
    table->v++;
    size_t at = open_event(others, table, "discarded", table->seat);
    buf_str(others, "\"cards\":[");
    put_card(others, table->card);
    buf_str(others, "],\"buried\":false}}");
    close_frame(others, at);
    table->v++;
    at = open_event(others, table, "turn", next);
    buf_str(others, "\"round\":10,\"phase\":\"draw\"}}");
    close_frame(others, at);
    at = open_frame(others, "{\"t\":\"clock\",\"d\":{\"seat\":");
    buf_int(others, next);
    buf_str(others, ",\"ms_left\":");
    buf_int(others, TURN_MS);
    buf_str(others, ",\"turn_ms\":");
    buf_int(others, TURN_MS);
    buf_str(others, ",\"hand_ms_left\":[");
    for (int i = 0; i < SEATS; i++) {
        buf_str(others, i > 0 ? "," : "");
        buf_int(others, 4 * TURN_MS);
    }
    buf_str(others, "]}}");
    close_frame(others, at);
    buf_put(own, others->data, others->len);
}

static void send_acks(struct buf *out, const struct table *table)
{
    size_t at = open_frame(out, "{\"t\":\"ack\",\"id\":\"");
    buf_str(out, table->command);
    buf_str(out, "\",\"v\":");
    buf_int(out, table->v);
    buf_str(out, "}");
    close_frame(out, at);
}

/* Like the server, sends with one system call if the kernel accepts everything; the library keeps the rest.
 * `bytes` must be preceded by LWS_PRE bytes. */
static void send_to(struct socket *socket, const struct buf *bytes)
{
    if (!socket)
        return;
    ssize_t n = lws_partial_buffered(socket->wsi)
                    ? 0
                    : send(socket->fd, bytes->data, bytes->len, MSG_DONTWAIT | MSG_NOSIGNAL);
    size_t sent = n > 0 ? (size_t)n : 0;
    if (sent < bytes->len)
        (void)lws_write(socket->wsi, (unsigned char *)bytes->data + sent, bytes->len - sent, LWS_WRITE_HTTP);
}

/* Call when a command is durable. Notifies all seats. */
static void send_result(struct table *table)
{
    char memory[2][LWS_PRE + OUT_MAX];
    struct buf own = buf_on(memory[0] + LWS_PRE, OUT_MAX), others = buf_on(memory[1] + LWS_PRE, OUT_MAX);
    if (table->card == ENG_NO_CARD)
        send_drawn(&own, &others, table);
    else
        send_discarded(&own, &others, table);
    send_acks(&own, table);
    table->waits = false;
    for (int seat = 0; seat < SEATS; seat++)
        send_to(table->sockets[seat], seat == table->seat ? &own : &others);
}

static void on_written(struct ev_loop *loop, struct ev_async *written, int events)
{
    static void *items[BATCH_MAX];
    (void)loop;
    (void)written;
    (void)events;
    for (size_t n; (n = ring_take(&relay.out, items, BATCH_MAX)) > 0;)
        for (size_t i = 0; i < n; i++)
            send_result(items[i]);
}

/* Sends the initial state. Later connects do not occur in the load generator's closed loop. */
static void send_snapshot(struct socket *socket)
{
    char memory[LWS_PRE + OUT_MAX];
    uint8_t cards[PACK];
    struct buf out = buf_on(memory + LWS_PRE, OUT_MAX);
    const struct table *table = socket->table;
    shuffle(table->id, cards);
    buf_fmt(&out, "{\"t\":\"snapshot\",\"v\":%u,\"d\":{\"me\":%d,\"phase\":\"draw\",\"to_move\":0,\"hand\":[",
            table->v, socket->seat);
    for (int i = 0; i < HAND; i++) {
        buf_str(&out, i > 0 ? "," : "");
        put_card(&out, cards[socket->seat * HAND + i]);
    }
    buf_fmt(&out, "],\"stock_n\":%d,\"discard\":[", table->stock_n);
    put_card(&out, table->pile[0]);
    buf_str(&out, "],\"melds\":[],\"turn\":{\"drew\":false,\"drawn\":null}}}");
    ASSERT(!out.full);
    (void)lws_write(socket->wsi, (unsigned char *)out.data, out.len, LWS_WRITE_TEXT);
}

/* ---- Commands ---- */
static uint8_t card_of(struct span data)
{
    struct span card = {0};
    struct scan cards = scan_into(scan_find(data, "cards"));
    return scan_element(&cards, &card) && card.kind == '"' ? eng_card_parse(card.at, card.n) : ENG_NO_CARD;
}

/* false: not a command that a table accepts. */
static bool read_command(struct table *table, const char *text, size_t len)
{
    struct span whole = span_of(text, len), key, value, type = {0}, id = {0}, data = {0};
    whole.kind = '{';
    struct scan members = scan_into(whole);
    while (scan_member(&members, &key, &value)) {
        if (span_is(key, "t"))
            type = value;
        else if (span_is(key, "id"))
            id = value;
        else if (span_is(key, "d"))
            data = value;
    }
    if (members.bad || id.n == 0 || id.n > COMMAND_MAX)
        return false;
    memcpy(table->command, id.at, id.n);
    table->command[id.n] = '\0';
    table->card = span_is(type, "discard") ? card_of(data) : ENG_NO_CARD;
    return span_is(type, "draw") || table->card != ENG_NO_CARD;
}

static int take(struct socket *socket, const char *text, size_t len)
{
    struct table *table = socket->table;
    if (table->waits || !read_command(table, text, len))
        return -1;
    table->waits = true;
    table->seat = socket->seat;
    if (!ring_push(&relay.in, table))
        BUG("more tables than slots");
    return 0;
}

/* Reads table and seat from "/ws/tables/N?ticket=N.SEAT". */
static bool place(struct lws *wsi, struct socket *socket)
{
    static const char prefix[] = "/ws/tables/";
    char path[ARG_MAX] = "", memory[ARG_MAX];
    int64_t table, seat;
    const char *ticket = lws_get_urlarg_by_name(wsi, "ticket=", memory, sizeof(memory));
    const char *dot = ticket ? strchr(ticket, '.') : NULL;
    if (lws_hdr_copy(wsi, path, sizeof(path), WSI_TOKEN_GET_URI) <= 0 ||
        strncmp(path, prefix, strlen(prefix)) != 0 ||
        !text_i64(path + strlen(prefix), 1, relay.tables_n, &table) || !dot ||
        !text_i64(dot + 1, 0, SEATS - 1, &seat))
        return false;
    socket->table = &relay.tables[table - 1];
    socket->seat = (uint8_t)seat;
    return !socket->table->sockets[seat];
}

static int on_socket(struct lws *wsi, enum lws_callback_reasons reason, void *user, void *in, size_t len)
{
    struct socket *socket = user;
    switch (reason) {
    case LWS_CALLBACK_FILTER_PROTOCOL_CONNECTION:
        return place(wsi, socket) ? 0 : -1;
    case LWS_CALLBACK_ESTABLISHED:
        socket->wsi = wsi;
        socket->fd = lws_get_socket_fd(wsi);
        socket->table->sockets[socket->seat] = socket;
        send_snapshot(socket);
        return 0;
    case LWS_CALLBACK_RECEIVE: /* the load generator's commands arrive in one piece */
        return lws_is_first_fragment(wsi) && lws_is_final_fragment(wsi) ? take(socket, in, len) : -1;
    case LWS_CALLBACK_CLOSED:
        socket->table->sockets[socket->seat] = NULL;
        return 0;
    default:
        return 0;
    }
}

/* ---- The journal ---- */
static const struct db_stmt append_stmt = {
    "relay_append",
    "INSERT INTO relay (table_id, v, seat, move, command) "
    "SELECT * FROM unnest($1::bigint[], $2::integer[], $3::smallint[], $4::bytea[], $5::text[])",
    5};

static void append(struct table *const *tables, size_t n)
{
    static int64_t ids[BATCH_MAX];
    static int32_t vs[BATCH_MAX];
    static int16_t seats[BATCH_MAX];
    static struct db_slice moves[BATCH_MAX], commands[BATCH_MAX];
    struct db_args args;
    struct db_error err;
    for (size_t i = 0; i < n; i++) {
        const struct table *table = tables[i];
        ids[i] = table->id;
        vs[i] = (int32_t)table->v;
        seats[i] = table->seat;
        moves[i] = (struct db_slice){&table->card, 1};
        commands[i] = (struct db_slice){table->command, strlen(table->command)};
    }
    db_args_init(&args, relay.args, ARGS_BYTES);
    db_args_i64_array(&args, ids, n);
    db_args_i32_array(&args, vs, n);
    db_args_i16_array(&args, seats, n);
    db_args_bytes_array(&args, moves, n);
    db_args_text_array(&args, commands, n);
    DB_AUTO PGresult *done = db_run(relay.db, &append_stmt, &args, &err);
    if (!done)
        die("database", err.text);
}

static void *run_journal(void *none)
{
    static void *items[BATCH_MAX];
    thread_begin(THREAD_JOURNAL, THREAD_PROMPT);
    for (size_t n; (n = ring_take_wait(&relay.in, items, BATCH_MAX)) > 0;) {
        append((struct table *const *)items, n);
        for (size_t i = 0; i < n; i++)
            if (!ring_push(&relay.out, items[i]))
                BUG("the result queue is smaller than the write queue");
        ev_async_send(relay.loop, &relay.written);
    }
    return none;
}

/* ---- Main ---- */
static void on_term(struct ev_loop *loop, struct ev_signal *term, int events)
{
    (void)term;
    (void)events;
    ev_break(loop, EVBREAK_ALL);
}

static struct lws_context *listen_on(int port)
{
    static const struct lws_protocols protocols[] = {
        {.name = "http", .callback = lws_callback_http_dummy, .rx_buffer_size = 512},
        {.name = "rummy.v1",
         .callback = on_socket,
         .per_session_data_size = sizeof(struct socket),
         .rx_buffer_size = 512,
         .tx_packet_size = 64 * 1024},
        {0},
    };
    static const lws_retry_bo_t no_timers = {0};
    void *loops[] = {relay.loop};
    struct lws_context_creation_info info = {
        .port = port,
        .iface = "127.0.0.1",
        .protocols = protocols,
        .options = LWS_SERVER_OPTION_LIBEV | LWS_SERVER_OPTION_DISABLE_IPV6,
        .foreign_loops = loops,
        .retry_and_idle_policy = &no_timers,
        .count_threads = 1,
    };
    lws_set_log_level(LLL_ERR, NULL);
    return lws_create_context(&info);
}

static void prepare(const char *conninfo, int tables_n)
{
    struct db_error err;
    struct rlimit files;
    rlim_t wanted = (rlim_t)tables_n * SEATS +
                    64; /* with a higher limit, libwebsockets would allocate memory for all descriptors */
    relay.db = db_open(conninfo, &err);
    if (!relay.db ||
        !db_script(
            relay.db,
            "CREATE TABLE relay (table_id bigint NOT NULL, v integer NOT NULL, seat smallint NOT NULL, "
            "move bytea NOT NULL, command text NOT NULL, PRIMARY KEY (table_id, v))",
            &err))
        die("database", err.text);
    if (getrlimit(RLIMIT_NOFILE, &files) != 0 || files.rlim_max < wanted)
        die("descriptors", "the limit is too low");
    files.rlim_cur = wanted;
    relay.args = malloc(ARGS_BYTES);
    relay.tables = calloc((size_t)tables_n, sizeof(*relay.tables));
    relay.tables_n = tables_n;
    if (setrlimit(RLIMIT_NOFILE, &files) != 0 || !relay.args || !relay.tables ||
        ring_init(&relay.in, (size_t)tables_n) != 0 || ring_init(&relay.out, (size_t)tables_n) != 0)
        die("start", strerror(errno));
    for (int i = 0; i < tables_n; i++)
        deal(&relay.tables[i], i + 1);
}

static int number(const char *text, int64_t max)
{
    int64_t value;
    if (!text_i64(text, 1, max, &value))
        die(text, "not a number in its range");
    return (int)value;
}

/* usage: prototype PORT TABLES CONNINFO: creates its table in that database */
int main(int argc, char **argv)
{
    pthread_t journal;
    struct ev_signal term;
    if (argc != 4) {
        fputs("usage: prototype PORT TABLES CONNINFO (an empty database; loopback only)\n", stderr);
        return 2;
    }
    signal(SIGPIPE, SIG_IGN);
    prepare(argv[3], number(argv[2], TABLES_MAX));
    relay.loop = ev_loop_new(EVFLAG_AUTO);
    struct lws_context *context = listen_on(number(argv[1], 65535));
    if (!context)
        die("port", argv[1]);
    ev_async_init(&relay.written, on_written);
    ev_async_start(relay.loop, &relay.written);
    ev_signal_init(&term, on_term, SIGTERM);
    ev_signal_start(relay.loop, &term);
    if (pthread_create(&journal, NULL, run_journal, NULL) != 0)
        die("start", "no thread");
    thread_begin(THREAD_HUB, THREAD_PROMPT);
    ev_run(relay.loop, 0);
    ring_close(&relay.in);
    pthread_join(journal, NULL);
    lws_context_destroy(context);
    db_close(relay.db);
    return 0;
}
