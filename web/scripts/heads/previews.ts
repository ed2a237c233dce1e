/* The pictures that messengers show with a link, 1200 × 630: one per kind of page and variant family. The build draws them as SVG from
 * the card glyphs, with no text except the site's name, and resvg renders them as PNG. */
import { initWasm, Resvg } from '@resvg/resvg-wasm';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import subsetFont from 'subset-font';
import { RANK_PATHS, STAR_PATH, SUIT_PATHS } from '../../src/lib/cards/glyphs';

const { resolve } = createRequire(import.meta.url);
const WIDTH = 1200;
const HEIGHT = 630;
const INK = { H: '#c0272d', D: '#c0272d', S: '#1d1733', C: '#1d1733' };
type Suit = keyof typeof INK;

const SKY = `
  <linearGradient id="night" x1="0" y1="0" x2="0" y2="1">
    <stop offset="0" stop-color="#0c0820"/><stop offset=".38" stop-color="#1d1440"/><stop offset=".66" stop-color="#43275f"/>
    <stop offset=".88" stop-color="#8a4a55"/><stop offset="1" stop-color="#c97a4c"/>
  </linearGradient>
  <radialGradient id="moon" cx=".38" cy=".36" r=".7">
    <stop offset="0" stop-color="#fff6df"/><stop offset=".62" stop-color="#f6d79a"/><stop offset="1" stop-color="#d9a85e"/>
  </radialGradient>`;

const DUNES = `
  <g transform="translate(0 350) scale(.8333 .6667)">
    <path d="M0 210C180 120 330 150 520 215s330 70 520-20 300-70 400-25v250H0z" fill="#3a2452"/>
    <path d="M0 285c220-95 420-75 640 0s430 60 800-60v195H0z" fill="#572f52" fill-opacity=".85"/>
    <path d="M0 330c160-50 330-10 520 30s520 40 920-60v120H0z" fill="#7a3f48" fill-opacity=".75"/>
    <path d="M0 385c260-60 520-40 760-8s440 30 680-22v65H0z" fill="#a35a40" fill-opacity=".55"/>
  </g>`;

const stars = () =>
  Array.from({ length: 60 }, (_, i) => {
    const at = [(i * 137.508 * 12) % WIDTH, (i * i * 7.13 * 5) % 330].map((n) => n.toFixed(1));
    return `<circle cx="${at[0]}" cy="${at[1]}" r="${i % 9 === 0 ? 2.2 : 1.3}" fill="#ffeccb" fill-opacity="${(0.25 + ((i * 29) % 60) / 100).toFixed(2)}"/>`;
  }).join('');

/** A card such as "KH", or "X" for a joker: its top left corner is at (x, y) before it turns around its lower middle. */
function card(name: string, x: number, y: number, scale = 1, turn = 0): string {
  const [rank = '', suit = 'S'] = name as unknown as [string, Suit];
  const face =
    rank === 'X'
      ? `<g transform="translate(8 12) scale(1.3)" fill="#c98a2b"><path d="${STAR_PATH}"/></g><g transform="translate(18 62) scale(2)" fill="#c98a2b"><path d="${STAR_PATH}"/></g>`
      : `<g transform="translate(9 10) scale(1.9)" fill="none" stroke="${INK[suit]}" stroke-width="3.4" stroke-linecap="round" stroke-linejoin="round"><path d="${RANK_PATHS[rank]}"/></g>
         <g transform="translate(8 78) scale(1.3)" fill="${INK[suit]}"><path d="${SUIT_PATHS[suit]}"/></g>
         <g transform="translate(56 34) scale(1.05)" fill="${INK[suit]}"><path d="${SUIT_PATHS[suit]}"/></g>`;
  return `<g transform="translate(${x} ${y}) rotate(${turn} ${50 * scale} ${200 * scale}) scale(${scale})">
    <rect x="-2" y="3" width="104" height="142" rx="10" fill="#000" fill-opacity=".28"/>
    <rect width="100" height="140" rx="9" fill="#fffaf0"/>${face}</g>`;
}

const fan = (cards: string, x: number, y: number, scale: number, step = 10) => {
  const names = cards.split(' ');
  return names.map((name, i) => card(name, x, y, scale, (i - (names.length - 1) / 2) * step)).join('');
};

const row = (cards: string, x: number, y: number, scale: number) =>
  cards
    .split(' ')
    .map((name, i) => card(name, x + i * 58 * scale, y, scale))
    .join('');

const box = (x: number, y: number, w: number, h: number) =>
  `<rect x="${x}" y="${y}" width="${w}" height="${h}" rx="14" fill="#15102a" fill-opacity=".72" stroke="#f3c274" stroke-opacity=".5" stroke-width="2"/>`;

/** A knockout bracket of eight, with the winner's path in gold. */
function bracket(x: number, y: number): string {
  const rounds = [8, 4, 2, 1];
  return rounds
    .flatMap((n, round) =>
      Array.from({ length: n }, (_, i) => {
        const height = 360 / n;
        const at = { x: x + round * 130, y: y + i * height + height / 2 };
        const won = i === Math.floor(2 / 2 ** round);
        const line = `stroke="${won ? '#f3c274' : '#cdb9a5'}" stroke-opacity="${won ? 1 : 0.5}" stroke-width="${won ? 5 : 3}" fill="none"`;
        const next = y + Math.floor(i / 2) * height * 2 + height;
        const way = round < 3 ? `<path d="M${at.x + 90} ${at.y}h20V${next}h20" ${line}/>` : '';
        return `${way}<rect x="${at.x}" y="${at.y - 15}" width="90" height="30" rx="8" fill="${won ? '#5a3a1c' : '#241a44'}" ${line.replace('fill="none"', '')}/>`;
      }),
    )
    .join('');
}

/** A player's profile: a medal, a few bars, and cards behind them. */
const profile = `${fan('QH KH AH', 800, 150, 1.5, 16)}${box(620, 330, 500, 210)}
  <circle cx="710" cy="435" r="60" fill="#f3c274"/><g transform="translate(670 395) scale(2.5)" fill="#2a1d52"><path d="${STAR_PATH}"/></g>
  ${[300, 220, 260].map((w, i) => `<rect x="800" y="${380 + i * 42}" width="${w}" height="16" rx="8" fill="#f3c274" fill-opacity="${0.9 - i * 0.25}"/>`).join('')}`;

const seats = [0, 1, 2, 3]
  .map((i) => {
    const angle = (i * Math.PI) / 2 + Math.PI / 4;
    const [x, y] = [860 + 260 * Math.cos(angle), 370 + 140 * Math.sin(angle)];
    return `<circle cx="${x.toFixed(0)}" cy="${y.toFixed(0)}" r="42" fill="${i === 3 ? 'none' : '#f3c274'}" stroke="#f3c274" stroke-width="5" stroke-dasharray="${i === 3 ? '12 10' : 'none'}"/>`;
  })
  .join('');
const table = `<ellipse cx="860" cy="370" rx="280" ry="150" fill="#1f4d3f" stroke="#c98a2b" stroke-width="10"/>${fan('7H 8H 9H', 815, 310, 0.9, 20)}${seats}`;
const laid = `${row('KH KS KC', 600, 170, 1.25)}${row('5D 6D X 8D', 740, 345, 1.25)}${row('AC', 1010, 190, 1.1)}`;

const SCENES: Record<string, string> = {
  home: fan('TH JH QH KH AH X', 780, 220, 1.7, 12),
  table,
  game: laid,
  tournament: bracket(600, 130),
  player: profile,
  club: fan('AS AH AD AC', 790, 220, 1.7, 14),
  straight: fan('4S 5S 6S 7S', 800, 220, 1.7, 14),
  treff: fan('AC JC QC KC', 800, 220, 1.7, 14),
  rummy40: fan('TD TS TH X', 800, 220, 1.7, 14),
  rami: fan('QD QS QH QC', 800, 220, 1.7, 14),
  declare:
    row('4H 5H 6H', 600, 150, 1.25) + row('9S TS X QS', 700, 285, 1.25) + row('KD KC KS', 860, 420, 1.25),
};
export const PREVIEWS = Object.keys(SCENES);

function drawn(name: string, brand: string): string {
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${WIDTH}" height="${HEIGHT}" viewBox="0 0 ${WIDTH} ${HEIGHT}">
    <defs>${SKY}</defs><rect width="${WIDTH}" height="${HEIGHT}" fill="url(#night)"/>${stars()}
    <circle cx="1080" cy="110" r="58" fill="url(#moon)"/>${DUNES}${SCENES[name] ?? ''}
    <text x="70" y="335" font-family="Literata" font-size="92" font-weight="600" fill="#fff4dd">${brand}</text></svg>`;
}

async function font(letters: string): Promise<Uint8Array> {
  await initWasm(readFileSync(resolve('@resvg/resvg-wasm/index_bg.wasm')));
  const file = readFileSync(resolve('@fontsource-variable/literata/files/literata-latin-wght-normal.woff2'));
  return subsetFont(file, letters, { targetFormat: 'truetype', variationAxes: { wght: 600 } });
}

/** Every preview as a PNG, keyed by name. */
export async function pictures(brand: string): Promise<Map<string, Uint8Array>> {
  const fonts = { fontBuffers: [await font(brand)], defaultFontFamily: 'Literata' };
  const made = PREVIEWS.map((name) => {
    const image = new Resvg(drawn(name, brand), { font: fonts }).render();
    const png = image.asPng();
    image.free();
    return [name, png] as const;
  });
  return new Map(made);
}
