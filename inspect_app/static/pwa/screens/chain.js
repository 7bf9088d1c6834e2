/**
 * The chain of custody as a person must be told of it: who holds the samples, what may follow, what an entry lacks. Pure.
 * Nothing here changes an entry: entries are only added.
 *
 * @typedef {Record<string, any>} Entry
 */

/** What may follow each state of the chain, the likeliest first. */
const FOLLOWS = {
  begin: ["seal", "relinquish", "lock", "ship"],
  held: ["relinquish", "seal", "lock", "ship", "open"],
  offered: ["receive", "lab_receipt"],
  locked: ["unlock", "relinquish"],
  shipped: ["lab_receipt", "receive"],
  laboratory: ["open", "seal", "relinquish"],
};

/** The entries of a record, oldest first. @param {any[]} custody rows as the store holds them @returns {Entry[]} */
export function entries(custody) {
  return (custody ?? []).map((row) => {
    const event = typeof row.event === "string" ? JSON.parse(row.event) : row.event ?? row;
    return { ...event, at_server: row.received_at ?? null };
  });
}

/**
 * Where the samples stand after these entries, and who holds them.
 * @param {Entry[]} events
 * @returns {{state: keyof typeof FOLLOWS, holder: string}}
 */
export function standing(events) {
  /** @type {{state: keyof typeof FOLLOWS, holder: string}} */
  let now = { state: "begin", holder: "" };
  for (const event of events) {
    switch (event.action) {
      case "relinquish": now = { state: "offered", holder: event.from_role || now.holder }; break;
      case "receive": now = { state: "held", holder: event.to_role || now.holder }; break;
      case "lab_receipt": now = { state: "laboratory", holder: event.to_role || event.org || now.holder }; break;
      case "ship": now = { state: "shipped", holder: event.org || event.to_role || now.holder }; break;
      case "lock": now = { state: "locked", holder: now.holder || event.from_role }; break;
      case "unlock": now = { state: "held", holder: event.to_role || now.holder }; break;
      default: now = { state: now.state === "begin" ? "held" : now.state, holder: now.holder || event.from_role };
    }
  }
  return now;
}

/** @param {Entry[]} events */
export const mayFollow = (events) => FOLLOWS[standing(events).state];

/** What each kind of entry asks for. @param {string} action */
export function asks(action) {
  const hands = ["relinquish", "receive", "lab_receipt", "ship"].includes(action);
  return {
    from: ["relinquish", "ship", "seal", "lock"].includes(action), to: ["receive", "lab_receipt", "unlock", "open"].includes(action)
      || action === "relinquish",
    org: ["ship", "lab_receipt", "relinquish", "receive"].includes(action), seal: ["seal", "open", "lab_receipt", "relinquish",
      "receive"].includes(action),
    sealState: ["open", "lab_receipt", "receive"].includes(action), temp: ["receive", "lab_receipt"].includes(action), sign: hands
      && action !== "ship",
  };
}

/** The first thing an entry lacks, as a key of the custody words, or "" when it may be kept.
 * @param {Entry} entry @param {Entry[]} events @param {boolean} signed */
export function lacking(entry, events, signed) {
  if (!entry.action) return "needAction";
  const follows = mayFollow(events);
  if (!follows.includes(entry.action)) return standing(events).state === "offered" ? "mustReceive" : "alternate";
  const asked = asks(entry.action);
  if (asked.from && !entry.from_role?.trim()) return "needFrom";
  if (asked.to && !entry.to_role?.trim()) return "needTo";
  if (entry.action === "seal" && !entry.seal_no?.trim()) return "needSeal";
  if (asked.sealState && !entry.seal_state) return "needSealState";
  return asked.sign && !signed ? "needSign" : "";
}

/** Whether custody was broken at some entry. @param {Entry} entry */
export const isGap = (entry) => ["broken", "missing", "number_differs"].includes(entry.seal_state);
