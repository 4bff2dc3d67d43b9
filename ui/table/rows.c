/* rows.c: every row that the Table page could show: what it says, which are seen and in which order, and their CSV
 *
 * SPDX-License-Identifier: MIT
 */
#include "rows.h"

#include <math.h>
#include <string.h>

#include <glib/gi18n-lib.h>

#include "chart/chart.h"
#include "chart/scale.h"
#include "memlane.h"

/* Rows between two looks at the cancellable: of a search or a sort, and of the CSV. */
#define STRIDE 4096
#define CSV_STRIDE 1024

static void
free_run (gpointer data)
{
  MemlaneTableRun *run = data;

  g_object_unref (run->item);
  g_free (run->name);
  memlane_run_unref (run->record);
  memlane_release_cells (run->cells);
  g_free (run);
}

MemlaneTableRows *
memlane_table_rows_new (void)
{
  MemlaneTableRows *self = g_new0 (MemlaneTableRows, 1);

  self->ref_count = 1;
  self->entries = g_array_new (FALSE, FALSE, sizeof (MemlaneTableEntry));
  self->runs = g_ptr_array_new_with_free_func (free_run);
  return self;
}

MemlaneTableRows *
memlane_table_rows_ref (MemlaneTableRows *self)
{
  g_atomic_int_inc (&self->ref_count);
  return self;
}

void
memlane_table_rows_unref (MemlaneTableRows *self)
{
  if (!g_atomic_int_dec_and_test (&self->ref_count))
    return;
  g_array_unref (self->entries);
  g_ptr_array_unref (self->runs);
  g_free (self);
}

/* --- growing ---------------------------------------------------------------------------------------------------------- */

static gboolean
begins_with (const MemlaneRun *run, GPtrArray *cells)
{
  if (run->cells->len < cells->len)
    return FALSE;
  for (guint i = 0; i < cells->len; i++)
    if (g_ptr_array_index (run->cells, i) != g_ptr_array_index (cells, i))
      return FALSE;
  return TRUE;
}

gboolean
memlane_table_rows_extends_to (const MemlaneTableRows *self, GPtrArray *items)
{
  if (items->len != self->runs->len)
    return FALSE;
  for (guint i = 0; i < items->len; i++)
    {
      MemlaneRunItem *item = g_ptr_array_index (items, i);
      MemlaneTableRun *run = g_ptr_array_index (self->runs, i);

      if (run->item != item || g_strcmp0 (run->name, memlane_run_item_get_name (item)) != 0
          || !begins_with (memlane_run_item_get_run (item), run->cells))
        return FALSE;
    }
  return TRUE;
}

/* As in the CSV: where a cell has no figure, or none that says what became of the cell. */
static gboolean
has_own_word (const MemlaneCell *cell)
{
  const MemlaneFigure *worst = NULL;

  for (guint i = 0; i < cell->figures->len; i++)
    {
      const MemlaneFigure *figure = g_ptr_array_index (cell->figures, i);

      if (worst == NULL || figure->status > worst->status)
        worst = figure;
    }
  return worst == NULL || cell->status != worst->status
         || (cell->detail != NULL && *cell->detail != '\0' && g_strcmp0 (cell->detail, worst->detail) != 0);
}

/* Which columns say more than one thing: kept as rows come, for there may be a million of them. */
static void
append_entry (MemlaneTableRows *self, const MemlaneTableEntry *entry)
{
  const MemlaneTableEntry *first = self->entries->len > 0 ? memlane_table_rows_get (self, 0) : entry;
  const char *detail = memlane_table_entry_get_detail (entry);
  const MemlaneFigure *figure = entry->figure, *of_first = first->figure;

  self->varying |= (guint32) (entry->run != first->run) << MEMLANE_COLUMN_RUN;
  self->varying |= (guint32) (strcmp (entry->cell->workload, first->cell->workload) != 0) << MEMLANE_COLUMN_WORKLOAD;
  self->varying |= (guint32) (detail != NULL && *detail != '\0') << MEMLANE_COLUMN_DETAIL;
  self->varying |= (guint32) (figure != NULL && (of_first == NULL || figure->clock != of_first->clock)) << MEMLANE_COLUMN_CLOCK;
  self->varying |= (guint32) (figure != NULL && figure->n_rounds > 0) << MEMLANE_COLUMN_ROUNDS;
  g_array_append_vals (self->entries, entry, 1);
}

gboolean
memlane_table_rows_varies (const MemlaneTableRows *self, guint column)
{
  const guint32 often_alike = 1u << MEMLANE_COLUMN_RUN | 1u << MEMLANE_COLUMN_WORKLOAD | 1u << MEMLANE_COLUMN_DETAIL
                              | 1u << MEMLANE_COLUMN_CLOCK | 1u << MEMLANE_COLUMN_ROUNDS;

  return ((~often_alike | self->varying) >> column & 1) != 0;
}

static void
append_cell (MemlaneTableRows *self, guint run, const MemlaneCell *cell)
{
  gboolean due = has_own_word (cell);

  for (guint i = 0; i < cell->figures->len; i++)
    {
      const MemlaneFigure *figure = g_ptr_array_index (cell->figures, i);

      if (due && figure->phase > MEMLANE_PHASE_ELAPSED)
        {
          append_entry (self, &(MemlaneTableEntry) { cell, NULL, run });
          due = FALSE;
        }
      append_entry (self, &(MemlaneTableEntry) { cell, figure, run });
    }
  if (due)
    append_entry (self, &(MemlaneTableEntry) { cell, NULL, run });
}

static MemlaneTableRun *
add_run (MemlaneTableRows *self, MemlaneRunItem *item, const MemlaneRun *record, const char *name)
{
  MemlaneTableRun *run = g_new0 (MemlaneTableRun, 1);

  run->item = g_object_ref (item);
  run->name = g_strdup (name);
  run->record = memlane_run_new (record->id, record->device, record->device_kind);
  run->cells = g_ptr_array_new_with_free_func ((GDestroyNotify) memlane_cell_unref);
  g_ptr_array_add (self->runs, run);
  return run;
}

void
memlane_table_rows_append (MemlaneTableRows *self, GPtrArray *items)
{
  g_assert (g_atomic_int_get (&self->ref_count) == 1);
  for (guint i = 0; i < items->len; i++)
    {
      MemlaneRunItem *item = g_ptr_array_index (items, i);
      const MemlaneRun *source = memlane_run_item_get_run (item);
      MemlaneTableRun *run = i < self->runs->len ? g_ptr_array_index (self->runs, i)
                                                 : add_run (self, item, source, memlane_run_item_get_name (item));

      g_assert (run->item == item);
      for (guint j = run->cells->len; j < source->cells->len; j++)
        {
          MemlaneCell *cell = g_ptr_array_index (source->cells, j);

          g_ptr_array_add (run->cells, memlane_cell_ref (cell));
          append_cell (self, i, cell);
        }
    }
}

void
memlane_table_rows_take_from (MemlaneTableRows *self, const MemlaneTableRows *source, guint place)
{
  MemlaneTableEntry entry = *memlane_table_rows_get (source, place);
  MemlaneTableRun *run;

  for (guint i = self->runs->len; i < source->runs->len; i++)
    {
      MemlaneTableRun *from = g_ptr_array_index (source->runs, i);

      add_run (self, from->item, from->record, from->name);
    }
  run = g_ptr_array_index (self->runs, entry.run);
  if (run->cells->len == 0 || g_ptr_array_index (run->cells, run->cells->len - 1) != entry.cell)
    g_ptr_array_add (run->cells, memlane_cell_ref ((MemlaneCell *) entry.cell));
  append_entry (self, &entry);
}

/* --- what a row says -------------------------------------------------------------------------------------------------- */

MemlaneStatus
memlane_table_entry_get_status (const MemlaneTableEntry *entry)
{
  return entry->figure != NULL ? entry->figure->status : entry->cell->status;
}

const char *
memlane_table_entry_get_detail (const MemlaneTableEntry *entry)
{
  return entry->figure != NULL ? entry->figure->detail : entry->cell->detail;
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
memlane_table_entry_get_number (const MemlaneTableEntry *entry, MemlaneColumn column)
{
  if (column == MEMLANE_COLUMN_SIZE)
    return entry->cell->log2_elements;
  if (column == MEMLANE_COLUMN_BYTES)
    return (double) entry->cell->bytes;
  return entry->figure != NULL && entry->figure->statistics.count > 0 ? get_statistic (entry->figure, column) : NAN;
}

/* --- words ------------------------------------------------------------------------------------------------------------ */

static const char *const clocks[MEMLANE_N_CLOCKS] = {
  [MEMLANE_CLOCK_ISSUE] = NC_("clock", "issue"),
  [MEMLANE_CLOCK_DEVICE] = NC_("clock", "device"),
  [MEMLANE_CLOCK_HOST] = NC_("clock", "host"),
};

static const struct
{
  const char *word, *icon;
} statuses[MEMLANE_N_STATUSES] = {
  [MEMLANE_STATUS_OK] = { NC_("status", "ok"), NULL },
  [MEMLANE_STATUS_NOISY] = { NC_("status", "noisy"), "dialog-warning-symbolic" },
  [MEMLANE_STATUS_UNSUPPORTED] = { NC_("status", "unsupported"), "action-unavailable-symbolic" },
  [MEMLANE_STATUS_OUT_OF_MEMORY] = { NC_("status", "out of memory"), "dialog-error-symbolic" },
  [MEMLANE_STATUS_MISMATCH] = { NC_("status", "wrong result"), "dialog-error-symbolic" },
  [MEMLANE_STATUS_ERROR] = { NC_("status", "error"), "dialog-error-symbolic" },
  [MEMLANE_STATUS_TIMEOUT] = { NC_("status", "timeout"), "dialog-error-symbolic" },
  [MEMLANE_STATUS_CANCELLED] = { NC_("status", "cancelled"), "process-stop-symbolic" },
};

static const struct
{
  const char *id, *title;
  guint width;
  gboolean numeric;
} columns[MEMLANE_N_COLUMNS] = {
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
memlane_table_phase_word (MemlanePhase phase)
{
  return memlane_chart_phase_title (phase);
}

const char *
memlane_table_clock_word (MemlaneClock clock)
{
  return g_dpgettext2 (GETTEXT_PACKAGE, "clock", clocks[clock]);
}

const char *
memlane_table_status_word (MemlaneStatus status)
{
  return g_dpgettext2 (GETTEXT_PACKAGE, "status", statuses[status].word);
}

const char *
memlane_table_status_icon (MemlaneStatus status)
{
  return statuses[status].icon;
}

const char *
memlane_column_get_id (MemlaneColumn column)
{
  return columns[column].id;
}

const char *
memlane_column_get_title (MemlaneColumn column)
{
  return g_dpgettext2 (GETTEXT_PACKAGE, "column", columns[column].title);
}

gboolean
memlane_column_is_numeric (MemlaneColumn column)
{
  return columns[column].numeric;
}

guint
memlane_column_get_width (MemlaneColumn column)
{
  return columns[column].width;
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

const char *
memlane_table_mode_word (const char *id)
{
  const MemlaneMode *mode = memlane_mode_find (id);

  return mode != NULL ? g_dgettext (GETTEXT_PACKAGE, mode->title) : id;
}

const char *
memlane_table_workload_word (const char *id)
{
  const MemlaneWorkload *workload = memlane_workload_find (id);

  return workload != NULL ? g_dgettext (GETTEXT_PACKAGE, workload->title) : id;
}

char *
memlane_table_entry_format (const MemlaneTableEntry *entry, const char *run, MemlaneColumn column)
{
  const MemlaneFigure *figure = entry->figure;
  const char *detail = memlane_table_entry_get_detail (entry);

  if (column == MEMLANE_COLUMN_RUN)
    return g_strdup (run);
  if (column == MEMLANE_COLUMN_WORKLOAD)
    return g_strdup (memlane_table_workload_word (entry->cell->workload));
  if (column == MEMLANE_COLUMN_MODE)
    return g_strdup (memlane_table_mode_word (entry->cell->mode));
  if (column == MEMLANE_COLUMN_PHASE)
    return g_strdup (memlane_table_phase_word (figure != NULL ? figure->phase : MEMLANE_PHASE_ELAPSED));
  if (column == MEMLANE_COLUMN_CLOCK)
    return g_strdup (figure != NULL ? memlane_table_clock_word (figure->clock) : "");
  if (column == MEMLANE_COLUMN_STATUS)
    return g_strdup (memlane_table_status_word (memlane_table_entry_get_status (entry)));
  if (column == MEMLANE_COLUMN_DETAIL)
    return g_strdup (detail != NULL ? detail : "");
  if (column == MEMLANE_COLUMN_INTERVAL && figure != NULL && figure->statistics.count == 1)
    return g_strdup ("–"); /* one sample has none */
  return format_number (column, memlane_table_entry_get_number (entry, column));
}

void
memlane_table_request_copy (MemlaneTableRequest *to, const MemlaneTableRequest *from)
{
  *to = *from;
  to->text = g_strdup (from->text);
}

void
memlane_table_request_clear (MemlaneTableRequest *request)
{
  g_clear_pointer (&request->text, g_free);
}

/* --- filter ----------------------------------------------------------------------------------------------------------- */

typedef struct
{
  const MemlaneTableRows *rows;
  const MemlaneTableRequest *request;
  char **words;               /* folded; NULL: all rows */
  const MemlaneCell *cell;    /* whose folded words these are: rows of one cell stand together */
  guint run;
  char *about_cell;
  char *phases[MEMLANE_N_PHASES], *clocks[MEMLANE_N_CLOCKS], *statuses[MEMLANE_N_STATUSES];
} Filter;

static char *
fold (const char *text)
{
  g_autofree char *normal = g_utf8_normalize (text, -1, G_NORMALIZE_ALL_COMPOSE);

  return g_utf8_casefold (normal != NULL ? normal : "", -1);
}

/* The CSV's word and the one that is shown: either is found. */
static char *
fold_two (const char *one, const char *two)
{
  g_autofree char *both = g_strconcat (one, "\n", two, NULL);

  return fold (both);
}

static char *
describe_cell (const MemlaneTableRun *run, const MemlaneCell *cell)
{
  g_autofree char *text = g_strdup_printf ("%s\n%s\n%s\n%s\n%s\n2^%u", run->name, cell->mode, memlane_table_mode_word (cell->mode),
                                           cell->workload, memlane_table_workload_word (cell->workload), cell->log2_elements);

  return fold (text);
}

static void
filter_init (Filter *filter, const MemlaneTableRows *rows, const MemlaneTableRequest *request)
{
  g_autofree char *folded = fold (request->text != NULL ? request->text : "");

  memset (filter, 0, sizeof *filter);
  filter->rows = rows;
  filter->request = request;
  g_strstrip (folded);
  if (*folded == '\0')
    return;
  filter->words = g_strsplit_set (folded, " \t\n", -1);
  for (guint i = 0; i < MEMLANE_N_PHASES; i++)
    filter->phases[i] = fold_two (memlane_phase_name (i), memlane_table_phase_word (i));
  for (guint i = 0; i < MEMLANE_N_CLOCKS; i++)
    filter->clocks[i] = fold_two (memlane_clock_name (i), memlane_table_clock_word (i));
  for (guint i = 0; i < MEMLANE_N_STATUSES; i++)
    filter->statuses[i] = fold_two (memlane_status_name (i), memlane_table_status_word (i));
}

static void
filter_clear (Filter *filter)
{
  g_strfreev (filter->words);
  g_free (filter->about_cell);
  for (guint i = 0; i < MEMLANE_N_PHASES; i++)
    g_free (filter->phases[i]);
  for (guint i = 0; i < MEMLANE_N_CLOCKS; i++)
    g_free (filter->clocks[i]);
  for (guint i = 0; i < MEMLANE_N_STATUSES; i++)
    g_free (filter->statuses[i]);
}

static gboolean
has_words (Filter *filter, const MemlaneTableEntry *entry)
{
  const char *detail = memlane_table_entry_get_detail (entry);
  g_autofree char *folded_detail = detail != NULL ? fold (detail) : NULL;

  if (filter->cell != entry->cell || filter->run != entry->run)
    {
      g_free (filter->about_cell);
      filter->cell = entry->cell;
      filter->run = entry->run;
      filter->about_cell = describe_cell (g_ptr_array_index (filter->rows->runs, entry->run), entry->cell);
    }
  for (char **word = filter->words; *word != NULL; word++)
    {
      const char *phase = filter->phases[entry->figure != NULL ? entry->figure->phase : MEMLANE_PHASE_ELAPSED];

      if (strstr (filter->about_cell, *word) == NULL && strstr (phase, *word) == NULL
          && (entry->figure == NULL || strstr (filter->clocks[entry->figure->clock], *word) == NULL)
          && strstr (filter->statuses[memlane_table_entry_get_status (entry)], *word) == NULL
          && (folded_detail == NULL || strstr (folded_detail, *word) == NULL))
        return FALSE;
    }
  return TRUE;
}

static gboolean
is_wanted (Filter *filter, const MemlaneTableEntry *entry)
{
  const MemlaneTableRequest *request = filter->request;
  int phase = (int) (entry->figure != NULL ? entry->figure->phase : MEMLANE_PHASE_ELAPSED);

  return (request->phase < 0 || request->phase == phase)
         && (request->status < 0 || request->status == (int) memlane_table_entry_get_status (entry))
         && (filter->words == NULL || has_words (filter, entry));
}

/* --- sort ------------------------------------------------------------------------------------------------------------- */

/* Each column that sorts becomes an array of numbers (words become their rank), so that a comparison is one of doubles. */

static gboolean
has_words_only (MemlaneColumn column)
{
  return column == MEMLANE_COLUMN_RUN || column == MEMLANE_COLUMN_WORKLOAD || column == MEMLANE_COLUMN_MODE
         || column == MEMLANE_COLUMN_DETAIL;
}

static const char *
get_word (const MemlaneTableRows *rows, guint row, MemlaneColumn column)
{
  const MemlaneTableEntry *entry = memlane_table_rows_get (rows, row);

  if (column == MEMLANE_COLUMN_RUN)
    return memlane_table_rows_get_run (rows, row)->name;
  if (column == MEMLANE_COLUMN_WORKLOAD)
    return entry->cell->workload;
  return column == MEMLANE_COLUMN_MODE ? entry->cell->mode : memlane_table_entry_get_detail (entry);
}

/* As it is shown: the title where there is one. */
static const char *
shown_word (const char *word, MemlaneColumn column)
{
  if (column == MEMLANE_COLUMN_MODE)
    return memlane_table_mode_word (word);
  return column == MEMLANE_COLUMN_WORKLOAD ? memlane_table_workload_word (word) : word;
}

typedef struct
{
  char *key;
  double *rank;
} Word;

static int
compare_words (const void *a, const void *b)
{
  return strcmp (((const Word *) a)->key, ((const Word *) b)->key);
}

/* There are few different words in many rows: each is collated once. */
static void
rank_words (const MemlaneTableRows *rows, GArray *order, MemlaneColumn column, double *keys)
{
  g_autoptr (GHashTable) ranks = g_hash_table_new_full (g_str_hash, g_str_equal, NULL, g_free);
  g_autoptr (GArray) words = g_array_new (FALSE, FALSE, sizeof (Word));

  for (guint i = 0; i < order->len; i++)
    {
      const char *word = get_word (rows, g_array_index (order, guint32, i), column);

      if (word != NULL && *word != '\0' && !g_hash_table_contains (ranks, word))
        {
          Word one = { g_utf8_collate_key (shown_word (word, column), -1), g_new0 (double, 1) };

          g_hash_table_insert (ranks, (gpointer) word, one.rank);
          g_array_append_val (words, one);
        }
    }
  if (words->len > 0)
    qsort (words->data, words->len, sizeof (Word), compare_words);
  for (guint i = 0; i < words->len; i++)
    {
      *g_array_index (words, Word, i).rank = i;
      g_free (g_array_index (words, Word, i).key);
    }
  for (guint i = 0; i < order->len; i++)
    {
      guint row = g_array_index (order, guint32, i);
      const char *word = get_word (rows, row, column);
      const double *rank = word != NULL ? g_hash_table_lookup (ranks, word) : NULL;

      keys[row] = rank != NULL ? *rank : NAN;
    }
}

static void
fill_keys (const MemlaneTableRows *rows, GArray *order, MemlaneColumn column, double *keys)
{
  if (has_words_only (column))
    {
      rank_words (rows, order, column, keys);
      return;
    }
  for (guint i = 0; i < order->len; i++)
    {
      guint row = g_array_index (order, guint32, i);
      const MemlaneTableEntry *entry = memlane_table_rows_get (rows, row);

      if (column == MEMLANE_COLUMN_PHASE)
        keys[row] = entry->figure != NULL ? entry->figure->phase : MEMLANE_PHASE_ELAPSED;
      else if (column == MEMLANE_COLUMN_CLOCK)
        keys[row] = entry->figure != NULL ? entry->figure->clock : NAN;
      else if (column == MEMLANE_COLUMN_STATUS)
        keys[row] = memlane_table_entry_get_status (entry);
      else
        keys[row] = memlane_table_entry_get_number (entry, column);
    }
}

typedef struct
{
  const MemlaneTableRows *rows;
  double *keys[MEMLANE_N_COLUMNS];
  gboolean descending[MEMLANE_N_COLUMNS];
  guint n;
  GCancellable *cancellable;
  guint compared;
  gboolean cancelled;
} Sort;

static int
compare_rows (gconstpointer a, gconstpointer b, gpointer user_data)
{
  Sort *sort = user_data;
  guint32 left = *(const guint32 *) a, right = *(const guint32 *) b;
  guint left_run, right_run;

  /* A cancelled sort runs to its end, quickly. */
  if (sort->cancelled || (++sort->compared % STRIDE == 0 && (sort->cancelled = g_cancellable_is_cancelled (sort->cancellable))))
    return 0;
  for (guint i = 0; i < sort->n; i++)
    {
      double x = sort->keys[i][left], y = sort->keys[i][right];

      if (isnan (x) || isnan (y))
        {
          if (isnan (x) != isnan (y))
            return isnan (x) ? 1 : -1;
        }
      else if (x != y)
        return (x < y) != sort->descending[i] ? -1 : 1;
    }
  left_run = memlane_table_rows_get (sort->rows, left)->run;
  right_run = memlane_table_rows_get (sort->rows, right)->run;
  if (left_run != right_run)
    return left_run < right_run ? -1 : 1;
  return left < right ? -1 : left > right;
}

static gboolean
sort_order (GArray *order, const MemlaneTableRows *rows, const MemlaneTableRequest *request, GCancellable *cancellable)
{
  Sort sort = { .rows = rows, .n = request->n_sorts, .cancellable = cancellable };

  for (guint i = 0; i < sort.n; i++)
    {
      sort.keys[i] = g_new (double, MAX (memlane_table_rows_count (rows), 1));
      sort.descending[i] = request->sorts[i].descending;
      fill_keys (rows, order, request->sorts[i].column, sort.keys[i]);
    }
  g_array_sort_with_data (order, compare_rows, &sort);
  for (guint i = 0; i < sort.n; i++)
    g_free (sort.keys[i]);
  return !sort.cancelled;
}

GArray *
memlane_table_order (const MemlaneTableRows *rows, const MemlaneTableRequest *request, GCancellable *cancellable)
{
  guint n = memlane_table_rows_count (rows);
  g_autoptr (GArray) order = g_array_sized_new (FALSE, FALSE, sizeof (guint32), n);
  gboolean in_order = request->n_sorts == 0, cancelled = FALSE;
  guint last_run = 0;
  Filter filter;

  filter_init (&filter, rows, request);
  for (guint32 i = 0; i < n && !cancelled; i++)
    {
      const MemlaneTableEntry *entry = memlane_table_rows_get (rows, i);

      if (i % STRIDE == 0)
        cancelled = g_cancellable_is_cancelled (cancellable);
      if (!is_wanted (&filter, entry))
        continue;
      in_order = in_order && entry->run >= last_run;
      last_run = entry->run;
      g_array_append_val (order, i);
    }
  filter_clear (&filter);
  if (cancelled || (!in_order && !sort_order (order, rows, request, cancellable)))
    return NULL;
  return g_steal_pointer (&order);
}

/* --- CSV -------------------------------------------------------------------------------------------------------------- */

/* The engine writes cells; one row is a cell that has but this figure, or none. */
static void
append_row (GString *text, const MemlaneRun *record, const MemlaneTableEntry *entry, GPtrArray *one)
{
  MemlaneCell cell = *entry->cell;

  g_ptr_array_set_size (one, 0);
  cell.figures = one;
  cell.status = memlane_table_entry_get_status (entry);
  cell.detail = (char *) memlane_table_entry_get_detail (entry);
  if (entry->figure != NULL)
    g_ptr_array_add (one, (gpointer) entry->figure);
  memlane_csv_append_cell (text, record, &cell);
}

GBytes *
memlane_table_csv (const MemlaneTableRows *rows, GCancellable *cancellable, GError **error)
{
  g_autoptr (GString) text = g_string_new (NULL);
  g_autoptr (GPtrArray) one = g_ptr_array_new ();

  memlane_csv_append_header (text);
  for (guint i = 0; i < memlane_table_rows_count (rows); i++)
    {
      if (i % CSV_STRIDE == 0 && g_cancellable_set_error_if_cancelled (cancellable, error))
        return NULL;
      append_row (text, memlane_table_rows_get_run (rows, i)->record, memlane_table_rows_get (rows, i), one);
    }
  return g_string_free_to_bytes (g_steal_pointer (&text));
}
