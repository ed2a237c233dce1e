/* Stores reports of payment providers about orders and refunds. Used by the endpoints and by the shop's
 * thread (server/outbound/order_poll.c). Pure, any thread. */
#ifndef RUMMYD_API_SHOP_EVENTS_H
#define RUMMYD_API_SHOP_EVENTS_H

#include "db/pg.h"

#include <stdbool.h>
#include <stdint.h>

/* Binds an event for do_shop_event (the statement below); event->kind is not PAY_NOTHING. */
struct db_args;
struct pay_event;
void api_shop_bind_event(struct db_args *args, const char *provider, const struct pay_event *event);
extern const struct db_stmt api_shop_event_stmt;

/* Binds a provider's answer to a refund for do_shop_refund_result. */
void api_shop_bind_refund_said(struct db_args *args, int64_t refund, bool given, const char *ref,
                               const char *why);
extern const struct db_stmt api_shop_refund_said_stmt;
struct pay_provider;
struct pay_shop;
/* The names of the providers for which `which` is true. */
void api_shop_bind_providers(struct db_args *args, const struct pay_shop *shop,
                             bool (*which)(const struct pay_provider *, const struct pay_shop *));

#endif
