import type { Address, Instruction } from "@solana/kit";
import { getTransferSolInstruction } from "@solana-program/system";
import {
  type AuthorityChange,
  changeAsAuthorityInstruction,
  compileWrappedMessage,
  createProposalInstruction,
  createSettingsTransactionInstruction,
  createTransactionInstruction,
  decodeSettings,
  executeSettingsTransactionInstruction,
  executeSettingsTransactionSyncInstruction,
  executeTransactionInstruction,
  executeTransactionSyncInstruction,
  type SettingsActionArgs,
  voteInstruction,
} from "@trellis/program-client";
import { asSigner } from "@trellis/program-client/plain-instruction.js";
import { addressOfKey, type SignerKey, signTransaction } from "@trellis/sdk";
import { compileMessage } from "@trellis/solana/compile-message.js";
import { writeTransaction } from "@trellis/solana/transaction-bytes.js";
import { toBase64 } from "@trellis/solana/wire-transaction.js";
import type { TestNetwork } from "./test-network.js";

/** An account as the chain knows it. */
export interface Target {
  readonly address: Address;
  readonly settings: Address;
}

interface Attack {
  readonly test: TestNetwork;
  readonly target: Target;
  /** Pays the fees, and is paid. */
  readonly thief: SignerKey;
  readonly keys: readonly SignerKey[];
}

export const balanceOf = async ({ network }: TestNetwork, address: Address): Promise<bigint> =>
  (await network.rpc.getBalance(address).send()).value;

/** Every way to an account's money that signers' keys open without any service, each for itself. */
export const ways = {
  "pays at once": async (attack: Attack) => {
    const members = attack.keys.map(addressOfKey);
    const instructions = [await everything(attack)];
    await send(attack, executeTransactionSyncInstruction({ settings: attack.target.settings, members, instructions }));
  },
  "makes the thief a signer at once": async (attack: Attack) => {
    const { settings } = attack.target;
    const members = attack.keys.map(addressOfKey);
    const rentPayer = addressOfKey(attack.thief);
    await send(
      attack,
      executeSettingsTransactionSyncInstruction({ settings, members, rentPayer, actions: taken(attack) }),
    );
    await paysAlone(attack);
  },
  "has a payment voted on": async (attack: Attack) => {
    const { settings, address } = attack.target;
    const message = compileWrappedMessage(address, [await everything(attack)]);
    await vote(
      attack,
      (common) => createTransactionInstruction({ ...common, message }),
      (common) => executeTransactionInstruction({ ...common, settings, message }),
    );
  },
  "has a change of signers voted on": async (attack: Attack) => {
    const { settings } = attack.target;
    const actions = taken(attack);
    await vote(
      attack,
      (common) => createSettingsTransactionInstruction({ ...common, actions }),
      (common) => executeSettingsTransactionInstruction({ ...common, settings, actions }),
    );
    await paysAlone(attack);
  },
} as const;

/** Tries all of them, with all keys at once and with each alone, as an admin too. */
export async function strike(test: TestNetwork, target: Target, thief: SignerKey, keys: readonly SignerKey[]) {
  const sets = keys.length > 1 ? [keys, ...keys.map((key) => [key])] : [keys];
  for (const set of sets) {
    const attack = { test, target, thief, keys: set };
    for (const way of Object.values(ways)) await way(attack);
    for (const key of set) {
      const settingsAuthority = addressOfKey(key);
      const { settings } = target;
      const rentPayer = addressOfKey(thief);
      for (const change of taken(attack)) {
        await send(attack, changeAsAuthorityInstruction({ settings, settingsAuthority, rentPayer, change }));
      }
    }
    await paysAlone(attack);
  }
}

/** What a thief tries is refused more often than not. */
export async function attempt(work: () => Promise<unknown>): Promise<boolean> {
  try {
    await work();
    return true;
  } catch {
    // Whether it worked is read off the chain.
    return false;
  }
}

async function everything({ test, target, thief }: Attack): Promise<Instruction> {
  const amount = await balanceOf(test, target.address);
  return getTransferSolInstruction({ source: asSigner(target.address), destination: addressOfKey(thief), amount });
}

/** The thief's key alone decides from then on. */
const taken = ({ thief }: Attack): Extract<AuthorityChange, SettingsActionArgs>[] => [
  { __kind: "AddSigner", newSigner: { key: addressOfKey(thief), permissions: 7 } },
  { __kind: "ChangeThreshold", newThreshold: 1 },
];

async function paysAlone(attack: Attack): Promise<void> {
  await ways["pays at once"]({ ...attack, keys: [attack.thief] });
}

interface Common {
  readonly settings: Address;
  readonly transactionIndex: bigint;
  readonly creator: Address;
  readonly signer: Address;
  readonly rentPayer: Address;
}

/** Stores something by whichever key may, approves it by all, and carries it out by whichever may. */
async function vote(
  attack: Attack,
  create: (common: Common) => Instruction,
  execute: (common: Common) => Instruction,
): Promise<void> {
  const { settings } = attack.target;
  const rentPayer = addressOfKey(attack.thief);
  const members = attack.keys.map(addressOfKey);
  for (const creator of members) {
    const transactionIndex = (await readSettings(attack)).transactionIndex + 1n;
    const common = { settings, transactionIndex, creator, signer: creator, rentPayer };
    if (!(await send(attack, create(common), createProposalInstruction(common)))) continue;
    for (const signer of members) await send(attack, voteInstruction({ ...common, action: "approve", signer }));
    for (const signer of members) await send(attack, execute({ ...common, signer }));
    return;
  }
}

async function readSettings({ test, target }: Attack) {
  const { value } = await test.network.rpc.getAccountInfo(target.settings, { encoding: "base64" }).send();
  return decodeSettings(Buffer.from(value?.data[0] ?? "", "base64"));
}

/** Sends a transaction of one's own, signed by the keys it asks for that one has. Whether it was taken. */
function send({ test, thief, keys }: Attack, ...instructions: readonly Instruction[]): Promise<boolean> {
  return attempt(async () => {
    const { value } = await test.network.rpc.getLatestBlockhash().send();
    const { messageBytes, signers } = compileMessage(addressOfKey(thief), value.blockhash, instructions);
    const unsigned = toBase64(
      writeTransaction(
        signers.map(() => null),
        messageBytes,
      ),
    );
    const own = [thief, ...keys].filter(
      (key, at, all) => signers.includes(addressOfKey(key)) && all.indexOf(key) === at,
    );
    await test.network.rpc.sendTransaction(signTransaction(unsigned, own) as never, { encoding: "base64" }).send();
  });
}
