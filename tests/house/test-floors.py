#!/usr/bin/env python3
"""test-floors.py: every room includes only rooms above it in the list, and itself

SPDX-License-Identifier: MIT

    tests/house/test-floors.py ROOT

A room is a folder with what lies under it, unless that has a line of its own. Rooms on one line do not know each other.
A * stands for every folder that is not named: in ui each is a page, in ui/chart each is a figure.
"""
import pathlib
import re
import sys

FLOORS = {
    'engine': [
        ['base'], ['trace'], ['result'], ['device'], ['device/cuda', 'device/simulated'], ['mode'], ['measure'], ['analysis'],
        ['advise'], ['experiment'], ['job'], ['public'],
    ],
    'ui': [
        ['chart'], ['chart/*'], ['chart/report'], ['model'], ['parts'], ['*'], ['window'],
    ],
}
INCLUDE = re.compile(r'^[ \t]*#[ \t]*include[ \t]*"([^"]+)"', re.M)


def room_of(house, path, floor):
    """The longest room that the path lies in, and its floor; None: beside the rooms."""
    parts = path.relative_to(house).parent.parts
    for n in range(len(parts), 0, -1):
        for name in (parts[:n], (*parts[:n - 1], '*')):
            if '/'.join(name) in floor:
                return '/'.join(parts[:n]), floor['/'.join(name)]
    return None, None


def check(root, house_name, floors):
    house = root / house_name
    floor = {room: index for index, rooms in enumerate(floors) for room in rooms}
    wrong = seen = 0
    for file in sorted(house.rglob('*.[ch]')):
        room, level = room_of(house, file, floor)
        if room is None:
            if file.parent != house:
                print(f'{file.relative_to(root)}: lies in no room of the list', file=sys.stderr)
                wrong += 1
            continue
        for name in INCLUDE.findall(file.read_text(encoding='utf-8')):
            found = next((path for path in (file.parent / name, house / name) if path.is_file()), None)
            if found is None:
                continue
            found = found.resolve()
            other, other_level = room_of(house, found, floor)
            if other is None or other == room:
                continue
            seen += 1
            if other_level >= level:
                print(f'{file.relative_to(root)} ({room}) includes {found.relative_to(root)} ({other}), which does not stand above it',
                      file=sys.stderr)
                wrong += 1
    if seen == 0:
        print(f'{house_name}: no include was found at all', file=sys.stderr)
        wrong += 1
    print(f'{house_name}: {seen} includes from room to room, {wrong} wrong')
    return wrong


if __name__ == '__main__':
    base = pathlib.Path(sys.argv[1]).resolve()
    sys.exit(1 if sum(check(base, name, floors) for name, floors in FLOORS.items()) else 0)
