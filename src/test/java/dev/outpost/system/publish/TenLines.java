package dev.outpost.system.publish;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The quickstart of the README as a program. */
final class TenLines {
    /** What it prints, and nothing else. */
    static final String RESULT = "tensor([ 1.0000, -2.0000,  3.0000], requires_grad=True)\n";

    private static final Pattern LINES = Pattern.compile("## Ten lines\\s+```java\\n(.*?)```", Pattern.DOTALL);

    private TenLines() {}

    /** A class {@code TenLines} with a main method. */
    static String program() {
        return program("TenLines", "mock");
    }

    /** A class of that name, on a machine of that provider. */
    static String program(String name, String provider) {
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
                """.formatted(name, lines.group(1).replace("\"mock\"", '"' + provider + '"'));
    }
}
