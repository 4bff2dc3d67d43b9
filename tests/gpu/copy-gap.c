/* copy-gap.c: why is a copy of 1 MiB slower one by one than in a row, and why does a copy to a peer dip? copy-gap [DEVICE] [PASSES] [MOST]
 *
 * SPDX-License-Identifier: MIT
 *
 * One factor at a time: what the host did to the buffer before (nothing, read, wrote, wrote and flushed from its caches), how many copies
 * come in a row (one, one after a small copy, 16 of one buffer, 16 buffers), and the clock (events behind a latch, events, the host's).
 * All combinations are measured in each pass, and the median of the passes is printed, in GB/s. Where there are two GPUs, a table for the
 * copies to the other one follows (peer_ways). The device is cuda:0 by default.
 * MOST: no size above so many MiB, of copies to the other GPU the smallest at least.
 */
#include <stdio.h>
#include <stdlib.h>

#include "device/device-calls.h"
#include "result/statistics.h"

#define MOST_PASSES 100
#define ROW 16
#define SMALL 4096
#define PIECE (64ul << 20)
#define MOST_PEER (1024ul << 20)

enum { UNTOUCHED, READ, WRITTEN, FLUSHED, N_STATES };
enum { ONE, ONE_AFTER_SMALL, SAME_IN_A_ROW, OTHERS_IN_A_ROW, N_ROWS };
enum { LATCHED, EVENTS, HOST, N_CLOCKS };
enum
{
  PEER_ONE,
  PEER_ROW,
  PEER_PIECES,  /* of 64 MiB */
  PEER_OTHER,   /* another pair of buffers */
  PEER_PLAIN,   /* cudaMemcpyAsync, in a row */
  PEER_WRITTEN, /* after the host wrote the source */
  PEER_READ,    /* after the host read the destination */
  PEER_RESTED,  /* after a time in which the GPU did nothing: rests */
  PEER_LAST_RESTED = PEER_RESTED + 3,
  PEER_ZERO,    /* on the legacy default stream */
  PEER_ZERO_ROW,
  N_PEER
};
static const char *const peer_ways[] = { "one",   "16",     "pieces", "others", "plain, 16",
                                         "written", "read",  "20 ms",  "100 ms", "500 ms",
                                         "2 s",   "stream 0", "0, 16" };
static const double rests[] = { 20e6, 100e6, 500e6, 2e9 }; /* ns */
static const char *const states[] = { "untouched", "read", "written", "written, flushed" };
static const char *const rows[] = { "one", "one after 4 KiB", "16 of one buffer", "16 buffers" };
static const double sizes[] = { 0.25, 1, 4, 16 }; /* MiB */
static const double peer_sizes[] = { 16,  64,  128, 160, 192, 224, 256,
                                     320, 384, 448, 512, 640, 768, 1024 };

static MemlaneDevice *device;
static MemlaneStream *stream;
static MemlaneEvent *start, *stop;
static char *host[ROW + 1], *there[ROW + 1], *scratch; /* the last of each is for the small copy */
static guint passes = 15;
static double most_mib = 512;

/* Whatever fails ends the program, which names the call. */
static void
need (gboolean done, GError *error)
{
  if (done)
    return;
  fprintf (stderr, "copy-gap: %s\n", error->message);
  exit (1);
}
#define NEED(call, ...) do { GError *trouble = NULL; need (memlane_device_##call (device, __VA_ARGS__, &trouble), trouble); } while (0)

static void
touch (guint buffer, gsize bytes, guint state)
{
  if (state == READ)
    NEED (host_read, scratch, host[buffer], bytes);
  else if (state != UNTOUCHED)
    NEED (host_write, host[buffer], scratch, bytes);
#ifdef __x86_64__
  for (gsize i = 0; state == FLUSHED && i < bytes; i += 64)
    __builtin_ia32_clflush (host[buffer] + i);
#endif
}

static void
copy (guint buffer, gsize bytes, gboolean up)
{
  NEED (memcpy_async, up ? there[buffer] : host[buffer], up ? host[buffer] : there[buffer], bytes,
        up ? MEMLANE_COPY_TO_DEVICE : MEMLANE_COPY_TO_HOST, stream);
}

/* Begins a time on @clock; what is queued from now on belongs to it. */
static double
begin (guint clock, gboolean after_small, gboolean up)
{
  if (clock == LATCHED)
    NEED (latch_close, stream);
  if (after_small)
    copy (ROW, SMALL, up);
  if (clock == HOST && after_small)
    NEED (stream_synchronize, stream);
  if (clock != HOST)
    NEED (event_record, start, stream);
  return memlane_device_clock (device);
}

/* ns of one of @n copies. */
static double
end (guint clock, double begun, guint n)
{
  gboolean late = FALSE;
  double ns;

  if (clock != HOST)
    NEED (event_record, stop, stream);
  if (clock == LATCHED)
    NEED (latch_open, &late);
  NEED (stream_synchronize, stream);
  ns = memlane_device_clock (device) - begun;
  if (clock != HOST)
    NEED (event_elapsed, start, stop, &ns);
  return late ? 0 : ns / n;
}

static double
run (gsize bytes, gboolean up, guint state, guint row, guint clock)
{
  guint n = row >= SAME_IN_A_ROW ? ROW : 1;
  double begun;

  for (guint i = 0; i < (row == OTHERS_IN_A_ROW ? ROW : 1); i++)
    touch (i, bytes, state);
  begun = begin (clock, row == ONE_AFTER_SMALL, up);
  for (guint i = 0; i < n; i++)
    copy (row == OTHERS_IN_A_ROW ? i : 0, bytes, up);
  return end (clock, begun, n);
}

/* Does what stands before a copy and may cost it something. */
static void
prepare_peer (char *from, char *to, gsize bytes, guint way)
{
  const gsize piece = (gsize) (sizes[G_N_ELEMENTS (sizes) - 1] * (1 << 20));

  for (gsize at = 0; at < bytes && way == PEER_WRITTEN; at += piece)
    NEED (memcpy_async, from + at, host[0], piece, MEMLANE_COPY_TO_DEVICE, stream);
  for (gsize at = 0; at < bytes && way == PEER_READ; at += piece)
    NEED (memcpy_async, host[0], to + at, piece, MEMLANE_COPY_TO_HOST, stream);
  NEED (stream_synchronize, stream);
  if (way >= PEER_RESTED && way <= PEER_LAST_RESTED)
    memlane_device_pause (device, rests[way - PEER_RESTED]);
}

static double
run_peer (void *const *from, void *const *to, gsize bytes, guint way)
{
  MemlaneStream *const own = stream;
  const gboolean in_a_row = way == PEER_ROW || way == PEER_PLAIN || way == PEER_ZERO_ROW;
  guint n = in_a_row ? ROW : 1, pair = way == PEER_OTHER;
  gsize piece = way == PEER_PIECES ? MIN (PIECE, bytes) : bytes;
  double begun;

  if (way == PEER_ZERO || way == PEER_ZERO_ROW)
    stream = NULL;
  prepare_peer (from[pair], to[pair], bytes, way);
  begun = begin (LATCHED, FALSE, FALSE);
  for (guint i = 0; i < n; i++)
    for (gsize at = 0; at < bytes; at += piece)
      {
        char *target = (char *) to[pair] + at;
        const char *here = (char *) from[pair] + at;

        if (way == PEER_PLAIN)
          NEED (memcpy_async, target, here, bytes, MEMLANE_COPY_ON_DEVICE, stream);
        else
          NEED (memcpy_peer_async, target, here, MIN (piece, bytes - at), stream);
      }
  begun = end (LATCHED, begun, n);
  stream = own;
  return begun;
}

static double
get_rate (double *times, gsize bytes)
{
  return bytes / memlane_median (times, passes);
}

static void
print_copies (gboolean up, double mib)
{
  static double times[N_STATES][N_ROWS][N_CLOCKS][MOST_PASSES];
  const gsize bytes = (gsize) (mib * (1 << 20));

  for (guint pass = 0; pass < passes; pass++)
    for (guint i = 0; i < N_STATES * N_ROWS * N_CLOCKS; i++)
      {
        guint state = i / (N_ROWS * N_CLOCKS), row = i / N_CLOCKS % N_ROWS, clock = i % N_CLOCKS;

        times[state][row][clock][pass] = run (bytes, up, state, row, clock);
      }
  for (guint state = 0; state < N_STATES; state++)
    for (guint row = 0; row < N_ROWS; row++)
      printf ("%-9s %6g  %-17s %-17s %8.1f %8.1f %8.1f\n", up ? "to device" : "to host", mib, states[state], rows[row],
              get_rate (times[state][row][LATCHED], bytes), get_rate (times[state][row][EVENTS], bytes),
              get_rate (times[state][row][HOST], bytes));
}

static void
print_peer_copies (void)
{
  static double times[N_PEER][MOST_PASSES];
  void *from[2], *to[2];

  for (guint i = 0; i < 2; i++)
    {
      NEED (malloc, MOST_PEER, &from[i]);
      NEED (peer_malloc, MOST_PEER, &to[i]);
    }
  printf ("\n%-9s %6s", "", "MiB");
  for (guint way = 0; way < N_PEER; way++)
    printf (" %9s", peer_ways[way]);
  printf ("\n");
  for (guint i = 0; i < G_N_ELEMENTS (peer_sizes) && peer_sizes[i] <= MAX (most_mib, peer_sizes[0]); i++)
    {
      gsize bytes = (gsize) (peer_sizes[i] * (1 << 20));

      for (guint pass = 0; pass < passes; pass++)
        for (guint way = 0; way < N_PEER; way++)
          times[way][pass] = run_peer (from, to, bytes, way);
      printf ("%-9s %6g", "to peer", peer_sizes[i]);
      for (guint way = 0; way < N_PEER; way++)
        printf (" %9.1f", get_rate (times[way], bytes));
      printf ("\n");
    }
}

int
main (int argc, char **argv)
{
  const gsize most = (gsize) (sizes[G_N_ELEMENTS (sizes) - 1] * (1 << 20));
  GError *error = NULL;

  device = memlane_device_open (argc > 1 ? argv[1] : "cuda:0", &error);
  need (device != NULL, error);
  passes = argc > 2 ? CLAMP ((guint) atoi (argv[2]), 1, MOST_PASSES) : passes;
  most_mib = argc > 3 ? atof (argv[3]) : most_mib;
  NEED (stream_create, TRUE, 0, &stream);
  NEED (event_create, &start);
  NEED (event_create, &stop);
  NEED (host_malloc, most, (void **) &scratch);
  for (guint i = 0; i <= ROW; i++)
    {
      NEED (malloc_host, i < ROW ? most : SMALL, (void **) &host[i]);
      NEED (malloc, i < ROW ? most : SMALL, (void **) &there[i]);
      NEED (host_fill, host[i], 0x3f, i < ROW ? most : SMALL);
    }
  printf ("%s, %u passes, GB/s\n%-9s %6s  %-17s %-17s %8s %8s %8s\n", memlane_device_get_info (device)->name, passes, "", "MiB", "buffer",
          "copies", "latched", "events", "host");
  for (guint i = 0; i < 2 * G_N_ELEMENTS (sizes); i++)
    if (sizes[i % G_N_ELEMENTS (sizes)] <= most_mib)
      print_copies (i < G_N_ELEMENTS (sizes), sizes[i % G_N_ELEMENTS (sizes)]);
  if (memlane_device_can (device, MEMLANE_CAN_PEER_COPY))
    print_peer_copies ();
  memlane_device_close (device);
  return 0;
}
