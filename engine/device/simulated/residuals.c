/* residuals.c: what a recording differs by from the model, and how its rounds vary
 *
 * SPDX-License-Identifier: MIT
 */
#include "residuals.h"

#include <math.h>
#include <string.h>

#include "base/each.h"
#include "base/hash.h"
#include "base/owns.h"
#include "base/strict-text.h"

#define MOST_SIZES 64
#define MOST_ROUNDS 1000
#define LONGEST_NS 1e15
#define FAR 2.0 /* sizes beyond the last recorded one over which its ratio fades */

typedef struct
{
  double log2_elements;
  double recorded, modelled; /* series: ns */
  guint n_rounds;
  float *rounds;             /* rounds: as shares of the median */
} Point;

/* One figure of one plan over its sizes. */
typedef struct
{
  guint reuse;
  GArray *points; /* Point, ascending */
} Series;

struct _MemlaneResiduals
{
  int ref_count;
  /* "WORKLOAD MODE[:SxC]/PHASE/CLOCK" -> (element-type Series), ascending reuse */
  GHashTable *series, *rounds;
};

static MEMLANE_DEFINE_CLEAR (Point, void point_clear (gpointer data), OWNS (rounds, g_free))
static MEMLANE_DEFINE_CLEAR (Series, void series_clear (gpointer data),
                             OWNS (points, g_array_unref))
MEMLANE_DEFINE_REF (MemlaneResiduals, memlane_residuals,
                    OWNS (series, g_hash_table_unref) OWNS (rounds, g_hash_table_unref))

/* --- reading ---------------------------------------------------------------------------------- */

/* "recorded vector-add reuse=1" */
static gboolean
parse_group (const char *group, char **workload, guint *reuse, gboolean *is_rounds)
{
  g_auto (GStrv) words = g_strsplit (group, " ", 4);
  guint64 number;

  if (g_strv_length (words) != 3 || !g_str_has_prefix (words[2], "reuse=")
      || !g_ascii_string_to_unsigned (words[2] + strlen ("reuse="), 10, 1, 1000000, &number, NULL))
    return FALSE;
  *is_rounds = strcmp (words[0], "rounds") == 0;
  if (!*is_rounds && strcmp (words[0], "recorded") != 0)
    return FALSE;
  *workload = g_strdup (words[1]);
  *reuse = (guint) number;
  return TRUE;
}

gboolean
memlane_residuals_is_group (const char *group)
{
  return g_str_has_prefix (group, "recorded ") || g_str_has_prefix (group, "rounds ");
}

/* "10;11;12": ascending. Returns how many there are, 0 for anything else. Cuts @text (nullable). */
static guint
parse_sizes (char *text, double *sizes)
{
  guint n = 0;

  for (char *part; (part = strsep (&text, ";")) != NULL; n++)
    if (n == MOST_SIZES || !memlane_text_read_number (part, &sizes[n]) || sizes[n] < 0
        || sizes[n] > 63 || (n > 0 && sizes[n] <= sizes[n - 1]))
      return 0;
  return n;
}

static gboolean
parse_time (const char *text, double *ns)
{
  return memlane_text_read_number (text, ns) && *ns > 0 && *ns <= LONGEST_NS;
}

/* "998 1003 1041" */
static gboolean
parse_rounds (char *text, Point *point)
{
  float rounds[MOST_ROUNDS];

  for (char *part; (part = strsep (&text, " ")) != NULL; point->n_rounds++)
    {
      double share;

      if (point->n_rounds == MOST_ROUNDS || !memlane_text_read_number (part, &share)
          || !(share > 0 && share <= 1e6))
        return FALSE;
      rounds[point->n_rounds] = (float) (share / 1000);
    }
  point->rounds = g_memdup2 (rounds, point->n_rounds * sizeof *rounds);
  return TRUE;
}

/* "2034/1980" */
static gboolean
parse_pair (char *text, Point *point)
{
  char *slash = strchr (text, '/');

  if (slash == NULL)
    return FALSE;
  *slash = '\0';
  return parse_time (text, &point->recorded) && parse_time (slash + 1, &point->modelled);
}

/* The series of @name at @reuse in @table, made if it is new. */
static Series *
get_series (GHashTable *table, const char *name, guint reuse)
{
  GArray *all = g_hash_table_lookup (table, name);
  Series fresh = { .reuse = reuse };
  guint i = 0;

  if (all == NULL)
    {
      all = g_array_new (FALSE, FALSE, sizeof (Series));
      g_array_set_clear_func (all, series_clear);
      g_hash_table_insert (table, g_strdup (name), all);
    }
  while (i < all->len && g_array_index (all, Series, i).reuse < reuse)
    i++;
  if (i == all->len || g_array_index (all, Series, i).reuse != reuse)
    {
      fresh.points = g_array_new (FALSE, TRUE, sizeof (Point));
      g_array_set_clear_func (fresh.points, point_clear);
      g_array_insert_val (all, i, fresh);
    }
  return &g_array_index (all, Series, i);
}

static gboolean
parse_points (char *text, gboolean is_rounds, const double *sizes, guint n, GArray *points)
{
  for (guint i = 0; i < n; i++)
    {
      Point point = { .log2_elements = sizes[i] };
      char *part = strsep (&text, ";");

      if (part == NULL
          || (*part != '\0'
              && !(is_rounds ? parse_rounds (part, &point) : parse_pair (part, &point))))
        return FALSE;
      if (*part != '\0')
        g_array_append_val (points, point);
    }
  return text == NULL;
}

gboolean
memlane_residuals_read (MemlaneResiduals **self, GKeyFile *file, const char *group, char **key,
                        const char **expected)
{
  g_auto (GStrv) names = g_key_file_get_keys (file, group, NULL, NULL);
  g_autofree char *workload = NULL, *size_text = g_key_file_get_value (file, group, "log2", NULL);
  double sizes[MOST_SIZES + 1];
  guint reuse, n = parse_sizes (size_text, sizes);
  gboolean is_rounds;

  *key = NULL;
  *expected = "expected [recorded WORKLOAD reuse=R] or [rounds WORKLOAD reuse=R]";
  if (!parse_group (group, &workload, &reuse, &is_rounds))
    return FALSE;
  *expected = "expected the recorded sizes, ascending: log2=10;11;12";
  if (n == 0)
    return FALSE;
  if (*self == NULL)
    {
      *self = g_new0 (MemlaneResiduals, 1);
      (*self)->ref_count = 1;
      (*self)->series = g_hash_table_new_full (memlane_hash_text, g_str_equal, g_free,
                                               (GDestroyNotify) g_array_unref);
      (*self)->rounds = g_hash_table_new_full (memlane_hash_text, g_str_equal, g_free,
                                               (GDestroyNotify) g_array_unref);
    }
  for (char **name = names; *name != NULL; name++)
    {
      g_autofree char *text = g_key_file_get_value (file, group, *name, NULL),
                      *full = g_strconcat (workload, " ", *name, NULL);
      Series *series;

      if (strcmp (*name, "log2") == 0)
        continue;
      series = get_series (is_rounds ? (*self)->rounds : (*self)->series, full, reuse);
      if (series->points->len > 0 || !parse_points (text, is_rounds, sizes, n, series->points))
        {
          *key = g_strdup (*name);
          *expected = is_rounds ? "expected the rounds of each size in thousandths of their "
                                  "median, as 998 1003;;1010"
                                : "expected nanoseconds, recorded/modelled, of each size, as "
                                  "2034/1980;;2107/2001";
          return FALSE;
        }
    }
  return TRUE;
}

/* --- looking up ------------------------------------------------------------------------------- */

static GArray *
find_all (GHashTable *table, const MemlaneDeviceUse *use, MemlanePhase phase, MemlaneClock clock)
{
  g_autofree char *name =
      use->chunks > 0
          ? g_strdup_printf ("%s %s:%ux%u/%s/%s", use->workload, use->mode, use->streams,
                             use->chunks, memlane_phase_name (phase), memlane_clock_name (clock))
          : g_strdup_printf ("%s %s/%s/%s", use->workload, use->mode, memlane_phase_name (phase),
                             memlane_clock_name (clock));

  return g_hash_table_lookup (table, name);
}

/* The first point that is not below @size. */
static guint
find_place (const GArray *points, double size)
{
  return MEMLANE_FIND_FIRST (points->len, i,
                             g_array_index (points, Point, i).log2_elements < size);
}

static double
log_ratio (const Point *point)
{
  return log (point->recorded / point->modelled);
}

static double
correct_by (const Series *series, double size, double ns)
{
  guint i = find_place (series->points, size);
  const Point *above = i < series->points->len ? &g_array_index (series->points, Point, i) : NULL;
  const Point *below = i > 0 ? &g_array_index (series->points, Point, i - 1) : NULL;
  double share;

  if (above != NULL && above->log2_elements == size)
    return ns * above->recorded / above->modelled;
  if (below == NULL)
    return above != NULL ? MIN (ns, above->recorded) : ns;
  if (above == NULL)
    {
      share = MIN ((size - below->log2_elements) / FAR, 1);
      return MAX (ns * exp ((1 - share) * log_ratio (below)), below->recorded);
    }
  share = (size - below->log2_elements) / (above->log2_elements - below->log2_elements);
  return CLAMP (ns * exp (log_ratio (below) + share * (log_ratio (above) - log_ratio (below))),
                below->recorded, MAX (below->recorded, above->recorded));
}

double
memlane_residuals_correct (const MemlaneResiduals *self, const MemlaneDeviceUse *use,
                           MemlanePhase phase, MemlaneClock clock, double ns)
{
  GArray *all = find_all (self->series, use, phase, clock);
  double size = log2 ((double) use->bytes / sizeof (float)), share;
  const Series *fewer, *more;
  guint i = 0;

  if (all == NULL)
    return ns;
  while (i + 1 < all->len && g_array_index (all, Series, i).reuse < use->reuse)
    i++;
  more = &g_array_index (all, Series, i);
  if (i == 0 || more->reuse <= use->reuse)
    return correct_by (more, size, ns);
  fewer = &g_array_index (all, Series, i - 1);
  share = log ((double) use->reuse / fewer->reuse) / log ((double) more->reuse / fewer->reuse);
  return ns
         * exp ((1 - share) * log (correct_by (fewer, size, ns) / ns)
                + share * log (correct_by (more, size, ns) / ns));
}

double
memlane_residuals_draw (const MemlaneResiduals *self, const MemlaneDeviceUse *use,
                        MemlanePhase phase, MemlaneClock clock, double round)
{
  GArray *all = find_all (self->rounds, use, phase, clock);
  double size = log2 ((double) use->bytes / sizeof (float));
  const Series *series = NULL;
  const Point *point;

  /* The nearest recorded plan: its rounds stand for those of its neighbours. */
  for (guint i = 0; all != NULL && i < all->len
                    && (series == NULL || g_array_index (all, Series, i).reuse <= use->reuse);
       i++)
    series = &g_array_index (all, Series, i);
  if (series == NULL || series->points->len == 0)
    return 1;
  point = &g_array_index (series->points, Point,
                          MIN (find_place (series->points, size), series->points->len - 1));
  return (double) point->rounds[MIN ((guint) (round * point->n_rounds), point->n_rounds - 1)];
}

char *
memlane_residuals_describe_beyond (const MemlaneResiduals *self, const MemlaneDeviceUse *use)
{
  g_autofree char *workload = g_strconcat (use->workload, " ", NULL),
                  *mode = g_strconcat (use->workload, " ", use->mode, NULL);
  double size = log2 ((double) use->bytes / sizeof (float));
  gboolean has_workload = FALSE, has_mode = FALSE;
  GArray *all = find_all (self->series, use, MEMLANE_PHASE_ELAPSED, MEMLANE_CLOCK_HOST);
  g_autoptr (GPtrArray) reasons = g_ptr_array_new ();
  g_autofree char *list = NULL;

  MEMLANE_FOR_EACH_ENTRY (self->series, name, series)
    {
      has_workload |= g_str_has_prefix (name, workload);
      has_mode |= g_str_has_prefix (name, mode)
                  && strchr (":/", ((const char *) name)[strlen (mode)]) != NULL;
    }
  if (all != NULL)
    {
      const Series *first = &g_array_index (all, Series, 0),
                   *last = &g_array_index (all, Series, all->len - 1);

      if (size < g_array_index (first->points, Point, 0).log2_elements
          || size > g_array_index (first->points, Point, first->points->len - 1).log2_elements)
        g_ptr_array_add (reasons, (gpointer) "at this size");
      if (use->reuse < first->reuse || use->reuse > last->reuse)
        g_ptr_array_add (reasons, (gpointer) "at this reuse");
    }
  else if (has_mode && use->chunks > 0)
    g_ptr_array_add (reasons, (gpointer) (use->streams > 0 ? "with so many streams and chunks"
                                                           : "of so many pieces"));
  else
    g_ptr_array_add (reasons, (gpointer) (has_workload ? "in this mode" : "with this workload"));
  if (reasons->len == 0 || g_hash_table_size (self->series) == 0)
    return NULL;
  g_ptr_array_add (reasons, NULL);
  list = g_strjoinv (", ", (char **) reasons->pdata);
  return g_strdup_printf (MEMLANE_EXTRAPOLATED ": not recorded %s", list);
}
