/* The address of an SMTP server. Pure, any thread. */
#ifndef RUMMYD_MAIL_URL_H
#define RUMMYD_MAIL_URL_H

#include <stdbool.h>

/* Whether an smtp_url is valid: it has a scheme, a host, optionally a port, and nothing else. */
bool mail_url_ok(const char *text);
/* Whether its host is this machine. */
bool mail_url_is_local(const char *text);

#endif
