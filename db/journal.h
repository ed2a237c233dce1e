/* The journal's writes, one batch at a time: moves and finished games in one statement each; seeds, starts,
 * and cancellations by their own functions. Every write carries the node's epoch and can be repeated if its
 * outcome is unknown. One thread per connection. */
#ifndef RUMMYD_DB_JOURNAL_H
#define RUMMYD_DB_JOURNAL_H

#include "db/pg.h"

enum {
    DB_JOURNAL_BATCH_MAX = 2048, /* moves per statement */
    DB_JOURNAL_START_MAX = 16,   /* starts per statement */
    DB_JOURNAL_SETTLE_MAX = 32,  /* games per statement */
    DB_JOURNAL_SEATS_MAX = 6,    /* per table; do_start_batch has the same limit */
    DB_NODE_NAME_MAX = 63,       /* bytes */
};

struct db_journal {
    struct db_conn *conn;
    char node[DB_NODE_NAME_MAX + 1];
    int64_t epoch;
    bool second; /* another connection holds the node's name */
    char *mem;   /* for the arguments of one statement */
};

enum db_journal_result {
    DB_JOURNAL_DONE,
    DB_JOURNAL_REFUSED, /* nothing was changed; code has the reason */
    DB_JOURNAL_FENCED,  /* another process has the node's name: this one must no longer write */
    DB_JOURNAL_LATER,   /* the database is short of disk or memory, or in conflict with others: retry later */
    DB_JOURNAL_LOST,    /* the connection broke, or the error is not about the data (a standby, a missing
                           privilege): retry after db_journal_resume */
    DB_JOURNAL_FAILED,  /* the database rejects this write and always will: err has the reason */
};
/* The result for a failed statement or transaction. This is the only place that decides which failures are
 * permanent. */
enum db_journal_result db_journal_result_of(const struct db_error *err);
enum { DB_JOURNAL_CODE_MAX = 40 };

/* do_leave_seat(player, table): frees a seat at a waiting table. REST uses it, too. */
extern const struct db_stmt db_leave_seat_stmt;

/* Connects and takes the node's name for the life of the connection. DONE, REFUSED (another process has the
 * name), FAILED or LOST with *err. */
enum db_journal_result db_journal_open(struct db_journal *journal, const char *conninfo, const char *node,
                                       struct db_error *err);
/* Another connection, which writes for the same node as `named`. DONE or LOST with *err. */
enum db_journal_result db_journal_open_second(struct db_journal *journal, const char *conninfo,
                                              const struct db_journal *named, struct db_error *err);
void db_journal_close(struct db_journal *journal);
/* Reconnects and, unless it is an additional connection, takes the name again if no other process has had
 * it since. REFUSED: the old session still has it. */
enum db_journal_result db_journal_resume(struct db_journal *journal, struct db_error *err);
/* How often the process that has the name has renewed its lease; 0 if that cannot be read. */
int64_t db_journal_renewals(struct db_journal *journal);

struct db_move {
    int64_t table_id;
    uint32_t hand_no, v;
    uint8_t seat;
    const uint8_t *bytes;
    size_t len;
    uint64_t hash;
    const char *command_id;
    bool leaves;           /* the player leaves for good */
    int32_t time_bank_ms;  /* time bank used by the player, if the move was made while it ran */
    int32_t hand_clock_ms; /* time that the turn ended by this move took from the player's hand clock */
};
enum db_journal_result db_journal_moves(struct db_journal *journal, const struct db_move *moves, size_t n,
                                        struct db_error *err);

/* The functions below write the code returned by the database to code. */
enum db_journal_result db_journal_seed(struct db_journal *journal, int64_t table, int seat, const void *seed,
                                       size_t len, char code[DB_JOURNAL_CODE_MAX], struct db_error *err);
/* tried: the same was sent before with an unknown outcome. */
enum db_journal_result db_journal_leave(struct db_journal *journal, int64_t player, int64_t table, bool tried,
                                        char code[DB_JOURNAL_CODE_MAX], struct db_error *err);

/* Locks the rows of tables in a fixed order. Must come first in a transaction that starts, settles, or
 * cancels. */
enum db_journal_result db_journal_lock(struct db_journal *journal, const int64_t *tables, size_t n,
                                       struct db_error *err);
struct db_start {
    int64_t table;
    int bot_level;
    struct db_slice nicks[DB_JOURNAL_SEATS_MAX];
    struct db_slice seeds[DB_JOURNAL_SEATS_MAX];
};
/* *rows: those of do_start_batch, to be freed by the caller if DONE; they contain the codes of refused
 * tables. */
enum db_journal_result db_journal_start(struct db_journal *journal, const struct db_start *starts, size_t n,
                                        PGresult **rows, struct db_error *err);
struct db_hand_end {
    int64_t table;
    uint32_t hand_no;
    const char *ending;
    const char *results; /* JSON, see do_settle_batch */
    const char *record;
    size_t record_len;
    const uint8_t *next_seed, *next_commit; /* 32 bytes each */
};
enum db_journal_result db_journal_end_hand(struct db_journal *journal, const struct db_hand_end *end,
                                           char code[DB_JOURNAL_CODE_MAX], struct db_error *err);
/* seeds: one per seat. */
enum db_journal_result db_journal_deal(struct db_journal *journal, int64_t table, uint32_t hand_no,
                                       const struct db_slice *seeds, size_t n, char code[DB_JOURNAL_CODE_MAX],
                                       struct db_error *err);
struct db_settle {
    int64_t table;
    const char *ending;
    const char *results; /* JSON, see do_settle_batch */
    const char *record;
    size_t record_len;
};
/* Settles the games of n tables that have no players in common. *rows: those of do_settle_batch, to be
 * freed by the caller if DONE. FAILED if one of them is rejected, which err names. */
enum db_journal_result db_journal_settle(struct db_journal *journal, const struct db_settle *settles,
                                         size_t n, PGresult **rows, struct db_error *err);
struct db_loss {
    int64_t table;
    const char *code, *data; /* reason code, and JSON: see lost_tables in schema.sql */
    const char *record;      /* "": none */
    size_t record_len;
};
/* Marks the table as lost; no node owns it anymore. */
enum db_journal_result db_journal_lose(struct db_journal *journal, const struct db_loss *loss,
                                       char code[DB_JOURNAL_CODE_MAX], struct db_error *err);
enum db_journal_result db_journal_cancel(struct db_journal *journal, int64_t table, const char *reason,
                                         char code[DB_JOURNAL_CODE_MAX], struct db_error *err);

/* The players a correspondence table waits for (seats, one bit each), and those of them who are connected
 * (here). */
struct db_turn {
    int64_t table;
    uint32_t v; /* game version at which the wait began */
    uint8_t seats, here;
};
/* *due_unix_ms: when the turn times out; INT64_MAX: a player is on vacation. */
enum db_journal_result db_journal_turn(struct db_journal *journal, const struct db_turn *turn,
                                       int64_t *due_unix_ms, char code[DB_JOURNAL_CODE_MAX],
                                       struct db_error *err);
/* Puts the table to sleep: no node owns it until it is woken. */
enum db_journal_result db_journal_sleep(struct db_journal *journal, int64_t table,
                                        char code[DB_JOURNAL_CODE_MAX], struct db_error *err);
/* Hands the table over to another node, which the database picks. to_lighter: only to one with less of its
 * capacity in use. url, of cap bytes: public base URL of its sockets. */
enum db_journal_result db_journal_hand_over(struct db_journal *journal, int64_t table, bool to_lighter,
                                            char *url, size_t cap, char code[DB_JOURNAL_CODE_MAX],
                                            struct db_error *err);

#endif
