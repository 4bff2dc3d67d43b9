/* message.h: the messages between a worker and whoever asked it: JSON objects, one on a line
 *
 * SPDX-License-Identifier: MIT
 *
 * message.c describes every message once, in a table: who sends it, when, how often, and its
 * members with type and range. One reader checks a line against the table and fills in the struct
 * below; one writer does the reverse. README.md has the table as a page. A message that is read is
 * input like any file. Nothing of it is used as a path or as markup. Any thread; a message belongs
 * to one.
 */
#pragma once

#include <gio/gio.h>

#include "base/reader-limits.h"
#include "device/device.h"
#include "experiment/experiment.h"
#include "measure/lab.h"
#include "measure/links.h"
#include "measure/plan.h"
#include "result/columns.h"
#include "result/environment.h"
#include "result/run.h"

#define MEMLANE_WORKER_PROTOCOL 9
/* bytes, with the line's end; 50,000 samples of one cell fit */
#define MEMLANE_WORKER_LONGEST_LINE (4 << 20)
#define MEMLANE_WORKER_LONGEST_NAME 200         /* characters of ids, names and versions */
/* characters of reasons and messages */
#define MEMLANE_WORKER_LONGEST_SENTENCE MEMLANE_LONGEST_SENTENCE
#define MEMLANE_WORKER_LONGEST_PIECE (1 << 19)  /* bytes of a trace's text in one message */

typedef enum
{
  /* requests */
  MEMLANE_MESSAGE_DEVICES,
  MEMLANE_MESSAGE_DESCRIBE,
  MEMLANE_MESSAGE_COPY,
  MEMLANE_MESSAGE_MEASURE,
  MEMLANE_MESSAGE_SAMPLE,
  MEMLANE_MESSAGE_LABORATORY,
  MEMLANE_MESSAGE_EXPERIMENT,
  MEMLANE_MESSAGE_CANCEL,
  MEMLANE_MESSAGE_BYE,
  /* answers */
  MEMLANE_MESSAGE_HELLO,
  MEMLANE_MESSAGE_ALIVE,
  MEMLANE_MESSAGE_DEVICE,
  MEMLANE_MESSAGE_CAPABILITIES,
  MEMLANE_MESSAGE_LINKS,
  MEMLANE_MESSAGE_RUN,
  MEMLANE_MESSAGE_STATE,
  MEMLANE_MESSAGE_PROGRESS,
  MEMLANE_MESSAGE_CELL,
  MEMLANE_MESSAGE_TRACE,
  MEMLANE_MESSAGE_BEGIN,
  MEMLANE_MESSAGE_FINDING,
  MEMLANE_MESSAGE_NOTE,
  MEMLANE_MESSAGE_STEP,
  MEMLANE_MESSAGE_ERROR,
  MEMLANE_MESSAGE_DONE,
  MEMLANE_N_MESSAGES,
  MEMLANE_MESSAGE_WAITING = MEMLANE_N_MESSAGES, /* never sent: job.c makes it */
} MemlaneMessageType;

/* The members of all messages; the table says which of them each type has. What was read is owned
 * by the message, and a handler may take it away with g_steal_pointer(). What is to be written may
 * be borrowed. A missing text is NULL. */
typedef struct
{
  MemlaneMessageType type;
  char *device, *name, *text, *step;
  char *device_name, *device_kind, *machine;
  /* requests */
  MemlanePlan *plan;
  guint round, n_order;
  guint *order;               /* numbers of cells (measure/plan.h) */
  MemlaneLabPlan lab;
  guint first, end;           /* steps of an experiment */
  /* hello, alive */
  guint protocol;
  char *version, *commit, *host, *boot, *call;
  guint64 count;
  /* device, capabilities, links */
  MemlaneDeviceListing listing;
  MemlaneDeviceInfo *info;
  guint n_links;
  MemlaneLink *links;
  /* run, state, progress, cell */
  MemlaneRun *run;
  guint sm_mhz, memory_mhz, temperature_c;
  char *throttled;
  const MemlaneMode *mode;
  double log2_elements;
  MemlaneCell *cell;
  /* trace */
  gboolean more;              /* another piece of the text follows */
  /* finding, step, error */
  MemlaneValue value;
  guint done;
  double fraction;
  guint code;                 /* memlane_message_set_error() */
} MemlaneMessage;

/* --- the table: structs are described as in result/columns.h ---------------------------------- */

typedef struct
{
  const char *name;           /* the member "type" */
  gboolean is_answer;         /* the worker sends it */
  guint32 to;                 /* bits of the requests that it answers; of a request: 0 */
  MemlaneMessageType after;   /* what has to come before it; MEMLANE_N_MESSAGES: nothing */
  guint most;                 /* how often in one answer */
  MemlaneRecord record;       /* its members, of MemlaneMessage */
  const char *meaning;        /* a sentence for README.md */
} MemlaneMessageRow;

extern const MemlaneMessageRow memlane_messages[MEMLANE_N_MESSAGES];

/* --- lines ------------------------------------------------------------------------------------ */

/* Reads a line without its end. @is_answer: a worker has sent it. @name stands for the sender in
 * errors. Members that the table lacks are ignored. FALSE with MEMLANE_FILE_ERROR_BAD, and nothing
 * to clear. */
gboolean memlane_message_read (MemlaneMessage *message, const char *line, gsize length,
                               gboolean is_answer, const char *name, GError **error);
void memlane_message_clear (MemlaneMessage *message);
/* One line with its end; (transfer full). Texts are cut to their lengths, and control characters
 * become blanks. */
char *memlane_message_write (const MemlaneMessage *message);

/* Appends @bytes to what @held has of a line, and hands out each that is whole, without its end.
 * FALSE: a line is too long. */
gboolean memlane_lines_take (GString *held, const char *bytes, gsize length,
                             void (*take) (gpointer self, const char *line, gsize length),
                             gpointer self);

/* How often each answer to one request has come. */
typedef struct
{
  MemlaneMessageType request;
  guint said[MEMLANE_N_MESSAGES];
} MemlaneTalk;

/* Whether @message may come now; it is counted. FALSE with MEMLANE_FILE_ERROR_BAD: nobody asked for
 * it, it comes too early or too often. */
gboolean memlane_talk_hear (MemlaneTalk *talk, const MemlaneMessage *message, GError **error);

/* An error keeps its code where it is a device's or a cancellation. @message borrows the text. */
void memlane_message_set_error (MemlaneMessage *message, const GError *error);
GError *memlane_message_get_error (const MemlaneMessage *message); /* (transfer full) */
