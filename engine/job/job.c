/* job.c: one request to a worker, from its start to its end
 *
 * SPDX-License-Identifier: MIT
 */
#include "job.h"

#include <fcntl.h>
#include <signal.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <glib-unix.h>

#include "base/each.h"
#include "base/fail.h"
#include "base/owns.h"
#include "base/reader-limits.h"
#include "requests.h"
#include "hosts.h"

#define TICK_MS 250
#define GRACE_SECONDS                                                                              \
  2 /* between SIGTERM and SIGKILL, and from there until the process is given up */
#define CANCEL_SECONDS 5 /* between asking it to stop and ending it */
#define USUAL_DEADLINE 30
#define MOST_SAID 4096   /* bytes of standard error that are kept: the last ones */
#define PIECE 8192       /* bytes that are read before the main loop goes on */
#define MOST_LEFT (1 << 20) /* bytes that a pipe holds */
#define IDLE_DEADLINES 10   /* so many without a call or a message, and it is hung */
#define ALIVES_AT_ONCE 20   /* of "alive", which comes once a second */
#define ALIVES_A_SECOND 10

G_DEFINE_QUARK (memlane-worker-error-quark, memlane_worker_error)

/* Why it is being ended. */
typedef enum
{
  GOES_ON,
  IS_DONE,    /* it has answered */
  IS_ENDING,  /* it has closed its output: it is about to end, or else is told to */
  IS_TERMED,
  IS_KILLED,
} State;

typedef struct
{
  char *host;               /* (nullable) */
  char *request;            /* the line */
  MemlaneTalk talk;
  GSubprocess *process;
  pid_t pid;                /* and of its group */
  GOutputStream *requests;
  GPollableInputStream *answers, *errors;
  GPtrArray *sources;       /* GSource: what is listened to; none once it has ended */
  GString *line, *said;
  guint64 bytes;            /* of all answers */
  State state;
  gint64 begun, heard_at, call_since, busy_at, state_since,
      stopped_at;           /* monotonic us; 0: not yet */
  char *call;               /* (nullable): what it said to be in */
  guint64 count;            /* of its calls */
  gboolean is_waited_for;   /* the handler was told that the host has not answered */
  double deadline;          /* seconds */
  guint seconds;
  const MemlaneJobHandler *handlers;
  gpointer self;
  GError *error;            /* what its end will be told as */
} Worker;

/* All that run, so that a program that ends leaves none behind; each a referenced GTask. */
static GMutex all_lock;
static GPtrArray *all;

/* --- words ------------------------------------------------------------------------------------ */

static const char *
get_name (const Worker *worker)
{
  return worker->host != NULL ? worker->host : "the measuring process";
}

/* The last line of its standard error, without what could not be printed, behind @before. (transfer
 * full): "" where it said nothing. */
static char *
get_last_words (const Worker *worker, const char *before)
{
  g_autofree char *text = g_utf8_make_valid (worker->said->str, (gssize) worker->said->len),
                  *short_one = NULL;
  g_auto (GStrv) lines = g_strsplit (text, "\n", -1);
  char *last = NULL;

  for (guint i = 0; lines[i] != NULL; i++)
    if (*g_strstrip (lines[i]) != '\0')
      last = lines[i];
  if (last == NULL)
    return g_strdup ("");
  for (char *at = last; *at != '\0'; at = g_utf8_next_char (at))
    if (g_ascii_iscntrl (*at))
      *at = ' ';
  short_one = g_utf8_substring (last, 0, MIN (g_utf8_strlen (last, -1), 300));
  return g_strconcat (before, short_one, NULL);
}

/* The call that it was in, behind @before. (transfer full): "" where it was in none. */
static char *
get_call (const Worker *worker, const char *before)
{
  return worker->call != NULL ? g_strconcat (before, worker->call, NULL) : g_strdup ("");
}

/* The first error counts. */
#define fail(worker, code, ...)                                                                    \
  ((worker)->error != NULL                                                                         \
       ? (void) 0                                                                                  \
       : g_set_error (&(worker)->error, MEMLANE_WORKER_ERROR, code, __VA_ARGS__))

/* --- life ------------------------------------------------------------------------------------- */

static void
destroy_source (gpointer source)
{
  g_source_destroy (source);
  g_source_unref (source);
}

static void
free_text (GString *text)
{
  g_string_free (text, TRUE);
}

MEMLANE_DEFINE_FREE (Worker, static void worker_free (gpointer data),
                     OWNS (sources, g_ptr_array_unref) OWNS (requests, g_object_unref)
                     OWNS (answers, g_object_unref) OWNS (errors, g_object_unref)
                     OWNS (process, g_object_unref) OWNS (line, free_text) OWNS (said, free_text)
                     OWNS (error, g_error_free) OWNS (call, g_free) OWNS (host, g_free)
                     OWNS (request, g_free))

/* Nothing comes before hello. */
static gboolean
is_ready (const Worker *worker)
{
  return worker->talk.said[MEMLANE_MESSAGE_HELLO] > 0;
}

/* However it ends now, that counts. */
static gboolean
has_answered (const Worker *worker)
{
  return worker->talk.said[MEMLANE_MESSAGE_DONE] + worker->talk.said[MEMLANE_MESSAGE_ERROR] > 0;
}

static void
signal_group (Worker *worker, int number)
{
  if (worker->pid > 0)
    (void) kill (-worker->pid, number);
}

static void
set_state (Worker *worker, State state)
{
  worker->state = state;
  worker->state_since = g_get_monotonic_time ();
}

/* It ends with its input. While the request is still being written, as the main loop sees it, this
 * is for later. */
static void
close_input (Worker *worker)
{
  (void) g_output_stream_close (worker->requests, NULL, NULL);
}

/* Its answer is not wanted any more; the ticker sees to the rest. */
static void
end (Worker *worker)
{
  if (worker->state > IS_ENDING)
    return;
  signal_group (worker, SIGCONT); /* a stopped one could not end */
  signal_group (worker, SIGTERM);
  set_state (worker, IS_TERMED);
}

/* It is gone, or given up: the one place where the task ends. */
static void
conclude (GTask *task)
{
  Worker *worker = g_task_get_task_data (task);

  g_mutex_lock (&all_lock);
  if (all == NULL || !g_ptr_array_remove_fast (all, task))
    {
      g_mutex_unlock (&all_lock); /* it has ended already */
      return;
    }
  g_mutex_unlock (&all_lock);
  worker->state = IS_KILLED; /* nothing more is heard */
  g_ptr_array_set_size (worker->sources, 0);
  if (worker->error != NULL)
    g_task_return_error (task, g_steal_pointer (&worker->error));
  else
    g_task_return_boolean (task, TRUE);
  g_object_unref (task); /* that of the list */
}

/* --- listening -------------------------------------------------------------------------------- */

static double
seconds_since (gint64 then)
{
  return (double) (g_get_monotonic_time () - then) / G_USEC_PER_SEC;
}

static gboolean
note_call (Worker *worker, MemlaneMessage *message, GError **error)
{
  if (worker->talk.said[MEMLANE_MESSAGE_ALIVE]
      > ALIVES_AT_ONCE + ALIVES_A_SECOND * seconds_since (worker->begun))
    return memlane_refuse (error, "found \"alive\" once more, expected it once a second");
  if (message->call == NULL || message->count != worker->count
      || g_strcmp0 (message->call, worker->call) != 0)
    worker->call_since = worker->heard_at;
  if (message->call != NULL || message->count != worker->count)
    worker->busy_at = worker->heard_at;
  g_free (worker->call);
  worker->call = g_steal_pointer (&message->call);
  worker->count = message->count;
  return TRUE;
}

static gboolean
call_handler (Worker *worker, MemlaneMessage *message, GError **error)
{
  for (const MemlaneJobHandler *handler = worker->handlers; handler->take != NULL; handler++)
    if (handler->type == message->type)
      return handler->take (worker->self, message, error);
  return TRUE;
}

/* Tells what the host says while it has not answered; NULL: it has. */
static void
tell_waiting (Worker *worker, const char *text)
{
  MemlaneMessage message = { .type = MEMLANE_MESSAGE_WAITING, .text = (char *) text };

  if (text != NULL || worker->is_waited_for)
    (void) call_handler (worker, &message, NULL);
  worker->is_waited_for = text != NULL;
}

static gboolean
take (Worker *worker, MemlaneMessage *message, GError **error)
{
  if (!memlane_talk_hear (&worker->talk, message, error))
    return FALSE;
  if (message->type == MEMLANE_MESSAGE_HELLO && message->protocol != MEMLANE_WORKER_PROTOCOL)
    return memlane_fail (error, MEMLANE_WORKER_ERROR, MEMLANE_WORKER_ERROR_VERSION,
                         "%s has Memlane %s with protocol %u, and this is Memlane %s with protocol "
                         "%u: install the same version on both",
                         get_name (worker), message->version, message->protocol, MEMLANE_VERSION,
                         MEMLANE_WORKER_PROTOCOL);
  if (message->type == MEMLANE_MESSAGE_HELLO)
    return TRUE;
  if (message->type == MEMLANE_MESSAGE_ALIVE)
    return note_call (worker, message, error);
  tell_waiting (worker, NULL);
  if (message->type == MEMLANE_MESSAGE_DONE || message->type == MEMLANE_MESSAGE_ERROR)
    {
      if (message->type == MEMLANE_MESSAGE_ERROR)
        worker->error = memlane_message_get_error (message);
      set_state (worker, IS_DONE);
      close_input (worker);
      return TRUE;
    }
  worker->call_since = worker->busy_at = worker->heard_at;
  return call_handler (worker, message, error);
}

static void
take_line (gpointer self, const char *line, gsize length)
{
  Worker *worker = self;
  g_autoptr (GError) error = NULL;
  MemlaneMessage message;
  gboolean done;

  worker->heard_at = g_get_monotonic_time ();
  if (worker->state != GOES_ON)
    return; /* nobody asked for that */
  done = memlane_message_read (&message, line, length, TRUE, "line", &error);
  if (done)
    {
      done = take (worker, &message, &error);
      memlane_message_clear (&message);
    }
  if (done)
    return;
  if (error->domain == MEMLANE_WORKER_ERROR && error->code == MEMLANE_WORKER_ERROR_VERSION)
    worker->error = g_steal_pointer (&error);
  else
    fail (worker, MEMLANE_WORKER_ERROR_PROTOCOL, "%s said what Memlane does not understand: %s",
          get_name (worker), error->message);
  end (worker);
}

static void
take_bytes (Worker *worker, const char *bytes, gsize length)
{
  worker->bytes += length;
  if (worker->bytes > MEMLANE_WORKER_MOST_BYTES)
    fail (worker, MEMLANE_WORKER_ERROR_PROTOCOL, "%s says too much: expected at most %u bytes",
          get_name (worker), MEMLANE_WORKER_MOST_BYTES);
  else if (memlane_lines_take (worker->line, bytes, length, take_line, worker))
    return;
  fail (worker, MEMLANE_WORKER_ERROR_PROTOCOL,
        "%s said a line that is too long: expected less than %d bytes", get_name (worker),
        MEMLANE_WORKER_LONGEST_LINE);
  end (worker);
}

/* Reads what is there, at most a piece. FALSE: there will be no more. */
static gboolean
read_piece (Worker *worker, gboolean *any)
{
  char buffer[PIECE];
  g_autoptr (GError) error = NULL;
  gssize n = g_pollable_input_stream_read_nonblocking (worker->answers, buffer, sizeof buffer, NULL,
                                                       &error);

  *any = n > 0;
  if (n > 0 && worker->state < IS_ENDING)
    take_bytes (worker, buffer, (gsize) n);
  return n > 0 || g_error_matches (error, G_IO_ERROR, G_IO_ERROR_WOULD_BLOCK);
}

static gboolean
answers_cb (GObject *stream, gpointer data)
{
  g_autoptr (GTask) task = g_object_ref (data);
  Worker *worker = g_task_get_task_data (task);
  gboolean any;

  if (read_piece (worker, &any))
    return G_SOURCE_CONTINUE;
  /* A worker that closed its output may still say why on standard error; it is of no more use. */
  if (worker->state == GOES_ON)
    set_state (worker, IS_ENDING);
  return G_SOURCE_REMOVE;
}

static gboolean
errors_cb (GObject *stream, gpointer data)
{
  Worker *worker = g_task_get_task_data (data);
  g_autoptr (GError) error = NULL;
  char buffer[4096];
  gssize n = g_pollable_input_stream_read_nonblocking (worker->errors, buffer, sizeof buffer, NULL,
                                                       &error);

  if (n > 0)
    {
      g_string_append_len (worker->said, buffer, n);
      if (worker->said->len > MOST_SAID)
        g_string_erase (worker->said, 0, (gssize) (worker->said->len - MOST_SAID));
    }
  return n > 0 || g_error_matches (error, G_IO_ERROR, G_IO_ERROR_WOULD_BLOCK);
}

/* --- its end ---------------------------------------------------------------------------------- */

/* "ended by signal 11 (Segmentation fault) in cuInit; its last words: ..." */
static void
describe_death (Worker *worker)
{
  g_autofree char *words = get_last_words (worker, ", and said: "),
                  *call = get_call (worker, ", the last call was "), *how = NULL;
  int number = g_subprocess_get_if_signaled (worker->process)
                   ? g_subprocess_get_term_sig (worker->process)
                   : 0;

  if (number != 0)
    how = g_strdup_printf ("was ended by signal %d (%s)", number, g_strsignal (number));
  else
    how = g_strdup_printf ("ended with status %d", g_subprocess_get_exit_status (worker->process));
  fail (worker, is_ready (worker) ? MEMLANE_WORKER_ERROR_DIED : MEMLANE_WORKER_ERROR_START,
        "%s %s%s%s%s", get_name (worker), how, is_ready (worker) ? "" : " before its first word",
        call, words);
}

static void
exited_cb (GObject *source, GAsyncResult *result, gpointer data)
{
  g_autoptr (GTask) task = data;
  Worker *worker = g_task_get_task_data (task);
  gboolean any = TRUE;

  (void) g_subprocess_wait_finish (G_SUBPROCESS (source), result, NULL);
  /* Its children may still hold the pipes: kill the group instead of waiting. Data left in the
   * pipes is heard, but no more than a pipe holds: what has left the group might go on writing. */
  signal_group (worker, SIGKILL);
  worker->pid = 0;
  for (gsize n = 0; any && n < MOST_LEFT && worker->answers != NULL && read_piece (worker, &any);
       n += PIECE)
    ;
  for (guint n = 0; n < MOST_LEFT && errors_cb (NULL, task); n += MOST_SAID)
    if (!g_pollable_input_stream_is_readable (worker->errors))
      break;
  if (!has_answered (worker) && worker->error == NULL)
    describe_death (worker);
  conclude (task);
}

/* Whether it took too long; then the error is set. */
static gboolean
is_late (Worker *worker)
{
  if (worker->seconds > 0 && seconds_since (worker->begun) > worker->seconds)
    {
      g_autofree char *words = get_last_words (worker, "; it said: "),
                      *call = get_call (worker, ": ");

      fail (worker, MEMLANE_WORKER_ERROR_SILENT, "%s does not answer within %u s%s%s",
            worker->host != NULL ? worker->host : "the CUDA driver", worker->seconds, call, words);
    }
  else if (!is_ready (worker) && worker->host != NULL)
    return FALSE; /* it may wait for its turn for hours: the person sees it, and may stop it */
  else if (worker->call != NULL && seconds_since (worker->call_since) > worker->deadline)
    fail (worker, MEMLANE_WORKER_ERROR_SILENT,
          "%s did not return within %g s, so its process was ended", worker->call,
          worker->deadline);
  else if (seconds_since (worker->heard_at) > worker->deadline)
    {
      g_autofree char *call = get_call (worker, "; the last call was ");

      fail (worker, MEMLANE_WORKER_ERROR_SILENT, "%s gave no sign of life for %g s and was ended%s",
            get_name (worker), worker->deadline, call);
    }
  else if (worker->busy_at != 0
           && seconds_since (worker->busy_at) > IDLE_DEADLINES * worker->deadline)
    fail (worker, MEMLANE_WORKER_ERROR_SILENT, "%s said that it is alive, and did nothing for %g s",
          get_name (worker), IDLE_DEADLINES * worker->deadline);
  else
    return FALSE;
  return TRUE;
}

static gboolean
tick_cb (gpointer data)
{
  g_autoptr (GTask) task = g_object_ref (data);
  Worker *worker = g_task_get_task_data (task);

  switch (worker->state)
    {
    case GOES_ON:
      if (worker->stopped_at != 0 && seconds_since (worker->stopped_at) > CANCEL_SECONDS)
        {
          if (worker->error == NULL)
            worker->error = g_error_new_literal (G_IO_ERROR, G_IO_ERROR_CANCELLED, "stopped");
          end (worker);
        }
      else if (is_late (worker))
        end (worker);
      else if (!is_ready (worker) && worker->host != NULL)
        {
          g_autofree char *words = get_last_words (worker, "");

          tell_waiting (worker, *words != '\0' ? words : get_name (worker));
        }
      break;
    case IS_ENDING:
      if (seconds_since (worker->state_since) > GRACE_SECONDS)
        {
          fail (worker, MEMLANE_WORKER_ERROR_DIED,
                "%s closed its output before its answer was whole", get_name (worker));
          end (worker);
        }
      break;
    case IS_DONE: /* it ends by itself; what it has answered counts, however it ends */
    case IS_TERMED:
      if (seconds_since (worker->state_since) > GRACE_SECONDS)
        {
          signal_group (worker, SIGKILL);
          set_state (worker, IS_KILLED);
        }
      break;
    case IS_KILLED:
    default:
      if (seconds_since (worker->state_since) > GRACE_SECONDS)
        conclude (task);
    }
  return G_SOURCE_CONTINUE;
}

/* --- stopping --------------------------------------------------------------------------------- */

static gboolean
stop_cb (GCancellable *cancellable, gpointer data)
{
  GTask *task = data;
  Worker *worker = g_task_get_task_data (task);
  static const char line[] = "{\"type\":\"cancel\"}\n";

  worker->stopped_at = g_get_monotonic_time ();
  if (worker->state != GOES_ON)
    return G_SOURCE_REMOVE;
  if (is_ready (worker))
    {
      /* So few bytes that the pipe takes them at once, or the process is hung anyway. */
      (void) g_pollable_output_stream_write_nonblocking (
          G_POLLABLE_OUTPUT_STREAM (worker->requests), line, strlen (line), NULL, NULL);
      return G_SOURCE_REMOVE;
    }
  worker->error = g_error_new_literal (G_IO_ERROR, G_IO_ERROR_CANCELLED, "stopped");
  end (worker);
  return G_SOURCE_REMOVE;
}

void
memlane_workers_end (void)
{
  g_autoptr (GPtrArray) tasks = g_ptr_array_new_with_free_func (g_object_unref);

  g_mutex_lock (&all_lock);
  for (guint i = 0; all != NULL && i < all->len; i++)
    g_ptr_array_add (tasks, g_object_ref (all->pdata[i]));
  g_mutex_unlock (&all_lock);
  MEMLANE_FOR_EACH (GTask, task, tasks)
    {
      Worker *worker = g_task_get_task_data (task);

      signal_group (worker, SIGKILL);
      if (worker->error == NULL && !has_answered (worker))
        worker->error = g_error_new_literal (G_IO_ERROR, G_IO_ERROR_CANCELLED, "stopped");
      conclude (task);
    }
}

/* --- its start -------------------------------------------------------------------------------- */

typedef struct
{
  gboolean is_main; /* the main thread starts it */
  int told[2];      /* a pipe for its process id: GSubprocess forgets that of a process that ends at
                       once, and its group may go on */
} Birth;

/* In the child. A parent that is killed cannot end it; the kernel does, where the child is the main
 * thread's. */
static void
set_up_child (gpointer data)
{
  const Birth *birth = data;
  pid_t pid = getpid ();

  setsid ();
  if (birth->is_main)
    prctl (PR_SET_PDEATHSIG, SIGKILL);
  (void) !write (birth->told[1], &pid, sizeof pid);
}

/* FALSE with @error. */
static gboolean
launch (Worker *worker, GError **error)
{
  g_autoptr (GSubprocessLauncher) launcher
      = g_subprocess_launcher_new (G_SUBPROCESS_FLAGS_STDIN_PIPE | G_SUBPROCESS_FLAGS_STDOUT_PIPE
                                   | G_SUBPROCESS_FLAGS_STDERR_PIPE);
  g_auto (GStrv) words = memlane_host_get_words (worker->host, error);
  Birth birth = { .is_main = syscall (SYS_gettid) == getpid () };

  if (words == NULL || !g_unix_open_pipe (birth.told, FD_CLOEXEC, error))
    return FALSE;
  /* Nobody sits before a prompt: what asks for a password fails, and says so. */
  g_subprocess_launcher_setenv (launcher, "SSH_ASKPASS_REQUIRE", "never", TRUE);
  g_subprocess_launcher_set_child_setup (launcher, set_up_child, &birth, NULL);
  worker->process = g_subprocess_launcher_spawnv (launcher, (const char *const *) words, error);
  close (birth.told[1]);
  if (worker->process != NULL
      && read (birth.told[0], &worker->pid, sizeof worker->pid) != sizeof worker->pid)
    worker->pid = 0;
  close (birth.told[0]);
  if (worker->process == NULL)
    return FALSE;
  worker->requests = g_object_ref (g_subprocess_get_stdin_pipe (worker->process));
  worker->answers
      = G_POLLABLE_INPUT_STREAM (g_object_ref (g_subprocess_get_stdout_pipe (worker->process)));
  worker->errors
      = G_POLLABLE_INPUT_STREAM (g_object_ref (g_subprocess_get_stderr_pipe (worker->process)));
  return TRUE;
}

/* A worker that is gone is an answer that does not come, and not the end of this program. */
static void
ignore_broken_pipes (void)
{
  struct sigaction action;

  if (sigaction (SIGPIPE, NULL, &action) == 0 && action.sa_handler == SIG_DFL)
    signal (SIGPIPE, SIG_IGN);
}

static double
get_deadline (void)
{
  const char *given = g_getenv ("MEMLANE_DEADLINE");
  double seconds = given != NULL ? g_ascii_strtod (given, NULL) : 0;

  return seconds > 0 ? CLAMP (seconds, 0.5, 3600) : USUAL_DEADLINE;
}

/* Takes @source. */
static void
attach (GTask *task, GSource *source, int priority, GSourceFunc function)
{
  Worker *worker = g_task_get_task_data (task);

  g_source_set_priority (source, priority);
  g_source_set_callback (source, function, task, NULL);
  g_source_attach (source, g_task_get_context (task));
  g_ptr_array_add (worker->sources, source);
}

static void
listen (GTask *task, GCancellable *cancellable)
{
  Worker *worker = g_task_get_task_data (task);

  /* A fast worker always has an answer: who draws the last one comes before the next is read. */
  attach (task, g_pollable_input_stream_create_source (worker->answers, NULL),
          G_PRIORITY_DEFAULT_IDLE, G_SOURCE_FUNC (answers_cb));
  attach (task, g_pollable_input_stream_create_source (worker->errors, NULL),
          G_PRIORITY_DEFAULT_IDLE, G_SOURCE_FUNC (errors_cb));
  attach (task, g_timeout_source_new (TICK_MS), G_PRIORITY_DEFAULT_IDLE, tick_cb);
  if (cancellable != NULL)
    attach (task, g_cancellable_source_new (cancellable), G_PRIORITY_DEFAULT,
            G_SOURCE_FUNC (stop_cb));
}

static void
written_cb (GObject *stream, GAsyncResult *result, gpointer data)
{
  g_autoptr (GTask) task = data;
  Worker *worker = g_task_get_task_data (task);

  /* A worker that does not take the request tells by its end. */
  (void) g_output_stream_write_all_finish (G_OUTPUT_STREAM (stream), result, NULL, NULL);
  if (has_answered (worker))
    close_input (worker);
}

void
memlane_job_run_async (const char *device, const MemlaneMessage *request, guint seconds,
                       const MemlaneJobHandler *handlers, gpointer self, GCancellable *cancellable,
                       GAsyncReadyCallback callback, gpointer user_data)
{
  g_autoptr (GTask) task = g_task_new (NULL, NULL, callback, user_data);
  Worker *worker = g_new0 (Worker, 1);
  MemlaneMessage whole = *request;
  GError *error = NULL;

  whole.device = device != NULL ? (char *) memlane_host_split (device, &worker->host) : NULL;
  worker->request = memlane_message_write (&whole);
  worker->talk.request = request->type;
  worker->sources = g_ptr_array_new_with_free_func (destroy_source);
  worker->line = g_string_new (NULL);
  worker->said = g_string_new (NULL);
  worker->seconds = seconds;
  worker->deadline = get_deadline ();
  worker->handlers = handlers;
  worker->self = self;
  worker->begun = worker->heard_at = worker->call_since = g_get_monotonic_time ();
  g_task_set_task_data (task, worker, worker_free);
  ignore_broken_pipes ();
  if (!launch (worker, &error))
    {
      if (error->domain == G_SPAWN_ERROR)
        g_prefix_error (&error, "%s cannot be started: ", get_name (worker));
      g_task_return_new_error (task, MEMLANE_WORKER_ERROR, MEMLANE_WORKER_ERROR_START, "%s",
                               error->message);
      g_clear_error (&error);
      return;
    }
  g_mutex_lock (&all_lock);
  if (all == NULL)
    all = g_ptr_array_new ();
  g_ptr_array_add (all, g_object_ref (task));
  g_mutex_unlock (&all_lock);
  listen (task, cancellable);
  g_subprocess_wait_async (worker->process, NULL, exited_cb, g_object_ref (task));
  g_output_stream_write_all_async (worker->requests, worker->request, strlen (worker->request),
                                   G_PRIORITY_DEFAULT, NULL, written_cb, g_object_ref (task));
}

gboolean
memlane_job_run_finish (GAsyncResult *result, GError **error)
{
  return g_task_propagate_boolean (G_TASK (result), error);
}
