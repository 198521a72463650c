//! Tables and questions in the manner of TPC-H, and a star schema beside them: rows of every scale, the same in every run.
//!
//! The rows follow the ideas of the public specification (sizes, ranges of values, what the questions look for) and are made by a
//! generator of our own; figures are not those of dbgen and no result here is a TPC-H result.

use std::fmt::Write as _;
use std::fs::File;
use std::io::{self, BufWriter, Write as _};
use std::path::{Path, PathBuf};

/// The 22 questions in the MySQL dialect, which DuckDB reads as well, and one of the star.
const QUERIES: &str = include_str!("queries.sql");

/// Tables, with the keys that users of MyISAM would give them.
const TABLES: &str = include_str!("tables.sql");

/// Names of the tables.
pub const NAMES: [&str; 12] = [
    "region", "nation", "supplier", "part", "partsupp", "customer", "orders", "lineitem", "days", "products",
    "stores", "sales",
];

/// The questions: name and statement.
#[must_use]
pub fn queries() -> Vec<(&'static str, &'static str)> {
    let parts = QUERIES.split("-- ").skip(1);
    parts
        .filter_map(|part| part.split_once('\n'))
        .map(|(name, sql)| (name, sql.trim().trim_end_matches(';')))
        .collect()
}

/// The statements that make the tables.
#[must_use]
pub fn tables() -> Vec<&'static str> {
    TABLES.split(';').map(str::trim).filter(|s| !s.is_empty()).collect()
}

/// The statements for DuckDB, whose tables have no keys.
#[must_use]
pub fn tables_without_keys() -> Vec<String> {
    let columns = |sql: &str| {
        let kept = sql
            .lines()
            .filter(|l| !l.trim_start().starts_with("primary key") && !l.trim_start().starts_with("key"));
        let mut text = kept.collect::<Vec<_>>().join("\n");
        text =
            text.trim_end().trim_end_matches(") engine=myisam").trim_end().trim_end_matches(',').to_owned();
        text + ")"
    };
    tables().into_iter().map(columns).collect()
}

/// Where the rows of a table are.
#[must_use]
pub fn file(folder: &Path, table: &str) -> PathBuf {
    folder.join(format!("{table}.tbl"))
}

/// Numbers without a pattern, the same in every run.
struct Dice(u64);

impl Dice {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let x = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        let x = (x ^ (x >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        x ^ (x >> 31)
    }

    /// From `low` to `high`, both included.
    fn from(&mut self, low: u64, high: u64) -> u64 {
        low + self.next() % (high - low + 1)
    }

    fn one_of<'a>(&mut self, list: &[&'a str]) -> &'a str {
        list[self.from(0, list.len() as u64 - 1) as usize]
    }

    /// A sum of money from `low` to `high` hundredths.
    fn money(&mut self, low: i64, high: i64) -> String {
        money(low + self.from(0, (high - low) as u64) as i64)
    }

    /// Some words.
    fn text(&mut self, least: u64, most: u64) -> String {
        let count = self.from(least, most);
        let words: Vec<&str> = (0..count).map(|_| self.one_of(&WORDS)).collect();
        words.join(" ")
    }

    fn phone(&mut self, nation: u64) -> String {
        format!("{}-{}-{}-{}", nation + 10, self.from(100, 999), self.from(100, 999), self.from(1000, 9999))
    }
}

fn money(hundredths: i64) -> String {
    let sign = if hundredths < 0 { "-" } else { "" };
    format!("{sign}{}.{:02}", hundredths.abs() / 100, hundredths.abs() % 100)
}

/// The day so many days after 1992-01-01, until 1998.
fn date(day: u64) -> String {
    let (mut year, mut left) = (1992, day);
    loop {
        let leap = year % 4 == 0;
        let length = if leap { 366 } else { 365 };
        if left < length {
            let months = [31, if leap { 29 } else { 28 }, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];
            let mut month = 1;
            for days in months {
                if left < days {
                    break;
                }
                left -= days;
                month += 1;
            }
            return format!("{year}-{month:02}-{:02}", left + 1);
        }
        left -= length;
        year += 1;
    }
}

/// 1995-06-17, the specification's present.
const TODAY: u64 = 1263;

/// Days of orders: the last of them leave room for their deliveries.
const ORDER_DAYS: u64 = 2406;

const REGIONS: [&str; 5] = ["AFRICA", "AMERICA", "ASIA", "EUROPE", "MIDDLE EAST"];

/// Nations with their regions.
const NATIONS: [(&str, u64); 25] = [
    ("ALGERIA", 0),
    ("ARGENTINA", 1),
    ("BRAZIL", 1),
    ("CANADA", 1),
    ("EGYPT", 4),
    ("ETHIOPIA", 0),
    ("FRANCE", 3),
    ("GERMANY", 3),
    ("INDIA", 2),
    ("INDONESIA", 2),
    ("IRAN", 4),
    ("IRAQ", 4),
    ("JAPAN", 2),
    ("JORDAN", 4),
    ("KENYA", 0),
    ("MOROCCO", 0),
    ("MOZAMBIQUE", 0),
    ("PERU", 1),
    ("CHINA", 2),
    ("ROMANIA", 3),
    ("SAUDI ARABIA", 4),
    ("VIETNAM", 2),
    ("RUSSIA", 3),
    ("UNITED KINGDOM", 3),
    ("UNITED STATES", 1),
];

const COLORS: [&str; 24] = [
    "almond",
    "azure",
    "blue",
    "brown",
    "chocolate",
    "coral",
    "cyan",
    "forest",
    "ghost",
    "green",
    "honeydew",
    "ivory",
    "khaki",
    "lemon",
    "linen",
    "maroon",
    "navy",
    "orange",
    "peru",
    "plum",
    "rose",
    "salmon",
    "tomato",
    "wheat",
];

const WORDS: [&str; 28] = [
    "accounts",
    "asymptotes",
    "blithely",
    "bold",
    "boost",
    "carefully",
    "deposits",
    "detect",
    "express",
    "final",
    "furiously",
    "haggle",
    "instructions",
    "ironic",
    "nag",
    "packages",
    "pending",
    "pinto",
    "quickly",
    "regular",
    "requests",
    "sleep",
    "slyly",
    "special",
    "theodolites",
    "unusual",
    "wake",
    "warthogs",
];

const TYPES: [[&str; 6]; 3] = [
    ["STANDARD", "SMALL", "MEDIUM", "LARGE", "ECONOMY", "PROMO"],
    ["ANODIZED", "BURNISHED", "PLATED", "POLISHED", "BRUSHED", "BRUSHED"],
    ["TIN", "NICKEL", "BRASS", "STEEL", "COPPER", "COPPER"],
];

const SEGMENTS: [&str; 5] = ["AUTOMOBILE", "BUILDING", "FURNITURE", "MACHINERY", "HOUSEHOLD"];
const PRIORITIES: [&str; 5] = ["1-URGENT", "2-HIGH", "3-MEDIUM", "4-NOT SPECIFIED", "5-LOW"];
const INSTRUCTIONS: [&str; 4] = ["DELIVER IN PERSON", "COLLECT COD", "NONE", "TAKE BACK RETURN"];
const MODES: [&str; 7] = ["REG AIR", "AIR", "RAIL", "SHIP", "TRUCK", "MAIL", "FOB"];
const BOXES: [[&str; 8]; 2] = [
    ["SM", "LG", "MED", "JUMBO", "WRAP", "SM", "LG", "MED"],
    ["CASE", "BOX", "BAG", "JAR", "PKG", "PACK", "CAN", "DRUM"],
];

/// Rows of the tables that grow.
struct Sizes {
    suppliers: u64,
    parts: u64,
    customers: u64,
    orders: u64,
    sales: u64,
}

impl Sizes {
    fn of(scale: f64) -> Sizes {
        let rows = |whole: f64| ((whole * scale) as u64).max(10);
        Sizes {
            suppliers: rows(10_000.0),
            parts: rows(200_000.0),
            customers: rows(150_000.0),
            orders: rows(1_500_000.0),
            sales: rows(6_000_000.0),
        }
    }

    /// The price of a part in hundredths.
    fn price(part: u64) -> i64 {
        (90_000 + (part / 10) % 20_001 + 100 * (part % 1_000)) as i64
    }

    /// One of the four suppliers of a part.
    fn supplier(&self, part: u64, which: u64) -> u64 {
        (part + which * (self.suppliers / 4 + (part - 1) / self.suppliers)) % self.suppliers + 1
    }
}

/// Writes the rows of all tables at a scale (1: six million lines of orders) into files of this folder.
///
/// # Errors
/// Those of the files.
pub fn write(folder: &Path, scale: f64) -> io::Result<()> {
    let sizes = Sizes::of(scale);
    let open = |table: &str| Ok::<_, io::Error>(BufWriter::new(File::create(file(folder, table))?));
    let mut dice = Dice(22);
    let mut out = open("region")?;
    for (key, name) in REGIONS.iter().enumerate() {
        writeln!(out, "{key}\t{name}\t{}", dice.text(4, 12))?;
    }
    out.flush()?;
    let mut out = open("nation")?;
    for (key, (name, region)) in NATIONS.iter().enumerate() {
        writeln!(out, "{key}\t{name}\t{region}\t{}", dice.text(4, 12))?;
    }
    out.flush()?;
    suppliers(&sizes, open("supplier")?)?;
    parts(&sizes, open("part")?, open("partsupp")?)?;
    customers(&sizes, open("customer")?)?;
    orders(&sizes, open("orders")?, open("lineitem")?)?;
    star(&sizes, [open("days")?, open("products")?, open("stores")?, open("sales")?])
}

type Out = BufWriter<File>;

fn suppliers(sizes: &Sizes, mut out: Out) -> io::Result<()> {
    let mut dice = Dice(1);
    for key in 1..=sizes.suppliers {
        let nation = dice.from(0, 24);
        let (phone, balance) = (dice.phone(nation), dice.money(-99_999, 999_999));
        let mut comment = dice.text(5, 12);
        if key % 50 == 7 {
            comment += " Customer";
            comment += if key % 100 == 7 { " slyly Complaints" } else { " quickly Recommends" };
        }
        let address = dice.text(2, 4);
        writeln!(out, "{key}\tSupplier#{key:09}\t{address}\t{nation}\t{phone}\t{balance}\t{comment}")?;
    }
    out.flush()
}

fn parts(sizes: &Sizes, mut out: Out, mut supplies: Out) -> io::Result<()> {
    let mut dice = Dice(2);
    for key in 1..=sizes.parts {
        let name: Vec<&str> = (0..5).map(|_| dice.one_of(&COLORS)).collect();
        let maker = dice.from(1, 5);
        let brand = maker * 10 + dice.from(1, 5);
        let kind: Vec<&str> = TYPES.iter().map(|list| dice.one_of(list)).collect();
        let (size, boxes) = (dice.from(1, 50), BOXES.map(|list| dice.one_of(&list)).join(" "));
        let (name, kind, price) = (name.join(" "), kind.join(" "), money(Sizes::price(key)));
        let comment = dice.text(1, 3);
        writeln!(
            out,
            "{key}\t{name}\tManufacturer#{maker}\tBrand#{brand}\t{kind}\t{size}\t{boxes}\t{price}\t{comment}"
        )?;
        for which in 0..4 {
            let (supplier, available) = (sizes.supplier(key, which), dice.from(1, 9_999));
            let (cost, comment) = (dice.money(100, 100_000), dice.text(5, 20));
            writeln!(supplies, "{key}\t{supplier}\t{available}\t{cost}\t{comment}")?;
        }
    }
    out.flush()?;
    supplies.flush()
}

fn customers(sizes: &Sizes, mut out: Out) -> io::Result<()> {
    let mut dice = Dice(3);
    for key in 1..=sizes.customers {
        let nation = dice.from(0, 24);
        let (phone, balance) = (dice.phone(nation), dice.money(-99_999, 999_999));
        let (address, segment, comment) = (dice.text(2, 4), dice.one_of(&SEGMENTS), dice.text(5, 12));
        writeln!(
            out,
            "{key}\tCustomer#{key:09}\t{address}\t{nation}\t{phone}\t{balance}\t{segment}\t{comment}"
        )?;
    }
    out.flush()
}

fn orders(sizes: &Sizes, mut out: Out, mut lines: Out) -> io::Result<()> {
    let mut dice = Dice(4);
    let mut text = String::new();
    for number in 0..sizes.orders {
        // keys have gaps, and a third of the customers order nothing
        let key = number / 8 * 32 + number % 8 + 1;
        let customer = loop {
            let customer = dice.from(1, sizes.customers);
            if !customer.is_multiple_of(3) {
                break customer;
            }
        };
        let day = dice.from(0, ORDER_DAYS - 1);
        let (mut total, mut open) = (0, 0);
        let count = dice.from(1, 7);
        text.clear();
        for line in 1..=count {
            let part = dice.from(1, sizes.parts);
            let supplier = sizes.supplier(part, dice.from(0, 3));
            let (quantity, discount, tax) = (dice.from(1, 50), dice.from(0, 10), dice.from(0, 8));
            let price = Sizes::price(part) * quantity as i64;
            total += price * (100 + tax as i64) / 100 * (100 - discount as i64) / 100;
            let shipped = day + dice.from(1, 121);
            let (due, received) = (day + dice.from(30, 90), shipped + dice.from(1, 30));
            let returned = if received > TODAY { "N" } else { dice.one_of(&["R", "A"]) };
            let status = if shipped > TODAY { "O" } else { "F" };
            open += u64::from(shipped > TODAY);
            let (price, shipped, due, received) = (money(price), date(shipped), date(due), date(received));
            let (instruction, mode) = (dice.one_of(&INSTRUCTIONS), dice.one_of(&MODES));
            let comment = dice.text(2, 5);
            // writing into a text does not fail
            let _ = writeln!(
                text,
                "{key}\t{part}\t{supplier}\t{line}\t{quantity}\t{price}\t0.{discount:02}\t0.{tax:02}\t{returned}\t{status}\t\
                 {shipped}\t{due}\t{received}\t{instruction}\t{mode}\t{comment}"
            );
        }
        lines.write_all(text.as_bytes())?;
        let status = if open == 0 {
            "F"
        } else if open == count {
            "O"
        } else {
            "P"
        };
        let (total, day, priority) = (money(total), date(day), dice.one_of(&PRIORITIES));
        let (clerk, comment) = (dice.from(1, (sizes.orders / 1_500).max(1)), dice.text(4, 12));
        writeln!(
            out,
            "{key}\t{customer}\t{status}\t{total}\t{day}\t{priority}\tClerk#{clerk:09}\t0\t{comment}"
        )?;
    }
    out.flush()?;
    lines.flush()
}

/// Days, products, stores, and what was sold.
fn star(sizes: &Sizes, [mut days, mut products, mut stores, mut sales]: [Out; 4]) -> io::Result<()> {
    let mut dice = Dice(5);
    let (last_day, last_product, last_store) = (2_556, 2_000, 200);
    for day in 0..=last_day {
        let date = date(day);
        let (year, month) = (&date[..4], &date[5..7]);
        writeln!(days, "{day}\t{date}\t{year}\t{month}")?;
    }
    for product in 1..=last_product {
        writeln!(products, "{product}\t{} {product}\t{}", dice.one_of(&COLORS), dice.one_of(&SEGMENTS))?;
    }
    for store in 1..=last_store {
        writeln!(stores, "{store}\t{} {store}\t{}", dice.one_of(&WORDS), dice.one_of(&REGIONS))?;
    }
    for _ in 0..sizes.sales {
        let (day, product, store) =
            (dice.from(0, last_day), dice.from(1, last_product), dice.from(1, last_store));
        writeln!(sales, "{day}\t{product}\t{store}\t{}\t{}", dice.from(1, 20), dice.money(100, 50_000))?;
    }
    days.flush()?;
    products.flush()?;
    stores.flush()?;
    sales.flush()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn days_are_those_of_the_calendar() {
        assert_eq!(
            [date(0), date(59), date(366), date(TODAY)].join(" "),
            "1992-01-01 1992-02-29 1993-01-01 1995-06-17"
        );
        assert_eq!(date(ORDER_DAYS + 150), "1998-12-31");
    }

    #[test]
    fn there_are_22_questions_and_the_star() {
        assert_eq!(queries().len(), 23);
        assert_eq!((tables().len(), tables_without_keys().len()), (NAMES.len(), NAMES.len()));
        assert!(tables_without_keys().iter().all(|t| !t.contains("key (") && t.ends_with(')')));
    }
}
