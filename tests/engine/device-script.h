/* device-script.h: a simulated device that a text describes, and the calls that a text makes on it
 *
 * SPDX-License-Identifier: MIT
 *
 * A script begins with the lines of a device's file, if any. Then comes a call a line, by its short
 * name of device-calls.h; with "time" before it, it tells how long the host was held.
 *
 * A pointer is a NAME or NAME+FLOATS, a size is a number with K, M, G or T behind it, and a stream
 * is a NAME or "default". Names are given by the calls that make something. There are already the
 * streams s and t, and buffers of 4 MiB: pinned, pinned2, pageable, device, device2, device3.
 * Float number i of pinned and of pageable is i, and pinned2 is zero.
 */
#pragma once

#include "engine/profile-of-text.h"
#include "engine/simulated-bench.h"

/* A word: itself, the size that it may be, and the pointer, stream or event that it names. */
typedef struct
{
  const char *text;
  gsize size;
  void *thing;
} Word;

typedef struct
{
  Bench bench;
  GHashTable *names;
  GPtrArray *copies; /* those of batches */
  GString *said;     /* what the calls have answered */
} Script;

typedef gboolean (*CallThing) (MemlaneDevice *d, void *thing, GError **error);
typedef gboolean (*CallThings) (MemlaneDevice *d, void *thing, void *other, GError **error);
typedef gboolean (*CallMake) (MemlaneDevice *d, gsize bytes, void **made, GError **error);

/* Calls of one form: THING; THING OTHER; NAME SIZE, which make something. */
static const struct
{
  const char *name;
  CallThing thing;
  CallThings things;
  CallMake make;
} script_calls[] = {
  { "free", memlane_device_free },
  { "free-host", memlane_device_free_host },
  { "host-free", memlane_device_host_free },
  { "free-virtual", memlane_device_free_virtual },
  { "unregister", memlane_device_host_unregister },
  { "destroy-graph", (CallThing) memlane_device_graph_destroy },
  { "destroy-stream", (CallThing) memlane_device_stream_destroy },
  { "wait-stream", (CallThing) memlane_device_stream_synchronize },
  { "latch-close", (CallThing) memlane_device_latch_close },
  { "destroy-event", (CallThing) memlane_device_event_destroy },
  { "wait-event", (CallThing) memlane_device_event_synchronize },
  { "free-async", .things = (CallThings) memlane_device_free_async },
  { "record", .things = (CallThings) memlane_device_event_record },
  { "stream-wait", .things = (CallThings) memlane_device_stream_wait_event },
  { "graph-launch", .things = (CallThings) memlane_device_graph_launch },
  { "malloc", .make = memlane_device_malloc },
  { "host-malloc", .make = memlane_device_host_malloc },
  { "malloc-host", .make = memlane_device_malloc_host },
  { "malloc-managed", .make = memlane_device_malloc_managed },
  { "malloc-virtual", .make = memlane_device_malloc_virtual },
};

static void
do_nothing (gpointer data)
{
}

/* A host function that looks at pinned2+9, and makes a call, which it may not. */
static void
take_note (gpointer data)
{
  Script *self = data;
  g_autoptr (GError) error = NULL;

  g_assert_false (memlane_device_synchronize (self->bench.d, &error));
  g_string_append_printf (self->said, "\nthe host function: at %.0f ns %.0f, %s",
                          memlane_device_clock (self->bench.d), (double) self->bench.pinned2[9],
                          error->message);
}

/* Calls @w[0] of another form. What it makes is in @made, what it answers is added to @said. */
static gboolean
script_call (Script *self, const Word *w, void **made, GString *said, GError **error)
{
  static const char *const copies[] = { "up", "down", "on-device" }; /* as MemlaneCopyKind */
  const char *name = w[0].text;
  MemlaneDevice *d = self->bench.d;
  MemlaneHostRegisterFlags flags = MEMLANE_HOST_REGISTER_MAPPED;
  MemlaneLocation location = MEMLANE_LOCATION_DEVICE;
  MemlaneMemoryType type = MEMLANE_MEMORY_UNREGISTERED;
  guint64 bytes = 0, lockable;
  gboolean done = TRUE, flag = FALSE;
  double ns = 0;
  float x = 0;

  for (guint kind = 0; kind < G_N_ELEMENTS (copies); kind++)
    if (g_str_equal (name, copies[kind]))
      return w[4].text == NULL
               ? memlane_device_memcpy (d, w[1].thing, w[2].thing, w[3].size,
                                        (MemlaneCopyKind) kind, error)
               : memlane_device_memcpy_async (d, w[1].thing, w[2].thing, w[3].size,
                                              (MemlaneCopyKind) kind, w[4].thing, error);
  if (g_str_equal (name, "batch") || g_str_equal (name, "graph"))
    {
      MemlaneCopies *list = memlane_copies_new (1, MEMLANE_COPY_TO_DEVICE);

      g_ptr_array_add (self->copies, list);
      memlane_copies_set (list, 0, w[2].thing, w[3].thing, w[4].size);
      return *name == 'g' ? memlane_device_graph_create (d, list, (MemlaneGraph **) made, error)
                          : memlane_device_memcpy_batch_async (d, list, w[1].thing, error);
    }
  if (w[3].text != NULL && g_str_equal (w[3].text, "read-only"))
    flags = MEMLANE_HOST_REGISTER_READ_ONLY;
  if (w[3].text != NULL && g_str_equal (w[3].text, "host"))
    location = MEMLANE_LOCATION_HOST;
  if (g_str_equal (name, "malloc-async"))
    return memlane_device_malloc_async (d, w[2].size, w[3].thing, made, error);
  if (g_str_equal (name, "malloc-mapped"))
    return memlane_device_host_alloc (d, w[2].size, MEMLANE_HOST_ALLOC_MAPPED, made, error);
  if (g_str_equal (name, "static"))
    return memlane_device_managed_static (d, 0, w[2].size, made, error);
  if (g_str_equal (name, "device-pointer"))
    return memlane_device_host_get_device_pointer (d, w[2].thing, made, error);
  if (g_str_equal (name, "event"))
    return memlane_device_event_create (d, (MemlaneEvent **) made, error);
  if (g_str_equal (name, "stream"))
    return memlane_device_stream_create (d, FALSE, -(int) w[2].size, (MemlaneStream **) made,
                                         error);
  if (g_str_equal (name, "non-blocking-stream"))
    return memlane_device_stream_create (d, TRUE, 0, (MemlaneStream **) made, error);
  if (g_str_equal (name, "register"))
    return memlane_device_host_register (d, w[1].thing, w[2].size, flags, error);
  if (g_str_equal (name, "read-mostly"))
    return memlane_device_mem_advise (d, w[1].thing, w[2].size, MEMLANE_ADVICE_READ_MOSTLY,
                                      location, error);
  if (g_str_equal (name, "prefetch"))
    return memlane_device_mem_prefetch_async (d, w[1].thing, w[2].size, location, w[4].thing,
                                              error);
  if (g_str_equal (name, "write"))
    return memlane_device_host_write (d, w[1].thing, w[2].thing, w[3].size, error);
  if (g_str_equal (name, "populate") || g_str_equal (name, "populate-huge"))
    return memlane_device_host_populate (d, w[1].thing, w[2].size, (guint) w[3].size,
                                         g_str_equal (name, "populate-huge"), error);
  if (g_str_equal (name, "fill"))
    return memlane_device_host_fill (d, w[1].thing, 0, w[2].size, error);
  if (g_str_equal (name, "touch"))
    return memlane_device_host_touch (d, w[1].thing, w[2].size, error);
  if (g_str_equal (name, "memset"))
    return memlane_device_memset_async (d, w[1].thing, 0, w[2].size, w[3].thing, error);
  if (g_str_equal (name, "kernel"))
    return memlane_device_launch (d, MEMLANE_KERNEL_COPY, w[1].thing, w[2].thing, NULL, N,
                                  w[3].thing, error);
  if (g_str_equal (name, "count"))
    return memlane_device_launch_count (d, w[1].thing, (guint) w[2].size, w[3].thing, error);
  if (g_str_equal (name, "host-function"))
    return memlane_device_launch_host_function (d, do_nothing, NULL, w[1].thing, error);
  if (g_str_equal (name, "note"))
    return memlane_device_launch_host_function (d, take_note, self, w[1].thing, error);
  if (g_str_equal (name, "synchronize"))
    return memlane_device_synchronize (d, error);
  if (g_str_equal (name, "pause"))
    memlane_device_pause (d, (double) w[1].size);
  else if (g_str_equal (name, "set"))
    *(float *) w[1].thing = (float) w[2].size;
  else if (g_str_equal (name, "get"))
    g_string_append_printf (said, " %.0f", (double) *(float *) w[1].thing);
  else if (g_str_equal (name, "get-whole"))
    g_string_append_printf (said, " %u", *(guint32 *) w[1].thing);
  else if (g_str_equal (name, "read"))
    {
      done = memlane_device_host_read (d, &x, w[1].thing, sizeof x, error);
      g_string_append_printf (said, done ? " %.0f" : "", (double) x);
    }
  else if (g_str_equal (name, "query"))
    {
      done = memlane_device_stream_query (d, w[1].thing, &flag, error);
      g_string_append (said, flag ? " done" : " not yet");
    }
  else if (g_str_equal (name, "latch-open"))
    {
      done = memlane_device_latch_open (d, &flag, error);
      g_string_append (said, flag ? " late" : " in time");
    }
  else if (g_str_equal (name, "elapsed"))
    {
      done = memlane_device_event_elapsed (d, w[1].thing, w[2].thing, &ns, error);
      g_string_append_printf (said, done ? " %.0f ns" : "", ns);
    }
  else if (g_str_equal (name, "type"))
    {
      done = memlane_device_pointer_get_type (d, w[1].thing, &type, error);
      g_string_append_printf (said, " %s", memlane_memory_type_name (type));
    }
  else if (g_str_equal (name, "memory"))
    {
      done = memlane_device_get_free_memory (d, &bytes, error);
      g_string_append_printf (said, " %.6g MiB of the device", (double) bytes / 0x100000);
      memlane_device_get_host_memory (d, &bytes, &lockable);
      g_string_append_printf (said, ", %.6g MiB of the host", (double) bytes / 0x100000);
    }
  else
    g_error ("there is no call %s", name);
  return done;
}

static void
script_read_word (const Script *self, Word *word)
{
  static const char units[] = "KMGT";
  g_auto (GStrv) parts = g_strsplit (word->text, "+", 2);
  char *unit;

  word->size = (gsize) g_ascii_strtoull (word->text, &unit, 10);
  if (unit != word->text && *unit != '\0')
    word->size <<= 10 * (strchr (units, *unit) - units + 1);
  word->thing = g_hash_table_lookup (self->names, parts[0]);
  if (parts[1] != NULL)
    word->thing = (float *) word->thing + g_ascii_strtoull (parts[1], NULL, 10);
}

/* Makes the call of @line, and adds what it answers or how it fails. */
G_GNUC_UNUSED static void
script_do (Script *self, const char *line)
{
  static const char *const codes[] = { "failed", "unsupported", "out of memory", "invalid",
                                       "unavailable", "lost", "timeout" };
  g_auto (GStrv) words = g_strsplit (line, " ", -1);
  const gboolean timed = g_str_equal (words[0], "time");
  g_autoptr (GString) said = g_string_new (NULL);
  g_autoptr (GError) error = NULL;
  MemlaneDevice *d = self->bench.d;
  const double start = memlane_device_clock (d);
  Word w[6] = { { NULL } };
  void *made = NULL;
  gboolean done;
  guint i = 0;

  for (guint k = timed; words[k] != NULL && k - timed < G_N_ELEMENTS (w) - 1; k++)
    {
      w[k - timed].text = words[k];
      script_read_word (self, &w[k - timed]);
    }
  while (i < G_N_ELEMENTS (script_calls) && !g_str_equal (script_calls[i].name, w[0].text))
    i++;
  if (i == G_N_ELEMENTS (script_calls))
    done = script_call (self, w, &made, said, &error);
  else if (script_calls[i].thing != NULL)
    done = script_calls[i].thing (d, w[1].thing, &error);
  else if (script_calls[i].things != NULL)
    done = script_calls[i].things (d, w[1].thing, w[2].thing, &error);
  else
    done = script_calls[i].make (d, w[2].size, &made, &error);
  g_assert_true (done == (error == NULL));
  if (made != NULL)
    g_hash_table_replace (self->names, g_strdup (w[1].text), made);
  if (error != NULL)
    g_string_append_printf (said, " %s: %s", codes[error->code], error->message);
  if (timed)
    g_string_append_printf (said, "%s %.0f ns", said->len > 0 ? "," : "",
                            memlane_device_clock (d) - start);
  if (said->len > 0)
    g_string_append_printf (self->said, "%s%s:%s", self->said->len > 0 ? "\n" : "", line,
                            said->str);
}

/* Opens the device that the first of @lines describe; returns the number of the first call. */
static guint
script_open (Script *self, char **lines)
{
  g_autoptr (GString) file = g_string_new ("[device]\n");
  g_autoptr (GError) error = NULL;
  Bench *b = &self->bench;
  guint n = 0;

  for (; *lines[n] == '[' || strchr (lines[n], '=') != NULL; n++)
    g_string_append_printf (file, "%s\n", lines[n]);
  b->profile = profile_of_text (file->str, -1, &error);
  g_assert_no_error (error);
  bench_open (b);
  {
    const struct
    {
      const char *name;
      void *thing;
    } things[] = {
      { "default", NULL },        { "s", b->s },
      { "t", b->t },              { "pinned", b->pinned },
      { "pinned2", b->pinned2 },  { "pageable", b->pageable },
      { "device", b->device },    { "device2", b->device2 },
      { "device3", b->device3 },
    };

    self->names = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
    self->copies = g_ptr_array_new_with_free_func ((GDestroyNotify) memlane_copies_free);
    self->said = g_string_new (NULL);
    for (guint i = 0; i < G_N_ELEMENTS (things); i++)
      g_hash_table_insert (self->names, g_strdup (things[i].name), things[i].thing);
  }
  return n;
}

/* Closes the device; returns what the calls have answered, addresses replaced. (transfer full) */
static char *
script_close (Script *self)
{
  g_autoptr (GRegex) address = g_regex_new ("0x[0-9a-f]{6,}", 0, 0, NULL);
  g_autoptr (GString) said = g_steal_pointer (&self->said);

  g_hash_table_unref (self->names);
  bench_close (&self->bench);
  g_ptr_array_unref (self->copies);
  return g_regex_replace_literal (address, said->str, -1, 0, "ADDRESS", 0, NULL);
}
