/* Units of base/: codings, buffer, JSON writer, clock, ring, threads. */
#include <criterion/criterion.h>
#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/clock.h"
#include "base/log.h"
#include "base/ring.h"
#include "base/text.h"
#include "base/thread.h"

Test(text, hex_round_trips_and_refuses_invalid_text)
{
    const uint8_t bytes[] = {0x00, 0x7f, 0xff, 0xa5};
    char hex[9];
    uint8_t back[4];
    text_hex(hex, bytes, 4);
    cr_assert_str_eq(hex, "007fffa5");
    cr_assert_eq(text_unhex(back, 4, "007FffA5", 8), 4);
    cr_assert_arr_eq(back, bytes, 4);
    cr_assert_eq(text_unhex(back, 4, "007", 3), -1);
    cr_assert_eq(text_unhex(back, 4, "0g", 2), -1);
    cr_assert_eq(text_unhex(back, 1, "0011", 4), -1);
    cr_assert_eq(text_unhex(back, 4, "", 0), 0);
}

Test(text, base64url_matches_vectors_and_has_one_text_per_value)
{
    static const struct {
        const char *plain, *coded;
    } cases[] = {{"", ""},           {"f", "Zg"},          {"fo", "Zm8"},          {"foo", "Zm9v"},
                 {"foob", "Zm9vYg"}, {"fooba", "Zm9vYmE"}, {"foobar", "Zm9vYmFy"}, {"\xfb\xff", "-_8"}};
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        char coded[16];
        uint8_t plain[8];
        size_t len = strlen(cases[i].plain);
        text_b64url(coded, (const uint8_t *)cases[i].plain, len);
        cr_assert_str_eq(coded, cases[i].coded);
        cr_assert_eq(text_unb64url(plain, sizeof(plain), coded, strlen(coded)), (int)len);
        cr_assert(memcmp(plain, cases[i].plain, len) == 0);
    }
    uint8_t out[8];
    cr_assert_eq(text_unb64url(out, 8, "Z", 1), -1);
    cr_assert_eq(text_unb64url(out, 8, "Zh", 2), -1, "left-over bits");
    cr_assert_eq(text_unb64url(out, 8, "Zg==", 4), -1, "padding");
    cr_assert_eq(text_unb64url(out, 8, "Z+", 2), -1, "the other alphabet");
    cr_assert_eq(text_unb64url(out, 2, "Zm9v", 4), -1, "over cap");
}

Test(text, email_addresses_are_validated)
{
    char local[66], domain[66], text[400];
    static const char *const good[] = {"a@b.de", "a.b+c@d-e.example.org", "A@B.CO", "o'neil/x=1@b.de",
                                       "{a}|b`~^!#$%&*?_-@1.2"};
    static const char *const bad[] = {
        "",         "a",         "@b.de",      "a@b",        "a@.de",         "a@b.",
        "a@@b.de",  "a b@c.de",  "a@b c.de",   "a@b..de",    "a@b.de\n",      "\xC3\xA9@b.de",
        "a@b.de>",  "<a@b.de",   "a,b@c.de",   "a@b.de,c",   "\"a\"@b.de",    "a(b)@c.de",
        "a\\@b.de", "a:b@c.de",  "a;b@c.de",   "a[b]@c.de",  "a@[127.0.0.1]", "a.@b.de",
        ".a@b.de",  "a..b@c.de", "a@-b.de",    "a@b-.de",    "a@b_c.de",      "a@b.de\r\nBcc: x@y.de",
        "a\r@b.de", "a@b.de\t",  "a\x01@b.de", "a@b.de\x7F", "a@b.\xC3\xA4"};
    for (size_t i = 0; i < sizeof(good) / sizeof(good[0]); i++)
        cr_expect(text_email_ok(good[i]), "%s", good[i]);
    for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++)
        cr_expect(!text_email_ok(bad[i]), "%s", bad[i]);
    for (int n = 63; n <= 65; n++) { /* at most 64 characters before the @ and 63 per label */
        memset(local, 'x', sizeof(local));
        memset(domain, 'y', sizeof(domain));
        local[n] = domain[n - 1] = '\0';
        (void)snprintf(text, sizeof(text), "%s@b.de", local);
        cr_expect_eq(text_email_ok(text), n <= 64);
        (void)snprintf(text, sizeof(text), "a@%s.de", domain);
        cr_expect_eq(text_email_ok(text), n - 1 <= 63);
    }
    memset(domain, 'y', 63);
    domain[63] = '\0';
    for (int n = 59; n <= 61; n++) {
        (void)snprintf(text, sizeof(text), "a@%s.%s.%s.%.*s", domain, domain, domain, n - 1, domain);
        cr_expect_eq(text_email_ok(text), strlen(text) <= 254, "%zu", strlen(text));
    }
}

Test(text, whole_numbers_are_read_within_limits)
{
    int64_t n = 7;
    cr_assert(text_i64("0", 0, 10, &n) && n == 0);
    cr_assert(text_i64("-9223372036854775808", INT64_MIN, INT64_MAX, &n) && n == INT64_MIN);
    cr_assert(text_i64("9223372036854775807", INT64_MIN, INT64_MAX, &n) && n == INT64_MAX);
    static const char *const bad[] = {"",    "-",   "+1", " 1", "1 ",
                                      "1.0", "0x1", "11", "-1", "9223372036854775808"};
    for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++)
        cr_assert(!text_i64(bad[i], 0, 10, &n), "%s", bad[i]);
    cr_assert(!text_i64("9223372036854775808", INT64_MIN, INT64_MAX, &n));
}

Test(text, utf8_is_validated_as_specified)
{
    static const char *const good[] = {
        "", "a", "\xC2\xA0", "\xE0\xA0\x80", "\xED\x9F\xBF", "\xF4\x8F\xBF\xBF"};
    static const char *const bad[] = {
        "\x80",         "\xC0\x80",         "\xC1\xBF",         "\xE0\x9F\xBF",
        "\xED\xA0\x80", "\xF0\x8F\x80\x80", "\xF4\x90\x80\x80", "\xF5\x80\x80\x80",
        "\xC2",         "a\xE2\x82",        "\xE2\x28\xA1"};
    for (size_t i = 0; i < sizeof(good) / sizeof(good[0]); i++)
        cr_assert(text_utf8_ok(good[i], strlen(good[i])), "good %zu", i);
    for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++)
        cr_assert(!text_utf8_ok(bad[i], strlen(bad[i])), "bad %zu", i);
}

Test(text, constant_time_comparison_is_correct)
{
    cr_assert(text_equal_ct("abc", 3, "abc", 3));
    cr_assert(!text_equal_ct("abc", 3, "abd", 3));
    cr_assert(!text_equal_ct("abc", 3, "ab", 2));
    cr_assert(text_equal_ct("", 0, "", 0));
}

Test(buf, json_has_commas_and_escapes)
{
    char memory[256];
    struct buf b = buf_on(memory, sizeof(memory));
    json_open(&b, '{');
    json_kv_text(&b, "a", "q\"\\\n\x01 \xC3\xA9 \xFF,");
    json_key(&b, "l");
    json_open(&b, '[');
    json_num(&b, INT64_MIN);
    json_text(&b, "");
    json_text(&b, NULL);
    json_bool(&b, true);
    json_open(&b, '{');
    json_close(&b, '}');
    json_raw(&b, "[1]");
    json_close(&b, ']');
    json_key(&b, "n");
    json_nil(&b);
    json_close(&b, '}');
    buf_put(&b, "", 1);
    cr_assert(!b.full);
    cr_assert_str_eq(memory,
                     "{\"a\":\"q\\\"\\\\\\n\\u0001 \xC3\xA9 \xEF\xBF\xBD,\",\"l\":[-9223372036854775808,"
                     "\"\",null,true,{},[1]],\"n\":null}");
}

Test(buf, a_value_that_ends_with_a_bracket_gets_a_comma)
{
    char memory[64];
    struct buf b = buf_on(memory, sizeof(memory));
    json_open(&b, '[');
    json_text(&b, "{");
    json_text(&b, ":");
    json_close(&b, ']');
    buf_put(&b, "", 1);
    cr_assert_str_eq(memory, "[\"{\",\":\"]");
}

Test(buf, overflow_is_remembered_and_nothing_is_written)
{
    char memory[8] = "XXXXXXXX";
    struct buf b = buf_on(memory, 4);
    buf_str(&b, "abcd");
    cr_assert(!b.full && b.len == 4);
    buf_str(&b, "e");
    cr_assert(b.full && b.len == 4 && memory[4] == 'X');
    b = buf_on(memory, 4);
    buf_fmt(&b, "%d", 12345);
    cr_assert(b.full && memory[4] == 'X');
    buf_put(&b, "", 0);
    cr_assert(b.full, "once full, always full");
}

Test(clock, writes_rfc3339)
{
    char out[25];
    clock_rfc3339(out, 0);
    cr_assert_str_eq(out, "1970-01-01T00:00:00.000Z");
    clock_rfc3339(out, -1);
    cr_assert_str_eq(out, "1969-12-31T23:59:59.999Z");
    clock_rfc3339(out, 1795203000123);
    cr_assert_str_eq(out, "2026-11-20T19:30:00.123Z");
    clock_rfc3339(out, INT64_MAX);
    cr_assert_str_eq(out, "9999-12-31T23:59:59.999Z");
    int64_t a = clock_mono_ms();
    cr_assert(clock_mono_ms() >= a);
}

Test(clock, reads_rfc3339)
{
    static const struct {
        const char *text;
        int64_t ms;
    } good[] = {{"1970-01-01T00:00:00Z", 0},
                {"1969-12-31T23:59:59.999Z", -1},
                {"2026-11-20T19:30:00.123Z", 1795203000123},
                {"2026-11-20T19:30:00.1Z", 1795203000100},
                {"2026-11-20T19:30:00.123999999Z", 1795203000123},
                {"2024-02-29T23:59:59Z", 1709251199000},
                {"2000-03-01T00:00:00Z", 951868800000},
                {"0001-01-01T00:00:00Z", -62135596800000},
                {"9999-12-31T23:59:59.999Z", 253402300799999}};
    static const char *const bad[] = {
        "",
        "x",
        "2026-11-20",
        "2026-11-20T19:30:00",
        "2026-11-20T19:30:00+00:00",
        "2026-11-20 19:30:00Z",
        "2026-11-20t19:30:00z",
        "2026-11-20T19:30:00.Z",
        "2026-11-20T19:30:00.1234567890Z",
        "2026-11-20T19:30:00.12x4Z",
        "2026-11-20T19:30:00.123",
        "2026-11-20T19:30:00.123ZZ",
        "2026-13-20T19:30:00Z",
        "2026-00-20T19:30:00Z",
        "2026-11-31T19:30:00Z",
        "2026-11-00T19:30:00Z",
        "2026-02-29T19:30:00Z",
        "1900-02-29T19:30:00Z",
        "2026-11-20T24:00:00Z",
        "2026-11-20T19:60:00Z",
        "2026-11-20T19:30:60Z",
        "0000-01-01T00:00:00Z",
        "+026-11-20T19:30:00Z",
        "2026-11-20T19:30:0 Z",
    };
    int64_t ms = 7;
    for (size_t i = 0; i < sizeof(good) / sizeof(good[0]); i++) {
        cr_assert(clock_read_rfc3339(good[i].text, &ms), "%s", good[i].text);
        cr_assert_eq(ms, good[i].ms, "%s", good[i].text);
    }
    for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++)
        cr_assert_not(clock_read_rfc3339(bad[i], &ms), "%s", bad[i]);
}

Test(log, a_record_is_one_json_line_with_the_fields_that_fit)
{
    int ends[2];
    cr_assert_eq(pipe(ends), 0);
    pid_t child = fork();
    if (child == 0) {
        dup2(ends[1], STDERR_FILENO);
        char big[4096];
        memset(big, 'x', sizeof(big) - 1);
        big[sizeof(big) - 1] = '\0';
        log_debug("hidden");
        log_warn("seen", LOG_TEXT("who", "a\"b"), LOG_TEXT("big", big), LOG_NUM("n", -3));
        _exit(0);
    }
    close(ends[1]);
    char got[4096] = {0};
    ssize_t n = read(ends[0], got, sizeof(got) - 1);
    cr_assert_gt(n, 0);
    waitpid(child, NULL, 0);
    cr_assert(strstr(got, "\"level\":\"warn\",\"event\":\"seen\",\"who\":\"a\\\"b\",\"n\":-3}\n"), "%s", got);
    cr_assert_null(strstr(got, "hidden"));
}

static void *pusher(void *arg)
{
    struct ring *r = arg;
    for (size_t i = 1; i <= 10000; i++)
        while (!ring_push(r, (void *)i))
            usleep(10);
    return NULL;
}

Test(ring, is_bounded_and_keeps_the_order_of_each_producer)
{
    struct ring r;
    cr_assert_eq(ring_init(&r, 4), 0);
    for (size_t i = 1; i <= 4; i++)
        cr_assert(ring_push(&r, (void *)i));
    cr_assert(!ring_push(&r, (void *)5), "full");
    void *items[8];
    cr_assert_eq(ring_take(&r, items, 8), 4);
    cr_assert_eq(items[3], (void *)4);
    cr_assert_eq(ring_take(&r, items, 8), 0);

    pthread_t t;
    pthread_create(&t, NULL, pusher, &r);
    size_t next = 1;
    while (next <= 10000) {
        size_t n = ring_take_wait(&r, items, 3);
        for (size_t i = 0; i < n; i++)
            cr_assert_eq(items[i], (void *)next++);
    }
    pthread_join(t, NULL);
    ring_close(&r);
    cr_assert(!ring_push(&r, items), "closed");
    cr_assert_eq(ring_take_wait(&r, items, 8), 0);
    ring_free(&r);
}

struct begun {
    const char *name;
    enum thread_kind kind;
    int nice;
    char called[16];
};

static void *begin_thread(void *arg)
{
    struct begun *begun = arg;
    thread_begin(begun->name, begun->kind);
    begun->nice = getpriority(PRIO_PROCESS, 0);
    pthread_getname_np(pthread_self(), begun->called, sizeof(begun->called));
    return NULL;
}

static void *ask_names(void *arg)
{
    bool *is = arg;
    is[0] = thread_is("dealer");
    thread_begin("dealer", THREAD_PROMPT);
    is[1] = thread_is("dealer");
    is[2] = thread_is("player");
    return NULL;
}

Test(thread, an_unnamed_thread_matches_any_name_and_a_named_one_only_its_own)
{
    bool is[3];
    pthread_t thread;
    cr_assert_eq(pthread_create(&thread, NULL, ask_names, is), 0);
    cr_assert_eq(pthread_join(thread, NULL), 0);
    cr_assert(is[0] && is[1] && !is[2]);
    cr_assert(thread_is("dealer"), "the main thread has no name");
}

Test(thread, background_threads_get_a_lower_priority_and_others_keep_theirs)
{
    int before = getpriority(PRIO_PROCESS, 0);
    struct begun all[] = {{.name = "hub", .kind = THREAD_PROMPT},
                          {.name = "rest", .kind = THREAD_PATIENT},
                          {.name = "fifteen letters", .kind = THREAD_LONG}};
    for (size_t i = 0; i < 3; i++) {
        pthread_t thread;
        cr_assert_eq(pthread_create(&thread, NULL, begin_thread, &all[i]), 0);
        cr_assert_eq(pthread_join(thread, NULL), 0);
        bool stays = all[i].kind == THREAD_PROMPT || sched_getscheduler(0) != SCHED_OTHER;
        int more = stays ? 0 : 10;
        cr_expect_eq(all[i].nice, before + more > 19 ? 19 : before + more, "%s: %d", all[i].name,
                     all[i].nice);
        cr_expect_str_eq(all[i].called, all[i].name);
    }
    cr_expect_eq(getpriority(PRIO_PROCESS, 0), before, "independent of each other");
}
