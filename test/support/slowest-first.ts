import { BaseSequencer, type TestSpecification } from "vitest/node";

/**
 * What takes minutes, the longest first: begun last, it would leave one of the two processes idle behind it. A name that no file has
 * any more harms nothing, so a file that becomes slow is what to add.
 */
const slow = [
  "test/histories/outside/outside.test.ts",
  "test/crash/account-kill-points.test.ts",
  "test/crash/payment-kill-points.test.ts",
  "test/adversarial/sandbox-rpc-floods.test.ts",
  "test/histories/histories.test.ts",
  "test/histories/odd-histories.test.ts",
  "test/releases/two-releases.test.ts",
  "test/database/million-rows.test.ts",
  "test/adversarial/fuzz.test.ts",
  "test/cluster/two-services.test.ts",
  "test/cluster/sandbox-process.test.ts",
  "src/scheduler/every-pass.test.ts",
  "test/scenarios/sandbox-faults-nodes.test.ts",
  "test/scenarios/client-members.test.ts",
  "test/crash/bank-kill-points.test.ts",
  "test/rails/partner-words.test.ts",
  "test/crash/random-kills.test.ts",
  "test/history/cluster-history.test.ts",
  "test/custodian/cosigned-logs.test.ts",
  "test/proposals/property.test.ts",
  "test/contract/idempotency/people.test.ts",
  "test/contract/sandbox-rpc-durability.test.ts",
  "test/custodian/custodian-keys.test.ts",
  "test/contract/idempotency/passkeys.test.ts",
];

/** The order of the test files: those first, and then as vitest has them. */
export default class SlowestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const placeOf = ({ moduleId }: TestSpecification) => {
      const place = slow.findIndex((name) => moduleId.endsWith(`/${name}`));
      return place < 0 ? slow.length : place;
    };
    return (await super.sort(files)).toSorted((one, other) => placeOf(one) - placeOf(other));
  }
}
