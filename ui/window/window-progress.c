/* window-progress.c: the line at the bottom: how far a sweep, an experiment, a recording or reading is; animations rest meanwhile
 *
 * SPDX-License-Identifier: MIT
 */
#include <glib/gi18n-lib.h>

#include "window-private.h"

/* The mean of what is read now; TRUE when anything is. */
static gboolean
get_reading (MemlaneWindow *self, double *fraction, char **name)
{
  GListModel *store = G_LIST_MODEL (memlane_session_get_store (self->session));
  guint i, n = g_list_model_get_n_items (store), loading = 0;

  *fraction = 0;
  for (i = 0; i < n; i++)
    {
      g_autoptr (MemlaneRunItem) item = g_list_model_get_item (store, i);

      if (!memlane_run_item_get_loading (item))
        continue;
      *fraction += memlane_run_item_get_fraction (item);
      if (loading++ == 0)
        *name = g_strdup (memlane_run_item_get_name (item));
    }
  if (loading > 0)
    *fraction /= loading;
  return loading > 0;
}

void
memlane_window_update_progress (MemlaneWindow *self)
{
  gboolean running = memlane_session_is_running (self->session), reading = FALSE, pulsing = FALSE;
  g_autofree char *status = NULL, *name = NULL;
  double fraction = 0;

  if (running)
    g_object_get (self->session, "status", &status, "fraction", &fraction, NULL);
  else if (memlane_experiment_store_is_running (self->experiments))
    {
      reading = TRUE;
      g_object_get (self->experiments, "status", &status, "fraction", &fraction, NULL);
    }
  else if (memlane_trace_store_is_busy (self->store))
    {
      reading = TRUE;
      g_object_get (self->store, "status", &status, "progress", &fraction, NULL);
      pulsing = memlane_trace_store_is_recording (self->store); /* how far a recording is, nobody knows */
    }
  else if (self->n_reading > 0)
    {
      reading = TRUE;
      if (get_reading (self, &fraction, &name))
        status = g_strdup_printf (_("reading %s · %.0f %%"), name, 100 * fraction);
      else
        status = g_strdup (_("reading"));
    }
  gtk_revealer_set_reveal_child (self->progress_revealer, (running || reading) && !self->projector);
  gtk_widget_set_visible (self->stop_reading_button, reading);
  if (!running && !reading)
    return;
  if (g_strcmp0 (status, gtk_label_get_text (self->status_label)) != 0)
    gtk_label_set_text (self->status_label, status != NULL ? status : "");
  gtk_widget_set_visible (GTK_WIDGET (self->progress_bar), !pulsing);
  gtk_progress_bar_set_fraction (self->progress_bar, CLAMP (fraction, 0, 1));
}

/* The GPU that is measured may draw the desktop, too. Resetting brings back what the system says; who has none keeps it so. */
void
memlane_window_rest_animations (MemlaneWindow *self, gboolean rest)
{
  GtkSettings *settings = gtk_widget_get_settings (GTK_WIDGET (self));
  gboolean animated;

  if (rest == self->rested)
    return;
  g_object_get (settings, "gtk-enable-animations", &animated, NULL);
  if (rest && !animated)
    return;
  self->rested = rest;
  if (rest)
    g_object_set (settings, "gtk-enable-animations", FALSE, NULL);
  else
    gtk_settings_reset_property (settings, "gtk-enable-animations");
}
