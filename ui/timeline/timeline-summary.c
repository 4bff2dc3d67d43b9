/* timeline-summary.c: the traces as the table that nvprof printed, sortable, to be copied
 *
 * SPDX-License-Identifier: MIT
 */
#include "timeline-summary.h"

#include <glib/gi18n-lib.h>

#include "chart/scale.h"
#include "model/fields.h"
#include "parts/template.h"
#include "parts/widgets.h"

typedef enum
{
  COLUMN_TRACE,
  COLUMN_SECTION,
  COLUMN_PERCENT,
  COLUMN_TIME,
  COLUMN_CALLS,
  COLUMN_AVERAGE,
  COLUMN_MINIMUM,
  COLUMN_MAXIMUM,
  COLUMN_MEDIAN,
  COLUMN_DEVIATION, COLUMN_NAME,
  N_COLUMNS
} Column;

/* nvprof's words, which its users look for. */
static const struct
{
  const char *id, *title;
  guint width;   /* characters */
  gsize member;  /* of MemlaneSummaryRow, a double; 0: another */
} columns[N_COLUMNS] = {
  [COLUMN_TRACE] = { "trace", N_("Trace"), 16 },
  [COLUMN_SECTION] = { "section", N_("Type"), 14 },
  [COLUMN_PERCENT] = { "percent", N_("Time(%)"), 7, G_STRUCT_OFFSET (MemlaneSummaryRow, percent) },
  [COLUMN_TIME] = { "time", N_("Time"), 9, G_STRUCT_OFFSET (MemlaneSummaryRow, total) },
  [COLUMN_CALLS] = { "calls", N_("Calls"), 7 },
  [COLUMN_AVERAGE] = { "average", N_("Avg"), 9, G_STRUCT_OFFSET (MemlaneSummaryRow, average) },
  [COLUMN_MINIMUM] = { "minimum", N_("Min"), 9, G_STRUCT_OFFSET (MemlaneSummaryRow, minimum) },
  [COLUMN_MAXIMUM] = { "maximum", N_("Max"), 9, G_STRUCT_OFFSET (MemlaneSummaryRow, maximum) },
  [COLUMN_MEDIAN] = { "median", N_("Median"), 9, G_STRUCT_OFFSET (MemlaneSummaryRow, median) },
  [COLUMN_DEVIATION] = { "deviation", N_("StdDev"), 9,
                         G_STRUCT_OFFSET (MemlaneSummaryRow, deviation) },
  [COLUMN_NAME] = { "name", N_("Name"), 30 },
};

static gboolean
is_numeric (Column column)
{
  return column >= COLUMN_PERCENT && column <= COLUMN_DEVIATION;
}

/* --- a row ------------------------------------------------------------------------------------ */

#define MEMLANE_TYPE_SUMMARY_ENTRY (memlane_summary_entry_get_type ())
G_DECLARE_FINAL_TYPE (MemlaneSummaryEntry, memlane_summary_entry, MEMLANE, SUMMARY_ENTRY, GObject)

struct _MemlaneSummaryEntry
{
  GObject parent_instance;

  MemlaneTrace *trace; /* the names are its */
  MemlaneSummaryRow row;
  guint track;
  char *track_name;
};

MEMLANE_DEFINE_OBJECT (MemlaneSummaryEntry, memlane_summary_entry,
                       OWNS (trace, memlane_trace_unref) OWNS (track_name, g_free), )

static double
get_number (const MemlaneSummaryEntry *entry, Column column)
{
  const MemlaneSummaryRow *row = &entry->row;

  return column == COLUMN_TRACE        ? entry->track
         : column == COLUMN_SECTION    ? row->section
         : column == COLUMN_CALLS      ? row->calls
         : columns[column].member != 0 ? G_STRUCT_MEMBER (double, row, columns[column].member)
                                       : 0;
}

/* (transfer full) */
static char *
format (const MemlaneSummaryEntry *entry, Column column)
{
  if (column == COLUMN_SECTION)
    return g_strdup (
        g_dgettext (GETTEXT_PACKAGE, memlane_summary_section_name (entry->row.section)));
  if (column == COLUMN_TRACE || column == COLUMN_NAME)
    return g_strdup (column == COLUMN_TRACE ? entry->track_name : entry->row.name);
  if (column == COLUMN_CALLS)
    return g_strdup_printf ("%u", entry->row.calls);
  return column == COLUMN_PERCENT ? g_strdup_printf ("%.2f %%", entry->row.percent)
                                  : memlane_summary_format_time (get_number (entry, column));
}

static int
compare_by (gconstpointer a, gconstpointer b, gpointer data)
{
  MemlaneSummaryEntry *x = MEMLANE_SUMMARY_ENTRY ((gpointer) a),
                      *y = MEMLANE_SUMMARY_ENTRY ((gpointer) b);
  Column column = GPOINTER_TO_UINT (data);
  double left = get_number (x, column), right = get_number (y, column);

  if (column == COLUMN_NAME)
    return g_utf8_collate (x->row.name, y->row.name);
  return left < right ? -1 : left > right;
}

/* --- the table -------------------------------------------------------------------------------- */

struct _MemlaneTimelineSummary
{
  AdwBin parent_instance;

  GtkColumnView *view;
  GListStore *store;
  GtkColumnViewColumn *columns[N_COLUMNS];
  MemlaneTrace *traces[2];
  char *names[2];
  Column sorted;     /* by the action; N_COLUMNS: not */
  gboolean reversed;
};

G_DEFINE_FINAL_TYPE (MemlaneTimelineSummary, memlane_timeline_summary, ADW_TYPE_BIN)

static void
set_up_cb (GtkSignalListItemFactory *factory, GtkListItem *item, gpointer data)
{
  Column column = GPOINTER_TO_UINT (data);

  gtk_list_item_set_child (item, memlane_inscription_new (columns[column].width,
                                                          MIN (columns[column].width, 12),
                                                          is_numeric (column)));
}

static void
bind_cb (GtkSignalListItemFactory *factory, GtkListItem *item, gpointer data)
{
  MemlaneSummaryEntry *entry = gtk_list_item_get_item (item);
  GtkWidget *text = gtk_list_item_get_child (item), *cell = gtk_widget_get_parent (text);
  g_autofree char *words = format (entry, GPOINTER_TO_UINT (data));

  gtk_inscription_set_text (GTK_INSCRIPTION (text), words);
  memlane_accessible_set_name (text, words);
  if (GPOINTER_TO_UINT (data) == COLUMN_NAME)
    {
      g_autofree char *total = memlane_summary_format_time (entry->row.total);
      /* Translators: of a screen reader: what, how often, and how long in all */
      g_autofree char *row =
          g_strdup_printf (ngettext ("%s, %u call, %s", "%s, %u calls, %s", entry->row.calls),
                           entry->row.name, entry->row.calls, total);

      gtk_widget_set_tooltip_text (text, words);
      if (cell != NULL && gtk_widget_get_parent (cell) != NULL)
        memlane_accessible_set_name (gtk_widget_get_parent (cell), row);
    }
}

static void
add_column (MemlaneTimelineSummary *self, Column column)
{
  GtkListItemFactory *factory = gtk_signal_list_item_factory_new ();
  GtkColumnViewColumn *added;
  g_autoptr (GtkSorter) sorter =
      GTK_SORTER (gtk_custom_sorter_new (compare_by, GUINT_TO_POINTER (column), NULL));

  g_signal_connect (factory, "setup", G_CALLBACK (set_up_cb), GUINT_TO_POINTER (column));
  g_signal_connect (factory, "bind", G_CALLBACK (bind_cb), GUINT_TO_POINTER (column));
  added = gtk_column_view_column_new (g_dgettext (GETTEXT_PACKAGE, columns[column].title), factory);
  gtk_column_view_column_set_sorter (added, sorter);
  gtk_column_view_column_set_resizable (added, TRUE);
  gtk_column_view_column_set_expand (added, column == COLUMN_NAME);
  gtk_column_view_append_column (self->view, added);
  self->columns[column] = added;
  g_object_unref (added); /* the view's */
}

void
memlane_timeline_summary_set (MemlaneTimelineSummary *self, MemlaneTrace *const traces[2],
                              GArray *const rows[2], const char *const names[2])
{
  g_autoptr (GPtrArray) entries = g_ptr_array_new_with_free_func (g_object_unref);

  for (guint i = 0; i < 2; i++)
    {
      g_clear_pointer (&self->traces[i], memlane_trace_unref);
      self->traces[i] = traces[i] != NULL ? memlane_trace_ref (traces[i]) : NULL;
      g_free (self->names[i]);
      self->names[i] = g_strdup (names[i]);
      for (guint k = 0; traces[i] != NULL && k < rows[i]->len; k++)
        {
          MemlaneSummaryEntry *entry = g_object_new (MEMLANE_TYPE_SUMMARY_ENTRY, NULL);

          entry->trace = memlane_trace_ref (traces[i]);
          entry->row = g_array_index (rows[i], MemlaneSummaryRow, k);
          entry->track = i;
          entry->track_name = g_strdup (names[i]);
          g_ptr_array_add (entries, entry);
        }
    }
  gtk_column_view_column_set_visible (self->columns[COLUMN_TRACE],
                                      traces[0] != NULL && traces[1] != NULL);
  g_list_store_splice (self->store, 0, g_list_model_get_n_items (G_LIST_MODEL (self->store)),
                       entries->pdata, entries->len);
  gtk_widget_action_set_enabled (GTK_WIDGET (self), "summary.copy", entries->len > 0);
}

/* The tables as text, with the names above them where there are two. (transfer full) */
static char *
to_text (MemlaneTimelineSummary *self)
{
  GString *text = g_string_new (NULL);
  gboolean two = self->traces[0] != NULL && self->traces[1] != NULL;

  for (guint i = 0; i < 2; i++)
    if (self->traces[i] != NULL)
      {
        g_autofree char *table = memlane_trace_summary_to_text (self->traces[i]);

        if (two)
          g_string_append_printf (text, "%s%s\n", i > 0 ? "\n" : "", self->names[i]);
        g_string_append (text, table);
      }
  return g_string_free (text, FALSE);
}

/* --- actions ---------------------------------------------------------------------------------- */

static void
copy_action (GtkWidget *widget, const char *action, GVariant *parameter)
{
  g_autofree char *text = to_text (MEMLANE_TIMELINE_SUMMARY (widget));

  gdk_clipboard_set_text (gtk_widget_get_clipboard (widget), text);
  g_signal_emit_by_name (widget, "copied");
}

/* GTK 4.8 does not tell by what a view is sorted, so what the action chose last is remembered
 * here. */
static void
sort_action (GtkWidget *widget, const char *action, GVariant *parameter)
{
  MemlaneTimelineSummary *self = MEMLANE_TIMELINE_SUMMARY (widget);
  const char *id = g_variant_get_string (parameter, NULL);
  Column column;

  for (column = 0; column < N_COLUMNS && !g_str_equal (columns[column].id, id); column++)
    ;
  self->reversed = column == self->sorted && !self->reversed;
  self->sorted = column;
  /* To none first: else the former columns go on deciding between rows that are equal. */
  gtk_column_view_sort_by_column (self->view, NULL, GTK_SORT_ASCENDING);
  if (column < N_COLUMNS)
    gtk_column_view_sort_by_column (self->view, self->columns[column],
                                    is_numeric (column) != self->reversed ? GTK_SORT_DESCENDING
                                                                          : GTK_SORT_ASCENDING);
}

GMenuModel *
memlane_timeline_summary_build_sort_menu (void)
{
  GMenu *menu = g_menu_new ();
  g_autoptr (GMenu) own = g_menu_new (), others = g_menu_new ();

  g_menu_append (own, _("As nvprof Does"), "summary.sort('')");
  for (Column column = COLUMN_SECTION; column < N_COLUMNS; column++)
    {
      g_autofree char *action = g_strdup_printf ("summary.sort('%s')", columns[column].id);

      g_menu_append (others, g_dgettext (GETTEXT_PACKAGE, columns[column].title), action);
    }
  g_menu_append_section (menu, NULL, G_MENU_MODEL (own));
  g_menu_append_section (menu, _("Sort by (choose again to reverse)"), G_MENU_MODEL (others));
  return G_MENU_MODEL (menu);
}

/* --- life ------------------------------------------------------------------------------------- */

MEMLANE_DEFINE_RELEASE (MemlaneTimelineSummary, memlane_timeline_summary, finalize,
                        OWNS (traces[0], memlane_trace_unref) OWNS (traces[1], memlane_trace_unref)
                        OWNS (names[0], g_free) OWNS (names[1], g_free))

static void
memlane_timeline_summary_class_init (MemlaneTimelineSummaryClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->finalize = finalize;
  memlane_signal_add (klass, "copied", 0);
  MEMLANE_ENSURE_TYPES (SUMMARY_ENTRY);
  gtk_widget_class_set_template_from_resource (
      widget_class, "/io/github/memlane/Memlane/timeline-summary.ui");
  MEMLANE_BIND_CHILDREN (MemlaneTimelineSummary, view, store);
  memlane_widget_class_add_actions (widget_class, (const MemlaneWidgetAction[]) {
    { "summary.copy", NULL, copy_action },
    { "summary.sort", "s", sort_action },
    { NULL },
  });
  gtk_widget_class_add_binding_action (widget_class, GDK_KEY_c, GDK_CONTROL_MASK, "summary.copy",
                                       NULL);
}

static void
memlane_timeline_summary_init (MemlaneTimelineSummary *self)
{
  self->sorted = N_COLUMNS;
  gtk_widget_init_template (GTK_WIDGET (self));
  for (Column column = 0; column < N_COLUMNS; column++)
    add_column (self, column);
  memlane_accessible_set_name (GTK_WIDGET (self->view), _("Summary of the trace"));
  gtk_widget_action_set_enabled (GTK_WIDGET (self), "summary.copy", FALSE);
}
