/* run-item.h: one run in the Runs list
 *
 * SPDX-License-Identifier: MIT
 *
 * Main thread only. GObject without GTK. Read-only properties (all notify): "name" (string or NULL:
 * the default one), "subtitle" (string: device, date, cells; "SIMULATED" where it is),
 * "shown" (boolean: drawn), "pinned" (boolean: stays shown), "kind" (int MemlaneRunKind), "loading"
 * (boolean),
 * "problem" (string or NULL: why it could not be read).
 */
#pragma once

#include <gio/gio.h>

#include "memlane.h"

typedef enum
{
  MEMLANE_RUN_LIVE,     /* a sweep is filling it */
  MEMLANE_RUN_KEPT,     /* in the person's run folder: ours to rename and delete */
  MEMLANE_RUN_OPENED,   /* a file elsewhere; closing it leaves the file */
  MEMLANE_RUN_RECORDED, /* comes with Memlane */
} MemlaneRunKind;

/* The facts about a run without its cells. */
typedef struct
{
  char *device;       /* as people call it: "NVIDIA H200"; or NULL */
  gboolean simulated;
  gint64 when;        /* seconds since 1970; 0: unknown */
  int cells;          /* -1: unknown */
} MemlaneRunFacts;

void memlane_run_facts_clear (MemlaneRunFacts *facts);
/* Takes the facts of the environment of @run, or else of its own fields. @facts is empty before.
 * Any thread that may read @run. */
void memlane_run_facts_take (MemlaneRunFacts *facts, const MemlaneRun *run);
/* "Simulated H200", "NVIDIA H200": @name without what a profile says of itself (transfer full) */
char *memlane_describe_device (const char *name, gboolean simulated);

#define MEMLANE_TYPE_RUN_ITEM (memlane_run_item_get_type ())
G_DECLARE_FINAL_TYPE (MemlaneRunItem, memlane_run_item, MEMLANE, RUN_ITEM, GObject)

const char *memlane_run_item_get_name (MemlaneRunItem *self);
/* The list keeps it. NULL or blank: the default one. */
void memlane_run_item_set_name (MemlaneRunItem *self, const char *name);
/* Showing a run that was not read yet starts reading it; "loading" is TRUE meanwhile. */
void memlane_run_item_set_shown (MemlaneRunItem *self, gboolean shown);
/* A pinned run stays shown when a new one is measured. The list keeps it. */
void memlane_run_item_set_pinned (MemlaneRunItem *self, gboolean pinned);
/* Whether the run, as far as it is read, has a cell of @workload. */
gboolean memlane_run_item_has_workload (MemlaneRunItem *self, const char *workload);

/* --- for run-store.c alone, which writes the fields that all may read ------------------------- */

struct _MemlaneRunItem
{
  GObject parent_instance;

  MemlaneRunKind kind;
  char *name;          /* the person's; NULL: the default one */
  char *default_name;
  char *subtitle, *problem;
  gboolean shown, pinned, loading;
  MemlaneRun *run;     /* (nullable): NULL until it is read; while LIVE it grows */
  MemlaneRunFacts facts;
  char *path;          /* its CSV */
  char *part;          /* the run's id, where the file holds several */
  char *journal;       /* where the run still is when it could not be written */
  /* of the file that @run was read from: what is as it was may be forgotten and read again */
  gint64 file_time;
  gboolean beside;     /* its cells add to those of the other runs: it replaces none */
  gboolean fresh;      /* it is being opened for the first time, and goes when that fails */
};

MemlaneRunItem *memlane_run_item_new (MemlaneRunKind kind, const char *path, const char *part,
                                      const char *default_name);
void memlane_run_item_set_place (MemlaneRunItem *self, MemlaneRunKind kind, const char *path);
void memlane_run_item_set_loading (MemlaneRunItem *self, gboolean loading);
void memlane_run_item_set_problem (MemlaneRunItem *self, const char *problem);
/* its facts as well; NULL: forgets the cells, keeps the facts */
void memlane_run_item_set_run (MemlaneRunItem *self, MemlaneRun *run);
/* @facts is empty afterwards */
void memlane_run_item_take_facts (MemlaneRunItem *self, MemlaneRunFacts *facts);
void memlane_run_item_grown (MemlaneRunItem *self); /* cells were added to its run */
