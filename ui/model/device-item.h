/* device-item.h: one device in the menu
 *
 * SPDX-License-Identifier: MIT
 */
#pragma once

#include <glib-object.h>

/* A device in the menu, or a row for all of a machine's: that it is being asked, or why it cannot be reached.
 * Its host is "" for this machine; its reason (string or NULL) says why it cannot be used. */
#define MEMLANE_TYPE_DEVICE_ITEM (memlane_device_item_get_type ())
G_DECLARE_FINAL_TYPE (MemlaneDeviceItem, memlane_device_item, MEMLANE, DEVICE_ITEM, GObject)

/* Immutable: read the fields. */
struct _MemlaneDeviceItem
{
  GObject parent_instance;

  char *host, *id;           /* id: "cuda:0", "gpu1/cuda:0" */
  char *title, *name;        /* without and with the host: "NVIDIA H200", "NVIDIA H200 on gpu1" */
  char *reason;              /* (nullable) */
  gboolean simulated, asking;
};

/* @reason (nullable). (transfer full) */
MemlaneDeviceItem *memlane_device_item_new (const char *host, const char *id, const char *title, const char *reason, gboolean simulated);
/* The row of a machine that has not answered yet. (transfer full) */
MemlaneDeviceItem *memlane_device_item_new_asking (const char *host);
