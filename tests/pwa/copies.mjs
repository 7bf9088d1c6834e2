// node --import: runs the tests on the short copies that a tablet downloads, in place of the modules as they are written.
import { register } from 'node:module';

const hook = `export async function resolve(specifier, context, next) {
  const parentURL = context.parentURL?.replace('/static/lean/', '/static/');
  const found = await next(specifier, { ...context, parentURL });
  return { ...found, url: found.url.replace(/\\/static\\/pwa\\/(.*\\.js)$/, '/static/lean/pwa/$1') };
}`;
register(`data:text/javascript,${encodeURIComponent(hook)}`);
