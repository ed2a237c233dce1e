/* Google service accounts: their key file, and the signed requests for an access token. */
#ifndef RUMMYD_NET_GOOGLE_ACCOUNT_H
#define RUMMYD_NET_GOOGLE_ACCOUNT_H

#include <stddef.h>
#include <stdint.h>

enum { NET_GOOGLE_ASSERTION_MAX = 4096 }; /* bytes, including the NUL */

struct net_google_account;

/* A service account from its key file, JSON as issued by Google; NULL: invalid. Main thread. */
struct net_google_account *net_google_account_new(const char *json, size_t len);
void net_google_account_free(struct net_google_account *account); /* NULL is fine */
/* The account's project; empty: not in the file. */
const char *net_google_project(const struct net_google_account *account);

/* A signed request for an access token (RFC 7523) with this scope, valid from now; the caller frees it.
 * NULL: out of memory. Any thread. */
char *net_google_assertion(const struct net_google_account *account, const char *scope, const char *audience,
                           int64_t now_s);

#endif
