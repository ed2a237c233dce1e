/* Generates the page's own fonts, so that it looks the same on every machine. Reduces the font families
 * from npm to the letters that our languages need, and writes them to src/fonts/ with their @font-face
 * rules (src/fonts/faces.css). Run it with `npm run fonts`; every build does so first. */
import { mkdir, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { lettersOf, rangesOf, readTexts, SIGNS } from './letters.mjs';
import { INDIC, RUPEE, subsetOf } from './subsets.mjs';

const OUT = fileURLToPath(new URL('../src/fonts/', import.meta.url));

/* A browser fetches a font file if the page contains a letter of its range. */
const RANGES = rangesOf(readTexts());

/* A page in one of these languages tries these files of a family before all others. */
const OF_LANGUAGES = { bn: ['bengali'], ta: ['tamil'], te: ['telugu', RUPEE] };

/* `ascent` and `descent`, in em, are chosen to center capital letters vertically in their line. `standIns`
 * are shown until the family is loaded: system fonts, regular and bold, stretched by these percentages so
 * that an English text is as wide as in the family. Nearly every machine has one of them: Windows and Apple
 * (or Liberation, which is as wide), Android, Debian. */
const FAMILIES = [
  {
    name: 'Rummy Sans',
    file: 'noto-sans',
    subsets: ['latin', 'latin-ext', 'cyrillic', 'devanagari', ...INDIC],
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

async function write({ file, axis }, subset, range) {
  await writeFile(`${OUT}${file}-${subset}.woff2`, await subsetOf(file, subset, lettersOf(range), axis));
}

const face = ({ name, file, axis, ascent, descent }, subset, range) => `@font-face {
  font-family: '${name}';
  font-weight: ${axis.min ? `${axis.min} ${axis.max}` : '400 700'};
  font-display: swap;
  src: url('./${file}-${subset}.woff2') format('woff2');
  ascent-override: ${percent(ascent)};
  descent-override: ${percent(descent)};
  line-gap-override: 0%;
  unicode-range: ${range};
}
`;

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
  unicode-range: ${family.subsets
    .filter((subset) => !INDIC.includes(subset))
    .map((subset) => RANGES[subset])
    .join(', ')};
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
  for (const subset of family.subsets) {
    const range = RANGES[subset];
    await write(family, subset, SIGNS[subset] ? `${range}, ${SIGNS[subset]}` : range);
    rules.push(face(family, subset, range));
  }
  rules.push(...standInsOf(family));
}
const [sans, serif] = FAMILIES;
await write(sans, RUPEE, 'U+20B9');
const familyOf = (language) => ({ ...sans, name: `Rummy ${language}` });
for (const [language, subsets] of Object.entries(OF_LANGUAGES))
  for (const subset of subsets)
    rules.push(
      face(familyOf(language), subset, subset === RUPEE ? 'U+20B9' : `${RANGES[subset]}, ${SIGNS[subset]}`),
    );

/* A browser fetches a font as soon as a text uses it, so the page decides when (src/lib/fonts.ts). */
const stacks = (own, first = []) => {
  const [sansStack, serifStack] = [sans, serif].map((family) => [...own(family), ...standInNames(family)]);
  return `  --sans: ${[...first, ...sansStack, 'sans-serif'].join(', ')};
  --serif: ${[...first, ...serifStack, ...sansStack, 'serif'].join(', ')};`;
};
rules.push(`:root {
${stacks(() => [])}
}
`);
const own = ({ name }) => [`'${name}'`];
rules.push(`.own-fonts {
${stacks(own)}
}
`);
for (const language of Object.keys(OF_LANGUAGES))
  rules.push(`.own-fonts:lang(${language}) {
${stacks(own, own(familyOf(language)))}
}
`);
await writeFile(`${OUT}faces.css`, rules.join('\n'));
