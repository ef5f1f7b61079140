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

/* A section counts more when the word stands in its heading, or in the title of its page. */
function score(section, words) {
    let sum = 0;
    for (const word of words) {
        const title = section.title.toLowerCase().includes(word), page = section.page.toLowerCase().includes(word);
        const times = section.text.toLowerCase().split(word).length - 1;
        if (!title && !page && times === 0) return 0;
        sum += (title ? 20 : 0) + (page ? 10 : 0) + Math.min(times, 8);
    }
    return sum + section.weight;
}

function excerpt(text, word) {
    const at = Math.max(0, text.toLowerCase().indexOf(word) - 60);
    const start = at === 0 ? 0 : text.indexOf(' ', at) + 1;
    return (start ? '… ' : '') + text.slice(start, start + 180) + (text.length > start + 180 ? ' …' : '');
}

function resultItem(section, word) {
    const item = document.createElement('li'), link = document.createElement('a'), text = document.createElement('p');
    link.href = section.url;
    link.textContent = section.title === section.page ? section.page : `${section.page}: ${section.title}`;
    text.textContent = excerpt(section.text, word);
    item.append(link, text);
    return item;
}

function showResults(sections, query) {
    const words = query.toLowerCase().split(/\s+/).filter(Boolean), list = document.getElementById('results');
    const found = words.length === 0 ? [] : sections.map(section => [score(section, words), section])
        .filter(pair => pair[0] > 0).sort((a, b) => b[0] - a[0]).slice(0, 40);
    list.replaceChildren(...found.map(pair => resultItem(pair[1], words[0])));
    const count = found.length === 1 ? '1 place' : `${found.length} places`;
    document.getElementById('found').textContent = words.length === 0 ? 'Type a word, such as barrier.' : `${count} found for “${query}”.`;
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
if (typeof searchData !== 'undefined') {
    const field = document.getElementById('q');
    field.value = new URLSearchParams(location.search).get('q') || '';
    field.addEventListener('input', () => showResults(searchData, field.value));
    showResults(searchData, field.value);
}
