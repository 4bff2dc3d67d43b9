/* report-data.c: curves, answers and timelines as JSON, and the script that reads it
 *
 * SPDX-License-Identifier: MIT
 */
#include "report-data.h"

#include <glib/gi18n-lib.h>
#include <json-glib/json-glib.h>
#include <math.h>
#include <string.h>

#include "base/each.h"
#include "base/hash.h"
#include "base/owns.h"
#include "chart/answer-words.h"
#include "chart/chart-words.h"
#include "chart/timeline/span-style.h"
#include "page-resource.h"

#define MOST_EVENTS 4000

struct _MemlaneReportData
{
  GPtrArray *parts, *traces; /* (element-type GVariant): dictionaries */
  gsize answers;             /* bytes that the answers of all parts take */
};

/* The words of the script. */
static const struct { const char *key, *text;
} words[] = {
  { "all", N_("All") },
  { "answer", N_("Answer") },
  { "axis", N_("Axis") },
  { "bandwidth", N_("Bandwidth") },
  { "chart", N_("Curves by vector size. Left and Right choose a size, Up and Down a curve.") },
  { "compare", N_("Compare with") },
  { "computed", N_("computed") },
  { "count", N_("What counts") },
  { "direction", N_("Direction") },
  { "draw", N_("Draw a Curve") },
  { "earlier", N_("Previous Event") },
  { "event", N_("Event {n} of {all}") },
  { "faster", N_("{a} takes {factor} times as long as {b}.") },
  { "fit", N_("Show All of It") },
  { "floats", N_("{n} floats") },
  { "hand", N_("Hand In") },
  { "handed",
    N_("Saved as {name}: answers to {n} of {all} questions. Give the file to your lecturer.") },
  { "hint", N_("Point at a curve, or press the arrow keys in the chart. Drag to zoom; "
                "double-click shows everything.") },
  { "interval", N_("Interval") },
  { "later", N_("Next Event") },
  { "linear", N_("Linear") },
  { "log", N_("Logarithmic") },
  { "map", N_("Which mode to use. The arrow keys walk from place to place.") },
  { "measured", N_("measured") },
  { "modes", N_("Modes") },
  { "none", N_("None") },
  { "nothing", N_("Not enough data.") },
  { "off", N_("Your curve of {mode} is off by a factor of {factor}, the median of {n} sizes.") },
  { "open", N_("Hatched: another mode may be faster. Pale: several tie, the simplest is named.") },
  { "overview", N_("One mode a family") },
  { "pause", N_("Pause") },
  { "play", N_("Play") },
  { "reveal", N_("Reveal") },
  { "right", N_("Your prediction was right.") },
  { "scale", N_("Scale") },
  { "simulated", N_("SIMULATED") },
  { "sketch",
    N_("Draw the curve of {mode}: drag in the chart, or press the arrow keys. Then reveal.") },
  { "step", N_("All predictions here, by time") },
  { "tied", N_("tied") },
  { "time", N_("Time") },
  { "timeline", N_("Timeline. Space plays, comma and full stop step, plus and minus zoom, 0 shows "
                    "everything.") },
  { "wrong", N_("Your prediction was wrong. Right: {right}") },
  { "yours", N_("No prediction was made.") },
  { "zoomin", N_("Zoom In") },
  { "zoomout", N_("Zoom Out") },
};

MemlaneReportData *
memlane_report_data_new (void)
{
  MemlaneReportData *self = g_new0 (MemlaneReportData, 1);

  self->parts = g_ptr_array_new_with_free_func ((GDestroyNotify) g_variant_unref);
  self->traces = g_ptr_array_new_with_free_func ((GDestroyNotify) g_variant_unref);
  return self;
}

MEMLANE_DEFINE_FREE (MemlaneReportData, void memlane_report_data_free (MemlaneReportData *data),
                     OWNS (parts, g_ptr_array_unref) OWNS (traces, g_ptr_array_unref))

/* Takes @text. JSON holds valid UTF-8 alone; files may say anything. */
static GVariant *
take_text (char *text)
{
  GVariant *variant = g_variant_new_take_string (g_utf8_make_valid (text != NULL ? text : "", -1));

  g_free (text);
  return variant;
}

static GVariant *
format_value (MemlaneUnit unit, double value)
{
  return take_text (isfinite (value) && value > 0 ? memlane_unit_format (unit, value, TRUE) : NULL);
}

guint
memlane_color_to_hex (const MemlaneColor *color)
{
  return (guint) (color->red * 255 + 0.5) << 16 | (guint) (color->green * 255 + 0.5) << 8
         | (guint) (color->blue * 255 + 0.5);
}

/* --- curves ----------------------------------------------------------------------------------- */

static GVariant *
point_to_variant (const MemlaneChartPoint *point)
{
  double bandwidth = memlane_figure_get_bandwidth (point->figure);
  char *interval = point->low < point->high
                       ? memlane_chart_format_interval (point->low, point->high)
                       : NULL;

  return g_variant_new ("(dddddu@s@s@s)", point->log2_elements, point->value, point->low,
                        point->high, isfinite (bandwidth) ? bandwidth : 0.0, (guint) point->noisy,
                        format_value (MEMLANE_UNIT_TIME, point->value), take_text (interval),
                        format_value (MEMLANE_UNIT_BANDWIDTH, bandwidth));
}

static GVariant *
series_to_variant (const MemlaneSeries *series)
{
  MemlaneCurveStyle curve = memlane_curve_style_for_mode (series->mode,
                                                          memlane_style_get (MEMLANE_STYLE_SCREEN));
  GVariantBuilder points = G_VARIANT_BUILDER_INIT (G_VARIANT_TYPE ("a(dddddusss)"));

  MEMLANE_FOR_EACH_IN (const MemlaneChartPoint, point, series->points)
    g_variant_builder_add_value (&points, point_to_variant (point));
  return g_variant_new_parsed (
      "{'mode': <%@s>, 'label': <%@s>, 'family': <%u>, 'dash': <%@ad>, 'points': <%@*>}",
      take_text (g_strdup (series->mode)), take_text (g_strdup (series->label)),
      (guint) series->family,
      g_variant_new_fixed_array (G_VARIANT_TYPE_DOUBLE, curve.dashes, (gsize) curve.n_dashes,
                                 sizeof (double)),
      g_variant_builder_end (&points));
}

/* --- answers ---------------------------------------------------------------------------------- */

/* Sentences, each once. */
typedef struct
{
  GVariantBuilder texts;
  GHashTable *places; /* (element-type utf8 guint) */
} Sentences;

static guint
place_sentence (Sentences *sentences, const MemlaneAnswer *answer)
{
  g_autofree char *text = memlane_answer_to_words (answer);
  guint place = g_hash_table_size (sentences->places);
  gpointer known;

  if (g_hash_table_lookup_extended (sentences->places, text, NULL, &known))
    return GPOINTER_TO_UINT (known);
  g_variant_builder_add_value (&sentences->texts, take_text (g_strdup (text)));
  g_hash_table_insert (sentences->places, g_steal_pointer (&text), GUINT_TO_POINTER (place));
  return place;
}

/* The answer, one line of evidence and one of doubt, as memlane-cli decide prints them; then the
 * time of each mode. */
static GVariant *
place_to_variant (const MemlanePlace *place, const MemlaneChoice *choice, Sentences *sentences)
{
  const MemlaneDecision *decision = place->decision;
  g_autoptr (GPtrArray) answers = memlane_decision_recommend (decision, place->log2_elements,
                                                              place->reuse);
  GVariantBuilder ids = G_VARIANT_BUILDER_INIT (G_VARIANT_TYPE ("au"));
  GVariantBuilder times = G_VARIANT_BUILDER_INIT (G_VARIANT_TYPE ("ax"));
  gboolean doubted = FALSE;
  guint32 measured = 0;

  for (guint i = 0; i < answers->len && !doubted; i++)
    {
      const MemlaneAnswer *answer = answers->pdata[i];

      g_variant_builder_add (&ids, "u", place_sentence (sentences, answer));
      doubted = answer->kind == MEMLANE_ANSWER_BASIS || answer->kind == MEMLANE_ANSWER_ADVICE;
    }
  for (guint mode = 0; mode < decision->n_modes; mode++)
    {
      MemlaneForecast forecast = { 0 };

      if (!(decision->present >> mode & 1))
        continue;
      if (!memlane_decision_forecast (decision, mode, place->log2_elements, place->reuse,
                                      &forecast))
        forecast.ns.value = 0;
      measured |= forecast.basis == MEMLANE_BASIS_MEASURED ? 1u << mode : 0;
      g_variant_builder_add (&times, "x", (gint64) round (forecast.ns.value));
    }
  return g_variant_new ("(iu@au@axuu)", choice->choice,
                        choice->open    ? 1u
                        : choice->alike ? 2u
                                        : 0u,
                        g_variant_builder_end (&ids), g_variant_builder_end (&times), measured,
                        choice->ties);
}

static GVariant *
decision_to_variant (const MemlaneDecision *decision, Sentences *sentences)
{
  GVariantBuilder present = G_VARIANT_BUILDER_INIT (G_VARIANT_TYPE ("a(ussu)"));
  GVariantBuilder places = G_VARIANT_BUILDER_INIT (G_VARIANT_TYPE ("a(iuauaxuu)"));
  guint n;
  const MemlaneMode *modes = memlane_mode_list (&n);

  for (guint i = 0; i < n; i++)
    if (decision->present >> i & 1)
      g_variant_builder_add (&present, "(us@su)", i, modes[i].id,
                             take_text (memlane_chart_mode_label (modes[i].id, NULL)),
                             (guint) modes[i].family);
  for (guint i = 0; i < decision->n_columns * decision->n_rows; i++)
    {
      const MemlanePlace place = memlane_decision_locate (
          decision, decision->columns[i / decision->n_rows], decision->rows[i % decision->n_rows]);

      g_variant_builder_add_value (&places,
                                   place_to_variant (&place, &decision->map[i], sentences));
    }
  return g_variant_new_parsed (
      "{'direction': <%s>, 'count': <%s>, 'modes': <%@*>, 'column': <%s>, 'row': <%s>, 'sizes': "
      "<%@*>, "
      "'rows': <%@*>, 'places': <%@*>}",
      _ (memlane_direction_title (decision->direction)), _ (memlane_count_title (decision->count)),
      g_variant_builder_end (&present),
      decision->by_pieces != NULL ? _("Piece size") : _("Vector size"),
      decision->by_pieces != NULL ? _("Number of pieces") : _("Kernels per transfer"),
      g_variant_new_fixed_array (G_VARIANT_TYPE_DOUBLE, decision->columns, decision->n_columns,
                                 sizeof (double)),
      g_variant_new_fixed_array (G_VARIANT_TYPE_UINT32, decision->rows, decision->n_rows,
                                 sizeof (guint)),
      g_variant_builder_end (&places));
}

/* Writes the answer at each place of the map, for each direction and count that the workload and
 * the run tell. */
static GVariant *
answers_to_variant (MemlaneRun *run, const char *workload)
{
  g_autoptr (GPtrArray) runs = g_ptr_array_new ();
  g_autoptr (GHashTable) places = g_hash_table_new_full (memlane_hash_text, g_str_equal, g_free,
                                                         NULL);
  Sentences sentences = { .places = places };
  GVariantBuilder answers = G_VARIANT_BUILDER_INIT (G_VARIANT_TYPE ("aa{sv}"));

  g_ptr_array_add (runs, run);
  g_variant_builder_init (&sentences.texts, G_VARIANT_TYPE_STRING_ARRAY);
  for (guint i = 0; i < MEMLANE_N_DIRECTIONS * MEMLANE_N_COUNTS; i++)
    {
      const MemlaneQuestion question = { workload, (MemlaneDirection) (i / MEMLANE_N_COUNTS),
                                         (MemlaneCount) (i % MEMLANE_N_COUNTS), 1 };
      g_autoptr (MemlaneDecision) decision = memlane_decision_new (runs, &question);

      if (decision->direction == question.direction && decision->count == question.count)
        g_variant_builder_add_value (&answers, decision_to_variant (decision, &sentences));
    }
  return g_variant_new_parsed ("{'answers': <%@*>, 'texts': <%@as>}",
                               g_variant_builder_end (&answers),
                               g_variant_builder_end (&sentences.texts));
}

static char *
to_json (GVariant *variant, gsize *length)
{
  g_autoptr (GVariant) owned = g_variant_ref_sink (variant);
  g_autoptr (JsonNode) root = json_gvariant_serialize (owned);
  g_autoptr (JsonGenerator) generator = json_generator_new ();

  json_generator_set_root (generator, root);
  return json_generator_to_data (generator, length);
}

guint
memlane_report_data_add_part (MemlaneReportData *self, const MemlaneChartRun *run,
                              const MemlaneChart *chart, gsize room, gboolean *answered)
{
  g_autoptr (GVariant) answers = g_variant_ref_sink (
      answers_to_variant (run->run, chart->workload));
  GVariantDict part = G_VARIANT_DICT_INIT (NULL);
  GVariantBuilder series = G_VARIANT_BUILDER_INIT (G_VARIANT_TYPE ("aa{sv}"));
  gsize length;

  g_free (to_json (answers, &length));
  *answered = self->answers + length <= room;
  self->answers += *answered ? length : 0;
  MEMLANE_FOR_EACH (const MemlaneSeries, each, chart->series)
    g_variant_builder_add_value (&series, series_to_variant (each));
  g_variant_dict_insert_value (&part, "run", take_text (g_strdup (memlane_chart_run_name (run))));
  g_variant_dict_insert_value (&part, "workload", take_text (g_strdup (chart->workload)));
  g_variant_dict_insert (&part, "simulated", "b", chart->simulated);
  g_variant_dict_insert_value (&part, "series", g_variant_builder_end (&series));
  if (*answered)
    g_variant_dict_insert_value (&part, "decide", answers);
  g_ptr_array_add (self->parts, g_variant_ref_sink (g_variant_dict_end (&part)));
  return self->parts->len - 1;
}

/* --- timelines -------------------------------------------------------------------------------- */

/* An event as the script draws it: when, how long, its colour, its name, what to read and what
 * happens. */
static GVariant *
event_to_variant (const MemlaneTrace *trace, const MemlaneTraceEvent *event, guint id)
{
  return g_variant_new (
      "(xxu@s@s@s)", event->start, event->duration,
      (guint) memlane_span_style_of (trace, event, MEMLANE_TIMELINE_BY_KIND).tint,
      take_text (memlane_timeline_span_name (trace, id, MEMLANE_NAME_USUAL)),
      take_text (memlane_timeline_tell_event (trace, id, ", ")),
      take_text (event->kind == MEMLANE_TRACE_PHASE ? NULL : memlane_timeline_narrate (trace, id)));
}

/* Its title, how many rows it has, and of each entry the event and the row. */
static GVariant *
lane_to_variant (const MemlaneTrace *trace, const MemlaneTraceLane *lane)
{
  GVariantBuilder events = G_VARIANT_BUILDER_INIT (G_VARIANT_TYPE ("au"));

  for (guint i = 0; i < lane->n_events; i++)
    {
      g_variant_builder_add (&events, "u", lane->events[i]);
      g_variant_builder_add (&events, "u", (guint) lane->rows[i]);
    }
  return g_variant_new_parsed ("{'title': <%@s>, 'rows': <%u>, 'events': <%@*>}",
                               take_text (memlane_timeline_lane_title (trace, lane)),
                               MAX (lane->n_rows, 1), g_variant_builder_end (&events));
}

gboolean
memlane_report_data_add_trace (MemlaneReportData *self, const MemlaneTrace *trace)
{
  guint n_events;
  const MemlaneTraceEvent *events = memlane_trace_get_events (trace, &n_events);
  GVariantBuilder shown = G_VARIANT_BUILDER_INIT (G_VARIANT_TYPE ("a(xxusss)"));
  GVariantBuilder rows = G_VARIANT_BUILDER_INIT (G_VARIANT_TYPE ("aa{sv}"));

  if (n_events > MOST_EVENTS)
    return FALSE;
  for (guint i = 0; i < n_events; i++)
    g_variant_builder_add_value (&shown, event_to_variant (trace, &events[i], i));
  MEMLANE_FOR_EACH_OF (const MemlaneTraceLane, lane, n, memlane_trace_get_lanes (trace, &n))
    g_variant_builder_add_value (&rows, lane_to_variant (trace, lane));
  g_ptr_array_add (
      self->traces,
      g_variant_ref_sink (g_variant_new_parsed (
          "{'title': <%@s>, 'simulated': <%b>, 'end': <%x>, 'events': <%@*>, 'lanes': <%@*>}",
          take_text (memlane_timeline_plain_title (trace)),
          memlane_trace_get_info (trace)->simulated, memlane_trace_get_end (trace),
          g_variant_builder_end (&shown), g_variant_builder_end (&rows))));
  return TRUE;
}

/* --- the page --------------------------------------------------------------------------------- */

void
memlane_report_data_append_file (GString *html, const char *name)
{
  g_autofree char *path = g_strconcat ("/io/github/memlane/page/", name, NULL);
  g_autoptr (GBytes) bytes = g_resource_lookup_data (memlane_page_get_resource (), path,
                                                     G_RESOURCE_LOOKUP_FLAGS_NONE, NULL);

  g_string_append_len (html, g_bytes_get_data (bytes, NULL), (gssize) g_bytes_get_size (bytes));
}

/* The page is XML, too: there a script needs its section, which is a comment of the script. */
static char *
get_script (void)
{
  GString *script = g_string_new ("//<![CDATA[\n/*\n");

  memlane_report_data_append_file (script, "uPlot.LICENSE");
  g_string_append (script, "*/\n");
  memlane_report_data_append_file (script, "uPlot.iife.js");
  memlane_report_data_append_file (script, "page.js");
  g_string_append (script, "//]]>");
  return g_string_free (script, FALSE);
}

void
memlane_report_data_append_policy (GString *html)
{
  g_autoptr (GChecksum) checksum = g_checksum_new (G_CHECKSUM_SHA256);
  g_autofree char *script = get_script (), *hash = NULL;
  guint8 digest[32];
  gsize length = sizeof digest;

  g_checksum_update (checksum, (const guchar *) script, (gssize) strlen (script));
  g_checksum_get_digest (checksum, digest, &length);
  hash = g_base64_encode (digest, length);
  g_string_append_printf (html,
                          "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src "
                          "'none'; style-src 'unsafe-inline'; "
                          "img-src data:; script-src 'sha256-%s'\"/>\n",
                          hash);
}

/* No character of the data means anything to HTML or XML. */
static void
append_escaped (GString *html, const char *json)
{
  for (const char *p = json; *p != '\0'; p = g_utf8_next_char (p))
    {
      gunichar c = g_utf8_get_char (p);

      if (c == '<' || c == '>' || c == '&' || (c >= 0x7f && c < 0xa0) || (c & ~1u) == 0xfffe)
        g_string_append_printf (html, "\\u%04x", c);
      else
        g_string_append_len (html, p, g_utf8_next_char (p) - p);
    }
}

/* The script's colours of spans, light and dark in turn: "#5aa9f5". */
static GVariant *
list_tints (void)
{
  GVariantBuilder tints = G_VARIANT_BUILDER_INIT (G_VARIANT_TYPE_STRING_ARRAY);

  for (guint i = 0; i < 2 * MEMLANE_TINT_STREAM; i++)
    {
      const MemlaneStyle *style = memlane_style_get (i % 2 ? MEMLANE_STYLE_DARK
                                                           : MEMLANE_STYLE_SCREEN);
      MemlaneColor color = memlane_span_tint_color ((MemlaneTint) (i / 2), style);

      g_variant_builder_add_value (
          &tints, take_text (g_strdup_printf ("#%06x", memlane_color_to_hex (&color))));
    }
  return g_variant_builder_end (&tints);
}

void
memlane_report_data_append_scripts (MemlaneReportData *self, GString *html)
{
  g_autofree char *text = NULL, *script = get_script ();
  GVariantDict data = G_VARIANT_DICT_INIT (NULL), said = G_VARIANT_DICT_INIT (NULL);
  const GVariantType *dictionary = G_VARIANT_TYPE_VARDICT;
  GVariantBuilder families = G_VARIANT_BUILDER_INIT (G_VARIANT_TYPE_STRING_ARRAY);

  for (guint i = 0; i < G_N_ELEMENTS (words); i++)
    g_variant_dict_insert (&said, words[i].key, "s", _(words[i].text));
  g_variant_dict_insert (&said, "noisy", "s", memlane_chart_status_title (MEMLANE_STATUS_NOISY));
  for (guint i = 0; i < MEMLANE_N_FAMILIES; i++)
    g_variant_builder_add (&families, "s", memlane_chart_family_title ((MemlaneFamily) i));
  g_variant_dict_insert_value (&data, "words", g_variant_dict_end (&said));
  g_variant_dict_insert_value (&data, "families", g_variant_builder_end (&families));
  g_variant_dict_insert_value (&data, "tints", list_tints ());
  g_variant_dict_insert_value (
      &data, "parts",
      g_variant_new_array (dictionary, (GVariant **) self->parts->pdata, self->parts->len));
  g_variant_dict_insert_value (
      &data, "traces",
      g_variant_new_array (dictionary, (GVariant **) self->traces->pdata, self->traces->len));
  text = to_json (g_variant_dict_end (&data), NULL);
  g_string_append (html, "<script type=\"application/json\" id=\"memlane-data\">");
  append_escaped (html, text);
  g_string_append_printf (html, "</script>\n<script>%s</script>\n", script);
}
