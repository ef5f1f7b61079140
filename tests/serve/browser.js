/* browser.js - learns in the browser: types, checks, clicks what was found, reloads. Arguments: the server's address, its key, the browser, the folder
 * of the learner's work, and a word that the names of the cases must contain (or ""). Prints "FAILED NAME: PROBLEM" for each failure and, last, "N M".
 *
 * Each case begins where the one before it ended, as a learner does; with a filter, the others are not run.
 */
'use strict';
const fs = require('fs'), path = require('path');
const { chromium } = require('playwright-core');
const { counts, verdict, source, solution, complaints, listen, until, heading, text, typeOver, looks, runCases } = require('./pages.js');

const [address, key, browserPath, work, filter] = process.argv.slice(2);

const onDisk = lesson => source(path.join(work, `${lesson}.cu`));
const write = (lesson, text) => fs.writeFileSync(path.join(work, `${lesson}.cu`), text);
const pageOf = lesson => `${address}/lessons/${lesson}.html`;

async function typeSolution(page, lesson) {
    await page.click('.cm-content');
    await typeOver(page, lesson);
}

const cases = {
    async 'without the key, nothing is shown'({ browser }) {
        const page = await browser.newPage();
        const response = await page.goto(pageOf('01-vector-add'));
        const words = await page.innerText('body');
        await page.close();
        return response.status() === 403 && words.includes('make serve') ? '' : `${response.status()}: ${words}`;
    },
    async 'the printed address opens the map'({ page }) {
        await page.goto(`${address}/?key=${key}`);
        if (page.url() !== `${address}/`) return `the key stays in the address: ${page.url()}`;
        return await page.locator('a[href*="01-vector-add"]').count() > 0 ? '' : 'no lesson is on it';
    },
    async 'the starter is there, and is checked by Ctrl-Enter'({ page }) {
        await page.goto(pageOf('01-vector-add'));
        await page.waitForSelector('.cm-content');
        await page.click('.cm-content');
        await page.keyboard.press('Control+Enter');
        return until('a verdict', async () => (await heading(page)).startsWith('Not yet: 0 of 10'));
    },
    async 'a check tells of each case'({ page }) {
        await page.evaluate(() => {
            window.seen = new Set();
            new MutationObserver(() => document.querySelectorAll('.running li, #steps .phase').forEach(item => window.seen.add(item.textContent)))
                .observe(document.getElementById('steps'), { childList: true, subtree: true, characterData: true });
        });
        await page.click('button.check');
        const problem = await until('the end', async () => await page.evaluate(() => window.seen.size > 2 && !document.querySelector('.checking')));
        const seen = await page.evaluate(() => [...window.seen]);
        return problem || (seen.includes('Compiling') && seen.includes('a large array') ? '' : `it told only: ${seen.join(', ')}`);
    },
    async 'what was changed elsewhere changes in the page'({ page }) {
        write('01-vector-add', source('solutions/01-vector-add/mutants/missing-guard.cu'));
        return until('the text', async () => (await text(page)).includes('missing') || (await page.innerText('#notice')).includes('changed elsewhere'));
    },
    async 'a mark in the margin leads to its finding, and that to its line'({ page }) {
        await page.click('button.check');
        let problem = await until('a mark', async () => await page.locator('.cm-mark.error').count() > 0);
        if (problem) return problem;
        await page.locator('.cm-mark.error').first().click();
        if (await page.evaluate(() => document.activeElement.id) !== 'finding-0') return 'the finding has not the focus';
        if (!(await page.innerText('#finding-0')).includes('out-of-bounds')) return await page.innerText('#finding-0');
        if (!(await page.innerText('#verdict')).includes('1 point of this lesson is for a file without mistakes')) return 'where the last point is, is not said';
        await page.click('#finding-0 a[data-line]');
        return await page.evaluate(() => document.activeElement.classList.contains('cm-content')) ? '' : 'the text has not the focus';
    },
    async 'F8 goes to a finding without a pointer'({ page }) {
        await page.keyboard.press('Control+Home');
        await page.keyboard.press('F8');
        return await page.locator('.cm-activeLine .cm-found').count() > 0 ? '' : 'the cursor is in no line that has one';
    },
    async 'typed, then reloaded in the middle: the text and undo are there'({ page }) {
        await page.keyboard.press('Control+Home');
        await page.keyboard.type('// typed before the page was reloaded');
        await page.reload();
        await page.waitForSelector('.cm-content');
        if (!(await text(page)).startsWith('// typed before')) return 'what was typed is gone';
        const problem = await until('the file has it', async () => onDisk('01-vector-add').startsWith('// typed before'));
        if (problem) return problem;
        if (!(await heading(page)).includes('of 10')) return 'the verdict is gone';
        await page.click('.cm-content');
        await page.keyboard.press('Control+z');
        return until('undone', async () => !(await text(page)).includes('// typed before'));
    },
    async 'reloaded while a save is under way, and no later one arrives: the text is there, and nobody is asked'({ page }) {
        await page.click('.cm-content');
        await page.keyboard.press('Control+Home');
        const saves = await holdSaves(page);
        await page.keyboard.type('// sent, ');
        let problem = await until('a save under way', async () => saves.held.length > 0);
        await page.keyboard.type('and typed after it. ');
        const reloaded = page.reload();
        await saves.held.shift().continue(); // the file has the first half, and the page that sent it is going
        await reloaded;
        await page.waitForSelector('.cm-content');
        const shown = await text(page), asked = await page.innerText('#notice');
        await saves.release();
        problem = problem || await until('the whole on the disk', async () => onDisk('01-vector-add').startsWith('// sent, and typed after it. '));
        const state = `it showed ${shown.slice(0, 40)}, then ${(await text(page)).slice(0, 40)}, and said "${asked}", then "${await page.innerText('#notice')}"; on the disk: ${onDisk('01-vector-add').slice(0, 40)}`;
        return problem || !shown.startsWith('// sent, and typed after it. ') || asked ? `${problem} ${state}` : '';
    },
    async 'reloaded with what was not saved, and the file was changed elsewhere: the page asks, and mine is shown'({ page }) {
        await page.click('.cm-content');
        await page.keyboard.press('Control+Home');
        const saves = await holdSaves(page);
        await page.keyboard.type('// unsaved ');
        write('01-vector-add', '// theirs, meanwhile\n');
        await page.reload();
        await page.waitForSelector('.cm-content');
        let problem = await until('the question', async () => (await page.innerText('#notice')).includes('Which text'));
        if (!(await text(page)).startsWith('// unsaved // sent, ')) return await text(page);
        await saves.release();
        await page.click('text=Take the file as it is now');
        problem = problem || await until('theirs', async () => (await text(page)).startsWith('// theirs, meanwhile'));
        await page.reload();
        await page.waitForSelector('.cm-content');
        return problem || ((await text(page)).startsWith('// theirs, meanwhile') ? '' : `what was decided against is back: ${await text(page)}`);
    },
    async 'both changed: the page asks, and mine stays'({ page }) {
        write('01-vector-add', source('solutions/01-vector-add/mutants/missing-guard.cu'));
        await until('the file', async () => (await text(page)).includes('missing'));
        await page.click('.cm-content');
        await page.keyboard.press('Control+Home');
        await page.keyboard.type('// mine');
        write('01-vector-add', '// theirs\n');
        let problem = await until('the question', async () => (await page.innerText('#notice')).includes('Which text'));
        if (problem) return problem;
        await page.click('text=Keep what I wrote here');
        return until('mine on the disk', async () => onDisk('01-vector-add').startsWith('// mine'));
    },
    async 'both changed: theirs is taken'({ page }) {
        await page.click('.cm-content');
        await page.keyboard.press('Control+Home');
        await page.keyboard.type('again ');
        write('01-vector-add', '// theirs again\n');
        let problem = await until('the question', async () => (await page.innerText('#notice')).includes('Which text'));
        if (problem) return problem;
        await page.click('text=Take the file as it is now');
        return until('theirs in the page', async () => (await text(page)).startsWith('// theirs again'));
    },
    async 'both changed in the same way: nobody is asked'({ page }) {
        const saves = await holdSaves(page);
        await page.click('.cm-content');
        await page.keyboard.press('Control+Home');
        await page.keyboard.type('// alike ');
        let problem = await until('a save under way', async () => saves.held.length > 0);
        write('01-vector-add', await text(page));
        await saves.release();
        await page.keyboard.type('and more ');
        problem = problem || await until('the whole on the disk', async () => onDisk('01-vector-add').startsWith('// alike and more '));
        complaints.length = 0; // of the save that was refused
        return problem || await page.innerText('#notice');
    },
    async 'a message of the compiler stands at its line'({ page }) {
        await page.click('.cm-content');
        await page.keyboard.press('Control+a');
        await page.keyboard.type('int broken = ;');
        await page.click('button.check');
        return until('the message', async () => await page.locator('.cm-finding', { hasText: 'compile' }).count() > 0);
    },
    async 'start again, by the keyboard alone'({ page }) {
        await page.focus('button.check');
        for (let i = 0; i < 3; i++) await page.keyboard.press('Tab');
        await page.keyboard.press('Enter');
        let problem = await until('the question', async () => (await page.innerText('#notice')).includes('kept'));
        if (problem) return problem;
        await page.keyboard.press('Enter');
        problem = await until('the starter', async () => (await text(page)).includes('Your turn'));
        return problem || (fs.existsSync(path.join(work, '01-vector-add.cu.1')) ? '' : 'the old text is not kept');
    },
    async 'Esc, then Tab, leaves the text for Check'({ page }) {
        await page.click('.cm-content');
        await page.keyboard.press('Escape');
        await page.keyboard.press('Tab');
        return await page.evaluate(() => document.activeElement.value) === 'check' ? '' : await page.evaluate(() => document.activeElement.outerHTML.slice(0, 80));
    },
    async 'one hint at a time'({ page }) {
        await page.click('button.hint');
        let problem = await until('a hint', async () => (await page.innerText('#hint')).includes('hint 1 of'));
        await page.click('button.hint');
        return problem || until('the next', async () => (await page.innerText('#hint')).includes('hint 2 of'));
    },
    async 'a prediction is answered, and remembered'({ page }) {
        if (await page.locator('#predict').count() === 0) return ''; // the pages have not been built
        await page.check('input[name=predict][value=B]');
        let problem = await until('the answer', async () => (await page.innerText('.answered')).includes('It is C'));
        const kept = await until('kept', async () => fs.existsSync(path.join(work, '.answers/01-vector-add.json')));
        await page.check('input[name=predict][value=A]');
        await page.reload(); // before it is kept
        await page.waitForSelector('.cm-content');
        return problem || kept || until('it is remembered', async () => await page.isChecked('input[name=predict][value=A]'));
    },
    async '01 is passed by typing'(at) { return passByTyping(at.page, '01-vector-add'); },
    async 'what can be done now is told with its evidence'({ page }) {
        return await page.locator('.learnt .evidence').count() > 0 && await page.locator('.go-on a').count() > 0 ? '' : await page.innerText('#verdict');
    },
    async 'the button leads where the verdict does'({ page }) {
        const [button, verdict] = [await page.getAttribute('a.next', 'href'), await page.getAttribute('.go-on a', 'href')];
        return button === verdict ? '' : `${button}, and ${verdict}`;
    },
    async 'the map shows it'({ page }) {
        await page.goto(`${address}/`);
        return until('a tick', async () => (await page.innerText('main')).includes('✓'));
    },
    async '07 is passed by typing'(at) { return passByTyping(at.page, '07-block-sum-dynamic'); },
    async '12 is passed by typing'(at) { return passByTyping(at.page, '12-grid-sum-atomic'); },
    async 'a picture is drawn in its place'({ page }) {
        await page.setViewportSize({ width: 1280, height: 300 });
        await page.click('button.draw');
        if (!await page.evaluate(() => document.getElementById('picture').getBoundingClientRect().top < innerHeight)) return 'that it is drawn is told out of sight';
        await page.setViewportSize({ width: 1280, height: 900 });
        const frame = page.frameLocator('#picture iframe');
        return until('lanes', async () => (await frame.locator('body').innerText({ timeout: 200 }).catch(() => '')).includes('Next mistake'));
    },
    async 'a second check takes the place of the first'({ page }) {
        const times = fs.readFileSync(path.join(work, '.progress'), 'utf8');
        await page.evaluate(() => { document.querySelector('button.check').click(); });
        await page.waitForSelector('.checking');
        await page.evaluate(() => { document.querySelector('button.check').click(); });
        return times.includes('passed 12') ? until('one verdict', async () => !(await page.locator('.checking').count()) && (await heading(page)).includes('Passed')) : 'it was not passed';
    },
    async 'without the editor: a text area does the same'({ browser }) {
        const page = await open(browser, {});
        await page.route('**/editor.js', route => route.abort());
        await page.goto(pageOf('02-launch-grid'));
        await page.fill('#source', solution('02-launch-grid'));
        await page.press('#source', 'Control+Enter');
        const problem = await until('a verdict', async () => (await heading(page)).includes('Passed'));
        await page.context().close();
        complaints.length = 0; // the file that was held back
        return problem;
    },
    async 'without a script: a form does the same'({ browser }) {
        const page = await open(browser, { javaScriptEnabled: false });
        await page.goto(pageOf('03-grid-stride'));
        await page.fill('#source', solution('03-grid-stride'));
        await page.click('button.check');
        if (!(await page.innerText('#verdict')).includes('Passed')) return await page.innerText('#exercise');
        await page.click('button.hint');
        if (!(await page.innerText('#hint')).includes('hint 1 of')) return 'no hint';
        write('03-grid-stride', '// theirs\n');
        await page.fill('#source', '// mine\n');
        await page.click('button.check');
        const both = await page.inputValue('#source') === '// mine\n' && await page.inputValue('#on-disk') === '// theirs\n';
        await page.context().close();
        return both ? '' : 'a change elsewhere was overwritten, or lost';
    }
};

/* Saves do not arrive until they are let go, those of the page that follows either; what is asked for otherwise does. */
async function holdSaves(page) {
    const saves = { held: [], async release() {
        await page.unroute('**/source');
        await Promise.all(saves.held.map(route => route.continue().catch(() => {}))); // the page that sent it may be gone
    } };
    await page.route('**/source', route => { if (route.request().method() === 'PUT') saves.held.push(route); else route.continue(); });
    return saves;
}

async function passByTyping(page, lesson) {
    await page.goto(pageOf(lesson));
    await page.waitForSelector('.cm-content');
    await typeSolution(page, lesson);
    await page.keyboard.press('Control+Enter');
    const problem = await until('a verdict', async () => /Passed|Not yet/.test(await heading(page)) && !(await page.locator('.checking').count()));
    return problem || (/✓ Passed, (\d+) of \1 points/.test(await heading(page)) ? '' : await page.innerText('#verdict'));
}

/* A browser of its own that was let in. */
async function open(browser, options) {
    const context = await browser.newContext(options), page = await context.newPage();
    listen(page, address);
    await page.goto(`${address}/?key=${key}`);
    return page;
}

async function main() {
    const browser = await chromium.launch({ executablePath: browserPath, args: ['--no-sandbox', '--disable-dev-shm-usage'] });
    const context = await browser.newContext({ viewport: { width: 1280, height: 900 }, bypassCSP: false }), page = await context.newPage();
    listen(page, address);
    if (filter) await page.goto(`${address}/?key=${key}`);
    await runCases(cases, filter, name => name.startsWith('without the key'), { browser, page });
    if ('looks'.includes(filter)) {
        await page.goto(pageOf('12-grid-sum-atomic'));
        await page.waitForSelector('.cm-content');
        await looks(page, 'looks: a lesson with its verdict');
        await page.goto(`${address}/`);
        await looks(page, 'looks: the map');
    }
    await browser.close();
    console.log(`${counts.passed} ${counts.failed}`);
}

main().catch(error => { console.error(error.message); process.exit(1); });
