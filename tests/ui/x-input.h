/* x-input.h: keys and the pointer of the X display, moved as a person would: through its extension XTEST, which Xvfb has
 *
 * SPDX-License-Identifier: MIT
 *
 * Speaks the protocol itself, by 36 bytes an event, on a connection of its own: GTK takes no other events, and a library for it
 * (libXtst) would be one more package to install.
 */
#pragma once

#include <gdk/gdk.h>
#include <gio/gunixsocketaddress.h>
#include <string.h>

typedef struct
{
  GSocketConnection *connection;
  GIOStream *stream;
  guint8 opcode; /* of the extension */
} XInput;

enum { X_KEY_PRESS = 2, X_KEY_RELEASE, X_BUTTON_PRESS, X_BUTTON_RELEASE, X_MOTION };

static void
x_write (XInput *self, const void *bytes, gsize size)
{
  g_autoptr (GError) error = NULL;

  g_output_stream_write_all (g_io_stream_get_output_stream (self->stream), bytes, size, NULL, NULL, &error);
  g_assert_no_error (error);
}

static void
x_read (XInput *self, void *bytes, gsize size)
{
  g_autoptr (GError) error = NULL;
  gsize got = 0;

  g_input_stream_read_all (g_io_stream_get_input_stream (self->stream), bytes, size, &got, NULL, &error);
  g_assert_no_error (error);
  g_assert_cmpuint (got, ==, size);
}

/* Where keys go: to the window under the pointer. A window manager, where there is one, decides otherwise. */
G_GNUC_UNUSED static void
x_focus_pointer (XInput *self)
{
  const guint32 request[3] = { 42 | 1 << 8 | 3 << 16, 1 /* PointerRoot */, 0 };

  x_write (self, request, sizeof request);
}

/* Of $DISPLAY, on this machine and without a password. */
static void
x_input_open (XInput *self)
{
  const char *number = strchr (g_getenv ("DISPLAY"), ':');
  g_autofree char *path = g_strdup_printf ("/tmp/.X11-unix/X%d", atoi (number + 1));
  g_autoptr (GSocketAddress) address = g_unix_socket_address_new (path);
  g_autoptr (GSocketClient) client = g_socket_client_new ();
  g_autoptr (GError) error = NULL;
  const guint16 hello[6] = { 'l', 11, 0, 0, 0, 0 };
  const guint8 query[16] = { 98, 0, 4, 0, 5, 0, 0, 0, 'X', 'T', 'E', 'S', 'T' };
  guint16 answer[4];
  guint8 reply[32];
  g_autofree guint8 *rest = NULL;

  g_assert_cmpint (G_BYTE_ORDER, ==, G_LITTLE_ENDIAN);
  self->connection = g_socket_client_connect (client, G_SOCKET_CONNECTABLE (address), NULL, &error);
  g_assert_no_error (error);
  self->stream = G_IO_STREAM (self->connection);
  x_write (self, hello, sizeof hello);
  x_read (self, answer, sizeof answer);
  rest = g_malloc (4 * (gsize) answer[3]);
  x_read (self, rest, 4 * (gsize) answer[3]);
  g_assert_cmpint (answer[0] & 0xff, ==, 1); /* it lets us in */
  x_write (self, query, sizeof query);
  x_read (self, reply, sizeof reply);
  g_assert_cmpint (reply[8], ==, 1); /* it has the extension */
  self->opcode = reply[9];
}

static void
x_input_close (XInput *self)
{
  g_clear_object (&self->connection);
}

/* @detail: a key's code or a button; @x, @y: of a motion, on the screen. */
static void
x_fake (XInput *self, int type, guint detail, int x, int y)
{
  guint8 request[36] = { self->opcode, 2, 9, 0, (guint8) type, (guint8) detail };
  const gint16 place[2] = { (gint16) x, (gint16) y };

  memcpy (request + 24, place, sizeof place);
  x_write (self, request, sizeof request);
}

static guint
x_code (guint key)
{
  g_autofree GdkKeymapKey *keys = NULL;
  int n = 0;

  return gdk_display_map_keyval (gdk_display_get_default (), key, &keys, &n) && n > 0 ? keys[0].keycode : 0;
}

/* Nothing where the keyboard has no such key. */
G_GNUC_UNUSED static void
x_press (XInput *self, guint key, GdkModifierType modifiers)
{
  static const struct { GdkModifierType modifier; guint key; } held[] = {
    { GDK_CONTROL_MASK, GDK_KEY_Control_L }, { GDK_SHIFT_MASK, GDK_KEY_Shift_L }, { GDK_ALT_MASK, GDK_KEY_Alt_L },
  };
  guint code = x_code (key);

  if (code == 0)
    return;
  for (guint i = 0; i < G_N_ELEMENTS (held); i++)
    if (modifiers & held[i].modifier)
      x_fake (self, X_KEY_PRESS, x_code (held[i].key), 0, 0);
  x_fake (self, X_KEY_PRESS, code, 0, 0);
  x_fake (self, X_KEY_RELEASE, code, 0, 0);
  for (guint i = G_N_ELEMENTS (held); i-- > 0;)
    if (modifiers & held[i].modifier)
      x_fake (self, X_KEY_RELEASE, x_code (held[i].key), 0, 0);
}

G_GNUC_UNUSED static void
x_click (XInput *self, guint button)
{
  x_fake (self, X_BUTTON_PRESS, button, 0, 0);
  x_fake (self, X_BUTTON_RELEASE, button, 0, 0);
}

/* Without a window manager nobody asks the window what it can bear. */
G_GNUC_UNUSED static void
x_resize (XInput *self, guint32 window, guint32 width, guint32 height)
{
  const guint32 request[5] = { 12 | 5 << 16, window, 0x4 | 0x8, width, height };

  x_write (self, request, sizeof request);
}

/* Events that every client is sent come between. */
static void
x_read_reply (XInput *self, guint32 reply[8])
{
  do
    x_read (self, reply, 32);
  while ((reply[0] & 0xff) > 1);
  g_assert_cmpuint (reply[0] & 0xff, ==, 1); /* no error */
}

/* Where @window's upper left corner is on the screen. */
G_GNUC_UNUSED static void
x_locate (XInput *self, guint32 window, int *x, int *y)
{
  const guint32 query[2] = { 15 | 2 << 16, window };
  guint32 reply[8], translate[4] = { 40 | 4 << 16, window, 0, 0 };
  gint16 place[2];
  g_autofree guint32 *children = NULL;

  x_write (self, query, sizeof query);
  x_read_reply (self, reply);
  children = g_new (guint32, reply[1]);
  x_read (self, children, 4 * (gsize) reply[1]);
  translate[2] = reply[2]; /* the root */
  x_write (self, translate, sizeof translate);
  x_read_reply (self, reply);
  memcpy (place, reply + 3, sizeof place);
  *x = place[0];
  *y = place[1];
}
