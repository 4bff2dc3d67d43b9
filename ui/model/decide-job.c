/* decide-job.c: which mode to use, and the figures that say so, worked out on a worker thread
 *
 * SPDX-License-Identifier: MIT
 */
#include "decide-job.h"

#include "chart/answer-words.h"
#include "run-item.h"

/* --- the result ---------------------------------------------------------------------------------------------------------------- */

MemlaneDecideResult *
memlane_decide_result_ref (MemlaneDecideResult *result)
{
  return g_atomic_rc_box_acquire (result);
}

static void
clear_result (gpointer data)
{
  MemlaneDecideResult *result = data;

  memlane_decision_free (result->decision);
  g_ptr_array_unref (result->notes);
  g_ptr_array_unref (result->crossovers);
  g_ptr_array_unref (result->break_evens);
  g_ptr_array_unref (result->fits);
}

void
memlane_decide_result_unref (MemlaneDecideResult *result)
{
  g_atomic_rc_box_release_full (result, clear_result);
}

static GPtrArray *
list_words (const GPtrArray *answers)
{
  GPtrArray *words = g_ptr_array_new_with_free_func (g_free);

  for (guint i = 0; i < answers->len; i++)
    g_ptr_array_add (words, memlane_answer_to_words (answers->pdata[i]));
  return words;
}

GPtrArray *
memlane_decide_to_words (GPtrArray *answers)
{
  GPtrArray *words = list_words (answers);

  g_ptr_array_unref (answers);
  return words;
}

/* --- the worker ---------------------------------------------------------------------------------------------------------------- */

typedef struct
{
  GPtrArray *runs; /* (element-type MemlaneRun): ours alone, for a run's references are not counted across threads */
  char *workload;
  MemlaneDirection direction;
} Job;

static void
free_job (gpointer data)
{
  Job *job = data;

  g_ptr_array_unref (job->runs);
  g_free (job->workload);
  g_free (job);
}

/* A growing run gets more cells meanwhile; those that it has do not change. It is called as the person calls it. */
static MemlaneRun *
copy_run (MemlaneRunItem *item)
{
  const MemlaneRun *run = memlane_run_item_get_run (item);
  MemlaneRun *copy = memlane_run_new (memlane_run_item_get_name (item), run->device, run->device_kind);

  copy->environment = g_strdup (run->environment);
  for (guint i = 0; i < run->cells->len; i++)
    g_ptr_array_add (copy->cells, memlane_cell_ref (run->cells->pdata[i]));
  return copy;
}

static void
decide_thread (GTask *task, gpointer source, gpointer data, GCancellable *cancellable)
{
  const Job *job = data;
  MemlaneDecideResult *result = g_atomic_rc_box_new0 (MemlaneDecideResult);

  result->decision = memlane_decision_new (job->runs, job->workload, job->direction);
  result->notes = list_words (result->decision->notes);
  result->crossovers = memlane_decide_to_words (memlane_decision_describe_crossovers (result->decision));
  result->break_evens = memlane_decide_to_words (memlane_decision_describe_break_evens (result->decision));
  result->fits = memlane_decide_to_words (memlane_decision_describe_fits (result->decision));
  g_task_return_pointer (task, result, (GDestroyNotify) memlane_decide_result_unref);
}

void
memlane_decide_async (GPtrArray *items, const char *workload, MemlaneDirection direction, GAsyncReadyCallback callback, gpointer user_data)
{
  g_autoptr (GTask) task = g_task_new (NULL, NULL, callback, user_data);
  Job *job;

  g_return_if_fail (items->len > 0);
  job = g_new0 (Job, 1);
  job->runs = g_ptr_array_new_with_free_func ((GDestroyNotify) memlane_run_unref);
  for (guint i = 0; i < items->len; i++)
    g_ptr_array_add (job->runs, copy_run (items->pdata[i]));
  job->workload = g_strdup (workload);
  job->direction = direction;
  g_task_set_task_data (task, job, free_job);
  g_task_run_in_thread (task, decide_thread);
}

MemlaneDecideResult *
memlane_decide_finish (GAsyncResult *result)
{
  return g_task_propagate_pointer (G_TASK (result), NULL);
}
