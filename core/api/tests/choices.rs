//! Every public enum of choices has one string per value, which all conversions use.

use std::fmt::{Debug, Display};
use std::str::FromStr;

use serde::Serialize;
use serde::de::DeserializeOwned;
use speech_core::{
    Advice, DiagnosticKind, Error, ErrorDetail, ErrorKind, Format, KernelSet, Language, Latency,
    Precision, Quality, Tier, UseCase, Voice,
};

/// Checks every value, and the message for an unknown string.
fn check<T, const N: usize>(all: [T; N], as_str: fn(T) -> &'static str, what: &str)
where
    T: Copy + Debug + Display + PartialEq + FromStr<Err = Error> + Serialize + DeserializeOwned,
{
    for value in all {
        let name = as_str(value);
        let json = format!("{name:?}");
        assert_eq!(value.to_string(), name);
        assert_eq!(name.parse::<T>().unwrap(), value);
        assert_eq!(serde_json::to_string(&value).unwrap(), json);
        assert_eq!(serde_json::from_str::<T>(&json).unwrap(), value);
        assert!(name.to_ascii_uppercase().parse::<T>().is_err(), "{name} in upper case");
    }
    let names = all.map(as_str).join(", ");
    let error = "none".parse::<T>().unwrap_err();
    assert_eq!(error.kind(), ErrorKind::InvalidRequest);
    assert_eq!(error.message(), format!("unsupported {what} \"none\"; use {names}"));
    let error = serde_json::from_str::<T>("\"none\"").unwrap_err();
    assert!(error.to_string().contains(&names), "{error}");
}

#[test]
fn choices_read_back_from_their_strings() {
    check(Advice::ALL, Advice::as_str, "advice");
    check(DiagnosticKind::ALL, DiagnosticKind::as_str, "diagnostic kind");
    check(ErrorDetail::ALL, ErrorDetail::as_str, "error detail");
    check(ErrorKind::ALL, ErrorKind::as_str, "error type");
    check(Format::ALL, Format::as_str, "format");
    check(KernelSet::ALL, KernelSet::as_str, "kernels");
    check(Language::ALL, Language::as_str, "language");
    check(Latency::ALL, Latency::as_str, "latency");
    check(Precision::ALL, Precision::as_str, "precision");
    check(Quality::ALL, Quality::as_str, "quality");
    check(UseCase::ALL, UseCase::as_str, "use case");
    check(Voice::ALL, Voice::as_str, "voice");
    assert_eq!(format!("{:>5}", Precision::F32), " fp32");
}

/// An unknown tier has its own error kind.
#[test]
fn tiers_read_back_from_their_strings() {
    for tier in Tier::ALL {
        assert_eq!(tier.to_string().parse::<Tier>().unwrap(), tier);
        assert_eq!(serde_json::to_string(&tier).unwrap(), format!("\"{tier}\""));
    }
    let error = "none".parse::<Tier>().unwrap_err();
    assert_eq!(error.kind(), ErrorKind::InvalidTier);
    assert_eq!(
        error.message(),
        "tier \"none\" does not exist; use ultra, turbo, standard or economy"
    );
}
