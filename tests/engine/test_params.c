/* The values of each variant's row, compared with the table "Parameters" of the rules line by line; and
 * invalid rows, which cannot be played. */
#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

#include "base/bug.h"
#include "engine/core/params.h"
#include "tests/engine/play.h"

enum { LAID = 5, ALL = 10 };

static const char *const variants[ALL] = {"rummy51", "straight", "treff",   "rummy40", "rami",
                                          "points",  "pool101",  "pool201", "deals2",  "deals3"};

struct line {
    const char *field;
    int values[LAID],
        declare; /* for the five variants with melds, and for the whole declare family; SKIP: tested below */
};

enum { SKIP = -9999 };

static const struct line lines[] = {
    {"players_min", {2, 2, 2, 2, 2}, 2},
    {"players_max", {4, 4, 4, 4, 4}, 6},
    {"packs", {2, 1, 2, 2, 2}, 2},
    {"jokers", {4, 0, 3, 6, 6}, 2},
    {"deal", {14, 7, 13, 13, 13}, 13},
    {"deal_two", {14, 10, 13, 13, 13}, 13},
    {"starter_extra", {1, 0, 0, 0, 0}, 0}, /* 1: the starter gets an extra card and discards without a draw */
    {"face_up_start", {0, 1, 1, 1, 1}, 1},
    {"ace_low", {1, 1, 1, 1, 1}, 1},
    {"ace_high", {1, 0, 1, 1, 1}, 1},
    {"ace_low_points", {10, 1, 1, 1, 1}, 10},
    {"ace_high_points", {10, 15, 11, 11, 11}, 10},
    {"ace_points", {10, 1, 11, 11, 11}, 10},
    {"court_points", {10, 10, 10, 10, 10}, 10},
    {"joker_points", {20, 0, 20, 20, 20}, 0},
    {"run_max", {14, 13, 14, 14, 14}, 13},
    {"set_max", {4, 4, 4, 4, 4}, 4}, /* naturals in the declare family */
    {"jokers_opening_max", {1, 0, 14, 14, 14}, SKIP},
    {"jokers_set_max", {1, 0, 2, 1, 1}, SKIP},
    {"jokers_ratio",
     {ENG_JOKERS_ONE_NATURAL, SKIP, ENG_JOKERS_NOT_MORE, ENG_JOKERS_FEWER, ENG_JOKERS_FEWER},
     SKIP},
    {"jokers_apart", {0, SKIP, 0, 1, 1}, SKIP},
    {"joker_joins_set", {0, SKIP, 1, 1, 1}, SKIP},
    {"opening_min", {51, 0, 0, 40, 51}, 0},
    {"below_minimum", {ENG_BELOW_REFUSED, SKIP, SKIP, ENG_BELOW_RETURNED, ENG_BELOW_RETURNED}, SKIP},
    {"meld_in_round_1", {0, 1, 1, 1, 0}, SKIP},
    {"discard_obliges", {1, 0, 0, 0, 0}, 0},
    {"taken_discard_in_opening", {0, 0, 0, 0, 0}, 0},
    {"throw_back", {1, 0, 1, 1, 1}, 1},
    {"lay_off_unopened", {0, 1, 0, 0, 0}, SKIP},
    {"swap_set_full", {0, SKIP, 0, 1, 1}, SKIP},
    {"swapped_joker_kept", {1, SKIP, 0, 0, 0}, SKIP},
    {"joker_buried", {1, SKIP, 0, 0, 0}, SKIP},
    {"stock_flips", {0, 1, 0, 0, 0}, 0},
    {"win_points", {-40, SKIP, 0, 0, 0}, SKIP},
    {"never_opened_points", {100, 0, 0, 0, 0}, SKIP},
    {"winner_takes", {0, 1, 0, 0, 0}, SKIP},
    {"lowest_wins", {0, 1, 0, 0, 0}, SKIP},
    {"hand_win_points", {-40, SKIP, 25, 0, 0}, SKIP},
    {"rummy_winner_factor", {1, 2, 1, 1, 1}, 1},
    {"rummy_losers_factor", {1, 1, 1, 2, 2}, 1},
    {"hands_negative", {0, 0, 1, 0, 0}, SKIP},
    {"best_high", {0, 1, 1, 0, 0}, SKIP},
    {"ties_share", {0, 1, 1, 1, 1}, SKIP},
    {"one_card_rule", {0, 0, 0, 1, 1}, SKIP},
    {"target", {0, 150, 0, 0, 0}, SKIP},
    {"session_hands", {1, 99, 3, 3, 3}, SKIP},
    {"turn_s", {30, 30, 30, 30, 30}, 30},
    {"hand_s", {120, 120, 120, 120, 120}, 120},
    {"timeouts_max", {3, 3, 3, 3, 3}, 3},
    {"stall_turns", {100, 100, 100, 100, 100}, 100},
};

static int value_of(const char *variant, const char *field)
{
    int number = eng_param_named(field, strlen(field));
    cr_assert_geq(number, 0, "%s", field);
    return eng_param_get(eng_params_find(variant), number);
}

Test(params, every_line_of_the_table_of_rules_matches)
{
    for (size_t i = 0; i < ARRAY_LEN(lines); i++)
        for (int v = 0; v < ALL; v++) {
            int wanted = v < LAID ? lines[i].values[v] : lines[i].declare;
            if (wanted != SKIP)
                cr_assert_eq(value_of(variants[v], lines[i].field), wanted, "%s of %s", lines[i].field,
                             variants[v]);
        }
}

/* Differences within the declare family. */
Test(params, the_session_fields_of_the_declare_family_match)
{
    static const struct {
        const char *field;
        int values[ALL - LAID];
    } rows[] = {
        {"session_hands", {1, 99, 99, 2, 3}},
        {"target", {0, 101, 201, 0, 0}},
        {"pool", {0, 1, 1, 0, 0}},
        {"rejoin_max", {0, 79, 174, 0, 0}},
        {"drop_first", {20, 20, 25, 0, 0}},
        {"drop_middle", {40, 40, 50, 0, 0}},
        {"start_points", {0, 0, 0, 80, 80}},
        {"leave_points", {0, 0, 0, 80, 80}},
        {"tie_hands", {0, 0, 0, 1, 1}},
        {"points_cap", {80, 80, 80, 80, 80}},
        {"wrong_points", {80, 80, 80, 80, 80}},
        {"group_s", {30, 30, 30, 30, 30}},
    };
    for (size_t i = 0; i < ARRAY_LEN(rows); i++)
        for (int v = LAID; v < ALL; v++)
            cr_assert_eq(value_of(variants[v], rows[i].field), rows[i].values[v - LAID], "%s of %s",
                         rows[i].field, variants[v]);
}

/* "packs + jokers = cards" and "stock after the deal", for each number of players. */
Test(params, card_and_stock_counts_match_the_table_of_rules)
{
    static const struct {
        const char *variant;
        int cards, stock[5]; /* for 2, 3 … players */
    } rows[] = {
        {"rummy51", 108, {108 - 29, 108 - 43, 51}},
        {"straight", 52, {31, 30, 23}},
        {"treff", 107, {80, 67, 54}},
        {"rummy40", 110, {83, 70, 57}},
        {"rami", 110, {83, 70, 57}},
        {"points", 106, {78, 65, 52, 39, 26}},
        {"pool101", 106, {78, 65, 52, 39, 26}},
        {"pool201", 106, {78, 65, 52, 39, 26}},
        {"deals2", 106, {78, 65, 52, 39, 26}},
        {"deals3", 106, {78, 65, 52, 39, 26}},
    };
    for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
        const struct eng_params *p = eng_params_find(rows[i].variant);
        cr_assert_eq(eng_params_cards(p), rows[i].cards, "%s", rows[i].variant);
        for (int players = p->players_min; players <= p->players_max; players++) {
            struct eng_game g;
            struct eng_outcome out;
            play_deal(&g, p, players, i, &out);
            cr_assert_eq(g.stock_n, rows[i].stock[players - 2], "%s, %d players: %d", rows[i].variant,
                         players, g.stock_n);
        }
    }
}

Test(params, inconsistent_rows_are_invalid)
{
    static const struct {
        const char *variant, *field;
        int value;
    } rows[] = {
        {"rummy51", "players_min", 5},      /* no number of players is valid */
        {"straight", "ace_low", 0},         /* the ace is neither low nor high */
        {"rummy51", "packs", 1},            /* too few cards for four */
        {"rummy51", "lay_off_unopened", 1}, /* laying off would be an opening below the minimum */
        {"treff", "jokers_ratio", ENG_JOKERS_ONE_NATURAL}, /* a set of one natural card */
        {"rummy51", "wild_scope", ENG_WILD_RANK},          /* a field of the other family */
        {"rummy51", "drop_first", 20},
        {"straight", "pool", 1},
        {"treff", "throw_back", 0}, /* undoing a swap could leave a joker and the card just taken */
        {"rami", "throw_back", 0},
    };
    for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
        struct eng_params p = *eng_params_find(rows[i].variant);
        cr_assert(eng_params_ok(&p, 4));
        cr_assert(eng_param_set(&p, eng_param_named(rows[i].field, strlen(rows[i].field)), rows[i].value));
        cr_assert_not(eng_params_ok(&p, 4), "%s with %s=%d", rows[i].variant, rows[i].field, rows[i].value);
    }
}

/* Which variant has which option, its default, and its limits; and that the default can be set explicitly. */
Test(params, every_option_has_its_default_and_limits)
{
    static const struct {
        const char *name, *least, *greatest, *below, *above;
        const char *known_by; /* "012…": indices into variants[] */
    } options[] = {
        {"ace", "low", "high", "", "both", "1"},
        {"target", "50", "500", "49", "501", "1"},
        {"rounds", "1", "9", "0", "10", "234"},
        {"opening_min", "1", "200", "0", "201", "034"},
        {"turn_s", "10", "120", "9", "121", "0123456789"},
        {"hand_s", "0", "1200", "-1", "1201", "0123456789"},
        {"taken_discard_in_opening", "0", "1", "-1", "2", "0"},
        {"wild_scope", "rank", "exact", "", "suit", "56789"},
        {"wild_natural_pure", "0", "1", "-1", "2", "56789"},
    };
    for (size_t i = 0; i < ARRAY_LEN(options); i++)
        for (int v = 0; v < ALL; v++) {
            const struct eng_params *row = eng_params_find(variants[v]);
            bool known = strchr(options[i].known_by, '0' + v) != NULL;
            const struct {
                const char *value;
                bool good;
            } tries[] = {{options[i].least, known},
                         {options[i].greatest, known},
                         {options[i].below, false},
                         {options[i].above, false},
                         {"nonsense", false}};
            for (size_t k = 0; k < ARRAY_LEN(tries); k++) {
                struct eng_params p = *row;
                cr_assert_eq(eng_params_set(&p, options[i].name, tries[k].value), tries[k].good, "%s: %s=%s",
                             variants[v], options[i].name, tries[k].value);
                cr_assert(eng_params_ok(&p, 2), "%s: %s=%s", variants[v], options[i].name, tries[k].value);
                cr_assert(tries[k].good || memcmp(&p, row, sizeof p) == 0);
            }
        }
}

/* The list of options contains everything that can be set, each with its default and its limits. */
Test(params, every_option_is_listed)
{
    static const char *const known[ALL] = {"opening_min turn_s hand_s taken_discard_in_opening",
                                           "ace target turn_s hand_s",
                                           "rounds turn_s hand_s",
                                           "rounds opening_min turn_s hand_s",
                                           "rounds opening_min turn_s hand_s",
                                           "wild_scope turn_s hand_s wild_natural_pure",
                                           "wild_scope turn_s hand_s wild_natural_pure",
                                           "wild_scope turn_s hand_s wild_natural_pure",
                                           "wild_scope turn_s hand_s wild_natural_pure",
                                           "wild_scope turn_s hand_s wild_natural_pure"};
    for (int v = 0; v < ALL; v++) {
        const struct eng_params *row = eng_params_find(variants[v]);
        struct eng_option option;
        char names[128] = "";
        for (int i = 0; eng_params_option(row, i, &option); i++) {
            strcat(strcat(names, i > 0 ? " " : ""), option.name);
            cr_assert(option.least < option.greatest && option.value >= option.least &&
                      option.value <= option.greatest);
            for (int value = option.least; value <= option.greatest; value++) {
                struct eng_params p = *row;
                char number[8];
                snprintf(number, sizeof number, "%d", value);
                const char *word = option.words ? option.words[value - option.least] : number;
                cr_assert(eng_params_set(&p, option.name, word), "%s: %s=%s", variants[v], option.name, word);
                cr_assert_eq(memcmp(&p, row, sizeof p) == 0, value == option.value, "%s: %s=%s", variants[v],
                             option.name, word);
            }
        }
        cr_assert_str_eq(names, known[v], "%s", variants[v]);
    }
}

Test(params, the_hand_clock_follows_the_turn_clock_unless_it_is_set)
{
    static const struct {
        const char *names[2], *values[2];
        int turn_s, hand_s;
        bool ok;
    } rows[] = {
        {{"turn_s"}, {"60"}, 60, 240, true},
        {{"turn_s", "hand_s"}, {"60", "120"}, 60, 120, true},
        {{"turn_s", "hand_s"}, {"120", "0"}, 120, 0, true},
        {{"hand_s", "turn_s"}, {"300", "60"}, 60, 300, true},
        {{"hand_s", "turn_s"}, {"0", "60"}, 60, 0, true},
        {{"turn_s", "hand_s"}, {"60", "60"}, 60, 60, true},
        {{"turn_s", "hand_s"}, {"60", "59"}, 60, 59, false},
        {{"hand_s"}, {"29"}, 30, 29, false},
        {{"hand_s"}, {"1"}, 30, 1, false},
    };
    for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
        struct eng_params p = *eng_params_find("treff");
        for (int k = 0; k < 2 && rows[i].names[k]; k++)
            cr_assert(eng_params_set(&p, rows[i].names[k], rows[i].values[k]));
        cr_assert_eq(p.turn_s, rows[i].turn_s, "row %zu", i);
        cr_assert_eq(p.hand_s, rows[i].hand_s, "row %zu", i);
        cr_assert_eq(eng_params_ok(&p, 2), rows[i].ok, "row %zu", i);
    }
}

/* Options take effect: a session with each option ends where it must. */
Test(params, options_determine_the_length_of_a_session)
{
    static const struct {
        const char *variant, *option, *value;
        int hands;
    } rows[] = {{"treff", "rounds", "1", 1}, {"treff", "rounds", "5", 5},    {"rummy40", "rounds", "2", 2},
                {"rami", "rounds", "9", 9},  {"rummy51", "turn_s", "60", 1}, {"treff", "turn_s", "60", 3}};
    for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
        struct eng_params p = *eng_params_find(rows[i].variant);
        struct eng_game g;
        struct eng_outcome out;
        uint64_t rng = i;
        cr_assert(eng_params_set(&p, rows[i].option, rows[i].value));
        play_deal(&g, &p, 2, i, &out);
        while (eng_phase(&g) != ENG_SESSION_OVER) {
            struct eng_move m;
            uint8_t key[ENG_KEY_BYTES] = {g.hand_no};
            if (eng_phase(&g) == ENG_HAND_OVER)
                eng_deal(&g, key, &out);
            play_propose(&g, &rng, &m);
            eng_apply(&g, &m, &out);
        }
        cr_assert_eq(g.hand_no, rows[i].hands, "%s %s=%s: %d", rows[i].variant, rows[i].option, rows[i].value,
                     g.hand_no);
    }
}
