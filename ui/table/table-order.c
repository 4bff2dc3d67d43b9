/* table-order.c: which rows of the table are seen, and in which order
 *
 * SPDX-License-Identifier: MIT
 *
 * Each column that sorts becomes an array of numbers (words become their rank), so that a comparison is one of doubles.
 */
#include "table-order.h"

#include <math.h>
#include <string.h>

#include "table-words.h"

/* Rows between two looks at the cancellable. */
#define STRIDE 4096

double
memlane_table_entry_get_number (const MemlaneTableEntry *entry, MemlaneColumn column)
{
  const MemlaneStatistics *s = entry->figure != NULL && entry->figure->statistics.count > 0 ? &entry->figure->statistics : NULL;
  double bandwidth;

  switch (column)
    {
    case MEMLANE_COLUMN_SIZE:
      return entry->cell->log2_elements;
    case MEMLANE_COLUMN_BYTES:
      return (double) entry->cell->bytes;
    case MEMLANE_COLUMN_MEDIAN:
      return s != NULL ? s->median : NAN;
    case MEMLANE_COLUMN_INTERVAL:
      return s != NULL && s->median > 0 ? (s->ci95_high - s->ci95_low) / 2 / s->median : NAN;
    case MEMLANE_COLUMN_MINIMUM:
      return s != NULL ? s->min : NAN;
    case MEMLANE_COLUMN_MAXIMUM:
      return s != NULL ? s->max : NAN;
    case MEMLANE_COLUMN_BANDWIDTH:
      bandwidth = s != NULL ? memlane_figure_get_bandwidth (entry->figure) : 0;
      return bandwidth > 0 ? bandwidth : NAN;
    case MEMLANE_COLUMN_SAMPLES:
      return s != NULL ? s->count : NAN;
    case MEMLANE_COLUMN_RUN:
    case MEMLANE_COLUMN_WORKLOAD:
    case MEMLANE_COLUMN_MODE:
    case MEMLANE_COLUMN_PHASE:
    case MEMLANE_COLUMN_CLOCK:
    case MEMLANE_COLUMN_STATUS:
    case MEMLANE_COLUMN_DETAIL:
    case MEMLANE_N_COLUMNS:
      break;
    }
  return NAN;
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

/* --- filter ----------------------------------------------------------------------------------------------------------------- */

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

/* --- sort ------------------------------------------------------------------------------------------------------------------- */

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
