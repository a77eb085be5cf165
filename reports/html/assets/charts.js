// What all charts share: a canvas as wide as the page lets it be, axes, and what is at the pointer.

const FONT = 'system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", Arial, sans-serif';
const LEFT = "left",
  RIGHT = "right",
  CENTRE = "center";

const MANY = 80; // above so many subjects a chart names none
const NAMES = 190; // pixels for names of subjects

/** The kinds of charts: each of assets/charts adds its class under the kind that its data has. */
const CHARTS = {};

/** What is told at the pointer; there is one on the page. */
class Tip {
  static show(event, ...children) {
    Tip.element ??= document.body.appendChild(el("div", { class: "tip", "aria-hidden": "true" }));
    const { element } = Tip;
    element.hidden = false;
    replace(element, ...children);
    const { offsetWidth, offsetHeight } = element;
    const below = event.clientY + 18 + offsetHeight < innerHeight;
    element.style.left = `${Math.max(8, Math.min(event.clientX + 12, innerWidth - offsetWidth - 16))}px`;
    element.style.top = `${below ? event.clientY + 18 : event.clientY - offsetHeight - 10}px`;
  }

  static hide() {
    if (Tip.element) Tip.element.hidden = true;
  }
}

/** Makes a canvas as large as it is shown, and returns what draws on it in CSS pixels. */
function drawingOn(canvas, width, height) {
  const scale = window.devicePixelRatio || 1;
  canvas.width = Math.round(width * scale);
  canvas.height = Math.round(height * scale);
  canvas.style.width = `${width}px`;
  canvas.style.height = `${height}px`;
  const context = canvas.getContext("2d");
  context.scale(scale, scale);
  context.textBaseline = "middle";
  return context;
}

/**
 * A chart. Who extends it has `height()`, `paint(context, width, height)` and `at(x, y)`, which
 * returns null or {title, rows: [[name, text]], subject?} of what is there; a click chooses it.
 */
class Chart {
  constructor(data, { title, subjects, onChoose }) {
    Object.assign(this, { data, title, subjects, onChoose, subject: 0, width: 0 });
    this.canvas = el("canvas", {
      role: "img",
      "aria-label": title,
      onmousemove: (event) => this.hover(event),
      onmouseleave: () => {
        Tip.hide();
        this.hovered = null;
      },
      onclick: (event) => {
        const found = this.under(event);
        if (found?.subject !== undefined) onChoose(found.subject);
      },
    });
    this.element = el("div", { class: "plot" }, this.canvas);
    new ResizeObserver(() => {
      if (this.width && this.element.clientWidth !== this.width) this.draw();
    }).observe(this.element);
  }

  draw() {
    this.width = this.element.clientWidth;
    if (!this.width) return;
    const height = this.height();
    const context = drawingOn(this.canvas, this.width, height);
    context.font = `11px ${FONT}`;
    this.paint(context, this.width, height);
  }

  choose(subject) {
    this.subject = subject;
    if (this.width) this.draw();
  }

  under(event) {
    const box = this.canvas.getBoundingClientRect();
    return this.at(event.clientX - box.left, event.clientY - box.top);
  }

  hover(event) {
    const found = this.under(event);
    this.canvas.style.cursor = found?.subject !== undefined && this.subjects.length > 1 ? "pointer" : "default";
    if (!found) return Tip.hide();
    Tip.show(
      event,
      el("b", {}, found.title),
      el(
        "span",
        {},
        found.rows.map(([name, text]) => el("div", {}, `${name}: ${text}`)),
      ),
    );
  }

  name(subject) {
    return this.subjects[subject].name;
  }

  text(context, text, x, y, { align = LEFT, ink = "--quiet", font = null } = {}) {
    const before = context.font;
    if (font) context.font = font;
    context.textAlign = align;
    context.fillStyle = colour(ink);
    context.fillText(text, x, y);
    context.font = before;
  }

  line(context, points, ink, width = 1, dash = []) {
    context.beginPath();
    for (const [x, y] of points) context.lineTo(x, y); // the first only moves there
    context.strokeStyle = colour(ink);
    context.lineWidth = width;
    context.setLineDash(dash);
    context.stroke();
    context.setLineDash([]);
  }

  /** Draws ticks at the bottom of a frame; `ticks` are [place in pixels, text]. */
  bottomAxis(context, frame, ticks, title, hasGrid = true) {
    for (const [x, text] of ticks) {
      if (hasGrid)
        this.line(
          context,
          [
            [x, frame.top],
            [x, frame.bottom],
          ],
          "--line",
        );
      this.text(context, text, x, frame.bottom + 11, { align: CENTRE });
    }
    if (title)
      this.text(context, title, (frame.left + frame.right) / 2, frame.bottom + 29, {
        align: CENTRE,
        font: `12px ${FONT}`,
      });
  }

  leftAxis(context, frame, ticks, title) {
    for (const [y, text] of ticks) {
      this.line(
        context,
        [
          [frame.left, y],
          [frame.right, y],
        ],
        "--line",
      );
      this.text(context, text, frame.left - 6, y, { align: RIGHT });
    }
    context.save();
    context.translate(11, (frame.top + frame.bottom) / 2);
    context.rotate(-Math.PI / 2);
    this.text(context, title, 0, 0, { align: CENTRE, font: `12px ${FONT}` });
    context.restore();
  }
}

/** Returns numbers at even steps between two others, about as many as asked for. */
function stepsBetween(least, most, n) {
  const raw = (most - least) / n || 1;
  const size = 10 ** Math.floor(Math.log10(raw));
  const step = [1, 2, 5, 10].map((factor) => factor * size).find((each) => each >= raw);
  const steps = [];
  for (let at = Math.ceil(least / step) * step; at <= most + step / 1e6; at += step)
    steps.push(Number(at.toPrecision(12)));
  return steps;
}

/** Returns a text, shortened to a width. */
function fitted(context, text, width) {
  if (context.measureText(text).width <= width) return text;
  let n = text.length;
  while (n > 1 && context.measureText(`${text.slice(0, n)}…`).width > width) n -= 1;
  return `${text.slice(0, n)}…`;
}

const PERCENTS = [0, 0.2, 0.4, 0.6, 0.8, 1].map((share) => [share, `${Math.round(100 * share)} %`]);
