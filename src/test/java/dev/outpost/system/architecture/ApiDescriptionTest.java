package dev.outpost.system.architecture;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.tngtech.archunit.core.domain.JavaClass;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** The public API equals the files of docs/api. {@code ./outpost api-description --write} rewrites the files. */
class ApiDescriptionTest {
    /** Packages that users or suppliers of machines import. */
    static final List<String> PUBLIC = List.of(
            "dev.outpost",
            "dev.outpost.autograd",
            "dev.outpost.complex",
            "dev.outpost.data",
            "dev.outpost.distributions",
            "dev.outpost.explain",
            "dev.outpost.functional",
            "dev.outpost.io",
            "dev.outpost.linalg",
            "dev.outpost.metrics",
            "dev.outpost.nn",
            "dev.outpost.nn.parametrize",
            "dev.outpost.nn.summary",
            "dev.outpost.ops",
            "dev.outpost.optim",
            "dev.outpost.sharding",
            "dev.outpost.source",
            "dev.outpost.stats",
            "dev.outpost.testing",
            "dev.outpost.types",
            "dev.outpost.vocabulary",
            "dev.outpost.channel",
            "dev.outpost.channel.grant",
            "dev.outpost.provider",
            "dev.outpost.provider.fleet",
            "dev.outpost.provider.support");

    private static final Path FOLDER = Path.of("../../docs/api");

    /**
     * Not imported by users: the type by which ops take tensors and numbers alike, which no public member takes or answers; and what
     * only transports of ours carry.
     */
    private static final Set<String> ELSEWHERE =
            Set.of("dev.outpost.internal.Operand", "dev.outpost.protocol.bytes.Body");

    private static final ApiDescription DESCRIPTION = new ApiDescription();

    private static Map<String, String> described;

    @BeforeAll
    static void describe() {
        described = new TreeMap<>();
        packages()
                .forEach((name, types) -> described.put(
                        name + ".txt",
                        types.stream()
                                .map(DESCRIPTION::describe)
                                .collect(Collectors.joining("\n", "package " + name + "\n\n", ""))));
    }

    /** The classes of users by package. */
    static Map<String, List<Class<?>>> packages() {
        return ProductClasses.ALL.stream()
                .filter(type -> PUBLIC.contains(type.getPackageName()))
                .filter(type -> !type.isAnonymousClass() && !type.isLocalClass())
                .<Class<?>>map(JavaClass::reflect)
                .collect(Collectors.groupingBy(
                        Class::getPackageName,
                        TreeMap::new,
                        Collectors.collectingAndThen(
                                Collectors.toList(), types -> ApiDescription.sorted(types.stream()))));
    }

    @Test
    void thePublicApiIsAsItIsDescribed() throws IOException {
        if (Boolean.getBoolean("outpost.api.write")) {
            write();
        }
        String remedy = "; if that is meant, take it over with ./outpost api-description --write, and look at the"
                + " difference: what was removed or changed breaks programs (see CONTRIBUTING.md)";
        for (String file : union(described.keySet(), written())) {
            assertEquals(
                    Files.exists(FOLDER.resolve(file)) ? Files.readString(FOLDER.resolve(file)) : "",
                    described.getOrDefault(file, ""),
                    "the public API is another than docs/api/" + file + remedy);
        }
    }

    private static Set<String> union(Set<String> first, Set<String> second) {
        Set<String> all = new TreeSet<>(first);
        all.addAll(second);
        return all;
    }

    private static Set<String> written() throws IOException {
        if (!Files.exists(FOLDER)) {
            return Set.of();
        }
        try (var files = Files.list(FOLDER)) {
            return files.map(file -> file.getFileName().toString())
                    .filter(name -> name.endsWith(".txt"))
                    .collect(Collectors.toSet());
        }
    }

    private static void write() throws IOException {
        for (String old : written()) {
            Files.delete(FOLDER.resolve(old));
        }
        Files.createDirectories(FOLDER);
        for (Map.Entry<String, String> file : described.entrySet()) {
            Files.writeString(FOLDER.resolve(file.getKey()), file.getValue());
        }
    }

    /** Users must be able to import all parameter and result types of public members. */
    @Test
    void publicSignaturesNamePublicTypes() {
        List<String> hidden = DESCRIPTION.mentioned().stream()
                .filter(type -> type.getName().startsWith("dev.outpost."))
                .filter(type -> !PUBLIC.contains(type.getPackageName()) || !ApiDescription.isVisible(type))
                .map(Class::getName)
                .filter(name -> !ELSEWHERE.contains(name))
                .sorted()
                .toList();
        assertEquals(List.of(), hidden);
    }

    /** The compiler checks the Javadoc of these packages. */
    @Test
    void javadocOfPublicPackagesIsChecked() throws IOException {
        String pom = Files.readString(Path.of("../../pom.xml"));
        String checked = pom.replaceFirst("(?s).*<public.packages>(.*)</public.packages>.*", "$1");
        assertEquals(Set.copyOf(PUBLIC), Set.of(checked.split(",")));
    }

    /** A publication has Javadoc of the public packages, and of no others. */
    @Test
    void javadocLeavesOutOtherPackages() throws IOException {
        for (String module : List.of("protocol", "channel", "provider-spi", "api")) {
            Path folder = Path.of("../..").resolve(module);
            String pom = Files.readString(folder.resolve("pom.xml"));
            List<String> leftOut = pom.contains("<javadoc.left.out>")
                    ? List.of(pom.replaceFirst("(?s).*<javadoc.left.out>(.*)</javadoc.left.out>.*", "$1")
                            .split(":"))
                    : List.of();
            Path sources = folder.resolve("src/main/java");
            try (Stream<Path> files = Files.walk(sources)) {
                Set<String> described = files.filter(file -> file.toString().endsWith(".java"))
                        .map(file ->
                                sources.relativize(file.getParent()).toString().replace('/', '.'))
                        .filter(name ->
                                leftOut.stream().noneMatch(one -> name.equals(one) || name.startsWith(one + ".")))
                        .collect(Collectors.toSet());
                assertEquals(
                        PUBLIC.stream().filter(described::contains).collect(Collectors.toSet()), described, module);
            }
        }
    }

    @Test
    void parametersHaveTheirNames() {
        assertTrue(described.values().stream().noneMatch(text -> text.contains(" arg0")));
    }
}
