//! One file per instruction: checks, then effects, then calls.

pub mod execute;
pub mod execute_by_session;
pub mod initialize;
pub mod refresh_session;
