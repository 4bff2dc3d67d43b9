/* serve.c: the far side: requests in, answers out
 *
 * SPDX-License-Identifier: MIT
 */
#include "serve.h"

#include <errno.h>
#include <math.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/fail.h"
#include "base/reader-limits.h"
#include "base/save.h"
#include "commit.h"
#include "device/device-driver.h"
#include "experiment/procedure/procedure.h"
#include "measure/links.h"
#include "measure/measure.h"
#include "measure/record.h"
#include "message.h"

#define ALIVE_MS 1000
#define PIECE 65536

typedef struct
{
  int input, output;
  GMutex lock;               /* of the output */
  GString *line;
  gint is_busy;              /* atomic: a thread measures */
  gboolean is_local;         /* the asker may name files of this machine */
  GThread *measuring;
  GCancellable *cancellable; /* of the request in work */
} Server;

typedef struct
{
  Server *server;
  MemlaneMessage message;
} Request;

/* --- answers ---------------------------------------------------------------------------------- */

static void
say (Server *server, const MemlaneMessage *message)
{
  g_autofree char *line = memlane_message_write (message);
  gboolean done;

  g_mutex_lock (&server->lock);
  done = memlane_save_write_all (server->output, line, strlen (line));
  if (!done)
    _exit (EXIT_FAILURE); /* nobody listens any more */
  g_mutex_unlock (&server->lock);
}

static void
say_error (Server *server, const GError *error)
{
  MemlaneMessage message;

  memlane_message_set_error (&message, error);
  say (server, &message);
}

static void
say_hello (Server *server)
{
  g_autofree char *boot = NULL; /* tells two boots of a machine apart */
  MemlaneMessage message = {
    .type = MEMLANE_MESSAGE_HELLO,
    .protocol = MEMLANE_WORKER_PROTOCOL,
    .version = (char *) MEMLANE_VERSION,
    .commit = (char *) MEMLANE_COMMIT,
    .host = (char *) g_get_host_name (),
  };

  if (g_file_get_contents ("/proc/sys/kernel/random/boot_id", &boot, NULL, NULL))
    message.boot = g_strstrip (boot);
  say (server, &message);
}

static void
say_alive (Server *server)
{
  const char *call;
  guint64 count;
  MemlaneMessage message = { .type = MEMLANE_MESSAGE_ALIVE };

  memlane_device_watch (&call, &count);
  message.call = (char *) call;
  message.count = count;
  say (server, &message);
}

/* --- devices ---------------------------------------------------------------------------------- */

static gboolean
answer_devices (Server *server, const MemlaneMessage *request, GError **error)
{
  g_autoptr (GPtrArray) listings = memlane_device_list ();

  for (guint i = 0; i < MIN (listings->len, MEMLANE_WORKER_MOST_DEVICES); i++)
    {
      const MemlaneMessage message = {
        .type = MEMLANE_MESSAGE_DEVICE,
        .listing = *(const MemlaneDeviceListing *) listings->pdata[i]
      };

      say (server, &message);
    }
  return TRUE;
}

/* Reports any error of opening as a device that cannot be used. */
static MemlaneDevice *
open_device (const char *id, GError **error)
{
  g_autoptr (GError) problem = NULL;
  MemlaneDevice *device = memlane_device_open (id, &problem);

  if (device == NULL)
    g_set_error_literal (error, MEMLANE_DEVICE_ERROR, MEMLANE_DEVICE_ERROR_UNAVAILABLE,
                         problem->message);
  return device;
}

static gboolean
answer_describe (Server *server, const MemlaneMessage *request, GError **error)
{
  g_autoptr (MemlaneDeviceInfo) info = memlane_device_describe (request->device, error);
  const MemlaneMessage message = { .type = MEMLANE_MESSAGE_CAPABILITIES, .info = info };

  if (info != NULL)
    say (server, &message);
  return info != NULL;
}

static gboolean
answer_copy (Server *server, const MemlaneMessage *request, GError **error)
{
  g_auto (GStrv) ids = g_strsplit (request->device, ",", MEMLANE_LINKS_MOST_DEVICES);
  g_autoptr (GArray) links = memlane_links_measure (ids, error);
  MemlaneMessage message = { .type = MEMLANE_MESSAGE_LINKS };

  if (links == NULL)
    return FALSE;
  message.links = (MemlaneLink *) links->data;
  message.n_links = links->len;
  say (server, &message);
  return TRUE;
}

/* --- a sweep ---------------------------------------------------------------------------------- */

/* MEMLANE_FAULT=KIND@MODE:LOG2, for tests: failure, lost, hang, crash or spin in the tenth call of
 * that cell; KIND@MODE:LOG2#ROUND: in that round alone. "noise": every sweep as with --noise
 * recorded. */
static void
ask_for_trouble (MemlaneDevice *device, const char *mode, double log2_elements, guint round)
{
  static const char *const kinds[] = { "failure", "lost", "hang", "crash", "spin" };
  const char *asked = g_getenv ("MEMLANE_FAULT");

  for (guint i = 0; asked != NULL && i < G_N_ELEMENTS (kinds); i++)
    {
      g_autofree char *this = g_strdup_printf ("%s@%s:%g", kinds[i], mode, log2_elements);
      g_autofree char *once = g_strdup_printf ("%s#%u", this, round);

      if (strcmp (asked, this) == 0 || strcmp (asked, once) == 0)
        memlane_device_ask_trouble (device, (MemlaneTrouble) i, 10);
    }
}

typedef struct
{
  Server *server;
  MemlaneDevice *device;
  guint round;
} Sweep;

/* How the device stands; nothing where nothing tells. */
static void
say_state (Server *server, MemlaneDevice *device)
{
  MemlaneDeviceState state;
  g_autofree char *reasons = NULL;
  MemlaneMessage message = { .type = MEMLANE_MESSAGE_STATE };

  if (!memlane_device_get_state (device, &state, NULL))
    return;
  reasons = memlane_throttle_is_void (state.throttle) ? memlane_throttle_describe (state.throttle)
                                                      : NULL;
  message.sm_mhz = state.sm_mhz;
  message.memory_mhz = state.memory_mhz;
  message.temperature_c = state.temperature_c;
  message.throttled = reasons;
  say (server, &message);
}

static void
on_measured (const MemlaneRun *run, const MemlaneMode *mode, double log2_elements,
             MemlaneCell *finished, gpointer user_data)
{
  const Sweep *sweep = user_data;
  MemlaneMessage message = {
    .run = (MemlaneRun *) run, .mode = mode, .log2_elements = log2_elements, .cell = finished
  };

  message.type = mode == NULL       ? MEMLANE_MESSAGE_RUN
                 : finished != NULL ? MEMLANE_MESSAGE_CELL
                                    : MEMLANE_MESSAGE_PROGRESS;
  say (sweep->server, &message);
  if (message.type == MEMLANE_MESSAGE_RUN)
    say_state (sweep->server, sweep->device);
  else if (message.type == MEMLANE_MESSAGE_PROGRESS)
    ask_for_trouble (sweep->device, mode->id, log2_elements, sweep->round);
}

static gboolean
answer_measure (Server *server, const MemlaneMessage *request, GError **error)
{
  g_autoptr (MemlaneDevice) device = NULL;
  g_autoptr (MemlaneRun) run = NULL;
  g_autoptr (GArray) order = g_array_new (FALSE, FALSE, sizeof (guint));
  guint n_cells = memlane_plan_count_cells (request->plan);
  Sweep sweep = { .server = server, .round = request->round };
  const MemlaneCell *last;

  g_array_append_vals (order, request->order, request->n_order);
  for (guint i = 0; i < order->len; i++)
    if (request->order[i] >= n_cells)
      return memlane_refuse (error, "order: expected numbers of cells, 0 to %u", n_cells - 1);
  device = sweep.device = open_device (request->device, error);
  if (device == NULL)
    return FALSE;
  memlane_device_begin_process (device, sweep.round);
  if ((request->plan->method.noise || g_strcmp0 (g_getenv ("MEMLANE_FAULT"), "noise") == 0)
      && !memlane_device_take_noise (device, request->plan->method.seed, error))
    return FALSE;
  run = memlane_measure_round (device, request->plan, order, on_measured, &sweep,
                               server->cancellable);
  say_state (server, device);
  if (!memlane_device_is_lost (device))
    return TRUE;
  /* in which it was lost */
  last = run->cells->len > 0 ? run->cells->pdata[run->cells->len - 1] : NULL;
  return memlane_device_refuse (error, LOST, "%s",
                                last != NULL && last->detail != NULL ? last->detail
                                                                     : "the device was lost");
}

/* --- traces ----------------------------------------------------------------------------------- */

/* Sends the trace as a file holds it, in pieces that end with lines. FALSE with @error: it has too
 * many events. */
static gboolean
say_trace (Server *server, const MemlaneTrace *trace, const char *step, GError **error)
{
  g_autoptr (GString) text = NULL;
  guint n;

  memlane_trace_get_events (trace, &n);
  if (n > MEMLANE_WORKER_MOST_EVENTS)
    return memlane_fail (error, MEMLANE_TRACE_ERROR, MEMLANE_TRACE_ERROR_TOO_LARGE,
                         "the trace has %u events, expected at most %u", n,
                         MEMLANE_WORKER_MOST_EVENTS);
  text = memlane_trace_to_json (trace);
  for (char *at = text->str, *end = at; *at != '\0'; at = end)
    {
      MemlaneMessage message = { .type = MEMLANE_MESSAGE_TRACE, .step = (char *) step };

      end = g_strrstr_len (at, MEMLANE_WORKER_LONGEST_PIECE, "\n") + 1;
      message.text = g_strndup (at, (gsize) (end - at));
      message.more = *end != '\0';
      say (server, &message);
      g_free (message.text);
    }
  return TRUE;
}

static gboolean
answer_trace (Server *server, const MemlaneMessage *request, GError **error)
{
  const MemlanePlan *plan = request->plan; /* NULL: of the laboratory */
  g_autoptr (MemlaneDevice) device = NULL;
  g_autoptr (MemlaneTrace) trace = NULL;

  memlane_trace_prepare ();
  device = open_device (request->device, error);
  if (device == NULL)
    return FALSE;
  ask_for_trouble (device, plan != NULL ? plan->modes[0]->id : "laboratory",
                   plan != NULL ? plan->first_log2 : request->lab.log2_elements, 0);
  trace = plan != NULL ? memlane_trace_record (device, &plan->method, plan->modes[0],
                                               plan->first_log2, server->cancellable, error)
                       : memlane_lab_run (device, &request->lab, server->cancellable, error);
  return trace != NULL && say_trace (server, trace, NULL, error);
}

/* --- experiments ------------------------------------------------------------------------------ */

typedef struct
{
  Server *server;
  guint n_findings, n_notes, n_traces; /* that have been said */
  gboolean is_begun;
} Experiment;

/* Sends the part of the result that has not been sent. */
static void
say_news (Experiment *self, const MemlaneExperimentResult *result)
{
  static const MemlaneValue unknown = { .kind = MEMLANE_VALUE_NONE,
                                        .doubt = MEMLANE_DOUBT_UNKNOWN };

  for (; self->n_findings < result->findings->len; self->n_findings++)
    {
      const MemlaneExperimentFinding *finding = result->findings->pdata[self->n_findings];
      /* JSON has no other numbers. */
      gboolean is_finite = isfinite (finding->value.median) && isfinite (finding->value.low)
                           && isfinite (finding->value.high);
      const MemlaneMessage message = {
        .type = MEMLANE_MESSAGE_FINDING, .step = finding->step, .name = finding->name,
        .value = is_finite ? finding->value : unknown,
      };

      say (self->server, &message);
    }
  for (; self->n_notes < result->notes->len; self->n_notes++)
    {
      const MemlaneMessage message = { .type = MEMLANE_MESSAGE_NOTE,
                                       .text = result->notes->pdata[self->n_notes] };

      say (self->server, &message);
    }
  for (; self->n_traces < result->traces->len; self->n_traces++)
    (void) say_trace (self->server, result->traces->pdata[self->n_traces],
                      result->trace_steps->pdata[self->n_traces], NULL);
}

static void
on_experiment (const MemlaneExperimentResult *result, guint steps_done, double fraction,
               gpointer user_data)
{
  Experiment *self = user_data;
  const MemlaneMessage message = { .type = MEMLANE_MESSAGE_STEP,
                                   .done = steps_done,
                                   .fraction = fraction };
  const MemlaneMessage begin = {
    .type = MEMLANE_MESSAGE_BEGIN,
    .device = result->device,
    .device_name = result->device_name,
    .device_kind = result->device_kind,
    .machine = result->machine,
  };

  if (!self->is_begun)
    say (self->server, &begin);
  self->is_begun = TRUE;
  say_news (self, result);
  say (self->server, &message);
}

static gboolean
answer_experiment (Server *server, const MemlaneMessage *request, GError **error)
{
  g_autoptr (MemlaneExperiment) experiment = memlane_experiment_parse (
      request->text, strlen (request->text), request->name, "C", error);
  g_autoptr (MemlaneExperimentResult) result = NULL;
  Experiment self = { .server = server };

  if (experiment == NULL)
    return FALSE;
  if (request->end > experiment->steps->len)
    return memlane_refuse (error, "end: expected at most %u", experiment->steps->len);
  result = memlane_experiment_run_steps (experiment, request->first, request->end, request->round,
                                         request->device, on_experiment, &self, server->cancellable,
                                         error);
  if (result == NULL)
    return FALSE;
  say_news (&self, result);
  return TRUE;
}

/* --- requests --------------------------------------------------------------------------------- */

static gboolean (*const answers[]) (Server *server, const MemlaneMessage *request,
                                    GError **error) = {
  [MEMLANE_MESSAGE_DEVICES] = answer_devices,
  [MEMLANE_MESSAGE_DESCRIBE] = answer_describe,
  [MEMLANE_MESSAGE_COPY] = answer_copy,
  [MEMLANE_MESSAGE_MEASURE] = answer_measure,
  [MEMLANE_MESSAGE_SAMPLE] = answer_trace,
  [MEMLANE_MESSAGE_LABORATORY] = answer_trace,
  [MEMLANE_MESSAGE_EXPERIMENT] = answer_experiment,
};

/* A device may be named by the path of its profile. Nothing that comes from another machine is a
 * path, or answers would tell of files. */
static gboolean
check_device (Server *server, const char *device, GError **error)
{
  if (server->is_local || device == NULL
      || (strchr (device, '/') == NULL && strstr (device, ".device") == NULL))
    return TRUE;
  return memlane_device_refuse (error, UNAVAILABLE,
                                "a device of another machine has no path: put its profile into "
                                "~/.local/share/memlane/devices there, "
                                "and use its name");
}

static gpointer
work (gpointer data)
{
  static const MemlaneMessage done = { .type = MEMLANE_MESSAGE_DONE };
  Request *request = data;
  Server *server = request->server;
  g_autoptr (GError) error = NULL;
  gboolean is_done = check_device (server, request->message.device, &error)
                     && answers[request->message.type] (server, &request->message, &error);

  memlane_message_clear (&request->message);
  g_free (request);
  g_atomic_int_set (&server->is_busy, FALSE);
  if (is_done)
    say (server, &done);
  else
    say_error (server, error);
  return NULL;
}

/* Takes the members of @message. */
static void
begin (Server *server, const MemlaneMessage *message)
{
  Request *request = g_new0 (Request, 1);

  *request = (Request) { server, *message };
  g_clear_pointer (&server->measuring, g_thread_join);
  g_clear_object (&server->cancellable);
  server->cancellable = g_cancellable_new ();
  g_atomic_int_set (&server->is_busy, TRUE);
  server->measuring = g_thread_new ("measuring", work, request);
}

/* Ends the process; a thread inside a driver is left alone. */
G_NORETURN static void
leave (Server *server)
{
  if (!g_atomic_int_get (&server->is_busy))
    g_clear_pointer (&server->measuring, g_thread_join);
  _exit (EXIT_SUCCESS);
}

static void
take_line (gpointer self, const char *line, gsize length)
{
  Server *server = self;
  g_autoptr (GError) error = NULL;
  MemlaneMessage message;

  if (!memlane_message_read (&message, line, length, FALSE, "request", &error))
    {
      say_error (server, error);
      _exit (EXIT_FAILURE);
    }
  if (message.type == MEMLANE_MESSAGE_BYE)
    leave (server);
  if (message.type == MEMLANE_MESSAGE_CANCEL && server->cancellable != NULL)
    g_cancellable_cancel (server->cancellable);
  else if (message.type != MEMLANE_MESSAGE_CANCEL && g_atomic_int_get (&server->is_busy))
    {
      error = g_error_new_literal (MEMLANE_FILE_ERROR, MEMLANE_FILE_ERROR_BAD,
                                   "another request is in work: expected cancel or bye");
      say_error (server, error);
      _exit (EXIT_FAILURE);
    }
  else if (message.type != MEMLANE_MESSAGE_CANCEL)
    begin (server, &message);
}

/* A driver that crashes takes the process along; its last words are the call that it was in.
 * Nothing here but what signal-safety(7) lists.
 * */
static void
on_crash (int number)
{
  const char *call;
  guint64 count;

  memlane_device_watch (&call, &count);
  if (call != NULL)
    {
      (void) !write (STDERR_FILENO, "it was in ", strlen ("it was in "));
      (void) !write (STDERR_FILENO, call, strlen (call));
      (void) !write (STDERR_FILENO, "\n", 1);
    }
  raise (number); /* by its default, which is back */
}

/* A sanitizer's own handlers stay. What is ignored or blocked by inheritance would not end the
 * process, or not with a word. */
static void
listen_for_crashes (void)
{
  static const int numbers[] = { SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGABRT };
  sigset_t all;
  const struct sigaction ours = { .sa_handler = on_crash,
                                  .sa_flags = (int) SA_RESETHAND | SA_NODEFER };

  sigfillset (&all);
  (void) sigprocmask (SIG_UNBLOCK, &all, NULL);
  for (guint i = 0; i < G_N_ELEMENTS (numbers); i++)
    {
      struct sigaction theirs;

      if (sigaction (numbers[i], NULL, &theirs) == 0
          && (theirs.sa_handler == SIG_DFL || theirs.sa_handler == SIG_IGN))
        (void) sigaction (numbers[i], &ours, NULL);
    }
}

void
memlane_worker_serve (int input, int output, gboolean is_local)
{
  Server server = {
    .input = input, .output = output, .line = g_string_new (NULL), .is_local = is_local
  };
  char buffer[PIECE];

  listen_for_crashes ();
  g_mutex_init (&server.lock);
  say_hello (&server);
  for (;;)
    {
      struct pollfd poller = { .fd = input, .events = POLLIN };
      int ready = poll (&poller, 1, ALIVE_MS);
      gssize n;

      if (ready == 0)
        say_alive (&server);
      if (ready <= 0)
        continue;
      n = read (input, buffer, sizeof buffer);
      if (n > 0 && !memlane_lines_take (server.line, buffer, (gsize) n, take_line, &server))
        _exit (EXIT_FAILURE);
      if (n == 0 || (n < 0 && errno != EINTR))
        leave (&server); /* nobody listens any more */
    }
}
