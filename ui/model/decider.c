/* decider.c: what the shown runs say on which mode to use, kept up to date on a worker thread, and
 * its words
 *
 * SPDX-License-Identifier: MIT
 */
#include "decider.h"

#include <glib/gi18n-lib.h>

#include "base/each.h"
#include "base/owns.h"
#include "base/words.h"
#include "chart/answer-words.h"
#include "memlane.h"
#include "fields.h"

/* --- the result ------------------------------------------------------------------------------- */

MEMLANE_DEFINE_REF (MemlaneDecideResult, memlane_decide_result,
                    OWNS (decision, memlane_decision_unref) OWNS (bare, memlane_decision_unref)
                        OWNS (notes, g_ptr_array_unref) OWNS (crossovers, g_ptr_array_unref)
                            OWNS (locking, g_ptr_array_unref))

GPtrArray *
memlane_decide_to_words (GPtrArray *answers)
{
  GPtrArray *words = g_ptr_array_new_with_free_func (g_free);

  MEMLANE_FOR_EACH (const MemlaneAnswer, answer, answers)
    g_ptr_array_add (words, memlane_answer_to_words (answer));
  g_ptr_array_unref (answers);
  return words;
}

/* --- the worker ------------------------------------------------------------------------------- */

typedef struct
{
  /* (element-type MemlaneRun): ours alone, for a run's references are not counted across threads */
  GPtrArray *runs;
  char *workload;
  char *asked;              /* the decider's question then: the answer to another one is dropped */
  MemlaneQuestion question; /* its workload is ours */
} Job;

MEMLANE_DEFINE_FREE (Job, static void free_job (gpointer data),
                     OWNS (runs, g_ptr_array_unref) OWNS (workload, g_free)
                         OWNS (asked, g_free))

/* Returns what @item has now, while it may grow, named as the person calls it. (transfer full) */
static MemlaneRun *
copy_run (MemlaneRunItem *item)
{
  MemlaneRun *copy = memlane_run_copy (item->run);

  memlane_text_set (&copy->id, memlane_run_item_get_name (item));
  return copy;
}

static void
decide_thread (GTask *task, gpointer source, gpointer data, GCancellable *cancellable)
{
  const Job *job = data;
  MemlaneDecideResult *result = g_new0 (MemlaneDecideResult, 1);
  MemlaneQuestion bare = job->question;

  result->ref_count = 1;
  result->decision = memlane_decision_new (job->runs, &job->question);
  bare.count = MEMLANE_COUNT_TRANSFER;
  result->bare = memlane_decision_new (job->runs, &bare);
  result->notes = memlane_decide_to_words (g_ptr_array_ref (result->decision->notes));
  result->crossovers = memlane_decide_to_words (
      memlane_decision_describe_crossovers (result->decision));
  result->locking = memlane_decide_to_words (memlane_decision_describe_locking (result->decision));
  g_task_return_pointer (task, result, (GDestroyNotify) memlane_decide_result_unref);
}

/* --- words ------------------------------------------------------------------------------------ */

MEMLANE_DEFINE_NAMES (memlane_decide_direction_title, MemlaneDirection, MEMLANE_N_DIRECTIONS,
                      N_("Both ways"), N_("To the device"), N_("To the host"))

static void
append_list (GString *text, const char *title, const GPtrArray *sentences)
{
  if (sentences->len > 0)
    g_string_append_printf (text, "\n%s\n", title);
  MEMLANE_FOR_EACH (const char, sentence, sentences)
    g_string_append_printf (text, "- %s\n", sentence);
}

char *
memlane_decide_result_to_text (const MemlaneDecideResult *result, double log2_elements, guint row)
{
  const MemlaneDecision *decision = result->decision;
  const MemlanePlace place = memlane_decision_locate (decision, log2_elements, row);
  const MemlaneWorkload *workload = memlane_workload_find (decision->workload);
  g_autoptr (GPtrArray) recommended = memlane_decide_to_words (
      memlane_decision_recommend (place.decision, place.log2_elements, place.reuse));
  GString *text = g_string_new (NULL);

  g_string_append_printf (
      text, "%s · %s · %s%s%s\n", decision->run->id,
      workload != NULL ? g_dgettext (GETTEXT_PACKAGE, workload->title) : decision->workload,
      _ (memlane_decide_direction_title (decision->direction)), decision->simulated ? " · " : "",
      decision->simulated ? C_("figure", "SIMULATED") : "");
  append_list (text, _("Recommendation"), recommended);
  append_list (text, _("Limitations"), result->notes);
  append_list (text, _("Crossovers"), result->crossovers);
  append_list (text, _("Price of Page-Locking"), result->locking);
  return g_string_free (text, FALSE);
}

/* --- the decider ------------------------------------------------------------------------------ */

struct _MemlaneDecider
{
  GObject parent_instance;

  MemlaneRunStore *runs;       /* (owned) */
  MemlaneViewModel *view;      /* (owned) */
  MemlaneDecideResult *result; /* (owned) (nullable) */
  MemlaneQuestion question;    /* without its workload */
  MemlaneRunItem *base;        /* weak (nullable): whose machine the person chose */
  gboolean active;
  gboolean stale;              /* something has changed while nobody looked */

  /* what the result is or will be of, but for the cells; NULL: nothing */
  char *asking;
  gboolean deciding, again;    /* the worker is at it; something has changed since it began */
  gboolean reading;            /* none is shown yet, and one is on its way */
};

/* --- the question ----------------------------------------------------------------------------- */

/* The measured before the simulated, the person's before the recorded one, the larger before the
 * smaller, and else as in the list. */
static int
compare_items (gconstpointer a, gconstpointer b)
{
  MemlaneRunItem *one = *(MemlaneRunItem *const *) a, *other = *(MemlaneRunItem *const *) b;
  int simulated = memlane_run_is_simulated (one->run) - memlane_run_is_simulated (other->run);
  int recorded = (one->kind == MEMLANE_RUN_RECORDED) - (other->kind == MEMLANE_RUN_RECORDED);
  guint cells = one->run->cells->len, others = other->run->cells->len;

  return simulated != 0  ? simulated
         : recorded != 0 ? recorded
                         : (cells < others) - (cells > others);
}

GPtrArray *
memlane_decider_list_runs (MemlaneDecider *self)
{
  g_autoptr (GPtrArray) drawn = memlane_view_model_get_drawn (self->view);
  GPtrArray *items = drawn->len > 0 ? g_steal_pointer (&drawn)
                                    : memlane_run_store_get_shown (self->runs);

  g_ptr_array_sort (items, compare_items); /* stable since GLib 2.32 */
  for (guint i = 1; i < items->len; i++)
    if (items->pdata[i] == self->base)
      g_ptr_array_insert (items, 0, g_ptr_array_steal_index (items, i));
  return items;
}

static char *
make_question (GPtrArray *items, const MemlaneQuestion *asked)
{
  GString *question = g_string_new (memlane_direction_name (asked->direction));

  g_string_append_printf (question, " %s %u %s", memlane_count_name (asked->count), asked->uses,
                          asked->workload != NULL ? asked->workload : "");
  MEMLANE_FOR_EACH (MemlaneRunItem, item, items)
    g_string_append_printf (question, " %p %s", (void *) item, memlane_run_item_get_name (item));
  return g_string_free (question, FALSE);
}

/* --- the answer ------------------------------------------------------------------------------- */

static void
set_result (MemlaneDecider *self, MemlaneDecideResult *result)
{
  memlane_decide_result_unref (self->result);
  self->result = memlane_decide_result_ref (result);
  memlane_say_changed (self);
}

static void decide (MemlaneDecider *self);

static void
decided_cb (GObject *source, GAsyncResult *task, gpointer user_data)
{
  g_autoptr (MemlaneDecider) self = user_data;
  const Job *job = g_task_get_task_data (G_TASK (task));
  g_autoptr (MemlaneDecideResult) result = g_task_propagate_pointer (G_TASK (task), NULL);
  gboolean again = self->again;

  self->deciding = self->again = FALSE;
  if (g_strcmp0 (job->asked, self->asking) == 0)
    set_result (self, result);
  if (again)
    decide (self);
}

static void
decide (MemlaneDecider *self)
{
  g_autoptr (GPtrArray) items = NULL;
  g_autoptr (GTask) task = NULL;
  MemlaneQuestion question = self->question;
  Job *job;

  self->stale = !self->active;
  if (self->stale)
    return;
  question.workload = self->view->workload->id;
  items = memlane_decider_list_runs (self);
  self->reading = items->len == 0 && memlane_run_store_is_reading (self->runs);
  if (items->len == 0)
    {
      g_clear_pointer (&self->asking, g_free);
      self->again = FALSE;
      set_result (self, NULL);
      return;
    }
  if (!memlane_run_item_has_workload (items->pdata[0], question.workload))
    question.workload = NULL; /* one of theirs is better than nothing */
  g_free (self->asking);
  self->asking = make_question (items, &question);
  if (self->deciding)
    {
      self->again = TRUE;
      return;
    }
  self->deciding = TRUE;
  job = g_new0 (Job, 1);
  job->runs = g_ptr_array_new_with_free_func ((GDestroyNotify) memlane_run_unref);
  MEMLANE_FOR_EACH (MemlaneRunItem, item, items)
    g_ptr_array_add (job->runs, copy_run (item));
  job->asked = g_strdup (self->asking);
  job->question = question;
  job->question.workload = job->workload = g_strdup (question.workload);
  task = g_task_new (NULL, NULL, decided_cb, g_object_ref (self));
  g_task_set_task_data (task, job, free_job);
  g_task_run_in_thread (task, decide_thread);
  if (self->result == NULL)
    memlane_say_changed (self);
}

/* --- life ------------------------------------------------------------------------------------- */

MEMLANE_DEFINE_OBJECT (MemlaneDecider, memlane_decider,
                       OWNS (result, memlane_decide_result_unref) OWNS (asking, g_free)
                           WATCHES (base) OWNS (runs, g_object_unref) OWNS (view, g_object_unref),
                       memlane_signal_add (klass, "changed", 0);)

MemlaneDecider *
memlane_decider_new (MemlaneRunStore *runs, MemlaneViewModel *view)
{
  MemlaneDecider *self = g_object_new (MEMLANE_TYPE_DECIDER, NULL);

  self->stale = TRUE;
  self->question = (MemlaneQuestion) { .count = MEMLANE_COUNT_HOST, .uses = 1 };
  self->runs = g_object_ref (runs);
  self->view = g_object_ref (view);
  memlane_follow (self, (const MemlaneFollowed[]) {
    { view, "changed", G_CALLBACK (decide) },
    { view, "notify::shown-workload", G_CALLBACK (decide) },
    { NULL },
  });
  return self;
}

void
memlane_decider_set_active (MemlaneDecider *self, gboolean active)
{
  self->active = !!active;
  if (self->active && self->stale)
    decide (self);
}

void
memlane_decider_set_base (MemlaneDecider *self, MemlaneRunItem *base)
{
  if (g_set_weak_pointer (&self->base, base))
    decide (self);
}

void
memlane_decider_set_direction (MemlaneDecider *self, MemlaneDirection direction)
{
  if (self->question.direction == direction)
    return;
  self->question.direction = direction;
  decide (self);
}

void
memlane_decider_set_count (MemlaneDecider *self, MemlaneCount count, guint uses)
{
  if (self->question.count == count && self->question.uses == uses)
    return;
  self->question.count = count;
  self->question.uses = uses;
  decide (self);
}

MemlaneDecideResult *
memlane_decider_get_result (MemlaneDecider *self)
{
  return self->result;
}

gboolean
memlane_decider_is_waiting (MemlaneDecider *self)
{
  return self->deciding || self->reading;
}
