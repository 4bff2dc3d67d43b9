/* decide.c: which cells count, what they say of a mode at any size and reuse, by measurement or by
 * one rule, and which mode wins
 *
 * SPDX-License-Identifier: MIT
 */
#include "decide.h"

#include <stdlib.h>
#include <string.h>

#include "base/each.h"
#include "base/hash.h"
#include "base/i18n.h"
#include "base/owns.h"
#include "base/save.h"
#include "base/size.h"
#include "base/strict-text.h"
#include "base/words.h"
#include "control.h"
#include "measure/plan.h"
#include "mode/workload.h"
#include "result/environment.h"
#include "result/statistics.h"
#include "same-machine.h"

/* --- words ------------------------------------------------------------------------------------ */

static MEMLANE_DEFINE_NAMES (way_title, MemlaneWay, MEMLANE_N_WAYS, N_("pageable"),
                             N_("page-locked"), N_("zero-copy"), N_("managed"),
                             N_("overlapped"), N_("device-resident"))

/* The CSV has these words. */
static const char *const way_names[] = { "pageable", "pinned",  "zero-copy",
                                         "managed",  "streams", "resident" };
static const char *const basis_names[] = { "none", "measured", "between", "computed", "bounded" };
G_STATIC_ASSERT (G_N_ELEMENTS (way_names) == MEMLANE_N_WAYS
                 && G_N_ELEMENTS (basis_names) == MEMLANE_N_BASES);

/* --- evidence --------------------------------------------------------------------------------- */

const GPtrArray *
memlane_decision_get_points (const MemlaneDecision *self, guint mode, double log2_elements)
{
  guint size = 0;

  while (size < self->n_sizes && self->sizes[size] != log2_elements)
    size++;
  if (mode >= self->n_modes || size == self->n_sizes)
    return NULL;
  return self->parts->points[mode * MEMLANE_DECIDE_SIZES + size];
}

static int
find_mode (const MemlaneDecision *self, const char *id)
{
  const MemlaneMode *mode = memlane_mode_find (id);

  return mode != NULL ? (int) (mode - self->modes) : -1;
}

/* A note of @self, and its facts. */
#define note(self, format, ...)                                                                    \
  memlane_answer_say ((self)->notes, MEMLANE_ANSWER_TROUBLE, (format), __VA_ARGS__)
#define COUNT(n) MEMLANE_FACT_COUNT, MEMLANE_FACT_IS (n)

/* --- runs ------------------------------------------------------------------------------------- */

#define MOST_NAMED 3 /* runs in one note */

/* (transfer full): differences that a person can read, two of them from the one numbered @first on.
 * Ids tell nobody anything, and numbers of pieces are what the map is of. */
static GPtrArray *
list_differences (const MemlaneDecision *self, const GPtrArray *differences, guint first)
{
  static const char *const ids[] = { "chunks", "reuse", "background", "busy multiprocessors",
                                     "UUID of the device", "calibrated from", "commit", "boot",
                                     NULL };
  GPtrArray *list = g_ptr_array_new_with_free_func ((GDestroyNotify) g_strfreev);

  for (guint i = first; i < differences->len && list->len < 2; i++)
    if (!g_strv_contains (ids + (self->pieces == 0), *(char **) differences->pdata[i]))
      g_ptr_array_add (list, g_strdupv (differences->pdata[i]));
  return list;
}

/* Names runs that are left out for one reason, and what the first of them differs in. */
static void
note_left_out (MemlaneDecision *self, const MemlaneRun *first, const GPtrArray *left,
               const char *format)
{
  g_autoptr (MemlaneMachineComparison) comparison =
      left->len > 0 ? memlane_machine_compare (first, left->pdata[0]) : NULL;
  g_autoptr (GPtrArray) differences = NULL;
  g_autoptr (GString) names = g_string_new (NULL);

  if (comparison == NULL)
    return;
  differences = list_differences (self, comparison->differences, comparison->n_method);
  for (guint i = 0; i < MIN (left->len, MOST_NAMED); i++)
    g_string_append_printf (names, "%s%s", i > 0 ? ", " : "",
                            ((const MemlaneRun *) left->pdata[i])->id);
  if (left->len > MOST_NAMED)
    g_string_append (names, ", ...");
  note (self, format, { "runs", MEMLANE_FACT_TEXT, names->str },
        { "first", MEMLANE_FACT_TEXT, first->id },
        { "differences", differences->len > 0 ? MEMLANE_FACT_LIST : MEMLANE_FACT_TEXT, "UUID",
          .list = differences });
}

/* That @run was measured in another way than @first: reuse alone is what runs are put together
 * for. */
static void
note_method (MemlaneDecision *self, const MemlaneRun *first, const MemlaneRun *run,
             const GPtrArray *differences)
{
  g_autoptr (GPtrArray) ways = list_differences (self, differences, 0);

  if (ways->len > 0)
    note (self, N_("{run} was measured in another way than {first}: {ways}."),
          { "run", MEMLANE_FACT_TEXT, run->id }, { "first", MEMLANE_FACT_TEXT, first->id },
          { "ways", MEMLANE_FACT_LIST, .list = ways });
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
  g_ptr_array_extend_and_steal (self->notes, g_steal_pointer (&answers));
}

/* The first cell of @cell's mode at any size; NULL: none yet. Times of other streams or chunks are
 * those of another mode. */
static const MemlaneCell *
find_alike (const MemlaneDecision *self, const MemlaneCell *cell)
{
  MEMLANE_FOR_EACH (const MemlaneCell, other, self->run->cells)
    if (strcmp (other->mode, cell->mode) == 0)
      return other;
  return NULL;
}

static MemlanePoint *
find_point (const MemlaneDecision *self, const MemlaneCell *cell)
{
  const GPtrArray *points = memlane_decision_get_points (self, (guint) find_mode (self, cell->mode),
                                                         cell->log2_elements);

  if (points != NULL)
    MEMLANE_FOR_EACH (MemlanePoint, point, points)
      if (point->cell->reuse == cell->reuse)
        return point;
  return NULL;
}

MEMLANE_DEFINE_ORDER_OF_POINTERS (compare_reuse, MemlanePoint, RISING (cell->reuse))

/* Returns: the place of @log2_elements in the sizes, which has one from now on. */
static guint
place_size (MemlaneDecision *self, double log2_elements)
{
  guint size = 0, behind;

  while (size < self->n_sizes && self->sizes[size] < log2_elements)
    size++;
  if (size < self->n_sizes && self->sizes[size] == log2_elements)
    return size;
  behind = self->n_sizes++ - size;
  memmove (&self->sizes[size + 1], &self->sizes[size], behind * sizeof *self->sizes);
  self->sizes[size] = log2_elements;
  for (guint mode = 0; mode < self->n_modes; mode++)
    {
      GPtrArray **at = &self->parts->points[mode * MEMLANE_DECIDE_SIZES + size];

      memmove (at + 1, at, behind * sizeof *at);
      *at = NULL;
    }
  return size;
}

static void
add_point (MemlaneDecision *self, const MemlaneCell *cell, guint run, const MemlaneCost *cost)
{
  guint mode = (guint) find_mode (self, cell->mode);
  GPtrArray **points =
      &self->parts->points[mode * MEMLANE_DECIDE_SIZES + place_size (self, cell->log2_elements)];
  MemlanePoint *point = g_new (MemlanePoint, 1);

  *point = (MemlanePoint) { cell, run, *cost };
  if (*points == NULL)
    *points = g_ptr_array_new_with_free_func (g_free);
  g_ptr_array_add (*points, point);
  g_ptr_array_sort (*points, compare_reuse);
  self->present |= G_GUINT64_CONSTANT (1) << mode;
}

/* Puts the rounds of @more after the first @offset ones of @point. Both are one place of one
 * machine. Without rounds the first counts. */
static void
merge_rounds (MemlanePoint *point, const MemlaneCost *more, guint offset)
{
  if (point->cost.n_rounds == 0 || more->n_rounds == 0
      || offset + more->n_rounds > MEMLANE_MOST_ROUNDS)
    return;
  for (guint i = point->cost.n_rounds; i < offset; i++)
    point->cost.rounds[i] = NAN;
  memcpy (&point->cost.rounds[offset], more->rounds, more->n_rounds * sizeof *more->rounds);
  point->cost.n_rounds = offset + more->n_rounds;
  memlane_cost_find_middle (&point->cost);
}

/* Takes the cells of the workload. Rounds of several runs at one place come together, behind the
 * @offset ones of the runs before. Returns: the most rounds of a cell. */
static guint
choose_cells (MemlaneDecision *self, const MemlaneRun *run, guint number, guint offset,
              GHashTable *unknown)
{
  guint most = 0;

  MEMLANE_FOR_EACH (MemlaneCell, cell, run->cells)
    {
      const MemlaneCell *alike = cell->chunks > 0 ? find_alike (self, cell) : NULL;
      MemlanePoint *point;
      MemlaneCost cost;

      if (strcmp (cell->workload, self->workload) != 0)
        continue;
      if (find_mode (self, cell->mode) < 0 || self->n_sizes == MEMLANE_DECIDE_SIZES)
        {
          g_hash_table_add (unknown, g_strdup (cell->mode));
          continue;
        }
      if (self->pieces > 0 && cell->chunks != self->pieces)
        continue;
      if (self->background == NULL)
        self->background = memlane_cell_ref (cell);
      if (!memlane_cell_has_background_of (self->background, cell))
        continue;
      if (alike != NULL && (alike->streams != cell->streams || alike->chunks != cell->chunks))
        {
          self->parts->n_unlike++;
          continue;
        }
      point = find_point (self, cell);
      if (point == NULL)
        g_ptr_array_add (self->run->cells, memlane_cell_ref (cell));
      if (!memlane_cost_compute (run, cell, self->count, self->uses, self->direction,
                                 self->parts->vectors, &cost))
        continue;
      if (point == NULL)
        add_point (self, cell, number, &cost);
      else
        merge_rounds (point, &cost, offset);
      most = MAX (most, cost.n_rounds);
    }
  return most;
}

static const char *
choose_workload (const MemlaneRun *run, const char *asked)
{
  const char *usual = memlane_method_usual ().workload->id;

  if (asked != NULL)
    return asked;
  MEMLANE_FOR_EACH (const MemlaneCell, cell, run->cells)
    if (strcmp (cell->workload, usual) == 0)
      return usual;
  return run->cells->len > 0 ? ((const MemlaneCell *) run->cells->pdata[0])->workload : usual;
}

/* --- measured terms --------------------------------------------------------------------------- */

#define IN_A_ROW 16 /* kernels; below that what comes before and after the row is too much of it */

/* The error of the added kernel, as a share: known in a row, or from one alone (decide.h). */
static const double kernel_shares[] = { 0.15, 0.30 };
/* The error of parts that are not repeated, as a share: pages that fault differ from process to
 * process. */
#define TRANSFER_SHARE 0.15
#define FAULT_SHARE 0.40
/* A kernel over the link that was measured alone has read what the host had just written. In a row
 * it takes so much of that, give or take.
 * */
#define LINK_IN_A_ROW 0.80
#define LINK_SHARE 0.35

/* The median of what a launch takes on the host at the greatest reuse, where launches come at their
 * own pace. Without a row: the run's floor, else the least of single ones, since a launch after a
 * long copy is slow. */
static void
find_launch (const MemlaneDecision *self)
{
  MemlaneDecisionParts *parts = self->parts;
  guint most = 0;
  g_autoptr (GArray) launches = g_array_new (FALSE, FALSE, sizeof (double));

  for (guint i = 0; i < self->n_modes * MEMLANE_DECIDE_SIZES; i++)
    {
      const GPtrArray *points = parts->points[i];
      MemlaneWay way = self->modes[i / MEMLANE_DECIDE_SIZES].way;

      /* a launch that waits for pages is none in a row */
      if (points == NULL || way == MEMLANE_WAY_MANAGED || way == MEMLANE_WAY_STREAMS)
        continue;
      MEMLANE_FOR_EACH (const MemlanePoint, point, points)
        {
          const MemlaneCell *cell = point->cell;
          MemlaneEstimate ns = memlane_estimate_of (cell, MEMLANE_PHASE_KERNEL,
                                                    MEMLANE_CLOCK_ISSUE);
          double launch = ns.value / MAX (cell->reuse, 1);

          if (!memlane_estimate_is_known (&ns) || cell->reuse < most)
            continue;
          if (cell->reuse > most)
            g_array_set_size (launches, 0);
          most = cell->reuse;
          g_array_append_val (launches, launch);
        }
    }
  if (launches->len > 0)
    {
      qsort (launches->data, launches->len, sizeof (double), memlane_compare_doubles);
      parts->launch_ns = g_array_index (launches, double, most < IN_A_ROW ? 0 : launches->len / 2);
    }
  if (most < IN_A_ROW && parts->floors.launch_ns > 0)
    parts->launch_ns = parts->floors.launch_ns;
}

/* One kernel among others, at the greatest reuse. FALSE: the mode has none. *@single: known from
 * one alone. */
static gboolean
get_kernel (const MemlaneDecision *self, guint mode, double log2_elements, double *ns,
            gboolean *single)
{
  const MemlaneDecisionParts *parts = self->parts;
  const GPtrArray *points = memlane_decision_get_points (self, mode, log2_elements);

  for (guint i = points != NULL ? points->len : 0; i-- > 0;)
    {
      const MemlaneCell *cell = ((const MemlanePoint *) points->pdata[i])->cell;
      MemlaneEstimate kernel = memlane_estimate_of (cell, MEMLANE_PHASE_KERNEL,
                                                    MEMLANE_CLOCK_DEVICE);

      if (!memlane_estimate_is_known (&kernel))
        kernel = memlane_estimate_of (cell, MEMLANE_PHASE_KERNEL, MEMLANE_CLOCK_HOST);
      if (!memlane_estimate_is_known (&kernel))
        continue;
      *single = cell->reuse < IN_A_ROW;
      *ns = kernel.value > parts->floors.event_pair_ns ? kernel.value - parts->floors.event_pair_ns
                                                       : kernel.value;
      *ns /= MAX (cell->reuse, 1);
      return TRUE;
    }
  return FALSE;
}

/* The kernel on data in device memory: the baseline's, else a copying mode's; in a row by the run's
 * floor where it was measured alone. FALSE: the runs have none. */
static gboolean
get_warm_kernel (const MemlaneDecision *self, double log2_elements, double *ns, gboolean *single)
{
  const MemlaneDecisionParts *parts = self->parts;
  gboolean found = FALSE;

  for (guint pass = 0; pass < 2 && !found; pass++)
    for (guint i = 0; i < self->n_modes && !found; i++)
      if (pass == 0 ? self->modes[i].way == MEMLANE_WAY_RESIDENT
                    : self->modes[i].way == MEMLANE_WAY_PINNED
                          || self->modes[i].way == MEMLANE_WAY_PAGEABLE)
        found = get_kernel (self, i, log2_elements, ns, single);
  if (found && *single && parts->vectors == 3)
    {
      double floor = memlane_floors_get_in_a_row (&parts->floors, exp2 (log2_elements));

      *single = !(floor > 0);
      *ns = floor > 0 ? floor : *ns;
    }
  return found;
}

/* --- one more use ----------------------------------------------------------------------------- */

typedef struct
{
  double ns;            /* what each further use adds */
  double kernel_ns;     /* the same where the host has issued it before */
  double ahead;         /* ns: for how long the host issues while the inputs are on their way */
  double share;         /* of @ns: what it may be off by */
  double fault_share;   /* of what is not repeated: what this mode alone may be off by */
  gconstpointer kernel; /* whose it is */
  gboolean is_known;
} Use;

/* The device's work that is left when the host has issued it: copies, a kernel that waits for
 * pages, or all of a stream mode's sample. */
static double
get_ahead (const MemlaneCell *cell, MemlaneWay way)
{
  gboolean whole = cell->chunks > 0;
  MemlanePhase phase = whole                        ? MEMLANE_PHASE_ELAPSED
                       : way == MEMLANE_WAY_MANAGED ? MEMLANE_PHASE_KERNEL
                                                    : MEMLANE_PHASE_UPLOAD;
  MemlaneEstimate issue = memlane_estimate_of (cell, phase, MEMLANE_CLOCK_ISSUE);
  MemlaneEstimate ns = memlane_estimate_of (cell, phase,
                                            whole ? MEMLANE_CLOCK_HOST : MEMLANE_CLOCK_DEVICE);

  return memlane_estimate_is_known (&issue) && memlane_estimate_is_known (&ns)
             ? MAX (ns.value - issue.value, 0)
             : 0;
}

static Use
get_use (const MemlaneDecision *self, guint mode, const MemlanePoint *point)
{
  const MemlaneDecisionParts *parts = self->parts;
  const double log2_elements = point->cell->log2_elements;
  const MemlaneMode *row = &self->modes[mode];
  double warm = 0, own = 0, launches = MAX (point->cell->chunks, 1) * parts->launch_ns;
  gboolean single = FALSE, own_single = FALSE,
           has_warm = get_warm_kernel (self, log2_elements, &warm, &single);
  gboolean has_own = get_kernel (self, mode, log2_elements, &own, &own_single);
  Use use = { .fault_share = row->way == MEMLANE_WAY_MANAGED ? FAULT_SHARE : 0 };

  if (row->way == MEMLANE_WAY_ZERO_COPY || row->way == MEMLANE_WAY_RESIDENT)
    {
      use.is_known = has_own;
      use.ns = own * point->cost.left
               * (own_single && row->way == MEMLANE_WAY_ZERO_COPY ? LINK_IN_A_ROW : 1);
      use.share = hypot (
          own_single && row->way == MEMLANE_WAY_ZERO_COPY ? LINK_SHARE : kernel_shares[own_single],
          point->cost.spread);
      /* all that go over the link go the same way from alone to a row */
      use.kernel = own_single ? (gconstpointer) self->map : point->cell;
    }
  else
    {
      /* If pages may stay on the host, no kernel tells what the next one takes. */
      use.is_known = has_warm
                     && !(row->way == MEMLANE_WAY_MANAGED
                          && (row->input_memory == MEMLANE_HOST_PAGEABLE
                              || row->result_stays_on_host));
      use.ns = warm;
      use.share = kernel_shares[single];
      use.kernel = self->sizes; /* one for all that have their data in device memory */
    }
  use.kernel_ns = use.ns;
  if (use.ns > launches)
    return use;
  if (self->direction != MEMLANE_DIRECTION_TO_HOST || point->cost.left < 1)
    use.ahead = point->cost.left * get_ahead (point->cell, row->way);
  use.ns = launches; /* each kernel waits for its launch, wherever its data is */
  use.share = kernel_shares[0];
  use.kernel = point->cell->chunks > 1 ? (gconstpointer) point->cell : &parts->launch_ns;
  return use;
}

/* Returns the time of @n further uses. Launches that were issued while the inputs are on their way
 * cost nothing. */
static double
add_uses (const Use *use, double n)
{
  return MAX (n * use->kernel_ns, n * use->ns - use->ahead);
}

/* The part of a sample that is neither repeated with each use nor the host's own. */
static double
get_transfers (const MemlanePoint *point, double use_ns)
{
  double elapsed =
      memlane_cell_find (point->cell, MEMLANE_PHASE_ELAPSED, MEMLANE_CLOCK_HOST)->statistics.median;

  return MAX (MIN (elapsed, point->cost.ns.value) - point->cell->reuse * use_ns, 0);
}

/* --- forecasts -------------------------------------------------------------------------------- */

/* On the rule's line through both, else on the straight one. Either end foretells what lies
 * between, the nearer one better. */
static void
interpolate (const MemlanePoint *below, const MemlanePoint *above, guint reuse, const Use *use,
             MemlaneForecast *p)
{
  double n = reuse - below->cell->reuse, all = above->cell->reuse - below->cell->reuse, whole,
         share;

  share = use->is_known && add_uses (use, all) > 0 ? add_uses (use, n) / add_uses (use, all)
                                                   : n / all;
  whole = above->cost.ns.value - below->cost.ns.value;
  p->basis = MAX (p->basis, MEMLANE_BASIS_BETWEEN);
  p->r1 = above->cell->reuse;
  p->from[1] = above;
  p->share = share;
  p->ns.value += share * whole;
  p->sampled[0] = hypot ((1 - share) * p->sampled[0],
                         share * (above->cost.ns.value - above->cost.ns.low));
  p->sampled[1] = hypot ((1 - share) * p->sampled[1],
                         share * (above->cost.ns.high - above->cost.ns.value));
  p->error = hypot (p->error, kernel_shares[1] * share * (1 - share) * fabs (whole));
  p->kernel = use->is_known ? use->kernel : NULL;
}

gboolean
memlane_decision_forecast (const MemlaneDecision *self, guint mode, double log2_elements,
                           guint reuse, MemlaneForecast *prediction)
{
  const GPtrArray *points = memlane_decision_get_points (self, mode, log2_elements);
  const MemlanePoint *below = NULL, *above = NULL;
  MemlaneForecast p;
  double error;
  Use use;

  *prediction = (MemlaneForecast) { .basis = MEMLANE_BASIS_NONE, .ns = MEMLANE_ESTIMATE_UNKNOWN };
  if (points == NULL || reuse == 0 || reuse > MEMLANE_DECIDE_MOST_REUSE)
    return FALSE;
  MEMLANE_FOR_EACH (const MemlanePoint, point, points)
    if (point->cell->reuse <= reuse)
      below = point;
    else if (above == NULL)
      above = point;
  if (below == NULL)
    return FALSE;
  p = (MemlaneForecast) {
    .basis = below->cost.loose > 0 ? MEMLANE_BASIS_BOUNDED : MEMLANE_BASIS_MEASURED,
    .ns = below->cost.ns,
    .r0 = below->cell->reuse,
    .noisy = memlane_cell_find (below->cell, MEMLANE_PHASE_ELAPSED, MEMLANE_CLOCK_HOST)->status
             == MEMLANE_STATUS_NOISY,
    .sampled = { below->cost.ns.value - below->cost.ns.low,
                 below->cost.ns.high - below->cost.ns.value },
    .error = below->cost.loose,
    .from = { below },
  };
  if (below->cell->reuse < reuse)
    {
      use = get_use (self, mode, below);
      if (!self->has_reuse || (above == NULL && !use.is_known))
        return FALSE;
      if (above != NULL)
        interpolate (below, above, reuse, &use, &p);
      else
        {
          p.basis = MAX (p.basis, MEMLANE_BASIS_COMPUTED);
          p.added = add_uses (&use, reuse - p.r0);
          p.error = hypot (
              p.error, hypot (use.share * p.added, TRANSFER_SHARE * get_transfers (below, use.ns)));
          p.own = use.fault_share
                  * hypot (get_transfers (below, use.ns), (reuse - p.r0) * use.ns - p.added);
          p.ns.value += p.added;
          p.kernel = use.kernel;
        }
    }
  error = hypot (p.error, p.own);
  p.ns.low = p.ns.value - hypot (p.sampled[0], error);
  p.ns.high = p.ns.value + hypot (p.sampled[1], error);
  if (!memlane_estimate_is_known (&p.ns) || !(p.ns.value > 0))
    return FALSE;
  p.ns.low = MAX (p.ns.low, 0);
  *prediction = p;
  return TRUE;
}

/* The ratio of two modes changes from sweep to sweep by more than its rounds tell, since one
 * follows the host more than the other. How many intervals hold the other sweeps' ratio with it and
 * without: tests/gpu/judge --figures. */
#define RATIO_BETWEEN_SWEEPS 0.05

/* --- comparison ------------------------------------------------------------------------------- */

/* @p in one round, from 1. NAN: it was not measured there. */
static double
get_round (const MemlaneForecast *p, guint round)
{
  const MemlanePoint *first = p->from[0], *next = p->from[1];
  double ns = round <= first->cost.n_rounds ? first->cost.rounds[round - 1] : NAN;

  if (next != NULL)
    ns = (1 - p->share) * ns
         + p->share * (round <= next->cost.n_rounds ? next->cost.rounds[round - 1] : NAN);
  return ns + p->added;
}

/* The ratios of the rounds that both have; how many there are. Rounds of different runs are no
 * pairs. */
static guint
pair_rounds (const MemlaneForecast *a, const MemlaneForecast *b, double *ratios)
{
  guint n = 0;

  for (guint i = 0; i < G_N_ELEMENTS (a->from); i++)
    {
      const MemlanePoint *one = a->from[i], *other = b->from[i];

      if ((one == NULL) != (other == NULL) || (one != NULL && one->run != other->run))
        return 0;
    }
  for (guint round = 1; round <= MEMLANE_MOST_ROUNDS; round++)
    {
      double x = get_round (a, round), y = get_round (b, round);

      if (x > 0 && y > 0)
        ratios[n++] = x / y;
    }
  return n;
}

/* The distance of @by from @value in logarithms; an end that reaches 0 is taken as a thousandth of
 * the value. */
static double
reach (double value, double by)
{
  return fabs (log (MAX (value + by, value * 1e-3) / value));
}

MemlaneEstimate
memlane_decision_compare (const MemlaneForecast *a, const MemlaneForecast *b)
{
  double ratios[MEMLANE_MOST_ROUNDS], value = a->ns.value / b->ns.value, down, up, error;
  guint n = pair_rounds (a, b, ratios);

  if (n >= 2)
    {
      MemlaneEstimate ratio = memlane_find_middle (ratios, n, MEMLANE_LEVEL_OF_PAIRS);

      down = hypot (log (ratio.low / ratio.value), RATIO_BETWEEN_SWEEPS);
      up = hypot (log (ratio.high / ratio.value), RATIO_BETWEEN_SWEEPS);
    }
  else
    {
      down = hypot (reach (a->ns.value, -a->sampled[0]), reach (b->ns.value, b->sampled[1]));
      up = hypot (reach (a->ns.value, a->sampled[1]), reach (b->ns.value, -b->sampled[0]));
    }
  if (a->kernel != NULL && a->kernel == b->kernel) /* both longer, or both shorter */
    error = MAX (
        fabs (log ((a->ns.value + a->error) / (b->ns.value + b->error) / value)),
        fabs (log (MAX (a->ns.value - a->error, 1) / MAX (b->ns.value - b->error, 1) / value)));
  else
    error = hypot (MAX (reach (a->ns.value, a->error), reach (a->ns.value, -a->error)),
                   MAX (reach (b->ns.value, b->error), reach (b->ns.value, -b->error)));
  error = hypot (error, hypot (reach (a->ns.value, a->own), reach (b->ns.value, b->own)));
  return (MemlaneEstimate) { value - 1, value / exp (hypot (down, error)) - 1,
                            value * exp (hypot (up, error)) - 1 };
}

/* --- what is there and what is not ------------------------------------------------------------ */

static void
note_missing_ways (MemlaneDecision *self)
{
  for (int way = 0; way < MEMLANE_WAY_RESIDENT; way++)
    {
      g_autoptr (GString) names = g_string_new (NULL);
      gboolean found = FALSE;

      for (guint i = 0; i < self->n_modes && !found; i++)
        if (self->modes[i].way == (MemlaneWay) way)
          {
            found = (self->present >> i & 1) != 0;
            g_string_append_printf (names, "%s%s", names->len > 0 ? ", " : "", self->modes[i].id);
          }
      if (!found)
        note (self, N_("No estimate for {way} modes: {modes} were not measured."),
              { "way", MEMLANE_FACT_WORD, way_title ((MemlaneWay) way) },
              { "modes", MEMLANE_FACT_MODES, names->str });
    }
}

/* Cells that were asked for and have no time, those that are noisy, and those whose times come from
 * one process. The intervals of these say nothing of another one, so they are never certain. */
static void
note_cells (MemlaneDecision *self)
{
  guint failed = 0, unsupported = 0, noisy = 0, lacking = 0;
  g_autofree char *detail = NULL;

  MEMLANE_FOR_EACH (const MemlaneCell, cell, self->run->cells)
    {
      const MemlaneFigure *elapsed = memlane_cell_find (cell, MEMLANE_PHASE_ELAPSED,
                                                        MEMLANE_CLOCK_HOST);
      MemlaneEstimate ns = memlane_estimate_from_figure (elapsed);

      if (find_point (self, cell) != NULL)
        {
          noisy += elapsed != NULL && elapsed->status == MEMLANE_STATUS_NOISY;
          self->one_process = self->one_process || (elapsed != NULL && elapsed->n_rounds == 0);
        }
      else if (memlane_estimate_is_known (&ns))
        lacking++;
      else if (cell->status == MEMLANE_STATUS_UNSUPPORTED)
        unsupported++;
      else if (failed++ == 0)
        {
          g_autofree char *size = memlane_size_format (cell->log2_elements);

          detail = g_strdup_printf ("%s %s: %s", cell->mode, size,
                                    cell->detail != NULL ? cell->detail
                                                         : memlane_status_name (cell->status));
        }
    }
  if (self->one_process)
    note (self, N_("The times come from one process each. Another process may differ by more than "
                    "the intervals say, so nothing here is "
                    "certain."));
  if (failed > 0)
    note (self, N_("{count} measurements are missing and were ignored (first: {detail})."),
          { "count", COUNT (failed) }, { "detail", MEMLANE_FACT_TEXT, detail });
  if (lacking > 0)
    note (self, N_("{count} measurements lack the host's times and were ignored."),
          { "count", COUNT (lacking) });
  if (noisy > 0)
    note (self,
          N_("Noisy total times: {count} of {all}. Hatched cells may change if you measure "
              "again."),
          { "count", COUNT (noisy) },
          { "all", COUNT (self->run->cells->len - failed - unsupported - lacking) });
}

static void
note_unknown_modes (MemlaneDecision *self, GHashTable *unknown)
{
  g_autoptr (GString) names = g_string_new (NULL);
  GList *keys = g_list_sort (g_hash_table_get_keys (unknown), (GCompareFunc) strcmp);
  guint n = 0;

  for (GList *item = keys; item != NULL && n < 5; item = item->next, n++)
    g_string_append_printf (names, "%s%s", n > 0 ? ", " : "", (const char *) item->data);
  g_list_free (keys);
  if (n > 0)
    note (self, N_("Unknown modes were ignored: {modes}."),
          { "modes", MEMLANE_FACT_MODES, names->str });
}

/* Counts as asked for, or the transfer alone where no cell of the workload has the times of the
 * host's access, and says so. */
static void
choose_count (MemlaneDecision *self, GPtrArray *runs)
{
  if (self->count == MEMLANE_COUNT_TRANSFER)
    return;
  MEMLANE_FOR_EACH (const MemlaneRun, run, runs)
    MEMLANE_FOR_EACH (const MemlaneCell, cell, run->cells)
      {
        const MemlaneMode *mode = memlane_mode_find (cell->mode);
        MemlaneCost cost;

        if (mode != NULL && mode->way != MEMLANE_WAY_RESIDENT
            && strcmp (cell->workload, self->workload) == 0
            && memlane_cost_compute (run, cell, self->count, self->uses, self->direction,
                                     self->parts->vectors, &cost))
          return;
      }
  self->count = MEMLANE_COUNT_TRANSFER;
  note (self, N_("The runs lack the host's times. Transfer and kernel alone count."));
}

/* Returns the least number of pieces above @least that @runs have with the background, or 0. */
static guint
find_pieces (const MemlaneDecision *self, const GPtrArray *runs, guint least)
{
  guint found = 0;

  MEMLANE_FOR_EACH (const MemlaneRun, run, runs)
    MEMLANE_FOR_EACH (const MemlaneCell, cell, run->cells)
      if (cell->chunks > least && (found == 0 || cell->chunks < found)
          && strcmp (cell->workload, self->workload) == 0
          && memlane_cell_has_background_of (cell, self->background))
        found = cell->chunks;
  return found;
}

/* Whether @self, or one of those for other backgrounds, is for that of @cell. */
static gboolean
has_background (const MemlaneDecision *self, const MemlaneCell *cell)
{
  MEMLANE_FOR_EACH (const MemlaneDecision, other, self->by_background)
    if (memlane_cell_has_background_of (other->background, cell))
      return TRUE;
  return memlane_cell_has_background_of (self->background, cell);
}

/* Decides for each other background. */
static void
decide_by_background (MemlaneDecision *self, GPtrArray *runs, const MemlaneQuestion *question)
{
  MemlaneQuestion next = {
    .workload = self->workload, .direction = question->direction, .count = question->count,
    .uses = question->uses, .pieces = self->pieces, .alone = TRUE,
  };

  self->by_background = g_ptr_array_new_with_free_func ((GDestroyNotify) memlane_decision_unref);
  MEMLANE_FOR_EACH (const MemlaneRun, run, runs)
    MEMLANE_FOR_EACH (MemlaneCell, cell, run->cells)
      if (strcmp (cell->workload, self->workload) == 0
          && (self->pieces == 0 || cell->chunks == self->pieces) && !has_background (self, cell))
        {
          next.background = cell;
          g_ptr_array_add (self->by_background, memlane_decision_new (runs, &next));
        }
}

static guint
find_first_pieces (const MemlaneRun *run, const char *workload)
{
  MEMLANE_FOR_EACH (const MemlaneCell, cell, run->cells)
    if (strcmp (cell->workload, workload) == 0 && cell->chunks > 0)
      return cell->chunks;
  return 0;
}

/* Decides for each number of pieces. */
static void
decide_by_pieces (MemlaneDecision *self, GPtrArray *runs, const MemlaneQuestion *question)
{
  MemlaneQuestion next = {
    .workload = self->workload, .direction = question->direction, .count = question->count,
    .uses = question->uses, .background = self->background, .alone = question->alone,
  };

  self->by_pieces = g_ptr_array_new_with_free_func ((GDestroyNotify) memlane_decision_unref);
  while ((next.pieces = find_pieces (self, runs, next.pieces)) > 0)
    g_ptr_array_add (self->by_pieces, memlane_decision_new (runs, &next));
  if (self->by_pieces->len == 1)
    note (self,
          N_("All measurements have {count} pieces. For a map of pieces, sweep again with another "
              "number (--chunks), and decide "
              "from all files."),
          { "count", COUNT (self->pieces) });
}

/* Fills all but the map. */
static void
gather (MemlaneDecision *self, GPtrArray *runs, const MemlaneQuestion *question)
{
  const MemlaneRun *first = runs->pdata[0];
  g_autoptr (GHashTable) unknown = g_hash_table_new_full (memlane_hash_text, g_str_equal, g_free,
                                                          NULL);
  MemlaneDecisionParts *parts = self->parts;
  g_autoptr (GPtrArray) untold = g_ptr_array_new (), other = g_ptr_array_new ();
  const MemlaneWorkload *kind;
  guint offset = 0;

  self->modes = memlane_mode_list (&self->n_modes);
  parts->points = g_new0 (GPtrArray *, self->n_modes * MEMLANE_DECIDE_SIZES);
  self->workload = g_strdup (choose_workload (first, question->workload));
  kind = memlane_workload_find (self->workload);
  self->has_reuse = kind != NULL && kind->has_reuse;
  parts->vectors = self->has_reuse ? kind->up + kind->down : 0;
  if (kind != NULL && kind->of_pieces)
    self->pieces = question->pieces > 0 ? question->pieces
                                        : find_first_pieces (first, self->workload);
  self->direction = self->has_reuse ? question->direction : MEMLANE_DIRECTION_BOTH;
  self->count = question->count;
  self->uses = MAX (question->uses, 1);
  if (question->background != NULL)
    self->background = memlane_cell_ref (question->background);
  self->simulated = memlane_run_is_simulated (first);
  self->run = memlane_run_new (first->id, first->device, first->device_kind);
  self->run->environment = memlane_environment_ref (first->environment);
  if (memlane_environment_get_floors (first->environment) != NULL)
    parts->floors = *memlane_environment_get_floors (first->environment);
  choose_count (self, runs);
  for (guint i = 0; i < runs->len; i++)
    {
      MemlaneRun *run = runs->pdata[i];
      g_autoptr (MemlaneMachineComparison) comparison = i > 0 ? memlane_machine_compare (first, run)
                                                              : NULL;

      if (comparison != NULL && comparison->verdict == MEMLANE_MACHINE_UNKNOWN)
        g_ptr_array_add (untold, run);
      else if (comparison != NULL
               && (comparison->verdict == MEMLANE_MACHINE_DIFFERENT
                   || g_strcmp0 (first->device_kind, run->device_kind) != 0))
        g_ptr_array_add (other, run);
      else
        {
          if (comparison != NULL)
            note_method (self, first, run, comparison->differences);
          note_control (self, run);
          offset += choose_cells (self, run, i + 1, offset, unknown);
        }
    }
  note_left_out (self, first, untold,
                 N_("Ignored: {runs}. Nothing tells whether the machine is that of {first}."));
  note_left_out (self, first, other,
                 N_("Ignored: {runs}, from another machine than {first} ({differences})."));
  if (self->background == NULL)
    self->background = memlane_cell_new (self->workload, "", 0);
  find_launch (self);
  note_unknown_modes (self, unknown);
  if (self->n_sizes == 0 || !self->has_reuse)
    note (self,
          self->n_sizes == 0 ? N_("Not enough data: run {run} has no total time of {workload}.")
                             : N_("In {workload} reuse repeats the whole transfer. Other reuse "
                                   "values cannot be computed, and the "
                                   "direction is that of the workload."),
          { "run", MEMLANE_FACT_TEXT, first->id },
          { "workload", MEMLANE_FACT_TEXT, self->workload });
  if (self->n_sizes == 0)
    return;
  if (self->background->beside != MEMLANE_BESIDE_NONE)
    note (self, N_("All times were measured {background}."),
          { "background", MEMLANE_FACTS_OF_BACKGROUND (self) });
  if (self->n_sizes == 1)
    note (self,
          N_("Only {size} floats were measured. Nothing follows for other sizes, and there are no "
              "fits or crossovers."),
          { "size", MEMLANE_FACT_SIZE, MEMLANE_FACT_IS (exp2 (self->sizes[0])) });
  if (parts->n_unlike > 0)
    note (self,
          N_("{count} measurements of stream modes were ignored. They have another number of "
              "streams or chunks than the first."),
          { "count", COUNT (parts->n_unlike) });
  note_cells (self);
  note_missing_ways (self);
}

/* --- the map ---------------------------------------------------------------------------------- */

guint
memlane_decide_reuse (guint index)
{
  return 1u << MIN (index, 31);
}

/* Whether @a and @b do the same with the memory that this direction uses. */
static gboolean
are_twins (const MemlaneDecision *self, const MemlaneMode *a, const MemlaneMode *b)
{
  const MemlaneWorkload *kind = memlane_workload_find (self->workload);
  gboolean reads_inputs = self->direction != MEMLANE_DIRECTION_TO_HOST
                          && (kind == NULL || kind->up > 0 || kind->down == 0);
  gboolean alloc = self->count == MEMLANE_COUNT_ALLOCATION;
  gboolean same_inputs = !reads_inputs
                         || memlane_cost_get_kind (a->input_memory, alloc)
                                == memlane_cost_get_kind (b->input_memory, alloc);
  gboolean same_outputs = memlane_cost_get_kind (a->output_memory, alloc)
                          == memlane_cost_get_kind (b->output_memory, alloc);

  if (g_strcmp0 (a->identical_to, b->id) == 0 || g_strcmp0 (b->identical_to, a->id) == 0)
    return TRUE;
  return a->family == b->family && a->transfer == b->transfer
         && a->shaped_kernel == b->shaped_kernel && same_inputs
         && !(alloc && a->virtual_memory != b->virtual_memory)
         && (same_outputs || self->direction == MEMLANE_DIRECTION_TO_DEVICE);
}

static gboolean
is_write_combined (const MemlaneMode *mode)
{
  return mode->input_memory == MEMLANE_HOST_WRITE_COMBINED
         || mode->input_memory == MEMLANE_HOST_MAPPED_WRITE_COMBINED;
}

/* Whether @mode takes part: not the baseline, no twin of a simpler one, and nothing whose price
 * does not count. */
static gboolean
takes_part (const MemlaneDecision *self, guint mode, double log2_elements)
{
  const MemlaneMode *modes = self->modes;

  if (modes[mode].way == MEMLANE_WAY_RESIDENT
      || (is_write_combined (&modes[mode]) && self->count == MEMLANE_COUNT_TRANSFER)
      || (modes[mode].input_memory == MEMLANE_HOST_MANAGED_STATIC
          && self->count == MEMLANE_COUNT_ALLOCATION))
    return FALSE;
  for (guint i = 0; i < self->n_modes; i++)
    if (i != mode && modes[i].effort < modes[mode].effort
        && are_twins (self, &modes[i], &modes[mode])
        && memlane_decision_get_points (self, i, log2_elements) != NULL)
      return FALSE;
  return TRUE;
}

/* Returns the loss to expect from @i instead of @j: the mean of what @i takes beyond @j, as a
 * share, where @i is the slower one. The logarithm
 * of their ratio is taken as normal; 95 % of it is the interval (Chick & Inoue 2001, expected
 * opportunity cost). */
static double
expect_loss (const MemlaneForecast *i, const MemlaneForecast *j)
{
  MemlaneEstimate beyond = memlane_decision_compare (i, j),
                  ratio = { 1 + beyond.value, 1 + beyond.low, 1 + beyond.high };
  double mean = log (ratio.value), deviation = memlane_estimate_half_log (&ratio) / 1.96,
         z = mean / deviation;

  if (!(deviation > 0))
    return MAX (beyond.value, 0);
  return deviation * exp (-z * z / 2) / sqrt (2 * G_PI) + mean * erfc (-z / G_SQRT2) / 2;
}

gboolean
memlane_decision_judge (const MemlaneDecision *self, double log2_elements, guint reuse,
                        MemlaneChoice *choice)
{
  const MemlaneMode *modes = self->modes;
  MemlaneForecast p[MEMLANE_MOST_MODES] = { 0 };

  *choice = (MemlaneChoice) {
    .choice = -1, .fastest = -1, .rival = -1, .cost = NAN, .regret = NAN,
  };
  for (guint i = 0; i < self->n_modes; i++)
    if (takes_part (self, i, log2_elements)
        && memlane_decision_forecast (self, i, log2_elements, reuse, &p[i]))
      {
        choice->contest |= G_GUINT64_CONSTANT (1) << i;
        if (choice->fastest < 0 || p[i].ns.value < p[choice->fastest].ns.value)
          choice->fastest = (int) i;
      }
  if (choice->contest == 0)
    return FALSE;
  for (guint i = 0; i < self->n_modes; i++)
    if ((choice->contest >> i & 1) != 0
        && p[i].ns.value <= (1 + MEMLANE_DECIDE_TIE) * p[choice->fastest].ns.value)
      {
        choice->ties |= G_GUINT64_CONSTANT (1) << i;
        if (choice->choice < 0 || modes[i].effort < modes[choice->choice].effort)
          choice->choice = (int) i;
      }
  choice->cost = p[choice->choice].ns.value / p[choice->fastest].ns.value - 1;
  choice->regret = 0;
  for (guint i = 0; i < self->n_modes; i++) /* alone it costs nothing */
    if ((choice->contest >> i & 1) != 0 && (int) i != choice->choice)
      choice->regret = MAX (choice->regret, expect_loss (&p[choice->choice], &p[i]));
  choice->open = choice->regret > MEMLANE_DECIDE_LOSS;
  for (guint i = 0; i < self->n_modes; i++)
    if ((choice->contest >> i & 1) != 0 && modes[i].family != modes[choice->choice].family)
      {
        choice->alike = choice->alike || (!choice->open && (choice->ties >> i & 1) != 0);
        if (choice->rival < 0 || p[i].ns.value < p[choice->rival].ns.value)
          choice->rival = (int) i;
      }
  return TRUE;
}

static gboolean
is_better_candidate (const MemlaneDecision *self, const MemlaneChoice *choice,
                     const MemlaneForecast *p, guint mode, guint than)
{
  const gboolean ties = choice->ties >> mode & 1, other_ties = choice->ties >> than & 1;

  if (ties != other_ties)
    return ties;
  return ties ? self->modes[mode].effort < self->modes[than].effort
              : p[mode].ns.value < p[than].ns.value;
}

guint
memlane_decision_list_candidates (const MemlaneDecision *self, double log2_elements, guint reuse,
                                  const MemlaneChoice *choice, guint *modes)
{
  MemlaneForecast p[MEMLANE_MOST_MODES] = { 0 };
  guint n = 0;

  for (guint i = 0; i < self->n_modes; i++)
    {
      guint at = 0;

      if ((choice->contest >> i & 1) == 0
          || !memlane_decision_forecast (self, i, log2_elements, reuse, &p[i]))
        continue;
      while (at < n && self->modes[modes[at]].family != self->modes[i].family)
        at++;
      if (at == n)
        modes[n++] = i;
      else if (is_better_candidate (self, choice, p, i, modes[at]))
        modes[at] = i;
    }
  for (guint i = 1; i < n; i++)
    for (guint j = i; j > 0 && p[modes[j]].ns.value < p[modes[j - 1]].ns.value; j--)
      {
        const guint slower = modes[j - 1];

        modes[j - 1] = modes[j];
        modes[j] = slower;
      }
  return n;
}

const MemlaneChoice *
memlane_decision_get (const MemlaneDecision *self, guint column, guint row)
{
  return column < self->n_columns && row < self->n_rows ? &self->map[column * self->n_rows + row]
                                                        : NULL;
}

guint
memlane_decision_find_row (const MemlaneDecision *self, guint row)
{
  guint index = 0;

  while (index + 1 < self->n_rows
         && (guint64) row * row > (guint64) self->rows[index] * self->rows[index + 1])
    index++;
  return index;
}

#define SAME_PIECE 0.125 /* octaves */

MemlanePlace
memlane_decision_locate (const MemlaneDecision *self, double log2_elements, guint row)
{
  MemlanePlace place = { self, log2_elements, row };
  double nearest = SAME_PIECE;

  if (self->by_pieces == NULL)
    return place;
  place.decision = self->by_pieces->pdata[memlane_decision_find_row (self, row)];
  place.reuse = 1;
  log2_elements += log2 (place.decision->pieces);
  place.log2_elements = log2_elements;
  for (guint i = 0; i < place.decision->n_sizes; i++)
    if (fabs (place.decision->sizes[i] - log2_elements) < nearest)
      {
        nearest = fabs (place.decision->sizes[i] - log2_elements);
        place.log2_elements = place.decision->sizes[i];
      }
  return place;
}

/* The sizes of a piece, ascending; those that are alike are one column. */
static void
find_columns (MemlaneDecision *self)
{
  g_autoptr (GArray) sizes = g_array_new (FALSE, FALSE, sizeof (double));

  MEMLANE_FOR_EACH (const MemlaneDecision, each, self->by_pieces)
    for (guint i = 0; i < each->n_sizes; i++)
      {
        double size = each->sizes[i] - log2 (each->pieces);

        g_array_append_val (sizes, size);
      }
  g_array_sort (sizes, memlane_compare_doubles);
  self->columns = g_new (double, sizes->len + 1);
  MEMLANE_FOR_EACH_IN (const double, size, sizes)
    if (self->n_columns == 0 || *size - self->columns[self->n_columns - 1] >= SAME_PIECE)
      self->columns[self->n_columns++] = *size;
}

/* Judges each place of the map. */
static void
fill_map (MemlaneDecision *self)
{
  self->n_rows = self->by_pieces != NULL ? self->by_pieces->len
                 : self->pieces > 0      ? 1
                                         : MEMLANE_DECIDE_REUSES;
  self->rows = g_new (guint, self->n_rows);
  for (guint j = 0; j < self->n_rows; j++)
    self->rows[j] = self->by_pieces != NULL
                        ? ((const MemlaneDecision *) self->by_pieces->pdata[j])->pieces
                        : memlane_decide_reuse (j);
  if (self->by_pieces != NULL)
    find_columns (self);
  else
    {
      self->n_columns = self->n_sizes;
      self->columns = g_memdup2 (self->sizes, sizeof self->sizes);
    }
  self->map = g_new0 (MemlaneChoice, MAX (self->n_columns, 1) * self->n_rows);
  for (guint i = 0; i < self->n_columns * self->n_rows; i++)
    {
      MemlanePlace place = memlane_decision_locate (self, self->columns[i / self->n_rows],
                                                    self->rows[i % self->n_rows]);

      memlane_decision_judge (place.decision, place.log2_elements, place.reuse, &self->map[i]);
    }
}

MemlaneDecision *
memlane_decision_new (GPtrArray *runs, const MemlaneQuestion *question)
{
  MemlaneDecision *self;

  g_return_val_if_fail (runs->len > 0, NULL);
  self = g_new0 (MemlaneDecision, 1);
  self->ref_count = 1;
  self->parts = g_new0 (MemlaneDecisionParts, 1);
  self->notes = memlane_answers_new ();
  gather (self, runs, question);
  if (self->n_sizes > 0 && self->pieces > 0 && question->pieces == 0)
    decide_by_pieces (self, runs, question);
  if (self->n_sizes > 0 && !question->alone)
    decide_by_background (self, runs, question);
  fill_map (self);
  return self;
}

MEMLANE_DEFINE_REF (MemlaneDecision, memlane_decision,
                    for (guint i = 0; i < self->n_modes * MEMLANE_DECIDE_SIZES; i++)
                        OWNS (parts->points[i], g_ptr_array_unref) OWNS (parts->points, g_free)
                            OWNS (parts, g_free) OWNS (run, memlane_run_unref)
                                OWNS (notes, g_ptr_array_unref) OWNS (by_pieces, g_ptr_array_unref)
                                    OWNS (by_background, g_ptr_array_unref)
                                        OWNS (background, memlane_cell_unref)
                                            OWNS (workload, g_free) OWNS (columns, g_free)
                                                OWNS (rows, g_free) OWNS (map, g_free))

/* --- as CSV ----------------------------------------------------------------------------------- */

#define COLUMNS \
  "device,device_kind,workload,direction,log2_elements,elements,bytes,reuse,mode,way," \
  "predicted_ns,low_ns,high_ns,basis,rank,tied,choice,count,uses,contest,answer"

static void
append_place (const MemlanePlace *place, const MemlaneChoice *verdict, guint pieces, GString *text)
{
  const MemlaneDecision *self = place->decision;
  const double log2_elements = place->log2_elements;
  const guint64 elements = memlane_size_elements (log2_elements);
  const guint n = self->n_modes, reuse = place->reuse;
  const MemlaneMode *modes = self->modes;
  const char *const front[] = { self->run->device, self->run->device_kind, self->workload };
  MemlaneForecast p[MEMLANE_MOST_MODES] = { 0 };

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
      g_string_append_printf (text, "%s,", memlane_direction_name (self->direction));
      memlane_text_append_number (text, log2_elements);
      g_string_append_printf (text, ",%" G_GUINT64_FORMAT ",%" G_GUINT64_FORMAT ",%u,%s,%s,",
                              elements, elements * sizeof (float), reuse, modes[i].id,
                              way_names[modes[i].way]);
      for (guint k = 0; k < 3; k++)
        {
          memlane_text_append_rounded (text,
                                       k == 0   ? p[i].ns.value
                                       : k == 1 ? p[i].ns.low
                                                : p[i].ns.high,
                                       10);
          g_string_append_c (text, ',');
        }
      g_string_append_printf (text, "%s,", basis_names[p[i].basis]);
      for (guint j = 0; j < n; j++)
        rank += p[j].basis != MEMLANE_BASIS_NONE && modes[j].way != MEMLANE_WAY_RESIDENT
                && (p[j].ns.value < p[i].ns.value || (p[j].ns.value == p[i].ns.value && j < i));
      if (modes[i].way == MEMLANE_WAY_RESIDENT)
        g_string_append_printf (text, ",,,%s,%u,,", memlane_count_name (self->count), self->uses);
      else
        g_string_append_printf (text, "%u,%u,%u,%s,%u,%u,%s", rank,
                                (guint) (verdict->ties >> i & 1), verdict->choice == (int) i,
                                memlane_count_name (self->count), self->uses,
                                (guint) (verdict->contest >> i & 1),
                                verdict->open    ? "open"
                                : verdict->alike ? "alike"
                                                 : "certain");
      if (pieces > 0)
        g_string_append_printf (text, ",%u", pieces);
      if (self->background->beside != MEMLANE_BESIDE_NONE)
        g_string_append_printf (text, ",%s,%u", memlane_beside_name (self->background->beside),
                                self->background->busy);
      g_string_append_c (text, '\n');
    }
}

gboolean
memlane_decision_write_map (const MemlaneDecision *self, const char *path, GError **error)
{
  g_autoptr (GString) text = g_string_new (self->by_pieces != NULL ? COLUMNS ",pieces" : COLUMNS);

  g_string_append (text, self->background->beside != MEMLANE_BESIDE_NONE ? ",beside,busy\n" : "\n");
  for (guint i = 0; i < self->n_columns * self->n_rows; i++)
    {
      const guint row = self->rows[i % self->n_rows];
      const MemlanePlace place = memlane_decision_locate (self, self->columns[i / self->n_rows],
                                                          row);

      append_place (&place, &self->map[i], self->by_pieces != NULL ? row : 0, text);
    }
  return memlane_save_file (path, text->str, text->len, error);
}
