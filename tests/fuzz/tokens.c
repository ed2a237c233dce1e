/* What clients hand back: access tokens, tickets, cursors, paths. Nothing that was not signed here passes. */
#include "api/route.h"
#include "api/token.h"
#include "base/bug.h"

#include <sodium.h>
#include <string.h>

enum { TEXT_MAX = 600 };

static struct api_token_keys keys;

int LLVMFuzzerInitialize(int *argc, char ***argv);
int LLVMFuzzerInitialize(int *argc, char ***argv)
{
    (void)argc;
    (void)argv;
    ASSERT(sodium_init() >= 0);
    ASSERT(api_token_keys_add(&keys, "k1", "0123456789abcdef0123456789abcdefXYZ"));
    return 0;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char text[TEXT_MAX + 1];
    const size_t len = size < TEXT_MAX ? size : TEXT_MAX;
    memcpy(text, data, len);
    text[len] = '\0';

    struct api_token_claims claims;
    ASSERT(api_token_verify(&keys, text, 1700000000, &claims) != API_OK);
    uint8_t id[API_TICKET_ID_LEN];
    int64_t session = 0;
    ASSERT(!api_ticket_read(&keys, text, id, &session));
    int64_t position = 0;
    ASSERT(!api_cursor_read(&keys, "postings:1", text, &position));

    struct api_match match;
    api_match("GET", text, &match);
    api_match(text, "/v1/me", &match);
    return 0;
}
