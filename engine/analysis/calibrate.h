/* calibrate.h: from recorded runs to the profile of a simulated device
 *
 * SPDX-License-Identifier: MIT
 */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* Fits a profile to @runs (element-type MemlaneRun), starting from the simulated device @base (its id; NULL: simulated:h200), and writes it
 * to @output. What it says of the fit (median and worst error, the worst cells) is appended to @report. */
gboolean memlane_calibrate (GPtrArray *runs, const char *base, const char *output, GString *report, GError **error);

G_END_DECLS
