/**
 * One open inspection: what is typed, what is kept, what the rules say of it. Screens draw it and call it; it draws nothing.
 * Nothing is shown as kept before the store has said that it is on disk.
 */
import { say, spokenForm } from "../fields/say.js";
import { answersOf } from "../store/answers.js";
import { COPIED } from "../store/inspections.js";
import { earlierVisit, laterVisits } from "./earlier.js";
import { changes } from "./findings.js";
import { isAnswered, photoSlots, progress, sectionsNow, unanswered, withLists } from "./form.js";
import { t } from "../words.js";

/** Quiet time after the last key before a screen reader is told, and a half-typed number is called unreadable. */
const QUIET_MS = 700;

/** A reading of 2 may be on its way to 20.8: an order to leave waits until the hand has left the box, or rests this long. */
const REST_MS = 2500;

export class Visit {
  /** @param {{app: any, id: string, view: any, reference: any, assignment: any, judge: any, earlier?: any, later?: any[]}} parts earlier, later: other visits of the same place */
  constructor({ app, id, view, reference, assignment, judge, earlier = null, later = [] }) {
    this.app = app;
    this.id = id;
    this.reference = reference;
    this.assignment = assignment;
    this.judge = judge;
    this.earlier = earlier;
    this.later = later;
    /** @type {any[]} */
    this.findings = [];
    /** @type {Record<string, string>} what the live region of a group says */
    this.told = {};
    /** @type {Date | null} */
    this.keptAt = null;
    this.keepProblem = "";
    this.pending = 0;
    /** Counts what was typed or changed here, to know whether a reading of the disk is still true. */
    this.edits = 0;
    this.quiet = true;
    this.rested = true;
    /** @type {{group: string, name: string, label: string, before: any, all?: boolean}[]} `all`: `before` holds several */
    this.undoable = [];
    /** @type {Record<string, any>} half-made signatures */
    this.signing = {};
    /** @type {any} the camera that looks for a code */
    this.scan = null;
    /** @type {any} the open camera */
    this.camera = null;
    /** @type {{key: string, text: string} | null} */
    this.photoProblem = null;
    /** @type {string | null} slot whose photo was being taken when the app went away */
    this.interrupted = null;
    this.section = "";
    this.custodyProblem = "";
    /** @type {Set<string>} groups typed into since they were last made a change */
    this.touched = new Set();
    /** @type {Record<string, any>} what the rules read */
    this.answers = {};
    this.submitting = false;
    this.submitProblem = "";
    this.ui = {
      /** @type {string | null} id of the input that the number pad writes */ active: null,
      /** @type {Set<string>} fields that were answered when this section was entered */ foldable: new Set(),
      /** @type {Set<string>} of those, the ones that were opened again */ open: new Set(),
      /** @type {Map<string, any>} */ parts: new Map(),
      /** @type {Map<string, string>} */ units: new Map(),
      /** @type {Map<string, number>} open row of each list, from 0 */ rows: new Map(),
      /** @type {Set<string>} groups that say why they ask */ why: new Set(),
      allSections: false,
    };
    this.take(view);
    this.announced = this.findings;
  }

  /** Opens what is kept of an inspection; null where this tablet has never heard of it. @param {any} app @param {string} id */
  static async open(app, id) {
    const [view, reference] = await Promise.all([app.store.inspection(id), app.store.reference()]);
    if (!view) return null;
    const assignment = view.doc.assignment_id ? await app.store.assignment(view.doc.assignment_id) : null;
    const [judge, earlier, later] = await Promise.all([app.makeJudge({ view, reference, assignment }), earlierVisit(app, view.doc, reference), laterVisits(app, id)]);
    return new Visit({ app, id, view, reference, assignment, judge, earlier, later });
  }

  /** Takes what the store holds now. @param {any} view */
  take(view) {
    this.view = view;
    this.doc = view.doc;
    this.protocol = spokenForm(view.protocol) ?? { sections: [], photos: [], signatures: [] };
    /** @type {Record<string, string>} what the form calls each field */
    this.labels = {};
    for (const section of this.protocol.sections ?? []) for (const group of section.groups ?? []) for (const f of group.fields
      ?? []) this.labels[f.field] = f.label;
    /** @type {Record<string, Record<string, any>>} */
    this.values = {};
    for (const [group, held] of Object.entries(view.doc.groups ?? {})) this.values[group] = { .../** @type {any} */ (held).values };
    for (const [group, values] of Object.entries(view.draft ?? {})) this.values[group] = { .../** @type {any} */ (values) };
    this.touched = new Set(Object.keys(view.draft ?? {}));
    this.evaluate();
  }

  /** Reads the disk again after another tab or the office changed something, unless a keystroke is on its way there. */
  async refresh() {
    for (;;) {
      if (this.pending) return;
      const { edits } = this;
      const view = await this.app.store.inspection(this.id);
      // What was read before the last keystroke must not take its place: the next one would then write it back to disk.
      if (edits === this.edits) {
        if (view) { this.take(view); this.app.render(); }
        return;
      }
    }
  }

  evaluate() {
    this.answers = answersOf(this.doc, Object.fromEntries([...this.touched].filter((g) => !g.startsWith(".")).map((g) => [g,
      answered(this.values[g])])));
    for (const holder of this.touched) {
      // A gas reading past its limit counts while it is typed, not only once it is kept.
      const row = holder.startsWith(".row:") ? answered(this.values[holder]) : {};
      if (Object.keys(row).length) this.answers[holder.slice(5)] = [...(this.answers[holder.slice(5)] ?? []), row];
    }
    this.judge.look(this.answers, this.doc);
    this.filled = withLists(this.protocol, this.values, this.doc.lists ?? {});
    this.sections = sectionsNow(this.protocol, this.filled, this.holds);
    this.findings = this.judge.findings();
  }

  /** @param {string} expression @returns {boolean | null} */
  holds = (expression) => this.judge.holds(expression);

  get slots() { return photoSlots(this.protocol, this.doc.photos ?? [], this.holds); }
  get signed() { return this.values.signatures ?? {}; }
  get unanswered() { return unanswered(this.sections ?? [], this.filled ?? {}, this.holds); }
  get progress() {
    return progress(this.sections ?? [], this.filled ?? {}, this.holds, { slots: this.slots, signatures: this.protocol.signatures ?? [],
      signed: this.signed });
  }

  /** A value of a group. @param {string} group @param {string} name */
  value(group, name) { return this.values[group]?.[name] ?? null; }

  /**
   * Where a value was copied from, until it is touched.
   * @param {string} group @param {string} name
   * @returns {"assignment" | "visit" | ""} visit: an earlier one to the same place
   */
  copiedFrom(group, name) {
    const value = this.value(group, name);
    if (!isAnswered(value) || this.doc.groups?.[group]) return "";
    const is = (/** @type {any} */ given) => JSON.stringify(given) === JSON.stringify(value);
    if (is(this.assignment?.prefill?.[group]?.[name])) return "assignment";
    return is(this.earlier?.carried[group]?.[name]) || is(this.values[COPIED]?.[group]?.[name]) ? "visit" : "";
  }

  /** @param {string} group @param {string} name */
  isCopied(group, name) { return this.copiedFrom(group, name) !== ""; }

  /**
   * Takes a value and keeps it on disk; the screen follows at once, "kept" follows the disk.
   * @param {string} group
   * @param {string} name
   * @param {any} value
   * @param {{label?: string, done?: boolean, undo?: boolean}} [how]
   */
  set(group, name, value, { label = "", done = false, undo = true } = {}) {
    const before = this.value(group, name);
    if (undo && label) this.remember({ group, name, label, before });
    const values = { ...this.values[group] };
    if (value === null || value === undefined) delete values[name];
    else values[name] = value;
    this.values[group] = values;
    this.touched.add(group);
    this.keep(group);
    this.evaluate();
    this.quieten(done);
    this.app.render();
  }

  /**
   * Takes several values as one step, as a press on a drawing does.
   * @param {{group: string, name: string, value: any}[]} values
   * @param {string} label
   */
  setAll(values, label) {
    const before = values.map(({ group, name }) => ({ group, name, value: this.value(group, name) }));
    this.undoable = [...this.undoable.slice(-19), { group: "", name: "", label, before, all: true }];
    for (const { group, name, value } of values) this.set(group, name, value, { done: true, undo: false });
  }

  /**
   * One step of undo for a run of keystrokes in one field.
   * @param {{group: string, name: string, label: string, before: any}} step
   */
  remember(step) {
    const last = this.undoable.at(-1);
    if (last && last.group === step.group && last.name === step.name && !this.quiet) return;
    this.undoable = [...this.undoable.slice(-19), step];
  }

  undo() {
    const step = this.undoable.pop();
    for (const one of step?.all ? step.before : step ? [{ ...step, value: step.before }] : []) {
      this.set(one.group, one.name, one.value, { done: true, undo: false });
    }
  }

  /** @param {string} group */
  async keep(group) {
    this.edits += 1;
    this.pending += 1;
    try {
      await this.app.store.draft(this.id, group, this.values[group]);
      this.keptAt = this.app.now();
      this.keepProblem = "";
    } catch (problem) {
      this.keepProblem = sentence(problem) || t.notKept;
    } finally {
      this.pending -= 1;
      this.app.render();
    }
  }

  /** Leaving a group makes its change. @param {string} group */
  async leave(group) {
    if (!this.touched.has(group)) return;
    await this.attempt(() => this.app.store.commit(this.id, group));
  }

  async leaveAll() { await this.attempt(() => this.app.store.commitAll(this.id)); }

  /** @param {() => Promise<any>} work @returns {Promise<boolean>} whether it is on disk */
  async attempt(work) {
    this.edits += 1;
    this.pending += 1;
    try {
      await work();
      this.keptAt = this.app.now();
      this.keepProblem = "";
      return true;
    } catch (problem) {
      this.keepProblem = sentence(problem) || t.notKept;
      return false;
    } finally {
      this.pending -= 1;
      await this.refresh();
      this.app.render();
    }
  }

  /** Empties the unfinished row of a list after it was kept. @param {string} holder */
  clearRow(holder) {
    this.values[holder] = {};
    this.touched.add(holder);
    this.keep(holder);
    this.evaluate();
    this.app.render();
  }

  /** @param {boolean} now */
  quieten(now) {
    clearTimeout(this.timer);
    clearTimeout(this.rest);
    this.quiet = false;
    this.rested = false;
    this.timer = setTimeout(() => this.speak(), now ? 50 : QUIET_MS);
    this.rest = setTimeout(() => { this.rested = true; this.app.render(); }, now ? 50 : REST_MS);
  }

  /** Tells each group's live region what changed in the findings that read it. */
  speak() {
    this.quiet = true;
    for (const section of this.sections ?? []) {
      for (const group of section.groups) {
        const names = new Set((this.protocolGroup(group.group)?.fields ?? []).map((/** @type {any} */ f) => f.field));
        const mine = (/** @type {any[]} */ list) => list.filter((f) => (f.reads
          ?? []).some((/** @type {string} */ path) => names.has(path.split(/[[.]/)[0])));
        const text = changes(mine(this.announced), mine(this.findings), t.outcomes);
        if (text) this.told[group.group] = text;
      }
    }
    this.announced = this.findings;
    this.app.render();
  }

  /** A group of the protocol whatever is shown of it now. @param {string} name */
  protocolGroup(name) {
    for (const section of this.protocol.sections ?? []) for (const group of section.groups ?? []) if (group.group === name) return group;
    return null;
  }

  /** Whether something is typed that is not yet a change of the record. */
  get hasDrafts() {
    return Object.entries(this.view.draft ?? {}).some(([group, values]) => !group.startsWith(".")
      && JSON.stringify(sortedEntries(answered(values))) !== JSON.stringify(sortedEntries(answered(this.doc.groups?.[group]?.values))));
  }

  /** Hands the inspection to the office with what the rules say of it now. */
  async submit() {
    this.submitting = true;
    this.submitProblem = "";
    this.app.render();
    this.evaluate();
    const kept = await this.attempt(() => this.app.store.submit(this.id, { findings: this.findings, context: this.judge.context }));
    this.submitting = false;
    if (!kept) this.submitProblem = this.keepProblem;
    this.app.render();
    document.getElementById("submitted")?.scrollIntoView({ block: "center" });
  }

  close() { clearTimeout(this.timer); clearTimeout(this.rest); this.camera?.camera?.close(); this.scan?.camera?.close(); }
}

/** @param {Record<string, any>} values */
const answered = (values) => Object.fromEntries(Object.entries(values ?? {}).filter(([, value]) => value !== null && value !== undefined
  && value !== ""));

/** @param {Record<string, any>} values */
const sortedEntries = (values) => Object.entries(values).sort(([a], [b]) => (a < b ? -1 : 1));

/** A problem in the store's own words, where it has some for people. @param {any} problem */
export const sentence = (problem) => (typeof problem?.message === "string" && /[.!]$/.test(problem.message.trim()) ? say(problem.message) : "");
