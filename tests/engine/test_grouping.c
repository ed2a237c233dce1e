/* Groups and groupings of the Indian 13-card family: wild cards, sets, sequences and points
 * (docs/rules.md §8.1). */
#include <criterion/criterion.h>
#include <string.h>

#include "engine/core/grouping.h"

struct stated {
    uint8_t n, cards[ENG_HAND_MAX], groups, lens[ENG_GROUPING_GROUPS];
};

/* "2H 3H | X QH": cards by name without copy number, each copy once; the part after the last "/" is
 * ungrouped. */
static struct stated told_of(const char *text)
{
    struct eng_cards left = eng_cards_pack(2, 6);
    struct stated t = {0};
    bool fresh = true, loose = false; /* fresh: the next card starts a group */

    for (const char *at = text; *at != '\0'; at += strcspn(at, " "), at += strspn(at, " ")) {
        if (*at == '|' || *at == '/') {
            loose = *at == '/';
            fresh = true;
            continue;
        }
        char name[4] = {at[0], 0, 0, 0};
        int len = 1;
        if (at[0] != 'X')
            name[len++] = at[1];
        bool found = false;
        for (int copy = 1; copy <= 6 && !found; copy++) {
            name[len] = (char)('0' + copy);
            uint8_t card = eng_card_parse(name, (size_t)len + 1);
            found = card != ENG_NO_CARD && eng_cards_has(&left, card);
            if (found) {
                eng_cards_remove(&left, card);
                cr_assert_lt(t.n, ENG_HAND_MAX);
                t.cards[t.n++] = card;
            }
        }
        cr_assert(found, "%s", at);
        if (loose)
            continue;
        t.groups = (uint8_t)(t.groups + fresh);
        t.lens[t.groups - 1]++;
        fresh = false;
    }
    return t;
}

static struct eng_grouping grouping_of(const char *text)
{
    struct stated t = told_of(text);
    struct eng_grouping g = {.n = t.n, .groups = t.groups};

    cr_assert_leq(t.n, ENG_GROUPING_CARDS);
    memcpy(g.cards, t.cards, t.n);
    memcpy(g.lens, t.lens, sizeof g.lens);
    return g;
}

static struct eng_wild wild_of(const char *card)
{
    char name[4] = {card[0], card[0] == 'X' ? '1' : card[1], card[0] == 'X' ? '\0' : '2', 0};

    return (struct eng_wild){.card = eng_card_parse(name, strlen(name)), .natural_pure = true};
}

static enum eng_group_kind judge(const char *wild_card, const char *text)
{
    struct eng_wild wild = wild_of(wild_card);
    struct stated t = told_of(text);

    cr_assert_eq(t.groups, 1);
    return eng_group_judge(&wild, t.cards, t.n);
}

Test(grouping, one_group_is_interpreted_in_the_players_favor)
{
    static const struct {
        const char *wild, *cards;
        enum eng_group_kind kind;
    } rows[] = {
        {"QH", "TS TS TD TC QH", ENG_GROUP_NONE},
        {"QH", "TS TD TC QH", ENG_GROUP_SET},
        {"QH", "KH KH KD", ENG_GROUP_NONE},
        {"QH", "5D 5C X QH QS", ENG_GROUP_SET},
        {"QH", "5D 5C 5H 5S X", ENG_GROUP_SET},
        {"QH", "5D 5C", ENG_GROUP_NONE},
        {"QH", "X X", ENG_GROUP_NONE},
        {"QH", "X X QD", ENG_GROUP_SET},
        {"QH", "QH QH QD", ENG_GROUP_SET},
        {"2H", "QH QH QD", ENG_GROUP_NONE},
        {"6D", "5H 6H 7H", ENG_GROUP_PURE},
        {"6D", "5H 6S 7H", ENG_GROUP_SEQUENCE},
        {"6D", "5H 6H 7H X", ENG_GROUP_SEQUENCE},
        {"6D", "5H 6H 7H 6S", ENG_GROUP_SEQUENCE},
        {"6D", "5H 6H 6H 7H", ENG_GROUP_SEQUENCE},
        {"QH", "5H X X", ENG_GROUP_SEQUENCE},
        {"QH", "5H 6S X", ENG_GROUP_NONE},
        {"QH", "5H X 7H", ENG_GROUP_SEQUENCE},
        {"QH", "5H X 8H", ENG_GROUP_NONE},
        {"QH", "5H X X 8H", ENG_GROUP_SEQUENCE},
        {"QH", "7H 5H 6H", ENG_GROUP_PURE},
        {"9H", "AH 2H 3H", ENG_GROUP_PURE},
        {"9H", "QH KH AH", ENG_GROUP_PURE},
        {"9H", "KH AH 2H", ENG_GROUP_NONE},
        {"9H", "KH AH 2H X", ENG_GROUP_NONE},
        {"9H", "KH AH X", ENG_GROUP_SEQUENCE},
        {"9H", "AH 2H X", ENG_GROUP_SEQUENCE},
        {"9H", "AH 2H 3H 4H 5H 6H 7H 8H 9H TH JH QH KH", ENG_GROUP_PURE},
        {"9H", "AH AH 2H 3H 4H 5H 6H 7H 8H 9H TH JH QH KH", ENG_GROUP_NONE},
        {"9H", "2H 3H 4H 5H 6H 7H 8H 9H TH JH QH KH AH X", ENG_GROUP_NONE},
        {"9H", "5H 5H 6H", ENG_GROUP_NONE},
        {"9H", "5H 5H X", ENG_GROUP_NONE},
        {"X", "AH 7S 7C", ENG_GROUP_SET},
        {"X", "AH 2H 3H", ENG_GROUP_PURE},
        {"X", "QH 2S KH", ENG_GROUP_NONE},
        {"X", "QH AS KH", ENG_GROUP_SEQUENCE},
    };
    for (size_t i = 0; i < ARRAY_LEN(rows); i++)
        cr_expect_eq(judge(rows[i].wild, rows[i].cards), rows[i].kind, "%s wild: %s", rows[i].wild,
                     rows[i].cards);
}

Test(grouping, options_narrow_what_is_wild_and_pure)
{
    struct eng_wild wild = wild_of("QD");
    uint8_t qs = eng_card_parse("QS1", 3), qd = eng_card_parse("QD1", 3), x = eng_card_parse("X2", 2);
    uint8_t ace = eng_card_parse("AC2", 3);

    cr_assert(eng_is_wild(&wild, qs) && eng_is_wild(&wild, qd) && eng_is_wild(&wild, x));
    wild.exact = true;
    cr_assert(!eng_is_wild(&wild, qs) && eng_is_wild(&wild, qd) && eng_is_wild(&wild, x));
    wild.card = ENG_JOKER_FIRST; /* all aces, in either scope */
    cr_assert(eng_is_wild(&wild, ace) && !eng_is_wild(&wild, qd));
    wild.card = ENG_NO_CARD;
    cr_assert(!eng_is_wild(&wild, ace) && eng_is_wild(&wild, x));

    wild = wild_of("6D");
    wild.natural_pure = false;
    struct eng_grouping g = grouping_of("5H 6H 7H");
    cr_assert_eq(eng_group_judge(&wild, g.cards, g.n), ENG_GROUP_SEQUENCE);
    g = grouping_of("7H 8H 9H");
    cr_assert_eq(eng_group_judge(&wild, g.cards, g.n), ENG_GROUP_PURE);
}

static enum eng_refusal check(const char *wild_card, const char *text, int *blamed)
{
    struct eng_wild wild = wild_of(wild_card);
    struct eng_grouping g = grouping_of(text);
    struct eng_blame blame;
    enum eng_refusal code = eng_grouping_check(&wild, &g, &blame);

    cr_assert_eq(code, blame.code);
    cr_assert_eq(code == ENG_OK, eng_grouping_valid(&wild, &g));
    *blamed = blame.n;
    return code;
}

Test(grouping, a_declaration_must_meet_every_requirement)
{
    static const struct {
        const char *wild, *cards;
        enum eng_refusal code;
        int blamed;
    } rows[] = {
        {"QC", "2H 3H 4H 5H | 5C 6C 7C 8C | 5D 5C X QH QS", ENG_OK, 0},
        {"QC", "TS TH TD TC | 5S 5H 5D | 6S 6H 6C | 9H 9D X", ENG_NEEDS_PURE_SEQUENCE, 0},
        {"QC", "KH KS KD | 6H 7H X | 9S TS JS X | 5S 5H 5D", ENG_NEEDS_PURE_SEQUENCE, 0},
        {"2C", "QH QS QD | 6H 7H 8H 9H | 5S 5H 5D | TS TH TD", ENG_NEEDS_TWO_SEQUENCES, 0},
        {"2C", "6H 7H 8H | 9H TH JH | TS TS TD TC | 5S 5H 5D", ENG_SET_REPEATS_SUIT, 2},
        {"2C", "6H 7H 8H | 9H TH QH | TS TH TD TC | 5S 5H 5D", ENG_RUN_NOT_CONSECUTIVE, 3},
        {"2C", "6H 7H 8H | 9H TH QS | TS TH TD TC | 5S 5H 5D", ENG_NOT_A_MELD, 3},
        {"2C", "6H 7H 8H | 9H TH JH | TS TH TD TC / 5S 5H 5D", ENG_GROUPING_INCOMPLETE, 3},
        {"2C", "6H 7H 8H | 9H TH JH | TS TH TD TC KC | 5S 5H", ENG_GROUPING_INCOMPLETE, 2},
        {"2C", "6H 7H 8H | 9H TH JH | TS TH TD TC", ENG_GROUPING_INCOMPLETE, 0},
        {"QD", "2H 3H 4H | 5C 6C 7C QD | 5D 5C 5H | 2D 2C 2H", ENG_OK, 0},
    };
    for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
        int blamed;
        cr_expect_eq(check(rows[i].wild, rows[i].cards, &blamed), rows[i].code, "%s", rows[i].cards);
        cr_expect_eq(blamed, rows[i].blamed, "%s: %d", rows[i].cards, blamed);
    }
}

Test(grouping, the_scoring_table_holds_row_by_row)
{
    static const struct {
        const char *cards;
        bool exact;
        int points;
    } rows[] = {
        {"2H 3H 4H | 5C 6C QD | 8D 8S 5C / 2D 2C KS QS", true, 45},
        {"2H 3H 4H | 5C 6C QD | 8D 8S 5C / 2D 2C KS QS", false, 35},
        {"4S 4H 4C | 4D 5D QD | 3S 7S 8S / QD KD TC 9C", false, 68},
        {"3H 4H 5H | 5C 6C 7C QD | 2D 2C 2H / 8D 5C KS", false, 23},
        {"2H 3H 4H | 5C 6C 7C QD | 5D 5C 5H | 2D 2C 2H", false, 0},
        {"/ KH KS KD KC JH JS JD JC AH AS AD AC 9H", false, 80},
        {"/ 2H X QD QH QS", false, 2},
    };
    for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
        struct eng_wild wild = wild_of("QD");
        struct eng_grouping g = grouping_of(rows[i].cards);
        wild.exact = rows[i].exact;
        cr_expect_eq(eng_grouping_points(&wild, &g, 80), rows[i].points, "%s", rows[i].cards);
        int uncapped = eng_grouping_points(&wild, &g, 1000);
        cr_expect(uncapped == rows[i].points || (rows[i].points == 80 && uncapped == 129), "%d", uncapped);
    }
}
