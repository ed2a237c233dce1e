/* Forms a text may be required to have, for body specs. Pure, any thread. All get valid UTF-8. */
#ifndef RUMMYD_API_FORM_H
#define RUMMYD_API_FORM_H

#include <stdbool.h>

/* Something before and a dotted domain after one '@'; printable ASCII without spaces. */
bool form_email(const char *text);
/* No control, invisible or direction-changing characters, no space at either end. */
bool form_nickname(const char *text);
/* Letters, digits, '-' and '_' only. */
bool form_token(const char *text);
/* a-z, digits and '_' only: names of rooms and avatars. */
bool form_name(const char *text);

#endif
