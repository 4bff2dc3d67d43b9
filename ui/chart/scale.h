/* scale.h: from a value to its place on an axis and back; ticks and the words beside them
 *
 * SPDX-License-Identifier: MIT
 *
 * Plain values, no state: safe from every thread. Times are nanoseconds, sizes elements or bytes,
 * bandwidth bytes per second, as in the engine; only the words are scaled.
 */
#pragma once

#include <glib.h>

typedef enum
{
  MEMLANE_SCALE_LINEAR,
  MEMLANE_SCALE_LOG2,
  MEMLANE_SCALE_LOG10,
} MemlaneScaleKind;

/* The meaning of a number, which decides how it is written. */
typedef enum
{
  MEMLANE_UNIT_ELEMENTS,  /* "2^14", with real superscripts */
  MEMLANE_UNIT_BYTES,     /* IEC: "64 KiB", "1.5 MiB" */
  MEMLANE_UNIT_BANDWIDTH, /* bytes per second; "40.7 GB/s", 10^9 */
  MEMLANE_UNIT_TIME,      /* nanoseconds; "264 µs", "1.60 ms" */
  MEMLANE_UNIT_RATIO,     /* "1.25×" */
} MemlaneUnit;

/* A part of an axis: what is seen, or measured by a band. NAN, NAN: all of it, or none. */
typedef struct
{
  double from, to;
} MemlaneRange;
#define MEMLANE_RANGE_NAN ((MemlaneRange) { NAN, NAN })

/* The part of an axis that is seen. @from is less than @to; on a logarithmic scale both are above
 * 0. */
typedef struct
{
  MemlaneScaleKind kind;
  double from, to;
} MemlaneScale;

/* Maps @value: 0 at @from, 1 at @to, outside that range beyond it. NAN for a value that the scale
 * has no place for (not finite; not above 0 on a logarithm). */
double memlane_scale_map (const MemlaneScale *scale, double value);
/* The inverse of map. */
double memlane_scale_unmap (const MemlaneScale *scale, double place);

/* A scale, LINEAR or LOG10, that shows @low..@high: linear ones start at 0 unless @low is negative
 * and end at the tick above
 * @high. Logarithmic ones end where a tick stands (a 1, 2 or 5 of a decade) around both. Degenerate
 * input (NAN, low == high, low > high, 0 on a logarithm) gives a range that can be drawn. */
MemlaneScale memlane_scale_fit (MemlaneScaleKind kind, double low, double high);

/* Places on an axis are shares of what is seen: 0 at its left or lower end, 1 at the other. @full
 * is what it shows when everything fits; nothing leaves it. */
/* Returns the part between the places @first and @last of @seen, at least @least of @full wide.
 * NAN, NAN: that is all of @full. */
MemlaneRange memlane_zoom_to (const MemlaneScale *seen, const MemlaneScale *full, double first,
                              double last, double least);
/* Returns @factor times as much as is seen; the value at @place stays where it is. */
MemlaneRange memlane_zoom_around (const MemlaneScale *seen, const MemlaneScale *full, double place,
                                  double factor, double least);
/* Returns what is seen, moved on by @share of itself. */
MemlaneRange memlane_zoom_pan (const MemlaneScale *seen, const MemlaneScale *full, double share);

typedef struct
{
  double value;   /* index times step, never accumulated */
  gboolean major; /* minor ticks have no label */
  char *label;    /* owned; NULL on minor ticks */
} MemlaneTick;

/* (transfer full) (element-type MemlaneTick), in rising order, all within [from, to]: at most @most
 * major ones and 10 times as many altogether. Linear: steps of 1, 2 or 5 times a power of ten.
 * log10: decades, with 2 and 5 labelled where there is room, minor 2..9; where less than a decade
 * is seen, as linear. log2: powers of two with a stride that keeps to @most. Labels of BANDWIDTH
 * and RATIO are bare numbers ("40"), whose unit memlane_scale_axis_unit() names. Labels of ELEMENTS
 * and TIME carry their own ("100 µs", "1 ms"). */
GArray *memlane_scale_ticks (const MemlaneScale *scale, MemlaneUnit unit, guint most);
/* Returns the unit of the bare numbers of the ticks: "GB/s", "MB/s", "×"; "" where labels carry
 * their units. Static. Chosen by the larger end. */
const char *memlane_scale_axis_unit (const MemlaneScale *scale, MemlaneUnit unit);

/* One value with its unit, three significant digits (sizes without needless zeros: "64 KiB", "1.5
 * MiB"), locale's decimal point when @localized, else '.'. "n/a" for what is not finite. (transfer
 * full) */
char *memlane_unit_format (MemlaneUnit unit, double value, gboolean localized);
/* Formats 2 to the @log2: "2¹⁴"; the elements of a size that is no power of two: "100000".
 * (transfer full) */
char *memlane_unit_format_power (double log2);
