// Operations as bars from call to return, a lane a thread. Drawn on a canvas, and only what is in sight.

const disturbanceHeight = 18, laneHeight = 34, barHeight = 22, axisHeight = 26, characterWidth = 7.3;

class Timeline {
  constructor(timeline, onSelect, { describe, folded } = {}) {
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

  scale() { return Math.max(1, this.canvas.clientWidth - this.labelWidth) / (this.to - this.from); }
  x(time) { return this.labelWidth + (time - this.from) * this.scale(); }
  time(x) { return this.from + (x - this.labelWidth) / this.scale(); }
  y(index) {
    const lane = this.laneOf[index];
    return this.offsets[lane] + 6 + (this.lanes[lane].depth.get(index) ?? 0) * (barHeight + 3) - this.scrollTop;
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
  visible(index) {
    const operation = this.operations[index];
    return this.end(operation) >= this.from && operation.begin <= this.to;
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

  /// First of a lane that begins at `time` or later.
  firstFrom(lane, time) {
    let low = 0, high = lane.operations.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.operations[lane.operations[middle]].begin < time) low = middle + 1;
      else high = middle;
    }
    return low;
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

  draw() {
    const width = this.canvas.clientWidth, height = this.canvas.clientHeight, ratio = window.devicePixelRatio || 1;
    if (!width) return;
    this.canvas.width = width * ratio;
    this.canvas.height = height * ratio;
    const pen = (this.pen = this.canvas.getContext("2d"));
    pen.scale(ratio, ratio);
    const style = getComputedStyle(document.documentElement);
    this.colour = (name) => style.getPropertyValue(`--${name}`).trim();
    this.bars = { normal: [this.colour("bar"), this.colour("bar-edge")], core: [this.colour("core"), this.colour("core-edge")], blamed: [this.colour("bad-soft"), this.colour("bad")] };
    this.barText = this.colour("bar-text");
    this.text = this.colour("text");
    pen.font = "12px ui-monospace, 'DejaVu Sans Mono', monospace";
    pen.textBaseline = "middle";
    pen.save();
    pen.beginPath();
    pen.rect(this.labelWidth, axisHeight, width - this.labelWidth, height - axisHeight);
    pen.clip();
    this.drawn = 0;
    this.lanes.forEach((lane, number) => this.drawLane(lane, number, width, height));
    this.drawJoins();
    this.drawDisplacements();
    this.drawDisturbances(width, height);
    pen.restore();
    this.drawLabels(height);
    this.drawAxis(width);
    if (this.selected >= 0) this.detail.textContent = this.describe(this.selected);
    else if (!this.detail.textContent) this.detail.textContent = "Click an operation, or move through them with the arrow keys.";
  }

  drawLane(lane, number, width, height) {
    const top = this.offsets[number] - this.scrollTop;
    if (top > height || top + laneHeight + lane.rows * barHeight < 0) return;
    let filled = -1; // bars narrower than a pixel merge into those before
    for (let i = this.firstFrom(lane, this.from - lane.longest); i < lane.operations.length; ++i) {
      const index = lane.operations[i], operation = this.operations[index];
      if (operation.begin > this.to) break;
      if (this.end(operation) < this.from) continue;
      const left = Math.max(this.x(operation.begin), this.labelWidth - 4), right = Math.min(this.x(this.end(operation)), width + 4);
      const special = operation.blamed || operation.core || index === this.selected || this.marks.has(index);
      if (right - left < 1 && right <= filled && !special && !lane.depth.size) continue;
      filled = Math.max(filled, Math.ceil(right));
      const next = lane.depth.size ? undefined : this.operations[lane.operations[i + 1]];
      const free = lane.depth.size ? right : Math.min(next ? this.x(next.begin) : width, width); // where the next one begins
      this.drawBar(index, operation, left, Math.max(right - left, special ? 3 : 1), free);
    }
  }

  drawBar(index, operation, left, width, free) {
    ++this.drawn;
    const pen = this.pen, top = this.y(index);
    const [fill, edge] = operation.blamed ? this.bars.blamed : operation.core && this.operations.length > 40 ? this.bars.core : this.bars.normal;
    pen.fillStyle = fill;
    pen.fillRect(left, top, width, barHeight);
    if (width > 2 || operation.blamed) {
      pen.strokeStyle = edge;
      pen.lineWidth = operation.blamed ? 2 : 1;
      pen.setLineDash(operation.pending ? [4, 3] : []);
      pen.strokeRect(left + 0.5, top + 0.5, width - 1, barHeight - 1);
      pen.setLineDash([]);
    }
    if (index === this.selected) {
      pen.strokeStyle = this.colour("select");
      pen.lineWidth = 2.5;
      pen.strokeRect(left - 1, top - 1, width + 2, barHeight + 2);
    }
    const mark = this.marks.get(index);
    if (free - left < 26 && mark === undefined) return;
    const text = (mark ?? "") + describeOperation(operation), middle = top + barHeight / 2 + 1;
    const fits = (pixels) => Math.floor((pixels - 8) / 7.3);
    pen.fillStyle = operation.blamed ? this.colour("bad") : this.barText;
    if (text.length <= fits(width)) return pen.fillText(text, left + 5, middle);
    if (text.length <= fits(free - left - width)) { // beside it, where there is room
      if (!operation.blamed) pen.fillStyle = this.text;
      pen.fillText(text, left + width + 5, middle);
    } else if (fits(width) >= 3) pen.fillText(`${text.slice(0, fits(width) - 1)}…`, left + 5, middle);
  }

  /// Operations that took effect together: a line through all of them, at a moment that all have in common.
  drawJoins() {
    const pen = this.pen;
    pen.strokeStyle = pen.fillStyle = this.colour("accent");
    pen.lineWidth = 2;
    for (const join of this.data.joins ?? []) {
      const from = Math.max(...join.map((index) => this.operations[index].begin)), to = Math.min(...join.map((index) => this.end(this.operations[index])));
      if (from > this.to || to < this.from) continue;
      const x = this.x((from + Math.max(to, from)) / 2), heights = join.map((index) => this.y(index) + barHeight / 2);
      pen.beginPath();
      pen.moveTo(x, Math.min(...heights));
      pen.lineTo(x, Math.max(...heights));
      pen.stroke();
      for (const height of heights) {
        pen.beginPath();
        pen.arc(x, height, 4, 0, 7);
        pen.fill();
      }
    }
  }

  /// From an operation that answered out of turn to the one whose turn it was.
  drawDisplacements() {
    const pen = this.pen;
    for (const { operation, instead_of: other, distance } of this.data.displacements ?? []) {
      if (!this.visible(operation) && !this.visible(other)) continue;
      const middle = (index) => (this.x(this.operations[index].begin) + this.x(this.end(this.operations[index]))) / 2;
      const x1 = middle(operation), x2 = middle(other), y1 = this.y(operation), y2 = this.y(other), peak = Math.min(y1, y2) - 18;
      pen.strokeStyle = pen.fillStyle = this.colour("unsure");
      pen.lineWidth = 1.5;
      pen.beginPath();
      pen.moveTo(x1, y1);
      pen.bezierCurveTo(x1, peak, x2, peak, x2, y2);
      pen.stroke();
      // Where the arc begins, on its outer side: several may end at the same operation.
      pen.fillText(`${distance}`, x2 > x1 ? x1 - 4 - 7.3 * `${distance}`.length : x1 + 4, y1 - 5);
    }
  }

  /// Lines through all lanes, named below the axis as far as there is room.
  drawDisturbances(width, height) {
    const pen = this.pen, y = axisHeight + disturbanceHeight / 2 - this.scrollTop;
    pen.strokeStyle = pen.fillStyle = this.colour("unsure");
    pen.lineWidth = 1;
    pen.setLineDash([4, 3]);
    this.disturbancesDrawn = 0;
    let named = -Infinity; // where the last name ends
    for (const { at, text } of this.data.disturbances ?? []) {
      const x = Math.round(this.x(at)) + 0.5;
      if (x < this.labelWidth || x > width) continue;
      ++this.disturbancesDrawn;
      pen.beginPath();
      pen.moveTo(x, axisHeight);
      pen.lineTo(x, height);
      pen.stroke();
      if (x < named) continue;
      pen.fillText(text, x + 4, y);
      named = x + 12 + text.length * 7.3;
    }
    pen.setLineDash([]);
  }

  drawLabels(height) {
    const pen = this.pen;
    pen.fillStyle = this.colour("panel");
    pen.fillRect(0, 0, this.labelWidth, height);
    this.lanes.forEach((lane, number) => {
      const top = this.offsets[number] - this.scrollTop;
      pen.fillStyle = this.text;
      pen.fillText(lane.name, 12, top + 6 + barHeight / 2);
    });
    pen.strokeStyle = this.colour("line");
    pen.lineWidth = 1;
    pen.beginPath();
    pen.moveTo(this.labelWidth - 0.5, 0);
    pen.lineTo(this.labelWidth - 0.5, height);
    pen.stroke();
  }

  drawAxis(width) {
    const pen = this.pen;
    pen.fillStyle = this.colour("panel");
    pen.fillRect(0, 0, width, axisHeight);
    if (this.folded) return;
    const rough = ((this.to - this.from) / Math.max(1, width - this.labelWidth)) * 130, power = 10 ** Math.floor(Math.log10(rough));
    let tick = [1, 2, 5, 10].map((factor) => factor * power).find((candidate) => candidate >= rough);
    if (!this.data.unit) tick = Math.max(1, tick);
    pen.strokeStyle = this.colour("line");
    for (let time = Math.ceil(this.from / tick) * tick; time <= this.to; time += tick) {
      const x = Math.round(this.x(time)) + 0.5;
      pen.beginPath();
      pen.moveTo(x, axisHeight - 6);
      pen.lineTo(x, axisHeight);
      pen.stroke();
      pen.fillStyle = this.colour("faint");
      const text = this.data.unit ? this.clock(time, tick) : `${time}`;
      if (x - 2 > this.labelWidth && x + text.length * 7 < width) pen.fillText(text, x + 4, axisHeight / 2);
    }
    pen.beginPath();
    pen.moveTo(0, axisHeight - 0.5);
    pen.lineTo(width, axisHeight - 0.5);
    pen.stroke();
  }
  /// As the log has it; of a clock that began long before the log, so long after its first operation.
  clock(time, tick) {
    const zero = this.operations.length ? this.operations[this.order[0]].begin : 0, isDate = zero > 1e15;
    return isDate ? `+${duration(time - zero, tick)}` : duration(time, tick);
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
