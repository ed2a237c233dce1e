/* Checks of strings for body specs. Each gets valid UTF-8 and returns whether it is acceptable. Pure, any
 * thread. */
#ifndef RUMMYD_API_VALIDATORS_H
#define RUMMYD_API_VALIDATORS_H

#include "base/text.h"

#include <stdbool.h>

enum { API_SEED_MAX = 32 }; /* bytes of a seed that a player chooses */

/* Free text (base/free_text.h): a label, a line, or several lines, which may be empty. */
bool api_valid_label(const char *text);
bool api_valid_line(const char *text);
bool api_valid_lines(const char *text);
/* An id in the form that responses use: a positive number without leading zeros. */
bool api_valid_id(const char *text);
/* Only letters, digits, '-', and '_'. */
bool api_valid_token(const char *text);
/* Printable ASCII without spaces. */
bool api_valid_printed(const char *text);
/* Only a-z, digits, and '_': names of rooms and avatars. */
bool api_valid_name(const char *text);

/* A calendar day as YYYY-MM-DD, from 2000 to 2999. */
bool api_valid_day(const char *text);
/* RFC 3339, in UTC. */
bool api_valid_time(const char *text);
/* Empty or a label; the description of a club. */
bool api_valid_about(const char *text);
/* Decimal digits, which may be "0". */
bool api_valid_digits(const char *text);
/* ISO 4217, in lowercase. */
bool api_valid_currency(const char *text);
/* Up to API_SEED_MAX bytes in hexadecimal. */
bool api_valid_seed(const char *text);
/* Names of WebAuthn transports, separated by spaces. */
bool api_valid_transports(const char *text);
/* Web Push: a P-256 public key and a secret of 16 bytes, in base64url. */
bool api_valid_point(const char *text);
bool api_valid_auth_secret(const char *text);
/* A device token of a phone's push service. */
bool api_valid_push_token(const char *text);

#endif
