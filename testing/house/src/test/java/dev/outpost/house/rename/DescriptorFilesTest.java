package dev.outpost.house.rename;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import dev.outpost.house.source.InMemorySource;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code META-INF/services} and {@code module-info.java} agree with the classes. */
@Tag("quick")
class DescriptorFilesTest {
    private static final String SERVICES = "src/main/resources/META-INF/services/";

    @TempDir
    Path root;

    @Test
    void servicesFollowInTheirTextAndInTheNamesOfTheirFiles() throws Exception {
        Path file = write(SERVICES + "p.Fleet", "# p.Fleet and p.Fleets\np.Fleet$Local\nq.Fleet\np.FleetOther\n");
        assertEquals(1, rename());
        assertFalse(Files.exists(file));
        assertEquals(
                "# p.Supplier and p.Fleets\np.Supplier$Local\nq.Fleet\np.FleetOther\n",
                Files.readString(root.resolve(SERVICES + "p.Supplier")));
    }

    @Test
    void aModuleFollowsInWhatItUsesAndProvides() throws Exception {
        Path file = write(
                "src/main/java/module-info.java",
                "module m {\n  exports p;\n  uses p.Fleet;\n  provides p.Fleet with q.Fleet, p.Here;\n}\n");
        assertEquals(1, rename());
        assertEquals(
                "module m {\n  exports p;\n  uses p.Supplier;\n  provides p.Supplier with q.Fleet, p.Here;\n}\n",
                Files.readString(file));
    }

    @Test
    void otherFilesStay() throws Exception {
        Path file = write("src/main/resources/names.properties", "p.Fleet\n");
        assertEquals(0, rename());
        assertEquals("p.Fleet\n", Files.readString(file));
    }

    private Path write(String path, String text) throws IOException {
        Path file = root.resolve(path);
        Files.createDirectories(file.getParent());
        return Files.writeString(file, text);
    }

    private int rename() throws IOException {
        AttributedSources sources = AttributedSources.of(
                List.of(
                        new InMemorySource("p/Fleet.java", "package p; public class Fleet { static class Local {} }"),
                        new InMemorySource("p/Here.java", "package p; class Here {}")),
                "");
        RenamePlan plan = RenamePlan.of(sources, List.of(RenameRow.parse("type\tp.Fleet\tSupplier")), false);
        return DescriptorFiles.rename(root, plan.types(), sources.elements());
    }
}
