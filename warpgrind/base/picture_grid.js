/* ---- all blocks of the launch ---- */

const all = run.all_blocks || { each: 1 }, extent = run.grid || [0, 0, 0], blocksTotal = extent[0] * extent[1] * extent[2], cellCount = Math.ceil(blocksTotal / all.each);
const countOf = (what, cell) => { const counts = all[what] || []; return counts.length > 1 ? counts[cell] : counts[0] || 0; };
const indexOf = linear => [linear % extent[0], Math.floor(linear / extent[0]) % extent[1], Math.floor(linear / extent[0] / extent[1])];
const linearOf = index => index[0] + extent[0] * (index[1] + extent[1] * index[2]);
const blockText = linear => indexOf(linear).slice(0, dimensions).join(',');
const recordedIn = cell => run.blocks.findIndex(block => Math.floor(linearOf(block.index) / all.each) === cell);

/* The array that the answer is: known by its values, else the only one whose wrong elements were all written by somebody. */
function answeredWriters() {
    if (!answer) return undefined;
    const known = (run.writers || []).filter(w => answered >= 0 ? w.array === answered : answer.wrong.every(cell => writerOf(w, cell) >= 0));
    return known.length === 1 && answer.wrong.length > 0 ? known[0] : undefined;
}
function writerOf(writers, element) {
    for (let i = 0; i < writers.runs.length; i += 3) if (element >= writers.runs[i] && element < writers.runs[i] + writers.runs[i + 1]) return writers.runs[i + 2];
    return -1;
}
const wrongBy = new Map(), writersOfAnswer = answeredWriters();
if (writersOfAnswer) for (const element of answer.wrong) {
    const cell = writerOf(writersOfAnswer, element);
    if (cell >= 0) wrongBy.set(cell, [...wrongBy.get(cell) || [], element]);
}
const wrongCount = cell => (wrongBy.get(cell) || []).length;
const ways = [
    { name: 'findings', say: n => `a finding, ${spell(n)} time${n === 1 ? '' : 's'}`, of: cell => countOf('errors', cell) + countOf('notes', cell), bad: cell => countOf('errors', cell) > 0 },
    { name: 'wrong elements of the answer', say: n => `${spell(n)} wrong element${n === 1 ? '' : 's'} of the answer`, of: wrongCount, bad: cell => wrongCount(cell) > 0 },
    { name: 'divergent branches', say: n => `${spell(n)} divergent branch${n === 1 ? '' : 'es'}`, of: cell => countOf('divergent', cell) },
    { name: 'sectors and bank turns too many', say: n => `${spell(n)} sector${n === 1 ? '' : 's'} and bank turns more than needed`, of: cell => countOf('excess', cell) },
    { name: 'instructions of warps', say: n => `${spell(n)} instruction${n === 1 ? '' : 's'} of warps`, of: cell => countOf('instructions', cell) }
];
const cells = Array.from({ length: cellCount }, (_, cell) => cell);
const waysHere = ways.filter(way => cells.some(cell => way.of(cell) > 0));

const cellName = cell => all.each === 1 ? `block ${blockText(cell)}` : `blocks ${blockText(cell * all.each)} to ${blockText(Math.min((cell + 1) * all.each, blocksTotal) - 1)}`;
function gridText(cell) {
    const facts = waysHere.map(way => way.say(way.of(cell))).join(', '), shown = recordedIn(cell), first = writersOfAnswer && answer.wrong[0] !== undefined && writerOf(writersOfAnswer, answer.wrong[0]) === cell;
    const makes = first ? `. The first wrong element, ${answer.name}[${answer.wrong[0]}], is made here` : '';
    return `${cellName(cell)}: ${facts}${makes}. ${shown >= 0 ? 'Its steps are shown: press Enter' : `Its steps are not shown${again ? `; to see them: ${commandFor({ block: blockText(cell * all.each) })}` : ''}`}.`;
}
function drawGrid() {
    const way = waysHere[Number($('by').value)] || ways[4], counts = cells.map(way.of), most = Math.max(...counts, 0), least = Math.min(...counts);
    $('scale').textContent = `${all.each > 1 ? `Each field stands for ${spell(all.each)} blocks, one after the other. ` : ''}${way.bad ? '' : `The darker, the more: ${spell(least)} to ${spell(most)}. `}Blocks whose steps are shown have a thick edge.`;
    const columns = all.each === 1 && dimensions > 1 && extent[0] <= 64 ? extent[0] : 0;
    $('grid').style.gridTemplateColumns = columns ? `repeat(${columns}, minmax(1.9rem, 3.4rem))` : '';
    $('grid').replaceChildren(...cells.map(cell => {
        const button = make('button', blockText(cell * all.each), [way.bad && way.bad(cell) ? 'bad' : '', recordedIn(cell) >= 0 ? 'shown' : ''].join(' ').trim());
        const share = most > 0 ? counts[cell] / most : 0;
        button.type = 'button';
        button.tabIndex = cell === 0 ? 0 : -1;
        button.dataset.place = cell;
        if (!(way.bad && way.bad(cell)) && share > 0) button.style.background = `color-mix(in srgb, var(--heat) ${Math.round(15 + 85 * share)}%, var(--page))`;
        button.append('\n', make('span', counts[cell] > 0 ? tight(counts[cell]) : ' ', 'value'));
        /* What is seen comes first in what is read out. */
        button.setAttribute('aria-label', `${button.textContent.trim().replace(/\s+/g, ' ')}, ${cellName(cell)}, ${way.say(counts[cell])}`);
        const tell = () => { $('grid-said').textContent = gridText(cell); };
        button.addEventListener('focus', tell);
        button.addEventListener('mouseenter', tell);
        button.addEventListener('click', () => { const shown = recordedIn(cell); tell(); if (shown >= 0) chooseBlock(shown, 0); });
        return button;
    }));
}
const tight = n => n < 10000 ? String(n) : n < 1e7 ? `${Math.round(n / 1000)}k` : `${Math.round(n / 1e6)}M`;
function beginGrid() {
    $('grid-part').hidden = cellCount < 2 || waysHere.length === 0;
    if ($('grid-part').hidden) return;
    $('by').append(...waysHere.map((way, i) => new Option(way.name, i)));
    $('by').addEventListener('change', drawGrid);
    drawGrid();
    const worst = cells.find(cell => waysHere[0].bad && waysHere[0].bad(cell));
    $('grid-said').textContent = gridText(worst === undefined ? cells.find(cell => recordedIn(cell) >= 0) || 0 : worst);
}

/* ---- what was left out, and how it is seen ---- */

const again = file.again && file.again.words ? file.again : null, chosen = run.chosen || {};
/* The command that makes this picture with another choice; what was chosen before stays where nothing else is said. */
function commandFor(choice) {
    const now = { launch: chosen.launch || '', block: chosen.blocks || '', warp: chosen.warp >= 0 ? chosen.warp : '', from: '', ...choice };
    const option = name => now[name] === '' ? '' : again.variables ? ` ${name.toUpperCase()}=${now[name]}` : ` --picture-${name}=${now[name]}`;
    return again.words + ['launch', 'block', 'warp', 'from'].map(option).join('') + (again.rest ? ` ${again.rest}` : '');
}
const blockChoice = step => blockText(linearOf(run.blocks[step.block].index));
const gapText = step => `Steps ${spell(step.name)} to ${spell(step.name + step.skipped - 1)}`;
function leftOut() {
    const items = [], add = (text, choice) => items.push([text, choice]), later = gaps.filter(step => !step.others).sort((a, b) => b.skipped - a.skipped);
    if (chosen.launch && !run.kernel) items.push([run.launches > 0 ? `There is no launch ${spell(chosen.launch)}: the run has ${spell(run.launches)}.` : 'No kernel has run.', null]);
    else if (chosen.blocks && run.blocks.length === 0) items.push([`No block ${chosen.blocks} has run in this launch, whose grid is ${shape(extent)}.`, null]);
    if (run.left_out && run.left_out.blocks) {
        const missing = cells.find(cell => recordedIn(cell) < 0);
        add(`${spell(run.left_out.blocks)} more block${run.left_out.blocks === 1 ? '' : 's'} of this launch.`, missing === undefined ? null : { block: blockText(missing * all.each) });
    }
    for (const step of later.slice(0, 12)) add(`${gapText(step)} of block ${blockChoice(step)}.`, { block: blockChoice(step), from: step.name });
    if (later.length > 12) add(`${spell(later.length - 12)} more places where steps are left out.`, null);
    if (chosen.warp >= 0) add(`The other warps: only warp ${chosen.warp} is shown.`, { warp: '' });
    if (run.kernel && run.launches > 1) add(`${spell(run.launches - 1)} more launch${run.launches === 2 ? '' : 'es'} of the run: this is launch ${run.launch}.`, { launch: run.launch < run.launches ? run.launch + 1 : 1, block: '', warp: '' });
    return items;
}
function drawLeft() {
    const items = leftOut();
    $('left-part').hidden = items.length === 0;
    $('left-out').replaceChildren(...items.map(([text, choice]) => {
        const item = make('li', `${text} `);
        if (choice && again) item.append(make('code', commandFor(choice), 'command'));
        return item;
    }));
}
