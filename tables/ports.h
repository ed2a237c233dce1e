/* A live table's interface to the outside: the data it writes, and the ports through which it writes,
 * sends, and requests. The server implements the ports (server/hub/hub.c); tables/ itself uses no I/O
 * library. Hub thread. */
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
    TAB_NICK_MAX = 128,      /* bytes of a nickname, including the NUL; fits 24 UTF-8 characters */
    TAB_AVATAR_MAX = 132,    /* 32 characters */
    TAB_NAME_MAX = 64,       /* bytes of a room, a title, or a reason */
    TAB_COMMAND_ID_MAX = 37, /* 36 characters plus the NUL */
    TAB_FRAME_MAX = 16384,   /* bytes of one outgoing frame; a snapshot has about 4 KiB */
    TAB_CODE_MAX = 40,       /* of a refusal */
    TAB_WHY_MAX = 200,       /* bytes of the database's error message */
    TAB_URL_MAX = 600,       /* bytes of a public URL */
    TAB_LOSS_MAX = 1600, /* bytes of JSON that describe why a table is lost; six per byte of `why` and code */
};

struct tab_table;

/* A player, a bot, or an empty seat. */
struct tab_person {
    int64_t player_id; /* 0: a bot, or an empty seat */
    bool bot;
    bool program;      /* a player's bot account, operated by a program */
    uint8_t bot_level; /* enum eng_bot_level */
    char nick[TAB_NICK_MAX];
    char avatar[TAB_AVATAR_MAX];
    struct eng_client_seed seed;
};

/* A seat's result in the hand and in the session so far. points and total are game points. */
struct tab_score {
    int32_t points, total;
    uint8_t place, cards_n;
    uint16_t turns, own_turns; /* see own_turns.h */
    bool opened, won, rummy, left;
    struct tab_achievement_facts facts;
    struct tab_throws_of throws;
};

/* Results of the settlement for a seat: three kinds of chips, points, and the new level and rating. */
struct tab_settled {
    bool person; /* false: a bot; only points are set */
    bool rated;
    bool took_part;   /* the player acted in at least half of their turns; otherwise all values are 0 */
    bool same_people; /* the player had met all these opponents too often that day; only chips are set */
    int64_t points, clover, silver, gold, silver_lost, level_gold, level, levels_gained, rating;
    char title[TAB_NAME_MAX];
};

enum tab_write_kind {
    TAB_WRITE_MOVE,
    TAB_WRITE_HAND, /* the last move of a hand that is not the final one, and the end of the hand in the same
                       transaction */
    TAB_WRITE_DEAL, /* the next hand, with the client seeds received */
    TAB_WRITE_SETTLE,   /* the last move, and the game's settlement in the same transaction */
    TAB_WRITE_SEED,     /* a client seed for the next deal */
    TAB_WRITE_LEAVE,    /* a player leaves a waiting table, and the stake is refunded */
    TAB_WRITE_TURN,     /* the players for whom a correspondence table waits */
    TAB_WRITE_SLEEP,    /* the table is unloaded from memory */
    TAB_WRITE_HANDOVER, /* another node takes over the table; see handover.h */
    TAB_WRITE_START,    /* the first hand, with bots in the free seats */
    TAB_WRITE_LOSE,     /* the table is lost; no node continues it */
    TAB_WRITE_CANCEL,   /* the stakes are refunded */
};

enum tab_write_result {
    TAB_WRITTEN,
    TAB_WRITE_REFUSED, /* nothing changed; `code` has the reason */
    TAB_WRITE_FAILED,  /* the database rejected it permanently, because of a bug in this program */
};

/* The extra data of a write that is more than a move. Allocated only while the write is pending, except for
 * `settled` (see table.h). */
struct tab_write_more {
    int64_t player_id; /* the player who leaves */
    struct eng_client_seed seeds[ENG_SEAT_MAX];
    uint8_t seats_n, bot_level;
    char bot_nicks[ENG_SEAT_MAX][TAB_NICK_MAX];
    struct tab_score scores[ENG_SEAT_MAX];
    int64_t players[ENG_SEAT_MAX];          /* players in the seats; 0: a bot */
    uint8_t ending;                         /* enum eng_ending */
    uint8_t next_seed[32], next_commit[32]; /* seed and commitment of the next hand */
    char *record; /* owned by the table, valid until the write completes; NULL: no record */
    size_t record_len;
    char reason[TAB_NAME_MAX]; /* of a cancellation */
    const char *loss;          /* for a loss: its code, and its data as JSON (lost_tables in schema.sql) */
    char loss_data[TAB_LOSS_MAX];
    uint32_t turn_v;               /* for a correspondence turn: the version at which it began, */
    uint8_t turn_seats, turn_here; /* the awaited players, and the connected ones, one bit per seat */

    bool to_lighter; /* for a hand-over: only to a node with less of its capacity in use */

    /* The result. */
    char ws_url[TAB_URL_MAX]; /* for a hand-over: public base URL of the new node's sockets */
    int64_t due_unix_ms;      /* deadline of a correspondence turn; INT64_MAX: a player is on vacation */
    struct tab_person people[ENG_SEAT_MAX]; /* for a start: the players now in the seats */
    bool practice;                          /* for a start: neither chips nor points are at stake */
    struct tab_settled settled[ENG_SEAT_MAX];
    int64_t game_id; /* of a settlement */
};

/* One pending write. It is embedded in its table, because a table has at most one at a time. From
 * tab_ports.write until tab_written(), the journal owns it, reads it, and stores the result; the hub may
 * read only the members that the journal does not write. The fields of a move that both read fit into two
 * cache lines. */
struct tab_write {
    struct tab_table *table;
    int64_t table_id;
    uint64_t hash;               /* hash of the game after the move */
    struct tab_write_more *more; /* NULL for TAB_WRITE_MOVE */
    int32_t time_bank_ms;        /* total time bank the player has used, if the move was made in it */
    int32_t hand_clock_ms;       /* duration of the turn that this move ended; 0 for other moves */
    uint32_t hand_no, v;         /* version after the move */
    enum tab_write_kind kind;
    enum tab_write_result result; /* the result, like `code` and `why` */
    uint8_t seat;                 /* seat of the player who moves, sends the seed, or leaves */
    uint8_t move_n;
    uint8_t move[ENG_MOVE_BYTES_MAX];
    char command_id[TAB_COMMAND_ID_MAX]; /* empty: the table's own move */
    char code[TAB_CODE_MAX];             /* the reason if it was not written; "ok" or empty: it was written */
    char why[TAB_WHY_MAX];               /* for TAB_WRITE_FAILED: one sentence */
};

/* Input for a bot's search, which takes milliseconds: the view of its seat and the random state. Nothing
 * else affects the move, so every node computes the same move at any time. */
struct tab_thought {
    int64_t table_id;
    uint32_t v; /* version of the game */
    uint64_t dice;
    struct eng_params params;
    struct eng_view view; /* its `params` points into the game, which may be freed, so use the copy above */
    struct eng_move move; /* the result */
};

/* An opaque socket. */
typedef struct srv_socket tab_socket;

struct tab_ports {
    void *ctx;
    /* Sends the same text frame to each of n sockets. Never calls back into the table. */
    void (*send)(void *ctx, tab_socket *const *sockets, size_t n, const char *json, size_t len);
    /* Closes after everything queued has been sent. The socket leaves its seat immediately. */
    void (*close)(void *ctx, tab_socket *socket, int close_code);
    /* Passes table->write to the journal; tab_written() follows. false: the queue is full. */
    bool (*write)(void *ctx, struct tab_write *write);
    /* Starts a search on a copy of the thought. tab_registry_answer follows, but never before this returns.
     * false: no capacity at the moment. */
    bool (*think)(void *ctx, const struct tab_thought *thought);
    /* Monotonic and wall clock. */
    int64_t (*now_ms)(void *ctx);
    int64_t (*unix_ms)(void *ctx);
    /* 64 random bits, for bots and their names, but never for a deal. */
    uint64_t (*random)(void *ctx);
    /* 32 unpredictable random bytes, for a server seed. */
    void (*secret)(void *ctx, uint8_t bytes[32]);
    /* The user-facing text of a code that is not a refusal by the engine. */
    const char *(*code_text)(void *ctx, const char *code);
};

#endif
