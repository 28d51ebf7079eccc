import { useEffect, useRef, useState } from "react";
import { texts } from "../texts.js";

const words = texts.secretOnce;

/** A secret that the service answers once: it stays here until its reader says that it is stored, and nowhere else. */
export function SecretOnce({
  title,
  secret,
  note = words.note,
  onStored,
}: {
  readonly title: string;
  readonly secret: string;
  readonly note?: string;
  readonly onStored: () => void;
}) {
  const [said, setSaid] = useState("");
  const place = useRef<HTMLElement>(null);
  // The dialog that asked for it is closed: the reader is led to what it brought.
  useEffect(() => place.current?.focus(), []);
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(secret);
      setSaid(texts.copied);
    } catch {
      setSaid(words.copyByHand);
    }
  };
  return (
    <section className="notice" ref={place} tabIndex={-1} aria-label={title}>
      <p>
        <strong>{title}</strong>
      </p>
      <p>
        <code className="secret">{secret}</code>
      </p>
      <p>{note}</p>
      <p className="buttons">
        <button type="button" className="main" onClick={copy}>
          {texts.copy}
        </button>
        <button type="button" className="quiet" onClick={onStored}>
          {words.stored}
        </button>
        <span role="status">{said}</span>
      </p>
    </section>
  );
}
