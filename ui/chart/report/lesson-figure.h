/* lesson-figure.h: what a step of a lesson shows, as a drawing
 *
 * SPDX-License-Identifier: MIT
 */
#pragma once

#include "memlane.h"
#include "chart/drawing.h"

/* Reads the run or the traces of @step, which takes as long as their files are large. @result: of
 * the step's experiment; NULL: not known yet. Before it is @revealed a figure stands there only
 * where the step has it beside its question, without what the class draws. @sketches (nullable):
 * the curves that persons drew (MemlaneView). (transfer full), or NULL: there is nothing to show,
 * or, with @error, a file cannot be read. */
MemlaneDrawing *memlane_lesson_figure_new (const MemlaneLessonStep *step,
                                           MemlaneExperimentResult *result, gboolean revealed,
                                           const GPtrArray *sketches, GError **error);
/* The same for a page or paper, where bars have a title, in *@drawing. Once it is @revealed, it
 * shows the curves that @answers (nullable) (element-type MemlaneLessonAnswers) hold for the step
 * @number. They must outlive the drawing. FALSE with @error. */
gboolean memlane_lesson_figure_make_alone (const MemlaneLessonStep *step,
                                           MemlaneExperimentResult *result, gboolean revealed,
                                           const GPtrArray *answers, guint number,
                                           MemlaneDrawing **drawing, GError **error);
/* That of @results (element-type MemlaneExperimentResult) of the step's experiment. (nullable)
 * (transfer none) */
MemlaneExperimentResult *memlane_lesson_figure_find_result (const MemlaneLessonStep *step,
                                                            const GPtrArray *results);
/* Whether the class draws a curve in the figure beside the question. */
gboolean memlane_lesson_figure_is_drawn (const MemlaneLessonStep *step);
/* Collects @own, a curve of MEMLANE_LESSON_SIZES values, and those of @answers (nullable)
 * (element-type MemlaneLessonAnswers) to the step @number, which counts from 0. All of them must
 * outlive the drawing. (transfer container) */
GPtrArray *memlane_lesson_figure_collect (const GPtrArray *answers, guint number, double *own);
