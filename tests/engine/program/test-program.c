/* test-program.c: the program of every mode: it compiles, it runs, it makes the calls that are measured, and it says what failed
 *
 * SPDX-License-Identifier: MIT
 *
 * nvcc has compiled the programs, with warnings as errors, and linked them with fake-cudart.c instead of a CUDA runtime. Without nvcc the
 * texts alone are looked at.
 */
#include <gio/gio.h>
#include <glib/gstdio.h>
#include <string.h>

#include "base/size.h"
#include "program/program.h"
#include "device/simulated/profile.h"
#include "mode/transfer.h"
#include "mode/workload.h"
#include "measure/record.h"

#define RUNS 11 /* of a program */

/* --- the text ------------------------------------------------------------------------------------------------- */

/* The names of CUDA calls in @text: "cuda", then a capital. @after: what must stand behind them. (transfer full): a set. */
static GHashTable *
find_calls (const char *text, const char *after)
{
  GHashTable *calls = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  g_autoptr (GRegex) regex = g_regex_new ("\\bcu(da)?[A-Z][A-Za-z]*", 0, 0, NULL);
  g_autoptr (GMatchInfo) match = NULL;

  for (g_regex_match (regex, text, 0, &match); g_match_info_matches (match); g_match_info_next (match, NULL))
    {
      int end;

      g_match_info_fetch_pos (match, 0, NULL, &end);
      if (after == NULL || g_str_has_prefix (text + end, after))
        g_hash_table_add (calls, g_match_info_fetch (match, 0));
    }
  return calls;
}

/* What a program must do besides, which is no part of what the mode is. */
static const char *const besides[] = {
  "cudaGetErrorName", "cudaGetErrorString", "cudaGetLastError", "cudaGetDevice", "cudaDeviceGetAttribute", "cudaStreamCreate",
  "cudaStreamDestroy", "cudaGetDriverEntryPoint", "cudaGetDriverEntryPointByVersion", NULL,
};

/* The registry's list of calls and the program name the same ones. */
static void
test_names (void)
{
  guint n;
  const MemlaneMode *modes = memlane_mode_list (&n);

  for (guint i = 0; i < n; i++)
    {
      g_autofree char *text = memlane_program_for_mode (&modes[i], FALSE, 0, 0, 0);
      g_autoptr (GHashTable) made = find_calls (text, "(");
      g_autoptr (GHashTable) named = find_calls (modes[i].calls, NULL);
      GHashTableIter iter;
      gpointer call;

      g_hash_table_iter_init (&iter, named);
      while (g_hash_table_iter_next (&iter, &call, NULL))
        if (strstr (text, call) == NULL)
          g_error ("%s: %s is in the registry and not in the program", modes[i].id, (const char *) call);
      g_hash_table_iter_init (&iter, made);
      while (g_hash_table_iter_next (&iter, &call, NULL))
        if (!g_strv_contains (besides, call) && !g_hash_table_contains (named, call)
            && !((modes[i].transfer->resident || memlane_mode_is_of_pieces (&modes[i]))
                 && strcmp (call, "cudaMemcpy") == 0)) /* "(upload)", "(download)", or to compare */
          g_error ("%s: %s is in the program and not in the registry", modes[i].id, (const char *) call);
      g_assert_cmpint (strstr (text, "malloc(BYTES)") != NULL, ==,
                       strstr (modes[i].calls, "malloc,") != NULL || modes[i].transfer->resident);
      g_assert_cmpint (strstr (text, "__managed__") != NULL, ==, strstr (modes[i].calls, "__managed__") != NULL);
    }
}

/* What is copied is to be read: lines, blanks, braces, and nothing left over of how it was made. */
static void
test_form (void)
{
  guint n;
  const MemlaneMode *modes = memlane_mode_list (&n);

  for (guint i = 0; i < 2 * n; i++)
    {
      const MemlaneMode *mode = &modes[i / 2];
      const gboolean of_pieces = memlane_mode_is_of_pieces (mode) || (i % 2 == 1 && mode->transfer->pieces != MEMLANE_PIECES_NOT);
      g_autofree char *text = memlane_program_for_mode (mode, i % 2 == 1, 24, 0, 0);
      g_autofree char *name = memlane_program_file_name (mode);
      g_autofree char *head = g_strdup_printf ("// %s: %s in the memory mode \"%s\"\n", name,
                                               of_pieces ? "2^24 floats in 1024 scattered pieces to the device"
                                                         : "c[i] = a[i] + b[i] over 2^24 floats", mode->id);
      g_auto (GStrv) lines = g_strsplit (text, "\n", -1);
      int depth = 0;

      g_assert_true (g_str_has_prefix (text, head));
      g_assert_true (g_str_has_suffix (text, "  return 0;\n}\n"));
      g_assert_null (strstr (text, "\n\n\n"));
      g_assert_null (strchr (text, '@'));
      g_assert_nonnull (strstr (text, "static const int LOG2_N = 24;\n"));
      for (guint l = 0; lines[l] != NULL; l++)
        {
          const char *line = lines[l];
          gsize length = strlen (line), blanks = strspn (line, " ");
          int closes = line[blanks] == '}', inside = MAX (depth - closes, 0);

          g_assert_cmpuint (length, <=, 132);
          g_assert_true (length == 0 || line[length - 1] != ' ');
          /* Two blanks for each brace, and two more for what belongs to the line before; case labels stand with their switch. */
          if (length > 0 && line[0] != '#' && !g_str_has_prefix (line + blanks, "case ") && !g_str_has_prefix (line + blanks, "default:"))
            if (blanks != (gsize) inside * 2 && blanks != (gsize) inside * 2 + 2)
              g_error ("%s:%u: %u blanks at depth %d: %s", name, l + 1, (guint) blanks, inside, line);
          for (const char *c = line; *c != '\0'; c++)
            depth += *c == '{' ? 1 : *c == '}' ? -1 : 0;
        }
      g_assert_cmpint (depth, ==, 0);
    }
}

static void
test_sizes (void)
{
  const MemlaneMode *mode = memlane_mode_find ("streams-depth-first");
  g_autofree char *usual = memlane_program_for_mode (mode, FALSE, 0, 0, 0);
  g_autofree char *tiny = memlane_program_for_mode (mode, FALSE, 4, 8, 8);
  g_autofree char *uneven = memlane_program_for_mode (mode, FALSE, 12, 4, 6);
  g_autofree char *most = memlane_program_for_mode (mode, FALSE, 28, 1000, 100000);
  g_autofree char *few = memlane_program_for_mode (mode, FALSE, 20, 8, 2);
  g_autofree char *other = memlane_program_for_mode (memlane_mode_find ("pinned"), FALSE, 20, 3, 5);

  g_autofree char *odd = memlane_program_for_mode (mode, FALSE, memlane_size_of (100000), 0, 0);
  g_autofree char *pieces = memlane_program_for_mode (memlane_mode_find ("pinned-batch"), TRUE, memlane_size_of (100000), 0, 0);

  g_assert_nonnull (strstr (usual, "LOG2_N = 20;"));
  g_assert_nonnull (strstr (usual, "STREAMS = 8;\nstatic const int CHUNKS = 8;"));
  g_assert_nonnull (strstr (usual, "return N / CHUNKS * chunk;"));
  g_assert_nonnull (strstr (tiny, "STREAMS = 1;\nstatic const int CHUNKS = 1;")); /* no more than there are lines of 128 bytes */
  g_assert_nonnull (strstr (uneven, "STREAMS = 4;\nstatic const int CHUNKS = 6;"));
  g_assert_nonnull (strstr (uneven, "return N / 32 * chunk / CHUNKS * 32;"));
  g_assert_nonnull (strstr (most, "STREAMS = 32;\nstatic const int CHUNKS = 256;"));
  g_assert_nonnull (strstr (few, "STREAMS = 2;\nstatic const int CHUNKS = 2;")); /* no idle streams */
  g_assert_null (strstr (other, "STREAMS"));
  g_assert_nonnull (strstr (odd, " over 100000 floats in the memory mode"));
  g_assert_nonnull (strstr (odd, "static const size_t N = 100000; // floats in each vector\n"));
  g_assert_nonnull (strstr (odd, "return std::min((N + 31) / 32 * chunk / CHUNKS * 32, N);")); /* the last chunk has the rest */
  g_assert_nonnull (strstr (odd, "make N smaller"));
  g_assert_null (strstr (odd, "LOG2_N"));
  g_assert_nonnull (strstr (pieces, "// pinned-batch.cu: 100000 floats in 1021 scattered pieces to the device"));
}

static void
test_write (void)
{
  g_autoptr (GError) error = NULL;
  g_autofree char *folder = g_dir_make_tmp ("memlane-code-XXXXXX", &error);
  g_autofree char *path = g_build_filename (folder, "f.cu", NULL);
  g_autofree char *nowhere = g_build_filename (folder, "no", "f.cu", NULL);
  g_autofree char *content = NULL;
  g_autoptr (GFile) file = g_file_new_for_path (path);
  g_autoptr (GFile) parent = g_file_new_for_path (folder);
  guint64 past = 1000000000;
  g_autoptr (GFileInfo) info = NULL;

  g_assert_no_error (error);
  g_assert_true (memlane_program_write ("one\n", path, &error));
  g_assert_true (g_file_get_contents (path, &content, NULL, NULL));
  g_assert_cmpstr (content, ==, "one\n");

  /* The same again: the file is not touched. */
  g_assert_true (g_file_set_attribute_uint64 (file, "time::modified", past, G_FILE_QUERY_INFO_NONE, NULL, &error));
  g_assert_true (memlane_program_write ("one\n", path, &error));
  info = g_file_query_info (file, "time::modified", G_FILE_QUERY_INFO_NONE, NULL, &error);
  g_assert_cmpuint (g_file_info_get_attribute_uint64 (info, "time::modified"), ==, past);

  g_assert_true (memlane_program_write ("two\n", path, &error));
  g_clear_pointer (&content, g_free);
  g_assert_true (g_file_get_contents (path, &content, NULL, NULL));
  g_assert_cmpstr (content, ==, "two\n");

  g_assert_false (memlane_program_write ("one\n", nowhere, &error));
  g_assert_nonnull (error);
  g_assert_true (g_str_has_prefix (error->message, "cannot write "));
  g_assert_true (g_file_delete (file, NULL, NULL));
  g_assert_true (g_file_delete (parent, NULL, NULL));
}

/* --- the program --------------------------------------------------------------------------------------------------- */

#ifdef MEMLANE_HAVE_NVCC

typedef struct
{
  int status;
  char *out, *err;
  GPtrArray *calls; /* (element-type char*) as of the log */
  char *last;       /* the last line of the log */
} Outcome;

static void
outcome_free (Outcome *self)
{
  g_free (self->out);
  g_free (self->err);
  g_free (self->last);
  g_ptr_array_unref (self->calls);
  g_free (self);
}
G_DEFINE_AUTOPTR_CLEANUP_FUNC (Outcome, outcome_free)

/* Runs @name.cu's program, with @variable set to @value in its environment. */
static Outcome *
run_program (const char *name, const char *variable, const char *value)
{
  g_autoptr (GSubprocessLauncher) launcher =
    g_subprocess_launcher_new (G_SUBPROCESS_FLAGS_STDOUT_PIPE | G_SUBPROCESS_FLAGS_STDERR_PIPE | G_SUBPROCESS_FLAGS_INHERIT_FDS);
  g_autoptr (GSubprocess) process = NULL;
  g_autoptr (GError) error = NULL;
  g_autofree char *path = g_strdup_printf ("%s/%s.program", g_getenv ("G_TEST_BUILDDIR"), name);
  g_autofree char *log = NULL, *content = NULL;
  g_auto (GStrv) lines = NULL;
  const MemlaneMode *mode = memlane_mode_find (name);
  Outcome *outcome = g_new0 (Outcome, 1);
  int fd = g_file_open_tmp ("memlane-code-log-XXXXXX", &log, &error);

  g_assert_no_error (error);
  g_close (fd, NULL);
  g_subprocess_launcher_setenv (launcher, "FAKE_CUDART_LOG", log, TRUE);
  if (mode != NULL && (mode->needs & MEMLANE_CAN_PAGEABLE_ACCESS) != 0)
    g_subprocess_launcher_setenv (launcher, "FAKE_CUDART_PAGEABLE", "1", TRUE);
  if (variable != NULL)
    g_subprocess_launcher_setenv (launcher, variable, value, TRUE);
  process = g_subprocess_launcher_spawn (launcher, &error, path, NULL);
  g_assert_no_error (error);
  g_subprocess_communicate_utf8 (process, NULL, NULL, &outcome->out, &outcome->err, &error);
  g_assert_no_error (error);
  if (!g_subprocess_get_if_exited (process))
    g_error ("%s ended by signal %d", name, g_subprocess_get_term_sig (process));
  outcome->status = g_subprocess_get_exit_status (process);

  g_assert_true (g_file_get_contents (log, &content, NULL, NULL));
  g_unlink (log);
  outcome->calls = g_ptr_array_new_with_free_func (g_free);
  lines = g_strsplit (g_strchomp (content), "\n", -1);
  for (guint i = 0; lines[i] != NULL; i++)
    if (lines[i + 1] != NULL)
      g_ptr_array_add (outcome->calls, g_strdup (lines[i]));
    else
      outcome->last = g_strdup (lines[i]);
  return outcome;
}

/* The number of @stream among those of @seen, in the order in which they were met; 0: the default stream. */
static guint
number_stream (GArray *seen, guint32 stream)
{
  for (guint i = 0; i < seen->len; i++)
    if (g_array_index (seen, guint32, i) == stream)
      return i + 1;
  g_array_append_val (seen, stream);
  return seen->len;
}

/* (transfer full): the calls of one sample of @mode as the engine makes them, as lines of the log. */
static GPtrArray *
trace_calls (const MemlaneMode *mode, double size, guint streams, guint chunks)
{
  const gboolean of_pieces = memlane_mode_is_of_pieces (mode);
  const MemlaneMethod method = {
    .workload = memlane_workload_find (of_pieces ? "pieces-to-device" : "vector-add"), .streams = streams,
    .chunks = of_pieces ? 1024 : chunks,
  };
  g_autoptr (MemlaneProfile) profile = memlane_profile_new ();
  g_autoptr (MemlaneDevice) device = NULL;
  g_autoptr (MemlaneTrace) trace = NULL;
  g_autoptr (GArray) seen = g_array_new (FALSE, FALSE, sizeof (guint32));
  g_autoptr (GError) error = NULL;
  GPtrArray *calls = g_ptr_array_new_with_free_func (g_free);
  const MemlaneTraceEvent *events;
  guint n;

  profile->info.capabilities |= mode->needs;
  device = memlane_simulated_device_new (profile, "simulated:test");
  trace = memlane_trace_record (device, &method, mode, size, NULL, &error);
  g_assert_no_error (error);
  events = memlane_trace_get_events (trace, &n);
  for (guint i = 0; i < n; i++)
    if (events[i].kind == MEMLANE_TRACE_CALL)
      {
        const MemlaneTraceStream *stream = memlane_trace_find_stream (trace, events[i].stream);
        g_autofree char *number = events[i].stream == MEMLANE_TRACE_NO_STREAM ? g_strdup ("-")
                                  : stream != NULL && stream->is_default
                                    ? g_strdup ("0")
                                    : g_strdup_printf ("%u", number_stream (seen, events[i].stream));

        g_ptr_array_add (calls, g_strdup_printf ("%s %" G_GUINT64_FORMAT " %s", memlane_trace_get_name (trace, events[i].name),
                                                 events[i].bytes, number));
      }
  return calls;
}

/* Takes what a program does besides out of @calls. */
static void
strip (GPtrArray *calls, gboolean of_pieces)
{
  for (guint i = calls->len; i > 0; i--)
    {
      const char *line = calls->pdata[i - 1];

      if (g_str_has_prefix (line, "cudaGet") || g_str_has_prefix (line, "cudaDeviceGetAttribute ")
          || g_str_has_prefix (line, "cuDeviceGetAttribute ")
          || (of_pieces && g_str_has_prefix (line, "cudaMemcpy "))) /* to compare what has arrived */
        g_ptr_array_remove_index (calls, i - 1);
    }
}

static gboolean
is_at (const GPtrArray *calls, guint where, const GPtrArray *part)
{
  if (where + part->len > calls->len)
    return FALSE;
  for (guint i = 0; i < part->len; i++)
    if (strcmp (calls->pdata[where + i], part->pdata[i]) != 0)
      return FALSE;
  return TRUE;
}

/* (transfer full): the names of @calls[from, to), each run of equal ones once. */
static char *
name_calls (const GPtrArray *calls, guint from, guint to)
{
  GString *names = g_string_new (NULL);

  for (guint i = from; i < to; i++)
    {
      g_auto (GStrv) fields = g_strsplit (calls->pdata[i], " ", 2);
      const char *last = strrchr (names->str, ' ');

      if (g_strcmp0 (last != NULL ? last + 1 : names->str, fields[0]) != 0)
        g_string_append_printf (names, "%s%s", names->len > 0 ? " " : "", fields[0]);
    }
  return g_string_free (names, FALSE);
}

/* What stands before and after the samples, by what a mode is made of; each run of equal calls once. */
static const struct
{
  const char *before, *after;
} of_memory[] = {
  [MEMLANE_HOST_PAGEABLE] = { "", "" },
  [MEMLANE_HOST_PINNED] = { "cudaMallocHost", "cudaFreeHost" },
  [MEMLANE_HOST_ALLOCATED] = { "cudaHostAlloc", "cudaFreeHost" },
  [MEMLANE_HOST_PORTABLE] = { "cudaHostAlloc", "cudaFreeHost" },
  [MEMLANE_HOST_WRITE_COMBINED] = { "cudaHostAlloc", "cudaFreeHost" },
  [MEMLANE_HOST_REGISTERED] = { "cudaHostRegister", "cudaHostUnregister" },
  [MEMLANE_HOST_REGISTERED_READ_ONLY] = { "cudaHostRegister", "cudaHostUnregister" },
  [MEMLANE_HOST_MAPPED] = { "cudaHostAlloc", "cudaFreeHost" },
  [MEMLANE_HOST_MAPPED_WRITE_COMBINED] = { "cudaHostAlloc", "cudaFreeHost" },
  [MEMLANE_HOST_REGISTERED_MAPPED] = { "cudaHostRegister", "cudaHostUnregister" },
  [MEMLANE_HOST_MANAGED] = { "cudaMallocManaged", "cudaFree" },
  [MEMLANE_HOST_MANAGED_STATIC] = { "", "" },
};

static void
add_names (GString *names, gboolean wanted, const char *calls)
{
  if (wanted && calls[0] != '\0')
    g_string_append_printf (names, "%s%s", names->len > 0 ? " " : "", calls);
}

/* (transfer full) */
static char *
expect_before (const MemlaneMode *mode)
{
  GString *names = g_string_new (NULL);

  add_names (names, TRUE, of_memory[mode->input_memory].before);
  add_names (names, mode->reach == MEMLANE_REACH_DEVICE_COPY && !mode->transfer->allocates_inside && !mode->virtual_memory, "cudaMalloc");
  for (guint i = 0; mode->virtual_memory && i < 3; i++)
    add_names (names, TRUE, i == 0 ? "cuMemGetAllocationGranularity cuMemAddressReserve cuMemCreate cuMemMap cuMemSetAccess cuMemRelease"
                                   : "cuMemAddressReserve cuMemCreate cuMemMap cuMemSetAccess cuMemRelease");
  add_names (names, mode->reach == MEMLANE_REACH_DEVICE_POINTER, "cudaHostGetDevicePointer");
  add_names (names, mode->transfer->lanes != MEMLANE_LANES_NONE, "cudaStreamCreate");
  add_names (names, mode->transfer->kind == MEMLANE_TRANSFER_ADVISED, "cudaMemAdvise");
  add_names (names, mode->transfer->pieces == MEMLANE_PIECES_PACKED, "cudaMallocHost");
  add_names (names, mode->transfer->pieces == MEMLANE_PIECES_GRAPH,
             "cudaStreamBeginCapture cudaMemcpyAsync cudaStreamEndCapture cudaGraphInstantiateWithFlags cudaGraphDestroy");
  add_names (names, mode->transfer->keeps_pool, "cudaDeviceGetDefaultMemPool cudaMemPoolSetAttribute");
  add_names (names, mode->transfer->resident, "cudaMemcpy");
  return g_string_free (names, FALSE);
}

/* (transfer full) */
static char *
expect_after (const MemlaneMode *mode)
{
  GString *names = g_string_new (NULL);

  add_names (names, mode->transfer->resident, "cudaMemcpy");
  add_names (names, mode->transfer->pieces == MEMLANE_PIECES_PACKED, "cudaFreeHost");
  add_names (names, mode->transfer->pieces == MEMLANE_PIECES_GRAPH, "cudaGraphExecDestroy");
  add_names (names, mode->transfer->lanes != MEMLANE_LANES_NONE, "cudaStreamDestroy");
  add_names (names, mode->reach == MEMLANE_REACH_DEVICE_COPY && !mode->transfer->allocates_inside && !mode->virtual_memory, "cudaFree");
  for (guint i = 0; mode->virtual_memory && i < 3; i++)
    add_names (names, TRUE, "cuMemUnmap cuMemAddressFree");
  add_names (names, mode->transfer->keeps_pool, "cudaMemPoolTrimTo");
  add_names (names, TRUE, of_memory[mode->input_memory].after);
  return g_string_free (names, FALSE);
}

/* Runs to "ok", leaks nothing, and between setting up and releasing makes the very calls that a trace of the mode shows: the same names,
 * bytes and streams in the same order, once for each run. */
static void
check_calls (const char *name, const MemlaneMode *mode, double size, guint streams, guint chunks)
{
  g_autoptr (Outcome) outcome = run_program (name, NULL, NULL);
  g_autoptr (GPtrArray) sample = trace_calls (mode, size, streams, chunks);
  g_autofree char *expected_before = expect_before (mode), *expected_after = expect_after (mode);
  g_autofree char *before = NULL, *after = NULL;
  g_autofree char *pattern = g_strdup_printf ("^%s: %s: [0-9]+\\.[0-9]{3} ms, [0-9]+\\.[0-9]{2} GB/s, ok\n$", mode->id,
                                              memlane_mode_is_of_pieces (mode) ? "1024 pieces of 16 bytes"
                                              : size == 12 ? "2\\^12 floats" : "100000 floats");
  guint first = 0;

  g_assert_cmpstr (outcome->err, ==, "");
  g_assert_cmpint (outcome->status, ==, 0);
  g_assert_true (g_regex_match_simple (pattern, outcome->out, 0, 0));
  g_assert_cmpstr (outcome->last, ==, "leaked 0");
  strip (outcome->calls, memlane_mode_is_of_pieces (mode));
  g_assert_cmpuint (sample->len, >, 1);
  while (first < outcome->calls->len && !is_at (outcome->calls, first, sample))
    first++;
  for (guint run = 0; run < RUNS; run++)
    if (!is_at (outcome->calls, first + run * sample->len, sample))
      {
        g_autoptr (GString) text = g_string_new (NULL);

        for (guint i = 0; i < MAX (sample->len, outcome->calls->len); i++)
          g_string_append_printf (text, "%-40s %s\n", i < sample->len ? (char *) sample->pdata[i] : "",
                                  i < outcome->calls->len ? (char *) outcome->calls->pdata[i] : "");
        g_error ("%s: run %u: the engine's calls (left) are not the program's (right, all):\n%s", name, run, text->str);
      }
  before = name_calls (outcome->calls, 0, first);
  after = name_calls (outcome->calls, first + RUNS * sample->len, outcome->calls->len);
  g_assert_cmpstr (before, ==, expected_before);
  g_assert_cmpstr (after, ==, expected_after);
}

static void
test_calls (gconstpointer mode)
{
  check_calls (((const MemlaneMode *) mode)->id, mode, 12, 8, 8);
}

static void
test_uneven (void)
{
  check_calls ("uneven", memlane_mode_find ("streams-breadth-first"), 12, 4, 6);
  check_calls ("odd", memlane_mode_find ("streams-breadth-first"), memlane_size_of (100000), 4, 6);
}

/* Whichever call fails first, the program ends at once with 1 and names it, its error and what to do. Setting up, one run, releasing. */
static void
test_failures (gconstpointer data)
{
  const MemlaneMode *mode = data;
  g_autoptr (Outcome) whole = run_program (mode->id, NULL, NULL);
  guint n = whole->calls->len;

  for (guint i = 0; i < n; i++)
    {
      g_autofree char *number = g_strdup_printf ("%u", i + 1);
      g_autoptr (Outcome) outcome = NULL;
      g_auto (GStrv) fields = g_strsplit (whole->calls->pdata[i], " ", 2);
      g_autofree char *expected = NULL;

      /* The runs are alike: the first one and the end are enough. */
      if (i > 60 && i + 12 < n)
        continue;
      outcome = run_program (mode->id, "FAKE_CUDART_FAIL", number);
      expected = g_strdup (strcmp (fields[0], "cudaLaunchKernel") == 0 || strcmp (fields[0], "cudaGetLastError") == 0 ? "add<<<>>>"
                                                                                                                     : fields[0]);
      g_assert_cmpint (outcome->status, ==, 1);
      g_assert_cmpstr (outcome->out, ==, "");
      if (!g_str_has_prefix (outcome->err, expected)
          || strstr (outcome->err, ": cudaErrorUnknown: as the fake runtime says\nRun it under ") == NULL)
        g_error ("%s: call %u, %s, failed, and the program says: %s", mode->id, i + 1, expected, outcome->err);
    }
}

/* Asked for before anything is allocated. */
static void
test_lacks (gconstpointer data)
{
  const MemlaneMode *mode = data;
  guint asked = 0;

  for (guint bit = 0; bit < 32; bit++)
    if ((mode->needs & ~MEMLANE_CAN_COPY_BATCH & 1u << bit) != 0) /* no attribute tells of batches: CUDA's version does */
      {
        g_autofree char *number = g_strdup_printf ("%u", ++asked);
        g_autoptr (Outcome) outcome = run_program (mode->id, "FAKE_CUDART_LACKS", number);

        g_assert_cmpint (outcome->status, ==, 2);
        g_assert_cmpstr (outcome->out, ==, "");
        g_assert_nonnull (strstr (outcome->err, ", which is 0 on this device; pageable and pinned run on any.\n"));
        g_assert_true (g_str_has_prefix (outcome->err, mode->id));
        strip (outcome->calls, memlane_mode_is_of_pieces (mode));
        g_assert_cmpuint (outcome->calls->len, ==, 0);
      }
  {
    g_autoptr (Outcome) outcome = run_program (mode->id, "FAKE_CUDART_LACKS", "99");

    g_assert_cmpint (outcome->status, ==, 0);
  }
}

static void
test_wrong_result (gconstpointer data)
{
  const MemlaneMode *mode = data;
  const gboolean of_pieces = memlane_mode_is_of_pieces (mode);
  g_autoptr (Outcome) outcome = run_program (mode->id, "FAKE_CUDART_WRONG", of_pieces ? "copy" : "1");

  g_assert_cmpint (outcome->status, ==, 1);
  g_assert_cmpstr (outcome->out, ==, "");
  /* The last element; of the stream modes the first chunk's last, of pieces the first one's. */
  g_assert_true (g_str_has_prefix (outcome->err, of_pieces && mode->transfer->pieces != MEMLANE_PIECES_PACKED ? "float 3 is "
                                                 : of_pieces                                                   ? "float 4095 is "
                                                 : mode->transfer->lanes == MEMLANE_LANES_MANY                 ? "c[511] is "
                                                                                                               : "c[4095] is "));
  g_assert_nonnull (strstr (outcome->err, "expected "));
}

#endif

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/code/names", test_names);
  g_test_add_func ("/code/form", test_form);
  g_test_add_func ("/code/sizes", test_sizes);
  g_test_add_func ("/code/write", test_write);
#ifdef MEMLANE_HAVE_NVCC
  {
    guint n;
    const MemlaneMode *modes = memlane_mode_list (&n);

    for (guint i = 0; i < n; i++)
      {
        g_autofree char *calls = g_strconcat ("/code/calls/", modes[i].id, NULL);
        g_autofree char *failures = g_strconcat ("/code/failures/", modes[i].id, NULL);
        g_autofree char *lacks = g_strconcat ("/code/lacks/", modes[i].id, NULL);
        g_autofree char *wrong = g_strconcat ("/code/wrong-result/", modes[i].id, NULL);

        g_test_add_data_func (calls, &modes[i], test_calls);
        g_test_add_data_func (failures, &modes[i], test_failures);
        g_test_add_data_func (lacks, &modes[i], test_lacks);
        g_test_add_data_func (wrong, &modes[i], test_wrong_result);
      }
    g_test_add_func ("/code/calls/uneven", test_uneven);
  }
#endif
  return g_test_run ();
}
