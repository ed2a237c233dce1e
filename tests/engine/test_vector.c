/* Rule vectors: what is told of a good, a failing and a malformed one. */
#include <criterion/criterion.h>
#include <string.h>

#include "engine/record/vector.h"

#define HEADS                                                                                                \
    "[Rummyd \"1\"]\n[Variant \"treff\"]\n[Players \"2\"]\n[Setup \"yes\"]\n[Starter \"0\"]\n"               \
    "[Cards0 \"2C1 3C1\"]\n[Cards1 \"4C1\"]\n[Turns \"1 1\"]\n[ToMove \"0\"]\n[Phase \"draw\"]\n"            \
    "[Stock \"9S1\"]\n"

static struct eng_vector last;
static int told;
static struct eng_record_error error;

static void tell(void *arg, const struct eng_vector *vector)
{
    last = *vector;
    told++;
    cr_assert_null(arg);
}

static bool run(const char *text)
{
    told = 0;
    return eng_vectors_run(text, strlen(text), tell, NULL, &error);
}

Test(vector, holds_or_says_what_is_wrong)
{
    cr_assert(run("vector good\n" HEADS "0 stock 9S1, throw 2C1\ndiscard 2C1\nhand 0 3C1 9S1\n"));
    cr_assert(told == 1 && last.wrong[0] == '\0', "%s", last.wrong);
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
        cr_assert(run(text), "%s: %u:%u %s", bad[i], error.line, error.column, error.expected);
        cr_assert(told == 1 && last.wrong[0] != '\0', "%s", bad[i]);
        cr_assert_geq(last.line, 13);
    }
}

Test(vector, malformed_ones_say_where)
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
        {"vector x\n" HEADS "[Opened \"1\"]\n[Meld \"1 2C1 3C1 4C1\"]\n", 15, 1},
    };
    for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
        cr_assert_not(run(rows[i].text), "%zu", i);
        cr_assert(error.line == rows[i].line && error.column == rows[i].column, "%zu: %u:%u %s", i,
                  error.line, error.column, error.expected);
    }
}

/* Groups and a wild card, without a position. */
Test(vector, groupings_hold_or_say_where_they_do_not)
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
    cr_assert(run(good), "%u:%u %s", error.line, error.column, error.expected);
    cr_assert(told == 1 && last.wrong[0] == '\0', "%u: %s", last.line, last.wrong);
    for (size_t i = 0; i < ARRAY_LEN(bad); i++) {
        char text[256] = "vector g\nwild none\n";
        strcat(text, bad[i].lines);
        cr_assert(run(text), "%zu: %u:%u %s", i, error.line, error.column, error.expected);
        cr_assert(told == 1 && last.wrong[0] != '\0', "%zu", i);
        cr_assert(last.line == bad[i].line && last.column == 1, "%zu: %u:%u", i, last.line, last.column);
    }
    for (size_t n = 0; n < sizeof good; n++)
        (void)eng_vectors_run(good, n, tell, NULL, &error);
}

Test(vector, malformed_groupings_say_where)
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
        cr_assert(error.line == rows[i].line && error.column == rows[i].column, "%zu: %u:%u %s", i,
                  error.line, error.column, error.expected);
    }
}

Test(vector, no_prefix_crashes)
{
    static const char whole[] =
        "vector x\n" HEADS "0 stock 9S1, throw 2C1\nevent turn 2\ndiscard 2C1\nsession on\n"
        "result out 0\nscore 0 place 1 points 0 cards 0\n";
    for (size_t n = 0; n < sizeof whole; n++)
        (void)eng_vectors_run(whole, n, tell, NULL, &error);
}
