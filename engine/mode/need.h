/* need.h: the memory that a cell takes, known before anything is allocated
 *
 * SPDX-License-Identifier: MIT
 */
#pragma once

#include "method.h"

/* Bytes that are held at once, beside the data that results are compared with. Managed memory is
 * counted on both sides. */
typedef struct
{
  guint64 host;    /* of the host, with what is page-locked and managed */
  guint64 locked;  /* of that, page-locked */
  guint64 managed; /* of that, managed */
  guint64 device;
} MemlaneNeed;

/* A cell of @method in @mode, which may be one that the workload objects to: then nothing is
 * needed. Any thread. */
void memlane_method_find_need (const MemlaneMethod *method, const MemlaneMode *mode,
                               guint64 elements, MemlaneNeed *need);
