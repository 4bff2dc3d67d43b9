/* decide.c: which cells count, what they say of a mode at any size and reuse, and which mode wins
 *
 * SPDX-License-Identifier: MIT
 */
#include "decide.h"

#include <string.h>

#include "base/i18n.h"
#include "base/save.h"
#include "base/strict-text.h"
#include "same-machine.h"

#define MOST_LOG2 64 /* sizes; a run's are 4 to 28 */

/* A decision as it is made: what others see, and the cells it rests on. */
typedef struct
{
  MemlaneDecision public;
  GPtrArray **cells; /* [mode * MOST_LOG2 + log2] -> (element-type MemlaneCell, borrowed) with a time, ascending reuse; or NULL */
  guint vectors;     /* of a workload whose reuse repeats the kernel, inputs and result; else 0 */
} Decision;

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
    [MEMLANE_DIRECTION_BOTH] = N_ ("inputs up and the result down"),
    [MEMLANE_DIRECTION_TO_DEVICE] = N_ ("inputs up, the result stays on the device"),
    [MEMLANE_DIRECTION_TO_HOST] = N_ ("the inputs are on the device, the result down"),
  };

  return words[direction];
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
  static const char *const names[] = { "none", "measured", "between", "kernel", "resident", "bounded" };

  G_STATIC_ASSERT (G_N_ELEMENTS (names) == MEMLANE_N_BASES);
  return names[basis];
}
/* --- evidence ------------------------------------------------------------------------------------------------------------ */

/* (nullable): those of a mode and size that have a time, ascending reuse. */
static const GPtrArray *
get_cells (const MemlaneDecision *self, guint mode, guint log2_elements)
{
  return mode < self->n_modes && log2_elements < MOST_LOG2 ? ((const Decision *) self)->cells[mode * MOST_LOG2 + log2_elements] : NULL;
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
      const GPtrArray *cells = get_cells (self, i, log2_elements);
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
choose_cells (MemlaneDecision *self, const MemlaneRun *run, GHashTable *places, GHashTable *unknown)
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
          g_hash_table_add (unknown, g_strdup (cell->mode));
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
  GPtrArray **cells = ((Decision *) self)->cells;
  guint64 sizes = 0;

  for (guint i = 0; i < self->run->cells->len; i++)
    {
      MemlaneCell *cell = self->run->cells->pdata[i];
      int mode = find_mode (self, cell->mode);
      GPtrArray **here = &cells[(guint) mode * MOST_LOG2 + cell->log2_elements];

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

      if (memlane_decision_find_first (self, (MemlaneWay) way) >= 0)
        continue;
      for (guint i = 0; i < n; i++)
        if (modes[i].way == (MemlaneWay) way)
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
  answer = memlane_answer_new (MEMLANE_ANSWER_TROUBLE, N_ ("Modes that this Memlane does not know are left out: {modes}."));
  memlane_answer_add_text (answer, "modes", MEMLANE_FACT_MODES, names->str);
  note (self, answer);
}

/* Fills all but the map. */
static void
gather (Decision *decision, GPtrArray *runs, const char *workload, MemlaneDirection direction)
{
  const MemlaneRun *first = runs->pdata[0];
  g_autoptr (GHashTable) places = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  g_autoptr (GHashTable) unknown = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  MemlaneDecision *self = &decision->public;

  memlane_mode_list (&self->n_modes);
  g_assert (self->n_modes <= 32); /* the width of the sets of modes */
  decision->cells = g_new0 (GPtrArray *, self->n_modes * MOST_LOG2);
  self->workload = g_strdup (choose_workload (first, workload));
  decision->vectors = strcmp (self->workload, "vector-add") == 0 ? 3 : strcmp (self->workload, "copy-kernel") == 0 ? 2 : 0;
  self->has_reuse = decision->vectors > 0;
  self->direction = self->has_reuse ? direction : MEMLANE_DIRECTION_BOTH;
  self->simulated = g_strcmp0 (first->device_kind, "simulated") == 0;
  self->run = memlane_run_new (first->id, first->device, first->device_kind);
  self->run->environment = g_strdup (first->environment);
  for (guint i = 0; i < runs->len; i++)
    if (is_comparable (self, first, runs->pdata[i]))
      choose_cells (self, runs->pdata[i], places, unknown);
  index_cells (self);
  note_unknown_modes (self, unknown);
  note_workload (self, first, direction);
  if (self->n_sizes == 0)
    return;
  note_size (self);
  note_cells (self);
  note_missing_ways (self);
}

/* --- one more kernel ------------------------------------------------------------------------------------------------------- */

/* One more kernel. */
typedef struct
{
  MemlaneBasis basis; /* NONE: cannot be told */
  MemlaneEstimate ns;
  const MemlaneFigure *shared;
} Slope;

static MemlaneEstimate
get (const MemlaneCell *cell, MemlanePhase phase)
{
  const MemlaneFigure *figure = memlane_cell_find (cell, phase, MEMLANE_CLOCK_DEVICE);

  return memlane_estimate_from_figure (figure != NULL ? figure : memlane_cell_find (cell, phase, MEMLANE_CLOCK_HOST));
}

/* From the lower end of @low to the upper end of @high. */
static MemlaneEstimate
span (const MemlaneEstimate *low, const MemlaneEstimate *high)
{
  return (MemlaneEstimate) { (low->value + MAX (high->value, low->value)) / 2, low->low, MAX (high->high, low->high) };
}

/* What a computed time may be off by, as a share of what was measured at r0, of the kernels that are added, and of those beyond what all
 * that add the same kernel are off by alike. Derived in decide.h. */
static const struct
{
  double measured, kernels, own;
} model_error[] = {
  [MEMLANE_WAY_PAGEABLE] = { 0.15, 0.30, 0.05 },
  [MEMLANE_WAY_PINNED] = { 0.15, 0.30, 0.05 },
  [MEMLANE_WAY_ZERO_COPY] = { 0.15, 0.30, 0.30 },
  [MEMLANE_WAY_MANAGED] = { 0.50, 0.50, 0.50 },
  [MEMLANE_WAY_STREAMS] = { 0.15, 0.20, 0.20 },
  [MEMLANE_WAY_RESIDENT] = { 0.15, 0.30, 0.30 },
};

G_STATIC_ASSERT (G_N_ELEMENTS (model_error) == MEMLANE_N_WAYS);

/* @measured and @kernels are what @p was computed from. */
static void
add_model_error (MemlaneForecast *p, MemlaneWay way, double measured, double kernels)
{
  double half = hypot (model_error[way].measured * measured, model_error[way].kernels * kernels);
  double own = hypot (model_error[way].measured * measured, model_error[way].own * kernels);
  const MemlaneEstimate error = { 0, -half, half }, own_error = { 0, -own, own };

  if (p->basis == MEMLANE_BASIS_BOUNDED) /* each end is off by so much; only the lower one of streams is as low as can be */
    p->ns = (MemlaneEstimate) { p->ns.value, way == MEMLANE_WAY_STREAMS ? p->ns.low : p->ns.low - half, p->ns.high + half };
  else
    p->ns = memlane_estimate_add (&p->ns, &error);
  p->fixed_ns = p->shared != NULL ? memlane_estimate_add (&p->fixed_ns, &own_error) : p->ns;
}

static MemlaneEstimate
one_kernel (const MemlaneCell *cell)
{
  MemlaneEstimate ns = get (cell, MEMLANE_PHASE_KERNEL);

  return memlane_estimate_scale (&ns, 1.0 / MAX (cell->reuse, 1));
}

/* The kernel on data in device memory, one launch of it: device-resident's, else a copying mode's. FALSE: the runs have none. */
static gboolean
get_warm_kernel (const MemlaneDecision *self, guint log2_elements, MemlaneEstimate *ns, const MemlaneFigure **figure)
{
  guint n;
  const MemlaneMode *modes = memlane_mode_list (&n);

  for (guint round = 0; round < 2; round++)
    for (guint i = 0; i < n; i++)
      {
        MemlaneWay way = modes[i].way;
        const GPtrArray *cells = get_cells (self, i, log2_elements);
        gboolean wanted = round == 0 ? way == MEMLANE_WAY_RESIDENT : way == MEMLANE_WAY_PINNED || way == MEMLANE_WAY_PAGEABLE;

        if (!wanted || cells == NULL)
          continue;
        *ns = one_kernel (cells->pdata[0]);
        *figure = memlane_cell_find (cells->pdata[0], MEMLANE_PHASE_KERNEL, MEMLANE_CLOCK_DEVICE);
        if (*figure != NULL && memlane_estimate_is_known (ns))
          return TRUE;
      }
  return FALSE;
}

/* A copy of the result to page-locked memory. */
static gboolean
get_result_copy (const MemlaneDecision *self, guint log2_elements, MemlaneEstimate *ns)
{
  guint n;
  const MemlaneMode *modes = memlane_mode_list (&n);

  for (guint i = 0; i < n; i++)
    {
      const GPtrArray *cells = get_cells (self, i, log2_elements);
      const MemlaneFigure *figure;

      if (cells == NULL || modes[i].way != MEMLANE_WAY_PINNED)
        continue;
      figure = memlane_cell_find (cells->pdata[0], MEMLANE_PHASE_DOWNLOAD, MEMLANE_CLOCK_DEVICE);
      *ns = memlane_estimate_from_figure (figure);
      if (memlane_estimate_is_known (ns))
        return TRUE;
    }
  return FALSE;
}

/* What the host pays at the least for a launch: half of what a single one costs it, for in a row they come cheaper. */
static double
get_least_launch (const MemlaneDecision *self, guint log2_elements)
{
  double least = INFINITY;

  for (guint i = 0; i < self->n_modes; i++)
    {
      const GPtrArray *cells = get_cells (self, i, log2_elements);
      const MemlaneCell *cell = cells != NULL ? cells->pdata[0] : NULL;
      MemlaneEstimate ns =
        memlane_estimate_from_figure (cell != NULL ? memlane_cell_find (cell, MEMLANE_PHASE_KERNEL, MEMLANE_CLOCK_ISSUE) : NULL);

      if (memlane_estimate_is_known (&ns))
        least = MIN (least, ns.low / MAX (cell->reuse, 1));
    }
  return isfinite (least) ? least / 2 : 0;
}

static Slope
get_stream_slope (const MemlaneDecision *self, const MemlaneCell *cell, const MemlaneEstimate *warm)
{
  Slope slope = { .basis = MEMLANE_BASIS_BOUNDED };
  guint chunks = MAX (cell->chunks, 1), smaller = (guint) lround (log2 (chunks));
  double launches = chunks * get_least_launch (self, cell->log2_elements);
  const MemlaneEstimate least = { MAX (warm->value, launches), MAX (warm->low, launches), MAX (warm->high, launches) };
  MemlaneEstimate of_chunk;
  const MemlaneFigure *figure;

  if (cell->log2_elements < smaller || !get_warm_kernel (self, cell->log2_elements - smaller, &of_chunk, &figure))
    of_chunk = *warm; /* a kernel for a chunk takes no longer than one for all */
  of_chunk = memlane_estimate_scale (&of_chunk, chunks);
  slope.ns = span (&least, &of_chunk);
  return slope;
}

static Slope
get_slope (const MemlaneDecision *self, const MemlaneMode *mode, const MemlaneCell *cell)
{
  MemlaneEstimate own = one_kernel (cell), warm, copy;
  Slope slope = { .basis = MEMLANE_BASIS_NONE };
  const MemlaneFigure *figure;
  gboolean has_warm = get_warm_kernel (self, cell->log2_elements, &warm, &figure);
  gboolean has_own = memlane_estimate_is_known (&own);

  switch (mode->way)
    {
    case MEMLANE_WAY_ZERO_COPY:
    case MEMLANE_WAY_RESIDENT:
      if (has_own)
        slope = (Slope) { MEMLANE_BASIS_KERNEL, own, NULL };
      return slope;
    case MEMLANE_WAY_PAGEABLE:
    case MEMLANE_WAY_PINNED:
      if (has_warm)
        slope = (Slope) { MEMLANE_BASIS_RESIDENT, warm, figure };
      else if (has_own)
        slope = (Slope) { MEMLANE_BASIS_KERNEL, own, NULL };
      return slope;
    case MEMLANE_WAY_STREAMS:
      return has_warm ? get_stream_slope (self, cell, &warm) : slope;
    case MEMLANE_WAY_MANAGED:
    case MEMLANE_N_WAYS:
    default:
      break;
    }
  if (!has_warm)
    return slope;
  if (mode->input_memory == MEMLANE_HOST_PAGEABLE) /* system */
    {
      if (has_own)
        slope = (Slope) { MEMLANE_BASIS_BOUNDED, span (&warm, &own), NULL };
    }
  else if (mode->result_stays_on_host)
    {
      if (get_result_copy (self, cell->log2_elements, &copy))
        slope = copy.value > warm.value ? (Slope) { MEMLANE_BASIS_KERNEL, copy, NULL } : (Slope) { MEMLANE_BASIS_RESIDENT, warm, figure };
      else if (has_own)
        slope = (Slope) { MEMLANE_BASIS_BOUNDED, span (&warm, &own), NULL };
    }
  else
    slope = (Slope) { MEMLANE_BASIS_RESIDENT, warm, figure };
  return slope;
}

/* --- reuse ------------------------------------------------------------------------------------------------------------------ */

static MemlaneEstimate
elapsed (const MemlaneCell *cell)
{
  return memlane_estimate_from_figure (memlane_cell_find (cell, MEMLANE_PHASE_ELAPSED, MEMLANE_CLOCK_HOST));
}

/* Both ways, without the direction. */
static void
predict_reuse (const MemlaneDecision *self, const MemlaneMode *mode, const GPtrArray *cells, guint reuse, MemlaneForecast *p)
{
  const MemlaneCell *below = NULL, *above = NULL, *nearest;
  MemlaneEstimate a, b;
  Slope slope;

  for (guint i = 0; i < cells->len; i++)
    {
      const MemlaneCell *cell = cells->pdata[i];

      if (cell->reuse <= reuse)
        below = cell;
      else if (above == NULL)
        above = cell;
    }
  nearest = below != NULL ? below : above;
  p->r0 = nearest->reuse;
  p->noisy = memlane_cell_find (nearest, MEMLANE_PHASE_ELAPSED, MEMLANE_CLOCK_HOST)->status == MEMLANE_STATUS_NOISY;
  a = elapsed (nearest);
  p->ns = p->fixed_ns = a;
  p->basis = MEMLANE_BASIS_MEASURED;
  if (nearest->reuse == reuse)
    return;
  if (!self->has_reuse)
    {
      p->basis = MEMLANE_BASIS_NONE;
      return;
    }
  if (below != NULL && above != NULL)
    {
      double part = (double) (reuse - below->reuse) / (above->reuse - below->reuse);

      a = memlane_estimate_scale (&a, 1 - part);
      b = elapsed (above);
      b = memlane_estimate_scale (&b, part);
      p->ns = p->fixed_ns = memlane_estimate_add (&a, &b);
      p->basis = MEMLANE_BASIS_BETWEEN;
      return;
    }
  slope = get_slope (self, mode, nearest);
  p->basis = slope.basis;
  p->shared = slope.shared;
  if (slope.basis == MEMLANE_BASIS_NONE)
    return;
  b = memlane_estimate_scale (&slope.ns, fabs ((double) reuse - nearest->reuse));
  if (slope.basis == MEMLANE_BASIS_BOUNDED && reuse > nearest->reuse)
    /* A range is not an error: its ends add as they are. What hides behind the copies is not added at all. */
    p->ns = (MemlaneEstimate) { a.value + b.value, mode->way == MEMLANE_WAY_STREAMS ? MAX (a.low, b.low) : a.low + b.low,
                                a.high + b.high };
  else
    p->ns = reuse > nearest->reuse ? memlane_estimate_add (&a, &b) : memlane_estimate_subtract (&a, &b);
  add_model_error (p, mode->way, a.value, b.value);
}

/* --- direction ---------------------------------------------------------------------------------------------------------------- */

/* The range from @whole less the @share of @part to all of it. */
static MemlaneEstimate
shrink (const MemlaneEstimate *whole, const MemlaneEstimate *part, double share)
{
  double low = whole->low - share * part->low;

  return (MemlaneEstimate) { whole->value - share / 2 * part->value, MIN (low, whole->value - share / 2 * part->value), whole->high };
}

static void
leave_away (const MemlaneDecision *self, const MemlaneMode *mode, const MemlaneCell *cell, MemlaneForecast *p)
{
  guint vectors = ((const Decision *) self)->vectors;
  gboolean to_device = self->direction == MEMLANE_DIRECTION_TO_DEVICE;
  double share = (to_device ? 1.0 : vectors - 1.0) / vectors;
  MemlaneWay way = mode->way;
  MemlaneEstimate part = get (cell, to_device ? MEMLANE_PHASE_DOWNLOAD : MEMLANE_PHASE_UPLOAD), base = elapsed (cell);

  if (way == MEMLANE_WAY_RESIDENT)
    return;
  if (memlane_estimate_is_known (&part))
    {
      p->ns = memlane_estimate_subtract (&p->ns, &part);
      p->fixed_ns = memlane_estimate_subtract (&p->fixed_ns, &part);
      return;
    }
  p->basis = MEMLANE_BASIS_BOUNDED;
  if (way == MEMLANE_WAY_MANAGED && !to_device)
    {
      const MemlaneFigure *figure;
      MemlaneEstimate own = get (cell, MEMLANE_PHASE_KERNEL), warm;

      /* The faults of the first kernel are those of the inputs and of the result; only the inputs' stay away. */
      if (memlane_estimate_is_known (&own) && get_warm_kernel (self, cell->log2_elements, &warm, &figure) && own.value > warm.value)
        base = memlane_estimate_subtract (&own, &warm);
      share = 1;
    }
  else if (way == MEMLANE_WAY_ZERO_COPY)
    base = p->ns; /* each kernel's accesses, not only the first one's */
  p->ns = shrink (&p->ns, &base, share);
  p->fixed_ns = p->shared != NULL ? shrink (&p->fixed_ns, &base, share) : p->ns;
}

gboolean
memlane_decision_forecast (const MemlaneDecision *self, guint mode, guint log2_elements, guint reuse, MemlaneForecast *prediction)
{
  guint n;
  const MemlaneMode *modes = memlane_mode_list (&n);
  const GPtrArray *cells = get_cells (self, mode, log2_elements);

  *prediction = (MemlaneForecast) { .basis = MEMLANE_BASIS_NONE, .ns = MEMLANE_ESTIMATE_UNKNOWN, .fixed_ns = MEMLANE_ESTIMATE_UNKNOWN };
  if (cells == NULL || reuse == 0)
    return FALSE;
  predict_reuse (self, &modes[mode], cells, reuse, prediction);
  if (prediction->basis != MEMLANE_BASIS_NONE && self->direction != MEMLANE_DIRECTION_BOTH)
    leave_away (self, &modes[mode], cells->pdata[0], prediction);
  if (!memlane_estimate_is_known (&prediction->ns) || !(prediction->ns.value > 0))
    prediction->basis = MEMLANE_BASIS_NONE;
  if (prediction->basis == MEMLANE_BASIS_NONE)
    {
      prediction->ns = prediction->fixed_ns = MEMLANE_ESTIMATE_UNKNOWN;
      prediction->shared = NULL;
      return FALSE;
    }
  prediction->ns.low = MAX (prediction->ns.low, 0);
  return TRUE;
}

/* Whether two predictions of the same size and reuse cannot be told apart. */
static gboolean
is_tie (const MemlaneForecast *a, const MemlaneForecast *b)
{
  if (a->shared != NULL && a->shared == b->shared && a->r0 == b->r0)
    return memlane_estimate_overlaps (&a->fixed_ns, &b->fixed_ns);
  return memlane_estimate_overlaps (&a->ns, &b->ns);
}

/* --- the map ---------------------------------------------------------------------------------------------------------------- */

guint
memlane_decide_reuse (guint index)
{
  return 1u << MIN (index, 31);
}

/* Predicts each mode in the contest to @p, and fills winner, runner-up and their number. Returns: bit i: mode i has a prediction. */
static guint32
rank_modes (const MemlaneDecision *self, guint log2_elements, guint reuse, MemlaneForecast *p, MemlaneChoice *verdict)
{
  guint n;
  const MemlaneMode *modes = memlane_mode_list (&n);
  guint32 known = 0;

  for (guint i = 0; i < n; i++)
    {
      if (modes[i].way == MEMLANE_WAY_RESIDENT || !memlane_decision_forecast (self, i, log2_elements, reuse, &p[i]))
        continue;
      known |= 1u << i;
      verdict->n_predicted++;
      if (verdict->winner < 0 || p[i].ns.value < p[verdict->winner].ns.value)
        {
          verdict->runner_up = verdict->winner;
          verdict->winner = (int) i;
        }
      else if (verdict->runner_up < 0 || p[i].ns.value < p[verdict->runner_up].ns.value)
        verdict->runner_up = (int) i;
    }
  return known;
}

gboolean
memlane_decision_judge (const MemlaneDecision *self, guint log2_elements, guint reuse, MemlaneChoice *verdict)
{
  guint n;
  const MemlaneMode *modes = memlane_mode_list (&n);
  MemlaneForecast p[32] = { 0 };
  guint32 known;

  *verdict = (MemlaneChoice) { .winner = -1, .runner_up = -1, .rival = -1, .choice = -1, .margin = NAN, .rival_margin = NAN };
  known = rank_modes (self, log2_elements, reuse, p, verdict);
  if (verdict->winner < 0)
    return FALSE;
  for (guint i = 0; i < n; i++)
    {
      const MemlaneForecast *best = &p[verdict->winner];
      gboolean same_way = modes[i].way == modes[verdict->winner].way;

      if ((known >> i & 1) == 0)
        continue;
      if ((int) i == verdict->winner || is_tie (best, &p[i]))
        {
          verdict->ties |= 1u << i;
          if (same_way && verdict->choice < 0)
            verdict->choice = (int) i;
          verdict->way_uncertain = verdict->way_uncertain || !same_way;
        }
      if (!same_way && (verdict->rival < 0 || p[i].ns.value < p[verdict->rival].ns.value))
        verdict->rival = (int) i;
    }
  if (verdict->runner_up >= 0)
    {
      verdict->margin = p[verdict->runner_up].ns.value / p[verdict->winner].ns.value - 1;
      verdict->uncertain = (verdict->ties & (verdict->ties - 1)) != 0;
    }
  if (verdict->rival >= 0)
    verdict->rival_margin = p[verdict->rival].ns.value / p[verdict->winner].ns.value - 1;
  return TRUE;
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
  Decision *decision;
  MemlaneDecision *self;

  g_return_val_if_fail (runs != NULL && runs->len > 0, NULL);
  decision = g_new0 (Decision, 1);
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
  cells = ((Decision *) self)->cells;
  for (guint i = 0; i < self->n_modes * MOST_LOG2; i++)
    g_clear_pointer (&cells[i], g_ptr_array_unref);
  g_free (cells);
  memlane_run_unref (self->run);
  g_ptr_array_unref (self->notes);
  g_free (self->workload);
  g_free (self->map);
  g_free (self);
}

/* --- as CSV ----------------------------------------------------------------------------------------------------------------- */

#define COLUMNS \
  "device,device_kind,workload,direction,log2_elements,elements,bytes,reuse,mode,way," \
  "predicted_ns,ci95_low_ns,ci95_high_ns,basis,rank,tied\n"

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
          g_string_append (text, ",\n");
          continue;
        }
      for (guint j = 0; j < n; j++)
        rank += p[j].basis != MEMLANE_BASIS_NONE && modes[j].way != MEMLANE_WAY_RESIDENT
                && (p[j].ns.value < p[i].ns.value || (p[j].ns.value == p[i].ns.value && j < i));
      g_string_append_printf (text, "%u,%u\n", rank, verdict->ties >> i & 1);
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
