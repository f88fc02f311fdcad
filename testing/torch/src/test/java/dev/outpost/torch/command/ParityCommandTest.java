package dev.outpost.torch.command;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.ObjectMapper;
import dev.outpost.HostTensor;
import dev.outpost.cli.Outpost;
import dev.outpost.io.Safetensors;
import dev.outpost.torch.ParityAnswer;
import dev.outpost.torch.ParityCase;
import dev.outpost.torch.ParityPack;
import dev.outpost.torch.ParitySubject;
import dev.outpost.types.OpException;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

@Tag("quick")
class ParityCommandTest {
    private static final String ADD = "\"op\":\"add\",\"args\":[{\"tensor\":\"a\",\"requires_grad\":true},"
            + "{\"tensor\":\"b\"}],\"outputs\":[\"sum\"],\"cotangents\":{\"0\":\"a\"},\"grads\":[\"a\"]}";
    private static final String OUTPUT_ONLY = "\"args\":[],\"outputs\":[\"sum\"]}";
    private static final String REFUSED = "\"args\":[],\"error\":true,\"torch_message\":\"never\"}";

    @TempDir
    private Path folder;

    private final StringWriter out = new StringWriter();

    @BeforeEach
    void writePack() throws IOException {
        Safetensors.write(
                folder.resolve("tensors.safetensors"),
                Map.of("a", tensor(1, 2), "b", tensor(3, 4), "sum", tensor(4, 6)));
        List<String> cases = List.of(
                "{\"id\":\"add/0\"," + ADD,
                "{\"id\":\"sub/0\",\"op\":\"sub\"," + OUTPUT_ONLY,
                "{\"id\":\"sub/error/0\",\"op\":\"sub\"," + REFUSED,
                "{\"id\":\"wrong/error/0\",\"op\":\"wrong\"," + REFUSED,
                "{\"id\":\"broken/0\",\"op\":\"broken\"," + OUTPUT_ONLY,
                "{\"id\":\"broken/error/0\",\"op\":\"broken\"," + REFUSED,
                "{\"id\":\"fft/0\",\"op\":\"fft\"," + OUTPUT_ONLY);
        Files.write(folder.resolve("cases.jsonl"), cases);
    }

    private static HostTensor tensor(float first, float second) {
        return HostTensor.of(new float[] {first, second});
    }

    @Test
    void commandIsListedWhereThisModuleIsOnTheClassPath() {
        assertInstanceOf(
                ParityCommand.class,
                Outpost.commandLine().getSubcommands().get("parity").getCommand());
    }

    private String run(String... options) {
        CommandLine command =
                new CommandLine(new ParityCommand(machine -> new FakeSubject())).setOut(new PrintWriter(out));
        List<String> arguments = new ArrayList<>(List.of(folder.toString()));
        arguments.addAll(List.of(options));
        assertEquals(0, command.execute(arguments.toArray(String[]::new)));
        return out.toString().replace("\r", "");
    }

    @Test
    void tellsHowEveryOpWent() {
        assertEquals("""
            OP      PASSED  FAILED  FIRST DIFFERENCE
            add     1       0
            sub     1       1       sub/0: output 0, element [0]: got -2.0, expected 4.0 within 1.5e-05
            wrong   0       1       wrong/error/0: was computed, but PyTorch refuses it: never
            broken  0       2       broken/0: threw java.lang.IllegalStateException: a defect
            fft     0       1       fft/0: there is no such op
            parity: 2 of 7 cases, 1 of 5 ops whole
            """, run());
    }

    @Test
    void mayTakeSomeOpsOnly() {
        assertTrue(run("--ops", "add,fft").endsWith("\nparity: 1 of 2 cases, 1 of 2 ops whole\n"));
    }

    @Test
    void writesJson() throws IOException {
        Path file = folder.resolve("report.json");
        run("--ops", "add,fft", "--json", file.toString());
        ObjectMapper mapper = new ObjectMapper();
        assertEquals(mapper.readTree("""
            {"cases": 2, "passed": 1, "ops": 2, "wholeOps": 1, "perOp": [
              {"op": "add", "passed": 1, "failed": 0, "firstDifference": null},
              {"op": "fft", "passed": 0, "failed": 1, "firstDifference": "fft/0: there is no such op"}]}
            """), mapper.readTree(Files.readString(file)));
    }

    /** A peer that refuses everything, which differs from everything that is computed here. */
    private int exitCodeWithTorch(String greeting) throws IOException {
        Path python = Files.writeString(folder.resolve("python"), """
                #!/bin/sh
                echo '%s'
                while read -r line; do
                    [ "$line" = '{}' ] || echo '{"refused": "RuntimeError: never"}'
                done
                """.formatted(greeting));
        Files.setPosixFilePermissions(python, PosixFilePermissions.fromString("rwx------"));
        return new CommandLine(new ParityCommand())
                .setOut(new PrintWriter(out))
                .execute("--torch", "--programs", "1", "--seed", "1", "--ops", "abs", "--python", python.toString());
    }

    @Test
    void failsWhereARandomProgramDiffers() throws IOException {
        assertEquals(1, exitCodeWithTorch("{\"version\": \"2.7.1\"}"));
        assertTrue(out.toString().endsWith("1 programs differ without an explanation\n"), out::toString);
    }

    @Test
    void doesNotFailWithoutPyTorch() throws IOException {
        assertEquals(0, exitCodeWithTorch("{\"missing\": \"No module named torch\"}"));
        assertTrue(out.toString().startsWith("skipped: "), out::toString);
    }

    /** A peer that adds correctly, refuses to subtract, computes what it should refuse, and breaks. */
    private static final class FakeSubject implements ParitySubject {
        @Override
        public boolean knows(String op) {
            return !op.equals("fft");
        }

        @Override
        public ParityAnswer compute(ParityCase parityCase, ParityPack pack) {
            return switch (parityCase.op()) {
                case "add" -> answer(pack.tensor("sum"), pack.tensor("a"));
                case "sub" -> subtract(parityCase);
                case "wrong" -> answer(pack.tensor("sum"), pack.tensor("a"));
                default -> throw new IllegalStateException("a defect");
            };
        }

        private static ParityAnswer subtract(ParityCase parityCase) {
            if (parityCase.isRefused()) {
                throw new OpException("sub", "never");
            }
            return answer(HostTensor.of(new float[] {-2, -2}), HostTensor.scalar(0));
        }

        private static ParityAnswer answer(HostTensor output, HostTensor gradient) {
            return new ParityAnswer(List.of(output), List.of(Optional.of(gradient)));
        }

        @Override
        public void close() {}
    }
}
