/* expression.h: the little language of checks, figures and tables: from its text to sums and
 * quotients of what steps find
 *
 * SPDX-License-Identifier: MIT
 *
 * result.c works them out. Steps that a term names are the experiment's own, so a test lives no
 * longer than it.
 */
#pragma once

#include "experiment.h"
#include "mode/mode.h"

/* A reference, STEP:PATH@SIZES, or a number. */
typedef struct
{
  const MemlaneExperimentStep *step; /* NULL: a number */
  MemlaneValueKind kind;
  double number;                     /* ns when kind is TIME */
  char *name;                        /* TRACE, LAB, PROCEDURE: of the output */
  const MemlaneMode *mode;           /* SWEEP */
  MemlanePhase phase;
  /* MemlaneClock; -1: device where there is one, else host (elapsed: host) */
  int clock;
  guint first_log2, last_log2;       /* SWEEP, PROCEDURE with sizes; 0: none */
  gboolean subtract;                 /* its sign in the sum */
  gboolean below;                    /* it belongs to the sum below the line */
} MemlaneTerm;

typedef struct
{
  GArray *terms;         /* (element-type MemlaneTerm) */
  gboolean divides;      /* some of them are below the line */
  MemlaneValueKind kind;
} MemlaneExpression;

typedef enum
{
  MEMLANE_TEST_VALUE,
  MEMLANE_TEST_LESS,
  MEMLANE_TEST_MORE,
  MEMLANE_TEST_WITHIN,
  MEMLANE_TEST_IS,
  MEMLANE_TEST_IS_NOT,
} MemlaneTestKind;

/* LEFT alone (VALUE), LEFT < RIGHT, LEFT > RIGHT, LEFT within LOW HIGH, LEFT is WORD, LEFT is-not
 * WORD. */
struct _MemlaneTest
{
  MemlaneTestKind kind;
  MemlaneExpression left, right; /* right without terms: there is none */
  double low, high;
  char *word;
  guint first_log2, last_log2;   /* sizes to test at; 0: no sizes */
};

/* The kinds of a text. */
typedef enum
{
  MEMLANE_TEST_COMPARISON, /* of a check */
  MEMLANE_TEST_FIGURE,     /* a value at one size */
  /* a reference without size, "mapped/elapsed", over the sizes that are passed */
  MEMLANE_TEST_COLUMN,
} MemlaneTestForm;

/* @steps (element-type MemlaneExperimentStep): what it may refer to; @first_log2 and @last_log2: of
 * a column. Returns: NULL with *@reason (transfer full): "found X, expected Y". */
MemlaneTest *memlane_test_parse (const char *text, GPtrArray *steps, MemlaneTestForm form,
                                 guint first_log2, guint last_log2, char **reason);
void memlane_test_free (MemlaneTest *test); /* (nullable) */
/* The one that is called @id among steps, checks, figures or tables, which begin with their id;
 * NULL: there is none. */
gpointer memlane_find_by_id (GPtrArray *parts, const char *id);
/* Whether a term is of a step on a simulated device of its own. */
gboolean memlane_test_is_what_if (const MemlaneTest *test);
/* "10:20" or "14", powers of two. */
gboolean memlane_parse_sizes (const char *text, guint *first_log2, guint *last_log2,
                              GError **error);
/* "5.7688 ms", "41.022us", "1.25": FALSE when it is neither a time (in ns then) nor a number. */
gboolean memlane_parse_quantity (const char *text, MemlaneValueKind *kind, double *value);
