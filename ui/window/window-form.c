/* window-form.c: the side panel and the header, whose form depends on the window's width alone; the
 * projector: full screen, only the figure and its reading
 *
 * SPDX-License-Identifier: MIT
 */
#include "window-private.h"

#include <string.h>

#include <glib/gi18n-lib.h>

#include "parts/figure-widget.h"
#include "parts/settings.h"
#include "preferences.h"
#include "model/fields.h"
#include "parts/widgets.h"

#define WALL_TEXT 26 /* px of the widgets in a window of WALL_HEIGHT px */
#define WALL_HEIGHT 720
#define SIDE_WIDTH 300
#define RUNS_SHARE 0.35 /* of the side panel's height: the curves need more room */
#define WIDE 1240 /* px of the window: from that on the switcher has its names beside its icons */
#define TOP 1080 /* px of the window: below that the switcher stands at the bottom */
/* px of the window: below that the side panel lies over the page, and the device's button stands
 * in it */
#define NARROW 960

/* --- the side panel --------------------------------------------------------------------------- */

gboolean
memlane_window_is_folded (MemlaneWindow *self)
{
  return adw_flap_get_fold_policy (self->flap) == ADW_FLAP_FOLD_POLICY_ALWAYS;
}

/* TRUE: that has changed. Above NARROW both fit as small as they can be, so that "auto" folds
 * nothing. "Never" would forbid the window to be narrower than that. */
gboolean
memlane_window_fold (MemlaneWindow *self, int width)
{
  AdwFlapFoldPolicy policy =
      width < NARROW && !self->projector ? ADW_FLAP_FOLD_POLICY_ALWAYS : ADW_FLAP_FOLD_POLICY_AUTO;

  if (policy == adw_flap_get_fold_policy (self->flap))
    return FALSE;
  self->placing_side = TRUE;
  if (policy == ADW_FLAP_FOLD_POLICY_ALWAYS)
    adw_flap_set_reveal_flap (self->flap, FALSE);
  adw_flap_set_fold_policy (self->flap, policy);
  self->placing_side = FALSE;
  return TRUE;
}

/* Shows what the page has a use for, and nothing at all on the wall. In a narrow window the
 * device's button is in the panel on every page; it alone never opens the panel. */
void
memlane_window_place_side (MemlaneWindow *self)
{
  Side parts = memlane_window_get_side (self);
  gboolean folded = memlane_window_is_folded (self),
           any = !self->projector && (parts != 0 || folded);

  self->placing_side = TRUE;
  gtk_widget_set_visible (self->shown_workload, (parts & SIDE_WORKLOAD) != 0);
  gtk_widget_set_visible (GTK_WIDGET (self->side), parts != 0);
  gtk_widget_set_visible (self->runs, (parts & SIDE_RUNS) != 0);
  gtk_widget_set_visible (self->curves, (parts & SIDE_CURVES) != 0);
  gtk_widget_set_visible (self->side_separator, any);
  gtk_widget_set_visible (self->side_button, any);
  adw_flap_set_swipe_to_open (self->flap, any);
  adw_flap_set_reveal_flap (self->flap, any && (folded ? self->side_visiting : self->side_wanted));
  self->placing_side = FALSE;
  memlane_action_set_state (self, "side-panel",
                            g_variant_new_boolean (adw_flap_get_reveal_flap (self->flap)));
  memlane_action_enable (self, "side-panel", any);
}

/* Follows a swipe, or a click beside the panel, that closes it. */
static void
side_revealed_cb (MemlaneWindow *self)
{
  if (self->models == NULL || self->placing_side || self->projector)
    return;
  if (memlane_window_is_folded (self))
    self->side_visiting = adw_flap_get_reveal_flap (self->flap);
  else
    self->side_wanted = adw_flap_get_reveal_flap (self->flap);
  memlane_window_place_side (self);
}

static void
side_panel_cb (MemlaneWindow *self, GVariant *state)
{
  if (self->projector)
    return;
  if (memlane_window_is_folded (self))
    self->side_visiting = g_variant_get_boolean (state);
  else
    self->side_wanted = g_variant_get_boolean (state);
  memlane_window_place_side (self);
}

/* --- the header ------------------------------------------------------------------------------- */

/* In a compact header only the closing button stays, on the side where the person has it. */
static void
choose_decoration (MemlaneWindow *self, gboolean compact)
{
  g_autofree char *layout = NULL;
  const char *colon;

  g_object_get (gtk_widget_get_settings (GTK_WIDGET (self)), "gtk-decoration-layout", &layout,
                NULL);
  colon = layout != NULL ? strchr (layout, ':') : NULL;
  if (!compact || layout == NULL || strstr (layout, "close") == NULL)
    adw_header_bar_set_decoration_layout (ADW_HEADER_BAR (self->header), NULL);
  else if (colon != NULL && strstr (layout, "close") > colon)
    adw_header_bar_set_decoration_layout (ADW_HEADER_BAR (self->header), ":close");
  else
    adw_header_bar_set_decoration_layout (ADW_HEADER_BAR (self->header), "close:");
}

/* A window that is wide enough for the panel has room for the device's button in the header. */
static void
place_device (MemlaneWindow *self)
{
  gboolean narrow = memlane_window_is_folded (self),
           aside = gtk_widget_get_parent (self->device_button) == GTK_WIDGET (self->side_box);

  if (narrow == aside)
    return;
  choose_decoration (self, narrow);
  if (narrow)
    {
      adw_header_bar_remove (ADW_HEADER_BAR (self->header), self->device_button);
      gtk_box_prepend (self->side_box, self->device_button);
    }
  else
    {
      gtk_box_remove (self->side_box, self->device_button);
      adw_header_bar_pack_start (ADW_HEADER_BAR (self->header), self->device_button);
    }
}

/* Scales the text as figures do: 26 px on a wall of 1280x720 and in proportion on a larger one;
 * less on a page. */
void
memlane_window_size_text (MemlaneWindow *self)
{
  int px = WALL_TEXT * MAX (WALL_HEIGHT, gtk_widget_get_height (GTK_WIDGET (self))) / WALL_HEIGHT;
  double growth = memlane_figure_text_growth (GTK_WIDGET (self));
  g_autofree char *css = NULL;

  if (px == self->wall_text && growth == self->growth)
    return;
  self->wall_text = px;
  self->growth = growth;
  css =
      g_strdup_printf (".growing { font-size: %d%%; } .projector .experiment { font-size: %dpx; }",
                       (int) (100 * growth), px);
  gtk_css_provider_load_from_data (self->text_css, css, -1);
  gtk_widget_set_size_request (GTK_WIDGET (self->side_box), (int) (SIDE_WIDTH * growth), -1);
}

/* A small window leaves the runs no room; a larger one gives them their share again. */
static void
place_runs (MemlaneWindow *self)
{
  int height = gtk_widget_get_height (GTK_WIDGET (self->side));

  if (height == self->side_height || height == 0)
    return;
  self->side_height = 0; /* what comes now is not the person's choice */
  gtk_paned_set_position (self->side, (int) (self->runs_share * height));
  self->side_height = height;
}

static void
runs_moved_cb (MemlaneWindow *self)
{
  if (self->side_height > 0 && gtk_widget_get_height (GTK_WIDGET (self->side)) == self->side_height)
    self->runs_share = (double) gtk_paned_get_position (self->side) / self->side_height;
}

/* By the width alone, so that all pages have one form of it at one place. */
static void
place_switcher (MemlaneWindow *self)
{
  int width = gtk_widget_get_width (GTK_WIDGET (self)), dpi = 0;

  g_object_get (gtk_widget_get_settings (GTK_WIDGET (self)), "gtk-xft-dpi", &dpi, NULL);
  if (dpi > 0)
    width = width * 96 / (dpi / 1024); /* large text needs more room */
  gtk_widget_set_visible (GTK_WIDGET (self->switcher), width >= TOP);
  adw_view_switcher_bar_set_reveal (self->switcher_bar, width < TOP);
  adw_view_switcher_set_policy (self->switcher, width < WIDE ? ADW_VIEW_SWITCHER_POLICY_NARROW
                                                             : ADW_VIEW_SWITCHER_POLICY_WIDE);
}

static gboolean
adapt_cb (gpointer data)
{
  MemlaneWindow *self = data;

  self->adapt_idle = 0;
  place_device (self);
  memlane_window_place_side (self);
  memlane_window_size_text (self);
  place_runs (self);
  place_switcher (self);
  return G_SOURCE_REMOVE;
}

/* This comes in the middle of an allocation, too late to ask for another. */
void
memlane_window_laid_out (MemlaneWindow *self)
{
  if (self->adapt_idle == 0)
    self->adapt_idle = g_idle_add_full (GDK_PRIORITY_REDRAW - 10, adapt_cb, self, NULL);
}

void
memlane_window_follow_size (MemlaneWindow *self)
{
  g_signal_connect_object (gtk_native_get_surface (GTK_NATIVE (self)), "layout",
                           G_CALLBACK (memlane_window_laid_out), self, G_CONNECT_SWAPPED);
}

/* --- the wall --------------------------------------------------------------------------------- */

void
memlane_window_set_projector (MemlaneWindow *self, gboolean projector)
{
  GtkWidget *focus;

  if (projector == self->projector)
    return;
  if (projector && !memlane_page_can_project (memlane_window_get_current_page (self)))
    {
      memlane_window_tell (self, _("This page has nothing to project yet."), FALSE);
      memlane_window_update (self); /* the action's state is as it was */
      return;
    }
  self->projector = projector;
  /* GTK 4.8 loses a reference to what is hidden with the focus in it, twice in a frame */
  gtk_window_set_focus (GTK_WINDOW (self), NULL);
  gtk_widget_set_visible (self->blank, FALSE);
  if (projector)
    {
      self->was_fullscreen = gtk_window_is_fullscreen (GTK_WINDOW (self));
      gtk_window_fullscreen (GTK_WINDOW (self));
      gtk_widget_add_css_class (GTK_WIDGET (self), "projector");
    }
  else
    {
      if (!self->was_fullscreen)
        gtk_window_unfullscreen (GTK_WINDOW (self));
      gtk_widget_remove_css_class (GTK_WIDGET (self), "projector");
    }
  memlane_view_model_set_alone (self->models->view, projector);
  memlane_color_scheme_apply (projector);
  gtk_widget_set_visible (self->header, !projector);
  gtk_widget_set_visible (GTK_WIDGET (self->switcher_bar), !projector);
  gtk_widget_set_visible (GTK_WIDGET (self->welcome), !projector);
  self->side_visiting = FALSE;
  memlane_window_fold (self, gtk_widget_get_width (GTK_WIDGET (self)));
  memlane_window_place_side (self);
  memlane_window_project_pages (self);
  memlane_window_update (self);
  focus = memlane_page_get_focus (memlane_window_get_current_page (self));
  gtk_widget_grab_focus (focus != NULL ? focus : memlane_window_get_figure_view (self));
  memlane_toasts_hold (self->toasts,
                       projector ? memlane_page_get_hint (memlane_window_get_current_page (self))
                                 : NULL);
}

/* The keys of a clicker and of a talk, with their actions. A page has those actions that it can do;
 * the others' keys go to the page. */
static const struct
{
  guint key;
  const char *action;
} wall_keys[] = {
  { GDK_KEY_Home, "wall.none" },
  { GDK_KEY_End, "wall.all" },
  { GDK_KEY_Right, "wall.next" },
  { GDK_KEY_Left, "wall.previous" },
  { GDK_KEY_Page_Down, "wall.next-family" },
  { GDK_KEY_Page_Up, "wall.previous-family" },
  { GDK_KEY_b, "wall.blank" },
  { GDK_KEY_B, "wall.blank" },
  { GDK_KEY_n, "wall.notes" },
  { GDK_KEY_N, "wall.notes" },
  { GDK_KEY_r, "wall.runs" },
  { GDK_KEY_R, "wall.runs" },
  { GDK_KEY_d, "wall.dark" },
  { GDK_KEY_D, "wall.dark" },
};

static gboolean
activate_wall_action (MemlaneWindow *self, guint key)
{
  GtkWidget *focus = gtk_window_get_focus (GTK_WINDOW (self));

  for (guint i = 0; i < G_N_ELEMENTS (wall_keys); i++)
    if (wall_keys[i].key == key)
      return gtk_widget_activate_action (focus != NULL ? focus : GTK_WIDGET (self),
                                         wall_keys[i].action, NULL);
  return FALSE;
}

static void
blank_action (GtkWidget *widget, const char *action, GVariant *parameter)
{
  MemlaneWindow *self = MEMLANE_WINDOW (widget);

  if (self->projector)
    gtk_widget_set_visible (self->blank, !gtk_widget_get_visible (self->blank));
}

/* The wall shows one run until more are asked for. */
static void
runs_action (GtkWidget *widget, const char *action, GVariant *parameter)
{
  MemlaneWindow *self = MEMLANE_WINDOW (widget);

  if (self->projector)
    memlane_view_model_set_alone (self->models->view, !self->models->view->alone);
}

/* Sets the preference, which stays for the next time. */
static void
dark_action (GtkWidget *widget, const char *action, GVariant *parameter)
{
  if (MEMLANE_WINDOW (widget)->projector)
    memlane_settings_set_boolean ("projector-dark",
                                  !memlane_settings_get_boolean ("projector-dark", FALSE));
}

/* --- the focus -------------------------------------------------------------------------------- */

/* Whether Tab leaves the widget, whose rows the arrow keys walk through. */
static gboolean
is_list (GtkWidget *widget)
{
  return GTK_IS_LIST_BOX (widget) || g_str_equal (gtk_widget_get_name (widget), "modes");
}

/* TRUE: the focus was in a list and is out of it. */
static gboolean
leave_list (MemlaneWindow *self, GtkDirectionType direction)
{
  GtkWidget *list = gtk_window_get_focus (GTK_WINDOW (self));
  gboolean moved;

  while (list != NULL && !is_list (list))
    list = gtk_widget_get_parent (list);
  if (list == NULL)
    return FALSE;
  gtk_widget_set_can_focus (list, FALSE); /* the search for the next widget passes it */
  moved = gtk_widget_child_focus (GTK_WIDGET (self), direction);
  gtk_widget_set_can_focus (list, TRUE);
  return moved;
}

/* Adds the header, the side panel, the page and the parts of the page, as far as they are seen. A
 * leaflet and a flap keep their children from the last to the first. */
static void
collect_panes (GtkWidget *widget, GPtrArray *panes)
{
  GtkWidget *child = gtk_widget_get_last_child (widget);

  for (; child != NULL; child = gtk_widget_get_prev_sibling (child))
    if (gtk_widget_get_mapped (child) && gtk_widget_get_child_visible (child))
      {
        if (MEMLANE_IS_PAGE (child) || ADW_IS_HEADER_BAR (child) || ADW_IS_LEAFLET (widget)
            || ADW_IS_FLAP (widget))
          g_ptr_array_add (panes, child);
        collect_panes (child, panes);
      }
}

/* Returns the innermost pane with the focus. */
static guint
find_pane (MemlaneWindow *self, GPtrArray *panes)
{
  GtkWidget *focus = gtk_window_get_focus (GTK_WINDOW (self));
  guint here = 0;

  for (guint i = 0; focus != NULL && i < panes->len; i++)
    if (gtk_widget_is_ancestor (focus, panes->pdata[i]))
      here = i;
  return here;
}

/* Moves the focus to the next pane that takes it, or to the one before; from the last one to the
 * first. A pane around others takes it if it has a control before theirs. */
static void
change_pane (MemlaneWindow *self, gboolean back)
{
  GtkWidget *focus = gtk_window_get_focus (GTK_WINDOW (self));
  g_autoptr (GPtrArray) panes = g_ptr_array_new ();
  guint here;

  collect_panes (GTK_WIDGET (self), panes);
  here = find_pane (self, panes);
  for (guint step = 1; step < panes->len; step++)
    {
      guint next = (here + (back ? panes->len - step : step)) % panes->len;

      gtk_window_set_focus (GTK_WINDOW (self), NULL);
      if (gtk_widget_child_focus (panes->pdata[next], GTK_DIR_TAB_FORWARD)
          && find_pane (self, panes) == next)
        return;
    }
  gtk_window_set_focus (GTK_WINDOW (self), focus);
}

static gboolean
focus_key (MemlaneWindow *self, guint key, GdkModifierType state)
{
  gboolean back = (state & GDK_SHIFT_MASK) != 0;

  if ((state & (GDK_CONTROL_MASK | GDK_ALT_MASK)) != 0)
    return GDK_EVENT_PROPAGATE;
  if (key == GDK_KEY_Tab || key == GDK_KEY_ISO_Left_Tab || key == GDK_KEY_KP_Tab)
    return leave_list (self, back ? GTK_DIR_TAB_BACKWARD : GTK_DIR_TAB_FORWARD);
  if (key != GDK_KEY_F6)
    return GDK_EVENT_PROPAGATE;
  change_pane (self, back);
  return GDK_EVENT_STOP;
}

/* Before the page sees it: there Escape means the whole range. */
static gboolean
key_pressed_cb (GtkEventControllerKey *controller, guint key, guint code, GdkModifierType state,
                gpointer data)
{
  MemlaneWindow *self = data;

  if (!self->projector)
    return focus_key (self, key, state);
  if (key == GDK_KEY_Escape)
    memlane_window_set_projector (self, FALSE);
  else if (gtk_widget_get_visible (self->blank)) /* any key brings the figure back, as it was */
    gtk_widget_set_visible (self->blank, FALSE);
  else if ((state & (GDK_CONTROL_MASK | GDK_ALT_MASK | GDK_SUPER_MASK)) != 0
           || !activate_wall_action (self, key))
    return GDK_EVENT_PROPAGATE;
  return GDK_EVENT_STOP;
}

static void
projector_cb (MemlaneWindow *self, GVariant *state)
{
  memlane_window_set_projector (self, g_variant_get_boolean (state));
}

/* --- life ------------------------------------------------------------------------------------- */

void
memlane_window_install_wall_actions (GtkWidgetClass *class)
{
  gtk_widget_class_bind_template_callback (class, key_pressed_cb);
  memlane_widget_class_add_actions (class, (const MemlaneWidgetAction[]) {
    { "wall.blank", NULL, blank_action },
    { "wall.runs", NULL, runs_action },
    { "wall.dark", NULL, dark_action },
    { NULL },
  });
}

void
memlane_window_add_form (MemlaneWindow *self)
{
  memlane_actions_add (self, (const MemlaneAction[]) {
    { "side-panel", self, G_CALLBACK (side_panel_cb), NULL, "true" },
    { "projector", self, G_CALLBACK (projector_cb), NULL, "false" },
    { NULL },
  });
  self->runs_share = RUNS_SHARE;
  memlane_follow (self, (const MemlaneFollowed[]) {
    { self->side, "notify::position", G_CALLBACK (runs_moved_cb) },
    { self->flap, "notify::reveal-flap", G_CALLBACK (side_revealed_cb) },
    { NULL },
  });
}
