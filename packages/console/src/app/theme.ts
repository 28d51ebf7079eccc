/** What is painted in a tenant's colour, on light and on dark paper. */
export interface Theme {
  /** Of links and buttons on light paper. */
  readonly light: Paint;
  readonly dark: Paint;
}

export interface Paint {
  readonly accent: string;
  /** Of text on the accent. */
  readonly accentInk: string;
}

type Rgb = readonly [red: number, green: number, blue: number];

/** What text in the accent stands on where it is read least well: that of the chosen entry of a menu. */
const lightWash: Rgb = [234, 243, 236];
const darkWash: Rgb = [29, 43, 34];
const black: Rgb = [0, 0, 0];
const white: Rgb = [255, 255, 255];

/** What text needs against what it stands on: WCAG 2.2, success criterion 1.4.3. */
const contrastMin = 4.5;

/**
 * The colour as it can be read: on light paper it is darkened, on dark paper lightened, as far as text needs and no further. `color` is
 * `#rrggbb`.
 */
export function themeOf(color: string): Theme {
  const given = parse(color);
  return { light: paintOn(given, lightWash, black), dark: paintOn(given, darkWash, white) };
}

/** Sets what the stylesheet takes its accent from. */
export function applyTheme(color: string): void {
  const { light, dark } = themeOf(color);
  const { style } = document.documentElement;
  style.setProperty("--tenant-light", light.accent);
  style.setProperty("--tenant-light-ink", light.accentInk);
  style.setProperty("--tenant-dark", dark.accent);
  style.setProperty("--tenant-dark-ink", dark.accentInk);
}

function paintOn(given: Rgb, paper: Rgb, towards: Rgb): Paint {
  let accent = given;
  for (let step = 1; contrast(accent, paper) < contrastMin && step <= 20; step += 1)
    accent = mix(given, towards, step / 20);
  const ink = contrast(accent, white) >= contrast(accent, black) ? white : black;
  return { accent: format(accent), accentInk: format(ink) };
}

/** From 1 to 21. */
export function contrast(one: Rgb, other: Rgb): number {
  const [bright, dim] = [luminance(one), luminance(other)].sort((a, b) => b - a) as [number, number];
  return (bright + 0.05) / (dim + 0.05);
}

function luminance(color: Rgb): number {
  const [red, green, blue] = color.map((value) => {
    const part = value / 255;
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  }) as [number, number, number];
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

const mix = (from: Rgb, to: Rgb, share: number): Rgb =>
  from.map((value, at) => Math.round(value + ((to[at] ?? 0) - value) * share)) as unknown as Rgb;

export const parse = (color: string): Rgb =>
  [1, 3, 5].map((at) => Number.parseInt(color.slice(at, at + 2), 16)) as unknown as Rgb;

const format = (color: Rgb): string => `#${color.map((value) => value.toString(16).padStart(2, "0")).join("")}`;
