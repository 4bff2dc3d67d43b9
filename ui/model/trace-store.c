/* trace-store.c: the traces that the window has open: recorded, or read from files
 *
 * SPDX-License-Identifier: MIT
 *
 * One job at a time: record, or read. A recording waits on the bench first, for it measures; when
 * it is its turn there, it waits here for what is read.
 */
#include "trace-store.h"

#include <glib-unix.h>
#include <glib/gi18n-lib.h>
#include <glib/gstdio.h>
#include <signal.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/owns.h"
#include "chart/scale.h"
#include "fields.h"
#include "memlane.h"

#define MOST_RECORDED 10
#define TICK_MS 100
#define MOST_SAID 1000    /* bytes of a program's output that are kept */
#define PATIENCE_MS 3000  /* for a program that was asked to end */

#define PAIRS 5           /* of runs in a trial */

typedef enum { READ, SAMPLE, LAB, PROGRAM, TRIAL } JobKind;

typedef struct
{
  JobKind kind;
  char *path;          /* READ */
  char *device;        /* SAMPLE, LAB */
  MemlaneMethod method; /* SAMPLE */
  const MemlaneMode *mode;
  double log2_elements;
  MemlaneLabPlan lab;  /* LAB */
  char **words;        /* PROGRAM: it and its arguments */
  MemlaneTraceItem *item; /* TRIAL: its program is run; owned */
  MemlaneChangeKind change; /* TRIAL */
  int run;             /* TRIAL: of all of its runs; atomic */
  volatile GPid pid;   /* 0: it does not run */
  int status, output;  /* how it ended; where its output goes */
  char *name, *purpose;
  int permille;        /* that was read; atomic */
} Job;

struct _MemlaneTraceStore
{
  GObject parent_instance;

  GPtrArray *items;          /* (element-type MemlaneTraceItem): newest first */
  /* (element-type Job): that wait; of recordings the one whose turn it is on the bench */
  GQueue jobs;
  Job *job;                  /* that goes on; a worker may have it until it has ended */
  GCancellable *cancellable; /* of it */
  guint ticker;
  double progress;
  char *status;
  char *waiting;           /* of the job: what its host says; NULL: it does not wait */
  GString *said;           /* by the program: the end of its output */
  char *end_words;         /* (nullable): how the last program ended */
  int pipe;                /* of that output: our end */
  guint listener, killer;  /* to it; of a program that does not end */
  MemlaneBench *bench;
  gboolean was_busy, recording;
};

MEMLANE_DEFINE_LIST (MemlaneTraceStore, memlane_trace_store, MEMLANE_TYPE_TRACE_ITEM)

static const MemlaneField fields[] = {
  { "busy", MEMLANE_FIELD_FLAG, G_STRUCT_OFFSET (MemlaneTraceStore, was_busy), 0, 0, 1, FALSE },
  { "recording", MEMLANE_FIELD_FLAG, G_STRUCT_OFFSET (MemlaneTraceStore, recording), 0, 0, 1,
    FALSE },
  { "progress", MEMLANE_FIELD_NUMBER, G_STRUCT_OFFSET (MemlaneTraceStore, progress), 0, 0, 1, 0 },
  { "status", MEMLANE_FIELD_TEXT, G_STRUCT_OFFSET (MemlaneTraceStore, status), 0, 0, 0, 0 },
};

static void next (MemlaneTraceStore *self);

/* --- jobs ------------------------------------------------------------------------------------- */

MEMLANE_DEFINE_FREE (Job, static void job_free (gpointer data),
                     OWNS (path, g_free) OWNS (device, g_free) OWNS (name, g_free)
                         OWNS (purpose, g_free) OWNS (words, g_strfreev)
                             OWNS (item, g_object_unref))

static Job *
job_new (JobKind kind, const char *name, const char *purpose)
{
  Job *job = g_new (Job, 1);

  *job = (Job) { .kind = kind, .name = g_strdup (name), .purpose = g_strdup (purpose) };
  return job;
}

gboolean
memlane_trace_store_is_busy (MemlaneTraceStore *self)
{
  return self->job != NULL;
}

gboolean
memlane_trace_store_is_recording (MemlaneTraceStore *self)
{
  return memlane_bench_has (self->bench, MEMLANE_BENCH_TRACE);
}

/* --- what is told ----------------------------------------------------------------------------- */

/* Says what has changed since the last time. */
static void
update (MemlaneTraceStore *self)
{
  gboolean busy = self->job != NULL;
  g_autofree char *status = NULL;
  double progress = busy && self->job->kind == READ
                        ? (double) g_atomic_int_get (&self->job->permille) / 1000
                        : 0;

  if (busy && g_cancellable_is_cancelled (self->cancellable))
    status = g_strdup (_("stopping"));
  else if (busy && self->job->kind == READ)
    status = g_strdup_printf (_("reading %s"), self->job->name);
  else if (busy && self->waiting != NULL)
    status = g_strdup_printf (_("Waiting: %s"), self->waiting);
  else if (busy && self->job->kind == TRIAL) /* Translators: a program; numbers of its runs */
    status = g_strdup_printf (_("trying %s: run %d of %d"), self->job->name,
                              MIN (g_atomic_int_get (&self->job->run) + 1, 2 * PAIRS), 2 * PAIRS);
  else if (busy)
    status = g_strdup_printf (_("recording %s"), self->job->name);
  else
    status = g_strdup ("");
  g_object_freeze_notify (G_OBJECT (self));
  memlane_field_set_flag (self, "busy", &self->was_busy, busy);
  memlane_field_set_number (self, "progress", &self->progress, progress);
  memlane_field_set_text (self, "status", &self->status, status);
  if (memlane_trace_store_is_recording (self))
    memlane_bench_report (self->bench, self->status, progress);
  g_object_thaw_notify (G_OBJECT (self));
}

/* --- the list --------------------------------------------------------------------------------- */

static void
take_out (MemlaneTraceStore *self, guint position)
{
  g_ptr_array_remove_index (self->items, position);
  g_list_model_items_changed (G_LIST_MODEL (self), position, 1, 0);
}

/* The oldest recorded ones go; a file that was opened again stands for what it held before. */
static void
make_room (MemlaneTraceStore *self, const char *path)
{
  guint n_recorded = 0;

  for (guint i = 0; i < self->items->len;)
    {
      const char *other = ((MemlaneTraceItem *) self->items->pdata[i])->path;

      if (path != NULL ? g_strcmp0 (path, other) == 0
                       : other == NULL && ++n_recorded >= MOST_RECORDED)
        take_out (self, i);
      else
        i++;
    }
}

static void
put (MemlaneTraceStore *self, MemlaneTraceItem *item)
{
  make_room (self, item->path);
  g_ptr_array_insert (self->items, 0, g_object_ref (item));
  g_list_model_items_changed (G_LIST_MODEL (self), 0, 0, 1);
}

MemlaneTraceItem *
memlane_trace_store_add (MemlaneTraceStore *self, MemlaneTrace *trace, const char *name,
                         const char *purpose)
{
  g_autoptr (MemlaneTraceItem) item = memlane_trace_item_new (trace, name, NULL);

  put (self, item);
  g_signal_emit_by_name (self, "arrived", item, purpose);
  return item; /* the list holds it */
}

void
memlane_trace_store_remove (MemlaneTraceStore *self, MemlaneTraceItem *item)
{
  guint position;

  if (g_ptr_array_find (self->items, item, &position))
    take_out (self, position);
}

/* --- a job's way ------------------------------------------------------------------------------ */

/* Takes @data, a job of which nothing came. */
static void
refuse (gpointer self, gpointer data)
{
  g_signal_emit_by_name (self, "failed", ((Job *) data)->purpose);
  job_free (data);
}

/* The job has ended, and the next one begins. (transfer full) */
static Job *
end (MemlaneTraceStore *self)
{
  Job *job = g_steal_pointer (&self->job);

  g_clear_handle_id (&self->ticker, g_source_remove);
  g_clear_object (&self->cancellable);
  g_clear_pointer (&self->waiting, g_free);
  next (self); /* whoever is told sees what goes on now */
  return job;
}

/* The job has ended. @trace (nullable): else @error says why. */
static void
arrive (MemlaneTraceStore *self, MemlaneTrace *trace, const GError *error)
{
  Job *job = self->job;
  gboolean stopped = g_error_matches (error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
  g_autoptr (MemlaneTraceItem) item = NULL;

  if (trace != NULL)
    {
      item = memlane_trace_item_new (trace, job->kind == PROGRAM ? job->name : NULL, job->path);
      item->words = g_steal_pointer (&job->words);
      put (self, item);
    }
  end (self);
  if (item != NULL)
    {
      g_signal_emit_by_name (self, "arrived", item, job->purpose);
      job_free (job);
      return;
    }
  if (stopped)
    memlane_say_notice (self, FALSE,
                        job->kind != READ ? _("Stopped recording %s") : _("Stopped reading %s"),
                        job->name);
  else
    memlane_say_notice (self, TRUE, "%s", error->message);
  refuse (self, job);
}

static void
progress_cb (double part, gpointer data)
{
  g_atomic_int_set (&((Job *) data)->permille, (int) (1000 * part));
}

static void
read_in_thread (GTask *task, gpointer source, gpointer task_data, GCancellable *cancellable)
{
  Job *job = task_data;
  GError *error = NULL;
  MemlaneTrace *trace = NULL;
  GStatBuf info;

  /* Opening a pipe would wait for its writer. */
  if (g_stat (job->path, &info) == 0 && !S_ISREG (info.st_mode))
    g_set_error (&error, G_IO_ERROR, G_IO_ERROR_NOT_REGULAR_FILE,
                 _("Cannot open %s: it is not a file. Choose a trace, a JSON file."), job->path);
  else
    trace = memlane_trace_read_json (job->path, progress_cb, job, cancellable, &error);
  if (trace != NULL)
    g_task_return_pointer (task, trace, (GDestroyNotify) memlane_trace_unref);
  else
    g_task_return_error (task, error);
}

static void
traced_cb (GObject *source, GAsyncResult *result, gpointer data)
{
  g_autoptr (MemlaneTraceStore) self = data;
  g_autoptr (GError) error = NULL;
  g_autoptr (MemlaneTrace) trace = g_task_propagate_pointer (G_TASK (result), &error);

  if (self->job->kind != READ)
    memlane_bench_end (self->bench);
  arrive (self, trace, error);
}

static gboolean
tick_cb (gpointer data)
{
  update (data);
  return G_SOURCE_CONTINUE;
}

static void
read_file (MemlaneTraceStore *self)
{
  g_autoptr (GTask) task = g_task_new (NULL, self->cancellable, traced_cb, g_object_ref (self));

  self->ticker = g_timeout_add (TICK_MS, tick_cb, self);
  g_task_set_task_data (task, self->job, NULL);
  g_task_run_in_thread (task, read_in_thread);
}

/* --- somebody's program ----------------------------------------------------------------------- */

static void
watch_in_thread (GTask *task, gpointer source, gpointer data, GCancellable *cancellable)
{
  Job *job = data;
  GError *error = NULL;
  const MemlaneProgram program = {
    .words = job->words, .input = -1, .output = job->output, .pid = &job->pid,
  };
  MemlaneTrace *trace = memlane_watch_program (&program, &job->status, &error);

  close (job->output);
  if (trace != NULL)
    g_task_return_pointer (task, trace, (GDestroyNotify) memlane_trace_unref);
  else
    g_task_return_error (task, error);
}

/* Keeps the end of what the program writes. */
static gboolean
said_cb (int pipe, GIOCondition condition, gpointer data)
{
  MemlaneTraceStore *self = data;
  char piece[4096];
  gssize n = read (pipe, piece, sizeof piece);

  if (n <= 0)
    {
      self->listener = 0;
      return G_SOURCE_REMOVE;
    }
  g_string_append_len (self->said, piece, n);
  g_string_erase (self->said, 0, MAX ((gssize) self->said->len - MOST_SAID, 0));
  return G_SOURCE_CONTINUE;
}

/* "“solver” ended with exit status 3. It made no call to CUDA. It wrote: …" (transfer full) */
static char *
make_end_words (MemlaneTraceStore *self, gboolean traced)
{
  const Job *job = self->job;
  g_autofree char *said = g_utf8_make_valid (self->said->str, (gssize) self->said->len);
  GString *text = g_string_new (NULL);

  if (WIFSIGNALED (job->status)) /* Translators: a program; the name of a signal */
    g_string_append_printf (text, _("“%s” was ended by a signal: %s."), job->name,
                            g_strsignal (WTERMSIG (job->status)));
  else /* Translators: a program */
    g_string_append_printf (text, _("“%s” ended with exit status %d."), job->name,
                            WEXITSTATUS (job->status));
  if (!traced)
    g_string_append_printf (text, " %s", _("It made no call to CUDA that could be recorded."));
  if (*g_strstrip (said) != '\0')
    g_string_append_printf (text, _(" It wrote: %s"), said);
  return g_string_free (text, FALSE);
}

static void
watched_cb (GObject *source, GAsyncResult *result, gpointer data)
{
  g_autoptr (MemlaneTraceStore) self = data;
  g_autoptr (GError) error = NULL, cancelled = NULL;
  g_autoptr (MemlaneTrace) trace = g_task_propagate_pointer (G_TASK (result), &error);

  g_clear_handle_id (&self->killer, g_source_remove);
  g_clear_handle_id (&self->listener, g_source_remove);
  while (said_cb (self->pipe, G_IO_IN, self) == G_SOURCE_CONTINUE)
    ;
  close (self->pipe);
  self->pipe = -1;
  g_cancellable_set_error_if_cancelled (self->cancellable, &cancelled);
  if (trace != NULL || g_error_matches (error, MEMLANE_WATCH_ERROR, MEMLANE_WATCH_ERROR_NOTHING))
    self->end_words = make_end_words (self, trace != NULL);
  memlane_bench_end (self->bench);
  if (g_error_matches (error, MEMLANE_WATCH_ERROR, MEMLANE_WATCH_ERROR_NOTHING))
    {
      memlane_text_set (&error->message, self->end_words);
    }
  else if (trace != NULL && self->job->status != 0 && cancelled == NULL)
    memlane_say_notice (self, FALSE, "%s", self->end_words);
  arrive (self, trace, cancelled != NULL ? cancelled : error);
}

static void
watch (MemlaneTraceStore *self)
{
  g_autoptr (GTask) task = g_task_new (NULL, self->cancellable, watched_cb, g_object_ref (self));
  GError *error = NULL;
  int ends[2];

  g_task_set_check_cancellable (task, FALSE); /* what was recorded until then is shown */
  if (!g_unix_open_pipe (ends, FD_CLOEXEC, &error)
      || !g_unix_set_fd_nonblocking (ends[0], TRUE, &error))
    {
      g_task_return_error (task, error);
      return;
    }
  g_string_truncate (self->said, 0);
  g_clear_pointer (&self->end_words, g_free);
  self->pipe = ends[0];
  self->job->output = ends[1];
  self->listener = g_unix_fd_add (self->pipe, G_IO_IN | G_IO_HUP, said_cb, self);
  g_task_set_task_data (task, self->job, NULL);
  g_task_run_in_thread (task, watch_in_thread);
}

/* --- a change of it is tried ------------------------------------------------------------------ */

static gboolean
step_cb (guint i, guint n, gpointer data)
{
  GTask *task = data;

  g_atomic_int_set (&((Job *) g_task_get_task_data (task))->run, (int) i);
  return !g_cancellable_is_cancelled (g_task_get_cancellable (task));
}

static void
try_in_thread (GTask *task, gpointer source, gpointer data, GCancellable *cancellable)
{
  Job *job = data;
  GError *error = NULL;
  const MemlaneProgram program = {
    .words = job->item->words, .input = -1, .output = -1, .pid = &job->pid
  };
  MemlaneTrial *trial = memlane_try_program (&program, job->change, PAIRS, step_cb, task, &error);

  if (trial != NULL)
    g_task_return_pointer (task, trial, (GDestroyNotify) memlane_trial_free);
  else
    g_task_return_error (task, error);
}

static void
tried_cb (GObject *source, GAsyncResult *result, gpointer data)
{
  g_autoptr (MemlaneTraceStore) self = data;
  g_autoptr (GError) error = NULL, cancelled = NULL;
  g_autoptr (MemlaneTrial) trial = g_task_propagate_pointer (G_TASK (result), &error);
  g_autoptr (MemlaneTraceItem) item = g_object_ref (self->job->item);
  MemlaneChangeKind change = self->job->change;

  g_clear_handle_id (&self->killer, g_source_remove);
  g_cancellable_set_error_if_cancelled (self->cancellable, &cancelled);
  memlane_bench_end (self->bench);
  if (trial == NULL)
    {
      arrive (self, NULL, cancelled != NULL ? cancelled : error);
      return;
    }
  g_clear_pointer (&item->trials[change], memlane_trial_free);
  item->trials[change] = g_steal_pointer (&trial);
  job_free (end (self));
  g_signal_emit_by_name (self, "tried", item);
}

static void
try (MemlaneTraceStore *self)
{
  g_autoptr (GTask) task = g_task_new (NULL, self->cancellable, tried_cb, g_object_ref (self));

  self->ticker = g_timeout_add (TICK_MS, tick_cb, self);
  g_task_set_check_cancellable (task, FALSE);
  g_task_set_task_data (task, self->job, NULL);
  g_task_run_in_thread (task, try_in_thread);
}

static gboolean
kill_cb (gpointer data)
{
  MemlaneTraceStore *self = data;

  if (self->job->pid > 0)
    kill (-self->job->pid, SIGKILL);
  return G_SOURCE_CONTINUE;
}

/* Politely at first: what it did until now is recorded. */
static void
end_program (MemlaneTraceStore *self)
{
  if (self->job == NULL || (self->job->kind != PROGRAM && self->job->kind != TRIAL)
      || self->killer != 0)
    return;
  if (self->job->pid > 0)
    kill (-self->job->pid, SIGTERM);
  self->killer = g_timeout_add (PATIENCE_MS, kill_cb, self);
}

/* --- a job's way, on -------------------------------------------------------------------------- */

/* A host's queue. */
static void
waiting_cb (const char *text, gpointer data)
{
  MemlaneTraceStore *self = data;

  memlane_text_set (&self->waiting, text);
  update (self);
}

static void
start (MemlaneTraceStore *self)
{
  const Job *job = self->job;

  switch (job->kind)
    {
    case SAMPLE:
      memlane_recording_sample_async (job->device, &job->method, job->mode, job->log2_elements,
                                      self->cancellable, waiting_cb, traced_cb,
                                      g_object_ref (self));
      break;
    case LAB:
      memlane_recording_lab_async (job->device, &job->lab, self->cancellable, waiting_cb, traced_cb,
                                   g_object_ref (self));
      break;
    case PROGRAM:
      watch (self);
      break;
    case TRIAL:
      try (self);
      break;
    case READ:
    default:
      read_file (self);
    }
}

/* Starts what waits longest, if nothing goes on. */
static void
next (MemlaneTraceStore *self)
{
  if (self->job == NULL && self->jobs.length > 0)
    {
      self->job = g_queue_pop_head (&self->jobs);
      self->cancellable = g_cancellable_new ();
      start (self);
    }
  update (self);
}

/* Takes @job. */
static void
queue (gpointer self, gpointer job)
{
  g_queue_push_tail (&MEMLANE_TRACE_STORE (self)->jobs, job);
  next (self);
}

void
memlane_trace_store_open (MemlaneTraceStore *self, const char *path, const char *purpose)
{
  g_autofree char *name = g_filename_display_basename (path);

  Job *job = job_new (READ, name, purpose);

  job->path = g_strdup (path);
  queue (self, job);
}

/* Forgets waiting jobs and stops the running one, whatever the bench has stopped. */
static void
stop_all (gpointer store, gpointer stopped)
{
  MemlaneTraceStore *self = store;
  GQueue waiting = self->jobs;
  Job *job;

  g_queue_init (&self->jobs);
  for (GList *each = waiting.head; each != NULL; each = each->next)
    if (((Job *) each->data)->kind != READ)
      memlane_bench_end (self->bench); /* it was its turn, but it has not begun */
  if (self->cancellable != NULL)
    g_cancellable_cancel (self->cancellable);
  end_program (self);
  update (self);
  while ((job = g_queue_pop_head (&waiting)) != NULL)
    refuse (self, job);
}

void
memlane_trace_store_stop (MemlaneTraceStore *self)
{
  if (memlane_trace_store_is_recording (self))
    memlane_bench_stop (self->bench);
  stop_all (self, NULL);
}

/* --- recording -------------------------------------------------------------------------------- */

const char *
memlane_trace_store_get_waiting (MemlaneTraceStore *self)
{
  return self->waiting;
}

const char *
memlane_trace_store_get_objection (MemlaneTraceStore *self)
{
  return memlane_bench_get_objection (self->bench, MEMLANE_BENCH_TRACE);
}

/* Takes @job. */
static void
record (MemlaneTraceStore *self, Job *job)
{
  static const MemlaneBenchJob handling = { MEMLANE_BENCH_TRACE, queue, stop_all, refuse };
  const char *objection = memlane_trace_store_get_objection (self);

  if (objection == NULL)
    {
      memlane_bench_put (self->bench, &handling, self, job);
      return;
    }
  memlane_say_notice (self, TRUE, "%s", objection);
  refuse (self, job);
}

void
memlane_trace_store_record (MemlaneTraceStore *self, const char *device,
                            const MemlaneMethod *method, const MemlaneMode *mode,
                            double log2_elements, const char *purpose)
{
  g_autofree char *size = memlane_unit_format_power (log2_elements);
  g_autofree char *name = g_strdup_printf ("%s %s", g_dgettext (GETTEXT_PACKAGE, mode->title),
                                           size);
  Job *job = job_new (SAMPLE, name, purpose);

  job->device = g_strdup (device);
  if (method != NULL)
    job->method = *method;
  job->mode = mode;
  job->log2_elements = log2_elements;
  record (self, job);
}

void
memlane_trace_store_record_lab (MemlaneTraceStore *self, const char *device,
                                const MemlaneLabPlan *plan, const char *purpose)
{
  Job *job = job_new (LAB, _("the stream laboratory"), purpose);

  job->device = g_strdup (device);
  job->lab = *plan;
  record (self, job);
}

void
memlane_trace_store_run_program (MemlaneTraceStore *self, char **words, const char *purpose)
{
  g_autofree char *name = g_path_get_basename (words[0]);
  Job *job = job_new (PROGRAM, name, purpose);

  job->words = g_strdupv (words);
  record (self, job);
}

void
memlane_trace_store_try (MemlaneTraceStore *self, MemlaneTraceItem *item, MemlaneChangeKind change)
{
  Job *job = job_new (TRIAL, item->name, "trial");

  job->item = g_object_ref (item);
  job->change = change;
  record (self, job);
}

const char *
memlane_trace_store_get_end_words (MemlaneTraceStore *self)
{
  return self->end_words;
}

gboolean
memlane_trace_store_is_trace (const char *path)
{
  static const char *const beginnings[] = { "{", "[", "\x1f\x8b", "SQLite format 3" };
  char head[64] = { 0 };
  const char *text = head;
  FILE *file;
  GStatBuf info;

  if (g_str_has_suffix (path, ".csv.gz") || g_stat (path, &info) != 0
      || !S_ISREG (info.st_mode)) /* opening a pipe would wait for its writer */
    return FALSE;
  file = g_fopen (path, "rbe");
  if (file == NULL)
    return FALSE;
  text += fread (head, 1, sizeof head - 1, file) > 0 ? strspn (head, " \t\r\n") : 0;
  fclose (file);
  for (guint i = 0; i < G_N_ELEMENTS (beginnings); i++)
    if (g_str_has_prefix (text, beginnings[i]))
      return TRUE;
  return FALSE;
}

/* --- life ------------------------------------------------------------------------------------- */

/* A job that goes on holds a reference, so there is none. */
MEMLANE_DEFINE_CLASS (
    MemlaneTraceStore, memlane_trace_store,
    OWNS (waiting, g_free) OWNS (items, g_ptr_array_unref) OWNS (status, g_free)
        OWNS (bench, g_object_unref) OWNS (end_words, g_free) g_string_free (self->said, TRUE);
    , memlane_fields_install (G_OBJECT_CLASS (klass), fields, G_N_ELEMENTS (fields));
    memlane_signal_add (klass, "notice", 2, G_TYPE_STRING, G_TYPE_BOOLEAN);
    memlane_signal_add (klass, "arrived", 2, MEMLANE_TYPE_TRACE_ITEM, G_TYPE_STRING);
    memlane_signal_add (klass, "tried", 1, MEMLANE_TYPE_TRACE_ITEM);
    memlane_signal_add (klass, "failed", 1, G_TYPE_STRING);)

/* Updates whether anything can be recorded. */
static void
bench_changed_cb (MemlaneTraceStore *self)
{
  self->recording = memlane_trace_store_is_recording (self);
  g_object_notify (G_OBJECT (self), "recording");
}

MemlaneTraceStore *
memlane_trace_store_new (MemlaneBench *bench)
{
  MemlaneTraceStore *self = g_object_new (MEMLANE_TYPE_TRACE_STORE, NULL);

  self->items = g_ptr_array_new_with_free_func (g_object_unref);
  self->status = g_strdup ("");
  self->said = g_string_new (NULL);
  self->pipe = -1;
  self->bench = bench != NULL ? g_object_ref (bench) : memlane_bench_new ();
  g_signal_connect_object (self->bench, "changed", G_CALLBACK (bench_changed_cb), self,
                           G_CONNECT_SWAPPED);
  return self;
}
