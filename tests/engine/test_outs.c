/* The value of a declare-family hand by its outs, compared with manual counts. */
#include <criterion/criterion.h>
#include <string.h>

#include "engine/bots/outs.h"
#include "engine/eng.h"

static const struct eng_wild no_wild = {.card = ENG_NO_CARD};

/* Names separated by spaces; without a copy number it is the first copy. */
static int hand_of(const char *names, uint8_t *cards)
{
    int n = 0;

    for (const char *name = names; *name != '\0'; name += strspn(name, " ")) {
        size_t len = strcspn(name, " ");
        char whole[ENG_CARD_NAME_MAX] = {name[0], name[1], len == 3 ? name[2] : '1'};
        cards[n] = eng_card_parse(whole, 3);
        cr_assert_neq(cards[n], ENG_NO_CARD, "%s", name);
        n++;
        name += len;
    }
    return n;
}

static int cost_of(const char *names, bool throws)
{
    uint8_t cards[ENG_HAND_MAX];
    struct eng_arrangement arrangement;

    eng_arrange(&no_wild, cards, hand_of(names, cards), &arrangement);
    return eng_bot_hand_cost(&no_wild, &arrangement, throws);
}

static int worth_of(const char *names, const char *unseen_names)
{
    uint8_t cards[ENG_HAND_MAX], to_come[ENG_HAND_MAX], unseen[SOLVER_TYPES] = {0};
    int n = hand_of(names, cards), to_come_n = hand_of(unseen_names, to_come);

    for (int i = 0; i < to_come_n; i++)
        unseen[to_come[i] % SOLVER_TYPES]++;
    return eng_bot_outs_worth(&no_wild, unseen, cards, n);
}

/* A pure sequence, a second one, and a set; three cards are ungrouped, or none. */
#define READY "2H 3H 4H 7S 8S 9S QD QC QS "

Test(outs, a_hand_costs_its_loose_cards_and_missing_sequences)
{
    cr_expect_eq(cost_of("2H 3H 4H 5H 7S 8S 9S QD QC QS 3D 3C 3S", false), 0);
    cr_expect_eq(cost_of(READY "3D 5C 2S KH", false), 40);
    cr_expect_eq(cost_of(READY "3D 5C 2S KH", true), 30, "one of them is discarded");
    cr_expect_eq(cost_of("2H 3H 4H 5H QD QC QS 3D 3C 3S 9D 9C 9S", false), 25, "a second sequence");
    cr_expect_eq(cost_of("2H 4H 6H 8H 2S 4S 6S 8S QD QC QS 3D 9D", false), 100 + 60, "and a pure one");
}

Test(outs, only_improving_cards_count)
{
    /* 5D and 6D need the 4 or the 7. Then three of the four ungrouped cards form a run, and one is
     * discarded. */
    const char *pair = READY "5D 6D KC 2S";

    cr_expect_eq(worth_of(pair, ""), -40 * 40);
    cr_expect_eq(worth_of(pair, "8C"), -40 * 40, "it is drawn and discarded");
    cr_expect_eq(worth_of(pair, "7D"), -40 * 40 + 30);
    cr_expect_eq(worth_of(pair, "7D2 7D 4D"), -40 * 40 + 3 * 30, "each copy counts");
    cr_expect_eq(worth_of(pair, "5H"), -40 * 40 + 10, "a run grows by one");
}

Test(outs, a_pair_that_can_still_improve_is_kept)
{
    const char *open = READY "5D 6D KC", *closed = READY "5D QC2 KC", *left = "4D 7D 7D2 8C KH";

    cr_expect_gt(worth_of(open, left), worth_of(closed, left));
    cr_expect_eq(worth_of(open, "8C"), worth_of(closed, "8C"), "nothing helps either");
}

static int served(const char *unseen_names, const char *name)
{
    uint8_t to_come[ENG_HAND_MAX], card, unseen[SOLVER_TYPES] = {0};
    int n = hand_of(unseen_names, to_come);

    for (int i = 0; i < n; i++)
        unseen[to_come[i] % SOLVER_TYPES]++;
    cr_assert_eq(hand_of(name, &card), 1);
    return eng_bot_pairs_served(unseen, card);
}

Test(outs, a_discard_serves_the_pairs_it_completes)
{
    cr_expect_eq(served("5H 6H 8H 9H", "7H"), 2 * 3, "5 and 6, 6 and 8, 8 and 9");
    cr_expect_eq(served("5H 6H 6H2", "7H"), 2 * 2, "each copy");
    cr_expect_eq(served("7S 7D 7C", "7H"), 3, "two of three suits, three ways");
    cr_expect_eq(served("7H2 7S 9H", "7H"), 0, "its twin, one of its rank, one that is too far alone");
    cr_expect_eq(served("2H 3H QH KH", "AH"), 2 * 2, "at both ends");
    cr_expect_eq(served("KH 2H", "AH"), 0, "but not across");
}
