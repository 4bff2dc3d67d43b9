/* bench.c: whatever measures waits here for its turn: one job at a time, with one status, one
 * fraction, one Stop and one end
 *
 * SPDX-License-Identifier: MIT
 */
#include "bench.h"

#include <glib/gi18n-lib.h>

#include "base/each.h"
#include "fields.h"
#include "memlane.h"

#define POLITE_MS 500     /* for a job that is to stop by itself */
#define WAIT_MS 30000     /* for what ends soon: files that are being written */

typedef struct
{
  const MemlaneBenchJob *job;
  gpointer owner, data;
} Entry;

static const MemlaneField fields[] = {
  { "running", MEMLANE_FIELD_FLAG, G_STRUCT_OFFSET (MemlaneBench, running), 0, 0, 1, FALSE },
  { "stopping", MEMLANE_FIELD_FLAG, G_STRUCT_OFFSET (MemlaneBench, stopping), 0, 0, 1, FALSE },
  { "fraction", MEMLANE_FIELD_NUMBER, G_STRUCT_OFFSET (MemlaneBench, fraction), 0, 0, 1, 0 },
  { "status", MEMLANE_FIELD_TEXT, G_STRUCT_OFFSET (MemlaneBench, status), 0, 0, 0, 0 },
};

/* --- what there is ---------------------------------------------------------------------------- */

static const MemlaneBenchJob *
get_current (MemlaneBench *self)
{
  const Entry *entry = g_queue_peek_head (&self->entries);

  return entry != NULL ? entry->job : NULL;
}

const char *
memlane_bench_get_objection (MemlaneBench *self, MemlaneBenchKind kind)
{
  const MemlaneBenchJob *current = get_current (self);

  if (self->shut)
    return _("The window is closing");
  if (current == NULL)
    return NULL;
  switch (current->kind)
    {
    case MEMLANE_BENCH_SWEEP:
      return kind == MEMLANE_BENCH_TRACE ? _("A sweep is running, and recording would disturb it: "
                                              "wait for its end, or stop it")
                                         : _("A sweep is running: wait for its end, or stop it");
    case MEMLANE_BENCH_TRACE:
      return kind == MEMLANE_BENCH_TRACE
                 ? NULL
                 : _("A trace is being recorded: wait until it is there, or stop it");
    case MEMLANE_BENCH_EXPERIMENT:
    default:
      return kind == MEMLANE_BENCH_EXPERIMENT
                 ? _("Another experiment is running: wait for its end, or stop it")
                 : _("An experiment is running: wait for its end, or stop it");
    }
}

gboolean
memlane_bench_has (MemlaneBench *self, MemlaneBenchKind kind)
{
  for (GList *each = self->entries.head; each != NULL; each = each->next)
    if (((const Entry *) each->data)->job->kind == kind)
      return TRUE;
  return FALSE;
}

gboolean
memlane_bench_is_running (MemlaneBench *self)
{
  return self->entries.length > 0;
}

/* --- a job's way ------------------------------------------------------------------------------ */

void
memlane_bench_report (MemlaneBench *self, const char *status, double fraction)
{
  if (fraction >= 0)
    memlane_field_set_number (self, "fraction", &self->fraction, fraction);
  if (status != NULL)
    memlane_field_set_text (self, "status", &self->status, status);
}

/* Another entry is the first one, or none is. */
static void
start_first (MemlaneBench *self)
{
  const Entry *first = g_queue_peek_head (&self->entries);

  if (first != NULL)
    first->job->start (first->owner, first->data);
  self->running = self->entries.length > 0;
  g_object_notify (G_OBJECT (self), "running");
}

void
memlane_bench_put (MemlaneBench *self, const MemlaneBenchJob *job, gpointer owner, gpointer data)
{
  Entry *entry = g_new (Entry, 1);

  *entry = (Entry) { job, owner, data };
  g_queue_push_tail (&self->entries, entry);
  if (self->entries.length == 1)
    start_first (self);
  memlane_say_changed (self);
}

void
memlane_bench_end (MemlaneBench *self)
{
  g_return_if_fail (self->entries.length > 0);
  g_free (g_queue_pop_head (&self->entries));
  memlane_bench_report (self, "", 0);
  memlane_field_set_flag (self, "stopping", &self->stopping, FALSE);
  start_first (self);
  memlane_say_changed (self);
}

void
memlane_bench_stop (MemlaneBench *self)
{
  g_autoptr (GPtrArray) waiting = g_ptr_array_new_with_free_func (g_free);
  const Entry *first = g_queue_peek_head (&self->entries);

  if (first == NULL)
    return;
  while (self->entries.length > 1)
    g_ptr_array_insert (waiting, 0, g_queue_pop_tail (&self->entries));
  if (memlane_field_set_flag (self, "stopping", &self->stopping, TRUE))
    first->job->stop (first->owner, first->data);
  MEMLANE_FOR_EACH (const Entry, entry, waiting)
    if (entry->job->drop != NULL)
      entry->job->drop (entry->owner, entry->data);
  if (waiting->len > 0)
    memlane_say_changed (self);
}

static gboolean
give_up_cb (gpointer data)
{
  *(gboolean *) data = TRUE;
  return G_SOURCE_CONTINUE;
}

/* FALSE: it is busy still. */
static gboolean
wait_for (guint ms, gboolean (*is_busy) (gpointer data), gpointer data)
{
  gboolean gives_up = FALSE;
  guint timer = g_timeout_add (ms, give_up_cb, &gives_up);

  while (is_busy (data) && !gives_up)
    g_main_context_iteration (NULL, TRUE);
  g_source_remove (timer);
  return !gives_up;
}

void
memlane_bench_wait (gboolean (*is_busy) (gpointer data), gpointer data)
{
  (void) wait_for (WAIT_MS, is_busy, data);
}

static gboolean
has_entries (gpointer data)
{
  return memlane_bench_is_running (data);
}

void
memlane_bench_shut_down (MemlaneBench *self)
{
  g_object_ref (self);
  self->shut = TRUE;
  memlane_bench_stop (self);
  if (!wait_for (POLITE_MS, has_entries, self))
    memlane_workers_end (); /* a driver that hangs keeps nobody here */
  memlane_bench_wait (has_entries, self);
  g_object_unref (self);
}

/* --- life ------------------------------------------------------------------------------------- */

MEMLANE_DEFINE_OBJECT (MemlaneBench, memlane_bench, g_queue_clear_full (&self->entries, g_free);
                       OWNS (status, g_free),
                       memlane_fields_install (G_OBJECT_CLASS (klass), fields,
                                               G_N_ELEMENTS (fields));
                       memlane_signal_add (klass, "changed", 0);)

MemlaneBench *
memlane_bench_new (void)
{
  MemlaneBench *self = g_object_new (MEMLANE_TYPE_BENCH, NULL);

  self->status = g_strdup ("");
  return self;
}
