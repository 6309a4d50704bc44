'use strict';
/* The page of an instance: reads frames from /api/events and draws them. Nothing it is sent becomes markup. */
(() => {
  const SVG = 'http://www.w3.org/2000/svg';
  const SECONDS = 600;
  const RETRY_MILLIS = 2000;
  /* A service sends a frame a second: after so long without one it is gone, whatever the connection says. */
  const SILENT_MILLIS = 10000;
  const TOKEN = 'neardup-token';
  const element = (id) => document.getElementById(id);
  const number = new Intl.NumberFormat('en-GB', { maximumFractionDigits: 1 });
  const percent = new Intl.NumberFormat('en-GB', { style: 'percent', maximumFractionDigits: 1 });

  let first = null;
  let samples = [];

  function show(id, text) {
    element(id).textContent = text;
  }

  function state(text, good, why) {
    show('state', text);
    element('state').classList.toggle('good', good);
    show('why', why || '');
    element('why').hidden = !why;
  }

  /* ---- reading */

  async function follow() {
    for (;;) {
      try {
        await read();
      } catch (failure) {
        state('no answer', false, 'The service does not answer. Trying again every 2 s.');
      }
      await new Promise((done) => setTimeout(done, RETRY_MILLIS));
    }
  }

  async function read() {
    const token = sessionStorage.getItem(TOKEN);
    const stop = new AbortController();
    let silence = setTimeout(() => stop.abort(), SILENT_MILLIS);
    try {
      const answer = await fetch('/api/events', {
        headers: token ? { Authorization: 'Bearer ' + token } : {}, cache: 'no-store', signal: stop.signal });
      if (answer.status === 401) {
        await login(token);
        return;
      }
      if (!answer.ok) {
        state('refused', false, await answer.text());
        return;
      }
      const reader = answer.body.pipeThrough(new TextDecoderStream()).getReader();
      let text = '';
      for (;;) {
        const part = await reader.read();
        if (part.done) {
          throw new Error('ended');
        }
        clearTimeout(silence);
        silence = setTimeout(() => stop.abort(), SILENT_MILLIS);
        text += part.value;
        const events = text.split('\n\n');
        text = events.pop();
        events.forEach(take);
      }
    } finally {
      clearTimeout(silence);
    }
  }

  function login(tried) {
    sessionStorage.removeItem(TOKEN);
    state('token needed', false, tried ? 'That token was not taken.' : '');
    element('figures').hidden = true;
    element('login').hidden = false;
    return new Promise((done) => {
      element('login').onsubmit = (event) => {
        event.preventDefault();
        sessionStorage.setItem(TOKEN, element('token').value.trim());
        element('token').value = '';
        element('login').hidden = true;
        done();
      };
    });
  }

  function take(event) {
    const lines = event.split('\n');
    const name = lines.find((line) => line.startsWith('event: '));
    const data = lines.find((line) => line.startsWith('data: '));
    if (!name || !data) {
      return;
    }
    const content = JSON.parse(data.slice(6));
    if (name.slice(7) === 'first') {
      first = content;
      samples = content.history;
      show('application', content.applicationId);
    } else if (first) {
      frame(content);
    }
  }

  /* ---- showing */

  function frame(now) {
    element('figures').hidden = false;
    samples.push(now.sample);
    samples = samples.slice(-SECONDS);
    showState(now);
    showTiles(now);
    drawRates();
    drawSimilarities(now.similarity);
    showSources(now.sources, now.documents.duplicates);
    showLatest(now.latest);
  }

  function showState(now) {
    let why = '';
    if (!now.brokersAnswer) {
      why = 'No consumer of this instance has a connection to a broker. It goes on when one answers.';
    } else if (now.restoring) {
      const left = now.restoring;
      why = number.format(left.recordsLeft) + ' records of ' + left.partitions + ' changelogs are left to restore'
        + (left.secondsLeft === undefined ? '.' : ', about ' + number.format(left.secondsLeft) + ' s.');
    } else if (now.state === 'rebalancing') {
      why = 'The instances are sharing out their tasks.';
    }
    const good = now.state === 'running' && now.brokersAnswer;
    state(now.brokersAnswer ? now.state : 'no broker', good, why);
  }

  function sum(list, index) {
    return list.reduce((total, sample) => total + sample[index], 0);
  }

  function showTiles(now) {
    const minute = samples.slice(-60);
    const rate = (sum(minute, 1) + sum(minute, 2) + sum(minute, 3)) / Math.max(1, minute.length);
    show('rate', number.format(rate));
    const judged = sum(samples, 1) + sum(samples, 2);
    const all = now.documents.unique + now.documents.duplicates;
    show('share', judged > 0 ? percent.format(sum(samples, 2) / judged) : '–');
    show('share-of', 'of the last ' + minutes(samples.length)
      + (all > 0 ? '; ' + percent.format(now.documents.duplicates / all) + ' since the start' : ''));
    show('pending', number.format(now.pending));
    show('oldest', now.pending > 0 ? 'the oldest for ' + number.format(now.oldestPendingSeconds) + ' s' : 'nothing waits');
    show('lag', now.group ? number.format(now.group.lag) : '–');
    show('members', now.group
      ? number.format(now.group.members) + ' stream threads, ' + now.group.state.toLowerCase()
        + (now.group.secondsAgo > 10 ? ', ' + number.format(now.group.secondsAgo) + ' s ago' : '')
      : 'the cluster has not answered');
    show('index', number.format(now.indexedDocuments));
    show('bytes', 'documents; ' + number.format(now.indexBytes / 1048576) + ' MB of heap');
    show('dead', number.format(now.documents.deadLetters));
    const reasons = Object.entries(now.documents.deadLettersByReason);
    show('reasons', reasons.map(([reason, count]) => reason + ' ' + number.format(count)).join(', ') || 'none');
  }

  function minutes(seconds) {
    return seconds < 120 ? seconds + ' s' : Math.round(seconds / 60) + ' minutes';
  }

  /* Without neardup.http.source there are none. */
  function showSources(sources, all) {
    element('by-source').hidden = sources.length === 0;
    element('sources').replaceChildren(...sources.map((source) => row(
      [source.name, number.format(source.duplicates), percent.format(source.duplicates / Math.max(1, all))],
      ['', 'number', 'number'])));
  }

  function showLatest(latest) {
    element('none').hidden = latest.length > 0;
    element('latest').replaceChildren(...latest.map((repeat) => row(
      [repeat.id, repeat.original, repeat.similarity.toFixed(3), new Date(repeat.millis).toLocaleTimeString('en-GB')],
      ['', '', 'number', 'number time'])));
  }

  function row(texts, kinds) {
    const made = document.createElement('tr');
    texts.forEach((text, column) => {
      const cell = document.createElement('td');
      cell.textContent = text;
      cell.className = kinds[column];
      made.append(cell);
    });
    return made;
  }

  /* ---- drawing */

  function shape(name, attributes, text) {
    const made = document.createElementNS(SVG, name);
    Object.entries(attributes).forEach(([key, value]) => made.setAttribute(key, value));
    if (text !== undefined) {
      made.textContent = text;
    }
    return made;
  }

  const LEFT = 64;
  const RIGHT = 632;

  function axis(height, top, label) {
    const lines = [];
    for (const part of [0, 0.5, 1]) {
      const y = height - part * (height - 12);
      lines.push(shape('line', { x1: LEFT, x2: RIGHT, y1: y, y2: y, class: 'grid' }));
      lines.push(shape('text', { x: LEFT - 6, y: y + 4, 'text-anchor': 'end' }, label(top * part)));
    }
    return lines;
  }

  function drawRates() {
    const height = 150;
    const top = Math.max(1, ...samples.map((sample) => sample[1] + sample[2] + sample[3]));
    const x = (place) => LEFT + (RIGHT - LEFT) * (SECONDS - samples.length + place) / SECONDS;
    const y = (value) => height - (height - 12) * value / top;
    const area = (from, to, kind) => {
      const upper = samples.map((sample, i) => x(i) + ',' + y(sum([sample], 1) * (to > 0) + sample[2] * (to > 1)
        + sample[3] * (to > 2)));
      const lower = samples.map((sample, i) => x(i) + ',' + y(sample[1] * (from > 0) + sample[2] * (from > 1)));
      return shape('polygon', { points: upper.concat(lower.reverse()).join(' '), class: kind });
    };
    element('rates').replaceChildren(
      ...axis(height, top, (value) => number.format(value)),
      area(0, 1, 'unique'), area(1, 2, 'duplicate'), area(2, 3, 'dead'),
      shape('text', { x: LEFT, y: 174 }, '10 minutes ago'),
      shape('text', { x: RIGHT, y: 174, 'text-anchor': 'end' }, 'now'));
  }

  function drawSimilarities(counts) {
    const height = 168;
    const bounds = first.similarityBounds;
    const from = Math.max(0, Math.floor((first.threshold - 0.3) * 10) / 10);
    const all = Math.max(1, counts.reduce((total, count) => total + count, 0));
    const x = (similarity) => LEFT + (RIGHT - LEFT) * (similarity - from) / (1 - from);
    const y = (share) => height - (height - 12) * share;
    const bars = counts.slice(0, bounds.length).map((count, i) => {
      const low = Math.max(from, i === 0 ? 0 : bounds[i - 1]);
      return bounds[i] <= from ? null : shape('rect', {
        x: x(low) + 1, width: Math.max(2, x(bounds[i]) - x(low) - 2), y: y(count / all),
        height: height - y(count / all), class: 'duplicate' });
    }).filter(Boolean);
    const steps = first.curve.length - 1;
    const curve = first.curve.map((chance, i) => [i / steps, chance]).filter(([at]) => at >= from)
      .map(([at, chance]) => x(at) + ',' + y(chance)).join(' ');
    const labels = [];
    for (let tenth = Math.round(from * 10); tenth <= 10; tenth++) {
      labels.push(shape('text', { x: x(tenth / 10), y: 190, 'text-anchor': tenth === 10 ? 'end' : 'middle' },
        (tenth / 10).toFixed(1)));
    }
    element('similarities').replaceChildren(
      ...axis(height, 1, (share) => percent.format(share)), ...bars, ...labels,
      shape('polyline', { points: curve, class: 'curve' }),
      shape('line', { x1: x(first.threshold), x2: x(first.threshold), y1: 6, y2: height, class: 'threshold' }));
    showValley(counts, bounds);
  }

  /* A threshold in a valley has few duplicates just above it. */
  function showValley(counts, bounds) {
    const all = counts.reduce((total, count) => total + count, 0);
    const near = counts.reduce((total, count, i) => {
      const low = i === 0 ? 0 : bounds[i - 1];
      return total + (low >= first.threshold - 1e-9 && low < first.threshold + 0.1 - 1e-9 ? count : 0);
    }, 0);
    const share = near / Math.max(1, all);
    show('valley', all < 100 ? 'Too few duplicates yet to tell where the threshold stands.'
      : percent.format(share) + ' of ' + number.format(all) + ' duplicates are less than 0.1 above the threshold of '
        + first.threshold + (share > 0.3
        ? '. That is many: it may stand in the midst of look-alikes. The command tune looks for a valley.'
        : '. That is few: copies and the rest part there.'));
  }

  follow();
})();
