-- SPDX-License-Identifier: MIT
-- SQLite: GB/s of each mode at the largest size. Usage: sqlite3 -csv :memory: '.import memlane.csv runs' '.read table.sql'
SELECT mode, round(bandwidth_bytes_per_s / 1e9, 1) AS gigabytes_per_s
FROM runs
WHERE phase = 'elapsed' AND clock = 'host' AND bandwidth_bytes_per_s != ''
  AND CAST(elements AS INTEGER) = (SELECT max(CAST(elements AS INTEGER)) FROM runs)
ORDER BY gigabytes_per_s DESC;
