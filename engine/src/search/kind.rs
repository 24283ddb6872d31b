//! Kinds of nodes.

/// What kind of node is searched, known at compile time.
pub(super) trait Kind {
    const ROOT: bool;
    const PV: bool;
}

/// The root.
pub(super) struct Root;
/// A node of the principal variation.
pub(super) struct Pv;
/// Any other node: its window is empty, it only has to prove a bound.
pub(super) struct Bounding;

impl Kind for Root {
    const ROOT: bool = true;
    const PV: bool = true;
}

impl Kind for Pv {
    const ROOT: bool = false;
    const PV: bool = true;
}

impl Kind for Bounding {
    const ROOT: bool = false;
    const PV: bool = false;
}
