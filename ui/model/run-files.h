/* run-files.h: the folder of kept runs on the disk
 *
 * SPDX-License-Identifier: MIT
 *
 * Functions without state, for worker threads too. Two processes may keep runs in one folder: only
 * the groups of the index that changed here are written into the file as it is now.
 */
#pragma once

#include "run-item.h"

/* The group of a run; NULL: it has none. (transfer full) */
char *memlane_run_index_group (const MemlaneRunItem *item);

/* (transfer full) (element-type MemlaneRunItem): what the index says of each run; of a kept or
 * recorded one the path is the file's name. *@is_new: there is no index yet. An index that cannot
 * be read is put aside, and *@problem (transfer full) (nullable) says so. */
GPtrArray *memlane_run_index_read (const char *folder, gboolean *is_new, char **problem);

/* @dirty: (element-type utf8): the groups to write; one that is of none of @items goes. */
gboolean memlane_run_index_write (const char *folder, GHashTable *dirty, GPtrArray *items,
                                  GError **error);

/* A CSV file of the folder, or the recorded run. */
typedef struct
{
  char *path;
  char *title;      /* (nullable): of the recorded run */
  gboolean adopted; /* it was a journal until now */
  MemlaneRunFacts facts;
} MemlaneRunFile;

/* (transfer full) (element-type MemlaneRunFile): the CSV files in @folder and what their
 * environments say. Other files than CSV are left alone. */
GPtrArray *memlane_run_files_list (const char *folder);
/* Takes the facts of a run's file without reading its rows. */
void memlane_run_files_take_facts (MemlaneRunFacts *facts, const char *path);

/* Writes @run as RUN-ID.csv, or under that name with a number where another run has it, and then
 * discards @journal (nullable). (transfer full): the path; NULL: the journal stays. */
char *memlane_run_files_write (const char *folder, const MemlaneRun *run, const char *journal,
                               GError **error);
/* Writes the journals of dead processes as kept runs. (transfer full) (element-type utf8): their
 * paths; sentences about what went wrong are added to @problems. */
GPtrArray *memlane_run_files_adopt (const char *folder, GPtrArray *problems);

/* Says in a person's words why a file is no run: "“png.csv” is not a Memlane run (it looks like a
 * picture)". (transfer full) */
char *memlane_run_files_refuse (const char *path);

/* Deletes a run's file, with its environment and its rounds. */
void memlane_run_files_delete (const char *path);
