/* decide-evidence.c: which runs and cells count
 *
 * SPDX-License-Identifier: MIT
 */
#include "decide-private.h"

#include <string.h>

#include "base/i18n.h"
#include "same-machine.h"

static int
find_mode (const MemlaneDecision *self, const char *id)
{
  guint n;
  const MemlaneMode *modes = memlane_mode_list (&n), *mode = memlane_mode_find (id);

  return mode != NULL && n == self->n_modes ? (int) (mode - modes) : -1;
}

static gboolean
has_time (const MemlaneCell *cell)
{
  MemlaneEstimate ns = memlane_estimate_from_figure (memlane_cell_find (cell, MEMLANE_PHASE_ELAPSED, MEMLANE_CLOCK_HOST));

  return memlane_estimate_is_known (&ns);
}

static void
note (MemlaneDecision *self, MemlaneAnswer *answer)
{
  g_ptr_array_add (self->notes, answer);
}

/* --- runs ---------------------------------------------------------------------------------------------------------------- */

/* Whether @run's cells may stand beside those of @first. */
static gboolean
is_comparable (MemlaneDecision *self, const MemlaneRun *first, const MemlaneRun *run)
{
  MemlaneMachineComparison *comparison;
  MemlaneAnswer *answer;

  if (run == first)
    return TRUE;
  comparison = memlane_machine_compare (first, run);
  if (comparison->verdict == MEMLANE_MACHINE_SAME && g_strcmp0 (first->device_kind, run->device_kind) == 0)
    {
      memlane_machine_comparison_free (comparison);
      return TRUE;
    }
  if (comparison->verdict == MEMLANE_MACHINE_UNKNOWN)
    answer = memlane_answer_new (MEMLANE_ANSWER_TROUBLE, N_ ("Run {run} is left out, for nothing tells whether it is of the same machine "
                                                             "as {first}: {reason}"));
  else
    answer = memlane_answer_new (MEMLANE_ANSWER_TROUBLE, N_ ("Run {run} is left out, for it is of another machine than {first}: {reason}"));
  memlane_answer_add_text (answer, "run", MEMLANE_FACT_TEXT, run->id);
  memlane_answer_add_text (answer, "first", MEMLANE_FACT_TEXT, first->id);
  memlane_answer_add_text (answer, "reason", MEMLANE_FACT_TEXT, comparison->sentence);
  note (self, answer);
  memlane_machine_comparison_free (comparison);
  return FALSE;
}

/* The cells of the workload, one for each mode, size and reuse: the first that has a time, else the first. */
static void
take_cells (MemlaneDecision *self, const MemlaneRun *run, GHashTable *places, GHashTable *strange)
{
  for (guint i = 0; i < run->cells->len; i++)
    {
      MemlaneCell *cell = run->cells->pdata[i];
      g_autofree char *key = NULL;
      gpointer place;

      if (strcmp (cell->workload, self->workload) != 0)
        continue;
      if (find_mode (self, cell->mode) < 0 || cell->log2_elements >= MOST_LOG2)
        {
          g_hash_table_add (strange, g_strdup (cell->mode));
          continue;
        }
      key = g_strdup_printf ("%s/%u/%u", cell->mode, cell->log2_elements, cell->reuse);
      if (!g_hash_table_lookup_extended (places, key, NULL, &place))
        {
          g_hash_table_insert (places, g_steal_pointer (&key), GUINT_TO_POINTER (self->run->cells->len));
          g_ptr_array_add (self->run->cells, memlane_cell_ref (cell));
        }
      else if (!has_time (self->run->cells->pdata[GPOINTER_TO_UINT (place)]) && has_time (cell))
        {
          MemlaneCell **kept = (MemlaneCell **) &self->run->cells->pdata[GPOINTER_TO_UINT (place)];

          memlane_cell_unref (*kept);
          *kept = memlane_cell_ref (cell);
        }
    }
}

static const char *
choose_workload (const MemlaneRun *run, const char *asked)
{
  if (asked != NULL)
    return asked;
  for (guint i = 0; i < run->cells->len; i++)
    if (strcmp (((const MemlaneCell *) run->cells->pdata[i])->workload, "vector-add") == 0)
      return "vector-add";
  return run->cells->len > 0 ? ((const MemlaneCell *) run->cells->pdata[0])->workload : "vector-add";
}

/* --- what is there and what is not ---------------------------------------------------------------------------------------- */

static int
compare_reuse (gconstpointer a, gconstpointer b)
{
  guint one = (*(const MemlaneCell *const *) a)->reuse, other = (*(const MemlaneCell *const *) b)->reuse;

  return one < other ? -1 : one > other;
}

static void
index_cells (MemlaneDecision *self)
{
  Evidence *evidence = self->evidence;
  guint64 sizes = 0;

  for (guint i = 0; i < self->run->cells->len; i++)
    {
      MemlaneCell *cell = self->run->cells->pdata[i];
      int mode = find_mode (self, cell->mode);
      GPtrArray **here = &evidence->cells[(guint) mode * MOST_LOG2 + cell->log2_elements];

      if (!has_time (cell))
        continue;
      if (*here == NULL)
        *here = g_ptr_array_new ();
      g_ptr_array_add (*here, cell);
      g_ptr_array_sort (*here, compare_reuse);
      self->present |= 1u << mode;
      sizes |= G_GUINT64_CONSTANT (1) << cell->log2_elements;
    }
  for (guint log2 = 0; log2 < MOST_LOG2; log2++)
    if ((sizes >> log2 & 1) != 0)
      self->sizes[self->n_sizes++] = log2;
}

static void
note_missing_ways (MemlaneDecision *self)
{
  for (int way = 0; way < MEMLANE_WAY_RESIDENT; way++)
    {
      guint n;
      const MemlaneMode *modes = memlane_mode_list (&n);
      g_autoptr (GString) names = g_string_new (NULL);
      MemlaneAnswer *answer;

      if (decide_first_of_way (self, (MemlaneWay) way) >= 0)
        continue;
      for (guint i = 0; i < n; i++)
        if (memlane_mode_get_way (&modes[i]) == (MemlaneWay) way)
          g_string_append_printf (names, "%s%s", names->len > 0 ? ", " : "", modes[i].id);
      answer = memlane_answer_new (MEMLANE_ANSWER_TROUBLE, N_ ("What is {way} cannot be told: no {modes} cells with a time."));
      memlane_answer_add_text (answer, "way", MEMLANE_FACT_WORD, memlane_way_title ((MemlaneWay) way));
      memlane_answer_add_text (answer, "modes", MEMLANE_FACT_MODES, names->str);
      note (self, answer);
    }
}

/* Cells that were asked for and have no time, and those that are noisy. */
static void
note_cells (MemlaneDecision *self)
{
  guint failed = 0, unsupported = 0, noisy = 0;
  g_autofree char *detail = NULL;

  for (guint i = 0; i < self->run->cells->len; i++)
    {
      const MemlaneCell *cell = self->run->cells->pdata[i];
      const MemlaneFigure *elapsed = memlane_cell_find (cell, MEMLANE_PHASE_ELAPSED, MEMLANE_CLOCK_HOST);

      if (has_time (cell))
        noisy += elapsed->status == MEMLANE_STATUS_NOISY;
      else if (cell->status == MEMLANE_STATUS_UNSUPPORTED)
        unsupported++;
      else
        {
          failed++;
          if (detail == NULL)
            detail = g_strdup_printf ("%s 2^%u: %s", cell->mode, cell->log2_elements,
                                      cell->detail != NULL ? cell->detail : memlane_status_name (cell->status));
        }
    }
  if (failed > 0)
    {
      MemlaneAnswer *answer = memlane_answer_new (MEMLANE_ANSWER_TROUBLE, N_ ("Cells without a time take no part: {count} failed or are "
                                                                              "not measured (first: {detail})."));

      memlane_answer_add_number (answer, "count", MEMLANE_FACT_COUNT, failed);
      memlane_answer_add_text (answer, "detail", MEMLANE_FACT_TEXT, detail);
      note (self, answer);
    }
  if (noisy > 0)
    {
      MemlaneAnswer *answer = memlane_answer_new (MEMLANE_ANSWER_TROUBLE, N_ ("Noisy elapsed times: {count} of {all} cells; their wide "
                                                                              "intervals make more of the map uncertain."));

      memlane_answer_add_number (answer, "count", MEMLANE_FACT_COUNT, noisy);
      memlane_answer_add_number (answer, "all", MEMLANE_FACT_COUNT, self->run->cells->len - failed - unsupported);
      note (self, answer);
    }
}

static void
note_size (MemlaneDecision *self)
{
  MemlaneAnswer *answer;

  if (self->n_sizes != 1)
    return;
  answer = memlane_answer_new (MEMLANE_ANSWER_TROUBLE, N_ ("Only {size} floats were measured: fits and crossovers cannot be told, nor what "
                                                           "is best at other sizes."));
  memlane_answer_add_number (answer, "size", MEMLANE_FACT_SIZE, exp2 (self->sizes[0]));
  note (self, answer);
}

static void
note_workload (MemlaneDecision *self, const MemlaneRun *first, MemlaneDirection asked)
{
  MemlaneAnswer *answer;

  if (self->n_sizes == 0)
    {
      answer = memlane_answer_new (MEMLANE_ANSWER_TROUBLE, N_ ("Nothing can be told: run {run} has no cells of {workload} with a time."));
      memlane_answer_add_text (answer, "run", MEMLANE_FACT_TEXT, first->id);
      memlane_answer_add_text (answer, "workload", MEMLANE_FACT_TEXT, self->workload);
      note (self, answer);
      return;
    }
  if (self->has_reuse)
    return;
  answer = memlane_answer_new (MEMLANE_ANSWER_TROUBLE, N_ ("In {workload} reuse repeats the whole sample, so only the reuse that was "
                                                           "measured is told, and the direction is the workload's own."));
  memlane_answer_add_text (answer, "workload", MEMLANE_FACT_TEXT, self->workload);
  note (self, answer);
}

static void
note_strange (MemlaneDecision *self, GHashTable *strange)
{
  g_autoptr (GString) names = g_string_new (NULL);
  GList *keys = g_list_sort (g_hash_table_get_keys (strange), (GCompareFunc) strcmp);
  MemlaneAnswer *answer;
  guint n = 0;

  for (GList *item = keys; item != NULL && n < 5; item = item->next, n++)
    g_string_append_printf (names, "%s%s", n > 0 ? ", " : "", (const char *) item->data);
  g_list_free (keys);
  if (n == 0)
    return;
  answer = memlane_answer_new (MEMLANE_ANSWER_TROUBLE, N_ ("Modes that this Memlane does not know are left out: {modes}."));
  memlane_answer_add_text (answer, "modes", MEMLANE_FACT_MODES, names->str);
  note (self, answer);
}

void
decide_gather (MemlaneDecision *self, GPtrArray *runs, const char *workload, MemlaneDirection direction)
{
  const MemlaneRun *first = runs->pdata[0];
  g_autoptr (GHashTable) places = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  g_autoptr (GHashTable) strange = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  Evidence *evidence = g_new0 (Evidence, 1);

  memlane_mode_list (&self->n_modes);
  g_assert (self->n_modes <= 32); /* the width of the sets of modes */
  evidence->cells = g_new0 (GPtrArray *, self->n_modes * MOST_LOG2);
  self->evidence = evidence;
  self->workload = g_strdup (choose_workload (first, workload));
  evidence->vectors = strcmp (self->workload, "vector-add") == 0 ? 3 : strcmp (self->workload, "copy-kernel") == 0 ? 2 : 0;
  self->has_reuse = evidence->vectors > 0;
  self->direction = self->has_reuse ? direction : MEMLANE_DIRECTION_BOTH;
  self->simulated = g_strcmp0 (first->device_kind, "simulated") == 0;
  self->run = memlane_run_new (first->id, first->device, first->device_kind);
  self->run->environment = g_strdup (first->environment);
  for (guint i = 0; i < runs->len; i++)
    if (is_comparable (self, first, runs->pdata[i]))
      take_cells (self, runs->pdata[i], places, strange);
  index_cells (self);
  note_strange (self, strange);
  note_workload (self, first, direction);
  if (self->n_sizes == 0)
    return;
  note_size (self);
  note_cells (self);
  note_missing_ways (self);
}

void
decide_evidence_free (Evidence *evidence, guint n_modes)
{
  for (guint i = 0; i < n_modes * MOST_LOG2; i++)
    if (evidence->cells[i] != NULL)
      g_ptr_array_unref (evidence->cells[i]);
  g_free (evidence->cells);
  g_free (evidence);
}

const GPtrArray *
decide_cells (const MemlaneDecision *self, guint mode, guint log2_elements)
{
  const Evidence *evidence = self->evidence;

  return mode < self->n_modes && log2_elements < MOST_LOG2 ? evidence->cells[mode * MOST_LOG2 + log2_elements] : NULL;
}

int
decide_first_of_way (const MemlaneDecision *self, MemlaneWay way)
{
  guint n;
  const MemlaneMode *modes = memlane_mode_list (&n);

  for (guint i = 0; i < n; i++)
    if ((self->present >> i & 1) != 0 && memlane_mode_get_way (&modes[i]) == way)
      return (int) i;
  return -1;
}

MemlaneWay
memlane_mode_get_way (const MemlaneMode *mode)
{
  return mode->way;
}

const char *
memlane_way_title (MemlaneWay way)
{
  static const char *const titles[] = {
    [MEMLANE_WAY_PAGEABLE] = N_ ("copied from pageable memory"),
    [MEMLANE_WAY_PINNED] = N_ ("copied from page-locked memory"),
    [MEMLANE_WAY_ZERO_COPY] = N_ ("reached over the link"),
    [MEMLANE_WAY_MANAGED] = N_ ("migrated page by page"),
    [MEMLANE_WAY_STREAMS] = N_ ("copied beside kernels"),
    [MEMLANE_WAY_RESIDENT] = N_ ("on the device already"),
  };

  G_STATIC_ASSERT (G_N_ELEMENTS (titles) == MEMLANE_N_WAYS);
  return titles[way];
}

const char *
memlane_way_name (MemlaneWay way)
{
  static const char *const names[] = { "pageable", "pinned", "zero-copy", "managed", "streams", "resident" };

  G_STATIC_ASSERT (G_N_ELEMENTS (names) == MEMLANE_N_WAYS);
  return names[way];
}

const char *
memlane_basis_name (MemlaneBasis basis)
{
  static const char *const names[] = { "none", "measured", "between", "kernel", "resident", "bounded" };

  G_STATIC_ASSERT (G_N_ELEMENTS (names) == MEMLANE_N_BASES);
  return names[basis];
}
