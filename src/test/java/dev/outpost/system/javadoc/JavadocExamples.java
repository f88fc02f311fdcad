package dev.outpost.system.javadoc;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.outpost.RemoteMachine;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.TestInfo;

/**
 * The common part of the examples that the Javadoc includes. Each example is a region of a test class, inside the test with the same
 * name. The test runs the example. The printed text must equal the comments behind the calls of {@link #println}.
 */
abstract class JavadocExamples {
    static RemoteMachine machine;

    private final List<String> printed = new ArrayList<>();

    @BeforeAll
    static void start() {
        machine = RemoteMachine.of("mock", "A100");
    }

    @AfterAll
    static void stop() {
        machine.close();
    }

    final void println(Object value) {
        printed.add(String.valueOf(value));
    }

    @AfterEach
    void printsWhatTheCommentsSay(TestInfo test) throws IOException {
        ExampleFile file =
                ExampleFile.read(ExampleFile.FOLDER.resolve(getClass().getSimpleName() + ".java"));
        String region = test.getTestMethod().orElseThrow().getName();
        assertEquals(file.printed(region), String.join("\n", printed));
    }
}
