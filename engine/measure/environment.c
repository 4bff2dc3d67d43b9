/* environment.c: finds out where and how a run is measured, and its floors: clock steps, empty
 * pairs of events, launches
 *
 * SPDX-License-Identifier: MIT
 */
#include "environment.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "base/owns.h"
#include "base/pieces.h"
#include "measure.h"
#include "commit.h"
#include "device/device-driver.h"
#include "device/held.h"
#include "result/columns.h"
#include "result/statistics.h"

#define CLOCK_ISSUE "host time spent inside the calls"
#define CLOCK_DEVICE "time on the device between two events"
#define CLOCK_HOST "monotonic host time from the first call until the result may be read"
#define STATEMENT_ROUNDS                                                                           \
  "A round is a fresh process that visits every cell " G_STRINGIFY (                               \
      MEMLANE_VISITS) " times, from "                                                              \
                      "2^" G_STRINGIFY (MEMLANE_LARGE_LOG2) " elements on " G_STRINGIFY (          \
                          MEMLANE_LARGE_VISITS) ", in "                                            \
                                                "seeded random order, each time with new "         \
                                                "buffers. A round's value is the mean of its "     \
                                                "visits' "                                         \
                                                "medians. A figure is the Hodges-Lehmann "         \
                                                "estimate of the rounds' values, its interval "    \
                                                "that of "                                         \
                                                "Wilcoxon's signed ranks. "
#define STATEMENT_EXACT                                                                            \
  "One process visits every cell once, in seeded random order, with new buffers. The device has " \
  "no noise, so another round would give the same figures. "
#define STATEMENT_ALL                                                                              \
  "Device times of asynchronous calls are taken behind a latch, so launch cost stays out. The "    \
  "first sample is kept apart. Inputs are seeded and incompressible; in every mode the host "      \
  "writes them anew before each sample. Every result is compared with a reference outside the "    \
  "timed region."
/* At most 200 characters together. */
#define VERIFIED                                                                               \
  "every byte of vectors up to 256 KiB; of larger ones in one sample of five, else a random " \
  "float of each KiB"
#define VERIFIED_PIECES "; beyond %u MiB, simulated, the first %u KiB of each %u KiB"

/* A small file of /proc or /sys without its newline, or NULL. */
static char *
read_line (const char *path)
{
  char *text;

  return g_file_get_contents (path, &text, NULL, NULL) ? g_strstrip (text) : NULL;
}

static const char *
name_switch (int value)
{
  return value < 0 ? NULL : value > 0 ? "on" : "off";
}

/* The configuration space of a PCI device, of at least @least bytes, or NULL. Root alone reads more
 * than 64. */
static guchar *
read_config (const char *device, gsize least)
{
  g_autofree char *path = g_build_filename (device, "config", NULL);
  g_autofree char *bytes = NULL;
  gsize length;

  if (!g_file_get_contents (path, &bytes, &length, NULL) || length < least)
    return NULL;
  return (guchar *) g_steal_pointer (&bytes);
}

/* The device control of PCI Express: bit 4 allows relaxed ordering, bits 5 to 7 are the payload. 0:
 * it cannot be read. */
static int
read_device_control (const char *device)
{
  g_autofree guchar *bytes = read_config (device, 256);

  for (guint i = 0, at = bytes != NULL ? bytes[0x34] : 0; i < 48 && at >= 0x40 && at <= 0xf6;
       i++, at = bytes[at + 1])
    if (bytes[at] == 0x10)
      return bytes[at + 8] | bytes[at + 9] << 8;
  return 0;
}

/* Whether a bridge above @device sends what one device asks of another up to the processor: bits 2
 * and 3 of the control of the access control services (ACS). -1: there is none, or it cannot be
 * read. */
static int
read_redirection (const char *device)
{
  g_autofree char *bridge = realpath (device, NULL);
  int found = -1;

  for (char *slash; bridge != NULL && (slash = strrchr (bridge, '/')) != NULL;)
    {
      g_autofree guchar *bytes = NULL;

      *slash = '\0';
      bytes = read_config (bridge, 4096);
      if (bytes == NULL)
        break;
      found = MAX (found, 0);
      for (guint i = 0, at = 0x100; i < 480 && at >= 0x100 && at <= 0xff8;
           i++, at = (bytes[at + 2] >> 4 | bytes[at + 3] << 4) & ~3u)
        if (bytes[at] == 0x0d && bytes[at + 1] == 0 && (bytes[at + 6] & 0x0c) != 0)
          found = 1;
    }
  return found;
}

/* How the GPU is set up, and what stands between it and the host's memory. */
static void
put_setup (JsonObject *root, const MemlaneDeviceInfo *info)
{
  const MemlaneDeviceSetup *setup = &info->setup;
  const char *pipe = g_getenv ("CUDA_MPS_PIPE_DIRECTORY");
  g_autofree char *mps = g_build_filename (pipe != NULL ? pipe : "/tmp/nvidia-mps", "control",
                                           NULL);
  const char *devices = g_getenv ("MEMLANE_PCI"); /* for tests */
  g_autofree char *device = g_build_filename (devices != NULL ? devices : "/sys/bus/pci/devices",
                                              info->pci_bus_id != NULL ? info->pci_bus_id : "",
                                              NULL);
  const int control = read_device_control (device);
  g_autofree char *group = g_build_filename (device, "iommu_group", "type", NULL);
  g_autofree char *iommu = read_line (group);
  const MemlaneEnvironmentValue values[] = {
    { MEMLANE_ENVIRONMENT_LINK_MOST_GENERATION, .number = memlane_known (setup->link_generation) },
    { MEMLANE_ENVIRONMENT_LINK_MOST_WIDTH, .number = memlane_known (setup->link_width) },
    { MEMLANE_ENVIRONMENT_LINK_OWN_GENERATION, .number = memlane_known (setup->own_generation) },
    { MEMLANE_ENVIRONMENT_SETUP_ECC, name_switch (setup->ecc) },
    { MEMLANE_ENVIRONMENT_SETUP_PERSISTENCE, name_switch (setup->persistence) },
    { MEMLANE_ENVIRONMENT_SETUP_CONFIDENTIAL, name_switch (setup->confidential) },
    { MEMLANE_ENVIRONMENT_SETUP_MIG, name_switch (setup->mig) },
    { MEMLANE_ENVIRONMENT_SETUP_MPS, name_switch (g_file_test (mps, G_FILE_TEST_EXISTS)) },
    { MEMLANE_ENVIRONMENT_SETUP_POWER_LIMIT, .number = memlane_known (setup->power_limit) },
    { MEMLANE_ENVIRONMENT_SETUP_USUAL_POWER_LIMIT,
      .number = memlane_known (setup->usual_power_limit) },
    { MEMLANE_ENVIRONMENT_SETUP_IOMMU,
      iommu != NULL ? iommu : g_file_test (device, G_FILE_TEST_IS_DIR) ? "off" : NULL },
    { MEMLANE_ENVIRONMENT_SETUP_PAYLOAD,
      .number = memlane_known (control > 0 ? 128 << (control >> 5 & 7) : 0) },
    { MEMLANE_ENVIRONMENT_SETUP_RELAXED, name_switch (control > 0 ? control >> 4 & 1 : -1) },
    { MEMLANE_ENVIRONMENT_SETUP_ACS, name_switch (read_redirection (device)) },
  };

  if (info->pci_bus_id != NULL)
    memlane_environment_put (root, values, G_N_ELEMENTS (values));
}

static void
put_device (JsonObject *root, const MemlaneDeviceInfo *info)
{
  g_autoptr (GPtrArray) capabilities = g_ptr_array_new ();
  g_autofree char *compute = info->compute_major > 0
                               ? g_strdup_printf ("%d.%d", info->compute_major, info->compute_minor)
                               : NULL;
  g_autofree char *profile = info->profile != NULL ? g_path_get_basename (info->profile) : NULL;
  const MemlaneEnvironmentValue values[] = {
    { MEMLANE_ENVIRONMENT_DEVICE_ID, info->id },
    { MEMLANE_ENVIRONMENT_DEVICE_KIND, info->kind },
    { MEMLANE_ENVIRONMENT_SIMULATED, .number = info->simulated },
    { MEMLANE_ENVIRONMENT_DEVICE_NAME, info->name },
    { MEMLANE_ENVIRONMENT_DRIVER, info->driver },
    { MEMLANE_ENVIRONMENT_RUNTIME, info->runtime },
    { MEMLANE_ENVIRONMENT_PCI_BUS_ID, info->pci_bus_id },
    { MEMLANE_ENVIRONMENT_UUID, info->uuid },
    { MEMLANE_ENVIRONMENT_COMPUTE_CAPABILITY, compute },
    { MEMLANE_ENVIRONMENT_MULTIPROCESSORS, .number = memlane_known (info->multiprocessors) },
    { MEMLANE_ENVIRONMENT_COPY_ENGINES, .number = info->copy_engines },
    { MEMLANE_ENVIRONMENT_DEVICE_MEMORY, .number = memlane_known (info->memory_bytes) },
    { MEMLANE_ENVIRONMENT_L2_BYTES, .number = memlane_known (info->l2_bytes) },
    { MEMLANE_ENVIRONMENT_MEMORY_BANDWIDTH, .number = memlane_known (info->memory_bandwidth) },
    { MEMLANE_ENVIRONMENT_INTEGRATED, .number = info->integrated },
    { MEMLANE_ENVIRONMENT_EXACT, .number = info->exact },
    { MEMLANE_ENVIRONMENT_CAPABILITIES, .texts = capabilities },
    { MEMLANE_ENVIRONMENT_NUMA_NODE, .number = info->numa_node >= 0 ? info->numa_node : NAN },
    { MEMLANE_ENVIRONMENT_LAUNCH_SHAPE, info->launch_shape },
    { MEMLANE_ENVIRONMENT_PROFILE, profile },
    { MEMLANE_ENVIRONMENT_CALIBRATED_FROM, info->calibrated_from },
    { MEMLANE_ENVIRONMENT_NOISE, info->noise },
    { MEMLANE_ENVIRONMENT_PROCESSOR_CLOCK, .number = memlane_known (info->processor_clock) },
    { MEMLANE_ENVIRONMENT_MEMORY_CLOCK, .number = memlane_known (info->memory_clock) },
    { MEMLANE_ENVIRONMENT_LINK_GENERATION, .number = memlane_known (info->link_generation) },
    { MEMLANE_ENVIRONMENT_LINK_WIDTH, .number = memlane_known (info->link_width) },
    { MEMLANE_ENVIRONMENT_LINK_BANDWIDTH, .number = memlane_known (info->link_bandwidth) },
  };

  for (guint bits = info->capabilities; bits != 0; bits &= bits - 1)
    g_ptr_array_add (capabilities,
                     (char *) memlane_capability_name ((MemlaneCapabilities) (bits & -bits)));
  memlane_environment_put (root, values, G_N_ELEMENTS (values));
  put_setup (root, info);
}

static char *
get_cpu_model (void)
{
  g_autofree char *text = read_line ("/proc/cpuinfo");
  const char *line = text != NULL ? strstr (text, "model name") : NULL,
             *colon = line != NULL ? strchr (line, ':') : NULL;

  return colon != NULL ? g_strstrip (g_strndup (colon + 1, strcspn (colon + 1, "\n"))) : NULL;
}

static guint
count_numa_nodes (void)
{
  g_autoptr (GDir) folder = g_dir_open ("/sys/devices/system/node", 0, NULL);
  const char *name;
  guint n = 0;

  while (folder != NULL && (name = g_dir_read_name (folder)) != NULL)
    n += g_str_has_prefix (name, "node") && g_ascii_isdigit (name[4]);
  return n;
}

/* "always [madvise] never" -> "madvise" */
static char *
get_transparent_hugepage (void)
{
  g_autofree char *text = read_line ("/sys/kernel/mm/transparent_hugepage/enabled");
  const char *open = text != NULL ? strchr (text, '[') : NULL,
             *close = open != NULL ? strchr (open, ']') : NULL;

  return close != NULL ? g_strndup (open + 1, (gsize) (close - open - 1)) : NULL;
}

static void
put_host (JsonObject *root)
{
  g_autofree char *model = get_cpu_model (), *hugepage = get_transparent_hugepage ();
  g_autofree char *boot = read_line ("/proc/sys/kernel/random/boot_id");
  g_autofree char *governor = read_line ("/sys/devices/system/cpu/cpu0/cpufreq/scaling_governor");
  double pages = (double) sysconf (_SC_PHYS_PAGES), page_bytes = (double) sysconf (_SC_PAGESIZE);
  struct utsname kernel;
  g_autofree char *system = uname (&kernel) == 0
                              ? g_strdup_printf ("%s %s %s", kernel.sysname, kernel.release,
                                                 kernel.machine)
                              : NULL;
  const MemlaneEnvironmentValue values[] = {
    { MEMLANE_ENVIRONMENT_HOST_NAME, g_get_host_name () },
    { MEMLANE_ENVIRONMENT_BOOT_ID, boot },
    { MEMLANE_ENVIRONMENT_CPU, model },
    { MEMLANE_ENVIRONMENT_LOGICAL_CPUS, .number = memlane_known (sysconf (_SC_NPROCESSORS_ONLN)) },
    { MEMLANE_ENVIRONMENT_CPU_GOVERNOR, governor },
    { MEMLANE_ENVIRONMENT_NUMA_NODES, .number = memlane_known (count_numa_nodes ()) },
    { MEMLANE_ENVIRONMENT_HOST_MEMORY, .number = memlane_known (pages * page_bytes) },
    { MEMLANE_ENVIRONMENT_PAGE_BYTES, .number = memlane_known (page_bytes) },
    { MEMLANE_ENVIRONMENT_TRANSPARENT_HUGEPAGE, hugepage },
    { MEMLANE_ENVIRONMENT_KERNEL, system },
  };

  memlane_environment_put (root, values, G_N_ELEMENTS (values));
}

/* How the device stood when the run began. */
static void
put_state (JsonObject *root, const MemlaneSurroundings *surroundings)
{
  const MemlaneDeviceState *state = &surroundings->state;
  g_autofree char *reasons = memlane_throttle_describe (state->throttle);
  const MemlaneEnvironmentValue values[] = {
    { MEMLANE_ENVIRONMENT_STATE_UNKNOWN, surroundings->no_state },
    { MEMLANE_ENVIRONMENT_STATE_SM_MHZ, .number = memlane_known (state->sm_mhz) },
    { MEMLANE_ENVIRONMENT_STATE_MEMORY_MHZ, .number = memlane_known (state->memory_mhz) },
    { MEMLANE_ENVIRONMENT_STATE_TEMPERATURE, .number = memlane_known (state->temperature_c) },
    { MEMLANE_ENVIRONMENT_STATE_THROTTLE, state->known && reasons == NULL ? "none" : reasons },
  };

  memlane_environment_put (root, values, G_N_ELEMENTS (values));
}

static void
put_method (JsonObject *root, const MemlanePlan *plan, gboolean is_exact, gboolean verifies_pieces)
{
  g_autoptr (GPtrArray) modes = g_ptr_array_new ();
  const double sizes[] = { plan->first_log2, plan->last_log2 };
  g_autofree char *seed /* JSON's numbers are exact to 2^53 only */
      = g_strdup_printf ("%" G_GUINT64_FORMAT, plan->method.seed);
  g_autofree char *pieces
      = g_strdup_printf (VERIFIED VERIFIED_PIECES, (guint) (MEMLANE_PIECES_ABOVE >> 20),
                         (guint) (MEMLANE_PIECE_BYTES >> 10), (guint) (MEMLANE_PIECE_STRIDE >> 10));
  const MemlaneEnvironmentValue values[] = {
    { MEMLANE_ENVIRONMENT_WORKLOAD,
      plan->method.workload != NULL ? plan->method.workload->id : NULL },
    { MEMLANE_ENVIRONMENT_MODES, .texts = modes },
    { MEMLANE_ENVIRONMENT_SIZES, .numbers = sizes, .n = G_N_ELEMENTS (sizes) },
    { MEMLANE_ENVIRONMENT_LISTED_SIZES, .numbers = plan->sizes, .n = plan->n_sizes },
    { MEMLANE_ENVIRONMENT_ROUNDS, .number = memlane_known (is_exact ? 1 : plan->method.rounds) },
    { MEMLANE_ENVIRONMENT_VISITS, .number = is_exact ? 1 : MEMLANE_VISITS },
    { MEMLANE_ENVIRONMENT_PRECISION, .number = memlane_known (plan->method.precision) },
    { MEMLANE_ENVIRONMENT_CELL_SECONDS, .number = memlane_known (plan->method.cell_seconds) },
    { MEMLANE_ENVIRONMENT_LEAST_SAMPLES, .number = MEMLANE_LEAST_SAMPLES },
    { MEMLANE_ENVIRONMENT_REUSE, .number = memlane_known (plan->method.reuse) },
    { MEMLANE_ENVIRONMENT_STREAMS, .number = memlane_known (plan->method.streams) },
    { MEMLANE_ENVIRONMENT_CHUNKS, .number = memlane_known (plan->method.chunks) },
    { MEMLANE_ENVIRONMENT_COLD_CACHE, .number = plan->method.cold_cache },
    { MEMLANE_ENVIRONMENT_BESIDE, memlane_beside_name (plan->method.beside) },
    { MEMLANE_ENVIRONMENT_BUSY, .number = memlane_known (plan->method.busy) },
    { MEMLANE_ENVIRONMENT_LATCH_TIMEOUT, .number = MEMLANE_LATCH_TIMEOUT_NS },
    { MEMLANE_ENVIRONMENT_CLOCK_ISSUE, CLOCK_ISSUE },
    { MEMLANE_ENVIRONMENT_CLOCK_DEVICE, CLOCK_DEVICE },
    { MEMLANE_ENVIRONMENT_CLOCK_HOST, CLOCK_HOST },
    { MEMLANE_ENVIRONMENT_STATEMENT,
      is_exact ? STATEMENT_EXACT STATEMENT_ALL : STATEMENT_ROUNDS STATEMENT_ALL },
    { MEMLANE_ENVIRONMENT_VERIFIED, verifies_pieces ? pieces : VERIFIED },
    { MEMLANE_ENVIRONMENT_SEED, seed },
  };

  for (const MemlaneMode **mode = plan->modes; mode != NULL && *mode != NULL; mode++)
    g_ptr_array_add (modes, (char *) (*mode)->id);
  memlane_environment_put (root, values, G_N_ELEMENTS (values));
}

MemlaneEnvironment *
memlane_environment_describe (MemlaneDevice *device, const MemlanePlan *plan,
                              const MemlaneSurroundings *surroundings)
{
  JsonObject *root = json_object_new ();
  g_autoptr (GDateTime) now = g_date_time_new_now_utc ();
  g_autofree char *date = g_date_time_format (now, "%Y-%m-%dT%H:%M:%SZ");
  const MemlaneEnvironmentValue values[] = {
    { MEMLANE_ENVIRONMENT_FORMAT, .number = MEMLANE_FORMAT },
    { MEMLANE_ENVIRONMENT_VERSION, MEMLANE_VERSION },
    { MEMLANE_ENVIRONMENT_COMMIT, MEMLANE_COMMIT },
    { MEMLANE_ENVIRONMENT_DATE, date },
  };

  memlane_environment_put (root, values, G_N_ELEMENTS (values));
  put_device (root, memlane_device_get_info (device));
  put_host (root);
  if (surroundings != NULL)
    {
      const MemlaneEnvironmentValue own[] = {
        { MEMLANE_ENVIRONMENT_FIRST_PINNED, .number = memlane_known (device->first_pinned_ns) },
        { MEMLANE_ENVIRONMENT_AFFINITY, surroundings->affinity },
      };

      put_state (root, surroundings);
      memlane_environment_put_floors (root, &surroundings->floors);
      memlane_environment_put (root, own, G_N_ELEMENTS (own));
    }
  put_method (root, plan, memlane_device_get_info (device)->exact,
              surroundings != NULL && surroundings->verifies_pieces);
  return memlane_environment_new (root);
}

/* --- floors ----------------------------------------------------------------------------------- */

#define READINGS 64
#define PAIRS 31
#define REPETITIONS 7
#define VECTORS 3
#define FILL_BYTE 0x3f /* 0.75 in every float: a sum of zeros may cost less */
#define TOLERANCE_NS 0.1
#define COPIED_BYTES 4096
#define PROBED 3 /* times, the middle counts */

/* Few enough launches that a queue takes them all while the latch is closed, and enough that the
 * pair of events does not matter. */
static const struct
{
  guint log2_elements, launches;
} sizes[] = { { 10, 32 }, { 12, 32 }, { 14, 16 }, { 16, 8 }, { 18, 4 } };
G_STATIC_ASSERT (G_N_ELEMENTS (sizes) <= MEMLANE_MOST_FLOOR_SIZES);

typedef struct
{
  MemlaneDevice *device;
  MemlaneStream *stream;
  MemlaneEvent *start, *stop;
  float *vectors[VECTORS];
  MemlaneHeld held;       /* all of these */
  GArray *device_times;   /* double ns: every time between two events that was seen */
  GArray *launch_times;   /* double ns: of one launch */
} Probe;

/* Euclid's, where what is as little as the values' rounding is nothing. */
static double
find_common_measure (double a, double b)
{
  while (b > TOLERANCE_NS)
    {
      double rest = fmod (a, b);

      if (b - rest < TOLERANCE_NS)
        rest = 0;
      a = b;
      b = rest;
    }
  return a;
}

double
memlane_find_tick (const double *values, guint n)
{
  double tick = 0;

  for (guint i = 0; i < n; i++)
    {
      tick = find_common_measure (tick, fabs (values[i]));
      /* Clocks step by whole nanoseconds. What floats of milliseconds have rounded off would else
       * grow with each multiple. */
      if (fabs (tick - rint (tick)) < TOLERANCE_NS / 10)
        tick = rint (tick);
    }
  return tick >= 1 - TOLERANCE_NS ? tick : 0;
}

/* Sorts @times. */
static double
get_median (GArray *times)
{
  return times->len > 0 ? memlane_median ((double *) (gpointer) times->data, times->len) : 0;
}

/* --- the host's clock ------------------------------------------------------------------------- */

/* Pauses of many lengths, so that a step of the clock shows and a regular loop does not look like
 * one. */
static void
probe_host_clock (MemlaneDevice *device, MemlaneFloors *floors)
{
  g_autoptr (GArray) pairs = g_array_new (FALSE, FALSE, sizeof (double));
  double differences[READINGS];

  for (guint i = 0; i < READINGS; i++)
    {
      double begin = memlane_device_clock (device), pair = memlane_device_clock (device) - begin;

      g_array_append_val (pairs, pair);
      begin = memlane_device_clock (device);
      memlane_device_pause (device, 20 + 7.3 * i);
      differences[i] = memlane_device_clock (device) - begin;
    }
  floors->host_tick_ns = memlane_find_tick (differences, READINGS);
  floors->host_pair_ns = get_median (pairs);
}

/* --- the device's clock, behind a latch ------------------------------------------------------- */

static gboolean
probe_open (Probe *self, MemlaneDevice *device)
{
  const gsize bytes = sizeof (float) << sizes[G_N_ELEMENTS (sizes) - 1].log2_elements;

  self->device = self->held.device = device;
  self->device_times = g_array_new (FALSE, FALSE, sizeof (double));
  self->launch_times = g_array_new (FALSE, FALSE, sizeof (double));
  for (guint i = 0; i < VECTORS; i++)
    if (!memlane_held_take (
            &self->held, NULL,
            { MEMLANE_TAKE_DEVICE, &self->vectors[i], bytes, MEMLANE_BYTES (FILL_BYTE) }))
      return FALSE;
  return memlane_held_take (&self->held, NULL, { MEMLANE_TAKE_BLOCKING_STREAM, &self->stream },
                            { MEMLANE_TAKE_EVENT, &self->start },
                            { MEMLANE_TAKE_EVENT, &self->stop })
         && memlane_device_synchronize (device, NULL);
}

static void
probe_close (Probe *self)
{
  memlane_device_latch_open (self->device, NULL, NULL);
  memlane_device_synchronize (self->device, NULL);
  (void) memlane_held_give_all (&self->held, NULL);
  g_array_unref (self->device_times);
  g_array_unref (self->launch_times);
}

/* So many launches between two events; the time goes to @times unless the latch was late. FALSE: a
 * call failed. */
static gboolean
run_launches (Probe *self, guint log2_elements, guint launches, GArray *times)
{
  MemlaneDevice *device = self->device;
  gboolean late = FALSE, queued;
  double begin, issued, ns;

  if (!memlane_device_latch_close (device, self->stream, NULL))
    return FALSE;
  queued = memlane_device_event_record (device, self->start, self->stream, NULL);
  begin = memlane_device_clock (device);
  for (guint i = 0; i < launches && queued; i++)
    queued = memlane_device_launch (device, MEMLANE_KERNEL_ADD, self->vectors[0], self->vectors[1],
                                    self->vectors[2], (gsize) 1 << log2_elements, self->stream,
                                    NULL);
  issued = memlane_device_clock (device) - begin;
  queued = queued && memlane_device_event_record (device, self->stop, self->stream, NULL);
  if (!memlane_device_latch_open (device, &late, NULL) || !queued
      || !memlane_device_event_synchronize (device, self->stop, NULL))
    return FALSE;
  if (late)
    return TRUE;
  if (!memlane_device_event_elapsed (device, self->start, self->stop, &ns, NULL))
    return FALSE;
  g_array_append_val (times, ns);
  g_array_append_val (self->device_times, ns);
  if (launches > 1)
    {
      issued /= launches;
      g_array_append_val (self->launch_times, issued);
    }
  return TRUE;
}

static gboolean
probe_kernel (Probe *self, guint log2_elements, guint launches, MemlaneFloors *floors)
{
  g_autoptr (GArray) alone = g_array_new (FALSE, FALSE, sizeof (double)),
                     row = g_array_new (FALSE, FALSE, sizeof (double));

  for (guint i = 0; i < REPETITIONS; i++)
    if (!run_launches (self, log2_elements, 1, alone)
        || !run_launches (self, log2_elements, launches, row))
      return FALSE;
  if (alone->len > 0 && row->len > 0)
    floors->kernels[floors->n_kernels++] = (MemlaneKernelFloor) {
      log2_elements, get_median (alone), (get_median (row) - get_median (alone)) / (launches - 1),
    };
  return TRUE;
}

static void
probe_device (Probe *self, MemlaneFloors *floors)
{
  g_autoptr (GArray) pairs = g_array_new (FALSE, FALSE, sizeof (double));
  gboolean done = TRUE;

  for (guint i = 0; i < PAIRS && done; i++)
    done = run_launches (self, 0, 0, pairs);
  for (guint i = 0; i < G_N_ELEMENTS (sizes) && done; i++)
    done = probe_kernel (self, sizes[i].log2_elements, sizes[i].launches, floors);
  floors->event_pair_ns = get_median (pairs);
  floors->launch_ns = get_median (self->launch_times);
  floors->device_tick_ns = memlane_find_tick (
      (const double *) (gconstpointer) self->device_times->data, self->device_times->len);
}

void
memlane_measure_floors (MemlaneDevice *device, MemlaneFloors *floors)
{
  Probe probe = { 0 };

  *floors = (MemlaneFloors) { 0 };
  probe_host_clock (device, floors);
  if (probe_open (&probe, device))
    probe_device (&probe, floors);
  probe_close (&probe);
}

/* --- the speed of the host -------------------------------------------------------------------- */

struct _MemlaneHostProber
{
  MemlaneDevice *device;
  void *to; /* NULL: there is no room for it */
  char from[COPIED_BYTES];
};

MemlaneHostProber *
memlane_host_prober_new (MemlaneDevice *device)
{
  MemlaneHostProber *self = g_new0 (MemlaneHostProber, 1);

  self->device = device;
  if (!memlane_device_host_malloc (device, sizeof self->from, &self->to, NULL))
    self->to = NULL;
  return self;
}

MEMLANE_DEFINE_FREE (MemlaneHostProber, void memlane_host_prober_free (MemlaneHostProber *data),
                     if (self->to != NULL) memlane_device_host_free (self->device, self->to, NULL);)

void
memlane_host_prober_run (MemlaneHostProber *self, MemlaneHostProbe *probe)
{
  double times[MEMLANE_N_PROBES][PROBED];

  *probe = (MemlaneHostProbe) { { 0 } };
  for (guint i = 0; i < PROBED; i++)
    {
      double begin = memlane_device_clock (self->device), end = memlane_device_clock (self->device);

      times[MEMLANE_PROBE_PAIR][i] = end - begin;
      begin = memlane_device_clock (self->device);
      if (!memlane_device_launch_count (self->device, NULL, 0, NULL, NULL))
        return;
      times[MEMLANE_PROBE_LAUNCH][i] = memlane_device_clock (self->device) - begin;
      if (!memlane_device_synchronize (self->device, NULL) || self->to == NULL)
        return;
      begin = memlane_device_clock (self->device);
      if (!memlane_device_host_write (self->device, self->to, self->from, sizeof self->from, NULL))
        return;
      times[MEMLANE_PROBE_COPY][i] = memlane_device_clock (self->device) - begin;
    }
  for (guint i = 0; i < MEMLANE_N_PROBES; i++)
    probe->ns[i] = memlane_median (times[i], PROBED);
}
