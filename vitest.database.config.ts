import base from "./vitest.config.js";

// What stands on the database: every statement, what happens at once, and what dies in the middle. A gate that plays all tests on
// one database plays these on the other one too. Those that take many times as long on the embedded one are not among them.
export default {
  ...base,
  test: {
    ...base.test,
    // A fifth of the processors' time went into collecting after each database in memory that was closed: its memory counts as what
    // is next to be collected, however much there is left. Older versions of Node.js do not know better.
    execArgv: Number.parseInt(process.versions.node, 10) < 24 ? [] : ["--external-memory-accounted-in-global-limit"],
    include: [
      "src/adapters/db/**/*.test.ts",
      "src/adapters/{replace-secrets,reseal,kms/wallet-roots}.test.ts",
      "src/custodian/policy/create-policy.test.ts",
      "src/{accounts,audit,custody,events,following,history,labels,legacy,payments,people,policy-changes,proposals,rails}/**/*.test.ts",
      "src/{requests,status}/**/*.test.ts",
      "src/{sandbox-controls,sign-in,spending-limits,sponsorship,standing-orders,submissions,tenants}/**/*.test.ts",
      "src/{account-releases,wallet-exports,wallet-imports}/**/*.test.ts",
      "src/passkeys/send-change-notices.test.ts",
      "src/transactions/**/*.test.ts",
      "src/scheduler/!(every-pass).test.ts",
      "test/database/**/*.test.ts",
      "test/{event-shapes,states,values-in-sql}.test.ts",
      "test/crash/*.test.ts",
      "test/histories/{histories,odd-histories,standing-orders,outside/outside}.test.ts",
      "test/following/**/*.test.ts",
      "test/history/**/*.test.ts",
      "test/rails/**/*.test.ts",
      "test/contract/idempotency/{complete,payments}.test.ts",
      "test/contract/{http-idempotency,session-chains-migration}.test.ts",
      "test/adversarial/{concurrency,mail-shares,many-keys,one-time-codes,partial-failures}.test.ts",
      "test/adversarial/{session-chains,sponsorship-budgets,tenants-and-environments}.test.ts",
      "test/cluster/two-services.test.ts",
      "test/custodian/{cosigned-logs,custodian-keys,guarded-wallet,own-log,protect-account}.test.ts",
      "test/custodian/{remote-custodian,restore,restored-custodian,second-process,transport}.test.ts",
      "test/proposals/{custody-and-patch,index-*}.test.ts",
      "test/scenarios/{story,restored-database,rotate-fee-payer,rotate-master-key}.test.ts",
      "test/scenarios/{rotation-under-load,update-account}.test.ts",
      "test/standing-orders/{frozen,life}.test.ts",
      "test/tenant-archive/{hostile-source,others-go-on,round-trip,unaware-process}.test.ts",
      "src/operator/archive/**/*.test.ts",
    ],
  },
};
