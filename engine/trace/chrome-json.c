/* chrome-read.c: Chrome trace JSON as a trace
 *
 * SPDX-License-Identifier: MIT
 */
#include "chrome-json.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <string.h>
#include <unistd.h>

#include "chrome-private.h"

#define LATEST_NS 2e18     /* 63 years; farther from 0 no clock goes, and sums stay in 64 bits */
#define NEVER_ENDED -1     /* the duration of a B without its E */

/* --- numbers ------------------------------------------------------------------------------------------------------------ */

/* Microseconds in text as whole nanoseconds. */
static gboolean
parse_time (MemlaneChromeReader *self, const char *what, gint64 *ns)
{
  const char *p = self->json.text;
  gboolean negative = *p == '-';
  guint64 value = 0;
  guint digits = 0, decimals = 0;

  p += negative;
  for (; g_ascii_isdigit (*p) && digits < 15; p++, digits++)
    value = value * 10 + (guint64) (*p - '0');
  if (*p == '.')
    for (p++; g_ascii_isdigit (*p) && decimals < 3; p++, decimals++)
      value = value * 10 + (guint64) (*p - '0');
  for (; decimals < 3; decimals++)
    value *= 10;
  if (*p != '\0')
    {
      double rough = g_ascii_strtod (self->json.text, NULL) * 1e3;

      if (!(fabs (rough) < LATEST_NS))
        return memlane_json_pull_refuse (&self->json, "%s: found %s, expected microseconds of this century", what, self->json.text);
      *ns = llround (rough);
      return TRUE;
    }
  *ns = negative ? -(gint64) value : (gint64) value;
  return TRUE;
}

/* --- records -------------------------------------------------------------------------------------------------------------- */

static const struct
{
  const char *category;
  MemlaneTraceKind kind;
} foreign_categories[] = {
  { "cuda_runtime", MEMLANE_TRACE_CALL },   { "cuda_driver", MEMLANE_TRACE_CALL }, { "Runtime", MEMLANE_TRACE_CALL },
  { "gpu_memcpy", MEMLANE_TRACE_COPY },     { "Memcpy", MEMLANE_TRACE_COPY },      { "gpu_memset", MEMLANE_TRACE_MEMSET },
  { "Memset", MEMLANE_TRACE_MEMSET },       { "Kernel", MEMLANE_TRACE_KERNEL },    { "gpu_kernel", MEMLANE_TRACE_KERNEL },
  { "cuda_sync", MEMLANE_TRACE_SYNCHRONISATION },
};

static gboolean
find_kind (const char *category, MemlaneTraceKind *kind)
{
  for (guint i = 0; i < MEMLANE_TRACE_N_KINDS; i++)
    if (strcmp (category, memlane_trace_kind_name (i)) == 0)
      {
        *kind = i;
        return TRUE;
      }
  for (guint i = 0; i < G_N_ELEMENTS (foreign_categories); i++)
    if (strcmp (category, foreign_categories[i].category) == 0)
      {
        *kind = foreign_categories[i].kind;
        return TRUE;
      }
  return FALSE;
}

/* Which way a foreign copy goes, by its name: "Memcpy HtoD (Pageable -> Device)", "[CUDA memcpy DtoH]". */
static void
guess_way (MemlaneTraceEvent *event, const char *name)
{
  static const struct
  {
    const char *text;
    MemlaneTraceWay way;
  } ways[] = { { "HtoD", MEMLANE_TRACE_WAY_TO_DEVICE }, { "DtoH", MEMLANE_TRACE_WAY_TO_HOST }, { "DtoD", MEMLANE_TRACE_WAY_ON_DEVICE },
               { "HtoH", MEMLANE_TRACE_WAY_ON_HOST }, { "PtoP", MEMLANE_TRACE_WAY_TO_PEER } };

  for (guint i = 0; i < G_N_ELEMENTS (ways); i++)
    if (strstr (name, ways[i].text) != NULL)
      event->way = (guint8) ways[i].way;
  if (strstr (name, "Pageable") != NULL)
    event->flags |= MEMLANE_TRACE_STAGED;
}

static guint32
find_track (MemlaneChromeReader *self)
{
  gpointer known;
  guint32 number;

  g_string_truncate (self->key, 0);
  g_string_append_len (self->key, self->record.process->str, (gssize) self->record.process->len);
  g_string_append_c (self->key, '/');
  g_string_append_len (self->key, self->record.thread->str, (gssize) self->record.thread->len);
  known = g_hash_table_lookup (self->tracks, self->key->str);
  if (known != NULL)
    return GPOINTER_TO_UINT (known) - 1;
  number = g_hash_table_size (self->tracks);
  g_hash_table_insert (self->tracks, g_strdup (self->key->str), GUINT_TO_POINTER (number + 1));
  if (!self->is_ours)
    {
      g_autofree char *title = g_strdup_printf ("process %.60s, thread %.60s", self->record.process->str, self->record.thread->str);

      memlane_trace_builder_name_track (self->builder, number, title);
    }
  return number;
}

static gboolean
end_open (MemlaneChromeReader *self, guint32 track)
{
  GArray *open = g_hash_table_lookup (self->open, GUINT_TO_POINTER (track));
  MemlaneTraceEvent *event;

  if (open == NULL || open->len == 0)
    {
      self->skipped++; /* its beginning is not in the file */
      return TRUE;
    }
  event = memlane_trace_builder_get_event (self->builder, g_array_index (open, guint, open->len - 1));
  g_array_set_size (open, open->len - 1);
  event->duration = self->record.event.start - event->start;
  return event->duration >= 0 || memlane_json_pull_refuse (&self->json, "the event ends before it starts");
}

static gboolean
add_event (MemlaneChromeReader *self)
{
  MemlaneChromeRecord *record = &self->record;
  MemlaneTraceEvent *event = &record->event;
  MemlaneTraceKind kind = MEMLANE_TRACE_OTHER;
  gboolean known = find_kind (record->category->str, &kind);
  guint32 track = 0;

  if (self->is_ours && !known)
    return memlane_json_pull_refuse (&self->json, "cat: found \"%.60s\", expected a kind of event", record->category->str);
  if (!self->is_ours && !known && g_str_has_prefix (record->name->str, "[CUDA mem"))
    {
      kind = g_str_has_prefix (record->name->str, "[CUDA memset") ? MEMLANE_TRACE_MEMSET : MEMLANE_TRACE_COPY;
      known = TRUE;
    }
  event->kind = (guint8) kind;
  if (!self->is_ours && kind == MEMLANE_TRACE_COPY)
    guess_way (event, record->name->str);
  if (!self->is_ours && (kind == MEMLANE_TRACE_OTHER || record->phase == 'B'))
    {
      track = find_track (self);
      if (kind == MEMLANE_TRACE_OTHER)
        event->stream = track;
    }
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
  event->name = memlane_trace_builder_intern (self->builder, record->name->str, (gssize) record->name->len);
  return memlane_trace_builder_add (self->builder, event, &self->json.error);
}

static gboolean
finish_record (MemlaneChromeReader *self)
{
  MemlaneChromeRecord *record = &self->record;

  switch (record->phase)
    {
    case 'X':
      if (!record->has_duration)
        return memlane_json_pull_refuse (&self->json, "an event of phase X without dur");
      if (record->event.duration < 0)
        return memlane_json_pull_refuse (&self->json, "the event ends before it starts: dur is negative");
      G_GNUC_FALLTHROUGH;
    case 'B':
    case 'i':
    case 'I':
    case 'E':
      if (!record->has_time)
        return memlane_json_pull_refuse (&self->json, "an event of phase %c without ts", record->phase);
      return record->phase == 'E' ? end_open (self, find_track (self)) : add_event (self);
    case 'M':
      if (!self->is_ours && strcmp (record->name->str, "thread_name") == 0 && record->title->len > 0)
        memlane_trace_builder_name_track (self->builder, find_track (self), record->title->str);
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

static gboolean
find_word (const char *word, const char *(*name_of) (guint value), guint n, guint8 *value)
{
  for (guint i = 0; i < n; i++)
    if (strcmp (word, name_of (i)) == 0)
      {
        *value = (guint8) i;
        return TRUE;
      }
  return FALSE;
}

static const char *
way_name (guint value)
{
  return memlane_trace_way_name (value);
}

static const char *
memory_name (guint value)
{
  return memlane_trace_memory_name (value);
}

/* What an argument is; the rest is of no interest. */
static gboolean
read_argument (MemlaneChromeReader *self, const char *key, MemlaneJsonToken token)
{
  static const struct
  {
    const char *key;
    guint64 most;
  } numbers[] = { { "bytes", G_MAXUINT64 }, { "stream", G_MAXUINT32 - 1 }, { "correlation", G_MAXUINT32 }, { "count", G_MAXUINT32 },
                  { "flags", 0xff } };
  MemlaneTraceEvent *event = &self->record.event;
  guint64 *bytes = &event->bytes, value;
  guint32 *const places[] = { NULL, &event->stream, &event->correlation, &event->count, NULL };
  gboolean is_way, is_source;

  for (guint i = 0; i < G_N_ELEMENTS (numbers); i++)
    if (strcmp (key, numbers[i].key) == 0)
      {
        if (!self->is_ours && (token != MEMLANE_JSON_NUMBER || i >= 3 || *self->json.text == '-'))
          return memlane_json_pull_skip (&self->json, token); /* another program's meaning */
        if (!memlane_chrome_parse_count (self, key, token, numbers[i].most, &value))
          return FALSE;
        if (i == 0)
          *bytes = value;
        else if (places[i] != NULL)
          *places[i] = (guint32) value;
        else
          event->flags = (guint8) value;
        return TRUE;
      }
  if (token == MEMLANE_JSON_STRING && strcmp (key, "name") == 0)
    {
      g_string_assign (self->record.title, self->json.text);
      return TRUE;
    }
  is_way = strcmp (key, "way") == 0;
  is_source = strcmp (key, "from") == 0;
  if (!self->is_ours || (!is_way && !is_source && strcmp (key, "to") != 0))
    return memlane_json_pull_skip (&self->json, token);
  if (!memlane_chrome_expect (self, is_way ? "way" : is_source ? "from" : "to", token, MEMLANE_JSON_STRING))
    return FALSE;
  if (is_way ? find_word (self->json.text, way_name, MEMLANE_TRACE_N_WAYS, &event->way)
             : find_word (self->json.text, memory_name, MEMLANE_TRACE_N_MEMORIES, is_source ? &event->source : &event->destination))
    return TRUE;
  return memlane_json_pull_refuse (&self->json, "%s: found \"%.60s\", expected %s", is_way ? "way" : is_source ? "from" : "to",
                                   self->json.text, is_way ? "a direction" : "a kind of memory");
}

static gboolean
read_arguments (MemlaneChromeReader *self, MemlaneJsonToken token)
{
  char key[16];

  if (token != MEMLANE_JSON_OBJECT)
    return memlane_json_pull_skip (&self->json, token);
  while ((token = memlane_json_pull_next (&self->json)) == MEMLANE_JSON_KEY)
    {
      g_strlcpy (key, self->json.length < sizeof key ? self->json.text : "", sizeof key);
      if (!read_argument (self, key, memlane_json_pull_next (&self->json)))
        return FALSE;
    }
  return token == MEMLANE_JSON_OBJECT_END;
}

/* A process or a thread: a number or a string. */
static gboolean
read_identity (MemlaneChromeReader *self, GString *into, const char *what, MemlaneJsonToken token)
{
  if (token != MEMLANE_JSON_NUMBER && !memlane_chrome_expect (self, what, token, MEMLANE_JSON_STRING))
    return FALSE;
  g_string_truncate (into, 0);
  g_string_append_len (into, self->json.text, (gssize) self->json.length);
  return TRUE;
}

static gboolean
read_member (MemlaneChromeReader *self, const char *key, MemlaneJsonToken token)
{
  MemlaneChromeRecord *record = &self->record;

  if (strcmp (key, "ph") == 0)
    {
      if (!memlane_chrome_expect (self, "ph", token, MEMLANE_JSON_STRING))
        return FALSE;
      record->phase = self->json.length == 1 ? *self->json.text : '?';
      return TRUE;
    }
  if (strcmp (key, "ts") == 0)
    {
      record->has_time = TRUE;
      return memlane_chrome_expect (self, "ts", token, MEMLANE_JSON_NUMBER) && parse_time (self, "ts", &record->event.start);
    }
  if (strcmp (key, "dur") == 0)
    {
      record->has_duration = TRUE;
      return memlane_chrome_expect (self, "dur", token, MEMLANE_JSON_NUMBER) && parse_time (self, "dur", &record->event.duration);
    }
  if (strcmp (key, "name") == 0 || strcmp (key, "cat") == 0)
    {
      GString *into = *key == 'n' ? record->name : record->category;

      if (!memlane_chrome_expect (self, key, token, MEMLANE_JSON_STRING))
        return FALSE;
      g_string_truncate (into, 0);
      g_string_append_len (into, self->json.text, (gssize) self->json.length);
      return TRUE;
    }
  if (strcmp (key, "pid") == 0)
    return read_identity (self, record->process, "pid", token);
  if (strcmp (key, "tid") == 0)
    return read_identity (self, record->thread, "tid", token);
  if (strcmp (key, "args") == 0)
    return read_arguments (self, token);
  return memlane_json_pull_skip (&self->json, token);
}

static gboolean
read_record (MemlaneChromeReader *self)
{
  MemlaneChromeRecord *record = &self->record;
  MemlaneJsonToken token;
  char key[8];

  record->phase = 0;
  record->event = (MemlaneTraceEvent) { .stream = MEMLANE_TRACE_NO_STREAM };
  record->has_time = record->has_duration = FALSE;
  g_string_truncate (record->name, 0);
  g_string_truncate (record->category, 0);
  g_string_truncate (record->title, 0);
  g_string_truncate (record->process, 0);
  g_string_truncate (record->thread, 0);
  while ((token = memlane_json_pull_next (&self->json)) == MEMLANE_JSON_KEY)
    {
      g_strlcpy (key, self->json.length < sizeof key ? self->json.text : "", sizeof key);
      if (!read_member (self, key, memlane_json_pull_next (&self->json)))
        return FALSE;
    }
  return token == MEMLANE_JSON_OBJECT_END && finish_record (self);
}

static gboolean
read_records (MemlaneChromeReader *self, MemlaneJsonToken token)
{
  if (!memlane_chrome_expect (self, "traceEvents", token, MEMLANE_JSON_ARRAY))
    return FALSE;
  self->has_events = TRUE;
  while ((token = memlane_json_pull_next (&self->json)) == MEMLANE_JSON_OBJECT)
    if (!read_record (self))
      return FALSE;
  return token == MEMLANE_JSON_ARRAY_END || memlane_chrome_expect (self, "traceEvents", token, MEMLANE_JSON_OBJECT);
}

/* --- the file ---------------------------------------------------------------------------------------------------------- */

static gboolean
read_file (MemlaneChromeReader *self)
{
  MemlaneJsonToken token = memlane_json_pull_next (&self->json);

  if (token == MEMLANE_JSON_ERROR)
    return FALSE;
  if (token == MEMLANE_JSON_ARRAY) /* Chrome's other form: the list alone */
    {
      self->has_events = TRUE;
      while ((token = memlane_json_pull_next (&self->json)) == MEMLANE_JSON_OBJECT)
        if (!read_record (self))
          return FALSE;
      if (token != MEMLANE_JSON_ARRAY_END)
        return memlane_chrome_expect (self, "the list of events", token, MEMLANE_JSON_OBJECT);
    }
  else
    {
      if (!memlane_chrome_expect (self, "the file", token, MEMLANE_JSON_OBJECT))
        return FALSE;
      while ((token = memlane_json_pull_next (&self->json)) == MEMLANE_JSON_KEY)
        {
          gboolean is_events = strcmp (self->json.text, "traceEvents") == 0, is_info = strcmp (self->json.text, "otherData") == 0;

          token = memlane_json_pull_next (&self->json);
          if (is_events && self->has_events)
            return memlane_json_pull_refuse (&self->json, "a second traceEvents");
          if (is_events ? !read_records (self, token)
              : is_info ? !memlane_chrome_read_info (self, token) : !memlane_json_pull_skip (&self->json, token))
            return FALSE;
        }
      if (token != MEMLANE_JSON_OBJECT_END)
        return FALSE;
      if (!self->has_events)
        return memlane_json_pull_refuse (&self->json, "found no traceEvents: that is JSON, but no trace");
    }
  return memlane_json_pull_next (&self->json) == MEMLANE_JSON_END;
}

/* Whatever is still open ends where it began: nobody knows better. */
static void
close_open (MemlaneChromeReader *self)
{
  GHashTableIter iter;
  gpointer value;
  guint never = 0;

  g_hash_table_iter_init (&iter, self->open);
  while (g_hash_table_iter_next (&iter, NULL, &value))
    for (guint i = 0; i < ((GArray *) value)->len; i++)
      {
        memlane_trace_builder_get_event (self->builder, g_array_index ((GArray *) value, guint, i))->duration = 0;
        never++;
      }
  if (never > 0)
    memlane_trace_builder_add_note (self->builder, "%u event%s of the file begin%s and never end%s", never, never == 1 ? "" : "s",
                                    never == 1 ? "s" : "", never == 1 ? "s" : "");
}

static void
complete_foreign (MemlaneChromeReader *self)
{
  MemlaneTraceInfo *info = memlane_trace_builder_get_info (self->builder);
  gint64 shift;

  info->skipped += self->skipped;
  if (self->is_ours)
    return;
  shift = memlane_trace_builder_begin_at_zero (self->builder);
  info->source = g_strdup ("Chrome trace");
  if (shift != 0)
    memlane_trace_builder_add_note (self->builder, "time 0 is %.3f us of the file", (double) shift / 1e3);
  if (self->skipped > 0)
    memlane_trace_builder_add_note (self->builder, "%" G_GUINT64_FORMAT " record%s of the file mean%s nothing to Memlane", self->skipped,
                                    self->skipped == 1 ? "" : "s", self->skipped == 1 ? "s" : "");
}

MemlaneTrace *
memlane_trace_read_json (const char *path, MemlaneTraceProgress progress, gpointer user_data, GCancellable *cancellable, GError **error)
{
  MemlaneChromeReader self = { .builder = memlane_trace_builder_new () };
  MemlaneChromeRecord *record = &self.record;
  MemlaneTrace *trace = NULL;
  int fd = open (path, O_RDONLY | O_CLOEXEC);

  if (fd < 0)
    {
      g_autofree char *shown = g_filename_display_name (path);

      g_set_error (error, MEMLANE_FILE_ERROR, MEMLANE_FILE_ERROR_IO, "cannot read %s: %s", shown, g_strerror (errno));
      memlane_trace_builder_free (self.builder);
      return NULL;
    }
  memlane_json_pull_init (&self.json, fd, path, progress, user_data, cancellable);
  record->name = g_string_new (NULL);
  record->category = g_string_new (NULL);
  record->title = g_string_new (NULL);
  record->process = g_string_new (NULL);
  record->thread = g_string_new (NULL);
  self.key = g_string_new (NULL);
  self.tracks = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  self.open = g_hash_table_new_full (NULL, NULL, NULL, (GDestroyNotify) g_array_unref);

  if (read_file (&self))
    {
      close_open (&self);
      complete_foreign (&self);
      trace = memlane_trace_builder_finish (g_steal_pointer (&self.builder), error);
    }
  else
    {
      /* Every way here has set it; a bug must not become a crash of the caller. */
      if (self.json.error == NULL)
        memlane_json_pull_refuse (&self.json, "that is no trace");
      g_propagate_error (error, g_steal_pointer (&self.json.error));
    }

  memlane_trace_builder_free (self.builder);
  g_hash_table_unref (self.open);
  g_hash_table_unref (self.tracks);
  g_string_free (self.key, TRUE);
  g_string_free (record->name, TRUE);
  g_string_free (record->category, TRUE);
  g_string_free (record->title, TRUE);
  g_string_free (record->process, TRUE);
  g_string_free (record->thread, TRUE);
  memlane_json_pull_clear (&self.json);
  close (fd);
  return trace;
}
