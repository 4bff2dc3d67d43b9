/* check.h: the rules for names and measurements of a run, whoever reads them: a table, a worker's messages, another program's results
 *
 * SPDX-License-Identifier: MIT
 *
 * Each returns NULL, or the column (csv.h) that is wrong, a literal, with @expected: what should be there (transfer full). Any thread.
 */
#pragma once

#include "run.h"

/* A name of a run or a device; @text is UTF-8. Returns NULL, or what is expected: a literal. */
const char *memlane_check_name (const char *text);
/* An id of a workload or a mode: MEMLANE_CHECK_ID. */
#define MEMLANE_CHECK_ID "a name of a-z, 0-9 and '-'"
gboolean memlane_check_id (const char *text);
/* Whether @kind is one, and @device may be of it: a simulated device must not pass for a real one. */
const char *memlane_check_device (const char *device, const char *kind, char **expected);
/* Whether rows of @workload in @mode may have @streams and @chunks. */
const char *memlane_check_parts (const char *workload, const char *mode, gboolean streams, gboolean chunks, char **expected);
/* A figure that is, or is to be, one of @cell's. */
const char *memlane_check_figure (const MemlaneCell *cell, const MemlaneFigure *figure, char **expected);
/* A whole cell with all of its figures. */
const char *memlane_check_cell (const MemlaneCell *cell, char **expected);
