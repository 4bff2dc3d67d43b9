/* test-trace-perfetto.c: what is written obeys the rules by which Perfetto reads Chrome trace JSON
 *
 * SPDX-License-Identifier: MIT
 *
 * The rules are those of src/trace_processor of github.com/google/perfetto, as of August 2026 (importers/json: tokenizer and parser; slice
 * and flow trackers), read there and told here in our own words; the program itself could not be run where this was written:
 *
 * 1. The file begins with {" at once. Within strings there are no control characters, DEL among them; escapes are those of JSON.
 * 2. Each event has a "ph"; all but M have a "ts", a number of microseconds, kept as whole nanoseconds; a negative one is dropped. pid and
 *    tid are whole numbers of 32 bits, tid not 0.
 * 3. An X has a "dur". Sorted by time, those of one thread lie within each other or apart; what crosses is moved elsewhere.
 * 4. An arrow is an "s" and an "f" of the same id, cat and name. Each hangs on the slice of its thread that was the last to start, in the
 *    order of the file where times are equal; "f" says bp "e", else it would hang on the next slice.
 * 5. M is process_name, thread_name (args: a name that is not empty), process_sort_index, thread_sort_index (args: a whole number).
 */
#include "engine/trace-bench.h"

#include <glib/gstdio.h>
#include <json-glib/json-glib.h>

#include "mode/mode.h"
#include "trace/builder.h"
#include "trace/trace.h"

typedef struct
{
  JsonObject *object;
  gint64 start, end; /* ns */
  guint place;       /* in the file */
  guint32 thread;
  char phase;
} Record;

static gint64
read_time (JsonObject *object, const char *member)
{
  GType type = json_node_get_value_type (json_object_get_member (object, member));

  g_assert_true (type == G_TYPE_INT64 || type == G_TYPE_DOUBLE);
  return llround (json_object_get_double_member (object, member) * 1000);
}

static gint64
read_whole (JsonObject *object, const char *member, gint64 least, gint64 most)
{
  JsonNode *node = json_object_get_member (object, member);

  g_assert_nonnull (node);
  g_assert_cmpstr (g_type_name (json_node_get_value_type (node)), ==, g_type_name (G_TYPE_INT64));
  g_assert_cmpint (json_node_get_int (node), >=, least);
  g_assert_cmpint (json_node_get_int (node), <=, most);
  return json_node_get_int (node);
}

static const char *
read_string (JsonObject *object, const char *member)
{
  JsonNode *node = json_object_get_member (object, member);

  g_assert_nonnull (node);
  g_assert_cmpstr (g_type_name (json_node_get_value_type (node)), ==, g_type_name (G_TYPE_STRING));
  return json_node_get_string (node);
}

static void
check_text (const char *text, gsize length)
{
  gboolean inside = FALSE;

  g_assert_cmpuint (strlen (text), ==, length);
  g_assert_true (g_utf8_validate (text, -1, NULL));
  g_assert_true (g_str_has_prefix (text, "{\""));
  for (const char *p = text; *p != '\0'; p++)
    if (*p == '"')
      inside = !inside;
    else if (inside)
      {
        g_assert_false (g_ascii_iscntrl (*p));
        if (*p != '\\')
          continue;
        p++;
        g_assert_nonnull (strchr ("\"\\/bfnrtu", *p));
        for (guint i = 1; *p == 'u' && i <= 4; i++)
          g_assert_true (g_ascii_isxdigit (p[i]));
      }
  g_assert_false (inside);
}

static void
check_metadata (JsonObject *object)
{
  const char *name = read_string (object, "name");
  JsonObject *args = json_object_get_object_member (object, "args");

  if (strcmp (name, "process_name") == 0 || strcmp (name, "thread_name") == 0)
    g_assert_cmpstr (read_string (args, "name"), !=, "");
  else
    {
      g_assert_true (strcmp (name, "process_sort_index") == 0 || strcmp (name, "thread_sort_index") == 0);
      read_whole (args, "sort_index", 0, G_MAXINT32);
    }
}

static int
compare_records (gconstpointer a, gconstpointer b)
{
  const Record *x = a, *y = b;

  return x->start != y->start ? (x->start < y->start ? -1 : 1) : x->place < y->place ? -1 : 1;
}

/* Opens and closes slices as the reader does, in the order of time; returns how many arrows hang where they ought to. */
static guint
check_slices (GArray *records)
{
  g_autoptr (GHashTable) stacks = g_hash_table_new_full (NULL, NULL, NULL, (GDestroyNotify) g_ptr_array_unref);
  g_autoptr (GHashTable) arrows = g_hash_table_new (NULL, NULL); /* id to the call that it hangs on */
  guint n_arrows = 0;

  g_array_sort (records, compare_records);
  for (guint i = 0; i < records->len; i++)
    {
      Record *record = &g_array_index (records, Record, i);
      GPtrArray *stack = g_hash_table_lookup (stacks, GUINT_TO_POINTER (record->thread));
      const Record *top;

      if (stack == NULL)
        g_hash_table_insert (stacks, GUINT_TO_POINTER (record->thread), stack = g_ptr_array_new ());
      if (record->phase == 'X')
        {
          /* An instant stands upon an instant; all else that has ended makes room. */
          while (stack->len > 0 && ((Record *) stack->pdata[stack->len - 1])->end <= record->start
                 && !(((Record *) stack->pdata[stack->len - 1])->end == record->start && record->end == record->start
                      && ((Record *) stack->pdata[stack->len - 1])->start == record->start))
            g_ptr_array_set_size (stack, (int) stack->len - 1);
          if (stack->len > 0)
            g_assert_cmpint (record->end, <=, ((Record *) stack->pdata[stack->len - 1])->end);
          g_ptr_array_add (stack, record);
          continue;
        }
      g_assert_cmpuint (stack->len, >, 0);
      top = stack->pdata[stack->len - 1];
      g_assert_cmpint (top->start, ==, record->start);
      g_assert_cmpstr (read_string (record->object, "cat"), ==, "flow");
      g_assert_cmpstr (read_string (record->object, "name"), ==, "issues");
      {
        gpointer id = GUINT_TO_POINTER (read_whole (record->object, "id", 1, G_MAXUINT32));
        const Record *call = g_hash_table_lookup (arrows, id);
        JsonObject *args = json_object_get_object_member (top->object, "args");

        if (record->phase == 's')
          {
            g_assert_null (call);
            g_assert_cmpstr (read_string (top->object, "cat"), ==, "call");
            g_hash_table_insert (arrows, id, (gpointer) top);
            continue;
          }
        g_assert_cmpstr (read_string (record->object, "bp"), ==, "e");
        g_assert_nonnull (call);
        g_assert_cmpint (json_object_get_int_member (args, "correlation"), ==,
                         json_object_get_int_member (json_object_get_object_member (call->object, "args"), "correlation"));
        n_arrows++;
      }
    }
  g_assert_cmpuint (n_arrows, ==, g_hash_table_size (arrows));
  return n_arrows;
}

/* Returns the number of arrows. */
static guint
check_file (const MemlaneTrace *trace)
{
  g_autofree char *folder = g_dir_make_tmp ("memlane-perfetto-XXXXXX", NULL), *path = g_build_filename (folder, "t.json", NULL);
  g_autofree char *text = NULL;
  g_autoptr (GError) error = NULL;
  g_autoptr (JsonParser) parser = json_parser_new ();
  g_autoptr (GArray) records = g_array_new (FALSE, TRUE, sizeof (Record));
  g_autoptr (GHashTable) named = g_hash_table_new (NULL, NULL);
  JsonArray *array;
  gsize length;
  guint n_events, n_slices = 0;

  memlane_trace_get_events (trace, &n_events);
  g_assert_true (memlane_trace_write_json (trace, path, &error));
  g_assert_true (g_file_get_contents (path, &text, &length, &error));
  g_remove (path);
  g_rmdir (folder);
  check_text (text, length);
  g_assert_true (json_parser_load_from_data (parser, text, (gssize) length, &error));
  array = json_object_get_array_member (json_node_get_object (json_parser_get_root (parser)), "traceEvents");
  for (guint i = 0; i < json_array_get_length (array); i++)
    {
      Record record = { .object = json_array_get_object_element (array, i), .place = i };

      record.phase = *read_string (record.object, "ph");
      g_assert_nonnull (strchr ("XMsf", record.phase));
      g_assert_cmpuint (strlen (read_string (record.object, "ph")), ==, 1);
      read_whole (record.object, "pid", 1, G_MAXUINT32);
      if (record.phase == 'M')
        {
          check_metadata (record.object);
          if (strcmp (read_string (record.object, "name"), "thread_name") == 0)
            g_hash_table_add (named, GUINT_TO_POINTER (read_whole (record.object, "tid", 1, G_MAXUINT32)));
          continue;
        }
      record.thread = (guint32) read_whole (record.object, "tid", 1, G_MAXUINT32);
      g_assert_true (g_hash_table_contains (named, GUINT_TO_POINTER (record.thread)));
      record.start = record.end = read_time (record.object, "ts");
      g_assert_cmpint (record.start, >=, 0);
      if (record.phase == 'X')
        {
          g_assert_true (JSON_NODE_HOLDS_OBJECT (json_object_get_member (record.object, "args")));
          read_string (record.object, "name");
          read_string (record.object, "cat");
          record.end += read_time (record.object, "dur");
          g_assert_cmpint (record.end, >=, record.start);
          n_slices++;
        }
      g_array_append_val (records, record);
    }
  g_assert_cmpuint (n_slices, ==, n_events);
  return check_slices (records);
}

static void
test_mode (gconstpointer data)
{
  g_autoptr (MemlaneProfile) profile = memlane_profile_new ();
  g_autoptr (MemlaneDevice) device = NULL;
  const MemlaneMode *mode = data;
  const MemlaneMethod method = { .streams = 4, .chunks = 8 };
  g_autoptr (GError) error = NULL;
  g_autoptr (MemlaneTrace) trace = NULL;

  profile->info.capabilities |= MEMLANE_CAN_PAGEABLE_ACCESS;
  device = memlane_simulated_device_new (profile, "simulated:test");
  trace = memlane_trace_record (device, &method, mode, 14, NULL, &error);
  g_assert_no_error (error);
  g_assert_cmpuint (check_file (trace), >=, 1); /* each mode has a kernel, at least */
}

static void
add (MemlaneTraceBuilder *builder, MemlaneTraceKind kind, const char *name, gint64 start, gint64 duration, guint32 correlation)
{
  const MemlaneTraceEvent event = {
    .kind = (guint8) kind, .start = start, .duration = duration, .correlation = correlation,
    .name = memlane_trace_builder_intern (builder, name, -1), .stream = kind == MEMLANE_TRACE_CALL ? MEMLANE_TRACE_NO_STREAM : 7,
  };

  g_assert_true (memlane_trace_builder_add (builder, &event, NULL));
}

/* What a simulated device never does: events of a lane that cross, clocks that disagree, calls and operations that start at once, instants
 * at one place, times of days, names of nothing but trouble. */
static void
test_made_up (void)
{
  MemlaneTraceBuilder *builder = memlane_trace_builder_new ();
  g_autoptr (MemlaneTrace) trace = NULL;
  const gint64 late = (gint64) 3 * 24 * 3600 * 1000000000 + 1;

  add (builder, MEMLANE_TRACE_CALL, "crossed \"\x7f\x01\n\\", 0, 100, 1);
  add (builder, MEMLANE_TRACE_CALL, "crossing", 50, 100, 2);
  add (builder, MEMLANE_TRACE_CALL, "within", 60, 10, 3);
  add (builder, MEMLANE_TRACE_KERNEL, "", 0, 150, 1);      /* starts with its call, and is the longer one */
  add (builder, MEMLANE_TRACE_KERNEL, "early", 40, 200, 2); /* before its call: no arrow */
  add (builder, MEMLANE_TRACE_KERNEL, "instant", 300, 0, 3);
  add (builder, MEMLANE_TRACE_KERNEL, "instant", 300, 0, 3);
  add (builder, MEMLANE_TRACE_CALL, "late", late, 1, 4);
  add (builder, MEMLANE_TRACE_KERNEL, "late", late + 1, 1, 4);
  memlane_trace_builder_add_note (builder, "del \x7f, quotes \" and \\");
  trace = memlane_trace_builder_finish (builder, NULL);
  g_assert_cmpuint (check_file (trace), ==, 4);
}

int
main (int argc, char **argv)
{
  guint n;
  const MemlaneMode *modes = memlane_mode_list (&n);

  g_test_init (&argc, &argv, NULL);
  for (guint i = 0; i < n; i++)
    {
      g_autofree char *path = g_strdup_printf ("/trace-perfetto/%s", modes[i].id);

      if (!memlane_mode_is_of_pieces (&modes[i]))
        g_test_add_data_func (path, &modes[i], test_mode);
    }
  g_test_add_func ("/trace-perfetto/made-up", test_made_up);
  return g_test_run ();
}
