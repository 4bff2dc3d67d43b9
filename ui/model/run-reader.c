/* run-reader.c: reading files of runs on worker threads, at most two at a time
 *
 * SPDX-License-Identifier: MIT
 */
#include "run-reader.h"

#include <string.h>

#include <glib/gi18n-lib.h>
#include <glib/gstdio.h>

#include "memlane.h"

#define MOST_AT_ONCE 2
#define TICK_MS 100

/* One file. The worker and the main thread share it: @permille is atomic, @path and @cancellable never change, the rest is the main
 * thread's. */
typedef struct
{
  char *path;
  GCancellable *cancellable;
  int permille;
  gboolean running;
  MemlaneRunReader *reader; /* NULL: nobody waits for it any more */
} Job;

struct _MemlaneRunReader
{
  MemlaneRunReaderCalls calls;
  gpointer user_data;
  GPtrArray *jobs; /* (element-type Job): waiting or running, in the order they were asked for */
  guint ticker;
};

static void
job_clear (gpointer data)
{
  Job *job = data;

  g_free (job->path);
  g_object_unref (job->cancellable);
}

static void
job_release (gpointer data)
{
  g_atomic_rc_box_release_full (data, job_clear);
}

static Job *
find (MemlaneRunReader *self, const char *path)
{
  for (guint i = 0; i < self->jobs->len; i++)
    if (strcmp (((Job *) self->jobs->pdata[i])->path, path) == 0)
      return self->jobs->pdata[i];
  return NULL;
}

static void
progress (guint64 bytes_read, guint64 bytes_total, gpointer user_data)
{
  Job *job = user_data;

  g_atomic_int_set (&job->permille, bytes_total > 0 ? (int) (1000.0 * (double) bytes_read / (double) bytes_total) : 0);
}

static void
work (GTask *task, gpointer source, gpointer task_data, GCancellable *cancellable)
{
  Job *job = task_data;
  GError *error = NULL;
  GPtrArray *runs = NULL;
  GStatBuf info;

  /* Opening a pipe would wait for its writer. */
  if (g_stat (job->path, &info) == 0 && !S_ISREG (info.st_mode))
    g_set_error (&error, G_IO_ERROR, G_IO_ERROR_NOT_REGULAR_FILE, _("Cannot open %s: it is not a file. Choose a CSV file."), job->path);
  else
    runs = memlane_csv_read (job->path, progress, job, job->cancellable, &error);
  if (runs != NULL)
    g_task_return_pointer (task, runs, (GDestroyNotify) g_ptr_array_unref);
  else
    g_task_return_error (task, error);
}

static void start (MemlaneRunReader *self);

static void
done_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  Job *job = user_data;
  MemlaneRunReader *self = job->reader;
  g_autoptr (GError) error = NULL;
  g_autoptr (GPtrArray) runs = g_task_propagate_pointer (G_TASK (result), &error);

  if (self != NULL)
    {
      g_autofree char *path = g_strdup (job->path);

      job->reader = NULL;
      g_ptr_array_remove (self->jobs, job);
      start (self);
      self->calls.done (path, runs, error, self->user_data); /* last: it may free the reader */
    }
  job_release (job);
}

static gboolean
tick_cb (gpointer user_data)
{
  MemlaneRunReader *self = user_data;
  g_autoptr (GPtrArray) paths = g_ptr_array_new_with_free_func (g_free); /* whoever is told may drop jobs */

  for (guint i = 0; i < self->jobs->len; i++)
    g_ptr_array_add (paths, g_strdup (((Job *) self->jobs->pdata[i])->path));
  for (guint i = 0; i < paths->len; i++)
    {
      Job *job = find (self, paths->pdata[i]);

      if (job != NULL && job->running)
        self->calls.progress (paths->pdata[i], g_atomic_int_get (&job->permille) / 1000.0, self->user_data);
    }
  self->calls.tick (self->user_data);
  if (self->jobs->len > 0)
    return G_SOURCE_CONTINUE;
  self->ticker = 0;
  return G_SOURCE_REMOVE;
}

static void
start (MemlaneRunReader *self)
{
  guint running = 0;

  for (guint i = 0; i < self->jobs->len; i++)
    running += ((Job *) self->jobs->pdata[i])->running;
  for (guint i = 0; i < self->jobs->len && running < MOST_AT_ONCE; i++)
    {
      Job *job = self->jobs->pdata[i];
      g_autoptr (GTask) task = NULL;

      if (job->running)
        continue;
      job->running = TRUE;
      running++;
      task = g_task_new (NULL, NULL, done_cb, g_atomic_rc_box_acquire (job));
      g_task_set_task_data (task, g_atomic_rc_box_acquire (job), job_release);
      g_task_run_in_thread (task, work);
    }
  if (self->ticker == 0 && self->jobs->len > 0)
    self->ticker = g_timeout_add (TICK_MS, tick_cb, self);
}

MemlaneRunReader *
memlane_run_reader_new (const MemlaneRunReaderCalls *calls, gpointer user_data)
{
  MemlaneRunReader *self = g_new0 (MemlaneRunReader, 1);

  self->calls = *calls;
  self->user_data = user_data;
  self->jobs = g_ptr_array_new_with_free_func (job_release);
  return self;
}

static void
abandon (Job *job)
{
  job->reader = NULL;
  g_cancellable_cancel (job->cancellable);
}

void
memlane_run_reader_free (MemlaneRunReader *self)
{
  if (self == NULL)
    return;
  for (guint i = 0; i < self->jobs->len; i++)
    abandon (self->jobs->pdata[i]);
  g_ptr_array_unref (self->jobs);
  g_clear_handle_id (&self->ticker, g_source_remove);
  g_free (self);
}

void
memlane_run_reader_ask (MemlaneRunReader *self, const char *path)
{
  Job *job;

  if (find (self, path) != NULL)
    return;
  job = g_atomic_rc_box_new0 (Job);
  job->path = g_strdup (path);
  job->cancellable = g_cancellable_new ();
  job->reader = self;
  g_ptr_array_add (self->jobs, job);
  start (self);
}

void
memlane_run_reader_drop (MemlaneRunReader *self, const char *path)
{
  Job *job = find (self, path);

  if (job == NULL)
    return;
  abandon (job);
  g_ptr_array_remove (self->jobs, job);
  start (self);
}
