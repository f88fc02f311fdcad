package dev.outpost.serving;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** OpenAI's client for Python, where there is one. */
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
        String said = new String(process.getInputStream().readAllBytes());
        assertEquals(0, process.waitFor(), said);
        assertEquals("stststyststststststyst", said.strip());
    }

    private static boolean hasClient(String python) throws InterruptedException {
        try {
            return new ProcessBuilder(python, "-c", "import openai")
                            .redirectErrorStream(true)
                            .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                            .start()
                            .waitFor()
                    == 0;
        } catch (IOException noPython) {
            return false;
        }
    }
}
