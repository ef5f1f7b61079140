/* pages.js - for the tests of the course in a browser: cases and their counts, what the console complains of, typing, and how a page looks at each width.
 * With SHOTS=FOLDER each page that is looked at leaves a picture there, for people.
 */
'use strict';
const fs = require('fs'), path = require('path');

const axe = fs.readFileSync(require.resolve('axe-core/axe.min.js'), 'utf8');
const widths = [1280, 768, 390], schemes = ['light', 'dark'];
const counts = { passed: 0, failed: 0 };

function verdict(name, problem) {
    if (!problem) { counts.passed++; return; }
    counts.failed++;
    console.log(`FAILED ${name}: ${problem}`);
}

const source = name => fs.readFileSync(name, 'utf8');
const solution = lesson => source(`solutions/${lesson}/solution.cu`);

/* What the console complains of counts against the case that runs; and no page asks for what is not of the server. */
const complaints = [];
function listen(page, address) {
    page.on('console', message => { if (message.type() === 'error') complaints.push(message.text()); });
    page.on('pageerror', error => complaints.push(error.message));
    page.on('request', request => { if (!request.url().startsWith(address) && !/^(data|blob):/.test(request.url())) complaints.push(`asks for ${request.url()}`); });
}

async function until(what, holds) {
    for (let tries = 0; tries < 600; tries++) {
        if (await holds()) return '';
        await new Promise(done => setTimeout(done, 50));
    }
    return `never: ${what}`;
}

const heading = page => page.locator('#verdict h3').first().textContent({ timeout: 100 }).catch(() => '');
const text = page => page.evaluate(() => document.querySelector('.cm-content').cmTile?.view?.state.doc.toString() ?? [...document.querySelectorAll('.cm-line')].map(line => line.textContent).join('\n'));

/* From the first line that differs from the starter, what is there gives way to what is typed, key by key; the editor indents and closes brackets by
 * itself meanwhile. The editor has the focus. */
async function typeOver(page, lesson) {
    const starter = source(`starter/${lesson}.cu`).split('\n');
    const lines = solution(lesson).split('\n').filter(line => !/^\s*\/\/ (>>>|<<<)/.test(line));
    const same = lines.findIndex((line, index) => line !== starter[index]);
    await page.keyboard.press('Control+Home');
    for (let line = 0; line < same; line++) await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Control+Shift+End');
    await page.keyboard.press('Delete');
    await page.keyboard.type(lines.slice(same).map(line => line.trimStart()).join('\n'));
}

async function audit() {
    const found = await window.axe.run(document, { resultTypes: ['violations'], preload: false, iframes: false });
    return found.violations.filter(v => v.impact === 'serious' || v.impact === 'critical').map(v => `${v.id} at ${v.nodes[0].target}`);
}

async function photograph(page, name) {
    if (!process.env.SHOTS) return;
    const fullPage = await page.evaluate(() => document.documentElement.scrollHeight < 4000);
    await page.screenshot({ path: path.join(process.env.SHOTS, `${name.replace(/[^a-z0-9]+/gi, '-')}.png`), fullPage });
}

/* Every width, light and dark: nothing scrolls sideways, nothing lies over the text; and what axe finds serious. */
async function looks(page, name) {
    await page.evaluate(axe);
    for (const scheme of schemes) {
        await page.emulateMedia({ colorScheme: scheme });
        for (const width of widths) {
            await page.setViewportSize({ width, height: 900 });
            const problems = await page.evaluate(() => {
                const root = document.documentElement, sides = [document.querySelector('main'), document.querySelector('.exercise')].filter(Boolean).map(e => e.getBoundingClientRect());
                const found = root.scrollWidth > root.clientWidth ? [`scrolls sideways, ${root.scrollWidth} of ${root.clientWidth} pixels`] : [];
                const overlap = (a, b) => a.right > b.left + 1 && b.right > a.left + 1 && a.bottom > b.top + 1 && b.bottom > a.top + 1;
                if (sides.length === 2 && overlap(...sides)) found.push('the exercise lies over the text');
                scrollTo(0, root.scrollHeight);
                const below = [...document.querySelectorAll('.exercise, .sidebar, footer.site')].map(e => e.getBoundingClientRect());
                if (below.some((a, i) => below.some((b, j) => i < j && overlap(a, b)))) found.push('at the end of the page, something lies over the exercise');
                scrollTo(0, 0);
                return found;
            });
            if ((width === widths[0]) === (scheme === 'light') && width !== 768) problems.push(...await page.evaluate(audit));
            verdict(`${name} at ${width} pixels, ${scheme}`, problems.join('; '));
            await photograph(page, `${name} ${width} ${scheme}`);
        }
    }
}

/* Each case whose name contains `filter`, one after the other; `excused` says whose complaints of the console are what is tried. */
async function runCases(cases, filter, excused, at) {
    for (const [name, run] of Object.entries(cases)) {
        if (!name.includes(filter)) continue;
        complaints.length = 0;
        const problem = await run(at).catch(error => error.message.split('\n')[0]);
        verdict(name, problem || (excused(name) ? '' : complaints[0]));
    }
}

module.exports = { counts, verdict, source, solution, complaints, listen, until, heading, text, typeOver, looks, photograph, runCases };
