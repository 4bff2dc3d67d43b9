/* same-info.h: a device as it is described and as it is found when open
 *
 * SPDX-License-Identifier: MIT
 */
#pragma once

#include "device/device.h"

/* All of it; but a GPU tells its link and its priorities only when it is open. */
static inline void
assert_same_info (const MemlaneDeviceInfo *described, const MemlaneDeviceInfo *open)
{
  gboolean has_context = g_strcmp0 (open->kind, "simulated") != 0;

  g_assert_cmpstr (described->id, ==, open->id);
  g_assert_cmpstr (described->kind, ==, open->kind);
  g_assert_cmpstr (described->name, ==, open->name);
  g_assert_cmpstr (described->driver, ==, open->driver);
  g_assert_cmpstr (described->runtime, ==, open->runtime);
  g_assert_cmpstr (described->pci_bus_id, ==, open->pci_bus_id);
  g_assert_cmpstr (described->uuid, ==, open->uuid);
  g_assert_cmpstr (described->launch_shape, ==, open->launch_shape);
  g_assert_cmpstr (described->profile, ==, open->profile);
  g_assert_cmpstr (described->calibrated_from, ==, open->calibrated_from);
  g_assert_cmphex (described->capabilities, ==, open->capabilities);
  g_assert_cmpint (described->compute_major, ==, open->compute_major);
  g_assert_cmpint (described->compute_minor, ==, open->compute_minor);
  g_assert_cmpint (described->multiprocessors, ==, open->multiprocessors);
  g_assert_cmpint (described->copy_engines, ==, open->copy_engines);
  g_assert_cmpint (described->numa_node, ==, open->numa_node);
  g_assert_cmpint (described->exact, ==, open->exact);
  g_assert_cmpint (described->integrated, ==, open->integrated);
  g_assert_cmpuint (described->memory_bytes, ==, open->memory_bytes);
  g_assert_cmpuint (described->l2_bytes, ==, open->l2_bytes);
  g_assert_cmpfloat (described->processor_clock, ==, open->processor_clock);
  g_assert_cmpfloat (described->memory_clock, ==, open->memory_clock);
  g_assert_cmpfloat (described->memory_bandwidth, ==, open->memory_bandwidth);
  g_assert_cmpuint (described->static_managed_bytes, ==, open->static_managed_bytes);
  g_assert_cmpint (described->link_generation, ==, has_context ? 0 : open->link_generation);
  g_assert_cmpint (described->link_width, ==, has_context ? 0 : open->link_width);
  g_assert_cmpfloat (described->link_bandwidth, ==, has_context ? 0 : open->link_bandwidth);
  g_assert_cmpint (described->priority_least, ==, has_context ? 0 : open->priority_least);
  g_assert_cmpint (described->priority_greatest, ==, has_context ? 0 : open->priority_greatest);
}
