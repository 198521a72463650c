// Typical use of the MySQL clients and mappers of Node. One line "TEST<tab>ANSWER" per test; the same lines on every server.
//   node node.cjs PORT
const port = Number(process.argv[2]);
const config = { host: '127.0.0.1', port, user: 'app', password: 'secret', database: 'app' };
const show = (v) => JSON.stringify(v, (_, x) => (typeof x === 'bigint' ? x.toString() : x));

async function test(name, body) {
    let answer;
    try {
        answer = show(await Promise.race([body(), new Promise((_, no) => setTimeout(() => no(new Error('timed out')), 30000).unref())]));
    } catch (e) {
        answer = `ERROR ${e.errno ?? e.parent?.errno ?? ''} ${e.sqlState ?? e.parent?.sqlState ?? ''} ${(e.sqlMessage ?? e.parent?.sqlMessage ?? e.message).split('\n')[0]}`;
    }
    console.log(`${name}\t${answer}`);
}

const refused = (name, body) => test(name, () => body().then(() => { throw new Error('done'); }, (e) => { const x = e.parent ?? e; if (!x.errno) throw e; return `refused: ${x.errno} ${x.sqlState} ${x.sqlMessage}`; }));

const TYPES = `CREATE TABLE types (id INT AUTO_INCREMENT PRIMARY KEY, t TINYINT, u BIGINT UNSIGNED, d DECIMAL(20,5), f FLOAT, g DOUBLE, y YEAR,
    da DATE, ti TIME(3), dt DATETIME(6), ts TIMESTAMP NULL, c CHAR(5), v VARCHAR(50), b BLOB, x TEXT, e ENUM('a','b'), s SET('p','q'), bi BIT(9),
    j JSON, un CHAR(36) DEFAULT 'none', vb VARBINARY(20)) ENGINE=MyISAM`;
const ROW = [-7, '18446744073709551615', '12345.67890', 1.5, 2.25e100, 2024, '2024-02-29', '-12:34:56.789', '2024-02-29 23:59:59.123456',
    '2024-01-02 03:04:05', 'abc', 'Łódź 東京', Buffer.from([0, 1, 255]), 'long'.repeat(1000), 'b', 'p,q', 300, '{"a": [1, null]}', 'u', Buffer.from('bin')];
const COLUMNS = 't,u,d,f,g,y,da,ti,dt,ts,c,v,b,x,e,s,bi,j,un,vb';
const insert = `INSERT INTO types (${COLUMNS}) VALUES (${ROW.map(() => '?').join(',')})`;
const PROCEDURE = `CREATE PROCEDURE twice(IN a INT, OUT b INT) BEGIN SELECT a AS first; SELECT a, a + 1 AS next; SET b = a * 2; END`;

// The part that mysql2, mysql and mariadb have in common; q(sql, values) gives [rows, fields].
async function common(p, q, execute) {
    await test(`${p} create`, async () => { await q('DROP TABLE IF EXISTS types'); await q('DROP PROCEDURE IF EXISTS twice'); await q(TYPES); await q(PROCEDURE); });
    await test(`${p} insert`, async () => { const [r] = await q(insert, ROW); return [r.affectedRows, r.insertId]; });
    await test(`${p} select`, async () => (await q('SELECT * FROM types'))[0]);
    if (execute) {
        await test(`${p} execute insert`, async () => { const [r] = await execute(insert, ROW); return [r.affectedRows, r.insertId]; });
        await test(`${p} execute select`, async () => (await execute('SELECT * FROM types WHERE id = ?', [2]))[0]);
        await test(`${p} execute null`, async () => (await execute('SELECT ? AS a, ? IS NULL AS b', [null, null]))[0]);
        for (const sql of ['SELECT NOW() > ?', 'SELECT ? + 1', 'SELECT * FROM types WHERE v LIKE ? LIMIT 1', 'SELECT COUNT(*) FROM types WHERE id IN (?)']) {
            await test(`${p} execute ${sql}`, async () => (await execute(sql, ['2']))[0]);
        }
        await test(`${p} execute call`, async () => (await execute('CALL twice(?, @b)', [4]))[0]);
        await refused(`${p} execute error`, async () => execute('SELECT nothing FROM types WHERE id = ?', [1]));
    }
    await test(`${p} call`, async () => (await q('CALL twice(21, @b)'))[0]);
    await test(`${p} out parameter`, async () => (await q('SELECT @b AS b'))[0]);
    await test(`${p} fields`, async () => (await q('SELECT id, u, d, v, b, bi, j, 1.5 AS k FROM types'))[1].map((f) => [f.name, f.table, f.orgTable,
        f.columnType ?? f.type, f.columnLength ?? f.length, f.flags, f.decimals ?? f.scale, f.characterSet ?? f.charsetNr ?? f.collation?.index]));
    await refused(`${p} duplicate`, async () => q('INSERT INTO types (id) VALUES (1)'));
    await refused(`${p} syntax`, async () => q('SELEC 1'));
    await refused(`${p} unknown table`, async () => q('SELECT * FROM nothing'));
    await test(`${p} update`, async () => { const [r] = await q('UPDATE types SET t = t + 1 WHERE id < ?', [100]); return [r.affectedRows, r.changedRows, r.message ?? r.info]; });
    await test(`${p} upsert`, async () => { const [r] = await q('INSERT INTO types (id, t) VALUES (1, 5) ON DUPLICATE KEY UPDATE t = VALUES(t)'); return [r.affectedRows, r.insertId]; });
    await test(`${p} returning`, async () => (await q("INSERT INTO types (v) VALUES ('r1'), ('r2') RETURNING id, v"))[0]);
    await test(`${p} warnings`, async () => { const [r] = await q("INSERT IGNORE INTO types (t) VALUES (1000)"); return [r.warningStatus ?? r.warningCount, (await q('SHOW WARNINGS'))[0]]; });
    await test(`${p} transaction`, async () => { await q('START TRANSACTION'); await q('DELETE FROM types WHERE id > 2'); await q('COMMIT'); return (await q('SELECT COUNT(*) n FROM types'))[0]; });
    await test(`${p} show`, async () => (await q('SHOW FULL COLUMNS FROM types'))[0]);
    await test(`${p} indexes`, async () => (await q('SHOW INDEX FROM types'))[0]);
    await test(`${p} large`, async () => (await q('SELECT LENGTH(?) n, MD5(?) m', ['x'.repeat(5e6), 'y'.repeat(5e6)]))[0]);
    await test(`${p} many rows`, async () => { const [r] = await q('SELECT seq, REPEAT(seq, 20) t FROM seq_1_to_20000'); return [r.length, r[19999]]; });
}

async function mysql2() {
    const lib = require('mysql2/promise');
    for (const compress of [false, true]) {
        const p = compress ? 'mysql2 compressed' : 'mysql2';
        const c = await lib.createConnection({ ...config, compress, multipleStatements: true });
        await common(p, (s, v) => c.query(s, v), (s, v) => c.execute(s, v));
        await test(`${p} many statements`, async () => (await c.query('SELECT 1 AS a; SELECT 2 AS b; DO 0; SELECT 3 AS c'))[0]);
        await test(`${p} array rows`, async () => (await c.query({ sql: 'SELECT 1, 2, 2', rowsAsArray: true }))[0]);
        await test(`${p} ping`, () => c.ping());
        await test(`${p} change user`, () => c.changeUser({ database: 'other' }).then(() => c.query('SELECT DATABASE() d, CURRENT_USER() u')).then((r) => r[0]));
        await refused(`${p} wrong password`, () => lib.createConnection({ ...config, password: 'no' }));
        await test(`${p} prepare`, async () => { const s = await c.prepare('SELECT ? + ? AS n'); const r = [(await s.execute([1, 2]))[0], (await s.execute([3, 4]))[0]]; await s.close(); return r; });
        await c.end();
    }
    await test('mysql2 tls', async () => { const t = await lib.createConnection({ ...config, ssl: { rejectUnauthorized: false } }); const [r] = await t.query("SHOW STATUS LIKE 'Ssl_version'"); await t.end(); return r[0].Value.startsWith('TLS'); });
    await test('mysql2 pool', async () => { const pool = lib.createPool({ ...config, connectionLimit: 5 }); const all = await Promise.all([...Array(50).keys()].map((n) => pool.execute('SELECT ? * 2 AS n', [n]))); await pool.end(); return all.map((r) => r[0][0].n).length; });
    await test('mysql2 stream', () => new Promise((yes, no) => { const c = require('mysql2').createConnection(config); let n = 0; c.query('SELECT * FROM seq_1_to_5000').stream().on('data', () => n++).on('end', () => { c.end(); yes(n); }).on('error', no); }));
    await test('mysql2 infile', async () => { const c = await lib.createConnection({ ...config, infileStreamFactory: () => require('stream').Readable.from(['1\tone\n2\ttwo\n']) }); await c.query('CREATE TEMPORARY TABLE l (a INT, b TEXT)'); await c.query("LOAD DATA LOCAL INFILE 'x' INTO TABLE l"); const [r] = await c.query('SELECT * FROM l'); await c.end(); return r; });
}

async function mysql() {
    const c = require('mysql').createConnection({ ...config, multipleStatements: true });
    const q = (s, v) => new Promise((yes, no) => c.query(s, v, (e, r, f) => (e ? no(e) : yes([r, f]))));
    await common('mysql', q);
    await test('mysql many statements', async () => (await q('SELECT 1 AS a; SELECT 2 AS b'))[0]);
    await test('mysql statistics', () => new Promise((yes, no) => c.statistics((e, r) => (e ? no(e) : yes(Object.keys(r))))));
    c.end();
}

async function mariadb() {
    const lib = require('mariadb');
    const c = await lib.createConnection({ ...config, multipleStatements: true });
    const q = async (s, v) => { const r = await c.query(s, v); return [r, r.meta ?? []]; };
    const x = async (s, v) => { const r = await c.execute(s, v); return [r, r.meta ?? []]; };
    await common('mariadb', (s, v) => q({ sql: s }, v), x);
    await test('mariadb batch', async () => { await q('CREATE TEMPORARY TABLE bt (id INT AUTO_INCREMENT PRIMARY KEY, v VARCHAR(20), n INT NULL)'); const r = await c.batch('INSERT INTO bt (v, n) VALUES (?, ?)', [['a', 1], ['b', null], ['c', 3]]); return [r.affectedRows, await c.query('SELECT * FROM bt')]; });
    await test('mariadb bulk update', async () => { const r = await c.batch('UPDATE bt SET n = ? WHERE v = ?', [[10, 'a'], [20, 'b']]); return [r.affectedRows ?? r, await c.query('SELECT * FROM bt')]; });
    await test('mariadb bulk returning', async () => c.batch('INSERT INTO bt (v) VALUES (?) RETURNING id', [['x'], ['y']]));
    await test('mariadb reset', () => c.reset());
    await test('mariadb import', async () => { const f = require('path').join(require('os').tmpdir(), `import-${process.pid}.sql`); require('fs').writeFileSync(f, "CREATE TABLE IF NOT EXISTS im (a INT);\nDELETE FROM im;\nINSERT INTO im VALUES (1),(2);\n-- end\n"); await c.importFile({ file: f }); require('fs').unlinkSync(f); return c.query('SELECT * FROM im'); });
    await c.end();
}

async function knex() {
    const k = require('knex')({ client: 'mysql2', connection: config });
    await test('knex schema', async () => { await k.schema.dropTableIfExists('kp').dropTableIfExists('ku'); await k.schema.createTable('ku', (t) => { t.increments(); t.string('name', 50).notNullable().unique(); t.json('data'); t.timestamps(true, true); }); await k.schema.createTable('kp', (t) => { t.increments(); t.integer('user').unsigned().index(); t.text('body'); }); });
    await test('knex insert', () => k('ku').insert([{ name: 'a', data: '{"k": 1}' }, { name: 'b' }]));
    await test('knex upsert', () => k('ku').insert({ name: 'a', data: '{"k": 2}' }).onConflict('name').merge());
    await test('knex ignore', () => k('ku').insert({ name: 'a' }).onConflict('name').ignore());
    await test('knex select', () => k('ku').select('id', 'name', 'data').orderBy('id'));
    await test('knex json', () => k('ku').select('name').whereJsonPath('data', '$.k', '=', 2));
    await test('knex join', async () => { await k('kp').insert([{ user: 1, body: 'x' }, { user: 1, body: 'y' }]); return k('ku').leftJoin('kp', 'kp.user', 'ku.id').groupBy('ku.id').select('ku.id').count('kp.id as n').orderBy('ku.id'); });
    await test('knex window', () => k('kp').select('id').rowNumber('n', (o) => o.partitionBy('user').orderBy('id', 'desc')).orderBy('id'));
    await test('knex with', () => k.withRecursive('c', ['n'], (q) => q.select(k.raw('1 AS n')).union((u) => u.select(k.raw('n + 1')).from('c').where('n', '<', 5))).select().from('c'));
    await test('knex columns', () => k('ku').columnInfo());
    await test('knex alter', () => k.schema.alterTable('ku', (t) => { t.string('name', 80).notNullable().alter(); t.integer('extra').defaultTo(3); t.index(['extra', 'name']); t.renameColumn('data', 'payload'); }));
    await test('knex altered', () => k('ku').columnInfo());
    await test('knex transaction', () => k.transaction(async (t) => { await t('kp').where('id', 1).forUpdate().select(); return t('kp').where('id', 1).update({ body: 'z' }); }));
    await test('knex has', async () => [await k.schema.hasTable('ku'), await k.schema.hasColumn('ku', 'nothing')]);
    await k.destroy();
}

async function sequelize() {
    const { Sequelize, DataTypes, Op } = require('sequelize');
    for (const dialect of ['mysql', 'mariadb']) {
        const s = new Sequelize('app', 'app', 'secret', { host: '127.0.0.1', port, dialect, logging: false });
        const p = `sequelize ${dialect}`;
        const U = s.define('su', { name: { type: DataTypes.STRING, unique: true }, score: DataTypes.DECIMAL(10, 2), data: DataTypes.JSON, kind: DataTypes.ENUM('x', 'y'), key: DataTypes.UUID, raw: DataTypes.BLOB, on: DataTypes.BOOLEAN, day: DataTypes.DATEONLY }, { timestamps: false, paranoid: false });
        const P = s.define('sp', { title: DataTypes.STRING }, { timestamps: false });
        U.hasMany(P, { constraints: false }); P.belongsTo(U, { constraints: false });
        await test(`${p} sync`, async () => { await s.sync({ force: true }); });
        await test(`${p} create`, async () => (await U.create({ name: 'a', score: 1.25, data: { k: [1, 2], o: { z: 'q' } }, kind: 'y', key: '7f1c2d3e-0000-4000-8000-000000000000', raw: Buffer.from('r'), on: true, day: '2024-05-06' })).get());
        await test(`${p} bulk`, async () => (await U.bulkCreate([{ name: 'b' }, { name: 'c' }])).length);
        await test(`${p} find`, async () => (await U.findAll({ order: ['id'], raw: true })));
        await test(`${p} json`, async () => (await U.findAll({ where: { 'data.o.z': 'q' }, attributes: ['name'], raw: true })));
        await test(`${p} like`, async () => U.count({ where: { name: { [Op.or]: [{ [Op.like]: 'a%' }, { [Op.in]: ['b'] }, { [Op.regexp]: '^c' }] } } }));
        await test(`${p} upsert`, async () => { await U.upsert({ name: 'a', score: 9 }); return U.findAll({ attributes: ['name', 'score'], order: ['id'], raw: true }); });
        await test(`${p} include`, async () => { await P.bulkCreate([{ title: 't1', suId: 1 }, { title: 't2', suId: 1 }]); return (await U.findAll({ include: P, order: ['id', [P, 'id']], limit: 2 })).map((u) => [u.name, u.sps.map((x) => x.title)]); });
        await refused(`${p} unique error`, () => U.create({ name: 'a' }));
        await test(`${p} describe`, () => s.getQueryInterface().describeTable('sus'));
        await test(`${p} indexes`, () => s.getQueryInterface().showIndex('sus'));
        await test(`${p} alter`, async () => { await s.sync({ alter: true }); });
        await test(`${p} tables`, async () => (await s.getQueryInterface().showAllTables()).length > 0);
        await test(`${p} transaction`, () => s.transaction(async (t) => U.update({ score: 2 }, { where: { name: 'b' }, transaction: t })));
        await test(`${p} increment`, async () => { await U.increment('score', { by: 3, where: { name: 'b' } }); return (await U.findOne({ where: { name: 'b' } })).score; });
        await s.close();
    }
}

async function typeorm() {
    require('reflect-metadata');
    const { DataSource, EntitySchema } = require('typeorm');
    for (const type of ['mysql', 'mariadb']) {
        const p = `typeorm ${type}`;
        const User = new EntitySchema({ name: 'tu', columns: { id: { type: Number, primary: true, generated: true }, name: { type: String, unique: true }, data: { type: 'json', nullable: true }, made: { type: 'datetime', precision: 6, createDate: true }, total: { type: 'decimal', precision: 10, scale: 2, default: 0 } }, relations: { posts: { type: 'one-to-many', target: 'tp', inverseSide: 'user' } } });
        const Post = new EntitySchema({ name: 'tp', columns: { id: { type: Number, primary: true, generated: 'uuid' }, title: { type: String } }, relations: { user: { type: 'many-to-one', target: 'tu', inverseSide: 'posts', createForeignKeyConstraints: false } } });
        const d = new DataSource({ type, connectorPackage: 'mysql2', host: '127.0.0.1', port, username: 'app', password: 'secret', database: `typeorm_${type}`, entities: [User, Post], synchronize: true, dropSchema: true });
        await test(`${p} initialize`, async () => { await d.initialize(); });
        const users = () => d.getRepository('tu');
        await test(`${p} save`, async () => { const u = await users().save({ name: 'a', data: { k: 1 } }); return [u.id, u.name, u.total, u.made instanceof Date]; });
        await test(`${p} relation`, async () => { const u = await users().findOneBy({ name: 'a' }); await d.getRepository('tp').save([{ title: 'x', user: u }, { title: 'y', user: u }]); return (await users().find({ relations: { posts: true }, order: { posts: { title: 'ASC' } } })).map((x) => x.posts.map((y) => y.title)); });
        await test(`${p} builder`, () => users().createQueryBuilder('u').leftJoin('u.posts', 'p').select('u.name', 'name').addSelect('COUNT(p.id)', 'n').groupBy('u.id').getRawMany());
        await test(`${p} update`, async () => (await users().update({ name: 'a' }, { total: 5 })).affected);
        await test(`${p} upsert`, async () => { await users().upsert({ name: 'a', total: 7 }, ['name']); return (await users().findOneBy({ name: 'a' })).total; });
        await test(`${p} transaction`, () => d.transaction(async (m) => m.count('tu')));
        await test(`${p} page`, () => d.getRepository('tp').createQueryBuilder('p').leftJoinAndSelect('p.user', 'u').orderBy('p.title').skip(1).take(1).getMany().then((r) => r.map((x) => [x.title, x.user.name])));
        await test(`${p} synchronize again`, async () => { await d.synchronize(); return (await d.driver.createSchemaBuilder().log()).upQueries.map((q) => q.query); });
        await test(`${p} schema`, async () => { const r = d.createQueryRunner(); const t = await r.getTable('tu'); await r.release(); return t.columns.map((c) => [c.name, c.type, c.length, c.default, c.isNullable, c.isGenerated]); });
        if (d.isInitialized) await d.destroy();
    }
}

process.on('uncaughtException', (e) => console.log(`uncaught\t${e.message}`));
(async () => {
    for (const part of [mysql2, mysql, mariadb, knex, sequelize, typeorm]) await part().catch((e) => console.log(`${part.name} whole\tERROR ${e.message}`));
    process.exit(0);
})();
