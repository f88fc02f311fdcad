package dev.outpost.system.publish;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** The quickstart of the README as a program. */
final class TenLines {
    /** Its output, and nothing else. */
    static final String RESULT = "tensor([ 1.0000, -2.0000,  3.0000])\n";

    private static final Pattern LINES =
            Pattern.compile("## Ten lines\\s+(?:<!--.*?-->\\s+)?```java\\n(.*?)```", Pattern.DOTALL);

    private TenLines() {}

    /** A class {@code TenLines} with a main method. */
    private static final String MACHINE = "\"mock\", \"A100\"";

    static String program() {
        return program("TenLines", MACHINE);
    }

    /** The program with the machine at an endpoint, which has its own GPU. */
    static String onEndpoint(String name) {
        return program(name, "\"endpoint\", \"any\"");
    }

    private static String program(String name, String machine) {
        Matcher lines = LINES.matcher(SourceTree.read("README.md"));
        assertTrue(lines.find(), "the README has no ten lines");
        return """
                import dev.outpost.*;
                import dev.outpost.autograd.GradMode;
                import dev.outpost.nn.Functional;

                public class %s {
                    public static void main(String[] arguments) {
                        %s
                    }
                }
                """.formatted(name, lines.group(1).replace(MACHINE, machine));
    }

    /** Without the four lines that Java 24 and later print once when protobuf uses {@code sun.misc.Unsafe}. */
    static String withoutWarningsOfProtobuf(String printed) {
        return printed.lines()
                .filter(line -> !line.startsWith("WARNING: A terminally deprecated method in sun.misc.Unsafe"))
                .filter(line -> !line.startsWith("WARNING: sun.misc.Unsafe::"))
                .filter(line -> !line.contains("com.google.protobuf.UnsafeUtil"))
                .map(line -> line + "\n")
                .collect(Collectors.joining());
    }
}
