/* Requests to PayPal's REST API: the access token, requests, and JSON responses. Blocks on the network. */
#ifndef RUMMYD_PAY_PAYPAL_CALL_H
#define RUMMYD_PAY_PAYPAL_CALL_H

#include "pay/pay.h"

#include <jansson.h>

enum { PAY_PAYPAL_ISSUE_MAX = 64 };

struct pay_paypal_call {
    const char *path; /* appended to paypal_url */
    const char *json; /* NULL: GET; otherwise POST */
    const char *id;   /* PayPal-Request-Id, by which PayPal recognizes a retry; NULL: none */
};

/* *root: the response's object on PAY_OK, otherwise NULL; release it with json_decref. issue: PayPal's
 * error code ("ORDER_NOT_APPROVED"), or empty. why: for the log, unless PAY_OK. */
enum pay_outcome pay_paypal_request(const struct pay_shop *shop, const struct pay_paypal_call *call,
                                    json_t **root, char issue[PAY_PAYPAL_ISSUE_MAX], char why[PAY_WHY_MAX]);

#endif
