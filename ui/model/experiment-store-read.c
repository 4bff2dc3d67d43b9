/* experiment-store-read.c: experiments are read on a worker thread
 *
 * SPDX-License-Identifier: MIT
 */
#include <glib/gi18n-lib.h>
#include <glib/gstdio.h>

#include "experiment-store-private.h"

typedef struct
{
  GPtrArray *experiments, *problems;
} Listed;

static void
listed_free (gpointer data)
{
  Listed *listed = data;

  g_ptr_array_unref (listed->experiments);
  g_ptr_array_unref (listed->problems);
  g_free (listed);
}

static void
list (GTask *task, gpointer source, gpointer task_data, GCancellable *cancellable)
{
  Listed *listed = g_new0 (Listed, 1);

  listed->experiments = memlane_experiment_list (NULL, &listed->problems);
  g_task_return_pointer (task, listed, listed_free);
}

static void
listed_cb (GObject *source, GAsyncResult *result, gpointer data)
{
  Listed *listed = g_task_propagate_pointer (G_TASK (result), NULL);

  memlane_experiment_store_take_listed (MEMLANE_EXPERIMENT_STORE (source), listed->experiments, listed->problems);
  listed_free (listed);
}

void
memlane_experiment_store_read_list (MemlaneExperimentStore *self)
{
  g_autoptr (GTask) task = g_task_new (self, NULL, listed_cb, NULL);

  g_task_run_in_thread (task, list);
}

static void
experiment_free (gpointer data)
{
  memlane_experiment_unref (data);
}

static void
read_one (GTask *task, gpointer source, gpointer task_data, GCancellable *cancellable)
{
  const char *path = task_data;
  GError *error = NULL;
  MemlaneExperiment *experiment = NULL;
  GStatBuf info;

  /* Opening a pipe would wait for its writer. */
  if (g_stat (path, &info) == 0 && !S_ISREG (info.st_mode))
    g_set_error (&error, G_IO_ERROR, G_IO_ERROR_NOT_REGULAR_FILE, _("%s is no file: choose an experiment, a text file"), path);
  else
    experiment = memlane_experiment_read (path, NULL, &error);
  if (experiment != NULL)
    g_task_return_pointer (task, experiment, experiment_free);
  else
    g_task_return_error (task, error);
}

static void
read_cb (GObject *source, GAsyncResult *result, gpointer data)
{
  MemlaneExperimentStore *self = MEMLANE_EXPERIMENT_STORE (source);
  g_autoptr (GError) error = NULL;
  g_autoptr (MemlaneExperiment) experiment = g_task_propagate_pointer (G_TASK (result), &error);

  if (experiment != NULL)
    memlane_experiment_store_take_opened (self, experiment);
  else
    memlane_experiment_store_say_refused (self, error->message);
}

void
memlane_experiment_store_open (MemlaneExperimentStore *self, const char *path)
{
  g_autoptr (GTask) task = g_task_new (self, NULL, read_cb, NULL);

  g_task_set_task_data (task, g_strdup (path), g_free);
  g_task_run_in_thread (task, read_one);
}
