/** Finds the words that stand in the code of a module instead of in the catalogue. */
import { readFileSync } from "node:fs";

/** The Spanish for what the tablet's parts say, as the reference data brings it. @returns {Record<string, string>} */
export function sentences() {
  const file = readFileSync(new URL("../../inspect_app/protocols/sentences/es.yaml", import.meta.url), "utf8");
  return Object.fromEntries([...file.matchAll(/^("(?:[^"\\]|\\.)*"): ("(?:[^"\\]|\\.)*")$/gm)].map(([, text, own]) => [JSON.parse(text), JSON.parse(own)]));
}

/**
 * Every string and every template of a module, with the expressions of a template as one `\0` each.
 * @param {string} source
 * @returns {{kind: "string" | "template", tag: string, text: string, line: number}[]}
 */
export function literals(source) {
  const found = [];
  const lineOf = (at) => source.slice(0, at).split("\n").length;
  const beginsPattern = (at) => /(?:^|[(,=:[!&|?{};+\-*%~^<>]|\b(?:return|typeof|case|in|of))$/.test(source.slice(0, at).trimEnd());

  /** Reads code up to the end, or to the brace that closes a template's expression. */
  function code(at, inTemplate) {
    let depth = 0;
    while (at < source.length) {
      const here = source[at];
      if (source.startsWith("//", at)) at = until("\n", at);
      else if (source.startsWith("/*", at)) at = until("*/", at) + 2;
      else if (here === '"' || here === "'") at = string(at);
      else if (here === "`") at = template(at);
      else if (here === "/" && beginsPattern(at)) at = pattern(at);
      else if (here === "}" && inTemplate && depth === 0) return at + 1;
      else { depth += here === "{" ? 1 : here === "}" ? -1 : 0; at += 1; }
    }
    return at;
  }

  const until = (text, at) => { const end = source.indexOf(text, at); return end < 0 ? source.length : end; };

  function string(from) {
    let at = from + 1;
    while (at < source.length && source[at] !== source[from]) at += source[at] === "\\" ? 2 : 1;
    found.push({ kind: "string", tag: "", text: source.slice(from + 1, at), line: lineOf(from) });
    return at + 1;
  }

  function pattern(at) {
    let inClass = false;
    for (at += 1; at < source.length && (inClass || source[at] !== "/"); at += 1) {
      if (source[at] === "\\") at += 1;
      else if (source[at] === "[") inClass = true;
      else if (source[at] === "]") inClass = false;
    }
    return at + 1;
  }

  function template(from) {
    const one = { kind: "template", tag: /(\w*)$/.exec(source.slice(0, from))[1], text: "", line: lineOf(from) };
    found.push(one);
    let at = from + 1;
    while (at < source.length && source[at] !== "`") {
      if (source.startsWith("${", at)) { one.text += "\0"; at = code(at + 2, true); }
      else if (source[at] === "\\") { one.text += source[at + 1]; at += 2; }
      else { one.text += source[at]; at += 1; }
    }
    return at + 1;
  }

  code(0, false);
  return found;
}

/** What a person would read of a literal: text between tags and in the attributes that are read out; nothing of the markup.
 * @param {{kind: string, tag: string, text: string}} literal @returns {string[]} */
export function words({ tag, text }) {
  const isMarkup = tag === "html" || tag === "svg";
  const parts = isMarkup
    ? [...text.replace(/<style[^]*?<\/style>/g, "").split(/<[^<>]*(?:>|$)/), ...[...text.matchAll(/\b(?:aria-label|title|alt|placeholder|label)="([^"]*)"/g)].map((m) => m[1])]
    : [text];
  // Two values joined by a word, "3 of 4", are no sentence yet, but English.
  if (!isMarkup && /\0 \p{Ll}{2,}( \p{Ll}+)* \0/u.test(text)) return [text.replaceAll("\0", "…")];
  return parts
    .map((part) => part.replaceAll("\0", " ").replace(/&\w+;/g, " ").replace(/\s+/g, " ").trim())
    // Outside of markup only what begins like a sentence is one: "Sign in", "There is no room"; names of things are not.
    .filter((part) => (isMarkup ? /\p{L}{2,}/u.test(part) : /\p{L}{3}/u.test(part)
      && (/^\p{Lu}[\p{Ll}’']*[,.:]? +\p{L}/u.test(part) || /\p{Ll}{2,} \p{Ll}+.*[.?]$/u.test(part))));
}
