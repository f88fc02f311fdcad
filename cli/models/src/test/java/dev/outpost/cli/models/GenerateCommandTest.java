package dev.outpost.cli.models;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.outpost.MachineOptions;
import dev.outpost.RemoteMachine;
import dev.outpost.models.CausalLM;
import dev.outpost.models.Generation;
import dev.outpost.models.Sampling;
import dev.outpost.models.lora.PeftFiles;
import java.io.ByteArrayInputStream;
import java.io.InputStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.Charset;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

/** The commands, with a tiny model and a machine in this JVM. */
class GenerateCommandTest {
    private static final Path FIXTURES = Path.of("..", "..", "models", "src", "test", "resources", "fixtures")
            .toAbsolutePath()
            .normalize();

    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    private int run(Object command, String... arguments) {
        return new CommandLine(command)
                .setOut(new PrintWriter(out))
                .setErr(new PrintWriter(err))
                .execute(arguments);
    }

    private static String model(String name) {
        return "file:" + FIXTURES.resolve(name);
    }

    @Test
    void tokensAreGeneratedBehindTokens() {
        int code = run(
                new GenerateCommand(),
                "--machine=mock:any",
                "--model=" + model("llama"),
                "--ids=1,17,33,5,60,2,9,41,8,27",
                "--print-ids",
                "--temperature=0",
                "--max-tokens=5",
                "--ignore-eos");
        assertEquals(0, code, err::toString);
        // The tokens that transformers generates.
        assertEquals("45,45,45,55,48", out.toString().strip());
        assertTrue(err.toString().contains("10 prompt tokens"), err::toString);
        assertTrue(err.toString().contains("5 new tokens"), err::toString);
    }

    /** The command generates the same tokens with an adapter as a program with the same adapter. */
    @Test
    void adapterIsPutOnTheModel() {
        String[] command = {
            "--machine=mock:any",
            "--model=" + model("llama"),
            "--adapter=" + model("peft_llama"),
            "--ids=1,17,33,5,60,2,9,41,8,27",
            "--print-ids",
            "--temperature=0",
            "--max-tokens=5",
            "--ignore-eos"
        };
        assertEquals(0, run(new GenerateCommand(), command), err::toString);
        int[] ids = {1, 17, 33, 5, 60, 2, 9, 41, 8, 27};
        try (RemoteMachine machine =
                        RemoteMachine.of("mock", "any", new MachineOptions().option("sources", "file:" + FIXTURES));
                CausalLM llm = CausalLM.load(machine, model("llama"))) {
            PeftFiles.load(llm, model("peft_llama"));
            Sampling greedy = Sampling.greedy().maxTokens(5).ignoreEnd();
            try (Generation generation = llm.generate(ids, greedy)) {
                assertEquals(
                        Arrays.toString(generation.toEnd().getFirst()).replaceAll("[\\[\\] ]", ""),
                        out.toString().strip());
            }
        }
        assertNotEquals("45,45,45,55,48", out.toString().strip(), "the model alone");
    }

    @Test
    void aConversationGoesOnUntilAnEmptyLine() {
        InputStream before = System.in;
        System.setIn(new ByteArrayInputStream("Hi\nAnd you?\n\nnot read\n".getBytes(Charset.defaultCharset())));
        try {
            int code = run(
                    new GenerateCommand(),
                    "--machine=mock:any",
                    "--model=" + model("text"),
                    "--chat",
                    "--system=Be brief.",
                    "--temperature=0",
                    "--max-tokens=4",
                    "--ignore-eos");
            assertEquals(0, code, err::toString);
        } finally {
            System.setIn(before);
        }
        assertEquals(3, out.toString().split("> ", -1).length - 1, out::toString);
        assertEquals(
                2,
                err.toString()
                        .lines()
                        .filter(line -> line.contains("4 new tokens"))
                        .count(),
                err::toString);
    }

    @Test
    void aModelWithoutATemplateHoldsNoConversation() {
        int code = run(new GenerateCommand(), "--machine=mock:any", "--model=" + model("llama"), "--chat");
        assertTrue(code != 0);
        assertTrue(err.toString().contains("comes without a chat template"), err::toString);
    }

    @Test
    void textMatchesASchemaOfAFile(@TempDir Path folder) throws Exception {
        Path schema = Files.writeString(
                folder.resolve("schema.json"),
                "{\"type\": \"object\", \"properties\": {\"sure\": {\"type\": \"boolean\"}}, \"required\": [\"sure\"]}");
        String[] arguments = {
            "--machine=mock:any",
            "--model=" + model("text"),
            "--prompt=The",
            "--json-schema=" + schema,
            "--max-tokens=30"
        };
        assertEquals(0, run(new GenerateCommand(), arguments), err::toString);
        assertTrue(out.toString().strip().matches("\\{\"sure\": ?(true|false)}"), out::toString);
    }

    @Test
    void anOptionThatWouldDoNothingIsRefused() {
        String model = "--model=" + model("llama");
        assertTrue(run(new GenerateCommand(), "--machine=mock:any", model, "--ids=1", "--regex=a") != 0);
        assertTrue(err.toString().contains("are for the text behind a --prompt"), err::toString);
        assertTrue(run(new GenerateCommand(), "--machine=mock:any", model, "--ids=1", "--system=a") != 0);
        assertTrue(err.toString().contains("--system is for a conversation"), err::toString);
    }

    @Test
    void needsOfAModelAreListed() {
        assertEquals(0, run(new ModelsInfo(), "--machine=mock:any", model("llama")), err::toString);
        assertTrue(out.toString().contains("llama"), out::toString);
        assertTrue(out.toString().contains("memory needed"), out::toString);
        assertTrue(out.toString().matches("(?s).*fits on +[^\n]*\\bL4,[^\n]*and \\d+ more\\s.*"), out::toString);
        assertEquals(
                5,
                out.toString()
                                .lines()
                                .filter(line -> line.startsWith("fits on"))
                                .findFirst()
                                .orElseThrow()
                                .split(",")
                                .length
                        - 1);
        assertTrue(!out.toString().contains("quantized"), out::toString);
    }

    @Test
    void memorySavedByQuantizationIsListed() {
        assertEquals(0, run(new ModelsInfo(), "--machine=mock:any", model("awq")), err::toString);
        assertTrue(
                out.toString().contains("4 bits in groups of 16, stored as by AWQ, which saves 15.8 Ki"),
                out::toString);
        String[] arguments = {"--machine=mock:any", "--quantize=int8", model("llama")};
        assertEquals(0, run(new ModelsInfo(), arguments), err::toString);
        assertTrue(out.toString().contains("8 bits in groups of 64, which saves"), out::toString);
    }

    @Test
    void weightsAreQuantizedOnTheirWayIn() {
        String[] arguments = {
            "--machine=mock:any", "--model=" + model("llama"), "--ids=1,17", "--quantize=int8", "--max-tokens=3"
        };
        assertEquals(0, run(new GenerateCommand(), arguments), err::toString);
        assertTrue(run(new GenerateCommand(), "--model=" + model("llama"), "--ids=1", "--quantize=int3") != 0);
        assertTrue(err.toString().contains("expected int8 or int4, got \"int3\""), err::toString);
    }
}
