/* Shared by the passkey endpoints: binary members, and challenges. REST loops. */
#ifndef RUMMYD_API_WEBAUTHN_BODY_H
#define RUMMYD_API_WEBAUTHN_BODY_H

#include "api/core/request.h"
#include "api/signin/webauthn.h"

enum { API_WEBAUTHN_TIMEOUT_MS = 300000 }; /* timeout of browsers; see the setting passkey_challenge_s */

/* Decodes the member at this index of the request's body into mem. false: invalid base64url; the request
 * has failed. */
bool api_webauthn_body(struct api_request *request, int place, uint8_t *mem, size_t cap,
                       struct api_webauthn_bytes *bytes);
/* Makes a challenge, keeps it for the response, and binds its hash. */
void api_webauthn_bind_challenge(struct api_request *request);

#endif
