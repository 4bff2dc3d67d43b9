/* trace-child.c: one memlane-cli that records one trace into a file
 *
 * SPDX-License-Identifier: MIT
 */
#include "trace-child.h"

#include <errno.h>
#include <glib/gi18n-lib.h>
#include <glib/gstdio.h>
#include <signal.h>
#include <string.h>

#define PROGRAM "memlane-cli"
#define FILE_NAME "trace.json"
#define FOLDER_PREFIX "trace-"
#define OLD_SECONDS (24 * 3600) /* no recording lasts a day */
#define GRACE_SECONDS 2                     /* between SIGINT and SIGKILL */
#define MOST_SAID 16384                     /* bytes of standard error that are kept: the last ones */

typedef struct
{
  char *path;              /* of the file */
  GSubprocess *child;
  GPollableInputStream *errors;
  GSource *listener;       /* of it */
  GString *said;
  GCancellable *cancellable;
  gulong cancelled_id;
  GSource *stopper;        /* asks the child to end: on the main context, whatever thread cancels */
  guint killer;
} Child;

/* --- the folder ---------------------------------------------------------------------------------------------------- */

static void
remove_folder (const char *folder)
{
  g_autoptr (GDir) dir = g_dir_open (folder, 0, NULL);
  const char *name;

  while (dir != NULL && (name = g_dir_read_name (dir)) != NULL)
    {
      g_autofree char *path = g_build_filename (folder, name, NULL);

      (void) g_unlink (path);
    }
  (void) g_rmdir (folder);
}

void
memlane_trace_child_discard (const char *path)
{
  g_autofree char *folder = g_path_get_dirname (path);

  remove_folder (folder);
}

static void
remove_old_folders (const char *parent)
{
  g_autoptr (GDir) dir = g_dir_open (parent, 0, NULL);
  const char *name;

  while (dir != NULL && (name = g_dir_read_name (dir)) != NULL)
    {
      g_autofree char *folder = g_build_filename (parent, name, NULL);
      GStatBuf info;

      if (g_str_has_prefix (name, FOLDER_PREFIX) && g_lstat (folder, &info) == 0 && S_ISDIR (info.st_mode) &&
          (gint64) info.st_mtime + OLD_SECONDS < g_get_real_time () / G_USEC_PER_SEC)
        remove_folder (folder);
    }
}

/* (transfer full) (nullable): the file's path in a new folder. */
static char *
make_path (GError **error)
{
  g_autofree char *parent = g_build_filename (g_get_user_cache_dir (), "memlane", NULL);
  g_autofree char *folder = g_build_filename (parent, FOLDER_PREFIX "XXXXXX", NULL);
  int code;

  if (g_mkdir_with_parents (parent, 0700) == 0)
    {
      remove_old_folders (parent);
      if (g_mkdtemp_full (folder, 0700) != NULL)
        return g_build_filename (folder, FILE_NAME, NULL);
    }
  code = errno;
  g_set_error (error, G_IO_ERROR, (int) g_io_error_from_errno (code), _("No folder for the trace can be made in %s: %s"), parent,
               g_strerror (code));
  return NULL;
}

/* --- the program --------------------------------------------------------------------------------------------------- */

char *
memlane_trace_child_find_program (GError **error)
{
  const char *given = g_getenv ("MEMLANE_CLI");
  g_autofree char *self = g_file_read_link ("/proc/self/exe", NULL), *folder = NULL, *beside = NULL, *found = NULL;

  if (given != NULL && *given != '\0')
    return g_strdup (given);
  if (self != NULL)
    {
      folder = g_path_get_dirname (self);
      beside = g_build_filename (folder, PROGRAM, NULL);
      if (g_file_test (beside, G_FILE_TEST_IS_EXECUTABLE))
        return g_steal_pointer (&beside);
    }
  found = g_find_program_in_path (PROGRAM);
  if (found == NULL)
    g_set_error_literal (error, G_IO_ERROR, G_IO_ERROR_NOT_FOUND,
                         _("memlane-cli, which records traces, is neither beside memlane nor in PATH: install Memlane again, or set "
                           "MEMLANE_CLI to it"));
  return g_steal_pointer (&found);
}

/* --- the child ------------------------------------------------------------------------------------------------------ */

static void
child_free (gpointer data)
{
  Child *child = data;

  if (child->cancelled_id != 0)
    g_cancellable_disconnect (child->cancellable, child->cancelled_id);
  g_clear_object (&child->cancellable);
  if (child->listener != NULL)
    g_source_destroy (child->listener);
  g_clear_pointer (&child->listener, g_source_unref);
  if (child->stopper != NULL)
    g_source_destroy (child->stopper);
  g_clear_pointer (&child->stopper, g_source_unref);
  g_clear_handle_id (&child->killer, g_source_remove);
  g_clear_object (&child->child);
  if (child->path != NULL) /* nobody took it */
    memlane_trace_child_discard (child->path);
  g_free (child->path);
  g_string_free (child->said, TRUE);
  g_free (child);
}

/* Takes what is there now. FALSE: there will be no more. */
static gboolean
listen (Child *child)
{
  g_autoptr (GError) error = NULL;
  char buffer[4096];
  gssize n;

  while ((n = g_pollable_input_stream_read_nonblocking (child->errors, buffer, sizeof buffer, NULL, &error)) > 0)
    {
      g_string_append_len (child->said, buffer, n);
      if (child->said->len > MOST_SAID)
        g_string_erase (child->said, 0, (gssize) (child->said->len - MOST_SAID));
    }
  return g_error_matches (error, G_IO_ERROR, G_IO_ERROR_WOULD_BLOCK);
}

static gboolean
errors_cb (GObject *stream, gpointer data)
{
  return listen (data);
}

static gboolean
kill_cb (gpointer data)
{
  Child *child = data;

  child->killer = 0;
  g_subprocess_force_exit (child->child);
  return G_SOURCE_REMOVE;
}

static gboolean
stop_cb (gpointer data)
{
  Child *child = data;

  g_subprocess_send_signal (child->child, SIGINT);
  child->killer = g_timeout_add_seconds (GRACE_SECONDS, kill_cb, child);
  return G_SOURCE_REMOVE;
}

static void
cancelled_cb (GCancellable *cancellable, gpointer data)
{
  Child *child = data;

  g_source_attach (child->stopper, NULL);
}

/* The last line that memlane-cli wrote as its own, else the last of all; NULL: it said nothing. */
static char *
get_message (Child *child)
{
  g_autofree char *text = g_utf8_make_valid (child->said->str, (gssize) child->said->len);
  g_auto (GStrv) lines = g_strsplit (text, "\n", -1);
  const char *own = NULL, *last = NULL;

  for (guint i = 0; lines[i] != NULL; i++)
    {
      if (g_str_has_prefix (lines[i], PROGRAM ": "))
        own = lines[i] + strlen (PROGRAM ": ");
      if (*g_strstrip (lines[i]) != '\0')
        last = lines[i];
    }
  return g_strdup (own != NULL ? own : last);
}

static void
set_failure (Child *child, GError **error)
{
  g_autofree char *message = get_message (child);
  int status;

  if (g_cancellable_is_cancelled (child->cancellable))
    g_set_error_literal (error, G_IO_ERROR, G_IO_ERROR_CANCELLED, _("Recording was stopped"));
  else if (g_subprocess_get_if_signaled (child->child))
    {
      status = g_subprocess_get_term_sig (child->child);
      g_set_error (error, G_IO_ERROR, G_IO_ERROR_FAILED,
                   _("memlane-cli, which records traces, was ended by signal %d (%s): nothing was recorded"), status, g_strsignal (status));
    }
  else if (message != NULL)
    g_set_error_literal (error, G_IO_ERROR, G_IO_ERROR_FAILED, message);
  else
    g_set_error (error, G_IO_ERROR, G_IO_ERROR_FAILED, _("memlane-cli, which records traces, ended with status %d and said nothing"),
                 g_subprocess_get_exit_status (child->child));
}

static void
ended_cb (GObject *source, GAsyncResult *result, gpointer data)
{
  g_autoptr (GTask) task = data;
  Child *child = g_task_get_task_data (task);
  GError *error = NULL;

  /* Without a cancellable waiting cannot fail. A program that the child left behind may hold the stream open: nobody waits for that. */
  (void) g_subprocess_wait_finish (child->child, result, NULL);
  (void) listen (child);
  if (g_subprocess_get_successful (child->child) && !g_cancellable_is_cancelled (child->cancellable))
    g_task_return_pointer (task, g_steal_pointer (&child->path), g_free);
  else
    {
      set_failure (child, &error);
      g_task_return_error (task, error);
    }
}

static void
start (GTask *task, const char *const *arguments)
{
  Child *child = g_task_get_task_data (task);
  g_autoptr (GPtrArray) line = g_ptr_array_new ();
  g_autoptr (GError) error = NULL;
  g_autofree char *program = memlane_trace_child_find_program (&error);

  if (program != NULL)
    child->path = make_path (&error);
  if (child->path != NULL)
    {
      g_ptr_array_add (line, program);
      for (; *arguments != NULL; arguments++)
        g_ptr_array_add (line, (gpointer) *arguments);
      g_ptr_array_add (line, (gpointer) "--json");
      g_ptr_array_add (line, child->path);
      g_ptr_array_add (line, (gpointer) "--quiet");
      g_ptr_array_add (line, NULL);
      child->child = g_subprocess_newv ((const char *const *) line->pdata,
                                        G_SUBPROCESS_FLAGS_STDERR_PIPE | G_SUBPROCESS_FLAGS_STDOUT_SILENCE, &error);
      if (child->child == NULL)
        g_prefix_error (&error, _("memlane-cli, which records traces, cannot be started: "));
    }
  if (child->child == NULL)
    {
      g_task_return_error (task, g_steal_pointer (&error));
      return;
    }
  child->errors = G_POLLABLE_INPUT_STREAM (g_subprocess_get_stderr_pipe (child->child));
  child->listener = g_pollable_input_stream_create_source (child->errors, NULL);
  g_source_set_callback (child->listener, G_SOURCE_FUNC (errors_cb), child, NULL);
  g_source_attach (child->listener, NULL);
  child->stopper = g_idle_source_new ();
  g_source_set_priority (child->stopper, G_PRIORITY_DEFAULT);
  g_source_set_callback (child->stopper, stop_cb, child, NULL);
  if (child->cancellable != NULL)
    child->cancelled_id = g_cancellable_connect (child->cancellable, G_CALLBACK (cancelled_cb), child, NULL);
  g_subprocess_wait_async (child->child, NULL, ended_cb, g_object_ref (task));
}

void
memlane_trace_child_run_async (const char *const *arguments, GCancellable *cancellable, GAsyncReadyCallback callback, gpointer user_data)
{
  g_autoptr (GTask) task = g_task_new (NULL, cancellable, callback, user_data);
  Child *child = g_new0 (Child, 1);

  child->said = g_string_new (NULL);
  child->cancellable = cancellable != NULL ? g_object_ref (cancellable) : NULL;
  g_task_set_source_tag (task, memlane_trace_child_run_async);
  g_task_set_check_cancellable (task, FALSE); /* cancelled is told when the child is gone */
  g_task_set_task_data (task, child, child_free);
  start (task, arguments);
}

char *
memlane_trace_child_run_finish (GAsyncResult *result, GError **error)
{
  return g_task_propagate_pointer (G_TASK (result), error);
}
