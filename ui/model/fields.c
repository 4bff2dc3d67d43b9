/* fields.c: properties that are fields of their object, described by a table; signals
 *
 * SPDX-License-Identifier: MIT
 */
#include "fields.h"

#include "memlane.h"
#include "sentence.h"

#define DEFAULT_WORKLOAD "vector-add"
#define QUIET_US 100000 /* between two merged signals */

static GQuark
get_quark (void)
{
  return g_quark_from_static_string ("memlane-field");
}

static const MemlaneField *
get_field (GParamSpec *pspec)
{
  return g_param_spec_get_qdata (pspec, get_quark ());
}

static GParamSpec *
new_pspec (const MemlaneField *field)
{
  const GParamFlags flags = G_PARAM_READABLE | G_PARAM_STATIC_STRINGS | G_PARAM_EXPLICIT_NOTIFY
                            | ((field->flags & MEMLANE_FIELD_WRITABLE) != 0 ? G_PARAM_WRITABLE : 0);

  switch (field->type)
    {
    case MEMLANE_FIELD_OBJECT:
      return g_param_spec_object (field->name, NULL, NULL, G_TYPE_OBJECT, flags);
    case MEMLANE_FIELD_COUNT:
      return g_param_spec_uint (field->name, NULL, NULL, (guint) field->least, (guint) field->most,
                                (guint) field->initial, flags);
    case MEMLANE_FIELD_ENUM:
    case MEMLANE_FIELD_PHASE:
      return g_param_spec_int (field->name, NULL, NULL, (int) field->least, (int) field->most,
                               (int) field->initial, flags);
    case MEMLANE_FIELD_NUMBER:
      return g_param_spec_double (field->name, NULL, NULL, field->least, field->most,
                                  field->initial, flags);
    case MEMLANE_FIELD_FLAG:
      return g_param_spec_boolean (field->name, NULL, NULL, field->initial > 0, flags);
    case MEMLANE_FIELD_WORKLOAD:
      return g_param_spec_string (field->name, NULL, NULL, DEFAULT_WORKLOAD, flags);
    case MEMLANE_FIELD_TEXT:
    default:
      return g_param_spec_string (field->name, NULL, NULL, NULL, flags);
    }
}

static void
get_property (GObject *object, guint id, GValue *value, GParamSpec *pspec)
{
  const MemlaneField *field = get_field (pspec);
  gconstpointer at = G_STRUCT_MEMBER_P (object, field->offset);

  switch (field->type)
    {
    case MEMLANE_FIELD_OBJECT:
      g_value_set_object (value, *(GObject *const *) at);
      break;
    case MEMLANE_FIELD_TEXT:
      g_value_set_string (value, *(char *const *) at);
      break;
    case MEMLANE_FIELD_NUMBER:
      g_value_set_double (value, *(const double *) at);
      break;
    case MEMLANE_FIELD_COUNT:
    case MEMLANE_FIELD_ENUM:
    case MEMLANE_FIELD_PHASE:
    case MEMLANE_FIELD_FLAG: /* all are as wide as an int */
      value->data[0].v_int = *(const int *) at;
      break;
    case MEMLANE_FIELD_WORKLOAD:
    default:
      g_value_set_string (value, (*(const MemlaneWorkload *const *) at)->id);
      break;
    }
}

static gboolean
set_workload (const MemlaneWorkload **at, const char *id)
{
  const MemlaneWorkload *workload = id != NULL ? memlane_workload_find (id) : NULL;

  if (workload == NULL || workload == *at)
    return FALSE;
  *at = workload;
  return TRUE;
}

/* Returns whether that is a change. */
static gboolean
set_field (GObject *object, const MemlaneField *field, const GValue *value)
{
  gpointer at = G_STRUCT_MEMBER_P (object, field->offset);
  double number;

  switch (field->type)
    {
    case MEMLANE_FIELD_NUMBER:
      number = g_value_get_double (value);
      if (*(double *) at == number)
        return FALSE;
      *(double *) at = number;
      return TRUE;
    case MEMLANE_FIELD_COUNT:
    case MEMLANE_FIELD_ENUM:
    case MEMLANE_FIELD_PHASE:
    case MEMLANE_FIELD_FLAG: /* all are as wide as an int */
      if (*(int *) at == value->data[0].v_int)
        return FALSE;
      *(int *) at = value->data[0].v_int;
      return TRUE;
    case MEMLANE_FIELD_WORKLOAD:
      return set_workload (at, g_value_get_string (value));
    case MEMLANE_FIELD_TEXT:
      return memlane_text_set (at, g_value_get_string (value));
    case MEMLANE_FIELD_OBJECT:
    default:
      return FALSE;
    }
}

static void
set_property (GObject *object, guint id, const GValue *value, GParamSpec *pspec)
{
  if (set_field (object, get_field (pspec), value))
    g_object_notify_by_pspec (object, pspec);
}

void
memlane_fields_install (GObjectClass *klass, const MemlaneField *fields, guint n)
{
  klass->get_property = get_property;
  klass->set_property = set_property;
  for (guint i = 0; i < n; i++)
    {
      GParamSpec *pspec = new_pspec (&fields[i]);

      g_param_spec_set_qdata (pspec, get_quark (), (gpointer) &fields[i]);
      g_object_class_install_property (klass, i + 1, pspec);
    }
}

void
memlane_fields_init (gpointer object)
{
  guint n;
  g_autofree GParamSpec **pspecs = g_object_class_list_properties (G_OBJECT_GET_CLASS (object), &n);

  for (guint i = 0; i < n; i++)
    if (get_field (pspecs[i]) != NULL)
      (void) set_field (object, get_field (pspecs[i]), g_param_spec_get_default_value (pspecs[i]));
}

gboolean
memlane_field_set_text (gpointer object, const char *name, char **at, const char *text)
{
  if (!memlane_text_set (at, text))
    return FALSE;
  g_object_notify (object, name);
  return TRUE;
}

gboolean
memlane_field_set_number (gpointer object, const char *name, double *at, double number)
{
  if (*at == number)
    return FALSE;
  *at = number;
  g_object_notify (object, name);
  return TRUE;
}

gboolean
memlane_field_set_flag (gpointer object, const char *name, gboolean *at, gboolean flag)
{
  if (*at == flag)
    return FALSE;
  *at = flag;
  g_object_notify (object, name);
  return TRUE;
}

/* --- signals ---------------------------------------------------------------------------------- */

void
memlane_signal_add (gpointer klass, const char *name, guint n, ...)
{
  va_list types;

  va_start (types, n);
  g_signal_new_valist (name, G_TYPE_FROM_CLASS (klass), G_SIGNAL_RUN_LAST, NULL, NULL, NULL, NULL,
                       G_TYPE_NONE, n, types);
  va_end (types);
}

void
memlane_follow (gpointer self, const MemlaneFollowed *followed)
{
  for (; followed->object != NULL; followed++)
    g_signal_connect_object (followed->object, followed->signal, followed->callback, self,
                             G_CONNECT_SWAPPED);
}

void
memlane_say_changed (gpointer object)
{
  g_signal_emit_by_name (object, "changed");
}

static gboolean
merger_cb (gpointer user_data)
{
  MemlaneMerger *self = user_data;

  self->source = 0;
  self->emitted = g_get_monotonic_time ();
  memlane_say_changed (self->object); /* last: it may drop the owner of @self */
  return G_SOURCE_REMOVE;
}

void
memlane_merger_poke (MemlaneMerger *self)
{
  gint64 rest = self->emitted + QUIET_US - g_get_monotonic_time ();

  if (self->source != 0)
    return;
  self->source = self->emitted == 0 || rest <= 0
                     ? g_idle_add (merger_cb, self)
                     : g_timeout_add ((guint) ((rest + 999) / 1000), merger_cb, self);
}

void
memlane_say_notice (gpointer object, gboolean trouble, const char *format, ...)
{
  g_autofree char *message = NULL, *sentence = NULL;
  va_list arguments;

  va_start (arguments, format);
  message = g_strdup_vprintf (format, arguments);
  va_end (arguments);
  sentence = memlane_sentence_new (message);
  g_signal_emit_by_name (object, "notice", sentence, trouble);
}

gpointer
memlane_list_peek (gpointer list, guint place)
{
  g_autoptr (GObject) item = g_list_model_get_item (list, place);

  return item; /* the list holds it */
}

int
memlane_list_find (gpointer list, gconstpointer item)
{
  gconstpointer each;

  for (guint i = 0; (each = memlane_list_peek (list, i)) != NULL; i++)
    if (each == item)
      return (int) i;
  return -1;
}

/* --- settings --------------------------------------------------------------------------------- */

GSettingsSchema *
memlane_settings_find_schema (void)
{
  /* NULL where no schema at all is installed */
  GSettingsSchemaSource *source = g_settings_schema_source_get_default ();

  return source != NULL
             ? g_settings_schema_source_lookup (source, "io.github.memlane.Memlane", TRUE)
             : NULL;
}

/* Kept as the person sets them; another window's changes do not reach into this one. */
#define BIND_FLAGS                                                                                 \
  (G_SETTINGS_BIND_DEFAULT | G_SETTINGS_BIND_GET_NO_CHANGES | G_SETTINGS_BIND_NO_SENSITIVITY)

static gboolean
read_phase (GValue *value, GVariant *variant, gpointer user_data)
{
  MemlanePhase phase;

  if (memlane_phase_parse (g_variant_get_string (variant, NULL), &phase))
    g_value_set_int (value, (int) phase);
  else
    g_value_set_int (value, MEMLANE_PHASE_ELAPSED); /* of a newer Memlane, or set by hand */
  return TRUE;
}

static GVariant *
write_phase (const GValue *value, const GVariantType *type, gpointer user_data)
{
  return g_variant_new_string (memlane_phase_name ((MemlanePhase) g_value_get_int (value)));
}

static gboolean
is_kept (GParamSpec *pspec)
{
  return get_field (pspec) != NULL && (get_field (pspec)->flags & MEMLANE_FIELD_KEPT) != 0;
}

GSettings *
memlane_fields_keep (gpointer object, const char *const *keys)
{
  g_autoptr (GSettingsSchema) schema = memlane_settings_find_schema ();
  guint n;
  g_autofree GParamSpec **pspecs = g_object_class_list_properties (G_OBJECT_GET_CLASS (object), &n);
  GSettings *settings;

  if (schema == NULL)
    return NULL;
  /* An older schema may be installed; asking it for a new key would abort. */
  for (guint i = 0; i < n; i++)
    if (is_kept (pspecs[i]) && !g_settings_schema_has_key (schema, pspecs[i]->name))
      return NULL;
  for (; *keys != NULL; keys++)
    if (!g_settings_schema_has_key (schema, *keys))
      return NULL;
  settings = g_settings_new_full (schema, NULL, NULL);
  for (guint i = 0; i < n; i++)
    if (is_kept (pspecs[i]))
      {
        gboolean phase = get_field (pspecs[i])->type == MEMLANE_FIELD_PHASE;

        g_settings_bind_with_mapping (settings, pspecs[i]->name, object, pspecs[i]->name,
                                      BIND_FLAGS, phase ? read_phase : NULL,
                                      phase ? write_phase : NULL, NULL, NULL);
      }
  return settings;
}
