/* The parser for small JSON texts: what it accepts, what it rejects, and jansson as its oracle. */
#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

#include "base/jread.h"
#include "tests/base/jread_oracle.h"

static struct jread tree;

static enum jread_result result_of(const char *text)
{
    return jread(&tree, text, strlen(text));
}

Test(jread, a_tree_is_read_in_document_order)
{
    cr_assert_eq(
        result_of(
            " {\"t\":\"draw\" , \"d\":{\"cards\":[\"TH1\",\"X2\"],\"n\":-7},\"x\":[{},[]],\"y\":true}\n"),
        JREAD_OK);
    const struct jread_node *root = &tree.nodes[0], *d = jread_member(root, "d");
    cr_assert(root->kind == JREAD_OBJECT && root->n == 4);
    cr_assert(jread_is(jread_member(root, "t"), "draw") && !jread_is(jread_member(root, "t"), "dra"));
    cr_assert(d->kind == JREAD_OBJECT && d->n == 2 && !jread_member(d, "t") && !jread_is(d, "d"));
    const struct jread_node *cards = jread_member(d, "cards");
    cr_assert(cards->kind == JREAD_ARRAY && cards->n == 2);
    const struct jread_node *second = jread_next(jread_first(cards));
    cr_assert(jread_is(second, "X2") && jread_next(second) == jread_end(cards));
    cr_assert_eq(jread_member(d, "n")->number, -7);
    cr_assert_eq(jread_member(root, "x")->n, 2);
    cr_assert_eq(jread_member(root, "y")->kind, JREAD_TRUE);
    cr_assert_null(jread_member(root, "no"));
}

Test(jread, escapes_in_strings_are_decoded)
{
    char text[16];
    cr_assert_eq(result_of("\"a\\n\\u0041\\u00e9\\u20AC\\ud83d\\ude00\\/\""), JREAD_OK);
    cr_assert_eq(jread_text(&tree.nodes[0], text, sizeof(text)), 13);
    cr_assert_str_eq(text, "a\nA\xc3\xa9\xe2\x82\xac\xf0\x9f\x98\x80/");
    cr_assert_eq(jread_text(&tree.nodes[0], text, 14), 13, "it and its NUL just fit");
    cr_assert_eq(jread_text(&tree.nodes[0], text, 13), 13, "it does not");
    cr_assert_eq(result_of("{\"\\u0074\":1}"), JREAD_OK);
    cr_assert_not_null(jread_member(&tree.nodes[0], "t"));
}

Test(jread, invalid_json_is_refused)
{
    static const char *const bad[] = {"",
                                      "{",
                                      "}",
                                      "[1,]",
                                      "{\"a\":1,}",
                                      "{\"a\" 1}",
                                      "{a:1}",
                                      "01",
                                      "-",
                                      "1.",
                                      "1e",
                                      ".5",
                                      "+1",
                                      "tru",
                                      "nul",
                                      "\"",
                                      "\"\\x\"",
                                      "\"\\u12\"",
                                      "\"\t\"",
                                      "1 2",
                                      "[1 2]",
                                      "\"\\u0000\"",
                                      "\"\\ud800\"",
                                      "\"\\ud800\\u0041\"",
                                      "[,1]",
                                      "\"\\udc00\"",
                                      "{\"\\u0000\":1}",
                                      "9223372036854775808",
                                      "-9223372036854775809"};
    for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++)
        cr_assert_eq(result_of(bad[i]), JREAD_BAD, "%s", bad[i]);
    cr_assert_eq(jread(&tree, "1\0", 2), JREAD_BAD, "a NUL is not white space");
    cr_assert_eq(result_of("9223372036854775807"), JREAD_OK);
    cr_assert_eq(result_of("-9223372036854775808"), JREAD_OK);
    cr_assert_eq(tree.nodes[0].number, INT64_MIN);
    cr_assert_eq(result_of("{\"a\":1,\"b\":2,\"a\":3}"), JREAD_DUPLICATE);
    cr_assert_eq(result_of("{\"a\":1,\"\\u0061\":3}"), JREAD_DUPLICATE);
    cr_assert_eq(result_of("[{\"\xc3\xa9\":1,\"\\u00e9\":3}]"), JREAD_DUPLICATE);
    cr_assert_eq(result_of("{\"a\":{\"b\":1},\"b\":{\"a\":1}}"), JREAD_OK,
                 "names count in their object only");
}

Test(jread, depth_and_node_count_are_limited)
{
    char text[2 * JREAD_NODES_MAX + 8];
    for (int depth = JREAD_DEPTH_MAX; depth <= JREAD_DEPTH_MAX + 1; depth++) {
        memset(text, '[', (size_t)depth);
        memset(text + depth, ']', (size_t)depth);
        cr_assert_eq(jread(&tree, text, 2 * (size_t)depth), depth > JREAD_DEPTH_MAX ? JREAD_BAD : JREAD_OK);
    }
    for (int n = JREAD_NODES_MAX - 1; n <= JREAD_NODES_MAX; n++) {
        size_t len = 1;
        text[0] = '[';
        for (int i = 0; i < n; i++, len += 2)
            memcpy(text + len, "7,", 2);
        text[len - 1] = ']';
        cr_assert_eq(jread(&tree, text, len), n == JREAD_NODES_MAX ? JREAD_TOO_MANY : JREAD_OK);
    }
}

/* Nearly valid texts: pieces of real frames, concatenated and then randomly corrupted. */
static size_t make_text(uint64_t *rng, char *text)
{
    static const char *const pieces[] = {"{",
                                         "}",
                                         "[",
                                         "]",
                                         ",",
                                         ":",
                                         "\"t\":",
                                         "\"id\":\"c1\"",
                                         "\"d\":{",
                                         "\"a\"",
                                         "\"\\u0061\"",
                                         "\"\\ud83d\\ude00\"",
                                         "-12",
                                         "0",
                                         "1.5e+3",
                                         "true",
                                         "false",
                                         "null",
                                         " ",
                                         "\n",
                                         "{\"t\":\"draw\",\"id\":\"a\",\"d\":{\"from\":\"stock\"}}",
                                         "[\"TH1\",\"X2\"]",
                                         "\"x\\\"y\"",
                                         "\"\xc3\xa9\""};
    static const char marks[] = "{}[],:\"\\u0189 ae-.\n";
    size_t len = 0, n = 1 + (*rng >> 20) % 12;
    for (size_t i = 0; i < n; i++) {
        *rng = *rng * 6364136223846793005ULL + 1442695040888963407ULL;
        const char *piece = pieces[(*rng >> 33) % (sizeof(pieces) / sizeof(pieces[0]))];
        memcpy(text + len, piece, strlen(piece));
        len += strlen(piece);
    }
    for (; (*rng & 0x30000) == 0; *rng = *rng * 6364136223846793005ULL + 1442695040888963407ULL)
        text[(*rng >> 33) % len] = marks[(*rng >> 25) % (sizeof(marks) - 1)];
    return len;
}

Test(jread, agrees_with_jansson)
{
    uint64_t rng = 1;
    int good = 0;
    for (int i = 0; i < 100000; i++) {
        char text[1024];
        size_t len = make_text(&rng, text);
        rng = rng * 6364136223846793005ULL + 1442695040888963407ULL;
        cr_assert(jread_agrees(text, len), "%.*s", (int)len, text);
        good += jread(&tree, text, len) == JREAD_OK;
    }
    cr_assert_gt(good, 1000, "%d texts were JSON", good);
}
