import { isAddress } from "@solana/kit";
import { TrellisError } from "@trellis/kernel/errors.js";
import { limits } from "@trellis/kernel/limits.js";
import { foldName } from "./fold-name.js";

/** What a person gave, as it is stored. */
export interface LabelTexts {
  readonly name: string;
  /** What names that look alike have in common. */
  readonly foldedName: string;
  readonly note: string | null;
}

/** Controls, what changes the direction of a line or breaks it, what has no width, what is no character, and a blank that is no space. */
const unseen = /[\p{C}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\u2800]/u;
const otherSpaces = /(?! )\p{Zs}/u;
/** More marks on a letter than any language writes. */
const piledMarks = /\p{M}{5}/u;
const word = /[\p{L}\p{M}]+/gu;
/** Scripts whose letters look like each other's. */
const alikeScripts = [
  /\p{Script=Latin}/u,
  /\p{Script=Cyrillic}/u,
  /\p{Script=Greek}/u,
  /\p{Script=Armenian}/u,
  /\p{Script=Cherokee}/u,
  /\p{Script=Coptic}/u,
  /\p{Script=Lisu}/u,
  /\p{Script=Georgian}/u,
];

/** Reads a label's texts, in Unicode's form NFC. Throws `invalid_request` for what could deceive the person who reads it. */
export function parseLabelTexts(body: { readonly name: string; readonly note?: string | null }): LabelTexts {
  const name = body.name.normalize("NFC");
  const note = body.note?.normalize("NFC") ?? null;
  const foldedName = foldName(name);
  refuse("name", faultOfText(name, limits.labelNameMax) ?? faultOfName(name, foldedName));
  if (note !== null) refuse("note", faultOfText(note, limits.labelNoteMax));
  return { name, foldedName, note };
}

/** Reads a name that its reader is to trust, in Unicode's form NFC. Throws `invalid_request` for what could deceive, by the name of the field. */
export function parseShownName(text: string, field: string): string {
  const name = text.normalize("NFC");
  refuse(field, faultOfText(name, limits.labelNameMax) ?? faultOfName(name, foldName(name)));
  return name;
}

/** Whether a name that nobody has held against these rules keeps to them. */
export function isShownName(text: string): boolean {
  const name = text.normalize("NFC");
  return (faultOfText(name, limits.labelNameMax) ?? faultOfName(name, foldName(name))) === undefined;
}

function refuse(field: string, fault: string | undefined): void {
  if (fault !== undefined) throw new TrellisError("invalid_request", { field, message: `The ${field} ${fault}.` });
}

/** What is wrong with a text that people read; undefined: nothing. */
function faultOfText(text: string, most: number): string | undefined {
  const { length } = Array.from(text);
  if (length < 1 || length > most) return `must have 1 to ${most} characters`;
  if (unseen.test(text)) return "must have no control, direction, zero-width or line-breaking characters";
  if (otherSpaces.test(text)) return "must have no other space than the usual one";
  if (text !== text.trim() || text.includes("  ")) {
    return "must not begin or end with a space, nor have two in a row";
  }
  if (/^\p{M}/u.test(text) || piledMarks.test(text)) return "must not have marks without a letter, nor five on one";
  return undefined;
}

function faultOfName(name: string, foldedName: string): string | undefined {
  if (!/[\p{L}\p{N}]/u.test(name) || foldedName === "") return "must have a letter or a digit";
  if (looksLikeAddress(name)) return "must not look like an address";
  const mixed = name.match(word)?.find((each) => alikeScripts.filter((script) => script.test(each)).length > 1);
  if (mixed !== undefined) return "must not mix letters of scripts that look alike in one word";
  return undefined;
}

const base58 = "[1-9A-HJ-NP-Za-km-z]";
/** As pages shorten addresses: a few characters of the beginning, dots, and a few of the end. */
const shortened = new RegExp(`^${base58}{2,12}([.·•∙⋅⋯*~_-]{2,}|[•⋯])${base58}{2,12}$`, "u");

/** Whether a name could be taken for an address, whole, in groups or shortened: it would be read as the one that is paid. */
export function looksLikeAddress(name: string): boolean {
  const plain = name.normalize("NFKC");
  const whole = plain.replace(/[\p{Z}\p{P}\p{S}]/gu, "");
  const parts = [...plain.split(" "), plain.replaceAll(" ", "")];
  return (
    /[0-9A-Za-z]{32,}/.test(plain) ||
    (/\d/.test(whole) && isAddress(whole)) ||
    parts.some((part) => shortened.test(part))
  );
}
