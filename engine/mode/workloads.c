/* workloads.c: the registry of workloads, and what each lays out in each mode
 *
 * SPDX-License-Identifier: MIT
 */
#include "workload.h"

#include <string.h>

#include "base/each.h"
#include "base/i18n.h"
#include "recipe.h"
#include "transfer.h"

/* --- pieces of a layout ----------------------------------------------------------------------- */

MEMLANE_DEFINE_ISSUE (lead_in_upload,
                      memlane_device_memcpy_async (buffers->device, buffers->lead.buffer,
                                                   buffers->lead.host, buffers->lead_bytes,
                                                   MEMLANE_COPY_TO_DEVICE,
                                                   memlane_buffers_stream (buffers), error))
MEMLANE_DEFINE_ISSUE (lead_in_download,
                      memlane_device_memcpy_async (buffers->device, buffers->lead.host,
                                                   buffers->lead.buffer, buffers->lead_bytes,
                                                   MEMLANE_COPY_TO_HOST,
                                                   memlane_buffers_stream (buffers), error))

static gboolean
prefetch_there_and_home (MemlaneBuffers *buffers, const MemlaneVector *vector, gsize bytes,
                         GError **error)
{
  MemlaneStream *stream = memlane_buffers_stream (buffers);

  return memlane_device_mem_prefetch_async (buffers->device, vector->host, bytes,
                                            MEMLANE_LOCATION_DEVICE, stream, error)
         && memlane_device_mem_prefetch_async (buffers->device, vector->host, bytes,
                                               MEMLANE_LOCATION_HOST, stream, error);
}

/* There and home: only pages that move take the driver's thread. */
MEMLANE_DEFINE_ISSUE (lead_in_prefetch,
                      prefetch_there_and_home (buffers, &buffers->lead, buffers->lead_bytes,
                                               error))

/* Gives the step just added its lead-in: where it is a latched copy between buffers that exist by
 * then, or pages going home, which a thread of the driver carries: it sleeps while a long kernel
 * runs, and waking up took up to a quarter of a millisecond. */
static void
lead_in (MemlaneRecipe *recipe)
{
  MemlaneStep *step = &recipe->steps[recipe->n_steps - 1];
  gboolean copies = step->timing == MEMLANE_TIMING_LATCHED
                    && recipe->mode->reach == MEMLANE_REACH_DEVICE_COPY;

  if (step->phase == MEMLANE_PHASE_UPLOAD && recipe->mode->transfer->allocates_inside)
    step->detail = recipe->mode->transfer->keeps_pool
                       ? N_("holds cudaMallocAsync too, which finds memory in its pool")
                       : N_("holds cudaMallocAsync too, which takes memory from the driver: its "
                             "pool gives it back at each synchronisation");
  else if (step->phase == MEMLANE_PHASE_UPLOAD && copies)
    step->lead_in = lead_in_upload;
  else if (step->phase == MEMLANE_PHASE_DOWNLOAD && copies)
    step->lead_in = lead_in_download;
  else if (step->phase == MEMLANE_PHASE_DOWNLOAD && step->timing == MEMLANE_TIMING_EVENTS)
    {
      step->lead_in = lead_in_prefetch;
      step->detail = N_("pages are carried home by a thread of the driver, which a small prefetch "
                         "before has woken");
    }
}

/* cudaMemcpy returns when all has arrived, except from pageable memory: there it may return when
 * all is staged. */
static gboolean
upload_completes (const MemlaneRecipe *recipe)
{
  return recipe->mode->transfer->kind == MEMLANE_TRANSFER_BLOCKING
         && memlane_host_memory_is_pinned (recipe->mode->input_memory);
}

static void
add_step (MemlaneRecipe *recipe, MemlanePhase phase, MemlaneTiming timing, MemlaneIssue issue,
          guint repeats, guint64 bytes_moved)
{
  gboolean travels = phase != MEMLANE_PHASE_DOWNLOAD || !recipe->mode->result_stays_on_host;

  g_assert (recipe->n_steps < G_N_ELEMENTS (recipe->steps));
  recipe->steps[recipe->n_steps++] = (MemlaneStep) {
    .phase = phase,
    .timing = timing,
    .issue = issue,
    .repeats = repeats,
    .bytes_moved = travels ? bytes_moved : 0,
    .completes = phase == MEMLANE_PHASE_UPLOAD && upload_completes (recipe),
  };
  lead_in (recipe);
}

static void
add_check (MemlaneRecipe *recipe, gboolean is_input, gboolean in_buffer, gboolean is_poisoned,
           const float *expected)
{
  g_assert (recipe->n_checks < G_N_ELEMENTS (recipe->checks));
  recipe->checks[recipe->n_checks++] = (MemlaneCheck) {
    .is_input = is_input, .in_buffer = in_buffer, .is_poisoned = is_poisoned, .expected = expected,
  };
}

static MemlaneTiming
timing (gboolean queues, gboolean has_events)
{
  return queues ? MEMLANE_TIMING_LATCHED : has_events ? MEMLANE_TIMING_EVENTS : MEMLANE_TIMING_HOST;
}

static void
choose_lanes (MemlaneRecipe *recipe)
{
  MemlaneLanes lanes = recipe->mode->transfer->lanes;

  recipe->shape.lanes = lanes == MEMLANE_LANES_MANY  ? MIN (recipe->streams, recipe->chunks)
                        : lanes == MEMLANE_LANES_ONE ? 1
                                                     : 0;
  recipe->shape.chunks = lanes == MEMLANE_LANES_MANY ? recipe->chunks : 1;
}

/* --- steps ------------------------------------------------------------------------------------ */

MEMLANE_DEFINE_ISSUE (issue_round_trip,
                      memlane_buffers_copy (buffers, buffers->input[0].buffer,
                                            buffers->input[0].host, MEMLANE_COPY_TO_DEVICE, error)
                          && memlane_buffers_copy (buffers, buffers->output.host,
                                                   buffers->input[0].buffer, MEMLANE_COPY_TO_HOST,
                                                   error))
MEMLANE_DEFINE_ISSUE (issue_prefetch_round_trip,
                      prefetch_there_and_home (buffers, &buffers->input[0], buffers->bytes,
                                               error))
MEMLANE_DEFINE_ISSUE (issue_both_ways,
                      memlane_device_memcpy_async (buffers->device, buffers->input[0].buffer,
                                                   buffers->input[0].host, buffers->bytes,
                                                   MEMLANE_COPY_TO_DEVICE, buffers->lanes[0], error)
                          && memlane_device_memcpy_async (buffers->device, buffers->output.host,
                                                          buffers->output.buffer, buffers->bytes,
                                                          MEMLANE_COPY_TO_HOST, buffers->lanes[1],
                                                          error))
MEMLANE_DEFINE_ISSUE (issue_copy_on_device,
                      memlane_device_memcpy_async (buffers->device, buffers->output.buffer,
                                                   buffers->input[0].buffer, buffers->bytes,
                                                   MEMLANE_COPY_ON_DEVICE,
                                                   memlane_buffers_stream (buffers), error))
MEMLANE_DEFINE_ISSUE (issue_copy_on_host,
                      memlane_device_memcpy (buffers->device, buffers->output.host,
                                             buffers->input[0].host, buffers->bytes,
                                             MEMLANE_COPY_ON_HOST, error))
MEMLANE_DEFINE_ISSUE (issue_copy_to_peer,
                      memlane_device_memcpy_peer_async (buffers->device, buffers->output.buffer,
                                                        buffers->input[0].buffer, buffers->bytes,
                                                        memlane_buffers_stream (buffers),
                                                        error))
MEMLANE_DEFINE_ISSUE (issue_fill,
                      memlane_device_memset_async (buffers->device, buffers->output.kernel,
                                                   MEMLANE_FILL_BYTE, buffers->bytes,
                                                   memlane_buffers_stream (buffers), error))

/* --- vector-add and copy-kernel: up, kernel, down --------------------------------------------- */

static void
lay_out_transform (MemlaneRecipe *recipe)
{
  const MemlaneTransfer *transfer = recipe->mode->transfer;
  const guint inputs = recipe->workload->up;
  gboolean copies = recipe->mode->reach == MEMLANE_REACH_DEVICE_COPY;
  guint64 moved = (inputs + 1) * (guint64) recipe->bytes;

  recipe->shape.inputs = inputs;
  recipe->shape.inputs_on = recipe->shape.output_on = (transfer->resident ? 0 : MEMLANE_ON_HOST)
                                                      | (copies ? MEMLANE_ON_DEVICE : 0);
  recipe->shape.allocates_inside = transfer->allocates_inside;
  recipe->shape.keeps_pool = transfer->keeps_pool;
  choose_lanes (recipe);
  recipe->kernel = inputs == 2 ? MEMLANE_KERNEL_ADD : MEMLANE_KERNEL_COPY;
  recipe->elapsed_bytes = moved;
  recipe->inputs_preloaded = transfer->resident;
  add_check (recipe, FALSE, transfer->resident, TRUE,
             inputs == 2 ? recipe->reference->sum : recipe->reference->input[0]);

  if (transfer->schedule != NULL)
    {
      add_step (recipe, MEMLANE_PHASE_ELAPSED, MEMLANE_TIMING_LATCHED, transfer->schedule, 1,
                moved);
      return;
    }
  if (transfer->upload != NULL)
    add_step (recipe, MEMLANE_PHASE_UPLOAD,
              timing (transfer->upload_queues, transfer->upload_has_events), transfer->upload, 1,
              inputs * (guint64) recipe->bytes);
  add_step (recipe, MEMLANE_PHASE_KERNEL, timing (transfer->kernel_queues, FALSE), transfer->kernel,
            1, moved * recipe->reuse);
  if (transfer->download != NULL)
    add_step (recipe, MEMLANE_PHASE_DOWNLOAD,
              timing (transfer->download_queues, transfer->download_has_events), transfer->download,
              1, recipe->bytes);
  recipe->finish_waits = transfer->download == NULL || transfer->download_queues
                         || transfer->download_has_events || transfer->lanes != MEMLANE_LANES_NONE;
}

/* --- copies one way --------------------------------------------------------------------------- */

/* Modes that are another mode's copies once there is no kernel. */
static const char *
object_to_copies (const MemlaneMode *mode)
{
  const MemlaneTransfer *transfer = mode->transfer;

  if (transfer->resident)
    return N_("nothing travels between host and device in this mode; use copy-on-device");
  if (transfer->schedule != NULL)
    return N_("without a kernel there is nothing to overlap with; use pinned-async, or "
               "copy-bidirectional");
  if (transfer->allocates_inside)
    return N_("its copies are those of pinned-async");
  return NULL;
}

static const char *
object_to_copies_home (const MemlaneMode *mode)
{
  if (mode->input_memory == MEMLANE_HOST_REGISTERED_READ_ONLY)
    return N_("the device only reads its memory; use registered");
  return object_to_copies (mode);
}

static void
lay_out_copy_to_device (MemlaneRecipe *recipe)
{
  const MemlaneTransfer *transfer = recipe->mode->transfer;
  const float *expected = recipe->reference->input[0];

  recipe->shape.inputs = 1;
  recipe->shape.inputs_on = MEMLANE_ON_HOST;
  recipe->elapsed_bytes = recipe->bytes * (guint64) recipe->reuse;
  choose_lanes (recipe);
  if (recipe->mode->reach == MEMLANE_REACH_DEVICE_COPY)
    {
      recipe->shape.inputs_on |= MEMLANE_ON_DEVICE;
      add_step (recipe, MEMLANE_PHASE_UPLOAD, timing (transfer->upload_queues, FALSE),
                transfer->upload, recipe->reuse, recipe->elapsed_bytes);
      recipe->finish_waits = !upload_completes (recipe);
      add_check (recipe, TRUE, TRUE, TRUE, expected);
    }
  else if (transfer->upload != NULL)
    {
      /* A prefetch moves its pages once, however often it is asked. */
      recipe->elapsed_bytes = recipe->bytes;
      add_step (recipe, MEMLANE_PHASE_UPLOAD,
                timing (transfer->upload_queues, transfer->upload_has_events), transfer->upload, 1,
                recipe->bytes);
      add_check (recipe, TRUE, TRUE, FALSE, expected);
    }
  else
    {
      /* No copy call: a kernel carries the vector into device memory by its own loads. */
      recipe->shape.output_on = MEMLANE_ON_DEVICE;
      recipe->kernel = MEMLANE_KERNEL_COPY;
      add_step (recipe, MEMLANE_PHASE_KERNEL, timing (transfer->kernel_queues, FALSE),
                transfer->kernel, 1, recipe->elapsed_bytes);
      add_check (recipe, FALSE, TRUE, TRUE, expected);
    }
}

static void
lay_out_copy_to_host (MemlaneRecipe *recipe)
{
  const MemlaneTransfer *transfer = recipe->mode->transfer;
  const float *expected = recipe->reference->input[0];

  /* The mode's own memory on the receiving side: that is how the slow reads of write-combined
   * memory show. */
  recipe->shape.output_memory = recipe->mode->input_memory;
  recipe->shape.output_on = MEMLANE_ON_HOST;
  recipe->elapsed_bytes = recipe->bytes * (guint64) recipe->reuse;
  choose_lanes (recipe);
  if (recipe->mode->reach == MEMLANE_REACH_DEVICE_COPY)
    {
      recipe->shape.output_on |= MEMLANE_ON_DEVICE;
      recipe->output_content = expected;
      add_step (recipe, MEMLANE_PHASE_DOWNLOAD, timing (transfer->download_queues, FALSE),
                transfer->download, recipe->reuse, recipe->elapsed_bytes);
      recipe->finish_waits = transfer->lanes != MEMLANE_LANES_NONE;
      add_check (recipe, FALSE, FALSE, TRUE, expected);
    }
  else if (transfer->upload != NULL)
    {
      recipe->elapsed_bytes = recipe->bytes;
      recipe->output_content = expected;
      recipe->settles_on_device = TRUE;
      add_step (recipe, MEMLANE_PHASE_DOWNLOAD,
                timing (transfer->download_queues, transfer->download_has_events),
                transfer->download, 1, recipe->bytes);
      add_check (recipe, FALSE, FALSE, FALSE, expected);
    }
  else
    {
      recipe->shape.inputs = 1;
      recipe->shape.inputs_on = MEMLANE_ON_DEVICE;
      recipe->inputs_preloaded = TRUE;
      recipe->kernel = MEMLANE_KERNEL_COPY;
      add_step (recipe, MEMLANE_PHASE_KERNEL, timing (transfer->kernel_queues, FALSE),
                transfer->kernel, 1, recipe->elapsed_bytes);
      if (transfer->download != NULL)
        add_step (recipe, MEMLANE_PHASE_DOWNLOAD, timing (transfer->download_queues, FALSE),
                  transfer->download, 1, recipe->bytes);
      recipe->finish_waits = transfer->download == NULL;
      add_check (recipe, FALSE, FALSE, TRUE, expected);
    }
}

/* --- copies there and back -------------------------------------------------------------------- */

static const char *
object_to_round_trips (const MemlaneMode *mode)
{
  if (mode->reach != MEMLANE_REACH_DEVICE_COPY && mode->transfer->upload == NULL)
    return N_("no copy is called in this mode; use copy-kernel");
  return object_to_copies (mode);
}

static void
lay_out_copy_round_trip (MemlaneRecipe *recipe)
{
  const MemlaneTransfer *transfer = recipe->mode->transfer;

  recipe->shape.inputs = 1;
  recipe->shape.inputs_on = MEMLANE_ON_HOST;
  recipe->elapsed_bytes = 2 * recipe->bytes * (guint64) recipe->reuse;
  choose_lanes (recipe);
  if (recipe->mode->reach == MEMLANE_REACH_DEVICE_COPY)
    {
      recipe->shape.inputs_on |= MEMLANE_ON_DEVICE;
      recipe->shape.output_on = MEMLANE_ON_HOST;
      add_step (recipe, MEMLANE_PHASE_ELAPSED,
                timing (transfer->upload_queues && transfer->download_queues, TRUE),
                issue_round_trip, recipe->reuse, recipe->elapsed_bytes);
      recipe->finish_waits = transfer->lanes != MEMLANE_LANES_NONE;
      add_check (recipe, FALSE, FALSE, TRUE, recipe->reference->input[0]);
      return;
    }
  add_step (recipe, MEMLANE_PHASE_ELAPSED, MEMLANE_TIMING_EVENTS, issue_prefetch_round_trip,
            recipe->reuse, recipe->elapsed_bytes);
  add_check (recipe, TRUE, FALSE, FALSE, recipe->reference->input[0]);
}

static const char *
object_to_both_ways (const MemlaneMode *mode)
{
  if (mode->reach != MEMLANE_REACH_DEVICE_COPY)
    return N_("no copy is called in this mode");
  return object_to_copies_home (mode);
}

static void
lay_out_copy_bidirectional (MemlaneRecipe *recipe)
{
  gboolean queues = memlane_host_memory_is_pinned (recipe->mode->input_memory);

  /* cudaMemcpyAsync in two streams whatever the mode's own call is: cudaMemcpy could never run both
   * ways at once. */
  recipe->shape.inputs = 1;
  recipe->shape.inputs_on = recipe->shape.output_on = MEMLANE_ON_HOST | MEMLANE_ON_DEVICE;
  recipe->shape.output_memory = recipe->mode->input_memory;
  recipe->shape.lanes = 2;
  recipe->shape.lanes_are_ways = TRUE;
  recipe->output_content = recipe->reference->input[1];
  recipe->elapsed_bytes = 2 * recipe->bytes * (guint64) recipe->reuse;
  add_step (recipe, MEMLANE_PHASE_ELAPSED, timing (queues, FALSE), issue_both_ways, recipe->reuse,
            recipe->elapsed_bytes);
  add_check (recipe, TRUE, TRUE, TRUE, recipe->reference->input[0]);
  add_check (recipe, FALSE, FALSE, TRUE, recipe->reference->input[1]);
}

/* --- copies on one side, to a second device, fills -------------------------------------------- */

static const char *
object_unless_resident (const MemlaneMode *mode)
{
  return mode->transfer->resident ? NULL : N_("no host memory takes part; use device-resident");
}

/* Within the device, or to the second one. */
static void
lay_out_on_device (MemlaneRecipe *recipe)
{
  const gboolean to_peer = !recipe->workload->on_device;

  /* On the default stream 16 copies of 64 MiB in a row took 4 % longer (data/doc/figures.md). */
  recipe->shape.lanes = to_peer ? 1 : 0;
  recipe->shape.inputs = 1;
  recipe->shape.inputs_on = MEMLANE_ON_DEVICE;
  recipe->shape.output_on = to_peer ? MEMLANE_ON_PEER : MEMLANE_ON_DEVICE;
  recipe->inputs_preloaded = TRUE;
  recipe->elapsed_bytes = (to_peer ? 1 : 2) * (guint64) recipe->bytes * recipe->reuse;
  add_step (recipe, MEMLANE_PHASE_ELAPSED, MEMLANE_TIMING_LATCHED,
            to_peer ? issue_copy_to_peer : issue_copy_on_device, recipe->reuse,
            recipe->elapsed_bytes);
  add_check (recipe, FALSE, TRUE, TRUE, recipe->reference->input[0]);
}

static const char *
object_to_copies_on_host (const MemlaneMode *mode)
{
  if (mode->transfer->resident)
    return N_("no host memory takes part in this mode");
  return mode->same_host_memory;
}

static void
lay_out_copy_on_host (MemlaneRecipe *recipe)
{
  recipe->shape.inputs = 1;
  recipe->shape.inputs_on = recipe->shape.output_on = MEMLANE_ON_HOST;
  recipe->elapsed_bytes = 2 * (guint64) recipe->bytes * recipe->reuse;
  add_step (recipe, MEMLANE_PHASE_ELAPSED, MEMLANE_TIMING_HOST, issue_copy_on_host, recipe->reuse,
            recipe->elapsed_bytes);
  recipe->finish_waits = FALSE;
  add_check (recipe, FALSE, FALSE, TRUE, recipe->reference->input[0]);
}

static const char *
object_to_fills (const MemlaneMode *mode)
{
  if (mode->transfer->resident)
    return NULL;
  if (mode->shaped_kernel)
    return N_("no kernel runs: the fill would be mapped's");
  if (mode->way == MEMLANE_WAY_ZERO_COPY)
    return mode->input_memory == mode->output_memory
               ? NULL
               : N_("the result is never write-combined; use mapped");
  if (mode->reach == MEMLANE_REACH_DEVICE_COPY)
    return N_("the fill would be device-resident's");
  if (mode->transfer->upload != NULL || mode->transfer->settle != NULL) /* prefetched, or advised */
    return N_("the fill would be managed's");
  return NULL;
}

static void
lay_out_fill (MemlaneRecipe *recipe)
{
  gboolean resident = recipe->mode->transfer->resident;

  recipe->shape.output_on = resident ? MEMLANE_ON_DEVICE : MEMLANE_ON_HOST;
  recipe->elapsed_bytes = recipe->bytes * (guint64) recipe->reuse;
  add_step (recipe, MEMLANE_PHASE_ELAPSED, MEMLANE_TIMING_LATCHED, issue_fill, recipe->reuse,
            recipe->elapsed_bytes);
  add_check (recipe, FALSE, resident, TRUE, NULL);
}

/* --- scattered pieces ------------------------------------------------------------------------- */

static const char *
object_to_pieces (const MemlaneMode *mode)
{
  if (mode->transfer->pieces != MEMLANE_PIECES_NOT)
    return NULL;
  if (mode->transfer->schedule != NULL || mode->transfer->allocates_inside)
    return N_("its copies of pieces would be those of pinned-async");
  return N_("it has no way to move many pieces; use pinned-async, pinned-batch or mapped-shaped");
}

MEMLANE_DEFINE_ISSUE (issue_pieces_up,
                      memlane_scatter_move (buffers->scatter, buffers->device, TRUE,
                                            memlane_buffers_stream (buffers), error))
MEMLANE_DEFINE_ISSUE (issue_pieces_down,
                      memlane_scatter_move (buffers->scatter, buffers->device, FALSE,
                                            memlane_buffers_stream (buffers), error))

/* More would fill the driver's queue behind a latch. */
#define MOST_LATCHED 256

static void
add_pieces (MemlaneRecipe *recipe, gboolean up)
{
  const MemlanePiecesWay way = recipe->mode->transfer->pieces;
  const gboolean blocks = way == MEMLANE_PIECES_PACKED
                          || recipe->mode->transfer->kind == MEMLANE_TRANSFER_ASYNC_PAGEABLE;
  const gboolean few = way == MEMLANE_PIECES_KERNEL
                       || (way != MEMLANE_PIECES_PREFETCH && recipe->chunks <= MOST_LATCHED);

  add_step (recipe, up ? MEMLANE_PHASE_UPLOAD : MEMLANE_PHASE_DOWNLOAD,
            timing (few && !blocks, !blocks), up ? issue_pieces_up : issue_pieces_down, 1,
            recipe->bytes);
  recipe->steps[recipe->n_steps - 1].lead_in = NULL; /* one copy is no lead-in for many */
  recipe->steps[recipe->n_steps - 1].detail = NULL;
}

static void
lay_out_pieces (MemlaneRecipe *recipe)
{
  const gboolean up = recipe->workload->up > 0, down = recipe->workload->down > 0;
  const gboolean managed = memlane_host_memory_is_managed (recipe->mode->input_memory);
  const float *expected = recipe->reference->input[0];

  choose_lanes (recipe);
  recipe->shape.is_scattered = TRUE;
  recipe->shape.chunks = recipe->chunks;
  recipe->shape.output_memory = recipe->mode->input_memory;
  recipe->shape.inputs = up ? 1 : 0;
  recipe->shape.inputs_on = MEMLANE_ON_HOST | (managed ? 0 : MEMLANE_ON_DEVICE);
  recipe->shape.output_on = down ? MEMLANE_ON_HOST | (up || managed ? 0 : MEMLANE_ON_DEVICE) : 0;
  recipe->elapsed_bytes = (up + down) * (guint64) recipe->bytes;
  if (down && !up)
    recipe->output_content = expected;
  recipe->settles_on_device = down && !up && managed;
  if (up)
    add_pieces (recipe, TRUE);
  if (down)
    add_pieces (recipe, FALSE);
  if (!down)
    add_check (recipe, TRUE, !managed, !managed, expected);
  else
    add_check (recipe, FALSE, FALSE, !managed, expected);
}

static const char *
object_to_pieces_round_trip (const MemlaneMode *mode)
{
  if (mode->transfer->pieces == MEMLANE_PIECES_PREFETCH)
    return N_("its pages come home where they were; use pieces-to-device and pieces-to-host");
  return object_to_pieces (mode);
}

/* --- the registry ----------------------------------------------------------------------------- */

static const MemlaneWorkload workloads[] = {
  {
      .id = "vector-add",
      .title = N_("Vector addition"),
      .summary = N_("c[i] = a[i] + b[i]. Copies two vectors to the device and one back. "
                     "Bandwidth counts 8n bytes up, 4n down, and 12n for the kernel (times reuse) "
                     "and in total."),
      .lay_out = lay_out_transform,
      .up = 2,
      .down = 1,
      .overlaps = TRUE,
      .has_reuse = TRUE,
  },
  {
      .id = "copy-to-device",
      .title = N_("Copy to device"),
      .summary = N_("Copies one vector to the device R times (R = reuse), 4n bytes each. Modes "
                     "without copies use a kernel instead."),
      .objection = object_to_copies,
      .lay_out = lay_out_copy_to_device,
      .up = 1,
  },
  {
      .id = "copy-to-host",
      .title = N_("Copy to host"),
      .summary = N_("Copies one vector to the host R times (R = reuse), 4n bytes each. Modes "
                     "without copies use a kernel instead."),
      .objection = object_to_copies_home,
      .lay_out = lay_out_copy_to_host,
      .down = 1,
  },
  {
      .id = "copy-round-trip",
      .title = N_("Round trip"),
      .summary = N_("Copies one vector to the device and back R times (R = reuse), 8n bytes each. "
                     "One pair of events times all of them."),
      .objection = object_to_round_trips,
      .lay_out = lay_out_copy_round_trip,
      .up = 1,
      .down = 1,
  },
  {
      .id = "copy-bidirectional",
      .title = N_("Both ways at once"),
      .summary = N_("Copies one vector to the device while another is copied to the host, on two "
                     "streams. Bandwidth counts 8n bytes, that of upload and download 4n each."),
      .objection = object_to_both_ways,
      .lay_out = lay_out_copy_bidirectional,
      .needs = MEMLANE_CAN_COPY_ASYNC,
      .up = 1,
      .down = 1,
      .overlaps = TRUE,
  },
  {
      .id = "copy-on-device",
      .title = N_("Copy on the device"),
      .summary = N_("cudaMemcpyAsync between two buffers of the same device; 8n bytes: read and "
                     "written both count."),
      .objection = object_unless_resident,
      .lay_out = lay_out_on_device,
      .on_device = TRUE,
  },
  {
      .id = "copy-on-host",
      .title = N_("Copy on the host"),
      .summary = N_("cudaMemcpy(cudaMemcpyHostToHost) between two host vectors; 8n bytes: read "
                     "and written both count."),
      .objection = object_to_copies_on_host,
      .lay_out = lay_out_copy_on_host,
  },
  {
      .id = "copy-to-peer",
      .title = N_("Copy to a second device"),
      .summary = N_("cudaMemcpyPeerAsync into the memory of the next device; 4n bytes."),
      .objection = object_unless_resident,
      .lay_out = lay_out_on_device,
      .needs = MEMLANE_CAN_PEER_COPY,
  },
  {
      .id = "fill",
      .title = N_("Fill"),
      .summary = N_("cudaMemsetAsync over one vector; 4n bytes written."),
      .objection = object_to_fills,
      .lay_out = lay_out_fill,
      .on_device = TRUE,
  },
  {
      .id = "copy-kernel",
      .title = N_("Copy kernel"),
      .summary = N_("out[i] = in[i]. Copies one vector to the device, copies it there by a "
                     "kernel, and copies one back. "
                     "Bandwidth counts 4n bytes up, 4n down, and 8n for the kernel and in total."),
      .lay_out = lay_out_transform,
      .up = 1,
      .down = 1,
      .overlaps = TRUE,
      .has_reuse = TRUE,
  },
  {
      .id = "pieces-to-device",
      .title = N_("Pieces to device"),
      .summary = N_("Copies one vector to the device whose pieces lie scattered in a pool on the "
                     "host: as many as there are chunks. "
                     "Bandwidth counts 4n bytes."),
      .objection = object_to_pieces,
      .lay_out = lay_out_pieces,
      .up = 1,
      .of_pieces = TRUE,
  },
  {
      .id = "pieces-to-host",
      .title = N_("Pieces to host"),
      .summary = N_("Copies one vector from the device into pieces that lie scattered in a pool "
                     "on the host: as many as there are chunks. "
                     "Bandwidth counts 4n bytes."),
      .objection = object_to_pieces,
      .lay_out = lay_out_pieces,
      .down = 1,
      .of_pieces = TRUE,
  },
  {
      .id = "pieces-round-trip",
      .title = N_("Pieces there and back"),
      .summary = N_("Copies scattered pieces to the device and back into another pool: as many as "
                     "there are chunks. "
                     "Bandwidth counts 8n bytes."),
      .objection = object_to_pieces_round_trip,
      .lay_out = lay_out_pieces,
      .up = 1,
      .down = 1,
      .of_pieces = TRUE,
  },
};

const MemlaneWorkload *
memlane_workload_list (guint *n)
{
  *n = G_N_ELEMENTS (workloads);
  return workloads;
}

const MemlaneWorkload *
memlane_workload_find (const char *id)
{
  g_return_val_if_fail (id != NULL, NULL);
  MEMLANE_FOR_EACH_OF (const MemlaneWorkload, workload, n, memlane_workload_list (&n))
    if (strcmp (workload->id, id) == 0)
      return workload;
  return NULL;
}

double
memlane_workload_get_ways (const MemlaneWorkload *workload)
{
  return workload != NULL && workload->overlaps
             ? (double) (workload->up + workload->down) / MAX (workload->up, workload->down)
             : 1;
}

gboolean
memlane_mode_is_of_pieces (const MemlaneMode *mode)
{
  return mode->transfer->kernel == NULL && mode->transfer->schedule == NULL;
}

const char *
memlane_workload_find_objection (const MemlaneWorkload *workload, const MemlaneMode *mode)
{
  if (memlane_mode_is_of_pieces (mode) && !workload->of_pieces)
    return N_("it moves many pieces; use pieces-to-device");
  return workload->objection != NULL ? workload->objection (mode) : NULL;
}

gboolean
memlane_workload_is_supported (const MemlaneWorkload *workload, const MemlaneMode *mode,
                               const MemlaneDeviceInfo *info, char **reason)
{
  const char *objection = memlane_workload_find_objection (workload, mode);

  if (objection != NULL || info == NULL)
    *reason = g_strdup (objection);
  else
    *reason = memlane_capabilities_explain_missing (workload->needs | mode->needs, info);
  return *reason == NULL;
}
