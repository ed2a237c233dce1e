/* Checks of a provider's settings, for pay_provider.settings_ok. Pure, any thread. */
#ifndef RUMMYD_PAY_SETTINGS_H
#define RUMMYD_PAY_SETTINGS_H

#include "pay/pay.h"

/* Writes "KEY: must be MUST (got VALUE)" and returns false. */
bool pay_setting_refuse(const char *key, const char *must, const char *value, char error[PAY_WHY_MAX]);
/* Whether a text has only these characters, and at most max of them; otherwise refuses it. */
bool pay_setting_of(const char *key, const char *value, const char *allowed, size_t max, const char *must,
                    char error[PAY_WHY_MAX]);
/* The same for printable ASCII without spaces and colons. */
bool pay_setting_printed(const char *key, const char *value, char error[PAY_WHY_MAX]);
/* Whether a secret is none of the provider's other ones, which have these beginnings (NULL after the last);
 * otherwise writes `what`. */
bool pay_setting_is_no_other(const char *value, const char *const *others, const char *what,
                             char error[PAY_WHY_MAX]);

#endif
