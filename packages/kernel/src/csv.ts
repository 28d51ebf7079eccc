import Type from "typebox";

/** How a list is written as comma-separated values (RFC 4180), as data. */
export interface CsvForm {
  /** The name of the file, without `.csv`: small letters and hyphens. */
  readonly fileName: string;
  /** Columns in their order, by their names in the first row: each is the first of these fields of an item that is there, as dotted paths. */
  readonly columns: Readonly<Record<string, readonly string[]>>;
}

/** What is asked with where an answer has this form; the header `accept` says the same (gap 212). */
export const csvQuery = {
  format: Type.Optional(
    Type.Enum(["json", "csv"], { description: "The form of the answer. Default: what `accept` prefers, else json." }),
  ),
};

export const csvContentType = "text/csv; charset=utf-8; header=present";

/** Writes items, a row each behind the names of the columns. */
export function writeCsv({ columns }: Pick<CsvForm, "columns">, items: readonly unknown[]): string {
  const fields = Object.values(columns);
  const rows = items.map((item) => fields.map((paths) => textAt(item, paths)));
  return [Object.keys(columns), ...rows].map((row) => `${row.map(cell).join(",")}\r\n`).join("");
}

function textAt(item: unknown, paths: readonly string[]): string {
  for (const path of paths) {
    const value = path
      .split(".")
      .reduce<unknown>(
        (inner, name) => (isRecord(inner) && Object.hasOwn(inner, name) ? inner[name] : undefined),
        item,
      );
    if (value === undefined || value === null) continue;
    return typeof value === "object" ? JSON.stringify(value) : String(value);
  }
  return "";
}

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null;

/** A spreadsheet takes what begins so for a formula, and others have chosen some of these texts. */
const beginsLikeFormula = /^[=+\-@\t\r\n]/;

/** Some spreadsheets separate cells by a semicolon or a tab. */
function cell(text: string): string {
  const plain = beginsLikeFormula.test(text) ? `'${text}` : text;
  return /[",;\t\r\n]/.test(plain) ? `"${plain.replaceAll('"', '""')}"` : plain;
}

/** Whether a header `accept` prefers CSV to JSON. Where it does not say which, the answer is JSON, as ever. */
export function prefersCsv(accept: string | undefined): boolean {
  if (accept === undefined) return false;
  let csv = 0;
  let json = 0;
  for (const range of accept.split(",")) {
    const [type = "", ...parameters] = range.split(";").map((part) => part.trim().toLowerCase());
    const weight = parameters.find((one) => one.startsWith("q="));
    const quality = weight === undefined ? 1 : Number(weight.slice(2));
    if (!(quality > 0 && quality <= 1)) continue;
    if (type === "text/csv") csv = Math.max(csv, quality);
    if (type === "application/json") json = Math.max(json, quality);
  }
  return csv > json;
}
