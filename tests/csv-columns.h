/* csv-columns.h: the headers of tables, written out: no change of columns.c alters the contract unseen
 *
 * SPDX-License-Identifier: MIT
 */
#pragma once

#define OLD_CSV_KEY "run,device,device_kind,workload,mode,log2_elements,elements,bytes,reuse,streams,chunks,phase,clock,"
#define CSV_KEY "run,device,device_kind,workload,mode,log2_elements,elements,bytes,reuse,streams,chunks,beside,busy,phase,clock,"
#define CSV_COLUMNS \
  CSV_KEY "samples,estimate_ns,low_ns,high_ns,min_ns,q1_ns,q3_ns,max_ns,bytes_moved,bandwidth_bytes_per_s,status,detail,rounds,interval"
#define ROUNDS_COLUMNS CSV_KEY "round,place,samples,estimate_ns,host_pair_ns,host_launch_ns,host_copy_ns,format"
/* Of Memlane 0.2. */
#define OLD_CSV_COLUMNS \
  OLD_CSV_KEY "samples,median_ns,ci95_low_ns,ci95_high_ns,min_ns,q1_ns,q3_ns,max_ns,bytes_moved,bandwidth_bytes_per_s,status,detail,rounds"
#define OLD_ROUNDS_COLUMNS OLD_CSV_KEY "round,place,samples,median_ns,host_pair_ns,host_launch_ns,host_copy_ns"
