//! The one table of keywords.
//!
//! Which words are reserved, and which of the others cannot be the name of a function called without a database,
//! was found by trying each on MariaDB 10.11.

macro_rules! keywords {
    ($($word:ident $class:ident,)*) => {
        /// A word of the grammar.
        #[allow(missing_docs, non_camel_case_types, clippy::upper_case_acronyms)]
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        #[repr(u16)]
        pub enum Kw { $($word,)* }

        /// Every keyword with its class, in the order of the enumeration.
        const WORDS: &[(&str, Kw, Class)] = &[$((stringify!($word), Kw::$word, Class::$class),)*];
    };
}

/// How free a keyword is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Class {
    /// Never an identifier without quotes.
    Reserved,
    /// An identifier, but not the name of a function.
    Name,
    /// An identifier, also of a function.
    Free,
}

keywords! {
    ACCESSIBLE Reserved, ACCOUNT Free, ACTION Free, ADD Reserved, ADMIN Free, AFTER Free, AGAINST Free,
    AGGREGATE Free, ALGORITHM Free, ALL Reserved, ALTER Reserved, ALWAYS Free, ANALYZE Reserved,
    AND Reserved, ANY Name, AS Reserved, ASC Reserved, ASCII Free, ASENSITIVE Reserved, AT Free,
    ATOMIC Free, AUTHORS Free, AUTO Free, AUTOEXTEND_SIZE Free, AUTO_INCREMENT Free, AVG Free,
    AVG_ROW_LENGTH Free, BACKUP Name, BEFORE Reserved, BEGIN Name, BETWEEN Reserved, BIGINT Reserved,
    BINARY Reserved, BINLOG Name, BIT Name, BLOB Reserved, BLOCK Free, BODY Free, BOOL Name, BOOLEAN Name,
    BOTH Reserved, BTREE Free, BY Reserved, BYTE Name, CACHE Name, CALL Reserved, CASCADE Reserved,
    CASCADED Free, CASE Reserved, CATALOG_NAME Free, CHAIN Free, CHANGE Reserved, CHANGED Free,
    CHANNEL Free, CHAR Reserved, CHARACTER Reserved, CHARSET Free, CHECK Reserved, CHECKPOINT Name,
    CHECKSUM Name, CIPHER Free, CLASS_ORIGIN Free, CLIENT Free, CLOB Name, CLOSE Name, COALESCE Free,
    CODE Name, COLLATE Reserved, COLLATION Free, COLUMN Reserved, COLUMNS Free, COLUMN_ADD Name,
    COLUMN_CHECK Free, COLUMN_CREATE Name, COLUMN_DELETE Name, COLUMN_GET Name, COLUMN_NAME Free,
    COMMENT Name, COMMIT Name, COMMITTED Free, COMPACT Free, COMPLETION Free, COMPRESSED Name,
    CONCURRENT Free, CONDITION Reserved, CONNECTION Free, CONSISTENT Free, CONSTRAINT Reserved,
    CONSTRAINT_CATALOG Free, CONSTRAINT_NAME Free, CONSTRAINT_SCHEMA Free, CONTAINS Free, CONTEXT Free,
    CONTINUE Reserved, CONTRIBUTORS Free, CONVERT Reserved, CPU Free, CREATE Reserved, CROSS Reserved,
    CUBE Free, CURRENT Free, CURRENT_DATE Reserved, CURRENT_POS Free, CURRENT_ROLE Reserved,
    CURRENT_TIME Reserved, CURRENT_TIMESTAMP Reserved, CURRENT_USER Reserved, CURSOR Reserved,
    CURSOR_NAME Free, CYCLE Free, DATA Free, DATABASE Free, DATABASES Reserved, DATAFILE Free, DATE Free,
    DATETIME Name, DAY Free, DAY_HOUR Reserved, DAY_MICROSECOND Reserved, DAY_MINUTE Reserved,
    DAY_SECOND Reserved, DEALLOCATE Name, DEC Reserved, DECIMAL Reserved, DECLARE Reserved,
    DEFAULT Reserved, DEFINER Free, DELAYED Reserved, DELAY_KEY_WRITE Free, DELETE Reserved,
    DELETE_DOMAIN_ID Reserved, DESC Reserved, DESCRIBE Reserved, DES_KEY_FILE Free, DETERMINISTIC Reserved,
    DIAGNOSTICS Free, DIRECTORY Free, DISABLE Free, DISCARD Free, DISK Free, DISTINCT Reserved,
    DISTINCTROW Reserved, DIV Reserved, DO Name, DOUBLE Reserved, DO_DOMAIN_IDS Reserved, DROP Reserved,
    DUAL Reserved, DUMPFILE Free, DUPLICATE Free, DYNAMIC Free, EACH Reserved, ELSE Reserved,
    ELSEIF Reserved, ELSIF Free, EMPTY Free, ENABLE Free, ENCLOSED Reserved, END Name, ENDS Free,
    ENGINE Free, ENGINES Free, ENUM Name, ERROR Free, ERRORS Free, ESCAPE Free, ESCAPED Reserved,
    EVENT Free, EVENTS Free, EVERY Free, EXAMINED Name, EXCEPT Reserved, EXCEPTION Free, EXCHANGE Free,
    EXCLUDE Name, EXECUTE Name, EXISTS Reserved, EXIT Reserved, EXPANSION Free, EXPIRE Free,
    EXPLAIN Reserved, EXPORT Free, EXTENDED Free, EXTENT_SIZE Free, FALSE Reserved, FAST Free, FAULTS Free,
    FEDERATED Free, FETCH Reserved, FIELDS Free, FILE Free, FIRST Free, FIXED Name, FLOAT Reserved,
    FLOAT4 Reserved, FLOAT8 Reserved, FLUSH Name, FOLLOWING Name, FOLLOWS Name, FOR Reserved,
    FORCE Reserved, FOREIGN Reserved, FORMAT Free, FOUND Free, FROM Reserved, FULL Free, FULLTEXT Reserved,
    FUNCTION Name, GENERAL Free, GENERATED Free, GET Name, GET_FORMAT Name, GLOBAL Name, GOTO Free,
    GRANT Reserved, GRANTS Free, GROUP Reserved, HANDLER Name, HARD Free, HASH Free, HAVING Reserved,
    HELP Name, HIGH_PRIORITY Reserved, HISTORY Free, HOST Name, HOSTS Free, HOUR Free,
    HOUR_MICROSECOND Reserved, HOUR_MINUTE Reserved, HOUR_SECOND Reserved, ID Name, IDENTIFIED Free,
    IF Reserved, IGNORE Reserved, IGNORED Name, IGNORE_DOMAIN_IDS Reserved, IGNORE_SERVER_IDS Free,
    IMMEDIATE Free, IMPORT Free, IN Reserved, INCREMENT Free, INDEX Reserved, INDEXES Free, INFILE Reserved,
    INITIAL_SIZE Free, INNER Reserved, INOUT Reserved, INSENSITIVE Reserved, INSERT Reserved,
    INSERT_METHOD Free, INSTALL Name, INT Reserved, INT1 Reserved, INT2 Reserved, INT3 Reserved,
    INT4 Reserved, INT8 Reserved, INTEGER Reserved, INTERSECT Reserved, INTERVAL Reserved, INTO Reserved,
    INVISIBLE Free, INVOKER Free, IO Free, IO_THREAD Free, IPC Free, IS Reserved, ISOLATION Free,
    ISOPEN Free, ISSUER Free, ITERATE Reserved, JOIN Reserved, JSON Name, JSON_TABLE Free, KEY Reserved,
    KEYS Reserved, KEY_BLOCK_SIZE Free, KILL Reserved, LANGUAGE Name, LAST Free, LASTVAL Name,
    LAST_VALUE Free, LEADING Reserved, LEAVE Reserved, LEAVES Free, LEFT Reserved, LESS Free, LEVEL Free,
    LIKE Reserved, LIMIT Reserved, LINEAR Reserved, LINES Reserved, LIST Free, LOAD Reserved, LOCAL Name,
    LOCALTIME Reserved, LOCALTIMESTAMP Reserved, LOCK Reserved, LOCKED Free, LOCKS Free, LOGFILE Free,
    LOGS Free, LONG Reserved, LONGBLOB Reserved, LONGTEXT Reserved, LOOP Reserved, LOW_PRIORITY Reserved,
    MASTER Free, MASTER_CONNECT_RETRY Free, MASTER_DELAY Free, MASTER_DEMOTE_TO_REPLICA Reserved,
    MASTER_DEMOTE_TO_SLAVE Reserved, MASTER_GTID_POS Free, MASTER_HEARTBEAT_PERIOD Free, MASTER_HOST Free,
    MASTER_LOG_FILE Free, MASTER_LOG_POS Free, MASTER_PASSWORD Free, MASTER_PORT Free,
    MASTER_SERVER_ID Free, MASTER_SSL Free, MASTER_SSL_CA Free, MASTER_SSL_CAPATH Free,
    MASTER_SSL_CERT Free, MASTER_SSL_CIPHER Free, MASTER_SSL_CRL Free, MASTER_SSL_CRLPATH Free,
    MASTER_SSL_KEY Free, MASTER_SSL_VERIFY_SERVER_CERT Reserved, MASTER_USER Free, MASTER_USE_GTID Free,
    MATCH Reserved, MAXVALUE Reserved, MAX_CONNECTIONS_PER_HOUR Free, MAX_QUERIES_PER_HOUR Free,
    MAX_ROWS Free, MAX_SIZE Free, MAX_STATEMENT_TIME Free, MAX_UPDATES_PER_HOUR Free,
    MAX_USER_CONNECTIONS Free, MEDIUM Name, MEDIUMBLOB Reserved, MEDIUMINT Reserved, MEDIUMTEXT Reserved,
    MEMORY Free, MERGE Free, MESSAGE_TEXT Free, MICROSECOND Free, MIDDLEINT Reserved, MIGRATE Free,
    MINUS Free, MINUTE Free, MINUTE_MICROSECOND Reserved, MINUTE_SECOND Reserved, MINVALUE Free,
    MIN_ROWS Free, MOD Reserved, MODE Free, MODIFIES Reserved, MODIFY Free, MONITOR Free, MONTH Free,
    MUTEX Free, MYSQL Free, MYSQL_ERRNO Free, NAME Free, NAMES Name, NATIONAL Name, NATURAL Reserved,
    NCHAR Name, NESTED Free, NEVER Free, NEXT Free, NEXTVAL Name, NO Name, NOCACHE Free, NOCYCLE Free,
    NODEGROUP Free, NOMAXVALUE Free, NOMINVALUE Free, NONE Free, NOT Reserved, NOTFOUND Free, NOWAIT Free,
    NO_WAIT Free, NO_WRITE_TO_BINLOG Reserved, NULL Reserved, NUMBER Name, NUMERIC Reserved, NVARCHAR Name,
    OF Free, OFFSET Reserved, OLD_PASSWORD Free, ON Reserved, ONE Free, ONLINE Free, ONLY Free, OPEN Name,
    OPTIMIZE Reserved, OPTION Name, OPTIONALLY Reserved, OPTIONS Name, OR Reserved, ORDER Reserved,
    ORDINALITY Free, OTHERS Name, OUT Reserved, OUTER Reserved, OUTFILE Reserved, OVER Reserved,
    OVERLAPS Free, OWNER Name, PACKAGE Free, PACK_KEYS Free, PAGE Free, PAGE_CHECKSUM Reserved, PARSER Name,
    PARSE_VCOL_EXPR Reserved, PARTIAL Free, PARTITION Reserved, PARTITIONING Free, PARTITIONS Free,
    PASSWORD Free, PATH Free, PERIOD Name, PERSISTENT Free, PHASE Free, PLUGIN Free, PLUGINS Free,
    PORT Name, PORTION Reserved, PRECEDES Name, PRECEDING Name, PRECISION Reserved, PREPARE Name,
    PRESERVE Free, PREV Free, PREVIOUS Free, PRIMARY Reserved, PRIVILEGES Free, PROCEDURE Reserved,
    PROCESS Free, PROCESSLIST Free, PROFILE Free, PROFILES Free, PROXY Free, PURGE Reserved, QUARTER Free,
    QUERY Free, QUICK Free, RAISE Free, RANGE Reserved, RAW Name, READ Reserved, READS Reserved,
    READ_ONLY Free, READ_WRITE Reserved, REAL Reserved, REBUILD Free, RECOVER Free, RECURSIVE Reserved,
    REDOFILE Free, REDO_BUFFER_SIZE Free, REDUNDANT Free, REFERENCES Reserved, REF_SYSTEM_ID Reserved,
    REGEXP Reserved, RELAY Free, RELAYLOG Free, RELAY_LOG_FILE Free, RELAY_LOG_POS Free, RELAY_THREAD Free,
    RELEASE Reserved, RELOAD Free, REMOVE Name, RENAME Reserved, REORGANIZE Free, REPAIR Name,
    REPEAT Reserved, REPEATABLE Free, REPLACE Reserved, REPLAY Free, REPLICA Name, REPLICAS Name,
    REPLICATION Free, REPLICA_POS Free, REQUIRE Reserved, RESET Name, RESIGNAL Reserved, RESTART Free,
    RESTORE Name, RESTRICT Reserved, RESUME Free, RETURN Reserved, RETURNED_SQLSTATE Free,
    RETURNING Reserved, RETURNS Free, REUSE Free, REVERSE Free, REVOKE Reserved, RIGHT Reserved,
    RLIKE Reserved, ROLE Name, ROLLBACK Name, ROLLUP Free, ROUTINE Free, ROW Name, ROWCOUNT Free,
    ROWNUM Free, ROWS Reserved, ROWTYPE Free, ROW_COUNT Free, ROW_FORMAT Free, ROW_NUMBER Reserved,
    RTREE Free, SAVEPOINT Name, SCHEDULE Free, SCHEMA Free, SCHEMAS Reserved, SCHEMA_NAME Free, SECOND Free,
    SECOND_MICROSECOND Reserved, SECURITY Name, SELECT Reserved, SENSITIVE Reserved, SEPARATOR Reserved,
    SEQUENCE Free, SERIAL Name, SERIALIZABLE Free, SERVER Name, SESSION Name, SET Reserved, SETVAL Name,
    SHARE Free, SHOW Reserved, SHUTDOWN Name, SIGNAL Reserved, SIGNED Name, SIMPLE Free, SKIP Free,
    SLAVE Name, SLAVES Name, SLAVE_POS Free, SLOW Free, SMALLINT Reserved, SNAPSHOT Free, SOCKET Name,
    SOFT Free, SOME Name, SONAME Name, SOURCE Free, SPATIAL Reserved, SPECIFIC Reserved, SQL Reserved,
    SQLEXCEPTION Reserved, SQLSTATE Reserved, SQLWARNING Reserved, SQL_BIG_RESULT Reserved,
    SQL_BUFFER_RESULT Free, SQL_CACHE Free, SQL_CALC_FOUND_ROWS Reserved, SQL_NO_CACHE Free,
    SQL_SMALL_RESULT Reserved, SQL_THREAD Free, SQL_TSI_DAY Free, SQL_TSI_HOUR Free, SQL_TSI_MINUTE Free,
    SQL_TSI_MONTH Free, SQL_TSI_QUARTER Free, SQL_TSI_SECOND Free, SQL_TSI_WEEK Free, SQL_TSI_YEAR Free,
    SSL Reserved, STAGE Free, START Name, STARTING Reserved, STARTS Free, STATEMENT Free,
    STATS_AUTO_RECALC Reserved, STATS_PERSISTENT Reserved, STATS_SAMPLE_PAGES Reserved, STATUS Free,
    STOP Name, STORAGE Free, STORED Name, STRAIGHT_JOIN Reserved, STRING Free, SUBCLASS_ORIGIN Free,
    SUBJECT Free, SUBPARTITION Free, SUBPARTITIONS Free, SUPER Free, SUSPEND Free, SWAPS Free,
    SWITCHES Free, SYSDATE Free, SYSTEM Free, SYSTEM_TIME Free, TABLE Reserved, TABLES Free,
    TABLESPACE Free, TABLE_CHECKSUM Free, TABLE_NAME Free, TEMPORARY Free, TEMPTABLE Free,
    TERMINATED Reserved, TEXT Name, THAN Free, THEN Reserved, THREADS Free, TIES Name, TIME Free,
    TIMESTAMP Free, TIMESTAMPADD Name, TIMESTAMPDIFF Name, TINYBLOB Reserved, TINYINT Reserved,
    TINYTEXT Reserved, TO Reserved, TRAILING Reserved, TRANSACTION Free, TRANSACTIONAL Free,
    TRIGGER Reserved, TRIGGERS Free, TRUE Reserved, TRUNCATE Name, TYPE Free, UNBOUNDED Name,
    UNCOMMITTED Free, UNDEFINED Free, UNDO Reserved, UNDOFILE Free, UNDO_BUFFER_SIZE Free, UNICODE Name,
    UNINSTALL Name, UNION Reserved, UNIQUE Reserved, UNKNOWN Free, UNLOCK Reserved, UNSIGNED Reserved,
    UNTIL Free, UPDATE Reserved, UPGRADE Name, USAGE Reserved, USE Reserved, USER Free, USER_RESOURCES Free,
    USE_FRM Free, USING Reserved, UTC_DATE Reserved, UTC_TIME Reserved, UTC_TIMESTAMP Reserved, VALUE Name,
    VALUES Reserved, VARBINARY Reserved, VARCHAR Reserved, VARCHAR2 Name, VARCHARACTER Reserved,
    VARIABLES Free, VARYING Reserved, VERSIONING Free, VIA Free, VIEW Free, VIRTUAL Free, VISIBLE Free,
    WAIT Free, WARNINGS Free, WEEK Free, WEIGHT_STRING Free, WHEN Reserved, WHERE Reserved, WHILE Reserved,
    WITH Reserved, WITHIN Free, WITHOUT Free, WORK Free, WRAPPER Name, WRITE Reserved, X509 Free, XA Name,
    XML Free, XOR Reserved, YEAR Free, YEAR_MONTH Reserved, ZEROFILL Reserved,
}

/// Length of the longest keyword.
const LONGEST: usize = longest();
/// Slots of the hash table; a power of two, sparse enough that most look-ups end at the first slot.
const SLOTS: usize = 4096;
const EMPTY: u16 = u16::MAX;
static TABLE: [u16; SLOTS] = build();

const fn longest() -> usize {
    let (mut max, mut i) = (0, 0);
    while i < WORDS.len() {
        if WORDS[i].0.len() > max {
            max = WORDS[i].0.len();
        }
        i += 1;
    }
    max
}

/// A hash of the word with bit 5 of each byte set: letters of either case are the same. `_` and digits
/// have no twin that a comparison would not tell apart.
const fn hash(word: &[u8]) -> usize {
    let mut h = word.len() as u32;
    let mut i = 0;
    while i < word.len() {
        h = (h ^ (word[i] | 0x20) as u32).wrapping_mul(0x0100_0193);
        i += 1;
    }
    ((h >> 16) ^ h) as usize & (SLOTS - 1)
}

const fn build() -> [u16; SLOTS] {
    let mut table = [EMPTY; SLOTS];
    let mut i = 0;
    while i < WORDS.len() {
        let mut slot = hash(WORDS[i].0.as_bytes());
        while table[slot] != EMPTY {
            slot = (slot + 1) & (SLOTS - 1);
        }
        table[slot] = i as u16;
        i += 1;
    }
    table
}

impl Kw {
    /// The keyword spelled by `word` in any case.
    pub fn find(word: &[u8]) -> Option<Kw> {
        if word.len() > LONGEST {
            return None;
        }
        let mut slot = hash(word);
        while TABLE[slot] != EMPTY {
            let entry = &WORDS[TABLE[slot] as usize];
            if entry.0.as_bytes().eq_ignore_ascii_case(word) {
                return Some(entry.1);
            }
            slot = (slot + 1) & (SLOTS - 1);
        }
        None
    }

    /// The word in upper case.
    pub fn word(self) -> &'static str {
        WORDS[self as usize].0
    }

    /// Whether it needs quotes to be an identifier.
    pub fn is_reserved(self) -> bool {
        matches!(WORDS[self as usize].2, Class::Reserved)
    }

    /// Whether `word(...)` may be a call of a function of that name.
    pub fn may_name_function(self) -> bool {
        matches!(WORDS[self as usize].2, Class::Free)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_word_finds_itself() {
        for (i, (word, kw, _)) in WORDS.iter().enumerate() {
            assert_eq!(*kw as usize, i);
            assert_eq!(Kw::find(word.as_bytes()), Some(*kw));
            assert_eq!(Kw::find(word.to_ascii_lowercase().as_bytes()), Some(*kw));
        }
        assert_eq!(Kw::find(b"selectt"), None);
        assert_eq!(Kw::find(b""), None);
        assert!(Kw::SELECT.is_reserved() && !Kw::STATUS.is_reserved());
    }
}
