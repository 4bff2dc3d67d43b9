/* chart-layer.c: one painted layer of a chart view
 *
 * SPDX-License-Identifier: MIT
 */
#include <glib.h>
