/* What the journal's threads write, a batch at a time: moves and games that end in one statement each, seeds,
 * starts, cancellations by their functions. Every write bears the node's epoch, and each may be repeated when
 * its outcome is not known. One thread for each connection. */
#ifndef RUMMYD_DB_JOURNAL_H
#define RUMMYD_DB_JOURNAL_H

#include "db/pg.h"

enum {
    DB_JOURNAL_BATCH_MAX = 2048, /* moves of one statement */
    DB_JOURNAL_START_MAX = 16,   /* starts of one statement */
    DB_JOURNAL_SETTLE_MAX = 32,  /* games of one statement */
    DB_JOURNAL_SEATS_MAX = 6,    /* of a table; do_start_batch has it, too */
    DB_NODE_NAME_MAX = 63,       /* bytes */
};

struct db_journal {
    struct db_conn *conn;
    char node[DB_NODE_NAME_MAX + 1];
    int64_t epoch;
    bool beside; /* another connection bears the node's name */
    char *mem;   /* of the arguments of one statement */
};

enum db_journal_result {
    DB_JOURNAL_DONE,
    DB_JOURNAL_REFUSED, /* nothing was changed; code says why */
    DB_JOURNAL_FENCED,  /* another process has the node's name: nothing may be written any more */
    DB_JOURNAL_LATER,   /* the database is short of disk or memory, or others were in the way: the same again,
                           later */
    DB_JOURNAL_LOST,    /* the connection broke, or what it answers is not about what is written (a standby, a
                           right that is missing): the same again, after db_journal_resume */
    DB_JOURNAL_FAILED,  /* the database rejects this very thing, and will each time: err says why */
};
/* Of a statement or a transaction that did not pass. Here alone it is decided what is refused for good. */
enum db_journal_result db_journal_result_of(const struct db_error *err);
enum { DB_JOURNAL_CODE_MAX = 40 };

/* do_leave_seat(player, table): of a seat at a waiting table. REST leaves by it, too. */
extern const struct db_stmt db_leave_seat_stmt;

/* Connects and takes the node's name for the life of the connection. DONE, REFUSED (another process has
 * the name), FAILED or LOST with *err. */
enum db_journal_result db_journal_open(struct db_journal *journal, const char *conninfo, const char *node,
                                       struct db_error *err);
/* Another connection, which writes for the node that `named` is of. DONE or LOST with *err. */
enum db_journal_result db_journal_open_beside(struct db_journal *journal, const char *conninfo,
                                              const struct db_journal *named, struct db_error *err);
void db_journal_close(struct db_journal *journal);
/* Connects again and, unless it is beside another one, takes the name again, if nobody had it since. REFUSED:
 * the old session still has it. */
enum db_journal_result db_journal_resume(struct db_journal *journal, struct db_error *err);
/* How often the process that has the name has said that it lives; 0 when that cannot be read. */
int64_t db_journal_renewals(struct db_journal *journal);

struct db_move {
    int64_t table_id;
    uint32_t hand_no, v;
    uint8_t seat;
    const uint8_t *bytes;
    size_t len;
    uint64_t hash;
    const char *command_id;
    bool leaves;           /* its player leaves for good */
    int32_t time_bank_ms;  /* what its player has used of their time bank, when it was made in it */
    int32_t hand_clock_ms; /* what the turn that it ended took of its player's hand clock */
};
enum db_journal_result db_journal_moves(struct db_journal *journal, const struct db_move *moves, size_t n,
                                        struct db_error *err);

/* The functions below write the code they were answered to code. */
enum db_journal_result db_journal_seed(struct db_journal *journal, int64_t table, int seat, const void *seed,
                                       size_t len, char code[DB_JOURNAL_CODE_MAX], struct db_error *err);
/* tried: the same was sent before with an unknown outcome. */
enum db_journal_result db_journal_leave(struct db_journal *journal, int64_t player, int64_t table, bool tried,
                                        char code[DB_JOURNAL_CODE_MAX], struct db_error *err);

/* Takes the rows of tables in one order: first in a transaction that starts, settles or cancels. */
enum db_journal_result db_journal_lock(struct db_journal *journal, const int64_t *tables, size_t n,
                                       struct db_error *err);
struct db_start {
    int64_t table;
    int bot_level;
    struct db_slice nicks[DB_JOURNAL_SEATS_MAX];
    struct db_slice seeds[DB_JOURNAL_SEATS_MAX];
};
/* *rows: those of do_start_batch, to be freed by the caller when DONE: a refused table has its code there. */
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
/* seeds: one for each seat. */
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
/* Games of n tables, with nobody at two of them. *rows: those of do_settle_batch, to be freed by the caller
 * when DONE. FAILED when one of them is refused, which err names. */
enum db_journal_result db_journal_settle(struct db_journal *journal, const struct db_settle *settles,
                                         size_t n, PGresult **rows, struct db_error *err);
struct db_loss {
    int64_t table;
    const char *code, *data; /* why, and JSON: see lost_tables in schema.sql */
    const char *record;      /* "": there is none */
    size_t record_len;
};
/* The table is lost: no node has it any more. */
enum db_journal_result db_journal_lose(struct db_journal *journal, const struct db_loss *loss,
                                       char code[DB_JOURNAL_CODE_MAX], struct db_error *err);
enum db_journal_result db_journal_cancel(struct db_journal *journal, int64_t table, const char *reason,
                                         char code[DB_JOURNAL_CODE_MAX], struct db_error *err);

/* Whom a table with turns of hours waits for: a bit for each seat, and for each that is connected. */
struct db_turn {
    int64_t table;
    uint32_t v; /* with which it began */
    uint8_t seats, here;
};
/* *due_unix_ms: when the turn is over; INT64_MAX: somebody is on vacation. */
enum db_journal_result db_journal_turn(struct db_journal *journal, const struct db_turn *turn,
                                       int64_t *due_unix_ms, char code[DB_JOURNAL_CODE_MAX],
                                       struct db_error *err);
/* The table is no node's until it is woken. */
enum db_journal_result db_journal_sleep(struct db_journal *journal, int64_t table,
                                        char code[DB_JOURNAL_CODE_MAX], struct db_error *err);
/* Another node has the table; which one, the database says. to_lighter: only one that has used less of its
 * room. url, of cap bytes: public base of its sockets. */
enum db_journal_result db_journal_pass(struct db_journal *journal, int64_t table, bool to_lighter, char *url,
                                       size_t cap, char code[DB_JOURNAL_CODE_MAX], struct db_error *err);

#endif
