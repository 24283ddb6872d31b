//! What is asked and answered, without a browser.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use axum::Router;
use axum::body::Body;
use axum::http::{HeaderMap, Request, StatusCode};
use engine::{PARAM_COUNT, TermInfo, Trace, Weights};
use http_body_util::BodyExt;
use serde_json::{Value, json};
use tower::ServiceExt;

use crate::server::{Hall, Options, router};

const PORT: u16 = 8960;
const MIDDLE: &str = "r1bq1rk1/pp3ppp/2n1pn2/3p4/1bPP4/2NBPN2/PP3PPP/R1BQ1RK1 w - - 0 9";

/// A server without a socket, in a folder of its own that goes with it.
pub(super) struct Asker {
    router: Router,
    folder: PathBuf,
}

impl Asker {
    pub(super) fn new(name: &str) -> Asker {
        let folder = std::env::temp_dir().join(format!("marquetry-studio-{name}-{}", std::process::id()));
        std::fs::create_dir_all(&folder).unwrap();
        let options = Options {
            port: PORT,
            store: folder.join("runs.db"),
            data: folder.join("data"),
            weights: Vec::new(),
            program: "/nonexistent/marquetry".into(),
        };
        Asker { router: router(Arc::new(Hall::new(options)), PORT), folder }
    }

    pub(super) fn folder(&self) -> &Path {
        &self.folder
    }

    async fn ask(&self, request: Request<Body>) -> (StatusCode, HeaderMap, Value) {
        let response = self.router.clone().oneshot(request).await.unwrap();
        let (status, headers) = (response.status(), response.headers().clone());
        let bytes = response.into_body().collect().await.unwrap().to_bytes();
        (status, headers, serde_json::from_slice(&bytes).unwrap_or(Value::Null))
    }

    pub(super) async fn get_with(&self, path: &str, headers: &[(&str, &str)]) -> (StatusCode, Value) {
        let mut request = Request::get(path);
        if !headers.iter().any(|(name, _)| *name == "host") {
            request = request.header("host", "127.0.0.1:8960");
        }
        for (name, value) in headers {
            request = request.header(*name, *value);
        }
        let (status, _, body) = self.ask(request.body(Body::empty()).unwrap()).await;
        (status, body)
    }

    pub(super) async fn get(&self, path: &str) -> (StatusCode, Value) {
        self.get_with(path, &[]).await
    }

    pub(super) async fn headers(&self, path: &str) -> HeaderMap {
        let request = Request::get(path).header("host", "127.0.0.1:8960").body(Body::empty()).unwrap();
        self.ask(request).await.1
    }

    pub(super) async fn post_text(&self, path: &str, text: &str) -> (StatusCode, Value) {
        let request = Request::post(path).header("host", "127.0.0.1:8960").header("content-type", "application/json");
        let (status, _, body) = self.ask(request.body(Body::from(text.to_owned())).unwrap()).await;
        (status, body)
    }

    pub(super) async fn post(&self, path: &str, body: Value) -> (StatusCode, Value) {
        self.post_text(path, &body.to_string()).await
    }
}

impl Drop for Asker {
    fn drop(&mut self) {
        std::fs::remove_dir_all(&self.folder).ok();
    }
}

fn sum(rows: &Value) -> f64 {
    rows.as_array().unwrap().iter().map(|row| row["cp"].as_f64().unwrap()).sum()
}

#[tokio::test]
async fn rows_and_findings_add_up_for_every_preset() {
    let asker = Asker::new("trace");
    for (name, _) in engine::PRESETS {
        let (status, trace) = asker.post("/api/trace", json!({ "fen": MIDDLE, "weights": { "base": name } })).await;
        assert_eq!(status, StatusCode::OK);
        let expected = Trace::of(&MIDDLE.parse().unwrap(), &Weights::load(name).unwrap()).white_cp;
        assert_eq!(trace["white_cp"], expected, "{name}");
        assert!((sum(&trace["rows"]) - f64::from(expected)).abs() < 1e-6, "{name}");
        for row in trace["rows"].as_array().unwrap().iter().filter(|row| row["group"] != "Composition") {
            let findings = trace["findings"].as_array().unwrap().iter().filter(|f| f["term"] == row["term"]);
            let total: f64 = findings.map(|finding| finding["cp"].as_f64().unwrap()).sum();
            assert!((total - row["cp"].as_f64().unwrap()).abs() < 1e-6, "{name} {}", row["term"]);
        }
    }
}

#[tokio::test]
async fn the_catalogue_draws_every_weight_once() {
    let (_, catalogue) = Asker::new("catalogue").get("/api/catalogue").await;
    let mut seen = vec![0; PARAM_COUNT];
    for panel in catalogue["terms"].as_array().unwrap().iter().flat_map(|term| term["panels"].as_array().unwrap()) {
        let start = panel["start"].as_u64().unwrap() as usize;
        let labels = panel["labels"].as_array().unwrap();
        assert!(panel["kind"] != "squares" || labels.len() == 64);
        for count in &mut seen[start..start + labels.len()] {
            *count += 1;
        }
    }
    assert!(seen.iter().all(|&count| count == 1));
}

#[tokio::test]
async fn an_edited_weight_changes_the_evaluation_by_its_count() {
    let asker = Asker::new("edit");
    // White has a knight more
    let fen = "4k3/8/8/8/8/8/8/4K1N1 w - - 0 1";
    let param = (0..PARAM_COUNT).find(|&param| TermInfo::label(param) == "material.knight").unwrap();
    let ask = |weights: Value| {
        asker.post("/api/trace", json!({ "fen": "4k3/p7/8/8/8/8/P7/4K1N1 w - - 0 1", "weights": weights }))
    };
    assert_eq!(asker.post("/api/trace", json!({ "fen": fen })).await.1["outcome"], "draw");
    let before = ask(json!({ "base": "material", "edits": [] })).await.1;
    let (_, details) = asker.get("/api/weights/material").await;
    let (mg, eg) = (details["mg"][param].as_i64().unwrap(), details["eg"][param].as_i64().unwrap());
    let edits = json!([{ "param": param, "mg": mg + 25, "eg": eg + 25 }]);
    let after = ask(json!({ "base": "material", "edits": edits })).await.1;
    assert_eq!(after["white_cp"].as_i64().unwrap() - before["white_cp"].as_i64().unwrap(), 25);
    let beyond = ask(json!({ "base": "material", "edits": [{ "param": 999_999, "mg": 0, "eg": 0 }] })).await;
    assert_eq!(beyond.0, StatusCode::BAD_REQUEST);
    // What no file may hold, no edit may either
    let large = ask(json!({ "base": "material", "edits": [{ "param": param, "mg": 29_999, "eg": 0 }] })).await;
    assert_eq!(large.0, StatusCode::BAD_REQUEST, "{}", large.1);
}

#[tokio::test]
async fn weights_are_saved_listed_and_read_again() {
    let asker = Asker::new("save");
    let edits = json!([{ "param": 0, "mg": 91, "eg": 92 }]);
    let save = json!({ "name": "mine", "weights": { "base": "material", "edits": edits } });
    assert_eq!(asker.post("/api/weights", save).await.0, StatusCode::OK);
    let (_, list) = asker.get("/api/weights").await;
    assert!(list.as_array().unwrap().iter().any(|known| known["name"] == "mine" && known["origin"] == "saved"));
    let (_, details) = asker.get("/api/weights/mine").await;
    assert_eq!((&details["mg"][0], &details["eg"][0]), (&json!(91), &json!(92)));
    let file = asker.folder().join("data/weights/mine.toml");
    assert_eq!(Weights::load(&file.to_string_lossy()).unwrap().values()[0].mg(), 91);
    // Another command writes the file anew; White has a pawn more
    let request = json!({ "fen": MIDDLE, "weights": { "base": "mine" } });
    let (_, before) = asker.post("/api/trace", request.clone()).await;
    let text = std::fs::read_to_string(&file).unwrap();
    std::fs::write(&file, text.replace("mg = 91", "mg = 191")).unwrap();
    let (_, after) = asker.post("/api/trace", request).await;
    assert_eq!(after["white_cp"].as_i64().unwrap(), before["white_cp"].as_i64().unwrap() + 100);
}

#[tokio::test]
async fn errors_and_unseen_weights_come_from_the_tuners_report() {
    let asker = Asker::new("evidence");
    // Weights that were never tuned, so that the file itself says nothing
    let (_, untuned) = engine::PRESETS[engine::PRESETS.len() - 1];
    let folder = asker.folder().join("data/weights");
    std::fs::create_dir_all(&folder).unwrap();
    std::fs::write(folder.join("tuned.toml"), untuned).unwrap();
    let report = json!({ "parameters": [
        { "name": "material.pawn", "error_mg": 1.5, "error_eg": null, "is_free": true, "positions": 10 },
        { "name": "material.knight", "error_mg": null, "error_eg": null, "is_free": true, "positions": 0 },
    ] });
    std::fs::write(folder.join("tuned.toml.report.json"), report.to_string()).unwrap();
    let (_, details) = asker.get("/api/weights/tuned").await;
    assert_eq!(details["evidence"]["mg_errors"][0], 1.5);
    assert_eq!(details["evidence"]["unseen"], json!([1]));
    let remark =
        format!("{untuned}\n# Never seen in the data, so that these stayed as they were:\n# material.pawn, tempo\n");
    std::fs::write(folder.join("told.toml"), remark).unwrap();
    let (_, details) = asker.get("/api/weights/told").await;
    assert_eq!(details["evidence"]["unseen"], json!([0, PARAM_COUNT - 1]));
}

#[tokio::test]
async fn a_game_is_read_and_evaluated_move_by_move() {
    let asker = Asker::new("game");
    let text = "[White \"A\"]\n\n1. e4 {best} e5 (1... c5) 2. Nf3 $1 Nc6 3. Bb5 a6 4. O-O *";
    let (status, game) = asker.post("/api/pgn", json!({ "text": text })).await;
    assert_eq!(status, StatusCode::OK);
    assert_eq!(game["moves"], json!(["e2e4", "e7e5", "g1f3", "b8c6", "f1b5", "a7a6", "e1g1"]));
    let (_, graph) = asker.post("/api/graph", json!({ "game": { "fen": game["fen"], "moves": game["moves"] } })).await;
    let points = graph["points"].as_array().unwrap();
    assert_eq!(points.len(), 8);
    for point in points {
        let total: f64 = point["groups"].as_array().unwrap().iter().map(|group| group[1].as_f64().unwrap()).sum();
        assert!((total - point["white_cp"].as_f64().unwrap()).abs() < 1e-6);
    }
    let (status, answer) = asker.post("/api/pgn", json!({ "text": "1. e4 e5 2. Ke3" })).await;
    assert_eq!(status, StatusCode::BAD_REQUEST);
    assert!(answer["error"].as_str().unwrap().contains("Ke3"), "{answer}");
    // What is no move is named, and nothing behind it is taken for the next move
    let (status, answer) = asker.post("/api/pgn", json!({ "text": "1. e4 e5 2. Zf3 Nc6 3. Nf3" })).await;
    assert_eq!(status, StatusCode::BAD_REQUEST);
    assert!(answer["error"].as_str().unwrap().contains("\"Zf3\" is no move at ply 3"), "{answer}");
    for text in ["", "hello world", "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR"] {
        let (status, answer) = asker.post("/api/pgn", json!({ "text": text })).await;
        assert_eq!(status, StatusCode::BAD_REQUEST, "{text}: {answer}");
    }
}

#[tokio::test]
async fn a_chess960_game_is_read_and_evaluated() {
    let asker = Asker::new("chess960");
    let text = "[FEN \"4k3/8/8/8/8/8/8/1R2K2R w HB - 0 1\"]\n[SetUp \"1\"]\n\n1. O-O-O Kf7 *";
    let (_, game) = asker.post("/api/pgn", json!({ "text": text })).await;
    assert_eq!(game["moves"], json!(["e1b1", "e8f7"]));
    let (_, graph) = asker.post("/api/graph", json!({ "game": { "fen": game["fen"], "moves": game["moves"] } })).await;
    assert_eq!(graph["points"].as_array().unwrap().len(), 3);
}

#[tokio::test]
async fn two_moves_are_compared_at_the_end_of_their_lines() {
    let asker = Asker::new("compare");
    let request = json!({ "fen": MIDDLE, "moves": ["c4d5", "a2a3"], "nodes": 3000 });
    let (status, answer) = asker.post("/api/compare", request).await;
    assert_eq!(status, StatusCode::OK, "{answer}");
    let branches = answer["branches"].as_array().unwrap();
    assert_eq!((&branches[0]["line"]["moves"][0], &branches[1]["line"]["moves"][0]), (&json!("c4d5"), &json!("a2a3")));
    for branch in branches {
        let end = &branch["end"];
        assert!((sum(&end["rows"]) - end["white_cp"].as_f64().unwrap()).abs() < 1e-6);
    }
    let illegal = json!({ "fen": MIDDLE, "moves": ["c4d5", "a2a5"], "nodes": 3000 });
    assert_eq!(asker.post("/api/compare", illegal).await.0, StatusCode::BAD_REQUEST);
}
