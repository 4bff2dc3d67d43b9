/* page.js: curves, map, timelines and experiments of a report, from the data that the page holds
 *
 * SPDX-License-Identifier: MIT
 *
 * memlane-cli report puts this and uPlot into the page. Every number comes from the data: nothing is measured or decided here. Texts are
 * set as text, never as markup. Without this script the page shows figures and tables.
 */
(() => {
  'use strict';

  const data = JSON.parse(document.getElementById('memlane-data').textContent);
  const words = data.words;
  const SVG = 'http://www.w3.org/2000/svg';
  const redraws = []; /* called when light turns to dark */
  const folded = [];  /* results that are open only while the page is printed */

  document.documentElement.classList.add('live');

  /* --- elements ------------------------------------------------------------------------------------------------- */

  const fill = (element, attributes, children) => {
    for (const [name, value] of Object.entries(attributes)) {
      if (name.startsWith('on'))
        element.addEventListener(name.slice(2), value);
      else if (name === 'checked' || name === 'value' || name === 'disabled')
        element[name] = value;
      else
        element.setAttribute(name, value);
    }
    element.append(...children);
    return element;
  };
  const make = (tag, attributes = {}, ...children) => fill(document.createElement(tag), attributes, children);
  const draw = (tag, attributes = {}, ...children) => fill(document.createElementNS(SVG, tag), attributes, children);

  /* A drop-down with its label. @options: texts; the value is the place. */
  const choose = (label, options, chosen, changed) => {
    const list = make('select', { onchange: () => changed(Number(list.value)) },
      ...options.map((text, i) => make('option', { value: i }, text)));
    list.value = chosen;
    return make('label', { class: 'choice' }, make('span', {}, label), list);
  };
  const button = (label, name, clicked) => make('button', { type: 'button', 'data-name': name, onclick: clicked }, label);
  const color = (name) => getComputedStyle(document.documentElement).getPropertyValue('--figure-' + name).trim();
  const say = (text, values) => text.replace(/\{(\w+)\}/g, (all, name) => name in values ? values[name] : all);

  /* --- units ------------------------------------------------------------------------------------------------------ */

  const scale = (value, units) => {
    let [factor, unit] = units[0];
    for (const [f, u] of units)
      if (Number((value / f).toPrecision(3)) >= 1)
        [factor, unit] = [f, u];
    return `${Number((value / factor).toPrecision(3))} ${unit}`;
  };
  const showTime = (ns) => ns === 0 ? '0' : scale(ns, [[1, 'ns'], [1e3, 'µs'], [1e6, 'ms'], [1e9, 's']]);
  const showBandwidth = (value) => value === 0 ? '0' : scale(value, [[1, 'B/s'], [1e3, 'kB/s'], [1e6, 'MB/s'], [1e9, 'GB/s'], [1e12, 'TB/s']]);
  const showBytes = (log2) => {
    const bytes = log2 + 2, step = Math.floor(bytes / 10);
    return `${Number((2 ** (bytes - 10 * step)).toPrecision(3))} ${['B', 'KiB', 'MiB', 'GiB', 'TiB'][step]}`;
  };
  const showFloats = (log2) => say(words.floats, {
    n: log2 % 1 ? Math.round(2 ** log2) : '2' + String(log2).replace(/\d/g, (digit) => '⁰¹²³⁴⁵⁶⁷⁸⁹'[digit]) });

  /* --- curves -------------------------------------------------------------------------------------------------------- */

  const [SIZE, MEDIAN, LOW, HIGH, BANDWIDTH, NOISY, TIME_TEXT, INTERVAL_TEXT, BANDWIDTH_TEXT] = [0, 1, 2, 3, 4, 5, 6, 7, 8];

  const makeCurves = (place) => {
    const number = Number(place.dataset.part), part = data.parts[number];
    const others = data.parts.filter((other, i) => i !== number && other.workload === part.workload);
    const families = [...new Set(part.series.map((series) => series.family))];
    const simplest = families.map((family) => part.series.findIndex((series) => series.family === family));
    const shown = new Set(simplest);
    const sizes = [...new Set(part.series.flatMap((series) => series.points.map((point) => point[SIZE])))].sort((a, b) => a - b);
    const state = { bandwidth: false, log: true, other: -1, size: sizes.length - 1, focus: simplest[0], guess: null };
    const reading = make('p', { class: 'reading', role: 'status' });
    const values = make('table', { class: 'values' });
    const canvas = make('div', { class: 'canvas', tabindex: 0, role: 'application', 'aria-label': words.chart });
    const boxes = new Map(); /* of modes, and of families */
    let plot = null, drawn = [];

    const find = (series, size) => series && series.points.find((point) => point[SIZE] === size);
    const get = (point) => point === undefined ? null : state.bandwidth ? point[BANDWIDTH] || null : point[MEDIAN];
    const bound = (point, end) => state.bandwidth ? point[BANDWIDTH] * point[MEDIAN] / point[end] : point[end];
    const partner = (series) => state.other < 0 ? undefined : others[state.other].series.find((other) => other.mode === series.mode);

    const read = () => {
      const size = sizes[state.size], series = part.series[state.focus];
      const point = find(series, size), other = find(partner(series), size);
      const rows = [...shown].map((i) => [i, find(part.series[i], size)]).filter(([, p]) => p).sort((a, b) => a[1][MEDIAN] - b[1][MEDIAN]);
      let text = `${series.label}, ${showBytes(size)} (${showFloats(size)}): `;

      text += point === undefined ? words.nothing
        : [point[TIME_TEXT] + (point[INTERVAL_TEXT] ? ` (${words.interval}: ${point[INTERVAL_TEXT]})` : ''), point[BANDWIDTH_TEXT],
          point[NOISY] ? words.noisy : ''].filter((t) => t).join(', ');
      if (point && other) {
        text += `. ${others[state.other].run}: ${other[TIME_TEXT]}. `
          + say(words.faster, { a: others[state.other].run, b: part.run, factor: Number((other[MEDIAN] / point[MEDIAN]).toPrecision(3)) });
      }
      reading.textContent = text;
      Object.assign(reading.dataset, { mode: series.mode, size, median: point ? point[MEDIAN] : '' });
      values.replaceChildren(make('caption', {}, `${showBytes(size)} (${showFloats(size)})`), ...rows.map(([i, p]) => make('tr',
        i === state.focus ? { class: 'focus' } : {}, make('th', { scope: 'row' }, swatch(part.series[i]), part.series[i].label),
        make('td', {}, p[TIME_TEXT]), make('td', {}, p[BANDWIDTH_TEXT]), make('td', {}, p[NOISY] ? words.noisy : ''))));
    };

    const swatch = (series) => {
      const line = draw('line', { x1: 0, y1: 5, x2: 28, y2: 5, 'stroke-width': 3, 'stroke-dasharray': series.dash.map((d) => 2 * d).join(' ') });
      line.style.stroke = `var(--figure-family-${series.family})`;
      return draw('svg', { class: 'swatch', viewBox: '0 0 28 10', width: 28, height: 10, 'aria-hidden': 'true' }, line);
    };

    /* Interval of the curve in focus, markers, names at the right ends. */
    const decorate = (u) => {
      const context = u.ctx, ratio = devicePixelRatio, ends = [];

      context.save();
      drawn.forEach(({ series, own, index }) => {
        const points = series.points.filter((point) => get(point) !== null && point[SIZE] >= u.scales.x.min && point[SIZE] <= u.scales.x.max)
          .map((point) => [u.valToPos(point[SIZE], 'x', true), u.valToPos(get(point), 'y', true), point]);
        const paint = color(`family-${series.family}`);

        context.fillStyle = context.strokeStyle = paint;
        if (own && index === state.focus && points.length > 1) {
          context.globalAlpha = 0.2;
          context.beginPath();
          points.forEach(([x, , p]) => context.lineTo(x, u.valToPos(bound(p, LOW), 'y', true)));
          points.reverse().forEach(([x, , p]) => context.lineTo(x, u.valToPos(bound(p, HIGH), 'y', true)));
          points.reverse();
          context.fill();
        }
        context.globalAlpha = own ? 1 : 0.5;
        points.forEach(([x, y, p]) => {
          context.beginPath();
          context.arc(x, y, (own ? 3.5 : 2.5) * ratio, 0, 2 * Math.PI);
          context.fillStyle = p[NOISY] ? color('background') : paint;
          context.lineWidth = 1.5 * ratio;
          context.fill();
          context.stroke();
        });
        if (own && points.length > 0)
          ends.push([points[points.length - 1][1], series]);
      });
      context.globalAlpha = 1;
      if (state.guess) {
        const points = sizes.map((size, i) => [u.valToPos(size, 'x', true), u.valToPos(state.guess[i] ?? 1, 'y', true), state.guess[i]]).filter((p) => p[2]);
        context.strokeStyle = context.fillStyle = color('text');
        context.lineWidth = 3 * ratio;
        context.setLineDash([8 * ratio, 5 * ratio]);
        context.beginPath();
        points.forEach(([x, y]) => context.lineTo(x, y));
        context.stroke();
        context.setLineDash([]);
        points.forEach(([x, y]) => context.fillRect(x - 3 * ratio, y - 3 * ratio, 6 * ratio, 6 * ratio));
      }
      if (u.width > 700) {
        let least = u.bbox.top;
        context.font = `${12 * ratio}px system-ui, sans-serif`;
        context.textAlign = 'left';
        context.textBaseline = 'middle';
        for (const [y, series] of ends.sort((a, b) => a[0] - b[0])) {
          const at = Math.max(y, least);
          context.fillStyle = color(`name-${series.family}`);
          context.fillText(series.label, u.bbox.left + u.bbox.width + 8 * ratio, at);
          least = at + 15 * ratio;
        }
      }
      context.restore();
    };

    const build = () => {
      const width = Math.max(canvas.clientWidth, 280);
      const axis = { stroke: color('text'), grid: { stroke: color('grid'), width: 1 }, ticks: { stroke: color('axis'), width: 1 } };

      drawn = drawing ? [] : [...shown].sort((a, b) => a - b).map((index) => ({ series: part.series[index], own: true, index }));
      for (const { series } of [...drawn])
        if (partner(series))
          drawn.push({ series: partner(series), own: false });
      Object.assign(canvas.dataset, { axis: state.bandwidth ? 'bandwidth' : 'time', scale: state.log ? 'log' : 'linear', curves: drawn.length });
      if (plot)
        plot.destroy();
      plot = new uPlot({
        width, height: Math.round(Math.min(480, Math.max(300, width * 0.5))),
        padding: [12, width > 700 ? 170 : 12, 0, 0],
        legend: { show: false },
        cursor: { focus: { prox: 30 }, y: false, points: { show: false }, drag: { x: !drawing, y: false } },
        scales: { x: { time: false, range: (u, least, most) => [least - 0.2, most + 0.2] },
          y: drawing ? { distr: state.log ? 3 : 1, range: limits() } : state.log ? { distr: 3 } : { range: (u, least, most) => [0, (most || 1) * 1.05] } },
        axes: [
          { ...axis, size: 34, space: 64, splits: (u, i, from, to) => sizes.filter((size) => size >= from && size <= to),
            values: (u, splits) => splits.map((size, i) => i % Math.ceil(splits.length * 62 / width) ? '' : showBytes(size)) },
          { ...axis, size: 76, values: (u, splits) => splits.map((v) => v === null ? '' : state.bandwidth ? showBandwidth(v) : showTime(v)) },
        ],
        series: [{}, ...drawing ? [{ scale: 'y' }] : [], ...drawn.map(({ series, own }) => ({ scale: 'y', stroke: color(`family-${series.family}`), width: own ? 2 : 1,
          alpha: own ? 1 : 0.5, dash: series.dash.map((d) => 2 * d), points: { show: false }, spanGaps: false }))],
        hooks: {
          draw: [decorate],
          setCursor: [(u) => {
            if (drawing || u.cursor.idx === null || u.cursor.idx === undefined || u.cursor.left < 0 || moving || u.cursor.idx === state.size)
              return;
            state.size = u.cursor.idx;
            read();
          }],
          setSeries: [(u, i, options) => {
            if (moving || i === null || !options || !options.focus || !drawn[i - 1] || !drawn[i - 1].own || state.focus === drawn[i - 1].index)
              return;
            state.focus = drawn[i - 1].index;
            u.redraw(false);
            read();
          }],
        },
      }, [sizes, ...drawing ? [sizes.map(() => null)] : [], ...drawn.map(({ series }) => sizes.map((size) => get(find(series, size))))], canvas);
      if (drawing)
        ['pointerdown', 'pointermove'].forEach((name) => plot.over.addEventListener(name, sketch));
      if (drawing)
        tellGuess();
      else
        read();
    };

    /* --- a curve of one's own: drawn before the curves are shown --- */

    let drawing = false, last = -1;

    /* The axis of the values gives nothing away: it holds all modes, with air. */
    const limits = () => {
      const all = part.series.flatMap((series) => series.points.map(get)).filter((value) => value !== null);
      return state.log ? [10 ** Math.floor(Math.log10(Math.min(...all) / 1.5)), 10 ** Math.ceil(Math.log10(Math.max(...all) * 1.5))]
        : [0, Math.max(...all) * 1.3];
    };
    const tellGuess = () => {
      const value = state.guess[state.size];
      reading.textContent = `${say(words.sketch, { mode: part.series[state.focus].label })} ${showBytes(sizes[state.size])}: ${value === undefined ? '–'
        : state.bandwidth ? showBandwidth(value) : showTime(value)}`;
      reading.dataset.guesses = state.guess.filter((v) => v).length;
    };
    const sketch = (event) => {
      const box = plot.over.getBoundingClientRect();
      if (event.type === 'pointermove' && (event.buttons & 1) === 0) {
        last = -1;
        return;
      }
      const at = Math.min(sizes.length - 1, Math.max(0, sizes.findIndex((size) => size >= plot.posToVal(event.clientX - box.left, 'x') - 0.5)));
      const [least, most] = limits(), value = Math.min(most, Math.max(least || most / 1e4, plot.posToVal(event.clientY - box.top, 'y')));
      const from = last < 0 || event.type === 'pointerdown' ? at : last;
      for (let i = Math.min(from, at); i <= Math.max(from, at); i++) /* a fast pointer leaves sizes out */
        if (i !== from || from === at)
          state.guess[i] = i === at ? value : state.guess[from] * (value / state.guess[from]) ** ((i - from) / (at - from));
      last = state.size = at;
      plot.redraw(false);
      tellGuess();
    };
    const nudge = (factor) => {
      const [least, most] = limits(), before = state.guess[state.size] ?? state.guess[state.size - 1] ?? Math.sqrt(Math.max(least, most / 1000) * most);
      state.guess[state.size] = Math.min(most, Math.max(least || most / 1e4, before * factor));
      plot.redraw(false);
      tellGuess();
    };
    const startDrawing = () => {
      drawing = true;
      state.guess = [];
      state.size = 0;
      sketcher.textContent = words.reveal;
      values.replaceChildren();
      build();
    };
    const endDrawing = () => {
      const series = part.series[state.focus];
      const off = sizes.map((size, i) => [state.guess[i], get(find(series, size))]).filter(([mine, theirs]) => mine && theirs)
        .map(([mine, theirs]) => Math.max(mine / theirs, theirs / mine)).sort((a, b) => a - b);
      drawing = false;
      sketcher.textContent = words.draw;
      shown.add(state.focus);
      show([...shown]);
      if (off.length > 0)
        reading.textContent = say(words.off, { mode: series.label, n: off.length, factor: Number(off[Math.floor(off.length / 2)].toPrecision(3)) });
    };
    const sketcher = button(words.draw, 'draw', () => drawing ? endDrawing() : startDrawing());

    /* Puts the rule of the pointer on the place that the keys chose. */
    let moving = false;
    const mark = () => {
      const point = find(part.series[state.focus], sizes[state.size]);
      moving = true;
      plot.setCursor({ left: plot.valToPos(sizes[state.size], 'x'), top: point ? plot.valToPos(get(point), 'y') : 0 });
      moving = false;
      plot.redraw(false);
      read();
    };

    const keys = (event) => {
      const order = [...shown].sort((a, b) => a - b), at = Math.max(0, order.indexOf(state.focus));
      const steps = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1], Home: [-99, 0], End: [99, 0] }[event.key];

      if (event.ctrlKey || event.altKey || event.metaKey || (steps === undefined && event.key !== '0'))
        return;
      event.preventDefault();
      if (event.key === '0')
        return build();
      if (drawing && steps[1] !== 0)
        return nudge(steps[1] < 0 ? 1.1 : 1 / 1.1);
      state.size = Math.min(sizes.length - 1, Math.max(0, state.size + steps[0]));
      if (drawing)
        return tellGuess();
      state.focus = order[(at + steps[1] + order.length) % order.length];
      mark();
    };

    const show = (modes) => {
      shown.clear();
      modes.forEach((i) => shown.add(i));
      if (!shown.has(state.focus))
        state.focus = [...shown][0] ?? simplest[0];
      for (const [key, box] of boxes) {
        const members = typeof key === 'number' ? [key] : part.series.map((series, i) => i).filter((i) => part.series[i].family === key.family);
        const on = members.filter((i) => shown.has(i)).length;
        box.checked = on === members.length;
        box.indeterminate = on > 0 && on < members.length;
      }
      build();
    };

    const toggles = families.map((family) => {
      const members = part.series.map((series, i) => i).filter((i) => part.series[i].family === family);
      const toggle = (some, on) => show(on ? [...shown, ...some] : [...shown].filter((i) => !some.includes(i)));
      const check = (key, some, ...label) => {
        const box = make('input', { type: 'checkbox', onchange: () => toggle(some, box.checked) });
        boxes.set(key, box);
        return make('label', {}, box, ...label);
      };
      return make('fieldset', { class: 'family' },
        make('legend', {}, check({ family }, members, data.families[family] ?? words.modes)),
        ...members.map((i) => check(i, [i], swatch(part.series[i]), part.series[i].label)));
    });

    canvas.addEventListener('keydown', keys);
    canvas.addEventListener('focus', () => drawing ? tellGuess() : mark());
    place.append(
      make('div', { class: 'choices' },
        choose(words.axis, [words.time, words.bandwidth], 0, (i) => { state.bandwidth = i === 1; state.guess = drawing ? [] : null; build(); }),
        choose(words.scale, [words.log, words.linear], 0, (i) => { state.log = i === 0; build(); }),
        ...others.length > 0 ? [choose(words.compare, [words.none, ...others.map((other) => other.run)], 0, (i) => { state.other = i - 1; build(); })]
          : [],
        make('span', { class: 'buttons' }, button(words.fit, 'fit', build), sketcher)),
      ...part.simulated ? [make('p', { class: 'badge' }, words.simulated)] : [], canvas, reading, values,
      make('p', { class: 'faint' }, words.hint),
      make('details', { class: 'toggles' }, make('summary', {}, words.modes),
        make('div', { class: 'buttons' }, button(words.all, 'all', () => show(part.series.map((series, i) => i))),
          button(words.overview, 'overview', () => show(simplest)), button(words.none, 'none', () => show([]))),
        make('div', { class: 'families' }, ...toggles)));
    new ResizeObserver(() => {
      if (plot && Math.abs(plot.width - Math.max(canvas.clientWidth, 280)) > 1)
        build();
    }).observe(canvas);
    redraws.push(build);
    show(simplest);
  };

  /* --- the map ------------------------------------------------------------------------------------------------------ */

  const [CHOICE, DOUBT, TEXTS, TIMES, MEASURED, TIES] = [0, 1, 2, 3, 4, 5];

  const makeDecide = (place) => {
    const decide = data.parts[Number(place.dataset.part)].decide;
    const unique = (name) => [...new Set(decide.answers.map((answer) => answer[name]))];
    const directions = unique('direction'), counts = unique('count');
    const state = { direction: directions[0], count: counts[Math.min(1, counts.length - 1)], size: 0, reuse: 0 };
    const grid = make('table', { class: 'map', role: 'grid', 'aria-label': words.map });
    const answer = make('div', { class: 'said', role: 'status' }), times = make('table', { class: 'bars' });
    const lists = make('div', { class: 'choices' });
    let table = null;

    const at = (size, reuse) => table.places[size * table.rows.length + reuse];
    const nameOf = (found) => (table.modes.find((mode) => mode[0] === found[CHOICE]) || [])[2] ?? '–';

    const tell = () => {
      const found = at(state.size, state.reuse), bit = (mask, i) => (mask >>> i & 1) === 1;
      const rows = table.modes.map((mode, i) => [mode, found[TIMES][i]]).filter(([, ns]) => ns > 0).sort((a, b) => a[1] - b[1]);
      const most = rows.length > 0 ? rows[rows.length - 1][1] : 1;

      answer.replaceChildren(...found[TEXTS].map((id, i) => make('p', i === 0 ? { class: 'answer' } : {}, decide.texts[id])));
      Object.assign(answer.dataset, { size: table.sizes[state.size], reuse: table.rows[state.reuse],
        mode: (table.modes.find((mode) => mode[0] === found[CHOICE]) || [])[1] ?? '' });
      times.replaceChildren(make('caption', {}, words.step), ...rows.map(([mode, ns]) => {
        const bar = make('div', { class: 'bar' });
        bar.style.width = `${Math.max(1, 100 * ns / most)}%`;
        bar.style.background = `var(--figure-family-${mode[3]})`;
        return make('tr', mode[0] === found[CHOICE] ? { class: 'focus' } : {}, make('th', { scope: 'row' }, mode[2]), make('td', {}, showTime(ns)),
          make('td', {}, bit(found[MEASURED], mode[0]) ? words.measured : words.computed, bit(found[TIES], mode[0]) ? ` · ${words.tied}` : ''),
          make('td', { class: 'wide' }, bar));
      }));
      for (const cell of grid.querySelectorAll('td')) {
        const here = Number(cell.dataset.size) === state.size && Number(cell.dataset.reuse) === state.reuse;
        cell.setAttribute('aria-selected', String(here));
        cell.tabIndex = here ? 0 : -1;
      }
    };

    const pick = (size, reuse, focus) => {
      state.size = Math.min(table.sizes.length - 1, Math.max(0, size));
      state.reuse = Math.min(table.rows.length - 1, Math.max(0, reuse));
      lists.querySelector('.size select').value = state.size;
      lists.querySelector('.reuse select').value = state.reuse;
      tell();
      if (focus)
        grid.querySelector('[aria-selected=true]').focus();
    };

    const keys = (event) => {
      const step = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, 1], ArrowDown: [0, -1] }[event.key];
      if (!step || event.ctrlKey || event.altKey || event.metaKey)
        return;
      event.preventDefault();
      pick(state.size + step[0], state.reuse + step[1], true);
    };

    const classed = (name, label) => { label.classList.add(name); return label; };

    const build = () => {
      const size = table ? table.sizes[state.size] : undefined;
      table = decide.answers.find((a) => a.direction === state.direction && a.count === state.count)
        || decide.answers.find((a) => a.direction === state.direction);
      state.size = size === undefined ? table.sizes.length - 1 : Math.max(0, table.sizes.indexOf(size));
      const reuses = [...table.rows.keys()];
      grid.replaceChildren(
        make('tbody', {}, ...[...reuses].reverse().map((reuse) => make('tr', { role: 'row' },
          make('th', { scope: 'row' }, String(table.rows[reuse])),
          ...table.sizes.map((log2, i) => {
            const found = at(i, reuse), mode = table.modes.find((m) => m[0] === found[CHOICE]);
            const cell = make('td', { role: 'gridcell', class: ['', 'open', 'alike'][found[DOUBT]], 'data-size': i, 'data-reuse': reuse,
              'aria-label': `${showBytes(log2)}, ${table.row} ${table.rows[reuse]}: ${nameOf(found)}`, onclick: () => pick(i, reuse, true) }, nameOf(found));
            if (mode)
              cell.style.setProperty('--family', `var(--figure-family-${mode[3]})`);
            return cell;
          })))),
        make('tfoot', {}, make('tr', {}, make('th', {}, table.row), ...table.sizes.map((log2) => make('th', { scope: 'col' }, showBytes(log2))))));
      lists.replaceChildren(
        classed('size', choose(table.column, table.sizes.map((log2) => `${showBytes(log2)} (${showFloats(log2)})`), state.size,
          (i) => pick(i, state.reuse))),
        classed('reuse', choose(table.row, reuses.map((reuse) => String(table.rows[reuse])), state.reuse, (i) => pick(state.size, i))),
        ...directions.length > 1
          ? [classed('direction', choose(words.direction, directions, directions.indexOf(table.direction), (i) => change('direction', directions[i])))]
          : [],
        ...counts.length > 1 ? [classed('count', choose(words.count, counts, counts.indexOf(table.count), (i) => change('count', counts[i])))] : []);
      tell();
    };

    const change = (name, value) => {
      state[name] = value;
      build();
      lists.querySelector(`.${name} select`).focus();
    };

    grid.addEventListener('keydown', keys);
    if (decide.answers.length === 0)
      return;
    place.append(make('h3', {}, words.answer), lists, answer, make('div', { class: 'wide' }, grid), make('p', { class: 'faint' }, words.open),
      make('details', {}, make('summary', {}, words.step), make('div', { class: 'wide' }, times)));
    build();
  };

  /* --- timelines ------------------------------------------------------------------------------------------------------- */

  const [START, DURATION, TINT, NAME, FACTS, SENTENCE] = [0, 1, 2, 3, 4, 5];
  const GUTTER = 104, ROW = 22, SECONDS = 14;

  const makeTimeline = (place) => {
    const traces = data.traces, end = Math.max(1, ...traces.map((trace) => trace.end));
    const state = { from: 0, to: end, now: end, playing: false };
    const dark = matchMedia('(prefers-color-scheme: dark)');
    /* Moments at which something begins to be told. */
    const told = traces.map((trace) => trace.events.map((event, i) => i).filter((i) => trace.events[i][SENTENCE] !== '')
      .sort((a, b) => trace.events[a][START] - trace.events[b][START]));
    const moments = [...new Set(traces.flatMap((trace, i) => told[i].map((j) => trace.events[j][START])))].sort((a, b) => a - b);
    const sentences = traces.map(() => make('p', { class: 'sentence' }));
    const facts = make('p', { class: 'reading', role: 'status' });
    const stage = make('div', { class: 'stage', tabindex: 0, role: 'application', 'aria-label': words.timeline });
    const clock = make('input', { type: 'range', min: 0, max: 1000, step: 1, value: 1000, 'aria-label': words.time,
      oninput: () => { pause(); state.now = end * Number(clock.value) / 1000; tell(); } });
    const play = button(words.play, 'play', () => state.playing ? pause() : start());
    const cursors = [];

    const width = () => Math.max(stage.clientWidth, 280) - GUTTER;
    const x = (time) => GUTTER + (time - state.from) / (state.to - state.from) * width();

    /* Black or white: what stands out more from "#rrggbb". */
    const readable = (hex) => {
      const [red, green, blue] = [1, 3, 5].map((i) => (parseInt(hex.slice(i, i + 2), 16) / 255) ** 2.2);
      return 0.2126 * red + 0.7152 * green + 0.0722 * blue > 0.18 ? '#000' : '#fff';
    };

    const drawEvent = (trace, id, top) => {
      const event = trace.events[id], left = Math.max(x(event[START]), GUTTER), right = Math.min(x(event[START] + event[DURATION]), GUTTER + width());
      const bar = draw('rect', { x: left, y: top, width: Math.max(1.5, right - left), height: ROW - 4, rx: 2,
        fill: data.tints[2 * event[TINT] + Number(dark.matches)], 'data-event': id });
      const group = draw('g', { class: 'event', 'data-start': event[START] }, bar);

      group.addEventListener('pointerenter', () => { facts.textContent = event[FACTS]; });
      group.addEventListener('click', () => { pause(); state.now = event[START]; tell(); facts.textContent = event[FACTS]; });
      if (right - left > 7 * event[NAME].length + 8)
        group.append(draw('text', { x: left + 4, y: top + ROW - 9, fill: readable(bar.getAttribute('fill')) }, event[NAME]));
      return group;
    };

    const build = () => {
      cursors.length = 0;
      stage.replaceChildren(...traces.map((trace, i) => {
        let top = 4;
        const parts = [];
        for (const lane of trace.lanes) {
          const height = Math.min(lane.rows, 12) * ROW;
          parts.push(draw('text', { x: 0, y: top + ROW - 8, class: 'lane' }, lane.title),
            draw('line', { x1: GUTTER, x2: GUTTER + width(), y1: top + height, y2: top + height, class: 'floor' }));
          for (let j = 0; j < lane.events.length; j += 2) {
            const event = trace.events[lane.events[j]];
            if (lane.events[j + 1] < 12 && event[START] + event[DURATION] >= state.from && event[START] <= state.to)
              parts.push(drawEvent(trace, lane.events[j], top + 2 + lane.events[j + 1] * ROW));
          }
          top += height + 4;
        }
        cursors.push(draw('line', { y1: 0, y2: top, class: 'now' }));
        const ticks = [0, 0.25, 0.5, 0.75, 1].map((share) => draw('text', { x: GUTTER + share * width(), y: top + 14, class: 'tick',
          'text-anchor': share === 1 ? 'end' : share === 0 ? 'start' : 'middle' }, showTime(Math.round(state.from + share * (state.to - state.from)))));
        return make('div', { class: 'track' }, make('h3', {}, trace.title, ...trace.simulated ? [make('span', { class: 'badge' }, words.simulated)] : []),
          draw('svg', { width: GUTTER + width(), height: top + 20, 'aria-hidden': 'true' }, ...parts, ...ticks, cursors[i]), sentences[i]);
      }));
      tell();
    };

    /* Shows the moment: what is to come is pale, and each track says what began last. */
    const tell = () => {
      const all = state.now >= end;
      cursors.forEach((line) => {
        const at = x(state.now);
        line.setAttribute('x1', at);
        line.setAttribute('x2', at);
        line.style.display = all || at < GUTTER || at > GUTTER + width() ? 'none' : '';
      });
      for (const group of stage.querySelectorAll('.event'))
        group.classList.toggle('later', !all && Number(group.dataset.start) > state.now);
      traces.forEach((trace, i) => {
        const begun = told[i].filter((j) => trace.events[j][START] <= state.now), last = begun[begun.length - 1];
        const text = last === undefined ? '' : `${showTime(trace.events[last][START])}: ${trace.events[last][SENTENCE]}`;
        if (sentences[i].textContent !== text)
          sentences[i].textContent = text;
        sentences[i].dataset.event = last === undefined ? '' : last;
      });
      clock.value = Math.round(1000 * state.now / end);
      clock.setAttribute('aria-valuetext', showTime(Math.round(state.now)));
    };

    const pause = () => {
      state.playing = false;
      play.textContent = words.play;
    };

    const start = () => {
      let before = null;
      const frame = (time) => {
        if (!state.playing)
          return;
        state.now = Math.min(end, state.now + (before === null ? 0 : (time - before) / 1000 / SECONDS * end));
        before = time;
        if (state.now > state.to || state.now < state.from)
          zoom(1, state.now);
        tell();
        if (state.now >= end)
          pause();
        else
          requestAnimationFrame(frame);
      };
      state.playing = true;
      state.now = state.now >= end ? 0 : state.now;
      play.textContent = words.pause;
      requestAnimationFrame(frame);
    };

    const zoom = (factor, about) => {
      const span = Math.min(end, Math.max(100, (state.to - state.from) * factor));
      state.from = Math.min(end - span, Math.max(0, about - span / 2));
      state.to = state.from + span;
      Object.assign(stage.dataset, { from: Math.round(state.from), to: Math.round(state.to) });
      build();
    };
    const middle = () => state.now < end ? state.now : (state.from + state.to) / 2;
    const pan = (share) => zoom(1, (state.from + state.to) / 2 + share * (state.to - state.from));
    const step = (way) => {
      const next = way > 0 ? moments.find((time) => time > state.now || state.now >= end) : moments.filter((time) => time < state.now).pop();
      pause();
      if (next === undefined)
        return;
      state.now = next;
      if (next < state.from || next > state.to)
        zoom(1, next);
      facts.textContent = say(words.event, { n: moments.indexOf(next) + 1, all: moments.length });
      tell();
    };
    const fit = () => zoom(1e9, 0);

    const acts = { ' ': () => play.click(), ',': () => step(-1), '.': () => step(1), '+': () => zoom(0.5, middle()), '=': () => zoom(0.5, middle()),
      '-': () => zoom(2, middle()), 0: fit, ArrowLeft: () => pan(-0.2), ArrowRight: () => pan(0.2) };
    stage.addEventListener('keydown', (event) => {
      if (!(event.key in acts) || event.ctrlKey || event.altKey || event.metaKey)
        return;
      event.preventDefault();
      acts[event.key]();
    });
    stage.addEventListener('wheel', (event) => {
      if (!event.ctrlKey)
        return; /* the page scrolls */
      event.preventDefault();
      zoom(event.deltaY > 0 ? 1.25 : 0.8, state.from + (event.clientX - stage.getBoundingClientRect().left - GUTTER) / width() * (state.to - state.from));
    }, { passive: false });

    place.append(make('div', { class: 'choices' }, make('span', { class: 'buttons' }, play, button(words.earlier, 'earlier', () => step(-1)),
      button(words.later, 'later', () => step(1)), button(words.zoomin, 'zoomin', () => zoom(0.5, middle())),
      button(words.zoomout, 'zoomout', () => zoom(2, middle())), button(words.fit, 'fit', fit)), clock), stage, facts,
    make('p', { class: 'faint' }, words.timeline));
    new ResizeObserver(build).observe(stage);
    dark.addEventListener('change', build);
  };

  /* --- experiments ------------------------------------------------------------------------------------------------------- */

  const makeReveal = (details) => {
    const right = Number(details.dataset.right), said = details.querySelector('.said');
    const inputs = [...details.parentElement.querySelectorAll('.predict input')];

    details.addEventListener('toggle', () => {
      const chosen = inputs.findIndex((input) => input.checked);

      if (!details.open || folded.includes(details) || right < 0 || inputs.length === 0)
        return;
      inputs.forEach((input, i) => {
        input.disabled = true;
        input.parentElement.classList.toggle('right', i === right);
        input.parentElement.classList.toggle('wrong', i === chosen && i !== right);
      });
      said.textContent = chosen < 0 ? words.yours : chosen === right ? words.right
        : say(words.wrong, { right: inputs[right].parentElement.textContent.trim() });
    });
  };

  /* --- lessons: curves to draw, and the answers as a file ------------------------------------------------------------------ */

  /* A line over a figure whose axes the page knows. @values: by log2 of the elements. */
  const makeSketch = (figure, values) => {
    const numbers = (name) => figure.dataset[name].split(' ').map(Number);
    const [left, top, width, height] = numbers('area'), [from, to] = numbers('x'), [low, high] = numbers('y'), log = figure.dataset.log === '1';
    const svg = figure.querySelector('svg'), line = draw('path', { class: 'drawn' });

    svg.append(line);
    return {
      svg, sizes: [Math.ceil(from / 1000), Math.floor(to / 1000)],
      middle: log ? 10 ** ((low + high) / 2000) : (low + high) / 2,
      limit: (value) => Math.min(log ? 10 ** (high / 1000) : high, Math.max(log ? 10 ** (low / 1000) : high / 1000, value)),
      read: (event) => {
        const box = svg.getBoundingClientRect(), { width: wide, height: tall } = svg.viewBox.baseVal;
        const x = ((event.clientX - box.left) * wide / box.width - left) / width, y = 1 - ((event.clientY - box.top) * tall / box.height - top) / height;
        const value = low + Math.min(1, Math.max(0, y)) * (high - low);
        return [Math.round((from + x * (to - from)) / 1000), log ? 10 ** (value / 1000) : value];
      },
      show: (current) => {
        const places = values.map((value, size) => [left + width * (1000 * size - from) / (to - from),
          top + height * (1 - ((log ? 1000 * Math.log10(value) : value) - low) / (high - low)), size]).filter((place) => place);
        line.setAttribute('d', places.map(([x, y], i) => `${i ? 'L' : 'M'}${x.toFixed(1)},${y.toFixed(1)}`).join('')
          + places.map(([x, y, size]) => { const r = size === current ? 7 : 4; return `M${x.toFixed(1)},${(y - r).toFixed(1)}l${r},${r}l${-r},${r}l${-r},${-r}z`; }).join(''));
      },
    };
  };

  const makeDrawing = (figure, shown, details) => {
    const values = [], sketch = makeSketch(figure, values), later = shown ? makeSketch(shown, values) : null;
    const [first, last] = sketch.sizes, format = figure.dataset.time === '1' ? showTime : showBandwidth;
    const reading = make('p', { class: 'reading', role: 'status' }), field = figure.querySelector('[role=img]');
    let current = first, before = -1;

    const tell = () => {
      sketch.show(current);
      if (later)
        later.show(-1);
      reading.textContent = `${say(words.sketch, { mode: figure.dataset.mode })} ${showBytes(current)}: ${values[current] ? format(values[current]) : '–'}`;
      reading.dataset.guesses = values.filter((v) => v).length;
    };
    const put = (size, value) => { values[size] = sketch.limit(value); };
    const move = (event) => {
      if (details.open || (event.type === 'pointermove' && (event.buttons & 1) === 0)) {
        before = -1;
        return;
      }
      event.preventDefault();
      const [near, value] = sketch.read(event), at = Math.min(last, Math.max(first, near));
      const start = before < 0 || event.type === 'pointerdown' ? at : before, old = values[start] || value, steps = Math.abs(at - start);
      for (let i = 1; i < steps; i++) /* a fast pointer leaves sizes out */
        put(start + Math.sign(at - start) * i, old * (value / old) ** (i / steps));
      put(at, value);
      before = current = at;
      tell();
    };
    const keys = { ArrowLeft: () => { current = Math.max(first, current - 1); }, ArrowRight: () => { current = Math.min(last, current + 1); },
      Home: () => { current = first; }, End: () => { current = last; },
      ArrowUp: () => put(current, (values[current] || values[current - 1] || sketch.middle) * 1.1),
      ArrowDown: () => put(current, (values[current] || values[current - 1] || sketch.middle) / 1.1) };

    ['pointerdown', 'pointermove'].forEach((name) => sketch.svg.addEventListener(name, move));
    fill(field, { tabindex: 0, role: 'application', onkeydown: (event) => {
      if (!(event.key in keys) || event.ctrlKey || event.altKey || event.metaKey || details.open)
        return;
      event.preventDefault();
      keys[event.key]();
      tell();
    } }, []);
    figure.append(reading);
    tell();
    return values;
  };

  const makeLesson = (section) => {
    const steps = [...section.querySelectorAll('.experiment')], said = make('p', { role: 'status', class: 'said' });
    const id = [...crypto.getRandomValues(new Uint8Array(8))].map((byte) => byte.toString(16).padStart(2, '0')).join('');
    const curves = steps.map((step) => {
      const [asked, shown] = step.querySelectorAll('.sketch'), details = step.querySelector('details.reveal');
      return asked ? makeDrawing(asked, shown, details) : [];
    });

    const handIn = () => {
      const parts = steps.map((step, i) => {
        const choice = [...step.querySelectorAll('.predict input')].findIndex((input) => input.checked);
        const curve = curves[i].map((value, size) => `${size} ${Number(value.toPrecision(6))}`).filter((place) => place);
        return (choice < 0 ? '' : `choice=${choice + 1}\n`) + (curve.length === 0 ? '' : `curve=${curve.join(';')}\n`);
      });
      const text = `[Answers]\nlesson=${section.dataset.lesson}\nid=${id}\n` + parts.map((part, i) => part && `\n[Step ${i + 1}]\n${part}`).join('');
      const name = `${section.dataset.lesson}-${id.slice(0, 6)}.answers`;
      const link = make('a', { href: `data:text/plain;charset=utf-8,${encodeURIComponent(text)}`, download: name });

      section.append(link);
      link.click();
      link.remove();
      said.textContent = say(words.handed, { n: parts.filter((part) => part).length, all: steps.length, name });
    };
    section.append(make('div', { class: 'hand' }, button(words.hand, 'hand', handIn), said));
  };

  /* On paper the results stand behind the questions, whatever is open on the screen. */
  addEventListener('beforeprint', () => document.querySelectorAll('details.reveal:not([open])').forEach((details) => {
    folded.push(details);
    details.open = true;
  }));
  addEventListener('afterprint', () => folded.splice(0).forEach((details) => { details.open = false; }));

  document.querySelectorAll('.live-curves').forEach(makeCurves);
  document.querySelectorAll('.live-decide').forEach(makeDecide);
  if (data.traces.length > 0)
    document.querySelectorAll('.live-timeline').forEach(makeTimeline);
  document.querySelectorAll('details.reveal').forEach(makeReveal);
  document.querySelectorAll('.lesson').forEach(makeLesson);
  matchMedia('(prefers-color-scheme: dark)').addEventListener('change', () => redraws.forEach((redraw) => redraw()));
})();
