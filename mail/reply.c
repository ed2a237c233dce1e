/* Classifies SMTP replies; see reply.h. */
#include "mail/reply.h"

#include "base/bug.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

enum { SERVICE_CLOSES = 421 }; /* in any phase, this means that the server is shutting down */

const char *mail_phase_name(enum mail_phase phase)
{
    static const char *const names[] = {
        [MAIL_AT_CONNECT] = "connect",   [MAIL_AT_GREETING] = "greeting", [MAIL_AT_EHLO] = "ehlo",
        [MAIL_AT_STARTTLS] = "starttls", [MAIL_AT_AUTH] = "auth",         [MAIL_AT_FROM] = "mail",
        [MAIL_AT_RCPT] = "rcpt",         [MAIL_AT_DATA] = "data",         [MAIL_AT_TEXT] = "text",
    };
    ASSERT((size_t)phase < ARRAY_LEN(names));
    return names[phase];
}

bool mail_reply_status(const char *line, int status[3])
{
    int got[3];
    if (strspn(line, "0123456789") != 3 || (line[3] != ' ' && line[3] != '-'))
        return false;
    const char *at = line + 4;
    for (int i = 0; i < 3; i++) {
        size_t digits = strspn(at, "0123456789");
        if (digits < 1 || digits > (i == 0 ? 1 : 3))
            return false;
        got[i] = (int)strtol(at, NULL, 10);
        at += digits;
        if (i < 2 && *at++ != '.')
            return false;
    }
    if ((*at != ' ' && *at != '\0') || (got[0] != 2 && got[0] != 4 && got[0] != 5))
        return false;
    memcpy(status, got, sizeof(got));
    return true;
}

/* In reply to RCPT, 5.1.x is about the address, except for 5.1.7 and 5.1.8, which are about the sender;
 * 5.2.x is about the mailbox. */
static bool is_about_recipient(const int status[3])
{
    return status[1] == 2 || (status[1] == 1 && status[2] != 7 && status[2] != 8);
}

/* After RCPT, 5.1.0 can mean anything; only these codes are certainly about the recipient. */
static bool is_recipient_for_certain(const int status[3])
{
    static const int detail_of_1[] = {1, 2, 3, 6, 10};
    bool found = status[1] == 2 && (status[2] == 1 || status[2] == 2);
    for (size_t i = 0; i < ARRAY_LEN(detail_of_1); i++)
        found = found || (status[1] == 1 && status[2] == detail_of_1[i]);
    return found;
}

/* Servers without enhanced status codes also reject senders with 550, so only the text tells them apart. */
static bool words_are_about_us(const char *text)
{
    static const char *const words[] = {"relay",     "authenticat", "helo",        "ehlo",   "hostname",
                                        "host name", "sender",      "client host", "policy", "blacklist",
                                        "block",     "spam",        "reverse",     "ptr ",   "spf",
                                        "dkim",      "dmarc",       "tls"};
    bool found = false;
    for (size_t i = 0; i < ARRAY_LEN(words); i++)
        found = found || strcasestr(text, words[i]) != NULL;
    return found;
}

static enum mail_outcome at_rcpt(const struct mail_reply *reply)
{
    static const int about_mailboxes[] = {550, 551, 552, 553, 556}; /* RFC 5321, 4.2.3; RFC 7504 */
    int subject = reply->status[1]; /* 0: 0 means "other", which is no more specific than the code */
    if (subject != 0 && is_about_recipient(reply->status))
        return MAIL_REFUSED;
    if (subject == 3 || subject == 4 || subject == 6) /* system, route, or text: a retry may succeed */
        return MAIL_AGAIN;
    if (subject != 0)
        return MAIL_HELD;
    for (size_t i = 0; i < ARRAY_LEN(about_mailboxes); i++)
        if (reply->code == about_mailboxes[i])
            return words_are_about_us(reply->text) ? MAIL_HELD : MAIL_REFUSED;
    return MAIL_HELD;
}

/* 5.5.x is about our commands and 5.7.x about a policy; others may be only about this text. */
static enum mail_outcome after_rcpt(const struct mail_reply *reply)
{
    if (is_recipient_for_certain(reply->status))
        return MAIL_REFUSED;
    return reply->status[1] == 5 || reply->status[1] == 7 ? MAIL_HELD : MAIL_AGAIN;
}

enum mail_outcome mail_reply_means(const struct mail_reply *reply)
{
    bool permanent = reply->code >= 500 && reply->code < 600;
    if (reply->phase < MAIL_AT_RCPT || reply->code == SERVICE_CLOSES)
        return MAIL_HELD;
    if (reply->code ==
        0) /* after the text, it is unknown whether the server accepted it, so do not retry for days */
        return reply->phase == MAIL_AT_TEXT ? MAIL_AGAIN : MAIL_HELD;
    if (!permanent || (reply->status[0] != 0 && reply->status[0] != 5))
        return MAIL_AGAIN;
    return reply->phase == MAIL_AT_RCPT ? at_rcpt(reply) : after_rcpt(reply);
}
