import { randomBytes } from "node:crypto";
import {
  addressOfKey,
  generateEncryptionKeyPair,
  OutcomeUnknownError,
  openSession,
  type SignedSubmission,
  type SignerKey,
  TrellisApiError,
  type TrellisClient,
  TrellisNetworkError,
  type TrellisSession,
} from "@trellis/sdk";
import type { Stage } from "./play.js";
import { pause } from "./processes.js";

/** What a client knows of something it asked for. Each has an amount that nothing else has, by which the chain shows it. */
export interface Deed {
  readonly kind: "payment" | "proposal" | "order";
  readonly amount: bigint;
  readonly account: string;
  /** Its id at the service, once that is known: of the intent, the order, or the proposal's address. */
  id?: string;
  /**
   * `open`: begun, without an answer so far. `forgotten`: the service does not know that it prepared these bytes, and says nothing
   * of what became of them.
   */
  outcome: "open" | "done" | "refused" | "not begun" | "forgotten";
  /** The code of a refusal. */
  code?: string;
  /** The last that was signed, for submitting it again. */
  signed?: SignedSubmission;
  signature?: string;
  /** When it was answered, by `performance.now()`. */
  answeredAt?: number;
}

/** Clients at work. */
export interface Load {
  readonly deeds: readonly Deed[];
  /** Where all amounts go. */
  readonly payee: string;
  /** The chain's day goes on: orders that exist by now are due a second time. */
  stop(): Promise<void>;
}

/** Holders who pay, by e-mail; treasuries that decide, by keys; standing orders. Half of all calls go to each service. */
export async function startLoad({ clients }: Stage): Promise<Load> {
  const deeds: Deed[] = [];
  const payee = addressOfKey(randomBytes(32));
  const [first, second] = clients;
  await first.sandbox.airdrop({ address: payee, currency: "sol", amount: "1000000000" });
  const holders: Holder[] = [];
  for (let i = 0; i < 4; i += 1)
    holders.push(await openHolder(i % 2 === 0 ? first : second, `holder-${i}@example.org`));
  const treasury = await openTreasury(first);
  let amount = 1_000_000n;
  let isOver = false;
  const begin = (kind: Deed["kind"], account: string): Deed => {
    amount += 1n;
    const deed: Deed = { kind, account, amount, outcome: "open" };
    deeds.push(deed);
    return deed;
  };
  let turn = 0;
  const next = (): TrellisClient => {
    turn += 1;
    return turn % 2 === 0 ? first : second;
  };
  const worker = async (work: () => Promise<void>, restMs: number) => {
    while (!isOver) {
      await work();
      await pause(restMs);
    }
  };
  const paying = holders.map(({ account, session }) =>
    worker(async () => {
      const deed = begin("payment", account);
      const transfer = { account, session, currency: "sol", destination: payee, amount: deed.amount } as const;
      await carryOut(deed, next, (client, options) => client.transfers.send(transfer, options));
    }, 50),
  );
  const proposing = worker(() => propose(begin("proposal", treasury.account), treasury.key, payee, next), 200);
  const ordering = worker(async () => {
    const { account, session } = holders[turn % holders.length] as Holder;
    const orders = deeds.filter((deed) => deed.kind === "order" && deed.account === account);
    if (orders.length >= ordersMax) return;
    const deed = begin("order", account);
    const clock = await first.sandbox.clock().catch(passing);
    if (clock === undefined) {
      deed.outcome = "not begun";
      return;
    }
    const start = new Date(Date.parse(clock.now) + 15_000);
    const end = new Date(start.getTime() + 86_400_000);
    const order = { currency: "sol", amount: deed.amount, payee, frequency: "daily", start, end } as const;
    await carryOut(deed, next, (client, options) => client.standingOrders.create({ account, session, order }, options));
  }, 4_000);
  const running = Promise.all([...paying, proposing, ordering]);
  // A failure shows when the load is stopped.
  running.catch(() => {
    isOver = true;
  });
  return {
    deeds,
    payee,
    stop: async () => {
      isOver = true;
      await running;
    },
  };
}

/** What an account may have at once is 20. */
const ordersMax = 18;
/** How long a client asks on before it says that the outcome is unknown. */
const patienceMs = 240_000;

interface Holder {
  readonly account: string;
  readonly session: TrellisSession;
}

async function openHolder(client: TrellisClient, email: string): Promise<Holder> {
  await client.accounts.create({ type: "email", email });
  const keyPair = generateEncryptionKeyPair();
  const [mail] = await client.sandbox.outbox(email);
  const verified = await client.accounts.verify({
    email,
    otp_code: mail?.otp_code ?? "",
    kms_provider_config: { encryption_public_key: keyPair.publicKeySpkiBase64 },
  });
  await client.sandbox.airdrop({ address: verified.address, currency: "sol", amount: "1000000000000" });
  return { account: verified.address, session: await openSession(verified.authentication[0], keyPair) };
}

async function openTreasury(client: TrellisClient): Promise<{ readonly account: string; readonly key: SignerKey }> {
  const key: SignerKey = new Uint8Array(randomBytes(32));
  const permissions = ["CAN_INITIATE", "CAN_VOTE", "CAN_EXECUTE"] as const;
  const { address } = await client.accounts.createCustom({
    policies: { signers: [{ address: addressOfKey(key), permissions }], threshold: 1 },
  });
  await client.sandbox.airdrop({ address, currency: "sol", amount: "1000000000000" });
  return { account: address, key };
}

/** Proposes a payment, and carries it out; each step until it is known what became of it. */
async function propose(deed: Deed, key: SignerKey, payee: string, next: () => TrellisClient): Promise<void> {
  const { account } = deed;
  const content = { type: "transfer", currency: "sol", destination: payee, amount: deed.amount } as const;
  const opening: Deed = { ...deed };
  await carryOut(opening, next, async (client, options) => {
    const made = await client.proposals.create({ account, content, keys: [key], approve: true }, options);
    return { ...made, id: made.proposalAddress };
  });
  if (opening.outcome !== "done" || opening.id === undefined) {
    Object.assign(deed, { outcome: opening.outcome, code: opening.code });
    return;
  }
  const proposal = opening.id;
  deed.id = proposal;
  const until = performance.now() + patienceMs;
  for (;;) {
    await carryOut(deed, next, (client, options) =>
      client.proposals.execute({ account, proposal, content, keys: [key] }, options),
    );
    // Where nothing was signed, another try cannot do it twice.
    if (deed.outcome !== "not begun" || performance.now() > until) return;
    deed.outcome = "open";
    await pause(500);
  }
}

/**
 * Makes a call as an honest client does: what was signed is submitted again, at either service, until an answer says what became
 * of it. Nothing is signed anew unless the client library does so, after a proof that the former bytes can never land.
 */
async function carryOut(
  deed: Deed,
  next: () => TrellisClient,
  call: (
    client: TrellisClient,
    options: { readonly onSigned: (signed: SignedSubmission) => void },
  ) => Promise<{ id?: string; signature: string }>,
): Promise<void> {
  const onSigned = (signed: SignedSubmission) => {
    deed.signed = signed;
    const { id } = signed.receipt as { id?: string };
    if (id !== undefined) deed.id = id;
  };
  const until = performance.now() + patienceMs;
  let act = () => call(next(), { onSigned });
  for (;;) {
    try {
      const { id, signature } = await act();
      if (id !== undefined) deed.id = id;
      Object.assign(deed, { outcome: "done", signature, answeredAt: performance.now() });
      return;
    } catch (error) {
      if (error instanceof OutcomeUnknownError && isForgotten(error)) {
        deed.outcome = "forgotten";
        return;
      }
      if (error instanceof OutcomeUnknownError && performance.now() < until) {
        const { signed } = error;
        await pause(500);
        act = () => next().transactions.resume(signed as SignedSubmission<{ id?: string }>);
        continue;
      }
      if (error instanceof OutcomeUnknownError) return;
      passing(error);
      if (deed.signed === undefined) deed.outcome = "not begun";
      else if (error instanceof TrellisApiError) Object.assign(deed, { outcome: "refused", code: error.code });
      return;
    }
  }
}

/** Whether the last answer was that the service did not prepare this: its database has lost the preparation, too. */
export function isForgotten({ cause }: OutcomeUnknownError): boolean {
  return cause instanceof TrellisApiError && cause.code === "transaction_not_prepared";
}

/** An answer of the service, or none: everything else is a mistake of the play, and thrown on. */
function passing(error: unknown): undefined {
  if (error instanceof TrellisApiError || error instanceof TrellisNetworkError) return undefined;
  throw error;
}
