package dev.outpost.simulated.kubernetes;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** The example of README.md is the one that is compiled and run. */
class ReadmeTest {
    private static final Path EXAMPLE = Path.of("src/test/java/dev/outpost/simulated/kubernetes/ExampleTest.java");
    private static final Pattern JAVA = Pattern.compile("(?s)```java\n(.*?)```");

    @Test
    void theExampleIsTheTest() throws IOException {
        Matcher shown = JAVA.matcher(Files.readString(Path.of("README.md")));
        String source = Files.readString(EXAMPLE);
        assertEquals(source.substring(source.indexOf("class ExampleTest")), shown.find() ? shown.group(1) : "");
    }
}
