/* device-item.c: one device in the menu
 *
 * SPDX-License-Identifier: MIT
 */
#include "device-item.h"

#include "fields.h"

#include <glib/gi18n-lib.h>

G_DEFINE_FINAL_TYPE (MemlaneDeviceItem, memlane_device_item, G_TYPE_OBJECT)

MemlaneDeviceItem *
memlane_device_item_new (const char *host, const char *id, const char *title, const char *reason, gboolean simulated)
{
  MemlaneDeviceItem *self = g_object_new (MEMLANE_TYPE_DEVICE_ITEM, NULL);

  self->host = g_strdup (host);
  self->id = g_strdup (id);
  self->title = g_strdup (title);
  if (*host == '\0' || g_str_equal (id, host))
    self->name = g_strdup (title);
  else
    /* Translators: a device and the machine that it is in: "NVIDIA H200 on gpu1" */
    self->name = g_strdup_printf (_("%s on %s"), title, host);
  self->reason = g_strdup (reason);
  self->simulated = simulated;
  return self;
}

MemlaneDeviceItem *
memlane_device_item_new_asking (const char *host)
{
  g_autofree char *reason = *host != '\0' ? g_strdup_printf (_("Asking %s…"), host) : g_strdup (_("Asking this machine's driver…"));
  MemlaneDeviceItem *self = memlane_device_item_new (host, *host != '\0' ? host : "cuda", *host != '\0' ? host : _("CUDA devices"), reason,
                                                     FALSE);

  self->asking = TRUE;
  return self;
}

MEMLANE_DEFINE_RELEASE (MemlaneDeviceItem, memlane_device_item, finalize, OWNS (host, g_free) OWNS (id, g_free) OWNS (title, g_free)
                        OWNS (name, g_free) OWNS (reason, g_free))

static void
memlane_device_item_class_init (MemlaneDeviceItemClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = finalize;
}

static void
memlane_device_item_init (MemlaneDeviceItem *self)
{
}
