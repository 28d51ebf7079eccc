import { AssertionFailed, TrellisError } from "@trellis/kernel/errors.js";
import { limits } from "@trellis/kernel/limits.js";
import type { DbOrTrx } from "@trellis/kernel/ports/database.js";
import type { Network } from "@trellis/kernel/ports/network.js";
import type { PartnerAnswer, PartnerRef, Rails, Refusal } from "@trellis/kernel/ports/rails.js";
import { askPartner, refusalError } from "./ask-partner.js";
import type { PartnerRow, PartnerRows } from "./partner-rows.js";
import { postponeRefresh, type RailAccount, type RailKind } from "./rail-kind.js";
import type { RailNeeds } from "./rail-needs.js";

/** How often a step that other processes overtake is made anew. */
const overtakenMax = 5;
/** When the pass tries again what the partner refused. */
const refusedAgainMs = 86_400_000;

/** With what an object is begun and read. */
export interface PartnerContext {
  readonly needs: RailNeeds;
  readonly network: Network;
  readonly rails: Rails;
  /** How long each answer may take: real time. */
  readonly forMs?: number | undefined;
}

/** What became of writing a response. `foreign`: it is about what belongs to another one, and nothing was written. */
export type Written = "written" | "overtaken" | "foreign" | "gone";

/** What differs from kind to kind; the lifecycle below is the same for all. */
export interface ObjectDefinition<Row extends PartnerRow, Response>
  extends Pick<RailKind, "hints" | "isNamedByCustomer" | "isMoving"> {
  readonly rows: PartnerRows<Row>;
  /** In the log: `a payout address`. */
  readonly name: string;
  /** Whether it has an operation that the partner has not answered. By default: as long as it has no ref. */
  readonly isOpen?: (row: Row) => boolean;

  /** Begins it at the partner, under `row.operation_key`. */
  begin(context: PartnerContext, row: Row, signal: AbortSignal): Promise<PartnerAnswer<Response>>;
  /** What is there already. Absent: the partner answers a known one as known, so that a new key makes no second one. */
  find?(context: PartnerContext, row: Row, signal: AbortSignal): Promise<PartnerAnswer<Response | null>>;
  /** Whether one that was found stands in for a new one. By default it does. */
  isFoundAsWanted?(found: Response): boolean;
  /** Reads one by the partner's name of it. */
  read?(context: PartnerContext, row: Row, ref: PartnerRef, signal: AbortSignal): Promise<PartnerAnswer<Response>>;
  /**
   * What is used where the partner has one already: `read`: what it has, by `read` or `find`; a function: what is known of it
   * here. Absent: nothing, and the refusal stands.
   */
  readonly duplicate?: "read" | ((context: PartnerContext, row: Row, existing: PartnerRef) => Response);

  /** What is believed of a response; undefined: it is not what was asked for. */
  believe?(context: PartnerContext, row: Row, response: Response): Response | undefined | Promise<Response | undefined>;
  /** What counts where the partner knew it and knows it no longer. Absent: that is a refusal. */
  forgotten?(context: PartnerContext, row: Row): Response;
  /** Writes a response, if no other process wrote since `row` was read. */
  write(context: PartnerContext, row: Row, response: Response): Promise<Written>;
  /** What is done with a response that was `foreign`. By default it counts as one that was not asked for. */
  foreign?(context: PartnerContext, row: Row, response: Response): Promise<Row>;
  /** Ends a refused operation of one that the partner knows from before. */
  closeOperation?(context: PartnerContext, row: Row): Promise<void>;
  /** What has to be approved for it, as a refusal may name it. */
  endorsementOf?(context: PartnerContext, row: Row): string | undefined;

  /** What the pass does with one of this partner. By default it refreshes it. */
  follow?(context: PartnerContext, row: Row): Promise<void>;
  /** What a refusal means to the pass. `later`: the log has said so, and it tries again a day later. `fail`: the pass logs it. */
  readonly refusedInPass: "later" | "fail";
  /** What is done before the rows of an account are deleted. `now`: environment time, Unix milliseconds. */
  beforeForget?(trx: DbOrTrx, account: RailAccount, now: number): Promise<void>;
}

/** A kind of object at a partner. Its methods throw PartnerUnavailable, and what the partner refuses. */
export interface PartnerObject<Row extends PartnerRow> extends RailKind {
  /**
   * Has a recorded one exist at the partner, under the key that was stored before the first call. One whose key the partner
   * may have forgotten is searched for first. Nothing is kept of what is refused. Undefined: its row is removed.
   */
  begin(context: PartnerContext, id: string): Promise<Row | undefined>;
  /** The same; one that was begun before is read, and what has changed is written. One of another partner stays as it is. */
  refresh(context: PartnerContext, id: string): Promise<Row | undefined>;
}

/** What the log says of a row besides. */
export const factsOf = ({ environment, partner, id }: PartnerRow) => ({ environment, partner, id });

/** The lifecycle of an object at a partner: begun under a stored key, read, believed, written, followed, forgotten. */
export function defineObject<Row extends PartnerRow, Response>(
  definition: ObjectDefinition<Row, Response>,
): PartnerObject<Row> {
  const { rows, hints, isNamedByCustomer, isMoving } = definition;
  const object: PartnerObject<Row> = {
    table: rows.table,
    hints,
    ...(isNamedByCustomer === undefined ? {} : { isNamedByCustomer }),
    ...(isMoving === undefined ? {} : { isMoving }),
    begin: (context, id) => bring(definition, context, id, "begin"),
    refresh: (context, id) => bring(definition, context, id, "refresh"),
    poll: async (needs, network, rails, id) => {
      const row = await rows.read(needs.db, id);
      if (row === undefined || row.partner !== rails.partner.name) return;
      const context = { needs, network, rails };
      try {
        await (definition.follow === undefined ? object.refresh(context, id) : definition.follow(context, row));
      } catch (error) {
        if (definition.refusedInPass === "fail" || !(error instanceof TrellisError)) throw error;
        await postponeRefresh(needs.db, object, id, needs.realClock.now() + refusedAgainMs);
      }
    },
    forget: async (trx, account, now) => {
      await definition.beforeForget?.(trx, account, now);
      return rows.forget(trx, account);
    },
  };
  return object;
}

async function bring<Row extends PartnerRow, Response>(
  definition: ObjectDefinition<Row, Response>,
  context: PartnerContext,
  id: string,
  mode: "begin" | "refresh",
): Promise<Row | undefined> {
  const { rows, name } = definition;
  return unlessOvertaken(name, async () => {
    // Read before the partner is asked: what another process writes meanwhile is newer than the answer.
    const row = await rows.read(context.needs.db, id);
    if (row === undefined) return undefined;
    if (mode === "refresh" && row.partner !== context.rails.partner.name) return row;
    if (mode === "begin" && !isOpen(definition, row)) return row;
    const asked = isOpen(definition, row)
      ? await askToBegin(definition, context, row)
      : { row, answer: await askToRead(definition, context, row, row.partner_ref as PartnerRef) };
    if (asked === undefined) return again;
    const response = await judge(definition, context, asked.row, asked.answer);
    const written = await definition.write(context, asked.row, response);
    if (written === "written") return rows.read(context.needs.db, id);
    if (written === "gone") return undefined;
    if (written === "overtaken") return again;
    return definition.foreign?.(context, asked.row, response) ?? misdirect(definition, context, asked.row);
  });
}

/** What a step answers that another process has overtaken. */
export const again = Symbol("again");

/** Makes a step, anew as often as another process overtakes it. */
export async function unlessOvertaken<T>(name: string, step: () => Promise<T | typeof again>): Promise<T> {
  for (let tries = 0; tries < overtakenMax; tries += 1) {
    const made = await step();
    if (made !== again) return made;
  }
  throw new AssertionFailed(`${name} changes faster than it can be read`);
}

function isOpen<Row extends PartnerRow>(
  { isOpen: ask }: { readonly isOpen?: (row: Row) => boolean },
  row: Row,
): boolean {
  return ask === undefined ? row.partner_ref === null : ask(row);
}

/** An answer, and the row under whose key it was asked for. */
interface Asked<Row, Response> {
  readonly row: Row;
  readonly answer: PartnerAnswer<Response>;
}

/** Undefined: another process has answered it, or deleted it, while its key was replaced. */
async function askToBegin<Row extends PartnerRow, Response>(
  definition: ObjectDefinition<Row, Response>,
  context: PartnerContext,
  row: Row,
): Promise<Asked<Row, Response> | undefined> {
  const { needs, forMs } = context;
  let current = row;
  if (needs.realClock.now() - Number(row.operation_begun_at) > limits.partnerKeyMs) {
    const found = await askToFind(definition, context, row);
    if (!found.ok) return { row, answer: found };
    if (found.value !== null && (definition.isFoundAsWanted?.(found.value) ?? true)) {
      return { row, answer: { ok: true, value: found.value } };
    }
    const renewed = await definition.rows.renewKey(needs, row);
    if (renewed === undefined || !isOpen(definition, renewed)) return undefined;
    current = renewed;
  }
  const answer = await askPartner((signal) => definition.begin(context, current, signal), forMs);
  if (answer.ok || answer.refused.reason !== "duplicate") return { row: current, answer };
  const known = await takeDuplicate(definition, context, current, answer.refused.existing);
  return { row: current, answer: known === undefined ? answer : { ok: true, value: known } };
}

async function askToFind<Row extends PartnerRow, Response>(
  { find }: ObjectDefinition<Row, Response>,
  context: PartnerContext,
  row: Row,
): Promise<PartnerAnswer<Response | null>> {
  if (find === undefined) return { ok: true, value: null };
  return askPartner((signal) => find(context, row, signal), context.forMs);
}

async function askToRead<Row extends PartnerRow, Response>(
  { read, name }: ObjectDefinition<Row, Response>,
  context: PartnerContext,
  row: Row,
  ref: PartnerRef,
): Promise<PartnerAnswer<Response>> {
  if (read === undefined) throw new AssertionFailed(`${name} is begun, and read in another way`);
  return askPartner((signal) => read(context, row, ref, signal), context.forMs);
}

/** The one that the partner has already; undefined: it does not say which, or nothing is used in its place. */
async function takeDuplicate<Row extends PartnerRow, Response>(
  definition: ObjectDefinition<Row, Response>,
  context: PartnerContext,
  row: Row,
  existing: PartnerRef | undefined,
): Promise<Response | undefined> {
  const { duplicate } = definition;
  if (duplicate === undefined) return undefined;
  if (duplicate !== "read") return existing === undefined ? undefined : duplicate(context, row, existing);
  const found =
    existing === undefined
      ? await askToFind(definition, context, row)
      : await askToRead(definition, context, row, existing);
  return found.ok && found.value !== null ? found.value : undefined;
}

/** What is written of an answer. Throws what the partner refuses, and where it answers with something else. */
async function judge<Row extends PartnerRow, Response>(
  definition: ObjectDefinition<Row, Response>,
  context: PartnerContext,
  row: Row,
  answer: PartnerAnswer<Response>,
): Promise<Response> {
  if (answer.ok) {
    const { believe } = definition;
    const believed = believe === undefined ? answer.value : await believe(context, row, answer.value);
    return believed ?? misdirect(definition, context, row);
  }
  const isForgotten = answer.refused.reason === "not_found" && row.partner_ref !== null;
  if (isForgotten && definition.forgotten !== undefined) return definition.forgotten(context, row);
  return refuse(definition, context, row, answer.refused);
}

async function refuse<Row extends PartnerRow, Response>(
  definition: ObjectDefinition<Row, Response>,
  context: PartnerContext,
  row: Row,
  refused: Refusal,
): Promise<never> {
  const { needs } = context;
  const { reason, forOperator } = refused;
  needs.log.warn(
    { event: "rail_object_refused", object: definition.name, ...factsOf(row), reason, words: forOperator },
    "partner refuses an object",
  );
  if (row.partner_ref === null) await definition.rows.drop(needs.db, row);
  else if (isOpen(definition, row)) await definition.closeOperation?.(context, row);
  throw refusalError(refused, definition.endorsementOf?.(context, row));
}

/** The partner answers with something else than was asked for: nothing of it is kept. */
export async function misdirect<Row extends PartnerRow>(
  { rows, name }: { readonly rows: PartnerRows<Row>; readonly name: string },
  { needs }: PartnerContext,
  row: Row,
): Promise<never> {
  needs.log.error(
    { event: "rail_object_unexpected", object: name, ...factsOf(row) },
    "partner answers with an object that was not asked for: it is not kept",
  );
  await rows.drop(needs.db, row);
  throw new TrellisError("partner_refused", { facts: { reason: "not_as_asked" } });
}
