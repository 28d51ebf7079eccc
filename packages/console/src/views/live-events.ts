import { useQuery } from "@tanstack/react-query";
import type { TrellisEvent } from "@trellis/sdk";
import { call } from "../parts/api.js";
import { usePlace } from "../parts/session.js";

/** As many new events are kept on the page. */
export const liveMax = 500;
const everyMs = 5_000;

interface Feed {
  readonly cursor: string;
  /** The newest first. */
  readonly rows: readonly TrellisEvent[];
}

/** What has happened since the page was opened, the newest first: read on from where the last answer ended. */
export function useLiveEvents(type: string) {
  const { environment } = usePlace();
  const queryKey = [environment, "live events", type];
  const { data, error, refetch } = useQuery({
    queryKey,
    queryFn: async ({ client, signal }): Promise<Feed> => {
      const { cursor, rows } = client.getQueryData<Feed>(queryKey) ?? { cursor: "latest", rows: [] };
      const answer = await call<readonly TrellisEvent[]>({
        path: "/events",
        query: { type, cursor, limit: 200 },
        environment,
        signal,
      });
      return { cursor: answer.nextCursor ?? cursor, rows: joinFeeds(answer.data.toReversed(), rows).slice(0, liveMax) };
    },
    refetchInterval: everyMs,
  });
  return { rows: data?.rows ?? [], error, retry: () => void refetch() };
}

/** The newer before the older, each event once. */
export function joinFeeds(newer: readonly TrellisEvent[], older: readonly TrellisEvent[]): readonly TrellisEvent[];
export function joinFeeds(
  newer: readonly TrellisEvent[],
  older: readonly TrellisEvent[] | undefined,
): readonly TrellisEvent[] | undefined;
export function joinFeeds(
  newer: readonly TrellisEvent[],
  older: readonly TrellisEvent[] | undefined,
): readonly TrellisEvent[] | undefined {
  if (older === undefined) return undefined;
  const seen = new Set(newer.map(({ id }) => id));
  return [...newer, ...older.filter(({ id }) => !seen.has(id))];
}

/** What an event is about: its object's own id, or its address. */
export function objectOf({ data }: TrellisEvent): string | undefined {
  const [only] = Object.values(data.object);
  const isWrapped = Object.keys(data.object).length === 1 && typeof only === "object" && only !== null;
  const object = (isWrapped ? only : data.object) as Readonly<Record<string, unknown>>;
  const names = ["id", "address", "proposalAddress", "signature", "transaction_signature", "grid_user_id"];
  return names.map((name) => object[name]).find((value) => typeof value === "string");
}

/** Whether a text of an event's object is the one that is asked for: an id, an address, or a state. */
export function concerns({ data }: TrellisEvent, text: string): boolean {
  return text === "" || holds(data.object, text);
}

function holds(value: unknown, text: string): boolean {
  if (typeof value === "object" && value !== null) return Object.values(value).some((each) => holds(each, text));
  return value === text;
}
