/* experiment-results.c: what an experiment found: verdict, figures beside the published ones, explanation
 *
 * SPDX-License-Identifier: MIT
 */
#include "experiment-results.h"

#include <glib/gi18n-lib.h>

#include "experiment-tables.h"
#include "experiment-words.h"
#include "model/sentence.h"

struct _MemlaneExperimentResults
{
  AdwBin parent_instance;

  GtkWidget *verdict, *verdict_icon, *verdict_label, *simulated, *why, *machine, *timeline_child, *run_child;
  GtkBox *sections;
};

G_DEFINE_FINAL_TYPE (MemlaneExperimentResults, memlane_experiment_results, ADW_TYPE_BIN)

/* --- the verdict ---------------------------------------------------------------------------------------------------------- */

/* "The claim does not hold here" in the words of the verdict; why it cannot be told stands below it. */
static char *
explain (const MemlaneExperimentResult *result)
{
  if (result->cancelled)
    return g_strdup (_("The experiment was cut short: what was found until then stands here."));
  if (result->verdict != MEMLANE_VERDICT_CANNOT_BE_TOLD)
    return NULL;
  for (guint i = 0; i < result->checks->len; i++)
    {
      const MemlaneCheckResult *check = result->checks->pdata[i];

      if (g_strv_contains ((const char *const *) result->experiment->verdict, check->check->id) && check->doubt != MEMLANE_DOUBT_NONE)
        return memlane_sentence_new (g_dgettext (GETTEXT_PACKAGE, memlane_doubt_title (check->doubt)));
    }
  return NULL;
}

static char *
describe_machine (const MemlaneExperimentResult *result)
{
  g_autoptr (GDateTime) date = g_date_time_new_from_iso8601 (result->date, NULL);
  g_autoptr (GDateTime) local = date != NULL ? g_date_time_to_local (date) : NULL;
  g_autofree char *when = local != NULL ? g_date_time_format (local, "%Y-%m-%d %H:%M") : g_strdup (result->date);

  return g_strdup_printf ("%s · %s", result->machine, when);
}

static void
show_verdict (MemlaneExperimentResults *self, const MemlaneExperimentResult *result)
{
  g_autofree char *verdict = memlane_experiment_words_verdict (result->verdict), *why = explain (result);
  g_autofree char *machine = describe_machine (result);

  gtk_label_set_text (GTK_LABEL (self->verdict_label), verdict);
  gtk_image_set_from_icon_name (GTK_IMAGE (self->verdict_icon), memlane_experiment_words_icon (result->verdict));
  memlane_experiment_words_color (self->verdict, result->verdict);
  gtk_widget_set_visible (self->simulated, result->simulated);
  gtk_label_set_text (GTK_LABEL (self->why), why != NULL ? why : "");
  gtk_widget_set_visible (self->why, why != NULL);
  gtk_label_set_text (GTK_LABEL (self->machine), machine);
  gtk_widget_set_tooltip_text (self->machine, machine);
  gtk_widget_set_visible (self->timeline_child, result->traces->len > 0);
  gtk_widget_set_visible (self->run_child, result->runs->len > 0);
}

/* --- sections ---------------------------------------------------------------------------------------------------------------- */

static void
add (MemlaneExperimentResults *self, GtkWidget *widget)
{
  gtk_box_append (self->sections, widget);
}

static void
add_heading (MemlaneExperimentResults *self, const char *title)
{
  GtkWidget *label = memlane_experiment_tables_make_label (title);

  gtk_widget_add_css_class (label, "heading");
  gtk_widget_set_margin_top (label, 6);
  add (self, label);
}

static void
add_text (MemlaneExperimentResults *self, const char *title, const char *text)
{
  GtkWidget *label;

  if (text == NULL)
    return;
  add_heading (self, title);
  label = memlane_experiment_tables_make_label (text);
  gtk_label_set_selectable (GTK_LABEL (label), TRUE);
  add (self, label);
}

/* What this window did not count, and why. */
static void
add_notes (MemlaneExperimentResults *self, const MemlaneExperimentResult *result)
{
  gboolean uncounted = !result->simulated && memlane_experiment_counts_pages (result->experiment);
  g_autoptr (GString) text = g_string_new (NULL);

  if (uncounted)
    g_string_append_printf (text, _("Page faults and migrations were not counted: their counters would slow all that this window measures "
                                    "later. memlane-cli experiment run %s counts them."), result->experiment->name);
  for (guint i = 0; i < result->notes->len; i++)
    g_string_append_printf (text, "%s%s", text->len > 0 ? "\n" : "", (const char *) result->notes->pdata[i]);
  if (text->len > 0)
    add_text (self, _("Notes"), text->str);
}

static void
show_sections (MemlaneExperimentResults *self, const MemlaneExperimentResult *result)
{
  const MemlaneExperiment *experiment = result->experiment;
  MemlaneCertainty worst = MEMLANE_CERTAIN;
  GtkWidget *figures;

  add_heading (self, _("What was checked"));
  add (self, memlane_experiment_tables_make_checks (result));
  figures = memlane_experiment_tables_make_figures (result, &worst);
  if (figures != NULL)
    {
      add_heading (self, _("Figures"));
      add (self, figures);
    }
  for (guint i = 0; i < result->tables->len; i++)
    {
      const MemlaneTableResult *table = result->tables->pdata[i];

      add_heading (self, table->table->title);
      add (self, memlane_experiment_tables_make_table (result, table, &worst));
    }
  for (MemlaneCertainty certainty = MEMLANE_WIDE; certainty <= worst; certainty++)
    {
      GtkWidget *label = memlane_experiment_tables_make_label (memlane_experiment_words_explain (certainty));

      gtk_widget_add_css_class (label, "caption");
      add (self, label);
    }
  add_text (self, _("Explanation"), experiment->explanation);
  add_text (self, _("What has changed since"), experiment->since);
  add_text (self, _("The fault in the source's program"), experiment->fault);
  add_text (self, _("The cure"), experiment->cure);
  add_notes (self, result);
}

void
memlane_experiment_results_set (MemlaneExperimentResults *self, MemlaneExperimentResult *result)
{
  GtkWidget *child;

  g_return_if_fail (MEMLANE_IS_EXPERIMENT_RESULTS (self));
  while ((child = gtk_widget_get_first_child (GTK_WIDGET (self->sections))) != NULL)
    gtk_box_remove (self->sections, child);
  gtk_widget_set_visible (GTK_WIDGET (self), result != NULL);
  if (result == NULL)
    return;
  show_verdict (self, result);
  show_sections (self, result);
}

/* --- life ----------------------------------------------------------------------------------------------------------------------- */

static void
dispose (GObject *object)
{
  gtk_widget_dispose_template (GTK_WIDGET (object), MEMLANE_TYPE_EXPERIMENT_RESULTS);
  G_OBJECT_CLASS (memlane_experiment_results_parent_class)->dispose (object);
}

static void
memlane_experiment_results_class_init (MemlaneExperimentResultsClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = dispose;
  gtk_widget_class_set_template_from_resource (widget_class, "/io/github/memlane/Memlane/experiment-results.ui");
#define CHILD(name) gtk_widget_class_bind_template_child (widget_class, MemlaneExperimentResults, name)
  CHILD (verdict);
  CHILD (verdict_icon);
  CHILD (verdict_label);
  CHILD (simulated);
  CHILD (why);
  CHILD (machine);
  CHILD (timeline_child);
  CHILD (run_child);
  CHILD (sections);
#undef CHILD
}

static void
memlane_experiment_results_init (MemlaneExperimentResults *self)
{
  gtk_widget_init_template (GTK_WIDGET (self));
  gtk_widget_set_visible (GTK_WIDGET (self), FALSE);
}
