use chrono::{Duration, Utc};
use openapi::apis::{benefits_api, claims_api, configuration::Configuration, coverage_api, Error};
use openapi::models::{CoverageInput, CoverageStatus, Currency, EligibilityCheckInput};
use std::env::{args, var};

const MOST: i64 = 9007199254740991;

#[tokio::main]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    let configuration = Configuration {
        base_path: var("CARECOVER_URL")?,
        bearer_access_token: Some(var("CARECOVER_KEY")?),
        ..Configuration::new()
    };
    let member = args().nth(1).expect("the member is the first argument");
    let now = Utc::now().fixed_offset();
    let text = |value: &str| value.to_string();
    let input = CoverageInput::new(
        text("contract:1"), member.clone(), text("1"), text("group:1"), member.clone(), text("psy.individual.50"), text("Plan"),
        CoverageStatus::Active, Currency::Kes, MOST, 6, false, Some(1), now - Duration::days(365), now + Duration::days(365),
        now - Duration::hours(1), vec![text("registry:1")],
    );
    let coverage = coverage_api::create_coverage(&configuration, &format!("{member}-coverage"), input, None).await?;
    let input = EligibilityCheckInput::new(member.clone(), text("psy.individual.50"), now + Duration::hours(1), MOST, Currency::Kes);
    let created = benefits_api::create_eligibility_check(&configuration, &format!("{member}-check"), input, None).await?;
    let check = benefits_api::get_eligibility_check(&configuration, &created.id, None).await?;
    let unknown = match claims_api::get_claim(&configuration, "clm_unknown", None).await {
        Err(Error::ResponseError(response)) => {
            let body: serde_json::Value = serde_json::from_str(&response.content)?;
            format!("{} {}", response.status.as_u16(), body["error"]["code"].as_str().unwrap_or_default())
        }
        other => format!("{other:?}"),
    };
    let most = check.amount.maximum_per_session.unwrap_or_default();
    println!("{} {} {} {} {}", coverage.amount_limit.value, check.amount.requested, most, check.status, unknown);
    Ok(())
}
