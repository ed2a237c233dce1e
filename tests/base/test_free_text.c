/* Free text: the corpus of tests/texts/free_text.json, which the HTTP tests send to every place that accepts
 * free text, and the differences between a line, several lines, and a label. */
#include <criterion/criterion.h>
#include <jansson.h>
#include <stdbool.h>
#include <string.h>

#include "base/free_text.h"

static json_t *corpus(const char *kind)
{
    static json_t *all;
    if (!all)
        all = json_load_file("tests/texts/free_text.json", JSON_REJECT_DUPLICATES, NULL);
    json_t *texts = json_object_get(all, kind);
    cr_assert(json_object_size(texts) > 0, "no texts that are %s", kind);
    return texts;
}

#define OK(of, text) of((text), sizeof(text) - 1)

Test(free_text, every_writing_system_is_accepted)
{
    const char *name;
    json_t *text;
    cr_assert_geq(json_object_size(corpus("accepted")), 50);
    json_object_foreach(corpus("accepted"), name, text)
    {
        cr_expect(free_text_line_ok(json_string_value(text), json_string_length(text)), "%s", name);
        cr_expect(free_text_ok(json_string_value(text), json_string_length(text)), "%s", name);
        cr_expect(free_text_label_ok(json_string_value(text), json_string_length(text)), "%s", name);
    }
}

Test(free_text, deceptive_and_invisible_text_is_refused)
{
    const char *name;
    json_t *text;
    json_object_foreach(corpus("refused"), name, text)
    {
        bool blank = strncmp(name, "nothing visible", 15) == 0;
        cr_expect_not(free_text_line_ok(json_string_value(text), json_string_length(text)), "%s", name);
        cr_expect_not(free_text_label_ok(json_string_value(text), json_string_length(text)), "%s", name);
        cr_expect_eq(free_text_ok(json_string_value(text), json_string_length(text)), blank, "%s", name);
    }
}

Test(free_text, bytes_that_are_not_utf8_are_refused)
{
    cr_expect_not(OK(free_text_ok, "\xff"));
    cr_expect_not(OK(free_text_ok, "a\xc0\x80"));
    cr_expect_not(OK(free_text_ok, "\xed\xa0\x80"));
    cr_expect_not(OK(free_text_ok, "\xe2\x80"));
    cr_expect_not(OK(free_text_ok, "a\0b"));
}

Test(free_text, only_multi_line_text_may_have_line_feeds_and_tabs)
{
    cr_expect(OK(free_text_ok, "first\nsecond\r\n\tthird"));
    cr_expect(OK(free_text_ok, ""));
    cr_expect(OK(free_text_ok, "  "));
    cr_expect_not(OK(free_text_ok, "\xe2\x81\xa8open\n\xe2\x81\xa9"), "an isolate ends with its line");
    cr_expect_not(OK(free_text_line_ok, "first\nsecond"));
    cr_expect_not(OK(free_text_line_ok, "a\tb"));
    cr_expect_not(OK(free_text_line_ok, ""));
}

Test(free_text, a_label_has_no_leading_or_trailing_blanks)
{
    cr_expect(OK(free_text_line_ok, " x "));
    cr_expect_not(OK(free_text_label_ok, " x"));
    cr_expect_not(OK(free_text_label_ok, "x "));
    cr_expect_not(OK(free_text_label_ok, "x\xc2\xa0"));
    cr_expect_not(OK(free_text_label_ok, "\xe2\x80\x8bx"), "a zero-width space");
    cr_expect(OK(free_text_label_ok, "x y"));
}

Test(free_text, combining_marks_are_limited)
{
    char text[2 * (FREE_TEXT_MARKS_MAX + 2) + 2] = "a";
    for (int i = 0; i < FREE_TEXT_MARKS_MAX; i++)
        strcat(text, "\xcc\x81");
    cr_expect(free_text_line_ok(text, strlen(text)));
    strcat(text, "\xcc\x81");
    cr_expect_not(free_text_line_ok(text, strlen(text)));
}

Test(free_text, right_to_left_text_is_detected)
{
    cr_expect(OK(free_text_has_right_to_left, "a \xd7\xa9"), "Hebrew");
    cr_expect(OK(free_text_has_right_to_left, "\xd9\x85"), "Arabic");
    cr_expect(OK(free_text_has_right_to_left, "\xf0\x9e\xa4\x80"), "Adlam");
    cr_expect_not(OK(free_text_has_right_to_left, "Mia \xe0\xa4\x85 7"));
    cr_expect_not(OK(free_text_has_right_to_left, ""));
    cr_expect_not(OK(free_text_has_right_to_left, "\xd7"), "malformed");
    cr_expect(OK(free_text_has_right_to_left, "\xff\xd9\x85"), "after a malformed byte");
}
