/* JSON Web Signatures of app stores: compact form (RFC 7515), signed with ES256 by a certificate whose chain
 * is in the header (x5c). The chain must lead to our own root; a root in the text is never trusted. Pure,
 * any thread. */
#ifndef RUMMYD_PAY_JWS_H
#define RUMMYD_PAY_JWS_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>

struct pay_root;

/* Reads a root certificate in PEM or DER; NULL: invalid. */
struct pay_root *pay_root_new(const char *bytes, size_t len);
void pay_root_free(struct pay_root *root);

/* Returns the signed object; NULL: the signature is invalid. The chain is checked as of the signing time in
 * the object ("signedDate", milliseconds since 1970), because apps may present receipts after the
 * certificates have expired. Release it with json_decref. */
json_t *pay_jws_read(const struct pay_root *root, const char *text);

#endif
