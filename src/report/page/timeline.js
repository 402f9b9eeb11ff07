// Operations on a timeline, to move in and to look at.

class Timeline extends TimelineDrawing {
  constructor(timeline, onSelect, { describe, folded } = {}) {
    super();
    this.data = timeline;
    this.operations = timeline.operations;
    this.onSelect = onSelect;
    this.folded = folded;
    if (describe) this.describe = describe;
    this.marks = new Map(); // operation -> what stands in front of its name: its place in an order that was tried
    this.arrange();
    this.selected = this.operations.findIndex((operation) => operation.blamed);
    this.build();
    this.fit();
    if (this.operations.length > 400 && this.selected >= 0) this.zoomTo(this.selected);
    else if (this.operations.length > 400) this.zoomTo(0);
  }

  arrange() {
    let least = Infinity, most = -Infinity;
    this.lanes = [];
    const known = new Map();
    for (const operation of this.operations) {
      least = Math.min(least, operation.begin);
      most = Math.max(most, operation.pending ? operation.begin : operation.end ?? 0);
      if (!known.has(operation.thread)) {
        known.set(operation.thread, this.lanes.length);
        this.lanes.push({ name: operation.thread, operations: [], longest: 0 });
      }
    }
    for (const { at } of this.data.disturbances ?? []) {
      least = Math.min(least, at);
      most = Math.max(most, at);
    }
    const rank = (name) => (name === "main" || name === "first" ? 0 : 1);
    this.lanes.sort((a, b) => rank(a.name) - rank(b.name) || a.name.localeCompare(b.name, "en", { numeric: true }));
    this.lanes.forEach((lane, index) => known.set(lane.name, index));
    this.labelWidth = Math.max(96, 24 + Math.ceil(characterWidth * Math.max(...this.lanes.map((lane) => lane.name.length))));
    const room = Math.max(1, (most - least) * 0.03);
    this.least = least - room;
    this.most = most + room * 2;
    this.end = (operation) => (operation.pending ? this.most : operation.end ?? operation.begin);
    this.laneOf = new Uint32Array(this.operations.length);
    this.operations.forEach((operation, index) => {
      const lane = known.get(operation.thread);
      this.laneOf[index] = lane;
      this.lanes[lane].operations.push(index);
      this.lanes[lane].longest = Math.max(this.lanes[lane].longest, this.end(operation) - operation.begin);
    });
    for (const lane of this.lanes) {
      lane.operations.sort((a, b) => this.operations[a].begin - this.operations[b].begin);
      this.stack(lane);
    }
    this.order = [...this.operations.keys()].sort((a, b) => this.operations[a].begin - this.operations[b].begin);
    this.place = new Uint32Array(this.order.length);
    this.order.forEach((index, place) => (this.place[index] = place));
  }

  /// A client with several operations under way at once: those that overlap lie below each other.
  stack(lane) {
    const ends = [];
    lane.depth = new Map();
    for (const index of lane.operations) {
      const operation = this.operations[index];
      let row = ends.findIndex((end) => end <= operation.begin);
      if (row < 0) row = ends.length < 6 ? ends.push(0) - 1 : 5;
      ends[row] = this.end(operation);
      if (row > 0) lane.depth.set(index, row);
    }
    lane.rows = Math.max(1, ends.length);
  }

  build() {
    this.canvas = element("canvas", { tabindex: 0, role: "application", "aria-label": `Timeline of ${this.operations.length} operations` });
    this.detail = element("div", { class: "detail", "aria-live": "polite" });
    const button = (text, label, action) => element("button", { type: "button", text, "aria-label": label, title: label, onclick: action });
    this.search = element("input", { type: "search", placeholder: "find an operation", "aria-label": "Find an operation" });
    this.search.addEventListener("keydown", (event) => { if (event.key === "Enter") this.find(event.shiftKey ? -1 : 1); });
    const tools = element("div", { class: "tools" },
      button("−", "Zoom out", () => this.zoom(1 / 1.6)), button("+", "Zoom in", () => this.zoom(1.6)), button("All", "Show everything", () => this.fit()),
      ...(this.operations.some((operation) => operation.blamed) ? [button("Blamed", "Show the operation that no order explains", () => this.blame())] : []),
      element("span", { class: "grow" }), this.search, element("span", { class: "faint", text: `${this.operations.length.toLocaleString("en")} operations` }));
    this.box = element("div", { class: "panel timeline" }, tools, this.canvas, this.detail);
    this.offsets = [];
    this.height = axisHeight + (this.data.displacements?.length ? 22 : 0); // room for arcs above the first lane
    if (this.data.disturbances?.length) this.height += disturbanceHeight;
    for (const lane of this.lanes) {
      this.offsets.push(this.height);
      this.height += laneHeight + (lane.rows - 1) * (barHeight + 3);
    }
    this.fullHeight = this.height + 8;
    this.scrollTop = 0;
    this.canvas.style.height = `${Math.min(this.fullHeight, 520)}px`;
    this.listen();
    new ResizeObserver(() => this.draw()).observe(this.canvas);
  }

  listen() {
    this.canvas.addEventListener("wheel", (event) => {
      event.preventDefault();
      if (event.shiftKey || Math.abs(event.deltaX) > Math.abs(event.deltaY)) this.pan((event.deltaX || event.deltaY) / this.scale());
      else if (event.altKey) this.scroll(event.deltaY);
      else this.zoom(Math.exp(-event.deltaY / 300), this.time(event.offsetX));
    }, { passive: false });
    this.canvas.addEventListener("pointerdown", (event) => {
      this.drag = { x: event.offsetX, y: event.offsetY, from: this.from, scrollTop: this.scrollTop, moved: false };
      this.canvas.setPointerCapture(event.pointerId);
    });
    this.canvas.addEventListener("pointermove", (event) => {
      if (!this.drag) return;
      const dx = event.offsetX - this.drag.x, dy = event.offsetY - this.drag.y;
      if (Math.abs(dx) + Math.abs(dy) > 4) this.drag.moved = true;
      if (this.drag.moved) this.move(this.drag.from - dx / this.scale(), this.drag.scrollTop - dy);
    });
    this.canvas.addEventListener("pointerup", (event) => {
      if (this.drag && !this.drag.moved) this.select(this.at(event.offsetX, event.offsetY));
      this.drag = undefined;
    });
    this.canvas.addEventListener("keydown", (event) => this.key(event));
  }

  key(event) {
    const actions = {
      ArrowRight: () => this.step(1), ArrowLeft: () => this.step(-1), ArrowDown: () => this.stepLane(1), ArrowUp: () => this.stepLane(-1),
      "+": () => this.zoom(1.6), "=": () => this.zoom(1.6), "-": () => this.zoom(1 / 1.6), 0: () => this.fit(), b: () => this.blame(),
      Home: () => this.select(this.order[0]), End: () => this.select(this.order.at(-1)),
    };
    if (event.ctrlKey || event.metaKey || event.altKey || !actions[event.key]) return;
    event.preventDefault();
    actions[event.key]();
  }

  fit() { this.from = this.least; this.to = this.most; this.draw(); }
  zoom(factor, around) {
    around ??= this.selected >= 0 && this.visible(this.selected) ? this.operations[this.selected].begin : (this.from + this.to) / 2;
    const span = Math.min(this.most - this.least, Math.max((this.to - this.from) / factor, (this.most - this.least) / 1e7));
    const share = (around - this.from) / (this.to - this.from);
    this.from = around - span * share;
    this.to = this.from + span;
    this.clamp();
  }
  pan(time) { this.move(this.from + time, this.scrollTop); }
  scroll(pixels) { this.move(this.from, this.scrollTop + pixels); }
  move(from, scrollTop) {
    const span = this.to - this.from;
    this.from = from;
    this.to = from + span;
    this.scrollTop = Math.max(0, Math.min(scrollTop, this.fullHeight - this.canvas.clientHeight));
    this.clamp();
  }
  clamp() {
    const span = this.to - this.from;
    this.from = Math.max(this.least, Math.min(this.from, this.most - span));
    this.to = this.from + span;
    this.draw();
  }
  /// About forty operations around one.
  zoomTo(index) {
    const place = this.place[index];
    const first = this.operations[this.order[Math.max(0, place - 20)]].begin;
    const last = this.operations[this.order[Math.min(this.order.length - 1, place + 20)]];
    const span = Math.max(this.end(last) === this.most ? 0 : this.end(last) - first, this.operations[index].begin - first, (this.most - this.least) / 1e6);
    this.from = first - span * 0.05;
    this.to = first + span * 1.1;
    this.clamp();
  }

  select(index) {
    if (index === undefined || index < 0) return;
    this.selected = index;
    if (!this.visible(index)) {
      const span = this.to - this.from;
      this.from = this.operations[index].begin - span / 3;
      this.to = this.from + span;
      this.clamp();
    }
    const top = this.y(index) + this.scrollTop;
    if (top < this.scrollTop + axisHeight || top + barHeight > this.scrollTop + this.canvas.clientHeight) this.scroll(top - this.scrollTop - this.canvas.clientHeight / 2);
    this.draw();
    this.onSelect?.(index);
  }
  /// The same, from elsewhere: with what lies around it.
  reveal(index) {
    this.zoomTo(index);
    this.select(index);
  }
  step(by) { this.select(this.selected < 0 ? this.order[0] : this.order[this.place[this.selected] + by]); }
  stepLane(by) {
    if (this.selected < 0) return this.step(1);
    const lane = this.lanes[this.laneOf[this.selected] + by];
    if (!lane) return;
    const begin = this.operations[this.selected].begin;
    this.select(lane.operations[Math.min(this.firstFrom(lane, begin), lane.operations.length - 1)]);
  }
  blame() {
    const index = this.operations.findIndex((operation) => operation.blamed);
    if (index >= 0) this.reveal(index);
  }
  find(by) {
    const wanted = this.search.value.toLowerCase();
    if (!wanted) return;
    const count = this.order.length;
    const start = this.selected < 0 ? (by > 0 ? -1 : count) : this.place[this.selected];
    for (let i = 1; i <= count; ++i) {
      const index = this.order[(((start + by * i) % count) + count) % count];
      if (`${describeOperation(this.operations[index])} line ${this.operations[index].line ?? ""}`.toLowerCase().includes(wanted)) return this.select(index);
    }
    this.detail.textContent = `No operation contains “${this.search.value}”.`;
  }

  at(x, y) {
    for (let lane = 0; lane < this.lanes.length; ++lane) {
      const { operations, longest } = this.lanes[lane];
      const time = this.time(x), slack = 3 / this.scale();
      for (let i = this.firstFrom(this.lanes[lane], time - longest - slack); i < operations.length; ++i) {
        const index = operations[i], operation = this.operations[index];
        if (operation.begin > time + slack) break;
        const top = this.y(index);
        if (y >= top && y <= top + barHeight && this.end(operation) + slack >= time) return index;
      }
    }
    return -1;
  }

  describe(index) {
    const operation = this.operations[index], parts = [`${operation.thread}: ${describeOperation(operation)}`];
    if (operation.blamed) parts.push("no order explains it");
    else if (operation.core && this.operations.length > 40) parts.push("one of the few that show the failure");
    if (operation.late) parts.push("returned only after the failure showed");
    if (operation.pending) parts.push("never returned");
    if (this.data.unit) {
      parts.push(`called at ${operation.begin} ${this.data.unit}`);
      if (!operation.pending) parts.push(`took ${duration(operation.end - operation.begin, 1)}`);
    }
    for (const displaced of this.data.displacements ?? []) if (displaced.operation === index) parts.push(`${displaced.distance} out of turn`);
    (this.data.join_names ?? []).forEach((name, join) => this.data.joins[join].includes(index) && parts.push(`takes part in: ${name}`));
    if (operation.line) parts.push(`line ${operation.line} of the log`);
    return parts.join(" · ");
  }
}
