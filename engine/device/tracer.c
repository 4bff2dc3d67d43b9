/* tracer.c: recording the calls of one device
 *
 * SPDX-License-Identifier: MIT
 */
#include "tracer.h"

#include <math.h>
#include <string.h>

#include "device-driver.h"
#include "base/device-id.h"
#include "base/owns.h"

static const char *
name_operation (MemlaneTraceKind kind, MemlaneTraceWay way)
{
  static const char *const copies[] = { "[CUDA memcpy]",      "[CUDA memcpy HtoD]",
                                        "[CUDA memcpy DtoH]", "[CUDA memcpy DtoD]",
                                        "[CUDA memcpy HtoH]", "[CUDA memcpy PtoP]" };
  static const char *const others[MEMLANE_TRACE_N_KINDS][2] = {
    /* [1]: to the host */
    [MEMLANE_TRACE_MEMSET] = { "[CUDA memset]", "[CUDA memset]" },
    [MEMLANE_TRACE_KERNEL] = { "kernel", "kernel" },
    [MEMLANE_TRACE_MIGRATION] = { "[Unified Memory HtoD]", "[Unified Memory DtoH]" },
    [MEMLANE_TRACE_FAULT] = { "[Unified Memory GPU page faults]",
                              "[Unified Memory CPU page faults]" },
    [MEMLANE_TRACE_HOST_FUNCTION] = { "host function", "host function" },
    [MEMLANE_TRACE_STAGING] = { "staging in", "staging out" },
  };
  const char *name;

  G_STATIC_ASSERT (G_N_ELEMENTS (copies) == MEMLANE_TRACE_N_WAYS);
  if (kind == MEMLANE_TRACE_COPY)
    return copies[way];
  name = others[kind][way == MEMLANE_TRACE_WAY_TO_HOST];
  return name != NULL ? name : memlane_trace_kind_name (kind);
}

static double
now (MemlaneTracer *self)
{
  return self->device->driver->trace->clock (self->device);
}

MemlaneTracer *
memlane_tracer_new (MemlaneDevice *device, GError **error)
{
  MemlaneTracer *self;

  if (!memlane_device_trace_begin (device, error))
    return NULL;
  self = g_new0 (MemlaneTracer, 1);
  self->device = device;
  self->builder = memlane_trace_builder_new ();
  self->origin = -1;
  return self;
}

static MEMLANE_DEFINE_FREE (MemlaneTracer, void free_tracer (MemlaneTracer *data),
                            OWNS (builder, memlane_trace_builder_free) OWNS (error, g_error_free))

void
memlane_tracer_free (MemlaneTracer *self)
{
  if (self == NULL)
    return;
  memlane_tracer_stop (self);
  memlane_device_trace_end (self->device, NULL, NULL);
  free_tracer (self);
}

/* Ends the phase, if there is one. */
static void
end_phase (MemlaneTracer *self)
{
  const MemlaneDriver *driver = self->device->driver;
  const MemlaneTraceEvent event = { .kind = MEMLANE_TRACE_PHASE,
                                    .stream = MEMLANE_TRACE_NO_STREAM };

  if (self->phase == NULL)
    return;
  memlane_tracer_add (self, &event, self->phase, self->phase_begin, now (self));
  if (driver->trace->phase != NULL)
    driver->trace->phase (self->device, NULL);
  self->phase = NULL;
}

void
memlane_tracer_start (MemlaneTracer *self)
{
  if (self == NULL)
    return;
  self->origin = now (self);
  self->device->tracer = self;
}

void
memlane_tracer_stop (MemlaneTracer *self)
{
  if (self == NULL)
    return;
  end_phase (self);
  self->device->tracer = NULL;
  self->call = NULL;
  self->correlation = 0;
}

void
memlane_tracer_scale (MemlaneTracer *self, double factor)
{
  for (guint i = 0; i < memlane_trace_builder_get_n_events (self->builder); i++)
    {
      MemlaneTraceEvent *event = memlane_trace_builder_get_event (self->builder, i);
      const gint64 end = llround ((double) (event->start + event->duration) * factor);

      event->start = llround ((double) event->start * factor);
      event->duration = end - event->start;
    }
  memlane_tracer_add_note (
      self,
      "all times of the model are multiplied by %.3g: the sample takes as long as it was recorded",
      factor);
}

MemlaneTrace *
memlane_tracer_finish (MemlaneTracer *self, GError **error)
{
  const MemlaneDeviceInfo *device = memlane_device_get_info (self->device);
  MemlaneTraceInfo *info = memlane_trace_builder_get_info (self->builder);
  MemlaneTrace *trace = NULL;
  gboolean ended;

  memlane_tracer_stop (self);
  ended = memlane_device_trace_end (self->device, self, error);
  if (ended && self->error != NULL)
    g_propagate_error (error, g_steal_pointer (&self->error));
  else if (ended)
    {
      info->device = g_strdup (device->id);
      info->device_name = g_strdup (device->name);
      info->device_kind = g_strdup (device->kind);
      info->simulated = memlane_device_kind_is_simulated (device->kind);
      trace = memlane_trace_builder_finish (g_steal_pointer (&self->builder), error);
    }
  free_tracer (self);
  return trace;
}

MemlaneTraceInfo *
memlane_tracer_get_info (MemlaneTracer *self)
{
  return memlane_trace_builder_get_info (self->builder);
}

void
memlane_tracer_expect_pages (MemlaneTracer *self)
{
  self->expects_pages = TRUE;
}

void
memlane_tracer_begin_phase (MemlaneTracer *self, const char *name)
{
  const MemlaneDriver *driver;

  if (self == NULL)
    return;
  end_phase (self);
  driver = self->device->driver;
  self->phase = name;
  if (driver->trace->phase != NULL)
    driver->trace->phase (self->device, name);
  self->phase_begin = now (self);
}

/* --- calls ------------------------------------------------------------------------------------ */

void
memlane_tracer_enter (MemlaneTracer *self, const char *call, const MemlaneTraceRequest *request)
{
  const MemlaneDriver *driver = self->device->driver;

  self->call = call;
  self->request = *request;
  self->correlation = ++self->correlations;
  if (driver->trace->enter != NULL)
    driver->trace->enter (self->device, self, &self->request);
  self->begin = now (self);
}

gboolean
memlane_tracer_leave (MemlaneTracer *self, gboolean done)
{
  const MemlaneDriver *driver = self->device->driver;
  const MemlaneTraceRequest *request = &self->request;
  double end = now (self);
  MemlaneTraceEvent event = {
    .kind = request->kind == MEMLANE_TRACE_HOST ? MEMLANE_TRACE_HOST : MEMLANE_TRACE_CALL,
    .bytes = request->bytes,
    .correlation = self->correlation,
    .stream = request->has_stream ? driver->trace->stream (self->device, self, request->stream)
                                  : MEMLANE_TRACE_NO_STREAM,
    .flags = (request->is_async ? MEMLANE_TRACE_ASYNC : 0) | (done ? 0 : MEMLANE_TRACE_FAILED),
  };

  memlane_tracer_add (self, &event, self->call, self->begin, end);
  if (driver->trace->leave != NULL)
    driver->trace->leave (self->device, self, &self->request, done);
  self->call = NULL;
  self->correlation = 0;
  return done;
}

/* --- for drivers ------------------------------------------------------------------------------ */

void
memlane_tracer_add (MemlaneTracer *self, const MemlaneTraceEvent *event, const char *name,
                    double start, double end)
{
  MemlaneTraceEvent own = *event;

  if (self->error != NULL || self->origin < 0 || start < self->origin)
    return;
  if (!(end >= start))
    {
      memlane_tracer_get_info (self)->dropped++;
      return;
    }
  /* Both ends are rounded, so that what touches goes on touching. */
  own.start = llround (start - self->origin);
  own.duration = llround (end - self->origin) - own.start;
  own.name = memlane_trace_builder_intern (
      self->builder, name != NULL ? name : name_operation (event->kind, event->way), -1);
  memlane_trace_builder_add (self->builder, &own, &self->error);
}
