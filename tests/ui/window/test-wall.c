/* test-wall.c: what a back row can read: the size of every text on the wall, and a header at 1280 px that cuts nothing
 *
 * SPDX-License-Identifier: MIT
 *
 * What figures draw themselves is measured in tests/ui/chart; here are the widgets around them. Once in English and once in Chinese, whose
 * locale is made here as in test-language.c: `test-wall zh_CN`.
 */
#include <locale.h>

#include "model/fields.h"
#include "parts/settings.h"
#include "chart/map/decide-map-layout.h"
#include "parts/figure-widget.h"
#include "timeline/timeline-page.h"
#include "ui/experiment-fixture.h"
#include "ui/locale-fixture.h"

static const struct
{
  int width, height;
  double least; /* px */
} walls[] = { { 1280, 720, 24 }, { 1920, 1080, 36 } };

/* --- texts --------------------------------------------------------------------------------------------------------------------- */

/* px of the smallest run of glyphs; G_MAXDOUBLE: there are none. */
static double
measure_text (PangoLayout *layout)
{
  PangoLayoutIter *iter = pango_layout_get_iter (layout);
  double least = G_MAXDOUBLE;

  do
    {
      PangoLayoutRun *run = pango_layout_iter_get_run_readonly (iter);
      PangoFontDescription *font;

      if (run == NULL)
        continue;
      font = pango_font_describe_with_absolute_size (run->item->analysis.font);
      least = MIN (least, pango_font_description_get_size (font) / (double) PANGO_SCALE);
      pango_font_description_free (font);
    }
  while (pango_layout_iter_next_run (iter));
  pango_layout_iter_free (iter);
  return least;
}

typedef struct
{
  double least;
  gboolean whole; /* no text may be cut */
  guint n;
} Check;

/* A name that a person chose may be longer than its button, whose tooltip has all of it. */
static gboolean
has_tooltip_of (GtkWidget *label, const char *text)
{
  for (GtkWidget *above = label; above != NULL; above = gtk_widget_get_parent (above))
    if (GTK_IS_MENU_BUTTON (above) && g_strcmp0 (gtk_widget_get_tooltip_text (above), text) == 0)
      return g_utf8_strlen (text, -1) > 30;
  return FALSE;
}

static gboolean
check_label (GtkWidget *widget, gpointer data)
{
  Check *check = data;
  PangoLayout *layout;
  const char *text;
  double px;

  if (g_str_equal (gtk_widget_get_css_name (widget), "toast"))
    return FALSE;
  if (!GTK_IS_LABEL (widget) || !gtk_widget_get_mapped (widget) || gtk_widget_get_width (widget) == 0
      || gtk_widget_get_ancestor (widget, GTK_TYPE_POPOVER) != NULL)
    return FALSE;
  for (GtkWidget *parent = widget; parent != NULL; parent = gtk_widget_get_parent (parent))
    if (g_str_equal (gtk_widget_get_css_name (parent), "toast") || g_str_equal (gtk_widget_get_css_name (parent), "tooltip"))
      return FALSE; /* the pointer may rest on a figure */
  text = gtk_label_get_text (GTK_LABEL (widget));
  if (*text == '\0')
    return FALSE;
  layout = gtk_label_get_layout (GTK_LABEL (widget));
  px = measure_text (layout);
  check->n++;
  if (px < check->least - 0.5)
    {
      g_test_message ("“%s” is %.1f px, expected %.0f", text, px, check->least);
      g_test_fail ();
    }
  if (check->whole && pango_layout_is_ellipsized (layout) && !has_tooltip_of (widget, text))
    {
      g_test_message ("“%s” is cut", text);
      g_test_fail ();
    }
  return FALSE;
}

/* Returns how many labels there were. */
static guint
check_texts (GtkWidget *root, double least, gboolean whole)
{
  Check check = { least, whole, 0 };

  ui_test_find (root, check_label, &check);
  return check.n;
}

/* --- the wall ------------------------------------------------------------------------------------------------------------------ */

static gboolean
can_project (Stage *stage)
{
  MemlanePage *page = memlane_window_get_page (stage->window, g_object_get_data (G_OBJECT (stage->window), "asked"));

  return memlane_page_can_project (page);
}

static void
go_to (Stage *stage, const char *page)
{
  stage_do (stage, "page", g_variant_new_string (page));
  g_object_set_data (G_OBJECT (stage->window), "asked", (gpointer) page);
  if (g_str_equal (page, "timeline") && !stage_can (stage, "export-trace"))
    {
      stage_do (stage, "record-trace", NULL);
      ui_test_wait (stage_can (stage, "export-trace") && stage_can (stage, "record-trace"));
    }
  ui_test_wait (can_project (stage));
  ui_test_next_frame (GTK_WIDGET (stage->window));
}

static void
test_sizes (void)
{
  static const char *const pages[] = { "bandwidth", "time", "table", "decide", "timeline", "experiments", "lessons" };
  g_auto (Stage) stage = stage_open ();

  for (guint s = 0; s < G_N_ELEMENTS (walls); s++)
    for (guint i = 0; i < G_N_ELEMENTS (pages); i++)
      {
        g_autofree char *name = g_strdup_printf ("wall-%s-%d.png", pages[i], walls[s].height);
        guint n;

        gtk_window_set_default_size (GTK_WINDOW (stage.window), walls[s].width, walls[s].height);
        go_to (&stage, pages[i]);
        stage_do (&stage, "projector", NULL);
        for (guint k = 0; k < 3; k++)
          ui_test_next_frame (GTK_WIDGET (stage.window));
        /* A window without a manager has a frame of a few px. */
        n = check_texts (GTK_WIDGET (stage.window), walls[s].least * gtk_widget_get_height (GTK_WIDGET (stage.window)) / walls[s].height,
                         FALSE);
        g_test_message ("%s, %d x %d: %u labels", pages[i], walls[s].width, walls[s].height, n);
        if (g_str_equal (pages[i], "decide")) /* its map has lines of words above and below */
          {
            GtkWidget *figure = memlane_page_get_figure (memlane_window_get_page (stage.window, "decide"));
            const MemlaneDecideMap *map = memlane_figure_widget_get_layout (MEMLANE_FIGURE_WIDGET (figure));

            g_assert_cmpfloat (map->frame.style.text_size, >=,
                               walls[s].least * gtk_widget_get_height (GTK_WIDGET (stage.window)) / walls[s].height - 0.5);
          }
        ui_test_screenshot (GTK_WIDGET (stage.window), name);
        stage_do (&stage, "projector", NULL);
        ui_test_next_frame (GTK_WIDGET (stage.window));
      }
  stage_do (&stage, "page", g_variant_new_string ("bandwidth"));
}

/* All of it is on the wall, in text that a back row can read. */
/* A window is resized by the X server, and its text after that: neither is there after a given number of frames. */
typedef struct
{
  Stage *stage;
  guint size;
} Wall;

static gboolean
is_resized (const Wall *wall)
{
  int wanted = walls[wall->size].height, px = gtk_widget_get_height (GTK_WIDGET (wall->stage->window));
  PangoContext *pango = gtk_widget_get_pango_context (gtk_widget_get_parent (get (wall->stage, "title")));
  double text = pango_font_description_get_size (pango_context_get_font_description (pango)) / (double) PANGO_SCALE;

  return px <= wanted && px >= wanted * 9 / 10 && text >= walls[wall->size].least * px / wanted - 0.5;
}

static void
check_experiment (Stage *stage, const char *name, const char *state, guint size)
{
  g_autofree char *picture = g_strdup_printf ("wall-experiment-%s-%s-%d.png", name, state, walls[size].height);
  GtkAdjustment *height = gtk_scrolled_window_get_vadjustment (GTK_SCROLLED_WINDOW (get (stage, "scrolled")));
  Wall wall = { stage, size };
  int px;

  ui_test_wait (is_resized (&wall));
  for (guint k = 0; k < 2; k++)
    ui_test_next_frame (GTK_WIDGET (stage->window));
  /* A window without a manager has a frame, which a wall has not: what has to fit is as high as all of it. */
  px = gtk_widget_get_height (GTK_WIDGET (stage->window));
  if (gtk_adjustment_get_upper (height) > px + 0.5)
    {
      g_test_message ("%s, %s: %.0f px high on a wall of %d", name, state, gtk_adjustment_get_upper (height), px);
      g_test_fail ();
    }
  g_assert_true (is_seen (stage, "title"));
  check_texts (GTK_WIDGET (stage->window), walls[size].least * px / walls[size].height, TRUE);
  ui_test_screenshot (GTK_WIDGET (stage->window), picture);
}

/* Characters of an answer on the wall: claim, verdict and why, and what the picture shows. */
static glong
count_characters (const MemlaneExperiment *experiment)
{
  const char *const texts[] = { experiment->title, experiment->claim, experiment->supported, experiment->refuted, experiment->shows };
  const char *end = strstr (experiment->explanation, "\n\n");
  glong n = g_utf8_strlen (experiment->explanation, end != NULL ? end - experiment->explanation : -1);

  for (guint i = 0; i < G_N_ELEMENTS (texts); i++)
    n += texts[i] != NULL ? g_utf8_strlen (texts[i], -1) : 0;
  return n;
}

#define MOST_ANSWERED 4 /* each is measured, which takes as long as all questions; with -m slow all are */

/* Those that say most need the most room. */
static gboolean
is_answered (GListModel *items, const MemlaneExperiment *experiment)
{
  MemlaneExperimentItem *other;
  guint n_longer = 0;

  for (guint i = 0; (other = memlane_list_peek (items, i)) != NULL; i++)
    n_longer += count_characters (other->experiment) > count_characters (experiment);
  return g_test_slow () || n_longer < MOST_ANSWERED;
}

/* The question before, then the verdict and what decided it. */
static void
test_experiments (void)
{
  GListModel *items;
  g_auto (Stage) stage = open_page ("zero-copy");

  activate (&stage, "experiment.skip", NULL);
  stage_do (&stage, "projector", NULL);
  items = G_LIST_MODEL (memlane_window_get_models (stage.window)->experiments);
  g_assert_cmpuint (g_list_model_get_n_items (items), >=, 18);
  MEMLANE_FOR_EACH_ITEM (MemlaneExperimentItem, item, items)
    {
      const char *name = item->experiment->name;

      gtk_window_set_default_size (GTK_WINDOW (stage.window), walls[0].width, walls[0].height);
      choose (&stage, name);
      check_experiment (&stage, name, "asked", 0);
      if (!is_answered (items, item->experiment))
        continue;
      run (&stage);
      check_experiment (&stage, name, "answered", 0);
      gtk_window_set_default_size (GTK_WINDOW (stage.window), walls[1].width, walls[1].height);
      check_experiment (&stage, name, "answered", 1);
      g_assert_true (is_seen (&stage, "verdict"));
      g_assert_false (is_seen (&stage, "run"));
    }
  stage_do (&stage, "projector", NULL);
  stage_do (&stage, "page", g_variant_new_string ("bandwidth"));
}

/* --- the header ------------------------------------------------------------------------------------------------------------------ */

static gboolean
is_chinese (void)
{
  const char *locale = g_getenv ("LC_ALL");

  return locale != NULL && g_str_has_prefix (locale, "zh_CN");
}

/* The names of files are the same in every language. */
static char *
remove_files (const char *text)
{
  g_autoptr (GRegex) files = g_regex_new ("[A-Za-z0-9-]+\\.json", 0, 0, NULL);

  return g_regex_replace_literal (files, text, -1, 0, "", 0, NULL);
}

/* In a Chinese window Latin words are names and units; calls of CUDA, and what is written in capitals, are names too. */
static gboolean
check_words (GtkWidget *widget, gpointer data)
{
  static const char *const names[] = { "Memlane", "PCIe", "KiB", "MiB", "GiB", "Chrome", "HtoD", "DtoH", "Koma", "Wong", "tony",
                                       "Lenovo", "nvprof", NULL };
  g_auto (GStrv) words = NULL;
  g_autofree char *text = NULL;

  if (!GTK_IS_LABEL (widget) || !gtk_widget_get_mapped (widget) || gtk_widget_has_css_class (widget, "monospace")) /* code */
    return FALSE;
  text = remove_files (gtk_label_get_text (GTK_LABEL (widget)));
  words = g_regex_split_simple ("[^A-Za-z]+", text, 0, 0);
  for (char **word = words; *word != NULL; word++)
    {
      g_autofree char *capitals = g_ascii_strup (*word, -1);

      if (strlen (*word) >= 3 && !g_str_equal (capitals, *word) && !g_str_has_prefix (*word, "cuda")
          && !g_strv_contains (names, *word))
        {
          g_test_message ("“%s” has “%s”", gtk_label_get_text (GTK_LABEL (widget)), *word);
          g_test_fail ();
        }
    }
  ++*(guint *) data;
  return FALSE;
}

static gboolean
is_header (GtkWidget *widget, gpointer data)
{
  return ADW_IS_HEADER_BAR (widget) && gtk_widget_get_mapped (widget);
}

/* On every page, with every simulated device: at 1280 px nothing in the header is cut, and no button above a figure is. */
static void
test_header (void)
{
  static const char *const devices[] = { "simulated:h200", "simulated:one-copy-engine", "simulated:two-copy-engines" };
  static const char *const pages[] = { "bandwidth", "time", "table", "decide", "timeline", "experiments", "lessons" };
  g_auto (Stage) stage = stage_open_drawn ();

  gtk_window_set_default_size (GTK_WINDOW (stage.window), 1280, 720);
  for (guint d = 0; d < G_N_ELEMENTS (devices); d++)
    for (guint i = 0; i < G_N_ELEMENTS (pages); i++)
      {
        GtkWidget *header, *bar;

        g_object_set (stage.models->devices, "device", devices[d], NULL);
        stage_do (&stage, "page", g_variant_new_string (pages[i]));
        for (guint k = 0; k < 2; k++)
          ui_test_next_frame (GTK_WIDGET (stage.window));
        header = ui_test_find (GTK_WIDGET (stage.window), is_header, NULL);
        g_assert_nonnull (header);
        g_assert_cmpuint (check_texts (header, 8, TRUE), >=, 5); /* the device and four destinations */
        bar = ui_test_find_id (GTK_WIDGET (memlane_window_get_page (stage.window, pages[i])), "bar");
        if (bar != NULL && gtk_widget_get_mapped (bar) && d == 0)
          check_texts (bar, 8, TRUE);
        if (is_chinese ())
          {
            guint n_labels = 0;

            ui_test_find (GTK_WIDGET (stage.window), check_words, &n_labels);
            g_assert_cmpuint (n_labels, >=, 5); /* at least the header's */
          }
      }
  g_object_set (stage.models->devices, "device", "simulated:h200", NULL);
  stage_do (&stage, "page", g_variant_new_string ("bandwidth"));
}

static void
open_expanders (GtkWidget *widget)
{
  if (GTK_IS_EXPANDER (widget))
    gtk_expander_set_expanded (GTK_EXPANDER (widget), TRUE);
  for (GtkWidget *child = gtk_widget_get_first_child (widget); child != NULL; child = gtk_widget_get_next_sibling (child))
    open_expanders (child);
}

static guint
check_all_words (Stage *stage)
{
  guint n_labels = 0;

  for (guint k = 0; k < 2; k++) /* what is folded may be made when it is opened, and hold more of it */
    {
      open_expanders (GTK_WIDGET (stage->window));
      ui_test_next_frame (GTK_WIDGET (stage->window));
    }
  ui_test_find (GTK_WIDGET (stage->window), check_words, &n_labels);
  return n_labels;
}

/* What the engine says is Chinese in a Chinese window, too: a timeline's findings, Decide's figures, an experiment's result. */
static void
test_engine_words (void)
{
  static const char *const recorded[] = { "pageable", "managed", "streams-depth-first" };
  g_auto (Stage) stage = stage_open_drawn ();

  gtk_window_set_default_size (GTK_WINDOW (stage.window), 1280, 720);
  go_to (&stage, "decide");
  g_assert_cmpuint (check_all_words (&stage), >=, 30);
  go_to (&stage, "timeline");
  for (guint i = 0; i < G_N_ELEMENTS (recorded); i++)
    {
      GtkWidget *page = GTK_WIDGET (memlane_window_get_page (stage.window, "timeline"));
      GtkDropDown *modes = GTK_DROP_DOWN (ui_test_find_id (page, "modes"));
      const char *title = g_dgettext (GETTEXT_PACKAGE, memlane_mode_find (recorded[i])->title);

      for (guint k = 0; k < g_list_model_get_n_items (gtk_drop_down_get_model (modes)); k++)
        {
          g_autoptr (GtkStringObject) entry = g_list_model_get_item (gtk_drop_down_get_model (modes), k);

          if (g_str_equal (gtk_string_object_get_string (entry), title))
            gtk_drop_down_set_selected (modes, k);
        }
      stage_do (&stage, "record-trace", NULL);
      ui_test_wait (stage_can (&stage, "export-trace") && stage_can (&stage, "record-trace"));
      ui_test_spin (200); /* what is found comes from a thread */
      g_assert_cmpuint (check_all_words (&stage), >=, 20);
    }
  stage_do (&stage, "page", g_variant_new_string ("experiments"));
  ui_test_wait (has_item (&stage));
  choose (&stage, "zero-copy");
  activate (&stage, "experiment.predict", g_variant_new_int32 (0));
  run (&stage);
  g_assert_cmpuint (check_all_words (&stage), >=, 30);
  stage_do (&stage, "page", g_variant_new_string ("bandwidth"));
}

/* --- the language ---------------------------------------------------------------------------------------------------------------- */

static void
test_language (void)
{
  g_assert_cmpstr (g_dgettext (GETTEXT_PACKAGE, "Bandwidth"), ==, is_chinese () ? "带宽" : "Bandwidth");
}

int
main (int argc, char **argv)
{
  locale_init (&argc, &argv);
  g_test_add_func ("/wall/sizes", test_sizes);
  g_test_add_func ("/wall/experiments", test_experiments);
  g_test_add_func ("/wall/header", test_header);
  g_test_add_func ("/wall/language", test_language);
  if (is_chinese ())
    g_test_add_func ("/wall/engine-words", test_engine_words);
  return locale_run ();
}
