//! The socket over which a tab hears of runs: the whole list at first, and again whenever something changes in it.

use std::time::Duration;

use axum::extract::State;
use axum::extract::ws::{Message, WebSocket, WebSocketUpgrade};
use axum::response::Response;
use serde::Serialize;
use ts_rs::TS;

use crate::errors::ApiError;
use crate::runs::{RunSummary, newest};
use crate::server::Shared;

/// How often the store is looked at.
const INTERVAL: Duration = Duration::from_millis(500);
/// So many runs are told of.
const RUNS: usize = 200;

/// The runs as they are now, the newest first.
#[derive(PartialEq, Serialize, TS)]
pub(crate) struct Live {
    pub(crate) runs: Vec<RunSummary>,
}

/// Opens the socket.
pub(crate) async fn socket(State(studio): State<Shared>, upgrade: WebSocketUpgrade) -> Result<Response, ApiError> {
    let seat = studio.seats.clone().try_acquire_owned().map_err(|_| ApiError::Busy)?;
    Ok(upgrade.max_message_size(1024).on_upgrade(move |socket| async move {
        tell(socket, studio).await;
        drop(seat);
    }))
}

async fn tell(mut socket: WebSocket, studio: Shared) {
    let mut told: Option<Live> = None;
    let mut clock = tokio::time::interval(INTERVAL);
    loop {
        tokio::select! {
            message = socket.recv() => match message {
                Some(Ok(Message::Close(_)) | Err(_)) | None => return,
                Some(Ok(_)) => (),
            },
            _ = clock.tick() => {
                let Ok(runs) = studio.ask(|store| newest(store, None, RUNS)).await else { continue };
                let live = Live { runs };
                if told.as_ref() == Some(&live) {
                    continue;
                }
                let Ok(text) = serde_json::to_string(&live) else { continue };
                if socket.send(Message::Text(text.into())).await.is_err() {
                    return;
                }
                told = Some(live);
            }
        }
    }
}
