package dev.outpost.vocabulary;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.lang.reflect.Method;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** The table of names, the typed methods and docs/ops.md agree. */
class OpsPageTest {
    /** A method with more parameters supports these arguments. */
    private static final Set<String> SHORT_FORMS =
            Set.of("nn.functional.upsample_bilinear", "nn.functional.upsample_nearest");

    @Test
    void everyOpHasATypedMethod() {
        Set<String> missing = Ops.names().stream()
                .filter(op -> Ops.methods(op).isEmpty())
                .collect(Collectors.toCollection(TreeSet::new));
        assertEquals(Set.of(), missing);
    }

    /** A method with many more parameters than the op has is another op. */
    @Test
    void typedMethodsTakeNoMoreThanTheSignatures() {
        Set<String> longer = new TreeSet<>();
        for (String op : Ops.names()) {
            List<Signature> overloads =
                    Ops.signatures(op).stream().map(Signature::parse).toList();
            int max = overloads.stream()
                    .mapToInt(overload -> overload.parameters().size())
                    .max()
                    .orElseThrow();
            boolean isFixed = overloads.stream().allMatch(overload -> overload.placed() < Integer.MAX_VALUE);
            for (Method method : Ops.methods(op)) {
                // The machine and a generator may come first; a pair of sizes may be two parameters.
                if (isFixed && method.getParameterCount() > max + 2) {
                    longer.add(op);
                }
            }
        }
        assertEquals(SHORT_FORMS, longer);
    }

    @Test
    void thePageHasEveryOpWithItsSignatures() throws IOException {
        String page = Files.readString(Path.of("../../docs/ops.md"));
        for (String op : Ops.names()) {
            for (String signature : Ops.signatures(op)) {
                assertTrue(
                        page.contains("`" + signature + "`"),
                        signature + " is not in docs/ops.md: write it by ./outpost parity --page docs/ops.md");
            }
        }
        long rows = page.lines().filter(line -> line.startsWith("| `")).count();
        assertEquals(Ops.names().size(), rows);
    }
}
