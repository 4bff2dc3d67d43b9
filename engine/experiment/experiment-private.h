/* experiment-private.h: what the reader, the runner and the judge of experiments share
 *
 * SPDX-License-Identifier: MIT
 */
#pragma once

#include "experiment.h"
#include "measure/lab.h"
#include "measure/statistics.h"
#include "experiment/procedure/procedure.h"
#include "analysis/published.h"
#include "measure/sweep.h"

G_BEGIN_DECLS

/* --- plans of steps ------------------------------------------------------------------------------------------------ */

typedef struct _MemlaneStepPlan MemlaneStepPlan;
struct _MemlaneStepPlan
{
  MemlanePlan *sweep;                /* SWEEP; TRACE: one mode, one size */
  MemlaneLabPlan lab;
  const MemlaneProcedure *procedure;
  MemlaneProcedureOptions options;   /* PROCEDURE */
  guint repeats;                     /* TRACE, LAB: recordings */
  int copy_engines;                  /* what-if: of the simulated device; -1: none asked for */
  gboolean in_order_engines;         /* what-if: one hardware queue for each engine */
};

#define MEMLANE_TRACE_REPEATS 6 /* the fewest that have a 95 % interval */

/* What a trace tells, in the order of the findings. */
typedef struct
{
  const char *name;
  MemlaneValueKind kind;
} MemlaneTraceOutput;
const MemlaneTraceOutput *memlane_trace_output_list (guint *n);
/* @values: one for each output; (transfer full) into it. */
void memlane_trace_outputs_compute (const MemlaneTrace *trace, double *values, gboolean *known);

/* --- expressions ------------------------------------------------------------------------------------------------------ */

/* A reference: STEP:PATH@SIZES, or a number. */
typedef struct
{
  const MemlaneExperimentStep *step; /* NULL: a number */
  MemlaneValueKind kind;
  double number;                     /* ns when kind is TIME */
  char *name;                        /* TRACE, LAB, PROCEDURE: of the output */
  const MemlaneMode *mode;           /* SWEEP */
  MemlanePhase phase;
  int clock;                         /* MemlaneClock; -1: device where there is one, else host (elapsed: host) */
  guint first_log2, last_log2;       /* SWEEP */
  gboolean subtract;                 /* its sign in the sum */
} MemlaneTerm;

typedef struct
{
  GArray *above, *below; /* (element-type MemlaneTerm); below empty: no division */
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

/* LEFT alone (VALUE), LEFT < RIGHT, LEFT > RIGHT, LEFT within LOW HIGH, LEFT is WORD, LEFT is-not WORD. */
typedef struct _MemlaneTest MemlaneTest;
struct _MemlaneTest
{
  MemlaneTestKind kind;
  MemlaneExpression left, right;
  double low, high;
  char *word;
  guint first_log2, last_log2; /* sizes to test at; 0: no sizes */
};

/* @reason (transfer full): "found X, expected Y". @wants_test: a comparison; else a value. */
MemlaneTest *memlane_test_parse (const char *text, GPtrArray *steps, gboolean wants_test, char **reason);
/* A reference without size: "mapped/elapsed"; sizes are [@first_log2, @last_log2]. */
MemlaneTest *memlane_test_parse_column (const char *text, GPtrArray *steps, guint first_log2, guint last_log2, char **reason);
void memlane_test_free (MemlaneTest *test);
/* "5.7688 ms", "41.022us", "1.25": FALSE when it is neither a time nor a number. */
gboolean memlane_parse_quantity (const char *text, MemlaneValueKind *kind, double *value);

/* --- what was found ------------------------------------------------------------------------------------------------------ */

void memlane_value_clear (MemlaneValue *value);
void memlane_value_copy (MemlaneValue *to, const MemlaneValue *from);
void memlane_value_set_none (MemlaneValue *value, MemlaneDoubt doubt, const char *why);
void memlane_value_set_statistics (MemlaneValue *value, MemlaneValueKind kind, const MemlaneStatistics *statistics);

/* Adds a finding; @value is copied. An earlier one of the same step and name stays the one that is found. */
void memlane_result_add (MemlaneExperimentResult *result, const char *step, const char *name, const MemlaneValue *value);
/* (nullable) */
const MemlaneValue *memlane_result_find (const MemlaneExperimentResult *result, const char *step, const char *name);

MemlaneExperimentResult *memlane_experiment_result_new (MemlaneExperiment *experiment);
void memlane_table_row_free (gpointer row); /* not its values */
/* Works out checks, figures, tables and the verdict from the findings. @published (nullable): to stand beside. */
void memlane_experiment_judge (MemlaneExperimentResult *result, const MemlanePublished *published);
/* The name under which a sweep's figure is found: "pinned/upload/device@20". (transfer full) */
char *memlane_cell_figure_name (const MemlaneMode *mode, MemlanePhase phase, MemlaneClock clock, guint log2_elements);

/* --- the file --------------------------------------------------------------------------------------------------------------- */

/* Empty, with one reference; the reader fills it. */
MemlaneExperiment *memlane_experiment_new (void);
void memlane_experiment_step_free (MemlaneExperimentStep *step);
void memlane_experiment_check_free (MemlaneExperimentCheck *check);
void memlane_experiment_figure_free (MemlaneExperimentFigure *figure);
void memlane_experiment_table_free (MemlaneExperimentTable *table);

#define MEMLANE_EXPERIMENT_MOST 64 /* checks, figures, tables, parts of a list */

/* Where each key of a key file stands, and whether there is a line that is no key file's. */
typedef struct _MemlaneLines MemlaneLines;
MemlaneLines *memlane_lines_new (const char *text, gsize length, const char *name, GError **error);
/* @key NULL: the group's own line. 1 when it is nowhere. */
guint memlane_lines_find (const MemlaneLines *lines, const char *group, const char *key);
void memlane_lines_free (MemlaneLines *lines);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (MemlaneLines, memlane_lines_free)

/* The step of a group [Sweep ID] and so on; NULL with @error. */
typedef struct
{
  const char *name;
  GKeyFile *file;
  MemlaneLines *lines;
  const char *language; /* NULL: the person's */
} MemlaneReader;
gboolean memlane_reader_refuse (const MemlaneReader *reader, const char *group, const char *key, GError **error, const char *format, ...)
  G_GNUC_PRINTF (5, 6);
MemlaneExperimentStep *memlane_reader_read_step (const MemlaneReader *reader, const char *group, MemlaneStepKind kind, const char *id,
                                                 GError **error);
/* (transfer full) (nullable): the stripped value. FALSE with @error: too long, or (@needed) not there. */
gboolean memlane_reader_get (const MemlaneReader *reader, const char *group, const char *key, gboolean needed, char **value,
                             GError **error);
/* The same in the reader's language. */
gboolean memlane_reader_get_text (const MemlaneReader *reader, const char *group, const char *key, gboolean needed, char **value,
                                  GError **error);
/* "a;b;c"; never NULL, maybe empty. */
gboolean memlane_reader_split_list (const MemlaneReader *reader, const char *group, const char *key, const char *text, char ***list,
                                    GError **error);
gboolean memlane_reader_get_list (const MemlaneReader *reader, const char *group, const char *key, gboolean needed, char ***list,
                                  GError **error);
gboolean memlane_reader_get_sizes (const MemlaneReader *reader, const char *group, guint *first, guint *last, GError **error);
gboolean memlane_reader_get_number (const MemlaneReader *reader, const char *group, const char *key, guint least, guint most, guint *value,
                                    GError **error);
gboolean memlane_reader_get_boolean (const MemlaneReader *reader, const char *group, const char *key, gboolean *value, GError **error);

/* --- steps ---------------------------------------------------------------------------------------------------------------------- */

/* Called on the worker as a step gets on: @fraction of it, 0 to 1. */
typedef void (*MemlaneStepProgress) (double fraction, gpointer user_data);

/* What steps run on. The device is opened when the first step needs it. */
typedef struct
{
  const char *device_id;
  MemlaneDevice *device; /* NULL: not open now */
  double open_ns;        /* what opening it took the first time, of real time; 0: it is simulated */
  MemlaneExperimentResult *result;
  GCancellable *cancellable;
  MemlaneStepProgress progress;
  gpointer progress_data;
} MemlaneStepContext;

/* Runs @step and adds what it finds, trouble included. */
void memlane_step_run (MemlaneStepContext *context, const MemlaneExperimentStep *step);

/* --- words --------------------------------------------------------------------------------------------------------------------------- */

/* "5.769 ms", "41.02 us": four digits. (transfer full) */
char *memlane_format_time (double ns);
char *memlane_format_number (double number);
/* "page-locked memory" -> the row of a file's CSV; a comma, a quote or a line break is quoted. */
void memlane_append_csv (GString *text, const char *cell);

G_END_DECLS
