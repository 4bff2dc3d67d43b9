# SPDX-License-Identifier: MIT
# pandas: GB/s of each mode at the largest size. Usage: python3 pandas-table.py memlane.csv
import sys

import pandas

runs = pandas.read_csv(sys.argv[1])
whole = runs[(runs['phase'] == 'elapsed') & (runs['clock'] == 'host') & (runs['status'] != 'unsupported')]
largest = whole[whole['log2_elements'] == whole['log2_elements'].max()].set_index('mode')
print((largest['bandwidth_bytes_per_s'] / 1e9).sort_values(ascending=False).round(1).to_string())
