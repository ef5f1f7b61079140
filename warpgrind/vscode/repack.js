// repack.js FROM.vsix TO.vsix - the same files in the order of their names, all of one time, SOURCE_DATE_EPOCH (or the oldest that zip knows): packed twice, an
// extension is the same byte for byte. vsce takes the clock's time. NODE_PATH names the packages of vsce, whose own yauzl and yazl these are.
'use strict';
const fs = require('fs');
const yauzl = require('yauzl');
const yazl = require('yazl');

const [from, to] = process.argv.slice(2);
const OLDEST = 315532800;
const mtime = new Date(1000 * Number(process.env.SOURCE_DATE_EPOCH || OLDEST));

function fail(error) {
    console.error(`repack.js: ${error.message}`);
    process.exit(1);
}

yauzl.open(from, { lazyEntries: true }, (error, archive) => {
    if (error) fail(error);
    const files = new Map();
    archive.on('error', fail);
    archive.on('entry', entry =>
        archive.openReadStream(entry, (problem, stream) => {
            if (problem) fail(problem);
            const chunks = [];
            stream.on('error', fail);
            stream.on('data', chunk => chunks.push(chunk));
            stream.on('end', () => {
                files.set(entry.fileName, Buffer.concat(chunks));
                archive.readEntry();
            });
        }),
    );
    archive.on('end', () => {
        const packed = new yazl.ZipFile();
        for (const name of [...files.keys()].sort()) packed.addBuffer(files.get(name), name, { mtime, mode: 0o100644 });
        packed.outputStream.pipe(fs.createWriteStream(to)).on('error', fail);
        packed.end();
    });
    archive.readEntry();
});
