/* Reads URLs with libcurl's parser. It also reads those that the program calls, so that a URL cannot be
 * checked for one host and lead to another. Any thread. */
#ifndef RUMMYD_BASE_URL_H
#define RUMMYD_BASE_URL_H

#include <stdbool.h>
#include <stddef.h>

enum { URL_SCHEME_MAX = 32, URL_HOST_MAX = 256 }; /* bytes including the NUL */

struct url {
    char scheme[URL_SCHEME_MAX]; /* empty: none */
    char host[URL_HOST_MAX];     /* an IPv6 address in brackets and in its shortest form */
    int port;                    /* 0: none */
    bool user;                   /* there is an @ before the host */
    bool password;               /* neither the user nor the password is empty */
    size_t origin;               /* bytes of the text before the path, the query, and the fragment */
};

/* Reads SCHEME://[USER[:PASSWORD]@]HOST[:PORT] and whatever follows it. NULL, or what is wrong, as the rest
 * of a sentence ("has no host"); then only the scheme is valid. Stricter than libcurl: a scheme in lower
 * case, numeric hosts in their usual form, ports from 1 to 65535 without leading zeros, and only printable
 * ASCII without spaces and backslashes. */
const char *url_read(const char *text, struct url *out);
/* Whether the host is this machine: localhost, 127.…, or [::1]. */
bool url_is_here(const struct url *url);

#endif
