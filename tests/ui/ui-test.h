/* ui-test.h: what every test of the window shares: a home of its own, waiting with a limit, finding widgets, names, screenshots
 *
 * SPDX-License-Identifier: MIT
 *
 *   int main (int argc, char **argv)
 *   {
 *     ui_test_init (&argc, &argv);          // leaves with TAP's "all skipped" where there is no display
 *     g_test_add_func ("/plan-panel/modes", test_modes);
 *     return ui_test_run ();
 *   }
 *
 * Settings live in memory and folders under a temporary one, so nothing of the person's is touched. MEMLANE_DATA_DIR is the source's data/.
 * Environment: MEMLANE_SOURCE_ROOT (else the working directory); MEMLANE_SCREENSHOTS: a folder to keep
 * the images of ui_test_screenshot() in.
 */
#pragma once

#include <adwaita.h>
#include <dlfcn.h>
#include <glib/gstdio.h>
#include <locale.h>

#include "model/fields.h"

#define UI_TEST_SECONDS 60 /* the longest wait; under sanitizers on two busy cores things take their time */

static char *ui_test_home;

#if defined(UI_TEST_LEAKS_ELSEWHERE) && defined(__SANITIZE_ADDRESS__)
/* A test that builds every page again and again would take minutes with whole stacks (below); what leaks in the pages is found by the
 * pages' own tests. */
const char *__asan_default_options (void);

const char *
__asan_default_options (void)
{
  return "detect_leaks=0";
}
#endif

#ifdef __SANITIZE_ADDRESS__
/* What libraries take before main() they keep for good, and GLib lets go of its first table of quarks when it has to grow. The
 * leak sanitizer could tell by whole stacks alone, with which a test takes five times as long. So it does not look until then. */
void __lsan_disable (void);
void __lsan_enable (void);

__attribute__ ((section (".preinit_array"), used)) static void (*ui_test_look_away) (void) = __lsan_disable;

__attribute__ ((constructor)) static void
ui_test_look (void)
{
  __lsan_enable ();
}
#endif

#if defined(UI_TEST_OPENS_FILES) && defined(__SANITIZE_ADDRESS__)
static gboolean ui_test_has_looked; /* libcloudproviders, at the bus */

static gboolean
ui_test_look_cb (gpointer data)
{
  ui_test_has_looked = TRUE;
  return G_SOURCE_REMOVE;
}

/* Likewise: GIO's table of file types, and what libcloudproviders loses for the first file dialog, as soon as it has the bus. There is one
 * such object in a process, which is kept here. */
static void
ui_test_meet_file_dialog (void)
{
  GObject *(*meet) (void) = dlsym (RTLD_DEFAULT, "cloud_providers_collector_dup_singleton");

  __lsan_disable ();
  g_free (g_content_type_guess ("run.csv", NULL, 0, NULL));
  if (meet != NULL)
    g_signal_connect_swapped (meet (), "providers-changed", G_CALLBACK (ui_test_look_cb), NULL);
  g_timeout_add_seconds (10, ui_test_look_cb, NULL); /* without a bus it never does */
  while (meet != NULL && !ui_test_has_looked)
    g_main_context_iteration (NULL, TRUE);
  __lsan_enable ();
}
#endif

G_GNUC_UNUSED static char *
ui_test_source (const char *below)
{
  const char *root = g_getenv ("MEMLANE_SOURCE_ROOT");

  return g_build_filename (root != NULL ? root : ".", below, NULL);
}

/* A path in the test's own temporary folder. */
G_GNUC_UNUSED static char *
ui_test_path (const char *below)
{
  return g_build_filename (ui_test_home, below, NULL);
}

static void
ui_test_set_folder (const char *variable, const char *below)
{
  g_autofree char *path = ui_test_path (below);

  g_mkdir_with_parents (path, 0700);
  g_setenv (variable, path, TRUE);
}

static void
ui_test_compile_schemas (void)
{
  g_autofree char *schemas = ui_test_path ("schemas");
  g_autofree char *data = ui_test_source ("data");
  g_autofree char *target = g_strconcat ("--targetdir=", schemas, NULL);
  const char *argv[] = { "glib-compile-schemas", "--strict", target, data, NULL };
  g_autoptr (GError) error = NULL;
  int status = 0;

  g_mkdir_with_parents (schemas, 0700);
  if (!g_spawn_sync (NULL, (char **) argv, NULL, G_SPAWN_SEARCH_PATH, NULL, NULL, NULL, NULL, &status, &error)
      || !g_spawn_check_wait_status (status, &error))
    g_error ("the settings' schema does not compile: %s", error->message);
  g_setenv ("GSETTINGS_SCHEMA_DIR", schemas, TRUE);
}

static void
ui_test_delete (const char *path)
{
  g_autoptr (GDir) folder = NULL;
  const char *name;

  if (!g_file_test (path, G_FILE_TEST_IS_SYMLINK))
    {
      g_chmod (path, 0700);
      folder = g_dir_open (path, 0, NULL);
    }
  while (folder != NULL && (name = g_dir_read_name (folder)) != NULL)
    {
      g_autofree char *below = g_build_filename (path, name, NULL);
      ui_test_delete (below);
    }
  g_remove (path);
}

G_GNUC_UNUSED static void
ui_test_init (int *argc, char ***argv)
{
  g_autofree char *data = NULL;

  ui_test_home = g_dir_make_tmp ("memlane-ui-XXXXXX", NULL);
  g_assert_nonnull (ui_test_home);
  ui_test_set_folder ("XDG_DATA_HOME", "share");
  ui_test_set_folder ("XDG_STATE_HOME", "state");
  ui_test_set_folder ("XDG_CONFIG_HOME", "config");
  ui_test_set_folder ("XDG_CACHE_HOME", "cache");
  data = ui_test_source ("data");
  g_setenv ("MEMLANE_DATA_DIR", data, TRUE);
  g_setenv ("GSETTINGS_BACKEND", "memory", TRUE);
  g_setenv ("GTK_A11Y", "test", TRUE);
  g_setenv ("GSK_RENDERER", "cairo", TRUE);
  g_setenv ("GIO_USE_VFS", "local", TRUE);
  g_setenv ("NO_AT_BRIDGE", "1", TRUE);
  g_setenv ("ADW_DISABLE_PORTAL", "1", TRUE);
  g_setenv ("GTK_USE_PORTAL", "0", TRUE);
  if (g_getenv ("GSETTINGS_SCHEMA_DIR") == NULL)
    ui_test_compile_schemas ();

  setlocale (LC_ALL, "C.UTF-8");
  gtk_disable_setlocale ();
  g_test_init (argc, argv, NULL);
  if (!gtk_init_check ())
    {
      g_print ("1..0 # SKIP no display: run it under xvfb-run\n");
      ui_test_delete (ui_test_home);
      exit (0); /* TAP: meson takes 77 for a failure here */
    }
  adw_init ();
  g_object_set (gtk_settings_get_default (), "gtk-enable-animations", FALSE, NULL);
#if defined(UI_TEST_OPENS_FILES) && defined(__SANITIZE_ADDRESS__)
  ui_test_meet_file_dialog ();
#endif
}

/* Runs the tests and removes the temporary folder. */
G_GNUC_UNUSED static int
ui_test_run (void)
{
  int status = g_test_run ();

  ui_test_delete (ui_test_home);
  g_clear_pointer (&ui_test_home, g_free);
  return status;
}

static gboolean
ui_test_limit_cb (gpointer data)
{
  *(gboolean *) data = TRUE;
  return G_SOURCE_REMOVE;
}

typedef gboolean (*UiTestMatch) (GtkWidget *widget, gpointer data);

/* The first widget at or below @root, in tree order, that @match likes; NULL: none. */
static GtkWidget *
ui_test_find (GtkWidget *root, UiTestMatch match, gpointer data)
{
  GtkWidget *child, *found;

  if (match (root, data))
    return root;
  for (child = gtk_widget_get_first_child (root); child != NULL; child = gtk_widget_get_next_sibling (child))
    if ((found = ui_test_find (child, match, data)) != NULL)
      return found;
  return NULL;
}

static gboolean
ui_test_collect_text (GtkWidget *widget, gpointer data)
{
  GString *texts = data;

  if (GTK_IS_LABEL (widget) && gtk_widget_get_mapped (widget) && texts->len < 4000)
    g_string_append_printf (texts, " “%s”", gtk_label_get_text (GTK_LABEL (widget)));
  return FALSE;
}

/* Lists the windows with the texts that they show, for the message of a test that waits in vain. */
static char *
ui_test_describe_windows (void)
{
  GListModel *windows = gtk_window_get_toplevels ();
  GString *texts = g_string_new (NULL);

  MEMLANE_FOR_EACH_ITEM (GtkWidget, window, windows)
    {
      const char *title = gtk_window_get_title (GTK_WINDOW (window));

      g_string_append_printf (texts, "\n  %s “%s”:", G_OBJECT_TYPE_NAME (window), title != NULL ? title : "");
      ui_test_find (window, ui_test_collect_text, texts);
    }
  return g_string_free (texts, FALSE);
}

/* Waits a little for @condition, which is not true yet; fails after @end and names it. */
static void
ui_test_wait_at (const char *file, int line, const char *condition, gint64 end)
{
  gboolean tick = FALSE;
  /* Conditions may depend on other threads. */
  guint source = g_timeout_add (20, ui_test_limit_cb, &tick);

  if (g_get_monotonic_time () > end)
    {
      g_autofree char *windows = ui_test_describe_windows ();

      g_error ("%s:%d: expected within %d s: %s. The windows are:%s", file, line, UI_TEST_SECONDS,
               condition, windows);
    }
  g_main_context_iteration (NULL, TRUE);
  if (!tick)
    g_source_remove (source);
}

/* Runs the main loop until @condition, which is evaluated again and again, is true. */
#define ui_test_wait(condition) \
  for (gint64 end_ = g_get_monotonic_time () + UI_TEST_SECONDS * G_USEC_PER_SEC; !(condition);) \
    ui_test_wait_at (__FILE__, __LINE__, #condition, end_)

/* Runs the main loop for a while: for things that must not happen. */
G_GNUC_UNUSED static void
ui_test_spin (guint milliseconds)
{
  gboolean over = FALSE;

  g_timeout_add (milliseconds, ui_test_limit_cb, &over);
  while (!over)
    g_main_context_iteration (NULL, TRUE);
}

static gboolean
ui_test_flag_cb (gpointer data)
{
  return *(gboolean *) data;
}

static void
ui_test_painted_cb (GdkFrameClock *clock, gpointer data)
{
  *(gboolean *) data = TRUE;
}

/* Waits until @widget's window has painted a frame from now on: layout and drawing are up to date. */
G_GNUC_UNUSED static void
ui_test_next_frame (GtkWidget *widget)
{
  GdkFrameClock *clock = gtk_widget_get_frame_clock (widget);
  gboolean painted = FALSE;
  gulong handler;

  g_assert_nonnull (clock);
  handler = g_signal_connect (clock, "after-paint", G_CALLBACK (ui_test_painted_cb), &painted);
  gtk_widget_queue_draw (widget);
  gdk_frame_clock_request_phase (clock, GDK_FRAME_CLOCK_PHASE_PAINT);
  ui_test_wait (ui_test_flag_cb (&painted));
  g_signal_handler_disconnect (clock, handler);
}

static gboolean
ui_test_is_mapped (gpointer widget)
{
  return gtk_widget_get_mapped (widget);
}

/* Shows a window and waits for its first frame. */
G_GNUC_UNUSED static void
ui_test_present (GtkWindow *window)
{
  gtk_window_present (window);
  ui_test_wait (ui_test_is_mapped (window));
  ui_test_next_frame (GTK_WIDGET (window));
}

/* @child alone in a window of its own (AdwApplicationWindow without an application); destroy it by gtk_window_destroy(). */
G_GNUC_UNUSED static GtkWindow *
ui_test_window_for (GtkWidget *child, int width, int height)
{
  GtkWidget *window = adw_window_new ();

  gtk_window_set_default_size (GTK_WINDOW (window), width, height);
  adw_window_set_content (ADW_WINDOW (window), child);
  ui_test_present (GTK_WINDOW (window));
  return GTK_WINDOW (window);
}

/* The first window of this type that is seen, and of this name where one is given; NULL: none. */
G_GNUC_UNUSED static GtkWidget *
ui_test_find_window (GType type, const char *name)
{
  GListModel *windows = gtk_window_get_toplevels ();

  MEMLANE_FOR_EACH_ITEM (GtkWidget, window, windows)
    if (g_type_is_a (G_OBJECT_TYPE (window), type) && gtk_widget_get_mapped (window)
        && (name == NULL || g_str_equal (gtk_widget_get_name (window), name)))
      return window; /* GTK holds it */
  return NULL;
}

static gboolean
ui_test_match_type (GtkWidget *widget, gpointer data)
{
  return g_type_is_a (G_OBJECT_TYPE (widget), *(GType *) data);
}

G_GNUC_UNUSED static GtkWidget *
ui_test_find_type (GtkWidget *root, GType type)
{
  return ui_test_find (root, ui_test_match_type, &type);
}

static gboolean
ui_test_match_id (GtkWidget *widget, gpointer data)
{
  const char *id = gtk_buildable_get_buildable_id (GTK_BUILDABLE (widget));

  return g_strcmp0 (id, data) == 0 || g_strcmp0 (gtk_widget_get_name (widget), data) == 0;
}

/* Whether a screen reader is told that the widget is at work. */
G_GNUC_UNUSED static gboolean
ui_test_is_busy (GtkWidget *widget)
{
  g_autofree char *other = gtk_test_accessible_check_state (GTK_ACCESSIBLE (widget), GTK_ACCESSIBLE_STATE_BUSY, FALSE);

  return other != NULL;
}

/* By the id in the .ui file or gtk_widget_set_name(). */
G_GNUC_UNUSED static GtkWidget *
ui_test_find_id (GtkWidget *root, const char *id)
{
  return ui_test_find (root, ui_test_match_id, (gpointer) id);
}

static gboolean
ui_test_match_text (GtkWidget *widget, gpointer data)
{
  return GTK_IS_LABEL (widget) && strstr (gtk_label_get_text (GTK_LABEL (widget)), data) != NULL;
}

/* A mapped or unmapped label that contains @text. */
G_GNUC_UNUSED static GtkWidget *
ui_test_find_text (GtkWidget *root, const char *text)
{
  return ui_test_find (root, ui_test_match_text, (gpointer) text);
}

/* What the key is bound to in @widget, run as GTK would. FALSE: the widget lets the key pass. */
G_GNUC_UNUSED static gboolean
ui_test_press (GtkWidget *widget, guint key, GdkModifierType modifiers)
{
  g_autoptr (GListModel) controllers = gtk_widget_observe_controllers (widget);

  MEMLANE_FOR_EACH_ITEM (GtkEventController, controller, controllers)
    {
      for (guint j = 0; GTK_IS_SHORTCUT_CONTROLLER (controller) && j < g_list_model_get_n_items (G_LIST_MODEL (controller)); j++)
        {
          g_autoptr (GtkShortcut) shortcut = g_list_model_get_item (G_LIST_MODEL (controller), j);
          GtkShortcutTrigger *trigger = gtk_shortcut_get_trigger (shortcut);

          if (GTK_IS_KEYVAL_TRIGGER (trigger) && gtk_keyval_trigger_get_keyval (GTK_KEYVAL_TRIGGER (trigger)) == key
              && gtk_keyval_trigger_get_modifiers (GTK_KEYVAL_TRIGGER (trigger)) == modifiers)
            return gtk_shortcut_action_activate (gtk_shortcut_get_action (shortcut), 0, widget, gtk_shortcut_get_arguments (shortcut));
        }
    }
  return FALSE;
}

/* The window hears the key before all that is in it. Returns whether it took the key. */
G_GNUC_UNUSED static gboolean
ui_test_press_window (GtkWidget *window, guint key)
{
  g_autoptr (GListModel) controllers = gtk_widget_observe_controllers (window);
  gboolean taken = FALSE;

  for (guint i = 0; i < g_list_model_get_n_items (controllers) && !taken; i++)
    {
      g_autoptr (GtkEventController) controller = g_list_model_get_item (controllers, i);

      if (GTK_IS_EVENT_CONTROLLER_KEY (controller)
          && gtk_event_controller_get_propagation_phase (controller) == GTK_PHASE_CAPTURE)
        g_signal_emit_by_name (controller, "key-pressed", key, 9, 0, &taken);
    }
  return taken;
}

static gboolean
ui_test_match_css_name (GtkWidget *widget, gpointer data)
{
  return strcmp (gtk_widget_get_css_name (widget), data) == 0 && gtk_widget_get_mapped (widget);
}

/* The toast that is seen. */
G_GNUC_UNUSED static GtkWidget *
ui_test_find_toast (GtkWidget *window)
{
  return ui_test_find (window, ui_test_match_css_name, (gpointer) "toast");
}

static void
ui_test_clipboard_cb (GObject *source, GAsyncResult *result, gpointer text)
{
  g_autoptr (GError) error = NULL;

  *(char **) text = gdk_clipboard_read_text_finish (GDK_CLIPBOARD (source), result, &error);
  g_assert_no_error (error);
}

/* The text on the clipboard. (transfer full) */
G_GNUC_UNUSED static char *
ui_test_read_clipboard (GtkWidget *widget)
{
  char *text = NULL;

  gdk_clipboard_read_text_async (gtk_widget_get_clipboard (widget), NULL, ui_test_clipboard_cb,
                                 &text);
  ui_test_wait (text != NULL);
  return text;
}

/* The value of a property that is no object and no text. */
#define ui_test_get(type, object, property) \
  ({ \
    type value_; \
    g_object_get (object, property, &value_, NULL); \
    value_; \
  })

/* The accessible label as it was set, or NULL. gtk_test_accessible_check_property() hands back what it found where that is another text. */
G_GNUC_UNUSED static char *
ui_test_accessible_label (GtkWidget *widget)
{
  if (!gtk_test_accessible_has_property (GTK_ACCESSIBLE (widget), GTK_ACCESSIBLE_PROPERTY_LABEL))
    return NULL;
  return gtk_test_accessible_check_property (GTK_ACCESSIBLE (widget), GTK_ACCESSIBLE_PROPERTY_LABEL, "\001");
}

static gboolean
ui_test_match_label (GtkWidget *widget, gpointer data)
{
  return GTK_IS_LABEL (widget) && *gtk_label_get_text (GTK_LABEL (widget)) != '\0';
}

/* Whether assistive technology has a name for @widget: a label, a relation to one, or text inside it. */
G_GNUC_UNUSED static gboolean
ui_test_has_name (GtkWidget *widget)
{
  g_autofree char *label = ui_test_accessible_label (widget);

  if (label != NULL && *label != '\0')
    return TRUE;
  if (gtk_test_accessible_has_relation (GTK_ACCESSIBLE (widget), GTK_ACCESSIBLE_RELATION_LABELLED_BY))
    return TRUE;
  return ui_test_find (widget, ui_test_match_label, NULL) != NULL;
}

/* Paints @widget as it stands. Writes the picture to @name, an absolute path or a file in $MEMLANE_SCREENSHOTS; without that folder nothing
 * is written, for encoding takes longer than painting. */
G_GNUC_UNUSED static void
ui_test_screenshot (GtkWidget *widget, const char *name)
{
  const char *folder = g_getenv ("MEMLANE_SCREENSHOTS");
  g_autofree char *path = g_path_is_absolute (name) ? g_strdup (name) : folder != NULL ? g_build_filename (folder, name, NULL) : NULL;
  g_autoptr (GskRenderNode) node = NULL;
  g_autoptr (GdkTexture) texture = NULL;
  GskRenderer *renderer;
  guint i;

  /* A widget that waits for its next frame has no picture. */
  for (i = 0; node == NULL && i < 50; i++)
    {
      g_autoptr (GdkPaintable) paintable = NULL;
      GtkSnapshot *snapshot = gtk_snapshot_new ();

      ui_test_next_frame (widget);
      paintable = gtk_widget_paintable_new (widget);
      gdk_paintable_snapshot (paintable, snapshot, gtk_widget_get_width (widget), gtk_widget_get_height (widget));
      node = gtk_snapshot_free_to_node (snapshot);
    }
  g_assert_nonnull (node);
  if (path == NULL)
    return;
  renderer = gtk_native_get_renderer (gtk_widget_get_native (widget));
  texture = gsk_renderer_render_texture (renderer, node,
                                         &GRAPHENE_RECT_INIT (0, 0, gtk_widget_get_width (widget), gtk_widget_get_height (widget)));
  g_assert_true (gdk_texture_save_to_png (texture, path));
}
