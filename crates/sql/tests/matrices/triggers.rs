//! What triggers see and assign, by the type of the column.

/// Columns of every type as OLD and NEW: read, assigned from a text, a number and NULL, and from each other's rows.
pub fn statements() -> String {
    let types = [
        "tinyint",
        "smallint unsigned",
        "mediumint",
        "int",
        "bigint unsigned",
        "decimal(10,2)",
        "float",
        "double",
        "bit(9)",
        "year",
        "date",
        "time",
        "time(3)",
        "datetime",
        "datetime(6)",
        "timestamp null",
        "char(5)",
        "varchar(20)",
        "varchar(20) character set latin1",
        "binary(4)",
        "varbinary(10)",
        "tinytext",
        "text",
        "blob",
        "enum('a','1','12')",
        "set('a','b','12')",
    ];
    let values = ["'12'", "12", "null", "'2020-02-03 04:05:06.789'", "'a'", "1.5", "'\u{e4}'"];
    let mut script = String::from("=> set timestamp=1600000000\n");
    for (n, ty) in types.iter().enumerate() {
        let shown = |row: &str| match *ty {
            "bit(9)" => format!("{row}.v+0"),
            _ => format!("hex({row}.v)"),
        };
        script.push_str(&format!(
            "=> create table m{n} (k int primary key, v {ty}, w {ty} not null)\n\
             => create trigger a{n} before insert on m{n} for each row set @o=concat_ws(',', 'i', {new}, hex(new.w)), new.w=ifnull(new.v, new.w)\n\
             => create trigger b{n} after insert on m{n} for each row set @p=concat_ws(',', 'ai', {new}, hex(new.w))\n\
             => create trigger c{n} before update on m{n} for each row set @o=concat_ws(',', 'u', {old}, {new}, hex(old.w)), new.v=old.w\n\
             => create trigger d{n} after delete on m{n} for each row set @o=concat_ws(',', 'd', {old}, hex(old.w))\n",
            new = shown("new"),
            old = shown("old"),
        ));
        for (k, v) in values.iter().enumerate() {
            for mode in ["''", "default"] {
                script.push_str(&format!(
                    "=> set sql_mode={mode}, @o='', @p=''\n=> replace into m{n} (k,v) values ({k}, {v})\n=> show warnings\n=> select @o, @p\n\
                     => update m{n} set v={v} where k={k}\n=> show warnings\n=> select @o\n"
                ));
            }
        }
        script.push_str(&format!(
            "=> select k, hex(v), hex(w) from m{n} order by k\n=> delete from m{n} where k=0\n=> select @o\n\
             => create or replace trigger c{n} before update on m{n} for each row set new.v=@v, new.w=@w\n"
        ));
        for v in values {
            script.push_str(&format!(
                "=> set @v={v}, @w='1'\n=> update m{n} set k=k+10\n=> select k, hex(v), hex(w) from m{n} order by k\n\
                 => set sql_mode=''\n=> update m{n} set k=k+10\n=> select k, hex(v), hex(w) from m{n} order by k\n=> set sql_mode=default\n"
            ));
        }
    }
    script
}
