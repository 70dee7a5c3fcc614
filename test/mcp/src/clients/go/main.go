// Command calltools calls every tool of an MCP server and prints what the client got, one JSON object per line.
//
// Environment: URL, KEY, VERSION (a protocol version; empty: the client's default), ANSWER (yes or no: what a person answers to a question;
// empty: the client can't ask), ARGUMENTS (JSON: arguments by tool name).
package main

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"sort"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// withHeaders adds the credential, and what a proxy that terminates TLS adds.
type withHeaders struct{}

func (withHeaders) RoundTrip(request *http.Request) (*http.Response, error) {
	sent := request.Clone(request.Context())
	sent.Header.Set("Authorization", "Bearer "+os.Getenv("KEY"))
	sent.Header.Set("X-Forwarded-Proto", "https")
	return http.DefaultTransport.RoundTrip(sent)
}

// clientOptions returns the options of a client whose person gives the same answer to every question.
func clientOptions(answer string) *mcp.ClientOptions {
	if answer == "" {
		return nil
	}
	return &mcp.ClientOptions{
		ElicitationHandler: func(_ context.Context, request *mcp.ElicitRequest) (*mcp.ElicitResult, error) {
			if answer != "yes" {
				return &mcp.ElicitResult{Action: "decline"}, nil
			}
			text, err := json.Marshal(request.Params.RequestedSchema)
			if err != nil {
				return nil, err
			}
			var schema struct {
				Properties struct {
					Decision struct {
						Enum []string `json:"enum"`
					} `json:"decision"`
				} `json:"properties"`
			}
			if err := json.Unmarshal(text, &schema); err != nil {
				return nil, err
			}
			content := map[string]any{"decision": schema.Properties.Decision.Enum[0]}
			return &mcp.ElicitResult{Action: "accept", Content: content}, nil
		},
	}
}

func printLine(line map[string]any) {
	text, err := json.Marshal(line)
	if err != nil {
		panic(err)
	}
	fmt.Println(string(text))
}

func main() {
	var arguments map[string]map[string]any
	if err := json.Unmarshal([]byte(os.Getenv("ARGUMENTS")), &arguments); err != nil {
		panic(err)
	}
	ctx := context.Background()
	client := mcp.NewClient(&mcp.Implementation{Name: "test", Version: "1"}, clientOptions(os.Getenv("ANSWER")))
	transport := &mcp.StreamableClientTransport{
		Endpoint:   os.Getenv("URL"),
		HTTPClient: &http.Client{Transport: withHeaders{}},
		MaxRetries: -1,
	}
	options := &mcp.ClientSessionOptions{ProtocolVersion: os.Getenv("VERSION")}
	session, err := client.Connect(ctx, transport, options)
	if err != nil {
		printLine(map[string]any{"raised": err.Error()})
		return
	}
	defer session.Close()
	printLine(map[string]any{"revision": session.InitializeResult().ProtocolVersion})
	names := make([]string, 0, len(arguments))
	for name := range arguments {
		names = append(names, name)
	}
	sort.Strings(names)
	for _, name := range names {
		result, err := session.CallTool(ctx, &mcp.CallToolParams{Name: name, Arguments: arguments[name]})
		if err != nil {
			printLine(map[string]any{"tool": name, "raised": err.Error()})
			continue
		}
		text := result.Content[0].(*mcp.TextContent).Text
		printLine(map[string]any{
			"tool":       name,
			"is_error":   result.IsError,
			"text":       text[:min(len(text), 200)],
			"structured": result.StructuredContent != nil,
		})
	}
}
