/* chart-words.h: the names that figures give to modes and workloads
 *
 * SPDX-License-Identifier: MIT
 */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* In the person's language; an id that is not known stands for itself. (transfer full) */
char *memlane_chart_workload_title (const char *workload);
/* "Pinned", or "Pinned · @whose". @whose may be NULL. */
char *memlane_chart_mode_label (const char *mode, const char *whose);

G_END_DECLS
