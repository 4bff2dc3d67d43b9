# text.py TEXT NAME: prints a header that holds the file TEXT, without its last line's end, as the string NAME
# SPDX-License-Identifier: MIT
import json, sys
lines = open(sys.argv[1], encoding="ascii").read().rstrip("\n").split("\n")
print(f"static const char {sys.argv[2]}[] =\n  " + ' "\\n"\n  '.join(json.dumps(line) for line in lines) + ";")
