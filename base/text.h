/* Text encodings used at every boundary: hex, base64url, strict numbers. Pure, any thread. */
#ifndef RUMMYD_BASE_TEXT_H
#define RUMMYD_BASE_TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* out needs 2 * len + 1 bytes. */
void text_hex(char *out, const uint8_t *bytes, size_t len);
/* Accepts lower and upper case. Returns the number of bytes, or -1 (odd length, other characters, or more
 * than cap). */
int text_unhex(uint8_t *out, size_t cap, const char *hex, size_t len);
/* RFC 4648 base64url without padding. out needs 4 * ceil(len / 3) + 1 bytes. */
void text_b64url(char *out, const uint8_t *bytes, size_t len);
int text_unb64url(uint8_t *out, size_t cap, const char *text, size_t len);
/* Parses the whole string: decimal, with an optional '-', within min..max. */
bool text_i64(const char *text, int64_t min, int64_t max, int64_t *out);
bool text_utf8_ok(const char *bytes, size_t len);
/* Length of the well-formed UTF-8 character at the start; 0 if there is none. */
size_t text_utf8_char(const char *bytes, size_t len);
/* Whether this is an ASCII email address of at most 254 bytes: before the @, letters, digits, and the
 * punctuation of a dot-atom (RFC 5322, 3.4.1); after it, a host name with a dot (RFC 1035). Quoted and
 * bracketed forms are invalid, so the address can be put between < and >. */
bool text_email_ok(const char *text);
/* Whether the contents are equal, in time that depends only on the lengths. */
bool text_equal_ct(const void *a, size_t a_len, const void *b, size_t b_len);

#endif
