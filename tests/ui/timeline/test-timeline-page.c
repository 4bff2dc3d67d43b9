/* test-timeline-page.c: the Timeline page in the window: record, compare, find, stop, open, project; by actions
 *
 * SPDX-License-Identifier: MIT
 */
#include "chart/export.h"
#include "ui/timeline-page-fixture.h"
#include "timeline/timeline-view.h"
#include "trace/trace.h"
#include "base/each.h"

/* --- recording ------------------------------------------------------------------------------------------------- */

/* The first visit shows the same work in two modes, as a GPU did it, and not an empty page. */
static void
test_first_visit (void)
{
  g_auto (Stage) stage = open_page_first ();

  g_assert_cmpstr (get_info (&stage, 0)->mode, ==, "pageable");
  g_assert_cmpstr (get_info (&stage, 1)->mode, ==, "pinned");
  g_assert_cmpuint (get_info (&stage, 0)->log2_elements, ==, 20);
  g_assert_true (stage_can (&stage, "export-figure"));
  g_assert_false (gtk_widget_get_mapped (get (&stage, "nothing")));
  ui_test_screenshot (GTK_WIDGET (stage.window), "timeline-first-visit.png");
}

static void
test_record (void)
{
  AdwStatusPage *nothing;
  GtkWidget *run_button;
  const char *notes;
  g_auto (Stage) stage = open_page ();

  choose (&stage, "pinned", NULL, 12);
  nothing = ADW_STATUS_PAGE (get (&stage, "nothing"));
  g_assert_cmpstr (adw_status_page_get_title (nothing), ==, "No timeline yet");
  g_assert_nonnull (strstr (adw_status_page_get_description (nothing), "Pinned 2¹² on Simulated H200"));
  g_assert_true (gtk_widget_get_mapped (GTK_WIDGET (nothing)));
  g_assert_true (gtk_widget_get_mapped (get (&stage, "recorded_first")));
  g_assert_false (stage_can (&stage, "export-figure"));
  g_assert_false (stage_can (&stage, "export-trace"));
  ui_test_screenshot (GTK_WIDGET (stage.window), "timeline-nothing.png");

  activate (&stage, "trace.record", NULL);
  g_assert_cmpstr (adw_status_page_get_title (nothing), ==, "Recording");
  g_assert_false (stage_can (&stage, "run")); /* a sweep would be disturbed */
  g_assert_true (stage_can (&stage, "stop"));
  run_button = ui_test_find_id (GTK_WIDGET (stage.window), "run_button");
  g_assert_nonnull (strstr (gtk_widget_get_tooltip_text (run_button), "A trace is being recorded"));
  ui_test_wait (rests (&stage));
  ui_test_next_frame (GTK_WIDGET (stage.window));
  g_assert_true (stage_can (&stage, "run"));
  g_assert_false (stage_can (&stage, "stop"));
  g_assert_true (stage_can (&stage, "export-figure"));
  g_assert_true (stage_can (&stage, "export-trace"));
  g_assert_true (gtk_widget_get_mapped (GTK_WIDGET (get_view (&stage))));
  g_assert_cmpstr (get_info (&stage, 0)->mode, ==, "pinned");
  g_assert_cmpuint (get_info (&stage, 0)->log2_elements, ==, 12);
  g_assert_true (get_view (&stage)->tracks[0].trace ==
                 stage_get_trace (&stage, 0)->trace);
  g_assert_null (get_info (&stage, 1));

  notes = gtk_label_get_text (GTK_LABEL (get (&stage, "notes")));
  g_assert_nonnull (strstr (notes, "SIMULATED"));
  g_assert_nonnull (strstr (notes, "Method"));
  g_assert_nonnull (strstr (notes, "Overhead"));
  ui_test_screenshot (GTK_WIDGET (stage.window), "timeline-pinned.png");
}

static void
check_inside (Stage *stage, const char *id)
{
  GtkWidget *page = GTK_WIDGET (get_page (stage)), *control = get (stage, id);
  graphene_rect_t area;

  g_assert_true (gtk_widget_get_mapped (control));
  g_assert_true (gtk_widget_compute_bounds (control, page, &area));
  if (area.origin.x < 0 || area.origin.x + area.size.width > gtk_widget_get_width (page) || area.origin.y < 0
      || area.origin.y + area.size.height > gtk_widget_get_height (page))
    g_error ("at %d x %d px %s ends at %.0f, %.0f px", gtk_widget_get_width (page), gtk_widget_get_height (page), id,
             area.origin.x + area.size.width, area.origin.y + area.size.height);
}

/* No button of the bar is out of view in a narrow or low window, nor after it. */
static void
test_narrow (void)
{
  static const int sizes[][2] = { { 1280, 640 }, { 720, 640 }, { 469, 640 }, { 720, 640 }, { 720, 400 }, { 469, 300 },
                                  { 1280, 400 }, { 1280, 640 } };
  static const char *const tabs[][2] = { { "sample", "record" }, { "program", "record_program" }, { "lab", "run" } };
  g_auto (Stage) stage = open_page ();

  record (&stage, "pinned", NULL, 14);
  for (guint i = 0; i < G_N_ELEMENTS (sizes); i++)
    for (guint tab = 0; tab < G_N_ELEMENTS (tabs); tab++)
      {
        gtk_window_set_default_size (GTK_WINDOW (stage.window), sizes[i][0], sizes[i][1]);
        gtk_stack_set_visible_child_name (GTK_STACK (get (&stage, "kinds")), tabs[tab][0]);
        ui_test_next_frame (GTK_WIDGET (stage.window));
        ui_test_next_frame (GTK_WIDGET (stage.window));
        check_inside (&stage, "kinds_switcher");
        check_inside (&stage, tabs[tab][1]);
        check_inside (&stage, "view_menu");
        check_inside (&stage, "play");
        check_inside (&stage, "details_button");
      }
  gtk_stack_set_visible_child_name (GTK_STACK (get (&stage, "kinds")), "sample"); /* the next window opens with what was seen */
}

/* The laboratory has its own picture: nothing before its first recording; each tab shows its last one again. */
static void
test_tabs (void)
{
  MemlaneTraceItem *item;
  g_auto (Stage) stage = open_page ();
  GtkStack *kinds = GTK_STACK (get (&stage, "kinds"));

  record (&stage, "pinned", NULL, 14);
  item = stage_get_trace (&stage, 0);
  g_assert_nonnull (item);
  gtk_stack_set_visible_child_name (kinds, "program");
  g_assert_true (stage_get_trace (&stage, 0) == item);
  gtk_stack_set_visible_child_name (kinds, "lab");
  g_assert_null (stage_get_trace (&stage, 0));
  g_assert_cmpstr (gtk_stack_get_visible_child_name (GTK_STACK (get (&stage, "stack"))), ==, "nothing");
  gtk_stack_set_visible_child_name (kinds, "sample");
  g_assert_true (stage_get_trace (&stage, 0) == item);
  /* A trace that was closed meanwhile does not come back. */
  gtk_stack_set_visible_child_name (kinds, "lab");
  memlane_trace_store_remove (stage.models->traces, item);
  gtk_stack_set_visible_child_name (kinds, "sample");
  g_assert_null (stage_get_trace (&stage, 0));
}

/* A trace appears on the tab that recorded it, whatever tab is seen when it arrives. */
static void
test_tab_changed (void)
{
  static const struct
  {
    const char *tab, *action, *other;
  } cases[] = { { "sample", "trace.record", "lab" }, { "lab", "lab.run", "sample" } };
  GtkStack *kinds;
  g_auto (Stage) stage = open_page ();

  ui_test_wait (models_get_objection (stage.models, "system") != NULL);
  kinds = GTK_STACK (get (&stage, "kinds"));
  choose (&stage, "pinned", NULL, 14);
  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      MemlaneTraceItem *shown;

      gtk_stack_set_visible_child_name (kinds, cases[i].other);
      shown = stage_get_trace (&stage, 0);
      gtk_stack_set_visible_child_name (kinds, cases[i].tab);
      g_assert_null (stage_get_trace (&stage, 0));
      gtk_widget_activate_action (get (&stage, "presets"), cases[i].action, NULL);
      g_assert_true (memlane_trace_store_is_recording (stage.models->traces));
      gtk_stack_set_visible_child_name (kinds, cases[i].other);
      ui_test_wait (rests (&stage));
      g_assert_true (stage_get_trace (&stage, 0) == shown);
      gtk_stack_set_visible_child_name (kinds, cases[i].tab);
      g_assert_nonnull (stage_get_trace (&stage, 0));
      g_assert_true ((stage_get_trace (&stage, 1) != NULL) == (i == 1));
    }
  gtk_stack_set_visible_child_name (kinds, "sample"); /* the next window opens with what was seen */
}

/* The empty page speaks of what the tab that is seen records. */
static void
test_empty (void)
{
  AdwStatusPage *nothing;
  g_auto (Stage) stage = open_page ();

  ui_test_wait (models_get_objection (stage.models, "system") != NULL);
  choose (&stage, "pinned", NULL, 14);
  nothing = ADW_STATUS_PAGE (get (&stage, "nothing"));
  g_assert_nonnull (strstr (adw_status_page_get_description (nothing), "Record Pinned 2¹⁴ on Simulated H200 to see every call"));
  gtk_stack_set_visible_child_name (GTK_STACK (get (&stage, "kinds")), "lab");
  g_assert_nonnull (strstr (adw_status_page_get_description (nothing), "Record Depth-first, then Breadth-first, on Simulated H200"));
  g_assert_false (gtk_widget_has_css_class (get (&stage, "record_first"), "suggested-action")); /* the bar's is */
  gtk_stack_set_visible_child_name (GTK_STACK (get (&stage, "kinds")), "sample"); /* the next window opens with what was seen */
}

/* Twenty modes: the list of recorded traces shows more than two of them. */
static void
test_recorded_list (void)
{
  GtkPopover *popover;
  g_auto (Stage) stage = open_page ();

  gtk_window_set_default_size (GTK_WINDOW (stage.window), 1280, 720);
  ui_test_next_frame (GTK_WIDGET (stage.window));
  gtk_menu_button_popup (GTK_MENU_BUTTON (get (&stage, "recorded_first")));
  ui_test_next_frame (GTK_WIDGET (stage.window));
  popover = gtk_menu_button_get_popover (GTK_MENU_BUTTON (get (&stage, "recorded_first")));
  g_assert_cmpint (gtk_widget_get_height (GTK_WIDGET (popover)), >=, 240);
  ui_test_screenshot (GTK_WIDGET (stage.window), "timeline-recorded-list.png");
  gtk_popover_popdown (popover);
}

/* A comparison is recorded when it is chosen, without Record; No comparison leaves the first trace alone. */
static void
test_chosen (void)
{
  GtkDropDown *beside;
  MemlaneFigureWidget *figure;
  g_auto (Stage) stage = open_page ();

  choose (&stage, "pageable", NULL, 14);
  beside = GTK_DROP_DOWN (ui_test_find_id (get (&stage, "recorder"), "beside"));
  gtk_drop_down_set_selected (beside, mode_position ("pinned") + 1);
  g_assert_true (memlane_trace_store_is_recording (memlane_window_get_models (stage.window)->traces));
  ui_test_wait (rests (&stage));
  g_assert_true (shows_recorded (&stage));
  figure = MEMLANE_FIGURE_WIDGET (get (&stage, "view"));
  gtk_widget_activate_action (GTK_WIDGET (figure), "timeline.play", NULL);
  g_object_set (figure, "cursor", (double) memlane_trace_get_end (stage_get_trace (&stage, 1)->trace) + 1, NULL);
  g_assert_nonnull (strstr (figure->reading, "Pageable · 2¹⁴")); /* a line for each */
  g_assert_nonnull (strstr (figure->reading, "\nPinned · 2¹⁴"));
  g_assert_nonnull (strstr (figure->reading, "Done after "));
  gtk_drop_down_set_selected (beside, 0);
  g_assert_null (stage_get_trace (&stage, 1));
  g_assert_nonnull (stage_get_trace (&stage, 0));
}

static void
test_beside (void)
{
  GtkWidget *traces;
  g_auto (Stage) stage = open_page ();

  record (&stage, "pageable", "pinned", 14);
  g_assert_cmpstr (get_info (&stage, 0)->mode, ==, "pageable");
  g_assert_cmpstr (get_info (&stage, 1)->mode, ==, "pinned");
  g_assert_nonnull (get_view (&stage)->tracks[1].trace);
  ui_test_next_frame (GTK_WIDGET (stage.window));
  ui_test_screenshot (GTK_WIDGET (stage.window), "timeline-two.png");

  /* The menu: one alone, the other first, side by side again, closed one after the other. Newest first: 0 is pinned. */
  traces = get (&stage, "traces");
  gtk_menu_button_popup (GTK_MENU_BUTTON (traces));
  ui_test_next_frame (GTK_WIDGET (stage.window));
  gtk_menu_button_popdown (GTK_MENU_BUTTON (traces));
  activate (&stage, "trace.beside", g_variant_new_int32 (-1));
  g_assert_null (get_info (&stage, 1));
  g_assert_null (get_view (&stage)->tracks[1].trace);
  activate (&stage, "trace.show", g_variant_new_uint32 (0));
  g_assert_cmpstr (get_info (&stage, 0)->mode, ==, "pinned");
  activate (&stage, "trace.beside", g_variant_new_int32 (1));
  g_assert_cmpstr (get_info (&stage, 1)->mode, ==, "pageable");
  activate (&stage, "trace.show", g_variant_new_uint32 (9)); /* no such one */
  activate (&stage, "trace.beside", g_variant_new_int32 (9));
  g_assert_cmpstr (get_info (&stage, 1)->mode, ==, "pageable");
  activate (&stage, "trace.close", NULL);
  g_assert_cmpstr (get_info (&stage, 0)->mode, ==, "pageable");
  g_assert_null (get_info (&stage, 1));
  activate (&stage, "trace.close", NULL);
  g_assert_null (get_info (&stage, 0));
  g_assert_true (gtk_widget_get_mapped (get (&stage, "record_first")));
  g_assert_false (stage_can (&stage, "export-trace"));
  ui_test_wait (rests (&stage));
}

/* What the device cannot run is told before it is tried. */
static void
test_refused (void)
{
  g_auto (Stage) stage = open_page ();

  ui_test_wait (models_get_objection (stage.models, "system") != NULL);
  choose (&stage, "pinned", "system", 12);
  g_assert_false (can (&stage, "record"));
  g_assert_nonnull (strstr (gtk_widget_get_tooltip_text (get (&stage, "record")), "pageableMemoryAccess"));
  g_assert_nonnull (strstr (gtk_label_get_text (GTK_LABEL (get (&stage, "place"))), "pageableMemoryAccess"));
  g_assert_nonnull (strstr (adw_status_page_get_description (ADW_STATUS_PAGE (get (&stage, "nothing"))), "pageableMemoryAccess"));
  choose (&stage, "pinned", NULL, 12);
  g_assert_true (can (&stage, "record"));
  g_assert_cmpstr (gtk_label_get_text (GTK_LABEL (get (&stage, "place"))), ==, "on Simulated H200");
}

/* --- details --------------------------------------------------------------------------------------------------- */

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
  g_assert_nonnull (strstr (((MemlaneTimelineLink *) heard)->text, "staged through a page-locked buffer"));
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

/* --- the code ---------------------------------------------------------------------------------------------------- */

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

/* Each call of a trace belongs to one line of its mode's program, and each line with a call leads to events. */
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
          g_error ("%s: %s belongs to %u lines", name, memlane_trace_get_name (trace, events[i].name), n_lines);
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
          g_assert_cmpuint (find_line (lines, "device_a + first, a + first")->events->len, ==, 2 * 8);
          g_assert_cmpstr (((MemlaneTimelineLink *) lines->pdata[0])->text, ==, "for (size_t chunk = 0; chunk < chunks; chunk++) {");
        }
      if (g_str_has_prefix (name, "h200-pinned-2p"))
        g_assert_cmpstr (((MemlaneTimelineLink *) lines->pdata[4])->text, ==, "cudaMemcpy(c, device_c, bytes, cudaMemcpyDeviceToHost);");
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
        && (!g_str_has_prefix (modes[i].id, "pinned-") || g_str_equal (modes[i].id, "pinned-async"))) /* of pieces alone */
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

  /* By the View menu it goes, and it is not there where a window is narrow, on the wall, and for schedules of the laboratory. */
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
  static const char *const ids[] = { "", "section", "percent", "time", "calls", "average", "minimum", "maximum", "median", "deviation",
                                     "name", "name" };
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
  model = gtk_column_view_get_model (GTK_COLUMN_VIEW (ui_test_find_type (summary, GTK_TYPE_COLUMN_VIEW)));
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

/* --- stopping, sweeps ------------------------------------------------------------------------------------------ */

static char *
use_slow_cli (void)
{
  g_autofree char *path = ui_test_path ("slow-cli");
  char *before = g_strdup (g_getenv ("MEMLANE_CLI"));

  g_assert_true (g_file_set_contents_full (path, "#!/usr/bin/env bash\ntrap 'exit 130' INT\nwhile :; do sleep 0.05; done\n", -1,
                                           G_FILE_SET_CONTENTS_NONE, 0700, NULL));
  g_setenv ("MEMLANE_CLI", path, TRUE);
  return before;
}

static void
test_stop (void)
{
  Stage stage = open_page ();
  g_autofree char *cli = use_slow_cli ();

  choose (&stage, "pinned", "pageable", 12);
  activate (&stage, "trace.record", NULL);
  g_assert_cmpstr (gtk_button_get_label (GTK_BUTTON (get (&stage, "record"))), ==, "_Stop");
  ui_test_next_frame (GTK_WIDGET (stage.window));
  ui_test_screenshot (GTK_WIDGET (stage.window), "timeline-recording.png");
  activate (&stage, "trace.stop", NULL);
  ui_test_wait (!memlane_trace_store_is_busy (stage.models->traces));
  stage_wait_toast (&stage, "Stopped recording Pinned 2¹²");
  g_assert_null (get_info (&stage, 0));
  g_assert_cmpstr (gtk_button_get_label (GTK_BUTTON (get (&stage, "record"))), ==, "Re_cord");

  /* By the window's own key. */
  stage_do (&stage, "record-trace", NULL);
  g_assert_false (stage_can (&stage, "record-trace"));
  stage_do (&stage, "stop", NULL);
  ui_test_wait (!memlane_trace_store_is_busy (stage.models->traces));

  /* The window is closed in the middle: the child goes with it. */
  stage_do (&stage, "record-trace", NULL);
  stage_close (&stage);
  g_setenv ("MEMLANE_CLI", cli, TRUE);
}

static void
test_sweep (void)
{
  g_auto (Stage) stage = open_page ();

  g_object_set (stage.models->plan, "last-log2", 20, "cell-seconds", 1.0, NULL);
  stage_do (&stage, "run", NULL);
  g_assert_false (can (&stage, "record"));
  g_assert_nonnull (strstr (gtk_widget_get_tooltip_text (get (&stage, "record")), "A sweep is running"));
  stage_do (&stage, "record-trace", NULL);
  stage_wait_toast (&stage, "A sweep is running");
  g_assert_false (memlane_trace_store_is_busy (memlane_window_get_models (stage.window)->traces));
  stage_do (&stage, "stop", NULL);
  ui_test_wait (stage_rests (stage.models));
  g_assert_true (can (&stage, "record"));
  g_object_set (stage.models->plan, "last-log2", 12, "cell-seconds", 0.01, NULL);
}

/* --- files ----------------------------------------------------------------------------------------------------- */

static char *
write_file (const char *name, const char *text)
{
  char *path = ui_test_path (name);

  g_assert_true (g_file_set_contents (path, text, -1, NULL));
  return path;
}

static void
open_files (Stage *stage, const char *first, const char *second, const char *third)
{
  const char *const paths[] = { first, second, third };
  GFile *files[G_N_ELEMENTS (paths)] = { NULL };
  int n;

  for (n = 0; n < (int) G_N_ELEMENTS (paths) && paths[n] != NULL; n++)
    files[n] = g_file_new_for_path (paths[n]);
  g_application_open (G_APPLICATION (stage->application), files, n, "");
  for (int i = 0; i < n; i++)
    g_object_unref (files[i]);
}

static gboolean
shows_page (Stage *stage, const char *name)
{
  g_autoptr (GVariant) state = g_action_group_get_action_state (G_ACTION_GROUP (stage->window), "page");

  return g_str_equal (g_variant_get_string (state, NULL), name);
}

static void
test_files (void)
{
  g_autofree char *foreign = write_file ("foreign_trace.json", "[{\"ph\":\"X\",\"name\":\"work\",\"ts\":1,\"dur\":2,\"pid\":1,\"tid\":1}]");
  g_autofree char *cut = write_file ("cut.json", "{\"traceEvents\":[{\"ph\":\"X\",\"na"), *own = ui_test_path ("own.json");
  g_autofree char *csv = ui_test_source ("data/recordings/h200-vector-add.csv");
  g_autoptr (GError) error = NULL;
  g_auto (Stage) stage = open_page ();

  record (&stage, "pinned", NULL, 12);
  g_assert_true (memlane_trace_write_json (get_view (&stage)->tracks[0].trace, own, &error));
  g_assert_no_error (error);
  stage_do (&stage, "page", g_variant_new_string ("bandwidth"));

  /* From the command line or another window: traces and runs, each to its place; the first two stand below each other. */
  open_files (&stage, own, foreign, csv);
  g_assert_true (shows_page (&stage, "timeline"));
  ui_test_wait (rests (&stage));
  ui_test_wait (stage_has_read (stage.models));
  g_assert_cmpstr (get_info (&stage, 0)->mode, ==, "pinned");
  g_assert_cmpstr (stage_get_trace (&stage, 1)->name, ==, "foreign_trace.json");
  g_assert_cmpuint (g_list_model_get_n_items (G_LIST_MODEL (memlane_window_get_models (stage.window)->traces)), ==, 3);
  ui_test_screenshot (GTK_WIDGET (stage.window), "timeline-files.png");

  /* What is cut off is told with its place, and what was seen stays. */
  open_files (&stage, cut, NULL, NULL);
  stage_wait_toast (&stage, "cut.json:1:");
  ui_test_wait (rests (&stage));
  g_assert_cmpstr (get_info (&stage, 0)->mode, ==, "pinned");
  g_assert_nonnull (get_info (&stage, 1));
  open_files (&stage, foreign, NULL, NULL);
  ui_test_wait (rests (&stage));
  g_assert_null (get_info (&stage, 0)->mode);
  g_assert_null (get_info (&stage, 1));
  ui_test_screenshot (GTK_WIDGET (stage.window), "timeline-foreign.png");
  activate (&stage, "trace.open-recorded", g_variant_new_string (own));
  ui_test_wait (rests (&stage));
  g_assert_cmpstr (get_info (&stage, 0)->mode, ==, "pinned");
}

/* --- on the wall ----------------------------------------------------------------------------------------------- */

static void
test_projector (void)
{
  GtkWidget *view;
  gboolean projector;
  g_auto (Stage) stage = open_page ();

  stage_do (&stage, "projector", NULL); /* there is nothing yet, and no other page comes instead */
  ui_test_next_frame (GTK_WIDGET (stage.window));
  g_assert_true (shows_page (&stage, "timeline"));
  g_assert_true (gtk_widget_get_mapped (get (&stage, "nothing")));
  g_assert_false (gtk_widget_get_mapped (get (&stage, "record_first")));
  stage_do (&stage, "projector", NULL);
  stage_do (&stage, "page", g_variant_new_string ("timeline"));
  record (&stage, "pinned", NULL, 14);
  view = GTK_WIDGET (get_view (&stage));
  stage_do (&stage, "projector", NULL);
  stage_wait_toast (&stage, "Space plays");
  ui_test_next_frame (GTK_WIDGET (stage.window));
  g_assert_true (shows_page (&stage, "timeline"));
  g_assert_true (gtk_widget_has_focus (view));
  g_assert_false (gtk_widget_get_mapped (get (&stage, "bar")));
  g_assert_false (gtk_widget_get_mapped (GTK_WIDGET (get_details (&stage))));
  g_object_get (view, "projector", &projector, NULL);
  g_assert_true (projector);
  /* The wall is the figure's; a reading lies over it while there is one. */
  g_assert_false (gtk_widget_get_mapped (get (&stage, "reading_line")));
  g_assert_cmpint (gtk_widget_get_height (view), >=, gtk_widget_get_height (GTK_WIDGET (get_page (&stage))) - 2);
  g_assert_true (gtk_widget_activate_action (view, "timeline.next-event", NULL));
  ui_test_next_frame (GTK_WIDGET (stage.window));
  g_assert_true (gtk_widget_get_mapped (get (&stage, "reading_line")));
  g_assert_cmpint (gtk_widget_get_height (view), >=, gtk_widget_get_height (GTK_WIDGET (get_page (&stage))) - 2);
  g_assert_true (gtk_widget_activate_action (view, "timeline.let-go", NULL));
  g_assert_true (ui_test_press (view, GDK_KEY_space, 0));
  g_assert_true (ui_test_get (gboolean, view, "playing"));
  ui_test_screenshot (GTK_WIDGET (stage.window), "timeline-projector.png");
  g_assert_true (ui_test_press (view, GDK_KEY_space, 0));
  g_assert_false (ui_test_get (gboolean, view, "playing"));
  stage_do (&stage, "projector", NULL);
  ui_test_next_frame (GTK_WIDGET (stage.window));
  g_assert_true (gtk_widget_get_mapped (get (&stage, "bar")));
  g_assert_true (gtk_widget_get_mapped (GTK_WIDGET (get_details (&stage))));
}

/* --- from a curve ---------------------------------------------------------------------------------------------- */

static void
test_point (void)
{
  GtkWidget *chart;
  MemlaneChartPoint published = { .log2_elements = 12 };
  g_auto (Stage) stage = stage_open ();

  stage_do (&stage, "page", g_variant_new_string ("bandwidth"));
  ui_test_wait (stage_draws (&stage));
  chart = GTK_WIDGET (MEMLANE_CHART_VIEW (memlane_page_get_figure (memlane_window_get_page (stage.window, "bandwidth"))));
  ui_test_next_frame (chart);
  gtk_widget_activate_action (chart, "chart.next-size", NULL);
  gtk_widget_activate_action (chart, "chart.next-curve", NULL);
  gtk_widget_activate_action (chart, "chart.first-size", NULL);
  g_assert_true (ui_test_press (chart, GDK_KEY_Return, 0)); /* as a double click */
  g_assert_true (shows_page (&stage, "timeline"));
  ui_test_wait (rests (&stage));
  g_assert_nonnull (get_info (&stage, 0));
  g_assert_cmpuint (get_info (&stage, 0)->log2_elements, ==, 10);
  g_assert_cmpstr (get_info (&stage, 0)->device, ==, "simulated:h200");

  stage_do (&stage, "page", g_variant_new_string ("bandwidth"));
  g_signal_emit_by_name (chart, "point-activated", &published, "published/seed/pinned");
  stage_wait_toast (&stage, "published by others");
  g_assert_true (shows_page (&stage, "bandwidth"));
}

/* --- what is kept, keys, small windows ------------------------------------------------------------------------- */

/* In the figure as it would be saved. */
static gboolean
draws (Stage *stage, const char *text)
{
  g_autoptr (GError) error = NULL;
  MemlaneDrawing *drawing = memlane_figure_widget_get_drawing (MEMLANE_FIGURE_WIDGET (get_view (stage)), &error);
  g_autoptr (GBytes) svg
    = memlane_export_to_bytes (drawing, memlane_style_get (MEMLANE_STYLE_SCREEN), memlane_export_find (".svg"), 1280, 0, 1, &error);

  g_assert_no_error (error);
  memlane_drawing_free (drawing);
  return g_strstr_len (g_bytes_get_data (svg, NULL), (gssize) g_bytes_get_size (svg), text) != NULL;
}

static void
test_settings (void)
{
  g_autofree char *cell = NULL;
  Stage stage = open_page ();

  choose (&stage, "mapped", "managed", 18);
  activate (&stage, "trace.colours", g_variant_new_string ("stream"));
  activate (&stage, "trace.ghosts", NULL);
  activate (&stage, "trace.details", NULL);
  activate (&stage, "trace.code", NULL);
  stage_close (&stage);

  stage = open_page ();
  cell = memlane_timeline_recorder_describe (MEMLANE_TIMELINE_RECORDER (get (&stage, "recorder")));
  g_assert_cmpstr (cell, ==, "Mapped (zero-copy) and Managed 2¹⁸ on Simulated H200");
  record (&stage, "pinned", NULL, 12);
  ui_test_next_frame (GTK_WIDGET (stage.window));
  g_assert_false (gtk_widget_get_mapped (GTK_WIDGET (get_details (&stage))));
  g_assert_false (gtk_widget_get_mapped (get (&stage, "code")));
  g_assert_false (draws (&stage, ">CUDA call<")); /* the legend is of streams */
  g_assert_false (draws (&stage, ">one copy engine<"));
  activate (&stage, "trace.colours", g_variant_new_string ("kind"));
  activate (&stage, "trace.ghosts", NULL);
  activate (&stage, "trace.details", NULL);
  activate (&stage, "trace.code", NULL);
  ui_test_next_frame (GTK_WIDGET (stage.window));
  g_assert_true (gtk_widget_get_mapped (get (&stage, "code")));
  g_assert_true (draws (&stage, ">CUDA call<"));
  g_assert_true (draws (&stage, ">one copy engine<"));
  stage_close (&stage);
}

/* Every widget that takes the focus has a name, and Tab reaches the timeline, the findings and the button. */
static void
test_keyboard (void)
{
  static const char *const wanted[] = { "modes", "size", "beside", "record", "traces", "view_menu", "play", "view",
                                        "details_button", "findings" };
  GtkWidget *page;
  gboolean reached[G_N_ELEMENTS (wanted)] = { FALSE };
  guint steps = 0;
  g_auto (Stage) stage = open_page ();

  record (&stage, "pageable", NULL, 14);
  ui_test_next_frame (GTK_WIDGET (stage.window));
  page = GTK_WIDGET (get_page (&stage));
  gtk_widget_grab_focus (get (&stage, "modes")); /* the first */
  do
    {
      GtkWidget *focus = gtk_root_get_focus (gtk_widget_get_root (page));

      g_assert_nonnull (focus);
      if (!ui_test_has_name (focus) && !ui_test_has_name (gtk_widget_get_parent (focus)))
        g_error ("%s in %s has no name", G_OBJECT_TYPE_NAME (focus), G_OBJECT_TYPE_NAME (gtk_widget_get_parent (focus)));
      for (guint i = 0; i < G_N_ELEMENTS (wanted); i++)
        reached[i] |= focus == get (&stage, wanted[i]) || gtk_widget_is_ancestor (focus, get (&stage, wanted[i]));
    }
  while (steps++ < 60 && gtk_widget_child_focus (page, GTK_DIR_TAB_FORWARD));
  g_assert_cmpuint (steps, <, 60);
  for (guint i = 0; i < G_N_ELEMENTS (wanted); i++)
    if (!reached[i])
      g_error ("Tab does not reach %s", wanted[i]);
}

static void
test_small (void)
{
  int width, height;
  g_auto (Stage) stage = open_page ();

  gtk_window_set_default_size (GTK_WINDOW (stage.window), 320, 240);
  ui_test_next_frame (GTK_WIDGET (stage.window));
  ui_test_next_frame (GTK_WIDGET (stage.window));
  ui_test_screenshot (GTK_WIDGET (stage.window), "timeline-nothing-small.png");
  gtk_widget_measure (GTK_WIDGET (stage.window), GTK_ORIENTATION_HORIZONTAL, -1, &width, NULL, NULL, NULL);
  g_assert_cmpint (width, <=, 320);
  record (&stage, "pinned", NULL, 12);
  ui_test_next_frame (GTK_WIDGET (stage.window));
  ui_test_next_frame (GTK_WIDGET (stage.window));
  ui_test_screenshot (GTK_WIDGET (stage.window), "timeline-small-details.png");
  gtk_widget_measure (GTK_WIDGET (stage.window), GTK_ORIENTATION_HORIZONTAL, -1, &width, NULL, NULL, NULL);
  g_assert_cmpint (width, <=, 320);
  gtk_widget_measure (GTK_WIDGET (stage.window), GTK_ORIENTATION_VERTICAL, 320, &height, NULL, NULL, NULL);
  g_assert_cmpint (height, <=, 240);
  g_assert_false (gtk_widget_get_mapped (GTK_WIDGET (get_view (&stage)))); /* one of the two */
  g_assert_true (gtk_widget_get_mapped (get (&stage, "findings")));
  activate (&stage, "trace.details", NULL);
  ui_test_next_frame (GTK_WIDGET (stage.window));
  ui_test_next_frame (GTK_WIDGET (stage.window));
  ui_test_screenshot (GTK_WIDGET (stage.window), "timeline-small.png");
  g_assert_true (gtk_widget_get_mapped (GTK_WIDGET (get_view (&stage))));
  g_assert_false (gtk_widget_get_mapped (get (&stage, "findings")));
  g_assert_cmpint (gtk_widget_get_height (GTK_WIDGET (get_view (&stage))), >=, 60);
  activate (&stage, "trace.details", NULL);
}

int
main (int argc, char **argv)
{
  ui_test_init (&argc, &argv);
  g_test_add_func ("/timeline-page/first-visit", test_first_visit);
  g_test_add_func ("/timeline-page/record", test_record);
  g_test_add_func ("/timeline-page/chosen", test_chosen);
  g_test_add_func ("/timeline-page/beside", test_beside);
  g_test_add_func ("/timeline-page/narrow", test_narrow);
  g_test_add_func ("/timeline-page/tabs", test_tabs);
  g_test_add_func ("/timeline-page/tab-changed", test_tab_changed);
  g_test_add_func ("/timeline-page/empty", test_empty);
  g_test_add_func ("/timeline-page/recorded-list", test_recorded_list);
  g_test_add_func ("/timeline-page/refused", test_refused);
  g_test_add_func ("/timeline-page/findings", test_findings);
  g_test_add_func ("/timeline-page/code-of-recordings", test_code_of_recordings);
  g_test_add_func ("/timeline-page/code", test_code);
  g_test_add_func ("/timeline-page/summary", test_summary);
  g_test_add_func ("/timeline-page/stop", test_stop);
  g_test_add_func ("/timeline-page/sweep", test_sweep);
  g_test_add_func ("/timeline-page/files", test_files);
  g_test_add_func ("/timeline-page/projector", test_projector);
  g_test_add_func ("/timeline-page/point", test_point);
  g_test_add_func ("/timeline-page/settings", test_settings);
  g_test_add_func ("/timeline-page/keyboard", test_keyboard);
  g_test_add_func ("/timeline-page/small", test_small);
  return ui_test_run ();
}
