/* report-data.c: curves, answers and timelines as JSON, and the script that reads it
 *
 * SPDX-License-Identifier: MIT
 */
#include "report-data.h"

#include <glib/gi18n-lib.h>
#include <json-glib/json-glib.h>
#include <math.h>
#include <string.h>

#include "chart/answer-words.h"
#include "chart/chart-words.h"
#include "chart/style.h"
#include "chart/timeline/span-style.h"
#include "page-resource.h"

#define MOST_EVENTS 4000

struct _MemlaneReportData
{
  JsonArray *parts, *traces;
  gsize answers; /* bytes that the answers of all parts take */
};

/* The words of the script. */
static const struct { const char *key, *text; } words[] = {
  { "all", N_("All") }, { "answer", N_("Answer") }, { "axis", N_("Axis") }, { "bandwidth", N_("Bandwidth") },
  { "chart", N_("Curves by vector size. Left and Right choose a size, Up and Down a curve.") }, { "compare", N_("Compare with") },
  { "computed", N_("computed") }, { "count", N_("What counts") }, { "direction", N_("Direction") }, { "earlier", N_("Previous Event") },
  { "event", N_("Event {n} of {all}") }, { "faster", N_("{a} takes {factor} times as long as {b}.") }, { "fit", N_("Show All of It") },
  { "floats", N_("{n} floats") },
  { "hint", N_("Point at a curve, or press the arrow keys in the chart. Drag to zoom; double-click shows everything.") },
  { "interval", N_("95 % interval") }, { "later", N_("Next Event") }, { "linear", N_("Linear") }, { "log", N_("Logarithmic") },
  { "map", N_("Which mode to use. The arrow keys walk from place to place.") }, { "measured", N_("measured") }, { "modes", N_("Modes") },
  { "none", N_("None") }, { "nothing", N_("Not enough data.") },
  { "open", N_("Hatched: another mode may be faster. Pale: it makes no difference.") }, { "overview", N_("One mode a family") },
  { "pause", N_("Pause") }, { "play", N_("Play") }, { "reuse", N_("Kernels per transfer") },
  { "right", N_("Your prediction was right.") }, { "scale", N_("Scale") }, { "simulated", N_("SIMULATED") },
  { "size", N_("Vector size") }, { "step", N_("All predictions here, by time") }, { "tied", N_("tied") }, { "time", N_("Time") },
  { "timeline", N_("Timeline. Space plays, comma and full stop step, plus and minus zoom, 0 shows everything.") },
  { "wrong", N_("Your prediction was wrong. Right: {right}") }, { "yours", N_("No prediction was made.") }, { "zoomin", N_("Zoom In") },
  { "zoomout", N_("Zoom Out") },
};

MemlaneReportData *
memlane_report_data_new (void)
{
  MemlaneReportData *self = g_new0 (MemlaneReportData, 1);

  self->parts = json_array_new ();
  self->traces = json_array_new ();
  return self;
}

void
memlane_report_data_free (MemlaneReportData *self)
{
  json_array_unref (self->parts);
  json_array_unref (self->traces);
  g_free (self);
}

/* JSON holds valid UTF-8 alone; files may say anything. */
static void
set_text (JsonObject *object, const char *name, const char *text)
{
  g_autofree char *valid = g_utf8_make_valid (text != NULL ? text : "", -1);

  json_object_set_string_member (object, name, valid);
}

/* Takes @text. */
static void
add_text (JsonArray *array, char *text)
{
  g_autofree char *valid = g_utf8_make_valid (text != NULL ? text : "", -1);

  json_array_add_string_element (array, valid);
  g_free (text);
}

/* --- curves --------------------------------------------------------------------------------------------------------- */

static JsonArray *
point_to_json (const MemlaneChartPoint *point)
{
  JsonArray *array = json_array_new ();
  double bandwidth = memlane_figure_get_bandwidth (point->figure);
  g_autofree char *low = memlane_unit_format (MEMLANE_UNIT_TIME, point->low, TRUE);
  g_autofree char *high = memlane_unit_format (MEMLANE_UNIT_TIME, point->high, TRUE);

  json_array_add_int_element (array, point->log2_elements);
  json_array_add_double_element (array, point->value);
  json_array_add_double_element (array, point->low);
  json_array_add_double_element (array, point->high);
  json_array_add_double_element (array, isfinite (bandwidth) ? bandwidth : 0);
  json_array_add_int_element (array, point->noisy);
  add_text (array, memlane_unit_format (MEMLANE_UNIT_TIME, point->value, TRUE));
  add_text (array, point->low < point->high ? g_strdup_printf (_("%s to %s"), low, high) : NULL);
  add_text (array, isfinite (bandwidth) && bandwidth > 0 ? memlane_unit_format (MEMLANE_UNIT_BANDWIDTH, bandwidth, TRUE) : NULL);
  return array;
}

static JsonObject *
series_to_json (const MemlaneSeries *series)
{
  JsonObject *object = json_object_new ();
  JsonArray *points = json_array_new (), *dashes = json_array_new ();
  MemlaneCurveStyle curve = memlane_curve_style_for_mode (series->mode, memlane_style_get (MEMLANE_STYLE_SCREEN));

  for (int i = 0; i < curve.n_dashes; i++)
    json_array_add_double_element (dashes, curve.dashes[i]);
  for (guint i = 0; i < series->points->len; i++)
    json_array_add_array_element (points, point_to_json (&g_array_index (series->points, MemlaneChartPoint, i)));
  set_text (object, "mode", series->mode);
  set_text (object, "label", series->label);
  json_object_set_int_member (object, "family", series->family);
  json_object_set_array_member (object, "dash", dashes);
  json_object_set_array_member (object, "points", points);
  return object;
}

guint
memlane_report_data_add_part (MemlaneReportData *self, const char *name, const MemlaneChart *chart)
{
  JsonObject *object = json_object_new ();
  JsonArray *series = json_array_new ();
  g_autofree char *title = memlane_chart_workload_title (chart->workload);

  set_text (object, "run", name);
  set_text (object, "workload", chart->workload);
  set_text (object, "title", title);
  json_object_set_boolean_member (object, "simulated", chart->simulated);
  for (guint i = 0; i < chart->series->len; i++)
    json_array_add_object_element (series, series_to_json (chart->series->pdata[i]));
  json_object_set_array_member (object, "series", series);
  json_array_add_object_element (self->parts, object);
  return json_array_get_length (self->parts) - 1;
}

/* --- answers -------------------------------------------------------------------------------------------------------- */

/* Sentences, each once. */
typedef struct
{
  JsonArray *texts;
  GHashTable *places; /* (element-type utf8 guint) */
  gsize length;
} Sentences;

static void
add_sentence (Sentences *sentences, JsonArray *ids, const MemlaneAnswer *answer)
{
  char *words_of = memlane_answer_to_words (answer);
  gpointer place;

  if (!g_hash_table_lookup_extended (sentences->places, words_of, NULL, &place))
    {
      place = GUINT_TO_POINTER (json_array_get_length (sentences->texts));
      sentences->length += strlen (words_of) + 4;
      add_text (sentences->texts, g_strdup (words_of));
      g_hash_table_insert (sentences->places, g_strdup (words_of), place);
    }
  json_array_add_int_element (ids, GPOINTER_TO_UINT (place));
  g_free (words_of);
}

/* The answer, one line of evidence and one of doubt, as memlane-cli decide prints them; then the time of each mode. */
static JsonArray *
place_to_json (const MemlaneDecision *decision, guint size, guint reuse, Sentences *sentences)
{
  const MemlaneChoice *choice = memlane_decision_get (decision, size, reuse);
  g_autoptr (GPtrArray) answers = memlane_decision_answer (decision, decision->sizes[size], memlane_decide_reuse (reuse));
  JsonArray *place = json_array_new (), *ids = json_array_new (), *times = json_array_new ();
  gboolean doubted = FALSE;
  guint32 measured = 0;

  for (guint i = 0; i < answers->len && !doubted; i++)
    {
      const MemlaneAnswer *answer = answers->pdata[i];

      add_sentence (sentences, ids, answer);
      doubted = answer->kind == MEMLANE_ANSWER_BASIS || answer->kind == MEMLANE_ANSWER_ADVICE;
    }
  for (guint mode = 0; mode < decision->n_modes; mode++)
    {
      MemlaneForecast forecast;

      if (!(decision->present >> mode & 1))
        continue;
      if (!memlane_decision_forecast (decision, mode, decision->sizes[size], memlane_decide_reuse (reuse), &forecast))
        forecast = (MemlaneForecast) { 0 };
      measured |= forecast.basis == MEMLANE_BASIS_MEASURED ? 1u << mode : 0;
      json_array_add_int_element (times, (gint64) round (forecast.ns.value));
    }
  json_array_add_int_element (place, choice->choice);
  json_array_add_int_element (place, choice->open ? 1 : choice->alike ? 2 : 0);
  json_array_add_array_element (place, ids);
  json_array_add_array_element (place, times);
  json_array_add_int_element (place, measured);
  json_array_add_int_element (place, choice->ties);
  return place;
}

static JsonObject *
decision_to_json (const MemlaneDecision *decision, Sentences *sentences)
{
  JsonObject *object = json_object_new ();
  JsonArray *sizes = json_array_new (), *places = json_array_new ();
  guint n;
  const MemlaneMode *modes = memlane_mode_list (&n);
  JsonArray *present = json_array_new ();

  for (guint i = 0; i < n; i++)
    if (decision->present >> i & 1)
      {
        JsonArray *mode = json_array_new ();

        json_array_add_int_element (mode, i);
        json_array_add_string_element (mode, modes[i].id);
        add_text (mode, memlane_chart_mode_label (modes[i].id, NULL));
        json_array_add_int_element (mode, modes[i].family);
        json_array_add_array_element (present, mode);
      }
  for (guint i = 0; i < decision->n_sizes; i++)
    {
      json_array_add_int_element (sizes, decision->sizes[i]);
      for (guint j = 0; j < MEMLANE_DECIDE_REUSES; j++)
        json_array_add_array_element (places, place_to_json (decision, i, j, sentences));
    }
  json_object_set_array_member (object, "modes", present);
  json_object_set_array_member (object, "sizes", sizes);
  json_object_set_array_member (object, "places", places);
  return object;
}

static char *
to_text (JsonNode *root, gsize *length)
{
  g_autoptr (JsonGenerator) generator = json_generator_new ();

  json_generator_set_root (generator, root);
  return json_generator_to_data (generator, length);
}

gboolean
memlane_report_data_add_answers (MemlaneReportData *self, MemlaneRun *run, const char *workload, gsize room)
{
  g_autoptr (GPtrArray) runs = g_ptr_array_new ();
  g_autoptr (GHashTable) places = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  g_autoptr (JsonNode) node = json_node_new (JSON_NODE_OBJECT);
  Sentences sentences = { .texts = json_array_new (), .places = places };
  JsonObject *decide = json_object_new ();
  JsonArray *answers = json_array_new (), *parts = self->parts;
  g_autofree char *text = NULL;
  gsize length;

  g_ptr_array_add (runs, run);
  for (guint i = 0; i < MEMLANE_N_DIRECTIONS * MEMLANE_N_COUNTS; i++)
    {
      const MemlaneQuestion question = { workload, (MemlaneDirection) (i / MEMLANE_N_COUNTS), (MemlaneCount) (i % MEMLANE_N_COUNTS), 1 };
      g_autoptr (MemlaneDecision) decision = memlane_decision_new (runs, &question);
      JsonObject *object;

      if (decision->direction != question.direction || decision->count != question.count)
        continue; /* the workload or the run does not tell it */
      object = decision_to_json (decision, &sentences);
      json_object_set_string_member (object, "direction", _(memlane_direction_title (question.direction)));
      json_object_set_string_member (object, "count", _(memlane_count_title (question.count)));
      json_array_add_object_element (answers, object);
    }
  json_object_set_array_member (decide, "texts", sentences.texts);
  json_object_set_array_member (decide, "answers", answers);
  json_node_take_object (node, decide);
  text = to_text (node, &length);
  if (self->answers + length > room)
    return FALSE;
  self->answers += length;
  json_object_set_object_member (json_array_get_object_element (parts, json_array_get_length (parts) - 1), "decide",
                                 json_object_ref (decide));
  return TRUE;
}

/* --- timelines --------------------------------------------------------------------------------------------------------- */

/* An event as the script draws it: when, how long, its colour and pattern, its name, what to read and what happens. */
static JsonArray *
event_to_json (const MemlaneTrace *trace, const MemlaneTraceEvent *event, guint id)
{
  JsonArray *array = json_array_new ();
  MemlaneSpanStyle style = memlane_span_style_of (trace, event, MEMLANE_TIMELINE_BY_KIND);

  json_array_add_int_element (array, event->start);
  json_array_add_int_element (array, event->duration);
  json_array_add_int_element (array, style.tint);
  add_text (array, memlane_timeline_span_name (trace, id, MEMLANE_NAME_USUAL));
  add_text (array, memlane_timeline_read_event (trace, id));
  add_text (array, event->kind == MEMLANE_TRACE_PHASE ? NULL : memlane_timeline_narrate (trace, id));
  return array;
}

gboolean
memlane_report_data_add_trace (MemlaneReportData *self, const MemlaneTrace *trace)
{
  guint n_events, n_lanes;
  const MemlaneTraceEvent *events = memlane_trace_get_events (trace, &n_events);
  const MemlaneTraceLane *lanes = memlane_trace_get_lanes (trace, &n_lanes);
  JsonObject *object;
  JsonArray *shown, *rows;
  g_autofree char *title = NULL;

  if (n_events > MOST_EVENTS)
    return FALSE;
  object = json_object_new ();
  shown = json_array_new ();
  rows = json_array_new ();
  title = memlane_timeline_plain_title (trace);
  set_text (object, "title", title);
  json_object_set_boolean_member (object, "simulated", memlane_trace_get_info (trace)->simulated);
  json_object_set_int_member (object, "end", memlane_trace_get_end (trace));
  for (guint i = 0; i < n_events; i++)
    json_array_add_array_element (shown, event_to_json (trace, &events[i], i));
  for (guint i = 0; i < n_lanes; i++)
    {
      JsonObject *lane = json_object_new ();
      JsonArray *ids = json_array_new ();
      g_autofree char *name = memlane_timeline_lane_title (trace, &lanes[i]);

      for (guint j = 0; j < lanes[i].n_events; j++)
        {
          json_array_add_int_element (ids, lanes[i].events[j]);
          json_array_add_int_element (ids, lanes[i].rows[j]);
        }
      set_text (lane, "title", name);
      json_object_set_int_member (lane, "rows", MAX (lanes[i].n_rows, 1));
      json_object_set_array_member (lane, "events", ids);
      json_array_add_object_element (rows, lane);
    }
  json_object_set_array_member (object, "events", shown);
  json_object_set_array_member (object, "lanes", rows);
  json_array_add_object_element (self->traces, object);
  return TRUE;
}

/* --- the page ------------------------------------------------------------------------------------------------------------ */

static GBytes *
find_file (const char *name)
{
  g_autofree char *path = g_strconcat ("/io/github/memlane/page/", name, NULL);

  return g_resource_lookup_data (memlane_page_get_resource (), path, G_RESOURCE_LOOKUP_FLAGS_NONE, NULL);
}

void
memlane_report_data_append_file (GString *html, const char *name)
{
  g_autoptr (GBytes) bytes = find_file (name);

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
  g_string_append_printf (html, "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'; "
                                "img-src data:; script-src 'sha256-%s'\"/>\n", hash);
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

static void
add_palettes (JsonObject *data)
{
  JsonArray *tints = json_array_new (), *families = json_array_new ();

  for (guint i = 0; i < MEMLANE_TINT_STREAM; i++)
    for (guint dark = 0; dark < 2; dark++)
      {
        const MemlaneStyle *style = memlane_style_get (dark ? MEMLANE_STYLE_DARK : MEMLANE_STYLE_SCREEN);
        MemlaneColor color = memlane_span_tint_color ((MemlaneTint) i, style);

        add_text (tints, g_strdup_printf ("#%02x%02x%02x", (guint) (color.red * 255 + 0.5), (guint) (color.green * 255 + 0.5),
                                          (guint) (color.blue * 255 + 0.5)));
      }
  for (guint i = 0; i < MEMLANE_N_FAMILIES; i++)
    add_text (families, g_strdup (memlane_chart_family_title ((MemlaneFamily) i)));
  json_object_set_array_member (data, "tints", tints);
  json_object_set_array_member (data, "families", families);
}

void
memlane_report_data_append_scripts (MemlaneReportData *self, GString *html)
{
  g_autoptr (JsonNode) node = json_node_new (JSON_NODE_OBJECT);
  g_autofree char *text = NULL, *script = get_script ();
  JsonObject *data = json_object_new (), *said = json_object_new ();

  for (guint i = 0; i < G_N_ELEMENTS (words); i++)
    json_object_set_string_member (said, words[i].key, _(words[i].text));
  json_object_set_string_member (said, "noisy", memlane_chart_status_title (MEMLANE_STATUS_NOISY));
  json_object_set_object_member (data, "words", said);
  json_object_set_array_member (data, "parts", json_array_ref (self->parts));
  json_object_set_array_member (data, "traces", json_array_ref (self->traces));
  add_palettes (data);
  json_node_take_object (node, data);
  text = to_text (node, NULL);
  g_string_append (html, "<script type=\"application/json\" id=\"memlane-data\">");
  append_escaped (html, text);
  g_string_append (html, "</script>\n<script>");
  g_string_append (html, script);
  g_string_append (html, "</script>\n");
}
