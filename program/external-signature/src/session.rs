//! The key that signs for a passkey until a time.

use crate::error::{Error, Result};
use crate::pubkey::Pubkey;
use crate::sysvars::now;
use crate::wire::wire_struct;

/// How long a session may last.
const MAX_SECONDS: u64 = 90 * 24 * 60 * 60;

wire_struct! {
    /// A session key with an expiration in seconds: since 1970 when a passkey begins, from now on when it is refreshed.
    pub struct Session {
        pub key: Pubkey,
        pub expiration: u64,
    }
}

impl Session {
    /// Refuses an end that lies too far ahead.
    pub fn ending_at(self) -> Result<Session> {
        if self.expiration <= clock_seconds() + MAX_SECONDS { Ok(self) } else { Err(Error::SessionTooLong) }
    }

    /// The session with its end instead of its length. A length of 0 ends it at once.
    pub fn ending_after(self) -> Result<Session> {
        if self.expiration > MAX_SECONDS {
            return Err(Error::SessionTooLong);
        }
        Ok(Session { expiration: clock_seconds() + self.expiration, ..self })
    }

    /// Refuses any other signer, and this one from the end on.
    pub fn require(&self, signer: &Pubkey) -> Result {
        if self.key != *signer {
            return Err(Error::WrongSession);
        }
        if clock_seconds() < self.expiration { Ok(()) } else { Err(Error::SessionExpired) }
    }
}

/// Seconds since 1970 by the cluster's clock; a time before is 0.
fn clock_seconds() -> u64 {
    now().max(0) as u64
}
