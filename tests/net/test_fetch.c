/* Retry-After: a server that requests a pause gets no requests in the meantime. */
#include "net/fetch.h"

#include <arpa/inet.h>
#include <criterion/criterion.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

static int listener, port;
static atomic_int asked; /* requests that arrived */
static char reply[300];  /* reply of the server */
static struct net_fetched answer;
static const struct net_client client = {.timeout_ms = 60000};

/* It is reachable at all addresses of the loopback network, so it can act as many servers. */
static void *serve(void *arg)
{
    char waste[4096];
    for (int fd; (fd = accept(listener, NULL, NULL)) >= 0; (void)close(fd)) {
        atomic_fetch_add(&asked, 1);
        if (read(fd, waste, sizeof(waste)) <= 0 || write(fd, reply, strlen(reply)) < 0)
            abort();
    }
    return arg;
}

static void start(void)
{
    struct sockaddr_in at = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_ANY)};
    socklen_t len = sizeof(at);
    pthread_t thread;
    listener = socket(AF_INET, SOCK_STREAM, 0);
    cr_assert(bind(listener, (struct sockaddr *)&at, sizeof(at)) == 0 && listen(listener, 8) == 0 &&
              getsockname(listener, (struct sockaddr *)&at, &len) == 0);
    port = ntohs(at.sin_port);
    cr_assert_eq(pthread_create(&thread, NULL, serve, NULL), 0);
    cr_assert_eq(setenv("no_proxy", "*", 1), 0);
    cr_assert_eq(setenv("NO_PROXY", "*", 1), 0);
    cr_assert(net_start());
}

TestSuite(fetch, .init = start);

static void respond(int status, const char *after)
{
    (void)snprintf(reply, sizeof(reply),
                   "HTTP/1.1 %d Answer\r\nContent-Length: 0\r\nConnection: close\r\nRetry-After: %s\r\n\r\n",
                   status, after);
}

/* Whether the request reached the server; the status and the wait are in `answer`. */
static bool reaches(int host, const char *path)
{
    char url[100];
    int before = atomic_load(&asked);
    (void)snprintf(url, sizeof(url), "http://127.0.0.%d:%d%s", host, port, path);
    const struct net_fetch fetch = {.url = url, .once = true};
    bool done = net_fetch_run(&client, &fetch, &answer);
    net_fetch_free(&answer);
    cr_assert_eq(done, answer.status != 0);
    cr_assert_eq(done, atomic_load(&asked) == before + 1, "%s", answer.why);
    return done;
}

Test(fetch, a_pause_applies_to_the_whole_server_and_no_other)
{
    static const int statuses[] = {429, 500, 503};
    for (int i = 0; i < 3; i++) {
        int host = 10 * (i + 1);
        respond(statuses[i], "3000");
        cr_assert(reaches(host, "/a?b#c"));
        cr_assert_eq(answer.retry_s, 3000);
        cr_assert(!reaches(host, "/a") && !reaches(host, "") && !reaches(host, "?x"));
        cr_assert(answer.retry_s > 0 && answer.retry_s <= 3000);
        cr_assert(strstr(answer.why, "it accepts no requests"), "%s", answer.why);
        respond(200, "0");
        cr_assert(reaches(host + 1, "/a"));
    }
}

Test(fetch, a_retry_date_is_accepted_and_limited_to_an_hour)
{
    char date[64];
    struct tm tm;
    time_t later = time(NULL) + 600;
    (void)strftime(date, sizeof(date), "%a, %d %b %Y %H:%M:%S GMT", gmtime_r(&later, &tm));
    respond(503, date);
    cr_assert(reaches(1, "/"));
    cr_assert(answer.retry_s > 500 && answer.retry_s <= 600, "%lld", (long long)answer.retry_s);
    cr_assert(!reaches(1, "/"));
    respond(429, "99999999");
    cr_assert(reaches(2, "/"));
    cr_assert_eq(answer.retry_s, NET_RETRY_S_MAX);
    cr_assert(!reaches(2, "/"));
}

Test(fetch, other_responses_and_values_cause_no_pause)
{
    static const struct {
        int status;
        const char *after;
    } all[] = {{200, "60"}, {302, "60"}, {404, "60"},   {429, "0"},
               {429, ""},   {429, "-5"}, {429, "soon"}, {503, "Wed, 21 Oct 2015 07:28:00 GMT"}};
    for (size_t i = 0; i < sizeof(all) / sizeof(all[0]); i++) {
        respond(all[i].status, all[i].after);
        cr_assert(reaches(1, "/"));
        cr_assert(reaches(1, "/"), "%d %s", all[i].status, all[i].after);
    }
}

Test(fetch, beyond_the_limit_the_shortest_pause_is_dropped)
{
    char after[20];
    for (int i = 0; i <= NET_WAITS_MAX; i++) {
        (void)snprintf(after, sizeof(after), "%d", i == 3 ? 1000 : 2000 + i);
        respond(429, after);
        cr_assert(reaches(100 + i, "/"));
    }
    respond(200, "0");
    for (int i = 0; i <= NET_WAITS_MAX; i++)
        cr_assert_eq(reaches(100 + i, "/"), i == 3, "%d", i);
}
