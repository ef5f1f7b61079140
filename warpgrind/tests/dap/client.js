// client.js FOLDER - the adapter by the published test client, @vscode/debugadapter-testsupport: the sequences that an editor sends. FOLDER holds the programs
// `steps` and `sum` with their sources. Prints a line PASSED NAME or FAILED NAME: WHY for each case.
'use strict';
const path = require('path');
const assert = require('assert');
const { DebugClient } = require('@vscode/debugadapter-testsupport');

const [folder] = process.argv.slice(2);
const steps = path.join(folder, 'steps'), source = steps + '.cu', sum = path.join(folder, 'sum');
const PATIENCE = 60000;

const cases = {
    async 'client: a program runs to its end'(client) {
        const ended = client.waitForEvent('terminated'), exited = client.waitForEvent('exited');
        const printed = client.assertOutput('stdout', '11 605', PATIENCE);
        await Promise.all([client.configurationSequence(), client.launch({ program: steps }), ended, printed]);
        assert.strictEqual((await exited).body.exitCode, 3);
    },
    async 'client: stops on entry'(client) {
        await Promise.all([
            client.configurationSequence(),
            client.launch({ program: steps, stopOnEntry: true }),
            client.assertStoppedLocation('step', { path: source, line: 13 }),
        ]);
    },
    async 'client: hits a breakpoint with a condition, and steps'(client) {
        await client.hitBreakpoint({ program: steps }, { path: source, line: 16, verified: false }, { path: source, line: 16 });
        const threadId = (await client.threadsRequest()).body.threads[0].id;
        const step = (request, line) => Promise.all([client[request]({ threadId }), client.assertStoppedLocation('step', { path: source, line })]);
        await step('stepInRequest', 9);
        await step('stepOutRequest', 16);
        await step('nextRequest', 15);
        await Promise.all([client.stepBackRequest({ threadId }), client.assertStoppedLocation('step', { path: source, line: 16 })]);
        await client.setBreakpointsRequest({ source: { path: source }, breakpoints: [{ line: 17, condition: 'i == 33' }] });
        await Promise.all([client.continueRequest({ threadId }), client.assertStoppedLocation('breakpoint', { path: source, line: 17 })]);
        assert.strictEqual((await client.evaluateRequest({ expression: 'sum', context: 'watch' })).body.result, '204');
        await Promise.all([client.reverseContinueRequest({ threadId }), client.assertStoppedLocation('entry', {})]);
    },
    async 'client: a finding is an exception'(client) {
        await Promise.all([
            client.waitForEvent('initialized').then(() => client.setExceptionBreakpointsRequest({ filters: ['shared-race'] })).then(() => client.configurationDoneRequest()),
            client.launch({ program: sum, seed: 1 }),
            client.assertStoppedLocation('exception', { path: sum + '.cu', line: 9 }),
        ]);
    },
    async 'client: a function breakpoint and scopes'(client) {
        await Promise.all([
            client.waitForEvent('initialized').then(() => client.setFunctionBreakpointsRequest({ breakpoints: [{ name: 'twice' }] })).then(() => client.configurationDoneRequest()),
            client.launch({ program: steps }),
            client.assertStoppedLocation('function breakpoint', { path: source, line: 9 }),
        ]);
        const threadId = (await client.threadsRequest()).body.threads[0].id;
        const frames = (await client.stackTraceRequest({ threadId, startFrame: 1, levels: 1 })).body;
        assert.strictEqual(frames.totalFrames, 2);
        assert.strictEqual(frames.stackFrames.length, 1);
        const scopes = (await client.scopesRequest({ frameId: frames.stackFrames[0].id })).body.scopes;
        const locals = (await client.variablesRequest({ variablesReference: scopes[0].variablesReference })).body.variables;
        assert.ok(locals.some(v => v.name === 'j' && v.value === '0'), JSON.stringify(locals));
        await assert.rejects(client.setVariableRequest({ variablesReference: scopes[0].variablesReference, name: 'j', value: '1' }), /values cannot be changed/);
    },
    async 'client: a run is paused'(client) {
        const printed = client.assertOutput('stdout', '11 605', PATIENCE);
        await Promise.all([client.configurationSequence(), client.launch({ program: steps, args: ['long'] }), printed]);
        await Promise.all([client.pauseRequest({ threadId: 1 }), client.waitForEvent('stopped').then(event => assert.strictEqual(event.body.reason, 'pause'))]);
        await Promise.all([client.terminateRequest(), client.waitForEvent('terminated')]);
    },
    async 'client: requests that are refused'(client) {
        await client.initializeRequest();
        await assert.rejects(client.launchRequest({ program: steps + '.missing' }), /build it first/);
        await assert.rejects(client.send('nonsense'), /no request nonsense/);
    },
};

async function main() {
    for (const [name, run] of Object.entries(cases)) {
        if (!name.includes(process.env.FILTER || '')) continue;
        const client = new DebugClient('sh', path.join(__dirname, 'adapter.sh'), 'warpgrind');
        client.defaultTimeout = PATIENCE;
        try {
            await client.start();
            await run(client);
            console.log(`PASSED ${name}`);
        } catch (error) {
            console.log(`FAILED ${name}: ${String(error.message || error).replace(/\s+/g, ' ').slice(0, 600)}`);
        }
        await client.stop();
    }
}

main();
