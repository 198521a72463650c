//! Lines for people: to a pipe that was closed they go nowhere, and nobody panics.

/// A line on standard output.
macro_rules! say {
    ($($part:tt)*) => {{
        use std::io::Write as _;
        let _ = writeln!(std::io::stdout(), $($part)*);
    }};
}

/// A line on standard error.
macro_rules! complain {
    ($($part:tt)*) => {{
        use std::io::Write as _;
        let _ = writeln!(std::io::stderr(), $($part)*);
    }};
}
