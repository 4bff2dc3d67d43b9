/* errors.c: errors on purpose: each one's name, and whether the next call works
 *
 * SPDX-License-Identifier: MIT
 */
#include "procedure.h"

#include <string.h>

/* "cudaMalloc (8 bytes): cudaErrorMemoryAllocation: out of memory" -> "cudaErrorMemoryAllocation" */
static char *
name_of (const GError *problem)
{
  const char *name = strstr (problem->message, "cudaError");

  if (name == NULL)
    return g_strdup ("unnamed");
  return g_strndup (name, strspn (name, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"));
}

/* FALSE: this error ends all others, or it is none that the call gives but somebody's who has cancelled. */
static gboolean
report (MemlaneProcedureContext *context, const char *output, gboolean succeeded, GError *problem, GError **error)
{
  g_autofree char *name = NULL;

  if (succeeded)
    {
      memlane_procedure_word (context, output, "success");
      return TRUE;
    }
  name = name_of (problem);
  memlane_procedure_word (context, output, name);
  memlane_procedure_note (context, "%s", problem->message);
  if (!g_error_matches (problem, MEMLANE_DEVICE_ERROR, MEMLANE_DEVICE_ERROR_LOST))
    return TRUE;
  g_propagate_error (error, g_error_copy (problem));
  return FALSE;
}

/* An addition from beginning to end. */
static gboolean
add (MemlaneProcedureContext *context, gboolean *right, GError **error)
{
  MemlaneDevice *device = context->device;
  const gsize n = 1024, bytes = n * sizeof (float);
  void *a, *out, *host, *back;

  if (!memlane_procedure_malloc (context, MEMLANE_PROCEDURE_PAGEABLE, bytes, &host, error)
      || !memlane_procedure_malloc (context, MEMLANE_PROCEDURE_PAGEABLE, bytes, &back, error)
      || !memlane_procedure_malloc (context, MEMLANE_PROCEDURE_DEVICE, bytes, &a, error)
      || !memlane_procedure_malloc (context, MEMLANE_PROCEDURE_DEVICE, bytes, &out, error)
      || !memlane_procedure_fill (context, host, bytes, 7, error) || !memlane_device_host_fill (device, back, 0xff, bytes, error)
      || !memlane_device_memcpy (device, a, host, bytes, MEMLANE_COPY_TO_DEVICE, error)
      || !memlane_device_launch (device, MEMLANE_KERNEL_ADD, out, a, a, n, NULL, error)
      || !memlane_device_memcpy (device, back, out, bytes, MEMLANE_COPY_TO_HOST, error))
    return FALSE;
  *right = TRUE;
  for (gsize i = 0; i < n; i++)
    *right &= ((float *) back)[i] == ((float *) host)[i] + ((float *) host)[i];
  return memlane_procedure_free (context, out, error) && memlane_procedure_free (context, a, error)
         && memlane_procedure_free (context, back, error) && memlane_procedure_free (context, host, error);
}

static gboolean
next_call_works (MemlaneProcedureContext *context, const char *output, GError **error)
{
  gboolean right = FALSE;
  g_autoptr (GError) problem = NULL;

  memlane_procedure_yes (context, output, add (context, &right, &problem) && right);
  return problem == NULL || !g_error_matches (problem, MEMLANE_DEVICE_ERROR, MEMLANE_DEVICE_ERROR_LOST)
         || (g_propagate_error (error, g_error_copy (problem)), FALSE);
}

static gboolean
ask_for_too_much (MemlaneProcedureContext *context, GError **error)
{
  g_autoptr (GError) problem = NULL;
  const MemlaneDeviceInfo *info = memlane_device_get_info (context->device);
  gsize bytes = MAX ((gsize) info->memory_bytes, (gsize) 1 << 40) / 4096 * 4096 * 2;
  void *pointer;
  gboolean done = memlane_procedure_malloc (context, MEMLANE_PROCEDURE_DEVICE, bytes, &pointer, &problem);

  return report (context, "too-large", done, problem, error) && next_call_works (context, "too-large/next-call", error);
}

static gboolean
free_twice (MemlaneProcedureContext *context, GError **error)
{
  g_autoptr (GError) problem = NULL;
  void *pointer;
  gboolean done;

  /* Large, so that the driver hands the addresses back at once. */
  if (!memlane_procedure_malloc (context, MEMLANE_PROCEDURE_DEVICE, 64 << 20, &pointer, error)
      || !memlane_procedure_free (context, pointer, error))
    return FALSE;
  done = memlane_device_free (context->device, pointer, &problem);
  return report (context, "free-twice", done, problem, error) && next_call_works (context, "free-twice/next-call", error);
}

static gboolean
free_foreign (MemlaneProcedureContext *context, GError **error)
{
  g_autoptr (GError) problem = NULL, host_problem = NULL;
  g_autofree char *foreign = g_malloc0 (8192); /* nothing that CUDA knows */
  gboolean done = memlane_device_free (context->device, foreign, &problem);
  gboolean host_done = memlane_device_free_host (context->device, foreign, &host_problem);

  return report (context, "free-foreign", done, problem, error) && next_call_works (context, "free-foreign/next-call", error)
         && report (context, "free-host-foreign", host_done, host_problem, error)
         && next_call_works (context, "free-host-foreign/next-call", error);
}

static gboolean
ask_for_pointer (MemlaneProcedureContext *context, GError **error)
{
  g_autoptr (GError) problem = NULL, pinned_problem = NULL;
  g_autofree char *foreign = g_malloc0 (8192);
  void *pinned, *pointer;
  gboolean done = memlane_device_host_get_device_pointer (context->device, foreign, &pointer, &problem);

  if (!report (context, "pointer-of-pageable", done, problem, error)
      || !next_call_works (context, "pointer-of-pageable/next-call", error)
      || !memlane_procedure_malloc (context, MEMLANE_PROCEDURE_PINNED, 4096, &pinned, error))
    return FALSE;
  done = memlane_device_host_get_device_pointer (context->device, pinned, &pointer, &pinned_problem);
  return report (context, "pointer-of-pinned", done, pinned_problem, error);
}

static gboolean
run (MemlaneProcedureContext *context, GError **error)
{
  return ask_for_too_much (context, error) && free_twice (context, error) && free_foreign (context, error)
         && ask_for_pointer (context, error);
}

const MemlaneProcedure memlane_procedure_errors = {
  .id = "errors-on-purpose",
  .summary = "too large an allocation, freeing twice, freeing a foreign pointer, a device pointer of unmapped memory; each followed by an "
             "addition",
  .outputs = {
    .words = "too-large too-large/next-call free-twice free-twice/next-call free-foreign free-foreign/next-call free-host-foreign "
             "free-host-foreign/next-call pointer-of-pageable pointer-of-pageable/next-call pointer-of-pinned",
  },
  .run = run,
};
