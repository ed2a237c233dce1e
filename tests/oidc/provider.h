/* A provider on the loopback for tests of a whole sign-in: a thread that sends the responses prepared by the
 * test and keeps the requests. There is one per process, and Criterion runs each test in a separate
 * process. */
#ifndef RUMMYD_TESTS_OIDC_PROVIDER_H
#define RUMMYD_TESTS_OIDC_PROVIDER_H

#include "oidc/oidc.h"

enum provider_path { PROVIDER_DISCOVERY, PROVIDER_KEYS, PROVIDER_TOKEN, PROVIDER_PATHS_N };

/* Change it only while no request is pending. */
extern struct provider {
    char url[64]; /* its issuer */
    struct {
        int status;
        char body[8192];
        const char *headers; /* lines that end with \r\n, or "" */
        int asked;
    } at[PROVIDER_PATHS_N];
    char form[8192];          /* of the last POST */
    char authorization[8192]; /* header of the last POST; empty if missing */
} provider;

/* Listens, and publishes its discovery document. Returns a client with this one provider and no secret;
 * release it with oidc_free. */
struct oidc_client *provider_start(void);

#endif
