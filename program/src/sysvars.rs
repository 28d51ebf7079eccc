//! Time and rent.

use crate::error::{Error, Result};
use crate::runtime;

/// Bytes the runtime counts for an account besides its data.
const ACCOUNT_OVERHEAD: u64 = 128;

/// Seconds since 1970 by the cluster's clock.
pub fn now() -> i64 {
    runtime::read_clock()[4] as i64
}

/// The balance in lamports an account of `space` bytes needs: `(128 + space) * price per byte * factor`.
///
/// The factor is a float in the sysvar, and the target has no float arithmetic, so it is multiplied as the exact
/// fraction `odd * 2^shift` that its bits spell (2.0 historically, 1.0 later).
pub fn minimum_balance(space: usize) -> Result<u64> {
    let [price_per_byte, factor_bits, _] = runtime::read_rent();
    let bytes = ACCOUNT_OVERHEAD.checked_add(space as u64).ok_or(Error::ArithmeticOverflow)?;
    let base = bytes.checked_mul(price_per_byte).ok_or(Error::ArithmeticOverflow)?;
    multiply_by_float(base, factor_bits).ok_or(Error::ArithmeticOverflow)
}

/// `value * factor` rounded down, for a positive normal float; `None` otherwise or on overflow.
fn multiply_by_float(value: u64, factor_bits: u64) -> Option<u64> {
    let exponent = factor_bits >> 52;
    if exponent == 0 || exponent >= 0x7ff {
        return None;
    }
    let mantissa = (factor_bits & ((1 << 52) - 1)) | (1 << 52);
    let zeros = mantissa.trailing_zeros() as u64;
    let product = value.checked_mul(mantissa >> zeros)?;
    // The factor is `mantissa * 2^(exponent - 1075)`, and `zeros` of the exponent were already taken out.
    let exponent = exponent + zeros;
    if exponent >= 1075 {
        let shift = (exponent - 1075) as u32;
        if shift > product.leading_zeros() { None } else { product.checked_shl(shift) }
    } else {
        Some(product.checked_shr((1075 - exponent) as u32).unwrap_or(0))
    }
}

#[cfg(test)]
mod tests {
    use super::multiply_by_float;

    #[test]
    fn factors_are_exact() {
        let times = |value: u64, factor: f64| multiply_by_float(value, factor.to_bits());
        assert_eq!(times(329, 1.0), Some(329));
        assert_eq!(times(329, 2.0), Some(658));
        assert_eq!(times(329, 1.5), Some(493));
        assert_eq!(times(329, 0.25), Some(82));
        assert_eq!(times(1, 2f64.powi(62)), Some(1 << 62));
        assert_eq!(times(2, 2f64.powi(63)), None);
        assert_eq!(times(u64::MAX, 2.0), None);
        for unusable in [0.0, -1.0, f64::INFINITY, f64::NAN] {
            assert_eq!(times(1, unusable), None);
        }
    }
}
