// Puts the page together: what was found on the left, one finding in full on the right.

const report = JSON.parse(document.getElementById("report").textContent);
const words = { passed: "PASS", failed: "FAIL", undecided: "UNDECIDED", "no-finding": "NO FINDING" };
const number = (value) => (value ?? 0).toLocaleString("en");

/// What can be chosen: one entry a cause. The races of a program stand with what came of them.
const isRace = (finding) => ["race", "possible-race"].includes(finding.kind);
const entries = report.results.flatMap((result) => {
  if (!result.findings.length) return [{ result }];
  const [first, ...rest] = result.findings, alone = !["scenario", "check"].includes(result.source) || isRace(first);
  const also = alone ? [] : rest.filter(isRace);
  return [{ result, finding: first, also }, ...rest.filter((finding) => !also.includes(finding)).map((finding) => ({ result, finding }))];
});
let chosen = 0;

function verdictOf({ result, finding }) {
  if (!finding) return result.outcome;
  return finding.proven ? "failed" : "undecided";
}
const wordOf = (entry) => (entry.finding?.grade || words[verdictOf(entry)]).toUpperCase();

function section(title, ...content) {
  return [element("h2", { text: title }), ...content];
}

function drawMatrix(lines) {
  const rows = lines.map((line) => {
    const [, name, rest] = /^(\S+)\s+(.*)$/.exec(line) ?? [null, "", line];
    return element("tr", {}, element("th", { text: name, scope: "row" }), ...rest.split(/\s{3,}/).map((cell) => element("td", { class: "mono", text: cell })));
  });
  return element("table", { class: "matrix" }, ...rows);
}

/// Choosing an order numbers its operations on the timeline.
function drawAttempts(timeline, data) {
  const buttons = data.attempts.map((attempt) => {
    const chips = attempt.order.map((index, at) => {
      const operation = data.operations[index], wrong = attempt.why && at === attempt.order.length - 1;
      const answer = attempt.answers?.[at];
      return element("span", { class: wrong ? "chip mono wrong" : "chip mono", text: `${operation.thread}: ${operation.call}${answer ? ` → ${answer}` : ""}${wrong ? " ✗" : ""}` });
    });
    const verdict = attempt.why ? `fails: ${attempt.why}` : "explains everything";
    const button = element("button", { type: "button", "aria-pressed": "false" }, ...chips, element("span", { class: attempt.why ? "bad" : "passed", text: ` ${verdict}` }));
    button.addEventListener("click", () => {
      const pressed = button.getAttribute("aria-pressed") === "true";
      for (const other of buttons) other.setAttribute("aria-pressed", "false");
      timeline.marks.clear();
      if (!pressed) {
        button.setAttribute("aria-pressed", "true");
        attempt.order.forEach((index, at) => timeline.marks.set(index, attempt.why && at === attempt.order.length - 1 ? "✗ " : `${at + 1} `));
      }
      timeline.draw();
    });
    return button;
  });
  return element("ol", { class: "attempts panel" }, ...buttons.slice(0, 200).map((button) => element("li", {}, button)));
}

function drawTimeline(data, parts) {
  const timeline = new Timeline(data, (index) => list?.show(timeline.place[index]));
  let list;
  const guilty = guiltyOf(data);
  if (guilty) {
    const few = new Timeline(guilty.data, (index) => timeline.reveal(guilty.numbers[index]), { describe: (index) => timeline.describe(guilty.numbers[index]), folded: true });
    parts.push(...section("The operations that show it, side by side", few.box, element("p", { class: "faint", text: "Their order is that of the log; the time between them is left out." })));
    window.currentGuilty = few;
  }
  parts.push(...section("Timeline", timeline.box));
  if (data.attempts?.length) parts.push(...section(data.attempts.some((attempt) => !attempt.why) ? "An order that explains it" : "Orders that were tried, and where each fails", drawAttempts(timeline, data)));
  if (data.operations.length > 30) {
    const draw = (at) => {
      const index = timeline.order[at], operation = data.operations[index];
      const row = element("div", { class: `step mono${operation.blamed ? " decisive" : ""}`, onclick: () => timeline.select(index) },
        element("span", { class: "faint", text: operation.line ? `line ${operation.line}` : String(index + 1) }), element("span", { text: operation.thread }), element("span", { text: describeOperation(operation) }));
      row.style.gridTemplateColumns = `110px ${Math.max(12, ...timeline.lanes.map((lane) => lane.name.length + 2))}ch minmax(0, 1fr)`;
      return row;
    };
    list = new VirtualList({ height: "320px", count: data.operations.length, rowHeight: 26, draw, label: "Operations in the order of their calls" });
    parts.push(...section("Operations", element("div", { class: "panel" }, list.box)));
  }
  window.currentTimeline = timeline;
}

function drawCommands(finding) {
  const id = finding.saved_as?.replace(/^\.muster\//, "");
  const lines = [["Schedule", finding.schedule]];
  if (id) lines.push(["Replay", `${report.program} --replay ${id}`], ["Debug", `gdb --args ${report.program} --replay ${id}`], ["Fixed?", `${report.program} --recheck ${id}`]);
  return lines.filter(([, text]) => text).map(([name, text]) => element("div", { class: "command" }, element("span", { text: name }), element("code", { text })));
}

function drawCoverage(coverage, ended = false) {
  const facts = [], claims = !(ended && coverage.tests); // of a check that fails nothing is covered in the end
  if (coverage.tests) facts.push((coverage.tests_run < coverage.tests_known ? `${number(coverage.tests_run)} of ` : "") + coverage.tests + (coverage.part ? ` in ${coverage.part}` : ""));
  if (coverage.executions) facts.push(`${number(coverage.executions)} execution${coverage.executions === 1 ? "" : "s"}`);
  if (coverage.histories) facts.push(`${number(coverage.histories)} ${coverage.histories === 1 ? "history" : "histories"}`);
  if (coverage.seconds) facts.push(`${coverage.seconds.toFixed(2)} s`);
  const schedules = coverage.unwatched_calls?.length ? "all schedules of what is watched" : "all schedules";
  if (claims && coverage.all_schedules) facts.push(schedules);
  else if (claims && coverage.some_bound_exhausted) facts.push(`${ended && !coverage.exhausted ? "until then " : ""}${schedules} ${coverage.preemptions ? `with at most ${coverage.preemptions} preemption${coverage.preemptions === 1 ? "" : "s"}` : "without preemptions"}`);
  if (!ended && coverage.executions && !coverage.exhausted) facts.push(`not exhausted${coverage.executions_left ? `: about ${Number(coverage.executions_left.toPrecision(2)).toLocaleString("en")} executions left` : ""}`);
  return facts.join(" · ");
}

/// Of a log or a trace: what was looked at, and what it is as a whole.
function summaryOf(result) {
  return [result.summary, ...(result.conclusions ?? [])].filter(Boolean).join("; ");
}

/// What the terminal says, too: places and libraries that no execution tells about.
function notCovered(coverage) {
  const lines = [["Weak orders not explored", coverage.weak_orders], ["Not watched inside", coverage.opaque_libraries], ["Called, and not watched", coverage.unwatched_calls], ["Allocators of the program, whose blocks are not watched", coverage.allocators]];
  return [...(coverage.notes ?? []), ...lines.filter(([, names]) => names?.length).map(([what, names]) => `${what}: ${names.join(", ")}`)];
}

/// Of a program in which something went wrong: the races on the way there.
function drawAlso(entry, shown) {
  const buttons = [entry.finding, ...entry.also].map((finding) => element("button", { type: "button", "aria-pressed": String(finding === shown), text: `${finding.kind}: ${finding.sentence}`, onclick: () => draw(finding) }));
  return element("div", { class: "also" }, ...buttons);
}

function draw(instead) {
  const { result, finding: first, also } = entries[chosen];
  const finding = instead ?? first;
  const parts = [];
  const verdict = verdictOf(entries[chosen]);
  parts.push(element("div", {}, element("span", { class: `badge ${verdict}`, text: wordOf(entries[chosen]) }), " ", element("span", { class: "faint", text: `${result.source} ${result.subject}${finding ? ` · ${finding.kind}` : ""}` })));
  parts.push(element("h1", { text: finding ? finding.sentence : summaryOf(result) || [drawCoverage(result.coverage) || (["scenario", "check"].includes(result.source) ? "nothing was run" : result.subject), result.stopped].filter(Boolean).join(" · ") }));
  if (finding?.cause) parts.push(element("p", { class: "cause", text: finding.cause }));
  if (also?.length) parts.push(drawAlso(entries[chosen], finding));
  if (finding?.matrix?.length) parts.push(...section("The test, with the answers seen", drawMatrix(finding.matrix)));
  const timeline = finding?.timeline ?? result.timeline;
  if (timeline?.operations.length) drawTimeline(timeline, parts);
  if (finding?.steps?.length) {
    const facts = finding.schedule ? ` (${finding.preemptions ?? 0} preemption${finding.preemptions === 1 ? "" : "s"}${finding.execution ? `, execution ${number(finding.execution)}` : ""})` : "";
    parts.push(...section((finding.grade ? "How it would happen" : "How it happened") + facts, drawSteps(finding.steps)));
  }
  if (finding?.serial?.length) {
    const [first, ...rest] = finding.serial, isTitle = first.endsWith(":");
    parts.push(...section(isTitle ? first.slice(0, -1) : "Serial runs", element("pre", { text: (isTitle ? rest : finding.serial).map((line) => line.trim()).join("\n") })));
  }
  if (finding?.notes?.length) parts.push(...section("Notes", element("ul", { class: "plain" }, ...finding.notes.map((note) => element("li", { text: note })))));
  if (finding?.schedule) parts.push(...section("Go on", ...drawCommands(finding)));
  const covered = [summaryOf(result), drawCoverage(result.coverage, result.outcome === "failed"), result.stopped].filter(Boolean).join(" · ");
  const title = { log: "What was judged", trace: "What was analysed" }[result.source] ?? (result.outcome === "failed" ? "What was explored" : "Covered");
  if (covered) parts.push(...section(title, ...[covered, ...notCovered(result.coverage)].map((text) => element("p", { class: "faint spaced", text }))));
  document.getElementById("main").replaceChildren(...parts);
  window.scrollTo(0, 0);
}

function choose(index) {
  chosen = Math.max(0, Math.min(index, entries.length - 1));
  draw();
  navigation.redraw();
  navigation.show(chosen);
}

function setTheme(dark) {
  document.documentElement.classList.toggle("dark", dark);
  document.getElementById("theme").textContent = dark ? "Light" : "Dark";
  window.currentTimeline?.draw();
}

function toggleHelp() {
  const help = document.getElementById("help");
  help.hidden = !help.hidden;
  document.getElementById("help-button").setAttribute("aria-expanded", String(!help.hidden));
}

const navigation = new VirtualList({ height: "100%", count: entries.length, rowHeight: 78, label: "Findings", draw: (index) => {
  const entry = entries[index];
  return element("button", { type: "button", class: "entry", "aria-current": String(index === chosen), onclick: () => choose(index) },
    element("div", {}, element("span", { class: verdictOf(entry), text: wordOf(entry) }), ` ${entry.result.subject}`), element("div", { class: "what", text: entry.finding?.sentence ?? entry.result.summary ?? "" }));
} });
document.getElementById("findings").append(navigation.box);
document.querySelector(".body").classList.toggle("single", entries.length < 2);
document.getElementById("program").textContent = report.program ?? "";
const tally = document.getElementById("tally");
const predicted = (result) => result.outcome === "passed" && result.findings.length > 0;
for (const [word, name, belongs] of [["failed", "failed", (result) => result.outcome === "failed"], ["undecided", "undecided", (result) => result.outcome === "undecided"],
  ["without a finding", "no-finding", (result) => result.outcome === "no-finding"], ["predicted", "undecided", predicted], ["passed", "passed", (result) => result.outcome === "passed" && !predicted(result)]]) {
  const count = report.results.filter(belongs).reduce((sum, result) => sum + (word === "predicted" ? result.findings.length : 1), 0);
  if (count) tally.append(element("span", { class: name, text: `${number(count)} ${word} ` }));
}
setTheme(matchMedia("(prefers-color-scheme: dark)").matches);
document.getElementById("theme").addEventListener("click", () => setTheme(!document.documentElement.classList.contains("dark")));
document.getElementById("help-button").addEventListener("click", toggleHelp);
document.addEventListener("keydown", (event) => {
  if (event.target.tagName === "INPUT" || event.ctrlKey || event.metaKey || event.altKey) return;
  const actions = { j: () => choose(chosen + 1), k: () => choose(chosen - 1), t: () => setTheme(!document.documentElement.classList.contains("dark")), "?": toggleHelp };
  if (actions[event.key]) actions[event.key]();
});
if (entries.length) draw();
else document.getElementById("main").append(element("p", { text: "Nothing was run." }));
document.documentElement.dataset.drawn = "yes";
