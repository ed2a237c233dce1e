/* Requests to the Google Play Developer API: the service account, its access token, requests, and JSON
 * responses. */
#ifndef RUMMYD_PAY_GOOGLE_CALL_H
#define RUMMYD_PAY_GOOGLE_CALL_H

#include "pay/pay.h"

#include <jansson.h>

/* path: appended to google_url; post: an empty POST, otherwise a GET. *root: the response's object, or NULL
 * if it was empty; release it with json_decref. why: for the log, unless PAY_OK. Blocks on the network. */
enum pay_outcome pay_google_request(const struct pay_shop *shop, const char *path, bool post, json_t **root,
                                    char why[PAY_WHY_MAX]);

#endif
