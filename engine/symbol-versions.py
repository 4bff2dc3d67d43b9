# symbol-versions.py: the linker's version script of libmemlane.so: the functions that the public headers declare, and all others
# SPDX-License-Identifier: MIT
import re
import sys

names = set()
for path in sys.argv[1:]:
    with open(path, encoding='utf-8') as file:
        text = file.read()
    names.update(re.findall(r'\b(memlane_[a-z0-9_]+) \(', re.sub(r'/\*.*?\*/', '', text, flags=re.S)))
print('MEMLANE_1 {\n  global:')
for name in sorted(names):
    print(f'    {name};')
print('};\nMEMLANE_PRIVATE {\n  global: memlane_*;\n  local: *;\n};')
