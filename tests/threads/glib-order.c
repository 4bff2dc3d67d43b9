/* glib-order.c: tells the thread sanitizer what GLib orders
 *
 * SPDX-License-Identifier: MIT
 *
 * Distributions do not build GLib with the thread sanitizer, and GMutex is a futex of its own: the sanitizer sees neither that a lock was
 * taken nor that a task was handed over, and would report each of them as a race. Linked with --wrap, these functions stand between our
 * code and GLib's and say which order the real call establishes, no more: a lock, a task on its way to its thread and back, a reference
 * that is dropped. What our code shares without one of them is still found.
 */
#include <gio/gio.h>

void __tsan_acquire (void *address);
void __tsan_release (void *address);

#define WRAP(type, name, ...) \
  type __real_##name (__VA_ARGS__); \
  type __wrap_##name (__VA_ARGS__); \
  type __wrap_##name (__VA_ARGS__)

WRAP (void, g_mutex_lock, GMutex *mutex)
{
  __real_g_mutex_lock (mutex);
  __tsan_acquire (mutex);
}

WRAP (void, g_mutex_unlock, GMutex *mutex)
{
  __tsan_release (mutex);
  __real_g_mutex_unlock (mutex);
}

/* Stands for every reference that our code has dropped. */
static char dropped;

WRAP (void, g_mutex_clear, GMutex *mutex)
{
  /* Whoever clears it is the last: GLib's own threads drop references too, by calls not wrapped here, and finalize what it guarded; they
   * see what all others did before these dropped theirs. */
  __tsan_acquire (mutex);
  __tsan_acquire (&dropped);
  __real_g_mutex_clear (mutex);
}

WRAP (void, g_object_unref, gpointer object)
{
  /* The count is one atomic step in both directions: who drops the last reference sees what the others did before they dropped theirs. */
  __tsan_release (object);
  __tsan_release (&dropped);
  __tsan_acquire (object);
  __real_g_object_unref (object);
}

static GQuark
function_quark (void)
{
  return g_quark_from_static_string ("memlane-thread-function");
}

static void
in_thread (GTask *task, gpointer source, gpointer task_data, GCancellable *cancellable)
{
  GTaskThreadFunc function = (GTaskThreadFunc) g_object_get_qdata (G_OBJECT (task), function_quark ());

  __tsan_acquire (task);
  function (task, source, task_data, cancellable);
}

WRAP (void, g_task_run_in_thread, GTask *task, GTaskThreadFunc function)
{
  g_object_set_qdata (G_OBJECT (task), function_quark (), (gpointer) function);
  __tsan_release (task);
  __real_g_task_run_in_thread (task, in_thread);
}

WRAP (void, g_task_return_pointer, GTask *task, gpointer result, GDestroyNotify destroy)
{
  __tsan_release (task);
  __real_g_task_return_pointer (task, result, destroy);
}

WRAP (void, g_task_return_error, GTask *task, GError *error)
{
  __tsan_release (task);
  __real_g_task_return_error (task, error);
}

WRAP (gpointer, g_task_propagate_pointer, GTask *task, GError **error)
{
  gpointer result = __real_g_task_propagate_pointer (task, error);

  __tsan_acquire (task);
  return result;
}
