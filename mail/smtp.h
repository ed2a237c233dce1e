/* Sends emails to one SMTP server with libcurl. The connection is kept between emails until mail_smtp_rest.
 * One thread. */
#ifndef RUMMYD_MAIL_SMTP_H
#define RUMMYD_MAIL_SMTP_H

#include "mail/transport.h"

struct mail_smtp;
struct mail_smtp *mail_smtp_open(const struct mail_config *config);
void mail_smtp_close(struct mail_smtp *smtp);
void mail_smtp_send(struct mail_smtp *smtp, const struct mail_message *message, const char *text, size_t len,
                    struct mail_result *result);
void mail_smtp_rest(struct mail_smtp *smtp);

#endif
