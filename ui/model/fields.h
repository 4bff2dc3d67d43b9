/* fields.h: properties that are fields of their object, described by a table; releasing fields;
 * signals; lists and their items
 *
 * SPDX-License-Identifier: MIT
 *
 * A class lists its properties once; reading, writing, notification and the settings follow from
 * the list. Main thread only.
 */
#pragma once

#include <gio/gio.h>

#include "base/owns.h"

typedef enum
{
  MEMLANE_FIELD_OBJECT,   /* GObject *; read-only */
  MEMLANE_FIELD_TEXT,     /* char *, owned */
  MEMLANE_FIELD_COUNT,    /* guint */
  MEMLANE_FIELD_ENUM,     /* an enumeration, as int */
  MEMLANE_FIELD_NUMBER,   /* double */
  MEMLANE_FIELD_FLAG,     /* gboolean */
  MEMLANE_FIELD_PHASE,    /* MemlanePhase, as int; in the settings its name */
  /* const MemlaneWorkload *, never NULL, as its id; an unknown id is ignored */
  MEMLANE_FIELD_WORKLOAD,
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

/* For class_init: installs @fields (static) as all properties of @klass, and how they are read and
 * written. A write that changes nothing notifies nobody. */
void memlane_fields_install (GObjectClass *klass, const MemlaneField *fields, guint n);
/* For init: gives the fields of @object their initial values. */
void memlane_fields_init (gpointer object);
/* Binds the kept properties of @object to the settings: they are restored now, and kept as the
 * person sets them. @keys: other keys that the caller will ask for. Returns: (transfer full)
 * (nullable): NULL where no schema with all these keys is installed. */
GSettings *memlane_fields_keep (gpointer object, const char *const *keys);

/* The schema of data/io.github.memlane.Memlane.gschema.xml, or an older one; asking that for a key
 * which it lacks would end the program. Returns: (transfer full) (nullable): NULL where none is
 * installed. */
GSettingsSchema *memlane_settings_find_schema (void);

/* Each sets the field @at of @object, and notifies @name if that is a change. Returns whether it is
 * one. */
gboolean memlane_field_set_text (gpointer object, const char *name, char **at, const char *text);
gboolean memlane_field_set_number (gpointer object, const char *name, double *at, double number);
gboolean memlane_field_set_flag (gpointer object, const char *name, gboolean *at, gboolean flag);

/* For class_init: adds a signal with @n arguments, whose GTypes follow. It is emitted by
 * g_signal_emit_by_name(). */
void memlane_signal_add (gpointer klass, const char *name, guint n, ...);
/* A signal of @object, and what it calls with the follower first: a (gpointer self, …). */
typedef struct
{
  gpointer object; /* NULL: the end of a list */
  const char *signal;
  GCallback callback;
} MemlaneFollowed;

/* Connects the signals of a list, as long as @self lives. */
void memlane_follow (gpointer self, const MemlaneFollowed *followed);
/* Emits "changed", a signal without arguments. */
void memlane_say_changed (gpointer object);

/* Merges many changes into one "changed" of @object, at most ten a second. Zero but for @object;
 * when that goes, its source goes first. */
typedef struct
{
  gpointer object; /* not owned */
  guint source;    /* of the signal that is due; 0: none is */
  gint64 emitted;  /* monotonic us */
} MemlaneMerger;
void memlane_merger_poke (MemlaneMerger *self);

/* Emits "notice" (const char *sentence, gboolean trouble), with what @format makes as a sentence of
 * its own. */
void memlane_say_notice (gpointer object, gboolean trouble, const char *format, ...)
    G_GNUC_PRINTF (3, 4);

/* The item at @place of a GListModel, which holds it; NULL behind the last one. */
gpointer memlane_list_peek (gpointer list, guint place);
/* Walks the items of a GListModel. It holds them, and must not change meanwhile. */
#define MEMLANE_FOR_EACH_ITEM(Type, item, list) \
  for (guint item##_at = 0; item##_at != G_MAXUINT; item##_at = G_MAXUINT) \
    for (Type *item; (item = memlane_list_peek (list, item##_at)) != NULL; item##_at++)
/* The place of @item; -1: it is not in it (any more). */
int memlane_list_find (gpointer list, gconstpointer item);

/* As G_DEFINE_FINAL_TYPE, for a GListModel whose field items is a GPtrArray of @item_type. */
#define MEMLANE_DEFINE_LIST(Type, type, item_type)                                                 \
  static GType type##_get_type_of_items (GListModel *list) { return item_type; }                   \
  static guint type##_count_items (GListModel *list) { return ((Type *) list)->items->len; }       \
  static gpointer type##_ref_item (GListModel *list, guint position)                               \
  {                                                                                                \
    GPtrArray *items = ((Type *) list)->items;                                                     \
                                                                                                   \
    return position < items->len ? g_object_ref (items->pdata[position]) : NULL;                   \
  }                                                                                                \
  static void type##_list_init (GListModelInterface *interface)                                    \
  {                                                                                                \
    interface->get_item_type = type##_get_type_of_items;                                           \
    interface->get_n_items = type##_count_items;                                                   \
    interface->get_item = type##_ref_item;                                                         \
  }                                                                                                \
  G_DEFINE_FINAL_TYPE_WITH_CODE (Type, type, G_TYPE_OBJECT,                                        \
                                 G_IMPLEMENT_INTERFACE (G_TYPE_LIST_MODEL, type##_list_init))

/* Defines the class of a @Type that MEMLANE_DEFINE_LIST has named. @fields are released as by
 * MEMLANE_DEFINE_RELEASE; @more are statements of class_init, on klass. TYPE_new () sets the
 * fields. */
#define MEMLANE_DEFINE_CLASS(Type, type, fields, more) \
  static void \
  type##_finalize (GObject *object) \
  { \
    Type *self = (Type *) object; \
\
    fields \
    G_OBJECT_CLASS (type##_parent_class)->finalize (object); \
  } \
  static void \
  type##_class_init (Type##Class *klass) \
  { \
    G_OBJECT_CLASS (klass)->finalize = type##_finalize; \
    more \
  } \
  static void \
  type##_init (Type *self) \
  { \
  }

/* The same for a GObject that is no list, with its G_DEFINE_FINAL_TYPE. */
#define MEMLANE_DEFINE_OBJECT(Type, type, fields, more) \
  G_DEFINE_FINAL_TYPE (Type, type, G_TYPE_OBJECT) \
  MEMLANE_DEFINE_CLASS (Type, type, fields, more)
