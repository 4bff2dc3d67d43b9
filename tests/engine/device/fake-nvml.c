/* fake-nvml.c: a libnvidia-ml.so.1 that tells what $FAKE_NVML says: well, refuse, foreign, old, silent
 *
 * SPDX-License-Identifier: MIT
 */
#include <stdlib.h>
#include <string.h>

static int device, is_open;

static int
is (const char *kind)
{
  const char *asked = getenv ("FAKE_NVML");

  return asked != NULL && strcmp (asked, kind) == 0;
}

int nvmlInit_v2 (void);
int nvmlShutdown (void);
const char *nvmlErrorString (int code);
int nvmlDeviceGetHandleByPciBusId_v2 (const char *bus, void **handle);
int nvmlDeviceGetClockInfo (void *handle, unsigned type, unsigned *mhz);
int nvmlDeviceGetTemperature (void *handle, unsigned sensor, unsigned *c);
int nvmlDeviceGetCurrentClocksThrottleReasons (void *handle, unsigned long long *reasons);
int nvmlDeviceGetCurrPcieLinkGeneration (void *handle, unsigned *generation);
int nvmlDeviceGetMaxPcieLinkGeneration (void *handle, unsigned *generation);
int nvmlDeviceGetMaxPcieLinkWidth (void *handle, unsigned *width);
int nvmlDeviceGetEccMode (void *handle, unsigned *now, unsigned *later);
int nvmlDeviceGetMigMode (void *handle, unsigned *now, unsigned *later);
int nvmlDeviceGetPersistenceMode (void *handle, unsigned *mode);
int nvmlDeviceGetPowerManagementLimit (void *handle, unsigned *milliwatts);
int nvmlDeviceGetPowerManagementDefaultLimit (void *handle, unsigned *milliwatts);
int nvmlSystemGetConfComputeState (unsigned *state);
int fake_nvml_is_open (void);

int
nvmlInit_v2 (void)
{
  if (is ("refuse"))
    return 9;
  is_open++;
  return 0;
}

int
nvmlShutdown (void)
{
  is_open--;
  return 0;
}

int
fake_nvml_is_open (void)
{
  return is_open;
}

const char *
nvmlErrorString (int code)
{
  return code == 9 ? "Driver Not Loaded" : "Not Found";
}

int
nvmlDeviceGetHandleByPciBusId_v2 (const char *bus, void **handle)
{
  if (is ("foreign") || strcmp (bus, "0000:1b:00.0") != 0)
    return 6;
  *handle = &device;
  return 0;
}

int
nvmlDeviceGetClockInfo (void *handle, unsigned type, unsigned *mhz)
{
  *mhz = type == 1 ? 1980 : type == 2 ? 3201 : 0;
  return is ("silent") || handle != &device ? 3 : 0;
}

int
nvmlDeviceGetTemperature (void *handle, unsigned sensor, unsigned *c)
{
  *c = 41 + sensor;
  return is ("silent") || handle != &device ? 3 : 0;
}

int
nvmlDeviceGetCurrentClocksThrottleReasons (void *handle, unsigned long long *reasons)
{
  *reasons = 0x4;
  return is ("silent") || handle != &device ? 3 : 0;
}

int
nvmlDeviceGetCurrPcieLinkGeneration (void *handle, unsigned *generation)
{
  *generation = 5;
  return handle != &device ? 3 : 0;
}

int
nvmlDeviceGetMaxPcieLinkGeneration (void *handle, unsigned *generation)
{
  *generation = 5;
  return is ("silent") || handle != &device ? 3 : 0;
}

int
nvmlDeviceGetMaxPcieLinkWidth (void *handle, unsigned *width)
{
  *width = 16;
  return is ("silent") || handle != &device ? 3 : 0;
}

int
nvmlDeviceGetEccMode (void *handle, unsigned *now, unsigned *later)
{
  *now = 1;
  *later = 0;
  return is ("silent") || handle != &device ? 999 : 0;
}

int
nvmlDeviceGetMigMode (void *handle, unsigned *now, unsigned *later)
{
  *now = *later = 7;
  return 3; /* this GPU cannot be divided */
}

int
nvmlSystemGetConfComputeState (unsigned *state)
{
  state[0] = state[2] = 0;
  state[1] = is ("well");
  return is ("silent") ? 3 : 0;
}

int
nvmlDeviceGetPersistenceMode (void *handle, unsigned *mode)
{
  *mode = 0;
  return is ("silent") || handle != &device ? 3 : 0;
}

int
nvmlDeviceGetPowerManagementLimit (void *handle, unsigned *milliwatts)
{
  *milliwatts = 350500;
  return is ("silent") || handle != &device ? 3 : 0;
}

int
nvmlDeviceGetPowerManagementDefaultLimit (void *handle, unsigned *milliwatts)
{
  *milliwatts = is ("well") ? 700000 : 0xffffffff; /* "not available" in old drivers */
  return is ("silent") || handle != &device ? 3 : 0;
}
