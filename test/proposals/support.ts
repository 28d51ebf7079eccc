import { randomBytes } from "node:crypto";
import { type Address, getAddressEncoder } from "@solana/kit";
import { addressOfKey, type SignerKey, signTransaction } from "@trellis/sdk";
import { dataOf } from "../adversarial/support.js";
import { knownMasterKey } from "../support/other-tenant.js";
import { useTestService } from "../support/scene.js";
import type { TestService } from "../support/test-service.js";

export { dataOf };

export const everything = ["CAN_INITIATE", "CAN_VOTE", "CAN_EXECUTE"];

/** A fresh Ed25519 seed. */
export const newKey = (): SignerKey => new Uint8Array(randomBytes(32));

/** A signer of a policy. */
export const may = (key: SignerKey, permissions: readonly string[] = everything) => ({
  address: addressOfKey(key) as string,
  permissions,
});

/** The program keeps lists in the order of the keys' bytes. */
export function byBytes(left: Address, right: Address): number {
  const bytes = getAddressEncoder();
  return Buffer.compare(Uint8Array.from(bytes.encode(left)), Uint8Array.from(bytes.encode(right)));
}

export interface Opened {
  readonly address: Address;
  readonly settings: Address;
}

/** What preparing something about a proposal answers. */
export interface Prepared {
  readonly proposalAddress: string;
  readonly transactionIndex: number;
  readonly transaction: string;
  readonly transactions: readonly string[];
  readonly transaction_signers: readonly string[];
  readonly signers: readonly string[];
  readonly kms_payloads: unknown[];
  readonly summary: Record<string, unknown>[];
  readonly fee: { readonly rent_lamports: string; readonly paid_by: string };
  readonly proposal: View;
}

/** A proposal as the single answers show it. */
export interface View {
  readonly proposalAddress: string;
  readonly status: string;
  readonly approved: string[];
  readonly rejected: string[];
  readonly cancelled: string[];
  readonly transactionIndex: number;
  readonly stale: boolean;
  readonly closed: boolean;
  readonly kind: string;
  readonly executableAt?: string;
  readonly executableInSeconds?: number;
  readonly summary: Record<string, unknown>[];
  readonly balanceChanges?: { address: string; mint: string | null; before: string; after: string; change: string }[];
  readonly simulationError?: string;
  readonly warnings: { code: string; caller?: boolean; signers?: string[]; mint?: string | null }[];
  readonly votesNeeded: number;
}

type Answer = Awaited<ReturnType<TestService["request"]>>;

/** A service for all tests of a file, which other tenants can be added to, and its endpoints of proposals. */
export function useProposals(variables: Record<string, string> = {}) {
  const trellis = useTestService({ ...knownMasterKey, ...variables });
  return { trellis, at: proposalsOf(trellis) };
}

/** The endpoints of proposals, as plain requests. */
export function proposalsOf(trellis: Pick<TestService, "network" | "request">) {
  const base = (account: Opened) => `/api/service/v1/accounts/${account.address}`;
  const request = (method: string, account: Opened, path: string, body?: unknown, headers?: Record<string, string>) =>
    trellis.request(method, `${base(account)}${path}`, body, headers);

  const open = async (policies: object, lamports = 0n): Promise<Opened> => {
    const { body } = await trellis.request("POST", "/api/service/v1/accounts:custom", { policies });
    const { address, settings_address } = (body as { data: { address: Address; settings_address: Address } }).data;
    if (lamports > 0n) await trellis.network.sandbox?.airdrop(address, lamports);
    return { address, settings: settings_address };
  };
  const create = (account: Opened, body: object) => request("POST", account, "/proposals", body);
  const vote = (account: Opened, proposal: string, action: string, signers: readonly SignerKey[]) =>
    request("POST", account, `/proposals/${proposal}/vote`, { action, signers: signers.map(addressOfKey) });
  const execute = (account: Opened, proposal: string, signer: SignerKey) =>
    request("POST", account, `/proposals/${proposal}/execute`, { signer: addressOfKey(signer) });
  const voteAndExecute = (account: Opened, proposal: string, signers: readonly SignerKey[]) =>
    request("POST", account, `/proposals/${proposal}/vote-and-execute`, { signers: signers.map(addressOfKey) });
  const submit = (account: Opened, transaction: string, keys: readonly SignerKey[]) =>
    request("POST", account, "/submit", { transaction: signTransaction(transaction, keys), kms_payloads: [] });
  /** The same; fails where it is refused. */
  const send = async (...call: Parameters<typeof submit>) => dataOf(await submit(...call));
  const get = async (account: Opened, proposal: string, query = ""): Promise<View> =>
    dataOf<View>(await request("GET", account, `/proposals/${proposal}${query}`));
  const list = (account: Opened, query = "") => request("GET", account, `/proposals${query}`);

  /** Creates one and submits it. */
  const propose = async (account: Opened, creator: SignerKey, body: object): Promise<Prepared> => {
    const prepared = dataOf<Prepared>(await create(account, { signer: addressOfKey(creator), ...body }));
    dataOf(await submit(account, only(prepared), [creator]));
    return prepared;
  };
  /** Prepares votes and submits them. */
  const cast = async (account: Opened, proposal: string, action: string, keys: readonly SignerKey[]) => {
    const prepared = dataOf<Prepared>(await vote(account, proposal, action, keys));
    const signing = keys.filter((key) => prepared.transaction_signers.includes(addressOfKey(key)));
    dataOf(await submit(account, prepared.transaction, signing));
    return prepared;
  };
  /** Prepares the execution and submits it. */
  const run = async (account: Opened, proposal: string, signer: SignerKey) => {
    const prepared = dataOf<Prepared>(await execute(account, proposal, signer));
    dataOf(await submit(account, only(prepared), [signer]));
    return prepared;
  };
  return { request, open, create, vote, execute, voteAndExecute, submit, send, get, list, propose, cast, run };
}

/** What was prepared; fails where it was refused. */
export const preparedOf = (answer: Answer): Prepared => dataOf<Prepared>(answer);

/** Status and code of a refusal. */
export function refusalOf({ status, body }: Answer): [number, string] {
  return [status, (body as { code: string }).code];
}

/** The only transaction of an answer that has room for several. */
export function only({ transactions }: Pick<Prepared, "transactions">): string {
  const [transaction, ...more] = transactions;
  if (transaction === undefined || more.length > 0) throw new Error(`${transactions.length} transactions`);
  return transaction;
}

/** A transfer of SOL to be voted on. */
export const pays = (destination: string, amount: bigint) => ({
  type: "transfer",
  currency: "sol",
  amount: amount.toString(),
  destination,
});
