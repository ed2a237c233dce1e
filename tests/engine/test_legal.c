/* Compares eng_legal with eng_apply over random play: every listed move is accepted, and every accepted
 * move of the kinds that can be enumerated (draws, discards, lay-offs, swaps, melds of three and four
 * cards) is listed or has its bit. */
#include <criterion/criterion.h>
#include <string.h>

#include "engine/play/legal.h"
#include "tests/engine/play.h"
#include "tests/engine/prove.h"
#include "tests/engine/table.h"

static bool accepted(const struct eng_game *game, const struct eng_move *move)
{
    struct eng_game copy = *game;
    struct eng_outcome out;
    return eng_apply(&copy, move, &out) == ENG_OK;
}

static bool listed(const struct eng_legal *legal, const struct eng_move *move)
{
    for (int i = 0; i < legal->n; i++) {
        const struct eng_move *m = &legal->moves[i];
        if (m->type == move->type && m->meld == move->meld && m->end == move->end && m->n == move->n &&
            memcmp(m->cards, move->cards, m->n) == 0)
            return true;
    }
    return false;
}

static void same_answer(const struct eng_game *game, const struct eng_legal *legal,
                        const struct eng_move *move)
{
    cr_assert_eq(accepted(game, move), listed(legal, move), "type %d cards %d %d n %d meld %d end %d",
                 move->type, move->cards[0], move->cards[1], move->n, move->meld, move->end);
}

static void check_discards(const struct eng_game *game, const struct eng_view *view,
                           const struct eng_legal *legal)
{
    struct eng_move m = {.type = ENG_DISCARD, .seat = view->to_move, .meld = ENG_NO_MELD};

    for (int i = 0; i < view->hand_n; i++) {
        m.n = 1;
        m.cards[0] = view->hand[i];
        same_answer(game, legal, &m);
        m.n = 2;
        for (int k = i + 1; k < view->hand_n; k++) {
            m.cards[0] = view->hand[k]; /* the joker, if any, is the later one */
            m.cards[1] = view->hand[i];
            if (eng_is_joker(m.cards[0]) && !eng_is_joker(m.cards[1]))
                same_answer(game, legal, &m);
            else if (view->hand_n > 2)
                cr_assert(!accepted(game, &m));
        }
    }
    if (view->hand_n > 1 && view->hand_n <= ENG_MOVE_CARDS_MAX && eng_is_joker(view->hand[0])) {
        m.n = view->hand_n;
        memcpy(m.cards, view->hand, m.n);
        same_answer(game, legal, &m);
    }
}

static void check_joins(const struct eng_game *game, const struct eng_view *view,
                        const struct eng_legal *legal)
{
    for (int i = 0; i < view->melds_n; i++) {
        const struct eng_view_meld *meld = &view->melds[i];
        for (int k = 0; k < view->hand_n; k++) {
            struct eng_move m = {.type = ENG_LAY_OFF, .seat = view->to_move, .meld = meld->id, .n = 1};
            m.cards[0] = view->hand[k];
            if (meld->kind == ENG_SET) {
                same_answer(game, legal, &m);
            } else {
                for (int end = ENG_END_LOW; end <= ENG_END_HIGH; end++) {
                    m.end = (uint8_t)end;
                    same_answer(game, legal, &m);
                }
            }
            m.type = ENG_SWAP;
            m.end = ENG_END_NONE;
            m.n = 2;
            for (int j = 0; j < meld->n; j++) {
                m.cards[1] = meld->cards[j];
                if (eng_is_joker(m.cards[1]))
                    same_answer(game, legal, &m);
                else
                    cr_assert(!accepted(game, &m));
            }
        }
    }
}

/* ---- Melds ---- */

enum { MELDS_MAX = 4096, JOKER = ENG_PACK_CARDS };

/* Identifies a meld by its contents: equal cards are the same, all jokers are the same, and a set has one
 * order. */
struct kinds {
    uint8_t n, of[ENG_MOVE_CARDS_MAX];
};

static struct kinds kinds_of(const uint8_t *cards, int n)
{
    struct kinds k = {.n = (uint8_t)n};
    unsigned ranks = 0;
    int naturals = 0;

    for (int i = 0; i < n; i++) {
        k.of[i] = eng_is_joker(cards[i]) ? JOKER : cards[i] % ENG_PACK_CARDS;
        ranks |= eng_is_joker(cards[i]) ? 0 : 1U << eng_rank(cards[i]);
        naturals += !eng_is_joker(cards[i]);
    }
    bool set = naturals > 1 && (ranks & (ranks - 1)) == 0;
    for (int i = 1; i < n && set; i++) {
        for (int at = i; at > 0 && k.of[at - 1] > k.of[at]; at--) {
            uint8_t swap = k.of[at];
            k.of[at] = k.of[at - 1];
            k.of[at - 1] = swap;
        }
    }
    return k;
}

static bool add_kinds(struct kinds *all, int *n, const uint8_t *cards, int cards_n)
{
    struct kinds k = kinds_of(cards, cards_n);

    for (int i = 0; i < *n; i++)
        if (memcmp(&all[i], &k, sizeof k) == 0)
            return false;
    cr_assert_lt(*n, MELDS_MAX);
    all[(*n)++] = k;
    return true;
}

/* Every ordered choice of n cards that is accepted as a meld. */
static void try_melds(const struct eng_game *game, const struct eng_view *view, struct eng_move *m, int size,
                      struct kinds *all, int *n)
{
    if (m->n == size) {
        if (accepted(game, m))
            (void)add_kinds(all, n, m->cards, m->n);
        return;
    }
    for (int i = 0; i < view->hand_n; i++) {
        if (memchr(m->cards, view->hand[i], m->n) != NULL)
            continue;
        m->cards[m->n++] = view->hand[i];
        try_melds(game, view, m, size, all, n);
        m->n--;
    }
}

/* The listed melds of n cards are exactly the accepted ones, each listed once. */
static void check_melds(const struct eng_game *game, const struct eng_view *view,
                        const struct eng_legal *legal, int size)
{
    static struct kinds all[MELDS_MAX], listed_ones[MELDS_MAX];
    int n = 0, listed_n = 0, of_size = 0;
    struct eng_move m = {.type = ENG_MELD, .seat = view->to_move, .meld = ENG_NO_MELD};

    try_melds(game, view, &m, size, all, &n);
    for (int i = 0; i < legal->n; i++) {
        const struct eng_move *one = &legal->moves[i];
        if (one->type != ENG_MELD)
            continue;
        cr_assert(add_kinds(listed_ones, &listed_n, one->cards, one->n), "twice");
        of_size += one->n == size;
        if (one->n == size)
            cr_assert(!add_kinds(all, &n, one->cards, one->n), "not found by trying");
    }
    cr_assert(of_size == n || legal->more, "%d of %d melds of %d cards", of_size, n, size);
}

static bool has(const struct eng_legal *legal, enum eng_move_type type)
{
    return (legal->types >> type & 1) != 0;
}

static void check_types(const struct eng_game *game, const struct eng_view *view,
                        const struct eng_legal *legal)
{
    static const uint8_t plain[] = {ENG_DRAW_STOCK, ENG_DRAW_DISCARD, ENG_CANCEL_DRAW, ENG_FLIP, ENG_DROP};

    for (size_t i = 0; i < sizeof plain; i++) {
        struct eng_move m = {.type = plain[i], .seat = view->to_move, .meld = ENG_NO_MELD};
        same_answer(game, legal, &m);
    }
    for (int id = 0; id <= ENG_MELD_MAX; id++) {
        struct eng_move m = {.type = ENG_TAKE_BACK, .seat = view->to_move};
        m.meld = (uint8_t)(id < ENG_MELD_MAX ? id : ENG_NO_MELD);
        same_answer(game, legal, &m);
    }
    for (int i = 0; i < legal->n; i++) {
        cr_assert(accepted(game, &legal->moves[i]));
        cr_assert(has(legal, (enum eng_move_type)legal->moves[i].type));
    }
    cr_assert(!legal->more || legal->n == ENG_LEGAL_MAX);
}

/* The hints can be laid one after another, and open if the player has not opened yet. Each is a listed
 * meld. */
static void check_hints(const struct eng_game *game, const struct eng_view *view,
                        const struct eng_legal *legal)
{
    struct eng_game copy = *game;
    struct eng_outcome out;
    struct eng_hints hints;

    eng_hints(view, &hints);
    for (int i = 0; i < hints.n; i++) {
        struct kinds hint = kinds_of(hints.moves[i].cards, hints.moves[i].n);
        bool there = legal->more;
        for (int k = 0; k < legal->n && !there; k++) {
            struct kinds one = kinds_of(legal->moves[k].cards, legal->moves[k].n);
            there = legal->moves[k].type == ENG_MELD && memcmp(&one, &hint, sizeof one) == 0;
        }
        cr_assert(there, "a hint that is not listed");
        cr_assert_eq(eng_apply(&copy, &hints.moves[i], &out), ENG_OK);
    }
    if (hints.n > 0)
        cr_assert(eng_seat_bit(copy.opened, view->viewer));
}

static void check(const struct eng_game *game, int step)
{
    struct eng_view view;
    struct eng_legal legal;
    bool play = eng_phase(game) == ENG_TO_PLAY;

    eng_view(game, game->to_move, &view);
    eng_legal(&view, &legal);
    check_types(game, &view, &legal);
    if (play) {
        check_discards(game, &view, &legal);
        check_joins(game, &view, &legal);
    }
    if (play && game->params.family == ENG_FAMILY_MELD) {
        check_hints(game, &view, &legal);
        if (step % 32 == 0)
            check_melds(game, &view, &legal, 3);
        if (step % 256 == 128)
            check_melds(game, &view, &legal, 4);
    }
    eng_view(game, (uint8_t)((game->to_move + 1) % game->players), &view);
    eng_legal(&view, &legal);
    cr_assert(legal.types == 0 && legal.n == 0, "only the seat to move may move");
}

static void play_and_check(int players, uint64_t number, struct eng_params params, int *melds)
{
    struct eng_game game;
    struct eng_outcome out;
    struct eng_move move;
    uint64_t rng = number;

    play_deal(&game, &params, players, number, &out);
    for (int step = 0; step < 4000 && game.phase <= ENG_TO_PLAY; step++) {
        check(&game, step);
        int tries = 0;
        do
            play_propose(&game, &rng, &move);
        while (eng_apply(&game, &move, &out) != ENG_OK && ++tries < 5000);
        if (tries == 5000) /* with such parameters a hand can have no legal move */
            return;
        *melds += move.type == ENG_MELD;
    }
}

Test(legal, lists_exactly_what_apply_accepts)
{
    int melds = 0;

    for (uint64_t i = 0; i < 40; i++)
        play_and_check(2 + (int)(i % 3), i, *eng_params_find("rummy51"), &melds);
    cr_assert_gt(melds, 200);
}

Test(legal, follows_every_row)
{
    int melds = 0;

    for (uint64_t i = 0; i < 40; i++)
        play_and_check(2 + (int)(i % 3), 500 + i, *play_row(i), &melds);
    cr_assert_gt(melds, 200);
}

/* With other parameters: no minimum, the taken card in the opening, no burying. */
Test(legal, follows_the_parameters)
{
    struct eng_params params = *eng_params_find("rummy51");
    int melds = 0;

    params.taken_discard_in_opening = 1;
    for (uint64_t i = 100; i < 110; i++)
        play_and_check(4, i, params, &melds);
    params.opening_min = 0;
    params.meld_in_round_1 = 1;
    params.lay_off_unopened = 1;
    params.discard_obliges = 0;
    params.joker_joins_set = 1;
    for (uint64_t i = 200; i < 210; i++)
        play_and_check(2, i, params, &melds);
    params.joker_buried = 0;
    params.throw_back = 0;
    params.below_minimum = ENG_BELOW_RETURNED;
    params.opening_min = 40;
    params.lay_off_unopened = 0;
    params.discard_obliges = 1;
    for (uint64_t i = 300; i < 310; i++)
        play_and_check(3, i, params, &melds);
    cr_assert_gt(melds, 200);
}

/* Rows with random options and switches, of both families. */
Test(legal, follows_the_options)
{
    int melds = 0;

    for (uint64_t i = 0; i < 60; i++) {
        int players;
        struct eng_params params = prove_row(i, &players);
        play_and_check(players, 900 + i, params, &melds);
    }
    cr_assert_gt(melds, 200);
}

/* With an option that prove_row never changes, legal moves would not be tested. hand_s only adds a clock. */
Test(legal, is_tested_with_every_option)
{
    const struct eng_params *row;
    for (size_t v = 0; (row = eng_params_at(v)) != NULL; v++) {
        struct eng_option option;
        for (int i = 0; eng_params_option(row, i, &option); i++)
            cr_expect(strcmp(option.name, "hand_s") == 0 || prove_varies(option.name), "%s", option.name);
    }
}

/* Four jokers and matching cards make more melds than the list holds, so `more` is set. */
Test(legal, sets_a_flag_when_the_list_is_incomplete)
{
    struct table t;
    struct eng_view view;
    struct eng_legal legal;
    int discards = 0;

    PLACE(&t, .hands = {"2C 3C 4C 5C 6C 7C 8C 9C TC JC X X X X", "KC QH"}, .opened = "0", .play = true);
    eng_view(&t.g, 0, &view);
    eng_legal(&view, &legal);
    cr_assert(legal.more && legal.n == ENG_LEGAL_MAX);
    for (int i = 0; i < legal.n; i++) {
        cr_assert(accepted(&t.g, &legal.moves[i]));
        discards += legal.moves[i].type == ENG_DISCARD;
    }
    cr_assert_eq(discards, 10 + 10 * 4, "melds come last");
}

/* A run from ace to ace needs two aces. */
Test(legal, one_ace_counts_at_one_end_only)
{
    static const struct {
        const char *hand;
        int longest;
    } cases[] = {
        {"AC AC 2C 3C 4C 5C 6C 7C 8C 9C TC JC QC KC 5H", 14},
        {"AC 2C 3C 4C 5C 6C 7C 8C 9C TC JC QC KC 5H 6D", 13},
    };
    for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
        struct table t;
        struct eng_view view;
        struct eng_legal legal;
        int longest = 0;
        PLACE(&t, .hands = {cases[i].hand, "KD QH"}, .opened = "0", .play = true);
        eng_view(&t.g, 0, &view);
        eng_legal(&view, &legal);
        for (int k = 0; k < legal.n; k++) {
            cr_assert(accepted(&t.g, &legal.moves[k]));
            longest = legal.moves[k].n > longest ? legal.moves[k].n : longest;
        }
        cr_assert_eq(longest, cases[i].longest);
    }
}

static bool may_meld(struct table *t, const struct eng_hints *hints)
{
    struct eng_game copy = t->g;
    struct eng_outcome out;
    for (int i = 0; i < hints->n; i++)
        cr_assert_eq(eng_apply(&copy, &hints->moves[i], &out), ENG_OK, "%s", eng_refusal_name(out.code));
    return hints->n > 0;
}

/* straight: a meld that leaves only the discard just taken is not allowed, neither in hints nor for
 * bots. */
Test(legal, keeps_a_card_other_than_the_one_just_taken)
{
    static const struct {
        const char *hand;
        bool melds;
        int cards; /* of the first meld */
    } cases[] = {
        {"3S 3H 3D", false, 0},   /* the set would leave only the taken card */
        {"3S 3H 3D 9C", true, 3}, /* another card remains to discard */
        {"3S 3H 3D 3C", true, 3}, /* melds three of them; the fourth stays */
        {"4S 5S 7S 8S", true, 3}, /* melds the taken card; an end of the run stays */
        {"4S 5S", false, 0},      /* the taken card would complete the run, leaving nothing */
    };
    for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
        struct table t;
        struct eng_view view;
        struct eng_legal legal;
        struct eng_hints hints;
        PLACE(&t, .params = eng_params_find("straight"), .players = 2, .hands = {cases[i].hand, "KC QH"},
              .discard = "2D 6S");
        table_do(&t, "take");
        eng_view(&t.g, 0, &view);
        eng_legal(&view, &legal);
        eng_hints(&view, &hints);
        cr_assert_eq(may_meld(&t, &hints), cases[i].melds, "%s", cases[i].hand);
        cr_assert_eq(has(&legal, ENG_MELD), cases[i].melds, "%s", cases[i].hand);
        if (cases[i].melds)
            cr_assert_geq(hints.moves[0].n, cases[i].cards, "%s", cases[i].hand);
        for (int level = ENG_BOT_EASY; level <= ENG_BOT_STRONG; level++) {
            struct eng_game copy = t.g;
            uint64_t rng = 5;
            while (copy.phase == ENG_TO_PLAY && copy.to_move == 0) {
                struct eng_move m;
                eng_view(&copy, 0, &view);
                eng_bot_move(&view, (enum eng_bot_level)level, &rng, &m);
                cr_assert_eq(eng_apply(&copy, &m, &t.out), ENG_OK, "%s: %s", cases[i].hand,
                             eng_refusal_name(t.out.code));
            }
        }
    }
}

Test(legal, a_spectator_has_no_legal_moves)
{
    struct eng_game game;
    struct eng_outcome out;
    struct eng_view view;
    struct eng_legal legal;
    struct eng_hints hints;

    play_deal(&game, eng_params_find("rummy51"), 4, 1, &out);
    eng_view(&game, ENG_SPECTATOR, &view);
    eng_legal(&view, &legal);
    eng_hints(&view, &hints);
    cr_assert(legal.types == 0 && legal.n == 0 && hints.n == 0);
}
