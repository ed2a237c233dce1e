/* eng_legal against eng_apply, over random play: whatever is listed is accepted, and whatever is
 * accepted of the kinds that can be counted through (draws, discards, lay-offs, swaps, melds of
 * three) is listed or has its bit. */
#include <criterion/criterion.h>
#include <string.h>

#include "engine/legal.h"
#include "tests/engine/play.h"
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

/* Is any meld of three cards accepted, in any order? */
static bool some_meld(const struct eng_game *game, const struct eng_view *view)
{
    struct eng_game copy = *game;
    struct eng_outcome out;
    int n = view->hand_n;

    for (int i = 0; i < n * n * n; i++) {
        struct eng_move m = {.type = ENG_MELD, .seat = view->to_move, .n = 3};
        int a = i / n / n, b = i / n % n, c = i % n;
        m.cards[0] = view->hand[a];
        m.cards[1] = view->hand[b];
        m.cards[2] = view->hand[c];
        if (a != b && b != c && a != c && eng_apply(&copy, &m, &out) == ENG_OK)
            return true;
    }
    return false;
}

static bool has(const struct eng_legal *legal, enum eng_move_type type)
{
    return (legal->types >> type & 1) != 0;
}

static void check_types(const struct eng_game *game, const struct eng_view *view,
                        const struct eng_legal *legal)
{
    static const uint8_t plain[] = {ENG_DRAW_STOCK, ENG_DRAW_DISCARD, ENG_CANCEL_DRAW, ENG_TAKE_BACK,
                                    ENG_FLIP};

    for (size_t i = 0; i < sizeof plain; i++) {
        struct eng_move m = {.type = plain[i], .seat = view->to_move, .meld = ENG_NO_MELD};
        for (int j = 0; m.type == ENG_TAKE_BACK && j < ENG_JOKER_MAX; j++) /* or a swap is undone */
            if (!game->params.swapped_joker_kept && view->freed_meld[j] != ENG_NO_MELD)
                m.meld = view->freed_meld[j];
        cr_assert_eq(accepted(game, &m), has(legal, (enum eng_move_type)plain[i]), "type %d", plain[i]);
    }
    for (int i = 0; i < legal->n; i++) {
        cr_assert(accepted(game, &legal->moves[i]));
        cr_assert(has(legal, (enum eng_move_type)legal->moves[i].type));
        cr_assert_eq(legal->moves[i].type == ENG_MELD, i < legal->hints_n);
    }
    cr_assert_lt(legal->n, ENG_LEGAL_MAX);
}

/* The hints can be laid one after the other; while unopened they open. */
static void check_hints(const struct eng_game *game, const struct eng_view *view,
                        const struct eng_legal *legal)
{
    struct eng_game copy = *game;
    struct eng_outcome out;

    for (int i = 0; i < legal->hints_n; i++)
        cr_assert_eq(eng_apply(&copy, &legal->moves[i], &out), ENG_OK);
    if (legal->hints_n > 0)
        cr_assert(eng_seat_bit(copy.opened, view->viewer));
}

static void play_and_check(int players, uint64_t number, struct eng_params params, int *melds)
{
    struct eng_game game;
    struct eng_outcome out;
    struct eng_view view;
    struct eng_legal legal;
    struct eng_move move;
    uint64_t rng = number;

    play_deal(&game, &params, players, number, &out);
    for (int step = 0; step < 4000 && game.phase <= ENG_TO_PLAY; step++) {
        eng_view(&game, game.to_move, &view);
        eng_legal(&view, &legal);
        check_types(&game, &view, &legal);
        if (eng_phase(&game) == ENG_TO_PLAY) {
            check_discards(&game, &view, &legal);
            check_joins(&game, &view, &legal);
            check_hints(&game, &view, &legal);
            if (step % 32 == 0)
                cr_assert_eq(some_meld(&game, &view), has(&legal, ENG_MELD));
        } else {
            cr_assert_eq(legal.n, 0);
        }
        struct eng_view other;
        eng_view(&game, (uint8_t)((game.to_move + 1) % players), &other);
        eng_legal(&other, &legal);
        cr_assert(legal.types == 0 && legal.n == 0, "only the one to move may move");
        int tries = 0;
        do
            play_propose(&game, &rng, &move);
        while (eng_apply(&game, &move, &out) != ENG_OK && ++tries < 5000);
        if (tries == 5000) /* such parameters can leave a hand without a way on */
            return;
        *melds += move.type == ENG_MELD;
    }
}

Test(legal, lists_what_apply_accepts_and_all_of_it)
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

/* With other values of the parameters: no minimum, the taken card in the opening, no burying. */
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

static bool may_meld(struct table *t, const struct eng_legal *legal)
{
    struct eng_game copy = t->g;
    struct eng_outcome out;
    for (int i = 0; i < legal->hints_n; i++)
        cr_assert_eq(eng_apply(&copy, &legal->moves[i], &out), ENG_OK, "%s", eng_refusal_name(out.code));
    return legal->hints_n > 0;
}

/* straight: a meld that leaves nothing but the discard just taken is no meld; neither to hints nor to bots.
 */
Test(legal, keeps_another_card_than_the_one_just_taken)
{
    static const struct {
        const char *hand;
        bool melds;
        int cards; /* of the first meld */
    } cases[] = {
        {"3S 3H 3D", false, 0},   /* the set, and only the taken card is left */
        {"3S 3H 3D 9C", true, 3}, /* another one to throw */
        {"3S 3H 3D 3C", true, 3}, /* three of them, and the fourth stays */
        {"4S 5S 7S 8S", true, 3}, /* the taken card goes out, an end of the run stays */
        {"4S 5S", false, 0},      /* the taken card would be the run's third, nothing stays */
    };
    for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
        struct table t;
        struct eng_view view;
        struct eng_legal legal;
        PLACE(&t, .params = eng_params_find("straight"), .players = 2, .hands = {cases[i].hand, "KC QH"},
              .discard = "2D 6S");
        table_do(&t, "take");
        eng_view(&t.g, 0, &view);
        eng_legal(&view, &legal);
        cr_assert_eq(may_meld(&t, &legal), cases[i].melds, "%s", cases[i].hand);
        cr_assert_eq(has(&legal, ENG_MELD), cases[i].melds, "%s", cases[i].hand);
        if (cases[i].melds)
            cr_assert_geq(legal.moves[0].n, cases[i].cards, "%s", cases[i].hand);
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

Test(legal, a_spectator_may_do_nothing)
{
    struct eng_game game;
    struct eng_outcome out;
    struct eng_view view;
    struct eng_legal legal;

    play_deal(&game, eng_params_find("rummy51"), 4, 1, &out);
    eng_view(&game, ENG_SPECTATOR, &view);
    eng_legal(&view, &legal);
    cr_assert(legal.types == 0 && legal.n == 0);
}
