/* Reads URLs with libcurl's parser. Requests use the same parser, so a URL cannot pass a check for one host
 * and then lead to another. Any thread. */
#ifndef RUMMYD_BASE_URL_H
#define RUMMYD_BASE_URL_H

#include <stdbool.h>
#include <stddef.h>

enum { URL_SCHEME_MAX = 32, URL_HOST_MAX = 256 }; /* bytes including the NUL */

struct url {
    char scheme[URL_SCHEME_MAX]; /* empty: none */
    char host[URL_HOST_MAX];     /* an IPv6 address in brackets and in its shortest form */
    int port;                    /* 0: none */
    bool user;                   /* whether there is an @ before the host */
    bool password;               /* whether both user and password are nonempty */
    size_t origin;               /* bytes of the text before the path, the query, and the fragment */
};

/* Reads SCHEME://[USER[:PASSWORD]@]HOST[:PORT] and whatever follows it. Returns NULL, or the error as the
 * rest of a sentence ("has no host"); then only the scheme is valid. Stricter than libcurl: the scheme must
 * be in lower case, numeric hosts in their usual form, and ports from 1 to 65535 without leading zeros;
 * only printable ASCII without spaces and backslashes is allowed. */
const char *url_read(const char *text, struct url *out);
/* Whether the host is this machine: localhost, 127.…, or [::1]. */
bool url_is_here(const struct url *url);

#endif
