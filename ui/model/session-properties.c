/* session-properties.c: reading and setting what the session's properties are
 *
 * SPDX-License-Identifier: MIT
 */
#include "session-private.h"

/* Each setter changes a field, and says so when it was another. */
static gboolean
set_count (guint *field, const GValue *value)
{
  guint wanted = g_value_get_uint (value);

  if (*field == wanted)
    return FALSE;
  *field = wanted;
  return TRUE;
}

static gboolean
set_number (double *field, const GValue *value)
{
  double wanted = g_value_get_double (value);

  if (*field == wanted)
    return FALSE;
  *field = wanted;
  return TRUE;
}

static gboolean
set_flag (gboolean *field, const GValue *value)
{
  if (*field == g_value_get_boolean (value))
    return FALSE;
  *field = g_value_get_boolean (value);
  return TRUE;
}

static gboolean
set_phase (MemlanePhase *field, const GValue *value)
{
  if ((int) *field == g_value_get_int (value))
    return FALSE;
  *field = (MemlanePhase) g_value_get_int (value);
  return TRUE;
}

static gboolean
set_workload (MemlaneSession *self, const GValue *value)
{
  const char *id = g_value_get_string (value);
  const MemlaneWorkload *workload = id != NULL ? memlane_workload_find (id) : NULL;

  if (workload == NULL || workload == self->workload)
    return FALSE;
  self->workload = workload;
  memlane_session_say_modes_changed (self);
  return TRUE;
}

/* The other end of the range follows, where it would lie on the wrong side. */
static gboolean
set_size (MemlaneSession *self, guint id, const GValue *value)
{
  guint *field = id == SESSION_FIRST_LOG2 ? &self->first_log2 : &self->last_log2;
  guint *other = id == SESSION_FIRST_LOG2 ? &self->last_log2 : &self->first_log2;

  if (!set_count (field, value))
    return FALSE;
  if (self->first_log2 > self->last_log2)
    {
      *other = *field;
      memlane_session_notify (self, id == SESSION_FIRST_LOG2 ? SESSION_LAST_LOG2 : SESSION_FIRST_LOG2);
    }
  return TRUE;
}

static void
set_device (MemlaneSession *self, const char *id)
{
  if (id == NULL || g_strcmp0 (self->wanted_device, id) == 0)
    {
      if (id != NULL)
        memlane_session_choose_device (self, id);
      return;
    }
  g_free (self->wanted_device);
  self->wanted_device = g_strdup (id);
  memlane_session_keep_device (self);
  memlane_session_choose_device (self, id);
}

void
memlane_session_write_property (GObject *object, guint id, const GValue *value, GParamSpec *pspec)
{
  MemlaneSession *self = MEMLANE_SESSION (object);
  gboolean changed = FALSE, redraws = FALSE;

  switch ((MemlaneSessionProperty) id)
    {
    case SESSION_DEVICE:
      set_device (self, g_value_get_string (value));
      break;
    case SESSION_WORKLOAD:
      changed = redraws = set_workload (self, value);
      break;
    case SESSION_FIRST_LOG2:
    case SESSION_LAST_LOG2:
      changed = set_size (self, id, value);
      break;
    case SESSION_PRECISION:
      changed = set_number (&self->precision, value);
      break;
    case SESSION_CELL_SECONDS:
      changed = set_number (&self->cell_seconds, value);
      break;
    case SESSION_REUSE:
      changed = set_count (&self->reuse, value);
      break;
    case SESSION_STREAMS:
      changed = set_count (&self->streams, value);
      break;
    case SESSION_CHUNKS:
      changed = set_count (&self->chunks, value);
      break;
    case SESSION_PHASE:
      changed = redraws = set_phase (&self->phase, value);
      break;
    case SESSION_TIME_PHASE:
      changed = redraws = set_phase (&self->time_phase, value);
      break;
    case SESSION_LOG_BANDWIDTH:
      changed = redraws = set_flag (&self->log_bandwidth, value);
      break;
    case SESSION_LOG_TIME:
      changed = redraws = set_flag (&self->log_time, value);
      break;
    case SESSION_SHOW_PUBLISHED:
      changed = redraws = set_flag (&self->show_published, value);
      break;
    case SESSION_SHOW_CEILINGS:
      changed = redraws = set_flag (&self->show_ceilings, value);
      break;
    case SESSION_COMPARING:
      changed = redraws = set_flag (&self->comparing, value);
      break;
    case SESSION_0:
    case SESSION_STORE:
    case SESSION_DEVICES:
    case SESSION_RUNNING:
    case SESSION_STOPPING:
    case SESSION_FRACTION:
    case SESSION_STATUS:
    case N_SESSION_PROPERTIES:
    default:
      G_OBJECT_WARN_INVALID_PROPERTY_ID (object, id, pspec);
    }
  if (changed)
    g_object_notify_by_pspec (object, pspec);
  if (redraws)
    memlane_session_say_charts_changed (self);
}

void
memlane_session_read_property (GObject *object, guint id, GValue *value, GParamSpec *pspec)
{
  MemlaneSession *self = MEMLANE_SESSION (object);

  switch ((MemlaneSessionProperty) id)
    {
    case SESSION_STORE:
      g_value_set_object (value, self->store);
      break;
    case SESSION_DEVICES:
      g_value_set_object (value, self->devices);
      break;
    case SESSION_DEVICE:
      g_value_set_string (value, self->device);
      break;
    case SESSION_WORKLOAD:
      g_value_set_string (value, self->workload->id);
      break;
    case SESSION_FIRST_LOG2:
      g_value_set_uint (value, self->first_log2);
      break;
    case SESSION_LAST_LOG2:
      g_value_set_uint (value, self->last_log2);
      break;
    case SESSION_PRECISION:
      g_value_set_double (value, self->precision);
      break;
    case SESSION_CELL_SECONDS:
      g_value_set_double (value, self->cell_seconds);
      break;
    case SESSION_REUSE:
      g_value_set_uint (value, self->reuse);
      break;
    case SESSION_STREAMS:
      g_value_set_uint (value, self->streams);
      break;
    case SESSION_CHUNKS:
      g_value_set_uint (value, self->chunks);
      break;
    case SESSION_PHASE:
      g_value_set_int (value, (int) self->phase);
      break;
    case SESSION_TIME_PHASE:
      g_value_set_int (value, (int) self->time_phase);
      break;
    case SESSION_LOG_BANDWIDTH:
      g_value_set_boolean (value, self->log_bandwidth);
      break;
    case SESSION_LOG_TIME:
      g_value_set_boolean (value, self->log_time);
      break;
    case SESSION_SHOW_PUBLISHED:
      g_value_set_boolean (value, self->show_published);
      break;
    case SESSION_SHOW_CEILINGS:
      g_value_set_boolean (value, self->show_ceilings);
      break;
    case SESSION_COMPARING:
      g_value_set_boolean (value, self->comparing);
      break;
    case SESSION_RUNNING:
      g_value_set_boolean (value, self->running);
      break;
    case SESSION_STOPPING:
      g_value_set_boolean (value, self->stopping);
      break;
    case SESSION_FRACTION:
      g_value_set_double (value, self->fraction);
      break;
    case SESSION_STATUS:
      g_value_set_string (value, self->status);
      break;
    case SESSION_0:
    case N_SESSION_PROPERTIES:
    default:
      G_OBJECT_WARN_INVALID_PROPERTY_ID (object, id, pspec);
    }
}
