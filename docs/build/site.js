/* site.js - what a script adds to the pages, which work without it: a button that copies a block of code, the search, and
 * the learner's progress on the front page. */
'use strict';

function copyButton(block) {
    const button = document.createElement('button');
    button.type = 'button';
    button.className = 'copy';
    button.textContent = 'Copy';
    button.addEventListener('click', async () => {
        button.textContent = (await copied(block.innerText)) ? 'Copied' : 'Press Ctrl+C';
        setTimeout(() => { button.textContent = 'Copy'; }, 2000);
    });
    const frame = document.createElement('div');
    frame.className = 'copied';
    const outer = block.closest('.scroll') || block.closest('div.sourceCode') || block;
    outer.replaceWith(frame);
    frame.append(outer, button);
}

/* A file: page may have no clipboard; then the text is selected, and the old command copies it. */
async function copied(text) {
    try {
        await navigator.clipboard.writeText(text);
        return true;
    } catch {
        const area = document.createElement('textarea');
        area.value = text;
        document.body.append(area);
        area.select();
        const done = document.execCommand('copy');
        area.remove();
        return done;
    }
}

/* What is looked for in, from the strongest: the terms of the glossary that a section teaches, its heading, its page's title, its text. A field counts
 * less where it is longer than the average, which for the terms is almost nothing. */
const FIELDS = { taught: 500, title: 8, page: 4, text: 1 };

/* A name is found without the underscores around it: syncthreads finds __syncthreads. And who synchronises finds what is synchronized. */
function bareName(token) {
    return token.update(word => (word.replace(/^_+|_+$/g, '') || word).replace(/is(e|es|ed|ing|ation)$/, 'iz$1'));
}

/* The words of a text, and besides those of a name its parts: memcpy finds cudaMemcpyAsync. Capitals are lost in the words. */
function wordsAndParts(text, metadata) {
    const words = lunr.tokenizer(text, metadata);
    if (typeof text !== 'string') return words;
    const parts = [];
    for (const { metadata: { position: [at, length] } } of words)
        for (const part of text.slice(at, at + length).matchAll(/(?<=\p{Ll})\p{Lu}\p{Ll}+/gu))
            parts.push(new lunr.Token(part[0].toLowerCase(), { ...metadata, position: [at + part.index, part[0].length] }));
    return words.concat(parts);
}

/* The sections by lunr: words are reduced to their stems, so that coalescing finds what is coalesced. Which words there are is kept whole, for who types another one. */
function indexOf(sections) {
    const words = new Set();
    lunr.tokenizer.separator = /[^\p{L}\p{N}_]+/u;
    const index = lunr(function () {
        this.ref('number');
        for (const [name, boost] of Object.entries(FIELDS)) this.field(name, { boost });
        this.metadataWhitelist = ['position'];
        this.tokenizer = (text, metadata) => {
            const found = wordsAndParts(text, metadata);
            found.forEach(token => words.add(token.toString()));
            return found;
        };
        this.tokenizer.separator = lunr.tokenizer.separator;
        this.pipeline.before(lunr.stopWordFilter, bareName);
        this.searchPipeline.before(lunr.stemmer, bareName);
        sections.forEach((section, number) => this.add({ number, ...section }, { boost: section.weight }));
    });
    return { index, words: lunr.TokenSet.fromArray([...words].filter(word => word.length >= 4).sort()) };
}

/* The words of which one may be meant: with one other letter, or else with two. */
function wordsLike(words, word) {
    const alike = letters => words.intersect(lunr.TokenSet.fromFuzzyString(word, letters)).toArray(), meant = alike(1);
    return meant.length > 0 ? meant : alike(2);
}

/* The places of one word: those that have it, or a word that begins with it; where there are none, those of words like it. */
function placesOf({ index, words }, word) {
    const { TRAILING } = lunr.Query.wildcard;
    const places = terms => index.query(query => terms.forEach(term => {
        query.term(term, { boost: 4 });
        query.term(term, { wildcard: TRAILING, usePipeline: false });
    }));
    const exact = places([word]);
    if (exact.length > 0 || word.length < 4) return { found: exact, alike: false, meant: word };
    const meant = wordsLike(words, word);
    return { found: meant.length > 0 ? places(meant) : [], alike: true, meant: meant[0] };
}

/* The sections that have all words asked for, best first; where none has all, those that have most of them. Who asks for a term has what teaches it first. */
function search(index, words) {
    const hits = new Map(), meant = [];
    let alike = false;
    for (const word of words) {
        const places = placesOf(index, word);
        meant.push(places.meant);
        alike = alike || (places.alike && places.found.length > 0);
        for (const { ref, score, matchData } of places.found) {
            const hit = hits.get(ref) || { ref, words: 0, score: 0, marks: [] };
            hit.words++;
            hit.score += score;
            for (const fields of Object.values(matchData.metadata)) if (fields.text) hit.marks.push(...fields.text.position);
            hits.set(ref, hit);
        }
    }
    const term = ` ${meant.join(' ')} `, teaches = ({ ref }) => ` ${searchData[ref].taught} `.toLowerCase().includes(term);
    for (const hit of hits.values()) if (words.length > 1 && teaches(hit)) hit.score *= 2;
    const most = Math.max(0, ...[...hits.values()].map(hit => hit.words));
    return { alike, hits: [...hits.values()].filter(hit => hit.words === most).sort((a, b) => b.score - a.score) };
}

/* A piece of the text around the first of the marks, with what was found marked. */
function excerpt(text, marks) {
    const line = document.createElement('p'), sorted = [...marks].sort((a, b) => a[0] - b[0]), first = sorted.length > 0 ? sorted[0][0] : 0;
    const start = first <= 60 ? 0 : text.indexOf(' ', first - 60) + 1, end = start + 180;
    let at = start;
    if (start > 0) line.append('… ');
    for (const [from, length] of sorted) {
        if (from < at || from + length > end) continue;
        const mark = document.createElement('mark');
        mark.textContent = text.slice(from, from + length);
        line.append(text.slice(at, from), mark);
        at = from + length;
    }
    line.append(text.slice(at, end));
    if (text.length > end) line.append(' …');
    return line;
}

function resultItem(section, marks) {
    const item = document.createElement('li'), link = document.createElement('a'), [, lesson] = /^lessons\/(\d\d)/.exec(section.url) || [];
    link.href = section.url;
    link.textContent = (lesson ? `${lesson} ` : '') + (section.title === section.page ? section.page : `${section.page}: ${section.title}`);
    item.append(link, excerpt(section.text, marks));
    return item;
}

function showResults(index, query) {
    const words = query.toLowerCase().split(/[^\p{L}\p{N}_]+/u).map(word => word.replace(/^_+|_+$/g, ''))
        .filter(word => word && lunr.stopWordFilter(new lunr.Token(word)));
    const { alike, hits } = search(index, words), count = hits.length === 1 ? '1 place' : `${hits.length} places`;
    document.getElementById('results').replaceChildren(...hits.slice(0, 40).map(hit => resultItem(searchData[hit.ref], hit.marks)));
    let line = 'Type a word, such as barrier.';
    if (words.length > 0) line = `${count} found for ${alike ? 'words like ' : ''}“${query}”.`;
    document.getElementById('found').textContent = line;
}

/* The learner's progress on the map of lessons. The next lesson is the one that `make exercise` goes on with: the core path first. */
function showProgress(passed) {
    const items = [...document.querySelectorAll('.lessons li')], nameOf = item => item.querySelector('a').href.replace(/.*\/|\.html.*/g, '');
    const done = items.filter(item => passed.includes(nameOf(item))), open = items.filter(item => !done.includes(item));
    const inOrder = open.sort((a, b) => nameOf(a) < nameOf(b) ? -1 : 1), next = inOrder.find(item => item.querySelector('a.core')) || inOrder[0];
    const note = (item, className, text) => {
        const mark = document.createElement('span');
        mark.className = className;
        mark.textContent = text;
        item.classList.add(className);
        item.querySelector('.minutes').after(' ', mark);
    };
    if (done.length === 0) return;
    done.forEach(item => note(item, 'passed', '✓ passed'));
    if (next) note(next, 'next', '→ next');
    const line = document.createElement('p'), bar = document.createElement('progress');
    line.className = 'progress';
    bar.max = items.length;
    bar.value = done.length;
    bar.setAttribute('aria-label', 'Lessons passed');
    line.append(bar, ` ${done.length} of ${items.length} lessons passed. `);
    if (next) {
        const link = next.querySelector('a').cloneNode(true);
        line.append('Next: ', link);
    } else line.append('The course is finished.');
    document.getElementById('lessons').after(line);
}

/* The list of lessons is longer than the window: what it shows first is where the page stands in it. */
function showPlace(sidebar) {
    const link = sidebar && sidebar.querySelector('a[aria-current]');
    if (link) sidebar.scrollTop = Math.max(0, link.offsetTop - sidebar.offsetTop - sidebar.clientHeight / 2);
}

if (typeof passedLessons !== 'undefined') showProgress(passedLessons);
document.querySelectorAll('main pre:not(.report)').forEach(copyButton);
showPlace(document.querySelector('.sidebar'));
if (typeof searchData !== 'undefined' && typeof lunr !== 'undefined') {
    const field = document.getElementById('q');
    for (const [term, url] of taughtTerms) {
        const section = searchData.find(place => place.url === url);
        section.taught = section.taught ? `${section.taught} ${term}` : term;
    }
    const index = indexOf(searchData);
    field.value = new URLSearchParams(location.search).get('q') || '';
    field.addEventListener('input', () => showResults(index, field.value));
    showResults(index, field.value);
}
