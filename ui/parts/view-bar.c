/* view-bar.c: the bar above what was measured: views, the View menu, the phase
 *
 * SPDX-License-Identifier: MIT
 */
#include "view-bar.h"

#include <glib/gi18n-lib.h>

#include "count-choice.h"
#include "model/fields.h"
#include "template.h"
#include "widgets.h"
#include "base/each.h"

#define MARKED (1u << 31) /* of what is offered: the chosen phase was not measured */

struct _MemlaneViewBar
{
  GtkBox parent_instance;

  MemlaneViewModel *view;   /* (owned) */
  const char *property;     /* static */
  GtkWidget *menu, *phases, *counts;
  guint offered;            /* bits: the phases in the list, and MARKED */
  gboolean filling;         /* what the list selects is no choice */
};

G_DEFINE_FINAL_TYPE (MemlaneViewBar, memlane_view_bar, GTK_TYPE_BOX)

static MemlanePhase
get_phase (MemlaneViewBar *self)
{
  int phase;

  g_object_get (self->view, self->property, &phase, NULL);
  return phase;
}

/* Phases move no bytes before and after the transfers: they have a time and no bandwidth. */
static gboolean
is_offered (MemlaneViewBar *self, MemlanePhase phase)
{
  return !g_str_equal (self->property, "phase") || phase == MEMLANE_PHASE_UPLOAD
         || phase == MEMLANE_PHASE_KERNEL || phase == MEMLANE_PHASE_DOWNLOAD
         || phase == MEMLANE_PHASE_ELAPSED;
}

static gboolean
is_measured (MemlaneViewBar *self, GPtrArray *runs, MemlanePhase phase)
{
  MEMLANE_FOR_EACH (const MemlaneRunItem, item, runs)
    if (item->run != NULL && memlane_chart_has_phase (item->run, self->view->workload->id, phase))
      return TRUE;
  return FALSE;
}

static guint
position_of (guint phases, MemlanePhase phase)
{
  guint position = 0;

  for (guint i = 0; i < phase; i++)
    position += (phases >> i) & 1;
  return (phases >> phase) & 1 ? position : GTK_INVALID_LIST_POSITION;
}

static void
select_chosen (MemlaneViewBar *self)
{
  self->filling = TRUE;
  gtk_drop_down_set_selected (GTK_DROP_DOWN (self->phases),
                              position_of (self->offered & ~MARKED, get_phase (self)));
  gtk_widget_set_visible (self->counts, get_phase (self) == MEMLANE_PHASE_ELAPSED);
  self->filling = FALSE;
}

void
memlane_view_bar_offer (MemlaneViewBar *self, GPtrArray *runs)
{
  MemlanePhase chosen = get_phase (self);
  g_autoptr (GtkStringList) titles = NULL;
  guint all = 0, measured = 0, offered;

  for (guint phase = 0; phase < MEMLANE_N_PHASES; phase++)
    if (is_offered (self, phase))
      {
        all |= 1u << phase;
        measured |= is_measured (self, runs, phase) ? 1u << phase : 0;
      }
  offered = measured == 0 ? all
                          : measured | 1u << chosen | (((measured >> chosen) & 1) ? 0 : MARKED);
  if (offered != self->offered)
    {
      titles = gtk_string_list_new (NULL);
      for (guint phase = 0; phase < MEMLANE_N_PHASES; phase++)
        if (((offered >> phase) & 1) && phase == (guint) chosen && (offered & MARKED))
          /* Translators: a phase in a menu, such as "upload (host to device)" */
          gtk_string_list_take (
              titles, g_strdup_printf (_("%s – not measured"), memlane_chart_phase_title (phase)));
        else if ((offered >> phase) & 1)
          gtk_string_list_append (titles, memlane_chart_phase_title (phase));
      self->filling = TRUE;
      gtk_drop_down_set_model (GTK_DROP_DOWN (self->phases), G_LIST_MODEL (titles));
      self->offered = offered;
    }
  select_chosen (self);
}

static void
selected_cb (MemlaneViewBar *self)
{
  guint selected = gtk_drop_down_get_selected (GTK_DROP_DOWN (self->phases));

  for (guint phase = 0; !self->filling && phase < MEMLANE_N_PHASES; phase++)
    if (position_of (self->offered & ~MARKED, phase) == selected)
      g_object_set (self->view, self->property, (int) phase, NULL);
}

void
memlane_view_bar_follow (MemlaneViewBar *self, MemlaneViewModel *view, const char *property,
                         GMenuModel *menu)
{
  static const char *const counted[] = { "count", "uses" };
  g_autoptr (GPtrArray) none = g_ptr_array_new ();
  g_autofree char *notify = g_strconcat ("notify::", property, NULL);

  self->view = g_object_ref (view);
  self->property = property;
  gtk_menu_button_set_menu_model (GTK_MENU_BUTTON (self->menu), menu);
  for (guint i = 0; i < G_N_ELEMENTS (counted); i++)
    g_object_bind_property (view, counted[i], self->counts, counted[i],
                            G_BINDING_BIDIRECTIONAL | G_BINDING_SYNC_CREATE);
  memlane_follow (self, (const MemlaneFollowed[]) {
    { view, notify, G_CALLBACK (select_chosen) },
    { self->phases, "notify::selected", G_CALLBACK (selected_cb) },
    { NULL },
  });
  memlane_view_bar_offer (self, none);
}

MEMLANE_DEFINE_RELEASE (MemlaneViewBar, memlane_view_bar, dispose, self->filling = TRUE;
                        gtk_widget_dispose_template (GTK_WIDGET (self), MEMLANE_TYPE_VIEW_BAR);
                        OWNS (view, g_object_unref))

static void
memlane_view_bar_class_init (MemlaneViewBarClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = dispose;
  MEMLANE_ENSURE_TYPES (COUNT_CHOICE);
  gtk_widget_class_set_template_from_resource (widget_class,
                                               "/io/github/memlane/Memlane/view-bar.ui");
  MEMLANE_BIND_CHILDREN (MemlaneViewBar, menu, phases, counts);
}

static void
memlane_view_bar_init (MemlaneViewBar *self)
{
  gtk_widget_init_template (GTK_WIDGET (self));
  memlane_drop_down_ellipsize (GTK_DROP_DOWN (self->phases));
}
