import { type InputHTMLAttributes, useId } from "react";

/** A line of text with a hint and, where it cannot be taken as it is, why. */
export function FaultyField({
  label,
  hint,
  fault,
  value,
  onValue,
  ...rest
}: {
  readonly label: string;
  readonly hint: string;
  /** A sentence. */
  readonly fault: string | undefined;
  readonly value: string;
  readonly onValue: (value: string) => void;
} & Omit<InputHTMLAttributes<HTMLInputElement>, "value" | "onChange">) {
  const id = useId();
  return (
    <div className="field">
      <label htmlFor={id}>{label}</label>
      <input
        id={id}
        type="text"
        autoComplete="off"
        spellCheck={false}
        {...rest}
        value={value}
        aria-invalid={fault !== undefined}
        aria-describedby={`${id}-hint ${id}-fault`}
        onChange={({ target }) => onValue(target.value)}
      />
      <small id={`${id}-hint`} className="faint">
        {hint}
      </small>
      <p id={`${id}-fault`} className="fault" aria-live="polite">
        {fault}
      </p>
    </div>
  );
}
