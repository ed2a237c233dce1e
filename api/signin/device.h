/* A client's name, short enough to be shown in the player's list of sessions. Pure, any thread. */
#ifndef RUMMYD_API_DEVICE_H
#define RUMMYD_API_DEVICE_H

#define API_DEVICE_NAME_MAX 33 /* including the NUL */

struct api_device {
    char app[API_DEVICE_NAME_MAX];    /* "Firefox", or the first name of an unknown User-Agent */
    char system[API_DEVICE_NAME_MAX]; /* "Android" */
};

/* Parses a User-Agent, which is untrusted input; NULL: none was sent. Unknown parts are empty. Names
 * contain only letters, digits, and "._- ", no matter what the header contains. */
void api_device_read(const char *user_agent, struct api_device *device);

#endif
