/* device-item.h: one device in the menu
 *
 * SPDX-License-Identifier: MIT
 */
#pragma once

#include <glib-object.h>

G_BEGIN_DECLS

/* A device in the menu, or a row for all of a machine's: that it is being asked, or why it cannot be reached.
 * Its host is "" for this machine; its reason (string or NULL) says why it cannot be used. */
#define MEMLANE_TYPE_DEVICE_ITEM (memlane_device_item_get_type ())
G_DECLARE_FINAL_TYPE (MemlaneDeviceItem, memlane_device_item, MEMLANE, DEVICE_ITEM, GObject)
/* @reason (nullable). (transfer full) */
MemlaneDeviceItem *memlane_device_item_new (const char *host, const char *id, const char *title, const char *reason, gboolean simulated);
/* The row of a machine that has not answered yet. (transfer full) */
MemlaneDeviceItem *memlane_device_item_new_asking (const char *host);
const char *memlane_device_item_get_host (MemlaneDeviceItem *self);
const char *memlane_device_item_get_id (MemlaneDeviceItem *self);     /* "cuda:0", "gpu1/cuda:0" */
const char *memlane_device_item_get_title (MemlaneDeviceItem *self);  /* the name without the host */
const char *memlane_device_item_get_name (MemlaneDeviceItem *self);   /* "NVIDIA H200 (cuda:0)", "Simulated H200", "NVIDIA H200 on gpu1" */
const char *memlane_device_item_get_reason (MemlaneDeviceItem *self); /* (nullable) */
gboolean memlane_device_item_is_simulated (MemlaneDeviceItem *self);
gboolean memlane_device_item_is_asking (MemlaneDeviceItem *self);

G_END_DECLS
