package dev.outpost.house.document;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DocumentNamesTest {
    @Test
    void namesInDocumentsExist() throws IOException {
        assertEquals(
                List.of(),
                DocumentNames.missing(Path.of("../..").toAbsolutePath().normalize()));
    }

    @Test
    void missingNamesOfEachKindAreFound(@TempDir Path root) throws IOException {
        write(root, "testing/house/foreign-names.txt", "ServiceLoader\n");
        write(root, "a/src/main/java/dev/outpost/a/GoodClass.java", "package dev.outpost.a;\nclass GoodClass {}\n");
        write(
                root,
                "a/src/test/java/dev/outpost/a/GoodTest.java",
                "package dev.outpost.a;\nclass GoodTest { void works() {} }\n");
        write(root, "docs/other.md", "# A title, with `code`\n");
        write(root, "docs/api/old.md", "`MissingClass`\n");
        write(root, "a/README.md", "`src/main/java`, `src/main/none`\n");
        write(root, "src/test/java/dev/outpost/Some.java", "package dev.outpost;\n");
        write(root, "docs/page.md", """
                `GoodClass.any`, `ServiceLoader`, `GoodTest.works`, `dev.outpost`, `dev.outpost.a`, `a/src/main`, `a/src/*/java`,
                [a link](other.md#a-title-with-code), [elsewhere](https://example.com/x), `text/plain`, `Plain`.
                ```
                `CodeBlock`
                ```
                `MissingClass`, `GoodTest.fails`, `dev.outpost.b`, `a/src/site`, [no file](none.md), [no title](other.md#none), [`Missing`].
                """);
        assertEquals(
                List.of(
                        "a/README.md: src/main/none",
                        "docs/page.md: (none.md)",
                        "docs/page.md: (other.md#none)",
                        "docs/page.md: GoodTest.fails",
                        "docs/page.md: MissingClass",
                        "docs/page.md: [`Missing`]",
                        "docs/page.md: a/src/site",
                        "docs/page.md: dev.outpost.b"),
                DocumentNames.missing(root));
    }

    private static void write(Path root, String path, String text) throws IOException {
        Files.createDirectories(root.resolve(path).getParent());
        Files.writeString(root.resolve(path), text);
    }
}
