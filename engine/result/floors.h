/* floors.h: below which a run's times cannot go: the steps of its clocks, and what measuring itself costs
 *
 * SPDX-License-Identifier: MIT
 *
 * Measured by the process that measures the run, before its first cell, and kept in the run's environment. In nanoseconds; 0: not known.
 */
#pragma once

#include "run.h"

G_BEGIN_DECLS

#define MEMLANE_MOST_FLOOR_SIZES 16

/* The addition in device memory. */
typedef struct
{
  guint log2_elements;
  double alone_ns;     /* device clock, one launch between two events: it holds the pair's own cost */
  double in_a_row_ns;  /* device clock, what each further launch adds, all queued behind one latch: it holds neither pair nor launch */
} MemlaneKernelFloor;

typedef struct
{
  double device_tick_ns; /* every time between two events is a multiple of it; 0: no step is to be seen */
  double host_tick_ns;   /* likewise the host's clock */
  double host_pair_ns;   /* host clock, two readings with nothing in between: part of every figure on the host's clocks */
  double event_pair_ns;  /* device clock, two events with nothing in between, behind a latch: part of every figure on the device's clock */
  double launch_ns;      /* host clock, one kernel launch that waits for nothing */
  guint n_kernels;       /* ascending by size */
  MemlaneKernelFloor kernels[MEMLANE_MOST_FLOOR_SIZES];
} MemlaneFloors;

/* The step of @clock: no interval of a figure on it means anything below. */
double memlane_floors_get_tick (const MemlaneFloors *self, MemlaneClock clock);
/* A kernel in a row over @elements: between two measured sizes on the line through them, below the smallest as that. 0: larger than the
 * largest, where a kernel's time alone, less the pair of events, tells it. */
double memlane_floors_get_in_a_row (const MemlaneFloors *self, double elements);

G_END_DECLS
