/* Declarations, the grouping that follows them, and scores of hands: every worked example of the Indian
 * games. */
#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

#include "engine/play/legal.h"
#include "tests/engine/table.h"

#define ROW(name) (eng_params_find(name))

/* ---- Declarations ---- */

/* With wild card `wild`, seat 0 declares these groups; 4D goes to the finish slot. */
static const struct {
    const char *wild, *groups;
    enum eng_refusal fault; /* ENG_OK: it is valid */
} declarations[] = {
    /* The worked examples. */
    {"QC", "2H 3H 4H 5H | 5C 6C 7C 8C | 5D 5C X QH QS", ENG_OK},
    {"2S", "TS TH TD TC | 5S 5H 5D | 6S 6H 6C | 9H 9D X", ENG_NEEDS_PURE_SEQUENCE},
    {"2S", "KH KS KD | 6H 7H X | 9S TS JS X | 5S 5H 5D", ENG_NEEDS_PURE_SEQUENCE},
    {"2S", "QH QS QD | 6H 7H 8H 9H | 5S 5H 5D | TS TH TD", ENG_NEEDS_TWO_SEQUENCES},
    {"QD", "2H 3H 4H | 5C 6C 7C QD | 5D 5C 5H | 2D 2C 2H", ENG_OK},
    {"QH", "AC 2C 3C | 7D 8D 9D | TS TS TD TC QH | KC KC", ENG_GROUPING_INCOMPLETE},
    {"QD", "AC 2C 3C 4C | 7D 8D 9D 6D | TS TS TD TC QH", ENG_SET_REPEATS_SUIT},
    {"QD", "AC 2C 3C 4C | 7D 8D 9D TD JD | TS TD TC QH", ENG_OK},
    {"4S", "AC 2C 3C | 7D 8D 9D TD | KH KH KD | 5S 5H 5D", ENG_SET_REPEATS_SUIT},
    /* A wild card in its natural place is natural. */
    {"6C", "5H 6H 7H | 8C 9C TC | KH KS KD KC | JS QS 6S", ENG_OK},
    {"6C", "5H 6H 7H | 8C 9C X | KH KS KD KC | JS JH 6S", ENG_OK},
    /* An ace is low or high, never in the middle; turning up a printed joker makes aces wild. */
    {"6C", "QH KH AH | AC 2C 3C | 9H 9S 9D 9C | JS JH JD", ENG_OK},
    {"6C", "KH AH 2H | AC 2C 3C | 9H 9S 9D 9C | JS JH JD", ENG_RUN_NOT_CONSECUTIVE},
    {"X", "QH KH 4H | AC 2C 3C | 9H 9S 9D 9C | JS JH AD", ENG_RUN_NOT_CONSECUTIVE},
    {"X", "QH KH AD | AC 2C 3C | 9H 9S 9D 9C | JS JH AS", ENG_OK},
    /* A group of only jokers is a set, never a sequence. */
    {"6C", "2H 3H 4H | 7D 8D 9D | X 6H 6S | KH KS KD KC", ENG_OK},
    {"6C", "2H 3H 4H | KD KS KC 6D | X 6H 6S | JH JS JD", ENG_NEEDS_TWO_SEQUENCES},
    /* The same card in two groups; a sequence of 13; groups are judged as declared. */
    {"6C", "2H 3H 4H | 2H 3H 4H | KH KS KD KC | JS JH JD", ENG_OK},
    {"6C", "AS 2S 3S 4S 5S 6S 7S 8S 9S TS JS QS KS", ENG_NEEDS_TWO_SEQUENCES},
    {"6C", "2H 3H 4H 5H | 2S 3S 4S KD | KH KS KC | JS JH", ENG_GROUPING_INCOMPLETE},
    {"TC", "2H 3H 5H | 2S 3S 4S 4H | KH KS KC | JS JH JD", ENG_RUN_NOT_CONSECUTIVE},
};

Test(show, declarations_are_judged_as_grouped)
{
    for (size_t i = 0; i < ARRAY_LEN(declarations); i++) {
        struct table t;
        char hand[128], move[160];
        snprintf(hand, sizeof hand, "%s 4D", declarations[i].groups);
        for (char *c = strchr(hand, '|'); c != NULL; c = strchr(c, '|'))
            *c = ' ';
        snprintf(move, sizeof move, "declare %s finish 4D", declarations[i].groups);
        PLACE(&t, .params = ROW("points"), .players = 3, .hands = {hand}, .wild = declarations[i].wild,
              .play = true);
        if (declarations[i].fault == ENG_GROUPING_INCOMPLETE) {
            table_refuse(&t, move, ENG_GROUPING_INCOMPLETE);
            continue;
        }
        table_do(&t, move);
        const struct eng_event *e = table_event(&t, ENG_EV_DECLARED);
        cr_assert_eq(e->declared.refusal, declarations[i].fault, "%s: %s", move,
                     eng_refusal_name((enum eng_refusal)e->declared.refusal));
        cr_assert_eq(t.g.phase, declarations[i].fault == ENG_OK ? ENG_TO_GROUP : ENG_TO_DRAW);
    }
}

Test(show, an_option_makes_a_wild_card_in_its_own_place_impure)
{
    struct eng_params strict = *ROW("points");
    struct table t;
    cr_assert(eng_params_set(&strict, "wild_natural_pure", "0"));
    PLACE(&t, .params = &strict, .players = 3, .hands = {"5H 6H 7H 8C 9C X KH KS KD KC JS JH 6S 4D"},
          .wild = "6C", .play = true);
    table_do(&t, "declare 5H 6H 7H | 8C 9C X | KH KS KD KC | JS JH 6S finish 4D");
    cr_assert_eq(table_event(&t, ENG_EV_DECLARED)->declared.refusal, ENG_NEEDS_PURE_SEQUENCE);
}

Test(show, a_joker_may_be_the_finishing_card)
{
    struct table t;
    PLACE(&t, .params = ROW("points"), .players = 2, .hands = {"2H 3H 4H 5H 6C 7C 8C 9D 9S 9H JD JS JH X"},
          .play = true);
    table_do(&t, "declare 2H 3H 4H 5H | 6C 7C 8C | 9D 9S 9H | JD JS JH finish X");
    cr_assert_eq(t.g.phase, ENG_TO_GROUP);
    cr_assert_str_eq(table_discard(&t), "X1");
}

/* ---- The source's scoring table, row by row ---- */

static const struct {
    const char *groups;
    int rank, exact;
} counts[] = {
    {"2H 3H 4H | 5C 6C QD | 8D 8S 5C | 2D 2C | KS QS", 35, 45},
    {"4S 4H 4C | 4D 5D QD | 3S 7S 8S | QD KD | TC 9C", 68, 68},
    {"3H 4H 5H | 5C 6C 7C QD | 8D 5C | 2D 2C 2H | KS", 23, 23},
    {"2H 3H 4H | 5C 6C 7C QD | 5D 5C 5H | 2D 2C 2H", 0, 0},
};

/* Three or more cards form a group; pairs in the source's table are ungrouped. */
static void long_groups(const char *from, char *to)
{
    to[0] = '\0';
    for (const char *at = from; at != NULL; at = strchr(at, '|') == NULL ? NULL : strchr(at, '|') + 1) {
        size_t len = strcspn(at, "|");
        int cards = 0;
        for (size_t i = 0; i < len; i++)
            cards += at[i] != ' ' && (i == 0 || at[i - 1] == ' ');
        if (cards < 3)
            continue;
        strcat(to, to[0] == '\0' ? "" : "|");
        strncat(to, at, len);
    }
}

Test(show, hands_score_as_in_the_table_of_the_rules)
{
    for (size_t i = 0; i < ARRAY_LEN(counts); i++) {
        for (int exact = 0; exact < 2; exact++) {
            struct eng_params row = *ROW("points");
            struct table t;
            char hand[128], groups[128], move[160];
            snprintf(hand, sizeof hand, "%s", counts[i].groups);
            for (char *c = strchr(hand, '|'); c != NULL; c = strchr(c, '|'))
                *c = ' ';
            long_groups(counts[i].groups, groups);
            snprintf(move, sizeof move, "group %s done @1", groups);
            row.wild_scope = exact ? ENG_WILD_EXACT : ENG_WILD_RANK;
            /* The whole table is impossible as one deal, and so is its second row with that wild card. */
            const char *queen = strstr(hand, "QD");
            bool two = queen != NULL && strstr(queen + 1, "QD") != NULL;
            if (two)
                continue;
            PLACE(&t, .params = &row, .players = 2, .wild = "QD", .shown = true,
                  .hands = {"AC 2S 3S 4S 9H TH JH AD AH AS 7D 8D 9D", hand},
                  .groups = {"2S 3S 4S | 9H TH JH | AC AD AH AS | 7D 8D 9D"});
            table_do(&t, move);
            cr_assert_eq(t.g.points[1], exact ? counts[i].exact : counts[i].rank, "%s: %d", counts[i].groups,
                         t.g.points[1]);
        }
    }
}

/* Player 2 of the table holds both queens of diamonds, so none of them was turned up; any queen is wild. */
Test(show, a_hand_without_sequences_counts_all_cards)
{
    struct table t;
    PLACE(&t, .params = ROW("points"), .players = 2, .wild = "QC", .shown = true,
          .hands = {"AC 2H 3H 4H 9H TH JH AD AH AS 7D 8D 9D", "4S 4H 4C 4D 5D QD 3S 7S 8S QD KD TC 9C"},
          .groups = {"2H 3H 4H | 9H TH JH | AC AD AH AS | 7D 8D 9D"});
    table_do(&t, "group 4S 4H 4C | 4D 5D QD | 3S 7S 8S done @1");
    cr_assert_eq(t.g.points[1], 68);
}

Test(show, drops_and_missed_turns_score_as_in_the_table_of_the_rules)
{
    struct table t;
    PLACE(&t, .params = ROW("points"), .players = 3, .wild = "QD", .missed = {0, 2});
    table_do(&t, "drop, time-out");
    cr_assert_eq(t.g.points[0], 20);
    cr_assert_eq(t.g.points[1], 40);
    cr_assert_eq(t.g.winner, 2);
}

/* ---- Grouping ---- */

#define CLUBS "3C 4C 5C 7C 8C 9C JC QC KC AS 3S 5S 7S"
#define REDS "3H 4H 5H 7H 8H 9H JH QH KH AD 3D 5D 7D"
#define DECLARER "2H 3H 4H 5H 6C 7C 8C 9D 9S 9H JD JS JH 3D"
#define RIGHTLY "declare 2H 3H 4H 5H | 6C 7C 8C | 9D 9S 9H | JD JS JH finish 3D"

static void declared(struct table *t, const char *variant)
{
    PLACE(t, .params = ROW(variant), .players = 4, .hands = {DECLARER, REDS, CLUBS}, .play = true,
          .lost = {0, 0, 0, 20});
    table_do(t, RIGHTLY);
    cr_assert_eq(t->g.phase, ENG_TO_GROUP);
    cr_assert_eq(eng_seat_to_move(&t->g), ENG_NO_SEAT);
}

Test(show, the_last_saved_grouping_of_the_others_counts)
{
    struct table t;
    declared(&t, "points");
    cr_assert_not(eng_seat_to_group(&t.g, 0));
    cr_assert(eng_seat_to_group(&t.g, 1));
    cr_assert(eng_seat_to_group(&t.g, 2));
    cr_assert_not(eng_seat_to_group(&t.g, 3), "a seat that dropped has nothing to group");
    table_do(&t, "group 3H 4H 5H | 7H 8H 9H | JH QH KH @1, group 3H 4H 5H | 7H 8H 9H @1");
    cr_assert_eq(t.g.phase, ENG_TO_GROUP);
    cr_assert_eq(table_event(&t, ENG_EV_GROUPED)->private_to, 1);
    cr_assert_eq(table_event(&t, ENG_EV_GROUPED)->groups, 2);
    table_do(&t, "group 3C 4C 5C | 7C 8C 9C | JC QC KC done @2");
    cr_assert_not(eng_seat_to_group(&t.g, 2));
    table_do(&t, "close");
    cr_assert_eq(t.g.ending, ENG_ENDED_OUT);
    cr_assert_eq(t.g.winner, 0);
    cr_assert_eq(t.g.points[0], 0);
    cr_assert_eq(t.g.points[1], 55, "J Q K were taken out again");
    cr_assert_eq(t.g.points[2], 25);
    cr_assert_eq(t.g.points[3], 20);
    cr_assert_eq(t.g.bonus[0], 100, "what the winner collects");
}

Test(show, a_player_who_never_groups_gets_the_best_arrangement)
{
    struct table t;
    declared(&t, "pool101");
    table_do(&t, "close");
    cr_assert_eq(t.g.points[1], 25);
    cr_assert_eq(t.g.points[2], 25);
    int found = 0;
    for (int i = 0; i < t.out.events_n; i++) {
        const struct eng_event *e = &t.out.events[i];
        found += e->type == ENG_EV_SCORED && e->groups >= 3 && e->n == 13;
    }
    cr_assert_eq(found, 3, "the groups that were scored are shown, the declaration too");
}

Test(show, a_saved_grouping_counts_even_if_a_better_one_exists)
{
    struct table t;
    declared(&t, "points");
    table_do(&t, "group - done @1, group 3C 4C 5C | 7C 8C 9C | JC QC KC AS done @2");
    cr_assert_eq(t.g.points[1], 80, "nothing grouped: all cards count, 80 at most");
    cr_assert_eq(t.g.points[2], 55, "an ace of spades spoils the run of clubs");
}

Test(show, it_ends_when_no_grouping_is_pending)
{
    struct table t;
    declared(&t, "points");
    table_do(&t, "group 3H 4H 5H done @1");
    cr_assert_eq(t.g.phase, ENG_TO_GROUP);
    table_do(&t, "leave @2");
    cr_assert_eq(t.g.ending, ENG_ENDED_OUT);
    PLACE(&t, .params = ROW("deals2"), .players = 2, .hands = {DECLARER, REDS}, .play = true, .away = "1");
    table_do(&t, RIGHTLY);
    cr_assert_eq(t.g.ending, ENG_ENDED_OUT, "an absent player is not waited for");
}

Test(show, a_player_who_returns_in_time_may_group)
{
    struct table t;
    PLACE(&t, .params = ROW("deals2"), .players = 3, .hands = {DECLARER, REDS, CLUBS}, .play = true,
          .away = "1");
    table_do(&t, RIGHTLY ", return @1");
    cr_assert(eng_seat_to_group(&t.g, 1));
    table_do(&t, "group - done @1, group - done @2");
    cr_assert_eq(t.g.points[1], 160 - 80);
}

static const struct {
    enum eng_refusal code;
    const char *before, *move, *blamed;
} rows[] = {
    {ENG_HAND_IS_DECLARED, NULL, "stock @1", ""},
    {ENG_HAND_IS_DECLARED, NULL, "throw 3H @1", ""},
    {ENG_HAND_IS_DECLARED, NULL, "drop @1", ""},
    {ENG_HAND_IS_DECLARED, NULL, "time-out @1", ""},
    {ENG_GROUPING_IS_FINAL, NULL, "group 2H 3H 4H @0", ""},
    {ENG_GROUPING_IS_FINAL, "group - done @1", "group 3H 4H 5H @1", ""},
    {ENG_OUT_OF_THIS_HAND, NULL, "group 3H 4H 5H @3", ""},
    {ENG_MELD_TOO_SHORT, NULL, "group 3H 4H 5H | 7H 8H @1", "7H2 8H2"},
    {ENG_CARD_NOT_HELD, NULL, "group 3H 4H 5H 6H1 @1", "6H1"},
    {ENG_CARD_NOT_HELD, NULL, "group 3H 4H 5H2 5H2 @1", "5H2"},
};

Test(show, refusals_have_a_code_and_change_nothing)
{
    for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
        struct table t;
        declared(&t, "points");
        if (rows[i].before != NULL)
            table_do(&t, rows[i].before);
        table_refuse(&t, rows[i].move, rows[i].code);
        if (rows[i].code == ENG_CARD_NOT_HELD || rows[i].code == ENG_MELD_TOO_SHORT)
            cr_assert_eq(t.out.refused_n, strlen(rows[i].blamed) > 4 ? 2 : 1, "%s: %s", rows[i].move,
                         table_blamed(&t));
    }
}

Test(show, the_number_of_saved_groupings_is_limited)
{
    struct table t;
    declared(&t, "points");
    for (int i = 0; i < ENG_TURN_MOVES_MAX; i++)
        table_do(&t, "group 3H 4H 5H @1");
    cr_assert_eq(table_event(&t, ENG_EV_GROUPED)->grouped.for_good, 1, "the last accepted one is final");
    table_refuse(&t, "group 3H 4H 5H @1", ENG_GROUPING_IS_FINAL);
}

/* ---- Legal moves ---- */

Test(show, legal_moves_and_hints_are_accepted)
{
    struct table t;
    struct eng_view view;
    struct eng_legal legal;
    struct eng_hints hints;
    struct eng_game copy;
    PLACE(&t, .params = ROW("points"), .players = 3, .hands = {DECLARER, REDS, CLUBS}, .play = true);
    eng_view(&t.g, 0, &view);
    eng_legal(&view, &legal);
    cr_assert_eq(legal.types, 1u << ENG_DISCARD | 1u << ENG_DECLARE);
    cr_assert_eq(legal.n, 14);
    for (int i = 0; i < legal.n; i++) {
        copy = t.g;
        cr_assert_eq(legal.moves[i].type, ENG_DISCARD);
        cr_assert_eq(eng_apply(&copy, &legal.moves[i], &t.out), ENG_OK);
    }
    eng_hints(&view, &hints);
    cr_assert_eq(hints.n, 1);
    copy = t.g;
    cr_assert_eq(eng_apply(&copy, &hints.moves[0], &t.out), ENG_OK);
    cr_assert_eq(copy.phase, ENG_TO_GROUP, "the hint is a valid declaration");
    table_do(&t, RIGHTLY);
    for (uint8_t seat = 0; seat < 3; seat++) {
        eng_view(&t.g, seat, &view);
        eng_legal(&view, &legal);
        eng_hints(&view, &hints);
        cr_assert_eq(legal.types, seat == 0 ? 0 : 1u << ENG_GROUP);
        cr_assert_eq(legal.n, 0);
        cr_assert_eq(hints.n, seat != 0);
        if (seat != 0)
            cr_assert_eq(eng_apply(&t.g, &hints.moves[0], &t.out), ENG_OK);
    }
    cr_assert_eq(t.g.points[1], 25);
    cr_assert_eq(t.g.points[2], 25);
}

Test(show, legal_moves_before_drawing_are_listed)
{
    static const struct {
        const char *variant, *discard;
        uint32_t types;
    } cases[] = {
        {"points", "KD", 1u << ENG_DRAW_STOCK | 1u << ENG_DRAW_DISCARD | 1u << ENG_DROP},
        {"pool101", "TD", 1u << ENG_DRAW_STOCK | 1u << ENG_DROP},
        {"deals3", "KD", 1u << ENG_DRAW_STOCK | 1u << ENG_DRAW_DISCARD},
    };
    for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
        struct table t;
        struct eng_view view;
        struct eng_legal legal;
        PLACE(&t, .params = ROW(cases[i].variant), .players = 2, .hands = {CLUBS, REDS},
              .discard = cases[i].discard);
        eng_view(&t.g, 0, &view);
        eng_legal(&view, &legal);
        cr_assert_eq(legal.types, cases[i].types, "%zu", i);
        eng_view(&t.g, 1, &view);
        eng_legal(&view, &legal);
        cr_assert_eq(legal.types, 0);
        eng_view(&t.g, ENG_SPECTATOR, &view);
        eng_legal(&view, &legal);
        cr_assert_eq(legal.types, 0);
    }
}
