/* fake-cupti.h: what the fake CUPTI is told, and what it has seen; found as its symbol "fake_cupti"
 *
 * SPDX-License-Identifier: MIT
 */
#pragma once

#include <stdint.h>

typedef struct
{
  /* told */
  int refuses;            /* counters of unified memory */
  unsigned most_counters; /* that it can configure at once */
  uint64_t page_time;     /* when a page went up; 0: none did */
  /* seen */
  unsigned configured, pages_enabled, pages_disabled, others_enabled;
} FakeCupti;
