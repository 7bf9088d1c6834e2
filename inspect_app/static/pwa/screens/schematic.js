/** The plain drawing of a village's map: our own small one, which needs no graphics card and no library. */
import { html, nothing, svg } from "../../vendor/lit-html/lit-html.js";
import { ref } from "../../vendor/lit-html/directives/ref.js";
import { icon } from "../fields/icons.js";
import { boxOf, nearest, within } from "../place/maps.js";
import { t } from "../words.js";

/** Pixels a metre, at most and at least; and those from which names are written. */
const CLOSEST = 12;
const WIDEST = 0.02;
const NAMES_OF = /** @type {Record<string, number>} */ ({ structures: 0.9, parcels: 1.8, streets: 1.2 });
/** A press moves less than this; a finger is as wide as that. */
const PRESS_PX = 8;
const FINGER_PX = 24;
/** A name of a lot is as wide as this. */
const NAME_PX = 48;
const LETTER_PX = 8;
/** More shapes in view than this are not drawn: one would see nothing. */
const MOST = 3000;

/** @typedef {{id: string, lat: number, lon: number, name: string}} Pin */

export class Schematic {
  /**
   * @param {{shapes: import("../place/maps.js").Shape[], plane: any, changed: () => void}} parts
   */
  constructor({ shapes, plane, changed }) {
    this.shapes = shapes;
    this.plane = plane;
    this.changed = changed;
    this.size = [600, 420];
    this.at = { x: 0, y: 0, scale: 1 };
    /** @type {Map<number, [number, number]>} fingers on the drawing */
    this.fingers = new Map();
    this.moved = 0;
    /** @type {{pins: Pin[], chosen?: string, point?: {lat: number, lon: number} | null, label: string, pressed: (spot: {lat: number, lon: number}, near: any) => void, choose?: (id: string) => void}} */
    this.of = { pins: [], label: "", pressed: () => undefined };
  }

  /** Shows all of these, with a margin; the whole map where there are none. @param {{lat: number, lon: number}[]} spots @param {number} [most] pixels a metre */
  fit(spots, most = 2) {
    const points = spots.length ? spots.map((spot) => this.plane.to(spot)) : this.shapes.flatMap(({ lines }) => lines.flat());
    if (!points.length) return;
    const [left, bottom, right, top] = boxOf(points);
    const [wide, high] = this.size;
    const scale = 0.8 * Math.min(wide / Math.max(right - left, 1), high / Math.max(top - bottom, 1));
    this.at = { x: (left + right) / 2, y: (bottom + top) / 2, scale: clamp(Math.min(scale, most)) };
  }

  /** @param {number} factor */
  zoom(factor) { this.at = { ...this.at, scale: clamp(this.at.scale * factor) }; this.changed(); }

  /** @param {number} right @param {number} down in pixels */
  move(right, down) { this.at = { ...this.at, x: this.at.x - right / this.at.scale, y: this.at.y + down / this.at.scale }; this.changed(); }

  /** @param {[number, number]} point in metres @returns {[number, number]} in pixels */
  px([x, y]) { return [this.size[0] / 2 + (x - this.at.x) * this.at.scale, this.size[1] / 2 - (y - this.at.y) * this.at.scale]; }

  /** @param {NonNullable<Schematic["of"]>} of what stands on it */
  draw(of) {
    this.of = of;
    const [wide, high] = this.size;
    return html`<div class="mapbox" ${ref(this.hold)}>
      <svg class="plan" viewBox="0 0 ${wide} ${high}" tabindex="0" role="group" aria-label=${`${of.label} ${t.map.keys}`} @keydown=${this.key}
        @pointerdown=${this.down} @pointermove=${this.drag} @pointerup=${this.up} @pointercancel=${this.up}>${this.ground()}
        ${of.pins.map((pin) => this.pin(pin))}
        ${of.point ? this.point(of.point) : nothing}
      </svg>
      <div class="mapkeys">${this.button("i-plus", t.map.more, () => this.zoom(1.6))}${this.button("i-minus", t.map.less, () => this.zoom(1 / 1.6))}${this.button("i-map", t.map.whole, () => { this.fit([]); this.changed(); })}</div></div>`;
  }

  /** A picture of one place, which only shows. @param {Pin} pin */
  picture(pin) {
    this.size = [300, 300];
    const [x, y] = this.plane.to(pin);
    this.at = { x, y, scale: 2 };
    this.of = { ...this.of, chosen: pin.id, pins: [pin] };
    return html`<svg class="map" viewBox="0 0 300 300" preserveAspectRatio="xMidYMid slice" role="img" aria-label=${t.map.around(pin.name)}>${this.ground()}${this.pin(pin)}</svg>`;
  }

  /** The layers in view. */
  ground() {
    const [wide, high] = this.size;
    const half = [wide / 2 / this.at.scale, high / 2 / this.at.scale];
    const inView = within(this.shapes, [this.at.x - half[0], this.at.y - half[1], this.at.x + half[0], this.at.y + half[1]]).slice(0, MOST);
    const layer = (/** @type {string} */ name) => inView.filter((shape) => shape.layer === name);
    const street = Math.max(4, 9 * this.at.scale);
    return svg`<rect width=${wide} height=${high} fill="var(--sunken)"/>
        ${layer("streets").map((one) => svg`<path d=${this.path(one)} fill="none" stroke="var(--line)" stroke-width=${street + 4} stroke-linecap="round"/>`)}
        ${layer("streets").map((one) => svg`<path d=${this.path(one)} fill="none" stroke="var(--paper)" stroke-width=${street} stroke-linecap="round"/>`)}
        ${layer("parcels").map((one) => svg`<path d=${this.path(one)} fill="none" stroke="var(--edge)" stroke-width="1"/>`)}
        ${layer("mains").map((one) => svg`<path d=${this.path(one)} fill="none" stroke="var(--pipe-edge)" stroke-width="4" stroke-dasharray="12 5"/>`)}
        ${layer("structures").map((one) => this.structure(one))}
        ${this.names(layer)}`;
  }

  /** Names where there is room for them: of structures, then streets, then lots, none over another or over a pin.
   * @param {(layer: string) => import("../place/maps.js").Shape[]} layer */
  names(layer) {
    const taken = this.of.pins.map((pin) => around(this.px(this.plane.to(pin)), 14, 14));
    const wanted = ["structures", "streets", "parcels"].filter((name) => this.at.scale >= NAMES_OF[name]).flatMap(layer);
    return wanted.filter((shape) => this.hasRoom(shape)).map((shape) => {
      const { text, at: [x, y] } = this.named(shape);
      const box = around([x, y - 5], text.length * LETTER_PX / 2, 9);
      if (taken.some((other) => overlap(box, other))) return nothing;
      taken.push(box);
      return svg`<text class="halo" x=${x} y=${y} text-anchor="middle" font-size="14" font-weight=${shape.layer === "structures" ? 700 : 400}>${text}</text>`;
    });
  }

  /** Whether a lot is large enough for its name. @param {import("../place/maps.js").Shape} shape */
  hasRoom = ({ layer, box }) => layer !== "parcels" || Math.min(box[2] - box[0], box[3] - box[1]) * this.at.scale > NAME_PX;

  /** @param {string} image @param {string} word @param {() => void} go */
  button = (image, word, go) => html`<button class="sq" type="button" @click=${go}>${icon(image)}<span class="sr">${word}</span></button>`;

  /** @param {import("../place/maps.js").Shape} shape */
  path = ({ lines, layer }) => lines.map((line) => `M${line.map((point) => this.px(point).map((n) => n.toFixed(1)).join(" ")).join("L")}${layer === "parcels" ? "Z" : ""}`).join("");

  /** @param {import("../place/maps.js").Shape} shape */
  structure({ lines }) {
    const [x, y] = this.px(lines[0][0]);
    const r = Math.max(3, Math.min(9, 6 * this.at.scale));
    return svg`<circle cx=${x} cy=${y} r=${r} fill="var(--paper)" stroke="var(--pipe-edge)" stroke-width="2.5"/><circle cx=${x} cy=${y} r=${r / 3} fill="var(--pipe-edge)"/>`;
  }

  /** A shape's name, and where it is written. @param {import("../place/maps.js").Shape} shape @returns {{text: string, at: [number, number]}} */
  named({ layer, id, name, box }) {
    const [x, y] = this.px([(box[0] + box[2]) / 2, (box[1] + box[3]) / 2]);
    return { text: name || id, at: [x, y + ({ structures: -14, streets: 20 }[layer] ?? 5)] };
  }

  /** @param {Pin} pin */
  pin(pin) {
    const [x, y] = this.px(this.plane.to(pin));
    const chosen = pin.id === this.of.chosen;
    return svg`<g data-pin=${pin.id}>${chosen ? svg`<circle cx=${x} cy=${y} r="24" fill="var(--ink)" opacity="0.16"/>` : nothing}
      <circle cx=${x} cy=${y} r=${chosen ? 13 : 10} fill="var(--ink)" stroke="var(--paper)" stroke-width="2.5"/><circle cx=${x} cy=${y} r="3.5" fill="var(--paper)"/></g>`;
  }

  /** @param {{lat: number, lon: number}} spot */
  point(spot) {
    const [x, y] = this.px(this.plane.to(spot));
    return svg`<path d="M${x - 28} ${y}H${x - 7}M${x + 7} ${y}H${x + 28}M${x} ${y - 28}V${y - 7}M${x} ${y + 7}V${y + 28}" stroke="var(--paper)" stroke-width="6"/><path d="M${x - 28} ${y}H${x - 7}M${x + 7} ${y}H${x + 28}M${x} ${y - 28}V${y - 7}M${x} ${y + 7}V${y + 28}" stroke="var(--ink)" stroke-width="3"/><circle cx=${x} cy=${y} r="2.5" fill="var(--ink)"/>`;
  }

  hold = (/** @type {Element | undefined} */ element) => {
    this.watch?.disconnect();
    if (!element) return;
    // Drawn in the pixels there are, so that a name is as large on a phone as on a tablet.
    this.watch = new ResizeObserver(([{ contentRect: { width, height } }]) => {
      if (width < 1 || (width === this.size[0] && height === this.size[1])) return;
      this.at.scale *= Math.sqrt((width * height) / (this.size[0] * this.size[1]));
      this.size = [width, height];
      this.changed();
    });
    this.watch.observe(element);
  };

  /** @param {KeyboardEvent} event */
  key = (event) => {
    const step = 60;
    const moves = /** @type {Record<string, [number, number]>} */ ({ ArrowLeft: [step, 0], ArrowRight: [-step, 0], ArrowUp: [0, step], ArrowDown: [0, -step] });
    if (moves[event.key]) this.move(...moves[event.key]);
    else if (event.key === "+" || event.key === "=") this.zoom(1.6);
    else if (event.key === "-") this.zoom(1 / 1.6);
    else return;
    event.preventDefault();
  };

  /** Where on the drawing. @param {any} event @returns {[number, number]} */
  on = (event) => {
    const box = event.currentTarget.getBoundingClientRect();
    return [event.clientX - box.left, event.clientY - box.top];
  };

  down = (/** @type {any} */ event) => {
    event.currentTarget.setPointerCapture(event.pointerId);
    this.fingers.set(event.pointerId, this.on(event));
    if (this.fingers.size === 1) this.moved = 0;
  };

  drag = (/** @type {any} */ event) => {
    const before = this.fingers.get(event.pointerId);
    if (!before) return;
    const now = this.on(event);
    const other = [...this.fingers].find(([id]) => id !== event.pointerId)?.[1];
    this.fingers.set(event.pointerId, now);
    this.moved += Math.hypot(now[0] - before[0], now[1] - before[1]);
    if (other) this.zoom(Math.max(1, Math.hypot(now[0] - other[0], now[1] - other[1])) / Math.max(1, Math.hypot(before[0] - other[0], before[1] - other[1])));
    else this.move(now[0] - before[0], now[1] - before[1]);
  };

  up = (/** @type {any} */ event) => {
    const at = this.fingers.get(event.pointerId);
    this.fingers.delete(event.pointerId);
    if (!at || event.type === "pointercancel" || this.fingers.size || this.moved > PRESS_PX) return;
    const pin = this.of.pins.map((one) => ({ id: one.id, away: Math.hypot(...minus(this.px(this.plane.to(one)), at)) })).sort((a, b) => a.away - b.away)[0];
    if (pin && pin.away <= FINGER_PX && this.of.choose) return this.of.choose(pin.id);
    const [x, y] = [this.at.x + (at[0] - this.size[0] / 2) / this.at.scale, this.at.y - (at[1] - this.size[1] / 2) / this.at.scale];
    this.of.pressed(this.plane.from(x, y), nearest(this.shapes, [x, y], FINGER_PX / this.at.scale));
  };
}

/** @param {number} scale */
const clamp = (scale) => Math.max(WIDEST, Math.min(CLOSEST, scale));

/** @param {[number, number]} a @param {[number, number]} b @returns {[number, number]} */
const minus = (a, b) => [a[0] - b[0], a[1] - b[1]];

/** @typedef {[number, number, number, number]} Box left, top, right, bottom */

/** @param {[number, number]} middle @param {number} wide to either side @param {number} high above and below @returns {Box} */
const around = ([x, y], wide, high) => [x - wide, y - high, x + wide, y + high];

/** @param {Box} a @param {Box} b */
const overlap = (a, b) => a[0] < b[2] && b[0] < a[2] && a[1] < b[3] && b[1] < a[3];
