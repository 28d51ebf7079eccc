import type { KeyPlace } from "../adapters/key-place.js";
import {
  addRoot,
  forgetRoot,
  listRootedWallets,
  listRoots,
  type RootedWallet,
  type WalletRoot,
} from "../adapters/kms/wallet-roots.js";
import { ConfigError } from "../config/config.js";

const print = (line: string): void => {
  process.stdout.write(`${line}\n`);
};

/** `trellis keys roots`: which generations there are, and how many wallets derive from each. */
export async function showRoots({ within }: KeyPlace): Promise<void> {
  const roots = await within(listRoots);
  if (roots.length === 0) print("There are no roots here: a custodian makes its first one when it starts.");
  for (const root of roots) print(describeRoot(root));
}

function describeRoot({ provider, generation, state, createdAt, usedFrom, wallets }: WalletRoot): string {
  const wait = state === "waiting" ? `, new wallets derive from it from ${new Date(usedFrom).toISOString()} on` : "";
  return `${provider}: generation ${generation} of ${new Date(createdAt).toISOString()} is ${state}, ${wallets} wallets${wait}`;
}

/** `trellis keys roots new`: makes another generation for new wallets. */
export async function makeRoot({ within }: KeyPlace, provider: string): Promise<void> {
  const generation = await within((needs) => addRoot(needs, provider));
  if (generation === undefined) throw new ConfigError([`${provider} has no root in this database.`]);
  print(
    `${provider}: new wallets derive from generation ${generation}. Take a backup now: without this root they are lost.`,
  );
  print("Wallets of before keep their keys. `keys roots retire` lists them.");
}

const page = 1_000;

/**
 * `trellis keys roots retire`: forgets a generation from which no wallet derives, or lists those that do with the accounts in which they are
 * signers, and ends with 1.
 */
export async function retireRoot(
  place: KeyPlace,
  provider: string,
  text: string,
  withAccounts: boolean,
): Promise<void> {
  const generation = Number(text);
  if (!/^[1-9]\d{0,8}$/.test(text)) throw new ConfigError(["A generation is a whole number from 1 on."]);
  await place.within(async (needs) => {
    const known = (await listRoots(needs)).find((root) => root.provider === provider && root.generation === generation);
    if (known === undefined) throw new ConfigError([`${provider} has no generation ${generation} in this database.`]);
    if (known.state === "retired" || (await forgetRoot(needs, provider, generation))) {
      print(`${provider}: generation ${generation} is retired.`);
      return;
    }
    process.exitCode = 1;
    if (known.wallets === 0) {
      print(
        `${provider}: generation ${generation} stays until another one has been in use for an hour: run keys roots new ${provider}`,
      );
      return;
    }
    let after = "";
    for (;;) {
      const wallets = await listRootedWallets(needs.db, { provider, generation, withAccounts, after }, page);
      for (const wallet of wallets) print(describeWallet(wallet, withAccounts));
      const last = wallets.at(-1);
      if (last === undefined) break;
      after = last.address;
    }
    for (const line of whatToDo(known)) print(line);
  });
}

function describeWallet({ address, environment, account }: RootedWallet, withAccounts: boolean): string {
  if (!withAccounts) return `${environment}  ${address}`;
  return `${environment}  ${address}  ${account === null ? "signer of no account" : `signer of ${account}`}`;
}

const whatToDo = ({ provider, generation, wallets, state }: WalletRoot): readonly string[] => [
  `${provider}: generation ${generation} stays, as ${wallets} wallets derive from it.`,
  ...(state === "former" ? [] : [`New wallets still do, too. First run: keys roots new ${provider}`]),
  "No command can replace a signer: the program wants the holder's signature. Have each holder sign in and replace it, by PATCH",
  "/api/service/v1/accounts/{address}, with a key of their own or a wallet of another custodian; or move the money to another account.",
  "Of a guarded account another wallet of the same custodian takes its place: POST …/protection with replace_session_wallet. The former",
  "wallet stays here all the same, as what sessions are opened at and passkeys are recorded with.",
];
