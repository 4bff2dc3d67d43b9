/* calibrate.h: from recorded runs to the profile of a simulated device
 *
 * SPDX-License-Identifier: MIT
 */
#pragma once

#include <glib.h>

#include "base/api.h"

MEMLANE_BEGIN_PUBLIC

/* Fits a profile to @runs (element-type MemlaneRun), starting from the simulated device @base (its id; NULL: simulated:h200), and writes it
 * to @output. What it says of the fit (median and worst error, the worst cells) is appended to @report. Simulated runs are refused unless
 * @of_simulated: a fit to them is good for trying out how one is made. */
gboolean memlane_calibrate (GPtrArray *runs, gboolean of_simulated, const char *base, const char *output, GString *report, GError **error);

MEMLANE_END_PUBLIC

#ifdef MEMLANE_COMPILATION /* for the engine and its tests */

#include "device/simulated/profile.h"
#include "mode/reference.h"
#include "result/run.h"

G_BEGIN_DECLS

/* Whether a recorded cell takes part. */
typedef gboolean (*MemlaneCellFilter) (const MemlaneCell *cell, gconstpointer data);

/* Refuses runs that no profile can be fitted to; what can be fitted and is less than expected is told in @report. */
gboolean memlane_calibrate_check (GPtrArray *runs, gboolean of_simulated, GString *report, GError **error);
MemlaneProfile *memlane_calibrate_load_base (const char *base, GError **error);
/* Hollow, for the largest cell of @runs. */
MemlaneReference *memlane_calibrate_reference (GPtrArray *runs, GError **error);
/* The profile that follows the cells of @runs that pass @uses (NULL: all). @report (nullable): as memlane_calibrate(). (transfer full) */
MemlaneProfile *memlane_calibrate_fit (GPtrArray *runs, const MemlaneProfile *base, const MemlaneReference *reference,
                                       MemlaneCellFilter uses, gconstpointer data, GString *report, GError **error);
/* The cells of @run that pass @uses as @profile has them, NULL for the others. (transfer full) (element-type MemlaneCell) */
GPtrArray *memlane_calibrate_simulate (const MemlaneProfile *profile, const MemlaneRun *run, const MemlaneReference *reference,
                                       MemlaneCellFilter uses, gconstpointer data);

G_END_DECLS

#endif
