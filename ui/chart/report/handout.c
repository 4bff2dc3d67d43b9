/* handout.c: lessons and experiments on paper: of each step a page with the question, then one with
 * the answer
 *
 * SPDX-License-Identifier: MIT
 */
#include "handout.h"

#include <cairo-pdf.h>
#include <glib/gi18n-lib.h>
#include <string.h>

#include "base/each.h"
#include "base/fail.h"
#include "chart/answer-words.h"
#include "chart/export.h"
#include "chart/figure-private.h"
#include "lesson-figure.h"

/* A4 at 96 px to the inch. */
#define WIDTH 793.7
#define HEIGHT 1122.5
#define MARGIN 64.0
#define GAP 14.0
#define LEAST_FIGURE 160.0
#define ROOM 280.0 /* to write, below the axes of a question */
#define LINE 34.0  /* from line to line there */

typedef struct
{
  cairo_t *cr;
  PangoContext *pango;
  const MemlaneStyle *style;
  double y;
} Paper;

static void
put (Paper *paper, double size, gboolean bold, const MemlaneColor *color, const char *text)
{
  g_autofree char *typeset = memlane_words_typeset (text);
  g_autoptr (PangoLayout) layout = memlane_figure_make_text (paper->pango, size, bold, typeset);
  double width, height;

  pango_layout_set_single_paragraph_mode (layout, FALSE);
  pango_layout_set_width (layout, (int) ((WIDTH - 2 * MARGIN) * PANGO_SCALE));
  pango_layout_set_wrap (layout, PANGO_WRAP_WORD_CHAR);
  memlane_figure_measure_text (layout, &width, &height);
  memlane_figure_show_text (paper->cr, layout, MARGIN, paper->y, color);
  paper->y += height + GAP;
}

/* Adds a figure as wide as the text, and at most as high as the page's rest without @room. */
static void
put_figure (Paper *paper, const MemlaneDrawing *drawing, double room)
{
  double left = HEIGHT - MARGIN - room - paper->y, width = WIDTH - 2 * MARGIN;
  double wanted = drawing->klass->measure_height != NULL
                      ? drawing->klass->measure_height (drawing->content, paper->style, width,
                                                        paper->pango)
                      : width * 0.6;
  double height = MAX (MIN (wanted, left), LEAST_FIGURE);

  cairo_save (paper->cr);
  cairo_translate (paper->cr, MARGIN, paper->y);
  memlane_export_draw_page (drawing, paper->cr, paper->pango, paper->style, width, height);
  cairo_restore (paper->cr);
  paper->y += height + GAP;
}

static void
rule (Paper *paper)
{
  for (double y = paper->y + LINE; y <= HEIGHT - MARGIN; y += LINE)
    memlane_figure_add_line (paper->cr, MARGIN, y, WIDTH - MARGIN, y);
  memlane_figure_stroke (paper->cr, 1, &paper->style->grid);
}

static gboolean
put_step (Paper *paper, const char *place, const MemlaneLessonStep *step,
          MemlaneExperimentResult *result, const GPtrArray *answers, guint number, GError **error)
{
  int right = result != NULL ? result->right_choice : step->right;

  for (int revealed = FALSE; revealed <= TRUE; revealed++)
    {
      g_autoptr (MemlaneDrawing) drawing = NULL;
      g_autofree char *said = revealed && result != NULL ? memlane_experiment_result_describe (
                                                               result, memlane_words_translate)
                                                         : NULL;

      if (!memlane_lesson_figure_make_alone (step, result, revealed, answers, number, &drawing,
                                             error))
        return FALSE;
      paper->y = MARGIN;
      put (paper, 13, FALSE, &paper->style->faint, place);
      put (paper, 20, TRUE, &paper->style->text, step->question);
      for (int i = 0; step->choices[i] != NULL; i++)
        {
          guint n = revealed ? memlane_lesson_count_answers (answers, number, i) : 0;
          g_autofree char *students = n > 0 ? g_strdup_printf (" (%u)", n) : g_strdup ("");
          g_autofree char *choice = g_strdup_printf ("%s %c   %s%s",
                                                     revealed && i == right ? "✓" : "☐", 'A' + i,
                                                     step->choices[i], students);

          put (paper, 15, revealed && i == right, &paper->style->text, choice);
        }
      if (revealed)
        put (paper, 15, FALSE, &paper->style->text, step->answer);
      if (said != NULL)
        put (paper, 15, TRUE, &paper->style->text, said);
      if (drawing != NULL)
        put_figure (paper, drawing, revealed ? 0 : ROOM);
      if (!revealed)
        rule (paper);
      cairo_show_page (paper->cr);
    }
  return TRUE;
}

static gboolean
put_lesson (Paper *paper, const MemlaneLesson *lesson, const GPtrArray *results,
            const GPtrArray *answers, GError **error)
{
  guint number = 0;

  MEMLANE_FOR_EACH (const MemlaneLessonStep, step, lesson->steps)
    {
      g_autofree char *place = g_strdup_printf (_("%s · %u of %u"), lesson->title, number + 1,
                                                lesson->steps->len);

      if (!put_step (paper, place, step, memlane_lesson_figure_find_result (step, results), answers,
                     number++, error))
        return FALSE;
    }
  return TRUE;
}

static cairo_status_t
append_cb (void *bytes, const unsigned char *data, unsigned int length)
{
  g_byte_array_append (bytes, data, length);
  return CAIRO_STATUS_SUCCESS;
}

GBytes *
memlane_handout_to_pdf (const MemlaneReportSource *source, GError **error)
{
  g_autoptr (GByteArray) bytes = g_byte_array_new ();
  g_autoptr (GObject) pango = G_OBJECT (memlane_export_make_context ());
  g_autoptr (GPtrArray) none = g_ptr_array_new ();
  cairo_surface_t *surface = cairo_pdf_surface_create_for_stream (append_cb, bytes, 0.75 * WIDTH,
                                                                  0.75 * HEIGHT);
  Paper paper = { .pango = PANGO_CONTEXT (pango),
                  .style = memlane_style_get (MEMLANE_STYLE_PRINT) };
  gboolean done = TRUE;

  cairo_surface_set_device_scale (surface, 0.75, 0.75); /* points */
  cairo_pdf_surface_set_metadata (surface, CAIRO_PDF_METADATA_CREATOR, "Memlane");
  paper.cr = cairo_create (surface);
  for (guint i = 0; done && i < source->lessons->len; i++)
    done = put_lesson (&paper, source->lessons->pdata[i], source->lesson_results,
                       i == 0 ? source->answers : none, error);
  for (guint i = 0; done && i < source->results->len; i++)
    {
      MemlaneExperimentResult *result = source->results->pdata[i];
      MemlaneExperiment *experiment = result->experiment;
      char *none_of_them[] = { NULL };
      const MemlaneLessonStep step = { .question = experiment->question,
                                       .answer = experiment->explanation,
                                       .right = -1,
                                       .kind = MEMLANE_LESSON_EXPERIMENT,
                                       .experiment = experiment,
                                       .hidden = none_of_them,
                                       .choices = experiment->prediction.choices != NULL
                                                      ? experiment->prediction.choices
                                                      : none_of_them };

      done = put_step (&paper, experiment->title, &step, result, none, 0, error);
    }
  cairo_destroy (paper.cr);
  cairo_surface_finish (surface);
  if (done && cairo_surface_status (surface) != CAIRO_STATUS_SUCCESS)
    done = memlane_fail (error, G_IO_ERROR, G_IO_ERROR_FAILED, _("the figure cannot be drawn: %s"),
                         cairo_status_to_string (cairo_surface_status (surface)));
  cairo_surface_destroy (surface);
  return done ? g_byte_array_free_to_bytes (g_steal_pointer (&bytes)) : NULL;
}
