import type { Contract } from "@trellis/kernel/endpoint.js";
import { healthContract, openApiContract, readinessContract } from "./operational-endpoints.js";
import { sandboxRpcContract } from "./sandbox-rpc.js";

/** The endpoints that there are: without a sandbox, its paths do not exist (gap 49). */
export function servedEndpoints<Served extends { readonly contract: Contract }>(
  endpoints: readonly Served[],
  { sandbox }: { readonly sandbox: boolean },
): readonly Served[] {
  return endpoints.filter(({ contract }) => contract.environment !== "sandbox" || sandbox);
}

/** Every contract that a service answers, its own included, in the order in which they are read. */
export function servedContracts(
  endpoints: readonly { readonly contract: Contract }[],
  options: { readonly sandbox: boolean },
): readonly Contract[] {
  return [
    healthContract,
    readinessContract,
    ...servedEndpoints(endpoints, options).map(({ contract }) => contract),
    openApiContract,
    ...(options.sandbox ? [sandboxRpcContract] : []),
  ];
}
