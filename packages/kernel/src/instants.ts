const dateForm = /^(\d{4})-(\d{2})-(\d{2})$/;
/** RFC 3339, whose seconds may be left out, so that nothing depends on what else a runtime takes for a date. */
const timeForm = /^(\d{4}-\d{2}-\d{2})[Tt ](\d{2}):(\d{2})(?::(\d{2})(?:\.\d{1,9})?)?(?:[Zz]|[+-](\d{2}):(\d{2}))$/;

/**
 * A date as the Unix milliseconds of its beginning in UTC. Undefined for any other text, and for days that are in no calendar:
 * a runtime rolls 31 November over into December.
 */
export function readDate(text: string): number | undefined {
  const [whole, year = 0, month = 0, day = 0] = (dateForm.exec(text) ?? []).map(Number);
  if (whole === undefined || month < 1 || month > 12 || day < 1 || day > daysOf(year, month)) return undefined;
  return Date.parse(`${text}T00:00:00Z`);
}

/**
 * A date-time with its offset, as Unix milliseconds. Undefined for any other text, and for what no clock shows: a day that is
 * in no calendar, 24:00, a leap second, which Unix time does not have.
 */
export function readDateTime(text: string): number | undefined {
  const parts = timeForm.exec(text);
  if (parts === null || readDate(parts[1] ?? "") === undefined) return undefined;
  const [hour = 0, minute = 0, second = 0, offsetHour = 0, offsetMinute = 0] = parts
    .slice(2)
    .map((part) => Number(part ?? 0));
  if (hour > 23 || minute > 59 || second > 59 || offsetHour > 23 || offsetMinute > 59) return undefined;
  const instant = Date.parse(text.replace(" ", "T").toUpperCase());
  return Number.isNaN(instant) ? undefined : instant;
}

function daysOf(year: number, month: number): number {
  if (month === 2) return year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0) ? 29 : 28;
  return [4, 6, 9, 11].includes(month) ? 30 : 31;
}
