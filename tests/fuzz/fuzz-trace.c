/* fuzz-trace.c: whatever bytes a trace file holds, reading it ends, with a trace or with a message
 *
 * SPDX-License-Identifier: MIT
 *
 * What is read must also survive a trip: written and read again, it is equal.
 */
#include "trace-oracles.h"

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
  folder = fuzz_make_folder ();
  file = g_build_filename (folder, "t.json", NULL);
  atexit (clean_up);
}

int
LLVMFuzzerTestOneInput (const guint8 *data, gsize size)
{
  int fd = fuzz_open (data, size);
  g_autofree char *path = g_strdup_printf ("/proc/self/fd/%d", fd);
  g_autoptr (GError) error = NULL;
  g_autoptr (MemlaneTrace) trace = NULL;

  fuzz_begin ();
  load_advice_runs ();
  trace = memlane_trace_read_json (path, NULL, NULL, NULL, &error);
  if (trace == NULL)
    {
      fuzz_check_refusal (error, path);
      close (fd);
      return 0;
    }
  if (error != NULL)
    g_error ("a trace and a message");
  if (file == NULL)
    make_file ();
  check_trace (trace, file);
  close (fd);
  return 0;
}
