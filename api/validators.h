/* Checks of strings for body specs. Each gets valid UTF-8 and returns whether it is acceptable. Pure, any
 * thread. */
#ifndef RUMMYD_API_VALIDATORS_H
#define RUMMYD_API_VALIDATORS_H

#include "base/text.h"

#include <stdbool.h>

enum {
    API_ID_CHARS_MAX = 18,
    /* Bytes of a body with free text: 500 characters take 6,000 if a client escapes each of them. */
    API_TEXTS_BODY_MAX = 8192,
};

#define API_EMAIL_MEMBER                                                                                     \
    INIT(.name = "email", .type = API_SPEC_TEXT, .required = true, .min = 3, .max = 254,                     \
         .valid = text_email_ok, .fault = API_FAULT_NOT_AN_EMAIL)
/* Free text that an operator writes: a reason, a note. */
#define API_LINES_MEMBER(NAME, REQUIRED, MIN, MAX)                                                           \
    INIT(.name = (NAME), .type = API_SPEC_TEXT, .required = (REQUIRED), .min = (MIN), .max = (MAX),          \
         .valid = api_valid_lines, .fault = API_FAULT_BAD_CHARACTERS)
/* The name of something that players see in a list: a room, a pack, a tournament. */
#define API_LABEL_MEMBER(NAME, REQUIRED, MAX)                                                                \
    INIT(.name = (NAME), .type = API_SPEC_TEXT, .required = (REQUIRED), .min = 1, .max = (MAX),              \
         .valid = api_valid_label, .fault = API_FAULT_BAD_CHARACTERS)
/* An id in the form that responses use. */
#define API_ID_MEMBER(NAME)                                                                                  \
    INIT(.name = (NAME), .type = API_SPEC_TEXT, .min = 1, .max = API_ID_CHARS_MAX, .valid = api_valid_id,    \
         .fault = API_FAULT_BAD_ID)
/* A name given by an operator or the program: a variant, a room, a pack. */
#define API_NAME_MEMBER(NAME, REQUIRED)                                                                      \
    INIT(.name = (NAME), .type = API_SPEC_TEXT, .required = (REQUIRED), .min = 1, .max = 32,                 \
         .valid = api_valid_name, .fault = API_FAULT_BAD_NAME)
/* Free text (base/free_text.h): a label in a list, a line, or several lines, which may be empty. */
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

#endif
