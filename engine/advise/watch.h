/* watch.h: runs somebody else's program, and records what it does with CUDA
 *
 * SPDX-License-Identifier: MIT
 */
#pragma once

#include <gio/gio.h>

#include "trace/trace.h"

#define MEMLANE_WATCH_ERROR (memlane_watch_error_quark ())
typedef enum
{
  MEMLANE_WATCH_ERROR_NO_RECORDER, /* this build has none, or another tool is in its place */
  MEMLANE_WATCH_ERROR_START,       /* the program cannot be started */
  MEMLANE_WATCH_ERROR_NOTHING,     /* it ended without a call to CUDA */
  MEMLANE_WATCH_ERROR_STOPPED,     /* a trial was stopped, or tells nothing */
} MemlaneWatchError;
GQuark memlane_watch_error_quark (void);

/* A program, and how it is started. */
typedef struct
{
  char **words;    /* its name and arguments, ending in NULL; of the caller */
  int input;       /* a descriptor that becomes its standard input; -1: this process' own */
  int output;      /* a descriptor that takes its output and errors; it then leads a process group
                    * of its own, and reads nothing but @input; -1: this process' own */
  const char *gpu; /* (nullable): the number of the only GPU that it shall see */
  double seconds;  /* how long to record; 0: to the end */
  volatile GPid *pid; /* its number while it runs, for signals; else 0 */
} MemlaneProgram;

/* Runs @program with the recorder and waits for its end. Its children are recorded as well.
 * *@status is its wait status (waitpid(2)), -1 when it did not start. Nothing of the recording
 * stays on disk. Blocks; one at a time.
 * Returns: (transfer full), or NULL with an error of this domain or of
 * memlane_trace_read_recording(). */
MemlaneTrace *memlane_watch_program (const MemlaneProgram *program, int *status, GError **error);

#ifdef MEMLANE_COMPILATION /* for trial.c */

/* Makes a folder for recordings, which is locked while *@lock is open. Removes those that killed
 * processes left. (transfer full) (nullable) */
char *memlane_watch_new_folder (int *lock, GError **error);
/* Removes it. */
void memlane_watch_remove_folder (const char *folder, int lock);
/* Runs @program once; its recordings are left in @folder. @trial (nullable): a change of record.h.
 * FALSE: it did not start. */
gboolean memlane_watch_run (const MemlaneProgram *program, const char *folder, const char *trial,
                            int *status, GError **error);

#endif
