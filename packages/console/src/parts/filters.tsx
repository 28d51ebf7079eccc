import { useState } from "react";
import { texts } from "../texts.js";
import { ChoiceField, optionsOf, TextField } from "./fields.js";
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
        {fields.map(({ name, label, options }) => {
          const given = { label, value: chosen[name] ?? "", onValue: (value: string) => set(name, value) };
          return options === undefined ? (
            <TextField key={name} type="search" {...given} />
          ) : (
            <ChoiceField key={name} {...given} options={[{ value: "", title: texts.all }, ...optionsOf(options)]} />
          );
        })}
        <button type="submit">{texts.search}</button>
      </form>
    </search>
  );
}
