import { useQueryClient } from "@tanstack/react-query";
import { usePlace } from "./session.js";

/** Has what was read below a path read anew, after a change. */
export function useRefresh(...paths: readonly string[]): () => void {
  const { environment } = usePlace();
  const client = useQueryClient();
  return () => {
    void client.invalidateQueries({
      predicate: ({ queryKey: [of, path] }) =>
        of === environment && typeof path === "string" && paths.some((each) => path.startsWith(each)),
    });
  };
}
