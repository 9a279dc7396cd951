/* SPDX-License-Identifier: MIT */
#ifndef UNS_CLI_LOAD_H
#define UNS_CLI_LOAD_H

/* load - the configuration and the database as a command's options name them.
 */

#include "cli.h"
#include "engine/config.h"

/* Errors on stderr, one a line; warnings too, if they are wanted. */
void uns_cli_messages(const struct uns_messages *messages, bool warnings);

/* The configuration, with its errors told.  NULL: it has some; the command
 * ends with UNS_EXIT_USAGE.  The caller frees it. */
struct uns_config *uns_cli_config(const struct uns_common *common);

/* The database's path (malloc'd): --db, else as configured.  NULL: there is
 * none, and why has been told; the command ends with UNS_EXIT_USAGE. */
char *uns_cli_store_path(const struct uns_common *common);

#endif
