/* The page mirrors itself for right-to-left languages because its styles use logical properties (start and
 * end instead of left and right). Every physical property is listed here with its reason. */
import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';

const SRC = fileURLToPath(new URL('../src/', import.meta.url));

const POINTER = 'coordinates of the pointer';
const CARDS = 'cards lie as in every country';
const SCENERY = 'a picture';
/** File → declaration → why it is not mirrored. */
const PHYSICAL = {
  'lib/board/DragLayer.svelte': {
    'left: 0': POINTER,
    'left: calc(var(--w) * -0.5 + var(--i) * var(--w) * 0.34)': CARDS,
  },
  'lib/board/Hand.svelte': { 'left: 0': CARDS, 'left: …': CARDS },
  'lib/result/Confetti.svelte': { 'left: …': SCENERY },
  'lib/ui/Sky.svelte': { 'right: 12vw': SCENERY },
};

/** Notches and rounded corners belong to a physical side of the device. */
const NOTCH = /safe-area-inset-|--edge-(?:left|right)/;

/** The parts of a value, 'a calc(b + c)' → ['a', 'calc(b + c)']. */
const partsOf = (value) =>
  value.match(/(?:[^\s(]+(?:\((?:[^()]|\((?:[^()]|\([^()]*\))*\))*\))?)+|\S+/g) ?? [];

/** Whether a four-sided shorthand has different values on the left and right. */
const isUneven = (value) => {
  const [top, right = top, , left = right] = partsOf(value.replaceAll('!important', ''));
  return left !== right;
};
const isUnevenRadius = (value) =>
  value.split('/').some((radii) => {
    const [topLeft, topRight = topLeft, bottomRight = topLeft, bottomLeft = topRight] = partsOf(radii);
    return topLeft !== topRight || bottomRight !== bottomLeft;
  });

function isPhysical(property, value) {
  if (NOTCH.test(value)) return false;
  if (/^(?:scroll-)?(?:margin|padding)-(?:left|right)$|^border-(?:left|right)(?:-|$)/.test(property))
    return true;
  if (/^border-(?:top|bottom)-(?:left|right)-radius$/.test(property)) return true;
  if (/^(?:text-align|float|clear)$/.test(property)) return /^(?:left|right)$/.test(value);
  if (/^(?:left|right)$/.test(property)) return value !== '50%' && value !== 'auto'; // 50%: centered
  if (/^(?:scroll-)?(?:margin|padding)$|^inset$|^border-(?:width|style|color)$/.test(property))
    return isUneven(value);
  if (property === 'border-radius') return isUnevenRadius(value);
  return property === 'transform' && /translateX\((?!-50%)/.test(value);
}

/** The declarations of a style sheet, or of the styles of a component. */
function declarationsOf(name, text) {
  const styles = name.endsWith('.css')
    ? [text]
    : [...text.matchAll(/<style[^>]*>(.*?)<\/style>/gs)].map(([, css]) => css);
  const inline = [...text.matchAll(/style:(left|right)=/g)].map(([, side]) => [side, '…']);
  const rules = styles.flatMap((css) =>
    [...css.replaceAll(/\/\*.*?\*\//gs, '').matchAll(/(?<=[{;]\s*)([a-z-]+):\s*([^;{}]+)(?=[;}])/g)].map(
      ([, property, value]) => [property, value.trim().replaceAll(/\s+/g, ' ')],
    ),
  );
  return [...rules, ...inline];
}

const physicalOf = (name, text) =>
  declarationsOf(name, text)
    .filter(([property, value]) => isPhysical(property, value))
    .map(([property, value]) => `${property}: ${value}`);

it('finds what is physical, and nothing that is mirrored', () => {
  const found = (css) => physicalOf('a.css', `.a { ${css}; }`);
  for (const css of [
    'margin-left: 1px',
    'border-right: 1px solid red',
    'left: 0',
    'padding: 1px 2px 3px 4px',
    'inset: 0 auto auto calc(50% + 9px)',
    'border-radius: 4px 14px 14px',
    'border-top-left-radius: 4px',
    'text-align: right',
    'float: left',
    'transform: translateX(9px) rotate(1deg)',
  ])
    expect(found(css)).toEqual([css]);
  for (const css of [
    'margin-inline-start: 1px',
    'padding: 1px calc(2px + (1px * 2)) 3px',
    'margin: 0 auto',
    'inset: 0',
    'left: var(--edge-left)',
    'left: 50%',
    'border-radius: 9px 9px 0 0',
    'text-align: start',
    'transform: translateX(-50%)',
  ])
    expect(found(css)).toEqual([]);
  expect(physicalOf('A.svelte', "<i style:left='1px'></i><style>b { right: 2px; }</style>")).toEqual([
    'right: 2px',
    'left: …',
  ]);
});

it('the page is mirrored, except for what is listed', () => {
  const files = readdirSync(SRC, { recursive: true }).filter(
    (name) => /\.(?:svelte|css)$/.test(name) && !/^(?:admin|fonts)\//.test(name), // the operators' page is in English
  );
  const found = files.flatMap((name) =>
    physicalOf(name, readFileSync(SRC + name, 'utf8')).map((style) => `${name}: ${style}`),
  );
  const listed = Object.entries(PHYSICAL).flatMap(([name, styles]) =>
    Object.keys(styles).map((style) => `${name}: ${style}`),
  );
  expect([...new Set(found)].sort()).toEqual(listed.sort());
});
