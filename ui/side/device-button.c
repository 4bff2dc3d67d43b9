/* device-button.c: the device menu in the header bar
 *
 * SPDX-License-Identifier: MIT
 *
 * Devices that cannot be used stay in the list, insensitive and with the reason: who misses a GPU
 * looks for it here.
 */
#include "device-button.h"

#include <string.h>

#include <glib/gi18n-lib.h>

#include "model/sentence.h"
#include "model/fields.h"
#include "parts/template.h"
#include "parts/widgets.h"

struct _MemlaneDeviceButton
{
  AdwBin parent_instance;
  MemlaneDeviceChoice *devices; /* (owned) */
  GtkWidget *button, *label, *list;
};

G_DEFINE_FINAL_TYPE (MemlaneDeviceButton, memlane_device_button, ADW_TYPE_BIN)

/* --- rows ------------------------------------------------------------------------------------- */

static char *
get_caption (MemlaneDeviceItem *item)
{
  if (item->reason != NULL)
    return memlane_sentence_new (item->reason);
  return item->simulated ? g_strdup (_("Simulated: no GPU is used")) : NULL;
}

static void
show_text (gpointer label, const char *text)
{
  gtk_label_set_label (label, text != NULL ? text : "");
  gtk_widget_set_visible (label, text != NULL);
}

static GtkWidget *
create_row_cb (gpointer object, gpointer user_data)
{
  MemlaneDeviceItem *item = object;
  g_autoptr (GtkBuilder) builder =
      gtk_builder_new_from_resource ("/io/github/memlane/Memlane/device-row.ui");
  GtkWidget *row = GTK_WIDGET (gtk_builder_get_object (builder, "row"));
  g_autofree char *caption = get_caption (item);

  gtk_widget_set_visible (GTK_WIDGET (gtk_builder_get_object (builder, "spinner")), item->asking);
  /* a machine's own row has a header with the name already */
  show_text (gtk_builder_get_object (builder, "title"),
             strcmp (item->host, item->id) != 0 ? item->title : NULL);
  show_text (gtk_builder_get_object (builder, "caption"), caption);
  gtk_widget_set_sensitive (row, item->reason == NULL);
  g_object_set_data_full (G_OBJECT (row), "device", g_object_ref (item), g_object_unref);
  g_object_set_data (G_OBJECT (row), "check", gtk_builder_get_object (builder, "check"));
  gtk_widget_set_name (row, item->id);
  memlane_accessible_set_name (row, item->name);
  memlane_accessible_set_description (row, caption);
  return g_object_ref (row);
}

static const char *
get_host (GtkListBoxRow *row)
{
  return ((MemlaneDeviceItem *) g_object_get_data (G_OBJECT (row), "device"))->host;
}

/* With one machine only, its name would say nothing. */
static gboolean
has_hosts (GListModel *devices)
{
  guint n = g_list_model_get_n_items (devices);
  MemlaneDeviceItem *last = n > 0 ? memlane_list_peek (devices, n - 1) : NULL;

  return last != NULL && *last->host != '\0';
}

static void
set_header_cb (GtkListBoxRow *row, GtkListBoxRow *before, gpointer user_data)
{
  MemlaneDeviceButton *self = user_data;
  const char *host = get_host (row);
  GtkWidget *header;

  if (!has_hosts (memlane_device_choice_get_devices (self->devices)) ||
      (before != NULL && strcmp (get_host (before), host) == 0))
    {
      gtk_list_box_row_set_header (row, NULL);
      return;
    }
  header = memlane_text_new (*host != '\0' ? host : _("This machine"), "heading");
  g_object_set (header, "width-chars", 18, "max-width-chars", 38, NULL);
  /* begins as the rows' texts do */
  g_object_set (header, "margin-start", 14, "margin-top", before != NULL ? 12 : 6, "margin-bottom",
                3, NULL);
  gtk_list_box_row_set_header (row, header);
}

/* --- the chosen one --------------------------------------------------------------------------- */

static void
mark_row (GtkWidget *row, gboolean chosen)
{
  GtkWidget *check = g_object_get_data (G_OBJECT (row), "check");
  g_autofree char *caption = get_caption (g_object_get_data (G_OBJECT (row), "device")),
                  *spoken = NULL;

  /* keeps its room, so that the names stay in line */
  gtk_widget_set_opacity (check, chosen ? 1 : 0);
  if (chosen)
    spoken = caption != NULL ? g_strdup_printf (_("In use. %s"), caption) : g_strdup (_("In use."));
  memlane_accessible_set_description (row, chosen ? spoken : caption);
}

static void
mark_chosen (MemlaneDeviceButton *self, MemlaneDeviceItem *chosen)
{
  GtkListBoxRow *row;

  for (int i = 0; (row = gtk_list_box_get_row_at_index (GTK_LIST_BOX (self->list), i)) != NULL; i++)
    mark_row (GTK_WIDGET (row),
              chosen != NULL && g_object_get_data (G_OBJECT (row), "device") == chosen);
}

/* This machine has not answered yet. */
static gboolean
is_looking (GListModel *devices)
{
  MEMLANE_FOR_EACH_ITEM (const MemlaneDeviceItem, item, devices)
    if (item->asking && *item->host == '\0')
      return TRUE;
  return memlane_list_peek (devices, 0) == NULL;
}

static void
update (MemlaneDeviceButton *self)
{
  MemlaneDeviceItem *chosen;
  const char *name;
  g_autofree char *spoken = NULL;

  if (self->list == NULL)
    return; /* it is going */
  chosen = memlane_device_choice_get_item (self->devices);
  if (chosen != NULL)
    name = chosen->name;
  else if (is_looking (memlane_device_choice_get_devices (self->devices)))
    name = _("Looking for devices…");
  else
    name = _("Choose a device");
  gtk_label_set_label (GTK_LABEL (self->label), name);
  gtk_widget_set_tooltip_text (self->button, name);
  spoken = g_strdup_printf (_("Device: %s"), name);
  memlane_accessible_set_name (self->button, spoken);
  mark_chosen (self, chosen);
  /* the first one stands there where a host does */
  gtk_list_box_invalidate_headers (GTK_LIST_BOX (self->list));
}

static void
activated_cb (MemlaneDeviceButton *self, GtkListBoxRow *row)
{
  MemlaneDeviceItem *item = g_object_get_data (G_OBJECT (row), "device");

  if (item != NULL)
    g_object_set (self->devices, "device", item->id, NULL);
  gtk_menu_button_popdown (GTK_MENU_BUTTON (self->button));
}

GtkWidget *
memlane_device_button_new (MemlaneDeviceChoice *choice)
{
  MemlaneDeviceButton *self = g_object_new (MEMLANE_TYPE_DEVICE_BUTTON, NULL);
  GListModel *devices = memlane_device_choice_get_devices (choice);

  self->devices = g_object_ref (choice);
  gtk_list_box_bind_model (GTK_LIST_BOX (self->list), devices, create_row_cb, NULL, NULL);
  gtk_list_box_set_header_func (GTK_LIST_BOX (self->list), set_header_cb, self, NULL);
  /* After: the list box has its rows by then. */
  g_signal_connect_object (devices, "items-changed", G_CALLBACK (update), self,
                           G_CONNECT_SWAPPED | G_CONNECT_AFTER);
  g_signal_connect_object (choice, "notify::device", G_CALLBACK (update), self, G_CONNECT_SWAPPED);
  update (self);
  return GTK_WIDGET (self);
}

MEMLANE_DEFINE_RELEASE (MemlaneDeviceButton, memlane_device_button, finalize,
                        OWNS (devices, g_object_unref))

static void
memlane_device_button_class_init (MemlaneDeviceButtonClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->finalize = finalize;
  gtk_widget_class_set_template_from_resource (widget_class,
                                               "/io/github/memlane/Memlane/device-button.ui");
  MEMLANE_BIND_CHILDREN (MemlaneDeviceButton, button, label, list);
  MEMLANE_BIND_CALLBACKS (activated_cb);
}

static void
memlane_device_button_init (MemlaneDeviceButton *self)
{
  gtk_widget_init_template (GTK_WIDGET (self));
}
