/* trace-recordings.c: the recorded traces that come with Memlane
 *
 * SPDX-License-Identifier: MIT
 */
#include "trace-recordings.h"

#include <string.h>

#include "chart/scale.h"
#include "base/data-file.h"
#include "trace-item.h"
#include "mode/workload.h"

#define FOLDER "recordings/traces"
#define ENDING ".json"
#define SIZE "-2p"

void
memlane_trace_recording_free (MemlaneTraceRecording *recording)
{
  if (recording == NULL)
    return;
  g_free (recording->path);
  g_free (recording->mode);
  g_free (recording->title);
  g_free (recording);
}

static void
recording_free (gpointer data)
{
  memlane_trace_recording_free (data);
}

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
static MemlaneTraceRecording *
recording_new (const char *folder, const char *name)
{
  const char *dash = strchr (name, '-'), *size = dash != NULL ? g_strrstr (dash, SIZE) : NULL;
  g_autofree char *device = NULL, *mode = NULL, *words = NULL;
  const char *title;
  MemlaneTraceRecording *recording;
  char *end;
  guint64 log2;

  if (*name == '.' || size == NULL || size == dash || !g_str_has_suffix (name, ENDING))
    return NULL;
  log2 = g_ascii_strtoull (size + strlen (SIZE), &end, 10);
  if (strcmp (end, ENDING) != 0 || log2 == 0 || log2 > 40)
    return NULL;
  device = g_ascii_strup (name, dash - name);
  mode = g_strndup (dash + 1, (gsize) (size - dash - 1));
  words = memlane_unit_format_power ((guint) log2);
  title = memlane_trace_item_get_mode_title (mode);
  recording = g_new0 (MemlaneTraceRecording, 1);
  recording->path = g_build_filename (folder, name, NULL);
  recording->mode = g_strdup (title != NULL ? title : mode);
  recording->title = g_strdup_printf ("%s · %s", device, words);
  recording->order = find_order (mode);
  recording->log2 = (guint) log2;
  return recording;
}

static int
compare (gconstpointer a, gconstpointer b)
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
  GPtrArray *recordings = g_ptr_array_new_with_free_func (recording_free);
  g_autoptr (GPtrArray) folders = memlane_data_list_folders (FOLDER);
  g_autoptr (GHashTable) seen = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);

  for (guint i = 0; i < folders->len; i++)
    {
      g_autoptr (GDir) dir = g_dir_open (folders->pdata[i], 0, NULL);
      const char *name;

      while (dir != NULL && (name = g_dir_read_name (dir)) != NULL)
        {
          MemlaneTraceRecording *recording = recording_new (folders->pdata[i], name);

          if (recording != NULL && g_hash_table_add (seen, g_strdup (name)))
            g_ptr_array_add (recordings, recording);
          else
            memlane_trace_recording_free (recording);
        }
    }
  g_ptr_array_sort (recordings, compare);
  return recordings;
}
