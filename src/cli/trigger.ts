import { setTimeout as wait } from "node:timers/promises";
import type { TrellisClient, TrellisEvent } from "@trellis/sdk";
import { ConfigError } from "../config/config.js";
import { type EventType, eventTypeNames, eventTypes } from "../events/event-types.js";
import { openClient, type ServiceOptions } from "./listen.js";
import { type Plot, type Story, stories } from "./trigger-stories.js";

const patienceMs = 120_000;
const refreshEveryMs = 250;

const storyOf = (type: string): Story | undefined =>
  Object.hasOwn(stories, type) ? stories[type as EventType] : undefined;

/** What `trellis trigger list` prints: every type, and whether it is made or an example. */
export function listTriggers(): string {
  const width = Math.max(...eventTypeNames.map((type) => type.length)) + 2;
  const lines = eventTypeNames.map((type) => {
    const story = storyOf(type);
    const more = [
      ...(story?.takesAccount ? ["--account"] : []),
      ...(story?.states === undefined ? [] : [`--state ${story.states.join("|")}`]),
    ];
    const ending = more.length === 0 ? "" : ` (${more.join(", ")})`;
    return `${story === undefined ? "example" : "made   "}  ${type.padEnd(width)}${eventTypes[type]}${ending}`;
  });
  return `${lines.join("\n")}\n`;
}

/**
 * `trellis trigger <type>`: brings a real event about in the sandbox where that is possible, waits until the feed has it,
 * and puts the documented example into the feed otherwise, marked. Says which. Throws when a story was played and nothing
 * resulted.
 */
export async function trigger(
  variables: Readonly<Record<string, string | undefined>>,
  type: string,
  options: ServiceOptions & Pick<Plot, "account" | "state">,
): Promise<void> {
  const { account, state } = options;
  const story = storyOf(type);
  if (account !== undefined && story?.takesAccount !== true) {
    throw new ConfigError([`${type} is not made for an account of yours; see trellis trigger list.`]);
  }
  if (state !== undefined && story?.states?.includes(state) !== true) {
    throw new ConfigError([
      story?.states === undefined ? `${type} takes no --state.` : `--state can be ${story.states.join(", ")}.`,
    ]);
  }
  const client = openClient(variables, { ...options, environment: "sandbox" });
  if (story === undefined) {
    const { id } = await client.sandbox.triggerEvent(type);
    process.stdout.write(`${type} was made up as ${id}: the documented example, marked.\n`);
    return;
  }
  const { nextCursor } = await client.events.page({ cursor: "latest" });
  const object = await story.play({ client, account, state });
  const { id } = await findEvent(client, { type, object, state, from: nextCursor });
  process.stdout.write(`${type} has happened in the sandbox: ${id}.\n`);
}

/** The first event of a type about this object since a place in the feed; passes of the service may bring it about later. */
async function findEvent(
  client: TrellisClient,
  wanted: Pick<Plot, "state"> & {
    readonly type: string;
    readonly object: string;
    readonly from: string | undefined;
  },
): Promise<TrellisEvent> {
  const { type, object, state } = wanted;
  const isWanted = ({ example, data }: TrellisEvent) =>
    example !== true &&
    Object.values(data.object).some((value) => value === object || isIn(value, object)) &&
    (state === undefined || data.object.state === state || data.object.status === state);
  let cursor = wanted.from;
  for (const end = Date.now() + patienceMs; Date.now() < end; ) {
    const page = await client.events.page({ type: [type], ...(cursor === undefined ? {} : { cursor }) });
    const found = page.events.find(isWanted);
    if (found !== undefined) return found;
    cursor = page.nextCursor ?? cursor;
    if (page.events.length === 0) await wait(refreshEveryMs);
  }
  throw new ConfigError([
    `All that leads to ${type} was done, and none arrived within ${patienceMs / 1000} seconds. With ` +
      "TRELLIS_SANDBOX_RAILS=realistic banks take their time: moving the clock lets it pass.",
  ]);
}

/** A payment names its account in `source`, and a transfer in `Spl`. */
const isIn = (value: unknown, object: string): boolean =>
  typeof value === "object" && value !== null && Object.values(value).includes(object);
