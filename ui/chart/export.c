/* export.c: SVG, PNG and PDF
 *
 * SPDX-License-Identifier: MIT
 */
#include "export.h"
