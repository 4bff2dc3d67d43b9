/* recordings.c: the recorded runs and traces that come with Memlane
 *
 * SPDX-License-Identifier: MIT
 */
#include "recordings.h"

#include <string.h>

#include <glib/gi18n-lib.h>

#include "base/data-file.h"
#include "base/owns.h"
#include "chart/scale.h"
#include "memlane.h"
#include "trace-item.h"

#define RUNS "recordings"
#define FIRST "vector-add"
#define TRACES "recordings/traces"
#define ENDING ".json"
#define SIZE "-2p"

/* Those of the data folders for which @make gives something. */
static GPtrArray *
list (const char *subfolder, const char *suffix, gpointer (*make) (const char *path), GDestroyNotify release, GCompareFunc compare)
{
  GPtrArray *recordings = g_ptr_array_new_with_free_func (release);
  g_autoptr (GPtrArray) paths = memlane_data_list_files (subfolder, suffix);

  for (guint i = 0; i < paths->len; i++)
    {
      gpointer recording = make (paths->pdata[i]);

      if (recording != NULL)
        g_ptr_array_add (recordings, recording);
    }
  g_ptr_array_sort (recordings, compare);
  return recordings;
}

/* --- runs --------------------------------------------------------------------------------------------------------- */

MEMLANE_DEFINE_FREE (MemlaneRecording, void memlane_recording_free (MemlaneRecording *data), OWNS (path, g_free) OWNS (title, g_free))

/* NULL: no name of a recording. */
static char *
make_title (const char *name)
{
  const char *dash = strchr (name, '-');
  g_autofree char *device = NULL, *id = NULL, *first = NULL;
  const MemlaneWorkload *workload;

  if (dash == NULL || g_str_has_suffix (name, ".rounds.csv"))
    return NULL;
  device = g_ascii_strup (name, dash - name);
  id = g_strndup (dash + 1, strlen (dash + 1) - strlen (".csv"));
  /* Translators: %s is a device, "H200" */
  first = g_strdup_printf (_("Recorded %s"), device);
  if (strcmp (id, FIRST) == 0)
    return g_steal_pointer (&first);
  workload = memlane_workload_find (id);
  return g_strdup_printf ("%s · %s", first, workload != NULL ? g_dgettext (GETTEXT_PACKAGE, workload->title) : id);
}

static gboolean
is_first (const MemlaneRecording *recording)
{
  return g_str_has_suffix (recording->path, "-" FIRST ".csv");
}

static int
compare_runs (gconstpointer a, gconstpointer b)
{
  const MemlaneRecording *x = *(MemlaneRecording *const *) a, *y = *(MemlaneRecording *const *) b;

  if (is_first (x) != is_first (y))
    return is_first (x) ? -1 : 1;
  return g_utf8_collate (x->title, y->title);
}

static gpointer
run_new (const char *path)
{
  g_autofree char *name = g_path_get_basename (path);
  char *title = make_title (name);
  MemlaneRecording *recording;

  if (title == NULL)
    return NULL;
  recording = g_new0 (MemlaneRecording, 1);
  recording->path = g_strdup (path);
  recording->title = title;
  return recording;
}

GPtrArray *
memlane_recordings_list (void)
{
  return list (RUNS, ".csv", run_new, (GDestroyNotify) memlane_recording_free, compare_runs);
}

MemlaneRecording *
memlane_recordings_find_first (void)
{
  g_autoptr (GPtrArray) recordings = memlane_recordings_list ();

  if (recordings->len == 0 || !is_first (recordings->pdata[0]))
    return NULL;
  return g_ptr_array_steal_index (recordings, 0);
}

/* --- traces -------------------------------------------------------------------------------------------------------- */

MEMLANE_DEFINE_FREE (MemlaneTraceRecording, void memlane_trace_recording_free (MemlaneTraceRecording *data), OWNS (path, g_free)
                     OWNS (mode, g_free) OWNS (title, g_free))

static guint
find_order (const char *mode)
{
  guint n;
  const MemlaneMode *modes = memlane_mode_list (&n);

  for (guint i = 0; i < n; i++)
    if (strcmp (modes[i].id, mode) == 0)
      return i;
  return n; /* what is no mode of the registry comes last */
}

/* NULL: no name of a recording. */
static gpointer
trace_new (const char *path)
{
  g_autofree char *name = g_path_get_basename (path);
  const char *dash = strchr (name, '-'), *size = dash != NULL ? g_strrstr (dash, SIZE) : NULL;
  g_autofree char *device = NULL, *mode = NULL, *words = NULL;
  const char *title;
  MemlaneTraceRecording *recording;
  char *end;
  guint64 log2;

  if (size == NULL || size == dash)
    return NULL;
  log2 = g_ascii_strtoull (size + strlen (SIZE), &end, 10);
  if (strcmp (end, ENDING) != 0 || log2 == 0 || log2 > 40)
    return NULL;
  device = g_ascii_strup (name, dash - name);
  mode = g_strndup (dash + 1, (gsize) (size - dash - 1));
  words = memlane_unit_format_power ((guint) log2);
  title = memlane_trace_item_get_mode_title (mode);
  recording = g_new0 (MemlaneTraceRecording, 1);
  recording->path = g_strdup (path);
  recording->mode = g_strdup (title != NULL ? title : mode);
  recording->title = g_strdup_printf ("%s · %s", device, words);
  recording->order = find_order (mode);
  recording->log2 = (guint) log2;
  return recording;
}

static int
compare_traces (gconstpointer a, gconstpointer b)
{
  const MemlaneTraceRecording *x = *(MemlaneTraceRecording *const *) a, *y = *(MemlaneTraceRecording *const *) b;

  if (x->order != y->order)
    return x->order < y->order ? -1 : 1;
  if (strcmp (x->mode, y->mode) != 0)
    return g_utf8_collate (x->mode, y->mode);
  if (x->log2 != y->log2)
    return x->log2 < y->log2 ? -1 : 1;
  return strcmp (x->path, y->path);
}

GPtrArray *
memlane_trace_recordings_list (void)
{
  return list (TRACES, ENDING, trace_new, (GDestroyNotify) memlane_trace_recording_free, compare_traces);
}
