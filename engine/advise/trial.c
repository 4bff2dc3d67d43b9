/* trial.c: a change is tried in somebody else's program, without a line of its code changed
 *
 * SPDX-License-Identifier: MIT
 */
#include "trial.h"

#include <fcntl.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/data-file.h"
#include "base/each.h"
#include "base/fail.h"
#include "base/i18n.h"
#include "trace/record.h"

#define LEVEL 0.95
#define MOST_OUTPUT (4 << 20) /* bytes of a run's output that are compared */

/* One run of the program. */
typedef struct
{
  double ns;            /* from its start to its end */
  int status;
  char **lines;         /* of its output */
  MemlaneRecord sum;    /* of all its processes */
  GPtrArray *notes;
} Run;

static const char *const names[MEMLANE_N_CHANGES] = {
  [MEMLANE_CHANGE_PIN] = MEMLANE_TRIAL_PIN,
  [MEMLANE_CHANGE_PREFETCH] = MEMLANE_TRIAL_PREFETCH,
};

gboolean
memlane_change_can_be_tried (MemlaneChangeKind kind)
{
  return names[kind] != NULL;
}

static void
run_clear (gpointer data)
{
  Run *run = data;

  g_strfreev (run->lines);
  g_ptr_array_unref (run->notes);
}

/* Adds what one process wrote. What a killed one left is read as far as it goes. */
static void
read_process (Run *run, const char *path)
{
  g_autoptr (GMappedFile) file = g_mapped_file_new (path, FALSE, NULL);
  const MemlaneRecord *records = file != NULL ? (gconstpointer) g_mapped_file_get_contents (file)
                                              : NULL;
  gsize n = records != NULL ? g_mapped_file_get_length (file) / sizeof *records : 0;

  for (gsize i = 0; i < n; i += memlane_record_span (&records[i]))
    {
      const MemlaneRecord *record = &records[i];

      if (memlane_record_span (record) > n - i)
        return;
      if (record->type == MEMLANE_RECORD_NOTE)
        g_ptr_array_add (run->notes, g_strndup ((const char *) (record + 1), record->bytes));
      if (record->type != MEMLANE_RECORD_TRIAL)
        continue;
      run->sum.count += record->count;
      run->sum.bytes += record->bytes;
      run->sum.thread += record->thread;
      run->sum.stream += record->stream;
      run->sum.hash = MAX (run->sum.hash, record->hash);
      run->sum.address += record->address;
      run->sum.start += record->start;
      run->sum.end += record->end;
    }
}

static char **
read_lines (int output)
{
  g_autofree char *text = g_malloc (MOST_OUTPUT + 1);
  gssize length = pread (output, text, MOST_OUTPUT, 0);

  text[MAX (length, 0)] = '\0';
  return g_strsplit (text, "\n", -1);
}

static gboolean
run_once (const MemlaneProgram *program, const char *trial, Run *run, GError **error)
{
  MemlaneProgram one = *program;
  g_autofree char *folder = NULL, *output = NULL;
  g_autoptr (GPtrArray) paths = NULL;
  off_t start = one.input >= 0 ? lseek (one.input, 0, SEEK_CUR) : 0;
  int lock;
  gint64 begin;
  gboolean done;

  folder = memlane_watch_new_folder (&lock, error);
  if (folder == NULL)
    return FALSE;
  output = g_build_filename (folder, "output", NULL);
  one.output = open (output, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
  begin = g_get_monotonic_time ();
  done = one.output >= 0 ? memlane_watch_run (&one, folder, trial, &run->status, error)
                         : memlane_fail_io (error, "%s cannot be written", output);
  run->ns = 1e3 * (double) (g_get_monotonic_time () - begin);
  if (done)
    {
      run->lines = read_lines (one.output);
      unlink (output);
      paths = memlane_list_files (folder, "", NULL);
      MEMLANE_FOR_EACH (const char, path, paths)
        read_process (run, path);
    }
  if (one.output >= 0)
    close (one.output);
  if (one.input >= 0 && start >= 0)
    lseek (one.input, start, SEEK_SET);
  memlane_watch_remove_folder (folder, lock);
  return done;
}

/* --- comparing ---------------------------------------------------------------------------- */

/* Run @i of the program as it is (@tried FALSE) or of the other form. The forms change places from
 * pair to pair, so that what drifts meets both. */
static Run *
get_run (GArray *runs, guint pair, gboolean tried)
{
  return &g_array_index (runs, Run, 2 * pair + (tried != (pair % 2 == 1)));
}

static gboolean
is_tried (guint place)
{
  return (place % 2 == 1) != (place / 2 % 2 == 1);
}

/* Lines that differ between runs of the program as it is, such as times, tell nothing. */
static void
compare_outputs (MemlaneTrial *self, GArray *runs)
{
  char **first = get_run (runs, 0, FALSE)->lines;
  guint n = g_strv_length (first);

  for (guint line = 0; line < n; line++)
    {
      gboolean is_stable = TRUE, is_same = TRUE;

      for (guint i = 0; i < runs->len; i++)
        {
          char **lines = g_array_index (runs, Run, i).lines;
          gboolean same = g_strv_length (lines) > line && strcmp (lines[line], first[line]) == 0;

          if (is_tried (i))
            is_same = is_same && same;
          else
            is_stable = is_stable && same;
        }
      if (*first[line] != '\0')
        {
          self->prints = TRUE;
          self->lines += is_stable;
        }
      self->differing += is_stable && !is_same;
    }
}

static guint
shell_status (int status)
{
  return (guint) (WIFEXITED (status) ? WEXITSTATUS (status) : 128 + WTERMSIG (status));
}

/* The time of @run from the first call that the change touches to the last call, or of the whole
 * program if there is none, or it or the @other of its pair was killed. */
static double
get_time (const Run *run, const Run *other)
{
  return run->sum.hash > 0 && other->sum.hash > 0 ? (double) run->sum.hash : run->ns;
}

static void
compare (MemlaneTrial *self, GArray *runs)
{
  g_autofree double *walls = g_new (double, self->n), *copies = g_new (double, self->n);
  g_autofree double *before = g_new (double, self->n), *after = g_new (double, self->n);

  self->same_status = TRUE;
  for (guint i = 0; i < self->n; i++)
    {
      const Run *plain = get_run (runs, i, FALSE), *tried = get_run (runs, i, TRUE);

      before[i] = get_time (plain, tried);
      after[i] = get_time (tried, plain);
      walls[i] = before[i] - after[i];
      copies[i] = (double) plain->sum.address - (double) tried->sum.address;
      if (self->same_status && plain->status != tried->status)
        {
          self->same_status = FALSE;
          self->status = shell_status (plain->status);
          self->tried_status = shell_status (tried->status);
        }
      self->lock_ns = (double) tried->sum.start;
      self->wait_ns = (double) tried->sum.end;
      self->bytes = tried->sum.bytes;
      self->buffers = tried->sum.count;
      self->left = tried->sum.thread;
      self->ranges = tried->sum.stream;
    }
  self->gain = memlane_find_middle (walls, self->n, LEVEL);
  self->copies = memlane_find_middle (copies, self->n, LEVEL);
  self->before = memlane_median (before, self->n);
  self->after = memlane_median (after, self->n);
  compare_outputs (self, runs);
}

MemlaneTrial *
memlane_try_program (const MemlaneProgram *program, MemlaneChangeKind kind, guint pairs,
                     MemlaneTrialStep step, gpointer user_data, GError **error)
{
  g_autoptr (GArray) runs = g_array_new (FALSE, TRUE, sizeof (Run));
  g_autoptr (MemlaneTrial) self = g_new0 (MemlaneTrial, 1);
  g_autofree char *as_it_is = g_strconcat (MEMLANE_TRIAL_NO, names[kind], NULL);

  self->kind = kind;
  self->n = pairs;
  self->notes = g_ptr_array_new_with_free_func (g_free);
  g_array_set_clear_func (runs, run_clear);
  for (guint i = 0; i < 2 * pairs; i++)
    {
      Run *run;

      if (step != NULL && !step (i, 2 * pairs, user_data))
        return memlane_fail (error, MEMLANE_WATCH_ERROR, MEMLANE_WATCH_ERROR_STOPPED,
                             "the trial was stopped after %u of %u runs", i, 2 * pairs), NULL;
      g_array_set_size (runs, i + 1);
      run = &g_array_index (runs, Run, i);
      run->notes = g_ptr_array_new_with_free_func (g_free);
      if (!run_once (program, is_tried (i) ? names[kind] : as_it_is, run, error))
        return NULL;
    }
  if (step != NULL)
    step (2 * pairs, 2 * pairs, user_data);
  compare (self, runs);
  MEMLANE_FOR_EACH (const char, note, get_run (runs, pairs - 1, TRUE)->notes)
    g_ptr_array_add (self->notes, g_strdup (note));
  return g_steal_pointer (&self);
}

void
memlane_trial_free (MemlaneTrial *self)
{
  if (self == NULL)
    return;
  g_ptr_array_unref (self->notes);
  g_free (self);
}

/* --- words ---------------------------------------------------------------------------------- */

#define NS(name, ns) { name, MEMLANE_FACT_NS, MEMLANE_FACT_IS (ns) }
#define COUNT(name, n) { name, MEMLANE_FACT_COUNT, MEMLANE_FACT_IS (n) }

/* The whole program's gain, or where the pairs hide it, that of the calls that copy. */
static const MemlaneEstimate *
get_judged (const MemlaneTrial *self)
{
  gboolean is_hidden = self->gain.low <= 0 && self->gain.high >= 0;

  return is_hidden && self->buffers > 0 && self->copies.low > 0 ? &self->copies : &self->gain;
}

static const char *
get_headline (const MemlaneTrial *self)
{
  gboolean pins = self->kind == MEMLANE_CHANGE_PIN;

  if (pins ? self->buffers == 0 : self->ranges == 0)
    return N_("Tried, and nothing was changed: no memory was found to change safely.");
  if (get_judged (self) == &self->copies)
    return N_("Tried with page-locked memory: the calls that copy save {low} to {high}. Whether "
              "the whole program does cannot be told: pairs of runs differ by up to {spread}.");
  if (self->gain.low > 0)
    return pins ? N_("Tried with page-locked memory: from the first changed call to the last call "
                     "the program takes {after} instead of {before}; it saves {low} to {high}.")
                : N_("Tried with prefetched memory: from the first changed call to the last call "
                     "the program takes {after} instead of {before}; it saves {low} to {high}.");
  if (self->gain.high < 0)
    return N_("Tried, and it does not pay: from the first changed call to the last call the "
              "program takes {after} instead of {before}.");
  return N_ (
      "Tried, and no gain can be told: pairs of runs differ by up to {spread}. From the first "
      "changed call to the last call the program takes {after} instead of {before}.");
}

GPtrArray *
memlane_trial_describe (const MemlaneTrial *self)
{
  GPtrArray *answers = memlane_answers_new ();
  double spread = MAX (ABS (self->gain.low), ABS (self->gain.high));
  const MemlaneEstimate *judged = get_judged (self);

  memlane_answer_say (answers, judged->low > 0 ? MEMLANE_ANSWER_BEST : MEMLANE_ANSWER_FINDING,
                      get_headline (self), NS ("before", self->before), NS ("after", self->after),
                      NS ("low", judged->low), NS ("high", judged->high), NS ("spread", spread));
  if (!self->same_status || self->differing > 0)
    memlane_answer_say (answers, MEMLANE_ANSWER_TROUBLE,
                        self->same_status
                            ? N_("The change altered the program's output: lines that differ: {n}. "
                                 "Do not make it.")
                            : N_("The change altered how the program ends: with status {tried} "
                                 "instead of {status}. Do not make it."),
                        COUNT ("n", self->differing), COUNT ("status", self->status),
                        COUNT ("tried", self->tried_status));
  else
    memlane_answer_say (
        answers, MEMLANE_ANSWER_FINDING,
        self->lines > 0 ? N_("Output and exit status stayed the same in {runs} runs (lines "
                              "compared: {n}).")
        : !self->prints ? N_("The exit status stayed the same in {runs} runs. The program writes "
                             "nothing to standard output.")
                        : N_("The exit status stayed the same in {runs} runs. No line of output "
                              "is the same in all of them, so it was not compared."),
        COUNT ("runs", 2 * self->n), COUNT ("n", self->lines));
  if (self->buffers > 0)
    memlane_answer_say (answers, MEMLANE_ANSWER_FINDING,
                        N_("Locked {bytes} in {lock} (buffers: {n}). The calls that copy save "
                           "{copies}."),
                        COUNT ("n", self->buffers),
                        { "bytes", MEMLANE_FACT_BYTES, MEMLANE_FACT_IS ((double) self->bytes) },
                        NS ("lock", self->lock_ns),
                        { "copies", MEMLANE_FACT_NS, .number = self->copies });
  if (self->wait_ns > 0.01 * self->before)
    memlane_answer_say (answers, MEMLANE_ANSWER_FINDING,
                        N_("Copies waited {wait} for their buffers. Whether a program that waits "
                           "later itself saves part of that was not tried."),
                        NS ("wait", self->wait_ns));
  if (self->left > 0)
    memlane_answer_say (answers, MEMLANE_ANSWER_FINDING,
                        N_("Left as they were, since they could not be changed safely: {n}."),
                        COUNT ("n", self->left));
  return answers;
}
