/* fake-cudart.c: a CUDA runtime without a GPU, so that the programs of memlane-cli code run, and may fail, anywhere
 *
 * SPDX-License-Identifier: MIT
 *
 * Linked into a program instead of libcudart. As lazy as the standard allows: what is asynchronous happens only when somebody waits for it,
 * so that a program that forgets to wait reads an old result. As strict as a GPU: a pointer that the device cannot reach, a copy in
 * the wrong direction or a wrong release is cudaErrorInvalidValue. Told by the environment:
 *
 *   FAKE_CUDART_LOG    a file: each call as "NAME BYTES STREAM" (0: the default stream; others from 1 in the order of creation; -: none),
 *                      at the end "leaked N"
 *   FAKE_CUDART_FAIL   the number (from 1) of the call that fails with cudaErrorUnknown
 *   FAKE_CUDART_LACKS  the number (from 1) of the attribute asked for that is 0
 *   FAKE_CUDART_WRONG  "1": the kernel forgets its last element; "copy": every asynchronous copy does
 *   FAKE_CUDART_PAGEABLE  the device reaches pageable memory
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cuda.h>
#include <cuda_runtime_api.h>

typedef enum { PAGEABLE, PINNED, MAPPED, MANAGED, DEVICE } Kind;

typedef struct Block
{
  struct Block *next;
  char *at;
  size_t bytes;
  Kind kind;
  int registered; /* the memory is malloc's */
  int is_static;  /* a __managed__ array: nobody's to free */
} Block;

typedef struct Operation
{
  struct Operation *next;
  cudaStream_t stream;
  void *to;
  const void *from, *from_too; /* from_too: the addition */
  size_t bytes;
  Block *freed;
} Operation;

/* What a stream's capture has recorded. */
typedef struct
{
  size_t n;
  Operation *copies;
} Captured;

static Captured *capturing;
static Block *blocks;
static Operation *queue;
static unsigned long calls, asked, streams, streams_out;
static cudaError_t last_error;

/* A call: logged, counted, and failed on request. */
static cudaError_t
enter (const char *name, size_t bytes, long stream)
{
  const char *path = getenv ("FAKE_CUDART_LOG"), *fail = getenv ("FAKE_CUDART_FAIL");
  FILE *log = path != NULL ? fopen (path, "a") : NULL;

  if (log != NULL)
    {
      if (stream < 0)
        fprintf (log, "%s %zu -\n", name, bytes);
      else
        fprintf (log, "%s %zu %ld\n", name, bytes, stream);
      fclose (log);
    }
  calls++;
  return fail != NULL && strtoul (fail, NULL, 10) == calls ? cudaErrorUnknown : cudaSuccess;
}

#define ENTER(name, bytes, stream) \
  do { cudaError_t status = enter (name, bytes, stream); if (status != cudaSuccess) return status; } while (0)
#define NO_STREAM -1
#define NUMBER(stream) ((long) (size_t) (stream))

__attribute__ ((destructor)) static void
say_leaks (void)
{
  const char *path = getenv ("FAKE_CUDART_LOG");
  FILE *log = path != NULL ? fopen (path, "a") : NULL;
  unsigned long n = streams_out;

  for (Block *block = blocks; block != NULL; block = block->next)
    n += !block->is_static;
  if (log == NULL)
    return;
  fprintf (log, "leaked %lu\n", n);
  fclose (log);
}

/* --- memory -------------------------------------------------------------------------------------------------------- */

static Block *
find (const void *at, size_t bytes)
{
  for (Block *block = blocks; block != NULL; block = block->next)
    if ((const char *) at >= block->at && (const char *) at + bytes <= block->at + block->bytes)
      return block;
  return NULL;
}

static Kind
kind_of (const void *at, size_t bytes)
{
  const Block *block = find (at, bytes);

  return block != NULL ? block->kind : PAGEABLE;
}

static void
add_block (char *at, size_t bytes, Kind kind, int registered)
{
  Block *block = calloc (1, sizeof *block);

  *block = (Block) { .next = blocks, .at = at, .bytes = bytes, .kind = kind, .registered = registered };
  blocks = block;
}

static cudaError_t
allocate (void **pointer, size_t bytes, Kind kind)
{
  char *at = malloc (bytes);

  if (at == NULL)
    return cudaErrorMemoryAllocation;
  memset (at, 0x5a, bytes);
  add_block (at, bytes, kind, 0);
  *pointer = at;
  return cudaSuccess;
}

static void
drop (Block *gone)
{
  for (Block **link = &blocks; *link != NULL; link = &(*link)->next)
    if (*link == gone)
      {
        *link = gone->next;
        break;
      }
  if (!gone->registered)
    free (gone->at);
  free (gone);
}

/* --- work that waits ---------------------------------------------------------------------------------------------------- */

static void
perform (const Operation *operation)
{
  if (operation->freed != NULL)
    drop (operation->freed);
  else if (operation->from_too != NULL)
    {
      size_t n = operation->bytes / sizeof (float) - (getenv ("FAKE_CUDART_WRONG") != NULL);

      for (size_t i = 0; i < n; i++)
        ((float *) operation->to)[i] = ((const float *) operation->from)[i] + ((const float *) operation->from_too)[i];
    }
  else if (operation->to != NULL)
    memcpy (operation->to, operation->from,
            operation->bytes - (getenv ("FAKE_CUDART_WRONG") != NULL && strcmp (getenv ("FAKE_CUDART_WRONG"), "copy") == 0 ? 4 : 0));
}

/* Does all that @stream has queued, or all there is. */
static void
wait_for (cudaStream_t stream, int all)
{
  for (Operation **link = &queue; *link != NULL;)
    {
      Operation *operation = *link;

      if (!all && operation->stream != stream)
        {
          link = &operation->next;
          continue;
        }
      *link = operation->next;
      perform (operation);
      free (operation);
    }
}

static void
put (Operation operation)
{
  Operation **link = &queue, *copy = malloc (sizeof *copy);

  while (*link != NULL)
    link = &(*link)->next;
  *copy = operation;
  copy->next = NULL;
  *link = copy;
}

/* --- the calls ------------------------------------------------------------------------------------------------------------ */

const char *
cudaGetErrorName (cudaError_t error)
{
  return error == cudaErrorUnknown ? "cudaErrorUnknown" : error == cudaErrorInvalidValue ? "cudaErrorInvalidValue" : "another error";
}

const char *
cudaGetErrorString (cudaError_t error)
{
  return "as the fake runtime says";
}

cudaError_t
cudaGetLastError (void)
{
  cudaError_t error = last_error;

  ENTER ("cudaGetLastError", 0, NO_STREAM);
  last_error = cudaSuccess;
  return error;
}

cudaError_t
cudaGetDevice (int *device)
{
  ENTER ("cudaGetDevice", 0, NO_STREAM);
  *device = 0;
  return cudaSuccess;
}

cudaError_t
cudaDeviceGetAttribute (int *value, enum cudaDeviceAttr attribute, int device)
{
  const char *lacks = getenv ("FAKE_CUDART_LACKS");

  ENTER ("cudaDeviceGetAttribute", 0, NO_STREAM);
  *value = lacks == NULL || strtoul (lacks, NULL, 10) != ++asked;
  return cudaSuccess;
}

cudaError_t
cudaMallocHost (void **pointer, size_t bytes)
{
  ENTER ("cudaMallocHost", bytes, NO_STREAM);
  return allocate (pointer, bytes, PINNED);
}

cudaError_t
cudaHostAlloc (void **pointer, size_t bytes, unsigned flags)
{
  ENTER ("cudaHostAlloc", bytes, NO_STREAM);
  return allocate (pointer, bytes, flags & cudaHostAllocMapped ? MAPPED : PINNED);
}

cudaError_t
cudaFreeHost (void *pointer)
{
  Block *block = find (pointer, 1);

  ENTER ("cudaFreeHost", 0, NO_STREAM);
  wait_for (NULL, 1);
  if (block == NULL || block->at != pointer || block->registered || (block->kind != PINNED && block->kind != MAPPED))
    return cudaErrorInvalidValue;
  drop (block);
  return cudaSuccess;
}

cudaError_t
cudaHostRegister (void *pointer, size_t bytes, unsigned flags)
{
  ENTER ("cudaHostRegister", bytes, NO_STREAM);
  if (find (pointer, 1) != NULL)
    return cudaErrorHostMemoryAlreadyRegistered;
  add_block (pointer, bytes, flags & cudaHostRegisterMapped ? MAPPED : PINNED, 1);
  return cudaSuccess;
}

cudaError_t
cudaHostUnregister (void *pointer)
{
  Block *block = find (pointer, 1);

  ENTER ("cudaHostUnregister", 0, NO_STREAM);
  if (block == NULL || block->at != pointer || !block->registered)
    return cudaErrorHostMemoryNotRegistered;
  drop (block);
  return cudaSuccess;
}

cudaError_t
cudaHostGetDevicePointer (void **device, void *host, unsigned flags)
{
  ENTER ("cudaHostGetDevicePointer", 0, NO_STREAM);
  if (kind_of (host, 1) != MAPPED)
    return cudaErrorInvalidValue;
  *device = host;
  return cudaSuccess;
}

cudaError_t
cudaMalloc (void **pointer, size_t bytes)
{
  ENTER ("cudaMalloc", bytes, NO_STREAM);
  return allocate (pointer, bytes, DEVICE);
}

cudaError_t
cudaMallocManaged (void **pointer, size_t bytes, unsigned flags)
{
  ENTER ("cudaMallocManaged", bytes, NO_STREAM);
  return allocate (pointer, bytes, MANAGED);
}

cudaError_t
cudaFree (void *pointer)
{
  Block *block = find (pointer, 1);

  ENTER ("cudaFree", 0, NO_STREAM);
  wait_for (NULL, 1);
  if (block == NULL || block->at != pointer || (block->kind != DEVICE && block->kind != MANAGED))
    return cudaErrorInvalidValue;
  drop (block);
  return cudaSuccess;
}

cudaError_t
cudaMallocAsync (void **pointer, size_t bytes, cudaStream_t stream)
{
  ENTER ("cudaMallocAsync", bytes, NUMBER (stream));
  return allocate (pointer, bytes, DEVICE);
}

cudaError_t
cudaFreeAsync (void *pointer, cudaStream_t stream)
{
  Block *block = find (pointer, 1);

  ENTER ("cudaFreeAsync", 0, NUMBER (stream));
  if (block == NULL || block->at != pointer || block->kind != DEVICE)
    return cudaErrorInvalidValue;
  put ((Operation) { .stream = stream, .freed = block });
  return cudaSuccess;
}

cudaError_t
cudaDeviceGetDefaultMemPool (cudaMemPool_t *pool, int device)
{
  ENTER ("cudaDeviceGetDefaultMemPool", 0, NO_STREAM);
  *pool = (cudaMemPool_t) &queue;
  return device == 0 ? cudaSuccess : cudaErrorInvalidValue;
}

cudaError_t
cudaMemPoolSetAttribute (cudaMemPool_t pool, enum cudaMemPoolAttr attribute, void *value)
{
  ENTER ("cudaMemPoolSetAttribute", 0, NO_STREAM);
  return pool == (cudaMemPool_t) &queue && attribute == cudaMemPoolAttrReleaseThreshold ? cudaSuccess : cudaErrorInvalidValue;
}

cudaError_t
cudaMemPoolTrimTo (cudaMemPool_t pool, size_t bytes)
{
  ENTER ("cudaMemPoolTrimTo", bytes, NO_STREAM);
  return pool == (cudaMemPool_t) &queue ? cudaSuccess : cudaErrorInvalidValue;
}

/* --- the driver's virtual memory: each range has one allocation -------------------------------------------------------------- */

#define UNIT ((size_t) 2 << 20)

#define ENTER_DRIVER(name, bytes, stream) \
  do { CUresult entered = (CUresult) enter (name, bytes, stream); if (entered != CUDA_SUCCESS) return entered; } while (0)

static size_t created; /* bytes behind the handle that is out; 0: none */

static CUresult
fake_get_attribute (int *value, CUdevice_attribute attribute, CUdevice device)
{
  const char *lacks = getenv ("FAKE_CUDART_LACKS");

  ENTER_DRIVER ("cuDeviceGetAttribute", 0, NO_STREAM);
  *value = lacks == NULL || strtoul (lacks, NULL, 10) != ++asked;
  return CUDA_SUCCESS;
}

static CUresult
fake_get_granularity (size_t *unit, const CUmemAllocationProp *kind, CUmemAllocationGranularity_flags flags)
{
  ENTER_DRIVER ("cuMemGetAllocationGranularity", 0, NO_STREAM);
  *unit = UNIT;
  return CUDA_SUCCESS;
}

static CUresult
fake_reserve (CUdeviceptr *at, size_t bytes, size_t alignment, CUdeviceptr near, unsigned long long flags)
{
  void *reserved = NULL;
  CUresult status;

  ENTER_DRIVER ("cuMemAddressReserve", bytes, NO_STREAM);
  status = bytes % UNIT == 0 ? (CUresult) allocate (&reserved, bytes, PAGEABLE) : CUDA_ERROR_INVALID_VALUE;
  *at = (CUdeviceptr) (size_t) reserved;
  return status;
}

static CUresult
fake_create (CUmemGenericAllocationHandle *handle, size_t bytes, const CUmemAllocationProp *kind, unsigned long long flags)
{
  ENTER_DRIVER ("cuMemCreate", bytes, NO_STREAM);
  if (bytes % UNIT != 0 || created != 0 || kind->location.type != CU_MEM_LOCATION_TYPE_DEVICE)
    return CUDA_ERROR_INVALID_VALUE;
  *handle = created = bytes;
  streams_out++;
  return CUDA_SUCCESS;
}

static CUresult
fake_release (CUmemGenericAllocationHandle handle)
{
  ENTER_DRIVER ("cuMemRelease", 0, NO_STREAM);
  if (handle != created)
    return CUDA_ERROR_INVALID_VALUE;
  created = 0;
  streams_out--;
  return CUDA_SUCCESS;
}

/* Mapped memory is the device's only once access is granted; until then nobody reaches it. */
static CUresult
fake_map (CUdeviceptr at, size_t bytes, size_t offset, CUmemGenericAllocationHandle handle, unsigned long long flags)
{
  Block *block = find ((void *) (size_t) at, bytes);

  ENTER_DRIVER ("cuMemMap", bytes, NO_STREAM);
  if (block == NULL || block->kind != PAGEABLE || handle != created || bytes != created)
    return CUDA_ERROR_INVALID_VALUE;
  block->kind = PINNED;
  return CUDA_SUCCESS;
}

static CUresult
fake_set_access (CUdeviceptr at, size_t bytes, const CUmemAccessDesc *access, size_t n)
{
  Block *block = find ((void *) (size_t) at, bytes);

  ENTER_DRIVER ("cuMemSetAccess", bytes, NO_STREAM);
  if (block == NULL || block->kind != PINNED || access->flags != CU_MEM_ACCESS_FLAGS_PROT_READWRITE)
    return CUDA_ERROR_INVALID_VALUE;
  block->kind = DEVICE;
  return CUDA_SUCCESS;
}

static CUresult
fake_unmap (CUdeviceptr at, size_t bytes)
{
  Block *block = find ((void *) (size_t) at, bytes);

  ENTER_DRIVER ("cuMemUnmap", bytes, NO_STREAM);
  if (block == NULL || block->kind == PAGEABLE)
    return CUDA_ERROR_INVALID_VALUE;
  block->kind = PAGEABLE;
  return CUDA_SUCCESS;
}

static CUresult
fake_address_free (CUdeviceptr at, size_t bytes)
{
  Block *block = find ((void *) (size_t) at, bytes);

  ENTER_DRIVER ("cuMemAddressFree", bytes, NO_STREAM);
  if (block == NULL || block->kind != PAGEABLE)
    return CUDA_ERROR_INVALID_VALUE;
  drop (block);
  return CUDA_SUCCESS;
}

static const struct { const char *name; void *call; } driver_calls[] = {
  { "cuDeviceGetAttribute", (void *) fake_get_attribute }, { "cuMemGetAllocationGranularity", (void *) fake_get_granularity },
  { "cuMemAddressReserve", (void *) fake_reserve }, { "cuMemAddressFree", (void *) fake_address_free },
  { "cuMemCreate", (void *) fake_create }, { "cuMemRelease", (void *) fake_release }, { "cuMemMap", (void *) fake_map },
  { "cuMemUnmap", (void *) fake_unmap }, { "cuMemSetAccess", (void *) fake_set_access },
};

static cudaError_t
find_driver_call (const char *name, void **found, enum cudaDriverEntryPointQueryResult *result)
{
  *found = NULL;
  *result = cudaDriverEntryPointSymbolNotFound;
  for (size_t i = 0; i < sizeof driver_calls / sizeof driver_calls[0]; i++)
    if (strcmp (driver_calls[i].name, name) == 0)
      {
        *found = driver_calls[i].call;
        *result = cudaDriverEntryPointSuccess;
      }
  return cudaSuccess;
}

#if CUDART_VERSION >= 12050
cudaError_t
cudaGetDriverEntryPointByVersion (const char *name, void **found, unsigned version, unsigned long long flags,
                                  enum cudaDriverEntryPointQueryResult *result)
{
  ENTER ("cudaGetDriverEntryPointByVersion", 0, NO_STREAM);
  return find_driver_call (name, found, result);
}
#else
cudaError_t
cudaGetDriverEntryPoint (const char *name, void **found, unsigned long long flags, enum cudaDriverEntryPointQueryResult *result)
{
  ENTER ("cudaGetDriverEntryPoint", 0, NO_STREAM);
  return find_driver_call (name, found, result);
}
#endif

static cudaError_t
check_copy (void *to, const void *from, size_t bytes, enum cudaMemcpyKind kind)
{
  int to_device = kind == cudaMemcpyHostToDevice;

  if (kind != cudaMemcpyHostToDevice && kind != cudaMemcpyDeviceToHost)
    return cudaErrorInvalidValue;
  return (kind_of (to, bytes) == DEVICE) == to_device && (kind_of (from, bytes) == DEVICE) == !to_device ? cudaSuccess
                                                                                                          : cudaErrorInvalidValue;
}

cudaError_t
cudaMemcpy (void *to, const void *from, size_t bytes, enum cudaMemcpyKind kind)
{
  ENTER ("cudaMemcpy", bytes, 0);
  if (check_copy (to, from, bytes, kind) != cudaSuccess)
    return cudaErrorInvalidValue;
  wait_for (NULL, 1);
  memcpy (to, from, bytes);
  return cudaSuccess;
}

cudaError_t
cudaMemcpyAsync (void *to, const void *from, size_t bytes, enum cudaMemcpyKind kind, cudaStream_t stream)
{
  ENTER ("cudaMemcpyAsync", bytes, NUMBER (stream));
  if (check_copy (to, from, bytes, kind) != cudaSuccess)
    return cudaErrorInvalidValue;
  if (capturing != NULL)
    {
      capturing->copies = realloc (capturing->copies, (capturing->n + 1) * sizeof (Operation));
      capturing->copies[capturing->n++] = (Operation) { .to = to, .from = from, .bytes = bytes };
    }
  else
    put ((Operation) { .stream = stream, .to = to, .from = from, .bytes = bytes });
  return cudaSuccess;
}

#if CUDART_VERSION >= 12080
#if CUDART_VERSION >= 13000
cudaError_t
cudaMemcpyBatchAsync (void *const *to, const void *const *from, const size_t *sizes, size_t n, struct cudaMemcpyAttributes *attributes,
                      size_t *first, size_t n_attributes, cudaStream_t stream)
#else
cudaError_t
cudaMemcpyBatchAsync (void **to, void **from, size_t *sizes, size_t n, struct cudaMemcpyAttributes *attributes, size_t *first,
                      size_t n_attributes, size_t *failed, cudaStream_t stream)
#endif
{
  size_t bytes = 0;

  for (size_t i = 0; i < n; i++)
    bytes += sizes[i];
  ENTER ("cudaMemcpyBatchAsync", bytes, NUMBER (stream));
  if (stream == NULL || n_attributes != 1 || first[0] != 0 || attributes->srcAccessOrder != cudaMemcpySrcAccessOrderStream)
    return cudaErrorInvalidValue;
  for (size_t i = 0; i < n; i++)
    {
      if (check_copy (to[i], from[i], sizes[i], kind_of (to[i], sizes[i]) == DEVICE ? cudaMemcpyHostToDevice : cudaMemcpyDeviceToHost)
          != cudaSuccess)
        return cudaErrorInvalidValue;
      put ((Operation) { .stream = stream, .to = to[i], .from = from[i], .bytes = sizes[i] });
    }
  return cudaSuccess;
}
#endif

/* A graph and what is instantiated of it are the same here; each counts until it is destroyed. */
cudaError_t
cudaStreamBeginCapture (cudaStream_t stream, enum cudaStreamCaptureMode mode)
{
  ENTER ("cudaStreamBeginCapture", 0, NO_STREAM);
  capturing = calloc (1, sizeof *capturing);
  streams_out++;
  return cudaSuccess;
}

cudaError_t
cudaStreamEndCapture (cudaStream_t stream, cudaGraph_t *graph)
{
  ENTER ("cudaStreamEndCapture", 0, NO_STREAM);
  *graph = (cudaGraph_t) capturing;
  capturing = NULL;
  return cudaSuccess;
}

cudaError_t
cudaGraphInstantiateWithFlags (cudaGraphExec_t *made, cudaGraph_t graph, unsigned long long flags)
{
  ENTER ("cudaGraphInstantiateWithFlags", 0, NO_STREAM);
  *made = (cudaGraphExec_t) graph;
  streams_out++;
  return cudaSuccess;
}

cudaError_t
cudaGraphDestroy (cudaGraph_t graph)
{
  ENTER ("cudaGraphDestroy", 0, NO_STREAM);
  streams_out--;
  return cudaSuccess;
}

cudaError_t
cudaGraphExecDestroy (cudaGraphExec_t made)
{
  ENTER ("cudaGraphExecDestroy", 0, NO_STREAM);
  streams_out--;
  return cudaSuccess;
}

cudaError_t
cudaGraphLaunch (cudaGraphExec_t made, cudaStream_t stream)
{
  const Captured *captured = (const Captured *) made;

  ENTER ("cudaGraphLaunch", 0, NUMBER (stream));
  for (size_t i = 0; i < captured->n; i++)
    {
      Operation operation = captured->copies[i];

      operation.stream = stream;
      put (operation);
    }
  return cudaSuccess;
}

#if CUDART_VERSION >= 13000
cudaError_t
cudaMemPrefetchAsync (const void *pointer, size_t bytes, struct cudaMemLocation place, unsigned flags, cudaStream_t stream)
#else
cudaError_t
cudaMemPrefetchAsync (const void *pointer, size_t bytes, int place, cudaStream_t stream)
#endif
{
  ENTER ("cudaMemPrefetchAsync", bytes, NUMBER (stream));
  return kind_of (pointer, bytes) == MANAGED ? cudaSuccess : cudaErrorInvalidValue;
}

#if CUDART_VERSION >= 13000
cudaError_t
cudaMemAdvise (const void *pointer, size_t bytes, enum cudaMemoryAdvise advice, struct cudaMemLocation place)
#else
cudaError_t
cudaMemAdvise (const void *pointer, size_t bytes, enum cudaMemoryAdvise advice, int place)
#endif
{
  ENTER ("cudaMemAdvise", bytes, NO_STREAM);
  return kind_of (pointer, bytes) == MANAGED ? cudaSuccess : cudaErrorInvalidValue;
}

cudaError_t
cudaStreamCreate (cudaStream_t *stream)
{
  ENTER ("cudaStreamCreate", 0, NO_STREAM);
  *stream = (cudaStream_t) (size_t) ++streams;
  streams_out++;
  return cudaSuccess;
}

cudaError_t
cudaStreamDestroy (cudaStream_t stream)
{
  ENTER ("cudaStreamDestroy", 0, NO_STREAM);
  wait_for (stream, 0);
  streams_out--;
  return cudaSuccess;
}

cudaError_t
cudaStreamSynchronize (cudaStream_t stream)
{
  ENTER ("cudaStreamSynchronize", 0, NUMBER (stream));
  wait_for (stream, 0);
  return cudaSuccess;
}

cudaError_t
cudaDeviceSynchronize (void)
{
  ENTER ("cudaDeviceSynchronize", 0, NO_STREAM);
  wait_for (NULL, 1);
  return cudaSuccess;
}

/* --- what nvcc makes of add<<<>>> and of __managed__ ------------------------------------------------------------------------ */

void **__cudaRegisterFatBinary (void *binary);
void __cudaRegisterFatBinaryEnd (void **handle);
void __cudaUnregisterFatBinary (void **handle);
void __cudaRegisterFunction (void **handle, const char *host, char *device, const char *name, int limit, uint3 *thread, uint3 *block,
                             dim3 *block_size, dim3 *grid_size, int *warp);
void __cudaRegisterManagedVar (void **handle, void **pointer, char *address, const char *name, int external, size_t bytes, int constant,
                               int global);
char __cudaInitModule (void **handle);
unsigned __cudaPushCallConfiguration (dim3 grid, dim3 block, size_t shared, struct CUstream_st *stream);
cudaError_t __cudaPopCallConfiguration (dim3 *grid, dim3 *block, size_t *shared, void *stream);
cudaError_t __cudaGetKernel (cudaKernel_t *kernel, const void *host);
cudaError_t __cudaLaunchKernel (cudaKernel_t kernel, dim3 grid, dim3 block, void **arguments, size_t shared, cudaStream_t stream);

static dim3 pushed_grid, pushed_block;
static cudaStream_t pushed_stream;

void **
__cudaRegisterFatBinary (void *binary)
{
  static void *handle;

  return &handle;
}

void
__cudaRegisterFatBinaryEnd (void **handle)
{
}

void
__cudaUnregisterFatBinary (void **handle)
{
}

void
__cudaRegisterFunction (void **handle, const char *host, char *device, const char *name, int limit, uint3 *thread, uint3 *block,
                        dim3 *block_size, dim3 *grid_size, int *warp)
{
}

void
__cudaRegisterManagedVar (void **handle, void **pointer, char *address, const char *name, int external, size_t bytes, int constant,
                          int global)
{
  if (allocate (pointer, bytes, MANAGED) == cudaSuccess)
    blocks->is_static = 1;
}

char
__cudaInitModule (void **handle)
{
  return 1;
}

unsigned
__cudaPushCallConfiguration (dim3 grid, dim3 block, size_t shared, struct CUstream_st *stream)
{
  pushed_grid = grid;
  pushed_block = block;
  pushed_stream = stream;
  return 0;
}

cudaError_t
__cudaPopCallConfiguration (dim3 *grid, dim3 *block, size_t *shared, void *stream)
{
  *grid = pushed_grid;
  *block = pushed_block;
  *shared = 0;
  *(cudaStream_t *) stream = pushed_stream;
  return cudaSuccess;
}

cudaError_t
__cudaGetKernel (cudaKernel_t *kernel, const void *host)
{
  *kernel = (cudaKernel_t) (size_t) host;
  return cudaSuccess;
}

/* A launch tells of its failure by cudaGetLastError alone. */
static cudaError_t
launch (dim3 grid, dim3 block, void **arguments, cudaStream_t stream)
{
  float *c = *(float **) arguments[0];
  const float *a = *(const float **) arguments[1], *b = *(const float **) arguments[2];
  size_t n = *(size_t *) arguments[3], bytes = n * sizeof (float);
  const void *const vectors[] = { a, b, c };

  last_error = enter ("cudaLaunchKernel", bytes, NUMBER (stream));
  /* One element a thread, or blocks of the shape for the link, which walk. */
  if (last_error == cudaSuccess && ((size_t) grid.x * block.x >= n + block.x || (block.x == 256 && (size_t) grid.x * block.x < n)))
    last_error = cudaErrorInvalidConfiguration;
  for (int i = 0; i < 3 && last_error == cudaSuccess; i++)
    if (kind_of (vectors[i], bytes) == PINNED || (kind_of (vectors[i], bytes) == PAGEABLE && getenv ("FAKE_CUDART_PAGEABLE") == NULL))
      last_error = cudaErrorIllegalAddress;
  if (last_error == cudaSuccess)
    put ((Operation) { .stream = stream, .to = c, .from = a, .from_too = b, .bytes = bytes });
  return last_error;
}

cudaError_t
__cudaLaunchKernel (cudaKernel_t kernel, dim3 grid, dim3 block, void **arguments, size_t shared, cudaStream_t stream)
{
  return launch (grid, block, arguments, stream);
}

/* As nvcc 12 calls it. */
cudaError_t
cudaLaunchKernel (const void *function, dim3 grid, dim3 block, void **arguments, size_t shared, cudaStream_t stream)
{
  return launch (grid, block, arguments, stream);
}
