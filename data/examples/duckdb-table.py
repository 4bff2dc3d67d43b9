# SPDX-License-Identifier: MIT
# DuckDB: GB/s of each mode at the largest size. Usage: python3 duckdb-table.py memlane.csv
import sys

import duckdb

rows = duckdb.sql(f'''
    SELECT mode, round(bandwidth_bytes_per_s / 1e9, 1) AS speed FROM '{sys.argv[1]}'
    WHERE phase = 'elapsed' AND clock = 'host' AND bandwidth_bytes_per_s IS NOT NULL
    QUALIFY elements = max(elements) OVER () ORDER BY speed DESC''')
for mode, speed in rows.fetchall():
    print(mode, speed)
