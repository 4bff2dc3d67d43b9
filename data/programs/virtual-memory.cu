// virtual-memory.cu: c[i] = a[i] + b[i] in the memory mode "virtual-memory"
//
// Page-locked host memory. The device's vectors are mapped by the driver: an address range is
// reserved, memory is created and mapped there, and access is granted.
//
//   nvcc -O3 -o virtual-memory virtual-memory.cu
//   ./virtual-memory [FLOATS [REUSE]]
//
// SPDX-License-Identifier: MIT
#include <cuda.h>

#include "program.cuh"

// Found when the program runs, so that it is not linked with libcuda.
static void *find(const char *name)
{
  void *found = NULL;
  cudaDriverEntryPointQueryResult result;

#if CUDART_VERSION >= 12050
  CHECK(cudaGetDriverEntryPointByVersion(name, &found, 12000, cudaEnableDefault, &result));
#else
  CHECK(cudaGetDriverEntryPoint(name, &found, cudaEnableDefault, &result));
#endif
  if (found == NULL) {
    fprintf(stderr, "This mode needs %s, which this driver has not; pinned runs on any.\n", name);
    exit(2);
  }
  return found;
}

// A call of the driver. Its errors have the numbers of the runtime's.
#define DRIVER(call, ...) \
  check_call((cudaError_t) ((decltype(&call)) find(#call))(__VA_ARGS__), #call)

int main(int argc, char **argv)
{
  const size_t n = read_number(argc, argv, 1, 1 << 20), bytes = n * sizeof(float);
  const size_t reuse = read_number(argc, argv, 2, 1); // kernels in a row
  int supported;
  DRIVER(cuDeviceGetAttribute, &supported,
    CU_DEVICE_ATTRIBUTE_VIRTUAL_MEMORY_MANAGEMENT_SUPPORTED, 0);
  if (!supported) {
    fprintf(stderr, "This device has no virtual memory management; pinned runs on any.\n");
    return 2;
  }

  // Page-locked, so that the copy engine reads and writes it directly. Locking takes long: allocate
  // once, use often. Without the casts C++ would take its own overload, which calls cudaHostAlloc.
  float *a, *b, *c;
  CHECK(cudaMallocHost((void **) &a, bytes));
  CHECK(cudaMallocHost((void **) &b, bytes));
  CHECK(cudaMallocHost((void **) &c, bytes));

  // Memory comes in units. Each vector has an address range, memory behind it, and access for this
  // device.
  float *device_a, *device_b, *device_c;
  CUmemAllocationProp memory = {};
  memory.type = CU_MEM_ALLOCATION_TYPE_PINNED;
  memory.location.type = CU_MEM_LOCATION_TYPE_DEVICE;
  CUmemAccessDesc access = {memory.location, CU_MEM_ACCESS_FLAGS_PROT_READWRITE};
  size_t unit;
  DRIVER(cuMemGetAllocationGranularity, &unit, &memory, CU_MEM_ALLOC_GRANULARITY_MINIMUM);
  const size_t whole = (bytes + unit - 1) / unit * unit;
  for (float **vector : {&device_a, &device_b, &device_c}) {
    CUmemGenericAllocationHandle handle;
    CUdeviceptr address;
    DRIVER(cuMemAddressReserve, &address, whole, 0, 0, 0);
    DRIVER(cuMemCreate, &handle, whole, &memory, 0);
    DRIVER(cuMemMap, address, whole, 0, handle, 0);
    DRIVER(cuMemSetAccess, address, whole, &access, 1);
    DRIVER(cuMemRelease, handle); // the memory lives as long as it is mapped
    *vector = (float *) address;
  }

  Timer timer;
  for (int run = 0; run < RUNS; run++) {
    fill(a, b, c, n);

    timer.start();
    CHECK(cudaMemcpy(device_a, a, bytes, cudaMemcpyHostToDevice));
    CHECK(cudaMemcpy(device_b, b, bytes, cudaMemcpyHostToDevice));
    for (size_t i = 0; i < reuse; i++)
      add<<<blocks(n), THREADS>>>(device_c, device_a, device_b, n);
    CHECK_LAUNCH();
    CHECK(cudaMemcpy(c, device_c, bytes, cudaMemcpyDeviceToHost)); // waits for the kernel
    timer.stop();

    check(c, n);
  }

  for (float *vector : {device_a, device_b, device_c}) {
    DRIVER(cuMemUnmap, (CUdeviceptr) vector, whole);
    DRIVER(cuMemAddressFree, (CUdeviceptr) vector, whole);
  }
  CHECK(cudaFreeHost(a));
  CHECK(cudaFreeHost(b));
  CHECK(cudaFreeHost(c));
  return timer.report("virtual-memory", n, 3.0 * bytes);
}
