/* environment.h: where and how a run was measured
 *
 * SPDX-License-Identifier: MIT
 *
 * The record of NAME.environment.json: device, link, host, state, floors, method, rounds, control.
 * It is parsed once, and shared. A member that is missing, or of another type than the list below
 * says, is unknown. Members that are not in the list are kept.
 */
#pragma once

#include <gio/gio.h>

#include "base/file-error.h"
#include "run.h"

/* The one list of members: name, path, type, what a difference between two runs means, its label
 * (marked for translation, but for Memlane's own name). Those of one meaning stand in the order of
 * their effect on the measurements. */
#define MEMLANE_ENVIRONMENT_MEMBERS(X)                                                             \
  X (REUSE, "method/reuse", COUNT, OTHER_METHOD, NC_ ("machine", "reuse"))                         \
  X (STREAMS, "method/streams", COUNT, OTHER_METHOD, NC_ ("machine", "streams"))                   \
  X (CHUNKS, "method/chunks", COUNT, OTHER_METHOD, NC_ ("machine", "chunks"))                      \
  X (BESIDE, "method/beside", TEXT, OTHER_METHOD | IF_BOTH, NC_ ("machine", "background"))         \
  X (BUSY, "method/busy", COUNT, OTHER_METHOD | IF_BOTH, NC_ ("machine", "busy multiprocessors"))  \
  X (COLD_CACHE, "method/cold_cache", FLAG, OTHER_METHOD | IF_BOTH, NC_ ("machine", "cold cache")) \
  X (ROUNDS, "method/rounds", COUNT, OTHER_METHOD | IF_BOTH, NC_ ("machine", "rounds"))            \
  X (VISITS, "method/visits", COUNT, OTHER_METHOD, NC_ ("machine", "visits in a round"))           \
  X (PRECISION, "method/precision", NUMBER, OTHER_METHOD, NC_ ("machine", "precision"))            \
  X (CELL_SECONDS, "method/cell_seconds", NUMBER, OTHER_METHOD,                                    \
     NC_ ("machine", "seconds for a cell"))                                                        \
  X (SEED, "seed", TEXT, OTHER_METHOD | IF_BOTH, NC_ ("machine", "seed"))                          \
  X (VERSION, "memlane/version", TEXT, OTHER_METHOD, "Memlane")                                    \
  X (DEVICE_KIND, "device/kind", TEXT, OTHER_MACHINE, NC_ ("machine", "kind of device"))           \
  X (DEVICE_NAME, "device/name", TEXT, OTHER_MACHINE, NC_ ("machine", "device"))                   \
  X (UUID, "device/uuid", TEXT, OTHER_MACHINE | IF_BOTH, NC_ ("machine", "UUID of the device"))    \
  X (PCI_BUS_ID, "device/pci_bus_id", TEXT, OTHER_MACHINE | IF_BOTH, NC_ ("machine", "PCI slot"))  \
  X (DEVICE_MEMORY, "device/memory_bytes", COUNT, OTHER_MACHINE, NC_ ("machine", "device memory")) \
  X (CALIBRATED_FROM, "device/calibrated_from", TEXT, OTHER_MACHINE,                               \
     NC_ ("machine", "calibrated from"))                                                           \
  X (SETUP_CONFIDENTIAL, "setup/confidential", TEXT, OTHER_MACHINE | IF_BOTH,                      \
     NC_ ("machine", "confidential computing"))                                                    \
  X (LINK_GENERATION, "link/generation", COUNT, OTHER_MACHINE, NC_ ("machine", "PCIe generation")) \
  X (LINK_WIDTH, "link/width", COUNT, OTHER_MACHINE, NC_ ("machine", "PCIe lanes"))                \
  X (DRIVER, "device/driver", TEXT, OTHER_MACHINE, NC_ ("machine", "driver"))                      \
  X (RUNTIME, "device/runtime", TEXT, OTHER_MACHINE, NC_ ("machine", "CUDA runtime"))              \
  X (CPU, "host/cpu", TEXT, OTHER_MACHINE | OF_HOST, NC_ ("machine", "CPU"))                       \
  X (LOGICAL_CPUS, "host/logical_cpus", COUNT, OTHER_MACHINE | OF_HOST,                            \
     NC_ ("machine", "logical CPUs"))                                                              \
  X (KERNEL, "host/kernel", TEXT, OTHER_MACHINE | OF_HOST, NC_ ("machine", "kernel"))              \
  X (COMMIT, "memlane/commit", TEXT, OTHER_OCCASION | IF_BOTH, NC_ ("machine", "commit"))          \
  X (BOOT_ID, "host/boot_id", TEXT, OTHER_OCCASION | OF_HOST | IF_BOTH, NC_ ("machine", "boot"))   \
  X (FORMAT, "format", COUNT, 0, NULL)                                                             \
  X (DATE, "date", TEXT, 0, NULL)                                                                  \
  X (DEVICE_ID, "device/id", TEXT, 0, NULL)                                                        \
  X (SIMULATED, "device/simulated", FLAG, 0, NULL)                                                 \
  X (COMPUTE_CAPABILITY, "device/compute_capability", TEXT, 0, NULL)                               \
  X (MULTIPROCESSORS, "device/multiprocessors", COUNT, 0, NULL)                                    \
  X (COPY_ENGINES, "device/copy_engines", COUNT, 0, NULL)                                          \
  X (L2_BYTES, "device/l2_bytes", COUNT, 0, NULL)                                                  \
  X (MEMORY_BANDWIDTH, "device/memory_bandwidth_bytes_per_s", NUMBER, 0, NULL)                     \
  X (INTEGRATED, "device/integrated", FLAG, 0, NULL)                                               \
  X (EXACT, "device/exact", FLAG, 0, NULL)                                                         \
  X (CAPABILITIES, "device/capabilities", TEXTS, 0, NULL)                                          \
  X (NUMA_NODE, "device/numa_node", COUNT, 0, NULL)                                                \
  X (LAUNCH_SHAPE, "device/launch_shape", TEXT, 0, NULL)                                           \
  X (PROFILE, "device/profile", TEXT, 0, NULL)                                                     \
  X (NOISE, "device/noise", TEXT, 0, NULL)                                                         \
  X (PROCESSOR_CLOCK, "clocks/multiprocessors_hz", NUMBER, 0, NULL)                                \
  X (MEMORY_CLOCK, "clocks/memory_hz", NUMBER, 0, NULL)                                            \
  X (LINK_BANDWIDTH, "link/bandwidth_bytes_per_s", NUMBER, 0, NULL)                                \
  X (LINK_MOST_GENERATION, "link/most_generation", COUNT, 0, NULL)                                 \
  X (LINK_MOST_WIDTH, "link/most_width", COUNT, 0, NULL)                                           \
  X (LINK_OWN_GENERATION, "link/gpu_generation", COUNT, 0, NULL)                                   \
  X (SETUP_ECC, "setup/ecc", TEXT, 0, NULL)                                                        \
  X (SETUP_PERSISTENCE, "setup/persistence", TEXT, 0, NULL)                                        \
  X (SETUP_MIG, "setup/mig", TEXT, 0, NULL)                                                        \
  X (SETUP_MPS, "setup/mps", TEXT, 0, NULL)                                                        \
  X (SETUP_POWER_LIMIT, "setup/power_limit_w", NUMBER, 0, NULL)                                    \
  X (SETUP_USUAL_POWER_LIMIT, "setup/usual_power_limit_w", NUMBER, 0, NULL)                        \
  X (SETUP_IOMMU, "setup/iommu", TEXT, 0, NULL)                                                    \
  X (SETUP_PAYLOAD, "setup/payload_bytes", COUNT, 0, NULL)                                         \
  X (SETUP_RELAXED, "setup/relaxed_ordering", TEXT, 0, NULL)                                       \
  X (SETUP_ACS, "setup/acs", TEXT, 0, NULL)                                                        \
  X (HOST_NAME, "host/name", TEXT, 0, NULL)                                                        \
  X (CPU_GOVERNOR, "host/cpu_governor", TEXT, 0, NULL)                                             \
  X (NUMA_NODES, "host/numa_nodes", COUNT, 0, NULL)                                                \
  X (HOST_MEMORY, "host/memory_bytes", COUNT, 0, NULL)                                             \
  X (PAGE_BYTES, "host/page_bytes", COUNT, 0, NULL)                                                \
  X (TRANSPARENT_HUGEPAGE, "host/transparent_hugepage", TEXT, 0, NULL)                             \
  X (STATE_SM_MHZ, "state/sm_mhz", COUNT, 0, NULL)                                                 \
  X (STATE_MEMORY_MHZ, "state/memory_mhz", COUNT, 0, NULL)                                         \
  X (STATE_TEMPERATURE, "state/temperature_c", COUNT, 0, NULL)                                     \
  X (STATE_THROTTLE, "state/throttle", TEXT, 0, NULL)                                              \
  X (STATE_UNKNOWN, "state/unknown", TEXT, 0, NULL)                                                \
  X (FLOOR_DEVICE_TICK, "floors/device_tick_ns", NUMBER, 0, NULL)                                  \
  X (FLOOR_HOST_TICK, "floors/host_tick_ns", NUMBER, 0, NULL)                                      \
  X (FLOOR_HOST_PAIR, "floors/host_pair_ns", NUMBER, 0, NULL)                                      \
  X (FLOOR_EVENT_PAIR, "floors/event_pair_ns", NUMBER, 0, NULL)                                    \
  X (FLOOR_LAUNCH, "floors/launch_ns", NUMBER, 0, NULL)                                            \
  X (FIRST_PINNED, "floors/first_pinned_ns", NUMBER, 0, NULL)                                      \
  X (FLOOR_KERNEL_SIZES, "floors/kernels/log2_elements", COUNTS, 0, NULL)                          \
  X (FLOOR_KERNELS_ALONE, "floors/kernels/alone_ns", NUMBERS, 0, NULL)                             \
  X (FLOOR_KERNELS_IN_A_ROW, "floors/kernels/in_a_row_ns", NUMBERS, 0, NULL)                       \
  X (AFFINITY, "affinity", TEXT, 0, NULL)                                                          \
  X (WORKLOAD, "method/workload", TEXT, 0, NULL)                                                   \
  X (MODES, "method/modes", TEXTS, 0, NULL)                                                        \
  X (SIZES, "method/log2_elements", COUNTS, 0, NULL)                                               \
  X (LISTED_SIZES, "method/listed_log2_elements", NUMBERS, 0, NULL)                                \
  X (LEAST_SAMPLES, "method/least_samples", COUNT, 0, NULL)                                        \
  X (LATCH_TIMEOUT, "method/latch_timeout_ns", NUMBER, 0, NULL)                                    \
  X (CLOCK_ISSUE, "method/clocks/issue", TEXT, 0, NULL)                                            \
  X (CLOCK_DEVICE, "method/clocks/device", TEXT, 0, NULL)                                          \
  X (CLOCK_HOST, "method/clocks/host", TEXT, 0, NULL)                                              \
  X (STATEMENT, "method/statement", TEXT, 0, NULL)                                                 \
  X (VERIFIED, "method/verified", TEXT, 0, NULL)                                                   \
  X (CONTROL_PAIRS, "control/pairs", COUNT, 0, NULL)                                               \
  X (CONTROL_APART, "control/told_apart", COUNT, 0, NULL)                                          \
  X (CONTROL_ALARM, "control/alarm", COUNT, 0, NULL)                                               \
  X (CONTROL_LARGEST, "control/largest_difference", NUMBER, 0, NULL)                               \
  X (CONTROL_PASSED, "control/passed", FLAG, 0, NULL)                                              \
  X (HISTORY_SWEEPS, "history/sweeps", COUNT, 0, NULL)                                             \
  X (HISTORY_GREW, "history/grew", FLAG, 0, NULL)

typedef enum
{
#define MEMLANE_ENVIRONMENT_ENUM(name, path, type, meaning, label) MEMLANE_ENVIRONMENT_##name,
  MEMLANE_ENVIRONMENT_MEMBERS (MEMLANE_ENVIRONMENT_ENUM)
#undef MEMLANE_ENVIRONMENT_ENUM
  MEMLANE_N_ENVIRONMENT_MEMBERS
} MemlaneEnvironmentMember;

/* --- floors: below which a run's times cannot go -------------------------------------------------
 *
 * The steps of its clocks, and what measuring itself costs. The process that measures the run
 * measures them before its first cell. In nanoseconds; 0: not known. */

#define MEMLANE_MOST_FLOOR_SIZES 16

/* The addition in device memory. */
typedef struct
{
  guint log2_elements;
  /* device clock, one launch between two events: it holds the pair's own cost */
  double alone_ns;
  /* device clock, what each further launch adds, all queued behind one latch: it holds neither pair
   * nor launch */
  double in_a_row_ns;
} MemlaneKernelFloor;

typedef struct
{
  /* every time between two events is a multiple of it; 0: no step is to be seen */
  double device_tick_ns;
  double host_tick_ns;   /* likewise the host's clock */
  /* host clock, two readings with nothing in between: part of every figure on the host's clocks */
  double host_pair_ns;
  /* device clock, two events with nothing in between, behind a latch: part of every figure on the
   * device's clock */
  double event_pair_ns;
  double launch_ns;      /* host clock, one kernel launch that waits for nothing */
  guint n_kernels;       /* ascending by size */
  MemlaneKernelFloor kernels[MEMLANE_MOST_FLOOR_SIZES];
} MemlaneFloors;

/* The step of @clock: no interval of a figure on it means anything below. */
double memlane_floors_get_tick (const MemlaneFloors *self, MemlaneClock clock);
/* A kernel in a row over @elements: between two measured sizes on the line through them, below the
 * smallest as that. 0: larger than the largest, where a kernel's time alone, less the pair of
 * events, tells it. */
double memlane_floors_get_in_a_row (const MemlaneFloors *self, double elements);

/* --- the record ------------------------------------------------------------------------------- */

/* One round, as the sweep that ran it describes it. Texts are owned by the environment, or by the
 * caller of _with_round(). */
typedef struct
{
  guint round;            /* from 1; 0: unknown */
  const char *begun;      /* ISO 8601, UTC */
  gint64 took_ms;
  guint cells, void_tries;
  double first_pinned_ns; /* the first page-locked allocation of its process; 0: unknown */
  /* of its visits: the fastest tenth, the middle; all zero: unknown */
  MemlaneHostProbe best, usual;
  const char *throttled;  /* why the device was slowed at each try; NULL: it was not */
} MemlaneEnvironmentRound;

/* Immutable and reference counted; any thread. All functions accept NULL: everything is unknown. */
MemlaneEnvironment *memlane_environment_ref (MemlaneEnvironment *self);
void memlane_environment_unref (MemlaneEnvironment *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (MemlaneEnvironment, memlane_environment_unref)

/* Reads the file at @path; longer texts than reader-limits.h allows are cut. Fails with
 * MEMLANE_FILE_ERROR, and for a device whose id, kind and "simulated" contradict each other.
 * (transfer full). NULL without an error: there is no such file. */
MemlaneEnvironment *memlane_environment_read (const char *path, GError **error);
/* Parses a JSON object of @length bytes, or up to the 0 if it is -1. @name stands for the text in
 * messages. (transfer full) */
MemlaneEnvironment *memlane_environment_parse (const char *text, gssize length, const char *name,
                                               GError **error);
/* The JSON object, as it was read or indented, ending in a newline; (transfer none). */
const char *memlane_environment_get_json (const MemlaneEnvironment *self);

/* NULL: unknown or empty. (transfer none) */
const char *memlane_environment_get_text (const MemlaneEnvironment *self,
                                          MemlaneEnvironmentMember member);
/* Returns a count or a number; NAN: unknown. */
double memlane_environment_get_number (const MemlaneEnvironment *self,
                                       MemlaneEnvironmentMember member);
/* FALSE: unknown, too. */
gboolean memlane_environment_get_flag (const MemlaneEnvironment *self,
                                       MemlaneEnvironmentMember member);
/* Returns how many measurements the plan has, 0: unknown. Its first and last size are told where it
 * has each power of two between them, else 1 and 0. @self (nullable). */
guint memlane_environment_count_planned (const MemlaneEnvironment *self, double *first_log2,
                                         double *last_log2);
/* Whether @run has all measurements of its plan, as far as its environment tells. @n_measured:
 * those that it has. */
gboolean memlane_run_is_whole (const MemlaneRun *run, guint *n_measured, guint *n_planned);
/* Returns @self without the host's name and boot id. (transfer full) */
MemlaneEnvironment *memlane_environment_without_host (const MemlaneEnvironment *self);
/* Returns a text, count, number or flag as text, the shortest of a number: "0.02". (transfer full);
 * NULL: unknown. */
char *memlane_environment_format (const MemlaneEnvironment *self, MemlaneEnvironmentMember member);
/* NULL: unknown, as in older runs. (transfer none) */
const MemlaneFloors *memlane_environment_get_floors (const MemlaneEnvironment *self);
/* (transfer none): @n rounds in the order in which they were measured. */
const MemlaneEnvironmentRound *memlane_environment_get_rounds (const MemlaneEnvironment *self,
                                                               guint *n);

#ifdef MEMLANE_COMPILATION /* for the engine and its tests */

#include <json-glib/json-glib.h>

/* The meaning of a difference between two runs. */
typedef enum
{
  MEMLANE_ENVIRONMENT_OTHER_METHOD = 1 << 0,
  MEMLANE_ENVIRONMENT_OTHER_MACHINE = 1 << 1,
  MEMLANE_ENVIRONMENT_OTHER_OCCASION = 1 << 2,
  /* says nothing about a simulated device, whose figures are the same on every host */
  MEMLANE_ENVIRONMENT_OF_HOST = 1 << 3,
  /* counts only if both runs recorded it: older ones did not */
  MEMLANE_ENVIRONMENT_IF_BOTH = 1 << 4,
} MemlaneEnvironmentMeaning;

/* (nullable): the label of a difference in @member; static. */
const char *memlane_environment_get_meaning (MemlaneEnvironmentMember member,
                                             MemlaneEnvironmentMeaning *meaning);

/* The kind of the device ("cuda", "simulated"), by its id where the kind is missing. NULL: unknown.
 * (transfer none) */
const char *memlane_environment_get_device_kind (const MemlaneEnvironment *self);

/* Building one: create an object, put members, make the environment. Members appear in the order in
 * which they are put. What is unknown is left out: a text that is NULL or empty, a number that is
 * NAN, a list of no numbers. The member's type says which field counts. */
typedef struct
{
  MemlaneEnvironmentMember member;
  const char *text;
  double number;          /* of a flag: 0 is FALSE */
  const GPtrArray *texts; /* an empty list is written */
  const double *numbers;
  guint n;
} MemlaneEnvironmentValue;

/* A number of which 0 and less is unknown: NAN. */
double memlane_known (double value);
void memlane_environment_put (JsonObject *root, const MemlaneEnvironmentValue *values, guint n);
void memlane_environment_put_floors (JsonObject *root, const MemlaneFloors *floors);
/* Makes an environment of @root: (transfer full), and the result, too. */
MemlaneEnvironment *memlane_environment_new (JsonObject *root);
/* Returns an environment with these members, too. (transfer full) */
MemlaneEnvironment *memlane_environment_with (const MemlaneEnvironment *self,
                                              const MemlaneEnvironmentValue *values, guint n);
/* Returns an environment with one round more; @floors: of its process (nullable); @states: how the
 * device stood during it (nullable). (transfer full) */
MemlaneEnvironment *memlane_environment_with_round (const MemlaneEnvironment *self,
                                                    const MemlaneEnvironmentRound *round,
                                                    const MemlaneFloors *floors, JsonArray *states);

#endif
