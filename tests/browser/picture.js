/* picture.js - a picture of a program made for it (pictured.cu): its streams, sectors, banks and blocks, and what it leaves out. browser.js calls
 * it with what all its tests use. */
'use strict';

/* What the hardware does is drawn from addresses, what it costs was counted when it happened: the two agree in every access. */
const disagreement = () => {
    const shared = step => step.array >= 0 && run.arrays[step.array].space === 'shared';
    const wrong = steps.filter(s => s.kind === 'r' || s.kind === 'w').find(s => (shared(s) ? turnsOf(s) : sectorsOf(s)).length !== s.cost);
    return wrong ? [`step ${wrong.name} of block ${wrong.block} costs ${wrong.cost}`] : [];
};

async function testStreams(page, verdict) {
    const text = id => page.textContent(id), names = await page.$$eval('#tracks .name', all => all.map(e => e.textContent));
    verdict('a picture has a row for each stream', String(names) === 'host thread 1,stream 1,stream 2,at the same time' ? [] : names);
    verdict('a missing wait is marked before the later work', await page.locator('#tracks .missing').count() === 1 && await page.locator('#tracks .kind-k.bad').count() === 2
        && /^stream 2: apart, .*missing-sync: the kernel apart, launched at line 30, reads memory/.test(await text('#bar-said')) ? [] : [await text('#bar-said')]);
    await page.locator('#tracks button[tabindex="0"]').focus();
    await page.keyboard.press('ArrowRight');
    const second = await page.evaluate(() => document.activeElement.getAttribute('aria-label'));
    await page.keyboard.press('ArrowLeft');
    verdict('bars have keys of their own', second !== await page.evaluate(() => document.activeElement.getAttribute('aria-label')) && /step 1 of/.test(await text('#where')) ? [] : [second]);
    await page.locator('#tracks .kind-w').focus();
    verdict('a wait says for what', /^stream 1: wait, from [\d,]+ to [\d,]+; for event 1 in stream 2/.test(await text('#bar-said')) ? [] : [await text('#bar-said')]);
    await page.locator('#tracks .kind-d').focus();
    verdict('a copy says what ran beside it', /8,192 bytes; asked for by cudaMemcpyAsync, line 32; beside apart$/.test((await text('#bar-said')).replace(/\..*/, '')) ? [] : [await text('#bar-said')]);
    const [listed, drawn] = await page.evaluate(() => [$('works').children.length, works.length + calls.length]);
    verdict('streams as a table', listed === drawn && listed > 15 ? [] : [`${listed} rows of ${drawn}`]);
    await page.emulateMedia({ media: 'print' });
    await page.evaluate(() => dispatchEvent(new Event('beforeprint')));
    verdict('on paper the table is open', await page.locator('#works tr').first().isVisible() ? [] : ['it is not']);
    await page.emulateMedia({ media: 'print', colorScheme: 'dark' });
    const ink = await page.evaluate(() => getComputedStyle(document.documentElement).getPropertyValue('--page').trim());
    verdict('paper is white in the dark, too', /^#f/.test(ink) ? [] : [ink]);
    await page.emulateMedia({ media: 'screen', colorScheme: 'light' });
}

/* Line 16 reads every second element of an array that nobody has set. */
async function testOpening(page, verdict) {
    const step = await page.evaluate(() => { const s = opening([{ kind: 'uninitialized-read', line: 16 }]); return [s.line, s.values.some(broken), steps.some(e => e.time < s.time && e.line === 16 && e.kind === 'r' && e.values.some(broken))]; });
    verdict('a picture opens where a value was read that was told later', String(step) === '16,true,false' ? [] : [String(step)]);
    verdict('and as ever where that line reads none', await page.evaluate(() => opening([{ kind: 'uninitialized-read', line: 12 }]) === opening([])) ? [] : ['elsewhere']);
}

async function testHardware(page, verdict) {
    const text = id => page.textContent(id);
    await page.locator('#title').click();
    await page.keyboard.press('Home');
    verdict('sectors, and what is fetched for nobody', await page.locator('#sectors li:not(.apart)').count() === 32 && await page.locator('#sectors i.r').count() === 32
        && (await text('#fetched')).startsWith('32 sectors of 32 bytes, 1,024 bytes, for 128 bytes that the threads use: 896 are fetched for nobody. 4 would do.') ? [] : [await text('#fetched')]);
    await page.keyboard.press('ArrowRight');
    verdict('banks, and those that wait', await page.locator('#banks tr').count() === 33 && await page.locator('#banks td.bad').count() === 32 && await page.locator('#banks th.bad').textContent() === '0'
        && (await text('#fetched')).startsWith('32 turns of the 32 banks. 1 would do') ? [] : [await text('#fetched')]);
    verdict('what is drawn of sectors and banks is what was counted', await page.evaluate(disagreement));
}

/* Sentences about shuffles: the lanes that take part, and whose value each gets. */
async function testShuffles(page, verdict) {
    const said = await page.evaluate(() => {
        const all = Array.from({ length: 32 }, (_, lane) => lane), say = (lanes, from) => exchange({ lanes, from: lanes.map(from) }, lanes.length === 1);
        return [say(all, lane => lane < 16 ? lane + 16 : lane), say(all, lane => Math.max(lane - 1, 0)), say(all, () => 0), say(all, lane => lane ^ 3), say(all, lane => 31 - lane), say([0, 5], lane => 5 - lane), say(all, lane => lane), say([3], lane => lane),
            say(all, lane => lane * 7 % 32)];
    });
    const wanted = ['lanes 0-15 get the value of the lane 16 above', 'lanes 1-31 get the value of the lane 1 below', "lanes 1-31 get lane 0's value", 'lanes 0-31 exchange values: each gets that of lane (its own ^ 3)',
        'lanes 0-31 exchange values: each gets that of lane (its own ^ 31)', 'lanes 0, 5 exchange values: each gets that of lane (its own ^ 5)', 'each gets its own value back', 'it gets its own value back'];
    verdict('a shuffle says who gets whose value', said.slice(0, 8).every((words, i) => words === wanted[i]) && /^lanes .* get other lanes' values$/.test(said[8]) ? [] : said);
}

async function testBlocks(page, verdict) {
    const text = id => page.textContent(id);
    verdict('all blocks, by their findings', await page.locator('#grid button').count() === 40 && await page.locator('#grid .bad').count() === 20 && await page.locator('#grid .shown').count() === 6
        && /^block 20: a finding, .*to see them: warpgrind --picture \S+ --picture-block=20 \S+\.$/.test(await text('#grid-said')) ? [] : [await text('#grid-said')]);
    await page.selectOption('#by', { label: 'divergent branches' });
    verdict('and by other things', await page.locator('#grid .bad').count() === 0 && await page.$$eval('#grid .value', all => all.filter(e => e.textContent === '1').length) === 20 ? [] : ['other numbers']);
    await page.locator('#grid button').nth(4).focus();
    await page.keyboard.press('ArrowRight');
    await page.keyboard.press('Enter');
    verdict('a block is chosen in the grid', await page.inputValue('#block') === '5' ? [] : [await page.inputValue('#block')]);
    const left = await page.$$eval('#left-out li', all => all.map(e => e.textContent));
    const gap = left.map(line => /^Steps ([\d,]+) to ([\d,]+) of block 0\. .* --picture-block=0 --picture-from=(\d+) /.exec(line)).find(Boolean);
    verdict('what is left out has its command', /^34 more blocks of this launch\. warpgrind --picture \S+ --picture-block=6 \S+$/.test(left[0]) && gap && gap[1].replace(',', '') === gap[3] ? [] : left);
}

module.exports = async (page, axe, audit, looks, verdict) => {
    await testStreams(page, verdict);
    await testOpening(page, verdict);
    await testHardware(page, verdict);
    await testShuffles(page, verdict);
    await testBlocks(page, verdict);
    const seen = [];
    await page.evaluate(axe);
    for (const [width, scheme] of looks) {
        await page.emulateMedia({ colorScheme: scheme });
        await page.setViewportSize({ width, height: 900 });
        if (await page.evaluate(() => document.documentElement.scrollWidth > document.documentElement.clientWidth)) seen.push(`scrolls sideways at ${width}`);
        if (width === 1280 || scheme === 'dark') seen.push(...await page.evaluate(audit));
    }
    verdict('streams and blocks at three widths, light and dark', seen);
};
