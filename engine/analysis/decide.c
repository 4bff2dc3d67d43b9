/* decide.c: which cells count, what they say of a mode at any size and reuse, and which mode wins
 *
 * SPDX-License-Identifier: MIT
 */
#include "decide-private.h"

#include <string.h>

#include "base/i18n.h"
#include "base/save.h"
#include "base/strict-text.h"
#include "control.h"
#include "same-machine.h"

/* --- words --------------------------------------------------------------------------------------------------------------- */

static const char *const directions[] = { "both", "to-device", "to-host" };

const char *
memlane_direction_name (MemlaneDirection direction)
{
  G_STATIC_ASSERT (G_N_ELEMENTS (directions) == MEMLANE_N_DIRECTIONS);
  return directions[direction];
}

gboolean
memlane_direction_parse (const char *name, MemlaneDirection *direction)
{
  for (guint i = 0; i < G_N_ELEMENTS (directions); i++)
    if (strcmp (name, directions[i]) == 0)
      {
        *direction = (MemlaneDirection) i;
        return TRUE;
      }
  return FALSE;
}

const char *
memlane_direction_title (MemlaneDirection direction)
{
  static const char *const words[] = {
    [MEMLANE_DIRECTION_BOTH] = N_ ("copies both ways"),
    [MEMLANE_DIRECTION_TO_DEVICE] = N_ ("copies to the device only"),
    [MEMLANE_DIRECTION_TO_HOST] = N_ ("copies to the host only"),
  };

  return words[direction];
}

const char *
memlane_way_title (MemlaneWay way)
{
  static const char *const titles[] = {
    [MEMLANE_WAY_PAGEABLE] = N_ ("pageable"),
    [MEMLANE_WAY_PINNED] = N_ ("page-locked"),
    [MEMLANE_WAY_ZERO_COPY] = N_ ("zero-copy"),
    [MEMLANE_WAY_MANAGED] = N_ ("managed"),
    [MEMLANE_WAY_STREAMS] = N_ ("overlapped"),
    [MEMLANE_WAY_RESIDENT] = N_ ("device-resident"),
  };

  G_STATIC_ASSERT (G_N_ELEMENTS (titles) == MEMLANE_N_WAYS);
  return titles[way];
}

static const char *
way_name (MemlaneWay way)
{
  static const char *const names[] = { "pageable", "pinned", "zero-copy", "managed", "streams", "resident" };

  G_STATIC_ASSERT (G_N_ELEMENTS (names) == MEMLANE_N_WAYS);
  return names[way];
}

static const char *
basis_name (MemlaneBasis basis)
{
  static const char *const names[] = { "none", "measured", "between", "computed", "bounded" };

  G_STATIC_ASSERT (G_N_ELEMENTS (names) == MEMLANE_N_BASES);
  return names[basis];
}

/* --- evidence ------------------------------------------------------------------------------------------------------------ */

const GPtrArray *
memlane_decision_get_cells (const MemlaneDecision *self, guint mode, guint log2_elements)
{
  if (mode >= self->n_modes || log2_elements >= MEMLANE_DECIDE_SIZES)
    return NULL;
  return ((const MemlaneDecisionParts *) self)->cells[mode * MEMLANE_DECIDE_SIZES + log2_elements];
}

int
memlane_decision_find_first (const MemlaneDecision *self, MemlaneWay way)
{
  guint n;
  const MemlaneMode *modes = memlane_mode_list (&n);

  for (guint i = 0; i < n; i++)
    if ((self->present >> i & 1) != 0 && modes[i].way == way)
      return (int) i;
  return -1;
}

int
memlane_decision_find_copying (const MemlaneDecision *self, guint log2_elements)
{
  guint n;
  const MemlaneMode *modes = memlane_mode_list (&n);
  int best = -1;
  double least = INFINITY;

  for (guint i = 0; i < n; i++)
    {
      const GPtrArray *cells = memlane_decision_get_cells (self, i, log2_elements);
      const MemlaneFigure *elapsed;

      if (cells == NULL || modes[i].way != MEMLANE_WAY_PINNED)
        continue;
      elapsed = memlane_cell_find (cells->pdata[0], MEMLANE_PHASE_ELAPSED, MEMLANE_CLOCK_HOST);
      if (elapsed->statistics.median < least)
        {
          least = elapsed->statistics.median;
          best = (int) i;
        }
    }
  return best;
}

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
    answer = memlane_answer_new (MEMLANE_ANSWER_TROUBLE, N_ ("{run} was ignored: it may come from another machine than {first}. {reason}"));
  else
    answer = memlane_answer_new (MEMLANE_ANSWER_TROUBLE, N_ ("{run} was ignored: it comes from another machine than {first}. {reason}"));
  memlane_answer_add_text (answer, "run", MEMLANE_FACT_TEXT, run->id);
  memlane_answer_add_text (answer, "first", MEMLANE_FACT_TEXT, first->id);
  memlane_answer_add_text (answer, "reason", MEMLANE_FACT_TEXT, comparison->sentence);
  note (self, answer);
  memlane_machine_comparison_free (comparison);
  return FALSE;
}

/* That @run was measured in another way than @first: reuse alone is what runs are put together for. */
static void
note_method (MemlaneDecision *self, const MemlaneRun *first, const MemlaneRun *run)
{
  g_autoptr (MemlaneMachineComparison) comparison = run != first ? memlane_machine_compare (first, run) : NULL;
  g_autoptr (GString) ways = g_string_new (NULL);
  MemlaneAnswer *answer;

  for (guint i = 0; comparison != NULL && i < comparison->differences->len; i++)
    if (!g_str_has_prefix (comparison->differences->pdata[i], "reuse:"))
      g_string_append_printf (ways, "%s%s", ways->len > 0 ? "; " : "", (const char *) comparison->differences->pdata[i]);
  if (ways->len == 0)
    return;
  answer = memlane_answer_new (MEMLANE_ANSWER_TROUBLE, N_ ("{run} was measured in another way than {first}: {ways}."));
  memlane_answer_add_text (answer, "run", MEMLANE_FACT_TEXT, run->id);
  memlane_answer_add_text (answer, "first", MEMLANE_FACT_TEXT, first->id);
  memlane_answer_add_text (answer, "ways", MEMLANE_FACT_TEXT, ways->str);
  note (self, answer);
}

/* A run that told apart what does not differ, or whose device was slowed. */
static void
note_control (MemlaneDecision *self, const MemlaneRun *run)
{
  g_autoptr (GPtrArray) answers = NULL;
  MemlaneControl control;

  memlane_control_run (run, &control);
  if (control.verdict != MEMLANE_CONTROL_FAILED && control.throttled == 0)
    return;
  answers = memlane_control_describe (&control);
  g_ptr_array_set_free_func (answers, NULL);
  for (guint i = 0; i < answers->len; i++)
    note (self, answers->pdata[i]);
}

/* The first cell of @cell's mode at any size; NULL: none yet. Times of other streams or chunks are those of another mode. */
static const MemlaneCell *
find_alike (const MemlaneDecision *self, const MemlaneCell *cell)
{
  for (guint i = 0; i < self->run->cells->len; i++)
    if (strcmp (((const MemlaneCell *) self->run->cells->pdata[i])->mode, cell->mode) == 0)
      return self->run->cells->pdata[i];
  return NULL;
}

/* The cells of the workload, one for each mode, size and reuse: the first that has a time, else the first. */
static void
choose_cells (MemlaneDecision *self, const MemlaneRun *run, guint number, GHashTable *places, GHashTable *unknown)
{
  GHashTable *origins = ((MemlaneDecisionParts *) self)->origins;

  for (guint i = 0; i < run->cells->len; i++)
    {
      MemlaneCell *cell = run->cells->pdata[i];
      g_autofree char *key = NULL;
      const MemlaneCell *alike = cell->chunks > 0 ? find_alike (self, cell) : NULL;
      gpointer place;

      if (strcmp (cell->workload, self->workload) != 0)
        continue;
      if (find_mode (self, cell->mode) < 0 || cell->log2_elements >= MEMLANE_DECIDE_SIZES)
        {
          g_hash_table_add (unknown, g_strdup (cell->mode));
          continue;
        }
      if (alike != NULL && (alike->streams != cell->streams || alike->chunks != cell->chunks))
        {
          ((MemlaneDecisionParts *) self)->n_unlike++;
          continue;
        }
      key = g_strdup_printf ("%s/%u/%u", cell->mode, cell->log2_elements, cell->reuse);
      if (!g_hash_table_lookup_extended (places, key, NULL, &place))
        {
          g_hash_table_insert (places, g_steal_pointer (&key), GUINT_TO_POINTER (self->run->cells->len));
          g_ptr_array_add (self->run->cells, memlane_cell_ref (cell));
          g_hash_table_insert (origins, cell, GUINT_TO_POINTER (number));
        }
      else if (!has_time (self->run->cells->pdata[GPOINTER_TO_UINT (place)]) && has_time (cell))
        {
          MemlaneCell **kept = (MemlaneCell **) &self->run->cells->pdata[GPOINTER_TO_UINT (place)];

          memlane_cell_unref (*kept);
          *kept = memlane_cell_ref (cell);
          g_hash_table_insert (origins, cell, GUINT_TO_POINTER (number));
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
  GPtrArray **cells = ((MemlaneDecisionParts *) self)->cells;
  guint64 sizes = 0;

  for (guint i = 0; i < self->run->cells->len; i++)
    {
      MemlaneCell *cell = self->run->cells->pdata[i];
      int mode = find_mode (self, cell->mode);
      GPtrArray **here = &cells[(guint) mode * MEMLANE_DECIDE_SIZES + cell->log2_elements];

      if (!has_time (cell))
        continue;
      if (*here == NULL)
        *here = g_ptr_array_new ();
      g_ptr_array_add (*here, cell);
      g_ptr_array_sort (*here, compare_reuse);
      self->present |= 1u << mode;
      sizes |= G_GUINT64_CONSTANT (1) << cell->log2_elements;
    }
  for (guint log2 = 0; log2 < MEMLANE_DECIDE_SIZES; log2++)
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

      if (memlane_decision_find_first (self, (MemlaneWay) way) >= 0)
        continue;
      for (guint i = 0; i < n; i++)
        if (modes[i].way == (MemlaneWay) way)
          g_string_append_printf (names, "%s%s", names->len > 0 ? ", " : "", modes[i].id);
      answer = memlane_answer_new (MEMLANE_ANSWER_TROUBLE, N_ ("No estimate for {way} modes: {modes} were not measured."));
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
      MemlaneAnswer *answer = memlane_answer_new (MEMLANE_ANSWER_TROUBLE, N_ ("{count} measurements are missing and were ignored (first: "
                                                                              "{detail})."));

      memlane_answer_add_number (answer, "count", MEMLANE_FACT_COUNT, failed);
      memlane_answer_add_text (answer, "detail", MEMLANE_FACT_TEXT, detail);
      note (self, answer);
    }
  if (noisy > 0)
    {
      MemlaneAnswer *answer = memlane_answer_new (MEMLANE_ANSWER_TROUBLE, N_ ("{count} of {all} total times are noisy, so more of the "
                                                                              "map is uncertain."));

      memlane_answer_add_number (answer, "count", MEMLANE_FACT_COUNT, noisy);
      memlane_answer_add_number (answer, "all", MEMLANE_FACT_COUNT, self->run->cells->len - failed - unsupported);
      note (self, answer);
    }
}

static void
note_streams (MemlaneDecision *self)
{
  guint n = ((const MemlaneDecisionParts *) self)->n_unlike;
  MemlaneAnswer *answer;

  if (n == 0)
    return;
  answer = memlane_answer_new (MEMLANE_ANSWER_TROUBLE, N_ ("{count} measurements of stream modes were ignored. They have another number of "
                                                           "streams or chunks than the first."));
  memlane_answer_add_number (answer, "count", MEMLANE_FACT_COUNT, n);
  note (self, answer);
}

/* Times of one process are never certain: their intervals say nothing of another one. */
static void
note_one_process (MemlaneDecision *self)
{
  for (guint i = 0; i < self->run->cells->len; i++)
    {
      const MemlaneCell *cell = self->run->cells->pdata[i];

      if (!has_time (cell) || memlane_cell_find (cell, MEMLANE_PHASE_ELAPSED, MEMLANE_CLOCK_HOST)->n_rounds > 0)
        continue;
      self->one_process = TRUE;
      note (self, memlane_answer_new (MEMLANE_ANSWER_TROUBLE, N_ ("The times come from one process each. Another process may differ by "
                                                                  "more than the intervals say, so nothing here is certain.")));
      return;
    }
}

static void
note_size (MemlaneDecision *self)
{
  MemlaneAnswer *answer;

  if (self->n_sizes != 1)
    return;
  answer = memlane_answer_new (MEMLANE_ANSWER_TROUBLE, N_ ("Only {size} floats were measured. Nothing follows for other sizes, and there "
                                                           "are no fits or crossovers."));
  memlane_answer_add_number (answer, "size", MEMLANE_FACT_SIZE, exp2 (self->sizes[0]));
  note (self, answer);
}

static void
note_workload (MemlaneDecision *self, const MemlaneRun *first, MemlaneDirection asked)
{
  MemlaneAnswer *answer;

  if (self->n_sizes == 0)
    {
      answer = memlane_answer_new (MEMLANE_ANSWER_TROUBLE, N_ ("Not enough data: run {run} has no total time of {workload}."));
      memlane_answer_add_text (answer, "run", MEMLANE_FACT_TEXT, first->id);
      memlane_answer_add_text (answer, "workload", MEMLANE_FACT_TEXT, self->workload);
      note (self, answer);
      return;
    }
  if (self->has_reuse)
    return;
  answer = memlane_answer_new (MEMLANE_ANSWER_TROUBLE, N_ ("In {workload} reuse repeats the whole transfer. Other reuse values cannot be "
                                                           "computed, and the direction is that of the workload."));
  memlane_answer_add_text (answer, "workload", MEMLANE_FACT_TEXT, self->workload);
  note (self, answer);
}

static void
note_unknown_modes (MemlaneDecision *self, GHashTable *unknown)
{
  g_autoptr (GString) names = g_string_new (NULL);
  GList *keys = g_list_sort (g_hash_table_get_keys (unknown), (GCompareFunc) strcmp);
  MemlaneAnswer *answer;
  guint n = 0;

  for (GList *item = keys; item != NULL && n < 5; item = item->next, n++)
    g_string_append_printf (names, "%s%s", n > 0 ? ", " : "", (const char *) item->data);
  g_list_free (keys);
  if (n == 0)
    return;
  answer = memlane_answer_new (MEMLANE_ANSWER_TROUBLE, N_ ("Unknown modes were ignored: {modes}."));
  memlane_answer_add_text (answer, "modes", MEMLANE_FACT_MODES, names->str);
  note (self, answer);
}

/* Fills all but the map. */
static void
gather (MemlaneDecisionParts *decision, GPtrArray *runs, const char *workload, MemlaneDirection direction)
{
  const MemlaneRun *first = runs->pdata[0];
  g_autoptr (GHashTable) places = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  g_autoptr (GHashTable) unknown = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  MemlaneDecision *self = &decision->public;

  memlane_mode_list (&self->n_modes);
  g_assert (self->n_modes <= 32); /* the width of the sets of modes */
  decision->cells = g_new0 (GPtrArray *, self->n_modes * MEMLANE_DECIDE_SIZES);
  decision->origins = g_hash_table_new (NULL, NULL);
  self->workload = g_strdup (choose_workload (first, workload));
  decision->vectors = strcmp (self->workload, "vector-add") == 0 ? 3 : strcmp (self->workload, "copy-kernel") == 0 ? 2 : 0;
  self->has_reuse = decision->vectors > 0;
  self->direction = self->has_reuse ? direction : MEMLANE_DIRECTION_BOTH;
  self->simulated = g_strcmp0 (first->device_kind, "simulated") == 0;
  self->run = memlane_run_new (first->id, first->device, first->device_kind);
  self->run->environment = g_strdup (first->environment);
  (void) memlane_floors_read (first, &decision->floors); /* older runs have none */
  for (guint i = 0; i < runs->len; i++)
    if (is_comparable (self, first, runs->pdata[i]))
      {
        note_method (self, first, runs->pdata[i]);
        note_control (self, runs->pdata[i]);
        choose_cells (self, runs->pdata[i], i + 1, places, unknown);
      }
  index_cells (self);
  memlane_decision_find_terms (decision);
  note_unknown_modes (self, unknown);
  note_workload (self, first, direction);
  if (self->n_sizes == 0)
    return;
  note_size (self);
  note_streams (self);
  note_one_process (self);
  note_cells (self);
  note_missing_ways (self);
}

/* --- the map ---------------------------------------------------------------------------------------------------------------- */

guint
memlane_decide_reuse (guint index)
{
  return 1u << MIN (index, 31);
}

/* Whether @mode takes part: not the baseline, nor what is the same as another mode that was measured at this size. */
static gboolean
takes_part (const MemlaneDecision *self, guint mode, guint log2_elements)
{
  guint n;
  const MemlaneMode *row = &memlane_mode_list (&n)[mode];
  int twin = row->identical_to != NULL ? find_mode (self, row->identical_to) : -1;

  return row->way != MEMLANE_WAY_RESIDENT && (twin < 0 || memlane_decision_get_cells (self, (guint) twin, log2_elements) == NULL);
}

/* Predicts each mode in the contest to @p. Returns: bit i: mode i has a prediction. */
static guint32
predict_all (const MemlaneDecision *self, guint log2_elements, guint reuse, MemlaneForecast *p)
{
  guint32 known = 0;

  for (guint i = 0; i < self->n_modes; i++)
    if (takes_part (self, i, log2_elements) && memlane_decision_forecast (self, i, log2_elements, reuse, &p[i]))
      known |= 1u << i;
  return known;
}

/* The most that mode @i may take beyond any other of @known, as a share of that one's time. Alone it costs nothing. */
static double
find_regret (const MemlaneForecast *p, guint32 known, guint i)
{
  double worst = 0;

  for (guint j = 0; j < 32; j++)
    if (j != i && (known >> j & 1) != 0)
      worst = MAX (worst, memlane_decision_compare (&p[i], &p[j]).high);
  return worst;
}

/* Of the modes within MEMLANE_DECIDE_TIE of the fastest by their times: the simplest that costs at most as much more than any other, as
 * surely as the intervals say; where there is none, the one that could cost the least. */
static void
choose (const MemlaneForecast *p, guint32 known, MemlaneChoice *choice)
{
  guint n, effort = G_MAXUINT;
  const MemlaneMode *modes = memlane_mode_list (&n);

  for (guint i = 0; i < n; i++)
    {
      double cost = (known >> i & 1) != 0 ? p[i].ns.value / p[choice->fastest].ns.value - 1 : INFINITY, regret;

      if (cost > MEMLANE_DECIDE_TIE)
        continue;
      regret = MAX (find_regret (p, known, i), cost);
      if (regret <= MEMLANE_DECIDE_TIE ? modes[i].effort < effort : effort == G_MAXUINT && !(regret >= choice->regret))
        {
          effort = regret <= MEMLANE_DECIDE_TIE ? modes[i].effort : effort;
          choice->choice = (int) i;
          choice->regret = regret;
        }
    }
}

gboolean
memlane_decision_judge (const MemlaneDecision *self, guint log2_elements, guint reuse, MemlaneChoice *choice)
{
  guint n;
  const MemlaneMode *modes = memlane_mode_list (&n);
  MemlaneForecast p[32] = { 0 };
  guint32 known = predict_all (self, log2_elements, reuse, p);

  *choice = (MemlaneChoice) { .choice = -1, .fastest = -1, .rival = -1, .cost = NAN, .regret = NAN };
  choice->contest = known;
  if (known == 0)
    return FALSE;
  for (guint i = 0; i < n; i++)
    if ((known >> i & 1) != 0)
      {
        choice->n_predicted++;
        if (choice->fastest < 0 || p[i].ns.value < p[choice->fastest].ns.value)
          choice->fastest = (int) i;
      }
  choose (p, known, choice);
  choice->cost = p[choice->choice].ns.value / p[choice->fastest].ns.value - 1;
  choice->open = choice->regret > MEMLANE_DECIDE_TIE;
  for (guint i = 0; i < n; i++)
    {
      if ((known >> i & 1) == 0)
        continue;
      if ((int) i == choice->choice || memlane_decision_compare (&p[i], &p[choice->choice]).low <= MEMLANE_DECIDE_TIE)
        choice->ties |= 1u << i;
      if (modes[i].way != modes[choice->choice].way && (choice->rival < 0 || p[i].ns.value < p[choice->rival].ns.value))
        choice->rival = (int) i;
    }
  return TRUE;
}

gboolean
memlane_choice_is_many (const MemlaneChoice *self)
{
  guint ties = 0;

  for (guint32 set = self->ties; set != 0; set &= set - 1)
    ties++;
  return self->n_predicted > 2 && !self->open && 2 * ties > self->n_predicted;
}

const MemlaneChoice *
memlane_decision_get (const MemlaneDecision *self, guint size_index, guint reuse_index)
{
  return size_index < self->n_sizes && reuse_index < MEMLANE_DECIDE_REUSES ? &self->map[size_index * MEMLANE_DECIDE_REUSES + reuse_index]
                                                                           : NULL;
}

MemlaneDecision *
memlane_decision_new (GPtrArray *runs, const char *workload, MemlaneDirection direction)
{
  MemlaneDecisionParts *decision;
  MemlaneDecision *self;

  g_return_val_if_fail (runs != NULL && runs->len > 0, NULL);
  decision = g_new0 (MemlaneDecisionParts, 1);
  self = &decision->public;
  self->notes = g_ptr_array_new_with_free_func ((GDestroyNotify) memlane_answer_free);
  gather (decision, runs, workload, direction);
  self->map = g_new0 (MemlaneChoice, MAX (self->n_sizes, 1) * MEMLANE_DECIDE_REUSES);
  for (guint i = 0; i < self->n_sizes; i++)
    for (guint j = 0; j < MEMLANE_DECIDE_REUSES; j++)
      memlane_decision_judge (self, self->sizes[i], memlane_decide_reuse (j), &self->map[i * MEMLANE_DECIDE_REUSES + j]);
  return self;
}

void
memlane_decision_free (MemlaneDecision *self)
{
  GPtrArray **cells;

  if (self == NULL)
    return;
  cells = ((MemlaneDecisionParts *) self)->cells;
  for (guint i = 0; i < self->n_modes * MEMLANE_DECIDE_SIZES; i++)
    g_clear_pointer (&cells[i], g_ptr_array_unref);
  g_free (cells);
  g_hash_table_unref (((MemlaneDecisionParts *) self)->origins);
  memlane_run_unref (self->run);
  g_ptr_array_unref (self->notes);
  g_free (self->workload);
  g_free (self->map);
  g_free (self);
}

/* --- as CSV ----------------------------------------------------------------------------------------------------------------- */

#define COLUMNS \
  "device,device_kind,workload,direction,log2_elements,elements,bytes,reuse,mode,way," \
  "predicted_ns,ci95_low_ns,ci95_high_ns,basis,rank,tied,choice\n"

static void
append_place (const MemlaneDecision *self, guint size, guint reuse_index, GString *text)
{
  guint n, log2_elements = self->sizes[size], reuse = memlane_decide_reuse (reuse_index);
  const MemlaneMode *modes = memlane_mode_list (&n);
  const MemlaneChoice *verdict = memlane_decision_get (self, size, reuse_index);
  const char *const front[] = { self->run->device, self->run->device_kind, self->workload };
  MemlaneForecast p[32] = { 0 };

  for (guint i = 0; i < n; i++)
    memlane_decision_forecast (self, i, log2_elements, reuse, &p[i]);
  for (guint i = 0; i < n; i++)
    {
      guint rank = 1;

      if (p[i].basis == MEMLANE_BASIS_NONE)
        continue;
      for (guint k = 0; k < G_N_ELEMENTS (front); k++)
        {
          memlane_text_append_field (text, front[k]);
          g_string_append_c (text, ',');
        }
      g_string_append_printf (text, "%s,%u,%" G_GUINT64_FORMAT ",%" G_GUINT64_FORMAT ",%u,%s,%s,",
                              memlane_direction_name (self->direction), log2_elements, G_GUINT64_CONSTANT (1) << log2_elements,
                              G_GUINT64_CONSTANT (4) << log2_elements, reuse, modes[i].id,
                              way_name (modes[i].way));
      for (guint k = 0; k < 3; k++)
        {
          memlane_text_append_rounded (text, k == 0 ? p[i].ns.value : k == 1 ? p[i].ns.low : p[i].ns.high, 10);
          g_string_append_c (text, ',');
        }
      g_string_append_printf (text, "%s,", basis_name (p[i].basis));
      if (modes[i].way == MEMLANE_WAY_RESIDENT)
        {
          g_string_append (text, ",,\n");
          continue;
        }
      for (guint j = 0; j < n; j++)
        rank += p[j].basis != MEMLANE_BASIS_NONE && modes[j].way != MEMLANE_WAY_RESIDENT
                && (p[j].ns.value < p[i].ns.value || (p[j].ns.value == p[i].ns.value && j < i));
      g_string_append_printf (text, "%u,%u,%u\n", rank, verdict->ties >> i & 1, verdict->choice == (int) i);
    }
}

gboolean
memlane_decision_write_map (const MemlaneDecision *self, const char *path, GError **error)
{
  g_autoptr (GString) text = g_string_new (COLUMNS);

  for (guint i = 0; i < self->n_sizes; i++)
    for (guint j = 0; j < MEMLANE_DECIDE_REUSES; j++)
      append_place (self, i, j, text);
  return memlane_save_file (path, text->str, text->len, error);
}
