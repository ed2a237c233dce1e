/* Sends emails to an SMTP server; see smtp.h. */
#include "mail/smtp.h"

#include "base/bug.h"
#include "base/clock.h"
#include "base/log.h"
#include "mail/helo.h"
#include "mail/reply.h"
#include "mail/url.h"

#include <curl/curl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#define CONNECT_MS_MAX 10000L

enum {
    SOCKETS_MAX = 4, /* more than one while curl tries several addresses in parallel */
    URL_MAX = 1024 + 3 * MAIL_HELO_MAX,
};

struct mail_smtp {
    const struct mail_config *config;
    CURL *curl; /* NULL: no connection is kept */
    curl_socket_t sockets[SOCKETS_MAX];
    size_t sockets_n;
    char helo[MAIL_HELO_MAX]; /* empty until the first connection */
};

/* An email being sent. */
struct sending {
    struct mail_smtp *smtp;
    int64_t until_ms; /* deadline, by clock_mono_ms */
    const char *text;
    size_t left;
    enum mail_phase phase;      /* phase of the command being answered */
    bool parting;               /* QUIT was sent, so replies do not matter */
    bool stopped;               /* our own server is shutting down */
    bool accepted;              /* the reply to the text was positive */
    int status[3];              /* the enhanced status code in `refusal` */
    char refusal[MAIL_WHY_MAX]; /* the lines of a refusal; empty: the last reply was not a refusal */
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

static void on_command(struct sending *mail, const char *line, size_t len)
{
    static const struct {
        const char *word;
        enum mail_phase phase;
    } commands[] = {{"EHLO", MAIL_AT_EHLO}, {"HELO", MAIL_AT_EHLO}, {"STARTTLS", MAIL_AT_STARTTLS},
                    {"AUTH", MAIL_AT_AUTH}, {"MAIL", MAIL_AT_FROM}, {"RCPT", MAIL_AT_RCPT},
                    {"DATA", MAIL_AT_DATA}};
    mail->parting = len >= 4 && strncmp(line, "QUIT", 4) == 0;
    if (mail->parting)
        return;
    mail->refusal[0] = '\0';
    memset(mail->status, 0, sizeof(mail->status));
    for (size_t i = 0; i < ARRAY_LEN(commands); i++)
        if (len >= strlen(commands[i].word) && strncmp(line, commands[i].word, strlen(commands[i].word)) == 0)
            mail->phase = commands[i].phase;
}

/* Handles one line of a reply. Keeps all lines of a refusal, but the code only once. */
static void on_reply(struct sending *mail, const char *line, size_t len)
{
    while (len > 0 && (line[len - 1] == '\n' || line[len - 1] == '\r'))
        len--;
    if (len >= 3 && line[0] == '2' && mail->phase == MAIL_AT_CONNECT)
        mail->phase = MAIL_AT_GREETING;
    if (len >= 3 && line[0] == '2' && mail->phase == MAIL_AT_TEXT)
        mail->accepted = true;
    if (len >= 3 && line[0] == '3' && mail->phase == MAIL_AT_DATA)
        mail->phase = MAIL_AT_TEXT;
    if (len < 3 || (line[0] != '4' && line[0] != '5'))
        return;
    if (mail->phase == MAIL_AT_CONNECT)
        mail->phase = MAIL_AT_GREETING;
    char text[MAIL_WHY_MAX];
    size_t n = 0, old = strlen(mail->refusal);
    for (; n < len && n < sizeof(text) - 1; n++)
        text[n] = line[n] >= ' ' && line[n] < 0x7F ? line[n] : '?';
    text[n] = '\0';
    (void)mail_reply_status(text, mail->status);
    bool more = old > 0 && strncmp(mail->refusal, text, 3) == 0;
    (void)snprintf(mail->refusal + (more ? old : 0), sizeof(mail->refusal) - (more ? old : 0), "%s%s",
                   more ? " " : "", text + (more && n > 4 ? 4 : 0));
}

/* Tracks which command is being answered, and the reply. In commands, which may contain the password, only
 * the first letters are examined. */
static int on_dialogue(CURL *curl, curl_infotype type, char *data, size_t len, void *arg)
{
    (void)curl;
    struct sending *mail = arg;
    if (type == CURLINFO_HEADER_OUT)
        on_command(mail, data, len);
    else if (type == CURLINFO_HEADER_IN && !mail->parting)
        on_reply(mail, data, len);
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

/* Aborts when the process stops or after the timeout. Sockets are shut down, because curl would otherwise
 * send QUIT and wait minutes for the reply. */
static int on_progress(void *arg, curl_off_t a, curl_off_t b, curl_off_t c, curl_off_t d)
{
    (void)a, (void)b, (void)c, (void)d;
    struct sending *mail = arg;
    struct mail_smtp *smtp = mail->smtp;
    bool stopped = smtp->config->stop && atomic_load(smtp->config->stop);
    if (!stopped && clock_mono_ms() < mail->until_ms)
        return 0;
    mail->stopped = stopped;
    (void)snprintf(mail->refusal, sizeof(mail->refusal), "%s",
                   stopped ? "the server stops" : "nothing was heard in time");
    for (size_t i = 0; i < smtp->sockets_n; i++)
        (void)shutdown(smtp->sockets[i], SHUT_RDWR);
    return 1;
}

static bool set_up(struct mail_smtp *smtp, const char *from, struct curl_slist *to, struct sending *mail)
{
    CURL *curl = smtp->curl;
    const struct mail_config *config = smtp->config;
    char url[URL_MAX];
    long total = (long)config->timeout_ms, connect = total < CONNECT_MS_MAX ? total : CONNECT_MS_MAX;
    CURLcode bad = CURLE_OK;
    mail_helo_url(config->smtp_url, smtp->helo, url, sizeof(url));
#define SET(option, value) bad = bad ? bad : curl_easy_setopt(curl, option, value)
    SET(CURLOPT_URL, url);
    SET(CURLOPT_PROTOCOLS_STR, "smtp,smtps");
    SET(CURLOPT_PROXY, ""); /* a proxy in the environment is for HTTP */
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
    /* curl treats every reply to the text except 250 as a failure, but only the first digit counts (RFC
     * 5321, 4.2.1). */
    if (done == CURLE_OK || mail->accepted) {
        result->outcome = MAIL_SENT;
        return;
    }
    struct mail_reply reply = {
        .phase = mail->phase, .code = (int)strtol(mail->refusal, NULL, 10), .text = mail->refusal};
    memcpy(reply.status, mail->status, sizeof(reply.status));
    result->outcome = mail->stopped ? MAIL_AGAIN : mail_reply_means(&reply);
    result->phase = reply.phase;
    result->code = reply.code;
    memcpy(result->status, reply.status, sizeof(result->status));
    (void)snprintf(result->why, sizeof(result->why), "%s",
                   mail->refusal[0] ? mail->refusal : curl_easy_strerror(done));
}

/* Done only once, because the name does not change while the process runs. */
static void find_name(struct mail_smtp *smtp)
{
    if (smtp->helo[0] != '\0')
        return;
    if (smtp->config->helo && smtp->config->helo[0] != '\0')
        (void)snprintf(smtp->helo, sizeof(smtp->helo), "%s", smtp->config->helo);
    else
        mail_helo_find(mail_url_is_local(smtp->config->smtp_url), smtp->helo);
    log_info("mail_helo", LOG_TEXT("name", smtp->helo));
}

void mail_smtp_send(struct mail_smtp *smtp, const struct mail_message *message, const char *text, size_t len,
                    struct mail_result *result)
{
    char from[300], to[300];
    struct sending mail = {
        .smtp = smtp, .until_ms = clock_mono_ms() + smtp->config->timeout_ms, .text = text, .left = len};
    find_name(smtp);
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
    if (done != CURLE_OK &&
        result->outcome != MAIL_REFUSED) /* reconnect next time: the state of this connection is unknown */
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
