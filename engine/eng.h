/* The rules of rummy as a pure function: (parameters, deal keys, moves) -> (game, events).
 *
 * The lowest layer: no allocation, no clock, no I/O, no JSON, no global state. A game is one flat struct,
 * copied by assignment. Called by tables/ (live play, recovery), by records and replay, and by bots through
 * a view. Any thread, one at a time per game.
 *
 * Every rule is defined in docs/rules.md; comments cite its sections. */
#ifndef RUMMYD_ENGINE_ENG_H
#define RUMMYD_ENGINE_ENG_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
    ENG_SEAT_MAX = 6,
    ENG_CARD_MAX = 110,       /* two packs and six jokers */
    ENG_HAND_MAX = 15,        /* rummy51: 14 dealt and one drawn */
    ENG_MELD_MAX = 36,        /* 110 cards, at least three in each */
    ENG_RUN_MAX = 14,         /* A to K, and the ace again */
    ENG_KEY_BYTES = 32,       /* deal key */
    ENG_CLIENT_SEED_MIN = 16, /* if there is a seed at all */
    ENG_CLIENT_SEED_MAX = 32,
    ENG_MOVE_CARDS_MAX = 14,
    ENG_GROUPS_MAX = 4, /* of 13 cards, at least three in each */
    ENG_EVENT_CARDS_MAX = 16,
    ENG_EVENTS_MAX = 48,     /* of one move */
    ENG_TURN_MOVES_MAX = 40, /* melds in one turn, including those taken back */
    /* Upper limit of the moves in one hand. Each of the 100 turns per player has at most 40 melds, 40
     * take-backs, two draws, a cancel, and a discard; each lay-off or swap uses up a card. */
    ENG_HAND_MOVES_MAX = 65536,
    ENG_NO_SEAT = 255,
    ENG_NO_CARD = 255,
    ENG_NO_MELD = 255,
    ENG_SPECTATOR = 254, /* a viewer without a seat */
};

/* ---- Cards -------------------------------------------------------------------------------
 * A card is a number: pack * 52 + suit * 13 + rank, suits C S H D = 0..3, ranks A..K = 0..12;
 * printed jokers are 104..109. Canonical order of a pack = ascending numbers in play.
 * Name: rank, suit, copy ("TH1", "TH2"); jokers "X1".."X6". */
enum { ENG_JOKER_FIRST = 104, ENG_CARD_NAME_MAX = 4 };

bool eng_card_is_joker(uint8_t card);
int eng_card_rank(uint8_t card); /* 0..12; natural cards only */
int eng_card_suit(uint8_t card); /* 0..3; natural cards only */
/* Writes the name and a NUL; returns its length. */
int eng_card_name(char out[ENG_CARD_NAME_MAX], uint8_t card);
/* Parses an exact name of len bytes, including the copy number; ENG_NO_CARD if it is invalid. */
uint8_t eng_card_parse(const char *name, size_t len);

/* ---- Parameters: a variant is a row ------------------------------------------------------- */
struct eng_params; /* engine/core/params.h: the fields of a variant's row */

/* ---- Moves -------------------------------------------------------------------------------- */
enum eng_move_type {
    ENG_DRAW_STOCK = 1,
    ENG_DRAW_DISCARD,
    ENG_CANCEL_DRAW, /* puts a taken discard back; after that, the player must draw from the stock */
    ENG_MELD,        /* cards[n]: a run ascending, a set in any order */
    ENG_TAKE_BACK,   /* staged meld `meld`, or all staged ones (ENG_NO_MELD) */
    ENG_LAY_OFF,     /* cards[0] onto `meld`, at `end` if it is a run */
    ENG_SWAP,        /* exchanges cards[0] for a joker of `meld`; if n == 2, cards[1] is that joker */
    ENG_DISCARD,     /* one card; joker + natural = burying; jokers that are the whole hand */
    /* System moves: made by the table, journaled like the others, never decoded from a client. */
    ENG_TIME_OUT, /* the clock of `seat` (the one to move) ran out */
    ENG_LEAVE,    /* `seat` leaves permanently; a bot plays on, and the seat is placed last */
    ENG_RETURN,   /* the player of an away seat has returned */
    /* Players' moves again, at the end because the numbers in journals must not change. */
    ENG_FLIP, /* turns the discard pile over to become the stock; no draw */
    /* The declare family. Cards are listed group by group; lens[] has the sizes of the groups. */
    ENG_DECLARE, /* all 14 cards: the groups, ungrouped cards, and finally the card for the finish slot */
    ENG_GROUP,   /* after a valid declaration; all 13 cards: the groups, then the rest; end = 1: final */
    ENG_DROP,    /* on the player's own turn, before drawing */
    ENG_REJOIN,  /* between hands, by a player who is out of a pool */
    ENG_CLOSE,   /* by the table: the time to group is over, or the time to rejoin if only one seat is in */
    ENG_MOVE_TYPE_END,
};
enum eng_end { ENG_END_NONE, ENG_END_LOW, ENG_END_HIGH };

struct eng_move {
    uint8_t type; /* enum eng_move_type */
    uint8_t seat;
    uint8_t meld;
    uint8_t end; /* enum eng_end */
    uint8_t n;
    uint8_t cards[ENG_MOVE_CARDS_MAX];
    uint8_t groups; /* for ENG_DECLARE and ENG_GROUP; those beyond ENG_GROUPS_MAX have no length */
    uint8_t lens[ENG_GROUPS_MAX];
};

/* Whether the table makes this move, not a player. */
static inline bool eng_move_is_system(uint8_t type)
{
    return (type >= ENG_TIME_OUT && type <= ENG_RETURN) || type == ENG_CLOSE;
}

/* Whether the move contains groups. */
static inline bool eng_move_has_groups(uint8_t type)
{
    return type == ENG_DECLARE || type == ENG_GROUP;
}

/* Compact bytes for the journal; returns the length (at most ENG_MOVE_BYTES_MAX). */
enum { ENG_MOVE_BYTES_MAX = 5 + ENG_MOVE_CARDS_MAX + 1 + ENG_GROUPS_MAX };
int eng_move_encode(uint8_t out[ENG_MOVE_BYTES_MAX], const struct eng_move *move);
bool eng_move_decode(struct eng_move *move, const uint8_t *bytes, size_t len);

/* ---- Refusals ------------------------------------------------------------------------------ */
enum eng_refusal {
    ENG_OK = 0,
#define ENG_REFUSAL(id, name, text) ENG_##id,
#include "engine/core/refusals.def"
#undef ENG_REFUSAL
    ENG_REFUSAL_END,
};
const char *eng_refusal_name(enum eng_refusal code); /* snake_case, the same on the wire and in records */
const char *eng_refusal_text(enum eng_refusal code); /* one sentence for players */

/* ---- Events --------------------------------------------------------------------------------
 * Every event increments the game's version `v`. Viewers receive every version: if they may not see the
 * cards of an event, they get it without the cards (eng_event_view). */
enum eng_event_type {
    ENG_EV_NONE,
#define ENG_EVENT(id, name) ENG_EV_##id,
#include "engine/core/events.def"
#undef ENG_EVENT
    ENG_EV_TYPE_END,
};
const char *eng_event_name(enum eng_event_type type); /* snake_case, the same on the wire and in vectors */
enum eng_pile { ENG_STOCK = 0, ENG_DISCARD_PILE = 1 };
enum eng_meld_kind { ENG_SET = 1, ENG_RUN = 2 };
enum eng_phase {
#define ENG_PHASE(id, name) ENG_##id,
#include "engine/core/phases.def"
#undef ENG_PHASE
    ENG_PHASES_N
};
const char *eng_phase_name(uint8_t phase); /* snake_case, as on the wire */
enum eng_ending {
    ENG_ENDED_NOT, /* the hand is in play */
#define ENG_ENDING(id, name, word) ENG_ENDED_##id,
#include "engine/core/endings.def"
#undef ENG_ENDING
    ENG_ENDINGS_N
};
const char *eng_ending_name(uint8_t ending); /* snake_case, the same on the wire and in the database */
enum eng_drop {
    ENG_DROPPED_NOT, /* the seat is in the hand */
#define ENG_DROP_KIND(id, name) ENG_DROP_##id,
#include "engine/core/drops.def"
#undef ENG_DROP_KIND
    ENG_DROPS_N
};
const char *eng_drop_name(uint8_t drop); /* snake_case, as on the wire */
enum eng_score_flag {
    ENG_SCORE_OPENED = 1,
    ENG_SCORE_WON = 2,
    ENG_SCORE_RUMMY = 4,
    ENG_SCORE_LEFT = 8,
    ENG_SCORE_DROPPED = 16,
    ENG_SCORE_WRONG = 32,   /* declared wrongly */
    ENG_SCORE_OUT = 64,     /* out of the session */
    ENG_SCORE_SAT_OUT = 128 /* did not take part in this hand */
};

/* seat: the event's seat, ENG_NO_SEAT: none. The type determines which member of the union is valid. */
struct eng_event {
    uint8_t type; /* enum eng_event_type */
    uint8_t seat;
    uint8_t private_to; /* only this seat may see the cards; ENG_NO_SEAT: all may */
    uint8_t meld;       /* number of the meld, or ENG_NO_MELD */
    uint8_t n;          /* cards */
    uint8_t groups;     /* number of groups at the start of the cards; the rest is ungrouped */
    uint8_t lens[ENG_GROUPS_MAX];
    uint8_t cards[ENG_EVENT_CARDS_MAX];
    union {
        struct {
            uint8_t hand_no, stock_n;
            uint8_t cards_n; /* of the seat: the number is public, the cards are not */
        } dealt;
        struct {
            uint8_t phase;  /* enum eng_phase */
            uint16_t round; /* of that seat, from 1 */
        } turn;
        struct {
            uint8_t pile; /* enum eng_pile */
            bool must_open;
        } drew;
        struct {
            uint8_t kind; /* enum eng_meld_kind */
            uint8_t low;  /* a run's lowest place, a set's rank */
            bool staged;
            int32_t worth; /* points */
        } melded;
        struct {
            int32_t sum; /* points of the opening */
        } opened;
        struct {
            uint8_t end; /* enum eng_end */
        } laid_off;
        struct {
            uint8_t place; /* in the meld */
        } swapped;
        struct {
            bool buried; /* a joker lies below the card */
        } discarded;
        struct {
            uint8_t stock_n;
        } renewed;
        struct {
            uint8_t in_a_row;
        } timed_out;
        struct {
            uint8_t ending; /* enum eng_ending */
            bool rummy;
        } hand_ended;
        struct {
            int32_t points;
            int32_t total, bonus;      /* of the session, including this hand */
            uint8_t place, cards_left; /* place 1..n */
            uint8_t flags;             /* enum eng_score_flag */
        } scored;
        struct {
            uint8_t winners; /* one bit per seat */
        } session_ended;
        struct {
            uint8_t rank; /* 0..12, the whole rank is wild */
        } wild;
        struct {
            int32_t points;
            uint8_t how; /* enum eng_drop */
        } dropped;
        struct {
            int32_t points;  /* the price of a wrong declaration */
            uint8_t refusal; /* enum eng_refusal: what is wrong, ENG_OK: it is valid */
        } declared;
        struct {
            bool for_good;
        } grouped;
        struct {
            int32_t total;
        } rejoined, eliminated;
    };
};

/* The one number of an event that a rule vector can check (docs/records.md); 0 if there is none. */
int32_t eng_event_number(const struct eng_event *event);

/* Result of a move: either a refusal with the offending cards, or events. */
struct eng_outcome {
    enum eng_refusal code;
    uint8_t refused_n;
    uint8_t refused[ENG_MOVE_CARDS_MAX];
    uint8_t events_n;
    struct eng_event events[ENG_EVENTS_MAX];
};

/* ---- The game ------------------------------------------------------------------------------- */
struct eng_game; /* engine/core/game.h: flat, no padding, at most 2 KiB */

/* A variant's row by name; NULL if there is none. */
const struct eng_params *eng_params_find(const char *variant);
/* Initializes a game that is ready to deal. players must be within the row's limits. */
void eng_init(struct eng_game *game, const struct eng_params *params, int players);
/* Whether a hand may be dealt: in phases ENG_TO_DEAL and ENG_HAND_OVER, if at least two seats are in. A
 * single seat waits for others to rejoin the pool, or for ENG_CLOSE. */
bool eng_may_deal(const struct eng_game *game);
/* Deals the next hand with its key (docs/fairness.md). Requires eng_may_deal. */
void eng_deal(struct eng_game *game, const uint8_t key[ENG_KEY_BYTES], struct eng_outcome *out);
/* Changes the game and fills out->events, or returns a refusal and changes nothing. */
enum eng_refusal eng_apply(struct eng_game *game, const struct eng_move *move, struct eng_outcome *out);
/* Hash over every byte of the game; equal games have equal hashes on every machine. */
uint64_t eng_hash(const struct eng_game *game);
uint32_t eng_version(const struct eng_game *game); /* number of events so far */
enum eng_phase eng_phase(const struct eng_game *game);
uint8_t eng_seat_to_move(const struct eng_game *game);
bool eng_seat_is_away(const struct eng_game *game, uint8_t seat); /* away or left: a bot plays it */
/* In phase ENG_TO_GROUP: whether the hand waits for this seat's final grouping (or for ENG_CLOSE). */
bool eng_seat_to_group(const struct eng_game *game, uint8_t seat);
/* Whether the seat is out of the session and not dealt in: eliminated or, in the declare family, left. */
bool eng_seat_is_out(const struct eng_game *game, uint8_t seat);
/* Checks that cards are conserved, counts and masks agree, and staged state is consistent; aborts otherwise.
 * Used by tests and, after each apply, in debug builds. */
void eng_check(const struct eng_game *game);

/* ---- Views: the only way to see a game --------------------------------------------------------- */
struct eng_view_meld {
    uint8_t id, kind, owner, staged;
    uint8_t low; /* run: rank place of the first card, 0 (ace low) .. 13 (ace high); set: the rank */
    uint8_t suit;
    uint8_t n;
    uint8_t cards[ENG_RUN_MAX];
};
struct eng_view_grouping {
    uint8_t n; /* 0: none, or none that the viewer may see */
    uint8_t groups;
    uint8_t lens[ENG_GROUPS_MAX];
    uint8_t cards[ENG_HAND_MAX]; /* group after group, then the rest */
};
struct eng_view {
    const struct eng_params *params;
    uint32_t v;
    uint8_t viewer; /* seat or ENG_SPECTATOR */
    uint8_t players, phase, to_move, hand_no, starter;
    uint8_t hand_n;
    uint8_t hand[ENG_HAND_MAX]; /* ascending; empty for a spectator */
    uint8_t cards_n[ENG_SEAT_MAX];
    bool opened[ENG_SEAT_MAX], away[ENG_SEAT_MAX], left[ENG_SEAT_MAX];
    uint16_t round[ENG_SEAT_MAX]; /* completed turns + 1 */
    uint16_t stock_n, discard_n;
    uint8_t discard[ENG_CARD_MAX]; /* bottom to top; all cards were public when discarded */
    uint8_t melds_n;
    struct eng_view_meld melds[ENG_MELD_MAX];
    /* State of the current turn, which is public because every step was an event. */
    bool drew, may_cancel_draw, must_open, stock_only, opening_turn;
    bool from_discard;  /* drew the top discard */
    bool melds_spent;   /* ENG_TURN_MOVES_MAX is reached: no more melds in this turn */
    uint8_t drawn_card; /* if the viewer drew it or it came from the discard pile; otherwise ENG_NO_CARD */
    uint16_t staged_sum, opening_min;
    uint8_t freed_jokers;                               /* taken by swaps in this turn */
    uint8_t freed_meld[ENG_CARD_MAX - ENG_JOKER_FIRST]; /* per joker: its origin, until it is used */
    uint8_t flips;                                      /* how often the stock was turned over in this hand */
    int32_t points[ENG_SEAT_MAX]; /* totals of the session, including the hand once it is over */
    int32_t bonus[ENG_SEAT_MAX];  /* the part of each total that was won; bonus - points is the penalty */
    uint8_t place[ENG_SEAT_MAX];
    uint8_t winner;  /* of the hand */
    uint8_t winners; /* one bit per winner of the session once it is over */
    /* The declare family. */
    uint8_t wild_card;             /* turned up, out of play; ENG_NO_CARD: none */
    uint8_t wild_rank;             /* 0..12; ENG_NO_CARD: none */
    bool may_take;                 /* the top discard may be taken, no matter who is to move */
    bool eliminated[ENG_SEAT_MAX]; /* out of the session: not dealt in */
    bool sat_out[ENG_SEAT_MAX];    /* not dealt into this hand */
    bool dropped[ENG_SEAT_MAX], wrong[ENG_SEAT_MAX]; /* out of this hand: by a drop; by a wrong declaration */
    int16_t lost[ENG_SEAT_MAX];                      /* their penalty points */
    uint8_t declarer;                                /* seat with a valid declaration, or ENG_NO_SEAT */
    bool to_group[ENG_SEAT_MAX];                     /* the hand waits for their grouping */
    /* The viewer's own saved grouping, and public ones: declarations and scored groupings. */
    struct eng_view_grouping grouping[ENG_SEAT_MAX];
    int16_t drop_points; /* what a drop costs the viewer, on their turn before drawing; 0: no drop possible */
    bool may_group;      /* the viewer may save a grouping */
    bool may_rejoin;
    int32_t rejoin_total; /* the viewer's total after rejoining */
};
/* The only function that produces what a seat may see. Fills every byte of *view. */
void eng_view(const struct eng_game *game, uint8_t viewer, struct eng_view *view);
/* The event as `viewer` may see it: with the same v, but without cards (n = 0) that only another seat may
 * see. */
void eng_event_view(const struct eng_event *event, uint8_t viewer, struct eng_event *seen);

/* ---- Legal moves ---------------------------------------------------------------------------- */
/* types: bit (1u << enum eng_move_type) for each type of move that the viewer can make now; 0 if there is
 * none. moves: all legal moves except declarations and groupings, up to the capacity (`more`: there are
 * others); melds come last. Melds that differ only in which of two equal cards or of several jokers they
 * contain are listed once, and sets are listed in one order only. */
enum { ENG_LEGAL_MAX = 256 };
struct eng_legal {
    uint32_t types;
    uint16_t n;
    uint8_t seat; /* the viewer */
    bool more;
    struct eng_move moves[ENG_LEGAL_MAX];
};
void eng_legal(const struct eng_view *view, struct eng_legal *legal);
/* Suggestions from the solver, on demand. Meld family: melds that can be laid now, one after another;
 * before opening, only if they open together. Declare family: a valid declaration, or the best grouping
 * after one. */
enum { ENG_HINTS_MAX = ENG_HAND_MAX / 3 };
struct eng_hints {
    uint16_t n;
    struct eng_move moves[ENG_HINTS_MAX];
};
void eng_hints(const struct eng_view *view, struct eng_hints *hints);

/* ---- Bots ------------------------------------------------------------------------------------------ */
enum eng_bot_level { ENG_BOT_EASY = 1, ENG_BOT_MEDIUM, ENG_BOT_STRONG, ENG_BOT_MASTER };
enum { ENG_BOT_LEVELS = ENG_BOT_MASTER + 1 };
const char *eng_bot_level_name(enum eng_bot_level level); /* as on the wire */
/* The next move of the seat to move, from its view only. rng: the bot's private state, not the deal's. The
 * move is always legal. Call this repeatedly until the turn has passed. */
void eng_bot_move(const struct eng_view *view, enum eng_bot_level level, uint64_t *rng,
                  struct eng_move *move);
/* The same for ENG_BOT_MASTER, which takes milliseconds because it plays thousands of moves. For a master,
 * eng_bot_move makes a quick move, about as good as a strong bot's. */
struct eng_master; /* engine/bots/master.h: its working memory, of fixed size, owned by the caller */
void eng_master_move(const struct eng_view *view, struct eng_master *master, uint64_t *rng,
                     struct eng_move *move);
/* Initial random state of a bot's move at this version of a live table: the first 8 bytes, big endian, of
 * HMAC-SHA-256(server_seed, "rummy-bots-1" | table id (64-bit big endian) | hand number and version (32-bit
 * big endian each)). Any node that takes over the table makes the same move, and players cannot predict
 * it. */
uint64_t eng_bot_seed(const uint8_t server_seed[32], uint64_t table_id, uint32_t hand_no, uint32_t v);
/* Whether the viewer, who is out, would rejoin a pool between hands (ENG_REJOIN). */
bool eng_bot_rejoins(const struct eng_view *view, enum eng_bot_level level);

/* ---- Fair deals (docs/fairness.md) ------------------------------------------------------------------- */
struct eng_client_seed {
    uint8_t len; /* 0, or 16..32 */
    uint8_t bytes[ENG_CLIENT_SEED_MAX];
};
void eng_seed_commit(uint8_t commit[32], const uint8_t server_seed[32]);
/* key = HMAC-SHA-256(server_seed, "rummy-deal-1" | table id (64-bit big endian) | hand number (32-bit big
 * endian) | for each seat: length byte, client seed). */
void eng_deal_key(uint8_t key[ENG_KEY_BYTES], const uint8_t server_seed[32], uint64_t table_id,
                  uint32_t hand_no, const struct eng_client_seed *seeds, int players);

#endif
