/* lesson-figure.h: what a step of a lesson shows, as a drawing
 *
 * SPDX-License-Identifier: MIT
 */
#pragma once

#include "memlane.h"
#include "chart/drawing.h"

/* Reads the run or the traces of @step, which takes as long as their files are large. @result: of the step's experiment; NULL: not known
 * yet. Before it is @revealed a figure stands there only where the step has it beside its question, without what the class draws.
 * (transfer full), or NULL: there is nothing to show, or, with @error, a file cannot be read. */
MemlaneDrawing *memlane_lesson_figure_new (const MemlaneLessonStep *step, MemlaneExperimentResult *result, gboolean revealed,
                                           GError **error);
