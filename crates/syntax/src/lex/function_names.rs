//! The names of MariaDB's functions, in the order in which `information_schema.SQL_FUNCTIONS` lists them, and those of functions that
//! Oracle has otherwise.

/// Those that its grammar knows.
#[rustfmt::skip]
pub const OF_GRAMMAR: &[&str] = &[
    "ADDDATE", "BIT_AND", "BIT_OR", "BIT_XOR", "CAST", "COUNT", "CUME_DIST", "CURDATE", "CURTIME", "DATE_ADD",
    "DATE_SUB", "DENSE_RANK", "EXTRACT", "FIRST_VALUE", "GROUP_CONCAT", "JSON_ARRAYAGG", "JSON_OBJECTAGG",
    "LAG", "LEAD", "MAX", "MEDIAN", "MID", "MIN", "NOW", "NTH_VALUE", "NTILE", "POSITION", "PERCENT_RANK",
    "PERCENTILE_CONT", "PERCENTILE_DISC", "RANK", "SESSION_USER", "STD", "STDDEV", "STDDEV_POP",
    "STDDEV_SAMP", "SUBDATE", "SUBSTR", "SUBSTRING", "SUM", "SYSTEM_USER", "TRIM", "TRIM_ORACLE", "VARIANCE",
    "VAR_POP", "VAR_SAMP",
];

/// All others, but those of geometries.
#[rustfmt::skip]
pub const OF_SERVER: &[&str] = &[
    "ABS", "ACOS", "ADDTIME", "ADD_MONTHS", "AES_DECRYPT", "AES_ENCRYPT", "ASIN", "ATAN", "ATAN2",
    "BENCHMARK", "BIN", "BINLOG_GTID_POS", "BIT_COUNT", "BIT_LENGTH", "CEIL", "CEILING", "CHARACTER_LENGTH",
    "CHAR_LENGTH", "CHR", "COALESCE", "COERCIBILITY", "COLLATION", "COLUMN_CHECK", "COLUMN_EXISTS",
    "COLUMN_LIST", "COLUMN_JSON", "COMPRESS", "CONCAT", "CONCAT_OPERATOR_ORACLE", "CONCAT_WS",
    "CONNECTION_ID", "CONV", "CONVERT_TZ", "COS", "COT", "CRC32", "CRC32C", "DATABASE", "DATEDIFF",
    "DATE_FORMAT", "DAYNAME", "DAYOFMONTH", "DAYOFWEEK", "DAYOFYEAR", "DECODE", "DEGREES", "DECODE_HISTOGRAM",
    "DECODE_ORACLE", "DES_DECRYPT", "DES_ENCRYPT", "ELT", "ENCODE", "ENCRYPT", "EXP", "EXPORT_SET",
    "EXTRACTVALUE", "FIELD", "FIND_IN_SET", "FLOOR", "FORMAT", "FOUND_ROWS", "FROM_BASE64", "FROM_DAYS",
    "FROM_UNIXTIME", "GET_LOCK", "GREATEST", "HEX", "IFNULL", "INSTR", "ISNULL", "IS_FREE_LOCK",
    "IS_USED_LOCK", "JSON_ARRAY", "JSON_ARRAY_APPEND", "JSON_ARRAY_INSERT", "JSON_COMPACT", "JSON_CONTAINS",
    "JSON_CONTAINS_PATH", "JSON_DEPTH", "JSON_DETAILED", "JSON_PRETTY", "JSON_EQUALS", "JSON_EXISTS",
    "JSON_EXTRACT", "JSON_INSERT", "JSON_KEYS", "JSON_LENGTH", "JSON_LOOSE", "JSON_MERGE", "JSON_MERGE_PATCH",
    "JSON_MERGE_PRESERVE", "JSON_NORMALIZE", "JSON_QUERY", "JSON_QUOTE", "JSON_OBJECT", "JSON_OVERLAPS",
    "JSON_REMOVE", "JSON_REPLACE", "JSON_SET", "JSON_SEARCH", "JSON_TYPE", "JSON_UNQUOTE", "JSON_VALID",
    "JSON_VALUE", "LAST_DAY", "LAST_INSERT_ID", "LCASE", "LEAST", "LENGTH", "LENGTHB", "LN", "LOAD_FILE",
    "LOCATE", "LOG", "LOG10", "LOG2", "LOWER", "LPAD", "LPAD_ORACLE", "LTRIM", "LTRIM_ORACLE", "MAKEDATE",
    "MAKETIME", "MAKE_SET", "MASTER_GTID_WAIT", "MASTER_POS_WAIT", "MD5", "MICROSECOND", "MOD", "MONTHNAME",
    "NAME_CONST", "NATURAL_SORT_KEY", "NVL", "NVL2", "NULLIF", "OCT", "OCTET_LENGTH", "OLD_PASSWORD", "ORD",
    "PASSWORD", "PERIOD_ADD", "PERIOD_DIFF", "PI", "POW", "POWER", "QUARTER", "QUOTE", "RANDOM_BYTES",
    "REGEXP_INSTR", "REGEXP_REPLACE", "REGEXP_SUBSTR", "RADIANS", "RAND", "RELEASE_ALL_LOCKS", "RELEASE_LOCK",
    "REPLACE_ORACLE", "REVERSE", "ROUND", "ROW_COUNT", "RPAD", "RPAD_ORACLE", "RTRIM", "RTRIM_ORACLE",
    "SEC_TO_TIME", "SFORMAT", "SCHEMA", "SCHEMAS", "SHA", "SHA1", "SHA2", "SIGN", "SIN", "SLEEP", "SOUNDEX",
    "SPACE", "SQRT", "STRCMP", "STR_TO_DATE", "SUBSTR_ORACLE", "SUBSTRING_INDEX", "SUBTIME", "TAN",
    "TIMEDIFF", "TIME_FORMAT", "TIME_TO_SEC", "TO_BASE64", "TO_CHAR", "TO_DAYS", "TO_SECONDS", "UCASE",
    "UNCOMPRESS", "UNCOMPRESSED_LENGTH", "UNHEX", "UNIX_TIMESTAMP", "UPDATEXML", "UPPER", "UUID_SHORT",
    "VERSION", "WEEK", "WEEKDAY", "WEEKOFYEAR", "WSREP_LAST_WRITTEN_GTID", "WSREP_LAST_SEEN_GTID",
    "WSREP_SYNC_WAIT_UPTO_GTID", "YEARWEEK", "SYS_GUID", "INET6_NTOA", "IS_IPV6", "INET_ATON",
    "IS_IPV4_MAPPED", "INET_NTOA", "IS_IPV4", "IS_IPV4_COMPAT", "UUID", "INET6_ATON",
];

/// Oracle's functions, plain and in full.
const NAMES: [(&str, &str); 9] = [
    ("concat", "concat_operator_oracle"),
    ("decode", "decode_oracle"),
    ("lpad", "lpad_oracle"),
    ("ltrim", "ltrim_oracle"),
    ("replace", "replace_oracle"),
    ("rpad", "rpad_oracle"),
    ("rtrim", "rtrim_oracle"),
    ("substr", "substr_oracle"),
    ("trim", "trim_oracle"),
];

/// The full name of Oracle's function of this plain name, in lower case.
#[must_use]
pub fn oracle_name(plain: &str) -> Option<&'static str> {
    NAMES.iter().find(|(name, _)| *name == plain).map(|(_, full)| *full)
}

/// The plain name of one of Oracle's functions.
#[must_use]
pub fn plain_name(full: &str) -> Option<&'static str> {
    NAMES.iter().find(|(_, name)| *name == full).map(|(plain, _)| *plain)
}
