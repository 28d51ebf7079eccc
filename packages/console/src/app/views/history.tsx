import { type TransferFilter, useHistory } from "@trellis/react";
import { knownCurrencies } from "@trellis/sdk";
import { useState } from "react";
import { ChoiceField, TextField } from "../../parts/fields.js";
import { usePlace } from "../place.js";
import { texts } from "../texts.js";
import { TransferFile } from "./transfer-file.js";
import { TransferRows } from "./transfer-rows.js";

const words = texts.history;
const nothing = { type: "", currency: "", start_date: "", end_date: "" };

/** What the account received and sent, narrowed by what the reader chooses, and as a file. */
export default function HistoryPage() {
  const { environment } = usePlace();
  const [chosen, setChosen] = useState(nothing);
  const set = (name: keyof typeof nothing) => (value: string) => setChosen({ ...chosen, [name]: value });
  const given = Object.entries(chosen).filter(([, value]) => value !== "");
  const filter = Object.fromEntries(given) as TransferFilter;
  const list = useHistory({ ...filter, pollMs: 60_000 });
  const symbols = knownCurrencies(environment).map(({ symbol }) => symbol);
  return (
    <>
      <h1>{texts.views.history}</h1>
      <search className="filters">
        <ChoiceField
          label={words.direction}
          value={chosen.type}
          onValue={set("type")}
          options={Object.entries(words.directions).map(([value, title]) => ({ value, title }))}
        />
        <ChoiceField
          label={words.currency}
          value={chosen.currency}
          onValue={set("currency")}
          options={[
            { value: "", title: words.anyCurrency },
            ...symbols.map((value) => ({ value, title: value.toUpperCase() })),
          ]}
        />
        <TextField label={words.from} type="date" value={chosen.start_date} onValue={set("start_date")} />
        <TextField label={words.until} type="date" value={chosen.end_date} onValue={set("end_date")} />
        {given.length === 0 ? null : (
          <button type="button" className="quiet" onClick={() => setChosen(nothing)}>
            {words.clear}
          </button>
        )}
      </search>
      <TransferFile filter={filter} />
      <TransferRows list={list} empty={given.length === 0 ? words.empty : words.emptyFiltered} />
    </>
  );
}
