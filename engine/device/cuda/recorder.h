/* recorder.h: what the parts of memlane-recorder.so share
 *
 * SPDX-License-Identifier: MIT
 *
 * It is loaded into other people's programs: nothing here prints or ends the program.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include <cuda.h>
#include <cupti.h>

#include "trace/record.h"

/* Returns a function of the driver that has loaded us; NULL: it has none. */
void *memlane_recorder_driver (const char *name);
/* Writes a note into the recording. */
void memlane_recorder_note (const char *format, ...) __attribute__ ((format (printf, 1, 2)));
uint64_t memlane_recorder_now (void); /* ns */

/* --- site.c ------------------------------------------------------------------------------- */

#define MEMLANE_SITE_FRAMES 12

/* Finds the @frames (room for MEMLANE_SITE_FRAMES) through which the program came here, the
 * innermost first. Any thread. Returns how many there are. */
unsigned memlane_site_find (void **frames);
/* Writes the frames' objects and offsets into @text, a line each. */
void memlane_site_describe (void *const *frames, unsigned n, char *text, size_t most);

/* --- python.c ----------------------------------------------------------------------------- */

/* Looks for a CPython in this process. */
void memlane_python_begin (void);
/* Fills @marks with two for each Python frame of this thread, the innermost first: they tell places
 * apart. Returns how many there are. */
unsigned memlane_python_find (void **marks, unsigned most);
/* Writes "python:FILE:LINE" of the innermost frame into @text that belongs to no library, else of
 * the innermost one. Returns its length; 0: this thread runs no Python that is known. */
size_t memlane_python_describe (char *text, size_t most);

/* --- trial.c ------------------------------------------------------------------------------ */

/* CUPTI's switch of a callback. */
typedef CUptiResult (CUPTIAPI *MemlaneEnableCallback) (uint32_t enable,
                                                       CUpti_SubscriberHandle subscriber,
                                                       CUpti_CallbackDomain domain,
                                                       CUpti_CallbackId call);

/* Prepares the change @name (record.h, MEMLANE_TRIAL). Returns false if it is unknown, or cannot
 * be made safely in this program; a note says why. */
bool memlane_trial_begin (const char *name);
/* Asks CUPTI for the calls that a trial needs. */
void memlane_trial_watch (MemlaneEnableCallback enable, CUpti_SubscriberHandle subscriber);
/* The subscriber's callback in a trial; any thread. */
void CUPTIAPI memlane_trial_on_call (void *user_data,
                                     CUpti_CallbackDomain domain,
                                     CUpti_CallbackId call,
                                     const void *data);
/* Forgets all buffers, in a child process that must not touch CUDA. */
void memlane_trial_forget (void);
/* Returns the counts of what the trial did so far. */
MemlaneRecord memlane_trial_sum (void);
