package dev.outpost.serving;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Tests OpenAI's client for Python, if it is installed. */
class PythonClientTest {
    private static final String PROGRAM = """
            import sys, openai
            client = openai.OpenAI(base_url=sys.argv[1], api_key="none", max_retries=0)
            whole = client.completions.create(model="text", prompt="The machine reads", temperature=0, max_tokens=12)
            stream = client.completions.create(
                model="text", prompt="The machine reads", temperature=0, max_tokens=12, stream=True)
            assert "".join(e.choices[0].text for e in stream) == whole.choices[0].text
            vectors = client.embeddings.create(model="embedder", input=["a", "b"])
            assert len(vectors.data) == 2 and len(vectors.data[0].embedding) > 0
            try:
                client.completions.create(model="nobody", prompt="x")
            except openai.NotFoundError as error:
                assert error.code == "model_not_found"
            messages = [{"role": "user", "content": "Hello"}]
            schema = {"type": "object", "properties": {"a": {"enum": [1, 2]}}, "required": ["a"]}
            said = client.chat.completions.create(
                model="text", messages=messages, temperature=0, max_tokens=60,
                response_format={"type": "json_schema", "json_schema": {"name": "x", "schema": schema}})
            import json
            assert json.loads(said.choices[0].message.content)["a"] in (1, 2), said
            tool = {"type": "function", "function": {"name": "look", "parameters": schema}}
            called = client.chat.completions.create(
                model="text", messages=messages, temperature=0, max_tokens=120, tools=[tool], tool_choice="required")
            call = called.choices[0].message.tool_calls[0].function
            assert call.name == "look" and json.loads(call.arguments)["a"] in (1, 2), called
            answer = client.responses.create(model="text", input="Hello", max_output_tokens=8)
            events = client.responses.create(model="text", input="Hello", max_output_tokens=8, stream=True)
            deltas = [e.delta for e in events if e.type == "response.output_text.delta"]
            assert answer.status in ("completed", "incomplete") and len(deltas) > 0, answer
            print(whole.choices[0].text)
            """;

    @Test
    void answersAreThoseThatTheClientForJavaGets() throws Exception {
        String python = Optional.ofNullable(System.getenv("OUTPOST_PYTHON")).orElse("python3");
        assumeTrue(hasClient(python), "there is no Python with the package openai: OUTPOST_PYTHON names one");
        Process process = new ProcessBuilder(
                        python, "-c", PROGRAM, ServingProcess.shared().api())
                .redirectErrorStream(true)
                .start();
        String text = new String(process.getInputStream().readAllBytes());
        assertEquals(0, process.waitFor(), text);
        assertEquals("stststyststststststyst", text.strip());
    }

    private static boolean hasClient(String python) throws InterruptedException {
        try {
            return new ProcessBuilder(python, "-c", "import openai")
                            .redirectErrorStream(true)
                            .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                            .start()
                            .waitFor()
                    == 0;
        } catch (IOException ignored) {
            return false;
        }
    }
}
