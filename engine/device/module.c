/* module.c: drivers that are libraries of their own, opened at run time
 *
 * SPDX-License-Identifier: MIT
 */
#include "device-driver.h"

#include <dlfcn.h>
#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <link.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* (transfer full) (nullable): why the loader would not take the file open as @fd, or would die of it. It maps segments without a look at
 * the file's length, and SIGBUS answers the first access behind its end. @own: the header of this library. */
static char *
find_damage (int fd, const ElfW (Ehdr) *own)
{
  ElfW (Ehdr) head;
  struct stat info;

  if (fstat (fd, &info) != 0 || !S_ISREG (info.st_mode))
    return g_strdup ("it is no file");
  if (pread (fd, &head, sizeof head, 0) != (gssize) sizeof head)
    memset (&head, 0, sizeof head);
  if (memcmp (head.e_ident, own->e_ident, EI_VERSION) != 0 || head.e_phentsize != sizeof (ElfW (Phdr)))
    return g_strdup ("it is no library of this machine; install the package again");
  if (head.e_machine != own->e_machine)
    return g_strdup_printf ("it is for another processor (ELF machine %d, and this one is %d)", head.e_machine, own->e_machine);
  for (guint i = 0; i < head.e_phnum; i++)
    {
      ElfW (Phdr) segment;
      gboolean is_read = pread (fd, &segment, sizeof segment, (off_t) (head.e_phoff + i * sizeof segment)) == (gssize) sizeof segment;

      if (is_read && segment.p_filesz == 0)
        continue;
      if (!is_read || segment.p_offset > (guint64) info.st_size || segment.p_filesz > (guint64) info.st_size - segment.p_offset)
        return g_strdup_printf ("it is cut short after %" G_GOFFSET_FORMAT " bytes; install the package again", (goffset) info.st_size);
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
    *reason = g_strdup_printf ("%s is of version %s, and Memlane is of version " MEMLANE_VERSION "; install both of one version", path,
                               version != NULL ? *version : "unknown");
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
  here = g_canonicalize_filename (folder, NULL); /* a program that holds the engine may have been called by a relative path */
  for (guint i = 0; i < G_N_ELEMENTS (folders); i++)
    {
      g_autofree char *relative = g_build_filename (folders[i], file, NULL), *path = g_canonicalize_filename (relative, here);

      if (g_file_test (path, G_FILE_TEST_EXISTS))
        return g_steal_pointer (&path);
    }
  if (place != NULL)
    *place = g_build_filename (here, "memlane", file, NULL);
  return NULL;
}

const MemlaneDriver *
memlane_module_load (const char *file, const char *absence, char **reason)
{
  g_autofree char *place = NULL, *path = memlane_module_find (file, &place);
  Dl_info library;

  if (path != NULL && dladdr (&memlane_module_load, &library) != 0)
    return open_module (path, library.dli_fbase, reason);
  *reason = g_strdup_printf ("%s: there is no %s", absence, place);
  return NULL;
}
