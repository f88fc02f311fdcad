package dev.outpost.cli.backend.job;

import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.lang.classfile.ClassFile;
import java.lang.constant.ClassDesc;
import java.lang.constant.ConstantDescs;
import java.lang.constant.MethodTypeDesc;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.jar.Attributes;
import java.util.jar.JarOutputStream;
import java.util.jar.Manifest;
import java.util.zip.ZipEntry;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@Tag("quick")
public class ProgramJarTest {
    private static final int JAVA_25 = ClassFile.JAVA_25_VERSION;

    @TempDir
    Path folder;

    /** A class with a main method. */
    public static byte[] program() {
        return program("main", JAVA_25);
    }

    private static byte[] program(String method, int version) {
        return ClassFile.of()
                .build(
                        ClassDesc.of("app.Main"),
                        type -> type.withVersion(version, 0)
                                .withMethodBody(
                                        method,
                                        MethodTypeDesc.of(ConstantDescs.CD_void),
                                        ClassFile.ACC_PUBLIC | ClassFile.ACC_STATIC,
                                        code -> code.return_()));
    }

    private Path jar(String main, String entry, byte[] content) throws IOException {
        return Files.write(folder.resolve("app.jar"), jar(main, Map.of(entry, content)));
    }

    /** @param main the main class of its manifest; null for none */
    public static byte[] jar(String main, Map<String, byte[]> entries) throws IOException {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        Manifest manifest = new Manifest();
        manifest.getMainAttributes().put(Attributes.Name.MANIFEST_VERSION, "1.0");
        if (main != null) {
            manifest.getMainAttributes().put(Attributes.Name.MAIN_CLASS, main);
        }
        try (JarOutputStream jar = new JarOutputStream(out, manifest)) {
            for (Map.Entry<String, byte[]> entry : entries.entrySet()) {
                jar.putNextEntry(new ZipEntry(entry.getKey()));
                jar.write(entry.getValue());
            }
        }
        return out.toByteArray();
    }

    private static void assertRefused(String expected, Path file) {
        IllegalArgumentException refused = assertThrows(IllegalArgumentException.class, () -> ProgramJar.check(file));
        assertTrue(refused.getMessage().contains(expected), refused::getMessage);
    }

    @Test
    void programWithAMainMethodIsTaken() throws IOException {
        ProgramJar.check(jar("app.Main", "app/Main.class", program("main", JAVA_25)));
    }

    @Test
    void programThatCannotStartIsRefused() throws IOException {
        assertRefused("names no main class", jar(null, "app/Main.class", program("main", JAVA_25)));
        assertRefused("app.Main is no class", jar("app.Main", "app/Main.class", new byte[20]));
        assertRefused("has no class app.Other", jar("app.Other", "app/Main.class", program("main", JAVA_25)));
        assertRefused("app.Main has no method main", jar("app.Main", "app/Main.class", program("begin", JAVA_25)));
        assertRefused(
                "was compiled for Java 26, and machines have Java 25",
                jar("app.Main", "app/Main.class", program("main", JAVA_25 + 1)));
    }

    @Test
    void fileThatIsNoJarIsRefused() throws IOException {
        Path text = Files.writeString(folder.resolve("text.jar"), "no jar");
        assertRefused("is no jar", text);
        assertRefused("expected a jar that can be read", folder.resolve("absent.jar"));
        assertRefused("expected a jar that can be read", Files.createDirectory(folder.resolve("folder.jar")));
    }
}
