//! CREATE TABLE statements of random tables, from a seed.

pub struct Random(pub u64);

impl Random {
    pub fn below(&mut self, n: u64) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 16) % n
    }

    fn pick<'a>(&mut self, from: &[&'a str]) -> &'a str {
        from[self.below(from.len() as u64) as usize]
    }
}

const TYPES: [(&str, &[&str]); 40] = [
    ("TINYINT", &["5", "-7"]),
    ("TINYINT UNSIGNED", &["200"]),
    ("SMALLINT ZEROFILL", &["12"]),
    ("MEDIUMINT", &["-100000"]),
    ("INT", &["0", "123456"]),
    ("INT(3)", &["9"]),
    ("INT UNSIGNED", &["4000000000"]),
    ("BIGINT", &["-1"]),
    ("FLOAT", &["1.25", "1e-20"]),
    ("FLOAT(8,3)", &["3.14159"]),
    ("DOUBLE", &["1e100", "0.1"]),
    ("DECIMAL(10,2)", &["-12.5"]),
    ("DECIMAL(30,10) UNSIGNED", &["1.5"]),
    ("DECIMAL(4,4)", &["0.1234"]),
    ("BIT(1)", &["b'1'"]),
    ("BIT(5)", &["b'101'"]),
    ("BIT(8)", &["255"]),
    ("BIT(19)", &["70000"]),
    ("YEAR", &["1999"]),
    ("DATE", &["'2020-02-02'"]),
    ("TIME", &["'10:11:12'"]),
    ("TIME(3)", &["'-1:2:3.4'"]),
    ("DATETIME", &["'2020-02-02 20:20:20'", "CURRENT_TIMESTAMP"]),
    ("DATETIME(5)", &["'2020-02-02 20:20:20.2'"]),
    ("TIMESTAMP NULL", &["CURRENT_TIMESTAMP", "'2020-02-02 20:20:20'"]),
    ("TIMESTAMP(2) NULL", &["'2020-02-02 20:20:20.5'"]),
    ("CHAR(3)", &["'ab'"]),
    ("CHAR(20)", &["'ab'", "''"]),
    ("CHAR(10) CHARACTER SET utf8mb4", &["'ä'"]),
    ("VARCHAR(7)", &["'x'"]),
    ("VARCHAR(30) CHARACTER SET utf8mb4", &["'日本'"]),
    ("VARCHAR(300)", &["'y'"]),
    ("VARBINARY(20)", &["'z'"]),
    ("BINARY(9)", &["'q'"]),
    ("TEXT", &["'t'"]),
    ("LONGBLOB", &["'b'"]),
    ("ENUM('a','b','c')", &["'b'"]),
    ("SET('x','y')", &["'x,y'"]),
    ("UUID", &["'123e4567-e89b-12d3-a456-426655440000'"]),
    ("INET6", &["'::2'"]),
];

/// `count` tables named `random_N`.
pub fn tables(count: usize) -> Vec<(String, String)> {
    let mut random = Random(0x9e37_79b9_7f4a_7c15);
    (0..count)
        .map(|n| {
            let name = format!("random_{n}");
            let sql = table(&name, &mut random);
            (name, sql)
        })
        .collect()
}

fn table(name: &str, random: &mut Random) -> String {
    let mut items = Vec::new();
    let mut types = Vec::new();
    for i in 0..1 + random.below(12) {
        let (ty, defaults) = TYPES[random.below(TYPES.len() as u64) as usize];
        let mut item = format!("c{i} {ty}");
        let charset = ["CHAR", "VARCHAR", "TEXT", "ENUM", "SET"];
        if charset.iter().any(|c| ty.starts_with(c)) && !ty.contains("CHARACTER") {
            item += random.pick(&["", "", " COLLATE latin1_bin", " COLLATE latin1_general_ci"]);
        }
        let mut must_be_visible = i == 0;
        let temporal = ty.contains("TIME") || ty == "DATE" || ty == "UUID" || ty == "INET6";
        match random.below(12) {
            0 if !temporal => item += " AS (1) VIRTUAL",
            1 if !temporal => item += " AS (1) STORED",
            2 if !temporal => item += " DEFAULT (1+0)",
            kind => {
                let not_null = !ty.contains("NULL") && random.below(3) == 0;
                if not_null {
                    item += " NOT NULL";
                }
                if kind > 6 {
                    item += " DEFAULT ";
                    item += random.pick(defaults);
                } else if not_null {
                    must_be_visible = true;
                }
            }
        }
        item += random.pick(&["", "", "", " COMMENT 'c'"]);
        if !must_be_visible && random.below(6) == 0 {
            item += " INVISIBLE";
        }
        items.push(item);
        types.push(ty);
    }
    for k in 0..random.below(5) {
        let kind = random.pick(&["KEY", "KEY", "UNIQUE KEY"]);
        let mut parts = Vec::new();
        for (i, ty) in types.iter().enumerate() {
            if random.below(4) == 0 {
                let mut part = format!("c{i}");
                if ["TEXT", "LONGBLOB"].contains(ty) || ty.starts_with("VARCHAR(30") {
                    part += random.pick(&["(5)", "(9)", "(20)"]);
                } else if ty.starts_with("CHAR(20)") && random.below(2) == 0 {
                    part += random.pick(&["(3)", "(8)", "(9)", "(20)"]);
                }
                part += random.pick(&["", "", " DESC"]);
                parts.push(part);
            }
        }
        if !parts.is_empty() {
            let options = random.pick(&["", "", "", " COMMENT 'k'", " USING BTREE", " IGNORED"]);
            items.push(format!("{kind} k{k} ({}){options}", parts.join(",")));
        }
    }
    let options = random.pick(&[
        "",
        "",
        " ROW_FORMAT=FIXED",
        " ROW_FORMAT=DYNAMIC",
        " PACK_KEYS=0",
        " PACK_KEYS=1",
        " CHECKSUM=1",
        " DEFAULT CHARSET=utf8mb4",
        " KEY_BLOCK_SIZE=2048",
        " MAX_ROWS=1000 AVG_ROW_LENGTH=100",
    ]);
    format!("CREATE TABLE {name} ({}){options};", items.join(", "))
}
