/* watch.c: runs somebody else's program, and records what it does with CUDA
 *
 * SPDX-License-Identifier: MIT
 */
#include "watch.h"

#include <errno.h>
#include <signal.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include <glib/gstdio.h>

#include "base/data-file.h"
#include "base/each.h"
#include "base/fail.h"
#include "device/device-driver.h"
#include "trace/record.h"

#define RECORDER "memlane-recorder.so"
#define INJECTION "CUDA_INJECTION64_PATH" /* the driver's own */
#define RANGES "NVTX_INJECTION64_PATH"    /* NVTX's */

G_DEFINE_QUARK (memlane-watch-error-quark, memlane_watch_error)

/* In the new process: the program gets the signals' usual effect, whatever we do with them, and @output (an int). */
static void
prepare (gpointer output)
{
  static const int signals[] = { SIGINT, SIGQUIT, SIGTERM, SIGHUP, SIGPIPE };

  for (guint i = 0; i < G_N_ELEMENTS (signals); i++)
    signal (signals[i], SIG_DFL);
  if (GPOINTER_TO_INT (output) < 0)
    return;
  setpgid (0, 0);
  dup2 (GPOINTER_TO_INT (output), STDOUT_FILENO);
  dup2 (GPOINTER_TO_INT (output), STDERR_FILENO);
}

static gboolean
start (char **words, int output, const char *folder, const char *recorder, const char *gpu, double seconds, GPid *pid, GError **error)
{
  GSpawnFlags flags = G_SPAWN_SEARCH_PATH | G_SPAWN_DO_NOT_REAP_CHILD | (output < 0 ? G_SPAWN_CHILD_INHERITS_STDIN : 0);
  g_auto (GStrv) environment = g_get_environ ();
  g_autofree char *prefix = g_build_filename (folder, "process", NULL);
  g_autoptr (GError) why = NULL;
  char limit[G_ASCII_DTOSTR_BUF_SIZE];

  environment = g_environ_setenv (environment, INJECTION, recorder, TRUE);
  environment = g_environ_setenv (environment, RANGES, recorder, FALSE);
  environment = g_environ_setenv (environment, MEMLANE_RECORD_FILE, prefix, TRUE);
  if (gpu != NULL)
    environment = g_environ_setenv (environment, "CUDA_VISIBLE_DEVICES", gpu, TRUE);
  if (seconds > 0)
    environment = g_environ_setenv (environment, MEMLANE_RECORD_SECONDS, g_ascii_dtostr (limit, sizeof limit, seconds), TRUE);
  if (g_spawn_async (NULL, words, environment, flags, prepare, GINT_TO_POINTER (output), pid, &why))
    return TRUE;
  return memlane_fail (error, MEMLANE_WATCH_ERROR, MEMLANE_WATCH_ERROR_START, "%s", why->message);
}

static MemlaneTrace *
read_recordings (const char *folder, const char *program, GError **error)
{
  g_autoptr (GPtrArray) paths = memlane_list_files (folder, "", NULL);
  g_autoptr (MemlaneTrace) trace = NULL;
  guint n = 0;

  g_ptr_array_add (paths, NULL);
  if (paths->len > 1 && (trace = memlane_trace_read_recording ((char *const *) paths->pdata, error)) == NULL)
    return NULL;
  if (trace != NULL)
    n = memlane_trace_count_kind (trace, MEMLANE_TRACE_CALL, NULL);
  if (n == 0)
    {
      const GPtrArray *notes = trace != NULL ? memlane_trace_get_info (trace)->notes : NULL;

      return memlane_fail (error, MEMLANE_WATCH_ERROR, MEMLANE_WATCH_ERROR_NOTHING, "no call to CUDA was seen in %s%s%s", program,
                           notes != NULL && notes->len > 0 ? ": " : "; it uses none, or starts what does without this environment",
                           notes != NULL && notes->len > 0 ? (const char *) notes->pdata[0] : ""), NULL;
    }
  return g_steal_pointer (&trace);
}

static void
remove_folder (const char *folder)
{
  g_autoptr (GPtrArray) paths = memlane_list_files (folder, "", NULL);

  MEMLANE_FOR_EACH (char, path, paths)
    g_unlink (path);
  g_rmdir (folder);
}

MemlaneTrace *
memlane_watch_program (char **words, int output, const char *gpu, double seconds, volatile GPid *pid, int *status, GError **error)
{
  g_autofree char *place = NULL, *recorder = memlane_module_find (RECORDER, &place), *folder = NULL;
  const char *other = g_getenv (INJECTION);
  MemlaneTrace *trace = NULL;
  GPid started = 0;

  *status = -1;
  if (recorder == NULL || (other != NULL && strcmp (other, "none") != 0))
    return memlane_fail (error, MEMLANE_WATCH_ERROR, MEMLANE_WATCH_ERROR_NO_RECORDER,
                         recorder == NULL ? "programs cannot be recorded: there is no %s; install the package memlane-cuda"
                                          : INJECTION " is set to %s: another tool records the program; unset it first",
                         recorder == NULL ? place : other), NULL;
  folder = g_dir_make_tmp ("memlane-advise-XXXXXX", error);
  if (folder == NULL)
    return NULL;
  if (start (words, output, folder, recorder, gpu, seconds, &started, error))
    {
      *pid = started;
      while (waitpid (started, status, 0) < 0 && errno == EINTR)
        ;
      *pid = 0;
      trace = read_recordings (folder, words[0], error);
    }
  remove_folder (folder);
  return trace;
}
