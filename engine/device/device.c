/* device.c: the list of devices, opening and closing one, what is known of it
 *
 * SPDX-License-Identifier: MIT
 */
#include <dlfcn.h>
#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <link.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/device-id.h"
#include "base/each.h"
#include "base/fail.h"
#include "base/owns.h"
#include "device-driver.h"
#include "module.h"

G_DEFINE_QUARK (memlane-device-error-quark, memlane_device_error)

/* --- drivers that are libraries of their own -------------------------------------------------- */

/* (transfer full) (nullable): why the loader would not take the file open as @fd, or would die of
 * it. It maps segments without a look at the file's length, and SIGBUS answers the first access
 * behind its end. @own: the header of this library. */
static char *
find_damage (int fd, const ElfW (Ehdr) *own)
{
  ElfW (Ehdr) head;
  struct stat info;

  if (fstat (fd, &info) != 0 || !S_ISREG (info.st_mode))
    return g_strdup ("it is no file");
  if (pread (fd, &head, sizeof head, 0) != (gssize) sizeof head)
    memset (&head, 0, sizeof head);
  if (memcmp (head.e_ident, own->e_ident, EI_VERSION) != 0
      || head.e_phentsize != sizeof (ElfW (Phdr)))
    return g_strdup ("it is no library of this machine; install the package again");
  if (head.e_machine != own->e_machine)
    return g_strdup_printf ("it is for another processor (ELF machine %d, and this one is %d)",
                            head.e_machine, own->e_machine);
  for (guint i = 0; i < head.e_phnum; i++)
    {
      ElfW (Phdr) segment;
      gboolean is_read = pread (fd, &segment, sizeof segment,
                                (off_t) (head.e_phoff + i * sizeof segment))
                         == (gssize) sizeof segment;

      if (is_read && segment.p_filesz == 0)
        continue;
      if (!is_read || segment.p_offset > (guint64) info.st_size
          || segment.p_filesz > (guint64) info.st_size - segment.p_offset)
        return g_strdup_printf ("it is cut short after %" G_GOFFSET_FORMAT
                                " bytes; install the package again",
                                (goffset) info.st_size);
    }
  return NULL;
}

static const MemlaneDriver *
open_module (const char *path, const ElfW (Ehdr) *own, char **reason)
{
  int fd = open (path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  g_autofree char *damage = fd >= 0 ? find_damage (fd, own) : g_strdup (g_strerror (errno));
  void *module = damage == NULL ? dlopen (path, RTLD_NOW | RTLD_LOCAL) : NULL;
  const char *const *version = module != NULL ? dlsym (module, "memlane_module_version") : NULL;
  const MemlaneDriver *driver = module != NULL ? dlsym (module, "memlane_module_driver") : NULL;

  if (fd >= 0)
    close (fd);
  if (damage != NULL)
    *reason = g_strdup_printf ("%s cannot be loaded: %s", path, damage);
  else if (module == NULL)
    *reason = g_strdup_printf ("the module cannot be loaded: %s", dlerror ());
  else if (driver == NULL || version == NULL || strcmp (*version, MEMLANE_VERSION) != 0)
    *reason = g_strdup_printf ("%s is of version %s, and Memlane is of version " MEMLANE_VERSION
                               "; install both of one version",
                               path, version != NULL ? *version : "unknown");
  return *reason == NULL ? driver : NULL;
}

char *
memlane_module_find (const char *file, char **place)
{
  static const char *const folders[] = { ".", "memlane" };
  g_autofree char *folder = NULL, *here = NULL;
  Dl_info library;

  if (dladdr (folders, &library) == 0)
    return NULL;
  folder = g_path_get_dirname (library.dli_fname);
  /* a program that holds the engine may have been called by a relative path */
  here = g_canonicalize_filename (folder, NULL);
  for (guint i = 0; i < G_N_ELEMENTS (folders); i++)
    {
      g_autofree char *relative = g_build_filename (folders[i], file, NULL),
                      *path = g_canonicalize_filename (relative, here);

      if (g_file_test (path, G_FILE_TEST_EXISTS))
        return g_steal_pointer (&path);
    }
  if (place != NULL)
    *place = g_build_filename (here, "memlane", file, NULL);
  return NULL;
}

/* Opens the CUDA module. NULL with *@reason (transfer full), a sentence. For one thread at a
 * time. */
static const MemlaneDriver *
load_module (char **reason)
{
  g_autofree char *place = NULL, *path = memlane_module_find ("memlane-cuda.so", &place);
  Dl_info library;

  if (path != NULL && dladdr (&load_module, &library) != 0)
    return open_module (path, library.dli_fbase, reason);
  *reason = g_strdup_printf ("no CUDA support is installed: there is no %s; install the package "
                             "memlane-cuda, or build Memlane with nvcc",
                             place);
  return NULL;
}

/* --- the drivers ------------------------------------------------------------------------------ */

/* In the order of preference; ends in NULL. */
static const MemlaneDriver *drivers[3];
static char *absence; /* why CUDA's is not among them */

static const MemlaneDriver *const *
get_drivers (void)
{
  static gsize is_loaded;

  if (g_once_init_enter (&is_loaded))
    {
      drivers[0] = load_module (&absence);
      drivers[drivers[0] != NULL ? 1 : 0] = &memlane_simulated_driver;
      g_once_init_leave (&is_loaded, 1);
    }
  return drivers;
}

const char *
memlane_module_get_absence (void)
{
  (void) get_drivers ();
  return absence;
}

MEMLANE_DEFINE_FREE (MemlaneDeviceListing,
                     void memlane_device_listing_free (MemlaneDeviceListing *data),
                     OWNS (id, g_free) OWNS (kind, g_free) OWNS (name, g_free)
                         OWNS (reason, g_free))

GPtrArray *
memlane_device_list (void)
{
  GPtrArray *all = g_ptr_array_new_with_free_func ((GDestroyNotify) memlane_device_listing_free);
  const MemlaneDriver *const *driver = get_drivers ();

  if (absence != NULL)
    {
      MemlaneDeviceListing *listing = g_new0 (MemlaneDeviceListing, 1);

      listing->id = g_strdup ("cuda");
      listing->kind = g_strdup ("cuda");
      listing->name = g_strdup ("CUDA devices");
      listing->reason = g_strdup (absence);
      g_ptr_array_add (all, listing);
    }
  memlane_device_watch_begin ("listing devices");
  for (; *driver != NULL; driver++)
    (*driver)->list (all);
  memlane_device_watch_end ();

  /* Usable ones first, order kept otherwise. */
  for (guint i = 0, n = all->len; n > 0; n--)
    if (((MemlaneDeviceListing *) all->pdata[i])->reason != NULL)
      g_ptr_array_add (all, g_ptr_array_steal_index (all, i));
    else
      i++;
  return all;
}

GPtrArray *
memlane_device_list_simulated (void)
{
  GPtrArray *listings = g_ptr_array_new_with_free_func (
      (GDestroyNotify) memlane_device_listing_free);

  memlane_simulated_driver.list (listings);
  return listings;
}

MEMLANE_DEFINE_CLEAR (MemlaneDeviceInfo, void memlane_device_info_clear (MemlaneDeviceInfo *data),
                      OWNS (id, g_free) OWNS (kind, g_free) OWNS (name, g_free)
                          OWNS (driver, g_free) OWNS (runtime, g_free) OWNS (pci_bus_id, g_free)
                              OWNS (uuid, g_free) OWNS (launch_shape, g_free) OWNS (profile, g_free)
                                  OWNS (calibrated_from, g_free) OWNS (noise, g_free)
                                      memset (self, 0, sizeof *self);)

MEMLANE_DEFINE_FREE (MemlaneDeviceInfo, void memlane_device_info_free (MemlaneDeviceInfo *data),
                     memlane_device_info_clear (self);)

/* The id's kind and name must be those of a driver; the message lists what there is. */
static void
set_unknown_device (GError **error, const char *id)
{
  g_autoptr (GPtrArray) listings = memlane_device_list ();
  g_autoptr (GString) known = g_string_new (NULL);

  MEMLANE_FOR_EACH (MemlaneDeviceListing, listing, listings)
    if (listing->reason == NULL)
      g_string_append_printf (known, "%s%s", known->len > 0 ? ", " : "", listing->id);
  if (absence != NULL && g_str_has_prefix (id, "cuda"))
    g_string_append_printf (known, "; %s", absence);
  memlane_fail (error, MEMLANE_DEVICE_ERROR, MEMLANE_DEVICE_ERROR_UNAVAILABLE,
                "unknown device \"%s\": expected one of %s", id, known->str);
}

/* (transfer full): @id itself, or what NULL stands for: the first usable GPU, else the simulated
 * H200. */
static char *
choose (const char *id)
{
  g_autoptr (GPtrArray) listings = id == NULL ? memlane_device_list () : NULL;

  if (id != NULL)
    return g_strdup (id);
  MEMLANE_FOR_EACH (MemlaneDeviceListing, listing, listings)
    if (listing->reason == NULL && !memlane_device_kind_is_simulated (listing->kind))
      return g_strdup (listing->id);
  return g_strdup ("simulated:h200");
}

/* *@name receives the part of @id that the driver knows. */
static const MemlaneDriver *
find_driver (const char *id, const char **name, GError **error)
{
  for (const MemlaneDriver *const *driver = get_drivers (); *driver != NULL; driver++)
    {
      gsize length = strlen ((*driver)->kind);

      if (strncmp (id, (*driver)->kind, length) == 0 && id[length] == ':')
        {
          *name = id + length + 1;
          return *driver;
        }
    }
  set_unknown_device (error, id);
  return NULL;
}

MemlaneDeviceInfo *
memlane_device_describe (const char *id, GError **error)
{
  g_autofree char *chosen = choose (id);
  g_autoptr (MemlaneDeviceInfo) info = g_new0 (MemlaneDeviceInfo, 1);
  const char *name;
  const MemlaneDriver *driver = find_driver (chosen, &name, error);
  gboolean done;

  memlane_device_watch_begin ("asking what the device can do");
  done = driver != NULL && driver->describe (name, info, error);
  memlane_device_watch_end ();
  return done ? g_steal_pointer (&info) : NULL;
}

MemlaneDevice *
memlane_device_open (const char *id, GError **error)
{
  g_autofree char *chosen = choose (id);
  const char *name;
  const MemlaneDriver *driver = find_driver (chosen, &name, error);
  MemlaneDevice *self;

  memlane_device_watch_begin ("opening the device");
  self = driver != NULL ? driver->open (name, error) : NULL;
  memlane_device_watch_end ();
  if (self != NULL)
    self->driver = driver;
  memlane_device_set_current (self);
  return self;
}

char *
memlane_device_hide_folders (const char *id)
{
  const char *colon = strchr (id, ':'), *slash = strrchr (id, '/');

  return colon != NULL && slash > colon
             ? g_strdup_printf ("%.*s%s", (int) (colon + 1 - id), id, slash + 1)
             : g_strdup (id);
}

void
memlane_device_close (MemlaneDevice *self)
{
  MemlaneDeviceInfo info;

  if (self == NULL)
    return;
  info = self->info;
  memlane_device_watch_begin ("closing the device");
  self->driver->close (self);
  memlane_device_set_current (NULL);
  memlane_device_watch_end ();
  memlane_device_info_clear (&info);
}

void
memlane_device_trace_prepare (void)
{
  for (const MemlaneDriver *const *driver = get_drivers (); *driver != NULL; driver++)
    if ((*driver)->trace->prepare != NULL)
      (*driver)->trace->prepare ();
}

const MemlaneDeviceInfo *
memlane_device_get_info (MemlaneDevice *self)
{
  return &self->info;
}

void
memlane_device_begin_process (MemlaneDevice *self, guint process)
{
  if (self->driver->begin_process != NULL)
    self->driver->begin_process (self, process);
}

gboolean
memlane_device_take_noise (MemlaneDevice *self, guint64 seed, GError **error)
{
  return self->driver->take_noise != NULL
           ? self->driver->take_noise (self, seed, error)
           : memlane_device_refuse (error, UNAVAILABLE,
                                    "noise: %s varies by itself; expected a simulated device",
                                    self->info.id);
}

gboolean
memlane_device_move_pieces (MemlaneDevice *self, gboolean pieces)
{
  return self->driver->move_pieces != NULL && self->driver->move_pieces (self, pieces);
}

gboolean
memlane_device_set_peer (MemlaneDevice *self, const MemlaneDevice *peer)
{
  return self->driver == peer->driver && self->driver->set_peer (self, peer);
}

gboolean
memlane_device_get_state (MemlaneDevice *self, MemlaneDeviceState *state, GError **error)
{
  gboolean done;

  *state = (MemlaneDeviceState) { .known = TRUE };
  memlane_device_watch_begin ("asking how the device stands");
  done = self->driver->get_state (self, state, error);
  memlane_device_watch_end ();
  if (!done)
    *state = (MemlaneDeviceState) { 0 };
  return done;
}

char *
memlane_device_get_caveat (MemlaneDevice *self, const MemlaneDeviceUse *use)
{
  return self->driver->get_caveat != NULL ? self->driver->get_caveat (self, use) : NULL;
}

double
memlane_device_correct (MemlaneDevice *self, const MemlaneDeviceUse *use, MemlanePhase phase,
                        MemlaneClock clock, double ns)
{
  return self->driver->correct != NULL ? self->driver->correct (self, use, phase, clock, ns) : ns;
}

static const struct
{
  MemlaneThrottle reason;
  const char *words;
  gboolean is_void;
} throttles[] = {
  { MEMLANE_THROTTLE_IDLE, "idle", FALSE },
  { MEMLANE_THROTTLE_APPLICATION_CLOCKS, "application clocks", FALSE },
  { MEMLANE_THROTTLE_POWER_CAP, "power cap", TRUE },
  { MEMLANE_THROTTLE_HARDWARE, "hardware slowdown", TRUE },
  { MEMLANE_THROTTLE_SYNC_BOOST, "sync boost", FALSE },
  { MEMLANE_THROTTLE_THERMAL, "thermal slowdown", TRUE },
  { MEMLANE_THROTTLE_HARDWARE_THERMAL, "hardware thermal slowdown", TRUE },
  { MEMLANE_THROTTLE_POWER_BRAKE, "power brake", TRUE },
  { MEMLANE_THROTTLE_DISPLAY_CLOCKS, "display clocks", FALSE },
};

char *
memlane_throttle_describe (guint64 throttle)
{
  g_autoptr (GString) words = g_string_new (NULL);

  for (gsize i = 0; i < G_N_ELEMENTS (throttles); i++)
    if ((throttle & throttles[i].reason) != 0)
      {
        g_string_append_printf (words, "%s%s", words->len > 0 ? ", " : "", throttles[i].words);
        throttle &= ~(guint64) throttles[i].reason;
      }
  if (throttle != 0)
    g_string_append_printf (words, "%sreason 0x%" G_GINT64_MODIFIER "x", words->len > 0 ? ", " : "",
                            throttle);
  return words->len > 0 ? g_string_free (g_steal_pointer (&words), FALSE) : NULL;
}

gboolean
memlane_throttle_is_void (guint64 throttle)
{
  for (gsize i = 0; i < G_N_ELEMENTS (throttles); i++)
    if (throttles[i].is_void && (throttle & throttles[i].reason) != 0)
      return TRUE;
  return FALSE;
}

gboolean
memlane_device_is_lost (MemlaneDevice *self)
{
  return self->is_lost;
}

gboolean
memlane_device_can (MemlaneDevice *self, MemlaneCapabilities all_of)
{
  return (self->info.capabilities & all_of) == all_of;
}

const char *
memlane_capability_name (MemlaneCapabilities capability)
{
  static const char *const names[] = {
    "canMapHostMemory",
    "unifiedAddressing",
    "managedMemory",
    "concurrentManagedAccess",
    "hostRegisterSupported",
    "memoryPoolsSupported",
    "pageableMemoryAccess",
    "concurrentKernels",
    "asyncEngineCount",
    "canUseHostPointerForRegisteredMem",
    "peerCopy",
    "memcpyBatch",
    "virtualMemoryManagementSupported",
    "hostRegisterReadOnlySupported",
    "managedOversubscription",
  };
  int bit = g_bit_nth_lsf ((gulong) capability, -1);

  return bit >= 0 && bit < (int) G_N_ELEMENTS (names) ? names[bit] : "";
}
