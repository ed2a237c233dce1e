/* Records: a finished hand as plain text that users can read, diff, and verify.
 * The grammar is in docs/records.md. Used by the settlement (writes), `rummyd verify` (reads), and tests
 * (positions and vectors). No allocation: the caller provides all memory.
 *
 *     struct eng_step steps[N];
 *     struct eng_record r;
 *     eng_record_init(&r, params, players, steps, N);
 *     …fill table_id, hand_no, seats, start, end, server_seed…
 *     if (eng_record_play(&r, moves, n, &verdict))   // deals, plays, fills in hands, steps and result
 *         eng_record_print(&r, &buf); */
#ifndef RUMMYD_ENGINE_RECORD_RECORD_H
#define RUMMYD_ENGINE_RECORD_RECORD_H

#include "base/buf.h"
#include "engine/core/grouping.h"
#include "engine/core/params.h"
#include "engine/play/setup.h"

enum {
    ENG_NAME_MAX = 96,                         /* bytes of a player's name in a record, including the NUL */
    ENG_TIME_MAX = 25,                         /* "2026-11-20T19:28:00.123Z" plus NUL */
    ENG_RECORD_STEPS_MAX = ENG_HAND_MOVES_MAX, /* a typical hand has about 100 */
};

struct eng_record_seat {
    char name[ENG_NAME_MAX];
    uint8_t bot;  /* 0: a human player or a bot account; otherwise enum eng_bot_level */
    bool program; /* a bot account, which is a player's program and not a server bot (`bot` is 0) */
    struct eng_client_seed seed;
};

/* A move and the card it revealed. */
struct eng_step {
    struct eng_move move;
    uint8_t card; /* drawn, or discarded by a timeout (the last one); otherwise ENG_NO_CARD */
};

struct eng_record_score {
    int32_t points;
    uint8_t place, cards, flags; /* enum eng_score_flag */
    /* In the declare family, for a seat that never grouped: the scored arrangement. 0 groups: not given, or
     * none was possible. A parsed record has only the grouped cards. */
    struct eng_grouping arranged;
};

/* Actions between two hands, in order: each seat can return, rejoin the pool, and leave, at most once each.
 * The last action may be the table ending the session because no player rejoined. */
enum { ENG_BETWEEN_MAX = 3 * ENG_SEAT_MAX + 1 };
struct eng_between {
    uint8_t n;
    struct {
        uint8_t type, seat; /* ENG_RETURN, ENG_REJOIN, ENG_LEAVE; ENG_CLOSE of seat 0 */
    } moves[ENG_BETWEEN_MAX];
};

/* How a session ended after its last hand, because a player left or no player rejoined: the actions up to
 * the end. */
struct eng_record_close {
    struct eng_between done; /* n == 0: not given; the other fields are 0 */
    uint8_t winners;         /* one bit per seat */
    struct {
        int32_t total;
        uint8_t place;
    } seats[ENG_SEAT_MAX];
};

struct eng_record_result {
    bool finished;  /* false: the hand is not over, and the other fields are meaningless */
    uint8_t ending; /* enum eng_ending */
    uint8_t winner; /* ENG_NO_SEAT: none */
    bool rummy;
    struct eng_record_score scores[ENG_SEAT_MAX];
};

struct eng_record {
    struct eng_params params;
    uint8_t players;
    uint64_t table_id;
    uint32_t hand_no;
    char start[ENG_TIME_MAX], end[ENG_TIME_MAX]; /* empty: not given */
    struct eng_record_seat seats[ENG_SEAT_MAX];
    /* A dealt hand has seeds; a set-up position may have them for renewing the stock. */
    bool has_seed, has_setup;
    uint8_t commit[32], server_seed[32];
    /* Every record has the starter, hands, wild card, and which seats have left, are away, or are out. The
     * other fields are only for a set-up position. */
    struct eng_setup setup;
    /* The scores before this hand, if it is not the first of its session. The starter (setup.starter) is
     * chosen at random only in the session's first hand. */
    bool has_totals;
    int32_t totals[ENG_SEAT_MAX], bonus[ENG_SEAT_MAX];
    struct eng_between between; /* between the previous hand and this one */
    /* The caller owns this memory. */
    struct eng_step *steps;
    uint32_t steps_n, steps_max;
    struct eng_record_result result;
    struct eng_record_close close; /* after the result of the session's last hand */
};

void eng_record_init(struct eng_record *record, const struct eng_params *params, int players,
                     struct eng_step *steps, uint32_t steps_max);
/* Sets the server seed and its commitment. */
void eng_record_set_seed(struct eng_record *record, const uint8_t server_seed[32]);

/* Makes this the next hand of a session. `before` is the game before the deal (phase ENG_HAND_OVER); it
 * provides the hand number, starter, totals, and which seats have left, are away, or are out. between: the
 * actions since the previous hand; NULL: none. */
void eng_record_follow(struct eng_record *record, const struct eng_game *before,
                       const struct eng_between *between);
/* Adds a move that was made in phase ENG_HAND_OVER. */
void eng_between_add(struct eng_between *between, const struct eng_move *move);
/* Records that the session ended (phase ENG_SESSION_OVER) because of actions after this hand, its last
 * one. */
void eng_record_close(struct eng_record *record, const struct eng_game *game, const struct eng_between *done);

/* Upper limit of the text's size for this number of steps. */
size_t eng_record_text_max(uint32_t steps);
/* Appends the text. If it did not fit, buf->full is set. */
void eng_record_print(const struct eng_record *record, struct buf *out);
/* Appends only the end of the session, which belongs right after the result of a record printed earlier. */
void eng_record_print_close(const struct eng_record *record, struct buf *out);

struct eng_record_error {
    uint32_t line, column; /* from 1 */
    const char *expected;  /* in words */
    bool ranged;           /* a number from least to greatest was expected */
    int64_t least, greatest;
};
/* Example: "expected completed turns of each seat, 0 to 10000". */
void eng_record_error_format(const struct eng_record_error *error, struct buf *out);
/* The caller must have set record->steps and steps_max (eng_record_init with any parameters). Strict: on
 * failure, returns false with the position and what was expected there. */
bool eng_record_parse(struct eng_record *record, const char *text, size_t len,
                      struct eng_record_error *error);

/* The same for a text of several records separated by empty lines: parses the record at *at and advances
 * *at to the next one, or to len. Lines are counted from the beginning of the text. */
bool eng_record_parse_next(struct eng_record *record, const char *text, size_t len, size_t *at,
                           struct eng_record_error *error);

enum eng_verdict_code {
    ENG_VERDICT_OK,
    ENG_VERDICT_WRONG_COMMIT,   /* the seed does not match the commitment */
    ENG_VERDICT_WRONG_DEAL,     /* the seeds produce different cards than the record shows */
    ENG_VERDICT_WRONG_POSITION, /* an invalid set-up */
    ENG_VERDICT_ILLEGAL_MOVE,
    ENG_VERDICT_WRONG_SCORE,   /* the score or the end is wrong; the end is wrong if missing or too early */
    ENG_VERDICT_TOO_LONG,      /* more moves than fit into the caller's memory (eng_record_play) */
    ENG_VERDICT_WRONG_SESSION, /* not the next hand of the session (eng_record_follows) */
};
enum { ENG_VERDICT_VALUE_MAX = 128, ENG_VERDICT_TEXT_MAX = 512 };
struct eng_verdict {
    enum eng_verdict_code code;
    uint32_t step; /* the move at fault, from 0; steps_n if there is none */
    uint32_t turn; /* its turn, from 1, as in the text; 0: none is at fault */
    uint8_t seat;  /* seat of the cards, move, or score, or ENG_NO_SEAT */
    enum eng_refusal refusal;
    uint8_t cards_n;
    uint8_t cards[ENG_MOVE_CARDS_MAX];
    const char *text;   /* one sentence */
    const char *header; /* for an invalid position: the header at fault; otherwise NULL */
    uint8_t number;     /* number in that header ("Cards1", "Meld m0"), or ENG_NO_SEAT */
    /* The record's value and the game's, if the difference can be expressed. */
    char stated[ENG_VERDICT_VALUE_MAX], real[ENG_VERDICT_VALUE_MAX];
};
/* Appends the header with its seat and card, and the sentence, without the values: `Header Cards1 of seat
 * 1, card 5H1: …` */
void eng_verdict_blame(const struct eng_verdict *verdict, struct buf *out);
/* Appends everything: `… The record says X, the game gives Y.` */
void eng_verdict_format(const struct eng_verdict *verdict, struct buf *out);

/* "ok", "wrong_deal", and so on. */
const char *eng_verdict_name(enum eng_verdict_code code);
/* Deals or sets up, plays all moves, scores, and compares with everything the record shows. */
bool eng_record_verify(const struct eng_record *record, struct eng_verdict *verdict);
/* The same, but leaves *game in its state at the end of the record or at the mismatch. */
bool eng_record_end(const struct eng_record *record, struct eng_game *game, struct eng_verdict *verdict);
/* Whether this hand directly follows `before` in the same session: the actions between them must be legal,
 * the totals must be correct (otherwise ENG_VERDICT_WRONG_SCORE), and the starter must be the next seat
 * (otherwise ENG_VERDICT_WRONG_DEAL). */
bool eng_record_follows(const struct eng_record *record, const struct eng_record *before,
                        const struct eng_game *end, struct eng_verdict *verdict);
/* Like eng_record_verify, but from moves only: fills in hands, starter, steps, and result. */
bool eng_record_play(struct eng_record *record, const struct eng_move *moves, uint32_t n,
                     struct eng_verdict *verdict);
/* The end of the hand according to the game and the outcome of its last move, and whether the record
 * agrees. */
struct eng_record_result eng_record_result_of(const struct eng_game *game, const struct eng_outcome *out);
bool eng_record_compare(const struct eng_record *record, const struct eng_record_result *real,
                        struct eng_verdict *verdict);
/* The card that a move revealed: drawn, or discarded by a timeout; otherwise ENG_NO_CARD. */
uint8_t eng_record_shown(const struct eng_move *move, const struct eng_outcome *out);
/* Sets *game to its state before the record's first move. false: sets the verdict. */
bool eng_record_start(const struct eng_record *record, struct eng_game *game, struct eng_verdict *verdict);

#endif
