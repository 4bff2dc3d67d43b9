/* calls.c: the parts of main(): what is asked, allocated, timed and released
 *
 * SPDX-License-Identifier: MIT
 *
 * Who adds a kind of host memory adds it to add_host_memory() and memlane_program_add_release(), who adds a way to travel adds it to
 * add_timed_calls(). tests/code compiles and runs every program, and compares its calls with those of a trace of the mode.
 */
#include "mode/transfer.h"
#include "program-private.h"

/* --- before ------------------------------------------------------------------------------------------------- */

static const struct
{
  MemlaneCapabilities capability;
  const char *attribute;
} attributes[] = {
  { MEMLANE_CAN_MAP_HOST_MEMORY, "cudaDevAttrCanMapHostMemory" },
  { MEMLANE_CAN_UNIFIED_ADDRESSING, "cudaDevAttrUnifiedAddressing" },
  { MEMLANE_CAN_MANAGED_MEMORY, "cudaDevAttrManagedMemory" },
  { MEMLANE_CAN_CONCURRENT_MANAGED, "cudaDevAttrConcurrentManagedAccess" },
  { MEMLANE_CAN_HOST_REGISTER, "cudaDevAttrHostRegisterSupported" },
  { MEMLANE_CAN_MEMORY_POOLS, "cudaDevAttrMemoryPoolsSupported" },
  { MEMLANE_CAN_PAGEABLE_ACCESS, "cudaDevAttrPageableMemoryAccess" },
  { MEMLANE_CAN_CONCURRENT_KERNELS, "cudaDevAttrConcurrentKernels" },
  { MEMLANE_CAN_COPY_ASYNC, "cudaDevAttrAsyncEngineCount" },
  { MEMLANE_CAN_HOST_POINTER_REGISTERED, "cudaDevAttrCanUseHostPointerForRegisteredMem" },
};

void
memlane_program_add_needs (MemlaneProgram *program)
{
  for (guint i = 0; i < G_N_ELEMENTS (attributes); i++)
    if ((program->mode->needs & attributes[i].capability) != 0)
      g_string_append_printf (program->text, "  need(%s, \"%s\");\n", attributes[i].attribute,
                              memlane_capability_name (attributes[i].capability));
  if (program->mode->needs != 0)
    g_string_append_c (program->text, '\n');
}

static void
add_malloc (MemlaneProgram *program, const char *why)
{
  g_string_append_printf (program->text,
                          "%s"
                          "  float *a = (float *) malloc(BYTES), *b = (float *) malloc(BYTES), *c = (float *) malloc(BYTES);\n"
                          "  if (a == NULL || b == NULL || c == NULL) {\n"
                          "    fprintf(stderr, \"malloc: 3 x %%zu bytes: there is not enough memory: make LOG2_N smaller.\\n\", BYTES);\n"
                          "    return 1;\n"
                          "  }\n", why);
}

/* @call with @ for the vector. */
static void
add_host_calls (MemlaneProgram *program, const char *why, const char *inputs_call, const char *result_call)
{
  g_string_append (program->text, why);
  g_string_append (program->text, "  float *a, *b, *c;\n");
  memlane_program_add_each (program, "ab", inputs_call);
  memlane_program_add_each (program, "c", result_call);
}

static void
add_host_memory (MemlaneProgram *program)
{
  const MemlaneMode *mode = program->mode;

#define HOST_ALLOC(flags) "  CHECK(cudaHostAlloc(&@, BYTES, " flags "));\n"
  switch (mode->input_memory)
    {
    case MEMLANE_HOST_PAGEABLE:
      add_malloc (program,
                  mode->transfer->resident ? "  // Only to fill the device's vectors, and to check the result.\n"
                  : !memlane_program_has_copies (program)
                    ? "  // Ordinary memory, and the kernel gets these very pointers.\n"
                    : "  // Ordinary memory. No copy engine can reach it: the driver copies it through a page-locked buffer of its own.\n");
      break;
    case MEMLANE_HOST_PINNED:
      add_host_calls (program,
                      "  // Page-locked, so that the copy engine reads and writes it directly. Locking takes long: allocate once, use\n"
                      "  // often. Without the casts C++ would take its own overload, which calls cudaHostAlloc.\n",
                      "  CHECK(cudaMallocHost((void **) &@, BYTES));\n", "  CHECK(cudaMallocHost((void **) &@, BYTES));\n");
      break;
    case MEMLANE_HOST_ALLOCATED:
      add_host_calls (program, "  // Page-locked: only from and to such memory do asynchronous copies return at once.\n",
                      HOST_ALLOC ("cudaHostAllocDefault"), HOST_ALLOC ("cudaHostAllocDefault"));
      break;
    case MEMLANE_HOST_PORTABLE:
      add_host_calls (program, "  // Page-locked for every device of the process, not only for the one that is current now.\n",
                      HOST_ALLOC ("cudaHostAllocPortable"), HOST_ALLOC ("cudaHostAllocPortable"));
      break;
    case MEMLANE_HOST_WRITE_COMBINED:
      add_host_calls (program,
                      "  // The inputs bypass the processor's caches: good to write in order, very slow to read. So the result,\n"
                      "  // which the host reads, is ordinary page-locked memory.\n",
                      HOST_ALLOC ("cudaHostAllocWriteCombined"), HOST_ALLOC ("cudaHostAllocDefault"));
      break;
    case MEMLANE_HOST_MAPPED:
      add_host_calls (program,
                      memlane_program_is_mapped (program)
                      ? "  // Page-locked, and mapped into the device's address space: the kernel reaches it over the link.\n"
                      : "  // Page-locked and mapped. With unified addressing the device knows it by the same pointers.\n",
                      HOST_ALLOC ("cudaHostAllocMapped"), HOST_ALLOC ("cudaHostAllocMapped"));
      break;
    case MEMLANE_HOST_MAPPED_WRITE_COMBINED:
      add_host_calls (program,
                      "  // Page-locked, and mapped into the device's address space. The inputs bypass the processor's caches; the\n"
                      "  // result does not, for the host reads it.\n",
                      HOST_ALLOC ("cudaHostAllocMapped | cudaHostAllocWriteCombined"), HOST_ALLOC ("cudaHostAllocMapped"));
      break;
    case MEMLANE_HOST_REGISTERED:
    case MEMLANE_HOST_REGISTERED_MAPPED:
      add_malloc (program, "  // Ordinary memory, which somebody else may have allocated ...\n");
      g_string_append_printf (program->text, "  // ... is page-locked%s afterwards.\n",
                              memlane_program_is_mapped (program) ? " and mapped into the device's address space" : "");
      memlane_program_add_each (program, "abc", memlane_program_is_mapped (program)
                                                ? "  CHECK(cudaHostRegister(@, BYTES, cudaHostRegisterMapped));\n"
                                                : "  CHECK(cudaHostRegister(@, BYTES, cudaHostRegisterDefault));\n");
      break;
    case MEMLANE_HOST_MANAGED:
      add_host_calls (program, "  // One memory for both sides: pages move to whoever touches them.\n",
                      "  CHECK(cudaMallocManaged(&@, BYTES));\n", "  CHECK(cudaMallocManaged(&@, BYTES));\n");
      break;
    case MEMLANE_HOST_MANAGED_STATIC:
      return; /* declared in front of main() */
    default:
      g_return_if_reached ();
    }
#undef HOST_ALLOC
  g_string_append_c (program->text, '\n');
}

void
memlane_program_add_allocation (MemlaneProgram *program)
{
  GString *text = program->text;
  const MemlaneTransfer *transfer = program->mode->transfer;

  add_host_memory (program);
  if (memlane_program_has_copies (program) && !transfer->allocates_inside)
    {
      g_string_append (text, "  float *device_a, *device_b, *device_c;\n");
      memlane_program_add_each (program, "abc", "  CHECK(cudaMalloc(&device_@, BYTES));\n");
      g_string_append_c (text, '\n');
    }
  if (memlane_program_is_mapped (program))
    {
      g_string_append (text,
                       "  // The same memory as the device sees it.\n"
                       "  float *device_a, *device_b, *device_c;\n");
      memlane_program_add_each (program, "abc", "  CHECK(cudaHostGetDevicePointer(&device_@, @, 0));\n");
      g_string_append_c (text, '\n');
    }
  if (transfer->lanes == MEMLANE_LANES_ONE)
    g_string_append (text,
                     "  cudaStream_t stream;\n"
                     "  CHECK(cudaStreamCreate(&stream));\n"
                     "\n");
  if (transfer->lanes == MEMLANE_LANES_MANY)
    g_string_append (text,
                     "  cudaStream_t streams[STREAMS];\n"
                     "  for (int i = 0; i < STREAMS; i++)\n"
                     "    CHECK(cudaStreamCreate(&streams[i]));\n"
                     "\n");
  if (transfer == &memlane_transfer_advised)
    g_string_append (text,
                     "  // The inputs are read-mostly: the device keeps copies of its own until the host writes them again. The\n"
                     "  // result stays on the host, and the device writes it over the link.\n"
                     "  CHECK(cudaMemAdvise(a, BYTES, cudaMemAdviseSetReadMostly, DEVICE));\n"
                     "  CHECK(cudaMemAdvise(b, BYTES, cudaMemAdviseSetReadMostly, DEVICE));\n"
                     "  CHECK(cudaMemAdvise(c, BYTES, cudaMemAdviseSetPreferredLocation, HOST));\n"
                     "  CHECK(cudaMemAdvise(c, BYTES, cudaMemAdviseSetAccessedBy, DEVICE));\n"
                     "\n");
}

/* --- the timed calls ------------------------------------------------------------------------------------------- */

#define LAUNCH_CHECK "check_call(cudaGetLastError(), \"add<<<>>>\"); // a launch returns nothing: this tells whether it was accepted\n"

static void
add_blocking_calls (MemlaneProgram *program)
{
  g_string_append (program->text,
                   "    CHECK(cudaMemcpy(device_a, a, BYTES, cudaMemcpyHostToDevice));\n"
                   "    CHECK(cudaMemcpy(device_b, b, BYTES, cudaMemcpyHostToDevice));\n"
                   "    add<<<blocks(N), THREADS>>>(device_c, device_a, device_b, N);\n"
                   "    " LAUNCH_CHECK
                   "    CHECK(cudaMemcpy(c, device_c, BYTES, cudaMemcpyDeviceToHost)); // waits for the kernel, and then for itself\n");
}

static void
add_stream_calls (MemlaneProgram *program)
{
  gboolean pools = program->mode->transfer->allocates_inside;

  if (pools)
    {
      g_string_append (program->text,
                       "    // In the order of the stream, from a pool: the call does not wait for the device as cudaMalloc may.\n"
                       "    float *device_a, *device_b, *device_c;\n");
      memlane_program_add_each (program, "abc", "    CHECK(cudaMallocAsync(&device_@, BYTES, stream));\n");
    }
  if (program->mode->input_memory == MEMLANE_HOST_PAGEABLE)
    g_string_append (program->text, "    // Asynchronous by name alone: from pageable memory the call waits until all has been staged.\n");
  g_string_append (program->text,
                   "    CHECK(cudaMemcpyAsync(device_a, a, BYTES, cudaMemcpyHostToDevice, stream));\n"
                   "    CHECK(cudaMemcpyAsync(device_b, b, BYTES, cudaMemcpyHostToDevice, stream));\n"
                   "    add<<<blocks(N), THREADS, 0, stream>>>(device_c, device_a, device_b, N);\n"
                   "    " LAUNCH_CHECK
                   "    CHECK(cudaMemcpyAsync(c, device_c, BYTES, cudaMemcpyDeviceToHost, stream));\n");
  if (pools)
    memlane_program_add_each (program, "abc", "    CHECK(cudaFreeAsync(device_@, stream));\n");
  g_string_append (program->text, "    CHECK(cudaStreamSynchronize(stream)); // until here c must not be read\n");
}

static void
add_prefetch_calls (MemlaneProgram *program)
{
  g_string_append (program->text,
                   "    prefetch(a, DEVICE, stream);\n"
                   "    prefetch(b, DEVICE, stream);\n"
                   "    prefetch(c, DEVICE, stream); // else the kernel would fault where it writes\n"
                   "    add<<<blocks(N), THREADS, 0, stream>>>(c, a, b, N);\n"
                   "    " LAUNCH_CHECK
                   "    prefetch(c, HOST, stream);\n"
                   "    CHECK(cudaStreamSynchronize(stream)); // until here c must not be read\n");
}

/* The kernel gets @prefix and the vector's name, in the default stream. */
static void
add_plain_launch (MemlaneProgram *program, const char *prefix)
{
  g_string_append_printf (program->text,
                          "    add<<<blocks(N), THREADS>>>(%sc, %sa, %sb, N);\n"
                          "    " LAUNCH_CHECK
                          "    CHECK(cudaDeviceSynchronize()); %s\n", prefix, prefix, prefix,
                          program->mode->transfer->resident ? "// a launch returns before the kernel has run"
                                                          : "// until here c must not be read");
}

static void
add_touch (MemlaneProgram *program)
{
  g_string_append (program->text,
                   "    // The result may be read, but its pages come home only now: one word of each.\n"
                   "    const volatile float *pages = c;\n"
                   "    for (size_t i = 0; i < N; i += 4096 / sizeof(float))\n"
                   "      (void) pages[i];\n");
}

#define CHUNK_LOOP \
  "    for (int chunk = 0; chunk < CHUNKS; chunk++) {\n" \
  "      size_t first = border(chunk), count = border(chunk + 1) - first;\n" \
  "      cudaStream_t stream = streams[chunk % STREAMS];\n" \
  "\n"
#define CHUNK_UP \
  "      CHECK(cudaMemcpyAsync(device_a + first, a + first, count * sizeof(float), cudaMemcpyHostToDevice, stream));\n" \
  "      CHECK(cudaMemcpyAsync(device_b + first, b + first, count * sizeof(float), cudaMemcpyHostToDevice, stream));\n"
#define CHUNK_KERNEL \
  "      add<<<blocks(count), THREADS, 0, stream>>>(device_c + first, device_a + first, device_b + first, count);\n" \
  "      " LAUNCH_CHECK
#define CHUNK_DOWN \
  "      CHECK(cudaMemcpyAsync(c + first, device_c + first, count * sizeof(float), cudaMemcpyDeviceToHost, stream));\n"
#define CHUNK_END "    }\n"

static void
add_chunk_calls (MemlaneProgram *program)
{
  if (program->mode->transfer == &memlane_transfer_depth_first)
    g_string_append (program->text,
                     "    // Depth first: a chunk goes up, is added and comes down, then the next one in the next stream.\n"
                     CHUNK_LOOP CHUNK_UP CHUNK_KERNEL CHUNK_DOWN CHUNK_END);
  else
    g_string_append (program->text,
                     "    // Breadth first: all chunks up, all kernels, all chunks down; the streams keep each chunk's order.\n"
                     CHUNK_LOOP CHUNK_UP CHUNK_END
                     CHUNK_LOOP CHUNK_KERNEL CHUNK_END
                     CHUNK_LOOP CHUNK_DOWN CHUNK_END);
  g_string_append (program->text, "    CHECK(cudaDeviceSynchronize()); // all streams; until here c must not be read\n");
}

static void
add_timed_calls (MemlaneProgram *program)
{
  const MemlaneTransfer *transfer = program->mode->transfer;

  if (transfer == &memlane_transfer_blocking)
    add_blocking_calls (program);
  else if (transfer == &memlane_transfer_async || transfer == &memlane_transfer_async_pageable || transfer == &memlane_transfer_stream_ordered)
    add_stream_calls (program);
  else if (transfer == &memlane_transfer_prefetch)
    add_prefetch_calls (program);
  else if (transfer == &memlane_transfer_depth_first || transfer == &memlane_transfer_breadth_first)
    add_chunk_calls (program);
  else if (transfer == &memlane_transfer_access)
    add_plain_launch (program, memlane_program_is_mapped (program) ? "device_" : "");
  else if (transfer == &memlane_transfer_resident)
    add_plain_launch (program, "device_");
  else if (transfer == &memlane_transfer_faults || transfer == &memlane_transfer_advised)
    {
      add_plain_launch (program, "");
      add_touch (program);
    }
  else
    g_return_if_reached ();
}

void
memlane_program_add_runs (MemlaneProgram *program)
{
  GString *text = program->text;
  const MemlaneTransfer *transfer = program->mode->transfer;

  if (transfer->resident)
    g_string_append (text,
                     "  fill(a, b, c);\n"
                     "  CHECK(cudaMemcpy(device_a, a, BYTES, cudaMemcpyHostToDevice));\n"
                     "  CHECK(cudaMemcpy(device_b, b, BYTES, cudaMemcpyHostToDevice));\n"
                     "\n");
  g_string_append (text,
                   "  double seconds[RUNS];\n"
                   "  for (int run = 0; run < RUNS; run++) {\n");
  if (transfer->starts_on_host)
    g_string_append (text, "    fill(a, b, c); // the host's writes also bring all pages home: every run starts cold\n");
  else if (!transfer->resident)
    g_string_append (text, "    fill(a, b, c);\n");
  if (transfer->before_sample != NULL)
    g_string_append (text,
                     "    // Pages that change sides again at once look like thrashing to the driver, which then lets them lie.\n"
                     "    std::this_thread::sleep_for(std::chrono::milliseconds(1));\n");
  g_string_append (text,
                   transfer->resident ? "    double start = now();\n" : "\n    double start = now();\n");
  add_timed_calls (program);
  g_string_append (text, "    seconds[run] = now() - start;\n");
  g_string_append (text, transfer->resident ? "  }\n\n"
                                            "  CHECK(cudaMemcpy(c, device_c, BYTES, cudaMemcpyDeviceToHost));\n"
                                            "  check(c);\n"
                                          : "\n    check(c);\n  }\n");
}

/* --- after -------------------------------------------------------------------------------------------------------- */

void
memlane_program_add_release (MemlaneProgram *program)
{
  GString *text = program->text;
  const MemlaneTransfer *transfer = program->mode->transfer;

  if (program->mode->input_memory == MEMLANE_HOST_MANAGED_STATIC)
    return; /* nothing was allocated */
  g_string_append_c (text, '\n');
  if (transfer->lanes == MEMLANE_LANES_ONE)
    g_string_append (text, "  CHECK(cudaStreamDestroy(stream));\n");
  if (transfer->lanes == MEMLANE_LANES_MANY)
    g_string_append (text,
                     "  for (int i = 0; i < STREAMS; i++)\n"
                     "    CHECK(cudaStreamDestroy(streams[i]));\n");
  if (memlane_program_has_copies (program) && !transfer->allocates_inside)
    memlane_program_add_each (program, "abc", "  CHECK(cudaFree(device_@));\n");
  switch (program->mode->input_memory)
    {
    case MEMLANE_HOST_PAGEABLE:
      memlane_program_add_each (program, "abc", "  free(@);\n");
      break;
    case MEMLANE_HOST_REGISTERED:
    case MEMLANE_HOST_REGISTERED_MAPPED:
      memlane_program_add_each (program, "abc", "  CHECK(cudaHostUnregister(@));\n");
      memlane_program_add_each (program, "abc", "  free(@);\n");
      break;
    case MEMLANE_HOST_MANAGED:
      memlane_program_add_each (program, "abc", "  CHECK(cudaFree(@));\n");
      break;
    case MEMLANE_HOST_MANAGED_STATIC:
    case MEMLANE_HOST_PINNED:
    case MEMLANE_HOST_ALLOCATED:
    case MEMLANE_HOST_PORTABLE:
    case MEMLANE_HOST_WRITE_COMBINED:
    case MEMLANE_HOST_MAPPED:
    case MEMLANE_HOST_MAPPED_WRITE_COMBINED:
    default:
      memlane_program_add_each (program, "abc", "  CHECK(cudaFreeHost(@));\n");
      break;
    }
}
