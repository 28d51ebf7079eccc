import { useMutation } from "@tanstack/react-query";
import { explainError, type TransferFilter, useClient } from "@trellis/react";
import { Unhappy } from "../parts.js";
import { usePlace } from "../place.js";
import { texts } from "../texts.js";

const words = texts.history;
/** At most so many pages of so many rows make one file. */
const pagesMax = 200;
const rowsOfPage = 100;

/** Saves what the account received and sent as a file for spreadsheets. */
export function TransferFile({ filter }: { readonly filter: TransferFilter }) {
  const { account } = usePlace();
  const client = useClient();
  const save = useMutation({
    mutationFn: async () => {
      const parts: string[] = [];
      let cursor: string | undefined;
      do {
        const query = { ...filter, limit: rowsOfPage, ...(cursor === undefined ? {} : { cursor }) };
        const page = await client.history.transfersCsv(account, query);
        // One row with the names of the columns is enough.
        parts.push(parts.length === 0 ? page.csv : page.csv.slice(page.csv.indexOf("\r\n") + 2));
        cursor = page.nextCursor;
      } while (cursor !== undefined && parts.length < pagesMax);
      return { text: parts.join(""), isWhole: cursor === undefined };
    },
    onSuccess: ({ text }) => {
      const url = URL.createObjectURL(new Blob([text], { type: "text/csv" }));
      Object.assign(document.createElement("a"), { href: url, download: `transfers-${account}.csv` }).click();
      // The download may begin after the click: until then the address has to be good.
      setTimeout(() => URL.revokeObjectURL(url), 60_000);
    },
  });
  return (
    <div className="buttons">
      <button type="button" className="quiet" disabled={save.isPending} onClick={() => save.mutate()}>
        {save.isPending ? texts.working : words.csv}
      </button>
      <span className="faint">{words.days}</span>
      {save.data === undefined ? null : (
        <p role="status">{save.data.isWhole ? words.csvWhole : words.csvCut(pagesMax * rowsOfPage)}</p>
      )}
      {save.error ? <Unhappy error={explainError(save.error)} /> : null}
    </div>
  );
}
