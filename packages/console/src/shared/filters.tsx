import { useState } from "react";
import { texts } from "../texts.js";
import { hrefOf } from "./route.js";
import { usePlace } from "./session.js";

export interface FilterField {
  /** In the address. */
  readonly name: string;
  readonly label: string;
  /** What can be chosen beside everything; absent: any text. */
  readonly options?: readonly string[];
}

/** What a list is narrowed by. It is in the address: a filtered list can be linked to. */
export function Filters({
  view,
  fields,
  query,
}: {
  readonly view: string;
  readonly fields: readonly FilterField[];
  readonly query: URLSearchParams;
}) {
  const { environment } = usePlace();
  const [chosen, setChosen] = useState<Readonly<Record<string, string>>>(() => Object.fromEntries(query));
  const set = (name: string, value: string) => setChosen({ ...chosen, [name]: value });
  return (
    <search>
      <form
        className="filters"
        onSubmit={(event) => {
          event.preventDefault();
          const words = fields.map(({ name }) => [name, (chosen[name] ?? "").trim()] as const);
          location.hash = hrefOf(environment, [view], Object.fromEntries(words));
        }}
      >
        {fields.map(({ name, label, options }) => (
          <label key={name}>
            {label}
            {options === undefined ? (
              <input type="search" value={chosen[name] ?? ""} onChange={({ target }) => set(name, target.value)} />
            ) : (
              <select value={chosen[name] ?? ""} onChange={({ target }) => set(name, target.value)}>
                <option value="">{texts.all}</option>
                {options.map((option) => (
                  <option key={option} value={option}>
                    {option.replaceAll("_", " ")}
                  </option>
                ))}
              </select>
            )}
          </label>
        ))}
        <button type="submit">{texts.search}</button>
      </form>
    </search>
  );
}
