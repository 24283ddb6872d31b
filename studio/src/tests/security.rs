//! Who may ask, and what happens to requests that are too long, broken or cunning.

use axum::http::StatusCode;
use serde_json::json;

use super::api::Asker;

const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";

#[tokio::test]
async fn another_host_or_origin_is_refused_for_pages_requests_and_sockets() {
    let asker = Asker::new("hosts");
    for path in ["/", "/api/catalogue", "/api/analysis", "/api/live"] {
        for (name, value) in [
            ("host", "evil.example:8960"),
            ("host", "127.0.0.1:1"),
            ("origin", "http://evil.example"),
            ("origin", "null"),
            ("origin", "https://127.0.0.1:8960"),
            ("sec-fetch-site", "cross-site"),
        ] {
            let (status, body) = asker.get_with(path, &[(name, value)]).await;
            assert_eq!(status, StatusCode::FORBIDDEN, "{path} {name} {value}");
            assert!(body["error"].as_str().unwrap().contains("this machine"), "{body}");
        }
    }
    let (status, _) = asker.get_with("/api/catalogue", &[("origin", "http://127.0.0.1:8960")]).await;
    assert_eq!(status, StatusCode::OK);
    let (status, _) = asker.get_with("/api/catalogue", &[("host", "localhost:8960")]).await;
    assert_eq!(status, StatusCode::OK);
    // A link on another site may open the page, and nothing but the page
    let link = [("sec-fetch-site", "cross-site"), ("sec-fetch-mode", "navigate")];
    assert_ne!(asker.get_with("/", &link).await.0, StatusCode::FORBIDDEN);
    assert_eq!(asker.get_with("/api/catalogue", &link).await.0, StatusCode::FORBIDDEN);
}

#[tokio::test]
async fn every_answer_carries_the_policy() {
    let asker = Asker::new("policy");
    for path in ["/", "/api/catalogue", "/api/nothing"] {
        let headers = asker.headers(path).await;
        let policy = headers["content-security-policy"].to_str().unwrap();
        assert!(policy.contains("default-src 'none'") && policy.contains("frame-ancestors 'none'"), "{policy}");
        assert!(!policy.contains("unsafe"), "{policy}");
        assert_eq!(headers["x-content-type-options"], "nosniff");
    }
}

#[tokio::test]
async fn broken_requests_get_a_sentence_and_nothing_breaks() {
    let asker = Asker::new("broken");
    for (path, body, status) in [
        ("/api/trace", "{", 400),
        ("/api/trace", "[]", 422),
        ("/api/trace", r#"{"fen": 5}"#, 422),
        ("/api/trace", r#"{"fen": "not a position"}"#, 400),
        ("/api/trace", r#"{"fen": "8/8/8/8/8/8/8/8 w - - 0 1"}"#, 400),
        ("/api/matches", r#"{"first": 1}"#, 422),
        ("/api/runs/1/request", r#"{"action": "explode"}"#, 422),
        ("/api/runs/99/request", r#"{"action": "stop"}"#, 404),
    ] {
        let (found, answer) = asker.post_text(path, body).await;
        assert_eq!(found.as_u16(), status, "{path} {body}: {answer}");
        assert!(answer["error"].as_str().is_some_and(|error| error.len() > 10), "{answer}");
    }
    for path in ["/", "/api/runs/1"] {
        let (found, answer) = asker.post_text(path, "").await;
        assert_eq!(found, StatusCode::METHOD_NOT_ALLOWED, "{path}: {answer}");
        assert!(answer["error"].is_string(), "{path}: {answer}");
    }
    for (path, status) in [
        ("/api/nothing", 404),
        ("/nothing.html", 404),
        ("/api/trace", 405),
        ("/api/runs/0", 400),
        ("/api/runs/abc", 400),
        ("/api/runs/99", 404),
        ("/api/runs/99/games", 404),
        ("/api/runs/99/games/0/0", 404),
        ("/api/runs/99/games/x/0", 400),
        ("/api/runs/99/curves", 404),
        ("/api/runs?last=many", 400),
    ] {
        let (found, answer) = asker.get(path).await;
        assert_eq!(found.as_u16(), status, "{path}: {answer}");
        assert!(answer["error"].is_string(), "{path}: {answer}");
    }
    assert_eq!(asker.post("/api/trace", json!({ "fen": START })).await.0, StatusCode::OK);
}

#[tokio::test]
async fn what_is_too_long_is_refused() {
    let asker = Asker::new("long");
    let (status, answer) = asker.post("/api/trace", json!({ "fen": "8/".repeat(400) })).await;
    assert_eq!((status, answer["error"].as_str().unwrap().contains("200")), (StatusCode::PAYLOAD_TOO_LARGE, true));
    let (status, answer) = asker.post("/api/pgn", json!({ "text": "1. e4 ".repeat(50_000) })).await;
    assert_eq!((status, answer["error"].is_string()), (StatusCode::PAYLOAD_TOO_LARGE, true));
    let (status, answer) = asker.post("/api/weights/import", json!({ "name": "a", "text": "#".repeat(3 << 20) })).await;
    assert_eq!(
        (status, answer["error"].as_str()),
        (StatusCode::PAYLOAD_TOO_LARGE, Some("the request is larger than a megabyte"))
    );
    let shuffle = ["g1f3", "g8f6", "f3g1", "f6g8"].repeat(800);
    let (status, _) = asker.post("/api/graph", json!({ "game": { "fen": START, "moves": shuffle } })).await;
    assert_eq!(status, StatusCode::PAYLOAD_TOO_LARGE);
    let (status, _) = asker.post("/api/effect", json!({ "fen": START, "nodes": 1_u64 << 60 })).await;
    assert_eq!(status, StatusCode::BAD_REQUEST);
}

#[tokio::test]
async fn no_request_names_a_file() {
    let asker = Asker::new("files");
    let secret = asker.folder().join("secret.toml");
    std::fs::write(&secret, engine::PRESETS[0].1).unwrap();
    for name in ["../secret", "..%2Fsecret", "%2e%2e%2fsecret", "/etc/passwd", "..\\secret", "a/../../secret", ""] {
        let (status, _) = asker.get(&format!("/api/weights/{name}")).await;
        assert!(status.is_client_error() || name.is_empty(), "{name}: {status}");
        let (status, answer) = asker.post("/api/trace", json!({ "fen": START, "weights": { "base": name } })).await;
        assert_eq!(status, StatusCode::NOT_FOUND, "{name}: {answer}");
        let save = json!({ "name": name, "weights": { "base": "material" } });
        let (status, answer) = asker.post("/api/weights", save).await;
        assert_eq!(status, StatusCode::BAD_REQUEST, "{name}: {answer}");
        let import = json!({ "name": name, "text": engine::PRESETS[0].1 });
        assert_eq!(asker.post("/api/weights/import", import).await.0, StatusCode::BAD_REQUEST, "{name}");
    }
    for path in ["/../Cargo.toml", "/..%2f..%2fCargo.toml", "/assets/../../Cargo.toml", "//etc/passwd"] {
        assert_eq!(asker.get(path).await.0, StatusCode::NOT_FOUND, "{path}");
    }
    // Presets keep their numbers
    let (status, _) = asker.post("/api/weights", json!({ "name": "material", "weights": {} })).await;
    assert_eq!(status, StatusCode::BAD_REQUEST);
}
