//! Every error the program answers with, its number on the wire and its log line.

/// The result of everything that can be refused.
pub type Result<T = ()> = core::result::Result<T, Error>;

macro_rules! errors {
    ($($name:ident = $number:literal, $message:literal;)*) => {
        /// Why an instruction was refused. The numbers are ours, and none of the smart account program's.
        #[derive(Clone, Copy, Debug, PartialEq)]
        #[repr(u64)]
        pub enum Error {
            $($name = $number,)*
        }

        impl Error {
            /// The log line; put together while compiling, so it costs no formatting.
            pub fn log_line(self) -> &'static str {
                match self {
                    $(Error::$name => concat!(
                        "Error Code: ", stringify!($name), ". Error Number: ", $number, ". Error Message: ", $message, "."
                    ),)*
                }
            }
        }
    };
}

errors! {
    InvalidInstruction = 7000, "The instruction data cannot be decoded";
    WrongNumberOfAccounts = 7001, "The instruction takes another number of accounts";
    CalledByProgram = 7002, "Another program called this one";
    MissingSignature = 7003, "A required signature is missing";
    ConstraintMut = 7004, "An account that changes was passed read-only";
    WrongAccount = 7005, "Another account was expected here";
    AccountOwnedByWrongProgram = 7006, "The account is owned by another program";
    UnknownLayout = 7007, "The account has another size, version or scheme";
    AccountInUse = 7008, "The address is in use";
    InvalidRelyingParty = 7009, "The relying party is not a host name of 1 to 32 characters";
    UnsupportedScheme = 7010, "There is no such scheme";
    SessionTooLong = 7011, "The session would last more than 90 days";
    SessionExpired = 7012, "The session has ended";
    WrongSession = 7013, "The signer is not the session key of this passkey";
    SlotNotRecent = 7014, "The slot has no hash or is more than 150 slots old";
    SlotUsed = 7015, "The passkey has signed for this slot or a newer one before";
    SignatureCheckMissing = 7016, "The transaction does not begin with the check of one P-256 signature";
    WrongKey = 7017, "The signature is of another key";
    InvalidAuthenticatorData = 7018, "The authenticator data has another form";
    UserNotPresent = 7019, "The user was not present";
    WrongRelyingParty = 7020, "The signature is for another relying party";
    WrongClientData = 7021, "The client data is not of this challenge, origin and ceremony";
    CounterNotGrown = 7022, "The signature counter did not grow";
    InvalidInnerInstruction = 7023, "An instruction names an account that is not there";
    ArithmeticOverflow = 7024, "A sum does not fit";
    MissingAccount = 7025, "An account is missing";
    AccountDidNotSerialize = 7026, "The account is too small for its content";
    InvalidRealloc = 7027, "The account cannot grow that much";
}
