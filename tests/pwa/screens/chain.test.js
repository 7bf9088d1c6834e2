import assert from "node:assert/strict";
import { test } from "node:test";

import { entries, isGap, lacking, mayFollow, standing } from "../../../inspect_app/static/pwa/screens/chain.js";

const seal = { action: "seal", from_role: "Sampler D", seal_no: "004512" };
const give = { action: "relinquish", from_role: "Sampler D", to_role: "Courier 1" };
const take = { action: "receive", to_role: "Courier 1", seal_state: "intact" };

test("samples are relinquished and received in turn", () => {
  assert.equal(lacking(give, [seal], true), "");
  assert.equal(lacking(give, [seal, give], true), "mustReceive");
  assert.equal(lacking(take, [seal], true), "alternate");
  assert.equal(lacking(take, [seal, give], true), "");
});

test("who holds the samples follows from the entries", () => {
  assert.deepEqual(standing([]), { state: "begin", holder: "" });
  assert.equal(standing([seal]).holder, "Sampler D");
  assert.equal(standing([seal, give]).state, "offered");
  assert.equal(standing([seal, give, take]).holder, "Courier 1");
});

test("a hand-over needs both names and a signature, a seal its number", () => {
  assert.equal(lacking({}, [], false), "needAction");
  assert.equal(lacking({ ...give, from_role: " " }, [seal], true), "needFrom");
  assert.equal(lacking({ ...give, to_role: "" }, [seal], true), "needTo");
  assert.equal(lacking(give, [seal], false), "needSign");
  assert.equal(lacking({ ...seal, seal_no: "" }, [], false), "needSeal");
  assert.equal(lacking({ ...take, seal_state: null }, [seal, give], true), "needSealState");
});

test("after a carrier only a receipt may follow", () => {
  assert.deepEqual(mayFollow([seal, { action: "ship", from_role: "Sampler D", org: "Carrier" }]), ["lab_receipt", "receive"]);
});

test("a broken, missing or different seal is a gap", () => {
  assert.deepEqual(["intact", "broken", "missing", "number_differs"].map((seal_state) => isGap({ seal_state })), [false, true, true, true]);
});

test("an entry is read from its hashed text", () => {
  assert.deepEqual(entries([{ event: JSON.stringify(seal) }]).map((e) => [e.action, e.seal_no]), [["seal", "004512"]]);
});
