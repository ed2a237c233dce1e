/* Records: a finished hand as plain text that people can read and diff and that anybody can check
 * again. The grammar is in docs/records.md. Used by the settlement (writes), `rummyd verify` (reads)
 * and tests (positions and vectors). No allocation: the caller lends all memory.
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
    ENG_NAME_MAX = 96,                         /* bytes of a player's name in a record, NUL included */
    ENG_TIME_MAX = 25,                         /* "2026-11-20T19:28:00.123Z" and NUL */
    ENG_RECORD_STEPS_MAX = ENG_HAND_MOVES_MAX, /* a common hand has some hundred */
};

struct eng_record_seat {
    char name[ENG_NAME_MAX];
    uint8_t bot;  /* 0: a person or a program; else enum eng_bot_level */
    bool program; /* a bot account: a player's program, not one of our bots (`bot` is 0) */
    struct eng_client_seed seed;
};

/* A move and what it showed. */
struct eng_step {
    struct eng_move move;
    uint8_t card; /* drawn by a draw, thrown by a time-out (the last one); else ENG_NO_CARD */
};

struct eng_record_score {
    int32_t points;
    uint8_t place, cards, flags; /* enum eng_score_flag */
    /* Declare family, of a seat that never grouped: the arrangement that was counted. 0 groups: not told, or
     * none could be made. A record that was read has the cards in groups only. */
    struct eng_grouping arranged;
};

/* What was done between two hands, in this order: a seat returns, joins the pool again, leaves, each once at
 * most; at last the table ends the session, for nobody re-joined. */
enum { ENG_BETWEEN_MAX = 3 * ENG_SEAT_MAX + 1 };
struct eng_between {
    uint8_t n;
    struct {
        uint8_t type, seat; /* ENG_RETURN, ENG_REJOIN, ENG_LEAVE; ENG_CLOSE of seat 0 */
    } moves[ENG_BETWEEN_MAX];
};

/* How a session ended between two hands, by somebody's leaving or because nobody re-joined: what was done
 * after its last hand, up to that. */
struct eng_record_close {
    struct eng_between done; /* n == 0: nothing is told, the other fields are 0 */
    uint8_t winners;         /* bit for each seat */
    struct {
        int32_t total;
        uint8_t place;
    } seats[ENG_SEAT_MAX];
};

struct eng_record_result {
    bool finished;  /* false: the hand is not over, the rest has no meaning */
    uint8_t ending; /* enum eng_ending */
    uint8_t winner; /* or ENG_NO_SEAT */
    bool rummy;
    struct eng_record_score scores[ENG_SEAT_MAX];
};

struct eng_record {
    struct eng_params params;
    uint8_t players;
    uint64_t table_id;
    uint32_t hand_no;
    char start[ENG_TIME_MAX], end[ENG_TIME_MAX]; /* empty: not told */
    struct eng_record_seat seats[ENG_SEAT_MAX];
    /* A dealt hand has seeds; a set-up one may have them for its renewed stocks. */
    bool has_seed, has_setup;
    uint8_t commit[32], server_seed[32];
    /* Starter, hands and wild card of every record; who has left, is away or out; the rest of a set-up one.
     */
    struct eng_setup setup;
    /* A hand that follows others in its session: what was scored before it. Its starter is setup.starter,
     * which only the session's first hand draws by lot. */
    bool has_totals;
    int32_t totals[ENG_SEAT_MAX], bonus[ENG_SEAT_MAX];
    struct eng_between between; /* the hand before it and this one */
    /* The caller's memory. */
    struct eng_step *steps;
    uint32_t steps_n, steps_max;
    struct eng_record_result result;
    struct eng_record_close close; /* below the last hand's result */
};

void eng_record_init(struct eng_record *record, const struct eng_params *params, int players,
                     struct eng_step *steps, uint32_t steps_max);
/* The commitment belongs to the seed: sets both. */
void eng_record_set_seed(struct eng_record *record, const uint8_t server_seed[32]);

/* The hand that follows in a session: its number, starter and totals, who has left, is away or is out, as
 * they are in the game before it is dealt (phase ENG_HAND_OVER), and how that came (NULL: nothing was done
 * since the hand before). */
void eng_record_follow(struct eng_record *record, const struct eng_game *before,
                       const struct eng_between *between);
/* Adds a move that was made in phase ENG_HAND_OVER. */
void eng_between_add(struct eng_between *between, const struct eng_move *move);
/* The session is over (phase ENG_SESSION_OVER) by what was done after this hand, its last one. */
void eng_record_close(struct eng_record *record, const struct eng_game *game, const struct eng_between *done);

/* Bytes that surely hold the text of so many steps. */
size_t eng_record_text_max(uint32_t steps);
/* Appends the text. buf->full afterwards: it did not fit. */
void eng_record_print(const struct eng_record *record, struct buf *out);
/* The end of the session alone, for a record that was printed before it came: stands right below its result.
 */
void eng_record_print_close(const struct eng_record *record, struct buf *out);

struct eng_record_error {
    uint32_t line, column; /* from 1 */
    const char *expected;  /* in words */
    bool ranged;           /* a number from least to greatest */
    int64_t least, greatest;
};
/* "expected completed turns of each seat, 0 to 10000" */
void eng_record_error_say(const struct eng_record_error *error, struct buf *out);
/* record->steps and steps_max are set by the caller (eng_record_init with any parameters). Strict:
 * false and where, and what was expected there. */
bool eng_record_parse(struct eng_record *record, const char *text, size_t len,
                      struct eng_record_error *error);

/* The same for a text of several records with empty lines between them, from *at on: reads one and moves *at
 * to the next one, or to len. Lines are counted from the beginning of the text. */
bool eng_record_parse_next(struct eng_record *record, const char *text, size_t len, size_t *at,
                           struct eng_record_error *error);

enum eng_verdict_code {
    ENG_VERDICT_OK,
    ENG_VERDICT_WRONG_COMMIT,   /* the seed is not the one that was promised */
    ENG_VERDICT_WRONG_DEAL,     /* the seeds give other cards than the record shows */
    ENG_VERDICT_WRONG_POSITION, /* a set-up that cannot be */
    ENG_VERDICT_ILLEGAL_MOVE,
    ENG_VERDICT_WRONG_SCORE,   /* or a wrong end: missing, too early */
    ENG_VERDICT_TOO_LONG,      /* more moves than the caller's memory holds (eng_record_play) */
    ENG_VERDICT_WRONG_SESSION, /* not the next hand of the session (eng_record_follows) */
};
enum { ENG_VERDICT_VALUE_MAX = 128, ENG_VERDICT_SAID_MAX = 512 };
struct eng_verdict {
    enum eng_verdict_code code;
    uint32_t step; /* which move, from 0; steps_n when none is to blame */
    uint32_t turn; /* its turn, from 1, as in the text; 0: none is to blame */
    uint8_t seat;  /* whose cards, move or score; ENG_NO_SEAT */
    enum eng_refusal refusal;
    uint8_t cards_n;
    uint8_t cards[ENG_MOVE_CARDS_MAX];
    const char *text;   /* one sentence */
    const char *header; /* of a position that cannot be: which header says it; else NULL */
    uint8_t number;     /* of that header, or ENG_NO_SEAT: "Cards1", "Meld m0" */
    /* What the record says and what the game gives, where they differ in something that can be told. */
    char told[ENG_VERDICT_VALUE_MAX], real[ENG_VERDICT_VALUE_MAX];
};
/* The header with its seat and card, and the sentence, but not what was told: `Header Cards1 of seat 1, card
 * 5H1: …` */
void eng_verdict_blame(const struct eng_verdict *verdict, struct buf *out);
/* All of it: `… The record says X, the game gives Y.` */
void eng_verdict_say(const struct eng_verdict *verdict, struct buf *out);

/* "wrong_deal" and so on; "ok". */
const char *eng_verdict_name(enum eng_verdict_code code);
/* Deals or places, plays all, scores, and compares with everything the record shows. */
bool eng_record_verify(const struct eng_record *record, struct eng_verdict *verdict);
/* The same; *game is left as it is when the record ends, or where it stopped to hold. */
bool eng_record_end(const struct eng_record *record, struct eng_game *game, struct eng_verdict *verdict);
/* Is this the hand after the one that ended with `before`, in the same session? What was done between them
 * can be made from there, the totals are what comes of it (else ENG_VERDICT_WRONG_SCORE), the starter the
 * next seat (else WRONG_DEAL). */
bool eng_record_follows(const struct eng_record *record, const struct eng_record *before,
                        const struct eng_game *end, struct eng_verdict *verdict);
/* The same way from bare moves: fills hands, starter, steps and result in. */
bool eng_record_play(struct eng_record *record, const struct eng_move *moves, uint32_t n,
                     struct eng_verdict *verdict);
/* What the game and the outcome of its last move say about the end of the hand; and whether the record
 * says the same. */
struct eng_record_result eng_record_result_of(const struct eng_game *game, const struct eng_outcome *out);
bool eng_record_compare(const struct eng_record *record, const struct eng_record_result *real,
                        struct eng_verdict *verdict);
/* The card that a move showed: the drawn one, or the one that the clock threw; else ENG_NO_CARD. */
uint8_t eng_record_shown(const struct eng_move *move, const struct eng_outcome *out);
/* The game as the record starts it (before its first move); false with a verdict. */
bool eng_record_start(const struct eng_record *record, struct eng_game *game, struct eng_verdict *verdict);

#endif
