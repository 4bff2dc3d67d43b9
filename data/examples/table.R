# SPDX-License-Identifier: MIT
# R: GB/s of each mode at the largest size. Usage: Rscript table.R memlane.csv
runs <- read.csv(commandArgs(trailingOnly = TRUE)[1])
whole <- subset(runs, phase == "elapsed" & clock == "host" & !is.na(bandwidth_bytes_per_s))
largest <- subset(whole, elements == max(elements))
largest <- largest[order(-largest$bandwidth_bytes_per_s), ]
cat(sprintf("%-24s %.1f\n", largest$mode, largest$bandwidth_bytes_per_s / 1e9), sep = "")
