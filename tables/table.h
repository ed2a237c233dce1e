/* A live table: seats, sockets, the game, its clock, and what it waits for. It knows the world through ports
 * only. Everything happens on the hub thread.
 *
 * The rule that keeps it simple: a table has at most one write on its way. While it has one, commands and
 * connections wait in their queues. When the write is durable, its events and the reply go out. So whatever
 * anybody is shown was committed, and a refusal never speaks of a state that was not.
 *
 * A table goes through phases (phase.h); table.c calls them, and docs/tables.md tells which file stands on
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
    TAB_QUEUE_MAX = 12,                 /* commands that wait at one table; more are refused as busy */
    TAB_OVERDUE_MS = 5000,              /* what is overdue by so long no longer waits for commands */
    TAB_MOVES_MAX = ENG_HAND_MOVES_MAX, /* no legal game has more */
    TAB_NOBODY_WAIT_MS = 20000,  /* a table nobody connects to is cancelled so long after its filling time */
    TAB_LONELY_WAIT_MS = 120000, /* a table that takes no bots and does not fill is cancelled */
    TAB_RECOVER_LEFT_MS = 3000,  /* the least time a turn has left after a restart, */
    TAB_RECOVER_WAIT_MS = 60000, /* and a practice table's person to come back */
    TAB_LINE = 64,               /* bytes of a line of the cache */
};

enum tab_state {
    TAB_WAITING, /* seats fill */
    TAB_PLAYING,
    TAB_OVER, /* settled; who connects is still told how it ended, until the table is dropped */
    TAB_LOST, /* it cannot go on: as soon as that is written, everybody is sent away and the table is dropped
               */
};

enum tab_command_kind {
    TAB_DO_MOVE,
    TAB_DO_LEAVE,
    TAB_DO_RETURN,
    TAB_DO_SEED,
    TAB_DO_LEGAL,
    TAB_DO_CHAT,
    TAB_DO_EMOTE,
    TAB_DO_READY, /* deal as soon as everybody is: between hands, and before the first where bots fill up */
};

/* A decoded command of a seat. */
struct tab_command {
    uint8_t kind; /* enum tab_command_kind */
    uint8_t seat;
    bool has_base, hints;
    uint32_t base;               /* version the move was made in view of */
    char id[TAB_COMMAND_ID_MAX]; /* empty: the server's own, nobody waits for a reply */
    struct eng_move move;        /* of TAB_DO_MOVE; its seat is ignored */
    struct eng_client_seed seed; /* of TAB_DO_SEED */
};

struct tab_seat {
    struct tab_command_replies replies;
    tab_socket *joining;   /* connected while a write was on its way: greeted when it is back */
    int64_t joining_since; /* the last version that socket's client has; -1: none */
    int64_t time_bank_used_ms;
    struct tab_missed_moves missed;
    struct tab_own_turns own_turns;
    struct tab_chat_pace pace;
    bool taken; /* by a person or a bot */
    struct tab_person person;
};

/* Who may sit down: the server finds tables of a room, a player opened those that are public or private, and
 * at one of the house all seats are given before it opens. */
enum tab_visibility { TAB_IN_ROOM, TAB_PUBLIC, TAB_PRIVATE, TAB_HOUSE };

struct tab_room {
    char name[TAB_NAME_MAX]; /* empty: no room */
    uint8_t visibility;      /* enum tab_visibility */
    uint8_t bots_n;          /* seats kept for bots; `bots` fills all that are free */
    char variant[TAB_NAME_MAX];
    int64_t stake, reward; /* chips */
    int32_t multiplier_tenths;
    bool bots;
    uint8_t bot_level;
    int64_t creator_id;      /* the player who opened the table; 0: a room's, or their account is gone */
    uint8_t turn_hours;      /* of each turn; 0: the clock of the variant, in seconds */
    int64_t club_id;         /* of whose members alone it is; 0: no club's */
    char club[TAB_NICK_MAX]; /* its name when the table was read; empty: it was closed */
};

/* Of a table with turns of hours; see slow.h. */
struct tab_slow {
    uint32_t v;    /* what is written down: with which version the table began to wait, */
    uint8_t seats; /* and for whom, a bit for each */
    bool due;      /* the rows say that the time is over */
    bool stopped;  /* somebody it waits for is on vacation: no clock runs */
    int64_t sleep_ms;
};

/* What a bot of the table was asked to think about; see thoughts.h. */
struct tab_thinking {
    uint32_t v;    /* of the game; 0: nothing */
    bool answered; /* with `move` */
    struct eng_move move;
};

/* What a hand is dealt from. */
struct tab_hand {
    uint32_t no; /* 0: none */
    uint8_t server_seed[32], commit[32];
    struct eng_client_seed seeds[ENG_SEAT_MAX];
    int64_t dealt_unix_ms; /* 0: promised, not dealt */
};

/* Where the rows of a table are not what this program plays. */
struct tab_difference {
    const char *loss; /* rows_unreadable or replay_differs; NULL: none, or memory was short */
    const char *what; /* is it that differs: deal, hand, move, rules, version, hash, end, rows */
    uint32_t hand_no, v;
    uint8_t seat;
    uint64_t hash, hash_played; /* of `hash`: as the journal has it, and as it is played */
};

/* What each move touches comes first and close together: with a thousand tables in turn, each line of the
 * cache is fetched from memory again. What is rare has memory of its own, while it is there. */
struct tab_table {
    struct tab_registry *registry;
    tab_socket *sockets[ENG_SEAT_MAX]; /* of the seats; NULL: not connected */
    struct tab_seat *seats;            /* seats_n of them; the table's */

    int64_t id;
    uint32_t hand_no;  /* the hand that is played, or the next one that is promised */
    uint32_t dealt_no; /* number of the last hand that was dealt */
    uint32_t sent_v;   /* events up to here have been sent */
    uint32_t turn_v;   /* version of the last event that started a clock */
    uint8_t state;     /* enum tab_state */
    uint8_t seats_n;
    uint8_t queue_head, queue_n;
    uint8_t joining;  /* a bit for each seat with a socket that waits to be greeted, */
    uint8_t line_bad; /* that was not connected all through the running turn, */
    uint8_t bots;     /* with a bot, */
    uint8_t missed;   /* that was played for: see tab_missed_moves */
    uint8_t time_bank_seat;
    bool in_time_bank; /* turn_ms is the end of time_bank_seat's time bank */
    bool writing;      /* a write is on its way */
    uint8_t reply_to;  /* seat that waits for the reply to the command of the write, or ENG_NO_SEAT */
    bool practice;     /* neither chips nor points are played for; of a table that has begun */
    bool visited;      /* some person's socket was here */
    bool cancel_asked;
    bool rows_missed;                  /* rows of the waiting table came meanwhile: to be read again */
    struct tab_spectators *spectators; /* NULL: there has been none */
    struct tab_command *queue;         /* NULL: none waits */

    /* Deadlines, monotonic ms, TAB_NEVER when not set; `due` is the earliest that counts now. */
    struct tab_deadline due;
    int64_t turn_ms; /* the turn times out, or the time to group is over */
    int64_t wait_ms; /* a practice table has waited long enough for its person: see practice.h */
    int64_t bot_ms;  /* the bot to move has thought enough */
    int32_t hand_left_ms[ENG_SEAT_MAX]; /* of each hand clock, as the running turn began: see hand_clock.h */
    struct tab_events events;
    struct tab_move_log moves; /* of the running hand, for its record */
    struct tab_write write;
    struct eng_game game;

    struct tab_table *next; /* in its bucket of the registry */
    struct eng_params params;
    struct tab_room room;
    struct tab_deal deal; /* that others play, too */
    /* Of the hand hand_no. Its client seeds are with the persons. */
    uint8_t server_seed[32], commit[32];
    struct tab_hand last;    /* the last one that ended: all of it may be told */
    struct eng_game *before; /* the game as the running hand was dealt, from the second hand on; NULL */
    struct eng_between between, coming; /* what was done before the running hand, and before the next one */
    uint8_t ready;                      /* before a deal: a bit for each seat that need not wait */
    int64_t hand_unix_ms;               /* when the running hand was dealt */
    uint32_t dealt_v;                   /* version after the deal, */
    uint32_t ended_v;                   /* and of the event that ended the hand before */
    struct tab_slow slow;
    int64_t started_unix_ms;
    /* Of the end of the hand. */
    struct eng_event scored[ENG_SEAT_MAX], ended;
    struct tab_achievement_facts facts[ENG_SEAT_MAX]; /* of all hands */
    struct tab_throws throws;                         /* of all hands */
    struct tab_write_more *settled;                   /* the settlement's write, kept for its answer; NULL */
    int64_t rematch_id;                               /* 0: nobody has asked for one yet */
    uint8_t rematch_seats;                            /* a bit for each seat whose player sits there */

    struct tab_difference difference; /* of a table from its rows */

    int64_t fill_ms;      /* seats that are free then get bots */
    int64_t start_ms;     /* the wait for client seeds ends */
    int64_t next_hand_ms; /* the next hand is dealt */
    int64_t linger_ms;    /* an ended table is forgotten */
    struct tab_thinking thinking;
    uint64_t pace_rng; /* for how long bots seem to think */
};

/* A socket of the person in `seat`; an older one is closed with WIRE_CLOSE_REPLACED. since: the last version
 * the client has, -1 for a snapshot. */
void tab_join(struct tab_table *table, uint8_t seat, tab_socket *socket, int64_t since);
/* The seat's person left the running game for good: a bot has their seat. */
bool tab_has_left(const struct tab_table *table, uint8_t seat);
/* The socket is gone. Does nothing when another one has taken its place. */
void tab_quit(struct tab_table *table, uint8_t seat, const tab_socket *socket);
/* A socket that may see the table, delay_ms later than things happen; since: as of tab_join. false: there are
 * TAB_SPECTATORS_MAX, or memory is short. */
bool tab_spectate(struct tab_table *table, tab_socket *socket, int64_t since, int64_t delay_ms);
/* That socket is gone. */
void tab_unspectate(struct tab_table *table, const tab_socket *socket);
/* A decoded command of the person in command->seat. It is copied. */
void tab_command(struct tab_table *table, const struct tab_command *command);
/* The table ends with refunds as soon as nothing of it is being written. */
void tab_cancel(struct tab_table *table);
/* The player of an ended table's seat sits at its rematch. */
void tab_rematch(struct tab_table *table, int64_t rematch_id, uint8_t seat);
/* table->write came back with its answer. The table may be gone afterwards. */
void tab_written(struct tab_table *table);

#endif
