/* trace-json.c: a trace of a million events: memory, finding, writing and reading
 *
 * SPDX-License-Identifier: MIT
 *
 * trace-json [EVENTS]  prints figures and checks none: a busy machine must not fail.
 */
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "advise/advise.h"
#include "analysis/findings.h"
#include "trace/builder.h"
#include "trace/trace.h"
#include "trace/summary.h"
#include "engine/same-trace.h"
#include "many-events.h"

static double
seconds_since (gint64 *mark)
{
  gint64 now = g_get_monotonic_time ();
  double seconds = (double) (now - *mark) / 1e6;

  *mark = now;
  return seconds;
}

static double
peak_mib (void)
{
  struct rusage usage;

  getrusage (RUSAGE_SELF, &usage);
  return usage.ru_maxrss / 1024.0;
}

int
main (int argc, char **argv)
{
  guint n = argc > 1 ? (guint) strtoul (argv[1], NULL, 10) : 1000000;
  g_autofree char *folder = g_dir_make_tmp ("memlane-benchmark-XXXXXX", NULL), *path = g_build_filename (folder, "trace.json", NULL);
  g_autoptr (GError) error = NULL;
  g_autoptr (MemlaneTrace) trace = NULL, back = NULL;
  gint64 mark = g_get_monotonic_time ();
  struct stat info;

  trace = make_trace (n);
  g_print ("%u events: made in %.2f s\n", n, seconds_since (&mark));
  g_ptr_array_unref (memlane_trace_find (trace));
  g_print ("findings: %.2f s\n", seconds_since (&mark));
  g_array_unref (memlane_trace_summarize (trace));
  g_print ("summary: %.2f s\n", seconds_since (&mark));
  {
    g_autoptr (GPtrArray) runs = memlane_advise_find_runs (NULL, NULL);
    double found = seconds_since (&mark);

    memlane_advice_free (memlane_advise (trace, runs));
    g_print ("advice: %.2f s, costs: %.2f s\n", seconds_since (&mark), found);
  }
  if (!memlane_trace_write_json (trace, path, &error) || stat (path, &info) != 0)
    {
      g_printerr ("%s\n", error != NULL ? error->message : "no file");
      return 1;
    }
  g_print ("written: %.2f s, %.0f MB\n", seconds_since (&mark), (double) info.st_size / 1e6);
  back = memlane_trace_read_json (path, NULL, NULL, NULL, &error);
  if (back == NULL)
    {
      g_printerr ("%s\n", error->message);
      return 1;
    }
  g_print ("read: %.2f s; peak resident with both in memory %.0f MiB\n", seconds_since (&mark), peak_mib ());
  if (!is_same_trace (trace, back))
    {
      g_printerr ("the trip changed it\n");
      return 1;
    }
  unlink (path);
  rmdir (folder);
  return 0;
}
