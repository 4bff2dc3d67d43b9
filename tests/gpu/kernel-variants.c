/* kernel-variants.c: a table of launches of the vector addition, on real hardware
 *
 * SPDX-License-Identifier: MIT
 *
 * No test. Run this on a new generation of GPUs: the best row of the mapped columns belongs into kernels/shape.h. Each figure is the
 * median of latched launches (event to event), each variant's result is verified at an odd size, and the variants take turns, so that a
 * drift of the clocks meets all alike.
 */
#include "kernels/kernels.h"
#include "kernels/reference.h"

#include <glib.h>
#include <stdlib.h>
#include <string.h>

#define ROUNDS 41
#define ODD_SIZE (((gsize) 1 << 16) + 4099)

static const struct
{
  const char *title;
  gboolean mapped;
  int log2_elements;
} columns[] = {
  { "device 2^26", FALSE, 26 }, { "device 2^20", FALSE, 20 }, { "mapped 2^24", TRUE, 24 }, { "mapped 2^20", TRUE, 20 },
  { "mapped 2^16", TRUE, 16 },
  { "mapped 2^14", TRUE, 14 },
};

static void
must (cudaError_t status, const char *what)
{
  if (status == cudaSuccess)
    return;
  g_printerr ("kernel-variants: %s: %s: %s\n", what, cudaGetErrorName (status), cudaGetErrorString (status));
  exit (1);
}

static int
compare_floats (const void *a, const void *b)
{
  float x = *(const float *) a, y = *(const float *) b;

  return (x > y) - (x < y);
}

/* Blocks of the shaped kernel; 0 is the ordinary one. */
static const unsigned shapes[] = { 0, 4, 8, 16, 24, 32, 40, 48, 56, 66, 80, 96, 112, 132, 160, 192, 264, 528 };

static cudaError_t
launch (int variant, float *const *v, gsize n, cudaStream_t stream)
{
  return memlane_kernel_launch (v[2], v[0], v[1], n, shapes[variant], stream);
}

/* Microseconds of one launch. */
static float
measure (int variant, float *const *v, gsize n, MemlaneLatchWord *latch, cudaStream_t stream, cudaEvent_t start, cudaEvent_t stop)
{
  static uint32_t ticket = 0;
  float ms = 0;

  must (memlane_kernel_latch_launch (latch, ++ticket, 200 * 1000 * 1000, stream), "latch");
  must (cudaEventRecord (start, stream), "cudaEventRecord");
  must (launch (variant, v, n, stream), "launch");
  must (cudaEventRecord (stop, stream), "cudaEventRecord");
  __atomic_store_n (&latch->released, ticket, __ATOMIC_SEQ_CST);
  must (cudaStreamSynchronize (stream), "cudaStreamSynchronize");
  must (cudaEventElapsedTime (&ms, start, stop), "cudaEventElapsedTime");
  return ms * 1e3f;
}

static gboolean
is_right (int variant, float *const *host, float *const *mapped, cudaStream_t stream)
{
  g_autofree float *expected = g_new (float, ODD_SIZE);

  memset (host[2], 0xff, (ODD_SIZE + 1) * sizeof (float));
  must (launch (variant, mapped, ODD_SIZE, stream), "launch");
  must (cudaStreamSynchronize (stream), "cudaStreamSynchronize");
  memlane_reference_add (expected, host[0], host[1], ODD_SIZE);
  return memcmp (expected, host[2], ODD_SIZE * sizeof (float)) == 0 && ((guint32 *) host[2])[ODD_SIZE] == 0xffffffff;
}

int
main (void)
{
  const int variants = G_N_ELEMENTS (shapes);
  const gsize mapped_bytes = sizeof (float) << 24, device_bytes = sizeof (float) << 26;
  float *host[3], *mapped[3], *device[3];
  g_autofree float *samples = g_new (float, (gsize) variants * ROUNDS);
  g_autofree float *medians = g_new (float, (gsize) variants * G_N_ELEMENTS (columns));
  MemlaneLatchWord *latch = NULL;
  cudaStream_t stream;
  cudaEvent_t start, stop;

  must (cudaSetDevice (0), "cudaSetDevice");
  must (memlane_kernels_load (), "memlane_kernels_load");
  must (cudaStreamCreateWithFlags (&stream, cudaStreamNonBlocking), "cudaStreamCreateWithFlags");
  must (cudaEventCreate (&start), "cudaEventCreate");
  must (cudaEventCreate (&stop), "cudaEventCreate");
  must (cudaHostAlloc ((void **) &latch, sizeof *latch, cudaHostAllocMapped), "cudaHostAlloc");
  memset (latch, 0, sizeof *latch);
  for (int i = 0; i < 3; i++)
    {
      must (cudaHostAlloc ((void **) &host[i], mapped_bytes, cudaHostAllocMapped), "cudaHostAlloc");
      must (cudaHostGetDevicePointer ((void **) &mapped[i], host[i], 0), "cudaHostGetDevicePointer");
      must (cudaMalloc ((void **) &device[i], device_bytes), "cudaMalloc");
      for (gsize e = 0; e < mapped_bytes / sizeof (float); e++)
        host[i][e] = (float) (guint32) (e * 2654435761u + (guint32) i) / 65536.0f;
      for (gsize at = 0; at < device_bytes; at += mapped_bytes)
        must (cudaMemcpy ((char *) device[i] + at, host[i], mapped_bytes, cudaMemcpyHostToDevice), "cudaMemcpy");
    }

  /* Also loads each variant before the first latch. */
  for (int v = 0; v < variants; v++)
    if (!is_right (v, host, mapped, stream))
      {
        g_printerr ("kernel-variants: the result with %u blocks is wrong\n", shapes[v]);
        return 1;
      }

  for (gsize c = 0; c < G_N_ELEMENTS (columns); c++)
    {
      float *const *vectors = columns[c].mapped ? mapped : device;
      /* A third of a second for the column that takes longest. */
      int rounds = columns[c].log2_elements >= 24 && columns[c].mapped ? 11 : ROUNDS;

      for (int round = -1; round < rounds; round++) /* one to warm up */
        for (int v = 0; v < variants; v++)
          {
            float us = measure (v, vectors, (gsize) 1 << columns[c].log2_elements, latch, stream, start, stop);

            if (round >= 0)
              samples[v * ROUNDS + round] = us;
          }
      for (int v = 0; v < variants; v++)
        {
          qsort (samples + v * ROUNDS, rounds, sizeof (float), compare_floats);
          medians[(gsize) v * G_N_ELEMENTS (columns) + c] = samples[v * ROUNDS + rounds / 2];
        }
    }

  g_print ("microseconds, and GB/s of 12 bytes an element (mapped: of the 8 that are read)\n%-36s", "");
  for (gsize c = 0; c < G_N_ELEMENTS (columns); c++)
    g_print ("%20s", columns[c].title);
  g_print ("\n");
  for (int v = 0; v < variants; v++)
    {
      g_autofree char *name = shapes[v] == 0 ? g_strdup ("one element a thread") : g_strdup_printf ("shaped, %u blocks", shapes[v]);

      g_print ("%-36s", name);
      for (gsize c = 0; c < G_N_ELEMENTS (columns); c++)
        {
          double us = medians[(gsize) v * G_N_ELEMENTS (columns) + c];

          g_print ("%12.2f %7.1f", us, (columns[c].mapped ? 8.0 : 12.0) * ((gsize) 1 << columns[c].log2_elements) / us / 1e3);
        }
      g_print ("\n");
    }

  return 0;
}
