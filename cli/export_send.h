/* SPDX-License-Identifier: MIT */
#ifndef UNS_CLI_EXPORT_SEND_H
#define UNS_CLI_EXPORT_SEND_H

/* export_send - traces on their way to a collector, that goes on where the
 * last run stopped. */

#include "export.h"

/* Send what the collector at export->to has not got yet, and close `db`.
 * Returns the exit code; what could not be done has been told. */
int uns_export_send(sqlite3 *db, const struct uns_export *export);

#endif
