// The interleaving, a column a thread, beside the source.

const sources = JSON.parse(document.getElementById("sources").textContent);

const isAccess = (step) => ["reads", "writes", "updates", "exchanges", "tries"].includes(step.action);

/// A thread that goes to sleep, and then sleeps: the second says it all.
function isToldByNext(step, next) {
  return /^(waits on|waits with|goes to sleep on$)/.test(step.action) && /^(waits to be notified of$|sleeps until)/.test(next?.action) && !step.why
    && step.thread === next.thread && step.object === next.object;
}

/// Of the steps that one line makes through the standard library, those on the library's own data, and those that were told before.
function insideLibrary(steps) {
  const inside = new Set(), isLibrary = (step) => step.object === "data of the standard library" || step.action === "calls";
  const same = (a, b) => ["action", "object", "detail"].every((field) => a[field] === b[field]);
  for (let begin = 0, end = 0; begin < steps.length; begin = end) {
    const first = steps[begin];
    for (end = begin + 1; end < steps.length && first.place && ["thread", "place", "caller"].every((field) => steps[end][field] === first[field]) && !steps[end].why;) ++end;
    const call = steps.slice(begin, end);
    if (!call.some(isLibrary)) continue;
    const told = call.every(isLibrary) ? call.find((step) => step.action === "calls") : null;  // nothing else says that it was called
    call.forEach((step, at) => {
      if (step !== told && !markOf(step) && (isLibrary(step) || step.action === "yields" || call.slice(0, at).some((earlier) => same(earlier, step)))) inside.add(begin + at);
    });
  }
  return inside;
}

/// Without accesses to memory that only one thread ever touches, as the terminal shows it.
function stepsThatMatter(all) {
  // Of many steps that a thread makes before any other one, the last few.
  const alone = all.findIndex((step) => step.thread !== all[0].thread), marked = all.findIndex(markOf);
  const steps = all.slice(alone > 16 ? Math.min(alone - 4, marked < 0 ? alone : marked) : 0);
  const touched = new Map();
  for (const step of steps) {
    if (!touched.has(step.object)) touched.set(step.object, new Set());
    touched.get(step.object).add(step.thread);
  }
  const library = insideLibrary(steps);
  return steps.filter((step, index) => !library.has(index)).filter((step) => markOf(step) || !isAccess(step) || !step.object || touched.get(step.object).size > 1);
}

/// After which step nothing helps any more, which one decides, and where it shows.
function markOf(step) {
  if (step.no_return) return step.decides ? "◄ decides, here" : "◄ here";
  return step.decides ? "◄ decides" : step.races ? "◄ races" : step.decisive ? "◄ shows" : "";
}
const markTitles = { "◄ here": "After this step no schedule comes out right any more.", "◄ decides": "If this came later, it would come out right.", "◄ races": "The first access of the race.", "◄ shows": "Here it shows." };

/// What is known of each object after so many steps: the last value that was read there or left there.
function valuesAfter(steps, count) {
  const values = new Map();
  for (const step of steps.slice(0, count)) {
    const detail = step.detail ?? "", found = /^= (.*)$/.exec(detail) ?? /: fails, .* is (.*)$/.exec(detail) ?? (/: fails/.test(detail) ? null : /→ (.*)$/.exec(detail));
    if (step.object && found) values.set(step.object, found[1]);
  }
  return values;
}

/// The turns of a loop from this step on, as few steps as possible: what is done again and again, up to where it shows.
function loopAt(steps, at) {
  const same = (a, b) => b && ["thread", "operation", "action", "object", "detail", "place"].every((field) => a[field] === b[field]) && !markOf(a) && !markOf(b);
  for (let length = 1; length <= 6 && steps[at + length - 1]?.thread === steps[at].thread; ++length) {
    let end = at + length;
    while (same(steps[end - length], steps[end])) ++end;
    const times = Math.floor((end - at) / length);
    if (times > 1) return { length, times };
  }
  return { length: 1, times: 1 };
}

/// Each reason for a switch is a row of its own, in the column of the thread that was left. An operation is named where it begins and where it ends. A
/// step that lies nowhere, such as a return, is shown where its thread was last. The turns of a loop are told once, unless all is asked for.
function toRows(steps, all = false) {
  const rows = [], underWay = new Map(), last = new Map();
  const add = (step, index) => {
    if (step.why && index > 0 && steps[index - 1].thread !== step.thread) rows.push({ thread: steps[index - 1].thread, text: `(${step.why})`, faint: true });
    const ends = /^(returns|throws)/.test(step.action), goesOn = step.operation && !ends && underWay.get(step.thread) === step.operation;
    underWay.set(step.thread, ends ? undefined : step.operation);
    if (step.file) last.set(step.thread, step);
    const text = (goesOn ? "\u00a0\u00a0" : "") + [goesOn ? "" : step.operation, step.action, step.object].filter(Boolean).join(" ")
      + (!step.detail ? "" : /^[:,]/.test(step.detail) ? step.detail : ` ${step.detail}`);
    rows.push({ thread: step.thread, text, step, shown: step.file ? step : last.get(step.thread) ?? step });
  };
  for (let index = 0; index < steps.length;) {
    if (!all && isToldByNext(steps[index], steps[index + 1])) {
      ++index;
      continue;
    }
    const { length, times } = all ? { length: 1, times: 1 } : loopAt(steps, index);
    for (let step = index; step < index + length; ++step) add(steps[step], step);
    if (times > 1 && length === 1) rows.at(-1).text += ` (${times} times)`;
    else if (times > 1) rows.push({ thread: steps[index].thread, text: `(these ${length} steps ${times} times)`, faint: true });
    index += length * times;
  }
  return rows;
}

function drawSource(step) {
  const lines = step.file ? sources[step.file] : undefined;
  if (!lines) return element("div", { class: "source" }, element("div", { class: "name", text: step.file ? `${step.file}:${step.line} (not readable when the report was made)` : "This step lies in no file of yours." }));
  const numbers = Object.keys(lines).map(Number).filter((number) => Math.abs(number - step.line) <= 9).sort((a, b) => a - b);
  return element("div", { class: "source" }, element("div", { class: "name", text: `${step.file}:${step.line}` }),
    element("code", {}, ...numbers.map((number) => element("span", { class: number === step.line ? "at here" : "at" }, element("i", { text: String(number) }), lines[number]))));
}

const placeOf = (step) => {
  if (!step.caller) return step.place ?? "";
  const file = (step.place ?? "").replace(/:[^:]*$/, "");
  return `${step.place} from ${step.caller.startsWith(`${file}:`) ? step.caller.slice(file.length) : step.caller}`;
};

/// A slider over the steps, and the values that are known after each: those that it has just changed stand out.
function makeStepper(rows, onStep) {
  const stepped = rows.map((row, index) => ({ row, index })).filter(({ row }) => row.step);
  const slider = element("input", { type: "range", class: "stepper", min: 0, max: Math.max(0, stepped.length - 1), step: 1, "aria-label": "Step" });
  const count = element("span", { class: "faint" });
  const values = element("div", { class: "values mono", "aria-live": "polite" });
  slider.addEventListener("input", () => onStep(stepped[slider.valueAsNumber].index));
  const show = (steps, row) => {
    const at = stepped.findIndex((one) => one.index === row);
    if (at < 0) return;
    slider.value = String(at);
    slider.setAttribute("aria-valuetext", rows[row].text.trim());
    count.textContent = `step ${at + 1} of ${stepped.length}`;
    const number = steps.indexOf(rows[row].step) + 1, before = valuesAfter(steps, number - 1), after = valuesAfter(steps, number);
    values.replaceChildren(...[...after].map(([name, value]) => element("span", { class: before.get(name) === value ? "value" : "value changed" }, element("i", { text: name }), ` ${value}`)));
    values.hidden = !after.size;
  };
  return { controls: [slider, count], values, show };
}

function drawSteps(steps) {
  const threads = [...new Set(steps.map((step) => step.thread))];
  const hidden = steps.length - stepsThatMatter(steps).length;
  let rows = toRows(stepsThatMatter(steps));
  const folded = rows.filter((row) => row.step).length < steps.length - hidden;
  const longest = (texts, most) => Math.min(most, Math.max(...texts.map((text) => text?.length ?? 0)));
  // Nothing else is told in its row, so a text may go on through the columns to its right; only the last column needs all the room of its own.
  const column = (thread, at) => {
    const length = Math.max(12, longest(rows.filter((row) => row.thread === thread).map((row) => row.text), 60));
    return `minmax(${at === threads.length - 1 ? `min(${length}ch, 50%)` : `${Math.min(thread.length, 8)}ch`}, ${length}fr)`;
  };
  const hasSource = steps.some((step) => step.source);
  const columns = () => [...threads.map(column), `${longest(steps.map(placeOf), 44)}ch`, ...(hasSource && !narrow() ? [`minmax(0, ${Math.max(20, longest(steps.map((step) => step.source), 56))}fr)`] : []), `${longest(steps.map(markOf), 16)}ch`].join(" ");
  // The source stands beside the steps where there is room for some of it.
  const narrow = () => {
    const texts = threads.map((thread) => longest(rows.filter((row) => row.thread === thread).map((row) => row.text), 60) + 2);
    const needed = texts.reduce((sum, length) => sum + length, longest(steps.map(placeOf), 44) + 16 + 28) * 8;
    return needed > (panel?.clientWidth || document.getElementById("main").clientWidth);
  };
  let panel;
  const cell = (row) => {
    const made = element("span", { class: row.faint ? "faint" : "", text: row.text, title: row.text });
    made.style.gridColumn = `${threads.indexOf(row.thread) + 1} / ${threads.length + 1}`;
    return made;
  };
  const shown = element("div", { "aria-live": "polite" });
  let selected = -1;
  const draw = (index) => {
    const row = rows[index];
    const made = element("div", { class: `step mono${row.step && markOf(row.step) ? " decisive" : ""}`, "aria-selected": String(index === selected), onclick: () => select(index) },
      cell(row), element("span", { class: "place", text: row.step ? placeOf(row.step) : "" }),
      ...(hasSource && !narrow() ? [element("span", { class: "code", text: row.step?.source ?? "", title: row.step?.source ?? "" })] : []),
      element("span", { class: "mark", text: row.step ? markOf(row.step) : "", title: row.step ? markTitles[markOf(row.step)] : undefined }));
    made.style.gridTemplateColumns = columns();
    return made;
  };
  const height = (count) => `${Math.min(count * 26 + 6, 520)}px`;
  const list = new VirtualList({ height: height(rows.length), count: rows.length, rowHeight: 26, draw, label: "Steps" });
  const select = (index) => {
    if (index < 0 || index >= rows.length) return;
    const wanted = rows[index].step ? index : Math.min(index + 1, rows.length - 1);
    selected = wanted;
    list.show(wanted);
    list.redraw();
    // Of a race, both sides: the other access stands below the chosen one.
    const other = rows[wanted].step?.races ? steps.find((step) => step.decisive) : rows[wanted].step?.decisive ? steps.find((step) => step.races) : undefined;
    const told = (text, step) => [element("div", { class: "told", text }), drawSource(step ?? {})];
    shown.replaceChildren(...told(`${rows[wanted].thread}: ${rows[wanted].text.trim()}`, rows[wanted].shown),
      ...(other ? told(`${other.thread}: ${[other.action, other.object].join(" ")}${/^[:,]/.test(other.detail ?? "") ? "" : " "}${other.detail ?? ""}`, other) : []));
    stepper.show(steps, wanted);
  };
  list.box.addEventListener("keydown", (event) => {
    const to = { ArrowDown: selected + 1, ArrowUp: rows[selected - 1]?.step ? selected - 1 : selected - 2, Home: 0, End: rows.length - 1, PageDown: selected + 15, PageUp: Math.max(0, selected - 15) }[event.key];
    if (to === undefined) return;
    event.preventDefault();
    select(Math.max(0, Math.min(to, rows.length - 1)));
  });
  const find = (wanted) => rows.findIndex((row) => row.step && wanted(row.step));
  const showDecisive = () => select(Math.max(0, find((step) => step.decisive)));
  const head = element("div", { class: "step head mono" }, ...threads.map((thread) => element("span", { text: thread })), element("span"));
  let stepper = makeStepper(rows, (index) => select(index));
  const all = element("button", { type: "button", "aria-pressed": "false", text: `All ${steps.length} steps`, onclick: () => {
    const pressed = all.getAttribute("aria-pressed") !== "true";
    all.setAttribute("aria-pressed", String(pressed));
    rows = toRows(pressed ? steps : stepsThatMatter(steps), pressed);
    list.box.style.height = height(rows.length);
    list.resize(rows.length);
    const before = stepper;
    stepper = makeStepper(rows, (index) => select(index));
    before.controls.forEach((control, i) => control.replaceWith(stepper.controls[i]));
    before.values.replaceWith(stepper.values);
    showDecisive();
  } });
  const jumps = [["Where it shows", (step) => step.decisive], ["What decides", (step) => step.decides], ["Point of no return", (step) => step.no_return]]
    .filter(([, wanted]) => find(wanted) >= 0).map(([text, wanted]) => element("button", { type: "button", text, onclick: () => select(find(wanted)) }));
  const tools = element("div", { class: "tools" }, ...jumps, ...stepper.controls,
    ...(hidden || folded ? [all] : []), ...(hidden ? [element("span", { class: "faint", text: `${hidden} on memory that only one thread touches, or inside the standard library, ${hidden === 1 ? "is" : "are"} left out` })] : []));
  panel = element("div", { class: "panel" }, tools, stepper.values, element("div", { class: threads.length > 2 || hasSource ? "stacked" : "split" }, element("div", {}, head, list.box), shown));
  const lay = () => {
    head.style.gridTemplateColumns = columns();
    list.redraw();
  };
  new ResizeObserver(lay).observe(panel);
  requestAnimationFrame(showDecisive);
  return panel;
}
