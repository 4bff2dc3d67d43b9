/* run-reader.h: reading files of runs on worker threads, at most two at a time
 *
 * SPDX-License-Identifier: MIT
 *
 * Main thread. A file that is asked for while it waits or is read is read once. Freeing the reader cancels what is under way; nothing is
 * told after that.
 */
#pragma once

#include <gio/gio.h>

#include "memlane.h"

G_BEGIN_DECLS

typedef struct _MemlaneRunReader MemlaneRunReader;

typedef struct
{
  /* About ten times a second for each file that is being read. */
  void (*progress) (const char *path, double fraction, gpointer user_data);
  /* Once a tick while anything is read, after progress. */
  void (*tick) (gpointer user_data);
  /* @runs: (element-type MemlaneRun) (nullable), else @error; (transfer none) both. */
  void (*done) (const char *path, GPtrArray *runs, const GError *error, gpointer user_data);
} MemlaneRunReaderCalls;

MemlaneRunReader *memlane_run_reader_new (const MemlaneRunReaderCalls *calls, gpointer user_data);
void memlane_run_reader_free (MemlaneRunReader *self);
void memlane_run_reader_ask (MemlaneRunReader *self, const char *path);
/* Nobody wants it any more: not told. */
void memlane_run_reader_drop (MemlaneRunReader *self, const char *path);

G_END_DECLS
