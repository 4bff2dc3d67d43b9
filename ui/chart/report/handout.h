/* handout.h: lessons and experiments on paper: of each step a page with the question, then one with
 * the answer
 *
 * SPDX-License-Identifier: MIT
 */
#pragma once

#include "report.h"

/* A4 as PDF: the lessons of @source, then its results, whose axes stay empty on the first page. The
 * same pages are a talk without Memlane. (transfer full), or NULL with @error: a file that a lesson
 * shows cannot be read, or there is nothing to show. One thread. */
GBytes *memlane_handout_to_pdf (const MemlaneReportSource *source, GError **error);
