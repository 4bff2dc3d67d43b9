/* message.c: the messages between a worker and whoever asked it
 *
 * SPDX-License-Identifier: MIT
 */
#include "message.h"

#include <math.h>
#include <string.h>

#include "base/file-error.h"
#include "base/json-tree.h"
#include "experiment/result.h"
#include "result/csv.h"

#define MOST_INTEGER 9007199254740992.0 /* 2^53: up to there a double holds every whole number */

/* --- lines ---------------------------------------------------------------------------------------------------------------- */

JsonObject *
memlane_message_new (const char *type)
{
  JsonObject *message = json_object_new ();

  json_object_set_string_member (message, "type", type);
  return message;
}

char *
memlane_message_to_line (JsonObject *message)
{
  g_autoptr (JsonNode) node = json_node_init_object (json_node_alloc (), message);
  g_autofree char *text = json_to_string (node, FALSE);

  json_object_unref (message);
  return g_strconcat (text, "\n", NULL);
}

JsonObject *
memlane_message_from_line (const char *line, gsize length, const char *name, GError **error)
{
  g_autoptr (JsonNode) node = memlane_json_tree_read (line, (gssize) length, name, error);
  JsonObject *message;
  const char *type;

  if (node == NULL)
    return NULL;
  if (!JSON_NODE_HOLDS_OBJECT (node))
    {
      g_set_error (error, MEMLANE_FILE_ERROR, MEMLANE_FILE_ERROR_BAD, "%s: expected an object on each line", name);
      return NULL;
    }
  message = json_node_get_object (node);
  if (!memlane_message_get_text (message, "type", MEMLANE_WORKER_LONGEST_NAME, &type, error))
    {
      g_prefix_error (error, "%s: ", name);
      return NULL;
    }
  return json_object_ref (message);
}

const char *
memlane_message_get_type (JsonObject *message)
{
  return json_object_get_string_member (message, "type");
}

/* --- members --------------------------------------------------------------------------------------------------------------- */

static gboolean refuse (GError **error, const char *key, const char *expected, ...) G_GNUC_PRINTF (3, 4);

static gboolean
refuse (GError **error, const char *key, const char *expected, ...)
{
  g_autofree char *what = NULL;
  va_list arguments;

  va_start (arguments, expected);
  what = g_strdup_vprintf (expected, arguments);
  va_end (arguments);
  g_set_error (error, MEMLANE_FILE_ERROR, MEMLANE_FILE_ERROR_BAD, "%s: expected %s", key, what);
  return FALSE;
}

static gboolean
is_plain (const char *text)
{
  for (; *text != '\0'; text = g_utf8_next_char (text))
    if (g_unichar_iscntrl (g_utf8_get_char (text)))
      return FALSE;
  return TRUE;
}

gboolean
memlane_message_get_optional_text (JsonObject *message, const char *key, guint most, const char **text, GError **error)
{
  JsonNode *node = json_object_get_member (message, key);

  *text = NULL;
  if (node == NULL || JSON_NODE_HOLDS_NULL (node))
    return TRUE;
  if (json_node_get_value_type (node) != G_TYPE_STRING)
    return refuse (error, key, "a text");
  *text = json_node_get_string (node);
  if (g_utf8_strlen (*text, -1) > (glong) most)
    return refuse (error, key, "at most %u characters", most);
  return is_plain (*text) || refuse (error, key, "a text without control characters");
}

gboolean
memlane_message_get_text (JsonObject *message, const char *key, guint most, const char **text, GError **error)
{
  return memlane_message_get_optional_text (message, key, most, text, error)
         && ((*text != NULL && **text != '\0') || refuse (error, key, "a text"));
}

gboolean
memlane_message_get_number (JsonObject *message, const char *key, double least, double most, double *value, GError **error)
{
  JsonNode *node = json_object_get_member (message, key);
  GType type = node != NULL && JSON_NODE_HOLDS_VALUE (node) ? json_node_get_value_type (node) : G_TYPE_INVALID;

  if (type != G_TYPE_INT64 && type != G_TYPE_DOUBLE)
    return refuse (error, key, "a number");
  *value = json_node_get_double (node);
  return (*value >= least && *value <= most) || refuse (error, key, "a number from %g to %g", least, most);
}

static gboolean
get_integer (JsonObject *message, const char *key, double least, double most, gint64 *value, GError **error)
{
  double number = 0;

  if (!memlane_message_get_number (message, key, least, most, &number, error))
    return FALSE;
  *value = (gint64) number;
  return (double) *value == number || refuse (error, key, "a whole number");
}

gboolean
memlane_message_get_count (JsonObject *message, const char *key, guint least, guint most, guint *value, GError **error)
{
  gint64 number = 0;

  if (!get_integer (message, key, least, most, &number, error))
    return FALSE;
  *value = (guint) number;
  return TRUE;
}

gboolean
memlane_message_get_flag (JsonObject *message, const char *key, gboolean *value, GError **error)
{
  JsonNode *node = json_object_get_member (message, key);

  *value = FALSE;
  if (node == NULL)
    return TRUE;
  if (!JSON_NODE_HOLDS_VALUE (node) || json_node_get_value_type (node) != G_TYPE_BOOLEAN)
    return refuse (error, key, "true or false");
  *value = json_node_get_boolean (node);
  return TRUE;
}

gboolean
memlane_message_get_object (JsonObject *message, const char *key, JsonObject **object, GError **error)
{
  JsonNode *node = json_object_get_member (message, key);

  *object = NULL;
  if (node == NULL || !JSON_NODE_HOLDS_OBJECT (node))
    return refuse (error, key, "an object");
  *object = json_node_get_object (node);
  return TRUE;
}

void
memlane_message_set_text (JsonObject *message, const char *key, const char *text)
{
  g_autofree char *whole = text != NULL ? g_utf8_make_valid (text, -1) : NULL, *valid = NULL;

  if (whole == NULL)
    return;
  valid = g_utf8_substring (whole, 0, MIN (g_utf8_strlen (whole, -1), MEMLANE_WORKER_LONGEST_SENTENCE));
  /* A sentence is one line, whatever a driver says. */
  for (char *at = valid; *at != '\0'; at = g_utf8_next_char (at))
    if (g_ascii_iscntrl (*at))
      *at = ' ';
  json_object_set_string_member (message, key, valid);
}

/* --- structures with members of few types -------------------------------------------------------------------------------- */

typedef enum { TEXT, INTEGER, SIZE, NUMBER, FLAG, CAPABILITIES } MemberType;

typedef struct
{
  const char *key;
  MemberType type;
  gsize offset;
  double least, most;
} Member;

static void
set_members (JsonObject *message, const Member *members, guint n, gconstpointer structure)
{
  for (guint i = 0; i < n; i++)
    {
      gconstpointer at = G_STRUCT_MEMBER_P (structure, members[i].offset);

      switch (members[i].type)
        {
        case TEXT:
          memlane_message_set_text (message, members[i].key, *(char *const *) at);
          break;
        case INTEGER:
        case CAPABILITIES:
          json_object_set_int_member (message, members[i].key, *(const int *) at);
          break;
        case SIZE:
          json_object_set_int_member (message, members[i].key, (gint64) *(const guint64 *) at);
          break;
        case NUMBER:
          json_object_set_double_member (message, members[i].key, *(const double *) at);
          break;
        case FLAG:
        default:
          json_object_set_boolean_member (message, members[i].key, *(const gboolean *) at);
        }
    }
}

/* Texts are copied. */
static gboolean
get_members (JsonObject *message, const Member *members, guint n, gpointer structure, GError **error)
{
  for (guint i = 0; i < n; i++)
    {
      gpointer at = G_STRUCT_MEMBER_P (structure, members[i].offset);
      const char *text;
      gint64 integer = 0;

      switch (members[i].type)
        {
        case TEXT:
          if (!memlane_message_get_optional_text (message, members[i].key, MEMLANE_WORKER_LONGEST_SENTENCE, &text, error))
            return FALSE;
          *(char **) at = g_strdup (text);
          break;
        case INTEGER:
        case CAPABILITIES:
          if (!get_integer (message, members[i].key, members[i].least, members[i].most, &integer, error))
            return FALSE;
          *(int *) at = (int) integer;
          break;
        case SIZE:
          if (!get_integer (message, members[i].key, members[i].least, members[i].most, &integer, error))
            return FALSE;
          *(guint64 *) at = (guint64) integer;
          break;
        case NUMBER:
          if (!memlane_message_get_number (message, members[i].key, members[i].least, members[i].most, at, error))
            return FALSE;
          break;
        case FLAG:
        default:
          if (!memlane_message_get_flag (message, members[i].key, at, error))
            return FALSE;
        }
    }
  return TRUE;
}

#define INFO(member, type, ...) { #member, type, G_STRUCT_OFFSET (MemlaneDeviceInfo, member), __VA_ARGS__ }

static const Member info_members[] = {
  INFO (id, TEXT, 0, 0), INFO (kind, TEXT, 0, 0), INFO (name, TEXT, 0, 0), INFO (driver, TEXT, 0, 0), INFO (runtime, TEXT, 0, 0),
  INFO (pci_bus_id, TEXT, 0, 0), INFO (uuid, TEXT, 0, 0), INFO (launch_shape, TEXT, 0, 0), INFO (profile, TEXT, 0, 0),
  INFO (calibrated_from, TEXT, 0, 0), INFO (noise, TEXT, 0, 0), INFO (estimated, FLAG, 0, 0),
  INFO (capabilities, CAPABILITIES, 0, G_MAXINT), INFO (compute_major, INTEGER, 0, 1000), INFO (compute_minor, INTEGER, 0, 1000),
  INFO (multiprocessors, INTEGER, 0, 1e6), INFO (copy_engines, INTEGER, 0, 1000), INFO (numa_node, INTEGER, -1, 1e6),
  INFO (integrated, FLAG, 0, 0),
  INFO (memory_bytes, SIZE, 0, MOST_INTEGER), INFO (l2_bytes, SIZE, 0, MOST_INTEGER),
  INFO (processor_clock, NUMBER, 0, 1e12), INFO (memory_clock, NUMBER, 0, 1e12), INFO (memory_bandwidth, NUMBER, 0, 1e15),
  INFO (link_generation, INTEGER, 0, 100), INFO (link_width, INTEGER, 0, 1000), INFO (link_bandwidth, NUMBER, 0, 1e15),
  INFO (static_managed_bytes, SIZE, 0, MOST_INTEGER), INFO (priority_least, INTEGER, -1e6, 1e6),
  INFO (priority_greatest, INTEGER, -1e6, 1e6), INFO (exact, FLAG, 0, 0),
};

void
memlane_message_set_info (JsonObject *message, const MemlaneDeviceInfo *info)
{
  set_members (message, info_members, G_N_ELEMENTS (info_members), info);
}

MemlaneDeviceInfo *
memlane_message_get_info (JsonObject *message, GError **error)
{
  g_autoptr (MemlaneDeviceInfo) info = g_new0 (MemlaneDeviceInfo, 1);

  if (!get_members (message, info_members, G_N_ELEMENTS (info_members), info, error))
    return NULL;
  if (info->id == NULL || info->kind == NULL || info->name == NULL)
    {
      refuse (error, "device", "an id, a kind and a name");
      return NULL;
    }
  return g_steal_pointer (&info);
}

#define METHOD(member, type, ...) { #member, type, G_STRUCT_OFFSET (MemlaneMethod, member), __VA_ARGS__ }

static const Member method_members[] = {
  METHOD (reuse, INTEGER, 0, MEMLANE_MOST_REUSE), METHOD (streams, INTEGER, 0, MEMLANE_MOST_STREAMS),
  METHOD (chunks, INTEGER, 0, MEMLANE_MOST_CHUNKS), METHOD (rounds, INTEGER, 0, MEMLANE_MOST_ROUNDS),
  METHOD (precision, NUMBER, 0, 1), METHOD (cell_seconds, NUMBER, 0, 3600),
  METHOD (keep_samples, FLAG, 0, 0), METHOD (cold_cache, FLAG, 0, 0),
};

void
memlane_message_set_plan (JsonObject *message, const MemlanePlan *plan)
{
  JsonObject *object = json_object_new ();
  JsonArray *modes = json_array_new ();
  g_autofree char *seed = g_strdup_printf ("%" G_GUINT64_FORMAT, plan->method.seed);

  for (guint i = 0; plan->modes[i] != NULL; i++)
    json_array_add_string_element (modes, plan->modes[i]->id);
  json_object_set_string_member (object, "workload", plan->method.workload->id);
  json_object_set_array_member (object, "modes", modes);
  json_object_set_int_member (object, "first_log2", plan->first_log2);
  json_object_set_int_member (object, "last_log2", plan->last_log2);
  json_object_set_string_member (object, "seed", seed); /* all 64 bits */
  set_members (object, method_members, G_N_ELEMENTS (method_members), &plan->method);
  json_object_set_object_member (message, "plan", object);
}

/* As a list for memlane_plan_set_modes(), which knows what is wrong. */
static gboolean
get_modes (JsonObject *object, MemlanePlan *plan, GError **error)
{
  JsonNode *node = json_object_get_member (object, "modes");
  g_autoptr (GString) list = g_string_new (NULL);
  JsonArray *modes;
  guint n, most;

  memlane_mode_list (&most);
  if (node == NULL || !JSON_NODE_HOLDS_ARRAY (node))
    return refuse (error, "modes", "a list");
  modes = json_node_get_array (node);
  n = json_array_get_length (modes);
  if (n < 1 || n > most)
    return refuse (error, "modes", "1 to %u of them", most);
  for (guint i = 0; i < n; i++)
    {
      JsonNode *mode = json_array_get_element (modes, i);

      if (json_node_get_value_type (mode) != G_TYPE_STRING)
        return refuse (error, "modes", "ids of modes");
      g_string_append_printf (list, "%s%s", i > 0 ? "," : "", json_node_get_string (mode));
    }
  return memlane_plan_set_modes (plan, list->str, error);
}

MemlanePlan *
memlane_message_get_plan (JsonObject *message, GError **error)
{
  g_autoptr (MemlanePlan) plan = memlane_plan_new ();
  JsonObject *object;
  const char *workload, *seed;

  if (!memlane_message_get_object (message, "plan", &object, error)
      || !memlane_message_get_text (object, "workload", MEMLANE_WORKER_LONGEST_NAME, &workload, error)
      || !memlane_message_get_text (object, "seed", MEMLANE_WORKER_LONGEST_NAME, &seed, error)
      || !memlane_message_get_count (object, "first_log2", MEMLANE_SMALLEST_LOG2, MEMLANE_LARGEST_LOG2, &plan->first_log2, error)
      || !memlane_message_get_count (object, "last_log2", plan->first_log2, MEMLANE_LARGEST_LOG2, &plan->last_log2, error)
      || !get_members (object, method_members, G_N_ELEMENTS (method_members), &plan->method, error) || !get_modes (object, plan, error))
    return NULL;
  plan->method.workload = memlane_workload_find (workload);
  if (plan->method.workload == NULL)
    {
      refuse (error, "workload", "one that this version has, not \"%s\"", workload);
      return NULL;
    }
  if (!g_ascii_string_to_unsigned (seed, 10, 0, G_MAXUINT64, &plan->method.seed, error))
    return NULL;
  return g_steal_pointer (&plan);
}

GArray *
memlane_message_get_order (JsonObject *message, const MemlanePlan *plan, GError **error)
{
  JsonNode *node = json_object_get_member (message, "order");
  JsonArray *cells = node != NULL && JSON_NODE_HOLDS_ARRAY (node) ? json_node_get_array (node) : NULL;
  guint total = memlane_plan_count_cells (plan), n = cells != NULL ? json_array_get_length (cells) : 0;
  g_autoptr (GArray) order = g_array_new (FALSE, FALSE, sizeof (guint));

  if (n < 1 || n > 2 * total) /* each once, and perhaps a second try */
    {
      refuse (error, "order", "a list of 1 to %u cells", 2 * total);
      return NULL;
    }
  for (guint i = 0; i < n; i++)
    {
      JsonNode *cell = json_array_get_element (cells, i);
      gint64 value = json_node_get_value_type (cell) == G_TYPE_INT64 ? json_node_get_int (cell) : -1;
      guint number = (guint) value;

      if (value < 0 || value >= total)
        {
          refuse (error, "order", "numbers of cells, 0 to %u", total - 1);
          return NULL;
        }
      g_array_append_val (order, number);
    }
  return g_steal_pointer (&order);
}

#define LAB(member, type, ...) { #member, type, G_STRUCT_OFFSET (MemlaneLabPlan, member), __VA_ARGS__ }

static const Member lab_members[] = {
  LAB (order, INTEGER, 0, MEMLANE_LAB_N_ORDERS - 1), LAB (between, INTEGER, 0, MEMLANE_LAB_N_BETWEENS - 1),
  LAB (log2_elements, INTEGER, 0, MEMLANE_LARGEST_LOG2), LAB (streams, INTEGER, 0, MEMLANE_MOST_STREAMS),
  LAB (chunks, INTEGER, 0, MEMLANE_MOST_CHUNKS), LAB (reuse, INTEGER, 0, MEMLANE_LAB_MOST_REUSE), LAB (pageable, FLAG, 0, 0),
  LAB (non_blocking, FLAG, 0, 0), LAB (priorities, FLAG, 0, 0), LAB (host_functions, FLAG, 0, 0),
};

void
memlane_message_set_lab (JsonObject *message, const MemlaneLabPlan *plan)
{
  JsonObject *object = json_object_new ();

  set_members (object, lab_members, G_N_ELEMENTS (lab_members), plan);
  json_object_set_object_member (message, "plan", object);
}

gboolean
memlane_message_get_lab (JsonObject *message, MemlaneLabPlan *plan, GError **error)
{
  JsonObject *object;

  return memlane_message_get_object (message, "plan", &object, error)
         && get_members (object, lab_members, G_N_ELEMENTS (lab_members), plan, error);
}

/* --- cells ----------------------------------------------------------------------------------------------------------------- */

void
memlane_message_set_run (JsonObject *message, const MemlaneRun *run)
{
  json_object_set_string_member (message, "run", run->id);
  json_object_set_string_member (message, "device", run->device);
  json_object_set_string_member (message, "device_kind", run->device_kind);
  if (run->environment != NULL)
    json_object_set_string_member (message, "environment", run->environment);
}

MemlaneRun *
memlane_message_get_run (JsonObject *message, GError **error)
{
  const char *id, *device, *kind, *environment;
  g_autoptr (JsonNode) tree = NULL;
  MemlaneRun *run;

  if (!memlane_message_get_text (message, "run", MEMLANE_WORKER_LONGEST_NAME, &id, error)
      || !memlane_message_get_text (message, "device", MEMLANE_WORKER_LONGEST_SENTENCE, &device, error)
      || !memlane_message_get_text (message, "device_kind", MEMLANE_WORKER_LONGEST_NAME, &kind, error))
    return NULL;
  if (strcmp (kind, "cuda") != 0 && strcmp (kind, "simulated") != 0)
    {
      refuse (error, "device_kind", "cuda or simulated");
      return NULL;
    }
  environment = json_object_get_string_member_with_default (message, "environment", "");
  tree = memlane_json_tree_read (environment, -1, "environment", error);
  if (tree == NULL)
    return NULL;
  if (!JSON_NODE_HOLDS_OBJECT (tree))
    {
      refuse (error, "environment", "an object");
      return NULL;
    }
  run = memlane_run_new (id, device, kind);
  run->environment = g_strdup (environment);
  return run;
}

/* Set, clock and time of each sample in a row. */
static JsonArray *
make_marks (const MemlaneFigure *figure)
{
  JsonArray *marks = json_array_new ();

  for (guint k = 0; figure->marks != NULL && k < figure->statistics.count; k++)
    {
      json_array_add_int_element (marks, figure->marks[k].set);
      json_array_add_int_element (marks, figure->marks[k].sm_mhz);
      json_array_add_double_element (marks, figure->marks[k].time);
    }
  return marks;
}

/* Takes @array. */
static void
set_if_any (JsonObject *message, const char *name, JsonArray *array, gboolean any)
{
  if (any)
    json_object_set_array_member (message, name, array);
  else
    json_array_unref (array);
}

void
memlane_message_set_cell (JsonObject *message, const MemlaneRun *run, const MemlaneCell *cell)
{
  g_autoptr (GString) rows = g_string_new (NULL);
  JsonArray *all = json_array_new (), *all_marks = json_array_new ();
  gboolean any = FALSE, any_marks = FALSE;

  memlane_csv_append_cell (rows, run, cell);
  json_object_set_string_member (message, "rows", rows->str);
  for (guint i = 0; i < cell->figures->len; i++)
    {
      const MemlaneFigure *figure = cell->figures->pdata[i];
      JsonArray *samples = json_array_new ();

      for (guint k = 0; figure->samples != NULL && k < figure->statistics.count; k++)
        json_array_add_double_element (samples, figure->samples[k]);
      any |= figure->samples != NULL;
      json_array_add_array_element (all, samples);
      json_array_add_array_element (all_marks, make_marks (figure));
      any_marks |= figure->marks != NULL;
    }
  set_if_any (message, "samples", all, any);
  set_if_any (message, "marks", all_marks, any_marks);
}

static gboolean
take_samples (MemlaneFigure *figure, JsonNode *node, GError **error)
{
  JsonArray *samples = JSON_NODE_HOLDS_ARRAY (node) ? json_node_get_array (node) : NULL;
  guint n = samples != NULL ? json_array_get_length (samples) : 0;

  if (samples == NULL || (n != 0 && n != figure->statistics.count))
    return refuse (error, "samples", "as many as the row counts");
  if (n == 0)
    return TRUE;
  figure->samples = g_new (double, n);
  for (guint i = 0; i < n; i++)
    {
      JsonNode *sample = json_array_get_element (samples, i);
      GType type = JSON_NODE_HOLDS_VALUE (sample) ? json_node_get_value_type (sample) : G_TYPE_INVALID;

      figure->samples[i] = type == G_TYPE_INT64 || type == G_TYPE_DOUBLE ? json_node_get_double (sample) : NAN;
      if (!(figure->samples[i] >= 0))
        return refuse (error, "samples", "times in nanoseconds");
    }
  return TRUE;
}

static gboolean
take_marks (MemlaneFigure *figure, JsonNode *node, GError **error)
{
  JsonArray *marks = JSON_NODE_HOLDS_ARRAY (node) ? json_node_get_array (node) : NULL;
  guint n = marks != NULL ? json_array_get_length (marks) : 0;

  if (marks == NULL || (n != 0 && (figure->samples == NULL || n != 3 * figure->statistics.count)))
    return refuse (error, "marks", "three numbers for each sample");
  if (n == 0)
    return TRUE;
  figure->marks = g_new (MemlaneSampleMark, n / 3);
  for (guint i = 0; i < n; i += 3)
    {
      double values[3];

      for (guint k = 0; k < G_N_ELEMENTS (values); k++)
        {
          JsonNode *value = json_array_get_element (marks, i + k);

          values[k] = JSON_NODE_HOLDS_VALUE (value) && json_node_get_value_type (value) != G_TYPE_STRING ? json_node_get_double (value)
                                                                                                         : NAN;
          if (!(values[k] >= 0 && values[k] <= (k < 2 ? 1e6 : 1e18)))
            return refuse (error, "marks", "a buffer set, a clock in MHz and a time in nanoseconds");
        }
      figure->marks[i / 3] = (MemlaneSampleMark) { .set = (guint) values[0], .sm_mhz = (guint) values[1], .time = values[2] };
    }
  return TRUE;
}

/* The lists of @name, one for each row of @cell. */
static gboolean
take_lists (JsonObject *message, const char *name, const MemlaneCell *cell,
            gboolean (*take) (MemlaneFigure *figure, JsonNode *node, GError **error), GError **error)
{
  JsonNode *lists = json_object_get_member (message, name);

  if (lists == NULL)
    return TRUE;
  if (!JSON_NODE_HOLDS_ARRAY (lists) || json_array_get_length (json_node_get_array (lists)) != cell->figures->len)
    return refuse (error, name, "a list for each row");
  for (guint i = 0; i < cell->figures->len; i++)
    if (!take (cell->figures->pdata[i], json_array_get_element (json_node_get_array (lists), i), error))
      return FALSE;
  return TRUE;
}

MemlaneCell *
memlane_message_get_cell (JsonObject *message, GError **error)
{
  JsonNode *rows = json_object_get_member (message, "rows");
  g_autoptr (GPtrArray) runs = NULL;
  g_autoptr (MemlaneCell) cell = NULL;
  g_autoptr (GString) table = g_string_new (NULL);

  if (rows == NULL || json_node_get_value_type (rows) != G_TYPE_STRING)
    {
      refuse (error, "rows", "a text");
      return NULL;
    }
  memlane_csv_append_header (table);
  g_string_append (table, json_node_get_string (rows));
  runs = memlane_csv_read_text (table->str, table->len, "cell", error);
  if (runs == NULL)
    return NULL;
  if (runs->len != 1 || ((const MemlaneRun *) runs->pdata[0])->cells->len != 1)
    {
      refuse (error, "rows", "those of one cell");
      return NULL;
    }
  cell = memlane_cell_ref (((const MemlaneRun *) runs->pdata[0])->cells->pdata[0]);
  if (!take_lists (message, "samples", cell, take_samples, error) || !take_lists (message, "marks", cell, take_marks, error))
    return NULL;
  return g_steal_pointer (&cell);
}

/* --- values ------------------------------------------------------------------------------------------------------------------ */

#define VALUE(member, type, ...) { #member, type, G_STRUCT_OFFSET (MemlaneValue, member), __VA_ARGS__ }

static const Member value_members[] = {
  VALUE (kind, INTEGER, 0, MEMLANE_VALUE_WORD), VALUE (count, INTEGER, 0, 1e9), VALUE (median, NUMBER, -1e300, 1e300),
  VALUE (low, NUMBER, -1e300, 1e300), VALUE (high, NUMBER, -1e300, 1e300), VALUE (loose, FLAG, 0, 0), VALUE (word, TEXT, 0, 0),
  VALUE (doubt, INTEGER, 0, MEMLANE_N_DOUBTS - 1), VALUE (why, TEXT, 0, 0),
};

void
memlane_message_set_value (JsonObject *message, const MemlaneValue *value)
{
  static const MemlaneValue unknown = { .kind = MEMLANE_VALUE_NONE, .doubt = MEMLANE_DOUBT_UNKNOWN };
  gboolean finite = isfinite (value->median) && isfinite (value->low) && isfinite (value->high);

  /* JSON has no other numbers. */
  set_members (message, value_members, G_N_ELEMENTS (value_members), finite ? value : &unknown);
}

gboolean
memlane_message_get_value (JsonObject *message, MemlaneValue *value, GError **error)
{
  memset (value, 0, sizeof *value);
  if (get_members (message, value_members, G_N_ELEMENTS (value_members), value, error))
    return TRUE;
  memlane_value_clear (value);
  return FALSE;
}

/* --- errors ------------------------------------------------------------------------------------------------------------------ */

static const char *const device_errors[] = {
  [MEMLANE_DEVICE_ERROR_FAILED] = "failed", [MEMLANE_DEVICE_ERROR_UNSUPPORTED] = "unsupported",
  [MEMLANE_DEVICE_ERROR_OUT_OF_MEMORY] = "out-of-memory", [MEMLANE_DEVICE_ERROR_INVALID] = "invalid",
  [MEMLANE_DEVICE_ERROR_UNAVAILABLE] = "unavailable", [MEMLANE_DEVICE_ERROR_LOST] = "lost", [MEMLANE_DEVICE_ERROR_TIMEOUT] = "timeout",
};

void
memlane_message_set_error (JsonObject *message, const GError *error)
{
  if (error->domain == MEMLANE_DEVICE_ERROR && (guint) error->code < G_N_ELEMENTS (device_errors))
    json_object_set_string_member (message, "code", device_errors[error->code]);
  else if (g_error_matches (error, G_IO_ERROR, G_IO_ERROR_CANCELLED))
    json_object_set_string_member (message, "code", "cancelled");
  else
    json_object_set_string_member (message, "code", "other");
  memlane_message_set_text (message, "message", error->message);
}

GError *
memlane_message_get_error (JsonObject *message, const char *host)
{
  const char *code, *text;
  GError *bad = NULL;

  if (!memlane_message_get_text (message, "code", MEMLANE_WORKER_LONGEST_NAME, &code, &bad)
      || !memlane_message_get_text (message, "message", MEMLANE_WORKER_LONGEST_SENTENCE, &text, &bad))
    {
      g_prefix_error (&bad, "%s: ", host);
      return bad;
    }
  for (guint i = 0; i < G_N_ELEMENTS (device_errors); i++)
    if (strcmp (code, device_errors[i]) == 0)
      return g_error_new_literal (MEMLANE_DEVICE_ERROR, (int) i, text);
  return g_error_new_literal (G_IO_ERROR, strcmp (code, "cancelled") == 0 ? G_IO_ERROR_CANCELLED : G_IO_ERROR_FAILED, text);
}
