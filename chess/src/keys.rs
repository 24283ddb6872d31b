//! Zobrist keys, kept incrementally: of the whole position, and of its parts for tables that look at parts only.
//!
//! Each side's pieces fall into four families (pawns, minors, majors, king) with one key each. A change of one piece
//! changes the full key and one family; the pawn, non-pawn, minor and major keys are joined from families when asked.

use shakmaty::{Bitboard, Color, File, Piece, Role, Square};

use crate::Index;

/// The keys of a position.
#[derive(Copy, Clone, Eq, PartialEq, Debug, Default)]
pub struct Keys {
    full: u64,
    families: [[u64; FAMILIES]; Color::COUNT],
}

const FAMILIES: usize = 4;
const PAWNS: usize = 0;
const MINORS: usize = 1;
const MAJORS: usize = 2;
const KING: usize = 3;

/// Kinds of pieces: White's six, then Black's.
pub(crate) const KINDS: usize = Color::COUNT * Role::COUNT;

/// The place of each kind of pieces among both sides' families, and some place for the kind of nothing.
static FAMILY_OF: [usize; KINDS + 1] = {
    let mut families = [0; KINDS + 1];
    let mut kind = 0;
    while kind < KINDS {
        families[kind] = kind / Role::COUNT * FAMILIES + (kind % Role::COUNT).div_ceil(2);
        kind += 1;
    }
    families
};

/// One piece of each kind, as [`Material`] counts them; kings and nothing do not count.
static ONE_OF: [u64; KINDS + 1] = {
    let mut ones = [0; KINDS + 1];
    let mut kind = 0;
    while kind < KINDS {
        if kind % Role::COUNT != Role::COUNT - 1 {
            ones[kind] = 1 << (4 * kind);
        }
        kind += 1;
    }
    ones
};

/// The family of a role. Halving the roles' places, counted from one, sorts them so.
#[inline]
fn family(role: Role) -> usize {
    (role.index() + 1) >> 1
}

impl Keys {
    /// The key of everything that matters for repetition: pieces, side to move, castling rights, en passant.
    #[inline]
    pub fn full(&self) -> u64 {
        self.full
    }

    /// The key of both sides' pawns.
    #[inline]
    pub fn pawns(&self) -> u64 {
        self.joined(PAWNS)
    }

    /// The key of one side's pieces and king, pawns left out.
    #[inline]
    pub fn non_pawns(&self, color: Color) -> u64 {
        let families = &self.families[color.index()];
        families[MINORS] ^ families[MAJORS] ^ families[KING]
    }

    /// The key of both sides' knights, bishops and kings.
    #[inline]
    pub fn minors(&self) -> u64 {
        self.joined(MINORS) ^ self.joined(KING)
    }

    /// The key of both sides' rooks, queens and kings.
    #[inline]
    pub fn majors(&self) -> u64 {
        self.joined(MAJORS) ^ self.joined(KING)
    }

    #[inline]
    fn joined(&self, family: usize) -> u64 {
        self.families[0][family] ^ self.families[1][family]
    }

    /// Puts a piece of a kind, counted as [`Index`] counts pieces, or nothing on a square, as far as its family is concerned.
    #[inline]
    pub(crate) fn put(&mut self, kind: usize, square: usize) {
        self.families.as_flattened_mut()[FAMILY_OF[kind] & 7] ^= PIECES[kind][square];
    }

    /// Makes the full key of the families' keys, side to move and castling rights; nobody can capture en passant.
    pub(crate) fn join(&mut self, turn: Color, castling: Bitboard) {
        self.full = self.families.as_flattened().iter().fold(0, |full, family| full ^ family);
        self.toggle_castling(castling);
        if turn.is_black() {
            self.toggle_turn();
        }
    }

    /// Puts a piece on a square or takes it away.
    #[inline]
    pub(crate) fn toggle(&mut self, piece: Piece, square: Square) {
        self.toggle_bits(piece, piece_key(piece, square));
    }

    /// Moves a piece.
    #[inline]
    pub(crate) fn shift(&mut self, piece: Piece, from: Square, to: Square) {
        self.toggle_bits(piece, piece_key(piece, from) ^ piece_key(piece, to));
    }

    #[inline]
    fn toggle_bits(&mut self, piece: Piece, bits: u64) {
        self.full ^= bits;
        self.families[piece.color.index()][family(piece.role)] ^= bits;
    }

    /// Passes the move to the other side.
    #[inline]
    pub(crate) fn toggle_turn(&mut self) {
        self.full ^= BLACK_TO_MOVE;
    }

    /// Sets or clears the file on which a pawn can be captured en passant.
    #[inline]
    pub(crate) fn toggle_en_passant(&mut self, file: File) {
        self.full ^= EN_PASSANT[file.to_usize()];
    }

    /// Sets or clears the castling rights that belong to these rooks.
    pub(crate) fn toggle_castling(&mut self, rooks: Bitboard) {
        for rook in rooks {
            self.full ^= CASTLING[rook.to_usize()];
        }
    }
}

/// The random number of a piece on a square.
#[inline]
pub(crate) fn piece_key(piece: Piece, square: Square) -> u64 {
    PIECES[piece.index()][square.to_usize()]
}

/// What turns the key of White to move into that of Black to move.
pub(crate) const BLACK_TO_MOVE: u64 = random(0);
static EN_PASSANT: [u64; 8] = randoms(1);
static CASTLING: [u64; 64] = randoms(1 + 8);
/// By kind; zeros for nothing.
static PIECES: [[u64; 64]; KINDS + 1] = {
    let mut table = [[0; 64]; KINDS + 1];
    let mut i = 0;
    while i < KINDS {
        table[i] = randoms(1 + 8 + 64 + 64 * i as u64);
        i += 1;
    }
    table
};

const fn randoms<const N: usize>(first: u64) -> [u64; N] {
    let mut table = [0; N];
    let mut i = 0;
    while i < N {
        table[i] = random(first + i as u64);
        i += 1;
    }
    table
}

/// The n-th number of the SplitMix64 sequence (Steele, Lea and Flood, 2014).
const fn random(n: u64) -> u64 {
    let mut z = n.wrapping_add(1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

/// How many of each piece there are: four bits a piece, so that equal numbers mean equal material. Kings do not count.
#[derive(Copy, Clone, Eq, PartialEq, Hash, Debug, Default)]
pub struct Material(u64);

impl Material {
    /// The number itself, as a key.
    #[inline]
    pub fn key(self) -> u64 {
        self.0
    }

    /// How many pieces of this kind there are.
    #[inline]
    pub fn count(self, piece: Piece) -> u32 {
        (self.0 >> Self::shift(piece)) as u32 & 15
    }

    #[inline]
    pub(crate) fn add(&mut self, piece: Piece) {
        self.0 += Self::one(piece);
    }

    /// Adds a piece of a kind, counted as [`Index`] counts pieces, or nothing. More than fifteen of one kind, which no position has,
    /// spoil the numbers; [`Material::total`] tells.
    #[inline]
    pub(crate) fn add_kind(&mut self, kind: usize) {
        self.0 += ONE_OF[kind];
    }

    /// How many pieces there are, kings left out. If more than fifteen of one kind were added it is less than were added.
    pub(crate) fn total(self) -> u64 {
        const HALVES: u64 = 0x0f0f_0f0f_0f0f_0f0f;
        ((self.0 & HALVES) + (self.0 >> 4 & HALVES)) % 255
    }

    #[inline]
    pub(crate) fn remove(&mut self, piece: Piece) {
        self.0 -= Self::one(piece);
    }

    #[inline]
    fn one(piece: Piece) -> u64 {
        u64::from(piece.role != Role::King) << Self::shift(piece)
    }

    #[inline]
    fn shift(piece: Piece) -> usize {
        4 * piece.index()
    }
}
