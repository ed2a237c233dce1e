/* Reading what other servers write: members of JSON objects, taken only when they are what they should be.
 * Pure, any thread. */
#ifndef RUMMYD_NET_READ_H
#define RUMMYD_NET_READ_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A text of an object; empty when it is missing, null, no text, or does not fit. */
void net_read_text(const json_t *object, const char *name, char *out, size_t cap);
/* Whether the object has this text. */
bool net_read_is(const json_t *object, const char *name, const char *wanted);
/* Whether a name is printed ASCII without a blank, and not empty. */
bool net_read_printed(const char *name);
/* A number as other servers may write it: 499, 499.0, 4.99e2. A fraction is cut off, and what is beyond 64
 * bits becomes the largest or smallest number there is. false: there is no number, *out is 0. */
bool net_read_number(const json_t *object, const char *name, int64_t *out);
/* The same for what must be whole, an amount: false for a fraction and beyond 64 bits, too. */
bool net_read_whole(const json_t *object, const char *name, int64_t *out);
/* Seconds from now, as a number or as a text of digits (expires_in of some servers of OAuth); 0: none. */
int64_t net_read_seconds(const json_t *object, const char *name);
/* A whole body as an object without duplicate members; NULL: it is none. Release it by json_decref. */
json_t *net_read_object(const char *body, size_t len);

#endif
