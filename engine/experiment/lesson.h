/* lesson.h: lessons as files: ten minutes of steps, each a question, what to show, the answer and the speaker's notes
 *
 * SPDX-License-Identifier: MIT
 *
 * A lesson is a key file, data/lessons/NAME.lesson; data/lessons/README.md is its format. It is read as strictly as an experiment
 * (experiment.h): a missing run, an unknown step and a text without a translation refuse the file with one sentence. A lesson is immutable.
 * Any thread.
 */
#pragma once

#include "experiment/experiment.h"

G_BEGIN_DECLS

#define MEMLANE_LESSON_MOST_CHOICES 9

typedef enum
{
  MEMLANE_LESSON_TEXT,       /* nothing but words */
  MEMLANE_LESSON_CURVES,     /* of one run */
  MEMLANE_LESSON_TIMELINE,   /* of one or two traces */
  MEMLANE_LESSON_MAP,        /* of the mode to use, of one run */
  MEMLANE_LESSON_EXPERIMENT, /* its prediction and its result */
  MEMLANE_N_LESSON_KINDS
} MemlaneLessonKind;

typedef struct
{
  char *question, *answer, *notes;
  char **choices;                /* never NULL; empty: nothing to raise a hand for */
  int right;                     /* of the choices; -1: the experiment's result tells, or there are none */
  MemlaneLessonKind kind;
  char **files;                  /* paths of the run or the traces */
  MemlaneExperiment *experiment; /* EXPERIMENT; else NULL */
  char **modes;                  /* CURVES: ids; empty: all */
  gboolean is_time;              /* CURVES: time; else bandwidth */
  gboolean before;               /* the figure stands beside the question as well, */
  char **hidden;                 /* without these modes, whose curves the class draws; never NULL */
} MemlaneLessonStep;

typedef struct
{
  char *path;
  guint number;     /* its place in the list; 0: it has none */
  char *title;      /* gives no answer away */
  GPtrArray *steps; /* (element-type MemlaneLessonStep), at least one */
} MemlaneLesson;

void memlane_lesson_free (MemlaneLesson *lesson);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (MemlaneLesson, memlane_lesson_free)

gboolean memlane_lesson_is_lesson (const char *path); /* by its ending */
/* @language: as of memlane_experiment_read(). Returns: (transfer full), or NULL with MEMLANE_FILE_ERROR. */
MemlaneLesson *memlane_lesson_read (const char *path, const char *language, GError **error);
/* All there are in the data folders, by number. *@problems (transfer full) (element-type utf8): a sentence for each file that is refused.
 * (transfer full) (element-type MemlaneLesson) */
GPtrArray *memlane_lesson_list (const char *language, GPtrArray **problems);

G_END_DECLS

#ifdef MEMLANE_COMPILATION /* for the engine and its tests */

/* memlane_lesson_read() of text; @name stands for the file in messages. */
MemlaneLesson *memlane_lesson_parse (const char *text, gsize length, const char *name, const char *language, GError **error);

#endif
