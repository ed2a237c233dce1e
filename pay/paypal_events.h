/* What PayPal's orders and webhook events say of an order. Pure, any thread. */
#ifndef RUMMYD_PAY_PAYPAL_EVENTS_H
#define RUMMYD_PAY_PAYPAL_EVENTS_H

#include "pay/pay.h"

#include <jansson.h>

/* An order as GET /v2/checkout/orders gives it: what is known of its money. Sets the event's names whatever
 * its kind; PAY_NEWS: it was approved and waits to be captured. The event's id is left empty. Returns how
 * many captures it has, declined ones too. */
size_t pay_paypal_read_order(const json_t *order, struct pay_event *event);

/* An event as the webhook or the list of events gives it; false: it is none. */
bool pay_paypal_read_event(const json_t *root, struct pay_event *event);

#endif
