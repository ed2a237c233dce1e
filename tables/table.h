/* A live table: seats, sockets, the game, its clock, and what it is waiting for. State and
 * ports only; everything happens on the hub thread.
 *
 * The rule that keeps it simple: a table has at most one write on its way. While it has, commands
 * and connections wait in their queues; when it comes back, its events and answers go out. So what
 * anybody is shown was committed, and a refusal never speaks of a state that was not. */
#ifndef RUMMYD_TABLES_TABLE_H
#define RUMMYD_TABLES_TABLE_H

#include "engine/core/game.h"
#include "engine/eng.h"
#include "engine/record/record.h"
#include "tables/chat.h"
#include "tables/clock.h"
#include "tables/command_replies.h"
#include "tables/events.h"
#include "tables/missed_moves.h"
#include "tables/ports.h"
#include "tables/spectators.h"

enum {
    TAB_QUEUE_MAX = 12,                 /* commands that wait at one table; more are refused as busy */
    TAB_MOVES_MAX = ENG_HAND_MOVES_MAX, /* no legal game has more */
    TAB_NOBODY_WAIT_MS = 20000,  /* a table nobody connects to is cancelled so long after its filling time */
    TAB_LONELY_WAIT_MS = 120000, /* a table that takes no bots and does not fill is cancelled */
    TAB_RECOVER_LEFT_MS = 3000,  /* the least time a turn has left after a restart */
    TAB_CLOSE_OVER = 1000,
    TAB_CLOSE_LEFT = 4000,
    TAB_CLOSE_RESTARTING = 4001,
    TAB_CLOSE_REPLACED = 4003,
    TAB_CLOSE_FORBIDDEN = 4403,
    TAB_CLOSE_INTERNAL = 1011,
};

enum tab_state {
    TAB_WAITING, /* seats fill */
    TAB_PLAYING,
    TAB_OVER, /* settled; answers resumes until it is dropped */
};

enum tab_command_kind {
    TAB_DO_MOVE,
    TAB_DO_LEAVE,
    TAB_DO_RETURN,
    TAB_DO_SEED,
    TAB_DO_LEGAL,
    TAB_DO_CHAT,
    TAB_DO_EMOTE,
    TAB_DO_READY, /* between hands: deal as soon as all are */
};

struct tab_command {
    uint8_t kind; /* enum tab_command_kind */
    uint8_t seat;
    bool has_base, hints;
    uint32_t base;
    char id[TAB_COMMAND_ID_MAX]; /* empty: the server's own, nobody waits for an answer */
    struct eng_move move;        /* of TAB_DO_MOVE; its seat is ignored */
    struct eng_client_seed seed; /* of TAB_DO_SEED */
};

struct tab_seat {
    struct tab_person person;
    bool taken;          /* by a person or a bot */
    tab_socket *socket;  /* NULL: not connected */
    tab_socket *joining; /* connected while a write was on its way: greeted when it is back */
    int64_t joining_since;
    struct tab_command_replies replies;
    struct tab_chat_pace pace;
    bool line_bad; /* was not connected all through the running turn */
    int64_t time_bank_used_ms;
    struct tab_missed_moves missed;
};

/* Who may sit down: room tables are found by the server, the others were opened by a player. */
enum tab_visibility { TAB_IN_ROOM, TAB_PUBLIC, TAB_PRIVATE };

struct tab_room {
    char name[TAB_NAME_MAX]; /* empty: no room */
    uint8_t visibility;      /* enum tab_visibility */
    uint8_t bots_n;          /* seats kept for bots; `bots` fills all that are free */
    char variant[TAB_NAME_MAX];
    int64_t stake, reward;
    int32_t multiplier_tenths;
    bool bots;
    uint8_t bot_level;
};

/* What a hand is dealt from. */
struct tab_hand {
    uint32_t no; /* 0: none */
    uint8_t server_seed[32], commit[32];
    struct eng_client_seed seeds[ENG_SEAT_MAX];
    int64_t dealt_unix_ms; /* 0: promised, not dealt */
};

struct tab_table {
    struct tab_registry *registry;
    struct tab_table *next; /* in its bucket of the registry */
    int64_t id;
    enum tab_state state;
    struct tab_room room;
    uint8_t seats_n;
    /* The hand that is played, or the next one that is promised; its client seeds are with the persons. */
    uint32_t hand_no;
    uint8_t server_seed[32], commit[32];
    uint32_t dealt_no;                  /* number of the last hand that was dealt */
    struct tab_hand last;               /* the last one that ended: all of it may be told */
    struct eng_game before;             /* the game as the running hand was dealt, from the second hand on */
    struct eng_between between, coming; /* what was done before the running hand, and before the next one */
    uint8_t ready;                      /* between hands: a bit for each seat that need not wait */
    int64_t hand_unix_ms;               /* when the running hand was dealt */
    struct tab_seat seats[ENG_SEAT_MAX];
    struct tab_spectators spectators;
    bool visited; /* some person's socket was here */
    bool cancel_asked;

    struct eng_params params;
    struct eng_game game;
    struct tab_events events;
    uint32_t sent_v;        /* events up to here have been sent */
    uint32_t dealt_v;       /* version after the deal */
    uint32_t turn_v;        /* version of the last `turn` event */
    struct eng_move *moves; /* of the running hand, for its record */
    uint32_t moves_n, moves_cap;
    int64_t started_unix_ms;
    /* Of the end of the hand. */
    struct eng_event scored[ENG_SEAT_MAX], ended;
    struct tab_achievement_facts facts[ENG_SEAT_MAX]; /* of all hands */
    struct tab_settled settled[ENG_SEAT_MAX];
    int64_t game_id;
    int64_t rematch_id;    /* 0: nobody has asked for one yet */
    uint8_t rematch_seats; /* bit for each seat whose player sits there */

    struct tab_command queue[TAB_QUEUE_MAX];
    uint8_t queue_head, queue_n;

    bool in_time_bank; /* turn_ms is the end of time_bank_seat's reserve */
    uint8_t time_bank_seat;
    bool writing;
    bool rows_missed; /* rows of the waiting table came meanwhile: to be read again */
    uint8_t reply_to; /* seat that waits for the ack of the write, or ENG_NO_SEAT */
    struct tab_write write;

    /* Deadlines, monotonic ms, TAB_NEVER when not set; `due` is the earliest that counts now. */
    struct tab_deadline due;
    int64_t fill_ms;      /* seats that are free then get bots */
    int64_t start_ms;     /* the wait for client seeds ends */
    int64_t turn_ms;      /* the turn times out, or the time to group is over */
    int64_t next_hand_ms; /* the next hand is dealt */
    int64_t bot_ms;       /* the bot to move has thought enough */
    int64_t linger_ms;    /* an ended table is forgotten */
    uint64_t bot_rng;
};

/* ---- The registry: all tables of this node ---- */
struct tab_limits {
    size_t table_max;
    int64_t time_bank_ms; /* of each player, for a bad line */
    int64_t seed_wait_ms, hand_pause_ms, bot_think_ms, linger_ms;
};

/* For the metrics. */
struct tab_counts {
    uint64_t moves, timeouts, nacks, repeats, settled, cancelled;
};

struct tab_registry {
    struct tab_ports ports;
    struct tab_limits limits;
    struct tab_clock clock;
    struct tab_table **buckets;
    size_t buckets_n, tables_n;
    size_t writing_n; /* tables with a write on its way */
    bool outage;      /* the database is away: nothing new is begun */
    bool draining;    /* the process winds down */
    int64_t outage_since_ms;
    struct tab_counts counts;
};

/* false: memory is short. */
bool tab_registry_init(struct tab_registry *registry, const struct tab_ports *ports,
                       const struct tab_limits *limits);
void tab_registry_free(struct tab_registry *registry);
struct tab_table *tab_registry_find(const struct tab_registry *registry, int64_t id);
/* Calls visit for each table; it may not add or drop any. */
void tab_registry_each(struct tab_registry *registry, void (*visit)(struct tab_table *table, void *arg),
                       void *arg);
/* Does what is due. Returns when to be called next, TAB_NEVER when nothing is set. */
int64_t tab_registry_tick(struct tab_registry *registry);
/* The database is lost / back: clocks stand still meanwhile, everybody is told. */
void tab_outage_begin(struct tab_registry *registry);
void tab_outage_end(struct tab_registry *registry);
/* Begins nothing new and tells everybody; sockets close with 4001. */
void tab_registry_drain(struct tab_registry *registry, int64_t retry_ms);

/* ---- Entering a table ---- */
struct tab_load; /* tables/recover.h */

/* A socket of the person in `seat`; an older one is closed with 4003. since: the last version the
 * client has, -1 for a snapshot. */
void tab_join(struct tab_table *table, uint8_t seat, tab_socket *socket, int64_t since);
/* Left the running game for good: a bot has their seat. */
bool tab_has_left(const struct tab_table *table, uint8_t seat);
/* The socket is gone. Does nothing when another has taken its place. */
void tab_quit(struct tab_table *table, uint8_t seat, const tab_socket *socket);
/* A decoded command of the person in command->seat. */
void tab_command(struct tab_table *table, const struct tab_command *command);
/* It ends with refunds as soon as nothing of it is being written. */
void tab_cancel(struct tab_table *table);
/* The player of an ended table's seat sits at its rematch. */
void tab_rematch(struct tab_table *table, int64_t rematch_id, uint8_t seat);
/* table->write came back with its answer. The table may be gone afterwards. */
void tab_written(struct tab_table *table);

#endif
