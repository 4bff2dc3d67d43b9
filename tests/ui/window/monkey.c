/* monkey.c: keys, clicks, actions and files without sense, by a seed, in the real window
 *
 * SPDX-License-Identifier: MIT
 *
 * monkey [--seconds N] [--seed N] [--say]   tests/ui/monkey starts it on a display of its own. The n-th action depends on the seed and n
 * alone; what it meets depends on time as well. A critical or a warning below which a function of this program stands ends it, with the
 * stack; those of GTK alone are counted. Home, settings, languages and files are its own.
 */
#define UI_TEST_LEAKS_ELSEWHERE
#include <execinfo.h>
#include <link.h>
#include <signal.h>
#include <time.h>

#include "experiment/experiment-page.h"
#include "parts/settings.h"
#include "ui/pointer-fixture.h"
#include "ui/window-fixture.h"

#define CHINESE "zh_CN.UTF-8"
#define MOST_LOG2 14  /* of what it lets be measured: this machine is shared */
#define STACK 1024
#define SLOW_SECONDS 2 /* the longest that it may not answer */

static struct
{
  Stage stage;
  XInput input;
  GRand *rand;
  GPtrArray *files;    /* (element-type utf8) */
  GHashTable *theirs;  /* message -> count: criticals of GTK alone */
  const char *doing;
  guint n_actions, n_sweeps, n_files, n_windows, n_experiments, n_slow;
  gint64 last_tick, longest, total;
  gint64 last_work;    /* of the processor, at the last tick */
  guint64 n_ticks;
  char *longest_after;
  gboolean say, chinese;
  int depth;           /* frames below the monkey */
} monkey;

static int seconds = 30, seed = 1;

/* --- how long it does not answer ------------------------------------------------------------------------------------------------ */

/* What it does meanwhile. */
static void
alarm_cb (int number)
{
  void *stack[64];
  static const char text[] = "monkey: no answer yet, in\n";

  (void) !write (2, text, sizeof text - 1);
  backtrace_symbols_fd (stack, backtrace (stack, G_N_ELEMENTS (stack)), 2);
}

/* Where the C library or the processor ended it; with the sanitizer that tells more, and comes first. */
static void
crash_cb (int number)
{
  void *stack[64];
  char text[64];

  signal (number, SIG_DFL);
  (void) !write (2, text, (gsize) snprintf (text, sizeof text, "monkey: action %u, signal %d, in\n", monkey.n_actions, number));
  backtrace_symbols_fd (stack, backtrace (stack, G_N_ELEMENTS (stack)), 2);
  raise (number);
}

/* What the processor has done for this thread, in us: on a busy machine less than what went by. */
static gint64
get_work (void)
{
  struct timespec work;

  clock_gettime (CLOCK_THREAD_CPUTIME_ID, &work);
  return work.tv_sec * G_USEC_PER_SEC + work.tv_nsec / 1000;
}

static gboolean
tick_cb (gpointer data)
{
  gint64 work = get_work ();
  gint64 now = g_get_monotonic_time (), late = monkey.last_tick > 0 ? MAX (now - monkey.last_tick - 5000, 0) : 0;

  alarm (monkey.last_tick > 0 ? SLOW_SECONDS : 0);
  monkey.total += late;
  monkey.n_ticks++;
  if (late > SLOW_SECONDS * G_USEC_PER_SEC)
    {
      monkey.n_slow++;
      g_printerr ("monkey: action %u, %s, seed %d: no answer for %.1f s, of which the processor was ours for %.1f s\n", monkey.n_actions,
                  monkey.doing, seed, late / 1e6, (work - monkey.last_work) / 1e6);
    }
  if (late > monkey.longest)
    {
      monkey.longest = late;
      g_free (monkey.longest_after);
      monkey.longest_after = g_strdup_printf ("%u, %s", monkey.n_actions, monkey.doing);
    }
  monkey.last_tick = now;
  monkey.last_work = work;
  return G_SOURCE_CONTINUE;
}

/* What the action itself took counts, and what follows from it. */
static void
spin (guint milliseconds)
{
  alarm (SLOW_SECONDS);
  ui_test_spin (milliseconds);
  alarm (0);
  monkey.last_tick = 0;
}

/* --- criticals ------------------------------------------------------------------------------------------------------------------ */

static int
take_first_cb (struct dl_phdr_info *info, size_t size, void *data)
{
  guintptr *range = data;

  for (int i = 0; i < info->dlpi_phnum; i++)
    if (info->dlpi_phdr[i].p_type == PT_LOAD && (info->dlpi_phdr[i].p_flags & PF_X))
      {
        range[0] = info->dlpi_addr + info->dlpi_phdr[i].p_vaddr;
        range[1] = range[0] + info->dlpi_phdr[i].p_memsz;
      }
  return 1; /* the first is this program */
}

/* Whether a function of this program called what complains: between it and the loop, which the monkey turns. */
static gboolean
is_ours (void *const *stack, int n)
{
  guintptr range[2] = { 0, 0 };
  int from = 0, to = n - monkey.depth;

  dl_iterate_phdr (take_first_cb, range);
#define OURS(i) ((guintptr) stack[i] >= range[0] && (guintptr) stack[i] < range[1])
  while (from < to && !OURS (from)) /* a sanitizer's backtrace() */
    from++;
  while (from < to && OURS (from)) /* the writer */
    from++;
  while (to > from && OURS (to - 1)) /* to the loop, or to what the monkey calls itself */
    to--;
  for (int i = from; i < to; i++)
    if (OURS (i))
      return TRUE;
#undef OURS
  return FALSE;
}

/* Without the addresses in it. */
static char *
make_key (const char *domain, const char *message)
{
  g_autoptr (GRegex) address = g_regex_new ("0x[0-9a-f]+", 0, 0, NULL);
  g_autofree char *text = g_regex_replace_literal (address, message, -1, 0, "…", 0, NULL);

  return g_strdup_printf ("%s: %s", domain, text);
}

/* GTK's own, though a function of this program stands below them:
 * - GTK 4.8's expressions, which Adwaita's switchers have and nothing here, when something lets go of the widget.
 * - A popover whose button lies beyond the screen, as where a window was dragged over its edge: GDK finds no monitor, asks it for its
 *   size all the same, and gives the popover what was in that memory. F10 shows it in any window. */
static gboolean
is_known (const char *message)
{
  return g_str_has_prefix (message, "g_object_weak_unref: couldn't find weak ref")
         || g_str_has_prefix (message, "gdk_monitor_get_geometry: assertion")
         || g_str_has_prefix (message, "gtk_widget_size_allocate(): attempt to allocate GtkPopover");
}

static GLogWriterOutput
writer (GLogLevelFlags level, const GLogField *fields, gsize n_fields, gpointer data)
{
  const char *message = "", *domain = "";
  void *stack[STACK];
  char *key;

  for (gsize i = 0; i < n_fields; i++)
    if (strcmp (fields[i].key, "MESSAGE") == 0)
      message = fields[i].value;
    else if (strcmp (fields[i].key, "GLIB_DOMAIN") == 0)
      domain = fields[i].value;
  if ((level & (G_LOG_LEVEL_CRITICAL | G_LOG_LEVEL_WARNING | G_LOG_LEVEL_ERROR)) == 0)
    return G_LOG_WRITER_HANDLED;
  if ((level & G_LOG_LEVEL_ERROR) || (is_ours (stack, backtrace (stack, STACK)) && !is_known (message)))
    {
      fprintf (stderr, "monkey: action %u, %s, seed %d: %s: %s\n", monkey.n_actions, monkey.doing, seed, domain, message);
      backtrace_symbols_fd (stack, backtrace (stack, STACK), 2);
      abort ();
    }
  key = make_key (domain, message);
  if (!g_hash_table_contains (monkey.theirs, key))
    {
      fprintf (stderr, "monkey: action %u, %s: GTK alone: %s\n", monkey.n_actions, monkey.doing, key);
      backtrace_symbols_fd (stack, MIN (backtrace (stack, STACK), 24), 2);
    }
  g_hash_table_insert (monkey.theirs, key, GUINT_TO_POINTER (GPOINTER_TO_UINT (g_hash_table_lookup (monkey.theirs, key)) + 1));
  return G_LOG_WRITER_HANDLED;
}

/* --- files, good and bad -------------------------------------------------------------------------------------------------------- */

static void
add_file (const char *name, const char *text, gssize size)
{
  char *path = ui_test_path (name);

  g_assert_true (g_file_set_contents (path, text, size, NULL));
  g_ptr_array_add (monkey.files, path);
}

static void
add_folder (const char *below)
{
  g_autofree char *folder = ui_test_source (below);
  g_autoptr (GDir) dir = g_dir_open (folder, 0, NULL);
  const char *name;

  while (dir != NULL && (name = g_dir_read_name (dir)) != NULL)
    if ((strstr (name, ".csv") != NULL && strstr (name, ".rounds.csv") == NULL) || g_str_has_suffix (name, ".experiment"))
      g_ptr_array_add (monkey.files, g_build_filename (folder, name, NULL));
}

static int
compare_paths (gconstpointer a, gconstpointer b)
{
  return strcmp (*(char *const *) a, *(char *const *) b);
}

/* A run whose environment nests so deep that a reader on the stack would overflow, and one whose device has a name of a megabyte. */
static void
add_environments (const char *csv, gsize size)
{
  enum { LEVELS = 60000, NAME = 1 << 20 };
  g_autoptr (GString) deep = g_string_new (NULL), name = g_string_new ("{\"device\":{\"id\":\"cuda:0\",\"kind\":\"cuda\",\"name\":\"");
  g_autofree char *beside_deep = ui_test_path ("deep.environment.json"), *beside_name = ui_test_path ("long.environment.json");

  for (guint i = 0; i < LEVELS; i++)
    g_string_append (deep, "{\"a\":");
  g_string_append_c (deep, '1');
  for (guint i = 0; i < LEVELS; i++)
    g_string_append_c (deep, '}');
  for (guint i = 0; i < NAME; i++)
    g_string_append_c (name, 'x');
  g_string_append (name, "\"}}");
  add_file ("deep.csv", csv, (gssize) size);
  g_assert_true (g_file_set_contents (beside_deep, deep->str, (gssize) deep->len, NULL));
  add_file ("long.csv", csv, (gssize) size);
  g_assert_true (g_file_set_contents (beside_name, name->str, (gssize) name->len, NULL));
}

static void
make_files (void)
{
  static const char trace[] =
    "{\"traceEvents\":[{\"ph\":\"X\",\"name\":\"a\\u0007\\u202e<b>\",\"pid\":1,\"tid\":1,\"ts\":1,\"dur\":5},"
    "{\"ph\":\"X\",\"name\":\"b\",\"pid\":1,\"tid\":2,\"ts\":1e300,\"dur\":1e300},{\"ph\":\"X\",\"pid\":-1,\"ts\":-1,\"dur\":-1}]}";
  g_autofree char *csv = ui_test_source ("data/recordings/h200-vector-add.csv"), *text = NULL, *deep = g_malloc (30000);
  gsize size = 0;

  monkey.files = g_ptr_array_new_with_free_func (g_free);
  add_folder ("data/recordings");
  add_folder ("data/experiments");
  g_assert_true (g_file_get_contents (csv, &text, &size, NULL));
  add_file ("cut.csv", text, (gssize) size / 2);
  add_file ("again.csv", text, (gssize) size);
  add_environments (text, size);
  for (gsize i = 0; i < size; i += 97)
    text[i] = (char) (text[i] ^ 1);
  add_file ("wrong.csv", text, (gssize) size);
  add_file ("empty.csv", "", 0);
  add_file ("zeros.csv", "\0\0\0\0", 4);
  memset (deep, '[', 30000);
  add_file ("deep.json", deep, 30000);
  add_file ("odd.json", trace, -1);
  add_file ("no-trace.json", "{\"a\":1}", -1);
  add_file ("wrong.experiment", "[experiment]\nid=\nclaims=\xff\n", -1);
  g_ptr_array_add (monkey.files, ui_test_path ("not-there.csv"));
  g_ptr_array_add (monkey.files, g_strdup (ui_test_home));
  qsort (monkey.files->pdata, monkey.files->len, sizeof (gpointer), compare_paths);
}

/* --- what it does --------------------------------------------------------------------------------------------------------------- */

static int
below (int n)
{
  return g_rand_int_range (monkey.rand, 0, n);
}

static void
do_key (void)
{
  static const struct { guint key; GdkModifierType modifiers; } keys[] = {
    { GDK_KEY_r, GDK_CONTROL_MASK }, { GDK_KEY_r, GDK_CONTROL_MASK }, { GDK_KEY_period, GDK_CONTROL_MASK },
    { GDK_KEY_1, GDK_ALT_MASK }, { GDK_KEY_2, GDK_ALT_MASK }, { GDK_KEY_3, GDK_ALT_MASK }, { GDK_KEY_4, GDK_ALT_MASK },
    { GDK_KEY_5, GDK_ALT_MASK }, { GDK_KEY_6, GDK_ALT_MASK }, { GDK_KEY_r, GDK_CONTROL_MASK | GDK_SHIFT_MASK },
    { GDK_KEY_e, GDK_CONTROL_MASK | GDK_SHIFT_MASK }, { GDK_KEY_F11, 0 }, { GDK_KEY_F9, 0 }, { GDK_KEY_z, GDK_CONTROL_MASK },
    { GDK_KEY_Delete, 0 }, { GDK_KEY_Tab, 0 }, { GDK_KEY_Tab, 0 }, { GDK_KEY_Tab, 0 }, { GDK_KEY_Tab, GDK_SHIFT_MASK },
    { GDK_KEY_Return, 0 }, { GDK_KEY_Return, 0 }, { GDK_KEY_Escape, 0 }, { GDK_KEY_Escape, 0 }, { GDK_KEY_space, 0 },
    { GDK_KEY_space, 0 }, { GDK_KEY_Up, 0 }, { GDK_KEY_Down, 0 }, { GDK_KEY_Left, 0 }, { GDK_KEY_Right, 0 }, { GDK_KEY_Home, 0 },
    { GDK_KEY_End, 0 }, { GDK_KEY_Page_Up, 0 }, { GDK_KEY_Page_Down, 0 }, { GDK_KEY_plus, 0 }, { GDK_KEY_minus, 0 }, { GDK_KEY_0, 0 },
    { GDK_KEY_a, 0 }, { GDK_KEY_5, 0 }, { GDK_KEY_question, GDK_CONTROL_MASK | GDK_SHIFT_MASK }, { GDK_KEY_comma, GDK_CONTROL_MASK },
    { GDK_KEY_e, GDK_CONTROL_MASK }, { GDK_KEY_s, GDK_CONTROL_MASK }, { GDK_KEY_c, GDK_CONTROL_MASK | GDK_SHIFT_MASK },
    { GDK_KEY_s, GDK_CONTROL_MASK | GDK_SHIFT_MASK }, { GDK_KEY_o, GDK_CONTROL_MASK }, { GDK_KEY_p, GDK_CONTROL_MASK },
    { GDK_KEY_F10, 0 }, { GDK_KEY_Menu, 0 }, { GDK_KEY_a, GDK_CONTROL_MASK }, { GDK_KEY_c, GDK_CONTROL_MASK },
    { GDK_KEY_v, GDK_CONTROL_MASK }, { GDK_KEY_F2, 0 }, { GDK_KEY_BackSpace, 0 }, { GDK_KEY_plus, GDK_CONTROL_MASK },
    { GDK_KEY_F10, GDK_SHIFT_MASK }, { GDK_KEY_p, 0 }, { GDK_KEY_s, 0 }, { GDK_KEY_n, 0 }, { GDK_KEY_l, 0 },
    { GDK_KEY_Left, GDK_CONTROL_MASK }, { GDK_KEY_Right, GDK_SHIFT_MASK },
  };
  int i = below (G_N_ELEMENTS (keys)), times = below (8) == 0 ? 1 + below (4) : 1;

  while (times-- > 0)
    x_press (&monkey.input, keys[i].key, keys[i].modifiers);
}

static void
move (void)
{
  int x = below (1280), y = below (1024);

  x_fake (&monkey.input, X_MOTION, 0, x, y);
}

/* At the centre of any control of any window, where chance alone seldom meets one. */
static void
do_press_control (void)
{
  g_autoptr (GPtrArray) controls = g_ptr_array_new_with_free_func (g_object_unref);
  GListModel *windows = gtk_window_get_toplevels ();

  MEMLANE_FOR_EACH_ITEM (GtkWidget, window, windows)
    if (gtk_widget_get_mapped (window))
      pointer_collect (window, controls);
  if (controls->len == 0)
    return;
  pointer_move (&monkey.input, controls->pdata[below ((int) controls->len)]);
  x_click (&monkey.input, 1);
}

static void
do_click (void)
{
  static const guint buttons[] = { 1, 1, 1, 1, 1, 3, 4, 5 };
  guint button = buttons[below (G_N_ELEMENTS (buttons))];
  int times = 1 + (below (5) == 0);

  move ();
  while (times-- > 0)
    x_click (&monkey.input, button);
}

static void
do_drag (void)
{
  move ();
  x_fake (&monkey.input, X_BUTTON_PRESS, 1, 0, 0);
  for (int i = 0; i < 4; i++)
    move ();
  x_fake (&monkey.input, X_BUTTON_RELEASE, 1, 0, 0);
}

static void
do_move (void)
{
  for (int i = 0; i < 6; i++)
    move ();
}

static void
do_type (void)
{
  static const char *const texts[] = { "12", "99999999999", "<b>x</b>", "-1", "2^12", "abc" };
  const char *text = texts[below (G_N_ELEMENTS (texts))];

  for (; *text != '\0'; text++)
    x_press (&monkey.input, gdk_unicode_to_keyval ((guint32) *text), strchr ("<>^", *text) != NULL ? GDK_SHIFT_MASK : 0);
  if (below (2) == 0)
    x_press (&monkey.input, GDK_KEY_Return, 0);
}

static void
do_action (void)
{
  static const char *const names[] = {
    "run", "run", "run", "run", "run", "run", "stop", "undo-remove",
    "copy-figure", "record-trace", "record-trace",
    "compare", "published", "ceilings", "log-values", "side-panel", "projector", "open-recorded", "show-help-overlay", "export-figure",
    "export-csv", "print", "export-trace", "save-findings",
  };
  const char *name = names[below (G_N_ELEMENTS (names))];
  GActionGroup *group = G_ACTION_GROUP (monkey.stage.window);
  const GVariantType *type = g_action_group_get_action_parameter_type (group, name);

  monkey.doing = name;
  if (g_action_group_get_action_enabled (group, name))
    g_action_group_activate_action (group, name, type != NULL ? g_variant_new_string ("report") : NULL);
}

/* Any experiment that the page knows, most times without a prediction, which would be asked for otherwise. */
static void
do_experiment (void)
{
  MemlaneExperimentStore *store = memlane_window_get_models (monkey.stage.window)->experiments;
  guint n = g_list_model_get_n_items (G_LIST_MODEL (store));
  GtkWidget *page;

  g_action_group_change_action_state (G_ACTION_GROUP (monkey.stage.window), "page", g_variant_new_string ("experiments"));
  if (n == 0)
    return; /* they are being listed */
  page = GTK_WIDGET (memlane_window_get_page (monkey.stage.window, "experiments"));
  gtk_drop_down_set_selected (GTK_DROP_DOWN (gtk_widget_get_template_child (page, MEMLANE_TYPE_EXPERIMENT_PAGE, "titles")),
                              (guint) below ((int) n));
  g_object_set (store, "skip", below (8) != 0, NULL);
  if (g_action_group_get_action_enabled (G_ACTION_GROUP (monkey.stage.window), "run-experiment"))
    g_action_group_activate_action (G_ACTION_GROUP (monkey.stage.window), "run-experiment", NULL);
}

static void
do_page (void)
{
  static const char *const pages[] = { "bandwidth", "time", "timeline", "decide", "table", "experiments" };
  GActionGroup *group = G_ACTION_GROUP (monkey.stage.window);
  const char *page = pages[below (G_N_ELEMENTS (pages))];

  g_action_group_change_action_state (group, "page", g_variant_new_string (page));
  if (below (3) == 0)
    g_object_set (memlane_window_get_models (monkey.stage.window)->view, "phase", below (MEMLANE_N_PHASES), NULL);
}

static void
do_plan (void)
{
  static const char *const devices[] = {
    "simulated:h200", "simulated:h200", "simulated:one-copy-engine", "simulated:two-copy-engines", "simulated:nosuch",
  };
  guint n;
  const MemlaneWorkload *workloads = memlane_workload_list (&n);
  const MemlaneWorkload *workload = &workloads[below ((int) n)];
  const char *device = devices[below (G_N_ELEMENTS (devices))];
  int first = 8 + below (4), last = first + below (5);

  g_object_set (monkey.stage.models->plan, "first-log2", first, "last-log2", last, NULL);
  g_object_set (monkey.stage.models->devices, "device", device, NULL);
  if (below (3) == 0)
    g_object_set (monkey.stage.models->plan, "workload", workload->id, NULL);
}

static void
do_size (void)
{
  static const int widths[] = { 300, 360, 500, 800, 1000, 1200, 1270 }, heights[] = { 200, 294, 400, 700, 890, 1000 };
  int width = widths[below (G_N_ELEMENTS (widths))], height = heights[below (G_N_ELEMENTS (heights))];
  GtkWindow *window = GTK_WINDOW (monkey.stage.window);

  if (below (8) == 0)
    (gtk_window_is_maximized (window) ? gtk_window_unmaximize : gtk_window_maximize) (window);
  else
    gtk_window_set_default_size (window, width, height);
}

static void
do_open (void)
{
  int n = below (10) == 0 ? 2 + below (4) : 1;

  while (n-- > 0)
    {
      g_autoptr (GFile) file = g_file_new_for_path (g_ptr_array_index (monkey.files, below ((int) monkey.files->len)));

      memlane_window_open_file (monkey.stage.window, file);
      monkey.n_files++;
    }
}

static void
do_settings (void)
{
  static const char *const schemes[] = { "system", "light", "dark" };
  int scheme = below (G_N_ELEMENTS (schemes));

  if (memlane_settings_has ("color-scheme"))
    memlane_settings_set_string ("color-scheme", schemes[scheme]);
}

static void
do_close (void)
{
  gtk_window_close (GTK_WINDOW (monkey.stage.window));
}

static const struct
{
  const char *name;
  int weight;
  void (*run) (void);
} actions[] = {
  { "key", 300, do_key }, { "click", 180, do_click }, { "control", 120, do_press_control }, { "drag", 50, do_drag }, { "move", 50,
      do_move }, { "type", 30, do_type },
  { "action", 130, do_action }, { "experiment", 10, do_experiment }, { "page", 50, do_page },
  { "plan", 30, do_plan }, { "size", 40, do_size }, { "open", 20, do_open },
  { "settings", 6, do_settings }, { "close", 4, do_close },
};

/* Of this program, in MiB: "VmRSS" now, "VmHWM" at most. */
static int
get_memory (const char *name)
{
  g_autofree char *text = NULL, *start = g_strconcat (name, ":", NULL);
  const char *at;

  g_assert_true (g_file_get_contents ("/proc/self/status", &text, NULL, NULL));
  at = strstr (text, start);
  return at != NULL ? atoi (at + strlen (start)) / 1024 : 0;
}

/* --- the window comes and goes -------------------------------------------------------------------------------------------------- */

static void
count_swept_cb (gpointer object)
{
  monkey.n_sweeps++;
}

static void
count_finished_cb (MemlaneExperimentStore *store)
{
  monkey.n_experiments++;
}

static void
open_window (void)
{
  monkey.doing = "opening a window";
  g_setenv ("LC_ALL", monkey.chinese ? CHINESE : "C.UTF-8", TRUE);
  g_setenv ("LANGUAGE", monkey.chinese ? "zh_CN" : "C", TRUE);
  g_assert_nonnull (setlocale (LC_ALL, ""));
  setlocale (LC_NUMERIC, monkey.chinese ? "" : "C");
  monkey.chinese = !monkey.chinese;
  monkey.stage = stage_activate ();
  g_object_add_weak_pointer (G_OBJECT (monkey.stage.window), (gpointer *) &monkey.stage.window);
  ui_test_wait (stage_has_device (monkey.stage.models));
  g_object_set (monkey.stage.models->devices, "device", "simulated:h200", NULL);
  g_object_set (monkey.stage.models->plan, "first-log2", 10, "last-log2", 12, "cell-seconds", 0.01, NULL);
  g_signal_connect (monkey.stage.models->sweep, "swept", G_CALLBACK (count_swept_cb), NULL);
  g_signal_connect (memlane_window_get_models (monkey.stage.window)->experiments, "finished", G_CALLBACK (count_finished_cb), NULL);
  monkey.n_windows++;
}

/* What would write outside of its home, or measure for minutes, is not let happen. */
static void
keep_in_bounds (void)
{
  GListModel *windows = gtk_window_get_toplevels ();

  for (guint i = g_list_model_get_n_items (windows); i-- > 0;)
    {
      g_autoptr (GtkWindow) window = g_list_model_get_item (windows, i);

      if (GTK_IS_FILE_CHOOSER (window) || g_str_equal (G_OBJECT_TYPE_NAME (window), "GtkPrintUnixDialog"))
        gtk_dialog_response (GTK_DIALOG (window), GTK_RESPONSE_CANCEL);
    }
  if (monkey.stage.window == NULL)
    return;
  if (ui_test_get (int, monkey.stage.models->plan, "last-log2") > MOST_LOG2)
    g_object_set (monkey.stage.models->plan, "first-log2", 10, "last-log2", 12, NULL);
}

static void
act (void)
{
  const guint32 seeds[2] = { (guint32) seed, monkey.n_actions };
  int i, at, all = 0;

  g_rand_set_seed_array (monkey.rand, seeds, G_N_ELEMENTS (seeds));
  for (i = 0; i < (int) G_N_ELEMENTS (actions); i++)
    all += actions[i].weight;
  at = below (all);
  for (i = 0; at >= actions[i].weight; i++)
    at -= actions[i].weight;
  monkey.doing = actions[i].name;
  if (monkey.say)
    g_printerr ("%u %s\n", monkey.n_actions, monkey.doing);
  monkey.n_actions++;
  monkey.last_tick = g_get_monotonic_time ();
  monkey.last_work = get_work ();
  actions[i].run ();
  spin ((guint) below (60));
}

static gboolean
all_are_gone (void)
{
  return monkey.stage.window == NULL && g_list_model_get_n_items (gtk_window_get_toplevels ()) == 0;
}

/* A window that stays is one of three: it was not asked, the loop does not come to what is left to do, or somebody holds it. So does one
 * that a page has beside it. */
static void
wait_until_gone (void)
{
  gint64 end = g_get_monotonic_time () + UI_TEST_SECONDS * G_USEC_PER_SEC;
  MemlaneWindow *window;

  while (!all_are_gone () && g_get_monotonic_time () < end)
    ui_test_spin (20);
  if (all_are_gone ())
    return;
  window = monkey.stage.window;
  if (window != NULL)
    g_printerr ("monkey: the window stays: closing %d, realized %d, shown %d, %u references\n", memlane_window_is_closing (window),
                gtk_widget_get_realized (GTK_WIDGET (window)), gtk_widget_get_visible (GTK_WIDGET (window)), G_OBJECT (window)->ref_count);
  MEMLANE_FOR_EACH_ITEM (GtkWindow, other, gtk_window_get_toplevels ())
    g_printerr ("monkey: %s \"%s\" stays\n", G_OBJECT_TYPE_NAME (other),
                gtk_window_get_title (other));
  g_error ("windows are left after the last was closed");
}

static void
test_monkey (void)
{
  gint64 end = g_get_monotonic_time () + (gint64) seconds * G_USEC_PER_SEC;
  guint tick = g_timeout_add_full (G_PRIORITY_DEFAULT, 5, tick_cb, NULL, NULL);
  void *stack[STACK];

  monkey.depth = backtrace (stack, STACK) - 1;
  monkey.rand = g_rand_new ();
  monkey.theirs = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  g_log_set_always_fatal (G_LOG_FLAG_RECURSION | G_LOG_LEVEL_ERROR);
  g_log_set_writer_func (writer, NULL, NULL);
  signal (SIGALRM, alarm_cb);
  signal (SIGABRT, crash_cb);
#ifndef __SANITIZE_ADDRESS__
  signal (SIGSEGV, crash_cb);
#endif
  make_files ();
  x_input_open (&monkey.input);
  while (g_get_monotonic_time () < end)
    {
      if (monkey.stage.window == NULL)
        open_window ();
      if (monkey.n_actions % 16 == 0)
        x_focus_pointer (&monkey.input);
      act ();
      keep_in_bounds ();
      if (monkey.stage.window != NULL && memlane_window_is_closing (monkey.stage.window))
        wait_until_gone ();
    }
  if (monkey.stage.window != NULL)
    {
      do_close ();
      wait_until_gone ();
    }
  g_source_remove (tick);
  x_input_close (&monkey.input);
  MEMLANE_FOR_EACH_ENTRY (monkey.theirs, key, value)
    g_test_message ("of GTK alone, %u times: %s", GPOINTER_TO_UINT (value), (char *) key);
  g_test_message ("seed %d: %u actions, %u sweeps, %u experiments, %u files, %u windows, 0 criticals of ours, %u kinds of GTK alone, "
                  "%u answers over %d s, longest %.0f ms (after action %s), mean %.2f ms, memory %d MiB, at most %d MiB",
                  seed, monkey.n_actions, monkey.n_sweeps, monkey.n_experiments, monkey.n_files, monkey.n_windows,
                  g_hash_table_size (monkey.theirs), monkey.n_slow, SLOW_SECONDS, monkey.longest / 1000.0, monkey.longest_after,
                  monkey.n_ticks > 0 ? monkey.total / 1000.0 / monkey.n_ticks : 0, get_memory ("VmRSS"), get_memory ("VmHWM"));
  g_hash_table_unref (monkey.theirs);
  g_ptr_array_unref (monkey.files);
  g_rand_free (monkey.rand);
  g_free (monkey.longest_after);
}

/* What belongs to the system, but for programs that could be started for a link. Before GLib asks. */
static char *
make_system (void)
{
  static const char *const names[] = { "mime", "icons", "themes", "locale", "glib-2.0" };
  const char *share = g_getenv ("MEMLANE_SYSTEM_SHARE"); /* of a bundle (tests/gpu/bundle-window) */
  char *folder = g_dir_make_tmp ("memlane-monkey-XXXXXX", NULL);

  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    {
      g_autofree char *from = g_build_filename (share != NULL ? share : "/usr/share", names[i], NULL);
      g_autofree char *to = g_build_filename (folder, names[i], NULL);

      g_assert_cmpint (symlink (from, to), ==, 0);
    }
  g_setenv ("XDG_DATA_DIRS", folder, TRUE);
  return folder;
}

/* The machine need not have it (test-language.c), nor localedef where LOCPATH says that it lies ready. */
static void
make_locale (void)
{
  g_autofree char *folder = ui_test_path ("locale"), *path = ui_test_path ("locale/" CHINESE);
  const char *argv[] = { "localedef", "-i", "zh_CN", "-f", "UTF-8", path, NULL };
  g_autoptr (GError) error = NULL;
  int status = -1;

  if (g_getenv ("LOCPATH") != NULL)
    return;
  g_assert_cmpint (g_mkdir (folder, 0700), ==, 0);
  g_spawn_sync (NULL, (char **) argv, NULL, G_SPAWN_SEARCH_PATH, NULL, NULL, NULL, NULL, &status, &error);
  g_assert_no_error (error);
  g_assert_cmpint (status, ==, 0);
  g_setenv ("LOCPATH", folder, TRUE);
}

int
main (int argc, char **argv)
{
  const GOptionEntry options[] = {
    { "seconds", 0, 0, G_OPTION_ARG_INT, &seconds, "How long", "N" },
    { "seed", 0, 0, G_OPTION_ARG_INT, &seed, "Which actions", "N" },
    { "say", 0, 0, G_OPTION_ARG_NONE, &monkey.say, "Print each action before it is done", NULL },
    { NULL, 0, 0, G_OPTION_ARG_NONE, NULL, NULL, NULL },
  };
  g_autoptr (GOptionContext) context = g_option_context_new (NULL);
  g_autoptr (GError) error = NULL;
  g_autofree char *folder = NULL;
  int status;

  g_option_context_add_main_entries (context, options, NULL);
  g_option_context_set_ignore_unknown_options (context, TRUE);
  if (!g_option_context_parse (context, &argc, &argv, &error))
    {
      g_printerr ("monkey: %s\n", error->message);
      return 2;
    }
  folder = make_system ();
  ui_test_init (&argc, &argv);
  g_object_set (gtk_settings_get_default (), "gtk-enable-animations", TRUE, NULL);
  make_locale ();
  g_assert_cmpint (g_chdir (ui_test_home), ==, 0);
  g_setenv ("HOME", ui_test_home, TRUE);
  g_test_add_func ("/monkey", test_monkey);
  status = ui_test_run ();
  ui_test_delete (folder);
  return status;
}
