//! What goes wrong with a request, as the page is told.

use axum::Json;
use axum::extract::rejection::{JsonRejection, PathRejection, QueryRejection};
use axum::extract::{FromRequest, FromRequestParts, Path, Query, Request};
use axum::http::request::Parts;
use axum::http::{Method, StatusCode};
use axum::response::{IntoResponse, Response};
use engine::WeightsError;
use lab::store::StoreError;
use serde::Serialize;
use serde::de::DeserializeOwned;
use thiserror::Error;
use ts_rs::TS;

/// Why a request is refused or fails.
#[derive(Debug, Error)]
pub(crate) enum ApiError {
    #[error("a {what} may have {most} characters here, and this one has {found}")]
    Long { what: &'static str, most: usize, found: usize },
    #[error("the position cannot be read: {0}")]
    Fen(#[from] chess::FenError),
    #[error("move {number} cannot be played: {error}")]
    Move { number: usize, error: chess::UciMoveError },
    #[error("the game cannot be read: {0}")]
    Pgn(String),
    #[error("{what} must be from {low} to {high}, not {found}")]
    Range { what: &'static str, low: u64, high: u64, found: u64 },
    #[error("there are no weights named {0:?}; GET /api/weights lists them")]
    NoWeights(String),
    #[error("{0:?} cannot be a name: up to 40 letters, digits, - and _ can, unless a preset has it")]
    Name(String),
    #[error("there is no weight number {0}")]
    NoParam(usize),
    #[error(transparent)]
    Weights(#[from] WeightsError),
    #[error(transparent)]
    Store(#[from] StoreError),
    #[error("{0:?} is no number of a run")]
    RunNumber(String),
    #[error("run {run} has no game {pair}.{game}")]
    NoGame { run: String, pair: usize, game: usize },
    #[error("a {kind} that is {status} cannot be gone on with from here")]
    Over { kind: String, status: String },
    #[error("the match did not start: {0}")]
    Match(String),
    #[error("{path} cannot be written: {error}")]
    Unwritable { path: String, error: std::io::Error },
    #[error("there is nothing at {0}")]
    NothingHere(String),
    #[error("{0} is not answered here; docs/studio.md tells what is")]
    Method(Method),
    #[error("this page is for programs on this machine alone: {0}")]
    Foreign(&'static str),
    #[error("too many analyses go on at once; close a tab")]
    Busy,
    #[error("the search could not start: there is not enough memory")]
    Memory,
    #[error("{1}")]
    Request(StatusCode, String),
    #[error("something went wrong inside the program; its terminal may say more")]
    Broken,
}

/// What an error looks like as JSON.
#[derive(Serialize, TS)]
pub(crate) struct Problem {
    /// One sentence.
    pub(crate) error: String,
}

impl ApiError {
    fn status(&self) -> StatusCode {
        match self {
            ApiError::NoWeights(_) | ApiError::NoGame { .. } | ApiError::NothingHere(_) => StatusCode::NOT_FOUND,
            ApiError::Store(StoreError::NoRun(_)) => StatusCode::NOT_FOUND,
            ApiError::Store(StoreError::Deaf { .. } | StoreError::Restless { .. } | StoreError::Owned { .. }) => {
                StatusCode::CONFLICT
            }
            ApiError::Match(_) => StatusCode::CONFLICT,
            ApiError::Long { .. } => StatusCode::PAYLOAD_TOO_LARGE,
            ApiError::Foreign(_) => StatusCode::FORBIDDEN,
            ApiError::Method(_) => StatusCode::METHOD_NOT_ALLOWED,
            ApiError::Busy => StatusCode::TOO_MANY_REQUESTS,
            ApiError::Store(_) | ApiError::Unwritable { .. } | ApiError::Memory | ApiError::Broken => {
                StatusCode::INTERNAL_SERVER_ERROR
            }
            ApiError::Request(status, _) => *status,
            _ => StatusCode::BAD_REQUEST,
        }
    }
}

impl IntoResponse for ApiError {
    fn into_response(self) -> Response {
        (self.status(), Json(Problem { error: self.to_string() })).into_response()
    }
}

impl From<JsonRejection> for ApiError {
    fn from(rejection: JsonRejection) -> ApiError {
        let status = rejection.status();
        let sentence = match status {
            StatusCode::PAYLOAD_TOO_LARGE => "the request is larger than a megabyte".to_owned(),
            _ => format!("the request is not understood: {}", rejection.body_text()),
        };
        ApiError::Request(status, sentence)
    }
}

impl From<PathRejection> for ApiError {
    fn from(rejection: PathRejection) -> ApiError {
        ApiError::Request(rejection.status(), format!("the address is not understood: {}", rejection.body_text()))
    }
}

impl From<QueryRejection> for ApiError {
    fn from(rejection: QueryRejection) -> ApiError {
        ApiError::Request(rejection.status(), format!("the address is not understood: {}", rejection.body_text()))
    }
}

/// A JSON body; what is wrong with it is told as JSON too.
pub(crate) struct Body<T>(pub(crate) T);

impl<S: Send + Sync, T: DeserializeOwned> FromRequest<S> for Body<T> {
    type Rejection = ApiError;

    async fn from_request(request: Request, state: &S) -> Result<Body<T>, ApiError> {
        let Json(value) = Json::from_request(request, state).await?;
        Ok(Body(value))
    }
}

/// Parts of the address.
pub(crate) struct Named<T>(pub(crate) T);

impl<S: Send + Sync, T: DeserializeOwned + Send> FromRequestParts<S> for Named<T> {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Named<T>, ApiError> {
        let Path(value) = Path::from_request_parts(parts, state).await?;
        Ok(Named(value))
    }
}

/// What stands behind the question mark.
pub(crate) struct Asked<T>(pub(crate) T);

impl<S: Send + Sync, T: DeserializeOwned> FromRequestParts<S> for Asked<T> {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Asked<T>, ApiError> {
        let Query(value) = Query::from_request_parts(parts, state).await?;
        Ok(Asked(value))
    }
}
