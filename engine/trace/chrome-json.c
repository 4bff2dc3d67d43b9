/* chrome-json.c: a trace as Chrome trace JSON and back
 *
 * SPDX-License-Identifier: MIT
 */
#include "trace.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <gio/gunixinputstream.h>

#include "base/data-file.h"
#include "base/device-id.h"
#include "base/each.h"
#include "base/fail.h"
#include "base/hash.h"
#include "base/json.h"
#include "base/reader-limits.h"
#include "base/save.h"
#include "base/strict-text.h"
#include "builder.h"

#define VERSION 1          /* of what "otherData" says */
#define PIECE_BYTES (1 << 20)
#define NEVER_ENDED -1     /* the duration of a B without its E */
#define TABLE_BEGIN "run,device," /* of a CSV, as csv.c writes it */

/* --- writing ---------------------------------------------------------------------------------- */

typedef struct
{
  const MemlaneTrace *trace;
  const MemlaneTraceEvent *events;
  guint n_events;
  GString *text;
  guint8 *rows;     /* of each event, in its home lane */
  guint8 *is_used;  /* whether a thread has events */
  MemlaneSave *file;
} Writer;

/* Nanoseconds as microseconds with three decimals. */
static void
append_time (GString *text, gint64 ns)
{
  guint64 whole = ns < 0 ? (guint64) -(ns + 1) + 1 : (guint64) ns;

  if (ns < 0)
    g_string_append_c (text, '-');
  memlane_text_append_count (text, whole / 1000);
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
  memlane_text_append_count (text, value);
  g_string_append_c (text, ',');
}

static void
append_text_member (GString *text, const char *key, const char *value)
{
  if (value == NULL)
    return;
  g_string_append_printf (text, "\"%s\":", key);
  memlane_text_append_json (text, value);
  g_string_append_c (text, ',');
}

static void
append_double_member (GString *text, const char *key, double value)
{
  g_string_append_printf (text, "\"%s\":", key);
  memlane_text_append_rounded (text, value, 17);
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

static void
append_info (Writer *writer)
{
  const MemlaneTraceInfo *info = memlane_trace_get_info (writer->trace);
  GString *text = writer->text;
  guint n;
  const MemlaneTraceStream *streams = memlane_trace_get_streams (writer->trace, &n);
  const MemlaneTraceLane *lanes;

  g_string_append (text, "{\"displayTimeUnit\":\"ns\",\n\"otherData\":{");
  append_member (text, "memlane", VERSION);
  append_text_member (text, "producer", "Memlane " MEMLANE_VERSION);
#define X(member) append_text_member (text, #member, info->member);
  MEMLANE_TRACE_INFO_TEXTS (X)
#undef X
  if (info->simulated)
    append_member (text, "simulated", 1);
#define X(member) append_member (text, #member, info->member);
  MEMLANE_TRACE_INFO_NUMBERS (X)
#undef X
  append_double_member (text, "traced_ns", info->traced_ns);
  append_double_member (text, "untraced_ns", info->untraced_ns);
  g_string_append (text, "\n\"notes\":[");
  MEMLANE_FOR_EACH (const char, note, info->notes)
    {
      memlane_text_append_json (text, note);
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

/* Two events of a thread may lie within each other but not cross, so each row of a lane is a thread
 * of its own. */
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
  g_autofree char *process = g_strdup_printf (
      "%s%s%s%s", info->device_name != NULL ? info->device_name : "trace",
      info->simulated ? " [simulated]" : "", info->mode != NULL ? ", " : "",
      info->mode != NULL ? info->mode : "");

  g_string_append (text, "{\"ph\":\"M\",\"pid\":1,\"name\":\"process_name\",\"args\":{\"name\":");
  memlane_text_append_json (text, process);
  g_string_append (text, "}},\n");
  for (guint i = 0; i < n; i++)
    for (guint row = 0; row < lanes[i].n_rows; row++)
      {
        g_autofree char *title = row == 0 ? g_strdup (lanes[i].title)
                                          : g_strdup_printf ("%s (%u)", lanes[i].title, row + 1);

        if (!writer->is_used[thread_of (i, row)])
          continue; /* the lane of an engine: its events are at home in their streams */
        g_string_append_printf (
            text, "{\"ph\":\"M\",\"pid\":1,\"tid\":%u,\"name\":\"thread_name\",\"args\":{\"name\":",
            thread_of (i, row));
        memlane_text_append_json (text, title);
        g_string_append_printf (text,
                                "}},\n{\"ph\":\"M\",\"pid\":1,\"tid\":%u,\"name\":\"thread_sort_"
                                "index\",\"args\":{\"sort_index\":%u}},\n",
                                thread_of (i, row), thread_of (i, row));
      }
}

/* The thread and the beginning of an event. */
static void
append_place (Writer *writer, guint id)
{
  g_string_append (writer->text, ",\"pid\":1,\"tid\":");
  memlane_text_append_count (writer->text, thread_of (writer->events[id].lane, writer->rows[id]));
  g_string_append (writer->text, ",\"ts\":");
  append_time (writer->text, writer->events[id].start);
}

static void
append_event (Writer *writer, guint id)
{
  const MemlaneTraceEvent *event = &writer->events[id];
  GString *text = writer->text;

  g_string_append (text, "{\"ph\":\"X\"");
  append_place (writer, id);
  g_string_append (text, ",\"dur\":");
  append_time (text, event->duration);
  g_string_append (text, ",\"name\":");
  memlane_text_append_json (text, memlane_trace_get_name (writer->trace, event->name));
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

/* An arrow from the call to what it issued. It hangs on the event of its thread that was the last
 * to start by then, as they stand in the file where two start together; so arrows stand behind all
 * events. None points back, as one to an operation would that started before its call by the
 * difference of two clocks. */
static void
append_flow (Writer *writer, guint id)
{
  const MemlaneTraceEvent *event = &writer->events[id];
  guint32 call = memlane_trace_event_is_operation (event)
                         || event->kind == MEMLANE_TRACE_HOST_FUNCTION
                     ? memlane_trace_find_call (writer->trace, id)
                     : MEMLANE_TRACE_NONE;

  if (call == MEMLANE_TRACE_NONE || event->start < writer->events[call].start)
    return;
  for (guint end = 0; end < 2; end++)
    {
      g_string_append (writer->text, end == 0 ? "{\"ph\":\"s\"" : "{\"ph\":\"f\",\"bp\":\"e\"");
      append_place (writer, end == 0 ? call : id);
      g_string_append (writer->text, ",\"id\":");
      memlane_text_append_count (writer->text, id + 1);
      g_string_append (writer->text, ",\"name\":\"issues\",\"cat\":\"flow\"},\n");
    }
}

static gboolean
flush (Writer *writer, gsize least, GError **error)
{
  gboolean done = TRUE;

  if (writer->file != NULL && writer->text->len >= least)
    {
      done = memlane_save_append (writer->file, writer->text->str, writer->text->len, error);
      g_string_truncate (writer->text, 0);
    }
  return done;
}

static gboolean
write_all (Writer *writer, GError **error)
{
  const guint64 n = (guint64) writer->n_events
                    * (writer->n_events <= MEMLANE_TRACE_MOST_FLOWS ? 2 : 1);

  append_info (writer);
  append_threads (writer);
  for (guint64 i = 0; i < n; i++)
    {
      if (i < writer->n_events)
        append_event (writer, (guint) i);
      else
        append_flow (writer, (guint) (i - writer->n_events));
      if (!flush (writer, PIECE_BYTES, error))
        return FALSE;
    }
  /* Behind the last record stands ",\n": one more, which every reader takes for nothing, closes the
   * list. */
  g_string_append (
      writer->text,
      "{\"ph\":\"M\",\"pid\":1,\"name\":\"process_sort_index\",\"args\":{\"sort_index\":1}}\n]}\n");
  return flush (writer, 0, error);
}

/* @file: NULL: it is all to stay in @text. */
static gboolean
put_trace (const MemlaneTrace *trace, GString *text, MemlaneSave *file, GError **error)
{
  Writer writer = { .trace = trace, .text = text, .file = file };
  guint n_lanes;
  const MemlaneTraceLane *lanes = memlane_trace_get_lanes (trace, &n_lanes);
  gboolean done;

  writer.events = memlane_trace_get_events (trace, &writer.n_events);
  writer.rows = g_new0 (guint8, (gsize) writer.n_events + 1);
  writer.is_used = g_new0 (guint8, ((gsize) n_lanes + 1) * 256);
  for (guint i = 0; i < n_lanes; i++)
    for (guint k = 0; k < lanes[i].n_events; k++)
      if (writer.events[lanes[i].events[k]].lane == i)
        {
          writer.rows[lanes[i].events[k]] = lanes[i].rows[k];
          writer.is_used[thread_of (i, lanes[i].rows[k])] = TRUE;
        }

  done = write_all (&writer, error);

  g_free (writer.rows);
  g_free (writer.is_used);
  return done;
}

gboolean
memlane_trace_write_json (const MemlaneTrace *trace, const char *path, GError **error)
{
  g_autoptr (MemlaneSave) file = memlane_save_begin (path, error);
  g_autoptr (GString) text = g_string_sized_new (PIECE_BYTES + 4096);

  return file != NULL && put_trace (trace, text, file, error) && memlane_save_commit (file, error);
}

GString *
memlane_trace_to_json (const MemlaneTrace *trace)
{
  GString *text = g_string_new (NULL);

  (void) put_trace (trace, text, NULL, NULL);
  return text;
}

/* --- reading: what it holds ------------------------------------------------------------------- */

/* The texts of a record. Processes and threads are numbers and strings alike; TITLE is
 * args.name. */
enum { NAME, CATEGORY, PROCESS, THREAD, TITLE, N_TEXTS };

/* One record, as far as it has been read. */
typedef struct
{
  char phase;              /* 0: none */
  MemlaneTraceEvent event;
  gboolean has_time, has_duration;
  GString *texts[N_TEXTS];
} Record;

typedef struct
{
  MemlaneJsonPull json;
  MemlaneTraceBuilder *builder;
  gboolean is_ours;
  gboolean has_events;     /* there was a list of them */
  Record record;
  GHashTable *tracks;      /* "process/thread" -> number + 1 */
  GHashTable *open;        /* track number -> GArray of guint: events whose end is to come */
  MemlaneTraceStream listed;
  guint64 skipped;
  guint n_records;
} Reader;

/* Refuses the file unless @found is @expected. */
static gboolean
expect (Reader *self, const char *what, MemlaneJsonToken found, MemlaneJsonToken expected)
{
  if (found == expected)
    return TRUE;
  return memlane_json_pull_refuse (&self->json, "%s: found %s, expected %s", what,
                                   memlane_json_token_describe (found),
                                   memlane_json_token_describe (expected));
}

/* A whole number from 0 to @most. */
static gboolean
parse_count (Reader *self, const char *what, MemlaneJsonToken token, guint64 most, guint64 *value)
{
  double rough;

  if (!expect (self, what, token, MEMLANE_JSON_NUMBER))
    return FALSE;
  if (g_ascii_string_to_unsigned (self->json.text, 10, 0, most, value, NULL))
    return TRUE;
  (void) memlane_text_read_number (self->json.text, &rough);
  *value = rough >= 0 && rough < 9e18 && rough == floor (rough) ? (guint64) rough : G_MAXUINT64;
  if (*value <= most && *value != G_MAXUINT64)
    return TRUE;
  return memlane_json_pull_refuse (
      &self->json, "%s: found %.40s, expected a whole number from 0 to %" G_GUINT64_FORMAT, what,
      self->json.text, most);
}

/* A number of the file and its place in a structure. */
typedef struct
{
  const char *key;
  guint64 most;
  gsize place, bytes;
} Number;

#define NUMBER(key, most, Type, field)                                                             \
  { key, most, G_STRUCT_OFFSET (Type, field), sizeof ((Type *) NULL)->field }

static const Number *
find_number (const Number *numbers, guint n, const char *key)
{
  for (guint i = 0; i < n; i++)
    if (strcmp (key, numbers[i].key) == 0)
      return &numbers[i];
  return NULL;
}

static gboolean
read_number (Reader *self, const Number *number, MemlaneJsonToken token, gpointer structure)
{
  gpointer place = G_STRUCT_MEMBER_P (structure, number->place);
  guint64 value;

  if (!parse_count (self, number->key, token, number->most, &value))
    return FALSE;
  if (number->bytes == 8)
    *(guint64 *) place = value;
  else if (number->bytes == 4)
    *(guint32 *) place = (guint32) value;
  else
    *(guint8 *) place = (guint8) value;
  return TRUE;
}

/* Hands each member of the object that has just begun to @read, with the token of its value. Keys
 * that are too long are "". */
static gboolean
read_members (Reader *self,
              gboolean (*read) (Reader *self, const char *key, MemlaneJsonToken token))
{
  MemlaneJsonToken token;
  char key[32];

  while ((token = memlane_json_pull_next (&self->json)) == MEMLANE_JSON_KEY)
    {
      g_strlcpy (key, self->json.length < sizeof key ? self->json.text : "", sizeof key);
      if (!read (self, key, memlane_json_pull_next (&self->json)))
        return FALSE;
    }
  return token == MEMLANE_JSON_OBJECT_END;
}

/* A member of one object of stream_list or track_list; what is said of the next. */
static gboolean
read_listed_member (Reader *self, const char *key, MemlaneJsonToken token)
{
  static const Number numbers[] = { NUMBER ("number", G_MAXUINT32 - 1, MemlaneTraceStream, number),
                                    NUMBER ("default", 1, MemlaneTraceStream, is_default),
                                    NUMBER ("non_blocking", 1, MemlaneTraceStream, non_blocking) };
  const Number *number = find_number (numbers, G_N_ELEMENTS (numbers), key);

  if (number != NULL)
    return read_number (self, number, token, &self->listed);
  if (strcmp (key, "priority") == 0)
    {
      self->listed.priority = (int) CLAMP (g_ascii_strtoll (self->json.text, NULL, 10), G_MININT,
                                           G_MAXINT);
      return expect (self, key, token, MEMLANE_JSON_NUMBER);
    }
  if (strcmp (key, "title") != 0)
    return memlane_json_pull_skip (&self->json, token);
  g_string_assign (self->record.texts[TITLE], self->json.text);
  return expect (self, key, token, MEMLANE_JSON_STRING);
}

static gboolean
read_list (Reader *self, const char *key, MemlaneJsonToken token)
{
  gboolean is_notes = strcmp (key, "notes") == 0;
  GString *title = self->record.texts[TITLE];

  if (!expect (self, key, token, MEMLANE_JSON_ARRAY))
    return FALSE;
  while ((token = memlane_json_pull_next (&self->json)) != MEMLANE_JSON_ARRAY_END)
    {
      self->listed = (MemlaneTraceStream) { 0 };
      g_string_truncate (title, 0);
      if (!expect (self, key, token, is_notes ? MEMLANE_JSON_STRING : MEMLANE_JSON_OBJECT)
          || (!is_notes && !read_members (self, read_listed_member)))
        return FALSE;
      if (is_notes)
        memlane_trace_builder_add_note (self->builder, "%s", self->json.text);
      else if (*key == 's')
        memlane_trace_builder_add_stream (self->builder, &self->listed);
      else if (title->len > 0)
        memlane_trace_builder_name_track (self->builder, self->listed.number, title->str);
    }
  return TRUE;
}

/* Reads otherData: ours begins with our version; another program's is skipped. */
static gboolean
read_info_member (Reader *self, const char *key, MemlaneJsonToken token)
{
#define X(name)                                                                                    \
  NUMBER (#name, sizeof ((MemlaneTraceInfo *) NULL)->name == 4 ? G_MAXUINT32 : G_MAXUINT64,        \
          MemlaneTraceInfo, name),
  static const Number numbers[] = { MEMLANE_TRACE_INFO_NUMBERS (X)
                                        NUMBER ("simulated", 1, MemlaneTraceInfo, simulated) };
#undef X
  MemlaneTraceInfo *info = memlane_trace_builder_get_info (self->builder);
  const Number *number;
  guint64 value;

  if (strcmp (key, "memlane") == 0 && !self->has_events)
    {
      self->is_ours = parse_count (self, "memlane", token, G_MAXUINT32, &value);
      if (self->is_ours && value != VERSION)
        return memlane_json_pull_refuse (
            &self->json,
            "memlane: found version %" G_GUINT64_FORMAT
            " of a trace, expected %d; open it with the Memlane that wrote it",
            value, VERSION);
      return self->is_ours;
    }
  if (!self->is_ours)
    return memlane_json_pull_skip (&self->json, token);
  number = find_number (numbers, G_N_ELEMENTS (numbers), key);
  if (number != NULL)
    return read_number (self, number, token, info);
#define X(member) \
  if (strcmp (key, #member) == 0) \
    { \
      if (!expect (self, #member, token, MEMLANE_JSON_STRING)) \
        return FALSE; \
      g_free (info->member); \
      info->member = g_strdup (self->json.text); \
      return TRUE; \
    }
  MEMLANE_TRACE_INFO_TEXTS (X)
#undef X
  if (strcmp (key, "traced_ns") == 0 || strcmp (key, "untraced_ns") == 0)
    {
      if (!expect (self, key, token, MEMLANE_JSON_NUMBER))
        return FALSE;
      return memlane_text_read_number (self->json.text,
                                       *key == 't' ? &info->traced_ns : &info->untraced_ns)
             || memlane_json_pull_refuse (&self->json, "%s: found %.40s, expected nanoseconds", key,
                                          self->json.text);
    }
  if (strcmp (key, "notes") == 0 || strcmp (key, "stream_list") == 0
      || strcmp (key, "track_list") == 0)
    return read_list (self, key, token);
  return memlane_json_pull_skip (&self->json, token);
}

static gboolean
read_device_member (Reader *self, const char *key, MemlaneJsonToken token)
{
  if (token != MEMLANE_JSON_STRING || strcmp (key, "name") != 0)
    return memlane_json_pull_skip (&self->json, token);
  memlane_trace_builder_add_device (self->builder, self->json.text);
  return TRUE;
}

/* deviceProperties of PyTorch's profiler: the GPUs' names. */
static gboolean
read_devices (Reader *self, MemlaneJsonToken token)
{
  if (token != MEMLANE_JSON_ARRAY)
    return memlane_json_pull_skip (&self->json, token);
  while ((token = memlane_json_pull_next (&self->json)) != MEMLANE_JSON_ARRAY_END)
    if (token == MEMLANE_JSON_OBJECT ? !read_members (self, read_device_member)
                                     : !memlane_json_pull_skip (&self->json, token))
      return FALSE;
  return TRUE;
}

/* --- reading: times --------------------------------------------------------------------------- */

/* Microseconds in text as whole nanoseconds: by digits, not by a double, so that what was written
 * is read to the nanosecond. */
static gboolean
parse_time (Reader *self, const char *what, gint64 *ns)
{
  const char *p = self->json.text;
  gboolean negative = *p == '-';
  guint64 value = 0;
  guint digits = 0, decimals = 0;
  double rough;

  p += negative;
  for (; g_ascii_isdigit (*p) && digits < 16; p++, digits++)
    value = value * 10 + (guint64) (*p - '0');
  if (*p == '.')
    for (p++; g_ascii_isdigit (*p) && decimals < 3; p++, decimals++)
      value = value * 10 + (guint64) (*p - '0');
  for (; decimals < 3; decimals++)
    value *= 10;
  if (*p == '\0' && value < MEMLANE_TRACE_LATEST_NS)
    {
      *ns = negative ? -(gint64) value : (gint64) value;
      return TRUE;
    }
  if (!memlane_text_read_number (self->json.text, &rough)
      || !(fabs (rough *= 1e3) < (double) MEMLANE_TRACE_LATEST_NS))
    return memlane_json_pull_refuse (
        &self->json, "%s: found %s, expected microseconds of this century", what, self->json.text);
  *ns = llround (rough);
  return TRUE;
}

/* --- reading: records ------------------------------------------------------------------------- */

static const struct
{
  const char *category;
  MemlaneTraceKind kind;
} foreign_categories[] = {
  { "cuda_runtime", MEMLANE_TRACE_CALL }, { "cuda_driver", MEMLANE_TRACE_CALL },
  { "Runtime", MEMLANE_TRACE_CALL },      { "gpu_memcpy", MEMLANE_TRACE_COPY },
  { "Memcpy", MEMLANE_TRACE_COPY },       { "gpu_memset", MEMLANE_TRACE_MEMSET },
  { "Memset", MEMLANE_TRACE_MEMSET },     { "Kernel", MEMLANE_TRACE_KERNEL },
  { "gpu_kernel", MEMLANE_TRACE_KERNEL }, { "cuda_sync", MEMLANE_TRACE_SYNCHRONISATION },
};

static gboolean
find_kind (const char *category, MemlaneTraceKind *kind)
{
  if (memlane_trace_kind_parse (category, kind))
    return TRUE;
  for (guint i = 0; i < G_N_ELEMENTS (foreign_categories); i++)
    if (strcmp (category, foreign_categories[i].category) == 0)
      {
        *kind = foreign_categories[i].kind;
        return TRUE;
      }
  return FALSE;
}

/* @word: of CUPTI, "Pageable -> Device)". */
static guint8
guess_memory (const char *word)
{
  for (guint i = MEMLANE_TRACE_MEMORY_UNKNOWN + 1; i < MEMLANE_TRACE_N_MEMORIES; i++)
    if (g_ascii_strncasecmp (word, memlane_trace_memory_name (i),
                             strlen (memlane_trace_memory_name (i)))
        == 0)
      return (guint8) i;
  return MEMLANE_TRACE_MEMORY_UNKNOWN;
}

/* Which way a foreign copy goes, by its name: "Memcpy HtoD (Pageable -> Device)", "[CUDA memcpy
 * DtoH]". */
static void
guess_way (MemlaneTraceEvent *event, const char *name)
{
  static const struct
  {
    const char *text;
    MemlaneTraceWay way;
  } ways[] = { { "HtoD", MEMLANE_TRACE_WAY_TO_DEVICE },
               { "DtoH", MEMLANE_TRACE_WAY_TO_HOST },
               { "DtoD", MEMLANE_TRACE_WAY_ON_DEVICE },
               { "HtoH", MEMLANE_TRACE_WAY_ON_HOST },
               { "PtoP", MEMLANE_TRACE_WAY_TO_PEER } };

  const char *from = strchr (name, '('), *to = strstr (name, "-> ");

  for (guint i = 0; i < G_N_ELEMENTS (ways); i++)
    if (strstr (name, ways[i].text) != NULL)
      event->way = (guint8) ways[i].way;
  event->source = from != NULL ? guess_memory (from + 1) : MEMLANE_TRACE_MEMORY_UNKNOWN;
  event->destination = to != NULL ? guess_memory (to + strlen ("-> "))
                                  : MEMLANE_TRACE_MEMORY_UNKNOWN;
  if (strstr (name, "Pageable") != NULL && event->way != MEMLANE_TRACE_WAY_ON_HOST)
    event->flags |= MEMLANE_TRACE_STAGED;
}

static guint32
find_track (Reader *self)
{
  const char *process = self->record.texts[PROCESS]->str, *thread = self->record.texts[THREAD]->str;
  g_autofree char *key = g_strdup_printf ("%s/%s", process, thread);
  gpointer known = g_hash_table_lookup (self->tracks, key);
  guint32 number;

  if (known != NULL)
    return GPOINTER_TO_UINT (known) - 1;
  number = g_hash_table_size (self->tracks);
  g_hash_table_insert (self->tracks, g_steal_pointer (&key), GUINT_TO_POINTER (number + 1));
  if (!self->is_ours)
    {
      g_autofree char *title = g_strdup_printf ("process %.60s, thread %.60s", process, thread);
      g_autofree char *valid = g_utf8_make_valid (title, -1); /* it may be cut inside a letter */

      memlane_trace_builder_name_track (self->builder, number, valid);
    }
  return number;
}

static gboolean
end_open (Reader *self, guint32 track)
{
  GArray *open = g_hash_table_lookup (self->open, GUINT_TO_POINTER (track));
  MemlaneTraceEvent *event;

  if (open == NULL || open->len == 0)
    {
      self->skipped++; /* its beginning is not in the file */
      return TRUE;
    }
  event = memlane_trace_builder_get_event (self->builder,
                                           g_array_index (open, guint, open->len - 1));
  g_array_set_size (open, open->len - 1);
  event->duration = self->record.event.start - event->start;
  return event->duration >= 0
         || memlane_json_pull_refuse (&self->json, "the event ends before it starts");
}

static gboolean
add_event (Reader *self)
{
  Record *record = &self->record;
  MemlaneTraceEvent *event = &record->event;
  MemlaneTraceKind kind = MEMLANE_TRACE_OTHER;
  gboolean known = find_kind (record->texts[CATEGORY]->str, &kind);
  guint32 track = 0;

  if (self->is_ours && !known)
    return memlane_json_pull_refuse (&self->json, "cat: found \"%.60s\", expected a kind of event",
                                     record->texts[CATEGORY]->str);
  if (!self->is_ours && !known && g_str_has_prefix (record->texts[NAME]->str, "[CUDA mem"))
    {
      kind = g_str_has_prefix (record->texts[NAME]->str, "[CUDA memset") ? MEMLANE_TRACE_MEMSET
                                                                         : MEMLANE_TRACE_COPY;
      known = TRUE;
    }
  event->kind = (guint8) kind;
  if (!self->is_ours && kind == MEMLANE_TRACE_COPY)
    guess_way (event, record->texts[NAME]->str);
  if (!self->is_ours && (kind == MEMLANE_TRACE_OTHER || record->phase == 'B'))
    {
      track = find_track (self);
      if (kind == MEMLANE_TRACE_OTHER)
        event->stream = track;
    }
  if (!self->is_ours && kind == MEMLANE_TRACE_CALL)
    event->count = find_track (self) + 1;
  if (record->phase == 'B')
    {
      GArray *open = g_hash_table_lookup (self->open, GUINT_TO_POINTER (track));
      guint index = memlane_trace_builder_get_n_events (self->builder);

      if (open == NULL)
        {
          open = g_array_new (FALSE, FALSE, sizeof (guint));
          g_hash_table_insert (self->open, GUINT_TO_POINTER (track), open);
        }
      g_array_append_val (open, index);
      event->duration = NEVER_ENDED;
    }
  event->name = memlane_trace_builder_intern (self->builder, record->texts[NAME]->str,
                                              (gssize) record->texts[NAME]->len);
  return memlane_trace_builder_add (self->builder, event, &self->json.error);
}

static gboolean
finish_record (Reader *self)
{
  Record *record = &self->record;

  switch (record->phase)
    {
    case 'X':
      if (!record->has_duration)
        return memlane_json_pull_refuse (&self->json, "an event of phase X without dur");
      if (record->event.duration < 0)
        return memlane_json_pull_refuse (&self->json,
                                         "the event ends before it starts: dur is negative");
      G_GNUC_FALLTHROUGH;
    case 'B':
    case 'i':
    case 'I':
    case 'E':
      if (!record->has_time)
        return memlane_json_pull_refuse (&self->json, "an event of phase %c without ts",
                                         record->phase);
      return record->phase == 'E' ? end_open (self, find_track (self)) : add_event (self);
    case 'M':
      if (!self->is_ours && strcmp (record->texts[NAME]->str, "thread_name") == 0
          && record->texts[TITLE]->len > 0)
        memlane_trace_builder_name_track (self->builder, find_track (self),
                                          record->texts[TITLE]->str);
      return TRUE;
    case 's':
    case 't':
    case 'f':
      return TRUE; /* arrows: correlations say the same */
    case 0:
      return memlane_json_pull_refuse (&self->json, "an event without ph");
    default:
      self->skipped++;
      return TRUE;
    }
}

/* The arguments that are numbers. Another program means the same by the first three at most. The
 * stream 2^32 - 1 stands for all of them. */
static const Number number_arguments[] = {
  NUMBER ("bytes", G_MAXUINT64, MemlaneTraceEvent, bytes),
  NUMBER ("stream", G_MAXUINT32 - 1, MemlaneTraceEvent, stream),
  NUMBER ("correlation", G_MAXUINT32, MemlaneTraceEvent, correlation),
  NUMBER ("count", G_MAXUINT32, MemlaneTraceEvent, count),
  NUMBER ("flags", 0xff, MemlaneTraceEvent, flags),
};

#define N_FOREIGN_NUMBERS 3

/* "way", "from" and "to" of our own files. */
static gboolean
read_word_argument (Reader *self, const char *key, MemlaneJsonToken token)
{
  MemlaneTraceEvent *event = &self->record.event;
  MemlaneTraceMemory memory;
  MemlaneTraceWay way;

  if (!expect (self, key, token, MEMLANE_JSON_STRING))
    return FALSE;
  if (*key == 'w' ? !memlane_trace_way_parse (self->json.text, &way)
                  : !memlane_trace_memory_parse (self->json.text, &memory))
    return memlane_json_pull_refuse (&self->json, "%s: found \"%.60s\", expected %s", key,
                                     self->json.text,
                                     *key == 'w' ? "a direction" : "a kind of memory");
  if (*key == 'w')
    event->way = (guint8) way;
  else
    *(*key == 'f' ? &event->source : &event->destination) = (guint8) memory;
  return TRUE;
}

/* The arguments that are read; others are skipped. */
static gboolean
read_argument (Reader *self, const char *key, MemlaneJsonToken token)
{
  const Number *number = find_number (number_arguments, G_N_ELEMENTS (number_arguments), key);

  if (number != NULL && !self->is_ours
      && (token != MEMLANE_JSON_NUMBER || number >= number_arguments + N_FOREIGN_NUMBERS
          || *self->json.text == '-'
          || (number == &number_arguments[1] && strcmp (self->json.text, "4294967295") == 0)))
    return memlane_json_pull_skip (&self->json, token);
  if (number != NULL)
    return read_number (self, number, token, &self->record.event);
  if (token == MEMLANE_JSON_STRING && strcmp (key, "name") == 0)
    {
      g_string_assign (self->record.texts[TITLE], self->json.text);
      return TRUE;
    }
  if (self->is_ours
      && (strcmp (key, "way") == 0 || strcmp (key, "from") == 0 || strcmp (key, "to") == 0))
    return read_word_argument (self, key, token);
  return memlane_json_pull_skip (&self->json, token);
}

static gboolean
read_member (Reader *self, const char *key, MemlaneJsonToken token)
{
  static const char *const texts[] = {
    [NAME] = "name", [CATEGORY] = "cat", [PROCESS] = "pid", [THREAD] = "tid"
  };
  Record *record = &self->record;

  if (strcmp (key, "ph") == 0)
    {
      if (!expect (self, "ph", token, MEMLANE_JSON_STRING))
        return FALSE;
      record->phase = self->json.length == 1 ? *self->json.text : '?';
      return TRUE;
    }
  if (strcmp (key, "ts") == 0 || strcmp (key, "dur") == 0)
    {
      gboolean is_start = *key == 't';

      *(is_start ? &record->has_time : &record->has_duration) = TRUE;
      return expect (self, key, token, MEMLANE_JSON_NUMBER)
             && parse_time (self, key, is_start ? &record->event.start : &record->event.duration);
    }
  for (guint i = 0; i < G_N_ELEMENTS (texts); i++)
    if (strcmp (key, texts[i]) == 0)
      {
        if (!(i >= PROCESS && token == MEMLANE_JSON_NUMBER)
            && !expect (self, key, token, MEMLANE_JSON_STRING))
          return FALSE;
        g_string_truncate (record->texts[i], 0);
        g_string_append_len (record->texts[i], self->json.text, (gssize) self->json.length);
        return TRUE;
      }
  if (strcmp (key, "args") == 0 && token == MEMLANE_JSON_OBJECT)
    return read_members (self, read_argument);
  return memlane_json_pull_skip (&self->json, token);
}

static gboolean
read_record (Reader *self)
{
  Record *record = &self->record;

  if (++self->n_records > MEMLANE_TRACE_MOST_RECORDS)
    return memlane_json_pull_refuse (&self->json, "found more than %d records, expected fewer",
                                     MEMLANE_TRACE_MOST_RECORDS);
  record->phase = 0;
  record->event = (MemlaneTraceEvent) { .stream = MEMLANE_TRACE_NO_STREAM };
  record->has_time = record->has_duration = FALSE;
  for (guint i = 0; i < N_TEXTS; i++)
    g_string_truncate (record->texts[i], 0);
  return read_members (self, read_member) && finish_record (self);
}

static gboolean
read_records (Reader *self, const char *what, MemlaneJsonToken token)
{
  if (!expect (self, what, token, MEMLANE_JSON_ARRAY))
    return FALSE;
  self->has_events = TRUE;
  while ((token = memlane_json_pull_next (&self->json)) == MEMLANE_JSON_OBJECT)
    if (!read_record (self))
      return FALSE;
  return token == MEMLANE_JSON_ARRAY_END || expect (self, what, token, MEMLANE_JSON_OBJECT);
}

/* --- reading: the file ------------------------------------------------------------------------ */

static gboolean
read_file (Reader *self)
{
  MemlaneJsonToken token = memlane_json_pull_next (&self->json);

  if (token == MEMLANE_JSON_ERROR)
    return FALSE;
  if (token == MEMLANE_JSON_ARRAY) /* Chrome's other form: the list alone */
    {
      if (!read_records (self, "the list of events", token))
        return FALSE;
    }
  else
    {
      if (!expect (self, "the file", token, MEMLANE_JSON_OBJECT))
        return FALSE;
      while ((token = memlane_json_pull_next (&self->json)) == MEMLANE_JSON_KEY)
        {
          gboolean is_events = strcmp (self->json.text, "traceEvents") == 0,
                   is_info = strcmp (self->json.text, "otherData") == 0;
          gboolean is_devices = !self->is_ours && strcmp (self->json.text, "deviceProperties") == 0;

          token = memlane_json_pull_next (&self->json);
          if (is_events && self->has_events)
            return memlane_json_pull_refuse (&self->json, "a second traceEvents");
          if (is_events                                 ? !read_records (self, "traceEvents", token)
              : is_info && token == MEMLANE_JSON_OBJECT ? !read_members (self, read_info_member)
              : is_devices ? !read_devices (self, token)
                           : !memlane_json_pull_skip (&self->json, token))
            return FALSE;
        }
      if (token != MEMLANE_JSON_OBJECT_END)
        return FALSE;
      if (!self->has_events)
        return memlane_json_pull_refuse (&self->json,
                                         "found no traceEvents: that is JSON, but no trace");
    }
  return memlane_json_pull_next (&self->json) == MEMLANE_JSON_END;
}

/* A simulated device must not pass for a real one. */
static gboolean
check_device (Reader *self)
{
  const MemlaneTraceInfo *info = memlane_trace_builder_get_info (self->builder);
  const char *kind = info->simulated ? "simulated" : "cuda";

  if (info->device != NULL && !memlane_device_id_fits (info->device, kind))
    return memlane_json_pull_refuse (
        &self->json, "found the device %.80s and simulated %d, expected both to say the same",
        info->device, info->simulated);
  if (self->is_ours && info->device_kind != NULL && strcmp (info->device_kind, kind) != 0)
    return memlane_json_pull_refuse (
        &self->json, "found the device_kind %.80s and simulated %d, expected both to say the same",
        info->device_kind, info->simulated);
  return TRUE;
}

/* Closes spans without an end at their start. */
static void
close_open (Reader *self)
{
  guint never = 0;

  MEMLANE_FOR_EACH_ENTRY (self->open, track, value)
    for (guint i = 0; i < ((GArray *) value)->len; i++)
      {
        memlane_trace_builder_get_event (self->builder, g_array_index ((GArray *) value, guint, i))
            ->duration = 0;
        never++;
      }
  if (never > 0)
    memlane_trace_builder_add_note (self->builder, "%u event%s of the file begin%s and never end%s",
                                    never, never == 1 ? "" : "s", never == 1 ? "s" : "",
                                    never == 1 ? "s" : "");
}

static gboolean
complete_foreign (Reader *self)
{
  MemlaneTraceInfo *info = memlane_trace_builder_get_info (self->builder);
  gint64 shift, earliest = G_MAXINT64, latest = G_MININT64;
  guint copies = 0, unknown = 0;

  info->skipped += self->skipped;
  if (self->is_ours)
    return TRUE;
  for (guint i = 0; i < memlane_trace_builder_get_n_events (self->builder); i++)
    {
      const MemlaneTraceEvent *event = memlane_trace_builder_get_event (self->builder, i);

      earliest = MIN (earliest, event->start);
      latest = MAX (latest, event->start + event->duration);
      copies += event->kind == MEMLANE_TRACE_COPY;
      unknown += event->kind == MEMLANE_TRACE_COPY
                 && (event->bytes == 0 || event->source == MEMLANE_TRACE_MEMORY_UNKNOWN);
    }
  if (latest > earliest && (double) latest - (double) earliest >= (double) MEMLANE_TRACE_LATEST_NS)
    return memlane_json_pull_refuse (&self->json,
                                     "found times that lie %.0f years apart, expected at most 63",
                                     ((double) latest - (double) earliest) / (365.25 * 86400e9));
  if (copies > 0)
    memlane_trace_builder_add_note (
        self->builder,
        "the file does not tell which copies repeat the same bytes, nor from which line");
  if (unknown > 0)
    memlane_trace_builder_add_note (
        self->builder,
        "of %u of %u copies it does not tell the size or the kind of memory; they count as "
        "page-locked",
        unknown, copies);
  shift = memlane_trace_builder_begin_at_zero (self->builder);
  info->source = g_strdup ("Chrome trace");
  if (shift != 0)
    memlane_trace_builder_add_note (self->builder, "time 0 is %.3f us of the file",
                                    (double) shift / 1e3);
  if (self->skipped > 0)
    memlane_trace_builder_add_note (
        self->builder, "%" G_GUINT64_FORMAT " record%s of the file mean%s nothing to Memlane",
        self->skipped, self->skipped == 1 ? "" : "s", self->skipped == 1 ? "s" : "");
  return TRUE;
}

/* @json has been begun; it is cleared. */
static MemlaneTrace *
read_trace (MemlaneJsonPull json, GError **error)
{
  Reader self = { .builder = memlane_trace_builder_new (), .json = json };
  MemlaneTrace *trace = NULL;

  for (guint i = 0; i < N_TEXTS; i++)
    self.record.texts[i] = g_string_new (NULL);
  self.tracks = g_hash_table_new_full (memlane_hash_text, g_str_equal, g_free, NULL);
  self.open = g_hash_table_new_full (memlane_hash_number, NULL, NULL,
                                     (GDestroyNotify) g_array_unref);

  if (self.json.size > MEMLANE_TRACE_MOST_BYTES)
    memlane_json_pull_refuse (&self.json, "found more than %d MiB, expected a smaller trace",
                              MEMLANE_TRACE_MOST_BYTES >> 20);
  else if (read_file (&self) && check_device (&self))
    {
      close_open (&self);
      if (complete_foreign (&self))
        trace = memlane_trace_builder_finish (g_steal_pointer (&self.builder), error);
    }
  if (trace == NULL && (error == NULL || *error == NULL))
    {
      /* Every way here has set it; a bug must not become a crash of the caller. */
      memlane_json_pull_refuse (&self.json, "that is no trace");
      g_propagate_error (error, g_steal_pointer (&self.json.error));
    }

  memlane_trace_builder_free (self.builder);
  g_hash_table_unref (self.open);
  g_hash_table_unref (self.tracks);
  for (guint i = 0; i < N_TEXTS; i++)
    g_string_free (self.record.texts[i], TRUE);
  memlane_json_pull_clear (&self.json);
  return trace;
}

MemlaneTrace *
memlane_trace_read_json (const char *path, MemlaneTraceProgress progress, gpointer user_data,
                         GCancellable *cancellable, GError **error)
{
  g_autoptr (GInputStream) file = memlane_open_file (path, error);
  g_autoptr (GZlibDecompressor) decompressor = NULL;
  g_autoptr (GInputStream) stream = NULL;
  g_autofree char *shown = g_filename_display_name (path);
  MemlaneJsonPull json;
  guint8 magic[sizeof MEMLANE_NSYS_MAGIC + 1] = { 0 };
  struct stat info;
  guint64 size = 0;
  int fd;

  if (file == NULL)
    return NULL;
  fd = g_unix_input_stream_get_fd (G_UNIX_INPUT_STREAM (file));
  if (fstat (fd, &info) == 0 && S_ISREG (info.st_mode))
    size = (guint64) info.st_size;
  if (pread (fd, magic, sizeof MEMLANE_NSYS_MAGIC, 0) == sizeof MEMLANE_NSYS_MAGIC
      && memcmp (magic, MEMLANE_NSYS_MAGIC, sizeof MEMLANE_NSYS_MAGIC) == 0)
    return memlane_trace_read_nsys (path, progress, user_data, cancellable, error);
  if (g_str_has_prefix ((const char *) magic, TABLE_BEGIN))
    return memlane_refuse (error, "%s: found a table of runs, expected a trace", shown), NULL;
  if (magic[0] == 0x1f && magic[1] == 0x8b) /* as PyTorch's profiler writes it */
    {
      decompressor = g_zlib_decompressor_new (G_ZLIB_COMPRESSOR_FORMAT_GZIP);
      stream = g_converter_input_stream_new (file, G_CONVERTER (decompressor));
      size = 0;
    }
  memlane_json_pull_init (&json, stream != NULL ? stream : file, size, path, progress, user_data,
                          cancellable);
  return read_trace (json, error);
}

MemlaneTrace *
memlane_trace_parse (const char *text, gsize length, const char *name, GError **error)
{
  g_autoptr (GInputStream) stream = g_memory_input_stream_new_from_data (text, (gssize) length,
                                                                         NULL);
  MemlaneJsonPull json;

  memlane_json_pull_init (&json, stream, length, name, NULL, NULL, NULL);
  return read_trace (json, error);
}
