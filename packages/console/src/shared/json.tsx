import { OutsideText } from "./outside-text.js";

/** A value as formatted JSON, in which letters that are not seen are seen: every text in it may be somebody else's. */
export function JsonText({ value }: { readonly value: unknown }) {
  const lines = (JSON.stringify(value, null, 2) ?? "").split("\n");
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls is reached by the keyboard
    <pre tabIndex={0}>
      {lines.map((line, place) => (
        <div key={place}>
          <OutsideText text={line} />
        </div>
      ))}
    </pre>
  );
}
