/* cli-fleet.c: sweep on many machines: a run for each GPU of each host, in one folder, by ssh or by
 * Slurm
 *
 * SPDX-License-Identifier: MIT
 *
 * A job is one GPU. Its file is there when it is measured, and then it is not measured again: so
 * the same command goes on where it was stopped. A job without a file has a reason in
 * MEMLANE_FLEET_FILE.
 */
#include "cli.h"

#include <errno.h>
#include <string.h>

#include <glib/gstdio.h>

#include "base/device-id.h"
#include "base/each.h"
#include "base/fail.h"
#include "base/hash.h"
#include "base/owns.h"
#include "base/save.h"
#include "base/strict-text.h"

#define MOST_JOBS 4096
#define POLL_MS 2000

typedef enum { WAITS, RUNS, MEASURED, FAILED } State;

typedef struct
{
  char *name;         /* "gpu1-cuda-0" */
  char *host, *device; /* (nullable): "gpu1"; as for memlane_sweep_new() */
  char *path;         /* of its file */
  int node;           /* NUMA node that it is bound to; -1: the GPU's */
  guint number;       /* Slurm: of the GPU in its node */
  State state;
  char *reason;       /* FAILED */
  gint64 begun;
} Job;

/* The one fleet of this process. */
typedef struct
{
  const CliFleet *asked;
  GPtrArray *jobs;    /* (element-type Job) */
  char **next_host;   /* the first that is not asked for its GPUs yet */
  guint at_work, done;
  char *name;         /* of all jobs of the folder, for Slurm */
  GMainLoop *loop;
  GCancellable *cancellable;
} Fleet;
static Fleet fleet;

static MEMLANE_DEFINE_FREE (Job, void job_free (Job *data),
                            OWNS (name, g_free) OWNS (host, g_free) OWNS (device, g_free)
                                OWNS (path, g_free) OWNS (reason, g_free))

static Job *
add_job (const char *host, const char *device, const char *name)
{
  Job *job = g_new (Job, 1);
  char *safe =
      g_strcanon (g_strdup (name),
                  "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._", '-');
  g_autofree char *file = g_strconcat (safe, ".csv", NULL);

  *job = (Job) {
    .name = safe,
    .path = g_build_filename (fleet.asked->folder, file, NULL),
    .host = g_strdup (host),
    .device = g_strdup (device),
    .node = -1,
  };
  if (g_file_test (job->path, G_FILE_TEST_EXISTS))
    {
      job->state = MEASURED;
      fleet.done++;
    }
  g_ptr_array_add (fleet.jobs, job);
  return job;
}

/* The end of a job, told in one line. @reason: (nullable) it has none. */
static void
conclude_job (Job *job, const char *reason)
{
  g_autofree char *time = cli_format_seconds ((double) (g_get_monotonic_time () - job->begun)
                                              / 1e6);

  job->state = reason == NULL ? MEASURED : FAILED;
  job->reason = g_strdup (reason);
  if (job->reason != NULL)
    g_strdelimit (job->reason, "\"\n\r", ' ');
  fleet.done++;
  if (!fleet.asked->quiet)
    g_printerr ("%u of %u: %s%s %s\n", fleet.done, fleet.jobs->len, job->name,
                reason == NULL ? ", measured in" : ":", reason == NULL ? time : job->reason);
}

/* --- by a worker on each host ----------------------------------------------------------------- */

static void pump (gpointer unused);

static void
on_swept (GObject *source, GAsyncResult *result, gpointer job)
{
  MemlaneSweep *sweep = MEMLANE_SWEEP (source);
  g_autoptr (GError) error = NULL;
  g_autoptr (MemlaneRun) run = g_task_propagate_pointer (G_TASK (result), &error);
  const char *trouble = run != NULL ? memlane_sweep_get_progress (sweep)->trouble : error->message;
  CliCount count = { 0 };

  if (run != NULL)
    cli_count_cells (run, &count);
  if (run != NULL && memlane_sweep_get_progress (sweep)->was_cancelled)
    trouble = "interrupted";
  if (trouble == NULL && count.measured == 0)
    trouble = run->cells->len > 0 ? ((const MemlaneCell *) run->cells->pdata[0])->detail
                                  : "no cell was measured";
  if (trouble == NULL && !memlane_csv_write (run, ((Job *) job)->path, &error))
    trouble = error->message;
  conclude_job (job, trouble);
  fleet.at_work--;
  pump (NULL);
}

/* Whether the host itself is no row of its list, which stands for what it would have answered. */
static gboolean
answers (GPtrArray *listings, const char *host, const char **reason)
{
  const MemlaneDeviceListing *first = listings != NULL && listings->len > 0 ? listings->pdata[0]
                                                                            : NULL;

  if (first != NULL && strcmp (first->id, host) == 0)
    *reason = first->reason;
  return first != NULL && strcmp (first->id, host) != 0;
}

/* A job for each device that was asked for, or for each GPU; where there is none, a row that says
 * why. */
static void
on_listed (GObject *source, GAsyncResult *result, gpointer host)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GPtrArray) listings = g_task_propagate_pointer (G_TASK (result), &error);
  g_auto (GStrv) devices = g_strsplit (fleet.asked->device != NULL ? fleet.asked->device : "", ",",
                                       -1);
  const char *reason = error != NULL ? error->message : "it has no GPU";
  guint found = 0;

  for (guint i = 0; devices[i] != NULL && answers (listings, host, &reason); i++, found++)
    {
      g_autofree char *id = g_strconcat (host, "/", devices[i], NULL);

      add_job (host, id, id);
    }

  for (guint i = 0; listings != NULL && i < listings->len; i++)
    {
      const MemlaneDeviceListing *listing = listings->pdata[i];

      if (memlane_device_kind_is_simulated (listing->kind) || *devices != NULL)
        continue;
      if (listing->reason != NULL)
        reason = listing->reason;
      else if (fleet.jobs->len < MOST_JOBS)
        {
          add_job (host, listing->id, listing->id);
          found++;
        }
    }
  if (found == 0)
    conclude_job (add_job (host, NULL, host), reason);
  fleet.at_work--;
  pump (NULL);
}

static void
begin_job (Job *job)
{
  g_autoptr (MemlaneSweep) sweep = memlane_sweep_new (job->device, fleet.asked->plan, FALSE);
  g_autoptr (GError) error = NULL;

  job->begun = g_get_monotonic_time ();
  job->state = RUNS;
  if (job->node >= 0 && !cli_bind_to_node (job->node, TRUE, &error))
    {
      conclude_job (job, error->message);
      return;
    }
  fleet.at_work++;
  memlane_sweep_run_async (sweep, fleet.cancellable, on_swept, job);
}

/* Hosts are asked first, so that the number of jobs is known soon. */
static void
pump (gpointer unused)
{
  gboolean is_cancelled = g_cancellable_is_cancelled (fleet.cancellable);

  for (; fleet.at_work < fleet.asked->most && *fleet.next_host != NULL && !is_cancelled;
       fleet.next_host++)
    {
      fleet.at_work++;
      memlane_devices_list_async (*fleet.next_host, fleet.cancellable, on_listed, *fleet.next_host);
    }
  MEMLANE_FOR_EACH (Job, job, fleet.jobs)
    if (job->state == WAITS && fleet.at_work < fleet.asked->most && is_cancelled)
      conclude_job (job, "interrupted");
    else if (job->state == WAITS && fleet.at_work < fleet.asked->most)
      begin_job (job);
  if (fleet.at_work == 0)
    g_main_loop_quit (fleet.loop);
}

/* --- by Slurm --------------------------------------------------------------------------------- */

/* Runs @words. Returns their standard output (transfer full), or NULL: they failed, and @error has
 * the last line that they said. */
static char *
ask (GError **error, const char *const *words)
{
  g_autofree char *out = NULL, *err = NULL;
  const char *last;
  int status;

  if (!g_spawn_sync (NULL, (char **) words, NULL, G_SPAWN_SEARCH_PATH, NULL, NULL, &out, &err,
                     &status, error))
    return NULL;
  if (g_spawn_check_wait_status (status, NULL))
    return g_steal_pointer (&out);
  last = strrchr (g_strstrip (err), '\n');
  g_set_error (error, G_IO_ERROR, G_IO_ERROR_FAILED, "%s: %s", words[0],
               last != NULL   ? last + 1
               : *err != '\0' ? err
                              : "it has failed");
  return NULL;
}

#define ASK(error, ...) ask (error, (const char *const[]){ __VA_ARGS__, NULL })

/* "gpu:2", "gpu:h200:8(S:0-1)", by commas: how many GPUs. */
static guint
count_gpus (const char *resources)
{
  g_auto (GStrv) each = g_strsplit (resources, ",", -1);
  guint n = 0;

  for (guint i = 0; each[i] != NULL; i++)
    if (g_str_has_prefix (each[i], "gpu:"))
      {
        g_autofree char *plain = g_strndup (each[i], strcspn (each[i], "("));

        n += (guint) MIN (g_ascii_strtoull (strrchr (plain, ':') + 1, NULL, 10), 64);
      }
  return n;
}

/* The value of -X or --NAME among @words; NULL: there is none. */
static const char *
find_option (char **words, const char *letter, const char *name)
{
  for (guint i = 0; words[i] != NULL; i++)
    if (strcmp (words[i], letter) == 0 || strcmp (words[i], name) == 0)
      return words[i + 1];
    else if (g_str_has_prefix (words[i], name) && words[i][strlen (name)] == '=')
      return words[i] + strlen (name) + 1;
    else if (g_str_has_prefix (words[i], letter))
      return words[i] + strlen (letter);
  return NULL;
}

/* The GPUs of the partition and the nodes that @words name, or of the default partition. */
static gboolean
find_gpus (char **words, GError **error)
{
  const char *partition = find_option (words, "-p", "--partition"),
             *nodes = find_option (words, "-w", "--nodelist");
  g_autofree char *of = g_strdup_printf ("--partition=%s", partition),
                  *at = g_strdup_printf ("--nodes=%s", nodes);
  g_autofree char *out = ASK (error, "sinfo", "-h", "-N", "-o", "%N|%P|%G",
                              partition != NULL ? of : "-a", nodes != NULL ? at : NULL);
  g_auto (GStrv) lines = g_strsplit (out != NULL ? out : "", "\n", -1);

  for (guint i = 0; lines[i] != NULL && *lines[i] != '\0'; i++)
    {
      g_auto (GStrv) parts = g_strsplit (lines[i], "|", 3);
      guint n = parts[1] != NULL && parts[2] != NULL ? count_gpus (parts[2]) : 0;

      if (n == 0 || (partition == NULL && !g_str_has_suffix (parts[1], "*")))
        continue;
      if (memlane_check_name (parts[0]) != NULL)
        return cli_refuse (error, "sinfo: found the node \"%s\", expected %s", parts[0],
                           memlane_check_name (parts[0]));
      for (guint gpu = 0; gpu < n && fleet.jobs->len < MOST_JOBS; gpu++)
        {
          g_autofree char *name = g_strdup_printf ("%s-cuda-%u", parts[0], gpu);

          add_job (parts[0], NULL, name)->number = gpu;
        }
    }
  if (out != NULL && fleet.jobs->len == 0)
    g_set_error (error, G_IO_ERROR, G_IO_ERROR_NOT_FOUND,
                 "sinfo names no node with GPUs (Gres=gpu:N) in %s",
                 partition != NULL ? partition : "the default partition");
  return fleet.jobs->len > 0;
}

/* All jobs of this folder have one name, by which they are found again. */
static char *
make_name (const char *folder)
{
  g_autofree char *path = g_canonicalize_filename (folder, NULL),
                  *sum = g_compute_checksum_for_string (G_CHECKSUM_SHA256, path, -1);

  return g_strdup_printf ("memlane-%.12s", sum);
}

/* The batch script: $1 is the node, the task's number that of the GPU. A job that Slurm starts
 * again finds what the first one left. */
static gboolean
write_script (const char *path, GError **error)
{
  g_autofree char *program = g_file_read_link ("/proc/self/exe", NULL),
                  *folder = g_canonicalize_filename (fleet.asked->folder, NULL);
  g_autofree char *quoted = g_shell_quote (program), *place = g_shell_quote (folder);
  g_autofree char *device = fleet.asked->device != NULL ? g_shell_quote (fleet.asked->device)
                                                        : g_strdup ("cuda:$SLURM_ARRAY_TASK_ID");
  g_autoptr (GString) text = g_string_new (
      "#!/bin/sh\n# Written by memlane-cli sweep --slurm: one GPU of the node $1.\n");

  g_string_append_printf (
      text, "file=%s/$1-cuda-$SLURM_ARRAY_TASK_ID.csv\n[ ! -s \"$file\" ] || exit 0\n", place);
  g_string_append_printf (
      text,
      "program=%s\n[ -x \"$program\" ] || program=memlane-cli\nexec \"$program\" sweep --quiet",
      quoted);
  for (char **option = fleet.asked->options; *option != NULL; option++)
    {
      g_autofree char *word = g_shell_quote (*option);

      g_string_append_printf (text, " %s", word);
    }
  g_string_append_printf (text, " --device %s --csv \"$file\"\n", device);
  return memlane_save_file (path, text->str, text->len, error);
}

/* Hands the jobs of @node that wait to Slurm as an array. Slurm pins an array to a node, and not
 * its tasks. */
static void
submit_node (const char *node, const char *script, char **words)
{
  g_autoptr (GString) numbers = g_string_new (NULL);
  g_autoptr (GStrvBuilder) builder = g_strv_builder_new ();
  g_autofree char *called = g_strconcat ("--job-name=", fleet.name, NULL),
                  *at = g_strconcat ("--nodelist=", node, NULL);
  g_autofree char *log = g_strdup_printf ("--output=%s/%s-cuda-%%a.log", fleet.asked->folder, node),
                  *said = NULL;
  g_auto (GStrv) command = NULL;
  g_autoptr (GError) error = NULL;

  MEMLANE_FOR_EACH (const Job, job, fleet.jobs)
    if (job->state == WAITS && strcmp (job->host, node) == 0)
      g_string_append_printf (numbers, "%s%u", numbers->len == 0 ? "--array=" : ",", job->number);
  if (numbers->len == 0)
    return;
  g_strv_builder_add_many (builder, "sbatch", "--parsable", "--exclusive", "--nodes=1", NULL);
  g_strv_builder_addv (builder, (const char **) words);
  g_strv_builder_add_many (builder, called, at, log, numbers->str, script, node, NULL);
  command = g_strv_builder_end (builder);
  said = ask (&error, (const char *const *) command);
  MEMLANE_FOR_EACH (Job, job, fleet.jobs)
    if (job->state == WAITS && strcmp (job->host, node) == 0)
      {
        job->begun = g_get_monotonic_time ();
        if (said != NULL)
          job->state = RUNS;
        else
          conclude_job (job, error->message);
      }
}

/* The last line that the job wrote, if it measured nothing. (transfer full) (nullable) */
static char *
read_log (const Job *job)
{
  g_autofree char *file = g_strconcat (job->name, ".log", NULL),
                  *path = g_build_filename (fleet.asked->folder, file, NULL), *text = NULL;

  if (!g_file_get_contents (path, &text, NULL, NULL) || *g_strchomp (text) == '\0')
    return NULL;
  return g_utf8_make_valid (strrchr (text, '\n') != NULL ? strrchr (text, '\n') + 1 : text, -1);
}

/* Names of nodes that cannot work -> why, in Slurm's words. */
static GHashTable *
find_dead_nodes (void)
{
  g_autofree char *out = ASK (NULL, "sinfo", "-h", "-a", "-N", "-t", "down,drain,fail", "-o",
                              "%N|node %N is %T: %E");
  g_auto (GStrv) lines = g_strsplit (out != NULL ? out : "", "\n", -1);
  GHashTable *dead = g_hash_table_new_full (memlane_hash_text, g_str_equal, g_free, g_free);

  for (guint i = 0; lines[i] != NULL; i++)
    if (strchr (lines[i], '|') != NULL)
      g_hash_table_replace (dead, g_strndup (lines[i], strcspn (lines[i], "|")),
                            g_strdup (strchr (lines[i], '|') + 1));
  return dead;
}

/* Removes what a node that died in the middle of saving has left: the table comes last, and without
 * it the other files are no run. */
static void
remove_rest (const Job *job)
{
  g_autofree char *environment = memlane_csv_environment_path (job->path),
                  *rounds = memlane_csv_rounds_path (job->path);

  g_unlink (environment);
  g_unlink (rounds);
}

/* A job in the queue goes on there. Any other has a file, or a reason. A job that waits for a node
 * that is dead is taken back. */
static gboolean
poll_slurm (void)
{
  g_autofree char *out = ASK (NULL, "squeue", "-h", "-r", "-o", "%n|%K|%T|%A", "-n", fleet.name);
  g_auto (GStrv) lines = g_strsplit (out != NULL ? out : "", "\n", -1);
  g_autoptr (GHashTable) queued = g_hash_table_new_full (memlane_hash_text, g_str_equal, g_free,
                                                         NULL),
                         dead = NULL;
  guint left = 0;

  if (out == NULL)
    return TRUE; /* Slurm is busy */
  dead = find_dead_nodes ();
  for (guint i = 0; lines[i] != NULL; i++)
    {
      g_auto (GStrv) parts = g_strsplit (lines[i], "|", 4);

      if (g_strv_length (parts) != 4)
        continue;
      if (strcmp (parts[2], "PENDING") == 0 && g_hash_table_contains (dead, parts[0]))
        g_free (ASK (NULL, "scancel", "--state=PENDING", parts[3]));
      else
        g_hash_table_add (queued, g_strdup_printf ("%s-cuda-%s", parts[0], parts[1]));
    }
  MEMLANE_FOR_EACH (Job, job, fleet.jobs)
    {
      const char *why = g_hash_table_lookup (dead, job->host);
      g_autofree char *said = NULL;

      if (job->state != RUNS)
        continue;
      if (g_file_test (job->path, G_FILE_TEST_EXISTS))
        conclude_job (job, NULL);
      else if (g_hash_table_contains (queued, job->name))
        left++;
      else
        {
          remove_rest (job);
          said = why == NULL ? read_log (job) : NULL;
          conclude_job (job, why != NULL    ? why
                             : said != NULL ? said
                                            : "its job has ended without a word, and left no file");
        }
    }
  return left > 0;
}

static gboolean
on_poll (gpointer unused)
{
  if (!g_cancellable_is_cancelled (fleet.cancellable) && poll_slurm ())
    return G_SOURCE_CONTINUE;
  g_main_loop_quit (fleet.loop);
  return G_SOURCE_REMOVE;
}

static gboolean
run_slurm (GError **error)
{
  g_autofree char *script = g_build_filename (fleet.asked->folder, "fleet.sh", NULL),
                  *listed = NULL, *queue = NULL;
  g_auto (GStrv) words = NULL;

  if (!g_shell_parse_argv (*fleet.asked->slurm != '\0' ? fleet.asked->slurm : "--", NULL, &words,
                           error))
    return FALSE;
  if (strcmp (words[0], "--") == 0)
    g_clear_pointer (&words[0], g_free);
  if (!find_gpus (words, error) || !write_script (script, error))
    return FALSE;
  listed = ASK (error, "squeue", "-h", "-r", "-o", "%n|%K|", "-n", fleet.name);
  if (listed == NULL)
    return FALSE;
  queue = g_strconcat ("\n", listed, NULL);
  MEMLANE_FOR_EACH (Job, job, fleet.jobs)
    {
      /* a whole line: gpu1 is no mygpu1 */
      g_autofree char *mark = g_strdup_printf ("\n%s|%u|", job->host, job->number);

      job->begun = g_get_monotonic_time ();
      if (job->state == WAITS && strstr (queue, mark) != NULL)
        job->state = RUNS; /* since the command was given the last time */
    }
  MEMLANE_FOR_EACH (const Job, job, fleet.jobs)
    submit_node (job->host, script, words); /* the first job of a node takes the others with it */
  g_timeout_add (POLL_MS, on_poll, NULL);
  g_main_loop_run (fleet.loop);
  MEMLANE_FOR_EACH (Job, job, fleet.jobs)
    if (job->state == RUNS)
      {
        g_autofree char *reason = g_strdup_printf (
            "in Slurm's queue: the same command goes on, scancel -n %s ends it", fleet.name);

        conclude_job (job, reason);
      }
  return TRUE;
}

/* --- all -------------------------------------------------------------------------------------- */

static gboolean
write_table (GError **error)
{
  g_autofree char *path = g_build_filename (fleet.asked->folder, MEMLANE_FLEET_FILE, NULL);
  g_autoptr (GString) text = g_string_new ("machine,status,reason\n");

  MEMLANE_FOR_EACH (const Job, job, fleet.jobs)
    {
      gboolean is_there = g_file_test (job->path, G_FILE_TEST_EXISTS);

      g_string_append_printf (text, "%s,%s,\"%s\"\n", job->name, is_there ? "measured" : "failed",
                              is_there ? "" : job->reason);
    }
  return memlane_save_file (path, text->str, text->len, error);
}

void
cli_fleet_say_missing (const char *folder)
{
  g_autofree char *path = g_build_filename (folder, MEMLANE_FLEET_FILE, NULL), *text = NULL;
  g_auto (GStrv) lines = NULL;

  if (!g_file_get_contents (path, &text, NULL, NULL))
    return;
  lines = g_strsplit (text, "\n", -1);
  for (guint i = 0; lines[i] != NULL; i++)
    {
      char *status = strstr (lines[i], ",failed,\"");

      if (status == NULL)
        continue;
      *status = '\0';
      g_printerr ("%s has no run: %.*s\n", lines[i],
                  (int) strlen (status + strlen (",failed,\"")) - 1,
                  status + strlen (",failed,\""));
    }
}

/* The nodes that --numa names: "all", or "0,1". FALSE: there is none to compare. */
static gboolean
add_nodes (GError **error)
{
  g_auto (GStrv) devices = g_strsplit (fleet.asked->device, ",", -1);
  g_autofree char *online = NULL;
  cpu_set_t nodes; /* a list of nodes is written like one of processors */

  if (!g_file_get_contents ("/sys/devices/system/node/online", &online, NULL, error))
    return FALSE;
  cli_parse_processors (strcmp (fleet.asked->numa, "all") == 0 ? online : fleet.asked->numa,
                        &nodes);
  if (strcmp (fleet.asked->numa, "all") == 0 && CPU_COUNT (&nodes) < 2)
    {
      g_set_error_literal (error, G_IO_ERROR, G_IO_ERROR_NOT_FOUND,
                           "this machine has one NUMA node: no processor is nearer to a GPU than "
                           "another; leave --numa out");
      return FALSE;
    }
  for (guint i = 0; devices[i] != NULL; i++)
    for (int node = 0; node < 64; node++)
      if (CPU_ISSET (node, &nodes))
        {
          g_autofree char *name = g_strdup_printf ("%s-node-%d", devices[i], node);

          add_job (NULL, devices[i], name)->node = node;
        }
  return TRUE;
}

int
cli_fleet_sweep (const CliFleet *asked)
{
  g_autoptr (GPtrArray) jobs = g_ptr_array_new_with_free_func ((GDestroyNotify) job_free);
  g_autofree char *name = make_name (asked->folder);
  g_autoptr (GMainLoop) loop = g_main_loop_new (NULL, FALSE);
  g_autoptr (GCancellable) cancellable = g_cancellable_new ();
  g_auto (GStrv) hosts = g_strsplit (asked->hosts != NULL ? asked->hosts : "", ",", -1);
  g_autoptr (GError) error = NULL;
  guint failed = 0;

  fleet = (Fleet) { .asked = asked, .jobs = jobs, .next_host = hosts, .name = name, .loop = loop,
                    .cancellable = cancellable };
  if (g_mkdir_with_parents (asked->folder, 0755) != 0)
    return cli_fail (CLI_NOTHING, "cannot make %s: %s", asked->folder, g_strerror (errno));
  memlane_hosts_use_ssh ();
  cli_signals_begin (cancellable, NULL);
  if (asked->slurm != NULL)
    (void) run_slurm (&error);
  else if (asked->numa == NULL || add_nodes (&error))
    {
      g_idle_add_once (pump, NULL); /* nothing is told before the loop runs */
      g_main_loop_run (loop);
    }
  cli_signals_end ();
  if (error != NULL || !write_table (&error))
    return cli_fail (CLI_NOTHING, "%s", error->message);
  MEMLANE_FOR_EACH (const Job, job, jobs)
    failed += job->state != MEASURED;
  if (!asked->quiet)
    g_printerr ("%u runs are there, %u are not; memlane-cli compare %s\n", jobs->len - failed,
                failed, asked->folder);
  if (g_cancellable_is_cancelled (cancellable))
    return CLI_INTERRUPTED;
  return failed == 0 && jobs->len > 0 ? CLI_OK
         : failed < jobs->len         ? CLI_FAILED_CELLS
                                      : CLI_NOTHING;
}
