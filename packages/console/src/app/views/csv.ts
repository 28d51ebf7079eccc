/** A row of a table in text: where it begins, counted from 1, and its cells. */
export interface CsvRow {
  readonly line: number;
  readonly cells: readonly string[];
  /** Of each cell, whether it stands in quotation marks. */
  readonly quoted: readonly boolean[];
  /** What separates the cells. */
  readonly separator: string;
  /** A quotation mark that is not closed, or that text follows. */
  readonly isBroken: boolean;
}

/**
 * Reads comma-separated values (RFC 4180), as files and as spreadsheets paste them: what separates cells, a comma, a semicolon or a tab, is
 * the first of them in the text. Rows end with LF, CRLF or CR; a byte order mark in front and rows without text are left out.
 */
export function readCsv(text: string): readonly CsvRow[] {
  const source = text.replace(/^\uFEFF/, "");
  const separator = /[,;\t]/.exec(source.replaceAll(/"[^"]*"/g, ""))?.[0] ?? ",";
  const rows: CsvRow[] = [];
  const blank = (line: number) => ({
    line,
    cells: [] as string[],
    quoted: [] as boolean[],
    separator,
    isBroken: false,
  });
  let row = blank(1);
  let line = 1;
  for (let at = 0; at <= source.length; ) {
    const cell = readCell(source, at, separator);
    row.cells.push(cell.text);
    row.quoted.push(source[at] === '"');
    row.isBroken ||= cell.isBroken;
    line += cell.lines;
    at = cell.end;
    if (source[at] === separator) {
      at += 1;
      continue;
    }
    if (row.cells.some((each) => each.trim() !== "") || row.isBroken) rows.push(row);
    at += source.startsWith("\r\n", at) ? 2 : 1;
    line += 1;
    row = blank(line);
  }
  return rows;
}

/** One cell from a place on; `end`: where what follows it stands. `lines`: how many ends of lines it contains. */
function readCell(source: string, from: number, separator: string) {
  if (source[from] !== '"') {
    const end = endOfCell(source, from, separator);
    const text = source.slice(from, end);
    return { text, end, lines: 0, isBroken: text.includes('"') };
  }
  let close = from + 1;
  while (close < source.length && (source[close] !== '"' || source[close + 1] === '"')) {
    close += source[close] === '"' ? 2 : 1;
  }
  const text = source.slice(from + 1, close).replaceAll('""', '"');
  const lines = text.split(/\r\n|\r|\n/).length - 1;
  const behind = Math.min(close + 1, source.length);
  const end = endOfCell(source, behind, separator);
  const isBroken = close >= source.length || source.slice(behind, end).trim() !== "";
  return { text, end, lines, isBroken };
}

function endOfCell(source: string, from: number, separator: string): number {
  let end = from;
  while (end < source.length && source[end] !== separator && source[end] !== "\n" && source[end] !== "\r") end += 1;
  return end;
}
