//! TLS, compression and the plugins ed25519 and caching_sha2_password, with MariaDB's own client.

use std::io::Write as _;
use std::process::{Command, Stdio};

use mysql::prelude::Queryable;

use crate::support::{ALL, RawClient, TestServer};
use server::handshake::ReceivedGreeting;
use server::protocol::capability;

/// What `mariadb` prints for statements over TCP, or its error; `None` when it is not installed.
fn ask(server: &TestServer, arguments: &[&str], input: &str) -> Option<Result<String, String>> {
    let mut child = Command::new("mariadb")
        .args([
            "--no-defaults",
            "--host=127.0.0.1",
            "--batch",
            "--skip-column-names",
            "--max-allowed-packet=1G",
        ])
        .arg(format!("--port={}", server.port))
        .args(arguments)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .ok()?;
    // It may have been refused before it reads.
    let _ = child.stdin.take().expect("stdin").write_all(input.as_bytes());
    let output = child.wait_with_output().expect("output");
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    let end =
        |error: String| error.lines().rfind(|line| line.starts_with("ERROR")).unwrap_or_default().to_owned();
    Some(if output.status.success() { Ok(text(&output.stdout)) } else { Err(end(text(&output.stderr))) })
}

macro_rules! ask {
    ($($argument:expr),*) => {
        match ask($($argument),*) {
            Some(answer) => answer,
            None => return,
        }
    };
}

const STATUS: &str = "SHOW STATUS WHERE Variable_name IN ('Ssl_cipher','Ssl_version')";

/// The authority, a server's and a client's certificate, in files of a folder.
fn certificates() -> tempfile::TempDir {
    use rcgen::{BasicConstraints, CertificateParams, DistinguishedName, DnType, IsCa, Issuer, KeyPair};
    let folder = tempfile::tempdir().expect("a folder");
    let write = |name: &str, text: String| std::fs::write(folder.path().join(name), text).expect("a file");
    let mut authority = CertificateParams::new(Vec::new()).expect("names");
    authority.is_ca = IsCa::Ca(BasicConstraints::Unconstrained);
    authority.distinguished_name = DistinguishedName::new();
    authority.distinguished_name.push(DnType::CommonName, "testca");
    let key = KeyPair::generate().expect("a key");
    write("ca.pem", authority.self_signed(&key).expect("signed").pem());
    let issuer = Issuer::new(authority, key);
    for name in ["server", "client"] {
        let mut params = CertificateParams::new(vec!["127.0.0.1".to_owned()]).expect("names");
        params.distinguished_name = DistinguishedName::new();
        params.distinguished_name.push(DnType::CountryName, "DE");
        params.distinguished_name.push(DnType::OrganizationName, "Org, a/b");
        params.distinguished_name.push(DnType::CommonName, name);
        let key = KeyPair::generate().expect("a key");
        write(&format!("{name}.pem"), params.signed_by(&key, &issuer).expect("signed").pem());
        write(&format!("{name}-key.pem"), key.serialize_pem());
    }
    folder
}

#[test]
fn a_server_has_a_certificate_of_its_own() {
    let server = TestServer::encrypted(tempfile::tempdir().expect("a folder"), &[]);
    let data = server.directory().join("data");
    let verify = format!("--ssl-ca={}", data.join("ca.pem").display());
    let verified = ["--user=root", &verify, "--ssl-verify-server-cert"];
    let told = ask!(&server, &verified, STATUS).expect("TLS");
    assert!(told.contains("TLSv1.3") && told.contains("TLS_"), "{told}");
    let old = ["--user=root", "--ssl", "--tls-version=TLSv1.2"];
    let told = ask!(&server, &old, STATUS).expect("TLS");
    assert!(told.contains("TLSv1.2") && told.contains("ECDHE-ECDSA-"), "{told}");
    assert_eq!(
        ask!(&server, &["--user=root", "--skip-ssl"], STATUS).expect("plain"),
        "Ssl_cipher\t\nSsl_version\t\n"
    );
    // Signed by somebody else.
    let other = certificates();
    let wrong = format!("--ssl-ca={}", other.path().join("ca.pem").display());
    let refused = ask!(&server, &["--user=root", &wrong, "--ssl-verify-server-cert"], "SELECT 1");
    assert!(refused.as_ref().is_err_and(|e| e.contains("2026")), "{refused:?}");
    // The key is nobody else's, and the certificate stays.
    use std::os::unix::fs::PermissionsExt as _;
    let key = data.join("server-key.pem");
    assert_eq!(std::fs::metadata(&key).expect("a key").permissions().mode() & 0o777, 0o600);
    let before = std::fs::read(&key).expect("a key");
    let told = ask!(&server, &verified, "FLUSH SSL; SELECT @@have_ssl, @@ssl_cert <> ''").expect("TLS");
    assert_eq!((told.as_str(), std::fs::read(&key).expect("a key")), ("YES\t1\n", before));
    std::fs::write(&key, "no key").expect("a key");
    let refused = ask!(&server, &verified, "FLUSH SSL");
    assert!(
        refused.as_ref().is_err_and(|e| e.contains("1105") && e.contains("Failed to refresh SSL")),
        "{refused:?}"
    );
    assert!(ask!(&server, &verified, "SELECT 1").is_ok(), "those before stay in use");
}

/// Large packets both ways, small ones, a file, and an end in between, over each layer.
#[test]
fn layers_carry_everything() {
    let server =
        TestServer::encrypted(tempfile::tempdir().expect("a folder"), &[("max_allowed_packet", "64M")]);
    server.client().query_drop("CREATE DATABASE d; CREATE TABLE d.t (a INT, b LONGTEXT)").expect("a table");
    let path = server.directory().join("rows.txt");
    let rows: String = (0..20_000).map(|i| format!("{i}\ttext of row {i}\n")).collect();
    std::fs::write(&path, rows).expect("a file");
    let load = format!("TRUNCATE d.t; LOAD DATA LOCAL INFILE '{}' INTO TABLE d.t;", path.display());
    for layers in [&["--skip-ssl", "--compress"][..], &["--ssl"], &["--ssl", "--compress"]] {
        let arguments = [&["--user=root", "--local-infile=1"], layers].concat();
        let long = "x".repeat(20_000_000);
        let statements = format!(
            "SELECT LENGTH('{long}'); SELECT REPEAT('ab', 9000000); {load} SELECT COUNT(*), SUM(a), SUM(LENGTH(b)) FROM d.t;
             SELECT b FROM d.t WHERE a < 3; SELECT MD5(GROUP_CONCAT(b)) <> '' FROM d.t; SHOW STATUS LIKE 'Compression';"
        );
        let told = ask!(&server, &arguments, &statements).expect("answers");
        let lines: Vec<&str> = told.lines().collect();
        assert_eq!(lines.len(), 8, "{layers:?}");
        assert!(lines[0] == "20000000" && lines[1].len() == 18_000_000);
        assert_eq!(lines[2], "20000\t199990000\t328890");
        assert_eq!(lines[3..6], ["text of row 0", "text of row 1", "text of row 2"]);
        let compressed = if layers.contains(&"--compress") { "Compression\tON" } else { "Compression\tOFF" };
        assert_eq!(lines[6..], ["1", compressed]);
        // A client that is killed in the middle of a statement is missed.
        let mut child = Command::new("mariadb")
            .args(["--no-defaults", "--host=127.0.0.1", "-e", "SELECT SLEEP(100)"])
            .arg(format!("--port={}", server.port))
            .args(&arguments)
            .stdout(Stdio::null())
            .spawn()
            .expect("a client");
        let mut admin = server.client();
        let mut asleep = |wanted| {
            let begun = std::time::Instant::now();
            loop {
                let sql =
                    "SELECT COUNT(*) FROM information_schema.PROCESSLIST WHERE INFO LIKE 'SELECT SLEEP%'";
                if admin.query_first::<u64, _>(sql).expect("a list") == Some(wanted) {
                    return;
                }
                assert!(begun.elapsed().as_secs() < 60, "{layers:?}: {wanted}");
                std::thread::sleep(std::time::Duration::from_millis(20));
            }
        };
        asleep(1);
        child.kill().expect("killed");
        child.wait().expect("ended");
        asleep(0);
    }
    server.assert_alive();
}

#[test]
fn accounts_demand_tls() {
    let folder = certificates();
    let file = |name: &str| folder.path().join(name).display().to_string();
    let set =
        [("ssl_ca", file("ca.pem")), ("ssl_cert", file("server.pem")), ("ssl_key", file("server-key.pem"))];
    let set: Vec<(&str, &str)> = set.iter().map(|(n, v)| (*n, v.as_str())).collect();
    let server = TestServer::encrypted(tempfile::tempdir().expect("a folder"), &set);
    let mut root = server.client();
    for (user, require) in [
        ("s", "SSL"),
        ("x", "X509"),
        ("i", "ISSUER '/CN=testca'"),
        ("j", "ISSUER '/CN=other'"),
        ("b", "SUBJECT '/C=DE/O=Org, a\\\\/b/CN=client' AND ISSUER '/CN=testca'"),
        ("c", "CIPHER 'ECDHE-ECDSA-AES128-GCM-SHA256'"),
    ] {
        root.query_drop(format!("CREATE USER {user}@localhost REQUIRE {require}")).expect("an account");
    }
    let (certificate, key) =
        (format!("--ssl-cert={}", file("client.pem")), format!("--ssl-key={}", file("client-key.pem")));
    let plain = ["--skip-ssl"];
    let tls = ["--ssl"];
    let known = ["--ssl", &certificate, &key];
    let cipher = ["--ssl", "--tls-version=TLSv1.2", "--ssl-cipher=ECDHE-ECDSA-AES128-GCM-SHA256"];
    let ways: [&[&str]; 4] = [&plain, &tls, &known, &cipher];
    for (user, expected) in [
        ("s", [false, true, true, true]),
        ("x", [false, false, true, false]),
        ("i", [false, false, true, false]),
        ("j", [false; 4]),
        ("b", [false, false, true, false]),
        ("c", [false, false, false, true]),
        ("root", [true; 4]),
    ] {
        for (way, admitted) in ways.iter().zip(expected) {
            let user = format!("--user={user}");
            let told = ask!(&server, &[&[user.as_str()], *way].concat(), "SELECT 1");
            assert_eq!(told.is_ok(), admitted, "{user} {way:?}: {told:?}");
            assert!(told.as_ref().err().is_none_or(|e| e.contains("ERROR 1045 (28000)")), "{told:?}");
        }
    }
    root.query_drop("SET GLOBAL require_secure_transport=ON").expect("set");
    assert!(ask!(&server, &["--user=root", "--skip-ssl"], "SELECT 1").is_err());
    assert!(ask!(&server, &["--user=root", "--ssl"], "SELECT 1").is_ok());
    assert!(mysql::Conn::new(server.options()).is_ok(), "a socket of this machine is secure");
}

#[test]
fn ed25519() {
    let server = TestServer::start();
    let mut root = server.client();
    for sql in [
        "CREATE USER e@localhost IDENTIFIED VIA ed25519 USING PASSWORD('secret')",
        "CREATE USER two@localhost IDENTIFIED VIA mysql_native_password USING PASSWORD('p') OR ed25519 USING PASSWORD('secret')",
        "CREATE USER none@localhost IDENTIFIED VIA ed25519",
    ] {
        root.query_drop(sql).expect("an account");
    }
    let shown: Option<String> = root.query_first("SHOW CREATE USER e@localhost").expect("an account");
    let text = "CREATE USER `e`@`localhost` IDENTIFIED VIA ed25519 USING 'ZIgUREUg5PVgQ6LskhXmO+eZLS0nC8be6HPjYWR4YJY'";
    assert_eq!(shown.as_deref(), Some(text));
    let logs_in = |user: &str, password: &str| {
        let told =
            ask(&server, &[&format!("--user={user}"), &format!("--password={password}")], "SELECT USER()")?;
        assert!(told.as_ref().err().is_none_or(|e| e.contains("ERROR 1045 (28000)")), "{told:?}");
        Some(told.is_ok())
    };
    for (user, password, admitted) in [
        ("e", "secret", true),
        ("e", "other", false),
        ("e", "", false),
        ("none", "", false),
        ("two", "p", true),
        ("two", "secret", true),
        ("two", "other", false),
    ] {
        assert_eq!(logs_in(user, password).unwrap_or(admitted), admitted, "{user} {password}");
    }
    root.query_drop("SET PASSWORD FOR two@localhost = PASSWORD('q')").expect("a password");
    root.query_drop("SET PASSWORD FOR e@localhost = PASSWORD('q')").expect("a password");
    for (user, password, admitted) in
        [("e", "q", true), ("e", "secret", false), ("two", "q", true), ("two", "secret", true)]
    {
        assert_eq!(logs_in(user, password).unwrap_or(admitted), admitted, "{user} {password}");
    }
    let refused = root.query_drop("SET PASSWORD FOR e@localhost = 'short'").expect_err("no key").to_string();
    assert!(refused.contains("1372") && refused.contains("43 characters"), "{refused}");
}

#[test]
fn caching_sha2_password() {
    let server = TestServer::encrypted(tempfile::tempdir().expect("a folder"), &[]);
    let mut root = server.client();
    for sql in [
        "CREATE USER c@localhost IDENTIFIED VIA caching_sha2_password USING PASSWORD('secret')",
        "CREATE USER b@localhost IDENTIFIED WITH caching_sha2_password BY 'secret'",
        "CREATE USER none@localhost IDENTIFIED WITH caching_sha2_password",
    ] {
        root.query_drop(sql).expect("an account");
    }
    let shown: String = root.query_first("SHOW CREATE USER c@localhost").expect("shown").expect("an account");
    let (before, kept) = shown.split_once(" USING '").expect("what is kept");
    assert_eq!(before, "CREATE USER `c`@`localhost` IDENTIFIED VIA caching_sha2_password");
    let kept = kept.trim_end_matches('\'');
    assert!(kept.starts_with("$A$005$") && kept.len() == 70, "{kept}");
    // As a dump of MySQL has it.
    root.query_drop(format!("CREATE USER d@localhost IDENTIFIED WITH 'caching_sha2_password' AS '{kept}'"))
        .expect("an account");
    let wrong = root.query_drop("CREATE USER x@localhost IDENTIFIED VIA caching_sha2_password USING 'short'");
    assert!(wrong.expect_err("no hash").to_string().contains("1372"));

    let logs_in = |user: &str, password: &str, encrypted: &[&str]| {
        let (user, password) = (format!("--user={user}"), format!("--password={password}"));
        let told = ask(&server, &[&[&*user, &*password], encrypted].concat(), "SELECT USER()")?;
        Some(told.map_err(|e| assert!(e.contains("ERROR"), "{e}")).is_ok())
    };
    let (tls, plain) = (["--ssl"], ["--skip-ssl"]);
    for (user, password, encrypted, admitted) in [
        // Nobody has shown it yet, and anybody could listen.
        ("c", "secret", &plain, false),
        ("c", "other", &tls, false),
        ("c", "secret", &tls, true),
        ("c", "secret", &plain, true),
        ("c", "other", &plain, false),
        ("c", "", &tls, false),
        ("b", "secret", &tls, true),
        ("d", "other", &tls, false),
        ("d", "secret", &tls, true),
        ("none", "", &plain, true),
        ("none", "x", &tls, false),
        ("nobody", "x", &tls, false),
    ] {
        let told = logs_in(user, password, encrypted).unwrap_or(admitted);
        assert_eq!(told, admitted, "{user} {password} {encrypted:?}");
    }
    root.query_drop("SET PASSWORD FOR c@localhost = PASSWORD('q')").expect("a password");
    for (password, encrypted, admitted) in
        [("secret", &plain, false), ("q", &plain, false), ("q", &tls, true), ("q", &plain, true)]
    {
        assert_eq!(logs_in("c", password, encrypted).unwrap_or(admitted), admitted, "{password}");
    }
}

/// Whatever follows the request for TLS, others are served.
#[test]
fn handshakes_that_lead_nowhere() {
    let server = TestServer::encrypted(tempfile::tempdir().expect("a folder"), &[("connect_timeout", "2")]);
    let mut root = server.client();
    // On a socket of this machine it is offered when an account insists.
    assert_eq!(greeting(&server).1.capabilities & capability::SSL, 0);
    root.query_drop("CREATE USER s@localhost REQUIRE SSL").expect("an account");
    for junk in [&b""[..], b"GET / HTTP/1.1\r\n\r\n", &[22, 3, 1, 0xff, 0xff, 1], &[0; 300]] {
        let (client, greeting) = greeting(&server);
        assert_ne!(greeting.capabilities & capability::SSL, 0);
        let mut request = (ALL | capability::SSL).to_le_bytes().to_vec();
        request.resize(32, 0);
        let mut packet = vec![32, 0, 0, 1];
        packet.extend_from_slice(&request);
        packet.extend_from_slice(junk);
        client.stream.send(&packet).expect("sent");
        let begun = std::time::Instant::now();
        let mut waste = [0; 100];
        while client.stream.recv(&mut waste).is_ok_and(|got| got > 0) {}
        assert!(begun.elapsed().as_secs() < 20, "{junk:?}");
    }
    server.assert_alive();
}

fn greeting(server: &TestServer) -> (RawClient, ReceivedGreeting) {
    RawClient::connect(server)
}
