/* What a live table knows of the world: what it writes, and the ports through which it writes, sends and
 * asks. The server fills them in (server/hub/hub.c); tables/ itself uses no library that does input or
 * output. Hub thread. */
#ifndef RUMMYD_TABLES_PORTS_H
#define RUMMYD_TABLES_PORTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "engine/core/params.h"
#include "engine/eng.h"
#include "tables/achievement_facts.h"
#include "tables/throws.h"

enum {
    TAB_NICK_MAX = 128,      /* bytes of a nickname, with the NUL: 24 characters of UTF-8 fit */
    TAB_AVATAR_MAX = 132,    /* 32 characters */
    TAB_NAME_MAX = 64,       /* of a room, a title, a reason */
    TAB_COMMAND_ID_MAX = 37, /* 36 characters and the NUL */
    TAB_FRAME_MAX = 16384,   /* bytes of one outgoing frame: a snapshot is about 4 KiB */
    TAB_CODE_MAX = 40,       /* of a refusal */
    TAB_WHY_MAX = 200,       /* what the database said of a failure */
    TAB_URL_MAX = 600,       /* of a public address */
    TAB_LOSS_MAX = 1600, /* bytes of JSON that say why a table is lost: six for each of a `why` and a code */
};

struct tab_table;

/* A person, a bot, or nobody in a seat. */
struct tab_person {
    int64_t player_id; /* 0: a bot, or nobody */
    bool bot;
    bool program;      /* somebody's bot account, with which a program plays */
    uint8_t bot_level; /* enum eng_bot_level */
    char nick[TAB_NICK_MAX];
    char avatar[TAB_AVATAR_MAX];
    struct eng_client_seed seed;
};

/* How a seat came out of the hand, and of the session so far. points and total are points of the game. */
struct tab_score {
    int32_t points, total;
    uint8_t place, cards_n;
    uint16_t turns, own_turns; /* see own_turns.h */
    bool opened, won, rummy, left;
    struct tab_achievement_facts facts;
    struct tab_throws_of throws;
};

/* What the settlement booked for a seat: chips of three kinds, points, level and rating as they are now. */
struct tab_settled {
    bool person; /* false: a bot; only points are meant */
    bool rated;
    bool took_part;   /* they left no more than half of their turns to a bot or the clock; else all is 0 */
    bool same_people; /* they had met everybody else there too often that day: only chips are meant */
    int64_t points, clover, silver, gold, silver_lost, level_gold, level, levels_gained, rating;
    char title[TAB_NAME_MAX];
};

enum tab_write_kind {
    TAB_WRITE_MOVE,
    TAB_WRITE_HAND,   /* the last move of a hand that others follow, and its end in the same transaction */
    TAB_WRITE_DEAL,   /* the next hand, with the client seeds that have come */
    TAB_WRITE_SETTLE, /* the last move, and the game's settlement in the same transaction */
    TAB_WRITE_SEED,   /* a client seed for the next deal */
    TAB_WRITE_LEAVE,  /* a seat of a waiting table is given back, with its stake */
    TAB_WRITE_TURN,   /* whom a table with turns of hours waits for */
    TAB_WRITE_SLEEP,  /* it leaves the memory */
    TAB_WRITE_PASS,   /* another node has it: see pass.h */
    TAB_WRITE_START,  /* the first hand, with bots in the free seats */
    TAB_WRITE_LOSE,   /* the table is lost: no node goes on with it */
    TAB_WRITE_CANCEL, /* the stakes go back */
};

enum tab_write_result {
    TAB_WRITTEN,
    TAB_WRITE_REFUSED, /* nothing changed; `code` says why */
    TAB_WRITE_FAILED,  /* the database rejects it for good: our fault */
};

/* What a write has that is more than a move. Only while it is on its way, but for `settled`, see table.h. */
struct tab_write_more {
    int64_t player_id; /* of the leaver */
    struct eng_client_seed seeds[ENG_SEAT_MAX];
    uint8_t seats_n, bot_level;
    char bot_nicks[ENG_SEAT_MAX][TAB_NICK_MAX];
    struct tab_score scores[ENG_SEAT_MAX];
    int64_t players[ENG_SEAT_MAX];          /* of the seats; 0: a bot */
    uint8_t ending;                         /* enum eng_ending */
    uint8_t next_seed[32], next_commit[32]; /* of the hand that follows */
    char *record; /* the table's; lives until the write is handed back; NULL: there is none to be written */
    size_t record_len;
    char reason[TAB_NAME_MAX]; /* of a cancellation */
    const char *loss;          /* of a loss: its code, and data in JSON (lost_tables in schema.sql) */
    char loss_data[TAB_LOSS_MAX];
    uint32_t turn_v;               /* of a turn of hours: the version it began with, */
    uint8_t turn_seats, turn_here; /* whom it waits for, and who is connected: a bit for each */

    bool to_lighter; /* of a pass: only to a node that has used less of its room */

    /* The answer. */
    char ws_url[TAB_URL_MAX]; /* of a pass: public base of the sockets of the node that has it now */
    int64_t due_unix_ms;      /* of a turn of hours: when it is over; INT64_MAX: somebody is on vacation */
    struct tab_person people[ENG_SEAT_MAX]; /* of a start: who sits now, */
    bool practice;                          /* and that neither chips nor points are played for */
    struct tab_settled settled[ENG_SEAT_MAX];
    int64_t game_id; /* of a settlement */
};

/* One thing to be made durable. It is part of its table, because a table has at most one on its way. From
 * tab_ports.write until tab_written() it is the journal's, which reads it and writes its answer; the
 * hub may read what the journal does not write. What both read of a move is two lines of the cache. */
struct tab_write {
    struct tab_table *table;
    int64_t table_id;
    uint64_t hash;               /* of the game after the move */
    struct tab_write_more *more; /* NULL with TAB_WRITE_MOVE */
    int32_t time_bank_ms;        /* of the move's player, all they have used, when it was made in it */
    int32_t hand_clock_ms;       /* what the turn that this move ended took; 0 of other moves */
    uint32_t hand_no, v;         /* version after the move */
    enum tab_write_kind kind;
    enum tab_write_result result; /* the answer; so are `code` and `why` */
    uint8_t seat;                 /* of the move, the seed, the leaver */
    uint8_t move_n;
    uint8_t move[ENG_MOVE_BYTES_MAX];
    char command_id[TAB_COMMAND_ID_MAX]; /* empty: of the table itself */
    char code[TAB_CODE_MAX];             /* why it was not written; "ok" or empty: it was */
    char why[TAB_WHY_MAX];               /* of TAB_WRITE_FAILED: one sentence */
};

/* What a bot thinks about that needs milliseconds: what its seat sees, and its dice. Nothing else goes into
 * its move, so it is the same whoever thinks, and when. */
struct tab_thought {
    int64_t table_id;
    uint32_t v; /* the version it thinks about */
    uint64_t dice;
    struct eng_params params;
    struct eng_view
        view; /* its `params` are the game's, which may be gone: whoever thinks takes those above */
    struct eng_move move; /* the answer */
};

/* A socket, as far as a table knows one. */
typedef struct srv_socket tab_socket;

struct tab_ports {
    void *ctx;
    /* The same text frame to each of n sockets. Never calls back into the table. */
    void (*send)(void *ctx, tab_socket *const *sockets, size_t n, const char *json, size_t len);
    /* Closes after what was sent before has gone out. The socket leaves its seat at once. */
    void (*close)(void *ctx, tab_socket *socket, int close_code);
    /* Hands over table->write; tab_written() follows. false: the queue is full. */
    bool (*write)(void *ctx, struct tab_write *write);
    /* Thinks about a copy of it; tab_registry_answer follows, never before this returns. false: there is no
     * room now. */
    bool (*think)(void *ctx, const struct tab_thought *thought);
    /* Monotonic and wall clock. */
    int64_t (*now_ms)(void *ctx);
    int64_t (*unix_ms)(void *ctx);
    /* 64 random bits, for bots and their names; never for a deal. */
    uint64_t (*random)(void *ctx);
    /* 32 random bytes that nobody can guess: a server seed. */
    void (*secret)(void *ctx, uint8_t bytes[32]);
    /* The sentence for people of a code that is no refusal of the engine. */
    const char *(*code_text)(void *ctx, const char *code);
};

#endif
