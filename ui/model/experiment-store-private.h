/* experiment-shelf-private.h: what the files of the shelf share
 *
 * SPDX-License-Identifier: MIT
 */
#pragma once

#include "experiment-store.h"

G_BEGIN_DECLS

struct _MemlaneExperimentShelf
{
  GObject parent_instance;

  MemlaneSession *session;        /* (nullable), weak */
  MemlaneTraceShelf *traces;      /* (nullable), weak */
  GPtrArray *items;               /* (element-type MemlaneExperimentItem) */
  gboolean loaded, loading, skip, shut;

  MemlaneExperimentItem *running; /* (owned); a run's callback holds a reference to the shelf, too */
  GCancellable *cancellable;
  gboolean stopping;
  double fraction;
  char *status;
};

/* experiment-shelf.c */
void memlane_experiment_shelf_take_listed (MemlaneExperimentShelf *self, GPtrArray *experiments, GPtrArray *problems);
void memlane_experiment_shelf_take_opened (MemlaneExperimentShelf *self, MemlaneExperiment *experiment);
void memlane_experiment_shelf_say_refused (MemlaneExperimentShelf *self, const char *message);

/* experiment-shelf-read.c: on a worker thread */
void memlane_experiment_shelf_read_list (MemlaneExperimentShelf *self);

G_END_DECLS
