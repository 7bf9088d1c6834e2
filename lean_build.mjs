// Shortens the tablet app's modules and style sheets, one by one: no comments, no long local names.
// Called by hatch_build.py: node lean_build.mjs <folder of static files> <folder to fill> <file below the first> ...
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { minify } from 'terser';

const [from, into, ...names] = process.argv.slice(2);

/** @param {string} code @param {string} name */
async function shortModule(code, name) {
  const module = !name.endsWith('/sw.js'); // a module's outermost names are its own; a worker's script shares them
  // Licences stay where they stand in a comment, and are named where they stand in a file of their own.
  const preamble = name.startsWith('vendor/') ? `/*! ${name.split('/')[1]}: see the LICENSE beside it */` : undefined;
  const format = { comments: preamble ? 'some' : false, ecma: 2020, preamble };
  const short = await minify(code, { module, toplevel: module, compress: { ecma: 2020, passes: 3 }, mangle: true, format });
  // Lines break in templates of HTML and SVG only, where an indentation is as good as none.
  return (short.code ?? '').replace(/\n\s+/g, '\n');
}

/** @param {string} code */
const shortSheet = (code) => `${code.replace(/\/\*.*?\*\//gs, '').replace(/\n\s+/g, '\n').trim()}\n`;

for (const name of names) {
  const code = await readFile(join(from, name), 'utf8');
  const short = name.endsWith('.css') ? shortSheet(code) : await shortModule(code, name);
  await mkdir(dirname(join(into, name)), { recursive: true });
  await writeFile(join(into, name), short);
}
