"""Asks an MCP server by the client of the Python package mcp, and prints what it got as JSON:

    python3 client.py < plan.json

plan.json is {"command": [program, argument...], "mode": "legacy" (initialize) or "auto" (the newest protocol that both know), "calls": [[tool, {argument: value}]...],
"resources": [URI...], "prompts": [[name, {argument: value}]...], "endless": [tool, {...}], "quick": [tool, {...}]}. The call endless is cancelled while it runs; then quick must be answered.
Each structured answer must fit the output schema that its tool declares, and say what the text says. The program ends with 3 where the package is missing.
"""

import json
import sys

try:
    import anyio
    import jsonschema
    from mcp import Client, MCPError, StdioServerParameters, stdio_client
    from mcp.client import session as client_session
except ImportError as missing:
    print(missing)
    sys.exit(3)

RUNNING = 1  # seconds that the endless call has before it is cancelled
SOON = 15  # seconds that quick has; less than the server gives any question


def refused(error):
    return {"refused": error.error.code, "message": error.error.message}


async def call(client, schemas, tool, arguments):
    """What came of a call: refused by the protocol, failed, or answered."""
    try:
        result = await client.call_tool(tool, arguments)
    except MCPError as error:
        return refused(error)
    texts = [part.text for part in result.content if part.type == "text"]
    if result.is_error:
        return {"failed": "\n".join(texts)}
    jsonschema.Draft202012Validator(schemas[tool]).validate(result.structured_content)
    if [json.loads(text) for text in texts] != [result.structured_content]:
        raise SystemExit(f"{tool}: text and structured content differ: {texts}")
    return {"answer": result.structured_content, "chars": sum(map(len, texts))}


async def read(client, uri):
    try:
        result = await client.read_resource(uri)
    except MCPError as error:
        return refused(error)
    return {"text": "".join(part.text for part in result.contents), "types": [part.mime_type for part in result.contents]}


async def prompt(client, name, arguments):
    try:
        result = await client.get_prompt(name, arguments)
    except MCPError as error:
        return refused(error)
    return {"text": "".join(message.content.text for message in result.messages), "roles": [message.role for message in result.messages]}


async def cancelled(client, plan, schemas):
    """Cancels a call that would not end, and asks again."""
    with anyio.move_on_after(RUNNING) as scope:  # the client tells the server when it leaves the call
        out = await call(client, schemas, *plan["endless"])
    if not scope.cancelled_caught:
        raise SystemExit(f"the call that was to be cancelled has ended: {out}")
    with anyio.fail_after(SOON):
        return await call(client, schemas, *plan["quick"])


async def main(plan):
    command = plan["command"]
    server = stdio_client(StdioServerParameters(command=command[0], args=command[1:], env=plan.get("env")))
    async with Client(server, mode=plan["mode"]) as client:
        tools = (await client.list_tools()).tools
        for tool in tools:
            jsonschema.Draft202012Validator.check_schema(tool.input_schema)
            jsonschema.Draft202012Validator.check_schema(tool.output_schema)
        schemas = {tool.name: tool.output_schema for tool in tools}
        out = {
            "protocol": client.protocol_version,
            "server": client.server_info.name,
            "instructions": client.instructions,
            "tools": [tool.model_dump(mode="json", by_alias=True, exclude_none=True) for tool in tools],
            "resources": [str(one.uri) for one in (await client.list_resources()).resources],
            "templates": [one.uri_template for one in (await client.list_resource_templates()).resource_templates],
            "prompts": [one.name for one in (await client.list_prompts()).prompts],
            "calls": [await call(client, schemas, *one) for one in plan["calls"]],
            "reads": [await read(client, uri) for uri in plan["resources"]],
            "gets": [await prompt(client, *one) for one in plan["prompts"]],
        }
        out["afterwards"] = await cancelled(client, plan, schemas)
    json.dump(out, sys.stdout)


anyio.run(main, json.load(sys.stdin))
