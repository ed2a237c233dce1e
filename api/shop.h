/* The packs on sale, read now and then for everybody. Shared by all REST loops; a short lock guards them.
 * Made and freed by server/http/http.c. */
#ifndef RUMMYD_API_SHOP_H
#define RUMMYD_API_SHOP_H

#include <stdbool.h>
#include <stdint.h>

#define API_PACKS_KEPT_MS 1000

struct api_packs;
struct api_packs *api_packs_new(void); /* NULL: out of memory */
void api_packs_free(struct api_packs *packs);

/* Binds a fact for do_shop_event (the statement below); event->kind is not PAY_NOTHING. */
struct db_args;
struct pay_event;
void shop_bind_event(struct db_args *args, const char *provider, const struct pay_event *event);
extern const struct db_stmt shop_event_stmt;

/* Binds what a provider said to a refund, for do_shop_refund_said. */
void shop_bind_refund_said(struct db_args *args, int64_t refund, bool given, const char *ref,
                           const char *why);
extern const struct db_stmt shop_refund_said_stmt;

#endif
