/* exercise.js - the exercise beside a lesson's text: an editor in place of the text area, a check that tells what it is at, and the file kept
 * the same as on the disk.
 *
 * The page works without it (serve/desk/lesson_page.c). One stream of events says what happens to this lesson, whoever caused it: this page, another
 * one, or an editor elsewhere.
 */
const place = document.getElementById('exercise'), lesson = place.dataset.lesson;
const find = id => document.getElementById(id);
const area = find('source'), form = place.querySelector('form');

const LISTEN_AGAIN = 3000; /* milliseconds */

/* ---- small parts ---- */

function element(name, properties, ...children) {
    const made = Object.assign(document.createElement(name), properties);
    made.append(...children);
    return made;
}

function notice(...parts) { find('notice').replaceChildren(...parts); }

function say(text) { find('saved').textContent = text; }

/* What the browser keeps of this lesson for this learner, and of a browser that several share for each of them. */
const storage = {
    key: name => `warpschool:${place.dataset.class || ''}:${lesson}:${name}`,
    get(name) { try { return localStorage.getItem(this.key(name)); } catch { return null; } },
    keep(name, text) { try { localStorage.setItem(this.key(name), text); } catch { /* no room, or not allowed: then a reload loses it */ } },
    forget(name) { try { localStorage.removeItem(this.key(name)); } catch { /* nothing was kept */ } }
};

/* A request to this lesson's addresses: the whole answer, or null when none came. `lasting` requests outlive the page. */
async function ask(method, what, body, version, lasting) {
    const headers = {};
    if (body !== undefined) headers['Content-Type'] = 'text/plain; charset=utf-8';
    if (version) headers['If-Match'] = `"${version}"`;
    try {
        const response = await fetch(`${lesson}/${what}`, { method, body, headers, keepalive: lasting === true });
        return { status: response.status, ok: response.ok, version: (response.headers.get('ETag') || '').replaceAll('"', ''), text: await response.text() };
    } catch {
        return null;
    }
}

/* What a refusal says: a sentence, or HTML of ours. A proxy's own page says nothing of the course. */
function wordsOf(answer) {
    if (!answer.text.trimStart().startsWith('<')) return answer.text;
    const page = new DOMParser().parseFromString(answer.text, 'text/html');
    if (page.title === 'Warpschool') return page.querySelector('p').textContent;
    return page.title === '' ? page.body.textContent.trim() : absent;
}

/* A proxy answers so for a server that is not there. */
const isAbsent = answer => answer === null || answer.status === 502 || answer.status === 504;

/* ---- the editor: CodeMirror where it is there, else the text area ---- */

function plainEditor(options) {
    area.addEventListener('input', options.changed);
    area.addEventListener('keydown', event => {
        if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return;
        event.preventDefault();
        options.check();
    });
    return {
        get: () => area.value,
        set(text) { area.value = text; },
        setMarks() { },
        goTo(line, column) {
            const lines = area.value.split('\n'), at = lines.slice(0, line - 1).reduce((sum, text) => sum + text.length + 1, 0);
            area.focus();
            area.setSelectionRange(at + Math.max(column - 1, 0), at + (lines[line - 1] || '').length);
            area.scrollTop = (line - 4) * parseFloat(getComputedStyle(area).lineHeight);
        },
        focus: () => area.focus(),
        keep: () => null
    };
}

/* The text area stays what a form sends, so it goes out of sight and not away. */
async function openEditor(text, options) {
    try {
        const { makeEditor } = await import('./editor.js');
        const parent = element('div', { className: 'editor' });
        area.before(parent);
        const editor = makeEditor({ ...options, parent, label: place.querySelector('label').textContent, text, kept: storage.get('history') });
        area.hidden = true;
        return editor;
    } catch {
        area.value = text;
        return plainEditor(options);
    }
}

/* ---- the file ---- */

/* What the disk has, as far as this page knows: its version, and the text of that version. `own` are texts that an earlier page of this learner had or
 * sent, and those that were sent without an answer: who finds one of them there finds no change of somebody else's. */
const file = { version: form.elements.version.value, text: area.value, saving: null, sending: null, own: [], asking: false };
let editor = null, timer = 0;

/* A browser's texts have one kind of line end, whatever the file has: that alone is no change. */
const plain = text => text.replaceAll('\r\n', '\n').replaceAll('\r', '\n');

const isChanged = () => editor.get() !== file.text;

function keepHistory() {
    const kept = editor.keep();
    if (kept !== null) storage.keep('history', kept);
}

function changed() {
    clearTimeout(timer);
    timer = setTimeout(save, 700);
    say('');
}

/* What the disk has now is known. */
function settle(version, text) {
    file.version = version;
    file.text = text;
    storage.forget('draft');
}

/* What was typed meanwhile is saved after it. */
async function save() {
    clearTimeout(timer);
    while (file.saving) await file.saving;
    if (!isChanged() || file.asking) return;
    const text = editor.get();
    await send('PUT', 'source', text);
    keepHistory();
    if (editor.get() !== text) changed();
}

/* Sends the text for what it was based on, one request at a time. False: it was not taken, and why is told; else what the server says, or true. */
async function send(method, what, text) {
    file.sending = text;
    file.saving = ask(method, what, text, file.version);
    const answer = await file.saving;
    file.saving = file.sending = null;
    if (isAbsent(answer)) {
        if (!isAway()) file.own.push(text); // the first of an outage may have arrived
        gone();
    } else if (answer.status === 409) await askWhich();
    else if (!answer.ok) notice(wordsOf(answer));
    if (!answer?.ok) return false;
    settle(answer.version, text);
    file.own = []; // what is still under way is for another version
    say('saved');
    return answer.text || true;
}

async function readFile() {
    const answer = await ask('GET', 'source');
    return answer?.ok ? { text: plain(answer.text), version: answer.version } : null;
}

function adopt(theirs) {
    settle(theirs.version, theirs.text);
    editor.set(theirs.text);
    editor.setMarks([]);
    keepHistory();
}

/* A version begins with letters of its owner's (files_version): who came in with this browser later has another file, which this page must neither show
 * nor write. What is here waits in the browser for its owner. */
const isAnothers = version => version.slice(0, 6) !== file.version.slice(0, 6);

function estranged() {
    keepDraft();
    file.asking = true; // nothing is saved any more
    place.querySelectorAll('button').forEach(button => { button.disabled = true; });
    notice('Somebody else has come in with this browser, and this page is no longer yours. What you wrote is kept here: open this page again by your own link.');
}

/* Before somebody who comes back to the page does anything on it. */
async function lookWhose() {
    const theirs = 'class' in place.dataset && !file.asking ? await readFile() : null;
    if (theirs && isAnothers(theirs.version)) estranged();
}

/* Somebody else has saved. Without changes of our own their text is the file; with them, that is for the learner to decide. */
async function fileChanged(version) {
    while (file.saving) await file.saving;
    if (version === file.version || file.asking) return;
    if (isAnothers(version)) return estranged();
    if (isChanged()) return askWhich();
    const theirs = await readFile();
    if (!theirs || isChanged()) return theirs && askWhich();
    const same = theirs.text === file.text;
    adopt(theirs);
    if (!same) notice('The file was changed elsewhere, and is shown as it is now.');
}

/* Who saved the same text has changed nothing. */
async function askWhich() {
    if (file.asking) return;
    file.asking = true;
    const theirs = await readFile();
    if (theirs && isAnothers(theirs.version)) return estranged();
    if (!theirs || theirs.text === editor.get() || file.own.includes(theirs.text)) {
        file.asking = false;
        if (theirs) settle(theirs.version, theirs.text);
        if (theirs && isChanged()) changed();
        return;
    }
    const done = () => { file.asking = false; notice(); };
    const mine = element('button', { type: 'button', textContent: 'Keep what I wrote here' }), other = element('button', { type: 'button', textContent: 'Take the file as it is now' });
    mine.addEventListener('click', () => { done(); settle(theirs.version, theirs.text); save(); editor.focus(); });
    other.addEventListener('click', () => { done(); adopt(theirs); editor.focus(); });
    notice(element('p', { textContent: 'Your file was changed elsewhere, and here as well. Which text is to stay?' }), mine, ' ', other,
        element('details', {}, element('summary', { textContent: 'The file as it is now' }), element('pre', { textContent: theirs.text })));
}

const absent = 'class' in place.dataset ?
    'The course does not answer at the moment. What you write stays on this page, and is saved when the course is back. Tell your teacher if that takes long.' :
    'The course does not answer. If make serve has ended, start it again and open the address that it prints; what you write stays on this page.';

const isAway = () => find('notice').textContent === absent;
let away = 0;

/* The stream of events may live while a single request is lost, and then says nothing when the course is back: so the page asks. */
function gone() {
    notice(absent);
    clearTimeout(away);
    away = setTimeout(async () => {
        if (!isAway()) return;
        const answers = await readFile();
        if (answers) back();
        else if (isAway()) gone();
    }, LISTEN_AGAIN);
}

/* What was typed meanwhile is saved now. */
function back() {
    if (!isAway()) return;
    notice();
    save();
}

/* ---- a page that goes ---- */

/* A browser asks for the next page before it tells this one that it goes: that page begins with an older file, and the draft says what it was to become.
 * What was sent may be on the disk before that page is made, or after. */
function keepDraft() {
    keepHistory();
    if (isChanged()) storage.keep('draft', JSON.stringify({ text: editor.get(), own: [...file.own, file.text, file.sending] }));
}

/* What was kept so, where the file is not that text already. */
function findDraft() {
    let draft = null;
    try { draft = JSON.parse(storage.get('draft')); } catch { /* by another version of this file */ }
    if (draft && typeof draft.text === 'string' && Array.isArray(draft.own) && draft.text !== file.text) return draft;
    storage.forget('draft');
    return null;
}

function goOnWith(draft) {
    file.own = [...draft.own, draft.text];
    if (file.own.includes(file.text)) changed();
    else askWhich();
}

function leave() {
    keepDraft();
    if (isChanged() && !file.asking) ask('PUT', 'source', editor.get(), file.version, true);
}

/* ---- a check ---- */

const steps = { list: null };
const phases = { compile: 'Compiling', run: 'Running the cases', judge: 'Looking at what was recorded' };

function beginSteps() {
    steps.list = element('ol', { className: 'running' });
    find('steps').replaceChildren(element('p', { className: 'phase', textContent: 'Starting' }), steps.list);
    place.classList.add('checking');
}

function endSteps(words) {
    find('steps').replaceChildren(element('p', { className: 'hidden', textContent: words }));
    place.classList.remove('checking');
}

function showPhase(phase) {
    if (!steps.list) beginSteps();
    find('steps').querySelector('.phase').textContent = phases[phase] || phase;
}

/* In a class, checks wait for their turn. */
function showPlace(before) {
    if (!steps.list) beginSteps();
    const words = before === 0 ? 'Waiting: yours is next' : `Waiting: ${before} before yours`;
    find('steps').querySelector('.phase').textContent = words;
}

function showCase(name) {
    if (steps.list) steps.list.append(element('li', { textContent: name }));
}

function showResult(result) {
    steps.list = null;
    if (result.html !== undefined) find('verdict').innerHTML = result.html;
    const heading = find('verdict').querySelector('h3');
    endSteps(heading ? heading.textContent : '');
    editor.setMarks(result.marks || []);
    form.querySelector('.draw').classList.toggle('suggested', result.drawable === true);
}

async function check() {
    clearTimeout(timer);
    while (file.saving) await file.saving;
    if (file.asking) return;
    notice();
    beginSteps();
    const begun = await send('POST', 'check', editor.get());
    keepHistory();
    if (!begun) endSteps('');
}

/* From a mark in the editor to the whole story, and from there to the line. */
function openFinding(mark) {
    const item = find(`finding-${mark.index}`);
    if (!item) return;
    item.scrollIntoView({ block: 'center' });
    item.focus();
}

find('verdict').addEventListener('click', event => {
    const link = event.target.closest('a[data-line]');
    if (!link) return;
    event.preventDefault();
    editor.goTo(Number(link.dataset.line), Number(link.dataset.column));
});

/* ---- the other buttons ---- */

async function show(where, method, what) {
    await save();
    const answer = await ask(method, what);
    if (isAbsent(answer)) gone();
    else if (!answer.ok) notice(wordsOf(answer));
    else if (where) find(where).innerHTML = answer.text;
    return answer?.ok;
}

async function draw() {
    find('picture').replaceChildren(element('p', { textContent: 'Drawing …' }));
    find('picture').scrollIntoView({ block: 'nearest' }); // below a long verdict, nobody would see that something happens
    const made = await show(null, 'POST', 'picture');
    const frame = element('iframe', { src: `${lesson}/picture.html`, title: 'What the threads of your kernel did' });
    find('picture').replaceChildren(...(made ? [frame] : []));
    if (made) frame.scrollIntoView({ block: 'nearest' });
}

function reset() {
    const yes = element('button', { type: 'button', textContent: 'Start again' }), no = element('button', { type: 'button', textContent: 'Cancel' });
    yes.addEventListener('click', async () => {
        notice();
        await show('notice', 'POST', 'reset');
        find('hint').replaceChildren();
        editor.focus();
    });
    no.addEventListener('click', () => { notice(); editor.focus(); });
    notice(element('p', { textContent: 'Start again from the starter? What you have written is kept beside it under another name.' }), yes, ' ', no);
    yes.focus();
}

/* Of a class: what is handed in is what stands here. */
async function handIn() {
    clearTimeout(timer);
    while (file.saving) await file.saving;
    if (file.asking) return;
    notice('Handing in …');
    const said = await send('POST', 'hand-in', editor.get());
    if (said) notice(said);
}

const buttons = { check, hint: () => show('hint', 'POST', 'hint'), picture: draw, reset, 'hand-in': handIn };

form.addEventListener('submit', event => {
    event.preventDefault();
    const button = buttons[event.submitter ? event.submitter.value : 'check'];
    if (button) button();
});

/* ---- events ---- */

/* A stream that was refused is not begun again by itself. Whoever is not let in any more reads why; else the course is away for a while. */
async function lost() {
    const answer = await ask('GET', 'source');
    if (answer?.status === 403) {
        notice(wordsOf(answer));
        return;
    }
    if (!answer?.ok) gone();
    setTimeout(listen, LISTEN_AGAIN);
}

function listen() {
    const stream = new EventSource(`${lesson}/events`), on = (name, act) => stream.addEventListener(name, event => act(JSON.parse(event.data)));
    on('file', event => fileChanged(event.version));
    on('begin', beginSteps);
    on('phase', event => showPhase(event.phase));
    on('case', event => showCase(event.case));
    on('stopped', () => endSteps(''));
    on('place', event => showPlace(event.before));
    on('words', event => { find('class-words').innerHTML = event.html; });
    on('result', result => { find('picture').replaceChildren(); showResult(result); });
    on('hello', back);
    stream.addEventListener('error', () => { if (stream.readyState === EventSource.CLOSED) lost(); });
}

/* ---- questions of the page: what was answered is kept ---- */

const answers = { kept: {}, timer: 0 };

function keepAnswers() {
    clearTimeout(answers.timer);
    answers.timer = setTimeout(sendAnswers, 400);
    storage.keep('answers', JSON.stringify(answers.kept));
}

/* Until the server has them, the browser keeps them. */
async function sendAnswers() {
    const sent = JSON.stringify(answers.kept), answer = await ask('PUT', 'answers', sent);
    if (isAbsent(answer)) gone();
    else if (answer.ok && storage.get('answers') === sent) storage.forget('answers');
}

/* What stands between a heading and the next one. */
function partOf(id) {
    const parts = [];
    const heading = find(id);
    for (let at = heading && heading.nextElementSibling; at && at.tagName !== 'H2'; at = at.nextElementSibling) parts.push(at);
    return parts;
}

/* The answer that the page gives begins with its letter. */
function showPrediction(line, fold, letter) {
    const right = /^[A-Z]/.exec((fold.querySelector('p strong') || { textContent: '' }).textContent.trim());
    line.textContent = `You answered ${letter}.`;
    if (right) line.textContent += right[0] === letter ? ' That is right.' : ` It is ${right[0]}: the answer below says why.`;
}

function openPrediction() {
    const parts = partOf('predict'), list = parts.find(part => part.matches('ol[type=A]')), fold = parts.find(part => part.matches('details'));
    if (!list || !fold) return;
    const line = element('p', { className: 'answered' });
    line.setAttribute('role', 'status');
    list.setAttribute('role', 'radiogroup');
    list.setAttribute('aria-labelledby', 'predict');
    [...list.children].forEach((item, index) => {
        const letter = String.fromCharCode(65 + index), choice = element('input', { type: 'radio', name: 'predict', value: letter, checked: answers.kept.predict === letter });
        const label = element('label', {}, choice, ' ', ...item.childNodes);
        item.setAttribute('role', 'presentation');
        item.replaceChildren(label);
        choice.addEventListener('change', () => {
            answers.kept.predict = letter;
            showPrediction(line, fold, letter);
            keepAnswers();
        });
    });
    list.after(line);
    if (answers.kept.predict) showPrediction(line, fold, answers.kept.predict);
}

/* Each question ends with its folded answer. */
function openQuestions() {
    partOf('check-yourself').filter(part => part.matches('details')).forEach((fold, index) => {
        const name = `question-${index + 1}`;
        const field = element('textarea', { id: name, rows: 2, value: answers.kept[name] || '' });
        field.addEventListener('input', () => { answers.kept[name] = field.value.slice(0, 2000); keepAnswers(); });
        fold.before(element('div', { className: 'own-answer' }, element('label', { htmlFor: name, textContent: 'Your answer' }), field));
    });
}

async function openAnswers() {
    const unsent = storage.get('answers'), answer = await ask('GET', 'answers');
    try { answers.kept = JSON.parse(unsent || (answer?.ok ? answer.text : '{}')) || {}; } catch { /* then none were kept */ }
    if (unsent) keepAnswers();
    openPrediction();
    openQuestions();
}

/* ---- the beginning ---- */

document.documentElement.classList.add('scripted');
const draft = findDraft();
editor = await openEditor(draft ? draft.text : file.text, { changed, check, open: openFinding });
addEventListener('pagehide', leave);
document.addEventListener('visibilitychange', () => {
    if (!document.hidden) return lookWhose();
    keepDraft();
    save();
});
if (draft) goOnWith(draft);
showResult(JSON.parse(find('last').textContent || '{}'));
listen();
await openAnswers();
