/* Chooses between an SMTP server and files; see transport.h. One thread each. */
#include "mail/transport.h"

#include "base/addr.h"
#include "base/bug.h"
#include "base/text.h"
#include "mail/folder.h"
#include "mail/smtp.h"

#include <stdlib.h>
#include <string.h>

struct mail_transport {
    const struct mail_config *config;
    struct mail_smtp *smtp; /* NULL: write to files */
};

/* The host of a well-formed URL; returns its length. */
static size_t host_of(const char *url, const char **host)
{
    const char *at = strstr(url, "://") + 3;
    bool bracket = *at == '[';
    *host = bracket ? at + 1 : at;
    return strcspn(*host, bracket ? "]" : ":");
}

bool mail_url_ok(const char *url)
{
    static const char names[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789.-";
    size_t scheme = strncmp(url, "smtp://", 7) == 0 ? 7 : strncmp(url, "smtps://", 8) == 0 ? 8 : 0;
    const char *at = url + scheme;
    int64_t port;
    if (scheme == 0)
        return false;
    if (*at == '[') { /* IPv6 */
        size_t n = strspn(at + 1, "0123456789abcdefABCDEF:.");
        if (n == 0 || at[1 + n] != ']')
            return false;
        at += n + 2;
    } else {
        size_t n = strspn(at, names);
        if (n == 0)
            return false;
        at += n;
    }
    return *at == '\0' || (*at == ':' && text_i64(at + 1, 1, 65535, &port));
}

bool mail_url_is_local(const char *url)
{
    if (!mail_url_ok(url))
        return false;
    const char *host;
    size_t n = host_of(url, &host);
    return addr_is_here(host, n);
}

struct mail_transport *mail_transport_open(const struct mail_config *config)
{
    struct mail_transport *transport = calloc(1, sizeof(*transport));
    if (!transport)
        return NULL;
    transport->config = config;
    if (config->smtp_url[0] == '\0')
        return transport;
    ASSERT(mail_url_ok(config->smtp_url));
    transport->smtp = mail_smtp_open(config);
    if (!transport->smtp) {
        free(transport);
        return NULL;
    }
    return transport;
}

void mail_transport_close(struct mail_transport *transport)
{
    if (!transport)
        return;
    mail_smtp_close(transport->smtp);
    free(transport);
}

void mail_transport_send(struct mail_transport *transport, const struct mail_message *message,
                         const char *text, size_t len, struct mail_result *result)
{
    *result = (struct mail_result){.outcome = MAIL_HELD};
    if (transport->smtp)
        mail_smtp_send(transport->smtp, message, text, len, result);
    else
        mail_folder_put(transport->config->folder, message->id, text, len, result);
}

void mail_transport_rest(struct mail_transport *transport)
{
    if (transport->smtp)
        mail_smtp_rest(transport->smtp);
}
