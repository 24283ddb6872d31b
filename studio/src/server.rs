//! The server: where it listens, what it knows, and which address leads where.

use std::net::{Ipv4Addr, SocketAddr, TcpListener};
use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};

use axum::Router;
use axum::extract::DefaultBodyLimit;
use axum::http::{Method, Uri};
use axum::middleware::from_fn_with_state;
use axum::routing::{any, get, post};
use lab::store::{Store, StoreError};
use thiserror::Error;
use tokio::sync::Semaphore;

use crate::errors::ApiError;
use crate::guard::{Gate, guard};
use crate::history::Histories;
use crate::shelf::Shelf;
use crate::{analysis, catalogue, explanation, games, history, live, matches, page, position, runs, search, shelf};

/// No request is longer.
const LONGEST_BODY: usize = 1 << 20;
/// So many tabs may have sockets open, two each.
const MOST_SOCKETS: usize = 64;

/// What the server is started with.
#[derive(Clone, Debug)]
pub struct Options {
    /// The port; 0 for any that is free.
    pub port: u16,
    /// The run store.
    pub store: PathBuf,
    /// Where weights are saved, and logs of matches.
    pub data: PathBuf,
    /// Weights files to offer beside presets and saved ones.
    pub weights: Vec<PathBuf>,
    /// This program, which plays matches.
    pub program: PathBuf,
}

/// Why the server cannot run.
#[derive(Debug, Error)]
pub enum ServerError {
    /// The port cannot be had.
    #[error("port {port} cannot be listened at ({error}); choose another with --port, or 0 for any")]
    Port {
        /// The port.
        port: u16,
        /// Why.
        error: std::io::Error,
    },
    /// The system refuses.
    #[error("the server cannot run: {0}")]
    System(#[from] std::io::Error),
    /// The run store cannot be used.
    #[error(transparent)]
    Store(#[from] StoreError),
}

/// What all requests share.
pub(crate) struct Hall {
    pub(crate) shelf: Shelf,
    pub(crate) options: Options,
    /// A permit for each socket.
    pub(crate) seats: Arc<Semaphore>,
    /// A permit for each short search that runs at once.
    pub(crate) looks: Semaphore,
    pub(crate) histories: Histories,
    stores: Mutex<Vec<Store>>,
}

/// What all requests share, shared.
pub(crate) type Shared = Arc<Hall>;

impl Hall {
    pub(crate) fn new(options: Options) -> Hall {
        let shelf = Shelf::new(options.data.join("weights"), &options.weights);
        let seats = Arc::new(Semaphore::new(MOST_SOCKETS));
        let looks = Semaphore::new(std::thread::available_parallelism().map_or(1, usize::from));
        Hall { shelf, options, seats, looks, histories: Histories::default(), stores: Mutex::default() }
    }

    /// Asks the store, off the threads that serve. Connections are kept.
    pub(crate) async fn ask<T: Send + 'static>(
        self: &Arc<Hall>,
        work: impl FnOnce(&Store) -> Result<T, ApiError> + Send + 'static,
    ) -> Result<T, ApiError> {
        let hall = self.clone();
        let asked = tokio::task::spawn_blocking(move || {
            let kept = || hall.stores.lock().unwrap_or_else(PoisonError::into_inner);
            let known = kept().pop();
            let store = known.map_or_else(|| Store::open(&hall.options.store), Ok)?;
            let answer = work(&store);
            kept().push(store);
            answer
        });
        asked.await.map_err(|_| ApiError::Broken)?
    }
}

/// A server that listens and does not answer yet.
pub struct Studio {
    listener: TcpListener,
    options: Options,
}

impl Studio {
    /// Listens on this machine alone.
    pub fn open(options: Options) -> Result<Studio, ServerError> {
        Store::open(&options.store)?;
        let port = options.port;
        let listener =
            TcpListener::bind((Ipv4Addr::LOCALHOST, port)).map_err(|error| ServerError::Port { port, error })?;
        listener.set_nonblocking(true)?;
        Ok(Studio { listener, options })
    }

    /// Where a browser finds it.
    pub fn address(&self) -> Result<SocketAddr, ServerError> {
        Ok(self.listener.local_addr()?)
    }

    /// Answers until told to end.
    pub fn run(self, is_over: impl Fn() -> bool + Send + 'static) -> Result<(), ServerError> {
        let port = self.address()?.port();
        let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build()?;
        runtime.block_on(async {
            let listener = tokio::net::TcpListener::from_std(self.listener)?;
            let router = router(Arc::new(Hall::new(self.options)), port);
            tokio::select! {
                served = async { axum::serve(listener, router).await } => served?,
                () = until(is_over) => (),
            }
            Ok::<(), ServerError>(())
        })?;
        runtime.shutdown_background();
        Ok(())
    }
}

async fn until(is_over: impl Fn() -> bool) {
    while !is_over() {
        tokio::time::sleep(std::time::Duration::from_millis(100)).await;
    }
}

/// Which address leads where.
pub(crate) fn router(hall: Shared, port: u16) -> Router {
    let api = Router::new()
        .route("/catalogue", get(catalogue::catalogue))
        .route("/weights", get(shelf::list).post(shelf::save))
        .route("/weights/import", post(shelf::import))
        .route("/weights/download", post(shelf::download))
        .route("/weights/{name}", get(shelf::show))
        .route("/pgn", post(position::read_pgn))
        .route("/trace", post(explanation::trace))
        .route("/graph", post(explanation::graph))
        .route("/compare", post(search::compare))
        .route("/effect", post(search::effect))
        .route("/analysis", any(analysis::socket))
        .route("/live", any(live::socket))
        .route("/runs", get(runs::list))
        .route("/runs/{run}", get(runs::show))
        .route("/runs/{run}/request", post(matches::request))
        .route("/runs/{run}/curves", get(history::curves))
        .route("/runs/{run}/games", get(games::list))
        .route("/runs/{run}/games/{pair}/{game}", get(games::show))
        .route("/matches", post(matches::start))
        .fallback(nothing);
    Router::new()
        .nest("/api", api)
        .fallback(get(page::file).fallback(otherwise))
        .method_not_allowed_fallback(otherwise)
        .layer(DefaultBodyLimit::max(LONGEST_BODY))
        .layer(from_fn_with_state(Gate::new(port), guard))
        .with_state(hall)
}

async fn nothing(uri: Uri) -> ApiError {
    ApiError::NothingHere(uri.path().to_owned())
}

async fn otherwise(method: Method) -> ApiError {
    ApiError::Method(method)
}
