/* Files instead of a server, and which URLs are valid for a server. (tests/http/test_smtp.py tests SMTP
 * itself.) */
#include "mail/helo.h"
#include "mail/reply.h"
#include "mail/transport.h"
#include "mail/url.h"

#include <criterion/criterion.h>
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

Test(url, has_a_scheme_a_host_and_an_optional_port)
{
    static const char *const good[] = {"smtp://localhost",     "smtp://mail.example:587",
                                       "smtps://mail.example", "smtp://127.0.0.1:2525",
                                       "smtp://[::1]:25",      "smtps://[2001:db8::1]"};
    static const char *const bad[] = {"",
                                      "mail.example",
                                      "http://mail.example",
                                      "smtp:/mail.example",
                                      "smtp://",
                                      "smtp://user:secret@mail.example",
                                      "smtp://mail.example/helo",
                                      "smtp://mail.example:0",
                                      "smtp://mail.example:65536",
                                      "smtp://mail.example:",
                                      "smtp://mail example",
                                      "smtp://[::1",
                                      "smtp://[]:25",
                                      "smtp://a:25:25"};
    for (size_t i = 0; i < sizeof(good) / sizeof(good[0]); i++)
        cr_expect(mail_url_ok(good[i]), "%s", good[i]);
    for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++)
        cr_expect(!mail_url_ok(bad[i]), "%s", bad[i]);
}

Test(url, local_urls_are_recognized)
{
    static const char *const here[] = {"smtp://localhost:25", "smtp://127.0.0.1", "smtp://127.9.9.9:1",
                                       "smtp://[::1]:25"};
    static const char *const there[] = {"",
                                        "smtp://127.evil.example",
                                        "smtp://localhost.evil.example",
                                        "smtp://128.0.0.1",
                                        "smtp://[::11]",
                                        "smtp://mail.example"};
    for (size_t i = 0; i < sizeof(here) / sizeof(here[0]); i++)
        cr_expect(mail_url_is_local(here[i]), "%s", here[i]);
    for (size_t i = 0; i < sizeof(there) / sizeof(there[0]); i++)
        cr_expect(!mail_url_is_local(there[i]), "%s", there[i]);
}

static int files_in(const char *folder)
{
    int n = 0;
    DIR *dir = opendir(folder);
    cr_assert(dir);
    for (const struct dirent *entry; (entry = readdir(dir));)
        n += entry->d_name[0] != '.';
    (void)closedir(dir);
    return n;
}

Test(folder, an_email_is_one_file_readable_only_by_its_owner)
{
    char top[] = "/tmp/mail-XXXXXX", folder[64], file[128], text[64] = "";
    cr_assert(mkdtemp(top));
    (void)snprintf(folder, sizeof(folder), "%s/var/mail", top);
    const struct mail_config config = {.smtp_url = "", .folder = folder};
    const struct mail_message message = {.id = "1-2"};
    struct mail_transport *transport = mail_transport_open(&config);
    struct mail_result result;
    (void)umask(0);
    for (int i = 0; i < 2; i++) { /* repeated, as after a kill: still one file */
        mail_transport_send(transport, &message, "To: x\r\n\r\nText\r\n", 15, &result);
        cr_assert_eq(result.outcome, MAIL_SENT, "%s", result.why);
        cr_expect_eq(files_in(folder), 1);
    }
    (void)snprintf(file, sizeof(file), "%s/1-2.eml", folder);
    struct stat is;
    cr_assert_eq(stat(file, &is), 0);
    cr_expect_eq(is.st_mode & 0777, 0600);
    cr_expect_eq(is.st_size, 15);
    cr_assert_eq(stat(folder, &is), 0);
    cr_expect_eq(is.st_mode & 0777, 0700);
    FILE *read = fopen(file, "re");
    cr_assert_eq(fread(text, 1, sizeof(text), read), 15);
    (void)fclose(read);
    cr_expect_str_eq(text, "To: x\r\n\r\nText\r\n");
    mail_transport_close(transport);
    (void)unlink(file);
    (void)rmdir(folder);
    (void)snprintf(folder, sizeof(folder), "%s/var", top);
    (void)rmdir(folder);
    (void)rmdir(top);
}

Test(folder, an_unwritable_folder_keeps_the_email_pending)
{
    const struct mail_config config = {.smtp_url = "", .folder = "/dev/null/mail"};
    const struct mail_message message = {.id = "1-2"};
    struct mail_transport *transport = mail_transport_open(&config);
    struct mail_result result;
    mail_transport_send(transport, &message, "x", 1, &result);
    cr_expect_eq(result.outcome, MAIL_HELD);
    cr_expect_eq(strncmp(result.why, "mail_dir: ", 10), 0, "%s", result.why);
    mail_transport_close(transport);
}

Test(helo, is_a_qualified_name_or_an_address_in_brackets)
{
    static const char *const good[] = {"play.example",          "a.b.c.example", "mail-1.example",
                                       "xn--bcher-kva.example", "[127.0.0.1]",   "[192.0.2.1]",
                                       "[IPv6:2001:db8::1]",    "[IPv6:::1]",    "1.example"};
    static const char *const bad[] = {"",
                                      "vm",
                                      "localhost",
                                      "play.example.",
                                      ".example",
                                      "a..example",
                                      "-a.example",
                                      "a-.example",
                                      "a_b.example",
                                      "a b.example",
                                      "192.0.2.1",
                                      "[192.0.2.1",
                                      "[]",
                                      "[192.0.2.256]",
                                      "[2001:db8::1]",
                                      "[IPv6:192.0.2.1]",
                                      "[IPv6:]",
                                      "[IPv6:x]",
                                      "play.example\r\nMAIL",
                                      "play.example/x",
                                      ("b\xC3\xBC"
                                       "cher.example")};
    for (size_t i = 0; i < sizeof(good) / sizeof(good[0]); i++)
        cr_expect(mail_helo_ok(good[i]), "%s", good[i]);
    for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++)
        cr_expect(!mail_helo_ok(bad[i]), "%s", bad[i]);
}

Test(helo, the_name_of_this_machine_is_valid)
{
    char name[MAIL_HELO_MAX], url[1024];
    mail_helo_find(true, name);
    cr_expect(mail_helo_ok(name), "%s", name);
    mail_helo_find(false, name);
    cr_expect(mail_helo_ok(name), "%s", name);
    mail_helo_url("smtp://mail.example:25", "[IPv6:::1]", url, sizeof(url));
    cr_expect_str_eq(url, "smtp://mail.example:25/%5BIPv6%3A%3A%3A1%5D");
}

Test(reply, may_have_an_enhanced_status_code)
{
    static const struct {
        const char *line;
        int status[3];
    } all[] = {{"550 5.1.1 x", {5, 1, 1}},
               {"550-5.7.26 x", {5, 7, 26}},
               {"550 5.1.1", {5, 1, 1}},
               {"550 x 5.1.1", {0}},
               {"550", {0}},
               {"550 5.1 x", {0}},
               {"550 5.1.1x", {0}},
               {"550 9.1.1 x", {0}},
               {"550 127.0.0.1 x", {0}}};
    for (size_t i = 0; i < sizeof(all) / sizeof(all[0]); i++) {
        int status[3] = {0};
        (void)mail_reply_status(all[i].line, status);
        cr_expect_arr_eq(status, all[i].status, sizeof(status), "%s", all[i].line);
    }
}
