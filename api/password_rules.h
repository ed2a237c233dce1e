/* Which passwords an account may have: NIST SP 800-63B, 3.1.1.2, and OWASP ASVS 5, V6.2. Long enough, none
 * that everybody tries first, none made of what everybody knows of its owner; of which characters is theirs
 * to choose. Pure, any thread. */
#ifndef RUMMYD_API_PASSWORD_RULES_H
#define RUMMYD_API_PASSWORD_RULES_H

#include "api/request.h"

#define API_PASSWORD_CHARS_MIN 8
#define API_PASSWORD_CHARS_MAX 128 /* so many are compared; none is cut */

#define API_PASSWORD_MEMBER(member)                                                                          \
    INIT(.name = (member), .type = API_SPEC_TEXT, .required = true, .min = API_PASSWORD_CHARS_MIN,           \
         .max = API_PASSWORD_CHARS_MAX, .length = api_password_length)

/* Its characters: code points after NFC, as it will be hashed. More than any maximum when they are too many
 * to count. */
int64_t api_password_length(const char *password);
/* What is wrong with one of a right length as the password of this account: that it is among the commonest
 * (whatever its case), or that fewer than API_PASSWORD_CHARS_MIN characters are left of it without the
 * product's name, the nickname and the mail address. API_FAULT_NONE: nothing. nickname and email may be
 * NULL. */
enum api_fault_code api_password_judge(const char *password, const char *email, const char *nickname);

/* Fails the request with this fault of the member. API_FAULT_NONE: does nothing and returns true. */
bool api_password_admit(struct api_request *request, const char *member, enum api_fault_code fault);

#endif
