/* chrome-write.c: a trace as Chrome trace JSON
 *
 * SPDX-License-Identifier: MIT
 */
#include "chrome-json.h"

#include <string.h>

#include "chrome-private.h"
#include "base/save.h"

#define PIECE_BYTES (1 << 20)

typedef struct
{
  const MemlaneTrace *trace;
  const MemlaneTraceEvent *events;
  guint n_events;
  GString *text;
  GString **names;  /* each name as it stands in the file, quoted */
  guint8 *rows;     /* of each event, in its home lane */
  guint8 *is_used;  /* whether a thread has events */
} Writer;

static void
append_string (GString *text, const char *value)
{
  g_autofree char *valid = g_utf8_validate (value, -1, NULL) ? NULL : g_utf8_make_valid (value, -1);

  g_string_append_c (text, '"');
  for (const char *p = valid != NULL ? valid : value; *p != '\0'; p++)
    if (*p == '"' || *p == '\\')
      {
        g_string_append_c (text, '\\');
        g_string_append_c (text, *p);
      }
    else if (*p == '\n')
      g_string_append (text, "\\n");
    else if ((guchar) *p < ' ' || *p == 0x7f) /* Perfetto refuses DEL, too */
      g_string_append_printf (text, "\\u%04x", (guint) *p);
    else
      g_string_append_c (text, *p);
  g_string_append_c (text, '"');
}

static void
append_number (GString *text, guint64 value)
{
  char digits[20];
  guint n = 0;

  do
    digits[n++] = (char) ('0' + value % 10);
  while ((value /= 10) > 0);
  while (n > 0)
    g_string_append_c (text, digits[--n]);
}

/* Nanoseconds as microseconds with three decimals. */
static void
append_time (GString *text, gint64 ns)
{
  guint64 whole = ns < 0 ? (guint64) -(ns + 1) + 1 : (guint64) ns;

  if (ns < 0)
    g_string_append_c (text, '-');
  append_number (text, whole / 1000);
  if (whole % 1000 == 0)
    return;
  g_string_append_c (text, '.');
  g_string_append_c (text, (char) ('0' + whole / 100 % 10));
  g_string_append_c (text, (char) ('0' + whole / 10 % 10));
  g_string_append_c (text, (char) ('0' + whole % 10));
}

static void
append_member (GString *text, const char *key, guint64 value)
{
  g_string_append_c (text, '"');
  g_string_append (text, key);
  g_string_append (text, "\":");
  append_number (text, value);
  g_string_append_c (text, ',');
}

static void
append_text_member (GString *text, const char *key, const char *value)
{
  if (value == NULL)
    return;
  append_string (text, key);
  g_string_append_c (text, ':');
  append_string (text, value);
  g_string_append_c (text, ',');
}

static void
append_double_member (GString *text, const char *key, double value)
{
  char number[G_ASCII_DTOSTR_BUF_SIZE];

  append_string (text, key);
  g_string_append_c (text, ':');
  g_string_append (text, g_ascii_dtostr (number, sizeof number, value));
  g_string_append_c (text, ',');
}

/* The comma behind the last member or element goes. */
static void
append_end (GString *text, const char *end)
{
  if (text->str[text->len - 1] == ',')
    g_string_truncate (text, text->len - 1);
  g_string_append (text, end);
}

/* --- the head --------------------------------------------------------------------------------------------------------- */

static void
append_info (Writer *writer)
{
  const MemlaneTraceInfo *info = memlane_trace_get_info (writer->trace);
  GString *text = writer->text;
  guint n;
  const MemlaneTraceStream *streams = memlane_trace_get_streams (writer->trace, &n);
  const MemlaneTraceLane *lanes;

  g_string_append (text, "{\"displayTimeUnit\":\"ns\",\n\"otherData\":{");
  append_member (text, "memlane", MEMLANE_CHROME_VERSION);
  append_text_member (text, "producer", "Memlane " MEMLANE_VERSION);
#define X(member) append_text_member (text, #member, info->member);
  MEMLANE_CHROME_TEXTS (X)
#undef X
  if (info->simulated)
    append_member (text, "simulated", 1);
#define X(member) append_member (text, #member, info->member);
  MEMLANE_CHROME_NUMBERS (X)
#undef X
  append_double_member (text, "traced_ns", info->traced_ns);
  append_double_member (text, "untraced_ns", info->untraced_ns);
  g_string_append (text, "\n\"notes\":[");
  for (guint i = 0; i < info->notes->len; i++)
    {
      append_string (text, info->notes->pdata[i]);
      g_string_append_c (text, ',');
    }
  append_end (text, "],\n\"stream_list\":[");
  for (guint i = 0; i < n; i++)
    {
      g_string_append_c (text, '{');
      append_member (text, "number", streams[i].number);
      if (streams[i].is_default)
        append_member (text, "default", 1);
      if (streams[i].non_blocking)
        append_member (text, "non_blocking", 1);
      if (streams[i].priority != 0)
        g_string_append_printf (text, "\"priority\":%d,", streams[i].priority);
      append_end (text, "},");
    }
  append_end (text, "],\n\"track_list\":[");
  lanes = memlane_trace_get_lanes (writer->trace, &n);
  for (guint i = 0; i < n; i++)
    if (lanes[i].kind == MEMLANE_TRACE_LANE_OTHER && lanes[i].stream != MEMLANE_TRACE_NO_STREAM)
      {
        g_string_append_c (text, '{');
        append_member (text, "number", lanes[i].stream);
        append_text_member (text, "title", lanes[i].title);
        append_end (text, "},");
      }
  append_end (text, "]},\n\"traceEvents\":[\n");
}

/* Two events of a thread may lie within each other but not cross, so each row of a lane is a thread of its own. */
static guint
thread_of (guint lane, guint row)
{
  return (lane + 1) * 256 + row;
}

static void
append_threads (Writer *writer)
{
  const MemlaneTraceInfo *info = memlane_trace_get_info (writer->trace);
  GString *text = writer->text;
  guint n;
  const MemlaneTraceLane *lanes = memlane_trace_get_lanes (writer->trace, &n);
  g_autofree char *process = g_strdup_printf ("%s%s%s%s", info->device_name != NULL ? info->device_name : "trace",
                                              info->simulated ? " [simulated]" : "", info->mode != NULL ? ", " : "",
                                              info->mode != NULL ? info->mode : "");

  g_string_append (text, "{\"ph\":\"M\",\"pid\":1,\"name\":\"process_name\",\"args\":{\"name\":");
  append_string (text, process);
  g_string_append (text, "}},\n");
  for (guint i = 0; i < n; i++)
    for (guint row = 0; row < lanes[i].n_rows; row++)
      {
        g_autofree char *title = row == 0 ? g_strdup (lanes[i].title) : g_strdup_printf ("%s (%u)", lanes[i].title, row + 1);

        if (!writer->is_used[thread_of (i, row)])
          continue; /* the lane of an engine: its events are at home in their streams */
        g_string_append_printf (text, "{\"ph\":\"M\",\"pid\":1,\"tid\":%u,\"name\":\"thread_name\",\"args\":{\"name\":",
                                thread_of (i, row));
        append_string (text, title);
        g_string_append_printf (text,
                                "}},\n{\"ph\":\"M\",\"pid\":1,\"tid\":%u,\"name\":\"thread_sort_index\",\"args\":{\"sort_index\":%u}},\n",
                                thread_of (i, row), thread_of (i, row));
      }
}

/* --- events ------------------------------------------------------------------------------------------------------------- */

static void
append_event (Writer *writer, guint id)
{
  const MemlaneTraceEvent *event = &writer->events[id];
  GString *text = writer->text, *name = writer->names[event->name];

  g_string_append (text, "{\"ph\":\"X\",\"pid\":1,\"tid\":");
  append_number (text, thread_of (event->lane, writer->rows[id]));
  g_string_append (text, ",\"ts\":");
  append_time (text, event->start);
  g_string_append (text, ",\"dur\":");
  append_time (text, event->duration);
  g_string_append (text, ",\"name\":");
  g_string_append_len (text, name->str, (gssize) name->len);
  g_string_append (text, ",\"cat\":\"");
  g_string_append (text, memlane_trace_kind_name (event->kind));
  g_string_append (text, "\",\"args\":{");
  if (event->bytes != 0)
    append_member (text, "bytes", event->bytes);
  if (event->stream != MEMLANE_TRACE_NO_STREAM)
    append_member (text, "stream", event->stream);
  if (event->correlation != 0)
    append_member (text, "correlation", event->correlation);
  if (event->count != 0)
    append_member (text, "count", event->count);
  if (event->flags != 0)
    append_member (text, "flags", event->flags);
  if (event->way != MEMLANE_TRACE_WAY_NONE)
    append_text_member (text, "way", memlane_trace_way_name (event->way));
  if (event->source != MEMLANE_TRACE_MEMORY_UNKNOWN)
    append_text_member (text, "from", memlane_trace_memory_name (event->source));
  if (event->destination != MEMLANE_TRACE_MEMORY_UNKNOWN)
    append_text_member (text, "to", memlane_trace_memory_name (event->destination));
  append_end (text, "}},\n");
}

/* An arrow from the call to what it issued. It hangs on the event of its thread that was the last to start by then, as they stand in the
 * file where two start together; so arrows stand behind all events. None points back, as one to an operation would that started before its
 * call by the difference of two clocks. */
static void
append_flow (Writer *writer, guint id)
{
  const MemlaneTraceEvent *event = &writer->events[id], *call;
  guint32 call_id;

  if (!memlane_trace_event_is_operation (event) && event->kind != MEMLANE_TRACE_HOST_FUNCTION)
    return;
  call_id = memlane_trace_find_call (writer->trace, id);
  if (call_id == MEMLANE_TRACE_NONE)
    return;
  call = &writer->events[call_id];
  if (event->start < call->start)
    return;
  for (guint end = 0; end < 2; end++)
    {
      guint32 at = end == 0 ? call_id : id;

      g_string_append (writer->text, end == 0 ? "{\"ph\":\"s\"" : "{\"ph\":\"f\",\"bp\":\"e\"");
      g_string_append (writer->text, ",\"pid\":1,\"tid\":");
      append_number (writer->text, thread_of (writer->events[at].lane, writer->rows[at]));
      g_string_append (writer->text, ",\"ts\":");
      append_time (writer->text, (end == 0 ? call : event)->start);
      g_string_append (writer->text, ",\"id\":");
      append_number (writer->text, id + 1);
      g_string_append (writer->text, ",\"name\":\"issues\",\"cat\":\"flow\"},\n");
    }
}

static gboolean
flush (Writer *writer, MemlaneSave *save, gsize least, GError **error)
{
  gboolean done = TRUE;

  if (writer->text->len >= least)
    {
      done = memlane_save_append (save, writer->text->str, writer->text->len, error);
      g_string_truncate (writer->text, 0);
    }
  return done;
}

static gboolean
write_all (Writer *writer, const char *path, GError **error)
{
  g_autoptr (MemlaneSave) save = memlane_save_begin (path, error);

  if (save == NULL)
    return FALSE;
  append_info (writer);
  append_threads (writer);
  for (guint i = 0; i < writer->n_events; i++)
    {
      append_event (writer, i);
      if (!flush (writer, save, PIECE_BYTES, error))
        return FALSE;
    }
  for (guint i = 0; i < writer->n_events && writer->n_events <= MEMLANE_TRACE_MOST_FLOWS; i++)
    {
      append_flow (writer, i);
      if (!flush (writer, save, PIECE_BYTES, error))
        return FALSE;
    }
  /* Behind the last record stands ",\n": one more, which every reader takes for nothing, closes the list. */
  g_string_append (writer->text, "{\"ph\":\"M\",\"pid\":1,\"name\":\"process_sort_index\",\"args\":{\"sort_index\":1}}\n]}\n");
  return flush (writer, save, 0, error) && memlane_save_commit (save, error);
}

gboolean
memlane_trace_write_json (const MemlaneTrace *trace, const char *path, GError **error)
{
  Writer writer = { .trace = trace, .text = g_string_sized_new (PIECE_BYTES + 4096) };
  guint n_names = memlane_trace_get_n_names (trace), n_lanes;
  const MemlaneTraceLane *lanes = memlane_trace_get_lanes (trace, &n_lanes);
  g_autoptr (GError) problem = NULL;
  gboolean done;

  writer.events = memlane_trace_get_events (trace, &writer.n_events);
  writer.names = g_new (GString *, n_names + 1);
  for (guint i = 0; i < n_names; i++)
    {
      writer.names[i] = g_string_new (NULL);
      append_string (writer.names[i], memlane_trace_get_name (trace, i));
    }
  writer.rows = g_new0 (guint8, (gsize) writer.n_events + 1);
  writer.is_used = g_new0 (guint8, ((gsize) n_lanes + 1) * 256);
  for (guint i = 0; i < n_lanes; i++)
    for (guint k = 0; k < lanes[i].n_events; k++)
      if (writer.events[lanes[i].events[k]].lane == i)
        {
          writer.rows[lanes[i].events[k]] = lanes[i].rows[k];
          writer.is_used[thread_of (i, lanes[i].rows[k])] = TRUE;
        }

  done = write_all (&writer, path, &problem);
  if (!done)
    g_set_error_literal (error, MEMLANE_FILE_ERROR, MEMLANE_FILE_ERROR_IO, problem->message);

  g_free (writer.rows);
  g_free (writer.is_used);
  for (guint i = 0; i < n_names; i++)
    g_string_free (writer.names[i], TRUE);
  g_free (writer.names);
  g_string_free (writer.text, TRUE);
  return done;
}
