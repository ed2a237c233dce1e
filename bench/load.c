/* The load generator's event loop and its scenarios; see load.h. */
#include "bench/load.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/resource.h>
#include <time.h>

#include "base/bug.h"
#include "base/clock.h"
#include "bench/grants.h"
#include "bench/grants_rest.h"
#include "bench/grants_sql.h"
#include "bench/load_table.h"

enum {
    EVENTS_AT_ONCE = 512,
    SWEEP_NS = 50 * 1000 * 1000,
    WAIT_MAX_NS = 20 * 1000 * 1000,
    START_SECONDS_MAX = 120,
    FINISH_SECONDS_MAX = 5,
    RESUME_FROM_MAX = 40, /* crash mode requests up to this many known events again, to compare them */
    RECONNECT_NS = 100 * 1000 * 1000,
    CALM_NS = 200 * 1000 * 1000,
    CALM_TRIES_MAX = 100,
    CLOSE_TRY_LATER = 1013, /* sent by the server if it cannot seat a client at the moment */
};

static const int64_t SECOND_NS = 1000000000;

static int seats_all(const struct load *load)
{
    return load->opt.tables * load->opt.seats;
}

/* Call when a socket's state may have changed. */
static void settle(struct load *load, struct load_seat *s)
{
    if (s->ws.state == WSC_DEAD) {
        bool was_open = s->opened;
        load_uncount(load, s);
        if (s->ws.error)
            flaw_note(FLAW_BAD_FRAME, s->table->model.id, s->model->seat,
                      span_of(s->ws.error, strlen(s->ws.error)));
        if (s->ws.status != 0 && s->ws.status != 503 && load->result.refused++ < 5)
            fprintf(stderr, "tableload: connect refused with status %u\n", s->ws.status);
        if (load->log)
            fprintf(load->log, "X %" PRId64 " %d %u %u\n", s->table->model.id, s->model->seat, s->model->v,
                    s->ws.code);
        load->result.cut_by_server++;
        load->result.last_code = s->ws.code;
        if (!was_open) /* no server, or it is too busy, so wait */
            load->connect_after_ns = load->now_ns + RECONNECT_NS;
        s->ws.state = WSC_IDLE;
        if (s->ws.code == CLOSE_TRY_LATER || s->ws.status == 503)
            load_enqueue(load, s);
        else
            table_on_dead(load, s);
        return;
    }
    /* A socket counts as connected once it has received a frame, because the server checks its ticket after
     * the handshake. */
    if (s->ws.state == WSC_OPEN && !s->opened && s->connect_ns == 0) {
        load_uncount(load, s);
        s->counted = s->opened = true;
        load->open++;
        load->result.connects++;
        table_try_move(load, s->table);
    }
}

/* Each seat of a table connects from a different address, 127.0.0.1 and up, because Linux finds 14,000
 * ports of an address at once but must search them all before it takes another one. */
static uint32_t address_of(const struct load_seat *s)
{
    return INADDR_LOOPBACK + (uint32_t)(s - s->table->seats);
}

static void start_connect(struct load *load, struct load_seat *s)
{
    char path[WSC_PATH_MAX], from[24] = "";
    struct model_seat *m = s->model;
    uint32_t v = m->v;
    if (m->synced) {
        uint32_t back = load->opt.mode == LOAD_CRASH ? 1 + (uint32_t)(random() % RESUME_FROM_MAX) : 0;
        v = back < v ? v - back : 0;
        snprintf(from, sizeof(from), "&v=%u", v);
        load->result.reconnects++;
    }
    s->resuming = m->synced;
    model_connected(m, v);
    /* The ticket is also in the URL, where the prototype and other servers used for comparison read it. */
    snprintf(path, sizeof(path), "/ws/tables/%" PRId64 "?ticket=%s%s", s->table->model.id, s->grant->ticket,
             from);
    s->grant->stale = true;
    s->connect_ns = clock_mono_ns();
    if (!wsc_connect(&s->ws, address_of(s), &load->opt.ws, path, s->grant->ticket, load->opt.origin)) {
        table_on_dead(load, s);
        return;
    }
    load->connecting++;
    s->counted = true;
    s->opened = false;
    struct epoll_event ev = {.events = EPOLLIN | EPOLLOUT | EPOLLRDHUP | EPOLLET, .data.ptr = s};
    if (epoll_ctl(load->epoll, EPOLL_CTL_ADD, s->ws.fd, &ev) != 0)
        BUG("epoll rejects a socket");
}

static void connect_some(struct load *load)
{
    while (load->line_n > 0 && load->connecting < LOAD_CONNECTS_MAX &&
           load->now_ns >= load->connect_after_ns) {
        struct load_seat *s = load->line[load->line_head];
        if (s->grant->stale) {
            if (!grants_renew(&load->grants)) {
                load->connect_after_ns = load->now_ns + RECONNECT_NS;
                return;
            }
        }
        load->line_head = (load->line_head + 1) % load->line_max;
        load->line_n--;
        s->queued = false;
        start_connect(load, s);
    }
}

/* For the open loop. Assigns the moves that became due since the last call. */
static void hand_out(struct load *load, uint64_t *handed)
{
    uint64_t due = pace_due_count(&load->pace, load->now_ns);
    uint64_t tables = (uint64_t)load->opt.tables;
    uint64_t first = due > tables && *handed < due - tables ? due - tables : *handed;
    for (uint64_t k = first; k < due; k++)
        table_try_move(load, &load->tables[k % tables]);
    *handed = due;
}

/* Checks each table once per SWEEP_NS. The checks are spread over that time, because all at once they would
 * delay moves. */
static void sweep_some(struct load *load)
{
    int64_t all = load->opt.tables, due = (load->now_ns - load->swept_ns) / (SWEEP_NS / all);
    load->swept_ns = due < all ? load->swept_ns + due * (SWEEP_NS / all) : load->now_ns;
    for (int64_t n = due < all ? due : all; n > 0; n--) {
        table_sweep(load, &load->tables[load->sweep_next]);
        load->sweep_next = (load->sweep_next + 1) % load->opt.tables;
    }
}

/* Runs until `until`, or until done(load) returns true. */
static void spin(struct load *load, int64_t until, bool (*done)(const struct load *))
{
    struct epoll_event events[EVENTS_AT_ONCE];
    uint64_t handed = 0;

    while (!load->over && (load->now_ns = clock_mono_ns()) < until && !(done && done(load))) {
        int64_t wait = WAIT_MAX_NS;
        if (load->opt.mode == LOAD_OPEN && load->playing) {
            hand_out(load, &handed);
            wait = pace_due(&load->pace, 0, 0) + (int64_t)((double)handed * load->pace.gap_ns) - load->now_ns;
            wait = wait < 0 ? 0 : (wait > WAIT_MAX_NS ? WAIT_MAX_NS : wait);
        }
        connect_some(load);
        struct timespec timeout = {.tv_nsec = wait};
        int n = epoll_pwait2(load->epoll, events, EVENTS_AT_ONCE, &timeout, NULL);
        load->now_ns = clock_mono_ns();
        for (int i = 0; i < n; i++) {
            struct load_seat *s = events[i].data.ptr;
            if (events[i].events & EPOLLOUT)
                wsc_on_writable(&s->ws);
            if (events[i].events & (EPOLLIN | EPOLLHUP | EPOLLERR))
                wsc_on_readable(&s->ws, table_on_frame, s);
            if (events[i].events & (EPOLLRDHUP | EPOLLHUP | EPOLLERR))
                wsc_on_readable(&s->ws, table_on_frame, s);
            settle(load, s);
        }
        sweep_some(load);
    }
}

static bool all_open(const struct load *load)
{
    return load->open == (uint32_t)seats_all(load);
}

/* Whether every seat has received its state, or no further connection is pending. */
static bool all_resumed(const struct load *load)
{
    if (!all_open(load))
        return load->line_n == 0 && load->connecting == 0;
    for (int i = 0; i < load->opt.tables; i++) {
        for (int k = 0; k < load->tables[i].model.seats_n; k++) {
            if (load->tables[i].seats[k].connect_ns != 0)
                return false;
        }
    }
    return true;
}

static bool all_in_play(const struct load *load)
{
    for (int i = 0; i < load->opt.tables; i++) {
        if (!load->tables[i].model.whole)
            return false;
    }
    return true;
}

static bool none_in_flight(const struct load *load)
{
    for (int i = 0; i < load->opt.tables; i++) {
        if (load->tables[i].in_flight)
            return false;
    }
    return true;
}

static bool connect_all(struct load *load)
{
    int64_t start = clock_mono_ns();
    for (int i = 0; i < load->opt.tables; i++)
        table_take_grants(load, &load->tables[i]);
    spin(load, start + START_SECONDS_MAX * SECOND_NS, all_resumed);
    load->result.connect_seconds = (double)(clock_mono_ns() - start) / 1e9;
    if (load->over || all_open(load))
        return !load->over;
    fprintf(stderr, "tableload: only %u of %d sockets opened (last close code %u)\n", load->open,
            seats_all(load), load->result.last_code);
    return false;
}

/* Whether the number of games in --games is over. */
static bool games_over(const struct load *load)
{
    return load->opt.games > 0 && load->result.games >= (uint64_t)load->opt.games;
}

static void play(struct load *load, int64_t for_ns)
{
    load->playing = true;
    load->now_ns = clock_mono_ns();
    for (int i = 0; i < load->opt.tables; i++)
        table_try_move(load, &load->tables[i]);
    spin(load, load->now_ns + for_ns, games_over);
}

static double own_cpu_seconds(void)
{
    struct rusage usage;
    getrusage(RUSAGE_SELF, &usage);
    return (double)(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) +
           (double)(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec) / 1e6;
}

/* Waits for moves in flight without starting new ones; moves that are incomplete after FINISH_SECONDS_MAX
 * count as stuck. A first signal ends only the playing; a second one also ends this wait. */
static void finish_moves(struct load *load)
{
    load->playing = load->over = false;
    spin(load, clock_mono_ns() + FINISH_SECONDS_MAX * SECOND_NS, none_in_flight);
    for (int i = 0; i < load->opt.tables; i++)
        load->result.stuck += load->tables[i].in_flight;
}

static void measure(struct load *load)
{
    struct load_result *r = &load->result;

    load->pace =
        pace_start(clock_mono_ns(), load->opt.rate > 0 ? load->opt.rate : 1, (uint32_t)load->opt.tables);
    if (load->opt.warmup_seconds > 0)
        play(load, load->opt.warmup_seconds * SECOND_NS);
    struct wsc_totals before = wsc_totals;
    double cpu = own_cpu_seconds();
    struct procstat_machine machine = procstat_machine();
    procstat_read(&r->before, load->opt.server_pid);
    int64_t start = clock_mono_ns();
    load->measuring = true;
    play(load, load->opt.seconds * SECOND_NS);
    load->measuring = false;
    r->seconds = (double)(clock_mono_ns() - start) / 1e9;
    procstat_read(&r->after, load->opt.server_pid);
    r->own_cpu_seconds = own_cpu_seconds() - cpu;
    struct procstat_machine machine_then = procstat_machine();
    r->machine_cpu_seconds = (double)(machine_then.busy_ns - machine.busy_ns) / 1e9;
    r->stolen_cpu_seconds = (double)(machine_then.stolen_ns - machine.stolen_ns) / 1e9;
    r->traffic = (struct wsc_totals){.bytes_in = wsc_totals.bytes_in - before.bytes_in,
                                     .frames_in = wsc_totals.frames_in - before.frames_in,
                                     .bytes_out = wsc_totals.bytes_out - before.bytes_out,
                                     .frames_out = wsc_totals.frames_out - before.frames_out};
    finish_moves(load);
}

/* Cuts everything at once and waits until every seat has received its state. */
static bool storm(struct load *load)
{
    struct load_result *r = &load->result;
    for (int i = 0; i < load->opt.tables; i++) {
        for (int k = 0; k < load->tables[i].model.seats_n; k++)
            load_disconnect(load, &load->tables[i].seats[k], true);
    }
    if (!grants_renew(&load->grants))
        return false;
    hist_clear(&r->connect);
    procstat_read(&r->before, load->opt.server_pid);
    int64_t start = clock_mono_ns();
    for (int i = 0; i < load->opt.tables; i++) {
        for (int k = 0; k < load->tables[i].model.seats_n; k++)
            load_enqueue(load, &load->tables[i].seats[k]);
    }
    spin(load, start + START_SECONDS_MAX * SECOND_NS, all_resumed);
    r->storm_seconds = (double)(clock_mono_ns() - start) / 1e9;
    procstat_read(&r->after, load->opt.server_pid);
    if (!all_open(load)) {
        fprintf(stderr, "tableload: only %u of %d sockets reconnected\n", load->open, seats_all(load));
        return false;
    }
    play(load, SECOND_NS); /* the games must continue */
    finish_moves(load);
    return true;
}

static bool prepare(struct load *load)
{
    size_t seats = (size_t)seats_all(load);
    struct rlimit files = {.rlim_cur = seats + 64, .rlim_max = seats + 64};
    struct rlimit now;
    getrlimit(RLIMIT_NOFILE, &now);
    files.rlim_max = now.rlim_max;
    if (files.rlim_cur > now.rlim_cur && setrlimit(RLIMIT_NOFILE, &files) != 0) {
        fprintf(stderr, "tableload: %zu sockets need more file descriptors than the limit of %ju\n", seats,
                (uintmax_t)now.rlim_max);
        return false;
    }
    load->line_max = (uint32_t)seats + 1;
    load->tables = calloc((size_t)load->opt.tables, sizeof(*load->tables));
    load->line = calloc(load->line_max, sizeof(struct load_seat *));
    load->epoll = epoll_create1(EPOLL_CLOEXEC);
    if (!load->tables || !load->line || load->epoll < 0) {
        fprintf(stderr, "tableload: no memory for %zu sockets\n", seats);
        return false;
    }
    for (int i = 0; i < load->opt.tables; i++) {
        for (int k = 0; k < MODEL_SEATS_MAX; k++) {
            struct load_table *t = &load->tables[i];
            wsc_init(&t->seats[k].ws);
            if (load->opt.mode == LOAD_CRASH && k < load->opt.seats &&
                !(t->model.seats[k].texts = calloc(MODEL_V_MAX, sizeof(uint32_t))))
                return false;
        }
    }
    if (load->opt.log_file && !(load->log = fopen(load->opt.log_file, "we"))) {
        fprintf(stderr, "tableload: %s: %s\n", load->opt.log_file, strerror(errno));
        return false;
    }
    return true;
}

static bool get_grants(struct load *load)
{
    struct load_options *o = &load->opt;
    int tables = o->tables + o->spares;
    load->grants.http = o->http;
    load->grants.db = o->db;
    load->grants.node = o->node;
    switch (o->via) {
    case GRANTS_REST:
        return grants_by_rest(&load->grants, o->room, tables, o->seats);
    case GRANTS_SQL:
        return grants_by_sql(&load->grants, o->room, tables, o->seats);
    case GRANTS_FILE:
        return grants_by_file(&load->grants, o->seats_file);
    }
    return false;
}

/* Waits until the server is idle. */
static void await_calm(struct load *load)
{
    struct procstat before, now;
    procstat_read(&before, load->opt.server_pid);
    for (int tries = 0; tries < CALM_TRIES_MAX && !load->over; tries++) {
        spin(load, clock_mono_ns() + CALM_NS, NULL);
        procstat_read(&now, load->opt.server_pid);
        if (now.cpu_ns - before.cpu_ns < CALM_NS / 10)
            return;
        before = now;
    }
}

static bool await_play(struct load *load)
{
    spin(load, clock_mono_ns() + START_SECONDS_MAX * SECOND_NS, all_in_play);
    if (all_in_play(load))
        return true;
    fputs("tableload: not all tables came into play\n", stderr);
    return false;
}

/* Measures the cost of connects alone, because during the first connects the tables were starting. */
static bool connect_again(struct load *load)
{
    if (!await_play(load))
        return false;
    for (int i = 0; i < load->opt.tables; i++) {
        for (int k = 0; k < load->tables[i].model.seats_n; k++)
            load_disconnect(load, &load->tables[i].seats[k], false);
    }
    load->next_grant = 0;
    if (!grants_renew(&load->grants))
        return false;
    await_calm(load);
    procstat_read(&load->result.before, load->opt.server_pid);
    bool ok = connect_all(load);
    procstat_read(&load->result.after, load->opt.server_pid);
    return ok;
}

static bool stay_idle(struct load *load)
{
    spin(load, clock_mono_ns() + load->opt.seconds * SECOND_NS, NULL);
    procstat_read(&load->result.after, load->opt.server_pid);
    load->result.before = load->result.after;
    return load->opt.via == GRANTS_FILE ||
           connect_again(load); /* tickets from a file may be valid only once */
}

bool load_run(struct load *load)
{
    load_current = load;
    if (!prepare(load) || !get_grants(load))
        return false;
    if (load->opt.prepare_file)
        return grants_to_file(&load->grants, load->opt.prepare_file);
    procstat_read(&load->result.empty, load->opt.server_pid);
    if (!connect_all(load))
        return false;
    procstat_read(&load->result.connected, load->opt.server_pid);
    if (load->opt.mode == LOAD_IDLE)
        return stay_idle(load);
    if (load->opt.mode == LOAD_OPEN && !await_play(load)) /* so that every table can use its first slot */
        return false;
    measure(load);
    return load->opt.mode != LOAD_STORM || storm(load);
}

void load_free(struct load *load)
{
    for (int i = 0; load->tables && i < load->opt.tables; i++) {
        for (int k = 0; k < MODEL_SEATS_MAX; k++) {
            if (load->tables[i].seats[k].table)
                wsc_close(&load->tables[i].seats[k].ws, false);
            free(load->tables[i].model.seats[k].texts);
        }
    }
    free(load->tables);
    free(load->line);
    if (load->log)
        fclose(load->log);
    grants_free(&load->grants);
}
