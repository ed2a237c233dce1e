/* Purchases in Google Play: the app posts the purchase token, we query its state, and report to Google when
 * the gold was delivered. Google's notifications (RTDN) only name tokens with news; refunds are in the list
 * of voided purchases. See pay.h.
 *
 * Notifications are not trusted, so they need no signature: unknown tokens are ignored, and known ones are
 * queried, at most once every few seconds. */
#include "pay/pay.h"

#include "base/setting.h"
#include "base/text.h"
#include "net/google_account.h"
#include "net/read.h"
#include "pay/google_call.h"
#include "pay/read.h"

#include <sodium.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define PURCHASE_PATH_MAX (PAY_ORDER_REF_MAX + PAY_PRODUCT_MAX + 512)
#define NOTICE_MAX 4096 /* bytes of a notification's data */

enum { PURCHASED = 0, CANCELED = 1, PENDING = 2 }; /* purchaseState */

static bool is_on(const struct pay_shop *shop)
{
    return shop->google_package && shop->google_package[0] && shop->own[PAY_INDEX_google];
}

/* Whether the text can be part of a URL without encoding. */
static bool is_name(const char *text)
{
    static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-._";
    return text[0] && text[0] != '.' && text[strspn(text, plain)] == '\0';
}

/* --- one purchase --- */

/* action: "" or ":consume". */
static enum pay_outcome query_purchase(const struct pay_shop *shop, const char *product, const char *token,
                                       const char *action, json_t **root, char why[PAY_WHY_MAX])
{
    char path[PURCHASE_PATH_MAX];
    *root = NULL;
    if (!is_name(product) || !is_name(token))
        return PAY_UNKNOWN;
    (void)snprintf(path, sizeof(path),
                   "/androidpublisher/v3/applications/%s/purchases/products/%s/tokens/%s%s",
                   shop->google_package, product, token, action);
    return pay_google_request(shop, path, action[0] != '\0', root, why);
}

static int64_t state_of(const json_t *root)
{
    int64_t state;
    return net_read_whole(root, "purchaseState", &state) ? state : -1;
}

/* purchaseType is present if no money was paid: by a tester, or with a code. */
static enum pay_receipt_result read_purchase(const struct pay_shop *shop, const json_t *root,
                                             struct pay_bought *bought)
{
    int64_t quantity = 1;
    bool one =
        !net_read_has(root, "quantity") || (net_read_whole(root, "quantity", &quantity) && quantity == 1);
    net_read_text(root, "orderId", bought->payment, sizeof(bought->payment));
    pay_read_token(root, "obfuscatedExternalAccountId", bought->account);
    bought->at_s = pay_read_ms(root, "purchaseTimeMillis");
    bool account_good = bought->account[0] || !net_read_has(root, "obfuscatedExternalAccountId");
    if ((net_read_has(root, "purchaseType") && !shop->google_tests) || !account_good || !one)
        return PAY_RECEIPT_BAD;
    if (state_of(root) == PENDING)
        return PAY_RECEIPT_PENDING;
    if (!net_read_printed(bought->payment))
        return PAY_RECEIPT_BAD;
    return state_of(root) == PURCHASED  ? PAY_RECEIPT_OK
           : state_of(root) == CANCELED ? PAY_RECEIPT_REVOKED
                                        : PAY_RECEIPT_BAD;
}

static enum pay_receipt_result check_receipt(const struct pay_shop *shop, const struct pay_receipt *receipt,
                                             struct pay_bought *bought, char why[PAY_WHY_MAX])
{
    json_t *root;
    *bought = (struct pay_bought){0};
    if (strlen(receipt->proof) >= sizeof(bought->ref) || strlen(receipt->product) >= sizeof(bought->product))
        return PAY_RECEIPT_BAD;
    enum pay_outcome outcome = query_purchase(shop, receipt->product, receipt->proof, "", &root, why);
    enum pay_receipt_result result = outcome == PAY_OK && root ? read_purchase(shop, root, bought)
                                     : outcome == PAY_AGAIN    ? PAY_RECEIPT_AGAIN
                                                               : PAY_RECEIPT_BAD;
    json_decref(root);
    (void)snprintf(bought->ref, sizeof(bought->ref), "%s", receipt->proof);
    (void)snprintf(bought->product, sizeof(bought->product), "%s", receipt->product);
    return result;
}

/* Consumes the purchase, so that the product can be bought again and Google does not refund it
 * automatically after three days. */
static enum pay_outcome deliver(const struct pay_shop *shop, const struct pay_order *order,
                                char why[PAY_WHY_MAX])
{
    json_t *root;
    enum pay_outcome outcome = query_purchase(shop, order->product, order->ref, ":consume", &root, why);
    json_decref(root);
    if (outcome == PAY_OK || outcome == PAY_AGAIN)
        return outcome;
    /* It was consumed before, or has been refunded. */
    outcome = query_purchase(shop, order->product, order->ref, "", &root, why);
    int64_t consumed;
    bool over = outcome == PAY_OK && (state_of(root) == CANCELED ||
                                      (net_read_whole(root, "consumptionState", &consumed) && consumed == 1));
    json_decref(root);
    return over || outcome == PAY_UNKNOWN || outcome == PAY_REFUSED ? PAY_OK : PAY_AGAIN;
}

static void write_voided(const char *payment, struct pay_event *event)
{
    event->kind = PAY_REFUNDED;
    event->whole = true;
    (void)snprintf(event->payment, sizeof(event->payment), "%s", payment);
    (void)snprintf(event->id, sizeof(event->id), "voided:%.100s", payment);
}

static enum pay_outcome query_order(const struct pay_shop *shop, const struct pay_order *order,
                                    struct pay_event *event, char why[PAY_WHY_MAX])
{
    json_t *root;
    struct pay_bought bought = {0};
    *event = (struct pay_event){0};
    enum pay_outcome outcome = query_purchase(shop, order->product, order->ref, "", &root, why);
    if (outcome == PAY_OK && root && read_purchase(shop, root, &bought) == PAY_RECEIPT_REVOKED)
        write_voided(bought.payment, event);
    json_decref(root);
    (void)snprintf(event->token, sizeof(event->token), "%s", event->kind ? order->token : "");
    return outcome == PAY_REFUSED ? PAY_UNKNOWN : outcome;
}

/* --- notifications --- */

/* Reads the base64 object in "data". NULL: none. */
static json_t *read_data(const json_t *message)
{
    const char *text = json_string_value(json_object_get(message, "data"));
    unsigned char bytes[NOTICE_MAX];
    size_t len = 0;
    if (!text || sodium_base642bin(bytes, sizeof(bytes), text, strlen(text), NULL, &len, NULL,
                                   sodium_base64_VARIANT_ORIGINAL) != 0)
        return NULL;
    return net_read_object((const char *)bytes, len);
}

static enum pay_hook_result read_hook(const struct pay_shop *shop, const struct pay_hook *call,
                                      struct pay_event *event)
{
    static const char *const notices[] = {"oneTimeProductNotification", "voidedPurchaseNotification"};
    *event = (struct pay_event){0};
    json_t *body = net_read_object(call->body, call->len);
    json_t *data = read_data(json_object_get(body, "message"));
    bool good = data && net_read_is(data, "packageName", shop->google_package);
    for (size_t i = 0; good && i < 2; i++) {
        const json_t *notice = json_object_get(data, notices[i]);
        if (!event->ref[0])
            net_read_text(notice, "purchaseToken", event->ref, sizeof(event->ref));
    }
    if (event->ref[0])
        event->kind = PAY_NEWS;
    json_decref(data);
    json_decref(body);
    return good ? PAY_HOOK_OK : PAY_HOOK_BAD;
}

/* --- recent refunds --- */

static enum pay_outcome list_voided(const struct pay_shop *shop, struct pay_list *list, char why[PAY_WHY_MAX])
{
    char path[PAY_CURSOR_MAX + 512], payment[PAY_REF_MAX];
    const char *more = list->cursor[0] ? "&token=" : "";
    (void)snprintf(path, sizeof(path),
                   "/androidpublisher/v3/applications/%s/purchases/voidedpurchases?startTime=%lld000%s%s",
                   shop->google_package, (long long)list->from_s, more, list->cursor);
    json_t *root, *item;
    enum pay_outcome outcome = pay_google_request(shop, path, false, &root, why);
    size_t i;
    json_array_foreach(json_object_get(root, "voidedPurchases"), i, item)
    {
        struct pay_event event = {0};
        net_read_text(item, "orderId", payment, sizeof(payment));
        net_read_text(item, "purchaseToken", event.ref, sizeof(event.ref));
        event.at_s = pay_read_ms(item, "voidedTimeMillis");
        if (!net_read_printed(payment))
            continue;
        write_voided(payment, &event);
        list->each(list->ctx, &event);
    }
    net_read_text(json_object_get(root, "tokenPagination"), "nextPageToken", list->cursor,
                  sizeof(list->cursor));
    if (!is_name(list->cursor))
        list->cursor[0] = '\0';
    json_decref(root);
    return outcome;
}

static bool settings_ok(const struct pay_shop *shop, char error[PAY_WHY_MAX])
{
    return setting_of("google_package", shop->google_package, SETTING_LETTERS SETTING_DIGITS "._", SIZE_MAX,
                      "letters, digits, dots and _", error);
}

static void *load_account(const char *bytes, size_t len, char error[PAY_WHY_MAX])
{
    struct net_google_account *account = net_google_account_new(bytes, len);
    if (!account)
        (void)snprintf(error, PAY_WHY_MAX, "google_account_file: must contain the key of a service account");
    return account;
}

static void free_account(void *own)
{
    net_google_account_free(own);
}

const struct pay_provider pay_google = {
    .name = "google",
    .on = is_on,
    .settings_ok = settings_ok,
    .file_key = "google_account_file",
    .load = load_account,
    .free = free_account,
    .check = check_receipt,
    .deliver = deliver,
    .query = query_order,
    .hook = read_hook,
    .list = list_voided,
};
