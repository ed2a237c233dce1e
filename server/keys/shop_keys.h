/* Configuration of the payment providers: the keys that each one requires, and their transfer to pay/. */
#ifndef RUMMYD_SERVER_SHOP_KEYS_H
#define RUMMYD_SERVER_SHOP_KEYS_H

#include "pay/pay.h"
#include "server/config.h"

/* Reads the secret files that the environment does not override, and checks that each provider has all its
 * settings or none. false: `error` names the key. Main thread. */
bool srv_shop_keys_find(struct srv_config *config, char error[SRV_ERROR_MAX]);

/* Fills in what pay/ needs, and loads the files of the providers. The configuration must live as long. false:
 * `error` names the key; unload it in any case. Main thread. */
bool srv_shop_load(const struct srv_config *config, struct pay_shop *pay, char error[SRV_ERROR_MAX]);
void srv_shop_unload(struct pay_shop *pay);

#endif
