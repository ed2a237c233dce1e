/* The language may change while the page is open, so no constant may hold a text: texts are evaluated in
 * the template, in a `$derived`, or in a function. */
import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { parse } from 'svelte/compiler';
import { expect, it } from 'vitest';

const SRC = fileURLToPath(new URL('../../src/', import.meta.url));
const SAYS = /^say([A-Z]\w*)?$/;
/** A name that is the same in every language. */
const EXEMPT = /^(?:'brand'|"brand")$/;

interface Node {
  type: string;
  [member: string]: unknown;
}
const isNode = (value: unknown): value is Node =>
  typeof value === 'object' && value !== null && 'type' in value;

const isCall = (value: unknown, name: string) =>
  isNode(value) && value.type === 'CallExpression' && (value.callee as Node).name === name;

/** The source text of each call that evaluates a text when the code is loaded. */
function textsMade(node: Node, code: string): string[] {
  if (/Function|Class/.test(node.type)) return [];
  if (node.type === 'VariableDeclarator' && isCall(node.init, '$props')) return []; // Svelte evaluates defaults again
  if (node.type === 'CallExpression') {
    const { callee, arguments: values } = node as unknown as { callee: Node; arguments: Node[] };
    const { start, end } = node as unknown as { start: number; end: number };
    const called = code.slice(...([callee.start, callee.end] as [number, number]));
    if (called.startsWith('$derived') || called.startsWith('$effect')) return [];
    const [first] = values as (Node & { start: number; end: number })[];
    if (SAYS.test(called) && !(first && EXEMPT.test(code.slice(first.start, first.end))))
      return [code.slice(start, end)];
  }
  return Object.entries(node).flatMap(([member, value]) =>
    member === 'loc' ? [] : [value].flat().flatMap((one) => (isNode(one) ? textsMade(one, code) : [])),
  );
}

function constantsOf(code: string): string[] {
  const { instance, module } = parse(code, { modern: true });
  return [instance, module].flatMap((script) =>
    script ? script.content.body.flatMap((node) => textsMade(node as unknown as Node, code)) : [],
  );
}

it('finds a text that is kept, and no other', () => {
  const script = (body: string) => constantsOf(`<script lang="ts">${body}</script>`);
  expect(script("const a = [say('x')];")).toEqual(["say('x')"]);
  expect(script("let a: string = $state(sayOf('x', y));")).toEqual(["sayOf('x', y)"]);
  expect(
    script("const a = $derived(say('x')); const b = () => say('y'); function c() { return say('z'); }"),
  ).toEqual([]);
  expect(script("let { label = say('x') }: Props = $props();")).toEqual([]);
  expect(script("const BRAND = say('brand').split(' ');")).toEqual([]);
});

/* The operators' page is in English only. */
const files = readdirSync(SRC, { recursive: true, encoding: 'utf8' }).filter(
  (file) => /\.(svelte|ts)$/.test(file) && !/\.test\.ts$|^admin\//.test(file),
);

it('no text of the page is kept', () => {
  const kept = files.flatMap((file) => {
    const code = readFileSync(SRC + file, 'utf8');
    const texts = constantsOf(file.endsWith('.ts') ? `<script lang="ts">${code}</script>` : code);
    return texts.map((text) => `${file}: ${text}`);
  });
  expect(files.length).toBeGreaterThan(200);
  expect(kept).toEqual([]);
});
