# SPDX-License-Identifier: MIT
# gnuplot: two curves with their intervals. Usage: gnuplot -c curves.gnuplot memlane.csv curves.svg
set datafile separator comma
set datafile columnheaders
set terminal svg size 800,450
set output ARG2
set logscale y 10
set xlabel 'floats, as a power of 2'
set ylabel 'microseconds'
row(mode) = strcol('mode') eq mode && strcol('phase') eq 'elapsed' && strcol('clock') eq 'host' ? column('log2_elements') : NaN
plot for [mode in 'pageable pinned mapped'] ARG1 \
  using (row(mode)):(column('estimate_ns') / 1e3):(column('low_ns') / 1e3):(column('high_ns') / 1e3) with yerrorbars title mode
