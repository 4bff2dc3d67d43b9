/* count-choice.c: a drop-down for what counts, and a number of uses beside it
 *
 * SPDX-License-Identifier: MIT
 */
#include "count-choice.h"

#include <glib/gi18n-lib.h>

#include "memlane.h"
#include "model/fields.h"
#include "widgets.h"

struct _MemlaneCountChoice
{
  AdwBin parent_instance;

  int count; /* MemlaneCount */
  guint uses;
  GtkWidget *counts, *spin;
};

G_DEFINE_FINAL_TYPE (MemlaneCountChoice, memlane_count_choice, ADW_TYPE_BIN)

#define AT(field) G_STRUCT_OFFSET (MemlaneCountChoice, field)

static const MemlaneField fields[] = {
  { "count", MEMLANE_FIELD_ENUM, AT (count), MEMLANE_FIELD_WRITABLE, 0, MEMLANE_N_COUNTS - 1,
    MEMLANE_COUNT_TRANSFER },
  { "uses", MEMLANE_FIELD_COUNT, AT (uses), MEMLANE_FIELD_WRITABLE, 1, MEMLANE_MOST_USES, 1 },
};

static void
chosen_cb (MemlaneCountChoice *self)
{
  guint chosen = gtk_drop_down_get_selected (GTK_DROP_DOWN (self->counts));

  if (chosen < MEMLANE_N_COUNTS)
    g_object_set (self, "count", (int) chosen, NULL);
}

static void
spun_cb (MemlaneCountChoice *self)
{
  g_object_set (self, "uses",
                (guint) gtk_spin_button_get_value_as_int (GTK_SPIN_BUTTON (self->spin)), NULL);
}

static void
notify (GObject *object, GParamSpec *pspec)
{
  MemlaneCountChoice *self = MEMLANE_COUNT_CHOICE (object);

  if (G_OBJECT_CLASS (memlane_count_choice_parent_class)->notify != NULL)
    G_OBJECT_CLASS (memlane_count_choice_parent_class)->notify (object, pspec);
  if (self->counts == NULL)
    return;
  gtk_drop_down_set_selected (GTK_DROP_DOWN (self->counts), (guint) self->count);
  gtk_spin_button_set_value (GTK_SPIN_BUTTON (self->spin), self->uses);
  gtk_widget_set_visible (self->spin, self->count == MEMLANE_COUNT_ALLOCATION);
}

static void
memlane_count_choice_class_init (MemlaneCountChoiceClass *klass)
{
  G_OBJECT_CLASS (klass)->notify = notify;
  memlane_fields_install (G_OBJECT_CLASS (klass), fields, G_N_ELEMENTS (fields));
}

static void
memlane_count_choice_init (MemlaneCountChoice *self)
{
  GtkStringList *titles = gtk_string_list_new (NULL);

  memlane_fields_init (self);
  for (guint i = 0; i < MEMLANE_N_COUNTS; i++)
    gtk_string_list_append (titles,
                            g_dgettext (GETTEXT_PACKAGE, memlane_count_title ((MemlaneCount) i)));
  self->counts = gtk_drop_down_new (G_LIST_MODEL (titles), NULL);
  memlane_drop_down_ellipsize (GTK_DROP_DOWN (self->counts));
  memlane_accessible_name_icon (self->counts, _("What counts as the time"));
  self->spin = gtk_spin_button_new_with_range (1, MEMLANE_MOST_USES, 1);
  gtk_editable_set_width_chars (GTK_EDITABLE (self->spin), 4);
  memlane_accessible_name_icon (self->spin, _("How often the allocated memory is used"));
  gtk_widget_set_visible (self->spin, FALSE);
  adw_bin_set_child (ADW_BIN (self), memlane_box_new (GTK_ORIENTATION_HORIZONTAL, 6, self->counts,
                                                      self->spin, NULL));
  memlane_follow (self, (const MemlaneFollowed[]) {
    { self->counts, "notify::selected", G_CALLBACK (chosen_cb) },
    { self->spin, "value-changed", G_CALLBACK (spun_cb) },
    { NULL },
  });
}
