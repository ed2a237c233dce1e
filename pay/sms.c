/* A carrier's paid SMS: the buyer sends a keyword and a code to a short number, the carrier takes the money
 * and sends us a signed call (docs/sms.md). Nothing here uses the network, because carriers support neither
 * queries nor refunds. See pay.h. */
#include "pay/pay.h"

#include "base/setting.h"
#include "base/text.h"
#include "net/read.h"
#include "pay/read.h"
#include "pay/signed.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

#define CODE_LEN 10
#define SIGNED_PREFIX "rummyd-sms-v1."

static bool is_on(const struct pay_shop *shop)
{
    return shop->sms_number && shop->sms_number[0] && shop->sms_keyword && shop->sms_keyword[0] &&
           shop->sms_secret && shop->sms_secret[0];
}

/* --- codes --- */

/* Crockford's alphabet, which has no easily confused characters. */
static const char letters[] = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";

/* The code of an order, from 50 random bits of its token. */
static bool code_of(const char *token, char code[CODE_LEN + 1])
{
    char hex[33];
    uint8_t bytes[16];
    size_t n = 0;
    for (const char *p = token; *p && n < 32; p++)
        if (*p != '-')
            hex[n++] = *p;
    if (n != 32 || text_unhex(bytes, sizeof(bytes), hex, n) != 16)
        return false;
    uint64_t bits = 0; /* bytes 9 to 15: without the version and the variant, which are fixed */
    for (int i = 9; i < 16; i++)
        bits = bits << 8 | bytes[i];
    for (int i = 0; i < CODE_LEN; i++)
        code[i] = letters[bits >> (5 * i) & 31];
    code[CODE_LEN] = '\0';
    return true;
}

/* Reads the code in the buyer's message, ignoring case, spaces, dashes, and look-alikes: "gold 7k3f9-qxy2z"
 * gives "7K3F9QXY2Z". Empty: none. */
static void read_code(const char *text, const char *keyword, char code[CODE_LEN + 1])
{
    char found[CODE_LEN + 1] = "";
    size_t n = 0, len = strlen(keyword);
    code[0] = '\0';
    while (*text == ' ')
        text++;
    if (strncasecmp(text, keyword, len) != 0)
        return;
    for (const char *p = text + len; *p; p++) {
        char c = (char)toupper((unsigned char)*p);
        c = c == 'O' ? '0' : c == 'I' || c == 'L' ? '1' : c;
        if (c == ' ' || c == '-')
            continue;
        if (!strchr(letters, c) || n == CODE_LEN)
            return;
        found[n++] = c;
    }
    if (n == CODE_LEN)
        memcpy(code, found, CODE_LEN + 1);
}

/* --- an order --- */

static enum pay_outcome open_order(const struct pay_shop *shop, const struct pay_order *order,
                                   struct pay_opened *opened, char why[PAY_WHY_MAX])
{
    if (!code_of(order->token, opened->ref)) {
        (void)snprintf(why, PAY_WHY_MAX, "the order has no token");
        return PAY_REFUSED;
    }
    (void)snprintf(opened->url, sizeof(opened->url), "sms:%s?body=%s%%20%s", shop->sms_number,
                   shop->sms_keyword, opened->ref);
    return PAY_OK;
}

/* Carriers cannot be queried, so an unpaid order ends when it expires. */
static enum pay_outcome query_order(const struct pay_shop *shop, const struct pay_order *order,
                                    struct pay_event *event, char why[PAY_WHY_MAX])
{
    (void)shop, (void)order, (void)why;
    *event = (struct pay_event){0};
    return PAY_UNKNOWN;
}

/* --- the carrier's call --- */

static bool read_call(const struct pay_shop *shop, const json_t *root, struct pay_event *event)
{
    static const struct {
        const char *event;
        enum pay_kind kind;
    } kinds[] = {{"paid", PAY_PAID}, {"failed", PAY_FAILED}, {"refunded", PAY_REFUNDED}};
    const char *text = json_string_value(json_object_get(root, "text"));
    char code[CODE_LEN + 1];
    net_read_text(root, "id", event->id, sizeof(event->id));
    net_read_text(root, "message", event->payment, sizeof(event->payment));
    pay_read_currency(root, "currency", event->currency);
    event->at_s = pay_read_time(root, "time");
    bool whole = net_read_whole(root, "amount", &event->amount);
    if (!net_read_printed(event->id) || !net_read_printed(event->payment) || !text || !whole ||
        event->amount < 0 || !event->currency[0] || event->at_s == 0)
        return false;
    read_code(text, shop->sms_keyword, code);
    (void)snprintf(event->ref, sizeof(event->ref), "%s", code);
    for (size_t i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++) {
        if (!net_read_is(root, "event", kinds[i].event))
            continue;
        event->kind = kinds[i].kind;
        return true;
    }
    return false;
}

static enum pay_hook_result read_hook(const struct pay_shop *shop, const struct pay_hook *call,
                                      struct pay_event *event)
{
    *event = (struct pay_event){0};
    enum pay_hook_result result = pay_signed_check(shop->sms_secret, SIGNED_PREFIX, call->headers[0], call);
    if (result != PAY_HOOK_OK)
        return result;
    json_t *root = net_read_object(call->body, call->len);
    if (!root || !read_call(shop, root, event)) {
        *event = (struct pay_event){0};
        result = PAY_HOOK_BAD;
    }
    json_decref(root);
    return result;
}

static bool settings_ok(const struct pay_shop *shop, char error[PAY_WHY_MAX])
{
    return setting_of("sms_number", shop->sms_number, SETTING_DIGITS, 15, "at most 15 digits", error) &&
           setting_of("sms_keyword", shop->sms_keyword, SETTING_LETTERS SETTING_DIGITS, 20,
                      "1 to 20 letters and digits", error);
}

const struct pay_provider pay_sms = {
    .name = "sms",
    .hook_headers = {"Sms-Signature"},
    .on = is_on,
    .settings_ok = settings_ok,
    .open = open_order,
    .query = query_order,
    .hook = read_hook,
};
