/* floors.c: looking up the floors
 *
 * SPDX-License-Identifier: MIT
 */
#include "floors.h"

#include <math.h>

double
memlane_floors_get_tick (const MemlaneFloors *self, MemlaneClock clock)
{
  return clock == MEMLANE_CLOCK_DEVICE ? self->device_tick_ns : self->host_tick_ns;
}

double
memlane_floors_get_in_a_row (const MemlaneFloors *self, double elements)
{
  for (guint i = 0; i < self->n_kernels; i++)
    {
      const MemlaneKernelFloor *here = &self->kernels[i], *before = &self->kernels[i > 0 ? i - 1 : 0];
      double size = ldexp (1, (int) here->log2_elements), smaller = ldexp (1, (int) before->log2_elements);

      if (elements > size)
        continue;
      if (i == 0 || before->in_a_row_ns <= 0 || here->in_a_row_ns <= 0)
        return here->in_a_row_ns;
      return before->in_a_row_ns + (here->in_a_row_ns - before->in_a_row_ns) * (elements - smaller) / (size - smaller);
    }
  return 0;
}
