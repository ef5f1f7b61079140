/* class-browser.js - a class in browsers: a student who comes by a link, learns without a mouse and hands in; another one; the teacher; and what each of them
 * sees when the server is killed or a link is withdrawn. Arguments: the program, the course, the class's folder (its students: ann, bob, cy), the browser, and a
 * word that the names of the cases must contain (or ""). Prints "FAILED NAME: PROBLEM" for each failure and, last, "N M".
 *
 * Each case begins where the one before it ended; with a filter, the others are not run.
 */
'use strict';
const fs = require('fs'), path = require('path');
const { execFileSync, spawn } = require('child_process');
const { chromium } = require('playwright-core');
const { counts, source, solution, complaints, listen, until, heading, text, typeOver, looks, photograph, runCases } = require('./pages.js');

const [program, course, room, browserPath, filter] = process.argv.slice(2);
const lesson = '01-vector-add', mutant = 'solutions/01-vector-add/mutants/missing-guard.cu';
const run = (...words) => execFileSync(program, ['--root', course, ...words], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] });
const submissions = id => path.join(room, 'submissions', id);

/* ---- the server ---- */

const server = { process: null, address: '', port: '0', said: '' };

/* Once it has a port, it begins again at that one. */
async function start() {
    server.said = '';
    server.process = spawn(program, ['--root', course, 'serve', '--class', room, '--port', server.port, '-j', '1', '--no-reuse'], { stdio: ['ignore', 'pipe', 'pipe'] });
    server.process.stdout.on('data', data => { server.said += data; });
    server.process.stderr.on('data', data => { server.said += data; });
    const problem = await until('its address', async () => / served at {2}(http:\S+)\/ /.test(server.said) || server.process.exitCode !== null);
    const [, address, port] = /(http:\/\/\S+:(\d+))\/ /.exec(server.said) || [];
    if (problem || !address) throw new Error(`the class is not served: ${server.said}`);
    Object.assign(server, { address, port });
}

async function end(signal) {
    const ended = new Promise(done => server.process.on('exit', done));
    server.process.kill(signal);
    return ended;
}

/* ---- people ---- */

const linkOf = id => /"http:\/\/[^/]*(\/enter\/[^"]*)"/.exec(run('class', room, 'links', id).split('\n')[1])[1];
const pageOf = name => `${server.address}/lessons/${name}.html`;

/* A browser of its own, which has followed the link. */
async function enter(browser, id, options) {
    const context = await browser.newContext({ viewport: { width: 1280, height: 900 }, ...options }), page = await context.newPage();
    listen(page, server.address);
    await page.goto(server.address + linkOf(id));
    return page;
}

/* What another student's browser would send. */
async function send(page, name, what, body) {
    return page.evaluate(async ([name, what, body]) => {
        const version = (await fetch(`/lessons/${name}/source`)).headers.get('ETag');
        return (await fetch(`/lessons/${name}/${what}`, { method: 'POST', headers: { 'If-Match': version }, body })).status;
    }, [name, what, body]);
}

const notice = page => page.innerText('#notice');
const words = page => page.innerText('#class-words');

/* The Tab key alone, until what has the focus is asked for. */
async function tabTo(page, selector) {
    for (let tries = 0; tries < 400; tries++) {
        if (await page.evaluate(selector => document.activeElement.matches(selector), selector)) return '';
        await page.keyboard.press('Tab');
    }
    return `the Tab key does not lead to ${selector}`;
}

const first = (...problems) => problems.find(problem => problem) || '';

/* ---- cases ---- */

const cases = {
    async 'without a link, nothing is shown; the page says how to come in'({ browser }) {
        const page = await (await browser.newContext()).newPage();
        const response = await page.goto(pageOf(lesson)), said = await page.innerText('body');
        await page.context().close();
        return response.status() === 403 && said.includes('personal link') && !said.includes('make serve') ? '' : `${response.status()}: ${said}`;
    },
    async 'a link opens the map, and is in no address after'({ people }) {
        const { ann } = people;
        return ann.url() === `${server.address}/` && await ann.locator(`a[href*="${lesson}"]`).count() > 0 && await ann.locator('header a[href="/own.html"]').count() === 1 ? '' : ann.url();
    },
    async 'two in one browser: what the first did not save waits for the first alone'({ browser }) {
        const cy = await enter(browser, 'cy');
        await cy.goto(pageOf(lesson));
        await cy.waitForSelector('.cm-content');
        const starter = await text(cy);
        await cy.route('**/source', route => route.request().method() === 'PUT' ? null : route.continue());
        await cy.click('.cm-content');
        await cy.keyboard.press('Control+Home');
        await cy.keyboard.type('// of cy ');
        const shown = {};
        for (const id of ['bob', 'cy']) {
            await cy.goto(server.address + linkOf(id));
            await cy.goto(pageOf(lesson));
            await cy.waitForSelector('.cm-content');
            await cy.click('.cm-content');
            if (id === 'bob') await cy.keyboard.press('Control+z');
            shown[id] = await text(cy);
        }
        await cy.keyboard.press('Control+z');
        const undone = await text(cy);
        await cy.context().close();
        return first(shown.bob === starter ? '' : `bob is shown ${shown.bob.slice(0, 40)}`, shown.cy === `// of cy ${starter}` ? '' : `cy is shown ${shown.cy.slice(0, 40)}`, undone === starter ? '' : `cy cannot undo it: ${undone.slice(0, 40)}`);
    },
    async 'a page that stays open when somebody else comes in writes nothing of theirs, and keeps what it has'({ browser }) {
        const cy = await enter(browser, 'cy');
        await cy.goto(pageOf(lesson));
        await cy.waitForSelector('.cm-content');
        const before = await text(cy), bob = await cy.context().newPage();
        await bob.goto(server.address + linkOf('bob'));
        await bob.goto(pageOf(lesson));
        await bob.waitForSelector('.cm-content');
        const own = await text(bob);
        await cy.click('.cm-content');
        await cy.keyboard.press('Control+Home');
        await cy.keyboard.type('// late ');
        let problem = await until('a word on who is here', async () => /Somebody else has come in/.test(await cy.innerText('#notice')));
        problem = first(problem, await cy.isDisabled('#exercise button[value="check"]') ? '' : 'a check can be asked for', await cy.locator('#notice button').count() === 0 ? '' : 'it asks for a text of two');
        await bob.reload();
        await bob.waitForSelector('.cm-content');
        problem = first(problem, await text(bob) === own ? '' : `bob has ${(await text(bob)).slice(0, 40)}`);
        await cy.goto(server.address + linkOf('cy'));
        await cy.goto(pageOf(lesson));
        await cy.waitForSelector('.cm-content');
        problem = first(problem, await text(cy) === `// late ${before}` ? '' : `cy has ${(await text(cy)).slice(0, 40)}`);
        await cy.context().close();
        return problem;
    },
    async 'somebody who comes back to such a page is told before anything is done'({ browser }) {
        const cy = await enter(browser, 'cy');
        await cy.goto(pageOf(lesson));
        await cy.waitForSelector('.cm-content');
        const bob = await cy.context().newPage();
        await bob.goto(server.address + linkOf('bob'));
        await cy.evaluate(() => document.dispatchEvent(new Event('visibilitychange')));
        const problem = await until('a word on who is here', async () => /Somebody else has come in/.test(await cy.innerText('#notice')));
        await cy.context().close();
        return problem;
    },
    async 'without JavaScript such a page is refused, and says why'({ browser }) {
        const cy = await enter(browser, 'cy', { javaScriptEnabled: false });
        await cy.goto(pageOf(lesson));
        const bob = await cy.context().newPage();
        await bob.goto(server.address + linkOf('bob'));
        await cy.fill('#source', '// too late');
        await cy.click('#exercise button[value="check"]');
        const said = await cy.innerText('body');
        await bob.goto(pageOf(lesson));
        const has = await bob.inputValue('#source');
        await cy.context().close();
        return first(/Somebody else has come in/.test(said) ? '' : said.slice(0, 80), has.includes('too late') ? 'bob has it' : '');
    },
    async 'the teacher finds the class from every page'({ people }) {
        await people.teacher.click('header a[href="/class.html"]');
        return (await people.teacher.innerText('h1')) === 'The class' ? '' : people.teacher.url();
    },
    async 'what is due, and that nothing was handed in'({ people }) {
        await people.bob.goto(pageOf(lesson));
        const said = await words(people.bob);
        return /Due 2999-01-01 12:00 UTC/.test(said) && said.includes('Nothing handed in yet') ? '' : said;
    },
    async 'without a mouse: from the map into the text, typed, checked, passed'({ people }) {
        const { ann } = people;
        let problem = await tabTo(ann, `a[href*="${lesson}"]`);
        await ann.keyboard.press('Enter');
        await ann.waitForSelector('.cm-content');
        problem = first(problem, await tabTo(ann, '.cm-content'));
        await typeOver(ann, lesson);
        await ann.keyboard.press('Control+Enter');
        problem = first(problem, await until('a verdict', async () => /Passed|Not yet/.test(await heading(ann)) && !(await ann.locator('.checking').count())));
        return first(problem, /✓ Passed, (\d+) of \1 points/.test(await heading(ann)) ? '' : await ann.innerText('#verdict'));
    },
    async 'without a mouse: handed in, and the page says when'({ people }) {
        const { ann } = people;
        await ann.keyboard.press('Escape');
        const problem = await tabTo(ann, 'button[value=hand-in]');
        await ann.keyboard.press('Enter');
        return first(problem, await until('it is said', async () => /^Handed in at \d{4}-\d\d-\d\d \d\d:\d\d UTC\.$/.test(await notice(ann))),
            await until('it stays', async () => /Handed in at .* UTC/.test(await words(ann))),
            source(path.join(submissions('ann'), `${lesson}.cu`)) === await text(ann) ? '' : 'what was handed in is not what stands there');
    },
    async 'the same text once more is none'({ people }) {
        await people.ann.click('button.hand-in');
        return first(await until('it is said', async () => (await notice(people.ann)).includes('This very text was handed in')), fs.readdirSync(submissions('ann')).length === 1 ? '' : 'there are two');
    },
    async 'without a mouse: to the own page, which has what was handed in'({ people }) {
        const { ann } = people;
        const problem = await tabTo(ann, '#class-words a');
        await ann.keyboard.press('Enter');
        await ann.waitForURL('**/own.html');
        const said = await ann.innerText('main');
        return first(problem, /1 of \d+ lessons passed/.test(said) && new RegExp(`${lesson}\\s+\\d{4}-\\d\\d-\\d\\d`).test(said) ? '' : said);
    },
    async 'the place in the queue is shown as it changes'({ people }) {
        const { ann, bob, cy } = people, sleeps = '#include <unistd.h>\n' + source(mutant).replace(/(void vector_add\([^{]*\{)/, '$1 sleep(60);');
        await cy.goto(pageOf(lesson));
        await ann.goto(pageOf(lesson));
        await ann.waitForSelector('.cm-content');
        await send(bob, lesson, 'check', sleeps);
        await send(cy, lesson, 'check', sleeps);
        await ann.click('button.check');
        let problem = await until('one before', async () => (await ann.innerText('#steps')).includes('Waiting: 1 before yours'));
        await photograph(ann, 'waiting');
        await send(bob, lesson, 'check', source(mutant)); // takes the place of what sleeps, and goes behind
        problem = first(problem, await until('the next', async () => (await ann.innerText('#steps')).includes('Waiting: yours is next')));
        await send(cy, lesson, 'check', source(mutant));
        return first(problem, await until('its turn', async () => (await heading(ann)).includes('Passed') && !(await ann.locator('.checking').count())),
            await until('the others', async () => (await heading(bob)).startsWith('Not yet') && (await heading(cy)).startsWith('Not yet')));
    },
    async 'words of the teacher are there at once, for whom they are meant'({ people }) {
        const { ann, bob, teacher } = people;
        await teacher.goto(`${server.address}/class.html`);
        await teacher.selectOption('#to', { label: 'Name of <b>ann</b>' });
        await teacher.fill('#words', 'Look at <b>line 3</b>, please.\nAnd at the guard.');
        await teacher.click('form.write button');
        const problem = await until('they are there', async () => (await words(ann)).includes('Look at <b>line 3</b>, please.\nAnd at the guard.'));
        await photograph(ann, 'words');
        return first(problem, (await words(bob)).includes('line 3') ? 'bob reads them, too' : '', teacher.url() === `${server.address}/class.html` ? '' : teacher.url());
    },
    async 'words to nobody, or none, are not sent, and it is said why'({ people }) {
        const said = await people.teacher.evaluate(async () => {
            const send = body => fetch('/class/message', { method: 'POST', body: new URLSearchParams(body) }).then(async answer => `${answer.status} ${await answer.text()}`);
            return [await send({ to: '99999', words: 'x' }), await send({ to: 'all', words: '' })].join('\n');
        });
        complaints.length = 0; // the two refusals
        return said.split('\n').every(line => line.startsWith('400 Nothing was sent: there are no words in it')) ? '' : said;
    },
    async 'the teacher sees who is where, what holds how many, and a version with its verdict'({ people }) {
        const { teacher } = people;
        await teacher.goto(`${server.address}/class.html`);
        const page = await teacher.innerText('main');
        if (!/Name of <b>ann<\/b>\s+1\s+01-vector-add/.test(page) || !page.includes('out-of-bounds')) return page;
        await teacher.click('text=Name of <b>bob</b>');
        await teacher.click('tbody a >> nth=0');
        const version = await teacher.innerText('main');
        if (!version.includes('Name of <b>bob</b>') || !version.includes('Not yet') || !version.includes('out-of-bounds')) return version;
        await teacher.click('.place a'); // to the line, and to the finding's page
        if (!(await teacher.locator('.version .line:target').innerText()).includes('z[i] = x[i] + y[i]')) return teacher.url();
        await teacher.click('.finding a.kind');
        return (await teacher.innerText('h1')).includes('out-of-bounds') ? '' : await teacher.innerText('body');
    },
    async 'feedback that is released is on the own page'({ people }) {
        const { ann } = people;
        await ann.goto(`${server.address}/own.html`);
        if (!(await ann.innerText('main')).includes('No feedback has been released yet')) return 'there is some before';
        run('grade', path.join(room, 'submissions'), '--roster', path.join(room, 'roster.csv'), '--course', path.join(room, 'course.yaml'), '--gradebook', path.join(room, 'gradebook.db'), '--seed', '5');
        run('export', 'feedback', '--gradebook', path.join(room, 'gradebook.db'), '--course', path.join(room, 'course.yaml'), '-o', path.join(room, 'feedback/'));
        await ann.reload();
        await ann.click('text=The feedback that your teacher has released');
        const said = await ann.innerText('body');
        await ann.click('nav.own a');
        await ann.waitForURL('**/own.html');
        return said.includes('Name of <b>ann</b>') && said.includes('01') && !said.includes('bob') ? '' : said;
    },
    async 'without a script: handed in by a form'({ browser }) {
        const page = await enter(browser, 'cy', { javaScriptEnabled: false });
        await page.goto(pageOf(lesson));
        await page.fill('#source', solution(lesson));
        await page.click('button.hand-in');
        const said = await page.innerText('#notice'), kept = await page.innerText('#class-words');
        await page.context().close();
        return /^Handed in at/.test(said) && /Handed in at/.test(kept) && fs.existsSync(path.join(submissions('cy'), `${lesson}.cu`)) ? '' : `${said} ${kept}`;
    },
    async 'handing in waits for a text that is being saved, and for the answer to a question'({ people }) {
        const { ann } = people, work = path.join(room, `students/ann/work/${lesson}.cu`), mine = 'Keep what I wrote here';
        const isThere = name => ann.locator('#notice button', { hasText: name }).count();
        let saving = false;
        await ann.goto(pageOf(lesson));
        await ann.waitForSelector('.cm-content');
        await ann.route('**/source', async route => {
            saving = saving || route.request().method() === 'PUT';
            await new Promise(done => setTimeout(done, 1500));
            await route.continue().catch(() => {}); // the page may be gone
        });
        await ann.click('.cm-content');
        await ann.keyboard.press('Control+Home');
        await ann.keyboard.type('// saved slowly\n');
        let problem = await until('it is being saved', async () => saving);
        await ann.click('button.hand-in');
        problem = first(problem, await until('it is handed in', async () => (await notice(ann)).startsWith('Handed in at')));
        await ann.unroute('**/source');
        await ann.keyboard.press('Escape');
        fs.writeFileSync(work, '// from elsewhere\n' + source(work));
        await ann.click('.cm-content');
        await ann.keyboard.type('// and here\n');
        problem = first(problem, await until('the question', async () => await isThere(mine) === 1));
        await ann.click('button.hand-in');
        await new Promise(done => setTimeout(done, 500)); // nothing is to happen
        problem = first(problem, await isThere(mine) === 1 ? '' : `the question is gone: ${await notice(ann)}`);
        await ann.click(`#notice button:has-text("${mine}")`);
        return first(problem, await until('it is saved', async () => source(work).includes('// and here')));
    },
    async 'a request that a proxy answers for the server is sent again, though the stream of events lives'({ people }) {
        const { ann } = people, begins = '// typed while a proxy answered\n';
        await ann.goto(pageOf(lesson));
        await ann.waitForSelector('.cm-content');
        await ann.route('**/source', route => route.fulfill({ status: 502, contentType: 'text/html', body: '<html><title>502 Bad Gateway</title><h1>502</h1></html>' }));
        await ann.click('.cm-content');
        await ann.keyboard.press('Control+Home');
        await ann.keyboard.type(begins);
        const problem = await until('it is said', async () => (await notice(ann)).includes('does not answer at the moment'));
        await ann.unroute('**/source');
        return first(problem, await until('saved', async () => source(path.join(room, `students/ann/work/${lesson}.cu`)).startsWith(begins)), await until('the notice goes', async () => await notice(ann) === ''));
    },
    async 'killed: the page says so, and what is typed meanwhile is saved when the class is back'({ people }) {
        const { ann } = people;
        await ann.goto(pageOf(lesson));
        await ann.waitForSelector('.cm-content');
        await end('SIGKILL');
        await ann.click('.cm-content');
        await ann.keyboard.press('Control+Home');
        await ann.keyboard.type('// typed while nobody was there\n');
        let problem = await until('it is said', async () => (await notice(ann)).includes('does not answer at the moment') && !(await notice(ann)).includes('make serve'));
        await photograph(ann, 'gone');
        await start();
        problem = first(problem, await until('saved', async () => source(path.join(room, `students/ann/work/${lesson}.cu`)).startsWith('// typed while')), await until('the notice goes', async () => await notice(ann) === ''));
        await ann.click('button.check');
        return first(problem, await until('a check goes on as before', async () => (await heading(ann)).includes('Passed') && !(await ann.locator('.checking').count())));
    },
    async 'withdrawn: an open page says so, and the link is void'({ people }) {
        const { bob } = people, link = linkOf('bob');
        await bob.goto(pageOf(lesson));
        await bob.waitForSelector('.cm-content');
        run('class', room, 'withdraw', 'bob');
        const problem = await until('it is said', async () => (await notice(bob)).includes('Open your personal link again'));
        await photograph(bob, 'withdrawn');
        const response = await bob.goto(server.address + link);
        return first(problem, response.status() === 403 && (await bob.innerText('body')).includes('ask your teacher') ? '' : `${response.status()}`);
    },
    async 'without a mouse: a session ends by Leave, on every open page'({ people }) {
        const { ann } = people, other = await ann.context().newPage();
        await ann.goto(pageOf(lesson));
        await ann.waitForSelector('.cm-content');
        await other.goto(`${server.address}/own.html`);
        let problem = await tabTo(other, 'form[action="/leave"] button');
        await other.keyboard.press('Enter');
        problem = first(problem, await until('the page after', async () => (await other.innerText('body')).includes('your session has ended')));
        return first(problem, await until('the other one', async () => (await notice(ann)).includes('your session has ended')));
    }
};

/* Cases in which a request must be refused, which a console complains of. */
const excused = name => /^(without a link|handing in waits|a request that a proxy|killed|withdrawn|without a mouse: a session|a page that stays open|without JavaScript such)/.test(name);

async function lookAtAll(people) {
    const { bob, teacher } = people;
    await bob.goto(pageOf(lesson));
    await bob.waitForSelector('.cm-content');
    await looks(bob, 'looks: a lesson of a class');
    for (const name of ['own.html', 'feedback.html']) {
        await bob.goto(`${server.address}/${name}`);
        if (await bob.locator('h1').count() > 0) await looks(bob, `looks: ${name}`);
    }
    await teacher.goto(`${server.address}/class.html`);
    await looks(teacher, 'looks: the class');
    await teacher.click('tbody a >> nth=1');
    await looks(teacher, 'looks: a student');
    if (await teacher.locator('tbody a').count() === 0) return;
    await teacher.click('tbody a >> nth=0');
    await looks(teacher, 'looks: a version');
}

async function main() {
    const browser = await chromium.launch({ executablePath: browserPath, args: ['--no-sandbox', '--disable-dev-shm-usage'] });
    await start();
    const people = {};
    for (const id of ['teacher', 'ann', 'bob', 'cy']) people[id] = await enter(browser, id);
    const last = Object.fromEntries(Object.entries(cases).filter(([name]) => excused(name) && !name.startsWith('without a link')));
    const before = Object.fromEntries(Object.entries(cases).filter(([name]) => !(name in last)));
    await runCases(before, filter, excused, { browser, people });
    if ('looks'.includes(filter)) await lookAtAll(people);
    await runCases(last, filter, excused, { browser, people });
    await browser.close();
    if (await end('SIGINT') !== 0) console.log(`FAILED the class ends well: ${server.said}`);
    console.log(`${counts.passed} ${counts.failed}`);
}

main().catch(error => {
    console.error(error.message);
    if (server.process) server.process.kill('SIGKILL');
    process.exit(1);
});
