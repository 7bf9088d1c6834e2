/** The ordinance book on the tablet: the rules it judges by, by clause, searched as one types, and a page for each. */
import { html, nothing } from "../../vendor/lit-html/lit-html.js";
import { dayWords, wallClock } from "../fields/moments.js";
import { icon, outcomeClass, outcomeIcon } from "../fields/icons.js";
import { say, sayFigure } from "../fields/say.js";
import { told as inLanguage } from "../fields/told.js";
import { asWords, t } from "../words.js";
import { cite } from "./finding.js";
import { header, home } from "./frame.js";
import { readPack } from "../rules/rules.js";
import { entriesOf, requirementOf, search } from "./plain.js";
import { Names } from "./plain_names.js";

/** @typedef {import("./plain.js").Part} Part @typedef {import("./plain.js").Entry} Entry */

/** What was typed into the search stays while one reads a rule. */
let wanted = "";
/** @type {{key: string, entries: Entry[], names: Names} | null} the pack that was read last, worked out */
let known = null;

/** @param {any} app @param {string | undefined} id of a rule */
export async function open(app, id) {
  const asked = new URLSearchParams(location.hash.split("?")[1] ?? "");
  const hash = asked.get("pack") ?? app.reference?.pack ?? "";
  const data = (await app.store.pack(hash)) ?? (await app.store.pack(app.reference?.pack ?? ""));
  const day = wallClock(app.now(), app.timezone).day;
  const key = `${hash} ${day} ${t.language}`;
  const labels = await labelsOf(app);
  if (data && known?.key !== key) {
    const names = new Names({ labels, pack: readPack(data), day, words: t.book.names });
    known = { key, entries: entriesOf(data, day), names };
  }
  if (!data || !known) return { title: t.book.title, draw: () => html`${header(app, { title: t.book.title, sub: app.villageName, back: { href: "#/", to: t.places.today } })}
    ${home(app, "book", html`<h1 class="sr">${t.book.title}</h1><p>${t.book.empty}</p>`)}` };
  const here = { entries: known.entries, names: known.names, labels };
  const from = asked.get("from") ?? "";
  const inVisit = from.startsWith("visit/");
  if (id === undefined) {
    return { title: t.book.title, draw: () => html`${header(app, { title: t.book.title, sub: app.villageName, back: { href: "#/", to: t.places.today } })}
      ${home(app, "book", list(app, here))}` };
  }
  const entry = here.entries.find((one) => one.id === id);
  const back = { href: inVisit ? `#/${from}` : "#/book", to: inVisit ? t.book.visit : t.book.title,
    go: () => app.focusNext(`rule-${id}`) };
  return { title: entry ? `${id}, ${say(entry.parts[0].rule.title)}` : t.book.title, draw: () => html`${header(app, { title: id, sub: t.book.title, back })}
    ${home(app, "book", entry ? page(app, here, entry, data, inVisit ? from : "") : html`<h1>${id}</h1><p class="meta">${t.book.unknown}</p>
      <div class="btnrow"><a class="btn" href="#/book">${t.book.whole}</a></div>`)}` };
}

/** What the forms call each field, column and photo. @param {any} app @returns {Promise<Record<string, string>>} */
async function labelsOf(app) {
  const forms = await Promise.all((app.reference?.protocols ?? []).map((/** @type {any} */ p) => app.store.form(p.protocol, p.version)));
  const groups = forms.flatMap((form) => form?.sections ?? []).flatMap((/** @type {any} */ section) => section.groups ?? []);
  const fields = groups.flatMap((/** @type {any} */ group) => group.fields);
  const rows = fields.flatMap((/** @type {any} */ field) => field.row ?? []);
  return Object.fromEntries([
    ...forms.flatMap((form) => (form?.photos ?? []).map((/** @type {any} */ slot) => [`photo.${slot.shows}`, say(slot.label)])),
    ...rows.map((/** @type {any} */ column) => [`item.${column.field}`, say(column.label)]),
    ...fields.flatMap((/** @type {any} */ field) => (field.row ?? []).map((/** @type {any} */ column) => [`${field.field}.${column.field}`, say(column.label)])),
    ...fields.map((/** @type {any} */ field) => [field.field, say(field.label)]),
  ]);
}

/** "Nearest joint: more than 6 in. Exactly 6 in is a violation." @param {import("./plain.js").Limit} limit @param {any} rule @param {Names} names */
function limitLine(limit, rule, names) {
  const asked = limit.field && names.isMoment(limit.field, rule) ? t.book.moments[limit.good]
    : (limit.field && t.book.compared[`${limit.good}field`]) || t.book.compared[limit.good];
  const by = limit.by.filter((name) => names.labels[name]).map((name) => names.heading(name, rule));
  const than = limit.field ? names.within(limit.field, rule) : limit.limits.map(sayFigure).join(t.book.or);
  const told = limit.limits.length && limit.good !== "==" && limit.good !== "!=";
  return html`<p class="limit"><b>${limit.value ? names.heading(limit.value, rule) : t.book.value}:</b> ${asked} ${than}${by.length ? t.book.by(by) : ""}.
    ${told ? html`<span class="on ${outcomeClass(limit.on)}">${outcomeIcon(limit.on, "s")}<span>${t.book.exactly(limit.limits.length === 1 ? sayFigure(limit.limits[0])
      : "")} ${t.book.is[/** @type {"pass"} */ (limit.on)]}.</span></span>` : nothing}</p>`;
}

/** What a rule without a limit asks, in its own sentence. @param {any} rule @param {Names} names */
function asks(rule, names) {
  if (rule.combine) return html`<p class="limit">${t.book.gravest} ${rule.combine.join(", ")}.</p>`;
  const found = requirementOf(rule);
  if (!found) return html`<p class="limit">${inLanguage(rule.cannot ?? rule.carried_out_by?.how ?? "")}</p>`;
  return html`<p class="limit"><span class="on ${outcomeClass(found.outcome)}">${outcomeIcon(found.outcome, "s")}<span>${t.outcomes[/** @type {"pass"} */ (found.outcome)]}:</span></span> ${said(found.sentence, rule, names)}</p>`;
}

/** @param {any} app @param {{entries: Entry[], names: Names}} here */
function list(app, here) {
  const found = search(here.entries, wanted);
  /** @type {{number: string, headings: Set<string>, starred: boolean, entries: Entry[]}[]} */
  const sections = [];
  for (const one of found) {
    const { section, heading = "", starred } = one.parts[0].rule.clause;
    if (sections.at(-1)?.number !== section) sections.push({ number: section, headings: new Set(), starred, entries: [] });
    if (heading) sections.at(-1)?.headings.add(heading);
    sections.at(-1)?.entries.push(one);
  }
  const type = (/** @type {any} */ event) => { wanted = event.target.value; app.render(); };
  return html`<h1 class="sr">${t.book.title}</h1>
    <div class="field"><label for="book-q">${t.book.search}</label><input class="txt" id="book-q" type="search" autocomplete="off" .value=${wanted} @input=${type}></div>
    <p class="meta" role="status">${wanted.trim() ? t.book.found(found.length) : t.book.all(found.length)}</p>
    ${found.length ? nothing : html`<p>${here.entries.length ? t.book.none(wanted.trim()) : t.book.empty}</p>
      ${wanted ? html`<div class="btnrow"><button class="btn" type="button" @click=${() => { wanted = ""; app.render(); app.focus("book-q"); }}>${t.book.whole}</button></div>` : nothing}`}
    ${sections.map((section, n) => html`<section class="sect" aria-labelledby="sec-${n}"><h2 id="sec-${n}"><span class="nb">${section.number}${section.starred ? "*" : ""}</span> ${headings([...section.headings])}</h2>
      <ul class="lawlist">${section.entries.map((one) => html`<li><a id="rule-${one.id}" href="#/book/${one.id}"><span><b>${inLanguage(one.parts[0].rule.title)}</b>${icon("i-next", "s")}</span><span class="meta nb">${one.id}</span></a>
        ${one.parts.map(({ rule, limits }) => (limits.length ? limits.map((limit) => limitLine(limit, rule, here.names)) : asks(rule, here.names)))}</li>`)}</ul></section>`)}`;
}

/** Headings as the ordinance prints them; of many the first. @param {string[]} all */
const headings = (all) => (all.length < 3 ? html`<span lang="en">${all.join(", ")}</span>` : html`<span lang="en">${all[0]}</span>${t.book.andMore(all.length - 1)}`);

/** A sentence of the rule; where an inspection's own value will stand, its name stands in italics.
 * @param {string} sentence @param {any} rule @param {Names} names */
const said = (sentence, rule, names) => names.said(say(sentence), rule).map((piece) => (piece.isName ? html`<i>${piece.text}</i>` : piece.text));

/** @param {any} app @param {{names: Names, labels: Record<string, string>}} here @param {Entry} entry @param {any} data @param {string} from the visit one came from */
function page(app, here, entry, data, from) {
  const { rule } = entry.parts[0];
  const { names, labels } = here;
  const bodies = app.reference?.village?.bodies ?? {};
  const kinds = [...new Set(entry.parts.flatMap((part) => part.rule.kinds))];
  const status = /** @type {keyof typeof t.book.statuses} */ (rule.status ?? "executable");
  const forms = kinds.map((/** @type {"tap"} */ kind) => t.kinds[kind] ?? t.book.office);
  const proofs = [...new Set(entry.parts.flatMap((part) => part.rule.evidence ?? []))].map((shows) => labels[`photo.${shows}`] ?? say(asWords(shows)));
  const facts = [
    [t.book.status, t.book.statuses[status === "executable" && kinds.every((kind) => kind === "office") ? "office" : status]],
    [t.book.fails, status !== "reference" && html`<span class="on ${outcomeClass(rule.severity)}">${outcomeIcon(rule.severity, "s")}<span>${t.outcomes[/** @type {"pass"} */ (rule.severity)]}</span></span>`],
    [t.book.says, t.book.modals[/** @type {"shall"} */ (rule.modal)]],
    [t.book.decides, say(bodies[rule.body] ?? asWords(rule.body))],
    [t.book.forms, forms.join(", ")],
    [t.book.since, dayOf(rule.in_force_from)],
    [t.book.proofs, proofs.join(", ")],
    [t.book.version, `${data.version}, ${dayOf(data.effective)}`],
  ];
  const cited = cite({ clause: rule.clause, modal: "shall" }, { village: app.citedAs }); // what its modal means stands below
  return html`<div class="head"><h1>${inLanguage(rule.title)}</h1></div>
    ${rule.clause.quote ? html`<blockquote class="law"><span lang="en">“${rule.clause.quote}”</span><div class="cite">${cited}</div></blockquote>` : html`<div class="cite">${cited}</div>`}
    ${entry.parts.map((part, n) => html`<section class="sect" aria-labelledby="part-${n}"><h2 id="part-${n}">${entry.parts.length > 1
      ? part.rule.kinds.map((/** @type {"tap"} */ kind) => t.kinds[kind] ?? t.book.office).join(", ") : t.book.plain}</h2>${plain(part, names, from)}</section>`)}
    <section class="sect" aria-labelledby="facts-h"><h2 id="facts-h">${t.book.facts}</h2>
      <dl class="facts">${facts.filter(([, value]) => value).map(([name, value]) => html`<dt>${name}</dt><dd>${value}</dd>`)}</dl></section>`;
}

/** A day of years ago: with its year, without its weekday. @param {string} day */
const dayOf = (day) => t.book.ofYear(dayWords(day, t.language).replace(/^\S+\s/, ""), day.slice(0, 4));

/** What a rule asks, says and leaves out. @param {Part} part @param {Names} names @param {string} from */
function plain({ rule, limits }, names, from) {
  const line = (/** @type {string} */ outcome, /** @type {string} */ sentence) => html`<div class="line ${outcomeClass(outcome)}">${outcomeIcon(outcome)}<span><b>${t.outcomes[/** @type {"pass"} */ (outcome)]}</b>
    <span class="meta">${said(sentence, rule, names)}</span></span></div>`;
  const told = [
    ...(rule.checks ?? []).map((/** @type {any} */ check) => [check.fails ?? rule.severity, check.message]),
    ...(rule.passes ? [[rule.checks || rule.combine ? "pass" : "information", rule.passes]] : []),
    ...[...(rule.unless ?? []), ...(rule.when ?? [])].map((one) => ["not_applicable", one.reason]),
    ...(rule.soften ?? []).map((/** @type {any} */ one) => [one.to, one.note]),
  ];
  const more = from ? `?from=${encodeURIComponent(from)}` : "";
  return html`${rule.status === "workflow" ? html`<p>${inLanguage(rule.carried_out_by?.how)}</p>` : nothing}${rule.cannot ? html`<p>${inLanguage(rule.cannot)}</p>` : nothing}
    ${limits.map((limit) => html`${limitLine(limit, rule, names)}${limit.examples.length ? html`<dl class="facts examples">${limit.examples.map((one) => html`<dt class="num">${sayFigure(one.value)}</dt>
      <dd><span class="on ${outcomeClass(one.outcome)}">${outcomeIcon(one.outcome, "s")}<span>${t.outcomes[/** @type {"pass"} */ (one.outcome)]}</span></span></dd>`)}</dl>` : nothing}`)}
    ${rule.each ? html`<p>${t.book.each(names.each(rule) ?? "")}</p>` : nothing}
    ${rule.combine ? html`<p>${t.book.gravest} ${rule.combine.map((/** @type {string} */ id, /** @type {number} */ n) => html`${n ? ", " : ""}<a href="#/book/${id}${more}">${id}</a>`)}.</p>` : nothing}
    ${told.length ? html`<div class="lines">${[...new Map(told.map((one) => [one.join("|"), one])).values()].map(([outcome, sentence]) => line(outcome, sentence))}</div>` : nothing}
    ${rule.notes?.length ? html`<h3>${t.book.notes}</h3><ul class="dots">${rule.notes.map((/** @type {any} */ note) => html`<li>${said(note.text, rule, names)}</li>`)}</ul>` : nothing}
    ${rule.reading ? html`<div class="panel"><h3>${t.book.reading}</h3><p>${inLanguage(rule.reading)}</p></div>` : nothing}`;
}
