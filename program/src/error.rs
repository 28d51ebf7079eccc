//! Every error the program answers with, its number on the wire and its log line.

/// The result of everything that can be refused.
pub type Result<T = ()> = core::result::Result<T, Error>;

macro_rules! errors {
    ($($(#[$doc:meta])* $name:ident = $number:literal, $message:literal;)*) => {
        /// Why an instruction was refused. Numbers up to 3999 are the framework's that clients know, from 6000 ours.
        // One of the framework's names ends with the enum's.
        #[allow(clippy::enum_variant_names)]
        #[derive(Clone, Copy)]
        #[repr(u64)]
        pub enum Error {
            $($(#[$doc])* $name = $number,)*
        }

        impl Error {
            /// The log line that off-chain code parses; put together while compiling, so it costs no formatting.
            pub fn log_line(self) -> &'static str {
                match self {
                    $(Error::$name => concat!(
                        "AnchorError occurred. Error Code: ", stringify!($name),
                        ". Error Number: ", $number, ". Error Message: ", $message, "."
                    ),)*
                }
            }
        }
    };
}

errors! {
    InstructionMissing = 100, "The instruction data is shorter than eight bytes";
    InstructionFallbackNotFound = 101, "No instruction begins with these eight bytes";
    InstructionDidNotDeserialize = 102, "The instruction data cannot be decoded";
    ConstraintMut = 2000, "An account that changes was passed read-only";
    ConstraintRaw = 2003, "The consensus account is not at its derived address";
    ConstraintOwner = 2004, "The account has the wrong owner";
    ConstraintSeeds = 2006, "The address is not the one derived from its seeds";
    ConstraintClose = 2011, "An account cannot receive its own rent";
    ConstraintAddress = 2012, "Another address was expected";
    ConstraintTokenMint = 2014, "The token account is of another mint";
    ConstraintTokenOwner = 2015, "The token account belongs to another owner";
    ConstraintAccountIsNone = 2020, "An account that another one needs is absent";
    AccountDiscriminatorNotFound = 3001, "The account is too short to have a type";
    AccountDiscriminatorMismatch = 3002, "The account is of another type";
    AccountDidNotDeserialize = 3003, "The account data cannot be decoded";
    AccountDidNotSerialize = 3004, "The account is too small for its content";
    AccountNotEnoughKeys = 3005, "Fewer accounts than the instruction needs";
    AccountNotMutable = 3006, "The account must be writable";
    AccountOwnedByWrongProgram = 3007, "The account is owned by another program";
    InvalidProgramId = 3008, "Another program was expected here";
    AccountNotSigner = 3010, "A required signature is missing";
    AccountNotSystemOwned = 3011, "The account is not owned by the system program";
    AccountNotInitialized = 3012, "The account does not exist";
    AccountNotEmpty = 6000, "The settings address already holds data";
    DuplicateSigner = 6001, "The same signer appears twice";
    EmptySigners = 6002, "The list of signers is empty";
    TooManySigners = 6003, "More than 65535 signers";
    InvalidThreshold = 6004, "The threshold is not between one and the number of voters";
    Unauthorized = 6005, "The key is not allowed to do this";
    NotASigner = 6006, "The key is not a member of the account";
    InvalidTransactionMessage = 6007, "The wrapped message is malformed";
    StaleProposal = 6008, "The proposal is older than the last change of the settings";
    InvalidProposalStatus = 6009, "The proposal's status does not allow this";
    InvalidTransactionIndex = 6010, "The transaction index was not issued yet";
    AlreadyApproved = 6011, "This signer has approved before";
    AlreadyRejected = 6012, "This signer has rejected before";
    AlreadyCancelled = 6013, "This signer has cancelled before";
    InvalidNumberOfAccounts = 6014, "The number of accounts does not fit the message";
    InvalidAccount = 6015, "An unexpected account was passed";
    RemoveLastSigner = 6016, "The last signer cannot be removed";
    NoVoters = 6017, "No signer may vote";
    NoProposers = 6018, "No signer may initiate";
    NoExecutors = 6019, "No signer may execute";
    InvalidStaleTransactionIndex = 6020, "The stale index is above the transaction index";
    NotSupportedForControlled = 6021, "The account is controlled by an authority";
    TimeLockNotReleased = 6022, "The time lock still runs";
    NoActions = 6023, "The list of actions is empty";
    MissingAccount = 6024, "A needed account was not passed";
    InvalidMint = 6025, "The mint does not fit the spending limit";
    InvalidDestination = 6026, "The destination is not allowed by the spending limit";
    SpendingLimitExceeded = 6027, "More than the spending limit has left";
    DecimalsMismatch = 6028, "The decimals do not fit the currency";
    UnknownPermission = 6029, "A permission mask is above seven";
    ProtectedAccount = 6030, "An inner instruction would write to a protected account";
    TimeLockExceedsMaxAllowed = 6031, "The time lock is longer than 90 days";
    InvalidRentCollector = 6034, "The rent belongs to another account";
    ProposalForAnotherSmartAccount = 6035, "The proposal belongs to another account";
    TransactionForAnotherSmartAccount = 6036, "The transaction belongs to another account";
    TransactionNotMatchingProposal = 6037, "The transaction is not the one of the proposal";
    TransactionNotLastInBatch = 6038, "The transaction is not the last one of its batch";
    BatchNotEmpty = 6039, "The batch still holds transactions";
    SpendingLimitInvalidAmount = 6040, "A spending limit of zero";
    InvalidInstructionArgs = 6041, "The compiled instructions cannot be decoded";
    FinalBufferHashMismatch = 6042, "The buffer is not what was announced";
    FinalBufferSizeExceeded = 6043, "The buffer would be longer than announced or allowed";
    FinalBufferSizeMismatch = 6044, "The buffer is not as long as announced";
    InvalidSignerCount = 6047, "Fewer signers than the threshold";
    MissingSignature = 6048, "A listed member did not sign";
    InsufficientAggregatePermissions = 6049, "The signers together lack a permission";
    InsufficientVotePermissions = 6050, "Too few of the signers may vote";
    TimeLockNotZero = 6051, "Synchronous instructions need a time lock of zero";
    NotImplemented = 6052, "This feature does not exist";
    InvalidPayload = 6055, "The payload does not fit this kind of account";
    ProtectedInstruction = 6056, "The event instruction is reserved for the program itself";
    SpendingLimitExpired = 6080, "The spending limit has expired";
    /// The runtime's own code for data that is not what it should be: a mint or a token account of another shape.
    InvalidAccountData = 17179869184, "The account holds something else";
    /// The runtime's own code for a mint or a token account that is not initialized.
    UninitializedAccount = 42949672960, "The account was not initialized";
    /// The runtime's own "borsh" code: a wrapped message that ends too early.
    BorshIoError = 64424509440, "The wrapped message cannot be decoded";
    /// The runtime's own code for growing an account by more than 10,240 bytes.
    InvalidRealloc = 85899345920, "The account cannot grow that far at once";
    /// The runtime's own arithmetic code.
    ArithmeticOverflow = 103079215104, "A number left its range";
}
