/* Reads JSON of other servers. Members are accepted only if they have the expected form. Pure, any
 * thread. */
#ifndef RUMMYD_NET_READ_H
#define RUMMYD_NET_READ_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A string member; empty if it is missing, null, not a string, or does not fit. */
void net_read_text(const json_t *object, const char *name, char *out, size_t cap);
/* Whether there is such a member; null counts as missing. */
bool net_read_has(const json_t *object, const char *name);
/* Whether the member is this string. */
bool net_read_is(const json_t *object, const char *name, const char *wanted);
/* Whether a name is nonempty printable ASCII without spaces. */
bool net_read_printed(const char *name);
/* A number in any notation: 499, 499.0, 4.99e2. A fraction is truncated, and values beyond 64 bits are
 * clamped. false: not a number, *out is 0. */
bool net_read_number(const json_t *object, const char *name, int64_t *out);
/* The same for values that must be integers, such as amounts; also false for fractions and values beyond 64
 * bits. */
bool net_read_whole(const json_t *object, const char *name, int64_t *out);
/* A duration in seconds, as a number or a string of digits (expires_in of some OAuth servers); 0: none. */
int64_t net_read_seconds(const json_t *object, const char *name);
/* Parses a whole body as an object without duplicate members; NULL: invalid. Release it with
 * json_decref. */
json_t *net_read_object(const char *body, size_t len);

#endif
