// What of a timeline is in sight, on a canvas: operations as bars from call to return, a lane a thread. `Timeline`
// arranges them, and says which part it is.

const disturbanceHeight = 18, laneHeight = 34, barHeight = 22, axisHeight = 26, characterWidth = 7.3;

class TimelineDrawing {
  scale() { return Math.max(1, this.canvas.clientWidth - this.labelWidth) / (this.to - this.from); }
  x(time) { return this.labelWidth + (time - this.from) * this.scale(); }
  time(x) { return this.from + (x - this.labelWidth) / this.scale(); }
  y(index) {
    const lane = this.laneOf[index];
    return this.offsets[lane] + 6 + (this.lanes[lane].depth.get(index) ?? 0) * (barHeight + 3) - this.scrollTop;
  }

  visible(index) {
    const operation = this.operations[index];
    return this.end(operation) >= this.from && operation.begin <= this.to;
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
}
