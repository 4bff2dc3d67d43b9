/* test-timeline-page.c: the Timeline page: steps and facts of its scenes; findings, code, summary
 *
 * SPDX-License-Identifier: MIT
 */
#include "base/each.h"
#include "chart/export.h"
#include "trace/trace.h"
#include "engine/same-trace.h"
#include "ui/scene.h"
#include "ui/timeline-page-fixture.h"

/* --- steps -------------------------------------------------------------------------------- */

/* [first]: with the samples that a first visit shows */
static void
do_begin (char **words)
{
  scene.stage = words[0] != NULL ? open_page_first () : open_page ();
  if (words[0] == NULL) /* the device has been asked what it can do */
    ui_test_wait (models_get_objection (scene.stage.models, "system") != NULL);
}

/* MODE OTHER LOG2 */
static void
do_choose (char **words)
{
  choose (&scene.stage, words[0], words[1][0] != '-' ? words[1] : NULL, (guint) atoi (words[2]));
}

/* MODE OTHER LOG2 */
static void
do_record (char **words)
{
  record (&scene.stage, words[0], words[1][0] != '-' ? words[1] : NULL, (guint) atoi (words[2]));
}

/* The cursor of the player goes behind the end of the second trace. */
static void
do_end_of_second (char **words)
{
  gint64 end = memlane_trace_get_end (stage_get_trace (&scene.stage, 1)->trace);

  g_object_set (get_view (&scene.stage), "cursor", (double) end + 1, NULL);
}

/* ID [PICTURE HEIGHT]: the menu opens, is at least so high, and closes. */
static void
do_popup (char **words)
{
  GtkMenuButton *button = GTK_MENU_BUTTON (get (&scene.stage, words[0]));

  gtk_menu_button_popup (button);
  ui_test_next_frame (GTK_WIDGET (scene.stage.window));
  if (words[1] != NULL)
    {
      GtkWidget *popover = GTK_WIDGET (gtk_menu_button_get_popover (button));

      g_assert_cmpint (gtk_widget_get_height (popover), >=, atoi (words[2]));
      ui_test_screenshot (GTK_WIDGET (scene.stage.window), words[1]);
    }
  gtk_menu_button_popdown (button);
}

static void
do_forget_traces (char **words)
{
  MemlaneTraceStore *traces = scene.stage.models->traces;

  while (g_list_model_get_n_items (G_LIST_MODEL (traces)) > 0)
    memlane_trace_store_remove (traces, memlane_list_peek (traces, 0));
}

static char *cli; /* (owned): while another one is used */

static void
do_slow_cli (char **words)
{
  static const char script[] =
      "#!/usr/bin/env bash\ntrap 'exit 130' INT\nwhile :; do sleep 0.05; done\n";
  g_autofree char *path = ui_test_path ("slow-cli");

  cli = g_strdup (g_getenv ("MEMLANE_CLI"));
  g_assert_true (g_file_set_contents_full (path, script, -1, G_FILE_SET_CONTENTS_NONE, 0700, NULL));
  g_setenv ("MEMLANE_CLI", path, TRUE);
}

static void
do_fast_cli (char **words)
{
  g_setenv ("MEMLANE_CLI", cli, TRUE);
  g_clear_pointer (&cli, g_free);
}

/* PATH */
static void
do_save_trace (char **words)
{
  g_autoptr (GError) error = NULL;

  memlane_trace_write_json (get_view (&scene.stage)->tracks[0].trace, words[0], &error);
  g_assert_no_error (error);
}

/* PATH...: as from the command line */
static void
do_open_together (char **words)
{
  GFile *files[4];
  int n = 0;

  for (; words[n] != NULL; n++)
    files[n] = g_file_new_for_path (words[n]);
  g_application_open (G_APPLICATION (scene.stage.application), files, n, "");
  while (n > 0)
    g_object_unref (files[--n]);
}

static void
do_activate_published (char **words)
{
  MemlaneChartPoint published = { .log2_elements = 12 };

  g_signal_emit_by_name (scene_get ("figure"), "point-activated", &published,
                         "published/seed/pinned");
}

/* --- of the laboratory ----------------------------------------------------------------------- */

static GtkWidget *
get_in_lab (const char *id)
{
  return ui_test_find_id (scene_get ("@MemlaneLabPanel"), id);
}

static void
do_open_lab (char **words)
{
  scene.stage = stage_open ();
  stage_do (&scene.stage, "page", g_variant_new_string ("timeline"));
  gtk_stack_set_visible_child_name (GTK_STACK (get (&scene.stage, "kinds")), "lab");
  gtk_drop_down_set_selected (GTK_DROP_DOWN (get_in_lab ("presets")), 0);
  ui_test_next_frame (GTK_WIDGET (scene.stage.window));
  g_assert_true (gtk_widget_get_mapped (get_in_lab ("presets")));
}

static void
do_run_lab (char **words)
{
  g_assert_true (gtk_widget_activate_action (get_in_lab ("presets"), "lab.run", NULL));
  g_assert_true (memlane_trace_store_is_recording (scene.stage.models->traces));
  ui_test_wait (rests (&scene.stage));
  ui_test_next_frame (GTK_WIDGET (scene.stage.window));
}

/* CONTROL: the comparison decides it, so it alone cannot be set. */
static void
do_decides (char **words)
{
  static const char *const controls[] = { "order", "non-blocking", "pageable", "priorities" };

  for (guint i = 0; i < G_N_ELEMENTS (controls); i++)
    g_assert_cmpint (gtk_widget_get_sensitive (get_in_lab (controls[i])), ==,
                     !g_str_equal (controls[i], words[0]));
}

/* COMPARISON FIRST SECOND: the two differ, and are called so. */
static void
do_compares (char **words)
{
  const char *result;

  gtk_drop_down_set_selected (GTK_DROP_DOWN (get_in_lab ("compare")), (guint) atoi (words[0]));
  do_run_lab (NULL);
  result = gtk_label_get_text (GTK_LABEL (get_in_lab ("result")));
  g_assert_true (g_str_has_prefix (result, words[1]));
  g_assert_nonnull (strstr (result, words[2]));
  g_assert_false (is_same_trace (stage_get_trace (&scene.stage, 0)->trace,
                                 stage_get_trace (&scene.stage, 1)->trace));
}

static void
do_click_toggle (char **words)
{
  g_signal_emit_by_name (scene_get (words[0]), "clicked");
}

static const SceneVerb verbs[] = {
  { "open-lab", 0, do_open_lab },
  { "run-lab", 0, do_run_lab },
  { "decides", 1, do_decides },
  { "compares", 3, do_compares },
  { "click-toggle", 1, do_click_toggle },
  { "begin", 0, do_begin },
  { "choose", 3, do_choose },
  { "record", 3, do_record },
  { "end-of-second", 0, do_end_of_second },
  { "popup", 1, do_popup },
  { "forget-traces", 0, do_forget_traces },
  { "slow-cli", 0, do_slow_cli },
  { "fast-cli", 0, do_fast_cli },
  { "save-trace", 1, do_save_trace },
  { "open-together", 1, do_open_together },
  { "activate-published", 0, do_activate_published },
  { NULL, 0, NULL },
};

/* "pinned 12", the name of a trace without a mode, or "none" (transfer full) */
static char *
describe_trace (guint track)
{
  MemlaneTraceItem *item = stage_get_trace (&scene.stage, track);
  const MemlaneTraceInfo *info = get_info (&scene.stage, track);

  if (item == NULL)
    return g_strdup ("none");
  return info->mode != NULL ? g_strdup_printf ("%s %u", info->mode, info->log2_elements)
                            : g_strdup (item->name);
}

/* The figure as it would be saved. (transfer full) */
static char *
draw (void)
{
  MemlaneFigureWidget *view = MEMLANE_FIGURE_WIDGET (get_view (&scene.stage));
  g_autoptr (GError) error = NULL;
  g_autoptr (MemlaneDrawing) drawing = memlane_figure_widget_get_drawing (view, &error);
  g_autoptr (GBytes) svg =
      memlane_export_to_bytes (drawing, memlane_style_get (MEMLANE_STYLE_SCREEN),
                               memlane_export_find (".svg"), 1280, 0, 1, &error);

  g_assert_no_error (error);
  return g_strndup (g_bytes_get_data (svg, NULL), g_bytes_get_size (svg));
}

static gboolean
is_inside (GtkWidget *control)
{
  GtkWidget *page = GTK_WIDGET (get_page (&scene.stage));
  graphene_rect_t area;

  g_assert_true (gtk_widget_compute_bounds (control, page, &area));
  return gtk_widget_get_mapped (control) && area.origin.x >= 0 && area.origin.y >= 0
         && area.origin.x + area.size.width <= gtk_widget_get_width (page)
         && area.origin.y + area.size.height <= gtk_widget_get_height (page);
}

static char *
get_fact (gpointer thing, const char *fact)
{
  MemlaneTraceStore *traces = scene.stage.models->traces;

  if (g_str_has_prefix (fact, "trace:"))
    return describe_trace ((guint) atoi (fact + strlen ("trace:")));
  if (g_str_equal (fact, "efficiency")) /* of the overlap, the last that a label says; % */
    return g_strdup_printf ("%d",
                            atoi (g_strrstr (gtk_label_get_text (thing), "efficiency ") + 11));
  if (g_str_equal (fact, "rests"))
    return scene_from_flag (rests (&scene.stage));
  if (g_str_equal (fact, "recording"))
    return scene_from_flag (memlane_trace_store_is_recording (traces));
  if (g_str_equal (fact, "busy-traces"))
    return scene_from_flag (memlane_trace_store_is_busy (traces));
  if (g_str_equal (fact, "draws"))
    return draw ();
  if (g_str_equal (fact, "inside")) /* the page has all of it */
    return scene_from_flag (is_inside (thing));
  return NULL;
}

/* --- details ------------------------------------------------------------------------------ */

static void
heard_cb (GtkWidget *details, guint track, gpointer link, gpointer *heard)
{
  *heard = link;
}

static void
test_findings (void)
{
  MemlaneTimelineDetails *details;
  GtkListBox *list;
  GtkListBoxRow *row;
  gpointer heard = NULL;
  g_auto (Stage) stage = open_page ();

  record (&stage, "pageable", NULL, 16);
  details = get_details (&stage);
  g_signal_connect (details, "chosen", G_CALLBACK (heard_cb), &heard);
  list = GTK_LIST_BOX (ui_test_find_type (get (&stage, "findings"), GTK_TYPE_LIST_BOX));
  row = gtk_list_box_get_row_at_index (list, 0);
  g_assert_nonnull (row);
  g_assert_nonnull (ui_test_find_text (GTK_WIDGET (row), "pageable"));
  g_assert_true (ui_test_has_name (GTK_WIDGET (row)));

  /* Chosen, its events are lit; a click again lets go. */
  memlane_timeline_links_choose (MEMLANE_TIMELINE_LINKS (get (&stage, "findings")), 0);
  g_assert_nonnull (heard);
  g_assert_nonnull (
      strstr (((MemlaneTimelineLink *) heard)->text, "staged through a page-locked buffer"));
  g_assert_cmpuint (ui_test_get (guint, get_view (&stage), "marked"), ==,
                    ((MemlaneTimelineLink *) heard)->events->len);
  g_signal_emit_by_name (list, "row-activated", row); /* what follows the choice in a click */
  g_assert_true (gtk_list_box_row_is_selected (row));
  g_assert_nonnull (heard);
  g_signal_emit_by_name (list, "row-activated", row);
  g_assert_false (gtk_list_box_row_is_selected (row));
  g_assert_null (heard);
  g_assert_cmpuint (ui_test_get (guint, get_view (&stage), "marked"), ==, 0);
  ui_test_screenshot (GTK_WIDGET (stage.window), "timeline-findings.png");

  /* Of another trace there are others; nothing is chosen. */
  memlane_timeline_links_choose (MEMLANE_TIMELINE_LINKS (get (&stage, "findings")), 0);
  record (&stage, "pinned", "managed", 14);
  g_assert_null (gtk_list_box_get_selected_row (list));
  g_assert_cmpuint (ui_test_get (guint, get_view (&stage), "marked"), ==, 0);
}

static int
compare_ids (gconstpointer a, gconstpointer b)
{
  guint32 first = *(const guint32 *) a, second = *(const guint32 *) b;

  return (first > second) - (first < second);
}

static const MemlaneTimelineLink *
find_line (GPtrArray *lines, const char *part)
{
  MEMLANE_FOR_EACH (MemlaneTimelineLink, link, lines)
    if (strstr (link->text, part) != NULL)
      return link;
  return NULL;
}

/* Each call of a trace belongs to one line of its mode's program, and each line with a call leads
 * to events. */
static void
assert_linked (const MemlaneTrace *trace, const char *name)
{
  g_autoptr (GPtrArray) lines = memlane_timeline_links_of_program (trace);
  guint n;
  const MemlaneTraceEvent *events = memlane_trace_get_events (trace, &n);

  for (guint i = 0; i < n; i++)
    if (events[i].kind == MEMLANE_TRACE_CALL || events[i].kind == MEMLANE_TRACE_HOST)
      {
        guint n_lines = 0;

        MEMLANE_FOR_EACH (MemlaneTimelineLink, link, lines)
          n_lines += g_array_binary_search (link->events, &i, compare_ids, NULL);
        if (n_lines != 1)
          g_error ("%s: %s belongs to %u lines", name,
                   memlane_trace_get_name (trace, events[i].name), n_lines);
      }
  MEMLANE_FOR_EACH (const MemlaneTimelineLink, line, lines)
    if (line->events->len == 0
        && (strstr (line->text, "cuda") != NULL || strstr (line->text, "<<<") != NULL)
        && strstr (line->text, "cudaStream_t ") == NULL)
      g_error ("%s: %s leads to no event", name, line->text);
}

static void
test_code_of_recordings (void)
{
  g_autofree char *folder = ui_test_source ("data/recordings/traces");
  g_autoptr (GDir) files = g_dir_open (folder, 0, NULL);
  const char *name;
  guint n = 0;

  while ((name = g_dir_read_name (files)) != NULL)
    {
      g_autofree char *path = g_build_filename (folder, name, NULL);
      g_autoptr (GError) error = NULL;
      g_autoptr (MemlaneTrace) trace = memlane_trace_read_json (path, NULL, NULL, NULL, &error);
      g_autoptr (GPtrArray) lines = NULL;

      g_assert_no_error (error);
      lines = memlane_timeline_links_of_program (trace);
      g_assert_true ((lines->len == 0) == (strstr (name, "-lab-") != NULL));
      if (lines->len == 0)
        continue;
      assert_linked (trace, name);
      n++;
      if (g_str_has_prefix (name, "h200-streams-breadth-first"))
        {
          g_assert_cmpuint (find_line (lines, "device_a + first, a + first")->events->len, ==,
                            2 * 8);
          g_assert_cmpstr (((MemlaneTimelineLink *) lines->pdata[0])->text, ==,
                           "for (size_t chunk = 0; chunk < chunks; chunk++) {");
        }
      if (g_str_has_prefix (name, "h200-pinned-2p"))
        g_assert_cmpstr (((MemlaneTimelineLink *) lines->pdata[4])->text, ==,
                         "cudaMemcpy(c, device_c, bytes, cudaMemcpyDeviceToHost);");
    }
  g_assert_cmpuint (n, >=, 38);
}

static guint
find_row (GtkListBox *list, const char *part)
{
  GtkListBoxRow *row;

  for (int i = 0; (row = gtk_list_box_get_row_at_index (list, i)) != NULL; i++)
    if (ui_test_find_text (GTK_WIDGET (row), part) != NULL)
      return (guint) i;
  g_error ("no row with %s", part);
}

static guint
count_lit (GtkListBox *list)
{
  GtkListBoxRow *row;
  guint n = 0;

  for (int i = 0; (row = gtk_list_box_get_row_at_index (list, i)) != NULL; i++)
    n += gtk_widget_has_css_class (GTK_WIDGET (row), "lit");
  return n;
}

/* A line lights its bars, and a bar its line; code and findings do not both lead. */
static void
test_code (void)
{
  GtkWidget *code;
  GtkListBox *list;
  guint n;
  g_auto (Stage) stage = open_page ();
  const MemlaneMode *modes = memlane_mode_list (&n);

  for (guint i = 0; i < n; i++)
    if (!g_str_equal (modes[i].id, "system") /* which this device has not */
        && (!g_str_has_prefix (modes[i].id, "pinned-")
            || g_str_equal (modes[i].id, "pinned-async"))) /* of pieces alone */
      {
        record (&stage, modes[i].id, NULL, 14);
        assert_linked (stage_get_trace (&stage, 0)->trace, modes[i].id);
      }
  record (&stage, "pageable", "pinned", 14);
  ui_test_next_frame (GTK_WIDGET (stage.window));
  code = get (&stage, "code");
  g_assert_true (gtk_widget_get_mapped (code));
  list = GTK_LIST_BOX (ui_test_find_type (code, GTK_TYPE_LIST_BOX));
  g_assert_true (ui_test_has_name (GTK_WIDGET (gtk_list_box_get_row_at_index (list, 0))));
  memlane_timeline_links_choose (MEMLANE_TIMELINE_LINKS (code), find_row (list, "<<<"));
  g_assert_cmpuint (ui_test_get (guint, get_view (&stage), "marked"), ==,
                    2); /* the launch and the kernel */
  memlane_timeline_links_choose (MEMLANE_TIMELINE_LINKS (get (&stage, "findings")), 0);
  g_assert_null (gtk_list_box_get_selected_row (list));
  g_assert_cmpuint (ui_test_get (guint, get_view (&stage), "marked"), >, 0);

  g_assert_cmpuint (count_lit (list), ==, 0);
  gtk_widget_activate_action (GTK_WIDGET (get_view (&stage)), "timeline.next-event", NULL);
  for (guint i = 0; i < 40 && count_lit (list) == 0; i++)
    gtk_widget_activate_action (GTK_WIDGET (get_view (&stage)), "timeline.next-event", NULL);
  g_assert_cmpuint (count_lit (list), ==, 1);
  ui_test_next_frame (GTK_WIDGET (stage.window));
  ui_test_screenshot (GTK_WIDGET (stage.window), "timeline-code.png");

  /* By the View menu it goes, and it is not there where a window is narrow, on the wall, and for
   * schedules of the laboratory. */
  activate (&stage, "trace.code", NULL);
  g_assert_false (gtk_widget_get_mapped (code));
  activate (&stage, "trace.code", NULL);
  g_assert_true (gtk_widget_get_mapped (code));
  stage_do (&stage, "projector", NULL);
  g_assert_false (gtk_widget_get_mapped (code));
  stage_do (&stage, "projector", NULL);
}

/* What "copy" puts on the clipboard. (transfer full) */
static char *
copy_summary (Stage *stage)
{
  gtk_widget_activate_action (get (stage, "summary"), "summary.copy", NULL);
  return ui_test_read_clipboard (GTK_WIDGET (stage->window));
}

/* The cell in that column of the first row, as it is read out. */
static char *
first_cell (GtkWidget *summary, const char *text)
{
  GtkWidget *found = ui_test_find_text (summary, text);

  return found != NULL ? g_strdup (gtk_label_get_text (GTK_LABEL (found))) : NULL;
}

static void
test_summary (void)
{
  static const char *const ids[] = { "",       "section",   "percent", "time",
                                     "calls",  "average",   "minimum", "maximum",
                                     "median", "deviation", "name",    "name" };
  GtkWidget *summary;
  GtkStack *pages;
  GtkSelectionModel *model;
  g_autofree char *text = NULL, *copied = NULL, *header = NULL;
  g_auto (Stage) stage = open_page ();

  record (&stage, "streams-depth-first", NULL, 16);
  summary = get (&stage, "summary");
  pages = GTK_STACK (ui_test_find_id (GTK_WIDGET (get_details (&stage)), "pages"));
  gtk_stack_set_visible_child_name (pages, "summary");
  ui_test_next_frame (GTK_WIDGET (stage.window));
  model = gtk_column_view_get_model (
      GTK_COLUMN_VIEW (ui_test_find_type (summary, GTK_TYPE_COLUMN_VIEW)));
  g_assert_cmpuint (g_list_model_get_n_items (G_LIST_MODEL (model)), >, 3);
  header = first_cell (summary, "Time(%)");
  g_assert_cmpstr (header, ==, "Time(%)");
  for (guint i = 0; i < G_N_ELEMENTS (ids); i++)
    {
      gtk_widget_activate_action (summary, "summary.sort", "s", ids[i]);
      ui_test_next_frame (GTK_WIDGET (stage.window));
    }
  ui_test_screenshot (GTK_WIDGET (stage.window), "timeline-summary.png");

  text = memlane_trace_summary_to_text (stage_get_trace (&stage, 0)->trace);
  g_assert_nonnull (strstr (text, "cudaMemcpyAsync"));
  g_assert_nonnull (strstr (text, "Median"));
  copied = copy_summary (&stage);
  stage_wait_toast (&stage, "Copied the table");
  g_assert_cmpstr (copied, ==, text);

  /* Two traces: a column more, and both tables in the text. */
  record (&stage, "pinned", "mapped", 12);
  g_clear_pointer (&copied, g_free);
  copied = copy_summary (&stage);
  g_assert_true (g_str_has_prefix (copied, "Pinned · 2¹²\n"));
  g_assert_nonnull (strstr (copied, "\nMapped"));
  gtk_stack_set_visible_child_name (pages, "notes");
  ui_test_next_frame (GTK_WIDGET (stage.window));
  ui_test_screenshot (GTK_WIDGET (stage.window), "timeline-notes.png");
}

int
main (int argc, char **argv)
{
  ui_test_init (&argc, &argv);
  scene.own_verbs = verbs;
  scene.get_own_fact = get_fact;
  scene_add_file ("timeline/timeline-page.scene");
  scene_add_file ("timeline/lab-panel.scene");
  g_test_add_func ("/timeline-page/findings", test_findings);
  g_test_add_func ("/timeline-page/code-of-recordings", test_code_of_recordings);
  g_test_add_func ("/timeline-page/code", test_code);
  g_test_add_func ("/timeline-page/summary", test_summary);
  return ui_test_run ();
}
