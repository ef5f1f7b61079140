/* ---- memory as the hardware sees it: the sectors of an access to global memory, the banks of one to shared memory ---- */

const SECTOR = 32, WORD = 4, BANKS = 32;
const lanesText = lanes => `lane${lanes.length === 1 ? '' : 's'} ${ranges(lanes)}`;

/* The sectors that the lanes touch, in the order of their addresses: which words of each are used, and by whom. */
function sectorsOf(step) {
    const sectors = new Map();
    step.addresses.forEach((address, i) => {
        for (let byte = address; byte < address + step.bytes; byte++) {
            const number = Math.floor(byte / SECTOR), sector = sectors.get(number) || { number, used: new Set(), lanes: [], cells: new Set() };
            sector.used.add(byte - number * SECTOR);
            if (!sector.lanes.includes(step.lanes[i])) sector.lanes.push(step.lanes[i]);
            if (step.cells && step.array >= 0) sector.cells.add(step.cells[i]);
            sectors.set(number, sector);
        }
    });
    return [...sectors.values()].sort((a, b) => a.number - b.number);
}
function drawSectors(step) {
    const sectors = sectorsOf(step), fetched = sectors.length * SECTOR, used = sectors.reduce((sum, s) => sum + s.used.size, 0), deed = step.kind === 'r' ? 'fetched' : 'written';
    const atomic = step.kind === 'a' ? ' An atomic operation changes single elements in them.' : step.cost > step.ideal ? ` ${step.ideal} would do.` : ' Fewer would not do.';
    $('fetched').textContent = `${sectors.length} sector${sectors.length === 1 ? '' : 's'} of 32 bytes, ${spell(fetched)} bytes, for ${spell(used)} bytes that the threads use${fetched > used && step.kind !== 'a' ? `: ${spell(fetched - used)} are ${deed} for nobody` : ''}.${atomic}`;
    let last = null;
    for (const sector of sectors) {
        const item = make('li'), words = make('span', undefined, 'words');
        words.setAttribute('aria-hidden', 'true');
        for (let word = 0; word < SECTOR / WORD; word++) words.append(make('i', undefined, [0, 1, 2, 3].some(b => sector.used.has(word * WORD + b)) ? step.kind === 'r' ? 'r' : 'w' : ''));
        const whose = sector.cells.size > 0 ? `[${ranges([...sector.cells].sort((a, b) => a - b))}] ` : '', apart = last === null ? 0 : sector.number - last - 1;
        if (apart > 0) $('sectors').append(make('li', `${spell(apart)} between`, 'apart'));
        item.append(words, make('span', `${whose}${lanesText(sector.lanes.sort((a, b) => a - b))}: ${sector.used.size} of 32 bytes`));
        $('sectors').append(item);
        last = sector.number;
    }
}

/* Words of 8 bytes are served for half a warp at a time, words of 16 for a quarter; two such parts together where lanes beside each other, or two
 * apart, are alike: as the model counts them (check/counts/traffic.c). */
function lanesAtOnce(step) {
    if (step.bytes <= WORD) return 32;
    const at = new Map(step.lanes.map((lane, i) => [lane, step.addresses[i]])), alike = distance => step.lanes.every(lane => !at.has(lane ^ distance) || at.get(lane ^ distance) === at.get(lane));
    return BANKS * WORD / step.bytes * (alike(1) || alike(2) ? 2 : 1);
}
/* The turns that the banks take: of each bank the lanes that get their word in it. */
function turnsOf(step) {
    const turns = [], together = lanesAtOnce(step);
    for (let from = 0; from < 32; from += together) {
        const banks = Array.from({ length: BANKS }, () => new Map());
        step.addresses.forEach((address, i) => {
            if (step.lanes[i] < from || step.lanes[i] >= from + together) return;
            for (let byte = 0; byte < step.bytes; byte += WORD) {
                const word = Math.floor((address + byte) / WORD), bank = banks[(word % BANKS + BANKS) % BANKS];
                bank.set(word, [...bank.get(word) || [], step.lanes[i]]);
            }
        });
        const most = Math.max(...banks.map(bank => bank.size)), queues = banks.map(bank => [...bank.values()]);
        for (let turn = 0; turn < most; turn++) turns.push(queues.map(queue => ({ lanes: queue[turn], conflict: queue.length > 1 })));
    }
    return turns;
}
function drawBanks(step) {
    const turns = turnsOf(step), head = make('tr'), worst = turns[0] ? turns[0].findIndex((_, bank) => turns.filter(turn => turn[bank].lanes).length === turns.length) : 0;
    const fair = step.kind === 'a' ? ' Atomic operations queue at their words besides.' : turns.length > step.ideal ? ` ${step.ideal} would do: several words that are wanted at once lie in one bank, as in bank ${worst}, and each takes a turn of its own.` : ' No two words that are wanted at once lie in one bank.';
    $('fetched').textContent = `${turns.length} turn${turns.length === 1 ? '' : 's'} of the 32 banks.${fair}`;
    head.append(make('th', 'turn'), ...Array.from({ length: BANKS }, (_, bank) => make('th', bank, turns.length > step.ideal && turns.every(turn => turn[bank].lanes) ? 'bad' : '')));
    head.querySelectorAll('th').forEach(cell => { cell.scope = 'col'; });
    $('banks').append(head, ...turns.map((turn, n) => {
        const row = make('tr'), first = make('th', n + 1);
        first.scope = 'row';
        row.append(first, ...turn.map(({ lanes, conflict }) => make('td', lanes ? lanes.length > 1 ? `${lanes[0]}+` : lanes[0] : '', lanes ? conflict && turns.length > step.ideal ? 'bad' : step.kind === 'r' ? 'r' : 'w' : '')));
        return row;
    }));
}

function drawHardware(step) {
    const shared = step && step.array >= 0 && run.arrays[step.array].space === 'shared', known = step && step.addresses && step.addresses.length > 0;
    $('sectors').replaceChildren();
    $('banks').replaceChildren();
    $('sectors').hidden = !known || shared;
    $('bank-pane').hidden = !known || !shared;
    if (!known) { $('fetched').textContent = 'This step is no access to memory.'; return; }
    if (shared) drawBanks(step); else drawSectors(step);
}
