/* mode-info.c: what a memory mode is, the calls it makes, what to look for: the popover behind (i)
 *
 * SPDX-License-Identifier: MIT
 */
#include "mode-info.h"

#include <glib/gi18n-lib.h>

#include "parts/accessible.h"
#include "code-dialog.h"
#include "model/fields.h"
#include "parts/template.h"

struct _MemlaneModeInfo
{
  GtkPopover parent_instance;
  MemlanePlanModel *plan; /* weak */
  const MemlaneMode *mode;
  GtkWidget *title, *summary, *calls, *look_for, *copy_button;
};

G_DEFINE_FINAL_TYPE (MemlaneModeInfo, memlane_mode_info, GTK_TYPE_POPOVER)

static void
copy_cb (MemlaneModeInfo *self)
{
  gdk_clipboard_set_text (gtk_widget_get_clipboard (GTK_WIDGET (self)), self->mode->calls);
  gtk_button_set_label (GTK_BUTTON (self->copy_button), _("Copied"));
}

/* The popover goes first: it would keep the keyboard from the window that comes. */
static void
code_cb (MemlaneModeInfo *self)
{
  GtkRoot *root = gtk_widget_get_root (GTK_WIDGET (self));
  guint last_log2 = 0, streams = 0, chunks = 0;

  if (self->plan != NULL)
    g_object_get (self->plan, "last-log2", &last_log2, "streams", &streams, "chunks", &chunks, NULL);
  gtk_popover_popdown (GTK_POPOVER (self));
  gtk_window_present (GTK_WINDOW (memlane_code_dialog_new (GTK_WINDOW (root), self->mode, last_log2, streams, chunks)));
}

/* "Copied" is true until the popover is closed. */
static void
closed_cb (MemlaneModeInfo *self)
{
  gtk_button_set_label (GTK_BUTTON (self->copy_button), _("Copy"));
  memlane_accessible_set_description (self->copy_button, _("Copies the calls"));
}

GtkWidget *
memlane_mode_info_new (MemlanePlanModel *plan, const MemlaneMode *mode)
{
  MemlaneModeInfo *self = g_object_new (MEMLANE_TYPE_MODE_INFO, NULL);
  const char *title = g_dgettext (GETTEXT_PACKAGE, mode->title);

  g_set_weak_pointer (&self->plan, plan);
  self->mode = mode;
  gtk_label_set_label (GTK_LABEL (self->title), title);
  gtk_label_set_label (GTK_LABEL (self->summary), g_dgettext (GETTEXT_PACKAGE, mode->summary));
  gtk_label_set_label (GTK_LABEL (self->calls), mode->calls);
  gtk_label_set_label (GTK_LABEL (self->look_for), g_dgettext (GETTEXT_PACKAGE, mode->look_for));
  memlane_accessible_set_name (GTK_WIDGET (self), title);
  return GTK_WIDGET (self);
}

MEMLANE_DEFINE_RELEASE (MemlaneModeInfo, memlane_mode_info, dispose, WATCHES (plan))

static void
memlane_mode_info_class_init (MemlaneModeInfoClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = dispose;
  gtk_widget_class_set_template_from_resource (widget_class, "/io/github/memlane/Memlane/mode-info.ui");
  MEMLANE_BIND_CHILDREN (MemlaneModeInfo, title, summary, calls, look_for, copy_button);
  MEMLANE_BIND_CALLBACKS (copy_cb, code_cb, closed_cb);
}

static void
memlane_mode_info_init (MemlaneModeInfo *self)
{
  gtk_widget_init_template (GTK_WIDGET (self));
  closed_cb (self);
}
