/* What a meld is, what fits it, what it is worth: docs/rules.md §4, with the aces, sets, runs, and jokers of
 * every variant with melds that differs in them (§7). */
#include <criterion/criterion.h>
#include <string.h>

#include "engine/core/meld.h"

/* Cards by name without copy number; each copy once. */
static int cards_of(const char *text, uint8_t *cards)
{
    struct eng_cards left = eng_cards_pack(2, 6);
    int n = 0;
    for (const char *at = text; *at != '\0'; at += strcspn(at, " "), at += strspn(at, " ")) {
        char name[4] = {at[0], 0, 0, 0};
        int len = 1;
        if (at[0] != 'X')
            name[len++] = at[1];
        for (int copy = 1; copy <= 6; copy++) {
            name[len] = (char)('0' + copy);
            uint8_t card = eng_card_parse(name, (size_t)len + 1);
            if (card == ENG_NO_CARD || !eng_cards_has(&left, card))
                continue;
            eng_cards_remove(&left, card);
            cards[n++] = card;
            break;
        }
    }
    return n;
}

static struct eng_params rummy51(void)
{
    return *eng_params_find("rummy51");
}

/* The parameters of the other variants that concern melds (docs/rules.md §7). */
static struct eng_params treff(void)
{
    struct eng_params p = rummy51();
    p.jokers_opening_max = 14;
    p.jokers_set_max = 2;
    p.jokers_ratio = ENG_JOKERS_NOT_MORE;
    p.ace_low_points = 1;
    p.ace_high_points = p.ace_points = 11;
    return p;
}

static struct eng_params rummy40(void)
{
    struct eng_params p = treff();
    p.jokers_ratio = ENG_JOKERS_FEWER;
    p.jokers_set_max = 1;
    p.jokers_apart = 1;
    p.swap_set_full = 1;
    return p;
}

static struct eng_params straight(bool high)
{
    struct eng_params p = rummy51();
    p.ace_low = !high;
    p.ace_high = high;
    p.ace_low_points = 1;
    p.ace_high_points = 15;
    p.ace_points = high ? 15 : 1;
    p.run_max = 13;
    return p;
}

static struct eng_meld meld;
static struct eng_blame blame;

static enum eng_refusal check(const struct eng_params *p, const char *text, int jokers_max)
{
    uint8_t cards[ENG_CARD_MAX];
    int n = cards_of(text, cards);
    return eng_meld_check(p, cards, n, jokers_max, &meld, &blame) ? ENG_OK : blame.code;
}

/* In a turn after the opening turn. */
static void is_worth(struct eng_params p, const char *text, int points)
{
    enum eng_refusal code = check(&p, text, ENG_RUN_MAX);
    cr_assert_eq(code, ENG_OK, "%s: %s", text, eng_refusal_name(code));
    cr_assert_eq(eng_meld_points(&p, &meld), points, "%s: %d", text, eng_meld_points(&p, &meld));
}

static void is_not(struct eng_params p, const char *text, enum eng_refusal code)
{
    enum eng_refusal got = check(&p, text, ENG_RUN_MAX);
    cr_assert_eq(got, code, "%s: %s", text, eng_refusal_name(got));
}

Test(meld, worked_examples_of_rummy51_hold)
{
    is_worth(rummy51(), "6S 7S 8S", 21);
    is_worth(rummy51(), "TD TC TH", 30);
    is_worth(rummy51(), "5S 6S 7S", 18);
    is_worth(rummy51(), "AC 2C 3C", 15);
    is_worth(rummy51(), "9D 9H 9S 9C", 36);
    is_worth(rummy51(), "QC KC AC", 30);
    is_not(rummy51(), "KC AC 2C", ENG_RUN_WRAPS_ACE);
    is_worth(rummy51(), "KH KS X", 30);
    is_worth(rummy51(), "TH TC TD X", 40);
    is_worth(rummy51(), "X X KH", 30);
    is_worth(rummy51(), "5H X X 8H", 26);
}

Test(meld, worked_examples_of_the_other_laid_down_variants_hold)
{
    is_not(treff(), "7H X X", ENG_TOO_MANY_JOKERS);
    is_worth(treff(), "7H 8H X X", 34);
    is_worth(treff(), "7H X 9H X", 34);
    is_worth(treff(), "QH KH AH", 31);
    is_worth(treff(), "AH 2H 3H", 6);
    is_worth(rummy40(), "QS KS AS", 31);
    is_worth(rummy40(), "3S 3D 3C", 9);
    is_worth(rummy40(), "TH JH QH", 30);
    is_not(rummy40(), "5H X X 8H", ENG_TOO_MANY_JOKERS);
    is_not(rummy40(), "5H X X 8H 9H", ENG_JOKERS_ADJACENT);
    is_worth(rummy40(), "5H X 7H X 9H", 35);
    is_worth(rummy40(), "7H X 7S", 21);
    is_not(rummy40(), "7H X 7S X", ENG_TOO_MANY_JOKERS);
}

Test(meld, the_variant_decides_whether_the_ace_is_low_or_high)
{
    is_worth(straight(false), "AC 2C 3C", 6);
    is_not(straight(false), "QC KC AC", ENG_ACE_SIDE_NOT_ALLOWED);
    is_worth(straight(true), "QC KC AC", 35);
    is_not(straight(true), "AC 2C 3C", ENG_ACE_SIDE_NOT_ALLOWED);
    is_not(straight(true), "KC AC 2C", ENG_RUN_WRAPS_ACE);
    is_worth(straight(true), "2C 3C 4C 5C 6C 7C 8C 9C TC JC QC KC AC", 99);
    is_not(straight(false), "AC 2C 3C 4C 5C 6C 7C 8C 9C TC JC QC KC AC", ENG_ACE_SIDE_NOT_ALLOWED);
}

Test(meld, the_longest_run_has_both_aces)
{
    is_worth(rummy51(), "AC 2C 3C 4C 5C 6C 7C 8C 9C TC JC QC KC AC", 10 + 54 + 30 + 10);
    is_worth(rummy51(), "X 2C 3C 4C 5C 6C 7C 8C 9C TC JC QC KC X", 104);
    is_worth(rummy51(), "AC X X X X 6C 7C 8C 9C TC JC QC KC AC", 104);
}

Test(meld, a_joker_represents_the_card_at_its_place)
{
    struct eng_params p = rummy51();
    is_worth(p, "X 2H X", 15);
    cr_assert_eq(meld.low, 0);
    is_worth(p, "QH X X", 30);
    cr_assert_eq(meld.low, 11);
    is_worth(p, "X X AH", 30);
    cr_assert_eq(meld.low, 11);
    is_worth(p, "AH X X", 15);
    cr_assert_eq(meld.low, 0);
    is_not(p, "X X 2H", ENG_RUN_WRAPS_ACE);
    is_not(p, "KH X X", ENG_RUN_WRAPS_ACE);
    is_not(p, "X AH X", ENG_RUN_WRAPS_ACE);
    is_not(p, "X AH 2H", ENG_RUN_WRAPS_ACE);
}

Test(meld, sets_have_three_or_four_suits_and_one_joker)
{
    struct eng_params p = rummy51();
    is_worth(p, "AC AS AH", 30);
    is_not(p, "TH TH TC", ENG_SET_REPEATS_SUIT);
    cr_assert_eq(blame.n, 2);
    is_not(p, "TH TC TD TS X", ENG_SET_IS_COMPLETE);
    is_not(p, "TH TC TD TS TH", ENG_SET_REPEATS_SUIT);
    is_not(p, "TH TC X X", ENG_TOO_MANY_JOKERS);
    cr_assert_eq(blame.n, 2);
    cr_assert(eng_is_joker(blame.cards[0]) && eng_is_joker(blame.cards[1]));
}

Test(meld, invalid_melds_are_refused_with_the_reason)
{
    struct eng_params p = rummy51();
    is_not(p, "TH TC", ENG_MELD_TOO_SHORT);
    is_not(p, "TH 9C 8D", ENG_NOT_A_MELD);
    is_not(p, "TH TC 9C", ENG_NOT_A_MELD);
    is_not(p, "X X X", ENG_TOO_MANY_JOKERS);
    is_not(p, "7S 6S 8S", ENG_RUN_NOT_CONSECUTIVE);
    cr_assert_eq(blame.n, 2, "6S and 8S do not follow from 7S");
    is_not(p, "6S 7S 9S", ENG_RUN_NOT_CONSECUTIVE);
    cr_assert_eq(blame.n, 1);
    is_not(p, "6S 6S 7S", ENG_RUN_NOT_CONSECUTIVE);
    is_not(p, "5S X 6S", ENG_RUN_NOT_CONSECUTIVE);
}

Test(meld, the_opening_turn_allows_one_joker_per_group)
{
    struct eng_params p = rummy51();
    int opening = eng_jokers_max(&p, false, false), later = eng_jokers_max(&p, true, false);
    cr_assert_eq(eng_jokers_max(&p, true, true), opening);
    cr_assert_eq(check(&p, "X X KH", opening), ENG_TOO_MANY_JOKERS);
    cr_assert_eq(check(&p, "5H X X 8H", opening), ENG_TOO_MANY_JOKERS);
    cr_assert_eq(check(&p, "5H X 7H", opening), ENG_OK);
    cr_assert_eq(check(&p, "5H X X 8H", later), ENG_OK);
}

/* ---- Laying off ---- */

static enum eng_refusal fits(struct eng_params p, const char *on, const char *card, enum eng_end wanted,
                             enum eng_end *end)
{
    uint8_t cards[ENG_CARD_MAX];
    cr_assert_eq(check(&p, on, ENG_RUN_MAX), ENG_OK, "%s", on);
    int n = cards_of(card, cards);
    cr_assert_eq(n, 1);
    return eng_meld_fits(&p, &meld, cards[0], wanted, ENG_RUN_MAX, end, &blame) ? ENG_OK : blame.code;
}

Test(meld, a_card_can_be_laid_off_at_either_end_of_a_run)
{
    static const struct {
        const char *on, *card;
        enum eng_end wanted;
        enum eng_refusal code;
        enum eng_end end;
    } cases[] = {
        {"3S 4S 5S", "2S", ENG_END_NONE, ENG_OK, ENG_END_LOW},
        {"3S 4S 5S", "6S", ENG_END_NONE, ENG_OK, ENG_END_HIGH},
        {"3S 4S 5S", "6S", ENG_END_LOW, ENG_DOES_NOT_FIT, 0},
        {"3S 4S 5S", "7S", ENG_END_NONE, ENG_DOES_NOT_FIT, 0},
        {"3S 4S 5S", "6H", ENG_END_NONE, ENG_DOES_NOT_FIT, 0},
        {"3S 4S 5S", "4S", ENG_END_NONE, ENG_DOES_NOT_FIT, 0},
        {"3S 4S 5S", "X", ENG_END_NONE, ENG_END_NOT_NAMED, 0},
        {"3S 4S 5S", "X", ENG_END_LOW, ENG_OK, ENG_END_LOW},
        {"3S 4S 5S", "X", ENG_END_HIGH, ENG_OK, ENG_END_HIGH},
        {"2S 3S 4S", "AS", ENG_END_NONE, ENG_OK, ENG_END_LOW},
        {"JS QS KS", "AS", ENG_END_NONE, ENG_OK, ENG_END_HIGH},
        {"AS 2S 3S", "KS", ENG_END_NONE, ENG_RUN_WRAPS_ACE, 0},
        {"QS KS AS", "2S", ENG_END_NONE, ENG_RUN_WRAPS_ACE, 0},
        {"QS KS AS", "X", ENG_END_HIGH, ENG_RUN_WRAPS_ACE, 0},
        {"AS 2S 3S", "X", ENG_END_LOW, ENG_RUN_WRAPS_ACE, 0},
        {"2C 3C 4C 5C 6C 7C 8C 9C TC JC QC KC", "AC", ENG_END_NONE, ENG_END_NOT_NAMED, 0},
        {"2C 3C 4C 5C 6C 7C 8C 9C TC JC QC KC", "AC", ENG_END_LOW, ENG_OK, ENG_END_LOW},
        {"2C 3C 4C 5C 6C 7C 8C 9C TC JC QC KC", "AC", ENG_END_HIGH, ENG_OK, ENG_END_HIGH},
        {"AC 2C 3C 4C 5C 6C 7C 8C 9C TC JC QC KC", "AC", ENG_END_NONE, ENG_OK, ENG_END_HIGH},
    };
    for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
        enum eng_end end;
        enum eng_refusal code = fits(rummy51(), cases[i].on, cases[i].card, cases[i].wanted, &end);
        cr_assert_eq(code, cases[i].code, "%s + %s: %s", cases[i].on, cases[i].card, eng_refusal_name(code));
        cr_assert(code != ENG_OK || end == cases[i].end, "%s + %s", cases[i].on, cases[i].card);
    }
}

Test(meld, a_missing_suit_can_be_laid_off_on_a_set)
{
    enum eng_end end;
    cr_assert_eq(fits(rummy51(), "5H 5S 5D", "5C", ENG_END_NONE, &end), ENG_OK);
    cr_assert_eq(fits(rummy51(), "5H 5S X", "5C", ENG_END_NONE, &end), ENG_OK);
    cr_assert_eq(end, ENG_END_NONE);
    cr_assert_eq(fits(rummy51(), "5H 5S 5D", "5H", ENG_END_NONE, &end), ENG_SET_REPEATS_SUIT);
    cr_assert_eq(fits(rummy51(), "5H 5S 5D", "6H", ENG_END_NONE, &end), ENG_DOES_NOT_FIT);
    cr_assert_eq(fits(rummy51(), "5H 5S 5D 5C", "5C", ENG_END_NONE, &end), ENG_SET_IS_COMPLETE);
    cr_assert_eq(fits(rummy51(), "5H 5S 5D X", "5C", ENG_END_NONE, &end), ENG_SET_IS_COMPLETE);
    cr_assert_eq(fits(rummy51(), "5H 5S 5D", "X", ENG_END_NONE, &end), ENG_JOKER_CANNOT_JOIN_SET);
    cr_assert_eq(fits(rummy51(), "5H 5S X", "X", ENG_END_NONE, &end), ENG_JOKER_CANNOT_JOIN_SET);
    struct eng_params p = treff();
    p.joker_joins_set = 1;
    cr_assert_eq(fits(p, "5H 5S 5D", "X", ENG_END_NONE, &end), ENG_OK);
    p = rummy40();
    p.joker_joins_set = 1;
    cr_assert_eq(fits(p, "5H 5S X", "X", ENG_END_NONE, &end), ENG_TOO_MANY_JOKERS);
}

Test(meld, lay_offs_of_jokers_respect_the_limits_of_the_variant)
{
    enum eng_end end;
    cr_assert_eq(fits(treff(), "5H X X 8H", "X", ENG_END_LOW, &end), ENG_TOO_MANY_JOKERS);
    cr_assert_eq(fits(rummy40(), "5H 6H X", "X", ENG_END_HIGH, &end), ENG_TOO_MANY_JOKERS);
    cr_assert_eq(fits(rummy40(), "5H 6H 7H X", "X", ENG_END_HIGH, &end), ENG_JOKERS_ADJACENT);
    cr_assert_eq(fits(rummy40(), "5H 6H 7H X", "X", ENG_END_LOW, &end), ENG_OK);
    cr_assert_eq(fits(rummy51(), "5H X X", "X", ENG_END_HIGH, &end), ENG_OK);
    cr_assert_eq(fits(straight(false), "JH QH KH", "AH", ENG_END_NONE, &end), ENG_ACE_SIDE_NOT_ALLOWED);
}

/* ---- Swaps ---- */

static enum eng_refusal frees(struct eng_params p, const char *on, const char *card, uint8_t *place)
{
    uint8_t cards[ENG_CARD_MAX];
    cr_assert_eq(check(&p, on, ENG_RUN_MAX), ENG_OK, "%s", on);
    cards_of(card, cards);
    return eng_meld_frees(&p, &meld, cards[0], ENG_NO_CARD, place, &blame) ? ENG_OK : blame.code;
}

Test(meld, a_joker_is_freed_by_the_card_it_represents)
{
    uint8_t place = 0;
    cr_assert_eq(frees(rummy51(), "5H X 7H", "6H", &place), ENG_OK);
    cr_assert_eq(place, 1);
    cr_assert_eq(frees(rummy51(), "5H X X 8H", "7H", &place), ENG_OK);
    cr_assert_eq(place, 2);
    cr_assert_eq(frees(rummy51(), "5H X 7H", "6S", &place), ENG_SWAP_CARD_DOES_NOT_FIT);
    cr_assert_eq(frees(rummy51(), "5H X 7H", "X", &place), ENG_SWAP_CARD_DOES_NOT_FIT);
    cr_assert_eq(frees(rummy51(), "5H 6H 7H", "6H", &place), ENG_NO_JOKER_THERE);
    cr_assert_eq(frees(rummy51(), "QH KH X", "AH", &place), ENG_OK);
    cr_assert_eq(frees(rummy51(), "X 2H 3H", "AH", &place), ENG_OK);
    cr_assert_eq(place, 0);
}

Test(meld, the_joker_of_a_set_is_freed_by_either_missing_suit)
{
    uint8_t place = 0;
    cr_assert_eq(frees(rummy51(), "KH KS X", "KD", &place), ENG_OK);
    cr_assert_eq(frees(rummy51(), "KH KS X", "KC", &place), ENG_OK);
    cr_assert_eq(place, 2);
    cr_assert_eq(frees(rummy51(), "KH KS X", "KH", &place), ENG_SWAP_CARD_DOES_NOT_FIT);
    cr_assert_eq(frees(rummy51(), "KH KS KD X", "KC", &place), ENG_OK);
    cr_assert_eq(frees(rummy40(), "KH KS X", "KD", &place), ENG_SWAP_NEEDS_FULL_SET);
    cr_assert_eq(frees(rummy40(), "KH KS KD X", "KC", &place), ENG_OK);
    cr_assert_eq(frees(rummy40(), "KH KS KD X", "KD", &place), ENG_SWAP_CARD_DOES_NOT_FIT);
}

/* ---- Keeping a discard (all variants with melds, 3) ---- */

static bool can_discard(struct eng_params p, const char *hand_text, bool staged, const char *taken_text)
{
    uint8_t cards[ENG_CARD_MAX], taken = ENG_NO_CARD;
    struct eng_cards hand = {{0, 0}};
    int n = cards_of(hand_text, cards);
    for (int i = 0; i < n; i++)
        eng_cards_add(&hand, cards[i]);
    if (taken_text != NULL)
        cards_of(taken_text, &taken);
    return eng_hand_can_discard(&p, &hand, staged, taken);
}

Test(meld, some_hands_can_end_the_turn_with_a_discard)
{
    cr_assert(can_discard(rummy51(), "5C", false, NULL));
    cr_assert(can_discard(rummy51(), "X X", false, NULL));
    cr_assert(can_discard(rummy51(), "X 5C", true, NULL));
    cr_assert_not(can_discard(rummy51(), "", false, NULL));
    cr_assert_not(can_discard(rummy51(), "X", true, NULL), "jokers end a turn only with the whole hand");
    cr_assert(can_discard(treff(), "X", false, NULL));
    struct eng_params p = treff();
    p.joker_buried = 0;
    cr_assert(can_discard(p, "X", false, NULL));
    cr_assert_not(can_discard(p, "X X", false, NULL));
    p = straight(false);
    p.throw_back = 0;
    cr_assert_not(can_discard(p, "5C", false, "5C"), "the pitfall of straight");
    cr_assert(can_discard(p, "5C 5C", false, "5C"));
}
