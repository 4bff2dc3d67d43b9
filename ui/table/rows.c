/* rows.c: the rows of the Table page: what they say, which words they contain, and their CSV
 *
 * SPDX-License-Identifier: MIT
 */
#include "rows.h"

#include <math.h>
#include <string.h>

#include <glib/gi18n-lib.h>

#include "base/each.h"
#include "base/owns.h"
#include "base/size.h"
#include "chart/chart.h"
#include "chart/scale.h"
#include "memlane.h"
#include "chart/chart-words.h"
#include "model/fields.h"

typedef struct
{
  MemlaneRunItem *item;
  MemlaneRun *run;             /* the item's */
  MemlaneCell *cell;           /* of the run */
  const MemlaneFigure *figure; /* of the cell; NULL: the row is the cell's status */
} Entry;

struct _MemlaneTableLine
{
  GObject parent_instance;
  Entry entry;                 /* owns item, run and cell */
  char *name;                  /* the run's */
  char *text;                  /* all that a search may find, folded; NULL until something is searched */
};

static void
clear (MemlaneTableLine *self)
{
  g_clear_object (&self->entry.item);
  g_clear_pointer (&self->entry.run, memlane_run_unref);
  g_clear_pointer (&self->entry.cell, memlane_cell_unref);
  g_clear_pointer (&self->name, g_free);
  g_clear_pointer (&self->text, g_free);
}

MEMLANE_DEFINE_OBJECT (MemlaneTableLine, memlane_table_line, clear (self);, memlane_signal_add (klass, "changed", 0);)

/* --- filling the list ------------------------------------------------------------------------------------------------- */

static void
set_entry (MemlaneTableLine *self, const Entry *entry)
{
  clear (self);
  self->entry = *entry;
  g_object_ref (entry->item);
  memlane_run_ref (entry->run);
  memlane_cell_ref (entry->cell);
  self->name = g_strdup (memlane_run_item_get_name (entry->item));
}

static gboolean
shows (MemlaneTableLine *self, const Entry *entry)
{
  return memcmp (&self->entry, entry, sizeof *entry) == 0 && g_str_equal (self->name, memlane_run_item_get_name (entry->item));
}

/* Whether the cell has a row of its own, as in the CSV: it has no figure, or none that says what became of it. */
static gboolean
has_own_word (const MemlaneCell *cell)
{
  const MemlaneFigure *worst = NULL;

  MEMLANE_FOR_EACH (const MemlaneFigure, figure, cell->figures)
    if (worst == NULL || figure->status > worst->status)
      worst = figure;
  return worst == NULL || cell->status != worst->status
         || (cell->detail != NULL && *cell->detail != '\0' && g_strcmp0 (cell->detail, worst->detail) != 0);
}

static void
append_cell (GArray *entries, MemlaneRunItem *item, MemlaneRun *run, MemlaneCell *cell)
{
  gboolean due = has_own_word (cell);

  MEMLANE_FOR_EACH (const MemlaneFigure, figure, cell->figures)
    {
      if (due && figure->phase > MEMLANE_PHASE_ELAPSED)
        {
          g_array_append_vals (entries, &(Entry) { item, run, cell, NULL }, 1);
          due = FALSE;
        }
      g_array_append_vals (entries, &(Entry) { item, run, cell, figure }, 1);
    }
  if (due)
    g_array_append_vals (entries, &(Entry) { item, run, cell, NULL }, 1);
}

/* Hash and equality of what a row is about, whatever was measured. */
static guint
hash_subject (gconstpointer data)
{
  const Entry *entry = data;

  return g_str_hash (entry->cell->mode) * 31 + g_double_hash (&entry->cell->log2_elements)
         + (entry->figure != NULL ? entry->figure->phase + 1 : 0);
}

static gboolean
is_same_subject (gconstpointer a, gconstpointer b)
{
  const Entry *left = a, *right = b;
  const MemlaneCell *one = left->cell, *other = right->cell;
  const MemlaneFigure *figure = left->figure, *other_figure = right->figure;

  return left->item == right->item && one->log2_elements == other->log2_elements && one->reuse == other->reuse
         && one->streams == other->streams && one->chunks == other->chunks && g_str_equal (one->mode, other->mode)
         && g_str_equal (one->workload, other->workload) && (figure == NULL) == (other_figure == NULL)
         && (figure == NULL || (figure->phase == other_figure->phase && figure->clock == other_figure->clock));
}

/* (transfer full) */
static GPtrArray *
get_rows (GListStore *store)
{
  guint n = g_list_model_get_n_items (G_LIST_MODEL (store));
  GPtrArray *rows = g_ptr_array_new_full (n, g_object_unref);

  for (guint i = 0; i < n; i++)
    g_ptr_array_add (rows, g_list_model_get_item (G_LIST_MODEL (store), i));
  return rows;
}

/* Puts @n @entries in the place of @n_old rows from @first on. A row of the same subject stays. */
static void
replace (GListStore *store, guint first, GPtrArray *rows, guint n_old, const Entry *entries, guint n)
{
  g_autoptr (GHashTable) known = g_hash_table_new (hash_subject, is_same_subject);
  g_autoptr (GPtrArray) next = g_ptr_array_new_full (n, g_object_unref), changed = g_ptr_array_new ();

  for (guint i = first + n_old; i-- > first;)
    g_hash_table_replace (known, &((MemlaneTableLine *) rows->pdata[i])->entry, rows->pdata[i]);
  for (guint i = 0; i < n; i++)
    {
      gpointer old = NULL;
      MemlaneTableLine *row;

      if (g_hash_table_steal_extended (known, &entries[i], NULL, &old))
        row = g_object_ref (old);
      else
        row = g_object_new (MEMLANE_TYPE_TABLE_LINE, NULL);
      g_ptr_array_add (next, row);
      if (old != NULL && shows (row, &entries[i]))
        continue;
      if (old != NULL)
        g_ptr_array_add (changed, row);
      set_entry (row, &entries[i]);
    }
  g_list_store_splice (store, first, n_old, next->pdata, n);
  for (guint i = 0; i < changed->len; i++)
    memlane_say_changed (changed->pdata[i]);
}

void
memlane_table_rows_fill (GListStore *store, GPtrArray *items)
{
  g_autoptr (GPtrArray) rows = get_rows (store);
  g_autoptr (GArray) entries = g_array_new (FALSE, FALSE, sizeof (Entry));
  const Entry *wanted;
  guint first = 0, last = 0;

  for (guint i = 0; i < items->len; i++)
    {
      MemlaneRun *run = ((MemlaneRunItem *) items->pdata[i])->run;

      for (guint j = 0; j < run->cells->len; j++)
        append_cell (entries, items->pdata[i], run, run->cells->pdata[j]);
    }
  wanted = (const Entry *) (gpointer) entries->data;
  while (first < rows->len && first < entries->len && shows (rows->pdata[first], &wanted[first]))
    first++;
  while (last < rows->len - first && last < entries->len - first
         && shows (rows->pdata[rows->len - 1 - last], &wanted[entries->len - 1 - last]))
    last++;
  if (first + last < rows->len || first + last < entries->len)
    replace (store, first, rows, rows->len - first - last, wanted + first, entries->len - first - last);
}

guint32
memlane_table_rows_get_varying (GListModel *rows)
{
  const guint32 often_alike = 1u << MEMLANE_COLUMN_RUN | 1u << MEMLANE_COLUMN_WORKLOAD | 1u << MEMLANE_COLUMN_DETAIL
                              | 1u << MEMLANE_COLUMN_CLOCK | 1u << MEMLANE_COLUMN_ROUNDS;
  g_autoptr (MemlaneTableLine) first = g_list_model_get_item (rows, 0);
  guint32 varying = ~often_alike;

  for (guint i = 0; i < g_list_model_get_n_items (rows); i++)
    {
      g_autoptr (MemlaneTableLine) row = g_list_model_get_item (rows, i);
      const MemlaneFigure *figure = row->entry.figure, *of_first = first->entry.figure;

      varying |= (guint32) (row->entry.item != first->entry.item) << MEMLANE_COLUMN_RUN;
      varying |= (guint32) (strcmp (row->entry.cell->workload, first->entry.cell->workload) != 0) << MEMLANE_COLUMN_WORKLOAD;
      varying |= (guint32) (memlane_table_line_get_word (row, MEMLANE_COLUMN_DETAIL) != NULL) << MEMLANE_COLUMN_DETAIL;
      varying |= (guint32) (figure != NULL && (of_first == NULL || figure->clock != of_first->clock)) << MEMLANE_COLUMN_CLOCK;
      varying |= (guint32) (figure != NULL && figure->n_rounds > 0) << MEMLANE_COLUMN_ROUNDS;
    }
  return varying;
}

/* --- words ------------------------------------------------------------------------------------------------------------ */

static const char *const clocks[MEMLANE_N_CLOCKS] = {
  [MEMLANE_CLOCK_ISSUE] = NC_("clock", "issue"),
  [MEMLANE_CLOCK_DEVICE] = NC_("clock", "device"),
  [MEMLANE_CLOCK_HOST] = NC_("clock", "host"),
};

const MemlaneColumnInfo memlane_table_columns[MEMLANE_N_COLUMNS] = {
  [MEMLANE_COLUMN_RUN] = { "run", NC_("column", "Run"), 16, FALSE },
  [MEMLANE_COLUMN_WORKLOAD] = { "workload", NC_("column", "Workload"), 14, FALSE },
  [MEMLANE_COLUMN_MODE] = { "mode", NC_("column", "Mode"), 20, FALSE },
  [MEMLANE_COLUMN_SIZE] = { "size", NC_("column", "Size"), 5, TRUE },
  [MEMLANE_COLUMN_BYTES] = { "bytes", NC_("column", "Vector"), 8, TRUE },
  [MEMLANE_COLUMN_PHASE] = { "phase", NC_("column", "Phase"), 22, FALSE },
  [MEMLANE_COLUMN_CLOCK] = { "clock", NC_("column", "Clock"), 7, FALSE },
  [MEMLANE_COLUMN_MEDIAN] = { "median", NC_("column", "Median"), 8, TRUE },
  [MEMLANE_COLUMN_INTERVAL] = { "interval", NC_("column", "95 % interval"), 9, TRUE },
  [MEMLANE_COLUMN_MINIMUM] = { "min", NC_("column", "Min"), 8, TRUE },
  [MEMLANE_COLUMN_MAXIMUM] = { "max", NC_("column", "Max"), 8, TRUE },
  [MEMLANE_COLUMN_BANDWIDTH] = { "bandwidth", NC_("column", "Bandwidth"), 10, TRUE },
  [MEMLANE_COLUMN_SAMPLES] = { "samples", NC_("column", "Samples"), 7, TRUE },
  [MEMLANE_COLUMN_ROUNDS] = { "rounds", NC_("column", "Rounds"), 6, TRUE },
  [MEMLANE_COLUMN_STATUS] = { "status", NC_("column", "Status"), 12, FALSE },
  [MEMLANE_COLUMN_DETAIL] = { "detail", NC_("column", "Detail"), 40, FALSE },
};

const char *
memlane_table_mode_word (const char *id)
{
  const MemlaneMode *mode = memlane_mode_find (id);

  return mode != NULL ? g_dgettext (GETTEXT_PACKAGE, mode->title) : id;
}

static const char *
workload_word (const char *id)
{
  const MemlaneWorkload *workload = memlane_workload_find (id);

  return workload != NULL ? g_dgettext (GETTEXT_PACKAGE, workload->title) : id;
}

static const char *
clock_word (MemlaneClock clock)
{
  return g_dpgettext2 (GETTEXT_PACKAGE, "clock", clocks[clock]);
}

/* --- what a row says -------------------------------------------------------------------------------------------------- */

MemlaneStatus
memlane_table_line_get_status (MemlaneTableLine *self)
{
  return self->entry.figure != NULL ? self->entry.figure->status : self->entry.cell->status;
}

MemlanePhase
memlane_table_line_get_phase (MemlaneTableLine *self)
{
  return self->entry.figure != NULL ? self->entry.figure->phase : MEMLANE_PHASE_ELAPSED;
}

static const char *
get_detail (MemlaneTableLine *self)
{
  return self->entry.figure != NULL ? self->entry.figure->detail : self->entry.cell->detail;
}

/* NAN: there is none. */
static double
get_statistic (const MemlaneFigure *figure, MemlaneColumn column)
{
  const MemlaneStatistics *s = &figure->statistics;

  if (column == MEMLANE_COLUMN_MEDIAN)
    return s->median;
  if (column == MEMLANE_COLUMN_INTERVAL)
    return s->median > 0 && s->count > 1 ? (s->ci95_high - s->ci95_low) / 2 / s->median : NAN;
  if (column == MEMLANE_COLUMN_MINIMUM)
    return s->min;
  if (column == MEMLANE_COLUMN_MAXIMUM)
    return s->max;
  if (column == MEMLANE_COLUMN_BANDWIDTH)
    return memlane_figure_get_bandwidth (figure) > 0 ? memlane_figure_get_bandwidth (figure) : NAN;
  if (column == MEMLANE_COLUMN_ROUNDS)
    return figure->n_rounds > 0 ? figure->n_rounds : NAN;
  return column == MEMLANE_COLUMN_SAMPLES ? s->count : NAN;
}

double
memlane_table_line_get_number (MemlaneTableLine *self, MemlaneColumn column)
{
  const MemlaneFigure *figure = self->entry.figure;

  if (column == MEMLANE_COLUMN_SIZE)
    return self->entry.cell->log2_elements;
  if (column == MEMLANE_COLUMN_BYTES)
    return (double) self->entry.cell->bytes;
  if (column == MEMLANE_COLUMN_PHASE)
    return memlane_table_line_get_phase (self);
  if (column == MEMLANE_COLUMN_STATUS)
    return memlane_table_line_get_status (self);
  if (column == MEMLANE_COLUMN_CLOCK)
    return figure != NULL ? figure->clock : NAN;
  return figure != NULL && figure->statistics.count > 0 ? get_statistic (figure, column) : NAN;
}

const char *
memlane_table_line_get_word (MemlaneTableLine *self, MemlaneColumn column)
{
  const char *detail = get_detail (self);

  if (column == MEMLANE_COLUMN_RUN)
    return self->name;
  if (column == MEMLANE_COLUMN_WORKLOAD)
    return workload_word (self->entry.cell->workload);
  if (column == MEMLANE_COLUMN_MODE)
    return memlane_table_mode_word (self->entry.cell->mode);
  return column == MEMLANE_COLUMN_DETAIL && detail != NULL && *detail != '\0' ? detail : NULL;
}

static char *
format_number (MemlaneColumn column, double value)
{
  if (isnan (value))
    return g_strdup ("");
  if (column == MEMLANE_COLUMN_SIZE)
    return memlane_unit_format_power ((guint) value);
  if (column == MEMLANE_COLUMN_BYTES)
    return memlane_unit_format (MEMLANE_UNIT_BYTES, value, TRUE);
  if (column == MEMLANE_COLUMN_BANDWIDTH)
    return memlane_unit_format (MEMLANE_UNIT_BANDWIDTH, value, TRUE);
  if (column == MEMLANE_COLUMN_SAMPLES || column == MEMLANE_COLUMN_ROUNDS)
    return g_strdup_printf ("%.0f", value);
  if (column == MEMLANE_COLUMN_INTERVAL)
    /* Translators: half the width of an interval, in percent of the median */
    return g_strdup_printf (_("±%.1f %%"), 100 * value);
  return memlane_unit_format (MEMLANE_UNIT_TIME, value, TRUE);
}

char *
memlane_table_line_format (MemlaneTableLine *self, MemlaneColumn column)
{
  const MemlaneFigure *figure = self->entry.figure;
  const char *word = memlane_table_line_get_word (self, column);

  if (word != NULL || column == MEMLANE_COLUMN_DETAIL)
    return g_strdup (word != NULL ? word : "");
  if (column == MEMLANE_COLUMN_PHASE)
    return g_strdup (memlane_chart_phase_title (memlane_table_line_get_phase (self)));
  if (column == MEMLANE_COLUMN_CLOCK)
    return g_strdup (figure != NULL ? clock_word (figure->clock) : "");
  if (column == MEMLANE_COLUMN_STATUS)
    return g_strdup (memlane_chart_status_title (memlane_table_line_get_status (self)));
  if (column == MEMLANE_COLUMN_INTERVAL && figure != NULL && figure->statistics.count == 1)
    return g_strdup ("–"); /* one sample has none */
  return format_number (column, memlane_table_line_get_number (self, column));
}

/* --- search ----------------------------------------------------------------------------------------------------------- */

static char *
fold (const char *text)
{
  g_autofree char *normal = g_utf8_normalize (text, -1, G_NORMALIZE_ALL_COMPOSE);

  return g_utf8_casefold (normal != NULL ? normal : "", -1);
}

char **
memlane_table_split_search (const char *text)
{
  g_autofree char *folded = fold (text);

  return g_strsplit_set (g_strstrip (folded), " \t\n", -1);
}

/* The CSV's words and the ones that are shown: either is found. */
static char *
describe (MemlaneTableLine *self)
{
  const MemlaneCell *cell = self->entry.cell;
  const MemlaneFigure *figure = self->entry.figure;
  MemlanePhase phase = memlane_table_line_get_phase (self);
  MemlaneStatus status = memlane_table_line_get_status (self);
  g_autofree char *size = memlane_size_format (cell->log2_elements);
  g_autofree char *text = g_strjoin ("\n", self->name, cell->mode, memlane_table_mode_word (cell->mode), cell->workload,
                                     workload_word (cell->workload), size, memlane_phase_name (phase), memlane_chart_phase_title (phase),
                                     memlane_status_name (status), memlane_chart_status_title (status),
                                     figure != NULL ? memlane_clock_name (figure->clock) : "",
                                     figure != NULL ? clock_word (figure->clock) : "", get_detail (self), NULL);

  return fold (text);
}

gboolean
memlane_table_line_contains (MemlaneTableLine *self, char **words)
{
  if (self->text == NULL && *words != NULL)
    self->text = describe (self);
  for (; *words != NULL; words++)
    if (strstr (self->text, *words) == NULL)
      return FALSE;
  return TRUE;
}

/* --- CSV -------------------------------------------------------------------------------------------------------------- */

void
memlane_table_line_append_csv (MemlaneTableLine *self, GString *text)
{
  g_autoptr (GPtrArray) one = g_ptr_array_new ();
  MemlaneCell cell = *self->entry.cell;

  /* The engine writes cells: this one has but this figure, or none. */
  cell.figures = one;
  cell.status = memlane_table_line_get_status (self);
  cell.detail = (char *) get_detail (self);
  if (self->entry.figure != NULL)
    g_ptr_array_add (one, (gpointer) self->entry.figure);
  memlane_csv_append_cell (text, self->entry.run, &cell);
}
