/* same-machine.c: two environments compared
 *
 * SPDX-License-Identifier: MIT
 */
#include "same-machine.h"

#include <math.h>
#include <string.h>

#include "base/i18n.h"
#include "base/json-tree.h"

/* What a difference means. */
typedef enum
{
  OF_HOST = 1 << 0,    /* says nothing about a simulated device, whose figures are the same on every host */
  IF_BOTH = 1 << 1,    /* counts where both runs recorded it: older ones did not */
} Counts;

typedef struct
{
  const char *path;  /* in the environment */
  const char *label; /* in the list of differences; marked for translation, Memlane's own name apart */
  Counts counts;
} Fact;

/* Each in the order of its effect. */
static const Fact method[] = {
  { "method/reuse", NC_ ("machine", "reuse"), 0 },
  { "method/streams", NC_ ("machine", "streams"), 0 },
  { "method/chunks", NC_ ("machine", "chunks"), 0 },
  { "method/cold_cache", NC_ ("machine", "cold cache"), IF_BOTH },
  { "method/rounds", NC_ ("machine", "rounds"), IF_BOTH },
  { "method/precision", NC_ ("machine", "precision"), 0 },
  { "method/cell_seconds", NC_ ("machine", "seconds for a cell"), 0 },
  { "seed", NC_ ("machine", "seed"), IF_BOTH },
  { "memlane/version", "Memlane", 0 },
};
static const Fact machine[] = {
  { "device/kind", NC_ ("machine", "kind of device"), 0 },
  { "device/name", NC_ ("machine", "device"), 0 },
  { "device/uuid", NC_ ("machine", "UUID of the device"), IF_BOTH },
  { "device/memory_bytes", NC_ ("machine", "device memory"), 0 },
  { "device/calibrated_from", NC_ ("machine", "calibrated from"), 0 },
  { "link/generation", NC_ ("machine", "PCIe generation"), 0 },
  { "link/width", NC_ ("machine", "PCIe lanes"), 0 },
  { "device/driver", NC_ ("machine", "driver"), 0 },
  { "device/runtime", NC_ ("machine", "CUDA runtime"), 0 },
  { "host/cpu", NC_ ("machine", "CPU"), OF_HOST },
  { "host/logical_cpus", NC_ ("machine", "logical CPUs"), OF_HOST },
  { "host/kernel", NC_ ("machine", "kernel"), OF_HOST },
};
static const Fact occasion[] = {
  { "memlane/commit", NC_ ("machine", "commit"), IF_BOTH },
  { "host/boot_id", NC_ ("machine", "boot"), OF_HOST | IF_BOTH },
};

/* (transfer full) (nullable): the root, if it is an object. */
static JsonNode *
parse (const MemlaneRun *run)
{
  JsonNode *root = run->environment != NULL ? memlane_json_tree_read (run->environment, -1, run->id, NULL) : NULL;

  if (root != NULL && !JSON_NODE_HOLDS_OBJECT (root))
    g_clear_pointer (&root, json_node_unref);
  return root;
}

static JsonNode *
look_up (JsonNode *root, const char *path)
{
  g_auto (GStrv) names = g_strsplit (path, "/", 0);
  JsonNode *node = root;

  for (char **name = names; *name != NULL && node != NULL; name++)
    node = JSON_NODE_HOLDS_OBJECT (node) ? json_object_get_member (json_node_get_object (node), *name) : NULL;
  return node;
}

static char *
get_text (JsonNode *root, const char *path)
{
  JsonNode *node = root != NULL ? look_up (root, path) : NULL;
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
      return g_strdup (g_ascii_formatd (digits, sizeof digits, "%.15g", json_node_get_double (node)));
    }
}

char *
memlane_environment_get (const MemlaneRun *run, const char *path)
{
  g_autoptr (JsonNode) root = parse (run);

  return get_text (root, path);
}

double
memlane_environment_get_number (const MemlaneRun *run, const char *path)
{
  g_autoptr (JsonNode) root = parse (run);
  JsonNode *node = root != NULL ? look_up (root, path) : NULL;

  if (node == NULL || !JSON_NODE_HOLDS_VALUE (node))
    return NAN;
  if (json_node_get_value_type (node) == G_TYPE_INT64)
    return (double) json_node_get_int (node);
  return json_node_get_value_type (node) == G_TYPE_DOUBLE ? json_node_get_double (node) : NAN;
}

/* What differs among @facts goes to @differences; how many there are. One that one run alone recorded may be another: it differs. */
static guint
compare (JsonNode *a, JsonNode *b, const Fact *facts, guint n, gboolean without_host, GPtrArray *differences)
{
  guint before = differences->len;

  for (guint i = 0; i < n; i++)
    {
      g_autofree char *x = get_text (a, facts[i].path), *y = get_text (b, facts[i].path);

      if ((without_host && (facts[i].counts & OF_HOST) != 0) || ((facts[i].counts & IF_BOTH) != 0 && (x == NULL || y == NULL))
          || g_strcmp0 (x, y) == 0)
        continue;
      g_ptr_array_add (differences, g_strdup_printf ("%s: %s and %s", facts[i].label, x != NULL ? x : "not recorded",
                                                     y != NULL ? y : "not recorded"));
    }
  return differences->len - before;
}

static char *
join (GPtrArray *differences)
{
  GString *text = g_string_new (NULL);

  for (guint i = 0; i < differences->len; i++)
    g_string_append_printf (text, "%s%s", i > 0 ? "; " : "", (const char *) differences->pdata[i]);
  return g_string_free (text, FALSE);
}

MemlaneMachineComparison *
memlane_machine_compare (const MemlaneRun *a, const MemlaneRun *b)
{
  MemlaneMachineComparison *self = g_new0 (MemlaneMachineComparison, 1);
  g_autoptr (JsonNode) x = parse (a), y = parse (b);
  g_autofree char *name = get_text (x, "device/name"), *other = get_text (y, "device/name");
  g_autofree char *kind = get_text (x, "device/kind"), *other_kind = get_text (y, "device/kind"), *listed = NULL;
  gboolean simulated = g_strcmp0 (kind, "simulated") == 0 && g_strcmp0 (other_kind, "simulated") == 0;
  guint differing, ways;

  self->differences = g_ptr_array_new_with_free_func (g_free);
  if (name == NULL || other == NULL)
    {
      self->verdict = MEMLANE_MACHINE_UNKNOWN;
      if (name == NULL && other == NULL)
        self->sentence = g_strdup ("Nothing tells whether the machine is the same: no run has an environment that can be read.");
      else
        self->sentence = g_strdup_printf ("Nothing tells whether the machine is the same: run %s has no environment that can be read.",
                                          name == NULL ? a->id : b->id);
      return self;
    }
  ways = compare (x, y, method, G_N_ELEMENTS (method), simulated, self->differences); /* what changes figures most comes first */
  differing = compare (x, y, machine, G_N_ELEMENTS (machine), simulated, self->differences);
  ways += compare (x, y, occasion, G_N_ELEMENTS (occasion), simulated, self->differences); /* which says least, last */
  listed = join (self->differences);
  self->verdict = differing > 0 ? MEMLANE_MACHINE_DIFFERENT : MEMLANE_MACHINE_SAME;
  if (differing > 0)
    self->sentence = g_strdup_printf ("Different machines: %s.", listed);
  else if (ways > 0)
    self->sentence = g_strdup_printf ("The same machine, measured in another way: %s.", listed);
  else
    self->sentence = g_strdup_printf ("The same machine: %s.", name);
  return self;
}

void
memlane_machine_comparison_free (MemlaneMachineComparison *comparison)
{
  if (comparison == NULL)
    return;
  g_ptr_array_unref (comparison->differences);
  g_free (comparison->sentence);
  g_free (comparison);
}
