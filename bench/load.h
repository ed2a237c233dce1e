/* The load generator: tables with their sockets, the event loop, what is measured.
 * bench/tableload.c reads the options and prints the result. One thread. */
#ifndef RUMMYD_BENCH_LOAD_H
#define RUMMYD_BENCH_LOAD_H

#include <netinet/in.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "bench/grants.h"
#include "bench/hist.h"
#include "bench/model.h"
#include "bench/pace.h"
#include "bench/procstat.h"
#include "bench/wsc.h"

enum load_mode {
    LOAD_CLOSED, /* every table has a move in flight, always */
    LOAD_OPEN,   /* moves at a fixed rate, latencies from the moment a move was due */
    LOAD_IDLE,   /* sockets only */
    LOAD_STORM,  /* closed, then all sockets cut and opened again */
    LOAD_CRASH,  /* closed; the server may die at any moment: everything is written down, sockets come back */
};

enum {
    LOAD_SOCKETS_MAX = 19600,
    LOAD_SECONDS_MAX = 600,
    LOAD_RATE_MAX = 200000,
    LOAD_CONNECTS_MAX = 128, /* under way at a time */
    LOAD_STUCK_MS = 10000,   /* a move without its events for so long is counted as stuck */
};

struct load_options {
    enum load_mode mode;
    enum grant_source via;
    const char *db, *seats_file, *prepare_file, *log_file, *room, *node, *origin;
    struct sockaddr_in http, ws;
    int tables, spares, seats;
    int rate, seconds, warmup_seconds;
    int games;    /* ends once so many are over; 0: plays its seconds */
    int think_ms; /* closed loop: pause before each move */
    int server_pid;
};

struct load_table;

struct load_seat {
    struct wsc ws;
    struct load_table *table;
    struct model_seat *model;
    struct grant *grant; /* NULL: no ticket at hand */
    bool resuming;       /* being told what it missed; the first frame without v ends that */
    bool queued;         /* in the line of those that wait to connect */
    bool counted;        /* in load->connecting or load->open */
    bool opened;         /* which of them */
    int64_t connect_ns;
};

struct load_table {
    struct model_table model;
    struct load_seat seats[MODEL_SEATS_MAX];
    bool live;
    bool fresh; /* nothing was played here yet: moves that were due before there was a game are nobody's */
    /* The move in flight. */
    bool in_flight, acked;
    uint8_t actor, tried; /* tried: card refused before, ENG_NO_CARD: none */
    uint32_t ack_v, command_n;
    int64_t sent_ns, due_ns, last_event_ns, ack_ns, retry_ns;
    uint64_t slot; /* open loop: how many moves were due so far */
};

struct load_result {
    uint64_t moves; /* complete in the measured time: acknowledged and seen by all seats */
    uint64_t stuck, games, connects, reconnects, refused, cut_by_server;
    uint16_t last_code;  /* of a close by the server */
    struct hist seen;    /* sent (open loop: due) to the event at the last seat; no moves that end a game */
    struct hist last;    /* the same of moves that end a game */
    struct hist acked;   /* the same to the ack */
    struct hist connect; /* connect() to the first frame */
    double seconds;      /* measured */
    double connect_seconds, storm_seconds;
    struct procstat before, after;    /* of the server, around the measured time */
    struct procstat empty, connected; /* without and with sockets */
    struct wsc_totals traffic;        /* in the measured time */
    /* In the measured time: this process; all that ran; what the machine's host took. */
    double own_cpu_seconds, machine_cpu_seconds, stolen_cpu_seconds;
};

struct load {
    struct load_options opt;
    struct load_result result;
    struct grants grants;
    struct load_table *tables;
    struct load_seat **line; /* seats that wait to connect, a ring */
    uint32_t line_max, line_head, line_n, connecting, open;
    size_t next_grant; /* first grant of the next table not yet in use */
    struct pace pace;
    int epoll;
    bool measuring, playing;
    volatile bool over; /* set by a signal */
    FILE *log;
    int64_t now_ns, connect_after_ns, swept_ns;
    int sweep_next; /* table */
};

/* Plays the whole scenario. false with a sentence on stderr when it could not. */
bool load_run(struct load *load);
void load_free(struct load *load);

/* bench/load_table.c: what a table does. */
void table_take_grants(struct load *load, struct load_table *t);
void table_on_frame(void *seat, const char *text, size_t len);
void table_on_dead(struct load *load, struct load_seat *s);
void table_try_move(struct load *load, struct load_table *t);
void table_sweep(struct load *load, struct load_table *t);
/* bench/load.c: puts the seat in the line of those to connect; ends its connection. */
void load_enqueue(struct load *load, struct load_seat *s);
void load_disconnect(struct load *load, struct load_seat *s, bool cut);
extern struct load *load_current; /* the one load of the process: frames come with their seat only */

#endif
