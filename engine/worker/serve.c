/* serve.c: the far side: requests in, answers out
 *
 * SPDX-License-Identifier: MIT
 */
#include "serve.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/save.h"
#include "commit.h"
#include "device/device-driver.h"
#include "experiment/runner.h"
#include "measure/measure.h"
#include "measure/record.h"
#include "message.h"
#include "trace/chrome-json.h"

#define ALIVE_MS 1000
#define PIECE 65536

typedef struct
{
  int input, output;
  GMutex lock;               /* of the output */
  GString *line;
  gint is_busy;              /* atomic: a thread measures */
  GCancellable *cancellable; /* of the request in work */
} Server;

typedef struct
{
  Server *server;
  JsonObject *message;
} Request;

/* --- answers ------------------------------------------------------------------------------------------------------------------ */

/* Takes @message. Where nobody listens any more there is nothing left to do: the measuring ends with the process. */
static void
say (Server *server, JsonObject *message)
{
  g_autofree char *line = memlane_message_to_line (message);
  gboolean done;

  g_mutex_lock (&server->lock);
  done = memlane_save_write_all (server->output, line, strlen (line));
  if (!done)
    _exit (EXIT_FAILURE);
  g_mutex_unlock (&server->lock);
}

static void
say_error (Server *server, const GError *error)
{
  JsonObject *message = memlane_message_new ("error");

  memlane_message_set_error (message, error);
  say (server, message);
}

static void
say_done (Server *server)
{
  say (server, memlane_message_new ("done"));
}

/* The boot id tells two boots of a machine apart; (transfer full). */
static char *
read_boot_id (void)
{
  char *id = NULL;

  if (g_file_get_contents ("/proc/sys/kernel/random/boot_id", &id, NULL, NULL))
    g_strstrip (id);
  return id;
}

static void
say_hello (Server *server)
{
  JsonObject *message = memlane_message_new ("hello");
  g_autofree char *boot = read_boot_id ();

  json_object_set_int_member (message, "protocol", MEMLANE_WORKER_PROTOCOL);
  json_object_set_string_member (message, "version", MEMLANE_VERSION);
  memlane_message_set_text (message, "commit", MEMLANE_COMMIT);
  memlane_message_set_text (message, "host", g_get_host_name ());
  memlane_message_set_text (message, "boot", boot);
  say (server, message);
}

static void
say_alive (Server *server)
{
  JsonObject *message = memlane_message_new ("alive");
  const char *call;
  guint64 count;

  memlane_device_watch (&call, &count);
  memlane_message_set_text (message, "call", call);
  json_object_set_int_member (message, "count", (gint64) count);
  say (server, message);
}

/* --- devices -------------------------------------------------------------------------------------------------------------------- */

static gboolean
answer_devices (Server *server, JsonObject *request, GError **error)
{
  g_autoptr (GPtrArray) listings = memlane_device_list ();

  for (guint i = 0; i < MIN (listings->len, MEMLANE_WORKER_MOST_DEVICES); i++)
    {
      const MemlaneDeviceListing *listing = listings->pdata[i];
      JsonObject *message = memlane_message_new ("device");

      memlane_message_set_text (message, "id", listing->id);
      memlane_message_set_text (message, "kind", listing->kind);
      memlane_message_set_text (message, "name", listing->name);
      memlane_message_set_text (message, "reason", listing->reason);
      say (server, message);
    }
  return TRUE;
}

/* Whatever kept a device from being opened, whoever asked is told that it cannot be used. */
static MemlaneDevice *
open_device (const char *id, GError **error)
{
  g_autoptr (GError) problem = NULL;
  MemlaneDevice *device = memlane_device_open (id, &problem);

  if (device == NULL)
    g_set_error_literal (error, MEMLANE_DEVICE_ERROR, MEMLANE_DEVICE_ERROR_UNAVAILABLE, problem->message);
  return device;
}

/* *@device NULL: the default one. */
static gboolean
get_device (JsonObject *request, const char **device, GError **error)
{
  return memlane_message_get_optional_text (request, "device", MEMLANE_WORKER_LONGEST_SENTENCE, device, error);
}

static gboolean
answer_capabilities (Server *server, JsonObject *request, GError **error)
{
  g_autoptr (MemlaneDeviceInfo) info = NULL;
  const char *device;
  JsonObject *message;

  if (!get_device (request, &device, error))
    return FALSE;
  info = memlane_device_describe (device, error);
  if (info == NULL)
    return FALSE;
  message = memlane_message_new ("capabilities");
  memlane_message_set_info (message, info);
  say (server, message);
  return TRUE;
}

/* --- a sweep --------------------------------------------------------------------------------------------------------------------- */

static void
say_run (Server *server, const MemlaneRun *run)
{
  JsonObject *message = memlane_message_new ("run");

  memlane_message_set_run (message, run);
  say (server, message);
}

static void
say_cell (Server *server, const MemlaneRun *run, const MemlaneCell *cell)
{
  JsonObject *message = memlane_message_new ("cell");

  memlane_message_set_cell (message, run, cell);
  say (server, message);
}

/* MEMLANE_FAULT=KIND@MODE:LOG2, for tests: failure, lost, hang, crash or spin in the tenth call of that cell; KIND@MODE:LOG2#ROUND: in
 * that round alone. */
static void
ask_for_trouble (MemlaneDevice *device, const char *mode, guint log2_elements, guint round)
{
  static const char *const kinds[] = { "failure", "lost", "hang", "crash", "spin" };
  const char *asked = g_getenv ("MEMLANE_FAULT");

  for (guint i = 0; asked != NULL && i < G_N_ELEMENTS (kinds); i++)
    {
      g_autofree char *this = g_strdup_printf ("%s@%s:%u", kinds[i], mode, log2_elements);
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
  JsonObject *message;

  if (!memlane_device_get_state (device, &state, NULL))
    return;
  message = memlane_message_new ("state");
  json_object_set_int_member (message, "sm_mhz", state.sm_mhz);
  json_object_set_int_member (message, "memory_mhz", state.memory_mhz);
  json_object_set_int_member (message, "temperature_c", state.temperature_c);
  if (memlane_throttle_is_void (state.throttle))
    {
      g_autofree char *reasons = memlane_throttle_describe (state.throttle);

      memlane_message_set_text (message, "throttled", reasons);
    }
  say (server, message);
}

static void
on_measured (const MemlaneRun *run, const MemlaneMode *mode, guint log2_elements, MemlaneCell *finished, gpointer user_data)
{
  const Sweep *sweep = user_data;

  if (mode == NULL)
    {
      say_run (sweep->server, run);
      say_state (sweep->server, sweep->device);
    }
  else if (finished != NULL)
    say_cell (sweep->server, run, finished);
  else
    {
      JsonObject *message = memlane_message_new ("progress");

      json_object_set_string_member (message, "mode", mode->id);
      json_object_set_int_member (message, "log2_elements", log2_elements);
      say (sweep->server, message);
      ask_for_trouble (sweep->device, mode->id, log2_elements, sweep->round);
    }
}

/* The last cell is the one in which it was lost. */
static gboolean
check_lost (MemlaneDevice *device, const MemlaneRun *run, GError **error)
{
  const MemlaneCell *last = run->cells->len > 0 ? run->cells->pdata[run->cells->len - 1] : NULL;

  if (!memlane_device_is_lost (device))
    return TRUE;
  g_set_error_literal (error, MEMLANE_DEVICE_ERROR, MEMLANE_DEVICE_ERROR_LOST,
                       last != NULL && last->detail != NULL ? last->detail : "the device was lost");
  return FALSE;
}

static gboolean
answer_measure (Server *server, JsonObject *request, GError **error)
{
  g_autoptr (MemlanePlan) plan = memlane_message_get_plan (request, error);
  g_autoptr (MemlaneDevice) device = NULL;
  g_autoptr (MemlaneRun) run = NULL;
  g_autoptr (GArray) order = plan != NULL ? memlane_message_get_order (request, plan, error) : NULL;
  const char *id;
  Sweep sweep = { .server = server };

  if (order == NULL || !get_device (request, &id, error)
      || !memlane_message_get_count (request, "round", 1, MEMLANE_MOST_ROUNDS, &sweep.round, error))
    return FALSE;
  device = sweep.device = open_device (id, error);
  if (device == NULL)
    return FALSE;
  memlane_device_begin_process (device, sweep.round);
  run = memlane_measure_round (device, plan, order, on_measured, &sweep, server->cancellable);
  say_state (server, device);
  return check_lost (device, run, error);
}

/* --- traces ------------------------------------------------------------------------------------------------------------------------ */

typedef struct
{
  Server *server;
  const char *step; /* (nullable) */
} Spans;

/* As many bytes as make a piece, and no half character. */
static gsize
measure_piece (const char *text, gsize length)
{
  gsize n = MIN (length, MEMLANE_WORKER_LONGEST_PIECE);

  while (n < length && n > 0 && (text[n] & 0xC0) == 0x80)
    n--;
  return n;
}

static gboolean
say_spans (const char *text, gsize length, gpointer user_data, GError **error)
{
  const Spans *spans = user_data;

  while (length > 0)
    {
      gsize n = measure_piece (text, length);
      g_autofree char *piece = g_strndup (text, n);
      JsonObject *message = memlane_message_new ("spans");

      json_object_set_string_member (message, "json", piece);
      say (spans->server, message);
      text += n;
      length -= n;
    }
  return TRUE;
}

/* A trace is its pieces, and then its end. */
static void
say_trace (Server *server, const MemlaneTrace *trace, const char *step)
{
  Spans spans = { server, step };
  JsonObject *message;

  (void) memlane_trace_put_json (trace, say_spans, &spans, NULL);
  message = memlane_message_new ("trace");
  memlane_message_set_text (message, "step", step);
  say (server, message);
}

static gboolean
answer_trace (Server *server, JsonObject *request, GError **error)
{
  g_autoptr (MemlanePlan) plan = memlane_message_get_plan (request, error);
  g_autoptr (MemlaneDevice) device = NULL;
  g_autoptr (MemlaneTrace) trace = NULL;
  const char *id;

  if (plan == NULL || !get_device (request, &id, error))
    return FALSE;
  memlane_trace_prepare ();
  device = open_device (id, error);
  if (device == NULL)
    return FALSE;
  ask_for_trouble (device, plan->modes[0]->id, plan->first_log2, 0);
  trace = memlane_trace_record (device, &plan->method, plan->modes[0], plan->first_log2, server->cancellable, error);
  if (trace != NULL)
    say_trace (server, trace, NULL);
  return trace != NULL;
}

static gboolean
answer_laboratory (Server *server, JsonObject *request, GError **error)
{
  g_autoptr (MemlaneDevice) device = NULL;
  g_autoptr (MemlaneTrace) trace = NULL;
  MemlaneLabPlan plan = { 0 };
  const char *id;

  if (!memlane_message_get_lab (request, &plan, error) || !get_device (request, &id, error))
    return FALSE;
  memlane_trace_prepare ();
  device = open_device (id, error);
  if (device == NULL)
    return FALSE;
  ask_for_trouble (device, "laboratory", plan.log2_elements, 0);
  trace = memlane_lab_run (device, &plan, server->cancellable, error);
  if (trace != NULL)
    say_trace (server, trace, NULL);
  return trace != NULL;
}

/* --- experiments --------------------------------------------------------------------------------------------------------------------- */

typedef struct
{
  Server *server;
  guint n_findings, n_notes, n_runs, n_traces; /* that have been said */
  gboolean is_begun;
} Experiment;

static void
say_begin (Server *server, const MemlaneExperimentResult *result)
{
  JsonObject *message = memlane_message_new ("begin");

  memlane_message_set_text (message, "device", result->device);
  memlane_message_set_text (message, "device_name", result->device_name);
  memlane_message_set_text (message, "device_kind", result->device_kind);
  memlane_message_set_text (message, "machine", result->machine);
  say (server, message);
}

/* What the result holds by now, and has not been said. */
static void
say_news (Experiment *self, const MemlaneExperimentResult *result)
{
  Server *server = self->server;

  for (; self->n_findings < result->findings->len; self->n_findings++)
    {
      const MemlaneExperimentFinding *finding = result->findings->pdata[self->n_findings];
      JsonObject *message = memlane_message_new ("finding");

      memlane_message_set_text (message, "step", finding->step);
      memlane_message_set_text (message, "name", finding->name);
      memlane_message_set_value (message, &finding->value);
      say (server, message);
    }
  for (; self->n_notes < result->notes->len; self->n_notes++)
    {
      JsonObject *message = memlane_message_new ("note");

      memlane_message_set_text (message, "text", result->notes->pdata[self->n_notes]);
      say (server, message);
    }
  for (; self->n_runs < result->runs->len; self->n_runs++)
    {
      const MemlaneRun *run = result->runs->pdata[self->n_runs];

      say_run (server, run);
      for (guint i = 0; i < run->cells->len; i++)
        say_cell (server, run, run->cells->pdata[i]);
    }
  for (; self->n_traces < result->traces->len; self->n_traces++)
    say_trace (server, result->traces->pdata[self->n_traces], result->trace_steps->pdata[self->n_traces]);
}

static void
on_experiment (const MemlaneExperimentResult *result, guint steps_done, double fraction, gpointer user_data)
{
  Experiment *self = user_data;
  JsonObject *message;

  if (!self->is_begun)
    say_begin (self->server, result);
  self->is_begun = TRUE;
  say_news (self, result);
  message = memlane_message_new ("step");
  json_object_set_int_member (message, "done", steps_done);
  json_object_set_double_member (message, "fraction", fraction);
  say (self->server, message);
}

static gboolean
answer_experiment (Server *server, JsonObject *request, GError **error)
{
  g_autoptr (MemlaneExperiment) experiment = NULL;
  g_autoptr (MemlaneExperimentResult) result = NULL;
  const char *id, *name, *text = json_object_get_string_member_with_default (request, "text", "");
  Experiment self = { .server = server };
  guint first, end;

  if (!get_device (request, &id, error) || !memlane_message_get_text (request, "name", MEMLANE_WORKER_LONGEST_SENTENCE, &name, error))
    return FALSE;
  experiment = memlane_experiment_parse (text, strlen (text), name, "C", error);
  if (experiment == NULL || !memlane_message_get_count (request, "first", 0, experiment->steps->len, &first, error)
      || !memlane_message_get_count (request, "end", first, experiment->steps->len, &end, error))
    return FALSE;
  result = memlane_experiment_run_steps (experiment, first, end, id, on_experiment, &self, server->cancellable, error);
  if (result == NULL)
    return FALSE;
  say_news (&self, result);
  return TRUE;
}

/* --- requests --------------------------------------------------------------------------------------------------------------------------
 * */

static const struct
{
  const char *type;
  gboolean (*answer) (Server *server, JsonObject *request, GError **error);
} answers[] = {
  { "devices", answer_devices }, { "capabilities", answer_capabilities }, { "measure", answer_measure },
  { "trace", answer_trace }, { "laboratory", answer_laboratory }, { "experiment", answer_experiment },
};

static gpointer
work (gpointer data)
{
  Request *request = data;
  Server *server = request->server;
  const char *type = memlane_message_get_type (request->message);
  g_autoptr (GError) error = NULL;
  gboolean done = FALSE;
  guint i;

  for (i = 0; i < G_N_ELEMENTS (answers) && strcmp (answers[i].type, type) != 0; i++)
    ;
  if (i < G_N_ELEMENTS (answers))
    done = answers[i].answer (server, request->message, &error);
  else
    g_set_error (&error, MEMLANE_FILE_ERROR, MEMLANE_FILE_ERROR_BAD, "unknown request \"%s\"", type);
  json_object_unref (request->message);
  g_free (request);
  g_atomic_int_set (&server->is_busy, FALSE);
  if (done)
    say_done (server);
  else
    say_error (server, error);
  return NULL;
}

/* Takes @message. */
static void
begin (Server *server, JsonObject *message)
{
  Request *request = g_new0 (Request, 1);

  *request = (Request) { server, message };
  g_clear_object (&server->cancellable);
  server->cancellable = g_cancellable_new ();
  g_atomic_int_set (&server->is_busy, TRUE);
  g_thread_unref (g_thread_new ("measuring", work, request)); /* nobody waits for it: the process may end while it hangs */
}

static void
take_line (Server *server, const char *line, gsize length)
{
  g_autoptr (GError) error = NULL;
  JsonObject *message = memlane_message_from_line (line, length, "request", &error);
  const char *type = message != NULL ? memlane_message_get_type (message) : "";

  if (message == NULL)
    {
      say_error (server, error);
      _exit (EXIT_FAILURE);
    }
  if (strcmp (type, "bye") == 0)
    _exit (EXIT_SUCCESS);
  if (strcmp (type, "cancel") == 0)
    {
      if (server->cancellable != NULL)
        g_cancellable_cancel (server->cancellable);
      json_object_unref (message);
    }
  else if (g_atomic_int_get (&server->is_busy))
    {
      error = g_error_new_literal (MEMLANE_FILE_ERROR, MEMLANE_FILE_ERROR_BAD, "another request is in work: expected cancel or bye");
      say_error (server, error);
      _exit (EXIT_FAILURE);
    }
  else
    begin (server, message);
}

static void
take_bytes (Server *server, const char *bytes, gsize length)
{
  while (length > 0)
    {
      const char *newline = memchr (bytes, '\n', length);
      gsize n = newline != NULL ? (gsize) (newline - bytes) : length;

      g_string_append_len (server->line, bytes, (gssize) n);
      if (server->line->len >= MEMLANE_WORKER_LONGEST_LINE)
        _exit (EXIT_FAILURE);
      if (newline == NULL)
        return;
      take_line (server, server->line->str, server->line->len);
      g_string_truncate (server->line, 0);
      bytes += n + 1;
      length -= n + 1;
    }
}

/* A driver that crashes takes the process along; its last words are the call that it was in. Nothing here but what signal-safety(7) lists.
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

/* A sanitizer's own handlers stay. What is ignored or blocked by inheritance would not end the process, or
 * not with a word. */
static void
listen_for_crashes (void)
{
  static const int numbers[] = { SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGABRT };
  sigset_t all;
  const struct sigaction ours = { .sa_handler = on_crash, .sa_flags = (int) SA_RESETHAND | SA_NODEFER };

  sigfillset (&all);
  (void) sigprocmask (SIG_UNBLOCK, &all, NULL);
  for (guint i = 0; i < G_N_ELEMENTS (numbers); i++)
    {
      struct sigaction theirs;

      if (sigaction (numbers[i], NULL, &theirs) == 0 && (theirs.sa_handler == SIG_DFL || theirs.sa_handler == SIG_IGN))
        (void) sigaction (numbers[i], &ours, NULL);
    }
}

void
memlane_worker_serve (int input, int output)
{
  Server server = { .input = input, .output = output, .line = g_string_new (NULL) };
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
      if (n > 0)
        take_bytes (&server, buffer, (gsize) n);
      else if (n == 0 || errno != EINTR)
        _exit (EXIT_SUCCESS); /* nobody is there any more: a driver that hangs is left alone */
    }
}
