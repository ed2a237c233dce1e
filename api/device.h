/* What a client calls itself, short enough to be shown to the player whose session it has. Pure, any thread.
 */
#ifndef RUMMYD_API_DEVICE_H
#define RUMMYD_API_DEVICE_H

#define API_DEVICE_NAME_MAX 33 /* with the NUL */

struct api_device {
    char app[API_DEVICE_NAME_MAX];    /* "Firefox", or the first name of a User-Agent we do not know */
    char system[API_DEVICE_NAME_MAX]; /* "Android" */
};

/* Reads a User-Agent, which may be anything; NULL: there was none. What is not found is empty. Names are of
 * letters, digits and "._- " only, whatever the header says. */
void api_device_read(const char *user_agent, struct api_device *device);

#endif
