/* held-out.c: how well a profile predicts what it was not fitted to
 *
 * SPDX-License-Identifier: MIT
 */
#include "held-out.h"

#include <math.h>
#include <string.h>

#include "agreement.h"
#include "calibrate.h"
#include "mode/mode.h"
#include "mode/transfer.h"

#define FLOOR_NS 10e3
#define DEFAULT_STREAMS 8
#define DEFAULT_CHUNKS 8
#define AS_GOOD 1.05 /* a mode that takes so much longer than the fastest is as good a choice */

/* Which recorded cells: all that a part of them may be. */
typedef struct
{
  guint64 sizes;         /* bit n: 2^n elements; 0: all */
  guint reuse;           /* 0: any */
  guint not_reuse;       /* 0: none is left out */
  const char *workload;  /* NULL: any */
  const char *not_workload;
  gboolean other_schedules; /* streams and chunks that are not the default sweep's, and those alone; else none of them */
} Part;

#define EVEN G_GUINT64_CONSTANT (0x5555555555555555)
#define ODD (~EVEN)
#define UP_TO(n) ((G_GUINT64_CONSTANT (2) << (n)) - 1)
#define FROM(n) (~UP_TO ((n) - 1))

typedef struct
{
  const char *question;
  Part fit, judge;
  gboolean elapsed_only;
} Question;

#define VECTOR_ADD "vector-add"

static const Question questions[] = {
  { "vector-add, even -> odd sizes up to 2^20", { .sizes = EVEN, .not_reuse = 256 },
    { .sizes = ODD & UP_TO (20), .reuse = 1, .workload = VECTOR_ADD }, FALSE },
  { "vector-add, odd -> even sizes up to 2^20", { .sizes = ODD, .not_reuse = 256 },
    { .sizes = EVEN & UP_TO (20), .reuse = 1, .workload = VECTOR_ADD }, FALSE },
  { "vector-add, even -> odd sizes from 2^21", { .sizes = EVEN, .not_reuse = 256 },
    { .sizes = ODD & FROM (21), .reuse = 1, .workload = VECTOR_ADD }, FALSE },
  { "vector-add, odd -> even sizes from 2^21", { .sizes = ODD, .not_reuse = 256 },
    { .sizes = EVEN & FROM (21), .reuse = 1, .workload = VECTOR_ADD }, FALSE },
  { "2^10..2^20 -> from 2^21, elapsed", { .sizes = UP_TO (20), .not_reuse = 256 },
    { .sizes = FROM (21), .reuse = 1, .workload = VECTOR_ADD }, TRUE },
  { "2^10..2^20 -> from 2^21, all phases", { .sizes = UP_TO (20), .not_reuse = 256 },
    { .sizes = FROM (21), .reuse = 1, .workload = VECTOR_ADD }, FALSE },
  { "2^10..2^18 -> 2^19, 2^20", { .sizes = UP_TO (18), .not_reuse = 256 },
    { .sizes = UP_TO (20) & FROM (19), .reuse = 1, .workload = VECTOR_ADD }, FALSE },
  { "copies, even -> odd sizes", { .sizes = EVEN, .not_reuse = 256 }, { .sizes = ODD, .reuse = 1, .not_workload = "vector-add" }, FALSE },
  { "vector-add -> other workloads", { .workload = VECTOR_ADD }, { .reuse = 1, .not_workload = "vector-add" }, FALSE },
  { "reuse 1 -> 16, elapsed", { .reuse = 1 }, { .reuse = 16, .workload = VECTOR_ADD }, TRUE },
  { "reuse 1 -> 256, elapsed", { .reuse = 1 }, { .reuse = 256, .workload = VECTOR_ADD }, TRUE },
  { "reuse 1, 256 -> 16, elapsed", { .not_reuse = 16 }, { .reuse = 16, .workload = VECTOR_ADD }, TRUE },
  { "reuse 1, 16 -> 256, elapsed", { .not_reuse = 256 }, { .reuse = 256, .workload = VECTOR_ADD }, TRUE },
  { "8 streams, 8 chunks -> others, elapsed", { .sizes = 0 }, { .workload = VECTOR_ADD, .other_schedules = TRUE }, TRUE },
};

/* Of how many streams and chunks the default sweep is not. */
static gboolean
is_other_schedule (const MemlaneCell *cell)
{
  return cell->streams > 0 && (cell->streams != DEFAULT_STREAMS || cell->chunks != DEFAULT_CHUNKS);
}

static gboolean
is_in (const MemlaneCell *cell, gconstpointer data)
{
  const Part *part = data;

  return is_other_schedule (cell) == part->other_schedules && (part->sizes == 0 || (part->sizes >> cell->log2_elements & 1) != 0)
         && (part->reuse == 0 || cell->reuse == part->reuse) && (part->not_reuse == 0 || cell->reuse != part->not_reuse)
         && (part->workload == NULL || g_str_equal (cell->workload, part->workload))
         && (part->not_workload == NULL || !g_str_equal (cell->workload, part->not_workload));
}

static gboolean
has_cells (GPtrArray *runs, const Part *part)
{
  for (guint i = 0; i < runs->len; i++)
    {
      const MemlaneRun *run = runs->pdata[i];

      for (guint j = 0; j < run->cells->len; j++)
        if (is_in (run->cells->pdata[j], part) && ((const MemlaneCell *) run->cells->pdata[j])->figures->len > 0)
          return TRUE;
    }
  return FALSE;
}

static int
compare_doubles (gconstpointer a, gconstpointer b)
{
  double x = *(const double *) a, y = *(const double *) b;

  return x < y ? -1 : x > y;
}

static double
percentile (GArray *errors, double share)
{
  if (errors->len == 0)
    return NAN;
  g_array_sort (errors, compare_doubles);
  return g_array_index (errors, double, (guint) MIN (share * errors->len, errors->len - 1));
}

/* Whether a phase is the same whatever the reuse. */
static gboolean
is_reuse_free (MemlanePhase phase)
{
  return phase != MEMLANE_PHASE_ELAPSED && phase != MEMLANE_PHASE_KERNEL && phase != MEMLANE_PHASE_FIRST;
}

/* What was recorded, and (nullable) once more; what the profiles of it are fitted with. */
typedef struct
{
  GPtrArray *runs, *again;
  const MemlaneProfile *start;
  const MemlaneReference *reference;
  GString *report;
} Recorded;

static gboolean
is_same_plan (const MemlaneCell *a, const MemlaneCell *b)
{
  return a->log2_elements == b->log2_elements && a->streams == b->streams && a->chunks == b->chunks && g_str_equal (a->mode, b->mode)
         && g_str_equal (a->workload, b->workload);
}

/* The cell of the second recording that is planned as @cell is; NULL: there is none. */
static MemlaneCell *
find_again (GPtrArray *again, const MemlaneCell *cell)
{
  for (guint i = 0; i < again->len; i++)
    {
      const MemlaneRun *run = again->pdata[i];

      for (guint j = 0; j < run->cells->len; j++)
        {
          MemlaneCell *other = run->cells->pdata[j];

          if (other->reuse == cell->reuse && is_same_plan (other, cell))
            return other;
        }
    }
  return NULL;
}

/* What the second recording says of @figure. */
static void
add_again (GPtrArray *again, const MemlaneCell *cell, const MemlaneFigure *figure, GArray *errors)
{
  const MemlaneCell *other = find_again (again, cell);
  const MemlaneFigure *twin = other != NULL ? memlane_cell_find (other, figure->phase, figure->clock) : NULL;
  double error;

  if (twin == NULL || twin->statistics.count == 0)
    return;
  error = fabs (twin->statistics.median / figure->statistics.median - 1);
  g_array_append_val (errors, error);
}

/* Without a second recording: what one differs from itself by, another recording of the same figure, or its rounds. */
static void
add_repeats (GPtrArray *runs, guint own, const MemlaneCell *cell, const MemlaneFigure *figure, GArray *errors)
{
  for (guint k = 0; figure->rounds != NULL && k < figure->n_rounds; k++)
    {
      double error = fabs (figure->rounds[k].median / figure->statistics.median - 1);

      g_array_append_val (errors, error);
    }
  for (guint i = 0; i < runs->len; i++)
    {
      const MemlaneRun *run = runs->pdata[i];

      for (guint j = 0; i != own && j < run->cells->len; j++)
        {
          const MemlaneCell *other = run->cells->pdata[j];
          const MemlaneFigure *twin;
          double error;

          if ((other->reuse != cell->reuse && !is_reuse_free (figure->phase)) || !is_same_plan (other, cell))
            continue;
          twin = memlane_cell_find (other, figure->phase, figure->clock);
          if (twin == NULL || twin->statistics.count == 0)
            continue;
          error = fabs (twin->statistics.median / figure->statistics.median - 1);
          g_array_append_val (errors, error);
        }
    }
}

static void
append_errors (GString *report, GArray *errors)
{
  char median[G_ASCII_DTOSTR_BUF_SIZE], p90[G_ASCII_DTOSTR_BUF_SIZE], worst[G_ASCII_DTOSTR_BUF_SIZE];

  if (errors->len == 0)
    {
      g_string_append_printf (report, " %25s %7s", "-", "");
      return;
    }
  g_string_append_printf (report, " %6s %% %6s %% %6s %% %6u",
                          g_ascii_formatd (median, sizeof median, "%.1f", 100 * percentile (errors, 0.5)),
                          g_ascii_formatd (p90, sizeof p90, "%.1f", 100 * percentile (errors, 0.9)),
                          g_ascii_formatd (worst, sizeof worst, "%.0f", 100 * percentile (errors, 1)), errors->len);
}

/* One line of the table. */
static void
append_row (GString *report, const char *question, GArray *errors, GArray *repeats)
{
  g_string_append_printf (report, "%-44s", question);
  append_errors (report, errors);
  append_errors (report, repeats);
  g_string_append_c (report, '\n');
}

/* Lets @profile predict the cells of @judge; their errors, and the GPU's own, go to the arrays. */
static void
predict (const Recorded *recorded, const MemlaneProfile *profile, const Part *judge, gboolean elapsed_only, GArray *errors, GArray *repeats)
{
  for (guint i = 0; i < recorded->runs->len; i++)
    {
      const MemlaneRun *run = recorded->runs->pdata[i];
      g_autoptr (GPtrArray) simulated = memlane_calibrate_simulate (profile, run, recorded->reference, is_in, judge);

      for (guint j = 0; j < run->cells->len; j++)
        {
          const MemlaneCell *cell = run->cells->pdata[j];

          for (guint k = 0; simulated->pdata[j] != NULL && k < cell->figures->len; k++)
            {
              const MemlaneFigure *figure = cell->figures->pdata[k];
              const MemlaneFigure *twin = memlane_cell_find (simulated->pdata[j], figure->phase, figure->clock);
              double error;

              if (figure->phase == MEMLANE_PHASE_FIRST || figure->statistics.count == 0 || figure->statistics.median < FLOOR_NS
                  || (figure->status != MEMLANE_STATUS_OK && figure->status != MEMLANE_STATUS_NOISY) || twin == NULL
                  || twin->statistics.count == 0
                  || (elapsed_only && (figure->phase != MEMLANE_PHASE_ELAPSED || figure->clock != MEMLANE_CLOCK_HOST)))
                continue;
              error = fabs (twin->statistics.median / figure->statistics.median - 1);
              g_array_append_val (errors, error);
              if (recorded->again != NULL)
                add_again (recorded->again, cell, figure, repeats);
              else
                add_repeats (recorded->runs, i, cell, figure, repeats);
            }
        }
    }
}

/* Costs that know nothing: what is fitted must come from the recordings. */
static MemlaneProfile *
forget (const MemlaneProfile *base)
{
  g_autoptr (MemlaneProfile) nothing = memlane_profile_new ();
  MemlaneProfile *profile = memlane_profile_copy (base);
  guint n;
  const MemlaneProfileTerm *curves = memlane_profile_curve_list (&n);

  for (guint i = 0; i < n; i++)
    memlane_profile_set_curve (profile, curves[i].name, NULL, NULL, 0, NULL);
  memcpy (profile->host, nothing->host, sizeof profile->host);
  return profile;
}

/* What a mode takes as a choice, NULL: it is none. */
static const MemlaneFigure *
find_elapsed (const MemlaneCell *cell)
{
  const MemlaneFigure *figure = cell != NULL ? memlane_cell_find (cell, MEMLANE_PHASE_ELAPSED, MEMLANE_CLOCK_HOST) : NULL;
  const MemlaneMode *mode = figure != NULL ? memlane_mode_find (cell->mode) : NULL;

  /* device-resident moves nothing: it is no choice. */
  return mode == NULL || mode->transfer->resident || figure->statistics.count == 0 ? NULL : figure;
}

/* Plans (workload, size, reuse): all of them; those for which a mode is named that is as good as the fastest recorded one; and of the
 * others those where the GPU's own intervals of the two modes overlap. */
typedef struct
{
  guint all, right, alike;
} Choices;

/* The plan of @cell, which is in @run, by what @named_by has in the same places. */
static void
choose_for (const MemlaneRun *run, const GPtrArray *named_by, const MemlaneCell *cell, Choices *choices)
{
  const MemlaneFigure *best = NULL, *named = NULL;
  double least = INFINITY;
  guint modes = 0;

  for (guint k = 0; k < run->cells->len; k++)
    {
      const MemlaneCell *other = run->cells->pdata[k];
      const MemlaneFigure *recorded = find_elapsed (other), *predicted = find_elapsed (named_by->pdata[k]);

      if (other->log2_elements != cell->log2_elements || other->reuse != cell->reuse || !g_str_equal (other->workload, cell->workload)
          || recorded == NULL || predicted == NULL)
        continue;
      modes++;
      if (best == NULL || recorded->statistics.median < best->statistics.median)
        best = recorded;
      if (predicted->statistics.median < least)
        {
          least = predicted->statistics.median;
          named = recorded;
        }
    }
  if (modes < 2)
    return;
  choices->all++;
  if (named->statistics.median <= AS_GOOD * best->statistics.median)
    choices->right++;
  else if (named->statistics.ci95_low <= best->statistics.ci95_high)
    choices->alike++;
}

/* All plans of @judge, as @profile names them, and as the second recording does. */
static void
choose (const Recorded *recorded, const MemlaneProfile *profile, const Part *judge, Choices *choices, Choices *again)
{
  for (guint i = 0; i < recorded->runs->len; i++)
    {
      const MemlaneRun *run = recorded->runs->pdata[i];
      g_autoptr (GPtrArray) simulated = memlane_calibrate_simulate (profile, run, recorded->reference, is_in, judge);
      g_autoptr (GPtrArray) second = g_ptr_array_new ();
      g_autoptr (GHashTable) seen = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);

      for (guint j = 0; j < run->cells->len; j++)
        g_ptr_array_add (second, recorded->again != NULL ? find_again (recorded->again, run->cells->pdata[j]) : NULL);
      for (guint j = 0; j < run->cells->len; j++)
        {
          const MemlaneCell *cell = run->cells->pdata[j];

          if (simulated->pdata[j] == NULL
              || !g_hash_table_add (seen, g_strdup_printf ("%s %u %u", cell->workload, cell->log2_elements, cell->reuse)))
            continue;
          choose_for (run, simulated, cell, choices);
          choose_for (run, second, cell, again);
        }
    }
}

/* Fits to @fit; NULL with @error. */
static MemlaneProfile *
fit_to (const Recorded *recorded, const Part *fit, GError **error)
{
  return memlane_calibrate_fit (recorded->runs, recorded->start, recorded->reference, is_in, fit, NULL, error);
}

/* Predicts each size from all others. */
static gboolean
leave_sizes_out (const Recorded *recorded, GError **error)
{
  g_autoptr (GArray) errors = g_array_new (FALSE, FALSE, sizeof (double));
  g_autoptr (GArray) repeats = g_array_new (FALSE, FALSE, sizeof (double));

  for (guint size = 0; size < 48; size++)
    {
      const Part judge = { .sizes = G_GUINT64_CONSTANT (1) << size, .reuse = 1, .workload = VECTOR_ADD };
      const Part fit = { .sizes = ~judge.sizes, .reuse = 1, .workload = VECTOR_ADD };
      g_autoptr (MemlaneProfile) profile = NULL;

      if (!has_cells (recorded->runs, &judge) || !has_cells (recorded->runs, &fit))
        continue;
      profile = fit_to (recorded, &fit, error);
      if (profile == NULL)
        return FALSE;
      predict (recorded, profile, &judge, FALSE, errors, repeats);
    }
  if (errors->len > 0)
    append_row (recorded->report, "vector-add, each size from all others", errors, repeats);
  return TRUE;
}

static gboolean
name_fastest (const Recorded *recorded, GError **error)
{
  Choices choices = { 0 }, again = { 0 };

  for (guint half = 0; half < 2; half++)
    {
      const Part fit = { .sizes = half ? EVEN : ODD, .workload = VECTOR_ADD };
      const Part judge = { .sizes = half ? ODD : EVEN, .workload = VECTOR_ADD };
      g_autoptr (MemlaneProfile) profile = NULL;

      if (!has_cells (recorded->runs, &fit) || !has_cells (recorded->runs, &judge))
        continue;
      profile = fit_to (recorded, &fit, error);
      if (profile == NULL)
        return FALSE;
      choose (recorded, profile, &judge, &choices, &again);
    }
  if (choices.all > 0)
    g_string_append_printf (recorded->report, "%-44s  %u of %u, from the other half of the sizes; of the others, alike on the GPU: %u\n",
                            "fastest mode named, within 5 % of the best", choices.right, choices.all, choices.alike);
  if (again.all > 0)
    g_string_append_printf (recorded->report, "%-44s  %u of %u; of the others, alike on the GPU: %u\n", "the same by the second recording",
                            again.right, again.all, again.alike);
  return TRUE;
}

/* All rows of the table. */
static gboolean
answer (const Recorded *recorded, GError **error)
{
  g_autoptr (MemlaneProfile) profile = NULL;
  const Part *fitted = NULL;

  for (guint i = 0; i < G_N_ELEMENTS (questions); i++)
    {
      const Question *question = &questions[i];
      g_autoptr (GArray) errors = g_array_new (FALSE, FALSE, sizeof (double));
      g_autoptr (GArray) repeats = g_array_new (FALSE, FALSE, sizeof (double));

      if (!has_cells (recorded->runs, &question->fit) || !has_cells (recorded->runs, &question->judge))
        continue;
      if (fitted == NULL || memcmp (fitted, &question->fit, sizeof *fitted) != 0)
        {
          g_clear_pointer (&profile, memlane_profile_free);
          profile = fit_to (recorded, &question->fit, error);
          fitted = &question->fit;
        }
      if (profile == NULL)
        return FALSE;
      predict (recorded, profile, &question->judge, question->elapsed_only, errors, repeats);
      if (errors->len > 0)
        append_row (recorded->report, question->question, errors, repeats);
    }
  return leave_sizes_out (recorded, error) && name_fastest (recorded, error);
}

gboolean
memlane_held_out (GPtrArray *runs, GPtrArray *again, const char *base, GString *report, GError **error)
{
  g_autoptr (MemlaneProfile) known = NULL;
  g_autoptr (MemlaneProfile) start = NULL;
  g_autoptr (GPtrArray) all = g_ptr_array_new ();
  g_autoptr (GString) notes = g_string_new (NULL); /* on failed cells, which are said of @runs alone */
  MemlaneReference *reference;
  gboolean done;

  g_ptr_array_extend (all, runs, NULL, NULL);
  if (again != NULL)
    g_ptr_array_extend (all, again, NULL, NULL);
  if (!memlane_calibrate_check (runs, FALSE, report, error) || !memlane_calibrate_check (all, FALSE, notes, error)
      || (known = memlane_calibrate_load_base (base, error)) == NULL
      || (reference = memlane_calibrate_reference (runs, error)) == NULL)
    return FALSE;
  start = forget (known);
  g_string_append_printf (report, "%-44s %8s %8s %8s %6s %8s %8s %8s %6s\n", "figures of 10 us and more, not fitted", "median", "p90",
                          "worst", "n", again != NULL ? "2nd: med" : "GPU: med", "p90", "worst", "n");
  done = answer (&(Recorded) { runs, again, start, reference, report }, error);
  memlane_reference_free (reference);
  return done;
}
