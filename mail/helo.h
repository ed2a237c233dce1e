/* The name by which this machine introduces itself to an SMTP server (RFC 5321, 4.1.1.1): a fully qualified
 * domain name, or its address in brackets. Relays reject anything else. */
#ifndef RUMMYD_MAIL_HELO_H
#define RUMMYD_MAIL_HELO_H

#include <stdbool.h>
#include <stddef.h>

enum { MAIL_HELO_MAX = 256 }; /* bytes, including the NUL */

/* Whether a server may accept it: a domain name with a dot, "[192.0.2.1]", or "[IPv6:2001:db8::1]". */
bool mail_helo_ok(const char *name);
/* Finds the name of this machine: its fully qualified host name if it has one, otherwise the address of an
 * interface. here: the server runs on this machine. May block on DNS, so do not call it on a thread that
 * must respond. */
void mail_helo_find(bool here, char out[MAIL_HELO_MAX]);
/* Writes a name as the path of an smtp:// URL, where libcurl expects it. */
void mail_helo_url(const char *smtp_url, const char *name, char *out, size_t cap);

#endif
