/* fuzz-trace.c: whatever bytes a trace file holds, reading it ends, with a trace or with a message
 *
 * SPDX-License-Identifier: MIT
 *
 * What is read must also survive a trip: written and read again, it is equal.
 */
#include <stdlib.h>

#include "analysis/findings.h"
#include "fuzz.h"
#include "trace/trace.h"
#include "trace/summary.h"
#include "engine/same-trace.h"

/* The indices hold: every entry of a lane is an event, in order, and what a view asks for is found. */
static void
check_lanes (const MemlaneTrace *trace)
{
  guint n, n_lanes, sum = 0;
  const MemlaneTraceEvent *events = memlane_trace_get_events (trace, &n);
  const MemlaneTraceLane *lanes = memlane_trace_get_lanes (trace, &n_lanes);

  for (guint i = 0; i < n_lanes; i++)
    {
      if (!g_utf8_validate (lanes[i].title, -1, NULL))
        g_error ("a title that is no text");
      for (guint k = 0; k < lanes[i].n_events; k++)
        {
          guint32 id = lanes[i].events[k];

          if (id >= n || (k > 0 && id <= lanes[i].events[k - 1]) || lanes[i].rows[k] >= lanes[i].n_rows)
            g_error ("a broken lane");
          sum += events[id].lane == i;
          if (memlane_trace_lane_first (&lanes[i], events[id].start + events[id].duration) > k
              || memlane_trace_lane_last (trace, &lanes[i], events[id].start) > k)
            g_error ("an event that a view would miss");
        }
    }
  if (sum != n)
    g_error ("%u events at home, %u in all", sum, n);
}

static char *folder, *file;

static void
clean_up (void)
{
  (void) unlink (file);
  (void) rmdir (folder);
}

static void
make_file (void)
{
  folder = g_file_test ("/dev/shm", G_FILE_TEST_IS_DIR) ? g_strdup ("/dev/shm/memlane-fuzz-XXXXXX") : g_strdup ("/tmp/memlane-fuzz-XXXXXX");
  if (g_mkdtemp (folder) == NULL)
    g_error ("no folder");
  file = g_build_filename (folder, "t.json", NULL);
  atexit (clean_up);
}

int
LLVMFuzzerTestOneInput (const guint8 *data, gsize size)
{
  int fd = fuzz_open (data, size);
  g_autofree char *path = g_strdup_printf ("/proc/self/fd/%d", fd), *table = NULL;
  g_autoptr (GError) error = NULL;
  g_autoptr (MemlaneTrace) trace = NULL, again = NULL;

  fuzz_begin ();
  trace = memlane_trace_read_json (path, NULL, NULL, NULL, &error);
  if (trace == NULL)
    {
      fuzz_check_refusal (error, path);
      close (fd);
      return 0;
    }
  if (error != NULL)
    g_error ("a trace and a message");
  check_lanes (trace);
  g_ptr_array_unref (memlane_trace_find (trace));
  table = memlane_trace_summary_to_text (trace);
  close (fd);
  if (file == NULL)
    make_file ();
  if (!memlane_trace_write_json (trace, file, &error))
    g_error ("not written: %s", error->message);
  again = memlane_trace_read_json (file, NULL, NULL, NULL, &error);
  if (again == NULL)
    g_error ("what was written is refused: %s", error->message);
  if (!is_same_trace (trace, again))
    g_error ("the trip changed it");
  return 0;
}
