/* A live table: seats, sockets, the game, its clock, and pending work. It communicates with the outside
 * only through ports. Everything runs on the hub thread.
 *
 * One rule keeps this simple: a table has at most one pending write. Meanwhile, commands and connections
 * wait in queues. When the write is durable, its events and the reply are sent. So clients see only
 * committed state, and a refusal never refers to a state that did not exist.
 *
 * A table goes through phases (phase.h); table.c calls them, and docs/tables.md lists which file depends on
 * which. */
#ifndef RUMMYD_TABLES_TABLE_H
#define RUMMYD_TABLES_TABLE_H

#include "engine/core/game.h"
#include "engine/eng.h"
#include "engine/record/record.h"
#include "tables/chat.h"
#include "tables/clock.h"
#include "tables/command_replies.h"
#include "tables/deal.h"
#include "tables/events.h"
#include "tables/missed_moves.h"
#include "tables/move_log.h"
#include "tables/own_turns.h"
#include "tables/ports.h"
#include "tables/registry.h"
#include "tables/spectators.h"
#include "wire/frames.h"

enum {
    TAB_QUEUE_MAX = 12,                 /* queued commands per table; further commands are refused as busy */
    TAB_OVERDUE_MS = 5000,              /* work overdue by this much no longer waits for commands */
    TAB_MOVES_MAX = ENG_HAND_MOVES_MAX, /* no legal game has more */
    TAB_NOBODY_WAIT_MS = 20000, /* a table without connections is canceled this long after its filling time */
    TAB_LONELY_WAIT_MS = 120000, /* a table that takes no bots and does not fill up is canceled */
    TAB_RECOVER_LEFT_MS = 3000,  /* after a restart: minimum time left for a turn */
    TAB_RECOVER_WAIT_MS = 60000, /* after a restart: wait for a practice table's player */
    TAB_LINE = 64,               /* bytes per cache line */
};

enum tab_state {
    TAB_WAITING, /* seats are filling up */
    TAB_PLAYING,
    TAB_OVER, /* settled; clients that connect still get the result, until the table is dropped */
    TAB_LOST, /* cannot continue; once this is written, clients are disconnected and the table is dropped */
};

enum tab_command_kind {
    TAB_DO_MOVE,
    TAB_DO_LEAVE,
    TAB_DO_RETURN,
    TAB_DO_SEED,
    TAB_DO_LEGAL,
    TAB_DO_CHAT,
    TAB_DO_EMOTE,
    /* Deal as soon as all players are ready: between hands, and before the first if bots fill the seats. */
    TAB_DO_READY,
};

/* A decoded command of a seat. */
struct tab_command {
    uint8_t kind; /* enum tab_command_kind */
    uint8_t seat;
    bool has_base, hints;
    uint32_t base;               /* version the player saw when moving */
    char id[TAB_COMMAND_ID_MAX]; /* empty: the server's own command, to which no client awaits a reply */
    struct eng_move move;        /* for TAB_DO_MOVE; its seat is ignored */
    struct eng_client_seed seed; /* for TAB_DO_SEED */
};

struct tab_seat {
    struct tab_command_replies replies;
    tab_socket *joining;   /* connected during a pending write; greeted when it has completed */
    int64_t joining_since; /* the last version that this client has; -1: none */
    int64_t time_bank_used_ms;
    struct tab_missed_moves missed;
    struct tab_own_turns own_turns;
    struct tab_chat_pace pace;
    bool taken; /* by a player or a bot */
    struct tab_person person;
};

/* Who may take a seat: the server places players at tables of a room; players open public and private tables;
 * at a house table all seats are assigned before it opens. */
enum tab_visibility { TAB_IN_ROOM, TAB_PUBLIC, TAB_PRIVATE, TAB_HOUSE };

struct tab_room {
    char name[TAB_NAME_MAX]; /* empty: no room */
    uint8_t visibility;      /* enum tab_visibility */
    uint8_t bots_n;          /* seats reserved for bots; `bots` fills all free ones */
    char variant[TAB_NAME_MAX];
    int64_t stake, reward; /* chips */
    int32_t multiplier_tenths;
    bool bots;
    uint8_t bot_level;
    int64_t creator_id; /* the player who opened the table; 0: opened by a room, or the account was deleted */
    uint8_t turn_hours; /* per turn; 0: the variant's clock, in seconds */
    int64_t club_id;    /* only members of this club may play; 0: no club */
    char club[TAB_NICK_MAX]; /* the club's name when the table was read; empty: the club was closed */
};

/* State of a correspondence table; see slow.h. */
struct tab_slow {
    uint32_t v;    /* as stored: the version at which the wait began */
    uint8_t seats; /* as stored: the awaited players, one bit per seat */
    bool due;      /* the rows report that the time is over */
    bool stopped;  /* an awaited player is on vacation, so no clock runs */
    int64_t sleep_ms;
};

/* A pending search for a bot of the table; see thoughts.h. */
struct tab_thinking {
    uint32_t v;    /* version of the game; 0: none pending */
    bool answered; /* with `move` */
    struct eng_move move;
};

/* The inputs of a hand's deal. */
struct tab_hand {
    uint32_t no; /* 0: none */
    uint8_t server_seed[32], commit[32];
    struct eng_client_seed seeds[ENG_SEAT_MAX];
    int64_t dealt_unix_ms; /* 0: not dealt yet */
};

/* Where the rows of a table differ from what this program plays. */
struct tab_difference {
    const char *loss; /* rows_unreadable or replay_differs; NULL: no difference, or out of memory */
    const char *what; /* the part that differs: deal, hand, move, rules, version, hash, end, rows */
    uint32_t hand_no, v;
    uint8_t seat;
    uint64_t hash, hash_played; /* if `what` is hash: the journal's and the replayed hash */
};

/* Fields used by every move come first and close together, because with a thousand active tables, each
 * cache line has to be fetched from memory again. Rarely used data is allocated separately, while it
 * exists. */
struct tab_table {
    struct tab_registry *registry;
    tab_socket *sockets[ENG_SEAT_MAX]; /* sockets of the seats; NULL: not connected */
    struct tab_seat *seats;            /* seats_n of them; owned by the table */

    int64_t id;
    uint32_t hand_no;  /* the running hand, or the next one, to which the table has committed */
    uint32_t dealt_no; /* number of the last dealt hand */
    uint32_t sent_v;   /* events up to here have been sent */
    uint32_t turn_v;   /* version of the last event that started a clock */
    uint8_t state;     /* enum tab_state */
    uint8_t seats_n;
    uint8_t queue_head, queue_n;
    uint8_t joining;  /* one bit per seat whose socket waits to be greeted, */
    uint8_t line_bad; /* that was disconnected at some point in the running turn, */
    uint8_t bots;     /* that a bot plays, */
    uint8_t missed;   /* that has missed moves (see tab_missed_moves) */
    uint8_t time_bank_seat;
    bool in_time_bank; /* turn_ms is the end of time_bank_seat's time bank */
    bool writing;      /* a write is pending */
    uint8_t reply_to;  /* seat that awaits the reply to the command of the pending write, or ENG_NO_SEAT */
    bool practice;     /* neither chips nor points are at stake; only set once the table has begun */
    bool visited;      /* a human player has connected at least once */
    bool cancel_requested;
    bool rows_missed; /* rows of the waiting table arrived during a write and must be read again */
    struct tab_spectators *spectators; /* NULL: there has been none */
    struct tab_command *queue;         /* NULL: empty */

    /* Deadlines in monotonic ms, or TAB_NEVER; `due` is the earliest one that applies now. */
    struct tab_deadline due;
    int64_t turn_ms;                    /* end of the turn, or of the time to group */
    int64_t wait_ms;                    /* end of a practice table's wait for its player (see practice.h) */
    int64_t bot_ms;                     /* end of the bot's pretended thinking */
    int32_t hand_left_ms[ENG_SEAT_MAX]; /* hand clocks at the start of the running turn (see hand_clock.h) */
    struct tab_events events;
    struct tab_move_log moves; /* moves of the running hand, for its record */
    struct tab_write write;
    struct eng_game game;

    struct tab_table *next; /* next table in its bucket of the registry */
    struct eng_params params;
    struct tab_room room;
    struct tab_deal deal; /* a deal shared with other tables */
    /* Seed and commitment of hand_no. Its client seeds are stored with the players. */
    uint8_t server_seed[32], commit[32];
    struct tab_hand last;    /* the last hand that ended; all of it may be revealed */
    struct eng_game *before; /* the game before the running hand's deal, from the second hand on; NULL */
    struct eng_between between, coming; /* actions before the running hand, and before the next one */
    uint8_t ready;                      /* before a deal: one bit per seat that the deal does not wait for */
    int64_t hand_unix_ms;               /* when the running hand was dealt */
    uint32_t dealt_v;                   /* version after the deal */
    uint32_t ended_v;                   /* version of the event that ended the previous hand */
    struct tab_slow slow;
    int64_t started_unix_ms;
    /* Events at the end of the hand. */
    struct eng_event scored[ENG_SEAT_MAX], ended;
    struct tab_achievement_facts facts[ENG_SEAT_MAX]; /* of all hands */
    struct tab_throws throws;                         /* of all hands */
    struct tab_write_more *settled;                   /* the settlement's write, kept for its result */
    int64_t rematch_id;                               /* 0: none requested yet */
    uint8_t rematch_seats;                            /* one bit per seat whose player joined the rematch */

    struct tab_difference difference; /* for a table built from its rows */

    int64_t fill_ms;      /* when free seats get bots */
    int64_t start_ms;     /* when the wait for client seeds ends */
    int64_t next_hand_ms; /* when the next hand is dealt */
    int64_t linger_ms;    /* when an ended table is dropped */
    struct tab_thinking thinking;
    uint64_t pace_rng; /* for the duration of bots' pretended thinking */
};

/* Connects a socket of the player in `seat`; an older one is closed with WIRE_CLOSE_REPLACED. since: the
 * last version the client has; -1: send a snapshot. */
void tab_join(struct tab_table *table, uint8_t seat, tab_socket *socket, int64_t since);
/* Whether the player has permanently left the running game, so that a bot has the seat. */
bool tab_has_left(const struct tab_table *table, uint8_t seat);
/* Disconnects the socket. Does nothing if another one has replaced it. */
void tab_quit(struct tab_table *table, uint8_t seat, const tab_socket *socket);
/* Connects a spectator's socket, which sees the table with a delay of delay_ms; since: as for tab_join.
 * false: TAB_SPECTATORS_MAX is reached, or memory is exhausted. */
bool tab_spectate(struct tab_table *table, tab_socket *socket, int64_t since, int64_t delay_ms);
void tab_unspectate(struct tab_table *table, const tab_socket *socket);
/* Handles a decoded command of the player in command->seat. The command is copied. */
void tab_command(struct tab_table *table, const struct tab_command *command);
/* Ends the table with refunds as soon as it has no pending write. */
void tab_cancel(struct tab_table *table);
/* Call this when the player in a seat of an ended table has joined its rematch. */
void tab_rematch(struct tab_table *table, int64_t rematch_id, uint8_t seat);
/* Call this when table->write has completed. It may free the table. */
void tab_written(struct tab_table *table);

#endif
