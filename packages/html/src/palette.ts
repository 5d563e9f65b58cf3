/** Each color in light and dark pages. Text on any of the backgrounds has the contrast that WCAG 2.2 AA requires. */
const colors = {
  ground: ['#f5f6f4', '#101513'],
  surface: ['#ffffff', '#181f1c'],
  sunken: ['#f1f3f0', '#121816'],
  text: ['#19211e', '#e7ecea'],
  muted: ['#55615c', '#a5b1ac'],
  line: ['#dfe4e0', '#2b3430'],
  'control-line': ['#82908a', '#75827c'],
  accent: ['#0d6554', '#63cbb4'],
  'accent-strong': ['#0a5244', '#82dac7'],
  'accent-soft': ['#e3f1ed', '#1b332d'],
  'on-accent': ['#ffffff', '#05211b'],
  bad: ['#a8231d', '#ff9d94'],
  'bad-soft': ['#fdeeec', '#351c1a'],
  'bad-line': ['#eebfba', '#6d3530'],
  'warn-soft': ['#fdf4e1', '#2f2715'],
  'warn-line': ['#e5c98a', '#665327'],
  focus: ['#1a5fd0', '#8ab4ff'],
} as const satisfies Readonly<Record<string, readonly [light: string, dark: string]>>;

const properties = (theme: 0 | 1) =>
  Object.entries(colors)
    .map(([name, values]) => `--${name}: ${values[theme]};`)
    .join(' ');

/** The colors of all pages as custom properties, in the reader's preferred scheme. */
export const palette = `:root { color-scheme: light dark; ${properties(0)} }
@media (prefers-color-scheme: dark) { :root { ${properties(1)} } }
`;
