package dev.outpost.backend.api;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Random requests by the API's document cause no server error, and answers have the documented form. */
@Tag("full")
class SchemathesisTest {
    private static final String NAME = "schemathesis";
    private static final int TIMEOUT_MINUTES = 10;

    private static Optional<Path> installed() {
        return Stream.concat(
                        Optional.ofNullable(System.getenv("OUTPOST_SCHEMATHESIS")).map(Path::of).stream(),
                        Stream.of(System.getenv("PATH").split(":")).map(folder -> Path.of(folder, NAME)))
                .filter(Files::isExecutable)
                .findFirst();
    }

    @Test
    void drawnRequestsLeadToNoFailure() throws IOException, InterruptedException {
        Optional<Path> program = installed();
        assumeTrue(
                program.isPresent(),
                "schemathesis is not installed: pip install schemathesis, and put it on the PATH or into OUTPOST_SCHEMATHESIS");
        String address = BackendProcess.shared().address();
        Path output = Path.of("target", "schemathesis.txt");
        Process run = new ProcessBuilder(List.of(
                        program.get().toString(),
                        "run",
                        address + "/q/openapi?format=json",
                        "--url",
                        address,
                        "--header",
                        "Authorization: Bearer " + Tenant.create().key(),
                        "--checks",
                        "not_a_server_error,response_schema_conformance,status_code_conformance,content_type_conformance",
                        "--phases",
                        "examples,coverage,fuzzing",
                        "--max-examples",
                        "8",
                        "--seed",
                        "1",
                        // It streams as long as the client reads.
                        "--exclude-path",
                        "/v1/events"))
                .redirectErrorStream(true)
                .redirectOutput(output.toFile())
                .start();
        try {
            boolean ended = run.waitFor(TIMEOUT_MINUTES, TimeUnit.MINUTES);
            assertEquals(0, ended ? run.exitValue() : -1, () -> read(output));
        } finally {
            run.destroyForcibly();
        }
    }

    private static String read(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException failure) {
            return failure.toString();
        }
    }
}
