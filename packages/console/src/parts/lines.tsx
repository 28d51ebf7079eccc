import { OutsideText } from "./outside-text.js";

/** A text of several lines, of which every one may be somebody else's. */
export function Lines({ text }: { readonly text: string }) {
  let place = 0;
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls is reached by the keyboard
    <pre tabIndex={0}>
      {text.split(/\r?\n/).map((line) => {
        place += 1;
        return <div key={place}>{line === "" ? " " : <OutsideText text={line} />}</div>;
      })}
    </pre>
  );
}
