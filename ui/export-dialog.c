/* export-dialog.c: files, clipboard, printer
 *
 * SPDX-License-Identifier: MIT
 */
#include "export-dialog.h"
