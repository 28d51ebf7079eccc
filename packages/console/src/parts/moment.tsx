/** A point in time in the reader's zone; the exact one is in the title. */
export function Moment({ at }: { readonly at: string | null | undefined }) {
  if (at === null || at === undefined) return <span className="faint">–</span>;
  const date = new Date(at);
  if (Number.isNaN(date.getTime())) return <span>{at}</span>;
  return (
    <time dateTime={at} title={at}>
      {format.format(date)}
    </time>
  );
}

const format = new Intl.DateTimeFormat(undefined, { dateStyle: "medium", timeStyle: "short" });
