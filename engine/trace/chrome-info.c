/* chrome-info.c: what the head of a trace file says of the trace, and how its numbers are read
 *
 * SPDX-License-Identifier: MIT
 */
#include "chrome-private.h"

#include <math.h>
#include <string.h>

gboolean
memlane_chrome_expect (MemlaneChromeReader *self, const char *what, MemlaneJsonToken found, MemlaneJsonToken expected)
{
  if (found == expected)
    return TRUE;
  return memlane_json_pull_refuse (&self->json, "%s: found %s, expected %s", what, memlane_json_token_describe (found),
                                   memlane_json_token_describe (expected));
}

/* A whole number from 0 to @most. */
gboolean
memlane_chrome_parse_count (MemlaneChromeReader *self, const char *what, MemlaneJsonToken token, guint64 most, guint64 *value)
{
  double rough;

  if (!memlane_chrome_expect (self, what, token, MEMLANE_JSON_NUMBER))
    return FALSE;
  if (self->json.length < 19 && strspn (self->json.text, "0123456789") == self->json.length)
    {
      *value = 0;
      for (const char *p = self->json.text; *p != '\0'; p++)
        *value = *value * 10 + (guint64) (*p - '0');
    }
  else if (!g_ascii_string_to_unsigned (self->json.text, 10, 0, G_MAXUINT64, value, NULL))
    {
      rough = g_ascii_strtod (self->json.text, NULL);
      *value = rough >= 0 && rough < 9e18 && rough == floor (rough) ? (guint64) rough : G_MAXUINT64;
      if (*value == G_MAXUINT64)
        most = 0;
    }
  if (*value <= most)
    return TRUE;
  return memlane_json_pull_refuse (&self->json, "%s: found %.40s, expected a whole number from 0 to %" G_GUINT64_FORMAT, what,
                                   self->json.text, most);
}

/* The members of one object of stream_list or track_list. */
static gboolean
read_listed (MemlaneChromeReader *self, gboolean is_track)
{
  MemlaneTraceStream stream = { 0 };
  g_autofree char *title = NULL;
  MemlaneJsonToken token;
  guint64 value;

  while ((token = memlane_json_pull_next (&self->json)) == MEMLANE_JSON_KEY)
    {
      g_autofree char *key = g_strdup (self->json.text);

      token = memlane_json_pull_next (&self->json);
      if (strcmp (key, "number") == 0)
        {
          if (!memlane_chrome_parse_count (self, "number", token, G_MAXUINT32 - 1, &value))
            return FALSE;
          stream.number = (guint32) value;
        }
      else if (strcmp (key, "default") == 0 || strcmp (key, "non_blocking") == 0)
        {
          if (!memlane_chrome_parse_count (self, *key == 'd' ? "default" : "non_blocking", token, 1, &value))
            return FALSE;
          *(*key == 'd' ? &stream.is_default : &stream.non_blocking) = (gboolean) value;
        }
      else if (strcmp (key, "priority") == 0)
        {
          if (!memlane_chrome_expect (self, "priority", token, MEMLANE_JSON_NUMBER))
            return FALSE;
          stream.priority = (int) CLAMP (g_ascii_strtoll (self->json.text, NULL, 10), G_MININT, G_MAXINT);
        }
      else if (strcmp (key, "title") == 0)
        {
          if (!memlane_chrome_expect (self, "title", token, MEMLANE_JSON_STRING))
            return FALSE;
          g_free (title);
          title = g_strdup (self->json.text);
        }
      else if (!memlane_json_pull_skip (&self->json, token))
        return FALSE;
    }
  if (token != MEMLANE_JSON_OBJECT_END)
    return FALSE;
  if (!is_track)
    memlane_trace_builder_add_stream (self->builder, &stream);
  else if (title != NULL)
    memlane_trace_builder_name_track (self->builder, stream.number, title);
  return TRUE;
}

static gboolean
read_list (MemlaneChromeReader *self, const char *key, MemlaneJsonToken token)
{
  gboolean is_notes = strcmp (key, "notes") == 0;

  if (!memlane_chrome_expect (self, key, token, MEMLANE_JSON_ARRAY))
    return FALSE;
  while ((token = memlane_json_pull_next (&self->json)) != MEMLANE_JSON_ARRAY_END)
    {
      if (!memlane_chrome_expect (self, key, token, is_notes ? MEMLANE_JSON_STRING : MEMLANE_JSON_OBJECT))
        return FALSE;
      if (is_notes)
        memlane_trace_builder_add_note (self->builder, "%s", self->json.text);
      else if (!read_listed (self, *key == 't'))
        return FALSE;
    }
  return TRUE;
}

static gboolean
read_info_member (MemlaneChromeReader *self, const char *key, MemlaneJsonToken token)
{
  MemlaneTraceInfo *info = memlane_trace_builder_get_info (self->builder);
  guint64 value;

#define X(member) \
  if (strcmp (key, #member) == 0) \
    { \
      if (!memlane_chrome_expect (self, #member, token, MEMLANE_JSON_STRING)) \
        return FALSE; \
      g_free (info->member); \
      info->member = g_strdup (self->json.text); \
      return TRUE; \
    }
  MEMLANE_CHROME_TEXTS (X)
#undef X
#define X(name) \
  if (strcmp (key, #name) == 0) \
    { \
      if (!memlane_chrome_parse_count (self, #name, token, sizeof info->name == 4 ? G_MAXUINT32 : G_MAXUINT64, &value)) \
        return FALSE; \
      info->name = (__typeof__ (info->name)) value; \
      return TRUE; \
    }
  MEMLANE_CHROME_NUMBERS (X)
#undef X
  if (strcmp (key, "simulated") == 0)
    {
      if (!memlane_chrome_parse_count (self, "simulated", token, 1, &value))
        return FALSE;
      info->simulated = (gboolean) value;
      return TRUE;
    }
  if (strcmp (key, "traced_ns") == 0 || strcmp (key, "untraced_ns") == 0)
    {
      if (!memlane_chrome_expect (self, key, token, MEMLANE_JSON_NUMBER))
        return FALSE;
      *(*key == 't' ? &info->traced_ns : &info->untraced_ns) = g_ascii_strtod (self->json.text, NULL);
      return isfinite (info->traced_ns) && isfinite (info->untraced_ns)
               ? TRUE : memlane_json_pull_refuse (&self->json, "%s: found %.40s, expected nanoseconds", key, self->json.text);
    }
  if (strcmp (key, "notes") == 0 || strcmp (key, "stream_list") == 0 || strcmp (key, "track_list") == 0)
    return read_list (self, key, token);
  return memlane_json_pull_skip (&self->json, token);
}

/* otherData: ours begins with our version; another program's is skipped. */
gboolean
memlane_chrome_read_info (MemlaneChromeReader *self, MemlaneJsonToken token)
{
  guint64 version;

  if (token != MEMLANE_JSON_OBJECT)
    return memlane_json_pull_skip (&self->json, token);
  while ((token = memlane_json_pull_next (&self->json)) == MEMLANE_JSON_KEY)
    {
      g_autofree char *key = g_strdup (self->json.text);

      token = memlane_json_pull_next (&self->json);
      if (strcmp (key, "memlane") == 0 && !self->has_events)
        {
          if (!memlane_chrome_parse_count (self, "memlane", token, G_MAXUINT32, &version))
            return FALSE;
          if (version != MEMLANE_CHROME_VERSION)
            return memlane_json_pull_refuse (&self->json, "memlane: found version %" G_GUINT64_FORMAT
                                             " of a trace, expected %d; open it with the Memlane that wrote it", version,
                                             MEMLANE_CHROME_VERSION);
          self->is_ours = TRUE;
        }
      else if (self->is_ours ? !read_info_member (self, key, token) : !memlane_json_pull_skip (&self->json, token))
        return FALSE;
    }
  return token == MEMLANE_JSON_OBJECT_END;
}
