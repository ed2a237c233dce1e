/* Problems, the route table, rate limits. */
#include "api/core/etag.h"
#include "api/core/faults.h"
#include "api/core/problem.h"
#include "api/core/rate_limits.h"
#include "api/core/route.h"
#include "api/core/scopes.h"
#include "api/core/security.h"
#include "api/core/token.h"
#include "api/play/table_options.h"
#include "base/bug.h"

#include <criterion/criterion.h>
#include <jansson.h>
#include <sodium.h>
#include <stdio.h>
#include <string.h>

/* --- problems --- */

Test(problem, every_code_has_a_row)
{
    for (enum api_code c = API_OK + 1; c < API_CODES_N; c++) {
        const char *name = api_code_name(c);
        cr_expect(strlen(name) > 0 && strspn(name, "abcdefghijklmnopqrstuvwxyz_0123456789") == strlen(name));
        cr_expect(api_code_status(c) >= 400 && api_code_status(c) < 600, "%s", name);
        cr_expect(api_code_where(c) >= API_IN_REST && api_code_where(c) <= API_IN_BOTH, "%s", name);
        cr_expect(api_code_text(c)[strlen(api_code_text(c)) - 1] == '.', "%s", name);
        cr_expect_eq(api_code_of(name), c, "%s is there twice", name);
    }
    cr_expect_eq(api_code_of("nothing"), API_OK);
    cr_expect_eq(api_code_of("ok"), API_OK);
}

Test(problem, is_a_json_document)
{
    char memory[2048];
    struct buf out = buf_on(memory, sizeof(memory));
    const struct api_faults faults = {
        .n = 1, .list = {{.code = API_FAULT_TOO_SHORT, .name = "\"x\n", .min = 2, .max = 5}}};
    api_problem_write(&out, API_BAD_LENGTH, NULL, "/v1/\"\xFF", "0123", &faults);
    cr_assert(!out.full);
    json_t *tree = json_loadb(out.data, out.len, JSON_REJECT_DUPLICATES, NULL);
    cr_assert_not_null(tree);
    cr_expect_eq(json_integer_value(json_object_get(tree, "status")), 422);
    cr_expect_str_eq(json_string_value(json_object_get(tree, "code")), "bad_length");
    cr_expect_str_eq(json_string_value(json_object_get(tree, "detail")),
                     "The member `\"x\n` must have 2 to 5 characters.");
    cr_expect_str_eq(json_string_value(json_object_get(tree, "instance")), "/v1/\"\xEF\xBF\xBD");
    cr_expect_eq(json_array_size(json_object_get(tree, "errors")), 1);
    cr_expect_eq(json_object_size(tree), 8);
    json_decref(tree);
}

/* The data accompanies the code. The sentence depends only on the code, never on the data. */
Test(problem, includes_its_data)
{
    char memory[2048];
    struct buf out = buf_on(memory, sizeof(memory));
    const struct api_problem_data data = {
        .retry_s = 840, .bytes_max = 2048, .line = 3, .column = 0, .limit = "account"};
    api_problem_write(&out, API_RATE_LIMITED, &data, "/v1/me", "0123", NULL);
    cr_assert(!out.full);
    json_t *tree = json_loadb(out.data, out.len, JSON_REJECT_DUPLICATES, NULL);
    cr_expect_str_eq(json_string_value(json_object_get(tree, "detail")), api_code_text(API_RATE_LIMITED));
    cr_expect_eq(json_integer_value(json_object_get(tree, "retry_s")), 840);
    cr_expect_eq(json_integer_value(json_object_get(tree, "bytes_max")), 2048);
    cr_expect_eq(json_integer_value(json_object_get(tree, "line")), 3);
    cr_expect_eq(json_integer_value(json_object_get(tree, "column")), 0);
    cr_expect_str_eq(json_string_value(json_object_get(tree, "limit")), "account");
    cr_expect_eq(json_object_size(tree), 12);
    json_decref(tree);
}

/* --- routes --- */

Test(route, every_row_is_complete)
{
    const struct api_route *route, *other;
    for (size_t i = 0; (route = api_route_at(i)); i++) {
        const struct api_operation *does = route->operation;
        cr_expect(route->path[0] == '/', "%s", route->path);
        cr_expect(does->begin || does->stmt, "%s", route->path);
        cr_expect(!does->stmt || does->reply, "%s", route->path);
        cr_expect(!does->stmt || does->stmt->n_params == 0 || does->begin, "%s", route->path);
        cr_expect(!route->body || route->body->members_n <= API_SPEC_MEMBERS_MAX, "%s", route->path);
        cr_expect(!does->raw_max || (!route->body && !route->idempotent), "%s", route->path);
        cr_expect(!route->idempotent || (route->role != API_ANYONE && route->body), "%s", route->path);
        cr_expect(strncmp(route->path, "/v1/", 4) != 0 || route->rate != API_RATE_NONE, "%s", route->path);
        for (size_t k = 0; (other = api_route_at(k)); k++)
            cr_expect(k == i || strcmp(route->id, other->id) != 0, "%s", route->id);
    }
}

/* The values of a contract enum match the program's own table of them. */
static void has_words(const struct api_spec *body, size_t member, const char *const *words)
{
    const char *const *choices = body->members[member].choices;
    size_t i = 0;
    for (; choices[i] && words[i]; i++)
        cr_expect_str_eq(choices[i], words[i]);
    cr_expect(!choices[i] && !words[i], "%s", body->members[member].name);
}

Test(route, enums_in_bodies_match_the_tables_of_the_program)
{
    static const char *const languages[] = {
#define MAIL_LANGUAGE(name, tag) tag,
#include "mail/languages.def"
#undef MAIL_LANGUAGE
        NULL};
    has_words(&api_body_MeChange, ME_CHANGE_LANGUAGE, languages);
    has_words(&api_body_BotTokenRequest, BOT_TOKEN_REQUEST_SCOPES, api_scope_words);
    has_words(&api_body_ApiKeyRequest, API_KEY_REQUEST_ROLE, api_key_roles);
    has_words(&api_body_TableRequest, TABLE_REQUEST_BOT_LEVEL, api_bot_levels);
    has_words(&api_body_RoomRequest, ROOM_REQUEST_BOT_LEVEL, api_bot_levels);
    has_words(&api_body_TournamentRequest, TOURNAMENT_REQUEST_BOT_LEVEL, api_bot_levels);
}

static struct api_match match_of(const char *method, const char *path)
{
    struct api_match match;
    api_match(method, path, &match);
    return match;
}

Test(route, finds_its_row)
{
    struct api_match m = match_of("GET", "/v1/tables/917");
    cr_assert(m.route && strcmp(m.route->id, "getTable") == 0);
    cr_expect_str_eq(m.params[0], "917");
    cr_expect_str_eq(match_of("HEAD", "/v1/me").route->id, "getMe");
    cr_expect_str_eq(match_of("POST", "/v1/tables/917/tickets").route->id, "newTicket");
    cr_expect_str_eq(match_of("POST", "/v1/rooms/desert/seats").params[0], "desert");
}

Test(route, unknown_paths_match_no_route)
{
    static const char *const paths[] = {
        "",         "/",           "/v1",         "/v1/me/",  "//v1/me",        "/v1/tables/",
        "/v1/ME",   "/v1/rooms/1", "/v1/games//", "/v1/me/x", "/v1/tables/1/2", "/v1/../healthz",
        "/healthz/"};
    for (size_t i = 0; i < sizeof(paths) / sizeof(paths[0]); i++)
        cr_expect(!match_of("GET", paths[i]).path_known, "%s", paths[i]);
    char path[200];
    (void)snprintf(path, sizeof(path), "/v1/tables/%0*d", API_PARAM_MAX, 1);
    cr_expect(!match_of("GET", path).path_known);
}

Test(route, unsupported_methods_get_a_list_of_the_allowed_ones)
{
    struct api_match m = match_of("DELETE", "/v1/me");
    cr_assert(!m.route && m.path_known);
    char allow[API_ALLOW_MAX];
    api_match_allow(&m, allow);
    cr_expect_str_eq(allow, "GET, HEAD, PATCH, OPTIONS");
    struct api_match none = match_of("DELETE", "/v1/mee");
    api_match_allow(&none, allow);
    cr_expect_str_eq(allow, "");
}

Test(route, every_row_of_the_table_is_found)
{
    const struct api_route *route;
    for (size_t i = 0; (route = api_route_at(i)); i++) {
        char path[256] = ""; /* the path with the braces around placeholders removed */
        for (const char *at = route->path; *at; at++)
            if (*at != '{' && *at != '}')
                strncat(path, at, 1);
        cr_expect(match_of(route->method, path).route == route, "%s %s", route->method, path);
    }
}

/* Whether some path matches both patterns. If so, a 405 could list the methods of another resource, or a
 * name could be mistaken for an id. */
static bool overlap(const char *a, const char *b)
{
    while (*a && *b) {
        size_t na = strcspn(a + 1, "/") + 1, nb = strcspn(b + 1, "/") + 1; /* '/' and a segment */
        if (a[1] != '{' && b[1] != '{' && (na != nb || memcmp(a, b, na) != 0))
            return false;
        a += na;
        b += nb;
    }
    return *a == *b;
}

static int params_of(const char *path)
{
    int n = 0;
    for (; *path; path++)
        n += *path == '{';
    return n;
}

/* If a path matches two patterns, the more specific one wins. */
Test(route, no_path_matches_two_patterns_equally_well)
{
    cr_expect(overlap("/v1/tables/{table}", "/v1/tables/join"));
    cr_expect(overlap("/v1/{a}/x", "/v1/y/{b}"));
    cr_expect(!overlap("/v1/tables/{table}", "/v1/tables/{table}/seats"));
    cr_expect(!overlap("/v1/me", "/v1/me2"));
    const struct api_route *route, *other;
    for (size_t i = 0; (route = api_route_at(i)); i++)
        for (size_t k = 0; k < i && (other = api_route_at(k)); k++)
            cr_expect(strcmp(route->path, other->path) == 0 || !overlap(route->path, other->path) ||
                          params_of(route->path) != params_of(other->path),
                      "%s %s", route->path, other->path);
    struct api_match match;
    api_match("GET", "/v1/puzzles/daily", &match);
    cr_expect_str_eq(match.route->id, "getDailyPuzzle");
    api_match("GET", "/v1/puzzles/12", &match);
    cr_expect_str_eq(match.route->id, "getPuzzle");
    cr_expect_str_eq(match.params[0], "12");
}

Test(route, similar_paths_are_recognized_as_api_paths)
{
    static const char *const ours[] = {"/v1",     "/v1/",     "/V1/me",    "//v1",     "/v1//x",
                                       "/readyz", "/readyz/", "/READYZ//", "/Docs.js/"};
    static const char *const others[] = {"/",       "",         "/v10",     "/v1x/me",   "/lobby",
                                         "/docs/x", "/a/v1/me", "/readyz2", "/assets/v1"};
    for (size_t i = 0; i < sizeof(ours) / sizeof(ours[0]); i++)
        cr_expect(api_path_is_ours(ours[i]), "%s", ours[i]);
    for (size_t i = 0; i < sizeof(others) / sizeof(others[0]); i++)
        cr_expect(!api_path_is_ours(others[i]), "%s", others[i]);
    char path[2048];
    memset(path, 'x', sizeof(path));
    memcpy(path, "/V1/", 4);
    path[sizeof(path) - 1] = '\0';
    cr_expect(api_path_is_ours(path));
    memcpy(path, "/V2/", 4);
    cr_expect(!api_path_is_ours(path));
}

/* A read changes nothing, with two exceptions: an operator's read leaves an audit log entry, and the URL of a
 * stream is valid once (an unused ticket expires within a minute). */
Test(route, reads_have_no_side_effects)
{
    const struct api_route *route;
    for (size_t i = 0; (route = api_route_at(i)); i++) {
        if (strcmp(route->method, "GET") != 0 || route->role == API_KEY || strcmp(route->id, "events") == 0)
            continue;
        cr_expect(!route->operation->writes, "%s", route->path);
        cr_expect(!route->operation->stmt || strncmp(route->operation->stmt->name, "do_", 3) != 0, "%s",
                  route->path);
    }
}

Test(route, the_table_is_printed_as_json)
{
    static char memory[64 * 1024];
    struct buf out = buf_on(memory, sizeof(memory));
    api_routes_write(&out);
    cr_assert(!out.full);
    json_t *tree = json_loadb(out.data, out.len, JSON_REJECT_DUPLICATES, NULL);
    cr_assert(json_is_array(tree) && json_array_size(tree) > 20);
    json_decref(tree);
}

/* --- entity tags --- */

Test(etag, a_list_is_parsed_as_in_rfc_9110)
{
    static const char tag[] = "\"abc\"";
    static const char *const named[] = {
        "\"abc\"",           "W/\"abc\"",        "*",           "\t* ", "\"x\", \"abc\"",
        ",,W/\"x\",\"abc\"", "\"a,b\", \"abc\"", "\"\",\"abc\""};
    static const char *const others[] = {
        "",   " ",     ",",         "abc", "\"ab\"",        "\"abcd\"",    "\"abc",   "w/\"abc\"",
        "W/", "W/abc", "*,\"abc\"", "**",  "\"x\" \"abc\"", "\"x,\"abc\"", "x\"abc\""};
    for (size_t i = 0; i < sizeof(named) / sizeof(named[0]); i++)
        cr_expect(api_etag_listed(named[i], tag), "%s", named[i]);
    for (size_t i = 0; i < sizeof(others) / sizeof(others[0]); i++)
        cr_expect(!api_etag_listed(others[i], tag), "%s", others[i]);
    cr_expect(!api_etag_listed(NULL, tag));
}

/* --- security events --- */

Test(security, every_event_has_a_unique_name)
{
    for (enum api_security e = API_SECURITY_NONE; e < API_SECURITIES_N; e++) {
        const char *name = api_security_name(e);
        cr_expect(strlen(name) > 0 && strspn(name, "abcdefghijklmnopqrstuvwxyz_") == strlen(name), "%s",
                  name);
        cr_expect(api_security_one_in(e) >= 1, "%s", name);
        for (enum api_security other = API_SECURITY_NONE; other < e; other++)
            cr_expect(strcmp(name, api_security_name(other)) != 0, "%s is there twice", name);
    }
}

Test(security, events_follow_from_existing_codes_and_operations)
{
    cr_expect_eq(api_security_of_code(API_BAD_CREDENTIALS), API_SECURITY_LOGIN_FAILED);
    cr_expect_eq(api_security_of_code(API_NOT_FOUND), API_SECURITY_NONE);
    cr_expect_eq(api_security_of_code(API_OK), API_SECURITY_NONE);
    cr_expect_eq(api_security_of_operation("banPlayer"), API_SECURITY_PLAYER_BANNED);
    cr_expect_eq(api_security_of_operation("getMe"), API_SECURITY_NONE);
    const char *operation;
    for (size_t i = 0; (operation = api_security_operation_at(i)); i++) {
        const struct api_route *route, *found = NULL;
        for (size_t k = 0; (route = api_route_at(k)); k++)
            if (strcmp(route->id, operation) == 0)
                found = route;
        cr_expect(found && strcmp(found->method, "GET") != 0, "%s", operation);
    }
}

Test(security, each_refusal_of_an_api_key_is_a_security_event)
{
    int keys = 0;
    for (enum api_code code = API_OK + 1; code < API_CODES_N; code++) {
        if (strncmp(api_code_name(code), "api_key_", 8) != 0 || code == API_API_KEY_MISSING)
            continue;
        cr_expect_eq(api_security_of_code(code), API_SECURITY_KEY_REFUSED, "%s", api_code_name(code));
        keys++;
    }
    cr_expect_eq(keys, 4);
}

/* --- rate limits --- */

static struct api_rate_limits *limits;
static void limits_setup(void)
{
    cr_assert(sodium_init() >= 0);
    limits = api_rate_limits_new();
}
static void limits_teardown(void)
{
    api_rate_limits_free(limits);
}
TestSuite(limits, .init = limits_setup, .fini = limits_teardown);

static struct api_rate_state state;
static bool take(enum api_rate rate, int64_t player, const char *address, int64_t now_ms)
{
    return api_rate_limits_take(limits, rate, player, address, now_ms, &state);
}

/* Number of requests that pass at the same instant. */
static int64_t burst(enum api_rate rate, int64_t player, const char *address, int64_t now_ms)
{
    int64_t n = 0;
    while (n < 100000 && take(rate, player, address, now_ms))
        n++;
    return n;
}

Test(limits, an_empty_bucket_is_reported_by_name_and_refills)
{
    int64_t quota = burst(API_RATE_READ, 1, "10.0.0.1", 1000);
    cr_expect_str_eq(state.name, "account");
    cr_expect_eq(state.quota, quota);
    cr_expect_eq(state.remaining, 0);
    int64_t wait_ms = state.wait_s * 1000;
    cr_expect(wait_ms >= 1000 && wait_ms <= state.window_s * 1000);
    cr_expect(!take(API_RATE_READ, 1, "10.0.0.2", 1000)); /* another address does not help */
    cr_expect(take(API_RATE_READ, 2, "10.0.0.1", 1000));  /* another account does help */
    cr_expect(take(API_RATE_READ, 1, "10.0.0.1", 1000 + wait_ms));
    cr_expect_eq(burst(API_RATE_READ, 1, "10.0.0.1", 10000000), quota); /* never more than full */
}

Test(limits, an_address_is_limited_across_accounts)
{
    int64_t n = 0;
    while (n < 100000 && take(API_RATE_READ, n + 1, "10.0.0.1", 1000))
        n++;
    cr_expect_str_eq(state.name, "address");
    cr_expect_eq(n, state.quota);
    n = burst(API_RATE_AUTH, 0, "10.0.0.1", 1000);
    cr_expect_str_eq(state.name, "address_auth");
    cr_expect_eq(n, state.quota);
}

Test(limits, a_refused_request_consumes_no_quota)
{
    int64_t quota = burst(API_RATE_WRITE, 1, "10.0.0.1", 1000);
    for (int i = 0; i < 5000; i++)
        cr_assert(!take(API_RATE_WRITE, 1, "10.0.0.1", 1000));
    cr_expect_eq(burst(API_RATE_WRITE, 2, "10.0.0.1", 1000), quota); /* the address was not charged */
}

Test(limits, one_ipv6_network_shares_a_limit)
{
    cr_assert_gt(burst(API_RATE_AUTH, 0, "2001:db8:1:2::1", 1000), 0);
    cr_expect(!take(API_RATE_AUTH, 0, "2001:db8:1:2:ffff::9", 1000));
    cr_expect(take(API_RATE_AUTH, 0, "2001:db8:1:3::1", 1000));
}

Test(limits, mapped_ipv4_counts_as_ipv4)
{
    cr_assert_gt(burst(API_RATE_AUTH, 0, "::ffff:10.0.0.1", 1000), 0);
    cr_expect(!take(API_RATE_AUTH, 0, "10.0.0.1", 1000));
    /* IPv4 addresses do not all share one limit */
    cr_expect(take(API_RATE_AUTH, 0, "::ffff:10.0.0.2", 1000));
}

Test(limits, a_clock_that_jumps_back_refills_nothing)
{
    (void)burst(API_RATE_AUTH, 0, "10.0.0.1", 100000);
    cr_expect(!take(API_RATE_AUTH, 0, "10.0.0.1", 1000));
}

Test(limits, memory_is_bounded_under_many_addresses)
{
    char address[32];
    for (int i = 0; i < 300000; i++) {
        (void)snprintf(address, sizeof(address), "10.%d.%d.%d", i >> 16, (i >> 8) & 255, i & 255);
        cr_assert(take(API_RATE_AUTH, 0, address, 1000 + i));
    }
    cr_expect(take(API_RATE_NONE, 0, "10.0.0.1", 1000));
    cr_expect_null(state.name);
}
