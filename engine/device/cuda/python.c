/* python.c: the line of a Python program that calls CUDA
 *
 * SPDX-License-Identifier: MIT
 *
 * The frames of a thread do not change while it is inside a C function, so they are read where they
 * lie, without the interpreter's lock. CPython 3.11 to 3.14; others have frames elsewhere, and tell
 * nothing here. The places are those of the structures _PyInterpreterFrame, PyCodeObject and
 * PyASCIIObject in the headers of each version; the format of lines is that of CPython's
 * Objects/locations.md.
 */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include <dlfcn.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "recorder.h"

#define MOST_FRAMES 64 /* that are looked at for one of the program's own */
#define IS_ASCII 0x60  /* of a text's state: its bytes follow it */
#define TYPE 8         /* of each object: where its type is named */
#define TAG 3          /* bits of a frame's code that are not its address, since 3.14 */
#define DIRECT SIZE_MAX

/* Bytes from the beginning of each structure. */
typedef struct
{
  unsigned version;              /* 0x030c: 3.12 */
  /* of the thread's state, of what that points to; DIRECT: the frame */
  size_t frame, in_frame;
  size_t code, previous, instruction;
  size_t first_line, file, lines, instructions; /* of the code */
  size_t text;                   /* of a text */
} Layout;

static const Layout layouts[] = {
  { 0x030b, 56, 8, 32, 48, 56, 72, 112, 136, 184, 48 },
  { 0x030c, 56, 0, 0, 8, 56, 68, 112, 136, 192, 40 },
  { 0x030d, 72, DIRECT, 0, 8, 56, 68, 112, 136, 200, 40 },
  { 0x030e, 72, DIRECT, 0, 8, 56, 68, 112, 136, 208, 40 },
};

static const Layout *layout;
static void *(*get_thread) (void);
static const void *code_type;

static void *
follow (const void *from, size_t offset)
{
  void *pointer;

  memcpy (&pointer, (const char *) from + offset, sizeof pointer);
  return pointer;
}

void
memlane_python_begin (void)
{
  const unsigned long *version = dlsym (RTLD_DEFAULT, "Py_Version");

  if (dlsym (RTLD_DEFAULT, "_Py_RefTotal") != NULL
      || dlsym (RTLD_DEFAULT, "_Py_IncRefTotal_DO_NOT_USE_THIS") != NULL)
    return; /* one for debugging, whose objects are larger */
  code_type = dlsym (RTLD_DEFAULT, "PyCode_Type");
  get_thread = (void *(*) (void)) dlsym (RTLD_DEFAULT, "PyGILState_GetThisThreadState");
  for (unsigned i = 0; version != NULL && i < sizeof layouts / sizeof *layouts; i++)
    if (*version >> 16 == layouts[i].version)
      layout = &layouts[i];
}

/* Returns the innermost frame of this thread; NULL: it runs no Python. */
static const void *
get_frame (void)
{
  const void *thread = layout != NULL && get_thread != NULL ? get_thread () : NULL;
  const void *frames = thread != NULL ? follow (thread, layout->frame) : NULL;

  return frames == NULL || layout->in_frame == DIRECT ? frames : follow (frames, layout->in_frame);
}

/* Returns what @frame runs; NULL: no Python. */
static const char *
get_code (const void *frame)
{
  const char *code = (const char *) ((uintptr_t) follow (frame, layout->code) & ~(uintptr_t) TAG);

  return code != NULL && follow (code, TYPE) == code_type ? code : NULL;
}

unsigned
memlane_python_find (void **marks, unsigned most)
{
  const void *frame = get_frame ();
  unsigned n = 0;

  for (; frame != NULL && n + 2 <= most; frame = follow (frame, layout->previous))
    {
      marks[n++] = follow (frame, layout->code);
      marks[n++] = follow (frame, layout->instruction);
    }
  return n;
}

/* A number in groups of six bits, the lowest first. */
static unsigned
read_number (const uint8_t **at, const uint8_t *end)
{
  unsigned value = 0;

  for (unsigned shift = 0; *at < end && shift < 32; shift += 6)
    {
      uint8_t byte = *(*at)++;

      value |= (unsigned) (byte & 0x3f) << shift;
      if ((byte & 0x40) == 0)
        break;
    }
  return value;
}

/* Returns the line of instruction @unit of @code. */
static int
find_line (const void *code, size_t unit)
{
  const char *table = follow (code, layout->lines);
  /* a bytes object: its size, its hash, its bytes */
  size_t length = (size_t) follow (table, 16), covered = 0;
  const uint8_t *at = (const uint8_t *) table + 32, *end = at + length;
  int line;

  memcpy (&line, (const char *) code + layout->first_line, sizeof line);
  while (at < end && covered <= unit)
    {
      uint8_t head = *at++, form = head >> 3 & 15;
      unsigned delta;

      covered += (size_t) (head & 7) + 1;
      if (form == 13 || form == 14)
        {
          delta = read_number (&at, end);
          line += (delta & 1) != 0 ? -(int) (delta >> 1) : (int) (delta >> 1);
        }
      else if (form >= 10 && form <= 12)
        line += form - 10;
      while (at < end && (*at & 0x80) == 0) /* the rest is columns */
        at++;
    }
  return line;
}

/* Whether a file belongs to the interpreter or to a package that was installed. */
static bool
is_of_library (const char *file)
{
  return file[0] == '<' || strstr (file, "/site-packages/") != NULL
         || strstr (file, "/dist-packages/") != NULL || strstr (file, "/lib/python3") != NULL;
}

size_t
memlane_python_describe (char *text, size_t most)
{
  const void *frame = get_frame ();
  size_t length = 0;

  text[0] = '\0';
  for (unsigned i = 0; frame != NULL && i < MOST_FRAMES;
       i++, frame = follow (frame, layout->previous))
    {
      const char *code = get_code (frame);
      const char *at = follow (frame, layout->instruction), *file;
      uint32_t state;

      file = code != NULL ? follow (code, layout->file) : NULL;
      if (file == NULL || at < code + layout->instructions)
        continue;
      memcpy (&state, file + 32, sizeof state);
      file += layout->text;
      if ((state & IS_ASCII) != IS_ASCII || (length > 0 && is_of_library (file)))
        continue;
      length = (size_t) snprintf (
          text, most, MEMLANE_SITE_PYTHON "%.400s:%d\n", file,
          find_line (code, (size_t) (at - code - layout->instructions) / 2));
      if (!is_of_library (file))
        break; /* else it is the best so far */
    }
  return length < most ? length : 0;
}
