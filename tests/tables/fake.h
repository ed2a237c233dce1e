/* A world for one table: sockets that record the frames they are sent, a journal that commits on demand,
 * and a clock that moves on demand. */
#ifndef RUMMYD_TESTS_TABLES_FAKE_H
#define RUMMYD_TESTS_TABLES_FAKE_H

#include <criterion/criterion.h>
#include <string.h>

#include "engine/bots/master.h"
#include "tables/recover.h"
#include "tables/table.h"
#include "tables/thoughts.h"

#define HAS(text, part) cr_assert_not_null(strstr((text), (part)), "%s lacks %s", (text), (part))
#define LACKS(text, part) cr_assert_null(strstr((text), (part)), "%s has %s", (text), (part))

enum { FAKE_HANDS_MAX = 99, FAKE_FRAMES_MAX = 4096, FAKE_SOCKETS = 8, FAKE_ROWS_MAX = 4096 };

struct srv_socket {
    int close_code; /* 0: open */
    int n;
    char *frames[FAKE_FRAMES_MAX];
};

/* A committed row of the journal. */
struct fake_row {
    struct tab_load_move row;
    uint8_t bytes[ENG_MOVE_BYTES_MAX];
    char command_id[TAB_COMMAND_ID_MAX];
};

struct fake {
    struct tab_registry registry;
    struct srv_socket sockets[FAKE_SOCKETS];
    struct tab_write *pending;  /* the only table's pending write */
    struct tab_thought thought; /* the last search that a bot requested */
    int thoughts_n;             /* how many */
    bool thinkers_full;         /* no capacity for another search */
    enum tab_write_result next_result;
    const char *next_code;
    int64_t now_ms;
    int64_t wall_off_ms;              /* offset by which the wall clock was set forward */
    int writes[TAB_WRITE_CANCEL + 1]; /* number of committed writes, by kind */
    struct fake_row rows[FAKE_ROWS_MAX];
    size_t rows_n;
    struct tab_load load; /* the table's rows */
    struct tab_hand hands[FAKE_HANDS_MAX + 1];
    bool vacation;   /* the player to move is on vacation: their correspondence turn does not end */
    uint8_t secrets; /* number of server seeds requested */
    char *record;
};

/* A waiting table 7 of rummy51; the first `people` seats are taken by players 101, 102, … */
struct tab_table *fake_open(struct fake *fake, int people, int64_t table_max);
/* The same for another variant, with as many seats as players, dealt from the seed. */
struct tab_table *fake_open_as(struct fake *fake, const char *variant, int people, uint64_t seed);
/* The same for another variant, with this number of seats and the options of `params`. */
struct tab_table *fake_open_variant(struct fake *fake, const char *variant, const char *params, int seats,
                                    int people);
/* The same for another variant, with turns of this many hours. */
struct tab_table *fake_open_slow(struct fake *fake, const char *variant, int people, uint8_t hours);
void fake_close(struct fake *fake);
/* Commits the pending write (or answers it with next_result) and returns it to its table. false if there is
 * none. */
bool fake_commit(struct fake *fake);
/* fake_think returns a master's move for the search; fake_answer delivers the answer to the last search. */
struct eng_move fake_think(const struct tab_thought *thought);
void fake_answer(struct fake *fake);
/* Commits until no write is pending, at most 10,000. */
void fake_settle_down(struct fake *fake);
/* Advances the time and does what is due. */
void fake_pass(struct fake *fake, int64_t ms);
/* Connects seats 0..people-1 with sockets 0.., sends their seeds, and plays until the deal is sent. */
void fake_start(struct fake *fake, struct tab_table *table, int people);

/* Checks that both hold the same events. */
void fake_expect_same_events(const struct tab_events *a, const struct tab_events *b);

/* The last frame sent to a socket, or "". */
const char *fake_last(const struct fake *fake, int socket);
/* Number of frames of a socket that contain the text. */
int fake_count(const struct fake *fake, int socket, const char *text);
void fake_forget(struct fake *fake, int socket);

struct tab_command fake_move(uint8_t seat, const char *id, enum eng_move_type type);
/* A legal next move of the seat to move: draws from the stock, discards its first natural card. */
struct tab_command fake_next(const struct tab_table *table, const char *id);
/* Plays the seat to move until the given seat is to move. */
void fake_play_to_seat(struct fake *fake, struct tab_table *table, uint8_t seat);

#endif
