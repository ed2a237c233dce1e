/* Rule vectors: the reports for a passing, a failing, and a malformed one. */
#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

#include "engine/record/vector.h"

#define HEADS                                                                                                \
    "[Rummyd \"1\"]\n[Variant \"treff\"]\n[Players \"2\"]\n[Setup \"yes\"]\n[Starter \"0\"]\n"               \
    "[Cards0 \"2C1 3C1\"]\n[Cards1 \"4C1\"]\n[Turns \"1 1\"]\n[ToMove \"0\"]\n[Phase \"draw\"]\n"            \
    "[Stock \"9S1\"]\n"

static struct eng_vector last, first;
static int stated, failed;
static size_t counted;

static void report(void *arg, const struct eng_vector *vector)
{
    last = *vector;
    if (stated++ == 0)
        first = last;
    failed += vector->wrong[0] != '\0';
    cr_assert_null(arg);
}

/* Whether each of them passes. */
static bool run(const char *text)
{
    stated = failed = 0;
    counted = eng_vectors_run(text, strlen(text), report, NULL);
    return failed == 0;
}

Test(vector, passes_or_reports_what_is_wrong)
{
    cr_assert(run("vector good\n" HEADS "0 stock 9S1, throw 2C1\ndiscard 2C1\nhand 0 3C1 9S1\n"));
    cr_assert(stated == 1 && last.wrong[0] == '\0', "%s", last.wrong);
    cr_assert_str_eq(last.title, "good");
    static const char *const bad[] = {
        "0 stock 8S1\n",
        "0 throw 2C1\n",
        "refused not_a_meld by 0 throw 2C1\n",
        "0 stock 9S1\nrefused card_not_held [AC1] by 0 throw KC1\n",
        "0 stock 9S1\nevent melded\n",
        "0 stock 9S1, throw 2C1\nevent turn 3\n",
        "discard 2C1\n",
        "stock 9S1\n",
        "hand 0 2C1\n",
        "meld 0 2C1 3C1 4C1\n",
        "totals 1 0\n",
        "session on\n",
        "session over 0\n",
        "result out 0\nscore 0 place 1 points 0 cards 0\nscore 1 place 2 points 0 cards 0\n",
    };
    for (size_t i = 0; i < ARRAY_LEN(bad); i++) {
        char text[1024];
        cr_assert_lt(strlen(bad[i]), 200);
        strcpy(text, "vector bad\n" HEADS);
        strcat(text, bad[i]);
        cr_assert_not(run(text), "%s", bad[i]);
        cr_assert_eq(stated, 1, "%s", bad[i]);
        cr_assert_geq(last.line, 13);
    }
}

Test(vector, malformed_vectors_are_reported_with_their_position)
{
    static const struct {
        const char *text;
        uint32_t line, column;
    } rows[] = {
        {"[Rummyd \"1\"]\n", 1, 1},
        {"vector x\n[Rummyd \"1\"]\n[Plyers \"2\"]\n", 3, 2},
        {"vector x\n" HEADS "0 stok 9S1\n", 13, 3},
        {"vector x\n" HEADS "2 stock 9S1\n", 13, 1},
        {"vector x\n" HEADS "refused no_such by 0 stock 9S1\n", 13, 9},
        {"vector x\n" HEADS "event no_such\n", 13, 7},
        {"vector x\n" HEADS "session off\n", 13, 9},
        {"vector x\n" HEADS "0 stock 9S1 \n", 13, 12},
        {"vector x\n" HEADS "result out 0\nscore 1\n", 14, 8},
    };
    for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
        cr_assert_not(run(rows[i].text), "%zu", i);
        cr_assert(last.line == rows[i].line && last.column == rows[i].column, "%zu: %u:%u %s", i, last.line,
                  last.column, last.wrong);
        cr_assert_eq(strncmp(last.wrong, "expected ", 9), 0, "%s", last.wrong);
    }
}

/* Groups and a wild card, without a position. */
Test(vector, groupings_pass_or_are_reported_with_their_position)
{
    static const char good[] = "vector g\nwild QD1 exact spoils\ngroup pure 5H1 6H1 7H1\n"
                               "grouping 2H1 3H1 4H1 | 5C1 6C1 QD1 / KS1\nwrong grouping_incomplete [KS1]\n"
                               "points 10\nhand 2H1 3H1 4H1 5C1 6C1 QD1 KS1\nbest 10\nbest 0 KS1\n";
    static const struct {
        const char *lines;
        uint32_t line;
    } bad[] = {
        {"group set 5H1 6H1 7H1\n", 3},
        {"grouping 2H1 3H1 4H1\nvalid\n", 4},
        {"grouping 2H1 3H1 4H1\nwrong not_a_meld\n", 4},
        {"grouping 2H1 3H1 4H1 / KS1\nwrong grouping_incomplete [2H1]\n", 4},
        {"grouping / KS1\npoints 9\n", 4},
        {"hand KS1\nbest 0\n", 4},
        {"hand KS1 2S1\nbest 2 2S1\n", 4},
    };
    cr_assert(run(good), "%u:%u %s", last.line, last.column, last.wrong);
    cr_assert(stated == 1 && last.wrong[0] == '\0', "%u: %s", last.line, last.wrong);
    for (size_t i = 0; i < ARRAY_LEN(bad); i++) {
        char text[256] = "vector g\nwild none\n";
        strcat(text, bad[i].lines);
        cr_assert_not(run(text), "%zu", i);
        cr_assert_eq(stated, 1, "%zu", i);
        cr_assert(last.line == bad[i].line && last.column == 1, "%zu: %u:%u", i, last.line, last.column);
    }
    for (size_t n = 0; n < sizeof good; n++)
        (void)eng_vectors_run(good, n, report, NULL);
}

Test(vector, malformed_groupings_are_reported_with_their_position)
{
    static const struct {
        const char *lines;
        uint32_t line, column;
    } rows[] = {
        {"wild\n", 2, 1},
        {"wild QQ1\n", 2, 6},
        {"wild QD1 odd\n", 2, 9},
        {"wild QD1\n\n", 3, 1},
        {"wild QD1\ngroup many 2C1\n", 3, 7},
        {"wild QD1\ngroup none 2C1 2C1\n", 3, 16},
        {"wild QD1\npoints 9\n", 3, 1},
        {"wild QD1\nhand 2C1\nbest 81\n", 4, 6},
        {"wild QD1\nhand 2C1\nbest 0 3C1\n", 4, 8},
        {"wild QD1\ngrouping 2C1 | 3C1 | 4C1 | 5C1 | 6C1\n", 3, 34},
        {"wild QD1\ngrouping 2C1 / 3C1 / 4C1\n", 3, 20},
        {"wild QD1\ngrouping 2C1\nwrong never\n", 4, 7},
        {"wild QD1\ngrouping 2C1\nvalidly\n", 4, 6},
    };
    for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
        char text[256] = "vector g\n";
        strcat(text, rows[i].lines);
        cr_assert_not(run(text), "%zu", i);
        cr_assert(last.line == rows[i].line && last.column == rows[i].column, "%zu: %u:%u %s", i, last.line,
                  last.column, last.wrong);
        cr_assert_eq(strncmp(last.wrong, "expected ", 9), 0, "%s", last.wrong);
    }
}

Test(vector, no_prefix_crashes)
{
    static const char whole[] =
        "vector x\n" HEADS "0 stock 9S1, throw 2C1\nevent turn 2\ndiscard 2C1\nsession on\n"
        "result out 0\nscore 0 place 1 points 0 cards 0\n";
    for (size_t n = 0; n < sizeof whole; n++)
        (void)eng_vectors_run(whole, n, report, NULL);
}

/* ---- After a malformed vector ---- */

#define GOOD "vector good\n" HEADS "0 stock 9S1, throw 2C1\n"

/* It fails, with its line and name, and the others run anyway. */
Test(vector, a_malformed_vector_fails_and_the_next_ones_run)
{
    static const struct {
        const char *broken, *title;
        uint32_t line, column;
    } rows[] = {
        {"vector broken\n[Rummyd \"1\"]\n[Plyers \"2\"]\n\n", "broken", 3, 2},
        {"vector broken\n" HEADS "0 stok 9S1\n0 throw 2C1\n\n", "broken", 13, 3},
        {"vector broken\n" HEADS "0 stok 9S1\n", "broken", 13, 3}, /* no empty line before the next one */
        {"vector broken\n", "broken", 2, 1},
        {"vector broken\n" HEADS "[Opened \"1\"]\n[Meld \"1 2C1 3C1 4C1\"]\n0 stock 9S1\n\n", "broken", 1, 1},
        {"vector broken\nwild QQ1\npoints 3\n\n", "broken", 2, 6},
        {"no vector\nat all\n\n", "", 1, 1},
        {"vector \x01\n\n", "", 1, 8},
        {"vector caf\xe9\n" HEADS "0 stock 9S1\n\n", "", 1, 8},
    };
    for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
        char text[2048];
        strcpy(text, rows[i].broken);
        strcat(text, GOOD);
        cr_assert_not(run(text), "%zu", i);
        cr_assert(stated == 2 && failed == 1, "%zu: %d, %d", i, stated, failed);
        cr_assert_str_eq(first.title, rows[i].title);
        cr_assert(first.line == rows[i].line && first.column == rows[i].column, "%zu: %u:%u %s", i,
                  first.line, first.column, first.wrong);
        cr_assert_str_eq(last.title, "good");
        cr_assert_eq(last.wrong[0], '\0', "%zu: %s", i, last.wrong);
    }
}

/* Lines are counted once, however many vectors there are, so that twice the text takes twice the work. */
Test(vector, work_is_linear_in_the_length_of_the_text)
{
    static const char *const kinds[] = {GOOD "\n", "vector bad\n" HEADS "0 throw 2C1\n\n",
                                        "vector broken\n" HEADS "0 stok\n\n",
                                        "vector nowhere\n" HEADS "[Meld \"1 2C1 3C1 4C1\"]\n\n"};
    enum { MANY = 200 };
    static char text[2 * MANY * 512];
    for (size_t i = 0; i < ARRAY_LEN(kinds); i++) {
        size_t len = strlen(kinds[i]), once = 0;
        for (int k = 0; k < 2 * MANY; k++)
            memcpy(text + (size_t)k * len, kinds[i], len);
        once = eng_vectors_run(text, MANY * len, report, NULL);
        size_t twice = eng_vectors_run(text, 2 * MANY * len, report, NULL);
        cr_assert_eq(last.line > MANY, true);
        cr_assert_leq(once, 4 * MANY * len);
        cr_assert_leq(twice, 2 * once + len, "%zu: %zu, %zu", i, once, twice);
    }
}

/* ---- Messages ---- */

Test(vector, a_difference_is_reported_with_both_values)
{
    static const struct {
        const char *lines, *wrong;
    } rows[] = {
        {"totals 1 0\n", "the totals: expected 1 0, got 0 0"},
        {"bonus 0 25\n", "the bonus: expected 0 25, got 0 0"},
        {"session on\n", "the session: expected on, got a hand that is not over"},
        {"0 stock 9S1, throw 2C1\nevent turn 3\n", "an event of the last move: expected turn 3, got 2"},
        {"0 stock 9S1\nevent melded\n", "an event of the last move: expected melded, got none"},
        {"refused any by 0 stock 9S1\n", "a refusal: expected any, got ok"},
        {"refused not_a_meld by 0 throw 2C1\n", "a refusal: expected not_a_meld, got must_draw_first"},
        {"0 stock 8S1\n", "the card shown: expected 8S1, got 9S1"},
        {"0 throw 2C1\n", "a legal move: expected throw, got must_draw_first"},
        {"hand 0 2C1\n", "the hand: expected 2C1, got 2C1 3C1"},
        {"[Missed \"0 x\"]\n", "expected timeouts in a row, 0 to 9"},
        {"[Params \"turn_s=5\"]\n", "expected a valid number for this parameter, 10 to 120"},
        {"[Opened \"1\"]\n[Meld \"1 2C1 3C1 4C1\"]\n", "Header Meld m0 of seat 1, card 2C1: This card is not "
                                                       "in the variant's pack, or it is in two places."},
        {"[Discard \"4C1\"]\n",
         "Header Discard, card 4C1: This card is not in the variant's pack, or it is in two places."},
        {"[Meld \"1 5C1 6C1 7C1\"]\n",
         "Header Meld m0 of seat 1: The meld belongs to a seat that has not opened."},
        {"[Opened \"1\"]\n[Meld \"1 5C1 6C1 8C1\"]\n",
         "Header Meld m0 of seat 1: This is not a meld in this variant."},
    };
    for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
        char text[1024];
        strcpy(text, "vector bad\n" HEADS);
        strcat(text, rows[i].lines);
        cr_assert_not(run(text), "%s", rows[i].lines);
        cr_assert_str_eq(last.wrong, rows[i].wrong);
    }
}

/* `any` matches every code; the offending cards must match only if they are named. */
Test(vector, any_matches_every_refusal_code)
{
    cr_assert(run("vector any\n" HEADS "refused any by 0 throw 2C1\nrefused any by 1 stock 9S1\n"
                  "0 stock 9S1\nrefused any [AC1] by 0 throw AC1\nbonus 0 0\n"),
              "%s", last.wrong);
    cr_assert_not(run("vector any\n" HEADS "0 stock 9S1\nrefused any [2C1] by 0 throw AC1\n"));
    cr_assert_str_eq(last.wrong, "the cards at fault: expected 2C1, got AC1");
}

/* Each event that a vector can name is documented, with the meaning of its number. */
Test(vector, events_are_documented)
{
    static char text[1 << 16];
    FILE *file = fopen("docs/records.md", "r");
    cr_assert_not_null(file, "run the tests from the root of the repository");
    text[fread(text, 1, sizeof text - 1, file)] = '\0';
    fclose(file);
    for (int type = 1; type < ENG_EV_TYPE_END; type++) {
        char row[64];
        (void)snprintf(row, sizeof row, "\n| `%s` | ", eng_event_name((enum eng_event_type)type));
        cr_assert_not_null(strstr(text, row), "%s", row);
    }
}
