/* i18n.h: marks a text for translation
 *
 * SPDX-License-Identifier: MIT
 *
 * The engine speaks English and knows no catalogue: whoever shows a text of a registry looks it up,
 * g_dgettext (domain, mode->title). Private; data/po/POTFILES names the files that mark.
 */
#pragma once

#define N_(text) (text)
#define NC_(context, text) (text)
