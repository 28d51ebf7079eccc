//! A panic is a bug of ours: report the place and stop. No message, so that no formatting code is linked in.

use super::syscalls::raw;
use core::panic::PanicInfo;

#[panic_handler]
fn panic(info: &PanicInfo) -> ! {
    let (file, line, column) = match info.location() {
        Some(place) => (place.file(), place.line(), place.column()),
        None => ("", 0, 0),
    };
    // SAFETY: pointer and length are of one static str; the call does not return.
    unsafe { raw::sol_panic_(file.as_ptr(), file.len() as u64, line as u64, column as u64) }
}
