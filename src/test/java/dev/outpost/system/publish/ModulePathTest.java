package dev.outpost.system.publish;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.outpost.system.publish.ExternalProgram.Printed;
import dev.outpost.system.server.RuntimeProcess;
import java.io.File;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.spi.ToolProvider;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.bouncycastle.crypto.digests.SHA256Digest;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests the ten lines in a separate module, with the descriptors of the published jars. */
class ModulePathTest {
    /** Modules with a descriptor, by their folders, each after its required modules. */
    private static final Map<String, String> DESCRIBED = described();

    /** Modules that only have a name. */
    private static final Map<String, String> NAMED = Map.of(
            "gpu-runtime/core", "dev.outpost.runtime.core",
            "provider-mock", "dev.outpost.provider.mock");

    private static final List<String> FLAGS = List.of(
            "-XX:TieredStopAtLevel=1",
            "-XX:+UseSerialGC",
            "--sun-misc-unsafe-memory-access=allow",
            "--enable-native-access=ALL-UNNAMED,dev.outpost.runtime.core,io.netty.common",
            "--add-exports=java.base/jdk.internal.module=dev.outpost.runtime.core");

    @TempDir
    static Path folder;

    private static Map<String, String> described() {
        Map<String, String> described = new LinkedHashMap<>();
        described.put("protocol", "dev.outpost.protocol");
        described.put("channel", "dev.outpost.channel");
        described.put("provider-spi", "dev.outpost.provider");
        described.put("api", "dev.outpost");
        return described;
    }

    @BeforeAll
    static void pack() throws Exception {
        Path modules = Files.createDirectories(folder.resolve("modules"));
        for (ClassPathJar jar : ClassPathJar.ofStarter()) {
            Files.copy(jar.file(), modules.resolve(jar.file().getFileName()));
        }
        Path optional = Files.createDirectories(folder.resolve("optional"));
        Path pairing = Path.of(SHA256Digest.class
                .getProtectionDomain()
                .getCodeSource()
                .getLocation()
                .toURI());
        Files.copy(pairing, optional.resolve(pairing.getFileName()));
        for (Map.Entry<String, String> module : DESCRIBED.entrySet()) {
            Path classes = SourceTree.ROOT.resolve(module.getKey()).resolve("target/classes");
            Path descriptor = folder.resolve(module.getValue());
            compile(
                    descriptor,
                    List.of("--release", "21", "-Xlint:-module", "--patch-module", module.getValue() + "=" + classes),
                    SourceTree.ROOT.resolve(module.getKey()).resolve("src/main/module/module-info.java"));
            jar(
                    module.getValue(),
                    List.of("-C", classes.toString(), ".", "-C", descriptor.toString(), "module-info.class"));
        }
        for (Map.Entry<String, String> module : NAMED.entrySet()) {
            Path manifest =
                    Files.writeString(folder.resolve("manifest"), "Automatic-Module-Name: " + module.getValue() + "\n");
            Path classes = SourceTree.ROOT.resolve(module.getKey()).resolve("target/classes");
            jar(module.getValue(), List.of("--manifest", manifest.toString(), "-C", classes.toString(), "."));
        }
    }

    private static void compile(Path out, List<String> options, Path... sources) {
        assertEquals("", errors(out, options, sources));
    }

    /** The messages of the compiler; empty if it finds no errors. */
    private static String errors(Path out, List<String> options, Path... sources) {
        List<String> arguments = new ArrayList<>(options);
        arguments.addAll(List.of(
                "-proc:none",
                "-d",
                out.toString(),
                "-p",
                // A module that a descriptor requires only for compilation is missing at run time.
                folder.resolve("modules") + File.pathSeparator + folder.resolve("optional")));
        Stream.of(sources).map(Path::toString).forEach(arguments::add);
        StringWriter said = new StringWriter();
        int status = tool("javac").run(new PrintWriter(said), new PrintWriter(said), arguments.toArray(String[]::new));
        assertEquals(status == 0, said.toString().isEmpty(), said::toString);
        return said.toString();
    }

    private static void jar(String name, List<String> content) {
        List<String> arguments = new ArrayList<>(List.of(
                "--create",
                "--file",
                folder.resolve("modules").resolve(name + ".jar").toString()));
        arguments.addAll(content);
        assertEquals(0, tool("jar").run(System.out, System.err, arguments.toArray(String[]::new)));
    }

    private static ToolProvider tool(String name) {
        return ToolProvider.findFirst(name).orElseThrow();
    }

    /** A module with one class of its own in the package {@code example}. */
    private static Path program(String name, String source) throws Exception {
        Path sources = Files.createDirectories(folder.resolve("source-of-" + name));
        Files.writeString(sources.resolve("module-info.java"), "module example { requires dev.outpost; }");
        Files.createDirectories(sources.resolve("example"));
        Files.writeString(sources.resolve("example/" + name + ".java"), "package example;\n" + source);
        return sources;
    }

    private static Printed run(String name, String source, Map<String, String> variables) throws Exception {
        Path sources = program(name, source);
        Path classes = folder.resolve("classes-of-" + name);
        compile(classes, List.of(), sources.resolve("module-info.java"), sources.resolve("example/" + name + ".java"));
        ExternalProgram externalProgram = ExternalProgram.java(folder)
                .with(FLAGS)
                .with(List.of(
                        "-p",
                        classes + File.pathSeparator + folder.resolve("modules"),
                        "-m",
                        "example/example." + name));
        for (Map.Entry<String, String> variable : variables.entrySet()) {
            externalProgram = externalProgram.with(variable.getKey(), variable.getValue());
        }
        return externalProgram.run();
    }

    @Test
    void tenLinesRunOnTheMock() throws Exception {
        Printed printed = run("TenLines", TenLines.program(), Map.of());
        assertEquals(TenLines.RESULT, printed.out());
    }

    @Test
    void tenLinesRunOnARemoteMachine() throws Exception {
        try (RuntimeProcess runtime = RuntimeProcess.start()) {
            Printed printed = run(
                    "RemoteTenLines",
                    TenLines.onEndpoint("RemoteTenLines"),
                    Map.of("OUTPOST_ENDPOINT", runtime.endpoint(), "OUTPOST_TOKEN", runtime.token()));
            assertEquals(new Printed(TenLines.RESULT, ""), printed);
        }
    }

    @Test
    void internalsAreNotImported() throws Exception {
        Path sources = program("Curious", "public class Curious { dev.outpost.internal.Cell cell; }");
        String text = errors(
                folder.resolve("classes-of-Curious"),
                List.of(),
                sources.resolve("module-info.java"),
                sources.resolve("example/Curious.java"));
        assertTrue(text.contains("package dev.outpost.internal is not visible"), text);
    }

    /** Each new package must be listed as for users or not for users. */
    @Test
    void everyPublicPackageIsExported() {
        String pom = SourceTree.read("pom.xml");
        String packages = pom.replaceFirst("(?s).*<public.packages>(.*)</public.packages>.*", "$1");
        String exported = DESCRIBED.keySet().stream()
                .map(module -> SourceTree.read(module + "/src/main/module/module-info.java"))
                .collect(Collectors.joining());
        assertFalse(packages.isBlank());
        assertEquals(
                List.of(),
                Stream.of(packages.split(","))
                        .filter(name -> !exported.contains("exports " + name + ";"))
                        .toList());
    }
}
