/* Password rules, following NIST SP 800-63B, 3.1.1.2, and OWASP ASVS 5, V6.2: a password must be long
 * enough, not among the most common ones, and not made only of known facts about its owner. All characters
 * are allowed. Pure, any thread. */
#ifndef RUMMYD_API_PASSWORD_RULES_H
#define RUMMYD_API_PASSWORD_RULES_H

#include "api/bodies.h"
#include "api/core/request.h"

enum {
    API_PASSWORD_CHARS_MIN = REGISTER_REQUEST_PASSWORD_MIN,
    API_PASSWORD_CHARS_MAX = REGISTER_REQUEST_PASSWORD_MAX
};

/* The password's length in code points after NFC, the form that is hashed. More than any maximum if it is
 * too long to count. */
int64_t api_password_length(const char *password);
/* The fault of a password of valid length for this account: it is among the most common ones (ignoring
 * case), or has fewer than API_PASSWORD_CHARS_MIN characters without the product's name, the nickname, and
 * the email address. API_FAULT_NONE: no fault. nickname and email may be NULL. */
enum api_fault_code api_password_judge(const char *password, const char *email, const char *nickname);

/* Fails the request with this fault of the member and returns false. For API_FAULT_NONE, only returns
 * true. */
bool api_password_admit(struct api_request *request, const char *member, enum api_fault_code fault);

#endif
