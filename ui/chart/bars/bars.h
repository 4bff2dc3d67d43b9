/* bars.h: the picture that answers an experiment: one bar for each value, on one scale that begins
 * at zero
 *
 * SPDX-License-Identifier: MIT
 *
 * Times are bars; the bar of a mode has its family's colour, what others have published is an
 * outline. A thin line at the end of a bar is the 95 % interval. Numbers and words stand where a
 * bar would begin, with a mark where they decide a claim. Lengths are px.
 */
#pragma once

#include "chart/drawing.h"

/* @alone: for a file, with title, device and the badge SIMULATED; else the page says these. Holds a
 * reference on @result. (transfer full), or NULL: the result has no value to show. */
MemlaneDrawing *memlane_bars_drawing_new (MemlaneExperimentResult *result, gboolean alone);
