/* Hands mails to an SMTP server; see smtp.h. */
#include "mail/smtp.h"

#include "base/bug.h"
#include "base/clock.h"

#include <curl/curl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#define CONNECT_MS_MAX 10000L

enum { SOCKETS_MAX = 4 }; /* one, and more while curl tries several addresses at once */

struct mail_smtp {
    const struct mail_config *config;
    CURL *curl; /* NULL: no connection is kept */
    curl_socket_t sockets[SOCKETS_MAX];
    size_t sockets_n;
};

/* One mail on its way. */
struct sending {
    struct mail_smtp *smtp;
    int64_t until_ms; /* of clock_mono_ms */
    const char *text;
    size_t left;
    bool of_the_mail; /* the last command was about this recipient or this text, not about us */
    char said[MAIL_WHY_MAX];
};

static size_t on_read(char *to, size_t size, size_t n, void *arg)
{
    struct sending *mail = arg;
    size_t room = size * n, len = mail->left < room ? mail->left : room;
    memcpy(to, mail->text, len);
    mail->text += len;
    mail->left -= len;
    return len;
}

/* The dialogue: which command is being answered, and what the server refuses it with. Commands that hold the
 * password are looked at for their first letters alone. */
static int on_dialogue(CURL *curl, curl_infotype type, char *data, size_t len, void *arg)
{
    (void)curl;
    struct sending *mail = arg;
    if (type == CURLINFO_HEADER_OUT && len >= 4 && strncmp(data, "QUIT", 4) != 0) {
        bool rcpt = strncmp(data, "RCPT", 4) == 0, text = strncmp(data, "DATA", 4) == 0;
        mail->of_the_mail = rcpt || text;
        mail->said[0] = '\0';
    }
    if (type == CURLINFO_HEADER_IN && len >= 3 && (data[0] == '4' || data[0] == '5')) {
        while (len > 0 && (data[len - 1] == '\n' || data[len - 1] == '\r'))
            len--;
        size_t n = 0;
        for (; n < len && n < sizeof(mail->said) - 1; n++)
            mail->said[n] = data[n] >= ' ' && data[n] < 0x7F ? data[n] : '?';
        mail->said[n] = '\0';
    }
    return 0;
}

static int on_socket(void *arg, curl_socket_t fd, curlsocktype purpose)
{
    (void)purpose;
    struct mail_smtp *smtp = arg;
    if (smtp->sockets_n == SOCKETS_MAX)
        return CURL_SOCKOPT_ERROR;
    smtp->sockets[smtp->sockets_n++] = fd;
    return CURL_SOCKOPT_OK;
}

static int on_close(void *arg, curl_socket_t fd)
{
    struct mail_smtp *smtp = arg;
    for (size_t i = 0; i < smtp->sockets_n; i++)
        if (smtp->sockets[i] == fd)
            smtp->sockets[i--] = smtp->sockets[--smtp->sockets_n];
    return close(fd);
}

/* Gives up when the process stops or the time is over. curl would still say good-bye and wait minutes for an
 * answer: not on a line that is shut down. */
static int on_progress(void *arg, curl_off_t a, curl_off_t b, curl_off_t c, curl_off_t d)
{
    (void)a, (void)b, (void)c, (void)d;
    struct sending *mail = arg;
    struct mail_smtp *smtp = mail->smtp;
    bool stopped = smtp->config->stop && atomic_load(smtp->config->stop);
    if (!stopped && clock_mono_ms() < mail->until_ms)
        return 0;
    (void)snprintf(mail->said, sizeof(mail->said), "%s",
                   stopped ? "the server stops" : "nothing was heard in time");
    for (size_t i = 0; i < smtp->sockets_n; i++)
        (void)shutdown(smtp->sockets[i], SHUT_RDWR);
    return 1;
}

static bool set_up(struct mail_smtp *smtp, const char *from, struct curl_slist *to, struct sending *mail)
{
    CURL *curl = smtp->curl;
    const struct mail_config *config = smtp->config;
    long total = (long)config->timeout_ms, connect = total < CONNECT_MS_MAX ? total : CONNECT_MS_MAX;
    CURLcode bad = CURLE_OK;
#define SET(option, value) bad = bad ? bad : curl_easy_setopt(curl, option, value)
    SET(CURLOPT_URL, config->smtp_url);
    SET(CURLOPT_PROTOCOLS_STR, "smtp,smtps");
    SET(CURLOPT_PROXY, ""); /* what the environment names is for the web */
    SET(CURLOPT_NOSIGNAL, 1L);
    SET(CURLOPT_CONNECTTIMEOUT_MS, connect);
    SET(CURLOPT_SERVER_RESPONSE_TIMEOUT, total / 1000 + 1);
    SET(CURLOPT_SOCKOPTFUNCTION, on_socket);
    SET(CURLOPT_SOCKOPTDATA, (void *)smtp);
    SET(CURLOPT_CLOSESOCKETFUNCTION, on_close);
    SET(CURLOPT_CLOSESOCKETDATA, (void *)smtp);
    SET(CURLOPT_USE_SSL, (long)(config->plain_ok ? CURLUSESSL_TRY : CURLUSESSL_ALL));
    if (config->ca_file[0] != '\0')
        SET(CURLOPT_CAINFO, config->ca_file);
    if (config->user[0] != '\0') {
        SET(CURLOPT_USERNAME, config->user);
        SET(CURLOPT_PASSWORD, config->password);
    }
    SET(CURLOPT_MAIL_FROM, from);
    SET(CURLOPT_MAIL_RCPT, to);
    SET(CURLOPT_UPLOAD, 1L);
    SET(CURLOPT_READFUNCTION, on_read);
    SET(CURLOPT_READDATA, (void *)mail);
    SET(CURLOPT_INFILESIZE_LARGE, (curl_off_t)mail->left);
    SET(CURLOPT_NOPROGRESS, 0L);
    SET(CURLOPT_XFERINFOFUNCTION, on_progress);
    SET(CURLOPT_XFERINFODATA, (void *)mail);
    SET(CURLOPT_DEBUGFUNCTION, on_dialogue);
    SET(CURLOPT_DEBUGDATA, (void *)mail);
    SET(CURLOPT_VERBOSE, 1L);
#undef SET
    return bad == CURLE_OK;
}

static void conclude(CURLcode done, const struct sending *mail, struct mail_result *result)
{
    if (done == CURLE_OK) {
        result->outcome = MAIL_SENT;
        return;
    }
    result->code = (int)strtol(mail->said, NULL, 10);
    result->outcome = mail->of_the_mail && mail->said[0] == '5' ? MAIL_REFUSED : MAIL_AGAIN;
    (void)snprintf(result->why, sizeof(result->why), "%s",
                   mail->said[0] ? mail->said : curl_easy_strerror(done));
}

void mail_smtp_send(struct mail_smtp *smtp, const struct mail_message *message, const char *text, size_t len,
                    struct mail_result *result)
{
    char from[300], to[300];
    struct sending mail = {
        .smtp = smtp, .until_ms = clock_mono_ms() + smtp->config->timeout_ms, .text = text, .left = len};
    (void)snprintf(from, sizeof(from), "<%s>", message->from);
    (void)snprintf(to, sizeof(to), "<%s>", message->to);
    struct curl_slist *list = curl_slist_append(NULL, to);
    if (!smtp->curl)
        smtp->curl = curl_easy_init();
    if (!smtp->curl || !list) {
        (void)snprintf(result->why, sizeof(result->why), "out of memory");
        curl_slist_free_all(list);
        return;
    }
    curl_easy_reset(smtp->curl); /* keeps the connection */
    CURLcode done = set_up(smtp, from, list, &mail) ? curl_easy_perform(smtp->curl) : CURLE_FAILED_INIT;
    conclude(done, &mail, result);
    curl_slist_free_all(list);
    if (result->outcome == MAIL_AGAIN) /* begin anew: what this connection is good for is not known */
        mail_smtp_rest(smtp);
}

struct mail_smtp *mail_smtp_open(const struct mail_config *config)
{
    ASSERT(config->timeout_ms > 0);
    struct mail_smtp *smtp = calloc(1, sizeof(*smtp));
    if (smtp)
        smtp->config = config;
    return smtp;
}

void mail_smtp_rest(struct mail_smtp *smtp)
{
    curl_easy_cleanup(smtp->curl);
    smtp->curl = NULL;
}

void mail_smtp_close(struct mail_smtp *smtp)
{
    if (!smtp)
        return;
    mail_smtp_rest(smtp);
    free(smtp);
}
