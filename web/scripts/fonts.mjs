/* The page's own fonts, so that it looks the same on every machine. Reduces the font families from npm to the letters
 * that our languages need, and writes them to src/fonts/ with their @font-face rules (src/fonts/faces.css). Run it
 * with `npm run fonts`; every build does so first. */
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import subsetFont from 'subset-font';
import { lettersOf, rangesOf, readTexts } from './letters.mjs';

const OUT = fileURLToPath(new URL('../src/fonts/', import.meta.url));
const { resolve } = createRequire(import.meta.url);

/* A browser fetches a file if the page contains a letter of its range. */
const RANGES = rangesOf(readTexts());

/* Features that letters need, without old-style figures, small capitals, and the like. Devanagari needs all its
 * features. */
const FEATURES = ['ccmp', 'kern', 'liga', 'locl', 'mark', 'mkmk'];

/* `ascent` and `descent`, in em, center capital letters vertically in their line. `standIns` are shown until the
 * family is loaded: system fonts, regular and bold, stretched by these percentages so that an English text is as wide
 * as in the family. Nearly every machine has one of them: Windows and Apple (or Liberation, which is as wide),
 * Android, Debian. */
const FAMILIES = [
  {
    name: 'Rummy Sans',
    file: 'noto-sans',
    subsets: ['latin', 'latin-ext', 'cyrillic', 'devanagari'],
    axis: { min: 400, max: 700 },
    ascent: 1,
    descent: 0.286,
    standIns: {
      Arial: {
        regular: ['Arial', 'Liberation Sans'],
        bold: ['Arial Bold', 'Liberation Sans Bold'],
        width: [104.2, 101.4],
      },
      Roboto: { regular: ['Roboto'], bold: ['Roboto Bold'], width: [105.5, 107.6] },
      DejaVu: { regular: ['DejaVu Sans'], bold: ['DejaVu Sans Bold'], width: [92.7, 85.2] },
    },
  },
  {
    name: 'Rummy Serif',
    file: 'literata',
    subsets: ['latin', 'latin-ext', 'cyrillic'],
    axis: 600,
    ascent: 1,
    descent: 0.3,
    standIns: {
      Georgia: { bold: ['Georgia Bold', 'Gelasio Bold'], width: [94.5] },
      Times: { bold: ['Times New Roman Bold', 'Liberation Serif Bold'], width: [112.6] },
      Noto: { bold: ['Noto Serif Bold'], width: [96.6] },
      DejaVu: { bold: ['DejaVu Serif Bold'], width: [85.9] },
    },
  },
];

/** For a font that is stretched by `width` percent. */
const percent = (em, width = 100) => `${((em * 1e4) / width).toFixed(1)}%`;

async function face({ name, file, axis, ascent, descent }, subset) {
  const source = await readFile(
    resolve(`@fontsource-variable/${file}/files/${file}-${subset}-wght-normal.woff2`),
  );
  const font = await subsetFont(source, lettersOf(RANGES[subset]), {
    targetFormat: 'woff2',
    variationAxes: { wght: axis },
    keepFeatures: subset === 'devanagari' ? undefined : FEATURES,
  });
  await writeFile(`${OUT}${file}-${subset}.woff2`, font);
  return `@font-face {
  font-family: '${name}';
  font-weight: ${axis.min ? `${axis.min} ${axis.max}` : '400 700'};
  font-display: swap;
  src: url('./${file}-${subset}.woff2') format('woff2');
  ascent-override: ${percent(ascent)};
  descent-override: ${percent(descent)};
  line-gap-override: 0%;
  unicode-range: ${RANGES[subset]};
}
`;
}

/** A system font, stretched so that its lines are as high and as long as the family's. It replaces only letters that the family
 * has; other letters come from the next family first. */
function standIn(family, machine, fonts, weights, width) {
  return `@font-face {
  font-family: '${family.name} like ${machine}';
  font-weight: ${weights};
  src: ${fonts.map((font) => `local('${font}')`).join(', ')};
  size-adjust: ${width}%;
  ascent-override: ${percent(family.ascent, width)};
  descent-override: ${percent(family.descent, width)};
  line-gap-override: 0%;
  unicode-range: ${family.subsets.map((subset) => RANGES[subset]).join(', ')};
}
`;
}

function standInsOf(family) {
  return Object.entries(family.standIns).flatMap(([machine, { regular, bold, width }]) => [
    ...(regular ? [standIn(family, machine, regular, '400 500', width[0])] : []),
    standIn(family, machine, bold, regular ? '501 700' : '400 700', width.at(-1)),
  ]);
}

function standInNames({ name, standIns }) {
  return Object.keys(standIns).map((machine) => `'${name} like ${machine}'`);
}

await mkdir(OUT, { recursive: true });
const rules = [];
for (const family of FAMILIES) {
  for (const subset of family.subsets) rules.push(await face(family, subset));
  rules.push(...standInsOf(family));
}
const [sans, serif] = FAMILIES;
/* A browser fetches a font as soon as a text uses it, so the page decides when (src/lib/fonts.ts). */
const stacks = (own) => {
  const [sansStack, serifStack] = [sans, serif].map((family) => [...own(family), ...standInNames(family)]);
  return `  --sans: ${[...sansStack, 'sans-serif'].join(', ')};
  --serif: ${[...serifStack, ...sansStack, 'serif'].join(', ')};`;
};
rules.push(`:root {
${stacks(() => [])}
}
`);
rules.push(`.own-fonts {
${stacks(({ name }) => [`'${name}'`])}
}
`);
await writeFile(`${OUT}faces.css`, rules.join('\n'));
