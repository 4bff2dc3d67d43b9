/* experiment.c: an experiment, where experiments are found, and the file one is read from:
 * strictly, unknown keys, bad values and references to nothing refuse it
 *
 * SPDX-License-Identifier: MIT
 */
#include "experiment.h"

#include <string.h>

#include "base/data-file.h"
#include "base/each.h"
#include "base/fail.h"
#include "base/i18n.h"
#include "base/keys.h"
#include "base/owns.h"
#include "base/words.h"
#include "expression.h"
#include "measure/plan.h"
#include "procedure/procedure.h"

#define SUFFIX ".experiment"
#define MOST_REUSE 10000
#define MOST_REPEATS 30
#define USUAL_REPEATS 6 /* the fewest that have a 95 % interval */
#define MOST 64 /* checks, figures, tables */

G_DEFINE_QUARK (memlane-experiment-error-quark, memlane_experiment_error)

MEMLANE_DEFINE_NAMES (memlane_step_kind_title, MemlaneStepKind, MEMLANE_N_STEPS, N_("Measuring"),
                      N_("Recording"), N_("Trying"))

/* --- life ------------------------------------------------------------------------------------- */

static MEMLANE_DEFINE_FREE (MemlaneExperimentStep, void step_free (MemlaneExperimentStep *data),
                            OWNS (plan->sweep, memlane_plan_free) OWNS (plan, g_free)
                                OWNS (id, g_free) OWNS (summary, g_free))
G_DEFINE_AUTOPTR_CLEANUP_FUNC (MemlaneExperimentStep, step_free)

MEMLANE_DEFINE_FREE (MemlaneExperimentCheck, static void check_free (MemlaneExperimentCheck *data),
                     OWNS (id, g_free) OWNS (claim, g_free) OWNS (cite, g_free)
                         OWNS (requires, g_strfreev) OWNS (test, g_free)
                             OWNS (parsed, memlane_test_free))

MEMLANE_DEFINE_FREE (MemlaneExperimentFigure,
                     static void figure_free (MemlaneExperimentFigure *data),
                     OWNS (id, g_free) OWNS (title, g_free) OWNS (value, g_free) OWNS (unit, g_free)
                         OWNS (published, g_free) OWNS (parsed, memlane_test_free))

static MEMLANE_DEFINE_FREE (MemlaneExperimentTable, void table_free (MemlaneExperimentTable *data),
                            OWNS (parsed, g_ptr_array_unref) OWNS (id, g_free) OWNS (title, g_free)
                                OWNS (columns, g_strfreev) OWNS (titles, g_strfreev)
                                    OWNS (source, g_free))

MEMLANE_DEFINE_REF (
    MemlaneExperiment, memlane_experiment,
    OWNS (name, g_free) OWNS (path, g_free) OWNS (title, g_free) OWNS (source, g_free)
        OWNS (text, g_free) OWNS (question, g_free) OWNS (claim, g_free) OWNS (published_on, g_free)
            OWNS (published_differs, g_free) OWNS (supported, g_free) OWNS (refuted, g_free)
                OWNS (shows, g_free) OWNS (explanation, g_free) OWNS (since, g_free)
                    OWNS (fault, g_free) OWNS (cure, g_free) OWNS (prediction.question, g_free)
                        OWNS (prediction.choices, g_strfreev) OWNS (prediction.answers, g_strfreev)
                            OWNS (steps, g_ptr_array_unref) OWNS (checks, g_ptr_array_unref)
                                OWNS (figures, g_ptr_array_unref) OWNS (tables, g_ptr_array_unref)
                                    OWNS (verdict, g_strfreev) OWNS (picture, g_strfreev)
                                        OWNS (timeline, g_strfreev))

/* --- where it comes from ---------------------------------------------------------------------- */

/* As the articles' own files give them; their addresses are not in them. */
static const struct { const char *number, *words; } articles[] = {
  { "000", "Koma_Wong: CUDA内存分配、释放、传输，固定内存 (2017)" },
  { "001", "谭升: 【CUDA 基础】4.2 内存管理 (2018)" },
  { "002", "CUDA: 页锁定内存与可分页内存 (2017)" },
  { "003", "CUDA页锁定内存 (2019)" },
  { "004", "CUDA 零拷贝 (ISBN 9787111448617)" },
};

char *
memlane_experiment_describe_source (const MemlaneExperiment *experiment)
{
  g_auto (GStrv) parts = experiment->source != NULL ? g_strsplit (experiment->source, ";", -1)
                                                    : NULL;

  for (guint i = 0; parts != NULL && parts[i] != NULL; i++)
    for (guint k = 0; k < G_N_ELEMENTS (articles); k++)
      if (strcmp (g_strstrip (parts[i]), articles[k].number) == 0)
        {
          memlane_text_set (&parts[i], articles[k].words);
          break;
        }
  return parts != NULL ? g_strjoinv ("; ", parts) : NULL;
}

/* --- what the steps do ------------------------------------------------------------------------ */

gboolean
memlane_experiment_has_cells (const MemlaneExperiment *experiment)
{
  MEMLANE_FOR_EACH (const MemlaneExperimentStep, step, experiment->steps)
    if (step->kind == MEMLANE_STEP_SWEEP)
      return TRUE;
  return FALSE;
}

gboolean
memlane_experiment_take_noise (MemlaneExperiment *experiment, GError **error)
{
  MEMLANE_FOR_EACH (const MemlaneExperimentStep, step, experiment->steps)
    {
      if (step->kind != MEMLANE_STEP_SWEEP)
        return memlane_fail (error, MEMLANE_EXPERIMENT_ERROR, MEMLANE_EXPERIMENT_ERROR_UNKNOWN,
                             "%s has the step %s, which is no sweep; rounds were recorded of "
                             "sweeps alone", experiment->name, step->id);
      step->plan->sweep->method.noise = TRUE;
    }
  return TRUE;
}

/* --- values ----------------------------------------------------------------------------------- */

static gboolean
get_sizes (const MemlaneKeys *reader, const char *group, guint *first, guint *last, GError **error)
{
  g_autoptr (GError) problem = NULL;
  g_autofree char *text = NULL;

  return memlane_keys_get (reader, group, "sizes", TRUE, &text, error)
         && (memlane_parse_sizes (text, first, last, &problem)
             || memlane_keys_refuse (reader, group, "sizes", error, "%s", problem->message));
}

/* --- steps ------------------------------------------------------------------------------------ */

/* The keys of a step, of whatever kind. */
typedef struct
{
  char *workload, *modes, *sizes, *order, *between, *procedure, *beside;
  guint reuse, streams, chunks, engines, repeats, busy;
  double percent, cell_seconds;
  MemlaneLabPlan lab;
} StepKeys;

static MEMLANE_DEFINE_CLEAR (StepKeys, void step_keys_clear (StepKeys *data),
                             OWNS (workload, g_free) OWNS (modes, g_free) OWNS (sizes, g_free)
                                 OWNS (order, g_free) OWNS (between, g_free)
                                     OWNS (procedure, g_free) OWNS (beside, g_free))
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (StepKeys, step_keys_clear)

/* Sweeps and traces share these keys. */
static gboolean
read_plan (const MemlaneKeys *reader, const char *group, const StepKeys *keys, MemlanePlan *plan,
           const char *modes_key, const char *sizes_key, GError **error)
{
  g_autoptr (GError) problem = NULL;

  if (keys->workload != NULL)
    plan->method.workload = memlane_workload_find (keys->workload);
  if (plan->method.workload == NULL)
    return memlane_keys_refuse (reader, group, "workload", error, "unknown workload '%.80s'",
                                keys->workload);
  g_strdelimit (keys->modes, ";", ',');
  if (g_str_has_suffix (keys->modes, ","))
    keys->modes[strlen (keys->modes) - 1] = '\0';
  if (!memlane_plan_set_modes (plan, keys->modes, &problem))
    return memlane_keys_refuse (reader, group, modes_key, error, "%s", problem->message);
  if (!memlane_plan_set_sizes (plan, keys->sizes, &problem))
    return memlane_keys_refuse (reader, group, sizes_key, error, "%s", problem->message);
  plan->method.reuse = keys->reuse > 0 ? keys->reuse : plan->method.reuse;
  plan->method.streams = keys->streams > 0 ? keys->streams : plan->method.streams;
  plan->method.chunks = keys->chunks > 0 ? keys->chunks : plan->method.chunks;
  return TRUE;
}

/* Reads what the device does meanwhile. It computes on all multiprocessors unless the file says on
 * how many percent. */
static gboolean
read_beside (const MemlaneKeys *reader, const char *group, const StepKeys *keys,
             MemlaneMethod *method, GError **error)
{
  if (keys->beside != NULL && !memlane_beside_parse (keys->beside, &method->beside))
    return memlane_keys_refuse (reader, group, "beside", error,
                                "found '%.80s', expected none, compute, copies-up, copies-down or "
                                "both", keys->beside);
  if (method->beside == MEMLANE_BESIDE_COMPUTE)
    method->busy = keys->busy > 0 ? keys->busy : 100;
  return keys->busy == 0 || method->busy > 0
         || memlane_keys_refuse (reader, group, "busy", error,
                                 "nothing computes; expected beside=compute");
}

static gboolean
read_sweep (const MemlaneKeys *reader, const char *group, const StepKeys *keys,
            MemlaneExperimentStep *step, GError **error)
{
  MemlanePlan *plan = step->plan->sweep = memlane_plan_new ();
  g_autofree char *modes = NULL, *beside = NULL, *busy = NULL;

  if (!read_plan (reader, group, keys, plan, "modes", "sizes", error)
      || !read_beside (reader, group, keys, &plan->method, error))
    return FALSE;
  plan->method.precision = keys->percent / 100;
  plan->method.cell_seconds = keys->cell_seconds;
  modes = MEMLANE_LIST (memlane_plan_count_modes (plan), plan->modes[i]->id);
  if (plan->method.beside != MEMLANE_BESIDE_NONE)
    beside = g_strdup_printf (", beside %s", memlane_beside_name (plan->method.beside));
  if (plan->method.busy > 0)
    busy = g_strdup_printf (" on %u %% of the multiprocessors", plan->method.busy);
  step->summary = g_strdup_printf ("%s: %s; 2^%g to 2^%g floats%s%s%s", plan->method.workload->id,
                                   modes, plan->first_log2, plan->last_log2,
                                   plan->method.reuse > 1 ? ", reused" : "",
                                   beside != NULL ? beside : "", busy != NULL ? busy : "");
  return TRUE;
}

/* Takes what a step records and how often; a step may have a simulated device of its own. */
static void
plan_recording (const StepKeys *keys, MemlaneExperimentStep *step)
{
  step->what_if = keys->engines > 0;
  if (step->what_if)
    step->plan->what_if = keys->engines == 1 ? "simulated:one-copy-engine"
                                             : "simulated:two-copy-engines";
  step->plan->procedure = &memlane_procedure_recording;
  step->plan->options.samples = keys->repeats;
}

static gboolean
read_trace (const MemlaneKeys *reader, const char *group, const StepKeys *keys,
            MemlaneExperimentStep *step, GError **error)
{
  MemlanePlan *plan = step->plan->sweep = memlane_plan_new ();

  if (!read_plan (reader, group, keys, plan, "mode", "size", error))
    return FALSE;
  plan_recording (keys, step);
  if (memlane_plan_count_cells (plan) != 1)
    return memlane_keys_refuse (reader, group,
                                plan->first_log2 != plan->last_log2 ? "size" : "mode", error,
                                "expected one mode and one size");
  step->summary = g_strdup_printf ("%s: %s, 2^%g floats, event by event", plan->method.workload->id,
                                   plan->modes[0]->id, plan->first_log2);
  return TRUE;
}

static gboolean
read_lab (const MemlaneKeys *reader, const char *group, const StepKeys *keys,
          MemlaneExperimentStep *step, GError **error)
{
  MemlaneLabPlan plan = keys->lab, *to = &step->plan->lab;
  g_autoptr (GError) problem = NULL;

  if (keys->order != NULL && !memlane_lab_order_find (keys->order, &plan.order))
    return memlane_keys_refuse (reader, group, "order", error,
                                "found '%.80s', expected depth-first or breadth-first",
                                keys->order);
  if (keys->between != NULL && !memlane_lab_between_find (keys->between, &plan.between))
    return memlane_keys_refuse (reader, group, "between", error,
                                "found '%.80s', expected nothing, pinned-allocation, "
                                "device-allocation, device-memset, device-copy or "
                                "default-stream",
                                keys->between);
  plan.reuse = keys->reuse;
  plan.streams = keys->streams;
  plan.chunks = keys->chunks;
  plan_recording (keys, step);
  if (!memlane_lab_plan_check (&plan, to, &problem))
    return memlane_keys_refuse (reader, group, NULL, error, "%s", problem->message);
  step->summary = g_strdup_printf (
      "the laboratory's pipeline, %s, %u streams, %u chunks of 2^%u floats%s%s",
      memlane_lab_order_words (to->order)->name, to->streams, to->chunks, to->log2_elements,
      plan.between != MEMLANE_LAB_NOTHING ? ", in between: " : "",
      plan.between != MEMLANE_LAB_NOTHING ? memlane_lab_between_words (plan.between)->name : "");
  return TRUE;
}

static gboolean
read_option (const MemlaneKeys *reader, const char *group, const char *key,
             const MemlaneProcedure *procedure, guint least, guint most, guint initial,
             guint *value, GError **error)
{
  g_autofree char *text = NULL;

  *value = initial;
  if (initial > 0)
    return memlane_keys_number (reader, group, key, least, most, value, error);
  if (!memlane_keys_get (reader, group, key, FALSE, &text, error))
    return FALSE;
  return text == NULL
         || memlane_keys_refuse (reader, group, key, error, "procedure %s has no such option",
                                 procedure->id);
}

/* "sizes" in the place of "size": the procedure runs at each of them. */
static gboolean
read_procedure_sizes (const MemlaneKeys *reader, const char *group, MemlaneExperimentStep *step,
                      GError **error)
{
  const MemlaneProcedure *procedure = step->plan->procedure;
  MemlaneProcedureOptions *options = &step->plan->options;

  if (!g_key_file_has_key (reader->file, group, "sizes", NULL))
    return TRUE;
  if (procedure->defaults.log2_elements == 0)
    return memlane_keys_refuse (reader, group, "sizes", error, "procedure %s has no such option",
                                procedure->id);
  if (g_key_file_has_key (reader->file, group, "size", NULL))
    return memlane_keys_refuse (reader, group, "sizes", error, "expected size or sizes, not both");
  if (!get_sizes (reader, group, &options->log2_elements, &options->last_log2, error))
    return FALSE;
  return options->last_log2 <= procedure->most.log2_elements
         || memlane_keys_refuse (reader, group, "sizes", error,
                                 "found size %u, expected at most %u", options->last_log2,
                                 procedure->most.log2_elements);
}

static gboolean
read_procedure (const MemlaneKeys *reader, const char *group, const StepKeys *keys,
                MemlaneExperimentStep *step, GError **error)
{
  const MemlaneProcedure *procedure = step->plan->procedure = memlane_procedure_find (
      keys->procedure);
  const MemlaneProcedureOptions *initial, *most;
  guint bytes;

  if (procedure == NULL)
    {
      guint n;
      const MemlaneProcedure *const *all = memlane_procedure_list (&n);
      g_autofree char *known = MEMLANE_LIST (n, all[i]->id);

      return memlane_keys_refuse (reader, group, "procedure", error,
                                  "unknown procedure '%.80s': expected one of %s", keys->procedure,
                                  known);
    }
  initial = &procedure->defaults;
  most = &procedure->most;
  if (!read_option (reader, group, "size", procedure, MEMLANE_SMALLEST_LOG2, most->log2_elements,
                    initial->log2_elements, &step->plan->options.log2_elements, error)
      || !read_procedure_sizes (reader, group, step, error)
      || !read_option (reader, group, "bytes", procedure, 64, (guint) most->bytes,
                       (guint) initial->bytes, &bytes, error)
      || !read_option (reader, group, "times", procedure, 1, most->times, initial->times,
                       &step->plan->options.times, error)
      || !read_option (reader, group, "samples", procedure, 1, most->samples, initial->samples,
                       &step->plan->options.samples, error))
    return FALSE;
  step->plan->options.bytes = bytes;
  step->summary = g_strdup (procedure->summary);
  return TRUE;
}

/* --- what a group may hold -------------------------------------------------------------------- */

#define KEY(Type, field, key, kind, ...)                                                           \
  { key, MEMLANE_KEY_##kind, G_STRUCT_OFFSET (Type, field), __VA_ARGS__ }
#define VALUE(Type, field, key, needed) KEY (Type, field, key, VALUE, needed)
#define TEXT(Type, field, key, needed) KEY (Type, field, key, TEXT, needed)
#define LIST(Type, field, key, needed) KEY (Type, field, key, LIST, needed)
#define NUMBER(Type, field, key, least, most) KEY (Type, field, key, NUMBER, FALSE, least, most)
#define FLAG(field, key) KEY (StepKeys, field, key, FLAG)

/* Texts first: a message that lists the keys begins with what each file has. */
static const MemlaneKey head_keys[] = {
  TEXT (MemlaneExperiment, title, "title", TRUE),
  TEXT (MemlaneExperiment, question, "question", TRUE),
  TEXT (MemlaneExperiment, claim, "claim", TRUE),
  TEXT (MemlaneExperiment, published_on, "published-on", FALSE),
  TEXT (MemlaneExperiment, published_differs, "published-differs", FALSE),
  TEXT (MemlaneExperiment, supported, "supported", FALSE),
  TEXT (MemlaneExperiment, refuted, "refuted", FALSE),
  TEXT (MemlaneExperiment, shows, "shows", FALSE),
  TEXT (MemlaneExperiment, explanation, "explanation", TRUE),
  TEXT (MemlaneExperiment, since, "since", FALSE),
  TEXT (MemlaneExperiment, fault, "fault", FALSE),
  TEXT (MemlaneExperiment, cure, "cure", FALSE),
  NUMBER (MemlaneExperiment, number, "number", 1, 9999),
  VALUE (MemlaneExperiment, source, "source", FALSE),
  LIST (MemlaneExperiment, verdict, "verdict", FALSE),
  LIST (MemlaneExperiment, picture, "picture", FALSE),
  LIST (MemlaneExperiment, timeline, "timeline", FALSE),
  { NULL },
};

static const MemlaneKey predict_keys[] = {
  TEXT (MemlanePrediction, question, "question", TRUE),
  KEY (MemlanePrediction, choices, "choices", TEXTS),
  LIST (MemlanePrediction, answers, "answers", FALSE),
  { NULL },
};

#define SHARED(most_chunks)                                                                        \
  VALUE (StepKeys, workload, "workload", FALSE), NUMBER (StepKeys, reuse, "reuse", 1, MOST_REUSE), \
      NUMBER (StepKeys, streams, "streams", 1, MEMLANE_MOST_STREAMS),                              \
      NUMBER (StepKeys, chunks, "chunks", 1, most_chunks)
#define RECORDED                                                                                   \
  NUMBER (StepKeys, repeats, "repeats", 1, MOST_REPEATS),                                          \
      NUMBER (StepKeys, engines, "copy-engines", 1, 2)

static const MemlaneKey sweep_keys[] = {
  SHARED (MEMLANE_MOST_PIECES),
  VALUE (StepKeys, modes, "modes", TRUE),
  VALUE (StepKeys, sizes, "sizes", TRUE),
  KEY (StepKeys, percent, "precision", DECIMAL, FALSE, 0.1, 50),
  KEY (StepKeys, cell_seconds, "cell-seconds", DECIMAL, FALSE, 0.001, 60),
  VALUE (StepKeys, beside, "beside", FALSE),
  NUMBER (StepKeys, busy, "busy", 1, 100),
  { NULL },
};

static const MemlaneKey trace_keys[] = {
  SHARED (MEMLANE_MOST_PIECES),
  VALUE (StepKeys, modes, "mode", TRUE),
  VALUE (StepKeys, sizes, "size", TRUE),
  RECORDED,
  { NULL },
};

static const MemlaneKey lab_keys[] = {
  VALUE (StepKeys, order, "order", FALSE),
  VALUE (StepKeys, between, "between", FALSE),
  NUMBER (StepKeys, lab.log2_elements, "size", 10, MEMLANE_LARGEST_LOG2),
  NUMBER (StepKeys, streams, "streams", 1, MEMLANE_MOST_STREAMS),
  NUMBER (StepKeys, chunks, "chunks", 1, MEMLANE_MOST_CHUNKS),
  NUMBER (StepKeys, reuse, "reuse", 1, MOST_REUSE),
  FLAG (lab.pageable, "pageable"),
  FLAG (lab.non_blocking, "non-blocking"),
  FLAG (lab.priorities, "priorities"),
  FLAG (lab.host_functions, "host-functions"),
  RECORDED,
  { NULL },
};

static const MemlaneKey procedure_keys[] = {
  VALUE (StepKeys, procedure, "procedure", TRUE),
  { "size", MEMLANE_KEY_ELSEWHERE },
  { "sizes", MEMLANE_KEY_ELSEWHERE },
  { "bytes", MEMLANE_KEY_ELSEWHERE },
  { "times", MEMLANE_KEY_ELSEWHERE },
  { "samples", MEMLANE_KEY_ELSEWHERE },
  { NULL },
};

static const MemlaneKey check_keys[] = {
  TEXT (MemlaneExperimentCheck, claim, "claim", TRUE),
  VALUE (MemlaneExperimentCheck, test, "test", TRUE),
  LIST (MemlaneExperimentCheck, requires, "requires", FALSE),
  VALUE (MemlaneExperimentCheck, cite, "cite", FALSE),
  { NULL },
};

static const MemlaneKey figure_keys[] = {
  TEXT (MemlaneExperimentFigure, title, "title", TRUE),
  TEXT (MemlaneExperimentFigure, unit, "unit", FALSE),
  VALUE (MemlaneExperimentFigure, value, "value", TRUE),
  VALUE (MemlaneExperimentFigure, published, "published", FALSE),
  { NULL },
};

static const MemlaneKey table_keys[] = {
  TEXT (MemlaneExperimentTable, title, "title", TRUE),
  KEY (MemlaneExperimentTable, titles, "titles", TEXTS),
  LIST (MemlaneExperimentTable, columns, "columns", TRUE),
  VALUE (MemlaneExperimentTable, source, "published", FALSE),
  { "sizes", MEMLANE_KEY_ELSEWHERE },
  { NULL },
};

typedef struct
{
  const char *kind;       /* the group, or its first word */
  const MemlaneKey *keys;
  gboolean has_id;
  gboolean (*read) (const MemlaneKeys *reader, const char *group, const StepKeys *keys,
                    MemlaneExperimentStep *step, GError **error);
  MemlaneStepKind step;   /* with @read */
} Group;

static const Group groups[] = {
  { "Experiment", head_keys },
  { "Predict", predict_keys },
  { "Sweep", sweep_keys, TRUE, read_sweep, MEMLANE_STEP_SWEEP },
  { "Trace", trace_keys, TRUE, read_trace, MEMLANE_STEP_TRACE },
  { "Lab", lab_keys, TRUE, read_lab, MEMLANE_STEP_TRACE },
  { "Procedure", procedure_keys, TRUE, read_procedure, MEMLANE_STEP_PROCEDURE },
  { "Check", check_keys, TRUE },
  { "Figure", figure_keys, TRUE },
  { "Table", table_keys, TRUE },
};

static const Group *
find_group (const char *name, const char **id)
{
  const char *blank = strchr (name, ' ');
  gsize length = blank != NULL ? (gsize) (blank - name) : strlen (name);

  for (guint i = 0; i < G_N_ELEMENTS (groups); i++)
    if (strlen (groups[i].kind) == length && strncmp (groups[i].kind, name, length) == 0
        && groups[i].has_id == (blank != NULL))
      {
        *id = blank != NULL ? blank + 1 : NULL;
        return &groups[i];
      }
  return NULL;
}

static gboolean
check_groups (const MemlaneKeys *reader, char **names, GError **error)
{
  for (guint i = 0; names[i] != NULL; i++)
    {
      const char *id = NULL;
      const Group *group = find_group (names[i], &id);
      gsize length = id != NULL ? strlen (id) : 0;

      if (group == NULL)
        return memlane_keys_refuse (
            reader, names[i], NULL, error,
            "unknown group, expected [Experiment], [Predict] or [Sweep ID], [Trace ID], [Lab ID], "
            "[Procedure ID], [Check ID], [Figure ID], [Table ID]");
      if (id != NULL
          && (length == 0 || length > 40 || *id == '-'
              || strspn (id, G_CSET_a_2_z G_CSET_DIGITS "-") < length))
        return memlane_keys_refuse (
            reader, names[i], NULL, error,
            "expected small letters, digits and dashes as the id, at most 40");
      if (!memlane_keys_check (reader, names[i], group->keys, error))
        return FALSE;
    }
  return TRUE;
}

/* --- groups ----------------------------------------------------------------------------------- */

/* The same cell twice would be two answers to one question. */
static gboolean
check_cells (const MemlaneKeys *reader, const MemlaneExperiment *self, const char *group,
             const MemlanePlan *plan, GError **error)
{
  MEMLANE_FOR_EACH (const MemlaneExperimentStep, other, self->steps)
    {
      const MemlanePlan *there = other->plan->sweep;

      if (other->kind != MEMLANE_STEP_SWEEP || there->method.workload != plan->method.workload
          || there->method.reuse != plan->method.reuse
          || there->method.streams != plan->method.streams
          || there->method.chunks != plan->method.chunks
          || there->method.beside != plan->method.beside || there->method.busy != plan->method.busy
          || there->first_log2 > plan->last_log2 || there->last_log2 < plan->first_log2)
        continue;
      for (guint k = 0; plan->modes[k] != NULL; k++)
        for (guint m = 0; there->modes[m] != NULL; m++)
          if (plan->modes[k] == there->modes[m])
            return memlane_keys_refuse (reader, group, "modes", error,
                                        "%s is measured at these sizes by [Sweep %s] already",
                                        plan->modes[k]->id, other->id);
    }
  return TRUE;
}

static gboolean
read_steps (const MemlaneKeys *reader, char **names, MemlaneExperiment *self, GError **error)
{
  for (guint i = 0; names[i] != NULL; i++)
    {
      const char *id = NULL;
      const Group *group = find_group (names[i], &id);
      g_autoptr (MemlaneExperimentStep) step = NULL;
      g_auto (StepKeys) keys = { .repeats = USUAL_REPEATS, .percent = 2, .cell_seconds = 0.1 };

      if (group->read == NULL)
        continue;
      if (memlane_find_by_id (self->steps, id) != NULL)
        return memlane_keys_refuse (reader, names[i], NULL, error, "there is a step '%s' already",
                                    id);
      step = g_new0 (MemlaneExperimentStep, 1);
      step->kind = group->step;
      step->id = g_strdup (id);
      step->plan = g_new0 (MemlaneStepPlan, 1);
      if (!memlane_keys_fill (reader, names[i], group->keys, &keys, error)
          || !group->read (reader, names[i], &keys, step, error)
          || (step->kind == MEMLANE_STEP_SWEEP
              && !check_cells (reader, self, names[i], step->plan->sweep, error)))
        return FALSE;
      g_ptr_array_add (self->steps, g_steal_pointer (&step));
    }
  return self->steps->len > 0
         || memlane_keys_refuse (
             reader, "Experiment", NULL, error,
             "nothing is measured, expected a [Sweep ID], [Trace ID], [Lab ID] or "
             "[Procedure ID]");
}

/* @first_log2 and @last_log2: of a column. */
static gboolean
parse_test (const MemlaneKeys *reader, const char *group, const char *key, const char *text,
            const MemlaneExperiment *self, MemlaneTestForm form, guint first_log2, guint last_log2,
            MemlaneTest **test, GError **error)
{
  g_autofree char *reason = NULL;

  *test = memlane_test_parse (text, self->steps, form, first_log2, last_log2, &reason);
  return *test != NULL || memlane_keys_refuse (reader, group, key, error, "%s", reason);
}

static gboolean
read_check (const MemlaneKeys *reader, const char *group, const char *id, MemlaneExperiment *self,
            GError **error)
{
  MemlaneExperimentCheck *check = g_new0 (MemlaneExperimentCheck, 1);

  check->id = g_strdup (id);
  g_ptr_array_add (self->checks, check);
  if (!memlane_keys_fill (reader, group, check_keys, check, error)
      || !parse_test (reader, group, "test", check->test, self, MEMLANE_TEST_COMPARISON, 0, 0,
                      &check->parsed, error))
    return FALSE;
  if (check->cite != NULL && !g_regex_match_simple ("^[0-9]{3}:[0-9]{1,5}$", check->cite, 0, 0))
    return memlane_keys_refuse (reader, group, "cite", error,
                                "found '%.80s', expected ARTICLE:LINE, such as 001:254",
                                check->cite);
  for (guint i = 0; check->requires[i] != NULL; i++)
    if (strcmp (check->requires[i], id) == 0
        || memlane_find_by_id (self->checks, check->requires[i]) == NULL)
      return memlane_keys_refuse (reader, group, "requires", error,
                                  "there is no [Check %.40s] before this one", check->requires[i]);
  check->what_if = memlane_test_is_what_if (check->parsed);
  return TRUE;
}

static gboolean
read_figure (const MemlaneKeys *reader, const char *group, const char *id, MemlaneExperiment *self,
             GError **error)
{
  MemlaneExperimentFigure *figure = g_new0 (MemlaneExperimentFigure, 1);
  MemlaneValueKind kind;
  double value;

  g_ptr_array_add (self->figures, figure);
  figure->id = g_strdup (id);
  if (!memlane_keys_fill (reader, group, figure_keys, figure, error)
      || !parse_test (reader, group, "value", figure->value, self, MEMLANE_TEST_FIGURE, 0, 0,
                      &figure->parsed, error))
    return FALSE;
  if (figure->unit != NULL && figure->parsed->left.kind != MEMLANE_VALUE_NUMBER)
    return memlane_keys_refuse (reader, group, "unit", error,
                                "only a number has a unit of its own");
  if (figure->published != NULL && figure->parsed->left.kind != MEMLANE_VALUE_WORD
      && (!memlane_parse_quantity (figure->published, &kind, &value)
          || kind != figure->parsed->left.kind))
    return memlane_keys_refuse (
        reader, group, "published", error, "found '%.80s', expected a %s as the value is",
        figure->published,
        figure->parsed->left.kind == MEMLANE_VALUE_TIME ? "time, such as 5.7688 ms," : "number");
  return TRUE;
}

static gboolean
read_table (const MemlaneKeys *reader, const char *group, const char *id, MemlaneExperiment *self,
            GError **error)
{
  MemlaneExperimentTable *table = g_new0 (MemlaneExperimentTable, 1);

  g_ptr_array_add (self->tables, table);
  table->id = g_strdup (id);
  if (!memlane_keys_fill (reader, group, table_keys, table, error)
      || !get_sizes (reader, group, &table->first_log2, &table->last_log2, error))
    return FALSE;
  if (table->titles[0] != NULL && g_strv_length (table->titles) != g_strv_length (table->columns))
    return memlane_keys_refuse (reader, group, "titles", error,
                                "found %u titles, expected %u as columns",
                                g_strv_length (table->titles), g_strv_length (table->columns));
  table->parsed = g_ptr_array_new_with_free_func ((GDestroyNotify) memlane_test_free);
  for (char **column = table->columns; *column != NULL; column++)
    {
      MemlaneTest *test;

      if (!parse_test (reader, group, "columns", *column, self, MEMLANE_TEST_COLUMN,
                       table->first_log2, table->last_log2, &test, error))
        return FALSE;
      g_ptr_array_add (table->parsed, test);
    }
  return TRUE;
}

static gboolean
read_judgements (const MemlaneKeys *reader, char **names, MemlaneExperiment *self, GError **error)
{
  for (guint i = 0; names[i] != NULL; i++)
    {
      const char *id = NULL, *kind = find_group (names[i], &id)->kind;

      if ((strcmp (kind, "Check") == 0 && !read_check (reader, names[i], id, self, error))
          || (strcmp (kind, "Figure") == 0 && !read_figure (reader, names[i], id, self, error))
          || (strcmp (kind, "Table") == 0 && !read_table (reader, names[i], id, self, error)))
        return FALSE;
      if (self->checks->len > MOST || self->figures->len > MOST || self->tables->len > MOST)
        return memlane_keys_refuse (reader, names[i], NULL, error, "more than %d of a kind", MOST);
    }
  return self->checks->len > 0
         || memlane_keys_refuse (reader, "Experiment", NULL, error,
                                 "nothing is claimed, expected a [Check ID]");
}

/* A simulated device of the step's own gives no evidence about the device. */
static gboolean
check_verdict (const MemlaneKeys *reader, MemlaneExperiment *self, GError **error)
{
  if (self->verdict[0] == NULL) /* all that may */
    {
      g_autoptr (GStrvBuilder) all = g_strv_builder_new ();

      MEMLANE_FOR_EACH (const MemlaneExperimentCheck, check, self->checks)
        if (!check->what_if)
          g_strv_builder_add (all, check->id);
      g_strfreev (self->verdict);
      self->verdict = g_strv_builder_end (all);
      return self->verdict[0] != NULL
             || memlane_keys_refuse (
                 reader, "Experiment", NULL, error,
                 "every check looks at a simulated device of its own: none judges the device");
    }
  for (guint i = 0; self->verdict[i] != NULL; i++)
    {
      const MemlaneExperimentCheck *check = memlane_find_by_id (self->checks, self->verdict[i]);

      if (check == NULL)
        return memlane_keys_refuse (reader, "Experiment", "verdict", error,
                                    "there is no [Check %.40s]", self->verdict[i]);
      if (check->what_if)
        return memlane_keys_refuse (
            reader, "Experiment", "verdict", error,
            "[Check %.40s] looks at a simulated device of its own: it cannot judge the device",
            check->id);
    }
  return TRUE;
}

/* "{ID}" in a verdict's sentence: each is a figure. */
static gboolean
check_sentence (const MemlaneKeys *reader, const MemlaneExperiment *self, const char *key,
                const char *text, GError **error)
{
  g_autoptr (GRegex) pattern = g_regex_new ("\\{([^}]*)\\}", 0, 0, NULL);
  g_autoptr (GMatchInfo) match = NULL;

  for (g_regex_match (pattern, text != NULL ? text : "", 0, &match); g_match_info_matches (match);
       g_match_info_next (match, NULL))
    {
      g_autofree char *id = g_match_info_fetch (match, 1);

      if (memlane_find_by_id (self->figures, id) == NULL)
        return memlane_keys_refuse (reader, "Experiment", key, error, "there is no [Figure %.40s]",
                                    id);
    }
  return TRUE;
}

static gboolean
check_picture (const MemlaneKeys *reader, MemlaneExperiment *self, GError **error)
{
  for (guint i = 0; self->timeline[i] != NULL; i++)
    {
      const MemlaneExperimentStep *step = memlane_find_by_id (self->steps, self->timeline[i]);

      if (i >= 2 || step == NULL || step->kind == MEMLANE_STEP_SWEEP)
        return memlane_keys_refuse (reader, "Experiment", "timeline", error,
                                    "found '%.40s', expected at most two steps that record",
                                    self->timeline[i]);
    }
  for (guint i = 0; self->picture[i] != NULL; i++)
    {
      g_auto (GStrv) parts = g_strsplit (self->picture[i], "@", 2);

      if (memlane_find_by_id (self->checks, self->picture[i]) == NULL
          && memlane_find_by_id (self->figures, self->picture[i]) == NULL
          && memlane_find_by_id (self->tables, parts[0]) == NULL)
        return memlane_keys_refuse (reader, "Experiment", "picture", error,
                                    "there is no [Figure], [Table] or [Check %.40s]",
                                    self->picture[i]);
    }
  return check_sentence (reader, self, "supported", self->supported, error)
         && check_sentence (reader, self, "refuted", self->refuted, error);
}

static gboolean
read_prediction (const MemlaneKeys *reader, MemlaneExperiment *self, GError **error)
{
  MemlanePrediction *to = &self->prediction;
  const char *group = "Predict";

  if (!g_key_file_has_group (reader->file, group))
    return TRUE;
  if (!memlane_keys_fill (reader, group, predict_keys, to, error))
    return FALSE;
  if (g_strv_length (to->choices) != g_strv_length (to->answers) || g_strv_length (to->choices) < 2)
    return memlane_keys_refuse (
        reader, group, "answers", error,
        "found %u, expected one for each of the %u choices, and two at least",
        g_strv_length (to->answers), g_strv_length (to->choices));
  for (guint i = 0; to->answers[i] != NULL; i++)
    if (memlane_find_by_id (self->checks, to->answers[i] + (*to->answers[i] == '!')) == NULL)
      return memlane_keys_refuse (reader, group, "answers", error, "there is no [Check %.40s]",
                                  to->answers[i]);
  return TRUE;
}

static gboolean
read_all (const MemlaneKeys *reader, MemlaneExperiment *self, GError **error)
{
  g_auto (GStrv) names = g_key_file_get_groups (reader->file, NULL);

  if (!g_key_file_has_group (reader->file, "Experiment"))
    return memlane_refuse (error, "%s:1: the group [Experiment] is missing", reader->name);
  return check_groups (reader, names, error)
         && memlane_keys_fill (reader, "Experiment", head_keys, self, error)
         && read_steps (reader, names, self, error) && read_judgements (reader, names, self, error)
         && check_verdict (reader, self, error) && check_picture (reader, self, error)
         && read_prediction (reader, self, error);
}

MemlaneExperiment *
memlane_experiment_parse (const char *text, gsize length, const char *name, const char *language,
                          GError **error)
{
  g_autoptr (MemlaneExperiment) self = NULL;
  g_auto (MemlaneKeys) reader = { 0 };

  if (!memlane_keys_open (&reader, text, length, name, "Experiment", language, error))
    return NULL;
  self = g_new0 (MemlaneExperiment, 1);
  self->ref_count = 1;
  self->text = g_strndup (text, length);
  self->steps = g_ptr_array_new_with_free_func ((GDestroyNotify) step_free);
  self->checks = g_ptr_array_new_with_free_func ((GDestroyNotify) check_free);
  self->figures = g_ptr_array_new_with_free_func ((GDestroyNotify) figure_free);
  self->tables = g_ptr_array_new_with_free_func ((GDestroyNotify) table_free);
  return read_all (&reader, self, error) ? g_steal_pointer (&self) : NULL;
}

/* --- files ------------------------------------------------------------------------------------ */

MemlaneExperiment *
memlane_experiment_read (const char *path, const char *language, GError **error)
{
  g_autofree char *base = g_path_get_basename (path), *text = NULL;
  MemlaneExperiment *self;
  gsize length;

  if (!memlane_keys_read (path, &text, &length, error))
    return NULL;
  self = memlane_experiment_parse (text, length, path, language, error);
  if (self == NULL)
    return NULL;
  self->path = g_strdup (path);
  self->name = g_str_has_suffix (base, SUFFIX) ? g_strndup (base, strlen (base) - strlen (SUFFIX))
                                               : g_strdup (base);
  return self;
}

/* Those without a number (0) come last. */
MEMLANE_DEFINE_ORDER_OF_POINTERS (compare, MemlaneExperiment,
                                  RISING (number - 1) return strcmp (one->name,
                                                                     other->name);)

MEMLANE_DEFINE_LIST (memlane_experiment_list, MemlaneExperiment, memlane_experiment_read,
                     memlane_experiment_unref, memlane_data_list_files ("experiments", SUFFIX),
                     compare)

MemlaneExperiment *
memlane_experiment_find (const char *name, const char *language, GError **error)
{
  g_autofree char *path = NULL, *file = NULL, *relative = NULL, *known = NULL;
  g_autoptr (GPtrArray) list = NULL;
  guint64 number = 0;

  if (strchr (name, '/') != NULL || g_str_has_suffix (name, SUFFIX))
    return memlane_experiment_read (name, language, error);
  file = g_strconcat (name, SUFFIX, NULL);
  relative = g_build_filename ("experiments", file, NULL);
  path = memlane_data_find (relative);
  if (path != NULL)
    return memlane_experiment_read (path, language, error);
  list = memlane_experiment_list (language, NULL);
  g_ascii_string_to_unsigned (name, 10, 1, 9999, &number, NULL);
  MEMLANE_FOR_EACH (MemlaneExperiment, each, list)
    if (number > 0 && each->number == number)
      return memlane_experiment_ref (each);
  known = MEMLANE_LIST (list->len, ((const MemlaneExperiment *) list->pdata[i])->name);
  return memlane_fail (error, MEMLANE_EXPERIMENT_ERROR, MEMLANE_EXPERIMENT_ERROR_UNKNOWN,
                       "unknown experiment \"%.80s\": expected a number, a file, or one of %s",
                       name, known),
         NULL;
}
