/* test-lab-panel.c: the stream laboratory in the window: presets, options, devices, running, stopping, what is kept; by actions
 *
 * SPDX-License-Identifier: MIT
 */
#include "analysis/findings.h"
#include "timeline/timeline-details.h"
#include "timeline/timeline-page.h"
#include "timeline/timeline-view.h"
#include "timeline/lab-panel.h"
#include "model/lab-choice.h"
#include "parts/settings.h"
#include "ui/window-fixture.h"
#include "engine/same-trace.h"

static MemlaneTimelinePage *
get_page (Stage *stage)
{
  return MEMLANE_TIMELINE_PAGE (memlane_window_get_page (stage->window, "timeline"));
}

static MemlaneLabPanel *
get_panel (Stage *stage)
{
  return MEMLANE_LAB_PANEL (ui_test_find_type (GTK_WIDGET (get_page (stage)), MEMLANE_TYPE_LAB_PANEL));
}

static GtkWidget *
get (Stage *stage, const char *id)
{
  GtkWidget *widget = ui_test_find_id (GTK_WIDGET (get_panel (stage)), id);

  g_assert_nonnull (widget);
  return widget;
}

/* As it is kept. */
static MemlaneLabChoice
get_choice (void)
{
  g_autofree char *kept = memlane_settings_get_string ("lab-choice", "");
  MemlaneLabChoice choice;

  g_assert_true (memlane_lab_choice_from_text (&choice, kept));
  return choice;
}

static guint
preset_of (Stage *stage)
{
  return gtk_drop_down_get_selected (GTK_DROP_DOWN (get (stage, "presets")));
}

static void
activate (Stage *stage, const char *action, GVariant *parameter)
{
  g_assert_true (gtk_widget_activate_action_variant (GTK_WIDGET (get_panel (stage)), action, parameter));
}

static void
choose_preset (Stage *stage, guint preset)
{
  gtk_drop_down_set_selected (GTK_DROP_DOWN (get (stage, "presets")), preset);
}

static void
set_number (Stage *stage, const char *name, double value)
{
  gtk_spin_button_set_value (GTK_SPIN_BUTTON (get (stage, name)), value);
}

static void
select_entry (Stage *stage, const char *name, guint entry)
{
  gtk_drop_down_set_selected (GTK_DROP_DOWN (get (stage, name)), entry);
}

static Stage
open_lab (void)
{
  Stage stage = stage_open ();

  stage_do (&stage, "page", g_variant_new_string ("timeline"));
  gtk_stack_set_visible_child_name (GTK_STACK (ui_test_find_id (GTK_WIDGET (get_page (&stage)),
                                                                "kinds")), "lab");
  choose_preset (&stage, 0);
  ui_test_next_frame (GTK_WIDGET (stage.window));
  g_assert_true (gtk_widget_get_mapped (GTK_WIDGET (get_panel (&stage))));
  return stage;
}

static MemlaneTimelineView *
get_view (Stage *stage)
{
  return MEMLANE_TIMELINE_VIEW (memlane_page_get_figure (MEMLANE_PAGE (get_page (stage))));
}

static gboolean
rests (Stage *stage)
{
  return !memlane_trace_store_is_busy (memlane_window_get_models (stage->window)->traces) &&
         !ui_test_is_busy (ui_test_find_id (GTK_WIDGET (get_page (stage)), "details"));
}

static void
run (Stage *stage)
{
  activate (stage, "lab.run", NULL);
  g_assert_true (memlane_trace_store_is_recording (memlane_window_get_models (stage->window)->traces));
  ui_test_wait (rests (stage));
  ui_test_next_frame (GTK_WIDGET (stage->window));
}

static MemlaneTrace *
trace_of (Stage *stage, guint track)
{
  MemlaneTraceItem *item = stage_get_trace (stage, track);

  g_assert_nonnull (item);
  return item->trace;
}

/* What the last run found; "": the label says something else. */
static const char *
result_of (Stage *stage)
{
  GtkWidget *label = get (stage, "result");

  return gtk_widget_has_css_class (label, "dim-label") ? "" : gtk_label_get_text (GTK_LABEL (label));
}

/* --- what is asked for ------------------------------------------------------------------------------------------------- */

static void
test_presets (void)
{
  guint n = MEMLANE_LAB_N_PRESETS;
  g_auto (Stage) stage = open_lab ();

  g_assert_cmpuint (g_list_model_get_n_items (gtk_drop_down_get_model (GTK_DROP_DOWN (get (&stage, "presets")))), ==, n + 1);
  for (guint i = n; i > 0; i--)
    {
      const MemlaneLabChoice *preset = &memlane_lab_presets[i - 1].choice;
      MemlaneLabChoice choice;

      gtk_drop_down_set_selected (GTK_DROP_DOWN (get (&stage, "presets")), i - 1);
      choice = get_choice ();
      g_assert_cmpuint (memlane_lab_preset_find (&choice), ==, i - 1);
      g_assert_cmpint (choice.comparison, ==, preset->comparison);
      g_assert_cmpuint (choice.plan.reuse, ==, preset->plan.reuse);
      g_assert_null (memlane_lab_choice_get_objection (&choice));
      g_assert_true (gtk_widget_is_sensitive (get (&stage, "run")));
    }
  /* What is set by hand is no preset, unless it is what one says. */
  set_number (&stage, "chunks", 7);
  g_assert_cmpuint (preset_of (&stage), ==, n);
  set_number (&stage, "chunks", memlane_lab_presets[0].choice.plan.chunks);
  g_assert_cmpuint (preset_of (&stage), ==, 0);
  /* "As set in the options" leads there. */
  gtk_drop_down_set_selected (GTK_DROP_DOWN (get (&stage, "presets")), n);
  ui_test_wait (ui_test_is_mapped (get (&stage, "popover")));
  ui_test_next_frame (get (&stage, "popover"));
  ui_test_screenshot (get (&stage, "popover"), "lab-options.png");
  gtk_popover_popdown (GTK_POPOVER (get (&stage, "popover")));
}

/* Each control says what it is, and means one thing of the plan. */
static void
test_options (void)
{
  static const char *const names[] = { "compare", "order", "between", "size", "streams", "chunks", "reuse", "pageable", "non-blocking",
                                       "priorities", "host-functions", "recorded-copy-engines", "one-copy-engine", "two-copy-engines" };
  static const struct
  {
    MemlaneLabComparison comparison;
    const char *decided;
  } cases[] = { { MEMLANE_LAB_COMPARE_ORDERS, "order" }, { MEMLANE_LAB_COMPARE_BETWEEN, NULL },
                { MEMLANE_LAB_COMPARE_STREAMS, "non-blocking" }, { MEMLANE_LAB_COMPARE_MEMORY, "pageable" },
                { MEMLANE_LAB_COMPARE_PRIORITIES, "priorities" } };
  MemlaneLabChoice choice;
  g_auto (Stage) stage = open_lab ();

  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    {
      g_autofree char *label = ui_test_accessible_label (get (&stage, names[i]));

      g_assert_nonnull (label);
      g_assert_null (strchr (label, '_'));
      g_assert_nonnull (gtk_widget_get_tooltip_text (get (&stage, names[i])));
    }
  g_assert_true (ui_test_has_name (get (&stage, "presets")));
  g_assert_true (ui_test_has_name (get (&stage, "options_button")));
  g_assert_true (ui_test_has_name (get (&stage, "run")));

  /* What differs between the two traces is not asked for twice. */
  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      select_entry (&stage, "compare", (guint) cases[i].comparison);
      for (guint k = 0; k < G_N_ELEMENTS (cases); k++)
        if (cases[k].decided != NULL)
          g_assert_cmpint (gtk_widget_get_sensitive (get (&stage, cases[k].decided)), ==, k != i);
    }

  select_entry (&stage, "compare", MEMLANE_LAB_COMPARE_STREAMS);
  select_entry (&stage, "order", MEMLANE_LAB_BREADTH_FIRST);
  select_entry (&stage, "between", MEMLANE_LAB_DEVICE_COPY);
  set_number (&stage, "size", 12);
  set_number (&stage, "streams", 3);
  set_number (&stage, "chunks", 6);
  set_number (&stage, "reuse", 5);
  gtk_switch_set_active (GTK_SWITCH (get (&stage, "pageable")), TRUE);
  gtk_switch_set_active (GTK_SWITCH (get (&stage, "priorities")), TRUE);
  gtk_switch_set_active (GTK_SWITCH (get (&stage, "host-functions")), TRUE);
  choice = get_choice ();
  for (guint i = 0; i < 2; i++)
    {
      MemlaneLabPlan plan = memlane_lab_choice_get_plan (&choice, i);

      g_assert_cmpint (plan.order, ==, MEMLANE_LAB_BREADTH_FIRST);
      g_assert_cmpint (plan.between, ==, MEMLANE_LAB_DEVICE_COPY);
      g_assert_cmpuint (plan.log2_elements, ==, 12);
      g_assert_cmpuint (plan.streams, ==, 3);
      g_assert_cmpuint (plan.chunks, ==, 6);
      g_assert_cmpuint (plan.reuse, ==, 5);
      g_assert_true (plan.pageable && plan.priorities && plan.host_functions);
      g_assert_cmpint (plan.non_blocking, ==, i == 1);
    }
  g_assert_nonnull (ui_test_find_text (GTK_WIDGET (get_panel (&stage)), "Inserts a cudaMemcpy on the device"));
}

/* What is kept comes back, and what makes no sense does not. */
static void
test_kept (void)
{
  MemlaneLabChoice choice;
  g_autofree char *text = NULL;
  Stage stage = open_lab ();

  set_number (&stage, "streams", 5);
  gtk_switch_set_active (GTK_SWITCH (get (&stage, "non-blocking")), TRUE);
  stage_close (&stage);
  stage = stage_open ();
  stage_do (&stage, "page", g_variant_new_string ("timeline"));
  g_assert_cmpstr (gtk_stack_get_visible_child_name (GTK_STACK (ui_test_find_id (GTK_WIDGET (get_page (&stage)), "kinds"))), ==, "lab");
  choice = get_choice ();
  g_assert_cmpuint (choice.plan.streams, ==, 5);
  g_assert_true (choice.plan.non_blocking);
  g_assert_cmpuint (preset_of (&stage), ==, MEMLANE_LAB_N_PRESETS);
  stage_close (&stage);

  text = memlane_lab_choice_to_text (&choice);
  g_assert_true (memlane_lab_choice_from_text (&choice, text));
  g_assert_false (memlane_lab_choice_from_text (&choice, ""));
  g_assert_false (memlane_lab_choice_from_text (&choice, "9 0 0 20 2 4 1 0 0 0 0"));  /* compares nothing that there is */
  g_assert_false (memlane_lab_choice_from_text (&choice, "0 0 0 99 2 4 1 0 0 0 0"));
  g_assert_false (memlane_lab_choice_from_text (&choice, "0 0 0 20 2"));
  g_assert_cmpuint (choice.plan.streams, ==, 5);
  memlane_settings_set_string ("lab-choice", "what?");
  stage = stage_open ();
  stage_do (&stage, "page", g_variant_new_string ("timeline"));
  g_assert_cmpuint (preset_of (&stage), ==, 0);
  stage_close (&stage);
}

/* --- running ---------------------------------------------------------------------------------------------------------------- */

/* On one copy engine, which a button chooses, depth first overlaps nothing: both orders stand side by side with their figures. */
static void
test_orders (void)
{
  MemlaneDeviceItem *device;
  MemlaneTraceBounds depth, breadth;
  const char *const *modes = (const char *const[]) { "lab-depth-first", "lab-breadth-first" };
  g_auto (Stage) stage = open_lab ();

  g_assert_cmpstr (result_of (&stage), ==, "");
  g_assert_true (gtk_toggle_button_get_active (GTK_TOGGLE_BUTTON (get (&stage, "recorded-copy-engines"))));
  g_signal_emit_by_name (get (&stage, "one-copy-engine"), "clicked");
  g_assert_true (gtk_toggle_button_get_active (GTK_TOGGLE_BUTTON (get (&stage, "one-copy-engine"))));
  g_assert_false (gtk_toggle_button_get_active (GTK_TOGGLE_BUTTON (get (&stage, "recorded-copy-engines"))));
  device = memlane_device_choice_get_item (stage.models->devices);
  g_assert_cmpstr (device->id, ==, "simulated:one-copy-engine");
  g_assert_nonnull (ui_test_find_text (GTK_WIDGET (get_panel (&stage)), "Simulated H200 with one copy engine"));
  g_assert_cmpstr (gtk_editable_get_text (GTK_EDITABLE (get (&stage, "size"))), ==, "2²²");
  g_assert_nonnull (strstr (gtk_widget_get_tooltip_text (get (&stage, "run")),
                            "Depth-first, then Breadth-first, on Simulated H200 with one copy engine"));
  set_number (&stage, "size", 21); /* at less the launches take longer than the kernels */
  run (&stage);

  for (guint i = 0; i < 2; i++)
    {
      const MemlaneTraceInfo *info = memlane_trace_get_info (trace_of (&stage, i));

      g_assert_cmpstr (info->mode, ==, modes[i]);
      g_assert_cmpstr (info->device, ==, "simulated:one-copy-engine");
      g_assert_cmpuint (info->log2_elements, ==, 21);
      g_assert_true (get_view (&stage)->tracks[i].trace == trace_of (&stage, i));
    }
  g_assert_cmpstr (stage_get_trace (&stage, 0)->name, ==,
                   "Depth-first · 2²¹ · Simulated H200 with one copy engine");
  g_assert_true (memlane_trace_compute_bounds (trace_of (&stage, 0), &depth));
  g_assert_true (memlane_trace_compute_bounds (trace_of (&stage, 1), &breadth));
  g_assert_cmpfloat (depth.efficiency, <=, 0);
  g_assert_cmpfloat (breadth.efficiency, >, 0.1);
  g_assert_true (g_str_has_prefix (result_of (&stage), "Depth-first: "));
  g_assert_nonnull (strstr (result_of (&stage), ", overlap efficiency 0 %\nBreadth-first: "));
  g_assert_nonnull (ui_test_find_text (get (&stage, "result"), "Breadth-first: "));
  ui_test_screenshot (GTK_WIDGET (stage.window), "lab-orders.png");
}

/* What the command line says of the same plan. (transfer full) */
static char *
ask_command_line (guint reuse)
{
  g_autofree char *number = g_strdup_printf ("%u", reuse);
  const char *argv[] = { g_getenv ("MEMLANE_CLI"), "lab", "--device", "simulated:one-copy-engine", "--order", "both", "--size", "20",
                         "--reuse", number, NULL };
  g_autoptr (GSubprocess) process = NULL;
  g_autoptr (GError) error = NULL;
  char *said = NULL;

  process = g_subprocess_newv (argv, G_SUBPROCESS_FLAGS_STDOUT_PIPE | G_SUBPROCESS_FLAGS_STDERR_SILENCE, &error);
  g_assert_no_error (error);
  g_assert_true (g_subprocess_communicate_utf8 (process, NULL, NULL, &said, NULL, &error));
  g_assert_no_error (error);
  return said;
}

/* "20" of "Breadth-first: 100 µs, overlap efficiency 20 %": the last number before the sign. (transfer full) */
static char *
find_share (const char *said, const char *order)
{
  const char *line = g_strrstr (said, order), *percent = line != NULL ? strchr (line, '%') : NULL, *digits;

  g_assert_nonnull (percent);
  for (digits = percent - 1; g_ascii_isdigit (digits[-1]); digits--)
    ;
  return g_strndup (digits, (gsize) (percent - digits));
}

/* The window and the command line say the same of the same plan; with many short kernels the finding tells that the host was too slow. */
static void
test_command_line (void)
{
  static const guint reuses[] = { 1, 16 };
  g_auto (Stage) stage = open_lab ();

  g_signal_emit_by_name (get (&stage, "one-copy-engine"), "clicked");
  set_number (&stage, "size", 20);
  for (guint i = 0; i < G_N_ELEMENTS (reuses); i++)
    {
      g_autofree char *said = ask_command_line (reuses[i]), *plan = NULL, *printed = NULL;
      g_autofree char *theirs = find_share (said, "breadth-first"), *ours = NULL;

      set_number (&stage, "reuse", reuses[i]);
      run (&stage);
      ours = find_share (result_of (&stage), "Breadth-first");
      g_assert_cmpstr (ours, ==, theirs);
      plan = g_strdup_printf ("\n2²⁰ floats, 2 streams, 4 chunks, reuse %u", reuses[i]);
      g_assert_true (g_str_has_suffix (result_of (&stage), plan));
      printed = g_strdup_printf ("\n2^20 floats, 2 streams, 4 chunks, reuse %u\n", reuses[i]);
      g_assert_nonnull (strstr (said, printed));
      g_assert_cmpint (strstr (said, "so the device waited for them") != NULL, ==, reuses[i] == 16);
    }
}

/* The same with something else between the two traces; their names tell which is which. */
static void
test_comparisons (void)
{
  static const struct
  {
    MemlaneLabComparison comparison;
    const char *first, *second;
  } cases[] = {
    { MEMLANE_LAB_COMPARE_BETWEEN, "Nothing inserted: ", "\nKernel in the default stream: " },
    { MEMLANE_LAB_COMPARE_STREAMS, "Blocking streams: ", "\nNon-blocking streams: " },
    { MEMLANE_LAB_COMPARE_MEMORY, "Page-locked memory: ", "\nPageable memory: " },
    { MEMLANE_LAB_COMPARE_PRIORITIES, "Equal priorities: ", "\nLast stream first: " },
  };
  g_auto (Stage) stage = open_lab ();

  set_number (&stage, "size", 12);
  select_entry (&stage, "between", MEMLANE_LAB_DEFAULT_STREAM);
  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      select_entry (&stage, "compare", (guint) cases[i].comparison);
      run (&stage);
      g_assert_true (g_str_has_prefix (result_of (&stage), cases[i].first));
      g_assert_nonnull (strstr (result_of (&stage), cases[i].second));
      g_assert_false (is_same_trace (trace_of (&stage, 0), trace_of (&stage, 1)));
    }
}

/* What would compare a thing with itself is refused in words. */
static void
test_refused (void)
{
  g_auto (Stage) stage = open_lab ();

  select_entry (&stage, "compare", MEMLANE_LAB_COMPARE_BETWEEN);
  select_entry (&stage, "between", MEMLANE_LAB_NOTHING);
  g_assert_false (gtk_widget_is_sensitive (get (&stage, "run")));
  g_assert_nonnull (strstr (gtk_widget_get_tooltip_text (get (&stage, "run")), "Choose an inserted command"));
  g_assert_nonnull (ui_test_find_text (get (&stage, "result"), "Choose an inserted command"));
  select_entry (&stage, "compare", MEMLANE_LAB_COMPARE_PRIORITIES);
  set_number (&stage, "streams", 1);
  g_assert_false (gtk_widget_is_sensitive (get (&stage, "run")));
  set_number (&stage, "streams", 2);
  g_assert_true (gtk_widget_is_sensitive (get (&stage, "run")));

  /* A sweep goes first. */
  stage_do (&stage, "run", NULL);
  g_assert_false (gtk_widget_is_sensitive (get (&stage, "run")));
  g_assert_false (gtk_widget_is_sensitive (get (&stage, "one-copy-engine")));
  g_assert_nonnull (strstr (gtk_widget_get_tooltip_text (get (&stage, "run")), "A sweep is running"));
  memlane_bench_stop (stage.models->bench);
  ui_test_wait (!memlane_sweep_job_is_running (stage.models->sweep));
  g_assert_true (gtk_widget_is_sensitive (get (&stage, "run")));
}

static void
test_stopped (void)
{
  GtkWidget *button;
  g_auto (Stage) stage = open_lab ();

  choose_preset (&stage, 3); /* takes a while */
  activate (&stage, "lab.run", NULL);
  button = get (&stage, "run");
  g_assert_cmpstr (gtk_button_get_label (GTK_BUTTON (button)), ==, "_Stop");
  g_assert_cmpstr (gtk_actionable_get_action_name (GTK_ACTIONABLE (button)), ==, "trace.stop");
  g_assert_true (gtk_widget_is_sensitive (button));
  g_assert_true (gtk_widget_activate (button));
  ui_test_wait (rests (&stage));
  g_assert_cmpstr (gtk_button_get_label (GTK_BUTTON (button)), ==, "Re_cord");
  g_assert_cmpstr (result_of (&stage), ==, "");
  g_assert_cmpuint (g_list_model_get_n_items (G_LIST_MODEL (memlane_window_get_models (stage.window)->traces)), ==, 0);
  /* And goes again. */
  choose_preset (&stage, 2);
  set_number (&stage, "size", 10);
  run (&stage);
  g_assert_nonnull (strstr (result_of (&stage), "Breadth-first: "));
}

int
main (int argc, char **argv)
{
  ui_test_init (&argc, &argv);
  g_test_add_func ("/lab-panel/presets", test_presets);
  g_test_add_func ("/lab-panel/options", test_options);
  g_test_add_func ("/lab-panel/kept", test_kept);
  g_test_add_func ("/lab-panel/orders", test_orders);
  g_test_add_func ("/lab-panel/command-line", test_command_line);
  g_test_add_func ("/lab-panel/comparisons", test_comparisons);
  g_test_add_func ("/lab-panel/refused", test_refused);
  g_test_add_func ("/lab-panel/stopped", test_stopped);
  return ui_test_run ();
}
