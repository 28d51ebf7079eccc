import { useMutation } from "@tanstack/react-query";
import { texts } from "../texts.js";
import { readCsv } from "./api.js";
import { usePlace } from "./session.js";
import { Failure } from "./states.js";

/** Saves a list as a file. By `fetch` and not by a link, as a link cannot say which environment it is about. */
export function CsvButton({ path, name }: { readonly path: string; readonly name: string }) {
  const { environment } = usePlace();
  const save = useMutation({
    mutationFn: () => readCsv({ path, environment }),
    onSuccess: ({ text }) => {
      const url = URL.createObjectURL(new Blob([text], { type: "text/csv" }));
      const link = document.createElement("a");
      Object.assign(link, { href: url, download: name });
      link.click();
      URL.revokeObjectURL(url);
    },
  });
  return (
    <div>
      <button type="button" className="quiet" disabled={save.isPending} onClick={() => save.mutate()}>
        {save.isPending ? texts.working : texts.account.csv}
      </button>
      {save.data?.isWhole === false ? <p role="status">{texts.account.csvCut}</p> : null}
      {save.error ? <Failure error={save.error} /> : null}
    </div>
  );
}
