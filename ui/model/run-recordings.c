/* run-recordings.c: the recorded runs that come with Memlane
 *
 * SPDX-License-Identifier: MIT
 *
 * Their files are called DEVICE-WORKLOAD.csv.
 */
#include "run-recordings.h"

#include <string.h>

#include <glib/gi18n-lib.h>

#include "base/data-file.h"
#include "mode/workload.h"

#define FOLDER "recordings"
#define FIRST "vector-add"

void
memlane_recording_free (MemlaneRecording *recording)
{
  if (recording == NULL)
    return;
  g_free (recording->path);
  g_free (recording->title);
  g_free (recording);
}

static void
recording_free (gpointer data)
{
  memlane_recording_free (data);
}

/* NULL: no name of a recording. */
static char *
make_title (const char *name)
{
  const char *dash = strchr (name, '-');
  g_autofree char *device = NULL, *id = NULL, *first = NULL;
  const MemlaneWorkload *workload;

  if (dash == NULL || *name == '.' || !g_str_has_suffix (name, ".csv"))
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
compare (gconstpointer a, gconstpointer b)
{
  const MemlaneRecording *x = *(MemlaneRecording *const *) a, *y = *(MemlaneRecording *const *) b;

  if (is_first (x) != is_first (y))
    return is_first (x) ? -1 : 1;
  return g_utf8_collate (x->title, y->title);
}

GPtrArray *
memlane_recordings_list (void)
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
          char *title = make_title (name);
          MemlaneRecording *recording;

          if (title == NULL || !g_hash_table_add (seen, g_strdup (name)))
            {
              g_free (title);
              continue;
            }
          recording = g_new0 (MemlaneRecording, 1);
          recording->path = g_build_filename (folders->pdata[i], name, NULL);
          recording->title = title;
          g_ptr_array_add (recordings, recording);
        }
    }
  g_ptr_array_sort (recordings, compare);
  return recordings;
}

MemlaneRecording *
memlane_recordings_find_first (void)
{
  g_autoptr (GPtrArray) recordings = memlane_recordings_list ();

  if (recordings->len == 0 || !is_first (recordings->pdata[0]))
    return NULL;
  return g_ptr_array_steal_index (recordings, 0);
}
