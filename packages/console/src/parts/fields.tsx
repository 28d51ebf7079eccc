import type { InputHTMLAttributes, ReactNode } from "react";

/** A line of text that is asked for. */
export function TextField({
  label,
  value,
  onValue,
  ...rest
}: {
  readonly label: ReactNode;
  readonly value: string;
  readonly onValue: (value: string) => void;
} & Omit<InputHTMLAttributes<HTMLInputElement>, "value" | "onChange">) {
  return (
    <label>
      {label}
      <input type="text" {...rest} value={value} onChange={({ target }) => onValue(target.value)} />
    </label>
  );
}

export interface Option {
  readonly value: string;
  readonly title: string;
}

/** One of some values. */
export function ChoiceField({
  label,
  value,
  onValue,
  options,
}: {
  readonly label: string;
  readonly value: string;
  readonly onValue: (value: string) => void;
  readonly options: readonly Option[];
}) {
  return (
    <label>
      {label}
      <select value={value} onChange={({ target }) => onValue(target.value)}>
        {options.map((option) => (
          <option key={option.value} value={option.value}>
            {option.title}
          </option>
        ))}
      </select>
    </label>
  );
}

/** Several of some values. */
export function ChecksField({
  label,
  values,
  onValues,
  options,
}: {
  readonly label: string;
  readonly values: readonly string[];
  readonly onValues: (values: readonly string[]) => void;
  readonly options: readonly string[];
}) {
  return (
    <fieldset>
      <legend>{label}</legend>
      {options.map((option) => (
        <label className="check" key={option}>
          <input
            type="checkbox"
            checked={values.includes(option)}
            onChange={({ target }) =>
              onValues(target.checked ? [...values, option] : values.filter((value) => value !== option))
            }
          />
          {option}
        </label>
      ))}
    </fieldset>
  );
}

/** As options whose title is the value in words. */
export const optionsOf = (values: readonly string[]): readonly Option[] =>
  values.map((value) => ({ value, title: value.replaceAll("_", " ") }));

/** What stands in a field, one on each line or behind each comma. */
export const linesOf = (text: string): readonly string[] =>
  text
    .split(/[\s,]+/u)
    .map((line) => line.trim())
    .filter((line) => line !== "");
