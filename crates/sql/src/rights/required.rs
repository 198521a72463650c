//! REQUIRE: what an account demands of the connection.

use serde_json::Value;

use super::accounts::Account;
use crate::status::encryption::{ClientCertificate, Encryption};

impl Account {
    /// Whether a connection has what REQUIRE demands.
    pub(crate) fn allows(&self, encryption: Option<&Encryption>) -> bool {
        let demand = |name: &str| {
            self.json.get(name).and_then(Value::as_str).filter(|text| !text.is_empty()).map(str::to_owned)
        };
        match (self.number("ssl_type"), encryption) {
            (0, _) | (1, Some(_)) => true,
            (_, None) => false,
            (2, Some(e)) => e.certificate.is_some(),
            (_, Some(e)) => {
                let names = |pick: fn(&ClientCertificate) -> &String, wanted: String| {
                    e.certificate.as_ref().is_some_and(|c| *pick(c) == wanted)
                };
                demand("ssl_cipher").is_none_or(|c| c == e.cipher)
                    && demand("x509_issuer").is_none_or(|i| names(|c| &c.issuer, i))
                    && demand("x509_subject").is_none_or(|s| names(|c| &c.subject, s))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_kind_of_demand() {
        let plain = Encryption { version: "TLSv1.3".into(), cipher: "A".into(), certificate: None };
        let certificate = ClientCertificate { subject: "/CN=s".into(), issuer: "/CN=i".into() };
        let known = Encryption { certificate: Some(certificate), ..plain.clone() };
        let cases = [
            (r#"{}"#, [true, true, true]),
            (r#"{"ssl_type":1}"#, [false, true, true]),
            (r#"{"ssl_type":2}"#, [false, false, true]),
            (r#"{"ssl_type":3,"ssl_cipher":"A","x509_issuer":"","x509_subject":""}"#, [false, true, true]),
            (r#"{"ssl_type":3,"ssl_cipher":"B"}"#, [false, false, false]),
            (r#"{"ssl_type":3,"x509_issuer":"/CN=i"}"#, [false, false, true]),
            (r#"{"ssl_type":3,"x509_issuer":"/CN=i","x509_subject":"/CN=t"}"#, [false, false, false]),
            (
                r#"{"ssl_type":3,"x509_issuer":"/CN=i","x509_subject":"/CN=s","ssl_cipher":"A"}"#,
                [false, false, true],
            ),
        ];
        for (json, expected) in cases {
            let account = Account::from_row("%", "u", json);
            let got = [None, Some(&plain), Some(&known)].map(|e| account.allows(e));
            assert_eq!(got, expected, "{json}");
        }
    }
}
