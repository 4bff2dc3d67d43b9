# loop.py: a program in Python that uses CUDA as far as its recorder can see; for test-recorder.c, which knows its lines
# SPDX-License-Identifier: MIT
import ctypes
import os
import sys

recorder = ctypes.CDLL(os.environ['CUDA_INJECTION64_PATH'])
fake = ctypes.CDLL(os.environ['MEMLANE_CUPTI'])
ctypes.CDLL(os.environ['FAKE_LIBCUDA'], mode=ctypes.RTLD_GLOBAL)
assert recorder.InitializeInjection() == 1
memory = ctypes.create_string_buffer(1 << 20)


def copy_there(number):
    fake.fake_cupti_play(ctypes.c_uint32(10 * number + 1), ctypes.c_uint64(1000000 + 2000 * number), memory, ctypes.c_size_t(1 << 20))


for i in range(10):
    copy_there(2 * i)
    j = 2 * i + 1
    fake.fake_cupti_play(ctypes.c_uint32(10 * j + 1), ctypes.c_uint64(1000000 + 2000 * j), memory, ctypes.c_size_t(1 << 20))
sys.exit(sys.version_info[:2] in ((3, 11), (3, 12), (3, 13), (3, 14)))
