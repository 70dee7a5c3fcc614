//! Calls every tool of an MCP server and prints what the client got, one JSON object per line.
//!
//! Environment: URL, KEY, MODE (auto or initialize), ANSWER (yes or no: what a person answers to a question; empty: the client can't ask),
//! ARGUMENTS (JSON: arguments by tool name).

use std::collections::{BTreeMap, HashMap};
use std::env;

use http::{HeaderName, HeaderValue};
use rmcp::model::{
    CallToolRequestParams, ClientCapabilities, ClientConfig, ElicitRequestParams, ElicitResult, ElicitationAction,
    ElicitationCapability, ErrorData, FormElicitationCapability, Implementation, JsonObject, ProtocolVersion,
};
use rmcp::service::RequestContext;
use rmcp::transport::StreamableHttpClientTransport;
use rmcp::transport::streamable_http_client::StreamableHttpClientTransportConfig;
use rmcp::{ClientHandler, ClientLifecycleMode, ClientServiceExt, RoleClient};
use serde_json::{Value, json};

/// A client whose person gives the same answer to every question.
struct Person {
    answer: String,
}

impl ClientHandler for Person {
    fn get_info(&self) -> ClientConfig {
        let mut capabilities = ClientCapabilities::default();
        if !self.answer.is_empty() {
            capabilities.elicitation = Some(ElicitationCapability::new().with_form(FormElicitationCapability::new()));
        }
        ClientConfig::new(capabilities, Implementation::new("test", "1"))
    }

    async fn create_elicitation(
        &self,
        request: ElicitRequestParams,
        _context: RequestContext<RoleClient>,
    ) -> Result<ElicitResult, ErrorData> {
        let question = serde_json::to_value(&request).expect("a question is JSON");
        let choices = &question["requestedSchema"]["properties"]["decision"]["enum"];
        if self.answer != "yes" {
            return Ok(ElicitResult::new(ElicitationAction::Decline));
        }
        Ok(ElicitResult::new(ElicitationAction::Accept).with_content(json!({ "decision": choices[0] })))
    }
}

fn variable(name: &str) -> String {
    env::var(name).unwrap_or_default()
}

#[tokio::main(flavor = "current_thread")]
async fn main() {
    let arguments: BTreeMap<String, JsonObject> =
        serde_json::from_str(&variable("ARGUMENTS")).expect("ARGUMENTS is JSON");
    // What a proxy that terminates TLS adds.
    let proxied = HashMap::from([(
        HeaderName::from_static("x-forwarded-proto"),
        HeaderValue::from_static("https"),
    )]);
    let config = StreamableHttpClientTransportConfig::with_uri(variable("URL"))
        .auth_header(variable("KEY"))
        .custom_headers(proxied);
    let lifecycle = match variable("MODE").as_str() {
        "initialize" => ClientLifecycleMode::Initialize,
        _ => ClientLifecycleMode::Auto {
            preferred_versions: vec![ProtocolVersion::LATEST],
            legacy_version: None,
        },
    };
    let person = Person { answer: variable("ANSWER") };
    let transport = StreamableHttpClientTransport::from_config(config);
    let client = match person.serve_with_lifecycle(transport, lifecycle).await {
        Ok(client) => client,
        Err(error) => return println!("{}", json!({ "raised": error.to_string() })),
    };
    println!("{}", json!({ "revision": client.peer_info().map(|server| server.protocol_version.clone()) }));
    for (tool, given) in arguments {
        let called = client.call_tool(CallToolRequestParams::new(tool.clone()).with_arguments(given)).await;
        let line: Value = match called {
            Err(error) => json!({ "tool": tool, "raised": error.to_string() }),
            Ok(result) => json!({
                "tool": tool,
                "is_error": result.is_error.unwrap_or(false),
                "text": result.content.first().and_then(|content| content.as_text()).map(|text| text.text.chars().take(200).collect::<String>()),
                "structured": result.structured_content.is_some(),
            }),
        };
        println!("{line}");
    }
}
