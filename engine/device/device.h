/* device.h: devices: which there are, what is known of one, opening and closing it
 *
 * SPDX-License-Identifier: MIT
 *
 * A device is a GPU ("cuda:0"), or a simulated one ("simulated:h200"). A simulated one performs
 * each call on host memory and charges virtual time to a discrete-event model. What differs between
 * devices is data: capabilities, limits, a profile. What a device is asked to do is in
 * device-calls.h, which is the engine's own: a program opens a device, hands it to the engine and
 * closes it.
 *
 * Errors. Every call that can fail returns FALSE (or NULL) and sets a #GError of the domain
 * MEMLANE_DEVICE_ERROR. Its message reads
 *          "CALL (ARGUMENTS): CUDA ERROR NAME: what it means; what to do".
 * Threads. A device belongs to the thread that opened it; only memlane_device_get_info() and
 * memlane_device_can() may be called from
 *          others.
 */
#pragma once

#include <glib.h>

#include "result/phase.h"

G_BEGIN_DECLS

#define MEMLANE_DEVICE_ERROR (memlane_device_error_quark ())

/**
 * MemlaneDeviceError:
 * @MEMLANE_DEVICE_ERROR_FAILED: a call failed for a reason that has no code of its own
 * @MEMLANE_DEVICE_ERROR_UNSUPPORTED: this device cannot do what was asked
 * @MEMLANE_DEVICE_ERROR_OUT_OF_MEMORY: device, host or lockable memory is exhausted
 * @MEMLANE_DEVICE_ERROR_INVALID: an argument is wrong: a foreign pointer, a second free, an
 * impossible size @MEMLANE_DEVICE_ERROR_UNAVAILABLE: no driver, no such device, or another process
 * has it for itself @MEMLANE_DEVICE_ERROR_LOST: the device is gone until the process ends; no later
 * call can succeed @MEMLANE_DEVICE_ERROR_TIMEOUT: a call did not end in time
 */
typedef enum
{
  MEMLANE_DEVICE_ERROR_FAILED,
  MEMLANE_DEVICE_ERROR_UNSUPPORTED,
  MEMLANE_DEVICE_ERROR_OUT_OF_MEMORY,
  MEMLANE_DEVICE_ERROR_INVALID,
  MEMLANE_DEVICE_ERROR_UNAVAILABLE,
  MEMLANE_DEVICE_ERROR_LOST,
  MEMLANE_DEVICE_ERROR_TIMEOUT,
} MemlaneDeviceError;

GQuark memlane_device_error_quark (void);

typedef struct _MemlaneDevice MemlaneDevice;

/* The capabilities of a device; each bit carries the CUDA attribute's name. */
typedef enum
{
  MEMLANE_CAN_MAP_HOST_MEMORY = 1 << 0,          /* canMapHostMemory */
  MEMLANE_CAN_UNIFIED_ADDRESSING = 1 << 1,       /* unifiedAddressing */
  MEMLANE_CAN_MANAGED_MEMORY = 1 << 2,           /* managedMemory */
  MEMLANE_CAN_CONCURRENT_MANAGED = 1 << 3,       /* concurrentManagedAccess */
  MEMLANE_CAN_HOST_REGISTER = 1 << 4,            /* hostRegisterSupported */
  MEMLANE_CAN_MEMORY_POOLS = 1 << 5,             /* memoryPoolsSupported */
  MEMLANE_CAN_PAGEABLE_ACCESS = 1 << 6,          /* pageableMemoryAccess */
  MEMLANE_CAN_CONCURRENT_KERNELS = 1 << 7,       /* concurrentKernels */
  MEMLANE_CAN_COPY_ASYNC = 1 << 8,               /* asyncEngineCount >= 1 */
  MEMLANE_CAN_HOST_POINTER_REGISTERED = 1 << 9,  /* canUseHostPointerForRegisteredMem */
  MEMLANE_CAN_PEER_COPY = 1 << 10,               /* a second device stands beside this one */
  /* cudaMemcpyBatchAsync: driver and program are of CUDA 12.8 or newer */
  MEMLANE_CAN_COPY_BATCH = 1 << 11,
  MEMLANE_CAN_VIRTUAL_MEMORY = 1 << 12,          /* virtualMemoryManagementSupported */
  MEMLANE_CAN_REGISTER_READ_ONLY = 1 << 13,      /* hostRegisterReadOnlySupported */
  /* concurrentManagedAccess of a real driver: pages leave a full device for others */
  MEMLANE_CAN_OVERSUBSCRIBE = 1 << 14,
} MemlaneCapabilities;

/* How an administrator has set up a GPU, and what its link could do: by the driver's management
 * library. */
typedef struct
{
  /* the most that the GPU and its slot can do together; 0: unknown */
  int link_generation, link_width;
  int own_generation;              /* the most that the GPU can do; 0: unknown */
  int ecc, persistence, mig;       /* 1: on, 0: off, -1: unknown */
  double power_limit, usual_power_limit; /* W, now and as shipped; 0: unknown */
  int confidential;                /* as ecc: confidential computing, of all GPUs of the machine */
} MemlaneDeviceSetup;

/**
 * MemlaneDeviceInfo: what is known of a device without using it.
 *
 * An unknown number is 0, an unknown string NULL. Of one that is described and not open, link_* and
 * priority_* of a GPU are unknown.
 */
typedef struct
{
  char *id;                   /* "cuda:0", "simulated:h200" */
  char *kind;                 /* "cuda" or "simulated" */
  gboolean simulated;
  char *name;                 /* "NVIDIA H200" */
  char *driver;               /* driver version, "580.159.04" */
  char *runtime;              /* CUDA runtime version, "13.0" */
  char *pci_bus_id;           /* "0000:1b:00.0" */
  /* "GPU-8e0f...": this very GPU, in whatever slot; as nvidia-smi -L shows it */
  char *uuid;
  char *profile;              /* simulated: the profile's path */
  char *calibrated_from;      /* simulated: the recorded run that the profile was fitted from */
  char *noise;                /* simulated: how its times vary, in words; NULL: they do not */
  MemlaneCapabilities capabilities;
  int compute_major, compute_minor;
  int multiprocessors;
  int copy_engines;           /* asyncEngineCount; may be 0 although known: see capabilities */
  int numa_node;              /* -1: unknown */
  gboolean integrated;
  guint64 memory_bytes;
  guint64 l2_bytes;
  double processor_clock;     /* Hz, the highest of the multiprocessors */
  double memory_clock;        /* Hz, the highest of the device memory */
  double memory_bandwidth;    /* bytes/s in theory: 2 x memory clock x bus width / 8 */
  int link_generation;        /* PCIe generation as negotiated, from sysfs */
  int link_width;             /* lanes as negotiated */
  double link_bandwidth;      /* bytes/s one way: GT/s x width x encoding / 8 */
  /* of an open GPU; of all others ecc, persistence and mig are meaningless, and the rest is 0 */
  MemlaneDeviceSetup setup;
  char *launch_shape;         /* blocks and threads of the kernels, in words */
  guint64 static_managed_bytes; /* size of each __managed__ array in kernels/ */
  /* simulated without noise: the same calls take the same time, to the last bit, and rounds tell
   * nothing */
  gboolean exact;
  int priority_least, priority_greatest; /* stream priorities; the greatest is the smaller number */
} MemlaneDeviceInfo;

/* Why a GPU's clocks are not as high as they could be: NVML's bits (nvmlClocksEventReasons). */
typedef enum
{
  MEMLANE_THROTTLE_IDLE = 0x1,
  MEMLANE_THROTTLE_APPLICATION_CLOCKS = 0x2,
  MEMLANE_THROTTLE_POWER_CAP = 0x4,
  MEMLANE_THROTTLE_HARDWARE = 0x8,
  MEMLANE_THROTTLE_SYNC_BOOST = 0x10,
  MEMLANE_THROTTLE_THERMAL = 0x20,
  MEMLANE_THROTTLE_HARDWARE_THERMAL = 0x40,
  MEMLANE_THROTTLE_POWER_BRAKE = 0x80,
  MEMLANE_THROTTLE_DISPLAY_CLOCKS = 0x100,
} MemlaneThrottle;

/* How a GPU stands at one moment. An unknown number is 0. */
typedef struct
{
  gboolean known;       /* FALSE: nothing tells, and the rest is 0 */
  guint sm_mhz, memory_mhz;
  guint temperature_c;
  guint64 throttle;     /* MemlaneThrottle, and whatever other bits a newer driver sets */
} MemlaneDeviceState;

/* The reasons in words, "power cap, thermal slowdown"; NULL: none. (transfer full) */
char *memlane_throttle_describe (guint64 throttle);
/* Whether what is measured meanwhile is void: power, heat or the hardware's protection has slowed
 * the GPU. An idle GPU's low clocks, and clocks that somebody has set, are no such reason. */
gboolean memlane_throttle_is_void (guint64 throttle);

/* One line of memlane-cli devices. */
typedef struct _MemlaneDeviceListing
{
  char *id, *kind, *name;
  char *reason;               /* why it cannot be used, NULL when it can */
} MemlaneDeviceListing;

/* Every device that can be named, usable ones first, the preferred one at the head.
 * Returns: (transfer full) (element-type MemlaneDeviceListing). Never empty of a reason: without a
 * driver there is a row "cuda" that says so. */
GPtrArray *memlane_device_list (void);

/* The simulated ones alone: no driver is asked. (transfer full) */
GPtrArray *memlane_device_list_simulated (void);

/* Describes what memlane_device_open() would open, without opening it: on a GPU no context is made,
 * which would cost a second and much memory. Any thread; the rest of the process is left as it was.
 * @id: as for opening. An error is that of opening, as far as it can be foreseen. Returns:
 * (transfer full), or NULL with @error set. */
MemlaneDeviceInfo *memlane_device_describe (const char *id, GError **error);
/* NULL is fine. */
void memlane_device_info_free (MemlaneDeviceInfo *info);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (MemlaneDeviceInfo, memlane_device_info_free)

/* Opens @id ("cuda:N", "simulated:NAME" or "simulated:/path/to/FILE.device"); NULL opens the first
 * usable GPU, else the simulated H200. The calling thread owns the device. Returns: (transfer
 * full), or NULL with @error set. */
MemlaneDevice *memlane_device_open (const char *id, GError **error);

/* Closes the device; what is still out is released. NULL is fine. */
void memlane_device_close (MemlaneDevice *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (MemlaneDevice, memlane_device_close)

G_END_DECLS

#ifdef MEMLANE_COMPILATION /* for the engine and its tests */

#include "result/run.h"

/* The field's name for the lowest bit of @capability ("canMapHostMemory"); static. */
const char *memlane_capability_name (MemlaneCapabilities capability);

/* Returns @id without the folders of a profile's path (transfer full). Runs, traces and exports
 * carry such an id. Any thread. */
char *memlane_device_hide_folders (const char *id);

void memlane_device_listing_free (MemlaneDeviceListing *listing);

/* (transfer none), constant while the device is open; any thread. */
const MemlaneDeviceInfo *memlane_device_get_info (MemlaneDevice *self);
/* Tells a device that has just been opened which of several processes this is: a simulated one with
 * noise draws anew what a real one would find in another process. 0 stands when nobody tells; a GPU
 * knows by itself. By the owner. */
void memlane_device_begin_process (MemlaneDevice *self, guint process);
/* Lets a simulated device that has just been opened vary as its recorded rounds did: each process
 * takes its times from one of them, which @seed draws. Its information then has another name,
 * noise, and is not exact. FALSE with @error: a GPU, or no rounds were recorded. By the owner. */
gboolean memlane_device_take_noise (MemlaneDevice *self, guint64 seed, GError **error);
/* Asks a device whose times do not depend on its bytes to move the pieces of large vectors alone
 * (base/pieces.h). It then takes that many times less of this machine. @pieces FALSE: every byte
 * again. FALSE: it moves every byte, as a GPU does. By the owner, while nothing is allocated. */
gboolean memlane_device_move_pieces (MemlaneDevice *self, gboolean pieces);
gboolean memlane_device_can (MemlaneDevice *self, MemlaneCapabilities all_of);
/* Asks how the device stands now; takes a fraction of a millisecond, and no part in any stream.
 * FALSE: @state is zeroed, and @error says why nothing tells: a driver without NVML, a simulated
 * device. By the owner. */
gboolean memlane_device_get_state (MemlaneDevice *self, MemlaneDeviceState *state, GError **error);
/* The use of the device that a figure describes, for memlane_device_get_caveat() and
 * memlane_device_correct(). */
typedef struct
{
  const char *workload, *mode;    /* ids */
  guint64 bytes;                  /* of one vector */
  guint reuse, streams, chunks;   /* streams, chunks: 0 where the mode has none of its own */
  MemlaneBeside beside;
} MemlaneDeviceUse;

/* Says why a figure of @use is worth less than a measured one, or than others of this device; NULL:
 * it is not. A simulated device tells of what was never recorded ("extrapolated: ..."), of a data
 * sheet, and of noise. (transfer full) By the owner. */
char *memlane_device_get_caveat (MemlaneDevice *self, const MemlaneDeviceUse *use);
/* Returns @ns, a sample of @use, as the device's recording has it. A GPU's own are returned as they
 * are. By the owner. */
double memlane_device_correct (MemlaneDevice *self, const MemlaneDeviceUse *use, MemlanePhase phase,
                               MemlaneClock clock, double ns);
/* A call has failed with MEMLANE_DEVICE_ERROR_LOST: every later one will. By the owner. */
gboolean memlane_device_is_lost (MemlaneDevice *self);
/* Returns the driver call that this process makes at this moment, any thread: *@call is the call's
 * name, static, NULL between calls; *@count the number of calls so far. The same call with the same
 * count for a long time is a driver that does not answer. */
void memlane_device_watch (const char **call, guint64 *count);

#endif
