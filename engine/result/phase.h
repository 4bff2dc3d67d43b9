/* phase.h: the phases, clocks and statuses of what is measured, and their words in the CSV
 *
 * SPDX-License-Identifier: MIT
 */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* The phases of a sample, in the order of the CSV. */
typedef enum
{
  MEMLANE_PHASE_ALLOC,      /* host and device memory of one buffer set */
  MEMLANE_PHASE_HOST_WRITE, /* the host fills the inputs */
  MEMLANE_PHASE_UPLOAD,
  MEMLANE_PHASE_KERNEL,
  MEMLANE_PHASE_DOWNLOAD,
  MEMLANE_PHASE_ELAPSED,    /* from the first call until the result may be read */
  MEMLANE_PHASE_HOST_READ,  /* the host reads the result */
  MEMLANE_PHASE_FREE,
  MEMLANE_PHASE_FIRST,      /* elapsed of the cell's first sample, kept apart */
  MEMLANE_PHASE_BACKGROUND, /* what a unit of the background's own work takes while samples run */
  MEMLANE_PHASE_BACKGROUND_ALONE, /* the same before each sample */
  MEMLANE_N_PHASES
} MemlanePhase;

typedef enum
{
  MEMLANE_CLOCK_ISSUE,  /* host time inside the calls */
  MEMLANE_CLOCK_DEVICE, /* device time between two events */
  MEMLANE_CLOCK_HOST,   /* monotonic host time until the result may be read */
  MEMLANE_N_CLOCKS
} MemlaneClock;

typedef enum
{
  MEMLANE_STATUS_OK,
  MEMLANE_STATUS_NOISY,
  MEMLANE_STATUS_UNSUPPORTED,
  MEMLANE_STATUS_OUT_OF_MEMORY,
  MEMLANE_STATUS_MISMATCH,
  MEMLANE_STATUS_ERROR,
  MEMLANE_STATUS_TIMEOUT,
  MEMLANE_STATUS_CANCELLED,
  MEMLANE_N_STATUSES
} MemlaneStatus;

/* The background: what else the device does while a sample runs. */
typedef enum
{
  MEMLANE_BESIDE_NONE,
  /* a kernel that computes in registers on a share of the multiprocessors */
  MEMLANE_BESIDE_COMPUTE,
  MEMLANE_BESIDE_COPIES_UP,   /* page-locked copies to the device, one after the other */
  MEMLANE_BESIDE_COPIES_DOWN, /* to the host */
  MEMLANE_BESIDE_BOTH,        /* copies both ways */
  MEMLANE_N_BESIDES
} MemlaneBeside;

/* The words of the CSV ("host_write", "device", "out-of-memory"); static. The parsers return FALSE
 * for an unknown word. */
const char *memlane_phase_name (MemlanePhase phase);
const char *memlane_clock_name (MemlaneClock clock);
const char *memlane_status_name (MemlaneStatus status);
const char *memlane_beside_name (MemlaneBeside beside);
/* Marked for translation, with the fact busy: "while {busy} of the multiprocessors compute" */
const char *memlane_beside_title (MemlaneBeside beside);
gboolean memlane_phase_parse (const char *name, MemlanePhase *phase);
gboolean memlane_beside_parse (const char *name, MemlaneBeside *beside);

G_END_DECLS
