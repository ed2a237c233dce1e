/* Weighing decisions: the clearly best choice wins, equal random numbers give equal results, and errors
 * shrink with the square root of the number of deals. */
#include <criterion/criterion.h>
#include <string.h>

#include "engine/bots/evaluate.h"
#include "engine/puzzle/tags.h"
#include "engine/record/record.h"

static struct eng_evaluation evaluation;
static struct eng_view view;

#define POINTS(cards, phase, discard)                                                                        \
    "[Rummyd \"1\"]\n[Variant \"points\"]\n[Players \"2\"]\n[Setup \"yes\"]\n[Starter \"0\"]\n[Wild "        \
    "\"2C2\"]\n"                                                                                             \
    "[Cards0 \"" cards "\"]\n[Cards1 \"AS1 4S2 6C1 8D1 TD2 JC2 QS2 3C1 5S1 6D2 8H2 TH1 JD2\"]\n"             \
    "[Turns \"3 3\"]\n[ToMove \"0\"]\n[Phase \"" phase "\"]\n[Picked \"0 1\"]\n[Discard \"" discard          \
    "\"]\n\n"

static void place(const char *text)
{
    struct eng_step steps[4];
    struct eng_record record;
    struct eng_record_error error;
    struct eng_verdict verdict;
    static struct eng_game game; /* the view points to its parameters */

    eng_record_init(&record, eng_params_at(0), 2, steps, 4);
    cr_assert(eng_record_parse(&record, text, strlen(text), &error), "%u:%u: %s", error.line, error.column,
              error.expected);
    cr_assert(eng_record_end(&record, &game, &verdict), "%s", verdict.text);
    eng_view(&game, game.to_move, &view);
}

/* Returns the best choice after this many deals. */
static const char *best(const char *text, enum eng_evaluate_theme theme, uint32_t deals)
{
    int order[EVALUATE_CHOICES_MAX];
    uint64_t dice = 5;

    place(text);
    cr_assert(eng_evaluate_begin(&evaluation, &view));
    cr_assert_eq(evaluation.theme, theme);
    eng_evaluate_deals(&evaluation, &view, deals, &dice);
    eng_evaluate_order(&evaluation, order);
    cr_assert_eq(eng_evaluate_error(&evaluation, order[0], order[0]), 0);
    return evaluation.names[order[0]];
}

static int named(const char *name)
{
    for (int i = 0; i < evaluation.n; i++)
        if (strcmp(evaluation.names[i], name) == 0)
            return i;
    cr_assert_fail("%s is not among the choices", name);
    return -1;
}

/* Two sequences, queens, and two diamonds that need a third. */
static const char loose_king[] =
    POINTS("3H1 4H1 5H1 6H1 7S1 8S1 9S1 TS1 QC1 QD1 QH1 3D1 4D1 KS1", "play", "9C1 5C1");
static const char wanted[] = POINTS("3H1 4H1 5H1 6H1 7S1 8S1 9S1 TS1 QC1 QD1 QH1 3D1 4D1", "draw", "9C1 5D1");
static const char valid[] =
    POINTS("3H1 4H1 5H1 6H1 7S1 8S1 9S1 QC1 QD1 QH1 3D1 4D1 5D1 KS1", "play", "9C1 5C1");

Test(evaluation, a_loose_king_is_discarded)
{
    static const char *const breaking[] = {"4H", "5H", "8S", "9S", "QC", "QH", "QD"};

    cr_assert_str_eq(best(loose_king, EVALUATE_DISCARD, 300), "KS");
    cr_assert_eq(evaluation.n, 14); /* every card is a choice */
    cr_assert_str_eq(evaluation.names[0], "QC");
    for (size_t i = 0; i < sizeof breaking / sizeof breaking[0]; i++) {
        int king = named("KS"), other = named(breaking[i]);
        int64_t gain = eng_evaluate_worth(&evaluation, king) - eng_evaluate_worth(&evaluation, other);
        cr_expect_gt(gain, EVALUATE_ERRORS * eng_evaluate_error(&evaluation, king, other), "%s", breaking[i]);
    }
}

Test(evaluation, the_card_that_ends_the_hand_is_taken)
{
    int order[EVALUATE_CHOICES_MAX];

    cr_assert_str_eq(best(wanted, EVALUATE_DRAW, 100), "discard");
    cr_assert_eq(evaluation.n, 3); /* a draw from either pile, or a drop */
    eng_evaluate_order(&evaluation, order);
    cr_assert(eng_evaluate_decides(&evaluation, order, EVALUATE_ERRORS));
    cr_expect(!eng_evaluate_decides(&evaluation, order, 1000));
}

Test(evaluation, a_valid_hand_is_declared)
{
    cr_assert_str_eq(best(valid, EVALUATE_DECLARE, 100), "declare");
}

Test(evaluation, equal_dice_give_equal_results)
{
    static struct eng_evaluation again;
    uint64_t dice = 5;

    (void)best(loose_king, EVALUATE_DISCARD, 60);
    cr_assert(eng_evaluate_begin(&again, &view));
    eng_evaluate_deals(&again, &view, 20, &dice);
    eng_evaluate_deals(&again, &view, 40, &dice);
    cr_expect_arr_eq(again.sum, evaluation.sum, sizeof again.sum);
    cr_expect_arr_eq(again.product, evaluation.product, sizeof again.product);
    eng_evaluate_reset(&again);
    dice = 6;
    eng_evaluate_deals(&again, &view, 60, &dice);
    cr_expect_neq(memcmp(again.sum, evaluation.sum, sizeof again.sum), 0);
}

Test(evaluation, errors_shrink_with_the_square_root_of_the_deals)
{
    uint64_t dice = 9;

    place(loose_king);
    cr_assert(eng_evaluate_begin(&evaluation, &view));
    int king = named("KS"), queen = named("QC");
    eng_evaluate_deals(&evaluation, &view, 200, &dice);
    int64_t few = eng_evaluate_error(&evaluation, king, queen);
    eng_evaluate_deals(&evaluation, &view, 1400, &dice);
    int64_t many = eng_evaluate_error(&evaluation, king, queen);
    cr_assert_gt(many, 0);
    double ratio = (double)few / (double)many; /* square root of eight */
    cr_expect(ratio > 2.83 * 0.8 && ratio < 2.83 * 1.25, "%f", ratio);
    cr_expect_eq(eng_evaluate_error(&evaluation, queen, king), many);
}

Test(evaluation, a_move_is_found_among_the_choices)
{
    struct eng_move move = {.type = ENG_DISCARD, .n = 1};

    (void)best(loose_king, EVALUATE_DISCARD, 40);
    move.cards[0] = eng_card_parse("KS2", 3); /* the other copy of a card is the same choice */
    cr_expect_str_eq(evaluation.names[eng_evaluate_find(&evaluation, &move)], "KS");
    move.cards[0] = eng_card_parse("AC1", 3);
    cr_expect_eq(eng_evaluate_find(&evaluation, &move), -1);
    move.type = ENG_DECLARE;
    cr_expect_eq(eng_evaluate_find(&evaluation, &move), -1);
}

Test(evaluation, seats_that_are_not_to_move_are_not_evaluated)
{
    place(loose_king);
    view.viewer = 1;
    cr_expect(!eng_evaluate_begin(&evaluation, &view));
}

Test(evaluation, tags_describe_the_difficulty)
{
    (void)best(loose_king, EVALUATE_DISCARD, 40);
    unsigned tags = eng_puzzle_tags(&evaluation, &view, named("KS"), named("3D"), true);
    cr_expect_eq(tags, 1U << PUZZLE_TRAP | 1U << PUZZLE_HIGH_CARDS);
    cr_expect_str_eq(eng_puzzle_tag_name(PUZZLE_LATE_OPENING), "late_opening");
}
