/* cell.h: measuring one cell: samples, stop rule, verification
 *
 * SPDX-License-Identifier: MIT
 */
#pragma once

#include <gio/gio.h>

#include "mode/recipe.h"

G_BEGIN_DECLS

#define MEMLANE_MIN_SAMPLES 10 /* repetitions of a cell, the first not counted */
#define MEMLANE_MIN_SETS 3     /* buffer sets of a cell: samples of alloc, host_write, host_read, free */
#define MEMLANE_MAX_SETS 40    /* a cell whose repetitions are precise takes no more than these for its buffer phases' sake */
#define MEMLANE_MAX_SAMPLES 5000

/* Measures @method's workload in @mode over 2^@log2_elements floats and returns the finished cell, whatever happened: unsupported, failed,
 * cancelled and mismatching cells say so in status and detail and keep what was measured before. Nothing of the cell is left on the device.
 * Blocks; on the thread that owns the device; @cancellable takes effect within one sample. Returns: (transfer full). */
MemlaneCell *memlane_measure_cell (MemlaneDevice *device, const MemlaneMethod *method, const MemlaneMode *mode, guint log2_elements,
                                   const MemlaneReference *reference, GCancellable *cancellable);

#define MEMLANE_WARM_UP_NS 500e6

/* Allocates, copies to and fro and frees for half a second, so that clocks, link and allocators have left their idle state: without it the
 * first cells of a sweep cost twice what they cost later. Trouble is left for the first cell to meet. */
void memlane_measure_warm_up (MemlaneDevice *device);

/* The row's status for a failed call. */
MemlaneStatus memlane_status_from_error (const GError *error);

G_END_DECLS
