/* workload-choice.c: a drop-down of all workloads
 *
 * SPDX-License-Identifier: MIT
 */
#include "workload-choice.h"

#include <glib/gi18n-lib.h>

#include "model/fields.h"
#include "parts/widgets.h"
#include "base/each.h"

struct _MemlaneWorkloadChoice
{
  AdwBin parent_instance;
  GObject *model;          /* (owned) */
  const char *property;
  GtkWidget *drop_down, *summary;
  gboolean updating;
};

G_DEFINE_FINAL_TYPE (MemlaneWorkloadChoice, memlane_workload_choice, ADW_TYPE_BIN)

static void
update (MemlaneWorkloadChoice *self)
{
  guint n;
  const MemlaneWorkload *workloads = memlane_workload_list (&n), *chosen;
  g_autofree char *id = NULL;
  const char *summary;

  g_object_get (self->model, self->property, &id, NULL);
  chosen = memlane_workload_find (id);
  summary = g_dgettext (GETTEXT_PACKAGE, chosen->summary);
  self->updating = TRUE;
  gtk_drop_down_set_selected (GTK_DROP_DOWN (self->drop_down), (guint) (chosen - workloads));
  self->updating = FALSE;
  gtk_label_set_label (GTK_LABEL (self->summary), summary);
  gtk_widget_set_tooltip_text (self->drop_down, summary);
  memlane_accessible_set_description (self->drop_down, summary);
}

static void
selected_cb (MemlaneWorkloadChoice *self)
{
  guint n, selected = gtk_drop_down_get_selected (GTK_DROP_DOWN (self->drop_down));
  const MemlaneWorkload *workloads = memlane_workload_list (&n);

  if (!self->updating && selected < n)
    g_object_set (self->model, self->property, workloads[selected].id, NULL);
}

void
memlane_workload_choice_follow (MemlaneWorkloadChoice *self, GObject *model, const char *property,
                                gboolean summary)
{
  g_autofree char *notify = g_strconcat ("notify::", property, NULL);
  g_autoptr (GtkStringList) titles = gtk_string_list_new (NULL);

  self->model = g_object_ref (model);
  self->property = property;
  MEMLANE_FOR_EACH_OF (const MemlaneWorkload, workload, n, memlane_workload_list (&n))
    gtk_string_list_append (titles, g_dgettext (GETTEXT_PACKAGE, workload->title));
  self->updating = TRUE;
  gtk_drop_down_set_model (GTK_DROP_DOWN (self->drop_down), G_LIST_MODEL (titles));
  self->updating = FALSE;
  gtk_widget_set_visible (self->summary, summary);
  g_signal_connect_object (model, notify, G_CALLBACK (update), self, G_CONNECT_SWAPPED);
  update (self);
}

MEMLANE_DEFINE_RELEASE (MemlaneWorkloadChoice, memlane_workload_choice, dispose,
                        if (self->model != NULL)
                            g_signal_handlers_disconnect_by_data (self->model, self);
                        OWNS (model, g_object_unref))

static void
memlane_workload_choice_class_init (MemlaneWorkloadChoiceClass *klass)
{
  G_OBJECT_CLASS (klass)->dispose = dispose;
}

static void
memlane_workload_choice_init (MemlaneWorkloadChoice *self)
{
  self->drop_down = g_object_new (GTK_TYPE_DROP_DOWN, "name", "workload", NULL);
  memlane_drop_down_ellipsize (GTK_DROP_DOWN (self->drop_down));
  memlane_accessible_set_name (self->drop_down, _("Workload"));
  g_signal_connect_object (self->drop_down, "notify::selected", G_CALLBACK (selected_cb), self,
                           G_CONNECT_SWAPPED);
  self->summary = memlane_text_new (NULL, "caption dim-label");
  g_object_set (self->summary, "name", "workload_summary", "max-width-chars", 36, NULL);
  adw_bin_set_child (ADW_BIN (self), memlane_box_new (GTK_ORIENTATION_VERTICAL, 6, self->drop_down,
                                                      self->summary, NULL));
}
