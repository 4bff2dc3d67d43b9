/* agreement.c: how far two runs of the same plan lie apart
 *
 * SPDX-License-Identifier: MIT
 */
#include "agreement.h"

#include <math.h>

static int
compare_rows (gconstpointer a, gconstpointer b)
{
  double difference = ((const MemlaneAgreementRow *) b)->error - ((const MemlaneAgreementRow *) a)->error;

  return difference > 0 ? 1 : difference < 0 ? -1 : 0;
}

static void
add_rows (MemlaneAgreement *self, GArray *rows, const MemlaneCell *cell, const MemlaneCell *other, double floor_ns)
{
  for (guint j = 0; j < cell->figures->len; j++)
    {
      const MemlaneFigure *figure = cell->figures->pdata[j];
      const MemlaneFigure *twin = other != NULL ? memlane_cell_find (other, figure->phase, figure->clock) : NULL;
      MemlaneAgreementRow row;

      if (figure->phase == MEMLANE_PHASE_FIRST || figure->statistics.count == 0 || figure->statistics.median < floor_ns
          || (figure->status != MEMLANE_STATUS_OK && figure->status != MEMLANE_STATUS_NOISY))
        continue;
      if (twin == NULL || twin->statistics.count == 0)
        {
          self->n_missing++;
          continue;
        }
      row = (MemlaneAgreementRow) {
        .workload = cell->workload, .mode = cell->mode, .log2_elements = cell->log2_elements, .reuse = cell->reuse,
        .phase = figure->phase, .clock = figure->clock,
        .recorded_ns = figure->statistics.median, .simulated_ns = twin->statistics.median,
      };
      row.error = fabs (row.simulated_ns - row.recorded_ns) / row.recorded_ns;
      g_array_append_val (rows, row);
    }
}

static MemlaneAgreement *
finish (MemlaneAgreement *self, GArray *rows)
{
  g_array_sort (rows, compare_rows);
  self->n_rows = rows->len;
  if (rows->len > 0)
    {
      const MemlaneAgreementRow *sorted = (const MemlaneAgreementRow *) (gconstpointer) rows->data;

      self->worst = sorted[0].error;
      self->median = (sorted[(rows->len - 1) / 2].error + sorted[rows->len / 2].error) / 2;
    }
  self->rows = (MemlaneAgreementRow *) (gpointer) g_array_free (rows, FALSE);
  return self;
}

MemlaneAgreement *
memlane_agreement_new (const MemlaneRun *recorded, const MemlaneRun *simulated, double floor_ns)
{
  MemlaneAgreement *self = g_new0 (MemlaneAgreement, 1);
  GArray *rows = g_array_new (FALSE, FALSE, sizeof (MemlaneAgreementRow));

  for (guint i = 0; i < recorded->cells->len; i++)
    {
      const MemlaneCell *cell = recorded->cells->pdata[i];

      add_rows (self, rows, cell, memlane_run_find (simulated, cell->workload, cell->mode, cell->log2_elements), floor_ns);
    }
  return finish (self, rows);
}

MemlaneAgreement *
memlane_agreement_new_of_cells (GPtrArray *recorded, GPtrArray *simulated, double floor_ns)
{
  MemlaneAgreement *self = g_new0 (MemlaneAgreement, 1);
  GArray *rows = g_array_new (FALSE, FALSE, sizeof (MemlaneAgreementRow));

  for (guint i = 0; i < recorded->len; i++)
    if (simulated->pdata[i] != NULL)
      add_rows (self, rows, recorded->pdata[i], simulated->pdata[i], floor_ns);
  return finish (self, rows);
}

void
memlane_agreement_free (MemlaneAgreement *self)
{
  if (self == NULL)
    return;
  g_free (self->rows);
  g_free (self);
}

static void
append_number (GString *text, const char *format, double value)
{
  char buffer[G_ASCII_DTOSTR_BUF_SIZE];

  g_string_append (text, g_ascii_formatd (buffer, sizeof buffer, format, value));
}

void
memlane_agreement_describe (const MemlaneAgreement *self, guint n_worst, GString *text)
{
  g_string_append (text, "median error ");
  append_number (text, "%.1f", self->median * 100);
  g_string_append (text, " %, worst ");
  append_number (text, "%.1f", self->worst * 100);
  g_string_append_printf (text, " %% over %u figures", self->n_rows);
  if (self->n_missing > 0)
    g_string_append_printf (text, "; %u figures have no counterpart", self->n_missing);
  g_string_append_c (text, '\n');
  for (guint i = 0; i < MIN (n_worst, self->n_rows); i++)
    {
      const MemlaneAgreementRow *row = &self->rows[i];

      g_string_append_printf (text, "  %s %s 2^%u %s (%s clock): recorded ", row->workload, row->mode, row->log2_elements,
                              memlane_phase_name (row->phase), memlane_clock_name (row->clock));
      append_number (text, "%.1f", row->recorded_ns / 1e3);
      g_string_append (text, " us, simulated ");
      append_number (text, "%.1f", row->simulated_ns / 1e3);
      g_string_append (text, " us (");
      append_number (text, "%.0f", row->error * 100);
      g_string_append (text, " %)\n");
    }
}
