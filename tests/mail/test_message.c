/* Formatting emails: the bytes of worked examples, and that no filled-in value can add a header. */
#include "mail/message.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

#define NOW 1795390215000LL /* Sun, 22 Nov 2026 23:30:15 UTC */

static char text[MAIL_MESSAGE_MAX + 1], why[MAIL_WHY_MAX];

static struct mail_message usual(void)
{
    return (struct mail_message){.from = "noreply@play.example",
                                 .from_name = "Rummy",
                                 .to = "ana@example.org",
                                 .id = "3b241101-e2bb-4255-8caf-4136c566a962",
                                 .language = "en",
                                 .date_ms = NOW,
                                 .subject = "Hello",
                                 .body = "Line one\nLine two\n"};
}

static bool write(const struct mail_message *m)
{
    struct buf out = buf_on(text, sizeof(text) - 1);
    memset(text, 0, sizeof(text));
    why[0] = '\0';
    return mail_message_write(&out, m, why);
}

static const char *line_of(const char *header)
{
    static char line[2048];
    const char *at = strstr(text, header);
    cr_assert(at, "%s in %s", header, text);
    const char *end = at;
    do
        end = strstr(end + 2, "\r\n");
    while (end && end[2] == ' ');
    (void)snprintf(line, sizeof(line), "%.*s", (int)(end - at), at);
    return line;
}

Test(message, is_written_byte_for_byte)
{
    struct mail_message m = usual();
    cr_assert(write(&m), "%s", why);
    cr_expect_str_eq(text, "Date: Sun, 22 Nov 2026 23:30:15 +0000\r\n"
                           "From: \"Rummy\"\r\n <noreply@play.example>\r\n"
                           "To: <ana@example.org>\r\n"
                           "Subject: Hello\r\n"
                           "Message-ID: <3b241101-e2bb-4255-8caf-4136c566a962@play.example>\r\n"
                           "Auto-Submitted: auto-generated\r\n"
                           "X-Auto-Response-Suppress: All\r\n"
                           "MIME-Version: 1.0\r\n"
                           "Content-Type: text/plain; charset=utf-8\r\n"
                           "Content-Transfer-Encoding: quoted-printable\r\n"
                           "Content-Language: en\r\n"
                           "\r\n"
                           "Line one\r\nLine two\r\n");
}

/* By hand: printf 'Bitte bestätigen' | base64 */
Test(message, a_non_ascii_subject_becomes_encoded_words)
{
    struct mail_message m = usual();
    m.subject = "Bitte best\xC3\xA4tigen";
    cr_assert(write(&m));
    cr_expect_str_eq(line_of("Subject: "), "Subject: =?UTF-8?B?Qml0dGUgYmVzdMOkdGlnZW4=?=");
    m.subject = "=?UTF-8?B?QQ==?="; /* what only looks like an encoded word is encoded as well */
    cr_assert(write(&m));
    cr_expect_str_eq(line_of("Subject: "), "Subject: =?UTF-8?B?PT9VVEYtOD9CP1FRPT0/PQ==?=");
}

/* By hand: printf '…' | base64. After the header's name 39 bytes fit; a letter has two or three. */
Test(message, a_subject_in_another_script_uses_several_encoded_words)
{
    struct mail_message m = usual();
    m.subject = "Потврдите имејл-адресу";
    cr_assert(write(&m));
    cr_expect_str_eq(line_of("Subject: "),
                     "Subject: =?UTF-8?B?0J/QvtGC0LLRgNC00LjRgtC1INC40LzQtdGY0Lst0LDQtNGA0LU=?=\r\n"
                     " =?UTF-8?B?0YHRgw==?=");
    m.subject = "अपने ईमेल पते की पुष्टि करें";
    cr_assert(write(&m));
    cr_expect_str_eq(line_of("Subject: "),
                     "Subject: =?UTF-8?B?4KSF4KSq4KSo4KWHIOCkiOCkruClh+CksiDgpKrgpKTgpYcg4KSV?=\r\n"
                     " =?UTF-8?B?4KWAIOCkquClgeCkt+CljeCkn+CkvyDgpJXgpLDgpYfgpII=?=");
}

Test(message, a_long_subject_is_split_between_characters_at_76_columns)
{
    char subject[MAIL_SUBJECT_MAX] = "";
    for (int i = 0; i < 63; i++) /* 252 bytes of four-byte characters, and 45 is not a multiple of four */
        memcpy(subject + 4 * (size_t)i, "\xF0\x9F\x83\x8F", 4);
    struct mail_message m = usual();
    m.subject = subject;
    cr_assert(write(&m));
    char *line = strdup(line_of("Subject: ")), *rest = line + 9;
    int words = 0;
    for (char *word = strtok(rest, "\r\n "); word; word = strtok(NULL, "\r\n "), words++) {
        cr_expect_leq(strlen(word) + (words == 0 ? strlen("Subject: ") : 1), 76, "RFC 2047, 2");
        cr_expect_eq(strncmp(word, "=?UTF-8?B?8J+Dj", 15), 0, "begins with a whole character: %s", word);
    }
    cr_expect_eq(words, 6); /* nine characters, 36 bytes, in the first, eleven in each of the others */
    free(line);
}

Test(message, the_text_is_quoted_printable_with_at_most_76_columns)
{
    struct mail_message m = usual();
    m.body = "a=b \xC3\xA4\n\ntrailing blank \n.\nlast";
    cr_assert(write(&m));
    cr_expect_str_eq(strstr(text, "\r\n\r\n") + 4, "a=3Db =C3=A4\r\n\r\ntrailing blank=20\r\n.\r\nlast\r\n");
    char body[400];
    memset(body, 'x', sizeof(body));
    for (size_t n = 70; n < 160; n++) {
        body[n] = '\0';
        m.body = body;
        cr_assert(write(&m));
        char *rest = strstr(text, "\r\n\r\n") + 4, *end;
        size_t letters = 0;
        for (; (end = strstr(rest, "\r\n")); rest = end + 2) {
            size_t len = (size_t)(end - rest);
            cr_expect_leq(len, 76);
            letters += len - (rest[len - 1] == '=');
        }
        cr_expect_eq(letters, n);
        body[n] = 'x';
    }
}

Test(message, values_cannot_add_headers_or_recipients)
{
    static const char *const bad[] = {"a\r\nBcc: x@y.example", "a\nBcc: x@y.example", "a\rb", "a\tb",
                                      "a\x01"};
    for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
        struct mail_message m = usual();
        m.subject = bad[i];
        cr_expect(!write(&m), "subject %zu", i);
        cr_expect_str_eq(why, "a control character in a header");
        m = usual();
        m.from_name = bad[i];
        cr_expect(!write(&m), "name %zu", i);
        m = usual();
        m.id = bad[i];
        cr_expect(!write(&m), "id %zu", i);
        m = usual();
        m.language = bad[i];
        cr_expect(!write(&m), "language %zu", i);
    }
    static const char *const addresses[] = {"",
                                            "ana",
                                            "a@b.example>\r\nRCPT TO:<x@y.example",
                                            "a@b.example> SIZE=1",
                                            "<a@b.example>",
                                            "a@b.example,x@y.example",
                                            "\"a b\"@c.example",
                                            "a@b.example\n",
                                            "\xC3\xA4@b.example"};
    for (size_t i = 0; i < sizeof(addresses) / sizeof(addresses[0]); i++) {
        struct mail_message m = usual();
        m.to = addresses[i];
        cr_expect(!write(&m), "to %zu", i);
        cr_expect_str_eq(why, "the address is not an email address");
        m = usual();
        m.from = addresses[i];
        cr_expect(!write(&m), "from %zu", i);
    }
}

Test(message, a_senders_name_is_quoted_or_encoded)
{
    struct mail_message m = usual();
    m.from_name = "Rummy \"51\" <x@y.example>";
    cr_assert(write(&m));
    cr_expect(strstr(line_of("From: "), "=?UTF-8?B?"), "%s", text);
    cr_expect_null(strstr(text, "x@y.example"));
    m.from_name = "ककककककककककककककक";
    cr_assert(write(&m)); /* 45 bytes, of which 42 fit after the header's name */
    cr_expect_eq(strcspn(line_of("From: "), "\r"), 74);
    m.from_name = "";
    cr_assert(write(&m));
    cr_expect_str_eq(line_of("From: "), "From: <noreply@play.example>");
}

Test(message, overlong_and_invalid_utf8_text_is_refused)
{
    static char longest[MAIL_BODY_MAX + 1];
    struct mail_message m = usual();
    memset(longest, 0xC3, sizeof(longest) - 1);
    for (size_t i = 1; i < sizeof(longest) - 1; i += 2)
        longest[i] = (char)0xA4;
    longest[MAIL_BODY_MAX - 2] = '\0'; /* the maximum length, each byte encoded as three */
    m.body = longest;
    cr_expect(write(&m), "%s", why);
    longest[MAIL_BODY_MAX - 2] = (char)0xC3;
    longest[MAIL_BODY_MAX] = '\0';
    cr_expect(!write(&m));
    cr_expect_str_eq(why, "the subject is empty, or a text is too long");
    m = usual();
    m.subject = "";
    cr_expect(!write(&m));
    m = usual();
    m.body = "a\xC3(";
    cr_expect(!write(&m));
    cr_expect_str_eq(why, "a text is not UTF-8");
    m.body = "a\rb";
    cr_expect(!write(&m));
}
