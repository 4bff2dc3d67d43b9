/* table-job.c: the order of a large table, on a worker thread
 *
 * SPDX-License-Identifier: MIT
 */
#include "table-job.h"

typedef struct
{
  MemlaneTableRows *rows; /* handed back on the main thread: it holds objects */
  MemlaneTableRequest request;
} Job;

static void
free_job (gpointer data)
{
  Job *job = data;

  g_clear_pointer (&job->rows, memlane_table_rows_unref);
  memlane_table_request_clear (&job->request);
  g_free (job);
}

static void
job_thread (GTask *task, gpointer source, gpointer data, GCancellable *cancellable)
{
  Job *job = data;
  GArray *order = memlane_table_order (job->rows, &job->request, cancellable);

  if (order != NULL)
    g_task_return_pointer (task, order, (GDestroyNotify) g_array_unref);
  else
    g_task_return_new_error (task, G_IO_ERROR, G_IO_ERROR_CANCELLED, "cancelled");
}

void
memlane_table_order_async (gpointer source, MemlaneTableRows *rows, const MemlaneTableRequest *request, GCancellable *cancellable,
                           GAsyncReadyCallback callback, gpointer user_data)
{
  g_autoptr (GTask) task = g_task_new (source, cancellable, callback, user_data);
  Job *job = g_new0 (Job, 1);

  job->rows = memlane_table_rows_ref (rows);
  memlane_table_request_copy (&job->request, request);
  g_task_set_check_cancellable (task, FALSE);
  g_task_set_task_data (task, job, free_job);
  g_task_run_in_thread (task, job_thread);
}

GArray *
memlane_table_order_finish (GAsyncResult *result, MemlaneTableRows **rows)
{
  Job *job = g_task_get_task_data (G_TASK (result));

  *rows = g_steal_pointer (&job->rows);
  return g_task_propagate_pointer (G_TASK (result), NULL);
}
