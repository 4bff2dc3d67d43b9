/* fuzz-recording.c: whatever records a recorder's file holds, reading it ends, with a trace or with a message
 *
 * SPDX-License-Identifier: MIT
 *
 * An input is a row of choices: of which kind a record is, and what each of its members says. The last one is where the file is cut off.
 */
#include "trace-oracles.h"
#include "trace/record.h"

static char *folder, *recording, *file;

static void
clean_up (void)
{
  (void) unlink (recording);
  (void) unlink (file);
  (void) rmdir (folder);
}

static void
make_files (void)
{
  folder = fuzz_make_folder ();
  recording = g_build_filename (folder, "process.1", NULL);
  file = g_build_filename (folder, "t.json", NULL);
  atexit (clean_up);
}

static void
add_record (GByteArray *bytes, FuzzChoices *choices)
{
  guint64 start = 1 + (guint64) fuzz_choose_number (choices);
  MemlaneRecord record = {
    .type = (guint8) (1 + fuzz_choose (choices, MEMLANE_RECORD_END + 1)), .way = (guint8) fuzz_choose (choices, MEMLANE_TRACE_N_WAYS + 1),
    .source = (guint8) fuzz_choose (choices, MEMLANE_TRACE_N_MEMORIES + 1),
    .destination = (guint8) fuzz_choose (choices, MEMLANE_TRACE_N_MEMORIES + 1), .correlation = fuzz_choose (choices, 8),
    .start = start, .end = start + (guint64) fuzz_choose_number (choices),
    .bytes = (guint64) fuzz_choose_number (choices), .stream = fuzz_choose (choices, 5), .name = fuzz_choose (choices, 5),
    .thread = fuzz_choose (choices, 3), .count = fuzz_choose (choices, 4), .address = fuzz_choose (choices, 4) * 4096u,
    .hash = fuzz_choose (choices, 3),
  };
  guint8 padded[64] = { 0 };

  if (record.type >= MEMLANE_RECORD_NOTE && record.type <= MEMLANE_RECORD_RANGE)
    {
      const char *text = fuzz_choose_text (choices);

      record.bytes = fuzz_choose (choices, 32) > 0 ? strlen (text) : record.bytes;
      memcpy (padded, text, strlen (text));
    }
  if (record.type == MEMLANE_RECORD_HEADER)
    record.address = MEMLANE_RECORD_MAGIC;
  g_byte_array_append (bytes, (const guint8 *) &record, sizeof record);
  if (padded[0] != 0)
    g_byte_array_append (bytes, padded, sizeof padded);
}

int
LLVMFuzzerTestOneInput (const guint8 *data, gsize size)
{
  const MemlaneRecord header = { .type = MEMLANE_RECORD_HEADER, .address = MEMLANE_RECORD_MAGIC };
  FuzzChoices choices = { data, size, 0 };
  g_autoptr (GByteArray) bytes = g_byte_array_new ();
  g_autoptr (GError) error = NULL;
  g_autoptr (MemlaneTrace) trace = NULL;
  char *paths[] = { NULL, NULL };

  fuzz_begin ();
  load_advice_runs ();
  if (file == NULL)
    make_files ();
  g_byte_array_append (bytes, (const guint8 *) &header, sizeof header);
  while (choices.at < size)
    add_record (bytes, &choices);
  fuzz_put (recording, bytes->data, bytes->len - (size > 0 && data[size - 1] < 64 ? data[size - 1] : 0));
  paths[0] = recording;
  trace = memlane_trace_read_recording (paths, &error);
  if (trace == NULL)
    fuzz_check_refusal (error, "");
  else
    check_trace (trace, file);
  return 0;
}
