/* raster.c: lines and small shapes put on the pixels of an image
 *
 * SPDX-License-Identifier: MIT
 */
#include "raster.h"

#include <math.h>
#include <string.h>

#include "figure-private.h"

#define BLOCK 8         /* px of a row that are looked at together */
#define NOTHING 0.002f  /* less than a level of 8 bits, and more than sums are off */
#define MOST_DASHES 8

/* Between two corners of a shape, downwards, px of the image. */
typedef struct
{
  float x, slope; /* at @top, and to the right for each px down */
  float top, bottom;
  float sign;     /* 1: it ran downwards, -1: upwards */
  int next;       /* of those that begin in the same row; -1: none */
} Edge;

/* A shape in work. */
typedef struct
{
  double scale, x0, y0; /* from the context's coordinates to px of the image */
  GArray *edges;        /* (element-type Edge) */
  double left, top, right, bottom; /* what they reach */
} Shape;

/* How a line is drawn, px of the image. */
typedef struct
{
  double half; /* of its width */
  double dashes[MOST_DASHES];
  int n_dashes;
  double miter; /* limit of closed lines; 0: corners are cut */
} Line;

/* --- edges ---------------------------------------------------------------------------------------------------------------- */

static void
add_edge (Shape *self, const MemlaneCorner *a, const MemlaneCorner *b)
{
  const MemlaneCorner *upper = a->y < b->y ? a : b, *lower = a->y < b->y ? b : a;
  Edge edge = { (float) upper->x, 0, (float) upper->y, (float) lower->y, a->y < b->y ? 1 : -1, -1 };

  self->left = MIN (self->left, MIN (a->x, b->x));
  self->right = MAX (self->right, MAX (a->x, b->x));
  if (edge.top == edge.bottom)
    return;
  self->top = MIN (self->top, edge.top);
  self->bottom = MAX (self->bottom, edge.bottom);
  edge.slope = (float) ((lower->x - upper->x) / (lower->y - upper->y));
  g_array_append_val (self->edges, edge);
}

static void
add_polygon (Shape *self, const MemlaneCorner *corners, guint n)
{
  for (guint i = 0; i < n; i++)
    add_edge (self, &corners[i], &corners[i + 1 < n ? i + 1 : 0]);
}

/* --- lines ---------------------------------------------------------------------------------------------------------------- */

/* The piece of a line from @a to @b, @across being half its width. All pieces turn the same way. */
static void
add_piece (Shape *self, const MemlaneCorner *a, const MemlaneCorner *b, const MemlaneCorner *across)
{
  MemlaneCorner corners[] = { { a->x + across->x, a->y + across->y }, { b->x + across->x, b->y + across->y },
                              { b->x - across->x, b->y - across->y }, { a->x - across->x, a->y - across->y } };

  add_polygon (self, corners, G_N_ELEMENTS (corners));
}

/* What is left open between two pieces that meet at @corner, with @before and @after across them. */
static void
add_join (Shape *self, const MemlaneCorner *corner, const MemlaneCorner *before, const MemlaneCorner *after)
{
  gboolean swap = before->x * after->y > before->y * after->x;
  const MemlaneCorner *from = swap ? after : before, *to = swap ? before : after;
  double side = swap ? -1 : 1;
  MemlaneCorner corners[] = { *corner, { corner->x + side * from->x, corner->y + side * from->y },
                              { corner->x + side * to->x, corner->y + side * to->y } };

  add_polygon (self, corners, G_N_ELEMENTS (corners));
}

/* Half the width of a line, across the piece that begins at the corner @i of a closed one. */
static MemlaneCorner
get_across (const Line *line, const MemlaneCorner *corners, guint n, guint i)
{
  const MemlaneCorner *a = &corners[i % n], *b = &corners[(i + 1) % n];
  double length = hypot (b->x - a->x, b->y - a->y);

  return (MemlaneCorner){ (a->y - b->y) / length * line->half, (b->x - a->x) / length * line->half };
}

/* A closed line: one outline on either side of it, the inner one the other way round. */
static void
add_ring (Shape *self, const Line *line, const MemlaneCorner *corners, guint n)
{
  double square = line->half * line->half;

  for (int side = -1; side <= 1; side += 2)
    {
      g_autofree MemlaneCorner *outline = g_new (MemlaneCorner, 2 * n);
      guint length = 0;

      for (guint at = 0; at < n; at++)
        {
          guint i = side > 0 ? at : n - 1 - at;
          MemlaneCorner before = get_across (line, corners, n, i + n - 1), after = get_across (line, corners, n, i);
          double cross = before.x * after.y - before.y * after.x, turn = square + before.x * after.x + before.y * after.y;
          gboolean outer = cross * side < 0;

          /* The tip is half the width over the cosine of half the turn away. */
          if (turn > 1e-3 * square && (!outer || 2 * square <= line->miter * line->miter * turn))
            outline[length++] = (MemlaneCorner){ corners[i].x + side * (before.x + after.x) * square / turn,
                                                 corners[i].y + side * (before.y + after.y) * square / turn };
          else
            {
              const MemlaneCorner *first = side > 0 ? &before : &after, *second = side > 0 ? &after : &before;

              outline[length++] = (MemlaneCorner){ corners[i].x + side * first->x, corners[i].y + side * first->y };
              outline[length++] = (MemlaneCorner){ corners[i].x + side * second->x, corners[i].y + side * second->y };
            }
        }
      add_polygon (self, outline, length);
    }
}

/* @points: (element-type MemlaneCorner), no two the same in a row */
static void
add_line (Shape *self, const Line *line, const GArray *points)
{
  const MemlaneCorner *corners = (const MemlaneCorner *) (gpointer) points->data;
  double left = line->n_dashes > 0 ? line->dashes[0] : INFINITY;
  MemlaneCorner before = { 0, 0 };
  gboolean on = TRUE;
  int dash = 0;

  for (guint i = 0; i + 1 < points->len; i++)
    {
      const MemlaneCorner *start = &corners[i], *end = &corners[i + 1];
      double length = hypot (end->x - start->x, end->y - start->y), done = 0;
      MemlaneCorner along = { (end->x - start->x) / length, (end->y - start->y) / length };
      MemlaneCorner across = { -along.y * line->half, along.x * line->half };

      if (on && i > 0)
        add_join (self, start, &before, &across);
      while (done < length)
        {
          gboolean ends = done + left <= length; /* the dash, on this piece */
          double to = ends ? done + left : length;

          if (on)
            {
              MemlaneCorner a = { start->x + done * along.x, start->y + done * along.y };
              MemlaneCorner b = { start->x + to * along.x, start->y + to * along.y };

              add_piece (self, &a, &b, &across);
            }
          if (ends)
            {
              dash = (dash + 1) % line->n_dashes;
              left = line->dashes[dash];
              on = !on;
            }
          else
            left -= length - done;
          done = to;
        }
      before = across;
    }
}

/* --- the path ------------------------------------------------------------------------------------------------------------- */

static void
end_part (Shape *self, const Line *line, GArray *points, gboolean closed)
{
  const MemlaneCorner *corners = (const MemlaneCorner *) (gpointer) points->data;
  guint n = points->len;
  MemlaneCorner first = n > 0 ? corners[0] : (MemlaneCorner){ 0, 0 };

  if (closed && n > 1 && memcmp (&corners[0], &corners[n - 1], sizeof *corners) == 0)
    n--;
  if (line == NULL && n > 2)
    add_polygon (self, corners, n);
  else if (line != NULL && n > 2 && closed && line->n_dashes == 0)
    add_ring (self, line, corners, n);
  else if (line != NULL && n > 1)
    {
      g_array_set_size (points, n);
      if (closed)
        g_array_append_val (points, first);
      add_line (self, line, points);
    }
  g_array_set_size (points, 0);
}

/* @line: (nullable): how it is stroked; NULL: it is filled */
static void
read_path (Shape *self, cairo_t *cr, const Line *line)
{
  cairo_path_t *path = cairo_copy_path_flat (cr);
  g_autoptr (GArray) points = g_array_new (FALSE, FALSE, sizeof (MemlaneCorner));

  for (int i = 0; i < path->num_data; i += path->data[i].header.length)
    {
      const cairo_path_data_t *data = &path->data[i];
      MemlaneCorner corner;

      if (data->header.type == CAIRO_PATH_CLOSE_PATH || data->header.type == CAIRO_PATH_MOVE_TO)
        end_part (self, line, points, data->header.type == CAIRO_PATH_CLOSE_PATH);
      if (data->header.type == CAIRO_PATH_CLOSE_PATH)
        continue;
      corner = (MemlaneCorner){ data[1].point.x * self->scale + self->x0, data[1].point.y * self->scale + self->y0 };
      if (points->len == 0 || memcmp (&corner, &g_array_index (points, MemlaneCorner, points->len - 1), sizeof corner) != 0)
        g_array_append_val (points, corner);
    }
  end_part (self, line, points, FALSE);
  cairo_path_destroy (path);
}

/* --- pixels --------------------------------------------------------------------------------------------------------------- */

/* What is known of one row of pixels. */
typedef struct
{
  float *changes;  /* at each pixel, by how much more of it is covered than of the one before */
  guint8 *touched; /* blocks in which one is not 0 */
  int first, last; /* of them */
} Row;

/* Adds what lies to the right of an edge from @x0 to @x1, @height px high. Positions from the row's first pixel. */
static void
cover (Row *self, float x0, float x1, float height)
{
  float left = MIN (x0, x1), right = MAX (x0, x1);
  int first = (int) left, last = (int) right + 1; /* the pixel after the last */
  float from = left - (float) first, to = right - (float) (last - 1), *row = self->changes;

  self->first = MIN (self->first, first / BLOCK);
  self->last = MAX (self->last, last / BLOCK);
  for (int block = first / BLOCK; block <= last / BLOCK; block++)
    self->touched[block] = TRUE;
  if (last == first + 1)
    {
      float middle = 0.5f * (from + to);

      row[first] += height * (1 - middle);
      row[last] += height * middle;
    }
  else
    {
      /* What the edge has crossed up to the middle of a pixel is covered; that grows by @slope from pixel to pixel. */
      float slope = height / (right - left), begin = 0.5f * slope * (1 - from) * (1 - from), end = 0.5f * slope * to * to;

      row[first] += begin;
      if (last == first + 2)
        row[last - 1] += height - end - begin;
      else
        {
          row[first + 1] += slope * (1.5f - from) - begin;
          for (int x = first + 2; x < last - 1; x++)
            row[x] += slope;
          row[last - 1] += height - end - slope * ((float) (last - 2 - first) + 0.5f - from);
        }
      row[last] += end;
    }
}

/* As cairo rounds it. */
static guint32
channel_of (double part)
{
  return (guint32) CLAMP (part * 256, 0, 255);
}

static guint32
pixel_of (const MemlaneColor *color)
{
  return 0xff000000 | channel_of (color->red) << 16 | channel_of (color->green) << 8 | channel_of (color->blue);
}

/* How densely a pixel is covered, of 255. */
static inline guint32
density_of (float sum, float opacity)
{
  int density = (int) (fabsf (sum) * opacity + 0.5f), most = (int) (opacity + 0.5f);

  return (guint32) MIN (density, most);
}

/* A 255th of @sum, rounded. */
static inline guint8
divide (guint16 sum)
{
  return (guint8) ((guint32) (guint16) (sum + 128) * 257 >> 16);
}

/* Puts @ink over some pixels, each of the @n channels as densely as @densities say. */
static inline void
blend (guint8 *restrict pixels, const guint8 *restrict ink, const guint8 *restrict densities, int n)
{
  for (int i = 0; i < n; i++)
    pixels[i] = divide ((guint16) (ink[i] * densities[i] + pixels[i] * (255 - densities[i])));
}

/* Puts a block of @ink over each of @n blocks of pixels. */
static void
blend_run (guint8 *restrict pixels, const guint8 *restrict ink, guint32 density, int n)
{
  guint16 over[4 * BLOCK], rest = (guint16) (255 - density);

  for (int i = 0; i < 4 * BLOCK; i++)
    over[i] = (guint16) (ink[i] * density);
  for (; n > 0; n--, pixels += 4 * BLOCK)
    for (int i = 0; i < 4 * BLOCK; i++)
      pixels[i] = divide ((guint16) (over[i] + pixels[i] * rest));
}

/* Puts a row on the pixels, and clears it. @ink is a block of them. */
static void
put_row (Row *self, guint32 *pixels, int width, const guint32 *ink, float opacity)
{
  float sum = 0;

  for (int block = self->first; block <= self->last; block++)
    {
      guint8 *here = (guint8 *) (pixels + block * BLOCK);

      if (self->touched[block])
        {
          float *changes = self->changes + block * BLOCK;
          int n = MIN (BLOCK, width - block * BLOCK);
          float sums[BLOCK];
          guint32 densities[BLOCK];

          for (int x = 0; x < BLOCK; x++)
            sums[x] = sum += changes[x];
          memset (changes, 0, sizeof sums);
          for (int x = 0; x < BLOCK; x++)
            densities[x] = density_of (sums[x], opacity) * 0x01010101; /* once for each channel */
          if (n == BLOCK) /* a number that the compiler knows: no loop is left */
            blend (here, (const guint8 *) ink, (const guint8 *) densities, 4 * BLOCK);
          else
            blend (here, (const guint8 *) ink, (const guint8 *) densities, 4 * n);
          self->touched[block] = FALSE;
        }
      else if (fabsf (sum) > NOTHING)
        {
          int start = block;

          while (!self->touched[block + 1]) /* the last one is */
            block++;
          blend_run (here, (const guint8 *) ink, density_of (sum, opacity), block + 1 - start);
        }
    }
  self->first = G_MAXINT;
  self->last = -1;
}

static void
put_shape (const Shape *self, guint8 *data, int stride, const MemlaneColor *color)
{
  int left = (int) floor (self->left), top = (int) floor (self->top), width = (int) ceil (self->right) - left;
  int height = (int) ceil (self->bottom) - top;
  Edge *edges = (Edge *) (gpointer) self->edges->data;
  g_autofree float *changes = g_new0 (float, ((width + 1) / BLOCK + 1) * BLOCK);
  g_autofree guint8 *touched = g_new0 (guint8, (width + 1) / BLOCK + 1);
  Row row = { changes, touched, G_MAXINT, -1 };
  g_autofree int *first = g_new (int, height), *active = g_new (int, self->edges->len);
  guint32 ink[BLOCK];
  guint n = 0;

  for (int x = 0; x < BLOCK; x++)
    ink[x] = pixel_of (color);
  memset (first, 0xff, height * sizeof *first); /* -1 */
  for (guint i = 0; i < self->edges->len; i++)
    {
      int *begins = &first[(int) edges[i].top - top];

      edges[i].next = *begins;
      *begins = (int) i;
    }
  for (int y = top; y < top + height; y++)
    {
      for (int i = first[y - top]; i >= 0; i = edges[i].next)
        active[n++] = i;
      for (guint i = n; i-- > 0;)
        {
          const Edge *edge = &edges[active[i]];
          float from = MAX (edge->top, (float) y), to = MIN (edge->bottom, (float) (y + 1)), x = edge->x - (float) left;

          /* What is rounded may not lead out of the row. */
          cover (&row, CLAMP (x + (from - edge->top) * edge->slope, 0, (float) width),
                 CLAMP (x + (to - edge->top) * edge->slope, 0, (float) width), (to - from) * edge->sign);
          if (edge->bottom <= (float) (y + 1))
            active[i] = active[--n];
        }
      put_row (&row, (guint32 *) (gpointer) (data + (gsize) y * stride) + left, width, ink, (float) color->alpha * 255);
    }
}

/* --- the context ---------------------------------------------------------------------------------------------------------- */

/* Whether what is drawn on @cr can be put on the pixels of @image. */
static gboolean
is_simple (cairo_t *cr, cairo_surface_t *image, Shape *shape)
{
  cairo_matrix_t matrix;
  double scale, other, x0, y0;

  if (cairo_surface_get_type (image) != CAIRO_SURFACE_TYPE_IMAGE || cairo_status (cr) != CAIRO_STATUS_SUCCESS)
    return FALSE;
  if (cairo_image_surface_get_data (image) == NULL
      || (cairo_image_surface_get_format (image) != CAIRO_FORMAT_RGB24 && cairo_image_surface_get_format (image) != CAIRO_FORMAT_ARGB32))
    return FALSE;
  cairo_get_matrix (cr, &matrix);
  cairo_surface_get_device_scale (image, &scale, &other);
  cairo_surface_get_device_offset (image, &x0, &y0);
  if (scale != other || matrix.xx != matrix.yy || matrix.xy != 0 || matrix.yx != 0 || !(matrix.xx > 0))
    return FALSE;
  shape->scale = matrix.xx * scale;
  shape->x0 = matrix.x0 * scale + x0;
  shape->y0 = matrix.y0 * scale + y0;
  return TRUE;
}

/* Whether all of the shape lies in the image and in the context's clip. */
static gboolean
is_inside (const Shape *self, cairo_t *cr, cairo_surface_t *image)
{
  cairo_rectangle_list_t *clip;
  gboolean inside = FALSE;

  if (!(self->left >= 0 && self->top >= 0 && self->right <= cairo_image_surface_get_width (image)
        && self->bottom <= cairo_image_surface_get_height (image)))
    return FALSE;
  clip = cairo_copy_clip_rectangle_list (cr);
  for (int i = 0; clip->status == CAIRO_STATUS_SUCCESS && i < clip->num_rectangles; i++)
    {
      double x = clip->rectangles[i].x * self->scale + self->x0, y = clip->rectangles[i].y * self->scale + self->y0;

      inside = inside || (self->left >= x && self->top >= y && self->right <= x + clip->rectangles[i].width * self->scale
                          && self->bottom <= y + clip->rectangles[i].height * self->scale);
    }
  cairo_rectangle_list_destroy (clip);
  return inside;
}

static gboolean
read_line (cairo_t *cr, const Shape *shape, Line *line)
{
  cairo_line_join_t join = cairo_get_line_join (cr);
  double dashes[MOST_DASHES], offset = 0, sum = 0;

  line->n_dashes = cairo_get_dash_count (cr);
  if (join == CAIRO_LINE_JOIN_ROUND || cairo_get_line_cap (cr) != CAIRO_LINE_CAP_BUTT || line->n_dashes > MOST_DASHES
      || line->n_dashes % 2 != 0)
    return FALSE;
  cairo_get_dash (cr, dashes, &offset);
  for (int i = 0; i < line->n_dashes; i++)
    {
      line->dashes[i] = dashes[i] * shape->scale;
      sum += line->dashes[i];
    }
  line->half = cairo_get_line_width (cr) * shape->scale / 2;
  line->miter = join == CAIRO_LINE_JOIN_MITER ? cairo_get_miter_limit (cr) : 0;
  return line->half > 0 && offset == 0 && (line->n_dashes == 0 || sum > 0.01);
}

/* FALSE: nothing was done, cairo is to do it. */
static gboolean
draw (cairo_t *cr, const MemlaneColor *color, gboolean stroke)
{
  cairo_surface_t *image = cairo_get_group_target (cr);
  Shape shape = { .left = INFINITY, .top = INFINITY, .right = -INFINITY, .bottom = -INFINITY };
  Line line;
  gboolean inside;

  if (!is_simple (cr, image, &shape) || (stroke && !read_line (cr, &shape, &line)))
    return FALSE;
  shape.edges = g_array_new (FALSE, FALSE, sizeof (Edge));
  read_path (&shape, cr, stroke ? &line : NULL);
  inside = shape.edges->len == 0 || is_inside (&shape, cr, image);
  if (inside && shape.edges->len > 0)
    {
      cairo_surface_flush (image);
      put_shape (&shape, cairo_image_surface_get_data (image), cairo_image_surface_get_stride (image), color);
      cairo_surface_mark_dirty (image);
    }
  g_array_unref (shape.edges);
  if (inside)
    cairo_new_path (cr);
  return inside;
}

void
memlane_raster_fill (cairo_t *cr, const MemlaneColor *color)
{
  if (draw (cr, color, FALSE))
    return;
  memlane_color_set (cr, color);
  cairo_fill (cr);
}

void
memlane_raster_stroke (cairo_t *cr, const MemlaneColor *color)
{
  if (draw (cr, color, TRUE))
    return;
  memlane_color_set (cr, color);
  cairo_stroke (cr);
}

/* --- rectangles ----------------------------------------------------------------------------------------------------------- */

/* The first pixel whose middle is not before @position. */
static int
first_pixel (double position, int from, int to)
{
  return (int) CLAMP (ceil (position - 0.5), from, to);
}

/* FALSE: nothing was done, cairo is to do it. */
static gboolean
put_rectangles (cairo_t *cr, const MemlaneRectangle *rectangles, guint n, const MemlaneColor *color)
{
  cairo_surface_t *image = cairo_get_group_target (cr);
  cairo_rectangle_list_t *clip;
  int left, top, right, bottom, stride;
  guint8 *data;
  Shape shape;

  if (color->alpha < 1 || !is_simple (cr, image, &shape))
    return FALSE;
  clip = cairo_copy_clip_rectangle_list (cr);
  if (clip->status != CAIRO_STATUS_SUCCESS || clip->num_rectangles > 1)
    {
      cairo_rectangle_list_destroy (clip);
      return FALSE;
    }
  left = top = right = bottom = 0; /* all is clipped away */
  if (clip->num_rectangles == 1)
    {
      const cairo_rectangle_t *seen = &clip->rectangles[0];
      int width = cairo_image_surface_get_width (image), height = cairo_image_surface_get_height (image);

      left = first_pixel (seen->x * shape.scale + shape.x0, 0, width);
      right = first_pixel ((seen->x + seen->width) * shape.scale + shape.x0, 0, width);
      top = first_pixel (seen->y * shape.scale + shape.y0, 0, height);
      bottom = first_pixel ((seen->y + seen->height) * shape.scale + shape.y0, 0, height);
    }
  cairo_rectangle_list_destroy (clip);
  cairo_surface_flush (image);
  data = cairo_image_surface_get_data (image);
  stride = cairo_image_surface_get_stride (image);
  for (guint i = 0; i < n; i++)
    {
      const MemlaneRectangle *area = &rectangles[i];
      int x0 = first_pixel (area->x * shape.scale + shape.x0, left, right);
      int x1 = first_pixel ((area->x + area->width) * shape.scale + shape.x0, left, right);
      int y0 = first_pixel (area->y * shape.scale + shape.y0, top, bottom);
      int y1 = first_pixel ((area->y + area->height) * shape.scale + shape.y0, top, bottom);
      guint32 ink = pixel_of (color);

      for (int y = y0; y < y1; y++)
        {
          guint32 *pixels = (guint32 *) (gpointer) (data + (gsize) y * stride);

          for (int x = x0; x < x1; x++)
            pixels[x] = ink;
        }
    }
  cairo_surface_mark_dirty (image);
  return TRUE;
}

void
memlane_raster_fill_rectangles (cairo_t *cr, const MemlaneRectangle *rectangles, guint n, const MemlaneColor *color)
{
  cairo_antialias_t before = cairo_get_antialias (cr);

  if (n == 0 || put_rectangles (cr, rectangles, n, color))
    return;
  for (guint i = 0; i < n; i++)
    cairo_rectangle (cr, rectangles[i].x, rectangles[i].y, rectangles[i].width, rectangles[i].height);
  cairo_set_antialias (cr, CAIRO_ANTIALIAS_NONE);
  memlane_color_set (cr, color);
  cairo_fill (cr);
  cairo_set_antialias (cr, before);
}
