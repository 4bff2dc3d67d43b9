/* chrome-private.h: what writer and reader of Chrome trace JSON share
 *
 * SPDX-License-Identifier: MIT
 */
#pragma once

#include "builder.h"
#include "base/json-pull.h"

G_BEGIN_DECLS

#define MEMLANE_CHROME_VERSION 1

/* Members of MemlaneTraceInfo in "otherData", each under its own name. */
#define MEMLANE_CHROME_TEXTS(X) \
  X (device) X (device_name) X (device_kind) X (source) X (workload) X (mode) X (method) X (environment) X (date) X (overhead)
#define MEMLANE_CHROME_NUMBERS(X) X (log2_elements) X (elements) X (reuse) X (streams) X (chunks) X (dropped) X (skipped)

/* One record, as far as it has been read. */
typedef struct
{
  char phase;              /* 0: none */
  MemlaneTraceEvent event;
  gboolean has_time, has_duration, has_name;
  GString *name, *category, *title; /* title: args.name */
  GString *process, *thread;        /* numbers and strings alike */
} MemlaneChromeRecord;

typedef struct
{
  MemlaneJsonPull json;
  MemlaneTraceBuilder *builder;
  gboolean is_ours;
  gboolean has_events;     /* there was a list of them */
  MemlaneChromeRecord record;
  GString *key;            /* "process/thread" */
  GHashTable *tracks;      /* key -> number + 1 */
  GHashTable *open;        /* track number -> GArray of guint: events whose end is to come */
  guint64 skipped;
} MemlaneChromeReader;

/* Refuses the file unless @found is @expected. */
gboolean memlane_chrome_expect (MemlaneChromeReader *self, const char *what, MemlaneJsonToken found, MemlaneJsonToken expected);
/* A whole number from 0 to @most. */
gboolean memlane_chrome_parse_count (MemlaneChromeReader *self, const char *what, MemlaneJsonToken token, guint64 most, guint64 *value);
/* otherData: ours begins with our version; another program's is skipped. */
gboolean memlane_chrome_read_info (MemlaneChromeReader *self, MemlaneJsonToken token);

G_END_DECLS
