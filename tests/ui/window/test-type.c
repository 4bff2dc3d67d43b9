/* test-type.c: text has four sizes, and bold is for headlines and values
 *
 * SPDX-License-Identifier: MIT
 */
#define UI_TEST_LEAKS_ELSEWHERE
#include "chart/plot/plot-layout.h"
#include "chart/style.h"
#include "ui/window-fixture.h"
#include "window/window-private.h"

static const double sizes[] = { 11, 13, 15, 20 };

typedef struct
{
  const char *page;
  guint counts[G_N_ELEMENTS (sizes)], n_bold;
  GString *wrong;
  GtkWidget *window;
  cairo_surface_t *picture; /* of the window */
  guint n_contrasts;
  double least;             /* contrast */
} Type;

/* Headings, the one act that a page suggests, and what counts on the page: names and values. */
static gboolean
may_be_bold (GtkWidget *label)
{
  static const char *const classes[] = { "heading", "title", "title-1", "title-2", "title-3", "title-4", "suggested-action",
                                         "destructive-action", "simulated" };

  for (GtkWidget *widget = label; widget != NULL; widget = gtk_widget_get_parent (widget))
    {
      for (guint i = 0; i < G_N_ELEMENTS (classes); i++)
        if (gtk_widget_has_css_class (widget, classes[i]))
          return TRUE;
      if (g_str_equal (gtk_widget_get_css_name (widget), "header")) /* of a column */
        return TRUE;
    }
  return FALSE;
}

/* Of what GTK dims: the desktop's own grey for what cannot be used is not meant. */
static void
measure_contrast (Type *type, GtkWidget *label)
{
  g_autoptr (GHashTable) counts = g_hash_table_new (NULL, NULL);
  graphene_rect_t area;
  guint most = 0;
  guint32 ground = 0;
  double contrast = 1;

  for (GtkWidget *above = label; above != NULL; above = gtk_widget_get_parent (above))
    if (gtk_widget_has_css_class (above, "suggested-action") || gtk_widget_has_css_class (above, "destructive-action"))
      return; /* in the desktop's own colours */
    else if (!gtk_widget_compute_bounds (label, above, &area) || area.origin.y < 0
             || area.origin.y + area.size.height > (float) gtk_widget_get_height (above))
      return; /* scrolled away, at least in part */
  if (strlen (gtk_label_get_text (GTK_LABEL (label))) < 2)
    return; /* a lone digit may have no pixel of its full colour */
  if (!gtk_widget_is_sensitive (label) || !gtk_widget_compute_bounds (label, type->window, &area)
      || !graphene_rect_intersection (&area, &GRAPHENE_RECT_INIT (0, 0, gtk_widget_get_width (type->window),
                                                                  gtk_widget_get_height (type->window)), &area))
    return;
  for (int y = (int) area.origin.y; y < (int) (area.origin.y + area.size.height); y++)
    for (int x = (int) area.origin.x; x < (int) (area.origin.x + area.size.width); x++)
      {
        const guchar *data = cairo_image_surface_get_data (type->picture) + y * cairo_image_surface_get_stride (type->picture);
        gpointer key = GUINT_TO_POINTER (((const guint32 *) (gconstpointer) data)[x] & 0xffffff);
        guint n = GPOINTER_TO_UINT (g_hash_table_lookup (counts, key)) + 1;

        g_hash_table_insert (counts, key, GUINT_TO_POINTER (n));
        ground = n > most ? GPOINTER_TO_UINT (key) : ground;
        most = MAX (most, n);
      }
  MEMLANE_FOR_EACH_ENTRY (counts, pixel, count)
    {
      guint32 text = GPOINTER_TO_UINT (pixel);
      MemlaneColor one = { (text >> 16) / 255.0, (text >> 8 & 255) / 255.0, (text & 255) / 255.0, 1 };
      MemlaneColor other = { (ground >> 16) / 255.0, (ground >> 8 & 255) / 255.0, (ground & 255) / 255.0, 1 };

      contrast = MAX (contrast, memlane_color_contrast (&one, &other));
    }
  type->n_contrasts++;
  type->least = MIN (type->least, contrast);
  if (contrast < 4.5)
    g_string_append_printf (type->wrong, "%s: \"%s\" has a contrast of %.1f:1\n", type->page, gtk_label_get_text (GTK_LABEL (label)),
                            contrast);
}

static gboolean
look_at (GtkWidget *widget, gpointer data)
{
  Type *type = data;
  PangoLayoutIter *iter;

  if (!GTK_IS_LABEL (widget) || !gtk_widget_get_mapped (widget) || *gtk_label_get_text (GTK_LABEL (widget)) == '\0')
    return FALSE;
  measure_contrast (type, widget);
  iter = pango_layout_get_iter (gtk_label_get_layout (GTK_LABEL (widget)));
  do
    {
      PangoLayoutRun *run = pango_layout_iter_get_run_readonly (iter);
      g_autoptr (PangoFontDescription) font = NULL;
      double size;
      guint i = 0;

      if (run == NULL)
        continue;
      font = pango_font_describe_with_absolute_size (run->item->analysis.font);
      size = pango_font_description_get_size (font) / (double) PANGO_SCALE;
      if (g_unichar_type (g_utf8_get_char (gtk_label_get_text (GTK_LABEL (widget)) + run->item->offset)) == G_UNICODE_OTHER_NUMBER)
        continue; /* an exponent */
      while (i < G_N_ELEMENTS (sizes) && ABS (sizes[i] - size) > 0.6)
        i++;
      if (i == G_N_ELEMENTS (sizes))
        g_string_append_printf (type->wrong, "%s: \"%s\" has %.1f px\n", type->page, gtk_label_get_text (GTK_LABEL (widget)), size);
      else
        type->counts[i]++;
      if (pango_font_description_get_weight (font) < PANGO_WEIGHT_SEMIBOLD)
        continue;
      type->n_bold++;
      if (!may_be_bold (widget))
        g_string_append_printf (type->wrong, "%s: \"%s\" is bold\n", type->page, gtk_label_get_text (GTK_LABEL (widget)));
    }
  while (pango_layout_iter_next_run (iter));
  pango_layout_iter_free (iter);
  return FALSE;
}

static void
look_at_window (Type *type, GtkWidget *window, const char *page)
{
  g_autofree char *path = ui_test_path ("type.png");

  type->page = page;
  type->window = window;
  ui_test_spin (500);
  ui_test_screenshot (window, path);
  type->picture = cairo_image_surface_create_from_png (path);
  ui_test_find (window, look_at, type);
  cairo_surface_destroy (type->picture);
}

static void
test_pages (gconstpointer scheme)
{
  static const char *const pages[] = { "bandwidth", "time", "table", "timeline", "decide", "experiments" };
  static const char *const few[] = { "pageable", "pinned", "managed", NULL };
  static const char *const dialogs[] = { "app.preferences", "win.export-figure" };
  Type type = { .wrong = g_string_new (NULL), .least = 21 };
  GListModel *windows = gtk_window_get_toplevels ();
  Stage stage = stage_open_drawn ();

  adw_style_manager_set_color_scheme (adw_style_manager_get_default (), (AdwColorScheme) GPOINTER_TO_INT (scheme));
  stage_choose_modes (&stage, few);
  stage_do (&stage, "run", NULL);
  ui_test_wait (stage_rests (stage.models));
  for (guint i = 0; i < G_N_ELEMENTS (pages); i++)
    {
      stage_do (&stage, "page", g_variant_new_string (pages[i]));
      look_at_window (&type, GTK_WIDGET (stage.window), pages[i]);
    }
  stage_do (&stage, "compare", NULL);
  look_at_window (&type, GTK_WIDGET (stage.window), "compare");
  for (guint k = 0; k < G_N_ELEMENTS (dialogs); k++)
    {
      gtk_widget_activate_action (GTK_WIDGET (stage.window), dialogs[k], NULL);
      ui_test_spin (500);
      for (guint i = g_list_model_get_n_items (windows); i > 0; i--)
        {
          g_autoptr (GtkWindow) window = g_list_model_get_item (windows, i - 1);

          if (window == GTK_WINDOW (stage.window))
            continue;
          look_at_window (&type, GTK_WIDGET (window), dialogs[k]);
          gtk_window_close (window);
        }
      ui_test_spin (100);
    }
  g_test_message ("texts of 11 px: %u, 13: %u, 15: %u, 20: %u; bold: %u; the least contrast of %u: %.1f:1", type.counts[0],
                  type.counts[1], type.counts[2], type.counts[3], type.n_bold, type.n_contrasts, type.least);
  g_assert_cmpuint (type.counts[0], >, 0);
  g_assert_cmpuint (type.counts[2], >, 0);
  if (type.wrong->len > 0)
    g_error ("of the texts\n%s", type.wrong->str);
  g_string_free (type.wrong, TRUE);
  stage_do (&stage, "page", g_variant_new_string ("bandwidth"));
  stage_close (&stage);
  adw_style_manager_set_color_scheme (adw_style_manager_get_default (), ADW_COLOR_SCHEME_DEFAULT);
}

/* Text grows with the window: that of a figure from 11 px at 1280x720 to 13 at 1920x1080, and that beside it in proportion. */
static void
test_growth (void)
{
  static const struct { int width, height; double figure, page; } cases[] = {
    { 1280, 720, 11, 13 }, { 1920, 1080, 13, 15.3 }, { 1920, 720, 11, 13 }, { 1280, 720, 11, 13 } };
  g_auto (Stage) stage = stage_open_drawn ();

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      GtkWidget *window = GTK_WIDGET (stage.window);
      g_autoptr (PangoFontDescription) font = NULL;
      PangoLayoutIter *iter;
      MemlanePlot *plot;
      GtkWidget *label = ui_test_find_text (ui_test_find_id (window, "side_box"), "Recorded H100");

      stage_resize (&stage, cases[i].width, cases[i].height);
      ui_test_next_frame (window); /* the text follows the window */
      ui_test_next_frame (window);
      plot = memlane_figure_widget_get_layout (MEMLANE_FIGURE_WIDGET (memlane_window_get_figure_view (stage.window)));
      g_assert_cmpfloat_with_epsilon (plot->frame.style.text_size, cases[i].figure, 0.1);
      iter = pango_layout_get_iter (gtk_label_get_layout (GTK_LABEL (label)));
      font = pango_font_describe_with_absolute_size (pango_layout_iter_get_run_readonly (iter)->item->analysis.font);
      g_assert_cmpfloat_with_epsilon (pango_font_description_get_size (font) / (double) PANGO_SCALE, cases[i].page, 0.6);
      pango_layout_iter_free (iter);
    }
  stage_resize (&stage, 1280, 720);
}

int
main (int argc, char **argv)
{
  ui_test_init (&argc, &argv);
  g_object_set (gtk_settings_get_default (), "gtk-font-name", "DejaVu Sans 9.75", NULL); /* 13 px */
  g_test_add_data_func ("/type/light", GINT_TO_POINTER (ADW_COLOR_SCHEME_FORCE_LIGHT), test_pages);
  g_test_add_data_func ("/type/dark", GINT_TO_POINTER (ADW_COLOR_SCHEME_FORCE_DARK), test_pages);
  g_test_add_func ("/type/growth", test_growth);
  return ui_test_run ();
}
