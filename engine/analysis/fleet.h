/* fleet.h: the runs of a folder, one a machine: which machines differ from the others, and why
 *
 * SPDX-License-Identifier: MIT
 *
 * A machine is named where it differs from the middle of all by more than is allowed, and by more
 * than chance explains: the level of 5 % is for all machines and cells together. Immutable once
 * read. Any thread.
 */
#pragma once

#include <gio/gio.h>

#include "result/environment.h"

#define MEMLANE_FLEET_FILE "fleet.csv" /* in the folder: machine, status, reason */
#define MEMLANE_FLEET_LEAST_MACHINES 4 /* fewer have no middle */
#define MEMLANE_FLEET_LEAST_ROUNDS 6   /* as of two runs */

/* In what a machine is unlike most others. */
typedef struct
{
  const char *label; /* N_(): "PCIe lanes" */
  char *own, *usual; /* "8", "16" */
} MemlaneFleetReason;

/* One machine's times of one cell. */
typedef struct
{
  guint machine;      /* its place in the fleet */
  double mean, error; /* log of ns: of the rounds, and the standard error of their mean */
  double distance;    /* from the middle of all machines, in units of what varies */
} MemlaneFleetTime;

/* One cell of all machines. */
typedef struct
{
  char *workload, *mode;
  double log2_elements;
  guint freedom;
  double middle; /* log of ns */
  GArray *times; /* (element-type MemlaneFleetTime) */
} MemlaneFleetCell;

typedef struct
{
  char *name; /* of the file, without its ending */
  MemlaneEnvironment *environment; /* (nullable) */
  guint differs;                   /* in so many cells */
  const MemlaneFleetCell *cell;    /* the one in which it differs most */
  double change, ns;               /* there: log of the ratio to the middle, the machine's time */
  /* (element-type MemlaneFleetReason), the strongest first; of those that differ */
  GArray *reasons;
  /* its host takes so many times as long as another's; 0: not worth a word */
  double host;
} MemlaneFleetMachine;

typedef struct
{
  GPtrArray *machines;  /* (element-type MemlaneFleetMachine), by name */
  /* (element-type MemlaneFleetMachine), those that differ, the farthest first */
  GPtrArray *different;
  GPtrArray *cells;     /* (element-type MemlaneFleetCell) */
  GPtrArray *refused;   /* (element-type utf8): a sentence for each file that is left out */
  guint n_tests;        /* 0: no cell has enough machines with enough rounds */
  gboolean simulated;   /* any machine */
} MemlaneFleet;

/* Reads all runs of @folder; @allowed: 0.05 is 5 %. (transfer full), or NULL with @error: it cannot
 * be read. */
MemlaneFleet *memlane_fleet_read (const char *folder, double allowed, GError **error);
void memlane_fleet_free (MemlaneFleet *fleet);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (MemlaneFleet, memlane_fleet_free)
/* Whether its runs are those of sweep --numa: each "machine" is a GPU as seen from one NUMA node,
 * "cuda-0-node-1". */
gboolean memlane_fleet_is_of_nodes (const MemlaneFleet *fleet);
/* The quantile of Student's distribution that @tail lies above; within 2 % for @freedom >= 5 and
 * @tail >= 1e-6. */
double memlane_student_tail (double tail, guint freedom);
