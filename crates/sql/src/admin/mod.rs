//! Maintenance, locks, accounts and other statements of administration.
