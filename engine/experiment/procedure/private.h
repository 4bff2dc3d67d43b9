/* procedure-private.h: the procedures, for the registry
 *
 * SPDX-License-Identifier: MIT
 */
#pragma once

#include "experiment/experiment-private.h"

G_BEGIN_DECLS

extern const MemlaneProcedure memlane_procedure_device_query;
extern const MemlaneProcedure memlane_procedure_profile_pageable;
extern const MemlaneProcedure memlane_procedure_profile_pinned;
extern const MemlaneProcedure memlane_procedure_handed;
extern const MemlaneProcedure memlane_procedure_wrong_buffer;
extern const MemlaneProcedure memlane_procedure_same_pointer;
extern const MemlaneProcedure memlane_procedure_round_trips;
extern const MemlaneProcedure memlane_procedure_return_times;
extern const MemlaneProcedure memlane_procedure_kernels_beside;
extern const MemlaneProcedure memlane_procedure_serialisers;
extern const MemlaneProcedure memlane_procedure_waiting;
extern const MemlaneProcedure memlane_procedure_callbacks;
extern const MemlaneProcedure memlane_procedure_priorities;
extern const MemlaneProcedure memlane_procedure_zero_copy_steps;
extern const MemlaneProcedure memlane_procedure_errors;

#define MEMLANE_PROCEDURE_SAMPLES 11 /* by default: the interval of their median is x(2) to x(10), 98.8 % */

G_END_DECLS
