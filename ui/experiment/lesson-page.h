/* lesson-page.h: the Lessons page: on the wall the steps of a lesson, in a window of its own the
 * speaker's notes
 *
 * SPDX-License-Identifier: MIT
 */
#pragma once

#include <adwaita.h>

#include "model/experiment-store.h"
#include "parts/page.h"

#define MEMLANE_TYPE_LESSON_PAGE (memlane_lesson_page_get_type ())
G_DECLARE_FINAL_TYPE (MemlaneLessonPage, memlane_lesson_page, MEMLANE, LESSON_PAGE, AdwBin)

/* A page (parts/page.h). The projector begins the selected lesson, its end ends it. The experiments
 * of a lesson are those of @store and run from its begin, one after the other. */
GtkWidget *memlane_lesson_page_new (MemlaneExperimentStore *store);
