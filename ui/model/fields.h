/* fields.h: properties that are fields of their object, described by a table
 *
 * SPDX-License-Identifier: MIT
 *
 * A class lists its properties once; reading, writing, notification and the settings follow from the list. Main thread only.
 */
#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

typedef enum
{
  MEMLANE_FIELD_OBJECT,   /* GObject *; read-only */
  MEMLANE_FIELD_TEXT,     /* char *; read-only */
  MEMLANE_FIELD_COUNT,    /* guint */
  MEMLANE_FIELD_ENUM,     /* an enumeration, as int */
  MEMLANE_FIELD_NUMBER,   /* double */
  MEMLANE_FIELD_FLAG,     /* gboolean */
  MEMLANE_FIELD_PHASE,    /* MemlanePhase, as int; in the settings its name */
  MEMLANE_FIELD_WORKLOAD, /* const MemlaneWorkload *, never NULL, as its id; an unknown id is ignored */
} MemlaneFieldType;

enum
{
  MEMLANE_FIELD_WRITABLE = 1 << 0,
  MEMLANE_FIELD_KEPT = 1 << 1, /* in the settings, under the same name */
};

typedef struct
{
  const char *name;
  MemlaneFieldType type;
  gsize offset;                /* G_STRUCT_OFFSET() of the field */
  guint flags;
  double least, most, initial; /* of numbers; the ranges are those of the settings' schema */
} MemlaneField;

/* For class_init: installs @fields (static) as all properties of @klass, and how they are read and written. A write that changes nothing
 * notifies nobody. */
void memlane_fields_install (GObjectClass *klass, const MemlaneField *fields, guint n);
/* For init: gives the fields of @object their initial values. */
void memlane_fields_init (gpointer object);
/* Binds the kept properties of @object to the settings: they are restored now, and kept as the person sets them. @keys: other keys that the
 * caller will ask for. Returns: (transfer full) (nullable): NULL where no schema with all these keys is installed. */
GSettings *memlane_fields_keep (gpointer object, const char *const *keys);

G_END_DECLS
