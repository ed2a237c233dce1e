/* Files instead of a server, and which URLs name a server. (SMTP itself: tests/http/test_smtp.py.) */
#include "mail/transport.h"

#include <criterion/criterion.h>
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

Test(url, is_a_scheme_a_host_and_perhaps_a_port)
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

Test(url, of_this_machine)
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

Test(folder, a_mail_is_one_file_for_its_owner_alone)
{
    char top[] = "/tmp/mail-XXXXXX", folder[64], file[128], text[64] = "";
    cr_assert(mkdtemp(top));
    (void)snprintf(folder, sizeof(folder), "%s/var/mail", top);
    const struct mail_config config = {.smtp_url = "", .folder = folder};
    const struct mail_message message = {.id = "1-2"};
    struct mail_transport *transport = mail_transport_open(&config);
    struct mail_result result;
    (void)umask(0);
    for (int i = 0; i < 2; i++) { /* again, as after a kill: one file still */
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

Test(folder, one_that_cannot_be_written_is_tried_again)
{
    const struct mail_config config = {.smtp_url = "", .folder = "/dev/null/mail"};
    const struct mail_message message = {.id = "1-2"};
    struct mail_transport *transport = mail_transport_open(&config);
    struct mail_result result;
    mail_transport_send(transport, &message, "x", 1, &result);
    cr_expect_eq(result.outcome, MAIL_AGAIN);
    cr_expect_eq(strncmp(result.why, "mail_dir: ", 10), 0, "%s", result.why);
    mail_transport_close(transport);
}
