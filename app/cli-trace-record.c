/* cli-trace-record.c: recording traces on a thread of its own, while this one listens to signals
 *
 * SPDX-License-Identifier: MIT
 */
#include "cli-trace-record.h"

#include <glib-unix.h>

#include "measure/record.h"

typedef struct
{
  GMainLoop *loop;
  GCancellable *cancellable;
  const char *device;
  CliTraceRecord record;
  gconstpointer plan;
  guint n_traces;
  gboolean is_open;     /* the device could be opened */
  MemlaneTrace *traces[CLI_MOST_TRACES];
  GError *error;
} Work;

static void
record_in_thread (GTask *task, gpointer source, gpointer task_data, GCancellable *cancellable)
{
  Work *work = task_data;
  g_autoptr (MemlaneDevice) device = memlane_device_open (work->device, &work->error);

  work->is_open = device != NULL;
  for (guint i = 0; work->error == NULL && i < work->n_traces; i++)
    work->traces[i] = work->record (work->plan, i, device, cancellable, &work->error);
  g_task_return_boolean (task, work->error == NULL);
}

static void
on_recorded (GObject *source, GAsyncResult *result, gpointer user_data)
{
  Work *work = user_data;

  g_main_loop_quit (work->loop);
}

static gboolean
on_signal (gpointer user_data)
{
  Work *work = user_data;

  g_cancellable_cancel (work->cancellable);
  return G_SOURCE_CONTINUE;
}

static void
run (Work *work)
{
  g_autoptr (GTask) task = g_task_new (NULL, work->cancellable, on_recorded, work);

  g_task_set_task_data (task, work, NULL);
  g_task_run_in_thread (task, record_in_thread);
  g_main_loop_run (work->loop);
}

static int
explain_failure (const Work *work)
{
  if (!work->is_open)
    return cli_fail (cli_device_status (work->device), "device %s cannot be used: %s", work->device, work->error->message);
  if (g_error_matches (work->error, G_IO_ERROR, G_IO_ERROR_CANCELLED))
    return cli_fail (CLI_INTERRUPTED, "interrupted; nothing was recorded");
  return cli_fail (CLI_NOTHING, "nothing was recorded: %s", work->error->message);
}

int
cli_trace_record (const char *asked, const CliTraceOutput *output, CliTraceRecord record, gconstpointer plan, guint n_traces,
                  CliTracePrint print)
{
  g_autofree char *device = NULL;
  g_autoptr (GMainLoop) loop = g_main_loop_new (NULL, FALSE);
  g_autoptr (GCancellable) cancellable = g_cancellable_new ();
  Work work = { .loop = loop, .cancellable = cancellable, .record = record, .plan = plan, .n_traces = n_traces };
  guint interrupt, terminate;
  int status;

  g_assert (n_traces <= CLI_MOST_TRACES);
  memlane_trace_prepare (); /* no device is open yet */
  /* Before the first word is said: whoever reads it may interrupt. */
  interrupt = g_unix_signal_add (SIGINT, on_signal, &work);
  terminate = g_unix_signal_add (SIGTERM, on_signal, &work);
  device = cli_device_choose (asked, output->quiet, &status);
  if (device != NULL)
    {
      work.device = device;
      run (&work);
    }
  g_source_remove (interrupt);
  g_source_remove (terminate);
  if (device == NULL)
    return status;

  status = work.error == NULL ? cli_trace_output_write (output, work.traces, n_traces) : explain_failure (&work);
  if (status == CLI_OK && print != NULL && cli_trace_output_summarizes (output))
    print (plan, work.traces, n_traces);
  for (guint i = 0; i < n_traces; i++)
    g_clear_pointer (&work.traces[i], memlane_trace_unref);
  g_clear_error (&work.error);
  return status;
}
