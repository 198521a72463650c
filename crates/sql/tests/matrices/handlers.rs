//! HANDLER over keys of every type.

/// Every type of a key's column, in every place and order, is read in every direction and with every operator: fixed and dynamic rows,
/// keys in trees and hashed ones.
pub fn statements() -> String {
    const FORMS: [&str; 3] = ["ENGINE=MyISAM", "ENGINE=MyISAM ROW_FORMAT=DYNAMIC", "ENGINE=MEMORY"];
    /// A type, the prefix of it in keys, values, and one that is not there or does not fit.
    const TYPES: &[(&str, &str, [&str; 3], &str)] = &[
        ("TINYINT", "", ["-3", "5", "100"], "4"),
        ("SMALLINT UNSIGNED", "", ["0", "7", "65535"], "70000"),
        ("MEDIUMINT", "", ["-8000000", "1", "2"], "'1x'"),
        ("INT", "", ["1", "20", "300"], "19.5"),
        ("BIGINT UNSIGNED", "", ["1", "2", "18446744073709551615"], "-1"),
        ("DECIMAL(6,2)", "", ["-1.5", "2.25", "1000"], "2.254"),
        ("FLOAT", "", ["-1.5", "0.25", "1e10"], "0.3"),
        ("DOUBLE", "", ["-1.5", "0.1", "1e100"], "0.1000001"),
        ("BIT(8)", "", ["65", "66", "90"], "70"),
        ("YEAR", "", ["1999", "2001", "2100"], "2000"),
        ("DATE", "", ["'0000-00-00'", "'2020-02-29'", "'9999-12-31'"], "'2020-02-29 10:00:00'"),
        ("TIME(3)", "", ["'-10:00:00'", "'00:00:01.5'", "'800:00:00'"], "'00:00:01.4999'"),
        ("DATETIME(2)", "", ["'2000-01-01'", "'2020-01-01 10:00:00.25'", "'2030-01-01'"], "'2020-01-01'"),
        ("TIMESTAMP NULL", "", ["'2000-01-01'", "'2020-01-01 10:00:00'", "'2030-01-01'"], "'2020-01-01'"),
        ("CHAR(5) CHARACTER SET latin1", "", ["''", "'abc'", "'zz'"], "'b'"),
        ("VARCHAR(12) COLLATE utf8mb4_unicode_ci", "", ["''", "'ABC '", "'zz'"], "'abd'"),
        ("VARCHAR(12) COLLATE utf8mb4_nopad_bin", "(4)", ["'a'", "'abcdef'", "'zz'"], "'abcdx'"),
        ("BINARY(4)", "", ["'aaaa'", "'abcc'", "'zzzz'"], "'abcde'"),
        ("VARBINARY(6)", "", ["''", "'abc'", "'zz'"], "'abc '"),
        ("TEXT CHARACTER SET utf8mb3", "(3)", ["''", "'abcd'", "'zz'"], "'abc'"),
        ("BLOB", "(3)", ["''", "'abcd'", "'zz'"], "'abc'"),
        ("ENUM('x','a','m')", "", ["'x'", "'a'", "'m'"], "'nope'"),
        ("SET('x','a','m')", "", ["''", "'a'", "'x,m'"], "'x,nope'"),
        ("INET6", "", ["'::1'", "'::a'", "'ff::'"], "'::5'"),
        (
            "UUID",
            "",
            [
                "'00000000-0000-0000-0000-000000000001'",
                "'123e4567-e89b-12d3-a456-426655440000'",
                "'ffffffff-ffff-ffff-ffff-ffffffffffff'",
            ],
            "'123e4567-e89b-12d3-a456-426655440001'",
        ),
    ];
    let mut script = String::from("SET NAMES utf8mb4;\nSET sql_mode = '';\n");
    // a soak reads every type in every form of table, else each type has one
    let soak = std::env::var_os("ISAMBARD_SOAK").is_some();
    for (n, (ty, prefix, values, absent)) in TYPES.iter().enumerate() {
        // MEMORY has no keys over prefixes
        let forms = if prefix.is_empty() { &FORMS[..] } else { &FORMS[..2] };
        let forms = if soak { forms } else { &forms[n % forms.len()..][..1] };
        for rows in forms {
            read_in_every_way(&mut script, (ty, prefix), values, absent, rows);
        }
    }
    script
}

/// The statements for one type of column in one form of table.
fn read_in_every_way(
    script: &mut String,
    (ty, prefix): (&str, &str),
    [low, twice, high]: &[&str; 3],
    absent: &str,
    rows: &str,
) {
    let mut line = |text: String| {
        script.push_str(&text);
        script.push_str(";\n");
    };
    let memory = rows.contains("MEMORY");
    let tree = if memory { "USING BTREE " } else { "" };
    line(format!(
        "CREATE OR REPLACE TABLE t (k {ty}, n INT NOT NULL, KEY k {tree}(k{prefix}), KEY d {tree}(k{prefix} DESC), \
         KEY kn {tree}(k{prefix}, n), KEY nk {tree}(n, k{prefix}), KEY h (k{prefix})) {rows}"
    ));
    line(format!(
        "INSERT INTO t VALUES ({twice}, 1), ({low}, 2), ({twice}, 3), (NULL, 4), ({high}, 5), ({twice}, 6), (NULL, 7)"
    ));
    line("HANDLER t OPEN".to_string());
    // MEMORY has equal entries in the order of addresses, no keys in descending order, and loses the position where nothing is found
    let keys: &[&str] = if memory { &["kn"] } else { &["k", "d", "kn", "h"] };
    for key in keys {
        for step in [
            "FIRST",
            "NEXT",
            "NEXT LIMIT 2",
            "PREV",
            "LAST",
            "PREV LIMIT 3",
            "NEXT WHERE n > 4 LIMIT 2",
            "PREV",
        ] {
            line(format!("HANDLER t READ {key} {step}"));
        }
        for op in ["=", "<=", ">=", "<", ">"] {
            for value in [low, twice, high, absent, "NULL"] {
                line(format!("HANDLER t READ {key} {op} ({value})"));
                if !memory {
                    line(format!("HANDLER t READ {key} NEXT"));
                }
                line(format!("HANDLER t READ {key} {op} ({value}) WHERE n % 2 = 0 LIMIT 2"));
                if !memory {
                    line(format!("HANDLER t READ {key} PREV"));
                }
                line(format!("HANDLER t READ {key} {op} ({value}) LIMIT 1, 9"));
            }
        }
    }
    for value in [twice, absent, "NULL"] {
        line(format!("HANDLER t READ kn = ({value}, 3) LIMIT 9"));
        line(format!("HANDLER t READ nk >= (3, {value}) LIMIT 2"));
        line(format!("HANDLER t READ nk < (3, {value}) LIMIT 2"));
        line(format!("HANDLER t READ h = ({value}) LIMIT 9"));
    }
    line("HANDLER t READ FIRST WHERE k IS NULL LIMIT 9".to_string());
    line(format!("HANDLER t READ FIRST WHERE k >= {twice} LIMIT 9"));
    line("HANDLER t CLOSE".to_string());
}
