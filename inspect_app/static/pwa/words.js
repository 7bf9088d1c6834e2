/**
 * Every sentence of the tablet app, by language. Screens hold no text of their own; words of a protocol, a rule or an
 * ordinance come with their data. A language is a whole table of the same shape, so a missing sentence is a visible hole.
 */

/** @param {number} n @param {string} one @param {string} [many] */
const count = (n, one, many = one + "s") => `${n} ${n === 1 ? one : many}`;

/** A name inside a sentence: "Joint upstream" becomes "joint upstream", "CO" and "H2S" stay. @param {string} name */
export const inSentence = (name) => (/^\p{Lu}(\p{Ll}|$)/u.test(name) ? name.charAt(0).toLowerCase() + name.slice(1) : name);

const en = {
  language: "en",
  app: "Field inspection",
  skip: "Skip to the form",
  outcomes: {
    violation: "Violation", warning: "Warning", discretion: "Discretion", not_evaluated: "Not evaluated",
    information: "Information", pass: "Pass", not_applicable: "Not applicable",
  },
  counted: {
    violation: (/** @type {number} */ n) => count(n, "violation"),
    warning: (/** @type {number} */ n) => count(n, "warning"),
    discretion: (/** @type {number} */ n) => `${n} for ${n === 1 ? "a decision" : "decisions"}`,
    not_evaluated: (/** @type {number} */ n) => `${n} not evaluated`,
    information: (/** @type {number} */ n) => `${n} information`,
    pass: (/** @type {number} */ n) => `${n} pass`,
    not_applicable: (/** @type {number} */ n) => `${n} not applicable`,
  },
  kinds: { lateral: "Lateral inspection", tap: "Tap check", downspout: "Clear-water check", manhole: "Manhole visit" },
  places: { today: "Today", outbox: "Outbox", settings: "Settings", main: "Main", sections: "Sections of this inspection" },
  nav: {
    back: (/** @type {string} */ to) => `Back to ${to}`, theme: "Change the display: light, sun, dark",
    allSections: "All sections", closeSections: "Close the list",
    step: (/** @type {number} */ n, /** @type {number} */ of, /** @type {string} */ title) => `${n} of ${of}: ${title}`,
    next: (/** @type {string} */ title) => `Next: ${inSentence(title)}`,
    review: "Next: review",
  },
  net: {
    offline: "Offline", online: "Online", sending: "Sending", needs_you: "Needs you",
    waiting: (/** @type {number} */ n, /** @type {string} */ since) => `${n} waiting${since ? ` since ${since}` : ""}`,
    sending_now: (/** @type {number} */ n) => `${n} waiting`, aside: (/** @type {number} */ n) => `${n} set aside`,
    nothing: "nothing waiting", sent: (/** @type {string} */ at) => `all sent ${at}`, unsafe: "storage not protected",
  },
  kept: (/** @type {string} */ at) => `Kept on this tablet ${at}`,
  keptBefore: "Everything is kept on this tablet",
  keeping: "Keeping on this tablet",
  notKept: "There is no room to keep this. Send what waits, or free space; what was kept before is safe.",
  update: { ready: "An update is ready. It is taken only when you say so.", take: "Take the update now", later: "Leave the form first: the update waits." },
  today: {
    ready: "Ready for offline work.", readyMore: (/** @type {string} */ village) => `Forms and rules of ${village} are on this tablet.`,
    notReady: "Not ready for offline work yet.", notReadyMore: "Forms and rules are still to come. Stay online for a moment.",
    begun: "Begun", handedIn: "Handed in", later: "Later", none: "No visits are assigned to you.", noneMore: "Start an unplanned visit, or connect to fetch new ones.",
    start: (/** @type {string} */ kind) => `Start ${kind.toLowerCase()}`, go: "Continue", unplanned: "Start an unplanned visit",
    what: "What is to be inspected", where: "Place", permit: "Permit, if there is one", begin: "Begin", cancel: "Cancel",
    placeMissing: "The place is not given. Say where the visit is.", kindMissing: "Choose what is to be inspected.",
    waiting: (/** @type {number} */ n) => (n ? `${n} waiting` : "all sent"), submitted: "Submitted", draft: "Draft",
    facts: { permit: "Permit", due: "Due", note: "Note", place: "Place" }, noTime: "No time set", visits: (/** @type {number} */ n) => count(n, "visit"),
    second: "Second visit", states: { draft: "Draft", submitted: "Submitted", in_review: "In review", returned: "Returned for correction", approved: "Approved", void: "Voided" },
  },
  form: {
    optional: "if it applies", answer: "to answer", toAnswer: (/** @type {number} */ n) => `${n} to answer`, copied: "Copied from the assignment. Change it if it is different here.",
    undo: (/** @type {string} */ what) => `Undo: ${what}`, empty: "Nothing to fill in here for this visit.",
    checked: "Checked while you type", quiet: (/** @type {string} */ text) => `Show ${text}`,
    soFar: "This inspection so far", nothingYet: "Nothing is checked yet.", more: (/** @type {number} */ n) => `${n} more not evaluated`, needs: (/** @type {string} */ what) => `Needs ${what}`,
    unclear: "This was not understood.", locked: "Submitted. The office reviews it; a change makes a new version.",
    unavailable: "This visit is not on this tablet.", drawing: "Drawing",
  },
  answers: { yes: "Yes", no: "No", not_checked: "Not checked" },
  pad: { name: "Number pad", erase: "Delete the last sign", next: (/** @type {string} */ what) => `Next: ${inSentence(what)}`, done: "Done" },
  units: {
    of: (/** @type {string} */ what) => `Unit of ${inSentence(what)}`,
    short: /** @type {Record<string, string>} */ ({ pct: "%", degF: "°F", degC: "°C", ft_water: "ft water", ph: "pH", "mg/l": "mg/L", "ug/l": "µg/L", usd: "$", ml: "mL", l: "L" }),
  },
  time: { now: "Now", day: "Day", hour: "Time", today: "Today", zone: (/** @type {string} */ z) => `Local time of the village (${z})`, half: "Give the day and the time.", unreadable: "This is not a day and a time. Press Now, or choose both." },
  clock: {
    hint: "Press the drawing, use the buttons, or type the hour", less: "−30 min", more: "+30 min", unreadable: "This is not a clock position. Type the hour as on a watch, 4:00 or 10:30.",
    name: (/** @type {string} */ looking) => `Clock position of the tap${looking ? `, looking ${looking}` : ""}`,
    half: { upper: "in the upper half", lower: "in the lower half", edge: "at the springline" },
    spoken: (/** @type {string} */ c, /** @type {string} */ deg, /** @type {string} */ half) => `${c}, ${deg} degrees from the crown, ${half}`, none: "not given yet",
  },
  list: {
    add: (/** @type {string} */ what) => `Add ${what}`, copy: (/** @type {string} */ what) => `Copy ${what}`, undo: "Undo", remove: "Remove", close: "Done with this one", row: (/** @type {number} */ n) => `Row ${n}`,
    empty: "None recorded yet.", kept: "Each one is kept as it is written and cannot be changed later.", keep: "Keep", note: "note", open: "Open", removed: (/** @type {string} */ what) => `${what} was removed.`, unfinished: "Write something first.",
  },
  place: {
    take: "Take the position here", again: "Take it again", finding: "Finding the position …", good: (/** @type {number} */ m) => `good to ${m} m`,
    poor: (/** @type {number} */ m) => `The position is good to ${m.toLocaleString("en-US")} m only. Wait in the open, or take it again.`,
    refused: "The tablet does not let this app know the position. Allow it in the browser's settings, or type latitude and longitude.",
    missing: "No position came in time. Step into the open and take it again; the rest goes on.", lat: "Latitude", lon: "Longitude", typed: "Type the position", outside: "Latitude runs from −90 to 90, longitude from −180 to 180.",
  },
  photos: {
    taken: (/** @type {number} */ n, /** @type {number} */ of) => `${n} of ${of} taken`, all: "All planned photos are taken.", each: "Each one proves a value, so each has its own place.",
    next: "Next.", proves: (/** @type {string} */ what) => `Proves ${inSentence(what)}`, take: (/** @type {string} */ what) => `Take photo: ${inSentence(what)}`, again: "Take another", choose: "Choose a file",
    want: (/** @type {number} */ n) => `${count(n, "photo")} to take`, here: "on this tablet", sent: "with the office", missing: "The picture cannot be shown. It is not lost: its fingerprint is in the record.",
    shutter: "Take the picture", close: "Close the camera", light: "Light", opening: "Opening the camera …", library: "from a file", optional: "if it applies", more: "More photos", other: "Another photo", otherIn: "Whatever the office should see.",
    refused: "The tablet does not let this app use the camera. Allow it in the browser's settings, or choose a file.",
    full: "There is no room for this photo. It was not taken. Send what waits, or free space; your readings are safe.", failed: "The photo was not taken. Take it again; your readings are safe.",
    wrongKind: "This file is not a JPEG or PNG picture. Choose another one.", interrupted: (/** @type {string} */ what) => `The camera was open for “${what}” when the app was closed. Take that photo again.`, example: (/** @type {string} */ s) => `Still to take. In view: ${s}`, proof: { taken: "Proof: photo taken", open: "Proof: photo not taken yet" }, of: (/** @type {string} */ s) => `Photo: ${s}`, accuracy: (/** @type {number} */ m) => `± ${m} m`, noPlace: "no position",
  },
  sign: {
    done: (/** @type {number} */ n, /** @type {number} */ of) => `${n} of ${of} signed`, name: "Name of the person who signs", draw: "Sign here", clear: "Clear", sign: (/** @type {string} */ role) => `Sign as ${inSentence(role)}`, typed: "Sign by typing the name", drawn: "Sign by drawing", typedHint: "The typed name counts as the signature.",
    at: (/** @type {string} */ name, /** @type {string} */ at) => `Signed by ${name}, ${at}`, changed: "The record was changed since it was signed. Sign again.", current: "Signed as the record stands.", again: "Sign again", needName: "The name is missing. Type who signs.", needMark: "The field is empty. Sign in it, or sign by typing the name.", what: "What is signed", box: (/** @type {string} */ role) => `Signature of the ${role.toLowerCase()}, drawn`,
  },
  review: {
    title: "Review before submitting", findings: "Findings", others: "All other rules", open: "Not answered", none: "Everything that this visit asks for is answered.", photos: "Photos not taken", signatures: "Signatures missing", submit: "Submit", submitting: "Submitting", go: (/** @type {string} */ s) => `Open ${s}`,
    lead: "This is what the office will read. You may submit with open points; each one stays visible.", clear: "No violation, warning or open decision.", done: "Submitted. It is kept on this tablet and goes to the office as soon as there is a line.", missing: (/** @type {string} */ label) => `${label} is not answered.`, again: "Submit again", changed: "Changed since it was submitted.", was: (/** @type {string} */ at) => `Submitted ${at}. It is with the office, or waits to go.`, rules: "No rules of this village are on this tablet, so nothing could be checked here. The office checks it.",
  },
  finding: {
    limit: "at the limit", should: "a “should”: the office confirms", may: "a “may”", star: "About the star", starText: "The star marks a section number that is not printed in the ordinance as published. It was worked out from the order of the clauses.",
    body: (/** @type {string} */ who) => `Decided by the ${who}`, row: (/** @type {number} */ n) => `row ${n}`, missing: "missing", the: "The", limitOf: (/** @type {string} */ s) => `limit ${s}`, state: "Wisconsin", open: "Keeps the record from approval until it is settled.",
  },
  bodies: /** @type {Record<string, string>} */ ({ public_works_committee: "Public Works Committee", village_board: "Village Board", approving_authority: "Approving Authority" }),
  outbox: {
    lead: {
      clear: "Nothing waits. The office has everything.", offline: (/** @type {number} */ n) => `Offline. ${count(n, "item")} ${n === 1 ? "waits" : "wait"}, none is lost.`, sending: (/** @type {number} */ n) => `Sending. ${count(n, "item")} ${n === 1 ? "waits" : "wait"}, none is lost.`, online: (/** @type {number} */ n) => `${count(n, "item")} ${n === 1 ? "waits" : "wait"} to go, none is lost.`,
    },
    keptUntil: "Everything is kept on this tablet until the office confirms it.", last: (/** @type {string} */ at) => `Last confirmed ${at}.`, never: "Nothing was confirmed yet.", aside: (/** @type {number} */ n) => `${count(n, "item")} ${n === 1 ? "is" : "are"} set aside and ${n === 1 ? "needs" : "need"} you`, what: "What", why: "Why", next: "Next", nextText: "It stays here. The rest of the queue goes on. Ask the office what should become of it.", waiting: "Waiting", changes: "Changes and records", photos: "Photos", since: (/** @type {string} */ at) => `waiting since ${at}`, question: "Confirmed, with a question", compare: "Compare", save: "Save everything unsent to a file", saved: (/** @type {string} */ name) => `${name} was handed to the browser. The queue itself stays here.`, saveNone: "There is nothing unsent to save.", saveFailed: "The file was not made. The queue is still here; try again.", go: "Send now", storage: "Storage",
    protected: "Protected from clean-up", unprotected: "Not protected from clean-up: install the app, and allow storage, so that a full disk cannot take what waits", used: (/** @type {string} */ part) => `${part} of the room for this app is used`, askStorage: "Ask for protected storage", tight: "More than 80 % of the room is used. Send what waits before taking more photos.",
  },
  settings: {
    title: "Settings", display: "Display", themes: { light: "Light", sun: "Sun", dark: "Dark" }, hand: "Bottom bar", right: "For the right hand", left: "For the left hand", keys: "Numbers", pad: "Number pad of this app", keyboard: "Keyboard of the tablet", person: "Person", tablet: "Tablet", village: "Village", pack: "Rules in force", forms: "Forms", version: "Version", help: "Ask the office", offlineReady: "Ready for offline work", yes: "Yes", no: "Not yet", protected: "Protected", unprotected: "Not protected", storage: "Storage",
  },
  signIn: { title: "Sign in again", why: "Your sign-in has ended. Sending goes on; receiving waits until you sign in.", name: "Sign-in name", password: "Password", go: "Sign in" },
  conflict: {
    title: "Two versions", lead: (/** @type {string} */ group) => `${group} was changed on two devices from the same starting point. Both are kept, whole. The office decides.`, inForce: "In force for now", waiting: "Kept beside it", before: "Before", field: "Field", none: "not answered", gone: "This question is settled. Both versions stay in the history.", by: (/** @type {string} */ who, /** @type {string} */ at) => [who, at].filter(Boolean).join(", "), notice: (/** @type {string} */ group) => `${group}: two versions. The office decides.`, caption: "The two versions side by side",
  },
  custody: {
    title: "Chain of custody", lead: "Written once, never changed. A correction is a new entry.", holder: (/** @type {string} */ who) => `Held by ${who}`, noHolder: "Nobody holds the samples yet. The first entry says who collected and sealed them.", events: "Entries so far", none: "No entry yet.", add: "Add an entry", action: "What happens", actions: { seal: "Seal", relinquish: "Relinquish", receive: "Receive", lock: "Lock away", unlock: "Take out", open: "Open", ship: "Give to a carrier", lab_receipt: "Laboratory receives" }, from: "From", by: "By", to: "To", org: "Organisation", containers: "Containers", allContainers: "Every container of this form goes along.", noContainers: "No container is recorded in this visit yet.", seal: "Seal number", sealState: "Seal on opening", sealStates: { intact: "Intact", broken: "Broken", missing: "Missing", number_differs: "Number differs" }, temp: "Temperature", ice: "Ice present", signature: "Signature", keep: "Keep this entry", kept: (/** @type {string} */ at) => `Entry kept ${at}.`, gap: "The seal was not intact. Results that follow cannot support a notice or a charge on their own: sample again.", alternate: "Samples are received only after they were relinquished. Relinquish first.", mustReceive: "The samples were relinquished. The next entry is their receipt.", needFrom: "Say who hands over.", needTo: "Say who takes over.", needSeal: "The seal number is missing.", needSealState: "Say what the seal looks like.", needSign: "This entry needs a signature.", needAction: "Choose what happens.", link: "Chain of custody", form: "Open the chain of custody", entries: (/** @type {number} */ n) => count(n, "entry", "entries"),
  },
  welcome: {
    title: "Make this tablet yours", lead: "Three steps. Each one says why.", step: (/** @type {number} */ n) => `Step ${n} of 3`, enrol: "Enrol with the code from the office", enrolWhy: "The office makes a code for one person and one village. It works once, within 24 hours, and gives this tablet a key of its own.", code: "Code", codeHint: "10 letters and figures, as on the office's screen or its QR code", name: "Name of this tablet", nameHint: "So that the office can tell it from others", go: "Enrol this tablet", going: "Enrolling …",
    store: "Keep what you record safe", storeWhy: "Readings and photos stay on this tablet until the office has them. Ask the browser to protect them from being cleaned up when the disk is full.", storeGo: "Protect the storage", stored: "The storage is protected.", notStored: "The browser did not protect the storage. Installing the app usually changes that; until then send often.", sense: "Let it see and know where it is", senseWhy: "The camera takes the proof, the position says where it was taken. The tablet asks you for each.", camera: "Allow the camera", cameraOk: "The camera may be used.", place: "Allow the position", placeOk: "The position may be used.", install: "Put it on the home screen", installWhy: "From the home screen the app opens without a signal and keeps its own storage.", installGo: "Install", installed: "The app is installed.", installBy: "Open the browser's menu and choose “Install app” or “Add to Home screen”.", finish: "Go to today's visits", skip: "Later", refused: "The code was not accepted. Check it, or ask the office for a new one.", offline: "There is no line to the office. Enrolling needs one; everything after it does not.", short: "The code is incomplete. Type the code as it stands on the office's screen.", back: "Back",
  },
  errors: { open: "The app could not open what it keeps on this tablet. Nothing was deleted. Close other tabs of this app and open it again.", lost: "This page does not exist.", home: "Go to Today", again: "Open again", generic: "That did not work. What was kept is safe; try again." },
};

const languages = /** @type {Record<string, typeof en>} */ ({ en });

/** The sentences in the language spoken now. A live binding: import it, do not copy from it at load time. */
export let t = en;

/** Speak a language, or English where it is not there yet. Returns what is spoken. @param {string} language */
export function speak(language) {
  t = languages[language.slice(0, 2)] ?? en;
  document.documentElement.lang = t.language;
  return t.language;
}

/** A slug as words, for choices without a label of their own: five_ft_out becomes "Five ft out". @param {string} slug */
export function asWords(slug) {
  const text = String(slug).replaceAll("_", " ");
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** A unit as printed. @param {string} unit */
export const unitWord = (unit) => t.units.short[unit] ?? unit;
