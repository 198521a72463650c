//! Accounts, roles, GRANT and REVOKE.

use super::Parser;
use crate::ast::*;
use crate::error::{SqlError, SqlResult};
use crate::lex::{Kw, T};

impl<'a> Parser<'a> {
    fn account_without_host(&mut self) -> SqlResult<Account> {
        match self.kw() {
            Some(Kw::CURRENT_USER) => {
                self.advance();
                if self.eat(T::LParen) {
                    self.expect(T::RParen)?;
                }
                return Ok(Account::CurrentUser);
            }
            Some(Kw::CURRENT_ROLE) => {
                self.advance();
                if self.eat(T::LParen) {
                    self.expect(T::RParen)?;
                }
                return Ok(Account::CurrentRole);
            }
            _ => {}
        }
        if self.at_word("PUBLIC") && !matches!(self.peek(), T::UserVar | T::At) {
            self.advance();
            return Ok(Account::Public);
        }
        Ok(Account::Named { user: self.ident_or_text()?, host: None })
    }

    /// `user[@host]`, CURRENT_USER, CURRENT_ROLE.
    pub(crate) fn account(&mut self) -> SqlResult<Account> {
        let account = self.account_without_host()?;
        let Account::Named { user, .. } = account else { return Ok(account) };
        let host = match self.tok.kind {
            T::UserVar => {
                let host = self.to_utf8(&self.text(self.tok)[1..])?;
                self.advance();
                Some(host)
            }
            T::At => {
                self.advance();
                match self.tok.kind {
                    T::Str | T::Quoted => Some(self.ident_or_text()?),
                    _ => Some("".into()),
                }
            }
            _ => None,
        };
        if host.as_ref().is_some_and(|h| h.contains('@')) {
            let text = "Malformed hostname (illegal symbol: '@')".to_string();
            return Err(SqlError::with_message(crate::error::ER_UNKNOWN_ERROR, text));
        }
        Ok(Account::Named { user, host })
    }

    /// The name of a role: it has no host.
    pub(crate) fn role(&mut self) -> SqlResult<Account> {
        let account = self.account_without_host()?;
        Ok(account)
    }

    /// An account with IDENTIFIED.
    fn user_spec(&mut self) -> SqlResult<UserSpec> {
        let account = self.account()?;
        let mut identified = None;
        if self.eat_kw(Kw::IDENTIFIED) {
            if self.eat_kw(Kw::BY) {
                if self.eat_kw(Kw::PASSWORD) {
                    identified = Some(Identified::Hash(self.text_string()?));
                } else {
                    identified = Some(Identified::By(self.text_string()?));
                }
            } else {
                if !self.eat_kw(Kw::VIA) {
                    self.expect_kw(Kw::WITH)?;
                }
                let mut via = vec![self.via()?];
                while self.eat_kw(Kw::OR) {
                    via.push(self.via()?);
                }
                identified = Some(Identified::Via(via));
            }
        }
        Ok(UserSpec { account, identified })
    }

    fn via(&mut self) -> SqlResult<Via> {
        let plugin = self.ident_or_text()?;
        let value = if self.eat_kw(Kw::USING) || self.eat_kw(Kw::AS) {
            if self.at_kw(Kw::OLD_PASSWORD) {
                return Err(self.error());
            }
            Some(self.password_value()?)
        } else if plugin.eq_ignore_ascii_case("caching_sha2_password") && self.eat_kw(Kw::BY) {
            // MySQL's, with MySQL's plugin.
            Some(PasswordValue::Plain(self.text_string()?))
        } else {
            None
        };
        Ok(Via { plugin, value })
    }

    /// CREATE USER, at USER.
    pub(crate) fn create_user(&mut self, or_replace: bool) -> SqlResult<Statement> {
        self.advance();
        let if_exists = self.if_not_exists_or_replace(or_replace)?;
        let users = self.comma_list(Self::user_spec)?;
        let options = self.account_options(true)?;
        Ok(Statement::User(Box::new(UserStatement { alter: false, or_replace, if_exists, users, options })))
    }

    /// ALTER USER, at USER.
    pub(crate) fn alter_user(&mut self) -> SqlResult<Statement> {
        self.advance();
        let if_exists = self.if_exists()?;
        let users = self.comma_list(Self::user_spec)?;
        let options = self.account_options(true)?;
        Ok(Statement::User(Box::new(UserStatement {
            alter: true,
            or_replace: false,
            if_exists,
            users,
            options,
        })))
    }

    /// CREATE ROLE, at ROLE.
    pub(crate) fn create_role(&mut self, or_replace: bool) -> SqlResult<Statement> {
        self.advance();
        let if_exists = self.if_not_exists_or_replace(or_replace)?;
        let roles = self.comma_list(Self::role)?;
        let admin = if self.eat_kw(Kw::WITH) {
            self.expect_kw(Kw::ADMIN)?;
            Some(self.account()?)
        } else {
            None
        };
        Ok(Statement::Role(RoleStatement { drop: false, or_replace, if_exists, roles, admin }))
    }

    /// REQUIRE ... WITH limits ... ACCOUNT ... PASSWORD ...
    fn account_options(&mut self, lock_allowed: bool) -> SqlResult<AccountOptions> {
        let mut options = AccountOptions::default();
        if self.eat_kw(Kw::REQUIRE) {
            self.require(&mut options)?;
        }
        if self.at_kw(Kw::WITH) && lock_allowed {
            self.advance();
            let mut any = false;
            while let Some(limit) = self.resource_limit()? {
                options.limits.push(limit);
                any = true;
            }
            if !any {
                return Err(self.error());
            }
        }
        loop {
            if !lock_allowed {
                break;
            }
            if self.eat_kw(Kw::ACCOUNT) {
                let locked = self.at_kw(Kw::LOCK);
                if !locked && !self.at_kw(Kw::UNLOCK) {
                    return Err(self.error());
                }
                self.advance();
                options.locked = Some(locked);
            } else if self.eat_kw(Kw::PASSWORD) {
                self.expect_kw(Kw::EXPIRE)?;
                options.expire = Some(self.expiry()?);
            } else {
                break;
            }
        }
        Ok(options)
    }

    fn expiry(&mut self) -> SqlResult<Name> {
        if self.eat_kw(Kw::NEVER) {
            return Ok("NEVER".into());
        }
        if self.eat_kw(Kw::DEFAULT) {
            return Ok("DEFAULT".into());
        }
        if self.eat_kw(Kw::INTERVAL) {
            let days = self.number()?;
            self.expect_kw(Kw::DAY)?;
            return Ok(format!("INTERVAL {days} DAY").into());
        }
        Ok("NOW".into())
    }

    fn require(&mut self, options: &mut AccountOptions) -> SqlResult<()> {
        if let Some(kw @ (Kw::NONE | Kw::SSL | Kw::X509)) = self.kw() {
            self.advance();
            options.require.push((kw.word().into(), Box::default()));
            return Ok(());
        }
        loop {
            match self.kw() {
                Some(kw @ (Kw::SUBJECT | Kw::ISSUER | Kw::CIPHER)) => {
                    self.advance();
                    let text = self.string_token()?;
                    options.require.push((kw.word().into(), text));
                }
                _ => return Err(self.error()),
            }
            let more = self.eat_kw(Kw::AND);
            if !more && !matches!(self.kw(), Some(Kw::SUBJECT | Kw::ISSUER | Kw::CIPHER)) {
                return Ok(());
            }
        }
    }

    fn resource_limit(&mut self) -> SqlResult<Option<(Name, i64)>> {
        let kw = match self.kw() {
            Some(
                kw @ (Kw::MAX_QUERIES_PER_HOUR
                | Kw::MAX_UPDATES_PER_HOUR
                | Kw::MAX_CONNECTIONS_PER_HOUR
                | Kw::MAX_USER_CONNECTIONS
                | Kw::MAX_STATEMENT_TIME),
            ) => kw,
            _ => return Ok(None),
        };
        self.advance();
        if kw == Kw::MAX_STATEMENT_TIME && matches!(self.tok.kind, T::Decimal | T::Float) {
            let seconds: f64 = String::from_utf8_lossy(self.text(self.tok)).parse().unwrap_or(0.0);
            self.advance();
            return Ok(Some((kw.word().into(), (seconds * 1e6).round() as i64)));
        }
        let negative = kw == Kw::MAX_USER_CONNECTIONS && self.eat(T::Minus);
        let n = i64::try_from(self.number()?).unwrap_or(i64::MAX);
        let n = if kw == Kw::MAX_STATEMENT_TIME { n.saturating_mul(1_000_000) } else { n };
        Ok(Some((kw.word().into(), if negative { -n } else { n })))
    }

    /// GRANT, REVOKE, at the word.
    pub(crate) fn grant(&mut self) -> SqlResult<Statement> {
        let revoke = self.at_kw(Kw::REVOKE);
        self.advance();
        let mut grant = Grant {
            revoke,
            what: GrantWhat::Everything,
            users: Vec::new(),
            with_grant: false,
            options: AccountOptions::default(),
        };
        if self.at_kw(Kw::PROXY) && self.peek() == T::Kw(Kw::ON) {
            self.advance();
            self.advance();
            grant.what = GrantWhat::Proxy(self.account()?);
            self.grant_to(&mut grant)?;
            return Ok(Statement::Grant(Box::new(grant)));
        }
        if self.grants_roles(revoke) {
            if revoke && self.eat_kw(Kw::ADMIN) {
                self.expect_kw(Kw::OPTION)?;
                self.expect_kw(Kw::FOR)?;
            }
            // One role at a time.
            grant.what = GrantWhat::Roles(vec![self.account()?]);
            self.grant_to(&mut grant)?;
            return Ok(Statement::Grant(Box::new(grant)));
        }
        let privileges = self.privileges(revoke)?;
        let everything = revoke
            && privileges.len() == 2
            && &*privileges[0].0 == "ALL"
            && &*privileges[1].0 == "GRANT OPTION"
            && self.at_kw(Kw::FROM);
        if !everything {
            self.expect_kw(Kw::ON)?;
            let mut object = "TABLE";
            if let Some(kw @ (Kw::TABLE | Kw::FUNCTION | Kw::PROCEDURE)) = self.kw() {
                self.advance();
                object = kw.word();
            }
            let target = self.grant_target()?;
            grant.what = GrantWhat::Privileges { privileges, object: object.into(), target };
        }
        self.grant_to(&mut grant)?;
        Ok(Statement::Grant(Box::new(grant)))
    }

    /// Whether roles are granted: names up to TO / FROM without ON.
    fn grants_roles(&mut self, revoke: bool) -> bool {
        if revoke && self.at_kw(Kw::ADMIN) && self.peek() == T::Kw(Kw::OPTION) {
            return true;
        }
        let mut look = self.look();
        let mut token = self.tok;
        loop {
            match token.kind {
                T::Kw(Kw::ON | Kw::ALL | Kw::GRANT) | T::LParen | T::Eof | T::Semi | T::Bad => return false,
                T::Kw(Kw::TO | Kw::FROM) => return true,
                _ => {}
            }
            token = look.next_token();
        }
    }

    fn privileges(&mut self, revoke: bool) -> SqlResult<Vec<(Name, Vec<Name>)>> {
        let mut all = false;
        self.comma_list(|p| {
            let name = p.privilege()?;
            if all && !(revoke && &*name == "GRANT OPTION") {
                return Err(p.error_at(p.prev_end as usize - name.len().min(p.prev_end as usize)));
            }
            all = &*name == "ALL";
            let columns =
                if p.at(T::LParen) && matches!(&*name, "SELECT" | "INSERT" | "UPDATE" | "REFERENCES") {
                    p.paren_list(Self::ident)?
                } else {
                    Vec::new()
                };
            Ok((name, columns))
        })
    }

    fn privilege(&mut self) -> SqlResult<Name> {
        let Some(kw) = self.kw() else { return Err(self.error()) };
        match kw {
            Kw::ALL => {
                self.advance();
                self.eat_kw(Kw::PRIVILEGES);
                Ok("ALL".into())
            }
            Kw::CREATE => self.create_privilege(),
            Kw::ALTER => {
                self.advance();
                if self.eat_kw(Kw::ROUTINE) { Ok("ALTER ROUTINE".into()) } else { Ok("ALTER".into()) }
            }
            Kw::SHOW => self.show_privilege(),
            Kw::SET => {
                self.advance();
                self.expect_kw(Kw::USER)?;
                Ok("SET USER".into())
            }
            Kw::READ => {
                self.advance();
                self.expect_kw(Kw::ONLY)?;
                self.expect_kw(Kw::ADMIN)?;
                Ok("READ_ONLY ADMIN".into())
            }
            Kw::LOCK => {
                self.advance();
                self.expect_kw(Kw::TABLES)?;
                Ok("LOCK TABLES".into())
            }
            Kw::GRANT => {
                self.advance();
                self.expect_kw(Kw::OPTION)?;
                Ok("GRANT OPTION".into())
            }
            Kw::DELETE => {
                self.advance();
                if self.eat_kw(Kw::HISTORY) { Ok("DELETE HISTORY".into()) } else { Ok("DELETE".into()) }
            }
            Kw::REPLICATION
            | Kw::BINLOG
            | Kw::SLAVE
            | Kw::REPLICA
            | Kw::CONNECTION
            | Kw::FEDERATED
            | Kw::READ_ONLY => self.admin_privilege(kw),
            Kw::SELECT
            | Kw::INSERT
            | Kw::UPDATE
            | Kw::REFERENCES
            | Kw::USAGE
            | Kw::DROP
            | Kw::EXECUTE
            | Kw::INDEX
            | Kw::EVENT
            | Kw::TRIGGER
            | Kw::RELOAD
            | Kw::SHUTDOWN
            | Kw::PROCESS
            | Kw::FILE
            | Kw::SUPER => self.privilege_of_words(kw.word()),
            _ => Err(self.error()),
        }
    }

    fn create_privilege(&mut self) -> SqlResult<Name> {
        self.advance();
        match self.kw() {
            Some(Kw::TEMPORARY) => {
                self.advance();
                self.expect_kw(Kw::TABLES)?;
                Ok("CREATE TEMPORARY TABLES".into())
            }
            Some(Kw::VIEW) => self.privilege_of_words("CREATE VIEW"),
            Some(Kw::ROUTINE) => self.privilege_of_words("CREATE ROUTINE"),
            Some(Kw::USER) => self.privilege_of_words("CREATE USER"),
            Some(Kw::TABLESPACE) => self.privilege_of_words("CREATE TABLESPACE"),
            _ => Ok("CREATE".into()),
        }
    }

    fn show_privilege(&mut self) -> SqlResult<Name> {
        self.advance();
        match self.kw() {
            Some(Kw::DATABASES) => self.privilege_of_words("SHOW DATABASES"),
            Some(Kw::VIEW) => self.privilege_of_words("SHOW VIEW"),
            Some(Kw::CREATE) => {
                self.advance();
                self.expect_kw(Kw::ROUTINE)?;
                Ok("SHOW CREATE ROUTINE".into())
            }
            _ => Err(self.error()),
        }
    }

    /// A privilege of these words, whose last one is here.
    fn privilege_of_words(&mut self, words: &str) -> SqlResult<Name> {
        self.advance();
        Ok(words.into())
    }

    /// Privileges of two words or more.
    fn admin_privilege(&mut self, kw: Kw) -> SqlResult<Name> {
        self.advance();
        if kw == Kw::READ_ONLY {
            self.expect_kw(Kw::ADMIN)?;
            return Ok("READ_ONLY ADMIN".into());
        }
        let Some(second) = self.kw() else { return Err(self.error()) };
        let allowed: &[Kw] = match kw {
            Kw::REPLICATION => &[Kw::SLAVE, Kw::REPLICA, Kw::CLIENT, Kw::MASTER],
            Kw::BINLOG => &[Kw::ADMIN, Kw::MONITOR, Kw::REPLAY],
            Kw::SLAVE | Kw::REPLICA => &[Kw::MONITOR],
            _ => &[Kw::ADMIN],
        };
        if !allowed.contains(&second) {
            return Err(self.error());
        }
        self.advance();
        let mut words = format!("{} {}", kw.word(), second.word());
        if kw == Kw::REPLICATION && second != Kw::CLIENT {
            if self.eat_kw(Kw::ADMIN) {
                words.push_str(" ADMIN");
            } else if second == Kw::MASTER {
                return Err(self.error());
            }
        }
        Ok(words.into())
    }

    fn grant_target(&mut self) -> SqlResult<GrantTarget> {
        if self.eat(T::Star) {
            if self.eat(T::Dot) {
                self.expect(T::Star)?;
                return Ok(GrantTarget::Global);
            }
            return Ok(GrantTarget::CurrentDatabase);
        }
        let start = self.tok.start;
        let first = self.ident()?;
        if self.eat(T::Dot) {
            if self.eat(T::Star) {
                return Ok(GrantTarget::Database(first));
            }
            let name = self.ident_after_dot()?;
            return Ok(GrantTarget::Table(TableName { db: Some(first), name, span: self.span_from(start) }));
        }
        Ok(GrantTarget::Table(TableName { db: None, name: first, span: self.span_from(start) }))
    }

    /// TO / FROM users with what follows.
    fn grant_to(&mut self, grant: &mut Grant) -> SqlResult<()> {
        if grant.revoke {
            self.expect_kw(Kw::FROM)?;
            grant.users = self.comma_list(|p| Ok(UserSpec { account: p.account()?, identified: None }))?;
            return Ok(());
        }
        self.expect_kw(Kw::TO)?;
        grant.users = self.comma_list(Self::user_spec)?;
        if let GrantWhat::Roles(_) = grant.what {
            if self.eat_kw(Kw::WITH) {
                self.expect_kw(Kw::ADMIN)?;
                self.expect_kw(Kw::OPTION)?;
                grant.with_grant = true;
            }
            return Ok(());
        }
        if self.eat_kw(Kw::REQUIRE) {
            self.require(&mut grant.options)?;
        }
        if self.eat_kw(Kw::WITH) {
            let mut any = false;
            loop {
                if self.at_kw(Kw::GRANT) {
                    self.advance();
                    self.expect_kw(Kw::OPTION)?;
                    grant.with_grant = true;
                } else if let Some(limit) = self.resource_limit()? {
                    grant.options.limits.push(limit);
                } else {
                    break;
                }
                any = true;
            }
            if !any {
                return Err(self.error());
            }
        }
        Ok(())
    }
}
