/* scene.h: tests of the window as text: what somebody does, and what is seen then, a step a line
 *
 * SPDX-License-Identifier: MIT
 *
 *   [/decide-page/choose]          a test; the comment above says what for
 *   open                           the window on the simulated device; each test closes it
 *   page decide
 *   do decide.size 12              an action, from the page that is shown, with a GVariant as text
 *   expect bytes text "4 KiB"      is so now
 *   wait best text ends Pinned     becomes so
 *   expect not measure seen
 *   each key Left Right            the steps up to "end" once for each, with {key} as that word
 *   press figure {key}
 *   end
 *
 * Words are quoted as in a shell, # begins a comment. scene_verbs below lists the steps; a program
 * may add its own.
 * A thing is a widget by its id in the .ui file, on the page that is shown or anywhere, or
 *   $plan, $view, $runs, …         a model; $settings: the person's; $gtk: the toolkit's
 *   $run:kept                      the first run that is live, kept, opened or recorded
 *   page, figure, toast, focus, window, dialog (of an export), question (a file's name)
 * and what is below it: list/#2 (the third child), popover/~Delete (a label that contains this),
 * page/@GtkListBox (a type), toast/=Undo (a button with this label).
 * A fact is one that scene_get_fact() names, or a property of the thing. It is compared by is (or
 * nothing), has, begins, ends, <, <=, > or >=.
 * {home} and {source} are folders, {thing.fact} is a fact, {name} what "remember name thing fact"
 * found, {name+1} one more.
 */
#pragma once

#include "dialog-fixture.h"
#include "parts/settings.h"
#include "window-fixture.h"

#define SCENE_SECONDS 300 /* an experiment may take longer than what others wait for */

typedef struct
{
  const char *verb;
  guint n; /* words that follow, at least */
  void (*run) (char **words);
} SceneVerb;

typedef struct
{
  const char *file;
  GPtrArray *lines; /* (element-type utf8): of the whole file */
  guint first, last;
} SceneTest;

static struct
{
  Stage stage;
  const SceneVerb *own_verbs; /* (nullable): up to one without a name */
  char *(*get_own_fact) (gpointer thing, const char *fact); /* (nullable); NULL: it is none */
  GHashTable *variables;
  const char *file, *text; /* of the step, for messages */
  guint line;
} scene;

G_GNUC_PRINTF (1, 2) static void
scene_fail (const char *format, ...)
{
  va_list arguments;

  va_start (arguments, format);
  g_error ("%s:%u: %s: %s", scene.file, scene.line, scene.text,
           g_strdup_vprintf (format, arguments));
}

/* --- things --------------------------------------------------------------------------------- */

static gpointer
scene_find_model (const char *name)
{
  static const struct
  {
    const char *name;
    gsize offset;
  } models[] = {
    { "plan", G_STRUCT_OFFSET (MemlaneModels, plan) },
    { "view", G_STRUCT_OFFSET (MemlaneModels, view) },
    { "runs", G_STRUCT_OFFSET (MemlaneModels, runs) },
    { "devices", G_STRUCT_OFFSET (MemlaneModels, devices) },
    { "traces", G_STRUCT_OFFSET (MemlaneModels, traces) },
    { "experiments", G_STRUCT_OFFSET (MemlaneModels, experiments) },
  };

  if (g_str_equal (name, "settings"))
    return memlane_settings_get ();
  if (g_str_equal (name, "gtk"))
    return gtk_settings_get_default ();
  if (g_str_equal (name, "style"))
    return adw_style_manager_get_default ();
  for (guint i = 0; i < G_N_ELEMENTS (models) && scene.stage.models != NULL; i++)
    if (g_str_equal (models[i].name, name))
      return G_STRUCT_MEMBER (gpointer, scene.stage.models, models[i].offset);
  return NULL;
}

static gboolean
scene_match_button (GtkWidget *widget, gpointer label)
{
  const char *text = GTK_IS_BUTTON (widget) ? gtk_button_get_label (GTK_BUTTON (widget)) : NULL;
  g_auto (GStrv) parts = g_strsplit (text != NULL ? text : "", "_", -1);
  g_autofree char *whole = g_strjoinv ("", parts);

  return gtk_widget_get_mapped (widget) && g_str_equal (whole, label);
}

static gboolean
scene_match_name (GtkWidget *widget, gpointer name)
{
  g_autofree char *label = ui_test_accessible_label (widget);

  return g_strcmp0 (label, name) == 0;
}

static GtkWidget *
scene_find_below (GtkWidget *root, const char *name)
{
  GtkWidget *child = gtk_widget_get_first_child (root);

  if (name[0] == '@')
    return ui_test_find_type (root, g_type_from_name (name + 1));
  if (name[0] == '~')
    return ui_test_find_text (root, name + 1);
  if (name[0] == '=')
    return ui_test_find (root, scene_match_button, (gpointer) (name + 1));
  if (name[0] == '^')
    return ui_test_find (root, scene_match_name, (gpointer) (name + 1));
  if (name[0] != '#')
    return ui_test_find_id (root, name);
  for (int n = atoi (name + 1); n > 0 && child != NULL; n--)
    child = gtk_widget_get_next_sibling (child);
  return child;
}

static GtkWidget *
scene_get_page (void)
{
  g_autoptr (GVariant) state = NULL;
  const char *name;

  state = g_action_group_get_action_state (G_ACTION_GROUP (scene.stage.window), "page");
  name = g_variant_get_string (state, NULL);
  return GTK_WIDGET (memlane_window_get_page (scene.stage.window, name));
}

static GtkWidget *
scene_find_first (const char *name)
{
  GtkWidget *window = GTK_WIDGET (scene.stage.window);
  GtkWidget *page = scene_get_page ();
  GtkWidget *found;

  if (g_str_equal (name, "window"))
    return window;
  if (g_str_equal (name, "page"))
    return page;
  if (g_str_equal (name, "figure"))
    return memlane_page_get_figure (MEMLANE_PAGE (page));
  if (g_str_equal (name, "toast"))
    return ui_test_find_toast (window);
  if (g_str_equal (name, "focus"))
    return gtk_window_get_focus (GTK_WINDOW (window));
  if (g_str_equal (name, "dialog"))
    return dialog_find_preview ();
  if (g_str_equal (name, "question"))
    return GTK_WIDGET (dialog_find ());
  found = scene_find_below (page, name);
  return found != NULL ? found : scene_find_below (window, name);
}

/* (nullable) (transfer none): the list has it */
static MemlaneRunItem *
scene_find_run (const char *kind)
{
  static const char *const kinds[] = { [MEMLANE_RUN_LIVE] = "live",
                                       [MEMLANE_RUN_KEPT] = "kept",
                                       [MEMLANE_RUN_OPENED] = "opened",
                                       [MEMLANE_RUN_RECORDED] = "recorded" };
  g_autoptr (MemlaneRunItem) item = NULL;

  for (guint i = 0; i < G_N_ELEMENTS (kinds) && item == NULL; i++)
    if (g_str_equal (kinds[i], kind))
      item = stage_find_kind (&scene.stage, (MemlaneRunKind) i);
  return item;
}

/* (nullable) */
static gpointer
scene_find (const char *path)
{
  g_auto (GStrv) parts = g_strsplit (path, "/", -1);
  GtkWidget *widget;

  if (g_str_has_prefix (path, "$run:"))
    return scene_find_run (path + strlen ("$run:"));
  if (path[0] == '$')
    return scene_find_model (path + 1);
  widget = scene_find_first (parts[0]);
  for (guint i = 1; parts[i] != NULL && widget != NULL; i++)
    widget = scene_find_below (widget, parts[i]);
  return widget;
}

static gpointer
scene_get (const char *path)
{
  gpointer thing = scene_find (path);

  if (thing == NULL)
    scene_fail ("there is no %s", path);
  return thing;
}

/* --- facts --------------------------------------------------------------------------------- */

static gboolean
scene_is_focused (GtkWidget *widget)
{
  GtkWidget *focus = gtk_root_get_focus (gtk_widget_get_root (widget));

  return focus != NULL && (focus == widget || gtk_widget_is_ancestor (focus, widget));
}

static gboolean
scene_add_label (GtkWidget *widget, gpointer text)
{
  if (GTK_IS_LABEL (widget))
    g_string_append_printf (text, "%s\n", gtk_label_get_text (GTK_LABEL (widget)));
  return FALSE;
}

static double
scene_count (gpointer list)
{
  guint n = 0;

  if (GTK_IS_DROP_DOWN (list))
    list = gtk_drop_down_get_model (list);
  if (G_IS_LIST_MODEL (list))
    return g_list_model_get_n_items (list);
  while (gtk_list_box_get_row_at_index (list, (int) n) != NULL)
    n++;
  return n;
}

static int
scene_get_least_width (GtkWidget *widget)
{
  int least;

  gtk_widget_measure (widget, GTK_ORIENTATION_HORIZONTAL, -1, &least, NULL, NULL, NULL);
  return least;
}

/* At its least width. */
static int
scene_get_least_height (GtkWidget *widget)
{
  int least;

  gtk_widget_measure (widget, GTK_ORIENTATION_VERTICAL, scene_get_least_width (widget), &least,
                      NULL, NULL, NULL);
  return least;
}

/* Of the window, at its upper edge. */
static int
scene_get_top (GtkWidget *widget)
{
  graphene_rect_t bounds;

  if (!gtk_widget_compute_bounds (widget, GTK_WIDGET (scene.stage.window), &bounds))
    scene_fail ("it has no place");
  return (int) bounds.origin.y;
}

static int
scene_get_bottom (GtkWidget *widget)
{
  return scene_get_top (widget) + gtk_widget_get_height (widget);
}

/* The property of an object, or a setting, as text. (transfer full) */
static char *
scene_get_property (gpointer thing, const char *name)
{
  g_auto (GValue) value = G_VALUE_INIT, text = G_VALUE_INIT;

  if (G_IS_SETTINGS (thing))
    {
      g_autoptr (GVariant) kept = g_settings_get_value (thing, name);

      return g_variant_print (kept, FALSE);
    }
  if (g_object_class_find_property (G_OBJECT_GET_CLASS (thing), name) == NULL)
    scene_fail ("%s has no %s", G_OBJECT_TYPE_NAME (thing), name);
  g_object_get_property (thing, name, &value);
  if (G_VALUE_HOLDS_BOOLEAN (&value))
    return g_strdup (g_value_get_boolean (&value) ? "true" : "false");
  g_value_init (&text, G_TYPE_STRING);
  g_value_transform (&value, &text);
  return g_value_dup_string (&text);
}

static char *
scene_from_flag (gboolean flag)
{
  return g_strdup (flag ? "true" : "false");
}

/* Facts of the window. (transfer full) (nullable) */
static char *
scene_get_state (const char *fact)
{
  GActionGroup *actions = G_ACTION_GROUP (scene.stage.window);

  if (g_str_equal (fact, "drawn")) /* curves are seen */
    return scene_from_flag (stage_draws (&scene.stage));
  if (g_str_equal (fact, "read"))
    return scene_from_flag (!stage_can (&scene.stage, "stop")
                            && stage_has_read (scene.stage.models));
  if (g_str_equal (fact, "live")) /* three cells are measured */
    return scene_from_flag (stage_has_live_cells (&scene.stage));
  if (g_str_equal (fact, "measuring"))
    return scene_from_flag (!stage_rests (scene.stage.models));
  if (g_str_has_prefix (fact, "can:"))
    return scene_from_flag (g_action_group_get_action_enabled (actions, fact + strlen ("can:")));
  if (g_str_has_prefix (fact, "state:"))
    {
      g_autoptr (GVariant) state = NULL;

      state = g_action_group_get_action_state (actions, fact + strlen ("state:"));
      return g_variant_print (state, FALSE);
    }
  return NULL;
}

static const char *const scene_styles[] = { [MEMLANE_STYLE_SCREEN] = "screen",
                                            [MEMLANE_STYLE_DARK] = "dark",
                                            [MEMLANE_STYLE_PRINT] = "print",
                                            [MEMLANE_STYLE_PROJECTOR] = "projector",
                                            [MEMLANE_STYLE_PROJECTOR_DARK] = "projector-dark" };

/* Facts of any widget, and of what it shows. (transfer full) (nullable) */
static char *
scene_get_sight (gpointer widget, const char *fact)
{
  static const struct
  {
    const char *name;
    gboolean (*is) (GtkWidget *widget);
  } flags[] = {
    { "seen", gtk_widget_get_mapped },
    { "usable", gtk_widget_is_sensitive }, /* and all around it */
    { "focused", scene_is_focused },       /* it, or what is in it */
    { "named", ui_test_has_name },         /* assistive technology has a name for it */
    { "busy", ui_test_is_busy },
  };
  static const struct
  {
    const char *name;
    int (*measure) (GtkWidget *widget);
  } measures[] = {
    { "width", gtk_widget_get_width },
    { "height", gtk_widget_get_height },
    { "top", scene_get_top },
    { "bottom", scene_get_bottom },
    { "least-width", scene_get_least_width },
    { "least-height", scene_get_least_height },
  };
  static const struct
  {
    const char *name;
    GtkAccessibleProperty property;
  } spoken[] = {
    /* to assistive technology */
    { "name", GTK_ACCESSIBLE_PROPERTY_LABEL },
    { "described", GTK_ACCESSIBLE_PROPERTY_DESCRIPTION },
    { "value-text", GTK_ACCESSIBLE_PROPERTY_VALUE_TEXT },
  };

  for (guint i = 0; i < G_N_ELEMENTS (flags); i++)
    if (g_str_equal (flags[i].name, fact))
      return scene_from_flag (flags[i].is (widget));
  for (guint i = 0; i < G_N_ELEMENTS (spoken); i++)
    if (g_str_equal (spoken[i].name, fact)
        && gtk_test_accessible_has_property (widget, spoken[i].property))
      return gtk_test_accessible_check_property (widget, spoken[i].property, "\001");
  for (guint i = 0; i < G_N_ELEMENTS (measures); i++)
    if (g_str_equal (measures[i].name, fact))
      return g_strdup_printf ("%d", measures[i].measure (widget));
  if (g_str_equal (fact, "style")) /* of a figure */
    return g_strdup (scene_styles[MEMLANE_FIGURE_WIDGET (widget)->style->kind]);
  if (g_str_equal (fact, "cut")) /* a label ends in dots */
    return scene_from_flag (pango_layout_is_ellipsized (gtk_label_get_layout (widget)));
  if (g_str_has_prefix (fact, "class:"))
    return scene_from_flag (gtk_widget_has_css_class (widget, fact + strlen ("class:")));
  if (g_str_equal (fact, "text")) /* of a label or an entry */
    return g_strdup (GTK_IS_LABEL (widget) ? gtk_label_get_text (widget)
                                           : gtk_editable_get_text (widget));
  if (g_str_equal (fact, "says")) /* all its labels, a line each */
    {
      GString *text = g_string_new (NULL);

      ui_test_find (widget, scene_add_label, text);
      return g_string_free (text, FALSE);
    }
  return NULL;
}

/* (transfer full) (nullable) */
static char *
scene_get_fact (gpointer thing, const char *fact)
{
  char *found = scene.get_own_fact != NULL ? scene.get_own_fact (thing, fact) : NULL;

  if (found == NULL && GTK_IS_WIDGET (thing))
    found = scene_get_sight (thing, fact);
  if (found == NULL && thing == scene.stage.window)
    found = scene_get_state (fact);
  if (found != NULL)
    return found;
  if (g_str_equal (fact, "items")) /* how many a list has */
    return g_strdup_printf ("%.10g", scene_count (thing));
  if (g_str_equal (fact, "cells")) /* of a run; 0: it is not read */
    return g_strdup_printf ("%u", MEMLANE_RUN_ITEM (thing)->run != NULL
                                      ? MEMLANE_RUN_ITEM (thing)->run->cells->len
                                      : 0);
  if (g_str_has_prefix (fact, "mode:")) /* is chosen in the plan or the view */
    {
      MemlaneModeSet *modes = thing == scene.stage.models->plan ? scene.stage.models->plan->modes
                                                                : scene.stage.models->view->modes;

      return scene_from_flag (memlane_mode_set_has (modes, fact + strlen ("mode:")));
    }
  return scene_get_property (thing, fact);
}

static gboolean
scene_compare (const char *found, const char *how, const char *wanted)
{
  char *end_found, *end_wanted;
  double a = g_ascii_strtod (found, &end_found);
  double b = g_ascii_strtod (wanted, &end_wanted);
  gboolean numbers = *found != '\0' && *end_found == '\0' && *wanted != '\0' && *end_wanted == '\0';

  if (g_str_equal (how, "is"))
    return numbers ? a == b : g_str_equal (found, wanted);
  if (g_str_equal (how, "has"))
    return strstr (found, wanted) != NULL;
  if (g_str_equal (how, "begins"))
    return g_str_has_prefix (found, wanted);
  if (g_str_equal (how, "ends"))
    return g_str_has_suffix (found, wanted);
  if (!numbers)
    scene_fail ("“%s” or “%s” is no number", found, wanted);
  return (how[1] == '=' && a == b) || (how[0] == '<' ? a < b : a > b);
}

/* Whether a thing may be missing: what is found by its words, and what comes and goes. */
static gboolean
scene_may_lack (const char *path)
{
  return strpbrk (path, "~=#@") != NULL || g_str_has_prefix (path, "$run:")
         || g_str_has_prefix (path, "toast") || g_str_equal (path, "dialog")
         || g_str_equal (path, "question");
}

/* [not] THING FACT [[HOW] WANTED] */
static gboolean
scene_is_so (char **words, char **found)
{
  gboolean wanted = !g_str_equal (words[0], "not");
  char **at = wanted ? words : words + 1;
  guint n = g_strv_length (at);
  gpointer thing = wanted || scene_may_lack (at[0]) ? scene_find (at[0]) : scene_get (at[0]);

  g_clear_pointer (found, g_free);
  *found = thing != NULL ? scene_get_fact (thing, at[1]) : NULL;
  if (*found == NULL)
    return !wanted;
  return wanted == scene_compare (*found, n > 3 ? at[2] : "is", n > 2 ? at[n - 1] : "true");
}

/* --- steps --------------------------------------------------------------------------------- */

static void
scene_expect (char **words)
{
  g_autofree char *found = NULL;

  if (!scene_is_so (words, &found))
    scene_fail ("found “%s”", found != NULL ? found : "nothing");
}

static void
scene_wait (char **words)
{
  gint64 end = g_get_monotonic_time () + SCENE_SECONDS * G_USEC_PER_SEC;
  g_autofree char *found = NULL;

  while (!scene_is_so (words, &found))
    ui_test_wait_at (scene.file, (int) scene.line, scene.text, end);
}

static void
scene_remember (char **words)
{
  char *fact = scene_get_fact (scene_get (words[1]), words[2]);

  g_hash_table_insert (scene.variables, g_strdup (words[0]), fact);
}

static void
scene_open (char **words)
{
  scene.stage = stage_open ();
}

static void
scene_close (char **words)
{
  stage_close (&scene.stage);
}

static void
scene_frame (char **words)
{
  for (guint i = 0; i < 2; i++)
    ui_test_next_frame (GTK_WIDGET (scene.stage.window));
}

static void
scene_spin (char **words)
{
  ui_test_spin ((guint) atoi (words[0]));
}

static void
scene_size (char **words)
{
  gtk_window_set_default_size (GTK_WINDOW (scene.stage.window), atoi (words[0]), atoi (words[1]));
  scene_frame (NULL);
}

static void
scene_picture (char **words)
{
  GtkWidget *widget = scene_get (words[1] != NULL ? words[1] : "window");

  ui_test_next_frame (widget);
  ui_test_screenshot (widget, words[0]);
}

/* @type NULL: the text itself says it, and a word that says none is a text. (transfer full) */
static GVariant *
scene_parse (const char *text, const GVariantType *type)
{
  GVariant *value = NULL;

  if (type == NULL || !g_variant_type_equal (type, G_VARIANT_TYPE_STRING))
    value = g_variant_parse (type, text, NULL, NULL, NULL);
  return g_variant_take_ref (value != NULL ? value : g_variant_new_string (text));
}

/* Of an action of @widget or of what is around it; NULL: nobody there has it. */
static const GVariantType *
scene_find_parameter (GtkWidget *widget, const char *action)
{
  const GVariantType *type = NULL;
  const char *name, *property;
  GType owner;

  for (; widget != NULL; widget = gtk_widget_get_parent (widget))
    {
      GtkWidgetClass *klass = GTK_WIDGET_GET_CLASS (widget);

      for (guint i = 0; gtk_widget_class_query_action (klass, i, &owner, &name, &type, &property);
           i++)
        if (g_str_equal (name, action))
          return type;
    }
  return NULL;
}

/* THING ACTION [PARAMETER] */
static void
scene_on (char **words)
{
  GtkWidget *widget = scene_get (words[0]);
  const GVariantType *type = scene_find_parameter (widget, words[1]);
  g_autoptr (GVariant) parameter = words[2] != NULL ? scene_parse (words[2], type) : NULL;

  if (!gtk_widget_activate_action_variant (widget, words[1], parameter))
    scene_fail ("there is no such action");
}

/* ACTION [PARAMETER], of the page; without a point in its name of the window, if it is enabled. */
static void
scene_do (char **words)
{
  GActionGroup *actions = G_ACTION_GROUP (scene.stage.window);
  const GVariantType *type = g_action_group_get_action_parameter_type (actions, words[0]);
  g_autoptr (GVariant) parameter = words[1] != NULL ? scene_parse (words[1], type) : NULL;
  char page[] = "page";
  char *from_page[] = { page, words[0], words[1], NULL };

  if (strchr (words[0], '.') != NULL)
    scene_on (from_page);
  else
    stage_do (&scene.stage, words[0], parameter);
}

static void
scene_page (char **words)
{
  stage_do (&scene.stage, "page", g_variant_new_string (words[0]));
  ui_test_next_frame (GTK_WIDGET (scene.stage.window));
}

/* THING PROPERTY VALUE */
static void
scene_set (char **words)
{
  gpointer thing = scene_get (words[0]);
  GParamSpec *property = g_object_class_find_property (G_OBJECT_GET_CLASS (thing), words[1]);
  g_autoptr (GtkBuilder) builder = gtk_builder_new ();
  g_autoptr (GError) error = NULL;
  g_auto (GValue) value = G_VALUE_INIT;

  if (G_IS_SETTINGS (thing))
    {
      g_autoptr (GVariant) before = g_settings_get_value (thing, words[1]);
      g_autoptr (GVariant) after = scene_parse (words[2], g_variant_get_type (before));

      g_settings_set_value (thing, words[1], after);
    }
  else if (property == NULL)
    scene_fail ("%s has no %s", G_OBJECT_TYPE_NAME (thing), words[1]);
  else if (!gtk_builder_value_from_string_type (builder, property->value_type, words[2], &value,
                                                &error))
    scene_fail ("%s", error->message);
  else
    g_object_set_property (thing, words[1], &value);
}

/* A button by its signal; a row, a check or an entry as by Return. */
static void
scene_click (char **words)
{
  GtkWidget *widget = scene_get (words[0]);

  if (GTK_IS_BUTTON (widget) && !GTK_IS_TOGGLE_BUTTON (widget))
    g_signal_emit_by_name (widget, "clicked");
  else if (!gtk_widget_activate (widget))
    scene_fail ("it cannot be activated");
}

/* THING KEY */
static void
scene_press (char **words)
{
  GdkModifierType modifiers;
  guint key;

  if (!gtk_accelerator_parse (words[1], &key, &modifiers)
      || !ui_test_press (scene_get (words[0]), key, modifiers))
    scene_fail ("the key is bound to nothing");
}

/* [not] KEY: the window takes it before all that is in it. */
static void
scene_key (char **words)
{
  gboolean wanted = !g_str_equal (words[0], "not");
  guint key = gdk_keyval_from_name (words[wanted ? 0 : 1]);

  if (ui_test_press_window (GTK_WIDGET (scene.stage.window), key) != wanted)
    scene_fail (wanted ? "the window lets it pass" : "the window takes it");
}

/* What the application has bound to the key is done. */
static void
scene_accelerator (char **words)
{
  GtkApplication *application = GTK_APPLICATION (scene.stage.application);
  g_auto (GStrv) actions = gtk_application_get_actions_for_accel (application, words[0]);
  g_autofree char *name = NULL;
  g_autoptr (GVariant) target = NULL;

  if (actions[0] == NULL)
    scene_fail ("the key does nothing");
  g_action_parse_detailed_name (actions[0], &name, &target, NULL);
  g_assert_true (gtk_widget_activate_action_variant (scene_get_page (), name, target));
}

static void
scene_tab (char **words)
{
  gtk_widget_child_focus (GTK_WIDGET (scene.stage.window), GTK_DIR_TAB_FORWARD);
}

/* Tab, from the page's start, comes by each of these, and all by which it comes have names. */
static void
scene_tab_reaches (char **words)
{
  GtkWidget *page = scene_get_page ();
  g_autoptr (GHashTable) visited = g_hash_table_new (NULL, NULL);

  gtk_window_set_focus (GTK_WINDOW (scene.stage.window), NULL);
  for (guint i = 0; i < 60; i++)
    {
      GtkWidget *widget;

      if (!gtk_widget_child_focus (page, GTK_DIR_TAB_FORWARD)
          && !gtk_widget_child_focus (page, GTK_DIR_TAB_FORWARD))
        break;
      widget = scene_get ("focus");
      if (!ui_test_has_name (widget) && !ui_test_has_name (gtk_widget_get_parent (widget)))
        scene_fail ("%s has no name", G_OBJECT_TYPE_NAME (widget));
      for (; widget != NULL; widget = gtk_widget_get_parent (widget))
        g_hash_table_add (visited, widget);
    }
  for (; *words != NULL; words++)
    if (!g_hash_table_contains (visited, scene_get (*words)))
      scene_fail ("it does not reach %s", *words);
}

static void
scene_focus (char **words)
{
  if (!gtk_widget_grab_focus (scene_get (words[0])))
    scene_fail ("it takes no focus");
}

static void
scene_toast (char **words)
{
  stage_wait_toast (&scene.stage, words[0]);
}

/* A model has something to tell, and trouble where a second word says so. */
static void
scene_notice (char **words)
{
  g_signal_emit_by_name (scene.stage.models->sweep, "notice", words[0], words[1] != NULL);
}

/* Chooses these alone for the plan; "all" or "none". */
static void
scene_modes (char **words)
{
  MemlaneModeSet *modes = models_get_plan (scene.stage.models);

  memlane_mode_set_put_all (modes, g_str_equal (words[0], "all"));
  for (; *words != NULL; words++)
    if (memlane_mode_find (*words) != NULL)
      memlane_mode_set_put (modes, *words, TRUE);
}

static void
scene_sweep (char **words)
{
  stage_sweep (&scene.stage);
}

/* RUN true|false, and waits until it is read */
static void
scene_show_run (char **words)
{
  memlane_run_item_set_shown (scene_get (words[0]), g_str_equal (words[1], "true"));
  ui_test_wait (stage_has_read (scene.stage.models));
}

static void
scene_remove_run (char **words)
{
  g_assert_true (memlane_run_store_remove (scene.stage.models->runs, scene_get (words[0]), NULL));
}

/* Whether a command of the shell succeeds. */
static gboolean
scene_runs (const char *command)
{
  const char *argv[] = { "/bin/sh", "-c", command, NULL };
  g_autoptr (GError) error = NULL;
  int status = 0;

  g_spawn_sync (NULL, (char **) argv, NULL, G_SPAWN_STDOUT_TO_DEV_NULL, NULL, NULL, NULL, NULL,
                &status, &error);
  g_assert_no_error (error);
  return g_spawn_check_wait_status (status, NULL);
}

static void
scene_sh (char **words)
{
  if (!scene_runs (words[0]))
    scene_fail ("it fails");
}

static void
scene_wait_sh (char **words)
{
  ui_test_wait (scene_runs (words[0]));
}

/* NAME [VALUE]: without one it is unset. */
static void
scene_setenv (char **words)
{
  if (words[1] != NULL)
    g_setenv (words[0], words[1], TRUE);
  else
    g_unsetenv (words[0]);
}

static void
scene_open_files (char **words)
{
  for (; *words != NULL; words++)
    {
      g_autoptr (GFile) file = g_file_new_for_path (*words);

      memlane_window_open_file (scene.stage.window, file);
    }
}

/* NAME [FOLDER]: of the file that a dialog asks for; without them it is cancelled. */
static void
scene_answer (char **words)
{
  gboolean named = words[0] != NULL && words[1] != NULL;

  dialog_answer_in (named ? words[1] : ui_test_home, words[0],
                    words[0] != NULL ? GTK_RESPONSE_ACCEPT : GTK_RESPONSE_CANCEL);
}

static const SceneVerb scene_verbs[] = {
  { "open", 0, scene_open },
  { "close", 0, scene_close },
  { "expect", 2, scene_expect },
  { "wait", 2, scene_wait },
  { "remember", 3, scene_remember },
  { "page", 1, scene_page },
  { "do", 1, scene_do },
  { "on", 2, scene_on },
  { "set", 3, scene_set },
  { "click", 1, scene_click },
  { "press", 2, scene_press },
  { "key", 1, scene_key },
  { "accelerator", 1, scene_accelerator },
  { "tab", 0, scene_tab },
  { "tab-reaches", 1, scene_tab_reaches },
  { "focus", 1, scene_focus },
  { "frame", 0, scene_frame },
  { "spin", 1, scene_spin }, /* for what must not happen */
  { "size", 2, scene_size },
  { "picture", 1, scene_picture }, /* NAME [THING] */
  { "toast", 1, scene_toast },
  { "notice", 1, scene_notice },
  { "modes", 1, scene_modes },
  { "sweep", 0, scene_sweep },
  { "show-run", 2, scene_show_run },
  { "remove-run", 1, scene_remove_run },
  { "sh", 1, scene_sh }, /* COMMAND: for files */
  { "wait-sh", 1, scene_wait_sh },
  { "setenv", 1, scene_setenv },
  { "open-files", 1, scene_open_files },
  { "answer", 0, scene_answer },
};

/* --- reading the text ---------------------------------------------------------------------- */

/* {name}, {thing.fact}, {name+1} (transfer full) */
static char *
scene_look_up (const char *name)
{
  const char *value = g_hash_table_lookup (scene.variables, name);
  g_auto (GStrv) fact = g_strsplit (name, ".", 2), sum = g_strsplit (name, "+", 2);

  if (value != NULL)
    return g_strdup (value);
  if (fact[0] != NULL && fact[1] != NULL)
    return scene_get_fact (scene_get (fact[0]), fact[1]);
  value = g_hash_table_lookup (scene.variables, sum[0]);
  if (value == NULL || sum[1] == NULL)
    scene_fail ("there is no {%s}", name);
  return g_strdup_printf ("%d", atoi (value) + atoi (sum[1]));
}

/* (transfer full) */
static char *
scene_expand (const char *word)
{
  GString *text = g_string_new (NULL);

  for (; *word != '\0'; word++)
    {
      const char *end = *word == '{' && word[1] != '"' ? strchr (word, '}') : NULL;
      g_autofree char *name = g_strndup (word + 1, end != NULL ? (gsize) (end - word - 1) : 0);
      g_autofree char *value = end != NULL ? scene_look_up (name) : g_strndup (word, 1);

      g_string_append (text, value);
      word = end != NULL ? end : word;
    }
  return g_string_free (text, FALSE);
}

static const SceneVerb *
scene_find_verb (const SceneVerb *verbs, guint n, const char *word)
{
  for (guint i = 0; i < n && verbs[i].verb != NULL; i++)
    if (g_str_equal (verbs[i].verb, word))
      return &verbs[i];
  return NULL;
}

static void
scene_run_step (char **words)
{
  const SceneVerb *verb = scene_find_verb (scene_verbs, G_N_ELEMENTS (scene_verbs), words[0]);

  if (verb == NULL && scene.own_verbs != NULL)
    verb = scene_find_verb (scene.own_verbs, G_MAXUINT, words[0]);
  if (verb == NULL || g_strv_length (words) <= verb->n)
    {
      scene_fail ("there is no such step");
      return;
    }
  for (char **word = words + 1; *word != NULL; word++)
    {
      char *whole = scene_expand (*word);

      g_free (*word);
      *word = whole;
    }
  verb->run (words + 1);
}

/* The line that ends the loop which begins at @line. */
static guint
scene_find_end (const SceneTest *test, guint line)
{
  for (guint depth = 0; line < test->last; line++)
    {
      depth += g_str_has_prefix (test->lines->pdata[line], "each ");
      if (g_str_equal (test->lines->pdata[line], "end") && --depth == 0)
        return line;
    }
  scene_fail ("it has no end");
  return line;
}

static void
scene_run_lines (const SceneTest *test, guint line, guint last)
{
  for (; line < last; line++)
    {
      g_auto (GStrv) words = NULL;
      g_autoptr (GError) error = NULL;

      scene.line = line + 1;
      scene.text = test->lines->pdata[line];
      if (!g_shell_parse_argv (scene.text, NULL, &words, &error))
        {
          if (error->code != G_SHELL_ERROR_EMPTY_STRING)
            scene_fail ("%s", error->message);
          continue;
        }
      if (!g_str_equal (words[0], "each"))
        {
          scene_run_step (words);
          continue;
        }
      for (char **word = words + 2; *word != NULL; word++)
        {
          g_hash_table_insert (scene.variables, g_strdup (words[1]), scene_expand (*word));
          scene_run_lines (test, line + 1, scene_find_end (test, line));
        }
      line = scene_find_end (test, line);
    }
}

static void
scene_run_test (gconstpointer data)
{
  const SceneTest *test = data;

  scene.file = test->file;
  scene.variables = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_free);
  g_hash_table_insert (scene.variables, g_strdup ("home"), g_strdup (ui_test_home));
  g_hash_table_insert (scene.variables, g_strdup ("source"), ui_test_source (""));
  scene_run_lines (test, test->first, test->last);
  if (scene.stage.window != NULL)
    stage_close (&scene.stage);
  g_hash_table_unref (scene.variables);
}

/* Adds the tests of tests/ui/@file. What is allocated is kept: the tests are run at the end. */
static void
scene_add_file (const char *file)
{
  static GPtrArray *tests;
  g_autofree char *path = g_test_build_filename (G_TEST_DIST, file, NULL), *text = NULL;
  g_autoptr (GPtrArray) lines = g_ptr_array_new_with_free_func (g_free);
  g_autoptr (GError) error = NULL;
  char **split;

  g_file_get_contents (path, &text, NULL, &error);
  g_assert_no_error (error);
  if (tests == NULL)
    tests = g_ptr_array_new ();
  split = g_strsplit (text, "\n", -1);
  for (char **line = split; *line != NULL; line++)
    g_ptr_array_add (lines, g_strstrip (*line));
  g_free (split);
  for (guint i = 0; i < lines->len; i++)
    {
      const char *line = lines->pdata[i];
      SceneTest *test;

      if (line[0] != '[')
        continue;
      test = g_new (SceneTest, 1);
      *test = (SceneTest) { file, g_ptr_array_ref (lines), i + 1, i + 1 };
      while (test->last < lines->len && ((const char *) lines->pdata[test->last])[0] != '[')
        test->last++;
      g_ptr_array_add (tests, test);
      {
        g_autofree char *name = g_strndup (line + 1, strcspn (line, "]") - 1);

        g_test_add_data_func (name, test, scene_run_test);
      }
    }
}
