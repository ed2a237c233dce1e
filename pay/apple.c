/* Purchases in Apple's App Store. The app posts the transaction signed by StoreKit, and Apple's server
 * notifications (version 2) report refunds. Everything is signed with a certificate chain to Apple's root,
 * so nothing here uses the network. See pay.h. */
#include "pay/pay.h"

#include "base/setting.h"
#include "net/read.h"
#include "pay/jws.h"
#include "pay/read.h"

#include <stdio.h>
#include <string.h>

static bool is_on(const struct pay_shop *shop)
{
    return shop->apple_bundle_id && shop->apple_bundle_id[0] && shop->own[PAY_INDEX_apple];
}

/* Reads a transaction. false: it is not for this app, not from the configured environment, or not a
 * consumable. */
static bool read_transaction(const struct pay_shop *shop, const json_t *root, struct pay_bought *bought)
{
    int64_t quantity = 1;
    bool one =
        !net_read_has(root, "quantity") || (net_read_whole(root, "quantity", &quantity) && quantity == 1);
    *bought = (struct pay_bought){0};
    if (!net_read_is(root, "bundleId", shop->apple_bundle_id) ||
        !net_read_is(root, "environment", shop->apple_environment) ||
        !net_read_is(root, "type", "Consumable") || !one)
        return false;
    net_read_text(root, "transactionId", bought->ref, sizeof(bought->ref));
    net_read_text(root, "transactionId", bought->payment, sizeof(bought->payment));
    net_read_text(root, "productId", bought->product, sizeof(bought->product));
    pay_read_token(root, "appAccountToken", bought->account);
    bought->at_s = pay_read_ms(root, "purchaseDate");
    bought->revoked_s = pay_read_ms(root, "revocationDate");
    bool account_good = bought->account[0] || !net_read_has(root, "appAccountToken");
    return net_read_printed(bought->payment) && bought->product[0] && account_good;
}

static enum pay_receipt_result check_receipt(const struct pay_shop *shop, const struct pay_receipt *receipt,
                                             struct pay_bought *bought, char why[PAY_WHY_MAX])
{
    (void)why;
    json_t *root = pay_jws_read(shop->own[PAY_INDEX_apple], receipt->proof);
    bool good = root && read_transaction(shop, root, bought);
    json_decref(root);
    if (!good || strcmp(bought->product, receipt->product) != 0)
        return PAY_RECEIPT_BAD;
    return bought->revoked_s ? PAY_RECEIPT_REVOKED : PAY_RECEIPT_OK;
}

/* Apple reports everything by notifications, so there is nothing to query. */
static enum pay_outcome query_order(const struct pay_shop *shop, const struct pay_order *order,
                                    struct pay_event *event, char why[PAY_WHY_MAX])
{
    (void)shop, (void)order, (void)why;
    *event = (struct pay_event){0};
    return PAY_OK;
}

/* --- notifications --- */

/* root: the notification's contents. */
static bool read_notification(const struct pay_shop *shop, const json_t *root, struct pay_event *event)
{
    const json_t *data = json_object_get(root, "data");
    const char *signed_info = json_string_value(json_object_get(data, "signedTransactionInfo"));
    bool refund = net_read_is(root, "notificationType", "REFUND");
    bool reversed = net_read_is(root, "notificationType", "REFUND_REVERSED");
    struct pay_bought bought;
    net_read_text(root, "notificationUUID", event->id, sizeof(event->id));
    if (!net_read_printed(event->id) || !json_object_get(root, "notificationType"))
        return false;
    if (!refund && !reversed)
        return true;
    json_t *info = signed_info ? pay_jws_read(shop->own[PAY_INDEX_apple], signed_info) : NULL;
    bool ours = info && read_transaction(shop, info, &bought),
         of_app = info && net_read_is(info, "bundleId", shop->apple_bundle_id);
    json_decref(info);
    if (!ours) /* another environment or type; a retry would not help */
        return of_app;
    event->kind = refund ? PAY_REFUNDED : PAY_REFUND_FAILED;
    event->whole = true;
    event->at_s = refund && bought.revoked_s ? bought.revoked_s : pay_read_ms(root, "signedDate");
    (void)snprintf(event->ref, sizeof(event->ref), "%s", bought.ref);
    (void)snprintf(event->payment, sizeof(event->payment), "%s", bought.payment);
    if (reversed)
        (void)snprintf(event->subject, sizeof(event->subject), "%s", event->id);
    return true;
}

static enum pay_hook_result read_hook(const struct pay_shop *shop, const struct pay_hook *call,
                                      struct pay_event *event)
{
    *event = (struct pay_event){0};
    json_t *body = net_read_object(call->body, call->len);
    const char *text = json_string_value(json_object_get(body, "signedPayload"));
    json_t *root = text ? pay_jws_read(shop->own[PAY_INDEX_apple], text) : NULL;
    enum pay_hook_result result = root ? PAY_HOOK_OK : text ? PAY_HOOK_UNSIGNED : PAY_HOOK_BAD;
    if (root && !read_notification(shop, root, event)) {
        *event = (struct pay_event){0};
        result = PAY_HOOK_BAD;
    }
    json_decref(root);
    json_decref(body);
    return result;
}

static bool settings_ok(const struct pay_shop *shop, char error[PAY_WHY_MAX])
{
    const char *environment = shop->apple_environment;
    return setting_of("apple_bundle_id", shop->apple_bundle_id, SETTING_LETTERS SETTING_DIGITS ".-", SIZE_MAX,
                      "letters, digits, dots and dashes", error) &&
           (strcmp(environment, "Production") == 0 || strcmp(environment, "Sandbox") == 0 ||
            setting_refuse("apple_environment", "Production or Sandbox", environment, error));
}

static void *load_root(const char *bytes, size_t len, char error[PAY_WHY_MAX])
{
    struct pay_root *root = pay_root_new(bytes, len);
    if (!root)
        (void)snprintf(error, PAY_WHY_MAX, "apple_root_file: must contain a CA certificate");
    return root;
}

static void free_root(void *own)
{
    pay_root_free(own);
}

const struct pay_provider pay_apple = {
    .name = "apple",
    .on = is_on,
    .settings_ok = settings_ok,
    .file_key = "apple_root_file",
    .load = load_root,
    .free = free_root,
    .check = check_receipt,
    .query = query_order,
    .hook = read_hook,
};
