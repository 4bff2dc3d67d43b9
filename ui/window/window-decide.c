/* window-decide.c: the Decide page in the window
 *
 * SPDX-License-Identifier: MIT
 */
#include <glib/gi18n-lib.h>

#include "parts/export-dialog.h"
#include "window-private.h"

MemlaneDecidePage *
memlane_window_get_decide_page (MemlaneWindow *self)
{
  g_return_val_if_fail (MEMLANE_IS_WINDOW (self), NULL);
  memlane_window_ensure_page (self, "decide");
  return MEMLANE_DECIDE_PAGE (adw_bin_get_child (self->decide_bin));
}

gboolean
memlane_window_shows_decide (MemlaneWindow *self)
{
  return g_strcmp0 (adw_view_stack_get_visible_child_name (self->pages), "decide") == 0;
}

gboolean
memlane_window_has_map (MemlaneWindow *self)
{
  GtkWidget *page = adw_bin_get_child (self->decide_bin);

  return page != NULL && memlane_decide_page_get_result (MEMLANE_DECIDE_PAGE (page)) != NULL;
}

static gboolean
write_map (gpointer result, const char *path, GError **error)
{
  return memlane_decision_write_map (((const MemlaneDecideResult *) result)->decision, path, error);
}

void
memlane_window_export_map (MemlaneWindow *self)
{
  const char *const kinds[] = { _("CSV files"), "*.csv", NULL };
  MemlaneDecideResult *result = memlane_decide_page_get_result (memlane_window_get_decide_page (self));
  g_autofree char *name = NULL;

  if (result == NULL)
    return;
  name = g_strdup_printf ("decide-%s.csv", result->decision->workload);
  g_strdelimit (name, "/\\:", '-');
  memlane_export_written (GTK_WINDOW (self), _("Export CSV"), name, kinds, ".csv", write_map, memlane_decide_result_ref (result),
                          (GDestroyNotify) memlane_decide_result_unref, memlane_window_tell_exported, g_object_ref (self));
}
