/* nvml.c: what the driver's management library tells of a GPU: the link, how it is set up, clocks,
 * temperature, throttle reasons
 *
 * SPDX-License-Identifier: MIT
 *
 * Opened at run time, as the driver brings it; nothing here needs it. The declarations are those of
 * nvml.h that never changed: a handle is a pointer, an answer an int, 0 is success. MEMLANE_NVML in
 * the environment names another library to open; "no" does without.
 */
#include "shared.h"

#include <dlfcn.h>
#include <string.h>

#define LIBRARY "libnvidia-ml.so.1"
#define CLOCK_SM 1
#define CLOCK_MEMORY 2
#define TEMPERATURE_OF_GPU 0
#define NOT_SUPPORTED 3

struct _MemlaneNvml
{
  void *library;
  void *device;
  int (*shut_down) (void);
};

static void
fail (GError **error, const char *call, const char *reason)
{
  g_set_error (error, MEMLANE_DEVICE_ERROR, MEMLANE_DEVICE_ERROR_UNSUPPORTED,
               "%s: %s; the GPU's clocks, temperature and throttling stay unknown", call, reason);
}

static void
fail_with (GError **error, const char *call, int code, const char *(*explain) (int))
{
  g_autofree char *reason = explain != NULL ? g_strdup (explain (code))
                                            : g_strdup_printf ("error %d", code);

  fail (error, call, reason);
}

MemlaneNvml *
memlane_nvml_new (const char *pci_bus_id, GError **error)
{
  const char *asked = g_getenv ("MEMLANE_NVML"), *name = asked != NULL ? asked : LIBRARY;
  g_autofree MemlaneNvml *self = g_new0 (MemlaneNvml, 1);
  int (*init) (void), (*find) (const char *, void **), code;
  const char *(*explain) (int);

  if (strcmp (name, "no") == 0)
    return fail (error, "NVML", "switched off by MEMLANE_NVML"), NULL;
  self->library = dlopen (name, RTLD_NOW | RTLD_LOCAL);
  if (self->library == NULL)
    return fail (error, "dlopen", dlerror ()), NULL;

  *(void **) &init = dlsym (self->library, "nvmlInit_v2");
  *(void **) &explain = dlsym (self->library, "nvmlErrorString");
  *(void **) &find = dlsym (self->library, "nvmlDeviceGetHandleByPciBusId_v2");
  *(void **) &self->shut_down = dlsym (self->library, "nvmlShutdown");
  if (init == NULL || find == NULL || self->shut_down == NULL)
    {
      fail (error, name, "it lacks nvmlInit_v2, nvmlDeviceGetHandleByPciBusId_v2 or nvmlShutdown");
      dlclose (self->library);
      return NULL;
    }
  code = init ();
  if (code != 0)
    {
      fail_with (error, "nvmlInit_v2", code, explain);
      dlclose (self->library);
      return NULL;
    }
  code = find (pci_bus_id, &self->device);
  if (code != 0)
    {
      fail_with (error, "nvmlDeviceGetHandleByPciBusId_v2", code, explain);
      memlane_nvml_free (g_steal_pointer (&self));
      return NULL;
    }
  return g_steal_pointer (&self);
}

void
memlane_nvml_free (MemlaneNvml *self)
{
  if (self == NULL)
    return;
  self->shut_down ();
  dlclose (self->library);
  g_free (self);
}

/* Asks @call, whose answer is a number. @otherwise: there is none. */
static int
ask (MemlaneNvml *self, const char *call, int otherwise)
{
  int (*get) (void *, unsigned *);
  unsigned value = 0;

  *(void **) &get = dlsym (self->library, call);
  return get != NULL && get (self->device, &value) == 0 && value <= G_MAXINT ? (int) value
                                                                             : otherwise;
}

/* The same of one of several, such as a clock. FALSE: there is no answer. */
static gboolean
ask_of (MemlaneNvml *self, const char *call, unsigned which, guint *value)
{
  int (*get) (void *, unsigned which, unsigned *);

  *(void **) &get = dlsym (self->library, call);
  return get != NULL && get (self->device, which, value) == 0;
}

/* Asks @call, which also tells the value after the next start. A GPU that has no such switch has it
 * off. */
static int
ask_switch (MemlaneNvml *self, const char *call)
{
  int (*get) (void *, unsigned *, unsigned *), code;
  unsigned now = 0, later = 0;

  *(void **) &get = dlsym (self->library, call);
  code = get != NULL ? get (self->device, &now, &later) : -1;
  return code == 0 ? now != 0 : code == NOT_SUPPORTED ? 0 : -1;
}

/* Asks for confidential computing, which is a state of the whole machine. */
static int
ask_confidential (MemlaneNvml *self)
{
  int (*get) (unsigned *);
  unsigned state[3] = { 0 }; /* environment, feature, tools of developers */

  *(void **) &get = dlsym (self->library, "nvmlSystemGetConfComputeState");
  return get == NULL || get (state) != 0 ? -1 : state[1] != 0;
}

void
memlane_nvml_get_link (MemlaneNvml *self, int *generation, int *width)
{
  if (*generation == 0)
    *generation = ask (self, "nvmlDeviceGetCurrPcieLinkGeneration", 0);
  if (*width == 0)
    *width = ask (self, "nvmlDeviceGetCurrPcieLinkWidth", 0);
}

void
memlane_nvml_get_setup (MemlaneNvml *self, MemlaneDeviceSetup *setup)
{
  setup->link_generation = ask (self, "nvmlDeviceGetMaxPcieLinkGeneration", 0);
  setup->link_width = ask (self, "nvmlDeviceGetMaxPcieLinkWidth", 0);
  setup->own_generation = ask (self, "nvmlDeviceGetGpuMaxPcieLinkGeneration", 0);
  setup->ecc = ask_switch (self, "nvmlDeviceGetEccMode");
  setup->mig = ask_switch (self, "nvmlDeviceGetMigMode");
  setup->confidential = ask_confidential (self);
  setup->persistence = ask (self, "nvmlDeviceGetPersistenceMode", -1);
  setup->power_limit = ask (self, "nvmlDeviceGetPowerManagementLimit", 0) / 1e3;
  setup->usual_power_limit = ask (self, "nvmlDeviceGetPowerManagementDefaultLimit", 0) / 1e3;
}

gboolean
memlane_nvml_get_state (MemlaneNvml *self, MemlaneDeviceState *state, GError **error)
{
  int (*get_reasons) (void *, unsigned long long *);
  unsigned long long reasons = 0;
  guint told = 0;

  *(void **) &get_reasons = dlsym (self->library, "nvmlDeviceGetCurrentClocksEventReasons");
  if (get_reasons == NULL) /* its name before driver 535 */
    *(void **) &get_reasons = dlsym (self->library, "nvmlDeviceGetCurrentClocksThrottleReasons");
  told += ask_of (self, "nvmlDeviceGetClockInfo", CLOCK_SM, &state->sm_mhz);
  told += ask_of (self, "nvmlDeviceGetClockInfo", CLOCK_MEMORY, &state->memory_mhz);
  told += ask_of (self, "nvmlDeviceGetTemperature", TEMPERATURE_OF_GPU, &state->temperature_c);
  if (get_reasons != NULL && get_reasons (self->device, &reasons) == 0)
    {
      state->throttle = reasons;
      told++;
    }
  if (told == 0)
    fail (error, "NVML", "this GPU tells none of them");
  return told > 0;
}
