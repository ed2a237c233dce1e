/* What a text may be required to be, for body specs. Each gets valid UTF-8 and says whether it fits. Pure,
 * any thread. */
#ifndef RUMMYD_API_VALIDATORS_H
#define RUMMYD_API_VALIDATORS_H

#include "base/text.h"

#include <stdbool.h>

enum { API_ID_CHARS_MAX = 18 };

#define API_EMAIL_MEMBER                                                                                     \
    INIT(.name = "email", .type = API_SPEC_TEXT, .required = true, .min = 3, .max = 254,                     \
         .valid = text_email_ok, .fault = API_FAULT_NOT_AN_EMAIL)
/* The id of something, as answers write it. */
#define API_ID_MEMBER(NAME)                                                                                  \
    INIT(.name = (NAME), .type = API_SPEC_TEXT, .min = 1, .max = API_ID_CHARS_MAX, .valid = api_valid_id,    \
         .fault = API_FAULT_BAD_ID)
/* What an operator or the program has named: a variant, a room, a pack. */
#define API_NAME_MEMBER(NAME, REQUIRED)                                                                      \
    INIT(.name = (NAME), .type = API_SPEC_TEXT, .required = (REQUIRED), .min = 1, .max = 32,                 \
         .valid = api_valid_name, .fault = API_FAULT_BAD_NAME)
/* No control, invisible or direction-changing characters, no space at either end. */
bool api_valid_label(const char *text);
/* An id as answers write one: a positive number without leading zeros. */
bool api_valid_id(const char *text);
/* What people may say to each other (base/said.h). */
bool api_valid_said(const char *text);
/* Letters, digits, '-' and '_' only. */
bool api_valid_token(const char *text);
/* Printed ASCII without blanks. */
bool api_valid_printed(const char *text);
/* a-z, digits and '_' only: names of rooms and avatars. */
bool api_valid_name(const char *text);

/* A day of the calendar as YYYY-MM-DD, from 2000 to 2999. */
bool api_valid_day(const char *text);

#endif
