/* session-private.h: what the files of the session share
 *
 * SPDX-License-Identifier: MIT
 */
#pragma once

#include "base/merger.h"
#include "session.h"

G_BEGIN_DECLS

/* What one device cannot do. */
typedef struct
{
  char *error;         /* it cannot be used: the reason for every mode */
  GHashTable *reasons; /* (element-type utf8 utf8): "WORKLOAD/MODE" to a sentence */
} MemlaneObjections;

struct _MemlaneSession
{
  GObject parent_instance;

  MemlaneRunStore *store;
  GSettings *settings;      /* NULL: no schema is installed */
  MemlaneMerger charts;
  gboolean started, shut;

  /* devices: session-devices.c */
  GListStore *devices;
  gboolean devices_known;
  char *device, *wanted_device;
  GHashTable *objections;   /* (element-type utf8 MemlaneObjections): by device id */
  char *asking;             /* the device that a worker asks now */

  /* what to measure and to show */
  const MemlaneWorkload *workload;
  GHashTable *modes;        /* (element-type MemlaneMode): the chosen ones */
  guint first_log2, last_log2, reuse, streams, chunks;
  double precision, cell_seconds;
  MemlanePhase phase, time_phase;
  gboolean log_bandwidth, log_time, show_published, show_ceilings, comparing;
  MemlanePublished *published;
  gboolean published_tried;

  /* the sweep: session-sweep.c */
  gboolean running, stopping;
  char *blocked;            /* why nothing can run, for what is measured elsewhere; NULL: nothing is */
  gboolean start_waits;     /* for the worker that asks the device */
  MemlaneSweep *sweep;
  GCancellable *cancellable;
  MemlaneRunItem *live;
  guint plan_first, plan_last;
  double fraction;
  char *status;
};

typedef enum
{
  SESSION_0,
  SESSION_STORE, SESSION_DEVICES, SESSION_DEVICE, SESSION_WORKLOAD, SESSION_FIRST_LOG2, SESSION_LAST_LOG2, SESSION_PRECISION,
  SESSION_CELL_SECONDS, SESSION_REUSE, SESSION_STREAMS, SESSION_CHUNKS, SESSION_PHASE, SESSION_TIME_PHASE, SESSION_LOG_BANDWIDTH,
  SESSION_LOG_TIME, SESSION_SHOW_PUBLISHED, SESSION_SHOW_CEILINGS, SESSION_COMPARING, SESSION_RUNNING, SESSION_STOPPING, SESSION_FRACTION,
  SESSION_STATUS,
  N_SESSION_PROPERTIES
} MemlaneSessionProperty;

MemlaneDeviceItem *memlane_device_item_new (const char *id, const char *name, const char *reason, gboolean simulated);

/* session.c */
void memlane_session_notify (MemlaneSession *self, MemlaneSessionProperty property);
void memlane_session_tell (MemlaneSession *self, gboolean trouble, const char *format, ...) G_GNUC_PRINTF (3, 4);
void memlane_session_say_modes_changed (MemlaneSession *self);
void memlane_session_say_charts_changed (MemlaneSession *self);
void memlane_session_say_swept (MemlaneSession *self, MemlaneRunItem *item, gboolean stopped);

/* session-properties.c */
void memlane_session_write_property (GObject *object, guint id, const GValue *value, GParamSpec *pspec);
void memlane_session_read_property (GObject *object, guint id, GValue *value, GParamSpec *pspec);

/* session-settings.c */
void memlane_session_restore (MemlaneSession *self);
void memlane_session_keep_modes (MemlaneSession *self);
void memlane_session_keep_device (MemlaneSession *self);

/* session-devices.c */
void memlane_session_list_devices (MemlaneSession *self);
void memlane_session_choose_device (MemlaneSession *self, const char *id);
void memlane_session_ask_device (MemlaneSession *self); /* what it cannot do, unless that is known, or something is measured */
void memlane_session_forget_trouble (MemlaneSession *self); /* devices that could not be described are asked again */
void memlane_objections_free (MemlaneObjections *objections);

/* session-sweep.c */
void memlane_session_start_sweep (MemlaneSession *self);
void memlane_session_abandon_sweep (MemlaneSession *self); /* nobody waits for it any more: at the session's own end */

G_END_DECLS
