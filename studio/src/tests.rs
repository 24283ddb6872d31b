//! The server as a program would ask it, and the types that the page is told.

mod api;
mod bindings;
mod security;
