/* record.h: the file that the recorder writes while somebody else's program runs
 *
 * SPDX-License-Identifier: MIT
 *
 * engine/device/cuda/recorder.c writes it inside that program, without GLib;
 * memlane_trace_read_records() reads it. The file is a row of records of 64 bytes in the machine's
 * byte order. The first one is the HEADER. A text record (NOTE to RANGE) is followed by its @bytes
 * bytes of text, filled up to whole records. A file that ends anywhere is read up to its last whole
 * record.
 */
#pragma once

#include <stdint.h>

#define MEMLANE_RECORD_MAGIC UINT64_C (0x31434552454e414c) /* "LANEREC1" */
/* the variable with the file's name; the process adds "." and its number */
#define MEMLANE_RECORD_FILE "MEMLANE_RECORD"
#define MEMLANE_RECORD_SECONDS "MEMLANE_RECORD_SECONDS" /* how long to record; unset: to the end */

/* The variable that asks for a trial instead of a recording. It names the change that is made, or,
 * after MEMLANE_TRIAL_NO, that the program stays as it is: the recorder then only finds where the
 * change would begin. */
#define MEMLANE_TRIAL "MEMLANE_TRIAL"
#define MEMLANE_TRIAL_NO "no-"
#define MEMLANE_TRIAL_PIN "pin"
#define MEMLANE_TRIAL_PREFETCH "prefetch"

#define MEMLANE_SITE_PYTHON "python:"

/* How the note begins that CUPTI counts no page faults on this GPU. */
#define MEMLANE_RECORD_NO_PAGES "page faults and migrations of managed memory are not known"

enum
{
  MEMLANE_RECORD_HEADER = 1,  /* address: the magic; thread: the process; start: CUPTI's clock */
  MEMLANE_RECORD_NOTE,        /* text: one sentence */
  MEMLANE_RECORD_NAME,        /* text: what the number @name stands for */
  /* text: the frames of place @name in the program, "OBJECT+0xOFFSET" a line, the innermost first;
   * before * them perhaps MEMLANE_SITE_PYTHON "FILE:LINE" */
  MEMLANE_RECORD_SITE,
  MEMLANE_RECORD_DEVICE,      /* text: the name of a GPU that the program uses */
  /* text: the name, at the beginning; start; correlation: the range; count: 1 it begins, 2 it
   * ends */
  MEMLANE_RECORD_RANGE,
  MEMLANE_RECORD_CALL,
  /* more on the call with this correlation: name: its site, bytes, address, hash of the host's
   * memory */
  MEMLANE_RECORD_PLACE,
  MEMLANE_RECORD_COPY,
  MEMLANE_RECORD_MEMSET,
  MEMLANE_RECORD_KERNEL,
  MEMLANE_RECORD_SYNCHRONISATION,
  MEMLANE_RECORD_MIGRATION,
  MEMLANE_RECORD_FAULT,       /* count */
  MEMLANE_RECORD_DROPPED,     /* bytes: how many records were lost */
  MEMLANE_RECORD_END,         /* the program ended, and all is here */
  /* What a trial did. count: buffers locked, bytes: theirs, thread: buffers or ranges left as they
   * were, stream: ranges prefetched; hash: ns from the first call that the change touches to the
   * last one, 0: it touches none; address: ns in copies of the host's memory, of which start: ns to
   * lock, end: ns that copies waited for their streams. */
  MEMLANE_RECORD_TRIAL,
};

typedef struct
{
  uint8_t type;
  uint8_t way, source, destination; /* as in trace.h */
  uint32_t correlation;
  uint64_t start, end;              /* ns */
  uint64_t bytes;
  uint32_t stream, name;
  uint32_t thread, count;
  uint64_t address, hash;           /* hash 0: not known */
} MemlaneRecord;

_Static_assert (sizeof (MemlaneRecord) == 64, "a record has 64 bytes");

static inline int
memlane_record_has_text (const MemlaneRecord *record)
{
  return record->type >= MEMLANE_RECORD_NOTE && record->type <= MEMLANE_RECORD_RANGE;
}

/* How many records lie from @record to the next one: itself and its text. */
static inline uint64_t
memlane_record_span (const MemlaneRecord *record)
{
  const uint64_t length = memlane_record_has_text (record) ? record->bytes : 0;

  return 1 + length / sizeof *record + (length % sizeof *record != 0);
}
