# SPDX-License-Identifier: MIT
# polars: GB/s of each mode at the largest size. Usage: python3 polars-table.py memlane.csv
import sys

import polars as pl

whole = pl.read_csv(sys.argv[1], infer_schema_length=None).filter(phase='elapsed', clock='host')
largest = whole.filter(pl.col('log2_elements') == pl.col('log2_elements').max())
for mode, speed in largest.sort('bandwidth_bytes_per_s', descending=True).select('mode', 'bandwidth_bytes_per_s').iter_rows():
    print(mode, 'unsupported' if speed is None else f'{speed / 1e9:.1f}')
