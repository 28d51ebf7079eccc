import { Lines } from "./lines.js";

/** A value as formatted JSON. */
export const JsonText = ({ value }: { readonly value: unknown }) => (
  <Lines text={JSON.stringify(value, null, 2) ?? ""} />
);
