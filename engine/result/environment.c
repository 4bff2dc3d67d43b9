/* environment.c: the record of where and how a run was measured
 *
 * SPDX-License-Identifier: MIT
 */
#include "environment.h"

#include <math.h>
#include <string.h>

#include "base/each.h"
#include "base/data-file.h"
#include "base/device-id.h"
#include "base/fail.h"
#include "base/i18n.h"
#include "base/json.h"
#include "base/owns.h"
#include "base/reader-limits.h"
#include "columns.h"

typedef enum { TEXT, COUNT, NUMBER, FLAG, TEXTS, COUNTS, NUMBERS } Type; /* from TEXTS on: lists */

static const struct
{
  const char *path;
  Type type;
  guint meaning;
  const char *label;
} list[] = {
#define OTHER_METHOD MEMLANE_ENVIRONMENT_OTHER_METHOD
#define OTHER_MACHINE MEMLANE_ENVIRONMENT_OTHER_MACHINE
#define OTHER_OCCASION MEMLANE_ENVIRONMENT_OTHER_OCCASION
#define OF_HOST MEMLANE_ENVIRONMENT_OF_HOST
#define IF_BOTH MEMLANE_ENVIRONMENT_IF_BOTH
#define ROW(name, path, type, meaning, label)                                                      \
  [MEMLANE_ENVIRONMENT_##name] = { path, type, meaning, label },
  MEMLANE_ENVIRONMENT_MEMBERS (ROW)
};

struct _MemlaneEnvironment
{
  int ref_count;  /* atomic */
  char *json;
  JsonNode *root; /* an object, sealed */
  JsonNode *members[MEMLANE_N_ENVIRONMENT_MEMBERS]; /* in @root; NULL: unknown */
  gboolean has_floors;
  MemlaneFloors floors;
  GArray *rounds; /* MemlaneEnvironmentRound, whose texts are in @root */
};

/* --- parsing ---------------------------------------------------------------------------------- */

/* (nullable): the node at @path. */
static JsonNode *
look_up (JsonObject *object, const char *path)
{
  const char *slash;

  while (object != NULL && (slash = strchr (path, '/')) != NULL)
    {
      g_autofree char *name = g_strndup (path, (gsize) (slash - path));

      object = memlane_json_get_object (object, name);
      path = slash + 1;
    }
  return object != NULL ? json_object_get_member (object, path) : NULL;
}

static gboolean
holds (JsonNode *node, Type type)
{
  GType value = node != NULL && JSON_NODE_HOLDS_VALUE (node) ? json_node_get_value_type (node)
                                                             : G_TYPE_INVALID;

  if (type >= TEXTS)
    return node != NULL && JSON_NODE_HOLDS_ARRAY (node);
  return type == TEXT   ? value == G_TYPE_STRING
         : type == FLAG ? value == G_TYPE_BOOLEAN
                        : value == G_TYPE_INT64 || value == G_TYPE_DOUBLE;
}

/* A time in nanoseconds at most an hour long; anything else is unknown: 0. */
static double
get_time (JsonNode *node)
{
  double value = holds (node, NUMBER) ? json_node_get_double (node) : 0;

  return isfinite (value) && value > 0 && value <= 3600e9 ? value : 0;
}

static void
parse_kernels (MemlaneEnvironment *self)
{
  static const MemlaneEnvironmentMember members[] = { MEMLANE_ENVIRONMENT_FLOOR_KERNEL_SIZES,
                                                      MEMLANE_ENVIRONMENT_FLOOR_KERNELS_ALONE,
                                                      MEMLANE_ENVIRONMENT_FLOOR_KERNELS_IN_A_ROW };
  JsonArray *lists[G_N_ELEMENTS (members)];
  double before = 0;
  guint n = 0;

  for (guint i = 0; i < G_N_ELEMENTS (members); i++)
    {
      lists[i] = self->members[members[i]] != NULL ? json_node_get_array (self->members[members[i]])
                                                   : NULL;
      if (lists[i] == NULL || (i > 0 && json_array_get_length (lists[i]) != n))
        return;
      n = json_array_get_length (lists[i]);
    }
  for (guint i = 0; i < n && n <= MEMLANE_MOST_FLOOR_SIZES; i++)
    {
      double size = get_time (json_array_get_element (lists[0], i));

      if (!(size > before) || size > 63 || size != floor (size))
        return;
      self->floors.kernels[i] = (MemlaneKernelFloor) {
        (guint) size,
        get_time (json_array_get_element (lists[1], i)),
        get_time (json_array_get_element (lists[2], i)),
      };
      before = size;
    }
  self->floors.n_kernels = n <= MEMLANE_MOST_FLOOR_SIZES ? n : 0;
}

static void
parse_floors (MemlaneEnvironment *self)
{
  self->has_floors = memlane_json_get_object (json_node_get_object (self->root), "floors") != NULL;
  self->floors = (MemlaneFloors) {
    .device_tick_ns = get_time (self->members[MEMLANE_ENVIRONMENT_FLOOR_DEVICE_TICK]),
    .host_tick_ns = get_time (self->members[MEMLANE_ENVIRONMENT_FLOOR_HOST_TICK]),
    .host_pair_ns = get_time (self->members[MEMLANE_ENVIRONMENT_FLOOR_HOST_PAIR]),
    .event_pair_ns = get_time (self->members[MEMLANE_ENVIRONMENT_FLOOR_EVENT_PAIR]),
    .launch_ns = get_time (self->members[MEMLANE_ENVIRONMENT_FLOOR_LAUNCH]),
  };
  parse_kernels (self);
}

static gint64
find_count (JsonObject *object, const char *name)
{
  JsonNode *node = json_object_get_member (object, name);

  return holds (node, COUNT) ? json_node_get_int (node) : 0;
}

/* A list of as many times as there are probes; anything else is unknown. */
static MemlaneHostProbe
find_probe (JsonObject *object, const char *name)
{
  JsonArray *array = memlane_json_get_array (object, name);
  MemlaneHostProbe probe = { { 0 } };

  for (guint i = 0;
       array != NULL && json_array_get_length (array) == MEMLANE_N_PROBES && i < MEMLANE_N_PROBES;
       i++)
    {
      probe.ns[i] = get_time (json_array_get_element (array, i));
      if (!(probe.ns[i] > 0))
        return (MemlaneHostProbe) { { 0 } };
    }
  return probe;
}

static void
parse_rounds (MemlaneEnvironment *self)
{
  JsonArray *rounds = memlane_json_get_array (json_node_get_object (self->root), "rounds");

  for (guint i = 0; rounds != NULL && i < json_array_get_length (rounds); i++)
    {
      JsonObject *object = memlane_json_element_object (rounds, i);
      MemlaneEnvironmentRound round;

      if (object == NULL)
        continue;
      round = (MemlaneEnvironmentRound) {
        .round = (guint) find_count (object, "round"),
        .took_ms = find_count (object, "took_ms"),
        .cells = (guint) find_count (object, "cells"),
        .void_tries = (guint) find_count (object, "void_tries"),
        .first_pinned_ns = get_time (json_object_get_member (object, "first_pinned_ns")),
        .begun = memlane_json_get_text (object, "begun"),
        .throttled = memlane_json_get_text (object, "throttled"),
        .best = find_probe (object, "host_best_ns"),
        .usual = find_probe (object, "host_usual_ns"),
      };
      g_array_append_val (self->rounds, round);
    }
}

/* @root and @json: (transfer full). */
static MemlaneEnvironment *
take (JsonNode *root, char *json)
{
  MemlaneEnvironment *self = g_new0 (MemlaneEnvironment, 1);

  self->ref_count = 1;
  self->json = json;
  self->root = root;
  self->rounds = g_array_new (FALSE, FALSE, sizeof (MemlaneEnvironmentRound));
  json_node_seal (root);
  for (guint i = 0; i < MEMLANE_N_ENVIRONMENT_MEMBERS; i++)
    {
      JsonNode *node = look_up (json_node_get_object (root), list[i].path);

      self->members[i] = holds (node, list[i].type) ? node : NULL;
    }
  parse_floors (self);
  parse_rounds (self);
  return self;
}

MEMLANE_DEFINE_REF (MemlaneEnvironment, memlane_environment,
                    OWNS (json, g_free) OWNS (root, json_node_unref)
                        OWNS (rounds, g_array_unref))

/* --- reading a file --------------------------------------------------------------------------- */

/* A name of a megabyte takes a window minutes to lay out. TRUE: something was cut. */
static gboolean
cut_texts (JsonNode *node, glong most)
{
  gboolean is_cut = FALSE;

  if (JSON_NODE_HOLDS_OBJECT (node))
    {
      g_autoptr (GList) names = json_object_get_members (json_node_get_object (node));

      for (GList *at = names; at != NULL; at = at->next)
        is_cut |= cut_texts (json_object_get_member (json_node_get_object (node), at->data),
                             strcmp (at->data, "statement") == 0
                                     || strcmp (at->data, "calibrated_from") == 0
                                 ? MEMLANE_ENVIRONMENT_LONGEST_STATEMENT
                                 : MEMLANE_ENVIRONMENT_LONGEST_TEXT);
    }
  else if (JSON_NODE_HOLDS_ARRAY (node))
    for (guint i = 0; i < json_array_get_length (json_node_get_array (node)); i++)
      is_cut |= cut_texts (json_array_get_element (json_node_get_array (node), i),
                           MEMLANE_ENVIRONMENT_LONGEST_TEXT);
  else if (JSON_NODE_HOLDS_VALUE (node) && json_node_get_value_type (node) == G_TYPE_STRING
           && g_utf8_strlen (json_node_get_string (node), -1) > most)
    {
      const char *text = json_node_get_string (node);
      g_autofree char *cut = g_strdup_printf (
          "%.*s...", (int) (g_utf8_offset_to_pointer (text, most - 3) - text), text);

      json_node_set_string (node, cut);
      is_cut = TRUE;
    }
  return is_cut;
}

MemlaneEnvironment *
memlane_environment_parse (const char *text, gssize length, const char *name, GError **error)
{
  g_autoptr (JsonNode) root = memlane_json_tree_read (text, length, name, error);
  g_autofree char *shown = g_filename_display_name (name), *json = NULL;

  if (root == NULL)
    return NULL;
  if (!JSON_NODE_HOLDS_OBJECT (root))
    return memlane_refuse (error, "%s:1:1: found no object, expected {\"device\": ...", shown),
           NULL;
  if (cut_texts (root, MEMLANE_ENVIRONMENT_LONGEST_TEXT))
    {
      g_autoptr (JsonNode) again = NULL;

      json = json_to_string (root, TRUE);
      again = memlane_json_tree_read (json, -1, name, NULL);
      if (again == NULL) /* json-glib writes 1e-99 as 1e-99.0, which is no JSON */
        return memlane_refuse (error,
                               "%s: found a number that cannot be written again, expected none "
                               "beside texts of more than %d characters",
                               shown, MEMLANE_ENVIRONMENT_LONGEST_TEXT),
               NULL;
    }
  else
    json = g_strndup (text, length >= 0 ? (gsize) length : strlen (text));
  return take (g_steal_pointer (&root), g_steal_pointer (&json));
}

MemlaneEnvironment *
memlane_environment_read (const char *path, GError **error)
{
  g_autoptr (MemlaneEnvironment) self = NULL;
  g_autofree char *text = NULL, *shown = g_filename_display_name (path);
  g_autoptr (GError) problem = NULL;
  const char *id, *kind;
  double format;
  gsize length;

  if (!memlane_small_file_read (path, MEMLANE_ENVIRONMENT_MOST_BYTES, &text, &length, &problem))
    {
      if (!g_error_matches (problem, G_FILE_ERROR, G_FILE_ERROR_NOENT))
        g_set_error (error, MEMLANE_FILE_ERROR,
                     g_error_matches (problem, G_FILE_ERROR, G_FILE_ERROR_INVAL)
                         ? MEMLANE_FILE_ERROR_BAD
                         : MEMLANE_FILE_ERROR_IO,
                     "cannot read %s: %s", shown, problem->message);
      return NULL;
    }
  self = memlane_environment_parse (text, (gssize) length, path, error);
  if (self == NULL)
    return NULL;
  format = memlane_environment_get_number (self, MEMLANE_ENVIRONMENT_FORMAT);
  if (format > MEMLANE_FORMAT)
    return memlane_refuse (error,
                           "%s: found format %g, expected at most %d: a newer Memlane wrote it",
                           shown, format, MEMLANE_FORMAT),
           NULL;
  id = memlane_environment_get_text (self, MEMLANE_ENVIRONMENT_DEVICE_ID);
  kind = memlane_environment_get_device_kind (self);
  /* A simulated device must not pass for a real one. */
  if (kind != NULL
      && ((id != NULL && !memlane_device_id_fits (id, kind))
          || (self->members[MEMLANE_ENVIRONMENT_SIMULATED] != NULL
              && memlane_environment_get_flag (self, MEMLANE_ENVIRONMENT_SIMULATED)
                     != memlane_device_kind_is_simulated (kind))))
    return memlane_refuse (
               error,
               "%s: device: found the kind %s, expected one that \"id\" and \"simulated\" allow",
               shown, kind),
           NULL;
  return g_steal_pointer (&self);
}

/* --- what it says ----------------------------------------------------------------------------- */

const char *
memlane_environment_get_json (const MemlaneEnvironment *self)
{
  return self != NULL ? self->json : NULL;
}

/* (nullable): the node of @member, if that is of @type or @other. */
static JsonNode *
get (const MemlaneEnvironment *self, MemlaneEnvironmentMember member, Type type, Type other)
{
  return self != NULL && (list[member].type == type || list[member].type == other)
             ? self->members[member]
             : NULL;
}

const char *
memlane_environment_get_text (const MemlaneEnvironment *self, MemlaneEnvironmentMember member)
{
  JsonNode *node = get (self, member, TEXT, TEXT);
  const char *text = node != NULL ? json_node_get_string (node) : NULL;

  return text != NULL && *text != '\0' ? text : NULL;
}

double
memlane_environment_get_number (const MemlaneEnvironment *self, MemlaneEnvironmentMember member)
{
  JsonNode *node = get (self, member, COUNT, NUMBER);

  return node != NULL ? json_node_get_double (node) : NAN;
}

gboolean
memlane_environment_get_flag (const MemlaneEnvironment *self, MemlaneEnvironmentMember member)
{
  JsonNode *node = get (self, member, FLAG, FLAG);

  return node != NULL && json_node_get_boolean (node);
}

guint
memlane_environment_count_planned (const MemlaneEnvironment *self, double *first_log2,
                                   double *last_log2)
{
  JsonNode *modes = get (self, MEMLANE_ENVIRONMENT_MODES, TEXTS, TEXTS),
           *sizes = get (self, MEMLANE_ENVIRONMENT_SIZES, COUNTS, NUMBERS),
           *listed = get (self, MEMLANE_ENVIRONMENT_LISTED_SIZES, NUMBERS, NUMBERS);
  const guint n_modes = modes != NULL ? json_array_get_length (json_node_get_array (modes)) : 0;
  JsonArray *ends = sizes != NULL ? json_node_get_array (sizes) : NULL;
  const gboolean two = ends != NULL && json_array_get_length (ends) == 2;
  const double first = two ? json_array_get_double_element (ends, 0) : NAN,
               last = two ? json_array_get_double_element (ends, 1) : NAN;
  const gboolean powers = listed == NULL && n_modes > 0 && first == floor (first)
                          && last == floor (last) && last >= first && last - first < 64;

  *first_log2 = powers ? first : 1;
  *last_log2 = powers ? last : 0;
  return n_modes * (listed != NULL ? json_array_get_length (json_node_get_array (listed))
                    : powers       ? (guint) (last - first + 1)
                                   : 0);
}

gboolean
memlane_run_is_whole (const MemlaneRun *run, guint *n_measured, guint *n_planned)
{
  double first;
  double last;

  *n_measured = 0;
  *n_planned = memlane_environment_count_planned (run->environment, &first, &last);
  MEMLANE_FOR_EACH (const MemlaneCell, cell, run->cells)
    *n_measured += cell->status != MEMLANE_STATUS_CANCELLED;
  return *n_measured >= *n_planned;
}

char *
memlane_environment_format (const MemlaneEnvironment *self, MemlaneEnvironmentMember member)
{
  JsonNode *node = self != NULL ? self->members[member] : NULL;
  char digits[G_ASCII_DTOSTR_BUF_SIZE];

  if (node == NULL || !JSON_NODE_HOLDS_VALUE (node))
    return NULL;
  switch (json_node_get_value_type (node))
    {
    case G_TYPE_STRING:
      return g_strdup (json_node_get_string (node));
    case G_TYPE_BOOLEAN:
      return g_strdup (json_node_get_boolean (node) ? "true" : "false");
    case G_TYPE_INT64:
      return g_strdup_printf ("%" G_GINT64_FORMAT, json_node_get_int (node));
    default: /* a double; the shortest form: 0.02, not 0.02000000000000000042 */
      return g_strdup (
          g_ascii_formatd (digits, sizeof digits, "%.15g", json_node_get_double (node)));
    }
}

const MemlaneFloors *
memlane_environment_get_floors (const MemlaneEnvironment *self)
{
  return self != NULL && self->has_floors ? &self->floors : NULL;
}

const MemlaneEnvironmentRound *
memlane_environment_get_rounds (const MemlaneEnvironment *self, guint *n)
{
  *n = self != NULL ? self->rounds->len : 0;
  return *n > 0 ? (const MemlaneEnvironmentRound *) self->rounds->data : NULL;
}

const char *
memlane_environment_get_meaning (MemlaneEnvironmentMember member,
                                 MemlaneEnvironmentMeaning *meaning)
{
  *meaning = list[member].meaning;
  return list[member].label;
}

const char *
memlane_environment_get_device_kind (const MemlaneEnvironment *self)
{
  const char *kind = memlane_environment_get_text (self, MEMLANE_ENVIRONMENT_DEVICE_KIND);
  const char *id = memlane_environment_get_text (self, MEMLANE_ENVIRONMENT_DEVICE_ID);

  return kind != NULL || id == NULL ? kind : memlane_device_id_get_kind (id);
}

/* --- building one ----------------------------------------------------------------------------- */

static JsonObject *
copy_members (JsonObject *object)
{
  JsonObject *copy = json_object_new ();
  g_autoptr (GList) names = json_object_get_members (object);

  for (GList *at = names; at != NULL; at = at->next)
    json_object_set_member (copy, at->data,
                            json_node_ref (json_object_get_member (object, at->data)));
  return copy;
}

/* @node: (transfer full). */
static void
put (JsonObject *root, MemlaneEnvironmentMember member, JsonNode *node)
{
  g_auto (GStrv) names = g_strsplit (list[member].path, "/", 0);
  JsonObject *object = root;
  char **name = names;

  for (; name[1] != NULL; name++)
    {
      JsonObject *before = memlane_json_get_object (object, *name), *inner = before;

      /* immutable: it belongs to the environment that was copied, too */
      if (before == NULL || json_object_is_immutable (before))
        json_object_set_object_member (
            object, *name, inner = before != NULL ? copy_members (before) : json_object_new ());
      object = inner;
    }
  json_object_set_member (object, *name, node);
}

static JsonNode *
make_text (const char *text)
{
  g_autofree char *valid = g_utf8_make_valid (text, -1);

  return json_node_init_string (json_node_alloc (), valid);
}

static JsonNode *
make_number (double value, gboolean is_count)
{
  return is_count ? json_node_init_int (json_node_alloc (), (gint64) value)
                  : json_node_init_double (json_node_alloc (), value);
}

double
memlane_known (double value)
{
  return value > 0 ? value : NAN;
}

static JsonNode *
make_list (const MemlaneEnvironmentValue *value, gboolean is_counts)
{
  g_autoptr (JsonArray) array = json_array_new ();

  for (guint i = 0; value->texts != NULL && i < value->texts->len; i++)
    json_array_add_element (array, make_text (value->texts->pdata[i]));
  for (guint i = 0; i < value->n; i++)
    json_array_add_element (
        array, make_number (value->numbers[i],
                            is_counts && value->numbers[i] == floor (value->numbers[i])));
  return json_node_init_array (json_node_alloc (), array);
}

void
memlane_environment_put (JsonObject *root, const MemlaneEnvironmentValue *values, guint n)
{
  for (const MemlaneEnvironmentValue *value = values; value < values + n; value++)
    {
      const Type type = list[value->member].type;

      if (value->texts != NULL || value->n > 0)
        put (root, value->member, make_list (value, type == COUNTS));
      else if (type == TEXT && value->text != NULL && *value->text != '\0')
        put (root, value->member, make_text (value->text));
      else if (type == FLAG)
        put (root, value->member, json_node_init_boolean (json_node_alloc (), value->number != 0));
      else if ((type == COUNT || type == NUMBER) && !isnan (value->number))
        put (root, value->member, make_number (value->number, type == COUNT));
    }
}

void
memlane_environment_put_floors (JsonObject *root, const MemlaneFloors *floors)
{
  double sizes[MEMLANE_MOST_FLOOR_SIZES], alone[MEMLANE_MOST_FLOOR_SIZES],
      in_a_row[MEMLANE_MOST_FLOOR_SIZES];
  const MemlaneEnvironmentValue values[] = {
    /* A clock without a visible step has a tick of 0, which is written. */
    { MEMLANE_ENVIRONMENT_FLOOR_DEVICE_TICK, .number = floors->device_tick_ns },
    { MEMLANE_ENVIRONMENT_FLOOR_HOST_TICK, .number = floors->host_tick_ns },
    { MEMLANE_ENVIRONMENT_FLOOR_HOST_PAIR, .number = memlane_known (floors->host_pair_ns) },
    { MEMLANE_ENVIRONMENT_FLOOR_EVENT_PAIR, .number = memlane_known (floors->event_pair_ns) },
    { MEMLANE_ENVIRONMENT_FLOOR_LAUNCH, .number = memlane_known (floors->launch_ns) },
    { MEMLANE_ENVIRONMENT_FLOOR_KERNEL_SIZES, .numbers = sizes, .n = floors->n_kernels },
    { MEMLANE_ENVIRONMENT_FLOOR_KERNELS_ALONE, .numbers = alone, .n = floors->n_kernels },
    { MEMLANE_ENVIRONMENT_FLOOR_KERNELS_IN_A_ROW, .numbers = in_a_row, .n = floors->n_kernels },
  };

  for (guint i = 0; i < floors->n_kernels; i++)
    {
      sizes[i] = floors->kernels[i].log2_elements;
      alone[i] = floors->kernels[i].alone_ns;
      in_a_row[i] = floors->kernels[i].in_a_row_ns;
    }
  memlane_environment_put (root, values, G_N_ELEMENTS (values));
}

MemlaneEnvironment *
memlane_environment_new (JsonObject *root)
{
  JsonNode *node = json_node_init_object (json_node_alloc (), root);
  g_autofree char *text = json_to_string (node, TRUE);

  json_object_unref (root);
  return take (node, g_strconcat (text, "\n", NULL));
}

MemlaneEnvironment *
memlane_environment_with (const MemlaneEnvironment *self, const MemlaneEnvironmentValue *values,
                          guint n)
{
  JsonObject *root = copy_members (json_node_get_object (self->root));

  memlane_environment_put (root, values, n);
  return memlane_environment_new (root);
}

MemlaneEnvironment *
memlane_environment_without_host (const MemlaneEnvironment *self)
{
  JsonObject *root = copy_members (json_node_get_object (self->root)),
             *host = memlane_json_get_object (root, "host");

  if (host != NULL)
    {
      host = copy_members (host);
      json_object_remove_member (host, "name");
      json_object_remove_member (host, "boot_id");
      json_object_set_object_member (root, "host", host);
    }
  return memlane_environment_new (root);
}

static void
put_probe (JsonObject *object, const char *name, const MemlaneHostProbe *probe)
{
  JsonArray *array;

  if (!(probe->ns[0] > 0))
    return;
  array = json_array_new ();
  for (guint i = 0; i < MEMLANE_N_PROBES; i++)
    json_array_add_double_element (array, probe->ns[i]);
  json_object_set_array_member (object, name, array);
}

MemlaneEnvironment *
memlane_environment_with_round (const MemlaneEnvironment *self,
                                const MemlaneEnvironmentRound *round, const MemlaneFloors *floors,
                                JsonArray *states)
{
  JsonObject *root = copy_members (json_node_get_object (self->root)), *object = json_object_new ();
  JsonArray *before = memlane_json_get_array (root, "rounds"), *rounds = json_array_new ();

  for (guint i = 0; before != NULL && i < json_array_get_length (before); i++)
    json_array_add_element (rounds, json_node_ref (json_array_get_element (before, i)));
  json_object_set_int_member (object, "round", round->round);
  json_object_set_string_member (object, "begun", round->begun);
  json_object_set_int_member (object, "took_ms", round->took_ms);
  json_object_set_int_member (object, "cells", round->cells);
  json_object_set_int_member (object, "void_tries", round->void_tries);
  if (round->first_pinned_ns > 0)
    json_object_set_double_member (object, "first_pinned_ns", round->first_pinned_ns);
  put_probe (object, "host_best_ns", &round->best);
  put_probe (object, "host_usual_ns", &round->usual);
  if (floors != NULL)
    memlane_environment_put_floors (object, floors);
  if (round->throttled != NULL)
    json_object_set_string_member (object, "throttled", round->throttled);
  if (states != NULL && json_array_get_length (states) > 0)
    json_object_set_array_member (object, "states", json_array_ref (states));
  json_array_add_object_element (rounds, object);
  json_object_set_array_member (root, "rounds", rounds);
  return memlane_environment_new (root);
}

/* --- floors ----------------------------------------------------------------------------------- */

double
memlane_floors_get_tick (const MemlaneFloors *self, MemlaneClock clock)
{
  return clock == MEMLANE_CLOCK_DEVICE ? self->device_tick_ns : self->host_tick_ns;
}

double
memlane_floors_get_in_a_row (const MemlaneFloors *self, double elements)
{
  for (guint i = 0; i < self->n_kernels; i++)
    {
      const MemlaneKernelFloor *here = &self->kernels[i],
                               *before = &self->kernels[i > 0 ? i - 1 : 0];
      double size = ldexp (1, (int) here->log2_elements),
             smaller = ldexp (1, (int) before->log2_elements);

      if (elements > size)
        continue;
      if (i == 0 || before->in_a_row_ns <= 0 || here->in_a_row_ns <= 0)
        return here->in_a_row_ns;
      return before->in_a_row_ns
             + (here->in_a_row_ns - before->in_a_row_ns) * (elements - smaller) / (size - smaller);
    }
  return 0;
}
