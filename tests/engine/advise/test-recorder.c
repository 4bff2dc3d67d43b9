/* test-recorder.c: the recorder within a program, and what is read of it; on a CUPTI of our own
 *
 * SPDX-License-Identifier: MIT
 *
 *     test-recorder FAKE-PROGRAM LOOP.PY
 */
#include <dlfcn.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <utime.h>

#include <glib/gstdio.h>

#include "advise/trial.h"
#include "trace/summary.h"

static const char *fake_program, *python_program;

static MemlaneTrace *
watch (const char *n, const char *how, int *status)
{
  const char *words[] = { fake_program, n, how, NULL };
  volatile GPid pid = 0;
  g_autoptr (GError) error = NULL;
  const MemlaneProgram program = {
    .words = (char **) words, .input = -1, .output = -1, .pid = &pid,
  };
  MemlaneTrace *trace = memlane_watch_program (&program, status, &error);

  if (trace == NULL)
    g_test_message ("%s", error->message);
  g_assert_cmpint (pid, ==, 0);
  return trace;
}

static guint
count (const MemlaneTrace *trace, MemlaneTraceKind kind, guint8 flags)
{
  guint n, found = 0;
  const MemlaneTraceEvent *events = memlane_trace_get_events (trace, &n);

  for (guint i = 0; i < n; i++)
    found += events[i].kind == kind && (events[i].flags & flags) == flags;
  return found;
}

static void
test_all (void)
{
  int status;
  g_autoptr (MemlaneTrace) trace = watch ("300", "7", &status);
  guint n;
  const MemlaneTraceEvent *events = memlane_trace_get_events (trace, &n);

  g_assert_true (WIFEXITED (status) && WEXITSTATUS (status) == 7);
  g_assert_cmpuint (count (trace, MEMLANE_TRACE_COPY, 0), ==, 300);
  g_assert_cmpuint (count (trace, MEMLANE_TRACE_COPY, MEMLANE_TRACE_STAGED), ==, 300);
  g_assert_cmpuint (count (trace, MEMLANE_TRACE_COPY, MEMLANE_TRACE_REPEATED), <=, 1);
  g_assert_cmpuint (count (trace, MEMLANE_TRACE_KERNEL, 0), ==, 300);
  g_assert_cmpuint (count (trace, MEMLANE_TRACE_CALL, 0), ==, 600); /* not cudaGetLastError */
  g_assert_cmpuint (memlane_trace_get_info (trace)->dropped, ==, 0);
  g_assert_cmpstr (memlane_trace_get_info (trace)->device_name, ==, "NVIDIA Fake 3");
  g_assert_cmpuint (count (trace, MEMLANE_TRACE_OTHER, 0), ==, 150); /* every second call lies in a range */
  for (guint i = 0; i < n; i++)
    {
      const char *name = memlane_trace_get_name (trace, events[i].name);
      guint32 call = memlane_trace_find_call (trace, i);

      if (events[i].kind == MEMLANE_TRACE_KERNEL)
        g_assert_cmpstr (name, ==, "solve");
      if (events[i].kind != MEMLANE_TRACE_COPY)
        continue;
      g_assert_cmpuint (events[i].bytes, ==, 1 << 20);
      g_assert_cmpuint (events[i].count, ==, 1); /* one buffer */
      g_assert_cmpuint (call, !=, MEMLANE_TRACE_NONE);
      name = memlane_trace_get_name (trace, events[call].name);
      g_assert_true (g_str_has_prefix (name, "cudaMemcpy (")); /* with its place, which is not ours */
      g_assert_null (strstr (name, "recorder"));
      g_assert_cmpint (events[call].start, <=, events[i].start);
    }
}

/* --range keeps what lies in a range of NVTX. */
static void
test_range (void)
{
  int status;
  g_autoptr (MemlaneTrace) trace = watch ("300", "0", &status), part = memlane_trace_cut (trace, "even", NULL);

  g_assert_nonnull (part);
  g_assert_cmpuint (count (part, MEMLANE_TRACE_COPY, 0), ==, 150);
  g_assert_cmpuint (count (part, MEMLANE_TRACE_KERNEL, 0), ==, 150);
}

/* More records than all buffers hold, and than own memory holds. */
static void
test_many (void)
{
  int status;
  g_autoptr (MemlaneTrace) trace = watch ("100000", "0", &status);

  g_assert_cmpint (status, ==, 0);
  g_assert_cmpuint (count (trace, MEMLANE_TRACE_COPY, 0), ==, 100000);
  g_assert_cmpuint (count (trace, MEMLANE_TRACE_KERNEL, 0), ==, 100000);
  g_assert_cmpuint (memlane_trace_get_info (trace)->dropped, ==, 0);
}

/* A copy that Python makes is named by its line, in a loop and in a function that is called there. */
static void
test_python (void)
{
  const char *words[] = { "python3", python_program, NULL };
  volatile GPid pid = 0;
  const MemlaneProgram program = {
    .words = (char **) words, .input = -1, .output = -1, .pid = &pid,
  };
  g_autoptr (GError) error = NULL;
  g_autoptr (MemlaneTrace) trace = NULL;
  const MemlaneTraceEvent *events;
  guint n, here = 0, there = 0;
  int status;

  trace = memlane_watch_program (&program, &status, &error);
  g_assert_no_error (error);
  g_assert_true (WIFEXITED (status));
  events = memlane_trace_get_events (trace, &n);
  for (guint i = 0; i < n; i++)
    {
      const char *name = memlane_trace_get_name (trace, events[i].name);

      here += strcmp (name, "cudaMemcpy (loop.py:21)") == 0;
      there += strcmp (name, "cudaMemcpy (loop.py:15)") == 0;
    }
  g_assert_cmpuint (count (trace, MEMLANE_TRACE_COPY, 0), ==, 20);
  /* The script ends with 1 where its version of CPython is known to the recorder. */
  g_assert_cmpuint (here, ==, WEXITSTATUS (status) == 1 ? 10 : 0);
  g_assert_cmpuint (there, ==, WEXITSTATUS (status) == 1 ? 10 : 0);
}

/* Only what is the same to the last byte counts as copied again: in test_all() no sample sees what
 * changes. */
static void
test_same (void)
{
  int status;
  g_autoptr (MemlaneTrace) trace = watch ("300", "same", &status);

  g_assert_cmpuint (count (trace, MEMLANE_TRACE_COPY, MEMLANE_TRACE_REPEATED), >=, 100);
}

/* However a program ends, all its copies are there, once. */
static void
test_ends (void)
{
  static const struct
  {
    const char *how;
    guint copies;
    int exit_status, by_signal;
  } ends[] = {
    { "0", 300, 0, 0 }, { "_exit", 300, 7, 0 }, { "quick_exit", 300, 7, 0 },
    { "abort", 300, 0, SIGABRT }, { "term", 300, 0, SIGTERM }, { "segv", 300, 0, SIGSEGV },
    { "null", 300, 0, SIGSEGV }, { "fork", 300, 0, 0 }, { "fork__exit", 300, 0, 0 },
    { "fork_exec", 300, 0, 0 }, { "hole", 301, 0, 0 },
  };

  for (guint i = 0; i < G_N_ELEMENTS (ends); i++)
    {
      int status;
      g_autoptr (MemlaneTrace) trace = watch ("300", ends[i].how, &status);

      g_test_message ("%s", ends[i].how);
      g_assert_nonnull (trace);
      g_assert_cmpuint (count (trace, MEMLANE_TRACE_COPY, 0), ==, ends[i].copies);
      g_assert_cmpint (WIFSIGNALED (status) ? WTERMSIG (status) : 0, ==, ends[i].by_signal);
      if (!WIFSIGNALED (status))
        g_assert_cmpint (WEXITSTATUS (status), ==, ends[i].exit_status);
    }
}

static void
test_killed (void)
{
  int status;
  g_autoptr (MemlaneTrace) trace = watch ("3000", "kill", &status);
  gboolean is_said = FALSE;

  g_assert_true (WIFSIGNALED (status));
  g_assert_cmpuint (count (trace, MEMLANE_TRACE_COPY, 0), ==, 3000);
  for (guint i = 0; i < memlane_trace_get_info (trace)->notes->len; i++)
    is_said |= strstr (memlane_trace_get_info (trace)->notes->pdata[i], "no end") != NULL;
  g_assert_true (is_said);
}

/* A disk that is full, here a limit of files: the program goes on, what was written is read, and what misses is said. */
static void
test_full (void)
{
  struct rlimit before, small;
  gboolean is_said = FALSE;
  int status;

  signal (SIGXFSZ, SIG_IGN); /* the program has it so, too */
  g_assert_cmpint (getrlimit (RLIMIT_FSIZE, &before), ==, 0);
  small = before;
  small.rlim_cur = 1 << 20;
  g_assert_cmpint (setrlimit (RLIMIT_FSIZE, &small), ==, 0);
  {
    g_autoptr (MemlaneTrace) trace = watch ("100000", "0", &status);

    g_assert_cmpint (setrlimit (RLIMIT_FSIZE, &before), ==, 0);
    g_assert_cmpint (status, ==, 0);
    g_assert_cmpuint (count (trace, MEMLANE_TRACE_COPY, 0), >, 1000);
    g_assert_cmpuint (count (trace, MEMLANE_TRACE_COPY, 0), <, 100000);
    for (guint i = 0; i < memlane_trace_get_info (trace)->notes->len; i++)
      is_said |= strstr (memlane_trace_get_info (trace)->notes->pdata[i], "no end") != NULL;
    g_assert_true (is_said);
  }
}

static MemlaneTrial *
try_change (const char *n, const char *how, MemlaneChangeKind kind)
{
  const char *words[] = { fake_program, n, how, NULL };
  volatile GPid pid = 0;
  const MemlaneProgram program = {
    .words = (char **) words, .input = -1, .output = -1, .pid = &pid,
  };
  g_autoptr (GError) error = NULL;
  MemlaneTrial *trial = memlane_try_program (&program, kind, 3, NULL, NULL, &error);

  g_assert_no_error (error);
  return trial;
}

/* The second copy of a buffer finds it locked, and it is released before it is freed. */
static void
test_trial (void)
{
  g_autoptr (MemlaneTrial) trial = try_change ("50", "freed", MEMLANE_CHANGE_PIN);
  g_autoptr (GPtrArray) answers = memlane_trial_describe (trial);
  g_autofree char *words = NULL;

  g_assert_cmpuint (trial->n, ==, 3);
  g_assert_cmpuint (trial->buffers, ==, 1);
  g_assert_cmpuint (trial->bytes, ==, 1 << 20);
  g_assert_cmpuint (trial->left, ==, 0);
  g_assert_cmpuint (trial->notes->len, ==, 0);
  g_assert_true (trial->same_status);
  g_assert_cmpuint (trial->differing, ==, 0);
  g_assert_cmpfloat (trial->before, >, 0);
  g_assert_cmpuint (answers->len, >=, 3);
  words = memlane_answer_format (answers->pdata[1], NULL, NULL, NULL);
  g_assert_nonnull (strstr (words, "writes nothing to standard output"));
}

/* One copy of each buffer, and a driver that refuses: the program goes on as it is. */
static void
test_trial_of_nothing (void)
{
  g_autoptr (MemlaneTrial) once = try_change ("1", "freed", MEMLANE_CHANGE_PIN), refused = NULL;
  g_autoptr (GPtrArray) answers = memlane_trial_describe (once);
  g_autofree char *words = memlane_answer_format (answers->pdata[0], NULL, NULL, NULL);

  g_assert_cmpuint (once->buffers, ==, 0);
  g_assert_nonnull (strstr (words, "nothing was changed"));
  g_setenv ("FAKE_REFUSES_LOCKING", "1", TRUE);
  refused = try_change ("50", "freed", MEMLANE_CHANGE_PIN);
  g_unsetenv ("FAKE_REFUSES_LOCKING");
  g_assert_cmpuint (refused->buffers, ==, 0);
  g_assert_cmpuint (refused->left, ==, 1);
  g_assert_true (refused->same_status);
}

/* A trial tells what was done however the program ends. */
static void
test_trial_ends (void)
{
  static const char *const ends[] = { "_exit", "abort", "term", "null", "fork", "fork_exec" };

  for (guint i = 0; i < G_N_ELEMENTS (ends); i++)
    {
      g_autoptr (MemlaneTrial) trial = try_change ("50", ends[i], MEMLANE_CHANGE_PIN);

      g_test_message ("%s", ends[i]);
      g_assert_cmpuint (trial->buffers, ==, 1);
      g_assert_true (trial->same_status);
      g_assert_cmpuint (trial->differing, ==, 0);
    }
}

/* Leaves out of a gain, and of the times next to it, what a program does before the first call that
 * the change touches. */
static void
test_trial_late (void)
{
  g_autoptr (MemlaneTrial) trial = try_change ("50", "late", MEMLANE_CHANGE_PIN);

  g_assert_cmpfloat (ABS (trial->before - trial->after), <, 1e9);
  g_assert_cmpfloat (trial->gain.value, >, -1e9);
}

/* Pairs that differ by more than is gained: the calls that copy tell. */
static void
test_trial_words (void)
{
  MemlaneTrial trial = {
    .kind = MEMLANE_CHANGE_PIN, .n = 5, .before = 1e9, .after = 0.9e9, .buffers = 8,
    .gain = { 1e8, -3e8, 4e8 }, .copies = { 2e8, 1.9e8, 2.1e8 }, .wait_ns = 5e7,
    .same_status = TRUE,
  };
  g_autoptr (GPtrArray) answers = memlane_trial_describe (&trial), none = NULL, plain = NULL;
  g_autofree char *words = memlane_answer_format (answers->pdata[0], NULL, NULL, NULL);
  g_autofree char *unclear = NULL, *clear = NULL, *wait = NULL;

  g_assert_nonnull (strstr (words, "the calls that copy save 190 ms to 210 ms"));
  g_assert_nonnull (strstr (words, "differ by up to 400 ms"));
  wait = memlane_answer_format (answers->pdata[3], NULL, NULL, NULL);
  g_assert_nonnull (strstr (wait, "waited 50 ms"));
  trial.copies.low = -1;
  none = memlane_trial_describe (&trial);
  unclear = memlane_answer_format (none->pdata[0], NULL, NULL, NULL);
  g_assert_nonnull (strstr (unclear, "no gain can be told"));
  trial.gain.low = 0.9e8;
  plain = memlane_trial_describe (&trial);
  clear = memlane_answer_format (plain->pdata[0], NULL, NULL, NULL);
  g_assert_nonnull (strstr (clear, "it saves 90 ms to 400 ms"));
}

/* What a killed advise left is removed by the next one; a live one's folder is not. */
static void
test_stale (void)
{
  g_autofree char *stale = g_dir_make_tmp ("memlane-advise-XXXXXX", NULL);
  g_autofree char *file = g_build_filename (stale, "process.1", NULL), *live = NULL, *next = NULL;
  const struct utimbuf old = { 1, 1 };
  int lock, other;

  g_assert_true (g_file_set_contents (file, "x", 1, NULL));
  live = memlane_watch_new_folder (&lock, NULL);
  g_assert_cmpint (g_utime (stale, (struct utimbuf *) &old), ==, 0);
  g_assert_cmpint (g_utime (live, (struct utimbuf *) &old), ==, 0);
  next = memlane_watch_new_folder (&other, NULL);
  g_assert_false (g_file_test (stale, G_FILE_TEST_EXISTS));
  g_assert_true (g_file_test (live, G_FILE_TEST_IS_DIR));
  memlane_watch_remove_folder (live, lock);
  memlane_watch_remove_folder (next, other);
  g_assert_false (g_file_test (live, G_FILE_TEST_EXISTS));
}

static void
check_error (const char *program, const char *n, int code, const char *says, int wanted)
{
  const char *words[] = { program, n, NULL };
  volatile GPid pid = 0;
  const MemlaneProgram watched = {
    .words = (char **) words, .input = -1, .output = -1, .pid = &pid,
  };
  int status;
  g_autoptr (GError) error = NULL;

  g_assert_null (memlane_watch_program (&watched, &status, &error));
  g_assert_error (error, MEMLANE_WATCH_ERROR, code);
  if (strstr (error->message, says) == NULL)
    g_error ("\"%s\" does not say \"%s\"", error->message, says);
  g_assert_cmpint (status, ==, wanted);
}

/* CUPTI serves one at a time. The library that is loaded tells who has it; PyTorch's is a guess. */
static void
test_taken (void)
{
  static const char *const known[][2] = {
    { NULL, "it is used by another profiler: run without it" },
    { "libtorch_cpu.so", "it is used by another profiler, perhaps PyTorch's: run without it" },
    { "libToolsInjection64.so", "it is used by Nsight Systems: run without it" },
  };
  g_autofree char *folder = g_dir_make_tmp ("memlane-taken-XXXXXX", NULL);
  g_autofree char *before = g_strdup (g_getenv ("FAKE_LIBCUDA"));

  g_setenv ("FAKE_CUPTI_IS_TAKEN", "1", TRUE);
  for (guint i = 0; i < G_N_ELEMENTS (known); i++)
    {
      g_autofree char *library = NULL;

      if (known[i][0] != NULL)
        {
          library = g_build_filename (folder, known[i][0], NULL);
          g_assert_cmpint (symlink (before, library), ==, 0);
        }
      g_setenv ("FAKE_LIBCUDA", library != NULL ? library : before, TRUE);
      check_error (fake_program, "50", MEMLANE_WATCH_ERROR_NOTHING, known[i][1], 0);
      if (library != NULL)
        g_unlink (library);
    }
  g_setenv ("FAKE_LIBCUDA", before, TRUE);
  g_unsetenv ("FAKE_CUPTI_IS_TAKEN");
  g_rmdir (folder);
}

static void
test_trouble (void)
{
  void *driver = dlopen ("libcuda.so.1", RTLD_LAZY);

  check_error (fake_program, "0", MEMLANE_WATCH_ERROR_NOTHING, "no call to CUDA was seen", 0);
  if (driver == NULL)
    check_error (fake_program, "0", MEMLANE_WATCH_ERROR_NOTHING, "driver is not installed here", 0);
  else
    dlclose (driver);
  check_error ("/no/such/program", "0", MEMLANE_WATCH_ERROR_START, "/no/such/program", -1);
  g_setenv ("CUDA_INJECTION64_PATH", "/opt/nsys.so", TRUE);
  check_error (fake_program, "1", MEMLANE_WATCH_ERROR_NO_RECORDER, "/opt/nsys.so", -1);
  g_unsetenv ("CUDA_INJECTION64_PATH");
  g_setenv ("MEMLANE_CUPTI", "/no/libcupti.so", TRUE);
  check_error (fake_program, "0", MEMLANE_WATCH_ERROR_NOTHING, "no call to CUDA", 0);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  fake_program = argv[1];
  python_program = argv[2];
  g_test_add_func ("/recorder/all", test_all);
  g_test_add_func ("/recorder/range", test_range);
  g_test_add_func ("/recorder/many", test_many);
  g_test_add_func ("/recorder/python", test_python);
  g_test_add_func ("/recorder/same", test_same);
  g_test_add_func ("/recorder/ends", test_ends);
  g_test_add_func ("/recorder/killed", test_killed);
  g_test_add_func ("/recorder/trial", test_trial);
  g_test_add_func ("/recorder/trial-of-nothing", test_trial_of_nothing);
  g_test_add_func ("/recorder/trial-ends", test_trial_ends);
  g_test_add_func ("/recorder/trial-late", test_trial_late);
  g_test_add_func ("/recorder/trial-words", test_trial_words);
  g_test_add_func ("/recorder/stale", test_stale);
  g_test_add_func ("/recorder/full", test_full);
  g_test_add_func ("/recorder/taken", test_taken);
  g_test_add_func ("/recorder/trouble", test_trouble);
  return g_test_run ();
}
