/* fuzz-trace.c: whatever bytes a trace file holds, reading it ends, with a trace or with a message
 *
 * SPDX-License-Identifier: MIT
 *
 * What is read must also survive a trip: written and read again, it is equal. With clang and -DMEMLANE_LIBFUZZER -fsanitize=fuzzer it is a
 * libFuzzer target, otherwise a program of mutate.h.
 */
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "mutate.h"
#include "trace/chrome-json.h"
#include "trace/findings.h"
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

int
LLVMFuzzerTestOneInput (const guint8 *data, gsize size)
{
  int fd = memfd_create ("fuzz", MFD_CLOEXEC);
  g_autofree char *path = g_strdup_printf ("/proc/self/fd/%d", fd), *table = NULL;
  g_autoptr (GError) error = NULL;
  g_autoptr (MemlaneTrace) trace = NULL, again = NULL;

  if (fd < 0 || write (fd, data, size) != (ssize_t) size)
    g_error ("no memory file");
  trace = memlane_trace_read_json (path, NULL, NULL, NULL, &error);
  if (trace == NULL)
    {
      if (error == NULL || !g_str_has_prefix (error->message, path) || !g_utf8_validate (error->message, -1, NULL)
          || strlen (error->message) > 1000 || error->domain != MEMLANE_FILE_ERROR || error->code != MEMLANE_FILE_ERROR_BAD)
        g_error ("a bad message: %s", error != NULL ? error->message : "none");
      close (fd);
      return 0;
    }
  if (error != NULL)
    g_error ("a trace and a message");
  check_lanes (trace);
  g_ptr_array_unref (memlane_trace_find (trace));
  table = memlane_trace_summary_to_text (trace);
  close (fd);
  {
    g_autofree char *folder = g_dir_make_tmp ("memlane-fuzz-XXXXXX", NULL), *file = g_build_filename (folder, "t.json", NULL);

    if (!memlane_trace_write_json (trace, file, &error))
      g_error ("not written: %s", error->message);
    again = memlane_trace_read_json (file, NULL, NULL, NULL, &error);
    if (again == NULL)
      g_error ("what was written is refused: %s", error->message);
    if (!is_same_trace (trace, again))
      g_error ("the trip changed it");
    unlink (file);
    rmdir (folder);
  }
  return 0;
}

#ifndef MEMLANE_LIBFUZZER

#define EVENT(name, kind, ts, dur, args) \
  "{\"ph\":\"X\",\"pid\":1,\"tid\":256,\"ts\":" ts ",\"dur\":" dur ",\"name\":\"" name "\",\"cat\":\"" kind "\",\"args\":{" args "}}"
static const char *const seeds[] = {
  "{\"displayTimeUnit\":\"ns\",\n\"otherData\":{\"memlane\":1,\"device\":\"cuda:0\",\"elements\":1024,\"traced_ns\":1.5,\"notes\":[\"a\"],"
  "\"stream_list\":[{\"number\":13,\"priority\":-1}],\"track_list\":[{\"number\":3,\"title\":\"t\"}]},\n\"traceEvents\":[\n"
  EVENT ("cudaMemcpyAsync", "call", "0", "1.5", "\"stream\":13,\"correlation\":1,\"flags\":1") ",\n"
  EVENT ("[CUDA memcpy HtoD]", "copy", "1", "20.25", "\"bytes\":64,\"stream\":13,\"correlation\":1,\"way\":\"to-device\","
         "\"from\":\"pinned\"")
  ",\n" EVENT ("add", "kernel", "21.5", "3", "\"stream\":14,\"correlation\":2") ",\n"
  EVENT ("x", "other", "4", "0", "\"stream\":3") "\n]}\n",
  "[{\"ph\":\"B\",\"ts\":1,\"pid\":\"p\",\"tid\":1,\"name\":\"a\"},{\"ph\":\"B\",\"ts\":2,\"pid\":\"p\",\"tid\":1,\"name\":\"\\u00e4\\ud83d"
  "\\ude00\"},{\"ph\":\"E\",\"ts\":3,\"pid\":\"p\",\"tid\":1},{\"ph\":\"C\"},{\"ph\":\"M\",\"name\":\"thread_name\",\"tid\":1,\"args\":"
  "{\"name\":\"w\"}},{\"ph\":\"X\",\"cat\":\"gpu_memcpy\",\"name\":\"Memcpy DtoH (Device -> Pageable)\",\"ts\":-5e1,\"dur\":1E-1}]",
};

static const char *const pieces[] = { ",", "\"", "\\", "{", "}", "[", "]", ":", "-", "1e18", "0.0005", "-1", "null", "true", "\xff",
                                      "\\u0000",
                                      "\"ts\":1,", "\"ph\":\"X\"", "18446744073709551616", "1e999", "\"args\":{", "\n" };

int
main (int argc, char **argv)
{
  const Fuzz fuzz = { seeds, G_N_ELEMENTS (seeds), pieces, G_N_ELEMENTS (pieces), .iterations = 10000, .digits_alone = TRUE };

  return fuzz_run (&fuzz, argc, argv);
}

#endif
