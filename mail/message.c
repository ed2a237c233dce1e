/* Writes an email; see message.h. Pure, any thread. */
#include "mail/message.h"

#include "base/bug.h"
#include "base/text.h"

#include <stdio.h>
#include <string.h>
#include <time.h>

enum {
    LINE_MAX_CHARS = 76, /* limit of quoted-printable (RFC 2045, 6.7) and of encoded words (RFC 2047, 2) */
    WORD_FRAME = 12,     /* "=?UTF-8?B?" and "?=" */
};

static bool has_control(const char *text)
{
    for (const unsigned char *p = (const unsigned char *)text; *p; p++)
        if (*p < ' ' || *p == 0x7F)
            return true;
    return false;
}

/* Whether a header's text needs no encoding. */
static bool is_plain(const char *text)
{
    for (const unsigned char *p = (const unsigned char *)text; *p; p++)
        if (*p >= 0x7F)
            return false;
    return strlen(text) <= LINE_MAX_CHARS - 16 && !strstr(text, "=?");
}

static void put_base64(struct buf *out, const unsigned char *bytes, size_t n)
{
    static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    for (size_t i = 0; i < n; i += 3) {
        size_t left = n - i < 3 ? n - i : 3;
        unsigned bits = (unsigned)bytes[i] << 16 | (left > 1 ? (unsigned)bytes[i + 1] << 8 : 0) |
                        (left > 2 ? bytes[i + 2] : 0);
        char four[4] = {digits[bits >> 18], digits[bits >> 12 & 63], '=', '='};
        if (left > 1)
            four[2] = digits[bits >> 6 & 63];
        if (left > 2)
            four[3] = digits[bits & 63];
        buf_put(out, four, sizeof(four));
    }
}

/* Writes encoded words of whole characters, one per line; `column` characters precede the first. */
static void put_words(struct buf *out, size_t column, const char *text)
{
    const char *end = text + strlen(text);
    for (const char *at = text; at < end;) {
        size_t n = 0, next, most = (LINE_MAX_CHARS - WORD_FRAME - column) / 4 * 3;
        while ((next = text_utf8_char(at + n, (size_t)(end - at) - n)) > 0 && n + next <= most)
            n += next;
        ASSERT(n > 0);
        buf_str(out, at == text ? "=?UTF-8?B?" : "\r\n =?UTF-8?B?");
        put_base64(out, (const unsigned char *)at, n);
        buf_str(out, "?=");
        at += n;
        column = 1;
    }
}

static void put_subject(struct buf *out, const char *subject)
{
    static const char name[] = "Subject: ";
    buf_str(out, name);
    if (is_plain(subject))
        buf_str(out, subject);
    else
        put_words(out, sizeof(name) - 1, subject);
    buf_str(out, "\r\n");
}

/* Writes the name as a quoted string if possible, otherwise encoded. */
static void put_from(struct buf *out, const struct mail_message *message)
{
    static const char name[] = "From: ";
    buf_str(out, name);
    if (message->from_name[0] == '\0') {
        buf_fmt(out, "<%s>\r\n", message->from);
        return;
    }
    if (is_plain(message->from_name) && !strpbrk(message->from_name, "\"\\"))
        buf_fmt(out, "\"%s\"", message->from_name);
    else
        put_words(out, sizeof(name) - 1, message->from_name);
    buf_fmt(out, "\r\n <%s>\r\n", message->from);
}

static void put_date(struct buf *out, int64_t date_ms)
{
    static const char days[][4] = {"Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"};
    static const char months[][4] = {"Jan", "Feb", "Mar", "Apr", "May", "Jun",
                                     "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"};
    time_t s = (time_t)(date_ms / 1000);
    struct tm t;
    ASSERT(gmtime_r(&s, &t));
    buf_fmt(out, "Date: %s, %02d %s %d %02d:%02d:%02d +0000\r\n", days[t.tm_wday], t.tm_mday,
            months[t.tm_mon], t.tm_year + 1900, t.tm_hour, t.tm_min, t.tm_sec);
}

/* Writes quoted-printable text: lines of at most 76 characters, with "=XX" for a space at the end of a line
 * and for anything that is not plain ASCII. */
static void put_body(struct buf *out, const char *body)
{
    int column = 0;
    for (const unsigned char *p = (const unsigned char *)body; *p; p++) {
        if (*p == '\n') {
            buf_str(out, "\r\n");
            column = 0;
            continue;
        }
        bool last = p[1] == '\n' || p[1] == '\0';
        bool plain = *p > ' ' ? *p < 0x7F && *p != '=' : *p == ' ' && !last;
        int width = plain ? 1 : 3;
        if (column + width > LINE_MAX_CHARS - (last ? 0 : 1)) {
            buf_str(out, "=\r\n");
            column = 0;
        }
        if (plain)
            buf_put(out, (const char *)p, 1);
        else
            buf_fmt(out, "=%02X", (unsigned)*p);
        column += width;
    }
    if (column > 0)
        buf_str(out, "\r\n");
}

static bool id_ok(const char *id)
{
    static const char letters[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-";
    size_t len = strlen(id);
    return len > 0 && len < MAIL_ID_MAX && strspn(id, letters) == len;
}

/* Why the email cannot be sent; NULL: it can. */
static const char *refusal(const struct mail_message *m)
{
    if (!text_email_ok(m->to))
        return "the address is not an email address";
    if (!text_email_ok(m->from))
        return "the sender's address is not an email address";
    if (!id_ok(m->id) || !id_ok(m->language))
        return "the id and the language can have only letters, digits, and dashes";
    if (has_control(m->subject) || has_control(m->from_name))
        return "a control character in a header";
    if (m->subject[0] == '\0' || strlen(m->subject) >= MAIL_SUBJECT_MAX ||
        strlen(m->from_name) >= MAIL_SUBJECT_MAX || strlen(m->body) >= MAIL_BODY_MAX)
        return "the subject is empty, or a text is too long";
    if (strchr(m->body, '\r'))
        return "a carriage return in the text";
    if (!text_utf8_ok(m->subject, strlen(m->subject)) || !text_utf8_ok(m->body, strlen(m->body)) ||
        !text_utf8_ok(m->from_name, strlen(m->from_name)))
        return "a text is not UTF-8";
    return NULL;
}

bool mail_message_write(struct buf *out, const struct mail_message *message, char why[MAIL_WHY_MAX])
{
    const char *bad = refusal(message);
    if (bad) {
        (void)snprintf(why, MAIL_WHY_MAX, "%s", bad);
        return false;
    }
    put_date(out, message->date_ms);
    put_from(out, message);
    buf_fmt(out, "To: <%s>\r\n", message->to);
    put_subject(out, message->subject);
    buf_fmt(out, "Message-ID: <%s@%s>\r\n", message->id, strchr(message->from, '@') + 1);
    buf_str(out, "Auto-Submitted: auto-generated\r\nX-Auto-Response-Suppress: All\r\nMIME-Version: 1.0\r\n"
                 "Content-Type: text/plain; charset=utf-8\r\n"
                 "Content-Transfer-Encoding: quoted-printable\r\n");
    buf_fmt(out, "Content-Language: %s\r\n\r\n", message->language);
    put_body(out, message->body);
    if (out->full)
        (void)snprintf(why, MAIL_WHY_MAX, "the email is too long");
    return !out->full;
}
