/* experiment-store-private.h: what the files of the store share
 *
 * SPDX-License-Identifier: MIT
 */
#pragma once

#include "experiment-store.h"

G_BEGIN_DECLS

struct _MemlaneExperimentStore
{
  GObject parent_instance;

  MemlaneSession *session;        /* (nullable), weak */
  MemlaneTraceStore *traces;      /* (nullable), weak */
  GPtrArray *items;               /* (element-type MemlaneExperimentItem) */
  gboolean loaded, loading, skip, shut;

  MemlaneExperimentItem *running; /* (owned); a run's callback holds a reference to the store, too */
  GCancellable *cancellable;
  gboolean stopping;
  double fraction;
  char *status;
};

/* experiment-store.c */
void memlane_experiment_store_take_listed (MemlaneExperimentStore *self, GPtrArray *experiments, GPtrArray *problems);
void memlane_experiment_store_take_opened (MemlaneExperimentStore *self, MemlaneExperiment *experiment);
void memlane_experiment_store_say_refused (MemlaneExperimentStore *self, const char *message);

/* experiment-store-read.c: on a worker thread */
void memlane_experiment_store_read_list (MemlaneExperimentStore *self);

G_END_DECLS
