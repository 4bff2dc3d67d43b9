/* device-item.h: one device in the menu
 *
 * SPDX-License-Identifier: MIT
 */
#pragma once

#include <glib-object.h>

G_BEGIN_DECLS

/* A device in the menu. Properties: "id", "name", "reason" (string or NULL: why it cannot be used), "simulated" boolean. */
#define MEMLANE_TYPE_DEVICE_ITEM (memlane_device_item_get_type ())
G_DECLARE_FINAL_TYPE (MemlaneDeviceItem, memlane_device_item, MEMLANE, DEVICE_ITEM, GObject)
/* @reason (nullable). (transfer full) */
MemlaneDeviceItem *memlane_device_item_new (const char *id, const char *name, const char *reason, gboolean simulated);
const char *memlane_device_item_get_id (MemlaneDeviceItem *self);
const char *memlane_device_item_get_name (MemlaneDeviceItem *self);   /* "NVIDIA H200 (cuda:0)", "Simulated H200" */
const char *memlane_device_item_get_reason (MemlaneDeviceItem *self); /* (nullable) */
gboolean memlane_device_item_is_simulated (MemlaneDeviceItem *self);

G_END_DECLS
