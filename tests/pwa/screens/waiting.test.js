import assert from "node:assert/strict";
import { test } from "node:test";

import { fieldsOfForm, openedBy } from "../../../inspect_app/static/pwa/screens/opens.js";
import { isWaiting, waiting } from "../../../inspect_app/static/pwa/screens/waiting.js";

const field = (name, label, more = {}) => ({ field: name, label, type: "bool3", ...more });
const PROTOCOL = { sections: [
  { id: "site", title: "Site", groups: [{ group: "opening", fields: [field("open_now", "Open now"), field("place", "Where it is", { type: "choice", choices: ["street", "private_yard"], choice_labels: { street: "Street" } })] }] },
  { id: "lights", title: "Lights", groups: [{ group: "lights", fields: [
    field("lights_type", "Lights", { type: "choice", choices: ["none", "type_a"], shown_when: "village == 'barneveld' && open_now" }),
    field("lights_lit", "All lit", { shown_when: "open_now && lights_type != 'none'" })] }] },
  { id: "deep", title: "Deep", groups: [{ group: "deep", fields: [field("egress", "Way out", { shown_when: "open_now && depth >= 4.0" })] }] },
  { id: "frost", title: "Frost", groups: [{ group: "frost", fields: [field("frost", "Frost depth", { shown_when: "village == 'howards_grove'" }), field("ice", "Ice", { shown_when: "place in ['street', 'private_yard']" })] }] },
  { id: "other", title: "Other", groups: [{ group: "other", fields: [field("permit", "Permit", { shown_when: "village == 'howards_grove'" })] }] },
] };
const FORM = { fields: fieldsOfForm(PROTOCOL), holds: (source) => ({ "village == 'barneveld'": true, "village == 'howards_grove'": false })[source] ?? null };
const section = (id) => PROTOCOL.sections.find((one) => one.id === id);
const shown = PROTOCOL.sections.map((one) => (one.id === "site" ? one : { ...one, groups: one.groups.map((group) => ({ ...group, fields: [] })) }));
const rule = (id, missing, more = {}) => ({ rule: id, title: id, outcome: "not_evaluated", missing, reads: missing, message: null, ...more });
const visit = (findings, values = {}, unanswered = []) => waiting({ findings, protocol: PROTOCOL, sections: shown, unanswered, values, holds: FORM.holds });
const told = ({ waits, elsewhere }) => [waits.map((wait) => [wait.section.id, wait.fields.map((one) => one.field), wait.rules.map((one) => one.rule)]), elsewhere.map((one) => one.rule)];

test("an empty section says which answer opens it, by label and without the village", () => {
  assert.deepEqual(openedBy(section("lights"), FORM), { words: ["“Open now” is yes"], names: ["open_now"] });
  assert.deepEqual(openedBy(section("frost"), FORM), { words: ["“Where it is” is “Street” or “Private yard”"], names: ["place"] });
});

test("a section of another village is opened by nothing", () => {
  assert.deepEqual(openedBy(section("other"), FORM).words, []);
});

test("a rule waits in the section where its first answer is given", () => {
  assert.deepEqual(told(visit([rule("A", ["place", "open_now"])])), [[["site", ["open_now", "place"], ["A"]]], []]);
});

test("a rule that misses what is not asked yet waits for the answer that opens it", () => {
  assert.deepEqual(told(visit([rule("A", ["lights_lit"])])), [[["site", ["open_now"], ["A"]]], []]);
});

test("what the form insists on and what rules miss stand once", () => {
  const required = [{ section: section("site"), field: section("site").groups[0].fields[0] }];
  assert.deepEqual(told(visit([rule("A", ["open_now"]), rule("B", ["open_now"])], {}, required)), [[["site", ["open_now"], ["A", "B"]]], []]);
});

test("a rule that no answer of this form settles stands apart", () => {
  assert.deepEqual(told(visit([rule("A", ["dwelling"]), rule("B", ["tap_permissions", "place"])])), [[["site", ["place"], ["B"]]], ["A"]]);
});

test("an answer that proves nothing has a sentence of its own and waits for none", () => {
  assert.equal(isWaiting(rule("A", ["place"], { message: "Outlet D1 could not be tested." })), false);
  assert.deepEqual(told(visit([rule("A", ["place"], { message: "Outlet D1 could not be tested." })])), [[], []]);
});
