/* window-side.c: the side panel and the header, whose form depends on the window's width alone
 *
 * SPDX-License-Identifier: MIT
 */
#include "window-private.h"

#include <string.h>

#define WALL_TEXT 26 /* px of the widgets in a window of WALL_HEIGHT px */
#define WALL_HEIGHT 720
#define NARROW 900 /* px of the window: below that the side panel lies over the page, and the device's button stands in it */

gboolean
memlane_window_is_folded (MemlaneWindow *self)
{
  return adw_flap_get_fold_policy (self->flap) == ADW_FLAP_FOLD_POLICY_ALWAYS;
}

/* TRUE: that has changed. Above NARROW both fit as small as they can be, so that "auto" folds nothing. "Never" would forbid the window to
 * be narrower than that. */
gboolean
memlane_window_fold (MemlaneWindow *self, int width)
{
  AdwFlapFoldPolicy policy = width < NARROW && !self->projector ? ADW_FLAP_FOLD_POLICY_ALWAYS : ADW_FLAP_FOLD_POLICY_AUTO;

  if (policy == adw_flap_get_fold_policy (self->flap))
    return FALSE;
  self->placing_side = TRUE;
  if (policy == ADW_FLAP_FOLD_POLICY_ALWAYS)
    adw_flap_set_reveal_flap (self->flap, FALSE);
  adw_flap_set_fold_policy (self->flap, policy);
  self->placing_side = FALSE;
  return TRUE;
}

/* Shows what the page has a use for, and nothing at all on the wall. In a narrow window the device's button is in the panel on every page;
 * it alone never opens the panel. */
void
memlane_window_place_side (MemlaneWindow *self)
{
  Side parts = memlane_window_get_side (self);
  gboolean folded = memlane_window_is_folded (self), any = !self->projector && (parts != 0 || folded);

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
  memlane_window_set_state (self, "side-panel", g_variant_new_boolean (adw_flap_get_reveal_flap (self->flap)));
  memlane_window_enable (self, "side-panel", any);
}

/* By a swipe, or a click beside it. */
void
memlane_window_side_revealed (MemlaneWindow *self)
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
side_panel_cb (GSimpleAction *action, GVariant *state, gpointer data)
{
  MemlaneWindow *self = data;

  if (self->projector)
    return;
  if (memlane_window_is_folded (self))
    self->side_visiting = g_variant_get_boolean (state);
  else
    self->side_wanted = g_variant_get_boolean (state);
  memlane_window_place_side (self);
}

void
memlane_window_add_side_actions (MemlaneWindow *self)
{
  static const GActionEntry entries[] = {
    { "side-panel", NULL, NULL, "true", side_panel_cb, { 0 } },
  };

  g_action_map_add_action_entries (G_ACTION_MAP (self), entries, G_N_ELEMENTS (entries), self);
}

/* --- the header --------------------------------------------------------------------------------------------------------------- */

/* In a compact header only the closing button stays, on the side where the person has it. */
static void
choose_decoration (MemlaneWindow *self, gboolean compact)
{
  g_autofree char *layout = NULL;
  const char *colon;

  g_object_get (gtk_widget_get_settings (GTK_WIDGET (self)), "gtk-decoration-layout", &layout, NULL);
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
  gboolean narrow = memlane_window_is_folded (self), aside = gtk_widget_get_parent (self->device_button) == GTK_WIDGET (self->side_box);

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

/* As figures do: text of 26 px in 1280x720, and in proportion on a larger wall. */
void
memlane_window_size_wall_text (MemlaneWindow *self)
{
  int px = WALL_TEXT * MAX (WALL_HEIGHT, gtk_widget_get_height (GTK_WIDGET (self))) / WALL_HEIGHT;
  g_autofree char *css = NULL;

  if (px == self->wall_text)
    return;
  self->wall_text = px;
  css = g_strdup_printf (".projector .experiment { font-size: %dpx; }", px);
  gtk_css_provider_load_from_data (self->wall_css, css, -1);
}

static gboolean
adapt_cb (gpointer data)
{
  MemlaneWindow *self = data;

  self->adapt_idle = 0;
  place_device (self);
  memlane_window_place_side (self);
  memlane_window_size_wall_text (self);
  adw_view_switcher_bar_set_reveal (self->switcher_bar, adw_view_switcher_title_get_title_visible (self->switcher_title));
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
  g_signal_connect_object (gtk_native_get_surface (GTK_NATIVE (self)), "layout", G_CALLBACK (memlane_window_laid_out), self,
                           G_CONNECT_SWAPPED);
}
