//! `marquetry stats` as a user types it.

use assert_cmd::Command;
use predicates::prelude::*;
use predicates::str::contains;

fn marquetry(arguments: &[&str]) -> assert_cmd::assert::Assert {
    Command::cargo_bin("marquetry").unwrap().args(arguments).assert()
}

#[test]
fn a_pentanomial_result_is_printed_as_match_runners_print_it() {
    marquetry(&["stats", "--ptnml", "31,83,155,125,72", "--elo0", "0", "--elo1", "8"]).success().stdout(
        contains("Elo: 46.50 +/- 18.04, nElo: ")
            .and(contains("DrawRatio: 33.26 %, PairsRatio: 1.73\n"))
            .and(contains("Games: 932, Points: 528.0 (56.65 %)\n"))
            .and(contains("Ptnml(0-2): [31, 83, 155, 125, 72]\n"))
            .and(contains("LLR: 3.26 (110.6%) (-2.94, 2.94) [0.00, 8.00]\n"))
            .and(contains("H1 is accepted"))
            .and(contains("The first player is stronger, by 28 to 65 Elo with 95 % confidence.\n")),
    );
}

#[test]
fn single_games_and_json() {
    let output = marquetry(&["stats", "--wdl", "384,288,260", "--json"]).success().get_output().stdout.clone();
    let report: serde_json::Value = serde_json::from_slice(&output).unwrap();
    assert_eq!(
        (report["games"].as_u64(), report["wins"].as_u64(), report["losses"].as_u64()),
        (Some(932), Some(384), Some(260))
    );
    assert_eq!((&report["llr"], &report["ptnml"]), (&serde_json::Value::Null, &serde_json::Value::Null));
    assert!((report["elo"].as_f64().unwrap() - 46.5).abs() < 0.01);
    marquetry(&["stats", "--wdl", "10,80,12"]).success().stdout(contains("Not proven: The second player is stronger"));
    marquetry(&["stats", "--wdl", "1,0,0"]).success().stdout(contains("NaN").not().and(contains("inf").not()));
}

#[test]
fn bad_input_is_named_in_one_sentence() {
    marquetry(&["stats", "--ptnml", "1,2,3"])
        .code(2)
        .stderr(contains("5 whole numbers separated by commas are needed"));
    marquetry(&["stats", "--wdl", "1,-2,3"]).code(2).stderr(contains("3 whole numbers"));
    marquetry(&["stats", "--wdl", "99999999999999999999,0,0"]).code(2).stderr(contains("1000000000000 at most"));
    marquetry(&["stats", "--ptnml", "0,0,0,0,0"]).code(2).stderr(contains("there are no games to look at"));
    marquetry(&["stats", "--wdl", "1,2,3", "--elo0", "5", "--elo1", "-1"])
        .code(2)
        .stderr(contains("elo1 must be the larger"));
    marquetry(&["stats"]).code(2).stderr(contains("--ptnml <LL,LD,M,WD,WW>|--wdl <W,D,L>"));
    marquetry(&["stats", "--ptnml", "0,0,0,0,5", "--alpha", "7"]).code(2).stderr(contains("--elo0"));
}

#[test]
fn a_number_below_zero_is_refused_by_its_option() {
    for (arguments, refusal) in [
        (&["explain", "--time", "-1"][..], "--time needs seconds from 0.001"),
        (&["tune", "--data", "x", "--seed", "-1"], "invalid value '-1' for '--seed <N>'"),
        (&["bookgen", "--range", "-5"], "invalid value '-5' for '--range <MOST or FROM..TO>'"),
        (&["match", "--opening-plies", "-1"], "invalid value '-1' for '--opening-plies"),
        (&["studio", "--port", "-1"], "invalid value '-1' for '--port"),
        (&["bench", "-1"], "invalid value '-1' for '[DEPTH]'"),
        (&["weights", "diff", "default", "material", "--top", "-1"], "invalid value '-1' for '--top"),
    ] {
        marquetry(arguments).code(2).stderr(contains(refusal).and(contains("-- -1").not()));
    }
}
