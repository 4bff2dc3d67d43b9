/* pointer-fixture.h: the controls of a window as the pointer finds them: where they are, what lies over them, a click on one
 *
 * SPDX-License-Identifier: MIT
 */
#pragma once

#include <gdk/x11/gdkx.h>

#include "ui-test.h"
#include "x-input.h"

/* Some widgets only show what the widget around them does: a drop-down its choice as if it were the row of a list. */
static gboolean
pointer_is_part (GtkWidget *widget)
{
  if (g_str_equal (G_OBJECT_TYPE_NAME (widget), "GtkListItemWidget") && !GTK_IS_LIST_VIEW (gtk_widget_get_parent (widget)))
    return TRUE;
  for (; gtk_widget_get_parent (widget) != NULL; widget = gtk_widget_get_parent (widget))
    if (!gtk_widget_get_can_target (widget) || gtk_widget_get_opacity (widget) == 0
        || (ADW_IS_SQUEEZER (gtk_widget_get_parent (widget))
            && adw_squeezer_get_visible_child (ADW_SQUEEZER (gtk_widget_get_parent (widget))) != widget))
      return TRUE;
  return FALSE;
}

/* A click does something there, or a key does after it. */
static gboolean
pointer_is_control (GtkWidget *widget)
{
  return gtk_widget_is_drawable (widget) && gtk_widget_is_sensitive (widget) && !pointer_is_part (widget)
         && gtk_widget_get_width (widget) > 0 && gtk_widget_get_height (widget) > 0
         && (GTK_IS_BUTTON (widget) || gtk_widget_get_focusable (widget)) && !GTK_IS_NATIVE (widget) && !GTK_IS_SCROLLED_WINDOW (widget);
}

G_GNUC_UNUSED static void
pointer_collect (GtkWidget *root, GPtrArray *controls)
{
  GtkWidget *child;

  if (!gtk_widget_get_mapped (root))
    return;
  if (pointer_is_control (root))
    g_ptr_array_add (controls, g_object_ref (root));
  for (child = gtk_widget_get_first_child (root); child != NULL; child = gtk_widget_get_next_sibling (child))
    pointer_collect (child, controls);
}

/* In the coordinates of its window or pop-over. */
static graphene_point_t
pointer_get_centre (GtkWidget *widget, GtkWidget *of)
{
  const graphene_point_t middle
    = GRAPHENE_POINT_INIT ((float) gtk_widget_get_width (widget) / 2, (float) gtk_widget_get_height (widget) / 2);
  graphene_point_t centre;

  g_assert_true (gtk_widget_compute_point (widget, of, &middle, &centre));
  return centre;
}

/* Scrolls where the centre lies outside of what a scrolled window shows. FALSE: it cannot be seen at all. */
G_GNUC_UNUSED static gboolean
pointer_bring_into_view (GtkWidget *widget)
{
  for (GtkWidget *above = gtk_widget_get_parent (widget); above != NULL && !GTK_IS_NATIVE (above); above = gtk_widget_get_parent (above))
    {
      graphene_point_t centre;
      int width = gtk_widget_get_width (above), height = gtk_widget_get_height (above);

      if (gtk_widget_get_overflow (above) != GTK_OVERFLOW_HIDDEN && !GTK_IS_SCROLLED_WINDOW (above))
        continue;
      centre = pointer_get_centre (widget, above);
      if (centre.x >= 0 && centre.y >= 0 && centre.x < (float) width && centre.y < (float) height)
        continue;
      if (!GTK_IS_SCROLLED_WINDOW (gtk_widget_get_parent (above)) && !GTK_IS_SCROLLED_WINDOW (above))
        return FALSE;
      if (!GTK_IS_SCROLLED_WINDOW (above))
        above = gtk_widget_get_parent (above);
      {
        GtkAdjustment *across = gtk_scrolled_window_get_hadjustment (GTK_SCROLLED_WINDOW (above));
        GtkAdjustment *down = gtk_scrolled_window_get_vadjustment (GTK_SCROLLED_WINDOW (above));

        gtk_adjustment_set_value (across, gtk_adjustment_get_value (across) + centre.x - (double) gtk_widget_get_width (above) / 2);
        gtk_adjustment_set_value (down, gtk_adjustment_get_value (down) + centre.y - (double) gtk_widget_get_height (above) / 2);
      }
      ui_test_next_frame (above);
      if (!gtk_widget_is_drawable (widget)) /* a list gave its row to another item */
        return FALSE;
      centre = pointer_get_centre (widget, above);
      if (centre.x < 0 || centre.y < 0 || centre.x >= (float) gtk_widget_get_width (above)
          || centre.y >= (float) gtk_widget_get_height (above))
        return FALSE;
    }
  return TRUE;
}

/* (nullable): what a click at the centre of @control would meet. */
G_GNUC_UNUSED static GtkWidget *
pointer_pick (GtkWidget *control)
{
  GtkWidget *native = GTK_WIDGET (gtk_widget_get_native (control));
  const graphene_point_t centre = pointer_get_centre (control, native);

  return gtk_widget_pick (native, centre.x, centre.y, GTK_PICK_DEFAULT);
}

/* Whether a click at (@x, @y) of @control meets it. TRUE also where what is around it cuts that place off, as a list does with rows
 * that are scrolled away in part, and where the list's scroll bar lies over the end of a row, as it does after scrolling. */
G_GNUC_UNUSED static gboolean
pointer_meets (GtkWidget *control, double x, double y)
{
  GtkWidget *native = GTK_WIDGET (gtk_widget_get_native (control)), *picked;
  const graphene_point_t here = GRAPHENE_POINT_INIT ((float) x, (float) y);
  graphene_point_t place;

  for (GtkWidget *above = gtk_widget_get_parent (control); above != NULL; above = gtk_widget_get_parent (above))
    {
      g_assert_true (gtk_widget_compute_point (control, above, &here, &place));
      if (place.x < 0 || place.y < 0 || place.x >= (float) gtk_widget_get_width (above)
          || place.y >= (float) gtk_widget_get_height (above))
        return TRUE;
      if (above == native)
        break;
    }
  g_assert_true (gtk_widget_compute_point (control, native, &here, &place));
  picked = gtk_widget_pick (native, place.x, place.y, GTK_PICK_DEFAULT);
  return picked != NULL
         && (picked == control || gtk_widget_is_ancestor (picked, control)
             || ((gtk_widget_get_ancestor (control, GTK_TYPE_LIST_BOX_ROW) != NULL
                  || GTK_IS_POPOVER (native)) /* the list of a drop-down is GTK's own */
                 && gtk_widget_get_ancestor (picked, GTK_TYPE_SCROLLBAR) != NULL));
}

/* (transfer full): for messages. */
G_GNUC_UNUSED static char *
pointer_name (GtkWidget *widget)
{
  const char *id = NULL, *text = NULL;
  GtkWidget *label = ui_test_find (widget, ui_test_match_label, NULL);

  for (GtkWidget *above = widget; above != NULL && (id == NULL || *id == '\0'); above = gtk_widget_get_parent (above))
    {
      id = gtk_buildable_get_buildable_id (GTK_BUILDABLE (above));
      if (id == NULL && strcmp (gtk_widget_get_name (above), G_OBJECT_TYPE_NAME (above)) != 0)
        id = gtk_widget_get_name (above);
    }
  text = label != NULL ? gtk_label_get_text (GTK_LABEL (label)) : gtk_widget_get_tooltip_text (widget);
  return g_strdup_printf ("%s \"%s\" in %s", G_OBJECT_TYPE_NAME (widget), text != NULL ? text : "", id != NULL ? id : "?");
}

/* Moves the pointer to (@x, @y) of @widget, wherever that is now. */
static void
pointer_move_to (XInput *input, GtkWidget *widget, double x, double y)
{
  GtkNative *native = gtk_widget_get_native (widget);
  const graphene_point_t here = GRAPHENE_POINT_INIT ((float) x, (float) y);
  graphene_point_t point;
  double left, top;
  int root_x, root_y;

  g_assert_true (gtk_widget_compute_point (widget, GTK_WIDGET (native), &here, &point));
  gtk_native_get_surface_transform (native, &left, &top);
  x_locate (input, (guint32) gdk_x11_surface_get_xid (gtk_native_get_surface (native)), &root_x, &root_y);
  x_fake (input, X_MOTION, 0, root_x + (int) (point.x + left), root_y + (int) (point.y + top));
}

static void
pointer_move (XInput *input, GtkWidget *control)
{
  pointer_move_to (input, control, gtk_widget_get_width (control) / 2.0, gtk_widget_get_height (control) / 2.0);
}

/* Clicks on @control, as a hand would. */
G_GNUC_UNUSED static void
pointer_click (XInput *input, GtkWidget *control)
{
  ui_test_next_frame (control); /* its place is known then */
  g_assert_true (pointer_bring_into_view (control));
  pointer_move (input, control);
  x_click (input, 1);
}
