import type { Network, ServiceKey } from "@trellis/kernel/ports/network.js";

/** The keys that pay fees: the one that new transactions are prepared for, and the one before it, if it is still there. */
type FeePayers = Pick<Network, "feePayer" | "formerFeePayer">;

/** The key of the service that pays fees at this address; undefined where the payer is another party. */
export function feePayerAt(
  { feePayer, formerFeePayer }: FeePayers,
  address: string | undefined,
): ServiceKey | undefined {
  if (address === feePayer.address) return feePayer;
  return address === formerFeePayer?.address ? formerFeePayer : undefined;
}

/** Whether the service pays the fee of what this address pays for. */
export function isFeePayer(network: FeePayers, address: string | undefined): boolean {
  return feePayerAt(network, address) !== undefined;
}

/** Where the service's fee payers are, the present one first. */
export function feePayerAddresses({ feePayer, formerFeePayer }: FeePayers): readonly ServiceKey["address"][] {
  return [feePayer, ...(formerFeePayer === undefined ? [] : [formerFeePayer])].map(({ address }) => address);
}

type Payers = FeePayers & Pick<Network, "passkeyPayer">;

/** The key that pays for what passkeys sign for the chain from now on. */
export const passkeyPayerOf = ({ passkeyPayer, feePayer }: Payers): ServiceKey => passkeyPayer ?? feePayer;

/** The key of the service that pays at this address, for passkeys or for anything else; undefined where the payer is another party. */
export function payerAt(network: Payers, address: string | undefined): ServiceKey | undefined {
  const { passkeyPayer } = network;
  return address !== undefined && address === passkeyPayer?.address ? passkeyPayer : feePayerAt(network, address);
}

/** The key that draws on limits that name this executor; undefined where the service does not hold it. */
export function executorAt(
  { executor, formerExecutor }: Pick<Network, "executor" | "formerExecutor">,
  address: string,
): ServiceKey | undefined {
  if (executor !== null && address === executor.address) return executor;
  return address === formerExecutor?.address ? formerExecutor : undefined;
}
