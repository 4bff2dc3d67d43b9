/* chart-words.c: a chart in words
 *
 * SPDX-License-Identifier: MIT
 */
#include "chart-words.h"

#include <glib/gi18n-lib.h>
#include <math.h>
#include <string.h>

#include "base/each.h"
#include "chart.h"
#include "memlane.h"

/* So many curves are named one by one; the others are counted. */
#define MOST_NAMED 8
#define MOST_MACHINES 3 /* that are named */

void
memlane_words_join (GString *text, const char *separator, const char *format, ...)
{
  va_list arguments;

  if (text->len > 0)
    g_string_append (text, separator);
  va_start (arguments, format);
  g_string_append_vprintf (text, format, arguments);
  va_end (arguments);
}

/* --- names ------------------------------------------------------------------------------------ */

const char *
memlane_chart_phase_title (MemlanePhase phase)
{
  static const char *const titles[MEMLANE_N_PHASES] = {
    [MEMLANE_PHASE_ALLOC] = N_("allocation"),
    [MEMLANE_PHASE_HOST_WRITE] = N_("host writes"),
    [MEMLANE_PHASE_UPLOAD] = N_("upload (host to device)"),
    [MEMLANE_PHASE_KERNEL] = N_("kernel"),
    [MEMLANE_PHASE_DOWNLOAD] = N_("download (device to host)"),
    [MEMLANE_PHASE_ELAPSED] = N_("total time"),
    [MEMLANE_PHASE_HOST_READ] = N_("host reads"),
    [MEMLANE_PHASE_FREE] = N_("release"),
    [MEMLANE_PHASE_FIRST] = N_("first sample"),
    [MEMLANE_PHASE_BACKGROUND] = N_("background, per unit"),
    [MEMLANE_PHASE_BACKGROUND_ALONE] = N_("background alone, per unit"),
  };

  g_return_val_if_fail ((guint) phase < MEMLANE_N_PHASES, "");
  return _(titles[phase]);
}

char *
memlane_chart_background_title (MemlaneBeside beside, guint busy)
{
  GString *title = g_string_new (g_dgettext (GETTEXT_PACKAGE, memlane_beside_title (beside)));
  g_autofree char *share = g_strdup_printf ("%u %%", busy);

  g_string_replace (title, "{busy}", share, 0);
  return g_string_free (title, FALSE);
}

char *
memlane_chart_count_title (MemlaneCount count, guint uses)
{
  if (count == MEMLANE_COUNT_ALLOCATION && uses > 1)
    return g_strdup_printf (_("with allocation over %u uses"), uses);
  return g_strdup (g_dgettext (GETTEXT_PACKAGE, memlane_count_title (count)));
}

const char *
memlane_chart_family_title (MemlaneFamily family)
{
  return g_dgettext (GETTEXT_PACKAGE, memlane_family_title (family));
}

const char *
memlane_chart_quantity_title (MemlaneQuantity quantity)
{
  static const char *const titles[] = { N_("bandwidth"), N_("time"), N_("ratio of times") };

  return _(titles[quantity]);
}

const char *
memlane_chart_status_title (MemlaneStatus status)
{
  static const char *const titles[MEMLANE_N_STATUSES] = {
    [MEMLANE_STATUS_OK] = NC_("status", "ok"),
    [MEMLANE_STATUS_NOISY] = NC_("status", "noisy"),
    [MEMLANE_STATUS_UNSUPPORTED] = NC_("status", "unsupported"),
    [MEMLANE_STATUS_OUT_OF_MEMORY] = NC_("status", "out of memory"),
    [MEMLANE_STATUS_MISMATCH] = NC_("status", "wrong result"),
    [MEMLANE_STATUS_ERROR] = NC_("status", "error"),
    [MEMLANE_STATUS_TIMEOUT] = NC_("status", "timeout"),
    [MEMLANE_STATUS_CANCELLED] = NC_("status", "cancelled"),
  };

  return g_dpgettext2 (GETTEXT_PACKAGE, "status", titles[status]);
}

char *
memlane_chart_workload_title (const char *workload)
{
  const MemlaneWorkload *known = memlane_workload_find (workload);

  return g_strdup (known != NULL ? g_dgettext (GETTEXT_PACKAGE, known->title) : workload);
}

char *
memlane_chart_format_interval (double low, double high)
{
  g_autofree char *from = memlane_unit_format (MEMLANE_UNIT_TIME, low, TRUE),
                  *to = memlane_unit_format (MEMLANE_UNIT_TIME, high, TRUE);

  /* Translators: a 95 % interval: "10.2 µs to 10.9 µs". */
  return g_strdup_printf (_("%s to %s"), from, to);
}

char *
memlane_chart_mode_label (const char *mode, const char *whose)
{
  const MemlaneMode *known = memlane_mode_find (mode);
  const char *title = known != NULL ? g_dgettext (GETTEXT_PACKAGE, known->title) : mode;

  return whose != NULL ? g_strdup_printf ("%s · %s", title, whose) : g_strdup (title);
}

/* --- the names of machines -------------------------------------------------------------------- */

/* The profiles of data/devices that differ from the H200's by that. Takes @name. (transfer full) */
static char *
name_engines (char *name)
{
  /* Translators: {device} is the name of a simulated device */
  static const char *const templates[] = { N_("{device} with one copy engine"),
                                           N_("{device} with two copy engines") };

  for (guint i = 0; i < G_N_ELEMENTS (templates); i++)
    {
      const char *ending = templates[i] + strlen ("{device}");
      GString *text;

      if (!g_str_has_suffix (name, ending))
        continue;
      name[strlen (name) - strlen (ending)] = '\0';
      text = g_string_new (g_dgettext (GETTEXT_PACKAGE, templates[i]));
      g_string_replace (text, "{device}", name, 1);
      g_free (name);
      return g_string_free (text, FALSE);
    }
  return name;
}

char *
memlane_facts_name_model (const char *name)
{
  static const char simulated[] = " (simulated)"; /* so profiles end their names */
  /* and so those of --noise recorded, before that */
  static const char noisy[] = ", noise as recorded";
  g_autofree char *plain = g_strdup (name);

  if (g_str_has_suffix (plain, simulated))
    plain[strlen (plain) - strlen (simulated)] = '\0';
  if (!g_str_has_suffix (plain, noisy))
    return name_engines (g_steal_pointer (&plain));
  plain[strlen (plain) - strlen (noisy)] = '\0';
  plain = name_engines (plain);
  /* Translators: the name of a simulated device whose times vary as those of the recorded GPU
   * did */
  return g_strdup_printf (_("%s, noise as recorded"), plain);
}

char *
memlane_facts_name_device (const char *name)
{
  g_autofree char *plain = memlane_facts_name_model (name);

  if (!g_str_has_suffix (name, " (simulated)"))
    return g_strdup (name);
  /* Translators: the name of a device */
  return g_strdup_printf (_("%s (simulated)"), plain);
}

static char *
describe_machine (const MemlaneRun *run)
{
  const char *device = memlane_environment_get_text (run->environment,
                                                     MEMLANE_ENVIRONMENT_DEVICE_NAME);
  const char *driver = memlane_environment_get_text (run->environment, MEMLANE_ENVIRONMENT_DRIVER);
  const char *date = memlane_environment_get_text (run->environment, MEMLANE_ENVIRONMENT_DATE);
  g_autofree char *name = memlane_facts_name_device (device != NULL        ? device
                                                     : run->device != NULL ? run->device
                                                                           : "");
  GString *text = g_string_new (name);

  if (driver != NULL)
    memlane_words_join (text, " · ", _("driver %s"), driver);
  if (date != NULL)
    /* the day is enough */
    memlane_words_join (text, " · ", "%.*s", (int) strcspn (date, "T"), date);
  return g_string_free (text, FALSE);
}

char *
memlane_facts_describe (const MemlaneRun *const *runs, guint n_runs)
{
  g_autoptr(GPtrArray) machines = g_ptr_array_new_with_free_func (g_free);
  GString *text = g_string_new (NULL);
  guint more;

  for (guint i = 0; i < n_runs; i++)
    {
      g_autofree char *machine = describe_machine (runs[i]);

      if (*machine != '\0'
          && !g_ptr_array_find_with_equal_func (machines, machine, g_str_equal, NULL))
        g_ptr_array_add (machines, g_steal_pointer (&machine));
    }
  for (guint i = 0; i < MIN (machines->len, MOST_MACHINES); i++)
    memlane_words_join (text, " | ", "%s", (const char *) machines->pdata[i]);
  more = machines->len - MIN (machines->len, MOST_MACHINES);
  if (more > 0)
    memlane_words_join (text, " | ", ngettext ("%u more", "%u more", more), more);
  return g_string_free (text, FALSE);
}

/* --- the whole chart -------------------------------------------------------------------------- */

typedef struct
{
  const MemlaneSeries *series;
  const MemlaneChartPoint *point; /* the one that it is ranked by */
} Rank;

static const MemlaneChartPoint *
point_at (const MemlaneSeries *series, guint i)
{
  return &g_array_index (series->points, MemlaneChartPoint, i);
}

/* Its highest bandwidth; its time at the largest size; its ratio that is farthest from 1. */
static const MemlaneChartPoint *
choose_point (const MemlaneChart *chart, const MemlaneSeries *series)
{
  const MemlaneChartPoint *chosen = point_at (series, 0);

  if (chart->quantity == MEMLANE_QUANTITY_TIME)
    return point_at (series, series->points->len - 1);
  for (guint i = 1; i < series->points->len; i++)
    {
      const MemlaneChartPoint *point = point_at (series, i);

      if (chart->quantity == MEMLANE_QUANTITY_RATIO
              ? fabs (log (point->value)) > fabs (log (chosen->value))
              : point->value > chosen->value)
        chosen = point;
    }
  return chosen;
}

static int
compare_ranks (gconstpointer a, gconstpointer b, gpointer user_data)
{
  const MemlaneChart *chart = user_data;
  const MemlaneChartPoint *x = ((const Rank *) a)->point, *y = ((const Rank *) b)->point;
  int order = (x->value > y->value) - (x->value < y->value);

  if (chart->quantity == MEMLANE_QUANTITY_TIME && x->log2_elements != y->log2_elements)
    return x->log2_elements > y->log2_elements ? -1 : 1; /* times are compared at one size */
  return chart->quantity == MEMLANE_QUANTITY_TIME ? order : -order;
}

static char *
format_rank (const MemlaneChart *chart, const Rank *rank)
{
  g_autofree char *value = memlane_unit_format (chart->unit, rank->point->value, TRUE);
  g_autofree char *size = memlane_unit_format (MEMLANE_UNIT_BYTES, rank->point->bytes, TRUE);

  if (chart->quantity == MEMLANE_QUANTITY_BANDWIDTH)
    return g_strdup_printf (_("%s peaks at %s at %s"), rank->series->label, value, size);
  if (chart->quantity == MEMLANE_QUANTITY_TIME)
    return g_strdup_printf (_("%s takes %s at %s"), rank->series->label, value, size);
  return g_strdup_printf (_("%s is %s at %s"), rank->series->label, value, size);
}

static void
describe_curves (const MemlaneChart *chart, GString *text)
{
  g_autoptr(GArray) ranks = g_array_new (FALSE, FALSE, sizeof (Rank));
  g_autoptr(GString) list = g_string_new (NULL);
  guint named;

  MEMLANE_FOR_EACH (const MemlaneSeries, series, chart->series)
    {
      Rank rank = { series, choose_point (chart, series) };

      g_array_append_val (ranks, rank);
    }
  g_array_sort_with_data (ranks, compare_ranks, (gpointer) chart);
  /* "one more, the last" would be longer than its own words */
  named = ranks->len <= MOST_NAMED + 1 ? ranks->len : MOST_NAMED;
  for (guint i = 0; i < named; i++)
    {
      g_autofree char *words = format_rank (chart, &g_array_index (ranks, Rank, i));

      g_string_append_printf (list, "%s%s", i > 0 ? "; " : "", words);
    }
  memlane_words_join (text, " ", C_("sentence", "%s."), list->str);
  if (named < ranks->len)
    {
      g_autofree char *last = format_rank (chart, &g_array_index (ranks, Rank, ranks->len - 1));
      guint more = ranks->len - named;

      memlane_words_join (
          text, " ",
          ngettext ("%u more curve follows; last: %s.", "%u more curves follow; last: %s.", more),
          more, last);
    }
}

static void
describe_extent (const MemlaneChart *chart, GString *text)
{
  g_autoptr(GHashTable) sizes = g_hash_table_new (g_double_hash, g_double_equal);
  const MemlaneChartPoint *least = NULL, *most = NULL;
  g_autofree char *from = NULL, *to = NULL;
  guint n;

  MEMLANE_FOR_EACH (const MemlaneSeries, series, chart->series)
    MEMLANE_FOR_EACH_IN (const MemlaneChartPoint, point, series->points)
      {
        g_hash_table_add (sizes, (gpointer) &point->log2_elements);
        if (least == NULL || point->log2_elements < least->log2_elements)
          least = point;
        if (most == NULL || point->log2_elements > most->log2_elements)
          most = point;
      }
  n = g_hash_table_size (sizes);
  from = memlane_unit_format (MEMLANE_UNIT_BYTES, least->bytes, TRUE);
  to = memlane_unit_format (MEMLANE_UNIT_BYTES, most->bytes, TRUE);
  memlane_words_join (text, " ", ngettext ("%u curve", "%u curves", chart->series->len),
                      chart->series->len);
  if (n == 1)
    memlane_words_join (text, " ", _("at one vector size, %s."), from);
  else /* Translators: "20 curves over 11 vector sizes from 4 KiB to 4 MiB." */
    memlane_words_join (
        text, " ",
        ngettext ("over %u vector size from %s to %s.", "over %u vector sizes from %s to %s.", n),
        n, from, to);
}

static void
describe_gaps (const MemlaneChart *chart, GString *text)
{
  guint noisy = 0, missing = 0;

  MEMLANE_FOR_EACH (const MemlaneSeries, series, chart->series)
    {
      missing += series->missing;
      MEMLANE_FOR_EACH_IN (const MemlaneChartPoint, point, series->points)
        noisy += point->noisy;
    }
  if (noisy > 0)
    memlane_words_join (text, " ",
                        ngettext ("%u measurement is noisy.", "%u measurements are noisy.", noisy),
                        noisy);
  if (missing > 0)
    memlane_words_join (text, " ",
                        ngettext ("%u measurement failed and has no point.",
                                  "%u measurements failed and have no point.", missing),
                        missing);
  if (chart->modes_missing > 0)
    memlane_words_join (text, " ",
                        ngettext ("%u mode failed or cannot run: it has no curve.",
                                  "%u modes failed or cannot run: they have no curve.",
                                  chart->modes_missing),
                        chart->modes_missing);
}

static void
describe_subject (const MemlaneChart *chart, GString *text)
{
  g_autofree char *workload = memlane_chart_workload_title (chart->workload);
  const char *phase = memlane_chart_phase_title (chart->phase);

  /* Translators: a workload and a phase: "Bandwidth of “Vector addition”, elapsed." */
  if (chart->quantity == MEMLANE_QUANTITY_BANDWIDTH && *workload != '\0')
    memlane_words_join (text, " ", _("Bandwidth of “%s”, %s."), workload, phase);
  else if (chart->quantity == MEMLANE_QUANTITY_TIME && *workload != '\0')
    memlane_words_join (text, " ", _("Time of “%s”, %s."), workload, phase);
  else
    memlane_words_join (text, " ", C_("sentence", "%s."), chart->title);
}

char *
memlane_chart_describe (const MemlaneChart *chart)
{
  GString *text = g_string_new (NULL);

  describe_subject (chart, text);
  if (*chart->subtitle != '\0')
    memlane_words_join (text, " ", C_("sentence", "%s."), chart->subtitle);
  if (chart->simulated)
    memlane_words_join (text, " ", "%s", _("Simulated: not measured on a GPU."));
  if (chart->trouble != NULL)
    memlane_words_join (text, " ", "%s", chart->trouble);
  if (chart->series->len > 0)
    {
      describe_extent (chart, text);
      describe_curves (chart, text);
      describe_gaps (chart, text);
    }
  if (chart->ceiling_label != NULL)
    memlane_words_join (text, " ", _("Ceiling: %s."), chart->ceiling_label);
  g_string_replace (text, " · ", ", ", 0); /* nobody wants to hear "middle dot" */
  return g_string_free (text, FALSE);
}
