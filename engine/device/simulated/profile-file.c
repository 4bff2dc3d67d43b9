/* profile-file.c: a profile's file, read strictly, and the one that it is based on
 *
 * SPDX-License-Identifier: MIT
 */
#include "profile-keys.h"

#include <math.h>
#include <string.h>
#include <sys/stat.h>

#include "base/data-file.h"
#include "base/key-file.h"
#include "base/strict-text.h"

#define refuse memlane_profile_refuse
#define MOST_BASES 8 /* one upon the other */

static gboolean
parse_number (const char *text, double *number)
{
  g_autofree char *stripped = g_strstrip (g_strdup (text));

  return memlane_text_read_number (stripped, number);
}

static gboolean
parse_key (MemlaneProfile *self, const MemlaneProfileKey *key, const char *text, const char *file, GError **error)
{
  gpointer at = G_STRUCT_MEMBER_P (self, key->type == KEY_CAPABILITY ? 0 : key->offset);
  double number = 0;
  gboolean yes = strcmp (text, "true") == 0;

  switch (key->type)
    {
    case KEY_STRING:
      if (*text == '\0' || strlen (text) > 1000)
        return refuse (error, file, key->group, key->key, "expected 1 to 1000 bytes of text");
      g_free (*(char **) at);
      *(char **) at = g_strdup (text);
      return TRUE;
    case KEY_BOOLEAN:
    case KEY_CAPABILITY:
      if (!yes && strcmp (text, "false") != 0)
        return refuse (error, file, key->group, key->key, "expected true or false");
      if (key->type == KEY_BOOLEAN)
        *(gboolean *) at = yes;
      else if (yes)
        self->info.capabilities |= (MemlaneCapabilities) key->offset;
      else
        self->info.capabilities &= ~(MemlaneCapabilities) key->offset;
      return TRUE;
    case KEY_BASE: /* it has been followed */
      return TRUE;
    case KEY_UINT64: /* not by way of a double: every bit counts */
      {
        guint64 exact, most = key->high >= MEMLANE_PROFILE_MANY ? G_MAXUINT64 : (guint64) key->high;

        if (!g_ascii_string_to_unsigned (text, 10, (guint64) key->low, most, &exact, NULL))
          return refuse (error, file, key->group, key->key, "expected a whole number from %.15g to %.15g", key->low, key->high);
        *(guint64 *) at = exact;
        return TRUE;
      }
    case KEY_INT:
    case KEY_DOUBLE:
    default:
      break;
    }

  if (!parse_number (text, &number) || number < key->low || number > key->high || (key->type == KEY_INT && number != floor (number)))
    return refuse (error, file, key->group, key->key, "expected a %snumber from %.15g to %.15g", key->type == KEY_INT ? "whole " : "",
                   key->low, key->high);
  if (key->type == KEY_INT)
    *(int *) at = (int) number;
  else
    *(double *) at = number;
  return TRUE;
}

/* "1024;2048;" with or without the last semicolon. */
static GArray *
parse_list (const char *text, const char *file, const char *group, const char *key, GError **error)
{
  g_auto (GStrv) parts = g_strsplit (text, ";", 1026);
  guint n = g_strv_length (parts);
  g_autoptr (GArray) list = g_array_new (FALSE, FALSE, sizeof (double));

  if (n > 0 && *parts[n - 1] == '\0')
    n--;
  if (n < 1 || n > 1024)
    {
      refuse (error, file, group, key, "expected 1 to 1024 numbers, separated by semicolons");
      return NULL;
    }
  for (guint i = 0; i < n; i++)
    {
      double number;

      if (!parse_number (parts[i], &number))
        {
          refuse (error, file, group, key, "number %u: expected a number such as 1024 or 2.5e3", i + 1);
          return NULL;
        }
      g_array_append_val (list, number);
    }
  return g_steal_pointer (&list);
}

static gboolean
parse_curve (MemlaneProfile *self, GKeyFile *file, const char *group, const char *name, GError **error)
{
  g_auto (GStrv) names = g_key_file_get_keys (file, group, NULL, NULL);
  g_autofree char *bytes_text = g_key_file_get_value (file, group, "bytes", NULL);
  g_autofree char *ns_text = g_key_file_get_value (file, group, "ns", NULL);
  g_autoptr (GArray) bytes = NULL;
  g_autoptr (GArray) ns = NULL;
  const char *curve = group + strlen ("curve ");
  const char *problem = NULL;
  guint n, i;
  const MemlaneProfileTerm *terms = memlane_profile_curve_list (&n);

  for (i = 0; i < n && strcmp (terms[i].name, curve) != 0; i++)
    ;
  if (i == n)
    return refuse (error, name, group, NULL, "expected the name of a curve, such as %s", terms[0].name);
  for (char **key = names; *key != NULL; key++)
    if (strcmp (*key, "bytes") != 0 && strcmp (*key, "ns") != 0)
      return refuse (error, name, group, *key, "expected only the keys bytes and ns");
  if (bytes_text == NULL || ns_text == NULL)
    return refuse (error, name, group, bytes_text == NULL ? "bytes" : "ns", "expected, and missing");
  if ((bytes = parse_list (bytes_text, name, group, "bytes", error)) == NULL
      || (ns = parse_list (ns_text, name, group, "ns", error)) == NULL)
    return FALSE;
  if (bytes->len != ns->len)
    return refuse (error, name, group, "ns", "expected as many numbers as bytes has, %u, and found %u", bytes->len, ns->len);
  if (!memlane_cost_curve_set (&self->curves[i], (double *) (gpointer) bytes->data, (double *) (gpointer) ns->data, bytes->len, &problem))
    return refuse (error, name, group, NULL, "%s", problem);
  return TRUE;
}

/* "unknown key; expected a, b or c": those of [@group]. */
static gboolean
refuse_key (GError **error, const char *file, const char *group, const char *key)
{
  g_autoptr (GPtrArray) names = g_ptr_array_new ();
  g_autofree char *list = NULL;
  const char *last;
  guint n;
  const MemlaneProfileTerm *terms = memlane_profile_host_list (&n);

  for (guint i = 0; i < n && strcmp (group, "host") == 0; i++)
    g_ptr_array_add (names, (char *) terms[i].name);
  for (guint i = 0; i < memlane_profile_n_keys; i++)
    if (strcmp (memlane_profile_keys[i].group, group) == 0)
      g_ptr_array_add (names, (char *) memlane_profile_keys[i].key);
  last = g_ptr_array_steal_index (names, names->len - 1);
  g_ptr_array_add (names, NULL);
  list = g_strjoinv (", ", (char **) names->pdata);
  return refuse (error, file, group, key, "unknown key; expected %s%s%s", list, *list != '\0' ? " or " : "", last);
}

static gboolean
parse_host (MemlaneProfile *self, const char *key, const char *text, const char *name, GError **error)
{
  double number;
  double before;

  if (!memlane_profile_get_host (self, key, &before))
    return refuse_key (error, name, "host", key);
  if (!parse_number (text, &number) || !memlane_profile_set_host (self, key, number, NULL))
    return refuse (error, name, "host", key, "expected nanoseconds, 0 or more");
  return TRUE;
}

static gboolean
parse_group (MemlaneProfile *self, GKeyFile *file, const char *group, const char *name, GError **error)
{
  g_auto (GStrv) names = g_key_file_get_keys (file, group, NULL, NULL);
  gboolean known = strcmp (group, "host") == 0;

  for (guint i = 0; i < memlane_profile_n_keys && !known; i++)
    known = strcmp (memlane_profile_keys[i].group, group) == 0;
  if (!known)
    return refuse (error, name, group, NULL,
                   "unknown group; expected [device], [link], [implicit-sync], [host], [noise], [trouble] or [curve NAME]");

  for (char **key = names; key != NULL && *key != NULL; key++)
    {
      g_autofree char *text = g_key_file_get_value (file, group, *key, NULL);
      const MemlaneProfileKey *match = NULL;

      if (strcmp (group, "host") == 0)
        {
          if (!parse_host (self, *key, text, name, error))
            return FALSE;
          continue;
        }
      for (guint i = 0; i < memlane_profile_n_keys && match == NULL; i++)
        if (strcmp (memlane_profile_keys[i].group, group) == 0 && strcmp (memlane_profile_keys[i].key, *key) == 0)
          match = &memlane_profile_keys[i];
      if (match == NULL)
        return refuse_key (error, name, group, *key);
      if (match->type == KEY_STRING)
        {
          g_free (text);
          text = g_key_file_get_string (file, group, *key, NULL);
          if (text == NULL)
            return refuse (error, name, group, *key, "expected text in UTF-8, escaped as in any key file");
        }
      if (!parse_key (self, match, text, name, error))
        return FALSE;
    }
  return TRUE;
}

/* The file that is being read, and through it those that are based on it. */
typedef struct _Reading Reading;
struct _Reading
{
  const char *path;       /* NULL: text from memory */
  const Reading *derived; /* the one that names this one as its base; NULL: the first */
};

static MemlaneProfile *load (const Reading *reading, GError **error);

static gboolean
is_same_file (const char *path, const char *other)
{
  struct stat one, two;

  return stat (path, &one) == 0 && stat (other, &two) == 0 && one.st_dev == two.st_dev && one.st_ino == two.st_ino;
}

/* The base's file: beside the one that names it, or where device profiles are looked for. (nullable) (transfer full). */
static char *
find_base (const Reading *reading, const char *base)
{
  g_autoptr (GPtrArray) folders = memlane_data_list_folders ("devices");
  g_autofree char *file = g_strconcat (base, ".device", NULL);

  if (reading->path != NULL)
    g_ptr_array_insert (folders, 0, g_path_get_dirname (reading->path));
  for (guint i = 0; i < folders->len; i++)
    {
      g_autofree char *path = g_build_filename (folders->pdata[i], file, NULL);

      if (g_file_test (path, G_FILE_TEST_EXISTS))
        return g_steal_pointer (&path);
    }
  return NULL;
}

/* What the file starts from: the profile that it is based on, or every default. */
static MemlaneProfile *
start_from (const Reading *reading, GKeyFile *file, const char *name, GError **error)
{
  g_autofree char *base = g_key_file_get_value (file, "device", "based_on", NULL), *path = NULL;
  g_autoptr (GError) problem = NULL;
  Reading next = { .derived = reading };
  MemlaneProfile *self;
  guint depth = 0;

  if (base == NULL)
    return memlane_profile_new ();
  if (*base == '\0' || *base == '.' || strpbrk (base, "/\\") != NULL || g_str_has_suffix (base, ".device"))
    {
      refuse (error, name, "device", "based_on", "expected the name of a device profile, such as h200, without folder and .device");
      return NULL;
    }
  next.path = path = find_base (reading, base);
  if (path == NULL)
    {
      refuse (error, name, "device", "based_on", "there is no %.80s.device, neither beside this file nor among the installed ones", base);
      return NULL;
    }
  for (const Reading *each = reading; each != NULL; each = each->derived, depth++)
    if (each->path != NULL && is_same_file (each->path, path))
      {
        refuse (error, name, "device", "based_on", "expected a profile that is not based on this one in turn");
        return NULL;
      }
  if (depth > MOST_BASES)
    {
      refuse (error, name, "device", "based_on", "expected at most %d profiles, each based on the next", MOST_BASES);
      return NULL;
    }
  self = load (&next, &problem);
  if (self == NULL)
    refuse (error, name, "device", "based_on", "%s", problem->message);
  else
    g_clear_pointer (&self->path, g_free);
  return self;
}

static MemlaneProfile *
parse (const Reading *reading, const char *data, gsize length, const char *name, GError **error)
{
  g_autoptr (MemlaneProfile) self = NULL;
  g_autoptr (GKeyFile) file = g_key_file_new ();
  g_autoptr (GError) problem = NULL;
  g_auto (GStrv) groups = NULL;
  g_autoptr (MemlaneKeyLines) lines = NULL;
  const char *twice_group, *twice_key;

  if (length > MEMLANE_PROFILE_MAX_BYTES)
    {
      refuse (error, name, NULL, NULL, "expected a device profile of at most %d bytes", MEMLANE_PROFILE_MAX_BYTES);
      return NULL;
    }
  if (memchr (data, '\0', length) != NULL || !g_utf8_validate (data, (gssize) length, NULL))
    {
      refuse (error, name, NULL, NULL, "expected a device profile, which is text in UTF-8");
      return NULL;
    }
  if (length == 0 || !g_key_file_load_from_data (file, data, length, G_KEY_FILE_NONE, &problem))
    {
      refuse (error, name, NULL, NULL, "expected a device profile, which is a key file with the group [device]: %s",
              problem != NULL ? problem->message : "the file is empty");
      return NULL;
    }
  lines = memlane_key_lines_new (data, length, "device");
  if (memlane_key_lines_find_twice (lines, &twice_group, &twice_key))
    {
      refuse (error, name, twice_group, twice_key, "expected once, and found again");
      return NULL;
    }
  if (!g_key_file_has_group (file, "device"))
    {
      refuse (error, name, "device", NULL, "expected, and missing");
      return NULL;
    }

  self = start_from (reading, file, name, error);
  if (self == NULL)
    return NULL;
  groups = g_key_file_get_groups (file, NULL);
  for (char **group = groups; *group != NULL; group++)
    {
      gboolean fine = g_str_has_prefix (*group, "curve ") ? parse_curve (self, file, *group, name, error)
                                                           : parse_group (self, file, *group, name, error);
      if (!fine)
        return NULL;
    }

  /* What the keys imply. One hardware queue is what devices with one copy engine have. */
  if (self->info.copy_engines >= 1)
    self->info.capabilities |= MEMLANE_CAN_COPY_ASYNC;
  else
    self->info.capabilities &= ~MEMLANE_CAN_COPY_ASYNC;
  if (g_key_file_has_key (file, "device", "asyncEngineCount", NULL) && !g_key_file_has_key (file, "device", "in_order_engines", NULL))
    self->in_order_engines = self->info.copy_engines <= 1;
  if (self->info.priority_greatest > self->info.priority_least)
    {
      refuse (error, name, "device", "priority_greatest", "expected a number not above priority_least");
      return NULL;
    }
  return g_steal_pointer (&self);
}

MemlaneProfile *
memlane_profile_parse (const char *data, gsize length, const char *name, GError **error)
{
  return parse (&(const Reading) { NULL }, data, length, name, error);
}

static MemlaneProfile *
load (const Reading *reading, GError **error)
{
  const char *path = reading->path;
  g_autoptr (GMappedFile) mapped = NULL;
  g_autoptr (GError) problem = NULL;
  MemlaneProfile *self;

  /* A directory, a FIFO or a terabyte is turned away before it is read. */
  if (!g_file_test (path, G_FILE_TEST_IS_REGULAR))
    {
      refuse (error, path, NULL, NULL, g_file_test (path, G_FILE_TEST_EXISTS) ? "expected a regular file" : "there is no such file");
      return NULL;
    }
  mapped = g_mapped_file_new (path, FALSE, &problem);
  if (mapped == NULL)
    {
      refuse (error, path, NULL, NULL, "cannot be read: %s", problem->message);
      return NULL;
    }
  if (g_mapped_file_get_length (mapped) > MEMLANE_PROFILE_MAX_BYTES)
    {
      refuse (error, path, NULL, NULL, "expected a device profile of at most %d bytes", MEMLANE_PROFILE_MAX_BYTES);
      return NULL;
    }
  self = parse (reading, g_mapped_file_get_contents (mapped) != NULL ? g_mapped_file_get_contents (mapped) : "",
                g_mapped_file_get_length (mapped), path, error);
  if (self != NULL)
    self->path = g_strdup (path);
  return self;
}

MemlaneProfile *
memlane_profile_load (const char *path, GError **error)
{
  return load (&(const Reading) { .path = path }, error);
}
