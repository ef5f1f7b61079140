/* editor.js - the editor of an exercise: CodeMirror with the words of CUDA, and what a check has found in the margin and under the text.
 *
 * exercise.js knows nothing of CodeMirror: what it needs of an editor is what makeEditor returns, and a text area has the same.
 */
import { closeBrackets, closeBracketsKeymap } from '@codemirror/autocomplete';
import { defaultKeymap, history, historyField, historyKeymap, indentWithTab } from '@codemirror/commands';
import { cpp } from '@codemirror/lang-cpp';
import { bracketMatching, indentOnInput, indentUnit, syntaxHighlighting, syntaxTree } from '@codemirror/language';
import { highlightSelectionMatches, searchKeymap } from '@codemirror/search';
import { EditorState, Prec, RangeSet, StateEffect, StateField } from '@codemirror/state';
import {
    Decoration, EditorView, GutterMarker, MatchDecorator, ViewPlugin, WidgetType, drawSelection, gutter, highlightActiveLine,
    highlightActiveLineGutter, highlightSpecialChars, keymap, lineNumbers
} from '@codemirror/view';
import { classHighlighter } from '@lezer/highlight';

/* ---- CUDA's words, which C++'s grammar takes for names ---- */

const cudaWords = new RegExp('\\b(__(?:global|device|host|shared|constant|managed|restrict|launch_bounds|grid_constant)__|' +
    '__(?:syncthreads|syncwarp|shfl|ballot|any|all|match|reduce|activemask|threadfence|ldg|popc|ffs|clz)\\w*|' +
    'atomic[A-Z]\\w*|threadIdx|blockIdx|blockDim|gridDim|warpSize|dim3|cuda[A-Z]\\w*|float[234]|int[234]|<<<|>>>)', 'g');
const cudaMark = Decoration.mark({ class: 'tok-cuda' });

function isText(state, position) {
    return !/Comment|String|Char/.test(syntaxTree(state).resolveInner(position, 1).name);
}

const cudaMatcher = new MatchDecorator({
    regexp: cudaWords,
    decorate: (add, from, to, match, view) => { if (isText(view.state, from)) add(from, to, cudaMark); }
});
const cudaHighlighter = ViewPlugin.fromClass(class {
    constructor(view) { this.decorations = cudaMatcher.createDeco(view); }
    update(update) { this.decorations = cudaMatcher.updateDeco(update, this.decorations); }
}, { decorations: plugin => plugin.decorations });

/* ---- what a check has found ---- */

const setMarks = StateEffect.define();

/* A finding below its line: the message, and buttons to the other party's line and to the whole story. */
class FindingNote extends WidgetType {
    constructor(mark, actions) { super(); this.mark = mark; this.actions = actions; }
    eq(other) { return other.mark === this.mark; }
    toDOM(view) {
        const note = document.createElement('div'), text = document.createElement('span');
        note.className = `cm-finding ${this.mark.severity}`;
        text.append(...parts(`${this.mark.kind}: ${this.mark.message} `));
        note.append(text);
        if (this.mark.other_line > 0 && this.mark.other_line !== this.mark.line)
            note.append(button(`line ${this.mark.other_line}${this.mark.other_what ? ` (${this.mark.other_what})` : ''}`, () => goTo(view, this.mark.other_line, this.mark.other_column)), ' ');
        note.append(button('why', () => this.actions.open(this.mark)));
        return note;
    }
    ignoreEvent() { return true; }
}

/* What stands between backquotes is code. */
function parts(words) {
    return words.split('`').map((part, index) => {
        if (index % 2 === 0) return part;
        const code = document.createElement('code');
        code.textContent = part;
        return code;
    });
}

function button(text, action) {
    const made = document.createElement('button');
    made.type = 'button';
    made.textContent = text;
    made.addEventListener('click', action);
    return made;
}

class FindingMarker extends GutterMarker {
    constructor(mark) { super(); this.mark = mark; }
    eq(other) { return other.mark === this.mark; }
    toDOM() {
        const sign = document.createElement('span');
        sign.className = `cm-mark ${this.mark.severity}`;
        sign.textContent = this.mark.severity === 'error' ? '✗' : '!';
        sign.title = `${this.mark.kind}: ${this.mark.message}`;
        return sign;
    }
}

/* From the column to the end of the word there; without a column, the line's text. */
function rangeOf(doc, mark) {
    const line = doc.line(Math.min(Math.max(mark.line, 1), doc.lines)), indented = line.text.search(/\S|$/);
    const from = line.from + (mark.column > 0 ? Math.min(mark.column - 1, line.length) : indented);
    const word = /^[A-Za-z_]\w*|^\S/.exec(line.text.slice(from - line.from));
    return { line, from, to: mark.column > 0 ? from + (word ? word[0].length : 0) : line.to };
}

function decorate(doc, marks, actions) {
    const ranges = [], signs = [];
    for (const mark of marks.filter(mark => mark.line > 0)) {
        const { line, from, to } = rangeOf(doc, mark);
        if (to > from) ranges.push(Decoration.mark({ class: `cm-found ${mark.severity}` }).range(from, to));
        ranges.push(Decoration.widget({ widget: new FindingNote(mark, actions), block: true, side: 1 }).range(line.to));
        signs.push(new FindingMarker(mark).range(line.from));
    }
    return { decorations: Decoration.set(ranges, true), signs: RangeSet.of(signs, true) };
}

/* Marks move with the text until the next check. */
function findingsField(actions) {
    return StateField.define({
        create: () => ({ decorations: Decoration.none, signs: RangeSet.empty }),
        update(value, transaction) {
            const effect = transaction.effects.find(effect => effect.is(setMarks));
            if (effect) return decorate(transaction.state.doc, effect.value, actions);
            if (!transaction.docChanged) return value;
            return { decorations: value.decorations.map(transaction.changes), signs: value.signs.map(transaction.changes) };
        },
        provide: field => EditorView.decorations.from(field, value => value.decorations)
    });
}

function findingGutter(field, actions) {
    return gutter({
        class: 'cm-findings',
        markers: view => view.state.field(field).signs,
        initialSpacer: () => new FindingMarker({ severity: 'spacer', kind: '', message: '' }),
        domEventHandlers: {
            click(view, line) {
                let found = null;
                view.state.field(field).signs.between(line.from, line.from, (from, to, marker) => { found = found || marker.mark; });
                if (found) actions.open(found);
                return found !== null;
            }
        }
    });
}

/* F8 goes from one finding to the next, and says it: the margin is of no use without a pointer. */
function goToNext(field, step) {
    return view => {
        const places = [];
        view.state.field(field).signs.between(0, view.state.doc.length, (from, to, marker) => { places.push({ from, mark: marker.mark }); });
        if (places.length === 0) return false;
        const here = view.state.doc.lineAt(view.state.selection.main.head).from;
        const order = step > 0 ? places : places.slice().reverse();
        const next = order.find(place => step > 0 ? place.from > here : place.from < here) || order[0];
        goTo(view, view.state.doc.lineAt(next.from).number, next.mark.column);
        view.dispatch({ effects: EditorView.announce.of(`${next.mark.kind}: ${next.mark.message}`) });
        return true;
    };
}

function goTo(view, number, column) {
    const line = view.state.doc.line(Math.min(Math.max(number, 1), view.state.doc.lines));
    view.dispatch({ selection: { anchor: line.from + Math.min(Math.max(column - 1, 0), line.length) }, effects: EditorView.scrollIntoView(line.from, { y: 'center' }) });
    view.focus();
}

/* ---- the editor ---- */

/* A brace that closes itself would stand there twice for whoever types it on its own line. */
const closing = Prec.highest(EditorState.languageData.of(() => [{ closeBrackets: { brackets: ['(', '[', '"', '\''] } }]));

function extensionsOf(options, field) {
    return [
        lineNumbers(), findingGutter(field, options), highlightActiveLineGutter(), highlightSpecialChars(), history(), drawSelection(), indentUnit.of('    '),
        EditorState.tabSize.of(4), indentOnInput(), bracketMatching(), closing, closeBrackets(), highlightActiveLine(), highlightSelectionMatches(),
        cpp(), syntaxHighlighting(classHighlighter), cudaHighlighter, field,
        keymap.of([
            { key: 'Mod-Enter', run: () => { options.check(); return true; } }, { key: 'Ctrl-Enter', run: () => { options.check(); return true; } },
            { key: 'F8', run: goToNext(field, 1) }, { key: 'Shift-F8', run: goToNext(field, -1) },
            ...closeBracketsKeymap, ...defaultKeymap, ...searchKeymap, ...historyKeymap, indentWithTab
        ]),
        EditorView.contentAttributes.of({ 'aria-label': options.label, tabindex: '0', spellcheck: 'false', autocapitalize: 'off', autocorrect: 'off' }),
        EditorView.updateListener.of(update => { if (update.docChanged) options.changed(); })
    ];
}

/* What was kept of an earlier visit counts only for the same text. */
function firstState(options, extensions) {
    try {
        const kept = JSON.parse(options.kept);
        if (kept.doc === options.text) return EditorState.fromJSON(kept, { extensions }, { history: historyField });
    } catch { /* nothing was kept, or by another version of this file */ }
    return EditorState.create({ doc: options.text, extensions });
}

/* options: parent, label, text, kept (of an earlier visit), changed(), check(), open(mark) */
export function makeEditor(options) {
    const field = findingsField(options);
    const view = new EditorView({ state: firstState(options, extensionsOf(options, field)), parent: options.parent });
    return {
        get: () => view.state.doc.toString(),
        /* What the two texts share at both ends stays, and so do cursor and undo. */
        set(text) {
            const old = view.state.doc.toString();
            let from = 0, end = 0;
            while (from < old.length && from < text.length && old[from] === text[from]) from++;
            while (end < old.length - from && end < text.length - from && old[old.length - 1 - end] === text[text.length - 1 - end]) end++;
            view.dispatch({ changes: { from, to: old.length - end, insert: text.slice(from, text.length - end) } });
        },
        setMarks: marks => view.dispatch({ effects: setMarks.of(marks) }),
        goTo: (line, column) => goTo(view, line, column),
        focus: () => view.focus(),
        keep: () => JSON.stringify(view.state.toJSON({ history: historyField }))
    };
}
