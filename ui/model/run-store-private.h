/* run-store-private.h: what the files of the store share
 *
 * SPDX-License-Identifier: MIT
 */
#pragma once

#include "base/merger.h"
#include "run-index.h"
#include "run-item-private.h"
#include "run-reader.h"
#include "run-store.h"

G_BEGIN_DECLS

struct _MemlaneRunStore
{
  GObject parent_instance;

  char *folder;
  GPtrArray *items;      /* (element-type MemlaneRunItem) in order */
  MemlaneMerger changed;

  MemlaneRunReader *reader;
  GPtrArray *requests;   /* files that somebody waits for: run-store-read.c */

  gboolean load_asked, index_known; /* before the index was read, nothing may be written over it */
  GHashTable *dirty;     /* (element-type utf8 MemlaneRunEntryFields): what is to be written into which group of the index */
  guint index_timer;
  char *index_problem;   /* said once, not each second */

  GPtrArray *removed;    /* what can be brought back, the last one last: run-store-remove.c */
  guint writing;         /* runs on their way to the disk */
  GHashTable *unsaved;   /* (element-type MemlaneRunItem): could not be written; tried again at the end */
};

/* run-store.c */
void memlane_run_store_say (MemlaneRunStore *self, const char *format, ...) G_GNUC_PRINTF (2, 3);
void memlane_run_store_insert (MemlaneRunStore *self, MemlaneRunItem *item); /* at its place; the list takes a reference */
gboolean memlane_run_store_drop (MemlaneRunStore *self, MemlaneRunItem *item); /* FALSE: it is not in the list */
void memlane_run_store_touch (MemlaneRunStore *self); /* "changed" is due */
MemlaneRunItem *memlane_run_store_find_file (MemlaneRunStore *self, const char *path, const char *part); /* NULL @part: any */

/* run-store-index.c */
/* These fields of its group in the index are to be written; of a group that no item has any more, nothing stays. */
void memlane_run_store_mark (MemlaneRunStore *self, MemlaneRunItem *item, MemlaneRunEntryFields fields);
void memlane_run_store_start_load (MemlaneRunStore *self);

/* run-store-read.c */
void memlane_run_store_init_reading (MemlaneRunStore *self);
void memlane_run_store_stop_reading (MemlaneRunStore *self);
void memlane_run_store_want (MemlaneRunStore *self, MemlaneRunItem *item); /* its flag "shown" was set or cleared */
void memlane_run_store_abandon (MemlaneRunStore *self, MemlaneRunItem *item); /* it is being read, but removed */

/* run-store-keep.c */
void memlane_run_store_save_again (MemlaneRunStore *self);

/* run-store-remove.c */
GPtrArray *memlane_run_store_new_removed (void);

G_END_DECLS
