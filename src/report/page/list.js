// Elements, and lists that hold only the rows in sight. Text from the program under test goes through textContent alone.

function element(tag, options = {}, ...children) {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(options)) {
    if (name === "text") made.textContent = value;
    else if (name === "class") made.className = value;
    else if (name.startsWith("on")) made.addEventListener(name.slice(2), value);
    else if (value !== undefined && value !== false) made.setAttribute(name, value === true ? "" : value);
  }
  made.append(...children);
  return made;
}

/// `draw(index)` gives the element of a row. Browsers cap heights near 33 million pixels, so very long lists are scrolled in proportion.
class VirtualList {
  static tallest = 15e6;

  constructor({ height, count, rowHeight, draw, label }) {
    Object.assign(this, { count, rowHeight, draw });
    this.box = element("div", { class: "list", tabindex: 0, role: "list", "aria-label": label });
    this.box.style.height = height;
    this.filler = element("div");
    this.box.append(this.filler);
    this.rows = new Map();
    this.box.addEventListener("scroll", () => this.refresh());
    new ResizeObserver(() => this.refresh()).observe(this.box);
    this.resize(count);
  }

  resize(count) {
    this.count = count;
    this.whole = count * this.rowHeight;
    this.filler.style.height = `${Math.min(this.whole, VirtualList.tallest)}px`;
    this.redraw();
  }

  redraw() {
    for (const row of this.rows.values()) row.remove();
    this.rows.clear();
    this.refresh();
  }

  /// Where the top of the view lies in the whole list.
  offset() {
    const view = this.box.clientHeight;
    const shown = Math.min(this.whole, VirtualList.tallest);
    return shown <= view ? 0 : (this.box.scrollTop / (shown - view)) * (this.whole - view);
  }

  refresh() {
    const top = this.offset();
    const first = Math.max(0, Math.floor(top / this.rowHeight) - 5);
    const last = Math.min(this.count, Math.ceil((top + this.box.clientHeight) / this.rowHeight) + 5);
    for (const [index, row] of this.rows) {
      if (index >= first && index < last) continue;
      row.remove();
      this.rows.delete(index);
    }
    for (let index = first; index < last; ++index) {
      let row = this.rows.get(index);
      if (!row) {
        row = element("div", { class: "row", role: "listitem" }, this.draw(index));
        row.style.height = `${this.rowHeight}px`;
        this.rows.set(index, row);
        this.box.append(row);
      }
      row.style.top = `${index * this.rowHeight - top + this.box.scrollTop}px`;
    }
  }

  show(index) {
    const view = this.box.clientHeight;
    const top = this.offset();
    if (index * this.rowHeight >= top && (index + 1) * this.rowHeight <= top + view) return;
    const shown = Math.min(this.whole, VirtualList.tallest);
    const wanted = Math.max(0, index * this.rowHeight - view / 2);
    this.box.scrollTop = this.whole <= view ? 0 : (wanted / (this.whole - view)) * (shown - view);
    this.refresh();
  }
}
