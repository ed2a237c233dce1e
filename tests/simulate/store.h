/* The model of PostgreSQL: rows of tables, seats, hands, journal, nodes, leases, tickets, chips; transactions
 * with row locks, commits with unknown outcome, failover, a full disk. statements.c implements the SQL
 * functions of db/functions for live tables; client_of_db.c models a node's connections. */
#ifndef RUMMYD_TESTS_SIMULATE_STORE_H
#define RUMMYD_TESTS_SIMULATE_STORE_H

#include <libpq-fe.h>

#include "db/pg.h"
#include "engine/core/game.h"
#include "engine/eng.h"
#include "tests/simulate/sim.h"

enum {
    HANDS_MAX = 100,
    TX_TABLES_MAX = 40,
    TX_MOVES_MAX = 128,
    TX_LOCKS_MAX = 96,
    TX_MAX = 64,
    COMMAND_MAX = 37,
};

enum row_state { ROW_WAITING, ROW_PLAYING, ROW_FINISHED, ROW_CANCELLED, ROW_LOST };

struct seat_row {
    bool taken, left;
    int64_t player; /* 0: a bot */
    uint8_t level;
    char nick[40];
    struct eng_client_seed seed;
    int64_t held; /* chips */
};

struct hand_row {
    uint32_t no;
    uint8_t server_seed[32], commit[32];
    struct eng_client_seed seeds[ENG_SEAT_MAX];
    int64_t dealt_ms, ended_ms; /* 0: not yet */
};

struct move_row {
    int64_t table, at_us;
    uint32_t hand_no, v;
    uint64_t hash;
    int64_t time_bank_ms, hand_clock_ms;
    uint8_t seat, len, node; /* node that wrote it */
    uint8_t bytes[ENG_MOVE_BYTES_MAX];
    char command[COMMAND_MAX];
};

/* The part of a table that a transaction may change. */
struct table_row {
    int64_t id;
    enum row_state state;
    int node;
    uint8_t seats_n, people_n, bots_n;
    struct seat_row seats[ENG_SEAT_MAX];
    uint32_t hand_no;
    uint8_t server_seed[32], commit[32];
    struct hand_row hands[HANDS_MAX];
    size_t hands_n;
    int64_t created_ms, fill_ms, started_ms, stopped_ms;
    bool journal_folded;
    int settled_n;
};

/* A table, and the state of the checks on it. */
struct table {
    struct table_row row;
    const char *variant;
    bool bots; /* bots take free seats */
    int64_t stake;
    struct move_row *moves; /* committed, in order of v */
    size_t moves_n, moves_cap;
    /* The committed moves, replayed. */
    struct eng_game game;
    struct eng_params params;
    bool dealt;
    int64_t turn_us;                    /* when the start of the running turn was committed */
    uint32_t turn_v;                    /* version of the running turn's start */
    int64_t hand_left_ms[ENG_SEAT_MAX]; /* time left on each hand clock when the turn began */
    int64_t moved_us;                   /* time of the last commit */
    int64_t ended_us;
    int64_t cancel_us;       /* when an operator requested to end it; 0: not requested */
    uint32_t handed_over_by; /* one bit per running node that owned the table and handed it over */
};

struct node_row {
    bool exists;
    int64_t epoch, stopped_ms;
    int64_t lease_epoch, renewals, alive_ms, seen_ms, table_max, tables, sockets;
    char state[12], ws_url[64], version[16];
};

struct ticket_row {
    uint8_t id[16];
    int64_t table, player;
    uint8_t seat;
    bool used;
    int64_t used_us, expires_us;
};

extern struct table store_tables[SIM_TABLES_MAX];
extern size_t store_tables_n;
extern struct node_row store_nodes[SIM_NODES_MAX];
extern int64_t store_purses[SIM_CLIENTS_MAX + 1], store_house;
extern bool store_up, store_disk_full;
extern int64_t store_slow_us; /* additional duration of a commit */
extern int64_t store_lease_ms;

int64_t store_unix_ms(void);
struct table *store_table(int64_t id); /* NULL: none */

/* ---- Transactions ---- */
enum lock_kind { LOCK_LEASE, LOCK_NODE, LOCK_NODE_SHARE, LOCK_TABLE };
struct lock {
    enum lock_kind kind;
    int64_t id;
};
struct tx {
    bool used, failed;
    bool posts, writes;
    bool node_changed[SIM_NODES_MAX];
    size_t copies_n, moves_n, locks_n;
    int64_t house, purses[SIM_CLIENTS_MAX + 1]; /* used only if it posts */
    /* The counts above give the number of elements used. */
    struct table_row *copies[TX_TABLES_MAX];
    struct lock locks[TX_LOCKS_MAX];
    struct node_row nodes[SIM_NODES_MAX];
    struct move_row moves[TX_MOVES_MAX];
};
struct tx *store_begin(void);
/* Takes the lock unless another transaction holds it. */
bool store_lock(struct tx *tx, enum lock_kind kind, int64_t id);
struct table_row *store_change(struct tx *tx, int64_t id); /* NULL: none */
const struct table_row *store_find(const struct tx *tx,
                                   int64_t id); /* including the changes of this transaction */
struct node_row *store_change_node(struct tx *tx, int node);
const struct node_row *store_find_node(const struct tx *tx, int node);
/* false if another move has the same version; then nothing was done. */
bool store_commit(struct tx *tx);
void store_abort(struct tx *tx);
/* Called when a commit has changed something: for each move, each changed table, and chips. */
struct store_watch {
    void (*moved)(struct table *table, const struct move_row *move);
    void (*changed)(struct table *table, const struct table_row *before);
    void (*chips)(void);
};
void store_watch(const struct store_watch *watch);
/* Whether locks were released since the last call. */
bool store_released(void);

/* ---- Statements ---- */
struct args {
    int n;
    struct {
        const char *at;
        int len, format;
    } values[DB_ARGS_MAX];
};
enum verdict { DONE, WAITS, FAILED, NO_ROOM };
struct answer {
    PGresult *rows;
    struct db_error err;
    bool write;     /* there is something to commit */
    int name_taken; /* the session now holds this node's name; -1: none */
};
struct session;
/* Whether another session holds the node's name. */
typedef bool name_is_taken_fn(const struct session *session, int node);
/* Runs a statement within tx. WAITS: it waits for a lock; retry once a lock has been released. */
enum verdict store_run(struct tx *tx, const char *name, const struct args *args, struct session *session,
                       name_is_taken_fn *name_is_taken, struct answer *answer);

/* ---- client_of_db.c ---- */
void db_break_node(int node, const char *why);     /* its connections */
void db_cut_node(struct sim_node *node, bool cut); /* cuts it off from PostgreSQL; packets wait */
bool db_is_cut(const struct sim_node *node);
void db_node_dead(struct sim_node *node);
void db_down(bool down);
/* Calls fn while the next commit is in progress: a commit of moves, or one of starts, ends of hands and
 * games, and hand-overs. */
void db_at_commit(bool of_moves, sim_fn *fn, void *arg, int64_t number);

#endif
