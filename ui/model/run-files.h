/* run-files.h: the folder of kept runs on the disk
 *
 * SPDX-License-Identifier: MIT
 *
 * Functions without state, for worker threads too: what they change is under the folder's lock (run-index.h).
 */
#pragma once

#include "run-item.h"

typedef struct
{
  char *path;
  char *title;      /* (nullable): of the recorded run */
  gboolean adopted; /* it was a journal until now */
  MemlaneRunFacts facts;
} MemlaneRunFile;

void memlane_run_file_free (MemlaneRunFile *file);

/* (transfer full) (element-type MemlaneRunFile): the CSV files in @folder and what their environments say. What is no CSV file is left
 * alone. */
GPtrArray *memlane_run_files_list (const char *folder);
/* Takes the facts of a run's file without reading its rows. */
void memlane_run_files_take_facts (MemlaneRunFacts *facts, const char *path);

/* Writes @run as RUN-ID.csv, or under that name with a number where another run has it, and then discards @journal (nullable). (transfer
 * full): the path; NULL: the journal stays. */
char *memlane_run_files_write (const char *folder, const MemlaneRun *run, const char *journal, GError **error);
/* Writes the journals of dead processes as kept runs. (transfer full) (element-type utf8): their paths; sentences about what
 * went wrong are added to @problems. */
GPtrArray *memlane_run_files_adopt (const char *folder, GPtrArray *problems);

/* Moves a run's file and its environment into the folder "deleted". (transfer full): where it is now. */
char *memlane_run_files_remove (const char *folder, const char *path, GError **error);
gboolean memlane_run_files_restore (const char *moved, const char *path, GError **error);
void memlane_run_files_forget (const char *moved);
/* Removes from "deleted" what a process that died has left, and nobody's window brings back. */
void memlane_run_files_purge (const char *folder);
