import Type, { type TObject, type TProperties, type TSchema } from "typebox";

/** Why a field that the calls answer is not in the event. */
type LeftOut = Readonly<Record<string, string>>;

/** A field that the event has otherwise than the calls, or alone, and why. */
type OwnFields = Readonly<Record<string, { readonly schema: TSchema; readonly why: string }>>;

/** What events of a type have as their `data.object`, and one made up. */
export interface EventObject {
  readonly schema: TSchema;
  readonly example: object;
  /** The object as calls answer it; absent: no call does. */
  readonly of?: TObject;
  readonly without?: LeftOut;
  readonly own?: OwnFields;
}

/** By the type of event. */
export type EventObjects = Readonly<Record<string, EventObject>>;

/** Why fields are left out: what the database does not know when it writes the event. */
export const leftOut = {
  sealed: "sealed, as it is personal",
  chain: "read from the chain",
} as const;

/**
 * The shape of an event's object: every field has the name, the schema and the value that it has in the answer of a call.
 * `without` names the fields that are left out, `own` those that differ, each with its reason.
 */
export function eventShape<
  P extends TProperties,
  W extends { readonly [K in keyof P]?: string } = Record<never, string>,
  O extends OwnFields = Record<never, OwnFields[string]>,
>(of: TObject<P>, { id, without, own }: { readonly id: string; readonly without?: W; readonly own?: O }) {
  type Kept = Omit<P, keyof W | keyof O> & { readonly [K in keyof O]: O[K]["schema"] };
  const kept = Object.entries(of.properties).filter(([name]) => without?.[name] === undefined && !own?.[name]);
  const added = Object.entries(own ?? {}).map(([name, { schema }]) => [name, schema] as const);
  const schema = Type.Object(Object.fromEntries([...kept, ...added]) as TProperties as Kept & TProperties, { $id: id });
  return { schema, of: of as TObject, without: (without ?? {}) as LeftOut, own: (own ?? {}) as OwnFields };
}

export const maybe = (schema: TSchema) => Type.Optional(schema);

/** What made-up events are about: one account, its wallet, and one payment. */
export const example = {
  account: "9WzDXwBbmkg8ZTbNMqUxvQRAyrZzDsGYdLVL9zYtAWWM",
  settings: "5xot9PVkphiX2adznghwrAuxGs2zeWisNSxMW6hU6Hkj",
  wallet: "7Np41oeYqPefeNQEHSv1UDhYrehxin3NStELsSKCT4K2",
  id: "7b0c1f6e-4f7e-4f0a-9a57-0f4f5d1f6a10",
  signature: "5VERv8NMvzbJMEkV8xnrLkEaWRtSz9CosKDYjCJjBRnbJLgp8uirBgmQpjKhoR4tjF3ZpRzrFmBV6UjKdiSZkQUW",
  at: "2026-01-15T12:00:00.000Z",
  coin: "usdc",
  primaryCustodian: "kms_a",
  backupCustodian: "kms_b",
} as const;
