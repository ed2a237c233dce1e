/* Signed texts as app stores write them: a JWS in compact form (RFC 7515), signed by ES256 with a certificate
 * whose chain stands in its header (x5c). It counts when that chain leads to our own root, never to one that
 * the text brings along. Pure, any thread. */
#ifndef RUMMYD_PAY_JWS_H
#define RUMMYD_PAY_JWS_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>

struct pay_root;

/* A root certificate in PEM or DER; NULL: it is none. */
struct pay_root *pay_root_new(const char *bytes, size_t len);
void pay_root_free(struct pay_root *root);

/* The object that was signed; NULL: it is not signed as it should be. The chain is held against the time at
 * which the object says it was signed ("signedDate", milliseconds since 1970): receipts are shown for longer
 * than a certificate counts. Release it by json_decref. */
json_t *pay_jws_read(const struct pay_root *root, const char *text);

#endif
