import type { CheckedColumn, CheckedSecret } from "../adapters/check-keys.js";
import {
  type CheckedPlace,
  checkPlace,
  type KeyPlace,
  replaceSecretsIn,
  retireUnusedIn,
} from "../adapters/key-place.js";
import type { CheckedRoot } from "../adapters/kms/check-wallets.js";
import { ConfigError } from "../config/config.js";

const print = (line: string): void => {
  process.stdout.write(`${line}\n`);
};

/**
 * `trellis keys rotate`: gives the purposes new secrets, all without any. Throws ConfigError for one that there is not, and
 * `DataDirectoryInUseError` while the service runs on the embedded database.
 */
export async function rotateSecrets(place: KeyPlace, purposes: readonly string[]): Promise<void> {
  const secretPurposes = place.secrets.map(({ purpose }) => purpose);
  const unknown = purposes.find((purpose) => !secretPurposes.includes(purpose));
  if (unknown !== undefined) {
    throw new ConfigError([`There is no secret "${unknown}". There are ${secretPurposes.join(", ")}.`]);
  }
  const replaced = await replaceSecretsIn(place, purposes.length === 0 ? secretPurposes : purposes);
  for (const { purpose, id, moved, broken } of replaced) {
    const bound = moved > 0 ? `; ${moved} bindings moved` : "";
    print(`${purpose}: secret ${id} from now on${bound}${broken > 0 ? `; ${broken} BROKEN bindings left` : ""}`);
  }
  print("What was made with the former secrets stays good until its time is over. Then run: keys retire");
  if (replaced.some(({ broken }) => broken > 0)) process.exitCode = 1;
}

/** `trellis keys retire`: forgets former secrets that nothing needs any more. */
export async function retireFormerSecrets(place: KeyPlace): Promise<void> {
  const retired = await retireUnusedIn(place);
  for (const { purpose, id } of retired) print(`${purpose}: secret ${id} is retired`);
  if (retired.length === 0) print("No former secret can be retired yet. `keys check` says what still needs each.");
}

/** `trellis keys check`: prints how everything is, and ends with 1 where something does not open or does not hold. */
export async function checkAllKeys(place: KeyPlace): Promise<void> {
  const checked = await checkPlace(place);
  for (const line of describeCheck(checked)) print(line);
  if (isBroken(checked)) process.exitCode = 1;
}

const isBroken = ({ columns, brokenBindings, roots }: CheckedPlace): boolean =>
  brokenBindings.size > 0 || [...columns, ...roots].some(({ broken }) => broken.length > 0);

/** Names of broken values that are printed; a message is no list. */
const namesShown = 5;

function describeCheck(checked: CheckedPlace): readonly string[] {
  return [
    ...checked.columns.map(describeColumn),
    ...checked.roots.map(describeRoot),
    ...checked.secrets.map(describeSecret),
    ...[...checked.brokenBindings].map(([purpose, count]) => `${purpose}: ${count} bindings do NOT hold`),
    isBroken(checked) ? "Something is broken." : "Everything opens, and every binding holds.",
  ];
}

function describeRoot({ provider, generation, good, broken }: CheckedRoot): string {
  const failed =
    broken.length === 0
      ? ""
      : `, ${broken.length} do NOT have their address: ${broken.slice(0, namesShown).join(", ")}`;
  return `${provider}: ${good} wallets derive from generation ${generation}${failed}`;
}

function describeColumn({ name, opened, broken }: CheckedColumn): string {
  const counts = [...opened].map(([id, count]) => `${count} under the master key ${id}`);
  const failed = broken.length === 0 ? [] : [`${broken.length} do NOT open: ${broken.slice(0, namesShown).join(", ")}`];
  return `${name}: ${[...counts, ...failed].join(", ") || "none"}`;
}

function describeSecret({ purpose, id, state, endsAt, uses }: CheckedSecret): string {
  const end =
    state === "former" && endsAt !== undefined ? `, stays until ${new Date(endsAt).toISOString()} at least` : "";
  return `${purpose}: secret ${id} is ${state}, ${uses} values${end}`;
}
