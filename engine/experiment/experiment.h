/* experiment.h: experiments as files: a question, what to measure, claims that the figures judge,
 * an explanation
 *
 * SPDX-License-Identifier: MIT
 *
 * An experiment is a key file, data/experiments/NAME.experiment; data/experiments/README.md is its
 * format. It is read strictly: the first thing that is wrong refuses the file, "FILE:LINE: found X,
 * expected Y".
 *
 * Reading gives a MemlaneExperiment, running it on a device a MemlaneExperimentResult. Both are
 * finished when they are handed out: immutable and reference counted, so any thread may hold, read
 * and release them. What they hand out is (transfer none) and lives as long as they do.
 *
 * Texts.   What stands in the file is in the language that was asked for when it was read, else in
 *          English. Words of the engine itself are English; those of memlane_verdict_title(),
 *          memlane_doubt_title(), memlane_word_title() and memlane_step_kind_title() are marked
 *          N_(), and whoever shows them looks them up. Names of calls, reasons of devices and
 *          figures are not translated.
 * Units.   Times are ns, numbers have no unit. An interval is a median's 95 % one, by order
 *          statistics. That of an expression is worked out from the ends of its terms' intervals,
 *          which is never narrower than it should be.
 */
#pragma once

#include <gio/gio.h>

#include "base/file-error.h"
#include "result/run.h"
#include "trace/trace.h"

/* A file that cannot be read or written, or is refused, is a MEMLANE_FILE_ERROR
 * (base/file-error.h). */
#define MEMLANE_EXPERIMENT_ERROR (memlane_experiment_error_quark ())
typedef enum
{
  /* there is no experiment of that name; the message lists those there are */
  MEMLANE_EXPERIMENT_ERROR_UNKNOWN,
} MemlaneExperimentError;
GQuark memlane_experiment_error_quark (void);

/* --- words ------------------------------------------------------------------------------------ */

typedef enum
{
  MEMLANE_VERDICT_HOLDS,
  MEMLANE_VERDICT_DOES_NOT_HOLD,
  MEMLANE_VERDICT_CANNOT_BE_TOLD,
  MEMLANE_N_VERDICTS
} MemlaneVerdict;

/* "refuted on this device": marked N_() */
const char *memlane_verdict_title (MemlaneVerdict verdict);

/* Why a verdict cannot be told. */
typedef enum
{
  MEMLANE_DOUBT_NONE,
  MEMLANE_DOUBT_INTERVAL,    /* the 95 % interval holds both answers */
  MEMLANE_DOUBT_SAMPLES,     /* fewer than six samples, which differ: there is no 95 % interval */
  MEMLANE_DOUBT_UNSUPPORTED, /* the device cannot do it */
  MEMLANE_DOUBT_FAILED,      /* it was tried and failed, or its result was wrong */
  MEMLANE_DOUBT_UNKNOWN,     /* the device, or what records it, does not tell */
  MEMLANE_DOUBT_CANCELLED,   /* the run was cut short */
  MEMLANE_DOUBT_MIXED,       /* the trials gave different words */
  MEMLANE_DOUBT_PREMISE,     /* a check that this one requires does not hold, or cannot be told */
  MEMLANE_N_DOUBTS
} MemlaneDoubt;

const char *memlane_doubt_title (MemlaneDoubt doubt); /* marked N_() */

typedef enum
{
  MEMLANE_STEP_SWEEP,     /* cells of a sweep */
  /* samples of one cell, or of the stream laboratory's pipeline, event by event */
  MEMLANE_STEP_TRACE,
  MEMLANE_STEP_PROCEDURE, /* calls of its own: experiment/procedure/procedure.h lists them */
  MEMLANE_N_STEPS
} MemlaneStepKind;

const char *memlane_step_kind_title (MemlaneStepKind kind); /* "measuring", ...: marked N_() */

/* --- the experiment --------------------------------------------------------------------------- */

typedef struct _MemlaneStepPlan MemlaneStepPlan; /* opaque: what a step runs */
typedef struct _MemlaneTest MemlaneTest;         /* opaque: an expression that has been read */

/* One group [Sweep ID], [Trace ID], [Lab ID] or [Procedure ID]. */
typedef struct
{
  char *id;
  MemlaneStepKind kind;
  char *summary;       /* "vector-add: pageable, mapped; 2^10 to 2^20 floats" */
  /* it runs on a simulated device of its own, whatever the device: "copy-engines=1" */
  gboolean what_if;
  MemlaneStepPlan *plan;
} MemlaneExperimentStep;

/* A claim that figures can judge: [Check ID]. */
typedef struct
{
  char *id;
  char *claim;         /* one sentence */
  /* where the claim stands, "001:254" for line 254 of article 001; NULL: the question is the
   * experiment's own */
  char *cite;
  /* ids of earlier checks: unless all of them hold, this one cannot be told; never NULL */
  char **requires;
  /* it looks at a step of a simulated device of its own, so it judges no device */
  gboolean what_if;
  char *test;          /* the expression as the file has it */
  MemlaneTest *parsed;
} MemlaneExperimentCheck;

/* One figure to show: [Figure ID]. */
typedef struct
{
  char *id;
  char *title;
  char *value;         /* the expression */
  char *unit;          /* behind a number: "copies"; NULL: none */
  char *published;     /* as the source prints it, "5.7688 ms"; NULL: it prints none */
  MemlaneTest *parsed;
} MemlaneExperimentFigure;

/* Figures over size: [Table ID]. */
typedef struct
{
  char *id;
  char *title;
  char **columns;      /* references without size: "pageable/elapsed" */
  char **titles;       /* of the columns; empty: those of their modes, or the references */
  guint first_log2, last_log2;
  char *source;        /* published.csv's rows of this source stand beside; NULL: none */
  GPtrArray *parsed;   /* (element-type MemlaneTest), of each column */
} MemlaneExperimentTable;

typedef struct
{
  char *question;
  char **choices;      /* what can be picked; NULL: nothing is predicted */
  /* of each choice the check that makes it right, "!ID": when that does not hold; NULL likewise */
  char **answers;
} MemlanePrediction;

typedef struct
{
  int ref_count;
  char *name;          /* the file's, without ".experiment" */
  char *path;
  char *text;          /* the file */
  guint number;        /* 0: it has none */
  char *title, *source, *question, *claim;
  char *published_on;  /* the hardware of the published figures; NULL: not told */
  char *published_differs; /* what else differs from the published measurement; NULL: not told */
  /* the verdict in one sentence, "{speed-up}" standing for that figure's value; NULL */
  char *supported, *refuted;
  char *shows;         /* below the picture: what its bars are of; NULL */
  /* paragraphs, with an empty line between them; the first one says why the verdict is so */
  char *explanation;
  char *since;         /* what has changed since; NULL */
  char *fault, *cure;  /* of the source's program; NULL */
  MemlanePrediction prediction;
  GPtrArray *steps;    /* (element-type MemlaneExperimentStep), at least one */
  GPtrArray *checks;   /* (element-type MemlaneExperimentCheck), at least one */
  GPtrArray *figures;  /* (element-type MemlaneExperimentFigure) */
  GPtrArray *tables;   /* (element-type MemlaneExperimentTable) */
  char **verdict;      /* ids of the checks that judge the claim; never empty */
  /* ids of the figures, tables and checks that answer the question; empty: chosen by what there
   * is */
  char **picture;
  /* ids of the steps whose recordings stand below it, two at most; never NULL */
  char **timeline;
} MemlaneExperiment;

/* The articles that the source names, "author: title (year)"; what is no article's number stands as
 * it is; NULL: there is no source. (transfer full) */
char *memlane_experiment_describe_source (const MemlaneExperiment *experiment);

/* @language: "zh_CN", as in the file's "title[zh_CN]"; "C": English; NULL: the person's, by the
 * environment. Returns: (transfer full), or NULL with MEMLANE_FILE_ERROR. */
MemlaneExperiment *memlane_experiment_read (const char *path, const char *language, GError **error);
MemlaneExperiment *memlane_experiment_ref (MemlaneExperiment *experiment);
void memlane_experiment_unref (MemlaneExperiment *experiment);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (MemlaneExperiment, memlane_experiment_unref)

/* All there are, in the data folders (base/data-file.h): by number, those without one behind, by
 * name. *@problems (optional) (transfer full) (element-type utf8): a sentence for each file that is
 * refused.
 * Returns: (transfer full) (element-type MemlaneExperiment), maybe empty. */
GPtrArray *memlane_experiment_list (const char *language, GPtrArray **problems);
/* @name: a name, a number, or a path (it has a '/' or ends in ".experiment"). Returns: (transfer
 * full), or NULL with MEMLANE_FILE_ERROR or MEMLANE_EXPERIMENT_ERROR_UNKNOWN. */
MemlaneExperiment *memlane_experiment_find (const char *name, const char *language, GError **error);
/* Whether a step measures cells, so that the result has runs. */
gboolean memlane_experiment_has_cells (const MemlaneExperiment *experiment);
/* Lets a simulated device vary in each sweep as its recorded rounds did. FALSE with @error: another
 * step is no sweep, and no such rounds were recorded of it. */
gboolean memlane_experiment_take_noise (MemlaneExperiment *experiment, GError **error);

/* --- the result ------------------------------------------------------------------------------- */

typedef enum
{
  MEMLANE_VALUE_NONE,   /* there is none: doubt and why say the reason */
  MEMLANE_VALUE_TIME,   /* ns */
  MEMLANE_VALUE_NUMBER,
  MEMLANE_VALUE_WORD,
} MemlaneValueKind;

typedef struct
{
  MemlaneValueKind kind;
  /* samples, trials of a word; of an expression the least of its terms' */
  guint count;
  double median, low, high; /* TIME, NUMBER: the median and its 95 % interval */
  /* fewer than six samples, which differ: low and high are their range, and no 95 % interval */
  gboolean loose;
  /* TIME, NUMBER: processes that it was found in; 0: one, and the interval is of its samples */
  guint n_rounds;
  double *rounds;           /* of each process; NAN: it found none; NULL without n_rounds */
  char *word;               /* WORD */
  MemlaneDoubt doubt;       /* NONE */
  char *why;                /* NONE: in words, English; may be NULL */
} MemlaneValue;

/* "5.77 us", "1.72", "yes", "-"; with @interval "5.77 us (5.76 us to 5.79 us)". If @is_drawn, "5.77
 * µs" with the locale's decimal point. (transfer full) */
char *memlane_value_to_text (const MemlaneValue *value, gboolean interval, gboolean is_drawn);
/* Returns the title of a WORD that a step finds: "serial" for "one-after-the-other"; marked N_().
 * NULL: it is a name of CUDA's. */
const char *memlane_word_title (const char *word);

/* A place where a check was tested. */
typedef struct
{
  guint log2_elements;   /* 0: the test names no range of sizes */
  MemlaneValue left, right;
  MemlaneVerdict verdict;
} MemlaneCheckPoint;

typedef struct
{
  const MemlaneExperimentCheck *check;
  MemlaneVerdict verdict;
  MemlaneDoubt doubt;    /* CANNOT_BE_TOLD */
  /* the figures that decided, English: "9.130 ms > 310.0 us: 29 times as long", of each size behind
   * "2^14: " */
  char *words;
  GArray *points;        /* (element-type MemlaneCheckPoint), at least one */
} MemlaneCheckResult;

/* The evidence at point @index of @check, without its size: "855.3 us > 195.9 us: 4.4 times as
 * long". @translate gives a text that is marked N_() in the person's language; NULL: English.
 * (transfer full) */
char *memlane_check_result_describe (const MemlaneCheckResult *check, guint index,
                                     const char *(*translate) (const char *text));

typedef struct
{
  const MemlaneExperimentFigure *figure;
  MemlaneValue value;
} MemlaneFigureResult;

typedef struct
{
  guint log2_elements;
  guint n;               /* columns */
  MemlaneValue *values;  /* one for each column */
  double *published;     /* ns, one for each column; < 0: none */
} MemlaneTableRow;

typedef struct
{
  const MemlaneExperimentTable *table;
  gboolean is_published; /* at least one published figure stands in it */
  GPtrArray *rows;       /* (element-type MemlaneTableRow) */
} MemlaneTableResult;

/* One thing that a step found: of a cell, a trace, a procedure. */
typedef struct
{
  char *step, *name;     /* "calls", "launch/returned"; a cell's "pinned/upload/device@20" */
  MemlaneValue value;
} MemlaneExperimentFinding;

typedef struct
{
  int ref_count;
  MemlaneExperiment *experiment;
  char *device, *device_name, *device_kind; /* as of MemlaneDeviceInfo */
  gboolean simulated;
  char *machine;         /* "NVIDIA H200 [cuda:0], driver 580.159.04, CUDA 13.0, PCIe 5.0 x16" */
  MemlaneEnvironment *environment; /* of the first sweep; NULL: there is none */
  char *date;            /* ISO 8601, UTC */
  double seconds;        /* of real time that it took */
  gboolean cancelled;
  MemlaneVerdict verdict;
  GPtrArray *checks;     /* (element-type MemlaneCheckResult), as in the experiment */
  GPtrArray *figures;    /* (element-type MemlaneFigureResult), as in the experiment */
  GPtrArray *tables;     /* (element-type MemlaneTableResult), as in the experiment */
  /* (element-type MemlaneExperimentFinding), in the order in which they were made */
  GPtrArray *findings;
  GPtrArray *runs;       /* (element-type MemlaneRun), one for each sweep */
  /* (element-type MemlaneTrace), the last one of each trace, laboratory or procedure that
   * records */
  GPtrArray *traces;
  GPtrArray *trace_steps; /* (element-type utf8): of each trace the step's id */
  /* (element-type utf8): sentences, English: what could not be done, and why */
  GPtrArray *notes;
  int right_choice;      /* of the prediction's choices; -1: there are none, or it cannot be told */
} MemlaneExperimentResult;

/* One bar of the picture that answers the question. */
typedef struct
{
  char *title;
  const char *mode;      /* the id of the mode that it is of; NULL: of none */
  const char *unit;      /* behind a NUMBER; NULL: none */
  const MemlaneExperimentTable *table; /* that it is a column of; NULL: it is a figure */
  guint log2_elements;   /* of the table's row */
  MemlaneValue value;    /* never NONE; its word belongs to the result */
  gboolean published;    /* by the source, on other hardware */
  /* of a check's claim, which is the title; MEMLANE_N_VERDICTS: it is no check */
  MemlaneVerdict verdict;
} MemlanePictureRow;

typedef const char *(*MemlaneTextLookup) (const char *text);
/* Returns @text: a lookup for those who want English. */
const char *memlane_stay_english (const char *text);

/* The verdict in one sentence, with the figures that decided; without such a text the claim and its
 * verdict. A verdict that cannot be told says why. @translate: as below. (transfer full) */
char *memlane_experiment_result_describe (const MemlaneExperimentResult *result,
                                          MemlaneTextLookup translate);
/* The heading of a column: its own, its mode's, or the reference. (transfer none) */
const char *memlane_experiment_table_name_column (const MemlaneExperimentTable *table, guint column,
                                                  MemlaneTextLookup translate);
/* The rows of that picture, top down, while @result lives. A table gives its largest size.
 * @translate: gives a text that is marked N_() in the person's language. (transfer full)
 * (element-type MemlanePictureRow) */
GPtrArray *memlane_experiment_result_get_picture (const MemlaneExperimentResult *result,
                                                  MemlaneTextLookup translate);

MemlaneExperimentResult *memlane_experiment_result_ref (MemlaneExperimentResult *result);
void memlane_experiment_result_unref (MemlaneExperimentResult *result);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (MemlaneExperimentResult, memlane_experiment_result_unref)

/* The cells of all sweeps as one CSV of result/csv.h. FALSE when there are none, or it cannot be
 * written. */
gboolean memlane_experiment_result_write_csv (const MemlaneExperimentResult *result,
                                              const char *path, GError **error);
/* All findings and verdicts as CSV:
 * experiment,device,device_kind,step,name,kind,samples,estimate,low,high,word,detail. */
gboolean memlane_experiment_result_write_findings (const MemlaneExperimentResult *result,
                                                   const char *path, GError **error);

#ifdef MEMLANE_COMPILATION /* for the engine and its tests */

/* "holds", "does-not-hold", "cannot-be-told": for scripts */
const char *memlane_verdict_name (MemlaneVerdict verdict);
gboolean memlane_verdict_parse (const char *word, MemlaneVerdict *verdict);

/* memlane_experiment_read() of text; @name stands for the file in messages. */
MemlaneExperiment *memlane_experiment_parse (const char *text, gsize length, const char *name,
                                             const char *language, GError **error);

#endif
