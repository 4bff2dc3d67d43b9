/* template.h: what a class takes from its template, in one list
 *
 * SPDX-License-Identifier: MIT
 *
 * For class_init, where widget_class is the GtkWidgetClass and has its template:
 * MEMLANE_BIND_CHILDREN (MemlanePage, title, list) binds fields of MemlanePage to the children of
 * these ids, MEMLANE_BIND_CALLBACKS (open_cb, close_cb) the functions that the template names.
 * MEMLANE_ENSURE_TYPES (VIEW_BAR, PIVOT_VIEW) comes before the template, which has children of
 * these classes.
 */
#pragma once

#include <gtk/gtk.h>

#define MEMLANE_BIND_CHILDREN(Type, ...) MEMLANE_EACH (MEMLANE_BIND_CHILD, Type, __VA_ARGS__)
#define MEMLANE_ENSURE_TYPES(...) MEMLANE_EACH (MEMLANE_ENSURE_TYPE, , __VA_ARGS__)
#define MEMLANE_BIND_CALLBACKS(...) MEMLANE_EACH (MEMLANE_BIND_CALLBACK, widget_class, __VA_ARGS__)

#define MEMLANE_BIND_CHILD(Type, child)                                                            \
  gtk_widget_class_bind_template_child (widget_class, Type, child);
#define MEMLANE_ENSURE_TYPE(_, TYPE) g_type_ensure (MEMLANE_TYPE_##TYPE);
#define MEMLANE_BIND_CALLBACK(widget_class, callback)                                              \
  gtk_widget_class_bind_template_callback (widget_class, callback);

/* MEMLANE_EACH (DO, with, a, b) is DO (with, a) DO (with, b). The preprocessor expands one more in
 * each pass; there are passes for 64. */
#define MEMLANE_EACH(DO, with, ...) MEMLANE_PASSES_64 (MEMLANE_NEXT (DO, with, __VA_ARGS__))
#define MEMLANE_NEXT(DO, with, first, ...)                                                         \
  DO (with, first) __VA_OPT__ (MEMLANE_AGAIN MEMLANE_PARENTHESES (DO, with, __VA_ARGS__))
#define MEMLANE_AGAIN() MEMLANE_NEXT
#define MEMLANE_PARENTHESES ()
#define MEMLANE_PASSES_64(...)                                                                     \
  MEMLANE_PASSES_16 (MEMLANE_PASSES_16 (MEMLANE_PASSES_16 (MEMLANE_PASSES_16 (__VA_ARGS__))))
#define MEMLANE_PASSES_16(...)                                                                     \
  MEMLANE_PASSES_4 (MEMLANE_PASSES_4 (MEMLANE_PASSES_4 (MEMLANE_PASSES_4 (__VA_ARGS__))))
#define MEMLANE_PASSES_4(...)                                                                      \
  MEMLANE_PASS (MEMLANE_PASS (MEMLANE_PASS (MEMLANE_PASS (__VA_ARGS__))))
#define MEMLANE_PASS(...) __VA_ARGS__
