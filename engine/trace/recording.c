/* recording.c: a recorded program as a trace
 *
 * SPDX-License-Identifier: MIT
 *
 * Three passes over the file in memory: names and places, then what a call's place says of it, then
 * the events.
 */
#include <string.h>

#include <glib/gstdio.h>

#include "base/each.h"
#include "base/fail.h"
#include "base/hash.h"
#include "base/reader-limits.h"
#include "builder.h"
#include "record.h"

#define NVTX_TRACK 1
#define MOST_FRAMES 16
#define MOST_SITES 4096
#define MOST_LOOKED_UP 4000 /* places in one object: a command line */
/* addr2line takes seconds for larger ones, which are libraries of others */
#define LARGEST_OBJECT (64 << 20)

/* A place of the program that calls CUDA. */
typedef struct
{
  guint32 site;
  guint64 bytes, address;
  gboolean is_repeated;
} Place;

typedef struct
{
  const char *path;
  const MemlaneRecord *records;
  gsize n;
  GHashTable *names;     /* number -> text (owned) */
  GHashTable *sites;     /* number -> text: frames; then the place in words */
  GHashTable *places;    /* correlation -> Place */
  GHashTable *ranges;    /* number -> MemlaneRecord of its beginning */
  GHashTable *buffers;   /* of all files: address -> number */
  MemlaneTraceBuilder *builder;
  guint32 first_correlation;
  gboolean is_whole;
} File;

/* --- texts ------------------------------------------------------------------------------------ */

/* (transfer full): the text behind @record, which is whole. */
static char *
read_text (const MemlaneRecord *record)
{
  g_autofree char *text = g_strndup ((const char *) (record + 1), (gsize) record->bytes);

  return g_utf8_make_valid (text, -1);
}

static gboolean
refuse (const File *self, gsize index, const char *why, GError **error)
{
  return memlane_refuse (error, "%s: record %" G_GSIZE_FORMAT ": %s", self->path, index, why);
}

/* Cuts the file behind its last whole text, and gathers the texts. */
static gboolean
read_texts (File *self, GError **error)
{
  for (gsize i = 0; i < self->n; i += memlane_record_span (&self->records[i]))
    {
      const MemlaneRecord *record = &self->records[i];
      g_autofree char *text = NULL;

      if ((i == 0) != (record->type == MEMLANE_RECORD_HEADER)
          || (i == 0 && record->address != MEMLANE_RECORD_MAGIC))
        return refuse (self, i, "expected a recording of memlane-cli advise", error);
      if (record->type == 0 || record->type > MEMLANE_RECORD_TRIAL)
        return refuse (self, i, "found an unknown kind of record", error);
      if (memlane_record_has_text (record) && record->bytes > G_MAXUINT16)
        return refuse (self, i, "found a text that is too long", error);
      if (memlane_record_span (record) > self->n - i)
        {
          self->n = i; /* torn */
          return TRUE;
        }
      text = memlane_record_has_text (record) ? read_text (record) : NULL;
      if (record->type == MEMLANE_RECORD_NOTE)
        memlane_trace_builder_add_note (self->builder, "%s", text);
      else if (record->type == MEMLANE_RECORD_NAME)
        g_hash_table_insert (self->names, GUINT_TO_POINTER (record->name), g_steal_pointer (&text));
      else if (record->type == MEMLANE_RECORD_SITE && g_hash_table_size (self->sites) < MOST_SITES)
        g_hash_table_insert (self->sites, GUINT_TO_POINTER (record->name), g_steal_pointer (&text));
      else if (record->type == MEMLANE_RECORD_DEVICE)
        memlane_trace_builder_add_device (self->builder, text);
      else if (record->type == MEMLANE_RECORD_RANGE && record->count == 1)
        g_hash_table_insert (self->ranges, GUINT_TO_POINTER (record->correlation),
                             (gpointer) record);
      else if (record->type == MEMLANE_RECORD_END)
        self->is_whole = TRUE;
    }
  return TRUE;
}

/* --- places in words -------------------------------------------------------------------------- */

/* A library of CUDA's, the recorder, or the C library, which calls main(). */
static gboolean
is_no_program (const char *object)
{
  static const char *const names[] = { "libcuda", "libcupti", "memlane-recorder",
                                       "libc.so", "libc-",    "ld-linux" };
  g_autofree char *base = g_path_get_basename (object);

  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    if (g_str_has_prefix (base, names[i]))
      return TRUE;
  return FALSE;
}

/* A function of CUDA's runtime within the program itself, where it is linked statically. */
static gboolean
is_of_runtime (const char *function)
{
  return g_str_has_prefix (function, "cuda") || g_str_has_prefix (function, "__cuda")
         || g_str_has_prefix (function, "libcudart") || g_str_has_prefix (function, "??");
}

/* (transfer full) (nullable): function and file:line of each of @offsets in @object, two lines
 * each. */
static char **
look_up (const char *object, GPtrArray *offsets)
{
  g_autoptr (GPtrArray) words = g_ptr_array_new ();
  g_autofree char *program = g_find_program_in_path ("addr2line"), *output = NULL;
  GStatBuf info;

  if (program == NULL || g_stat (object, &info) != 0 || !S_ISREG (info.st_mode)
      || info.st_size > LARGEST_OBJECT)
    return NULL;
  g_ptr_array_add (words, program);
  g_ptr_array_add (words, (gpointer) "-Cfe");
  g_ptr_array_add (words, (gpointer) object);
  MEMLANE_FOR_EACH (char, offset, offsets)
    g_ptr_array_add (words, offset);
  g_ptr_array_add (words, NULL);
  if (!g_spawn_sync (NULL, (char **) words->pdata, NULL, G_SPAWN_STDERR_TO_DEV_NULL, NULL, NULL,
                     &output, NULL, NULL, NULL))
    return NULL;
  return g_strsplit (output, "\n", -1);
}

/* @lines: frame ("OBJECT+0xOFFSET") -> "FUNCTION\nFILE:LINE". */
static void
look_up_frames (GHashTable *objects, GHashTable *lines)
{
  MEMLANE_FOR_EACH_ENTRY (objects, object, offsets)
    {
      GPtrArray *list = offsets;
      g_auto (GStrv) found = look_up (object, list);
      guint n = found != NULL ? g_strv_length (found) : 0;

      for (guint i = 0; i < list->len && 2 * i + 1 < n; i++)
        g_hash_table_insert (lines,
                             g_strdup_printf ("%s+%s", (char *) object, (char *) list->pdata[i]),
                             g_strdup_printf ("%s\n%s", found[2 * i], found[2 * i + 1]));
    }
}

/* (transfer full): "main.cu:42", else "solve()", else "program+0x123"; of the innermost frame that
 * is not CUDA's. */
static char *
describe_site (const char *frames, GHashTable *lines)
{
  g_auto (GStrv) list = g_strsplit (frames, "\n", MOST_FRAMES);
  g_autofree char *function_alone = NULL, *offset_alone = NULL;

  if (list[0] != NULL && g_str_has_prefix (list[0], MEMLANE_SITE_PYTHON))
    return g_path_get_basename (list[0] + strlen (MEMLANE_SITE_PYTHON));
  for (guint i = 0; list[i] != NULL && *list[i] != '\0'; i++)
    {
      const char *line = g_hash_table_lookup (lines, list[i]), *plus = strrchr (list[i], '+');
      const char *place = line != NULL ? strchr (line, '\n') : NULL;
      g_autofree char *object = plus != NULL ? g_strndup (list[i], (gsize) (plus - list[i]))
                                             : g_strdup (list[i]);
      g_autofree char *function = place != NULL ? g_strndup (line, (gsize) (place - line))
                                                : g_strdup ("");

      if (is_no_program (object) || is_of_runtime (function))
        continue;
      if (place != NULL && place[1] != '?' && !g_str_has_suffix (place, ":?"))
        {
          g_autofree char *base = g_path_get_basename (place + 1);
          char *discriminator = strstr (base, " (");

          if (discriminator != NULL)
            *discriminator = '\0';
          if (!g_str_has_prefix (base, "cuda_runtime")) /* its templates call for the program */
            return g_steal_pointer (&base);
        }
      else if (function_alone == NULL && *function != '\0' && *function != '?')
        {
          char *arguments = strchr (function, '(');

          if (arguments != NULL)
            *arguments = '\0';
          function_alone = g_strdup_printf ("%.60s()", function);
        }
      else if (offset_alone == NULL)
        {
          g_autofree char *base = g_path_get_basename (object);

          offset_alone = g_strdup_printf ("%s%s", base, plus != NULL ? plus : "");
        }
    }
  return function_alone != NULL ? g_steal_pointer (&function_alone)
                                : g_steal_pointer (&offset_alone);
}

/* Replaces the frames of each place by words. */
static void
describe_sites (File *self)
{
  g_autoptr (GHashTable) objects = g_hash_table_new_full (memlane_hash_text, g_str_equal, g_free,
                                                          (GDestroyNotify) g_ptr_array_unref);
  g_autoptr (GHashTable) lines = g_hash_table_new_full (memlane_hash_text, g_str_equal, g_free,
                                                        g_free);
  GHashTableIter iter;
  gpointer place;

  MEMLANE_FOR_EACH_ENTRY (self->sites, number, frames)
    {
      g_auto (GStrv) list = g_strsplit (frames, "\n", MOST_FRAMES);

      for (guint i = 0; list[i] != NULL; i++)
        {
          char *plus = strrchr (list[i], '+');
          GPtrArray *offsets;

          if (plus == NULL || g_str_has_prefix (list[i], MEMLANE_SITE_PYTHON))
            continue;
          *plus = '\0';
          offsets = g_hash_table_lookup (objects, list[i]);
          if (offsets == NULL)
            g_hash_table_insert (objects, g_strdup (list[i]),
                                 offsets = g_ptr_array_new_with_free_func (g_free));
          if (offsets->len < MOST_LOOKED_UP)
            g_ptr_array_add (offsets, g_strdup (plus + 1));
        }
    }
  look_up_frames (objects, lines);
  g_hash_table_iter_init (&iter, self->sites);
  while (g_hash_table_iter_next (&iter, NULL, &place))
    g_hash_table_iter_replace (&iter, describe_site (place, lines));
}

/* --- what is known of a call's memory --------------------------------------------------------- */

/* The copies of a buffer in a row that look alike. */
typedef struct
{
  guint64 address, bytes, sample;
  guint64 whole;      /* the hash of all bytes of the last copy that has one; 0: none yet */
  GPtrArray *waiting; /* (element-type Place): copies since then */
} Alike;

static void
alike_free (gpointer data)
{
  Alike *alike = data;

  g_ptr_array_unref (alike->waiting);
  g_free (alike);
}

/* A copy is repeated if it lies between two whose bytes are all the same, and its sample is,
 * too. */
static void
read_hashes (GHashTable *hashes, const MemlaneRecord *record, Place *place)
{
  Alike *alike = g_hash_table_lookup (hashes, &record->address);

  if (alike == NULL)
    {
      alike = g_new0 (Alike, 1);
      alike->waiting = g_ptr_array_new ();
      alike->address = record->address;
      g_hash_table_insert (hashes, &alike->address, alike);
    }
  if (alike->sample != record->hash || alike->bytes != record->bytes)
    {
      alike->sample = record->hash;
      alike->bytes = record->bytes;
      alike->whole = 0;
      g_ptr_array_set_size (alike->waiting, 0);
    }
  g_ptr_array_add (alike->waiting, place);
  if (record->start == 0)
    return;
  for (guint i = 0; alike->whole == record->start && i < alike->waiting->len; i++)
    ((Place *) alike->waiting->pdata[i])->is_repeated = TRUE;
  alike->whole = record->start;
  g_ptr_array_set_size (alike->waiting, 0);
}

static void
read_places (File *self)
{
  g_autoptr (GHashTable) hashes
      = g_hash_table_new_full (memlane_hash_int64, g_int64_equal, NULL, alike_free);

  for (gsize i = 0; i < self->n; i += memlane_record_span (&self->records[i]))
    {
      const MemlaneRecord *record = &self->records[i];
      Place *place;

      if (record->type != MEMLANE_RECORD_PLACE
          || g_hash_table_contains (self->places, GUINT_TO_POINTER (record->correlation)))
        continue;
      place = g_new (Place, 1);
      *place = (Place) { .site = record->name, .bytes = record->bytes, .address = record->address };
      if (record->hash != 0)
        read_hashes (hashes, record, place);
      if (record->address != 0 && !g_hash_table_contains (self->buffers, &record->address))
        g_hash_table_insert (self->buffers, g_memdup2 (&record->address, sizeof record->address),
                             GUINT_TO_POINTER (g_hash_table_size (self->buffers) + 1));
      g_hash_table_insert (self->places, GUINT_TO_POINTER (record->correlation), place);
    }
}

/* --- events ----------------------------------------------------------------------------------- */

static const guint8 kinds[G_MAXUINT8 + 1] = {
  /* CALL: the others */
  [MEMLANE_RECORD_COPY] = MEMLANE_TRACE_COPY,
  [MEMLANE_RECORD_MEMSET] = MEMLANE_TRACE_MEMSET,
  [MEMLANE_RECORD_KERNEL] = MEMLANE_TRACE_KERNEL,
  [MEMLANE_RECORD_SYNCHRONISATION] = MEMLANE_TRACE_SYNCHRONISATION,
  [MEMLANE_RECORD_MIGRATION] = MEMLANE_TRACE_MIGRATION,
  [MEMLANE_RECORD_FAULT] = MEMLANE_TRACE_FAULT,
};

static void
complete_copy (const File *self, const MemlaneRecord *record, const Place *place,
               MemlaneTraceEvent *event)
{
  gboolean crosses = event->way == MEMLANE_TRACE_WAY_TO_DEVICE
                     || event->way == MEMLANE_TRACE_WAY_TO_HOST;

  if (crosses
      && (event->source == MEMLANE_TRACE_MEMORY_PAGEABLE
          || event->destination == MEMLANE_TRACE_MEMORY_PAGEABLE))
    event->flags |= MEMLANE_TRACE_STAGED;
  if (record->count != 0)
    event->flags |= MEMLANE_TRACE_ASYNC;
  if (crosses && place != NULL && place->is_repeated)
    event->flags |= MEMLANE_TRACE_REPEATED;
  event->count = crosses && place != NULL
                     ? GPOINTER_TO_UINT (g_hash_table_lookup (self->buffers, &place->address))
                     : 0;
}

static gboolean
add_event (File *self, const MemlaneRecord *record, GError **error)
{
  const Place *place = g_hash_table_lookup (self->places, GUINT_TO_POINTER (record->correlation));
  const char *site = place != NULL
                         ? g_hash_table_lookup (self->sites, GUINT_TO_POINTER (place->site))
                         : NULL;
  const char *recorded = g_hash_table_lookup (self->names, GUINT_TO_POINTER (record->name));
  g_autofree char *name = memlane_trace_plain_name (recorded != NULL ? recorded : ""), *full = NULL;
  MemlaneTraceEvent event = {
    .start = (gint64) record->start,
    .duration = (gint64) (record->end - record->start),
    .bytes = record->bytes,
    .correlation = record->correlation != 0 ? self->first_correlation + record->correlation : 0,
    .stream = record->stream,
    .kind = kinds[record->type],
    .way = record->way,
    .source = record->source,
    .destination = record->destination,
  };

  if (event.kind == MEMLANE_TRACE_CALL)
    {
      event.stream = MEMLANE_TRACE_NO_STREAM;
      event.count = record->thread;
      event.bytes = place != NULL && event.bytes == 0 ? place->bytes : event.bytes;
      event.flags = record->count != 0 ? MEMLANE_TRACE_FAILED : 0;
      full = site != NULL ? g_strdup_printf ("%s (%s)", name, site) : NULL;
    }
  else if (event.kind == MEMLANE_TRACE_COPY)
    complete_copy (self, record, place, &event);
  else if (event.kind == MEMLANE_TRACE_SYNCHRONISATION)
    {
      event.flags = record->count != 0 ? MEMLANE_TRACE_ON_DEVICE : 0;
      event.stream = record->stream == G_MAXUINT32 ? MEMLANE_TRACE_NO_STREAM : record->stream;
    }
  else if (event.kind == MEMLANE_TRACE_MIGRATION || event.kind == MEMLANE_TRACE_FAULT)
    {
      event.stream = MEMLANE_TRACE_NO_STREAM;
      event.source = event.destination = MEMLANE_TRACE_MEMORY_MANAGED;
      event.correlation = 0;
      if (event.kind == MEMLANE_TRACE_FAULT)
        event.count = record->count;
      event.flags = event.kind == MEMLANE_TRACE_MIGRATION
                        ? (record->count != 0 ? MEMLANE_TRACE_PREFETCHED : 0)
                    : record->way == MEMLANE_TRACE_WAY_TO_DEVICE ? MEMLANE_TRACE_ON_DEVICE
                                                                 : 0;
    }
  event.name = memlane_trace_builder_intern (self->builder, full != NULL ? full : name, -1);
  return memlane_trace_builder_add (self->builder, &event, error);
}

static gboolean
add_range (File *self, const MemlaneRecord *end, GError **error)
{
  const MemlaneRecord *begin = g_hash_table_lookup (self->ranges,
                                                    GUINT_TO_POINTER (end->correlation));
  g_autofree char *name = begin != NULL ? read_text (begin) : NULL;
  MemlaneTraceEvent event = { .kind = MEMLANE_TRACE_OTHER, .stream = NVTX_TRACK };

  if (begin == NULL || begin->start == 0 || end->start < begin->start
      || end->start >= MEMLANE_TRACE_LATEST_NS)
    return TRUE; /* it began before the recording */
  event.start = (gint64) begin->start;
  event.duration = (gint64) (end->start - begin->start);
  event.name = memlane_trace_builder_intern (self->builder, name, -1);
  return memlane_trace_builder_add (self->builder, &event, error);
}

/* Whether an event of a record has times and enums that a trace can hold. */
static gboolean
is_sound (const MemlaneRecord *record)
{
  return record->start > 0 && record->end >= record->start && record->end < MEMLANE_TRACE_LATEST_NS
         && record->way < MEMLANE_TRACE_N_WAYS && record->source < MEMLANE_TRACE_N_MEMORIES
         && record->destination < MEMLANE_TRACE_N_MEMORIES;
}

static gboolean
read_events (File *self, guint32 *last_correlation, GError **error)
{
  MemlaneTraceInfo *info = memlane_trace_builder_get_info (self->builder);
  const char *failed = NULL;
  guint n_failed = 0;

  for (gsize i = 0; i < self->n; i += memlane_record_span (&self->records[i]))
    {
      const MemlaneRecord *record = &self->records[i];

      if (record->type == MEMLANE_RECORD_DROPPED)
        info->dropped += record->bytes;
      if (record->type == MEMLANE_RECORD_RANGE && record->count == 2
          && !add_range (self, record, error))
        return FALSE;
      if (record->type < MEMLANE_RECORD_CALL || record->type == MEMLANE_RECORD_PLACE
          || record->type >= MEMLANE_RECORD_DROPPED)
        continue;
      *last_correlation = MAX (*last_correlation, self->first_correlation + record->correlation);
      if (record->type == MEMLANE_RECORD_CALL && record->count != 0 && n_failed++ == 0)
        failed = g_hash_table_lookup (self->names, GUINT_TO_POINTER (record->name));
      if (!is_sound (record))
        info->dropped++; /* CUPTI could not time it */
      else if (memlane_trace_builder_get_n_events (self->builder) >= MEMLANE_RECORDING_MOST_EVENTS)
        return refuse (self, i,
                       "found too many events; record a part of the program with --for SECONDS",
                       error);
      else if (!add_event (self, record, error))
        return FALSE;
    }
  if (n_failed > 0)
    memlane_trace_builder_add_note (
        self->builder,
        "%u calls of CUDA failed in the program, the first of them %s: what they were to do is "
        "missing; run it with compute-sanitizer",
        n_failed, failed != NULL ? failed : "unknown");
  return TRUE;
}

/* --- files ------------------------------------------------------------------------------------ */

static gboolean
read_file (File *self, guint32 *last_correlation, GError **error)
{
  g_autoptr (GError) problem = NULL;
  g_autoptr (GMappedFile) mapped = g_mapped_file_new (self->path, FALSE, &problem);

  if (mapped == NULL)
    return memlane_fail_io (error, "%s", problem->message);
  self->records = (const MemlaneRecord *) (gconstpointer) g_mapped_file_get_contents (mapped);
  self->n = g_mapped_file_get_length (mapped) / sizeof *self->records;
  if (!read_texts (self, error))
    return FALSE;
  describe_sites (self);
  read_places (self);
  if (!read_events (self, last_correlation, error))
    return FALSE;
  if (!self->is_whole)
    memlane_trace_builder_add_note (
        self->builder,
        "the recording has no end: the program was killed, left without its usual way out, or "
        "filled the disk; what it did last may be missing");
  return TRUE;
}

MemlaneTrace *
memlane_trace_read_recording (char *const *paths, GError **error)
{
  g_autoptr (MemlaneTraceBuilder) builder = memlane_trace_builder_new ();
  g_autoptr (GHashTable) buffers = g_hash_table_new_full (memlane_hash_int64, g_int64_equal, g_free,
                                                          NULL);
  guint32 last_correlation = 0;

  for (guint i = 0; paths[i] != NULL; i++)
    {
      g_autoptr (GHashTable) names = g_hash_table_new_full (memlane_hash_number, NULL, NULL,
                                                            g_free);
      g_autoptr (GHashTable) ranges = g_hash_table_new (memlane_hash_number, NULL);
      g_autoptr (GHashTable) sites = g_hash_table_new_full (memlane_hash_number, NULL, NULL,
                                                            g_free);
      g_autoptr (GHashTable) places = g_hash_table_new_full (memlane_hash_number, NULL, NULL,
                                                             g_free);
      File file = { .path = paths[i],
                    .names = names,
                    .sites = sites,
                    .places = places,
                    .ranges = ranges,
                    .buffers = buffers,
                    .builder = builder,
                    .first_correlation = last_correlation };

      if (!read_file (&file, &last_correlation, error))
        return NULL;
    }
  memlane_trace_builder_get_info (builder)->source = g_strdup ("CUPTI, in the program");
  memlane_trace_builder_name_track (builder, NVTX_TRACK, "NVTX");
  memlane_trace_builder_begin_at_zero (builder);
  return memlane_trace_builder_finish (g_steal_pointer (&builder), error);
}
