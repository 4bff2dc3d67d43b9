# text.py TEXT: prints a header that holds the file TEXT as a string, without its last line's end
# SPDX-License-Identifier: MIT
import json, sys
lines = open(sys.argv[1], encoding="ascii").read().rstrip("\n").split("\n")
print("static const char memlane_program_text[] =\n  " + ' "\\n"\n  '.join(json.dumps(line) for line in lines) + ";")
