//! Who may ask: programs on this machine, and pages that this server sent. Other sites cannot, whatever name they give to
//! this machine's address.

use axum::extract::{Request, State};
use axum::http::header::{self, HeaderMap, HeaderValue};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};

use crate::errors::ApiError;

/// The page loads nothing from anywhere else and runs no script that stands in it.
const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; \
     font-src 'self'; manifest-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/// The names by which this server may be asked.
#[derive(Clone)]
pub(crate) struct Gate {
    hosts: [String; 2],
}

impl Gate {
    pub(crate) fn new(port: u16) -> Gate {
        // Browsers do not name the port that they take by themselves
        let port = if port == 80 { String::new() } else { format!(":{port}") };
        Gate { hosts: [format!("127.0.0.1{port}"), format!("localhost{port}")] }
    }

    fn check(&self, headers: &HeaderMap, path: &str) -> Result<(), ApiError> {
        let text = |name| headers.get(name).map(|value: &HeaderValue| value.to_str().unwrap_or("?"));
        if !text(header::HOST).is_some_and(|host| self.hosts.iter().any(|known| known == host)) {
            return Err(ApiError::Foreign("the request names another host"));
        }
        let is_own = |origin: &str| origin.strip_prefix("http://").is_some_and(|o| self.hosts.iter().any(|h| h == o));
        if text(header::ORIGIN).is_some_and(|origin| !is_own(origin)) {
            return Err(ApiError::Foreign("the request comes from another site"));
        }
        // A link from elsewhere may open the page, but nothing else may be fetched from there
        let site = headers.get("sec-fetch-site").and_then(|value| value.to_str().ok()).unwrap_or("none");
        let is_link = headers.get("sec-fetch-mode").is_some_and(|mode| mode == "navigate") && !path.starts_with("/api");
        if !matches!(site, "none" | "same-origin") && !is_link {
            return Err(ApiError::Foreign("the request comes from another site"));
        }
        Ok(())
    }
}

/// Refuses what comes from elsewhere, and tells browsers what the page may do.
pub(crate) async fn guard(State(gate): State<Gate>, request: Request, next: Next) -> Response {
    let is_api = request.uri().path().starts_with("/api");
    let mut response = match gate.check(request.headers(), request.uri().path()) {
        Ok(()) => next.run(request).await,
        Err(error) => error.into_response(),
    };
    let headers = response.headers_mut();
    for (name, value) in [
        (header::CONTENT_SECURITY_POLICY, POLICY),
        (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
        (header::REFERRER_POLICY, "no-referrer"),
        (header::X_FRAME_OPTIONS, "DENY"),
    ] {
        headers.insert(name, HeaderValue::from_static(value));
    }
    headers.insert("cross-origin-opener-policy", HeaderValue::from_static("same-origin"));
    headers.insert("cross-origin-resource-policy", HeaderValue::from_static("same-origin"));
    if is_api {
        headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("no-store"));
    }
    response
}
