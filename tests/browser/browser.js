/* browser.js - opens the built site in Chromium and looks at what only a browser can see. Arguments: the folder of the site, the browser,
 * a word that the names of the cases must contain (or ""), the picture of pictured.cu, and pages about grades, which are looked at like those of the site. Prints "FAILED NAME: PROBLEM" for each failure and, last, "N M".
 *
 * Every page is loaded once and looked at in three widths, and in the dark in one: what is dark differs in colours alone, which a case of its own
 * holds the style sheet to. measure() runs inside of the page and returns sentences about what is wrong.
 */
'use strict';
const fs = require('fs'), os = require('os'), path = require('path'), { pathToFileURL } = require('url');
const { chromium } = require('playwright-core');

const [site, browserPath, filter, pictured, ...grades] = process.argv.slice(2);
const looks = [[1280, 'light'], [768, 'light'], [390, 'light'], [390, 'dark']];
const root = pathToFileURL(path.resolve(site)).href;
let passed = 0, failed = 0;

function verdict(name, problems) {
    if (!name.includes(filter)) return;
    if (problems.length === 0) { passed++; return; }
    failed++;
    console.log(`FAILED ${name}: ${problems.slice(0, 4).join('; ')}`);
}

function pagesOf(folder) {
    const names = fs.readdirSync(path.join(site, folder)).filter(name => name.endsWith('.html'));
    return names.sort().map(name => path.posix.join(folder, name));
}

/* Doxygen's pages are many and alike: a few of them, one of each kind and none of the largest, which take axe as long as twenty others. */
function referencePages() {
    const all = pagesOf('reference');
    return ['reference/index.html', ...all.filter(name => /\/(say_8h|structGpuObserver|annotated|files|09-.*)\.html/.test(name))];
}

/* Inside of the page: the problems of its layout. */
function measure(wide) {
    const problems = [], root = document.documentElement;
    if (root.scrollWidth > root.clientWidth) {
        const culprit = [...document.querySelectorAll('body *')].find(e => e.getBoundingClientRect().right > root.clientWidth + 1);
        problems.push(`scrolls sideways, ${root.scrollWidth} of ${root.clientWidth} pixels, by ${culprit && culprit.outerHTML.slice(0, 60)}`);
    }
    const main = document.querySelector('main') || document.querySelector('div.contents'), sidebar = document.querySelector('.sidebar');
    if (!main) return ['no main part'];
    const box = main.getBoundingClientRect();
    if (sidebar) {
        const side = sidebar.getBoundingClientRect();
        const apart = side.right <= box.left || side.left >= box.right || side.bottom <= box.top || side.top >= box.bottom;
        if (!apart) problems.push('the sidebar lies over the text');
    }
    if (wide) {
        const ruler = document.createElement('span');
        ruler.textContent = 'The quick brown fox jumps over the lazy dog, and then once more.';
        ruler.style.cssText = 'position:absolute;visibility:hidden;white-space:nowrap';
        const text = [...main.querySelectorAll(':scope > p, :scope > section > p')].filter(p => p.innerText.length > 200)[0];
        if (text) {
            text.append(ruler);
            const characters = text.clientWidth / (ruler.getBoundingClientRect().width / ruler.textContent.length);
            ruler.remove();
            if (characters < 55 || characters > 95) problems.push(`a line of text has ${characters.toFixed(0)} characters`);
        }
        if (box.width < 500) problems.push(`the main column is ${box.width.toFixed(0)} pixels wide`);
        // A report, and code of a usual width, is read without scrolling, in a fold as well.
        for (const code of main.querySelectorAll('pre')) {
            const frame = code.closest('.scroll') || code, columns = Math.max(...code.textContent.split('\n').map(line => line.length));
            const folded = code.closest('details:not([open])');
            if (folded) folded.open = true;
            if ((code.matches('.report') || columns <= 106) && frame.scrollWidth > frame.clientWidth + 1) problems.push(`${columns} columns of code are cut: ${code.textContent.slice(0, 40)}`);
            if (folded) folded.open = false;
        }
    }
    for (const list of document.querySelectorAll('.lessons ul, nav.contents ul'))
        if (getComputedStyle(list).listStyleType !== 'none') problems.push('the list of lessons shows bullets');
    return problems;
}

/* Inside of the page: texts of a drawing that lie over each other or over a line, or stick out of it. */
function measureTexts() {
    const problems = [];
    /* Points of a shape's outline, four pixels apart, as they are on the screen. */
    const outline = shape => {
        const matrix = shape.getScreenCTM(), length = shape.getTotalLength(), points = [];
        for (let at = 0; at <= length; at += 4) points.push(shape.getPointAtLength(at).matrixTransform(matrix));
        return points;
    };
    /* A text with its descenders and a little room; above its letters a line may pass close. */
    const within = (point, box) => point.x > box.left - 2 && point.x < box.right + 2 &&
        point.y > box.top + box.height * .2 && point.y < box.bottom + 1;
    for (const svg of document.querySelectorAll('svg')) {
        const frame = svg.getBoundingClientRect();
        const texts = [...svg.querySelectorAll('text')].map(text => [text.textContent, text.getBoundingClientRect()]).filter(t => t[1].width > 0);
        for (const [name, box] of texts)
            if (box.left < frame.left - 1 || box.right > frame.right + 1 || box.top < frame.top - 1 || box.bottom > frame.bottom + 1)
                problems.push(`"${name}" sticks out of the drawing`);
        for (let i = 0; i < texts.length; i++)
            for (let j = i + 1; j < texts.length; j++) {
                const [one, a] = texts[i], [two, b] = texts[j];
                const across = Math.min(a.right, b.right) - Math.max(a.left, b.left), down = Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top);
                if (across > 1 && down > 2) problems.push(`"${one}" lies over "${two}"`);
            }
        const shapes = [...svg.querySelectorAll('rect, line, path, polyline, circle')].filter(shape => !shape.closest('defs') && getComputedStyle(shape).stroke !== 'none');
        for (const points of shapes.map(outline))
            for (const [name, box] of texts)
                if (points.some(point => within(point, box))) problems.push(`a line goes through "${name}"`);
    }
    return problems;
}

/* Inside of the page: texts whose colour is too near to what lies behind them, by WCAG's formula. axe, which works out for that where each box of the page lies,
 * takes a hundred times as long; it has done so in light, and here the same texts have other colours. Drawings have the colours of their own shapes. */
function measureContrasts() {
    const problems = [], behinds = new Map();
    const parts = color => { const [r, g, b, alpha = 1] = color.match(/[\d.]+/g).map(Number); return { rgb: [r, g, b], alpha }; };
    const mix = (upper, alpha, lower) => upper.map((value, i) => value * alpha + lower[i] * (1 - alpha));
    const luminance = rgb => rgb.map(value => value / 255).map(value => value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4)
        .reduce((sum, value, i) => sum + value * [0.2126, 0.7152, 0.0722][i], 0);
    const canvas = matchMedia('(prefers-color-scheme: dark)').matches ? [18, 18, 18] : [255, 255, 255];
    /* The colour behind an element's text, and how much of the text is seen of it. */
    const behind = element => {
        if (!element) return { rgb: canvas, opacity: 1 };
        if (behinds.has(element)) return behinds.get(element);
        const style = getComputedStyle(element), own = parts(style.backgroundColor), below = behind(element.parentElement);
        const opacity = below.opacity * style.opacity, all = { rgb: mix(own.rgb, own.alpha * opacity, below.rgb), opacity };
        behinds.set(element, all);
        return all;
    };
    const shows = element => !element.closest('svg, math, :disabled') && element.checkVisibility({ visibilityProperty: true, opacityProperty: true }) &&
        [...element.childNodes].some(node => node.nodeType === Node.TEXT_NODE && node.data.trim() !== '');
    for (const element of [...document.body.querySelectorAll('*')].filter(shows)) {
        const style = getComputedStyle(element), { rgb, opacity } = behind(element), text = parts(style.color);
        const [dark, light] = [luminance(rgb), luminance(mix(text.rgb, text.alpha * opacity, rgb))].sort((a, b) => a - b);
        const size = parseFloat(style.fontSize), large = size >= 24 || (size >= 18.66 && style.fontWeight >= 700), ratio = (light + 0.05) / (dark + 0.05);
        if (ratio < (large ? 3 : 4.5)) problems.push(`a contrast of ${ratio.toFixed(2)} in ${element.outerHTML.slice(0, 60)}`);
    }
    return problems;
}

/* Inside of the page, once axe is loaded: what is serious by these rules, or by all. */
async function audit(rules) {
    const found = await axe.run(document, { resultTypes: ['violations'], preload: false, iframes: false, ...(rules && { runOnly: rules }) });
    return found.violations.filter(v => v.impact === 'serious' || v.impact === 'critical')
        .map(v => `${v.id} at ${v.nodes[0].target} (${v.nodes[0].any.concat(v.nodes[0].all).map(c => c.message)[0] || v.help})`);
}

/* Loads a page, and gathers what its console says and what it asks the network for. */
async function open(page, name, problems) {
    page.removeAllListeners();
    page.on('console', message => { if (message.type() === 'error') problems.push(`console: ${message.text()}`); });
    page.on('pageerror', error => problems.push(`script: ${error.message}`));
    page.on('request', request => { if (!/^(file|data|blob):/.test(request.url())) problems.push(`asks for ${request.url()}`); });
    // A request that the next page cut off is not a missing file.
    page.on('requestfailed', request => {
        if (request.failure().errorText !== 'net::ERR_ABORTED') problems.push(`is missing ${request.url()}`);
    });
    await page.goto(`${root}/${name}`);
}

const titleOf = (name, width, scheme) => `${name} at ${width} pixels, ${scheme}`;
const linksOf = name => `links of ${name}`;

/* The rules of axe that depend on the width of a page; the others depend on its elements, or on its colours. */
const OF_WIDTH = ['scrollable-region-focusable'];

/* The looks of a page that is open. Folds are closed at the first, open from then on. axe sees all of it on a desktop in light; on a phone in
 * dark what is different there, and the whole again of the first page of each folder, which has what the folder's pages show on a phone alone. */
async function testLooks(page, name, loading, whole) {
    let first = true;
    for (const [width, scheme] of looks) {
        const problems = first ? loading : [];
        await page.emulateMedia({ colorScheme: scheme });
        await page.setViewportSize({ width, height: 900 });
        if (scheme === 'light') {
            problems.push(...await page.evaluate(measure, width === 1280));
            if (first) await page.evaluate(() => document.querySelectorAll('details').forEach(fold => { fold.open = true; }));
            problems.push(...await page.evaluate(measureTexts));
        }
        if (scheme === 'dark') problems.push(...await page.evaluate(measureContrasts));
        if (first || scheme === 'dark') problems.push(...await page.evaluate(audit, first || whole ? null : OF_WIDTH));
        first = false;
        verdict(titleOf(name, width, scheme), problems);
    }
}

/* What testLinks asks of a page that is open: its places, and where its links lead. */
async function gatherLinks(page, name, links) {
    links.places.set(name, new Set(await page.evaluate(() => [...document.querySelectorAll('[id], a[name]')].map(e => e.id || e.name))));
    links.from.set(name, await page.evaluate(() => [...document.querySelectorAll('a[href]')].map(a => a.href)));
}

/* A link may lead to any page, so that all are loaded where one page's links are asked for. */
async function testPages(browser, pages, axe, links) {
    const page = await browser.newPage();
    const gathers = links && pages.some(name => linksOf(name).includes(filter)), folders = new Set();
    for (const name of pages) {
        const looked = looks.some(([width, scheme]) => titleOf(name, width, scheme).includes(filter));
        if (!looked && !gathers) continue;
        const problems = [];
        await page.setViewportSize({ width: looks[0][0], height: 900 });
        await open(page, name, problems);
        if (gathers) await gatherLinks(page, name, links);
        if (!looked) continue;
        const folder = path.posix.dirname(name), whole = !folders.has(folder);
        folders.add(folder);
        await page.evaluate(axe);
        await testLooks(page, name, problems, whole);
    }
    await page.close();
}

/* A figure is a picture on its page: it is opened alone to see its texts. */
async function testFigures(browser) {
    const page = await browser.newPage();
    for (const lesson of fs.readdirSync(path.join(site, 'lessons'), { withFileTypes: true }).filter(entry => entry.isDirectory()))
        for (const figure of fs.existsSync(path.join(site, 'lessons', lesson.name, 'figures')) ? fs.readdirSync(path.join(site, 'lessons', lesson.name, 'figures')) : []) {
            const name = `lessons/${lesson.name}/figures/${figure}`, problems = [];
            await open(page, name, problems);
            verdict(name, problems.concat(await page.evaluate(measureTexts)));
        }
    await page.close();
}

/* All links of all pages, as the browser resolved them: the file is there, and so is the place in it. */
function testLinks(pages, links) {
    for (const name of pages.filter(page => links.from.has(page))) {
        const problems = [];
        for (const link of links.from.get(name).filter(link => link.startsWith(root))) {
            const url = new URL(link), file = decodeURIComponent(url.pathname.slice(new URL(root).pathname.length + 1));
            if (!fs.existsSync(path.join(site, file))) problems.push(`${link} is missing`);
            else if (url.hash.length > 1 && links.places.has(file) && !links.places.get(file).has(decodeURIComponent(url.hash.slice(1)))) problems.push(`${link}: no such place`);
        }
        verdict(linksOf(name), problems);
    }
}

/* Rules for the dark set colours alone, so that light has shown every layout. */
function testDark() {
    const problems = [], layout = /(?:^|[;{])\s*(?!--|color|background|border-color|fill|stroke|filter|opacity|box-shadow|outline-color)([a-z-]+)\s*:/;
    for (const sheet of fs.readdirSync(site).filter(name => name.endsWith('.css')))
        for (const [, rules] of fs.readFileSync(path.join(site, sheet), 'utf8').matchAll(/@media[^{]*prefers-color-scheme: *dark[^{]*\{((?:[^{}]*\{[^{}]*\})*)/g))
            for (const [, rule] of rules.matchAll(/\{([^}]*)\}/g))
                if (layout.test(rule)) problems.push(`${sheet}: ${layout.exec(rule)[1]}`);
    verdict('the dark differs in colours alone', problems);
}

/* What somebody types, and where the first place that is found lies: what teaches it, also by another form of the word or with a typing error. */
const ASKED = {
    coalescing: 'lessons/05-matrix-2d.html#which-direction-is-x', colaescing: 'lessons/05-matrix-2d.html#which-direction-is-x',
    texture: 'lessons/17-textures.html', race: 'lessons/07-block-sum-dynamic.html', reductions: 'lessons/07-block-sum-dynamic.html#a-tree-of-sums',
    'Bank conflicts': 'lessons/22-transpose.html#the-column-that-nobody-uses', barier: 'lessons/07-block-sum-dynamic.html',
    'compute-sanitizer': 'lessons/28-find-the-bug.html', 'memory pool': 'lessons/15-memory-pools.html', syncthreads: 'lessons/07-block-sum-dynamic.html', graph: 'lessons/31-graphs.html', occupancy: 'lessons/27-occupancy.html', 'launch bounds': 'lessons/27-occupancy.html#a-promise-about-the-block-size', 'float4': 'lessons/20-peak-bandwidth.html',
    deadlocks: 'lessons/07-block-sum-dynamic.html', 'race conditon': 'lessons/07-block-sum-dynamic.html', 'tensor cores': 'lessons/32-tensor-cores.html', 'page-locked': 'lessons/14-streams-and-events.html',
    'unified memory': 'lessons/26-unified-memory.html#one-pointer-for-both', cudaMemcpyAsync: 'lessons/14-streams-and-events.html', GEMM: 'lessons/23-matrix-product.html', 'tile kernels': 'docs/tiles.html',
    occupansy: 'lessons/27-occupancy.html', 'shared memmory': 'lessons/07-block-sum-dynamic.html#a-tree-of-sums', 'memcpy async': 'lessons/14-streams-and-events.html', 'double buffering': 'lessons/30-async-copy.html',
    synchronise: 'lessons/14-streams-and-events.html', uninitialised: 'findings/uninitialized-read.html',
    NVLink: 'lessons/18-multi-gpu.html', SpMV: 'lessons/33-sparse.html', leak: 'lessons/28-find-the-bug.html', 'thread index': 'lessons/01-vector-add.html', cudaMalloc: 'lessons/01-vector-add.html', misaligned: 'lessons/20-peak-bandwidth.html',
    'out of bounds': 'lessons/01-vector-add.html',
    'memoryuncoalescedthe': null, 'uncoalesced': 'findings/uncoalesced.html',
};

/* The page makes its index when it is loaded; what is typed then is looked up at once. */
async function testAsked(page) {
    await page.goto(`${root}/search.html?q=${encodeURIComponent(Object.keys(ASKED)[0])}`);
    for (const [query, place] of Object.entries(ASKED)) {
        await page.fill('#q', query);
        const first = (await page.$$eval('#results a', all => all.map(a => a.getAttribute('href'))))[0] ?? null;
        const right = place === null ? first === null : first !== null && first.startsWith(place);
        verdict(`search for "${query}" begins with ${place}`, right ? [] : [`it begins with ${first}`]);
    }
    await page.fill('#q', 'colaescing');
    verdict('search says where it took other words', (await page.textContent('#found')).includes('words like “colaescing”') ? [] : ['it does not']);
    const marked = await page.$$eval('#results li:first-child mark', all => all.map(mark => mark.textContent));
    verdict('search marks what it found', marked.includes('coalesced') ? [] : [`marked: ${marked}`]);
}

async function testSearch(browser) {
    const page = await browser.newPage();
    await page.goto(`${root}/index.html`);
    await page.fill('#q', 'barrier');
    await page.press('#q', 'Enter');
    await page.waitForSelector('#results li a');
    const links = await page.$$eval('#results a', all => all.map(a => a.href));
    verdict('search finds "barrier"', links.some(l => l.includes('findings/barrier-divergence')) && links.some(l => l.includes('lessons/07')) ? []
        : [`found ${links.length} places, not the lesson and the finding`]);
    const follow = async () => { // the first result, until the page it leads to is loaded
        await page.click('#results a');
        await page.waitForURL(url => !url.pathname.endsWith('/search.html'), { timeout: 10000 }).catch(() => {});
    };
    await follow();
    verdict('search leads to a page', page.url().includes('search.html') ? ['the first result leads nowhere'] : []);
    await page.goto(`${root}/search.html?q=gpu_launch`);
    await follow();
    verdict('search leads to a function of the reference', await page.evaluate(() => decodeURIComponent(location.pathname).endsWith('/reference/gpu_8h.html') &&
        document.getElementById(location.hash.slice(1)) !== null) ? [] : [page.url()]);
    await page.goto(`${root}/search.html?q=zzyzx`);
    verdict('search says that it found nothing', (await page.textContent('#found')).startsWith('0 places') ? [] : ['it does not']);
    await testAsked(page);
    await page.close();
}

async function testKeys(browser) {
    const context = await browser.newContext({ viewport: { width: 1280, height: 900 } });
    const page = await context.newPage();
    await page.goto(`${root}/lessons/07-block-sum-dynamic.html`);
    await page.keyboard.press('Tab');
    verdict('the first Tab skips to the content', (await page.evaluate(() => document.activeElement.className)) === 'skip' ? [] : ['it does not']);
    const folds = [];
    for (const fold of await page.$$('main details')) {
        await (await fold.$('summary')).focus();
        await page.keyboard.press('Enter');
        if (!await fold.evaluate(e => e.open && e.getBoundingClientRect().height > 60)) folds.push(await fold.innerText());
    }
    verdict('folds open by the keyboard', folds);
    const first = await page.$('.copied');
    const copy = first && await first.$('.copy'), source = first && await (await first.$('pre')).innerText();
    const problems = [];
    if (!copy) problems.push('there is none');
    else {
        await page.evaluate(() => { navigator.clipboard.writeText = async text => { window.copiedText = text; }; });
        await copy.click();
        if (await page.evaluate(() => window.copiedText) !== source) problems.push('it copies something else');
        if (await copy.innerText() !== 'Copied') problems.push('it does not say so');
    }
    verdict('copy buttons copy their block', problems);
    await context.close();
}

/* The front page marks what is passed, and what comes next: the core path first. */
async function testProgress(browser) {
    const copy = fs.mkdtempSync(path.join(os.tmpdir(), 'front-')), page = await browser.newPage(), problems = [];
    for (const name of ['index.html', 'style.css', 'site.js']) fs.copyFileSync(path.join(site, name), path.join(copy, name));
    const show = async passed => {
        fs.writeFileSync(path.join(copy, 'progress.js'), `const passedLessons = ${JSON.stringify(passed)};\n`);
        await page.goto(pathToFileURL(path.join(copy, 'index.html')).href);
        return [await page.locator('li.passed').count(), (await page.locator('.progress').allTextContents()).join(''), (await page.locator('li.next a').allTextContents()).join('')];
    };
    const all = (await show([]), await page.$$eval('.lessons a', links => links.map(a => a.href.replace(/.*\/|\.html/g, ''))));
    const core = await page.$$eval('.lessons a.core', links => links.map(a => a.href.replace(/.*\/|\.html/g, '')));
    const none = await show([]), two = await show(['01-vector-add', '07-block-sum-dynamic', 'no-such-lesson']), path_done = await show(core), finished = await show(all);
    if (none[0] !== 0 || none[1] !== '') problems.push(`nothing passed: ${none}`);
    if (two[0] !== 2 || !two[1].includes(`2 of ${all.length} lessons passed`) || !two[2].startsWith('03')) problems.push(`two passed: ${two}`);
    if (path_done[0] !== core.length || path_done[2] === '' || core.some(name => path_done[2].startsWith(name.slice(0, 2)))) problems.push(`the core path passed: ${path_done}`);
    if (finished[0] !== all.length || !finished[1].includes('finished')) problems.push(`all passed: ${finished}`);
    verdict('the front page shows the progress', problems);
    fs.rmSync(copy, { recursive: true, force: true });
    await page.close();
}

/* Without scripts everything but the search is there. */
async function testWithoutScripts(browser) {
    const context = await browser.newContext({ javaScriptEnabled: false, viewport: { width: 1280, height: 900 } });
    const page = await context.newPage();
    await page.goto(`${root}/index.html`);
    verdict('the map of lessons needs no script', await page.locator('.lessons a').count() >= 8 ? [] : ['it does']);
    await page.goto(`${root}/lessons/07-block-sum-dynamic.html`);
    if (await page.locator('.picture .steps').first().isHidden()) verdict('a picture without scripts', ['shows no steps']);
    await page.locator('main summary').first().click();
    verdict('folds need no script', await page.locator('main details[open]').count() === 1 ? [] : ['they do']);
    await context.close();
}

/* The picture of a run: it opens at the mistake, keys go through time, each access names both parties. */
async function testPicture(browser, axe) {
    const page = await browser.newPage(), problems = [], text = id => page.textContent(id);
    const folder = 'lessons/07-block-sum-dynamic/pictures';
    await page.setViewportSize({ width: 1280, height: 900 });
    await open(page, `${folder}/missing-barrier.html`, problems);
    verdict('a picture opens without complaint', problems);
    const now = async () => Number(/step (\d+) of/.exec(await text('#where'))[1]);
    const begun = await now();
    verdict('a picture opens at the race', (await text('#said')).includes('shared-race') && await page.locator('tr.now.bad').count() === 1 ? [] : [await text('#said')]);
    await page.locator('#lanes .bad').first().focus();
    const said = await text('#said');
    verdict('one access names both parties', /thread \d+ .* temp\[\d+\].*races with thread \d+/.test(said) ? [] : [said]);
    await page.locator('#cells .bad').first().focus();
    verdict('one element names who used it', /temp\[\d+\]( is \S+)?: .*thread \d+ .*A race/.test(await text('#said')) ? [] : [await text('#said')]);
    // Of the race that is shown, thread 0 reads temp[16], which thread 16 has made of temp[48] before anybody wrote that.
    await page.locator('#title').click();
    await page.keyboard.press('w');
    const chain = await page.$$eval('#chain li', all => all.map(e => e.textContent));
    verdict('a watched element has its writes, and where its value comes from', /^temp\[16\]: 2 writes; at this step it is undefined/.test(await text('#watched'))
        && await page.locator('#history tr').count() >= 3 && await page.locator('#history tr.now').count() === 1 && /thread 16 writes undefined to temp\[16\].*undefined from temp\[48\]/.test(chain[0])
        && /No thread of this launch had written temp\[48\] yet. The first to write it is thread 48/.test(chain[1]) ? [] : [await text('#watched'), ...chain]);
    verdict('variables of the threads', /^tid \*?0123.*d \*16 in all of them$/.test(await text('#variables')) ? [] : [await text('#variables')]);
    verdict('a wrong answer stands beside the right one', /sum\[0\]-328nanthread 0, step/.test(await text('#wanted')) ? [] : [await text('#wanted')]);
    await page.locator('#wanted button').first().click();
    verdict('and leads to the step that wrote it', /thread 0 writes d_out\[0\]: undefined/.test(await text('#said')) ? [] : [await text('#said')]);
    await page.locator('#title').click();
    await page.keyboard.press('Home');
    verdict('a watched element has no value before its first', (await text('#watched')).includes('at this step its value is not known') ? [] : [await text('#watched')]);
    await page.locator('.findings button').first().click();
    await page.locator('#title').click();
    await page.keyboard.press('ArrowRight');
    const stepped = await now();
    await page.keyboard.press('ArrowLeft');
    const back = await now();
    await page.keyboard.press('Home');
    const home = await now();
    await page.keyboard.press('n');
    const mistake = await page.locator('tr.now.bad').count();
    await page.keyboard.press('End');
    const end = await now();
    verdict('the keys of a picture', stepped === begun + 1 && back === begun && home === 1 && mistake === 1 && end > begun ? []
        : [`from ${begun}: right ${stepped}, left ${back}, home ${home}, mistake ${mistake}, end ${end}`]);
    await page.keyboard.press('Home');
    await page.keyboard.press('p');
    await page.waitForFunction(() => !document.getElementById('where').textContent.startsWith('step 1 '), null, { timeout: 5000 });
    await page.keyboard.press('p');
    verdict('a picture plays and pauses', (await text('#play')) === 'Play' ? [] : ['it goes on']);
    await page.selectOption('#warp', '1');
    verdict('a warp can be chosen', await page.$$eval('#rows tr td:nth-child(2)', all => all.every(e => e.textContent === '' || e.textContent === '1')) ? [] : ['others are shown']);
    verdict('the line is lit', await page.locator('#source .lit').count() === 1 ? [] : ['it is not']);
    const seen = [];
    await page.evaluate(axe);
    for (const [width, scheme] of looks) {
        await page.emulateMedia({ colorScheme: scheme });
        await page.setViewportSize({ width, height: 900 });
        if (await page.evaluate(() => document.documentElement.scrollWidth > document.documentElement.clientWidth)) seen.push(`scrolls sideways at ${width}`);
        if (width === 1280 || scheme === 'dark') seen.push(...await page.evaluate(audit));
    }
    verdict('a picture at three widths, light and dark', seen);
    const all = fs.readdirSync(path.join(site, 'lessons'), { recursive: true }).filter(name => /pictures\/.*\.html$/.test(name));
    for (const name of all) {
        const own = [];
        await open(page, `lessons/${name}`, own);
        if (await page.locator('#rows tr').count() === 0) own.push('nothing was recorded');
        if (fs.statSync(path.join(site, 'lessons', name)).size > 120000) own.push('it is larger than 120 KB');
        verdict(`lessons/${name}`, own);
    }
    await page.close();
}

/* A picture of a whole run with streams and many blocks, which no lesson's page has. */
async function testPictured(browser, axe) {
    const page = await browser.newPage({ viewport: { width: 1280, height: 900 } }), problems = [];
    await open(page, path.relative(site, pictured), problems);
    verdict('a large picture opens without complaint', problems);
    await require('./picture.js')(page, axe, audit, looks, verdict);
    await page.close();
}

/* The frame of the picture in the page: it is loaded when the reader comes near, and needs none of the page's room, keys or scrolling. */
async function testEmbedded(browser, axe) {
    const page = await browser.newPage({ viewport: { width: 1280, height: 900 } }), problems = [];
    await open(page, 'lessons/07-block-sum-dynamic.html', problems);
    const frames = page.locator('.picture iframe');
    const eager = await frames.evaluateAll(all => all.filter(e => e.loading !== 'lazy' || !e.title).length);
    if (await frames.count() < 2 || eager > 0) problems.push(`of ${await frames.count()} pictures ${eager} are loaded at once, or have no title`);
    await frames.first().scrollIntoViewIfNeeded();
    const frame = await (await frames.first().elementHandle()).contentFrame();
    await frame.waitForSelector('tr.now');
    if (!await frame.evaluate(() => document.body.className === 'embedded')) problems.push('it is drawn as a page of its own');
    const step = async () => Number(/step (\d+) of/.exec(await frame.textContent('#where'))[1]);
    const begun = await step(), top = await page.evaluate(() => scrollY);
    await frame.locator('#where').click();
    await page.keyboard.press('ArrowRight');
    if (await step() !== begun + 1) problems.push('the right arrow does not step');
    await page.keyboard.press('End');
    await page.keyboard.press('Home');
    if (await step() !== 1) problems.push('Home does not lead to the first step');
    await page.keyboard.press('n');
    if (await frame.locator('tr.now.bad').count() !== 1) problems.push('n does not lead to the mistake');
    if (Math.abs(await page.evaluate(() => scrollY) - top) > 2) problems.push('stepping scrolls the page around it');
    await frame.evaluate(axe);
    for (const [width, scheme] of looks) {
        await page.emulateMedia({ colorScheme: scheme });
        await page.setViewportSize({ width, height: 900 });
        const room = await frame.evaluate(() => [document.documentElement.scrollWidth - innerWidth, document.documentElement.scrollHeight - innerHeight]);
        if (room[0] > 0) problems.push(`scrolls sideways at ${width}`);
        if (room[1] > 40 && width > 390) problems.push(`hides ${room[1]} pixels at ${width}`);
        if (width === 1280 || scheme === 'dark') problems.push(...await frame.evaluate(audit));
    }
    verdict('a picture in its lesson', problems);
    const missing = [];
    for (const name of pagesOf('lessons')) {
        const folder = path.join(site, name.replace(/\.html$/, ''), 'pictures');
        const shown = [...fs.readFileSync(path.join(site, name), 'utf8').matchAll(/<iframe[^>]* src="[^"]*\/pictures\/([^"]*)"/g)].map(match => match[1]).sort();
        const made = fs.existsSync(folder) ? fs.readdirSync(folder).sort() : [];
        if (String(shown) !== String(made)) missing.push(`${name} shows ${shown} of ${made}`);
    }
    verdict('every picture is in its lesson', missing);
    await page.close();
}

/* On paper: no navigation, nothing folded away. */
async function testPrint(browser) {
    const page = await browser.newPage();
    await page.goto(`${root}/lessons/07-block-sum-dynamic.html`);
    await page.emulateMedia({ media: 'print' });
    const problems = [];
    if (await page.locator('header.site, .sidebar, .pager').evaluateAll(all => all.some(e => e.offsetHeight > 0))) problems.push('navigation is printed');
    const hidden = await page.$$eval('main details', all => all.filter(e => e.getBoundingClientRect().height < 60).length);
    if (hidden > 0) problems.push(`${hidden} folds stay closed`);
    if (await page.locator('.picture iframe').evaluateAll(all => all.some(e => e.offsetHeight > 0))) problems.push('a picture that needs a screen is printed');
    if (!await page.locator('.picture .steps').evaluateAll(all => all.length > 0 && all.every(e => e.offsetHeight > 60))) problems.push('the steps of a picture are not printed');
    verdict('print shows text and folds alone', problems);
    /* Between the margins of a sheet of A4 there are some 680 pixels. */
    await page.setViewportSize({ width: 680, height: 900 });
    const cut = [];
    for (const name of ['docs/strangers.html', 'docs/cards.html', 'docs/objectives.html', 'lessons/27-occupancy.html']) {
        await page.goto(`${root}/${name}`);
        const width = await page.evaluate(() => document.documentElement.scrollWidth);
        if (width > 680) cut.push(`${name} is ${width} pixels wide`);
    }
    verdict('nothing is cut off on paper', cut);
    await page.close();
}

async function main() {
    const profile = fs.mkdtempSync(path.join(os.tmpdir(), 'profile-'));
    const browser = await chromium.launch({
        executablePath: browserPath,
        args: ['--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run', '--disable-background-networking', '--disable-component-update',
            '--disable-sync'],
        env: { ...process.env, HOME: profile },
    });
    const pages = [...pagesOf(''), ...pagesOf('lessons'), ...pagesOf('docs'), ...pagesOf('findings'), ...referencePages()];
    const axe = fs.readFileSync(require.resolve('axe-core/axe.min.js'), 'utf8');
    const links = { places: new Map(), from: new Map() };
    await testPages(browser, pages, axe, links);
    await testPages(browser, grades.map(file => path.relative(site, file)), axe, null);
    await testFigures(browser);
    testLinks(pages, links);
    testDark();
    for (const test of [testSearch, testKeys, testProgress, testWithoutScripts, testPrint, testPicture, testPictured, testEmbedded]) {
        try { await test(browser, axe); } catch (error) { verdict(test.name, [error.message.split('\n')[0]]); }
    }
    await browser.close();
    fs.rmSync(profile, { recursive: true, force: true });
    console.log(`${passed} ${failed}`);
}

main().catch(error => { console.log(`FAILED the browser: ${error.stack}`); process.exitCode = 3; });
