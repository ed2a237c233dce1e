/* Delivers to an SMTP server or to files; see transport.h. One thread each. */
#include "mail/transport.h"

#include "base/bug.h"
#include "mail/folder.h"
#include "mail/smtp.h"
#include "mail/url.h"

#include <stdlib.h>

struct mail_transport {
    const struct mail_config *config;
    struct mail_smtp *smtp; /* NULL: write to files */
};

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
