/* Checks the address of an SMTP server; see url.h. */
#include "mail/url.h"

#include "base/url.h"

#include <string.h>

bool mail_url_ok(const char *text)
{
    struct url url;
    return !url_read(text, &url) && !url.user && text[url.origin] == '\0' &&
           (strcmp(url.scheme, "smtp") == 0 || strcmp(url.scheme, "smtps") == 0);
}

bool mail_url_is_local(const char *text)
{
    struct url url;
    return !url_read(text, &url) && url_is_here(&url);
}
