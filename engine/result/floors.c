/* floors.c: reading the floors out of an environment
 *
 * SPDX-License-Identifier: MIT
 */
#include "floors.h"

#include <math.h>

#include "base/json-tree.h"

/* A time in nanoseconds at most an hour long; anything else is unknown. */
static double
get_time (JsonNode *node)
{
  double value = node != NULL && JSON_NODE_HOLDS_VALUE (node) ? json_node_get_double (node) : 0;

  return isfinite (value) && value > 0 && value <= 3600e9 ? value : 0;
}

static JsonArray *
get_array (JsonObject *object, const char *name)
{
  JsonNode *node = json_object_get_member (object, name);

  return node != NULL && JSON_NODE_HOLDS_ARRAY (node) ? json_node_get_array (node) : NULL;
}

static void
read_kernels (JsonObject *object, MemlaneFloors *floors)
{
  JsonArray *sizes = get_array (object, "log2_elements"), *alone = get_array (object, "alone_ns");
  JsonArray *in_a_row = get_array (object, "in_a_row_ns");
  guint n = sizes != NULL ? json_array_get_length (sizes) : 0;
  double before = 0;

  if (n == 0 || n > MEMLANE_MOST_FLOOR_SIZES || alone == NULL || json_array_get_length (alone) != n || in_a_row == NULL
      || json_array_get_length (in_a_row) != n)
    return;
  for (guint i = 0; i < n; i++)
    {
      double size = get_time (json_array_get_element (sizes, i));

      if (!(size > before) || size > 63 || size != floor (size))
        {
          floors->n_kernels = 0;
          return;
        }
      floors->kernels[floors->n_kernels++] = (MemlaneKernelFloor) {
        (guint) size, get_time (json_array_get_element (alone, i)), get_time (json_array_get_element (in_a_row, i)),
      };
      before = size;
    }
}

gboolean
memlane_floors_read (const MemlaneRun *run, MemlaneFloors *floors)
{
  g_autoptr (JsonNode) root = run->environment != NULL ? memlane_json_tree_read (run->environment, -1, run->id, NULL) : NULL;
  JsonNode *node = root != NULL && JSON_NODE_HOLDS_OBJECT (root) ? json_object_get_member (json_node_get_object (root), "floors") : NULL;
  JsonObject *object = node != NULL && JSON_NODE_HOLDS_OBJECT (node) ? json_node_get_object (node) : NULL;
  JsonNode *kernels;

  *floors = (MemlaneFloors) { 0 };
  if (object == NULL)
    return FALSE;
  floors->device_tick_ns = get_time (json_object_get_member (object, "device_tick_ns"));
  floors->host_tick_ns = get_time (json_object_get_member (object, "host_tick_ns"));
  floors->host_pair_ns = get_time (json_object_get_member (object, "host_pair_ns"));
  floors->event_pair_ns = get_time (json_object_get_member (object, "event_pair_ns"));
  floors->launch_ns = get_time (json_object_get_member (object, "launch_ns"));
  kernels = json_object_get_member (object, "kernels");
  if (kernels != NULL && JSON_NODE_HOLDS_OBJECT (kernels))
    read_kernels (json_node_get_object (kernels), floors);
  return TRUE;
}

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
      const MemlaneKernelFloor *here = &self->kernels[i], *before = &self->kernels[i > 0 ? i - 1 : 0];
      double size = ldexp (1, (int) here->log2_elements), smaller = ldexp (1, (int) before->log2_elements);

      if (elements > size)
        continue;
      if (i == 0 || before->in_a_row_ns <= 0 || here->in_a_row_ns <= 0)
        return here->in_a_row_ns;
      return before->in_a_row_ns + (here->in_a_row_ns - before->in_a_row_ns) * (elements - smaller) / (size - smaller);
    }
  return 0;
}
