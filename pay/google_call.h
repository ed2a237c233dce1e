/* Requests to the Google Play Developer API: the service account, its access token, a request and its JSON.
 */
#ifndef RUMMYD_PAY_GOOGLE_CALL_H
#define RUMMYD_PAY_GOOGLE_CALL_H

#include "pay/pay.h"

#include <jansson.h>

/* path: behind google_url; post: an empty POST, else a GET. *root: the answer's object, NULL when it was
 * empty; release it by json_decref. why: for the log, on anything but PAY_OK. Waits for the network. */
enum pay_outcome pay_google_ask(const struct pay_shop *shop, const char *path, bool post, json_t **root,
                                char why[PAY_WHY_MAX]);

#endif
