/* Statements for provider events; see shop_events.h. */
#include "api/shop/shop_events.h"

#include "base/bug.h"
#include "db/args.h"
#include "pay/kind.h"
#include "pay/pay.h"

#include <string.h>

enum { PROVIDERS_MAX = 16 };

const struct db_stmt api_shop_event_stmt = {
    "do_shop_event",
    "SELECT code, order_id, state FROM do_shop_event($1, $2, $3, $4::text::uuid, $5, $6, $7, $8, $9, "
    "to_timestamp(nullif($10::bigint, 0)), nullif($11::bigint, 0), $12)",
    12};

static const char *or_null(const char *text)
{
    return text[0] ? text : NULL;
}

void api_shop_bind_event(struct db_args *args, const char *provider, const struct pay_event *event)
{
    ASSERT(event->kind != PAY_NOTHING);
    db_args_text(args, provider);
    db_args_text(args, event->id);
    db_args_text(args, pay_kind_name(event->kind));
    db_args_text(args, or_null(event->token));
    db_args_text(args, or_null(event->ref));
    db_args_text(args, or_null(event->payment));
    db_args_text(args, or_null(event->subject));
    if (event->whole)
        db_args_null(args);
    else
        db_args_int(args, event->amount);
    db_args_text(args, event->whole ? NULL : or_null(event->currency));
    db_args_int(args, event->at_s);
    db_args_int(args, event->price);
    db_args_bool(args, event->part);
}

const struct db_stmt api_shop_refund_said_stmt = {
    "do_shop_refund_result", "SELECT code, body FROM do_shop_refund_result($1, $2, $3, $4)", 4};

void api_shop_bind_refund_said(struct db_args *args, int64_t refund, bool given, const char *ref,
                               const char *why)
{
    db_args_int(args, refund);
    db_args_bool(args, given);
    db_args_text(args, ref);
    db_args_text(args, given ? "" : why);
}

void api_shop_bind_providers(struct db_args *args, const struct pay_shop *shop,
                             bool (*which)(const struct pay_provider *, const struct pay_shop *))
{
    struct db_slice names[PROVIDERS_MAX];
    const struct pay_provider *provider;
    size_t n = 0;
    for (size_t i = 0; (provider = pay_provider_at(i)); i++) {
        ASSERT(i < PROVIDERS_MAX);
        if (which(provider, shop))
            names[n++] = (struct db_slice){provider->name, strlen(provider->name)};
    }
    db_args_text_array(args, names, n);
}
