/* Log lines: each is written completely or counted as lost, and has no duplicate keys. */
#include <criterion/criterion.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include "base/log.h"

/* Redirects stderr to a file limited to this many bytes. */
static int into_file(char *path, rlim_t bytes)
{
    int fd = mkstemp(path);
    cr_assert_geq(fd, 0);
    cr_assert_eq(dup2(fd, STDERR_FILENO), STDERR_FILENO);
    const struct rlimit limit = {.rlim_cur = bytes, .rlim_max = RLIM_INFINITY};
    cr_assert_neq(signal(SIGXFSZ, SIG_IGN), SIG_ERR);
    cr_assert_eq(setrlimit(RLIMIT_FSIZE, &limit), 0);
    return fd;
}

static void read_back(int fd, char *text, size_t cap)
{
    ssize_t n = pread(fd, text, cap - 1, 0);
    cr_assert_geq(n, 0);
    text[n] = '\0';
}

Test(log, a_key_appears_once)
{
    char path[] = "/tmp/rummyd-log-XXXXXX", text[1000];
    int fd = into_file(path, 10000);
    log_warn("shop_found", LOG_TEXT("event", "evt_1"), LOG_NUM("n", 1), LOG_TEXT("level", "x"),
             LOG_NUM("n", 2), LOG_TEXT("at", "y"), LOG_TEXT("why", "z"));
    read_back(fd, text, sizeof(text));
    cr_expect(strstr(text, "\"level\":\"warn\",\"event\":\"shop_found\",\"n\":1,\"why\":\"z\"}\n"), "%s",
              text);
    cr_expect_eq(log_lost(), 0);
    (void)unlink(path);
}

Test(log, lines_lost_to_a_full_disk_are_counted_and_split_no_other_line)
{
    char path[] = "/tmp/rummyd-log-XXXXXX", text[2000];
    int fd = into_file(path, 100);
    log_info("first", LOG_NUM("n", 1)); /* 68 bytes */
    log_info("torn", LOG_NUM("n", 2));  /* partly written */
    log_info("lost", LOG_NUM("n", 3));  /* not written */
    cr_expect_eq(log_lost(), 2);
    const struct rlimit limit = {.rlim_cur = 10000, .rlim_max = RLIM_INFINITY};
    cr_assert_eq(setrlimit(RLIMIT_FSIZE, &limit), 0);
    log_info("after", LOG_NUM("n", 4));
    read_back(fd, text, sizeof(text));
    char *line = strrchr(text, '{');
    cr_assert_not_null(line);
    cr_expect(line > text && line[-1] == '\n' && strstr(line, "\"event\":\"after\",\"n\":4}\n"), "%s", text);
    cr_expect_null(strstr(text, "\"lost\""), "%s", text);
    cr_expect_eq(log_lost(), 2);
    (void)unlink(path);
}
