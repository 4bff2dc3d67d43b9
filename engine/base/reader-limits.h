/* reader-limits.h: how much of a file each reader takes
 *
 * SPDX-License-Identifier: MIT
 *
 * What is more is refused in words, with MEMLANE_FILE_ERROR_BAD, before it costs time or memory.
 * memlane-cli(1) has the same table for people, and tests/app/transcripts/limits.txt makes a file
 * of each limit and one more. Bytes
 * where nothing else is said.
 */
#pragma once

/* A table of runs (result/csv.c). */
#define MEMLANE_CSV_MOST_BYTES (512 << 20)
#define MEMLANE_CSV_MOST_RUNS 10000
#define MEMLANE_CSV_LONGEST_ROW (1 << 20)
#define MEMLANE_CSV_LONGEST_FIELD (64 << 10)
#define MEMLANE_LONGEST_NAME 200 /* characters: what is a path or a word of a shell */
#define MEMLANE_LONGEST_SENTENCE 2000 /* characters: of a reason, a detail, a message */
#define MEMLANE_CSV_LONGEST_NAME 200 /* characters: of a run, of a device */
#define MEMLANE_CSV_MOST_REUSE 1000000
#define MEMLANE_CSV_MOST_STREAMS 1024
#define MEMLANE_CSV_MOST_CHUNKS 65536
#define MEMLANE_CSV_MOST_SAMPLES 1000000 /* of a row, for each of its rounds */
/* NAME.rounds.csv has the same limits, and at most MEMLANE_MOST_ROUNDS (result/run.h) for each row
 * of the table. */

/* NAME.environment.json (result/csv.c). */
#define MEMLANE_ENVIRONMENT_MOST_BYTES (256 << 10)
/* characters; what is longer is cut, and ends in "..." */
#define MEMLANE_ENVIRONMENT_LONGEST_TEXT 200
/* the same, of the members "statement" and "calibrated_from" */
#define MEMLANE_ENVIRONMENT_LONGEST_STATEMENT 2000

/* JSON, whoever reads it (base/json.c), and as a tree. */
#define MEMLANE_JSON_MOST_DEPTH 64
#define MEMLANE_JSON_LONGEST_STRING (1 << 20)
#define MEMLANE_JSON_TREE_MOST_BYTES (4 << 20)
#define MEMLANE_JSON_TREE_MOST_MEMBERS 500 /* of one object: the hash of json-glib has no seed */
#define MEMLANE_JSON_TREE_MOST_VALUES 100000 /* objects, arrays and what stands in them */

/* A trace (trace/chrome-json.c). */
#define MEMLANE_TRACE_MOST_BYTES (1 << 30)
#define MEMLANE_TRACE_MOST_RECORDS 4000000
#define MEMLANE_RECORDING_MOST_EVENTS 12000000 /* of a recorded program (trace/recording.c) */

/* Key files: experiments, profiles (base/key-file.c, device/simulated/profile.c). */
#define MEMLANE_KEY_FILE_LONGEST_LINE 20000
#define MEMLANE_KEY_FILE_MOST_GROUPS 1000
#define MEMLANE_KEY_FILE_MOST_KEYS 1000 /* of a group */
#define MEMLANE_KEYS_MOST_BYTES (256 * 1024) /* of an experiment or a lesson */
#define MEMLANE_PROFILE_LONGEST_NAME 200 /* characters */
#define MEMLANE_PROFILE_LONGEST_CALL_NS 1e9 /* a latency of [cost] */

/* The answer to one request of a worker (job/message.c). */
#define MEMLANE_WORKER_MOST_BYTES (1024u << 20)
#define MEMLANE_WORKER_MOST_DEVICES 256
/* visits of one round: more than thrice the cells of a plan with all modes and sizes */
#define MEMLANE_WORKER_MOST_CELLS 25000
#define MEMLANE_WORKER_MOST_STATES 16
#define MEMLANE_WORKER_MOST_FINDINGS 10000
#define MEMLANE_WORKER_MOST_NOTES 200
#define MEMLANE_WORKER_MOST_PROGRESS 20000 /* of an experiment's steps */
#define MEMLANE_WORKER_MOST_PIECES 2500    /* of traces */
#define MEMLANE_WORKER_MOST_EVENTS 1000000 /* of a trace */
