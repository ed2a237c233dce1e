/* Writes emails to files, for machines without an SMTP server. The files are called <id>.eml and readable
 * only by their owner. One thread. */
#ifndef RUMMYD_MAIL_FOLDER_H
#define RUMMYD_MAIL_FOLDER_H

#include "mail/transport.h"

/* Creates the folder if necessary (and its parent, but no higher ones). A repeated id overwrites its
 * file. */
void mail_folder_put(const char *folder, const char *id, const char *text, size_t len,
                     struct mail_result *result);

#endif
