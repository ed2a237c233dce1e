/* Emails with untrusted values: whatever the values, the headers are always the same, the bytes are ASCII
 * in short lines, and each line ends with CR LF. */
#include "base/bug.h"
#include "mail/message.h"
#include "mail/template.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum { PARTS = 6 };

static const char *const headers[] = {"Date: ",
                                      "From: ",
                                      "To: ",
                                      "Subject: ",
                                      "Message-ID: ",
                                      "Auto-Submitted: ",
                                      "X-Auto-Response-Suppress: ",
                                      "MIME-Version: ",
                                      "Content-Type: ",
                                      "Content-Transfer-Encoding: ",
                                      "Content-Language: "};

static void check(const char *text, size_t len)
{
    size_t header = 0, line = 0;
    bool body = false;
    for (size_t i = 0; i < len; i++) {
        unsigned char c = (unsigned char)text[i];
        ASSERT(c < 0x7F && (c >= ' ' || c == '\r' || c == '\n'));
        ASSERT((c == '\r') == (i + 1 < len && text[i + 1] == '\n'));
        ASSERT((c == '\n') == (i > 0 && text[i - 1] == '\r'));
        if (c != '\n')
            continue;
        ASSERT(i - line <= 998);
        if (!body && i - line == 1) {
            body = true;
            ASSERT(header == ARRAY_LEN(headers));
        } else if (!body && text[line] != ' ') {
            ASSERT(header < ARRAY_LEN(headers) &&
                   strncmp(text + line, headers[header], strlen(headers[header])) == 0);
            header++;
        }
        line = i + 1;
    }
    ASSERT(body && line == len);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static char text[MAIL_MESSAGE_MAX];
    char *copy = malloc(size + 1), *parts[PARTS], why[MAIL_WHY_MAX];
    memcpy(copy, data, size);
    copy[size] = '\0';
    char *rest = copy;
    for (int i = 0; i < PARTS; i++) { /* split at bytes that text never contains */
        parts[i] = rest;
        rest += strcspn(rest, "\xFF");
        if (*rest)
            *rest++ = '\0';
    }
    const struct mail_message message = {.from = "noreply@play.example",
                                         .to = parts[0][0] ? parts[0] : "ana@example.org",
                                         .from_name = parts[1],
                                         .subject = parts[2],
                                         .body = parts[3],
                                         .id = parts[4][0] ? parts[4] : "1",
                                         .language = mail_language_of(parts[5])};
    struct buf out = buf_on(text, sizeof(text));
    if (mail_message_write(&out, &message, why))
        check(out.data, out.len);
    struct mail_text filled;
    json_t *values = json_pack("{s:s?, s:i}", "token", parts[3], "valid_s", 86400);
    if (values && mail_template_fill(&filled, message.language, "verify", parts[1], values, why))
        ASSERT(strlen(filled.subject) > 0 && strlen(filled.body) > 0);
    json_decref(values);
    values = json_pack("{s:s?, s:s}", "until", parts[4], "table", "7");
    if (values && mail_template_fill(&filled, message.language, "your_turn", parts[1], values, why))
        ASSERT(strstr(filled.body, "/table/7\n"));
    json_decref(values);
    free(copy);
    return 0;
}
