/* run-item.h: one run in the Runs list
 *
 * SPDX-License-Identifier: MIT
 *
 * Main thread only. GObject without GTK. Properties (all notify): "name" (rw string), "subtitle" (string: device, date, cells; "SIMULATED"
 * where it is), "shown" (rw boolean: drawn), "kind" (int MemlaneRunKind), "loading" (boolean), "fraction" (double 0..1 while loading),
 * "problem" (string or NULL: why it could not be read).
 */
#pragma once

#include <gio/gio.h>

#include "result/run.h"

G_BEGIN_DECLS

typedef enum
{
  MEMLANE_RUN_LIVE,     /* a sweep is filling it */
  MEMLANE_RUN_KEPT,     /* in the person's run folder: ours to rename and delete */
  MEMLANE_RUN_OPENED,   /* a file elsewhere; closing it leaves the file */
  MEMLANE_RUN_RECORDED, /* comes with Memlane */
} MemlaneRunKind;

#define MEMLANE_TYPE_RUN_ITEM (memlane_run_item_get_type ())
G_DECLARE_FINAL_TYPE (MemlaneRunItem, memlane_run_item, MEMLANE, RUN_ITEM, GObject)

const char *memlane_run_item_get_name (MemlaneRunItem *self);
const char *memlane_run_item_get_subtitle (MemlaneRunItem *self);
MemlaneRunKind memlane_run_item_get_kind (MemlaneRunItem *self);
gboolean memlane_run_item_get_shown (MemlaneRunItem *self);
/* Showing a run that was not read yet starts reading it; "loading" is TRUE meanwhile. */
void memlane_run_item_set_shown (MemlaneRunItem *self, gboolean shown);
gboolean memlane_run_item_get_loading (MemlaneRunItem *self);
double memlane_run_item_get_fraction (MemlaneRunItem *self);
const char *memlane_run_item_get_problem (MemlaneRunItem *self); /* (nullable) */
/* (nullable) (transfer none): NULL until it is read. While LIVE it grows. */
MemlaneRun *memlane_run_item_get_run (MemlaneRunItem *self);
gboolean memlane_run_item_is_simulated (MemlaneRunItem *self);
const char *memlane_run_item_get_path (MemlaneRunItem *self);    /* its CSV; NULL while LIVE */

G_END_DECLS
