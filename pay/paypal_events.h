/* Parses what PayPal's orders and webhook events contain about an order. Pure, any thread. */
#ifndef RUMMYD_PAY_PAYPAL_EVENTS_H
#define RUMMYD_PAY_PAYPAL_EVENTS_H

#include "pay/pay.h"

#include <jansson.h>

/* An order from GET /v2/checkout/orders: the state of its payment. Sets the event's ids for every kind;
 * PAY_NEWS: it was approved and must be captured. The event's id is left empty. Returns the number of
 * captures, including declined ones. */
size_t pay_paypal_read_order(const json_t *order, struct pay_event *event);

/* An event from the webhook or the list of events; false: invalid. */
bool pay_paypal_read_event(const json_t *root, struct pay_event *event);

#endif
