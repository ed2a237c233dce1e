/* The configuration of the ways to pay: what is needed to switch one on, and how pay/ gets it. */
#ifndef RUMMYD_SERVER_SHOP_KEYS_H
#define RUMMYD_SERVER_SHOP_KEYS_H

#include "pay/pay.h"
#include "server/config.h"

/* Reads the files of secrets that the environment has not given, and checks that each way to pay has all it
 * needs, or nothing. false: `error` names the key. Main thread. */
bool srv_shop_keys_find(struct srv_config *config, char error[SRV_ERROR_MAX]);

/* Fills in what pay/ needs, and reads the certificate and the account that files hold. The configuration must
 * live as long. false: `error` names the key; unload it all the same. Main thread. */
bool srv_shop_load(const struct srv_config *config, struct pay_shop *pay, char error[SRV_ERROR_MAX]);
void srv_shop_unload(struct pay_shop *pay);

#endif
