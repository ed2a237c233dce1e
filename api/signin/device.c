/* Names of browsers and systems found in a User-Agent; see device.h. */
#include "api/signin/device.h"

#include "base/bug.h"

#include <stdio.h>
#include <string.h>

struct name {
    const char *word, *name;
};

/* The first match counts, because most browsers also list the ones with which they are compatible. */
static const struct name apps[] = {
    {"Edg/", "Edge"},        {"EdgA/", "Edge"},
    {"OPR/", "Opera"},       {"SamsungBrowser/", "Samsung Internet"},
    {"Firefox/", "Firefox"}, {"FxiOS/", "Firefox"},
    {"Chrome/", "Chrome"},   {"CriOS/", "Chrome"},
    {"Safari/", "Safari"},
};
static const struct name systems[] = {
    {"Android", "Android"}, {"iPhone", "iOS"},      {"iPad", "iOS"},    {"Windows", "Windows"},
    {"CrOS", "ChromeOS"},   {"Macintosh", "macOS"}, {"Linux", "Linux"},
};

static void find(const char *user_agent, const struct name *names, size_t n, char out[API_DEVICE_NAME_MAX])
{
    for (size_t i = 0; i < n; i++) {
        if (strstr(user_agent, names[i].word)) {
            (void)snprintf(out, API_DEVICE_NAME_MAX, "%s", names[i].name);
            return;
        }
    }
}

void api_device_read(const char *user_agent, struct api_device *device)
{
    static const char letters[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._-";
    *device = (struct api_device){0};
    if (!user_agent)
        return;
    find(user_agent, apps, ARRAY_LEN(apps), device->app);
    find(user_agent, systems, ARRAY_LEN(systems), device->system);
    size_t len = strspn(user_agent, letters);
    if (device->app[0] != '\0' || len == 0 || strncmp(user_agent, "Mozilla", sizeof("Mozilla") - 1) == 0)
        return;
    (void)snprintf(device->app, sizeof(device->app), "%.*s",
                   (int)(len < API_DEVICE_NAME_MAX ? len : API_DEVICE_NAME_MAX - 1), user_agent);
}
