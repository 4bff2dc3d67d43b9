/* lesson.h: lessons as files: ten minutes of steps, each a question, what to show, the answer and
 * the speaker's notes
 *
 * SPDX-License-Identifier: MIT
 *
 * A lesson is a key file, data/lessons/NAME.lesson; data/lessons/README.md is its format. It is
 * read as strictly as an experiment (experiment.h): a missing run, an unknown step and a text
 * without a translation refuse the file with one sentence. A lesson is immutable. Any thread.
 */
#pragma once

#include "experiment/experiment.h"

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
  /* of the choices; -1: the experiment's result tells, or there are none */
  int right;
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

#define MEMLANE_LESSON_SIZES 64

/* One student answers a step. */
typedef struct
{
  guint choice;                        /* from 1; 0: none */
  /* values by log2 elements, in the unit of the step's quantity (ns, bytes per second); 0: none */
  double curve[MEMLANE_LESSON_SIZES];
} MemlaneLessonAnswer;

/* The answers that one page of `memlane-cli report --lesson` handed in, as a key file
 * NAME.answers. */
typedef struct
{
  /* of the visit to the page: two files with one id are of one student */
  char *id;
  MemlaneLessonAnswer *steps;          /* one for each step of the lesson */
} MemlaneLessonAnswers;

void memlane_lesson_free (MemlaneLesson *lesson);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (MemlaneLesson, memlane_lesson_free)

gboolean memlane_lesson_is_lesson (const char *path);  /* by its ending */
gboolean memlane_lesson_is_answers (const char *path); /* likewise */
/* @language: as of memlane_experiment_read(). Returns: (transfer full), or NULL with
 * MEMLANE_FILE_ERROR. */
MemlaneLesson *memlane_lesson_read (const char *path, const char *language, GError **error);
/* Returns what a lesson is called in its answers: the file's name without ending. (transfer
 * full) */
char *memlane_lesson_get_name (const MemlaneLesson *lesson);
/* Adds the answers of a file to @all (element-type MemlaneLessonAnswers). FALSE with
 * MEMLANE_FILE_ERROR, and a sentence that names the file: it is unreadable, too large, no answers,
 * those of another lesson, or already in @all. */
gboolean memlane_lesson_add_answers (const MemlaneLesson *lesson, GPtrArray *all, const char *path,
                                     GError **error);
/* Counts the students of @answers who chose @choice (from 0) in the step @number. */
guint memlane_lesson_count_answers (const GPtrArray *answers, guint number, guint choice);
void memlane_lesson_answers_free (MemlaneLessonAnswers *answers);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (MemlaneLessonAnswers, memlane_lesson_answers_free)
/* All there are in the data folders, by number. *@problems (transfer full) (element-type utf8): a
 * sentence for each file that is refused. (transfer full) (element-type MemlaneLesson) */
GPtrArray *memlane_lesson_list (const char *language, GPtrArray **problems);

#ifdef MEMLANE_COMPILATION /* for the engine and its tests */

/* memlane_lesson_read() of text; @name stands for the file in messages. */
MemlaneLesson *memlane_lesson_parse (const char *text, gsize length, const char *name,
                                     const char *language, GError **error);
MemlaneLessonAnswers *memlane_lesson_answers_parse (const MemlaneLesson *lesson, const char *text,
                                                    gsize length, const char *name, GError **error);

#endif
