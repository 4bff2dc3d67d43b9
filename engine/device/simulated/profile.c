/* profile.c: a simulated device's costs by name, with defaults for all that a profile leaves out
 *
 * SPDX-License-Identifier: MIT
 */
#include "profile.h"

#include <math.h>
#include <string.h>

static const MemlaneProfileTerm host_terms[] = {
#define X(id, name, ns, doc) { name, doc, NULL, ns, 0 },
  MEMLANE_HOST_CONSTANTS (X)
#undef X
};

static const MemlaneCurve fallbacks[] = {
#define X(id, name, other, latency, per_byte, doc) MEMLANE_CURVE_##other,
  MEMLANE_CURVES (X)
#undef X
};

static MemlaneProfileTerm curve_terms[] = {
#define X(id, name, other, latency, per_byte, doc) { name, doc, NULL, latency, per_byte },
  MEMLANE_CURVES (X)
#undef X
};

const MemlaneProfileTerm *
memlane_profile_host_list (guint *n)
{
  if (n != NULL)
    *n = MEMLANE_N_HOST_CONSTANTS;
  return host_terms;
}

const MemlaneProfileTerm *
memlane_profile_curve_list (guint *n)
{
  static gsize ready;

  if (g_once_init_enter (&ready))
    {
      for (guint i = 0; i < MEMLANE_N_CURVES; i++)
        if (fallbacks[i] != i)
          curve_terms[i].fallback = curve_terms[fallbacks[i]].name;
      g_once_init_leave (&ready, 1);
    }
  if (n != NULL)
    *n = MEMLANE_N_CURVES;
  return curve_terms;
}

static int
find_term (const MemlaneProfileTerm *terms, guint n, const char *name)
{
  for (guint i = 0; i < n; i++)
    if (strcmp (terms[i].name, name) == 0)
      return (int) i;
  return -1;
}

static gboolean
refuse (GError **error, const char *what, const char *name, const char *expected)
{
  g_set_error (error, MEMLANE_DEVICE_ERROR, MEMLANE_DEVICE_ERROR_INVALID, "%s \"%s\": %s", what, name, expected);
  return FALSE;
}

MemlaneProfile *
memlane_profile_new (void)
{
  MemlaneProfile *self = g_new0 (MemlaneProfile, 1);

  self->info.name = g_strdup ("Simulated device");
  self->info.capabilities = MEMLANE_CAN_MAP_HOST_MEMORY | MEMLANE_CAN_UNIFIED_ADDRESSING | MEMLANE_CAN_MANAGED_MEMORY
                            | MEMLANE_CAN_CONCURRENT_MANAGED | MEMLANE_CAN_HOST_REGISTER | MEMLANE_CAN_MEMORY_POOLS
                            | MEMLANE_CAN_CONCURRENT_KERNELS | MEMLANE_CAN_HOST_POINTER_REGISTERED;
  self->info.copy_engines = 2;
  self->info.numa_node = -1;
  self->info.memory_bytes = G_GUINT64_CONSTANT (16) << 30;
  self->info.static_managed_bytes = 16 << 20;
  self->info.priority_greatest = -5;
  self->both_directions_factor = 1;
  self->sync_pinned_alloc = self->sync_device_alloc = self->sync_memset = self->sync_copy_on_device = TRUE;
  self->noise_seed = 1;
  for (guint i = 0; i < MEMLANE_N_HOST_CONSTANTS; i++)
    self->host[i] = host_terms[i].latency_ns;
  return self;
}

MemlaneProfile *
memlane_profile_copy (const MemlaneProfile *self)
{
  MemlaneProfile *copy = g_new (MemlaneProfile, 1);

  *copy = *self;
  copy->path = g_strdup (self->path);
  copy->info.name = g_strdup (self->info.name);
  copy->info.calibrated_from = g_strdup (self->info.calibrated_from);
  memset (copy->curves, 0, sizeof copy->curves);
  for (guint i = 0; i < MEMLANE_N_CURVES; i++)
    memlane_cost_curve_copy (&copy->curves[i], &self->curves[i]);
  return copy;
}

void
memlane_profile_free (MemlaneProfile *self)
{
  if (self == NULL)
    return;
  for (guint i = 0; i < MEMLANE_N_CURVES; i++)
    memlane_cost_curve_clear (&self->curves[i]);
  g_free (self->path);
  g_free (self->info.name);
  g_free (self->info.calibrated_from);
  g_free (self);
}

const MemlaneCostCurve *
memlane_profile_get_curve (const MemlaneProfile *self, const char *name)
{
  int i = find_term (curve_terms, MEMLANE_N_CURVES, name);

  return i >= 0 && self->curves[i].n > 0 ? &self->curves[i] : NULL;
}

gboolean
memlane_profile_set_curve (MemlaneProfile *self, const char *name, const double *bytes, const double *ns, guint n, GError **error)
{
  int i = find_term (curve_terms, MEMLANE_N_CURVES, name);
  const char *problem = NULL;

  if (i < 0)
    return refuse (error, "curve", name, "no such curve");
  return memlane_cost_curve_set (&self->curves[i], bytes, ns, n, &problem) || refuse (error, "curve", name, problem);
}

gboolean
memlane_profile_get_host (const MemlaneProfile *self, const char *name, double *ns)
{
  int i = find_term (host_terms, MEMLANE_N_HOST_CONSTANTS, name);

  if (i >= 0)
    *ns = self->host[i];
  return i >= 0;
}

gboolean
memlane_profile_set_host (MemlaneProfile *self, const char *name, double ns, GError **error)
{
  int i = find_term (host_terms, MEMLANE_N_HOST_CONSTANTS, name);

  if (i < 0)
    return refuse (error, "host constant", name, "no such constant");
  if (!isfinite (ns) || ns < 0)
    return refuse (error, "host constant", name, "expected nanoseconds, 0 or more");
  self->host[i] = ns;
  return TRUE;
}

double
memlane_profile_cost (const MemlaneProfile *self, MemlaneCurve curve, double bytes)
{
  while (self->curves[curve].n == 0 && fallbacks[curve] != curve)
    curve = fallbacks[curve];
  if (self->curves[curve].n > 0)
    return memlane_cost_curve_get (&self->curves[curve], bytes);
  return curve_terms[curve].latency_ns + bytes * curve_terms[curve].ns_per_byte;
}
