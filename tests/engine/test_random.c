/* Properties, over random games of legal and illegal moves: a refusal changes nothing, the invariants
 * hold after every move, versions count events, somebody may always move, every game ends, and playing the
 * accepted moves again gives the same game. */
#include <criterion/criterion.h>
#include <string.h>

#include "tests/engine/play.h"

enum { GAMES = 400, MOVES_MAX = 60000 };

static struct eng_move accepted[MOVES_MAX];

/* One move of any kind; true when it was accepted. */
static bool step(struct eng_game *g, uint64_t *rng, struct eng_move *m)
{
    struct eng_game before = *g;
    struct eng_outcome out;
    if (play_below(rng, 12) == 0)
        play_nonsense(g, rng, m);
    else
        play_propose(g, rng, m);
    enum eng_refusal code = eng_apply(g, m, &out);
    cr_assert_eq(out.code, code);
    if (code != ENG_OK) {
        cr_assert_eq(memcmp(&before, g, sizeof before), 0, "a refusal changed the game");
        cr_assert_eq(out.events_n, 0);
        return false;
    }
    eng_check(g);
    cr_assert_geq(out.events_n, 1);
    cr_assert_eq(eng_version(g), eng_version(&before) + out.events_n);
    return true;
}

/* From any moment the mover has a plain way to end his turn. */
static void somebody_may_move(const struct eng_game *g)
{
    struct eng_game copy = *g;
    struct eng_outcome out;
    uint64_t rng = 3;
    for (int i = 0; i < 6; i++) {
        struct eng_move m;
        if (copy.to_move != g->to_move || eng_seat_to_move(&copy) == ENG_NO_SEAT)
            return;
        play_plain(&copy, &rng, &m);
        cr_assert_eq(eng_apply(&copy, &m, &out), ENG_OK, "%s", eng_refusal_name(out.code));
    }
    cr_assert_fail("a turn that does not end");
}

static void replay(const struct eng_game *start, uint32_t n, const struct eng_game *end)
{
    struct eng_game g = *start;
    struct eng_outcome out;
    for (uint32_t i = 0; i < n; i++) {
        uint8_t bytes[ENG_MOVE_BYTES_MAX];
        struct eng_move back;
        int len = eng_move_encode(bytes, &accepted[i]);
        cr_assert(eng_move_decode(&back, bytes, (size_t)len));
        cr_assert_eq(eng_apply(&g, &back, &out), ENG_OK);
    }
    cr_assert_eq(memcmp(&g, end, sizeof g), 0);
    cr_assert_eq(eng_hash(&g), eng_hash(end));
}

/* The starter rotates, the totals stay. */
static void next_hand(struct eng_game *g)
{
    struct eng_game before = *g;
    struct eng_outcome out;
    uint8_t key[ENG_KEY_BYTES] = {g->hand_no, 1};
    eng_deal(g, key, &out);
    eng_check(g);
    cr_assert_eq(g->starter, (before.starter + 1) % g->players);
    cr_assert_eq(memcmp(before.points, g->points, sizeof g->points), 0);
}

static struct eng_params some_row(uint64_t number, uint64_t *rng)
{
    static const char *const variants[] = {"rummy51", "straight", "treff", "rummy40", "rami"};
    struct eng_params p = *eng_params_find(variants[number / 2 % ARRAY_LEN(variants)]);
    if (number % 2 == 0) {
        if (play_below(rng, 2) == 0)
            eng_params_set(&p, "ace", "high");
        if (play_below(rng, 2) == 0)
            eng_params_set(&p, "target", "50");
        return p;
    }
    /* Every switch of a row that random games can meet. */
    p.opening_min = (int16_t)(play_below(rng, 3) * 20);
    p.below_minimum = (int16_t)play_below(rng, 2);
    p.meld_in_round_1 = (int16_t)play_below(rng, 2);
    p.discard_obliges = (int16_t)play_below(rng, 2);
    p.taken_discard_in_opening = (int16_t)play_below(rng, 2);
    p.throw_back = (int16_t)play_below(rng, 2);
    p.lay_off_unopened = p.opening_min == 0 && !p.discard_obliges;
    p.swap_set_full = (int16_t)play_below(rng, 2);
    p.joker_joins_set = (int16_t)play_below(rng, 2);
    p.jokers_ratio = (int16_t)play_below(rng, 3);
    p.starter_extra = (int16_t)play_below(rng, 2);
    p.face_up_start = (int16_t)(1 - p.starter_extra);
    p.packs = (int16_t)(1 + play_below(rng, 2));
    p.stock_flips = (int16_t)play_below(rng, 3);
    p.last_discard_forced = (int16_t)play_below(rng, 2);
    p.one_card_rule = (int16_t)play_below(rng, 2);
    p.joker_buried = (int16_t)play_below(rng, 2);
    p.swapped_joker_kept = (int16_t)play_below(rng, 2);
    p.jokers_apart = (int16_t)play_below(rng, 2);
    p.session_hands = (int16_t)(1 + play_below(rng, 3));
    p.deal = p.deal_two = (int16_t)(p.packs == 1 ? 7 : 13);
    return p;
}

Test(random, games_keep_every_promise)
{
    long moves = 0;
    for (uint64_t number = 0; number < GAMES; number++) {
        uint64_t rng = number;
        struct eng_params row = some_row(number, &rng);
        struct eng_outcome out;
        struct eng_game g;
        uint32_t n = 0;
        play_deal(&g, &row, 2 + (int)(number % 3), number, &out);
        eng_check(&g);
        struct eng_game start = g;
        while (eng_phase(&g) != ENG_SESSION_OVER) {
            struct eng_move m;
            if (eng_phase(&g) == ENG_HAND_OVER) {
                replay(&start, n, &g);
                next_hand(&g);
                start = g;
                n = 0;
            }
            if (step(&g, &rng, &m)) {
                cr_assert_lt(n, MOVES_MAX);
                accepted[n++] = m;
            }
            if (eng_seat_to_move(&g) != ENG_NO_SEAT && (moves & 7) == 0)
                somebody_may_move(&g);
            moves++;
        }
        replay(&start, n, &g);
    }
    cr_assert_gt(moves, 100000);
}

Test(random, the_hash_hears_every_byte)
{
    struct eng_game g;
    struct eng_outcome out;
    play_deal(&g, eng_params_find("rummy51"), 4, 1, &out);
    uint64_t hash = eng_hash(&g);
    for (size_t i = 0; i < sizeof g; i++) {
        unsigned char *byte = (unsigned char *)&g + i;
        if (i == offsetof(struct eng_game, players))
            continue;
        *byte ^= 1;
        cr_assert_neq(eng_hash(&g), hash, "byte %zu", i);
        *byte ^= 1;
    }
    cr_assert_eq(eng_hash(&g), hash);
}

/* One number for many seeded games: a change that means no change of rules keeps it. */
Test(random, signature)
{
    uint64_t signature = 0;
    for (uint64_t number = 0; number < 50; number++) {
        uint64_t rng = number;
        struct eng_outcome out;
        struct eng_game g;
        play_deal(&g, eng_params_find("rummy51"), 2 + (int)(number % 3), number, &out);
        while (eng_phase(&g) != ENG_SESSION_OVER) {
            struct eng_move m;
            play_propose(&g, &rng, &m);
            eng_apply(&g, &m, &out);
        }
        signature = signature * 31 + (uint64_t)g.points[0] + g.v * 7U + g.turns[0] * 131U + g.place[1];
    }
    cr_assert_eq(signature, UINT64_C(11245510597733850245), "%llu", (unsigned long long)signature);
}
