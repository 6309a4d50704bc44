'use strict';
/* The page of an instance: reads frames from /api/events and draws them. Nothing it is sent becomes markup. */
(() => {
  const SVG = 'http://www.w3.org/2000/svg';
  const SECONDS = 600;
  const RETRY_MILLIS = 2000;
  /* A service sends a frame a second: after so long without one it is gone, whatever the connection says. */
  const SILENT_MILLIS = 10000;
  const PAIRS_MILLIS = 10000;
  /* Decisions take a second or two; sooner than the service tells of it. */
  const QUIET_SECONDS = 10;
  const TOKEN = 'neardup-token';
  const element = (id) => document.getElementById(id);
  const number = new Intl.NumberFormat('en-GB', { maximumFractionDigits: 1 });
  /* For what must not take more room. */
  const compact = new Intl.NumberFormat('en-GB', { notation: 'compact', maximumSignificantDigits: 3 });
  const percent = new Intl.NumberFormat('en-GB', { style: 'percent', maximumFractionDigits: 1 });

  let first = null;
  let samples = [];
  let pairs = [];
  let problem = '';
  let shownPairs = [];
  let pairsMillis = 0;
  let heardMillis = 0;
  let said = [];

  function show(id, text) {
    element(id).textContent = text;
  }

  /* mood: good, look where a person should, else bad; notes: sentences, a line each */
  function state(text, mood, notes) {
    show('state', text);
    element('state').className = 'badge ' + mood;
    element('why').className = mood === 'look' ? 'look' : 'note';
    element('why').replaceChildren(...notes.map((note) => node('p', note)));
    element('why').hidden = notes.length === 0;
  }

  /* ---- reading */

  async function follow() {
    for (;;) {
      try {
        await read();
      } catch (failure) {
        lost();
      }
      await new Promise((done) => setTimeout(done, RETRY_MILLIS));
    }
  }

  /* What it said last may tell why it ended; figures of then must not look like those of now. */
  function lost() {
    const heard = heardMillis === 0 ? [] : ['Last heard at ' + time(heardMillis) + ', '
      + seconds((Date.now() - heardMillis) / 1000) + ' ago: the figures are from then.'];
    const why = said.length > 0 ? said.map((note) => 'It said: ' + note)
      : ['Where it has ended, the end of its log tells why.'];
    state('no answer', 'bad', [...why, 'The service does not answer. Trying again every 2\u00a0s.', ...heard]);
    element('figures').className = 'old';
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
        state('refused', 'bad', [await answer.text()]);
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
    state('token needed', 'bad', tried ? ['That token was not taken.'] : []);
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
      pairs = [];
      show('application', content.applicationId);
    } else if (name.slice(7) === 'texts') {
      pairs = content.pairs || [];
      problem = content.problem;
      showPairs();
    } else if (first) {
      frame(content);
    }
  }

  /* ---- showing */

  function frame(now) {
    if (now.state === 'failed' || now.state === 'stopping') {
      // Its tasks are closed: nothing in flight or in the index would be no news of these.
      showState(now);
      element('figures').className = 'old';
      return;
    }
    element('figures').hidden = false;
    element('figures').className = now.brokersAnswer === false ? 'old' : '';
    heardMillis = Date.now();
    samples.push(now.sample);
    samples = samples.slice(-SECONDS);
    showState(now);
    showTiles(now);
    drawRates();
    drawSimilarities(now.similarity, now.estimated);
    showSources(now.sources, now.documents.duplicates);
    showLatest(now.latest);
    showPairs();
  }

  function showState(now) {
    const alerts = (now.alerts || []).map(sentence);
    let why = '';
    if (now.brokersAnswer === false) {
      why = alerts.length > 0 ? '' : 'No broker answers.';
    } else if (now.restoring) {
      const left = now.restoring;
      why = number.format(left.recordsLeft) + ' records of ' + left.partitions + ' changelogs are left to restore'
        + (left.secondsLeft === undefined ? '.' : ', about ' + seconds(left.secondsLeft) + '.');
    } else if (now.state === 'rebalancing') {
      why = 'The instances are sharing out their tasks.';
    } else {
      why = change(now);
    }
    said = alerts;
    if (why === '' && alerts.length === 0 && quietSeconds(now) >= QUIET_SECONDS) {
      alerts.push('Nothing has left for ' + seconds(quietSeconds(now)) + ', and ' + number.format(now.pending)
        + ' records wait. Where that goes on, this tells why.');
    }
    const failed = now.state === 'failed' || now.brokersAnswer === false;
    const mood = failed ? 'bad' : now.state !== 'running' || alerts.length > 0 ? 'look' : 'good';
    const text = now.brokersAnswer === false ? 'no broker' : alerts.length > 0 ? now.state + ', look at this' : now.state;
    state(text, mood, [why, ...alerts].filter(Boolean));
    show('instance', now.id || '');
  }

  /* How far it is with what it is begun with, or with its end. */
  function change(now) {
    if (now.seeding) {
      return number.format(now.seeding.recordsRead) + ' of ' + number.format(now.seeding.records) + ' records of '
        + now.seeding.topic + ' are read; the input waits.';
    }
    if (now.following) {
      const left = number.format(now.following.recordsLeft) + ' records of it are left to read.';
      return now.following.handedOver
        ? 'It takes the input of ' + now.following.predecessor + ' over: ' + left
        : 'It follows ' + now.following.predecessor + ' until that hands its input over: ' + left;
    }
    if (now.handingOver) {
      const coordinators = now.handingOver.coordinators;
      return 'It hands its input over to ' + now.handingOver.successor + ': of ' + coordinators + ' coordinators '
        + (coordinators - now.handingOver.coordinatorsLeft) + ' are empty.';
    }
    return '';
  }

  /* For how long nothing has left, though something waits; a sample is of a second. */
  function quietSeconds(now) {
    const last = samples.findLastIndex((sample) => sample[1] + sample[2] + sample[3] > 0);
    return now.pending > 0 ? samples.length - 1 - last : 0;
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
    show('oldest', now.pending > 0 ? 'the oldest for ' + seconds(now.oldestPendingSeconds) : 'nothing waits');
    show('lag', now.group ? number.format(now.group.lag) : '–');
    show('members', now.group
      ? number.format(now.group.members) + ' stream threads, '
        + (now.group.secondsAgo > 10 ? 'as of ' + seconds(now.group.secondsAgo) + ' ago' : now.group.state.toLowerCase())
      : 'the cluster has not answered');
    show('index', number.format(now.indexedDocuments));
    show('bytes', 'documents; ' + number.format(now.indexBytes / 1048576) + ' MB of heap');
    show('dead', number.format(now.documents.deadLetters));
    const reasons = Object.entries(now.documents.deadLettersByReason);
    show('reasons', reasons.map(([reason, count]) => reason + ' ' + number.format(count)).join(', ') || 'none');
  }

  function minutes(count) {
    return count < 120 ? seconds(count) : Math.round(count / 60) + ' minutes';
  }

  /* The unit stays beside its number. */
  function seconds(count) {
    return number.format(count) + '\u00a0s';
  }

  function time(millis) {
    return new Date(millis).toLocaleTimeString('en-GB');
  }

  /* Notes begin as lines of the log do. */
  function sentence(note) {
    return note.charAt(0).toUpperCase() + note.slice(1) + (note.endsWith('.') ? '' : '.');
  }

  /* Without neardup.source there are none. */
  function showSources(sources, all) {
    element('by-source').hidden = sources.length === 0;
    element('sources').replaceChildren(...sources.map((source) => row(
      [source.name, number.format(source.duplicates), percent.format(source.duplicates / Math.max(1, all))],
      ['', 'number', 'number'])));
  }

  function showLatest(latest) {
    element('none').hidden = latest.length > 0;
    element('latest').replaceChildren(...latest.map((repeat) => row(
      [repeat.id, repeat.original, repeat.similarity.toFixed(3), time(repeat.millis)],
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

  /* ---- texts: only where the settings show them */

  function showPairs() {
    element('by-word').hidden = !first.texts;
    show('no-pairs', first.texts === 'verdicts'
      ? 'Duplicates leave as verdicts, without their texts (neardup.duplicates.value).'
      : problem ? 'No texts can be read: ' + problem
      : shownPairs.length + pairs.length > 0 ? '' : 'None could be read back from the outputs so far.');
    const held = shownPairs.length > 0
      && (Date.now() - pairsMillis < PAIRS_MILLIS || element('by-word').matches(':hover'));
    if (pairs !== shownPairs && !held) {
      shownPairs = pairs;
      pairsMillis = Date.now();
      element('pairs').replaceChildren(...pairs.map(article));
    }
  }

  function article(pair) {
    const made = document.createElement('article');
    const head = node('p', '');
    head.append(node('strong', pair.id), ' repeats ', node('strong', pair.original), ', similarity '
      + (typeof pair.similarity === 'number' ? pair.similarity.toFixed(3) : 'unknown'));
    made.append(head, pair.passages.length > 0 ? words(pair.passages)
      : node('p', 'The original left too long ago to be read back.', 'note'));
    return made;
  }

  /* Spaces stand before words, and outside of what is coloured. */
  function words(passages) {
    const kinds = { both: 'span', first: 'del', second: 'ins' };
    const made = node('p', '', 'words');
    passages.forEach(([where, content]) => {
      if (kinds[where]) {
        made.append(content.startsWith(' ') ? ' ' : '', node(kinds[where], content.trim()));
      } else {
        made.append(' ', node('span', where === 'rest' ? '… the rest is not compared here'
          : '… ' + number.format(content) + ' words in both …', 'left-out'));
      }
    });
    return made;
  }

  function node(name, text, kind) {
    const made = document.createElement(name);
    made.textContent = text;
    made.className = kind || '';
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

  /* ticks: pairs of a share of the height and its label */
  function axis(height, ticks) {
    return ticks.flatMap(([part, label]) => {
      const y = height - part * (height - 12);
      return [shape('line', { x1: LEFT, x2: RIGHT, y1: y, y2: y, class: 'grid' }),
        shape('text', { x: LEFT - 6, y: y + 4, 'text-anchor': 'end' }, label)];
    });
  }

  function drawRates() {
    const height = 218;
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
      ...axis(height, [0, 0.5, 1].map((part) => [part, compact.format(top * part)])),
      area(0, 1, 'unique'), area(1, 2, 'duplicate'), area(2, 3, 'dead'),
      shape('text', { x: LEFT, y: 240 }, '10 minutes ago'),
      shape('text', { x: RIGHT, y: 240, 'text-anchor': 'end' }, 'now'));
  }

  /* A valley is seen only where ten times as many are not ten times as high. */
  function logarithmic(top) {
    return (count) => Math.log10(1 + count) / Math.log10(1 + top);
  }

  /* A bin takes its upper bound: duplicates in the one below the threshold are just at it. */
  function fromThreshold(counts) {
    const bins = counts.slice();
    bins.forEach((count, bin) => {
      if ((bin + 1) / 20 <= first.threshold + 1e-9 && bin < 19) {
        bins[bin + 1] += bins[bin];
        bins[bin] = 0;
      }
    });
    return bins;
  }

  /* Counts are of twentieths. */
  function drawSimilarities(exact, met) {
    const height = 168;
    const duplicates = fromThreshold(exact);
    const from = Math.max(0, Math.round((first.threshold - 0.4) * 10) / 10);
    const firstBin = Math.round(from * 20);
    const top = Math.max(9, ...duplicates.slice(firstBin), ...met.slice(firstBin));
    const part = logarithmic(top);
    const x = (similarity) => LEFT + (RIGHT - LEFT) * (similarity - from) / (1 - from);
    const y = (share) => height - (height - 12) * share;
    const bars = (counts, kind, inset) => counts.map((count, bin) => bin < firstBin || count === 0 ? null
      : shape('rect', { x: x(bin / 20) + inset, width: x((bin + 1) / 20) - x(bin / 20) - 2 * inset,
        y: y(part(count)), height: height - y(part(count)), class: kind })).filter(Boolean);
    const steps = first.curve.length - 1;
    const curve = first.curve.map((chance, i) => [i / steps, chance]).filter(([at]) => at >= from)
      .map(([at, chance]) => x(at) + ',' + y(chance)).join(' ');
    const labels = [];
    for (let tenth = Math.round(from * 10); tenth <= 10; tenth++) {
      labels.push(shape('text', { x: x(tenth / 10), y: 190, 'text-anchor': tenth === 10 ? 'end' : 'middle' },
        (tenth / 10).toFixed(1)));
    }
    const ticks = [[0, '0']];
    const everySecond = top >= 10000 ? 2 : 1;
    for (let power = 1; 10 ** power <= top; power += everySecond) {
      ticks.push([part(10 ** power), compact.format(10 ** power)]);
    }
    element('similarities').replaceChildren(
      shape('text', { x: LEFT, y: -6 }, 'how many, on a logarithmic axis'),
      ...axis(height, ticks), ...bars(met, 'pair', 1), ...bars(duplicates, 'duplicate', 7), ...labels,
      shape('polyline', { points: curve, class: 'curve' }),
      shape('line', { x1: x(first.threshold), x2: x(first.threshold), y1: 6, y2: height, class: 'threshold' }));
    show('valley', valley(met.map((count, bin) => [bin / 20, count]).slice(firstBin)));
  }

  /* By estimates on both sides, as they are alike there. bins: pairs of a lower bound and a count */
  function valley(bins) {
    const most = (list) => Math.max(0, ...list.map((bin) => bin[1]));
    const below = bins.filter(([low]) => low + 0.05 <= first.threshold - 0.05 + 1e-9);
    const above = bins.filter(([low]) => low >= first.threshold + 0.05 - 1e-9);
    const near = bins.filter((bin) => !below.includes(bin) && !above.includes(bin));
    const about = sum(near, 1) / near.length;
    if (!first.estimates) {
      return 'Duplicates alone are counted: this signature has no sketches that estimate the similarity of others.';
    }
    if (sum(bins, 1) < 100) {
      return 'Too few pairs yet to tell where the threshold stands.';
    }
    if (most(bins) > 0.9 * sum(bins, 1)) {
      return 'Nine of ten pairs are in one bar, as in a flood of copies: that tells nothing of the threshold.';
    }
    if (most(above) === 0) {
      return 'No pair is clearly above the threshold: that tells nothing of where it should stand.';
    }
    return about > 0.75 * most(above)
      ? 'Many pairs are near the threshold: it may stand in the midst of look-alikes. The command tune looks for a valley.'
      : about > 0.75 * most(below)
        ? 'Fewer pairs are near the threshold than above it, and not clearly more below it: that tells nothing of where it'
          + ' should stand.'
        : 'The threshold stands in a valley: fewer pairs are near it than on either side.';
  }

  follow();
})();
