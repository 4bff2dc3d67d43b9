/* superscripts.c: the digits of an exponent come from one font
 *
 * SPDX-License-Identifier: MIT
 */
#include "superscripts.h"

#include <fontconfig/fontconfig.h>

/* Noto Sans CJK has 1 to 4 only, so that the 0 of 2²⁰ came from another font, lower and smaller. */
#define DIGITS \
  "<charset><int>0x2070</int><int>0xb9</int><range><int>0xb2</int><int>0xb3</int></range>" \
  "<range><int>0x2074</int><int>0x2079</int></range></charset>"

void
memlane_superscripts_unify (void)
{
  /* A font that lacks one of the ten is asked for none of them. */
  static const char rule[] =
    "<?xml version=\"1.0\"?><!DOCTYPE fontconfig SYSTEM \"urn:fontconfig:fonts.dtd\"><fontconfig><match target=\"font\">"
    "<test name=\"charset\" compare=\"not_contains\">" DIGITS "</test>"
    "<edit name=\"charset\" mode=\"assign\"><minus><name>charset</name>" DIGITS "</minus></edit>"
    "</match></fontconfig>";

  if (!FcConfigParseAndLoadFromMemory (FcConfigGetCurrent (), (const FcChar8 *) rule, FcTrue))
    g_warning ("fontconfig does not take the rule for superscripts; they may be of several fonts");
}
