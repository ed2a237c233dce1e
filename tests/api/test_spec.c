/* Body specs and forms: each kind of invalid body has its own code, and the fault names the member. */
#include "api/core/spec.h"
#include "api/core/validators.h"
#include "api/names/names.h"

#include <criterion/criterion.h>
#include <string.h>

static const char *const colours[] = {"red", "green", "blue", NULL};
static const struct api_spec_rule nickname = {.judge = api_name_judge};
static const struct api_spec_member members[] = {
    {.name = "name", .type = API_SPEC_TEXT, .required = true, .min = 2, .max = 5, .rule = &nickname},
    {.name = "n", .type = API_SPEC_INT, .min = -3, .max = 9},
    {.name = "on", .type = API_SPEC_BOOL},
    {.name = "which", .type = API_SPEC_WORDS, .min = 1, .max = 2, .choices = colours},
};
static const struct api_spec spec = {members, 4, 200, false};

static struct api_spec_error error;
static struct api_spec_value values[API_SPEC_MEMBERS_MAX];

/* The sentence of the first fault. */
static const char *said(void)
{
    static char text[API_DETAIL_MAX];
    if (error.faults.n == 0)
        return api_code_text(error.code);
    api_fault_format(&error.faults.list[0], text);
    return text;
}

static enum api_code read_n(const char *body, size_t len)
{
    json_t *tree;
    memset(&error, 0, sizeof(error));
    bool ok = api_spec_read(&spec, body, len, &tree, values, &error);
    cr_assert(ok == (tree != NULL) && ok == (error.code == API_OK));
    json_decref(tree);
    return error.code;
}

static enum api_code read_text(const char *body)
{
    return read_n(body, strlen(body));
}

#define REFUSED(body, wanted, part)                                                                          \
    do {                                                                                                     \
        cr_expect_eq(read_text(body), wanted, "%s: %s", body, api_code_name(error.code));                    \
        cr_expect(strstr(said(), part), "%s: %s", body, said());                                             \
    } while (0)

Test(spec, accepts_a_valid_body)
{
    json_t *tree;
    const char body[] =
        " {\"on\": true, \"which\": [\"blue\", \"red\"], \"name\": \"Jos\xC3\xA9\", \"n\": -3} ";
    cr_assert(api_spec_read(&spec, body, strlen(body), &tree, values, &error));
    cr_assert(values[0].set && values[1].set && values[2].set);
    cr_assert_str_eq(values[0].text, "Jos\xC3\xA9");
    cr_assert_eq(values[1].number, -3);
    cr_assert(values[2].flag);
    json_decref(tree);
}

static const struct api_spec_member wide_members[] = {
    {.name = "n", .type = API_SPEC_INT, .min = 0, .max = 5},
    {.name = "o", .type = API_SPEC_OBJECT, .max = 2},
    {.name = "m", .type = API_SPEC_INT_OR_NULL, .min = 1, .max = 5},
};
static const struct api_spec wide_spec = {wide_members, 3, 200, false};

Test(spec, accepts_a_number_or_null_and_an_object)
{
    static const struct {
        const char *body;
        enum api_code code;
        const char *part;
    } wrong[] = {
        {"{\"n\":6}", API_OUT_OF_RANGE, "`n`"},
        {"{\"n\":true}", API_WRONG_TYPE, "integer"},
        {"{\"n\":null}", API_WRONG_TYPE, "`n`"},
        {"{\"m\":0}", API_OUT_OF_RANGE, "`m`"},
        {"{\"m\":true}", API_WRONG_TYPE, "integer or null"},
        {"{\"o\":[]}", API_WRONG_TYPE, "`o`"},
        {"{\"o\":{\"a\":1,\"b\":2,\"c\":3}}", API_BAD_LENGTH, "`o`"},
        {"{\"o\":{\"a\":{}}}", API_WRONG_TYPE, "`a` of `o`"},
        {"{\"o\":{\"a\":true}}", API_WRONG_TYPE, "`a` of `o`"},
    };
    json_t *tree;
    const char body[] = "{\"n\":5,\"m\":null,\"o\":{\"a\":1,\"b\":\"x\"}}";
    cr_assert(api_spec_read(&wide_spec, body, strlen(body), &tree, values, &error));
    cr_assert(values[0].number == 5 && values[2].flag && values[2].number == 0);
    cr_assert_eq(json_object_size(values[1].object), 2);
    json_decref(tree);
    for (size_t i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++) {
        cr_expect(!api_spec_read(&wide_spec, wrong[i].body, strlen(wrong[i].body), &tree, values, &error));
        cr_expect_eq(error.code, wrong[i].code, "%s: %s", wrong[i].body, said());
        cr_expect(strstr(said(), wrong[i].part), "%s", said());
    }
    cr_assert(api_spec_read(&wide_spec, "{\"m\":null}", 10, &tree, values, &error));
    cr_assert(values[2].set && values[2].flag);
    json_decref(tree);
    cr_assert(api_spec_read(&wide_spec, "{\"m\":5}", 7, &tree, values, &error));
    cr_assert(!values[2].flag && values[2].number == 5);
    json_decref(tree);
}

Test(spec, leaves_optional_members_unset)
{
    cr_assert_eq(read_text("{\"name\":\"ab\"}"), API_OK);
    cr_assert(!values[1].set && !values[2].set);
}

Test(spec, names_the_wrong_member)
{
    REFUSED("{}", API_MISSING_MEMBER, "`name`");
    REFUSED("{\"name\":\"ab\",\"x\":1}", API_UNKNOWN_MEMBER, "`x`");
    REFUSED("{\"name\":5}", API_WRONG_TYPE, "`name`");
    REFUSED("{\"name\":null}", API_WRONG_TYPE, "`name`");
    REFUSED("{\"name\":\"a\"}", API_BAD_LENGTH, "`name`");
    REFUSED("{\"name\":\"abcdef\"}", API_BAD_LENGTH, "2 to 5");
    REFUSED("{\"name\":\" ab\"}", API_BAD_FORMAT, "single spaces or signs");
    REFUSED("{\"name\":\"ab\",\"n\":\"5\"}", API_WRONG_TYPE, "`n`");
    REFUSED("{\"name\":\"ab\",\"n\":1.5}", API_WRONG_TYPE, "`n`");
    REFUSED("{\"name\":\"ab\",\"n\":10}", API_OUT_OF_RANGE, "`n`");
    REFUSED("{\"name\":\"ab\",\"n\":4294967297}", API_OUT_OF_RANGE, "`n`");
    REFUSED("{\"name\":\"ab\",\"n\":99999999999999999999}", API_OUT_OF_RANGE, "`n`");
    REFUSED("{\"name\":\"ab\",\"n\":1e300}", API_OUT_OF_RANGE, "`n`");
    REFUSED("{\"name\":\"ab\",\"n\":-1e300}", API_OUT_OF_RANGE, "`n`");
    REFUSED("{\"name\":\"ab\",\"n\":1e999}", API_OUT_OF_RANGE, "`n`");
    REFUSED("{\"name\":\"ab\",\"on\":1}", API_WRONG_TYPE, "`on`");
    REFUSED("{\"name\":\"ab\",\"which\":\"red\"}", API_WRONG_TYPE, "array");
    REFUSED("{\"name\":\"ab\",\"which\":[]}", API_BAD_FORMAT,
            "1 to 2 different values of red, green or blue");
    REFUSED("{\"name\":\"ab\",\"which\":[\"red\",\"red\"]}", API_BAD_FORMAT, "`which`");
    REFUSED("{\"name\":\"ab\",\"which\":[\"red\",5]}", API_WRONG_TYPE, "`1` of `which`");
    REFUSED("{\"name\":\"ab\",\"which\":[\"pink\"]}", API_BAD_FORMAT,
            "`0` of `which` must be red, green or blue");
    REFUSED("{\"name\":\"ab\",\"which\":[\"red\",\"green\",\"blue\"]}", API_BAD_LENGTH, "`which`");
    REFUSED("{\"name\":\"ab\",\"n\":1,\"name\":\"cd\"}", API_DUPLICATE_MEMBER, "`name`");
    REFUSED("{\"name\":\"a\\u0000b\"}", API_BAD_FORMAT, "`name`");
}

Test(spec, cuts_a_long_name_between_characters)
{
    REFUSED("{\"aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa\xC3\xA9z\":1}",
            API_UNKNOWN_MEMBER, "aaa` is");
    REFUSED("{\"aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa\xC3\xA9z\":1e999}",
            API_OUT_OF_RANGE, "aaa` is");
}

Test(spec, refuses_anything_but_an_object)
{
    static const char *const bodies[] = {"",
                                         " ",
                                         "[",
                                         "[]",
                                         "1",
                                         "null",
                                         "\"x\"",
                                         "{",
                                         "{\"name\":\"ab\"",
                                         "{\"name\":\"ab\"}}",
                                         "{'name':'ab'}",
                                         "{\"name\":\"ab\",}",
                                         "{\"name\":\"ab\"} x",
                                         "{\"name\":\"\\ud800\"}"};
    for (size_t i = 0; i < sizeof(bodies) / sizeof(bodies[0]); i++)
        cr_expect_eq(read_text(bodies[i]), API_BAD_JSON, "%s: %s", bodies[i], api_code_name(error.code));
}

Test(spec, refuses_invalid_utf8_and_nul_bytes)
{
    cr_expect_eq(read_text("{\"name\":\"a\xFF\"}"), API_BAD_UTF8);
    cr_expect_eq(read_text("{\"name\":\"\xC0\x80zz\"}"), API_BAD_UTF8);
    cr_expect_eq(read_text("{\"name\":\"\xED\xA0\x80zz\"}"), API_BAD_UTF8);
    cr_expect_eq(read_n("{\"name\":\"a\0b\"}", 14), API_BAD_JSON);
}

Test(spec, accepts_every_notation_of_a_whole_number)
{
    static const char *const fives[] = {"5", "5.0", "5e0", "0.5e1", "50E-1"};
    json_t *tree;
    for (size_t i = 0; i < sizeof(fives) / sizeof(fives[0]); i++) {
        char body[64];
        (void)snprintf(body, sizeof(body), "{\"m\":%s}", fives[i]);
        cr_assert(api_spec_read(&wide_spec, body, strlen(body), &tree, values, &error), "%s", body);
        cr_expect_eq(values[2].number, 5, "%s", body);
        json_decref(tree);
    }
}

Test(spec, limits_the_bytes_of_the_body)
{
    char body[300];
    memset(body, ' ', sizeof(body));
    memcpy(body, "{\"name\":\"ab\"}", 13);
    cr_expect_eq(read_n(body, 200), API_OK);
    cr_expect_eq(read_n(body, 201), API_BODY_TOO_LARGE);
}

Test(spec, survives_deep_nesting)
{
    static char body[200];
    memset(body, '[', sizeof(body));
    cr_expect_eq(read_n(body, sizeof(body)), API_BAD_JSON);
}

Test(spec, an_optional_body_may_be_empty)
{
    static const struct api_spec empty = {.bytes_max = 10, .optional = true};
    json_t *tree;
    cr_assert(api_spec_read(&empty, "", 0, &tree, values, &error));
    cr_assert_null(tree);
    cr_assert(api_spec_read(&empty, "{}", 2, &tree, values, &error));
    json_decref(tree);
    cr_assert(!api_spec_read(&empty, "{\"a\":1}", 7, &tree, values, &error));
    cr_assert_eq(error.code, API_UNKNOWN_MEMBER);
}
