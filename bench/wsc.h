/* WebSocket client side of RFC 6455 on a plain non-blocking socket: masked frames out, unmasked
 * ones in, strict about what a server may send. Used by the load generator's event loop for
 * thousands of sockets, so a quiet socket owns no buffer. One thread. */
#ifndef RUMMYD_BENCH_WSC_H
#define RUMMYD_BENCH_WSC_H

#include <netinet/in.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
    WSC_MESSAGE_MAX = 64 * 1024, /* a longer message from the server is an error */
    WSC_COMMAND_MAX = 1024,      /* of a text that we send */
    WSC_PATH_MAX = 256,
};

enum wsc_state { WSC_IDLE, WSC_CONNECTING, WSC_HANDSHAKE, WSC_OPEN, WSC_DEAD };

struct wsc {
    int fd;            /* -1 when there is none */
    uint8_t state;     /* enum wsc_state */
    uint16_t code;     /* close code of the peer, 0: cut without one */
    uint16_t status;   /* HTTP status of a refused handshake */
    const char *error; /* why it died, when the peer broke the protocol; NULL else */
    char *rest;        /* beginning of a message that has not arrived whole */
    uint32_t rest_n;
    char *unsent; /* what the socket did not take */
    uint32_t unsent_n;
};

struct wsc_totals {
    uint64_t bytes_in, frames_in, bytes_out, frames_out;
};
extern struct wsc_totals wsc_totals;

void wsc_init(struct wsc *ws);
/* Starts to connect from an address of this machine (host order); path holds the version. false with errno
 * set when no socket is to be had. */
bool wsc_connect(struct wsc *ws, uint32_t from, const struct sockaddr_in *to, const char *path,
                 const char *ticket, const char *origin);
/* The socket is writable: goes on connecting or sending. */
void wsc_on_writable(struct wsc *ws);
/* Reads what is there and hands each whole text message to on_text (text valid during the call, UTF-8
 * checked). A read that does not fill its buffer took all: the event loop may watch for edges. Of a socket
 * that the peer has closed too, it must be called once more. Answers pings. After it, look at ws->state:
 * WSC_DEAD says the connection is gone. on_text may call wsc_send and wsc_close of any socket. */
typedef void wsc_on_text(void *arg, const char *text, size_t len);
void wsc_on_readable(struct wsc *ws, wsc_on_text *on_text, void *arg);
/* One text frame, WSC_COMMAND_MAX bytes at most. */
void wsc_send(struct wsc *ws, const char *text, size_t len);
/* Closes at once, without a farewell (cut) or with a close frame 1000 first. Frees what it holds. */
void wsc_close(struct wsc *ws, bool cut);

#endif
