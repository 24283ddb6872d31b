//! The page itself, if it was built before the program.

use axum::http::header::{CACHE_CONTROL, CONTENT_TYPE, ETAG, IF_NONE_MATCH};
use axum::http::{HeaderMap, StatusCode, Uri};
use axum::response::{IntoResponse, Response};
use rust_embed::RustEmbed;

use crate::errors::ApiError;

/// The files of the page.
#[derive(RustEmbed)]
#[folder = "web/dist"]
#[exclude = ".gitkeep"]
struct Page;

/// Whether the program has the page in it.
pub fn has_page() -> bool {
    Page::get("index.html").is_some()
}

/// A file of the page. Names under `assets` change with their contents; the rest is asked for again.
pub(crate) async fn file(uri: Uri, headers: HeaderMap) -> Response {
    let path = match uri.path() {
        "/" => "index.html",
        path => path.trim_start_matches('/'),
    };
    let Some(file) = Page::get(path) else { return ApiError::NothingHere(uri.path().to_owned()).into_response() };
    let tag =
        format!("\"{}\"", file.metadata.sha256_hash()[..12].iter().map(|b| format!("{b:02x}")).collect::<String>());
    if headers.get(IF_NONE_MATCH).is_some_and(|known| *known == tag) {
        return (StatusCode::NOT_MODIFIED, [(ETAG, tag)]).into_response();
    }
    let caching = if path.starts_with("assets/") { "max-age=31536000, immutable" } else { "no-cache" };
    let kind = file.metadata.mimetype().to_owned();
    ([(CONTENT_TYPE, kind), (CACHE_CONTROL, caching.to_owned()), (ETAG, tag)], file.data).into_response()
}
