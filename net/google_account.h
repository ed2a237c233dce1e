/* Service accounts of Google: their key file, and the question for an access token that they sign. */
#ifndef RUMMYD_NET_GOOGLE_ACCOUNT_H
#define RUMMYD_NET_GOOGLE_ACCOUNT_H

#include <stddef.h>
#include <stdint.h>

enum { NET_GOOGLE_ASSERTION_MAX = 4096 }; /* bytes, with the NUL */

struct net_google_account;

/* A service account from its key file, JSON as Google gives it; NULL: it is none. Main thread. */
struct net_google_account *net_google_account_new(const char *json, size_t len);
void net_google_account_free(struct net_google_account *account); /* NULL is fine */
/* The project it belongs to; empty: the file names none. */
const char *net_google_project(const struct net_google_account *account);

/* A signed question for an access token (RFC 7523) of this scope, as of now; the caller frees it. NULL: no
 * memory. Any thread. */
char *net_google_assertion(const struct net_google_account *account, const char *scope, const char *audience,
                           int64_t now_s);

#endif
