"""Calls every tool of an MCP server and prints what the client got, as JSON.

Environment: URL, KEY, MODE (auto or legacy), ANSWER (yes or no: what a person answers to a question; empty: the client can't
ask), ARGUMENTS (JSON: arguments by tool name).
"""

import asyncio
import json
import os

import httpx2
from mcp import types
from mcp.client.client import Client
from mcp.client.streamable_http import streamable_http_client


async def answer(_context: object, params: types.ElicitRequestParams) -> types.ElicitResult:
    if os.environ["ANSWER"] != "yes":
        return types.ElicitResult(action="decline")
    choices = params.requested_schema["properties"]["decision"]["enum"]
    return types.ElicitResult(action="accept", content={"decision": choices[0]})


async def main() -> None:
    headers = {"authorization": f"Bearer {os.environ['KEY']}", "x-forwarded-proto": "https"}
    arguments = json.loads(os.environ["ARGUMENTS"])
    async with httpx2.AsyncClient(headers=headers, timeout=60) as http:
        transport = streamable_http_client(os.environ["URL"], http_client=http)
        callback = answer if os.environ.get("ANSWER") else None
        async with Client(transport, mode=os.environ["MODE"], elicitation_callback=callback) as client:
            print(json.dumps({"revision": client.protocol_version}))
            for name, given in arguments.items():
                try:
                    result = await client.call_tool(name, given)
                    print(
                        json.dumps(
                            {
                                "tool": name,
                                "is_error": bool(result.is_error),
                                "text": result.content[0].text[:200],
                                "structured": result.structured_content,
                            }
                        )
                    )
                except Exception as error:  # The test compares how each error is shown.
                    print(json.dumps({"tool": name, "raised": str(error)}))


asyncio.run(main())
