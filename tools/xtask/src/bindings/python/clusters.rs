//! Tests batches on clusters of Ray and Spark.

use super::environment::Environment;
use super::{installed_with, interpreters, pytest, types};
use crate::prelude::*;

/// Installs the wheels together with Ray and Spark, runs the tests, and checks the types that the
/// usual check lacks.
pub(crate) fn test(artifacts: &Artifacts) -> Result<()> {
    let package = root().join("bindings/python");
    let tests = package.join("tests/clusters");
    let requirements = tests.join("requirements.txt");
    let add = Environment::add_from_registry;
    let environment = installed_with(&interpreters::usual()?, "clusters", &requirements, add)?;
    process::shown(pytest(artifacts, &environment)?.arg(&tests))?;
    let modules = ["ray.py", "spark.py"].map(|name| package.join("python/libspeech").join(name));
    let files = modules.into_iter().chain([tests]);
    types::check_excluded(&environment, "clusters", &package.join("tests"), files)
}
