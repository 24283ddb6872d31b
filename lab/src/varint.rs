//! Numbers in as many bytes as they need, as Protocol Buffers write them: seven bits a byte, the lowest first, the eighth
//! bit set where more follow; signed ones in zigzag.

use integer_encoding::VarInt;

/// Writes a number behind other bytes.
pub(crate) fn put<N: VarInt>(bytes: &mut Vec<u8>, number: N) {
    let mut buffer = [0; 10];
    let length = number.encode_var(&mut buffer);
    bytes.extend(&buffer[..length]);
}

/// Reads a number and goes on behind it; none if the bytes end too early.
pub(crate) fn take<N: VarInt>(rest: &mut &[u8]) -> Option<N> {
    let (number, length) = N::decode_var(rest)?;
    *rest = &rest[length..];
    Some(number)
}
