/* See prove.h. It does not use Criterion, because the nightly program also checks these properties. */
#include "tests/engine/prove.h"

#include <string.h>

#include "base/bug.h"
#include "base/text.h"
#include "engine/record/record.h"
#include "tests/engine/play.h"

enum {
    MOVES_MAX = ENG_HAND_MOVES_MAX,
    TRIES_MAX = 4000000, /* proposals per hand */
    NONSENSE = 12,       /* one move in this many is random bytes */
    EVERY_PLAIN = 8,     /* moves between checks that cost more than a move */
    EVERY_VIEW = 16,
    EVERY_LEGAL = 64,
    EVERY_RECORD = 8,   /* hands */
    TURN_STEPS_MAX = 8, /* limit for a plain way to end a turn */
    TEXT_MAX = 4 << 20,
};

/* ---- Rows ---- */

static const struct {
    const char *name, *values[4];
} options[] = {
    {"ace", {"low", "high"}},          {"target", {"50", "150", "500"}},
    {"rounds", {"1", "2", "9"}},       {"opening_min", {"1", "40", "51", "200"}},
    {"turn_s", {"10", "120"}},         {"taken_discard_in_opening", {"0", "1"}},
    {"wild_scope", {"rank", "exact"}}, {"wild_natural_pure", {"0", "1"}},
};

static int values_of(size_t option)
{
    int n = 0;
    while (n < 4 && options[option].values[n] != NULL)
        n++;
    ASSERT(n >= 2);
    return n;
}

static void throw_switches(struct eng_params *p, uint64_t *rng)
{
    p->opening_min = (int16_t)(play_below(rng, 3) * 20);
    p->below_minimum = (int16_t)play_below(rng, 2);
    p->meld_in_round_1 = (int16_t)play_below(rng, 2);
    p->discard_obliges = (int16_t)play_below(rng, 2);
    p->taken_discard_in_opening = (int16_t)play_below(rng, 2);
    p->throw_back = (int16_t)play_below(rng, 2);
    p->lay_off_unopened = p->opening_min == 0 && !p->discard_obliges;
    p->swap_set_full = (int16_t)play_below(rng, 2);
    p->joker_joins_set = (int16_t)play_below(rng, 2);
    p->jokers_ratio = (int16_t)play_below(rng, 3);
    if (p->jokers_ratio == ENG_JOKERS_ONE_NATURAL)
        p->jokers_set_max = 1;
    p->starter_extra = (int16_t)play_below(rng, 2);
    p->face_up_start = (int16_t)(1 - p->starter_extra);
    p->packs = (int16_t)(1 + play_below(rng, 2));
    p->stock_flips = (int16_t)play_below(rng, 3);
    p->last_discard_forced = (int16_t)play_below(rng, 2);
    p->one_card_rule = (int16_t)play_below(rng, 2);
    p->joker_buried = (int16_t)play_below(rng, 2);
    p->swapped_joker_kept = (int16_t)play_below(rng, 2);
    if (p->jokers > 0 && !p->swapped_joker_kept)
        p->throw_back = 1; /* undoing a swap could leave nothing else to discard */
    p->jokers_apart = (int16_t)play_below(rng, 2);
    p->session_hands = (int16_t)(1 + play_below(rng, 3));
    p->deal = p->deal_two = (int16_t)(p->packs == 1 ? 7 : 13);
}

bool prove_varies(const char *option)
{
    for (size_t i = 0; i < ARRAY_LEN(options); i++)
        if (strcmp(options[i].name, option) == 0)
            return true;
    return false;
}

static size_t variants(void)
{
    size_t n = 0;
    while (eng_params_at(n) != NULL)
        n++;
    return n;
}

struct eng_params prove_row(uint64_t number, int *players)
{
    uint64_t rng = number;
    struct eng_params p = *eng_params_at(number / 3 % variants());
    if (number % 3 == 0 && p.family == ENG_FAMILY_MELD) {
        throw_switches(&p, &rng);
    } else {
        for (size_t i = 0; i < ARRAY_LEN(options); i++)
            if (play_below(&rng, 2) == 0)
                eng_params_set(&p, options[i].name,
                               options[i].values[play_below(&rng, (uint32_t)values_of(i))]);
    }
    *players = p.players_min + (int)play_below(&rng, (uint32_t)(p.players_max - p.players_min + 1));
    ASSERT(eng_params_ok(&p, *players));
    return p;
}

/* ---- One session ---- */

/* Data kept about a hand. */
struct hand {
    struct eng_game before, start; /* before and after the deal */
    uint8_t seed[32];
    uint32_t n;
    struct eng_move moves[MOVES_MAX];
};

struct walk {
    struct prove_counts *counts;
    uint64_t number, rng;
    struct eng_game g;
    struct eng_outcome out;
    struct hand hand;
    struct eng_between between; /* actions before this hand */
    struct eng_record earlier;  /* the previous hand, without its steps: what the next one must continue */
    struct eng_game followed;   /* how that one ended; without players: there was none */
};

static const struct eng_client_seed no_seeds[ENG_SEAT_MAX];

static void deal(struct walk *w)
{
    uint8_t key[ENG_KEY_BYTES];
    struct hand *h = &w->hand;
    h->before = w->g;
    h->n = 0;
    for (int i = 0; i < 32; i++)
        h->seed[i] = (uint8_t)play_random(&w->rng);
    eng_deal_key(key, h->seed, w->number, w->g.hand_no + 1U, no_seeds, w->g.players);
    eng_deal(&w->g, key, &w->out);
    eng_check(&w->g);
    ASSERT(w->g.rare_hash == eng_hash_rare(&w->g));
    ASSERT(eng_version(&w->g) == eng_version(&h->before) + w->out.events_n);
    ASSERT(memcmp(w->g.points, h->before.points, sizeof w->g.points) == 0 || h->before.hand_no == 0);
    h->start = w->g;
    w->counts->hands++;
}

static void propose(const struct eng_game *g, uint64_t *rng, struct eng_move *m)
{
    if (g->params.family == ENG_FAMILY_DECLARE && play_below(rng, 8) != 0)
        play_well(g, rng, m);
    else
        play_propose(g, rng, m);
}

static void make(struct walk *w, const struct eng_move *m)
{
    struct eng_game before = w->g;
    enum eng_refusal code = eng_apply(&w->g, m, &w->out);
    ASSERT(w->out.code == code && w->out.refused_n <= ENG_MOVE_CARDS_MAX);
    if (code != ENG_OK) {
        ASSERT(w->out.events_n == 0);
        ASSERT(memcmp(&before, &w->g, sizeof before) == 0);
        w->counts->refused++;
        return;
    }
    eng_check(&w->g);
    ASSERT(w->g.rare_hash == eng_hash_rare(&w->g));
    ASSERT(w->out.events_n >= 1 && eng_version(&w->g) == eng_version(&before) + w->out.events_n);
    w->counts->moves++;
    if (before.phase == ENG_HAND_OVER) { /* not a move of this hand */
        eng_between_add(&w->between, m);
        return;
    }
    ASSERT(w->hand.n < MOVES_MAX);
    w->hand.moves[w->hand.n++] = *m;
}

static void step(struct walk *w)
{
    struct eng_move m;
    if (play_below(&w->rng, NONSENSE) == 0)
        play_nonsense(&w->g, &w->rng, &m);
    else
        propose(&w->g, &w->rng, &m);
    make(w, &m);
}

static bool is_played(const struct eng_game *g)
{
    return g->phase == ENG_TO_DRAW || g->phase == ENG_TO_PLAY;
}

/* At any time the mover has a plain way to end their turn. */
static void somebody_may_move(const struct walk *w)
{
    struct eng_game copy = w->g;
    struct eng_outcome out;
    uint64_t rng = 3;
    for (int i = 0; i < TURN_STEPS_MAX; i++) {
        struct eng_move m;
        if (copy.to_move != w->g.to_move || !is_played(&copy))
            return;
        play_plain(&copy, &rng, &m);
        enum eng_refusal code = eng_apply(&copy, &m, &out);
        ASSERT(code == ENG_OK);
    }
    BUG("an endless turn");
}

/* Information hidden from a viewer does not affect their view. */
static void views_hide(struct walk *w)
{
    for (int i = 0; i <= w->g.players; i++) {
        uint8_t viewer = (uint8_t)(i < w->g.players ? i : ENG_SPECTATOR);
        struct eng_game changed = w->g;
        struct eng_view one, other;
        prove_change_hidden(&changed, viewer, &w->rng);
        memset(&one, 0x55, sizeof one); /* every byte is written */
        memset(&other, 0xaa, sizeof other);
        eng_view(&w->g, viewer, &one);
        eng_view(&changed, viewer, &other);
        ASSERT(one.params == &w->g.params);
        other.params = one.params;
        ASSERT(memcmp(&one, &other, sizeof one) == 0);
    }
}

static void legal_is_legal(const struct walk *w, uint8_t seat)
{
    struct eng_view view;
    struct eng_legal legal;
    struct eng_hints hints;
    struct eng_outcome out;
    eng_view(&w->g, seat, &view);
    eng_legal(&view, &legal);
    ASSERT(legal.types != 0 || !is_played(&w->g));
    for (int i = 0; i < legal.n; i++) {
        struct eng_game copy = w->g;
        enum eng_refusal code = eng_apply(&copy, &legal.moves[i], &out);
        ASSERT(code == ENG_OK);
    }
    eng_hints(&view, &hints);
    struct eng_game copy = w->g;
    for (int i = 0; i < hints.n; i++) {
        enum eng_refusal code = eng_apply(&copy, &hints.moves[i], &out);
        ASSERT(code == ENG_OK && (legal.types >> hints.moves[i].type & 1) != 0);
    }
}

/* Replays the hand from the bytes that a journal stores for its moves. */
static void replays(const struct walk *w)
{
    const struct hand *h = &w->hand;
    struct eng_game g = h->start;
    struct eng_outcome out;
    for (uint32_t i = 0; i < h->n; i++) {
        uint8_t bytes[ENG_MOVE_BYTES_MAX];
        struct eng_move back;
        int len = eng_move_encode(bytes, &h->moves[i]);
        ASSERT(eng_move_decode(&back, bytes, (size_t)len));
        enum eng_refusal code = eng_apply(&g, &back, &out);
        ASSERT(code == ENG_OK);
    }
    ASSERT(memcmp(&g, &w->g, sizeof g) == 0 && eng_hash(&g) == eng_hash(&w->g));
}

/* The record of the hand is valid, and printing, parsing, and printing it again gives the same text. */
static void records(const struct walk *w)
{
    static struct eng_record one, two;
    static struct eng_step steps[MOVES_MAX], read[MOVES_MAX];
    static char text[TEXT_MAX], again[TEXT_MAX];
    const struct hand *h = &w->hand;
    struct eng_verdict verdict;
    struct eng_record_error error;
    eng_record_init(&one, &w->g.params, w->g.players, steps, MOVES_MAX);
    if (h->before.hand_no > 0)
        eng_record_follow(&one, &h->before, &w->between);
    ASSERT(h->before.hand_no == 0 || one.setup.starter == h->start.starter);
    eng_record_set_seed(&one, h->seed);
    one.table_id = w->number;
    bool played = eng_record_play(&one, h->moves, h->n, &verdict);
    ASSERT(played);
    struct buf b = buf_on(text, sizeof text), c = buf_on(again, sizeof again);
    eng_record_print(&one, &b);
    ASSERT(!b.full && b.len <= eng_record_text_max(h->n));
    two.steps = read;
    two.steps_max = MOVES_MAX;
    bool parsed = eng_record_parse(&two, text, b.len, &error);
    ASSERT(parsed);
    ASSERT(one.steps_n == two.steps_n && memcmp(steps, read, one.steps_n * sizeof *steps) == 0);
    eng_record_print(&two, &c);
    ASSERT(b.len == c.len && memcmp(text, again, b.len) == 0);
    bool holds = eng_record_verify(&two, &verdict);
    ASSERT(holds);
    if (w->followed.players > 0) {
        bool follows = eng_record_follows(&two, &w->earlier, &w->followed, &verdict);
        ASSERT(follows);
    }
    w->counts->records++;
}

static void play_hand(struct walk *w)
{
    for (uint64_t tries = 0; w->g.phase != ENG_HAND_OVER && w->g.phase != ENG_SESSION_OVER; tries++) {
        ASSERT(tries < TRIES_MAX);
        step(w);
        if (!is_played(&w->g) && w->g.phase != ENG_TO_GROUP)
            continue;
        if (tries % EVERY_PLAIN == 0 && is_played(&w->g))
            somebody_may_move(w);
        if (tries % EVERY_VIEW == 0 || w->g.phase == ENG_TO_GROUP)
            views_hide(w);
        if (tries % EVERY_LEGAL == 0 || w->g.phase == ENG_TO_GROUP)
            legal_is_legal(w, (uint8_t)(is_played(&w->g) ? w->g.to_move : tries % w->g.players));
    }
    views_hide(w);
    replays(w);
    if ((w->number + w->g.hand_no) % EVERY_RECORD == 0)
        records(w);
}

/* Between two hands players may leave, return, rejoin. */
static void between_hands(struct walk *w)
{
    static const uint8_t types[] = {ENG_REJOIN, ENG_RETURN, ENG_RETURN, ENG_LEAVE};
    w->followed = w->g;
    w->between.n = 0;
    w->earlier = (struct eng_record){
        .params = w->g.params, .players = w->g.players, .table_id = w->number, .hand_no = w->g.hand_no};
    for (uint8_t seat = 0; seat < w->g.players && w->g.phase == ENG_HAND_OVER; seat++) {
        struct eng_move m = {.seat = seat, .meld = ENG_NO_MELD};
        m.type = types[play_below(&w->rng, ARRAY_LEN(types))];
        if (play_below(&w->rng, m.type == ENG_LEAVE ? 16 : 2) == 0)
            make(w, &m);
    }
    const struct eng_move close = {.type = ENG_CLOSE, .meld = ENG_NO_MELD};
    if (w->g.phase == ENG_HAND_OVER)
        step(w); /* any other action is refused */
    bool alone = w->g.phase == ENG_HAND_OVER && !eng_may_deal(&w->g);
    if (alone)
        make(w, &close);
    ASSERT(!alone || w->g.phase == ENG_SESSION_OVER);
}

void prove_session(uint64_t number, struct prove_counts *counts)
{
    static struct walk w; /* large */
    int players;
    struct eng_params row = prove_row(number, &players);
    w = (struct walk){.counts = counts, .number = number, .rng = ~number};
    eng_init(&w.g, &row, players);
    while (w.g.phase != ENG_SESSION_OVER) {
        deal(&w);
        play_hand(&w);
        between_hands(&w);
    }
    counts->sessions++;
}

/* ---- The signature ---- */

static void fold(uint64_t *hash, uint64_t value)
{
    for (int i = 0; i < 8; i++) {
        *hash ^= value >> (8 * i) & 0xff;
        *hash *= UINT64_C(0x100000001b3);
    }
}

/* The small numbers of an event as one word. The signature must stay the same for years: the position of each
 * type's numbers must not change. */
static uint64_t small_numbers(const struct eng_event *e)
{
    uint8_t a = 0, b = 0, c = 0;
    switch ((enum eng_event_type)e->type) {
    case ENG_EV_DEALT:
        a = e->dealt.hand_no;
        b = e->dealt.stock_n;
        break;
    case ENG_EV_TURN:
        a = e->turn.phase;
        break;
    case ENG_EV_DREW:
        a = e->drew.pile;
        b = e->drew.must_open;
        break;
    case ENG_EV_MELDED:
        a = e->melded.kind;
        b = e->melded.low;
        c = e->melded.staged;
        break;
    case ENG_EV_LAID_OFF:
        a = e->laid_off.end;
        break;
    case ENG_EV_SWAPPED:
    case ENG_EV_SWAP_UNDONE:
        a = e->swapped.place;
        break;
    case ENG_EV_DISCARDED:
        a = e->discarded.buried;
        break;
    case ENG_EV_HAND_ENDED:
        a = e->hand_ended.ending;
        b = e->hand_ended.rummy;
        break;
    case ENG_EV_SCORED:
        a = e->scored.place;
        b = e->scored.cards_left;
        c = e->scored.flags;
        break;
    case ENG_EV_DROPPED:
        a = e->dropped.how;
        break;
    case ENG_EV_DECLARED:
        b = e->declared.refusal == ENG_OK;
        c = e->declared.refusal;
        break;
    case ENG_EV_GROUPED:
        a = e->grouped.for_good;
        break;
    default:
        break;
    }
    return (uint64_t)a << 16 | (uint64_t)b << 8 | c;
}

static void fold_events(uint64_t *hash, const struct eng_outcome *out)
{
    fold(hash, out->code == ENG_OK ? out->events_n : 255);
    for (int i = 0; i < out->events_n; i++) {
        const struct eng_event *e = &out->events[i];
        fold(hash, (uint64_t)e->type << 48 | (uint64_t)e->seat << 40 | (uint64_t)e->private_to << 32 |
                       (uint64_t)e->meld << 24 | small_numbers(e));
        fold(hash, (uint64_t)eng_event_number(e));
        for (int k = 0; k < e->n; k++)
            fold(hash, e->cards[k]);
        for (int k = 0; k < e->groups; k++)
            fold(hash, e->lens[k]);
    }
}

static void sign_session(uint64_t *hash, const struct eng_params *row, int players, uint64_t number)
{
    struct eng_game g;
    struct eng_outcome out;
    uint64_t rng = number;
    eng_init(&g, row, players);
    while (g.phase != ENG_SESSION_OVER) {
        if (g.phase == ENG_HAND_OVER && !eng_may_deal(&g)) {
            const struct eng_move close = {.type = ENG_CLOSE, .meld = ENG_NO_MELD};
            eng_apply(&g, &close, &out);
        } else if (g.phase == ENG_TO_DEAL || g.phase == ENG_HAND_OVER) {
            uint8_t key[ENG_KEY_BYTES] = {g.hand_no, (uint8_t)number, (uint8_t)players};
            eng_deal(&g, key, &out);
        } else {
            struct eng_move m;
            propose(&g, &rng, &m);
            eng_apply(&g, &m, &out);
        }
        fold_events(hash, &out);
    }
    for (int seat = 0; seat < players; seat++)
        fold(hash, (uint64_t)g.points[seat]);
}

uint64_t prove_signature(const struct eng_params *row)
{
    uint64_t hash = UINT64_C(0xcbf29ce484222325), number = 0;
    for (int players = row->players_min; players <= row->players_max; players++) {
        sign_session(&hash, row, players, number++);
        for (size_t i = 0; i < ARRAY_LEN(options); i++) {
            for (int k = 0; k < values_of(i); k++) {
                struct eng_params p = *row;
                if (eng_params_set(&p, options[i].name, options[i].values[k]))
                    sign_session(&hash, &p, players, number++);
            }
        }
    }
    return hash;
}
