//! The text that a browser signs, put together again byte for byte.
//!
//! WebAuthn fixes the order of the members and the way they are written. Whatever else a browser adds is refused, because
//! what it means is not known here.

use crate::error::{Error, Result};
use crate::wire::{Reader, Wire};
use alloc::vec::Vec;

const MAX_NAME: usize = 32;

/// The host that a passkey belongs to.
pub struct RelyingParty {
    name_len: u8,
    name: [u8; MAX_NAME],
    /// SHA-256 of the name.
    pub hash: [u8; 32],
}

impl RelyingParty {
    /// Takes a host name as it stands in an origin, so that it can be no other piece of the text.
    pub fn new(name: &[u8], hash: [u8; 32]) -> Result<RelyingParty> {
        let is_host = |byte: &u8| matches!(byte, b'a'..=b'z' | b'0'..=b'9' | b'.' | b'-');
        if name.is_empty() || name.len() > MAX_NAME || !name.iter().all(is_host) {
            return Err(Error::InvalidRelyingParty);
        }
        let mut padded = [0; MAX_NAME];
        padded[..name.len()].copy_from_slice(name);
        Ok(RelyingParty { name_len: name.len() as u8, name: padded, hash })
    }

    /// The name without its padding.
    pub fn name(&self) -> &[u8] {
        &self.name[..self.name_len as usize]
    }
}

impl Wire for RelyingParty {
    const MIN_LEN: usize = 65;
    fn read(reader: &mut Reader) -> Option<Self> {
        let name_len: u8 = reader.read()?;
        if name_len as usize > MAX_NAME {
            return None;
        }
        Some(RelyingParty { name_len, name: reader.read()?, hash: reader.read()? })
    }
    fn write(&self, out: &mut Vec<u8>) {
        self.name_len.write(out);
        self.name.write(out);
        self.hash.write(out);
    }
}

/// What a passkey was asked for.
#[derive(Clone, Copy, PartialEq)]
pub enum Ceremony {
    Create,
    Get,
}

const GET: u8 = 0x10;
const CROSS_ORIGIN: u8 = 1;
const HTTP: u8 = 2;
const GOOGLE_EXTRA: u8 = 4;

/// How the text differs from browser to browser and from page to page.
pub struct ClientDataForm {
    flags: u8,
    port: Option<u16>,
}

impl ClientDataForm {
    /// Reads a byte of flags and an optional port. Flags without a meaning are refused.
    pub fn read(reader: &mut Reader) -> Option<ClientDataForm> {
        let flags: u8 = reader.read()?;
        if flags & !(GET | CROSS_ORIGIN | HTTP | GOOGLE_EXTRA) != 0 {
            return None;
        }
        Some(ClientDataForm { flags, port: reader.read()? })
    }

    /// What the passkey was asked for.
    pub fn ceremony(&self) -> Ceremony {
        if self.has(GET) { Ceremony::Get } else { Ceremony::Create }
    }

    fn has(&self, flag: u8) -> bool {
        self.flags & flag != 0
    }

    /// The text of this challenge.
    pub fn text(&self, relying_party: &RelyingParty, challenge: &[u8; 32]) -> Vec<u8> {
        let mut out = Vec::with_capacity(320);
        out.extend_from_slice(match self.ceremony() {
            Ceremony::Create => br#"{"type":"webauthn.create","challenge":""#,
            Ceremony::Get => br#"{"type":"webauthn.get","challenge":""#,
        });
        write_base64url(challenge, &mut out);
        out.extend_from_slice(if self.has(HTTP) {
            br#"","origin":"http://"#
        } else {
            br#"","origin":"https://"#
        });
        out.extend_from_slice(relying_party.name());
        if let Some(port) = self.port {
            out.push(b':');
            write_decimal(port, &mut out);
        }
        out.extend_from_slice(if self.has(CROSS_ORIGIN) {
            br#"","crossOrigin":true"#
        } else {
            br#"","crossOrigin":false"#
        });
        if self.has(GOOGLE_EXTRA) {
            // Chromium adds it now and then, so that software does not do what is done here.
            out.extend_from_slice(br#","other_keys_can_be_added_here":"do not compare clientDataJSON against a template. See https://goo.gl/yabPex""#);
        }
        out.push(b'}');
        out
    }
}

/// Appends 43 characters without padding.
fn write_base64url(bytes: &[u8; 32], out: &mut Vec<u8>) {
    const DIGITS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
    for chunk in bytes.chunks(3) {
        let mut group = [0; 4];
        group[1..=chunk.len()].copy_from_slice(chunk);
        let bits = u32::from_be_bytes(group);
        for place in 0..=chunk.len() {
            out.push(DIGITS[(bits >> (18 - 6 * place)) as usize & 63]);
        }
    }
}

/// Appends a number without leading zeros.
fn write_decimal(value: u16, out: &mut Vec<u8>) {
    let mut divisor = 10_000;
    while divisor > 1 && value < divisor {
        divisor /= 10;
    }
    while divisor > 0 {
        out.push(b'0' + (value / divisor % 10) as u8);
        divisor /= 10;
    }
}

#[cfg(test)]
mod tests {
    use super::{ClientDataForm, RelyingParty, write_decimal};
    use crate::wire::Reader;
    use alloc::string::String;
    use alloc::vec::Vec;

    fn text(form: &[u8]) -> String {
        let form = ClientDataForm::read(&mut Reader::new(form)).unwrap();
        let relying_party = RelyingParty::new(b"a.example", [0; 32]).unwrap();
        let challenge = core::array::from_fn(|i| 255 - i as u8);
        String::from_utf8(form.text(&relying_party, &challenge)).unwrap()
    }

    #[test]
    fn texts_are_those_of_browsers() {
        let challenge = "__79_Pv6-fj39vX08_Lx8O_u7ezr6uno5-bl5OPi4eA";
        assert_eq!(
            text(&[0x10, 0]),
            format!(
                r#"{{"type":"webauthn.get","challenge":"{challenge}","origin":"https://a.example","crossOrigin":false}}"#
            )
        );
        assert_eq!(
            text(&[3, 1, 0xb9, 0x22]),
            format!(
                r#"{{"type":"webauthn.create","challenge":"{challenge}","origin":"http://a.example:8889","crossOrigin":true}}"#
            )
        );
        assert!(text(&[0x14, 0]).ends_with(r#","crossOrigin":false,"other_keys_can_be_added_here":"do not compare clientDataJSON against a template. See https://goo.gl/yabPex"}"#));
    }

    #[test]
    fn other_forms_and_names_are_refused() {
        for form in [&[0x20u8, 0][..], &[8, 0], &[0x90, 0], &[0x10, 2], &[0x10, 1, 0]] {
            assert!(ClientDataForm::read(&mut Reader::new(form)).is_none());
        }
        for name in [&b""[..], b"A.example", b"a\",\"b", b"a.example:1", b"a.example/", &[b'a'; 33]] {
            assert!(RelyingParty::new(name, [0; 32]).is_err());
        }
        assert!(RelyingParty::new(&[b'a'; 32], [0; 32]).is_ok());
    }

    #[test]
    fn ports_are_decimal() {
        let decimal = |port| {
            let mut out = Vec::new();
            write_decimal(port, &mut out);
            String::from_utf8(out).unwrap()
        };
        for port in [0, 7, 10, 99, 100, 8080, 10_000, 65_535] {
            assert_eq!(decimal(port), format!("{port}"));
        }
    }
}
