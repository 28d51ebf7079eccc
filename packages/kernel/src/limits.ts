const dayMs = 86_400_000;

/** Every number that bounds something, with its unit and where it comes from. */
export const limits = {
  /** gap 8 */
  bodyBytes: 256 * 1024,
  /** gap 8: items of one list in a body, and values in it altogether: far more than any request has */
  bodyListItems: 200,
  bodyValues: 10_000,
  /** gap 125: WebSockets of the sandbox's JSON-RPC; times are real time. */
  sandboxSockets: {
    /** Of all connections together, and of one owner: what was reported and not read yet. */
    unsentBytesOfAll: 64 * 1024 * 1024,
    unsentBytesPerOwner: 32 * 1024 * 1024,
    connections: 500,
    connectionsPerOwner: 100,
    subscriptions: 10_000,
    subscriptionsPerOwner: 2_000,
    subscriptionsPerConnection: 1_000,
    messageBytes: 256 * 1024,
    waitingMessages: 1_000,
    unsentBytes: 4 * 1024 * 1024,
    pingEveryMs: 30_000,
  },
  /**
   * gap 155: answers of the sandbox's JSON-RPC, in bytes: of one (a batch is one), of all that are under way, and of those of
   * one API key; the first bytes of each are free. What a batch may go through besides: accounts, rows and, of a transaction,
   * a unit for each thousand compute units. Slots that one call lists.
   */
  sandboxRpc: {
    answerBytes: 8 * 1024 * 1024,
    answersBytes: 64 * 1024 * 1024,
    answersBytesPerOwner: 32 * 1024 * 1024,
    smallBytes: 16 * 1024,
    batchCalls: 1_000,
    batchWork: 500_000,
    slotsListed: 5_000,
    requestDepth: 64,
    requestValues: 100_000,
  },
  /**
   * gap 156: of the writes that a tenant has for a day, a process takes so many at a time, where there are a hundred times as
   * many; tenants of which a process remembers what it has left.
   */
  tenantWritesTaken: 100,
  tenantWritesRemembered: 10_000,
  /** gap 114: how long a signer may take to prove itself (real time), and in how many transactions settings are searched for. */
  importProofMs: 15 * 60_000,
  importSearchTransactions: 10,
  /**
   * gap 122: of one tenant, test and live ones each, revoked and expired ones aside; origins and ranges of one key; pages; how
   * exact its last use is.
   */
  apiKeysMax: 1_000,
  apiKeyOriginsMax: 50,
  apiKeyRangesMax: 50,
  apiKeyPageDefault: 50,
  apiKeyPageMax: 100,
  apiKeyUseNotedMs: 60_000,
  /** gaps 204, 205: pages; as many accounts, open sessions and passkeys of a user are counted, and as many of its sign-ins read for that */
  accountPageDefault: 50,
  accountPageMax: 100,
  userPageDefault: 50,
  userPageMax: 100,
  userCountsMax: 100,
  /** gap 215: of one tenant; pages */
  membersMax: 1_000,
  memberPageDefault: 50,
  memberPageMax: 100,
  memberNameMax: 100,
  /** gap 210: mails about proposals. Days are days of UTC; the rest is real time. */
  proposalMailsPerDay: 10,
  proposalMailGatherMs: 60_000,
  /** A process that hands on a tenant's news does it alone for as long. */
  proposalNewsLeaseMs: 60_000,
  proposalMailsApartMs: 1_800_000,
  proposalMailItems: 20,
  proposalMailSubjectMax: 80,
  proposalMailTextMax: 1_000,
  /** Letters of a memo or a name in such a mail. */
  proposalMailOutsideMax: 60,
  /** gap 216 (real time): of what is used once, and of a session of the console; how exact a session's last use is */
  memberInvitationMs: 7 * dayMs,
  /** gap 215: mails with invitations of one tenant, in a day of real time (UTC) */
  memberInvitationMailsPerDay: 50,
  memberLinkMs: 15 * 60_000,
  memberCodeMs: 15 * 60_000,
  memberSessionMs: 7 * dayMs,
  memberSessionIdleMs: 12 * 3_600_000,
  memberSessionUseNotedMs: 60_000,
  /** gap 225 (real time): passkeys of one member; how young a session is that adds and removes them */
  passkeysPerMember: 10,
  memberFreshMs: 15 * 60_000,
  /**
   * gap 226: digits of a code. Guesses at a member's codes are 3 (`otpAttempts`) of each that is mailed, and strangers have 20 mailed in a day
   * (`mailsPerAddressPerDay`): 60 guesses a day among 100,000,000 codes, which hit one in 4,500 years. Who holds the token of a browser that
   * has signed the member in has another 60.
   */
  memberCodeDigits: 8,
  /** gap 226: for how long a browser's token is good at least where the secret behind it is replaced */
  memberBrowserMs: 30 * dayMs,
  /** gap 216: requests to sign in, of one remote address; codes that wait to be mailed, and mails at once, of one process */
  consoleSignInsPerMinute: 20,
  /** gap 243: calls about challenges of passkeys, which need no key, of one remote address */
  ceremonyCallsPerMinute: 60,
  signInMailsWaiting: 200,
  signInMailsAtOnce: 4,
  /** gap 124 (real time): life of a token, how long one key signs, and how long it is published before and after. */
  identityTokenMs: 300_000,
  identityKeySignsMs: 30 * dayMs,
  identityKeyOverlapMs: dayMs,
  /** gap 213: of one tenant and environment, of one account; characters; addresses of one question; pages. */
  labelsOfTenantMax: 10_000,
  labelsOfAccountMax: 1_000,
  labelNameMax: 60,
  labelNoteMax: 200,
  labelAddressesMax: 100,
  labelPageDefault: 50,
  labelPageMax: 100,
  /** interface 8, gap 22 */
  otpLifetimeMs: 15 * 60_000,
  otpAttempts: 3,
  otpFailuresPerAddressPerDay: 10,
  otpFailuresPerTenantPerHourAlarm: 100,
  otpFailuresPerAddressUnderAlarm: 3,
  /** gap 22: of one tenant, environment, purpose and share */
  mailsPerAddressPerHour: 5,
  mailsPerAddressPerDay: 20,
  /** gap 22: sign-up mails of all tenants of an environment together */
  signUpMailsPerAddressPerHour: 20,
  signUpMailsPerAddressPerDay: 60,
  /** gap 123: those of them that publishable keys have sent, counted and bounded apart from the others */
  pageSignUpMailsPerAddressPerHour: 10,
  pageSignUpMailsPerAddressPerDay: 30,
  /** gap 151: bytes of UTF-8 */
  paymentMemoBytes: 256,
  /** gap 16 */
  signersMax: 10,
  timeLockMaxSeconds: 7_776_000,
  /** gap 20 */
  sessionDefaultMs: 24 * 3_600_000,
  sessionMaxMs: 30 * 86_400_000,
  /** gap 158 */
  sessionPageDefault: 100,
  sessionPageMax: 1_000,
  /** gap 159 */
  sessionIdleMinSeconds: 300,
  sessionIdleMaxSeconds: 30 * 86_400,
  refreshGraceMs: 60_000,
  /** gap 20: of the sessions of one code together, counted from the first of a minute */
  refreshesPerMinute: 20,
  /** interface 5.10 and 8 */
  credentialBundleDefaultMs: 3_600_000,
  /** gap 6 */
  idempotencyKeptMs: 24 * 3_600_000,
  idempotencyLeaseMs: 30_000,
  /** Solana's packet limit, gap 23 */
  transactionBytes: 1_232,
  /** gap 29 */
  submitTransactionsMax: 20,
  /** gap 152: prepared transactions that altered bytes are compared with, and how long after their end (environment time) */
  alteredCandidates: 16,
  alteredLookbackMs: 5 * 60_000,
  /** gap 109: transactions of a batch that is made here */
  batchTransactionsMax: 20,
  /** gap 109: latest proposals of an account among which a batch that broke off is searched for */
  draftsRead: 50,
  /** gap 108: transactions of a batch that are read and displayed, in a batch made elsewhere */
  batchTransactionsRead: 100,
  /** gap 20: live authorization keys of a wallet that a signature is tried against, the newest ones */
  liveKeysTried: 20,
  /** gaps 27, 29: what a signature that fits none of them is tried against, to say what is wrong with it, of each kind */
  explainingKeysTried: 5,
  /** gap 161: passkeys that command one wallet, and how long one may take to be registered */
  passkeysPerWallet: 10,
  passkeyCeremonyMs: 300_000,
  /** gap 233: how long a challenge of a passkey signer is good: the chain takes it while its slot is one of the newest 150 */
  signerCeremonyMs: 60_000,
  /** gap 243 (real time): for how long one call alone has a transaction signed for a challenge */
  signerSigningMs: 15_000,
  /** gap 233: the longest session that the signature program takes, and what is kept back of it for a chain whose clock is behind */
  signerSessionSeconds: 7_776_000,
  signerSessionReserveSeconds: 300,
  /** gap 221: for how long what a wallet signs to sign in is good, by real time */
  walletSignInMs: 300_000,
  /** gap 221: accounts that signing in with a wallet answers */
  accountsOfWallet: 100,
  /** gap 182: from an order to hand a wallet's key out to when it can leave; the least holds outside of the sandbox */
  walletExportDelaySeconds: 259_200,
  walletExportDelayMinSeconds: 86_400,
  walletExportDelayMaxSeconds: 30 * 86_400,
  /** gap 182: for so long it can leave then, and so old a document of it may be at most */
  walletExportOpenMs: 7 * 86_400_000,
  walletExportDocumentMs: 15 * 60_000,
  /**
   * gaps 182, 194, 199: until a mail that carries no code is tried again, by how often it was; the last holds from then on. It is given
   * up after about a day (real time)
   */
  noticeBackOffMs: [60_000, 300_000, 1_800_000, 7_200_000],
  noticeTries: 15,
  /** gap 199: from a mail about changes that wait at a guardian to the next about the same wallet (real time) */
  changeNoticesApartMs: 600_000,
  /** gap 194: from its beginning an import of a key is open for so long; a wallet has so many open at once, and none further is begun */
  walletImportMs: 15 * 60_000,
  walletImportsOpen: 20,
  /** gap 28: how far a kms_b timestamp may lie from real time */
  kmsTimestampToleranceMs: 5 * 60_000,
  /**
   * Account creations of one process that are under way in an environment, and how far the number of each may be from the
   * expected one, so that 2n + 1 candidates are offered (program spec 6): on a cluster, and where transactions land in
   * the order they are sent.
   */
  creationsUnderWayMax: 8,
  creationLeeway: 7,
  creationsUnderWayInOrderMax: 23,
  creationLeewayInOrder: 3,
  /** How many more wait for their turn in a process, of one tenant and of all, and for how long (real time). */
  creationsWaitingPerTenantMax: 200,
  creationsWaitingMax: 1_000,
  creationWaitMaxMs: 15_000,
  /** How long a pass waits for the chain at one creation that was left open (real time). */
  creationReadMs: 2_000,
  /** gap 31: micro-lamports per compute unit at most */
  computePriceCapMicroLamports: 1_000_000n,
  /** gap 126: a fault so often for each transaction or blockhash is always */
  sandboxFaultsAlways: 1_000_000,
  /** gap 126: micro-lamports per compute unit, a thousand times what the service bids at most */
  sandboxPriceMax: 1_000_000_000,
  /** Accounts whose settings a process keeps at hand from preparing to submitting */
  recalledSettings: 2_000,
  /** gap 126: slots in which a node reports a transaction on a fork, before the others have continued without it: four seconds */
  sandboxForkSlots: 10,
  /** gap 126: transactions that are remembered to be on forks, at most; of those beyond, the oldest are known no more */
  sandboxForkedMax: 10_000,
  /** gap 126: slots that a node lags at most: what it reports as its newest blockhash can then hardly land any more */
  sandboxLagMax: 150,
  /** gap 126: transactions that a lagging node has still to learn of, at most; where there are more, it lags less */
  sandboxLagTransactionsMax: 5_000,
  /** gap 126: bytes of the accounts that these have changed, before and after, at most; where there are more, it lags less */
  sandboxLagBytesMax: 64 * 1024 * 1024,
  /** A payload lives as long as a prepared transaction can: 150 slots of 0.4 s. */
  preparedLifetimeMs: 60_000,
  /**
   * gap 60: how often the follower asks whose turn it is (real time), and how many accounts one tick takes: as many as
   * fit one question to a node.
   */
  followProposalsEveryMs: 1_000,
  followedAccountsMax: 100,
  /** A process that claimed an account's turn and did not finish it has lost it after this (environment time, as all that follow). */
  followLeaseMs: 60_000,
  /** gap 60: how far apart two checks of an account lie, where a proposal is open and where none is. */
  refreshesApartLeastMs: 5_000,
  openRefreshesApartMostMs: 600_000,
  refreshesApartMostMs: 86_400_000,
  /** An account that needs no proposals is followed this long after it was touched: longer than bytes can take to land. */
  awakeMs: 300_000,
  /** gap 60: a list is answered without a read of the chain when the last one is no older than this. */
  refreshGoodForMs: 3_000,
  /** A list waits this long for a read of the chain (real time), and so many are made for lists at a time. */
  refreshPatienceMs: 2_000,
  refreshesAtOnce: 32,
  /** The sandbox answers at once, and a history there is expected to have everything. */
  sandboxRefreshPatienceMs: 10_000,
  /** Accounts and open proposals a cluster is asked to report on, the latest active first; how often they are chosen anew. */
  subscribedAccountsMax: 500,
  subscribedProposalsMax: 500,
  subscribedTokenAccountsMax: 1_000,
  subscribeAnewEveryMs: 10_000,
  /**
   * gap 81: of one tick of the follower of histories, the accounts whose lists of signatures are read, the pages of such
   * lists, and the transactions; and the latter two of one read that a caller waits for.
   */
  historyRefreshesInOneTick: 20,
  historyPagesInOneTick: 40,
  historyReadsInOneTick: 200,
  /** So many accounts, where there are as many, share the transactions of one tick. */
  historyReadersInOneTick: 4,
  /** Where the chain is a part of the same process, a tick takes this share of accounts and transactions. */
  historyShareOfEmbedded: 0.04,
  /** gap 81: an account is quiet this long before its lists are read through again because something is missing. */
  historyAgainAfterMs: 60_000,
  historyPagesInOneRefresh: 40,
  historyReadsInOneRefresh: 5_000,
  /** gap 81: signatures of one page, as many as nodes give. */
  historySignaturesPerPage: 1_000,
  /** gap 81: token accounts of an account that are followed, and those of them that a short check reads. */
  historyTokenAccountsMax: 200,
  historyTokenAccountsAtAGlance: 20,
  /** gap 81: the lists of signatures of an account whose balances never change are read this often all the same. */
  historyReadApartMostMs: 30 * dayMs,
  /** gap 81: what is confirmed and has vanished from a list counts as removed after this many slots (a minute). */
  historyForkedAfterSlots: 150n,
  /** interface 8 */
  historyPageDefault: 50,
  historyPageMax: 100,
  /** gap 211: intervals and tokens of one answer about balances over time; more tokens are asked about one at a time. */
  balancePointsMax: 400,
  balanceTokensMax: 20,
  /** Unread transactions of an account that are read through for the oldest; with more, nothing counts as known. */
  balanceUnreadMax: 200,
  /** Rows that one page searches where no index holds both of two filters: the next page continues behind them. */
  historyScanMax: 120,
  /** How long a proposal is finished before the service reclaims its rent (environment time), and how often it checks. */
  proposalClosingDelayMs: 3_600_000,
  closeProposalsEveryMs: 60_000,
  /** gap 31: open proposals of an account whose rent the service paid */
  openProposalsMax: 20,
  /** gap 66: a first payment so long ago at most is meant for now; so late may a limit land for a due date that precedes it. */
  standingOrderStartGraceMs: 300_000,
  /** gap 66: pending and active standing orders of an account, due dates of one with an end, and how far ahead it begins. */
  standingOrdersOpenMax: 20,
  standingOrderDuesMax: 3_654,
  standingOrderAheadMs: 3_660 * dayMs,
  /** gap 68: pages of orders and of their runs. */
  standingOrderPageDefault: 50,
  standingOrderPageMax: 100,
  /** gap 42: a one-time limit outlives its last due date by this. */
  standingOrderLimitOutlivesMs: 7 * dayMs,
  /** gap 68: how long a proposed limit is waited for, and a signed one after its transaction has run out. */
  standingOrderProposalWaitMs: 30 * dayMs,
  standingOrderMandateGraceMs: 300_000,
  /** gap 68: so long after `valid_until` no limit is waited for any more, unless a vote or a submission is open. */
  standingOrderAwaitedEndsMs: dayMs,
  /** gap 70: how long the scheduler checks whether an unwanted limit is removed. */
  standingOrderRemovalWaitMs: 30 * dayMs,
  /** How often passes resume what a crash or a silent chain has left open (real time). */
  passEveryMs: 5_000,
  /** They leave alone what another process worked on so short a while ago (environment time). */
  openWorkIdleMs: 20_000,
  /** gap 134: transactions that one search for a message reads at most, and while others can still precede them. */
  messageReadsInOneSearch: 200,
  messageReadsWhileAlive: 20,
  /** gap 143: for so many blocks a blockhash lives that a wallet puts in the place of the prepared one. */
  blockhashBlocks: 150n,
  /**
   * gap 140: a slot lasts 400 ms, and no plan for the chain makes one shorter than 100 ms. What is more slots away than fit
   * into a time was before it. Too high a number costs a question to a node, too low a one would miss what others changed.
   */
  slotsPerSecondMost: 10n,
  /** How far the chain's clock, which follows its validators', can be from this machine's. */
  chainClockApartSeconds: 3_600n,
  /** Nodes call a message processed that landed within so many slots: they remember some 300, and a blockhash lives for fewer. */
  processedWithinSlots: 512n,
  /** gap 134: payments whose fee payer is their holder's, searched for in one claim, and how long one claim holds them. */
  selfPaidInOneClaim: 64,
  selfPaidLeaseMs: 60_000,
  /** gap 134: between two searches for one of them, environment time: in its first quarter of an hour, and later. */
  selfPaidSearchEveryMs: 10_000,
  selfPaidSearchLaterEveryMs: 600_000,
  selfPaidYoungMs: 900_000,
  /** Keys of ended sessions that one claim has revoked at their custodian, and when one that failed is tried again. */
  keyRemovalsInOneClaim: 64,
  keyRemovalApartMs: 60_000,
  /** Tenants that share one claim of a pass: with more of them, the next claim continues with the others. */
  tenantsInOneClaim: 25,
  /** The same where a queue has no index by tenant: of those that have waited longest, and of those that have arrived last. */
  turnsAtEachEnd: 1_000,
  /** gap 144: how long a pass waits for payments on a cluster before it leaves them to the next poll: real time. */
  standingOrderPatienceMs: 5_000,
  /** How many orders of an account a change of its settings checks: the newest. */
  standingOrdersNoticedMax: 330,
  /** gap 68: how far apart checks of a limit lie that is not there yet, or should be removed. */
  mandateChecksApartLeastMs: 60_000,
  mandateChecksApartMostMs: 21_600_000,
  /** gap 73: how often due dates are polled (real time), how many at once, and how many batches before a pass ends. */
  payStandingOrdersEveryMs: 1_000,
  standingOrdersInOneBatch: 100,
  standingOrderBatchesInOnePass: 20,
  /** How long an order is left to the process that checks it (real time): on a cluster, and where the chain decides at once. */
  standingOrderLeaseMs: 180_000,
  standingOrderLeaseInOrderMs: 15_000,
  /** gap 77: so many due dates one move of the sandbox's clock plays; the rest is paid afterwards. */
  standingOrderRunsInOneMove: 5_000,
  /** gap 77: and so often it stops at most, whatever there is to do. */
  standingOrderStopsInOneMove: 10_000,
  /** gap 36 */
  proposalActionsMax: 10,
  /** gap 41 */
  spendingLimitSignersMax: 10,
  spendingLimitDestinationsMax: 20,
  spendingLimitPageDefault: 50,
  spendingLimitPageMax: 100,
  /** gap 208: accounts whose limits are read for the list of all, in one tick. */
  limitReadsInOneTick: 10,
  /** interface 8 */
  proposalPageDefault: 50,
  proposalPageMax: 100,
  /** gap 78 */
  intentPageDefault: 50,
  intentPageMax: 100,
  /** An approval older than this is pointed out before it counts. */
  oldApprovalSeconds: 86_400,
  /** How long the database works on one statement of a request, and of a pass: real time. What takes longer is undone. */
  statementMs: 15_000,
  backgroundStatementMs: 60_000,
  /** How long a transaction may hold its locks and do nothing: none of ours waits for anything but the database. */
  idleInTransactionMs: 15_000,
  /**
   * How long rows stay that have served their time, in milliseconds (environment time where nothing else is said). What is
   * not named stays for good: tenants, keys of the interface, users, wallets, accounts with their signers, passkeys that sign on chain, proposals, and
   * the sandbox chain. Stored answers go when they expire (`idempotencyKeptMs`).
   */
  kept: {
    /** After its expiry, with its payloads, submitted or not: so that the response to a late submit says why it is refused. */
    preparedTransactionMs: dayMs,
    /** After its expiry: so that the response to a late try says that the code has expired. */
    oneTimeCodeMs: dayMs,
    /** Wrong tries count for a day (gap 22); another process may be ahead of its time. */
    otpFailureMs: 2 * dayMs,
    /** An address whose code was never used, with its memo; a creation that is under way is over by then. */
    pendingAccountMs: 30 * dayMs,
    /** After its expiry (real time): codes and wrong tries of members count for a day. */
    memberSecretMs: dayMs,
    /** Mails count for a day (gap 22, real time); the rest is for readers of the sandbox's outbox. */
    mailMs: 7 * dayMs,
    /** After the code that began its chain (real time): 30 days of life, and 30 in which a refusal can say what it was. */
    sessionMs: 60 * dayMs,
    /** After its end (real time): no earlier than the sessions that name it. */
    authorizationKeyMs: 60 * dayMs,
    /** After it was removed: as long as sessions. */
    passkeyMs: 60 * dayMs,
    /** After its expiry (real time): so that the response to a late answer says that it is late. */
    passkeyCeremonyMs: dayMs,
    /** After its expiry: for so long submitting the same answer again answers the first result. */
    signerCeremonyMs: dayMs,
    /** After its time is over, unless the key has left: longer than anything that was signed for it is good. */
    walletExportMs: 60 * dayMs,
    /** After it can be signed: longer than any window. */
    guardianChangeMs: 60 * dayMs,
    /** After its time is over: an import that was never completed, and one that was, whose key stays. */
    openWalletImportMs: dayMs,
    walletImportMs: 60 * dayMs,
    /** The signed bytes of a submission after its outcome: nothing is sent any more, and no node reports it either. */
    submissionBytesMs: 30 * dayMs,
    /** A submission's identity and outcome: for so long submitting the same bytes again answers the first result. */
    submissionMs: 400 * dayMs,
    /** As long as submissions: a repetition finds the account that the first call made. */
    accountCreationMs: 400 * dayMs,
    /** An account of given keys for which nothing was signed: longer than idempotency keys are kept (gap 6, real time). */
    unsignedCreationMs: 7 * dayMs,
    /** gap 94: events with their deliveries, and attempts, which hold what receivers answered. */
    eventMs: 90 * dayMs,
    /** After it was deleted: until nothing that was scheduled for it is left. */
    deletedEndpointMs: 90 * dayMs,
    webhookAttemptMs: 30 * dayMs,
    /** What entries of the audit log say, after they were published (real time); their hashes stay for good. */
    auditBodyMs: 730 * dayMs,
    /** Signed checkpoints but for the last one (real time). */
    auditCheckpointMs: 400 * dayMs,
    /** An endpoint that was given with an intent: longer than the intent can take, and than its events are delivered. */
    intentEndpointMs: 90 * dayMs,
    /** As long as the submission that says what became of it. */
    paymentIntentMs: 400 * dayMs,
    /** After its day (real time), as long as the submission it was paid for; rent that is still out stays. */
    sponsoredCostMs: 400 * dayMs,
    /** gap 96: news of a partner after they arrived (real time), and what it never answered for. */
    railNoticeMs: 30 * dayMs,
    unansweredVerificationMs: 30 * dayMs,
    unansweredExternalAccountMs: 30 * dayMs,
    /** gap 102: environment time, as the payment intents they belong to. */
    railTransferMs: 400 * dayMs,
    /** What the simulated partner has brought to an end, and its news (environment time). */
    simulatedDepositMs: 400 * dayMs,
    simulatedNewsMs: 30 * dayMs,
    /** After its day (real time): settlement gives back to it for a day, the rest is for operators who read the figures. */
    sponsorshipBudgetMs: 31 * dayMs,
    /** The same: only the present day counts. */
    tenantWritesMs: 31 * dayMs,
    /** gap 218: a request that was answered (real time). */
    requestMs: dayMs,
  },
  /** How often what is over is searched for (real time), how much one statement removes, and one pass of each kind. */
  sweepEveryMs: 60_000,
  sweptInOneStatement: 250,
  sweptInOnePass: 100_000,
  /** gap 43: environment time */
  kycLinkMs: dayMs,
  /** gap 101: external accounts of one account. */
  externalAccountsMax: 50,
  /** How long a key store may take for one answer, waiting for its turn included (real time). */
  keyStoreCallMs: 5_000,
  keyStoreAnswerBytes: 64 * 1024,
  keyStoreCallsAtOnce: 16,
  /** Calls to one key store under way and waiting; what comes on top is refused at once. */
  keyStoreCallsWaiting: 512,
  /** gap 96: how long a partner may take for one answer, and how long a caller waits who only reads (real time). */
  partnerCallMs: 10_000,
  /** The same for what has changed, which may take several answers: longer than two of them. */
  partnerChangesMs: 25_000,
  partnerPatienceMs: 4_000,
  /** gap 96: partners know a key for so long (real time); afterwards the partner is checked first, and a new key is used. */
  partnerKeyMs: dayMs,
  /** gap 96: what a partner reported is returned without asking again for so long, and an approval believed (real time). */
  partnerWordGoodForMs: 5_000,
  /** A little longer than between two checks of it, so that the first caller does not have to ask for a good one. */
  approvalGoodForMs: dayMs + 60 * 60_000,
  /** gap 96: how often the follower checks what is due, and asks a partner what has changed (real time). */
  followRailsEveryMs: 1_000,
  partnerChangesEveryMs: 60_000,
  /** gap 102: what was begun with a partner and no caller returned for is cancelled there after this (real time). */
  railAbandonMs: 10 * 60_000,
  /** gap 112: a payment from a bank that has not been made by then is cancelled at the partner (environment time). */
  payInOpenForMs: 14 * dayMs,
  /** gap 112: how often the chain may refuse to pay play money before the sandbox's bank gives it back. */
  simulatedPaymentTries: 8,
  /** gap 100: most that the sandbox's bank moves at once, in cents of any currency: far from any overflow of a coin. */
  simulatedPaymentMaxCents: 100_000_000_000n,
  /** A process that checks something and does not finish has lost it after this (real time). */
  railLeaseMs: 60_000,
  /** So long one check reads deposits: with the calls before it shorter than the lease. */
  railReadMs: 25_000,
  railReadsInOneBatch: 100,
  railReadsAtOnce: 16,
  railBatchesInOnePass: 10,
  /** gap 99 */
  depositPageDefault: 50,
  depositPageMax: 200,
  /** gap 227 */
  verificationPageDefault: 50,
  verificationPageMax: 100,
  /** gap 228 */
  virtualAccountPageDefault: 50,
  virtualAccountPageMax: 100,
  /** How often entries of the audit log get their leaves and a checkpoint is signed, where there is something new (real time). */
  auditEveryMs: 10_000,
  /** Checkpoints and tiles that one remote address reads. */
  auditReadsPerMinute: 1_200,
  auditPageDefault: 50,
  auditPageMax: 200,
  /** gap 218: how often answered requests are written (real time). */
  recordRequestsEveryMs: 1_000,
  requestLog: {
    /** Answers of one process between two writes: of all, of one tenant, and of one tenant with one error code or none. */
    queued: 5_000,
    ofTenant: 200,
    ofKind: 50,
    /** Of one tenant with publishable keys, a second. */
    ofPagesASecond: 5,
    /** The newest of a tenant that stay, whatever is written, and how many older ones a write removes of it. */
    keptOfTenant: 10_000,
    removedAtOnce: 400,
  },
  requestPageDefault: 50,
  requestPageMax: 100,
  /** gap 89 */
  eventPageDefault: 50,
  eventPageMax: 200,
  /** How often committed events are given their place and deliveries are begun (real time). */
  deliverEveryMs: 250,
  /** How often the fee payer is checked, to report that it holds too little (real time). */
  reportHealthEveryMs: 60_000,
  /**
   * How often a cluster is asked whether the smart account program was deployed anew (real time), how much of its code one
   * answer brings, and how much an account can hold, in bytes.
   */
  readProgramEveryMs: 600_000,
  programPieceBytes: 256 * 1024,
  programBytesMax: 10 * 1024 * 1024,
  /** gap 91: of one tenant in one environment; those given with an intent are not counted. */
  webhookEndpointsMax: 20,
  webhookFiltersMax: 20,
  /** gap 91: how long the former secret signs too, where nothing else is said, and at most. */
  secretOverlapSeconds: 86_400,
  secretOverlapMaxSeconds: 7 * 86_400,
  /** gap 92: waits between attempts, in milliseconds of environment time; each is lengthened by up to a fifth. */
  deliveryWaitsMs: [5_000, 300_000, 1_800_000, 7_200_000, 18_000_000, 36_000_000, 50_400_000, 72_000_000, 86_400_000],
  /** A receiver may ask for a longer wait, up to this. */
  retryAfterMaxMs: dayMs,
  /** gap 92: an endpoint where nothing has arrived for so long is disabled (environment time). */
  endpointFailsForMs: 5 * dayMs,
  /** Endpoints one process sends to at once, of one environment, of one tenant, and of those that fail at present. */
  endpointsAtOnce: 128,
  endpointsAtOncePerTenant: 24,
  endpointsAtOnceFailing: 64,
  /** An endpoint that was sent to for so long makes room for those that wait (real time). */
  deliveryTurnMs: 5_000,
  /** Requests to one endpoint at once; one that fails is asked alone. */
  deliveriesAtOncePerEndpoint: 10,
  /** An endpoint that fails while much is waiting is left alone for so long (environment time). */
  failingEndpointRestMs: 10_000,
  /** How long one process has an endpoint to itself (real time); longer than everything it then does can take. */
  deliveryLeaseMs: 60_000,
  /** gap 92: of one request to a receiver (real time), and what is read and kept of its answer. */
  receiverConnectMs: 5_000,
  receiverTotalMs: 15_000,
  /** Names of receivers that are looked up at once only because a caller saves them; one above is judged when it is dialled. */
  receiverChecksAtOnce: 64,
  receiverAnswerReadBytes: 65_536,
  receiverAnswerKeptBytes: 4_096,
  /** Events that one call checks, or schedules anew. */
  replayMax: 2_000,
  /** gap 105: what is read of a partner's answer, how old its news may be (real time), and how many arrive from one address. */
  partnerAnswerBytes: 4 * 1024 * 1024,
  partnerNewsMaxAgeMs: 10 * 60_000,
  partnerNewsPerMinute: 1_200,
  /** How far apart processes may be in what they call now. */
  clocksApartMs: 60_000,
  /** gap 49 */
  clockAdvanceMaxSeconds: 400 * 86_400,
  /** Unix milliseconds. RFC 3339 ends with the year 9999, and what begins then lasts a while. */
  clockLatestMs: Date.UTC(9000, 0, 1),
} as const;
