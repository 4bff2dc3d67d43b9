# SPDX-License-Identifier: MIT
# Python alone: GB/s of each mode at the largest size. Usage: python3 table.py memlane.csv
import csv
import sys

with open(sys.argv[1], newline='') as file:
    whole = [row for row in csv.DictReader(file) if row['phase'] == 'elapsed' and row['clock'] == 'host' and row['estimate_ns']]
largest = max(int(row['elements']) for row in whole)
rows = [(float(row['bandwidth_bytes_per_s']) / 1e9, row['mode']) for row in whole if int(row['elements']) == largest]
for speed, mode in sorted(rows, reverse=True):
    print(f'{mode:24} {speed:.1f}')
