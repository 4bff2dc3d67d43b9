/* program.c: the program that a memory mode stands for
 *
 * SPDX-License-Identifier: MIT
 *
 * Texts stand first, in the order of the program, then the two tables: what each kind of host memory and each transfer puts into it. A new
 * kind has a row there, and no mode has a line of its own. tests/engine/program compiles and runs every program, and compares its calls
 * with those of a trace of the mode.
 */
#include "program.h"

#include <string.h>

#include "base/save.h"
#include "kernels/shape.h"
#include "mode/transfer.h"
#include "mode/workload.h"

#define USUAL_LOG2 20
#define USUAL_STREAMS 8
#define USUAL_CHUNKS 8
#define USUAL_PIECES 1024
/* As in engine/mode/buffers.c: no two chunks share a line of 128 bytes. */
#define CHUNK_ALIGNMENT 32
#define COMMENT_WIDTH 96

typedef struct
{
  GString *text;
  const MemlaneMode *mode;
  guint log2_elements;
  guint streams, chunks; /* of the stream modes, as used */
  guint pieces;          /* 0: the vector addition */
} Program;

/* --- texts in front of main() -------------------------------------------------------------------------------------------- */

static const char checks[] =
  "// What to do, as far as the error's name tells.\n"
  "static const char *advice(cudaError_t error)\n"
  "{\n"
  "  switch (error) {\n"
  "  case cudaErrorMemoryAllocation:\n"
  "    return \"There is not enough memory: make LOG2_N smaller.\";\n"
  "  case cudaErrorNoDevice:\n"
  "    return \"No GPU found. Run nvidia-smi, and look at CUDA_VISIBLE_DEVICES.\";\n"
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

static const char ordinary_kernel[] =
  "static const unsigned THREADS = " G_STRINGIFY (MEMLANE_ORDINARY_THREADS) "; // in a block\n"
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

#define SHAPE(capability, blocks) \
  "  if (10 * major + minor == " #capability ")\n" \
  "    return " #blocks ";\n"

static const char shaped_kernel[] =
  "static const unsigned THREADS = " G_STRINGIFY (MEMLANE_SHAPED_THREADS) "; // in a block\n"
  "\n"
  "// A few blocks, each over much of the vectors, read host memory in straighter lines than thousands. How many is best was measured.\n"
  "static unsigned count_blocks()\n"
  "{\n"
  "  int device, major, minor;\n"
  "\n"
  "  CHECK(cudaGetDevice(&device));\n"
  "  CHECK(cudaDeviceGetAttribute(&major, cudaDevAttrComputeCapabilityMajor, device));\n"
  "  CHECK(cudaDeviceGetAttribute(&minor, cudaDevAttrComputeCapabilityMinor, device));\n"
  MEMLANE_SHAPES (SHAPE)
  "  return " G_STRINGIFY (MEMLANE_SHAPED_BLOCKS) "; // a guess: nobody has measured this generation\n"
  "}\n"
  "\n"
  "static unsigned blocks(size_t n)\n"
  "{\n"
  "  static const unsigned most = count_blocks();\n"
  "  unsigned needed = (unsigned) ((n / 4 + THREADS - 1) / THREADS);\n"
  "\n"
  "  return needed == 0 ? 1 : needed < most ? needed : most;\n"
  "}\n"
  "\n"
  "static __device__ float4 sum(float4 a, float4 b)\n"
  "{\n"
  "  return make_float4(a.x + b.x, a.y + b.y, a.z + b.z, a.w + b.w);\n"
  "}\n"
  "\n"
  "__global__ void add(float *__restrict__ c, const float *__restrict__ a, const float *__restrict__ b, size_t n)\n"
  "{\n"
  "  const float4 *a4 = (const float4 *) a, *b4 = (const float4 *) b;\n"
  "  float4 *c4 = (float4 *) c;\n"
  "  size_t first = (size_t) blockIdx.x * blockDim.x + threadIdx.x, stride = (size_t) gridDim.x * blockDim.x, i = first;\n"
  "\n"
  "  for (; i + 3 * stride < n / 4; i += 4 * stride) {\n"
  "    float4 sums[4];\n"
  "\n"
  "#pragma unroll\n"
  "    for (int k = 0; k < 4; k++) // all loads are on their way before the first store\n"
  "      sums[k] = sum(a4[i + k * stride], b4[i + k * stride]);\n"
  "#pragma unroll\n"
  "    for (int k = 0; k < 4; k++)\n"
  "      c4[i + k * stride] = sums[k];\n"
  "  }\n"
  "  for (; i < n / 4; i += stride)\n"
  "    c4[i] = sum(a4[i], b4[i]);\n"
  "  for (i = n / 4 * 4 + first; i < n; i += stride)\n"
  "    c[i] = a[i] + b[i];\n"
  "}\n"
  "\n";

#define NOW \
  "static double now() // seconds\n" \
  "{\n" \
  "  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();\n" \
  "}\n" \
  "\n"

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
  NOW;

#define PLACES \
  "// A place is a structure since CUDA 13; it was a number before.\n" \
  "#if CUDART_VERSION >= 13000\n" \
  "typedef cudaMemLocation Place;\n" \
  "static const Place HOST = {cudaMemLocationTypeHost, 0}, DEVICE = {cudaMemLocationTypeDevice, 0};\n" \
  "#else\n" \
  "typedef int Place;\n" \
  "static const Place HOST = cudaCpuDeviceId, DEVICE = 0;\n" \
  "#endif\n" \
  "\n"

#define PREFETCH \
  "static void prefetch(const float *vector, Place place, cudaStream_t stream)\n" \
  "{\n" \
  "#if CUDART_VERSION >= 13000\n" \
  "  CHECK(cudaMemPrefetchAsync(vector, BYTES, place, 0, stream));\n" \
  "#else\n" \
  "  CHECK(cudaMemPrefetchAsync(vector, BYTES, place, stream));\n" \
  "#endif\n" \
  "}\n" \
  "\n"

/* --- texts of the timed part: @ stands for what the kernel's pointers begin with ------------------------------------------- */

#define LAUNCH_CHECK "check_call(cudaGetLastError(), \"add<<<>>>\"); // a launch returns nothing: this tells whether it was accepted\n"
#define LAUNCH \
  "    add<<<blocks(N), THREADS>>>(@c, @a, @b, N);\n" \
  "    " LAUNCH_CHECK
#define STREAM_LAUNCH \
  "    add<<<blocks(N), THREADS, 0, stream>>>(@c, @a, @b, N);\n" \
  "    " LAUNCH_CHECK
#define STREAM_UP \
  "    CHECK(cudaMemcpyAsync(device_a, a, BYTES, cudaMemcpyHostToDevice, stream));\n" \
  "    CHECK(cudaMemcpyAsync(device_b, b, BYTES, cudaMemcpyHostToDevice, stream));\n"
#define STREAM_DOWN "    CHECK(cudaMemcpyAsync(c, device_c, BYTES, cudaMemcpyDeviceToHost, stream));\n"
#define STREAM_WAIT "    CHECK(cudaStreamSynchronize(stream)); // until here c must not be read\n"
#define DEVICE_WAIT "    CHECK(cudaDeviceSynchronize()); // until here c must not be read\n"
#define TOUCH \
  "    // The result may be read, but its pages come home only now: one word of each.\n" \
  "    const volatile float *pages = c;\n" \
  "    for (size_t i = 0; i < N; i += 4096 / sizeof(float))\n" \
  "      (void) pages[i];\n"
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
#define CHUNK_WAIT "    CHECK(cudaDeviceSynchronize()); // all streams; until here c must not be read\n"

/* --- what a kind of host memory, and a transfer, puts into the program ------------------------------------------------------ */

#define HOST_ALLOC(flags) "  CHECK(cudaHostAlloc(&@, BYTES, " flags "));\n"
#define FREE_HOST "  CHECK(cudaFreeHost(@));\n"

/* Lines stand for each vector, whose name stands for @. */
typedef struct
{
  const char *declared;       /* in front of main(); there is nothing to allocate */
  const char *why;            /* in front of the allocation */
  const char *why_reached;    /* the same where the kernel gets the host's own pointers; NULL: nothing else */
  const char *inputs, *result; /* how they are allocated; NULL: by malloc */
  const char *why_lock, *lock; /* after malloc */
  const char *unlock, *release;
} HostMemory;

static const HostMemory host_memories[] = {
  [MEMLANE_HOST_PAGEABLE] = {
    .why = "  // Ordinary memory. No copy engine can reach it: the driver copies it through a page-locked buffer of its own.\n",
    .why_reached = "  // Ordinary memory, and the kernel gets these very pointers.\n",
    .release = "  free(@);\n",
  },
  [MEMLANE_HOST_PINNED] = {
    .why = "  // Page-locked, so that the copy engine reads and writes it directly. Locking takes long: allocate once, use\n"
           "  // often. Without the casts C++ would take its own overload, which calls cudaHostAlloc.\n",
    .inputs = "  CHECK(cudaMallocHost((void **) &@, BYTES));\n", .result = "  CHECK(cudaMallocHost((void **) &@, BYTES));\n",
    .release = FREE_HOST,
  },
  [MEMLANE_HOST_ALLOCATED] = {
    .why = "  // Page-locked: only from and to such memory do asynchronous copies return at once.\n",
    .inputs = HOST_ALLOC ("cudaHostAllocDefault"), .result = HOST_ALLOC ("cudaHostAllocDefault"), .release = FREE_HOST,
  },
  [MEMLANE_HOST_PORTABLE] = {
    .why = "  // Page-locked for every device of the process, not only for the one that is current now.\n",
    .inputs = HOST_ALLOC ("cudaHostAllocPortable"), .result = HOST_ALLOC ("cudaHostAllocPortable"), .release = FREE_HOST,
  },
  [MEMLANE_HOST_WRITE_COMBINED] = {
    .why = "  // The inputs bypass the processor's caches: good to write in order, very slow to read. So the result,\n"
           "  // which the host reads, is ordinary page-locked memory.\n",
    .inputs = HOST_ALLOC ("cudaHostAllocWriteCombined"), .result = HOST_ALLOC ("cudaHostAllocDefault"), .release = FREE_HOST,
  },
  [MEMLANE_HOST_REGISTERED] = {
    .why = "  // Ordinary memory, which somebody else may have allocated ...\n",
    .why_lock = "  // ... is page-locked afterwards.\n",
    .lock = "  CHECK(cudaHostRegister(@, BYTES, cudaHostRegisterDefault));\n",
    .unlock = "  CHECK(cudaHostUnregister(@));\n", .release = "  free(@);\n",
  },
  [MEMLANE_HOST_MAPPED] = {
    .why = "  // Page-locked, and mapped into the device's address space: the kernel reaches it over the link.\n",
    .why_reached = "  // Page-locked and mapped. With unified addressing the device knows it by the same pointers.\n",
    .inputs = HOST_ALLOC ("cudaHostAllocMapped"), .result = HOST_ALLOC ("cudaHostAllocMapped"), .release = FREE_HOST,
  },
  [MEMLANE_HOST_MAPPED_WRITE_COMBINED] = {
    .why = "  // Page-locked, and mapped into the device's address space. The inputs bypass the processor's caches; the\n"
           "  // result does not, for the host reads it.\n",
    .inputs = HOST_ALLOC ("cudaHostAllocMapped | cudaHostAllocWriteCombined"), .result = HOST_ALLOC ("cudaHostAllocMapped"),
    .release = FREE_HOST,
  },
  [MEMLANE_HOST_REGISTERED_MAPPED] = {
    .why = "  // Ordinary memory, which somebody else may have allocated ...\n",
    .why_lock = "  // ... is page-locked and mapped into the device's address space afterwards.\n",
    .lock = "  CHECK(cudaHostRegister(@, BYTES, cudaHostRegisterMapped));\n",
    .unlock = "  CHECK(cudaHostUnregister(@));\n", .release = "  free(@);\n",
  },
  [MEMLANE_HOST_MANAGED] = {
    .why = "  // One memory for both sides: pages move to whoever touches them.\n",
    .inputs = "  CHECK(cudaMallocManaged(&@, BYTES));\n", .result = "  CHECK(cudaMallocManaged(&@, BYTES));\n",
    .release = "  CHECK(cudaFree(@));\n",
  },
  [MEMLANE_HOST_MANAGED_STATIC] = {
    .declared = "// One memory for both sides, with nothing to allocate: the size is fixed when this is compiled.\n"
                "__managed__ float a[N], b[N], c[N];\n"
                "\n",
  },
};

#define STREAM_ORDERED_CALLS \
  "    float *device_a, *device_b, *device_c;\n" \
  "    CHECK(cudaMallocAsync(&device_a, BYTES, stream));\n" \
  "    CHECK(cudaMallocAsync(&device_b, BYTES, stream));\n" \
  "    CHECK(cudaMallocAsync(&device_c, BYTES, stream));\n" \
  STREAM_UP STREAM_LAUNCH STREAM_DOWN \
  "    CHECK(cudaFreeAsync(device_a, stream));\n" \
  "    CHECK(cudaFreeAsync(device_b, stream));\n" \
  "    CHECK(cudaFreeAsync(device_c, stream));\n"

static const struct
{
  const char *helpers;  /* in front of main() */
  const char *why_host; /* instead of the host memory's own */
  const char *set_up;   /* once, behind the allocations */
  const char *calls;    /* timed */
  const char *release;  /* before the host memory */
} transfers[MEMLANE_N_TRANSFERS] = {
  [MEMLANE_TRANSFER_BLOCKING] = {
    .calls = "    CHECK(cudaMemcpy(device_a, a, BYTES, cudaMemcpyHostToDevice));\n"
             "    CHECK(cudaMemcpy(device_b, b, BYTES, cudaMemcpyHostToDevice));\n"
             LAUNCH
             "    CHECK(cudaMemcpy(c, device_c, BYTES, cudaMemcpyDeviceToHost)); // waits for the kernel, and then for itself\n",
  },
  [MEMLANE_TRANSFER_ASYNC] = { .calls = STREAM_UP STREAM_LAUNCH STREAM_DOWN STREAM_WAIT },
  [MEMLANE_TRANSFER_ASYNC_PAGEABLE] = {
    .calls = "    // Asynchronous by name alone: from pageable memory the call waits until all has been staged.\n"
             STREAM_UP STREAM_LAUNCH STREAM_DOWN STREAM_WAIT,
  },
  [MEMLANE_TRANSFER_STREAM_ORDERED] = {
    .calls = "    // In the order of the stream, from a pool, which begins without memory: it keeps nothing over a synchronisation.\n"
             STREAM_ORDERED_CALLS STREAM_WAIT,
  },
  [MEMLANE_TRANSFER_STREAM_ORDERED_KEPT] = {
    .set_up = "  // A pool gives its free memory back at each synchronisation, unless it is told to keep it.\n"
              "  int device;\n"
              "  cudaMemPool_t pool;\n"
              "  unsigned long long keep = ~0ull;\n"
              "  CHECK(cudaGetDevice(&device));\n"
              "  CHECK(cudaDeviceGetDefaultMemPool(&pool, device));\n"
              "  CHECK(cudaMemPoolSetAttribute(pool, cudaMemPoolAttrReleaseThreshold, &keep));\n"
              "\n",
    .calls = "    // In the order of the stream, from the pool: after the first run it has what is asked for.\n"
             STREAM_ORDERED_CALLS STREAM_WAIT,
    .release = "  CHECK(cudaMemPoolTrimTo(pool, 0));\n",
  },
  [MEMLANE_TRANSFER_ACCESS] = { .calls = LAUNCH DEVICE_WAIT },
  [MEMLANE_TRANSFER_RESIDENT] = {
    .why_host = "  // Only to fill the device's vectors, and to check the result.\n",
    .calls = LAUNCH "    CHECK(cudaDeviceSynchronize()); // a launch returns before the kernel has run\n",
  },
  [MEMLANE_TRANSFER_FAULTS] = { .calls = LAUNCH DEVICE_WAIT TOUCH },
  [MEMLANE_TRANSFER_PREFETCH] = {
    .helpers = PLACES PREFETCH,
    .calls = "    prefetch(a, DEVICE, stream);\n"
             "    prefetch(b, DEVICE, stream);\n"
             "    prefetch(c, DEVICE, stream); // else the kernel would fault where it writes\n"
             STREAM_LAUNCH
             "    prefetch(c, HOST, stream);\n"
             STREAM_WAIT,
  },
  [MEMLANE_TRANSFER_ADVISED] = {
    .helpers = PLACES,
    .set_up = "  // The inputs are read-mostly: the device keeps copies of its own until the host writes them again. The\n"
              "  // result stays on the host, and the device writes it over the link.\n"
              "  CHECK(cudaMemAdvise(a, BYTES, cudaMemAdviseSetReadMostly, DEVICE));\n"
              "  CHECK(cudaMemAdvise(b, BYTES, cudaMemAdviseSetReadMostly, DEVICE));\n"
              "  CHECK(cudaMemAdvise(c, BYTES, cudaMemAdviseSetPreferredLocation, HOST));\n"
              "  CHECK(cudaMemAdvise(c, BYTES, cudaMemAdviseSetAccessedBy, DEVICE));\n"
              "\n",
    .calls = LAUNCH DEVICE_WAIT TOUCH,
  },
  [MEMLANE_TRANSFER_DEPTH_FIRST] = {
    .calls = "    // Depth first: a chunk goes up, is added and comes down, then the next one in the next stream.\n"
             CHUNK_LOOP CHUNK_UP CHUNK_KERNEL CHUNK_DOWN CHUNK_END CHUNK_WAIT,
  },
  [MEMLANE_TRANSFER_BREADTH_FIRST] = {
    .calls = "    // Breadth first: all chunks up, all kernels, all chunks down; the streams keep each chunk's order.\n"
             CHUNK_LOOP CHUNK_UP CHUNK_END
             CHUNK_LOOP CHUNK_KERNEL CHUNK_END
             CHUNK_LOOP CHUNK_DOWN CHUNK_END CHUNK_WAIT,
  },
};

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

/* --- scattered pieces ---------------------------------------------------------------------------------------------------------- */

#define PIECES_LOOP(lines) "    for (size_t i = 0; i < PIECES; i++)\n" lines
#define PIECE_COPY \
  "cudaMemcpyAsync(vector + i * PIECE, pool + places[i] * PIECE, bytes_of(i), cudaMemcpyHostToDevice, stream)"
#define PACKING(first, last) \
  "      for (size_t i = " first "; i < " last "; i++)\n" \
  "        memcpy(staging + i * PIECE, pool + places[i] * PIECE, bytes_of(i));\n"
#define PACKED_SET_UP \
  "  // Page-locked, for all pieces: only this buffer has to be.\n" \
  "  float *staging;\n" \
  "  CHECK(cudaMallocHost((void **) &staging, N * sizeof(float)));\n\n"
#define PACKED_COPY "    CHECK(cudaMemcpyAsync(vector, staging, N * sizeof(float), cudaMemcpyHostToDevice, stream));\n"

static const char pieces_front[] =
  "static const size_t PIECE = (N + PIECES - 1) / PIECES; // floats in each piece; the last may have fewer\n"
  "static const size_t BYTES = 2 * PIECES * PIECE * sizeof(float); // of the pool: every second place stays free\n"
  "\n"
  "static float at(size_t i)\n"
  "{\n"
  "  return (float) (i & 0xffff);\n"
  "}\n"
  "\n"
  NOW;

static const char bytes_of_piece[] =
  "static size_t bytes_of(size_t piece)\n"
  "{\n"
  "  return (piece + 1 < PIECES ? PIECE : N - piece * PIECE) * sizeof(float);\n"
  "}\n"
  "\n";

static const char gather_kernel[] =
  "// Each thread moves one float, and the threads of a block follow each other over the link.\n"
  "__global__ void gather(float *vector, const float *pool, const unsigned *places, size_t piece, size_t n)\n"
  "{\n"
  "  size_t stride = (size_t) gridDim.x * blockDim.x;\n"
  "\n"
  "  for (size_t i = (size_t) blockIdx.x * blockDim.x + threadIdx.x; i < n; i += stride)\n"
  "    vector[i] = pool[places[i / piece] * piece + i % piece];\n"
  "}\n"
  "\n";

static const struct
{
  const char *helpers; /* in front of main() */
  const char *set_up, *calls, *release;
} pieces_ways[] = {
  [MEMLANE_PIECES_LOOP] = { .calls = PIECES_LOOP ("      CHECK(" PIECE_COPY ");\n") },
  [MEMLANE_PIECES_BATCH] = {
    .helpers = "#if CUDART_VERSION < 12080\n"
               "#error cudaMemcpyBatchAsync came with CUDA 12.8\n"
               "#endif\n"
               "\n",
    .set_up = "  std::vector<void *> to(PIECES), from(PIECES);\n"
              "  std::vector<size_t> sizes(PIECES);\n"
              "  for (size_t i = 0; i < PIECES; i++) {\n"
              "    to[i] = vector + i * PIECE;\n"
              "    from[i] = pool + places[i] * PIECE;\n"
              "    sizes[i] = bytes_of(i);\n"
              "  }\n"
              "  cudaMemcpyAttributes attributes = {}; // the same for all: from the first copy on\n"
              "  attributes.srcAccessOrder = cudaMemcpySrcAccessOrderStream;\n"
              "  size_t first = 0;\n\n",
    .calls = "#if CUDART_VERSION >= 13000\n"
             "    CHECK(cudaMemcpyBatchAsync(to.data(), (const void *const *) from.data(), sizes.data(), PIECES, &attributes,\n"
             "      &first, 1, stream));\n"
             "#else\n"
             "    size_t failed;\n"
             "    CHECK(cudaMemcpyBatchAsync(to.data(), from.data(), sizes.data(), PIECES, &attributes, &first, 1, &failed, stream));\n"
             "#endif\n",
  },
  [MEMLANE_PIECES_PACKED] = {
    .set_up = PACKED_SET_UP, .release = "  CHECK(cudaFreeHost(staging));\n",
    .calls = "    {\n" PACKING ("0", "PIECES") "    }\n" PACKED_COPY,
  },
  [MEMLANE_PIECES_GRAPH] = {
    .set_up = "  // Recorded once, launched as often as the places stay the same.\n"
              "  cudaGraph_t graph;\n"
              "  cudaGraphExec_t launchable;\n"
              "  CHECK(cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal));\n"
              "  for (size_t i = 0; i < PIECES; i++)\n"
              "    CHECK(" PIECE_COPY ");\n"
              "  CHECK(cudaStreamEndCapture(stream, &graph));\n"
              "  CHECK(cudaGraphInstantiateWithFlags(&launchable, graph, 0));\n"
              "  CHECK(cudaGraphDestroy(graph));\n\n",
    .calls = "    CHECK(cudaGraphLaunch(launchable, stream));\n", .release = "  CHECK(cudaGraphExecDestroy(launchable));\n",
  },
  [MEMLANE_PIECES_KERNEL] = {
    .helpers = gather_kernel,
    .set_up = "  unsigned *device_places;\n"
              "  CHECK(cudaMalloc(&device_places, PIECES * sizeof(unsigned)));\n"
              "  CHECK(cudaMemcpy(device_places, places.data(), PIECES * sizeof(unsigned), cudaMemcpyHostToDevice));\n\n",
    .calls = "    gather<<<BLOCKS, THREADS>>>(vector, @pool, device_places, PIECE, N);\n"
             "    check_call(cudaGetLastError(), \"gather<<<>>>\"); // a launch returns nothing: this tells whether it was accepted\n"
             "    CHECK(cudaDeviceSynchronize());\n",
    .release = "  CHECK(cudaFree(device_places));\n",
  },
  [MEMLANE_PIECES_PREFETCH] = {
    .helpers = "#if CUDART_VERSION >= 13000\n"
               "static const cudaMemLocation DEVICE = {cudaMemLocationTypeDevice, 0}; // a number before\n"
               "#else\n"
               "static const int DEVICE = 0;\n"
               "#endif\n"
               "\n",
    .calls = PIECES_LOOP ("#if CUDART_VERSION >= 13000\n"
                          "      CHECK(cudaMemPrefetchAsync(pool + places[i] * PIECE, bytes_of(i), DEVICE, 0, stream));\n"
                          "#else\n"
                          "      CHECK(cudaMemPrefetchAsync(pool + places[i] * PIECE, bytes_of(i), DEVICE, stream));\n"
                          "#endif\n"),
  },
};

#define SEVERAL_THREADS \
  "    std::vector<std::thread> threads;\n" \
  "    for (size_t t = 0; t < THREADS; t++)\n" \
  "      threads.emplace_back([&, t] {\n" \
  PACKING ("PIECES * t / THREADS", "PIECES * (t + 1) / THREADS") \
  "      });\n" \
  "    for (std::thread &thread : threads)\n" \
  "      thread.join();\n"

/* --- in front of main() ------------------------------------------------------------------------------------------------------ */

/* The same lines for each of @vectors ("abc"), which stands where the lines say @. */
static void
add_each (Program *program, const char *vectors, const char *lines)
{
  for (const char *vector = vectors; lines != NULL && *vector != '\0'; vector++)
    for (const char *c = lines; *c != '\0'; c++)
      g_string_append_c (program->text, *c == '@' ? *vector : *c);
}

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
add_head (Program *program)
{
  GString *text = program->text;
  const char *id = program->mode->id;

  if (program->pieces > 0)
    g_string_append_printf (text, "// %s.cu: 2^%u floats in %u scattered pieces to the device in the memory mode \"%s\"\n//\n", id,
                            program->log2_elements, program->pieces, id);
  else
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
  if (program->pieces > 0)
    g_string_append (text, "#include <cstring>\n#include <numeric>\n#include <random>\n");
  if (program->mode->transfer->before_sample != NULL || program->mode->transfer->threads > 1)
    g_string_append (text, "#include <thread>\n");
  if (program->pieces > 0)
    g_string_append (text, "#include <vector>\n");
  g_string_append (text,
                   "\n"
                   "#include <cuda_runtime.h>\n"
                   "\n");
}

static void
add_sizes (Program *program)
{
  g_string_append_printf (program->text,
                          "static const int LOG2_N = %u;\n"
                          "static const size_t N = (size_t) 1 << LOG2_N; // floats in each vector\n"
                          "static const size_t BYTES = N * sizeof(float);\n"
                          "static const int RUNS = 11; // an odd number has a median; the first run also loads the kernel\n",
                          program->log2_elements);
  if (program->mode->transfer->lanes == MEMLANE_LANES_MANY)
    g_string_append_printf (program->text,
                            "static const int STREAMS = %u;\n"
                            "static const int CHUNKS = %u;\n", program->streams, program->chunks);
  g_string_append_c (program->text, '\n');
  if (host_memories[program->mode->input_memory].declared != NULL)
    g_string_append (program->text, host_memories[program->mode->input_memory].declared);
}

static void
add_need_function (Program *program)
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

static void
add_borders (Program *program)
{
  if (program->mode->transfer->lanes != MEMLANE_LANES_MANY)
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

static void
add_front (Program *program)
{
  const char *helpers = transfers[program->mode->transfer->kind].helpers;

  add_head (program);
  add_sizes (program);
  g_string_append (program->text, checks);
  add_need_function (program);
  g_string_append (program->text, program->mode->shaped_kernel ? shaped_kernel : ordinary_kernel);
  g_string_append (program->text, inputs);
  add_borders (program);
  if (helpers != NULL)
    g_string_append (program->text, helpers);
}

static void
add_pieces_front (Program *program)
{
  const MemlaneTransfer *transfer = program->mode->transfer;
  GString *text = program->text;

  add_head (program);
  g_string_append_printf (text,
                          "static const int LOG2_N = %u;\n"
                          "static const size_t N = (size_t) 1 << LOG2_N; // floats\n"
                          "static const size_t PIECES = %u;\n"
                          "static const int RUNS = 11; // an odd number has a median; the first run also loads what is needed\n",
                          program->log2_elements, program->pieces);
  if (transfer->threads > 1)
    g_string_append_printf (text, "static const size_t THREADS = %u;\n", transfer->threads);
  if (transfer->pieces == MEMLANE_PIECES_KERNEL && program->mode->shaped_kernel)
    g_string_append (text, "static const unsigned THREADS = " G_STRINGIFY (MEMLANE_SHAPED_THREADS) ", BLOCKS = "
                           G_STRINGIFY (MEMLANE_SHAPED_BLOCKS) "; // a few blocks that walk over the pieces\n");
  else if (transfer->pieces == MEMLANE_PIECES_KERNEL)
    g_string_append (text, "static const unsigned THREADS = " G_STRINGIFY (MEMLANE_ORDINARY_THREADS)
                           ", BLOCKS = (unsigned) ((N + THREADS - 1) / THREADS);\n");
  g_string_append (text, pieces_front);
  if (transfer->pieces != MEMLANE_PIECES_KERNEL)
    g_string_append (text, bytes_of_piece);
  g_string_append (text, checks);
  add_need_function (program);
  if (pieces_ways[transfer->pieces].helpers != NULL)
    g_string_append (text, pieces_ways[transfer->pieces].helpers);
}

/* --- main() ---------------------------------------------------------------------------------------------------------------------- */

static void
add_needs (Program *program)
{
  for (guint i = 0; i < G_N_ELEMENTS (attributes); i++)
    if ((program->mode->needs & attributes[i].capability) != 0)
      g_string_append_printf (program->text, "  need(%s, \"%s\");\n", attributes[i].attribute,
                              memlane_capability_name (attributes[i].capability));
  if (program->mode->needs != 0)
    g_string_append_c (program->text, '\n');
}

static void
add_host_memory (Program *program)
{
  const MemlaneMode *mode = program->mode;
  const HostMemory *memory = &host_memories[mode->input_memory];
  const char *why = transfers[mode->transfer->kind].why_host;

  if (memory->declared != NULL)
    return;
  if (why == NULL)
    why = mode->reach == MEMLANE_REACH_SAME_POINTER && memory->why_reached != NULL ? memory->why_reached : memory->why;
  g_string_append (program->text, why);
  if (memory->inputs == NULL)
    g_string_append (program->text,
                     "  float *a = (float *) malloc(BYTES), *b = (float *) malloc(BYTES), *c = (float *) malloc(BYTES);\n"
                     "  if (a == NULL || b == NULL || c == NULL) {\n"
                     "    fprintf(stderr, \"malloc: 3 x %zu bytes: there is not enough memory: make LOG2_N smaller.\\n\", BYTES);\n"
                     "    return 1;\n"
                     "  }\n");
  else
    g_string_append (program->text, "  float *a, *b, *c;\n");
  add_each (program, "ab", memory->inputs);
  add_each (program, "c", memory->result);
  if (memory->lock != NULL)
    g_string_append (program->text, memory->why_lock);
  add_each (program, "abc", memory->lock);
  g_string_append_c (program->text, '\n');
}

static void
add_allocation (Program *program)
{
  GString *text = program->text;
  const MemlaneTransfer *transfer = program->mode->transfer;

  add_host_memory (program);
  if (program->mode->reach == MEMLANE_REACH_DEVICE_COPY && !transfer->allocates_inside)
    {
      g_string_append (text, "  float *device_a, *device_b, *device_c;\n");
      add_each (program, "abc", "  CHECK(cudaMalloc(&device_@, BYTES));\n");
      g_string_append_c (text, '\n');
    }
  if (program->mode->reach == MEMLANE_REACH_DEVICE_POINTER)
    {
      g_string_append (text,
                       "  // The same memory as the device sees it.\n"
                       "  float *device_a, *device_b, *device_c;\n");
      add_each (program, "abc", "  CHECK(cudaHostGetDevicePointer(&device_@, @, 0));\n");
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
  if (transfers[transfer->kind].set_up != NULL)
    g_string_append (text, transfers[transfer->kind].set_up);
}

static void
add_timed_calls (Program *program)
{
  const char *prefix = program->mode->reach == MEMLANE_REACH_SAME_POINTER ? "" : "device_";

  for (const char *c = transfers[program->mode->transfer->kind].calls; *c != '\0'; c++)
    if (*c == '@')
      g_string_append (program->text, prefix);
    else
      g_string_append_c (program->text, *c);
}

static void
add_runs (Program *program)
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

static void
add_release (Program *program)
{
  GString *text = program->text;
  const MemlaneTransfer *transfer = program->mode->transfer;
  gsize begin = text->len;

  if (transfer->lanes == MEMLANE_LANES_ONE)
    g_string_append (text, "  CHECK(cudaStreamDestroy(stream));\n");
  if (transfer->lanes == MEMLANE_LANES_MANY)
    g_string_append (text,
                     "  for (int i = 0; i < STREAMS; i++)\n"
                     "    CHECK(cudaStreamDestroy(streams[i]));\n");
  if (program->mode->reach == MEMLANE_REACH_DEVICE_COPY && !transfer->allocates_inside)
    add_each (program, "abc", "  CHECK(cudaFree(device_@));\n");
  if (transfers[transfer->kind].release != NULL)
    g_string_append (text, transfers[transfer->kind].release);
  add_each (program, "abc", host_memories[program->mode->input_memory].unlock);
  add_each (program, "abc", host_memories[program->mode->input_memory].release);
  if (text->len > begin)
    g_string_insert_c (text, (gssize) begin, '\n');
}

/* @lines, with "pool" where they say @. */
static void
add_for_pool (Program *program, const char *lines)
{
  for (const char *c = lines; lines != NULL && *c != '\0'; c++)
    if (*c == '@')
      g_string_append (program->text, "pool");
    else
      g_string_append_c (program->text, *c);
}

static void
add_pieces_main (Program *program)
{
  const MemlaneMode *mode = program->mode;
  const HostMemory *memory = &host_memories[mode->input_memory];
  const gboolean managed = mode->transfer->pieces == MEMLANE_PIECES_PREFETCH, has_stream = mode->transfer->lanes == MEMLANE_LANES_ONE;
  GString *text = program->text;

  g_string_append (text, mode->reach == MEMLANE_REACH_SAME_POINTER && memory->why_reached != NULL ? memory->why_reached : memory->why);
  if (memory->inputs == NULL)
    g_string_append (text,
                     "  float *pool = (float *) malloc(BYTES);\n"
                     "  if (pool == NULL) {\n"
                     "    fprintf(stderr, \"malloc: %zu bytes: there is not enough memory: make LOG2_N smaller.\\n\", BYTES);\n"
                     "    return 1;\n"
                     "  }\n");
  else
    g_string_append (text, "  float *pool;\n");
  add_for_pool (program, memory->inputs);
  if (memory->lock != NULL)
    g_string_append (text, memory->why_lock);
  add_for_pool (program, memory->lock);
  if (mode->reach == MEMLANE_REACH_DEVICE_POINTER)
    g_string_append (text, "  float *device_pool; // the same memory as the device sees it\n"
                           "  CHECK(cudaHostGetDevicePointer(&device_pool, pool, 0));\n");
  if (!managed)
    g_string_append (text, "  float *vector;\n"
                           "  CHECK(cudaMalloc(&vector, N * sizeof(float)));\n");
  if (has_stream)
    g_string_append (text, "  cudaStream_t stream;\n"
                           "  CHECK(cudaStreamCreate(&stream));\n");
  g_string_append (text,
                   "\n"
                   "  // Scattered: piece i lies in places[i].\n"
                   "  std::vector<unsigned> places(2 * PIECES);\n"
                   "  std::iota(places.begin(), places.end(), 0u);\n"
                   "  std::shuffle(places.begin(), places.end(), std::mt19937(1));\n"
                   "\n");
  if (pieces_ways[mode->transfer->pieces].set_up != NULL)
    g_string_append (text, pieces_ways[mode->transfer->pieces].set_up);
  g_string_append (text,
                   "  std::vector<float> found(N);\n"
                   "  double seconds[RUNS];\n"
                   "  for (int run = 0; run < RUNS; run++) {\n"
                   "    for (size_t i = 0; i < N; i++)\n"
                   "      pool[places[i / PIECE] * PIECE + i % PIECE] = at(i + run);\n"
                   "\n"
                   "    double start = now();\n");
  if (mode->transfer->threads > 1)
    g_string_append (text, SEVERAL_THREADS PACKED_COPY);
  else
    for (const char *c = pieces_ways[mode->transfer->pieces].calls; *c != '\0'; c++)
      if (*c == '@')
        g_string_append (text, mode->reach == MEMLANE_REACH_DEVICE_POINTER ? "device_" : "");
      else
        g_string_append_c (text, *c);
  if (has_stream)
    g_string_append (text, "    CHECK(cudaStreamSynchronize(stream));\n");
  g_string_append (text,
                   "    seconds[run] = now() - start;\n"
                   "\n");
  if (managed)
    g_string_append (text, "    for (size_t i = 0; i < N; i++)\n"
                           "      found[i] = pool[places[i / PIECE] * PIECE + i % PIECE];\n");
  else
    g_string_append (text, "    CHECK(cudaMemcpy(found.data(), vector, N * sizeof(float), cudaMemcpyDeviceToHost));\n");
  g_string_append (text,
                   "    for (size_t i = 0; i < N; i++)\n"
                   "      if (found[i] != at(i + run)) {\n"
                   "        fprintf(stderr, \"float %zu is %g, expected %g: its piece did not arrive.\\n\", i, found[i], at(i + run));\n"
                   "        return 1;\n"
                   "      }\n"
                   "  }\n"
                   "\n");
  if (pieces_ways[mode->transfer->pieces].release != NULL)
    g_string_append (text, pieces_ways[mode->transfer->pieces].release);
  if (has_stream)
    g_string_append (text, "  CHECK(cudaStreamDestroy(stream));\n");
  if (!managed)
    g_string_append (text, "  CHECK(cudaFree(vector));\n");
  add_for_pool (program, memory->unlock);
  add_for_pool (program, memory->release);
  g_string_append_printf (text,
                          "\n"
                          "  std::sort(seconds, seconds + RUNS);\n"
                          "  double median = seconds[RUNS / 2];\n"
                          "  printf(\"%s: %%zu pieces of %%zu bytes: %%.3f ms, %%.2f GB/s, ok\\n\", PIECES, PIECE * sizeof(float), "
                          "median * 1e3,\n"
                          "    N * sizeof(float) / median * 1e-9);\n"
                          "  return 0;\n"
                          "}\n", mode->id);
}

char *
memlane_program_for_mode (const MemlaneMode *mode, gboolean of_pieces, guint log2_elements, guint streams, guint chunks)
{
  guint log2 = log2_elements != 0 ? log2_elements : USUAL_LOG2;
  guint pieces = (guint) MAX (((gsize) 1 << log2) / CHUNK_ALIGNMENT, 1);
  guint used = MIN (MIN (chunks != 0 ? chunks : USUAL_CHUNKS, MEMLANE_MOST_CHUNKS), pieces);
  Program program = {
    .text = g_string_new (NULL),
    .mode = mode,
    .log2_elements = log2,
    .streams = MIN (MIN (streams != 0 ? streams : USUAL_STREAMS, MEMLANE_MOST_STREAMS), used),
    .chunks = used,
  };

  if ((of_pieces || memlane_mode_is_of_pieces (mode)) && mode->transfer->pieces != MEMLANE_PIECES_NOT)
    {
      const gsize asked = MIN (chunks != 0 ? chunks : USUAL_PIECES, (gsize) 1 << log2), piece = (((gsize) 1 << log2) + asked - 1) / asked;

      program.pieces = (guint) ((((gsize) 1 << log2) + piece - 1) / piece);
      add_pieces_front (&program);
      g_string_append (program.text, "int main()\n{\n");
      add_needs (&program);
      add_pieces_main (&program);
      return g_string_free (program.text, FALSE);
    }
  add_front (&program);
  g_string_append (program.text, "int main()\n{\n");
  add_needs (&program);
  add_allocation (&program);
  add_runs (&program);
  add_release (&program);
  g_string_append_printf (program.text,
                          "\n"
                          "  std::sort(seconds, seconds + RUNS);\n"
                          "  double median = seconds[RUNS / 2];\n"
                          "  printf(\"%s: 2^%%d floats: %%.3f ms, %%.2f GB/s, ok\\n\", LOG2_N, median * 1e3, 3 * BYTES / median * 1e-9);\n"
                          "  return 0;\n"
                          "}\n", mode->id);
  return g_string_free (program.text, FALSE);
}

char *
memlane_program_file_name (const MemlaneMode *mode)
{
  return g_strconcat (mode->id, ".cu", NULL);
}

static gboolean
holds_already (const char *path, const char *text)
{
  g_autofree char *content = NULL;
  gsize length;

  return !memlane_save_is_stream (path) && g_file_get_contents (path, &content, &length, NULL) && length == strlen (text)
         && memcmp (content, text, length) == 0;
}

gboolean
memlane_program_write (const char *text, const char *path, GError **error)
{
  g_autoptr (MemlaneSave) save = NULL;

  if (holds_already (path, text))
    return TRUE;
  save = memlane_save_prepare (path, text, strlen (text), error);
  return save != NULL && memlane_save_commit (save, error);
}
