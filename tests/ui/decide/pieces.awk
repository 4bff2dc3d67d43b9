# pieces.awk: awk -v least=16 -v first=8: a run of @least and sixteen times as many pieces of 2^@first floats to 2^18.
# Few or small ones are packed in less time, many are gathered in less. SPDX-License-Identifier: MIT
BEGIN {
  print "run,device,device_kind,workload,mode,log2_elements,elements,bytes,reuse,streams,chunks,beside,busy,phase,clock," \
        "samples,estimate_ns,low_ns,high_ns,min_ns,q1_ns,q3_ns,max_ns,bytes_moved,bandwidth_bytes_per_s,status,detail," \
        "rounds,interval"
  for (n = least; n <= 16 * least; n *= 16)
    for (p = first; p <= 18; p++) {
      row("pinned-packed", n, p, 10000 + 4 * n * 2 ^ p / 10)
      row("mapped-shaped", n, p, 16000 + 4 * n * 2 ^ p / 49)
    }
}
function row(mode, n, p, ns,    log2, ns_text) {
  log2 = p + log(n) / log(2)
  ns_text = sprintf("%.1f", ns)
  printf "pieces,simulated:h200,simulated,pieces-to-device,%s,%d,%d,%d,1,,%d,none,,elapsed,host,10", mode, log2 + 0.5,
         n * 2 ^ p, 4 * n * 2 ^ p, n
  for (i = 0; i < 7; i++)
    printf ",%s", ns_text
  printf ",%d,%.0f,ok,,,sampling\n", 4 * n * 2 ^ p, 4e9 * n * 2 ^ p / ns_text
}
