//! `speech voices` and `speech tiers`.

use std::io::{self, Write};

use speech_core::{Tier, TierCatalogue};

#[derive(clap::Args)]
pub(crate) struct VoicesArgs {
    /// Print the listing as JSON
    #[arg(long)]
    json: bool,
}

#[derive(clap::Args)]
pub(crate) struct TiersArgs {
    /// A context setting that the deployment can run, as `left,right`; repeatable [default: all]
    #[arg(long, value_name = "LEFT,RIGHT", value_parser = context)]
    contexts: Vec<[u32; 2]>,
    /// Print the catalog as JSON
    #[arg(long)]
    json: bool,
}

fn context(text: &str) -> Result<[u32; 2], String> {
    let (left, right) = text
        .split_once(',')
        .ok_or("must be two numbers with a comma between them, such as 70,6")?;
    let number =
        |text: &str| text.trim().parse().map_err(|_| format!("{text:?} is not a whole number"));
    Ok([number(left)?, number(right)?])
}

pub(crate) fn voices(args: &VoicesArgs) -> anyhow::Result<()> {
    let listing = speech_core::voices();
    let mut out = io::stdout().lock();
    if args.json {
        writeln!(out, "{}", listing.to_json())?;
        return Ok(());
    }
    for voice in &listing.voices {
        let note = if voice.id == listing.default_voice { "  (default)" } else { "" };
        writeln!(out, "{:<8}{}{note}", voice.id, voice.name)?;
    }
    let languages = listing.languages.iter().map(|language| language.as_str());
    writeln!(out, "Each speaks {}.", languages.collect::<Vec<_>>().join(" and "))?;
    Ok(())
}

pub(crate) fn tiers(args: &TiersArgs) -> anyhow::Result<()> {
    let every = || Tier::ALL.map(Tier::att_context_size).to_vec();
    let contexts = if args.contexts.is_empty() { every() } else { args.contexts.clone() };
    let catalogue = TierCatalogue::new(contexts);
    let mut out = io::stdout().lock();
    if args.json {
        writeln!(out, "{}", catalogue.to_json())?;
        return Ok(());
    }
    writeln!(out, "{:<10}{:>12}{:>14}  available", "tier", "latency", "USD a second")?;
    for entry in catalogue.entries() {
        let note = if entry.tier == Tier::default() { "  (default)" } else { "" };
        let available = if entry.available { "yes" } else { "no" };
        writeln!(
            out,
            "{:<10}{:>9} ms{:>14.6}  {available}{note}",
            entry.tier, entry.latency_ms, entry.rate_usd_per_second
        )?;
    }
    Ok(())
}
