package dev.outpost.system.backend.host;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.jar.Attributes;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import java.util.jar.Manifest;

/** A jar with one class, which depends only on the JDK. */
public final class SmallJar {
    private SmallJar() {}

    public static byte[] of(Class<?> program) {
        Manifest manifest = new Manifest();
        manifest.getMainAttributes().put(Attributes.Name.MANIFEST_VERSION, "1.0");
        manifest.getMainAttributes().put(Attributes.Name.MAIN_CLASS, program.getName());
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        String name = program.getName().replace('.', '/') + ".class";
        try (JarOutputStream jar = new JarOutputStream(bytes, manifest);
                InputStream code = program.getClassLoader().getResourceAsStream(name)) {
            jar.putNextEntry(new JarEntry(name));
            code.transferTo(jar);
        } catch (IOException impossible) {
            throw new UncheckedIOException(impossible);
        }
        return bytes.toByteArray();
    }
}
