/* trace-bench.h: recording on the bench of simulated-bench.h, and finding what was recorded
 *
 * SPDX-License-Identifier: MIT
 */
#pragma once

#include "base/each.h"
#include "analysis/findings.h"
#include "simulated-bench.h"
#include "measure/record.h"
#include "device/tracer.h"

/* Records from here on. */
G_GNUC_UNUSED static MemlaneTracer *
trace_from (Bench *b)
{
  g_autoptr (GError) error = NULL;
  MemlaneTracer *tracer = memlane_tracer_new (b->d, &error);

  g_assert_no_error (error);
  memlane_tracer_start (tracer);
  return tracer;
}

/* To here, when all is done. */
G_GNUC_UNUSED static MemlaneTrace *
trace_to (Bench *b, MemlaneTracer *tracer)
{
  g_autoptr (GError) error = NULL;
  MemlaneTrace *trace;

  OK (memlane_device_synchronize (b->d, E));
  trace = memlane_tracer_finish (tracer, &error);
  g_assert_no_error (error);
  return trace;
}

/* The @nth (from 0) event of @kind whose name holds @name (NULL: any); NULL: there are not so many. */
G_GNUC_UNUSED static const MemlaneTraceEvent *
find_nth (const MemlaneTrace *trace, MemlaneTraceKind kind, const char *name, guint nth)
{
  guint n;
  const MemlaneTraceEvent *events = memlane_trace_get_events (trace, &n);

  for (guint i = 0; i < n; i++)
    if (events[i].kind == kind && (name == NULL || strstr (memlane_trace_get_name (trace, events[i].name), name) != NULL) && nth-- == 0)
      return &events[i];
  return NULL;
}

G_GNUC_UNUSED static const MemlaneTraceEvent *
get_nth (const MemlaneTrace *trace, MemlaneTraceKind kind, const char *name, guint nth)
{
  const MemlaneTraceEvent *event = find_nth (trace, kind, name, nth);

  if (event == NULL)
    g_error ("there is no %s number %u named %s", memlane_trace_kind_name (kind), nth, name != NULL ? name : "anything");
  return event;
}

G_GNUC_UNUSED static guint
count_kind (const MemlaneTrace *trace, MemlaneTraceKind kind)
{
  guint n = 0;

  while (find_nth (trace, kind, NULL, n) != NULL)
    n++;
  return n;
}

/* The call that issued it. */
G_GNUC_UNUSED static const MemlaneTraceEvent *
call_of (const MemlaneTrace *trace, const MemlaneTraceEvent *event)
{
  guint n;
  const MemlaneTraceEvent *events = memlane_trace_get_events (trace, &n);
  guint32 call = memlane_trace_find_call (trace, (guint32) (event - events));

  g_assert_cmpuint (call, <, n);
  return &events[call];
}

G_GNUC_UNUSED static gint64
end_of (const MemlaneTraceEvent *event)
{
  return event->start + event->duration;
}

G_GNUC_UNUSED static gboolean
overlap (const MemlaneTraceEvent *a, const MemlaneTraceEvent *b)
{
  return a->start < end_of (b) && b->start < end_of (a);
}

/* The text of the first finding of @kind; NULL: none. */
G_GNUC_UNUSED static char *
finding_text (const MemlaneTrace *trace, MemlaneFindingKind kind)
{
  g_autoptr (GPtrArray) findings = memlane_trace_find (trace);
  guint n;

  memlane_trace_get_events (trace, &n);
  MEMLANE_FOR_EACH (const MemlaneTraceFinding, finding, findings)
    {
      g_assert_cmpuint (finding->n_events, >, 0);
      for (guint k = 0; k < finding->n_events; k++)
        g_assert_cmpuint (finding->events[k], <, n);
      if (finding->kind == kind)
        return memlane_answer_format (finding->sentence, NULL, NULL, NULL);
    }
  return NULL;
}

#define SAYS(trace, kind, word) \
  G_STMT_START { g_autofree char *says_text = finding_text (trace, kind); \
    if (says_text == NULL || strstr (says_text, word) == NULL) g_error ("\"%s\" does not say \"%s\"", says_text, word); } G_STMT_END
#define SAYS_NOTHING(trace, kind) \
  G_STMT_START { g_autofree char *says_text = finding_text (trace, kind); g_assert_cmpstr (says_text, ==, NULL); } G_STMT_END
