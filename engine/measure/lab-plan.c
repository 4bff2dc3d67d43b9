/* lab-plan.c: the stream laboratory's words, and what may be asked of it
 *
 * SPDX-License-Identifier: MIT
 */
#include "lab.h"

#include <string.h>

#include "base/i18n.h"
#include "plan.h"

static const struct
{
  const char *name, *title, *summary;
} orders[] = {
  { "depth-first", N_ ("Depth first"),
    N_ ("Up, kernel and down of one chunk, then the next chunk. On a device with one copy engine the copy down holds up the next "
        "chunk's copies, so nothing overlaps.") },
  { "breadth-first", N_ ("Breadth first"),
    N_ ("All copies up, then all kernels, then all copies down. On a device with one copy engine copies and kernels of different "
        "chunks overlap.") },
};

static const struct
{
  const char *name, *title, *summary;
} betweens[] = {
  { "nothing", N_ ("Nothing"), N_ ("Nothing stands between the two halves: they overlap as far as engines and order allow.") },
  { "pinned-allocation", N_ ("Page-locked allocation"),
    N_ ("cudaMallocHost between the two halves. The programming guide lists it: commands before and after it, in different streams, do "
        "not overlap. See whether this device waits, or whether the call alone takes so long.") },
  { "device-allocation", N_ ("Device allocation"),
    N_ ("cudaMalloc between the two halves. The programming guide lists it: commands before and after it, in different streams, do not "
        "overlap. See whether this device waits, or whether the call alone takes so long.") },
  { "device-memset", N_ ("Device memory set"),
    N_ ("cudaMemset between the two halves: it goes to the default stream, so blocking streams wait for it and it for them; "
        "non-blocking streams do not.") },
  { "device-copy", N_ ("Copy on the device"),
    N_ ("cudaMemcpy between two addresses of the device between the two halves: it goes to the default stream, so blocking streams wait "
        "for it and it for them; non-blocking streams do not.") },
  { "default-stream", N_ ("Kernel on the default stream"),
    N_ ("A kernel on the default stream between the two halves: blocking streams wait for it and it for them; non-blocking streams do "
        "not.") },
};

G_STATIC_ASSERT (G_N_ELEMENTS (orders) == MEMLANE_LAB_N_ORDERS);
G_STATIC_ASSERT (G_N_ELEMENTS (betweens) == MEMLANE_LAB_N_BETWEENS);

const char *
memlane_lab_order_name (MemlaneLabOrder order)
{
  return orders[order].name;
}

const char *
memlane_lab_order_title (MemlaneLabOrder order)
{
  return orders[order].title;
}

const char *
memlane_lab_order_summary (MemlaneLabOrder order)
{
  return orders[order].summary;
}

const char *
memlane_lab_between_name (MemlaneLabBetween between)
{
  return betweens[between].name;
}

const char *
memlane_lab_between_title (MemlaneLabBetween between)
{
  return betweens[between].title;
}

const char *
memlane_lab_between_summary (MemlaneLabBetween between)
{
  return betweens[between].summary;
}

gboolean
memlane_lab_order_find (const char *name, MemlaneLabOrder *order)
{
  for (guint i = 0; i < MEMLANE_LAB_N_ORDERS; i++)
    if (strcmp (orders[i].name, name) == 0)
      {
        *order = (MemlaneLabOrder) i;
        return TRUE;
      }
  return FALSE;
}

gboolean
memlane_lab_between_find (const char *name, MemlaneLabBetween *between)
{
  for (guint i = 0; i < MEMLANE_LAB_N_BETWEENS; i++)
    if (strcmp (betweens[i].name, name) == 0)
      {
        *between = (MemlaneLabBetween) i;
        return TRUE;
      }
  return FALSE;
}

gboolean
memlane_lab_plan_check (const MemlaneLabPlan *plan, MemlaneLabPlan *checked, GError **error)
{
  MemlaneLabPlan filled = *plan;
  const struct
  {
    const char *name;
    guint *value, standard, least, most;
  } numbers[] = {
    { "size", &filled.log2_elements, 20, MEMLANE_LAB_SMALLEST_LOG2, MEMLANE_LARGEST_LOG2 },
    { "streams", &filled.streams, 2, 1, MEMLANE_MOST_STREAMS },
    { "chunks", &filled.chunks, 4, 1, MEMLANE_MOST_CHUNKS },
    { "reuse", &filled.reuse, 1, 1, MEMLANE_LAB_MOST_REUSE },
  };

  for (guint i = 0; i < G_N_ELEMENTS (numbers); i++)
    {
      if (*numbers[i].value == 0)
        *numbers[i].value = numbers[i].standard;
      if (*numbers[i].value >= numbers[i].least && *numbers[i].value <= numbers[i].most)
        continue;
      g_set_error (error, MEMLANE_DEVICE_ERROR, MEMLANE_DEVICE_ERROR_INVALID, "%s %u: expected %u to %u", numbers[i].name,
                   *numbers[i].value, numbers[i].least, numbers[i].most);
      return FALSE;
    }
  if ((guint) filled.order >= MEMLANE_LAB_N_ORDERS || (guint) filled.between >= MEMLANE_LAB_N_BETWEENS)
    {
      gboolean order = (guint) filled.order >= MEMLANE_LAB_N_ORDERS;

      g_set_error (error, MEMLANE_DEVICE_ERROR, MEMLANE_DEVICE_ERROR_INVALID, "%s %u: expected 0 to %u", order ? "order" : "between",
                   order ? (guint) filled.order : (guint) filled.between, (order ? MEMLANE_LAB_N_ORDERS : MEMLANE_LAB_N_BETWEENS) - 1);
      return FALSE;
    }
  *checked = filled;
  return TRUE;
}
