/* book.js - joins the pages of the site, each in an <article data-page="...">, to one book: names become unique, links lead to places in
 * the book or disappear, folded parts move to a chapter at the end, and the list of contents is made. pageNumbers has the page of each name,
 * or nothing while the book is printed for the first time.
 */
'use strict';
const articles = [...document.querySelectorAll('article')];
const nameOf = page => page.replace(/\.html$/, '').replace(/[^a-z0-9-]+/gi, '-');
const known = new Set(articles.map(article => article.dataset.page));

function make(tag, className, ...children) {
    const element = document.createElement(tag);
    if (className) element.className = className;
    element.append(...children);
    return element;
}

/* The number of a lesson, or nothing for another page. */
const numberOf = article => (/^lessons\/(\d\d)/.exec(article.dataset.page) || ['', ''])[1];

function pageOf(name) {
    return make('span', 'number', String(pageNumbers[name] || ''));
}

function linkTo(name, ...children) {
    const link = make('a', '', ...children);
    link.href = `#${name}`;
    return link;
}

/* A link of a page, as seen from the book: a place in it, an address on the web, or no link at all. */
function mendLink(link, page) {
    const href = link.getAttribute('href'), target = new URL(href, `http://book/${page}`);
    if (target.host !== 'book') return;
    const path = target.pathname.slice(1);
    if (known.has(path)) link.setAttribute('href', `#${nameOf(path)}${target.hash.length > 1 ? `--${target.hash.slice(1)}` : ''}`);
    else link.replaceWith(...link.childNodes);
}

function mendNames(article) {
    const page = article.dataset.page, name = nameOf(page);
    article.querySelectorAll('nav, iframe, .picture figcaption').forEach(element => element.remove());
    // The highlighter gives each line of code a name and a link to it.
    article.querySelectorAll('pre a, pre span[id]').forEach(element => { if (element.tagName === 'A') element.remove(); else element.removeAttribute('id'); });
    article.querySelectorAll('[id]').forEach(element => { element.id = `${name}--${element.id}`; });
    article.querySelectorAll('a[href]').forEach(link => mendLink(link, page));
    article.querySelectorAll('img[src]').forEach(image => { image.src = `../../site/${page.replace(/[^/]*$/, '')}${image.getAttribute('src')}`; });
    article.querySelectorAll('pre').forEach(block => { if (block.textContent.split('\n').length < 30) block.classList.add('short'); });
    article.querySelector('h1').id = name;
}

/* What a fold is about: the heading that it stands below, and the number of its question. */
function titleOfFold(fold, summary) {
    let before = fold.previousElementSibling, question = '';
    for (; before && !/^H[12]$/.test(before.tagName); before = before.previousElementSibling)
        if (question === '' && before.tagName === 'P' && before.querySelector('strong')) question = (/^(\d+)\./.exec(before.textContent) || ['', ''])[1];
    const about = before ? `${before.textContent}${question ? ` ${question}` : ''}` : '';
    return about && about !== 'Hints' ? `${about}: ${summary.charAt(0).toLowerCase()}${summary.slice(1)}` : summary;
}

/* The folds of a lesson go to the end of the book; where they stood is said on which page they are. */
function moveFolds(article, answers) {
    const folds = [...article.querySelectorAll('details')], title = `${numberOf(article)} ${article.querySelector('h1').textContent}`.trim();
    if (folds.length === 0) return;
    answers.append(make('h2', '', title));
    folds.forEach((fold, number) => {
        const summary = fold.querySelector('summary').textContent, name = `${nameOf(article.dataset.page)}--fold-${number + 1}`;
        const heading = make('h3', '', titleOfFold(fold, summary)), answer = make('div', 'answer', heading);
        fold.before(make('p', 'folded', linkTo(name, `${summary}: page `, pageOf(name))));
        fold.querySelector('summary').remove();
        heading.id = name;
        answer.append(...fold.childNodes);
        answers.append(answer);
    });
    article.querySelectorAll('details').forEach(fold => fold.remove());
}

function addContents(list, number, title, name) {
    const link = linkTo(name, title, make('span', 'dots'), pageOf(name));
    link.dataset.number = number;
    list.append(make('li', '', link));
}

const answers = make('article', '', make('h1', '', 'Answers and hints'));
articles.forEach(mendNames);
articles.forEach(article => moveFolds(article, answers));
answers.querySelector('h1').id = 'answers';
articles[articles.length - 1].after(answers);
const list = document.querySelector('.toc ol');
for (const article of articles) {
    const heading = article.querySelector('h1');
    addContents(list, numberOf(article), heading.textContent, heading.id);
}
addContents(list, '', 'Answers and hints', 'answers');
