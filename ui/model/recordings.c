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
#include "base/each.h"

#define RUNS "recordings"
#define FIRST "default-sweep" /* the newest of all modes that move whole vectors */
#define TRACES "recordings/traces"
#define ENDING ".json"
#define SIZE "-2p"

MEMLANE_DEFINE_FREE (MemlaneRecording, void memlane_recording_free (MemlaneRecording *data),
                     OWNS (path, g_free) OWNS (title, g_free) OWNS (mode, g_free))

static int
compare (gconstpointer a, gconstpointer b)
{
  const MemlaneRecording *x = *(MemlaneRecording *const *) a, *y = *(MemlaneRecording *const *) b;

  if (x->order != y->order)
    return x->order < y->order ? -1 : 1;
  if (g_strcmp0 (x->mode, y->mode) != 0)
    return g_utf8_collate (x->mode, y->mode);
  if (x->log2 != y->log2)
    return x->log2 < y->log2 ? -1 : 1;
  return g_utf8_collate (x->title, y->title);
}

/* Lists the files of the data folders for whose name @read fills in the rest. */
static GPtrArray *
list (const char *subfolder, const char *suffix,
      gboolean (*read) (MemlaneRecording *recording, const char *device, const char *rest))
{
  GPtrArray *recordings = g_ptr_array_new_with_free_func ((GDestroyNotify) memlane_recording_free);
  g_autoptr (GPtrArray) paths = memlane_data_list_files (subfolder, suffix);

  MEMLANE_FOR_EACH (const char, path, paths)
    {
      g_autoptr (MemlaneRecording) recording = g_new0 (MemlaneRecording, 1);
      g_autofree char *name = g_path_get_basename (path);
      const char *dash = strchr (name, '-');
      g_autofree char *device = dash != NULL ? g_ascii_strup (name, dash - name) : NULL;

      recording->path = g_strdup (path);
      if (dash != NULL && read (recording, device, dash + 1))
        g_ptr_array_add (recordings, g_steal_pointer (&recording));
    }
  g_ptr_array_sort (recordings, compare);
  return recordings;
}

/* --- runs ------------------------------------------------------------------------------------- */

static gboolean
read_run (MemlaneRecording *recording, const char *device, const char *rest)
{
  g_autofree char *id = g_strndup (rest, (gsize) (strstr (rest, ".csv") - rest));
  const MemlaneWorkload *workload = memlane_workload_find (id);
  /* Translators: %s is a device, "H200" */
  g_autofree char *first = g_strdup_printf (_("Recorded %s"), device);

  recording->order = strcmp (id, FIRST) != 0;
  if (recording->order == 0)
    recording->title = g_steal_pointer (&first);
  else
    recording->title = g_strdup_printf (
        "%s · %s", first, workload != NULL ? g_dgettext (GETTEXT_PACKAGE, workload->title) : id);
  return !g_str_has_suffix (id, ".rounds");
}

GPtrArray *
memlane_recordings_list (void)
{
  return list (RUNS, ".csv", read_run);
}

MemlaneRecording *
memlane_recordings_find_first (void)
{
  g_autoptr (GPtrArray) recordings = memlane_recordings_list ();

  if (recordings->len == 0 || ((MemlaneRecording *) recordings->pdata[0])->order != 0)
    return NULL;
  return g_ptr_array_steal_index (recordings, 0);
}

/* --- traces ----------------------------------------------------------------------------------- */

static guint
find_order (const char *mode)
{
  guint n;
  const MemlaneMode *modes = memlane_mode_list (&n), *found = memlane_mode_find (mode);

  /* what is no mode of the registry comes last */
  return found != NULL ? (guint) (found - modes) : n;
}

static gboolean
read_trace (MemlaneRecording *recording, const char *device, const char *rest)
{
  const char *size = g_strrstr (rest, SIZE), *title;
  guint64 log2 = 0;
  g_autofree char *mode = size != NULL ? g_strndup (rest, (gsize) (size - rest)) : NULL,
                  *words = NULL;
  char *end = NULL;

  if (size != NULL)
    log2 = g_ascii_strtoull (size + strlen (SIZE), &end, 10);
  if (g_strcmp0 (end, ENDING) != 0 || log2 == 0 || log2 > 40)
    return FALSE;
  words = memlane_unit_format_power ((guint) log2);
  title = memlane_trace_item_get_mode_title (mode);
  recording->mode = g_strdup (title != NULL ? title : mode);
  recording->title = g_strdup_printf ("%s · %s", device, words);
  recording->order = find_order (mode);
  recording->log2 = (guint) log2;
  return TRUE;
}

GPtrArray *
memlane_trace_recordings_list (void)
{
  return list (TRACES, ENDING, read_trace);
}
