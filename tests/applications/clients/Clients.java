import java.nio.charset.StandardCharsets;
import java.sql.*;
import java.util.*;

/** Typical use of JDBC, and its metadata. One line "TEST tab ANSWER" per test.   java -cp DRIVER Clients.java NAME URL */
public class Clients {
    interface Body { Object run() throws Exception; }

    static void test(String name, Body body) {
        String answer;
        try { answer = String.valueOf(body.run()); }
        catch (SQLException e) { answer = "ERROR " + e.getErrorCode() + " " + e.getSQLState() + " " + e.getMessage(); }
        catch (Throwable e) { answer = "ERROR " + e; }
        System.out.println(name + "\t" + answer.replaceAll("\\(conn=[0-9]+\\)", "").replaceAll("[\n\t\r]+", " "));
    }

    static void refused(String name, Body body) {
        test(name, () -> {
            try { body.run(); } catch (SQLException e) { return "refused " + e.getErrorCode() + " " + e.getSQLState() + " " + e.getClass().getSimpleName() + " " + e.getMessage(); }
            throw new Exception("done");
        });
    }

    static String rows(ResultSet r) throws SQLException {
        ResultSetMetaData m = r.getMetaData();
        StringBuilder b = new StringBuilder();
        for (int i = 1; i <= m.getColumnCount(); i++) b.append(m.getColumnLabel(i)).append(i < m.getColumnCount() ? "," : ": ");
        int n = 0;
        while (r.next()) {
            if (n++ == 300) { b.append(" and more"); break; }
            b.append('[');
            for (int i = 1; i <= m.getColumnCount(); i++) {
                Object o = r.getObject(i);
                if (o instanceof byte[] x) o = "bytes " + new String(x, StandardCharsets.ISO_8859_1);
                b.append(o).append(i < m.getColumnCount() ? "," : "]");
            }
        }
        r.close();
        return b.toString();
    }

    static final String TYPES = "(id INT AUTO_INCREMENT PRIMARY KEY, t TINYINT, o BOOLEAN, u BIGINT UNSIGNED, d DECIMAL(20,5), f FLOAT, g DOUBLE, y YEAR, da DATE, ti TIME, dt DATETIME(6), "
        + "ts TIMESTAMP NULL, c CHAR(5), v VARCHAR(50) NOT NULL DEFAULT 'x' COMMENT 'text', b BLOB, x TEXT, e ENUM('a','b'), s SET('p','q'), bi BIT(9), b1 BIT(1), j JSON, un UUID, n6 INET6, vb VARBINARY(20), "
        + "ge INT AS (t + 1) VIRTUAL, KEY k (v, d), UNIQUE q (c)) ENGINE=MyISAM CHARACTER SET utf8mb4";

    public static void main(String[] a) throws Exception {
        for (String options : new String[] {"", "useServerPrepStmts=true&rewriteBatchedStatements=true", "useServerPrepStmts=true&useBulkStmts=true&useBulkStmtsForInserts=true", "useCursorFetch=true&defaultFetchSize=10&useServerPrepStmts=true", "useCompression=true"}) {
            String p = a[0] + (options.isEmpty() ? "" : " " + options.replaceAll("[^=&]*=true&?|default", "$0").replaceAll("=true|&|defaultFetchSize=10", " ").trim().replaceAll(" +", "+"));
            Properties q = new Properties();
            q.setProperty("user", "app"); q.setProperty("password", "secret");
            try (Connection c = DriverManager.getConnection(a[1] + "?allowMultiQueries=true&allowPublicKeyRetrieval=true&sslMode=" + (a[0].startsWith("mysql") ? "DISABLED" : "disable") + (options.isEmpty() ? "" : "&" + options), q)) {
                use(p, c);
                if (options.isEmpty()) metadata(p, c);
            } catch (SQLException e) { System.out.println(p + " connection\tERROR " + e.getMessage()); }
        }
    }

    static void use(String p, Connection c) throws SQLException {
        try (Statement s = c.createStatement()) {
            s.execute("DROP TABLE IF EXISTS types"); s.execute("DROP PROCEDURE IF EXISTS twice"); s.execute("DROP FUNCTION IF EXISTS plus");
            test(p + " create", () -> s.execute("CREATE TABLE types " + TYPES) || s.execute("CREATE PROCEDURE twice(IN a INT, OUT b INT, INOUT c VARCHAR(20)) COMMENT 'doubles' BEGIN SELECT a AS first; SELECT a, a + 1 AS next; SET b = a * 2, c = CONCAT(c, '!'); END")
                || s.execute("CREATE FUNCTION plus(a INT, b DECIMAL(8,2)) RETURNS DECIMAL(9,2) DETERMINISTIC RETURN a + b"));
            test(p + " insert", () -> {
                PreparedStatement i = c.prepareStatement("INSERT INTO types (t, o, u, d, f, g, y, da, ti, dt, ts, c, v, b, x, e, s, bi, b1, j, un, n6, vb) VALUES (?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?)", Statement.RETURN_GENERATED_KEYS);
                i.setInt(1, -7); i.setBoolean(2, true); i.setBigDecimal(3, new java.math.BigDecimal("18446744073709551615")); i.setBigDecimal(4, new java.math.BigDecimal("12345.6789")); i.setFloat(5, 1.5f); i.setDouble(6, 2.25e100); i.setInt(7, 2024);
                i.setDate(8, java.sql.Date.valueOf("2024-02-29")); i.setTime(9, Time.valueOf("12:34:56")); i.setTimestamp(10, Timestamp.valueOf("2024-02-29 23:59:59.123456")); i.setObject(11, java.time.LocalDateTime.of(2024, 1, 2, 3, 4, 5));
                i.setString(12, "abc"); i.setString(13, "Łódź 東京 😀"); i.setBytes(14, new byte[] {0, 1, -1}); i.setCharacterStream(15, new java.io.StringReader("long".repeat(1000))); i.setString(16, "b"); i.setString(17, "p,q"); i.setBytes(18, new byte[] {1, 44}); i.setBoolean(19, true);
                i.setString(20, "{\"a\": [1, null]}"); i.setString(21, "7f1c2d3e-0000-4000-8000-000000000000"); i.setString(22, "::1"); i.setBinaryStream(23, new java.io.ByteArrayInputStream(new byte[] {98, 105}));
                return i.executeUpdate() + " " + rows(i.getGeneratedKeys());
            });
            test(p + " select", () -> rows(s.executeQuery("SELECT * FROM types")));
            test(p + " prepared select", () -> { PreparedStatement i = c.prepareStatement("SELECT * FROM types WHERE id >= ?"); i.setLong(1, 1); return rows(i.executeQuery()); });
            test(p + " column metadata", () -> {
                ResultSetMetaData m = c.prepareStatement("SELECT *, 1 + 1 AS two, CONCAT(v, 'x') AS cc, d / 3 AS third FROM types").executeQuery().getMetaData();
                StringBuilder b = new StringBuilder();
                for (int i = 1; i <= m.getColumnCount(); i++) b.append(List.of(m.getColumnName(i), m.getColumnTypeName(i), m.getColumnType(i), m.getColumnDisplaySize(i), m.getPrecision(i), m.getScale(i), m.isNullable(i), m.isAutoIncrement(i), m.isSigned(i), m.isCaseSensitive(i), m.getTableName(i), m.getColumnClassName(i)));
                return b;
            });
            test(p + " batch", () -> {
                s.execute("CREATE TEMPORARY TABLE bt (id INT AUTO_INCREMENT PRIMARY KEY, a INT, v VARCHAR(20))");
                PreparedStatement i = c.prepareStatement("INSERT INTO bt (a, v) VALUES (?, ?)", Statement.RETURN_GENERATED_KEYS);
                for (int n = 0; n < 100; n++) { i.setInt(1, n); i.setString(2, n % 3 == 0 ? null : "v" + n); i.addBatch(); }
                int[] r = i.executeBatch();
                return Arrays.toString(r).length() > 100 ? r.length + " " + rows(i.getGeneratedKeys()) + rows(s.executeQuery("SELECT COUNT(*), SUM(a), COUNT(v) FROM bt")) : "";
            });
            test(p + " batch update", () -> {
                PreparedStatement i = c.prepareStatement("UPDATE bt SET a = ? WHERE id = ?");
                for (int n = 1; n < 5; n++) { i.setInt(1, n * 100); i.setInt(2, n); i.addBatch(); }
                return Arrays.toString(i.executeBatch()) + rows(s.executeQuery("SELECT SUM(a) FROM bt"));
            });
            refused(p + " batch duplicate", () -> {
                PreparedStatement i = c.prepareStatement("INSERT INTO bt (id) VALUES (?)");
                for (int n : new int[] {500, 1, 501}) { i.setInt(1, n); i.addBatch(); }
                return i.executeBatch();
            });
            test(p + " after batch duplicate", () -> rows(s.executeQuery("SELECT id FROM bt WHERE id >= 500")));
            s.execute("DROP TEMPORARY TABLE IF EXISTS bt");
            test(p + " call", () -> {
                CallableStatement k = c.prepareCall("{call twice(?, ?, ?)}");
                k.setInt(1, 21); k.registerOutParameter(2, Types.INTEGER); k.registerOutParameter(3, Types.VARCHAR); k.setString(3, "hey");
                boolean more = k.execute();
                StringBuilder b = new StringBuilder();
                while (more) { b.append(rows(k.getResultSet())); more = k.getMoreResults(); }
                return b + " " + k.getInt(2) + k.getString(3);
            });
            test(p + " call named", () -> { CallableStatement k = c.prepareCall("{call twice(?, ?, ?)}"); k.setInt("a", 3); k.setString("c", "z"); k.registerOutParameter("b", Types.INTEGER); k.execute(); return k.getInt("b"); });
            test(p + " call function", () -> { CallableStatement k = c.prepareCall("{? = call plus(?, ?)}"); k.registerOutParameter(1, Types.DECIMAL); k.setInt(2, 4); k.setBigDecimal(3, new java.math.BigDecimal("1.25")); k.execute(); return k.getBigDecimal(1); });
            test(p + " parameter metadata", () -> { ParameterMetaData m = c.prepareCall("{call twice(?, ?, ?)}").getParameterMetaData(); return m.getParameterCount() + m.getParameterTypeName(3) + m.getParameterMode(2); });
            refused(p + " duplicate", () -> s.executeUpdate("INSERT INTO types (id) VALUES (1)"));
            refused(p + " syntax", () -> s.executeQuery("SELEC 1"));
            refused(p + " unknown table", () -> c.prepareStatement("SELECT * FROM nothing").executeQuery());
            refused(p + " truncated", () -> s.executeUpdate("INSERT INTO types (t) VALUES (1000)"));
            refused(p + " timeout", () -> { Statement t = c.createStatement(); t.setQueryTimeout(1); return rows(t.executeQuery("SELECT COUNT(*) FROM seq_1_to_1000000000 WHERE seq % 7 = 3 AND SQRT(seq) > 1e9")); });
            test(p + " many statements", () -> { StringBuilder b = new StringBuilder(); boolean m = s.execute("SELECT 1; DO 0; SELECT 2"); while (m || s.getUpdateCount() != -1) { if (m) b.append(rows(s.getResultSet())); m = s.getMoreResults(); } return b; });
            test(p + " transaction", () -> { c.setAutoCommit(false); s.executeUpdate("UPDATE types SET t = 9"); c.commit(); c.rollback(); Savepoint v = c.setSavepoint("here"); c.rollback(v); c.setAutoCommit(true); return c.getTransactionIsolation(); });
            test(p + " isolation", () -> { c.setTransactionIsolation(Connection.TRANSACTION_SERIALIZABLE); int i = c.getTransactionIsolation(); c.setTransactionIsolation(Connection.TRANSACTION_READ_COMMITTED); return i + " " + c.getTransactionIsolation(); });
            test(p + " read only", () -> { c.setReadOnly(true); c.setReadOnly(false); return c.isReadOnly(); });
            test(p + " updatable", () -> { ResultSet r = c.createStatement(ResultSet.TYPE_SCROLL_INSENSITIVE, ResultSet.CONCUR_UPDATABLE).executeQuery("SELECT id, v FROM types"); r.next(); r.updateString("v", "changed"); r.updateRow(); r.close(); return rows(s.executeQuery("SELECT v FROM types")); });
            test(p + " stream", () -> { Statement t = c.createStatement(ResultSet.TYPE_FORWARD_ONLY, ResultSet.CONCUR_READ_ONLY); t.setFetchSize(p.contains("Cursor") ? 100 : 1000); ResultSet r = t.executeQuery("SELECT seq FROM seq_1_to_3000"); long n = 0; while (r.next()) n += r.getLong(1); r.close(); t.close(); return n; });
            test(p + " valid", () -> c.isValid(2));
            test(p + " catalog", () -> { c.setCatalog("other"); String o = c.getCatalog(); c.setCatalog("app"); return o + rows(s.executeQuery("SELECT DATABASE()")); });
            test(p + " max rows", () -> { s.setMaxRows(3); String r = rows(s.executeQuery("SELECT seq FROM seq_1_to_10")); s.setMaxRows(0); return r; });
        }
    }

    static void metadata(String p, Connection c) throws SQLException {
        DatabaseMetaData m = c.getMetaData();
        try (Statement s = c.createStatement()) { s.execute("CREATE OR REPLACE VIEW seen AS SELECT id, v FROM types"); s.execute("CREATE OR REPLACE TABLE second (a INT, b INT, PRIMARY KEY (a, b), KEY (b)) ENGINE=MyISAM"); s.execute("GRANT SELECT, UPDATE (v) ON app.types TO app@localhost"); }
        test(p + " tables", () -> rows(m.getTables("app", null, "%", null)));
        test(p + " views", () -> rows(m.getTables("app", null, "%", new String[] {"VIEW"})));
        test(p + " table types", () -> rows(m.getTableTypes()));
        test(p + " columns", () -> rows(m.getColumns("app", null, "types", "%")));
        test(p + " primary keys", () -> rows(m.getPrimaryKeys("app", null, "second")));
        test(p + " index info", () -> rows(m.getIndexInfo("app", null, "second", false, true)));
        test(p + " imported keys", () -> rows(m.getImportedKeys("app", null, "types")));
        test(p + " exported keys", () -> rows(m.getExportedKeys("app", null, "types")));
        test(p + " cross reference", () -> rows(m.getCrossReference("app", null, "types", "app", null, "second")));
        test(p + " best row", () -> rows(m.getBestRowIdentifier("app", null, "types", DatabaseMetaData.bestRowSession, true)));
        test(p + " version columns", () -> rows(m.getVersionColumns("app", null, "types")));
        test(p + " procedures", () -> rows(m.getProcedures("app", null, "%")));
        test(p + " procedure columns", () -> rows(m.getProcedureColumns("app", null, "twice", "%")));
        test(p + " functions", () -> rows(m.getFunctions("app", null, "%")));
        test(p + " function columns", () -> rows(m.getFunctionColumns("app", null, "plus", "%")));
        test(p + " catalogs", () -> rows(m.getCatalogs()).replaceAll("\\[(performance_schema|sys|test)\\]", ""));
        test(p + " schemas", () -> rows(m.getSchemas()));
        test(p + " type info", () -> rows(m.getTypeInfo()));
        test(p + " table privileges", () -> rows(m.getTablePrivileges("app", null, "types")));
        test(p + " column privileges", () -> rows(m.getColumnPrivileges("app", null, "types", "%")));
        test(p + " client info", () -> rows(m.getClientInfoProperties()));
        test(p + " keywords", () -> m.getSQLKeywords());
        test(p + " functions known", () -> m.getNumericFunctions() + m.getStringFunctions() + m.getSystemFunctions() + m.getTimeDateFunctions());
        test(p + " versions", () -> m.getDatabaseMajorVersion() + "." + m.getDatabaseMinorVersion() + " " + m.getDatabaseProductName() + m.getMaxColumnNameLength() + m.storesLowerCaseIdentifiers() + m.supportsMixedCaseIdentifiers());
    }
}
