'use strict';
/* The page of an instance: asks each second what there is, and draws it. Nothing it is sent becomes markup. */
(() => {
  const SVG = 'http://www.w3.org/2000/svg';
  const SECONDS = 600;
  const EVERY_MILLIS = 1000;
  const SILENT_MILLIS = 10000;
  const PAIRS_MILLIS = 10000;
  const STORIES_MILLIS = 5000;
  const STORY_SOURCES_MAX = 100;
  const TOKEN = 'neardup-token';
  const element = (id) => document.getElementById(id);
  const number = new Intl.NumberFormat('en-GB', { maximumFractionDigits: 1 });
  /* For what must not take more room. */
  const compact = new Intl.NumberFormat('en-GB', { notation: 'compact', maximumSignificantDigits: 3 });

  let samples = [];
  let shownPairs = [];
  let pairsMillis = 0;
  let heardMillis = 0;
  let said = [];
  /* Of which time each is shown, by the button that is pressed. */
  const times = { nearest: 'hour', stories: 'hour' };
  let latestFrame = null;
  let stories = null;
  let storiesMillis = 0;
  const shownStories = new Map();

  function show(id, text) {
    element(id).textContent = text;
  }

  /* mood: good, look where a person should, else bad; notes: sentences, a line each. Figures are old until a frame comes. */
  function state(text, mood, notes) {
    element('figures').className = 'old';
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
      await new Promise((done) => setTimeout(done, EVERY_MILLIS));
    }
  }

  /* What it said last may tell why it ended; figures of then must not look like those of now. */
  function lost() {
    const heard = heardMillis === 0 ? [] : ['Last heard at ' + time(heardMillis) + ', '
      + seconds((Date.now() - heardMillis) / 1000) + ' ago: the figures are from then.'];
    const why = said.length > 0 ? said.map((note) => 'It said: ' + note)
      : ['Where it has ended, the end of its log tells why.'];
    state('no answer', 'bad', [...why, 'The service does not answer. Trying again every second.', ...heard]);
  }

  function authorization() {
    const token = sessionStorage.getItem(TOKEN);
    return token ? { Authorization: 'Bearer ' + token } : {};
  }

  async function read() {
    const token = sessionStorage.getItem(TOKEN);
    const answer = await fetch('/api/events', {
      headers: authorization(), cache: 'no-store', signal: AbortSignal.timeout(SILENT_MILLIS) });
    if (answer.status === 401) {
      await login(token);
      return;
    }
    if (!answer.ok) {
      state('refused', 'bad', [await refusal(answer)]);
      return;
    }
    const now = await answer.json();
    if (!now.history || now.history.length === 0) {
      state('starting', 'look', ['It looks at its topics; figures come as soon as it runs.']);
    } else {
      frame(now);
    }
  }

  /* What stands before the service, such as a proxy, may not answer in JSON. */
  async function refusal(answer) {
    const problem = await answer.json().catch(() => null);
    return problem?.error || 'HTTP ' + answer.status + ', without a reason';
  }

  function login(tried) {
    sessionStorage.removeItem(TOKEN);
    state('token needed', 'bad', tried ? ['That token was not taken.'] : []);
    element('figures').hidden = true;
    element('login').hidden = false;
    return new Promise((done) => {
      element('login').onsubmit = (event) => {
        event.preventDefault();
        const written = element('token').value.trim();
        // Of other characters the browser makes no request: it must be refused all the same.
        sessionStorage.setItem(TOKEN, /^[!-~]+$/.test(written) ? written : '-');
        element('token').value = '';
        element('login').hidden = true;
        state('connecting', '', []);
        done();
      };
    });
  }

  /* ---- showing */

  function frame(now) {
    if (now.state === 'failed' || now.state === 'stopping') {
      // Its tasks are closed: nothing in flight or in the index would be no news of these.
      showState(now);
      return;
    }
    element('figures').hidden = false;
    heardMillis = Date.now();
    samples = now.history;
    show('application', now.applicationId);
    showState(now);
    element('figures').className = now.brokersAnswer === false ? 'old' : '';
    showTiles(now);
    drawRates();
    latestFrame = now;
    drawNearest();
    showSources(now.sources);
    showLatest(now.latest);
    showPairs(now.byWord);
    readStories();
  }

  function showState(now) {
    const alerts = (now.alerts || []).map(sentence);
    let why = '';
    if (now.brokersAnswer === false) {
      why = alerts.length > 0 ? '' : 'No broker answers.';
    } else if (now.restoring) {
      const left = now.restoring;
      why = number.format(left.recordsLeft) + ' records of ' + left.partitions + ' changelogs are left to restore.';
    } else if (now.state === 'rebalancing') {
      why = 'The instances are sharing out their tasks.';
    } else {
      why = change(now);
    }
    said = alerts;
    const failed = now.state === 'failed' || now.brokersAnswer === false;
    const mood = failed ? 'bad' : now.state !== 'running' || alerts.length > 0 ? 'look' : 'good';
    const text = now.brokersAnswer === false ? 'no broker' : alerts.length > 0 ? now.state + ', look at this' : now.state;
    state(text, mood, [why, ...alerts].filter(Boolean));
    show('instance', now.id || '');
    element('footer').hidden = false;
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

  function lately(secondsMax) {
    const end = samples[samples.length - 1][0];
    return samples.filter((sample) => end - sample[0] < secondsMax * 1000);
  }

  /* More than there are samples where the instance was away. */
  function spanSeconds(list) {
    return Math.max(1, Math.round((list[list.length - 1][0] - list[0][0]) / 1000) + 1);
  }

  function sum(list, index) {
    return list.reduce((total, sample) => total + sample[index], 0);
  }

  function showTiles(now) {
    const minute = lately(60);
    const rate = (sum(minute, 1) + sum(minute, 2) + sum(minute, 3)) / spanSeconds(minute);
    show('rate', number.format(rate));
    const judged = sum(samples, 1) + sum(samples, 2);
    const all = now.documents.unique + now.documents.duplicates;
    show('share', judged > 0 ? share(sum(samples, 2) / judged) : '–');
    show('share-of', 'of the last ' + minutes(spanSeconds(samples))
      + (all > 0 ? '; ' + share(now.documents.duplicates / all) + ' since the start' : ''));
    show('pending', number.format(now.pending));
    show('oldest', now.pending > 0 ? 'the oldest for ' + seconds(now.oldestPendingSeconds) : 'nothing waits');
    show('lag', now.group ? number.format(now.group.lag) : '–');
    show('members', now.group
      ? number.format(now.group.members) + ' stream threads, '
        + (now.group.secondsAgo > 10 ? 'as of ' + seconds(now.group.secondsAgo) + ' ago' : now.group.state.toLowerCase())
      : 'the cluster has not answered');
    show('index', number.format(now.indexedDocuments));
    show('bytes', 'documents; ' + megabytes(now.indexBytes) + ' of memory' + (now.indexSegments > 0
      ? ', ' + megabytes(now.indexHotBytes) + ' of page cache, '
        + megabytes(now.indexHotBytes + now.indexColdBytes) + ' of disk'
      : ''));
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

  function megabytes(bytes) {
    return number.format(bytes / 1048576) + '\u00a0MB';
  }

  function time(millis) {
    return new Date(millis).toLocaleTimeString('en-GB');
  }

  /* Notes begin as lines of the log do. */
  function sentence(note) {
    return note.charAt(0).toUpperCase() + note.slice(1) + (note.endsWith('.') ? '' : '.');
  }

  /* Without neardup.source there are none. Shares of copies are of all documents of the source. */
  function showSources(sources) {
    element('by-source').hidden = sources.length === 0;
    element('sources').replaceChildren(...sources.map((source) => {
      const ofAll = (part) => (source.documents > 0 ? share(part / source.documents) : '–');
      const made = row(['', number.format(source.documents), ofAll(source.duplicates), ofAll(source.ofItself),
        ofAll(source.ofOthers), source.repeats.length > 0 ? source.repeats[0].name : '–',
        source.afterSeconds === null ? '–' : span(source.afterSeconds)],
      ['', 'number', 'number', 'number less', 'number less', 'repeats', 'number less']);
      made.firstChild.append(source.name, ...(source.vanishes ? [' ', node('span', 'vanishes', 'vanishes')] : []));
      return made;
    }));
  }

  /* Of a time that is known roughly. */
  function span(count) {
    const [unit, name] = [[86400, 'd'], [3600, 'h'], [60, 'min'], [1, 's']].find(([least]) => count >= 2 * least) || [1, 's'];
    return number.format(Math.round(count / unit)) + '\u00a0' + name;
  }

  function showLatest(latest) {
    element('none').hidden = latest.length > 0;
    element('latest').replaceChildren(...latest.map((repeat) => row(
      [repeat.id, repeat.original, repeat.similarity.toFixed(3), time(repeat.millis)],
      ['', '', 'number', 'number time'])));
  }

  function row(texts, kinds, name = 'td') {
    const made = document.createElement('tr');
    texts.forEach((text, column) => {
      const cell = document.createElement(name);
      cell.textContent = text;
      cell.className = kinds[column];
      made.append(cell);
    });
    return made;
  }

  /* ---- stories: only where they are written */

  async function readStories() {
    element('stories').hidden = !latestFrame.stories;
    if (!latestFrame.stories || Date.now() - storiesMillis < STORIES_MILLIS) {
      return;
    }
    storiesMillis = Date.now();
    try {
      stories = await answer('');
      showStories();
      await Promise.all([...shownStories.values()].filter((shown) => shown.made.open).map(open));
    } catch (failure) {
      // The frames tell what is the matter.
    }
  }

  /* null where there is none by that name */
  async function answer(place) {
    const given = await fetch('/api/stories' + place, {
      headers: authorization(), cache: 'no-store', signal: AbortSignal.timeout(SILENT_MILLIS) });
    if (!given.ok && given.status !== 404) {
      throw new Error(await refusal(given));
    }
    return given.ok ? given.json() : null;
  }

  function showStories() {
    const listed = times.stories;
    const lines = stories[listed];
    const note = stories.problem ? 'No stories can be read: ' + stories.problem
      : stories.since === 0 ? 'Reading them.'
      : lines.length === 0 ? 'No document was repeated in the last ' + listed + '.'
      : stories.since > Date.now() - (listed === 'hour' ? 3.5e6 : 86e6)
        ? 'Of those since ' + when(stories.since) + '; there are too many to be read further back.' : '';
    show('no-stories', note);
    element('no-stories').hidden = note === '';
    const places = new Set(lines.map((line) => line.story));
    [...shownStories.keys()].filter((place) => !places.has(place)).forEach((place) => shownStories.delete(place));
    const made = lines.map(story);
    // What is in its place already stays, with where the reader has got to.
    made.forEach((one, place) => {
      if (element('story-list').children[place] !== one) {
        element('story-list').insertBefore(one, element('story-list').children[place] || null);
      }
    });
    [...element('story-list').children].slice(made.length).forEach((one) => one.remove());
  }

  function story(line) {
    let shown = shownStories.get(line.story);
    if (!shown) {
      const made = document.createElement('details');
      shown = { place: line.story, made, head: document.createElement('summary'), body: node('div', '', 'opened') };
      made.append(shown.head, shown.body);
      made.addEventListener('toggle', () => made.open && open(shown).catch(() => {}));
      shownStories.set(line.story, shown);
    }
    shown.head.replaceChildren(
      node('strong', line.id),
      line.growing ? node('span', 'growing', 'growing') : node('span', line.ended ? 'ended' : '', 'note'),
      node('span', (line.exact ? '' : 'about ') + count(line.publishers, 'publisher', 'publishers'), 'number'),
      node('span', count(line.copies, 'copy', 'copies'), 'number'),
      node('span', when(line.first) + ' – ' + when(line.last), 'number'));
    return shown.made;
  }

  /* Reads what it consists of now. */
  async function open(shown) {
    const opened = await answer('/' + encodeURIComponent(shown.place));
    shown.body.replaceChildren(...(opened ? content(opened) : [node('p', 'It is too long ago to be at hand.', 'note')]));
  }

  function content({ story, copies }) {
    const inTime = [...story.sources].sort((one, other) => one.first - other.first);
    const best = story.representative;
    const table = document.createElement('table');
    table.append(heads(['source', 'publisher', 'copies', 'first'], ['', '', 'number', 'number']), document.createElement('tbody'));
    table.lastChild.append(...inTime.map((source) => row(
      [source.source, source.publisher || '–', number.format(source.copies), when(source.first)],
      ['', '', 'number', 'number'])));
    const parts = [
      node('p', 'Similarity ' + story.similarity.min.toFixed(2) + ' or more, in the median '
        + story.similarity.median.toFixed(2) + '. Representative: ' + best.id + ' of ' + best.source + ', '
        + number.format(best.length) + ' characters (' + best.rule + ').', 'note'),
      node('h3', inTime.length < STORY_SOURCES_MAX && story.exact ? 'Who carried it'
        : 'Who carried it: the ' + inTime.length + ' sources with the most copies'),
      table,
      node('h3', 'Latest copies')];
    const others = story.latest.filter((id) => !copies.some((pair) => pair.id === id));
    return [...parts, ...copies.map((pair) => article(pair, [node('strong', pair.id), ' of ', pair.source || 'no source',
      ', ' + when(pair.millis) + ', similarity '])), ...(others.length > 0 ? [node('p', others.join(', '))] : [])];
  }

  function heads(texts, kinds) {
    const made = document.createElement('thead');
    made.append(row(texts, kinds, 'th'));
    return made;
  }

  function count(much, one, more) {
    return (much < 10000 ? number : compact).format(much) + ' ' + (much === 1 ? one : more);
  }

  /* Of today the time alone. */
  function when(millis) {
    const date = new Date(millis);
    const isToday = date.toDateString() === new Date().toDateString();
    return (isToday ? '' : date.toLocaleDateString('en-GB') + ' ') + date.toLocaleTimeString('en-GB', { timeStyle: 'short' });
  }

  /* ---- texts: only where the settings show them */

  function showPairs(byWord) {
    element('by-word').hidden = !byWord;
    const pairs = byWord ? byWord.pairs : [];
    show('no-pairs', byWord && byWord.problem ? 'No texts can be read: ' + byWord.problem
      : shownPairs.length + pairs.length > 0 ? ''
      : 'None could be read back from the outputs so far. Originals with neither an id nor a key cannot be.');
    const held = shownPairs.length > 0
      && (Date.now() - pairsMillis < PAIRS_MILLIS || element('by-word').matches(':hover'));
    if (!held) {
      shownPairs = pairs;
      pairsMillis = Date.now();
      element('pairs').replaceChildren(...pairs.map((pair) => article(pair,
        [node('strong', pair.id), ' repeats ', node('strong', pair.original), ', similarity '])));
    }
  }

  function article(pair, title) {
    const made = document.createElement('article');
    const head = node('p', '');
    head.append(...title, (typeof pair.similarity === 'number' ? pair.similarity.toFixed(3) : 'unknown'));
    made.append(head, pair.passages.length > 0 ? words(pair.passages)
      : node('p', pair.original === pair.story ? 'The original has neither an id nor a key to be read back by.'
        : 'The original left too long ago to be read back.', 'note'));
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
        made.append(' ', node('span', where === 'rest' ? '(the rest is not compared here)'
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
    const end = samples[samples.length - 1][0];
    const x = (sample) => RIGHT - (RIGHT - LEFT) * (end - sample[0]) / 1000 / SECONDS;
    const y = (value) => height - (height - 12) * value / top;
    const area = (from, to, kind) => {
      const upper = samples.map((sample) => x(sample) + ',' + y(sum([sample], 1) * (to > 0) + sample[2] * (to > 1)
        + sample[3] * (to > 2)));
      const lower = samples.map((sample) => x(sample) + ',' + y(sample[1] * (from > 0) + sample[2] * (from > 1)));
      return shape('polygon', { points: upper.concat(lower.reverse()).join(' '), class: kind });
    };
    element('rates').replaceChildren(
      ...axis(height, [0, 0.5, 1].map((part) => [part, compact.format(top * part)])),
      area(0, 1, 'unique'), area(1, 2, 'duplicate'), area(2, 3, 'dead'),
      shape('text', { x: LEFT, y: 240 }, '10 minutes ago'),
      shape('text', { x: RIGHT, y: 240, 'text-anchor': 'end' }, 'now'));
  }

  const HUNDREDTH = 0.01;
  /* From here on copies are all but equal: they may be so many that nothing else would be seen. */
  const ALIKE_BIN = 97;
  /* Each document stands for those that were not compared with an original that similar. */
  function weighted(counts) {
    const chance = (bin) => (latestFrame.curve ? (latestFrame.curve[bin] + latestFrame.curve[bin + 1]) / 2 : 1);
    return counts.map((count, bin) => (count === 0 ? 0 : count / chance(bin)));
  }

  function seenBin() {
    return Math.ceil(latestFrame.seenFrom / HUNDREDTH - 1e-9);
  }

  /* Linear axes: an area is a number of documents. */
  function drawNearest() {
    const counted = latestFrame[times.nearest];
    const height = 168;
    const unique = weighted(counted.unique).map((count, bin) => (bin < seenBin() ? 0 : count));
    const duplicates = weighted(counted.duplicates);
    const both = unique.map((count, bin) => count + duplicates[bin]);
    const top = Math.ceil(Math.max(1, ...both.slice(0, ALIKE_BIN)) * 1.1);
    const x = (similarity) => LEFT + (RIGHT - LEFT) * similarity;
    const y = (count) => height - (height - 12) * Math.min(1, count / top);
    const bars = (counts, below, kind) => counts.map((count, bin) => (count === 0 ? null
      : shape('rect', { x: x(bin * HUNDREDTH) + 0.5, width: x(HUNDREDTH) - x(0) - 1,
        y: y(below[bin] + count), height: y(below[bin]) - y(below[bin] + count), class: kind }))).filter(Boolean);
    const highest = both.findIndex((count) => count > top);
    const pattern = shape('pattern', { id: 'hatch', width: 6, height: 6, patternUnits: 'userSpaceOnUse',
      patternTransform: 'rotate(45)' });
    pattern.append(shape('line', { x1: 0, x2: 0, y1: 0, y2: 6, class: 'hatch' }));
    const labels = [0, 0.2, 0.4, 0.6, 0.8, 1].map((at) => shape('text', { x: x(at), y: 190,
      'text-anchor': at === 0 ? 'start' : at === 1 ? 'end' : 'middle' }, at.toFixed(1)));
    element('nearest').replaceChildren(
      pattern, ...axis(height, [0, 0.5, 1].map((part) => [part, compact.format(top * part)])),
      shape('rect', { x: x(0), width: x(latestFrame.seenFrom) - x(0), y: 12, height: height - 12, class: 'unseen' }),
      ...bars(unique, unique.map(() => 0), 'unique'), ...bars(duplicates, unique, 'duplicate'), ...labels,
      // What does not fit is told by its number.
      ...(highest < 0 ? [] : [shape('text', { x: x(highest * HUNDREDTH) - 4, y: 4, 'text-anchor': 'end' },
        '\u2191 ' + both.slice(highest).filter((count) => count > top).map((count) => compact.format(count)).join(', '))]),
      shape('line', { x1: x(latestFrame.threshold), x2: x(latestFrame.threshold), y1: 6, y2: height, class: 'threshold' }));
    show('apart', apart(counted));
    show('recall', recall(latestFrame.recall, latestFrame.boundedDocuments));
  }

  function apart(counted) {
    const all = [...counted.unique.slice(seenBin()), ...counted.duplicates].reduce((total, count) => total + count, 0);
    const drawn = all === 0 ? 'No document has met an original yet. ' : '';
    const unseen = latestFrame.seenFrom < latestFrame.threshold ? ''
      : 'Of unique documents it is told where verdicts are written (neardup.outputs). ';
    return drawn + unseen + counted.parting;
  }

  /* Nothing where it is not known. */
  function recall(known, bounded) {
    const unsure = bounded > 0 ? ' ' + count(bounded, 'unique document', 'unique documents')
      + ' reached a bound, so that more may be missed than that.' : '';
    return known ? 'Recall: ' + share(known.share) + ' of the duplicates are found, ' + share(known.low) + ' to '
      + share(known.high, Math.ceil) + ' with 95% certainty. It is estimated from ' + count(known.duplicates, 'duplicate', 'duplicates')
      + ', and low where several originals are alike.' + unsure : unsure.trim();
  }

  /* All but all is not all; the upper end of an interval may be. Of products only twelve digits count: 0.57 is 57%. */
  function share(part, round = Math.floor) {
    return (round((part * 10000).toPrecision(12)) / 100).toFixed(2).replace(/\.?0+$/, '') + '%';
  }

  /* ---- choices of a time */

  function showChoices() {
    document.querySelectorAll('[data-time]').forEach((button) => button.setAttribute(
      'aria-pressed', button.dataset.time === times[button.parentNode.dataset.choice]));
  }

  document.querySelectorAll('[data-time]').forEach((button) => button.addEventListener('click', () => {
    times[button.parentNode.dataset.choice] = button.dataset.time;
    showChoices();
    if (latestFrame) {
      drawNearest();
    }
    if (stories) {
      showStories();
    }
  }));

  showChoices();
  follow();
})();
