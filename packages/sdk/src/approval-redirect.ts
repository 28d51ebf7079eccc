import { sha256 } from "@noble/hashes/sha2.js";
import { encodeHex, encodeUtf8 } from "./encoding.js";
import {
  ApprovalDeclinedError,
  type ApprovalOutcome,
  type ApprovalRedirect,
  GuardianPageError,
  pageAddress,
  readStamp,
  stampOf,
} from "./guardian-page.js";
import { createMemoryStorage, type KeyValueStorage } from "./session-storage.js";
import type { PasskeySignedPayload } from "./wire.js";

/** A question to the page, and its answer once that has come back. Nothing of it is secret: a stamp is good for this payload alone. */
type Asked = {
  readonly state: string;
  /** SHA-256 of the payload, in hex. */
  readonly payload: string;
  readonly outcome?: ApprovalOutcome;
  readonly stamp?: PasskeySignedPayload;
};

const storageKey = "trellis.approvals";
/** More than one tab has open at once; older ones are forgotten. */
const askedMax = 8;
const outcomes: readonly string[] = ["approved", "declined", "expired"] satisfies readonly ApprovalOutcome[];

/**
 * What the passkey has signed of a payload on the guardian's page. Where the page has not been asked, leaves for it, and rejects with
 * `approval_redirected`; the call repeated finds the answer, once.
 */
export async function approveByRedirect(
  payload: string,
  credentials: readonly string[],
  origin: string,
  redirect: ApprovalRedirect,
): Promise<PasskeySignedPayload> {
  const storage = storageOf(redirect);
  if (redirect.open === undefined) await receiveApproval({ storage });
  const digest = encodeHex(sha256(encodeUtf8(payload)));
  const answered = (await readAll(storage)).find((each) => each.payload === digest && each.outcome !== undefined);
  if (answered?.outcome !== undefined) {
    await writeAll(storage, (all) => all.filter(({ state }) => state !== answered.state));
    return stampOf(answered.outcome, answered.stamp);
  }
  const state = encodeHex(crypto.getRandomValues(new Uint8Array(16)));
  const { returnTo: return_to, open } = redirect;
  const asked = { payload, credentials: credentials.join(","), return_to, state, form: "redirect" };
  const address = pageAddress(origin, asked);
  if (redirect.storage === undefined && open === undefined && tabStorage() === undefined) {
    throw new TypeError("this browser keeps nothing for the page's return: give redirect.storage");
  }
  if (open !== undefined) return inOtherBrowser(await open(address), state);
  await writeAll(storage, (all) => [...all.filter((each) => each.payload !== digest), { state, payload: digest }]);
  location.assign(address);
  throw new GuardianPageError(
    "approval_redirected",
    "the page leaves for the guardian's: when it is back, repeat the call with the same idempotencyKey",
  );
}

/** The answer in the address with which the page came back beside an application that has stayed. */
function inOtherBrowser(address: string | undefined, state: string): PasskeySignedPayload {
  const answer = address === undefined ? undefined : readAnswer(address);
  if (answer === undefined || answer.state !== state) {
    throw new ApprovalDeclinedError("the guardian's page was closed");
  }
  return stampOf(answer.outcome, answer.stamp);
}

/**
 * On the page that the guardian's returns to, when it loads: takes the answer out of its address, and keeps it for the call that is repeated
 * now. Undefined where the address has no answer to anything that was asked in this tab, or has one that was received before.
 */
export async function receiveApproval(
  options: Pick<ApprovalRedirect, "storage"> = {},
): Promise<ApprovalOutcome | undefined> {
  const page = (globalThis as { location?: Location }).location;
  const answer = page && readAnswer(page.href);
  if (page === undefined || answer === undefined) return undefined;
  const storage = storageOf(options);
  const isOpen = ({ state, outcome }: Asked) => state === answer.state && outcome === undefined;
  const isAsked = (await readAll(storage)).some(isOpen);
  if (isAsked) await writeAll(storage, (all) => all.map((each) => (isOpen(each) ? { ...each, ...answer } : each)));
  // Not before it is kept, and out of the history also when nobody asked.
  history.replaceState(history.state, "", page.pathname + page.search);
  return isAsked ? answer.outcome : undefined;
}

/** The answer behind `#` of an address. Undefined where there is none. */
function readAnswer(address: string): (Required<Pick<Asked, "state" | "outcome">> & Pick<Asked, "stamp">) | undefined {
  const at = address.indexOf("#");
  const given = new Map<string, string>();
  for (const pair of at < 0 ? [] : address.slice(at + 1).split("&")) {
    const [name = "", value = ""] = pair.split("=");
    // The first one counts, and what is no text is no answer.
    if (!given.has(name)) given.set(name, decode(value));
  }
  const outcome = given.get("trellis_approval");
  const state = given.get("state");
  if (outcome === undefined || !outcomes.includes(outcome) || state === undefined) return undefined;
  const stamp = outcome === "approved" ? { stamp: readStamp(Object.fromEntries(given)) } : {};
  return { state, outcome: outcome as ApprovalOutcome, ...stamp };
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return "";
  }
}

const storageOf = ({ storage }: Pick<ApprovalRedirect, "storage">): KeyValueStorage =>
  storage ?? tabStorage() ?? createMemoryStorage();

function tabStorage(): KeyValueStorage | undefined {
  try {
    return (globalThis as { sessionStorage?: Storage }).sessionStorage;
  } catch {
    // Where a person has forbidden pages to keep anything, to mention it is an error.
    return undefined;
  }
}

async function readAll(storage: KeyValueStorage): Promise<readonly Asked[]> {
  try {
    const kept: unknown = JSON.parse((await storage.getItem(storageKey)) ?? "[]");
    return Array.isArray(kept) ? kept : [];
  } catch {
    // This library did not write that.
    return [];
  }
}

async function writeAll(storage: KeyValueStorage, change: (all: readonly Asked[]) => readonly Asked[]): Promise<void> {
  await storage.setItem(storageKey, JSON.stringify(change(await readAll(storage)).slice(-askedMax)));
}
