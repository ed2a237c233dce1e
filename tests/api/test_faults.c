/* Lists of faults: every invalid member is listed, in order, with its pointer, its code, and the data of its
 * sentence. */
#include "api/core/spec.h"
#include "api/core/validators.h"
#include "api/names/names.h"
#include "base/text.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

static const char *const colours[] = {"red", "green", "blue", NULL};
static const struct api_spec_rule nickname_rule = {.judge = api_name_judge};
static const struct api_spec_rule email_rule = {.valid = text_email_ok, .fault = API_FAULT_NOT_AN_EMAIL};
static const struct api_spec_rule token_rule = {.valid = api_valid_token, .fault = API_FAULT_BAD_TOKEN};
static const struct api_spec_rule name_rule = {.valid = api_valid_name, .fault = API_FAULT_BAD_NAME};
static const struct api_spec_member members[] = {
    {.name = "nickname", .type = API_SPEC_TEXT, .required = true, .min = 2, .max = 5, .rule = &nickname_rule},
    {.name = "email", .type = API_SPEC_TEXT, .min = 3, .max = 254, .rule = &email_rule},
    {.name = "token", .type = API_SPEC_TEXT, .min = 1, .max = 9, .rule = &token_rule},
    {.name = "name", .type = API_SPEC_TEXT, .min = 1, .max = 9, .rule = &name_rule},
    {.name = "colour", .type = API_SPEC_TEXT, .min = 1, .max = 9, .choices = colours},
    {.name = "n", .type = API_SPEC_INT, .required = true, .min = -3, .max = 9},
    {.name = "on", .type = API_SPEC_BOOL},
    {.name = "o", .type = API_SPEC_OBJECT, .max = 3},
    {.name = "m", .type = API_SPEC_INT_OR_NULL, .min = 1, .max = 5},
};
static const struct api_spec spec = {members, 9, 2048, false};

static struct api_spec_error error;
static struct api_spec_value values[API_SPEC_MEMBERS_MAX];

/* The list for a body, as JSON; the caller frees it. */
static json_t *faults_of(const char *body)
{
    static char text[64 * 1024];
    struct buf out = buf_on(text, sizeof(text));
    json_t *tree = NULL;
    bool ok = api_spec_read(&spec, body, strlen(body), &tree, values, &error);
    cr_assert(ok == (tree != NULL));
    json_decref(tree);
    api_faults_write(&out, &error.faults);
    cr_assert(!out.full);
    json_t *list = json_loadb(text, out.len, 0, NULL);
    cr_assert(json_is_array(list), "%.*s", (int)out.len, text);
    return list;
}

/* "pointer code" of each fault, concatenated. */
static const char *summary(const char *body)
{
    static char text[4096];
    json_t *list = faults_of(body), *item;
    size_t i, len = 0;
    text[0] = '\0';
    json_array_foreach(list, i, item)
    {
        len += (size_t)snprintf(text + len, sizeof(text) - len, "%s%s %s", i > 0 ? ", " : "",
                                json_string_value(json_object_get(item, "pointer")),
                                json_string_value(json_object_get(item, "code")));
    }
    json_decref(list);
    return text;
}

#define GIVES(body, wanted) cr_expect_str_eq(summary(body), wanted, "%s", body)

Test(faults, each_kind_has_its_code)
{
    static const struct {
        const char *member, *fault;
    } kinds[] = {
        {"\"nickname\":\"a\"", "/nickname too_short"},
        {"\"nickname\":\"abcdef\"", "/nickname too_long"},
        {"\"nickname\":\" ab\"", "/nickname name_separator"},
        {"\"nickname\":null", "/nickname wrong_type"},
        {"\"nickname\":\"ab\",\"email\":\"a@b\"", "/email not_an_email"},
        {"\"nickname\":\"ab\",\"token\":\"a b\"", "/token bad_token"},
        {"\"nickname\":\"ab\",\"name\":\"A\"", "/name bad_name"},
        {"\"nickname\":\"ab\",\"colour\":\"pink\"", "/colour unknown_choice"},
        {"\"nickname\":\"ab\",\"on\":1", "/on wrong_type"},
        {"\"nickname\":\"ab\",\"o\":[]", "/o wrong_type"},
        {"\"nickname\":\"ab\",\"o\":{\"a\":1,\"b\":1,\"c\":1,\"d\":1}", "/o too_many"},
        {"\"nickname\":\"ab\",\"o\":{\"a\":1,\"b\":{}}", "/o/b wrong_type"},
        {"\"nickname\":\"ab\",\"m\":0", "/m too_small"},
        {"\"nickname\":\"ab\",\"m\":6", "/m too_large"},
        {"\"nickname\":\"ab\",\"m\":true", "/m wrong_type"},
        {"\"nickname\":\"ab\",\"what\":1", "/what unknown"},
        {"\"nickname\":\"ab\",\"nickname\":\"cd\"", "/nickname duplicate"},
        {"\"nickname\":\"ab\",\"o\":{\"x\":1,\"x\":2}", "/o/x duplicate"},
        {"\"nickname\":\"ab\",\"o\":{\"x\":1},\"m\":1e999", "/m out_of_range"},
        {"\"nickname\":\"a\\u0000b\"", "/nickname nul_character"},
    };
    char body[512];
    for (size_t i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++) {
        (void)snprintf(body, sizeof(body), "{\"n\":1,%s}", kinds[i].member);
        GIVES(body, kinds[i].fault);
    }
    GIVES("{\"nickname\":\"ab\"}", "/n missing");
    GIVES("{\"nickname\":\"ab\",\"n\":1}", "");
}

Test(faults, all_faults_are_listed_in_the_order_of_the_body)
{
    GIVES("{\"colour\":\"pink\",\"what\":0,\"nickname\":\"a\",\"o\":{\"k\":null,\"l\":1.5},\"email\":7}",
          "/colour unknown_choice, /what unknown, /nickname too_short, /o/k wrong_type, /o/l wrong_type, "
          "/email wrong_type, "
          "/n missing");
    /* The problem is the one of the first fault. */
    char said[API_DETAIL_MAX];
    cr_assert_eq(error.code, API_BAD_FORMAT);
    api_fault_format(&error.faults.list[0], said);
    cr_assert_str_eq(said, "The member `colour` must be red, green or blue.");
    GIVES("{}", "/nickname missing, /n missing");
    cr_assert_eq(error.code, API_MISSING_MEMBER);
}

Test(faults, include_their_data_and_a_sentence)
{
    json_t *list = faults_of("{\"nickname\":\"a\",\"n\":\"1\",\"colour\":\"pink\",\"what\":1,\"m\":9}");
    json_t *wanted = json_loads(
        "[{\"pointer\":\"/nickname\",\"code\":\"too_short\",\"detail\":\"The member `nickname` must have 2 "
        "to 5 characters.\","
        "  \"min\":2,\"max\":5},"
        " {\"pointer\":\"/n\",\"code\":\"wrong_type\",\"detail\":\"The member `n` must be of type "
        "integer.\",\"allowed\":[\"integer\"]},"
        " {\"pointer\":\"/colour\",\"code\":\"unknown_choice\",\"detail\":\"The member `colour` must be red, "
        "green or blue.\","
        "  \"allowed\":[\"red\",\"green\",\"blue\"]},"
        " {\"pointer\":\"/what\",\"code\":\"unknown\",\"detail\":\"The member `what` is unknown.\"},"
        " {\"pointer\":\"/m\",\"code\":\"too_large\",\"detail\":\"The member `m` must be between 1 and "
        "5.\",\"min\":1,\"max\":5}]",
        0, NULL);
    cr_assert(wanted && json_equal(list, wanted), "%s", json_dumps(list, 0));
    json_decref(list);
    json_decref(wanted);
}

Test(faults, at_most_twenty_faults_are_listed)
{
    char body[1024] = "{\"n\":1,\"nickname\":\"ab\"";
    for (int i = 0; i < 40; i++) {
        size_t len = strlen(body);
        (void)snprintf(body + len, sizeof(body) - len, ",\"x%d\":%d", i, i);
    }
    strcat(body, "}");
    json_t *list = faults_of(body);
    cr_assert_eq(json_array_size(list), API_FAULTS_MAX);
    cr_assert_str_eq(json_string_value(json_object_get(json_array_get(list, 19), "pointer")), "/x19");
    json_decref(list);
}

Test(faults, pointers_are_escaped)
{
    GIVES("{\"n\":1,\"nickname\":\"ab\",\"a/b~c\":1}", "/a~1b~0c unknown");
    GIVES("{\"n\":1,\"nickname\":\"ab\",\"\":1}", "/ unknown");
    GIVES("{\"n\":1,\"nickname\":\"ab\",\"o\":{\"a/\\u00e9\\\"\":null}}", "/o/a~1\xC3\xA9\" wrong_type");
}

/* A pointer never refers to a different member. */
Test(faults, the_pointer_of_an_overlong_name_leads_to_its_parent)
{
    char name[200], body[512];
    memset(name, 'a', sizeof(name) - 1);
    name[sizeof(name) - 1] = '\0';
    (void)snprintf(body, sizeof(body), "{\"n\":1,\"nickname\":\"ab\",\"%s\":1}", name);
    GIVES(body, " unknown");
    (void)snprintf(body, sizeof(body), "{\"n\":1,\"nickname\":\"ab\",\"o\":{\"%s\":null}}", name);
    GIVES(body, "/o wrong_type");
    GIVES("{\"n\":1,\"o\":{\"a\":{\"b\":{\"b\":1,\"b\":2}}}}", " duplicate");
    GIVES("{\"n\":1,\"o\":[{\"b\":1,\"b\":2}]}", " duplicate");
}

Test(faults, a_malformed_body_has_no_list)
{
    static const char *const bodies[] = {"", "[]", "{", "{\"n\":1,}", "\xFF"};
    for (size_t i = 0; i < sizeof(bodies) / sizeof(bodies[0]); i++) {
        GIVES(bodies[i], "");
        cr_expect(error.code == API_BAD_JSON || error.code == API_BAD_UTF8, "%s", bodies[i]);
    }
}

Test(faults, parameters_and_headers_are_named)
{
    struct api_faults faults = {0};
    struct api_fault limit = {
        .code = API_FAULT_TOO_LARGE, .place = API_FAULT_PARAMETER, .name = "limit", .min = 1, .max = 9};
    struct api_fault key = {.code = API_FAULT_MISSING, .place = API_FAULT_HEADER, .name = "Idempotency-Key"};
    struct api_fault cursor = {.code = API_FAULT_BAD_CURSOR, .place = API_FAULT_PARAMETER, .name = "cursor"};
    char text[1024];
    struct buf out = buf_on(text, sizeof(text));
    api_faults_add(&faults, &limit);
    api_faults_add(&faults, &key);
    api_faults_write(&out, &faults);
    cr_assert_str_eq(
        (text[out.len] = '\0', text),
        "[{\"parameter\":\"limit\",\"code\":\"too_large\",\"detail\":\"`limit` must be between 1 and 9.\","
        "\"min\":1,\"max\":9},{\"header\":\"Idempotency-Key\",\"code\":\"missing\",\"detail\":\"The header "
        "`Idempotency-Key` is missing.\"}]");
    cr_assert_eq(api_fault_problem(&limit), API_BAD_PARAMETER);
    cr_assert_eq(api_fault_problem(&cursor), API_BAD_CURSOR);
}

/* The table itself: codes are unique, and no sentence contains an unreplaced placeholder. */
Test(faults, the_table_is_consistent)
{
    for (enum api_fault_code c = API_FAULT_NONE + 1; c < API_FAULT_CODES_N; c++) {
        const struct api_fault fault = {.code = c, .name = "x", .allowed = colours};
        char said[API_DETAIL_MAX];
        api_fault_format(&fault, said);
        cr_expect(!strpbrk(said, "{}"), "%s", said);
        cr_expect(api_fault_problem(&fault) != API_OK);
        cr_expect(strspn(api_fault_code_name(c), "abcdefghijklmnopqrstuvwxyz_0123456789") ==
                  strlen(api_fault_code_name(c)));
        for (enum api_fault_code d = c + 1; d < API_FAULT_CODES_N; d++)
            cr_expect(strcmp(api_fault_code_name(c), api_fault_code_name(d)) != 0);
    }
}
