//! Numbers from text and to text.
