/* cli-check.c: memlane-cli check, whether the link of a GPU and its set-up are what they can be
 *
 * SPDX-License-Identifier: MIT
 */
#include "cli.h"

#include <math.h>
#include <sched.h>
#include <string.h>

#include "base/each.h"

#define DEADLINE_SECONDS 14 /* a worker that does not answer is given five more */
#define LARGE_BYTES ((guint64) 16 << 20) /* smaller copies are slowed by their calls */
#define FAR 0.95 /* of the bandwidth: less is a difference */

static char *asked;
static gboolean json, pin_limit;
static const GOptionEntry options[] = {
  { "device", 'd', 0, G_OPTION_ARG_FILENAME, &asked,
    "The GPU to check (default: the first); several by comma, or cuda:all", "ID" },
  { "pin-limit", 0, 0, G_OPTION_ARG_NONE, &pin_limit,
    "Find how much may be page-locked and what limits it, instead", NULL },
  CLI_JSON_ENTRY (json),
  { NULL },
};

/* The facts that the lines judge. Bandwidths are of page-locked copies, bytes/s; 0: not
 * measured. */
static struct
{
  MemlaneRun *run;      /* whose environment counts; NULL: none yet */
  double up, down, far; /* far: to the GPU, from another memory node */
  double both_up, both_down; /* at the same time */
  const char *no_far;
} facts;

typedef enum { GOOD, SLOW, UNKNOWN, N_VERDICTS } Verdict;
static const char *const verdicts[] = { "good", "slow", "unknown" };

static CliJson *document;   /* NULL: lines are printed */
static const char *nothing; /* what is said where nothing tells */
static guint n_lines[N_VERDICTS];

/* --- lines ------------------------------------------------------------------------------------ */

/* Numbers for the next line, in JSON alone. */
static struct
{
  const char *name;
  double value;
} numbers[4];
static guint n_numbers;

/* Keeps @value for the next line, if it is known. */
static void
note (const char *name, double value)
{
  if (value > 0)
    {
      numbers[n_numbers].name = name;
      numbers[n_numbers++].value = value;
    }
}

static void
add_json (const char *title, Verdict verdict, const char *found, const char *advice)
{
  cli_json_open (document, NULL, '{');
  cli_json_add (document, { "check", CLI_TEXT (title) },
                { "verdict", CLI_TEXT (verdicts[verdict]) });
  for (guint i = 0; i < n_numbers; i++)
    cli_json_number (document, numbers[i].name, rint (numbers[i].value));
  cli_json_add (document, { "text", CLI_TEXT (found) },
                { "advice", CLI_TEXT (advice) });
  cli_json_close (document);
}

/* @advice: what to do; NULL: nothing. */
static void G_GNUC_PRINTF (4, 5)
add (const char *title, Verdict verdict, const char *advice, const char *format, ...)
{
  g_autofree char *found = NULL;
  va_list arguments;

  va_start (arguments, format);
  found = g_strdup_vprintf (format, arguments);
  va_end (arguments);
  n_lines[verdict]++;
  if (document != NULL)
    add_json (title, verdict, found, advice);
  else
    g_print ("%-8s %-16s %s\n%s%s%s", verdicts[verdict], title, found,
             advice != NULL ? "                          to do: " : "",
             advice != NULL ? advice : "", advice != NULL ? "\n" : "");
  n_numbers = 0;
}

static double
get (MemlaneEnvironmentMember member)
{
  double value = memlane_environment_get_number (facts.run->environment, member);

  return isnan (value) ? 0 : value;
}

static const char *
text (MemlaneEnvironmentMember member)
{
  return memlane_environment_get_text (facts.run->environment, member);
}

/* Returns the bytes per second that page-locked copies reach at least over a sound link of
 * @generation with @width lanes. The shares of the lanes' rate are those of the floors of
 * azurehpc-health-checks for V100 (10 GB/s), A100 (21) and H100, H200 (48); H200s copied 55. */
static double
get_floor (guint generation, guint width)
{
  static const double shares[] = { 0, 0.6, 0.6, 10 / 15.75, 21 / 31.5, 48 / 63.0 };

  return memlane_link_get_bandwidth (generation, width)
         * shares[MIN (generation, G_N_ELEMENTS (shares) - 1)];
}

/* The link now and at most. Returns what copies should reach; 0: unknown. A link that sleeps tells
 * a low rate: copies that are faster than that were made by one that was awake. */
static double
judge_link (void)
{
  guint generation = (guint) get (MEMLANE_ENVIRONMENT_LINK_GENERATION),
        width = (guint) get (MEMLANE_ENVIRONMENT_LINK_WIDTH);
  guint most = (guint) get (MEMLANE_ENVIRONMENT_LINK_MOST_GENERATION);
  guint lanes = (guint) get (MEMLANE_ENVIRONMENT_LINK_MOST_WIDTH);
  guint own = (guint) get (MEMLANE_ENVIRONMENT_LINK_OWN_GENERATION);
  double now = memlane_link_get_bandwidth (generation, width), copied = MAX (facts.up, facts.down);

  note ("generation", generation);
  note ("lanes", width);
  note ("most_generation", most);
  note ("most_lanes", lanes);
  if (now == 0
      && memlane_environment_get_flag (facts.run->environment, MEMLANE_ENVIRONMENT_INTEGRATED))
    {
      add ("link", GOOD, NULL, "there is none: GPU and processor share one memory");
      return 0;
    }
  if (now == 0)
    {
      add ("link", UNKNOWN,
           "run it on the host of the virtual machine, as root: lspci -vv shows LnkCap and LnkSta",
           "neither the system nor the driver tells generation and lanes");
      return 0;
    }
  if (most == 0 || lanes == 0)
    {
      gboolean is_simulated = memlane_run_is_simulated (facts.run);

      add ("link", is_simulated ? GOOD : UNKNOWN,
           is_simulated ? NULL : "lspci -vv as root shows LnkCap, the most that it can do",
           "PCIe %u.0 x%u%s", generation, width,
           is_simulated ? "" : "; the driver does not tell what GPU and slot can do");
      return get_floor (generation, width);
    }
  if ((generation < most || width < lanes) && copied > now)
    add ("link", GOOD, NULL, "PCIe %u.0 x%u; it slept at %u.0 x%u when it was asked", most, lanes,
         generation, width);
  else if (generation < most || width < lanes)
    add ("link", SLOW,
         "put the card in again, try another slot or riser, and look for a limit in the firmware's "
         "set-up",
         "PCIe %u.0 x%u under load; GPU and slot can do %u.0 x%u", generation, width, most, lanes);
  else if (own > most)
    add ("link", GOOD, "a slot of that generation would be faster",
         "PCIe %u.0 x%u, all that the slot can do; the GPU can do %u.0", most, lanes, own);
  else
    add ("link", GOOD, NULL, "PCIe %u.0 x%u under load, the most that GPU and slot can do",
         generation, width);
  return get_floor (most, lanes);
}

static void
judge_copies (const char *title, double copied, double expected)
{
  note ("bytes_per_s", copied);
  note ("expected_bytes_per_s", expected);
  if (copied == 0)
    add (title, UNKNOWN, "memlane-cli check --device ID measures it", "not measured");
  else if (expected == 0)
    add (title, UNKNOWN, "compare with another machine of the kind",
         "%.1f GB/s; what the link could do is unknown", copied / 1e9);
  else if (copied >= expected)
    add (title, GOOD, NULL, "%.1f GB/s; such a link gives at least %.1f", copied / 1e9,
         expected / 1e9);
  else
    add (title, SLOW,
         "if the link is good: look for other users of the GPU, a shared PCIe switch, or the far "
         "processor socket",
         "%.1f GB/s; such a link gives at least %.1f%s", copied / 1e9, expected / 1e9,
         copied >= expected / 2.5 && copied <= expected / 1.4
             ? ". One of half the lanes would do that"
             : "");
}

/* Tells both directions apart, where they were measured: their sum hides a slow one. */
static void
judge_both (void)
{
  const double up = facts.both_up, down = facts.both_down;

  if (!(up > 0 && down > 0))
    return;
  note ("both_to_bytes_per_s", up);
  note ("both_from_bytes_per_s", down);
  add ("copies both ways", MIN (up, down) < MAX (up, down) / 2 ? SLOW : GOOD, NULL,
       "%.1f GB/s to the GPU while %.1f come from it", up / 1e9, down / 1e9);
}

static void
judge_sockets (void)
{
  double nodes = get (MEMLANE_ENVIRONMENT_NUMA_NODES), near = facts.up, far = facts.far;
  const char *affinity = text (MEMLANE_ENVIRONMENT_AFFINITY);
  int node = (int) get (MEMLANE_ENVIRONMENT_NUMA_NODE);
  g_autofree char *advice = g_strdup_printf (
      "start programs for this GPU by: numactl --cpunodebind=%d --membind=%d", node, node);

  note ("near_bytes_per_s", near);
  note ("far_bytes_per_s", far);
  if (nodes == 1)
    add ("socket", GOOD, NULL, "one memory node: nothing is far from the GPU");
  else if (affinity != NULL && strstr (affinity, "may not run beside") != NULL)
    add ("socket", SLOW, advice, "this process may not run on node %d, which is beside the GPU",
         node);
  else if (!(nodes > 1) || !(far > 0) || !(near > 0))
    add ("socket", UNKNOWN, NULL, "%s",
         facts.no_far != NULL ? facts.no_far : "the far socket was not measured");
  else
    add ("socket", GOOD, far < FAR * near ? advice : NULL,
         "node %d is beside the GPU: %.1f GB/s to it; from a far node %.1f", node, near / 1e9,
         far / 1e9);
}

/* A switch: @on, @off (nullable: the value is no line of its own) are the verdicts; the texts say
 * what each means. */
static void
judge_switch (const char *title, MemlaneEnvironmentMember member, Verdict on, const char *if_on,
              Verdict off, const char *if_off, const char *advice)
{
  const char *value = text (member);
  gboolean is_on = value != NULL && strcmp (value, "on") == 0;
  Verdict verdict = value == NULL ? UNKNOWN : is_on ? on : off;

  add (title, verdict, value == NULL || verdict == GOOD ? NULL : advice, "%s",
       value == NULL ? nothing : is_on ? if_on : if_off);
}

/* A packet has 24 bytes besides its payload: framing 4, header 16, checksum 4 (PCI Express Base
 * Specification, of generation 3 on). */
static void
judge_packets (void)
{
  const double payload = get (MEMLANE_ENVIRONMENT_SETUP_PAYLOAD);
  const gboolean is_small = payload < 256;

  note ("payload_bytes", payload);
  if (payload > 0)
    add ("payload", is_small ? SLOW : GOOD,
         is_small ? "256 would leave 91 %: Max Payload Size in the firmware's set-up" : NULL,
         "%.0f bytes: headers leave %.0f %% of the link to data", payload,
         100 * payload / (payload + 24));
  if (text (MEMLANE_ENVIRONMENT_SETUP_RELAXED) != NULL)
    judge_switch ("relaxed ordering", MEMLANE_ENVIRONMENT_SETUP_RELAXED, GOOD,
                  "on: what a read brings may pass writes", UNKNOWN,
                  "off: what a read brings waits for the writes before it",
                  "see whether copies both ways are slower than on a machine where it is on");
  if (text (MEMLANE_ENVIRONMENT_SETUP_ACS) != NULL)
    judge_switch ("ACS", MEMLANE_ENVIRONMENT_SETUP_ACS, UNKNOWN,
                  "on: copies between GPUs over PCIe go by way of the processor (NCCL's "
                  "user guide)",
                  GOOD, "off: GPUs below one switch may copy to each other directly",
                  "matters with several GPUs without NVLink: turn it off in the firmware's set-up");
}

static void
judge_power (void)
{
  double limit = get (MEMLANE_ENVIRONMENT_SETUP_POWER_LIMIT),
         usual = get (MEMLANE_ENVIRONMENT_SETUP_USUAL_POWER_LIMIT);

  note ("limit_w", limit);
  note ("usual_limit_w", usual);
  if (limit == 0 || usual == 0)
    add ("power limit", UNKNOWN, NULL, "%s", nothing);
  else if (limit < 0.99 * usual)
    add ("power limit", SLOW, "an administrator can raise it: nvidia-smi -pl WATTS",
         "%.0f W; as shipped it is %.0f W", limit, usual);
  else
    add ("power limit", GOOD, NULL, "%.0f W, as shipped or more", limit);
}

static void
judge_translation (gboolean is_fast)
{
  const char *kind = text (MEMLANE_ENVIRONMENT_SETUP_IOMMU);

  if (kind == NULL)
    add ("IOMMU", UNKNOWN, NULL, "%s", nothing);
  else if (strcmp (kind, "off") == 0 || strcmp (kind, "identity") == 0)
    add ("IOMMU", GOOD, NULL, "%s: addresses are not translated", kind);
  else if (is_fast)
    add ("IOMMU", GOOD, NULL,
         "%s: addresses are translated, and copies are as fast as they should be", kind);
  else
    add ("IOMMU", UNKNOWN, "start the system with iommu=pt and measure again",
         "%s: each copy's addresses are translated", kind);
}

static void
judge_throttling (void)
{
  const char *throttle = text (MEMLANE_ENVIRONMENT_STATE_THROTTLE);

  MEMLANE_FOR_EACH_OF (const MemlaneEnvironmentRound, round, n,
                       memlane_environment_get_rounds (facts.run->environment, &n))
    if (round->throttled != NULL)
      {
        add ("throttling", SLOW,
             "look at cooling, power supply and other programs on the GPU: nvidia-smi -q -d "
             "PERFORMANCE",
             "the GPU was slowed down: %s", round->throttled);
        return;
      }
  if (throttle == NULL)
    add ("throttling", UNKNOWN, NULL, "%s", nothing);
  else
    add ("throttling", GOOD, NULL, "the GPU was not slowed down while it was measured");
}

static int
judge (void)
{
  const char *name = text (MEMLANE_ENVIRONMENT_DEVICE_NAME),
             *bus = text (MEMLANE_ENVIRONMENT_PCI_BUS_ID);
  double expected;

  document = json ? cli_json_new ("check") : NULL;
  nothing = memlane_run_is_simulated (facts.run) ? "a simulated device has none"
                                                 : "neither the driver nor the system tells";
  if (document != NULL)
    {
      cli_json_add (document, { "device", CLI_TEXT (facts.run->device) },
                    { "name", CLI_TEXT (name) },
                    { "simulated", CLI_FLAG (memlane_run_is_simulated (facts.run)) });
      cli_json_open (document, "checks", '[');
    }
  else
    g_print ("%s [%s]%s%s%s\n\n", name != NULL ? name : "GPU", facts.run->device,
             bus != NULL ? " at " : "", bus != NULL ? bus : "",
             memlane_run_is_simulated (facts.run) ? " - SIMULATED: this says nothing of any machine"
                                                  : "");
  expected = judge_link ();
  judge_copies ("copies to GPU", facts.up, expected);
  judge_copies ("copies from GPU", facts.down, expected);
  judge_both ();
  judge_sockets ();
  judge_throttling ();
  judge_power ();
  judge_switch ("persistence", MEMLANE_ENVIRONMENT_SETUP_PERSISTENCE, GOOD,
                "on: the driver stays loaded", SLOW,
                "off: the first program on an idle GPU waits a second or more",
                "nvidia-smi -pm 1, or the service nvidia-persistenced");
  if (text (MEMLANE_ENVIRONMENT_SETUP_CONFIDENTIAL) != NULL)
    judge_switch ("confidential", MEMLANE_ENVIRONMENT_SETUP_CONFIDENTIAL, SLOW,
                  "on: copies are encrypted, block their caller and do not overlap (arXiv "
                  "2606.23969)",
                  GOOD, "off: copies are not encrypted", NULL);
  judge_switch ("MIG", MEMLANE_ENVIRONMENT_SETUP_MIG, SLOW,
                "on: this is a part of a GPU, and its neighbours use the same link", GOOD,
                "off: the GPU is not divided", "an administrator can undo it: nvidia-smi -mig 0");
  judge_switch ("MPS", MEMLANE_ENVIRONMENT_SETUP_MPS, UNKNOWN,
                "on: other programs may share the GPU at the same time", GOOD,
                "off: programs take turns",
                "measure again without it: echo quit | nvidia-cuda-mps-control");
  judge_switch ("ECC", MEMLANE_ENVIRONMENT_SETUP_ECC, GOOD,
                "on: errors of the GPU's memory are corrected", GOOD,
                "off: errors of the GPU's memory stay unseen", NULL);
  judge_packets ();
  judge_translation (expected > 0 && facts.up >= expected && facts.down >= expected);
  if (json)
    cli_json_print (document);
  else
    g_print ("\n%u good, %u slow, %u unknown\n", n_lines[GOOD], n_lines[SLOW], n_lines[UNKNOWN]);
  return n_lines[SLOW] > 0 ? CLI_SLOW : CLI_OK;
}

/* --- measuring -------------------------------------------------------------------------------- */

/* The best of the large page-locked copies; 0: there is none. */
static double
find_bandwidth (const MemlaneRun *run, MemlanePhase phase)
{
  double best = 0;

  MEMLANE_FOR_EACH (const MemlaneCell, cell, run->cells)
    {
      const MemlaneFigure *figure = strcmp (cell->mode, "pinned-async") == 0
                                        ? memlane_cell_find (cell, phase, MEMLANE_CLOCK_DEVICE)
                                        : NULL;

      if (figure != NULL && figure->bytes_moved >= LARGE_BYTES
          && figure->status <= MEMLANE_STATUS_NOISY)
        best = MAX (best, memlane_figure_get_bandwidth (figure));
    }
  return best;
}

typedef struct
{
  GCancellable *cancellable;
  gboolean is_late;
  MemlaneRun *run;
  GError *error;
} Work;

static gboolean
on_deadline (gpointer user_data)
{
  Work *work = user_data;

  work->is_late = TRUE;
  g_cancellable_cancel (work->cancellable);
  return G_SOURCE_CONTINUE;
}

/* Copies 64 MiB of page-locked memory in a process of its own. Returns bytes/s, and the run in
 * @work; 0: @work has the error. */
static double
copy (Work *work, const char *device, const char *workload, MemlanePhase phase)
{
  g_autoptr (MemlanePlan) plan = memlane_plan_new ();
  g_autoptr (MemlaneSweep) sweep = NULL;
  const MemlaneCell *cell;
  double bandwidth;

  g_clear_pointer (&work->run, memlane_run_unref);
  g_clear_error (&work->error);
  if (!cli_options_workload (workload, &plan->method.workload, &work->error)
      || !memlane_plan_set_modes (plan, "pinned-async", &work->error)
      || !memlane_plan_set_sizes (plan, "24", &work->error)
      || g_cancellable_set_error_if_cancelled (work->cancellable, &work->error))
    return 0;
  plan->method.rounds = 1;
  sweep = memlane_sweep_new (device, plan, FALSE);
  work->run = cli_sweep_wait (sweep, work->cancellable, &work->error);
  if (work->run == NULL)
    return 0;
  cell = memlane_run_find (work->run, workload, "pinned-async", 24);
  bandwidth = find_bandwidth (work->run, phase);
  if (bandwidth == 0)
    g_set_error (&work->error, MEMLANE_DEVICE_ERROR, MEMLANE_DEVICE_ERROR_FAILED, "%s: %s",
                 workload,
                 cell != NULL && cell->detail != NULL ? cell->detail
                 : memlane_sweep_get_progress (sweep)->trouble != NULL
                     ? memlane_sweep_get_progress (sweep)->trouble
                     : "nothing was measured");
  return bandwidth;
}

/* Binds this process, and the workers that it starts, to the processors of a memory node other than
 * @near. FALSE: there is none. */
static gboolean
move_away (int near)
{
  for (int node = 0; node < 256; node++)
    if (node != near && cli_bind_to_node (node, FALSE, NULL))
      return TRUE;
  return FALSE;
}

static void
measure_far (Work *work, const char *device)
{
  double nodes = memlane_environment_get_number (facts.run->environment,
                                                 MEMLANE_ENVIRONMENT_NUMA_NODES);
  double node = memlane_environment_get_number (facts.run->environment,
                                                MEMLANE_ENVIRONMENT_NUMA_NODE);
  cpu_set_t before;

  if (!(nodes > 1))
    return;
  if (isnan (node) || strchr (device, '/') != NULL)
    facts.no_far = isnan (node) ? "the system does not tell which socket the GPU is beside"
                                 : "the far socket is measured on the GPU's own host";
  else if (sched_getaffinity (0, sizeof before, &before) != 0 || !move_away ((int) node))
    facts.no_far = "this process may not run on another socket";
  else
    {
      facts.far = copy (work, device, "copy-to-device", MEMLANE_PHASE_UPLOAD);
      if (facts.far == 0)
        facts.no_far = "copies from the far socket failed or took too long";
      sched_setaffinity (0, sizeof before, &before);
    }
}

static int
measure (const char *device)
{
  g_autoptr (GCancellable) cancellable = g_cancellable_new ();
  Work work = { .cancellable = cancellable };
  guint timer = g_timeout_add_seconds (DEADLINE_SECONDS, on_deadline, &work);
  int status;

  cli_signals_begin (cancellable, NULL);
  facts.up = copy (&work, device, "copy-to-device", MEMLANE_PHASE_UPLOAD);
  facts.run = work.run != NULL ? memlane_run_ref (work.run) : NULL;
  if (facts.up > 0)
    facts.down = copy (&work, device, "copy-to-host", MEMLANE_PHASE_DOWNLOAD);
  if (facts.down > 0)
    {
      measure_far (&work, device);
      facts.both_up = copy (&work, device, "copy-bidirectional", MEMLANE_PHASE_UPLOAD);
      facts.both_down = facts.both_up > 0 ? find_bandwidth (work.run, MEMLANE_PHASE_DOWNLOAD) : 0;
      status = judge ();
    }
  else if (work.is_late)
    status = cli_fail (CLI_NOTHING,
                       "device %s did not answer within %d s: look into the kernel's log (dmesg | "
                       "grep -i xid), or restart "
                       "its host",
                       device, DEADLINE_SECONDS);
  else if (g_cancellable_is_cancelled (cancellable))
    status = cli_fail (CLI_INTERRUPTED, "interrupted: nothing was checked");
  else
    status = cli_fail (cli_device_status (device), "device %s cannot be used: %s", device,
                       work.error->message);
  cli_signals_end ();
  g_source_remove (timer);
  g_clear_pointer (&facts.run, memlane_run_unref);
  g_clear_pointer (&work.run, memlane_run_unref);
  g_clear_error (&work.error);
  return status;
}

/* --- several GPUs at once --------------------------------------------------------------------- */

/* for each device that copies beside others, besides the deadline of one */
#define DEVICE_SECONDS 6
#define SHARED 0.95      /* of what the links copy alone: less is a ceiling that they share */

static const char *const ways[] = {
  "to GPU", "from GPU", "both ways", "to GPU, of both", "from GPU, of both", "GPU to GPU",
};

/* The bytes of all links of @way over the time of the slowest, bytes/s; 0: none can. Of copies to
 * other GPUs those run together that lead equally far in the list. */
static double
add_up (const GArray *links, guint n, MemlaneLinkWay way, gboolean at_once)
{
  double able = 0, time = 0;

  for (guint distance = 0; distance < n; distance++)
    {
      double slowest = 0;

      MEMLANE_FOR_EACH_IN (const MemlaneLink, link, links)
        if (link->way == way && (link->peer + n - link->device) % n == distance && link->alone > 0
            && link->at_once > 0)
          {
            able++;
            slowest = MAX (slowest, 1 / (at_once ? link->at_once : link->alone));
          }
      time += slowest;
    }
  return time > 0 ? able / time : 0;
}

/* Says what they share, where all at once copy less than the links alone could. */
static void
explain_ceiling (const GArray *links, guint n, MemlaneLinkWay way)
{
  const double total = add_up (links, n, way, TRUE), could = add_up (links, n, way, FALSE);

  if (total < SHARED * could)
    g_printerr ("%s: %.1f GB/s at the same time, where the links alone could copy %.1f: %s\n",
                ways[way], total / 1e9, could / 1e9,
                way == MEMLANE_LINK_PEER
                    ? "they share a switch or a link"
                    : "that is the ceiling of the host's memory, or of a switch that they share");
}

/* (transfer none) (nullable) */
static const MemlaneLink *
find_link (const GArray *links, MemlaneLinkWay way, guint device, guint peer)
{
  MEMLANE_FOR_EACH_IN (const MemlaneLink, link, links)
    if (link->way == way && link->device == device && link->peer == peer && link->alone > 0)
      return link;
  return NULL;
}

/* One row a GPU, one column for each that it copies to. */
static void
print_matrix (char **ids, const GArray *links)
{
  const guint n = g_strv_length (ids);
  CliTable *matrix = cli_table_new_columns (n + 1);

  cli_table_add_cell (matrix, "GB/s FROM \\ TO");
  for (guint i = 0; i < n; i++)
    cli_table_add_cell (matrix, ids[i]);
  for (guint i = 0; i < n; i++)
    {
      cli_table_add_cell (matrix, ids[i]);
      for (guint k = 0; k < n; k++)
        {
          const MemlaneLink *link = find_link (links, MEMLANE_LINK_PEER, i, k);
          g_autofree char *rate = link != NULL ? g_strdup_printf ("%.1f", link->alone / 1e9) : NULL;

          cli_table_add_cell (matrix, rate);
        }
    }
  g_print ("\n");
  cli_table_print (matrix);
}

/* @link (nullable): it was not measured. */
static void
add_link (char **ids, const MemlaneLink *link, MemlaneLinkWay way, guint device, guint peer,
          Verdict verdict)
{
  cli_json_add_object (document, { "device", CLI_TEXT (ids[device]) },
                       { "copies", CLI_TEXT (ways[way]) },
                       { "peer", CLI_TEXT (way == MEMLANE_LINK_PEER ? ids[peer] : NULL) },
                       { "alone_bytes_per_s",
                         CLI_NUMBER (link != NULL ? rint (link->alone) : NAN) },
                       { "at_once_bytes_per_s",
                         CLI_NUMBER (link != NULL ? rint (link->at_once) : NAN) },
                       { "verdict", CLI_TEXT (verdicts[verdict]) });
}

/* A device is slow when another of them copies clearly faster; to which others it leads is no fault
 * of its own. */
static int
judge_links (char **ids, const GArray *links)
{
  CliTable *rows = cli_table_new (5, "DEVICE", "COPIES", "ALONE", "AT ONCE", "VERDICT");
  const guint n = g_strv_length (ids);
  double best[MEMLANE_N_LINK_WAYS] = { 0 };
  gboolean is_slow = FALSE;

  if (json)
    {
      document = cli_json_new ("links");
      cli_json_flag (document, "simulated", strstr (ids[0], "simulated:") != NULL);
      cli_json_open (document, "links", '[');
    }
  MEMLANE_FOR_EACH_IN (const MemlaneLink, link, links)
    best[link->way] = MAX (best[link->way], link->alone);
  for (guint way = 0; way < MEMLANE_N_LINK_WAYS; way++)
    {
      const gboolean is_peer = way == MEMLANE_LINK_PEER;
      g_autofree char *sum = g_strdup_printf ("%.1f GB/s", add_up (links, n, way, TRUE) / 1e9);

      for (guint i = 0; i < n * n; i++)
        {
          const guint device = i / n, peer = i % n;
          const MemlaneLink *link = find_link (links, way, device, peer);
          g_autofree char *own = link != NULL ? g_strdup_printf ("%.1f GB/s", link->alone / 1e9)
                                              : NULL;
          g_autofree char *shared = link != NULL
                                        ? g_strdup_printf ("%.1f GB/s", link->at_once / 1e9)
                                        : NULL;
          g_autofree char *to = is_peer ? g_strdup_printf ("to %s", ids[peer]) : NULL;
          Verdict verdict = link == NULL                                ? UNKNOWN
                            : link->alone < FAR * best[way] && !is_peer ? SLOW
                                                                        : GOOD;

          if (is_peer ? device == peer || !json : device != peer)
            continue;
          is_slow |= verdict == SLOW;
          if (json)
            add_link (ids, link, way, device, peer, verdict);
          else
            cli_table_add (rows, ids[device], is_peer ? to : ways[way], own, shared,
                           verdicts[verdict]);
        }
      cli_table_add (rows, "all", ways[way], NULL, best[way] > 0 ? sum : NULL, NULL);
    }
  if (json)
    {
      cli_table_free (rows);
      cli_json_close (document);
      cli_json_open (document, "all_at_once", '[');
      for (guint way = 0; way < MEMLANE_N_LINK_WAYS; way++)
        cli_json_add_object (
            document, { "copies", CLI_TEXT (ways[way]) },
            { "bytes_per_s",
              CLI_NUMBER (best[way] > 0 ? rint (add_up (links, n, way, TRUE)) : NAN) },
            { "alone_bytes_per_s",
              CLI_NUMBER (best[way] > 0 ? rint (add_up (links, n, way, FALSE)) : NAN) });
      cli_json_print (document);
    }
  else
    cli_table_print (rows);
  if (!json && best[MEMLANE_LINK_PEER] > 0)
    print_matrix (ids, links);
  for (guint way = 0; way < MEMLANE_N_LINK_WAYS; way++)
    explain_ceiling (links, n, way);
  return is_slow ? CLI_SLOW : CLI_OK;
}

/* Returns @ids by comma as memlane_devices_copy_async() takes them; NULL: they are of several
 * machines. (transfer full) */
static char *
join_devices (char **ids)
{
  g_autofree char *first = NULL;
  g_autoptr (GString) text = g_string_new (ids[0]);

  (void) memlane_host_split (ids[0], &first);
  for (guint i = 1; ids[i] != NULL; i++)
    {
      g_autofree char *host = NULL;

      g_string_append_printf (text, ",%s", memlane_host_split (ids[i], &host));
      if (g_strcmp0 (host, first) != 0)
        return NULL;
    }
  return g_string_free (g_steal_pointer (&text), FALSE);
}

/* Each of @devices, by commas, copies alone, then all at the same time. */
static int
check_links (const char *devices)
{
  g_auto (GStrv) ids = g_strsplit (devices, ",", -1);
  g_autofree char *together = join_devices (ids);
  g_autoptr (GCancellable) cancellable = g_cancellable_new ();
  g_autoptr (GArray) links = NULL;
  g_autoptr (GError) error = NULL;
  guint n = g_strv_length (ids);

  if (n > MEMLANE_LINKS_MOST_DEVICES)
    return cli_fail (CLI_USAGE, "check: --device: found %u devices, expected at most %d", n,
                     MEMLANE_LINKS_MOST_DEVICES);
  if (together == NULL)
    return cli_fail (CLI_USAGE, "check: --device: expected devices of one machine");
  cli_signals_begin (cancellable, NULL);
  memlane_devices_copy_async (together, DEADLINE_SECONDS + DEVICE_SECONDS * n, cancellable,
                              cli_wait_done, NULL);
  links = cli_wait (&error);
  cli_signals_end ();
  if (links == NULL && g_cancellable_is_cancelled (cancellable))
    return cli_fail (CLI_INTERRUPTED, "interrupted: nothing was checked");
  if (links == NULL)
    return cli_fail (CLI_NOTHING, "check: %s", error->message);
  if (strstr (devices, "simulated:") != NULL && !json)
    g_print ("SIMULATED: this says nothing of any machine\n\n");
  return judge_links (ids, links);
}

/* The same by what was recorded: the copies of all files, the environment of the first. */
static int
judge_files (char **files)
{
  g_autoptr (GPtrArray) runs = g_ptr_array_new_with_free_func ((GDestroyNotify) memlane_run_unref);
  g_autoptr (GError) error = NULL;

  if (!cli_read_files (files, runs, NULL, &error))
    return cli_fail (CLI_USAGE, "%s", error->message);
  facts.run = runs->pdata[0];
  MEMLANE_FOR_EACH (const MemlaneRun, run, runs)
    {
      g_autoptr (MemlaneMachineComparison) comparison = memlane_machine_compare (facts.run, run);

      if (comparison->verdict == MEMLANE_MACHINE_DIFFERENT)
        return cli_fail (CLI_USAGE, "check: expected runs of one machine. %s",
                         comparison->sentence);
      facts.up = MAX (facts.up, find_bandwidth (run, MEMLANE_PHASE_UPLOAD));
      facts.down = MAX (facts.down, find_bandwidth (run, MEMLANE_PHASE_DOWNLOAD));
    }
  return judge ();
}

static int
run (char **files)
{
  g_autofree char *device = NULL, *all = NULL, *host = NULL;
  const char *id = asked;
  int status;

  if (files[0] != NULL)
    return asked == NULL && !pin_limit
             ? judge_files (files)
             : cli_fail (CLI_USAGE, "check: expected --device or --pin-limit, or files, not both");
  if (asked != NULL && strcmp (memlane_host_split (asked, &host), "cuda:all") == 0)
    {
      if (host != NULL && !cli_host_check (host, &status))
        return status;
      all = cli_device_list_gpus (host);
      if (host != NULL && *all == '\0')
        return cli_fail (CLI_NOTHING,
                         "%s has no GPU that can be used: memlane-cli devices --host %s says why",
                         host, host);
      id = *all != '\0' ? all : NULL; /* without one it says why; a single one is checked as ever */
    }
  if (id != NULL && strchr (id, ',') != NULL)
    return pin_limit ? cli_fail (CLI_USAGE, "check: --pin-limit: expected one device")
                     : check_links (id);
  device = id != NULL ? cli_device_choose (id, TRUE, &status) : cli_device_choose_gpu (&status);
  if (device == NULL)
    return status;
  return pin_limit ? cli_experiment_show ("pin-limit", device, json) : measure (device);
}

const CliCommand cli_check = {
  .name = "check",
  .arguments = "[RUN.csv...]",
  .summary = "Is the link of a GPU, and its set-up, what it can be?",
  .options = options,
  .most_arguments = CLI_ANY_NUMBER,
  .run = run,
};
