/* columns.c: the columns of the Table page: cells, headers, and how each column sorts
 *
 * SPDX-License-Identifier: MIT
 *
 * Rows without a number stand last in both directions, so a sorter must know its direction. GTK 4.8 tells nobody which columns sort,
 * and in which direction. So the view's sorter is asked: while it is, one column says "larger" and the others say "equal".
 */
#include "columns.h"

#include <glib/gi18n-lib.h>
#include <math.h>

#include "base/owns.h"
#include "memlane.h"
#include "parts/widgets.h"

/* The columns of one view. */
typedef struct
{
  gboolean asking;
  int answering;       /* while asking: the column that says "larger"; -1: none does */
  GArray *asked;       /* (element-type MemlaneColumn): in the order in which they were */
  gboolean descending[MEMLANE_N_COLUMNS];
  GHashTable *collated; /* a word -> its g_utf8_collate_key() */
} Columns;

typedef struct
{
  Columns *columns;
  MemlaneColumn column;
} Sorter;

MEMLANE_DEFINE_FREE (Columns, static void free_columns (gpointer data), OWNS (asked, g_array_unref) OWNS (collated, g_hash_table_unref))

static const char *
collate (Columns *columns, const char *word)
{
  char *key = g_hash_table_lookup (columns->collated, word);

  if (key == NULL)
    {
      key = g_utf8_collate_key (word, -1);
      g_hash_table_insert (columns->collated, g_strdup (word), key);
    }
  return key;
}

/* Compares two texts or two numbers of which at least one is known. */
static int
compare_known (Sorter *sorter, const char *left, const char *right, double x, double y)
{
  if ((left == NULL && isnan (x)) || (right == NULL && isnan (y)))
    return ((left == NULL && isnan (x)) == sorter->columns->descending[sorter->column]) ? -1 : 1;
  if (left != NULL)
    return strcmp (collate (sorter->columns, left), collate (sorter->columns, right));
  return (x > y) - (x < y);
}

static int
compare_rows (gconstpointer a, gconstpointer b, gpointer user_data)
{
  Sorter *sorter = user_data;
  const char *left, *right;
  double x, y;

  if (sorter->columns->asking)
    {
      g_array_append_val (sorter->columns->asked, sorter->column);
      return sorter->columns->answering == (int) sorter->column ? 1 : 0;
    }
  left = memlane_table_line_get_word ((gpointer) a, sorter->column);
  right = memlane_table_line_get_word ((gpointer) b, sorter->column);
  x = memlane_table_line_get_number ((gpointer) a, sorter->column);
  y = memlane_table_line_get_number ((gpointer) b, sorter->column);
  if (left == right && (x == y || (isnan (x) && isnan (y))))
    return 0;
  return compare_known (sorter, left, right, x, y);
}

/* Asks @sorter once more, with two objects that are not the same; which ones does not matter. */
static GtkOrdering
ask (GtkColumnView *view, Columns *columns, int answering)
{
  GtkSorter *sorter = gtk_column_view_get_sorter (view);
  GtkOrdering answer;

  columns->answering = answering;
  columns->asking = TRUE;
  g_array_set_size (columns->asked, 0);
  answer = gtk_sorter_compare (sorter, view, sorter);
  columns->asking = FALSE;
  return answer;
}

static void
sorter_changed_cb (GtkColumnView *view)
{
  Columns *columns = g_object_get_data (G_OBJECT (view), "columns");
  g_autoptr (GArray) asked = NULL;

  ask (view, columns, -1);
  asked = g_array_copy (columns->asked);
  for (guint i = 0; i < asked->len; i++)
    {
      MemlaneColumn column = g_array_index (asked, MemlaneColumn, i);

      columns->descending[column] = ask (view, columns, (int) column) == GTK_ORDERING_SMALLER;
    }
}

gboolean
memlane_table_columns_get_sort (GtkColumnView *view, MemlaneColumn *column, gboolean *descending)
{
  Columns *columns = g_object_get_data (G_OBJECT (view), "columns");

  ask (view, columns, -1);
  if (columns->asked->len == 0)
    return FALSE;
  *column = g_array_index (columns->asked, MemlaneColumn, 0);
  *descending = columns->descending[*column];
  return TRUE;
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
  guint width = column == MEMLANE_COLUMN_MODE ? count_mode_chars () : memlane_table_columns[column].width;

  return memlane_inscription_new (width, column == MEMLANE_COLUMN_MODE || column == MEMLANE_COLUMN_PHASE ? width : MIN (width, 12),
                                  memlane_table_columns[column].numeric);
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
  g_autofree char *text = memlane_table_line_format (row, column);

  gtk_inscription_set_text (GTK_INSCRIPTION (widget), text);
  /* Each change of a tooltip asks the X server where the pointer is. */
  if (column == MEMLANE_COLUMN_DETAIL && (*text != '\0' || gtk_widget_get_has_tooltip (widget)))
    gtk_widget_set_tooltip_text (widget, *text != '\0' ? text : NULL);
  memlane_accessible_set_name (widget, text);
}

/* Sets the name that a screen reader reads out when the row has the focus. */
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
      g_autofree char *text = memlane_table_line_format (row, said[i]);

      if (*text != '\0')
        g_string_append_printf (name, "%s%s", name->len > 0 ? ", " : "", text);
    }
  if (widget != NULL)
    memlane_accessible_set_name (widget, name->str);
}

const char *const memlane_table_status_icons[MEMLANE_N_STATUSES] = {
  [MEMLANE_STATUS_NOISY] = "dialog-warning-symbolic",        [MEMLANE_STATUS_UNSUPPORTED] = "action-unavailable-symbolic",
  [MEMLANE_STATUS_OUT_OF_MEMORY] = "dialog-error-symbolic",  [MEMLANE_STATUS_MISMATCH] = "dialog-error-symbolic",
  [MEMLANE_STATUS_ERROR] = "dialog-error-symbolic",          [MEMLANE_STATUS_TIMEOUT] = "dialog-error-symbolic",
  [MEMLANE_STATUS_CANCELLED] = "process-stop-symbolic",
};

/* Not by colour alone: an icon and the word. */
static void
set_up_status_cb (GtkSignalListItemFactory *factory, GtkListItem *item, gpointer column)
{
  gtk_list_item_set_child (item, memlane_box_new (GTK_ORIENTATION_HORIZONTAL, 4, gtk_image_new (), new_text (MEMLANE_COLUMN_STATUS), NULL));
}

static void
show_status (GtkListItem *item)
{
  MemlaneStatus status = memlane_table_line_get_status (gtk_list_item_get_item (item));
  GtkWidget *box = gtk_list_item_get_child (item), *icon = gtk_widget_get_first_child (box);

  gtk_image_set_from_icon_name (GTK_IMAGE (icon), memlane_table_status_icons[status]);
  memlane_widget_set_class (icon, "warning", status == MEMLANE_STATUS_NOISY);
  memlane_widget_set_class (icon, "error", status > MEMLANE_STATUS_NOISY && status != MEMLANE_STATUS_UNSUPPORTED
                                             && status != MEMLANE_STATUS_CANCELLED);
  show_text (gtk_widget_get_last_child (box), item, MEMLANE_COLUMN_STATUS);
}

static void
show_row (GtkListItem *item)
{
  MemlaneColumn column = GPOINTER_TO_UINT (g_object_get_data (G_OBJECT (item), "column"));

  if (column == MEMLANE_COLUMN_STATUS)
    show_status (item);
  else
    show_text (gtk_list_item_get_child (item), item, column);
  if (column == MEMLANE_COLUMN_MODE)
    name_row (item);
}

static void
bind_cb (GtkSignalListItemFactory *factory, GtkListItem *item, gpointer column)
{
  g_object_set_data (G_OBJECT (item), "column", column);
  g_signal_connect_swapped (gtk_list_item_get_item (item), "changed", G_CALLBACK (show_row), item);
  show_row (item);
}

static void
unbind_cb (GtkSignalListItemFactory *factory, GtkListItem *item)
{
  g_signal_handlers_disconnect_by_data (gtk_list_item_get_item (item), item);
}

static GtkListItemFactory *
new_factory (MemlaneColumn column)
{
  GtkListItemFactory *factory = gtk_signal_list_item_factory_new ();
  GCallback set_up = column == MEMLANE_COLUMN_STATUS ? G_CALLBACK (set_up_status_cb) : G_CALLBACK (set_up_cb);

  g_signal_connect (factory, "setup", set_up, GUINT_TO_POINTER (column));
  g_signal_connect (factory, "bind", G_CALLBACK (bind_cb), GUINT_TO_POINTER (column));
  g_signal_connect (factory, "unbind", G_CALLBACK (unbind_cb), NULL);
  return factory;
}

void
memlane_table_columns_add (GtkColumnView *view)
{
  Columns *columns = g_new0 (Columns, 1);

  columns->asked = g_array_new (FALSE, FALSE, sizeof (MemlaneColumn));
  columns->collated = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_free);
  g_object_set_data_full (G_OBJECT (view), "columns", columns, free_columns);
  for (MemlaneColumn column = 0; column < MEMLANE_N_COLUMNS; column++)
    {
      const char *title = g_dpgettext2 (GETTEXT_PACKAGE, "column", memlane_table_columns[column].title);
      g_autoptr (GtkColumnViewColumn) one = gtk_column_view_column_new (title, new_factory (column));
      Sorter *about = g_new0 (Sorter, 1);
      g_autoptr (GtkSorter) sorter = NULL;

      about->columns = columns;
      about->column = column;
      sorter = GTK_SORTER (gtk_custom_sorter_new (compare_rows, about, g_free));
      gtk_column_view_column_set_sorter (one, sorter);
      gtk_column_view_column_set_resizable (one, TRUE);
      gtk_column_view_column_set_expand (one, column == MEMLANE_COLUMN_DETAIL);
      gtk_column_view_append_column (view, one);
    }
  g_signal_connect_swapped (gtk_column_view_get_sorter (view), "changed", G_CALLBACK (sorter_changed_cb), view);
}

GtkColumnViewColumn *
memlane_table_columns_get (GtkColumnView *view, MemlaneColumn column)
{
  g_autoptr (GtkColumnViewColumn) one = g_list_model_get_item (gtk_column_view_get_columns (view), column);

  return one;
}
