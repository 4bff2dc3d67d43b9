/* errors.c: errors on purpose: each one's name, and whether the next call works
 *
 * SPDX-License-Identifier: MIT
 */
#include "procedure.h"

/* An addition from beginning to end. */
static gboolean
add (MemlaneProcedureContext *context, gboolean *right, GError **error)
{
  MemlaneDevice *device = context->device;
  const gsize n = 1024, bytes = n * sizeof (float);
  void *a, *out, *host, *back;

  if (!memlane_procedure_take (context, error, { MEMLANE_TAKE_PAGEABLE, &host, bytes, 7 },
                               { MEMLANE_TAKE_PAGEABLE, &back, bytes, MEMLANE_BYTES (0xff) },
                               { MEMLANE_TAKE_DEVICE, &a, bytes },
                               { MEMLANE_TAKE_DEVICE, &out, bytes })
      || !memlane_device_memcpy (device, a, host, bytes, MEMLANE_COPY_TO_DEVICE, error)
      || !memlane_device_launch (device, MEMLANE_KERNEL_ADD, out, a, a, n, NULL, error)
      || !memlane_device_memcpy (device, back, out, bytes, MEMLANE_COPY_TO_HOST, error))
    return FALSE;
  *right = TRUE;
  for (gsize i = 0; i < n; i++)
    *right &= ((float *) back)[i] == ((float *) host)[i] + ((float *) host)[i];
  return memlane_procedure_free (context, out, error) && memlane_procedure_free (context, a, error)
         && memlane_procedure_free (context, back, error)
         && memlane_procedure_free (context, host, error);
}

/* FALSE: @problem (nullable) ends all others. */
static gboolean
go_on_after (const GError *problem, GError **error)
{
  if (!g_error_matches (problem, MEMLANE_DEVICE_ERROR, MEMLANE_DEVICE_ERROR_LOST))
    return TRUE;
  g_propagate_error (error, g_error_copy (problem));
  return FALSE;
}

/* Tells what a call gave, and whether the next one works (@next, nullable: the output of that).
 * @problem (nullable) (transfer full) */
static gboolean
report (MemlaneProcedureContext *context, const char *output, const char *next, GError *problem,
        GError **error)
{
  g_autoptr (GError) given = problem, next_problem = NULL;
  gboolean right = FALSE;

  if (given == NULL)
    memlane_procedure_word (context, output, "success");
  else
    {
      memlane_procedure_word_of_error (context, output, given->message, "unnamed");
      memlane_procedure_note (context, "%s", given->message);
    }
  if (!go_on_after (given, error))
    return FALSE;
  if (next != NULL)
    memlane_procedure_yes (context, next, add (context, &right, &next_problem) && right);
  return go_on_after (next_problem, error);
}

static gboolean
run (MemlaneProcedureContext *context, GError **error)
{
  MemlaneDevice *device = context->device;
  gsize too_large = MAX ((gsize) memlane_device_get_info (device)->memory_bytes, (gsize) 1 << 40)
                    / 4096 * 4096 * 2;
  g_autofree char *foreign = g_malloc0 (8192); /* nothing that CUDA knows */
  GError *problem = NULL;
  void *pointer, *pinned;

  memlane_procedure_take (context, &problem, { MEMLANE_TAKE_DEVICE, &pointer, too_large });
  if (!report (context, "too-large", "too-large/next-call", g_steal_pointer (&problem), error)
      /* Large, so that the driver hands the addresses back at once. */
      || !memlane_procedure_take (context, error, { MEMLANE_TAKE_DEVICE, &pointer, 64 << 20 })
      || !memlane_procedure_free (context, pointer, error))
    return FALSE;
  memlane_device_free (device, pointer, &problem);
  if (!report (context, "free-twice", "free-twice/next-call", g_steal_pointer (&problem), error))
    return FALSE;
  memlane_device_free (device, foreign, &problem);
  if (!report (context, "free-foreign", "free-foreign/next-call", g_steal_pointer (&problem),
               error))
    return FALSE;
  memlane_device_free_host (device, foreign, &problem);
  if (!report (context, "free-host-foreign", "free-host-foreign/next-call",
               g_steal_pointer (&problem), error))
    return FALSE;
  memlane_device_host_get_device_pointer (device, foreign, &pointer, &problem);
  if (!report (context, "pointer-of-pageable", "pointer-of-pageable/next-call",
               g_steal_pointer (&problem), error)
      || !memlane_procedure_take (context, error, { MEMLANE_TAKE_PINNED, &pinned, 4096 }))
    return FALSE;
  memlane_device_host_get_device_pointer (device, pinned, &pointer, &problem);
  return report (context, "pointer-of-pinned", NULL, problem, error);
}

const MemlaneProcedure memlane_procedure_errors = {
  .id = "errors-on-purpose",
  .summary = "too large an allocation, freeing twice, freeing a foreign pointer, a device pointer "
             "of unmapped memory; each followed by an "
             "addition",
  .outputs = {
    .words = "too-large too-large/next-call free-twice free-twice/next-call free-foreign "
             "free-foreign/next-call free-host-foreign "
             "free-host-foreign/next-call pointer-of-pageable pointer-of-pageable/next-call "
             "pointer-of-pinned",
  },
  .run = run,
};
