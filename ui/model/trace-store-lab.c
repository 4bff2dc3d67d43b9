/* trace-store-lab.c: the stream laboratory's plan as a command line
 *
 * SPDX-License-Identifier: MIT
 */
#include "trace-store-private.h"

#include <glib/gi18n-lib.h>

/* 0 stands for the default. */
static void
add_number (GStrvBuilder *line, const char *option, guint value)
{
  g_autofree char *text = g_strdup_printf ("%u", value);

  if (value > 0)
    g_strv_builder_add_many (line, option, text, NULL);
}

static void
add_flag (GStrvBuilder *line, const char *option, gboolean wanted)
{
  if (wanted)
    g_strv_builder_add (line, option);
}

void
memlane_trace_store_record_lab (MemlaneTraceStore *self, const char *device, const MemlaneLabPlan *plan, const char *purpose)
{
  g_autoptr (GStrvBuilder) line = g_strv_builder_new ();

  g_strv_builder_add_many (line, "lab", "--device", device, "--order", memlane_lab_order_name (plan->order), "--between",
                           memlane_lab_between_name (plan->between), NULL);
  add_number (line, "--size", plan->log2_elements);
  add_number (line, "--streams", plan->streams);
  add_number (line, "--chunks", plan->chunks);
  add_number (line, "--reuse", plan->reuse);
  add_flag (line, "--pageable", plan->pageable);
  add_flag (line, "--non-blocking", plan->non_blocking);
  add_flag (line, "--priorities", plan->priorities);
  add_flag (line, "--host-functions", plan->host_functions);
  memlane_trace_store_record_line (self, g_strv_builder_end (line), _("the stream laboratory"), purpose);
}
