/* Payment pages of providers. Pure, any thread. */
#ifndef RUMMYD_PAY_PAGE_H
#define RUMMYD_PAY_PAGE_H

#include <stdbool.h>

/* Whether buyers may be sent to a URL from a provider: https, on one of these hosts (separated by spaces),
 * without a port or a user. */
bool pay_page_ok(const char *text, const char *hosts);

#endif
