/* Shared by the passkey endpoints; see webauthn_body.h. */
#include "api/signin/webauthn_body.h"

#include "api/core/route.h"
#include "base/bug.h"
#include "base/text.h"

#include <string.h>

bool api_webauthn_body(struct api_request *request, int place, uint8_t *mem, size_t cap,
                       struct api_webauthn_bytes *bytes)
{
    const char *text = request->body[place].text;
    const int len = text_unb64url(mem, cap, text, strlen(text));
    *bytes = (struct api_webauthn_bytes){mem, len < 0 ? 0 : (size_t)len};
    if (len >= 0)
        return true;
    struct api_fault fault = {.code = API_FAULT_NOT_BASE64URL};
    const char *name = request->route->body->members[place].name;
    api_fault_name(&fault, name, strlen(name));
    (void)api_fail_fault(request, &fault);
    return false;
}

void api_webauthn_bind_challenge(struct api_request *request)
{
    uint8_t hash[32];
    api_token_random(request->challenge);
    ASSERT(strlen(request->challenge) == API_TOKEN_RANDOM_MAX - 1);
    api_token_hash(request->challenge, hash);
    db_args_bytes(&request->args, hash, sizeof(hash));
}
