/* frame.c: what stands in front of main(): the head, sizes, checks, the kernel, inputs and result
 *
 * SPDX-License-Identifier: MIT
 */
#include <string.h>

#include "mode/transfer.h"
#include "program-private.h"

#define COMMENT_WIDTH 96

/* @words as a comment, broken at blanks. */
static void
add_comment (GString *text, const char *words)
{
  g_auto (GStrv) parts = g_strsplit (words, " ", -1);
  gsize column = 0;

  for (guint i = 0; parts[i] != NULL; i++)
    {
      if (column > 0 && column + 1 + strlen (parts[i]) > COMMENT_WIDTH)
        {
          g_string_append_c (text, '\n');
          column = 0;
        }
      g_string_append (text, column == 0 ? "// " : " ");
      g_string_append (text, parts[i]);
      column += (column == 0 ? 3 : 1) + strlen (parts[i]);
    }
  g_string_append_c (text, '\n');
}

static void
add_head (MemlaneProgram *program)
{
  GString *text = program->text;
  const char *id = program->mode->id;

  g_string_append_printf (text, "// %s.cu: c[i] = a[i] + b[i] over 2^%u floats in the memory mode \"%s\"\n//\n", id,
                          program->log2_elements, id);
  add_comment (text, program->mode->summary);
  g_string_append_printf (text,
                          "//\n"
                          "//   nvcc -O3 -o %s %s.cu\n"
                          "//   ./%s\n"
                          "//\n"
                          "// Prints the median time from the first call until the host may read the result. Exit status:\n"
                          "// 0: ok; 1: a call failed, or the result is wrong; 2: this device cannot run the mode.\n"
                          "// Written by memlane-cli code. SPDX-License-Identifier: MIT\n"
                          "\n", id, id, id);
  g_string_append (text,
                   "#include <algorithm>\n"
                   "#include <chrono>\n"
                   "#include <cstdio>\n"
                   "#include <cstdlib>\n");
  if (program->mode->transfer->before_sample != NULL)
    g_string_append (text, "#include <thread>\n");
  g_string_append (text,
                   "\n"
                   "#include <cuda_runtime.h>\n"
                   "\n");
}

static void
add_sizes (MemlaneProgram *program)
{
  g_string_append_printf (program->text,
                          "static const int LOG2_N = %u;\n"
                          "static const size_t N = (size_t) 1 << LOG2_N; // floats in each vector\n"
                          "static const size_t BYTES = N * sizeof(float);\n"
                          "static const int RUNS = 11; // an odd number has a median; the first run also loads the kernel\n",
                          program->log2_elements);
  if (memlane_program_has_streams (program))
    g_string_append_printf (program->text,
                            "static const int STREAMS = %u;\n"
                            "static const int CHUNKS = %u;\n", program->streams, program->chunks);
  g_string_append_c (program->text, '\n');
  if (program->mode->input_memory == MEMLANE_HOST_MANAGED_STATIC)
    g_string_append (program->text,
                     "// One memory for both sides, with nothing to allocate: the size is fixed when this is compiled.\n"
                     "__managed__ float a[N], b[N], c[N];\n"
                     "\n");
}

static const char checks[] =
  "// What to do, as far as the error's name tells.\n"
  "static const char *advice(cudaError_t error)\n"
  "{\n"
  "  switch (error) {\n"
  "  case cudaErrorMemoryAllocation:\n"
  "    return \"There is not enough memory: make LOG2_N smaller.\";\n"
  "  case cudaErrorNoDevice:\n"
  "    return \"No GPU is to be seen: ask nvidia-smi, and look at CUDA_VISIBLE_DEVICES.\";\n"
  "  case cudaErrorInsufficientDriver:\n"
  "    return \"The NVIDIA driver is missing, or older than this CUDA: ask nvidia-smi.\";\n"
  "  case cudaErrorNoKernelImageForDevice:\n"
  "  case cudaErrorUnsupportedPtxVersion:\n"
  "    return \"Build for this GPU: nvcc -arch=native.\";\n"
  "  default:\n"
  "    return \"Run it under compute-sanitizer, which names the place where it went wrong.\";\n"
  "  }\n"
  "}\n"
  "\n"
  "static void check_call(cudaError_t error, const char *call)\n"
  "{\n"
  "  if (error == cudaSuccess)\n"
  "    return;\n"
  "  fprintf(stderr, \"%s: %s: %s\\n%s\\n\", call, cudaGetErrorName(error), cudaGetErrorString(error), advice(error));\n"
  "  exit(1);\n"
  "}\n"
  "\n"
  "// Every call is checked where it is made: an error that is passed over shows up in a later, innocent one.\n"
  "#define CHECK(call) check_call(call, #call)\n"
  "\n";

static void
add_needs (MemlaneProgram *program)
{
  if (program->mode->needs == 0)
    return;
  g_string_append_printf (program->text,
                          "// Asked first: better to be told what is missing than to meet it as some call's error.\n"
                          "static void need(cudaDeviceAttr attribute, const char *name)\n"
                          "{\n"
                          "  int device, value;\n"
                          "\n"
                          "  CHECK(cudaGetDevice(&device));\n"
                          "  CHECK(cudaDeviceGetAttribute(&value, attribute, device));\n"
                          "  if (value == 0) {\n"
                          "    fprintf(stderr, \"%s needs %%s, which is 0 on this device; pageable and pinned run on any.\\n\", name);\n"
                          "    exit(2);\n"
                          "  }\n"
                          "}\n"
                          "\n", program->mode->id);
}

static const char kernel[] =
  "static const unsigned THREADS = 256; // in a block\n"
  "\n"
  "static unsigned blocks(size_t n)\n"
  "{\n"
  "  return (unsigned) ((n + THREADS - 1) / THREADS);\n"
  "}\n"
  "\n"
  "__global__ void add(float *c, const float *a, const float *b, size_t n)\n"
  "{\n"
  "  size_t i = (size_t) blockIdx.x * blockDim.x + threadIdx.x;\n"
  "\n"
  "  if (i < n) // the last block may have threads to spare\n"
  "    c[i] = a[i] + b[i];\n"
  "}\n"
  "\n";

static const char inputs[] =
  "// Sums of small whole numbers are exact: a result is right or wrong, and nothing between.\n"
  "static float a_at(size_t i)\n"
  "{\n"
  "  return (float) (i & 1023);\n"
  "}\n"
  "\n"
  "static float b_at(size_t i)\n"
  "{\n"
  "  return (float) (7 * i & 1023);\n"
  "}\n"
  "\n"
  "static void fill(float *a, float *b, float *c)\n"
  "{\n"
  "  for (size_t i = 0; i < N; i++) {\n"
  "    a[i] = a_at(i);\n"
  "    b[i] = b_at(i);\n"
  "    c[i] = -1; // no sum: what was never written is found\n"
  "  }\n"
  "}\n"
  "\n"
  "static void check(const float *c)\n"
  "{\n"
  "  for (size_t i = 0; i < N; i++)\n"
  "    if (c[i] != a_at(i) + b_at(i)) {\n"
  "      fprintf(stderr, \"c[%zu] is %g, expected %g: was it read before the device had written it?\\n\", i, c[i], a_at(i) + b_at(i));\n"
  "      exit(1);\n"
  "    }\n"
  "}\n"
  "\n"
  "static double now() // seconds\n"
  "{\n"
  "  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();\n"
  "}\n"
  "\n";

static void
add_borders (MemlaneProgram *program)
{
  if (!memlane_program_has_streams (program))
    return;
  /* As memlane_buffers_get_chunk(): the plain quotient is the same where it is a whole number of lines. */
  if (((gsize) 1 << program->log2_elements) % program->chunks == 0)
    g_string_append (program->text,
                     "// Where a chunk begins, and the one before it ends.\n"
                     "static size_t border(int chunk)\n"
                     "{\n"
                     "  return N / CHUNKS * chunk;\n"
                     "}\n"
                     "\n");
  else
    g_string_append (program->text,
                     "// Where a chunk begins, and the one before it ends: on lines of 128 bytes, so that no two chunks share one.\n"
                     "static size_t border(int chunk)\n"
                     "{\n"
                     "  return N / 32 * chunk / CHUNKS * 32;\n"
                     "}\n"
                     "\n");
}

static const char places[] =
  "// A place is a structure since CUDA 13; it was a number before.\n"
  "#if CUDART_VERSION >= 13000\n"
  "typedef cudaMemLocation Place;\n"
  "static const Place HOST = {cudaMemLocationTypeHost, 0}, DEVICE = {cudaMemLocationTypeDevice, 0};\n"
  "#else\n"
  "typedef int Place;\n"
  "static const Place HOST = cudaCpuDeviceId, DEVICE = 0;\n"
  "#endif\n"
  "\n";

static const char prefetch[] =
  "static void prefetch(const float *vector, Place place, cudaStream_t stream)\n"
  "{\n"
  "#if CUDART_VERSION >= 13000\n"
  "  CHECK(cudaMemPrefetchAsync(vector, BYTES, place, 0, stream));\n"
  "#else\n"
  "  CHECK(cudaMemPrefetchAsync(vector, BYTES, place, stream));\n"
  "#endif\n"
  "}\n"
  "\n";

void
memlane_program_add_frame (MemlaneProgram *program)
{
  const MemlaneTransfer *transfer = program->mode->transfer;

  add_head (program);
  add_sizes (program);
  g_string_append (program->text, checks);
  add_needs (program);
  g_string_append (program->text, kernel);
  g_string_append (program->text, inputs);
  add_borders (program);
  if (transfer == &memlane_transfer_prefetch || transfer == &memlane_transfer_advised)
    g_string_append (program->text, places);
  if (transfer == &memlane_transfer_prefetch)
    g_string_append (program->text, prefetch);
}
