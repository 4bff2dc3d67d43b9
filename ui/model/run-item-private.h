/* run-item-private.h: what the store does to its items
 *
 * SPDX-License-Identifier: MIT
 */
#pragma once

#include "run-item.h"

G_BEGIN_DECLS

/* What is known of a run without its cells. */
typedef struct
{
  char *device;       /* as people call it: "NVIDIA H200"; or NULL */
  gboolean simulated;
  gint64 when;        /* seconds since 1970; 0: unknown */
  int cells;          /* -1: unknown */
} MemlaneRunFacts;

void memlane_run_facts_clear (MemlaneRunFacts *facts);
/* What the environment of @run says, or else its own fields. @facts is empty before. Any thread that may read @run. */
void memlane_run_facts_take (MemlaneRunFacts *facts, const MemlaneRun *run);
/* "10:14 Simulated H200" (transfer full) */
char *memlane_run_facts_name (const MemlaneRunFacts *facts);
/* "Simulated H200", "NVIDIA H200": @name without what a profile says of itself (transfer full) */
char *memlane_describe_device (const char *name, gboolean simulated);

struct _MemlaneRunItem
{
  GObject parent_instance;

  MemlaneRunKind kind;
  char *name;          /* the person's; NULL: the default one */
  char *default_name;
  char *subtitle, *problem;
  gboolean shown, loading;
  double fraction;
  MemlaneRun *run;
  MemlaneRunFacts facts;
  char *path;          /* its CSV */
  char *part;          /* the run's id, where the file holds several */
  char *journal;       /* where the run still is when it could not be written */
  gint64 file_size, file_time; /* of the file that @run was read from: what is as it was may be forgotten and read again */
  gboolean fresh;      /* it is being opened for the first time, and goes when that fails */
};

MemlaneRunItem *memlane_run_item_new (MemlaneRunKind kind, const char *path, const char *part, const char *default_name);
void memlane_run_item_set_kind (MemlaneRunItem *self, MemlaneRunKind kind);
void memlane_run_item_set_path (MemlaneRunItem *self, const char *path);
void memlane_run_item_set_name (MemlaneRunItem *self, const char *name); /* NULL or blank: the default one */
void memlane_run_item_set_loading (MemlaneRunItem *self, gboolean loading, double fraction);
void memlane_run_item_set_problem (MemlaneRunItem *self, const char *problem);
void memlane_run_item_set_run (MemlaneRunItem *self, MemlaneRun *run); /* its facts as well; NULL: forgets the cells, keeps the facts */
void memlane_run_item_take_facts (MemlaneRunItem *self, MemlaneRunFacts *facts); /* @facts is empty afterwards */
void memlane_run_item_grown (MemlaneRunItem *self); /* cells were added to its run */

G_END_DECLS
