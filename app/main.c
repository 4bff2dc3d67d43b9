/* main.c: the window's program
 *
 * SPDX-License-Identifier: MIT
 */
#include <locale.h>

#include "window/application.h"

int
main (int argc, char **argv)
{
  g_autoptr (MemlaneApplication) application = NULL;

  /* an unknown locale is C then; GTK would complain about it on the terminal */
  setlocale (LC_ALL, "");
  gtk_disable_setlocale ();
  g_set_application_name ("Memlane");
  application = memlane_application_new ();
  return g_application_run (G_APPLICATION (application), argc, argv);
}
