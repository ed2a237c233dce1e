/* Mails as files, for machines without an SMTP server: <id>.eml, readable by their owner alone. One thread.
 */
#ifndef RUMMYD_MAIL_FOLDER_H
#define RUMMYD_MAIL_FOLDER_H

#include "mail/transport.h"

/* Makes the folder if need be (not those above it but one). The same id again leaves one file. */
void mail_folder_put(const char *folder, const char *id, const char *text, size_t len,
                     struct mail_result *result);

#endif
