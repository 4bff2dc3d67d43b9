#!/usr/bin/env python3
"""test-page.py: the page of memlane-cli report in Debian's Chromium and Firefox: its controls by pointer and by keys, and its numbers

SPDX-License-Identifier: MIT

test-page.py MEMLANE-CLI DATA [PICTURES]; skipped where a browser is missing: apt-get install chromium chromium-driver firefox-esr
"""
import concurrent.futures
import csv
import glob
import json
import os
import shutil
import subprocess
import sys
import tempfile
import time

sys.dont_write_bytecode = True
import bidi  # noqa: E402

CLI, DATA = sys.argv[1:3]
PICTURES = sys.argv[3] if len(sys.argv) > 3 else None
RUN = os.path.join(DATA, 'recordings', 'h200-vector-add.csv')
ENVIRONMENT = dict(os.environ, MEMLANE_DATA_DIR=DATA, ASAN_OPTIONS='detect_leaks=0')


def cli(*arguments):
    return subprocess.run([CLI, *arguments], env=ENVIRONMENT, check=True, stdout=subprocess.PIPE,).stdout


def read_times():
    """The median of each mode and size, as the file has it."""
    with open(RUN, newline='', encoding='utf-8') as file:
        names = file.readline().strip().replace('median_ns', 'estimate_ns').split(',')  # of Memlane 0.2
        return {(row['mode'], int(row['log2_elements'])): float(row['estimate_ns']) for row in csv.DictReader(file, names)
                if row['phase'] == 'elapsed' and row['clock'] == 'host' and row['estimate_ns']}


def make_second(path):
    """The same run twice as slow, under another name."""
    with open(RUN, encoding='utf-8') as source, open(path, 'w', encoding='utf-8') as copy:
        reader = csv.DictReader(source)
        writer = csv.DictWriter(copy, reader.fieldnames, lineterminator='\n')
        writer.writeheader()
        for row in reader:
            for name in row:
                if name.endswith('_ns') and row[name]:
                    row[name] = str(2 * float(row[name]))
            row['run'] = '<b>slow</b>'
            if row['bandwidth_bytes_per_s']:
                row['bandwidth_bytes_per_s'] = str(float(row['bandwidth_bytes_per_s']) / 2)
            writer.writerow(row)


class Page:
    """The opened page; what is asked of it is a JavaScript expression."""

    def __init__(self, browser, path):
        self.browser, self.ask, self.path = browser, browser.ask, path
        browser.open(path)

    def expect(self, expression, wanted):
        until = time.monotonic() + 60
        while (found := self.ask(expression)) != wanted and time.monotonic() < until:
            time.sleep(0.05)
        assert found == wanted, f'{self.browser.name}: {expression}: found {found!r}, expected {wanted!r}'

    def centre(self, selector):
        """Brings it into view; its centre must belong to it, or a click would go astray."""
        place = self.ask(f"""(() => {{ const e = document.querySelector({selector!r}); e.scrollIntoView({{ block: 'center' }});
          const r = e.getBoundingClientRect(), x = r.x + r.width / 2, y = r.y + r.height / 2, hit = document.elementFromPoint(x, y);
          return [x, y, e.contains(hit) || (hit && hit.contains(e))]; }})()""")
        assert place[2], f'{self.browser.name}: {selector} is covered'
        return place[:2]

    def click(self, selector):
        self.browser.point(*self.centre(selector))

    def focus(self, selector):
        self.ask(f'document.querySelector({selector!r}).focus({{ preventScroll: true }})')

    def keys(self, selector, *keys):
        self.focus(selector)
        self.browser.press(*keys)


def check_curves(page, times):
    curves = '.live-curves[data-part="0"]'
    axis, scale, other = (f'{curves} .choice:nth-of-type({i}) select' for i in (1, 2, 3))
    canvas, reading = f'{curves} .canvas', f"document.querySelector('{curves} .reading')"
    state = f"document.querySelector('{canvas}').dataset"

    # All numbers of the page are those of the file.
    found = page.ask("""JSON.parse(document.getElementById('memlane-data').textContent).parts[0].series
      .flatMap((series) => series.points.map((point) => [series.mode, point[0], point[1]]))""")
    assert {(mode, size): median for mode, size, median in found} == times, 'the numbers differ from the file'

    # By keys, then by pointer. A closed list takes arrows.
    page.keys(axis, 'Down')
    page.expect(f'{state}.axis', 'bandwidth')
    page.keys(axis, 'Up')
    page.keys(scale, 'Down')
    page.expect(f'{state}.scale', 'linear')
    page.keys(scale, 'Up')
    page.expect(f'[{state}.axis, {state}.scale]', ['time', 'log'])
    page.keys(canvas, 'Home')
    for key, size, row in (('Right', 11, 'pageable'), ('Right', 12, 'pageable'), ('Down', 12, 'pinned'), ('End', 20, 'pinned'),
                           ('Up', 20, 'pageable'), ('Left', 19, 'pageable')):
        page.browser.press(key)
        page.expect(f'[{reading}.dataset.mode, Number({reading}.dataset.size), Number({reading}.dataset.median)]',
                    [row, size, times[row, size]])
    x, y = page.centre(canvas)
    page.browser.point(x, y, click=False)
    page.expect(f'Number({reading}.dataset.size) < 19', True)
    size = page.ask(f'Number({reading}.dataset.size)')
    page.expect(f'Number({reading}.dataset.median)', times[page.ask(f'{reading}.dataset.mode'), size])
    page.keys(other, 'Down')
    page.expect(f"{reading}.textContent.includes('times as long as h200-vector-add') && {reading}.textContent.includes(' 2 times')", True)
    page.expect(f'Number({state}.curves)', 14)
    page.keys(other, 'Up')
    page.expect(f'Number({state}.curves)', 7)

    page.click(f'{curves} .toggles summary')
    for button, curves_left in (('all', 19), ('none', 0), ('overview', 7)):
        page.click(f'{curves} [data-name={button}]')
        page.expect(f'Number({state}.curves)', curves_left)
        page.keys(f'{curves} [data-name=none]', 'Enter')
        page.expect(f'Number({state}.curves)', 0)
        page.keys(f'{curves} [data-name={button}]', 'Space')
        page.expect(f'Number({state}.curves)', curves_left)
    family, mode = f'{curves} .family legend input', f'{curves} .family > label input'
    page.click(family)
    page.expect(f'Number({state}.curves)', 8)
    page.keys(family, 'Space')
    page.expect(f'Number({state}.curves)', 6)
    page.keys(mode, 'Space')
    page.expect(f'Number({state}.curves)', 7)
    page.click(mode)
    page.expect(f'Number({state}.curves)', 6)
    page.click(f'{curves} [data-name=fit]')

    # A curve of one's own: nothing is shown until it is revealed.
    page.click(f'{curves} [data-name=draw]')
    page.expect(f'Number({state}.curves)', 0)
    x, y = page.centre(f'{canvas} .u-over')
    page.browser.drag((x - 360, y + 60), (x, y), (x + 360, y - 60))
    page.expect(f'Number({reading}.dataset.guesses)', 11)
    page.click(f'{curves} [data-name=draw]')
    page.expect(f'Number({state}.curves) > 0', True)
    page.expect(f"{reading}.textContent.startsWith('Your curve of ') && {reading}.textContent.endsWith(', the median of 11 sizes.')", True)
    page.keys(f'{curves} [data-name=draw]', 'Enter')
    page.keys(canvas, 'Up', 'Right', 'Up', 'Up', 'Right', 'Down')
    page.expect(f'Number({reading}.dataset.guesses)', 3)
    page.keys(f'{curves} [data-name=draw]', 'Space')
    page.expect(f"{reading}.textContent.endsWith(', the median of 3 sizes.')", True)
    page.click(f'{curves} [data-name=overview]')


def check_answers(page):
    decide, said = '.live-decide[data-part="0"]', "document.querySelector('.live-decide .said').dataset"

    page.keys(f'{decide} .size select', 'Up', 'Up')
    page.keys(f'{decide} .reuse select', 'Down', 'Down', 'Down')
    page.keys(f'{decide} .direction select', 'Down')
    page.keys(f'{decide} .count select', 'Up')
    for direction, count in (('to-device', 'transfer'), ('to-device', 'host')):
        size, reuse = page.ask(f'[{said}.size, {said}.reuse]')
        question = ('--size', size, '--reuse', reuse, '--direction', direction, '--count', count)
        answer = json.loads(cli('decide', RUN, '--json', *question))
        assert (size, reuse) == ('18', '8'), (size, reuse)
        page.expect(f'{said}.mode', answer['mode'])
        page.expect("document.querySelector('.live-decide .said').textContent.includes('1 MiB a vector), reuse 8, ')", True)
        page.expect("new Set([...document.querySelectorAll('.live-decide .said p')].map((p) => p.textContent)).size > 1", True)
        page.expect("document.querySelectorAll('.live-decide .bars')[0].rows.length", len(answer['modes']))
        places = page.ask(f"""(() => {{ const part = JSON.parse(document.getElementById('memlane-data').textContent).parts[0];
          const table = part.decide.answers[{3 + ('transfer', 'host').index(count)}],
            place = table.places[table.sizes.indexOf(18) * 12 + 3];
          return table.modes.map((mode, i) => [mode[1], place[3][i]]).filter(([, ns]) => ns > 0); }})()""")
        assert {mode: ns for mode, ns in places} == {mode['mode']: int(mode['estimate_ns'] + 0.5) for mode in answer['modes']}, question
        page.keys(f'{decide} .count select', 'Down')
    page.click(f'{decide} .map tbody tr:nth-child(12) td:nth-child(2)')
    page.expect(f'[{said}.size, {said}.reuse]', ['10', '1'])
    page.browser.press('Right', 'Up')
    page.expect(f"[{said}.size, {said}.reuse, document.activeElement.getAttribute('aria-selected')]", ['11', '2', 'true'])
    page.keys(f'{decide} details summary', 'Enter')
    page.expect(f"document.querySelector('{decide} details').open", True)


def check_timeline(page):
    stage, told = '.live-timeline .stage', "[...document.querySelectorAll('.sentence')].map((e) => e.textContent)"
    span = f"(({{ from, to }}) => to - from)(document.querySelector('{stage}').dataset)"

    page.expect("document.querySelectorAll('.track').length", 2)
    page.click('.live-timeline [data-name=later]')
    page.keys(stage, ',')
    page.keys(stage, '.')
    first = page.ask(told)
    assert any('cudaMemcpy' in sentence for sentence in first), first
    page.expect("document.querySelectorAll('.event.later').length > 5", True)
    page.keys('.live-timeline [data-name=later]', 'Enter')
    page.click('.live-timeline [data-name=earlier]')
    page.expect(told, first)
    page.click('.live-timeline [data-name=zoomin]')
    page.keys(stage, '+')
    zoomed = page.ask(span)
    page.keys(stage, 'Right', '-')
    page.expect(f'Math.round({span} / {zoomed})', 2)
    page.keys('.live-timeline [data-name=zoomout]', 'Enter')
    page.click('.live-timeline [data-name=fit]')
    page.expect(f'Math.round({span} / {zoomed})', 4)
    page.click('.live-timeline .event rect')
    page.expect("document.querySelector('.live-timeline .reading').textContent.includes(' took ')", True)
    page.keys('.live-timeline input', 'Home')
    page.expect("document.querySelector('.live-timeline input').value", '0')
    page.keys(stage, 'Space')
    page.expect("document.querySelector('[data-name=play]').textContent", 'Pause')
    page.expect("Number(document.querySelector('.live-timeline input').value) > 2", True)
    page.click('.live-timeline [data-name=play]')
    page.expect("document.querySelector('[data-name=play]').textContent", 'Play')


def check_experiment(page):
    page.keys('.predict input', 'Space')
    page.click('.reveal summary')
    page.expect("document.querySelector('.reveal').open", True)
    page.expect("document.querySelector('.reveal .said').textContent.startsWith('Your prediction was wrong. Right: Two or more')", True)
    page.keys('.reveal summary', 'Enter')
    page.expect("document.querySelector('.reveal').open", False)
    page.click('.reveal summary')


def check_lesson(page):
    """A curve drawn by pointer and by keys, a prediction, and the file that is handed in."""
    drawn, hand = "document.querySelectorAll('.sketch .reading')", '.hand button'

    x, y = page.centre('.sketch svg')
    page.browser.drag((x - 300, y + 60), (x, y), (x + 300, y - 60))
    page.expect(f'Number({drawn}[0].dataset.guesses)', 11)
    page.keys('.sketch [role=application]', 'Home', 'Up', 'Right', 'Up')
    page.expect(f'Number({drawn}[0].dataset.guesses)', 11)
    page.ask("(document.querySelectorAll('.sketch [role=application]')[1].id = 'second', 0)")
    page.keys('#second', 'Up', 'Right', 'Up')
    page.expect(f'Number({drawn}[1].dataset.guesses)', 2)
    page.keys('.predict input', 'Space')
    page.click(hand)
    page.expect("document.querySelector('.hand .said').textContent.includes('answers to 3 of 4 questions')", True)
    until = time.monotonic() + 60
    while not (saved := glob.glob(os.path.join(page.browser.folder, 'Downloads', '*.answers'))) and time.monotonic() < until:
        time.sleep(0.05)
    path = shutil.copy(saved[0], os.path.dirname(page.path))
    page.click('.sketch ~ .reveal summary')
    page.expect("document.querySelectorAll('.reveal .sketch .drawn')[0].getAttribute('d').length > 100", True)
    before = page.ask(f'{drawn}[0].textContent')
    page.keys('.sketch [role=application]', 'Up')  # too late
    page.expect(f'{drawn}[0].textContent', before)
    return path


def check_tally(folder, paths):
    """The answers of both browsers as one class: bars, and curves under the truth."""
    class_page = os.path.join(folder, 'class.html')
    cli('report', '--lesson', 'zero-copy', *(word for path in paths for word in ('--answers', path)), '--device', 'simulated:h200',
        '-o', class_page)
    with open(class_page, encoding='utf-8') as file:
        page = file.read()
    assert page.count('width: 100%"></div></td><td>2</td>') == 1, 'the bar of two students who chose the same'
    again = subprocess.run([CLI, 'report', '--lesson', 'zero-copy', '--answers', paths[0], '--answers', paths[0], '-o', class_page],
                           env=ENVIRONMENT, stderr=subprocess.PIPE, check=False)
    assert again.returncode == 1 and f'{paths[0]}: these answers are counted already' in again.stderr.decode(), again
    return class_page


def check_keyboard(page):
    """Tab reaches every control of the page, in its order."""
    wanted = page.ask("""(window.stops = [...document.querySelectorAll('select, button, input, summary, [tabindex="0"]')].filter((e) =>
      e.checkVisibility() && !e.disabled)).length""")
    page.ask("""(window.reached = new Set(), document.addEventListener('focusin', (event) => window.reached.add(event.target)), 0)""")
    page.ask("(document.querySelector('h1').tabIndex = -1, 0)")
    page.focus('h1')
    page.browser.press(*['Tab'] * (wanted + 8))
    missed = page.ask("window.stops.filter((e) => !window.reached.has(e) && e.type !== 'radio').map((e) => e.outerHTML.slice(0, 90))")
    assert not missed, f'{page.browser.name}: Tab does not reach {missed}'


def drive(name, folder, times):
    browser = bidi.Browser(name)
    try:
        browser.resize(1280, 800)
        page = Page(browser, os.path.join(folder, 'page.html'))
        for check in (lambda: check_curves(page, times), lambda: check_answers(page), lambda: check_timeline(page),
                      lambda: check_experiment(page), lambda: check_keyboard(page)):
            check()
        page.expect("getComputedStyle(document.querySelector('.still')).display", 'none')
        lesson = Page(browser, os.path.join(folder, 'lesson.html'))
        answers = check_lesson(lesson)
        lesson.expect('window.violations', [])
        page = Page(browser, os.path.join(folder, 'page.html'))
        page.expect("document.querySelectorAll('h1 b, h2 b, option b, script[src]').length", 0)
        for width in (1280, 390):
            browser.resize(width, 800)
            page.expect('document.documentElement.scrollWidth <= innerWidth', True)
            if PICTURES:
                browser.picture(os.path.join(PICTURES, f'{name}-{width}.png'), whole=True)
        page.expect('window.violations', [])
        assert not browser.errors, f'{name}: the console says {browser.errors}'
        strange = [url for url in browser.requests if not url.startswith(('file://' + folder, 'data:'))]
        assert not strange, f'{name}: the page asks for {strange}'
    finally:
        browser.close()
    return name, answers


def main():
    missing = [program for program in ('chromium', 'chromedriver', 'firefox-esr') if shutil.which(program) is None]
    if missing:
        print(f'{", ".join(missing)} not installed: apt-get install chromium chromium-driver firefox-esr')
        return 77
    folder = tempfile.mkdtemp(prefix='memlane-page-')
    try:
        traces = os.path.join(DATA, 'recordings', 'traces', 'h200-{}-2p20.json')
        make_second(os.path.join(folder, 'slow & <i>.csv'))
        cli('report', RUN, os.path.join(folder, 'slow & <i>.csv'), '--trace', traces.format('pageable'), '--trace', traces.format('pinned'),
            '--experiment', 'device-query', '--device', 'simulated:h200', '-o', os.path.join(folder, 'page.html'))
        size = os.path.getsize(os.path.join(folder, 'page.html'))
        assert size <= 2 * 1024 * 1024, f'the page has {size} bytes'
        cli('report', '--lesson', 'zero-copy', '--device', 'simulated:h200', '-o', os.path.join(folder, 'lesson.html'))
        times, handed = read_times(), []
        with concurrent.futures.ThreadPoolExecutor() as pool:
            for name, answers in pool.map(lambda name: drive(name, folder, times), ('chromium', 'firefox-esr')):
                handed.append(answers)
                print(f'ok: {name}')
        check_tally(folder, handed)
    finally:
        shutil.rmtree(folder)
    return 0


if __name__ == '__main__':
    sys.exit(main())
