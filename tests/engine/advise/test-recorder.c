/* test-recorder.c: the recorder within a program, and what is read of it; on a CUPTI of our own
 *
 * SPDX-License-Identifier: MIT
 *
 *     test-recorder FAKE-PROGRAM
 */
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>

#include "advise/watch.h"
#include "trace/summary.h"

static const char *fake_program;

static MemlaneTrace *
watch (const char *n, const char *how, int *status)
{
  const char *words[] = { fake_program, n, how, NULL };
  volatile GPid pid = 0;
  g_autoptr (GError) error = NULL;
  MemlaneTrace *trace = memlane_watch_program ((char **) words, -1, NULL, 0, &pid, status, &error);

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
  g_assert_cmpuint (count (trace, MEMLANE_TRACE_COPY, MEMLANE_TRACE_REPEATED), ==, 200);
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

static void
test_killed (void)
{
  int status;
  g_autoptr (MemlaneTrace) trace = watch ("100000", "kill", &status);
  gboolean is_said = FALSE;

  g_assert_true (WIFSIGNALED (status));
  g_assert_cmpuint (count (trace, MEMLANE_TRACE_COPY, 0), >, 50000);
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

static void
check_error (const char *program, const char *n, int code, const char *says, int wanted)
{
  const char *words[] = { program, n, NULL };
  volatile GPid pid = 0;
  int status;
  g_autoptr (GError) error = NULL;

  g_assert_null (memlane_watch_program ((char **) words, -1, NULL, 0, &pid, &status, &error));
  g_assert_error (error, MEMLANE_WATCH_ERROR, code);
  if (strstr (error->message, says) == NULL)
    g_error ("\"%s\" does not say \"%s\"", error->message, says);
  g_assert_cmpint (status, ==, wanted);
}

static void
test_trouble (void)
{
  check_error (fake_program, "0", MEMLANE_WATCH_ERROR_NOTHING, "no call to CUDA was seen", 0);
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
  g_test_add_func ("/recorder/all", test_all);
  g_test_add_func ("/recorder/range", test_range);
  g_test_add_func ("/recorder/many", test_many);
  g_test_add_func ("/recorder/killed", test_killed);
  g_test_add_func ("/recorder/full", test_full);
  g_test_add_func ("/recorder/trouble", test_trouble);
  return g_test_run ();
}
