/* State of the load generator: tables with their sockets, the queue of seats waiting to connect, and
 * the measurements. One thread. */
#ifndef RUMMYD_BENCH_LOAD_SOCKETS_H
#define RUMMYD_BENCH_LOAD_SOCKETS_H

#include <netinet/in.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "bench/grants_list.h"
#include "bench/hist.h"
#include "bench/model.h"
#include "bench/pace.h"
#include "bench/procstat.h"
#include "bench/wsc.h"

enum load_mode {
    LOAD_CLOSED, /* every table has a move in flight at all times */
    LOAD_OPEN,   /* moves at a fixed rate; latencies are measured from the due time of a move */
    LOAD_IDLE,   /* only sockets */
    LOAD_STORM,  /* closed loop, then all sockets are cut and reopened */
    LOAD_CRASH,  /* closed loop; the server may crash at any time; logs everything and reconnects */
};

enum {
    LOAD_SOCKETS_MAX = 19600,
    LOAD_SECONDS_MAX = 600,
    LOAD_RATE_MAX = 200000,
    LOAD_CONNECTS_MAX = 128, /* concurrent connection attempts */
    LOAD_STUCK_MS = 10000,   /* a move without its events for this long counts as stuck */
};

struct load_options {
    enum load_mode mode;
    enum grant_source via;
    const char *db, *seats_file, *prepare_file, *log_file, *room, *node, *origin;
    struct sockaddr_in http, ws;
    int tables, spares, seats;
    int rate, seconds, warmup_seconds;
    int games;    /* ends after this many games; 0: ends after `seconds` */
    int think_ms; /* for the closed loop: pause before each move */
    int server_pid;
};

struct load_table;

struct load_seat {
    struct wsc ws;
    struct load_table *table;
    struct model_seat *model;
    struct grant *grant; /* NULL: no ticket available */
    bool resuming;       /* receiving missed events, until the first frame without v */
    bool queued;         /* in the queue of seats waiting to connect */
    bool counted;        /* counted in load->connecting or load->open */
    bool opened;         /* true: in load->open */
    int64_t connect_ns;
};

struct load_table {
    struct model_table model;
    struct load_seat seats[MODEL_SEATS_MAX];
    bool live;
    bool fresh; /* no moves yet; moves due before the game began do not count */
    /* The move in flight. */
    bool in_flight, acked;
    uint8_t actor, tried; /* tried: card already refused; ENG_NO_CARD: none */
    uint32_t ack_v, command_n;
    int64_t sent_ns, due_ns, last_event_ns, ack_ns, retry_ns;
    uint64_t slot; /* open loop: number of moves due so far */
};

struct load_result {
    uint64_t moves; /* completed in the measured time: acknowledged and received by all seats */
    uint64_t stuck, games, connects, reconnects, refused, cut_by_server;
    uint16_t last_code; /* close code of the server */
    struct hist
        seen; /* from sent (open loop: due) to the event at the last seat; excludes moves that end a game */
    struct hist last;    /* the same for moves that end a game */
    struct hist acked;   /* the same, until the ack */
    struct hist connect; /* connect() to the first frame */
    double seconds;      /* measured */
    double connect_seconds, storm_seconds;
    struct procstat before, after;    /* of the server, at the start and end of the measurement */
    struct procstat empty, connected; /* without and with sockets */
    struct wsc_totals traffic;        /* in the measured time */
    /* During the measurement: processor time of this process, of the whole machine, and taken by its
     * host. */
    double own_cpu_seconds, machine_cpu_seconds, stolen_cpu_seconds;
};

struct load {
    struct load_options opt;
    struct load_result result;
    struct grants grants;
    struct load_table *tables;
    struct load_seat **line; /* ring buffer of seats waiting to connect */
    uint32_t line_max, line_head, line_n, connecting, open;
    size_t next_grant; /* first grant of the next unused table */
    struct pace pace;
    int epoll;
    bool measuring, playing;
    volatile bool over; /* set by a signal */
    FILE *log;
    int64_t now_ns, connect_after_ns, swept_ns;
    int sweep_next; /* table */
};

extern struct load *load_current; /* the process's only load, because frames arrive only with their seat */

/* Queues the seat for connecting. */
void load_enqueue(struct load *load, struct load_seat *s);
/* Call when the seat's socket no longer counts as connecting or open. */
void load_uncount(struct load *load, struct load_seat *s);
/* Ends the seat's connection. */
void load_disconnect(struct load *load, struct load_seat *s, bool cut);

#endif
