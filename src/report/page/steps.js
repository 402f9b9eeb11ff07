// The interleaving, a column a thread, beside the source.

const sources = JSON.parse(document.getElementById("sources").textContent);

const isAccess = (step) => /^(reads|writes|updates)/.test(step.action);

/// A thread that goes to sleep, and then sleeps: the second says it all.
function isToldByNext(step, next) {
  return /^(waits on|waits with|goes to sleep on$)/.test(step.action) && /^(waits to be notified of$|sleeps until)/.test(next?.action) && !step.why
    && step.thread === next.thread && step.object === next.object;
}

/// Without accesses to memory that only one thread ever touches, as the terminal shows it.
function stepsThatMatter(steps) {
  const touched = new Map();
  for (const step of steps) {
    if (!touched.has(step.object)) touched.set(step.object, new Set());
    touched.get(step.object).add(step.thread);
  }
  return steps.filter((step) => step.decisive || !isAccess(step) || !step.object || touched.get(step.object).size > 1);
}

/// The turns of a loop from this step on, as few steps as possible: what is done again and again, up to where it shows.
function loopAt(steps, at) {
  const same = (a, b) => b && ["thread", "operation", "action", "object", "place"].every((field) => a[field] === b[field]) && !a.decisive && !b.decisive;
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
    const text = (goesOn ? "\u00a0\u00a0" : "") + [goesOn ? "" : step.operation, step.action, step.object].filter(Boolean).join(" ");
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
  const columns = [...threads.map(column), `${longest(steps.map((step) => step.place), 32)}ch`].join(" ");
  const cell = (row) => {
    const made = element("span", { class: row.faint ? "faint" : "", text: row.text, title: row.text });
    made.style.gridColumn = `${threads.indexOf(row.thread) + 1} / -2`;
    return made;
  };
  const shown = element("div", { "aria-live": "polite" });
  let selected = -1;
  const draw = (index) => {
    const row = rows[index];
    const made = element("div", { class: `step mono${row.step?.decisive ? " decisive" : ""}`, "aria-selected": String(index === selected), onclick: () => select(index) },
      cell(row), element("span", { class: "place", text: row.step?.place ?? "" }));
    made.style.gridTemplateColumns = columns;
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
    shown.replaceChildren(element("div", { class: "told", text: `${rows[wanted].thread}: ${rows[wanted].text.trim()}` }), drawSource(rows[wanted].shown ?? {}));
  };
  list.box.addEventListener("keydown", (event) => {
    const to = { ArrowDown: selected + 1, ArrowUp: rows[selected - 1]?.step ? selected - 1 : selected - 2, Home: 0, End: rows.length - 1, PageDown: selected + 15, PageUp: Math.max(0, selected - 15) }[event.key];
    if (to === undefined) return;
    event.preventDefault();
    select(Math.max(0, Math.min(to, rows.length - 1)));
  });
  const showDecisive = () => select(Math.max(0, rows.findIndex((row) => row.step?.decisive)));
  const head = element("div", { class: "step head mono" }, ...threads.map((thread) => element("span", { text: thread })), element("span"));
  head.style.gridTemplateColumns = columns;
  const all = element("button", { type: "button", "aria-pressed": "false", text: `All ${steps.length} steps`, onclick: () => {
    const pressed = all.getAttribute("aria-pressed") !== "true";
    all.setAttribute("aria-pressed", String(pressed));
    rows = toRows(pressed ? steps : stepsThatMatter(steps), pressed);
    list.box.style.height = height(rows.length);
    list.resize(rows.length);
    showDecisive();
  } });
  const tools = element("div", { class: "tools" }, element("button", { type: "button", text: "Where it shows", onclick: showDecisive }),
    ...(hidden || folded ? [all] : []), ...(hidden ? [element("span", { class: "faint", text: `${hidden} on memory that only one thread touches ${hidden === 1 ? "is" : "are"} left out` })] : []));
  const panel = element("div", { class: "panel" }, tools, element("div", { class: threads.length > 2 ? "stacked" : "split" }, element("div", {}, head, list.box), shown));
  requestAnimationFrame(showDecisive);
  return panel;
}
