/* Parses PayPal's orders and webhook events. Pure, any thread. */
#ifndef RUMMYD_PAY_PAYPAL_EVENTS_H
#define RUMMYD_PAY_PAYPAL_EVENTS_H

#include "pay/pay.h"

#include <jansson.h>

/* Parses the payment state of an order from GET /v2/checkout/orders. PAY_NEWS: the order was approved and
 * must be captured. Sets the order's and payment's ids for every kind; the event's own id remains empty.
 * Returns the number of captures, including declined ones. */
size_t pay_paypal_read_order(const json_t *order, struct pay_event *event);

/* Parses an event from the webhook or the list of events; false: invalid. */
bool pay_paypal_read_event(const json_t *root, struct pay_event *event);

#endif
