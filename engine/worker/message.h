/* message.h: the messages between a worker and whoever asked it: JSON objects, one on a line; README.md beside this file lists them
 *
 * SPDX-License-Identifier: MIT
 *
 * What a message holds is input like any file: each getter checks type and range, and refuses in words. Limits are here; nothing that
 * comes over the link is used as a path or as markup. Any thread; an object belongs to one.
 */
#pragma once

#include <gio/gio.h>
#include <json-glib/json-glib.h>

#include "device/device.h"
#include "experiment/experiment.h"
#include "measure/lab.h"
#include "measure/plan.h"
#include "result/run.h"

G_BEGIN_DECLS

#define MEMLANE_WORKER_PROTOCOL 2
#define MEMLANE_WORKER_LONGEST_LINE (4 << 20)    /* bytes, the line's end included; 50,000 samples of one cell fit */
#define MEMLANE_WORKER_MOST_BYTES (1024u << 20)  /* of all answers to one request */
#define MEMLANE_WORKER_LONGEST_NAME 200          /* characters of ids, names and versions */
#define MEMLANE_WORKER_LONGEST_SENTENCE 2000     /* characters of reasons and messages */
#define MEMLANE_WORKER_LONGEST_PIECE (64 << 10)  /* bytes of a piece of a trace */
#define MEMLANE_WORKER_MOST_DEVICES 256

/* A new object with "type". (transfer full): for memlane_message_to_line(), or json_object_unref(). */
JsonObject *memlane_message_new (const char *type);
/* One line with its "\n"; takes @message. (transfer full) */
char *memlane_message_to_line (JsonObject *message);
/* The other way; @name stands for the sender in messages. FALSE with MEMLANE_FILE_ERROR_BAD. Returns: (transfer full), with a "type". */
JsonObject *memlane_message_from_line (const char *line, gsize length, const char *name, GError **error);
/* "" never: memlane_message_from_line() saw to it. */
const char *memlane_message_get_type (JsonObject *message);

/* FALSE with MEMLANE_FILE_ERROR_BAD: missing, of another type, out of range. A text is (transfer none), at most @most characters, and
 * without control characters. */
gboolean memlane_message_get_text (JsonObject *message, const char *key, guint most, const char **text, GError **error);
/* NULL where it is missing. */
gboolean memlane_message_get_optional_text (JsonObject *message, const char *key, guint most, const char **text, GError **error);
gboolean memlane_message_get_count (JsonObject *message, const char *key, guint least, guint most, guint *value, GError **error);
gboolean memlane_message_get_number (JsonObject *message, const char *key, double least, double most, double *value, GError **error);
/* FALSE where it is missing. */
gboolean memlane_message_get_flag (JsonObject *message, const char *key, gboolean *value, GError **error);
gboolean memlane_message_get_object (JsonObject *message, const char *key, JsonObject **object, GError **error);
/* NULL text is left out. */
void memlane_message_set_text (JsonObject *message, const char *key, const char *text);

/* --- what is sent ---------------------------------------------------------------------------------------------------------- */

void memlane_message_set_plan (JsonObject *message, const MemlanePlan *plan);
MemlanePlan *memlane_message_get_plan (JsonObject *message, GError **error); /* (transfer full) */
/* Which cells of @plan, in which order; at least one. (transfer full) (element-type guint) */
GArray *memlane_message_get_order (JsonObject *message, const MemlanePlan *plan, GError **error);
void memlane_message_set_lab (JsonObject *message, const MemlaneLabPlan *plan);
gboolean memlane_message_get_lab (JsonObject *message, MemlaneLabPlan *plan, GError **error);
void memlane_message_set_info (JsonObject *message, const MemlaneDeviceInfo *info);
MemlaneDeviceInfo *memlane_message_get_info (JsonObject *message, GError **error); /* (transfer full) */

/* A cell as the rows of its CSV, with its samples where they were kept. */
void memlane_message_set_cell (JsonObject *message, const MemlaneRun *run, const MemlaneCell *cell);
MemlaneCell *memlane_message_get_cell (JsonObject *message, GError **error); /* (transfer full) */
/* What a run is called and where it is measured, without cells. */
void memlane_message_set_run (JsonObject *message, const MemlaneRun *run);
MemlaneRun *memlane_message_get_run (JsonObject *message, GError **error); /* (transfer full) */

void memlane_message_set_value (JsonObject *message, const MemlaneValue *value);
gboolean memlane_message_get_value (JsonObject *message, MemlaneValue *value, GError **error); /* memlane_value_clear() it */

/* An error keeps its code where it is a device's or a cancellation. */
void memlane_message_set_error (JsonObject *message, const GError *error);
GError *memlane_message_get_error (JsonObject *message, const char *host); /* (transfer full), never NULL */

G_END_DECLS
