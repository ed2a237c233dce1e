/* Secrets from the environment or a file; with --dev the token secret is generated and kept. Main thread. */
#include <errno.h>
#include <fcntl.h>
#include <sodium.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "api/core/token.h"
#include "base/bug.h"
#include "base/log.h"
#include "base/text.h"
#include "server/config.h"
#include "server/keys/secret_file.h"
#include "server/keys/shop_keys.h"

static bool make_secret(struct srv_config *config, char *error)
{
    uint8_t bytes[32];
    randombytes_buf(bytes, sizeof(bytes));
    text_hex(config->jwt_secret, bytes, sizeof(bytes));
    if (config->state_dir[0] == '\0')
        return true;
    char path[SRV_TEXT_MAX + 32];
    (void)snprintf(path, sizeof(path), "%s/jwt_secret", config->state_dir);
    if (mkdir(config->state_dir, 0700) != 0 && errno != EEXIST) {
        (void)snprintf(error, SRV_ERROR_MAX, "state_dir: cannot create %.200s: %s", config->state_dir,
                       strerror(errno));
        return false;
    }
    int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
    size_t len = strlen(config->jwt_secret);
    bool ok = fd >= 0 && write(fd, config->jwt_secret, len) == (ssize_t)len;
    if (fd >= 0)
        ok = close(fd) == 0 && ok;
    if (!ok)
        (void)snprintf(error, SRV_ERROR_MAX, "state_dir: cannot write %.200s: %s", path, strerror(errno));
    return ok;
}

/* A secret of few distinct bytes is weak, no matter how long it is. */
static bool is_weak(const char *secret)
{
    size_t len = strlen(secret);
    if (len < SRV_SECRET_MIN)
        return true;
    bool seen[256] = {false};
    int kinds = 0;
    for (size_t i = 0; i < len; i++) {
        unsigned char c = (unsigned char)secret[i];
        kinds += seen[c] ? 0 : 1;
        seen[c] = true;
    }
    return kinds < 8;
}

static enum srv_config_result check_strength(const struct srv_config *config, const char *name,
                                             const char *secret, char *error)
{
    if (!is_weak(secret))
        return SRV_CONFIG_OK;
    if (!config->dev) {
        (void)snprintf(
            error, SRV_ERROR_MAX,
            "%s: too weak; it needs at least %d bytes, 8 of them different (try `openssl rand -hex 32`)",
            name, SRV_SECRET_MIN);
        return SRV_CONFIG_FAILED;
    }
    if (strlen(secret) < SRV_SECRET_MIN) {
        (void)snprintf(error, SRV_ERROR_MAX, "%s: shorter than %d bytes, which HS256 forbids even with --dev",
                       name, SRV_SECRET_MIN);
        return SRV_CONFIG_FAILED;
    }
    log_warn("weak_secret", LOG_TEXT("key", name));
    return SRV_CONFIG_OK;
}

/* Keeps a secret set by the environment. Otherwise uses the named file, with --dev the secret kept earlier,
 * or with --dev a new one. */
static enum srv_config_result find_secret(struct srv_config *config, char *error)
{
    char kept[SRV_TEXT_MAX + 32];
    const char *path = config->jwt_secret_file;
    (void)snprintf(kept, sizeof(kept), "%s/jwt_secret", config->state_dir);
    if (config->jwt_secret[0] != '\0')
        return SRV_CONFIG_OK;
    if (path[0] == '\0' && config->dev && config->state_dir[0] != '\0' && access(kept, F_OK) == 0)
        path = kept;
    if (path[0] != '\0' && !srv_secret_read("jwt_secret_file", path, config->jwt_secret, error))
        return SRV_CONFIG_FAILED;
    if (config->jwt_secret[0] != '\0')
        return SRV_CONFIG_OK;
    if (config->dev)
        return make_secret(config, error) ? SRV_CONFIG_OK : SRV_CONFIG_FAILED;
    (void)snprintf(error, SRV_ERROR_MAX,
                   "jwt_secret_file: missing; name a file of at least %d bytes, or set RUMMYD_JWT_SECRET "
                   "(--dev makes one)",
                   SRV_SECRET_MIN);
    return SRV_CONFIG_FAILED;
}

static enum srv_config_result find_old_secret(struct srv_config *config, char *error)
{
    if (config->jwt_old_secret_file[0] == '\0')
        return SRV_CONFIG_OK;
    if (!srv_secret_read("jwt_old_secret_file", config->jwt_old_secret_file, config->jwt_old_secret, error))
        return SRV_CONFIG_FAILED;
    if (strcmp(config->jwt_old_kid, config->jwt_kid) == 0) {
        (void)snprintf(error, SRV_ERROR_MAX, "jwt_old_kid: \"%.100s\" is also the name of the current secret",
                       config->jwt_old_kid);
        return SRV_CONFIG_FAILED;
    }
    return check_strength(config, "jwt_old_secret", config->jwt_old_secret, error);
}

static enum srv_config_result find_smtp_password(struct srv_config *config, char *error)
{
    if (config->smtp_password[0] == '\0' && config->smtp_password_file[0] != '\0' &&
        !srv_secret_read("smtp_password_file", config->smtp_password_file, config->smtp_password, error))
        return SRV_CONFIG_FAILED;
    bool user = config->smtp_user[0] != '\0';
    if (user == (config->smtp_password[0] != '\0'))
        return SRV_CONFIG_OK;
    (void)snprintf(error, SRV_ERROR_MAX, "%s: missing, although %s is set",
                   user ? "smtp_password_file" : "smtp_user", user ? "smtp_user" : "the password");
    return SRV_CONFIG_FAILED;
}

static bool are_private(const struct srv_config *config, char *error)
{
    const char *const files[][2] = {
        {"jwt_old_secret_file", config->jwt_old_secret_file},
#define SECRET_KEY(k, ...) {#k "_file", config->k##_file},
#define PRIVATE_FILE_KEY(k, ...) {#k, config->k},
#include "server/config_keys.def"
    };
    for (size_t i = 0; i < ARRAY_LEN(files); i++)
        if (files[i][1][0] && !srv_secret_private(files[i][0], files[i][1], config->dev, error))
            return false;
    return true;
}

enum srv_config_result srv_config_secret(struct srv_config *config, char error[SRV_ERROR_MAX])
{
    if (!are_private(config, error))
        return SRV_CONFIG_FAILED;
    enum srv_config_result result = find_secret(config, error);
    if (result == SRV_CONFIG_OK)
        result = check_strength(config, "jwt_secret", config->jwt_secret, error);
    if (result == SRV_CONFIG_OK)
        result = find_old_secret(config, error);
    if (result == SRV_CONFIG_OK && !srv_shop_keys_find(config, error))
        result = SRV_CONFIG_FAILED;
    if (result == SRV_CONFIG_OK)
        result = find_smtp_password(config, error);
    return result;
}

void srv_config_keys(const struct srv_config *config, struct api_token_keys *keys)
{
    *keys = (struct api_token_keys){0};
    bool ok = api_token_keys_add(keys, config->jwt_kid, config->jwt_secret);
    if (ok && config->jwt_old_secret[0] != '\0')
        ok = api_token_keys_add(keys, config->jwt_old_kid, config->jwt_old_secret);
    ASSERT(ok); /* srv_config_secret has checked their lengths */
}

bool srv_config_dev_seed(const struct srv_config *config, uint8_t seed[32])
{
    const char *text = config->dev_seed;
    ASSERT(text[0] == '\0' || config->dev);
    if (text[0] == '\0')
        return false;
    return crypto_hash_sha256(seed, (const unsigned char *)text, strlen(text)) == 0;
}
