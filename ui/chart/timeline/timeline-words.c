/* timeline-words.c: events, spans and whole traces in words
 *
 * SPDX-License-Identifier: MIT
 */
#include "timeline-layout.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#include "base/each.h"
#include "chart/answer-words.h"
#include "chart/chart-words.h"
#include "memlane.h"

static char *
format_time (double ns)
{
  return memlane_unit_format (MEMLANE_UNIT_TIME, ns, TRUE);
}

/* Takes @words (nullable). */
static void
take (GString *text, const char *separator, char *words)
{
  if (words != NULL)
    memlane_words_join (text, separator, "%s", words);
  g_free (words);
}

/* --- one event -------------------------------------------------------------------------------- */

static const char *
memory_title (guint memory)
{
  static const char *const titles[MEMLANE_TRACE_N_MEMORIES] = {
    [MEMLANE_TRACE_MEMORY_PAGEABLE] = NC_ ("memory", "pageable"),
    [MEMLANE_TRACE_MEMORY_PINNED] = NC_ ("memory", "pinned"),
    [MEMLANE_TRACE_MEMORY_DEVICE] = NC_ ("memory", "device"),
    [MEMLANE_TRACE_MEMORY_MANAGED] = NC_ ("memory", "managed"),
    [MEMLANE_TRACE_MEMORY_PEER] = NC_ ("memory", "second device"),
  };
  const char *title = memory < G_N_ELEMENTS (titles) ? titles[memory] : NULL;

  return title != NULL ? g_dpgettext2 (GETTEXT_PACKAGE, "memory", title) : NULL;
}

static gboolean
moves_bytes (const MemlaneTraceEvent *event)
{
  return event->kind == MEMLANE_TRACE_COPY || event->kind == MEMLANE_TRACE_MIGRATION
         || event->kind == MEMLANE_TRACE_MEMSET || event->kind == MEMLANE_TRACE_STAGING;
}

/* Phases, waits, staging and what the host itself does are Memlane's own words, the names of all
 * others are CUDA's or the program's. */
static const char *
get_name (const MemlaneTrace *trace, const MemlaneTraceEvent *event)
{
  static const struct
  {
    const char *name, *title;
  } phases[] = {
    { "host_write", NC_ ("phase", "host writes") },
    { "upload", NC_ ("phase", "upload") },
    { "kernel", NC_ ("phase", "kernel") },
    { "download", NC_ ("phase", "download") },
    { "elapsed", NC_ ("phase", "total time") },
    { "host_read", NC_ ("phase", "host reads") },
    { "wait", NC_ ("phase", "wait") },
    { "issue", NC_ ("phase", "issue") },
    { "first half", NC_ ("phase", "first half") },
    { "in between", NC_ ("phase", "inserted command") },
    { "second half", NC_ ("phase", "second half") },
  };
  static const char *const operations[] = {
    NC_ ("operation", "wait"),
    NC_ ("operation", "wait for event"),
    NC_ ("operation", "wait for stream"),
    NC_ ("operation", "wait for device"),
    NC_ ("operation", "staging in"),
    NC_ ("operation", "staging out"),
    NC_ ("operation", "host write"),
    NC_ ("operation", "host fill"),
    NC_ ("operation", "host read"),
    NC_ ("operation", "host touch"),
  };
  const char *name = memlane_trace_get_name (trace, event->name);
  gboolean is_own = event->kind == MEMLANE_TRACE_SYNCHRONISATION
                    || event->kind == MEMLANE_TRACE_STAGING || event->kind == MEMLANE_TRACE_HOST;

  for (guint i = 0; event->kind == MEMLANE_TRACE_PHASE && i < G_N_ELEMENTS (phases); i++)
    if (strcmp (phases[i].name, name) == 0)
      return g_dpgettext2 (GETTEXT_PACKAGE, "phase", phases[i].title);
  for (guint i = 0; is_own && i < G_N_ELEMENTS (operations); i++)
    if (strcmp (operations[i], name) == 0)
      return g_dpgettext2 (GETTEXT_PACKAGE, "operation", name);
  return name;
}

/* (transfer full) or NULL */
static char *
describe_bytes (const MemlaneTraceEvent *event)
{
  g_autofree char *bytes = NULL, *bandwidth = NULL;

  if (event->kind == MEMLANE_TRACE_FAULT && event->count > 0)
    return g_strdup_printf (ngettext ("%u page fault", "%u page faults", event->count),
                            event->count);
  if (event->bytes == 0)
    return NULL;
  bytes = memlane_unit_format (MEMLANE_UNIT_BYTES, (double) event->bytes, TRUE);
  if (!moves_bytes (event) || event->duration <= 0)
    return g_steal_pointer (&bytes);
  bandwidth = memlane_unit_format (MEMLANE_UNIT_BANDWIDTH,
                                   (double) event->bytes * 1e9 / (double) event->duration, TRUE);
  return g_strdup_printf ("%s, %s", bytes, bandwidth);
}

/* (transfer full) or NULL */
static char *
describe_place (const MemlaneTrace *trace, const MemlaneTraceEvent *event)
{
  static const struct
  {
    guint8 flag;
    const char *words;
  } marks[] = {
    { MEMLANE_TRACE_STAGED, N_("staged through the driver’s buffer") },
    { MEMLANE_TRACE_PREFETCHED, N_("prefetched") },
    { MEMLANE_TRACE_DUPLICATED, N_("duplicated") },
    { MEMLANE_TRACE_IMPLICIT, N_("implicit") },
    { MEMLANE_TRACE_FAILED, N_("failed") },
  };
  GString *text = g_string_new (NULL);
  const char *source = memory_title (event->source),
             *destination = memory_title (event->destination);
  gboolean known = source != NULL && destination != NULL;

  if (known && (event->kind == MEMLANE_TRACE_MIGRATION || event->kind == MEMLANE_TRACE_FAULT))
    g_string_append (text, event->way == MEMLANE_TRACE_WAY_TO_HOST
                               ? _("managed pages, to the host")
                               : _("managed pages, to the device"));
  else if (known && moves_bytes (event)) /* Translators: kinds of memory: "pinned to device" */
    g_string_append_printf (text, _("%s to %s"), source, destination);
  if (event->stream != MEMLANE_TRACE_NO_STREAM && event->kind != MEMLANE_TRACE_OTHER)
    take (text, ", ", memlane_timeline_stream_title (trace, event->stream));
  for (guint i = 0; i < G_N_ELEMENTS (marks); i++)
    if ((event->flags & marks[i].flag) != 0)
      memlane_words_join (text, ", ", "%s", _(marks[i].words));
  return g_string_free (text, text->len == 0);
}

/* (transfer full) or NULL */
static char *
describe_origin (const MemlaneTrace *trace, const MemlaneTraceEvent *events, guint32 id)
{
  guint32 call = memlane_trace_find_call (trace, id);
  g_autofree char *when = NULL;

  if (call == MEMLANE_TRACE_NONE)
    return NULL;
  when = format_time ((double) events[call].start);
  return g_strdup_printf (_("issued by %s at %s"),
                          memlane_trace_get_name (trace, events[call].name), when);
}

char *
memlane_timeline_tell_event (const MemlaneTrace *trace, guint32 id, const char *separator)
{
  guint n;
  const MemlaneTraceEvent *events = memlane_trace_get_events (trace, &n), *event = &events[id];
  g_autofree char *start = NULL, *duration = NULL;
  GString *text;

  if (id >= n)
    return g_strdup ("");
  text = g_string_new (get_name (trace, event));
  start = format_time ((double) event->start);
  duration = format_time ((double) event->duration);
  if (event->duration > 0)
    memlane_words_join (text, separator, _("from %s, took %s"), start, duration);
  else
    memlane_words_join (text, separator, C_("moment", "at %s"), start);
  take (text, separator, describe_bytes (event));
  take (text, separator, describe_place (trace, event));
  take (text, separator, describe_origin (trace, events, id));
  return g_string_free (text, FALSE);
}

/* Whether the call @id ends only after something that it issued. */
static gboolean
is_blocked (const MemlaneTrace *trace, const MemlaneTraceEvent *events, guint32 id)
{
  guint n;
  const guint32 *issued = memlane_trace_get_correlated (trace, events[id].correlation, &n);

  for (guint i = 0; i < n; i++)
    if (issued[i] != id && events[issued[i]].kind >= MEMLANE_TRACE_STAGING
        && events[issued[i]].start + events[issued[i]].duration
               <= events[id].start + events[id].duration)
      return TRUE;
  return FALSE;
}

static const char *
choose_sentence (const MemlaneTrace *trace, const MemlaneTraceEvent *events, guint32 id)
{
  const MemlaneTraceEvent *event = &events[id];
  gboolean to_host = event->way == MEMLANE_TRACE_WAY_TO_HOST,
           on_device = (event->flags & MEMLANE_TRACE_ON_DEVICE) != 0;

  /* Translators: what happens in a timeline. {name}: a call or an operation; {bytes}: "4 MiB" */
  const char *const sentences[MEMLANE_TRACE_N_KINDS] = {
    [MEMLANE_TRACE_CALL] = is_blocked (trace, events, id)
                               ? _("The host calls {name} and waits until it is done.")
                               : _("The host calls {name}."),
    [MEMLANE_TRACE_HOST] = _("The host works on its own memory: {name}."),
    [MEMLANE_TRACE_SYNCHRONISATION] = on_device
                                          ? _("A stream waits for another one.")
                                          : _("The host is blocked: it waits for the device."),
    [MEMLANE_TRACE_STAGING] = _ (
        "The driver copies pageable memory through its own page-locked buffer."),
    [MEMLANE_TRACE_COPY] = event->way == MEMLANE_TRACE_WAY_TO_DEVICE
                               ? _("A copy engine moves {bytes} to the device.")
                           : to_host ? _("A copy engine moves {bytes} to the host.")
                                     : _("The device copies {bytes}."),
    [MEMLANE_TRACE_MEMSET] = _("The device sets {bytes}."),
    [MEMLANE_TRACE_KERNEL] = _("The kernel {name} runs."),
    [MEMLANE_TRACE_MIGRATION] = to_host ? _("{bytes} of managed pages move to the host.")
                                        : _("{bytes} of managed pages move to the device."),
    [MEMLANE_TRACE_FAULT] = to_host
                                ? _("The host touches pages that are on the device: page faults.")
                                : _("The device touches pages that are on the host: page faults."),
    [MEMLANE_TRACE_HOST_FUNCTION] = _("A host function runs in its place in the stream."),
  };

  return event->kind < MEMLANE_TRACE_N_KINDS && sentences[event->kind] != NULL
             ? sentences[event->kind]
             : "{name}";
}

char *
memlane_timeline_narrate (const MemlaneTrace *trace, guint32 id)
{
  guint n;
  const MemlaneTraceEvent *events = memlane_trace_get_events (trace, &n);
  g_autofree char *bytes = NULL, *name = NULL;
  GString *text;

  if (id >= n)
    return g_strdup ("");
  bytes = memlane_unit_format (MEMLANE_UNIT_BYTES, (double) events[id].bytes, TRUE);
  name = events[id].kind == MEMLANE_TRACE_KERNEL
             ? memlane_timeline_span_name (trace, id, MEMLANE_NAME_USUAL)
             : g_strdup (get_name (trace, &events[id]));
  text = g_string_new (choose_sentence (trace, events, id));
  g_string_replace (text, "{name}", name, 1);
  g_string_replace (text, "{bytes}", bytes, 1);
  return g_string_free (text, FALSE);
}

char *
memlane_timeline_span_name (const MemlaneTrace *trace, guint32 id, MemlaneNameLength length)
{
  static const char *const prefixes[] = { "[CUDA ", "[Unified Memory ", "[", "memcpy ", "cuda" };
  guint n, n_prefixes = G_N_ELEMENTS (prefixes) - (length != MEMLANE_NAME_SHORT);
  const MemlaneTraceEvent *event = &memlane_trace_get_events (trace, &n)[id];
  const char *name = get_name (trace, event);
  GString *text;
  char *end;

  if (length == MEMLANE_NAME_SHORT && event->kind == MEMLANE_TRACE_SYNCHRONISATION)
    return g_strdup (C_("operation", "wait"));
  /* Shortens nvprof's "[Unified Memory GPU page faults]". */
  if (event->kind == MEMLANE_TRACE_FAULT && g_str_has_prefix (name, "[Unified Memory "))
    name = event->way == MEMLANE_TRACE_WAY_TO_HOST ? C_("operation", "CPU page faults")
                                                   : C_("operation", "GPU page faults");

  for (guint i = 0; i < n_prefixes; i++)
    if (g_str_has_prefix (name, prefixes[i]) && name[strlen (prefixes[i])] != '\0')
      name += strlen (prefixes[i]);
  text = g_string_new (name);
  if (text->len > 0 && text->str[text->len - 1] == ']')
    g_string_truncate (text, text->len - 1);
  end = event->kind == MEMLANE_TRACE_KERNEL ? strchr (text->str, '(') : NULL;
  if (end != NULL && end > text->str)
    g_string_truncate (text, (gsize) (end - text->str)); /* a kernel's parameters */
  if (length == MEMLANE_NAME_LONG && event->kind == MEMLANE_TRACE_FAULT && event->count > 0)
    g_string_append_printf (text, " · %u", event->count);
  else if (length == MEMLANE_NAME_LONG && moves_bytes (event) && event->bytes > 0)
    take (text, " · ", memlane_unit_format (MEMLANE_UNIT_BYTES, (double) event->bytes, TRUE));
  return g_string_free (text, FALSE);
}

/* --- a span ----------------------------------------------------------------------------------- */

char *
memlane_timeline_read_span (const MemlaneTrace *trace, double from, double to)
{
  MemlaneTraceSpan span;
  g_autoptr (GString) text = g_string_new (NULL);
  guint64 bytes;
  g_autofree char *duration = NULL, *moved = NULL;

  memlane_trace_measure_span (trace, from, to, &span);
  duration = format_time (span.duration);
  bytes = span.bytes_up + span.bytes_down + span.bytes_inside;
  moved = memlane_unit_format (MEMLANE_UNIT_BYTES, (double) bytes, TRUE);
  if (bytes > 0)
    memlane_words_join (text, ", ", _("%s moved"), moved);
  if (span.up > 0)
    memlane_words_join (text, ", ", _("copies to device %.0f %%"), 100 * span.up / span.duration);
  if (span.down > 0)
    memlane_words_join (text, ", ", _("copies to host %.0f %%"), 100 * span.down / span.duration);
  if (span.kernel > 0)
    memlane_words_join (text, ", ", _("kernels %.0f %%"), 100 * span.kernel / span.duration);
  if (span.migration > 0)
    memlane_words_join (text, ", ", _("migrations %.0f %%"), 100 * span.migration / span.duration);
  if (span.overlapped > 0)
    memlane_words_join (text, ", ", _("%.0f %% overlapped"), 100 * span.overlapped / span.duration);
  if (span.host > 0)
    memlane_words_join (text, ", ", _("host %.0f %%"), 100 * span.host / span.duration);
  return g_strdup_printf ("%s: %s", duration, text->len > 0 ? text->str : _("no activity"));
}

/* --- bounds ----------------------------------------------------------------------------------- */

char *
memlane_timeline_read_bounds (const MemlaneTrace *trace)
{
  MemlaneTraceBounds bounds;
  g_autofree char *measured = NULL, *serial = NULL, *one_way = NULL, *full = NULL;

  if (!memlane_trace_compute_bounds (trace, &bounds))
    return NULL;
  measured = format_time (bounds.measured);
  serial = format_time (bounds.serial);
  one_way = format_time (bounds.one_way);
  full = format_time (bounds.full);
  return g_strdup_printf (_("overlap efficiency %.0f %%: %s measured; %s serial, %s with one copy "
                             "engine, %s with ideal overlap"),
                          100 * memlane_timeline_efficiency (&bounds), measured, serial, one_way,
                          full);
}

/* --- a trace ---------------------------------------------------------------------------------- */

static char *
mode_title (const char *mode)
{
  const MemlaneMode *known = memlane_mode_find (mode);

  if (known != NULL)
    return g_strdup (g_dgettext (GETTEXT_PACKAGE, known->title));
  if (strcmp (mode, "lab-depth-first") == 0)
    return g_strdup (_("Laboratory (depth-first)"));
  if (strcmp (mode, "lab-breadth-first") == 0)
    return g_strdup (_("Laboratory (breadth-first)"));
  return g_strdup (mode);
}

const char *
memlane_timeline_source (const MemlaneTrace *trace)
{
  /* All that the engine sets, as the test "catalogues" compares. */
  static const char *const own[] = {
    NC_ ("source", "CUPTI"),          NC_ ("source", "CUPTI, in the program"),
    NC_ ("source", "CUDA events"),    NC_ ("source", "simulated device"),
    NC_ ("source", "Nsight Systems"), NC_ ("source", "Chrome trace"),
    NULL,
  };
  const char *source = memlane_trace_get_info (trace)->source;

  if (source == NULL || *source == '\0')
    return NULL;
  return g_strv_contains (own, source) ? g_dpgettext2 (GETTEXT_PACKAGE, "source", source) : source;
}

char *
memlane_timeline_plain_title (const MemlaneTrace *trace)
{
  const MemlaneTraceInfo *info = memlane_trace_get_info (trace);
  const char *source = memlane_timeline_source (trace);
  GString *text = g_string_new (NULL);

  if (info->mode != NULL && *info->mode != '\0')
    take (text, " · ", mode_title (info->mode));
  if (memlane_trace_info_size (info) > 0)
    {
      g_autofree char *power = memlane_unit_format_power (memlane_trace_info_size (info));

      memlane_words_join (text, " · ", _("%s floats"), power);
    }
  if (info->device_name != NULL && *info->device_name != '\0')
    take (text, " · ", memlane_facts_name_device (info->device_name));
  if (text->len == 0)
    g_string_append (text, source != NULL ? source : _("A trace"));
  return g_string_free (text, FALSE);
}

char *
memlane_timeline_title (const MemlaneTrace *trace)
{
  g_autofree char *title = memlane_timeline_plain_title (trace);

  return memlane_trace_get_info (trace)->simulated
             ? g_strdup_printf ("%s · %s", title, C_("figure", "SIMULATED"))
             : g_steal_pointer (&title);
}

char *
memlane_timeline_info (const MemlaneTrace *trace)
{
  const MemlaneTraceInfo *info = memlane_trace_get_info (trace);
  const MemlaneWorkload *workload = info->workload != NULL ? memlane_workload_find (info->workload)
                                                           : NULL;
  const char *source = memlane_timeline_source (trace);
  /* Catalogues know no 64-bit numbers on every machine. */
  g_autofree char *dropped = g_strdup_printf ("%" G_GUINT64_FORMAT, info->dropped);
  g_autofree char *skipped = g_strdup_printf ("%" G_GUINT64_FORMAT, info->skipped);
  GString *text = g_string_new (NULL);
  guint n;

  memlane_trace_get_events (trace, &n);
  if (workload != NULL)
    g_string_append (text, g_dgettext (GETTEXT_PACKAGE, workload->title));
  if (n > 0)
    {
      g_autofree char *total = format_time ((double) memlane_trace_get_end (trace));

      memlane_words_join (text, " · ", _("total time %s"), total);
    }
  memlane_words_join (text, " · ", ngettext ("%u event", "%u events", n), n);
  if (source != NULL)
    memlane_words_join (text, " · ", _("recorded from %s"), source);
  if (info->dropped > 0)
    memlane_words_join (
        text, " · ",
        ngettext ("%s record lost", "%s records lost", (gulong) MIN (info->dropped, G_MAXLONG)),
        dropped);
  if (info->skipped > 0)
    memlane_words_join (text, " · ",
                        ngettext ("%s record skipped", "%s records skipped",
                                  (gulong) MIN (info->skipped, G_MAXLONG)),
                        skipped);
  if (info->notes->len > 0)
    memlane_words_join (text, " · ", ngettext ("%u note", "%u notes", info->notes->len),
                        info->notes->len);
  return g_string_free (text, FALSE);
}

char *
memlane_timeline_stream_title (const MemlaneTrace *trace, guint32 stream)
{
  const MemlaneTraceStream *known = memlane_trace_find_stream (trace, stream);

  if (known != NULL && known->is_default)
    return g_strdup (_("default stream"));
  return g_strdup_printf (_("stream %u"), memlane_trace_stream_place (trace, stream));
}

char *
memlane_timeline_lane_title (const MemlaneTrace *trace, const MemlaneTraceLane *lane)
{
  static const char *const titles[MEMLANE_TRACE_N_LANES] = {
    [MEMLANE_TRACE_LANE_PHASES] = NC_ ("lane", "phases"),
    [MEMLANE_TRACE_LANE_HOST] = NC_ ("lane", "host"),
    [MEMLANE_TRACE_LANE_STAGING] = NC_ ("lane", "staging"),
    [MEMLANE_TRACE_LANE_HOST_FUNCTIONS] = NC_ ("lane", "host functions"),
    [MEMLANE_TRACE_LANE_COPY_UP] = NC_ ("lane", "copies to device"),
    [MEMLANE_TRACE_LANE_COPY_DOWN] = NC_ ("lane", "copies to host"),
    [MEMLANE_TRACE_LANE_COPY_INSIDE] = NC_ ("lane", "copies on device"),
    [MEMLANE_TRACE_LANE_KERNELS] = NC_ ("lane", "kernels"),
    [MEMLANE_TRACE_LANE_MIGRATIONS] = NC_ ("lane", "migrations, faults"),
  };
  const MemlaneTraceStream *stream = memlane_trace_find_stream (trace, lane->stream);

  if (lane->kind == MEMLANE_TRACE_LANE_STREAM && stream != NULL && stream->non_blocking
      && !stream->is_default)
    return g_strdup_printf (_("stream %u (non-blocking)"),
                            memlane_trace_stream_place (trace, lane->stream));
  if (lane->kind == MEMLANE_TRACE_LANE_STREAM)
    return memlane_timeline_stream_title (trace, lane->stream);
  return g_strdup (lane->kind < MEMLANE_TRACE_N_LANES && titles[lane->kind] != NULL
                     ? g_dpgettext2 (GETTEXT_PACKAGE, "lane", titles[lane->kind]) : lane->title);
}

/* What a finding says in a headline, the weightiest first. {what}: the mode; the others are facts
 * of the finding's sentence. */
static const struct
{
  MemlaneFindingKind kind;
  const char *format;
} headlines[] = {
  { MEMLANE_FINDING_FAULTS, N_("{what}: the kernel waits {share} of its time for page faults") },
  { MEMLANE_FINDING_PING_PONG, N_("{what}: {bytes} of pages migrate back and forth") },
  { MEMLANE_FINDING_DEFAULT_STREAM, N_("{what}: the default stream makes other streams wait") },
  { MEMLANE_FINDING_STAGED, N_("{what}: the driver copies {bytes} through a buffer of its own") },
  { MEMLANE_FINDING_SMALL_COPIES, N_("{what}: a copy takes {copy}, issuing it {issue}") },
  { MEMLANE_FINDING_OVERLAP, N_("{what}: {efficiency} of the possible overlap is reached") },
};

/* (nullable) (transfer full) */
static char *
what_of (const MemlaneTimelineTrack *track)
{
  const MemlaneTraceInfo *info = memlane_trace_get_info (track->trace);

  if (g_strcmp0 (info->mode, "lab-depth-first") == 0)
    return g_strdup (_("Depth-first"));
  if (g_strcmp0 (info->mode, "lab-breadth-first") == 0)
    return g_strdup (_("Breadth-first"));
  return info->mode != NULL && *info->mode != '\0' ? mode_title (info->mode)
                                                   : g_strdup (track->title);
}

static char *
headline_of (const MemlaneTimelineTrack *track, const GPtrArray *findings)
{
  g_autofree char *what = what_of (track), *words = NULL;
  GString *filled;

  for (guint i = 0; i < G_N_ELEMENTS (headlines) && what != NULL && words == NULL; i++)
    MEMLANE_FOR_EACH (const MemlaneTraceFinding, finding, findings)
      if (finding->kind == headlines[i].kind && words == NULL)
        {
          MemlaneAnswer headline = *finding->sentence;

          headline.format = headlines[i].format;
          words = memlane_answer_to_words (&headline);
        }
  if (words == NULL)
    return NULL;
  filled = g_string_new (words);
  g_string_replace (filled, "{what}", what, 1);
  return g_string_free (filled, FALSE);
}

/* Two samples of the same work on one device. */
static char *
compare_tracks (const MemlaneTimelineTrack *tracks)
{
  const MemlaneTraceInfo *one = memlane_trace_get_info (tracks[0].trace),
                         *other = memlane_trace_get_info (tracks[1].trace);
  double first = (double) memlane_trace_get_end (tracks[0].trace),
         second = (double) memlane_trace_get_end (tracks[1].trace);
  gboolean swapped = second < first;
  g_autofree char *fast = what_of (&tracks[swapped]), *slow = what_of (&tracks[!swapped]);
  g_autofree char *less = format_time (MIN (first, second)),
                  *more = format_time (MAX (first, second));

  if (fast == NULL || slow == NULL || g_str_equal (fast, slow) || MIN (first, second) <= 0
      || g_strcmp0 (one->workload, other->workload) != 0
      || memlane_trace_info_size (one) != memlane_trace_info_size (other)
      || one->simulated != other->simulated
      || g_strcmp0 (one->device_name, other->device_name) != 0)
    return NULL;
  if (MAX (first, second) < 1.05 * MIN (first, second))
    /* Translators: two modes and their times */
    return g_strdup_printf (_("%s and %s take about the same time: %s and %s"), fast, slow, less,
                            more);
  /* Translators: the faster mode, its time, the slower mode, its time, how many times as long that
   * is */
  return g_strdup_printf (_("%s takes %s, %s %s: %.1f times as long"), fast, less, slow, more,
                          MAX (first, second) / MIN (first, second));
}

char *
memlane_timeline_headline (const MemlaneTimelineTrack *tracks, guint n_tracks,
                           const GPtrArray *findings)
{
  if (n_tracks > 1)
    return compare_tracks (tracks);
  return n_tracks > 0 && findings != NULL ? headline_of (tracks, findings) : NULL;
}

static void
describe_trace (const MemlaneTimelineTrack *track, GString *text)
{
  const MemlaneTraceInfo *info = memlane_trace_get_info (track->trace);
  g_autofree char *title = track->title != NULL ? g_strdup (track->title)
                                                : memlane_timeline_plain_title (track->trace);
  g_autofree char *facts = memlane_timeline_info (track->trace),
                  *bounds = memlane_timeline_read_bounds (track->trace);
  guint n;
  const MemlaneTraceLane *lanes = memlane_trace_get_lanes (track->trace, &n);
  double end = (double) memlane_trace_get_end (track->trace);

  memlane_words_join (text, " ", _("Timeline of %s: %s."), title, facts);
  if (info->simulated)
    memlane_words_join (text, " ", "%s", _("Simulated: not measured on a GPU."));
  for (guint i = 0; i < MIN (n, 24) && end > 0; i++)
    {
      g_autofree char *lane = memlane_timeline_lane_title (track->trace, &lanes[i]);

      if (lanes[i].kind == MEMLANE_TRACE_LANE_PHASES)
        continue;
      /* Translators: a lane of a timeline, the events in it, its share of the time. */
      memlane_words_join (text, " ",
                          ngettext ("Lane “%s”: %u event, busy %.0f %%.",
                                    "Lane “%s”: %u events, busy %.0f %%.", lanes[i].n_events),
                          lane, lanes[i].n_events, 100 * (double) lanes[i].busy / end);
    }
  if (bounds != NULL)
    memlane_words_join (text, " ", C_("sentence", "%s."), bounds);
}

char *
memlane_timeline_describe (const MemlaneTimelineTrack *tracks, guint n_tracks)
{
  GString *text = g_string_new (NULL);

  if (n_tracks > 0 && tracks[0].headline != NULL)
    g_string_append_printf (text, C_("sentence", "%s."), tracks[0].headline);
  for (guint i = 0; i < MIN (n_tracks, MEMLANE_TIMELINE_MOST_TRACKS); i++)
    describe_trace (&tracks[i], text);
  if (n_tracks == 0)
    g_string_append (text, _("No trace is shown. Record one, or open a trace file."));
  g_string_replace (text, " · ", ", ", 0); /* nobody wants to hear "middle dot" */
  return g_string_free (text, FALSE);
}
