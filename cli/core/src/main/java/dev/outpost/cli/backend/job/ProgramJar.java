package dev.outpost.cli.backend.job;

import java.io.IOException;
import java.lang.classfile.ClassFile;
import java.lang.classfile.ClassModel;
import java.lang.classfile.constantpool.ClassEntry;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.jar.Attributes;
import java.util.jar.JarFile;
import java.util.jar.Manifest;
import java.util.zip.ZipEntry;
import java.util.zip.ZipException;

/** Checks that {@code java -jar} can start a program, before a machine is paid for. */
public final class ProgramJar {
    private static final String REMEDY = "; build one that holds all that it needs, and names its main class";

    /** The latest class version: Java 25, with which machines run programs. */
    private static final int MAX_VERSION = ClassFile.JAVA_25_VERSION;

    private static final int VERSION_OF_JAVA_1 = 44;

    /** The bytes of the magic number and the version. */
    private static final int HEADER_BYTES = 8;

    private ProgramJar() {}

    /** @throws IllegalArgumentException if it cannot be started; the message says the reason and the remedy */
    static void check(Path file) {
        if (!file.getFileName().toString().endsWith(".jar") || !Files.isReadable(file) || Files.isDirectory(file)) {
            throw refusal("expected a jar that can be read, got " + file);
        }
        try (JarFile jar = new JarFile(file.toFile(), true)) {
            String main = mainClass(file, jar);
            ZipEntry entry = jar.getEntry(main.replace('.', '/') + ".class");
            if (entry == null) {
                throw refusal(file + " has no class " + main + ", which its manifest names as its main class");
            }
            byte[] content = jar.getInputStream(entry).readAllBytes();
            checkVersion(file, main, content);
            checkMain(file, main, parsed(file, main, content));
        } catch (ZipException failure) {
            throw refusal(file + " is no jar (" + failure.getMessage() + ")");
        } catch (SecurityException failure) {
            throw refusal(file + " has a signature that does not hold (" + failure.getMessage() + ")");
        } catch (IOException failure) {
            throw refusal(file + " cannot be read (" + failure.getMessage() + ")");
        }
    }

    private static String mainClass(Path file, JarFile jar) throws IOException {
        Manifest manifest = jar.getManifest();
        String main = manifest == null ? null : manifest.getMainAttributes().getValue(Attributes.Name.MAIN_CLASS);
        if (main == null || main.isBlank()) {
            throw refusal(file + " names no main class (Main-Class) in its manifest");
        }
        return main.strip();
    }

    /** Reads the version in the header of a class, since a class of a later version cannot be parsed. */
    private static void checkVersion(Path file, String main, byte[] content) {
        if (content.length < HEADER_BYTES) {
            throw refusal(file + ": " + main + " is no class");
        }
        int version = (content[HEADER_BYTES - 2] & 0xff) << 8 | content[HEADER_BYTES - 1] & 0xff;
        if (version > MAX_VERSION) {
            throw refusal(file + ": " + main + " was compiled for Java " + (version - VERSION_OF_JAVA_1)
                    + ", and machines have Java " + (MAX_VERSION - VERSION_OF_JAVA_1) + ": compile it with --release "
                    + (MAX_VERSION - VERSION_OF_JAVA_1));
        }
    }

    private static ClassModel parsed(Path file, String main, byte[] content) {
        try {
            return ClassFile.of().parse(content);
        } catch (IllegalArgumentException failure) {
            throw refusal(file + ": " + main + " is no class (" + failure.getMessage() + ")");
        }
    }

    private static void checkMain(Path file, String main, ClassModel model) {
        boolean hasMain =
                model.methods().stream().anyMatch(method -> method.methodName().equalsString("main"));
        boolean mayInherit = model.superclass()
                .map(ClassEntry::asInternalName)
                .filter(name -> !name.equals("java/lang/Object"))
                .isPresent();
        if (!hasMain && !mayInherit) {
            throw refusal(file + ": its main class " + main + " has no method main");
        }
    }

    private static IllegalArgumentException refusal(String why) {
        return new IllegalArgumentException("submit: " + why + REMEDY);
    }
}
