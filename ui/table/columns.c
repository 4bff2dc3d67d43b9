/* columns.c: the columns of the Table page: cells, headers, and what a click on a header asks for
 *
 * SPDX-License-Identifier: MIT
 *
 * The model sorts by itself, so the sorters of the columns compare nothing: they are asked in order to learn which columns the
 * person has chosen, in which direction. GTK 4.8 tells it in no other way.
 */
#include "columns.h"

#include "memlane.h"
#include "parts/accessible.h"
#include "table-model.h"

/* What a column's sorter answers while it is asked. */
typedef struct
{
  int answering;  /* the column that says "larger"; -1: none does */
  GArray *asked;  /* (element-type MemlaneColumn): in the order in which they were */
} Probe;

typedef struct
{
  Probe *probe;   /* the view's */
  MemlaneColumn column;
} Sorter;

static void
free_probe (gpointer data)
{
  Probe *probe = data;

  g_array_unref (probe->asked);
  g_free (probe);
}

static int
answer (gconstpointer a, gconstpointer b, gpointer user_data)
{
  Sorter *sorter = user_data;

  g_array_append_val (sorter->probe->asked, sorter->column);
  return sorter->probe->answering == (int) sorter->column ? 1 : 0;
}

guint
memlane_table_columns_get_sorts (GtkColumnView *view, MemlaneTableSort sorts[MEMLANE_N_COLUMNS])
{
  Probe *probe = g_object_get_data (G_OBJECT (view), "probe");
  GtkSorter *sorter = gtk_column_view_get_sorter (view);
  g_autoptr (GArray) asked = NULL;
  /* Two things that are not the same are compared; which ones does not matter. */
  GObject *one = G_OBJECT (view), *other = G_OBJECT (sorter);

  probe->answering = -1;
  g_array_set_size (probe->asked, 0);
  gtk_sorter_compare (sorter, one, other);
  asked = g_array_copy (probe->asked);
  for (guint i = 0; i < asked->len && i < MEMLANE_N_COLUMNS; i++)
    {
      sorts[i].column = g_array_index (asked, MemlaneColumn, i);
      probe->answering = (int) sorts[i].column;
      sorts[i].descending = gtk_sorter_compare (sorter, one, other) == GTK_ORDERING_SMALLER;
    }
  probe->answering = -1;
  return MIN (asked->len, MEMLANE_N_COLUMNS);
}

/* --- cells ------------------------------------------------------------------------------------------------------------------ */

/* Titles of modes and phases are never cut: what a row is about stands in them. */
static guint
count_mode_chars (void)
{
  guint n, most = 0;
  const MemlaneMode *modes = memlane_mode_list (&n);

  for (guint i = 0; i < n; i++)
    most = MAX (most, (guint) g_utf8_strlen (memlane_table_mode_word (modes[i].id), -1));
  return most;
}

static GtkWidget *
new_text (MemlaneColumn column)
{
  GtkWidget *text = gtk_inscription_new (NULL);
  guint width = column == MEMLANE_COLUMN_MODE ? count_mode_chars () : memlane_column_get_width (column);

  gtk_inscription_set_min_chars (GTK_INSCRIPTION (text),
                                 column == MEMLANE_COLUMN_MODE || column == MEMLANE_COLUMN_PHASE ? width : MIN (width, 12));
  gtk_inscription_set_nat_chars (GTK_INSCRIPTION (text), width);
  gtk_inscription_set_nat_lines (GTK_INSCRIPTION (text), 1);
  gtk_inscription_set_text_overflow (GTK_INSCRIPTION (text), GTK_INSCRIPTION_OVERFLOW_ELLIPSIZE_END);
  if (memlane_column_is_numeric (column))
    {
      gtk_inscription_set_xalign (GTK_INSCRIPTION (text), 1);
      gtk_widget_set_direction (text, GTK_TEXT_DIR_LTR); /* numbers and units read so everywhere */
      gtk_widget_add_css_class (text, "numeric");
    }
  gtk_widget_set_hexpand (text, TRUE);
  return text;
}

static void
set_up_cb (GtkSignalListItemFactory *factory, GtkListItem *item, gpointer column)
{
  gtk_list_item_set_child (item, new_text (GPOINTER_TO_UINT (column)));
}

static void
show_text (GtkWidget *widget, GtkListItem *item, MemlaneColumn column)
{
  MemlaneTableLine *row = gtk_list_item_get_item (item);
  g_autofree char *text = memlane_table_entry_format (&row->entry, row->run, column);

  gtk_inscription_set_text (GTK_INSCRIPTION (widget), text);
  /* Each change of a tooltip asks the X server where the pointer is. */
  if (column == MEMLANE_COLUMN_DETAIL && (*text != '\0' || gtk_widget_get_has_tooltip (widget)))
    gtk_widget_set_tooltip_text (widget, *text != '\0' ? text : NULL);
  memlane_accessible_set_name (widget, text);
}

/* What is read out when the row has the focus. */
static void
name_row (GtkListItem *item)
{
  GtkWidget *cell = gtk_widget_get_parent (gtk_list_item_get_child (item));
  GtkWidget *widget = cell != NULL ? gtk_widget_get_parent (cell) : NULL;
  static const MemlaneColumn said[] = { MEMLANE_COLUMN_MODE, MEMLANE_COLUMN_SIZE, MEMLANE_COLUMN_PHASE, MEMLANE_COLUMN_MEDIAN,
                                        MEMLANE_COLUMN_BANDWIDTH, MEMLANE_COLUMN_STATUS };
  MemlaneTableLine *row = gtk_list_item_get_item (item);
  g_autoptr (GString) name = g_string_new (NULL);

  for (guint i = 0; i < G_N_ELEMENTS (said); i++)
    {
      g_autofree char *text = memlane_table_entry_format (&row->entry, row->run, said[i]);

      if (*text != '\0')
        g_string_append_printf (name, "%s%s", name->len > 0 ? ", " : "", text);
    }
  if (widget != NULL)
    memlane_accessible_set_name (widget, name->str);
}

static void
bind_cb (GtkSignalListItemFactory *factory, GtkListItem *item, gpointer column)
{
  show_text (gtk_list_item_get_child (item), item, GPOINTER_TO_UINT (column));
  if (GPOINTER_TO_UINT (column) == MEMLANE_COLUMN_MODE)
    name_row (item);
}

/* Not by colour alone: an icon and the word. */
static void
set_up_status_cb (GtkSignalListItemFactory *factory, GtkListItem *item, gpointer column)
{
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 4), *icon = gtk_image_new ();

  gtk_box_append (GTK_BOX (box), icon);
  gtk_box_append (GTK_BOX (box), new_text (MEMLANE_COLUMN_STATUS));
  gtk_list_item_set_child (item, box);
}

static void
bind_status_cb (GtkSignalListItemFactory *factory, GtkListItem *item, gpointer column)
{
  MemlaneTableLine *row = gtk_list_item_get_item (item);
  MemlaneStatus status = memlane_table_entry_get_status (&row->entry);
  GtkWidget *box = gtk_list_item_get_child (item), *icon = gtk_widget_get_first_child (box);

  gtk_image_set_from_icon_name (GTK_IMAGE (icon), memlane_table_status_icon (status));
  gtk_widget_remove_css_class (icon, "warning");
  gtk_widget_remove_css_class (icon, "error");
  if (status == MEMLANE_STATUS_NOISY)
    gtk_widget_add_css_class (icon, "warning");
  else if (status != MEMLANE_STATUS_OK && status != MEMLANE_STATUS_UNSUPPORTED && status != MEMLANE_STATUS_CANCELLED)
    gtk_widget_add_css_class (icon, "error");
  show_text (gtk_widget_get_last_child (box), item, MEMLANE_COLUMN_STATUS);
}

static GtkListItemFactory *
new_factory (MemlaneColumn column)
{
  GtkListItemFactory *factory = gtk_signal_list_item_factory_new ();
  gboolean status = column == MEMLANE_COLUMN_STATUS;

  g_signal_connect (factory, "setup", status ? G_CALLBACK (set_up_status_cb) : G_CALLBACK (set_up_cb), GUINT_TO_POINTER (column));
  g_signal_connect (factory, "bind", status ? G_CALLBACK (bind_status_cb) : G_CALLBACK (bind_cb), GUINT_TO_POINTER (column));
  return factory;
}

void
memlane_table_columns_add (GtkColumnView *view)
{
  Probe *probe = g_new0 (Probe, 1);

  probe->answering = -1;
  probe->asked = g_array_new (FALSE, FALSE, sizeof (MemlaneColumn));
  g_object_set_data_full (G_OBJECT (view), "probe", probe, free_probe);
  for (MemlaneColumn column = 0; column < MEMLANE_N_COLUMNS; column++)
    {
      g_autoptr (GtkColumnViewColumn) one = gtk_column_view_column_new (memlane_column_get_title (column), new_factory (column));
      Sorter *about = g_new0 (Sorter, 1);
      g_autoptr (GtkSorter) sorter = NULL;

      about->probe = probe;
      about->column = column;
      sorter = GTK_SORTER (gtk_custom_sorter_new (answer, about, g_free));
      gtk_column_view_column_set_sorter (one, sorter);
      gtk_column_view_column_set_resizable (one, TRUE);
      gtk_column_view_column_set_expand (one, column == MEMLANE_COLUMN_DETAIL);
      gtk_column_view_append_column (view, one);
    }
}

GtkColumnViewColumn *
memlane_table_columns_get (GtkColumnView *view, MemlaneColumn column)
{
  g_autoptr (GtkColumnViewColumn) one = g_list_model_get_item (gtk_column_view_get_columns (view), column);

  return one;
}
