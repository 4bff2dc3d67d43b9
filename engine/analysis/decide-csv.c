/* decide-csv.c: the map as a CSV
 *
 * SPDX-License-Identifier: MIT
 */
#include "decide-private.h"

#include <string.h>

#include "base/save.h"

#define COLUMNS \
  "device,device_kind,workload,direction,log2_elements,elements,bytes,reuse,mode,way," \
  "predicted_ns,ci95_low_ns,ci95_high_ns,basis,rank,tied\n"

/* Quoted where it must be: a file may hold any id. */
static void
append_text (GString *text, const char *value)
{
  g_auto (GStrv) parts = NULL;
  g_autofree char *doubled = NULL;

  if (value == NULL || strpbrk (value, ",\"\r\n") == NULL)
    {
      g_string_append_printf (text, "%s,", value != NULL ? value : "");
      return;
    }
  parts = g_strsplit (value, "\"", -1);
  doubled = g_strjoinv ("\"\"", parts);
  g_string_append_printf (text, "\"%s\",", doubled);
}

static void
append_number (GString *text, double value)
{
  char digits[G_ASCII_DTOSTR_BUF_SIZE];

  if (isfinite (value))
    g_string_append (text, g_ascii_formatd (digits, sizeof digits, "%.10g", value));
  g_string_append_c (text, ',');
}

static void
append_place (const MemlaneDecision *self, guint size, guint reuse_index, GString *text)
{
  guint n, log2_elements = self->sizes[size], reuse = memlane_decide_reuse (reuse_index);
  const MemlaneMode *modes = memlane_mode_list (&n);
  const MemlaneChoice *verdict = memlane_decision_get (self, size, reuse_index);
  MemlaneForecast p[32] = { 0 };

  for (guint i = 0; i < n; i++)
    memlane_decision_forecast (self, i, log2_elements, reuse, &p[i]);
  for (guint i = 0; i < n; i++)
    {
      guint rank = 1;

      if (p[i].basis == MEMLANE_BASIS_NONE)
        continue;
      append_text (text, self->run->device);
      append_text (text, self->run->device_kind);
      append_text (text, self->workload);
      g_string_append_printf (text, "%s,%u,%" G_GUINT64_FORMAT ",%" G_GUINT64_FORMAT ",%u,%s,%s,",
                              memlane_direction_name (self->direction), log2_elements, G_GUINT64_CONSTANT (1) << log2_elements,
                              G_GUINT64_CONSTANT (4) << log2_elements, reuse, modes[i].id,
                              memlane_way_name (memlane_mode_get_way (&modes[i])));
      append_number (text, p[i].ns.value);
      append_number (text, p[i].ns.low);
      append_number (text, p[i].ns.high);
      g_string_append_printf (text, "%s,", memlane_basis_name (p[i].basis));
      if (memlane_mode_get_way (&modes[i]) == MEMLANE_WAY_RESIDENT)
        {
          g_string_append (text, ",\n");
          continue;
        }
      for (guint j = 0; j < n; j++)
        rank += p[j].basis != MEMLANE_BASIS_NONE && memlane_mode_get_way (&modes[j]) != MEMLANE_WAY_RESIDENT
                && (p[j].ns.value < p[i].ns.value || (p[j].ns.value == p[i].ns.value && j < i));
      g_string_append_printf (text, "%u,%u\n", rank, verdict->ties >> i & 1);
    }
}

gboolean
memlane_decision_write_map (const MemlaneDecision *self, const char *path, GError **error)
{
  g_autoptr (GString) text = g_string_new (COLUMNS);
  g_autoptr (MemlaneSave) save = NULL;

  for (guint i = 0; i < self->n_sizes; i++)
    for (guint j = 0; j < MEMLANE_DECIDE_REUSES; j++)
      append_place (self, i, j, text);
  save = memlane_save_prepare (path, text->str, text->len, error);
  return save != NULL && memlane_save_commit (save, error);
}
