/* ---- streams, devices and the host's calls, on the device's clock ---- */

const streams = run.streams || { tracks: [], work: [], calls: [], findings: [], left_out: {} };
const sourceName = String(run.file || '').split('/').pop(), place = (line, name) => line > 0 ? name === sourceName ? `line ${line}` : `${name}:${line}` : '';
const deeds = { k: 'kernel', h: 'copy to the device', d: 'copy to the host', c: 'copy', s: 'memset', e: 'event recorded', w: 'wait', f: 'host function', m: 'memory', g: 'graph' };
const works = streams.work.map(([kind, track, from, to, name, line, of, sequence, launch, bytes, awaited, graph], n) => ({ n, kind, track, from, to, begin: from, name, line, of, sequence, launch, bytes, awaited, graph, found: [] }));
const calls = streams.calls.map(([thread, from, to, name, line, of, first, last, times, error], n) => ({ n, kind: 'call', thread, from, to, begin: from, name, line, of, first, last, times, error, found: [] }));
const bySequence = new Map(works.map(work => [work.sequence, work]));
/* Streams of one name, such as the branches of a graph, are numbered. */
const several = new Set(streams.tracks.map(t => t[0])).size > 1;
function trackName(track) {
    const [device, name] = track, alike = streams.tracks.filter(other => other[0] === device && other[1] === name);
    return `${several ? `device ${device}, ` : ''}${name}${alike.length > 1 ? ` (${alike.indexOf(track) + 1})` : ''}`;
}
const takesTime = work => work.to > work.from;
works.forEach(work => {
    if (work.kind !== 'w') return;
    const before = works.filter(other => other.track === work.track && other.sequence < work.sequence && other.to <= work.to);
    work.begin = Math.min(work.to, Math.max(0, ...before.map(other => other.to)));
});
/* A finding names its two pieces of work; else it is where its lines are: the call in which it was found, and the last work of the other line. */
const foundBars = streams.findings.map(finding => {
    const bars = finding.work.map(sequence => bySequence.get(sequence)).filter(Boolean);
    if (bars.length === 0) for (const [line, of] of finding.places) {
        const bar = lastOf([...works, ...calls], b => line > 0 && b.line === line && b.of === of);
        if (bar && !bars.includes(bar)) bars.push(bar);
    }
    if (bars.length === 0 && calls[finding.call]) bars.push(calls[finding.call]);
    bars.forEach(bar => bar.found.push(finding));
    return bars;
});

/* When two pieces of work ran at once, as stretches of time. */
function overlaps() {
    const edges = works.filter(takesTime).flatMap(work => [[work.from, 1], [work.to, -1]]).sort((a, b) => a[0] - b[0] || a[1] - b[1]), out = [];
    let running = 0, since = 0;
    for (const [at, change] of edges) {
        if (running >= 2 && at > since) { const last = out[out.length - 1]; if (last && last[1] === since) last[1] = at; else out.push([since, at]); }
        running += change;
        since = at;
    }
    return out;
}
const beside = overlaps(), timeEnd = Math.max(1, ...works.map(w => w.to), ...calls.map(c => c.to));

/* Calls that take no time and come at once are one tick. */
function hostBars() {
    const bars = [];
    for (const call of calls) {
        const last = lastOf(bars, bar => bar.calls[0].thread === call.thread);
        if (last && last.begin === last.to && call.from === call.to && last.to === call.to && last.calls[0].found.length === 0 && call.found.length === 0) last.calls.push(call);
        else bars.push({ kind: 'call', begin: call.from, from: call.from, to: call.to, calls: [call], found: call.found, line: call.line, of: call.of });
    }
    return bars;
}

const callText = call => `${call.name}${call.times > 1 ? `, ${spell(call.times)} times` : ''}${place(call.line, call.of) ? `, ${place(call.line, call.of)}` : ''}${call.error ? `, which returns ${call.error}` : ''}`;
const stepsText = bar => bar.to > bar.begin ? `${bar.kind === 'call' ? 'waits ' : ''}from ${spell(bar.begin)} to ${spell(bar.to)}` : `at ${spell(bar.to)}`;
function workText(work) {
    const asked = calls.find(call => work.sequence >= call.first && work.sequence <= call.last), other = bySequence.get(work.awaited);
    const facts = [`${trackName(streams.tracks[work.track])}: ${work.name}${work.launch ? `, launch ${work.launch}` : ''}, ${stepsText(work)}`];
    if (work.bytes) facts.push(`${spell(work.bytes)} bytes`);
    if (work.graph) facts.push('a node of a graph');
    if (work.kind === 'w' && other) facts.push(`for ${other.name} in ${trackName(streams.tracks[other.track])}${place(other.line, other.of) ? `, ${place(other.line, other.of)}` : ''}`);
    if (asked) facts.push(`asked for by ${callText(asked)}`); else if (place(work.line, work.of)) facts.push(place(work.line, work.of));
    const mates = takesTime(work) ? works.filter(w => w !== work && takesTime(w) && w.from < work.to && w.to > work.from) : [];
    if (takesTime(work)) facts.push(mates.length > 0 ? `beside ${[...new Set(mates.map(w => w.name))].slice(0, 3).join(', ')}` : 'nothing else runs meanwhile');
    if (work.launch && run.kernel) facts.push(work.launch === run.launch ? 'its steps are below' : again ? `to see its steps: ${commandFor({ launch: work.launch, block: '', warp: '' })}` : 'its steps are not shown');
    return facts.join('; ');
}
const barText = bar => bar.calls ? `host thread ${bar.calls[0].thread}, ${stepsText(bar)}: ${bar.calls.slice(0, 12).map(callText).join('; ')}${bar.calls.length > 12 ? `; ${spell(bar.calls.length - 12)} more calls` : ''}` : workText(bar);
const foundText = bar => [...new Set(bar.found)].map(f => ` ${f.kind}: ${f.message.replace(/`/g, '')}.`).join('');

const drawn = [];
function tellBar(bar) {
    $('bar-said').textContent = `${barText(bar)}.${foundText(bar)}`;
    document.querySelectorAll('#tracks .now').forEach(b => b.classList.remove('now'));
    const button = drawn.find(([, other]) => other === bar);
    if (button) button[0].classList.add('now');
    const line = bar.of === sourceName && bar.line > 0 ? $('source').children[bar.line - 1] : null;
    if (!line) return;
    document.querySelectorAll('#source .lit').forEach(l => l.classList.remove('lit'));
    line.classList.add('lit');
    $('source').scrollTop = line.offsetTop - $('source').offsetTop - $('source').clientHeight / 2;
}
function drawTrack(name, bars) {
    const row = make('div', undefined, 'track'), line = make('div', undefined, 'line');
    row.setAttribute('role', 'group');
    row.setAttribute('aria-label', name);
    for (const bar of bars) {
        const label = bar.calls ? bar.calls.length > 1 ? `${bar.calls.length} calls` : bar.calls[0].name : bar.name, tick = bar.to === bar.begin;
        const button = make('button', tick ? '' : label, ['piece', `kind-${bar.kind}`, tick ? 'tick' : '', bar.found.some(f => f.severity === 'error') ? 'bad' : bar.found.length > 0 ? 'noted' : ''].join(' ').trim());
        button.type = 'button';
        button.style.left = `${100 * bar.begin / timeEnd}%`;
        if (!tick) button.style.width = `${100 * (bar.to - bar.begin) / timeEnd}%`;
        button.tabIndex = -1;
        button.setAttribute('aria-label', `${label}, ${stepsText(bar)}${bar.found.length > 0 ? `, ${bar.found.map(f => f.kind).join(', ')}` : ''}`);
        button.addEventListener('focus', () => tellBar(bar));
        button.addEventListener('mouseenter', () => tellBar(bar));
        button.addEventListener('click', () => { tellBar(bar); const first = bar.launch === run.launch && steps[0]; if (first) jump(first); });
        drawn.push([button, bar]);
        line.append(button);
    }
    row.append(make('span', name, 'name'), line);
    return row;
}
/* Where a wait is missing: from the end of the earlier work, or the call, to the start of the later one, in the row of the later one. */
function drawMissing(rowsOf) {
    foundBars.forEach((bars, n) => {
        if (streams.findings[n].kind !== 'missing-sync' || bars.length === 0) return;
        const mark = make('span', '!', 'missing');
        mark.setAttribute('aria-hidden', 'true');
        mark.style.left = `${100 * bars[0].begin / timeEnd}%`;
        const row = rowsOf.get(bars[0]);
        if (row) row.append(mark);
    });
}
function drawTracks() {
    const rowsOf = new Map(), host = hostBars(), rows = [];
    for (const thread of new Set(calls.map(call => call.thread))) rows.push(drawTrack(`host thread ${thread}`, host.filter(bar => bar.calls[0].thread === thread)));
    streams.tracks.map((track, n) => [track, n]).sort(([a], [b]) => a[0] - b[0] || a[1].localeCompare(b[1], 'en', { numeric: true })).forEach(([track, n]) => rows.push(drawTrack(trackName(track), works.filter(work => work.track === n))));
    drawn.forEach(([button, bar]) => { rowsOf.set(bar, button.parentNode); if (bar.calls) bar.calls.forEach(call => rowsOf.set(call, button.parentNode)); });
    if (beside.length > 0) {
        const row = make('div', undefined, 'track'), line = make('div', undefined, 'line together');
        for (const [from, to] of beside) { const part = make('i'); part.style.left = `${100 * from / timeEnd}%`; part.style.width = `${100 * (to - from) / timeEnd}%`; line.append(part); }
        row.append(make('span', 'at the same time', 'name'), line);
        rows.push(row);
    }
    $('tracks').replaceChildren(...rows);
    drawMissing(rowsOf);
    if (drawn.length > 0) drawn[0][0].tabIndex = 0;
}
function listWork() {
    const table = [...works.map(work => [work.begin, work.to, trackName(streams.tracks[work.track]), `${deeds[work.kind]}: ${work.name}`, place(work.line, work.of), work.found]), ...calls.map(call => [call.from, call.to, `host thread ${call.thread}`, `${call.name}${call.times > 1 ? ` (${call.times} times)` : ''}${call.error ? `: ${call.error}` : ''}`, place(call.line, call.of), call.found])];
    $('works').replaceChildren(...table.sort((a, b) => a[0] - b[0] || a[1] - b[1]).map(([from, to, who, what, where, found]) => {
        const row = make('tr', undefined, found.length > 0 ? 'bad' : '');
        row.append(make('td', from), make('td', to), make('td', who), make('td', what), make('td', where), make('td', [...new Set(found)].map(f => f.kind).join(', ')));
        return row;
    }));
}
function streamsSummary() {
    const busy = works.filter(takesTime), sum = busy.reduce((total, work) => total + work.to - work.from, 0), last = Math.max(0, ...busy.map(w => w.to)), both = beside.reduce((total, [from, to]) => total + to - from, 0);
    const left = streams.left_out.work || streams.left_out.calls ? ` Not shown: ${spell(streams.left_out.work)} pieces of work and ${spell(streams.left_out.calls)} calls that came later.` : '';
    if (busy.length === 0) return `No copy and no kernel has run.${left}`;
    return `${spell(busy.length)} piece${busy.length === 1 ? '' : 's'} of work, ${spell(sum)} steps; the last one ends at ${spell(last)}. ${both > 0 ? `For ${spell(both)} steps two or more run at the same time.` : 'Nothing overlaps: one runs after the other.'}${left}`;
}
/* Findings that no step is about: they lead to their bars. */
function listFound() {
    $('findings').append(...streams.findings.map((finding, n) => {
        if (run.findings.some(f => f.kind === finding.kind && f.message === finding.message)) return '';
        const item = make('li'), button = make('button', `${finding.kind}: ${finding.message}`, finding.severity);
        button.type = 'button';
        button.addEventListener('click', () => showBar(foundBars[n][0]));
        item.append(button);
        return item;
    }).filter(Boolean));
}
function showBar(bar) {
    const shown = drawn.find(([, other]) => other === bar || other.calls && other.calls.includes(bar));
    if (shown) { tellBar(shown[1]); shown[0].focus(); } else $('said').textContent = 'No work of a stream, and no call, has the place of that finding.';
}
function beginStreams() {
    listFound();
    $('streams-part').hidden = works.length === 0 && calls.length === 0;
    if ($('streams-part').hidden) return;
    $('streams-sum').textContent = streamsSummary();
    $('bar-said').textContent = 'Point at a bar, or reach it with Tab and the arrow keys.';
    drawTracks();
    listWork();
    let zoom = 1;
    const widen = factor => { zoom = Math.max(1, Math.min(64, zoom * factor)); $('tracks').style.setProperty('--zoom', zoom); };
    $('closer').addEventListener('click', () => widen(2));
    $('farther').addEventListener('click', () => widen(1 / 2));
    /* What the screen says first; else a wait that is missing; else any error. */
    const fits = test => streams.findings.findIndex((f, n) => foundBars[n].length > 0 && f.severity === 'error' && test(f));
    const isTold = f => told.length > 0 && f.kind === told[0].kind && f.places.some(([line]) => line === told[0].line);
    const first = [fits(isTold), fits(f => f.kind === 'missing-sync'), fits(() => true)].find(n => n >= 0);
    if (streams.tracks.length > 1 || steps.length === 0 || first !== undefined && (told.length > 0 ? isTold(streams.findings[first]) : !steps.some(isBad))) $('areas').before($('streams-part'));
    if (first !== undefined) { const bar = foundBars[first][0], shown = drawn.find(([, b]) => b === bar || b.calls && b.calls.includes(bar)); if (shown) tellBar(shown[1]); }
    $('tracks').addEventListener('keydown', event => {
        const at = drawn.findIndex(([button]) => button === event.target), moves = { ArrowRight: 1, ArrowLeft: -1 };
        if (at < 0 || !(event.key in moves)) return;
        const next = drawn[at + moves[event.key]];
        if (next) { event.target.tabIndex = -1; next[0].tabIndex = 0; next[0].focus(); }
        event.preventDefault();
        event.stopPropagation();
    });
}
