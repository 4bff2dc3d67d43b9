/* calibrate.h: from recorded runs to the profile of a simulated device
 *
 * SPDX-License-Identifier: MIT
 */
#pragma once

#include <glib.h>

#include "base/api.h"

MEMLANE_BEGIN_PUBLIC

/* Fits a profile to @runs (element-type MemlaneRun), starting from the simulated device @base (its id; NULL: simulated:h200), and writes it
 * to @output. What it says of the fit (median and worst error, the worst cells) is appended to @report. */
gboolean memlane_calibrate (GPtrArray *runs, const char *base, const char *output, GString *report, GError **error);

MEMLANE_END_PUBLIC
