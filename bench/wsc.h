/* WebSocket client (RFC 6455) on a plain nonblocking socket. Sends masked frames, receives unmasked ones,
 * and strictly validates the server's frames. The load generator's event loop uses it for thousands of
 * sockets, so idle sockets have no buffer. One thread. */
#ifndef RUMMYD_BENCH_WSC_H
#define RUMMYD_BENCH_WSC_H

#include <netinet/in.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
    WSC_MESSAGE_MAX = 64 * 1024, /* longer messages from the server are errors */
    WSC_COMMAND_MAX = 1024,      /* bytes of a text to send */
    WSC_PATH_MAX = 256,
};

enum wsc_state { WSC_IDLE, WSC_CONNECTING, WSC_HANDSHAKE, WSC_OPEN, WSC_DEAD };

struct wsc {
    int fd;            /* -1: no socket */
    uint8_t state;     /* enum wsc_state */
    uint16_t code;     /* close code of the peer; 0: cut without one */
    uint16_t status;   /* HTTP status of a refused handshake */
    const char *error; /* protocol violation of the peer, or NULL */
    char *rest;        /* beginning of an incomplete message */
    uint32_t rest_n;
    char *unsent; /* output that the socket did not accept */
    uint32_t unsent_n;
};

struct wsc_totals {
    uint64_t bytes_in, frames_in, bytes_out, frames_out;
};
extern struct wsc_totals wsc_totals;

void wsc_init(struct wsc *ws);
/* Starts to connect from an address of this machine (host order); path includes the version. false: no
 * socket is available; errno is set. */
bool wsc_connect(struct wsc *ws, uint32_t from, const struct sockaddr_in *to, const char *path,
                 const char *ticket, const char *origin);
/* Call when the socket is writable. Continues connecting or sending. */
void wsc_on_writable(struct wsc *ws);
/* Reads available input and passes each complete text message to on_text (text valid during the call, UTF-8
 * checked). Stops after a read that does not fill its buffer, so the event loop can use edge triggering.
 * Call it again for a socket that the peer has closed. Answers pings. Afterward check ws->state; WSC_DEAD
 * means that the connection has closed. on_text may call wsc_send and wsc_close for any socket. */
typedef void wsc_on_text(void *arg, const char *text, size_t len);
void wsc_on_readable(struct wsc *ws, wsc_on_text *on_text, void *arg);
/* Sends one text frame of at most WSC_COMMAND_MAX bytes. */
void wsc_send(struct wsc *ws, const char *text, size_t len);
/* Closes at once, either without a close frame (cut) or after one with code 1000. Frees the buffers. */
void wsc_close(struct wsc *ws, bool cut);

#endif
