/* watch.c: runs somebody else's program, and records what it does with CUDA
 *
 * SPDX-License-Identifier: MIT
 */
#include "watch.h"

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <string.h>
#include <sys/file.h>
#include <sys/wait.h>
#include <unistd.h>

#include <glib/gstdio.h>

#include "base/data-file.h"
#include "base/each.h"
#include "base/fail.h"
#include "device/module.h"
#include "trace/record.h"

#define RECORDER "memlane-recorder.so"
#define INJECTION "CUDA_INJECTION64_PATH" /* the driver's own */
#define RANGES "NVTX_INJECTION64_PATH"    /* NVTX's */
#define PRELOAD "LD_PRELOAD"              /* the loader's */
#define FOLDER "memlane-advise-"
#define LEAST_AGE_S 60 /* of a folder that nobody locks: its maker may be about to */

G_DEFINE_QUARK (memlane-watch-error-quark, memlane_watch_error)

/* --- the folder --------------------------------------------------------------------------- */

static void
remove_files (const char *folder)
{
  g_autoptr (GPtrArray) paths = memlane_list_files (folder, "", NULL);

  MEMLANE_FOR_EACH (char, path, paths)
    g_unlink (path);
  g_rmdir (folder);
}

static int
open_locked (const char *folder)
{
  int lock = open (folder, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);

  if (lock >= 0 && flock (lock, LOCK_EX | LOCK_NB) == 0)
    return lock;
  if (lock >= 0)
    close (lock);
  return -1;
}

/* Removes what killed processes of this person left. A live one holds the lock of its folder. */
static void
remove_stale (void)
{
  g_autoptr (GDir) folders = g_dir_open (g_get_tmp_dir (), 0, NULL);
  const char *name;

  while (folders != NULL && (name = g_dir_read_name (folders)) != NULL)
    {
      g_autofree char *path = g_build_filename (g_get_tmp_dir (), name, NULL);
      GStatBuf info;
      int lock;

      if (!g_str_has_prefix (name, FOLDER) || g_lstat (path, &info) != 0
          || info.st_uid != geteuid () || info.st_mtime + LEAST_AGE_S > time (NULL)
          || (lock = open_locked (path)) < 0)
        continue;
      remove_files (path);
      close (lock);
    }
}

char *
memlane_watch_new_folder (int *lock, GError **error)
{
  char *folder;

  remove_stale ();
  folder = g_dir_make_tmp (FOLDER "XXXXXX", error);
  *lock = folder != NULL ? open_locked (folder) : -1;
  return folder;
}

void
memlane_watch_remove_folder (const char *folder, int lock)
{
  remove_files (folder);
  if (lock >= 0)
    close (lock);
}

/* --- the program --------------------------------------------------------------------------- */

/* In the new process: the program gets the signals' usual effect, whatever we do with them. */
static void
prepare (gpointer data)
{
  static const int signals[] = { SIGINT, SIGQUIT, SIGTERM, SIGHUP, SIGPIPE };
  const MemlaneProgram *program = data;

  for (guint i = 0; i < G_N_ELEMENTS (signals); i++)
    signal (signals[i], SIG_DFL);
  if (program->input >= 0)
    dup2 (program->input, STDIN_FILENO);
  if (program->output < 0)
    return;
  setpgid (0, 0);
  dup2 (program->output, STDOUT_FILENO);
  dup2 (program->output, STDERR_FILENO);
}

static void
set (char ***environment, const char *name, const char *value)
{
  *environment = g_environ_setenv (*environment, name, value, TRUE);
}

/* Puts the recorder before what the loader loads already: then calls that end the program or its
 * memory come to the recorder first. The address sanitizer wants to be first, unless it is told. */
static void
preload (char ***environment, const char *recorder)
{
  const char *others = g_environ_getenv (*environment, PRELOAD);
  const char *asan = g_environ_getenv (*environment, "ASAN_OPTIONS");
  g_autofree char *both = g_strjoin (":", recorder, others, NULL);
  g_autofree char *options = g_strjoin (":", "verify_asan_link_order=0", asan, NULL);

  set (environment, PRELOAD, both);
  set (environment, "ASAN_OPTIONS", options);
}

gboolean
memlane_watch_run (const MemlaneProgram *program, const char *folder, const char *trial,
                   int *status, GError **error)
{
  const gboolean inherits = program->output < 0 || program->input >= 0;
  GSpawnFlags flags = G_SPAWN_SEARCH_PATH | G_SPAWN_DO_NOT_REAP_CHILD
                      | (inherits ? G_SPAWN_CHILD_INHERITS_STDIN : 0);
  g_auto (GStrv) environment = g_get_environ ();
  g_autofree char *prefix = g_build_filename (folder, "process", NULL), *place = NULL;
  g_autofree char *recorder = memlane_module_find (RECORDER, &place);
  const char *other = g_getenv (INJECTION);
  g_autoptr (GError) why = NULL;
  char limit[G_ASCII_DTOSTR_BUF_SIZE];
  GPid pid = 0;

  *status = -1;
  if (recorder == NULL)
    return memlane_fail (error, MEMLANE_WATCH_ERROR, MEMLANE_WATCH_ERROR_NO_RECORDER,
                         "programs cannot be recorded: there is no %s; install the package "
                         "memlane-cuda", place);
  if (other != NULL && strcmp (other, "none") != 0)
    return memlane_fail (error, MEMLANE_WATCH_ERROR, MEMLANE_WATCH_ERROR_NO_RECORDER,
                         INJECTION " is set to %s: another tool records the program; unset it "
                         "first", other);
  set (&environment, INJECTION, recorder);
  if (g_environ_getenv (environment, RANGES) == NULL)
    set (&environment, RANGES, recorder);
  preload (&environment, recorder);
  set (&environment, MEMLANE_RECORD_FILE, prefix);
  if (trial != NULL)
    set (&environment, MEMLANE_TRIAL, trial);
  if (program->gpu != NULL)
    set (&environment, "CUDA_VISIBLE_DEVICES", program->gpu);
  if (program->seconds > 0)
    set (&environment, MEMLANE_RECORD_SECONDS,
         g_ascii_dtostr (limit, sizeof limit, program->seconds));
  if (!g_spawn_async (NULL, program->words, environment, flags, prepare, (gpointer) program, &pid,
                      &why))
    return memlane_fail (error, MEMLANE_WATCH_ERROR, MEMLANE_WATCH_ERROR_START, "%s",
                         why->message);
  *program->pid = pid;
  while (waitpid (pid, status, 0) < 0 && errno == EINTR)
    ;
  *program->pid = 0;
  return TRUE;
}

/* Why nothing was seen. The driver is asked for by name alone: it is not started. */
static const char *
guess_reason (void)
{
  void *driver = dlopen ("libcuda.so.1", RTLD_LAZY | RTLD_LOCAL);

  if (driver == NULL)
    return "NVIDIA's driver is not installed here: libcuda.so.1 cannot be opened";
  dlclose (driver);
  return "it uses none, or starts what does without this environment";
}

static MemlaneTrace *
read_recordings (const char *folder, const char *program, GError **error)
{
  g_autoptr (GPtrArray) paths = memlane_list_files (folder, "", NULL);
  g_autoptr (MemlaneTrace) trace = NULL;
  const GPtrArray *notes;

  g_ptr_array_add (paths, NULL);
  if (paths->len > 1)
    trace = memlane_trace_read_recording ((char *const *) paths->pdata, error);
  if (paths->len > 1 && trace == NULL)
    return NULL;
  if (trace != NULL && memlane_trace_count_kind (trace, MEMLANE_TRACE_CALL, NULL) > 0)
    return g_steal_pointer (&trace);
  notes = trace != NULL ? memlane_trace_get_info (trace)->notes : NULL;
  memlane_fail (error, MEMLANE_WATCH_ERROR, MEMLANE_WATCH_ERROR_NOTHING,
                "no call to CUDA was seen in %s: %s", program,
                notes != NULL && notes->len > 0 ? (const char *) notes->pdata[0]
                                                : guess_reason ());
  return NULL;
}

MemlaneTrace *
memlane_watch_program (const MemlaneProgram *program, int *status, GError **error)
{
  g_autofree char *folder = NULL;
  MemlaneTrace *trace = NULL;
  int lock;

  *status = -1;
  folder = memlane_watch_new_folder (&lock, error);
  if (folder == NULL)
    return NULL;
  if (memlane_watch_run (program, folder, NULL, status, error))
    trace = read_recordings (folder, program->words[0], error);
  memlane_watch_remove_folder (folder, lock);
  return trace;
}
